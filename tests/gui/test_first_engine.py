"""The engine that is started before the window: what it says early is not lost, nor out of turn."""

from __future__ import annotations

from argparse import Namespace
from types import SimpleNamespace

import pytest

from core.engine.messages import WarmUp
from gui.app import application, first_engine
from gui.app.application import WindowRun


class EarlyClient:
    """Says something as soon as it is started."""

    def __init__(self, on_event, *, options) -> None:
        self.options = options
        self.say = on_event

    def start(self) -> None:
        self.say(WarmUp(share=0.0, compiled=1))
        self.say(WarmUp(share=0.5, compiled=2))


def test_what_is_said_before_the_window_listens_comes_first(monkeypatch, tmp_path):
    monkeypatch.setenv("PAYOFF_HOME", str(tmp_path))
    monkeypatch.setattr(first_engine, "EngineClient", EarlyClient)
    arguments = Namespace(safe_mode=True, only_plugins="a.b, c.d,", trace_hooks=False)
    heard: list[WarmUp] = []
    client = first_engine.FirstEngine(arguments).listened_to_by(heard.append)
    client.say(WarmUp(share=1.0, compiled=3))
    assert [news.compiled for news in heard] == [1, 2, 3]
    assert client.options.safe_mode
    assert client.options.only_plugins == ("a.b", "c.d")
    assert client.options.log_folder.startswith(str(tmp_path))


@pytest.mark.parametrize("is_closing", [True, False])
def test_a_window_that_closes_offers_no_more_of_the_work_it_found(monkeypatch, is_closing):
    offered = []
    monkeypatch.setattr(application.QTimer, "singleShot", lambda *_: offered.append(1))
    window = SimpleNamespace(notice=SimpleNamespace(count=3), may_close=is_closing)
    run = SimpleNamespace(
        _lost=["newest", "older"], _offer_count=3, window=window, _offer_copies=None
    )
    WindowRun._on_notice_closed(run)
    assert run._lost == ["older"]
    assert len(offered) == (0 if is_closing else 1)
    run._lost, run._offer_count = [], 4
    WindowRun._on_notice_closed(run)  # another message, and nothing is left
    assert len(offered) == (0 if is_closing else 1)
