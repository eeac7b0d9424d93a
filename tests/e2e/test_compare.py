"""Page Compare in the real window: every chart, the studies, and a metric saved while it runs."""

from __future__ import annotations

import numpy as np
import pytest

from core.document.compare.chart_kinds import kinds_of
from core.document.compare.commands import SetCharts
from core.settings import plugin_folder
from gui.pages.compare.dialogs.selection_dialog import SelectionDialog
from tests.contract.own_curve import CODE as CURVE
from tests.contract.own_curve import NAME as CURVE_NAME
from tests.contract.own_metric import CODE, NAME
from tests.e2e.compare import rows_of
from tests.helpers.forms import choose_data
from tests.helpers.program import Program

OWN_ENGINE = True  # for plugins, or one that ends
pytestmark = pytest.mark.timeout(300)  # real window and engine; a cold machine compiles first


@pytest.fixture(scope="module")
def home(program: Program, sample) -> Program:
    assert program.session.files.open_project(str(sample))
    program.wait(lambda: program.session.project.summary is not None)
    program.window.show_page("compare")
    program.settle()
    return program


def page(home):
    return home.window.pages["compare"]


def test_every_chart_is_drawn_and_follows_the_cursor(home: Program) -> None:
    kinds = tuple(entry.kind for entry in kinds_of("binary"))
    home.session.project.execute(SetCharts(charts=kinds))
    home.settle()
    for chart in page(home).grid.charts():
        assert chart.view.spec is not None, page(home).grid.kind_of(chart)
        assert chart.view.spec.definition
    home.session.results.move_cursor(0.3, finished=True)
    home.settle()
    places = {page(home).grid.kind_of(c): c.view.state.x for c in page(home).grid.charts()}
    assert {places[kind] for kind in ("gains", "lift", "response", "ks", "roi", "profit")} == {0.3}
    assert places["lorenz"] == pytest.approx(0.7)
    assert places["threshold"] == pytest.approx(places["calibration"], rel=1e-3)
    home.session.project.undo()
    home.session.project.execute(SetCharts(charts=()))
    home.settle()
    assert not home.messages


def test_the_studies_answer(home: Program) -> None:
    studies = page(home).studies
    dialog = studies.by_group()
    home.settle()
    names = [row[0] for row in rows_of(dialog)]
    assert names[-1] == "all"
    assert len(names) > 2
    choose_data(dialog.form.editor("metric"), "total_profit")
    totals = [float(row[3].split("  ")[0].replace(",", "")) for row in rows_of(dialog)]
    assert sum(totals[:-1]) == pytest.approx(totals[-1], abs=len(totals))
    assert dialog.panel.charts[0].view.spec.series
    dialog.close()
    dialog = studies.choose_model()
    assert "gbm 2 is ahead of logit" in dialog.panel.sentences[0].text()
    choose_data(dialog.form.editor("metric"), "total_profit")
    home.settle()
    assert rows_of(dialog)[0][0] == "gbm 2"
    dialog.close()
    dialog = studies.compare_populations()
    home.settle()
    assert dialog.panel.sentences[0].text() == "Nothing has shifted."
    dialog.close()
    dialog = studies.compare_rows()
    home.settle()
    assert {row[1] for row in rows_of(dialog)} == {"gbm 2", "logit", "agency"}
    dialog.close()
    dialog = studies.compare_definitions()
    choose_data(dialog.form.editor("convention"), "sas_em")
    home.settle()
    assert any("bin-based" in row[3].lower() for row in rows_of(dialog))
    gains = page(home).grid.evaluation_charts[1].view.spec
    assert gains.subtitle == "cumulative % captured response"
    assert len(gains.series[0].x) == 21
    dialog.close()
    home.session.project.undo()
    home.settle()
    assert not [m for m in home.messages if "inside Payoff" in str(m)]


def test_the_palette_opens_a_study(home: Program) -> None:
    home.window.show_page("home")
    home.window.actions_by_key["choose_model"].trigger()
    assert home.window.stack.currentWidget() is page(home)
    (dialog,) = page(home).findChildren(SelectionDialog)
    assert "gbm 2 is ahead" in dialog.panel.sentences[0].text()
    dialog.close()


@pytest.mark.soak
def test_a_metric_saved_in_the_plugin_folder_stands_in_the_table(home: Program) -> None:
    """What the plugin guide promises, in the running window."""
    session = home.session
    columns = len(page(home).table.metrics.columns())
    (plugin_folder() / NAME).write_text(CODE, "utf-8")

    def cells():
        evaluation = session.results.evaluation
        found = evaluation.cells if evaluation is not None else ()
        return [cell for cell in found if cell.metric == "tjur_r2"]

    home.wait(lambda: bool(cells()), 120)
    home.settle()
    for cell in cells():
        assert np.isfinite([cell.estimate.low, cell.estimate.high]).all()
    assert len(page(home).table.metrics.columns()) == columns + 1
    pairs = [p for p in session.results.evaluation.comparisons if p.metric == "tjur_r2"]
    assert {pair.resamples for pair in pairs} == {200}
    assert any("New in the metric table: Tjur's R²" in str(m) for m in home.messages)
    before = cells()[0].estimate.value
    changed = CODE.replace("perfect_value=1.0", "perfect_value=0.5")
    changed = changed.replace("return of_events", "return 0.5 * (of_events").rstrip() + ")\n"
    (plugin_folder() / NAME).write_text(changed, "utf-8")
    home.wait(lambda: bool(cells()) and cells()[0].estimate.value != before, 120)
    home.settle()
    assert cells()[0].estimate.value == pytest.approx(0.5 * before)
    posted = len(home.messages)
    (plugin_folder() / NAME).write_text(CODE + "\nraise RuntimeError('spoilt')\n", "utf-8")
    home.wait(lambda: any("spoilt" in str(m) for m in home.messages[posted:]), 120)
    session.project.undo()
    home.settle()
    assert len(page(home).table.metrics.columns()) == columns


@pytest.mark.soak  # the suite has its bands in contract/test_own_curve
def test_a_curve_saved_in_the_plugin_folder_stands_in_the_grid(home: Program) -> None:
    """The guide's curve: a chart with bands and grey line on the shared cursor."""
    session, grid = home.session, page(home).grid
    (plugin_folder() / CURVE_NAME).write_text(CURVE, "utf-8")
    home.wait(lambda: "false_omission" in grid.kinds, 120)
    home.wait(
        lambda: any(
            chart.kind == "false_omission" and chart.curves[0].low is not None
            for chart in (session.results.evaluation.charts if session.results.evaluation else ())
        ),
        120,
    )
    home.settle()
    (card,) = [c for c in grid.charts() if grid.kind_of(c) == "false_omission"]
    spec = card.view.spec
    assert (spec.title, spec.subtitle) == (
        "How many events are passed over?",
        "false omission rate",
    )
    assert (spec.x_axis.label, spec.y_axis.label) == ("cases acted on", "events among the rest")
    assert [line.name for line in spec.baselines] == ["nobody left"]
    assert "Share of events among the cases that are not acted on" in spec.definition
    session.results.move_cursor(0.25, finished=True)
    home.settle()
    assert card.view.state.x == 0.25
    assert all(line.value for line in card.view.state.lines)
    dialog = page(home).charts.open_choice()
    words = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    assert "How many events are passed over?  (false omission rate)" in words
    dialog.close()
    (plugin_folder() / CURVE_NAME).unlink()
    home.settle()
