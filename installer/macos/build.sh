#!/bin/sh
# The .app and the .dmg, on macOS, by the interpreter on the path with the extra [installer].
# The program is not signed: whoever has a certificate runs codesign and notarytool on the .app
# before hdiutil.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
work="$root/build/installer"
cd "$root"
QT_QPA_PLATFORM=offscreen python installer/freeze/icons.py "$work/icons"
python -m PyInstaller --noconfirm --distpath "$work/dist" --workpath "$work/pyinstaller" \
    installer/payoff.spec
python installer/freeze/finish.py "$work/dist/payoff"
# The .app was made from the folder before it was finished; our sources lie in its Resources.
for part in kernels licences NOTICES.txt; do
    cp -R "$work/dist/payoff/_internal/$part" "$work/dist/Payoff.app/Contents/Resources/"
done
codesign --force --deep --sign - "$work/dist/Payoff.app"
QT_QPA_PLATFORM=offscreen "$work/dist/Payoff.app/Contents/MacOS/payoff" --self-test
version=$(python -c 'import payoff.version as v; print(v.__version__)')
mkdir -p "$work/packages" "$work/dmg"
cp -R "$work/dist/Payoff.app" "$work/dmg/"
ln -sfn /Applications "$work/dmg/Applications"
hdiutil create -volname Payoff -srcfolder "$work/dmg" -ov -format UDZO \
    "$work/packages/payoff-$version.dmg"
