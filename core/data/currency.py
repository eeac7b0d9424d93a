"""The money of a file: by the signs in its cells, else by those in the names of its columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import pyarrow as pa

from core.document.data.results import ColumnSummary

_KEY = b"payoff.currency"
_SIGNS = {"US$": "$", "USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CNY": "¥", "INR": "₹"}
_SIGNS |= {"Fr.": "CHF", "SFr.": "CHF", "руб.": "₽", "руб": "₽", "円": "¥", "元": "¥", "원": "₩"}
_IN_NAMES = re.compile(
    r"[€$£¥₹]|(?<![a-z])(?:eur|usd|gbp|chf|jpy|sek|nok|dkk|pln|czk|cad|aud|nzd)(?![a-z])"
)
_DURATION = re.compile(r"zeit|dauer|time|duration|wait|delay|durée|attente|sek\.|min\.")


def with_money(table: pa.Table, units: Mapping[str, str]) -> pa.Table:
    """A table that notes which columns are money, and its currency, where it is one.

    What it knows already of other columns stays.
    """
    known = {field.name: money_of(table, field.name) for field in table.schema}
    signs = {name: sign for name, sign in (known | dict(units)).items() if sign}
    if not signs:
        return table
    fields = [
        field.with_metadata({_KEY: signs[field.name].encode()} if field.name in signs else None)
        for field in table.schema
    ]
    found = _only_one(signs.values())
    noted = {_KEY: found.encode()} if found else None
    return table.cast(pa.schema(fields, metadata=noted))


def money_of(table: pa.Table, column: str) -> str:
    """The sign of money of a column's cells or of their format; empty where there is none."""
    noted: bytes = (table.schema.field(column).metadata or {}).get(_KEY, b"")
    return noted.decode()


def currency_of(table: pa.Table, columns: Iterable[ColumnSummary]) -> str:
    """The sign, or the code, of the one currency of a file; empty where it is none or several.

    Codes in names are no money where the column answers yes or no ("CHF", a failing heart) or is a
    time ("Wartezeit (Sek.)").
    """
    noted: bytes = (table.schema.metadata or {}).get(_KEY, b"")
    if noted:
        return noted.decode()
    return _only_one(
        sign.upper()
        for column in columns
        if column.kind in ("number", "integer")
        and column.distinct != 2
        and not _DURATION.search(column.name.casefold())
        for sign in _IN_NAMES.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", column.name).casefold())
    )


def _only_one(units: Iterable[str]) -> str:
    """What several columns are in alike: € for EUR; empty where they differ."""
    found = set(map(currency_sign, units))
    return found.pop() if len(found) == 1 else ""


def currency_sign(unit: str) -> str:
    """The sign of a currency that has one: € for EUR."""
    return _SIGNS.get(unit, unit)
