"""``payoff uplift``: is it worth treating, from the command line."""

from __future__ import annotations

import argparse
import math
from dataclasses import asdict
from typing import Any

from core.document.studies.uplift import Choice
from core.document.wording import format_share
from core.script.command_line.telling import tell
from core.script.pairs import pairs_of
from core.script.uplift.judging import uplift
from payoff.errors import PayoffError

Json = dict[str, Any]


def uplift_verb(parsed: argparse.Namespace) -> Json:
    """Guard, effect without a model, and for every score its area, criteria and best depth."""
    scores = dict(pairs_of(parsed.score, "--score", may_be_bare=True))
    found = uplift(
        parsed.data,
        outcome=parsed.outcome,
        treatment=parsed.treatment,
        scores=scores,
        treated=parsed.treated,
        control=parsed.control,
        covariates=parsed.covariate or None,
        propensity=parsed.propensity,
        weight=parsed.weight,
        nu=_nu(parsed.nu),
        planned_share=parsed.planned_share,
        missing_outcomes=parsed.missing_outcomes,
    )
    for warning in found.validity:
        tell(warning)
    limit = {"targeted": (None, parsed.most)} if parsed.most is not None else None
    answer: Json = {
        "cases": found.rows,
        "treated": found.treated,
        "control": found.control,
        "validity": {
            "state": found.guard.state,
            "headline": found.guard.headline,
            "advice": found.guard.advice,
            "checks": [asdict(check) for check in found.guard.checks],
        },
        "effect": asdict(found.effect()),
        "scores": {},
    }
    if parsed.covariate:
        answer["adjusted_effect"] = asdict(found.effect(adjusted=True))
    if found.guard.state == "error":
        tell(f"{found.guard.headline} {VOID}")
    for name in scores:
        choice = found.choose(
            "gain",
            limit,
            score=name,
            value=parsed.value,
            contact=parsed.contact,
            redemption=parsed.redemption,
        )
        tell(f"{name}: {choice_words(choice)}")
        area = found.area("generalised", name)
        answer["scores"][name] = {
            "nu": found.nu[name],
            "area": asdict(area) | {"area_minus_random": area.minus_random},
            "criteria": asdict(found.criteria(name)),
            "best": asdict(choice),
        }
    return answer


VOID = "What treating would bring cannot be read off it: gains below are none to go by."


def choice_words(choice: Choice) -> str:
    """The best depth and what it earns: the cross-fitted gain, and the one that flatters."""
    if choice.is_nobody:
        return "treat nobody: at these prices no depth pays"
    described = f"treat the best {format_share(choice.depth)}"
    if choice.cross_fitted <= 0:
        described = (
            f"no depth is known to pay, on these rows the best is {format_share(choice.depth)}"
        )
    if math.isnan(choice.cross_fitted):
        return (
            f"{described}: {choice.gain:,.6g}, read on the rows that chose the depth, "
            "which flatters"
        )
    return (
        f"{described}: {choice.cross_fitted:,.6g} cross-fitted ({choice.cross_fitted_low:,.6g} to "
        f"{choice.cross_fitted_high:,.6g}); {choice.gain:,.6g} on the rows that chose the depth"
    )


def _nu(text: str) -> float | str:
    if text in ("optimal", "area"):
        return text
    try:
        return float(text)
    except ValueError:
        raise PayoffError(
            f"There is no baseline '{text}'.", where="--nu", why="A number, optimal or area."
        ) from None
