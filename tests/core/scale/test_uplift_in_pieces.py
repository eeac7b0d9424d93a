"""``payoff.uplift`` of folders of parts: the areas of the table in memory, and refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import payoff
from core.scale.uplift.rankings import VARIANTS
from core.script.uplift.in_pieces import UpliftInPieces
from payoff.errors import PayoffError
from tests.core.scale.parts import uplift_digits, write_parts

pytestmark = pytest.mark.timeout(400)  # the first call compiles

ROWS = 270_000  # more different scores than have a cell of their own
FEW = 27_000


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
    with pytest.raises(PayoffError, match="need the cases themselves"):
        in_pieces.slices("fine")
    with pytest.raises(PayoffError, match="ips_local"):
        in_pieces.area("ips_local", "fine")
    folder = write_parts(cases, tmp_path / "parts", 2)
    for name, value in (("propensity", "estimate"), ("true_effect", "fine"), ("nu", "area")):
        with pytest.raises(PayoffError, match="Not possible where data are read in pieces"):
            judged(folder, **{name: value})


@pytest.fixture(scope="module")
def weighed(few_rows_are_held: None, cases: pa.Table) -> pa.Table:
    """A tenth, with case weights, whole and with fractions, and chances of treatment."""
    random = np.random.default_rng(6)
    chance = np.where(random.random(FEW) < 0.5, 0.4, random.uniform(0.1, 0.9, FEW))
    return (
        cases.slice(0, FEW)
        .append_column("copies", pa.array(random.integers(0, 4, FEW)))
        .append_column("stands_for", pa.array(random.uniform(0.2, 5.0, FEW)))
        .append_column("chance", pa.array(chance))
        .append_column("spent", pa.array(_spent(cases.slice(0, FEW), random)))
    )


def _spent(cases: pa.Table, random: np.random.Generator) -> np.ndarray[Any, Any]:
    """An amount of those who bought, now and then taken back; nothing of the others."""
    amounts = np.round(np.exp(3 + random.standard_normal(cases.num_rows)), 2)
    amounts = np.where(random.random(cases.num_rows) < 0.02, -amounts, amounts)
    return np.where(cases["bought"].to_numpy() == 1, amounts, 0.0)


BY_CASE: dict[str, dict[str, Any]] = {
    "whole weights": {"weight": "copies"},
    "weights": {"weight": "stands_for"},
    "chances": {"propensity": "chance"},
    "both": {"weight": "stands_for", "propensity": "chance", "clip": 0.15},
    "amounts": {"outcome": "spent"},
    "amounts with weights": {"outcome": "spent", "weight": "stands_for"},
    "amounts with both": {"outcome": "spent", "weight": "stands_for", "propensity": "chance"},
}


@pytest.mark.every_nth(3)
@pytest.mark.parametrize("kind", BY_CASE)
def test_weights_and_chances_are_those_of_the_table_in_memory(
    kind: str, weighed: pa.Table, tmp_path: Path
) -> None:
    options = {"nu": "optimal", **BY_CASE[kind]}
    ours = judged(write_parts(weighed, tmp_path / "parts", 7, 2_000), **options)
    theirs = judged(weighed, **options)
    assert ours.rows == theirs.rows
    assert ours.nu == pytest.approx(theirs.nu, rel=1e-9)
    for variant in VARIANTS:
        for score, near in (("fine", 1e-3), ("coarse", 1e-8)):
            found, other = ours.area(variant, score), theirs.area(variant, score)
            scale = abs(other.end)
            for name in ("area", "minus_random", "end"):
                assert getattr(found, name) == pytest.approx(
                    getattr(other, name), rel=1e-9, abs=1e-9 * scale
                ), (variant, name)
            for name in ("standard_error", "standard_error_minus_random", "standard_error_end"):
                assert getattr(found, name) == pytest.approx(getattr(other, name), rel=near)
    for variant in ("qini_joint_absolute", "uplift_joint_absolute", "generalised", "plain"):
        curve, known = ours.curve(variant, "coarse"), theirs.curve(variant, "coarse")
        assert curve["y"].to_numpy() == pytest.approx(known["y"].to_numpy(), rel=1e-8, abs=1e-9)
        assert curve["x"].to_numpy() == pytest.approx(known["x"].to_numpy(), rel=1e-9)


@pytest.mark.every_nth(3)
@pytest.mark.parametrize("kind", ["plain", *BY_CASE])
def test_draws_are_those_of_the_table_in_memory(
    kind: str, weighed: pa.Table, tmp_path: Path
) -> None:
    # Rows of weight 0 are no cases: their numbers are passed over here, and not in memory.
    table = weighed.filter(pc.greater(weighed["copies"], 0)) if kind == "whole weights" else weighed
    options = {"nu": "optimal", **BY_CASE.get(kind, {})}
    parts = write_parts(pa.concat_tables([table, table.slice(0, 8_000)]), tmp_path / "parts", 5)
    ours = judged(parts, **options)
    theirs = judged(pa.concat_tables([table, table.slice(0, 8_000)]), **options)
    for score in ("fine", "coarse"):
        found = ours.area("generalised", score, draws=100)
        other = theirs.area("generalised", score, draws=100)
        assert found.method == other.method == "Poisson bootstrap, 100 draws"
        assert found.standard_error == pytest.approx(other.standard_error, rel=1e-6)
        assert found.low_minus_random == pytest.approx(other.low_minus_random, rel=1e-6)
        band, known = ours.band(score, draws=100), theirs.band(score, draws=100)
        assert list(band) == list(known)
        assert band.to_numpy() == pytest.approx(known.to_numpy(), rel=1e-6, abs=1e-9)


@pytest.mark.every_nth(3)
@pytest.mark.parametrize("kind", ["plain", *BY_CASE])
def test_one_set_of_digits_whatever_cases_count(
    kind: str, weighed: pa.Table, tmp_path: Path
) -> None:
    def all_digits(parts: int, group: int) -> str:
        folder = write_parts(weighed, tmp_path / str(parts), parts, group)
        found = judged(folder, nu="optimal", memory="0.5 GB", **BY_CASE.get(kind, {}))
        drawn = [found.area("generalised", s, draws=70) for s in ("fine", "coarse")]
        return uplift_digits(found) + repr(
            (drawn, found.band("fine", draws=70).to_numpy().tobytes())
        )

    known = all_digits(1, 27_000)
    assert all_digits(7, 700) == known


def test_what_cases_count_is_judged(weighed: pa.Table, tmp_path: Path) -> None:
    for name, value, options, words in (
        ("copies", -1, {"weight": "copies"}, "weight 'copies' is missing, negative"),
        ("chance", 1.5, {"propensity": "chance"}, "not between 0 and 1"),
        ("chance", 1.0, {"propensity": "chance"}, "is 0 or 1"),
    ):
        column = weighed[name].to_numpy().copy()
        column[20_003] = value
        place = weighed.column_names.index(name)
        table = weighed.set_column(place, name, pa.array(column))
        parts = write_parts(table, tmp_path / f"{name} {value}", 2)
        with pytest.raises(PayoffError, match=words) as refusal:
            judged(parts, **options)
        assert "part-00001.parquet, data row 6,504" in refusal.value.where
    batches = iter(weighed.to_batches(1_000))
    with pytest.raises(PayoffError, match="these batches are gone"):
        judged(batches).area("generalised", "fine", draws=10)


def test_draws_of_other_data_are_refused(weighed: pa.Table, tmp_path: Path) -> None:
    folder = write_parts(weighed, tmp_path / "parts", 2)
    found = judged(folder)
    second = folder / "part-00001.parquet"
    pq.write_table(pq.read_table(second).slice(1), second)
    with pytest.raises(PayoffError, match="not those that were ranked"):
        found.area("generalised", "fine", draws=10)
