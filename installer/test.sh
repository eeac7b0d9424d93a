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
    # Kernels are compiled first, on both cores, once for all tests: those that began meanwhile would
    # compile the same ones again. Then what computes and what waits run side by side: the linters
    # and the packages behind the window, beside the window and the whole program, which wait for
    # answers half of the time. Qt objects and the large libraries of core do not share an
    # interpreter in the program either: each group has processes of its own.
    # What each test took is kept in build/test-times; python -m tests.times adds it up.
    times="$root/build/test-times"
    window_log="$root/build/test-times/window.txt"
    rm -rf "$times"
    mkdir -p "$times"
    failed=0
    waiting=
    trap 'kill $waiting 2>/dev/null || true' EXIT
    say "kernels"
    python -m tests.warm || failed=1
    say "tests of the window and of the whole program, beside the others; shown at the end"
    sh "$root/installer/test_window.sh" "$times" >"$window_log" 2>&1 &
    waiting=$!
    say "ruff"
    ruff check .
    ruff format --check .
    say "mypy"
    mypy
    say "import contracts"
    lint-imports
    say "tests of core, payoff and plugins" # without Qt, which looks at every import there is
    python -m pytest tests --ignore=tests/gui --ignore=tests/e2e --ignore=tests/unit \
        -p no:pytest-qt -n 2 --dist loadfile --junitxml="$times/core.xml" || failed=1
    wait $waiting || failed=1
    waiting=
    cat "$window_log"
    exit $failed
fi
exec python -m pytest "$@"
