#!/bin/sh
# How fast an installed program starts: sh installer/figures.sh PROGRAM [HOME]
# Needs Xvfb and xwininfo. HOME empty or left out: the very first start, with nothing cached.
set -eu
program=$1
home=${2:-$(mktemp -d)}
export PAYOFF_HOME="$home" PAYOFF_CACHE_DIR="$home/cache" QT_QPA_PLATFORM=xcb
export DISPLAY=":${DISPLAY_NUMBER:-77}"
Xvfb "$DISPLAY" -screen 0 1440x900x24 -nolisten tcp >/dev/null 2>&1 &
screen=$!
trap 'kill $screen 2>/dev/null' EXIT
sleep 1

now() { date +%s.%N; }
since() { awk -v from="$1" -v to="$(now)" 'BEGIN { printf "%.2f s", to - from }'; }

window() { # words: from the command to a visible window
    began=$(now)
    "$program" --theme light >/dev/null 2>&1 &
    started=$!
    until xwininfo -root -tree 2>/dev/null | grep -q '"[^"]*Payoff'; do sleep 0.03; done
    echo "$1: window after $(since "$began")"
    sleep 3
    kill "$started"
    wait "$started" 2>/dev/null || true
}

result() { # words: from the command to everything on the sample computed, pictured, and ended
    began=$(now)
    QT_QPA_PLATFORM=offscreen "$program" --sample direct-mail --picture "$home/window.png"
    echo "$1: all of the sample computed and pictured after $(since "$began") (1.5 s of it waiting)"
}

window "first start"
window "second start"
result "first time on the sample"
result "second time on the sample"
