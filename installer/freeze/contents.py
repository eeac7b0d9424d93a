"""What the frozen program holds, and what it leaves out: read by ``payoff.spec``.

Plugins may import the standard library, numpy and scipy, of which the program itself uses a part;
those are therefore taken whole. Of Qt, pyarrow and pandas goes in what the program uses.
"""

from __future__ import annotations

import pkgutil
import re
import sys
import sysconfig
from importlib import import_module
from pathlib import Path

OWN_PACKAGES = ("payoff", "core", "gui", "plugins")
"""Shipped as .py files: numba stamps kernels by their source, and plugins are read as files."""

LEFT_OUT_OF_LIBRARY = frozenset(
    {
        # No window of Tk's, no tests, no installer of packages; readline and gdbm are GPL.
        "antigravity",
        "ensurepip",
        "idlelib",
        "lib2to3",
        "this",
        "tkinter",
        "turtle",
        "turtledemo",
        "_tkinter",
        "test",
        "readline",
        "rlcompleter",
        "_gdbm",
        "pydoc_data",
        "venv",
        "distutils",
    }
)

EXCLUDED = (
    *sorted(LEFT_OUT_OF_LIBRARY),
    "dbm.gnu",
    # Test tools and what only developers install.
    "pytest",
    "_pytest",
    "hypothesis",
    "mypy",
    "ruff",
    "setuptools",
    "pkg_resources",
    "pip",
    "wheel",
    "IPython",
    "matplotlib",
    "PIL",
    "sklearn",
    "lightgbm",
    "sklift",
    "shap",
    "sympy",
    "xgboost",
    "onnx",
    "onnxruntime",
    # Qt's modules beyond a window of widgets.
    "PySide6.QtQml",
    "PySide6.QtQuick",
    "PySide6.QtQuickControls2",
    "PySide6.QtQuickTest",
    "PySide6.QtQuickWidgets",
    "PySide6.QtDesigner",
    "PySide6.QtHelp",
    "PySide6.QtSql",
    "PySide6.QtUiTools",
    "PySide6.QtNetwork",
    "PySide6.QtConcurrent",
    "PySide6.QtXml",
    # Network file systems and servers of Arrow.
    "pyarrow.flight",
    "pyarrow._flight",
    "pyarrow._s3fs",
    "pyarrow._gcsfs",
    "pyarrow._azurefs",
    "pyarrow._hdfs",
    "pyarrow.tests",
    "pyarrow._substrait",
    "pyarrow.substrait",
    "pyarrow.cuda",
    "pyarrow._orc",
    "pyarrow.orc",
    "pyarrow._dataset_orc",
    "pyarrow.gandiva",
    "pandas.tests",
    "pyqtgraph.examples",
    "pyqtgraph.jupyter",
    "pyqtgraph.opengl",
    "numba.tests",
    "numpy.tests",
    "llvmlite.tests",
    # What other libraries take along where it happens to be installed.
    "PyInstaller",
    "altgraph",
    "tqdm",
    "bokeh",
    "cupy",
    "torch",
    "tensorflow",
)

# File names (not paths) and parts of paths that stay out though something refers to them.
_UNWANTED = re.compile(
    r"""
    # Arrow's libraries for Python stand in a wheel three times; the loader asks for one name.
    libarrow_flight | libarrow_python_flight | libarrow_python\w*\.so(\.\d+\.\d+\.\d+)?$
    | libarrow_s3 | \.pyx$ | \.pxd$ | \.pxi$ | pyarrow/(include|src|tests)/
    | libQt6(Network|Qml|Quick|Labs|Designer|Help|Sql|UiTools|Lottie|EglF|VirtualKeyboard|Pdf)
    | Qt(Qml|Quick|Labs|Designer|Help|Sql|UiTools|VirtualKeyboard|Pdf)\w*\.framework
    | PySide6/(Qt/)?plugins/(designer|egldeviceintegrations|generic|networkinformation|qmllint
        |qmltooling|sqldrivers|tls|vectorimageformats|wayland-graphics-integration-server)/
    | libqgtk3 | libqeglfs | libqlinuxfb | libqvnc | libqvkkhrdisplay | libqminimalegl
    | libqvirtualkeyboard | libqtiff | libqwebp | libqicns | libqtga | libqwbmp
    | translations/
    # numba's threads by a library of Intel's, which is not shipped.
    | tbbpool
    | /tests?/(?!ing) | scipy/.*/tests/
    # Stubs, pyqtgraph's own sign, and of a library's records all but its version and entry points.
    | \.pyi$ | pyqtgraph/icons/peegee/ | \.dist-info/(?!METADATA$|entry_points\.txt$)
    """,
    re.VERBOSE,
)

# Of the system's libraries on Linux only those travel along that Python itself was linked with. The
# desktop's (X, Wayland, OpenGL, glib, fonts, GTK) and libgomp stay the system's, which keeps them
# safe; the package depends on them.
_OF_PYTHON = re.compile(
    r"^lib(python3|ssl|crypto|sqlite3|bz2|lzma|ffi|z|expat|uuid|ncursesw|tinfo|panelw|mpdec|crypt"
    r"|nsl|tirpc)[-.\d\w]*\.so"
)


def library_modules() -> list[str]:
    """Every module of the standard library that this interpreter has, by name."""
    names: list[str] = []
    for name in sorted(sys.stdlib_module_names - LEFT_OUT_OF_LIBRARY):
        if name == "__main__" or name.startswith("_test") or name == "_xxtestfuzz":
            continue
        names += _with_submodules(name)
    return names


def cluster_modules() -> list[str]:
    """Modules of the cluster's libraries, which find one another by name, without collections."""
    left_out = ("tests", "dataframe", "array", "bag", "cli", "diagnostics", "dashboard", "_jax")
    found = [*_with_submodules("distributed"), *_with_submodules("dask")]
    return [name for name in found if not set(name.split(".")) & set(left_out)]


def _with_submodules(name: str) -> list[str]:
    try:
        module = import_module(name)
    except ImportError:  # of another system
        return []
    found = [name]
    for place in getattr(module, "__path__", ()):
        for entry in pkgutil.walk_packages([place], name + "."):
            parts = set(entry.name.split("."))
            if not parts & {"test", "tests", "__main__", "idle_test"}:
                found.append(entry.name)
    return found


def is_wanted(destination: str, source: str = "") -> bool:
    """Whether a file that PyInstaller found goes into the folder."""
    path = destination.replace("\\", "/")
    if _UNWANTED.search(path):
        return False
    if sys.platform != "linux" or not source or source.startswith((_environment(), _library())):
        return True
    name = path.rpartition("/")[2]
    return ".so" not in name or _OF_PYTHON.match(name) is not None


def _environment() -> str:
    return str(Path(sys.prefix))


def _library() -> str:
    return str(Path(sysconfig.get_path("stdlib")))
