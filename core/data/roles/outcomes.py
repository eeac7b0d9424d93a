"""Which column is the outcome, of what kind it is, and which of its values is the event."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain

import pyarrow as pa

from core.data.levels import printed
from core.data.profile.summary import SHOWN_LEVELS
from core.data.roles.class_columns import ClassColumns, labels_beside
from core.data.roles.named_by_models import (
    name_chosen_classes,
    name_predicted_columns,
    name_scored_classes,
    name_summed_column,
)
from core.data.roles.names import has_word, opposite_level, split_score_name, without_answers
from core.data.roles.ranking import class_area, could_be_probability, is_cut, ranks_clearly
from core.data.roles.structure import is_event_name, listed_column, may_be_grade
from core.data.roles.tool_names import STSET_EVENT, STSET_TIME, is_of_other_column
from core.data.roles.words import (
    ACTUAL_WORDS,
    ASKED,
    BEFORE_WORDS,
    CLASS_WORDS,
    COST_WORDS,
    COUNT_NAMES,
    HAPPENED,
    HAPPENED_ENDINGS,
    ILLNESSES,
    INDETERMINATE,
    LOANS_LOST,
    LOANS_PAID,
    OUTCOME_PAIRS,
    PREDICTION_WORDS,
    TARGET_NAMES,
    TREATMENT_NAMES,
    UNKNOWN_CODES,
    UNKNOWN_LEVELS,
    WEIGHT_NAMES,
)
from core.document.data.column_meaning import (
    counted_together,
    spellings_in_words,
    spellings_of,
)
from core.document.data.events import (
    EVENT_LEVELS,
    NON_EVENT_LEVELS,
    OPPOSITES,
    PLAIN_ANSWERS,
    fold,
    guess_event,
)
from core.document.data.results import ColumnSummary
from core.document.model import Role, RoleAssignment, TargetSpec
from core.document.results import CodedWarning, WarningCode
from payoff.counting import counted

_MOST_CLASSES = 20
# Beside ranks of names, which run from 0.03 to 6:
_PARTLY = 0.25  # the rank of numbers whose name has an outcome's word among others
_CERTAIN, _PREDICTED, _WEAK, _EARNED, _FOLLOWS, _GRADED = 100.0, 0.02, 0.01, 0.005, 0.004, 0.002
_PLACES = {name: TARGET_NAMES.index(name) for name in TARGET_NAMES}
_BEGINNINGS = ("target", "y_true", "is_bad", "label_", "outcome")
_YEARS = 10.0  # and whatever else is no answer in numbers
_TELLING = 0.65  # area under the ROC curve, of chances that are any
_SIGNED = ("deposit", "term_deposit")  # yes or no: an amount under such a name is no outcome
_FEWEST_ASKED = 3  # words of a question
_LOAN_WORDS = ("loan", "credit", "kredit", "mortgage", "account", "prêt", "crédit", "crédito")
_WITHIN = re.compile(
    r"(?:^|_)(?:tomorrow|morgen|demain|mañana|domani)(?:_|$)|(?:in|within|innerhalb)_?\d+_?(?:d|days?|w|weeks?|m|mo|months?|y|yrs?|years?)(?:_|$)"
)
_RIVAL = 0.5  # ranks that lie no further apart name outcomes alike
_AHEAD = re.compile(
    r"(?:^|_)(?:next|future|nächste\w*|prochain\w*|próxim\w*|volgend\w*|prossim\w*|"
    r"(?:in|within|after|next)?_?\d+_?(?:d|m|y|q|days?|months?|years?|monate?n?|mois|meses))(?:_|$)"
)
_EARNED_WORDS = (
    "revenue",
    "spend",
    "spent",
    "sales",
    "umsatz",
    "ventes",
    "ventas",
    "omzet",
    "wage",
    "wages",
    "earnings",
    "lohn",
    "salaire",
)
_CONVERTED = ("conversion", "conversions", "konversionen", "conversiones", "conversioni")


def guess_target(
    table: pa.Table,
    columns: tuple[ColumnSummary, ...],
    found: dict[str, RoleAssignment],
    by_class: tuple[ClassColumns, ...],
    treated: str,
    warnings: list[str],
) -> TargetSpec | None:
    """The outcome: what chances are of, else the best name among the columns with few levels,
    else an interval one, else the only column of two values that a score ranks.

    Parameters
    ----------
    table : pyarrow.Table
    columns : tuple of ColumnSummary
        Summaries in file order.
    found : dict
        Roles that are known; that of the outcome is added.
    by_class : tuple of ClassColumns
        Chances named by the levels of one column.
    treated : str
        The column of arms; empty where there is none.
    warnings : list of str
        What the user should be told is added.
    """
    predicted = name_predicted_columns(columns)
    chosen = name_chosen_classes(table, columns)
    described = name_scored_classes(columns) | chosen
    is_told = bool(by_class) and _tells_classes(table, columns, by_class[0], treated)
    outcome = by_class[0].outcome if is_told else ""
    kept = {name for entry in by_class for _, name in entry.columns} | found.keys()
    kept |= set(chosen.values())
    kept |= {label.name for label in labels_beside(columns).values() if label.distinct == 1}
    candidates = _candidates(columns, kept, {*predicted, *described}, outcome, treated)
    candidates = _without_cuts(table, columns, candidates)
    if not candidates or _may_be_none(*candidates[0]):
        two = _only_two_valued(table, columns, found)
        candidates = [(-_WEAK, 0, column) for column in two] or candidates
    if not candidates and (summed := name_summed_column(table, columns, found)):
        predicted |= summed
        candidates = [(-_PREDICTED, 0, c) for c in columns if c.name in summed]
    if not candidates:
        candidates = _by_amounts(columns, found, treated)
        candidates = candidates or _by_what_may_follow(columns, kept, treated)
    listed = listed_column(columns, found)
    if not candidates and listed is not None:
        grades = [c for c in columns if c.name not in found and may_be_grade(c, listed)]
        candidates = [(-_GRADED, 0, column) for column in grades if len(grades) == 1]
    if not candidates:
        return None
    rank, _, column = candidates[0]
    if column.name == STSET_EVENT:
        times = (c for c in columns if c.name == STSET_TIME and c.kind in ("integer", "number"))
        column = next(times, column)
    rivals = [c.name for other, _, c in candidates[1:] if other < rank + _RIVAL]
    spec, event_reason = _target_spec(column, is_number=column.name in predicted)
    by = predicted.get(column.name, "") or described.get(column.name, "")
    if column.name == outcome:
        by = ", ".join(name for _, name in by_class[0].columns)
    if rank == -_GRADED and listed is not None:
        by = listed.name
    reason = _reason(column, spec, rank, by or treated)
    reason = f"{reason}; {event_reason}" if event_reason else reason
    if spec.spellings:
        together = spellings_in_words(spec.spellings)
        warnings.append(
            f"'{column.name}' is written in several ways, taken together: {together}. Please check."
        )
        reason += "; several spellings are taken as one: please check"
    unknown = unknown_forms(tuple(form for form, _ in column.levels)) if spec.levels else ()
    if unknown:
        rows = sum(count for form, count in column.levels if form in unknown)
        shown = " and ".join(f"'{form}'" for form in unknown)
        words = f"{shown} in '{column.name}' ({counted(rows, 'row')}) is taken as not known"
        warnings.append(
            CodedWarning(f"{words}: please check.", WarningCode.GUESSED_ROLE, column.name)
        )
        reason += f"; {shown} is no class but not known: please check"
    if rivals:
        shown = " and ".join(f"'{name}'" for name in rivals[:3])
        reason += f"; {shown} could be it too: please check"
        told = f"The target could be '{column.name}' or {shown}: please check."
        warnings.append(CodedWarning(told, WarningCode.GUESSED_ROLE, column.name))
    found[column.name] = RoleAssignment.guess(column.name, Role.TARGET, reason)
    return spec


def _tells_classes(
    table: pa.Table, columns: tuple[ColumnSummary, ...], found: ClassColumns, treated: str
) -> bool:
    """Whether columns that sum to 1 are chances of the column whose levels they name.

    They are none ("TV %" and "Radio %" beside "channel") where another column is an outcome by its
    name, that one is not, and they are no higher where their own level stands.
    """
    own = next(column for column in columns if column.name == found.outcome)
    others = [c for c in columns if c not in (own,) and c.name != treated and c.distinct == 2]
    if _is_named_outcome(own) or not any(map(_is_named_outcome, others)):
        return True
    areas = [class_area(table, name, own.name, level) for level, name in found.columns]
    return max(areas, default=0.0) >= _TELLING


def _by_amounts(
    columns: tuple[ColumnSummary, ...], found: dict[str, RoleAssignment], treated: str
) -> list[tuple[float, int, ColumnSummary]]:
    """What was earned beside a treatment, else what counts how often an aim was reached."""
    earned = _last_of_series([c for c in columns if c.name not in found and _is_earned(c)])
    if treated and len(earned) == 1:
        return [(-_EARNED, 0, earned[0])]
    ends = [c for c in columns if c.name not in found and _counts_ends(c)]
    return [(-_EARNED, -place, column) for place, column in enumerate(ends)][::-1]


def _reason(column: ColumnSummary, spec: TargetSpec, rank: float, by: str) -> str:
    """Why a column is the outcome; ``by``: the columns that show it."""
    by_rank = {
        -_CERTAIN: f"its levels name the columns {by}, which sum to 1",
        -_PREDICTED: f"by its name, '{by}' is what a model says of it: please check",
        -_GRADED: f"the only column of a few whole numbers from 0 beside the lists in '{by}'",
        -_WEAK: "it is the only column of two values that goes with a score: please check",
        -_FOLLOWS: "it may say what came of a case, and no other column says it better: please "
        "check",
    }
    if rank in by_rank:
        return by_rank[rank]
    if rank == -_EARNED:
        is_count = _counts_ends(column)
        told = "it counts" if is_count else f"the only amount earned beside the treatment '{by}'"
        return f"{told}{' what was reached, by its name' * is_count}: please check"
    if spec.kind == "interval":
        return "its name is one of an outcome, and its values are numbers; please check"
    if _is_named_outcome(column) or not _says_end(column):
        return f"its name is one of an outcome, with {counted(len(spec.levels), 'level')}"
    return "its values say how something ended: please check"


def _candidates(
    columns: tuple[ColumnSummary, ...],
    kept: set[str],
    predicted: set[str],
    outcome: str,
    treated: str,
) -> list[tuple[float, int, ColumnSummary]]:
    """What may be the outcome by names and values, the best first: (-rank, place, column)."""
    candidates: list[tuple[float, int, ColumnSummary]] = []
    names = tuple(column.name for column in columns)
    for position, column in enumerate(columns):
        is_arm = column.name == treated and not _is_named_outcome(column)
        if column.name in kept or is_arm or _is_chosen_class(column):
            continue
        if is_form_state(column, names):
            continue
        end = 2 if position == len(columns) - 1 else int(not position)
        rank = _CERTAIN if column.name == outcome else _target_rank(column, end)
        rank = rank or _PREDICTED * (column.name in predicted)
        if rank > 0 and not is_of_other_column(column.name, names):
            candidates.append((-rank, position, column))
    return sorted(candidates, key=lambda entry: (entry[0], entry[1]))


def _may_be_none(rank: float, _place: int, column: ColumnSummary) -> bool:
    """Whether numbers under an outcome's name may be what is said of a column of two values.

    Fractions from 0 to 1 ("risk"), and what an outcome is worth ("profit_if_response").
    """
    low, high = column.minimum, column.maximum
    if column.kind not in ("number", "integer") or 0 <= column.distinct <= _MOST_CLASSES:
        return False
    is_share = low is not None and high is not None and 0.0 <= low <= high <= 1.0
    return is_share or (_PREDICTED < -rank < _PARTLY and has_word(column.name, COST_WORDS))


def _without_cuts(
    table: pa.Table,
    columns: tuple[ColumnSummary, ...],
    candidates: list[tuple[float, int, ColumnSummary]],
) -> list[tuple[float, int, ColumnSummary]]:
    """Candidates without classes that follow from a score, where another of the same is left.

    "Class" beside "Label" and "Probability": the class is what the model says.
    """
    if len(candidates) < 2:
        return candidates
    scores = [column.name for column in columns if _is_named_score(column)]
    kept = [c for c in candidates if not any(is_cut(table, c[2], score) for score in scores)]
    left = {form for _, _, c in kept for form, _ in c.levels}
    return [c for c in candidates if c in kept or not {f for f, _ in c[2].levels} <= left]


def _is_chosen_class(column: ColumnSummary) -> bool:
    """Whether texts are the classes that a model has chosen: "pred_class"."""
    is_named = has_word(column.name, (*PREDICTION_WORDS, *CLASS_WORDS))
    return is_named and column.kind in ("text", "boolean")


def names_outcome_too(column: ColumnSummary) -> bool:
    """Whether two values would be an outcome by their column's name, had the file no other."""
    return column.distinct == 2 and _is_named_outcome(column)


def _only_two_valued(
    table: pa.Table, columns: tuple[ColumnSummary, ...], found: dict[str, RoleAssignment]
) -> list[ColumnSummary]:
    """The only column of two values whose chances another one's numbers look like.

    Where there are several such columns, only numbers whose name says score are looked at.
    """
    others = (*TREATMENT_NAMES, *WEIGHT_NAMES)
    two = [
        column
        for column in columns
        if _is_of_two(column) and column.name not in found and not has_word(column.name, others)
    ]
    numbers = [
        column
        for column in columns
        if len(two) == 1 or split_score_name(column.name, (), "") is not None
    ]
    ranked = [
        column
        for column in two
        if any(could_be_probability(table, c, column, guess_event) for c in numbers)
    ]
    points = [c for c in numbers if _is_named_score(c)]
    if not ranked:  # scores in points have no size that would tell
        ranked = [
            column
            for column in two
            if any(ranks_clearly(table, p.name, column) for p in points)
            and not any(is_cut(table, column, p.name) for p in points)  # a rule of the score's
        ]
    return ranked if len(ranked) == 1 else []


def _is_named_score(column: ColumnSummary) -> bool:
    is_number = column.kind in ("number", "integer") and column.distinct != 2
    return is_number and split_score_name(column.name, (), "") is not None


def _is_named_outcome(column: ColumnSummary) -> bool:
    """Whether the name alone says outcome."""
    name = without_answers(fold(column.name))
    parts = name.split("_")
    return (
        name in TARGET_NAMES
        or is_event_name(name)
        or name.startswith(_BEGINNINGS)
        or any(part in TARGET_NAMES for part in parts)
        or _happened(parts)
    )


def _target_rank(column: ColumnSummary, end: int) -> float:
    """How much a column looks like an outcome; 0 = not.

    Outcomes stand last (``end`` 2), or first (1), more often than anywhere else (0).
    """
    name = without_answers(fold(column.name))
    parts = name.split("_")
    is_of_few = 2 <= column.distinct <= _MOST_CLASSES and column.kind in ("text", "boolean")
    rank = _rank_of_name(name, parts, column, end)
    if not rank and is_of_few and (_says_end(column) or "next" in parts):
        rank = 0.3
    if not rank:
        return 0.0
    if 2 <= column.distinct <= _MOST_CLASSES:
        return rank + (2.0 if column.distinct == 2 else 1.0 if column.kind != "number" else 0.0)
    if column.distinct == 1:
        return rank / 4
    return rank / 8 if column.kind in ("number", "integer") else 0.0


def _rank_of_name(name: str, parts: list[str], column: ColumnSummary, end: int) -> float:
    """How much a name says outcome, by its words and those of a question or an answer."""
    is_of_two = _is_of_two(column)
    named = 0.6 if set(parts) & set(BEFORE_WORDS) else 1.5  # "ever_default" beside "default_12m"
    ways: tuple[tuple[float, Callable[[], bool]], ...] = (
        # of a ticket, as often as the outcome
        (0.8, lambda: name == "class" and column.distinct > 2 and not end),
        (4.0, lambda: name in _SIGNED and column.distinct == 2),
        (4.0 - 0.001 * _PLACES.get(name, 0), lambda: name in _PLACES),
        (2.5, lambda: is_event_name(name)),
        (3.0, lambda: name.startswith(_BEGINNINGS)),
        (named, lambda: any(p in TARGET_NAMES[:11] and _is_noun(p, parts, column) for p in parts)),
        (1.3, lambda: is_of_two and _asks_what_was_done(column)),
        (1.2, lambda: is_of_two and name != fold(column.name) and _is_answer(parts)),
        (1.4, lambda: bool(_AHEAD.search(name)) and any(len(p) > 1 for p in parts if p in _PLACES)),
        (0.9 + 0.02 * end, lambda: is_of_two and _says_what_happened(parts, column)),
    )
    return next((rank for rank, is_so in ways if is_so()), 0.0)


def _says_what_happened(parts: list[str], column: ColumnSummary) -> bool:
    """Whether a name tells what happened, above values that may answer it: no two years sold."""
    numbers = [form for form, _ in column.levels if column.kind in ("integer", "number")]
    may_answer = all(abs(float(form)) < _YEARS for form in numbers)
    return may_answer and (_happened(parts) or _says_loan_end("_".join(parts), column))


def _by_what_may_follow(
    columns: tuple[ColumnSummary, ...], kept: set[str], treated: str
) -> list[tuple[float, int, ColumnSummary]]:
    """What came of cases by weaker signs, the last or first column of the file before others.

    Of several in its midst none says more than the others: inputs are called alike.
    """
    ends = {columns[0].name, columns[-1].name}
    found = [
        column
        for column in columns
        if column.name not in kept | {treated}
        and _is_of_two(column)
        and _may_follow(column, is_at_end=column.name in ends)
    ]
    at_end = [column for column in found if column.name in ends][::-1]
    chosen = at_end[:1] or (found if len(found) == 1 else [])
    return [(-_FOLLOWS, 0, column) for column in chosen]


def _is_answer(parts: list[str]) -> bool:
    """Whether a name that says yes or no has an outcome's word: "Claim made (Y/N)"."""
    words = [part for part in parts if len(part) > 2 and part not in ("status", "result", "visit")]
    return any(word in TARGET_NAMES for word in words) and not set(parts) & set(BEFORE_WORDS)


def _asks_what_was_done(column: ColumnSummary) -> bool:
    """Whether a name is a question of a survey on what somebody did, with yes and no below it."""
    return (
        len(column.name.split()) >= _FEWEST_ASKED
        and _is_of_two(column)
        and {form.casefold() for form, _ in column.levels}
        <= {"0", "1", "yes", "no", *PLAIN_ANSWERS}
        and ASKED.search(column.name) is not None
        and not set(fold(column.name).split("_")) & {"before", "ever", "previously", "vorher", "je"}
    )


def _says_loan_end(name: str, column: ColumnSummary) -> bool:
    """Whether a name says in words how a loan ends, or is its status with yes and no."""
    spaced = name.replace("_", " ")
    is_told = any(spaced.endswith(end) for end in (*LOANS_PAID, *LOANS_LOST) if " " in end)
    parts = name.split("_")
    is_status = parts[-1] == "status" and len(parts) > 1 and parts[0] in _LOAN_WORDS
    forms = {form.casefold() for form, _ in column.levels}
    return is_told or (is_status and forms <= {"0", "1", *chain(*OPPOSITES)})


def _may_follow(column: ColumnSummary, *, is_at_end: bool) -> bool:
    """Whether two values may be what came of a case, where the file has no plainer outcome.

    An illness; what happens within a time ("dlqin2yrs"); money that came or not ("Revenue"); which
    side of a limit a number ended on ("<=50K", ">50K"); the last column of a file without names.
    """
    name = without_answers(fold(column.name))
    parts = set(name.split("_"))
    if parts & set(BEFORE_WORDS):
        return False
    forms = [form.strip(" .") for form, _ in column.levels]
    is_limit = {form[:1] for form in forms} == {"<", ">"} and is_at_end
    is_limit = is_limit and len({form.lstrip("<>= ") for form in forms}) == 1
    is_ill = bool(parts & set(ILLNESSES)) or any(f"_{i}_" in f"_{name}_" for i in ILLNESSES)
    is_earned = name in _EARNED_WORDS and column.kind in ("boolean", "text")
    is_nameless = re.fullmatch(r"column_\d+", name) is not None and is_at_end
    is_coded = {*map(printed, forms)} in ({"0", "1"}, {"1", "-1"})
    return (
        is_limit
        or is_ill
        or is_earned
        or _WITHIN.search(name) is not None
        or (is_nameless and is_coded)
    )


def _is_noun(part: str, parts: list[str], column: ColumnSummary) -> bool:
    """Whether a word names the outcome: a "default channel group" of several values does not."""
    is_alone = part not in ("default", "target") or column.distinct == 2 or part == parts[-1]
    if part == "class":  # "MSSubClass" and "cabin class" are none
        return parts[-1] != part or bool(
            set(parts) & {*TARGET_NAMES, *ACTUAL_WORDS, "true"} - {part}
        )
    return len(part) > 1 and is_alone


def is_form_state(column: ColumnSummary, names: tuple[str, ...]) -> bool:
    """Whether a column says how far a form of REDCap is filled in: 0, 1 or 2 under "_complete"."""
    is_named = fold(column.name).endswith("_complete") and column.minimum == 0
    of_redcap = any(name.startswith("redcap_") or name == "record_id" for name in names)
    return is_named and of_redcap and (column.maximum or 0.0) <= 2.0


def _happened(parts: list[str]) -> bool:
    """Whether words say what happened to a case, by a day or not: "readmit30"."""
    stems = [re.sub(r"\d+[a-z]?\Z", "", part) for part in parts]
    is_told = any(stem in HAPPENED or stem.endswith(HAPPENED_ENDINGS) for stem in stems)
    return is_told and not set(parts) & set(BEFORE_WORDS)


def _is_of_two(column: ColumnSummary) -> bool:
    """Whether a column has two values, beside such as say that one is not known."""
    forms = tuple(form for form, _ in column.levels)
    return column.distinct - len(unknown_forms(forms)) == 2


def _last_of_series(columns: list[ColumnSummary]) -> list[ColumnSummary]:
    """Columns without those that are an earlier one by their number: of wages 1974, 1975, 1978."""
    last: dict[str, tuple[int, ColumnSummary]] = {}
    for column in columns:
        number = re.search(r"\d+", column.name)
        stem = re.sub(r"\d+", "", column.name)
        year = int(number[0]) if number else 0
        if stem not in last or last[stem][0] < year:
            last[stem] = (year, column)
    return [column for _, column in last.values()]


def _counts_ends(column: ColumnSummary) -> bool:
    """Whether whole numbers count what is aimed at: approved conversions of an advertisement."""
    is_count = column.kind == "integer" and column.minimum == 0 and column.distinct > 2
    return is_count and has_word(column.name, _CONVERTED)


def _says_end(column: ColumnSummary) -> bool:
    """Whether texts say how something ended: won or lost, left or stayed beside "Left".

    Of more than two they count under a name such as status: "Charged Off", "Current", "Fully Paid".
    """
    name = without_answers(fold(column.name))
    forms = {form.casefold() for form, _ in column.levels} - {*PLAIN_ANSWERS}
    if frozenset(forms - {*INDETERMINATE}) in OUTCOME_PAIRS or forms >= {
        "closed won",
        "closed lost",
    }:
        return True
    if forms & LOANS_PAID and forms & LOANS_LOST and not has_word(column.name, BEFORE_WORDS):
        return True
    is_told = bool(forms.intersection(EVENT_LEVELS) and forms.intersection(NON_EVENT_LEVELS))
    if column.distinct > 2:
        return is_told and any(part in TARGET_NAMES for part in name.split("_"))
    return is_told or (len(forms) == 2 and any(fold(form) == name for form in forms))


def _is_earned(column: ColumnSummary) -> bool:
    """Whether numbers are money that came in, by a name that does not speak of before."""
    is_number = column.kind in ("number", "integer") and not 0 <= column.distinct <= 2
    is_named = has_word(column.name, _EARNED_WORDS) and not has_word(column.name, BEFORE_WORDS)
    return is_number and is_named


def _target_spec(column: ColumnSummary, *, is_number: bool) -> tuple[TargetSpec, str]:
    """Kind and levels of the target, the event first, and why that one."""
    most = _MOST_CLASSES if is_number else SHOWN_LEVELS
    few = 1 <= column.distinct <= most and not (is_number and column.distinct > 2)
    is_each_its_own = column.distinct > max(2, column.rows / 2) and column.kind != "text"
    if not few or _is_count(column) or _counts_ends(column) or is_each_its_own:
        return TargetSpec(column=column.name, kind="interval"), ""
    spellings = spellings_of(dict(column.levels))
    counts = counted_together(dict(column.levels), spellings)
    unknown = unknown_forms(tuple(counts))
    counts = {form: count for form, count in counts.items() if form not in unknown}
    forms = list(counts)
    if len(forms) > 2:
        ordered = sorted(forms, key=_natural)
        event, reason = guess_event(counts, column.name)
        ordered.remove(event)
        spec = TargetSpec(column=column.name, kind="multiclass", levels=(event, *ordered))
        return spec, reason
    if len(forms) == 1 and (other := opposite_level(forms[0])):
        # One class only: the event is the one that did not happen, not the one that is left.
        event, reason = guess_event(dict.fromkeys((forms[0], other), 1))
        forms = [forms[0], other]
    elif set(forms) == {"1", "2"} and is_event_name(fold(column.name)):
        event, reason = "2", "'2' is taken as the event beside a time, as usual: please check"
    else:
        event, reason = guess_event(counts, column.name)
    rest = [form for form in forms if form != event]
    spec = TargetSpec(column=column.name, kind="binary", levels=(event, *rest), spellings=spellings)
    return spec, reason


def unknown_forms(forms: tuple[str, ...]) -> tuple[str, ...]:
    """Values that say that an outcome is not known, where two others or more are classes.

    "k.A." beside yes and no; 9, 99 and the like beside 0 and 1, or 1 and 2.
    """
    worded = tuple(form for form in forms if form.strip().casefold() in UNKNOWN_LEVELS)
    if {form.casefold() for form in forms} == {"y", "n", "u"}:
        worded += tuple(form for form in forms if form.casefold() == "u")
    coded = tuple(form for form in forms if form in UNKNOWN_CODES)
    is_coded = set(forms) - set(coded) in ({"0", "1"}, {"1", "2"})
    found = worded + (coded if is_coded else ())
    return found if len(forms) - len(found) >= 2 else ()


def _is_count(column: ColumnSummary) -> bool:
    """Whether whole numbers from 0 on are counts of something, by the column's name."""
    is_whole = column.kind == "integer" and column.minimum == 0 and column.distinct > 2
    return is_whole and has_word(column.name, COUNT_NAMES)


def _natural(form: str) -> tuple[int, float, str]:
    """Numbers by size, then words by letters."""
    try:
        return (0, float(form), "")
    except ValueError:
        return (1, 0.0, form)
