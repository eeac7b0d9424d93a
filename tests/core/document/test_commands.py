"""Commands change the document and nothing else; the history takes them back exactly."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.document import commands
from core.document.commands import Command
from core.document.data.model import DataRef, RowUse
from core.document.decisions import commands as decision_commands
from core.document.decisions.matrix_model import CostSpec, MatrixKind, MatrixSpec
from core.document.history import History
from core.document.model import (
    ModelSpec,
    OldPriorKind,
    OldPriors,
    Role,
    RoleAssignment,
    SplitSpec,
    TargetSpec,
    TrainedModel,
)
from payoff.errors import PayoffError
from tests.core.document.commands import mailing


def test_editing_a_cell_changes_that_cell_only() -> None:
    before = mailing()
    after = decision_commands.EditCell(level="0", decision="Mail", value=-2.0).apply(before)
    assert after.matrix is not None
    assert after.matrix.cells == ((24.0, 0.0), (-2.0, 0.0))
    assert before.matrix is not None
    assert before.matrix.cells == ((24.0, 0.0), (-1.6, 0.0))


def test_editing_a_worded_template_makes_it_plain_with_the_cells_shown() -> None:
    worded = MatrixSpec(
        template="payoff.direct_mail",
        kind=MatrixKind.PROFIT,
        levels=("1", "0"),
        decisions=("Mail", "Do nothing"),
        cells=(),
        acting="Mail",
        parameters=(("revenue", 25.6), ("cost", 1.6)),
    )
    document = decision_commands.SetMatrix(matrix=worded).apply(mailing())
    shown = ((24.0, 0.0), (-1.6, 0.0))
    edit = decision_commands.EditCell(level="1", decision="Mail", value=30.0, resolved=shown)
    after = edit.apply(document)
    assert after.matrix is not None
    assert after.matrix.template == "payoff.profit"
    assert after.matrix.cells == ((30.0, 0.0), (-1.6, 0.0))
    with pytest.raises(PayoffError, match="not been worked out"):
        decision_commands.EditCell(level="1", decision="Mail", value=30.0).apply(document)


def test_profit_to_loss_turns_the_signs_and_back_is_the_identity() -> None:
    document = mailing()
    loss = decision_commands.SetMatrixKind(kind=MatrixKind.LOSS).apply(document)
    assert loss.matrix is not None
    assert loss.matrix.cells == ((-24.0, 0.0), (1.6, 0.0))
    assert loss.matrix.template == "payoff.loss"
    assert decision_commands.SetMatrixKind(kind=MatrixKind.PROFIT).apply(loss) == document


def test_decisions_are_added_renamed_and_removed() -> None:
    document = decision_commands.AddDecision(decision="Phone").apply(mailing())
    assert document.matrix is not None
    assert document.matrix.cells == ((24.0, 0.0, 0.0), (-1.6, 0.0, 0.0))
    document = decision_commands.RenameDecision(decision="Mail", name="Letter").apply(document)
    assert document.matrix is not None
    assert document.matrix.acting == "Letter"
    document = decision_commands.RemoveDecision(decision="Letter").apply(document)
    assert document.matrix is not None
    assert document.matrix.decisions == ("Do nothing", "Phone")
    assert document.matrix.acting == "Do nothing"
    assert document.matrix.cells == ((0.0, 0.0), (0.0, 0.0))


def test_costs_follow_added_and_removed_decisions() -> None:
    costs = (CostSpec(column="cost"), CostSpec())
    document = decision_commands.SetCosts(costs=costs).apply(mailing())
    document = decision_commands.AddDecision(decision="Phone").apply(document)
    document = decision_commands.RemoveDecision(decision="Do nothing").apply(document)
    assert document.matrix is not None
    assert document.matrix.costs == (CostSpec(column="cost"), CostSpec())


@pytest.mark.parametrize(
    "command",
    [
        decision_commands.EditCell(level="2", decision="Mail", value=1.0),
        decision_commands.EditCell(level="1", decision="Fax", value=1.0),
        decision_commands.EditCell(level="1", decision="Mail", value=float("nan")),
        decision_commands.AddDecision(decision="Mail"),
        decision_commands.RenameDecision(decision="Mail", name=" "),
        decision_commands.SetActing(acting="Mail", do_nothing="Mail"),
        decision_commands.SetCosts(costs=(CostSpec(),)),
        decision_commands.SetPriors(priors=(("1", -0.1), ("0", 1.1))),
        decision_commands.SetPriors(priors=(("1", 0.0), ("0", 0.0))),
        commands.SetSplit(split=SplitSpec(shares=(0.5, 0.6, 0.0))),
        commands.RenameModel(model="a", name="b"),
        commands.SetReferenceModel(model="c"),
    ],
)
def test_what_cannot_be_meant_is_refused(command: Command) -> None:
    document = mailing()
    with pytest.raises(PayoffError):
        command.apply(document)


def test_models_follow_roles_and_keep_colour_and_settings() -> None:
    document = mailing()
    known = OldPriors(kind=OldPriorKind.TRAINED_AT, shares=(("1", 0.25), ("0", 0.75)))
    document = commands.SetOldPriors(model="b", old_priors=known).apply(document)
    gone = RoleAssignment(column="p_a", role=Role.INPUT)
    document = commands.SetRole(assignment=gone).apply(document)
    assert [entry.name for entry in document.models] == ["b"]
    assert document.models[0].series == 1
    assert document.models[0].old_priors == known
    assert document.reference_model == "b"
    back = RoleAssignment(column="p_a", role=Role.POSTERIOR, model="c", level="1")
    document = commands.SetRole(assignment=back).apply(document)
    assert {entry.name: entry.series for entry in document.models} == {"c": 0, "b": 1}


def test_renaming_a_model_keeps_its_columns() -> None:
    document = commands.RenameModel(model="a", name="gbm 2").apply(mailing())
    assert document.posterior_columns("gbm 2") == {"1": "p_a"}
    assert document.reference_model == "gbm 2"


def test_opening_new_data_keeps_the_matrix_of_the_same_outcome() -> None:
    document = mailing()
    ref = DataRef(path="x.csv", content_hash="h", rows=3, columns=("y",), size_bytes=9)
    same = TargetSpec(column="responded", kind="binary", levels=("1", "0"))
    other = TargetSpec(column="y", kind="binary", levels=("1", "0"))
    kept = commands.OpenData(data=ref, roles=(), target=same, split=SplitSpec())
    lost = commands.OpenData(data=ref, roles=(), target=other, split=SplitSpec())
    assert kept.apply(document).matrix == document.matrix
    assert lost.apply(document).matrix is None
    assert kept.apply(document).models == ()  # the models follow the roles of the file


def test_a_drag_is_one_step_and_undo_is_exact() -> None:
    history = History(mailing())
    start = history.document
    for value in (1.0, 2.0, 3.0):
        history.execute(decision_commands.EditCell(level="1", decision="Mail", value=value))
    history.finish_merging()
    history.execute(decision_commands.EditCell(level="1", decision="Mail", value=4.0))
    assert history.undo_label == "Edit matrix cell"
    assert history.undo().matrix.cells[0][0] == 3.0
    assert history.undo() == start
    assert history.undo() == start
    assert history.undo_label is None
    assert history.redo().matrix.cells[0][0] == 3.0


def test_a_command_that_changes_nothing_leaves_no_step() -> None:
    history = History(mailing())
    history.execute(commands.SetReferenceModel(model="a"))
    assert history.undo_label is None
    assert not history.is_changed


def test_changed_compares_with_what_was_saved() -> None:
    history = History(mailing())
    history.execute(commands.DescribeProject(name="Spring"))
    assert history.is_changed
    history.mark_saved()
    assert not history.is_changed
    history.undo()
    assert history.is_changed
    history.redo()
    assert not history.is_changed


steps = st.lists(
    st.one_of(
        st.builds(
            decision_commands.EditCell,
            level=st.sampled_from(["1", "0"]),
            decision=st.just("Mail"),
            value=st.floats(-100, 100),
        ),
        st.builds(commands.SetReferenceModel, model=st.sampled_from(["a", "b"])),
        st.builds(commands.SetRowsUsed, rows_used=st.sampled_from(list(RowUse))),
        st.builds(commands.MoveCursor, depth=st.floats(-1, 2)),
    ),
    max_size=20,
)


@given(steps)
@settings(max_examples=60, deadline=None)
def test_undoing_everything_gives_the_start_and_redoing_the_end(made: list[Command]) -> None:
    history = History(mailing())
    start = history.document
    for command in made:
        history.execute(command)
    end = history.document
    while history.undo_label is not None:
        history.undo()
    assert history.document == start
    while history.redo_label is not None:
        history.redo()
    assert history.document == end


def test_choosing_a_template_gives_words_only_where_there_are_none() -> None:
    worded = MatrixSpec(
        template="payoff.direct_mail",
        kind=MatrixKind.PROFIT,
        levels=("1", "0"),
        decisions=("Mail", "Do nothing"),
        cells=(),
        acting="Mail",
        parameters=(("cost", 1.6), ("margin", 25.6)),
    )
    choose = decision_commands.ChooseTemplate(
        matrix=worded,
        level_words=("responds", "does not respond"),
        case_word=("customer", "customers"),
    )
    after = choose.apply(mailing())
    assert after.matrix == worded
    assert after.target is not None
    assert after.target.labels == ("responds", "does not respond")
    assert after.case_word == ("customer", "customers")
    renamed = commands.DescribeProject(case_word=("donor", "donors")).apply(after)
    again = decision_commands.ChooseTemplate(
        matrix=worded, level_words=("pays", "does not pay"), case_word=("loan", "loans")
    ).apply(renamed)
    assert again.target is not None
    assert again.target.labels == ("responds", "does not respond")
    assert again.case_word == ("donor", "donors")


def test_rows_of_one_case_are_drawn_together_until_a_model_has_been_trained() -> None:
    before = replace(mailing(), split=SplitSpec())
    column = next(entry.column for entry in before.roles if entry.role is Role.INPUT)
    role = commands.SetRole(assignment=RoleAssignment(column=column, role=Role.CLUSTER))
    after = role.apply(before)
    assert after.split.together == column
    back = commands.SetRoles(role=Role.INPUT, columns=(column,)).apply(after)
    assert back.split == before.split
    trained = TrainedModel(
        name="gbm 1",
        distribution="bernoulli",
        target="responded",
        features=(),
        class_shares=(("1", 0.5), ("0", 0.5)),
    )
    learnt = replace(before, models=(*before.models, ModelSpec(name="gbm 1", trained=trained)))
    assert role.apply(learnt).split == learnt.split
    by_column = replace(before, split=SplitSpec(column="use"))
    assert role.apply(by_column).split == by_column.split
