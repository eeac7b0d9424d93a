"""Models trained in the real window: on real files, and on made-up times and ranked lists.

Each journey: open the file, choose target, inputs and distribution, train, see the curves, find the
model on page Compare (and Decide, where there are classes) and on page Explain.
"""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox

from core.document.commands import SetSplit
from core.document.data.model import RowUse
from core.document.decisions.commands import SetMatrix, SetPriors
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.model import OldPriorKind
from tests.helpers.factories.number_outcomes import ranking_columns, survival_columns
from tests.helpers.factories.scored import write_csv
from tests.helpers.program import Program
from tests.helpers.shared_data import SHARED

pytestmark = pytest.mark.timeout(480)  # the first training of a machine compiles


def click(button) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


class Journey:
    """One file in the window, from opening to explaining."""

    def __init__(self, program: Program, path: Path, name: str) -> None:
        self.program, self.name = program, name
        self.space, self.window = program.session, program.window
        self.space.project.history.mark_saved()
        dialog = self.window.files.import_file(str(path))
        program.wait(dialog._load.isEnabled)
        dialog.accept()
        program.wait(lambda: self._is_open(path))
        program.settle()
        self.window.show_page("models")
        self.page = self.window.pages["models"]

    def _is_open(self, path: Path) -> bool:
        data = self.space.project.document.data
        return (
            data is not None and data.path == str(path) and self.space.project.summary is not None
        )

    def wait_for_choices(self) -> None:
        self.program.wait(lambda: self.page.presenter.offered is not None)

    def target(self, column: str, reading: str = "") -> None:
        """Choose the outcome at the top of the page; ``reading``: as classes or as a number."""
        place = self.page.target.findText(column)
        assert place >= 0
        self.page.target.setCurrentIndex(place)
        self.page.target.activated.emit(place)
        if reading:
            self.page.show_step("target")
            click(self.page.target_panel.reading._buttons[reading])
        self.wait_for_choices()
        assert self.space.project.document.target.column == column

    def split(self, train: float, validation: float) -> None:
        shares = (train, validation, round(1 - train - validation, 6))
        document = self.space.project.document
        assert self.space.project.execute(SetSplit(split=replace(document.split, shares=shares)))
        self.wait_for_choices()

    def inputs(self, *without: str) -> None:
        """Untick some of the suggested inputs."""
        self.page.show_step("inputs")
        listed = self.page.inputs_panel.list
        for place in range(listed.count()):
            if listed.item(place).text().split("   ·   ")[0] in without:
                listed.item(place).setCheckState(Qt.CheckState.Unchecked)
        assert not set(without) & set(self.page.presenter.draft.features)

    def distribution(self, question: str, distribution: str) -> None:
        self.page.show_step("distribution")
        chooser = self.page.chooser
        click(chooser.questions._buttons[question])
        infos = [
            chooser.list.item(place).data(Qt.ItemDataRole.UserRole)
            for place in range(chooser.list.count())
        ]
        chooser.list.setCurrentRow([info.id for info in infos].index(distribution))
        assert self.page.presenter.draft.distribution == distribution

    def column(self, caption: str, column: str) -> None:
        self.page.show_step("settings")
        combos = self.page.settings_panel.findChildren(QComboBox)
        combo = next(box for box in combos if box.accessibleName() == caption)
        combo.setCurrentIndex(combo.findData(column))
        combo.activated.emit(combo.currentIndex())

    def train(self, trees: int, **settings: object) -> str:
        """Train and see the curves grow; returns the model's name."""
        page, program = self.page, self.program
        draft = page.presenter.draft
        page.presenter.take_draft(replace(draft, n_trees=trees, shrinkage=0.1, **settings))
        self.look("settings")
        assert page.inspector.train.isEnabled(), page.inspector.facts.text()
        seen: list[int] = []
        watch = self.space.trainings.curves_changed.connect(lambda _name: seen.append(1))
        click(page.inspector.train)
        (running,) = self.space.trainings.running
        name = running.name
        program.wait(lambda: not self.space.trainings.running, 300)
        self.space.trainings.curves_changed.disconnect(watch)
        assert self.space.project.document.trained_model(name) is not None, program.messages[-1:]
        program.settle()
        assert seen, "no curve was shown while it trained"
        curves = page.chart.learning
        assert curves.training[-1] < curves.training[0]
        self.look("trained")
        return name

    def figure(self, model: str, metric: str):
        """A cell of page Compare."""
        cells = self.space.results.evaluation.cells
        found = next(c.estimate for c in cells if (c.model, c.metric) == (model, metric))
        assert found.low <= found.value <= found.high
        return found

    def explain(self, model: str) -> None:
        """Curve, map and shuffling of page Explain."""
        self.window.show_page("explain")
        page = self.window.pages["explain"]
        page.show_model(model)
        self.program.wait(
            lambda: page.presenter.curve() is not None and page.pairs.view.spec is not None
        )
        card = page.influence
        click(card.measure._buttons["shuffling"])
        self.program.wait(lambda: bool(card.bars.bars) and bool(card.bars.bars[0].words))
        self.program.wait(lambda: " H " in page.pairs.second.itemText(0))
        self.look_at("explain")
        assert card.bars.bars[0].share == 1.0
        assert not card.bars.bars[0].words.startswith("\N{MINUS SIGN}")
        click(card.measure._buttons["gain"])
        self.program.settle()

    def look(self, stage: str) -> None:
        self.look_at("models", f"-{stage}")

    def look_at(self, key: str, stage: str = "") -> None:
        """Paint a page; a picture is kept where asked."""
        self.window.show_page(key)
        for _ in range(5):
            self.program.app.processEvents()
        self.program.picture(f"{self.name}-{key}{stage}")

    def end(self) -> None:
        for page in ("compare", "decide"):
            self.look_at(page)
        inside = [str(m) for m in self.program.messages if "inside Payoff" in str(m)]
        assert not inside


# ---------------------------------------------------------------- real data


@pytest.mark.shared_data
@pytest.mark.soak
def test_home_loans_with_gaps_and_levels(home: Program) -> None:
    trip = Journey(home, SHARED / "hmeq" / "hmeq.csv", "hmeq")
    trip.target("BAD")
    trip.split(0.6, 0.2)
    draft = trip.page.presenter.draft
    assert draft.train_rows == (RowUse.TRAIN,)
    assert {"REASON", "JOB", "DEBTINC"} <= set(draft.features)
    model = trip.train(150, monotone=(("DEBTINC", 1), ("CLAGE", -1)))
    assert trip.figure(model, "auc").value > 0.85
    decided = next(m for m in trip.space.results.decisions.models if m.model == model)
    assert decided.total.value > trip.space.results.decisions.act_on_all
    click(trip.page.inspector.train_on_button)
    home.wait(lambda: not trip.space.trainings.running, 300)
    home.settle()
    assert trip.space.project.document.trained_model(model).trees == 250
    trip.explain(model)
    page = trip.window.pages["explain"]
    page.presenter.choose("DEBTINC")
    home.wait(
        lambda: page.presenter.curve() is not None and page.presenter.curve().column == "DEBTINC"
    )
    curve = page.presenter.curve()
    assert (np.diff(curve.y[0]) >= -1e-12).all()  # only rising, as was asked
    assert curve.missing_share > 0.2
    trip.end()


@pytest.mark.shared_data
@pytest.mark.soak
def test_donors_with_the_share_of_real_life_and_the_profit_of_a_letter(home: Program) -> None:
    trip = Journey(home, SHARED / "pva97nk" / "pva97nk.csv", "pva")
    trip.target("TARGET_B")
    trip.inputs("TARGET_D")  # known only of those who gave
    model = trip.train(60, interaction_depth=3)  # in folds: the file has no training rows
    trained = trip.space.project.document.trained_model(model)
    assert trained.cv_folds == 5
    assert 0.58 < trip.figure(model, "auc").value < 0.70
    matrix = MatrixSpec(
        template="payoff.profit",
        kind=MatrixKind.PROFIT,
        levels=("1", "0"),
        decisions=("Solicit", "Leave"),
        cells=((15.14, 0.0), (-0.68, 0.0)),
        acting="Solicit",
        do_nothing="Leave",
    )
    assert trip.space.project.execute(SetMatrix(matrix=matrix))
    assert trip.space.project.execute(SetPriors(priors=(("1", 0.05), ("0", 0.95))))
    home.settle()
    spec = trip.space.project.document.model(model)
    assert spec.old_priors.kind is OldPriorKind.TRAINED_AT
    assert dict(spec.old_priors.shares)["1"] == pytest.approx(0.5, abs=0.01)
    result = trip.space.results.decisions
    decided = next(m for m in result.models if m.model == model)
    assert decided.mean_probability_before[0] > 0.4
    assert decided.mean_probability_after[0] == pytest.approx(0.05, abs=0.01)
    assert decided.total.value > result.act_on_all
    trip.explain(model)
    trip.end()


def written_lists(path: Path) -> Path:
    """The LibSVM text of the example as one file: grade, query, use and the fuller columns."""
    rows, query, use, first = [], [], [], 0
    for part, name in (("train", "train"), ("test", "validation")):
        lines = (SHARED / "lambdarank" / f"rank.{part}").read_text().splitlines()
        sizes = (SHARED / "lambdarank" / f"rank.{part}.query").read_text().split()
        rows += [line.split() for line in lines]
        query += [first + k for k, size in enumerate(sizes) for _ in range(int(size))]
        use += [name] * len(lines)
        first += len(sizes)
    cells = [dict(pair.split(":") for pair in row[1:]) for row in rows]
    count: dict[str, int] = {}
    for row in cells:
        for key in row:
            count[key] = count.get(key, 0) + 1
    columns = sorted((key for key, n in count.items() if n > 0.2 * len(rows)), key=int)
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["grade", "query", "use", *(f"f{key}" for key in columns)])
        for row, cell, number, kind in zip(rows, cells, query, use, strict=True):
            values = (cell.get(key, "0") for key in columns)
            out.writerow([row[0], number, kind, *values])
    return path


@pytest.mark.shared_data
@pytest.mark.soak
def test_search_results_in_lists(home: Program, tmp_path: Path) -> None:
    trip = Journey(home, written_lists(tmp_path / "lists.csv"), "lambdarank")
    trip.target("grade", "number")
    trip.distribution("order", "pairwise")
    assert trip.page.presenter.draft.group == "query"  # its name tells
    assert "query" not in trip.page.presenter.draft.features
    assert "use" not in trip.page.presenter.draft.features
    model = trip.train(60, watch="ndcg")
    found = trip.figure(model, "ndcg")
    shuffled = _probability_ndcg(tmp_path / "lists.csv")
    assert found.value > shuffled + 0.05
    assert found.low > shuffled
    trip.explain(model)
    trip.end()


def _probability_ndcg(path: Path) -> float:
    """Mean nDCG of lists in random order."""
    from sklearn.metrics import ndcg_score

    table = np.genfromtxt(path, delimiter=",", names=True, usecols=(0, 1), dtype=float)
    random = np.random.default_rng(1)
    each = []
    for query in np.unique(table["query"]):
        grade = table["grade"][table["query"] == query]
        if grade.max() > 0:
            each.append(ndcg_score([grade], [random.random(len(grade))]))
    return float(np.mean(each))


@pytest.mark.shared_data
@pytest.mark.soak
def test_conversions_are_counted(home: Program) -> None:
    trip = Journey(home, SHARED / "kag_ads" / "KAG_conversion_data.csv", "ads")
    trip.target("Total_Conversion")
    if trip.space.project.document.target.levels:
        trip.target("Total_Conversion", "number")
    trip.split(0.6, 0.2)
    trip.inputs("Approved_Conversion", "ad_id", "fb_campaign_id")
    trip.distribution("count", "poisson")
    model = trip.train(80)
    assert trip.figure(model, "rmse").value < 0.9 * _counts(trip).std()
    assert trip.figure(model, "poisson_deviance").value > 0
    judged = trip.page.chart.learning.validation
    assert np.nanmin(judged) < judged[0] - 0.5
    trip.explain(model)
    trip.end()


def _counts(trip: Journey) -> np.ndarray:
    """The outcome over the whole file."""
    path = trip.space.project.document.data.path
    return np.genfromtxt(path, delimiter=",", names=True)["Total_Conversion"]


# ---------------------------------------------------------------- made-up data


def test_times_until_an_event(home: Program, tmp_path: Path) -> None:
    path = Path(write_csv(tmp_path / "times.csv", survival_columns()))
    trip = Journey(home, path, "survival")
    trip.target("days")
    trip.distribution("time", "coxph")
    assert trip.page.presenter.draft.event == "died"  # its name tells
    trip.column("Watched from", "since")
    trip.column("Compared within", "clinic")
    draft = trip.page.presenter.draft
    assert (draft.entry, draft.strata) == ("since", "clinic")
    assert set(draft.features) == {"age", "smoker", "noise"}
    model = trip.train(60, watch="concordance")
    assert trip.figure(model, "concordance").value > 0.62
    rows = trip.page.models.rows()
    assert rows[0].value
    trip.explain(model)
    trip.end()


def test_ranked_lists(home: Program, tmp_path: Path) -> None:
    path = Path(write_csv(tmp_path / "lists.csv", ranking_columns()))
    trip = Journey(home, path, "ranking")
    trip.target("grade", "number")
    trip.distribution("order", "pairwise")
    trip.column("Lists", "query")
    model = trip.train(40)
    assert trip.figure(model, "ndcg").value > 0.85
    assert trip.figure(model, "ordered_pairs").value > 0.75
    trip.explain(model)
    trip.end()
