"""A share of the polluted files; ``tests/soak/test_polluted_files.py`` reads thousands."""

from __future__ import annotations

import pytest

from tests.helpers.factories.polluted_files import POLLUTIONS, polluted
from tests.helpers.pollution_checks import outcome_of

SEEDS = range(38, 98)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_polluted_file_loads_or_is_refused_in_words(tmp_path, seed):
    outcome_of(tmp_path / "cases.csv", polluted(seed))


def test_the_share_holds_every_pollution_and_the_same_bytes_again():
    files = [polluted(seed) for seed in SEEDS]
    assert {name for file in files for name in file.pollutions} == set(POLLUTIONS)
    assert [file.content for file in files[:5]] == [polluted(seed).content for seed in SEEDS[:5]]
