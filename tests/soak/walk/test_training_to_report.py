"""From a table to train on with keys and mouse over Models, Explain and Experiments to the report.

The file is one as a German business has it: semicolons, decimal commas, words with umlauts.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.soak.walk.desk import LACKING, LOOKS, Desk, screen

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(bool(LACKING), reason=f"not installed: {', '.join(LACKING)}"),
    pytest.mark.timeout(900),
]
ROWS = 1200


def write_contracts(path: Path) -> None:
    """Contracts that were cancelled or not; the price and the years with us decide."""
    draw = np.random.RandomState(7)
    price, years = np.round(draw.lognormal(3.6, 0.4, ROWS), 2), draw.randint(0, 15, ROWS)
    chance = 1 / (1 + np.exp(-(0.04 * (price - 40) - 0.25 * (years - 5))))
    cancelled = np.where(draw.uniform(size=ROWS) < chance, "ja", "nein")
    places = draw.choice(["Köln", "Düsseldorf", "Münster"], ROWS)
    lines = ["Vertrag;Monatspreis;Jahre;Ort;Gekündigt"]
    for row, (euro, held, place, end) in enumerate(
        zip(price, years, places, cancelled, strict=True)
    ):
        lines.append(f"V{row:05d};{euro:.2f};{held};{place};{end}".replace(".", ","))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def desk(tmp_path) -> Iterator[Desk]:
    path = tmp_path / "verträge.csv"
    write_contracts(path)
    with screen("1366x768") as environment:
        opened = Desk(environment, tmp_path, str(path))
        try:
            yield opened
        finally:
            opened.close()


def until_gone(desk: Desk, words: str, kind: str = "", seconds: float = 120.0) -> None:
    """Wait until nothing that matches can be seen."""
    end = time.monotonic() + seconds
    while desk.find(words, kind):
        assert time.monotonic() < end, f"still seen: {words}"
        time.sleep(LOOKS)


def test_a_table_is_trained_on_and_explained_and_trees_are_chosen_and_undone(desk):
    load = desk.wait("Load", "Button")
    while not load.enabled:
        load = desk.wait("Load", "Button")
    desk.key("Return")
    desk.wait("Loading .*: done.*")
    desk.click("Models", "RailButton")
    assert desk.wait("Target", "ChoiceBox").text == "Gekündigt"
    desk.click("Train gbm 1", "PushButton")
    desk.wait("How gbm 1 learned", "LearningChart")
    until_gone(desk, "Stop .*")
    chosen = int(desk.wait("Trees used", "NumberField").text.replace(",", ""))
    assert desk.find(rf"1,000 trees, the first {chosen:,} are used")
    choose_trees(desk, chosen, chosen // 2)
    desk.key("ctrl+z")
    desk.wait(f"1,000 trees, the first {chosen:,} are used")
    desk.click("Explain", "RailButton")
    first = desk.wait("How does .+ change the prediction[?]", "ShownChart").name
    assert re.search("Monatspreis|Jahre", first)  # what the outcome was drawn by
    desk.click("Experiments", "RailButton")
    assert desk.wait("Run", "QPushButton").enabled
    desk.click("Report", "RailButton")
    desk.wait("Nothing is on the report yet.*")


def choose_trees(desk: Desk, present: int, wanted: int) -> None:
    """Type another number of trees into its field; the chart's note follows."""
    assert wanted != present
    desk.click("Trees used", "NumberField")
    desk.key("ctrl+a")
    desk.type(str(wanted))
    desk.key("Return")
    desk.wait(f"1,000 trees, the first {wanted:,} are used, chosen by hand")
