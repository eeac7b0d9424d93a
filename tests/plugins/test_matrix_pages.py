"""Every worded matrix has a page that says what its spec says."""

from pathlib import Path

import pytest

from plugins.decision_matrices.hooks import payoff_register_decision_matrices

FOLDER = Path(__file__).parent.parent.parent / "docs" / "matrices"
EVERY = payoff_register_decision_matrices()
WORDED = [spec for spec in EVERY if not spec.is_plain]


@pytest.mark.parametrize("spec", WORDED, ids=lambda spec: spec.id)
def test_the_page_of_a_matrix(spec):
    page = (FOLDER / f"{spec.id.removeprefix('payoff.')}.md").read_text("utf-8")
    flowing = " ".join(page.split())
    assert page.startswith(f"# {spec.label} (`{spec.id}`)\n")
    for words in (spec.help, spec.formula, spec.reference):
        assert words.strip()
        assert words in flowing
    for item in spec.parameters:
        assert item.help
        assert f"| `{item.name}` | {item.words} | {item.text(item.default)} | {item.help} |" in page
    for column in spec.columns:
        assert f"`{column.name}` ({column.words}" in page
    for heading in ("When to use it", "Parameters", "Cells", "Worked example"):
        assert f"## {heading}\n" in page


def test_the_list_names_each_matrix_and_no_other():
    listed = (FOLDER / "README.md").read_text("utf-8")
    pages = {path.stem for path in FOLDER.glob("*.md")} - {"README"}
    assert pages == {spec.id.removeprefix("payoff.") for spec in WORDED}
    assert all(f"`{spec.id}`" in listed for spec in EVERY)
