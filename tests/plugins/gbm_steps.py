"""Shared by tests of gbm steps."""

import json
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent.parent / "golden" / "distributions"

GOLDEN = json.loads((FOLDER / "gbm_and_survival.json").read_text("utf-8"))

COLUMNS = {name: np.array(values, dtype=float) for name, values in GOLDEN["columns"].items()}
