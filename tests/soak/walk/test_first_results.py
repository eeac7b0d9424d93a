"""From Home to the first result with keys and mouse alone: six samples, and the bank's workbook.

Prints how long each takes, beside the processor time of the program and its engine in that time,
and what it says first (kept in ``docs/soak.md``).
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest

from tests.helpers.factories.bank_book import write_bank_book
from tests.soak.walk.desk import LACKING, Desk, screen

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(bool(LACKING), reason=f"not installed: {', '.join(LACKING)}"),
    pytest.mark.timeout(1500),
]
PREPARING = "Preparing.*"
QUIET = 4.0  # seconds without a word of preparing: nothing is compiled any more
AIM = 10.0  # seconds of the processor, from the file let go to the sentence
TOTAL = r"€\s[\d,]+"
AGAINST = r"\w+ .*against .*: .+\(.+\).*"
JOURNEYS = {
    "Loans": r"2 models, 3 outcomes, loan amounts\. Lend to [\d,]+ of 4,000 .*",
    "Direct mail": r"Total profit, best .* mailed, .*",
    "Donations": r"Total profit, best .* given “Ask”, .*",
    "Voucher test": r"Treat the best .* by “uplift gbm”: [\d,]+ customers\.",
    "Trial": AGAINST,
    "Claims": AGAINST,
}


@pytest.fixture(scope="module")
def environment(tmp_path_factory) -> Iterator[dict[str, str]]:
    """A screen on which nothing is left to compile: the installed program brings its kernels."""
    with screen() as made:
        opened = Desk(made, tmp_path_factory.mktemp("compiling"))
        try:
            opened.wait("Try Loans")
            until_prepared(opened)
            for title, words in JOURNEYS.items():
                opened.click(f"Try {title}")
                opened.wait(words, seconds=400)
                until_prepared(opened)
                opened.click("Home", "RailButton")
        finally:
            opened.close()
        yield made


@pytest.fixture
def desk(environment: dict[str, str], tmp_path) -> Iterator[Desk]:
    """The program at Home, at its very first start."""
    opened = Desk(environment, tmp_path)
    try:
        opened.wait("Try Loans")
        until_prepared(opened)  # which gives the desktop time to put the window in its place
        yield opened
    finally:
        opened.close()


def until_prepared(desk: Desk) -> None:
    """Wait until nothing has been compiled for some seconds."""
    quiet_since = time.monotonic()
    while time.monotonic() - quiet_since < QUIET:
        if desk.find(PREPARING):
            quiet_since = time.monotonic()
        time.sleep(0.3)


def timed(desk: Desk, words: str, began: float, worked: float) -> tuple[float, float, str]:
    """Seconds and seconds of the processor until a sentence is seen, and the sentence."""
    said = desk.wait(words).text
    if said.startswith("Total profit"):
        said = f"{said}: {desk.wait(TOTAL, 'GoalLabel').text}"
    line = re.sub(r"\s+", " ", said.split("\n")[0])
    return time.monotonic() - began, desk.seconds_of_processor() - worked, line


@pytest.mark.parametrize("title", JOURNEYS)
def test_a_sample_is_a_click_from_its_first_sentence(desk, title):
    worked, began = desk.seconds_of_processor(), time.monotonic()
    desk.click(f"Try {title}")
    seconds, busy, line = timed(desk, JOURNEYS[title], began, worked)
    print(f"\n| {title} | {seconds:.1f} | {busy:.1f} | {line} |")
    assert not desk.find("", "Dialog")
    assert busy < 2 * AIM


def test_the_banks_workbook_is_let_go_on_the_window(desk, tmp_path):
    path = tmp_path / "bank.xlsx"
    made = write_bank_book(path)
    worked = desk.seconds_of_processor()
    desk.drop(path)
    began = time.monotonic()
    load = desk.wait("Load", "Button")
    while not load.enabled:
        load = desk.wait("Load", "Button")
    desk.key("Return")
    seconds, busy, line = timed(desk, r"2 models, .*", began, worked)
    print(f"\n| The bank's workbook | {seconds:.1f} | {busy:.1f} | {line} |")
    cases, total = made.lend()
    assert f"Lend to {cases:,} of 4,000 by scorecard: € {total:,.0f} (" in line
    assert busy < AIM
