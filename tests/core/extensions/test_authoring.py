"""New plugins from the template pass at once; packed ones are installed as they were packed."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import main
from core.extensions import Registry, check_plugin_files
from core.extensions.authoring import ENTRIES, new_plugin, pack_plugin
from core.extensions.installing import install, preview_plugins
from payoff import PayoffError
from payoff.hooks import HOOKS
from payoff.manifest import read_manifest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    into = tmp_path_factory.mktemp("authors")
    return {kind: new_plugin(kind, f"Near {kind}", into, author='A "B" C') for kind in ENTRIES}


def test_there_is_a_template_of_every_family(made):
    families = {family for folder in made.values() for family in read_manifest(folder).families}
    assert families == set(HOOKS)


@pytest.mark.parametrize("kind", ENTRIES)
def test_a_new_plugin_passes_every_check_at_once(made, kind):
    sheet = check_plugin_files(made[kind], kernels=False)  # its own tests compile them
    assert sheet.passed, f"\n{sheet}"
    manifest = read_manifest(made[kind])
    assert (manifest.id, manifest.name) == (f"org.example.near_{kind}", f"Near {kind}")
    assert manifest.author == "A 'B' C"
    # Byte code lies beside the sources now, unless the environment forbids it.
    written = [place for place in made[kind].rglob("*") if place.suffix != ".pyc"]
    texts = [place.read_text("utf-8") for place in written if place.is_file()]
    assert not any("my_" in text or "My " in text for text in texts)


@pytest.mark.every_nth(5)
@pytest.mark.parametrize("kind", ENTRIES)
def test_the_tests_of_a_new_plugin_pass(made, kind):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        command, cwd=made[kind], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


def test_its_packaging_names_the_folder_that_holds_the_manifest(made):
    for kind, folder in made.items():
        project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))
        points = project["project"]["entry-points"]["payoff.plugins"]
        assert points == {f"near_{kind}": f"near_{kind}"}
        assert project["tool"]["setuptools"]["package-dir"] == {f"near_{kind}": "."}


def test_a_packed_plugin_is_listed_by_hash_and_installs(made, tmp_path):
    packed = pack_plugin([made["matrix"]], tmp_path / "near.payoff-plugin")
    with zipfile.ZipFile(packed) as archive:
        names = set(archive.namelist())
    assert names == {"plugin.toml", "matrix.py", "README.md", "SHA256SUMS"}
    again = pack_plugin([made["matrix"]], tmp_path / "again.payoff-plugin")
    assert (
        hashlib.sha256(again.read_bytes()).digest() == hashlib.sha256(packed.read_bytes()).digest()
    )
    (offer,) = preview_plugins(packed, tmp_path / "plugins")
    assert offer.is_listed
    install(packed, tmp_path / "plugins")
    assert check_plugin_files(tmp_path / "plugins" / "org.example.near_matrix").passed


def test_several_are_packed_into_one_file(made, tmp_path):
    packed = pack_plugin([made["metric"], made["matrix"]], tmp_path / "bank.payoff-plugin")
    offers = install(packed, tmp_path / "plugins")
    assert {offer.manifest.id for offer in offers} == {
        "org.example.near_metric",
        "org.example.near_matrix",
    }
    assert all(offer.is_listed for offer in offers)


OWN = """
import payoff


@payoff.metric("Near \\"misses\\"", direction="lower", task="regression")
def near_miss(y, p):
    \"\"\"Mean miss.\"\"\"
    return abs(y - p)
"""


def test_a_plugin_of_one_file_is_packed_and_found(tmp_path):
    """The archive has the file, a manifest of what it says and the hashes; the metric is served."""
    file = tmp_path / "near_miss.py"
    file.write_text(OWN, "utf-8")
    (tmp_path / "plugins").mkdir()
    packed = pack_plugin([file], tmp_path / "plugins" / "near.payoff-plugin")
    with zipfile.ZipFile(packed) as archive:
        assert set(archive.namelist()) == {"near_miss.py", "plugin.toml", "SHA256SUMS"}
    registry = Registry.discover([packed.parent], cache_folder=tmp_path / "c", has_packages=False)
    (state,) = (entry for entry in registry.states() if entry.source != "built in")
    assert (state.plugin, state.state, state.why) == ("own.near_miss", "active", "")
    assert registry.metric("near_miss").label == 'Near "misses"'


def test_a_plugin_with_a_failed_check_is_not_packed(tmp_path):
    folder = new_plugin("metric", "Wrong", tmp_path)
    code = (folder / "metric.py").read_text("utf-8")
    (folder / "metric.py").write_text(code.replace("Direction.HIGHER", "Direction.LOWER"), "utf-8")
    with pytest.raises(PayoffError, match="Direction is as stated"):
        pack_plugin([folder], tmp_path / "wrong.payoff-plugin")
    assert not list(tmp_path.glob("*.payoff-plugin*"))


@pytest.mark.parametrize(
    ("kind", "name", "plugin_id", "words"),
    [
        ("chart", "x", "", "no template 'chart'"),
        ("metric", "123", "", "cannot name a plugin"),
        ("metric", "größe", "", "cannot name a plugin"),
        ("metric", "x", "payoff.x", "'payoff.' is taken"),
        ("metric", "x", "Nothing", "cannot be a plugin's id"),
    ],
)
def test_what_cannot_be_made_is_refused(tmp_path, kind, name, plugin_id, words):
    with pytest.raises(PayoffError) as refused:
        new_plugin(kind, name, tmp_path, plugin_id=plugin_id)
    assert words in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_never_overwritten(made):
    with pytest.raises(PayoffError, match="there already"):
        new_plugin("metric", "near metric", made["metric"].parent)


def verb(tmp_path, *arguments):
    out = tmp_path / "answer.json"
    out.unlink(missing_ok=True)
    code = main.main([*map(str, arguments), "--json", str(out)])
    return code, json.loads(out.read_text("utf-8")) if out.exists() else None


def test_the_verbs_of_authors(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code, answer = verb(tmp_path, "new-plugin", "matrix", "Blood donors", "--author", "K. Ito")
    assert code == 0
    assert "matrix.py" in answer["files"]
    assert "payoff check-plugin" in capsys.readouterr().err
    code, answer = verb(tmp_path, "check-plugin", "blood_donors")
    assert (code, answer["passed"]) == (0, True)
    assert "Fit for use: 23 of 23 checks passed." in capsys.readouterr().err
    code, answer = verb(tmp_path, "pack-plugin", "blood_donors")
    assert (code, answer["file"]) == (0, "blood_donors-0.1.0.payoff-plugin")
    assert (tmp_path / "blood_donors-0.1.0.payoff-plugin").is_file()
    assert verb(tmp_path, "pack-plugin", "nowhere")[0] == 2
    assert verb(tmp_path, "new-plugin", "matrix", "Blood donors")[0] == 2


def test_a_failed_check_is_told_in_words_and_by_the_exit_code(tmp_path, capsys):
    folder = new_plugin("matrix", "Wrong", tmp_path)
    code = (folder / "matrix.py").read_text("utf-8")
    (folder / "matrix.py").write_text(code.replace("is_linear=False", "is_linear=True"), "utf-8")
    code, answer = verb(tmp_path, "check-plugin", folder)
    assert code == 3
    assert not answer["passed"]
    described = capsys.readouterr().err
    assert "Not fit for use: 1 of 23 checks failed." in described
    assert "asks:  Twice the price has twice the effect" in described


def test_the_verbs_of_authors_start_without_data_models_and_engine():
    code = (
        "import sys, core.script.command_line.author_verbs\n"
        "heavy = {'pyarrow', 'pandas', 'numba', 'scipy', 'core.data', 'core.boosting',"
        " 'core.engine.local', 'core.report'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
