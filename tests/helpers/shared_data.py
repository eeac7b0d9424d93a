"""Where the shared data sets lie: beside the checkout, or where PAYOFF_SHARED_DATA says."""

import os
from pathlib import Path

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"
SHARED = Path(os.environ.get("PAYOFF_SHARED_DATA") or BESIDE)
