"""Screenshots with a palette of 256 colours, small enough for the documentation.

python -m tests.e2e.shrink SOURCE TARGET
"""

from __future__ import annotations

import os
import sys

import numpy as np
from PySide6.QtGui import QImage, QImageWriter, qRgb
from sklearn.cluster import KMeans

COLOURS = 256


def pixels_of(picture: QImage) -> np.ndarray:
    """The picture's colours, (height, width, 3)."""
    plain = picture.convertToFormat(QImage.Format.Format_RGB888)
    lines = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), -1)
    return lines[:, : 3 * plain.width()].reshape(plain.height(), plain.width(), 3).copy()


def shrink(source: str, target: str) -> int:
    """Write a picture with few colours; returns the size of the file in bytes."""
    picture = pixels_of(QImage(source))
    height, width, _ = picture.shape
    colours, place, counts = np.unique(
        picture.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True
    )
    count = min(COLOURS, len(colours))
    found = KMeans(count, n_init=1, random_state=1).fit(colours, sample_weight=np.sqrt(counts))
    centres = np.rint(found.cluster_centers_).astype(int)
    for row in np.argsort(counts)[-count // 4 :]:  # the grounds keep their very colours
        centres[found.labels_[row]] = colours[row]
    codes = found.labels_[place.ravel()].astype(np.uint8).reshape(height, width)
    padded = np.zeros((height, (width + 3) // 4 * 4), np.uint8)
    padded[:, :width] = codes
    small = QImage(padded.data, width, height, padded.shape[1], QImage.Format.Format_Indexed8)
    small.setColorTable([qRgb(*map(int, centre)) for centre in centres])
    writer = QImageWriter(target, b"png")
    writer.setCompression(100)
    if not writer.write(small):
        raise OSError(writer.errorString())
    return os.path.getsize(target)


if __name__ == "__main__":
    print(sys.argv[2], shrink(sys.argv[1], sys.argv[2]))
