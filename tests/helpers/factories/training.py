"""A small made-up file of raw inputs and the project that trains on it."""

from dataclasses import replace

import numpy as np

from core.document.data.model import ReaderSettings, RowUse
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.model import Document, Role, RoleAssignment, SplitSpec, TargetSpec, TrainedModel
from core.engine.messages import LoadArguments

INPUTS = ("age", "income", "region", "noise")


def raw_columns(rows=1_200, seed=5):
    """Age, income (some missing), region and noise; a yes or no, a class, an amount, a count."""
    random = np.random.default_rng(seed)
    age = random.integers(18, 80, rows).astype(float)
    income = np.round(random.gamma(3.0, 900.0, rows), 2)
    region = random.choice(["north", "south", "west"], rows)
    latent = 0.05 * (age - 50) + 0.0006 * (income - 2700) + 0.9 * (region == "west")
    probability = 1 / (1 + np.exp(-(latent - 0.6)))
    answer = random.random(rows) < probability
    income_text = [None if index % 11 == 0 else value for index, value in enumerate(income)]
    return {
        "case_id": [f"c{index:06d}" for index in range(rows)],
        "answer": ["yes" if happened else "no" for happened in answer],
        "class": [
            "high" if value > 0.8 else "low" if value < -0.8 else "middle"
            for value in latent + random.normal(size=rows)
        ],
        "amount": np.round(np.exp(latent) + random.normal(0.0, 0.2, rows) ** 2, 4),
        "count": random.poisson(np.exp(0.4 * latent)),
        "age": age,
        "income": income_text,
        "region": region,
        "noise": np.round(random.normal(size=rows), 5),
        "weight": random.integers(1, 4, rows),
        "use": [("train", "train", "valid", "test")[index % 4] for index in range(rows)],
    }


def load(engine, path):
    """The DataRef of a file in an engine."""
    return engine.run("load", LoadArguments(path=path, reader=ReaderSettings())).data


def raw_document(data, target="answer", **changes):
    """The project: inputs, a target, use of rows by column, and a matrix for the yes or no."""
    levels = {"answer": ("yes", "no"), "class": ("high", "middle", "low")}.get(target, ())
    kind = {0: "interval", 2: "binary", 3: "multiclass"}[len(levels)]
    roles = []
    for column in data.columns:
        role = Role.INPUT if column in INPUTS else Role.IGNORED
        role = {"case_id": Role.ID, target: Role.TARGET, "use": Role.ROW_USE}.get(column, role)
        roles.append(RoleAssignment(column=column, role=role))
    matrix = None
    if levels:
        cells = ((8.0, 0.0), *((-2.0, 0.0) for _ in levels[1:]))
        matrix = MatrixSpec(
            template="payoff.profit",
            kind=MatrixKind.PROFIT,
            levels=levels,
            decisions=("Act", "Wait"),
            cells=cells,
            acting="Act",
            do_nothing="Wait",
        )
    document = Document(
        name="Raw",
        data=data,
        target=TargetSpec(column=target, kind=kind, levels=levels),
        split=SplitSpec(
            column="use",
            meaning=(
                ("train", RowUse.TRAIN),
                ("valid", RowUse.VALIDATION),
                ("test", RowUse.TEST),
            ),
        ),
        matrix=matrix,
    ).with_roles(tuple(roles))
    return replace(document, **changes)


def settings(**changes):
    """Small trees that grow in a moment."""
    usual = TrainedModel(
        name="trees",
        distribution="bernoulli",
        target="answer",
        features=INPUTS,
        n_trees=60,
        interaction_depth=3,
        shrinkage=0.1,
        min_cases_in_node=5,
        patience=0,
        seed=3,
    )
    return replace(usual, **changes)
