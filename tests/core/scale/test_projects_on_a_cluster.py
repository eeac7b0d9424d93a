"""A project of parts on the cluster that the settings name: the digits of this computer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.document.model import Document
from core.engine.local import LocalEngine
from core.engine.messages import ClusterArguments, ClusterFacts
from core.engine.options import EngineOptions
from core.kernels import cluster as cluster_module
from core.kernels.cluster import worker_facts
from core.questions.compare import CompareModels
from core.questions.decide import Totals
from core.settings import Settings, SettingsStore, settings_path
from payoff.errors import PayoffError
from tests.core.scale.parts import coarse_cases, write_parts
from tests.core.scale.projects import loaded, project
from tests.helpers.cluster import two_workers

pytestmark = [
    pytest.mark.soak,
    pytest.mark.filterwarnings("ignore"),  # of the cluster's own making
    pytest.mark.timeout(400),  # workers compile no kernel, but start slowly
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with two_workers() as cluster:
        yield cluster.scheduler_address


@pytest.fixture
def named(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the settings name beside the address."""
    monkeypatch.setenv("PAYOFF_HOME", str(tmp_path / "home"))
    shared = tmp_path / "shared"
    shared.mkdir()
    told = replace(Settings(), cluster=address, cluster_scratch=str(shared))
    SettingsStore(settings_path()).change(told)
    return shared


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Document:
    cases = coarse_cases(263_000)
    folder = write_parts(cases, tmp_path_factory.mktemp("parts") / "scored", 4)
    return project(loaded(LocalEngine(EngineOptions(safe_mode=True)), folder))


def answers(document: Document) -> tuple[str, list[str]]:
    """Figures of pages Compare and Decide, and how far each of them said it was."""
    engine, said = LocalEngine(EngineOptions(safe_mode=True)), []
    found = [
        engine.ask(document, asked, on_progress=lambda _done, stage, _part: said.append(stage))
        for asked in (CompareModels(resamples=0), Totals())
    ]
    compared, decided = found
    (model,) = decided.models
    figures = repr((compared.cells, model.total, model.best_depth, model.profit.tobytes()))
    return figures, [*said, *compared.warnings, *decided.warnings]


def test_the_digits_of_this_computer(document: Document, named: Path, address: str) -> None:
    there, said = answers(document)
    assert f"Asking the cluster {address}" in said
    assert any("Deciding" in words and f"on the cluster {address}" in words for words in said)
    assert said.count(f"The data were read on the cluster {address}.") == 2
    assert not list(named.iterdir())  # what was written meanwhile is gone
    SettingsStore(settings_path()).change(Settings())
    here, said = answers(document)
    assert there == here
    assert not any("cluster" in words for words in said)


def test_whether_it_answers(named: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = LocalEngine(EngineOptions(safe_mode=True))
    asked = ClusterArguments(address=address, folder=str(named))
    facts = engine.run("cluster", asked)
    version = worker_facts()["Payoff"]
    assert facts == ClusterFacts(workers=2, threads=2, version=version)
    with pytest.raises(PayoffError, match="does not see a file") as refusal:
        engine.run("cluster", replace(asked, folder="/not/there"))
    assert "worker tcp://127.0.0.1:" in refusal.value.where
    other = worker_facts() | {"Payoff": "0.0.1"}
    monkeypatch.setattr(cluster_module, "worker_facts", lambda: other)
    monkeypatch.setattr(cluster_module.ClusterRunner, "on_every_worker", lambda *_: {"tcp://w": w})
    w = worker_facts() | {"Payoff": version}
    with pytest.raises(PayoffError, match="another Payoff") as refusal:
        engine.run("cluster", asked)
    assert version in refusal.value.where
    assert "here: 0.0.1" in refusal.value.where


def test_a_cluster_that_does_not_answer_is_said(
    document: Document, named: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "TIMEOUT", 1)
    gone = replace(Settings(), cluster="tcp://127.0.0.1:9")
    SettingsStore(settings_path()).change(gone)
    engine = LocalEngine(EngineOptions(safe_mode=True))
    with pytest.raises(PayoffError, match="scheduler does not answer") as refusal:
        engine.ask(document, Totals())
    assert refusal.value.where == "tcp://127.0.0.1:9"
