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
    # Kernels are compiled once for all tests, while the other core has work that needs none.
    python -m tests.warm &
    warming=$!
    trap 'kill $warming 2>/dev/null || true' EXIT
    say "ruff"
    ruff check .
    ruff format --check .
    say "mypy"
    mypy
    say "import contracts"
    lint-imports
    # The window's tests run in processes of their own: Qt objects and the large libraries of the
    # other rooms do not share an interpreter in the program either. Those of the window and of the
    # whole program wait for answers half of the time: three processes keep two cores busy.
    # What each test took is kept in build/test-times; python -m tests.times adds it up.
    failed=0
    times="$root/build/test-times"
    rm -rf "$times"
    say "tests of the window"
    python -m pytest tests/gui tests/unit -n 3 --dist loadfile \
        --junitxml="$times/window.xml" || failed=1
    wait $warming || failed=1
    trap - EXIT
    say "tests of the rooms behind it"
    python -m pytest tests --ignore=tests/gui --ignore=tests/e2e --ignore=tests/unit \
        -n 2 --dist loadfile --junitxml="$times/rooms.xml" || failed=1
    say "tests of the whole program"
    python -m pytest tests/e2e -n 3 --dist loadfile --no-loadscope-reorder \
        --junitxml="$times/program.xml" || failed=1
    exit $failed
fi
exec python -m pytest "$@"
