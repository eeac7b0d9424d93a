"""Core and window know no plugin by its id: what they need to know of one is a field of its spec.

So a third party's metric, loss, curve, matrix or reader gets all that a built-in one gets.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.extensions import Registry
from tests.helpers.sources import nodes, text_of

ROOT = Path(__file__).parents[2]
CHARTS = "charts of page Compare, which documents and the window name before an engine is there"
READERS = "the two formats that the host reads itself, and words of the dialog for text files"

# Why an id of a plugin is written in a package all the same: package -> ids.
ALLOWED: dict[str, dict[str, str]] = {
    "the same word for something else (a role, a kind of cell, a page, a sampler, a field)": {
        "core/assembly": "quantile cost precision uplift",
        "core/boosting": "threshold response",
        "core/data": "response",
        "core/decisions": "calibration cost lift response",
        "core/document": "cost gaussian sas uplift response",
        "core/engine": "threshold gaussian",
        "core/evaluation": "uplift",
        "core/experiments": "map gaussian",
        "core/presentation": "lift response gaussian uplift precision recall",
        "core/questions": "uplift cost",
        "core/scale": "cost",
        "core/script": "precision response uplift threshold cost quantile",
        "gui/pages": "response calibration uplift",
        "gui/shell": "uplift",
    },
    "the objectives of other programs' model files, by what they are called here": {
        "core/boosting": "bernoulli coxph gamma gaussian huber laplace mape multinomial pairwise "
        "poisson quantile tweedie",
    },
    CHARTS: {
        "core/document": "calibration cost error_share gains ks lift lorenz ndcg_at net_benefit "
        "precision_at precision_recall predicted_observed quantile_calibration recall_at "
        "residuals response risk_calibration roc score_distribution smooth_calibration "
        "survival_groups threshold time_auc",
        "core/evaluation": "calibration gains lift precision_recall roc score_distribution "
        "smooth_calibration",
        "core/presentation": "calibration cost error_share gains ks lift lorenz ndcg_at "
        "net_benefit precision_at precision_recall predicted_observed quantile_calibration "
        "recall_at residuals response risk_calibration roc score_distribution smooth_calibration "
        "survival_groups threshold time_auc",
        "core/questions": "score_distribution survival_groups threshold",
        "core/report": "gains roc",
        "gui/pages": "calibration precision_recall roc smooth_calibration",
    },
    "variants of uplift areas that core computes itself, by the names of spec/scripting.md": {
        "core/engine": "qini_joint_absolute qini_separate_absolute",
        "core/scale": "qini_joint_absolute qini_separate_absolute separate_relative "
        "uplift_joint_absolute uplift_separate_absolute",
        "core/script": "joint_relative qini_joint_absolute",
        "core/uplift": "auuc_score ips_local ips_local_stepwise joint_relative net_uplift "
        "plain_uplift qini_auc_score qini_joint_absolute qini_score qini_separate_absolute "
        "separate_relative uplift_auc_score uplift_joint_absolute uplift_separate_absolute",
    },
    "figures that core computes itself under the same name (money by the rule, a fit of chances)": {
        "core/document": "average_loss average_profit total_loss total_profit",
        "core/evaluation": "accuracy",
        "core/script": "bernoulli brier log_loss",
    },
    "what a protocol of a paper, a made-up study or a sample project is made of": {
        "core/data": "mae pair_concordance r2 rmse payoff.direct_mail",
        "core/document": "composed composed_anchor linear_noise linear_threshold mix_amounts "
        "mix_rows trading",
        "core/engine": "trading",
        "core/experiments": "bernoulli gaussian poisson",
    },
    "the self-test of an installation measures what ships": {"core/script": "auc bernoulli"},
    "matrices of a project that was written before they were plugins": {
        "core/document": "payoff.loss payoff.profit payoff.revenue"
    },
    READERS: {
        "core/data": "delimited parquet",
        "core/engine": "delimited parquet",
        "gui/pages": "compressed delimited fixed_width libsvm parquet",
    },
    "entries of the menu Train of page Uplift": {"gui/pages": "uplift uplift_baseline"},
}


def shipped_ids() -> set[str]:
    """Return the ids of everything that built-in plugins register."""
    registry = Registry.discover(has_packages=False)
    families = (
        registry.metrics(),
        registry.curves(),
        registry.distributions(),
        registry.matrices(),
        registry.readers(),
        registry.systems(),
    )
    return {spec.id for family in families for spec in family}


def literals(source: str) -> Iterator[str]:
    """Every text of a module; docstrings are longer than ids."""
    for node in nodes(source):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def ids_written(root: Path, ids: set[str]) -> set[tuple[str, str]]:
    """Pairs of a package and an id of a plugin that is written in it."""
    return {
        ("/".join(path.relative_to(root).parts[:2]), text)
        for top in ("core", "gui")
        for path in (root / top).rglob("*.py")
        for text in literals(text_of(path))
        if text in ids
    }


def allowed() -> set[tuple[str, str]]:
    """The pairs that have a reason."""
    return {
        (package, name)
        for packages in ALLOWED.values()
        for package, names in packages.items()
        for name in names.split()
    }


@pytest.fixture(scope="module")
def ids() -> set[str]:
    """Ids of what ships."""
    return shipped_ids()


def test_core_and_window_name_no_plugin_without_a_reason(ids):
    assert sorted(ids_written(ROOT, ids) - allowed()) == [], "make it a field of the spec"


def test_every_reason_is_still_needed(ids):
    assert sorted(allowed() - ids_written(ROOT, ids)) == [], "take it off the list"


def test_an_id_in_a_module_is_seen(tmp_path, ids):
    (tmp_path / "core" / "evaluation").mkdir(parents=True)
    code = 'AREA_IDS = {"auc": 1.0}\n"""auc"""\nauc = "the area"\n'
    (tmp_path / "core" / "evaluation" / "areas.py").write_text(code, encoding="utf-8")
    assert ids_written(tmp_path, ids) == {("core/evaluation", "auc")}
