"""The bad plugins that are safe to load here, and the deadly ones as far as they are read."""

from pathlib import Path

import pytest

from core.extensions import Registry, check_plugin_files
from payoff import PayoffError
from payoff.manifest import read_manifest

HERE = Path(__file__).parent
BAD = HERE / "bad_plugins"
DEADLY = HERE / "deadly_plugins"

WANTED = {
    "raises": ("quarantined", "conformance check", "this metric always fails"),
    "wrong_shape": ("quarantined", "conformance check", "shape (2, 3) instead of (2, 2)"),
    "exits": ("quarantined", "import", "end the program"),
    "wrong_api": ("does_not_fit", "contract version", "needs plugin contract >=2,<3"),
}


@pytest.fixture(scope="module")
def registry():
    return Registry.discover([BAD / name for name in WANTED], has_packages=False)


@pytest.mark.parametrize("name", WANTED)
def test_each_is_caught_at_its_stage_with_its_reason(registry, name):
    state = next(s for s in registry.states() if s.plugin == f"org.example.{name}")
    wanted_state, stage, words = WANTED[name]
    assert (state.state, state.stage) == (wanted_state, stage)
    assert words in state.why


def test_the_program_goes_on_without_them(registry):
    assert registry.metric("auc").id == "auc"
    for spec_id, ask in (("bad_raises", registry.metric), ("bad_shape", registry.matrix)):
        with pytest.raises(PayoffError) as refused:
            ask(spec_id)
        assert "quarantine" in refused.value.why


@pytest.mark.parametrize("name", WANTED)
def test_the_kit_fails_them(name):
    assert not check_plugin_files(BAD / name).passed


@pytest.mark.parametrize("folder", [*BAD.iterdir(), *DEADLY.iterdir()], ids=lambda path: path.name)
def test_every_manifest_can_be_read_without_running_anything(folder):
    if folder.name != "__pycache__":
        assert read_manifest(folder).id == f"org.example.{folder.name}"


def test_an_engine_without_third_party_code_lists_even_deadly_ones():
    registry = Registry.discover([BAD, DEADLY], has_packages=False, runs_third_party=False)
    waiting = {state.plugin for state in registry.states() if state.state == "checking"}
    assert {"org.example.hangs", "org.example.exits_at_once", "org.example.hangs_in_use"} <= waiting


@pytest.mark.parametrize("name", ["hangs_in_use", "exits_in_use"])
def test_those_that_go_wrong_in_use_pass_the_kit(name):
    """They are for the second engine's tests: nothing but running them shows the fault."""
    assert check_plugin_files(DEADLY / name).passed
