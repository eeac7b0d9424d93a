# Run by the trial in the Debian with Wine: a real window on a virtual screen.
export DISPLAY=:55
folder=/srv/payoff/trial
Xvfb :55 -screen 0 1440x900x24 -nolisten tcp >/dev/null 2>&1 &
sleep 3
picture() {
    xwd -root -silent -out /tmp/screen.xwd
    convert /tmp/screen.xwd "$folder/$1.png"
}
wine "$PLACE\\payoff.exe" --sample direct-mail --theme light >/dev/null 2>&1 &
sleep "$WINDOW_SECONDS"
picture window
engine=$(pgrep -f 'multiprocessing-fork' | head -n 1)
[ -n "$engine" ] || { echo "the window has no engine"; exit 1; }
kill -9 "$engine"
sleep "$WINDOW_SECONDS"
picture after_engine
again=$(pgrep -f 'multiprocessing-fork' | head -n 1)
[ -n "$again" ] && [ "$again" != "$engine" ] || { echo "no new engine was started"; exit 1; }
echo "the engine was ended; the window has a new one"
kill -9 "$(pgrep -f 'payoff.exe --sample' | tail -n 1)"
sleep 10
if pgrep -f 'multiprocessing-fork'; then
    echo "an engine outlived its window"
    exit 1
fi
echo "the window was ended; its engines ended with it"
