"""One engine and one made-up experiment for all tests of page Uplift."""

from __future__ import annotations

import pytest

from core.document.data.model import ReaderSettings
from core.engine.local import LocalEngine
from core.engine.messages import LoadArguments
from core.questions.uplift import Uplift
from tests.helpers.factories.experiment import document_of
from tests.helpers.harness import UpliftHarness


@pytest.fixture(scope="session")
def real():
    return LocalEngine()


@pytest.fixture(scope="session")
def made(real, tmp_path_factory):
    document = document_of(real, tmp_path_factory.mktemp("page"))
    # One answer before the first test: the threads of the kernels are there from then on.
    real.ask(document, Uplift(draws=32))
    arguments = LoadArguments(path=document.data.path, reader=ReaderSettings())
    return document, real.run("load", arguments)


@pytest.fixture
def harness(session, engine, qtbot, real, made) -> UpliftHarness:
    return UpliftHarness(session, engine, qtbot, real, *made)
