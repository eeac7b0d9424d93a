"""Shared by tests of plugin guide."""

import re
from pathlib import Path

GUIDE = (Path(__file__).parent.parent.parent / "docs" / "plugin-guide.md").read_text("utf-8")

EXAMPLES = dict(re.findall(r"(?s)```python\n# (\w+)\.py\n(.*?)```", GUIDE))
