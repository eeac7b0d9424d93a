"""The 32 px strip at the foot of the window: what runs, how far, Stop, and how many are done."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QPushButton, QWidget

from core.document.wording import NBSP, format_seconds
from core.engine.messages import JobOutcome, JobState, WarmUp
from core.questions.lanes import Lane
from gui.session.job_list import JobsPopup
from gui.session.job_queue import JobEntry, JobQueue
from gui.theme import current_theme, icon
from gui.widgets.cards import Rule
from gui.widgets.labels import ElidedLabel, IconLabel, TextLabel

REFRESH = 100  # ms between repaints, so that progress does not cost what it reports
WORTH_REPORTING = 0.05  # seconds
WORTH_WAITING = 1.0  # seconds: less is over before it is read
_NAMELESS = "First calculations"
PATIENCE = 150  # ms before a job is worth showing


class JobsStrip(QFrame):
    """Follows a job queue. Quick nameless jobs are shown only while the compiler holds them up."""

    def __init__(self, jobs: JobQueue, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("jobsStrip")
        self.setAccessibleName("Jobs")
        self.jobs = jobs
        self.setFixedHeight(current_theme().sizes.strip)
        self._shown: JobEntry | None = None
        self._idle_text = "Ready"
        self._ended: JobState | None = None  # of the job that the idle text is about
        self._is_preparing = False
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 1, 12, 0)
        row.setSpacing(10)
        self._sign = IconLabel("check", "gain", 16)
        self.title = TextLabel(self._idle_text)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(220)
        self.percent = TextLabel("")
        self.stage = ElidedLabel("", "quiet", mode=Qt.TextElideMode.ElideRight)
        self.stop = QPushButton("Stop")
        self.stop.setIcon(icon("stop"))
        self.stop.setProperty("small", "true")
        self.stop.clicked.connect(self._on_stop)
        self._rule = Rule(vertical=True)
        self._rule.setFixedHeight(20)
        self.waiting = TextLabel("", "quiet")
        self.preparing = TextLabel("", "quiet")
        self.preparing.setToolTip(
            "At the first start calculations are fitted to this processor, once."
            + "\n"
            + "You can work meanwhile; what is not ready yet takes longer."
        )
        self.preparing.hide()
        self.counts = QPushButton("")
        self.counts.setProperty("kind", "link")
        self.counts.setProperty("tone", "quiet")
        self.counts.clicked.connect(self.open_list)
        for widget in (self._sign, self.title, self.bar, self.percent, self.stage, self.stop):
            row.addWidget(widget)
        row.addWidget(self._rule)
        row.addWidget(self.waiting)
        row.addStretch(1)
        row.addWidget(self.preparing)
        row.addWidget(self.counts)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.refresh)
        jobs.job_changed.connect(self._on_changed)
        jobs.job_ended.connect(self._on_ended)
        jobs.warm_up_changed.connect(self._on_warm_up)
        self.refresh()

    def say(self, text: str) -> None:
        """What the strip says when nothing runs."""
        self._idle_text, self._ended = text, None
        self.refresh()

    def open_list(self) -> JobsPopup:
        """Show all jobs of the session."""
        popup = JobsPopup(self.jobs, self)
        popup.open_above(self.counts)
        return popup

    def _on_changed(self, entry: JobEntry) -> None:
        if (entry.is_worth_showing or entry is self._shown) and not self._timer.isActive():
            self._timer.start(REFRESH if self._shown is not None else PATIENCE)

    def _on_ended(self, outcome: JobOutcome) -> None:
        entry = self.jobs.entries.get(outcome.job)
        if entry is not None and entry.title and not entry.is_dropped:
            self._idle_text, self._ended = self._ending(entry), entry.state

    def _on_warm_up(self, news: WarmUp) -> None:
        """One quiet line; it goes by itself."""
        words = "Preparing calculations: {}".format(f"{news.share * 100:.0f}{NBSP}%")
        self.preparing.setText(words)
        self._is_preparing = not news.is_done
        self.preparing.setVisible(self._is_preparing and self._shown is None)

    def _ending(self, entry: JobEntry) -> str:
        title = entry.title
        if entry.state is JobState.DONE and entry.is_stopped:
            return f"{title}: stopped; what was done is kept"
        if entry.state is JobState.DONE:
            if entry.seconds < WORTH_REPORTING:
                return f"{title}: done"
            return f"{title}: done in {format_seconds(entry.seconds)}"
        words = {
            JobState.CANCELLED: "stopped",
            JobState.FAILED: "failed",
            JobState.LOST: "lost, the engine ended; it has been started again",
        }
        return f"{title}: {words.get(entry.state, '')}"

    def _on_stop(self) -> None:
        read = self._shown
        if read is not None and not read.is_open:  # it ended since the strip was painted
            self.refresh()
        if read is not None and self._shown is not None and self._shown.title == read.title:
            self.jobs.stop(self._shown.job)

    def refresh(self) -> None:
        """Show the present state of the queue."""
        entries = self.jobs.open_entries(titled=False)
        entries = [entry for entry in entries if entry.is_worth_showing]
        entries.sort(key=lambda entry: entry.lane is Lane.BACKGROUND)  # what was asked for first
        running = [entry for entry in entries if entry.state is JobState.RUNNING]
        first = running or entries
        shown = first[0] if first else None
        self._shown = shown
        for widget in (self.bar, self.percent, self.stage, self.stop):
            widget.setVisible(shown is not None)
        self._sign.setVisible(shown is None)
        self.preparing.setVisible(self._is_preparing and shown is None)  # a job tells its own
        others = [entry for entry in entries if entry is not shown]
        self._rule.setVisible(bool(others))
        self.waiting.setVisible(bool(others))
        pending = [entry for entry in others if entry.state is JobState.PENDING]
        if pending:
            self.waiting.setText(f"Waiting: {pending[0].title}")
        elif others:
            self.waiting.setText(f"Also running: {others[0].title}")
        if shown is None:
            self._show_idle()
        else:
            self._show_job(shown)
        self.counts.setText(self._count_words(len(running), len(entries) - len(running)))

    def _show_idle(self) -> None:
        is_bad = self._ended in (JobState.FAILED, JobState.LOST)
        self._sign.set_icon("warning" if is_bad else "check", "error" if is_bad else "gain")
        self.title.setText(self._idle_text)

    def _show_job(self, entry: JobEntry) -> None:
        self.title.setText(entry.title or _NAMELESS)
        self.stop.setVisible(bool(entry.title))
        if entry.fraction is None:
            self.bar.setRange(0, 0)
            self.percent.setText("")
        else:
            self.bar.setRange(0, 1000)
            self.bar.setValue(round(entry.fraction * 1000))
            self.percent.setText(entry.percent())
        left = entry.seconds_left()
        pieces = [entry.stage] if entry.stage else []
        if left is not None and left >= WORTH_WAITING:
            pieces.append(f"{format_seconds(left)} left")
        self.stage.set_full_text(", ".join(pieces))
        self.stop.setAccessibleName(f"Stop {entry.title}")

    def _count_words(self, running: int, waiting: int) -> str:
        done = self.jobs.count(JobState.DONE)
        pieces = []
        if running:
            pieces.append(f"{running} running")
        if waiting:
            pieces.append(f"{waiting} waiting")
        if done:
            pieces.append(f"{done} done")
        return ", ".join(pieces) or "no jobs yet"
