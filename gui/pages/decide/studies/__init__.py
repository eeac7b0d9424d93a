"""The tabs below the chart of page Decide that ask the engine a question of their own.

A new tab is a module here with a subclass of ``Study``, and a line in ``STUDIES``.
"""

from __future__ import annotations

from gui.pages.decide.studies.basis import BasisStudy
from gui.pages.decide.studies.break_even import BreakEvenStudy
from gui.pages.decide.studies.capacity import CapacityStudy
from gui.pages.decide.studies.cases import CasesStudy
from gui.pages.decide.studies.gap import GapStudy
from gui.pages.decide.studies.goal_seek import GoalSeekStudy
from gui.pages.decide.studies.study import Study
from gui.pages.decide.studies.swap import SwapStudy
from gui.pages.decide.studies.what_if import WhatIfStudy
from gui.pages.decide.studies.winner_map import WinnerMapStudy

STUDIES: tuple[type[Study], ...] = (
    WhatIfStudy,
    BreakEvenStudy,
    WinnerMapStudy,
    CapacityStudy,
    CasesStudy,
    GoalSeekStudy,
    SwapStudy,
    GapStudy,
    BasisStudy,
)

__all__ = ["STUDIES", "Study"]
