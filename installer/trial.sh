#!/bin/sh
# Try the packages on machines that have never seen the source: a bare Debian 12 (debootstrap), and
# any further release that is named (trixie: Debian 13). Needs root, debootstrap, and packages in
# build/installer (installer/build.sh makes them); iproute2 and openssl for two programs on a
# network. The log goes to build/installer/trial.log.
#   sh installer/trial.sh [SUITE ...]          default: bookworm
#   sh installer/trial.sh windows              the setup program for Windows, under Wine in a Debian 13
# DEBIAN_MIRROR names a nearer mirror; BARE_ROOTS a folder with a bare root per release that
# debootstrap made earlier, which is then copied; WORK another folder than build/installer. ONLY, an
# expression of grep -E, names the steps to run again where an earlier run has left everything; their
# log follows that run's. SETUP names another setup program, as Wine finds it.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
work=${WORK:-"$root/build/installer"} # a folder that build.sh made
log="$work/trial.log"
home=/home/tester  # of the unprivileged user, inside the bare root
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
[ "$(id -u)" = 0 ] || { echo "run as root: chroot and debootstrap need it" >&2; exit 1; }

say() { printf '%s\n' "$*" | tee -a "$log"; }
inside() { chroot "$bare" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 "$@"; }
user() { # a command of the unprivileged user, with no network but the loopback
    unshare --net chroot --userspec=tester:tester "$bare" /usr/bin/env -i \
        PATH=/usr/bin:/bin HOME=$home LC_ALL=C.UTF-8 QT_QPA_PLATFORM=offscreen "$@"
}
step() { # words, then the command: its output and time go to the log, failure ends the trial
    words=$1
    shift
    printf '%s\n' "$words" | grep -qE -e "${ONLY:-.}" || return 0
    say "--- $words"
    began=$(date +%s)
    set +e
    (
        set -e # in an "if" it would not count
        "$@"
    ) >"$work/step.out" 2>&1
    result=$?
    set -e
    [ "$result" != 0 ] || result=ok
    tail -n "${LINES_KEPT:-14}" "$work/step.out" | tee -a "$log"
    say "[$result, $(($(date +%s) - began)) s]"
    [ "$result" = ok ]
}

make_root() {
    rm -rf --one-file-system "$bare"
    if [ -d "${BARE_ROOTS:-}/$suite/etc" ]; then
        cp -a "$BARE_ROOTS/$suite" "$bare"
    else
        debootstrap --variant=minbase "$suite" "$bare" "$mirror"
    fi
    cp /etc/resolv.conf "$bare/etc/resolv.conf"
    inside useradd --create-home --home-dir "$home" tester
    inside sh -c '. /etc/os-release && echo "$PRETTY_NAME, $(dpkg -l | grep -c ^ii) packages"'
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
print(packages.make_deb(newer / "payoff", work / "icons", newer, level=0))
shutil.rmtree(newer / "payoff")
PY
}

write_plugin() { # the example, with a constant of its kernel changed
    sed "s/^LIMIT = .*/LIMIT = $1/" "$root/installer/example_plugin.py" \
        >"$bare$home/share_above.py"
    chmod 644 "$bare$home/share_above.py"
}

journey() {
    bare="$work/root-$suite"
    package=$(ls -t "$work"/packages/payoff_*_amd64.deb | head -n 1)
    say "=== $suite: $(basename "$package"), $(($(wc -c <"$package") / 1000000)) MB"
    step "make a bare root" make_root
    mount_system
    trap unmount_system EXIT
    LINES_KEPT=4 step "install the package" install_package "$package"
    LINES_KEPT=20 step "self test, unprivileged, without network" user payoff --self-test
    LINES_KEPT=3 step "self test again" user payoff --self-test
    LINES_KEPT=2 step "self test where no cache folder can be made" user \
        PAYOFF_CACHE_DIR=/usr/none/cache payoff --self-test
    LINES_KEPT=4 step "a real window under Xvfb" window
    LINES_KEPT=6 step "a plugin opened with the window: asked, installed, its kernels kept" window_plugin
    LINES_KEPT=8 step "how fast it starts, in an empty home" figures
    LINES_KEPT=2 step "a plugin of one file: install, use" try_plugin 0.05
    LINES_KEPT=2 step "the same plugin with another constant: update, use" try_plugin 0.2
    [ "$suite" != bookworm ] || step "plugins of every form: install, use, use again, update, use" \
        every_form
    [ "$suite" != bookworm ] || LINES_KEPT=80 step \
        "two installed programs in two networks: the same digits, what is lost, what is refused" \
        "$work/venv/bin/python" "$root/installer/try_cluster.py" "$bare"
    LINES_KEPT=4 step "work of the user: a project, settings, a plugin that is turned off" user_works
    [ -n "$(ls "$work"/newer/*.deb 2>/dev/null)" ] || step "pack a newer version" newer_package
    LINES_KEPT=4 step "update to the newer version" install_package "$(ls "$work"/newer/*.deb | head -n 1)"
    step "what the user has after the update" after_update
    LINES_KEPT=3 step "remove" inside DEBIAN_FRONTEND=noninteractive apt-get remove -y payoff
    step "what is left of the program, and of the user's files" left_over
    LINES_KEPT=16 step "the tarball in the user's own folder: install, self test, menu, kinds of file" tarball
    LINES_KEPT=4 step "the tarball again over it, then removed" tarball_removed
    unmount_system
    trap - EXIT
}

window() { # started by its own command on a virtual screen; pictures of that screen
    inside DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
        xvfb xauth x11-apps imagemagick >/dev/null
    cat >"$bare$home/window.sh" <<'SH'
picture() {
    xwd -root -silent -out /tmp/screen.xwd
    convert /tmp/screen.xwd "/tmp/$1.png"
}
payoff --theme light >/tmp/window.log 2>&1 &
program=$!
sleep "${WINDOW_SECONDS:-40}"
picture home
kill $program
payoff --sample direct-mail --theme light >/tmp/window.log 2>&1 &
program=$!
sleep "${WINDOW_SECONDS:-40}"
picture decide
kill -0 $program || { cat /tmp/window.log; exit 1; }
echo "the window is up; its screen is in the pictures"
kill $program
SH
    on_screen xvfb-run -a -s "-screen 0 1440x900x24" sh "$home/window.sh"
    for name in home decide; do cp "$bare/tmp/$name.png" "$work/$name-$suite.png"; done
}

window_plugin() { # what a double click on its file comes to; Return presses "Install"
    inside DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends xdotool \
        >/dev/null
    cp -r "$root/resources/examples/tukey_biweight" "$bare/srv/"
    user sh -c 'cd && payoff pack-plugin /srv/tukey_biweight'
    cat >"$bare$home/window_plugin.sh" <<'SH'
payoff "$HOME"/tukey_biweight-*.payoff-plugin --theme light >/tmp/window.log 2>&1 &
program=$!
xdotool search --sync --name "Install a plugin" windowfocus --sync key Return
sleep "${WINDOW_SECONDS:-40}"
xwd -root -silent -out /tmp/screen.xwd
convert /tmp/screen.xwd /tmp/plugin.png
kill -0 $program || { cat /tmp/window.log; exit 1; }
kill $program
find ~/.cache/Payoff/kernels -path "*/biweight_*" -name "*.nbc" | grep .
SH
    on_screen xvfb-run -a -s "-screen 0 1440x900x24" timeout 300 sh "$home/window_plugin.sh"
    cp "$bare/tmp/plugin.png" "$work/plugin-$suite.png"
    if grep -rh "is not kept" "$bare$home/.local/state/Payoff"; then exit 1; fi
    if grep -A 3 '"state": "failed"' "$bare$home/.cache/Payoff/plugins/conformance.json"; then exit 1; fi
    user payoff plugins remove org.example.tukey_biweight
}

on_screen() { # as the user, for the X server that the command starts itself
    unshare --net chroot --userspec=tester:tester "$bare" /usr/bin/env -i PATH=/usr/bin:/bin \
        HOME=$home LC_ALL=C.UTF-8 QT_QPA_PLATFORM=xcb \
        WINDOW_SECONDS="${WINDOW_SECONDS:-40}" "$@"
}

figures() {
    cp "$root/installer/figures.sh" "$bare$home/figures.sh"
    on_screen sh -c 'mkdir -p /tmp/.X11-unix; exec sh $HOME/figures.sh'
}

try_plugin() { # its metric says which constant is compiled
    write_plugin "$1"
    user payoff plugins install "$home/share_above.py" --json /tmp/installed.json
    user sh -c 'cd; mkdir -p mailing; cp -n /usr/lib/payoff/_internal/resources/samples/direct* mailing'
    user payoff evaluate "$home/mailing/direct_mail.csv" --outcome responded \
        --score p_gbm2 --metric share_above --no-intervals | grep '"value"'
}

every_form() { # the script that makes and tries them is Python; the program brings its own
    inside DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends python3 \
        >/dev/null
    mkdir -p "$bare/srv/try/installer" "$bare/srv/try/resources/samples"
    cp "$root/installer/try_plugins.py" "$root/installer/example_plugin.py" "$bare/srv/try/installer"
    cp "$root/resources/samples/direct_mail.csv" "$bare/srv/try/resources/samples"
    user python3 /srv/try/installer/try_plugins.py /usr/bin/payoff
}

user_works() {
    user payoff run "$home/mailing/direct-mail.payoff" --report "$home/before" >/dev/null
    user payoff plugins off org.example.share-above >/dev/null
    user sh -c "cd; sha256sum $kept >kept.sums; wc -l <kept.sums; cat .local/state/Payoff/settings.json | tr -d '\n '"
}
kept="mailing/direct-mail.payoff mailing/direct_mail.csv .local/state/Payoff/settings.json .local/share/Payoff/plugins/*"

after_update() {
    user payoff --version
    user sh -c 'cd; sha256sum --check kept.sums'
    user payoff plugins list --json /tmp/listed.json >/dev/null
    user sh -c "tr -d '\n ' </tmp/listed.json | grep -o '\"plugin\":\"org.example[^}]*\"state\":\"[a-z]*\"'"
    user payoff run "$home/mailing/direct-mail.payoff" --report "$home/after" >/dev/null
    echo "the project's record before and after differs in:"
    user sh -c 'cd; diff before/record.json after/record.json' || true
    user payoff plugins on org.example.share-above >/dev/null
    user payoff evaluate "$home/mailing/direct_mail.csv" --outcome responded \
        --score p_gbm2 --metric share_above --no-intervals | grep '"value"'
    user payoff plugins off org.example.share-above >/dev/null
}

left_over() {
    inside sh -c 'test ! -e /usr/lib/payoff && test ! -e /usr/bin/payoff && echo "nothing of the program"'
    user sh -c 'cd; sha256sum --check kept.sums'
}

tarball() { # the desktop's own tools say whether the menu and the kinds of file are known
    inside DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends xz-utils \
        desktop-file-utils shared-mime-info xdg-utils libglib2.0-bin >/dev/null
    archive=$(ls -t "$work"/packages/payoff-*-linux-x86_64.tar.xz | head -n 1)
    cp "$archive" "$bare/srv/payoff.tar.xz"
    user sh -c 'cd /tmp && tar -xf /srv/payoff.tar.xz && cd payoff-*-linux-x86_64 && ./install.sh'
    user sh -c '~/.local/bin/payoff --self-test | tail -n 2'
    user sh -c 'desktop-file-validate ~/.local/share/applications/payoff.desktop && grep Exec ~/.local/share/applications/payoff.desktop'
    user sh -c 'cd; echo plugin >some.payoff-plugin; for file in mailing/direct-mail.payoff some.payoff-plugin; do
        kind=$(XDG_CURRENT_DESKTOP=GNOME gio info -a standard::content-type $file | sed -n "s/.*content-type: //p")
        echo "$file: $kind, opened by $(xdg-mime query default "$kind")"; done'
}

tarball_removed() {
    user sh -c 'cd /tmp/payoff-*-linux-x86_64 && ./install.sh | tail -n 1 && ./install.sh --remove'
    user sh -c 'cd; test ! -e .local/lib/payoff; test ! -e .local/bin/payoff; test ! -e .local/share/applications/payoff.desktop
        echo "nothing of the program"; sha256sum --check --quiet kept.sums && echo "the files of the user are as they were"'
}

[ -n "${ONLY:-}" ] || : >"$log"
if [ "${1:-}" = windows ]; then
    . "$root/installer/windows/trial.sh"
else
    for suite in "${@:-bookworm}"; do journey; done
fi
say "trial passed${ONLY:+, of it: $ONLY}"
