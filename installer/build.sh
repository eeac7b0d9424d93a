#!/bin/sh
# From a clean checkout to packages. Everything goes to build/installer; packages are in
# build/installer/packages.
#   sh installer/build.sh            this system's: an environment with the program's libraries and
#                                    PyInstaller, the frozen folder, its notices, kernels and self
#                                    test, then the .deb and the tarball
#   sh installer/build.sh windows    the setup program for Windows, made on Debian 12 or 13 as root:
#                                    Python, wheels, launchers; byte code, kernels and self test by
#                                    the program itself under Wine
set -eu
. "$(dirname -- "$0")/common.sh"

work="$root/build/installer"
environment="$work/venv"
freeze="$root/installer/freeze"
mkdir -p "$work"
cd "$root"
install_packages
make_environment "[installer]"
QT_QPA_PLATFORM=offscreen "$environment/bin/python" "$freeze/icons.py" "$work/icons"
if [ "${1:-}" = windows ]; then
    . "$root/installer/windows/build.sh"
    exit 0
fi
"$environment/bin/python" -c 'import sysconfig, sys
sys.exit(not (sysconfig.get_config_var("Py_ENABLE_SHARED") or sys.platform != "linux"))' ||
    fail "this Python has no shared library, which freezing needs (Debian's own python3 has one)"
install_tools objdump=binutils
say "freezing (22 minutes of processor time with the kernels, if none are left of an earlier build)"
"$environment/bin/python" -m PyInstaller --noconfirm --log-level WARN --distpath "$work/dist" \
    --workpath "$work/pyinstaller" "$root/installer/payoff.spec"
say "notices, kernels, self test"
"$environment/bin/python" "$freeze/finish.py" "$work/dist/payoff"
if [ "$(uname -s)" = Linux ] && command -v dpkg-deb >/dev/null 2>&1; then
    "$environment/bin/python" "$root/installer/linux/packages.py" "$work/dist/payoff" \
        "$work/icons" "$work/packages"
fi
