"""The samples that the program brings along: projects in ``resources/samples``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QT_TRANSLATE_NOOP

SAMPLE_FOLDER = Path(__file__).resolve().parents[1] / "resources" / "samples"


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample as Home shows it; the texts are translated where they are shown."""

    key: str
    title: str
    text: str
    points: tuple[str, ...]
    note: str
    page: str = "decide"  # shown when the sample is opened

    @property
    def path(self) -> Path:
        """The sample's project file."""
        return SAMPLE_FOLDER / f"{self.key}.payoff"


_SAMPLES = (
    Sample(
        "direct-mail",
        str(QT_TRANSLATE_NOOP("Samples", "Direct mail")),
        str(
            QT_TRANSLATE_NOOP(
                "Samples",
                "Whom to write to when a letter costs €\u00a01.60 and a response brings "
                "€\u00a025.60.",
            )
        ),
        (
            str(
                QT_TRANSLATE_NOOP(
                    "Samples",
                    "Three models scored the same customers. Which is worth more, and is it sure?",
                )
            ),
            str(
                QT_TRANSLATE_NOOP(
                    "Samples", "How many letters pay, and what the next hundred would lose."
                )
            ),
            str(
                QT_TRANSLATE_NOOP(
                    "Samples", "Change what a letter costs and watch rule, depth and profit follow."
                )
            ),
        ),
        str(QT_TRANSLATE_NOOP("Samples", "20,000 rows, profit")),
    ),
    Sample(
        "toy-observational",
        str(QT_TRANSLATE_NOOP("Samples", "Treated by choice")),
        str(
            QT_TRANSLATE_NOOP(
                "Samples",
                "Those sure to buy got the offer most: a plain comparison prefers the wrong model.",
            )
        ),
        (),
        str(QT_TRANSLATE_NOOP("Samples", "1,920 rows, uplift")),
        "uplift",
    ),
    Sample(
        "toy-unbalanced",
        str(QT_TRANSLATE_NOOP("Samples", "Three of four treated")),
        str(
            QT_TRANSLATE_NOOP(
                "Samples",
                "Drawn by lot in unequal groups: the plain area rewards what changes nothing.",
            )
        ),
        (),
        str(QT_TRANSLATE_NOOP("Samples", "1,920 rows, uplift")),
        "uplift",
    ),
    Sample(
        "toy-few-treated",
        str(QT_TRANSLATE_NOOP("Samples", "One in ten treated")),
        str(
            QT_TRANSLATE_NOOP(
                "Samples",
                "Few treated cases turn the plain curve round, and the worse model seems to win.",
            )
        ),
        (),
        str(QT_TRANSLATE_NOOP("Samples", "2,000 rows, uplift")),
        "uplift",
    ),
)


def bundled_samples() -> tuple[Sample, ...]:
    """The samples whose project is there."""
    return tuple(sample for sample in _SAMPLES if sample.path.is_file())


def page_of(key: str) -> str:
    """The page that a sample is about."""
    return next((sample.page for sample in _SAMPLES if sample.key == key), "decide")


def sample_path(key: str) -> str | None:
    """The project file of a sample, or None."""
    return next((str(sample.path) for sample in bundled_samples() if sample.key == key), None)
