"""Every colour and size of the window, by role. No widget names a colour of its own."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Lengths in device-independent pixels; type sizes in pixels as well."""

    step: tuple[int, ...] = (4, 8, 12, 16, 24, 32)
    page_margin: int = 16
    card_margin: int = 12
    gap: int = 12
    control: int = 28
    chip: int = 20
    row: int = 26
    menu: int = 26
    toolbar: int = 40
    header: int = 52
    strip: int = 32
    rail: int = 72
    inspector: int = 280
    radius: int = 4
    icon: int = 18
    note: float = 11.0
    body: float = 12.5
    section: float = 14.0
    title: float = 18.0
    number: float = 26.0
    cursor_line: float = 1.5
    flag: int = 44


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """One set of colours as ``#rrggbb``. ``series`` and ``dashes`` go by ``ModelSpec.series``."""

    name: str
    is_dark: bool
    window: str
    card: str
    border: str
    text: str
    quiet: str
    accent: str
    accent_hover: str
    gain: str
    loss: str
    error: str
    on_accent: str
    control_border: str
    grid: str
    selection: str
    hover: str
    pressed: str
    track: str
    disabled: str
    series: tuple[str, ...]
    band_chosen: float = 0.15
    band_other: float = 0.07
    sizes: Sizes = field(default_factory=Sizes)

    @property
    def baseline(self) -> str:
        """The colour of baselines: random, best possible, do nothing."""
        return self.quiet

    def series_colour(self, index: int) -> str:
        """The colour of a model by its ``ModelSpec.series``."""
        return self.series[index % len(self.series)]


# Pen dashes in units of the line's width; an empty tuple is a solid line. The second code of a
# model, so that no chart is read by colour alone.
SERIES_DASHES: tuple[tuple[float, ...], ...] = (
    (),
    (4.0, 2.5),
    (1.0, 1.2),
    (6.0, 2.0, 1.2, 2.0),
    (9.0, 2.5),
    (6.0, 2.0, 1.2, 2.0, 1.2, 2.0),
    (2.5, 1.5),
)

LIGHT = Theme(
    name="light",
    is_dark=False,
    window="#F7F8FA",
    card="#FFFFFF",
    border="#DFE3E8",
    text="#1B1F24",
    quiet="#5B6470",
    accent="#2563EB",
    accent_hover="#1D4FD0",
    gain="#0F766E",
    loss="#B45309",
    error="#B91C1C",
    on_accent="#FFFFFF",
    control_border="#8A93A0",
    grid="#E8EBEF",
    selection="#E0E9FC",
    hover="#EEF1F5",
    pressed="#E3E8EE",
    track="#E3E7EC",
    disabled="#9AA2AD",
    series=("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B87D00", "#2E86B8", "#000000"),
)

DARK = Theme(
    name="dark",
    is_dark=True,
    window="#16181D",
    card="#1E2128",
    border="#2E333D",
    text="#E6E8EB",
    quiet="#9AA3AF",
    accent="#6EA8FE",
    accent_hover="#8DBBFF",
    gain="#2DD4BF",
    loss="#F59E0B",
    error="#F87171",
    on_accent="#16181D",
    control_border="#646D7A",
    grid="#2A2F38",
    selection="#293446",
    hover="#272B34",
    pressed="#303641",
    track="#2E333D",
    disabled="#646D7A",
    series=("#3D9BE0", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#FFFFFF"),
)


def series_dash(index: int) -> tuple[float, ...]:
    """The dash of a model by its ``ModelSpec.series``; empty = solid."""
    return SERIES_DASHES[index % len(SERIES_DASHES)]
