"""Views of the document: the part of it that an answer reads.

A question names the view it reads, and the work behind it is given that view and nothing else, so
that an answer cannot depend on a field outside it. The view is at the same time the key that
results are remembered by, the stamp of an entry on the report, and what the window compares to
tell a present answer from a former one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from core.document.data.recipes import at_paths
from core.document.model import Document

Narrow = Callable[[Document], Document]


@dataclass(frozen=True, eq=False)
class View:
    """Some fields of the document; all others stand as in a new one.

    Parameters
    ----------
    name : str
        What it holds, in one word: "decision".
    names : frozenset of str
        Fields of ``Document``.
    narrow : callable, optional
        What is to be left out inside these fields.
    """

    name: str
    names: frozenset[str]
    narrow: Narrow | None = None

    def of(self, document: Document) -> Document:
        """Return the view of a document, as a document that holds nothing else."""
        seen = replace(self._new, **{name: getattr(document, name) for name in self.names})
        return self.narrow(seen) if self.narrow is not None else seen

    def key(self, document: Document) -> Document:
        """Return what tells one answer from another: the view, wherever the files lie."""
        return placeless(self.of(document))

    @cached_property
    def _new(self) -> Document:
        return Document()


def placeless(document: Document) -> Document:
    """Return a document whose files are told by what they hold, not by where they lie."""
    data = document.data
    if data is None:
        return document
    contents = {file.path: file.content_hash for file in data.recipe.files}
    return replace(
        document, data=replace(data, path=data.content_hash, recipe=at_paths(data.recipe, contents))
    )


def _colourless(document: Document) -> Document:
    """Models by what they say: the colour of their lines changes no answer."""
    return replace(document, models=tuple(replace(entry, series=0) for entry in document.models))


def _with_chances(document: Document) -> Document:
    """Only models that say chances: nothing follows from a score that ranks."""
    return _colourless(document).without_rankers()


WORDS = frozenset({"currency", "case_word"})
ROWS = frozenset({"data", "roles", "target", "split", "rows_used", "missing_outcomes"})
SCORED = ROWS | {"models", "shared_ids", "seed"}
RULE = SCORED | WORDS | {"reference_model", "matrix", "priors", "prior_range", "chart_mode"}

TABLE = View("table", frozenset({"data"}))
DATA = View("data", ROWS | WORDS)
MODELS = View("models", SCORED | WORDS, _colourless)
DECISION = View("decision", RULE, _with_chances)
"""The decisions of every model that says chances, under the matrix."""
SCENARIOS = View("decision and scenarios", RULE | {"scenarios"}, _with_chances)
AT_CURSOR = View("decision at the cursor", RULE | {"cursor_depth"}, _colourless)
RANKED = View("decision of rankings", RULE, _colourless)
"""As ``DECISION``, with the models that only rank."""
