"""Shared by tests of survival."""

from __future__ import annotations

from dataclasses import replace

from core.document.model import ModelSpec, TrainedModel
from tests.helpers.answers.synthetic import make_document


def made_document():
    trained = TrainedModel(
        name="hazards", distribution="coxph", target="days", features=("age",), event="died"
    )
    document = make_document()
    return replace(document, models=(*document.models, ModelSpec(name="hazards", trained=trained)))
