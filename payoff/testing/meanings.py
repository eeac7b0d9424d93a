"""The conformance sheet for people who do not program: what each check asks, in one sentence."""

from __future__ import annotations

from payoff.counting import counted_of
from payoff.testing.results import CheckResult, CheckState, ConformanceSheet

MEANINGS: dict[str, str] = {
    # the plugin as a whole
    "Manifest is valid": "The plugin says who it is and what it adds.",
    "Id is free": "No other plugin has its name.",
    "Contract version fits": "It was written for this version of Payoff.",
    "Imports": "Its program can be started.",
    "Hooks answer as announced": "It adds what it says it adds, and nothing else.",
    "Names are not taken": "What it adds has names of its own.",
    "Leaves the program as it was": "It changes nothing that belongs to the whole program.",
    "Spec is filled in": "Nothing is missing from its description.",
    # every family
    "Same answer again, inputs untouched": "Asked twice, it answers the same.",
    "Weight 2 equals a row twice": "A case that counts twice counts like two cases.",
    "Cases of weight 0 do not count": "Cases that are switched off change nothing.",
    "Ends of the parameters' ranges work": "The smallest and largest settings work.",
    "Words are there": "Everything the user sees has a name.",
    # compiled kernels of losses and metrics
    "Kernels compile": "Its calculations can be turned into fast code.",
    "Compiled kernels agree with plain Python": "The fast code gives the same numbers.",
    "Compiled kernels are kept": "The fast code is ready at the next start.",
    # losses
    "Target check refuses bad values": "Outcomes it cannot be trained on are refused.",
    "Gradient matches the loss": "It improves exactly what it measures.",
    "Leaf value obeys its kind": "Each step of the training makes the fit better.",
    "Row order does not matter": "Sorting the data changes nothing.",
    "Offsets are honoured": "A head start given to cases is taken into account.",
    "Empty and single-row leaves": "Very small groups of cases are no trouble.",
    "No missing or infinite values": "Every number it gives is a number.",
    "Response and link agree": "Predictions and scores can be turned into each other.",
    "Blocks may cover part of the cases": "It works on a part of the cases.",
    "Curvature is never negative": "Training steps go in the right direction.",
    "Predictions stay in their range": "No impossible prediction, such as a chance of 120 %.",
    "A higher score never turns the prediction back": "More score always points one way.",
    "Initial score is the best constant": "Training starts from the best single number.",
    "Gradient holds at other settings": "It is right for other settings too.",
    "The unit of the weights does not matter": "Counting every case three times changes nothing.",
    "Some rows alone give the same gradient": "Work can be shared among processors.",
    "Quantiles are in order": "A higher level is never predicted below a lower one.",
    "Chances over time are those of the loss": "Chances of lasting fall and fit the loss.",
    # metrics
    "Values lie in the stated range": "Values are never below or above what it announces.",
    "Direction is as stated": "Better models really get the better value.",
    "Random and perfect values are as stated": "It is right about no model and a perfect one.",
    "Row order and ties do not matter": "Sorting the data changes nothing, equal scores included.",
    "One row, one class": "Very small data give an answer or a clear refusal.",
    "Doubling all weights is as stated": "Counting every case twice has the announced effect.",
    "Answer has the stated form": "It gives one number, or a curve, as announced.",
    "Ordinary cases give a number": "On ordinary data there is an answer.",
    "Equal predictions are no trouble": "A model that says the same of everyone can be judged.",
    "Chunks and draws stand apart": "Work can be shared among processors.",
    "The sample is left as it was": "It does not change the data that other metrics read.",
    # matrices
    "Shape is levels by decisions": "There is one number per class and decision.",
    "Cells are finite": "Every number in the matrix is a number.",
    "Linear where claimed": "Twice the price has twice the effect, where that is announced.",
    "Costs fit the cases": "There is one cost per case and decision.",
    "Shares of the amount fit the matrix": "Amounts of cases are used where they belong.",
    "Doing nothing brings nothing": "Doing nothing neither earns nor costs anything.",
    "Every parameter matters": "Every number that you are asked for has an effect.",
    "Columns may be missing": "It works where the data lack a column it could use.",
    "Costs follow their cases": "A case's cost depends on that case alone.",
    "No two decisions are alike": "Every decision differs from every other.",
    "Acting pays for some case": "With the usual numbers there is somebody worth acting on.",
    "Every answer is a fresh one": "Its answers cannot be spoiled by others.",
    # readers
    "Example is recognised": "It knows its own files.",
    "Example is well formed": "What it reads is a table.",
    "Same answer again, file untouched": "Read twice, the file gives the same and is not changed.",
    "First rows alone": "A preview shows the same columns.",
    "Damaged files are refused in words": "Broken files are refused with a reason.",
    "Unknown part is refused": "A sheet that is not there is refused.",
    # evaluation systems
    "Outcomes lie in 0 to 1": "What it says comes of a case is between nothing and everything.",
    "Outcome and answer agree": "Asked again about the same case, it says what was measured.",
    "Answers belong to their rows": "A case's outcome depends on that case alone.",
    "The subject matters": "Who is evaluated makes a difference.",
    "What it needs is asked for": "Data without what it needs are refused with a reason.",
    "A few rows are no trouble": "Very small data give an answer or a clear refusal.",
}
"""Name of a check -> what it asks, in the words of somebody who will use the plugin."""


def verdict(sheet: ConformanceSheet) -> str:
    """Return the outcome of a sheet in one sentence."""
    total, failed = len(sheet.results), len(sheet.failures)
    expected = sum(item.state is CheckState.EXPECTED_FAILURE for item in sheet)
    known = f", {expected} known and explained" if expected else ""
    if failed:
        return f"Not fit for use: {counted_of(failed, total, 'check')} failed{known}."
    return f"Fit for use: {counted_of(total - expected, total, 'check')} passed{known}."


def meaning(check: str) -> str:
    """Return what a check asks; empty for an unknown one."""
    return MEANINGS.get(check, "")


def sheet_lines(sheet: ConformanceSheet) -> list[str]:
    """Return the sheet as lines of text: the verdict, what failed and why, what passed."""
    lines = [f"{sheet.subject}: {verdict(sheet)}"]
    for state, heading in (
        (CheckState.FAILED, "Failed"),
        (CheckState.EXPECTED_FAILURE, "Known, with the author's reason"),
    ):
        chosen = [item for item in sheet if item.state is state]
        if chosen:
            lines += ["", heading]
            lines += [line for item in chosen for line in _lines_of(item)]
    passed = [item for item in sheet if item.state is CheckState.PASSED]
    if passed:
        lines += ["", "Passed"]
        lines += [f"  {item.subject}: {item.check} ({meaning(item.check)})" for item in passed]
    return lines


def _lines_of(item: CheckResult) -> list[str]:
    lines = [f"  {item.subject}: {item.check}", f"    asks:  {meaning(item.check)}"]
    lines += [f"    found: {item.found}"] if item.found else []
    lines += [f"    why:   {item.reason}"] if item.reason else []
    return lines
