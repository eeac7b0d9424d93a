"""Write the lock file of what is shipped for Windows: the newest of the ranges in pyproject.toml.

``python installer/windows/lock.py`` (needs pip and the network) fetches every wheel once and writes
its name, version and SHA-256 to ``requirements.txt`` beside this file.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
LOCK = HERE / "requirements.txt"
PLATFORM = (
    *("--platform", "win_amd64", "--python-version", "3.11", "--implementation", "cp"),
    *("--abi", "cp311", "--abi", "abi3", "--abi", "none", "--only-binary=:all:"),
)
"""What pip is told, whatever system and Python it runs on."""
HEAD = """# What ships for Windows: wheels for win_amd64, CPython 3.11; refused on any difference.
# installer/windows/lock.py writes this file anew from the ranges of pyproject.toml.
"""


def main() -> None:
    """Fetch, hash, write."""
    project = tomllib.loads((HERE.parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder) / "ranges.txt"
        wanted.write_text("\n".join(project["dependencies"]), "utf-8")
        command = [sys.executable, "-m", "pip", "download", "--quiet", *PLATFORM]
        subprocess.run([*command, "--dest", folder, "--requirement", str(wanted)], check=True)
        lines = [line_of(wheel) for wheel in sorted(Path(folder).glob("*.whl"))]
    LOCK.write_text(HEAD + "".join(lines), "utf-8")


def line_of(wheel: Path) -> str:
    """Name, version and hash of a wheel as pip reads them."""
    name, version = wheel.name.split("-")[:2]
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    return f"{name.replace('_', '-')}=={version} --hash=sha256:{digest}\n"


if __name__ == "__main__":
    main()
