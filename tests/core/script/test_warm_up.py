"""What a build compiles is all that an ordinary use needs.

Pages Models and Compare, whatever the outcome is and however large the model; rows that are read in
pieces.
"""

import pyarrow as pa
import pytest

import payoff
from core.assembly.pieces import opened, table
from core.document.commands import AddTrainedModel
from core.document.data import model
from core.engine.local import LocalEngine
from core.engine.messages import TrainArguments
from core.kernels.kernel_files import KernelFiles
from core.questions.compare import CompareModels
from core.questions.explain import TreeNumbers
from core.script.command_line.warm_up import warming_steps
from tests.core.scale.parts import scored_cases
from tests.helpers.factories.number_outcomes import (
    number_document,
    ranking_columns,
    ranking_settings,
    survival_columns,
    survival_settings,
)
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, raw_columns, raw_document, settings


def ordinary_trainings(local, folder):
    """A document and a training of every kind of outcome, as page Models offers it."""
    raw = load(local, write_csv(folder / "raw.csv", raw_columns()))
    for loss, target in (
        ("bernoulli", "answer"),
        ("multinomial", "class"),
        ("gaussian", "amount"),
        ("poisson", "count"),
    ):
        yield raw_document(raw, target), settings(distribution=loss, target=target, patience=20)
    yield raw_document(raw), settings(n_trees=400)  # more cuts of a column than a byte counts
    many = raw_columns() | {"region": [f"region {row % 400}" for row in range(1_200)]}
    many = load(local, write_csv(folder / "many.csv", many))
    yield raw_document(many), settings()
    yield raw_document(many), settings(precision="histogram")
    times = load(local, write_csv(folder / "times.csv", survival_columns()))
    yield number_document(times, "days", ("age", "smoker", "noise")), survival_settings()
    lists = load(local, write_csv(folder / "lists.csv", ranking_columns()))
    yield number_document(lists, "grade", ("match", "age", "noise")), ranking_settings()


def ask_in_pieces(monkeypatch):
    """What can be asked of rows that are read in pieces: of few, since fewer are held."""
    for module in (model, opened, table):
        monkeypatch.setattr(module, "HELD_ROWS", 10_000)
    cases = scored_cases(12_000)
    cases = cases.append_column("arm", pa.array([row % 2 for row in range(12_000)]))
    batches = cases.to_batches
    payoff.evaluate(batches, outcome="outcome", scores=["first", "second"], resamples=20)
    payoff.evaluate(batches, outcome="amount", scores="guess", resamples=20)
    posteriors = {"yes": "first"}
    rule = {"yes": [8, 0], "no": [-2, 0]}
    payoff.decide(batches, target="outcome", posteriors=posteriors, matrix=rule)
    payoff.uplift(batches, outcome="outcome", event="yes", treatment="arm", scores="first")


@pytest.mark.timeout(1800)  # a clean checkout compiles every kernel here
def test_ordinary_trainings_need_no_further_kernel(tmp_path, monkeypatch):
    needed = set()
    load_file = KernelFiles.load

    def look_up(files, key):
        needed.add(files._place(key))
        return load_file(files, key)

    monkeypatch.setattr(KernelFiles, "load", look_up)
    for step in warming_steps():
        step()
    made, local = frozenset(needed), LocalEngine()
    for document, wanted in ordinary_trainings(local, tmp_path):
        trained = local.run("train", TrainArguments(document=document, settings=wanted)).model
        changed = AddTrainedModel(model=trained).apply(document)
        local.ask(changed, TreeNumbers(model=trained.name))
        for resamples in (0, 40):
            local.ask(changed, CompareModels(resamples=resamples))
        assert sorted(path.stem for path in needed - made) == [], wanted.distribution
    ask_in_pieces(monkeypatch)
    assert sorted(path.stem for path in needed - made) == [], "in pieces"
