"""The dialog that names a cluster: whether it answers, and what is remembered."""

from __future__ import annotations

import pytest
from shiboken6 import isValid

from core.engine.messages import ClusterArguments, ClusterFacts
from gui.shell.dialogs.cluster import HERE, ClusterDialog
from payoff.errors import PayoffError

ADDRESS = "tcp://127.0.0.1:8786"


@pytest.fixture
def dialog(window, qtbot):
    window.actions_by_key["cluster"].trigger()
    found = window.findChild(ClusterDialog)
    yield found
    found.reject()
    qtbot.waitUntil(lambda: not isValid(found))


def test_without_an_address_this_computer_reads(dialog, engine):
    assert dialog.state.text() == HERE
    assert not engine.of_kind("cluster")
    assert not dialog.again.isEnabled()


def test_a_line_says_whether_it_answers(dialog, engine, qtbot):
    dialog.address.setText(f" {ADDRESS} ")
    qtbot.waitUntil(lambda: bool(engine.of_kind("cluster")), timeout=5000)
    asked = engine.last("cluster")
    assert asked.arguments == ClusterArguments(address=ADDRESS)
    assert dialog.state.text() == "Being asked."
    engine.answer(asked.job, ClusterFacts(workers=2, threads=5, version="1.2"))
    words = "It answers: 2 workers, 5 threads, Payoff 1.2."
    qtbot.waitUntil(lambda: dialog.state.text() == words)
    dialog.again.click()
    other = PayoffError("A worker has another Payoff.", where="worker tcp://w: 1.1; here: 1.2")
    engine.fail(engine.last("cluster").job, other)
    qtbot.waitUntil(lambda: dialog.state.text() == str(other))
    assert "1.1" in dialog.state.text()
    assert "here: 1.2" in dialog.state.text()


def test_what_was_typed_last_is_asked_and_remembered(window, engine, settings, qtbot):
    window.actions_by_key["cluster"].trigger()
    dialog = window.findChild(ClusterDialog)
    dialog.address.setText(ADDRESS)
    dialog.folder.setText("/shared")
    qtbot.waitUntil(lambda: bool(engine.of_kind("cluster")), timeout=5000)
    assert engine.last("cluster").arguments.folder == "/shared"
    dialog.save.click()
    qtbot.waitUntil(lambda: not isValid(dialog))
    settings.read_again()
    assert (settings.settings.cluster, settings.settings.cluster_scratch) == (ADDRESS, "/shared")
    window.actions_by_key["cluster"].trigger()
    again = window.findChild(ClusterDialog)
    assert (again.address.text(), again.folder.text()) == (ADDRESS, "/shared")
    assert engine.last("cluster").arguments.address == ADDRESS  # asked as soon as it opens
    again.reject()
    qtbot.waitUntil(lambda: not isValid(again))
