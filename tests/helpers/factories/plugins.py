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

SPEC = '''\
"""A mean absolute miss."""

import payoff
{before}

@payoff.hookimpl
def payoff_register_metrics():
    return [
        payoff.EvaluationMetric(
            id="{metric}",
            label="Own miss",
            help="Mean absolute miss.",
            formula="mean of |y - f|",
            reference="",
            direction=payoff.Direction.LOWER,
            inputs=(payoff.Input.OUTCOME, payoff.Input.PREDICTIONS),
            tasks=(payoff.Task.REGRESSION,),
            {form},
            value_range=(0.0, float("inf")),
            perfect_value=0.0,{further}
        )
    ]
'''
ROWS = """\
{imports}

def rows(outcome, prediction, parameters, contribution, factor, start, stop):
    contribution[0, start:stop] = abs(outcome[start:stop] - prediction[0, start:stop]) * {factor}
    factor[0, start:stop] = 1.0
"""
ROW_MEAN = "form=payoff.MetricForm.ROW_MEAN, rows=rows"
GENERAL = "form=payoff.MetricForm.GENERAL, compute=compute"


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


def metric_source(metric: str, before: str, *, form: str = ROW_MEAN, further: str = "") -> str:
    """Return the code of a plugin with one metric, a mean miss.

    ``before`` is the code that the metric calls: ``rows`` for the form ``ROW_MEAN``, ``compute``
    for ``GENERAL``. ``further`` are more fields of the spec.
    """
    return SPEC.format(metric=metric, before=before, form=form, further=further)


def metric_code(metric="own_miss", *, imports="", factor="1.0"):
    """Return the code of a plugin with one metric in plain numpy."""
    return metric_source(metric, ROWS.format(imports=imports, factor=factor))


def write_plugin(folder: Path, code=None, **manifest_words) -> Path:
    """Write a folder plugin and return its folder."""
    folder.mkdir(parents=True)
    (folder / "plugin.toml").write_text(manifest(**manifest_words))
    (folder / "own.py").write_text(metric_code() if code is None else code)
    return folder


def write_file_plugin(path: Path, code=None, plugin="org.example.file", **manifest_words) -> Path:
    """Write a one-file plugin and return its path."""
    lines = manifest(plugin, **manifest_words).splitlines()
    block = "".join(f"# {line}\n" for line in lines if not line.startswith("entry"))
    path.write_text(f"# /// payoff\n{block}# ///\n{code or metric_code()}", "utf-8")
    return path
