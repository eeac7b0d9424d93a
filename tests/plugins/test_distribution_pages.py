"""Every distribution has a page that says what its spec says."""

from pathlib import Path

import pytest

from plugins.distributions.hooks import payoff_register_distributions

FOLDER = Path(__file__).parent.parent.parent / "docs" / "distributions"
SPECS = payoff_register_distributions()


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.id)
def test_the_page_of_a_distribution(spec):
    page = (FOLDER / f"{spec.id}.md").read_text("utf-8")
    for words in (spec.label, spec.help, spec.formula, spec.reference, spec.asks):
        assert words in page
    for parameter in spec.parameters:
        assert f"| `{parameter.name}` | {parameter.words} |" in page
        assert all(choice in page for choice in parameter.choices)
    for heading in ("When to use it", "Target", "How it is fitted", "Edges", "Against R's gbm"):
        assert f"## {heading}\n" in page


def test_the_list_names_each_page_and_no_other():
    listed = (FOLDER / "README.md").read_text("utf-8")
    pages = {path.stem for path in FOLDER.glob("*.md")} - {"README"}
    assert pages == {spec.id for spec in SPECS}
    assert all(f"[`{name}`]({name}.md)" in listed for name in pages)
