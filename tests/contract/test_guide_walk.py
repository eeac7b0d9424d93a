"""The worked examples of the guide, step by step: the sheet says at each what the guide says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.extensions import check_plugin_files
from core.extensions.authoring import new_plugin
from payoff.testing.results import ConformanceSheet

ROOT = Path(__file__).parents[2]
EXAMPLE = (ROOT / "resources/examples/tukey_biweight/biweight.py").read_text("utf-8")
IMPORTED = "from payoff.numeric import weighted_median"
GUIDE = (ROOT / "docs/plugin-guide.md").read_text("utf-8")
TRUE_CURVATURE = """\
    def step(y, f, limit):
        share = min(1.0, abs(y - f) / limit)
        return (y - f) * (1 - share**2) ** 2, (1 - share**2) * (1 - 5 * share**2)
"""


def part_of(text: str, name: str) -> str:
    """The source of one function of the class of formulas in a module."""
    found = re.search(rf"    def {name}\(.*?(?=\n\n)", text, re.DOTALL)
    assert found is not None, name
    return found.group(0) + "\n"


def helper_of(text: str, name: str) -> str:
    """The source of one helper in a module."""
    found = re.search(rf'@payoff\.kernel\(shape="helper"\)\ndef {name}\(.*?\n\n\n', text, re.DOTALL)
    assert found is not None, name
    return found.group(0)


def step(number: int) -> str:
    """The guide's words on one step of the first example."""
    steps = GUIDE.split("### A loss: Tukey's biweight")[1].split("###")[0]
    return steps.split(f"\n{number}. ")[1].split(f"\n{number + 1}. ")[0]


@pytest.fixture
def sheet_of(tmp_path):
    folder = new_plugin("distribution", "Tukey biweight", tmp_path)
    place = folder / "loss.py"
    text = (
        place.read_text("utf-8").replace("width", "limit").replace("default=1.0", "default=4.685")
    )

    def change(name: str, code: str, before: str = "") -> ConformanceSheet:
        nonlocal text
        text = text.replace(part_of(text, name), code)
        text = text.replace("@payoff.loss(", before + "@payoff.loss(")
        place.write_text(
            text.replace("import payoff\n", f"import payoff\n{IMPORTED}\n", 1), "utf-8"
        )
        return check_plugin_files(folder, kernels=False)

    return change


def test_a_loss_from_the_template_step_by_step(sheet_of):
    failed = {item.check for item in sheet_of("loss", part_of(EXAMPLE, "loss")).failures}
    assert failed == set(re.findall(r'"([A-Z][^"]+)"', step(2)))
    failed = {item.check for item in sheet_of("step", TRUE_CURVATURE).failures}
    assert failed == {"Curvature is never negative"}
    assert "Curvature is never negative" in step(3)
    sheet = sheet_of("step", part_of(EXAMPLE, "step"), helper_of(EXAMPLE, "trust"))
    assert sheet.passed, f"\n{sheet}"
    start = "    start = payoff.best_shift(nearest_centre)\n"
    assert start in EXAMPLE
    assert start.strip() in step(4)
    whole = f"{start}\n{part_of(EXAMPLE, 'step')}"
    sheet = sheet_of("step", whole, helper_of(EXAMPLE, "nearest_centre"))
    assert sheet.passed, f"\n{sheet}"
    assert f"{len(sheet.results) + 3} of {len(sheet.results) + 3} checks" in step(5)


def test_what_is_raised_names_the_line_of_the_author_s_file(tmp_path):
    folder = new_plugin("metric", "Credit loss", tmp_path)
    text = (folder / "metric.py").read_text("utf-8").replace("parameters[0]", "parameters[1]")
    (folder / "metric.py").write_text(text, "utf-8")
    line = text[: text.index("parameters[1]")].count("\n") + 1
    assert {item.found.rpartition(" (")[2] for item in check_plugin_files(folder).failures} == {
        f"metric.py, line {line})"
    }


def test_words_of_two_classes_do_not_fit_six_knots(tmp_path):
    folder = new_plugin("matrix", "Blood bank", tmp_path)
    text = (folder / "matrix.py").read_text("utf-8")
    knots = "is_interval=True,\n    knots=(0.0, 10.0, 20.0),\n    is_linear=False"
    (folder / "matrix.py").write_text(text.replace("is_linear=False", knots), "utf-8")
    (failure,) = check_plugin_files(folder).failures
    assert (failure.check, failure.found) == ("Words are there", "2 level words instead of 3")
