#!/bin/sh
# Set up what is missing, then open Payoff on the bundled sample with everything computed.
# Without a display: run the same job headless and write a report and a picture of the window.
set -eu
. "$(dirname -- "$0")/common.sh"

install_packages
make_environment ""
cd "$root"
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && [ "${1:-}" != "--headless" ]; then
    exec "$environment/bin/python" main.py --sample direct-mail "$@"
fi
[ "${1:-}" = "--headless" ] && shift
folder=${1:-"$root/out"}
exec "$environment/bin/python" main.py sample direct-mail --report "$folder"
