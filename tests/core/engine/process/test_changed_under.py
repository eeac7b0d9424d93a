"""A job that plugins change under, from an editor: it is answered and not remembered."""

from __future__ import annotations

import shutil
from dataclasses import replace

import numpy as np

from core.document.data.model import ReaderSettings, RowUse
from core.document.model import Document, MetricChoice, Role, RoleAssignment, TargetSpec
from core.engine.kinds import standard_handlers
from core.engine.local import LocalEngine
from core.engine.messages import Ask, LoadArguments, PluginsArguments
from core.engine.options import EngineOptions
from core.questions.compare import CompareModels
from tests.core.engine.process.plugin_engines import interval_path
from tests.helpers.factories.plugins import GENERAL, metric_source, write_plugin

__all__ = ["interval_path"]  # fixture

PLUGIN = "org.example.missing"
CODE = """\
def compute(sample, parameters):
    miss = abs(sample.outcome - sample.posteriors[0])
    return {factor} * float((sample.weight * miss).sum() / sample.weight.sum())

"""


def write(folder, factor: float) -> None:
    shutil.rmtree(folder / PLUGIN, ignore_errors=True)
    code = "import payoff\n\n\n" + CODE.format(factor=factor)
    code = metric_source("own_miss", code, form=GENERAL)
    write_plugin(folder / PLUGIN, code, plugin=PLUGIN)


def document_of(engine, path) -> Document:
    loaded = engine.run("load", LoadArguments(path=path, reader=ReaderSettings()))
    document = Document(
        data=loaded.data,
        target=TargetSpec(column="amount", kind="interval"),
        rows_used=RowUse.ALL,
        metrics=(MetricChoice(metric="own_miss"),),
    )
    return document.with_roles(
        (
            RoleAssignment(column="amount", role=Role.TARGET),
            RoleAssignment(column="forecast", role=Role.PREDICTION, model="forecast"),
        )
    )


def value_of(result) -> float:
    assert result.cells, result.warnings
    (cell,) = result.cells
    return cell.estimate.value


def test_a_result_of_two_versions_is_remembered_as_neither(tmp_path, interval_path):
    folder = tmp_path / "plugins"
    write(folder, 1.0)
    changes: list[float] = []

    def handlers():
        usual = dict(standard_handlers())
        evaluate = usual["compare.models"]

        def evaluate_under_an_editor(arguments, context):
            if changes:  # saved after the job has begun, and looked at by the other lane
                write(folder, changes.pop())
                context.plugins.looked_at(PluginsArguments(check_again=True))
            return evaluate(arguments, context)

        return {**usual, "compare.models": evaluate_under_an_editor}

    options = EngineOptions(
        store_folder=str(tmp_path / "store"),
        plugin_folder=str(folder),
        quarantine_path=str(tmp_path / "quarantine.json"),
    )
    engine = LocalEngine(options, handlers=handlers)
    document = document_of(engine, interval_path)
    requested = Ask.of(document, CompareModels(resamples=0))
    changes.append(2.25)
    between = value_of(engine.run("compare.models", requested))
    assert np.isfinite(between)
    write(folder, 1.0)  # the version before is back: its numbers, not those of the other
    engine.run("plugins", PluginsArguments(check_again=True))
    first = value_of(engine.run("compare.models", requested))
    write(folder, 2.25)
    engine.run("plugins", PluginsArguments(check_again=True))
    second = value_of(engine.run("compare.models", replace(requested)))
    np.testing.assert_allclose(second, 2.25 * first)
