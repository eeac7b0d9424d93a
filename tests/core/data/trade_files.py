"""Ordinary business files of a bank, a marketing department, a hospital and an insurer, by seed.

Each is one table with its roles as a person would name them; it is written as csv in the spelling
of its language, as a workbook, as Parquet and as an SPSS file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import xlsxwriter

from core.document.model import Role

ROWS = 240
Columns = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class TradeFile:
    """One file: its columns, how a person of that trade would read them."""

    name: str
    language: str  # "en", "de" or "fr"
    columns: Columns
    roles: dict[str, Role]
    target: str = ""
    kind: str = "binary"
    event: str = ""
    models: tuple[str, ...] = ()
    percent: tuple[str, ...] = ()  # columns written as "6,96 %"
    money: tuple[str, ...] = ()  # columns written with a currency
    has_total: bool = False
    title: str = ""
    notes: tuple[str, ...] = field(default=())


def _draw(seed: int) -> tuple[np.random.Generator, np.ndarray, np.ndarray]:
    """A generator, a chance by row, and an event drawn by it."""
    draw = np.random.default_rng(seed)
    probability = np.round(draw.beta(1.2, 4.0, ROWS), 4).clip(0.002, 0.97)
    return draw, probability, draw.random(ROWS) < probability


def _ids(letter: str) -> list[str]:
    return [f"{letter}{100_000 + 7 * row}" for row in range(ROWS)]


def _noisy(draw: np.random.Generator, probability: np.ndarray) -> np.ndarray:
    odds = np.log(probability / (1.0 - probability)) + draw.normal(0.0, 0.5, ROWS)
    return np.round(1.0 / (1.0 + np.exp(-odds)), 4)


def _amounts(draw: np.random.Generator) -> np.ndarray:
    return np.round(np.exp(draw.normal(8.8, 0.7, ROWS)), 2)


def _words(event: np.ndarray, yes: str, no: str) -> list[str]:
    return [yes if one else no for one in event]


def _bank() -> list[TradeFile]:
    draw, probability, bad = _draw(1)
    german = TradeFile(
        name="kreditbestand",
        language="de",
        columns={
            "Kundennummer": _ids("K"),
            "Ausfall": _words(bad, "ja", "nein"),
            "Kreditbetrag": _amounts(draw),
            "PD Modell A": probability,
            "PD Modell B": _noisy(draw, probability),
        },
        roles={
            "Kundennummer": Role.ID,
            "Ausfall": Role.TARGET,
            "PD Modell A": Role.POSTERIOR,
            "PD Modell B": Role.POSTERIOR,
        },
        target="Ausfall",
        event="ja",
        models=("Modell A", "Modell B"),
        percent=("PD Modell A", "PD Modell B"),
        money=("Kreditbetrag",),
        has_total=True,
        title="Kreditbestand zum 31.03.2026",
    )
    draw, probability, bad = _draw(2)
    french = TradeFile(
        name="dossiers",
        language="fr",
        columns={
            "N° dossier": _ids("D"),
            "Défaut": _words(bad, "oui", "non"),
            "Montant du prêt": _amounts(draw),
            "Probabilité de défaut": probability,
        },
        roles={
            "Défaut": Role.TARGET,
            "Probabilité de défaut": Role.POSTERIOR,
            "N° dossier": Role.ID,
        },
        target="Défaut",
        event="oui",
        money=("Montant du prêt",),
        percent=("Probabilité de défaut",),
        has_total=True,
    )
    draw, probability, bad = _draw(3)
    points = np.round(650.0 - 60.0 * np.log(probability / (1.0 - probability)) / 1.5).astype(int)
    card = TradeFile(
        name="scorecard",
        language="en",
        columns={
            "Account No": _ids("A"),
            "Scorecard points": points,
            "Bad flag": bad.astype(int),
            "Loan amount": _amounts(draw),
        },
        roles={"Account No": Role.ID, "Scorecard points": Role.SCORE, "Bad flag": Role.TARGET},
        target="Bad flag",
        event="1",
        money=("Loan amount",),
        title="Application scorecard, monitoring sample",
    )
    draw, probability, bad = _draw(4)
    fraud = TradeFile(
        name="transactions",
        language="en",
        columns={
            "transaction_id": _ids("T"),
            "amount": _amounts(draw),
            "is_fraud": bad,
            "fraud_score": np.round(1000 * probability).astype(int),
        },
        roles={"transaction_id": Role.ID, "is_fraud": Role.TARGET, "fraud_score": Role.SCORE},
        target="is_fraud",
        event="true",
    )
    return [german, french, card, fraud, *_bank_classes()]


def _bank_classes() -> list[TradeFile]:
    """Three ends of a loan with the chances of two models, in each language."""
    words = {
        "en": ("loan status", ("good", "late", "default"), "loan amount", "challenger"),
        "de": ("Status", ("bezahlt", "verspätet", "Ausfall"), "Darlehensbetrag", "Agentur"),
        "fr": ("Statut", ("remboursé", "retard", "défaut"), "Montant du crédit", "agence"),
    }
    files = []
    for seed, (language, (status, levels, amount, other)) in enumerate(words.items(), start=20):
        draw = np.random.default_rng(seed)
        end = draw.choice(3, ROWS, p=[0.65, 0.2, 0.15])
        columns: Columns = {"Id": _ids("L"), status: [levels[k] for k in end]}
        columns[amount] = _amounts(draw)
        roles = {"Id": Role.ID, status: Role.TARGET}
        models = ("Scorecard", other)
        for model in models:
            shares = np.round(draw.dirichlet([5, 2, 1], ROWS), 4)
            for place, level in enumerate(levels):
                columns[f"{model} {level}"] = shares[:, place]
                roles[f"{model} {level}"] = Role.POSTERIOR
        files.append(
            TradeFile(
                name=f"loans_{language}",
                language=language,
                columns=columns,
                roles=roles,
                target=status,
                kind="multiclass",
                models=models,
                percent=tuple(name for name in columns if name.startswith(other)),
                money=(amount,),
                has_total=True,
            )
        )
    return files


def _marketing() -> list[TradeFile]:
    draw, probability, event = _draw(5)
    mail = TradeFile(
        name="mailing",
        language="en",
        columns={
            "Customer ID": _ids("C"),
            "Group": draw.choice(["Control", "Mailed"], ROWS),
            "Responded": _words(event, "Yes", "No"),
            "Order value": np.where(event, _amounts(draw), 0.0),
        },
        roles={"Customer ID": Role.ID, "Group": Role.TREATMENT, "Responded": Role.TARGET},
        target="Responded",
        event="Yes",
        money=("Order value",),
    )
    draw, probability, event = _draw(6)
    test = TradeFile(
        name="gutscheintest",
        language="de",
        columns={
            "Kunden-Nr.": _ids("K"),
            "Gruppe": draw.choice(["Kontrolle", "Gutschein"], ROWS),
            "Kauf": _words(event, "Ja", "Nein"),
            "Umsatz": np.where(event, _amounts(draw), 0.0),
        },
        roles={"Kunden-Nr.": Role.ID, "Gruppe": Role.TREATMENT, "Kauf": Role.TARGET},
        target="Kauf",
        event="Ja",
        money=("Umsatz",),
        has_total=True,
    )
    draw, probability, event = _draw(7)
    sale = TradeFile(
        name="campagne",
        language="fr",
        columns={
            "Identifiant": _ids("F"),
            "Groupe": draw.choice(["témoin", "courrier"], ROWS),
            "Achat": _words(event, "oui", "non"),
            "Score modèle": probability,
        },
        roles={
            "Identifiant": Role.ID,
            "Groupe": Role.TREATMENT,
            "Achat": Role.TARGET,
            "Score modèle": Role.POSTERIOR,
        },
        target="Achat",
        event="oui",
    )
    return [mail, test, sale]


def _retention() -> list[TradeFile]:
    draw, probability, event = _draw(8)
    churn = TradeFile(
        name="churn",
        language="en",
        columns={
            "Customer": _ids("C"),
            "Tenure": draw.integers(1, 72, ROWS),
            "Churn": _words(event, "Yes", "No"),
            "Churn probability": probability,
        },
        roles={"Customer": Role.ID, "Churn": Role.TARGET, "Churn probability": Role.POSTERIOR},
        target="Churn",
        event="Yes",
        percent=("Churn probability",),
    )
    draw, probability, event = _draw(9)
    leaving = TradeFile(
        name="kuendiger",
        language="de",
        columns={
            "Vertragsnummer": _ids("V"),
            "Gekündigt": _words(event, "ja", "nein"),
            "Kündigungswahrscheinlichkeit": probability,
        },
        roles={
            "Vertragsnummer": Role.ID,
            "Gekündigt": Role.TARGET,
            "Kündigungswahrscheinlichkeit": Role.POSTERIOR,
        },
        target="Gekündigt",
        event="ja",
        percent=("Kündigungswahrscheinlichkeit",),
        title="Kündigerprognose",
    )
    draw, probability, event = _draw(10)
    click = TradeFile(
        name="newsletter",
        language="en",
        columns={
            "email_id": _ids("E"),
            "clicked": event.astype(int),
            "p_click": probability,
            "p_click_new": _noisy(draw, probability),
        },
        roles={
            "email_id": Role.ID,
            "clicked": Role.TARGET,
            "p_click": Role.POSTERIOR,
            "p_click_new": Role.POSTERIOR,
        },
        target="clicked",
        event="1",
    )
    return [churn, leaving, click]


def _hospital() -> list[TradeFile]:
    words = {
        "en": ("Patient ID", "Age", "Months", "Died", "Treatment"),
        "de": ("Patienten-Nr", "Alter", "Überlebenszeit (Monate)", "verstorben", "Behandlung"),
        "fr": ("Patient", "Âge", "Suivi (mois)", "décès", "Traitement"),
    }
    answers = {"en": ("yes", "no"), "de": ("ja", "nein"), "fr": ("oui", "non")}
    files = []
    for seed, (language, (who, age, time, died, arm)) in enumerate(words.items(), start=30):
        yes, no = answers[language]
        draw, _probability, event = _draw(seed)
        files.append(
            TradeFile(
                name=f"survival_{language}",
                language=language,
                columns={
                    who: _ids("P"),
                    age: draw.integers(30, 90, ROWS),
                    time: np.round(draw.exponential(20.0, ROWS) + 0.1, 1),
                    died: _words(event, yes, no),
                    arm: draw.choice(["A", "B"], ROWS),
                },
                roles={who: Role.ID, time: Role.EXIT, died: Role.TARGET, arm: Role.TREATMENT},
                target=died,
                event=yes,
            )
        )
    draw, probability, event = _draw(11)
    again = TradeFile(
        name="readmission",
        language="en",
        columns={
            "MRN": _ids("M"),
            "Readmitted within 30 days": _words(event, "Yes", "No"),
            "Predicted risk": probability,
            "LACE": (19 * probability).astype(int),
        },
        roles={
            "MRN": Role.ID,
            "Readmitted within 30 days": Role.TARGET,
            "Predicted risk": Role.POSTERIOR,
        },
        target="Readmitted within 30 days",
        event="Yes",
        percent=("Predicted risk",),
    )
    draw = np.random.default_rng(12)
    levels = ("benign", "malignant", "unclear")
    shares = np.round(draw.dirichlet([5, 2, 1], ROWS), 3)
    triage = TradeFile(
        name="pathology",
        language="en",
        columns={
            "Case no": _ids("C"),
            "Diagnosis": draw.choice(levels, ROWS),
            **{f"P({level})": shares[:, place] for place, level in enumerate(levels)},
        },
        roles={
            "Case no": Role.ID,
            "Diagnosis": Role.TARGET,
            **{f"P({level})": Role.POSTERIOR for level in levels},
        },
        target="Diagnosis",
        kind="multiclass",
    )
    return [*files, again, triage]


def _insurer() -> list[TradeFile]:
    words = {
        "en": ("Policy no", "Exposure", "Claims", "Premium", "Predicted claims"),
        "de": ("Vertragsnummer", "Jahreseinheiten", "Schadenanzahl", "Prämie", "Prognose Anzahl"),
        "fr": ("Numéro de police", "Exposition", "Nombre de sinistres", "Prime", "Prévision"),
    }
    files = []
    for seed, (language, (who, exposure, claims, premium, predicted)) in enumerate(
        words.items(), start=40
    ):
        draw = np.random.default_rng(seed)
        years = np.round(draw.uniform(0.05, 1.0, ROWS), 3)
        mean = np.round(years * draw.gamma(2.0, 0.3, ROWS), 4)
        files.append(
            TradeFile(
                name=f"claims_{language}",
                language=language,
                columns={
                    who: _ids("V"),
                    exposure: years,
                    claims: draw.poisson(mean),
                    premium: _amounts(draw),
                    predicted: mean,
                },
                roles={
                    who: Role.ID,
                    exposure: Role.IGNORED,
                    claims: Role.TARGET,
                    predicted: Role.PREDICTION,
                },
                target=claims,
                kind="interval",
                money=(premium,),
            )
        )
    draw, probability, event = _draw(13)
    lapse = TradeFile(
        name="storno",
        language="de",
        columns={
            "Police": _ids("P"),
            "Storno": _words(event, "J", "N"),
            "Stornowahrscheinlichkeit (%)": np.round(100 * probability, 2),
        },
        roles={
            "Police": Role.ID,
            "Storno": Role.TARGET,
            "Stornowahrscheinlichkeit (%)": Role.POSTERIOR,
        },
        target="Storno",
        event="J",
    )
    return [*files, lapse]


def trade_files() -> list[TradeFile]:
    """All of them, the same on every machine."""
    return [*_bank(), *_marketing(), *_retention(), *_hospital(), *_insurer()]


# ---------------------------------------------------------------- writing

_MARKS = {"en": (".", ",", ","), "de": (",", ".", ";"), "fr": (",", "\u202f", ";")}
_SIGNS = {"en": "£{}", "de": "{} €", "fr": "{} €"}
_TOTALS = {"en": "Total", "de": "Summe", "fr": "Total général"}


def _text(file: TradeFile, name: str, value: Any) -> str:
    """A cell as a spreadsheet of that country shows it."""
    decimal, thousands, _delimiter = _MARKS[file.language]
    if isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    if name in file.percent:
        return f"{100 * value:.2f}".replace(".", decimal) + ("%" if file.language == "en" else " %")
    if name in file.money:
        plain = f"{value:,.2f}".replace(",", "_").replace(".", decimal).replace("_", thousands)
        return _SIGNS[file.language].format(plain)
    return str(value).replace(".", decimal)


def _total(file: TradeFile) -> dict[str, Any]:
    names = list(file.columns)
    sums = {name: round(float(np.sum(file.columns[name])), 2) for name in file.money}
    return {names[0]: _TOTALS[file.language], **sums}


def write_csv(file: TradeFile, folder: Path) -> Path:
    """As a spreadsheet of the language saves it: a German or French one not in UTF-8."""
    delimiter = _MARKS[file.language][2]
    names = list(file.columns)

    def line(cells: list[str]) -> str:
        quoted = (f'"{cell}"' if delimiter in cell else cell for cell in cells)
        return delimiter.join(quoted)

    lines = [line([file.title, *[""] * (len(names) - 1)])] if file.title else []
    lines.append(line(names))
    for row in range(ROWS):
        lines.append(line([_text(file, name, file.columns[name][row]) for name in names]))
    if file.has_total:
        total = _total(file)
        lines.append(line([_text(file, n, total[n]) if n in total else "" for n in names]))
    path = folder / f"{file.name}.csv"
    path.write_text("\n".join(lines) + "\n", "utf-8-sig")
    return path


def write_book(file: TradeFile, folder: Path) -> Path:
    """A workbook: percentages as texts, all else as its cells are."""
    path = folder / f"{file.name}.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet()
        top = 0
        if file.title:
            sheet.write(0, 0, file.title)
            top = 2
        names = list(file.columns)
        sheet.write_row(top, 0, names)
        for place, name in enumerate(names):
            for row in range(ROWS):
                sheet.write(top + 1 + row, place, _cell(file, name, file.columns[name][row]))
        if file.has_total:
            for name, value in _total(file).items():
                sheet.write(top + 1 + ROWS, names.index(name), value)
    return path


def _cell(file: TradeFile, name: str, value: Any) -> Any:
    if name in file.percent:
        return _text(file, name, value)
    return value.item() if isinstance(value, np.generic) else value


def write_parquet(file: TradeFile, folder: Path) -> Path:
    """Parquet: types as they are."""
    path = folder / f"{file.name}.parquet"
    pq.write_table(pa.table({name: pa.array(list(v)) for name, v in file.columns.items()}), path)
    return path


def write_sav(file: TradeFile, folder: Path) -> Path:
    """SPSS: short names with the real ones as variable labels, words as codes with labels."""
    import pandas as pd
    import pyreadstat

    path = folder / f"{file.name}.sav"
    frame, labels, value_labels = pd.DataFrame(), {}, {}
    for place, (name, values) in enumerate(file.columns.items()):
        short = f"v{place + 1}"
        labels[short] = name
        column = pd.Series(list(values))
        levels = sorted(set(column)) if column.dtype == object else []
        if 0 < len(levels) <= 10:
            value_labels[short] = {float(code): level for code, level in enumerate(levels, 1)}
            column = column.map({level: float(code) for code, level in enumerate(levels, 1)})
        frame[short] = column.astype(float) if column.dtype == bool else column
    pyreadstat.write_sav(frame, str(path), column_labels=labels, variable_value_labels=value_labels)
    return path


WRITERS: dict[str, Callable[[TradeFile, Path], Path]] = {
    "csv": write_csv,
    "xlsx": write_book,
    "parquet": write_parquet,
    "sav": write_sav,
}
