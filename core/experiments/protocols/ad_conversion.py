"""Ad conversions: the KAG file of a social-media campaign."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.data import LoadedTable
from core.document.experiments.spec import ExperimentSpec
from core.experiments.protocols.columns import (
    condition_columns,
    finish_study,
    number,
    require_columns,
)
from core.experiments.study import Stream, Study, stream
from payoff.errors import PayoffError
from payoff.types import AnyArray

ID, OUTCOME = "ad_id", "Approved_Conversion"
CATEGORIES = ("xyz_campaign_id", "age", "gender", "interest")
CAMPAIGN = "fb_campaign_id"
AMOUNTS = ("Impressions", "Clicks", "Spent", "Total_Conversion", "Approved_Conversion")
ALL = (ID, "xyz_campaign_id", CAMPAIGN, "age", "gender", "interest", *AMOUNTS)

KNOWN_SUMS: Mapping[str, float] = {
    "Impressions": 213_434_828,
    "Clicks": 38_165,
    "Spent": 58_705.23,
    "Total_Conversion": 3_264,
    "Approved_Conversion": 1_079,
}
KNOWN_ROWS = 1_143
KNOWN_FIRST = 708_746


def ad_conversion_study(table: LoadedTable, spec: ExperimentSpec) -> Study:
    """Advertisements, whom they were shown to, and the sales they brought."""
    require_columns(table, ALL, "ad conversion")
    warnings = [] if table.path == "made-up rows" else copy_warnings(table)
    chosen = [name for name in CATEGORIES if name not in spec.columns] + [
        name for name in spec.columns if name != ID
    ]
    after = [name for name in chosen if name in AMOUNTS]
    if after:
        warnings.append(
            f"Known only after the advertisement was shown: {', '.join(after)}. Such a condition "
            "makes the evaluation look better than it is."
        )
    numbers = [name for name in chosen if name in AMOUNTS]
    categories = [name for name in chosen if name not in AMOUNTS]
    names, conditions = condition_columns(table, numbers, categories)
    sales = number(table, OUTCOME)
    if np.isnan(sales).any() or sales.min() < 0.0:
        raise PayoffError(f"'{OUTCOME}' holds gaps or negative counts.", where=table.path)
    most = float(sales.max())
    if most <= 0.0:
        raise PayoffError("No advertisement brought a sale.", where=f"{table.path}, {OUTCOME}")
    return finish_study(
        table,
        names,
        conditions,
        sales / most,
        id_column=ID,
        warnings=warnings,
        notes=(
            f"Sales are counted from 0 to {most:g}: 1 stands for {most:g}.",
            f"{CAMPAIGN} has nearly as many levels as rows and is left out; {ID} is a row id.",
            "Not shown means no attributed sale: the outcome is 0 there.",
        ),
        scale=most,
    )


def copy_warnings(table: LoadedTable) -> list[str]:
    """What tells a changed or invented copy of the file from the known one."""
    found = []
    extra = [name for name in table.columns if name not in ALL]
    if extra:
        found.append(
            f"The known file has no column {', '.join(extra)}: copies with invented columns exist."
        )
    if table.rows != KNOWN_ROWS:
        found.append(f"The known file has {KNOWN_ROWS:,} rows, this one has {table.rows:,}.")
    off = []
    for name, known in KNOWN_SUMS.items():
        total = float(np.nansum(number(table, name)))
        if abs(total - known) > 0.005 * max(1.0, known * 1e-6):
            off.append(f"{name} adds up to {total:,.2f} instead of {known:,.2f}")
    first = number(table, ID)[0] if table.rows else float("nan")
    if first != KNOWN_FIRST:
        off.append(f"the first ad_id is {first:g} instead of {KNOWN_FIRST}")
    if off:
        found.append("This is not the known file: " + "; ".join(off) + ".")
    return found


def simulate_ad_conversions(rows: int, seed: int) -> Mapping[str, AnyArray | list[str]]:
    """Made-up advertisements of the same shape."""
    draw = stream(seed, Stream.ROWS)
    campaign = draw.choice([916, 936, 1178], rows, p=[0.05, 0.4, 0.55])
    interest = draw.choice([2, 7, 10, 15, 16, 18, 20, 22, 25, 27, 28, 29, 32, 36, 63, 64], rows)
    shown = np.exp(draw.normal(10.0, 2.0, rows)) + 80.0
    clicks = draw.poisson(shown * 2e-4)
    total = np.maximum(1, draw.poisson(0.7 + shown * 8e-6))
    approved = draw.binomial(total, 0.3 + 0.1 * (campaign == 916))
    if not approved.any():
        approved[0] = 1
    return {
        ID: np.arange(708_001, 708_001 + rows),
        "xyz_campaign_id": campaign,
        CAMPAIGN: 103_000 + np.arange(rows) * 3 // 5,
        "age": draw.choice(["30-34", "35-39", "40-44", "45-49"], rows).tolist(),
        "gender": draw.choice(["F", "M"], rows).tolist(),
        "interest": interest,
        "Impressions": shown.astype(np.int64),
        "Clicks": clicks,
        "Spent": np.round(clicks * draw.uniform(1.0, 2.0, rows), 2),
        "Total_Conversion": total,
        "Approved_Conversion": approved,
    }
