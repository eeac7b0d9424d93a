"""Words of page Plugins."""

from __future__ import annotations

from collections import Counter

from core.document.plugin_results import PluginCheck, PluginOffering, PluginState
from gui.widgets.fields.chips import ChipState
from payoff.counting import counted, counted_of

STATES: dict[str, tuple[str, ChipState]] = {
    "active": ("Active", "ok"),
    "quarantined": ("Quarantined", "error"),
    "off": ("Off", "off"),
    "does_not_fit": ("Does not fit", "warning"),
    "checking": ("Checking", "info"),
}
FAMILIES = {
    "distributions": "Loss distributions",
    "metrics": "Evaluation metrics",
    "decision_matrices": "Decision matrices",
    "readers": "File readers",
    "evaluation_systems": "Evaluation systems",
}
_ONE = {
    "distribution": "distribution",
    "metric": "metric",
    "curve": "curve",
    "decision matrix": "matrix",
    "reader": "reader",
    "evaluation system": "system",
}
_MORE = {
    "distribution": "distributions",
    "metric": "metrics",
    "curve": "curves",
    "decision matrix": "matrices",
    "reader": "readers",
    "evaluation system": "systems",
}

_FAMILY_WORDS = {family: words.split(" ")[-1] for family, words in FAMILIES.items()}
"""One word for each family, where it is not known yet what exactly a plugin adds."""


def state_words(plugin: PluginState) -> tuple[str, ChipState]:
    """The word and the sign of a plugin's state."""
    words, chip = STATES.get(plugin.state, (plugin.state, "plain"))
    return words, chip


def adds_words(plugin: PluginState) -> str:
    """ "13 distributions", "2 metrics, 1 matrix"."""
    kinds = Counter(entry.split(":", 1)[0].rsplit(" ", 1)[0] for entry in plugin.adds)
    if not any(kind in _ONE for kind in kinds):
        return ", ".join(_FAMILY_WORDS.get(name, name) for name in plugin.families)
    return ", ".join(
        f"{count} {(_ONE if count == 1 else _MORE).get(kind, kind)}"
        for kind, count in kinds.items()
    )


def family_of(plugin: PluginState) -> str:
    """The family under which a plugin is listed: its first."""
    return plugin.families[0] if plugin.families else ""


def by_line(plugin: PluginState) -> str:
    """ "1.2.0, by R. Okafor, MIT, user folder, contract >=1,<2"."""
    parts = [plugin.version, f"by {plugin.author}" if plugin.author else "", plugin.licence]
    contract = f"contract {plugin.api}" if plugin.api else ""
    return ", ".join(part for part in (*parts, plugin.source, contract) if part)


def size_words(size: int) -> str:
    """ "6 KB"."""
    return f"{size / 1e6:.1f} MB" if size >= 1_000_000 else f"{max(1, round(size / 1000))} KB"


def offering_lines(entry: PluginOffering) -> list[str]:
    """What a file would install, in sentences."""
    change = {
        "new": "It is new here.",
        "update": f"It takes the place of version {entry.installed_version}.",
        "same": "This version is installed already; it is installed again.",
        "older": f"Version {entry.installed_version} is installed: this one is older.",
    }[entry.change]
    families = ", ".join(FAMILIES.get(name, name).lower() for name in entry.families)
    files = counted(entry.files, "file")
    listed = (
        "Its files are as its author listed them."
        if entry.is_listed
        else "Its author listed no hashes, so it cannot be seen whether it was changed."
    )
    lines = [
        entry.description,
        f"{f'Adds: {families}.'} {change}",
        f"{files}, {size_words(entry.size_bytes)}. {listed}",
    ]
    if entry.packages:
        lines.insert(2, f"Brings along: {', '.join(entry.packages)}.")
    return lines


def sheet_verdict(checks: tuple[PluginCheck, ...]) -> str:
    """Whether a plugin is fit for use, by its conformance sheet."""
    failed = sum(one.state == "failed" for one in checks)
    known = sum(one.state == "expected failure" for one in checks)
    words = (
        f"Not fit for use: {counted_of(failed, len(checks), 'check')} failed."
        if failed
        else f"Fit for use: {counted_of(len(checks) - known, len(checks), 'check')} passed."
    )
    return words + (f" {known} are known, with the author's reason." if known else "")
