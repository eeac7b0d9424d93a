#!/bin/sh
# A command in the Debian with Wine, as its unprivileged user, without network, and among its own
# processes only: they end with it. Needs root.
#   sh in_wine.sh WORK [NAME=VALUE ...] COMMAND ...       WORK is Z:\srv\payoff in it
# Wine's server keeps the registry in memory: it is ended in its own way, which writes it down. The
# command is not the first of its processes: as such xvfb-run would wait for ever for its server,
# which sends no word to a process of number 1.
set -eu
work=$1
shift
exec unshare --net --mount --pid --fork --kill-child sh -c '
    root=$1 shared=$2
    shift 2
    mount -t proc proc "$root/proc"
    mkdir -p "$root/dev/shm" "$root/srv/payoff"
    mount -t tmpfs tmpfs "$root/dev/shm"
    mount -t tmpfs tmpfs "$root/tmp" # no lock of an X server that was killed
    mount --bind "$shared" "$root/srv/payoff"
    exec chroot --userspec=tester:tester "$root" /usr/bin/env -i PATH=/usr/bin:/bin \
        HOME=/home/tester LC_ALL=C.UTF-8 XDG_RUNTIME_DIR=/tmp WINEDEBUG=-all \
        sh -c '\''/usr/bin/env "$@"; result=$?; wineserver -k; exit $result'\'' sh "$@"
' sh "${WINE_ROOT:-$work/wine}" "$work" "$@"
