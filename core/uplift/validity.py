"""Whether an area may be read at all: was the treatment drawn by lot, and are the arms alike?

Every check says what it found in one line, and the verdict says what to use instead. Whether the
columns foretell the treatment is found in ``core.uplift.foretelling`` and handed in.

In a fair experiment 5 of 100 verdicts warn, not 5 of 100 checks: the p-values of all checks are
judged together by Holm's weighted rule (1979), which holds however checks depend on each other.
Each shows its own p-value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.special import chdtrc, ndtr

from core.document.studies.uplift import ERROR, OK, WARNING, Check, Validity
from core.document.wording import join_words
from core.inference.delong import ranked_area
from core.inference.intervals import holm_p_values
from core.inference.normal import normal_reach, two_sided_p_value
from core.uplift.experiment import Experiment
from core.uplift.foretelling import Predictability
from core.uplift.ranked.ranking import UpliftRanking
from core.uplift.segments import treatment_balance
from payoff.counting import counted, counted_of
from payoff.types import AnyArray, FloatArray

HARD_P = 1e-3
SOFT_P = 0.05
HARMLESS_SD = 0.1
LARGE_SD = 0.25
FEWEST_EFFECTIVE = 10.0
EXTREME = 0.01
MOST_LEVELS = 40
_DEALT_ANEW = "a permutation test of its own, not of this AUC"
WEIGHTS = {"share": 0.2, "predictable": 0.28, "imbalance": 0.28, "score": 0.24}
"""What part of the 5 % each check may use up. What is left out leaves its part to the others, and
that of the columns to the other check of the columns: a score says little that they do not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tested:
    """A check as it reads where nothing speaks against it, and its words where something does."""

    check: Check
    doubt: str
    doubt_value: str = ""
    is_large: bool = False  # a doubt is grave whatever its p-value
    test: str = ""  # what the p-value is of, where it is not of the value shown


class ScoreArea(NamedTuple):
    """AUC of telling treated from control cases by a score, and the p-value of a half."""

    auc: float
    p_value: float


def treatment_auc(ranking: UpliftRanking) -> ScoreArea:
    """AUC of telling treated from control cases by the score (Mann-Whitney, ties half).

    The p-value is the exact null variance's with ties.
    """
    found = ranked_area(_own_sums(ranking.n_t), _own_sums(ranking.n_c))
    z = (found.area - 0.5) / found.null_error if found.null_error > 0 else 0.0
    return ScoreArea(found.area, two_sided_p_value(z))


def _own_sums(down_to_end: FloatArray) -> FloatArray:
    """What each group adds to sums down to its end, (G,)."""
    own = np.empty_like(down_to_end)
    own[:1] = down_to_end[:1]
    np.subtract(down_to_end[1:], down_to_end[:-1], out=own[1:])
    return own


def check_validity(
    experiment: Experiment,
    rankings: Mapping[str, UpliftRanking],
    *,
    columns: Mapping[str, AnyArray] | None = None,
    foretold: Predictability | None = None,
    planned_share: float | None = None,
    drawn_by_lot: bool | None = None,
) -> Validity:
    """Run all checks.

    Parameters
    ----------
    experiment : Experiment
        Its propensities, where given, are checked for overlap.
    rankings : mapping of model to UpliftRanking
        The first one's window of shares is kept for the picture.
    columns : mapping of name to (n,) array, optional
        Columns known before the treatment: numbers, or anything else as levels.
    foretold : Predictability, optional
        How far the columns foretell the treatment.
    planned_share : float, optional
        Share of the treated as planned.
    drawn_by_lot : bool, optional
        What the user knows; None = not said.
    """
    tested = []
    if planned_share is not None and 0 < planned_share < 1:
        tested.append(_planned_share(experiment, planned_share))
    if foretold is not None:
        tested.append(_from_columns(foretold))
    if columns:
        tested.append(_imbalance(experiment, columns))
    tested.append(_along_score(rankings))
    checks = _judged(tested)
    if checks[0].key != "share":
        checks.insert(0, _share(experiment))
    checks += [check for check in (_overlap(experiment),) if check is not None]
    state, headline, advice = _verdict(experiment, checks, drawn_by_lot)
    first = next(iter(rankings.values()), None)
    depth, share = treatment_balance(first) if first is not None else (np.empty(0), np.empty(0))
    width = max(experiment.total / 40.0, min(experiment.total, 30.0))
    reach = normal_reach() * math.sqrt(experiment.share * (1 - experiment.share) / width)
    return Validity(
        state=state,
        headline=headline,
        advice=advice,
        checks=tuple(checks),
        balance_depth=depth,
        balance_share=share,
        balance_low=experiment.share - reach,
        balance_high=experiment.share + reach,
    )


def _state_of(p_value: float) -> str:
    """State by a p-value among all checks; NaN, where nothing was tested, is ok."""
    if p_value < HARD_P:
        return ERROR
    return WARNING if p_value < SOFT_P else OK


def _words_of_p(p_value: float) -> str:
    return "p < 0.0001" if p_value < 1e-4 else f"p = {p_value:.2g}"


def _judged(tested: Sequence[_Tested]) -> list[Check]:
    """The checks, each by what its p-value is among all of them."""
    parts = _parts([entry.check.key for entry in tested])
    adjusted = holm_p_values(np.array([entry.check.p_value for entry in tested]), parts)
    found = []
    for entry, p_value in zip(tested, adjusted, strict=True):
        check, state = entry.check, _state_of(float(p_value))
        if state == WARNING and entry.is_large:
            state = ERROR
        detail, value = check.detail, check.value
        if state != OK:
            detail, value = entry.doubt, entry.doubt_value or check.value
        elif check.p_value < SOFT_P:
            own = _words_of_p(check.p_value)
            own += f" of {entry.test}" if entry.test else ""
            detail += f"; {own} by itself, not unusual among {counted(len(tested), 'check')}"
        found.append(
            replace(check, state=state, value=value, detail=detail, adjusted=float(p_value))
        )
    return found


def _parts(keys: Sequence[str]) -> FloatArray:
    """The parts of some checks, which sum to 1."""
    parts = {key: WEIGHTS[key] for key in keys}
    columns = [key for key in ("predictable", "imbalance") if key in parts]
    if len(columns) == 1:
        parts[columns[0]] = WEIGHTS["predictable"] + WEIGHTS["imbalance"]
    part = np.array([parts[key] for key in keys])
    return np.asarray(part / part.sum())


def _share_words(experiment: Experiment) -> str:
    share, total = experiment.share, experiment.total
    reach = normal_reach() * math.sqrt(share * (1 - share) / total)
    return f"{100 * share:.1f} % ({100 * (share - reach):.1f} to {100 * (share + reach):.1f})"


def _planned_share(experiment: Experiment, planned: float) -> _Tested:
    """The share of the treated against the plan: the sample-ratio test."""
    z = (experiment.share - planned) / math.sqrt(planned * (1 - planned) / experiment.total)
    p_value = two_sided_p_value(z)
    detail = f"planned {100 * planned:.1f} %, {_words_of_p(p_value)}"
    return _Tested(
        check=Check(
            key="share",
            title="Share treated",
            state=OK,
            value=_share_words(experiment),
            detail=detail,
            number=experiment.share,
            p_value=p_value,
        ),
        doubt=f"{detail}: the shares do not come from this plan; look for lost or doubled cases",
    )


def _share(experiment: Experiment) -> Check:
    """The share of the treated against a half: which curves may be read, no doubt."""
    share, total = experiment.share, experiment.total
    z = (share - 0.5) / math.sqrt(0.25 / total)
    p_value = two_sided_p_value(z)
    is_half = p_value >= SOFT_P
    detail = (
        "as good as 1 to 1"
        if is_half
        else "not 1 to 1: the plain curve is not valid, the generalised one re-balances"
    )
    return Check(
        key="share",
        title="Share treated",
        state=OK,
        value=_share_words(experiment),
        detail=detail,
        number=share,
        p_value=p_value,
        is_test=False,
    )


def _from_columns(found: Predictability) -> _Tested:
    """Whether the columns can tell the arms apart."""
    return _Tested(
        check=Check(
            key="predictable",
            title="Predictable from the columns?",
            state=OK,
            value=f"AUC {found.auc:.3f} ({found.low:.3f} to {found.high:.3f})",
            detail="0.500 = pure chance",
            number=found.auc,
            p_value=found.p_value,
        ),
        doubt="who was treated can be told from the columns, "
        f"{_words_of_p(found.p_value)} of {_DEALT_ANEW}",
        test=_DEALT_ANEW,
    )


def _imbalance(experiment: Experiment, columns: Mapping[str, AnyArray]) -> _Tested:
    """The largest standardised mean difference, and the smallest p-value over all columns."""
    worst, worst_name, smallest, name_of_p = 0.0, "", 1.0, ""
    for name, values in columns.items():
        distance, p_value = column_imbalance(experiment, values)
        if distance > worst:
            worst, worst_name = distance, name
        if p_value < smallest:
            smallest, name_of_p = p_value, name
    p_value = min(1.0, smallest * max(len(columns), 1))  # Holm's first step over the columns
    return _Tested(
        check=Check(
            key="imbalance",
            title="Largest imbalance",
            state=OK,
            value=f"{worst:.3f} sd in {worst_name}" if worst_name else "none",
            detail=f"below {HARMLESS_SD:g} sd is harmless"
            if worst < HARMLESS_SD
            else "by chance alone",
            number=worst,
            p_value=p_value,
        ),
        doubt=f"'{name_of_p}' differs between the arms, {_words_of_p(p_value)}",
        is_large=worst > LARGE_SD,
    )


def column_imbalance(experiment: Experiment, values: AnyArray) -> tuple[float, float]:
    """How far the arms differ in a column: distance in sd, and p-value (t or chi-square test)."""
    if np.issubdtype(values.dtype, np.floating):
        return _number_imbalance(experiment, np.asarray(values, dtype=np.float64))
    levels, codes = np.unique(values, return_inverse=True)
    if len(levels) > MOST_LEVELS or len(levels) < 2:
        return 0.0, 1.0
    weight, treated = experiment.frequency, experiment.treated > 0
    n_t = np.bincount(codes[treated], weights=weight[treated], minlength=len(levels))
    n_c = np.bincount(codes[~treated], weights=weight[~treated], minlength=len(levels))
    share_t, share_c = n_t / n_t.sum(), n_c / n_c.sum()
    spread = np.sqrt((share_t * (1 - share_t) + share_c * (1 - share_c)) / 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = np.where(spread > 0, np.abs(share_t - share_c) / spread, 0.0)
    both = n_t + n_c
    expected_t, expected_c = both * experiment.share, both * (1 - experiment.share)
    statistic = float(np.sum((n_t - expected_t) ** 2 / expected_t))
    statistic += float(np.sum((n_c - expected_c) ** 2 / expected_c))
    return float(distance.max()), float(chdtrc(len(levels) - 1, statistic))


def _number_imbalance(experiment: Experiment, values: FloatArray) -> tuple[float, float]:
    known = np.isfinite(values)
    parts = []
    for arm in (experiment.treated > 0, experiment.treated == 0):
        chosen = values[arm & known]
        weight = experiment.frequency[arm & known]
        if weight.sum() <= 1:
            return 0.0, 1.0
        mean = float(weight @ chosen / weight.sum())
        parts.append((mean, float(weight @ (chosen - mean) ** 2 / weight.sum()), weight.sum()))
    (mean_t, var_t, t), (mean_c, var_c, c) = parts
    spread, error = math.sqrt((var_t + var_c) / 2), math.sqrt(var_t / t + var_c / c)
    if error == 0:
        return 0.0, 1.0
    gap = abs(mean_t - mean_c)
    return gap / spread, two_sided_p_value(gap / error)


def _along_score(rankings: Mapping[str, UpliftRanking]) -> _Tested:
    """The treated share along every ranking: AUC of the score, and a runs test of its slices."""
    worst: tuple[float, str, ScoreArea, float] | None = None
    for name, ranking in rankings.items():
        found, runs = treatment_auc(ranking), runs_test(ranking)
        p_value = min(1.0, 2.0 * min(found.p_value, runs))
        if worst is None or p_value < worst[0]:
            worst = (p_value, name, found, runs)
    title = "Share along the ranking"
    if worst is None:
        return _Tested(
            check=Check(key="score", title=title, state=OK, value="no ranking", is_test=False),
            doubt="",
        )
    p_value, name, found, runs = worst
    doubt = detail = f"runs test {_words_of_p(runs)}, AUC of the score {found.auc:.3f}"
    of_all = min(1.0, p_value * len(rankings))
    if runs < SOFT_P <= of_all:
        detail += f"; not unusual among {counted(2 * len(rankings), 'test')}"
    return _Tested(
        check=Check(
            key="score",
            title=title,
            state=OK,
            value="stays in its band",
            detail=detail,
            number=found.auc,
            p_value=of_all,
        ),
        doubt=doubt,
        doubt_value=f"drifts by {name}",
    )


def runs_test(ranking: UpliftRanking, slices: int = 60) -> float:
    """p-value of too few runs above and below the overall share along the ranking."""
    count = int(min(slices, ranking.experiment.total // 20, ranking.groups))
    if count < 8:
        return 1.0
    cases = ranking.count
    edges = np.linspace(0.0, cases[-1], count + 1)
    ends = np.searchsorted(cases, edges[1:-1])  # the group that holds each edge
    begins = np.maximum(ends - 1, 0)
    held, treated = cases[ends], ranking.n_t[ends]
    before = np.where(ends > 0, cases[begins], 0.0)
    treated_before = np.where(ends > 0, ranking.n_t[begins], 0.0)
    part = (edges[1:-1] - before) / (held - before)
    inner = treated_before + part * (treated - treated_before)
    at = np.concatenate([[0.0], inner, ranking.n_t[-1:]])
    gap = np.diff(at) / np.diff(edges) - ranking.experiment.share
    signs = np.sign(gap[gap != 0])
    above, below = float(np.sum(signs > 0)), float(np.sum(signs < 0))
    if min(above, below) < 1:
        return 1.0
    total = above + below
    runs = 1 + float(np.sum(signs[1:] != signs[:-1]))
    mean = 1 + 2 * above * below / total
    spread = 2 * above * below * (2 * above * below - total) / (total**2 * (total - 1))
    return float(ndtr((runs + 0.5 - mean) / math.sqrt(spread))) if spread > 0 else 1.0


def _overlap(experiment: Experiment) -> Check | None:
    """Propensities near 0 or 1, the largest weight and the effective number of cases."""
    if not experiment.has_propensity:
        return None
    e = experiment.propensity
    is_extreme = (e < EXTREME) | (e > 1 - EXTREME)
    extreme = float(experiment.frequency @ is_extreme) / experiment.total
    weights = np.abs(experiment.signed_weight)
    effective = experiment.effective_size
    state = OK
    detail = (
        f"largest weight {weights.max():.4g}, "
        f"{100 * extreme:.1f} % of the chances beyond 1 and 99 %"
    )
    if effective < FEWEST_EFFECTIVE:
        state = ERROR
        detail += "; nearly all the weight is on a few cases: intervals are withheld"
    elif extreme > 0:
        state = WARNING
    observed = experiment.share
    if np.ptp(e) == 0 and abs(float(e[0]) - observed) > 4 * math.sqrt(
        observed * (1 - observed) / experiment.total
    ):
        state = WARNING if state == OK else state
        detail += f"; the constant {float(e[0]):.4g} is not the share treated, {observed:.4g}"
    return Check(
        key="overlap",
        title="Effective cases",
        state=state,
        value=f"{effective:,.0f} of {experiment.total:,.0f}",
        detail=detail,
        number=effective,
    )


_COULD_BE_CHECKED = {
    "share": "the share against a plan",
    "predictable": "the treatment against the columns",
    "imbalance": "each column's balance",
    "score": "the share along a ranking",
}


def tally_of(checks: Sequence[Check]) -> str:
    """How many checks pass of those that were made, and which were not."""
    made = [check for check in checks if check.is_test]
    tested = {check.key for check in made}
    left = [words for key, words in _COULD_BE_CHECKED.items() if key not in tested]
    passed = sum(check.state == OK for check in made)
    text = f"{counted_of(passed, len(made), 'check', verbs='passes/pass')}."
    if not made:
        text = "Nothing was checked."
    elif len(made) == 1:
        text = "The one check made passes." if passed else "The one check made does not pass."
    return f"{text} Not checked: {join_words(left)}." if left and made else text


def _verdict(
    experiment: Experiment, checks: Sequence[Check], drawn_by_lot: bool | None
) -> tuple[str, str, str]:
    states = {check.key: check.state for check in checks}
    arms = [states.get(key, OK) for key in ("predictable", "imbalance", "score")]
    if states.get("overlap") == ERROR:
        return (
            ERROR,
            "The weights rest on a few cases.",
            "No interval is shown. Clip the propensities, or restrict to cases that could be in "
            "either arm.",
        )
    tally = tally_of(checks)
    if ERROR in arms or drawn_by_lot is False:
        described = drawn_by_lot is False and ERROR not in arms
        headline = (
            "The treatment was not drawn by lot."
            if described
            else "Who was treated was no accident: this is not a random split."
        )
        if experiment.has_propensity:
            return (
                WARNING,
                headline,
                f"Chances of treatment are used on both axes (formulas 25 and 26). {tally}",
            )
        return (
            ERROR,
            headline,
            "AUUC is not valid here: use the generalised curve with a propensity per case, given "
            f"or estimated. {tally}",
        )
    if states.get("share") == ERROR:
        return (
            ERROR,
            "The arms are not the sizes that were planned.",
            f"Find out why first. {tally}",
        )
    if WARNING in states.values():
        return WARNING, "The checks of the split leave a reservation.", tally
    if not any(check.is_test for check in checks):
        return WARNING, "Whether the split was random was not checked.", tally
    return OK, "Nothing speaks against a random split.", f"Effects can be measured: {tally}"
