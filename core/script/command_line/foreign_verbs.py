"""The verbs import-model and export-onnx: models from other programs, and for them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from core.script.boost.boosting import load_model
from core.script.boost.foreign import import_model
from core.script.command_line.boosting_verbs import model_path
from core.script.command_line.telling import tell
from core.script.pairs import pairs_of
from payoff.errors import PayoffError

Json = dict[str, Any]


def import_model_verb(parsed: argparse.Namespace) -> Json:
    """Read a model file of another program and write ours."""
    path = model_path(parsed.out)
    model = import_model(
        parsed.file,
        distribution=parsed.distribution,
        classes=parsed.classes.split(",") if parsed.classes else (),
        columns=dict(pairs_of(parsed.column, "--column")),
    )
    model.save(path)
    tell(f"wrote {path}")
    return {
        "file": str(path),
        "distribution": model.boosted.distribution.id,
        "trees": model.n_trees,
        "classes": list(model.classes),
        "inputs": [column.name for column in model.boosted.columns],
    }


def export_onnx_verb(parsed: argparse.Namespace) -> Json:
    """Write a model file as ONNX."""
    model = load_model(parsed.model)
    out = Path(parsed.out)
    if out.is_dir() or not out.parent.is_dir():
        raise PayoffError("The file cannot be written there.", where=str(out))
    model.save_onnx(out, n_trees=parsed.n_trees)
    if model.offset is not None:
        tell(f"the offset '{model.offset}' of the training is not in the file")
    tell(f"wrote {out}")
    return {"file": str(out), "outputs": list(model.boosted.output_names) or ["score"]}
