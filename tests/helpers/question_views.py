"""Every view that a question can give."""

import pytest

from core.presentation.labels import Labels
from core.questions.decide import Totals
from core.questions.question import questions

CARDS = {
    "uplift.page": ("validity", "curve+whole+limits+rows", "gain", "variants", "criteria"),
    "experiments.run": ("losses sigmoid", "losses+effect arctan", "violins", "summary", "granted"),
}
"""Of answers that fill several cards: what the key says behind the question's."""

NOT_SHOWN = {
    "data.rows": "the virtual table of the data",
    "data.overlap": "a dialog about the data, before anything is judged on them",
    "data.outcome_gaps": "a part of the sentence that asks what to do with these rows",
    "data.join": "a preview of added columns, in the dialog that adds them",
    "data.expression": "what is said below a field while it is typed into",
    "models.distributions": "choices of a form",
    "compare.models": "its charts and table follow the cursor: entries of their own (entries.py)",
    "decide.totals": "as compare.models",
    "decide.at_depth": "as compare.models",
    "decide.resamples": "as compare.models",
    "decide.cases": "a virtual table",
    "decide.case_page": "further rows of that table",
    "explain.find_case": "the row of a case that is looked for by its id or place",
    "uplift.outcome_gaps": "as data.outcome_gaps",
    "experiments.choices": "choices of a form",
}
"""Questions whose answer is no view, and why."""

SHOWN = sorted(key for key, record in questions().items() if record.facts.view)
VIEWS = [(key, part) for key in SHOWN for part in ("", *CARDS.get(key, ()))]
every_view = pytest.mark.parametrize(
    ("key", "part"),
    VIEWS,
    ids=[" ".join(entry).rstrip() for entry in VIEWS],
    scope="module",  # all tests of one view after the other
)


def labels_of(engine, document):
    """The words of a project, with its decisions where it has any."""
    can_decide = Totals.why_not(document) is None
    return Labels.of(document, engine.ask(document, Totals()) if can_decide else None)
