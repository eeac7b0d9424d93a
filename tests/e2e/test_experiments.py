"""Page Experiments with the real engine: made-up rows, a killed engine, and the real files."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.data import load
from core.document.experiments.files import load_experiment
from core.document.experiments.spec import ExperimentSpec
from core.document.model import Document
from core.engine.local import LocalEngine
from core.engine.options import EngineOptions
from core.extensions.authoring import new_plugin
from core.questions.experiments import RunExperiment
from core.settings import plugin_folder
from gui.pages.experiments.part_fields import PARAMETER
from main import main
from tests.helpers.factories.systems import run_experiment
from tests.helpers.program import Program
from tests.helpers.shared_data import SHARED

OWN_ENGINE = True  # for plugins, or one that ends
pytestmark = pytest.mark.timeout(280)  # real window and engine; a cold machine compiles first

AKI = SHARED / "aki_alert_elaia1" / "elaia1.csv"
ADS = SHARED / "kag_ads" / "KAG_conversion_data.csv"


@pytest.fixture(scope="module")
def page(program: Program):
    program.window.show_page("experiments")
    return program.window.pages["experiments"]


@pytest.fixture(scope="module")
def presenter(page):
    return page.presenter


def run_to_the_end(program: Program, presenter, spec: ExperimentSpec) -> None:
    presenter.take(spec)
    presenter.run()
    program.wait(lambda: not presenter.is_running, 240)
    assert presenter.result is not None
    assert presenter.result.spec == spec
    assert presenter.result.is_whole, program.messages


@pytest.mark.parametrize("protocol", ["sepsis", "stock_timing"])
def test_generated_rows(program: Program, page, presenter, protocol: str, tmp_path: Path) -> None:
    rows = 300 if protocol == "sepsis" else 30
    spec = ExperimentSpec(
        protocol=protocol, synthetic_rows=rows, systems=2, splits=2, learners=("linear",)
    )
    run_to_the_end(program, presenter, spec)
    assert page.results.histograms["arctan"].view.spec.bars[0].y.sum() == presenter.result.done // 3
    presenter.export(str(tmp_path / "mine"))
    again = load_experiment(str(tmp_path / "mine.experiment.json"))
    headless = run_experiment(spec, load)
    assert np.array_equal(again.runs.error, headless.runs.error)
    if protocol == "stock_timing":
        assert page.results.verdict.full_text() == "Bound not valid: one time block."


@pytest.mark.timeout(600)  # the second engine starts, on a machine that compiles first
def test_a_third_partys_system_and_further_trees(program: Program, page, presenter) -> None:
    """A plugin from the template, dropped into the folder, is chosen from the list and runs."""
    folder = new_plugin("system", "Near end", plugin_folder())
    parts = page.parts
    presenter.take(ExperimentSpec(protocol="sepsis", synthetic_rows=200, systems=1, splits=2))
    program.session.plugins.load(check_again=True)
    program.wait(lambda: parts.system.findData("near_end") >= 0, 250)
    assert parts.system.itemText(parts.system.findData("near_end")) == "Near end (Near end)"
    parts.system.setCurrentIndex(parts.system.findData("near_end"))
    parts.system.activated.emit(parts.system.currentIndex())
    parts.drawing.editor(PARAMETER + "steepness").choose(2.0)
    more = parts.learning.more
    more.setCurrentIndex(more.findData("boosting:huber"))
    more.activated.emit(more.currentIndex())
    spec = presenter.spec
    assert (spec.system, spec.system_parameters) == ("near_end", (("steepness", 2.0),))
    assert spec.learners == ("logistic", "boosting:huber")
    spec = replace(spec, learners=("linear",))  # trees are run in tests of the engine
    run_to_the_end(program, presenter, spec)
    options = EngineOptions(plugin_folder=str(folder.parent))
    headless = LocalEngine(options).ask(Document(experiment=spec), RunExperiment())
    assert np.array_equal(presenter.result.runs.error, headless.runs.error)


@pytest.mark.soak
def test_an_engine_killed_in_the_middle_costs_a_run(program: Program, page, presenter) -> None:
    spec = ExperimentSpec(protocol="sepsis", synthetic_rows=400, systems=40, splits=20)
    presenter.take(spec)
    presenter.run()
    program.wait(
        lambda: (
            presenter.result is not None
            and presenter.result.spec == spec
            and presenter.result.done > 30
        )
    )
    before = presenter.result.done
    os.kill(program.jobs._engine.engine_pids["main"], signal.SIGKILL)
    program.wait(lambda: not presenter.is_running, 100)
    assert any("Run goes on from there" in str(entry) for entry in program.messages)
    assert page.parts.run.text() == "Go on"
    presenter.run()
    seen = []
    program.wait(lambda: bool(seen.append(presenter.result.done)) or not presenter.is_running, 200)
    assert presenter.result.is_whole
    assert min(seen) >= before
    headless = run_experiment(spec, load)
    assert np.array_equal(presenter.result.runs.error, headless.runs.error)
    assert np.array_equal(presenter.result.runs.bound, headless.runs.bound)


def test_stop_keeps_what_has_run(program: Program, page, presenter) -> None:
    spec = ExperimentSpec(protocol="sepsis", synthetic_rows=500, systems=50, splits=20)
    presenter.take(spec)
    presenter.run()
    program.wait(lambda: presenter.result.spec == spec and presenter.result.done > 5)
    presenter.stop()
    program.wait(lambda: not presenter.is_running, 30)
    assert 5 < presenter.result.done < presenter.result.wanted
    assert page.results.state.text().startswith("stopped at")


@pytest.mark.shared_data
@pytest.mark.soak
@pytest.mark.skipif(not AKI.exists(), reason="needs the AKI trial")
def test_aki_on_the_real_file(program: Program, page, presenter) -> None:
    spec = ExperimentSpec(path=str(AKI), systems=4, splits=3)
    run_to_the_end(program, presenter, spec)
    result = presenter.result
    assert (result.data.rows, result.data.conditions, result.data.parameters) == (6030, 50, 51)
    assert result.data.prevalence == pytest.approx(0.910945, abs=1e-6)
    assert set(result.runs.n_test.tolist()) == {1206}
    for group in result.groups:  # smoke limits of a trial run, not published figures
        assert 0.004 < group.mean < 0.014
        assert group.bound < group.probability == pytest.approx(0.0811, abs=1e-4)
    described = page.results.verdict.full_text()
    assert (
        described == "The bound of every run (each at 95 %) lies below the loss of no information."
    )
    heavy = ExperimentSpec(
        path=str(AKI), systems=4, splits=3, samplers=("arctan",), subject_form="theta"
    )
    run_to_the_end(program, presenter, heavy)
    assert 0.015 < presenter.result.groups[0].mean < 0.04  # Cauchy subjects cannot be scaled
    paper = ExperimentSpec(path=str(AKI), mode="paper", systems=1, splits=2)
    run_to_the_end(program, presenter, paper)
    assert any("max_stage" in text for text in presenter.result.data.warnings)
    run = presenter.result.runs
    assert np.all(run.bound - run.error == pytest.approx(0.035242, abs=1e-6))


@pytest.mark.shared_data
@pytest.mark.soak
@pytest.mark.skipif(not ADS.exists(), reason="needs the advertisements")
def test_advertisements_on_the_real_file(program: Program, presenter) -> None:
    spec = ExperimentSpec(
        protocol="ad_conversion", path=str(ADS), systems=2, splits=2, learners=("linear",)
    )
    run_to_the_end(program, presenter, spec)
    assert presenter.result.data.rows == 1143
    assert presenter.result.data.warnings == ()
    assert set(presenter.result.runs.n_test.tolist()) == {229}
    hoeffding = ExperimentSpec(
        protocol="ad_conversion",
        path=str(ADS),
        systems=1,
        splits=1,
        learners=("linear",),
        bound="hoeffding",
    )
    run_to_the_end(program, presenter, hoeffding)
    run = presenter.result.runs
    assert np.all(run.bound - run.error == pytest.approx(0.0809, abs=1e-4))


@pytest.mark.shared_data
@pytest.mark.soak
@pytest.mark.skipif(not AKI.exists() or not ADS.exists(), reason="needs both files")
def test_headless_on_the_real_files(tmp_path: Path, capsys) -> None:
    out = tmp_path / "aki"
    given = ["experiment", "aki_alert", "--data", str(AKI), "--systems", "1", "--splits", "2"]
    assert main([*given, "--out", str(out)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["runs"] == 6
    assert answer["groups"][0]["below_chance"] == 1.0
    assert load_experiment(answer["files"][0]).runs.count == 6
    given = ["experiment", "ad_conversion", "--data", str(ADS), "--systems", "1", "--splits", "1"]
    assert main([*given, "--learner", "linear"]) == 0
    assert json.loads(capsys.readouterr().out)["data"]["warnings"] == []
    fake = tmp_path / "fake.csv"
    lines = ADS.read_text("utf-8").splitlines()
    fake.write_text(
        "\n".join([f"Date,{lines[0]}", *(f"1/1/17,{line}" for line in lines[1:])]), "utf-8"
    )
    given[3] = str(fake)
    assert main([*given, "--learner", "linear"]) == 0
    assert "copies with invented columns" in capsys.readouterr().err
