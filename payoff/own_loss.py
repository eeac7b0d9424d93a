"""A loss from its formula: ``@payoff.loss`` over a class of functions of one case.

The class says what one case costs and how a step goes down; the program writes the loops over
cases, evaluates the link, and compiles them. How the value of a leaf follows is a rule, which is
the first score too: both are the best shift of some cases.
"""

from __future__ import annotations

import ast
import contextlib
import copyreg
import inspect
import math
import re
import sys
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from types import FunctionType
from typing import Any, TypeAlias

from payoff import formula_kernels as kernels
from payoff.errors import PayoffError, no_such
from payoff.kernels import KernelShape, is_kernel, kernel, kernel_mark
from payoff.numeric import (
    exp_response,
    identity_response,
    log_link,
    log_or_minus_infinity,
    logistic_response,
    logit,
    logit_link,
)
from payoff.parameters import Parameter, Parameters
from payoff.specs import Kernel, LossDistribution
from payoff.vocabulary import LeafKind, TargetDomain

Function = Callable[..., Any]

_LINE = re.compile(r"(?m)^@(payoff\.)?loss\(")
_PARTS = ("loss", "step", "saturated", "deviance", "response", "link", "leaf", "start")
_VARIANTS = ("gbm", "gbm_with_offset")
_SHARES = ("y", "gradient", "curvature")
_LIMITS = {
    "best": kernels.BEST_LIMIT,
    "step": kernels.STEP_LIMIT,
    "score": kernels.SCORE_LIMIT,
}


@kernel(shape="helper")
def _same(value: float) -> float:
    """Return the value: the score of a prediction under the identity link."""
    return value


@dataclass(frozen=True, slots=True)
class _Link:
    """A link by name: its kernels, its values in strips, its range of predictions."""

    response: Kernel
    link: Kernel
    score: Function
    fill: Function = kernels.fill_nothing
    picks: tuple[Function, ...] = ()
    links: tuple[Function, ...] = ()
    lowest_score: float = -math.inf
    highest_score: float = math.inf
    fields: Mapping[str, Any] = field(default_factory=dict)


_LINKS = {
    "identity": _Link(identity_response, identity_response, _same),
    "log": _Link(
        exp_response,
        log_link,
        log_or_minus_infinity,
        kernels.fill_exponential,
        (kernels.pick_exponential, kernels.pick_exponential_and_gradient),
        (kernels.link_exponential, kernels.link_exponential_and_gradient),
        lowest_score=-19.0,  # exp(-19) = 6e-9 stands for nothing
        fields={"response_low": 0.0, "is_response_open": True},
    ),
    "logit": _Link(
        logistic_response,
        logit_link,
        logit,
        kernels.fill_logistic,
        (kernels.pick_probability, kernels.pick_probability_and_gradient),
        (kernels.link_probability, kernels.link_probability_and_gradient),
        lowest_score=-30.0,  # a chance of 1e-13 stands for never
        highest_score=30.0,
        fields={"response_low": 0.0, "response_high": 1.0},
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Making:
    """A loss being made: its id, link, parameters and step, from which rules make kernels."""

    id: str
    link: _Link
    parameters: tuple[Parameter, ...]
    step: Function

    @property
    def values(self) -> Function:
        """What gives a formula its parameters, as a tuple."""
        return kernels.values_of(len(self.parameters), f"The loss '{self.id}'")

    def bound(self, template: Function, part: str, shape: str, **names: object) -> Kernel:
        """A template bound to this loss, under a name that begins with its id."""
        return kernels.bind(template, f"{self.id}_{part}", shape, VALUES=self.values, **names)

    def by_case(self, formula: Function, name: str) -> dict[str, object]:
        """What a template over cases calls: the formula, and what it asks of the link."""
        more = ("mu", "slope")[: len(self.link.picks)]
        count = self._arguments(formula, name, ("y", "f"), more)
        if count == 0:
            return {"FORMULA": _helper(formula)}
        return {
            "FORMULA": _helper(formula),
            "FILL": self.link.fill,
            "PICK": self.link.picks[count - 1],
            "LINK": self.link.links[count - 1],
        }

    def plain(self, formula: Function, name: str, first: tuple[str, ...]) -> Function:
        """A formula of the named arguments and the parameters, as a kernel."""
        self._arguments(formula, name, first, ())
        return _helper(formula)

    def _arguments(
        self, formula: Function, name: str, first: tuple[str, ...], more: tuple[str, ...]
    ) -> int:
        """How many of the link's values a formula takes after its first arguments.

        Raises
        ------
        PayoffError
            If its arguments are others.
        """
        found = tuple(inspect.signature(formula).parameters)
        last = tuple(item.name for item in self.parameters)
        for count in range(len(more) + 1):
            if found == (*first, *more[:count], *last):
                return count
        wanted = ", ".join((*first, *(f"[{word}]" for word in more), *last))
        raise PayoffError(
            f"'{name}' of the loss '{self.id}' takes {', '.join(found) or 'nothing'}.",
            where=_place(formula),
            remedy=f"Write {name}({wanted}): parameters come last, by their names.",
        )


def _helper(function: Function) -> Function:
    """A formula marked as a kernel that others call; one that is marked stays as it is."""
    return function if is_kernel(function) else kernel(shape="helper")(function)


def _place(function: Function) -> str:
    code = getattr(function, "__code__", None)
    return "" if code is None else f"{code.co_filename}, line {code.co_firstlineno}"


@dataclass(frozen=True, slots=True)
class _Newton:
    is_minus: bool

    def start(self, making: _Making) -> Kernel:
        """Make the kernel ``initial_score``."""
        names = making.by_case(making.step, "step")
        return making.bound(kernels.newton_start, "initial_score", "whole", **names)

    def leaf(self, making: _Making) -> dict[str, Any]:
        """Make the fields ``leaf_kind``, ``leaf_values`` and ``leaf_quantile``."""
        if not self.is_minus:
            return {"leaf_kind": LeafKind.NEWTON, "leaf_values": None}
        values = making.bound(kernels.minus_newton_leaves, "leaf_values", "by_group")
        return {"leaf_kind": LeafKind.SOLVER, "leaf_values": values}


class _ByRule:
    """A rule that is a function of some cases, arrays of outcome, score and weight."""

    def rule_of(self, making: _Making, part: str) -> Function:
        """The function, of a name of its own for each part where it is made."""
        raise NotImplementedError

    def kind(self) -> dict[str, Any]:
        """How a leaf's value is best: ``leaf_kind``, ``leaf_quantile``."""
        return {"leaf_kind": LeafKind.LOCATION}

    def start(self, making: _Making) -> Kernel:
        """Make the kernel ``initial_score``."""
        rule = self.rule_of(making, "start")
        return making.bound(kernels.rule_start, "initial_score", "whole", RULE=rule)

    def leaf(self, making: _Making) -> dict[str, Any]:
        """Make the fields ``leaf_kind``, ``leaf_values`` and ``leaf_quantile``."""
        rule = self.rule_of(making, "leaf")
        values = making.bound(kernels.rule_leaves, "leaf_values", "by_group", RULE=rule)
        return {**self.kind(), "leaf_values": values}


@dataclass(frozen=True)
class _BestShift(_ByRule):
    rule: Function
    is_best: bool

    def rule_of(self, making: _Making, part: str) -> Function:
        """Make the function of some cases."""
        return making.plain(self.rule, "rule", ("y", "f", "weight"))

    def kind(self) -> dict[str, Any]:
        """Say how a leaf's value is best."""
        return {"leaf_kind": LeafKind.LOCATION if self.is_best else LeafKind.SOLVER}


@dataclass(frozen=True)
class _Quantile(_ByRule):
    level: float | str
    rule: Function | None

    def rule_of(self, making: _Making, part: str) -> Function:
        """Make the function of some cases."""
        if self.rule is not None:
            return making.plain(self.rule, "rule", ("y", "f", "weight"))
        template: Function = kernels.fixed_quantile
        names: dict[str, object] = {"LEVEL": self.level}
        if isinstance(self.level, str):
            known = [item.name for item in making.parameters]
            if self.level not in known:
                raise no_such("parameter", self.level, known)
            template, names = kernels.quantile_of_parameter, {"PLACE": known.index(self.level)}
        return making.bound(template, f"{part}_rule", "helper", **names)

    def kind(self) -> dict[str, Any]:
        """Say how a leaf's value is best."""
        level = self.level

        def leaf_quantile(parameters: Parameters) -> float:
            """Return the quantile that a leaf is fitted to."""
            return parameters[level] if isinstance(level, str) else level

        return {"leaf_kind": LeafKind.QUANTILE, "leaf_quantile": leaf_quantile}


@dataclass(frozen=True, slots=True)
class _LogRatio:
    shares: Function
    lowest: float
    highest: float
    limit: int
    is_best: bool

    def start(self, making: _Making) -> Kernel:
        """Make the kernel ``initial_score``."""
        names = making.by_case(making.step, "step")
        names["STEP"] = names["FORMULA"]
        names["FORMULA"] = making.plain(self.shares, "shares", _SHARES)
        names["LOWEST"] = self.lowest
        return making.bound(kernels.ratio_start, "initial_score", "whole", **names)

    def leaf(self, making: _Making) -> dict[str, Any]:
        """Make the fields ``leaf_kind``, ``leaf_values`` and ``leaf_quantile``."""
        numbers = {"KIND": self.limit, "LOWEST": self.lowest, "HIGHEST": self.highest}
        template = kernels.limited_log_ratio
        names = {
            "FORMULA": making.plain(self.shares, "shares", _SHARES),
            "LIMIT": kernels.bind(template, f"{making.id}_leaf_limit", "helper", **numbers),
            "KIND": self.limit,
        }
        is_best = self.is_best and self.limit == kernels.BEST_LIMIT
        return {
            "leaf_kind": LeafKind.LOCATION if is_best else LeafKind.SOLVER,
            "leaf_values": making.bound(kernels.ratio_leaves, "leaf_values", "by_group", **names),
        }


@dataclass(frozen=True)
class _Balance(_ByRule):
    is_of_mean: bool
    lowest: float | None
    highest: float | None

    def rule_of(self, making: _Making, part: str) -> Function:
        """Make the function of some cases."""
        names = making.by_case(making.step, "step")
        step = making.bound(kernels.total_step, f"{part}_step", "helper", **names)
        link = making.link
        ends = {
            "LOWEST": link.lowest_score if self.lowest is None else self.lowest,
            "HIGHEST": link.highest_score if self.highest is None else self.highest,
        }
        outer = kernels.bind(
            kernels.outer_bracket, f"{making.id}_{part}_bracket", "helper", RULE=step, **ends
        )
        return kernels.bind(
            kernels.balanced,
            f"{making.id}_{part}_rule",
            "helper",
            RULE=step,
            SCORE=link.score,
            IS_OF_MEAN=self.is_of_mean,
            outer_bracket=outer,
            **ends,
        )


Rule: TypeAlias = _Newton | _BestShift | _Quantile | _LogRatio | _Balance


def newton(*, is_minus: bool = False) -> Rule:
    """Make the rule "sum of weight x gradient over sum of weight x curvature".

    As the first score: one such step from the offsets, which is exact for squared errors.
    ``is_minus`` turns the value of a leaf round, for steps whose gradient has the wrong sign.
    """
    return _Newton(is_minus)


def balance(
    *, is_of_mean: bool = False, lowest: float | None = None, highest: float | None = None
) -> Rule:
    """Make the rule "where the gradients of all cases balance", for a loss that has one minimum.

    Parameters
    ----------
    is_of_mean : bool
        Whether the gradient is outcome less prediction: without offsets the mean of the outcomes
        is the answer, and nothing is searched.
    lowest, highest : float, optional
        Between which scores to search; left out = by the link.
    """
    return _Balance(is_of_mean, lowest, highest)


def log_ratio(
    shares: Function,
    *,
    lowest: float = -math.inf,
    highest: float = math.inf,
    limit: str = "best",
    is_best: bool = True,
) -> Rule:
    """Make the rule "log of what was counted over what is expected", of the log link.

    Parameters
    ----------
    shares : function
        ``shares(y, gradient, curvature, *parameters)`` -> what a case counts, and what is expected
        of it; both are summed with the weights.
    lowest, highest : float
        Scores that stand for nothing and for no end.
    limit : {"best", "step", "score"}
        Of a leaf in which nothing was counted the lowest score goes to ``lowest``, and never up;
        or its value is ``lowest``; or as that, and no score leaves ``lowest`` to ``highest``.
    is_best : bool
        Whether the value is the leaf's best one, not only a step towards it.
    """
    if limit not in _LIMITS:
        raise no_such("limit", limit, _LIMITS)
    return _LogRatio(shares, lowest, highest, _LIMITS[limit], is_best)


def quantile(level: float | str, *, rule: Function | None = None) -> Rule:
    """Make the rule "weighted quantile of outcome less score", at a level or a parameter's.

    ``rule`` works it out, as in ``best_shift``, where another program rounds it in its own way.
    """
    return _Quantile(level if isinstance(level, str) else float(level), rule)


def best_shift(rule: Function, *, is_best: bool = True) -> Rule:
    """Make a rule of a function of some cases.

    Parameters
    ----------
    rule : function
        ``rule(y, f, weight, *parameters)`` -> the number to add to their scores; three arrays
        (m,), which it may not change. What is no number counts as 0.
    is_best : bool
        Whether that minimises the loss of the cases.
    """
    return _BestShift(rule, is_best)


@dataclass(frozen=True, slots=True)
class Variant:
    """What another program's arithmetic changes in a loss; see ``variant``."""

    parts: Mapping[str, Any]
    expected_failures: tuple[tuple[str, str], ...]


def variant(
    *, expected_failures: tuple[tuple[str, str], ...] = (), **parts: Function | Rule
) -> Variant:
    """Name the parts in which a loss differs under R gbm's arithmetic: ``leaf``, ``start`` ...

    ``expected_failures`` are checks that fail for that reason.
    """
    _refuse_unknown("a variant", parts, _PARTS)
    return Variant(parts, expected_failures)


def loss(
    label: str,
    *,
    target: TargetDomain | str = TargetDomain.REAL,
    link: str = "identity",
    gradient_factor: float = 1.0,
    help: str = "",
    formula: str = "",
    parameters: tuple[Parameter, ...] = (),
    **fields: Any,
) -> Callable[[type], LossDistribution]:
    """Make a loss of a class of formulas for one case.

    The class's name is the loss's id (``LogCosh`` -> ``log_cosh``), the first line of its docstring
    its explanation. Functions have no ``self``. They take the outcome ``y`` and the score ``f``;
    with the link "log" or "logit", if they ask for them, the prediction ``mu`` and its slope by
    the score ``slope``; then the parameters by their names.

    ``loss(y, f)``
        What one case costs.
    ``step(y, f)``
        ``gradient_factor`` times minus the slope of the loss by f, and the divisor of a Newton
        step, 0 or more.
    ``leaf``
        The value of a leaf: ``payoff.newton()`` (left out), ``payoff.log_ratio(...)``,
        ``payoff.quantile(...)``, ``payoff.balance()`` or ``payoff.best_shift(...)``.
    ``start``
        The first score, by such a rule too. Left out: as the leaf; with Newton's,
        ``payoff.balance()``.
    ``saturated(y)``
        The loss of a perfect prediction where that is not 0.
    ``deviance(y, mu, log_ratio)``
        With the link "log": loss less saturated at a prediction, with log(y / mu), 0 where y is 0.
    ``response(f)``, ``link(mu)``
        A link of its own: the prediction of a score, and back.
    ``gbm``, ``gbm_with_offset``
        ``payoff.variant(...)``: what R's gbm computes differently.

    ``saturated``, ``deviance``, ``response`` and ``link`` may also be kernels over arrays, as
    ``payoff.LossDistribution`` has them.

    Parameters
    ----------
    label : str
        The user's word for it.
    target : str
        Outcomes it can be fitted to: "real", "binary", "counts", "positive".
    link : {"identity", "log", "logit"}
    gradient_factor : float
    help, formula : str
        One plain sentence (left out: the docstring's first line), and the formula (left out: what
        ``loss`` returns, if it is one line).
    parameters : tuple of Parameter
    fields
        Further fields of ``payoff.LossDistribution``: asks, reference, response_low ...

    Raises
    ------
    PayoffError
        If a part is missing or unknown, or takes other arguments.
    """
    if link not in _LINKS:
        raise no_such("link", link, _LINKS)

    def wrap(formulas: type) -> LossDistribution:
        """Make the loss of a class."""
        parts = _parts_of(formulas)
        variants = {name: parts.pop(name) for name in _VARIANTS if name in parts}
        name = _id_of(formulas)
        spec = LossDistribution(
            id=name,
            label=label,
            help=help or (inspect.getdoc(formulas) or label).splitlines()[0],
            formula=formula or _formula_words(parts["loss"]),
            target=TargetDomain(target),
            gradient_factor=gradient_factor,
            parameters=parameters,
            **{**_LINKS[link].fields, **_kernels_of(name, link, parameters, parts), **fields},
        )
        made: dict[str, Any] = {
            kind: _variant_of(spec, kind, link, {**parts, **changed.parts}, changed)
            for kind, changed in variants.items()
        }
        return replace(spec, **made)

    return wrap


def loss_of(made: object) -> LossDistribution:
    """Return what ``payoff.loss`` made of a class; type checkers take it for the class still.

    Raises
    ------
    PayoffError
        If it is something else.
    """
    if not isinstance(made, LossDistribution):
        raise PayoffError(f"'{made}' is no loss.", remedy="Put @payoff.loss(...) above the class.")
    return made


def find_loss(module: str, name: str, kind: str) -> LossDistribution:
    """Return a loss of a module's class, or its variant; what a pickled one is read back by."""
    found = loss_of(getattr(import_module(module), name))
    return loss_of(getattr(found, kind)) if kind else found


def _by_name(spec: LossDistribution) -> Any:
    """How a loss is pickled: made kernels stand in no module, the loss itself does."""
    formula = kernels.formula_of(spec.loss)
    if formula is not None:
        module, name = formula.__module__, formula.__qualname__.rpartition(".")[0]
        made = getattr(sys.modules.get(module), name, None)
        for kind in ("", *_VARIANTS):
            if (getattr(made, kind, None) if kind else made) is spec:
                return find_loss, (module, name, kind)
    return object.__reduce_ex__(spec, 2)


copyreg.pickle(LossDistribution, _by_name)


def own_losses(names: dict[str, Any]) -> list[LossDistribution]:
    """What ``payoff.loss`` made in a module, in its order."""
    found = [
        value
        for value in names.values()
        if isinstance(value, LossDistribution) and kernels.formula_of(value.loss) is not None
    ]
    return list({id(value): value for value in found}.values())


def has_own_loss(source: str) -> bool:
    """Whether a file's text makes a loss; asked before any of its code runs."""
    return _LINE.search(source) is not None


def _formula_words(function: Function) -> str:
    """What a loss of one line returns, as it is written; else its name and arguments."""
    with contextlib.suppress(OSError, SyntaxError):  # no source, or none that stands alone
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        returned = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return)]
        if len(returned) == 1 and returned[0] is not None:
            return ast.unparse(returned[0]).replace("math.", "")
    return f"loss({', '.join(inspect.signature(function).parameters)})"


def _id_of(formulas: type) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", formulas.__name__).lower()


def _refuse_unknown(holder: str, parts: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for name in parts:
        if name not in known:
            raise PayoffError(
                f"A loss has no part '{name}'.",
                where=holder,
                remedy=f"Known: {', '.join(known)}. Helpers stand outside of the class.",
            )


def _parts_of(formulas: type) -> dict[str, Any]:
    """The parts that a class states, by name.

    Raises
    ------
    PayoffError
        If one is unknown, or loss or step is missing.
    """
    parts = {
        name: value.__func__ if isinstance(value, staticmethod) else value
        for name, value in vars(formulas).items()
        if not name.startswith("_")
    }
    _refuse_unknown(f"class {formulas.__name__}", parts, (*_PARTS, *_VARIANTS))
    for name in ("loss", "step"):
        if not isinstance(parts.get(name), FunctionType):
            raise PayoffError(
                f"The loss '{_id_of(formulas)}' has no function '{name}'.",
                where=f"class {formulas.__name__}",
                remedy=f"Write def {name}(y, f): ... in the class.",
            )
    return parts


def _kernels_of(
    name: str, link: str, parameters: tuple[Parameter, ...], parts: Mapping[str, Any]
) -> dict[str, Any]:
    """The fields of a loss that are kernels, made of its parts."""
    making = _Making(id=name, link=_LINKS[link], parameters=parameters, step=parts["step"])
    made: dict[str, Any] = {"response": making.link.response, "link": making.link.link}
    for part, field_name, template, first in (
        ("loss", "loss", kernels.loss_rows, None),
        ("step", "negative_gradient", kernels.step_rows, None),
        ("saturated", "saturated", kernels.saturated_rows, ("y",)),
        ("deviance", "deviance", kernels.deviance_rows, ("y", "mu", "log_ratio")),
        ("response", "response", kernels.response_rows, ("f",)),
        ("link", "link", kernels.response_rows, ("mu",)),
    ):
        written = parts.get(part)
        if written is None:
            continue
        mark = kernel_mark(written)
        if mark is not None and mark.shape is KernelShape.ELEMENTWISE:
            made[field_name] = written
            continue
        names = (
            making.by_case(written, part)
            if first is None
            else {"FORMULA": making.plain(written, part, first)}
        )
        made[field_name] = making.bound(template, field_name, "elementwise", **names)
    leaf: Rule = parts.get("leaf", newton())
    usual = balance() if leaf == newton() else leaf
    start: Rule = parts.get("start", usual)
    return {**made, **leaf.leaf(making), "initial_score": start.start(making)}


def _variant_of(
    spec: LossDistribution, kind: str, link: str, parts: Mapping[str, Any], changed: Variant
) -> LossDistribution:
    """The loss with the parts of a variant in place of its own."""
    more = " with an offset" if kind == "gbm_with_offset" else ""
    name = f"gbm_{spec.id}{more.replace(' ', '_').replace('_an_', '_')}"
    return replace(
        spec,
        id=name,
        label=f"{spec.label}{more} as in gbm",
        expected_failures=changed.expected_failures,
        **_kernels_of(name, link, spec.parameters, parts),
    )
