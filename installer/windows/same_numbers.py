"""Whether two JSON files say the same: ``python same_numbers.py FIRST SECOND [LEFT_OUT ...]``.

Numbers may differ by one in 10^12, words not at all; LEFT_OUT names keys that may (times, paths).
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

NEAREST = 1e-12


def differences(first: Any, second: Any, left_out: set[str], place: str = "") -> list[str]:
    """Where two answers differ."""
    if isinstance(first, dict) and isinstance(second, dict):
        keys = sorted((first.keys() | second.keys()) - left_out)
        return [
            found
            for key in keys
            for found in differences(first.get(key), second.get(key), left_out, f"{place}.{key}")
        ]
    if isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        return [
            found
            for number, pair in enumerate(zip(first, second, strict=True))
            for found in differences(*pair, left_out, f"{place}[{number}]")
        ]
    if isinstance(first, float) and isinstance(second, float):
        is_same = math.isclose(first, second, rel_tol=NEAREST, abs_tol=NEAREST)
    else:
        is_same = first == second
    return [] if is_same else [f"{place}: {first!r}, {second!r}"]


def numbers(answer: Any) -> int:
    """How many numbers an answer has."""
    if isinstance(answer, dict):
        return sum(map(numbers, answer.values()))
    if isinstance(answer, list):
        return sum(map(numbers, answer))
    return int(isinstance(answer, int | float) and not isinstance(answer, bool))


def main(first: str, second: str, *left_out: str) -> int:
    """Say where they differ; 0 if nowhere."""
    one, other = (json.loads(Path(name).read_text("utf-8")) for name in (first, second))
    found = differences(one, other, set(left_out))
    print(f"{numbers(one):,} numbers, {len(found)} differences", *found[:20], sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
