"""A decision rule as a Python module of its own: the standard library only."""

from __future__ import annotations

from core.decisions.rules.parts import SMALL_REST, SMALLEST, RuleParts

_HEAD = '''"""Decides cases by a rule; needs the standard library only.

    import decide
    decide.decide({{"column": value, ...}})    # None, NaN, "" or an absent name is a missing value
                                              # -> (decision, expected, warning)

    python decide.py cases.csv decided.csv
"""

import csv
import math
import os
import sys

KEY = {key!r}
OUTPUTS = {outputs!r}
DECISIONS = {decisions!r}
POSTERIORS = {posteriors!r}  # per class; None: what the others leave
PERCENTS = {percents!r}  # columns written as 0 to 100
COSTS = {costs!r}  # decision -> column
GAIN = {gain!r}  # per class: what each decision brings, constant costs taken off
AMOUNT = {amount!r}  # column with the amount of the case; empty: there is none
SHARES = {shares!r}  # per class: what one unit of the amount adds to each decision
RATIO = {ratio!r}  # prior / old prior per class; below 0: the class was never trained on
TOLERANCE = {tolerance!r}  # a later decision must be better by more than this
SIGN = {sign!r}  # -1.0: results are losses


'''

_BODY = '''def _number(case, name):
    value = case.get(name)
    if value is None or value == "":
        return math.nan
    return float(value)


def _posteriors(case):
    found = [None if name is None else _number(case, name) for name in POSTERIORS]
    for place, name in enumerate(POSTERIORS):
        if name in PERCENTS:
            found[place] = found[place] / 100.0
    if None in found:
        rest = 0.0
        for value in found:
            if value is not None:
                rest = rest + value
        rest = 1.0 - rest
        if len(found) > 2 and abs(rest) < {small}:
            rest = 0.0
        found[found.index(None)] = rest
    return found


def _is_bad(chances):
    for place, chance in enumerate(chances):
        if not 0.0 <= chance <= 1.0 or (RATIO and RATIO[place] < 0.0 and chance > 0.0):
            return True
    return not any(chance > 0.0 for chance in chances)


def _corrected(chances):
    if not RATIO:
        return chances
    weighed = [chance * max(ratio, 0.0) for chance, ratio in zip(chances, RATIO)]
    total = _sum(weighed)
    if not total > {smallest}:
        total = 1.0
    return [value / total for value in weighed]


def _sum(values):
    total = 0.0
    for value in values:
        total = total + value
    return total


def _mean(chances, table, decision):
    value = chances[0] * table[0][decision]
    for place in range(1, len(chances)):
        value = value + chances[place] * table[place][decision]
    return value


def _value(chances, decision, cost, amount):
    value = _mean(chances, GAIN, decision)
    if SHARES:
        value = value + _mean(chances, SHARES, decision) * amount
    return value if cost is None else value - cost * _sum(chances)


def decide(case):
    """Decision, expected consequence and warning; None where the case cannot be decided."""
    chances = _posteriors(case)
    costs = {{place: _number(case, name) for place, name in COSTS.items()}}
    warning = "P" if _is_bad(chances) else ""
    amount = _number(case, AMOUNT) if SHARES else 0.0
    if not all(math.isfinite(value) for value in [*costs.values(), amount]):
        warning += "C"
    if warning:
        return None, None, warning
    chances = _corrected(chances)
    best, chosen = _value(chances, 0, costs.get(0), amount), 0
    for place in range(1, len(DECISIONS)):
        value = _value(chances, place, costs.get(place), amount)
        if value > best + TOLERANCE:
            best, chosen = value, place
    return DECISIONS[chosen], SIGN * best, warning


def main(source, target):
    if os.path.exists(target) and os.path.samefile(source, target):
        sys.exit("The decisions would overwrite the cases.")
    with open(source, newline="", encoding="utf-8-sig") as cases, open(
        target, "w", newline="", encoding="utf-8"
    ) as decided:
        writer = csv.writer(decided, lineterminator="\\n")
        writer.writerow([KEY, *OUTPUTS])
        for place, case in enumerate(csv.DictReader(cases), start=1):
            decision, expected, warning = decide(case)
            shown = "" if expected is None else repr(expected)
            writer.writerow([case.get(KEY, place), decision or "", shown, warning])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("python decide.py cases.csv decided.csv")
    main(sys.argv[1], sys.argv[2])
'''


def rule_to_python(parts: RuleParts) -> str:
    """Source of a module with ``decide(case)``, also a program for CSV files."""
    head = _HEAD.format(
        key=parts.key,
        outputs=parts.outputs,
        decisions=parts.decisions,
        posteriors=tuple(column for _level, column in parts.inputs.posteriors),
        percents=parts.inputs.percents,
        costs=dict(parts.costs),
        gain=parts.gain,
        amount=parts.amount,
        shares=parts.shares,
        ratio=parts.ratio,
        tolerance=parts.tolerance,
        sign=-1.0 if parts.is_loss else 1.0,
    )
    return head + _BODY.format(small=repr(SMALL_REST), smallest=repr(SMALLEST))
