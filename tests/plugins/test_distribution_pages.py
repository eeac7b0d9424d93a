"""Every distribution has a page in docs/distributions, and the page says what the plugin says."""

from pathlib import Path

import pytest

from payoff.vocabulary import ParameterKind
from plugins.distributions.hooks import payoff_register_distributions

PAGES = Path(__file__).parents[2] / "docs" / "distributions"
BUILT_IN = payoff_register_distributions()


def cell(parameter):
    """The default as a page writes it."""
    if parameter.kind == ParameterKind.CHOICE:
        return parameter.choices[int(parameter.default)]
    return f"{parameter.default:g}"


def test_there_is_a_page_for_each_and_none_besides():
    pages = {path.stem for path in PAGES.glob("*.md")} - {"README"}
    assert pages == {spec.id for spec in BUILT_IN}
    contents = (PAGES / "README.md").read_text("utf-8")
    for spec in BUILT_IN:
        assert f"[`{spec.id}`]({spec.id}.md)" in contents, spec.id


@pytest.mark.parametrize("spec", BUILT_IN, ids=lambda spec: spec.id)
def test_the_page_says_what_the_plugin_says(spec):
    text = (PAGES / f"{spec.id}.md").read_text("utf-8")
    lines = text.splitlines()
    assert lines[0] == f"# {spec.label} (`{spec.id}`)"
    for words in (spec.help, spec.formula, spec.reference):
        assert " ".join(words.split()) in " ".join(text.split()), words
    rows = [[part.strip() for part in line.split("|")[1:-1]] for line in lines if line[:1] == "|"]
    shown = {row[0].strip("`"): row[1:] for row in rows if len(row) == 4}
    for parameter in spec.parameters:
        assert shown[parameter.name][:2] == [parameter.words, cell(parameter)], parameter.name
    for heading in ("## When to use it", "## Target", "## How it is fitted", "## Against R's gbm"):
        assert heading in text, heading
