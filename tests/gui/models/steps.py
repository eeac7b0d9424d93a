"""What a person does on page Models."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt

from core.document.training_results import TrainResult
from tests.helpers.answers.models import curves_at
from tests.helpers.harness import ModelsHarness


def press(harness: ModelsHarness, button) -> None:
    harness.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def finish(harness: ModelsHarness, name: str = "gbm 1", trees: int = 1290) -> None:
    """The engine ends the training; the model is complete."""
    settings = harness.trained_with().settings
    model = replace(
        settings,
        model_hash="b" * 64,
        trees=trees,
        trees_used=trees - 94,
        class_shares=(("1", 0.25), ("0", 0.75)),
    )
    harness.answer("train", TrainResult(model=model, curves=curves_at(name, trees)))
