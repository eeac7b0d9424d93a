"""What page Models says of a training, case by case."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.document.data.model import RowUse
from core.document.model import Document, ModelSpec, TrainedModel
from core.document.training_results import TrainingCurves
from core.presentation.labels import TreesStyle
from core.presentation.models.learning import used_words
from gui.pages.models.words import growing_words, no_curves_words, training_facts
from tests.helpers.answers.models import offered

NOTHING = np.full(100, np.nan)
TREES = np.arange(1.0, 101.0)
BAG = -np.abs(TREES - 50.0) / 1e3  # improvements added up: the most at tree 50
CURVES = TrainingCurves(
    model="tree", trees=TREES, train=np.linspace(1.0, 0.2, 100), valid=NOTHING, oob=NOTHING,
    watched=NOTHING, crossed=NOTHING, deviance_words="deviance", done=100, wanted=200,
)  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"fraction": 0.5}, "tree 100 of 200"),
        (  # the model's trees are there, the folds are not
            {"wanted": 100, "stage": "Cross-validation, fold 1 of 5"},
            "100 trees, cross-validation, fold 1 of 5",
        ),
    ],
)
def test_how_far(changes, said):
    assert growing_words(replace(CURVES, **changes)).replace("\u00a0", " ") == said


@pytest.mark.parametrize(
    ("changes", "mark", "used", "said"),
    [
        ({}, "best", 50, "100 trees, the first 50 are used"),
        ({}, "best", 1, "100 trees, the first is used"),
        ({}, "by hand", 50, "100 trees, the first 50 are used, chosen by hand"),
        ({}, "", 100, "100 trees, all used"),  # nothing chose: no tree is the best
        ({"oob": BAG}, "", 100, "100 trees, all used; out of bag the loss was lowest at tree 50"),
        ({"oob": -BAG}, "best", 7, "100 trees, the first 7 are used"),
    ],
)
def test_how_many(changes, mark, used, said):
    look = TreesStyle(model="tree", used=used, mark=mark)
    assert used_words(replace(CURVES, **changes), look) == said


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gone", "There is no model “gone”: its training ended before its first trees."),
        ("file", "The scores of file came with the file"),
        ("own", "The curves of own are being read"),
        ("other", "other came as a model file of LightGBM"),
    ],
)
def test_why_there_are_no_curves(name, said):
    own = TrainedModel(name="own", target="y", distribution="bernoulli", features=())
    other = replace(own, name="other", program="LightGBM")
    document = Document(
        models=(
            ModelSpec(name="file"),
            ModelSpec(name="own", trained=own),
            ModelSpec(name="other", trained=other),
        )
    )
    assert no_curves_words(document, name).startswith(said)


def test_rows_that_are_all_in_one_use_are_counted_where_all_of_them_train():
    draft = TrainedModel(name="m", distribution="bernoulli", target="y", features=("x",))
    draft = replace(draft, train_rows=(RowUse.ALL,), stop_rows=(), cv_folds=5)
    result = replace(offered(), rows=((RowUse.TEST.value, 600),))
    assert training_facts(draft, result) == "all 600 rows, in 5 folds"
    assert training_facts(draft, None) == ""  # while the outcome is looked at: no ", in 5 folds"
