"""Files of Python and their lines by package: ``python docs/count_lines.py [COMMIT]``.

Without a commit of the files that git knows in the folder as they are.
"""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOPS = ("payoff", "core", "gui", "plugins", "tests")


def counted_lines(commit: str | None) -> dict[str, tuple[int, int]]:
    """Return files and lines by package: those of core each by itself, of others the whole."""
    listing = ["ls-tree", "-r", "--name-only", commit] if commit else ["ls-files"]
    found: dict[str, list[int]] = defaultdict(list)
    for name in _git(*listing, "--", *TOPS).splitlines():
        path = Path(name)
        if path.suffix == ".py":
            depth = 2 if path.parts[0] == "core" else 1
            text = _git("show", f"{commit}:{name}") if commit else (ROOT / path).read_text("utf-8")
            found["/".join(path.parts[:depth])].append(len(text.splitlines()))
    return {package: (len(lines), sum(lines)) for package, lines in sorted(found.items())}


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True)
    return done.stdout.decode("utf-8")


if __name__ == "__main__":
    for package, (files, lines) in counted_lines((sys.argv[1:] or [None])[0]).items():
        print(f"| `{package}/` | {files:,} | {lines:,} |")
