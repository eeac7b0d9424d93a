"""What numpy, scipy, Python and this program are made of stays as it shipped.

A plugin is found when it replaces code at its import, in its checks, or while it is used; what it
replaced is put back, and no figure of that job is kept.
"""

from __future__ import annotations

import math
import random
import sys
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace

import numpy as np
import pytest

import payoff
from core.document.data.model import ReaderSettings
from core.document.model import MetricChoice
from core.engine.local import LocalEngine
from core.engine.messages import LoadArguments
from core.engine.options import EngineOptions
from core.extensions import Registry
from core.extensions.finding import USER_FOLDER, FoundPlugin
from core.extensions.shared_code import SharedCode
from core.questions.compare import CompareModels
from payoff.errors import PayoffError
from tests.helpers.factories.plugins import metric_code, write_file_plugin
from tests.helpers.factories.scored import scored_columns, scored_document, write_csv

QUANTILE, ORIGINALS = np.quantile, (np.quantile, math.sqrt, random.random, payoff.Sample.reweighted)

AT_IMPORT = {
    "numpy.quantile": "import numpy\nnumpy.quantile = lambda *a, **k: 0.0",
    "math.sqrt": "import math\nmath.sqrt = lambda x: 1.0",
    "random.random": "import random\nrandom.random = lambda: 0.5",
    "numpy.pi": "import numpy\nnumpy.pi = 3.0",
    "payoff.sample.Sample.reweighted": "payoff.Sample.reweighted = lambda self, w: self",
    "median": "import numpy\nnumpy.median._implementation.__defaults__ = (0, None, False, False)",
    "sorted": "import numpy.lib._function_base_impl as inner\ninner.sorted = lambda x: x",
    "builtins.sum": "import builtins\nbuiltins.sum = lambda *x: 3",
    "core.evaluation.ranked.ranking": (
        "import sys\nimport core.evaluation.ranked.ranking as own\n"
        "for name, value in list(vars(own).items()):\n"
        "    if callable(value) and getattr(value, '__module__', '') == own.__name__:\n"
        "        setattr(own, name, lambda *given: None)"
    ),
    "scipy.special": "import scipy.special\nscipy.special.expit = lambda x: x",
}


@pytest.mark.parametrize("what", AT_IMPORT)
def test_code_replaced_at_import_is_put_back_and_the_plugin_quarantined(
    tmp_path: Path, what: str
) -> None:
    code = metric_code(imports=AT_IMPORT[what])
    path = write_file_plugin(tmp_path / "own.py", code, "org.example.own")
    record = Registry().add(FoundPlugin(path=path, source=USER_FOLDER))
    assert record.state == "quarantined"
    assert record.failing == "Leaves the program as it was"
    assert what in record.why
    assert (np.quantile, math.sqrt, random.random, payoff.Sample.reweighted) == ORIGINALS
    assert np.pi == math.pi
    assert sum([1]) == 1
    assert np.median([1.0, 2.0, 4.0]) == 2.0


def test_python_s_global_random_numbers_are_put_back(tmp_path: Path) -> None:
    random.seed(3)
    expected = random.random()
    random.seed(3)
    code = metric_code(imports="import random\nrandom.seed(1)")
    path = write_file_plugin(tmp_path / "own.py", code, "org.example.own")
    record = Registry().add(FoundPlugin(path=path, source=USER_FOLDER))
    assert record.state == "active", record.why  # a library may draw from them too
    assert random.random() == expected


def test_a_sound_plugin_is_not_blamed(tmp_path: Path) -> None:
    code = metric_code(imports="import numpy, scipy.special, statistics, decimal")
    path = write_file_plugin(tmp_path / "own.py", code, "org.example.own")
    record = Registry().add(FoundPlugin(path=path, source=USER_FOLDER))
    assert record.state == "active", record.why


def test_what_another_thread_still_imports_is_looked_at_once_it_is_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    half = ModuleType("numpy.half_there")
    half.__spec__ = SimpleNamespace(_initializing=True)
    half.largest = None
    monkeypatch.setitem(sys.modules, half.__name__, half)
    shared = SharedCode()
    shared.restore()
    half.largest = max
    half.__spec__._initializing = False
    assert shared.restore() == []
    half.largest = min
    assert shared.restore() == ["numpy.half_there.largest"]
    assert half.largest is max


def test_what_a_script_changed_itself_is_its_own_business(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = SharedCode()
    assert shared.begin() == []

    def own(*given: object) -> float:
        return 1.0

    monkeypatch.setattr(np, "quantile", own)
    assert shared.begin() == []
    assert np.quantile is own
    shared.is_ours = True
    monkeypatch.undo()
    assert shared.begin() == ["numpy.quantile"]
    assert np.quantile is own
    np.quantile = QUANTILE


LATE = '''
import numpy
import payoff


@payoff.metric("Late", value_range=(-1, 1), random_value=0.0, perfect_value=1.0)
def late(outcome, score, weight):
    """Tjur's R2, which replaces what all share in a real evaluation only."""
    if len(outcome) > 500:
        numpy.quantile = lambda *given, **named: numpy.asarray(given[0])[:2]
    of_events = (weight * outcome * score).sum() / (weight * outcome).sum()
    return of_events - (weight * (1 - outcome) * score).sum() / (weight * (1 - outcome)).sum()
'''


def test_code_replaced_while_a_plugin_is_used_costs_the_result(tmp_path: Path) -> None:
    folder = tmp_path / "plugins"
    folder.mkdir()
    (folder / "late.py").write_text(LATE, "utf-8")
    options = EngineOptions(
        plugin_folder=str(folder), quarantine_path=str(tmp_path / "quarantine.json")
    )
    path = write_csv(tmp_path / "scored.csv", scored_columns())
    engine = LocalEngine(options)
    plain = LocalEngine(EngineOptions(safe_mode=True))
    arguments = LoadArguments(path=path, reader=ReaderSettings())
    loaded = engine.run("load", arguments)
    plain.run("load", arguments)
    built_in = (MetricChoice(metric="auc"), MetricChoice(metric="h_measure"))
    both = scored_document(loaded.data, metrics=(MetricChoice(metric="late"), *built_in))
    assert "own.late" in engine.registry.third_party(), engine.registry.states()[-1].why
    with pytest.raises(PayoffError, match=r"own\.late.*numpy\.quantile"):
        engine.ask(both, CompareModels(resamples=60))
    assert np.quantile is QUANTILE
    assert isinstance(QUANTILE._implementation, FunctionType)
    (state,) = [s for s in engine.registry.states() if s.plugin == "own.late"]
    assert state.state == "quarantined"
    assert "numpy.quantile" in state.why
    alone = scored_document(loaded.data, metrics=built_in)
    now = engine.ask(alone, CompareModels(resamples=60))
    then = plain.ask(alone, CompareModels(resamples=60))
    assert [c.estimate for c in now.cells] == [c.estimate for c in then.cells]
