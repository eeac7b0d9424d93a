"""The guide names everything of the contract, and its examples pass the kit."""

import inspect
import re
from dataclasses import fields

import numpy as np
import pytest

import payoff
from core.kernels.compiling import compile_kernel
from payoff import numeric, vocabulary
from payoff.hooks import HOOKS
from payoff.kernels import KernelShape
from payoff.manifest import Manifest
from payoff.testing import check_plugin
from payoff.testing.catalogue import FAMILY_CHECKS
from tests.contract.plugin_guide import EXAMPLES, GUIDE

SECTIONS = dict(re.findall(r"(?ms)^## (\d)\. (.*?)(?=^## \d|\Z)", GUIDE))
RECORDS = {
    "2": (payoff.Parameter,),
    "3": (payoff.LossDistribution,),
    "4": (payoff.EvaluationMetric, payoff.CurveAxes, payoff.CurveLine, payoff.CurveRanking),
    "5": (payoff.DecisionMatrix, payoff.MatrixColumn),
    "6": (payoff.TableReader, payoff.ReadRequest, payoff.OpenedTable, payoff.OpenedText),
    "7": (
        payoff.EvaluationSystem,
        payoff.SystemRows,
        payoff.Subjects,
        payoff.DrawnSystem,
        payoff.Prices,
    ),
}
WORDS = [
    vocabulary.Task,
    vocabulary.TargetDomain,
    vocabulary.Extra,
    vocabulary.Input,
    vocabulary.Direction,
    vocabulary.MetricForm,
    vocabulary.MetricOutput,
    vocabulary.CurveAxis,
    vocabulary.WeightMeaning,
    vocabulary.ResampleUnit,
    vocabulary.Aggregate,
    vocabulary.ClassAverage,
    vocabulary.LeafKind,
    vocabulary.ConsequenceKind,
    vocabulary.ParameterKind,
    vocabulary.NumberUnit,
    vocabulary.ReaderForm,
    vocabulary.SystemNeed,
    vocabulary.TradePrice,
    KernelShape,
]


def named(section):
    """Return the names in code style of a section's tables and text."""
    return set(re.findall(r"`(\w+)", re.sub(r"(?s)```.*?```", "", SECTIONS[section])))


@pytest.mark.parametrize("section", RECORDS)
def test_every_field_of_a_spec_is_explained_in_its_section(section):
    names = {item.name for record in RECORDS[section] for item in fields(record)}
    assert names - named(section) == set()


@pytest.mark.parametrize("words", WORDS, ids=lambda words: words.__name__)
def test_every_word_a_spec_may_use_is_there(words):
    missing = [str(item.value) for item in words if f'"{item.value}"' not in GUIDE]
    assert missing == []


def test_every_sum_of_an_experiment_is_there():
    assert {item.name for item in vocabulary.UpliftSum} - named("4") == set()


def test_every_hook_is_there_with_its_arguments_and_answer():
    for name in HOOKS.values():
        assert inspect.signature(getattr(payoff.hooks, name)).parameters == {}
        assert re.search(rf"\| `{name}\(\)` \| list of `payoff\.\w+` \|", GUIDE)


def test_every_key_of_the_manifest_is_there():
    (manifest,) = re.findall(r"(?s)```toml\n(.*?)```", GUIDE)
    keys = set(re.findall(r"(?m)^(\w+) =", manifest))
    assert keys == {item.name for item in fields(Manifest)}


def test_the_arguments_of_kernels_are_as_the_built_in_ones_have_them():
    from plugins.distributions.poisson import Poisson
    from plugins.metrics.ranking import auc

    for spec, names in (
        (Poisson, ("loss", "negative_gradient", "initial_score", "leaf_values", "saturated")),
        (Poisson, ("response", "link")),
        (auc, ("ranked",)),
    ):
        for name in names:
            written = max(re.findall(rf"`{name}\(([^)]+)\)`", GUIDE), key=len)
            stated = [item.strip() for item in written.split(",") if "*" not in item]
            assert stated == list(inspect.signature(getattr(spec, name)).parameters), name


def test_every_check_of_the_kit_is_there():
    text = " ".join(GUIDE.split())
    for names in FAMILY_CHECKS.values():
        assert [name for name in names if f'"{name}"' not in text] == []


def test_every_helper_of_numeric_is_there():
    helpers = [name for name, value in vars(numeric).items() if payoff.is_kernel(value)]
    assert [name for name in helpers if name != "kernel" and f"`{name}`" not in GUIDE] == []


def test_public_members_of_the_sample_are_there():
    members = {name for name in vars(payoff.Sample) if not name.startswith("_")}
    members |= set(payoff.Sample.__annotations__)
    assert members - named("4") == set()


FAMILY_OF = {
    "log_cosh": "distributions",
    "own_metrics": "metrics",
    "own_uplift": "metrics",
    "call_centre": "decision_matrices",
    "json_lines": "readers",
    "weakest_link": "evaluation_systems",
}


def test_there_is_an_example_of_every_family():
    assert set(FAMILY_OF) == set(EXAMPLES)
    assert set(FAMILY_OF.values()) == set(HOOKS)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_pass_the_kit(name, tmp_path):
    (manifest,) = re.findall(r"(?s)```toml\n(.*?)```", GUIDE)
    manifest = manifest.replace('entry = "log_cosh"', f'entry = "{name}"')
    manifest = manifest.replace('["distributions"]', f'["{FAMILY_OF[name]}"]')
    (tmp_path / "plugin.toml").write_text(manifest, "utf-8")
    (tmp_path / f"{name}.py").write_text(EXAMPLES[name], "utf-8")
    sheet = check_plugin(tmp_path)
    assert sheet.passed, f"\n{sheet}"
    assert len(sheet.results) > 8


def example(name, folder):
    """Return the names that an example defines."""
    path = folder / f"{name}.py"
    path.write_text(EXAMPLES[name], "utf-8")
    scope = {"__name__": f"example_{name}"}
    exec(compile(EXAMPLES[name], str(path), "exec"), scope)
    return scope


def test_the_kernels_of_the_metric_example_compile(tmp_path):
    scope = example("own_metrics", tmp_path)
    outcome, prediction = np.array([1.0, 2.0, 4.0]), np.array([[1.5, 2.0, 1.0]])
    for metric, parameters in ((scope["WITHIN"], np.ones(1)), (scope["R_SQUARED"], np.empty(0))):
        answers = []
        for rows in (metric.rows, compile_kernel(metric.rows)):
            answer = np.zeros((2, metric.n_means, 3))
            rows(outcome, prediction, parameters, *answer, 0, 3)
            answers.append(answer)
        np.testing.assert_array_equal(*answers)
    out = np.zeros(1)
    events, others = np.array([[1.0, 1.0, 2.0]]), np.array([[0.0, 1.0, 2.0]])
    compile_kernel(scope["BEST_YOUDEN"].ranked)(events, others, np.empty(0), out, 0, 1)
    assert out[0] == 0.5


def test_the_kernels_of_the_distribution_example_compile(tmp_path):
    log_cosh = example("log_cosh", tmp_path)["LOG_COSH"]
    outcome, level, zero = np.array([1.0, 2.0, 4.0]), np.array([0.8]), np.zeros((1, 3))
    starts, gradients = np.zeros((2, 1)), np.zeros((2, 2, 1, 3))
    flag = np.zeros(1, dtype=np.uint8)
    kernels = (log_cosh.initial_score, log_cosh.negative_gradient)
    for position, run in enumerate((kernels, tuple(map(compile_kernel, kernels)))):
        run[0](outcome, np.ones(3), zero, level, starts[position], flag)
        run[1](outcome, zero + starts[position], level, *gradients[position], 0, 3)
    np.testing.assert_allclose(*starts)
    np.testing.assert_allclose(*gradients)
    assert gradients[0][0].sum() == pytest.approx(0.0, abs=1e-12)
