"""What the chosen model uses: bars below the list."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.widgets import HelpText, RankedBars, SectionTitle, TextLabel, ranked

MOST = 6


class InfluencePanel(QWidget):
    """Up to six bars, the last for all others."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(6)
        self.title = SectionTitle(
            "What it uses",
            help_text=HelpText(
                title="Relative influence",
                text=(
                    "How much of what the trees gained came from splits on each input. It says "
                    "what the model uses, not what causes the outcome."
                ),
                formula="I(j) = Σ gain of splits on j ÷ Σ gain of all splits",
                reference="Friedman 2001, section 8.1",
            ),
        )
        self.bars = RankedBars()
        self.bars.setAccessibleName("Influence of the inputs")
        self.empty = TextLabel("", "quiet", wraps=True)
        column.addWidget(self.title)
        column.addWidget(self.bars)
        column.addWidget(self.empty)

    def show_influence(
        self, title: str, shares: tuple[tuple[str, float], ...], series: int, empty: str
    ) -> None:
        """Show shares, or a sentence where there are none."""
        self.title.set_title(title)
        self.bars.setVisible(bool(shares))
        self.empty.setVisible(not shares and bool(empty))
        self.setVisible(bool(shares) or bool(empty))
        self.empty.setText(empty)
        self.bars.show_bars(ranked(shares, MOST), series)
