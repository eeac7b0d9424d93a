# Run by the trial in the Debian with Wine: real windows of the installed program on a virtual screen.
# PLACE is its folder, SETUP the setup program, PYTHON the build's own python.exe, in Windows' way.
set -eu
export DISPLAY=:55
folder=/srv/payoff/trial
state=$HOME/.wine/drive_c/users/tester/AppData/Local/Payoff
: "${PATIENCE:=600}" # seconds
Xvfb :55 -screen 0 1440x900x24 -nolisten tcp >/dev/null 2>&1 &
has_screen() { xwd -root -silent -out /dev/null 2>/dev/null; }
for _ in $(seq 150); do ! has_screen || break; sleep 0.2; done
has_screen || { echo "the virtual screen did not come up"; exit 1; }
openbox >/dev/null 2>&1 &

until_so() { # what is waited for, then a command that says whether it is so
    awaited=$1 end=$(($(date +%s) + PATIENCE))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$(date +%s)" -lt "$end" ] || { picture failed; echo "never: $awaited"; exit 1; }
        sleep 0.5
    done
}
says() { grep -q "$1" "$state/window.log"; } # of the window that was started last
after() { # seconds from the start of that window to what its log says
    at=$(date -d "$(grep -m 1 "$1" "$state/window.log" | cut -c 1-23 | tr , .)" +%s.%N)
    awk -v from="$began" -v to="$at" 'BEGIN { printf "%.1f s", to - from }'
}
picture() {
    xwd -root -silent -out /tmp/screen.xwd
    convert /tmp/screen.xwd "$folder/$1.png"
}
start() {
    rm -f "$state/window.log"
    began=$(date +%s.%N)
    wine "$PLACE\\payoff.exe" --theme light "$@" >/dev/null 2>&1 &
    disown # that it is killed later is no news
}
engines() { pgrep -f multiprocessing-fork; }
no_engine() { ! engines; }
look() { wine "$PYTHON" -X utf8 'Z:\srv\payoff\trial\trial_steps.py' "$@"; }
windows() { pgrep -af 'Payoff.payoff\.exe' | grep -v multiprocessing-fork | cut -d ' ' -f 1; }
has_copy() { ls "$state"/autosave/*.payoff; }
end_windows() {
    for process in $(windows); do kill -9 "$process" 2>/dev/null || true; done
    until_so "engines end with their window" no_engine
}

compiled() { find "$state/Cache" -name '*.nbc' 2>/dev/null | wc -l; }
before=$(compiled) # those of plugins
for words in "first start" "second start"; do
    start --sample direct-mail
    until_so "a painted window" says 'the window is painted'
    until_so "first totals" says 'the first totals are shown'
    echo "$words on the sample: window after $(after 'the window is painted'), first totals after $(after 'the first totals are shown')"
    if [ "$words" = "first start" ]; then end_windows; fi
done
sleep 20 # until what follows the totals is painted
picture window
echo "kernels compiled by both: $(($(compiled) - before))"
[ "$(compiled)" = "$before" ]
engine=$(engines | head -n 1)
kill -9 "$engine"
is_another() { [ -n "$(engines)" ] && ! engines | grep -qx "$engine"; }
until_so "a new engine" is_another
sleep 20
picture after_engine
echo "the engine was ended; the window has a new one"
end_windows
echo "the window was ended; its engines ended with it"

start 'Z:\srv\payoff\trial\mailing\direct-mail.payoff'
until_so "first totals" says 'the first totals are shown'
sleep 20
# The first cell of the matrix: typed into, as a person does.
xdotool mousemove "${CELL_X:-301}" "${CELL_Y:-273}" click 1
sleep 1
xdotool type --delay 200 30
xdotool key Return
sleep 10
picture cell
until_so "a copy of unsaved work" has_copy
end_windows
echo "a cell was changed and the window ended; a copy of the work is kept"
start
until_so "a painted window" says 'the window is painted'
sleep 20
picture offered
end_windows

start 'Z:\srv\payoff\trial\mailing\direct-mail.payoff'
until_so "first totals" says 'the first totals are shown'
start 'Z:\srv\payoff\trial\mailing\direct-mail.payoff'
until_so "a question in the second window" xdotool search --onlyvisible --name "Project in use"
picture two # what the question says stays black under Wine, see docs/trial.md
echo "a project that is open in a window is not opened in another without a question"
look refused "$SETUP" "$PLACE"
end_windows

look double-click "$(cd "$folder" && ls ./*.payoff-plugin | head -n 1 | sed 's|^\./|Z:\\srv\\payoff\\trial\\|')" &
until_so "the question about the plugin" xdotool search --onlyvisible --name "Install a plugin"
picture question
agreed() { # Return goes to the window that has the keyboard: Wine changes the one that was found
    for question in $(xdotool search --onlyvisible --name "Install a plugin"); do
        xdotool windowactivate "$question" && sleep 2 && xdotool key Return && sleep 5
    done
    is_installed
}
is_installed() { ls "$state"/plugins/*biweight*; }
until_so "the plugin's files" agreed
checks="$state/Cache/plugins/conformance.json"
is_checked() { # its last check: that a second start finds its kernels
    grep -A 30 'biweight kernels"' "$checks" | grep -q "Compiled kernels are kept"
}
until_so "the checks of the plugin's kernels" is_checked
sleep 5 # its page is shown
picture plugin
if grep -A 3 '"state": "failed"' "$checks"; then exit 1; fi
end_windows
echo "a plugin was opened by double click and installed; it passed every check"
