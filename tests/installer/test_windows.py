"""The setup program for Windows: its lists, its checks, and what compilers make of its sources."""

from __future__ import annotations

import ast
import multiprocessing
import platform
import py_compile
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from core.kernels import before_numba

ROOT = Path(__file__).resolve().parents[2]
WINDOWS = ROOT / "installer" / "windows"
COMPILER = "x86_64-w64-mingw32-gcc"
KERNEL = "kernel"  # how the names of all marks of compiled functions end


@pytest.fixture
def make(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(WINDOWS), str(WINDOWS.parent / "freeze"), *sys.path])
    import make

    return make


def test_the_lock_file_has_every_library_in_its_range_with_a_hash():
    locked = {}
    for line in (WINDOWS / "requirements.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            found = re.fullmatch(r"([\w-]+)==([\w.]+) --hash=sha256:[0-9a-f]{64}", line)
            assert found is not None, line
            locked[found[1].lower()] = found[2]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    of_windows = {"python_version": "3.11", "sys_platform": "win32"}
    for text in project["dependencies"]:
        wanted = Requirement(text)
        if wanted.marker is None or wanted.marker.evaluate(of_windows):
            assert locked[wanted.name.lower()] in wanted.specifier


@pytest.mark.parametrize(
    ("path", "goes_in"),
    [
        ("PySide6/Qt6Core.dll", True),
        ("PySide6/Qt6OpenGLWidgets.dll", True),
        ("PySide6/plugins/platforms/qwindows.dll", True),
        ("PySide6/plugins/sqldrivers/qsqlite.dll", False),
        ("PySide6/Qt6Quick.dll", False),
        ("PySide6/vcomp140.dll", False),  # lies beside Python, for all
        ("PySide6/QtCore.pyi", False),
        ("PySide6/translations/qtbase_de.qm", False),
        ("pyqtgraph/icons/auto.png", True),
        ("pyqtgraph/icons/peegee/peegee.svg", False),
        ("numba/np/ufunc/omppool.cp311-win_amd64.pyd", True),
        ("numba/tests/test_array.py", False),
        ("numpy.libs/libscipy_openblas64_.dll", True),
        ("scipy/stats/tests/test_fit.py", False),
        ("numpy/testing/_private/utils.py", True),  # plugins may import all of numpy
        ("pyarrow/arrow_flight.dll", False),
        ("pyarrow/arrow_compute.dll", True),
        ("pandas-3.1.1.dist-info/METADATA", True),
        ("pandas-3.1.1.dist-info/RECORD", False),
    ],
)
def test_what_of_the_libraries_goes_in(make, path, goes_in):
    assert make.is_wanted(path) is goes_in


def test_a_file_that_is_not_what_it_was_ends_the_build(make):
    with pytest.raises(SystemExit, match="not what it was"):
        make.require_hash("python.exe", b"another program", make.PYTHON_FILES["python.exe"])


def test_files_are_named_in_order_whatever_the_disk_says(make, tmp_path):
    for name in ("b/second.py", "b/first.py", "a.txt", "with $ sign.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert make.file_commands(tmp_path).splitlines() == [
        'SetOutPath "$INSTDIR"',
        f'File "{tmp_path}/a.txt"',
        'SetOutPath "$INSTDIR\\b"',
        f'File "{tmp_path}/b/first.py"',
        f'File "{tmp_path}/b/second.py"',
        'SetOutPath "$INSTDIR"',
        f'File "{tmp_path}/with $$ sign.txt"',
    ]


def test_names_that_windows_cannot_keep_apart_or_reach_end_the_build(make):
    make.check_names(["a/One.py", "b/one.py"])
    with pytest.raises(SystemExit, match="case of letters"):
        make.check_names(["a/One.py", "A/one.py"])
    with pytest.raises(SystemExit, match="at most 140"):
        make.check_names(["a/" + "long" * 40])


def test_files_of_kernels_have_names_that_windows_can_reach(make, monkeypatch):
    place_of = before_numba.shipped_place.__wrapped__
    monkeypatch.setattr(before_numba, "shipped_folder", lambda: Path("_internal", "kernels"))
    names = []
    for source in (path for room in make.OWN_PACKAGES for path in (ROOT / room).rglob("*.py")):
        text = source.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if KERNEL in text else ():
            if isinstance(node, ast.FunctionDef) and any(map(_is_kernels, node.decorator_list)):
                name = f"{source.stem}.{node.name}-{node.lineno}.py311.{'0' * 16}.nbc"
                names.append(str(place_of(str(source)) / name))
    assert len(names) > 300
    make.check_names(names)


def _is_kernels(mark: ast.expr) -> bool:
    return ast.unparse(mark).partition("(")[0].endswith(KERNEL)


@pytest.mark.skipif(shutil.which("makensis") is None, reason="makensis is not installed")
def test_the_setup_program_is_made_without_a_warning_and_the_same_twice(make, tmp_path):
    program = tmp_path / "payoff"
    (program / "_internal").mkdir(parents=True)
    for name in ("payoff.exe", "payoff-console.exe", "_internal/library.dll"):
        (program / name).write_bytes(b"stands for the program")
    icon, files = tmp_path / "payoff.ico", tmp_path / "files.nsh"
    icon.write_bytes(_icon())
    files.write_text(make.file_commands(program), "utf-8")
    made = []
    for number in range(2):
        setup = tmp_path / f"setup-{number}.exe"
        settings = {
            "VERSION": "0.1.0",
            "NUMBERS": "0.1.0.0",
            "FILES": files,
            "ICON": icon,
            "OUT": setup,
        }
        words = [f"-D{name}={value}" for name, value in settings.items()]
        done = subprocess.run(
            ["makensis", "-V2", "-WX", *words, str(WINDOWS / "payoff.nsi")],
            capture_output=True,
            text=True,
            check=False,
            env={"PATH": "/usr/bin:/bin", "SOURCE_DATE_EPOCH": "1700000000"},
        )
        assert done.returncode == 0, done.stdout + done.stderr
        made.append(setup.read_bytes())
    assert made[0][:2] == b"MZ"
    assert made[0] == made[1]


def test_the_tests_that_the_trial_runs_are_there():
    named = re.findall(r"tests/[\w/]+\.py", (WINDOWS / "trial.sh").read_text("utf-8"))
    assert len(named) > 5
    assert [name for name in named if not (ROOT / name).is_file()] == []


@pytest.fixture
def inside(make, tmp_path):
    """A folder laid out as the program's: a package of ours, a library, part of Python's own."""
    sources = {
        "shop/__init__.py": "from shop.prices import PRICE\n",
        "shop/prices.py": "import tillage\nPRICE = tillage.till() + 1\n",
        "shop/terms.txt": "net",
        "lib/tillage/__init__.py": "from .deep.ground import till\n",
        "lib/tillage/deep/ground.py": "def till():\n    return 1\n",  # deep is no package
        "lib/tillage.py": "raise AssertionError('Python takes the package')\n",
        "lib/broken.py": "def\n",
        "lib/quick.cp311-win_amd64.pyd": "",
        "lib/quick.py": "raise AssertionError('Python takes the extension')\n",
        "resources/example.py": "raise AssertionError('no module')\n",
    }
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    for name in ("start.py", "payoff_modules.py"):
        shutil.copyfile(WINDOWS / name, tmp_path / name)
    import byte_code

    shelf = tmp_path / "shelf.py"
    shelf.write_text("BOOKS = 7\n", "utf-8")
    py_compile.compile(str(shelf), str(tmp_path / "shelf.pyc"))
    shelf.unlink()
    with zipfile.ZipFile(tmp_path / byte_code.LIBRARY, "w") as archive:
        archive.write(tmp_path / "shelf.pyc", "shelf.pyc")
    assert byte_code.write(tmp_path, ["shop"]) == 6
    return tmp_path


def test_modules_are_imported_from_one_file(inside):
    for source in ("shop/prices.py", "lib/tillage/deep/ground.py"):
        (inside / source).write_text("raise AssertionError('a source was compiled')\n", "utf-8")
    program = """
import inspect, pkgutil, sys
from payoff_modules import Modules
folder = sys.argv[1]
sys.meta_path.insert(0, Modules(folder))
sys.path.insert(0, folder + "/lib")
looked_at = []
sys.addaudithook(lambda event, words: event == "open" and looked_at.append(str(words[0])))
import shelf, shop, tillage.deep.ground
assert (shelf.BOOKS, shop.PRICE) == (7, 2)
assert [path for path in looked_at if path.endswith((".py", ".pyc"))] == []
assert shop.__file__ == folder + "/shop/__init__.py"
assert shop.__path__ == [folder + "/shop"]
assert tillage.till.__code__.co_filename == folder + "/lib/tillage/deep/ground.py"
assert pkgutil.get_data("shop", "terms.txt") == b"net"
assert "PRICE" in inspect.getsource(shop)
assert [module.name for module in pkgutil.iter_modules(shop.__path__)] == ["prices"]
quick = sys.meta_path[0].find_spec("quick")
assert quick.origin.endswith("quick.cp311-win_amd64.pyd")
assert not any(sys.meta_path[0].find_spec(name) for name in ("broken", "example", "nothing"))
"""
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, sys.argv[1]){program}"]
    subprocess.run([*command, str(inside)], check=True)


@pytest.fixture
def start(inside, monkeypatch):
    """Run what the launchers run, under a name; without a console, as ``payoff.exe`` has none."""
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    monkeypatch.setattr(sys, "frozen", False, raising=False)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.setattr(platform, "_syscmd_ver", platform._syscmd_ver)
    return lambda name: runpy.run_path(str(inside / "start.py"), run_name=name)


def test_no_process_runs_another_to_hear_what_windows_says_of_its_version(start, monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(subprocess, "check_output", None)
    start("__mp_main__")
    assert platform._syscmd_ver() == ("", "", "")


def test_a_process_of_the_engine_begins_before_the_program_is_imported(start, monkeypatch):
    def begin():
        assert sys.frozen  # else multiprocessing would look for a python.exe
        raise SystemExit(7)

    monkeypatch.setattr(multiprocessing, "freeze_support", begin)
    monkeypatch.setitem(sys.modules, "payoff.__main__", None)  # importing it would fail
    with pytest.raises(SystemExit, match="7"):
        start("__main__")


def test_the_exit_code_of_the_program_is_handed_on(start, monkeypatch):
    monkeypatch.setattr("payoff.__main__.main", lambda: 5)
    with pytest.raises(SystemExit, match="5"):
        start("__main__")


def test_a_process_that_imports_the_start_does_not_run_the_program_again(start):
    start("__mp_main__")
    assert sys.frozen


PROGRAMS = {"payoff": 2, "payoff-console": 3}
"""Launchers with their subsystem: 2 has no console."""
needs_compiler = pytest.mark.skipif(shutil.which(COMPILER) is None, reason="no mingw-w64")


@needs_compiler
def test_launchers_are_of_their_kind_and_the_same_twice(make, tmp_path):
    made = []
    for name in ("one", "two"):
        work, folder = tmp_path / name, tmp_path / name / "Payoff"
        (work / "icons").mkdir(parents=True)
        folder.mkdir()
        (work / "icons" / "payoff.ico").write_bytes(_icon())
        make.make_launchers(work, folder)
        made.append([(folder / f"{program}.exe").read_bytes() for program in PROGRAMS])
    assert made[0] == made[1]
    for (program, system), content in zip(PROGRAMS.items(), made[0], strict=True):
        header = int.from_bytes(content[0x3C:0x40], "little")
        assert int.from_bytes(content[header + 92 : header + 94], "little") == system
        assert b"PerMonitorV2" in content
        assert b"<activeCodePage" in content
        assert f"{program}.exe".encode("utf-16-le") in content


@needs_compiler
def test_missing_functions_are_given_to_a_library_and_others_left(make, tmp_path):
    import trial_shims

    source, library = tmp_path / "stub.s", tmp_path / "stub.dll"
    source.write_text(STUB, "ascii")
    words = ["-nostdlib", "-shared", "-Wl,-e,0", str(source), "-o", str(library)]
    subprocess.run([COMPILER, *words], check=True)
    before = library.read_bytes()
    assert trial_shims.give_functions(library) == ["crealf"]
    after = library.read_bytes()
    places = trial_shims.exported_places(after)
    assert after[places["crealf"] :].startswith(bytes.fromhex("660f6ec1c3"))
    assert after[places["creal"] : places["creal"] + 5] == before[places["creal"] :][:5]
    assert trial_shims.give_functions(library) == []  # a second time there is nothing to give


STUB = (
    """
    .text
    .globl crealf
crealf:
    subq $40, %rsp
    leaq crealf(%rip), %rcx
    ret
"""
    + "".join(
        f"    .globl {name}\n{name}:\n    nop\n    nop\n    nop\n    nop\n    ret\n"
        for name in ("cimagf", "creal", "creall", "cimag", "cimagl")
    )
    + """
    .section .drectve
    .ascii " -export:crealf -export:cimagf -export:creal"
    .ascii " -export:creall -export:cimag -export:cimagl"
"""
)


def _icon() -> bytes:
    """An icon of 16 x 16 points, 32 bits each."""
    size, mask = 16 * 16 * 4, 16 * 4
    words = [40, 16, 32]
    image = b"".join(word.to_bytes(4, "little") for word in words)
    image += (1).to_bytes(2, "little") + (32).to_bytes(2, "little") + bytes(24)
    image += b"\xff" * size + bytes(mask)
    head = bytes([0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0])
    return head + len(image).to_bytes(4, "little") + (22).to_bytes(4, "little") + image
