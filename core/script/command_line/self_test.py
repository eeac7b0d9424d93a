"""``payoff --self-test``: one whole journey on made-up data, without a window.

Every step checks what it finds, not only that nothing was raised: the answers of the made-up data
are known. An installer's own test runs it on a machine that has never seen the source.
"""

from __future__ import annotations

import platform
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

import payoff
from core import data as tables
from core.diagnostics import describe_exception
from core.document.commands import AddTrainedModel
from core.document.data.model import RowUse
from core.document.decisions.commands import EditCell
from core.document.files.guarded import write_file
from core.document.files.project import Headline
from core.document.history import History
from core.document.model import Document, Role, SplitSpec, TrainedModel
from core.document.report.commands import with_report_charts
from core.document.results import DecisionResult
from core.engine.messages import TrainArguments
from core.kernels import cache_hits, kernel_cache_folder, thread_report
from core.questions.compare import CompareModels
from core.questions.decide import RuleChange, Totals
from core.questions.explain import Explain, OneCase
from core.report import ReportInput, render_report
from core.script.decide.decisions import Decisions
from core.script.files.reading import read, write_table
from core.script.plugins import plugins
from core.script.projects import Project, apply, open_project
from core.script.session import data_of, engine
from core.script.uplift.judging import uplift
from payoff.counting import counted
from payoff.errors import PayoffError

TREES = 40
INPUTS = ("age", "orders_12m", "last_order_days", "basket_mean", "newsletter")
EXPERIMENT_ROWS = 4_000
EFFECT = 0.10
"""Effect of the made-up letter, averaged over cases: from 0 for the first to 0.20 for the last."""


@dataclass
class Journey:
    """What one step leaves for the next."""

    folder: Path
    document: Document = field(default_factory=Document)
    decided: DecisionResult | None = None
    cases: Decisions | None = None

    @property
    def project_path(self) -> Path:
        """Where the project is saved."""
        return self.folder / "journey.payoff"


Step = Callable[[Journey], str]


def run_self_test() -> int:
    """Run the journey; says each step on stdout. Returns 0, or 1 as soon as a step fails."""
    started = time.perf_counter()
    print(f"payoff self test: {_versions()}", flush=True)
    # Tables may still be mapped from their files at the end, which some systems refuse to remove.
    with tempfile.TemporaryDirectory(
        prefix="payoff-self-test-", ignore_cleanup_errors=True
    ) as folder:
        journey = Journey(Path(folder))
        for name, step in STEPS:
            if not _run_step(name, step, journey):
                return 1
    counts = cache_hits()
    print(f"kernels: {counts.hits} from the cache, {counts.compiled} compiled; {_cache_words()}")
    print(f"self test passed in {time.perf_counter() - started:.1f} s", flush=True)
    return 0


def _run_step(name: str, step: Step, journey: Journey) -> bool:
    began = time.perf_counter()
    try:
        described = step(journey)
    except Exception as error:
        print(f"FAILED  {name}: {describe_exception(error)}", flush=True)
        return False
    print(f"ok      {name}: {described} ({time.perf_counter() - began:.1f} s)", flush=True)
    return True


def _versions() -> str:
    kind = "installed program" if getattr(sys, "frozen", False) else "source tree"
    return (
        f"Payoff {payoff.__version__} ({kind}), Python {platform.python_version()}, "
        f"{platform.system()} {platform.machine()}"
    )


def _cache_words() -> str:
    folder = kernel_cache_folder()
    return "nothing can be kept" if folder is None else f"kept in {folder}"


def _require(condition: bool, what: str, found: object) -> None:
    if not condition:
        raise PayoffError(what, why=f"Found: {found}.")


# ---------------------------------------------------------------- steps


def _load_plugins(journey: Journey) -> str:
    """Everything that ships is active; what the user added is only told."""
    del journey
    found = plugins()
    shipped = found[found["source"] == "built in"]
    lost = shipped[shipped["state"] != "active"]
    _require(len(shipped) >= 4, "Plugins that ship are missing.", list(shipped["plugin"]))
    _require(lost.empty, "A plugin that ships is not active.", lost.to_dict("records"))
    own = [
        f"{row.plugin} {row.version} {row.state}"
        for row in found.itertuples()
        if row.source != "built in"
    ]
    return f"{len(shipped)} shipped and active" + (f"; added: {', '.join(own)}" if own else "")


def _load_sample(journey: Journey) -> str:
    """The sample is written and read again; half of its rows may train."""
    path = tables.write_sample(str(journey.folder))
    table = data_of(path)
    document = tables.sample_document(path)
    assert document.data is not None
    _require(table.rows == document.data.rows, "The sample lost rows.", table.rows)
    changes = {Role.ROW_USE: Role.IGNORED}  # its rows are kept to judge and to test: none train
    roles = tuple(
        replace(
            entry,
            role=Role.INPUT if entry.column in INPUTS else changes.get(entry.role, entry.role),
        )
        for entry in document.roles
    )
    split = SplitSpec(seed=20261, shares=(0.5, 0.0, 0.5))
    changed = replace(document, split=split, rows_used=RowUse.TEST)
    journey.document = changed.with_roles(roles)
    return f"{counted(table.rows, 'row')}, {counted(len(table.columns), 'column')}"


def _train(journey: Journey) -> str:
    """Trees on half of the rows, taken into the project beside the sample's three models."""
    target = journey.document.target
    assert target is not None
    requested = TrainedModel(
        name="trees",
        distribution="bernoulli",
        target=target.column,
        features=INPUTS,
        n_trees=TREES,
        interaction_depth=3,
        patience=0,
        seed=3,
    )
    arguments = TrainArguments(document=journey.document, settings=requested)
    trained = engine().run("train", arguments)
    _require(trained.model.n_trees == TREES, "Trees are missing.", trained.model.n_trees)
    journey.document = AddTrainedModel(model=trained.model).apply(journey.document)
    return f"{TREES} trees on {counted(len(INPUTS), 'input')}; {thread_report().layer} threads"


def _evaluate(journey: Journey) -> str:
    """The trained model ranks better than chance on rows that did not train it."""
    judged = engine().ask(journey.document, CompareModels(resamples=100))
    areas = {cell.model: cell.estimate for cell in judged.cells if cell.metric == AREA}
    _require("trees" in areas, "The trained model was not judged.", sorted(areas))
    area = areas["trees"]
    _require(0.6 < area.low <= area.value <= area.high < 1.0, "The ROC area is wrong.", area)
    return f"ROC area of the trees {area.value:.3f} ({area.low:.3f} to {area.high:.3f})"


def _decide(journey: Journey) -> str:
    """Writing to the cases that the rule chooses beats writing to all and to none."""
    document = journey.document
    decided = engine().ask(document, Totals())
    journey.decided = decided
    total = next(entry.total for entry in decided.models if entry.model == "trees")
    others = max(decided.act_on_all, decided.do_nothing)
    _require(total.value > others, "The rule does not pay.", (total.value, others))
    return f"{total.value:,.0f} {document.currency} against {others:,.0f}; {decided.rule_text}"


def _change_cell(journey: Journey) -> str:
    """What acting brings at best is doubled: the rule is worth more, and reaches further down."""
    document, decided = journey.document, journey.decided
    assert document.matrix is not None
    assert decided is not None
    best = int(np.argmax(decided.cells[:, 0]))
    level, decision = decided.levels[best], decided.decisions[0]
    value = 2 * float(decided.cells[best, 0])
    cells = tuple(map(tuple, decided.cells.tolist()))
    edit = EditCell(level=level, decision=decision, value=value, resolved=cells)
    compared = engine().ask(edit.apply(document), RuleChange(matrix=document.matrix))
    change = next(entry for entry in compared.models if entry.model == "trees")
    gain = change.remade_change
    _require(0 < gain.low <= gain.value <= gain.high, "The change brings nothing.", gain)
    _require(change.moved > 0, "No case is decided otherwise.", change.moved)
    words = f"{counted(change.moved, 'case')} decided otherwise"
    return f"{decision} at {value:,.2f}: {gain.value:+,.0f} {document.currency}, {words}"


def _explain(journey: Journey) -> str:
    """What the trees use, what shuffling it costs, a dependence of each kind, and one case."""
    document, first = journey.document, INPUTS[0]
    pairs = ((first, INPUTS[1]),)
    asked = Explain(model="trees", columns=(first,), pairs=pairs, together=(first,), shuffles=True)
    found = engine().ask(document, asked)
    shares = [entry.influence for entry in found.influence]
    _require(abs(sum(shares) - 100) < 1e-6, "The influences do not sum to 100.", shares)
    _require(found.influence[0].shuffled > 0, "The strongest input costs nothing.", found.influence)
    case = engine().ask(document, OneCase(model="trees", row=0))
    score = case.base + sum(part.amount for part in case.parts)
    _require(abs(score - case.score) < 1e-9, "The parts are not the score.", (score, case.score))
    strongest = found.influence[0]
    return f"{strongest.column} {strongest.influence:.0f} % of the influence; case {case.name}"


def _measure_uplift(journey: Journey) -> str:
    """A made-up experiment: its true effect lies in the interval, and the score ranks it."""
    draws = np.random.default_rng(20261)
    score = np.arange(EXPERIMENT_ROWS) / EXPERIMENT_ROWS
    treated = draws.random(EXPERIMENT_ROWS) < 0.5
    bought = draws.random(EXPERIMENT_ROWS) < 0.2 + treated * 2 * EFFECT * score
    found = uplift(
        {"bought": bought.astype(int), "letter": treated.astype(int), "score": score},
        outcome="bought",
        treatment="letter",
        scores="score",
    )
    effect, area = found.effect(), found.area("joint_relative", "score")
    _require(effect.low < EFFECT < effect.high, "The true effect is not in its interval.", effect)
    _require(area.low_minus_random > 0, "The score does not rank the effect.", area)
    del journey
    return f"effect {effect.effect:.3f} ({effect.low:.3f} to {effect.high:.3f}), true {EFFECT:.3f}"


def _save_and_open(journey: Journey) -> str:
    """The project with its trees is saved, opened again, and decides as before."""
    history = History(journey.document)
    made = Project(path=journey.project_path, history=history, headline=Headline())
    path = made.save()
    opened = open_project(path)
    again = opened.decide()
    before = journey.decided
    assert before is not None
    same = [entry.total.value for entry in again.models]
    wanted = [entry.total.value for entry in before.models]
    _require(same == wanted, "The opened project decides otherwise.", (wanted, same))
    return f"{path.name}, {path.stat().st_size // 1024:,} kB, the same totals"


def _decide_new(journey: Journey) -> str:
    """New customers are decided by the saved rule."""
    new = journey.folder / tables.NEW_CUSTOMERS_FILE
    journey.cases = apply(journey.project_path, new, model="trees")
    decisions = journey.cases.table
    name = next(column for column in decisions.columns if column.startswith("D_"))
    counts = decisions[name].value_counts().to_dict()
    _require(len(counts) == 2, "The rule does not tell cases apart.", counts)
    return ", ".join(f"{count:,} {decision}" for decision, count in sorted(counts.items()))


def _export(journey: Journey) -> str:
    """Decisions as CSV, Parquet and Excel, each read back; the report as a page."""
    assert journey.cases is not None
    table = journey.cases.table
    for ending in (".csv", ".parquet", ".xlsx"):
        path = journey.folder / f"decisions{ending}"
        write_table(table, path)
        rows = read(path).num_rows
        _require(rows == len(table), f"{path.name} lost rows.", rows)
    document = journey.document
    judged = engine().ask(with_report_charts(document), CompareModels(resamples=0))
    assert journey.decided is not None
    content = ReportInput(
        document=document,
        evaluation=judged,
        decisions=journey.decided,
        version=payoff.__version__,
    )
    page = render_report(content).encode("utf-8")
    write_file(journey.folder / "report.html", page)
    _require(b"<svg" in page, "The report has no charts.", counted(len(page), "byte"))
    return f"{counted(len(table), 'decision')} in three formats, report of {len(page) // 1024:,} kB"


AREA = "auc"
STEPS: tuple[tuple[str, Step], ...] = (
    ("plugins", _load_plugins),
    ("load the sample", _load_sample),
    ("train", _train),
    ("evaluate", _evaluate),
    ("decide", _decide),
    ("change a cell", _change_cell),
    ("explain", _explain),
    ("uplift", _measure_uplift),
    ("save and open a project", _save_and_open),
    ("decide new cases", _decide_new),
    ("export", _export),
)
"""What is done, in order; each step stands on the ones before."""
