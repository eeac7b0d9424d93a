"""Made-up files whose outcome is a survival time, a grade in lists, or a count."""

from dataclasses import replace

import numpy as np

from core.document.data.model import RowUse
from core.document.model import Document, Role, RoleAssignment, SplitSpec, TargetSpec
from tests.helpers.factories.training import settings

USES = (("train", RowUse.TRAIN), ("valid", RowUse.VALIDATION), ("test", RowUse.TEST))


def uses(count):
    return [("train", "train", "valid", "test")[index % 4] for index in range(count)]


def survival_columns(rows=1_200, seed=11):
    """Weibull times whose hazard rises with age and for smokers; late entry, two clinics."""
    random = np.random.default_rng(seed)
    age = np.round(random.uniform(40, 80, rows), 1)
    smoker = random.random(rows) < 0.3
    clinic = random.choice(["A", "B"], rows)
    log_risk = 0.06 * (age - 60) + 0.9 * smoker
    base = np.where(clinic == "A", 4.0, 8.0)
    time = base * (random.exponential(size=rows) / np.exp(log_risk)) ** (1 / 1.4)
    censored = random.exponential(9.0, rows)
    entry = np.where(random.random(rows) < 0.4, random.uniform(0.0, 0.8, rows), 0.0)
    kept = np.minimum(time, censored)
    return {
        "days": np.round(np.maximum(kept, entry + 0.05) * 100.0, 1),
        "died": (time <= censored).astype(int),
        "since": np.round(entry * 100.0, 1),
        "clinic": clinic,
        "age": age,
        "smoker": np.where(smoker, "yes", "no"),
        "noise": np.round(random.normal(size=rows), 4),
        "use": uses(rows),
    }


def ranking_columns(lists=120, seed=12):
    """Lists of 6 to 14 documents with grades 0 to 3; a whole list is for one use."""
    random = np.random.default_rng(seed)
    sizes = random.integers(6, 15, lists)
    query = np.repeat(np.arange(lists), sizes)
    rows = len(query)
    match, age = random.normal(size=rows), random.exponential(size=rows)
    worth = 1.2 * match - 0.5 * age + random.normal(0.0, 0.6, rows)
    grade = np.digitize(worth, (-0.2, 0.8, 1.8))
    by_list = np.array(uses(lists))
    return {
        "grade": grade,
        "query": [f"q{number}" for number in query],
        "match": np.round(match, 4),
        "age": np.round(age, 4),
        "noise": np.round(random.normal(size=rows), 4),
        "use": by_list[query],
    }


def number_document(data, target, inputs):
    """A project on a number as the outcome, with rows used by column."""
    roles = []
    for column in data.columns:
        role = Role.INPUT if column in inputs else Role.IGNORED
        role = {target: Role.TARGET, "use": Role.ROW_USE}.get(column, role)
        roles.append(RoleAssignment(column=column, role=role))
    return Document(
        name="Numbers",
        data=data,
        target=TargetSpec(column=target, kind="interval"),
        split=SplitSpec(column="use", meaning=USES),
    ).with_roles(tuple(roles))


def survival_settings(**changes):
    usual = settings(
        name="hazards",
        distribution="coxph",
        target="days",
        features=("age", "smoker", "noise"),
        event="died",
    )
    return replace(usual, **changes)


def ranking_settings(**changes):
    usual = settings(
        name="lists",
        distribution="pairwise",
        target="grade",
        features=("match", "age", "noise"),
        group="query",
    )
    return replace(usual, **changes)
