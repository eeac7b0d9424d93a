"""The columns that say something of each case: their names in files, their words, their cells."""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.document.studies.decided_cases import CasesPage
from core.document.wording import format_money, format_number, format_share
from core.presentation.labels import Labels, capitalised

_OF_LOSS = {"EP": "EL", "CP": "CL", "BP": "BL"}
_MARKS = {
    "U": "its outcome is not known",
    "P": "its chance is missing or not between 0 and 1",
    "C": "its cost is missing",
}


def column_name(letters: str, labels: Labels) -> str:
    """Return what a column is called in a file: "EP_responded", of a loss matrix "EL_responded"."""
    shown = _OF_LOSS.get(letters, letters) if labels.is_loss else letters
    return f"{shown}_{labels.outcome or 'target'}"


def column_words(labels: Labels) -> dict[str, str]:
    """Return what each column of a file of decisions holds, by its letters.

    An outcome that is a number has no classes to name.
    """
    amount, is_number = labels.amount, bool(labels.outcome) and not labels.levels
    money_won = "money won on that cost, less than 0 for a loss"
    words = {
        "D": "the decision",
        "EP": f"expected {amount} of the decision",
        "CP": f"{amount} that the decision really brought",
        "BP": f"best possible {amount}, with the outcome known",
        "IC": "extra cost of the decision",
        "ROI": money_won if labels.is_loss else "return on that cost",
    }
    if is_number:
        return words | {"P": "the prediction", "R": "outcome less prediction"}
    return words | {
        "P": "the chances as used, one column per outcome",
        "I": "the most likely outcome",
        "F": "the outcome as it was read",
        "R": "outcome less chance, before any correction",
    }


# ---------------------------------------------------------------- the list of cases


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseColumn:
    """One column: its key, head, what the head explains, and the key it is sorted by."""

    key: str
    head: str
    help: str = ""
    sort: str = ""
    is_left: bool = False


def case_list_columns(page: CasesPage, labels: Labels) -> tuple[CaseColumn, ...]:
    """Return the columns of the list that there is something to show in."""
    words = column_words(labels)

    def reported(letters: str) -> str:
        return f"{capitalised(words[letters])} ({column_name(letters, labels)})"

    gap = "Expected advantage over the second best decision: small = nearly a toss-up"
    probability = f"Chance of “{labels.happened}”"
    columns = [
        CaseColumn(key="id", head=labels.identity or labels.case, sort="id", is_left=True),
        CaseColumn(key="chance", head="Chance", help=probability, sort="chance"),
        CaseColumn(key="decision", head="Decision", help="By the rule", is_left=True),
        CaseColumn(
            key="expected",
            head=f"Expected, {labels.currency}",
            help=reported("EP"),
            sort="expected",
        ),
        CaseColumn(key="gap", head="Gap", help=gap, sort="gap"),
        CaseColumn(key="outcome", head="Outcome", is_left=True),
        CaseColumn(key="computed", head="Realised", help=reported("CP"), sort="computed"),
        CaseColumn(key="best", head="Best possible", help=reported("BP"), sort="best"),
    ]
    if page.roi is not None:
        columns.append(CaseColumn(key="roi", head="ROI", help=reported("ROI"), sort="roi"))
    if page.break_even is not None:
        pays = "The chance at which acting on this case begins to pay"
        columns.append(CaseColumn(key="break_even", head="Own break-even", help=pays))
    counts = "Why a case counts in no total"
    return (*columns, CaseColumn(key="marks", head="Marks", help=counts, is_left=True))


def case_text(page: CasesPage, place: int, key: str, labels: Labels) -> str:
    """Return one cell of the list.

    Parameters
    ----------
    page : CasesPage
    place : int
        Of the case on the page.
    key : str
        Of the column.
    labels : Labels
    """
    texts = {
        "id": page.ids,
        "outcome": page.outcome,
        "decision": page.decision,
        "marks": page.warnings,
    }
    if key in texts:
        return texts[key][place]
    values = page.probability if key == "chance" else getattr(page, key)
    value = float(values[place]) if values is not None else math.nan
    if key in ("chance", "break_even"):
        return format_share(value, 2)
    if key == "roi":
        return format_number(value, 2)
    return format_money(value if key == "gap" else labels.shown(value), "", decimals=2)


def mark_words(letters: str) -> str:
    """Return why a case counts in no total; empty where it counts."""
    reasons = [_MARKS[letter] for letter in letters if letter in _MARKS]
    return f"In no total: {', '.join(reasons)}." if reasons else ""
