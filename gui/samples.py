"""The samples that the program brings along: projects in ``resources/samples``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gui.frame.page_list import PageId

SAMPLE_FOLDER = Path(__file__).resolve().parents[1] / "resources" / "samples"


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample as Home shows it; the texts are translated where they are shown."""

    key: str
    title: str
    text: str
    points: tuple[str, ...]
    note: str
    page: PageId = PageId.DECIDE  # shown when the sample is opened

    @property
    def path(self) -> Path:
        """The sample's project file."""
        return SAMPLE_FOLDER / f"{self.key}.payoff"


_SAMPLES = (
    Sample(
        "direct-mail",
        "Direct mail",
        ("Whom to write to when a letter costs €\u00a01.60 and a response brings €\u00a025.60."),
        (
            "Three models scored the same customers. Which is worth more, and is it sure?",
            "How many letters pay, and what the next hundred would lose.",
            "Change what a letter costs and watch rule, depth and profit follow.",
        ),
        "20,000 rows, profit",
    ),
    Sample(
        "toy-observational",
        "Treated by choice",
        "Those sure to buy got the offer most: a plain comparison prefers the wrong model.",
        (),
        "1,920 rows, uplift",
        PageId.UPLIFT,
    ),
    Sample(
        "toy-unbalanced",
        "Three of four treated",
        "Drawn by lot in unequal groups: the plain area rewards what changes nothing.",
        (),
        "1,920 rows, uplift",
        PageId.UPLIFT,
    ),
    Sample(
        "toy-few-treated",
        "One in ten treated",
        "Few treated cases turn the plain curve round, and the worse model seems to win.",
        (),
        "2,000 rows, uplift",
        PageId.UPLIFT,
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
