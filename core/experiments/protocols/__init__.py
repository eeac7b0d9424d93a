"""The protocols: which columns a file must have, how they become conditions, made-up rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.data import LoadedTable, from_data
from core.document.experiments.spec import ExperimentSpec
from core.experiments.protocols import ad_conversion, aki_alert, sepsis, stock_timing
from core.experiments.study import Study
from payoff.types import AnyArray

MakeRows = Callable[[int, int], Mapping[str, "AnyArray | list[str]"]]
MakeStudy = Callable[[LoadedTable, ExperimentSpec], Study]

GENERATORS: Mapping[str, MakeRows] = {
    "aki_alert": aki_alert.simulate_aki_alerts,
    "sepsis": sepsis.simulate_sepsis,
    "stock_timing": stock_timing.simulate_stocks,
    "ad_conversion": ad_conversion.simulate_ad_conversions,
}
"""Made-up rows of a protocol's shape: ``(rows, seed) -> columns``."""

READERS: Mapping[str, MakeStudy] = {
    "aki_alert": aki_alert.aki_alert_study,
    "sepsis": sepsis.sepsis_study,
    "stock_timing": stock_timing.stock_timing_study,
    "ad_conversion": ad_conversion.ad_conversion_study,
}


def made_up_rows(spec: ExperimentSpec) -> LoadedTable:
    """Seeded rows of the protocol's shape, through the same door as a file."""
    settled = spec.settled()
    columns = GENERATORS[settled.protocol](settled.synthetic_rows, settled.seed)
    return from_data(dict(columns), name="made-up rows")


def study_of(table: LoadedTable, spec: ExperimentSpec) -> Study:
    """The study of a table, columns checked.

    Raises
    ------
    PayoffError
        Naming columns that are missing, or cells that cannot be.
    """
    settled = spec.settled()
    return READERS[settled.protocol](table, settled)


__all__ = ["GENERATORS", "READERS", "made_up_rows", "study_of"]
