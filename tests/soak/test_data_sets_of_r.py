"""Every data set of the packages of R that are installed, in each format that R writes here.

What R says of it is what was read: rows, sums and missing cells of numbers, different texts.
"""

import math
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from payoff.errors import PayoffError
from tests.helpers.factories.files import load

RSCRIPT = shutil.which("Rscript")
ENDINGS = (".csv", ".de.csv", ".txt", ".sav", ".dta", ".xpt", ".xlsx")
MOST_OTHER = 0.02  # of the files of a format: refused, or texts that mean something else to R
pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(RSCRIPT is None, reason="R is not installed"),
    pytest.mark.timeout(3_600),  # thousands of files where many packages are
]


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sets")
    script = Path(__file__).with_name("data_sets.R")
    subprocess.run([RSCRIPT, str(script), str(folder)], check=True, capture_output=True)
    lines = (folder / "facts.tsv").read_text("utf-8").splitlines()
    return folder, [line.split("\t") for line in lines]


def difference(path, rows, facts):
    """What was read otherwise than R has it; nothing where all is as it is there."""
    try:
        table = load(path)
    except PayoffError as refusal:
        return "refused", str(refusal)
    columns = table.table.columns[-len(facts) :]  # names of rows stand before them
    if table.rows != rows or len(columns) < len(facts):
        return "rows or columns", f"{table.rows} x {table.table.num_columns}, not {rows}"
    for name, column, fact in zip(table.columns[-len(facts) :], columns, facts, strict=True):
        kind, figure, missing = fact.split("|")
        if kind == "number" and table.kinds[name] not in ("integer", "number", "boolean"):
            dates = re.fullmatch(r"date|time", table.kinds[name])  # 20081028, as R's number
            return ("dates" if dates else "kind"), f"{name}: {table.kinds[name]}"
        if kind == "number":
            values = pc.cast(column, pa.float64())
            nothing = pc.sum(pc.is_null(values, nan_is_null=True)).as_py()
            found = pc.sum(values, skip_nulls=True).as_py() or 0.0
            is_sum = found == pytest.approx(float(figure), rel=1e-9, abs=1e-6, nan_ok=True)
            if math.isfinite(float(figure)) and not (is_sum and nothing == int(missing)):
                return "numbers", f"{name}: sum {found}, {nothing} missing, not {fact}"
        if kind == "text":
            texts = len(column.drop_null().unique())
            if texts != int(figure):
                return "texts", f"{name}: {texts} texts, not {figure}"
    return None


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_read_is_what_r_has(sets, ending):
    folder, known = sets
    told, tally, wrong = Counter(), 0, []
    for key, rows, *facts in known:
        path = folder / f"{key}{ending}"
        if not path.exists() or not path.stat().st_size:  # R could not write it so
            continue
        tally += 1
        found = difference(path, int(rows), facts)
        if found is not None:
            told[found[0]] += 1
            wrong.append(f"{path.name}: {found[0]}, {found[1]}")
    print(f"{ending}: {tally} files, {dict(told)}", *wrong, sep="\n  ")
    if not tally:
        pytest.skip("nothing of R writes this format here")
    assert not told["numbers"], wrong
    assert not told["rows or columns"], wrong
    assert told.total() <= max(2, MOST_OTHER * tally), wrong
