"""Shared by tests of own metric."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from core.engine.client import EngineClient
from core.engine.messages import JobState
from core.engine.options import EngineOptions

GUIDE = (Path(__file__).parent.parent.parent / "docs" / "plugin-guide.md").read_text("utf-8")

SECTION = re.search(r"(?ms)^## Your own metric in five minutes\n(.*?)^## ", GUIDE)[1]

(CODE,) = re.findall(r"(?s)```python\n(.*?)```", SECTION)

(NAME,) = set(re.findall(r"Save it as `(\w+\.py)`", SECTION))

LIMIT = 90


@pytest.fixture
def client(tmp_path):
    (tmp_path / "plugins").mkdir()
    options = EngineOptions(
        store_folder=str(tmp_path / "store"),
        plugin_folder=str(tmp_path / "plugins"),
        quarantine_path=str(tmp_path / "quarantine.json"),
        log_folder=str(tmp_path / "log"),
        warm_up=False,
    )
    made = EngineClient(lambda event: None, options=options)
    made.start()
    yield made
    made.shutdown()


def scored(path):
    random = np.random.default_rng(5)
    probability = np.round(random.beta(1.0, 3.0, 900), 4)
    event = random.random(900) < probability
    rough = np.round(np.clip(probability + random.normal(0, 0.25, 900), 0, 1), 4)
    lines = ["bought,good,rough"]
    lines += [f"{int(e)},{p},{q}" for e, p, q in zip(event, probability, rough, strict=True)]
    path.write_text("\n".join(lines) + "\n")
    return event, probability


def run(client, kind, arguments):
    outcome = client.wait(client.submit(kind, arguments), LIMIT)
    assert outcome.state is JobState.DONE, outcome.error
    return outcome.result
