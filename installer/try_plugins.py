"""Plugins of every form in an installed program: install, run, run from the cache, update.

``python installer/try_plugins.py PROGRAM`` (any Python 3.11; the program brings its own). For each
form the example metric is installed and evaluated twice, then installed again with another constant
in its kernel, which must change the value: no old kernel may run. Its compiled kernel must be kept.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
DATA = HERE.parent / "resources" / "samples" / "direct_mail.csv"
SOURCE = (HERE / "example_plugin.py").read_text("utf-8")
LIMITS = ("0.05", "0.2")
HEAD, BODY = SOURCE.split("# ///\n", 1)
MANIFEST = 'entry = "share"\n' + "".join(
    line[2:] + "\n" for line in HEAD.splitlines() if line.startswith("# ") and "///" not in line
)


def changed(text: str, limit: str) -> str:
    """The source with another constant."""
    return text.replace("LIMIT = 0.05", f"LIMIT = {limit}")


def as_file(folder: Path, limit: str) -> Path:
    """One .py file with its manifest in a comment."""
    path = folder / "share.py"
    path.write_text(changed(SOURCE, limit), "utf-8")
    return path


def as_folder(folder: Path, limit: str) -> Path:
    """A folder whose entry module takes its constant from a helper beside it."""
    place = folder / "share_folder"
    place.mkdir(exist_ok=True)
    (place / "plugin.toml").write_text(MANIFEST, "utf-8")
    (place / "limits.py").write_text(f"LIMIT = {limit}\n", "utf-8")
    body = BODY.replace("LIMIT = 0.05\n", "").replace(
        "import payoff\n", "import payoff\n\nfrom .limits import LIMIT\n", 1
    )
    (place / "share.py").write_text(body, "utf-8")
    return place


def as_archive(folder: Path, limit: str) -> Path:
    """The same folder as a .payoff-plugin archive."""
    return _packed(as_folder(folder, limit), folder / "share.payoff-plugin")


def as_zip(folder: Path, limit: str) -> Path:
    """The same folder as a .zip."""
    return _packed(as_folder(folder, limit), folder / "share.zip")


def with_wheel(folder: Path, limit: str) -> Path:
    """An archive whose kernel comes in a wheel that the plugin brings along."""
    place = folder / "share_wheel"
    (place / "wheels").mkdir(parents=True, exist_ok=True)
    (place / "plugin.toml").write_text(MANIFEST, "utf-8")
    (place / "share.py").write_text(
        '"""Its kernel is in a package of its own."""\n\n'
        "from share_parts import payoff_register_metrics\n",
        "utf-8",
    )
    wheel = place / "wheels" / "share_parts-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("share_parts/__init__.py", changed(BODY, limit))
        archive.writestr("share_parts-1.0.dist-info/METADATA", "Name: share-parts\nVersion: 1.0\n")
    return _packed(place, folder / "share_wheel.payoff-plugin")


def as_wheel(folder: Path, limit: str) -> Path:
    """A Python package with a manifest, as pip would build it; it imports itself by its name."""
    body = BODY.replace("LIMIT = 0.05\n", "").replace(
        "import payoff\n", "import payoff\n\nfrom share_package.limits import LIMIT\n", 1
    )
    wheel = folder / "share_package-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("share_package/__init__.py", "")
        archive.writestr("share_package/plugin.toml", MANIFEST)
        archive.writestr("share_package/limits.py", f"LIMIT = {limit}\n")
        archive.writestr("share_package/share.py", body)
        about = "share_package-1.0.dist-info"
        archive.writestr(f"{about}/METADATA", "Name: share-package\nVersion: 1.0\n")
        points = "[payoff.plugins]\nshare = share_package\n"
        archive.writestr(f"{about}/entry_points.txt", points)
    return wheel


def _packed(place: Path, path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(place.rglob("*")):
            if file.is_file():
                archive.write(file, file.relative_to(place))
    return path


FORMS: tuple[Callable[[Path, str], Path], ...] = (
    as_file,
    as_folder,
    as_archive,
    as_zip,
    with_wheel,
    as_wheel,
)


def try_form(program: str, form: Callable[[Path, str], Path], home: Path) -> str:
    """Install, run, run again, update, run; the values and kept kernels, or an AssertionError."""
    described = []
    environment = {**os.environ, "PAYOFF_HOME": str(home), "PAYOFF_CACHE_DIR": str(home / "cache")}

    def run(*words: str) -> dict[str, object]:
        done = subprocess.run(
            [program, *words],
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return dict(json.loads(done.stdout))

    for limit in LIMITS:
        run("plugins", "install", str(form(home, limit)))
        values = []
        for _ in range(2):
            found = run(
                "evaluate",
                str(DATA),
                "--outcome",
                "responded",
                "--score",
                "p_gbm2",
                "--metric",
                "share_above",
                "--no-intervals",
            )
            values.append(found["metrics"][0]["value"])
        assert values[0] == values[1], values
        described.append(values[0])
    kept = len(list((home / "cache").rglob("*.nbc")))
    assert described[0] != described[1], f"the changed constant did not count: {described}"
    assert kept > 0, "its kernel was not kept"
    return f"{described[0]:.4f}, after the change {described[1]:.4f}; {kept} kernels kept"


def main(program: str) -> int:
    """Try every form; 0 if all did as they should."""
    for form in FORMS:
        with tempfile.TemporaryDirectory() as home:
            print(f"{form.__name__}: {try_form(program, form, Path(home))}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
