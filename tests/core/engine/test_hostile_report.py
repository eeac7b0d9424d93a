"""A report of a project whose every text is hostile: text stays text, nothing is loaded."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

import pytest

from core.document.data.model import ReaderSettings
from core.document.markup import Html, filled, joined, plain_text, tag
from core.document.model import MetricChoice
from core.document.report.commands import PutOnReport
from core.engine.local import LocalEngine
from core.engine.messages import LoadArguments
from core.engine.options import EngineOptions
from core.questions.compare import CompareModels
from core.questions.decide import Totals
from core.report import ReportInput, render_report
from tests.helpers.factories.scored import scored_columns, scored_document, write_csv

EVIL = "<svg/onload=alert(1)>\"'&"
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "main", "section", "h1", "h2", "p"),
    *("table", "thead", "tbody", "tr", "th", "td", "br", "span", "svg", "line", "polyline"),
    *("polygon", "text", "ul", "li"),
}


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add(tag)
        assert not [name for name, _ in attrs if name.startswith("on") or name in ("href", "src")]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    engine = LocalEngine(EngineOptions(safe_mode=True))
    path = write_csv(tmp_path_factory.mktemp("evil") / "<b>scored.csv", scored_columns())
    loaded = engine.run("load", LoadArguments(path=path, reader=ReaderSettings()))
    document = scored_document(loaded.data, metrics=(MetricChoice(metric="auc"),))
    document = PutOnReport(kind="ks", note=EVIL).apply(document)
    document = PutOnReport(kind=f"uplift/{EVIL}").apply(document)
    words = {"name": EVIL, "currency": EVIL, "case_word": (EVIL, EVIL)}
    target = replace(document.target, labels=(EVIL, "no"))
    matrix = replace(document.matrix, decisions=(EVIL, "No"), acting=EVIL)
    if matrix.do_nothing is not None:
        matrix = replace(matrix, do_nothing="No")
    document = replace(document, target=target, matrix=matrix, **words)
    found = engine.ask(document, CompareModels(resamples=16))
    decided = engine.ask(document, Totals())
    return render_report(
        ReportInput(document=document, evaluation=found, decisions=decided, version=EVIL)
    )


def test_a_report_holds_only_elements_of_ours(page):
    parser = _Elements()
    parser.feed(page)
    assert parser.found <= TAGS
    assert page.count("onload=alert(1)") == page.count("&lt;svg/onload=alert(1)&gt;") > 10


def test_a_report_may_load_and_run_nothing(page):
    assert "default-src &#x27;none&#x27;" in page
    assert page.index("Content-Security-Policy") < page.index("<title>") < page.index("<style>")


def test_text_is_escaped_wherever_it_is_put():
    assert tag("p", EVIL, title=EVIL).text.count("<") == 2
    assert joined((EVIL, tag("br")), EVIL).text.count("<") == 1
    assert filled("%s <b> %s", EVIL, tag("i", "x")).text.endswith("&lt;b&gt; <i>x</i>")
    assert plain_text(tag("p", EVIL)) == EVIL
    assert not Html("")
