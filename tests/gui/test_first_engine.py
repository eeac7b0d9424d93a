"""The engine that is started before the window: what it says early is not lost, nor out of turn."""

from __future__ import annotations

from argparse import Namespace

from core.engine.messages import WarmUp
from gui.app import first_engine


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
