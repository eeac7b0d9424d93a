"""The samples that the program brings along: projects in ``resources/samples``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.settings import program_folder
from gui.shell.page_list import PageId

SAMPLE_FOLDER = program_folder() / "resources" / "samples"


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample as Home shows it: what it asks, how large it is, where its answer is."""

    key: str
    title: str
    text: str
    note: str
    page: PageId = PageId.DECIDE  # shown when the sample is opened
    is_lesson: bool = False  # shows how a figure misleads; Home names it below the others

    @property
    def path(self) -> Path:
        """The sample's project file."""
        return SAMPLE_FOLDER / f"{self.key}.payoff"


_SAMPLES = (
    Sample(
        "loans",
        "Loans",
        "Whom to lend to, when a loan ends well, late or in default and every amount differs?",
        "4,000 loans",
    ),
    Sample(
        "direct-mail",
        "Direct mail",
        "Whom to write to, when a letter costs €\u00a01.60 and a response brings €\u00a025.60?",
        "20,000 customers",
    ),
    Sample(
        "donations",
        "Donations",
        "Whom to ask, when those who usually give most are the ones who seldom answer?",
        "9,600 donors",
    ),
    Sample(
        "voucher-test",
        "Voucher test",
        "Who buys because of the voucher, and who would have bought anyway?",
        "12,000 customers, uplift",
        PageId.UPLIFT,
    ),
    Sample(
        "trial",
        "Trial",
        "Does a gene test say better who relapses first, when many were still well at the end?",
        "1,500 patients, survival",
        PageId.COMPARE,
    ),
    Sample(
        "claims",
        "Claims",
        "Which tariff expects claims better, when policies ran for a part of a year only?",
        "8,000 policies, counts",
        PageId.COMPARE,
    ),
    Sample(
        "toy-observational",
        "Treated by choice",
        "Those sure to buy got the offer most: a plain comparison prefers the wrong model.",
        "1,920 rows, uplift",
        PageId.UPLIFT,
        is_lesson=True,
    ),
    Sample(
        "toy-unbalanced",
        "Three of four treated",
        "Drawn by lot in unequal groups: the plain area rewards what changes nothing.",
        "1,920 rows, uplift",
        PageId.UPLIFT,
        is_lesson=True,
    ),
    Sample(
        "toy-few-treated",
        "One in ten treated",
        "Few treated cases turn the plain curve round, and the worse model seems to win.",
        "2,000 rows, uplift",
        PageId.UPLIFT,
        is_lesson=True,
    ),
)


def bundled_samples() -> tuple[Sample, ...]:
    """The samples whose project is there."""
    return tuple(sample for sample in _SAMPLES if sample.path.is_file())


def page_of(key: str) -> PageId:
    """The page that a sample is about."""
    return next((sample.page for sample in _SAMPLES if sample.key == key), PageId.DECIDE)


def sample_path(key: str) -> str | None:
    """The project file of a sample, or None."""
    return next((str(sample.path) for sample in bundled_samples() if sample.key == key), None)
