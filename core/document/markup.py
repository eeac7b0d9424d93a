"""HTML made piece by piece: text is escaped always, markup is what ``tag`` made and nothing else.

Names of columns, models and levels, notes and currencies come from files that anyone may have
written. A text that is put into a page becomes text, whatever it holds; only an ``Html`` goes in as
it is, and a type checker tells the two apart.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape, unescape
from typing import TypeAlias

_ELEMENT = re.compile(r"<[^>]*>")
_VOID = frozenset({"br", "img", "meta", "line", "polyline", "polygon"})


@dataclass(frozen=True, slots=True)
class Html:
    """Markup as it stands in the page. Made by ``tag`` and ``joined``, never from a text."""

    text: str

    def __bool__(self) -> bool:
        return bool(self.text)


Content: TypeAlias = "Html | str"
NOTHING = Html("")


def joined(parts: Iterable[Content], between: Content = "") -> Html:
    """Parts one behind the other; texts among them are escaped."""
    return Html(_markup(between).join(map(_markup, parts)))


def plain_text(markup: Html) -> str:
    """What markup says, for a tool tip or a screen reader."""
    return unescape(_ELEMENT.sub("", markup.text))


def filled(words: str, *values: Content) -> Html:
    """A sentence with ``%s`` in it, filled in; only markup among the values stays markup."""
    return Html(escape(words) % tuple(map(_markup, values)))


def tag(name: str, /, *content: Content, **attributes: object) -> Html:
    """An element; texts in it and values of attributes are escaped.

    Parameters
    ----------
    name : str
    content : Html or str
    attributes
        ``kind`` is the class; underscores stand for hyphens. None leaves an attribute out.
    """
    words = {"kind": "class"}
    described = "".join(
        f' {words.get(key, key.replace("_", "-"))}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID and not content:
        return Html(f"<{name}{described}/>")
    return Html(f"<{name}{described}>{joined(content).text}</{name}>")


def page(head: Iterable[Html], body: Html, style: str) -> str:
    """A whole page. It may load and run nothing: no script, no font, no picture but its own.

    Parameters
    ----------
    head : iterable of Html
        Further elements of the head.
    body : Html
    style : str
        The style sheet, a constant of ours.
    """
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    first = (
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width"),
    )
    whole = tag(
        "html",
        tag("head", *first, *head, Html(f"<style>{style}</style>")),
        tag("body", body),
        lang="en",
    )
    return f"<!doctype html>{whole.text}\n"


def _markup(part: Content) -> str:
    return part.text if isinstance(part, Html) else escape(part)
