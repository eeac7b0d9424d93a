# Sourced by installer/build.sh: the setup program for Windows.
. "$root/installer/windows/wine.sh"

missing=
for entry in makensis=nsis x86_64-w64-mingw32-gcc=gcc-mingw-w64-x86-64-win32 debootstrap=debootstrap \
    x86_64-w64-mingw32-windres=binutils-mingw-w64-x86-64 osslsigncode=osslsigncode; do
    command -v "${entry%%=*}" >/dev/null 2>&1 || missing="$missing ${entry#*=}"
done
if [ -n "$missing" ]; then
    say "installing system packages:$missing"
    as_root apt-get update -qq
    # shellcheck disable=SC2086  # a list of words
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        $missing >/dev/null || fail "apt-get could not install:$missing"
fi
make="$environment/bin/python $root/installer/windows/make.py $work"
say "Python, libraries, launchers"
$make lay-out
make_wine_root
say "byte code, kernels, self test under Wine (an hour of processor time, if no kernels are left of an earlier build)"
PAYOFF_WINE="sh $root/installer/windows/in_wine.sh $work" $make finish
say "setup program"
$make pack
