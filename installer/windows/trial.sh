# Sourced by installer/trial.sh: the setup program under Wine. "sh installer/build.sh windows" has made
# it; pictures go to build/installer/trial.
python="$work/venv/bin/python"
fail() { say "$*"; exit 1; }
. "$root/installer/windows/wine.sh"

place='C:\users\tester\Programme für Tests\Payoff' # spaces and umlauts
own='Z:\srv\payoff\trial'                             # what the trial makes and reads
trial="$work/trial"
setup=${SETUP:-"Z:\\srv\\payoff\\packages\\$(basename "$(ls -t "$work"/packages/*-setup.exe | head -n 1)")"}

program() { in_wine wine "$place\\payoff-console.exe" "$@"; }
python_there='Z:\srv\payoff\windows\python\cp311\python.exe' # the build's own
look() { # a step of trial_steps.py
    in_wine wine "$python_there" -X utf8 "$own\\trial_steps.py" "$@"
}

begin() {
    make_wine_root
    fresh_prefix
    rm -rf "$trial"
    mkdir -p "$trial"
    cp "$root/installer/windows/trial_steps.py" "$root/installer/windows/trial_walks.py" \
        "$root/installer/example_plugin.py" "$root/resources/samples/direct_mail.csv" "$trial"
    other_forms
    chmod -R a+rwX "$trial"
    in_wine sh -c '. /etc/os-release; echo "$PRETTY_NAME, $(wine --version)"'
}

other_forms() { # the sample as Windows' programs write it
    "$python" - "$trial" <<'PY'
import sys
from pathlib import Path
import pandas
folder = Path(sys.argv[1])
table = pandas.read_csv(folder / "direct_mail.csv").head(4000)
table["Straße"] = "Köln – Süd"
table.to_csv(folder / "windows.csv", index=False, lineterminator="\r\n", encoding="cp1252", sep=";")
table.to_excel(folder / "windows.xlsx", index=False, engine="xlsxwriter")
table.to_parquet(folder / "windows.parquet")
PY
}

same_as_linux() { # the sample's record of both systems
    mkdir -p "$trial/linux"
    (cd "$root" && QT_QPA_PLATFORM=offscreen "$python" main.py sample direct-mail --report "$trial/linux")
    program sample direct-mail --report "$own\\windows"
    "$python" "$root/installer/windows/same_numbers.py" "$trial/linux/record.json" \
        "$trial/windows/record.json" made_at path python
}

formats() {
    for name in windows.csv windows.xlsx windows.parquet; do
        program evaluate "$own\\$name" --outcome responded --score p_gbm2 --metric roc_auc \
            --no-intervals | grep '"value"'
    done
}

plugin() { # one file, then with another constant in its kernel
    for limit in 0.05 0.2; do
        sed "s/^LIMIT = .*/LIMIT = $limit/" "$root/installer/example_plugin.py" >"$trial/share_above.py"
        program plugins install "$own\\share_above.py" >/dev/null
        program evaluate "$own\\direct_mail.csv" --outcome responded --score p_gbm2 \
            --metric share_above --no-intervals | grep '"value"'
    done
}

there_and_back() { # a project saved on Linux, run on both; changed and saved on Windows, run on both
    mkdir -p "$trial/mailing"
    cp "$root"/resources/samples/direct* "$root/installer/windows/trial_saved.py" "$trial/mailing"
    chmod -R a+rwX "$trial"
    runs_the_same direct-mail
    python_inside
    in_wine wine "$place\\_internal\\python.exe" -X utf8 "$own\\mailing\\trial_saved.py" \
        "$own\\mailing\\direct-mail.payoff" "$own\\mailing\\back.payoff"
    runs_the_same back
}

runs_the_same() { # a project of the trial's folder
    (cd "$root" && "$python" main.py run "$trial/mailing/$1.payoff" --report "$trial/here-$1")
    program run "$own\\mailing\\$1.payoff" --report "$own\\there-$1"
    "$python" "$root/installer/windows/same_numbers.py" "$trial/here-$1/record.json" \
        "$trial/there-$1/record.json" made_at path python
}

python_inside() { # a python.exe beside the installed libraries
    in_wine cp /srv/payoff/windows/python/cp311/python.exe \
        "$wine_home/.wine/drive_c/users/tester/Programme für Tests/Payoff/_internal"
}

window() { # real windows and their pictures
    cp "$root/installer/windows/trial_window.sh" "$trial/window.sh"
    cp -r "$root/resources/examples/tukey_biweight" "$trial"
    chmod -R a+rwX "$trial"
    in_wine sh -c 'cd /srv/payoff/trial && wine "$0" pack-plugin tukey_biweight' \
        "$place\\payoff-console.exe"
    in_wine PLACE="$place" SETUP="$setup" PYTHON="$python_there" bash /srv/payoff/trial/window.sh
}

walks_laid_out() { # pytest for Windows and the tests
    mkdir -p "$trial/walks/lib"
    "$python" "$root/installer/windows/trial_tools.py" "$trial/walks/lib"
    for name in tests docs resources pyproject.toml main.py; do cp -r "$root/$name" "$trial/walks"; done
    printf '[pytest]\nqt_api = pyside6\nmarkers =\n    timeout\n    xvfb\n    shared_data\n    soak\n' \
        >"$trial/walks/walks.ini"
    chmod -R a+rwX "$trial"
}

walk() { # files of tests and words to pytest: on a virtual screen, with mouse and keyboard
    in_wine PAYOFF_ON_XVFB=1 PAYOFF_SLOWER="${PAYOFF_SLOWER:-5}" PAYOFF_PICTURES="$own\\walked" \
        sh -c 'mkdir -p /srv/payoff/trial/walked; exec "$@"' sh \
        timeout "${WALK_SECONDS:-3000}" xvfb-run -a -s "-screen 0 1600x1000x24" \
        sh -c 'openbox & exec "$@"' sh wine "$place\\_internal\\python.exe" -X utf8 \
        "$own\\trial_walks.py" "$own\\walks" -q -p no:cacheprovider "$@"
}

failed=
try() { # a step whose failure ends the trial when the others have been tried
    step "$@" || failed="$failed, $1"
}

LINES_KEPT=1 step "a Debian 13 with Wine, an empty C:" begin
LINES_KEPT=4 step "install silently, path with spaces and umlauts" look install "$setup" "$place"
LINES_KEPT=13 step "self test" program --self-test
LINES_KEPT=3 step "self test again: nothing is compiled" program --self-test
LINES_KEPT=6 step "the sample's report: the numbers of Linux" same_as_linux
LINES_KEPT=3 step "CSV with CRLF and Windows-1252, Excel, Parquet" formats
LINES_KEPT=2 step "a plugin of one file: install, use, update, use" plugin
LINES_KEPT=6 step "a project saved on Linux, changed and saved here, opened there again" there_and_back
LINES_KEPT=12 try "real windows: starts, an engine and a window ended, two on one project, double click" window
LINES_KEPT=1 step "the program's own tests, for walks in the installed program" walks_laid_out
LINES_KEPT=30 try "walk: sample, cell, priors, decisions saved, project saved and opened, engine ended" \
    walk tests/e2e/test_mailing.py
LINES_KEPT=30 try "walk: unsaved work is offered" walk tests/e2e/test_recovery.py
LINES_KEPT=30 try "walk: plugins installed in the window" walk tests/e2e/test_plugins.py
LINES_KEPT=30 try "walk: reports as HTML and PDF" walk tests/gui/report/test_report_page.py
LINES_KEPT=30 try "an engine ended during a training, which goes on" \
    walk tests/core/engine/models/test_train_client.py
LINES_KEPT=30 try "locks, two programs on one project, files that are open, crash notes, memory" \
    walk tests/core/document/test_project_in_use.py tests/core/document/test_sessions.py \
    tests/core/document/test_guarded_files.py -k "not link and not chained and not device and not synced"
LINES_KEPT=30 try "the engine in its own process: endings, shared memory, lifelines" \
    walk tests/core/engine/process/test_client.py
[ -n "$(ls "$work"/windows/newer-setup.exe 2>/dev/null)" ] || LINES_KEPT=1 step "pack a newer version" \
    env PAYOFF_WINE="sh $root/installer/windows/in_wine.sh $work" "$python" "$root/installer/windows/make.py" "$work" pack-newer
LINES_KEPT=4 step "update to it" look install 'Z:\srv\payoff\windows\newer-setup.exe' "$place"
LINES_KEPT=1 step "its version" program --version
LINES_KEPT=13 step "its self test" program --self-test
LINES_KEPT=2 step "the user's plugin is still there and used" program plugins list
LINES_KEPT=2 step "remove silently" look remove "$place"
LINES_KEPT=4 step "the user's files after it" in_wine sh -c \
    'cd ~/.wine/drive_c/users/tester/AppData/Local/Payoff && find . -type f | grep -v Cache'
[ -z "$failed" ] || fail "failed$failed"
