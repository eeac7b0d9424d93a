"""A file of points in the real window: ranks first, then chances, then the next list."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.data.samples import sample_document, write_sample
from core.document.commands import SetReferenceModel
from core.document.decisions.commands import SetMatrix, SetPriors
from core.document.model import CalibrationMethod, Role
from tests.helpers.program import Program

pytestmark = pytest.mark.timeout(240)  # real window and engine; a cold machine compiles first


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Customers with the agency's score in points, and a thousand of them without outcome."""
    folder = tmp_path_factory.mktemp("points")
    frame = pd.read_csv(write_sample(str(folder)))
    odds = frame["p_agency"] / (1 - frame["p_agency"])
    frame["score_points"] = np.round(600 - 20 * np.log2(odds.clip(1e-4, 1e4)), 1)
    frame = frame.drop(columns=["p_gbm2", "p_logit", "p_agency"])
    scored, new = folder / "scored.csv", folder / "next.csv"
    frame.to_csv(scored, index=False)
    frame.head(1000).drop(columns=["responded", "amount"]).to_csv(new, index=False)
    return scored, new


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    made = Program(tmp_path_factory.mktemp("home"))
    try:
        yield made
    finally:
        made.close()


@pytest.mark.soak
def test_points_go_all_the_way_to_expected_money(
    program: Program, files: tuple[Path, Path], tmp_path: Path
) -> None:
    scored, new = files
    space = program.session
    space.files.open_data(str(scored))
    program.wait(lambda: space.project.summary is not None)
    role = space.project.document.role_of("score_points")
    assert role is not None
    assert role.role is Role.SCORE
    assert role.is_reversed  # guessed from the outcomes: high points are unlikely to respond
    mailing = sample_document(str(scored))
    assert mailing.matrix is not None
    space.project.execute(SetMatrix(matrix=mailing.matrix))
    space.project.execute(SetPriors(priors=mailing.priors))
    space.project.execute(SetReferenceModel(model=role.model or ""))
    program.settle()
    assert space.results.decisions is not None
    ranks = space.results.decisions.models[0]
    assert not ranks.has_probabilities
    assert np.isfinite(ranks.best_profit)
    program.window.show_page("decide")
    page = program.window.pages["decide"]
    program.settle()
    assert "no rule" in page.meaning.rule.text()

    dialog = page.open_probabilities()
    program.wait(lambda: dialog.result_shown is not None)
    dialog.accept()
    program.settle()
    model = space.project.document.model(role.model or "")
    assert model is not None
    assert model.calibration is not None
    assert model.calibration.method is CalibrationMethod.LOGISTIC
    fitted = space.results.decisions.models[0]
    assert fitted.has_probabilities
    assert fitted.expected_total == pytest.approx(fitted.total.value, rel=0.15)
    assert "above" in page.meaning.rule.text()

    saved = str(tmp_path / "points.payoff")
    assert space.files.save_project(saved)
    assert space.files.open_project(saved)
    program.wait(lambda: space.project.summary is not None and space.results.decisions is not None)
    assert space.project.document.model(model.name) == model
    program.settle()

    apply = page.open_apply()
    apply.expect()
    program.wait(lambda: len(apply.checks.texts) > 2)
    assert apply.checks.texts[0].startswith("Expected total profit of 10,000")
    apply.path.setText(str(new))
    apply.look()
    program.wait(lambda: apply.applied is not None)
    assert apply.applied is not None
    assert apply.applied.shift is not None
    assert apply.applied.shift.score_verdict == "stable"
    assert apply.save_button.isEnabled()
    apply.reject()
