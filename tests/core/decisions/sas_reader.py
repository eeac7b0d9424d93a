"""A small reader of SAS DATA steps: assignments and IF statements, as the export writes them.

It evaluates what stands in the text, so a wrong sign, name or order shows; it is no SAS.
"""

from __future__ import annotations

import math
import re

TOKEN = re.compile(
    r"\s*(?:(?P<literal>'(?:[^']|'')*'n)|(?P<text>'(?:[^']|'')*')"
    r"|(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?)|(?P<missing>\.(?!\d))"
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_]*)|(?P<sign><=|>=|[-+*/()<>=,$]))"
)


def run_step(source, rows):
    """Run a DATA step over rows (mappings of column to float); returns the rows it makes."""
    text = re.sub(r"/\*.*?\*/", "", source, flags=re.DOTALL)
    statements = [tokens for part in _split(text) if (tokens := _tokens(part))]
    assert statements[0][0] == ("word", "data")
    assert statements[-1] == [("word", "run")]
    made = []
    for row in rows:
        values = dict(row)
        dropped = set()
        for tokens in statements[1:-1]:
            _run(tokens, values, dropped)
        made.append({name: value for name, value in values.items() if name not in dropped})
    return made


def _split(text):
    """Statements: parts between semicolons that stand in no text."""
    part, in_text = "", False
    for sign in text:
        in_text = in_text != (sign == "'")
        if sign == ";" and not in_text:
            yield part
            part = ""
        else:
            part += sign


def _tokens(text):
    found, place = [], 0
    while place < len(text.rstrip()):
        match = TOKEN.match(text, place)
        assert match, f"cannot read {text[place:]!r}"
        kind = match.lastgroup
        value = match[kind]
        if kind == "literal":
            kind, value = "word", value[1:-2].replace("''", "'")
        elif kind == "text":
            value = value[1:-1].replace("''", "'")
        elif kind == "word" and value.lower() in (
            "if",
            "then",
            "and",
            "or",
            "not",
            "data",
            "set",
            "length",
            "drop",
            "run",
            "abs",
            "missing",
        ):
            kind, value = "word", value.lower()
        found.append((kind, value))
        place = match.end()
    return found


def _run(tokens, values, dropped):
    head = tokens[0]
    if head == ("word", "drop"):
        dropped.update(value for _kind, value in tokens[1:])
    elif head == ("word", "if"):
        reader = _Reader(tokens[1:], values)
        holds = reader.either()
        assert reader.take() == ("word", "then")
        if holds:
            _assign(reader.rest(), values)
    elif head not in (("word", "set"), ("word", "length")):
        _assign(tokens, values)


def _assign(tokens, values):
    (_kind, name), equals = tokens[:2]
    assert equals == ("sign", "=")
    reader = _Reader(tokens[2:], values)
    values[name] = reader.sum()
    assert not reader.rest()


class _Reader:
    """Reads an expression by descent; a missing number (NaN) is below every number."""

    def __init__(self, tokens, values):
        self.tokens, self.values, self.place = tokens, values, 0

    def take(self):
        self.place += 1
        return self.tokens[self.place - 1]

    def rest(self):
        return self.tokens[self.place :]

    def is_next(self, *tokens):
        return self.place < len(self.tokens) and self.tokens[self.place] in tokens

    def either(self):
        value = self.both()
        while self.is_next(("word", "or")):
            self.take()
            value = self.both() or value
        return value

    def both(self):
        value = self.condition()
        while self.is_next(("word", "and")):
            self.take()
            value = self.condition() and value
        return value

    def condition(self):
        if self.is_next(("word", "not")):
            self.take()
            return not self.condition()
        if self.is_next(("word", "missing")):
            self.take()
            return math.isnan(self.atom())
        if self.is_next(("sign", "(")):  # a condition or an amount in brackets
            start = self.place
            self.take()
            value = self.either()
            if self.is_next(("sign", ")")) and isinstance(value, bool):
                self.take()
                return value
            self.place = start
        left = self.sum()
        if not self.is_next(*(("sign", sign) for sign in ("<", ">", "<=", ">=", "="))):
            return left
        sign = self.take()[1]
        right = self.sum()
        low, high = (-math.inf if math.isnan(value) else value for value in (left, right))
        return {
            "<": low < high,
            ">": low > high,
            "<=": low <= high,
            ">=": low >= high,
            "=": low == high,
        }[sign]

    def sum(self):
        value = self.product()
        while self.is_next(("sign", "+"), ("sign", "-")):
            sign = self.take()[1]
            other = self.product()
            value = value + other if sign == "+" else value - other
        return value

    def product(self):
        value = self.atom()
        while self.is_next(("sign", "*"), ("sign", "/")):
            sign = self.take()[1]
            other = self.atom()
            value = value * other if sign == "*" else value / other
        return value

    def atom(self):
        kind, value = self.take()
        if (kind, value) == ("sign", "-"):
            return -self.atom()
        if (kind, value) == ("sign", "("):
            inner = self.sum()
            assert self.take() == ("sign", ")")
            return inner
        if kind == "number":
            return float(value)
        if kind == "missing":
            return math.nan
        if kind == "text":
            return value
        if value == "abs":
            return abs(self.atom())
        return self.values[value]
