"""No circle of files: two files that need each other are one file, or a third one below both."""

from __future__ import annotations

import grimp
import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components


def circles(*packages: str) -> list[frozenset[str]]:
    """Groups of modules that reach each other by imports, type-only and late ones too."""
    graph = grimp.build_graph(*packages, exclude_type_checking_imports=False, cache_dir=None)
    modules = sorted(graph.modules)
    place = {module: number for number, module in enumerate(modules)}
    pairs = [
        (place[module], place[imported])
        for module in modules
        for imported in graph.find_modules_directly_imported_by(module)
    ]
    rows, columns = np.array(pairs).T
    edges = coo_matrix((np.ones(len(pairs)), (rows, columns)), shape=(len(modules),) * 2)
    _, group = connected_components(edges, connection="strong")
    members = [np.flatnonzero(group == number) for number in np.flatnonzero(np.bincount(group) > 1)]
    return [frozenset(modules[number] for number in found) for found in members]


def test_no_files_of_core_and_payoff_stand_in_a_circle():
    found = circles("core", "payoff")
    assert not found, "\n".join(", ".join(sorted(circle)) for circle in found)


def test_no_files_of_the_window_stand_in_a_circle():
    found = circles("gui")
    assert not found, "\n".join(", ".join(sorted(circle)) for circle in found)


def test_late_and_type_only_imports_count(tmp_path, monkeypatch):
    package = tmp_path / "circling_files"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    names = {
        "above": "from circling_files.below import one\n",
        "below": "def one():\n    from circling_files.third import two\n    return two\n",
        "third": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n"
        "    from circling_files import below\n",
    }
    for name, text in names.items():
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert circles("circling_files") == [
        frozenset({"circling_files.below", "circling_files.third"})
    ]
