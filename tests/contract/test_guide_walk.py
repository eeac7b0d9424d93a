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
GUIDE = (ROOT / "docs/plugin-guide.md").read_text("utf-8")
TRUE_CURVATURE = """\
@payoff.kernel(shape="elementwise")
def negative_gradient(outcome, score, parameters, gradient, curvature, start, stop):
    for i in range(start, stop):
        miss = outcome[i] - score[0, i]
        share = min(1.0, abs(miss) / parameters[0])
        gradient[0, i] = miss * (1 - share**2) ** 2
        curvature[0, i] = (1 - share**2) * (1 - 5 * share**2)"""


def kernel_of(text: str, name: str) -> str:
    """The source of one kernel in a module."""
    found = re.search(
        rf'@payoff\.kernel\(shape="\w+"\)\ndef {name}\(.*?(?=\n\n\n)', text, re.DOTALL
    )
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
    text = place.read_text("utf-8").replace('name="width"', 'name="limit"')
    text = text.replace("default=1.0", "default=4.685")

    def change(name: str, code: str) -> ConformanceSheet:
        nonlocal text
        text = text.replace(kernel_of(text, name), code)
        place.write_text(text.replace("import identity_", "import weighted_median, identity_"))
        return check_plugin_files(folder, kernels=False)

    return change


def test_a_loss_from_the_template_step_by_step(sheet_of):
    failed = {item.check for item in sheet_of("loss", kernel_of(EXAMPLE, "loss")).failures}
    assert failed == set(re.findall(r'"([A-Z][^"]+)"', step(2)))
    failed = {item.check for item in sheet_of("negative_gradient", TRUE_CURVATURE).failures}
    assert "Curvature is never negative" in failed
    assert "Curvature is never negative" in step(3)
    trust, slope = kernel_of(EXAMPLE, "trust"), kernel_of(EXAMPLE, "negative_gradient")
    failed = {
        item.check for item in sheet_of("negative_gradient", f"{trust}\n\n\n{slope}").failures
    }
    assert failed == {"Initial score is the best constant", "Offsets are honoured"}
    sheet = sheet_of("initial_score", kernel_of(EXAMPLE, "initial_score"))
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
