"""Line icons, drawn for this program, recoloured by the theme.

The SVG files in ``resources/icons`` are 24 x 24 with ``stroke="currentColor"``; the colour is put
in when a picture is made, so one file serves every theme and state.
"""

from __future__ import annotations

from functools import cache, lru_cache

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from core.settings import program_folder
from gui.theme.current import current_theme

ICON_FOLDER = program_folder() / "resources" / "icons"


@lru_cache(maxsize=256)
def _source(name: str) -> str:
    return (ICON_FOLDER / f"{name}.svg").read_text(encoding="utf-8")


def icon_names() -> tuple[str, ...]:
    """The names of all icons."""
    return tuple(sorted(path.stem for path in ICON_FOLDER.glob("*.svg")))


def paint_icon(painter: QPainter, name: str, colour: str, target: QRectF) -> None:
    """Draw an icon in one colour into a rectangle."""
    data = _source(name).replace("currentColor", colour).encode()
    QSvgRenderer(QByteArray(data)).render(painter, target)


def icon_pixmap(name: str, colour: str, size: int = 18, ratio: float = 1.0) -> QPixmap:
    """An icon as a picture, sharp at the device's pixel ratio."""
    pixmap = QPixmap(QSize(round(size * ratio), round(size * ratio)))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    paint_icon(painter, name, colour, QRectF(0, 0, pixmap.width(), pixmap.height()))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


class _ThemedEngine(QIconEngine):
    """Draws an icon in the theme's colour of the moment, so that icons follow a switch."""

    def __init__(self, name: str, role: str) -> None:
        super().__init__()
        self._name = name
        self._role = role

    def _colour(self, mode: QIcon.Mode) -> str:
        theme = current_theme()
        if mode == QIcon.Mode.Disabled:
            return theme.disabled
        return str(getattr(theme, self._role))

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        side = min(rect.width(), rect.height())
        target = QRectF(
            rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2, side, side
        )
        paint_icon(painter, self._name, self._colour(mode), target)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return pixmap

    def scaledPixmap(
        self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float
    ) -> QPixmap:
        pixmap = self.pixmap(size, mode, state)
        pixmap.setDevicePixelRatio(scale)
        return pixmap

    def clone(self) -> QIconEngine:
        """Another one, for Qt, which deletes it; Python alone would let go of it at once."""
        copy = _ThemedEngine(self._name, self._role)
        _CLONES.append(copy)
        return copy


_CLONES: list[_ThemedEngine] = []


@cache
def icon(name: str, role: str = "text") -> QIcon:
    """A themed icon; ``role`` is a colour role of the theme ("text", "quiet", "accent" ...).

    One for each name and role, to the end: what draws it is Python's, and Qt would delete it in the
    midst of a paint or a layout wherever a button is given another icon.
    """
    if not (ICON_FOLDER / f"{name}.svg").is_file():
        raise KeyError(f"no icon named {name}")
    return QIcon(_ThemedEngine(name, role))
