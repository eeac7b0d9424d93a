# Sourced by installer/build.sh: the setup program for Windows.
. "$root/installer/windows/wine.sh"

install_tools makensis=nsis x86_64-w64-mingw32-gcc=gcc-mingw-w64-x86-64-win32 \
    x86_64-w64-mingw32-windres=binutils-mingw-w64-x86-64 debootstrap=debootstrap \
    osslsigncode=osslsigncode
make="$environment/bin/python $root/installer/windows/make.py $work"
say "Python, libraries, launchers"
$make lay-out
make_wine_root
say "byte code, kernels, self test under Wine (an hour of processor time, if no kernels are left of an earlier build)"
PAYOFF_WINE="sh $root/installer/windows/in_wine.sh $work" $make finish
say "setup program"
$make pack
