"""The scripting face and the verb of experiments and bounds."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import payoff
from core.document.experiments.files import load_experiment
from main import main
from payoff import PayoffError

QUICK = {"synthetic_rows": 200, "systems": 1, "splits": 2}


def test_error_bound():
    losses = np.tile([0.0, 0.0, 0.0, 1.0], 25)
    low, high = payoff.error_bound(losses, method="clopper_pearson")
    assert (low, high) == (0.0, pytest.approx(stats.beta.ppf(0.95, 26, 75)))
    low, high = payoff.error_bound(losses, method="hoeffding", sided="two", models_compared=3)
    assert low < 0.25 < high
    with pytest.raises(PayoffError, match="sided"):
        payoff.error_bound(losses, method="kl", sided="left")
    with pytest.raises(PayoffError, match="trained the model"):
        payoff.error_bound(losses, method="kl", trained_on=True)
    assert payoff.cases_needed(0.01) == 14_979


def frame(rows=400):
    draw = np.random.default_rng(1)
    probability = draw.random(rows)
    return pd.DataFrame(
        {
            "outcome": np.where(draw.random(rows) < probability, "yes", "no"),
            "good": probability,
            "poor": np.clip(probability + 0.3 * draw.standard_normal(rows), 0, 1),
            "site": np.repeat(np.arange(rows // 4), 4),
        }
    )


def test_bound_of_models():
    data = frame()
    found = payoff.bound(data, outcome="outcome", scores=["good", "poor"])
    table = found.table.set_index(["model", "method"])
    loss = (data["good"] - (data["outcome"] == "yes")) ** 2
    row = table.loc["good", "betting"]
    assert row["mean"] == pytest.approx(loss.mean())
    assert row["high"] == pytest.approx(
        payoff.error_bound(loss, method="betting", models_compared=2)[1]
    )
    assert row["high"] < table.loc["poor", "betting"]["high"]
    assert any("best of 2" in line for line in found.conditions("good"))
    wrong = payoff.bound(data, outcome="outcome", scores="good", loss="zero_one").table
    assert wrong["method"].tolist() == ["clopper_pearson", "hoeffding"]
    by_site = payoff.bound(data, outcome="outcome", scores="good", cluster="site").table
    assert by_site["n"].tolist() == [100] * 3


def _scored():
    draw = np.random.default_rng(4)
    score = draw.random(60)
    return pd.DataFrame({"p": score, "y": (draw.random(60) < score).astype(int)})


def test_cases_needed_for_a_margin():
    table = payoff.bound(
        _scored(), outcome="y", scores=["p"], methods=["hoeffding", "betting"], margin=0.01
    ).table
    assert table["needed"].tolist() == [14_979, 0]  # betting follows losses that are to come


def test_bound_of_a_number():
    data = pd.DataFrame({"y": np.arange(50.0), "p": np.arange(50.0) + np.tile([1.0, -2.0], 25)})
    plain = payoff.bound(data, outcome="y", scores="p", task="regression")
    assert not plain.table["is_valid"].any()
    ranged = payoff.bound(data, outcome="y", scores="p", task="regression", loss_range=(0, 10))
    assert ranged.table["is_valid"].all()
    narrow = payoff.bound(data, outcome="y", scores="p", task="regression", loss_range=(0, 2))
    assert "outside 0 to 2" in narrow.refusals["p"]


def test_experiment():
    table = payoff.experiment("sepsis", **QUICK, learners=["linear", "logistic"])
    assert len(table) == 3 * 2 * 2
    assert table["method"].unique().tolist() == ["sigmoid", "arctan", "gaussian"]
    assert table.attrs["experiment"].is_whole
    boosted = payoff.experiment(
        "ad_conversion", **QUICK, samplers=["gaussian"], learners=["boosting:gaussian"]
    )
    assert np.isfinite(boosted["error"]).all()
    with pytest.raises(PayoffError, match="no part 'size'"):
        payoff.experiment("sepsis", size=3)
    with pytest.raises(PayoffError, match="no protocol"):
        payoff.experiment("weather")


def test_experiment_on_a_frame():
    draw = np.random.default_rng(0)
    data = pd.DataFrame({"stay_id": range(100), "age": draw.normal(60, 9, 100)})
    data["survived"] = (draw.random(100) < 0.7).astype(int)
    table = payoff.experiment("sepsis", data, systems=1, splits=1)
    assert table["n_test"].tolist() == [20] * 3


def test_verb(tmp_path, capsys):
    out = tmp_path / "run"
    given = ["experiment", "sepsis", "--rows", "200", "--systems", "1", "--splits", "2"]
    given += ["--sampler", "gaussian", "--learner", "linear", "--bound", "kl", "--out", str(out)]
    assert main([*given, "--journal", str(tmp_path / "runs")]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["runs"] == answer["wanted"] == 2
    assert answer["groups"][0]["sampler"] == "gaussian"
    found = load_experiment(answer["files"][0])
    assert found.runs.count == 2
    assert (tmp_path / "runs").read_text("utf-8").count("\n") == 3
    assert main(["experiment", "sepsis", "--rows", "200", "--learner", "magic"]) == 2
    assert "magic" in capsys.readouterr().err


def test_parameters_of_a_system(capsys):
    """By name, words for choices; the older word "sharpness" means the parameter of that name."""
    parts = {"synthetic_rows": 25, "systems": 1, "samplers": ["gaussian"], "learners": ["linear"]}
    plain = payoff.experiment("stock_timing", **parts, system="trading")
    values = {"cost": 0.5, "price": "close of the day before"}
    expensive = payoff.experiment(
        "stock_timing", **parts, system="trading", system_parameters=values
    )
    spec = expensive.attrs["experiment"].spec
    assert spec.system_parameters == (("cost", 0.5), ("price", 1.0))
    assert expensive["error"][0] != plain["error"][0]
    assert any("most capital" in line for line in expensive.attrs["experiment"].conditions)
    late = {"price": "close of the day"}  # would look ahead
    with pytest.raises(PayoffError, match="not possible for 'Price of a trade'"):
        payoff.experiment("stock_timing", **parts, system="trading", system_parameters=late)
    given = ["experiment", "sepsis", "--rows", "100", "--systems", "1", "--splits", "1"]
    given += ["--sampler", "gaussian", "--learner", "linear", "--system", "linear_noise"]
    assert main([*given, "--system-parameter", "sharpness=3"]) == 0
    new = json.loads(capsys.readouterr().out)
    assert main([*given, "--sharpness", "3"]) == 0
    assert json.loads(capsys.readouterr().out)["groups"] == new["groups"]
    assert main([*given, "--system-parameter", "sharpness"]) == 2
    assert "NAME=VALUE" in capsys.readouterr().err


def test_trees_in_other_processes():
    """Distributions go along to the workers, and the table is that of threads."""
    parts = {"synthetic_rows": 80, "systems": 1, "splits": 2, "samplers": ["gaussian"]}
    parts["learners"] = ["boosting:gaussian"]
    ours = payoff.experiment("sepsis", **parts)
    theirs = payoff.experiment("sepsis", **parts, backend="processes")
    assert np.array_equal(ours["error"], theirs["error"])


def test_115_killed_headless_and_gone_on(tmp_path, capsys):
    """kill -9 in the middle; the same command goes on, to the table of a run left in peace."""
    journal = tmp_path / "runs"
    given = ["experiment", "sepsis", "--rows", "500", "--systems", "20", "--splits", "20"]
    given += ["--sampler", "gaussian"]
    command = [sys.executable, "-m", "payoff", *given, "--journal", str(journal)]
    root = Path(payoff.__file__).parents[1]
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=root, stdout=nowhere, stderr=nowhere)

    def kept():
        return journal.read_bytes().count(b"\n") - 1 if journal.exists() else 0

    try:
        end = time.monotonic() + 120
        while kept() < 20 and process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
    finally:
        process.send_signal(signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
        process.wait(30)
    before = kept()
    assert 20 <= before < 400
    lines = journal.read_text("utf-8").splitlines()[: before + 1]
    assert main([*given, "--journal", str(journal)]) == 0
    resumed = json.loads(capsys.readouterr().out)
    assert journal.read_text("utf-8").splitlines()[: len(lines)] == lines
    assert resumed["runs"] == 400
    assert main(given) == 0
    assert json.loads(capsys.readouterr().out)["groups"] == resumed["groups"]


@pytest.mark.soak
@pytest.mark.filterwarnings("ignore")  # of the cluster's own making
def test_the_verb_on_a_local_dask_cluster(capsys):
    from distributed import LocalCluster

    given = ["experiment", "sepsis", "--rows", "100", "--systems", "2", "--splits", "2"]
    given += ["--learner", "linear"]
    assert main(given) == 0
    ours = json.loads(capsys.readouterr().out)
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        assert main([*given, "--backend", "dask", cluster.scheduler_address]) == 0
    theirs = json.loads(capsys.readouterr().out)
    assert (theirs["runs"], theirs["groups"]) == (12, ours["groups"])
