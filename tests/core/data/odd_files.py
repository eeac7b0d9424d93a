"""Odd but ordinary business files, made by a seed, each with what a person would read in it.

Spellings of English, German, French, Swiss, Spanish and Dutch offices; preambles, footers, units,
two rows of names; workbooks with merged cells, hidden sheets and faults; labels of SPSS and Stata.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.document.model import Role
from tests.core.data.odd_books import add_books
from tests.core.data.odd_making import (
    FILES,
    ID,
    IG,
    IN,
    ROWS,
    Cases,
    OddFile,
    P,
    S,
    T,
    V,
    W,
    add,
    lines_of,
    spelled,
    text_file,
)

# ---------------------------------------------------------------- delimited text


def _plain_texts() -> None:
    made = Cases(1)
    base = {"Customer": made.ids(1000), "Default": made.say("yes", "no"), "PD": made.p}
    roles = {"Customer": ID, "Default": T, "PD": P}
    usual = {"roles": roles, "event": "yes", "numbers": {"PD": made.p}}
    lines = lines_of(base)
    add("plain", text_file(lines), **usual)
    add("bom_crlf", text_file(lines, encoding="utf-8-sig", end="\r\n"), **usual)
    add("old_mac_ends", text_file(lines, end="\r"), **usual)
    add("utf16_with_mark", text_file(lines, encoding="utf-16", end="\r\n"), **usual)
    add("tabs_as_txt", text_file(lines_of(base, "\t"), name="cases.txt"), **usual)
    add("bars", text_file(lines_of(base, "|")), **usual)
    add(
        "trailing_separators",
        text_file([line + ",,," for line in lines]),
        **usual,
        warns=("Columns 4, 5, 6 have no name",),
    )
    add("blank_lines_at_the_end", text_file([*lines, "", "", ""]), **usual)
    blank = [*lines, ",,", ",,", ",,"]
    add("separators_only_at_the_end", text_file(blank), **usual, left_out=3)
    add("blank_line_under_names", text_file([lines[0], "", *lines[1:]]), **usual)
    quoted = [",".join(f'"{cell}"' for cell in line.split(",")) for line in lines]
    add("all_cells_quoted", text_file(quoted), **usual)
    spaced = [", ".join(line.split(",")) for line in lines]
    add("blanks_after_commas", text_file(spaced), **usual, columns=tuple(base))
    add(
        "numbered_rows_without_a_name",
        text_file(["," + lines[0], *(f"{k},{line}" for k, line in enumerate(lines[1:]))]),
        roles={"Default": T, "PD": P},
        event="yes",
    )
    add(
        "report_head_and_foot",
        text_file(
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
    add(
        "records_counted_at_the_foot",
        text_file([*lines, f"({ROWS} rows affected)"]),
        **usual,
        left_out=1,
    )


def _european() -> None:
    made = Cases(2)
    money = [spelled(v, ",", ".") for v in made.amount]
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
    lines = lines_of(german, ";", ",")
    add("german_utf8", text_file(lines), **usual)
    add("german_latin1", text_file(lines, encoding="cp1252"), **usual)
    units = ";".join(["", "J/N", "EUR", "in %"])
    percent = {**german, "Ausfallwahrscheinlichkeit": np.round(100 * made.p, 2)}
    read = {"Kreditbetrag": made.amount, "Ausfallwahrscheinlichkeit": np.round(100 * made.p, 2)}
    under = lines_of(percent, ";", ",")
    add(
        "german_units_row",
        text_file([under[0], units, *under[1:]]),
        **{**usual, "numbers": read},
        left_out=1,
    )
    add(
        "german_padded_title",
        text_file(["Kreditportfolio;;;", "Stichtag 31.12.2025;;;", ";;;", *lines]),
        **usual,
    )
    total = f"Gesamt;;{spelled(made.amount.sum(), ',', '.')};"
    add("german_total", text_file([*lines, total]), **usual, left_out=1)
    made = Cases(3)
    swiss = {
        "Kunden-ID": made.ids(50),
        "ausgefallen": made.say("ja", "nein"),
        "Kreditsumme": [f"CHF {spelled(v, '.', chr(39))}" for v in made.amount],
        "PD": [f"{100 * p:.2f}%" for p in made.p],
    }
    roles = {"Kunden-ID": ID, "ausgefallen": T, "PD": P}
    numbers = {"Kreditsumme": made.amount, "PD": made.p}
    add("swiss", text_file(lines_of(swiss, ";")), roles=roles, event="ja", numbers=numbers)
    curly = {**swiss, "Kreditsumme": [spelled(v, ".", "\u2019") for v in made.amount]}
    add("swiss_curly", text_file(lines_of(curly, ";")), roles=roles, event="ja", numbers=numbers)
    _romance()


def _romance() -> None:
    made = Cases(4)
    french = {
        "N° client": made.ids(300),
        "Défaut (oui/non)": made.say("Oui", "Non"),
        "Montant prêt (€)": [spelled(v, ",", "\u00a0") for v in made.amount],
        "Probabilité": [f"{spelled(100 * p, ',', '')} %" for p in made.p],
    }
    roles = {"N° client": ID, "Défaut (oui/non)": T, "Probabilité": P}
    numbers = {"Montant prêt (€)": made.amount, "Probabilité": made.p}
    add("french", text_file(lines_of(french, ";")), roles=roles, event="Oui", numbers=numbers)
    latin = text_file(lines_of(french, ";"), encoding="cp1252")
    add("french_latin1", latin, roles=roles, event="Oui", numbers=numbers)
    made = Cases(5)
    spanish = {
        "Nº cliente": made.ids(10),
        "Impago": made.say("Sí", "No"),
        "Importe del préstamo": [f"{spelled(v, ',', '.')} €" for v in made.amount],
        "Probabilidad de impago": made.p,
    }
    roles = {"Nº cliente": ID, "Impago": T, "Probabilidad de impago": P}
    numbers = {"Importe del préstamo": made.amount, "Probabilidad de impago": made.p}
    add("spanish", text_file(lines_of(spanish, ";", ",")), roles=roles, event="Sí", numbers=numbers)
    made = Cases(6)
    dutch = {
        "Klantnummer": made.ids(10),
        "Wanbetaling": made.say("ja", "nee"),
        "Leenbedrag": [f"€ {spelled(v, ',', '.')}" for v in made.amount],
        "Kans op wanbetaling": made.p,
    }
    roles = {"Klantnummer": ID, "Wanbetaling": T, "Kans op wanbetaling": P}
    numbers = {"Leenbedrag": made.amount, "Kans op wanbetaling": made.p}
    add("dutch", text_file(lines_of(dutch, ";", ",")), roles=roles, event="ja", numbers=numbers)
    made = Cases(7)
    italian = {
        "Codice cliente": made.ids(10),
        "Insolvenza": made.say("sì", "no"),
        "Importo": [spelled(v, ",", ".") for v in made.amount],
        "Probabilità": made.p,
    }
    roles = {"Codice cliente": ID, "Insolvenza": T, "Probabilità": P}
    add("italian", text_file(lines_of(italian, ";", ",")), roles=roles, event="sì")


def _headers() -> None:
    made = Cases(8)
    a, b = made.p, made.q
    rows = [
        f"{k};{y};{p:.4f};{q:.4f}"
        for k, y, p, q in zip(made.ids(), made.say("1", "0"), a, b, strict=True)
    ]
    add(
        "two_rows_of_names",
        text_file(["Loan;Outcome;Model A;Model B", "id;default;PD;PD", *rows]),
        rows=ROWS,
        settings={"skip_lines": 1},
        columns=("id", "default", "Model A PD", "Model B PD"),
        roles={"id": ID, "default": T, "Model A PD": P, "Model B PD": P},
    )
    add(
        "a_name_that_is_empty",
        text_file(["id;;p_one;p_two", *rows]),
        roles={"id": ID, "p_one": P, "p_two": P, "column_2": T},
    )
    add(
        "names_twice",
        text_file(["id;default;PD;PD", *rows]),
        refuses=("PD", "column", "3", "4"),
    )
    add(
        "names_of_several_lines",
        text_file(['id;default;"PD\nmodel A";"PD\nmodel B"', *rows]),
        roles={"id": ID, "default": T},
        models=("model A", "model B"),
    )
    add(
        "no_names",
        text_file(rows),
        columns=("column_1", "column_2", "column_3", "column_4"),
        settings={"has_header": False},
        roles={"column_2": T, "column_3": P, "column_4": P},
    )
    capital = ["ID;DEFAULT_FLAG;PD_MODEL_A;PD_MODEL_B", *rows]
    add(
        "capitals",
        text_file(capital),
        roles={"ID": ID, "DEFAULT_FLAG": T, "PD_MODEL_A": P, "PD_MODEL_B": P},
    )
    camel = ["customerId;isDefault;pdModelA;pdModelB", *rows]
    add(
        "camel_case",
        text_file(camel),
        roles={"customerId": ID, "isDefault": T, "pdModelA": P, "pdModelB": P},
    )


# ---------------------------------------------------------------- outcomes and scores


def _outcomes() -> None:
    made = Cases(9)
    one_two = {"id": made.ids(), "bad": np.where(made.y, 1, 2), "score": made.points}
    add(
        "one_is_the_event_two_is_not",
        text_file(lines_of(one_two)),
        roles={"id": ID, "bad": T, "score": S},
        event="1",
        levels=("1", "2"),
    )
    german = {"id": made.ids(), "class": np.where(made.y, 2, 1), "p_bad": made.p}
    add(
        "german_credit_codes",
        text_file(lines_of(german)),
        roles={"id": ID, "class": T, "p_bad": P},
        levels=("1", "2"),
        event="2",
    )
    signs = {"id": made.ids(), "y": np.where(made.y, 1, -1), "prob": made.p}
    add(
        "minus_one_and_one",
        text_file(lines_of(signs)),
        roles={"id": ID, "y": T, "prob": P},
        levels=("1", "-1"),
        event="1",
    )
    logical = {"id": made.ids(), "churned": made.say("TRUE", "FALSE"), "model": made.p}
    add(
        "true_and_false",
        text_file(lines_of(logical)),
        roles={"id": ID, "churned": T, "model": P},
        levels=("true", "false"),
        event="true",
    )
    ticked = {"id": made.ids(), "Responded": made.say("x", ""), "p_response": made.p}
    add(
        "a_cross_or_nothing",
        text_file(lines_of(ticked)),
        roles={"id": ID, "Responded": T, "p_response": P},
        warns=("Responded",),
    )
    percent = {"account": made.ids(), "charged_off": made.say("1", "0"), "score": 100 * made.p}
    percent["score"] = np.round(percent["score"], 2)
    add(
        "chances_to_100",
        text_file(lines_of(percent)),
        roles={"account": ID, "charged_off": T, "score": P},
        warns=("percent",),
    )
    whole = {"account": made.ids(), "default": made.say("1", "0"), "pd_pct": np.round(100 * made.p)}
    whole["pd_pct"] = whole["pd_pct"].astype(int)
    add(
        "whole_percent",
        text_file(lines_of(whole)),
        roles={"account": ID, "default": T, "pd_pct": P},
        warns=("percent",),
    )
    points = {"account": made.ids(), "default": made.say("1", "0"), "credit_score": made.points}
    add(
        "scores_300_to_850",
        text_file(lines_of(points)),
        roles={"account": ID, "default": T, "credit_score": S},
        warns=("less likely",),
    )
    fico = {"account": made.ids(), "default": made.say("1", "0"), "FICO": made.points}
    add("fico", text_file(lines_of(fico)), roles={"account": ID, "default": T, "FICO": S})
    odds = {"account": made.ids(), "default": made.say("1", "0"), "log_odds": made.odds}
    add("log_odds", text_file(lines_of(odds)), roles={"account": ID, "default": T, "log_odds": S})
    link = {"account": made.ids(), "default": made.say("1", "0"), "xbeta": made.odds}
    add(
        "linear_predictor",
        text_file(lines_of(link)),
        roles={"account": ID, "default": T, "xbeta": S},
    )
    decile = {"id": made.ids(), "response": made.say("1", "0"), "p": made.p}
    decile["decile"] = (np.argsort(np.argsort(-made.p)) * 10 // ROWS + 1).astype(int)
    add(
        "deciles_beside_the_chance",
        text_file(lines_of(decile)),
        roles={"id": ID, "response": T, "p": P},
        models=("model",),
    )
    both = {"id": made.ids(), "target": made.say("1", "0"), "prob_0": 1 - made.p, "prob_1": made.p}
    both["prob_0"] = np.round(both["prob_0"], 4)
    add(
        "a_column_for_each_of_two",
        text_file(lines_of(both)),
        roles={"target": T, "prob_0": P, "prob_1": P},
    )
    one = {"id": made.ids(), "default": ["no"] * ROWS, "pd": made.p}
    add("one_class", text_file(lines_of(one)), roles={"default": T, "pd": P}, warns=("2 classes",))
    lack = {"id": made.ids(), "default": made.say("1", "0"), "pd_a": list(made.p), "pd_b": made.q}
    lack["pd_a"] = ["" if k == 7 else repr(float(v)) for k, v in enumerate(made.p)]
    add("one_lacks_a_score", text_file(lines_of(lack)), roles={"default": T, "pd_a": P, "pd_b": P})
    marks = {
        **lack,
        "pd_a": ["n/a" if k in (3, 9) else repr(float(v)) for k, v in enumerate(made.p)],
    }
    add("scores_with_na", text_file(lines_of(marks)), roles={"default": T, "pd_a": P, "pd_b": P})
    dash = {**lack, "pd_a": ["-" if k in (3, 9) else repr(float(v)) for k, v in enumerate(made.p)]}
    add(
        "scores_with_dashes",
        text_file(lines_of(dash)),
        settings={"missing_marks": ("", "-")},
        roles={"default": T, "pd_a": P, "pd_b": P},
    )
    wide = {"loan_id": made.ids(), "loan_status": made.say("Charged Off", "Fully Paid")}
    wide |= {
        "loan_amnt": made.amount,
        "int_rate": [f"{v:.2f}%" for v in 5 + 20 * made.q],
        "pd": made.p,
    }
    add(
        "lending_club",
        text_file(lines_of(wide)),
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
        add(
            f"three_classes_{digits}_digits",
            text_file(lines_of(columns)),
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
    add(
        "german_classes_in_percent",
        text_file(lines_of(german, ";", ",")),
        roles={"Nr": ID, "Verlauf": T} | {n: P for n in german if n.startswith("Modell")},
        kind="multiclass",
        models=("Modell neu", "Modell alt"),
    )
    low = {"id": made.ids(), "risk_class": made.draw.choice(["A", "B", "C", "D"], ROWS)}
    shares = np.round(made.draw.dirichlet([3, 3, 2, 1], ROWS), 3)
    low |= {f"prob.{n}": shares[:, k] for k, n in enumerate("ABCD")}
    add(
        "letters_as_classes",
        text_file(lines_of(low)),
        roles={"risk_class": T} | {f"prob.{n}": P for n in "ABCD"},
        kind="multiclass",
    )
    coded = {"id": made.ids(), "y": made.draw.integers(0, 3, ROWS)}
    shares = made.three(5)
    coded |= {f"class_{k}": shares[:, k] for k in range(3)}
    add(
        "numbers_as_classes",
        text_file(lines_of(coded)),
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
    add(
        "months_and_event",
        text_file(lines_of(months)),
        roles={"patient": ID, "months": Role.EXIT, "event": T},
    )
    reported = {
        "Patient": made.ids(),
        "OS_days": (made.draw.exponential(600, ROWS) + 1).astype(int),
        "OS_status": made.say("DECEASED", "LIVING"),
    }
    add(
        "overall_survival",
        text_file(lines_of(reported)),
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
    add(
        "claims_and_exposure",
        text_file(lines_of(count)),
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
    add(
        "hillstrom",
        text_file(lines_of(sale)),
        roles={"customer": ID, "segment": Role.TREATMENT, "visit": T},
        event="1",
    )
    test = {
        "Klant": made.ids(),
        "Groep": made.draw.choice(["controle", "brief"], ROWS),
        "Aankoop": made.say("ja", "nee"),
    }
    add(
        "dutch_test",
        text_file(lines_of(test, ";")),
        roles={"Klant": ID, "Groep": Role.TREATMENT, "Aankoop": T},
        event="ja",
    )
    weighted = {
        "id": made.ids(),
        "weight": made.draw.integers(1, 5, ROWS),
        "target": made.say("1", "0"),
        "p_target": made.p,
    }
    add("weights", text_file(lines_of(weighted)), roles={"weight": W, "target": T, "p_target": P})
    price = np.round(made.amount / 10)
    house = {
        "id": made.ids(),
        "SalePrice": price,
        "predicted_price": np.round(price * 1.05, 1),
        "area": made.age,
    }
    add(
        "house_prices",
        text_file(lines_of(house)),
        roles={"SalePrice": T, "predicted_price": V},
        kind="interval",
    )
    split = {
        "id": made.ids(),
        "set": made.draw.choice(["train", "test"], ROWS),
        "y": made.y.astype(int),
        "p_gbm": made.p,
    }
    add(
        "train_and_test",
        text_file(lines_of(split)),
        roles={"set": Role.ROW_USE, "y": T, "p_gbm": P},
    )
    wide: dict[str, Any] = {"cust_id": made.ids(100, 6), "bad_flag": made.y.astype(int)}
    wide |= {f"v{k:03d}": np.round(made.draw.normal(size=ROWS), 3) for k in range(198)}
    add(
        "wide_200",
        text_file(lines_of(wide)),
        roles={"cust_id": ID, "bad_flag": T, "v000": IN, "v197": IN},
        texts={"cust_id": made.ids(100, 6)},
    )
    date = {
        "id": made.ids(),
        "opened": [f"{1 + k % 28:02d}.{1 + k % 12:02d}.2024" for k in range(ROWS)],
        "default": made.y.astype(int),
        "pd": made.p,
    }
    add("german_dates", text_file(lines_of(date, ";")), roles={"opened": IN, "default": T, "pd": P})
    made2 = Cases(22)
    none = {"name": made2.ids(), "income": made2.amount, "age": made2.age}
    add("no_outcome_at_all", text_file(lines_of(none)), roles={"income": IN, "age": IN})


# ---------------------------------------------------------------- a second helping


def _mixed_offices() -> None:
    made = Cases(50)
    euro = {
        "Kunde": made.ids(10),
        "Zahlungsausfall": made.say("Ja", "Nein"),
        "Kreditvolumen TEUR": [spelled(v / 1000, ",", ".", 3) for v in made.amount],
        "PD in %": [spelled(100 * p, ",", "") for p in made.p],
    }
    roles = {"Kunde": ID, "Zahlungsausfall": T, "PD in %": P}
    add("german_thousands_of_euro", text_file(lines_of(euro, ";")), roles=roles, event="Ja")
    plus = {
        "Kd-Nr": made.ids(4711, 6),
        "Status": made.say("ausgefallen", "zurückgezahlt"),
        "Scorewert": made.points,
        "Rating": made.draw.choice(list("ABCD"), ROWS),
    }
    roles = {"Kd-Nr": ID, "Status": T, "Scorewert": S, "Rating": IN}
    add("german_status_words", text_file(lines_of(plus, ";")), roles=roles, event="ausgefallen")
    french = {
        "Réf. dossier": made.ids(10, 6),
        "Impayé": made.say("O", "N"),
        "Montant": [f"{spelled(v, ',', ' ')} €" for v in made.amount],
        "Score": made.points,
    }
    roles = {"Réf. dossier": ID, "Impayé": T, "Score": S}
    numbers = {"Montant": made.amount}
    add("french_o_and_n", text_file(lines_of(french, ";")), roles=roles, event="O", numbers=numbers)
    spanish = {
        "ID_CLIENTE": made.ids(10),
        "MOROSO": made.say("S", "N"),
        "PROB_MORA": made.p,
    }
    roles = {"ID_CLIENTE": ID, "MOROSO": T, "PROB_MORA": P}
    add("spanish_s_and_n", text_file(lines_of(spanish, ";", ",")), roles=roles, event="S")
    kept = {"Kundennr.": made.ids(10), "Kündiger": made.say("1", "0"), "Kündigungs-WS": made.p}
    roles = {"Kundennr.": ID, "Kündiger": T, "Kündigungs-WS": P}
    add("german_short_for_probability", text_file(lines_of(kept, ";", ",")), roles=roles)
    dutch = {"Polisnummer": made.ids(1), "Schade": made.say("ja", "nee"), "Schadekans": made.p}
    roles = {"Polisnummer": ID, "Schade": T, "Schadekans": P}
    add("dutch_compound", text_file(lines_of(dutch, ";", ",")), roles=roles, event="ja")
    tick = {"member": made.ids(1), "renewed": made.say("No", "Yes"), "p_renew": 1 - made.p}
    tick["p_renew"] = np.round(tick["p_renew"], 3)
    add("renewals", text_file(lines_of(tick)), roles={"renewed": T, "p_renew": P}, event="Yes")
    model = {"id": made.ids(1), "outcome": made.say("1", "0"), "XGBoost": made.p, "LogReg": made.q}
    add(
        "columns_called_by_the_models",
        text_file(lines_of(model)),
        roles={"outcome": T, "XGBoost": P, "LogReg": P},
        models=("XGBoost", "LogReg"),
    )
    sure = {"ID": made.ids(1), "Actual": made.say("Churn", "No churn"), "Predicted": made.p}
    sure["Predicted"] = [f"{100 * p:.1f}%" for p in made.p]
    add(
        "actual_and_predicted",
        text_file(lines_of(sure)),
        roles={"Actual": T, "Predicted": P},
        event="Churn",
    )
    klass = {"ID": made.ids(1), "Actual": made.say("Bad", "Good")}
    klass |= {"Predicted": ["Bad" if p > 0.4 else "Good" for p in made.p], "Confidence": made.p}
    add("predicted_classes", text_file(lines_of(klass)), roles={"Actual": T, "Predicted": IG})
    euros = {"id": made.ids(1), "default": made.say("1", "0"), "pd": made.p}
    euros["exposure (EUR)"] = [spelled(v, ",", ".", 0) for v in made.amount]
    add(
        "whole_euros_with_points",
        text_file(lines_of(euros, ";", ",")),
        roles={"default": T, "pd": P, "exposure (EUR)": IN},
        numbers={"exposure (EUR)": np.round(made.amount)},
    )
    times = {"id": made.ids(1), "default": made.say("1", "0"), "pd": made.p}
    times["seen"] = [
        f"2024-{1 + k % 12:02d}-{1 + k % 28:02d}T08:{k % 60:02d}:00Z" for k in range(ROWS)
    ]
    add("times_with_a_zone", text_file(lines_of(times)), roles={"default": T, "pd": P})
    tiny = {
        "id": made.ids(1),
        "fraud": made.say("1", "0"),
        "p_fraud": [f"{p / 1e4:.3e}" for p in made.p],
    }
    add("chances_as_powers_of_ten", text_file(lines_of(tiny)), roles={"fraud": T, "p_fraud": P})
    grade = {"id": made.ids(1), "class": made.draw.integers(1, 6, ROWS)}
    grade["predicted_class"] = made.draw.integers(1, 6, ROWS)
    add(
        "classes_of_five_numbers",
        text_file(lines_of(grade)),
        roles={"class": T, "predicted_class": IG},
        kind="multiclass",
    )
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
    add("h2o", text_file(lines_of(h2o)), roles={"predict": IG, "p0": P, "p1": P, "y": T})
    knime = {"BAD": made.say("1", "0"), "P (BAD=0)": both[:, 0], "P (BAD=1)": both[:, 1]}
    add("knime", text_file(lines_of(knime)), roles={"BAD": T, "P (BAD=0)": P, "P (BAD=1)": P})
    weka = {"inst#": made.ids(1), "actual": made.say("2:bad", "1:good"), "prediction": made.p}
    add("weka", text_file(lines_of(weka)), roles={"actual": T}, levels=("2:bad", "1:good"))
    azure = {
        "Label": made.say("1", "0"),
        "Scored Labels": np.where(made.p > 0.5, 1, 0),
        "Scored Probabilities": made.p,
    }
    add(
        "azure",
        text_file(lines_of(azure)),
        roles={"Label": T, "Scored Labels": IG, "Scored Probabilities": P},
    )
    alto = {
        "customer": made.ids(1),
        "target": made.say("1", "0"),
        "model_1_score": made.p,
        "model_2_score": made.q,
    }
    add(
        "numbered_models",
        text_file(lines_of(alto)),
        roles={"target": T, "model_1_score": P, "model_2_score": P},
        models=("model 1", "model 2"),
    )
    uplift = {
        "client_id": made.ids(1),
        "treatment_flg": made.draw.integers(0, 2, ROWS),
        "target": made.say("1", "0"),
        "uplift_score": made.odds / 10,
    }
    add(
        "x5_retail",
        text_file(lines_of(uplift)),
        roles={"client_id": ID, "treatment_flg": Role.TREATMENT, "target": T},
    )
    criteo = {
        "f0": made.odds,
        "treatment": made.draw.integers(0, 2, ROWS),
        "conversion": made.say("1", "0"),
        "visit": made.say("1", "1"),
        "exposure": made.draw.integers(0, 2, ROWS),
    }
    add("criteo", text_file(lines_of(criteo)), roles={"treatment": Role.TREATMENT, "conversion": T})
    lung = {
        "inst": made.draw.integers(1, 9, ROWS),
        "time": made.draw.integers(5, 900, ROWS),
        "status": np.where(made.y, 2, 1),
        "age": made.age,
    }
    add(
        "lung",
        text_file(lines_of(lung)),
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
    add(
        "french_motor",
        text_file(lines_of(fixed)),
        roles={"IDpol": ID, "ClaimNb": T, "Exposure": IG, "Area": IN},
        kind="interval",
    )
    doctor = {
        "pid": made.ids(1),
        "numvisit": made.draw.poisson(2.0, ROWS),
        "age": made.age,
        "predicted_numvisit": made.amount / 1e4,
    }
    add(
        "visits_predicted",
        text_file(lines_of(doctor)),
        roles={"numvisit": T, "predicted_numvisit": V},
        kind="interval",
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
            _mixed_offices,
            add_books,
        ):
            make()
    return FILES
