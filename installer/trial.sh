#!/bin/sh
# Try the packages on machines that have never seen the source: a bare Debian 12 (debootstrap), and
# any further release that is named (trixie: Debian 13). Needs root, debootstrap, Xvfb, and packages in build/installer
# (installer/build.sh makes them). The log goes to build/installer/trial.log.
#   sh installer/trial.sh [SUITE ...]          default: bookworm
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
work="$root/build/installer"
log="$work/trial.log"
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
[ "$(id -u)" = 0 ] || { echo "run as root: chroot and debootstrap need it" >&2; exit 1; }

say() { printf '%s\n' "$*" | tee -a "$log"; }
inside() { chroot "$bare" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 "$@"; }
user() { # a command of the unprivileged user, with no network but the loopback
    unshare --net chroot --userspec=tester:tester "$bare" /usr/bin/env -i \
        PATH=/usr/bin:/bin HOME=/home/tester LC_ALL=C.UTF-8 QT_QPA_PLATFORM=offscreen "$@"
}
step() { # words, then the command: its output and time go to the log, failure ends the trial
    words=$1
    shift
    say "--- $words"
    began=$(date +%s)
    if "$@" >"$work/step.out" 2>&1; then result=ok; else result=FAILED; fi
    tail -n "${LINES_KEPT:-14}" "$work/step.out" | tee -a "$log"
    say "[$result, $(($(date +%s) - began)) s]"
    [ "$result" = ok ]
}

make_root() {
    rm -rf --one-file-system "$bare"
    debootstrap --variant=minbase "$suite" "$bare" "$mirror"
    cp /etc/resolv.conf "$bare/etc/resolv.conf"
    inside useradd --create-home tester
}
mount_system() {
    mount -t proc proc "$bare/proc"
    mkdir -p "$bare/dev/shm"
    mount -t tmpfs tmpfs "$bare/dev/shm"
    for device in null zero full random urandom; do
        [ -c "$bare/dev/$device" ] || cp -a "/dev/$device" "$bare/dev/$device"
    done
}
unmount_system() { umount "$bare/dev/shm" "$bare/proc" 2>/dev/null || true; }

install_package() { # the file; apt brings what it depends on
    cp "$1" "$bare/srv/payoff.deb"
    inside DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends /srv/payoff.deb
    rm "$bare/srv/payoff.deb"
    inside sh -c 'test -L /usr/bin/payoff && dpkg -s payoff | grep -E "^(Version|Status)"'
}

newer_package() { # the same program under the next version: what an update meets
    "$work/venv/bin/python" - "$root" "$work" <<'PY'
import shutil, sys
from pathlib import Path
root, work = Path(sys.argv[1]), Path(sys.argv[2])
sys.path[:0] = [str(root / "installer" / "linux"), str(root / "installer" / "freeze")]
import finish, packages
newer = work / "newer"
shutil.rmtree(newer, ignore_errors=True)
shutil.copytree(work / "dist" / "payoff", newer / "payoff", symlinks=True)
file = newer / "payoff" / "_internal" / "payoff" / "version.py"
version = packages.version_of(newer / "payoff")
file.write_text(file.read_text().replace(f'"{version}"', f'"{version}.1"'))
finish.compile_sources(newer / "payoff" / "_internal")
print(packages.make_deb(newer / "payoff", work / "icons", newer, level=1))
shutil.rmtree(newer / "payoff")
PY
}

write_plugin() { # the example, with a constant of its kernel changed
    sed "s/^LIMIT = .*/LIMIT = $1/" "$root/installer/example_plugin.py" \
        >"$bare/home/tester/share_above.py"
    chmod 644 "$bare/home/tester/share_above.py"
}

journey() {
    bare="$work/root-$suite"
    package=$(ls -t "$work"/packages/payoff_*_amd64.deb | head -n 1)
    say "=== $suite: $(basename "$package"), $(($(wc -c <"$package") / 1000000)) MB"
    step "make a bare root" make_root
    mount_system
    trap unmount_system EXIT
    step "install the package" install_package "$package"
    LINES_KEPT=20 step "self test, unprivileged, without network" user payoff --self-test
    LINES_KEPT=3 step "self test again" user payoff --self-test
    LINES_KEPT=4 step "a real window under Xvfb" window
    step "a plugin of one file: install" try_plugin 0.05
    step "the same plugin with another constant: update" try_plugin 0.2
    [ -n "$(ls "$work"/newer/*.deb 2>/dev/null)" ] || step "pack a newer version" newer_package
    user sh -c 'echo kept > ~/my.payoff && payoff plugins off org.example.share-above' >/dev/null
    step "update to the newer version" install_package "$(ls "$work"/newer/*.deb | head -n 1)"
    step "what the user has after the update" user sh -c 'payoff --version && cat ~/.local/state/Payoff/settings.json && ls ~ ~/.local/share/Payoff/plugins'
    step "remove" inside DEBIAN_FRONTEND=noninteractive apt-get remove -y payoff
    step "what is left of the program, and of the user's files" left_over
    unmount_system
    trap - EXIT
}

window() { # started by its own command on a virtual screen; a picture of that screen
    inside DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
        xvfb xauth x11-apps imagemagick >/dev/null
    cat >"$bare/home/tester/window.sh" <<'SH'
payoff --sample direct-mail --theme light >/tmp/window.log 2>&1 &
program=$!
sleep "${WINDOW_SECONDS:-40}"
xwd -root -silent -out /tmp/screen.xwd
convert /tmp/screen.xwd /tmp/screen.png
kill -0 $program || { cat /tmp/window.log; exit 1; }
echo "the window is up; its screen is in the picture"
kill $program
SH
    unshare --net chroot --userspec=tester:tester "$bare" /usr/bin/env -i PATH=/usr/bin:/bin \
        HOME=/home/tester LC_ALL=C.UTF-8 QT_QPA_PLATFORM=xcb WINDOW_SECONDS="${WINDOW_SECONDS:-40}" \
        xvfb-run -a -s "-screen 0 1440x900x24" sh /home/tester/window.sh
    cp "$bare/tmp/screen.png" "$work/screen-$suite.png"
}

try_plugin() { # its metric says which constant is compiled
    write_plugin "$1"
    user payoff plugins install /home/tester/share_above.py --json /tmp/installed.json
    user sh -c 'cd; mkdir -p sample; test -f sample/sample/direct_mail.csv || payoff sample direct-mail --report sample >/dev/null'
    user payoff evaluate /home/tester/sample/sample/direct_mail.csv --outcome responded \
        --score p_gbm2 --metric share_above --no-intervals | grep '"value"'
}

left_over() {
    inside sh -c 'test ! -e /usr/lib/payoff && test ! -e /usr/bin/payoff && echo "nothing of the program"'
    user sh -c 'cat ~/my.payoff; ls ~/.local/share/Payoff/plugins ~/.local/state/Payoff'
}

: >"$log"
for suite in "${@:-bookworm}"; do journey; done
say "trial passed"
