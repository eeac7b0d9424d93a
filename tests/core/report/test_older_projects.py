"""Reports of projects of every older schema: opened, kept, answered again, written."""

from __future__ import annotations

import pytest

import main
from core.document.files.project import read_project
from core.document.model import SCHEMA_VERSION, CalibrationMap, CalibrationMethod
from core.presentation.report.keeping import entries_by_question, unpack_views
from tests.helpers.factories.older_projects import KEPT, OLDER, PROJECTS, copy_of


def test_there_is_a_project_of_every_older_schema_that_kept_reports():
    assert {int(path.stem[-1]) for path in PROJECTS.glob("*.payoff")} == set(OLDER)
    assert max(OLDER) + 1 == SCHEMA_VERSION, "a new schema: keep a project of the last one"


@pytest.mark.parametrize("schema", OLDER)
def test_entries_are_known_by_their_questions(schema, tmp_path):
    project = read_project(copy_of(schema, tmp_path))
    document = entries_by_question(project.document)
    assert tuple(item.kind for item in document.report) == KEPT.get(schema, ())
    views = {view.key: view for view in unpack_views(project.report)}
    if schema >= 5:
        assert set(views) == {"decide/total", "decide/capacity", "decide/swap"}
        assert views["decide/total"].figure == "€ 1,234"
        (chart,) = views["decide/capacity"].charts
        assert chart.series[0].y.tolist() == [0.0, 900.0, 700.0]
        assert views["decide/capacity"].notes == ("Of 400 letters.",)
        assert views["decide/swap"].tables[0].texts() == (("both", "120"), ("only gbm", "30"))
        item = next(item for item in document.report if item.kind == "decide/capacity")
        assert (item.caption, item.note) == ("Letters", "As many letters as we can send.")
    else:
        assert not views


def test_a_fitted_model_keeps_its_calibration(tmp_path):
    project = read_project(copy_of(7, tmp_path))
    fitted = project.document.models[-1].calibration
    assert fitted is not None
    assert fitted.method is CalibrationMethod.BANDS
    assert fitted.maps == (CalibrationMap(scores=(0.2, 0.4), probabilities=(0.125, 0.25, 0.5)),)
    assert all(model.calibration is None for model in project.document.models[:-1])


@pytest.mark.parametrize("schema", KEPT)
def test_a_run_makes_the_report_of_today(schema, tmp_path, monkeypatch):
    path = copy_of(schema, tmp_path)
    monkeypatch.chdir(tmp_path)  # where the data lie
    assert main.main(["run", str(path), "--report", str(tmp_path / "made")]) == 0
    page = (tmp_path / "made" / "report.html").read_text("utf-8")
    assert "the project keeps no figures" not in page
    assert "Kept since then." in page
    if schema >= 5:
        section = next(part for part in page.split("<section>") if "<h2>Letters" in part)
        assert "Of 400 letters." not in section  # asked again, of the data as they are
        assert "As many letters as we can send." in section
        assert "before the data or the settings were changed" in page  # the total of then
