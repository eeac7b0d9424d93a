"""Engines in these tests keep to a home of their own: no user's plugins, no user's quarantine."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def home_of_the_program(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAYOFF_HOME", str(tmp_path_factory.mktemp("payoff-home")))
        yield
