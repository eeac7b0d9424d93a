"""Parameters of metrics take effect wherever they can be named, and classes have an own order."""

import json

import numpy as np
import pandas as pd
import pytest

import payoff
from core.document.compare.commands import SetMetrics
from core.document.model import MetricChoice
from core.engine.messages import Ask
from core.evaluation.naming import parse_metric
from core.questions.compare import CompareModels
from core.script.session import engine
from main import main
from payoff import PayoffError
from payoff.class_order import own_order
from tests.helpers.factories.evaluation import made_cases

# The ids of the scripting contract, with the parameters they are promised with.
PROMISED = {
    "binary": [
        *("auc", "gini", "ks", "kolmogorov_smirnov", "partial_auc(max_fpr=0.2)"),
        *("h_measure(alpha=2, beta=2)", "average_precision", "log_loss", "brier", "accuracy"),
        *("balanced_accuracy", "precision", "recall", "specificity", "f_beta(beta=2)", "mcc"),
        *("kappa(weights=none)", "kappa(weights=linear)", "kappa(weights=quadratic)", "youden"),
        *("lift_at(depth=0.2)", "captured_at(depth=0.2)", "lift(share=0.5)", "net_benefit"),
        *("calibration_error(bins=5, scheme=quantile)", "calibration_slope"),
        *("hosmer_lemeshow(groups=8, quantile_type=2)", "calibration_intercept"),
        *("brier_reliability", "brier_resolution", "brier_uncertainty", "bernoulli_deviance"),
    ],
    "multiclass": [
        *("log_loss", "brier", "accuracy", "balanced_accuracy", "kappa(weights=linear)"),
        *("macro_auc", "weighted_auc", "hand_till_m"),
    ],
    "regression": [
        *("mse", "rmse", "mae", "median_absolute_error", "r2", "explained_variance", "mape"),
        *("smape", "pinball(alpha=0.9)", "poisson_deviance", "gamma_deviance", "concordance"),
        *("tweedie_deviance(power=1.5)", "crps", "coverage", "width"),
    ],
    "ranking": [
        *("concordance", "mrr", "map", "ndcg(k=5)", "ndcg(gain=exponential)", "ndcg(gain=linear)"),
        *("precision_at(k=3)", "recall_at(k=3)", "expected_reciprocal_rank"),
    ],
    "survival": [
        *("harrell_c", "uno_c(tau=2)", "cox_partial_log_likelihood(ties=efron)"),
        *("brier_at(time=1)", "integrated_brier", "time_dependent_auc(time=1)"),
        *("calibration_at(time=1)",),
    ],
}


def judged(metrics, **settings):
    outcome, probability, other = made_cases(300, 4, (0.4, 1.2))
    data = {"y": outcome, "p": probability, "q": other}
    usual = {"outcome": "y", "scores": ["p", "q"], "intervals": False, "metrics": metrics}
    return payoff.evaluate(data, **{**usual, **settings})


def lift_by_hand(depth):
    outcome, probability, _ = made_cases(300, 4, (0.4, 1.2))
    best = np.argsort(-probability)[: int(depth * 300)]
    return outcome[best].mean() / outcome.mean()


@pytest.mark.parametrize(
    "metrics",
    [
        {"lift_at": {"depth": 0.5}},
        {"lift": {"share": 0.5}},
        {"lift_at": [{"depth": 0.5}]},
        [("lift_at", {"depth": 0.5})],
        ["lift_at(depth=0.5)"],
        "lift( share = 0.5 )",
    ],
)
def test_parameters_take_effect_in_every_form(metrics):
    found = judged(metrics)
    assert len(found.table) == 1
    for name in ("lift_at(depth=0.5)", "lift(share=0.5)", "lift_at", found.table.index[0]):
        assert found.value(name, "p") == pytest.approx(lift_by_hand(0.5), abs=1e-12)


def test_two_variants_of_a_metric_stand_in_the_table_by_their_names():
    found = judged({"lift_at": [{"depth": 0.5}, {"depth": 0.1}], "auc": None})
    assert list(found.table.index) == ["lift_at(depth=0.5)", "lift_at(depth=0.1)", "auc"]
    for depth in (0.5, 0.1):
        name = f"lift(depth={depth})"
        assert found.value(name, "p") == pytest.approx(lift_by_hand(depth), abs=1e-12)
    with pytest.raises(PayoffError, match="several times"):
        found.value("lift_at", "p")
    pair = payoff.compare(found, "p", "q", "lift(share=0.1)")
    assert pair.difference == pytest.approx(
        found.value("lift_at(depth=0.1)", "p") - found.value("lift_at(depth=0.1)", "q")
    )
    variants = judged(["kappa(weights=linear)", "kappa(weights=none)"]).result.metrics
    assert len({info.title for info in variants}) == 2


def test_a_choice_is_given_by_its_word_or_its_place():
    words = judged({"calibration_error": {"edges": "equal count"}})
    alias = judged({"calibration_error": {"scheme": "quantile"}})
    place = judged({"calibration_error": {"edges": 1}})
    usual = judged(["calibration_error"])
    assert words.table.to_numpy() == pytest.approx(place.table.to_numpy(), nan_ok=True)
    assert alias.table.to_numpy() == pytest.approx(place.table.to_numpy(), nan_ok=True)
    assert usual.value("ece", "p") != place.value("calibration_error", "p")


@pytest.mark.parametrize(
    ("metrics", "words"),
    [
        (["acu"], r"no metric 'acu'\. Nearest: auc"),
        ({"lift_at": {"dept": 0.5}}, r"no parameter 'dept'.*Nearest: depth"),
        ({"lift_at": {"depth": 1.5}}, "above 0 and at most 1"),
        ({"lift_at": {"depth": 0.5, "share": 0.5}}, "are one parameter"),
        ({"kappa": {"weights": "liner"}}, r"one of: .*distance \(linear\)"),
        ({"kappa": {"weights": 3}}, "not among"),
        ({"hosmer_lemeshow": {"quantile_type": 10}}, "R type 7"),
        (["lift_at(depth"], "does not name a metric"),
        ([3], "does not name a metric"),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(metrics, words):
    with pytest.raises(PayoffError, match=words):
        judged(metrics)


def test_a_metric_that_was_not_asked_for_is_refused_with_the_nearest():
    found = judged(["brier", "auc"])
    with pytest.raises(PayoffError, match="Nearest: auc"):
        found.value("acu", "p")
    with pytest.raises(PayoffError, match="no score 'x'"):
        found.value("auc", "x")
    with pytest.raises(PayoffError, match=r"no column 'pp'.*Nearest: p"):
        payoff.evaluate({"y": [0, 1], "p": [0.1, 0.2]}, outcome="y", scores="pp")


def test_what_is_given_is_never_silently_passed_over():
    with pytest.raises(PayoffError, match="None of the metrics fits"):
        judged(["rmse"])
    with pytest.raises(PayoffError, match="no level 'yes'"):
        judged(["auc"], event="yes")
    found = judged(["auc"])
    with pytest.raises(PayoffError, match="Nearest: scikit-learn"):
        found.definitions("sklearn")
    with pytest.raises(PayoffError, match="Nearest: roc"):
        found.curve("rok", "p")


def test_names_with_parameters_are_read():
    assert parse_metric("auc") == ("auc", ())
    assert parse_metric("a( b=1, c = 'x, y' ,d=R type 7)") == (
        "a",
        (("b", 1.0), ("c", "x, y"), ("d", "R type 7")),
    )


@pytest.mark.parametrize(("task", "name"), [(t, n) for t, names in PROMISED.items() for n in names])
def test_the_promised_ids_are_there(task, name):
    from core.assembly.compare.evaluating import requested_metric
    from payoff.vocabulary import Task

    metric, given = parse_metric(name)
    choice = MetricChoice(metric=metric, parameters=given)
    request = requested_metric(engine().registry, choice, Task(task))
    assert Task(task) in request.spec.tasks


def test_the_command_line_takes_parameters(tmp_path, capsys):
    outcome, probability, _ = made_cases(300, 4, (0.4, 1.2))
    path = tmp_path / "cases.csv"
    pd.DataFrame({"y": outcome, "p": probability}).to_csv(path, index=False)
    command = ["evaluate", str(path), "--outcome", "y", "--score", "p", "--no-intervals"]
    requested = ["--metric", "lift(share=0.5)", "--metric", "lift(share=0.1)"]
    assert main([*command, *requested]) == 0
    found = {
        entry["metric"]: entry["value"] for entry in json.loads(capsys.readouterr().out)["metrics"]
    }
    assert found["lift(share=0.5)"] == pytest.approx(lift_by_hand(0.5), abs=1e-12)
    assert found["lift(share=0.1)"] == pytest.approx(lift_by_hand(0.1), abs=1e-12)
    assert main([*command, "--metric", "acu"]) != 0
    assert "Nearest: auc" in capsys.readouterr().err


def test_a_document_keeps_parameters_and_is_refused_where_nothing_is_left():
    found = judged(["lift(share=0.5)"])
    again = engine().run("compare.models", _asking(found.document, found.document.metrics))
    assert again.cells[0].estimate.value == found.result.cells[0].estimate.value
    lost = (MetricChoice(metric="acu"), MetricChoice(metric="auc"))
    partly = engine().run("compare.models", _asking(found.document, lost))
    assert [info.metric for info in partly.metrics] == ["auc"]
    assert any("Nearest: auc" in text for text in partly.warnings)
    with pytest.raises(PayoffError, match="Nearest: auc"):
        engine().run("compare.models", _asking(found.document, lost[:1]))
    unfit = engine().run("compare.models", _asking(found.document, (MetricChoice(metric="rmse"),)))
    assert unfit.metrics


def _asking(document, metrics):
    return Ask.of(SetMetrics(metrics=metrics).apply(document), CompareModels(resamples=0))


# ---------------------------------------------------------------- classes in their own order


def test_levels_have_an_order_of_their_own():
    assert own_order(("10", "9", "1.5")) == ("1.5", "9", "10")
    assert own_order(("c", "a", "b")) == ("a", "b", "c")
    assert own_order(("Q10", "Q9")) == ("Q9", "Q10")


def classes(rows=250):
    random = np.random.default_rng(8)
    outcome = random.integers(0, 3, rows)
    probabilities = random.dirichlet([1, 1, 1], rows)
    probabilities[np.arange(rows), outcome] += 0.5
    return outcome, probabilities / probabilities.sum(axis=1, keepdims=True)


@pytest.mark.parametrize(
    ("names", "order"),
    [
        (("a", "b", "c"), ("a", "b", "c")),
        (("9", "10", "1"), ("1", "9", "10")),
        (("mid", "low", "high"), ("high", "low", "mid")),
    ],
)
def test_weighted_kappa_does_not_depend_on_the_event(names, order):
    from sklearn import metrics as sklearn

    outcome, probabilities = classes()
    observed = np.array(names)[outcome]
    predicted = np.array(names)[probabilities.argmax(axis=1)]
    data = {"y": observed, **{name: probabilities[:, place] for place, name in enumerate(names)}}
    for event in names:
        for weights in ("linear", "quadratic"):
            found = payoff.evaluate(
                data,
                outcome="y",
                scores={"m": {name: name for name in names}},
                metrics={"kappa": {"weights": weights}},
                event=event,
                task="multiclass",
                intervals=False,
            )
            wanted = sklearn.cohen_kappa_score(
                observed, predicted, labels=list(order), weights=weights
            )
            assert found.value("kappa", "m") == pytest.approx(wanted, abs=1e-12)
            note = found.result.cells[0].estimate.note
            assert ("in the order" in note) == (not names[0].isdigit())


def test_an_order_can_be_asked_for_or_declared():
    from sklearn import metrics as sklearn

    names = ("low", "mid", "high")
    outcome, probabilities = classes()
    observed, predicted = np.array(names)[outcome], np.array(names)[probabilities.argmax(axis=1)]
    wanted = sklearn.cohen_kappa_score(observed, predicted, labels=list(names), weights="linear")
    data = pd.DataFrame({"y": observed, **{n: probabilities[:, i] for i, n in enumerate(names)}})
    settings = {
        "outcome": "y",
        "scores": {"m": {name: name for name in names}},
        "metrics": "kappa(weights=linear)",
        "intervals": False,
    }
    requested = payoff.evaluate(data, class_order=names, **settings)
    data["y"] = pd.Categorical(observed, categories=names, ordered=True)
    declared = payoff.evaluate(data, **settings)
    for found in (requested, declared):
        assert found.value("kappa", "m") == pytest.approx(wanted, abs=1e-12)
        assert found.result.cells[0].estimate.note == ""
    with pytest.raises(PayoffError, match="does not name each once"):
        payoff.evaluate(data, class_order=("low", "high"), **settings)


def test_ordered_losses_take_the_same_order():
    random = np.random.default_rng(3)
    names = np.array(["low", "mid", "high"])
    x = random.normal(size=200)
    grade = names[np.digitize(x + random.normal(size=200), [-0.5, 0.5])]
    settings = {"target": "y", "features": ["x"], "distribution": "ordinal", "n_trees": 2}
    reported = payoff.boost({"x": x, "y": grade}, **settings)
    assert reported.classes == ("high", "low", "mid")
    assert any("in the order high, low, mid" in text for text in reported.warnings)
    declared = pd.DataFrame({"x": x, "y": pd.Categorical(grade, names, ordered=True)})
    assert payoff.boost(declared, **settings).classes == ("low", "mid", "high")
    requested = payoff.boost({"x": x, "y": grade}, levels={"y": list(names)}, **settings)
    assert requested.classes == ("low", "mid", "high")
    assert requested.warnings == ()
