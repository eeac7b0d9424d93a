"""Plugins are listed, kernels warmed, finished results kept."""

from dataclasses import replace

from core.engine.context import Workbench
from core.engine.kinds import standard_handlers
from core.engine.local import LocalEngine
from core.engine.messages import Ask, PluginsArguments
from core.engine.options import EngineOptions
from core.engine.precompile import warm_up_steps
from core.engine.protocol import EngineRole
from core.questions.compare import CompareModels


def test_plugins_are_listed_with_metrics_and_templates(engine):
    result = engine.run("plugins", PluginsArguments())
    assert {entry.state for entry in result.plugins} == {"active"}
    assert {"auc", "brier"} <= {entry.metric for entry in result.metrics}
    assert {"payoff.profit", "payoff.credit"} <= {entry.id for entry in result.templates}


def test_warming_up_runs_every_step_and_leaves_third_parties_alone(home):
    options = EngineOptions(quarantine_path=str(home / "quarantine.json"))
    main = Workbench(options, role=EngineRole.MAIN)
    steps = list(warm_up_steps(main.plugins, standard_handlers))
    assert len(steps) > 3
    for _, step in steps:
        step()
    third = Workbench(options, role=EngineRole.PLUGINS)
    for _, step in warm_up_steps(third.plugins, standard_handlers):
        step()
    assert main.plugins.is_found
    assert not third.plugins.is_found


def test_finished_results_come_from_the_store(home, document, loaded):
    folder = home / "store"
    partials = []

    def note(fraction, stage, partial):
        partials.append(stage)

    arguments = Ask.of(document, CompareModels(resamples=50))
    first = LocalEngine(EngineOptions(store_folder=str(folder))).run("compare.models", arguments)
    engine = LocalEngine(EngineOptions(store_folder=str(folder)))
    again = engine.run("compare.models", arguments, note)
    assert partials == [], "a finished result was computed again"
    assert [cell.estimate for cell in again.cells] == [cell.estimate for cell in first.cells]
    renamed = replace(document, name="Other name", cursor_depth=0.3)
    engine.run("compare.models", replace(arguments, document=renamed), note)
    assert partials == [], "the name or the cursor made a result stale"
    for file in folder.iterdir():
        file.write_bytes(b"damaged")
    mended = engine.run("compare.models", arguments, note)
    assert partials
    assert mended.cells[0].estimate == first.cells[0].estimate
