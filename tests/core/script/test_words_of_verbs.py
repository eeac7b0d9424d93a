"""What verbs say of arguments names their own options, not arguments of functions."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from core.script.command_line.answering import answered, tell
from core.script.command_line.arguments import verb_parser
from core.script.command_line.program import run_program
from payoff.errors import PayoffError
from tests.helpers.factories.files import write_workbook

EVALUATE = ["evaluate", "cases.csv", "--outcome", "y", "--score", "p"]


def _said(capsys, text: str, given: list[str]) -> str:
    """What the verb says where its work tells a text."""

    def work() -> dict[str, object]:
        tell(text)
        return {"warnings": [text], "figures": [{"note": text, "file": text}]}

    parsed = verb_parser().parse_args(given)
    assert answered(work, parsed) == 0
    captured = capsys.readouterr()
    said = captured.err.removeprefix("payoff: ").rstrip("\n")
    assert captured.out.count(said) == (2 if said != text else 3)
    return said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Say seconds= for more.", "Say --seconds for more."),
        ("Give scores='p_gbm'.", "Give --score p_gbm."),
        ("Leave metrics= out.", "Leave --metric out."),
        ("Take missing_outcomes='leave_out'.", "Take --missing-outcomes leave_out."),
        ("Give the shares: priors={level: share}.", "Give the shares: --priors LEVEL=SHARE."),
        ("Or a sheet (sheet=...).", "Or a sheet (--read sheet=...)."),
        ("decimal=, is read", "--read decimal=, is read"),
        ("--read sheet=Spring is one.", "--read sheet=Spring is one."),
        ("wrote parts/seconds=3/cases.csv", "wrote parts/seconds=3/cases.csv"),
        ("There is no nonsense=3.", "There is no nonsense=3."),
    ],
)
def test_arguments_of_functions_are_said_as_options(capsys, text, said):
    given = ["decide", "cases.csv"] if "priors" in text else EVALUATE
    assert _said(capsys, text, given) == said


def test_a_verb_without_the_option_says_what_it_was_told(capsys):
    assert _said(capsys, "Say seconds= for more.", ["plugins"]) == "Say seconds= for more."


def test_refusals_name_options_and_leave_places_as_they_are(capsys):
    def refuse() -> dict[str, object]:
        raise PayoffError(
            "No column.", where="weight=w, line 3", why="rows= says so.", remedy="Give task='x'."
        )

    assert answered(refuse, verb_parser().parse_args(EVALUATE)) == 2
    said = capsys.readouterr().err
    assert said == "payoff: No column. (--weight w, line 3) rows= says so. Give --task x.\n"

    def refuse_place() -> dict[str, object]:
        raise PayoffError("No column.", where="data/weight=3, line 3")

    assert answered(refuse_place, verb_parser().parse_args(EVALUATE)) == 2
    assert "(data/weight=3, line 3)" in capsys.readouterr().err


def _run(*given: object) -> int:
    def no_window(_parsed: argparse.Namespace) -> int:
        raise AssertionError

    return run_program(no_window, [str(word) for word in given])


def test_real_refusals_of_verbs(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    rows = [["y", "p", "t"], *([k % 2, k / 40, k % 3 % 2] for k in range(40))]
    book = write_workbook(tmp_path / "two.xlsx", {"Spring": rows, "Autumn": rows})
    assert _run("evaluate", book, "--outcome", "y", "--score", "p") == 2
    assert "(elsewhere --read sheet=...)" in capsys.readouterr().err
    cases = tmp_path / "cases.csv"
    cases.write_text("\n".join(",".join(map(str, row)) for row in rows))
    ask = ("uplift", cases, "--outcome", "y", "--treatment", "t", "--score", "p")
    assert _run(*ask, "--propensity", "estimate") == 2
    assert "Give --covariate COLUMN, or a column of propensities." in capsys.readouterr().err
    assert _run("evaluate", cases, "--outcome", "y", "--score", "p", "--metric", "rmse") == 2
    assert "metrics=" not in capsys.readouterr().err
