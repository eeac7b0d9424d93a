"""Odd workbooks, Parquet files and files of SPSS, Stata and SAS."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat

from tests.core.data.odd_making import (
    ID,
    IN,
    ROWS,
    Cases,
    P,
    T,
    add,
    book_of,
    put,
    spelled,
)

# ---------------------------------------------------------------- workbooks


def _books() -> None:
    made = Cases(30)
    table = {
        "Loan": made.ids(1, 6),
        "Default": made.say("Yes", "No"),
        "Amount": made.amount,
        "PD": made.p,
    }
    usual: dict[str, Any] = {
        "roles": {"Loan": ID, "Default": T, "PD": P},
        "event": "Yes",
        "numbers": {"PD": made.p, "Amount": made.amount},
    }

    def title(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        sheet.merge_range(0, 0, 0, 3, "Loans of spring")
        sheet.merge_range(1, 0, 1, 1, "Contract")
        sheet.merge_range(1, 2, 1, 3, "Figures")
        put(sheet, table, top=2)

    add("merged_heads", book_of(title), **usual)

    def hidden(book: Any) -> None:
        put(book.add_worksheet("Loans"), table)
        sheet = book.add_worksheet("Lookup")
        put(sheet, {"code": range(40), "word": [f"w{k}" for k in range(40)], "rate": range(40)})
        sheet.hide()

    add("hidden_lookup_sheet", book_of(hidden), **usual)

    def corner(book: Any) -> None:
        put(book.add_worksheet("Loans"), table, top=4, left=2)

    add("table_away_from_the_corner", book_of(corner), **usual, columns=tuple(table))

    def shown(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        put(sheet, table)
        sheet.set_column(3, 3, 10, book.add_format({"num_format": "0.00%"}))

    add("percent_by_format", book_of(shown), **usual)

    def faulty(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        put(sheet, table)
        sheet.write_formula(5, 2, "=NA()", None, "#N/A")
        sheet.write_formula(9, 2, "=1/0", None, "#DIV/0!")

    add("error_cells", book_of(faulty), roles=usual["roles"], event="Yes", warns=("#N/A",))

    def sums(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        put(sheet, table)
        for row in range(ROWS):
            sheet.write_formula(
                1 + row, 4, f"=C{row + 2}*D{row + 2}", None, float(made.amount[row] * made.p[row])
            )
        sheet.write(0, 4, "Expected loss")
        sheet.write(1 + ROWS, 0, "Total")
        sheet.write_formula(1 + ROWS, 2, f"=SUM(C2:C{ROWS + 1})", None, float(made.amount.sum()))

    add("formulas_and_a_sum", book_of(sums), **usual, left_out=1)

    def uncounted(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        put(sheet, table)
        sheet.write(0, 4, "Expected loss")
        for row in range(1, ROWS + 1):
            sheet.write_formula(row, 4, f"=C{row + 1}*D{row + 1}")

    add("formulas_never_calculated", book_of(uncounted), **usual, warns=("nothing is calculated",))

    def dates(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        put(sheet, table)
        sheet.write(0, 4, "Opened")
        for row in range(ROWS):
            sheet.write_datetime(
                1 + row,
                4,
                datetime.datetime(2024, 1, 1) + datetime.timedelta(row),
                book.add_format({"num_format": "dd.mm.yyyy"}),
            )

    add("dates_of_a_workbook", book_of(dates), **usual)

    def two_tables(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        put(sheet, table)
        put(sheet, {"Grade": ["A", "B", "C"], "Limit": [0.05, 0.1, 1.0]}, left=6)

    add("a_small_table_beside", book_of(two_tables), **usual, columns=tuple(table))

    def below(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        put(sheet, table)
        put(sheet, {"Grade": ["A", "B", "C"], "Limit": [0.05, 0.1, 1.0]}, top=ROWS + 4)

    add("a_small_table_below", book_of(below), **usual)

    def noted(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        put(sheet, table)
        sheet.write(ROWS + 3, 0, "Prepared by controlling on 2 May, for internal use only")

    add("a_note_below", book_of(noted), **usual, left_out=1)

    def several(book: Any) -> None:
        put(book.add_worksheet("2024"), table)
        put(book.add_worksheet("2025"), table)

    add("a_sheet_a_year", book_of(several), **usual, settings={"part": "2025"})

    def text_numbers(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        put(sheet, {**table, "PD": [str(p).replace(".", ",") for p in made.p]})

    add("numbers_as_german_texts", book_of(text_numbers), **usual)

    def empty_columns(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        put(sheet, {k: table[k] for k in ("Loan", "Default")})
        put(sheet, {k: table[k] for k in ("Amount", "PD")}, left=4)

    add("empty_columns_between", book_of(empty_columns), **usual, columns=tuple(table))

    def blank_rows(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        at = 0
        sheet.write_row(0, 0, list(table))
        for row in range(ROWS):
            at += 2 if row % 50 == 0 and row else 1
            sheet.write_row(
                at,
                0,
                [
                    made.ids(1, 6)[row],
                    table["Default"][row],
                    float(made.amount[row]),
                    float(made.p[row]),
                ],
            )

    add("blank_rows_between_blocks", book_of(blank_rows), **usual)


# ---------------------------------------------------------------- Parquet, SPSS, Stata


def _frames() -> None:
    made = Cases(40)
    frame = {
        "customer_id": pa.array(made.ids(1, 8)),
        "default": pa.array(made.y),
        "pd_model": pa.array(made.p.astype("float32")),
    }
    frame["segment"] = pa.array(made.draw.choice(["retail", "sme"], ROWS)).dictionary_encode()
    frame["limit"] = pa.array([int(v) for v in made.amount], pa.decimal128(12, 2))

    def parquet(folder: Path) -> Path:
        pq.write_table(pa.table(frame), folder / "cases.parquet")
        return folder / "cases.parquet"

    add(
        "parquet_types",
        parquet,
        roles={"customer_id": ID, "default": T, "pd_model": P, "segment": IN, "limit": IN},
        event="true",
    )
    coded = pd.DataFrame(
        {
            "q1": made.age.astype(float),
            "q2": np.where(made.y, 1.0, 2.0),
            "q3": made.p,
            "q4": made.draw.choice([1.0, 2.0, 9.0], ROWS),
        }
    )
    labels = {
        "q1": "Age in years",
        "q2": "Default within a year",
        "q3": "Probability of default",
        "q4": "Home",
    }
    words = {"q2": {1.0: "yes", 2.0: "no"}, "q4": {1.0: "owner", 2.0: "tenant", 9.0: "no answer"}}

    def sav(folder: Path) -> Path:
        path = folder / "cases.sav"
        pyreadstat.write_sav(
            coded,
            str(path),
            column_labels=labels,
            variable_value_labels=words,
            missing_ranges={"q4": [9.0]},
        )
        return path

    add("spss_codes", sav, roles={"q2": T, "q3": P, "q4": IN}, event="1", warns=("q4",))

    def dta(folder: Path) -> Path:
        path = folder / "cases.dta"
        pyreadstat.write_dta(
            coded,
            str(path),
            column_labels=labels,
            variable_value_labels={"q2": {1: "ja", 2: "nein"}},
        )
        return path

    add("stata_codes", dta, roles={"q2": T, "q3": P}, event="1")

    def xpt(folder: Path) -> Path:
        path = folder / "cases.xpt"
        frame = pd.DataFrame(
            {
                "BAD": made.y.astype(float),
                "P_BAD1": made.p,
                "P_BAD0": 1 - made.p,
                "LOAN": made.amount,
            }
        )
        pyreadstat.write_xport(frame, str(path), file_format_version=5, table_name="CASES")
        return path

    add("sas_transport", xpt, roles={"BAD": T, "P_BAD1": P, "P_BAD0": P, "LOAN": IN}, event="1")


def _more_books() -> None:
    made = Cases(70)
    table = {
        "Loan": made.ids(1, 6),
        "Default": made.say("Yes", "No"),
        "Amount": made.amount,
        "PD": made.p,
    }
    usual: dict[str, Any] = {
        "roles": {"Loan": ID, "Default": T, "PD": P},
        "event": "Yes",
        "numbers": {"PD": made.p},
    }

    def all_texts(book: Any) -> None:
        sheet = book.add_worksheet("Export")
        columns = {n: [str(v) for v in values] for n, values in table.items()}
        columns["Age"] = [str(v) for v in made.age]
        for at, (name, values) in enumerate(columns.items()):
            for row, value in enumerate([name, *values]):
                sheet.write_string(row, at, value)

    add("everything_is_text", book_of(all_texts), **usual, columns=(*table, "Age"))

    def currency(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        put(sheet, {**table, "Amount": [f"€ {spelled(v, '.', ',')}" for v in made.amount]})

    add(
        "amounts_with_a_sign",
        book_of(currency),
        **{**usual, "numbers": {"PD": made.p, "Amount": made.amount}},
    )

    def gaps(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        put(
            sheet,
            {**table, "PD": ["n/a" if k in (4, 9) else float(p) for k, p in enumerate(made.p)]},
        )

    add("na_among_numbers", book_of(gaps), roles=usual["roles"], event="Yes")

    def flags(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        put(sheet, {**table, "Default": [bool(y) for y in made.y]})

    add("true_and_false_cells", book_of(flags), roles=usual["roles"], event="true")

    def groups(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        sheet.write_row(0, 0, ["Region", "Loan", "Default", "PD"])
        region = ["North", "South", "East"]
        for row in range(ROWS):
            if row % 50 == 0:
                sheet.merge_range(1 + row, 0, 50 + row, 0, region[row // 50])
            sheet.write_row(
                1 + row, 1, [made.ids(1, 6)[row], table["Default"][row], float(made.p[row])]
            )

    add("merged_groups_of_rows", book_of(groups), **usual, warns=("merged",))

    def pivot(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        put(sheet, table)
        other = book.add_worksheet("Pivot")
        other.write_row(2, 0, ["Row labels", "Count of Loan", "Sum of Amount"])
        for k, grade in enumerate(("No", "Yes", "Grand Total")):
            other.write_row(3 + k, 0, [grade, 75, 1000.0 * k])

    add("a_pivot_on_another_sheet", book_of(pivot), **usual, settings={"part": "Loans"})

    def long_note(book: Any) -> None:
        sheet = book.add_worksheet("Read me")
        for k in range(30):
            sheet.write(k, 0, f"Note {k}: how these figures came about")
        put(book.add_worksheet("Data"), table, top=1)

    add("read_me_first", book_of(long_note), **usual)

    def one_sum_a_group(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        put(sheet, table)
        sheet.write_row(ROWS + 1, 0, ["Total", "", float(made.amount.sum()), ""])
        sheet.write_row(
            ROWS + 2, 0, ["Average", "", float(made.amount.mean()), float(made.p.mean())]
        )
        sheet.write_row(ROWS + 4, 0, ["Source: core banking"])

    add("total_average_and_source", book_of(one_sum_a_group), **usual, left_out=3)


def _survey() -> None:
    made = Cases(80)
    frame = pd.DataFrame(
        {
            "v1": made.age.astype(float),
            "v2": np.where(made.y, 1.0, 0.0),
            "v3": made.p,
            "v4": made.draw.choice([1.0, 2.0, 3.0], ROWS),
        }
    )
    frame.loc[3, "v2"] = 99.0
    labels = {"v1": "Alter", "v2": "Gekauft", "v3": "Kaufwahrscheinlichkeit", "v4": "Wohnort"}
    words = {
        "v2": {0.0: "nein", 1.0: "ja", 99.0: "keine Angabe"},
        "v4": {1.0: "Stadt", 2.0: "Land", 3.0: "Dorf"},
    }

    def sav(folder: Path) -> Path:
        path = folder / "umfrage.sav"
        pyreadstat.write_sav(
            frame,
            str(path),
            column_labels=labels,
            variable_value_labels=words,
            missing_ranges={"v2": [99.0]},
        )
        return path

    add(
        "spss_german_with_no_answer",
        sav,
        roles={"v2": T, "v3": P, "v4": IN},
        event="1",
        levels=("1", "0"),
    )
    three = pd.DataFrame({"id": made.ids(1), "status": made.draw.choice([1.0, 2.0, 3.0], ROWS)})
    shares = made.three(4)
    for k, name in enumerate(("paid", "late", "default")):
        three[f"p_{name}"] = shares[:, k]
    ends = {"status": {1.0: "paid", 2.0: "late", 3.0: "default"}}

    def dta(folder: Path) -> Path:
        path = folder / "loans.dta"
        pyreadstat.write_dta(three, str(path), variable_value_labels=ends)
        return path

    add(
        "stata_three_labelled_classes",
        dta,
        roles={"status": T, "p_paid": P, "p_late": P, "p_default": P},
        kind="multiclass",
    )


def add_books() -> None:
    """Add all of them."""
    for make in (_books, _frames, _more_books, _survey):
        make()
