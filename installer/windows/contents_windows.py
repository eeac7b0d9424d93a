"""What of the libraries for Windows stays out of the folder: what the program never asks for."""

from __future__ import annotations

import re

QT = ("Core", "Gui", "Widgets", "Svg", "Test", "OpenGL", "OpenGLWidgets")
"""Modules of Qt that the window and pyqtgraph import."""
_QT = "|".join(QT)
RUNTIME = (
    "concrt140.dll",
    "msvcp140.dll",
    "msvcp140_1.dll",
    "msvcp140_2.dll",
    "msvcp140_codecvt_ids.dll",
    "vcomp140.dll",
    "vcruntime140.dll",
    "vcruntime140_1.dll",
)
"""Microsoft's libraries that others ask for by these names: they lie in the folder once. Without
vcomp140.dll, which a fresh Windows lacks, numba would not find OpenMP."""

_UNWANTED = re.compile(
    rf"""
    \.pyi$ | \.lib$ | \.pyx$ | \.pxd$ | \.pxi$ | \.h$ | \.hpp$ | \.exe$ | \.c$ | \.cpp$ | \.f90$
    | \.qml$ | \.cmake$ | \.a$ | \.pdb$
    | ^bin/ | (^|/)tests?/ | (^|/)_?testing/tests/
    | ^numba/(tests|cuda)/ | ^numba/np/ufunc/tbbpool | ^llvmlite/tests/
    | ^pandas/tests/ | ^pandas/_testing/tests/
    | ^pyarrow/(include|src|tests)
    | ^pyarrow/(_flight|flight|arrow_flight|arrow_python_flight|_s3fs|_gcsfs|_azurefs|_hdfs|arrow_s3
        |_substrait|substrait|arrow_substrait|_orc|orc|_dataset_orc|cuda|gandiva)\b
    | ^pyqtgraph/(examples|jupyter|opengl|icons/peegee)/
    | ^PySide6/(?!__init__\.py|_config\.py|_git_pyside_version\.py|Qt({_QT})\.pyd$|Qt6({_QT})\.dll$
        |pyside6\.abi3\.dll|pyside6.*\.dll$|plugins/|support/)
    | ^PySide6/pyside6qml
    | ^PySide6/plugins/(?!platforms/q(windows|offscreen|minimal)\.dll|styles/|iconengines/
        |imageformats/q(gif|ico|jpeg|svg)\.dll)
    | ^PySide6/Qt6(?!({_QT})\.dll$)
    | ^(PySide6|shiboken6)/(vc|msvc|concrt)\w*\.dll$
    | \.data/ | (^|/)__pycache__/
    """,
    re.VERBOSE | re.IGNORECASE,
)
_RECORDS = re.compile(r"\.dist-info/(?!METADATA$|entry_points\.txt$)")


def is_wanted(path: str) -> bool:
    """Whether a file of a wheel goes into the folder; ``path`` with forward slashes."""
    return not _UNWANTED.search(path) and not _RECORDS.search(path)
