#!/bin/sh
# From a clean checkout to packages: an environment with the program's libraries and PyInstaller,
# the frozen folder, its notices, kernels and self test, then the .deb and the tarball.
# Everything goes to build/installer; packages are in build/installer/packages.
set -eu
. "$(dirname -- "$0")/common.sh"

work="$root/build/installer"
environment="$work/venv"
mkdir -p "$work"
cd "$root"
make_environment "[installer]"
"$environment/bin/python" -c 'import sysconfig, sys
sys.exit(not (sysconfig.get_config_var("Py_ENABLE_SHARED") or sys.platform != "linux"))' ||
    fail "this Python has no shared library, which freezing needs (Debian's own python3 has one)"
freeze="$root/installer/freeze"
QT_QPA_PLATFORM=offscreen "$environment/bin/python" "$freeze/icons.py" "$work/icons"
say "freezing (a few minutes)"
"$environment/bin/python" -m PyInstaller --noconfirm --log-level WARN --distpath "$work/dist" \
    --workpath "$work/pyinstaller" "$root/installer/payoff.spec"
say "notices, kernels, self test"
"$environment/bin/python" "$freeze/finish.py" "$work/dist/payoff" "$work/pyinstaller/payoff/PYZ-00.toc"
if [ "$(uname -s)" = Linux ] && command -v dpkg-deb >/dev/null 2>&1; then
    "$environment/bin/python" "$root/installer/linux/packages.py" "$work/dist/payoff" \
        "$work/icons" "$work/packages"
fi
