"""Experiments and studies of boosting: from their parts, or from made-up data, to answers."""
