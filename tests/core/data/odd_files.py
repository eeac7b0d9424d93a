"""Odd but ordinary business files, made by a seed, each with what a person would read in it.

Spellings of English, German, French, Swiss, Spanish and Dutch offices; preambles, footers, units,
two rows of names; workbooks with merged cells, hidden sheets and faults; labels of SPSS and Stata.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import xlsxwriter

from core.document.model import Role

ROWS = 150
T, P, S, V = Role.TARGET, Role.POSTERIOR, Role.SCORE, Role.PREDICTION
ID, IN, IG, W = Role.ID, Role.INPUT, Role.IGNORED, Role.WEIGHT
Write = Callable[[Path], Path]


@dataclass(frozen=True, kw_only=True)
class OddFile:
    """A file and what is expected of it; what is not named is not looked at."""

    name: str
    write: Write
    rows: int = ROWS
    columns: tuple[str, ...] = ()
    roles: Mapping[str, Role] = field(default_factory=dict)
    kind: str = ""  # of the outcome
    event: str = ""
    levels: tuple[str, ...] = ()  # of the outcome, in any order
    models: tuple[str, ...] = ()
    numbers: Mapping[str, Sequence[float]] = field(default_factory=dict)
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    left_out: int = 0
    warns: tuple[str, ...] = ()  # parts of warnings
    settings: Mapping[str, Any] = field(default_factory=dict)  # what a person has to answer
    refuses: tuple[str, ...] = ()  # parts of the refusal


FILES: list[OddFile] = []


def _add(name: str, write: Write, **expected: Any) -> None:
    FILES.append(OddFile(name=name, write=write, **expected))


# ---------------------------------------------------------------- what the files are about


class Cases:
    """Cases of one seed: chances of an event, the event, amounts, whole numbers."""

    def __init__(self, seed: int, rows: int = ROWS) -> None:
        self.draw = np.random.default_rng(seed)
        self.p = np.round(self.draw.beta(1.3, 3.5, rows), 4).clip(0.003, 0.96)
        self.y = self.draw.random(rows) < self.p
        odds = np.log(self.p / (1.0 - self.p)) + self.draw.normal(0.0, 0.5, rows)
        self.q = np.round(1.0 / (1.0 + np.exp(-odds)), 4)
        self.odds = np.round(odds, 3)
        self.amount = np.round(np.exp(self.draw.normal(8.7, 0.8, rows)), 2)
        self.age = self.draw.integers(18, 85, rows)
        self.points = np.round(600.0 - 40.0 * odds).astype(int).clip(300, 850)
        self.rows = rows

    def say(self, yes: str, no: str) -> list[str]:
        return [yes if one else no for one in self.y]

    def ids(self, start: int = 1, width: int = 0) -> list[str]:
        return [str(start + row).zfill(width) for row in range(self.rows)]

    def three(self, digits: int) -> np.ndarray:
        shares = self.draw.dirichlet([5.0, 2.0, 1.0], self.rows)
        return np.round(shares, digits)


def _spelled(value: float, decimal: str, thousands: str, digits: int = 2) -> str:
    text = f"{value:,.{digits}f}"
    return text.replace(",", "_").replace(".", decimal).replace("_", thousands)


def _lines(
    columns: Mapping[str, Sequence[Any]], delimiter: str = ",", decimal: str = "."
) -> list[str]:
    def cell(value: Any) -> str:
        if isinstance(value, float | np.floating):
            return repr(float(value)).replace(".", decimal)
        text = str(value)
        return f'"{text}"' if delimiter in text else text

    head = delimiter.join(cell(name) for name in columns)
    return [head, *(delimiter.join(map(cell, row)) for row in zip(*columns.values(), strict=True))]


def _text(
    lines: Sequence[str], *, encoding: str = "utf-8", end: str = "\n", name: str = "cases.csv"
) -> Write:
    def write(folder: Path) -> Path:
        path = folder / name
        path.write_bytes((end.join(lines) + end).encode(encoding))
        return path

    return write


def _book(make: Callable[[Any], None]) -> Write:
    def write(folder: Path) -> Path:
        path = folder / "cases.xlsx"
        with xlsxwriter.Workbook(str(path), {"nan_inf_to_errors": True}) as book:
            make(book)
        return path

    return write


def _put(sheet: Any, columns: Mapping[str, Sequence[Any]], top: int = 0, left: int = 0) -> None:
    for at, (name, values) in enumerate(columns.items()):
        sheet.write(top, left + at, name)
        for row, value in enumerate(values):
            plain = value.item() if isinstance(value, np.generic) else value
            if plain is not None:
                sheet.write(top + 1 + row, left + at, plain)


# ---------------------------------------------------------------- delimited text


def _plain_texts() -> None:
    made = Cases(1)
    base = {"Customer": made.ids(1000), "Default": made.say("yes", "no"), "PD": made.p}
    roles = {"Customer": ID, "Default": T, "PD": P}
    usual = {"roles": roles, "event": "yes", "numbers": {"PD": made.p}}
    lines = _lines(base)
    _add("plain", _text(lines), **usual)
    _add("bom_crlf", _text(lines, encoding="utf-8-sig", end="\r\n"), **usual)
    _add("old_mac_ends", _text(lines, end="\r"), **usual)
    _add("utf16_with_mark", _text(lines, encoding="utf-16", end="\r\n"), **usual)
    _add("tabs_as_txt", _text(_lines(base, "\t"), name="cases.txt"), **usual)
    _add("bars", _text(_lines(base, "|")), **usual)
    _add(
        "trailing_separators",
        _text([line + ",,," for line in lines]),
        **usual,
        warns=("Columns 4, 5, 6 have no name",),
    )
    _add("blank_lines_at_the_end", _text([*lines, "", "", ""]), **usual)
    blank = [*lines, ",,", ",,", ",,"]
    _add("separators_only_at_the_end", _text(blank), **usual, left_out=3)
    _add("blank_line_under_names", _text([lines[0], "", *lines[1:]]), **usual)
    quoted = [",".join(f'"{cell}"' for cell in line.split(",")) for line in lines]
    _add("all_cells_quoted", _text(quoted), **usual)
    spaced = [", ".join(line.split(",")) for line in lines]
    _add("blanks_after_commas", _text(spaced), **usual, columns=tuple(base))
    _add(
        "numbered_rows_without_a_name",
        _text(["," + lines[0], *(f"{k},{line}" for k, line in enumerate(lines[1:]))]),
        roles={"Default": T, "PD": P},
        event="yes",
    )
    _add(
        "report_head_and_foot",
        _text(
            [
                "Risk controlling",
                "Portfolio: consumer loans",
                "As of 2026-03-31",
                "",
                *lines,
                "",
                "Source: data warehouse",
                "Confidential",
            ]
        ),
        **usual,
        left_out=2,
    )
    _add(
        "records_counted_at_the_foot",
        _text([*lines, f"({ROWS} rows affected)"]),
        **usual,
        left_out=1,
    )


def _european() -> None:
    made = Cases(2)
    money = [_spelled(v, ",", ".") for v in made.amount]
    german = {
        "Vertragsnr": made.ids(7, 8),
        "Ausfall J/N": made.say("J", "N"),
        "Kreditbetrag": money,
        "Ausfallwahrscheinlichkeit": made.p,
    }
    usual = {
        "roles": {"Vertragsnr": ID, "Ausfall J/N": T, "Ausfallwahrscheinlichkeit": P},
        "event": "J",
        "numbers": {"Kreditbetrag": made.amount, "Ausfallwahrscheinlichkeit": made.p},
        "texts": {"Vertragsnr": made.ids(7, 8)},
    }
    lines = _lines(german, ";", ",")
    _add("german_utf8", _text(lines), **usual)
    _add("german_latin1", _text(lines, encoding="cp1252"), **usual)
    units = ";".join(["", "J/N", "EUR", "in %"])
    percent = {**german, "Ausfallwahrscheinlichkeit": np.round(100 * made.p, 2)}
    read = {"Kreditbetrag": made.amount, "Ausfallwahrscheinlichkeit": np.round(100 * made.p, 2)}
    under = _lines(percent, ";", ",")
    _add(
        "german_units_row",
        _text([under[0], units, *under[1:]]),
        **{**usual, "numbers": read},
        left_out=1,
    )
    _add(
        "german_padded_title",
        _text(["Kreditportfolio;;;", "Stichtag 31.12.2025;;;", ";;;", *lines]),
        **usual,
    )
    total = f"Gesamt;;{_spelled(made.amount.sum(), ',', '.')};"
    _add("german_total", _text([*lines, total]), **usual, left_out=1)
    made = Cases(3)
    swiss = {
        "Kunden-ID": made.ids(50),
        "ausgefallen": made.say("ja", "nein"),
        "Kreditsumme": [f"CHF {_spelled(v, '.', chr(39))}" for v in made.amount],
        "PD": [f"{100 * p:.2f}%" for p in made.p],
    }
    roles = {"Kunden-ID": ID, "ausgefallen": T, "PD": P}
    numbers = {"Kreditsumme": made.amount, "PD": made.p}
    _add("swiss", _text(_lines(swiss, ";")), roles=roles, event="ja", numbers=numbers)
    curly = {**swiss, "Kreditsumme": [_spelled(v, ".", "\u2019") for v in made.amount]}
    _add("swiss_curly", _text(_lines(curly, ";")), roles=roles, event="ja", numbers=numbers)
    _romance()


def _romance() -> None:
    made = Cases(4)
    french = {
        "N° client": made.ids(300),
        "Défaut (oui/non)": made.say("Oui", "Non"),
        "Montant prêt (€)": [_spelled(v, ",", "\u00a0") for v in made.amount],
        "Probabilité": [f"{_spelled(100 * p, ',', '')} %" for p in made.p],
    }
    roles = {"N° client": ID, "Défaut (oui/non)": T, "Probabilité": P}
    numbers = {"Montant prêt (€)": made.amount, "Probabilité": made.p}
    _add("french", _text(_lines(french, ";")), roles=roles, event="Oui", numbers=numbers)
    latin = _text(_lines(french, ";"), encoding="cp1252")
    _add("french_latin1", latin, roles=roles, event="Oui", numbers=numbers)
    made = Cases(5)
    spanish = {
        "Nº cliente": made.ids(10),
        "Impago": made.say("Sí", "No"),
        "Importe del préstamo": [f"{_spelled(v, ',', '.')} €" for v in made.amount],
        "Probabilidad de impago": made.p,
    }
    roles = {"Nº cliente": ID, "Impago": T, "Probabilidad de impago": P}
    numbers = {"Importe del préstamo": made.amount, "Probabilidad de impago": made.p}
    _add("spanish", _text(_lines(spanish, ";", ",")), roles=roles, event="Sí", numbers=numbers)
    made = Cases(6)
    dutch = {
        "Klantnummer": made.ids(10),
        "Wanbetaling": made.say("ja", "nee"),
        "Leenbedrag": [f"€ {_spelled(v, ',', '.')}" for v in made.amount],
        "Kans op wanbetaling": made.p,
    }
    roles = {"Klantnummer": ID, "Wanbetaling": T, "Kans op wanbetaling": P}
    numbers = {"Leenbedrag": made.amount, "Kans op wanbetaling": made.p}
    _add("dutch", _text(_lines(dutch, ";", ",")), roles=roles, event="ja", numbers=numbers)
    made = Cases(7)
    italian = {
        "Codice cliente": made.ids(10),
        "Insolvenza": made.say("sì", "no"),
        "Importo": [_spelled(v, ",", ".") for v in made.amount],
        "Probabilità": made.p,
    }
    roles = {"Codice cliente": ID, "Insolvenza": T, "Probabilità": P}
    _add("italian", _text(_lines(italian, ";", ",")), roles=roles, event="sì")


def _headers() -> None:
    made = Cases(8)
    a, b = made.p, made.q
    rows = [
        f"{k};{y};{p:.4f};{q:.4f}"
        for k, y, p, q in zip(made.ids(), made.say("1", "0"), a, b, strict=True)
    ]
    _add(
        "two_rows_of_names",
        _text(["Loan;Outcome;Model A;Model B", "id;default;PD;PD", *rows]),
        rows=ROWS,
        settings={"skip_lines": 1, "rename_repeated": True},
        columns=("id", "default", "PD", "PD_2"),
        roles={"id": ID, "default": T, "PD": P, "PD_2": P},
    )
    _add(
        "a_name_that_is_empty",
        _text(["id;;p_one;p_two", *rows]),
        roles={"id": ID, "p_one": P, "p_two": P, "column_2": T},
    )
    _add(
        "names_twice",
        _text(["id;default;PD;PD", *rows]),
        refuses=("PD", "column", "3", "4"),
    )
    _add(
        "names_of_several_lines",
        _text(['id;default;"PD\nmodel A";"PD\nmodel B"', *rows]),
        roles={"id": ID, "default": T},
        models=("model A", "model B"),
    )
    _add(
        "no_names",
        _text(rows),
        columns=("column_1", "column_2", "column_3", "column_4"),
        settings={"has_header": False},
        roles={"column_2": T, "column_3": P, "column_4": P},
    )
    capital = ["ID;DEFAULT_FLAG;PD_MODEL_A;PD_MODEL_B", *rows]
    _add(
        "capitals",
        _text(capital),
        roles={"ID": ID, "DEFAULT_FLAG": T, "PD_MODEL_A": P, "PD_MODEL_B": P},
    )
    camel = ["customerId;isDefault;pdModelA;pdModelB", *rows]
    _add(
        "camel_case",
        _text(camel),
        roles={"customerId": ID, "isDefault": T, "pdModelA": P, "pdModelB": P},
    )


# ---------------------------------------------------------------- outcomes and scores


def _outcomes() -> None:
    made = Cases(9)
    one_two = {"id": made.ids(), "bad": np.where(made.y, 1, 2), "score": made.points}
    _add(
        "one_is_the_event_two_is_not",
        _text(_lines(one_two)),
        roles={"id": ID, "bad": T, "score": S},
        event="1",
        levels=("1", "2"),
    )
    german = {"id": made.ids(), "class": np.where(made.y, 2, 1), "p_bad": made.p}
    _add(
        "german_credit_codes",
        _text(_lines(german)),
        roles={"id": ID, "class": T, "p_bad": P},
        levels=("1", "2"),
        event="2",
    )
    signs = {"id": made.ids(), "y": np.where(made.y, 1, -1), "prob": made.p}
    _add(
        "minus_one_and_one",
        _text(_lines(signs)),
        roles={"id": ID, "y": T, "prob": P},
        levels=("1", "-1"),
        event="1",
    )
    logical = {"id": made.ids(), "churned": made.say("TRUE", "FALSE"), "model": made.p}
    _add(
        "true_and_false",
        _text(_lines(logical)),
        roles={"id": ID, "churned": T, "model": P},
        levels=("true", "false"),
        event="true",
    )
    ticked = {"id": made.ids(), "Responded": made.say("x", ""), "p_response": made.p}
    _add(
        "a_cross_or_nothing",
        _text(_lines(ticked)),
        roles={"id": ID, "Responded": T, "p_response": P},
        warns=("Responded",),
    )
    percent = {"account": made.ids(), "charged_off": made.say("1", "0"), "score": 100 * made.p}
    percent["score"] = np.round(percent["score"], 2)
    _add(
        "chances_to_100",
        _text(_lines(percent)),
        roles={"account": ID, "charged_off": T, "score": P},
        warns=("percent",),
    )
    whole = {"account": made.ids(), "default": made.say("1", "0"), "pd_pct": np.round(100 * made.p)}
    whole["pd_pct"] = whole["pd_pct"].astype(int)
    _add(
        "whole_percent",
        _text(_lines(whole)),
        roles={"account": ID, "default": T, "pd_pct": P},
        warns=("percent",),
    )
    points = {"account": made.ids(), "default": made.say("1", "0"), "credit_score": made.points}
    _add(
        "scores_300_to_850",
        _text(_lines(points)),
        roles={"account": ID, "default": T, "credit_score": S},
        warns=("less likely",),
    )
    fico = {"account": made.ids(), "default": made.say("1", "0"), "FICO": made.points}
    _add("fico", _text(_lines(fico)), roles={"account": ID, "default": T, "FICO": S})
    odds = {"account": made.ids(), "default": made.say("1", "0"), "log_odds": made.odds}
    _add("log_odds", _text(_lines(odds)), roles={"account": ID, "default": T, "log_odds": S})
    link = {"account": made.ids(), "default": made.say("1", "0"), "xbeta": made.odds}
    _add("linear_predictor", _text(_lines(link)), roles={"account": ID, "default": T, "xbeta": S})
    decile = {"id": made.ids(), "response": made.say("1", "0"), "p": made.p}
    decile["decile"] = (np.argsort(np.argsort(-made.p)) * 10 // ROWS + 1).astype(int)
    _add(
        "deciles_beside_the_chance",
        _text(_lines(decile)),
        roles={"id": ID, "response": T, "p": P},
        models=("model",),
    )
    both = {"id": made.ids(), "target": made.say("1", "0"), "prob_0": 1 - made.p, "prob_1": made.p}
    both["prob_0"] = np.round(both["prob_0"], 4)
    _add(
        "a_column_for_each_of_two",
        _text(_lines(both)),
        roles={"target": T, "prob_0": P, "prob_1": P},
    )
    one = {"id": made.ids(), "default": ["no"] * ROWS, "pd": made.p}
    _add("one_class", _text(_lines(one)), roles={"default": T, "pd": P}, warns=("2 classes",))
    lack = {"id": made.ids(), "default": made.say("1", "0"), "pd_a": list(made.p), "pd_b": made.q}
    lack["pd_a"] = ["" if k == 7 else repr(float(v)) for k, v in enumerate(made.p)]
    _add("one_lacks_a_score", _text(_lines(lack)), roles={"default": T, "pd_a": P, "pd_b": P})
    marks = {
        **lack,
        "pd_a": ["n/a" if k in (3, 9) else repr(float(v)) for k, v in enumerate(made.p)],
    }
    _add("scores_with_na", _text(_lines(marks)), roles={"default": T, "pd_a": P, "pd_b": P})
    dash = {**lack, "pd_a": ["-" if k in (3, 9) else repr(float(v)) for k, v in enumerate(made.p)]}
    _add(
        "scores_with_dashes",
        _text(_lines(dash)),
        settings={"missing_marks": ("", "-")},
        roles={"default": T, "pd_a": P, "pd_b": P},
    )
    wide = {"loan_id": made.ids(), "loan_status": made.say("Charged Off", "Fully Paid")}
    wide |= {
        "loan_amnt": made.amount,
        "int_rate": [f"{v:.2f}%" for v in 5 + 20 * made.q],
        "pd": made.p,
    }
    _add(
        "lending_club",
        _text(_lines(wide)),
        roles={"loan_id": ID, "loan_status": T, "int_rate": IN, "pd": P},
        event="Charged Off",
    )


def _classes() -> None:
    for digits in (2, 3, 4, 6):
        made = Cases(10 + digits)
        shares = made.three(digits)
        end = made.draw.choice(["paid", "late", "default"], ROWS, p=[0.6, 0.25, 0.15])
        columns = {"id": made.ids(), "status": end}
        columns |= {f"p_{n}": shares[:, k] for k, n in enumerate(("paid", "late", "default"))}
        _add(
            f"three_classes_{digits}_digits",
            _text(_lines(columns)),
            roles={"status": T, "p_paid": P, "p_late": P, "p_default": P},
            kind="multiclass",
            levels=("paid", "late", "default"),
        )
    made = Cases(20)
    shares = made.three(4)
    names = ("bezahlt", "verspätet", "ausgefallen")
    end = made.draw.choice(names, ROWS, p=[0.6, 0.25, 0.15])
    german = {"Nr": made.ids(), "Verlauf": end}
    for model in ("Modell neu", "Modell alt"):
        shares = made.three(4)
        for k, name in enumerate(names):
            german[f"{model} {name} (%)"] = np.round(100 * shares[:, k], 2)
    _add(
        "german_classes_in_percent",
        _text(_lines(german, ";", ",")),
        roles={"Nr": ID, "Verlauf": T} | {n: P for n in german if n.startswith("Modell")},
        kind="multiclass",
        models=("Modell neu", "Modell alt"),
    )
    low = {"id": made.ids(), "risk_class": made.draw.choice(["A", "B", "C", "D"], ROWS)}
    shares = np.round(made.draw.dirichlet([3, 3, 2, 1], ROWS), 3)
    low |= {f"prob.{n}": shares[:, k] for k, n in enumerate("ABCD")}
    _add(
        "letters_as_classes",
        _text(_lines(low)),
        roles={"risk_class": T} | {f"prob.{n}": P for n in "ABCD"},
        kind="multiclass",
    )
    coded = {"id": made.ids(), "y": made.draw.integers(0, 3, ROWS)}
    shares = made.three(5)
    coded |= {f"class_{k}": shares[:, k] for k in range(3)}
    _add(
        "numbers_as_classes",
        _text(_lines(coded)),
        roles={"y": T, "class_0": P, "class_1": P, "class_2": P},
        kind="multiclass",
    )


def _structures() -> None:
    made = Cases(21)
    months = {
        "patient": made.ids(),
        "age": made.age,
        "months": np.round(made.draw.exponential(20, ROWS) + 0.1, 1),
    }
    months |= {"event": made.y.astype(int), "risk_score": made.odds}
    _add(
        "months_and_event",
        _text(_lines(months)),
        roles={"patient": ID, "months": Role.EXIT, "event": T},
    )
    told = {
        "Patient": made.ids(),
        "OS_days": (made.draw.exponential(600, ROWS) + 1).astype(int),
        "OS_status": made.say("DECEASED", "LIVING"),
    }
    _add(
        "overall_survival",
        _text(_lines(told)),
        roles={"Patient": ID, "OS_days": Role.EXIT, "OS_status": T},
        event="DECEASED",
    )
    years = np.round(made.draw.uniform(0.1, 1.0, ROWS), 2)
    count = {
        "policy": made.ids(),
        "exposure": years,
        "ClaimNb": made.draw.poisson(0.4 * years),
        "pred_freq": np.round(0.4 * years, 4),
    }
    _add(
        "claims_and_exposure",
        _text(_lines(count)),
        roles={"policy": ID, "exposure": IG, "ClaimNb": T, "pred_freq": V},
        kind="interval",
    )
    spend = np.where(made.y, made.amount, 0.0)
    sale = {
        "customer": made.ids(),
        "segment": made.draw.choice(["Control", "Email"], ROWS),
        "visit": made.y.astype(int),
        "spend": spend,
    }
    _add(
        "hillstrom",
        _text(_lines(sale)),
        roles={"customer": ID, "segment": Role.TREATMENT, "visit": T},
        event="1",
    )
    test = {
        "Klant": made.ids(),
        "Groep": made.draw.choice(["controle", "brief"], ROWS),
        "Aankoop": made.say("ja", "nee"),
    }
    _add(
        "dutch_test",
        _text(_lines(test, ";")),
        roles={"Klant": ID, "Groep": Role.TREATMENT, "Aankoop": T},
        event="ja",
    )
    weighted = {
        "id": made.ids(),
        "weight": made.draw.integers(1, 5, ROWS),
        "target": made.say("1", "0"),
        "p_target": made.p,
    }
    _add("weights", _text(_lines(weighted)), roles={"weight": W, "target": T, "p_target": P})
    price = np.round(made.amount / 10)
    house = {
        "id": made.ids(),
        "SalePrice": price,
        "predicted_price": np.round(price * 1.05, 1),
        "area": made.age,
    }
    _add(
        "house_prices",
        _text(_lines(house)),
        roles={"SalePrice": T, "predicted_price": V},
        kind="interval",
    )
    split = {
        "id": made.ids(),
        "set": made.draw.choice(["train", "test"], ROWS),
        "y": made.y.astype(int),
        "p_gbm": made.p,
    }
    _add("train_and_test", _text(_lines(split)), roles={"set": Role.ROW_USE, "y": T, "p_gbm": P})
    wide: dict[str, Any] = {"cust_id": made.ids(100, 6), "bad_flag": made.y.astype(int)}
    wide |= {f"v{k:03d}": np.round(made.draw.normal(size=ROWS), 3) for k in range(198)}
    _add(
        "wide_200",
        _text(_lines(wide)),
        roles={"cust_id": ID, "bad_flag": T, "v000": IN, "v197": IN},
        texts={"cust_id": made.ids(100, 6)},
    )
    date = {
        "id": made.ids(),
        "opened": [f"{1 + k % 28:02d}.{1 + k % 12:02d}.2024" for k in range(ROWS)],
        "default": made.y.astype(int),
        "pd": made.p,
    }
    _add("german_dates", _text(_lines(date, ";")), roles={"opened": IN, "default": T, "pd": P})
    made2 = Cases(22)
    none = {"name": made2.ids(), "income": made2.amount, "age": made2.age}
    _add("no_outcome_at_all", _text(_lines(none)), roles={"income": IN, "age": IN})


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
        _put(sheet, table, top=2)

    _add("merged_heads", _book(title), **usual)

    def hidden(book: Any) -> None:
        _put(book.add_worksheet("Loans"), table)
        sheet = book.add_worksheet("Lookup")
        _put(sheet, {"code": range(40), "word": [f"w{k}" for k in range(40)], "rate": range(40)})
        sheet.hide()

    _add("hidden_lookup_sheet", _book(hidden), **usual)

    def corner(book: Any) -> None:
        _put(book.add_worksheet("Loans"), table, top=4, left=2)

    _add("table_away_from_the_corner", _book(corner), **usual, columns=tuple(table))

    def shown(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        _put(sheet, table)
        sheet.set_column(3, 3, 10, book.add_format({"num_format": "0.00%"}))

    _add("percent_by_format", _book(shown), **usual)

    def faulty(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        _put(sheet, table)
        sheet.write_formula(5, 2, "=NA()", None, "#N/A")
        sheet.write_formula(9, 2, "=1/0", None, "#DIV/0!")

    _add("error_cells", _book(faulty), roles=usual["roles"], event="Yes", warns=("#N/A",))

    def sums(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        _put(sheet, table)
        for row in range(ROWS):
            sheet.write_formula(
                1 + row, 4, f"=C{row + 2}*D{row + 2}", None, float(made.amount[row] * made.p[row])
            )
        sheet.write(0, 4, "Expected loss")
        sheet.write(1 + ROWS, 0, "Total")
        sheet.write_formula(1 + ROWS, 2, f"=SUM(C2:C{ROWS + 1})", None, float(made.amount.sum()))

    _add("formulas_and_a_sum", _book(sums), **usual, left_out=1)

    def dates(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        _put(sheet, table)
        sheet.write(0, 4, "Opened")
        for row in range(ROWS):
            sheet.write_datetime(
                1 + row,
                4,
                datetime.datetime(2024, 1, 1) + datetime.timedelta(row),
                book.add_format({"num_format": "dd.mm.yyyy"}),
            )

    _add("dates_of_a_workbook", _book(dates), **usual)

    def two_tables(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        _put(sheet, table)
        _put(sheet, {"Grade": ["A", "B", "C"], "Limit": [0.05, 0.1, 1.0]}, left=6)

    _add("a_small_table_beside", _book(two_tables), **usual, columns=tuple(table))

    def below(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        _put(sheet, table)
        _put(sheet, {"Grade": ["A", "B", "C"], "Limit": [0.05, 0.1, 1.0]}, top=ROWS + 4)

    _add("a_small_table_below", _book(below), **usual)

    def noted(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        _put(sheet, table)
        sheet.write(ROWS + 3, 0, "Prepared by controlling on 2 May, for internal use only")

    _add("a_note_below", _book(noted), **usual, left_out=1)

    def several(book: Any) -> None:
        _put(book.add_worksheet("2024"), table)
        _put(book.add_worksheet("2025"), table)

    _add("a_sheet_a_year", _book(several), **usual, settings={"part": "2025"})

    def text_numbers(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        _put(sheet, {**table, "PD": [str(p).replace(".", ",") for p in made.p]})

    _add("numbers_as_german_texts", _book(text_numbers), **usual)

    def empty_columns(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        _put(sheet, {k: table[k] for k in ("Loan", "Default")})
        _put(sheet, {k: table[k] for k in ("Amount", "PD")}, left=4)

    _add("empty_columns_between", _book(empty_columns), **usual, columns=tuple(table))

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

    _add("blank_rows_between_blocks", _book(blank_rows), **usual)


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

    _add(
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

    _add("spss_codes", sav, roles={"q2": T, "q3": P, "q4": IN}, event="1", warns=("q4",))

    def dta(folder: Path) -> Path:
        path = folder / "cases.dta"
        pyreadstat.write_dta(
            coded,
            str(path),
            column_labels=labels,
            variable_value_labels={"q2": {1: "ja", 2: "nein"}},
        )
        return path

    _add("stata_codes", dta, roles={"q2": T, "q3": P}, event="1")

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

    _add("sas_transport", xpt, roles={"BAD": T, "P_BAD1": P, "P_BAD0": P, "LOAN": IN}, event="1")


# ---------------------------------------------------------------- a second helping


def _mixed_offices() -> None:
    made = Cases(50)
    euro = {
        "Kunde": made.ids(10),
        "Zahlungsausfall": made.say("Ja", "Nein"),
        "Kreditvolumen TEUR": [_spelled(v / 1000, ",", ".", 3) for v in made.amount],
        "PD in %": [_spelled(100 * p, ",", "") for p in made.p],
    }
    roles = {"Kunde": ID, "Zahlungsausfall": T, "PD in %": P}
    _add("german_thousands_of_euro", _text(_lines(euro, ";")), roles=roles, event="Ja")
    plus = {
        "Kd-Nr": made.ids(4711, 6),
        "Status": made.say("ausgefallen", "zurückgezahlt"),
        "Scorewert": made.points,
        "Rating": made.draw.choice(list("ABCD"), ROWS),
    }
    roles = {"Kd-Nr": ID, "Status": T, "Scorewert": S, "Rating": IN}
    _add("german_status_words", _text(_lines(plus, ";")), roles=roles, event="ausgefallen")
    french = {
        "Réf. dossier": made.ids(10, 6),
        "Impayé": made.say("O", "N"),
        "Montant": [f"{_spelled(v, ',', ' ')} €" for v in made.amount],
        "Score": made.points,
    }
    roles = {"Réf. dossier": ID, "Impayé": T, "Score": S}
    numbers = {"Montant": made.amount}
    _add("french_o_and_n", _text(_lines(french, ";")), roles=roles, event="O", numbers=numbers)
    spanish = {
        "ID_CLIENTE": made.ids(10),
        "MOROSO": made.say("S", "N"),
        "PROB_MORA": made.p,
    }
    roles = {"ID_CLIENTE": ID, "MOROSO": T, "PROB_MORA": P}
    _add("spanish_s_and_n", _text(_lines(spanish, ";", ",")), roles=roles, event="S")
    kept = {"Kundennr.": made.ids(10), "Kündiger": made.say("1", "0"), "Kündigungs-WS": made.p}
    roles = {"Kundennr.": ID, "Kündiger": T, "Kündigungs-WS": P}
    _add("german_short_for_probability", _text(_lines(kept, ";", ",")), roles=roles)
    dutch = {"Polisnummer": made.ids(1), "Schade": made.say("ja", "nee"), "Schadekans": made.p}
    roles = {"Polisnummer": ID, "Schade": T, "Schadekans": P}
    _add("dutch_compound", _text(_lines(dutch, ";", ",")), roles=roles, event="ja")
    tick = {"member": made.ids(1), "renewed": made.say("No", "Yes"), "p_renew": 1 - made.p}
    tick["p_renew"] = np.round(tick["p_renew"], 3)
    _add("renewals", _text(_lines(tick)), roles={"renewed": T, "p_renew": P}, event="Yes")
    model = {"id": made.ids(1), "outcome": made.say("1", "0"), "XGBoost": made.p, "LogReg": made.q}
    _add(
        "columns_called_by_the_models",
        _text(_lines(model)),
        roles={"outcome": T, "XGBoost": P, "LogReg": P},
        models=("XGBoost", "LogReg"),
    )
    sure = {"ID": made.ids(1), "Actual": made.say("Churn", "No churn"), "Predicted": made.p}
    sure["Predicted"] = [f"{100 * p:.1f}%" for p in made.p]
    _add(
        "actual_and_predicted",
        _text(_lines(sure)),
        roles={"Actual": T, "Predicted": P},
        event="Churn",
    )
    klass = {"ID": made.ids(1), "Actual": made.say("Bad", "Good")}
    klass |= {"Predicted": ["Bad" if p > 0.4 else "Good" for p in made.p], "Confidence": made.p}
    _add("predicted_classes", _text(_lines(klass)), roles={"Actual": T, "Predicted": IG})
    euros = {"id": made.ids(1), "default": made.say("1", "0"), "pd": made.p}
    euros["exposure (EUR)"] = [_spelled(v, ",", ".", 0) for v in made.amount]
    _add(
        "whole_euros_with_points",
        _text(_lines(euros, ";", ",")),
        roles={"default": T, "pd": P, "exposure (EUR)": IN},
        numbers={"exposure (EUR)": np.round(made.amount)},
    )
    times = {"id": made.ids(1), "default": made.say("1", "0"), "pd": made.p}
    times["seen"] = [
        f"2024-{1 + k % 12:02d}-{1 + k % 28:02d}T08:{k % 60:02d}:00Z" for k in range(ROWS)
    ]
    _add("times_with_a_zone", _text(_lines(times)), roles={"default": T, "pd": P})
    tiny = {
        "id": made.ids(1),
        "fraud": made.say("1", "0"),
        "p_fraud": [f"{p / 1e4:.3e}" for p in made.p],
    }
    _add("chances_as_powers_of_ten", _text(_lines(tiny)), roles={"fraud": T, "p_fraud": P})
    _tools()


def _tools() -> None:
    made = Cases(60)
    both = np.column_stack([1 - made.p, made.p]).round(4)
    h2o = {
        "predict": np.where(made.p > 0.5, 1, 0),
        "p0": both[:, 0],
        "p1": both[:, 1],
        "y": made.y.astype(int),
    }
    _add("h2o", _text(_lines(h2o)), roles={"predict": IG, "p0": P, "p1": P, "y": T})
    knime = {"BAD": made.say("1", "0"), "P (BAD=0)": both[:, 0], "P (BAD=1)": both[:, 1]}
    _add("knime", _text(_lines(knime)), roles={"BAD": T, "P (BAD=0)": P, "P (BAD=1)": P})
    weka = {"inst#": made.ids(1), "actual": made.say("2:bad", "1:good"), "prediction": made.p}
    _add("weka", _text(_lines(weka)), roles={"actual": T}, levels=("2:bad", "1:good"))
    azure = {
        "Label": made.say("1", "0"),
        "Scored Labels": np.where(made.p > 0.5, 1, 0),
        "Scored Probabilities": made.p,
    }
    _add(
        "azure",
        _text(_lines(azure)),
        roles={"Label": T, "Scored Labels": IG, "Scored Probabilities": P},
    )
    alto = {
        "customer": made.ids(1),
        "target": made.say("1", "0"),
        "model_1_score": made.p,
        "model_2_score": made.q,
    }
    _add(
        "numbered_models",
        _text(_lines(alto)),
        roles={"target": T, "model_1_score": P, "model_2_score": P},
        models=("model 1", "model 2"),
    )
    uplift = {
        "client_id": made.ids(1),
        "treatment_flg": made.draw.integers(0, 2, ROWS),
        "target": made.say("1", "0"),
        "uplift_score": made.odds / 10,
    }
    _add(
        "x5_retail",
        _text(_lines(uplift)),
        roles={"client_id": ID, "treatment_flg": Role.TREATMENT, "target": T},
    )
    criteo = {
        "f0": made.odds,
        "treatment": made.draw.integers(0, 2, ROWS),
        "conversion": made.say("1", "0"),
        "visit": made.say("1", "1"),
        "exposure": made.draw.integers(0, 2, ROWS),
    }
    _add("criteo", _text(_lines(criteo)), roles={"treatment": Role.TREATMENT, "conversion": T})
    lung = {
        "inst": made.draw.integers(1, 9, ROWS),
        "time": made.draw.integers(5, 900, ROWS),
        "status": np.where(made.y, 2, 1),
        "age": made.age,
    }
    _add(
        "lung",
        _text(_lines(lung)),
        roles={"time": Role.EXIT, "status": T},
        levels=("1", "2"),
        event="2",
    )
    fixed = {
        "IDpol": made.ids(1),
        "ClaimNb": made.draw.poisson(0.3, ROWS),
        "Exposure": np.round(made.draw.uniform(0.1, 1, ROWS), 2),
        "Area": made.draw.choice(list("ABC"), ROWS),
    }
    _add(
        "french_motor",
        _text(_lines(fixed)),
        roles={"IDpol": ID, "ClaimNb": T, "Exposure": IG, "Area": IN},
        kind="interval",
    )
    doctor = {
        "pid": made.ids(1),
        "numvisit": made.draw.poisson(2.0, ROWS),
        "age": made.age,
        "predicted_numvisit": made.amount / 1e4,
    }
    _add(
        "visits_predicted",
        _text(_lines(doctor)),
        roles={"numvisit": T, "predicted_numvisit": V},
        kind="interval",
    )


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

    _add("everything_is_text", _book(all_texts), **usual, columns=(*table, "Age"))

    def currency(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        _put(sheet, {**table, "Amount": [f"€ {_spelled(v, '.', ',')}" for v in made.amount]})

    _add(
        "amounts_with_a_sign",
        _book(currency),
        **{**usual, "numbers": {"PD": made.p, "Amount": made.amount}},
    )

    def gaps(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        _put(
            sheet,
            {**table, "PD": ["n/a" if k in (4, 9) else float(p) for k, p in enumerate(made.p)]},
        )

    _add("na_among_numbers", _book(gaps), roles=usual["roles"], event="Yes")

    def flags(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        _put(sheet, {**table, "Default": [bool(y) for y in made.y]})

    _add("true_and_false_cells", _book(flags), roles=usual["roles"], event="true")

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

    _add("merged_groups_of_rows", _book(groups), **usual, warns=("merged",))

    def pivot(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        _put(sheet, table)
        other = book.add_worksheet("Pivot")
        other.write_row(2, 0, ["Row labels", "Count of Loan", "Sum of Amount"])
        for k, grade in enumerate(("No", "Yes", "Grand Total")):
            other.write_row(3 + k, 0, [grade, 75, 1000.0 * k])

    _add("a_pivot_on_another_sheet", _book(pivot), **usual, settings={"part": "Loans"})

    def long_note(book: Any) -> None:
        sheet = book.add_worksheet("Read me")
        for k in range(30):
            sheet.write(k, 0, f"Note {k}: how these figures came about")
        _put(book.add_worksheet("Data"), table, top=1)

    _add("read_me_first", _book(long_note), **usual)

    def one_sum_a_group(book: Any) -> None:
        sheet = book.add_worksheet("Loans")
        _put(sheet, table)
        sheet.write_row(ROWS + 1, 0, ["Total", "", float(made.amount.sum()), ""])
        sheet.write_row(
            ROWS + 2, 0, ["Average", "", float(made.amount.mean()), float(made.p.mean())]
        )
        sheet.write_row(ROWS + 4, 0, ["Source: core banking"])

    _add("total_average_and_source", _book(one_sum_a_group), **usual, left_out=3)


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

    _add(
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

    _add(
        "stata_three_labelled_classes",
        dta,
        roles={"status": T, "p_paid": P, "p_late": P, "p_default": P},
        kind="multiclass",
    )


def odd_files() -> list[OddFile]:
    """All of them, the same on every machine."""
    if not FILES:
        for make in (
            _plain_texts,
            _european,
            _headers,
            _outcomes,
            _classes,
            _structures,
            _books,
            _frames,
            _mixed_offices,
            _more_books,
            _survey,
        ):
            make()
    return FILES
