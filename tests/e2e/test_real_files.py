"""Every shared data set in the window, as it is and as other programs save it: the same table.

Each file goes the way of a person: preview, Load, page Data and, where it has an outcome of two
classes, a model's chances beside it and the page Compare. In the suite a copy has the first rows;
the soak saves all rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from core.document.commands import SetRowsUsed
from core.document.data.model import RowUse
from core.document.data.results import TableSummary
from core.document.decisions.starting_matrix import assumed_lending
from core.document.model import Role
from tests.e2e.opening import dialog_of, load
from tests.helpers.factories.files import frame_rows, write_stat, write_workbook
from tests.helpers.factories.sas_files import can_write_sas
from tests.helpers.forms import choose_data
from tests.helpers.program import Program
from tests.helpers.shared_data import SHARED

pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.timeout(300),  # real window and engine; a cold machine compiles first
]
ENDINGS = ("xlsx", "xpt", "sav", "dta", *(("sas7bdat",) if can_write_sas() else ()))
FEW = 400  # rows of a copy in the suite
# One file for each format that another program saves; the others in the long run.
IN_SUITE = {
    *("KAG_conversion_data.csv", "lalonde.csv", "german.data"),
    *("ihdp_npci_1.csv", "ihdp_npci_2.csv"),
}
MISSING = ("", "NA", "NaN", "nan")


@dataclass(frozen=True)
class RealFile:
    """What is known of a file from its page of description."""

    path: str
    rows: int
    columns: int
    outcome: str = ""  # of two classes
    event: str = "1"
    reader: str = "delimited"


FILES = (
    RealFile("hmeq/hmeq.csv", 5960, 13, "BAD"),
    RealFile("hillstrom/hillstrom.csv", 64_000, 12, "visit"),
    RealFile("pva97nk/pva97nk.csv", 9686, 28, "TARGET_B"),
    RealFile("lalonde/lalonde.csv", 445, 9),
    RealFile("german_credit/german.data", 1000, 21, "column_21", "2"),
    RealFile("kag_ads/KAG_conversion_data.csv", 1143, 11),
    RealFile("ihdp/ihdp_npci_1.csv", 747, 30),
    RealFile("ihdp/ihdp_npci_2.csv", 747, 30),
    RealFile("ihdp/ihdp_npci_3.csv", 747, 30),
    RealFile("starbucks_promo/Test.csv", 41_650, 10, "purchase"),
    RealFile("starbucks_promo/training.csv", 84_534, 10, "purchase"),
    RealFile("aki_alert_elaia1/elaia1.csv", 6030, 92, "composite_outcome"),
    RealFile("aki_alert_elaia2/elaia2.csv", 5060, 82, "composite_outcome"),
    RealFile("lambdarank/rank.train", 3005, 302, reader="libsvm"),
    RealFile("lambdarank/rank.test", 768, 302, reader="libsvm"),
)


def by_path(file: RealFile) -> str:
    return Path(file.path).name


def open_original(home: Program, file: RealFile) -> TableSummary:
    """Open a file as it came; what is not certain is answered as the program proposes."""
    source = SHARED / file.path
    if not source.is_file():
        pytest.skip("this file is not here")
    dialog = dialog_of(home, source)
    if file.reader == "libsvm" and dialog.reader().format != "libsvm":  # unless remembered
        kind, seen = dialog._settings.form.editor("format"), dialog._preview
        choose_data(kind, "libsvm")
        home.wait(lambda: dialog._preview is not seen)
    answer(dialog)
    load(home, dialog)
    summary = home.session.project.summary
    assert (summary.data.rows, len(summary.data.columns)) == (file.rows, file.columns)
    assert home.window.current_page == landing(home)
    home.picture(f"real-{source.name}")
    if file.reader == "libsvm":
        assert home.session.project.document.role_of("query").role is Role.GROUP
    return summary


def answer(dialog) -> None:
    """Choose what the program proposes where it asks."""
    for key in ("delimiter", "decimal", "date_order"):
        combo = dialog._settings.form.editor(key)
        if combo.itemText(0) == "Please choose…":
            choose_data(combo, getattr(dialog.reader(), key) or "text")


def cells_of(file: RealFile, summary: TableSummary, rows: int | None) -> pd.DataFrame:
    """The cells of a file, each column as the program says it is; read without the program."""
    if file.reader == "libsvm":
        return pairs_of(SHARED / file.path, summary.data.columns).head(rows or file.rows)
    reader = summary.data.reader
    table = pd.read_csv(
        SHARED / file.path,
        sep=reader.delimiter,
        header=0 if reader.has_header else None,
        dtype=str,
        keep_default_na=False,
        nrows=rows,
    )
    table.columns = list(summary.data.columns)
    for column in summary.columns:
        cells = table[column.name].mask(table[column.name].isin(MISSING))
        if column.kind in ("integer", "number"):
            table[column.name] = cells.astype(float)
        else:
            table[column.name] = cells.astype(object).where(cells.notna(), None)
    return table


def pairs_of(path: Path, columns: tuple[str, ...]) -> pd.DataFrame:
    """LibSVM text with the file of its queries' sizes: a column per feature, else 0."""
    sizes = [int(line) for line in path.with_name(path.name + ".query").read_text().split()]
    rows = []
    for line in path.read_text().splitlines():
        label, *pairs = line.split()
        split = (pair.split(":") for pair in pairs)
        rows.append({"label": float(label)} | {f"f{at}": float(value) for at, value in split})
    table = pd.DataFrame(rows, columns=list(columns)).fillna(0.0)
    return table.assign(query=np.repeat(np.arange(1.0, len(sizes) + 1), sizes))


def with_probabilities(table: pd.DataFrame, file: RealFile) -> pd.DataFrame:
    """A model's chances beside the outcome: right more often than not."""
    if not file.outcome:
        return table
    draw = np.random.default_rng(20261)
    event = is_event(table, file)
    probabilities = np.clip(0.3 + 0.25 * event + draw.normal(0.0, 0.15, len(table)), 0.01, 0.99)
    return table.assign(p_model=np.round(probabilities, 4))


def is_event(table: pd.DataFrame, file: RealFile) -> np.ndarray:
    return (table[file.outcome].astype(float) == float(file.event)).to_numpy(int)


def save_as(folder: Path, ending: str, table: pd.DataFrame) -> Path:
    """Save as another program would."""
    if ending == "csv":
        path = folder / "cases.csv"
        table.to_csv(path, index=False, float_format="%.17g")  # 1, not 1.0
        return path
    if ending == "xlsx":
        return write_workbook(folder / "cases.xlsx", {"Cases": frame_rows(table)})
    if ending == "xpt":
        path = folder / "cases.xpt"
        pyreadstat.write_xport(table, path, file_format_version=8, table_name="CASES")
        return path
    return write_stat(folder, ending, table)


def facts(summary: TableSummary) -> dict[str, tuple[object, ...]]:
    """Per column what every format has to agree on; true and false are texts in most of them."""
    return {
        column.name: (
            column.kind.replace("boolean", "text"),
            column.missing,
            column.distinct,
            sorted(column.levels),
        )
        for column in summary.columns
    }


def landing(home: Program) -> str:
    """The page that a file opens on: Decide, where the file itself says what a loan earns."""
    document = home.session.project.document
    is_answered = document.models and assumed_lending(document.matrix, document.target)
    return "decide" if is_answered else "data"


def roles(home: Program) -> dict[str, Role]:
    return {entry.column: entry.role for entry in home.session.project.document.roles}


def auc(event: np.ndarray, probability: np.ndarray) -> float:
    """The share of pairs that are in the right order, ties half: by ranks."""
    ranks = pd.Series(probability).rank().to_numpy()
    events = int(event.sum())
    return float(
        (ranks[event == 1].sum() - events * (events + 1) / 2) / (events * (len(event) - events))
    )


def check_evaluation(home: Program, file: RealFile, table: pd.DataFrame) -> None:
    """Name the outcome where it was not clear; the page Compare shows the right figure."""
    space = home.session
    if (
        space.project.document.target is None
        or space.project.document.target.column != file.outcome
    ):
        home.give_role(file.outcome, Role.TARGET)
    home.settle()
    space.project.execute(SetRowsUsed(rows_used=RowUse.ALL))
    home.settle()
    assert "model" in {model.name for model in space.project.document.models}
    home.window.show_page("compare")
    home.settle()
    cells = [cell for cell in space.results.evaluation.cells if cell.model == "model"]
    found = {cell.metric: cell.estimate for cell in cells}
    wanted = auc(is_event(table, file), table["p_model"].to_numpy())
    if space.project.document.target.event != file.event:
        wanted = 1.0 - wanted
    assert found["auc"].value == pytest.approx(wanted, abs=1e-9)


def check_copies(
    home: Program, folder: Path, file: RealFile, endings: tuple[str, ...], rows: int | None
) -> None:
    """The copy as CSV says what is right; every other format has to agree with it."""
    summary = open_original(home, file)
    if rows is None:
        original, given = facts(summary), roles(home)
    table = with_probabilities(cells_of(file, summary, rows), file)
    load(home, dialog_of(home, save_as(folder, "csv", table)))
    wanted, wanted_roles = facts(home.session.project.summary), roles(home)
    if rows is None:
        # LibSVM text writes 1.00: a number there, a whole one where decimals are not kept.
        first = 1 if file.reader == "libsvm" else 0
        for name, known in original.items():
            assert wanted[name][first:] == known[first:], name
        assert {name: wanted_roles[name] for name in given} == given
    for ending in endings:
        load(home, dialog_of(home, save_as(folder, ending, table)))
        data = home.session.project.document.data
        assert (data.rows, data.columns) == (len(table), tuple(table.columns)), ending
        assert facts(home.session.project.summary) == wanted, ending
        assert roles(home) == wanted_roles, ending
        assert home.window.current_page == landing(home)
        if file.outcome:
            check_evaluation(home, file, table)


@pytest.mark.parametrize(
    "place",
    [
        pytest.param(place, marks=() if by_path(file) in IN_SUITE else pytest.mark.soak)
        for place, file in enumerate(FILES)
    ],
    ids=[by_path(file) for file in FILES],
)
def test_as_it_is_and_as_another_program_saves_it(home: Program, tmp_path: Path, place: int):
    file = FILES[place]
    if file.reader == "libsvm":  # 302 columns: their copies are left to the soak
        open_original(home, file)
        return
    check_copies(home, tmp_path, file, (ENDINGS[place % len(ENDINGS)],), FEW)


@pytest.mark.soak
@pytest.mark.timeout(900)  # every row of every file, five times
@pytest.mark.parametrize("file", FILES, ids=by_path)
def test_all_rows_as_every_other_program_saves_them(home: Program, tmp_path: Path, file: RealFile):
    check_copies(home, tmp_path, file, ENDINGS, None)
