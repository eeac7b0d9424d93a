"""Fetch pytest for Windows: ``python trial_tools.py FOLDER``. It is never shipped."""

from __future__ import annotations

import subprocess
import sys
import tomllib

from lock import HERE, PLATFORM

WANTED = ("pytest", "pytest-qt", "hypothesis")


def main(folder: str) -> None:
    """Install them, in the ranges of pyproject.toml, into a folder."""
    project = tomllib.loads((HERE.parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    tests = project["optional-dependencies"]["test"]
    ranges = [text for text in tests if text.partition(">")[0] in WANTED]
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile"]
    subprocess.run([*command, *PLATFORM, "--target", folder, *ranges], check=True)


if __name__ == "__main__":
    main(sys.argv[1])
