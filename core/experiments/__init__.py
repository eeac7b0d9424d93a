"""Evaluation experiments: how far a learned evaluation can be trusted.

Bounds of an expected loss; subjects, evaluation systems and learners; the protocols of the source
(AKI alert, sepsis, stock timing, ad conversion) and the runs of an experiment.
"""
