#!/bin/sh
# Install Payoff into your own folder; nothing needs an administrator, nothing is fetched.
#   ./install.sh            install, or update what is there
#   ./install.sh --remove   remove the program; settings, plugins and projects stay
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
share=${XDG_DATA_HOME:-"$HOME/.local/share"}
program="$HOME/.local/lib/payoff"
command="$HOME/.local/bin/payoff"

say() { printf 'payoff: %s\n' "$*"; }

refresh() { # the desktop's lists, where its tools are there
    update-desktop-database "$share/applications" 2>/dev/null || true
    update-mime-database "$share/mime" 2>/dev/null || true
    gtk-update-icon-cache -q -t "$share/icons/hicolor" 2>/dev/null || true
}

remove_shared() {
    rm -f "$share/applications/payoff.desktop" "$share/mime/packages/payoff.xml" \
        "$share/metainfo/io.github.payoff.Payoff.metainfo.xml" "$share/man/man1/payoff.1.gz" \
        "$share/icons/hicolor/scalable/apps/payoff.svg"
    for size in 48 128 256; do
        rm -f "$share/icons/hicolor/${size}x$size/apps/payoff.png"
    done
}

missing_libraries() { # sonames that neither the program nor the system has
    inside="$program/_internal/PySide6/Qt"
    for file in "$inside/plugins/platforms/libqxcb.so" "$inside/lib/libQt6Gui.so.6"; do
        ldd "$file" 2>/dev/null | sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p'
    done
    ldconfig -p 2>/dev/null | grep -q 'libgomp\.so\.1 ' ||
        /sbin/ldconfig -p 2>/dev/null | grep -q 'libgomp\.so\.1 ' || echo libgomp.so.1
}

if [ "${1:-}" = "--remove" ]; then
    rm -rf "$program"
    rm -f "$command"
    remove_shared
    refresh
    say "removed. Your settings, plugins and projects are still there."
    exit 0
fi

mkdir -p "$HOME/.local/lib" "$HOME/.local/bin" "$share"
rm -rf "$program.new"
cp -R "$here/program" "$program.new"
rm -rf "$program.old"
[ ! -e "$program" ] || mv "$program" "$program.old"
mv "$program.new" "$program"
rm -rf "$program.old"
ln -sfn "$program/payoff" "$command"
cp -R "$here/share/." "$share/"
# The menu starts the program by its full path: the folder of commands may not be searched.
sed "s|^Exec=payoff|Exec=\"$program/payoff\"|" "$here/share/applications/payoff.desktop" \
    >"$share/applications/payoff.desktop"
refresh
missing=$(missing_libraries | sort -u | tr '\n' ' ')
if [ -n "$missing" ]; then
    say "the system lacks: $missing"
    say "on Debian and Ubuntu an administrator installs them once with:"
    say "  apt install libgomp1 libegl1 libgl1 libxcb-cursor0 libxcb-icccm4 libxcb-image0 \\"
    say "    libxcb-keysyms1 libxcb-render-util0 libxcb-shape0 libxcb-xkb1 libxkbcommon-x11-0"
fi
say "installed: $command"
case ":$PATH:" in
*":$HOME/.local/bin:"*) ;;
*) say "it is in the menu; in a terminal, after the next login, as 'payoff'" ;;
esac
