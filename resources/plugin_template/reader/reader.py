"""My plugin: files of cards, lines ``name: value`` with a blank line after each case."""

from pathlib import Path

import payoff


def read_cards(path):
    """Return one dictionary per case; refuse what is no card, naming the line."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise payoff.PayoffError("The file is not UTF-8 text.", where=path) from None
    cards, card = [], {}
    for number, line in enumerate([*lines, ""], start=1):
        if not line.strip():
            if card:
                cards.append(card)
            card = {}
            continue
        name, colon, value = line.partition(":")
        if not colon or not name.strip():
            raise payoff.PayoffError(
                "A line has no name and value.",
                where=f"{path}, line {number}",
                why=f"It reads {line[:60]!r}.",
                remedy="Every line must read 'name: value'.",
            )
        card[name.strip()] = value.strip()
    return cards


def open_cards(request):
    """Hand the cards over as columns."""
    cards = read_cards(request.path)
    names = tuple(dict.fromkeys(name for card in cards for name in card))
    if not names:
        raise payoff.PayoffError("The file holds no case.", where=request.path)
    columns = [
        payoff.column_from_cells([card.get(name) for card in cards], request.missing_marks)
        for name in names
    ]
    return payoff.OpenedTable(columns=names, batches=[columns], rows=len(cards))


def write_example(folder):
    """Write the small file that the conformance kit reads, cuts and damages."""
    path = Path(folder) / "cases.cards"
    path.write_text("id: 007\nscore: 0.25\n\nid: 008\nscore: 0.75\n", encoding="utf-8")
    return str(path)


READER = payoff.TableReader(
    id="my_plugin",
    label="My plugin",
    help="Lines 'name: value', a blank line after each case.",
    form=payoff.ReaderForm.COLUMNS,
    suffixes=(".cards",),
    open=open_cards,
    settings=("missing_marks",),
    example=write_example,
)


@payoff.hookimpl
def payoff_register_readers():
    """Tell Payoff of the reader."""
    return [READER]
