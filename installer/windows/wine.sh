# Sourced by build.sh and trial.sh: a Debian 13 of its own with Wine 10, in which a program for
# Windows runs. Needs root and debootstrap. DEBIAN_MIRROR names a nearer mirror; WINE_ROOT a folder
# with a root that was made earlier. Wine 8 of Debian 12 cannot import numpy.
wine_root=${WINE_ROOT:-$work/wine}
wine_home=/home/tester # of the unprivileged user in it

make_wine_root() {
    [ ! -f "$wine_root/etc/payoff-wine" ] || return 0
    [ "$(id -u)" = 0 ] || fail "run as root: a Debian 13 with Wine is made with debootstrap and chroot"
    say "making a Debian 13 with Wine (2 GB of disk)"
    if [ ! -f "$wine_root/etc/payoff-bare" ]; then
        rm -rf --one-file-system "$wine_root"
        debootstrap --variant=minbase trixie "$wine_root" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} \
            >"$work/debootstrap.log" || fail "debootstrap failed: $work/debootstrap.log"
        touch "$wine_root/etc/payoff-bare"
    fi
    cp /etc/resolv.conf "$wine_root/etc/resolv.conf"
    chroot "$wine_root" sh -c 'apt-get update -qq &&
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends wine wine64 \
        xvfb xauth x11-apps imagemagick xdotool openbox procps fonts-dejavu-core fonts-inter fonts-wine \
        >"/var/log/payoff-apt.log"' || fail "Wine could not be installed"
    [ -d "$wine_root$wine_home" ] || chroot "$wine_root" useradd --create-home tester
    "$python" "$root/installer/windows/trial_shims.py" \
        "$wine_root/usr/lib/x86_64-linux-gnu/wine/x86_64-windows/ucrtbase.dll" >&2
    x86_64-w64-mingw32-gcc -O1 -s -shared -o "$wine_root/srv/icuuc.dll" \
        "$root/installer/windows/trial_icuuc.c"
    fresh_prefix
    touch "$wine_root/etc/payoff-wine"
}

fresh_prefix() { # the user's C: as Windows leaves it, with the library and the fonts that Wine lacks
    in_wine sh -c 'wineserver -k 2>/dev/null; rm -rf ~/.wine
        WINEDLLOVERRIDES=mscoree,mshtml= wineboot --init && wineserver -w &&
        cp /srv/icuuc.dll ~/.wine/drive_c/windows/system32/ &&
        cp /usr/share/fonts/opentype/inter/Inter-SemiBold.otf \
            /usr/share/fonts/opentype/inter/Inter-Regular.otf \
            /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ~/.wine/drive_c/windows/Fonts/' 2>/dev/null
}

in_wine() { # [NAME=VALUE ...] command
    WINE_ROOT="$wine_root" sh "$root/installer/windows/in_wine.sh" "$work" "$@"
}
