"""What is not there where data are read in pieces: declared once, refused by it, and listed."""

from __future__ import annotations

from pathlib import Path

from core.document.data.limits import LIMITS, Limit
from core.script.decide.request import DecideRequest
from core.script.evaluate.request import EvaluateRequest
from core.script.uplift.request import UpliftRequest

ROOT = Path(__file__).parents[3]
GUIDE = ROOT / "docs" / "when-the-file-is-too-large.md"


def row(limit: Limit) -> str:
    names = ", ".join(f"`{name}=`" for name in limit.arguments)
    what = f"{limit.what}: {names}" if names else limit.what
    return f"| {limit.place} | {what} | {limit.why} | {limit.instead} |"


def test_the_guide_lists_every_limit_and_no_other() -> None:
    section = GUIDE.read_text().split("## What is not there\n")[1].split("\n## ")[0]
    listed = [line for line in section.splitlines() if line.startswith("| ")][1:]
    assert listed == [row(limit) for limit in LIMITS.values()]


def test_every_limit_is_one_that_is_refused() -> None:
    sources = [*(ROOT / "core").rglob("*.py"), *(ROOT / "gui").rglob("*.py")]
    uses = [path.read_text() for path in sources if path.name != "limits.py"]
    for name, limit in LIMITS.items():
        assert limit.arguments or any(f'"{name}"' in text for text in uses), name


def test_arguments_that_are_refused_are_arguments() -> None:
    requests = {
        "evaluate": EvaluateRequest,
        "decide": DecideRequest,
        "uplift": UpliftRequest,
    }
    for limit in LIMITS.values():
        request = requests.get(limit.place.split(",")[0])
        known = set(request.__dataclass_fields__) if request is not None else set()
        assert set(limit.arguments) <= known, limit.what
