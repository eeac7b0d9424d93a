"""Damaged project, model, matrix and plugin files: opened right, or refused in words."""

from __future__ import annotations

import hashlib
import io
import json
import random
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.boosting import model_bytes, read_model
from core.decisions.matrices.reading import read_matrix_file
from core.document.files.project import pack_project, read_project
from core.document.model import TargetSpec
from core.extensions.installing import preview_plugins
from payoff.errors import PayoffError
from tests.core.document.project import HEADLINE, full
from tests.helpers.factories.boosting import DISTRIBUTIONS, train
from tests.helpers.factories.plugins import write_plugin

QUIET = settings(
    max_examples=60,
    deadline=5000,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
ODD: tuple[Any, ...] = (None, True, -1, 1e300, 10**400, "", "x" * 300, [], {}, [[]], {"number": []})
Open = Callable[[Path], object]


def _plugin(folder: Path) -> bytes:
    place = write_plugin(folder / "made")
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry in sorted(place.iterdir()):
            archive.write(entry, f"made/{entry.name}")
    return stream.getvalue()


KINDS: dict[str, tuple[str, Open]] = {
    "project": ("a.payoff", read_project),
    "model": ("a.model", lambda path: read_model(path, DISTRIBUTIONS.__getitem__)),
    "matrix": ("a.csv", lambda path: read_matrix_file(str(path))),
    "json matrix": ("a.json", lambda path: read_matrix_file(str(path))),
    "plugin": ("a.payoff-plugin", lambda path: preview_plugins(path, path.parent / "plugins")),
}
MATRIX = '{"rows": "actual", "kind": "profit", "levels": ["1", "0"], "decisions": ["a", "b"], '
MATRIX += '"cells": [[1, 2], [3, 4]], "costs": [1, 2], "priors": {"1": 0.5, "0": 0.5}}'


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return {
        "project": pack_project(full(), HEADLINE),
        "model": model_bytes(train(n_trees=2)),
        "matrix": b"class;a;b\n1;24;0\n0;-1,6;0\n",
        "json matrix": MATRIX.encode(),
        "plugin": _plugin(tmp_path_factory.mktemp("plugin")),
    }


def opened(kind: str, content: bytes, folder: Path) -> None:
    """Open a file; only a worded refusal may come of it."""
    name, read = KINDS[kind]
    path = folder / name
    path.write_bytes(content)
    with suppress(PayoffError):
        read(path)


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 10**6))
@QUIET
def test_bytes_that_were_changed_or_cut_off(
    kind: str, seed: int, contents: dict[str, bytes], tmp_path: Path
) -> None:
    probability = random.Random(seed)
    content = bytearray(contents[kind])
    for _ in range(probability.choice((1, 1, 2, 8))):
        content[probability.randrange(len(content))] = probability.randrange(256)
    if probability.random() < 0.3:
        content = content[: probability.randrange(len(content))]
    opened(kind, bytes(content), tmp_path)


def _places(plain: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place of a JSON value that can hold another one."""
    found = [path] if path else []
    if isinstance(plain, dict):
        for key, value in plain.items():
            found += _places(value, (*path, key))
    elif isinstance(plain, list):
        for at, value in enumerate(plain[:3]):
            found += _places(value, (*path, at))
    return found


def _changed(text: bytes, probability: random.Random) -> bytes:
    """JSON with one value replaced by another kind, taken out, or its object's key renamed."""
    plain = json.loads(text)
    *way, last = probability.choice(_places(plain))
    holder = plain
    for step in way:
        holder = holder[step]
    if probability.random() < 0.2:
        del holder[last]
    else:
        holder[last] = probability.choice(ODD)
    return json.dumps(plain).encode()


def _repacked(content: bytes, member: str, probability: random.Random) -> bytes:
    """An archive with one changed member of JSON, and hashes that fit it."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members[member] = _changed(members[member], probability)
    if "manifest.json" in members and member != "manifest.json":
        manifest = json.loads(members["manifest.json"])
        manifest["sha256"][member] = hashlib.sha256(members[member]).hexdigest()
        members["manifest.json"] = json.dumps(manifest).encode()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


JSON_MEMBERS = (
    ("project", "document.json"),
    ("project", "headline.json"),
    ("project", "manifest.json"),
    ("model", "model.json"),
)


@pytest.mark.parametrize(("kind", "member"), JSON_MEMBERS)
@given(seed=st.integers(0, 10**6))
@QUIET
def test_values_of_other_kinds(
    kind: str, member: str, seed: int, contents: dict[str, bytes], tmp_path: Path
) -> None:
    opened(kind, _repacked(contents[kind], member, random.Random(seed)), tmp_path)


@given(seed=st.integers(0, 10**6))
@QUIET
def test_values_of_other_kinds_in_a_matrix(
    seed: int, contents: dict[str, bytes], tmp_path: Path
) -> None:
    opened("json matrix", _changed(contents["json matrix"], random.Random(seed)), tmp_path)


def test_whole_files_open(contents: dict[str, bytes], tmp_path: Path) -> None:
    for kind, (name, read) in KINDS.items():
        path = tmp_path / name
        path.write_bytes(contents[kind])
        read(path)


def test_an_empty_kind_of_outcome_is_refused(tmp_path: Path) -> None:
    target = replace(TargetSpec(column="y", kind="binary", levels=("1", "0")), kind="")
    path = tmp_path / "a.payoff"
    path.write_bytes(pack_project(replace(full(), target=target), HEADLINE))
    with pytest.raises(PayoffError, match=r"Document\.target\.kind.*binary"):
        read_project(path)
