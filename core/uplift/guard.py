"""Whether an area may be read at all: was the treatment drawn by lot, and are the arms alike?

Every check says what it found in one line, and the verdict says what to use instead. What needs
a model (predicting the treatment from the columns) is handed in as its cross-fitted chances.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.special import chdtrc, ndtr

from core.document.wording import join_words
from core.uplift.bands import reach_of
from core.uplift.experiment import Experiment
from core.uplift.ranking import UpliftRanking
from core.uplift.segments import treatment_balance
from payoff.types import AnyArray, FloatArray, IntArray

OK, WARNING, ERROR = "ok", "warning", "error"
HARD_P = 1e-3
SOFT_P = 0.05
HARMLESS_SD = 0.1
LARGE_SD = 0.25
FEWEST_EFFECTIVE = 10.0
EXTREME = 0.01
MOST_LEVELS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check: ``state`` is ok, warning or error; ``value`` is what stands in bold."""

    key: str
    title: str
    state: str
    value: str
    detail: str = ""
    number: float = math.nan
    p_value: float = math.nan
    is_test: bool = True  # False: a figure to know, nothing that could have failed


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Validity:
    """All checks and the verdict.

    Attributes
    ----------
    state : str
        ok, warning (read with care) or error (the area is not valid as it stands).
    headline, advice : str
    balance_depth, balance_share : (M,) float64
        Treated share in a moving window along the ranking.
    balance_low, balance_high : float
        Where it should stay, 95 of 100 windows.
    """

    state: str
    headline: str
    advice: str
    checks: tuple[Check, ...]
    balance_depth: FloatArray = field(default_factory=lambda: np.empty(0))
    balance_share: FloatArray = field(default_factory=lambda: np.empty(0))
    balance_low: float = math.nan
    balance_high: float = math.nan

    @property
    def warnings(self) -> tuple[str, ...]:
        """The verdict and every check that is not ok, in words."""
        if self.state == OK:
            return ()
        texts = [
            f"{check.title}: {check.value}. {check.detail}".strip()
            for check in self.checks
            if check.state != OK
        ]
        return (f"{self.headline} {self.advice}".strip(), *texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Predictability:
    """AUC of predicting the treatment, its interval, and the p-value of a half."""

    auc: float
    low: float
    high: float
    p_value: float


def treatment_auc(ranking: UpliftRanking) -> Predictability:
    """AUC of telling treated from control cases by the score (Mann-Whitney, ties half).

    The interval is DeLong's, the p-value the exact null variance's with ties.
    """
    t, c = ranking.n_t[-1], ranking.n_c[-1]
    own_t, own_c = np.diff(ranking.n_t, prepend=0.0), np.diff(ranking.n_c, prepend=0.0)
    below_c = (c - ranking.n_c + 0.5 * own_c) / c
    above_t = (ranking.n_t - 0.5 * own_t) / t
    auc = float(own_t @ below_c) / t
    spread_t = float(own_t @ (below_c - auc) ** 2) / t
    spread_c = float(own_c @ (above_t - auc) ** 2) / c
    error = math.sqrt(spread_t / max(t - 1, 1) + spread_c / max(c - 1, 1))
    total, sizes = t + c, own_t + own_c
    ties = float(np.sum(sizes**3 - sizes)) / (total * (total - 1)) if total > 1 else 0.0
    null = math.sqrt(max((total + 1 - ties) / (12.0 * t * c), 0.0))
    z = (auc - 0.5) / null if null > 0 else 0.0
    reach = reach_of() * error
    return Predictability(
        auc=auc,
        low=max(auc - reach, 0.0),
        high=min(auc + reach, 1.0),
        p_value=2.0 * float(ndtr(-abs(z))),
    )


def check_validity(
    experiment: Experiment,
    rankings: Mapping[str, UpliftRanking],
    *,
    columns: Mapping[str, AnyArray] | None = None,
    predicted: FloatArray | None = None,
    predicted_rows: IntArray | None = None,
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
    predicted : (m,) float64, optional
        Chances of treatment by a cross-fitted model of the columns.
    predicted_rows : (m,) int64, optional
        The cases they are of; left out = all.
    planned_share : float, optional
        Share of the treated as planned.
    drawn_by_lot : bool, optional
        What the user knows; None = not said.
    """
    checks = [_share(experiment, planned_share)]
    if predicted is not None:
        whole = predicted_rows is None or len(predicted_rows) == len(experiment)
        part = experiment if whole or predicted_rows is None else experiment.rows(predicted_rows)
        checks.append(_from_columns(part, predicted))
    if columns:
        checks.append(_imbalance(experiment, columns))
    checks.append(_along_score(rankings))
    checks += [check for check in (_overlap(experiment),) if check is not None]
    state, headline, advice = _verdict(experiment, checks, drawn_by_lot)
    first = next(iter(rankings.values()), None)
    depth, share = treatment_balance(first) if first is not None else (np.empty(0), np.empty(0))
    width = max(experiment.total / 40.0, min(experiment.total, 30.0))
    reach = reach_of() * math.sqrt(experiment.share * (1 - experiment.share) / width)
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
    if p_value < HARD_P:
        return ERROR
    return WARNING if p_value < SOFT_P else OK


def _words_of_p(p_value: float) -> str:
    return "p < 0.0001" if p_value < 1e-4 else f"p = {p_value:.2g}"


def _share(experiment: Experiment, planned: float | None) -> Check:
    """The share of the treated against the plan (sample-ratio test), else against a half."""
    share, total = experiment.share, experiment.total
    reach = reach_of() * math.sqrt(share * (1 - share) / total)
    value = f"{100 * share:.1f} % ({100 * (share - reach):.1f} to {100 * (share + reach):.1f})"
    if planned is not None and 0 < planned < 1:
        z = (share - planned) / math.sqrt(planned * (1 - planned) / total)
        p_value = 2.0 * float(ndtr(-abs(z)))
        state = _state_of(p_value) if p_value < 0.01 else OK
        detail = f"planned {100 * planned:.1f} %, {_words_of_p(p_value)}"
        if state != OK:
            detail += ": the shares do not come from this plan; look for lost or doubled cases"
        return Check(
            key="share",
            title="Share treated",
            state=state,
            value=value,
            detail=detail,
            number=share,
            p_value=p_value,
        )
    z = (share - 0.5) / math.sqrt(0.25 / total)
    p_value = 2.0 * float(ndtr(-abs(z)))
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
        value=value,
        detail=detail,
        number=share,
        p_value=p_value,
        is_test=False,
    )


def _from_columns(experiment: Experiment, predicted: FloatArray) -> Check:
    """Whether a model of the columns can tell the arms apart on rows it did not see."""
    found = treatment_auc(UpliftRanking(experiment, predicted))
    # Folds make chance rankings lean below a half; only above it says that arms differ.
    p_value = found.p_value / 2 if found.auc > 0.5 else 1.0
    state = _state_of(p_value)
    return Check(
        key="predictable",
        title="Predictable from the columns?",
        state=state,
        value=f"AUC {found.auc:.3f} ({found.low:.3f} to {found.high:.3f})",
        detail="0.500 = pure chance"
        if state == OK
        else f"who was treated can be told from the columns, {_words_of_p(p_value)}",
        number=found.auc,
        p_value=p_value,
    )


def _imbalance(experiment: Experiment, columns: Mapping[str, AnyArray]) -> Check:
    """The largest standardised mean difference, and the smallest p-value over all columns."""
    worst, worst_name, smallest, name_of_p = 0.0, "", 1.0, ""
    for name, values in columns.items():
        distance, p_value = column_imbalance(experiment, values)
        if distance > worst:
            worst, worst_name = distance, name
        if p_value < smallest:
            smallest, name_of_p = p_value, name
    adjusted = min(1.0, smallest * max(len(columns), 1))  # Holm's first step
    state = _state_of(adjusted)
    if worst > LARGE_SD and state == WARNING:
        state = ERROR
    detail = f"below {HARMLESS_SD:g} sd is harmless" if worst < HARMLESS_SD else "by chance alone"
    if state != OK:
        detail = f"'{name_of_p}' differs between the arms, {_words_of_p(adjusted)}"
    return Check(
        key="imbalance",
        title="Largest imbalance",
        state=state,
        value=f"{worst:.3f} sd in {worst_name}" if worst_name else "none",
        detail=detail,
        number=worst,
        p_value=adjusted,
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
    return gap / spread, 2.0 * float(ndtr(-gap / error))


def _along_score(rankings: Mapping[str, UpliftRanking]) -> Check:
    """The treated share along every ranking: AUC of the score, and a runs test of its slices."""
    worst: tuple[float, str, Predictability, float] | None = None
    for name, ranking in rankings.items():
        found, runs = treatment_auc(ranking), runs_test(ranking)
        p_value = min(1.0, 2.0 * min(found.p_value, runs))
        if worst is None or p_value < worst[0]:
            worst = (p_value, name, found, runs)
    if worst is None:
        return Check(
            key="score",
            title="Share along the ranking",
            state=OK,
            value="no ranking",
            is_test=False,
        )
    p_value, name, found, runs = worst
    p_value = min(1.0, p_value * len(rankings))
    state = _state_of(p_value)
    detail = f"runs test {_words_of_p(runs)}, AUC of the score {found.auc:.3f}"
    return Check(
        key="score",
        title="Share along the ranking",
        state=state,
        value="stays in its band" if state == OK else f"drifts by {name}",
        detail=detail,
        number=found.auc,
        p_value=p_value,
    )


def runs_test(ranking: UpliftRanking, slices: int = 60) -> float:
    """p-value of too few runs above and below the overall share along the ranking."""
    count = int(min(slices, ranking.experiment.total // 20, ranking.groups))
    if count < 8:
        return 1.0
    zero = np.zeros(1)
    edges = np.linspace(0.0, ranking.count[-1], count + 1)
    at = np.interp(
        edges, np.concatenate([zero, ranking.count]), np.concatenate([zero, ranking.n_t])
    )
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
    text = f"{passed} of {len(made)} checks pass." if made else "Nothing was checked."
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
        said = drawn_by_lot is False and ERROR not in arms
        headline = (
            "The treatment was not drawn by lot."
            if said
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
        return WARNING, "Probably a random split, with a reservation.", tally
    if not any(check.is_test for check in checks):
        return WARNING, "Whether the split was random was not checked.", tally
    return OK, "Nothing speaks against a random split.", f"Effects can be measured: {tally}"
