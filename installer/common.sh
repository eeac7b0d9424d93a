# Shared by open.sh, test.sh and build.sh: everything a fresh Debian or Ubuntu machine with git and
# Python 3.11+ lacks. Safe to run again: what is there is left alone.

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
environment="$root/.venv"

say() { printf 'payoff: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# --- Python ------------------------------------------------------------------

find_python() {
    for candidate in python3 python3.13 python3.12 python3.11 python3.14; do
        command -v "$candidate" >/dev/null 2>&1 || continue
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}

# --- system packages -----------------------------------------------------------

has_library() { # soname
    if command -v ldconfig >/dev/null 2>&1; then
        listing=$(ldconfig -p 2>/dev/null)
    else
        listing=$(/sbin/ldconfig -p 2>/dev/null)
    fi
    case "$listing" in *"$1 "*) return 0 ;; *) return 1 ;; esac
}

# soname and the package that brings it; "a|b": whichever this release calls it
libraries="
libgomp.so.1=libgomp1
libglib-2.0.so.0=libglib2.0-0t64|libglib2.0-0
libGL.so.1=libgl1
libEGL.so.1=libegl1
libxkbcommon.so.0=libxkbcommon0
libdbus-1.so.3=libdbus-1-3
libfontconfig.so.1=libfontconfig1
libxcb-cursor.so.0=libxcb-cursor0
libxcb-icccm.so.4=libxcb-icccm4
libxcb-image.so.0=libxcb-image0
libxcb-keysyms.so.1=libxcb-keysyms1
libxcb-render-util.so.0=libxcb-render-util0
libxcb-shape.so.0=libxcb-shape0
libxcb-xkb.so.1=libxcb-xkb1
libxkbcommon-x11.so.0=libxkbcommon-x11-0
libwayland-cursor.so.0=libwayland-cursor0
"

is_offered() { # package: does this release have it? (an old list of packages knows it too)
    apt-cache show "$1" >/dev/null 2>&1
}

choose_package() { # a|b -> the one this release has; the last if no list of packages is there yet
    choice=
    for name in $(printf '%s' "$1" | tr '|' ' '); do
        choice=$name
        is_offered "$name" && break
    done
    printf '%s' "$choice"
}

missing_packages() { # $1 = "xvfb" to want the virtual screen too
    for entry in $libraries; do
        has_library "${entry%%=*}" || printf ' %s' "$(choose_package "${entry#*=}")"
    done
    has_font || printf ' fonts-dejavu-core'
    has_font Inter NotoSans Cantarell Ubuntu || printf ' fonts-inter'
    "$python" -c 'import ensurepip, venv' 2>/dev/null || printf ' %s' "$(venv_package)"
    if [ "${1:-}" = xvfb ]; then
        command -v Xvfb >/dev/null 2>&1 || printf ' xvfb'
        command -v xauth >/dev/null 2>&1 || printf ' xauth'
    fi
}

has_font() { # beginnings of file names, any of them; none: any font at all
    [ $# -gt 0 ] || set -- ''
    for folder in /usr/share/fonts /usr/local/share/fonts "$HOME/.fonts" "$HOME/.local/share/fonts"; do
        [ -d "$folder" ] || continue
        for begin in "$@"; do
            [ -n "$(find "$folder" -name "$begin*.[to]tf" -print -quit 2>/dev/null)" ] && return 0
        done
    done
    return 1
}

venv_package() {
    version=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    if is_offered "$version"; then printf '%s' "$version"; else printf 'python3-venv'; fi
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

can_be_root() {
    [ "$(id -u)" = 0 ] && return 0
    command -v sudo >/dev/null 2>&1 || return 1
    sudo -n true 2>/dev/null && return 0
    [ -t 0 ] # someone is there to type the password
}

install_packages() { # $1 = "xvfb" or nothing
    missing=$(missing_packages "${1:-}")
    [ -z "$missing" ] && return 0
    command -v apt-get >/dev/null 2>&1 ||
        fail "these system packages are missing (Debian's names):$missing"
    if ! can_be_root; then
        say "system packages are missing. Run this line once, then start again:"
        say "  sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing"
        exit 1
    fi
    say "installing system packages:$missing"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq ||
        fail "the list of packages could not be fetched; check the network"
    missing=$(missing_packages "${1:-}") # the names may differ now that the list is known
    # shellcheck disable=SC2086  # a list of words
    fetch_packages $missing
}

fetch_packages() { # names of packages
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        "$@" >/dev/null || fail "apt-get could not install: $*"
}

install_tools() { # command=package ...
    missing=
    for entry in "$@"; do
        command -v "${entry%%=*}" >/dev/null 2>&1 || missing="$missing ${entry#*=}"
    done
    [ -n "$missing" ] || return 0
    say "installing system packages:$missing"
    as_root apt-get update -qq
    # shellcheck disable=SC2086  # a list of words
    fetch_packages $missing
}

# --- the private environment -----------------------------------------------------

stamp() { # $1 = extra
    "$python" - "$root/pyproject.toml" "$1" <<'PY'
import hashlib, sys
text = open(sys.argv[1], "rb").read() + sys.argv[2].encode() + sys.version.encode()
print(hashlib.sha256(text).hexdigest())
PY
}

make_environment() { # $1 = extra ("" or "[test]")
    wanted=$(stamp "$1")
    mark="$environment/.payoff-stamp$1"
    if [ -x "$environment/bin/python" ] && [ "$(cat "$mark" 2>/dev/null)" = "$wanted" ]; then
        return 0
    fi
    if [ ! -x "$environment/bin/python" ] || ! "$environment/bin/python" -c '' 2>/dev/null; then
        say "making a private environment"
        rm -rf "$environment"
        "$python" -m venv "$environment" || fail "the private environment could not be made"
    fi
    say "installing libraries into it (a few minutes the first time)"
    # Tests import a fraction of what their libraries hold: Python compiles that as it comes.
    [ "$1" = "[test]" ] && compiling=--no-compile || compiling=--compile
    "$environment/bin/python" -m pip install --quiet --disable-pip-version-check $compiling \
        --editable "$root$1" || fail "the libraries could not be installed; check the network"
    printf '%s\n' "$wanted" >"$mark"
}

python=$(find_python) || fail "Python 3.11 or newer is needed; install python3 (Debian 12, Ubuntu 24.04 have it)"
