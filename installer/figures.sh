#!/bin/sh
# How fast an installed program starts: sh installer/figures.sh [PROGRAM [HOME]]
# Needs Xvfb. HOME must be empty or left out: the first start is the very first, with nothing kept.
# Each run is a real window that ends by itself; the times are from the command to what the program
# notes in its log: the painted window, and the first totals of the sample in it.
set -eu
program=${1:-payoff}
home=${2:-$(mktemp -d)}
export PAYOFF_HOME="$home" PAYOFF_CACHE_DIR="$home/cache" QT_QPA_PLATFORM=xcb
export DISPLAY=":${DISPLAY_NUMBER:-77}"
Xvfb "$DISPLAY" -screen 0 1440x900x24 -nolisten tcp >/dev/null 2>&1 &
screen=$!
trap 'kill $screen 2>/dev/null' EXIT
sleep 2

after() { # a moment's words in the log: seconds since the start of the run
    line=$(grep -m 1 "$1" "$home/state/window.log") || { printf 'never'; return; }
    at=$(date -d "$(printf '%s' "$line" | cut -c 1-23 | tr , .)" +%s.%N)
    awk -v from="$began" -v to="$at" 'BEGIN { printf "%.2f s", to - from }'
}

start() { # words, then arguments
    words=$1
    shift
    rm -f "$home/state/window.log"
    began=$(date +%s.%N)
    "$program" --theme light "$@" --picture "$home/window.png" 2>/dev/null
    line="$words: window after $(after 'the window is painted')"
    case " $* " in *" --sample "*)
        line="$line, first totals after $(after 'the first totals are shown')" ;;
    esac
    echo "$line"
}

start "very first start, on the sample" --sample direct-mail
start "second start, on the sample" --sample direct-mail
for number in 1 2 3; do start "warm start $number"; done
echo "processors: $(nproc), busy with other work: $(cut -d ' ' -f 1 /proc/loadavg)"
