"""Undo and redo: the history keeps whole documents, so that both are exact and unlimited."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.document.commands import Command
from core.document.data.model import DataRef
from core.document.model import Document


@dataclass(frozen=True, slots=True)
class Step:
    """One undo step: the document it led to and the last command that was merged into it."""

    document: Document
    command: Command | None = None

    @property
    def label(self) -> str:
        """What the menu calls the step."""
        return self.command.label if self.command is not None else ""


class History:
    """The line of documents of one session."""

    def __init__(self, document: Document | None = None) -> None:
        self._steps: list[Step] = [Step(document or Document())]
        self._position = 0
        self._saved: Document | None = self._steps[0].document
        self._may_merge = False

    @property
    def document(self) -> Document:
        """The document as it is after the last step, undone ones left out."""
        return self._steps[self._position].document

    @property
    def before(self) -> Document | None:
        """The document before the last step, or None."""
        return self._steps[self._position - 1].document if self._position else None

    @property
    def is_changed(self) -> bool:
        """Whether the document differs from what was last saved or opened."""
        return self.document != self._saved

    @property
    def undo_label(self) -> str | None:
        """What undo would take back, or None."""
        return self._steps[self._position].label if self._position else None

    @property
    def redo_label(self) -> str | None:
        """What redo would bring back, or None."""
        following = self._position + 1
        return self._steps[following].label if following < len(self._steps) else None

    def execute(self, command: Command) -> Document:
        """Apply a command; a change of nothing leaves no step."""
        changed = command.apply(self.document)
        if changed == self.document:
            return changed
        present = self._steps[self._position]
        del self._steps[self._position + 1 :]
        if self._merges(present, command):
            self._steps[self._position] = Step(changed, command)
        else:
            self._steps.append(Step(changed, command))
            self._position += 1
        self._may_merge = True
        return changed

    def _merges(self, present: Step, command: Command) -> bool:
        if not (self._may_merge and present.command and command.merge_key):
            return False
        return present.command.merge_key == command.merge_key

    def finish_merging(self) -> None:
        """Close the present step: the drag ended, the field was left."""
        self._may_merge = False

    def undo(self) -> Document:
        """Go one step back, if there is one."""
        self._position = max(0, self._position - 1)
        self._may_merge = False
        return self.document

    def redo(self) -> Document:
        """Go one step forward, if there is one."""
        self._position = min(len(self._steps) - 1, self._position + 1)
        self._may_merge = False
        return self.document

    def take_changed_data(self, before: DataRef, now: DataRef) -> None:
        """Put the data as their file is now in the place of what was opened, in every step."""

        def mended(document: Document) -> Document:
            return replace(document, data=now) if document.data == before else document

        self._steps = [Step(mended(step.document), step.command) for step in self._steps]
        self._saved = None if self._saved is None else mended(self._saved)

    def mark_saved(self) -> None:
        """Remember the present document as the one in the file."""
        self._saved = self.document
        self._may_merge = False

    def reset(self, document: Document, *, is_saved: bool = True) -> None:
        """Start again from an opened or new project; ``is_saved``: a file holds it."""
        self._steps = [Step(document)]
        self._position = 0
        self._saved = document if is_saved else None
        self._may_merge = False
