"""The model that ``payoff.boost`` returns: scores, explains, and leaves the program as code.

Why a model predicts what it predicts: Shapley values, curves of single cases, one case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from core import boosting
from core.assembly.models.input_columns import plain_inputs, read_inputs
from core.boosting import BoostedModel, InputColumn, Inputs, TrainingCases, grid_of
from core.boosting.explaining.influence import SHUFFLES, shuffled_places
from core.boosting.explaining.one_case import smallest_changes
from core.boosting.survival import BaselineHazard, own_survival
from core.data import LoadedTable, column_as_float, count_levels, encode_levels, printed
from core.document.made import former_name
from core.document.model import Document
from core.evaluation.judged_predictions import at_horizon
from core.questions.question import Answer, Question
from core.script.boost.document import Training, plan_boost
from core.script.boost.request import BoostRequest
from core.script.boost.survival import (
    followed_cases,
    hazard_frame,
    hazards_by_stratum,
    refuse_intervals,
    refuse_other_models,
    survival_probabilities,
)
from core.script.decide.request import DecisionTerms
from core.script.evaluate.calibration import column_outcome, family_of, smooth_frame
from core.script.session import ScriptData, data_of, engine
from payoff.counting import counted
from payoff.errors import PayoffError, no_such
from payoff.types import FloatArray, IntArray


def _described(column: InputColumn) -> Any:
    """The levels of an input as ``payoff.boost`` takes them."""
    return {"ordered": list(column.levels)} if column.is_ordered else list(column.levels)


@dataclass(frozen=True)
class Model:
    """What ``payoff.boost`` returns. T iterations, K scores per case.

    Attributes
    ----------
    boosted : BoostedModel
        The trained model itself.
    data : LoadedTable or None
        The training data; None for a model read from a file.
    warnings : tuple of str
        What the training data should make one think of: inputs that say nothing, and the like.
    training : Training or None
        What was asked, as a document says it; None for a model read from a file.
    """

    boosted: BoostedModel
    data: LoadedTable | None = None
    warnings: tuple[str, ...] = ()
    training: Training | None = field(default=None, repr=False, compare=False)

    def permutation_importance(
        self,
        data: ScriptData = None,
        *,
        repeats: int = SHUFFLES,
        seed: int = 20261,
        n_trees: int | None = None,
        decision: DecisionTerms | None = None,
    ) -> pd.DataFrame:
        """How much the deviance rises when an input is shuffled: what page Explain shows.

        Parameters
        ----------
        data : optional
            Cases with a known outcome; left out: the rows that did not train the model where there
            are 50 or more, else all. Of more than 20,000 cases without groups so many are drawn.
        repeats : int
            Shuffles; each moves every input by the same permutation.
        seed : int
            Of the draw and of the shuffles; the window takes that of the project.
        n_trees : int, optional
            The first trees only.
        decision : optional
            Of a loss in money the terms it was trained with, as in ``payoff.boost``.

        Returns
        -------
        DataFrame
            A row per input, the largest first: ``importance`` (mean over the shuffles), ``low`` and
            ``high`` (the least and the most).
        """
        if repeats < 1:
            raise PayoffError(
                f"{counted(repeats, 'shuffle shows', 'shuffles show')} nothing.",
                remedy="Give 1 or more.",
            )
        cases = self._judged_cases(data, decision)
        cases = cases.take(shuffled_places(cases, seed))
        rise = self.boosted.permutation(cases, repeats, seed, n_trees)
        frame = pd.DataFrame(
            {"importance": rise.mean(axis=1), "low": rise.min(axis=1), "high": rise.max(axis=1)},
            index=pd.Index([column.name for column in self.boosted.columns], name="input"),
        )
        return frame.sort_values("importance", ascending=False, kind="stable")

    def _judged_cases(self, data: ScriptData, decision: DecisionTerms | None) -> TrainingCases:
        """Cases with outcome and roles as the model was trained on them."""
        table, model = self._own_data(data), self.boosted
        if "target" not in model.roles:
            raise PayoffError(
                "The model does not say which column holds the outcome.",
                why="It was trained by another program, or by an earlier one.",
                remedy="Train it again.",
            )
        levels = {column.name: _described(column) for column in model.columns if column.levels}
        if model.classes:
            levels[model.roles["target"]] = list(model.classes)
        roles: dict[str, Any] = dict(model.roles)
        requested = BoostRequest(
            data=table,
            **roles,
            distribution=model.distribution.id,
            distribution_params=model.parameters,
            features=[column.name for column in model.columns],
            levels=levels,
            decision=decision,
        )
        cases = plan_boost(requested).plan.cases
        return replace(cases, n_train=model.n_train if data is None else None)

    def contributions(
        self, data: ScriptData = None, *, output: str | None = None, n_trees: int | None = None
    ) -> pd.DataFrame:
        """What each input adds to the link score of each case: exact Shapley values (TreeSHAP).

        Parameters
        ----------
        data : optional
            Left out: the rows that trained the model.
        output : str, optional
            Of several scores per case which one: a class, or a name of ``output_names``.

        Returns
        -------
        DataFrame
            A column per input and ``base``; a row's sum is its link score without offset.
        """
        found = self.boosted.contributions(self._training_inputs(data), n_trees)
        place = self._output(output)
        names = [column.name for column in self.boosted.columns]
        frame = pd.DataFrame(found.values[place].T, columns=pd.Index(names))
        return frame.assign(base=found.base[place])

    def contribution_interactions(
        self, data: ScriptData, *, output: str | None = None, n_trees: int | None = None
    ) -> FloatArray:
        """Shapley interaction values (n, F, F): a row of inputs sums to its contribution."""
        found = self.boosted.interactions(self._training_inputs(data), n_trees)
        return np.ascontiguousarray(np.moveaxis(found[self._output(output)], 2, 0))

    def ice(
        self,
        column: str,
        data: ScriptData = None,
        *,
        grid: Any = None,
        kind: str = "link",
        centred: bool = False,
        output: str | None = None,
        n_trees: int | None = None,
    ) -> pd.DataFrame:
        """Individual conditional expectation: the prediction of each case as one input changes.

        Parameters
        ----------
        column : str
        data : optional
            Cases, a line each; left out: the rows that trained the model.
        grid : values, optional
            Left out: 100 over the range of a number, every level.
        kind : str
            "link" or "response".
        centred : bool
            Less each case's value at the first point (Goldstein and others 2015).

        Returns
        -------
        DataFrame
            A row per case, a column per point.
        """
        names = [entry.name for entry in self.boosted.columns]
        if column not in names:
            raise no_such("input of the model", column, names)
        if kind not in ("link", "response"):
            raise no_such("kind", kind, ("link", "response"))
        place = names.index(column)
        schema = self.boosted.columns[place]
        inputs = self._training_inputs(data)
        if grid is None:
            points = grid_of([schema], [inputs.arrays[place]])[0]
        else:
            points = read_inputs(data_of({column: list(grid)}), (schema,)).values()[0]
        method = self.boosted.link if kind == "link" else self.boosted.response
        lines = np.empty((inputs.n_rows, points.shape[0]))
        for number, value in enumerate(points):
            arrays = list(inputs.arrays)
            arrays[place] = np.full(inputs.n_rows, value)
            changed = Inputs(inputs.columns, tuple(arrays))
            lines[:, number] = method(changed, n_trees)[self._output(output)]
        if centred:
            lines -= lines[:, :1]
        shown = [schema.levels[int(x)] for x in points] if schema.levels else points
        return pd.DataFrame(lines, columns=pd.Index(shown, name=column))

    def smallest_changes(
        self, data: ScriptData, row: int, cutoff: float, *, output: str | None = None
    ) -> pd.DataFrame:
        """For each input the smallest change that brings a case to the other side of a cut-off.

        Parameters
        ----------
        data
            Cases; new values are among theirs.
        row : int
            The case, from 0.
        cutoff : float
            On the scale of predictions (``kind="response"``).

        Returns
        -------
        DataFrame
            ``input``, ``old``, ``new``, ``passed`` (share of cases with values in between; missing
            for levels), ``prediction``; the smallest change first. Inputs that cannot do it alone
            are not listed.
        """
        inputs = self._training_inputs(data)
        if not 0 <= row < inputs.n_rows:
            raise PayoffError(
                f"There is no row {row}.", why=f"The table has {counted(inputs.n_rows, 'row')}."
            )
        case = inputs.take(np.array([row]))
        place = self._output(output)

        def side(changed: Inputs) -> IntArray:
            predicted = self.boosted.response(changed)[place]
            return np.asarray(predicted >= cutoff).astype(np.int64)

        rows = []
        for change in smallest_changes(self.boosted.predictor, case, inputs, side):
            schema = self.boosted.columns[change.column]
            arrays = list(case.arrays)
            old = float(arrays[change.column][0])
            arrays[change.column] = np.array([change.value])
            after = self.boosted.response(Inputs(case.columns, tuple(arrays)))[place, 0]
            values = [
                (schema.levels[int(x)] if x >= 0 else None) if schema.levels else x
                for x in (old, change.value)
            ]
            rows.append((schema.name, *values, change.passed, float(after)))
        return pd.DataFrame(rows, columns=pd.Index(["input", "old", "new", "passed", "prediction"]))

    def _output(self, name: str | None) -> int:
        """The number of a score; of a single one there is no need to name it."""
        names = self.boosted.output_names
        if self.boosted.n_scores == 1:
            return 0
        if name is None or name not in names:
            raise PayoffError(
                "The model has several scores per case.",
                why=f"They are: {', '.join(names)}.",
                remedy="Name one: output=...",
            )
        return names.index(name)

    @cached_property
    def document(self) -> Document:
        """The document that a person would have made and trained with the same arguments.

        The model is called "Model" in it. ``callbacks`` and a figure of one's own that stops the
        training are functions, and stay outside.
        """
        return self._own_training.with_model(self.boosted)

    @property
    def source(self) -> LoadedTable:
        """The whole table, of which ``data`` are the rows that were asked for."""
        return self._own_training.source

    def ask(self, question: Question[Answer]) -> Answer:
        """What the window is answered when it asks the same of this document.

        Parameters
        ----------
        question : Question
            One of the records in ``payoff.questions``: Explain(model="Model", shuffles=True).

        Raises
        ------
        PayoffError
            If the model was read from a file, or the question does not suit it.
        """
        return engine().ask(self.document, question)

    @property
    def _own_training(self) -> Training:
        if self.training is None:
            raise _without_data("Open the project that it belongs to, or train it again.")
        return self.training

    @property
    def roles(self) -> Mapping[str, str]:
        """Columns of the training data by role: target, weight, offset, event ..."""
        return self.boosted.roles

    @property
    def offset(self) -> str | None:
        """The column that was added to the scores while training."""
        return self.roles.get("offset")

    @property
    def n_trees(self) -> int:
        """Number of iterations."""
        return self.boosted.n_trees

    @property
    def classes(self) -> tuple[str, ...]:
        """Levels of the outcome in class order; of two the event is the second."""
        return self.boosted.classes

    @property
    def initial_score(self) -> float | FloatArray:
        """The constant that trees are added to; an array per class with several scores."""
        initial = self.boosted.initial
        return float(initial[0]) if initial.shape[0] == 1 else initial

    @property
    def train_deviance(self) -> FloatArray:
        """Deviance of the training rows after each iteration."""
        return self.boosted.history.train_deviance

    @property
    def valid_deviance(self) -> FloatArray:
        """Deviance of the rows that did not train; NaN without such rows."""
        return self.boosted.history.valid_deviance

    @property
    def oob_improvement(self) -> FloatArray:
        """Fall of the deviance outside the bag by each iteration; NaN without bags."""
        return self.boosted.history.oob_improvement

    @property
    def cv_deviance(self) -> FloatArray | None:
        """Cross-validated deviance after each iteration; None without folds."""
        crossed = self.boosted.cross_validation
        return None if crossed is None else crossed.deviance

    @property
    def cv_predictions(self) -> pd.DataFrame | None:
        """Per training row its fold and its link score by the model that did not see it."""
        crossed = self.boosted.cross_validation
        if crossed is None:
            return None
        columns = {"fold": crossed.fold}
        names = (
            ["link"]
            if crossed.link.shape[0] == 1
            else [f"link_{c}" for c in self.boosted.output_names]
        )
        return pd.DataFrame(columns | dict(zip(names, crossed.link, strict=True)))

    def predict(
        self,
        data: ScriptData,
        kind: str = "link",
        n_trees: int | None = None,
        *,
        add_offset: bool = False,
    ) -> FloatArray:
        """Score cases.

        Parameters
        ----------
        data
            A path, DataFrame, Arrow table or mapping with the model's columns.
        kind : str
            "link" or "response".
        n_trees : int, optional
            The first trees only.
        add_offset : bool
            Add the offset column of the training, which must then be in the data.

        Returns
        -------
        float64 (n,), or (n, K) with several scores per case
        """
        inputs = None if add_offset else plain_inputs(data, self.boosted.columns)
        offset = None
        if inputs is None:
            table = data_of(data)
            inputs = read_inputs(table, self.boosted.columns)
        if add_offset:
            if self.offset is None:
                raise PayoffError("The model was trained without an offset.")
            offset = column_as_float(table, self.offset, role="offset")
        if kind not in ("link", "response"):
            raise no_such("kind", kind, ("link", "response"))
        method = self.boosted.link if kind == "link" else self.boosted.response
        scores = method(inputs, n_trees, offset)
        return scores[0] if scores.shape[0] == 1 else np.ascontiguousarray(scores.T)

    def unseen_levels(self, data: ScriptData) -> dict[str, dict[str, int]]:
        """Levels that the model does not know: column -> level -> rows. They are not missing."""
        table = data_of(data)
        found: dict[str, dict[str, int]] = {}
        for column in self.boosted.columns:
            if not column.levels:
                continue
            rows = count_levels(*encode_levels(table, column.name))
            counts = {level: n for level, n in rows.items() if level not in column.levels}
            if counts:
                found[column.name] = counts
        return found

    def relative_influence(
        self, scaled: bool = True, n_trees: int | None = None
    ) -> dict[str, float]:
        """Summed improvement by each column; scaled to sum to 100."""
        values = self.boosted.influence(n_trees, is_scaled=scaled)
        names = [column.name for column in self.boosted.columns]
        return {name: float(value) for name, value in zip(names, values, strict=True)}

    def best_iteration(self, method: str = "test") -> int:
        """Number of trees that "test", "oob" or "cv" chooses."""
        return self.boosted.best_iteration(method)

    def partial_dependence(
        self,
        columns: str | Sequence[str],
        grid: Any = None,
        method: str = "tree",
        n_trees: int | None = None,
        data: ScriptData = None,
    ) -> pd.DataFrame:
        """Dependence on one or two columns, on the link scale.

        Parameters
        ----------
        columns : str or list of str
        grid : DataFrame or mapping of column to values, optional
            Points, row by row; left out: 100 over the range of a number, every level.
        method : str
            "tree": weighted traversal of the trees; "brute": mean over the cases, by the weight
            that the model was trained with where the data have it.
        data : optional
            Cases to take ranges and means from; left out: the training data.

        Returns
        -------
        DataFrame
            The columns and ``value`` (with several scores ``value_<class>``).
        """
        chosen = [columns] if isinstance(columns, str) else list(columns)
        places = [self._place(name) for name in chosen]
        schema = [self.boosted.columns[place] for place in places]
        if method not in ("tree", "brute"):
            raise no_such("method", method, ("tree", "brute"))
        if grid is None:
            inputs = self._training_inputs(data)
            points = boosting.grid_of(schema, [inputs.arrays[place] for place in places])
        else:
            table = data_of(grid if isinstance(grid, pd.DataFrame) else dict(grid))
            points = read_inputs(table, tuple(schema)).values()
        cases = None
        if method == "brute":
            inputs = self._training_inputs(data)
            cases = (inputs, self._case_weights(data, inputs.n_rows))
        values = self.boosted.dependence(places, points, n_trees, cases)
        frame = {
            column.name: _shown(column, axis) for column, axis in zip(schema, points, strict=True)
        }
        names = ["value"] if len(values) == 1 else [f"value_{c}" for c in self.boosted.output_names]
        return pd.DataFrame(frame | dict(zip(names, values, strict=True)))

    def interaction(
        self, columns: Sequence[str], n_trees: int | None = None, data: ScriptData = None
    ) -> float | FloatArray:
        """Friedman's H of two or more columns: 0 = effects add up, 1 = nothing but interaction.

        Cases count by the weight that the model was trained with, where the data have it.
        """
        places = [self._place(name) for name in columns]
        inputs = self._training_inputs(data)
        weight = self._case_weights(data, inputs.n_rows)
        strength = self.boosted.interaction(places, inputs, weight, n_trees)
        return float(strength[0]) if strength.shape[0] == 1 else strength

    def continue_training(self, n_trees: int) -> Model:
        """The model with more trees, exactly as if they had been asked for at once."""
        return replace(self, boosted=self.boosted.continued(n_trees))

    def baseline_hazard(
        self,
        times: Any = None,
        *,
        cumulative: bool = True,
        interpolation: str = "step",
        n_trees: int | None = None,
        data: ScriptData = None,
    ) -> pd.DataFrame:
        """The hazard of a case of score 0, by Breslow (by Efron where the model has his ties).

        Parameters
        ----------
        times : numbers, optional
            When to read the cumulative hazard; left out: the event times.
        cumulative : bool
            False: the jump at each event time.
        interpolation : str
            "step"; "linear" reads between event times as ``basehaz.gbm`` of R does.
        data : optional
            Cases with a known outcome; left out: the rows that trained the model.

        Returns
        -------
        DataFrame
            ``time``, ``hazard``, and ``stratum`` where the model has strata.
        """
        hazards = self._hazards(data, n_trees)
        frames = [
            hazard_frame(hazard, times, interpolation, is_cumulative=cumulative).assign(
                **({"stratum": stratum} if "strata" in self.roles else {})
            )
            for stratum, hazard in hazards.items()
        ]
        return pd.concat(frames, ignore_index=True)

    def survival(
        self,
        data: ScriptData,
        times: Any,
        *,
        n_trees: int | None = None,
        training_data: ScriptData = None,
    ) -> pd.DataFrame:
        """Chance of each case to last beyond each time: a row per case, a column per time.

        Of Cox NaN beyond the longest time observed; accelerated failure times know all times. An
        offset and strata are read from ``data``.
        """
        table = data_of(data)
        at = np.atleast_1d(np.asarray(times, dtype=np.float64))
        score = self._full_scores(table, n_trees)
        probabilities = own_survival(self.boosted, score, at)
        if probabilities is None:
            hazards = self._hazards(training_data, n_trees)
            probabilities = survival_probabilities(
                hazards, score, at, table, self.roles.get("strata")
            )
        return pd.DataFrame(probabilities, columns=pd.Index(at, name="time"))

    def horizon(
        self,
        data: ScriptData,
        time: float,
        *,
        n_trees: int | None = None,
        training_data: ScriptData = None,
    ) -> pd.DataFrame:
        """Chances at one time, ready for ``payoff.decide``: a row per case.

        ``chance`` of the event by then; ``outcome`` 1 by then, 0 followed beyond, missing where the
        case was lost before or entered after; ``weight``, by which the others make up for these
        (inverse chance of being under observation): the weighted share of events is 1 -
        Kaplan-Meier.
        """
        refuse_intervals(self.boosted)
        table = data_of(data)
        survival = self.survival(data, [time], n_trees=n_trees, training_data=training_data)
        outcome, weight = at_horizon(followed_cases(self.boosted, table), time)
        return pd.DataFrame(
            {"chance": 1.0 - survival.to_numpy()[:, 0], "outcome": outcome, "weight": weight}
        )

    def _hazards(self, data: ScriptData, n_trees: int | None) -> dict[str, BaselineHazard]:
        """The baseline hazard of each stratum; one called "" where there are none."""
        refuse_other_models(self.boosted)
        table = self._own_data(data)
        rows = self.boosted.n_train if data is None else table.rows
        return hazards_by_stratum(self.boosted, table, self._full_scores(table, n_trees), rows)

    def _full_scores(self, table: LoadedTable, n_trees: int | None) -> FloatArray:
        """Link scores with the offset that the training added."""
        return self.predict(table, n_trees=n_trees, add_offset=self.offset is not None)

    def calibration_curve(
        self,
        data: ScriptData = None,
        *,
        level: Any = None,
        degrees: int = 6,
        points: int = 200,
        band: str = "link",
        n_trees: int | None = None,
    ) -> pd.DataFrame:
        """What happened against what the model predicted, smoothed by a natural spline.

        Parameters
        ----------
        data : optional
            Cases with a known outcome; left out: the rows that did not train the model.
        level : optional
            The class to look at; left out: the event. Needed with more than two classes.
        degrees, points, band
            As in ``payoff.calibration_curve``.

        Returns
        -------
        DataFrame
            ``predicted``, ``observed``, ``low``, ``high``.
        """
        table = self._own_data(data)
        used = slice(0 if data is not None else self.boosted.n_train, None)
        if data is None and self.boosted.n_train == self.boosted.n_rows:
            raise PayoffError(
                "There are no rows to judge the model by.",
                why="All rows trained it, and on them every model looks too sure.",
                remedy="Train with train_fraction below 1, or give data=...",
            )
        predicted = self.predict(
            table, kind="response", n_trees=n_trees, add_offset=self.offset is not None
        )
        outcome = column_outcome(table, self.roles["target"], self._level_of(level))
        if predicted.ndim == 2:
            predicted = predicted[:, self.classes.index(self._level_of(level) or "")]
        elif self.classes and self._level_of(level) != self.classes[1]:
            predicted = 1.0 - predicted
        weight = None
        if "weight" in self.roles:
            weight = column_as_float(table, self.roles["weight"], role="weight")[used]
        return smooth_frame(
            predicted[used],
            outcome[used],
            weight,
            family=family_of(self.boosted.distribution),
            degrees=degrees,
            points=points,
            band=band,
        )

    def _level_of(self, level: Any) -> str | None:
        """The class that a curve is about; None for numbers."""
        if not self.classes:
            return None
        if level is None and len(self.classes) == 2:
            return self.classes[1]
        if level is None or printed(level) not in self.classes:
            raise PayoffError(
                f"There is no class '{level}'." if level is not None else "No class is named.",
                why=f"There are: {', '.join(self.classes)}.",
                remedy="Name one: level=...",
            )
        return printed(level)

    def export(
        self, folder: str | Path, *, data: ScriptData = None, n_trees: int | None = None
    ) -> Path:
        """Write what is needed to run the model elsewhere, and to prove that it runs right.

        Scoring code in SQL and plain Python, the contract of the inputs, 200 rows with expected
        results, a README. ``payoff.verify_export`` compares another system's results with them.

        Parameters
        ----------
        folder : str or Path
            New, empty, or an earlier export.
        data : optional
            Cases to take the rows from; left out: the training data.
        n_trees : int, optional
            The first trees only.
        """
        model = self.boosted if n_trees is None else self.boosted.first_trees(n_trees)
        inputs = read_inputs(self._own_data(data), model.columns)
        boosting.export_model(model, inputs, Path(folder), self.offset)
        return Path(folder)

    hand_over = former_name("export")

    def to_sql(self, table: str = "cases", kind: str = "link", keys: Sequence[str] = ()) -> str:
        """A SELECT that scores every row of a table; ``kind`` is link, response or both."""
        return boosting.to_sql(self.boosted, table, kind, keys)

    def to_python(self) -> str:
        """Source of a module that scores cases, standard library only."""
        return boosting.to_python(self.boosted)

    def save_onnx(self, path: str | Path, *, n_trees: int | None = None) -> None:
        """Write the model as an ONNX file, for any runtime that reads it.

        An input per column, (n, 1): double (NaN = missing), or text for levels ("" = missing).
        Outputs ``score`` (n, K) on the link scale and, where the response has a formula,
        ``prediction`` (n, K): of two classes the chance of the second. An offset is not added.
        """
        model = self.boosted if n_trees is None else self.boosted.first_trees(n_trees)
        boosting.save_onnx(model, path)

    def save_lightgbm(self, path: str | Path, *, n_trees: int | None = None) -> None:
        """Write the model as a text file of LightGBM, which its ``Booster`` reads.

        It predicts there what it predicts here, to rounding; a loss that LightGBM does not have
        gives its link scores. Levels are codes in the order of the model's, or categories of a
        data frame; one that the model does not know goes with the missing ones. An offset is not
        added. Missing values with a branch of their own are refused.
        """
        model = self.boosted if n_trees is None else self.boosted.first_trees(n_trees)
        boosting.save_lightgbm(model, path)

    def save(self, path: str | Path) -> None:
        """Write the model to a file (zip of JSON and arrays)."""
        plugin = engine().registry.plugin_of(self.boosted.distribution)
        boosting.save_model(self.boosted, path, plugin=plugin)

    def _place(self, name: str) -> int:
        names = [column.name for column in self.boosted.columns]
        if name not in names:
            raise no_such("input of the model", name, names)
        return names.index(name)

    def _training_inputs(self, data: ScriptData) -> Inputs:
        inputs = read_inputs(self._own_data(data), self.boosted.columns)
        return inputs.take(np.arange(self.boosted.n_train)) if data is None else inputs

    def _case_weights(self, data: ScriptData, rows: int) -> FloatArray:
        """The weights of the first so many cases; 1 each where the model or the data have none."""
        column, table = self.roles.get("weight"), self._own_data(data)
        if column is None or column not in table.kinds:
            return np.ones(rows)
        return column_as_float(table, column, role="weight")[:rows]

    def _own_data(self, data: ScriptData) -> LoadedTable:
        """The data given, or else the training data."""
        table = self.data if data is None else data_of(data)
        if table is None:
            raise _without_data("Give data=...")
        return table


def _without_data(remedy: str) -> PayoffError:
    return PayoffError("The model was read from a file, without its data.", remedy=remedy)


def _shown(column: InputColumn, axis: FloatArray) -> Any:
    """Grid values as the user knows them: levels by name, None for a missing one."""
    if not column.levels:
        return axis
    return [None if np.isnan(code) else column.levels[int(code)] for code in axis]
