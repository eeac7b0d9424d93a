"""docs/benchmarks.md is made of what the benchmarks print."""

from __future__ import annotations

import datetime
import re

from tests.benchmarks import __main__ as benchmarks
from tests.benchmarks.__main__ import (
    HERE,
    PAGE,
    UNKNOWN,
    Outcome,
    day_of,
    page,
    read_parts,
    seconds_of,
    title_of,
)
from tests.benchmarks.harness import print_aim

NAMES = sorted(path.stem for path in HERE.glob("bench_*.py"))


def test_every_benchmark_has_a_title():
    titles = [title_of(name) for name in NAMES]
    assert all(title and not title.startswith("from ") for title in titles)
    assert len(set(titles)) == len(titles)


def test_an_aim_that_is_printed_stands_in_the_overview(capsys):
    print_aim("fit, 10 rows", "2 x a peer", "1.50 x", reached=False)
    text = "first line\n" + capsys.readouterr().out
    made = page({NAMES[0]: Outcome(NAMES[0], text, (0, 5), failed=False).part})
    assert "| fit, 10 rows | 2 x a peer | 1.50 x | missed |" in made
    assert f"```\n{text}```" in made
    assert "0 % of the processors before, 5 % after" in made


def test_the_page_holds_every_benchmark_and_nothing_typed_by_hand():
    made = PAGE.read_text("utf-8")
    assert set(re.findall(r"tests\.benchmarks\.(bench_\w+)`; ", made)) == set(NAMES)
    overview = made.split("## Aims")[1].split("## At the door")[0]
    rows = [line for line in overview.splitlines() if line.startswith("| ")][1:]
    printed = {f"| {line.strip()[5:]} |" for line in made.splitlines() if "aim: " in line}
    assert set(rows) == printed


def test_a_part_that_is_not_measured_anew_stays_as_it_is(monkeypatch, tmp_path):
    former = read_parts()
    assert set(former) == set(NAMES)
    monkeypatch.setattr(benchmarks, "PAGE", tmp_path / "benchmarks.md")
    benchmarks.PAGE.write_text(page(former), "utf-8")
    assert read_parts() == former
    anew = Outcome(NAMES[1], "aim: a fit | 2 x a peer | 3 x | reached\n", (0, 5), False, 17.2).part
    benchmarks.PAGE.write_text(page({**former, NAMES[1]: anew}), "utf-8")
    assert read_parts() == {**former, NAMES[1]: anew}
    assert seconds_of(anew) == 17
    assert day_of(anew) == datetime.date.today().isoformat()
    assert seconds_of("") == UNKNOWN
