"""Files of other programs in the real window: asked about, opened, judged, exported."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PySide6.QtWidgets import QApplication, QTableView

from core.document.model import Role
from gui.pages.data.reading.import_dialog import ImportDialog
from tests.e2e.opening import dialog_of, load
from tests.helpers.factories.files import frame_rows, pack, write_stat, write_workbook
from tests.helpers.factories.sas_files import can_write_sas
from tests.helpers.forms import choose_data
from tests.helpers.program import Program

STATISTICS = (*(("sas7bdat",) if can_write_sas() else ()), "xpt", "sav", "dta")
ENDINGS = ("xlsx", *STATISTICS, "csv.gz", "zip", "fwf")


@pytest.fixture(scope="module")
def cases() -> pd.DataFrame:
    """Scores of a model and an outcome, with ids that must stay text."""
    draw = np.random.default_rng(20261)
    probability = np.round(draw.beta(1.5, 6.0, 600), 4)
    return pd.DataFrame(
        {
            "id": [f"{number:05d}" for number in range(600)],
            "region": draw.choice(["North", "South"], 600),
            "since": pd.to_datetime("2024-01-01")
            + pd.to_timedelta(draw.integers(0, 300, 600), "D"),
            "p_gbm": probability,
            "y": (draw.random(600) < probability).astype(int),
        }
    )


def write(folder: Path, ending: str, cases: pd.DataFrame) -> Path:
    """Write the cases as another program would."""
    text = cases.to_csv(index=False, date_format="%Y-%m-%d")
    if ending == "xlsx":
        return write_workbook(folder / "cases.xlsx", {"Scores": frame_rows(cases)})
    if ending == "fwf":
        path = folder / "cases.fwf"
        path.write_text(cases.to_string(index=False), "utf-8")
        return path
    if ending in ("csv.gz", "zip"):
        return pack(folder / f"cases.{ending}", text.encode())
    return write_stat(folder, ending, cases)


@pytest.mark.every_nth(3)
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_of_another_program_is_opened(home, tmp_path, cases, ending):
    dialog = dialog_of(home, write(tmp_path, ending, cases))
    picture(home, dialog, ending)
    load(home, dialog)
    document = home.session.project.document
    assert document.data.rows == 600
    assert document.data.columns == tuple(cases.columns)
    assert document.role_of("id").role is Role.ID
    assert (document.target.column, document.target.levels) == ("y", ("1", "0"))
    assert [model.name for model in document.models] == ["gbm"]
    kinds = {column.name: column.kind for column in home.session.project.summary.columns}
    assert kinds["id"] == "text"
    assert kinds["since"] == "date"
    assert home.window.current_page == "data"


def test_two_sheets_and_day_month_order_are_asked_and_remembered(home, tmp_path, cases):
    few = cases.head(40).assign(since=lambda table: table["since"].dt.strftime("%d/%m/%Y"))
    few["since"] = [f"0{1 + row % 9}/0{1 + row % 7}/2024" for row in range(40)]
    path = write_workbook(
        tmp_path / "two.xlsx", {"Spring": frame_rows(few), "Autumn": frame_rows(cases)}
    )
    dialog = dialog_of(home, path)
    assert not dialog._load.isEnabled()
    assert "Sheet" in dialog._load.toolTip()
    picture(home, dialog, "two-sheets")
    choose_data(dialog._settings.form.editor("part"), "Autumn")
    load(home, dialog)
    assert home.session.project.document.data.reader.part == "Autumn"
    again = dialog_of(home, path)
    assert again.wanted().part == "Autumn"
    assert again._anew.isVisible()
    again.reject()
    text = tmp_path / "due.csv"
    few.to_csv(text, index=False)
    dialog = dialog_of(home, text)
    assert "Dates are written" in dialog._load.toolTip()
    picture(home, dialog, "dates")
    choose_data(dialog._settings.form.editor("date_order"), "dmy")
    load(home, dialog)
    assert home.session.project.document.data.reader.date_order == "dmy"
    kinds = {column.name: column.kind for column in home.session.project.summary.columns}
    assert kinds["since"] == "date"


def test_a_pasted_table_is_opened(home, cases):
    QApplication.clipboard().setText(cases.head(60).to_csv(index=False, sep="\t"))
    home.session.project.history.mark_saved()
    home.window.files.paste_data()
    dialog = next(w for w in home.window.findChildren(ImportDialog) if w.isVisible())
    home.wait(lambda: dialog._preview is not None)
    load(home, dialog)
    assert home.session.project.document.data.rows == 60
    assert "pasted" in home.session.project.document.data.path
    QApplication.clipboard().clear()


@pytest.mark.parametrize("ending", ["csv", "parquet", "xlsx"])
def test_data_and_shown_tables_are_exported(home, tmp_path, cases, ending):
    load(home, dialog_of(home, write(tmp_path, "sav", cases)))
    whole = tmp_path / f"whole.{ending}"
    home.window.table_exports._write_data(str(whole))
    home.wait(whole.is_file)
    home.settle()
    dialog = dialog_of(home, whole)
    load(home, dialog)
    assert home.session.project.document.data.rows == 600
    view = home.window.pages["data"].findChild(QTableView)
    menu = home.window.table_exports.menu_of(view)
    assert [action.text() for action in menu.actions()] == ["Export table…"]


def picture(home: Program, dialog: ImportDialog, name: str) -> None:
    """Paint the dialog in both themes."""
    for theme in ("dark", "light"):
        home.window.choose_theme(theme)
        home.picture(f"import-{name}-{theme}", dialog)
