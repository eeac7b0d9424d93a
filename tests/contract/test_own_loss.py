"""Own loss in five minutes: this does what the plugin guide says, with the guide's own code."""

from __future__ import annotations

import pickle
import re
import runpy
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

import payoff
from core.boosting import BoostSettings, TrainingCases, fit, inputs_of_matrix
from core.extensions import check_plugin_files
from core.kernels import cache_hits, compile_kernel
from core.kernels.cache import source_stamp
from payoff.formula_kernels import STRIP, formula_of
from payoff.own_loss import has_own_loss
from payoff.testing import check_distribution, check_plugin
from payoff.testing.checks import KERNEL_CHECKS
from plugins.distributions.bernoulli import Bernoulli
from plugins.distributions.gaussian import Gaussian
from plugins.distributions.hooks import payoff_register_distributions
from plugins.distributions.poisson import Poisson
from tests.contract.own_loss import CODE, NAME


def test_the_guide_s_file_has_twelve_lines_and_passes_the_kit_compiled_and_kept(tmp_path):
    """ "Compiled kernels are kept": a second start, in a process of its own, compiles nothing."""
    assert len([line for line in CODE.splitlines() if line]) <= 12
    (tmp_path / NAME).write_text(CODE, "utf-8")
    sheet = check_plugin_files(tmp_path / NAME)
    assert sheet.passed, f"\n{sheet}"
    assert set(KERNEL_CHECKS) <= {result.check for result in sheet.results}


def loss_of_text(text: str, path: Path) -> payoff.LossDistribution:
    """The first loss that a file of its own makes."""
    path.write_text(f"import math\nimport payoff\n\n{text}", "utf-8")
    module = runpy.run_path(str(path), run_name=f"own_{path.stem}")
    return next(item for item in module.values() if isinstance(item, payoff.LossDistribution))


SQUARES = """
@payoff.loss("Squares", gradient_factor=0.5)
class Squares:
    def loss(y, f):
        return (y - f) * (y - f)

    def step(y, f):
        if y > f:
            return {above}
        return y - f, 1.0
"""


def test_a_wrong_line_of_a_formula_is_named(tmp_path):
    right = loss_of_text(SQUARES.format(above="y - f, 1.0"), tmp_path / "own.py")
    assert check_distribution(right).passed
    wrong = loss_of_text(SQUARES.format(above="1.1 * (y - f), 1.0"), tmp_path / "own.py")
    sheet = check_distribution(wrong)
    line = next(
        number
        for number, text in enumerate((tmp_path / "own.py").read_text().splitlines(), 1)
        if "1.1" in text
    )
    found = sheet.result("Gradient matches the loss").found
    assert f"(own.py, line {line}, in step)" in found, found
    bent = loss_of_text(SQUARES.format(above="y - f, -1.0"), tmp_path / "own.py")
    found = check_distribution(bent).result("Curvature is never negative").found
    assert f"(own.py, line {line}, in step)" in found, found
    raised = loss_of_text(SQUARES.format(above="math.sqrt(-1.0), 1.0"), tmp_path / "own.py")
    found = check_distribution(raised).result("Gradient matches the loss").found
    assert "ValueError" in found
    assert f"(own.py, line {line})" in found


REFUSED = {
    "no function 'step'": "    def loss(y, f): return 0.0\n",
    "no part 'lose'": "    def lose(y, f): return 0.0\n",
    "'step' of the loss 'own' takes y, score": (
        "    def loss(y, f): return 0.0\n    def step(y, score): return 0.0, 1.0\n"
    ),
    "'step' of the loss 'own' takes y, f, mu": (
        "    def loss(y, f): return 0.0\n    def step(y, f, mu): return 0.0, 1.0\n"
    ),
    "no parameter 'alpha'": (
        "    def loss(y, f): return 0.0\n    def step(y, f): return 0.0, 1.0\n"
        "    leaf = payoff.quantile('alpha')\n"
    ),
}


@pytest.mark.parametrize("words", REFUSED)
def test_a_class_that_is_no_loss_is_refused_in_words(words, tmp_path):
    text = f"@payoff.loss('Own')\nclass Own:\n{REFUSED[words]}"
    with pytest.raises(payoff.PayoffError, match=re.escape(words)):
        loss_of_text(text, tmp_path / "own.py")


def test_a_link_and_a_limit_are_known_words():
    with pytest.raises(payoff.PayoffError, match="no link 'probit'"):
        payoff.loss("Own", link="probit")
    with pytest.raises(payoff.PayoffError, match="no limit 'none'"):
        payoff.log_ratio(max, limit="none")
    with pytest.raises(payoff.PayoffError, match="is no loss"):
        payoff.loss_of(Path)


def test_words_come_from_the_class_where_none_are_given(tmp_path):
    loss = loss_of_text(CODE, tmp_path / NAME)
    assert (loss.id, loss.label) == ("pseudo_huber", "Pseudo-Huber")
    assert loss.help.startswith("Squared for small misses")
    assert loss.formula == "delta * (sqrt(delta * delta + (y - f) * (y - f)) - delta)"
    assert Poisson.formula.startswith("loss −2 w")


def test_every_made_kernel_has_a_name_of_its_own():
    """Compiled code is filed by that name: two losses of one name would take each other's."""
    made = [
        getattr(variant, item.name)
        for spec in payoff_register_distributions()
        for variant in (spec, spec.gbm, spec.gbm_with_offset)
        for item in fields(spec)
        if variant is not None and formula_of(getattr(variant, item.name)) is not None
    ]
    names = {kernel.__qualname__: kernel for kernel in set(made)}
    assert len(names) == len(set(made)) > 60
    assert all(kernel.__qualname__ in names for kernel in made)


def test_two_losses_of_one_shape_are_compiled_apart(tmp_path):
    text = SQUARES.format(above="y - f, 1.0")
    one = loss_of_text(text, tmp_path / "one.py")
    other = loss_of_text(
        text.replace("Squares", "Doubles").replace("(y - f) * (y", "2.0 * (y - f) * (y"),
        tmp_path / "other.py",
    )
    out = np.empty(3)
    given = np.array([1.0, 2.0, 3.0]), np.zeros((1, 3)), np.empty(0), out, 0, 3
    compile_kernel(one.loss)(*given)
    assert out.tolist() == [1.0, 4.0, 9.0]
    compile_kernel(other.loss)(*given)
    assert out.tolist() == [2.0, 8.0, 18.0]


def test_what_is_kept_is_stale_when_any_formula_changes(tmp_path):
    """Start and step are copies of one template's helpers: each is followed to its file."""
    text = SQUARES.format(above="y - f, 1.0")
    before = source_stamp(loss_of_text(text, tmp_path / "own.py").initial_score)
    after = source_stamp(
        loss_of_text(text.replace("y - f, 1.0", "y - f, 2.0"), tmp_path / "own.py").initial_score
    )
    assert before != after


@pytest.mark.parametrize("spec", [Gaussian, Poisson, Bernoulli], ids=lambda spec: spec.id)
def test_strips_end_where_they_should(spec):
    """One position more or less than a strip gives what each position alone gives."""
    for size in (1, STRIP - 1, STRIP, STRIP + 1, 2 * STRIP + 3):
        random = np.random.default_rng(size)
        outcome = random.integers(0, 2, size).astype(float)
        score = random.normal(0.0, 1.0, (1, size))
        found, alone = np.empty((2, 1, size)), np.empty((2, 1, size))
        kernel, empty = compile_kernel(spec.negative_gradient), np.empty(0)
        kernel(outcome, score, empty, found[0], found[1], 0, size)
        for i in range(0, size, 97):
            kernel(outcome, score, empty, alone[0], alone[1], i, i + 1)
            assert found[:, 0, i].tolist() == alone[:, 0, i].tolist()


def test_a_loss_without_rules_finds_start_and_leaves(tmp_path):
    """Balance: the best constant far from 0, with offsets, as plain search finds it."""
    loss = loss_of_text(CODE, tmp_path / NAME)
    random = np.random.default_rng(8)
    outcome, weight = random.standard_t(2, 301) + 5000.0, random.uniform(0.5, 2.0, 301)
    offset, out = random.normal(0.0, 3.0, (1, 301)), np.empty(1)
    stop = np.zeros(1, np.uint8)
    compile_kernel(loss.initial_score)(outcome, weight, offset, np.ones(1), out, stop)
    grid = out[0] + np.array([-1e-3, 0.0, 1e-3])
    miss = outcome - offset[0] - grid[:, np.newaxis]
    total = (weight * np.sqrt(1.0 + miss * miss)).sum(axis=1)
    assert total.argmin() == 1


def test_a_second_fit_of_an_own_loss_compiles_nothing(tmp_path):
    loss = loss_of_text(CODE, tmp_path / NAME)
    random = np.random.default_rng(3)
    matrix = random.normal(size=(400, 3))
    cases = TrainingCases(inputs=inputs_of_matrix(matrix), outcome=matrix[:, 0] ** 2)
    settings = BoostSettings(n_trees=5)
    first = fit(cases, loss, {}, settings)
    before = cache_hits().compiled
    again = fit(cases, loss, {"delta": 0.5}, settings)
    assert cache_hits().compiled == before
    assert not np.array_equal(first.trainer.score, again.trainer.score)


def test_a_file_with_a_metric_and_a_loss_is_one_plugin(tmp_path):
    metric = "\n\n@payoff.metric('Mean')\ndef mean(outcome, score):\n    return score.mean()\n"
    (tmp_path / "both.py").write_text(CODE + metric, "utf-8")
    sheet = check_plugin(tmp_path / "both.py")
    assert {"pseudo_huber", "mean"} <= {result.subject for result in sheet.results}
    assert has_own_loss(CODE)
    assert not has_own_loss(metric)


def test_a_loss_is_pickled_by_its_name():
    """Made kernels stand in no module: a model in a file, or sent to a process, names its loss."""
    poisson = payoff.loss_of(Poisson)
    for loss in (poisson, poisson.gbm, poisson.gbm_with_offset):
        assert pickle.loads(pickle.dumps(loss)) is loss


def test_a_loss_that_stands_nowhere_cannot_be_pickled():
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(replace(payoff.loss_of(Poisson), id="mine"))
