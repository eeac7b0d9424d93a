"""``payoff.error_bound``, ``payoff.bound`` and ``payoff.experiment``: how sure is an evaluation?"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pandas as pd

from core.document.experiments.files import COLUMNS, experiment_run_rows, run_files, save_experiment
from core.document.experiments.results import BoundsResult, ErrorBound, ExperimentResult, Side
from core.document.experiments.spec import ExperimentSpec
from core.document.files.codec import to_plain
from core.document.files.guarded import check_targets
from core.document.model import Document
from core.experiments import bounds
from core.experiments.bounds import cases_needed
from core.experiments.losses import LossSource
from core.questions.compare import ErrorBounds
from core.questions.experiments import RunExperiment
from core.script.command_line.answering import tell
from core.script.session import (
    REFUSE,
    ScoreColumns,
    ScriptData,
    data_of,
    document_of,
    engine,
    loaded_table,
    score_roles,
    target_of,
)
from payoff.errors import PayoffError
from payoff.parameters import resolve_parameters

Json = dict[str, Any]


def error_bound(
    losses: Any,
    *,
    confidence: float = 0.95,
    method: str,
    sided: str = "upper",
    loss_range: tuple[float, float] | None = (0.0, 1.0),
    models_compared: int = 1,
    ids: Any = None,
    clusters: Any = None,
    trained_on: bool = False,
    pooled_splits: int = 1,
    seed: int = 0,
    resamples: int = 1000,
) -> tuple[float, float]:
    """Limits (low, high) of the expected loss of a model from its losses on unseen cases.

    Parameters
    ----------
    losses : array-like (n,)
        In the fixed order of the test rows.
    method : str
        hoeffding, kl, empirical_bernstein, clopper_pearson, prpl_eb, betting (these keep their
        promise for any losses in ``loss_range``); wilson, student_t, bootstrap, bca (approximate).
    sided : str
        "upper", "lower" or "two"; the limit that is not asked for is that of the range.
    models_compared : int
        Of how many models this one was chosen as the best on these losses.
    ids, clusters : array-like (n,), optional
        Repeated ids are refused; clusters count once each, with their mean loss.
    trained_on, pooled_splits
        What is known of the losses: both are refused, with the reason.

    Raises
    ------
    PayoffError
        Where no bound can be given.
    """
    found = bounds.compute_error_bound(
        np.asarray(losses, dtype=np.float64),
        method=method,
        confidence=confidence,
        side=_side(sided),
        loss_range=loss_range,
        seed=seed,
        resamples=resamples,
        source=LossSource(
            chosen_among=models_compared,
            trained_on=trained_on,
            pooled_splits=pooled_splits,
            ids=None if ids is None else np.asarray(ids),
            clusters=None if clusters is None else np.asarray(clusters),
        ),
    )
    return found.low, found.high


def _side(sided: str) -> Side:
    try:
        return Side(sided)
    except ValueError:
        raise PayoffError(f"sided cannot be {sided!r}.", remedy="upper, lower or two.") from None


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """What ``payoff.bound`` returns.

    Attributes
    ----------
    table : DataFrame
        One row per model and method: mean, low, high, margin, n, is_valid, is_vacuous, needed.
    result : BoundsResult
    """

    result: BoundsResult
    table: pd.DataFrame

    @property
    def refusals(self) -> dict[str, str]:
        """Why a model has no bound."""
        return {m.model: m.refusal for m in self.result.models if m.refusal}

    def conditions(self, model: str) -> tuple[str, ...]:
        """What the bounds of a model take for granted, and what was checked."""
        for entry in self.result.models:
            if entry.model == model and entry.bounds:
                return tuple(f"{c.text} ({c.state.value})" for c in entry.bounds[0].conditions)
        return ()


def bound(
    data: ScriptData,
    *,
    outcome: str,
    scores: ScoreColumns,
    loss: str = "squared",
    methods: Sequence[str] = (),
    confidence: float = 0.95,
    sided: str = "upper",
    models_compared: int = 0,
    cluster: str | None = None,
    loss_range: tuple[float, float] | None = None,
    margin: float = 0.0,
    task: str | None = None,
    missing_outcomes: str = REFUSE,
) -> Bounds:
    """Bound the expected loss of models from their scores on rows they have not seen.

    Parameters
    ----------
    loss : str
        "squared" (the Brier score for chances) or "zero_one" (the share of wrong classes).
    methods : names, optional
        Left out: those that suit the losses.
    models_compared : int
        0 = as many as are given here.
    cluster : str, optional
        A column; one loss per value of it.
    loss_range : tuple, optional
        Of a number's squared error; without it only approximate limits are given.
    margin : float
        The column ``needed`` says how many such cases would bring the limit so near the mean.
    missing_outcomes : {"refuse", "leave_out"}
        What to do where rows have no outcome: say how many and which, or judge without them.
    """
    table = loaded_table(data)
    target = target_of(table, outcome, task, None)
    document = document_of(
        table, target, score_roles(target, scores), missing_outcomes=missing_outcomes
    )
    asked = ErrorBounds(
        loss=loss,
        methods=tuple(methods),
        confidence=confidence,
        side=_side(sided),
        chosen_among=models_compared,
        cluster=cluster or "",
        loss_range=loss_range,
        margin=margin,
    )
    found = engine().ask(document, asked)
    rows = [_bound_row(m.model, entry) for m in found.models for entry in m.bounds]
    return Bounds(result=found, table=pd.DataFrame(rows))


def _bound_row(model: str, entry: ErrorBound) -> Json:
    return {
        "model": model,
        "method": entry.method,
        "mean": entry.mean,
        "low": entry.low,
        "high": entry.high,
        "margin": entry.margin,
        "n": entry.n,
        "is_valid": entry.is_valid,
        "is_vacuous": entry.is_vacuous,
        "needed": entry.needed,
    }


# ---------------------------------------------------------------- experiments


def experiment(
    protocol: str,
    data: ScriptData | None = None,
    *,
    journal: str | None = None,
    backend: str = "threads",
    address: str = "",
    **settings: Any,
) -> pd.DataFrame:
    """Run an evaluation experiment and return its table of runs.

    Parameters
    ----------
    protocol : str
        aki_alert, sepsis, stock_timing, ad_conversion.
    data : path, DataFrame, Arrow table or mapping, optional
        Left out: made-up rows of the same shape.
    journal : str, optional
        A file that keeps finished runs; named again, the experiment goes on where it ended.
    backend, address : str
        "threads", "processes", or "dask" with the scheduler's address.
    **settings
        Parts of ``ExperimentSpec``: mode, samplers, system, learners, systems, splits, test_share,
        seed, confidence, bound, subject_form, mean, covariance, ...; ``system_parameters`` as a
        mapping of names to values (a word for a choice).

    Returns
    -------
    DataFrame
        method, system, split, learner, n_train, n_test, error (E_emp), variance, bound, chance
        (the no-information loss), effect_error, effect_variance, effect_bound, clipped,
        worse_than_start, seed. ``.attrs["experiment"]`` holds the whole result.
    """
    result = run(spec_of(protocol, data, settings), data, journal or "", backend, address)
    table = pd.DataFrame(experiment_run_rows(result), columns=list(COLUMNS))
    table.attrs["experiment"] = result
    return table


def spec_of(protocol: str, data: ScriptData | None, settings: Mapping[str, Any]) -> ExperimentSpec:
    """The parts of an experiment from keywords; refuses one that is not known."""
    known = {item.name for item in fields(ExperimentSpec)} - {"protocol", "path"}
    unknown = [name for name in settings if name not in known]
    if unknown:
        raise PayoffError(
            f"An experiment has no part '{unknown[0]}'.", remedy=f"There are: {', '.join(known)}."
        )
    plain = {name: _frozen(value) for name, value in settings.items()}
    given = plain.pop("system_parameters", {})
    path = "" if data is None else str(data) if _is_path(data) else "script data"
    spec = replace(ExperimentSpec(protocol=protocol, path=path), **plain)
    if not given:
        return spec
    return replace(spec, system_parameters=_checked_parameters(spec, dict(given)))


def _checked_parameters(
    spec: ExperimentSpec, given: Mapping[str, object]
) -> tuple[tuple[str, float], ...]:
    """Parameters of the evaluation system by name, as numbers; words of choices are taken too."""
    system = engine().registry.system(spec.settled().system)
    values = resolve_parameters(system.parameters, given)
    return tuple(sorted((name, values[name]) for name in given))


def run(
    spec: ExperimentSpec, data: ScriptData | None, journal: str, backend: str, address: str
) -> ExperimentResult:
    """Run an experiment in this process's engine."""
    runner = engine()
    if data is not None and not _is_path(data):
        table = data_of(data)  # held while the experiment runs, under a name of its own
        spec = replace(spec, path=f"{spec.path} {table.data.content_hash[:16]}")
        table = runner.workbench.cache.hold(("experiment table", spec.path), table, spec.path)
    question = RunExperiment(journal=journal, backend=backend, address=address)
    return runner.ask(Document(experiment=spec), question, _ExperimentProgress())


class _ExperimentProgress:
    """Says runs done and time left on stderr, every few seconds."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, fraction: float | None, stage: str, partial: object = None) -> None:
        del fraction
        now = time.monotonic()
        if isinstance(partial, ExperimentResult) and now - self._last > 5.0:
            self._last = now
            left = partial.seconds_left
            tell(f"{stage}, {left:,.0f} s left" if math.isfinite(left) else stage)


def _named_value(text: str) -> tuple[str, float | str]:
    """ "cost=0.01" as name and number; a word stays a word, for choices."""
    name, sign, value = text.partition("=")
    if not sign:
        raise PayoffError(
            f"'{text}' is no parameter.", remedy="Write NAME=VALUE, such as sharpness=2."
        )
    try:
        return name.strip(), float(value)
    except ValueError:
        return name.strip(), value.strip()


def _is_path(data: ScriptData) -> bool:
    return isinstance(data, str) or hasattr(data, "__fspath__")


def _frozen(value: Any) -> Any:
    """Lists and arrays as tuples, as the frozen parts hold them."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return tuple(_frozen(entry) for entry in value)
    return value


# ---------------------------------------------------------------- verbs


def experiment_verb(parsed: argparse.Namespace) -> Json:
    """``payoff experiment``: run a protocol, print its summary, write its table."""
    settings: Json = {
        name: getattr(parsed, name)
        for name in (
            "mode",
            "system",
            "systems",
            "splits",
            "test_share",
            "seed",
            "confidence",
            "bound",
            "synthetic_rows",
            "subject_form",
            "outcome",
            "slot_days",
            "sharpness",
        )
        if getattr(parsed, name) is not None
    }
    for name, entries in (("samplers", parsed.sampler), ("learners", parsed.learner)):
        if entries:
            settings[name] = tuple(entries)
    if parsed.system_parameter:
        settings["system_parameters"] = dict(map(_named_value, parsed.system_parameter))
    if parsed.columns:
        settings["columns"] = tuple(parsed.columns.split(","))
    backend, address = (parsed.backend or ["threads"])[0], (parsed.backend or [])[1:]
    spec = spec_of(parsed.protocol, parsed.data, settings)
    if parsed.out:
        check_targets(run_files(parsed.out))
    result = run(spec, parsed.data, parsed.journal or "", backend, "".join(address))
    for warning in (*result.data.warnings, result.bound_note):
        if warning:
            tell(warning)
    answer: Json = {
        "protocol": spec.protocol,
        "parts": to_plain(spec.settled()),
        "data": to_plain(result.data),
        "runs": result.done,
        "wanted": result.wanted,
        "seconds": result.seconds,
        "groups": [to_plain(group) for group in result.groups],
        "bound_note": result.bound_note,
        "conditions": list(result.conditions),
    }
    if parsed.out:
        answer["files"] = list(save_experiment(result, parsed.out))
        tell(f"wrote {answer['files'][0]} and {answer['files'][1]}")
    return answer


__all__ = ["Bounds", "bound", "cases_needed", "error_bound", "experiment", "experiment_verb"]
