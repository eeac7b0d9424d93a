"""Pictures of page Plugins in every state, from made-up plugins with real sheets.

Run: python -m tests.gui.plugins.render_page FOLDER
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from core.document.plugin_results import (
    PluginCheck,
    PluginOffering,
    PluginOfferings,
    PluginsResult,
    PluginState,
)
from gui.app.plugin_crashes import CrashNotice, crash_book
from gui.pages.plugins.install import InstallDialog
from gui.pages.plugins.widget import PluginsPage
from gui.session import JobQueue
from gui.session.session import Session
from gui.shell.drop_cover import DropCover
from gui.theme import apply_theme
from gui.widgets.notice import Notice
from payoff.testing.catalogue import FAMILY_CHECKS
from tests.helpers.fake_engine import FakeEngine

SIZES = ((1440, 900), (1280, 720))
FRAME = (72, 98)  # the rail; menu, toolbar and jobs strip


def sheet(subject: str, spec: str, family: str, failed: str = "") -> tuple[PluginCheck, ...]:
    """A sheet of a family, one check failed."""
    whole = [
        PluginCheck(check=name, subject=subject, state="passed")
        for name in FAMILY_CHECKS["plugin"][:-1]
    ]
    own = [
        PluginCheck(
            check=name,
            subject=spec,
            state="failed" if name == failed else "passed",
            found="0.40 stated, 0.80 measured" if name == failed else "within 2e-11",
        )
        for name in FAMILY_CHECKS[family]
    ]
    return (*whole, *own)


def plugin(key: str, name: str, state: str, family: str, **settings: object) -> PluginState:
    """A made-up plugin of the user's folder."""
    usual: dict[str, object] = {
        "plugin": f"org.example.{key}",
        "name": name,
        "version": "1.2.0",
        "source": "user folder",
        "state": state,
        "families": (family,),
        "author": "R. Okafor",
        "licence": "MIT",
        "description": "What it is for, in one sentence of its author.",
        "path": f"/home/user/plugins/{key}",
        "api": ">=1,<2",
    }
    return PluginState(**{**usual, **settings})


PLUGINS = (
    plugin(
        "losses",
        "Loss distributions",
        "active",
        "distributions",
        source="built in",
        adds=("distribution gaussian: Gaussian", "distribution poisson: Poisson"),
        checks=sheet("payoff.losses", "", "distributions")[: len(FAMILY_CHECKS["plugin"]) - 1],
    ),
    plugin(
        "linex",
        "Linex loss",
        "quarantined",
        "distributions",
        stage="conformance check",
        why="linex: the check 'Gradient matches the loss' failed: 0.40 stated, 0.80 measured.",
        adds=("distribution linex: Linex",),
        checks=sheet("org.example.linex", "linex", "distributions", "Gradient matches the loss"),
    ),
    plugin(
        "biweight",
        "Tukey's biweight",
        "active",
        "distributions",
        adds=("distribution tukey_biweight: Tukey's biweight",),
        checks=sheet("org.example.biweight", "tukey_biweight", "distributions"),
    ),
    plugin(
        "credit",
        "Expected credit loss",
        "active",
        "metrics",
        adds=("metric expected_credit_loss: Expected credit loss",),
        checks=sheet("org.example.credit", "expected_credit_loss", "metrics"),
    ),
    plugin(
        "crasher",
        "Fast ranks",
        "off",
        "metrics",
        stage="enabled",
        adds=("metrics",),
        why="Off after 3 crashes. The last one: The engine's process was ended by signal SIGSEGV.",
    ),
    plugin(
        "scorecard",
        "Scorecard",
        "does_not_fit",
        "metrics",
        stage="contract version",
        adds=("metrics",),
        why="It needs plugin contract >=2,<3; here is 1.1.",
    ),
    plugin(
        "blood",
        "Blood bank",
        "checking",
        "decision_matrices",
        stage="enabled",
        adds=("decision_matrices",),
        why="Checked in a process of its own when it is first needed.",
    ),
    plugin(
        "chain",
        "Weakest link",
        "active",
        "evaluation_systems",
        adds=("evaluation system weakest_link: Weakest link",),
        checks=sheet("org.example.chain", "weakest_link", "evaluation_systems"),
    ),
    plugin(
        "old",
        "Old campaign",
        "off",
        "decision_matrices",
        stage="enabled",
        adds=("decision_matrices",),
        why="Turned off by you.",
    ),
)
STAGED = (
    plugin(
        "torn",
        "torn.py",
        "quarantined",
        "",
        stage="manifest",
        version="",
        author="",
        licence="",
        api="",
        families=(),
        description="",
        why="The file has no manifest. (/home/user/plugins/torn.py) Begin it with a comment "
        "block '# /// payoff' ... '# ///', or begin with payoff new-plugin.",
    ),
    plugin(
        "importing",
        "Market model",
        "quarantined",
        "distributions",
        stage="import",
        adds=("distributions",),
        why="ModuleNotFoundError: No module named 'market_data'",
        traceback="Traceback (most recent call last): ...",
    ),
    plugin(
        "hooks",
        "Hinge",
        "quarantined",
        "distributions",
        stage="registration",
        adds=("distributions",),
        why="A hook does not fit. (payoff_plugin_org_example_hinge) Unknown hook "
        "'payoff_register_distribution'. The hooks are payoff_register_distributions, "
        "payoff_register_metrics, payoff_register_decision_matrices, "
        "payoff_register_readers, payoff_register_evaluation_systems; they take no "
        "arguments.",
    ),
    plugin(
        "names",
        "Second Gaussian",
        "quarantined",
        "distributions",
        stage="specs",
        adds=("distributions",),
        why="'gaussian' is in payoff.losses already, and in org.example.names.",
    ),
    plugin(
        "kernel",
        "Lookup loss",
        "quarantined",
        "distributions",
        stage="conformance check",
        adds=("distribution lookup: Lookup loss",),
        why="lookup: the check 'Kernels compile' failed: loss: Untyped global name 'SHARES': "
        "Cannot determine Numba type of <class 'dict'> (loss.py, line 14).",
        checks=(
            *sheet("org.example.kernel", "lookup", "distributions"),
            PluginCheck(
                check="Kernels compile",
                subject="lookup",
                state="failed",
                found="loss: Untyped global name 'SHARES': Cannot determine Numba "
                "type of <class 'dict'> (loss.py, line 14)",
            ),
        ),
    ),
    plugin(
        "died",
        "Fast ranks",
        "quarantined",
        "metrics",
        stage="metric fast_ranks",
        adds=("metric fast_ranks: Fast ranks",),
        why="The engine's process was ended by signal SIGSEGV.",
    ),
    plugin(
        "slow",
        "Every pair",
        "quarantined",
        "metrics",
        stage="metric every_pair",
        adds=("metric every_pair: Every pair",),
        why="It did not come back within 300 seconds.",
    ),
)
OFFER = PluginOfferings(
    folder="/home/user/plugins",
    plugins=(
        PluginOffering(
            plugin="org.example.credit",
            name="Expected credit loss",
            version="1.3.0",
            licence="MIT",
            author="R. Okafor",
            families=("metrics",),
            files=3,
            size_bytes=6200,
            description="What provisions by a model's chances of default cost a bank, per loan.",
            is_listed=True,
            packages=("tiny 1.0",),
            change="update",
            installed_version="1.2.0",
        ),
    ),
)

SEVERAL = PluginOfferings(
    folder="/home/user/plugins",
    plugins=tuple(
        PluginOffering(
            plugin=f"org.example.{key}",
            name=name,
            version="1.0.0",
            licence="MIT",
            author="Risk methods",
            families=(family,),
            files=4,
            size_bytes=5400,
            description=words,
            is_listed=True,
            packages=(),
            change=change,
            installed_version=installed,
        )
        for key, name, family, words, change, installed in (
            (
                "biweight",
                "Tukey's biweight",
                "distributions",
                "A loss for values with typing errors among them.",
                "new",
                "",
            ),
            (
                "credit",
                "Expected credit loss",
                "metrics",
                "What provisions by a model's chances of default cost a bank, per loan.",
                "update",
                "0.9.0",
            ),
            (
                "blood",
                "Blood bank",
                "decision_matrices",
                "How many units to order when too few and too many both cost.",
                "new",
                "",
            ),
        )
    ),
)
ONE_FILE = replace(
    OFFER,
    plugins=(
        replace(
            OFFER.plugins[0],
            is_listed=False,
            packages=(),
            change="new",
            installed_version="",
            files=1,
        ),
    ),
)
OFFERS = {
    "update": ("credit-1.3.0.payoff-plugin", OFFER),
    "several": ("risk-methods-2026.payoff-plugin", SEVERAL),
    "file": ("credit.py", ONE_FILE),
}


def render(folder: Path) -> list[Path]:
    """Write the page in every state, both themes and sizes; returns the files."""
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    files = []
    for theme in ("light", "dark"):
        apply_theme(application, theme)
        session = Session(JobQueue(FakeEngine))
        session.plugins.known = PluginsResult(plugins=PLUGINS, metrics=(), templates=())
        page = PluginsPage(session)
        page.setProperty("surface", "window")
        page.setAutoFillBackground(True)
        for width, height in SIZES:
            page.resize(width - FRAME[0], height - FRAME[1])
            for chosen in PLUGINS:
                page.choose(chosen.plugin)
                files.append(_save(application, page, folder, f"{chosen.name}-{theme}-{width}"))
            cover = DropCover(page)
            for words, file in (("plugin", "credit-1.3.0.payoff-plugin"), ("data", "loans.csv")):
                cover.show_over(f"/home/user/{file}", is_plugin=words == "plugin")
                files.append(_save(application, page, folder, f"drag-{words}-{theme}-{width}"))
            cover.hide()
        for name, (file, offer) in OFFERS.items():
            dialog = InstallDialog(f"/home/user/{file}", offer, page)
            files.append(_save(application, dialog, folder, f"install-{name}-{theme}"))
            dialog.close()
        page.close()
        files += _render_staged(application, folder, theme)
    return files


def _render_staged(application: QApplication, folder: Path, theme: str) -> list[Path]:
    """The page with a plugin stopped at every stage, below the notice that names the guilty one."""
    session = Session(JobQueue(FakeEngine))
    session.plugins.known = PluginsResult(plugins=STAGED, metrics=(), templates=())
    crash_book().add("org.example.died", "metric fast_ranks", STAGED[-2].why)
    whole = QWidget()
    whole.setProperty("surface", "window")
    whole.setAutoFillBackground(True)
    column = QVBoxLayout(whole)
    notice = Notice()
    notice.crashes = CrashNotice(session, notice, notice)
    page = PluginsPage(session)
    column.addWidget(notice)
    column.addWidget(page, 1)
    session.plugins.changed.emit(session.plugins.known)
    files = []
    for width, height in SIZES:
        whole.resize(width - FRAME[0], height - FRAME[1])
        for chosen in STAGED:
            page.choose(chosen.plugin)
            name = f"stage-{chosen.plugin.rpartition('.')[2]}-{theme}-{width}"
            files.append(_save(application, whole, folder, name))
    whole.close()
    return files


def _save(application: QApplication, widget: QWidget, folder: Path, name: str) -> Path:
    widget.show()
    for _ in range(3):
        application.processEvents()
    path = folder / f"{name.lower().replace(' ', '-')}.png"
    widget.grab().save(str(path))
    return path


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    os.environ["PAYOFF_HOME"] = str(target / "home")
    for file in render(target):
        print(file)
