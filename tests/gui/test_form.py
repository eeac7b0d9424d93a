"""Forms in a window: what is typed counts once, stays as it is typed, and what follows is shown."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QLabel

from core.questions.compare import DetectableDifference
from core.questions.decide import BreakEven, Capacity
from core.questions.fields import FieldKind, FieldOption, FormContext, FormField
from gui.widgets import HelpButton, HelpText
from gui.widgets.fields.form import Form, FormLayout, QuestionForm
from tests.helpers.answers.synthetic import make_decisions, make_document, make_evaluation

AGE = FormField(name="age", label="Age", kind=FieldKind.WHOLE, value=40, lowest=0, highest=120)
KIND = FormField(
    name="kind",
    label="Kind",
    kind=FieldKind.CHOICE,
    value=(1, 2),
    options=(FieldOption(value=(), words="none"), FieldOption(value=(1, 2), words="both")),
)


@pytest.fixture
def context():
    return FormContext(
        document=make_document(), totals=make_decisions(), metrics=make_evaluation().metrics
    )


@pytest.fixture
def shown(qtbot):
    def show(form):
        qtbot.addWidget(form)
        form.show()
        form.activateWindow()
        qtbot.waitUntil(form.isActiveWindow)
        return form

    return show


def type_over(qtbot, field, text):
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    field.selectAll()
    qtbot.keyClicks(field, text)


def test_a_number_counts_once_and_makes_the_question(shown, qtbot, context):
    form = QuestionForm(Capacity, ("most_actions", "most_money"))
    form.show_for(context)
    shown(form)
    reported = []
    form.requested_again.connect(lambda: reported.append(form.question()))
    field = form.editor("most_actions")
    type_over(qtbot, field, "350")
    assert not reported
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert [question.most_actions for question in reported] == [350.0]
    qtbot.keyClick(field, Qt.Key.Key_Tab)
    assert len(reported) == 1  # leaving it says nothing new


def test_a_box_turns_a_field_on_and_off(shown, context):
    form = QuestionForm(Capacity, ("most_actions", "most_money"))
    form.show_for(context)
    shown(form)
    assert not form.editor("most_money").isEnabled()
    assert form.editor("most_money").value() == 3300.0
    form.box("most_money").click()
    form.box("most_actions").click()
    assert form.question() == Capacity(most_money=3300.0)
    assert form.editor("most_money").isEnabled()
    assert not form.editor("most_actions").isEnabled()


def test_what_is_typed_stays_while_the_form_is_shown_anew(shown, qtbot, context):
    form = QuestionForm(Capacity, ("most_actions", "price"))
    form.show_for(context)
    shown(form)
    field = form.editor("most_actions")
    type_over(qtbot, field, "12")
    form.assume("price", 0.5, "taken from the matrix")
    form.show_for(replace(context, done="mailed"))
    assert field.text() == "12"
    qtbot.keyClicks(field, "3")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert form.question().most_actions == 123
    assert form.editor("price").toolTip() == "taken from the matrix"


def test_fields_of_other_names_wait_for_what_is_being_typed(shown, qtbot):
    form = Form()
    form.show_fields((AGE,))
    shown(form)
    reported = []
    form.changed.connect(lambda name, value: reported.append((name, value)))
    field = form.editor("age")
    type_over(qtbot, field, "5")
    form.show_fields((KIND,))
    assert form.editor("age") is field
    qtbot.keyClicks(field, "7")
    assert field.text() == "57"
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert reported == [("age", 57)]
    qtbot.waitUntil(lambda: list(form.rows) == ["kind"])


def test_other_data_do_not_wait(shown, qtbot):
    form = Form()
    form.show_fields((AGE,))
    shown(form)
    type_over(qtbot, form.editor("age"), "5")
    form.show_fields((KIND,), at_once=True)
    assert list(form.rows) == ["kind"]
    QCoreApplication.processEvents()


def test_a_choice_tells_its_value_whatever_it_is(shown):
    form = Form(FormLayout.LINE)
    form.show_fields((KIND,))
    shown(form)
    box = form.editor("kind")
    assert box.currentText() == "both"
    reported = []
    form.changed.connect(lambda name, value: reported.append((name, value)))
    box.setCurrentIndex(0)
    box.activated.emit(0)
    assert reported == [("kind", ())]


def test_choices_in_sight_are_buttons(shown):
    form = QuestionForm(BreakEven, ("is_kept",), has_labels=False)
    form.show_for(FormContext())
    shown(form)
    assert form.question() == BreakEven(is_kept=False)
    form.editor("is_kept").press(1)
    assert form.question() == BreakEven(is_kept=True)


def test_another_figure_takes_the_difference_back(shown, qtbot, context):
    form = QuestionForm(DetectableDifference, ("metric", "difference"))
    form.show_for(context)
    shown(form)
    field, figures = form.editor("difference"), form.editor("metric")
    type_over(qtbot, field, "500")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert form.question().difference == 500.0
    figures.activated.emit(figures.count() - 1)
    assert field.text() == ""
    assert form.question().difference is None


def test_a_field_says_why_it_cannot_be_filled_in_what_it_is_and_what_follows(shown):
    form = Form()
    about = HelpText(title="Age", text="In years, as of the day the data were drawn.")
    form.show_fields((replace(AGE, why_not="No column names it", note="Whole", explained=about),))
    shown(form)
    assert not form.editor("age").isEnabled()
    assert form.editor("age").toolTip() == "No column names it"
    assert form.findChild(HelpButton).content() == about
    assert "Whole" in [label.text() for label in form.findChildren(QLabel) if label.isVisible()]
    form.show_fields((replace(AGE, explained=about, is_offered=False),))
    assert not form.editor("age").isVisible()
