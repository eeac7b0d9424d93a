"""The workbook of a rule, worked out anew by LibreOffice, decides as the program does."""

import re
import shutil
import subprocess
import zipfile

import pytest

import payoff
from core.boosting import check_export
from tests.helpers.factories.rules import RULES, written

OFFICE = shutil.which("soffice") or shutil.which("libreoffice")
pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed"),
    pytest.mark.timeout(300),  # LibreOffice starts for each rule
]


def without_values(source, target):
    """Copy a workbook without what its formulas gave: nothing is left but to work it out."""
    formulas = 0  # the rule itself, its notes and lists have none
    with zipfile.ZipFile(source) as given, zipfile.ZipFile(target, "w") as made:
        for name in given.namelist():
            content = given.read(name)
            if name.startswith("xl/worksheets/"):
                content, times = re.subn(rb"</f><v>[^<]*</v>", b"</f>", content)
                formulas += times
            made.writestr(name, content)
    assert formulas


def worked_out(folder, source):
    """What LibreOffice makes of a workbook."""
    home = f"-env:UserInstallation=file://{folder / 'home'}"
    command = [OFFICE, home, "--headless", "--convert-to", "xlsx", "--outdir", str(folder / "new")]
    subprocess.run([*command, str(source)], check=True, capture_output=True, timeout=240)
    return payoff.read(folder / "new" / source.name, sheet="Cases").to_pandas()


@pytest.mark.parametrize("name", RULES)
def test_200_rows_of_every_rule(tmp_path, name):
    parts = written(tmp_path / "over", name)
    without_values(tmp_path / "over" / "decide.xlsx", tmp_path / "bare.xlsx")
    table = worked_out(tmp_path, tmp_path / "bare.xlsx")
    table[[parts.key, *parts.outputs]].to_csv(tmp_path / "out.csv", index=False)
    found = check_export(tmp_path / "out.csv", tmp_path / "over", tolerance=1e-12)
    assert found.agrees, found.sentences
    assert found.columns == parts.outputs
