"""The bundled samples are what their generators make, and what Home says of them is computed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.data.samples import SAMPLE_PROJECTS, sample_document, write_sample
from core.document.files.project import read_project
from core.engine.local import LocalEngine
from core.engine.messages import Ask
from core.questions.uplift import UpliftMetrics
from core.script.command_line.arguments import SAMPLES
from core.uplift.toys import TOY_SAMPLES, toy_document, write_toy
from gui.session.samples import bundled_samples, page_of, sample_path
from resources.samples.make import (
    FOLDER,
    compute_headline,
    compute_toy_headline,
    headline_by_page,
    relative,
    whole_document,
)


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    return Path(write_sample(str(tmp_path_factory.mktemp("made"))))


def test_the_sample_is_bundled():
    made = {"direct-mail", *(entry.key for entry in (*SAMPLE_PROJECTS, *TOY_SAMPLES))}
    assert {sample.key for sample in bundled_samples()} == made == set(SAMPLES)
    assert sample_path("direct-mail") == str(FOLDER / "direct-mail.payoff")
    assert sample_path("nothing") is None


@pytest.mark.parametrize("name", ["direct_mail.csv", "new_customers.csv"])
def test_bundled_data_are_the_generators_bytes(made: Path, name: str):
    assert (FOLDER / name).read_bytes() == (made.parent / name).read_bytes()


def test_bundled_project_is_the_generators_document(made: Path):
    document = read_project(sample_path("direct-mail")).document
    assert document == relative(sample_document(str(made)))


def test_bundled_headline_is_what_the_engine_computes(made: Path):
    headline = read_project(sample_path("direct-mail")).headline
    computed = compute_headline(sample_document(str(made)))
    assert headline.best_model == computed.best_model
    assert headline.profit == pytest.approx(computed.profit)
    assert headline.curve == pytest.approx(computed.curve)
    assert replace(headline, saved_at="").rows == 20_000


@pytest.mark.parametrize("sample", SAMPLE_PROJECTS, ids=lambda sample: sample.key)
def test_samples_of_trades_are_what_their_generators_make(sample, tmp_path):
    path = sample.write(str(tmp_path))
    assert (FOLDER / sample.file).read_bytes() == Path(path).read_bytes()
    project = read_project(sample_path(sample.key))
    engine = LocalEngine()
    document = whole_document(sample, path, engine)
    assert project.document == relative(document)
    computed = headline_by_page(document, engine)
    assert project.headline.best_model == computed.best_model
    assert project.headline.curve == pytest.approx(computed.curve)
    assert project.headline.profit == pytest.approx(computed.profit)
    assert np.isfinite(project.headline.curve).all()
    assert len(project.headline.curve) > 1


def test_the_better_of_two_models_is_told_apart_on_every_sample():
    """What each sample is there to show is no chance of its seed."""
    headlines = {s.key: read_project(sample_path(s.key)).headline for s in SAMPLE_PROJECTS}
    best = {key: headline.best_model for key, headline in headlines.items()}
    assert best == {
        "loans": "scorecard",
        "donations": "gbm",
        "trial": "with gene test",
        "claims": "gbm",
        "voucher-test": "uplift gbm",
    }
    assert headlines["loans"].low > 0
    assert headlines["donations"].low > 0


@pytest.mark.parametrize("sample", TOY_SAMPLES, ids=lambda sample: sample.key)
def test_toys_are_the_generators_files_and_show_the_wrong_model_winning(sample, tmp_path):
    made = write_toy(sample, str(tmp_path))
    assert (FOLDER / sample.file).read_bytes() == Path(made).read_bytes()
    project = read_project(sample_path(sample.key))
    document = toy_document(sample, made)
    assert project.document == relative(document)
    assert page_of(sample.key) == "uplift"
    computed = compute_toy_headline(document)
    assert project.headline.curve == pytest.approx(computed.curve)
    arguments = Ask.of(document, UpliftMetrics(draws=0))
    result = LocalEngine().run("uplift.metrics", arguments).evaluation
    values = {(cell.metric, cell.model): cell.estimate.value for cell in result.cells}
    plain = values["plain_uplift", "true effect"] - values["plain_uplift", "worse model"]
    right = values["net_uplift", "true effect"] - values["net_uplift", "worse model"]
    assert plain < -0.01
    assert right >= -1e-12 if sample.key == "toy-unbalanced" else right > 0.02
