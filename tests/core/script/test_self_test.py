"""The self test: every step says what it did, and a step that finds something wrong ends it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import main
from core.script.command_line import self_test
from payoff.errors import PayoffError


@pytest.mark.timeout(600)  # a clean checkout compiles every kernel of the journey here
def test_the_whole_journey_passes(capsys: pytest.CaptureFixture[str]) -> None:
    code = main.main(["--self-test"])
    described = capsys.readouterr().out
    assert code == 0, described
    steps = [line.split()[0] for line in described.splitlines()[1 : 1 + len(self_test.STEPS)]]
    assert steps == ["ok"] * len(self_test.STEPS)
    assert "self test passed" in described
    assert "source tree" in described


def test_a_step_that_fails_is_named_and_ends_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(journey: self_test.Journey) -> str:
        raise PayoffError("The sample lost rows.", where=str(journey.folder))

    monkeypatch.setattr(self_test, "STEPS", (("load", refuse), ("train", lambda _: "never")))
    assert main.main(["--self-test"]) == 1
    described = capsys.readouterr().out
    assert "FAILED  load: The sample lost rows." in described
    assert "train" not in described
    assert "passed" not in described


def test_a_wrong_number_fails_its_step(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The true effect must lie in its interval: an effect that is not there is found out."""
    monkeypatch.setattr(self_test, "EFFECT", 0.0)
    monkeypatch.setattr(self_test, "STEPS", (("uplift", self_test._measure_uplift),))
    assert main.main(["--self-test"]) == 1
    assert "FAILED  uplift: The score does not rank the effect." in capsys.readouterr().out


@pytest.mark.parametrize(("act_on_all", "do_nothing"), [(9.0, 0.0), (-3.0, 9.0)])
def test_a_rule_must_beat_both_all_and_none(
    monkeypatch: pytest.MonkeyPatch, act_on_all: float, do_nothing: float
) -> None:
    trees = SimpleNamespace(model="trees", total=SimpleNamespace(value=9.0))
    decided = SimpleNamespace(models=[trees], act_on_all=act_on_all, do_nothing=do_nothing)
    monkeypatch.setattr(self_test, "engine", lambda: SimpleNamespace(ask=lambda *_: decided))
    with pytest.raises(PayoffError, match="does not pay"):
        self_test._decide(SimpleNamespace(document=None))
