"""The arguments of every verb of the command line. It imports nothing but the standard library."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, NoReturn

VERBS = (
    "ask",
    "decide",
    "reconcile",
    "evaluate",
    "uplift",
    "boost",
    "predict",
    "export",
    "export-rule",
    "verify-export",
    "import-model",
    "export-onnx",
    "experiment",
    "run",
    "script",
    "sample",
    "plugins",
    "check-plugin",
    "new-plugin",
    "pack-plugin",
    "study",
    "scheduler",
    "worker",
)
FORMER_VERBS = {
    "check-handover": "verify-export",
    "handover": "export",
    "handover-rule": "export-rule",
}
"""Verbs by the names that they had in version 0.1; using one says which it is now."""
AUTHOR_VERBS = ("check-plugin", "new-plugin", "pack-plugin")
CLUSTER_VERBS = ("scheduler", "worker")
_CLUSTER_WORDS = (
    "Whoever reaches a port of the cluster can run any program as its user. Other computers need "
    "certificates (--tls-ca, --tls-cert, --tls-key) or --trusted-network."
)
TEMPLATES = ("committee", "board")
SAMPLES = (
    "loans",
    "direct-mail",
    "donations",
    "voucher-test",
    "trial",
    "claims",
    "toy-observational",
    "toy-unbalanced",
    "toy-few-treated",
)


class CommandParser(argparse.ArgumentParser):
    """Exits with 2 and one line, as the verbs do for every refusal.

    ``prepare`` adds arguments that depend on what is given, before it is parsed.
    """

    prepare: Callable[[CommandParser, list[str]], None] | None = None

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse what is given, after the arguments that it calls for were added."""
        if self.prepare is not None:
            self.prepare(self, list(args or ()))
        parsed, rest = super().parse_known_args(args, namespace)
        if not hasattr(parsed, "flags"):  # a verb's own, not those of the parser that chose it
            parsed.flags = self._flags()
        return parsed, rest

    def _flags(self) -> dict[str, tuple[str, str]]:
        """Flag and form of each argument, by the name that functions have for it."""
        found: dict[str, tuple[str, str]] = {}
        for action in self._actions:
            if action.option_strings:
                form = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
                entry = (action.option_strings[-1], form)
                name = action.dest.removeprefix("field_")
                found[name] = entry
                found.setdefault(f"{name}s", entry)  # "scores" of functions: --score, repeated
        return found

    def error(self, message: str) -> NoReturn:
        """Refuse the command line in one line."""
        self.exit(2, f"payoff: {message}. See: payoff --help\n")


def verb_parser() -> argparse.ArgumentParser:
    """The arguments of every verb."""
    parser = CommandParser(prog="payoff")
    verbs = parser.add_subparsers(dest="verb", required=True, parser_class=CommandParser)
    _add_ask(verbs.add_parser("ask", help="ask a project any question of the program's pages"))
    _add_decide(verbs.add_parser("decide", help="decide each case and say what it is worth"))
    _add_reconcile(
        verbs.add_parser(
            "reconcile",
            help="compare decisions that a file brings along (D_, EP_, ...) with the rule's",
            epilog="Exit code 0: all rows agree; 3: some differ; 2: cannot be compared.",
        )
    )
    _add_evaluate(verbs.add_parser("evaluate", help="judge scores against a known outcome"))
    _add_uplift(verbs.add_parser("uplift", help="say what treating brings, and whom to treat"))
    _add_boost(verbs.add_parser("boost", help="train boosted trees and write a model file"))
    _add_predict(verbs.add_parser("predict", help="score a file with a model file"))
    _add_export(
        verbs.add_parser("export", help="write scoring code, input contract and expected results")
    )
    _add_export_rule(
        verbs.add_parser(
            "export-rule",
            help="write a decision rule as SQL, Python, SAS and a workbook, with its proof",
        )
    )
    _add_check_export(
        verbs.add_parser(
            "verify-export",
            help="compare another system's scores with those an export expects",
            epilog="Exit code 0: all rows agree; 3: some differ; 2: cannot be compared.",
        )
    )
    _add_import_model(
        verbs.add_parser("import-model", help="read a model file of LightGBM or XGBoost")
    )
    _add_export_onnx(verbs.add_parser("export-onnx", help="write a model file as ONNX"))
    _add_study(
        verbs.add_parser("study", help="what shrinkage does, and which rule finds the trees")
    )
    _add_experiment(
        verbs.add_parser(
            "experiment", help="how far a learned evaluation can be trusted, by a protocol"
        )
    )
    run = verbs.add_parser("run", help="compute a project and write a report")
    run.add_argument("project")
    run.add_argument("--report", metavar="FOLDER", help="write report.html and record.json")
    run.add_argument(
        "--template", choices=TEMPLATES, help="the report holds the entries of a template"
    )
    _add_missing_outcomes(run, None)
    _add_json(run)
    _add_script(verbs.add_parser("script", help="write a project as a Python script"))
    sample = verbs.add_parser("sample", help="run a sample; write a report and a picture")
    sample.add_argument("name", choices=("direct-mail",))
    sample.add_argument("--report", metavar="FOLDER", required=True)
    _add_json(sample)
    plugins = verbs.add_parser("plugins", help="list, install, remove, turn on and off plugins")
    plugins.add_argument(
        "action",
        nargs="?",
        choices=("list", "install", "remove", "on", "off"),
        default="list",
        help="what to do; default: list",
    )
    plugins.add_argument("names", nargs="*", metavar="NAME", help="files to install, else ids")
    plugins.add_argument(
        "--no-wait",
        action="store_true",
        help="install and remove: refuse while a window's job uses plugins; default: wait for it",
    )
    _add_json(plugins)
    _add_authoring(verbs)
    _add_cluster(verbs)
    return parser


def _add_ask(parser: CommandParser) -> None:
    parser.add_argument(
        "question", nargs="?", help="such as decide.capacity; left out: what can be asked"
    )
    parser.add_argument("--project", metavar="FILE", help="the project that is asked")
    parser.add_argument("--table", action="store_true", help="write tables to stderr too")
    _add_json(parser)
    parser.prepare = _add_fields


def _add_fields(parser: CommandParser, given: list[str]) -> None:
    """The fields of the question that is asked, as options: ``--most-actions 500``."""
    from core.questions.question import question_fields, question_named
    from core.questions.texts import wanted
    from payoff.errors import PayoffError

    key = given[0] if given and not given[0].startswith("-") else None
    names: list[str] = []
    if key is not None:
        try:
            record = question_named(key)
        except PayoffError as refusal:
            parser.error(str(refusal).rstrip("."))
        parser.description = record.__doc__
        for name, hint, _default, words in question_fields(record):
            names.append(name)
            option = f"--{name.replace('_', '-')}"
            if option in ("--project", "--table", "--json"):
                option = f"--asked-{name.replace('_', '-')}"
            parser.add_argument(
                option,
                dest=f"field_{name}",
                action="append",
                metavar=wanted(hint).replace("[", "").replace("]", ""),
                help=words.words().replace("%", "%%"),
            )
    parser.set_defaults(field_names=tuple(names))


def given_fields(parsed: argparse.Namespace) -> dict[str, list[str]]:
    """The fields of the question that were given, in words."""
    found = {name: getattr(parsed, f"field_{name}") for name in parsed.field_names}
    return {name: texts for name, texts in found.items() if texts is not None}


def _add_script(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project")
    parser.add_argument(
        "--out", metavar="FILE", help="write the script here; default: to standard output"
    )
    parser.set_defaults(json=None)
    add_plugin_choice(parser)


def _add_authoring(verbs: Any) -> None:
    """The verbs of plugin authors."""
    check = verbs.add_parser(
        "check-plugin",
        help="run the conformance checks on a plugin",
        epilog="Exit code 0: all passed; 3: a check failed; 2: there is no such plugin.",
    )
    check.add_argument("path", help="a folder, a .py file or an archive")
    _add_json(check)
    new = verbs.add_parser("new-plugin", help="write a plugin with tests and packaging, to change")
    new.add_argument(
        "kind",
        choices=("distribution", "metric", "matrix", "reader", "system"),
        help="what it adds",
    )
    new.add_argument("name", help="in words: 'Near miss' makes the folder near_miss")
    new.add_argument("--into", default=".", metavar="FOLDER", help="where; default: here")
    new.add_argument("--id", default="", metavar="ID", help="default: org.example.NAME")
    new.add_argument("--author", default="My name", metavar="NAME", help="for the manifest")
    _add_json(new)
    pack = verbs.add_parser("pack-plugin", help="pack plugins into one file to hand out")
    pack.add_argument("folders", nargs="+", metavar="FOLDER", help="several: one file for all")
    pack.add_argument("--out", metavar="FILE", help="default: NAME-VERSION.payoff-plugin, here")
    _add_json(pack)


def _add_cluster(verbs: Any) -> None:
    """The verbs that start the processes of a cluster."""
    scheduler = verbs.add_parser(
        "scheduler",
        help="hand out the work of --cluster to workers, until Ctrl+C",
        epilog=_CLUSTER_WORDS,
    )
    scheduler.add_argument("--host", default="127.0.0.1", help="default: this computer only")
    scheduler.add_argument("--port", type=int, default=8786, help="default: 8786")
    worker = verbs.add_parser(
        "worker", help="do the work of a scheduler, until Ctrl+C", epilog=_CLUSTER_WORDS
    )
    worker.add_argument("address", help="of the scheduler: tcp://127.0.0.1:8786")
    worker.add_argument("--memory", metavar="SIZE", help='at most: "4 GB"; default: a fair share')
    worker.add_argument("--threads", type=int, metavar="N", help="default: one for each core")
    worker.add_argument("--scratch", metavar="FOLDER", help="where it writes meanwhile")
    for parser in (scheduler, worker):
        parser.add_argument("--tls-ca", metavar="FILE", help="certificate of the authority")
        parser.add_argument("--tls-cert", metavar="FILE", help="certificate of this process")
        parser.add_argument("--tls-key", metavar="FILE", help="its key")
        parser.add_argument(
            "--trusted-network",
            action="store_true",
            help="other computers may connect without certificates",
        )
        _add_json(parser)


def _add_reading(parser: argparse.ArgumentParser) -> None:
    """How the data file is read, where it does not say so itself."""
    parser.add_argument(
        "--read",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="how the file is read: sheet=Spring, decimal=, delimiter=tab, date_order=dmy ...",
    )


def _add_missing_outcomes(parser: argparse.ArgumentParser, default: str | None = "refuse") -> None:
    """What is done with rows that should have an outcome and have none."""
    parser.add_argument(
        "--missing-outcomes",
        choices=("refuse", "leave_out"),
        default=default,
        help="rows without an outcome: refuse (default: name them), or leave_out",
    )


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", metavar="FILE", help="write the JSON here instead of stdout")
    add_plugin_choice(parser)


def add_plugin_choice(parser: argparse.ArgumentParser) -> None:
    """Which plugins take part in this run, and whether their calls are told."""
    parser.add_argument("--safe-mode", action="store_true", help="built-in plugins only")
    parser.add_argument(
        "--only-plugins", default="", metavar="ID,ID", help="of all installed plugins only these"
    )
    parser.add_argument(
        "--trace-hooks", action="store_true", help="tell every call into a plugin, with its time"
    )


def _add_decide(parser: argparse.ArgumentParser) -> None:
    _add_rule(parser)
    parser.add_argument(
        "--list-size",
        type=int,
        metavar="CASES",
        help="with --project: what so many new cases are expected to bring, without a file",
    )
    parser.add_argument(
        "--depth", type=float, metavar="SHARE", help="with --list-size: act on the best share"
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="write the decisions (CSV or Parquet; of a folder of parts a folder)",
    )
    parser.add_argument(
        "--hold-out",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="keep a random share of the chosen out of the action (column HOLDOUT_)",
    )
    parser.add_argument(
        "--hold-out-seed", type=int, default=20261, metavar="SEED", help="seed of that draw"
    )
    _add_pieces(parser)
    _add_json(parser)


def _add_reconcile(parser: argparse.ArgumentParser) -> None:
    _add_rule(parser)
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="LETTERS=COLUMN",
        help="where decisions stand: D=..., EP=...; default: by name",
    )
    parser.add_argument("--tolerance", type=float, default=1e-6, help="default 1e-6")
    _add_json(parser)


def _add_rule(parser: argparse.ArgumentParser) -> None:
    """The rule of a project, or a matrix with its columns."""
    parser.add_argument("data", nargs="?", help="a file (or give --data)")
    parser.add_argument("--data", dest="data_option", metavar="FILE", help="the cases to decide")
    _add_reading(parser)
    parser.add_argument("--project", metavar="FILE", help="use the rule of a saved project")
    parser.add_argument("--model", help="which of the project's models decides")
    parser.add_argument("--target", help="column of the known outcome")
    _add_missing_outcomes(parser)
    parser.add_argument(
        "--posterior", action="append", default=[], metavar="LEVEL=COLUMN", help="repeat per level"
    )
    parser.add_argument(
        "--predicted", metavar="COLUMN", help="a number's prediction: rows of the matrix are knots"
    )
    parser.add_argument("--leaf", metavar="COLUMN", help="a tree's leaf: one decision for each")
    _add_matrix(parser)
    parser.add_argument("--priors", action="append", default=[], metavar="LEVEL=SHARE")
    parser.add_argument("--old-priors", action="append", default=[], metavar="LEVEL=SHARE|data")
    parser.add_argument("--weight", help="column of case weights")


def _add_matrix(parser: argparse.ArgumentParser) -> None:
    """A matrix, and what belongs to it."""
    parser.add_argument(
        "--matrix",
        metavar="JSON|FILE|ID",
        help="""{"level": [consequence per decision]}, a JSON or CSV file that holds it, or the id
            of a matrix that a plugin brings: payoff.direct_mail(letter_cost=2)""",
    )
    parser.add_argument(
        "--matrix-rows", choices=("actual", "decided", "predicted"), help="rows of a CSV file"
    )
    parser.add_argument("--kind", choices=("profit", "loss", "revenue"), help="default: profit")
    parser.add_argument("--decisions", metavar="NAME,NAME", help="names, in the matrix's order")
    parser.add_argument("--costs", metavar="COST,COST", help="one per decision, number or column")
    parser.add_argument(
        "--amount", metavar="COLUMN", help='cells may be shares of it: "=0.08*amount"'
    )


def _add_evaluate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data")
    _add_reading(parser)
    parser.add_argument("--outcome", required=True, help="column of the known outcome")
    _add_missing_outcomes(parser)
    parser.add_argument(
        "--score",
        action="append",
        required=True,
        metavar="[MODEL=]COLUMN",
        help="a score column; repeat to compare",
    )
    parser.add_argument(
        "--metric",
        action="append",
        metavar="ID",
        help='repeat; with parameters: "lift(share=0.5)"; default: the usual ones',
    )
    parser.add_argument(
        "--class-order", metavar="LEVELS", help="classes in their own order: low,middle,high"
    )
    parser.add_argument("--weight", help="column of case weights")
    parser.add_argument("--task", choices=("binary", "multiclass", "regression"))
    _add_matrix(parser)
    parser.add_argument("--no-intervals", action="store_true")
    _add_memory(parser)
    _add_json(parser)


def _add_memory(parser: argparse.ArgumentParser) -> None:
    """What a run over data larger than memory may take."""
    _add_pieces(parser)
    parser.add_argument(
        "--seconds",
        type=float,
        default=120.0,
        metavar="S",
        help="what draws of data read in pieces may take; fewer are made where more would not fit",
    )


def _add_pieces(parser: argparse.ArgumentParser) -> None:
    """How data larger than memory are read."""
    parser.add_argument(
        "--memory",
        metavar="SIZE",
        help='memory to take at most, "4 GB": a file of any size is read in pieces, as folders of '
        "parts always are (default: half of what is free)",
    )
    parser.add_argument(
        "--scratch", metavar="FOLDER", help="where 8 bytes a row and score are written meanwhile"
    )
    _add_cluster_address(parser)


def _add_cluster_address(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help='read the pieces on a cluster: the address of its scheduler, or "local"',
    )


def _add_uplift(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data")
    parser.add_argument("--outcome", required=True, help="column: 0/1, a number, or two levels")
    _add_missing_outcomes(parser)
    parser.add_argument("--treatment", required=True, help="column of the arm as assigned")
    parser.add_argument("--treated", help="the arm that was treated")
    parser.add_argument("--control", help="the arm it is compared with")
    parser.add_argument(
        "--score",
        action="append",
        required=True,
        metavar="[NAME=]COLUMN",
        help="ranks cases, highest first; repeat to compare",
    )
    parser.add_argument(
        "--covariate",
        action="append",
        default=[],
        metavar="COLUMN",
        help="known before the treatment; repeat",
    )
    parser.add_argument("--propensity", help="column, or 'estimate' from the covariates")
    parser.add_argument("--weight", help="column of case weights")
    parser.add_argument("--nu", default="0", help="a number, optimal or area")
    parser.add_argument("--planned-share", type=float, help="share of the treated as planned")
    parser.add_argument("--value", type=float, default=1.0, help="worth of a unit of the outcome")
    parser.add_argument("--contact", type=float, default=0.0, help="cost per treated case")
    parser.add_argument(
        "--redemption", type=float, default=0.0, help="cost per outcome of a treated case"
    )
    parser.add_argument("--most", type=float, help="most cases that can be treated")
    _add_pieces(parser)
    _add_json(parser)


def _add_boost(parser: CommandParser) -> None:
    parser.add_argument("data", nargs="?", help="the training data (or give --data)")
    parser.add_argument("--data", dest="data_option", metavar="FILE", help="any format that opens")
    _add_reading(parser)
    parser.add_argument("--out", required=True, metavar="FILE", help="the .payoffmodel to write")
    parser.add_argument(
        "--ordered",
        action="append",
        default=[],
        metavar="COLUMN=LEVEL,LEVEL",
        help="levels of a column as ranks, from low to high",
    )
    parser.add_argument("--choose", choices=("test", "oob", "cv"), help="keep the best trees by")
    parser.add_argument("--project", metavar="FILE", help="data, rows and settings of a project")
    parser.add_argument("--model", help="which of the project's trained models to train anew")
    _add_json(parser)
    parser.prepare = _add_settings


def _add_settings(parser: CommandParser, _given: list[str]) -> None:
    """The fields of what ``payoff.boost`` is asked, as options."""
    from core.script.boost.request import BoostRequest
    from core.script.options import add_options

    add_options(parser, BoostRequest)


def _add_predict(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="a .payoffmodel file")
    parser.add_argument("data", help="the cases to score, in any format that opens")
    _add_reading(parser)
    parser.add_argument(
        "--out",
        required=True,
        metavar="FILE",
        help=".csv, .parquet or .xlsx to write; of a folder of parts a new folder",
    )
    parser.add_argument("--kind", choices=("link", "response", "both"), default="response")
    parser.add_argument("--keep", metavar="COLUMN,...", help="columns of the data to write along")
    parser.add_argument("--trees", dest="n_trees", type=int, metavar="N", help="first trees only")
    parser.add_argument("--add-offset", action="store_true", help="add the offset of the training")
    _add_cluster_address(parser)
    _add_json(parser)


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="a .payoffmodel file")
    parser.add_argument("data", help="cases to take the 200 rows from")
    _add_reading(parser)
    parser.add_argument("--out", required=True, metavar="FOLDER", help="new, empty, or an earlier")
    parser.add_argument("--trees", dest="n_trees", type=int, metavar="N", help="first trees only")
    _add_json(parser)


def _add_export_rule(parser: argparse.ArgumentParser) -> None:
    _add_rule(parser)
    parser.add_argument("--out", required=True, metavar="FOLDER", help="new, empty, or an earlier")
    _add_json(parser)


def _add_check_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        help="what the other system wrote (CSV or Parquet), or a decide.xlsx that was changed",
    )
    parser.add_argument("--folder", help="the export folder; default: where FILE lies")
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="RESULT=COLUMN",
        help="where the file calls a result otherwise",
    )
    parser.add_argument("--tolerance", type=float, default=1e-9, help="default 1e-9")
    _add_json(parser)


def _add_import_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="LightGBM's text or JSON, or XGBoost's JSON")
    parser.add_argument("--out", required=True, metavar="FILE", help=".payoffmodel to write")
    parser.add_argument(
        "--distribution", metavar="NAME", help="what an unknown objective counts as"
    )
    parser.add_argument("--classes", metavar="NAME,...", help="names of the classes 0, 1 ...")
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="INPUT=COLUMN",
        help="where your data call an input otherwise",
    )
    _add_json(parser)


def _add_export_onnx(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="a .payoffmodel file")
    parser.add_argument("--out", required=True, metavar="FILE", help=".onnx to write")
    parser.add_argument("--trees", dest="n_trees", type=int, metavar="N", help="first trees only")
    _add_json(parser)


def _add_study(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "study",
        choices=("shrinkage", "choosing"),
        help="error by iterations and shrinkage; test, OOB and folds",
    )
    parser.add_argument("--out", metavar="FILE", help="CSV to write the whole table to")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME",
        help="a made-up data set; repeat; default: all",
    )
    parser.add_argument("--rows", type=int, default=1000, help="default 1000")
    parser.add_argument("--trees", type=int, default=1000, help="iterations, default 1000")
    parser.add_argument("--shrinkage", type=float, default=0.02, help="of choosing, default 0.02")
    parser.add_argument("--draws", type=int, default=5, help="of each data set, default 5")
    parser.add_argument("--seed", type=int, default=1)
    _add_json(parser)


def _add_experiment(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "protocol", choices=("aki_alert", "sepsis", "stock_timing", "ad_conversion")
    )
    parser.add_argument("--data", metavar="FILE", help="default: made-up rows of the same shape")
    parser.add_argument("--out", metavar="FILE", help="write FILE.experiment.json and FILE.csv")
    parser.add_argument("--mode", choices=("default", "paper"), help="how ambiguous text is read")
    parser.add_argument(
        "--sampler",
        action="append",
        metavar="NAME",
        help="sigmoid, arctan, gaussian; repeat; default: all",
    )
    parser.add_argument(
        "--learner",
        action="append",
        metavar="NAME",
        help="logistic, linear, boosting:poisson, xgboost ...; repeat",
    )
    parser.add_argument("--system", metavar="NAME", help="linear_threshold, composed ...")
    parser.add_argument("--bound", metavar="NAME", help="hoeffding, kl, betting ...")
    parser.add_argument("--columns", metavar="COLUMN,...", help="further or other conditions")
    parser.add_argument("--outcome", metavar="COLUMN", help="sepsis: the 0/1 outcome")
    parser.add_argument("--subject-form", choices=("auto", "theta", "uniform"), help="T(S)")
    for option, kind, words in (
        ("--systems", int, "evaluation systems drawn"),
        ("--splits", int, "splits of each"),
        ("--seed", int, "master seed"),
        ("--rows", int, "rows (stocks) to make up"),
        ("--slot-days", int, "stock timing: days of a slot"),
        ("--test-share", float, "share of the rows that test (0.2)"),
        ("--confidence", float, "of the bound (0.95)"),
        ("--sharpness", float, "of the chance in linear_noise"),
    ):
        name = "synthetic_rows" if option == "--rows" else None
        parser.add_argument(option, type=kind, dest=name, metavar="N", help=words)
    parser.add_argument(
        "--system-parameter",
        action="append",
        metavar="NAME=VALUE",
        help="of the evaluation system; repeat",
    )
    parser.add_argument("--journal", metavar="FILE", help="keeps finished runs; goes on from it")
    parser.add_argument(
        "--backend", nargs="+", metavar="NAME", help="threads, processes, or: dask ADDRESS"
    )
    _add_json(parser)
