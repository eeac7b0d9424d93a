"""One example of every question, as a record and in words."""

from core.document.data.model import RowUse
from core.document.decisions.matrix_model import NumberKind, NumberRef, NumberSetting
from core.document.studies.shift import ShiftSide
from core.document.studies.swap import SwapSide
from core.document.studies.winner_map import MapAxis
from core.questions import (
    Basis,
    BreakEven,
    Capacity,
    CasesAsPoints,
    CasesOneByOne,
    ExpectList,
    FurtherCases,
    Gap,
    HoldOutPlan,
    Rankings,
    Shift,
    Swap,
    WhatIf,
    WinnerMap,
)

_GAIN = NumberRef(kind=NumberKind.CELL, level="yes", decision="Act")
_LOSS = NumberRef(kind=NumberKind.CELL, level="no", decision="Act")

EXAMPLES = {
    "compare.shift": (
        Shift(then=ShiftSide(use=RowUse.VALIDATION), now=ShiftSide(use=RowUse.TEST)),
        ["--then", "validation", "--now", "test"],
    ),
    "decide.capacity": (Capacity(most_actions=100.0), ["--most-actions", "100"]),
    "decide.gap": (Gap(model="good"), ["--model", "good"]),
    "decide.swap": (
        Swap(first=SwapSide(model="good"), second=SwapSide(model="rough", depth=0.2)),
        ["--first", "good", "--second", "rough@0.2"],
    ),
    "decide.basis": (Basis(model="good"), []),
    "decide.rankings": (
        Rankings(model="rough", by="expected", bins=10),
        ["--model", "rough", "--by", "expected", "--bins", "10"],
    ),
    "decide.break_even": (BreakEven(is_kept=True), ["--is-kept", "yes"]),
    "decide.winner_map": (
        WinnerMap(
            x=MapAxis(number=_GAIN, low=0.0, high=16.0),
            y=MapAxis(number=_LOSS, low=-4.0, high=0.0),
            steps=7,
        ),
        ["--x", "cell:yes/Act=0..16", "--y", "cell:no/Act=-4..0", "--steps", "7"],
    ),
    "decide.what_if": (
        WhatIf(settings=(NumberSetting(number=_GAIN, value=5.0),)),
        ["--settings", "cell:yes/Act=5"],
    ),
    "decide.cases": (
        CasesOneByOne(model="good", sort="gap", is_descending=False, count=5),
        ["--model", "good", "--sort", "gap", "--is-descending", "no", "--count", "5"],
    ),
    "decide.case_page": (
        FurtherCases(model="good", start=5, count=5),
        ["--start", "5", "--count", "5"],
    ),
    "decide.case_cloud": (CasesAsPoints(model="good", most=50), ["--most", "50"]),
    "decide.hold_out": (
        HoldOutPlan(model="good", share=0.2, seed=3),
        ["--share", "0.2", "--seed", "3"],
    ),
    "decide.expect_list": (
        ExpectList(model="rough", cases=500),
        ["--model", "rough", "--cases", "500"],
    ),
}
"""Key -> the question, and the same as options of ``payoff ask``; the chosen model is "good"."""
