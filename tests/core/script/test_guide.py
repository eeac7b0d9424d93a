"""The guide "From scores to money": its Python runs and gives the figures that it names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import payoff
from core import data as tables
from core.document.files.project import Headline, save_project

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "from-scores-to-money.md"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("guide")
    path = tables.write_sample(str(folder))
    return save_project(folder / "spring.payoff", tables.sample_document(path), Headline())


def test_the_lines_of_the_guide_give_its_figures(
    sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = GUIDE.read_text(encoding="utf-8")
    _, code = re.findall(r"```python\n(.*?)```", text, re.DOTALL)  # the first: loans of no file
    monkeypatch.chdir(sample.parent)
    names: dict[str, Any] = {}
    exec(compile(code, str(GUIDE), "exec"), names)
    points = names["customers"].points
    assert f"# {points.min():.0f} to {points.max():.0f}" in code
    fitted, decided = names["fitted"], names["decided"]
    assert f"# '{fitted.method}'" in code
    losses = fitted.comparison["log_loss"]
    assert f"log loss {losses['logistic']:.4f}, {losses['by bands']:.4f} by bands" in code
    shown = ", ".join(
        f"{100 * probability:.1f} %" for probability in fitted.apply([500, 520, 540, 560])
    )
    assert shown in code
    assert f"{decided.expected_total:,.0f} promised, {decided.total:,.0f} realised" in code
    assert f"{decided.counts['Mail'].sum():,.0f} instead of" in text


def test_the_table_and_the_list_of_the_guide(sample: Path) -> None:
    text = GUIDE.read_text(encoding="utf-8")
    project = payoff.open_project(sample)
    for model in project.decide().models:
        row = next(line for line in text.splitlines() if line.startswith(f"| {model.model} |"))
        assert f"{model.expected_total:,.0f}" in row
        assert f"{model.total.value:,.0f}" in row
    listed = project.expect(50_000)
    for estimate in (listed.total, dict(listed.counts)["Mail"]):
        span = f"({estimate.low:,.0f} to {estimate.high:,.0f})"
        assert span in text
