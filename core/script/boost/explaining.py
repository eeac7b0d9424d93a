"""Why a model predicts what it predicts: Shapley values, curves of single cases, one case."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from core.assembly.models.input_columns import read_inputs
from core.boosting import BoostedModel, InputColumn, Inputs, TrainingCases, grid_of
from core.boosting.explaining import SHUFFLES, shuffled_places
from core.boosting.one_case import smallest_changes
from core.data import LoadedTable
from core.script.boost.document import plan_boost
from core.script.boost.request import BoostRequest
from core.script.decide.request import DecisionTerms
from core.script.session import ScriptData, data_of
from payoff.counting import counted
from payoff.errors import PayoffError, no_such
from payoff.types import FloatArray, IntArray


class ModelExplanations:
    """The part of a trained model that explains single cases."""

    boosted: BoostedModel

    def _training_inputs(self, data: ScriptData) -> Inputs:
        raise NotImplementedError

    def _own_data(self, data: ScriptData) -> LoadedTable:
        raise NotImplementedError

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


def _described(column: InputColumn) -> Any:
    """The levels of an input as ``payoff.boost`` takes them."""
    return {"ordered": list(column.levels)} if column.is_ordered else list(column.levels)
