"""Dialogs about the rule: matrices, saving, applying, handing over."""
