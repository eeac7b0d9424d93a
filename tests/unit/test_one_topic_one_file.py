"""One topic, one file: a file that one neighbour alone imports, or half a class, says why it is."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import payoff
from tests.helpers.sources import nodes, text_of

ROOT = Path(__file__).parents[2]

OWN_FILES: dict[str, str] = {
    "core.assembly.models.one_case": "explains a case as it is; what if is asked apart",
    "core.scale.evaluation.figures": "with evaluation over 600 lines",
    "core.script.command_line.cluster_verbs": "starts without data, models and reports",
    "core.script.command_line.picture": "with verbs over 800 lines",
    "core.script.command_line.pieces": "with verbs over 850 lines",
    "core.script.evaluate.in_pieces": "with evaluation over 700 lines; it reads otherwise",
    "core.boosting.growing.bin_search": "with histograms over 1,000 lines",
    "core.boosting.growing.exact": "one of two growers; growers stands before both",
    "core.boosting.growing.histograms": "with its kernels over 1,000 lines",
    "core.boosting.importers.lightgbm_files": "one format a file",
    "core.boosting.importers.xgboost_files": "one format a file",
    "core.boosting.growing.record_histograms": "with histograms over 1,000 lines",
    "core.data.roles.outcomes": "with guessing over 600 lines",
    "core.data.roles.posteriors": "with guessing over 1,400 lines",
    "core.data.roles.predicted_classes": "with posteriors over 800 lines",
    "core.data.text.encoding": "characters are another topic than the cut of lines",
    "core.data.text.header": "with dialect and encoding over 800 lines",
    "core.engine.precompile": "what an engine does by itself, beside its loop",
    "core.engine.worker": "imported late: the window imports process, which is to stay light",
    "core.kernels.cluster_setup": "imported late: distributed is, where a cluster is named",
    "core.kernels.kernel_files": "which files of a kernel there are; the cache keeps them",
    "core.presentation.report.committee": "with entries over 700 lines",
    "core.script.boost.survival": "with model over 800 lines",
    "core.script.command_line.author_verbs": "starts without data, models and reports",
    "core.script.command_line.boosting_verbs": "with verbs over 1,100 lines",
    "core.script.command_line.verbs": "imported late: program starts without data and models",
    "core.script.command_line.warm_up": "imported late: other verbs start without it",
    "core.script.decide.tables": "with decisions over 800 lines",
}
"""Files that one file of their own folder alone imports -> why they are files."""

OWN_BASES: dict[str, str] = {}
"""Classes that are there for one class below them -> why the two are two."""


def modules(root: Path, package: str) -> dict[str, str]:
    """Sources of modules of a package by dotted name; packages' own files are left out."""
    return {
        ".".join(path.relative_to(root).with_suffix("").parts): text_of(path)
        for path in sorted((root / package).rglob("*.py"))
        if path.name != "__init__.py"
    }


def imported(source: str) -> set[str]:
    """Every dotted name that a module may import, late and type-only imports too."""
    found: set[str] = set()
    for node in nodes(source):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def with_one_importer(root: Path, package: str, *others: str) -> dict[str, str]:
    """Module of a package -> the only module that imports it, where both are in one folder.

    ``others``: packages that may import it too. What a package's own file serves on has its
    importers behind that door: it is left out.
    """
    sources = modules(root, package)
    served = {f"core.script.{room}" for room in payoff._SCRIPTS}
    for path in (root / package).rglob("__init__.py"):
        served |= imported(text_of(path))
    importers: dict[str, set[str]] = defaultdict(set)
    every = sources | {
        name: source for other in others for name, source in modules(root, other).items()
    }
    for module, source in every.items():
        for name in imported(source) & sources.keys():
            importers[name].add(module)
    return {
        module: next(iter(found))
        for module, found in importers.items()
        if len(found) == 1
        and module not in served
        and next(iter(found)).rpartition(".")[0] == module.rpartition(".")[0]
    }


def cut_classes(root: Path, package: str) -> set[str]:
    """Classes that one class alone inherits and nothing else names."""
    bases: dict[str, set[str]] = defaultdict(set)
    uses: dict[str, int] = defaultdict(int)
    own: set[str] = set()
    for source in modules(root, package).values():
        for node in nodes(source):
            if isinstance(node, ast.ClassDef):
                own.add(node.name)
                for base in node.bases:
                    name = base.value if isinstance(base, ast.Subscript) else base
                    if isinstance(name, ast.Name):
                        bases[name.id].add(node.name)
            elif isinstance(node, ast.Name):
                uses[node.id] += 1
    return {base for base, below in bases.items() if base in own and len(below) == uses[base] == 1}


def test_a_file_with_one_importer_beside_it_has_a_reason():
    found = with_one_importer(ROOT, "core", "gui", "payoff")
    new = {module: by for module, by in found.items() if module not in OWN_FILES}
    assert not new, "join each with the file that imports it, or say here why it is one"
    assert set(OWN_FILES) <= set(found), "these reasons are of no file any more"


def test_no_class_is_cut_in_two():
    found = cut_classes(ROOT, "core") | cut_classes(ROOT, "gui")
    assert found == set(OWN_BASES), "one class, or a reason why the two are two"


MOST_ENTRIES = 20
"""Of a folder of core or of the window: more are not taken in at a glance."""


def entries_of_folders(root: Path, package: str) -> dict[str, int]:
    """Folder of a package -> its files and folders of Python, its own file not counted."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in (root / package).rglob("*.py"):
        parts = path.relative_to(root).parts
        for depth in range(1, len(parts)):
            found["/".join(parts[:depth])].add(parts[depth])
    return {folder: len(names - {"__init__.py"}) for folder, names in found.items()}


def test_a_folder_is_taken_in_at_a_glance():
    found = entries_of_folders(ROOT, "core") | entries_of_folders(ROOT, "gui")
    assert {folder: n for folder, n in found.items() if n > MOST_ENTRIES} == {}


def test_a_file_cut_off_and_half_a_class_are_seen(tmp_path):
    folder = tmp_path / "cut"
    folder.mkdir()
    (folder / "__init__.py").write_text("from cut.door import served\n", encoding="utf-8")
    texts = {
        "door": "from cut.half import Half\n\n\nclass served(Half): ...\n",
        "half": "class Half: ...\n",
        "shared": "ONE = 1\n",
        "one": "from cut.shared import ONE\n",
        "two": "def late():\n    from cut import shared\n    return shared\n",
    }
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    assert with_one_importer(tmp_path, "cut") == {"cut.half": "cut.door"}
    assert cut_classes(tmp_path, "cut") == {"Half"}
    assert entries_of_folders(tmp_path, "cut") == {"cut": 5}
