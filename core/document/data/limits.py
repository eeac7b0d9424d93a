"""What is not there where data are read in pieces: one record for each, with why and what helps.

Functions, verbs and the window refuse by these records, and the guide lists them.
"""

from __future__ import annotations

from dataclasses import dataclass

from payoff.errors import PayoffError

_AT_ONCE = "Figures with them are made of all cases at once, so far."
_FITTING = "Take rows that fit into memory, such as a sample."
_SAMPLE = "Open one of the parts, or a sample of the rows."


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """Something that cannot be asked.

    Attributes
    ----------
    place : str
        The function and its page.
    what : str
        As it stands behind "Not possible where data are read in pieces:".
    why, instead : str
    arguments : tuple of str
        Those of the function that ask for it, whatever they say.
    """

    place: str
    what: str
    why: str
    instead: str
    arguments: tuple[str, ...] = ()

    def refusal(self, what: str = "", where: str = "") -> PayoffError:
        """Return the refusal; ``what`` names more exactly what was asked."""
        return PayoffError(
            f"Not possible where data are read in pieces: {what or self.what}.",
            where=where,
            why=self.why,
            remedy=self.instead,
        )


EVALUATE, DECIDE, UPLIFT, ANY = "evaluate, Compare", "decide, Decide", "uplift, Uplift", "all"

LIMITS: dict[str, Limit] = {
    "weighted metrics": Limit(
        place=EVALUATE,
        what="metrics with weights or class shares to weight to",
        why=_AT_ONCE,
        instead=_FITTING,
        arguments=("weight", "weight_kind", "priors"),
    ),
    "clusters": Limit(
        place=EVALUATE,
        what="clusters",
        why="Their rows may lie in several pieces, and are drawn together.",
        instead=_FITTING,
        arguments=("cluster",),
    ),
    "further columns": Limit(
        place=EVALUATE,
        what="columns of events, lists or strata, survival times, quantiles, an order of classes",
        why=_AT_ONCE,
        instead=_FITTING,
        arguments=("columns", "survival", "quantiles", "class_order"),
    ),
    "money of metrics": Limit(
        place=EVALUATE,
        what="decisions and their money beside metrics",
        why="They are worked out by another read.",
        instead="Ask payoff.decide, or page Decide.",
        arguments=("decision",),
    ),
    "general metrics": Limit(
        place=EVALUATE,
        what="metrics of all cases at once (kappa, MCC, calibration errors, concordance)",
        why="They are no sums over cases, nor functions of counts by score.",
        instead="Metrics of the ranking and means over cases are there; or evaluate a sample.",
    ),
    "metrics by groups": Limit(
        place=EVALUATE,
        what="metrics whose intervals draw whole groups, or that read further inputs",
        why="Pieces of data cut groups apart, and make no further inputs.",
        instead=_FITTING,
    ),
    "charts": Limit(
        place=EVALUATE,
        what="charts other than ROC, gains, lift and precision-recall",
        why="They are made of all cases at once.",
        instead="A sample of the rows that fits into memory has them.",
    ),
    "groups": Limit(
        place=EVALUATE,
        what="groups of a column, the shift of inputs, other tools' definitions",
        why="They are made of all cases at once.",
        instead="Take the rows of one group, or a sample that fits into memory.",
    ),
    "numbers": Limit(
        place=DECIDE,
        what="a number or quantiles as the outcome, amounts, leaves",
        why="Ties and averages go by all cases.",
        instead="Decide rows that fit into memory; new cases are decided from parts to parts.",
        arguments=("predicted", "quantiles", "amount", "leaf"),
    ),
    "decided columns": Limit(
        place=DECIDE,
        what="columns of decided cases",
        why="They are as many as the rows.",
        instead="payoff.apply_to_parts writes decisions from parts to parts.",
        arguments=("outputs",),
    ),
    "unknown outcomes": Limit(
        place=DECIDE,
        what="totals without an outcome",
        why="Totals are of known outcomes.",
        instead="Name the target; payoff.apply_to_parts decides new cases.",
    ),
    "priors of the data": Limit(
        place=DECIDE,
        what="old_priors='data' with rows= or weight=",
        why="Outcomes are counted before rows are chosen and weighted.",
        instead="Give the shares: old_priors={level: share}.",
    ),
    "rankers": Limit(
        place=DECIDE,
        what="decisions by a score that only ranks",
        why="It says no chances.",
        instead="Name a column of chances on page Data.",
    ),
    "weighted depths": Limit(
        place=DECIDE,
        what="profit by depth with weights, with costs from a column, or of more than 256 kinds "
        "of cases",
        why="It is made of counts of cases by class, decisions and fold.",
        instead="Totals and intervals are there. Decide a sample for profit by depth.",
    ),
    "decided cases": Limit(
        place=DECIDE,
        what="tables of cases, what-if, the winner map, capacity",
        why="They need the cases themselves.",
        instead="Ask it of a sample; decisions for all cases are written from parts to parts.",
    ),
    "estimated chances": Limit(
        place=UPLIFT,
        what="chances of treatment that are estimated",
        why="The model of who is treated is trained on all cases at once.",
        instead="Predict the chances with a model of your own, and name their column.",
    ),
    "chances on the page": Limit(
        place=UPLIFT,
        what="chances of treatment on page Uplift",
        why="The page's checks and bands go by the chance of every case.",
        instead="Ask payoff.uplift with propensity=, or open a sample of the rows.",
    ),
    "columns of effects": Limit(
        place=UPLIFT,
        what="true effects and covariates",
        why="They are looked at case by case.",
        instead=_FITTING,
        arguments=("true_effect", "covariates"),
    ),
    "baselines of the path": Limit(
        place=UPLIFT,
        what="nu='area' and nu='pointwise'",
        why="They are made of the whole ranking at once.",
        instead="Take nu='optimal' or a number.",
    ),
    "treated cases": Limit(
        place=UPLIFT,
        what="the guard's checks, slices, criteria, the best depth, comparisons of scores",
        why="They need the cases themselves.",
        instead="Page Uplift shows most of them of any size. Ask the rest of a sample.",
    ),
    "draws of batches": Limit(
        place=UPLIFT,
        what="draws of batches that were read",
        why="Draws read the rows again, and these batches are gone.",
        instead="Give a function that makes them, or a folder of parts.",
    ),
    "drawn rows": Limit(
        place=ANY,
        what="rows that are drawn by lot",
        why="A draw looks at the outcomes of all rows at once.",
        instead="Take all rows, or name a column that says what each row is for.",
    ),
    "every class": Limit(
        place=ANY,
        what="a chance for every class",
        why="Beyond memory one of them is what the others leave: how rounded chances are made to "
        "sum to 1 depends on all rows.",
        instead="Leave one out of scores=; on page Data, give its column no role.",
    ),
    "own models": Limit(
        place=ANY,
        what="models that score here",
        why="Scores are read from their columns.",
        instead="Write scores into parts first (payoff predict MODEL FOLDER --out SCORED), and "
        "open those.",
    ),
    "order of rows": Limit(
        place="Data",
        what="sorting and searching rows",
        why="An order is one of all rows, which need not fit into memory.",
        instead=_SAMPLE,
    ),
    "new columns": Limit(
        place="Data",
        what="new columns and rows",
        why="Parts are read as they are.",
        instead="Write them into the parts.",
    ),
    "saved decisions": Limit(
        place=UPLIFT,
        what="decisions by uplift, written to a file",
        why="They are written of whole tables.",
        instead=_SAMPLE,
    ),
    "whole columns": Limit(
        place=ANY,
        what="training, explaining, experiments, and all else that looks at whole columns",
        why="The rows need not fit into memory.",
        instead=_SAMPLE,
    ),
}
"""By name, in the order of the guide."""


def not_in_pieces(name: str, what: str = "", where: str = "") -> PayoffError:
    """Return the refusal of a limit."""
    return LIMITS[name].refusal(what, where)


def limit_words(name: str) -> str:
    """Return why something is not there and what helps, in one line."""
    return f"{LIMITS[name].why} {LIMITS[name].instead}"


__all__ = ["ANY", "DECIDE", "EVALUATE", "LIMITS", "UPLIFT", "Limit", "limit_words", "not_in_pieces"]
