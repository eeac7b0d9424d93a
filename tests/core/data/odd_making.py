"""What odd files are made of: cases by a seed, spellings of numbers, texts and workbooks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
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


def add(name: str, write: Write, **expected: Any) -> None:
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


def spelled(value: float, decimal: str, thousands: str, digits: int = 2) -> str:
    text = f"{value:,.{digits}f}"
    return text.replace(",", "_").replace(".", decimal).replace("_", thousands)


def lines_of(
    columns: Mapping[str, Sequence[Any]], delimiter: str = ",", decimal: str = "."
) -> list[str]:
    def cell(value: Any) -> str:
        if isinstance(value, float | np.floating):
            return repr(float(value)).replace(".", decimal)
        text = str(value)
        return f'"{text}"' if delimiter in text else text

    head = delimiter.join(cell(name) for name in columns)
    return [head, *(delimiter.join(map(cell, row)) for row in zip(*columns.values(), strict=True))]


def text_file(
    lines: Sequence[str], *, encoding: str = "utf-8", end: str = "\n", name: str = "cases.csv"
) -> Write:
    def write(folder: Path) -> Path:
        path = folder / name
        path.write_bytes((end.join(lines) + end).encode(encoding))
        return path

    return write


def book_of(make: Callable[[Any], None]) -> Write:
    def write(folder: Path) -> Path:
        path = folder / "cases.xlsx"
        with xlsxwriter.Workbook(str(path), {"nan_inf_to_errors": True}) as book:
            make(book)
        return path

    return write


def put(sheet: Any, columns: Mapping[str, Sequence[Any]], top: int = 0, left: int = 0) -> None:
    for at, (name, values) in enumerate(columns.items()):
        sheet.write(top, left + at, name)
        for row, value in enumerate(values):
            plain = value.item() if isinstance(value, np.generic) else value
            if plain is not None:
                sheet.write(top + 1 + row, left + at, plain)
