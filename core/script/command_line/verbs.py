"""The command line without a window: progress to stderr, JSON to stdout or a file.

``payoff ask``: what can be asked of a project, and the answers.

The verb ``plugins``: list, install, remove, turn on and off.

``payoff uplift``: is it worth treating, from the command line.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path

import payoff
from core import data as tables
from core.decisions.matrices.reading import json_of_matrix
from core.decisions.studies.hold_out import POWER, SIGNIFICANCE, HoldOut
from core.document.files.codec import to_plain
from core.document.files.guarded import check_targets, make_folder, note_read, write_file
from core.document.model import Document
from core.document.plugin_results import (
    InstallPluginArguments,
    PluginOffering,
    RemovePluginArguments,
)
from core.document.report.commands import TEMPLATES, PutAllOnReport
from core.document.results import Estimate
from core.document.scripts.script import script_of
from core.document.studies.uplift import Choice
from core.document.wording import format_share
from core.engine.jobs.decide.rules import export_decided_rule
from core.engine.messages import PluginsArguments
from core.engine.plugin_use import PluginLock
from core.presentation.labels import Labels
from core.presentation.report.entries import Answers
from core.presentation.view import View
from core.questions.compare import CompareModels
from core.questions.decide import AtDepth, Totals
from core.report import (
    ReportInput,
    answers_about,
    cursor_of,
    fresh_views,
    render_entries,
    render_report,
    run_record,
)
from core.script.asking import answer_as_tables, ask_in_words, plain_answer, questions_of
from core.script.command_line.answering import (
    Json,
    Progress,
    answered,
    json_text,
    tell,
)
from core.script.command_line.arguments import given_fields
from core.script.command_line.boosting_verbs import (
    boost_verb,
    check_export_verb,
    export_onnx_verb,
    export_verb,
    import_model_verb,
    parts_json,
    predict_verb,
    study_verb,
)
from core.script.command_line.picture import take_picture
from core.script.command_line.pieces import decided_pieces_json, pieces_options, uplift_pieces_json
from core.script.decide.deciding import decide
from core.script.decide.decision_files import export_rule, reconcile_json, save_decided
from core.script.decide.decisions import Decisions
from core.script.decide.in_pieces import DecisionsInPieces
from core.script.decide.matrices import read_matrix
from core.script.decide.request import decision_terms
from core.script.evaluate.evaluation import evaluate
from core.script.evaluate.experiments import experiment_verb
from core.script.files.in_parts import apply_to_parts
from core.script.files.pieces import watched_by
from core.script.files.reading import described_settings
from core.script.options import pairs_of
from core.script.projects import apply, open_project, with_data_found
from core.script.session import engine, missing_outcomes_of, reading_as, starting_with
from core.script.uplift.in_pieces import UpliftInPieces
from core.script.uplift.judging import uplift
from core.settings import SettingsStore, plugin_folder, settings_path
from payoff.errors import PayoffError, no_such


def ask_verb(parsed: argparse.Namespace) -> Json:
    """List the questions, or answer one of a project."""
    project = None if parsed.project is None else open_project(parsed.project)
    if parsed.question is None:
        return {"questions": questions_of(None if project is None else project.document)}
    if project is None:
        raise PayoffError(
            "No project is named.", remedy=f"payoff ask {parsed.question} --project FILE ..."
        )
    answer = ask_in_words(project, parsed.question, given_fields(parsed))
    if parsed.table:
        for name, table in answer_as_tables(answer):
            print(f"\n{name}" if name else parsed.question, file=sys.stderr)
            print(table.to_string(max_rows=40), file=sys.stderr)
    for warning in getattr(answer, "warnings", ()):
        tell(warning)
    return {"question": parsed.question, "answer": plain_answer(answer)}


_CHECK_AGAIN_SECONDS = 0.1

RIGHTS = "Plugins run with your own rights: install only what you trust."


def plugins_verb(parsed: argparse.Namespace) -> Json:
    """``payoff plugins [install FILE ... | remove ID ... | on ID ... | off ID ...]``."""
    if parsed.action == "list" and parsed.names:
        raise PayoffError("'list' takes no names.")
    if parsed.action != "list" and not parsed.names:
        raise PayoffError(
            f"'{parsed.action}' needs a name.", remedy=f"payoff plugins {parsed.action} NAME"
        )
    if parsed.action == "install":
        with _nobody_else_at_work(is_patient=not parsed.no_wait):
            return {"installed": [to_plain(one) for path in parsed.names for one in _install(path)]}
    if parsed.action == "remove":
        with _nobody_else_at_work(is_patient=not parsed.no_wait):
            for plugin in parsed.names:
                engine().run("remove_plugin", RemovePluginArguments(plugin=plugin))
                tell(f"removed {plugin}")
        return {"removed": parsed.names}
    if parsed.action in ("on", "off"):
        return {"off": _switch(parsed.names, is_on=parsed.action == "on")}
    result = engine(safe_mode=parsed.safe_mode).run("plugins", PluginsArguments())
    plain: Json = to_plain(result)
    return {**plain, "folder": str(plugin_folder())}  # last: a terminal shows the end of it


@contextmanager
def _nobody_else_at_work(*, is_patient: bool) -> Iterator[None]:
    """Wait until no window's job uses plugins, and keep such jobs from starting meanwhile.

    Raises
    ------
    PayoffError
        If one does and nobody wants to wait.
    """
    lock = PluginLock(engine().workbench.options)
    try:
        if not lock.begin_change():
            if not is_patient:
                raise PayoffError(
                    "Plugins are at work in a window of Payoff.",
                    where=str(plugin_folder()),
                    why="A job there may read files of its plugins at any time.",
                    remedy="Leave out --no-wait to wait for its end, or press Stop there. Nothing "
                    "was changed.",
                )
            tell(
                "Plugins are at work in a window of Payoff: waiting until that has ended. Stop in "
                "the window ends it sooner; Ctrl+C here gives up, and nothing is changed."
            )
            while not lock.begin_change():
                time.sleep(_CHECK_AGAIN_SECONDS)
        yield
    finally:
        lock.end_change()


def _install(path: str) -> tuple[PluginOffering, ...]:
    arguments = InstallPluginArguments(path=str(Path(path).absolute()))
    found = engine().run("install_plugin", arguments)
    words = {"update": "updated", "same": "installed again", "older": "replaced by an older one"}
    for entry in found.plugins:
        tell(f"{words.get(entry.change, 'installed')}: {entry.name} {entry.version}")
        if not entry.is_listed:
            tell(f"  its files carry no hashes ({entry.plugin})")
    tell(RIGHTS)
    return tuple(found.plugins)


def _switch(names: list[str], *, is_on: bool) -> list[str]:
    """Turn plugins on or off for all later starts; those that are off."""
    known = {entry.plugin for entry in engine().run("plugins", PluginsArguments()).plugins}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise no_such("plugin", unknown[0], sorted(known))
    store = SettingsStore(settings_path())
    off = set(store.settings.plugins_off)
    off = off - set(names) if is_on else off | set(names)
    store.change(replace(store.settings, plugins_off=tuple(sorted(off))))
    return sorted(off)


def uplift_verb(parsed: argparse.Namespace) -> Json:
    """Guard, effect without a model, and for every score its area, criteria and best depth."""
    scores = dict(pairs_of(parsed.score, "--score", may_be_bare=True))
    found = uplift(
        parsed.data,
        outcome=parsed.outcome,
        treatment=parsed.treatment,
        scores=scores,
        treated=parsed.treated,
        control=parsed.control,
        covariates=parsed.covariate or None,
        propensity=parsed.propensity,
        weight=parsed.weight,
        nu=_nu(parsed.nu),
        planned_share=parsed.planned_share,
        missing_outcomes=parsed.missing_outcomes,
        **pieces_options(parsed),
    )
    for warning in found.validity:
        tell(warning)
    if isinstance(found, UpliftInPieces):
        return uplift_pieces_json(found)
    limit = {"targeted": (None, parsed.most)} if parsed.most is not None else None
    answer: Json = {
        "cases": found.rows,
        "treated": found.treated,
        "control": found.control,
        "validity": {
            "state": found.guard.state,
            "headline": found.guard.headline,
            "advice": found.guard.advice,
            "checks": [asdict(check) for check in found.guard.checks],
        },
        "effect": asdict(found.effect()),
        "scores": {},
    }
    if parsed.covariate:
        answer["adjusted_effect"] = asdict(found.effect(adjusted=True))
    if found.guard.state == "error":
        tell(f"{found.guard.headline} {VOID}")
    for name in scores:
        choice = found.choose(
            "gain",
            limit,
            score=name,
            value=parsed.value,
            contact=parsed.contact,
            redemption=parsed.redemption,
        )
        tell(f"{name}: {choice_words(choice)}")
        area = found.area("generalised", name)
        answer["scores"][name] = {
            "nu": found.nu[name],
            "area": asdict(area) | {"area_minus_random": area.minus_random},
            "criteria": asdict(found.criteria(name)),
            "best": asdict(choice),
        }
    return answer


VOID = "What treating would bring cannot be read off it: gains below are none to go by."


def choice_words(choice: Choice) -> str:
    """The best depth and what it earns: the cross-fitted gain, and the one that flatters."""
    if choice.is_nobody:
        return "treat nobody: at these prices no depth pays"
    described = f"treat the best {format_share(choice.depth)}"
    if choice.cross_fitted <= 0:
        described = (
            f"no depth is known to pay, on these rows the best is {format_share(choice.depth)}"
        )
    if math.isnan(choice.cross_fitted):
        return (
            f"{described}: {choice.gain:,.6g}, read on the rows that chose the depth, "
            "which flatters"
        )
    return (
        f"{described}: {choice.cross_fitted:,.6g} cross-fitted ({choice.cross_fitted_low:,.6g} to "
        f"{choice.cross_fitted_high:,.6g}); {choice.gain:,.6g} on the rows that chose the depth"
    )


def _nu(text: str) -> float | str:
    if text in ("optimal", "area"):
        return text
    try:
        return float(text)
    except ValueError:
        raise PayoffError(
            f"There is no baseline '{text}'.", where="--nu", why="A number, optimal or area."
        ) from None


_ID = re.compile(r"[A-Za-z_][\w.]*\s*(\(.*\))?\s*\Z", re.DOTALL)  # of a plugin's matrix


def run_verb(parsed: argparse.Namespace) -> int:
    """Run one verb; the exit code is that of ``answered``."""

    def answer() -> Json | str:
        reported = [entry.partition("=")[::2] for entry in getattr(parsed, "read", [])]
        only = tuple(part.strip() for part in parsed.only_plugins.split(",") if part.strip())
        choice = starting_with(
            safe_mode=parsed.safe_mode, only_plugins=only, trace_hooks=parsed.trace_hooks
        )
        with choice, reading_as(described_settings(dict(reported))):
            return VERBS[parsed.verb](parsed)

    return answered(answer, parsed)


# ---------------------------------------------------------------- decide


def _source(parsed: argparse.Namespace) -> str:
    source: str | None = parsed.data_option or parsed.data
    if source is None:
        raise PayoffError("No data file is named.", remedy=f"payoff {parsed.verb} --data FILE ...")
    return source


def _decided(parsed: argparse.Namespace, source: str) -> Decisions:
    """Decisions by a project's rule or by the options; warnings are told."""
    if parsed.project is not None:
        decided = apply(parsed.project, source, model=parsed.model)
    else:
        decided = _decide_from_arguments(parsed, source)
    for warning in decided.warnings:
        tell(warning)
    return decided


def _decide(parsed: argparse.Namespace) -> Json:
    if parsed.list_size is not None:
        return _expect_list(parsed)
    source = _source(parsed)
    if os.path.isdir(source) and (parsed.project is not None or parsed.out is not None):
        return _decide_parts(parsed, source)
    with watched_by(Progress()):
        decided = _decided(parsed, source)
    if isinstance(decided, DecisionsInPieces):
        return decided_pieces_json(decided)
    kept_out: Json = {}
    held: HoldOut | None = None
    if parsed.hold_out != 0:
        decided, held = decided.hold_out(parsed.hold_out, seed=parsed.hold_out_seed)
        kept_out = {"hold_out": _hold_out_json(held)}
    answer = decisions_json(decided) | kept_out
    if parsed.out is not None:
        record = save_decided(decided, parsed.out, held)
        answer |= {"file": parsed.out, "record": record}
    return answer


def _decide_parts(parsed: argparse.Namespace, source: str) -> Json:
    """Decide a folder of parts by a project's rule, into another folder."""
    if parsed.project is None or parsed.out is None or parsed.hold_out != 0:
        raise PayoffError(
            "A folder of parts is decided by a project's rule, into a folder.",
            where=source,
            remedy="payoff decide FOLDER --project FILE --out FOLDER, without "
            "--hold-out. Totals of known outcomes need no --out.",
        )
    with watched_by(Progress()):
        return parts_json(
            apply_to_parts(
                parsed.project, source, parsed.out, model=parsed.model, dask=parsed.cluster
            )
        )


def _reconcile(parsed: argparse.Namespace) -> Json:
    source = _source(parsed)
    columns = dict(pairs_of(parsed.column, "--column")) or None
    found = reconcile_json(_decided(parsed, source), columns, parsed.tolerance)
    for line in found["sentences"]:
        tell(line)
    return found


def _export_rule(parsed: argparse.Namespace) -> Json:
    source = _source(parsed)
    if parsed.project is not None:
        found = export_rule(parsed.out, source, project=parsed.project, model=parsed.model)
    else:
        made = _decided(parsed, source).made
        assert made is not None  # decided from data
        found = export_decided_rule(made, parsed.out)
    for note in found.notes:
        tell(note)
    tell(f"wrote {found.folder}")
    plain: Json = to_plain(found)
    return plain


def _expect_list(parsed: argparse.Namespace) -> Json:
    if parsed.project is None:
        raise PayoffError(
            "A list is scaled from the evaluated rows of a project.",
            remedy="payoff decide --project FILE --list-size CASES",
        )
    if parsed.data_option or parsed.data:
        raise PayoffError("Give a file or a list size, not both.")
    project = open_project(parsed.project)
    found = project.expect(parsed.list_size, model=parsed.model, depth=parsed.depth)
    for warning in found.warnings:
        tell(warning)
    return {
        "cases": found.cases,
        "expected_counts": {name: _estimate(entry) for name, entry in found.counts},
        "expected_total_profit": _estimate(found.total),
        "rule": found.rule,
        "scaled_from": found.source,
        "holds_fixed": found.total.holds_fixed,
        "warnings": list(found.warnings),
    }


def _estimate(entry: Estimate) -> Json:
    return {"value": entry.value, "low": entry.low, "high": entry.high, "method": entry.method}


def _hold_out_json(held: HoldOut) -> Json:
    """What a hold-out was drawn by, costs, and can show."""
    return {
        "share": held.share,
        "seed": held.seed,
        "chosen": held.chosen,
        "held_out": held.held,
        "expected_forgone": held.forgone,
        "event_rate_expected": held.event_rate,
        "smallest_effect": held.smallest_effect,
        "power": POWER,
        "significance": SIGNIFICANCE,
    }


def _decide_from_arguments(parsed: argparse.Namespace, source: str) -> Decisions:
    if parsed.matrix is None:
        raise PayoffError(
            "No decision matrix is given.", remedy='--matrix \'{"1": [24, 0], "0": [-1.6, 0]}\''
        )
    old = parsed.old_priors
    options: Json = {
        "priors": _shares(parsed.priors, "--priors"),
        "old_priors": "data" if old == ["data"] else _shares(old, "--old-priors"),
    }
    return decide(
        source,
        target=parsed.target,
        posteriors=dict(pairs_of(parsed.posterior, "--posterior", "LEVEL=COLUMN")),
        predicted=parsed.predicted,
        leaf=parsed.leaf,
        weight=parsed.weight,
        missing_outcomes=parsed.missing_outcomes,
        **_matrix_arguments(parsed)
        | (pieces_options(parsed) if parsed.verb == "decide" else {})
        | {name: value for name, value in options.items() if value is not None},
    )


def _matrix_arguments(parsed: argparse.Namespace) -> Json:
    """What options say of the matrix; what its file says where no option does."""
    given: Json = {
        "kind": parsed.kind,
        "decisions": parsed.decisions.split(",") if parsed.decisions else None,
        "costs": [_cost(entry) for entry in parsed.costs.split(",")] if parsed.costs else None,
        "amount": parsed.amount,
    }
    described = {name: value for name, value in given.items() if value is not None}
    text = parsed.matrix
    if _is_id(text):
        return {"matrix": text} | described
    if text.lstrip().startswith("{") or _is_mapping(text):
        return {"matrix": _matrix(text, has_amount=parsed.amount is not None)} | described
    found = read_matrix(text, rows=parsed.matrix_rows, kind=parsed.kind)
    for line in (*found.notes, *found.doubts):
        tell(line)
    return found.arguments() | described


def _is_id(text: str) -> bool:
    """Whether a text names a plugin's matrix: no JSON, and no file of this name or ending."""
    is_file = text.lower().endswith((".json", ".csv", ".txt")) or Path(text).exists()
    return _ID.match(text) is not None and not is_file


def _is_mapping(path: str) -> bool:
    """Whether a file holds {level: [numbers]} and nothing else, or cannot be read at all."""
    try:
        record = json.loads(Path(path).read_text("utf-8"))
    except OSError:
        return True
    except ValueError:
        return path.lower().endswith(".json")
    return not (isinstance(record, dict) and "cells" in record)


def _matrix(text: str, *, has_amount: bool) -> dict[str, list[float | str]]:
    """The rows of a matrix; with an amount per case a cell may be a formula of it."""
    source = Path(text)
    where = "--matrix"
    if not text.lstrip().startswith("{"):
        where = text
        try:
            note_read(source)
            text = source.read_text("utf-8")
        except OSError as reason:
            raise PayoffError(
                "The matrix could not be read.", where=where, why=f"{reason.strerror}."
            ) from reason
    matrix = json_of_matrix(text, where)
    if not isinstance(matrix, dict) or not all(isinstance(row, list) for row in matrix.values()):
        raise PayoffError("The matrix must be {level: [consequence per decision]}.", where=where)
    for level, row in matrix.items():
        for position, value in enumerate(row, start=1):
            is_formula = has_amount and isinstance(value, str)
            if isinstance(value, bool) or not (is_formula or isinstance(value, int | float)):
                raise PayoffError(
                    "A cell of the matrix is not a number.",
                    where=f"{where}, row {level}, decision {position}, value {value!r}",
                    remedy="For shares of a column name it: --amount COLUMN.",
                )
    return matrix


def _shares(entries: list[str], option: str) -> dict[str, float] | None:
    if not entries:
        return None
    try:
        return {level: float(share) for level, share in pairs_of(entries, option, "LEVEL=VALUE")}
    except ValueError as reason:
        if isinstance(reason, PayoffError):
            raise
        raise PayoffError(f"A share of {option} is not a number.", where=str(entries)) from reason


def _cost(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def decisions_json(decided: Decisions) -> Json:
    """Totals, intervals and counts of decided cases."""
    low, high = decided.intervals["total"]
    average = decided.intervals["average"]
    answer: Json = {
        "cases": len(decided.cases.decision),
        "expected_total": decided.expected_total,
        "counts": {
            str(level): {str(name): float(count) for name, count in row.items()}
            for level, row in decided.counts.iterrows()
        },
        "marked": _marked(decided),
        "warnings": list(decided.warnings),
    }
    if decided.checks:
        answer["check"] = {
            "lines": [to_plain(line) for line in decided.checks],
            "shift": to_plain(decided.shift),
        }
    if decided.totals is not None:
        answer |= {
            "total": decided.total,
            "total_interval": [low, high],
            "average": decided.average,
            "average_interval": list(average),
            "best_total": decided.best_total,
            "roi": decided.roi,
            "prior_weights": decided.prior_weights,
            "threshold": decided.thresholds().rule,
            "advice": [{"state": a.state, "text": a.text} for a in decided.advice],
        }
    return answer


def _marked(decided: Decisions) -> Json:
    """Cases marked by _WARN_ letters, with their number."""
    counts: Json = {}
    for mark in decided.cases.warnings.tolist():
        if mark:
            counts[mark] = counts.get(mark, 0) + 1
    return counts


# ---------------------------------------------------------------- evaluate


def _evaluate(parsed: argparse.Namespace) -> Json:
    scores = dict(pairs_of(parsed.score, "--score", may_be_bare=True))
    terms = {} if parsed.matrix is None else _matrix_arguments(parsed)
    if "old_priors" in terms:
        tell("The old priors of the matrix's file change nothing: chances are judged as they are.")
    with watched_by(Progress()):
        judged = evaluate(
            parsed.data,
            outcome=parsed.outcome,
            scores=scores,
            metrics=parsed.metric,
            weight=parsed.weight,
            task=parsed.task,
            missing_outcomes=parsed.missing_outcomes,
            class_order=parsed.class_order.split(",") if parsed.class_order else None,
            intervals=not parsed.no_intervals,
            priors=terms.pop("priors", None),
            decision=decision_terms(terms) if terms else None,
            seconds=parsed.seconds,
            **pieces_options(parsed),
        )
    for warning in judged.warnings:
        tell(warning)
    return {
        "rows": judged.figures.rows.text,
        "metrics": [
            {
                "metric": cell.metric,
                "score": cell.model,
                "value": float(cell.estimate.value),
                "low": float(cell.estimate.low),
                "high": float(cell.estimate.high),
                "method": cell.estimate.method,
                "note": cell.estimate.note,
            }
            for cell in judged.figures.cells
        ],
        "comparisons": [to_plain(pair) for pair in judged.figures.comparisons],
        "warnings": list(judged.warnings),
    }


# ---------------------------------------------------------------- run, sample, plugins


def _run(parsed: argparse.Namespace) -> Json:
    project = open_project(parsed.project)
    document = with_data_found(project.document, project.path.parent)
    if parsed.missing_outcomes is not None:
        described = missing_outcomes_of(parsed.missing_outcomes)
        uplift = replace(document.uplift, missing_outcomes=described)
        document = replace(document, missing_outcomes=described, uplift=uplift)
    folder = Path(parsed.report) if parsed.report else None
    if parsed.template is not None:
        if folder is None:
            raise PayoffError("A template is of a report.", remedy="Give --report FOLDER as well.")
        document = replace(document, report=())
        document = PutAllOnReport(kinds=TEMPLATES[parsed.template]).apply(document)
    is_alone = parsed.template is not None
    return _compute(document, folder, parsed.safe_mode, project.report, is_alone=is_alone)


def _script(parsed: argparse.Namespace) -> Json | str:
    """The project as a script; its data need not be there for that, but they are looked for."""
    project = open_project(parsed.project)
    found = project.document
    try:
        found = found if found.data is None else with_data_found(found, project.path.parent)
    except PayoffError as refusal:
        tell(str(refusal))
    script = script_of(found, project=str(project.path))
    for note in script.notes:
        tell(note)
    if parsed.out is None:
        return script.text
    data = found.data
    for path in () if data is None else (data.path, *(file.path for file in data.recipe.files)):
        note_read(path)
    write_file(parsed.out, script.text.encode("utf-8"), what="The script")
    tell(f"wrote {parsed.out}")
    return {"file": parsed.out, "notes": list(script.notes)}


def _sample(parsed: argparse.Namespace) -> Json:
    folder = Path(parsed.report)
    make_folder(folder)
    path = tables.write_sample(str(folder / "sample"))
    document = tables.sample_document(path)
    answer = _compute(document, folder, parsed.safe_mode)
    answer["picture"] = str(take_picture(folder / "window.png", parsed.safe_mode))
    return answer


def _compute(
    document: Document,
    folder: Path | None,
    safe_mode: bool,
    kept: tuple[View, ...] = (),
    *,
    is_alone: bool = False,
) -> Json:
    """Compute a project and write its record and its report; ``is_alone``: its entries only."""
    runner, progress = engine(safe_mode=safe_mode), Progress()
    answer = answers_about(document, lambda of, question: runner.ask(of, question, progress))
    refusal = CompareModels.why_not(document) or Totals.why_not(document)
    if refusal is not None:
        if folder is None or is_alone or not document.report:  # a template wants all of it
            raise refusal
        return _compute_entries(document, folder, kept, answer)
    judged, decided = answer(CompareModels()), answer(Totals())
    record: Json = run_record(document, judged, decided)
    record["payoff"] = payoff.__version__
    if folder is None:
        return record
    depth, refusals = cursor_of(document, decided), dict[str, str]()
    labels = Labels.of(document, decided)
    content = ReportInput(
        document=document,
        evaluation=judged,
        decisions=decided,
        reading=None if depth is None else answer(AtDepth(depth=depth)),
        version=payoff.__version__,
        kept=fresh_views(document, kept, answer, labels, refusals),
        refusals=refusals,
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    page = render_report(content)
    if is_alone:
        page = render_entries(document, content.kept, refusals)
    _write_report(folder, page, record)
    return record


def _compute_entries(
    document: Document, folder: Path, kept: tuple[View, ...], answer: Answers
) -> Json:
    """Write the report of a project that decides nothing: of an experiment, of an explanation."""
    refusals: dict[str, str] = {}
    views = fresh_views(document, kept, answer, Labels.of(document), refusals)
    entries = [
        {"kind": item.kind, "refused": refusals.get(item.kind, "")} for item in document.report
    ]
    record: Json = {"project": document.name, "entries": entries, "payoff": payoff.__version__}
    _write_report(folder, render_entries(document, views, refusals), record)
    return record


def _write_report(folder: Path, page: str, record: Json) -> None:
    """Write page and record, both or neither."""
    pages = {"report.html": page, "record.json": json_text(record)}
    make_folder(folder)
    check_targets(folder / name for name in pages)
    for name, text in pages.items():
        write_file(folder / name, text.encode("utf-8"), what="The report")
    tell(f"wrote {folder / 'report.html'} and {folder / 'record.json'}")


VERBS: Mapping[str, Callable[[argparse.Namespace], Json | str]] = {
    "ask": ask_verb,
    "decide": _decide,
    "reconcile": _reconcile,
    "export-rule": _export_rule,
    "evaluate": _evaluate,
    "run": _run,
    "script": _script,
    "sample": _sample,
    "plugins": plugins_verb,
    "boost": boost_verb,
    "predict": predict_verb,
    "export": export_verb,
    "verify-export": check_export_verb,
    "import-model": import_model_verb,
    "export-onnx": export_onnx_verb,
    "uplift": uplift_verb,
    "experiment": experiment_verb,
    "study": study_verb,
}
