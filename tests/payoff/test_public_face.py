"""What `import payoff` gives, and what it must not load."""

import json
import pkgutil
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import payoff

FOREIGN = ("core", "gui", "plugins", "numba", "pandas", "pyarrow", "scipy", "PySide6", "pytest")


def rooms_after(*names):
    """Packages loaded once ``payoff`` was imported and these names of it were used."""
    uses = "".join(f"payoff.{name}; " for name in names)
    code = f"import sys, json, payoff; {uses}print(json.dumps(sorted(sys.modules)))"
    loaded = json.loads(subprocess.check_output([sys.executable, "-c", code], timeout=60))
    return {name.split(".")[0] for name in loaded}


def test_importing_loads_nothing_and_the_contract_only_numpy_and_pluggy():
    bare = rooms_after()
    assert not bare.intersection({*FOREIGN, "numpy", "pluggy"})
    rooms = rooms_after(*payoff.__all__)
    assert not rooms.intersection(FOREIGN)
    assert {"payoff", "numpy", "pluggy"} <= rooms


def test_no_module_has_the_name_of_what_is_served_later():
    """It would stand in its place as soon as anybody imported the module."""
    modules = {entry.name for entry in pkgutil.iter_modules(payoff.__path__)}
    assert not modules.intersection({*payoff.__all__, *payoff.SCRIPT_FUNCTIONS})


def test_every_public_name_is_there():
    for name in payoff.__all__:
        assert getattr(payoff, name) is not None
    assert payoff.API_VERSION == (1, 1)
    assert set(payoff.SCRIPT_FUNCTIONS) <= set(dir(payoff))


def test_import_payoff_offers_what_the_reference_lists_and_no_more():
    reference = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
    parts = {part.partition("\n")[0]: part for part in reference.split("\n## ")[1:]}
    offered = parts["What plugins import"] + parts["Functions for scripts"]
    listed = set(re.findall(r"^### `(\w+)`$", offered, re.MULTILINE))
    listed |= {module for title in parts for module in re.findall(r"`payoff\.(\w+)`", title)}
    assert set(dir(payoff)) == listed
    code = "import json, payoff; print(json.dumps([*vars(payoff)]))"
    bound = json.loads(subprocess.check_output([sys.executable, "-c", code], timeout=60))
    assert {name for name in bound if name.strip("_") == name} <= listed


def test_the_package_starts_the_program():
    root = Path(payoff.__file__).parents[1]
    command = [sys.executable, "-m", "payoff", "--version"]
    described = subprocess.check_output(command, cwd=root, text=True, timeout=60)
    assert described.split() == ["payoff", payoff.__version__]


def test_nothing_but_our_packages_is_installed():
    """A module of a common name beside them would stand in the way of another program's."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    assert "py-modules" not in project["tool"]["setuptools"]
    places = {**project["project"]["scripts"], **project["project"]["gui-scripts"]}
    assert set(places.values()) == {"payoff.__main__:main"}


UNKNOWN = "lottery"


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'lottery'"):
        getattr(payoff, UNKNOWN)


def test_script_functions_are_loaded_by_name(monkeypatch):
    class Script:
        @staticmethod
        def decide():
            return "decided"

    monkeypatch.setattr(
        payoff, "_import_module", {"core.script.decide.deciding": Script}.__getitem__
    )
    assert payoff.decide() == "decided"


def test_the_package_is_typed():
    from importlib.resources import files

    assert (files("payoff") / "py.typed").is_file()


def test_records_are_served_by_name_and_nothing_else():
    from payoff import records

    known = dir(records)
    assert {"CostSpec", "JoinSpec", "NumberRef", "Scenario"} - set(known) == {"Scenario"}
    names: dict[str, object] = {}
    exec("from payoff.records import *", names)
    assert set(known) <= set(names)
    assert records.CostSpec(amount=2.0).amount == 2.0
    with pytest.raises(AttributeError, match="Document"):
        _ = records.Document
