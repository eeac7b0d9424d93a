"""Small plugins written into a test's own folder."""

from pathlib import Path

MANIFEST = """\
id = "{id}"
name = "{name}"
version = "{version}"
api = "{api}"
families = [{families}]
entry = "{entry}"
licence = "MIT"
author = "A test"
description = "A plugin of a test."
"""

METRIC = '''\
"""A mean absolute miss."""

import payoff
{imports}

def rows(outcome, prediction, parameters, contribution, factor, start, stop):
    contribution[0, start:stop] = abs(outcome[start:stop] - prediction[0, start:stop]) * {factor}
    factor[0, start:stop] = 1.0


METRIC = payoff.EvaluationMetric(
    id="{metric}",
    label="Own miss",
    help="Mean absolute miss.",
    formula="mean of |y - f|",
    reference="",
    direction=payoff.Direction.LOWER,
    inputs=(payoff.Input.OUTCOME, payoff.Input.PREDICTIONS),
    tasks=(payoff.Task.REGRESSION,),
    form=payoff.MetricForm.ROW_MEAN,
    value_range=(0.0, float("inf")),
    perfect_value=0.0,
    rows=rows,
)


@payoff.hookimpl
def payoff_register_metrics():
    return [METRIC]
'''


def manifest(
    plugin="org.example.own", *, api=">=1,<2", families='"metrics"', entry="own", version="1.2.0"
):
    """Return the text of a manifest."""
    return MANIFEST.format(
        id=plugin,
        name=plugin.rsplit(".", 1)[-1],
        api=api,
        families=families,
        entry=entry,
        version=version,
    )


def metric_code(metric="own_miss", *, imports="", factor="1.0"):
    """Return the code of a plugin with one metric."""
    return METRIC.format(metric=metric, imports=imports, factor=factor)


def write_plugin(folder: Path, code=None, **manifest_words) -> Path:
    """Write a folder plugin and return its folder."""
    folder.mkdir(parents=True)
    (folder / "plugin.toml").write_text(manifest(**manifest_words))
    (folder / "own.py").write_text(metric_code() if code is None else code)
    return folder


def write_file_plugin(path: Path, code=None, plugin="org.example.file") -> Path:
    """Write a one-file plugin and return its path."""
    lines = manifest(plugin).splitlines()
    block = "".join(f"# {line}\n" for line in lines if not line.startswith("entry"))
    path.write_text(f"# /// payoff\n{block}# ///\n{code or metric_code()}")
    return path
