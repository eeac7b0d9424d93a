"""The bundled sample is what its generator makes, and what Home says of it is computed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.data.samples import sample_document, write_sample
from core.document.project import open_project
from gui.samples import bundled_samples, sample_path
from resources.samples.make import FOLDER, compute_headline, relative


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    return Path(write_sample(str(tmp_path_factory.mktemp("made"))))


def test_the_sample_is_bundled():
    assert [sample.key for sample in bundled_samples()] == ["direct-mail"]
    assert sample_path("direct-mail") == str(FOLDER / "direct-mail.payoff")
    assert sample_path("nothing") is None


@pytest.mark.parametrize("name", ["direct_mail.csv", "new_customers.csv"])
def test_bundled_data_are_the_generators_bytes(made: Path, name: str):
    assert (FOLDER / name).read_bytes() == (made.parent / name).read_bytes()


def test_bundled_project_is_the_generators_document(made: Path):
    document = open_project(sample_path("direct-mail")).document
    assert document == relative(sample_document(str(made)))


def test_bundled_headline_is_what_the_engine_computes(made: Path):
    headline = open_project(sample_path("direct-mail")).headline
    computed = compute_headline(sample_document(str(made)))
    assert headline.best_model == computed.best_model
    assert headline.profit == pytest.approx(computed.profit)
    assert headline.curve == pytest.approx(computed.curve)
    assert replace(headline, saved_at="").rows == 20_000
