"""Thousands of polluted CSV files and damaged files of other programs: no crash, no hang."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from core import data
from payoff import PayoffError
from tests.helpers.factories.files import endings, readers, write_as, write_libsvm
from tests.helpers.factories.polluted_files import polluted
from tests.helpers.pollution_checks import outcome_of

FILES = 2_500
MUTATIONS = 400


@pytest.mark.soak
@pytest.mark.timeout(1800)  # thousands of files
def test_thousands_of_polluted_files(tmp_path: Path) -> None:
    counts = Counter(
        outcome_of(tmp_path / "cases.csv", polluted(seed)) for seed in range(1_000, 1_000 + FILES)
    )
    assert counts.total() == FILES
    described = ", ".join(f"{count:,} {what}" for what, count in sorted(counts.items()))
    print(f"{FILES:,} polluted files: {described}")


@pytest.mark.soak
@pytest.mark.timeout(1800)  # thousands of files
@pytest.mark.parametrize("ending", [*endings(), "libsvm"])
def test_changed_bytes_in_files_of_other_programs(tmp_path: Path, ending: str) -> None:
    path = write_libsvm(tmp_path) if ending == "libsvm" else write_as(tmp_path, ending)
    draw = np.random.default_rng([20261, *ending.encode()])
    whole = path.read_bytes()
    refused = 0
    for _ in range(MUTATIONS):
        changed = bytearray(whole)
        for place in draw.integers(0, len(whole), draw.integers(1, 4)).tolist():
            changed[place] = int(draw.integers(0, 256))
        path.write_bytes(changed)
        refusal = _refusal(path)
        if refusal is not None:
            assert str(path) in refusal.where, str(refusal)
            refused += 1
    print(f"{MUTATIONS} damaged files .{ending}, refused: {refused}")


def _refusal(path: Path) -> PayoffError | None:
    try:
        data.load(str(path), find_readers=readers)
    except PayoffError as refusal:
        return refusal
    return None
