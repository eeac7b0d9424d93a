"""A small safe language over names: arithmetic of matrix formulas, and expressions over columns.

A text is cut into tokens and read into a tree of ``Node``; whoever evaluates the tree knows every
kind of node there is, so that nothing of a text is ever run as a program.

Expressions: numbers with a point, texts in quotes, column names (in square brackets where they
have spaces or are a word of the language), ``+ - * /``, ``= <> < <= > >=``, ``and or not``,
``in ("a", "b")``, ``is missing``, and the functions in ``FUNCTIONS``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from payoff.counting import counted
from payoff.errors import PayoffError

DEEPEST = 40
MOST_TOKENS = 300  # a chain of signs makes a tree as deep as it is long
_SIGNS = str.maketrans(
    {
        "\u2212": "-",
        "\u00d7": "*",
        "\u00f7": "/",
        "\u00b7": "*",
        "\u2264": "<=",
        "\u2265": ">=",
        "\u2260": "<>",
        "\u201c": '"',
        "\u201d": '"',
        "\u201e": '"',
        "\u2018": "'",
        "\u2019": "'",
    }
)
_NUMBER = r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
_ARITHMETIC_TOKEN = re.compile(rf"\s*(?:{_NUMBER}|(?P<name>[^\W\d]\w*)|(?P<sign>[-+*/()]))")
_TOKEN = re.compile(
    rf"\s*(?:{_NUMBER}|(?P<column>\[[^\[\]]+\]|`[^`]+`)|(?P<text>\"[^\"]*\"|'[^']*')"
    r"|(?P<name>[^\W\d]\w*)|(?P<sign><=|>=|<>|!=|==|[-+*/(),<>=]))"
)
_SAME_SIGNS = {"==": "=", "!=": "<>"}
_COMPARISONS = ("==", "=", "!=", "<>", "<", "<=", ">", ">=")
WORDS = frozenset({"and", "or", "not", "is", "in", "missing", "true", "false"})
FUNCTIONS: dict[str, tuple[int, int | None]] = {
    "log": (1, 1),
    "log10": (1, 1),
    "exp": (1, 1),
    "sqrt": (1, 1),
    "abs": (1, 1),
    "round": (1, 2),
    "floor": (1, 1),
    "ratio": (2, 2),
    "min": (2, None),
    "max": (2, None),
    "if": (3, 3),
    "bands": (2, None),
    "cut": (2, None),
    "contains": (2, 2),
    "starts": (2, 2),
}
"""Function -> fewest and most arguments (None = any number)."""


class Kind(StrEnum):
    """What a node of a tree is."""

    NUMBER = "number"
    TEXT = "text"
    TRUTH = "truth"
    NAME = "name"
    SIGN = "sign"  # one part: + or -; two: + - * /
    COMPARE = "compare"
    AND = "and"
    OR = "or"
    NOT = "not"
    MISSING = "missing"
    ONE_OF = "one of"  # the first part is one of the others
    CALL = "call"


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a tree: its sign, name or text, its number, and what it is made of."""

    kind: Kind
    text: str = ""
    number: float = 0.0
    parts: tuple[Node, ...] = ()

    def walk(self) -> Iterator[Node]:
        """The node and everything below it."""
        yield self
        for part in self.parts:
            yield from part.walk()


@dataclass(frozen=True, slots=True)
class Grammar:
    """What a text may hold, and how refusals speak of it."""

    word: str  # "formula"
    remedy: str
    longest: int
    is_arithmetic: bool = False


EXPRESSION = Grammar(
    "expression",
    'Write for example: age >= 30 and region = "N". Names with spaces stand in brackets: '
    "[monthly income].",
    2_000,
)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # "number", "name", "word", "column", "text", "sign"
    text: str


def parse(text: str, grammar: Grammar = EXPRESSION) -> Node:
    """The tree of a text.

    Raises
    ------
    PayoffError
        Saying what cannot be read, and where.
    """
    if len(text) > grammar.longest:
        raise PayoffError(
            f"The {grammar.word} is too long.",
            why=f"{counted(grammar.longest, 'character')} at most.",
        )
    tokens = _tokens(text, grammar)
    if len(tokens) > MOST_TOKENS:
        raise PayoffError(
            f"The {grammar.word} is too long.", why=f"{MOST_TOKENS} names and signs at most."
        )
    return _Reader(tokens, grammar).read()


def column_names(text: str) -> tuple[str, ...]:
    """The columns an expression reads, each once, in their order."""
    names = (node.text for node in parse(text).walk() if node.kind is Kind.NAME)
    return tuple(dict.fromkeys(names))


def names_in_arithmetic(text: str, grammar: Grammar) -> tuple[str, ...]:
    """The names a formula uses, each once, in their order, whether or not it is whole."""
    return tuple(dict.fromkeys(t.text for t in _tokens(text, grammar) if t.kind == "name"))


def quoted(column: str) -> str:
    """A column's name as an expression writes it."""
    if re.fullmatch(r"[^\W\d]\w*", column) and column.casefold() not in WORDS:
        return column
    return f"`{column}`" if "]" in column or "[" in column else f"[{column}]"


def _tokens(text: str, grammar: Grammar) -> list[_Token]:
    cleaned = text.translate(_SIGNS)
    pattern = _ARITHMETIC_TOKEN if grammar.is_arithmetic else _TOKEN
    found, place = [], 0
    while cleaned[place:].strip():
        match = pattern.match(cleaned, place)
        if match is None:
            raise _strange(cleaned[place:].strip()[0], text, grammar)
        kind = str(match.lastgroup)
        body = match.group(kind)
        if kind == "name" and not grammar.is_arithmetic and body.casefold() in WORDS:
            kind, body = "word", body.casefold()
        elif kind in ("column", "text"):
            body = body[1:-1]
        found.append(_Token(kind, body))
        place = match.end()
    return found


def _strange(sign: str, text: str, grammar: Grammar) -> PayoffError:
    remedy = grammar.remedy
    if sign == "," and grammar.is_arithmetic:
        remedy = "Write decimals with a point: 1.60."
    elif sign in "\"'":
        remedy = "A quote that is opened has to be closed."
    return PayoffError(f"The {grammar.word} has a “{sign}” in it.", why=f"“{text}”.", remedy=remedy)


class _Reader:
    """Reads tokens from left to right, the loosest sign first."""

    def __init__(self, tokens: list[_Token], grammar: Grammar) -> None:
        self._tokens = tokens
        self._grammar = grammar
        self._place = 0
        self._depth = 0

    def read(self) -> Node:
        """The tree of the whole text; refused where something is left over."""
        if not self._tokens:
            raise self._refusal("is empty")
        node = self._sum() if self._grammar.is_arithmetic else self._either()
        if self._place < len(self._tokens):
            token = self._tokens[self._place].text
            raise self._refusal(f"goes on after its end, at “{token}”")
        return node

    def _refusal(self, what: str) -> PayoffError:
        return PayoffError(f"The {self._grammar.word} {what}.", remedy=self._grammar.remedy)

    def _takes(self, kind: str, *texts: str) -> str:
        """The next token if it is one of these, which is then passed; else nothing."""
        if self._place < len(self._tokens):
            token = self._tokens[self._place]
            if token.kind == kind and token.text in texts:
                self._place += 1
                return token.text
        return ""

    def _either(self) -> Node:
        node = self._both()
        while self._takes("word", "or"):
            node = Node(Kind.OR, parts=(node, self._both()))
        return node

    def _both(self) -> Node:
        node = self._negated()
        while self._takes("word", "and"):
            node = Node(Kind.AND, parts=(node, self._negated()))
        return node

    def _negated(self) -> Node:
        if self._takes("word", "not"):
            return Node(Kind.NOT, parts=(self._deeper(self._negated),))
        return self._comparison()

    def _comparison(self) -> Node:
        """Sums side by side: ``10 <= age < 20`` is both comparisons."""
        left = self._sum()
        node: Node | None = None
        while sign := self._takes("sign", *_COMPARISONS):
            right = self._sum()
            step = Node(Kind.COMPARE, _SAME_SIGNS.get(sign, sign), parts=(left, right))
            node = step if node is None else Node(Kind.AND, parts=(node, step))
            left = right
        if node is not None:
            return node
        return self._tested(left)

    def _tested(self, node: Node) -> Node:
        """``x is missing``, ``x in (...)`` and their contraries."""
        if self._takes("word", "is"):
            is_not = self._takes("word", "not")
            if not self._takes("word", "missing"):
                raise self._refusal("has an “is” without “missing”")
            test = Node(Kind.MISSING, parts=(node,))
            return Node(Kind.NOT, parts=(test,)) if is_not else test
        if self._takes("word", "in"):
            return Node(Kind.ONE_OF, parts=(node, *self._listed("in")))
        if self._takes("word", "not"):
            if not self._takes("word", "in"):
                raise self._refusal("has a “not” where a sign is due")
            return Node(Kind.NOT, parts=(Node(Kind.ONE_OF, parts=(node, *self._listed("in"))),))
        return node

    def _sum(self) -> Node:
        node = self._product()
        while sign := self._takes("sign", "+", "-"):
            node = Node(Kind.SIGN, sign, parts=(node, self._product()))
        return node

    def _product(self) -> Node:
        node = self._factor()
        while sign := self._takes("sign", "*", "/"):
            node = Node(Kind.SIGN, sign, parts=(node, self._factor()))
        return node

    def _factor(self) -> Node:
        return self._deeper(self._signed)

    def _deeper(self, read: Callable[[], Node]) -> Node:
        self._depth += 1
        if self._depth > DEEPEST:
            word = self._grammar.word
            raise PayoffError(f"The {word} has too many brackets and signs within each other.")
        try:
            return read()
        finally:
            self._depth -= 1

    def _signed(self) -> Node:
        if sign := self._takes("sign", "+", "-"):
            return Node(Kind.SIGN, sign, parts=(self._factor(),))
        if self._takes("sign", "("):
            node = self._sum() if self._grammar.is_arithmetic else self._either()
            if not self._takes("sign", ")"):
                raise PayoffError(
                    f"A bracket of the {self._grammar.word} is not closed.",
                    remedy=self._grammar.remedy,
                )
            return node
        return self._atom()

    def _atom(self) -> Node:
        if self._place >= len(self._tokens):
            raise self._refusal("ends too early")
        token = self._tokens[self._place]
        self._place += 1
        if token.kind == "number":
            return Node(Kind.NUMBER, number=float(token.text))
        if token.kind == "text":
            return Node(Kind.TEXT, token.text)
        if token.kind == "word" and token.text in ("true", "false"):
            return Node(Kind.TRUTH, token.text)
        if token.kind == "column":
            return Node(Kind.NAME, token.text)
        if token.kind == "name":
            is_call = not self._grammar.is_arithmetic and self._is_next("(")
            return self._call(token.text) if is_call else Node(Kind.NAME, token.text)
        due = "a number" if self._grammar.is_arithmetic else "a number, a text or a column"
        raise self._refusal(f"has “{token.text}” where {due} is due")

    def _is_next(self, sign: str) -> bool:
        if self._place >= len(self._tokens):
            return False
        token = self._tokens[self._place]
        return token.kind == "sign" and token.text == sign

    def _call(self, name: str) -> Node:
        folded = name.casefold()
        if folded not in FUNCTIONS:
            raise PayoffError(
                f"There is no function called “{name}”.", why=f"There are: {', '.join(FUNCTIONS)}."
            )
        parts = self._listed(name)
        fewest, most = FUNCTIONS[folded]
        if len(parts) < fewest or (most is not None and len(parts) > most):
            wanted = str(fewest) if most == fewest else f"{fewest} or more"
            wanted = f"{fewest} to {most}" if most not in (None, fewest) else wanted
            raise PayoffError(
                f"“{name}” has {counted(len(parts), 'value')} in its brackets.",
                why=f"It needs {wanted}.",
            )
        return Node(Kind.CALL, "bands" if folded == "cut" else folded, parts=parts)

    def _listed(self, name: str) -> tuple[Node, ...]:
        """What stands in brackets, between commas."""
        if not self._takes("sign", "("):
            raise self._refusal(f"has no bracket after “{name}”")
        parts = [self._deeper(self._either)]
        while self._takes("sign", ","):
            parts.append(self._deeper(self._either))
        if not self._takes("sign", ")"):
            raise PayoffError(
                f"The bracket after “{name}” is not closed.", remedy=self._grammar.remedy
            )
        return tuple(parts)
