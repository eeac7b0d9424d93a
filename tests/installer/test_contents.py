"""What of the libraries goes into the frozen program, and what stays out."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

FREEZE = Path(__file__).resolve().parents[2] / "installer" / "freeze"


@pytest.fixture
def contents(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "path", [str(FREEZE), *sys.path])
    import contents

    return contents


@pytest.mark.parametrize(
    ("path", "goes_in"),
    [
        ("numpy-2.4.6.dist-info/METADATA", True),  # its version is read there
        ("numba-0.68.1.dist-info/entry_points.txt", True),
        ("numpy-2.4.6.dist-info/RECORD", False),  # hashes, which no packing makes smaller
        ("numpy-2.4.6.dist-info/licenses/LICENSE.txt", False),  # stands in licences/
        ("pyqtgraph/icons/auto.png", True),
        ("pyqtgraph/icons/peegee/peegee_512px.png", False),
        ("pyqtgraph/Qt/QtSvg.pyi", False),
        ("PySide6/Qt/translations/qtbase_de.qm", False),
        ("PySide6/Qt/lib/libQt6Widgets.so.6", True),
        ("PySide6/Qt/lib/libQt6Quick.so.6", False),
        ("pyarrow/libarrow_compute.so.2600", True),
        ("pyarrow/include/arrow/api.h", False),
        ("numpy/testing/_private/utils.py", True),  # plugins may import all of numpy
        ("scipy/stats/tests/test_fit.py", False),
    ],
)
def test_what_of_the_libraries_goes_in(contents, path: str, goes_in: bool) -> None:
    assert contents.is_wanted(path) is goes_in
