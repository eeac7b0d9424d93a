#!/bin/sh
# What installer/test.sh runs beside the tests that compute: the window, then the whole program.
# They wait for answers half of the time. The argument is the folder of their times.
set -u
failed=0
running=
trap 'kill $running 2>/dev/null; exit 1' TERM INT

run() { # name of the times, then pytest's arguments
    name=$1
    shift
    python -m pytest "$@" -n 2 --dist loadfile --junitxml="$times/$name.xml" &
    running=$!
    wait $running || failed=1
}

times=$1
run window tests/gui tests/unit
run program tests/e2e --no-loadscope-reorder
exit $failed
