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

Five more samples, each from a seed: loans, donations, a trial, insurance claims, a voucher test.

``docs/data.md`` says for users how they are drawn. Models are scores that see the truth through
noise; of the trial they are trained (``resources/samples/make.py``). ``RandomState`` is used
because its stream never changes between versions of numpy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import NormalDist

import numpy as np

from core.data.identity import content_hash
from core.data.splits import draw_uses
from core.data.writing import write_columns
from core.document.data.model import DataRef, ReaderSettings, RowUse
from core.document.decisions.formulas import PLAIN_TEMPLATES, worked_out
from core.document.decisions.matrix_model import CellFormula, MatrixKind, MatrixSpec
from core.document.decisions.starting_matrix import lending_matrix
from core.document.model import (
    Document,
    MetricChoice,
    OldPriorKind,
    OldPriors,
    Role,
    RoleAssignment,
    SplitSpec,
    TargetSpec,
)
from core.document.uplift.model import UpliftSpec
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
    chances: dict[str, FloatArray] = {}
    for name, sight in _SIGHT.items():
        noise = draw.normal(0, _SPREAD * np.sqrt(1 / sight - 1), len(inclination))
        odds = _calibrated_log_odds(inclination + noise, sight)
        if name == "p_gbm2":
            odds = odds + _log_odds(TRAINED_SHARE) - _log_odds(_BASE_RATE)
        elif name == "p_agency":
            odds = _log_odds(_BASE_RATE) + _STRETCH * (odds - _log_odds(_BASE_RATE))
        chances[name] = np.round(1.0 / (1.0 + np.exp(-odds)), 6)
    return chances


def _calibrated_log_odds(seen: FloatArray, sight: float) -> FloatArray:
    """Log odds of the mean chance given what a model sees.

    Given the sum ``seen`` of inclination and noise, the inclination is normal with mean
    ``sight * seen`` and variance ``spread^2 (1 - sight)``.
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(24)
    width = _SPREAD * np.sqrt(1 - sight)
    grid = sight * seen[:, None] + width * nodes[None, :]
    chance = (1.0 / (1.0 + np.exp(_cut_off() - grid))) @ weights / weights.sum()
    return np.asarray(np.log(chance / (1 - chance)))


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


Columns = dict[str, AnyArray | list[str]]
LOANS, DONORS, PATIENTS, POLICIES, VOUCHER_CUSTOMERS = 4_000, 9_600, 1_500, 8_000, 12_000
LETTER = 1.1
"""What a letter to a donor costs."""
TRIAL_MODELS = {
    "clinic": ("age", "stage", "arm"),
    "with gene test": ("age", "stage", "arm", "gene_score"),
}
"""Models of the trial that are trained, and their inputs."""


@dataclass(frozen=True, slots=True)
class SampleProject:
    """One sample: key and title, how its columns are drawn, and what its project says of them."""

    key: str
    title: str
    draw: Callable[[], Columns]
    describe: Callable[[DataRef], Document]

    @property
    def file(self) -> str:
        """Name of the data file."""
        return f"{self.key.replace('-', '_')}.csv"

    def write(self, folder: str) -> str:
        """Write the data, the same bytes every time; returns the path."""
        path = Path(folder) / self.file
        write_columns(str(path), self.draw())
        return str(path)

    def document(self, path: str) -> Document:
        """Return the project that goes with a file as ``write`` wrote it."""
        columns = self.draw()
        rows = len(next(iter(columns.values())))
        return self.describe(sample_data(path, tuple(columns), rows))


def _chances(odds: FloatArray) -> FloatArray:
    return np.asarray(1.0 / (1.0 + np.exp(-odds)))


def _ids(letter: str, count: int) -> list[str]:
    return [f"{letter}{number}" for number in range(10_001, 10_001 + count)]


def _roles(given: dict[str, Role | RoleAssignment]) -> tuple[RoleAssignment, ...]:
    return tuple(
        entry
        if isinstance(entry, RoleAssignment)
        else RoleAssignment(column=column, role=entry, reason="known by construction")
        for column, entry in given.items()
    )


def _of_model(column: str, role: Role, model: str, level: str | None = None) -> RoleAssignment:
    reason = "made by this model on other cases"
    return RoleAssignment(column=column, role=role, model=model, level=level, reason=reason)


# ---------------------------------------------------------------- loans

_ENDS = ("default", "late", "good")
_LENDERS = {"scorecard": 0.35, "agency": 1.1}  # and the noise through which each sees the risk


def _draw_loans() -> Columns:
    """Loans with their amounts, how each ended, and the chances of that by two models."""
    draw = np.random.RandomState(20262)
    income = np.round(np.exp(draw.normal(10.4, 0.4, LOANS)), -2)
    amount = np.round(np.exp(draw.normal(8.9, 0.6, LOANS)), -2)
    term = draw.choice([12, 24, 36, 48, 60], size=LOANS, p=[0.1, 0.25, 0.3, 0.2, 0.15])
    risk = 1.1 * (np.log(amount / income) + 1.5) + 0.012 * (term - 36) + draw.normal(0, 0.8, LOANS)
    drawn = draw.uniform(size=(LOANS, 1))
    end = (drawn > _end_chances(risk).cumsum(axis=1)).sum(axis=1).clip(0, 2)
    columns: Columns = {
        "loan_id": _ids("L", LOANS),
        "income": income.astype(np.int64),
        "loan_amount": amount.astype(np.int64),
        "term_months": term.astype(np.int64),
        "status": [_ENDS[place] for place in end],
    }
    for model, noise in _LENDERS.items():
        chances = _end_chances(risk + draw.normal(0, noise, LOANS))
        for place, level in enumerate(_ENDS):
            columns[f"{model}_{level}"] = np.round(chances[:, place], 6)
    return columns


def _end_chances(risk: FloatArray) -> FloatArray:
    """Chances (n, 3) of default, late and good."""
    odds = np.column_stack(
        [np.exp(-2.9 + 1.15 * risk), np.exp(-2.0 + 0.6 * risk), np.ones_like(risk)]
    )
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def _describe_loans(data: DataRef) -> Document:
    target = TargetSpec(column="status", kind="multiclass", levels=_ENDS)
    roles: dict[str, Role | RoleAssignment] = {
        "loan_id": Role.ID,
        "income": Role.INPUT,
        "loan_amount": Role.INPUT,
        "term_months": Role.INPUT,
        "status": Role.TARGET,
    }
    for model in _LENDERS:
        for level in _ENDS:
            column = f"{model}_{level}"
            roles[column] = _of_model(column, Role.POSTERIOR, model, level)
    document = Document(
        name="Loans",
        case_word=("loan", "loans"),
        data=data,
        target=target,
        rows_used=RowUse.ALL,
        matrix=lending_matrix(target, "loan_amount"),
        reference_model="scorecard",
    ).with_roles(_roles(roles))
    return _corrected(document)


def _corrected(document: Document) -> Document:
    """The document with models whose chances hold for these cases as they are."""
    known = OldPriors(kind=OldPriorKind.CORRECTED)
    return replace(
        document, models=tuple(replace(model, old_priors=known) for model in document.models)
    )


# ---------------------------------------------------------------- donations

_ASKERS = {"gbm": 0.4, "logit": 0.9}


def _draw_donations() -> Columns:
    """Donors with what they usually give, who gave after a letter, and two models' chances.

    Those who give much give seldom: the likeliest donors are not the best ones.
    """
    draw = np.random.RandomState(20263)
    usual = np.round(np.exp(draw.normal(2.6, 0.7, DONORS)).clip(2, 250))
    gifts = draw.poisson(draw.gamma(1.6, 1.4, DONORS))
    months = np.round(draw.gamma(1.8, 8.0, DONORS)).clip(1, 60)
    inclination = (
        -2.95
        - 0.75 * (np.log(usual) - 2.6)
        + 0.45 * np.log1p(gifts)
        - 0.02 * (months - 14)
        + draw.normal(0, 0.5, DONORS)
    )
    gave = draw.uniform(size=DONORS) < _chances(inclination)
    given = np.round(usual * draw.gamma(9.0, 1 / 9.0, DONORS), 2)
    columns: Columns = {
        "donor_id": _ids("D", DONORS),
        "usual_gift": usual.astype(np.int64),
        "gifts_5y": gifts.astype(np.int64),
        "months_since_last": months.astype(np.int64),
        "gave": gave.astype(np.int64),
        "gift": np.where(gave, given, 0.0),
    }
    for model, noise in _ASKERS.items():
        seen = inclination + draw.normal(0, noise, DONORS)
        columns[f"p_{model}"] = np.round(_chances(seen), 6)
    return columns


def _describe_donations(data: DataRef) -> Document:
    levels = ("1", "0")
    matrix = MatrixSpec(
        template=PLAIN_TEMPLATES[MatrixKind.PROFIT],
        kind=MatrixKind.PROFIT,
        levels=levels,
        decisions=("Ask", "Leave alone"),
        cells=((0.0, 0.0), (0.0, 0.0)),
        acting="Ask",
        do_nothing="Leave alone",
        parameters=(("letter", LETTER),),
        formulas=(
            CellFormula(level="1", decision="Ask", text="amount - letter"),
            CellFormula(level="0", decision="Ask", text="-letter"),
        ),
        amount="usual_gift",
    )
    roles: dict[str, Role | RoleAssignment] = {
        "donor_id": Role.ID,
        "usual_gift": Role.INPUT,
        "gifts_5y": Role.INPUT,
        "months_since_last": Role.INPUT,
        "gave": Role.TARGET,
        "gift": RoleAssignment(
            column="gift", role=Role.IGNORED, reason="what came of it: known only afterwards"
        ),
    }
    for model in _ASKERS:
        roles[f"p_{model}"] = _of_model(f"p_{model}", Role.POSTERIOR, model, "1")
    document = Document(
        name="Donations",
        case_word=("donor", "donors"),
        data=data,
        target=TargetSpec(
            column="gave", kind="binary", levels=levels, labels=("gives", "gives nothing")
        ),
        rows_used=RowUse.ALL,
        matrix=worked_out(matrix),
        reference_model="gbm",
    ).with_roles(_roles(roles))
    return _corrected(document)


# ---------------------------------------------------------------- a trial

_ARMS = ("usual care", "new drug")


def _draw_trial() -> Columns:
    """Patients of a trial drawn by lot: months until a relapse, or until they were last seen."""
    draw = np.random.RandomState(20264)
    age = np.round(draw.normal(61, 10, PATIENTS)).clip(30, 88)
    stage = draw.choice(3, size=PATIENTS, p=[0.45, 0.35, 0.2]) + 1
    gene = np.round(draw.normal(0, 1, PATIENTS), 3)
    arm = draw.permutation(np.arange(PATIENTS) % 2)
    hazard = 0.010 * np.exp(0.55 * (stage - 1) + 0.02 * (age - 61) + 0.6 * gene - 0.45 * arm)
    relapse = draw.exponential(1.0, PATIENTS) / hazard
    seen = draw.uniform(12.0, 60.0, PATIENTS)
    return {
        "patient_id": _ids("P", PATIENTS),
        "arm": [_ARMS[place] for place in arm],
        "age": age.astype(np.int64),
        "stage": stage.astype(np.int64),
        "gene_score": gene,
        "months": np.round(np.minimum(relapse, seen), 1).clip(0.1),
        "relapsed": (relapse <= seen).astype(np.int64),
    }


def _describe_trial(data: DataRef) -> Document:
    """Return the project before its models are trained."""
    roles: dict[str, Role | RoleAssignment] = {
        "patient_id": Role.ID,
        "arm": Role.INPUT,
        "age": Role.INPUT,
        "stage": Role.INPUT,
        "gene_score": Role.INPUT,
        "months": Role.TARGET,
        "relapsed": Role.EVENT,
    }
    return Document(
        name="Trial",
        case_word=("patient", "patients"),
        data=data,
        target=TargetSpec(column="months", kind="interval"),
        split=SplitSpec(seed=20264, shares=(0.5, 0.2, 0.3)),
        rows_used=RowUse.TEST,
    ).with_roles(_roles(roles))


# ---------------------------------------------------------------- claims

_TARIFFS = {"glm": 0.45, "gbm": 0.15}


def _draw_claims() -> Columns:
    """Motor policies: years insured, claims, and the claims that two tariffs expect."""
    draw = np.random.RandomState(20265)
    exposure = np.round(draw.beta(2.0, 1.0, POLICIES).clip(0.05, 1.0), 3)
    age = np.round(draw.normal(45, 14, POLICIES)).clip(18, 90)
    power = draw.choice([55, 75, 95, 120, 160], size=POLICIES, p=[0.2, 0.3, 0.25, 0.15, 0.1])
    region = draw.choice(3, size=POLICIES, p=[0.5, 0.3, 0.2])
    rate = np.exp(
        -2.1
        + 0.9 * np.exp(-(age - 18) / 7)
        + 0.004 * (power - 75)
        + np.array([0.0, 0.2, 0.45])[region]
        + draw.normal(0, 0.35, POLICIES)
    )
    columns: Columns = {
        "policy_id": _ids("V", POLICIES),
        "exposure_years": exposure,
        "driver_age": age.astype(np.int64),
        "power_kw": power.astype(np.int64),
        "region": [("country", "town", "city")[place] for place in region],
        "claims": draw.poisson(rate * exposure),
    }
    for model, noise in _TARIFFS.items():
        seen = rate * np.exp(draw.normal(0, noise, POLICIES) - noise**2 / 2)
        columns[f"expected_{model}"] = np.round(seen * exposure, 5)
    return columns


def _describe_claims(data: DataRef) -> Document:
    roles: dict[str, Role | RoleAssignment] = {
        "policy_id": Role.ID,
        "exposure_years": RoleAssignment(
            column="exposure_years",
            role=Role.IGNORED,
            reason="years insured: both tariffs expect claims of just these years",
        ),
        "driver_age": Role.INPUT,
        "power_kw": Role.INPUT,
        "region": Role.INPUT,
        "claims": Role.TARGET,
    }
    for model in _TARIFFS:
        column = f"expected_{model}"
        roles[column] = _of_model(column, Role.PREDICTION, model)
    return Document(
        name="Claims",
        case_word=("policy", "policies"),
        data=data,
        target=TargetSpec(column="claims", kind="interval"),
        rows_used=RowUse.ALL,
        metrics=tuple(
            MetricChoice(metric=metric) for metric in ("pair_concordance", "rmse", "mae", "r2")
        ),
    ).with_roles(_roles(roles))


# ---------------------------------------------------------------- a voucher test


def _draw_vouchers() -> Columns:
    """Customers of whom half, by lot, got a voucher: who bought, and two rankings.

    The likeliest buyers would have bought anyway; the voucher wins those in between.
    """
    draw = np.random.RandomState(20266)
    orders = draw.poisson(draw.gamma(1.5, 1.5, VOUCHER_CUSTOMERS))
    days = np.round(draw.gamma(1.6, 90.0, VOUCHER_CUSTOMERS)).clip(1, 900)
    pull = (
        0.8 * np.log1p(orders) - 0.5 * np.log(days / 100) + draw.normal(0, 0.6, VOUCHER_CUSTOMERS)
    )
    base = _chances(-2.6 + pull)
    effect = 0.16 * np.exp(-((pull - 0.3) ** 2) / 0.5) - 0.02
    sent = draw.permutation(np.arange(VOUCHER_CUSTOMERS) % 2)
    bought = draw.uniform(size=VOUCHER_CUSTOMERS) < (base + sent * effect).clip(0.001, 0.999)
    return {
        "customer_id": _ids("K", VOUCHER_CUSTOMERS),
        "orders_12m": orders.astype(np.int64),
        "last_order_days": days.astype(np.int64),
        "voucher": [("no", "yes")[place] for place in sent],
        "bought": bought.astype(np.int64),
        "uplift_gbm": np.round(effect + draw.normal(0, 0.03, VOUCHER_CUSTOMERS), 5),
        "response_gbm": np.round(_chances(-2.6 + pull + draw.normal(0, 0.3, VOUCHER_CUSTOMERS)), 5),
    }


def _describe_vouchers(data: DataRef) -> Document:
    roles: dict[str, Role | RoleAssignment] = {
        "customer_id": Role.ID,
        "orders_12m": Role.INPUT,
        "last_order_days": Role.INPUT,
        "voucher": Role.TREATMENT,
        "bought": Role.TARGET,
        "uplift_gbm": _of_model("uplift_gbm", Role.SCORE, "uplift gbm"),
        "response_gbm": _of_model("response_gbm", Role.SCORE, "response gbm"),
    }
    return Document(
        name="Voucher test",
        case_word=("customer", "customers"),
        data=data,
        target=TargetSpec(column="bought", kind="binary", levels=("1", "0")),
        rows_used=RowUse.ALL,
        reference_model="uplift gbm",
        uplift=UpliftSpec(
            treated="yes",
            control="no",
            drawn_by_lot=True,
            planned_share=0.5,
            value=30.0,
            contact=0.6,
            redemption=5.0,
        ),
    ).with_roles(_roles(roles))


SAMPLE_PROJECTS = (
    SampleProject("loans", "Loans", _draw_loans, _describe_loans),
    SampleProject("donations", "Donations", _draw_donations, _describe_donations),
    SampleProject("trial", "Trial", _draw_trial, _describe_trial),
    SampleProject("claims", "Claims", _draw_claims, _describe_claims),
    SampleProject("voucher-test", "Voucher test", _draw_vouchers, _describe_vouchers),
)
