"""``payoff.uplift`` of folders of parts: the areas of the table in memory, and refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import payoff
from core.scale.uplift import VARIANTS
from core.script.uplift.in_pieces import UpliftInPieces
from payoff.errors import PayoffError
from tests.core.scale.parts import uplift_digits, write_parts

pytestmark = pytest.mark.timeout(400)  # the first call compiles

ROWS = 270_000


@pytest.fixture(scope="module")
def cases() -> pa.Table:
    random = np.random.default_rng(5)
    z, arm = random.standard_normal(ROWS), random.random(ROWS) < 0.4
    effect = 0.04 + 0.05 * np.tanh(z)
    event = random.random(ROWS) < 0.15 + effect * arm
    score = effect + 0.03 * random.standard_normal(ROWS)
    rounded = np.where(random.random(ROWS) < 0.2, 0.05, np.round(score, 3))
    return pa.table(
        {
            "bought": event.astype(np.int64),
            "arm": np.where(arm, "treated", "control"),
            "fine": score,
            "coarse": rounded,
        }
    )


def judged(data: Any, **more: Any) -> payoff.UpliftEvaluation:
    requested = {"outcome": "bought", "treatment": "arm", "scores": ["fine", "coarse"], **more}
    return payoff.uplift(data, **requested)


@pytest.fixture(scope="module")
def in_pieces(cases: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> UpliftInPieces:
    folder = write_parts(cases, tmp_path_factory.mktemp("seven") / "parts", 7)
    found = judged(folder, nu="optimal")
    assert isinstance(found, UpliftInPieces)
    return found


def test_areas_are_those_of_the_table_in_memory(cases: pa.Table, in_pieces: UpliftInPieces) -> None:
    theirs = judged(cases, nu="optimal")
    assert in_pieces.nu == pytest.approx(theirs.nu, rel=1e-12)
    assert (in_pieces.treated, in_pieces.control) == (theirs.treated, theirs.control)
    for variant in VARIANTS:
        for score, near in (("fine", 1e-3), ("coarse", 1e-8)):
            ours, other = in_pieces.area(variant, score), theirs.area(variant, score)
            scale = abs(other.end)
            for name in ("area", "minus_random", "end"):
                assert getattr(ours, name) == pytest.approx(
                    getattr(other, name), rel=1e-9, abs=1e-9 * scale
                ), (variant, name)
            for name in ("standard_error", "standard_error_minus_random", "standard_error_end"):
                assert getattr(ours, name) == pytest.approx(getattr(other, name), rel=near)
    # A score with few values: every group is kept, and so is the whole curve.
    for variant in ("qini_joint_absolute", "uplift_joint_absolute", "generalised", "plain"):
        curve, known = in_pieces.curve(variant, "coarse"), theirs.curve(variant, "coarse")
        assert curve["y"].to_numpy() == pytest.approx(known["y"].to_numpy(), rel=1e-9, abs=1e-12)
        assert curve["x"].to_numpy() == pytest.approx(known["x"].to_numpy(), rel=1e-12)


def test_one_set_of_digits_for_all_parts(
    cases: pa.Table, in_pieces: UpliftInPieces, tmp_path: Path
) -> None:
    known = uplift_digits(in_pieces)
    for number, group in ((1, 270_000), (2, 7_000), (64, 1_000_000)):
        parts = write_parts(cases, tmp_path / str(number), number, group)
        assert uplift_digits(judged(parts, nu="optimal", memory="0.5 GB")) == known


def test_rows_without_control_at_the_top_begin_with_a_straight_line(tmp_path: Path) -> None:
    rows = 270_000
    arm = np.arange(rows) % 2
    arm[:5] = 1
    table = pa.table(
        {
            "bought": (np.arange(rows) % 3 == 0).astype(np.int64),
            "arm": arm,
            "fine": -np.arange(rows, dtype=np.float64),
            "coarse": -(np.arange(rows) // 2).astype(np.float64),
        }
    )
    ours = judged(write_parts(table, tmp_path / "parts", 2), treated=1, control=0)
    theirs = judged(table, treated=1, control=0)
    for variant in ("qini_joint_absolute", "uplift_joint_absolute"):
        for score in ("fine", "coarse"):
            assert ours.area(variant, score).area == pytest.approx(
                theirs.area(variant, score).area, rel=1e-9
            )


def test_what_is_not_there_is_refused_in_words(
    cases: pa.Table, in_pieces: UpliftInPieces, tmp_path: Path
) -> None:
    with pytest.raises(PayoffError, match="needs the cases themselves"):
        in_pieces.slices("fine")
    with pytest.raises(PayoffError, match="ips_local"):
        in_pieces.area("ips_local", "fine")
    amounts = cases.append_column("spent", pa.array(np.arange(ROWS) * 0.5))
    folder = write_parts(amounts, tmp_path / "amounts", 2)
    with pytest.raises(PayoffError, match="neither 0 nor 1") as refusal:
        judged(folder, outcome="spent")
    assert "part-00000.parquet, data row 2" in refusal.value.where
    for name, value in (("weight", "spent"), ("propensity", "fine"), ("nu", "area")):
        with pytest.raises(PayoffError, match="not possible where data are read in pieces"):
            judged(folder, **{name: value})
