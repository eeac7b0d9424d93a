#!/bin/sh
# Set up what is missing, then run every test, the linters and the import contracts.
# Arguments go to pytest: installer/test.sh -k decisions
set -eu
. "$(dirname -- "$0")/common.sh"

install_packages xvfb
make_environment "[test]"
cd "$root"
PATH="$environment/bin:$PATH"
export PATH
unset DISPLAY WAYLAND_DISPLAY
export QT_QPA_PLATFORM=offscreen

if [ $# -eq 0 ]; then
    say "ruff"
    ruff check .
    ruff format --check .
    say "mypy"
    mypy
    say "import contracts"
    lint-imports
    say "tests"
    exec python -m pytest -n 2 --dist loadfile
fi
exec python -m pytest "$@"
