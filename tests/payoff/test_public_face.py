"""What `import payoff` gives, and what it must not load."""

import json
import subprocess
import sys

import pytest

import payoff

FOREIGN = ("core", "gui", "plugins", "numba", "pandas", "pyarrow", "scipy", "PySide6", "pytest")


def test_importing_loads_nothing_but_numpy_and_pluggy():
    code = "import sys, json, payoff; print(json.dumps(sorted(sys.modules)))"
    loaded = json.loads(subprocess.check_output([sys.executable, "-c", code], timeout=60))
    rooms = {name.split(".")[0] for name in loaded}
    assert not rooms.intersection(FOREIGN)
    assert {"payoff", "numpy", "pluggy"} <= rooms


def test_every_public_name_is_there():
    for name in payoff.__all__:
        assert getattr(payoff, name) is not None
    assert payoff.API_VERSION == (1, 0)
    assert set(payoff.SCRIPT_FUNCTIONS) <= set(dir(payoff))


UNKNOWN = "lottery"


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'lottery'"):
        getattr(payoff, UNKNOWN)


def test_script_functions_are_loaded_by_name(monkeypatch):
    class Script:
        @staticmethod
        def decide():
            return "decided"

    monkeypatch.setattr(payoff, "import_module", {"core.script": Script}.__getitem__)
    assert payoff.decide() == "decided"


def test_the_package_is_typed():
    from importlib.resources import files

    assert (files("payoff") / "py.typed").is_file()
