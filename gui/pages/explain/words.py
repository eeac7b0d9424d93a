"""Words of page Explain in the user's language, and what its "?" buttons tell."""

from __future__ import annotations

from gui.widgets import HelpText

GAIN, SHUFFLING = "gain", "shuffling"
"""What importance means: what the trees gained, or what shuffling an input costs."""


def measure_help(measure: str) -> HelpText:
    """What a measure of importance is."""
    return _shuffling_help() if measure == SHUFFLING else _gain_help()


def _gain_help() -> HelpText:
    return HelpText(
        title="Relative influence",
        text=(
            "How much of what the trees gained came from splits on each input. Choose an "
            "input to see how the prediction depends on it. Influence says what the model "
            "uses, not what causes the outcome."
        ),
        formula="I(j) = Σ gain of splits on j ÷ Σ gain of all splits",
        reference="Friedman 2001, section 8.1",
    )


def _shuffling_help() -> HelpText:
    return HelpText(
        title="Permutation importance",
        text=(
            "How much worse the model gets on rows when the values of one input are shuffled "
            "among them: the rise of its loss, mean of five shuffles. The rows are those that "
            "judged its training where there are enough. About 0, or below, is an input that the "
            "model could do without."
        ),
        formula="loss with j shuffled − loss",
        reference="Breiman 2001, section 10",
    )
