"""Own metric in five minutes: this does what the plugin guide says, with the guide's own code."""

from __future__ import annotations

import json
import runpy
from dataclasses import replace

import numpy as np
import pytest

import payoff
from core.document.data.model import ReaderSettings, RowUse
from core.document.model import Document, MetricChoice, Role, RoleAssignment, TargetSpec
from core.engine.messages import Ask, LoadArguments, PluginsArguments
from core.evaluation import EvaluationRequest, MetricRequest
from core.extensions import check_plugin_files
from core.kernels import compile_kernel
from core.questions.compare import CompareModels
from core.script import session
from core.settings import plugin_folder
from main import main
from payoff import CurveRanking, MetricForm, Sample
from payoff.errors import PayoffError
from payoff.own_metric import has_own_metric
from payoff.testing import check_plugin, metric_value
from payoff.testing.checks import KERNEL_CHECKS
from tests.contract.own_metric import CODE, NAME, client, run, scored
from tests.helpers.factories.evaluation import binary_problem, made_cases

__all__ = ["client"]  # the fixture: an engine that keeps running


def test_the_guide_s_file_appears_with_intervals_and_paired_tests(client, tmp_path):
    event, probability = scored(tmp_path / "scored.csv")
    data = run(
        client, "load", LoadArguments(path=str(tmp_path / "scored.csv"), reader=ReaderSettings())
    ).data
    document = Document(
        data=data,
        target=TargetSpec(column="bought", kind="binary", levels=("1", "0")),
        rows_used=RowUse.ALL,
    ).with_roles(
        (
            RoleAssignment(column="bought", role=Role.TARGET),
            RoleAssignment(column="good", role=Role.POSTERIOR, model="good", level="1"),
            RoleAssignment(column="rough", role=Role.POSTERIOR, model="rough", level="1"),
        )
    )
    before = run(client, "plugins", PluginsArguments())
    assert "tjur_r2" not in {info.metric for info in before.metrics}

    (tmp_path / "plugins" / NAME).write_text(CODE, "utf-8")  # the engine keeps running

    after = run(client, "plugins", PluginsArguments(check_again=True))
    (info,) = [info for info in after.metrics if info.metric == "tjur_r2"]
    assert info.title == "Tjur's R²"
    assert info.help == "How much higher the mean chance of events is than that of all other cases."
    assert {p.plugin: p.state for p in after.plugins}["own.tjur_r2"] == "active"

    metrics = (MetricChoice(metric="auc"), MetricChoice(metric="tjur_r2"))
    requested = Ask.of(replace(document, metrics=metrics), CompareModels(resamples=300))
    result = run(client, "compare.models", requested)
    cells = {c.model: c.estimate for c in result.cells if c.metric == "tjur_r2"}
    assert cells["good"].value == pytest.approx(
        probability[event].mean() - probability[~event].mean()
    )
    for found in cells.values():
        assert found.low < found.value < found.high
        assert "200 draws" in found.method
    pair = next(p for p in result.comparisons if p.metric == "tjur_r2")
    assert (pair.first, pair.second) == ("good", "rough")
    assert 0 < pair.p_value <= 1
    assert pair.resamples == 200
    assert next(s for s in result.selections if s.metric == "tjur_r2").winner in ("good", "rough")


def test_the_guide_s_file_passes_the_kit(tmp_path):
    (tmp_path / NAME).write_text(CODE, "utf-8")
    sheet = check_plugin(tmp_path / NAME)
    assert sheet.passed, f"\n{sheet}"


def test_a_metric_that_depends_on_the_order_of_rows_is_told(tmp_path):
    text = (
        "import payoff\n\n@payoff.metric('First half')\n"
        "def first_half(outcome, score):\n    return float(outcome[: len(outcome) // 2].mean())\n"
    )
    (tmp_path / "first_half.py").write_text(text, "utf-8")
    failed = [result.check for result in check_plugin(tmp_path / "first_half.py").failures]
    assert "Row order and ties do not matter" in failed


def test_words_that_are_not_known_are_refused():
    with pytest.raises(payoff.PayoffError, match="There is no direction 'up'"):
        payoff.metric("x", direction="up")(lambda outcome, score: 0.0)
    with pytest.raises(payoff.PayoffError, match="takes a, b"):
        payoff.metric("x")(lambda a, b: 0.0)
    with pytest.raises(payoff.PayoffError, match="There is no task 'ranking'"):
        payoff.metric("x", task="ranking")(lambda outcome, score: 0.0)
    assert has_own_metric("@payoff.metric('x')\n")
    assert not has_own_metric("# payoff.metric is nice\n")


def test_a_number_s_metric_and_one_without_weights():
    @payoff.metric("Largest miss", task="regression", direction="lower", value_range=(0, np.inf))
    def largest_miss(outcome, score):
        return np.abs(outcome - score).max()

    sample = payoff.Sample([1.0, 4.0], [1.5, 2.0])
    assert largest_miss.compute(sample, {}) == 2.0
    assert largest_miss.weights == payoff.WeightMeaning.NONE
    assert largest_miss.help == "Largest miss"


ROW = """
import payoff

LIMIT = payoff.Parameter(name="limit", words="a large miss", default=0.5, minimum=0.0)


@payoff.metric("Miss beyond {limit}", direction="lower", task="TASK", parameters=(LIMIT,))
def beyond(y, p, limit):
    \"\"\"Mean of what a miss has beyond the limit.\"\"\"
    return max(abs(y - p) - limit, 0.0)
"""


@pytest.mark.parametrize("task", ["binary", "regression"])
def test_a_metric_of_one_case_is_a_compiled_mean(task, tmp_path):
    """It passes the kit, compiled and kept, and gives the plain mean, weights and parameter too."""
    path = tmp_path / "beyond.py"
    path.write_text(ROW.replace("TASK", task), "utf-8")
    sheet = check_plugin_files(path)
    assert sheet.passed, f"\n{sheet}"
    assert set(KERNEL_CHECKS) <= {result.check for result in sheet.results}
    metric = runpy.run_path(str(path), run_name="own_beyond")["beyond"]
    assert metric.form is MetricForm.ROW_MEAN
    random = np.random.default_rng(4)
    outcome = random.integers(0, 2, 50).astype(float)
    score, weight = np.round(random.uniform(size=50), 3), random.uniform(0.5, 2.0, 50)
    wanted = np.average(np.maximum(np.abs(outcome - score) - 0.25, 0.0), weights=weight)
    contribution, factor = np.empty((1, 50)), np.empty((1, 50))
    codes = (1 - outcome).astype(np.int32) if task == "binary" else outcome
    given = codes, np.vstack([score, 1 - score]), np.array([0.25]), contribution, factor, 0, 50
    compile_kernel(metric.rows)(*given)
    assert np.average(contribution[0], weights=weight * factor[0]) == pytest.approx(wanted)


def test_a_metric_of_all_cases_takes_parameters_too():
    limit = payoff.Parameter(name="limit", words="limit", default=0.5)

    @payoff.metric("Share above {limit}", parameters=(limit,))
    def above(outcome, score, weight, limit):
        """Share of cases above a limit."""
        return weight[score > limit].sum() / weight.sum()

    sample = Sample(["1", "0", "0"], [0.9, 0.6, 0.2], labels=("1", "0"))
    assert metric_value(above, sample) == pytest.approx(2 / 3)
    assert metric_value(above, sample, {"limit": 0.7}) == pytest.approx(1 / 3)
    with pytest.raises(payoff.PayoffError, match="takes y, p, other"):
        payoff.metric("No", parameters=(limit,))(lambda y, p, other: 0.0)


RANKED = """
import payoff

SLOPE = payoff.Parameter(name="slope", words="slope", default=1.0, minimum=0.5, maximum=4.0)


@payoff.metric("Own AUC", area_slope=1.0, value_range=(0, 1), random_value=0.5, perfect_value=1.0)
def own_auc(events, others):
    \"\"\"Area under the ROC curve.\"\"\"
    area, event, other = 0.0, 0.0, 0.0
    for g in range(events.shape[0]):
        area += (others[g] - other) * (event + events[g])
        event, other = events[g], others[g]
    return 0.5 * area / (event * other)


@payoff.metric("Found in the best {slope}", parameters=(SLOPE,), value_range=(0, 4))
def most_found(events, others, slope):
    \"\"\"Largest share of events found less that of others, times a number.\"\"\"
    most = 0.0
    for g in range(events.shape[0]):
        most = max(most, events[g] / events[-1] - others[g] / others[-1])
    return most * slope


@payoff.curve("How many are found?", x="acted on", y="found", axis="depth", parameters=(SLOPE,))
def own_gains(depth, found, others, slope):
    \"\"\"Share of events found, times a number.\"\"\"
    return depth, slope * found
"""


@pytest.fixture(scope="module")
def ranked_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("ranked") / "ranked_own.py"
    path.write_text(RANKED, "utf-8")
    return path


def test_metrics_and_a_curve_of_a_ranking_pass_the_kit(ranked_file):
    sheet = check_plugin_files(ranked_file)
    assert sheet.passed, f"\n{sheet}"
    assert set(KERNEL_CHECKS) <= {result.check for result in sheet.results}


def test_a_third_party_s_area_has_the_interval_of_the_built_in_one(ranked_file):
    """Value, DeLong's limits and the resampled ones, to the last digit; weights and ties too."""
    own = runpy.run_path(str(ranked_file), run_name="ranked_own")
    outcome, probability = made_cases(2_000, 3)
    weight = np.random.default_rng(4).uniform(0.5, 2.0, 2_000)
    metrics = ["auc", MetricRequest(spec=own["own_auc"]), MetricRequest(spec=own["most_found"])]
    models = {"m": np.round(probability, 2), "n": probability}
    problem = binary_problem(outcome, models, [*metrics, "ks"], resamples=100, frequency=weight)
    evaluation = EvaluationRequest(problem)
    cells = {(cell.metric, cell.model): cell.estimate for cell in evaluation.result.cells}
    for model in models:
        built_in, theirs = cells["auc", model], cells["own_auc", model]
        assert (built_in, built_in.method) == (theirs, "DeLong")
        assert cells["most_found", model].value == cells["ks", model].value
    pair = evaluation.compare("m", "n", "own_auc")
    assert replace(pair, metric="auc") == evaluation.compare("m", "n", "auc")


def test_a_curve_of_a_ranking_is_asked_for_the_cases_and_every_draw(ranked_file):
    own = runpy.run_path(str(ranked_file), run_name="ranked_own")["own_gains"]
    depth = np.linspace(0.0, 1.0, 5)
    found = np.array([0.0, 0.6, 0.8, 0.9, 1.0])
    whole = CurveRanking(depth=depth, found=found, others=depth, event_share=0.2)
    x, y = own.trace(whole, {"slope": 2.0})
    np.testing.assert_array_equal(y, 2.0 * found)
    two = replace(whole, found=np.vstack([found, found**2]), others=np.vstack([depth, depth]))
    xs, ys = own.trace(two, {"slope": 2.0})
    np.testing.assert_array_equal(xs, [x, x])
    np.testing.assert_array_equal(ys, [y, 2.0 * found**2])


def test_a_ranking_needs_classes():
    with pytest.raises(payoff.PayoffError, match="its outcome is a number"):
        payoff.metric("No", task="regression")(lambda events, others: 0.0)


AMOUNT = """
import payoff

LOAN = payoff.DataColumn(name="loan", words="amount of the loan")
SHARE = payoff.Parameter(name="share", words="share lost", default=0.5, minimum=0.0, maximum=1.0)


@payoff.metric(
    "Lost of {loan}", direction="lower", task="TASK", columns=(LOAN,), parameters=(SHARE,)
)
def lost(y, p, loan, share):
    \"\"\"Mean amount of misses.\"\"\"
    return share * loan * abs(y - p)
"""


def write_amount(folder, task="binary"):
    path = folder / "lost.py"
    path.write_text(AMOUNT.replace("TASK", task), "utf-8")
    return path


@pytest.mark.parametrize("task", ["binary", "regression"])
def test_a_metric_of_one_case_reads_a_column(task, tmp_path):
    path = write_amount(tmp_path, task)
    sheet = check_plugin_files(path)
    assert sheet.passed, f"\n{sheet}"
    metric = runpy.run_path(str(path), run_name="own_lost")["lost"]
    loan, p = np.array([10.0, 20.0]), np.array([[0.25, 0.5], [0.75, 0.5]])
    y = np.array([0, 1], np.int32) if task == "binary" else np.array([1.0, 0.0])
    contribution, factor = np.empty((1, 2)), np.empty((1, 2))
    compile_kernel(metric.rows)(y, p, np.array([0.5]), loan, contribution, factor, 0, 2)
    np.testing.assert_array_equal(contribution, [[3.75, 5.0]])


def test_a_column_that_is_not_there_or_has_gaps_is_said(tmp_path):
    spec = runpy.run_path(str(write_amount(tmp_path)), run_name="own_lost")["lost"]
    outcome, probability = made_cases(200, 3)
    loan = np.linspace(1.0, 5.0, 200)
    gappy = np.where(loan < 1.5, np.nan, loan)
    extras = {"column paid": loan, "column gappy": gappy}
    names = (("loan", "paid"),), (("loan", "gappy"),), ()
    metrics = [MetricRequest(spec=spec, parameters=given) for given in names]
    problem = replace(binary_problem(outcome, {"m": probability}, metrics), extras=extras)
    result = EvaluationRequest(problem).result
    notes = {cell.metric: cell.estimate.note for cell in result.cells}
    assert notes["lost(loan=gappy)"] == "The column 'gappy' has no number in 25 cases."
    assert "amount of the loan; 'loan' is none" in notes["lost"]
    (cell,) = (cell for cell in result.cells if cell.metric == "lost(loan=paid)")
    wanted = np.mean(0.5 * loan * np.abs(outcome - probability))
    assert cell.estimate.value == pytest.approx(wanted)
    titles = [info.title for info in result.metrics]
    assert titles == ["Lost of paid", "Lost of gappy", "Lost of loan"]


def test_script_and_verb_choose_the_column(tmp_path, monkeypatch):
    """The value is the mean by hand; the same key names it at both doors."""
    home = tmp_path / "home"
    monkeypatch.setenv("PAYOFF_HOME", str(home))
    monkeypatch.setattr(session, "_engines", {})
    folder = plugin_folder()
    folder.mkdir(parents=True)
    write_amount(folder)
    table = tmp_path / "cases.csv"
    loan = np.arange(40) * 2.5
    p = (np.arange(40) % 9 + 1) / 10
    y = np.arange(40) % 3 == 0
    lines = [f"{int(a)},{b},{c}" for a, b, c in zip(y, p, loan, strict=True)]
    table.write_text("\n".join(["default,chance,paid", *lines]) + "\n", "utf-8")
    requested = "lost(loan=paid, share=0.25)"
    made = payoff.evaluate(
        table, outcome="default", event=1, scores={"m": "chance"}, metrics=[requested]
    )
    wanted = np.mean(0.25 * loan * np.abs(y - p))
    assert made.value(requested, "m") == pytest.approx(wanted)
    assert made.document.metrics[0].parameters == (("loan", "paid"), ("share", 0.25))
    out = tmp_path / "answer.json"
    reported = [
        "--score",
        "m=chance",
        "--metric",
        "lost(loan=paid, share=0.25)",
        "--json",
        str(out),
    ]
    assert main(["evaluate", str(table), "--outcome", "default", *reported]) == 0
    (cell,) = json.loads(out.read_text("utf-8"))["metrics"]
    assert (cell["metric"], cell["value"]) == (requested, made.value(requested, "m"))


def test_one_column_at_most():
    two = tuple(payoff.DataColumn(name=name, words=name) for name in ("a", "b"))
    with pytest.raises(payoff.PayoffError, match="reads one column"):
        payoff.metric("No", columns=two)


WRONG = {
    "rows": """
@payoff.metric("Off", direction="lower", task="regression", value_range=(0, 1))
def off(y, p):
    miss = y - p
    return miss * 1000.0  # here
""",
    "ranking": """
@payoff.metric("Off", value_range=(0, 1))
def off(events, others):
    total = 0.0
    for g in range(events.shape[0]):
        total += events[g]
    return total + 5.0  # here
""",
    "all": """
@payoff.metric("Off", value_range=(0, 1))
def off(outcome, score, weight):
    total = (weight * score).sum()
    return total + 5.0  # here
""",
}


@pytest.mark.parametrize("form", WRONG)
def test_the_kit_names_the_line_of_a_metric_that_is_wrong(form, tmp_path):
    path = tmp_path / "off.py"
    text = "import payoff\n" + WRONG[form]
    path.write_text(text, "utf-8")
    line = next(n for n, words in enumerate(text.splitlines(), 1) if "# here" in words)
    sheet = check_plugin_files(path)
    found = {result.check: result.found for result in sheet.failures}
    (words,) = (described for check, described in found.items() if check.startswith("Values lie"))
    assert f"(off.py, line {line}, in off)" in words, words


def test_a_case_may_say_how_much_it_counts():
    """Precision and Youden's J as pairs; three means and what is made of them."""
    y = np.array([0, 0, 1, 1, 0, 1], dtype=np.int32)  # code 0 is the event
    p = np.array([[0.9, 0.2, 0.8, 0.1, 0.6, 0.5]])
    p = np.concatenate([p, 1.0 - p])
    empty = np.zeros((3, 6)), np.zeros((3, 6))

    @payoff.metric("Pair")
    def pair(y, p):
        return y, 1.0 if p >= 0.5 else 0.0

    @payoff.metric("Three", combine=lambda means, parameters: means[0])
    def three(y, p):
        return y, p, 1.0

    @payoff.metric("Two pairs", combine=lambda means, parameters: means[0])
    def two_pairs(y, p):
        return (p, y), (p, 1.0 - y)

    events, taken = (y == 0).astype(float), (p[0] >= 0.5).astype(float)
    wanted = {
        pair: ([events], [taken]),
        three: ([events, p[0], np.ones(6)], [np.ones(6)] * 3),
        two_pairs: ([p[0], p[0]], [events, 1.0 - events]),
    }
    for metric, (figures, counts) in wanted.items():
        to, factor = (np.array(array[: metric.n_means]) for array in empty)
        metric.rows(y, p, np.zeros(0), to, factor, 0, 6)
        assert metric.n_means == len(figures)
        np.testing.assert_array_equal(to, figures)
        np.testing.assert_array_equal(factor, counts)


def test_what_a_case_may_not_answer_is_refused():
    with pytest.raises(PayoffError, match="returns"):
        payoff.metric("No")(lambda y, p: (y, p, 1.0))
    with pytest.raises(PayoffError, match="combine"):
        payoff.metric("No", combine=lambda means, parameters: means[0])(lambda outcome, score: 0.0)


def test_a_ranking_of_events_alone():
    @payoff.metric("Ends", needs_others=False)
    def ends(events, others):
        return others[-1]

    @payoff.metric("Ends")
    def both(events, others):
        return others[-1]

    events, others, out = np.array([[1.0, 2.0]]), np.zeros((1, 2)), np.full(1, 5.0)
    ends.ranked(events, others, np.zeros(0), out, 0, 1)
    assert out[0] == 0.0
    both.ranked(events, others, np.zeros(0), out, 0, 1)
    assert np.isnan(out[0])
