"""The bundled sample: a direct-mail campaign of 20,000 customers, drawn from a fixed seed.

How it is made (``docs/data.md`` says it for users):

1. Inputs (region, age, orders, days since the last order, mean basket, newsletter) are drawn.
2. They add up to a customer's *inclination*, turned into normal scores with a spread of 1.82.
3. Inclination plus logistic noise, of which no model knows, ranks the customers; the first 1,000
   respond: exactly 5.0 %.
4. Each model sees the inclination through noise of its own: little (gbm 2), more (logit), much
   (agency). Its chance is the mean of the true chance given what it sees (Gauss-Hermite).
5. gbm 2 was trained where 24.8 % respond: its odds are inflated by (0.248/0.752)/(0.05/0.95);
   logit is left as it is (already corrected); agency's log odds are stretched by 1.6, so that it
   is over-confident.

``RandomState`` is used because its stream never changes between versions of numpy.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from statistics import NormalDist

import numpy as np

from core.data.fingerprint import content_hash
from core.data.splits import draw_uses
from core.data.writing.tables import write_columns
from core.document.data.model import DataRef, ReaderSettings, RowUse
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.model import (
    Document,
    OldPriorKind,
    OldPriors,
    Role,
    RoleAssignment,
    SplitSpec,
    TargetSpec,
)
from payoff.errors import PayoffError
from payoff.types import AnyArray, FloatArray, IntArray

SAMPLE_FILE = "direct_mail.csv"
NEW_CUSTOMERS_FILE = "new_customers.csv"
SEED = 20261
CUSTOMERS = 20_000
NEW_CUSTOMERS = 5_000
RESPONDERS = 1_000
TRAINED_SHARE = 0.248
RESPONSE_VALUE = 25.60
LETTER_COST = 1.60

_SPREAD = 1.82
_BASE_RATE = RESPONDERS / CUSTOMERS
_STRETCH = 1.6
_MARGIN = 0.4  # of the amount: 64.00 spent bring 25.60
_REGIONS = ("North", "South", "East", "West", "Islands")
_REGION_SHARES = (0.26, 0.24, 0.22, 0.2, 0.08)
_REGION_POSTAGE = (0.0, 0.04, 0.02, 0.05, 0.34)
#: model column -> share of the inclination's variance that the model sees
_SIGHT = {"p_gbm2": 0.90, "p_logit": 0.745, "p_agency": 0.415}


def write_sample(folder: str) -> str:
    """Write the sample and its new customers into a folder.

    Parameters
    ----------
    folder : str
        Made if missing. Files that are there already are written again: the same bytes.

    Returns
    -------
    str
        Path of ``direct_mail.csv``; ``new_customers.csv`` (no outcome) stands beside it.
    """
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PayoffError(
            "The folder for the sample cannot be made.",
            where=folder,
            why=f"The system says: {error.strerror}.",
        ) from None
    path = place / SAMPLE_FILE
    write_columns(str(path), make_campaign())
    write_columns(str(place / NEW_CUSTOMERS_FILE), make_new_customers())
    return str(path)


def make_campaign() -> dict[str, AnyArray | list[str]]:
    """The columns of the campaign, 20,000 rows."""
    draw = np.random.RandomState(SEED)
    columns, inclination = _customers(draw, CUSTOMERS, first_id=100_001)
    noise = draw.logistic(size=CUSTOMERS)
    responded = np.zeros(CUSTOMERS, dtype=np.int64)
    responded[np.argsort(-(inclination + noise), kind="stable")[:RESPONDERS]] = 1
    spent = draw.gamma(6.0, 1.0, CUSTOMERS)
    spent *= RESPONSE_VALUE / _MARGIN / spent[responded == 1].mean()
    scores = _scores(draw, inclination)
    uses = draw_uses(CUSTOMERS, responded.astype(np.int32), SplitSpec(seed=SEED))
    names = {1: "validation", 2: "test"}
    return {
        **columns,
        "letter_cost": _letter_costs(draw, columns["region"]),
        **scores,
        "use": [names[int(use)] for use in uses],
        "responded": responded,
        "amount": np.where(responded == 1, np.round(spent, 2), 0.0),
    }


def make_new_customers() -> dict[str, AnyArray | list[str]]:
    """5,000 customers of whom nobody knows yet whether they will respond."""
    draw = np.random.RandomState(SEED + 1)
    columns, inclination = _customers(draw, NEW_CUSTOMERS, first_id=300_001)
    scores = _scores(draw, inclination)
    return {**columns, "letter_cost": _letter_costs(draw, columns["region"]), **scores}


def _customers(
    draw: np.random.RandomState, count: int, *, first_id: int
) -> tuple[dict[str, AnyArray | list[str]], FloatArray]:
    """Inputs and the inclination that follows from them."""
    region = draw.choice(len(_REGIONS), size=count, p=_REGION_SHARES)
    age = np.clip(np.round(draw.normal(47, 15, count)), 18, 92).astype(np.int64)
    orders = draw.poisson(draw.gamma(1.4, 1.3, count))
    last = np.clip(np.round(draw.gamma(1.5, 130.0, count) / (1 + 0.35 * orders)), 1, 999)
    basket = np.round(np.clip(draw.lognormal(3.85, 0.45, count), 8, 400), 2)
    newsletter = draw.uniform(size=count) < 0.38
    pull = (
        0.55 * np.log1p(orders)
        - 0.45 * np.log(last / 100)
        + 0.35 * (np.log(basket) - 3.85)
        + 0.40 * newsletter
        - 0.0004 * (age - 52.0) ** 2
        + 0.10 * (region == 0)
        + draw.normal(0, 0.35, count)  # habits that only the models' own inputs know
    )
    columns: dict[str, AnyArray | list[str]] = {
        "customer_id": [f"K{number}" for number in range(first_id, first_id + count)],
        "region": [_REGIONS[index] for index in region],
        "age": age,
        "orders_12m": orders.astype(np.int64),
        "last_order_days": last.astype(np.int64),
        "basket_mean": basket,
        "newsletter": ["yes" if flag else "no" for flag in newsletter],
    }
    return columns, _SPREAD * _normal_scores(pull)


def _normal_scores(values: FloatArray) -> FloatArray:
    """Ranks turned into quantiles of the normal distribution."""
    ranks: IntArray = np.empty(len(values), dtype=np.int64)
    ranks[np.argsort(values, kind="stable")] = np.arange(len(values))
    inverse = NormalDist().inv_cdf
    return np.array([inverse((rank + 0.5) / len(values)) for rank in ranks.tolist()])


def _scores(draw: np.random.RandomState, inclination: FloatArray) -> dict[str, FloatArray]:
    """The three models' chances, each off in its own way."""
    probabilities: dict[str, FloatArray] = {}
    for name, sight in _SIGHT.items():
        noise = draw.normal(0, _SPREAD * np.sqrt(1 / sight - 1), len(inclination))
        odds = _calibrated_log_odds(inclination + noise, sight)
        if name == "p_gbm2":
            odds = odds + _log_odds(TRAINED_SHARE) - _log_odds(_BASE_RATE)
        elif name == "p_agency":
            odds = _log_odds(_BASE_RATE) + _STRETCH * (odds - _log_odds(_BASE_RATE))
        probabilities[name] = np.round(1.0 / (1.0 + np.exp(-odds)), 6)
    return probabilities


def _calibrated_log_odds(seen: FloatArray, sight: float) -> FloatArray:
    """Log odds of the mean chance given what a model sees.

    Given the sum ``seen`` of inclination and noise, the inclination is normal with mean
    ``sight * seen`` and variance ``spread^2 (1 - sight)``.
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(24)
    width = _SPREAD * np.sqrt(1 - sight)
    grid = sight * seen[:, None] + width * nodes[None, :]
    probability = (1.0 / (1.0 + np.exp(_cut_off() - grid))) @ weights / weights.sum()
    return np.asarray(np.log(probability / (1 - probability)))


def _cut_off() -> float:
    """The inclination at which the chance is one half, so that 5.0 % respond (by bisection)."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(48)
    low, high = 0.0, 12.0
    for _ in range(60):
        middle = (low + high) / 2
        rate = weights @ (1.0 / (1.0 + np.exp(middle - _SPREAD * nodes))) / weights.sum()
        low, high = (middle, high) if rate > _BASE_RATE else (low, middle)
    return (low + high) / 2


def _log_odds(share: float) -> float:
    return float(np.log(share / (1 - share)))


def _letter_costs(draw: np.random.RandomState, regions: AnyArray | list[str]) -> FloatArray:
    """1.20 to 2.20 a letter by region and weight of the catalogue, 1.60 in the mean."""
    postage = np.array([_REGION_POSTAGE[_REGIONS.index(str(name))] for name in regions])
    weight = draw.beta(2.2, 2.6, len(postage))
    cost = 1.2025 + 0.75 * weight + postage
    return np.asarray(np.round(np.clip(cost, 1.20, 2.20), 2))


def sample_data(path: str, columns: tuple[str, ...], rows: int) -> DataRef:
    """A sample's file, written by ``write_columns``: nothing about it needs to be guessed."""
    return DataRef(
        path=path,
        content_hash=content_hash(path),
        rows=rows,
        columns=columns,
        size_bytes=Path(path).stat().st_size,
        reader=ReaderSettings(
            format="delimited",
            delimiter=",",
            quote='"',
            decimal=".",
            encoding="utf-8",
            has_header=True,
        ),
    )


def sample_document(path: str) -> Document:
    """The project that goes with the sample.

    Parameters
    ----------
    path : str
        ``direct_mail.csv`` as ``write_sample`` wrote it.

    Returns
    -------
    Document
        Roles, target, old priors, priors and the direct-mail matrix. All rows are used: the three
        models were made on other customers, so that none of these rows flatters one.
    """
    names = (*make_new_customers(), "use", "responded", "amount")
    roles = tuple(_sample_role(name) for name in names)
    document = Document(
        name="Direct mail",
        case_word=("customer", "customers"),
        data=sample_data(path, names, CUSTOMERS),
        target=TargetSpec(
            column="responded",
            kind="binary",
            levels=("1", "0"),
            labels=("responds", "does not respond"),
        ),
        split=SplitSpec(
            column="use", meaning=(("validation", RowUse.VALIDATION), ("test", RowUse.TEST))
        ),
        rows_used=RowUse.ALL,
        matrix=_sample_matrix(),
        priors=(("1", 0.05), ("0", 0.95)),
    ).with_roles(roles)
    return _with_old_priors(document)


def _sample_matrix() -> MatrixSpec:
    return MatrixSpec(
        template="payoff.direct_mail",
        kind=MatrixKind.PROFIT,
        levels=("1", "0"),
        decisions=("Mail", "Do nothing"),
        cells=(),
        acting="Mail",
        parameters=(("response_value", RESPONSE_VALUE), ("letter_cost", LETTER_COST)),
        do_nothing="Do nothing",
    )


def _with_old_priors(document: Document) -> Document:
    """What is known of each model's training shares."""
    known = {
        "gbm 2": OldPriors(
            kind=OldPriorKind.TRAINED_AT,
            shares=(("1", TRAINED_SHARE), ("0", 1 - TRAINED_SHARE)),
        ),
        "logit": OldPriors(kind=OldPriorKind.CORRECTED),
        "agency": OldPriors(),
    }
    models = tuple(replace(m, old_priors=known[m.name]) for m in document.models)
    return replace(document, models=models, reference_model="gbm 2")


def _sample_role(name: str) -> RoleAssignment:
    """The role of one column of the sample, with the reason the guess would give too."""
    models = {"p_gbm2": "gbm 2", "p_logit": "logit", "p_agency": "agency"}
    if name in models:
        return RoleAssignment(
            column=name,
            role=Role.POSTERIOR,
            model=models[name],
            level="1",
            reason="the chance of a response, by this model",
        )
    other = {
        "customer_id": (Role.ID, "every customer has one of their own"),
        "letter_cost": (Role.COST, "what a letter to this customer costs"),
        "use": (Role.ROW_USE, "validation or test"),
        "responded": (Role.TARGET, "1 = the customer ordered after the letter"),
        "amount": (Role.IGNORED, "what was spent after the letter: known only afterwards"),
    }
    role, reason = other.get(name, (Role.INPUT, "known before the letter was sent"))
    return RoleAssignment(column=name, role=role, reason=reason)
