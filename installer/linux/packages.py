"""The Linux packages of a frozen folder: a .deb and a tarball with its own install.sh.

``python installer/linux/packages.py PROGRAM_FOLDER ICON_FOLDER OUT_FOLDER`` reads the version from
the folder itself. Times and owners of files are set: the same folder gives the same package.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "freeze"))

from epoch import read_epoch, settle_times  # noqa: E402  found through the line above

MAINTAINER = "Payoff developers <payoff@users.noreply.github.com>"
MOST_BYTES = 145_000_000
"""Of the .deb."""
DEPENDS = (
    "libc6 (>= 2.36)",
    "libgomp1",
    "libglib2.0-0t64 | libglib2.0-0",
    "libgl1",
    "libegl1",
    "libxkbcommon0",
    "libdbus-1-3",
    "libfontconfig1",
    "libfreetype6",
    "libx11-6",
    "libx11-xcb1",
    "libxcb1",
    "libxcb-cursor0",
    "libxcb-icccm4",
    "libxcb-image0",
    "libxcb-keysyms1",
    "libxcb-randr0",
    "libxcb-render-util0",
    "libxcb-render0",
    "libxcb-shape0",
    "libxcb-shm0",
    "libxcb-sync1",
    "libxcb-xfixes0",
    "libxcb-xkb1",
    "libxkbcommon-x11-0",
    "libwayland-client0",
    "libwayland-cursor0",
    "libwayland-egl1",
    "libstdc++6",
    "libgcc-s1",
    "fonts-inter",
    "fonts-dejavu-core",
)
DESCRIPTION = """what a model is worth, and what to do with each case
 Opens a file with scores from any tool, or trains boosted trees in it. From
 what each decision earns or costs it shows on linked charts which model, which
 cut-off and which action pay, and how sure that is. Metrics, uplift of
 experiments, profit and loss with priors and limits; works offline."""
OVERRIDES = """# The program brings its own interpreter and libraries along, as their makers
# built them, so that results do not depend on the machine.
payoff: embedded-library *
payoff: custom-library-search-path *
payoff: unstripped-binary-or-object *
payoff: hardening-no-pie *
payoff: shared-library-lacks-prerequisites *
payoff: library-not-linked-against-libc *
payoff: sharedobject-in-library-directory-missing-soname *
payoff: package-installs-python-pycache-dir *
payoff: package-installs-python-bytecode *
payoff: extra-license-file *
payoff: initial-upload-closes-no-bugs *
payoff: executable-not-elf-or-script *
payoff: specific-address-in-shared-library *
payoff: exit-in-shared-library *
payoff: elf-error *
payoff: undeclared-elf-prerequisites *
payoff: windows-devel-file-in-package *
payoff: executable-stack-in-shared-library *
payoff: spelling-error-in-binary *
payoff: script-not-executable *
"""


def version_of(program: Path) -> str:
    """The version that the frozen program says it is."""
    text = (program / "_internal" / "payoff" / "version.py").read_text("utf-8")
    found = re.search(r'__version__ = "([^"]+)"', text)
    if found is None:
        raise SystemExit("the program has no version")
    return found[1]


def make_deb(program: Path, icons: Path, out: Path, level: int = 9) -> Path:
    """Lay out and pack the .deb, at a level of xz."""
    version = version_of(program)
    package = out / f"payoff_{version}_amd64.deb"
    with tempfile.TemporaryDirectory(dir=out) as folder:
        root = Path(folder) / "root"
        shutil.copytree(program, root / "usr/lib/payoff", symlinks=True)
        (root / "usr/bin").mkdir(parents=True)
        (root / "usr/bin/payoff").symlink_to("../lib/payoff/payoff")
        lay_out_share(root / "usr/share", icons, version)
        _documents(root / "usr/share", version)
        _control(root, version)
        _settle_modes(root)
        settle_times(root, read_epoch())
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", f"-z{level}", "--threads-max=1"]
        subprocess.run(
            [*command, "--build", str(root), str(package)],
            check=True,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "SOURCE_DATE_EPOCH": str(read_epoch())},
        )
    return package


def make_tarball(program: Path, icons: Path, out: Path) -> Path:
    """The folder, what a desktop wants to know of it, and install.sh, in one archive."""
    version = version_of(program)
    name = f"payoff-{version}-linux-x86_64"
    with tempfile.TemporaryDirectory(dir=out) as folder:
        root = Path(folder) / name
        shutil.copytree(program, root / "program", symlinks=True)
        lay_out_share(root / "share", icons, version)
        shutil.copyfile(HERE / "install.sh", root / "install.sh")
        _settle_modes(root)
        (root / "install.sh").chmod(0o755)
        settle_times(root, read_epoch())
        package = out / f"{name}.tar.xz"
        subprocess.run(
            [
                "tar",
                "--create",
                "--owner=0",
                "--group=0",
                "--sort=name",
                "-C",
                folder,
                "--use-compress-program=xz -9 -T1",
                "--file",
                str(package),
                name,
            ],
            check=True,
        )
    return package


def lay_out_share(share: Path, icons: Path, version: str) -> None:
    """Menu entry, kinds of file, icons, metadata and manual page below ``share``."""
    for source, place in (
        ("payoff.desktop", "applications/payoff.desktop"),
        ("payoff-mime.xml", "mime/packages/payoff.xml"),
        ("io.github.payoff.Payoff.metainfo.xml", "metainfo/io.github.payoff.Payoff.metainfo.xml"),
    ):
        _write(share / place, _filled(source, version).encode())
    _write(share / "man/man1/payoff.1.gz", _packed(_filled("payoff.1", version)))
    for size in (48, 128, 256):
        target = share / f"icons/hicolor/{size}x{size}/apps/payoff.png"
        _write(target, (icons / f"payoff-{size}.png").read_bytes())
    sign = HERE.parents[1] / "resources/icons/payoff.svg"
    _write(share / "icons/hicolor/scalable/apps/payoff.svg", sign.read_bytes())


def _filled(name: str, version: str) -> str:
    today = time.strftime("%Y-%m-%d", time.gmtime(read_epoch()))
    text = (HERE / name).read_text("utf-8")
    return text.replace("@VERSION@", version).replace("@DATE@", today)


def _packed(text: str) -> bytes:
    return gzip.compress(text.encode(), compresslevel=9, mtime=0)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _documents(share: Path, version: str) -> None:
    """What a Debian package must say: changes, licences, and why some rules do not fit it."""
    licence = (HERE.parents[1] / "LICENSE").read_text("utf-8").strip().splitlines()
    body = "\n".join(f" {line}" if line.strip() else " ." for line in licence)
    copyright_text = (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        "Upstream-Name: payoff\n"
        "Comment: licences of all parts that are brought along stand in\n"
        " /usr/lib/payoff/_internal/licences, named in NOTICES.txt beside it.\n\n"
        f"Files: *\nCopyright: the Payoff developers\nLicense: MIT\n{body}\n"
    )
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(read_epoch()))
    changes = f"payoff ({version}) stable; urgency=medium\n\n  * Payoff {version}.\n\n"
    _write(share / "doc/payoff/copyright", copyright_text.encode())
    _write(share / "doc/payoff/changelog.gz", _packed(f"{changes} -- {MAINTAINER}  {date}\n"))
    _write(share / "lintian/overrides/payoff", OVERRIDES.encode())


def _control(root: Path, version: str) -> None:
    sizes = sum(path.lstat().st_size for path in root.rglob("*") if not path.is_dir())
    fields = {
        "Package": "payoff",
        "Version": version,
        "Architecture": "amd64",
        "Maintainer": MAINTAINER,
        "Installed-Size": str(sizes // 1024),
        "Depends": ", ".join(DEPENDS),
        "Section": "science",
        "Priority": "optional",
        "Description": DESCRIPTION,
    }
    control = "".join(f"{name}: {value}\n" for name, value in fields.items())
    _write(root / "DEBIAN/control", control.encode())
    sums = [
        f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n"
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.is_symlink() and "DEBIAN" not in path.parts
    ]
    _write(root / "DEBIAN/md5sums", "".join(sums).encode())


def _settle_modes(root: Path) -> None:
    """Readable by all, written by none but the owner; only programs can be run."""
    for path in [root, *root.rglob("*")]:
        if not path.is_symlink():
            is_program = path.is_dir() or (path.name == "payoff" and path.stat().st_mode & 0o100)
            path.chmod(0o755 if is_program else 0o644)


def main(program: Path, icons: Path, out: Path) -> None:
    """Make both and print their sizes."""
    out.mkdir(parents=True, exist_ok=True)
    package = make_deb(program, icons, out)
    say_size(package, MOST_BYTES)
    say_size(make_tarball(program, icons, out))


def say_size(package: Path, most: int | None = None) -> None:
    """Print how many bytes a package has; more than ``most`` end the build."""
    size = package.stat().st_size
    print(f"{package.name}: {size:,} bytes")
    if most is not None and size > most:
        raise SystemExit(f"{package.name} is too large: at most {most:,} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
