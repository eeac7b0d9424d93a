"""The plugins of the guide, as an author would put them into a plugin folder."""

from __future__ import annotations

import re
from pathlib import Path

GUIDE = (Path(__file__).parents[3] / "docs" / "plugin-guide.md").read_text("utf-8")


def code_of(module: str) -> str:
    """The code that the guide gives for a module."""
    (code,) = re.findall(rf"(?s)```python\n# {module}\.py\n(.*?)```", GUIDE)
    return str(code)


def put_plugin(plugins: Path, module: str, family: str, code: str) -> None:
    """A folder with the guide's manifest, for a module and a family of its own."""
    (manifest,) = re.findall(r"(?s)```toml\n(.*?)```", GUIDE)
    own = {
        "id": f'"org.example.{module}"',
        "name": f'"{module}"',
        "families": f'["{family}"]',
        "entry": f'"{module}"',
    }
    for key, value in own.items():
        written = rf"""(?m)^{key} = ("[^"]*"|\[[^\]]*\])"""
        manifest, changed = re.subn(written, f"{key} = {value}", manifest)
        assert changed == 1, key
    folder = plugins / module
    folder.mkdir(parents=True)
    (folder / "plugin.toml").write_text(manifest, "utf-8")
    (folder / f"{module}.py").write_text(code, "utf-8")
