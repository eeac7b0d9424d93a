"""Shared by tests of own curve."""

from __future__ import annotations

import re
from pathlib import Path

GUIDE = (Path(__file__).parent.parent.parent / "docs" / "plugin-guide.md").read_text("utf-8")

SECTION = re.search(r"(?ms)^## Your own curve in five minutes\n(.*?)^## ", GUIDE)[1]

(CODE,) = re.findall(r"(?s)```python\n(.*?)```", SECTION)

(NAME,) = set(re.findall(r"Save it as `(\w+\.py)`", SECTION))
