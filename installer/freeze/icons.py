"""The program's sign in the forms that systems want, drawn from its SVG.

``python installer/freeze/icons.py FOLDER`` writes payoff-SIZE.png, payoff.ico and payoff.icns.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

SIGN = Path(__file__).resolve().parents[2] / "resources" / "icons" / "payoff.svg"
SIZES = (16, 32, 48, 64, 128, 256, 512)
_ICNS = {16: b"icp4", 32: b"icp5", 64: b"icp6", 128: b"ic07", 256: b"ic08", 512: b"ic09"}


def draw(size: int) -> bytes:
    """The sign as a PNG of ``size`` pixels."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(SIGN)).render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


def as_ico(pictures: dict[int, bytes]) -> bytes:
    """Windows' form: a table of places, then the PNGs."""
    wanted = {size: content for size, content in pictures.items() if size <= 256}
    place = 6 + 16 * len(wanted)
    table = struct.pack("<HHH", 0, 1, len(wanted))
    for size, content in wanted.items():
        edge = size % 256  # 0 stands for 256
        table += struct.pack("<BBBBHHII", edge, edge, 0, 0, 1, 32, len(content), place)
        place += len(content)
    return table + b"".join(wanted.values())


def as_icns(pictures: dict[int, bytes]) -> bytes:
    """The form of macOS: pieces with their kind and length."""
    pieces = b"".join(
        kind + struct.pack(">I", len(pictures[size]) + 8) + pictures[size]
        for size, kind in _ICNS.items()
    )
    return b"icns" + struct.pack(">I", len(pieces) + 8) + pieces


def main(folder: Path) -> None:
    """Write all forms."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {size: draw(size) for size in SIZES}
    for size, content in pictures.items():
        (folder / f"payoff-{size}.png").write_bytes(content)
    (folder / "payoff.ico").write_bytes(as_ico(pictures))
    (folder / "payoff.icns").write_bytes(as_icns(pictures))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
