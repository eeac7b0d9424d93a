"""Column names: checked, completed; two alike are refused, or numbered where that is asked for."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.data.text.records import Record
from core.document.data.model import ReaderSettings
from core.document.data.results import ReaderFinding
from payoff.counting import counted
from payoff.errors import PayoffError

#: The setting that lets names that occur again be numbered.
REPEATED = "rename_repeated"
NO_NAME = "row_name"
"""What the first column is called where the header is one name short: R numbers rows in it."""
_DISTRIBUTION = "distribution"  # above the chances of all classes, as Weka writes them

ANY_ANSWER = (
    "response", "open-ended response", "antwort", "offene antwort", "réponse",
    "réponse ouverte", "respuesta", "respuesta abierta", "risposta", "reactie", "resposta",
)  # fmt: skip
"""What survey programs write below a question of one answer: its name is the question."""


@dataclass(slots=True, kw_only=True)
class NameSink:
    """What is said of names while they are settled.

    ``renames``: names that occur again are to be numbered. ``given``: names that somebody gave to
    columns, by their positions from 1. ``reported`` says in words which
    were, or would be; ``repeated`` is the refusal where nobody asked for it.
    """

    renames: bool = False
    given: tuple[tuple[int, str], ...] = ()
    remedy: str = (
        "Let names that occur again be numbered: in the import settings, in scripts by "
        "rename_repeated=True, on the command line by --read rename_repeated=yes. Or rename one "
        "of them in the file, or say that the first line is no header."
    )
    warnings: list[str] = field(default_factory=list)
    reported: str = ""
    repeated: PayoffError | None = None

    @classmethod
    def of(cls, reader: ReaderSettings, warnings: list[str] | None = None) -> NameSink:
        """What the settings of a reader say of names."""
        return cls(
            renames=bool(reader.rename_repeated),
            given=reader.column_names,
            warnings=[] if warnings is None else warnings,
        )

    def refuse(self) -> None:
        """Raise the refusal, if there is one."""
        if self.repeated is not None:
            raise self.repeated

    @property
    def findings(self) -> tuple[ReaderFinding, ...]:
        """The question, or its answer, for whoever looks at the file first."""
        if not self.reported:
            return ()
        reason = self.reported if self.renames else f"{self.reported}, if they are numbered"
        return (
            ReaderFinding(setting=REPEATED, value="yes", reason=reason, is_certain=self.renames),
        )


def settle_names(
    header: Record | None,
    rows: list[Record],
    width: int,
    note: str,
    path: str,
    sink: NameSink,
    above: Record | None = None,
) -> tuple[str, ...]:
    """Names of the columns as they will be called.

    Without a header: column_1, column_2 ... A blank name becomes column_7 (its position). A header
    that is one name short gets ``row_name`` in front (R writes row names so) or, when the last
    field is always empty, a name behind. ``above`` is the line above the names.
    """
    if header is None:
        plain = [f"column_{index + 1}" for index in range(width)]
        return settle_given_names(plain, path, sink)
    names = [cell.decode("utf-8", "replace").strip() for cell in header.fields]
    if names[-1].casefold() == _DISTRIBUTION and note == "short":
        names.append("")
    elif note == "short":
        if rows and all(r.width < width or not r.fields[-1].strip() for r in rows[:200]):
            names.append("")
        else:
            names.insert(0, NO_NAME)
            sink.warnings.append(f"The first column has no name in the header: called {NO_NAME}.")
    names = _numbered_classes(names)
    is_even = above is not None and above.width == header.width == len(names)
    groups = [_text(cell) for cell in above.fields] if above is not None and is_even else []
    return settle_given_names(names, f"{path}, line {header.line}", sink, groups)


def _numbered_classes(names: list[str]) -> list[str]:
    """Names where "distribution" stands above the first class alone, as Weka writes it."""
    first = next((at for at, name in enumerate(names) if name.casefold() == _DISTRIBUTION), None)
    if first is None:
        return names
    blank = next((at for at in range(first + 1, len(names)) if names[at]), len(names))
    classes = [f"{names[first]}_{place}" for place in range(1, blank - first + 1)]
    return [*names[:first], *classes, *names[blank:]] if len(classes) > 1 else names


def _text(cell: bytes) -> str:
    return cell.decode("utf-8", "replace").strip()


def settle_given_names(
    names: Sequence[str], where: str, sink: NameSink, above: Sequence[str] = ()
) -> tuple[str, ...]:
    """Names as a file or a reader gives them, each column with one of its own.

    Names that occur again are numbered; unless that was asked for, ``sink.repeated`` then holds
    the refusal, which loading raises and a preview turns into a question. Blank names become
    column_7 (the position). ``above`` holds the cells above the names, the heading of a group of
    columns in the first of them: with it names that occur again are told apart.
    """
    told = _as_given(_under_headings(list(names), above, sink), where, sink)
    settled = _number_repeated(told, where, sink)
    taken = set(settled)
    nameless: list[int] = []
    for index, name in enumerate(settled):
        if not name:
            settled[index] = _free_name(f"column_{index + 1}", taken)
            nameless.append(index)
    if nameless:
        places = ", ".join(str(index + 1) for index in nameless[:6]) + " ..." * bool(nameless[6:])
        called = ", ".join(settled[index] for index in nameless[:6]) + " ..." * bool(nameless[6:])
        what = "Columns {} have" if nameless[1:] else "Column {} has"
        sink.warnings.append(f"{what.format(places)} no name: called {called}.")
    _warn_similar(settled, sink.warnings)
    return tuple(settled)


def _as_given(names: list[str], where: str, sink: NameSink) -> list[str]:
    """Names with those that somebody gave; refuses a column that there is not."""
    for position, name in sink.given:
        if not 1 <= position <= len(names) or not name.strip():
            raise PayoffError(
                f"Column {position} cannot be called '{name}'.",
                where=where,
                why=f"The file has {counted(len(names), 'column')}."
                if name.strip()
                else "A name cannot be blank.",
                remedy="Give names to columns by their positions from 1 on.",
            )
        names[position - 1] = name.strip()
    return names


def _under_headings(names: list[str], above: Sequence[str], sink: NameSink) -> list[str]:
    """Names with the heading of their group where they occur again; a blank one is what is above.

    "good" below "Old model" and again below "New model" are "Old model good", "New model good";
    where somebody wanted names to be numbered, they are.
    """
    if sum(map(bool, above)) < 2 or sink.renames:
        return names
    groups = list(above)
    for at in range(1, len(groups)):
        groups[at] = groups[at] or groups[at - 1]
    is_survey = any(cell and not name for name, cell in zip(names, above, strict=True))
    any_name = ("", *(ANY_ANSWER if is_survey else ()))
    whole = [
        cell if cell and name.casefold() in any_name else name
        for name, cell in zip(names, above, strict=True)
    ]
    counts = Counter(whole)
    told = [
        f"{group} {name}" if counts[name] > 1 and group and group != name else name
        for name, group in zip(whole, groups, strict=True)
    ]
    changed = [name for name, former in zip(told, whole, strict=True) if name != former]
    if not changed or len(set(told)) < len(told):
        return whole
    shown = ", ".join(f"'{name}'" for name in changed[:3]) + " ..." * (len(changed) > 3)
    sink.warnings.append(f"Names that occur again have the heading above them in front: {shown}.")
    return told


def refuse_repeated(names: Sequence[str], where: str) -> None:
    """Refuse columns of one name in data that a script holds, naming both positions."""
    sink = NameSink(remedy="Give one of them another name.")
    _number_repeated(list(names), where, sink)
    sink.refuse()


def _number_repeated(names: list[str], where: str, sink: NameSink) -> list[str]:
    """Names with a number behind those that occur again: name, name_2, name_3 ..."""
    first: dict[str, int] = {}
    again: list[tuple[int, int]] = []  # a position, and the first one with the same name
    for index, name in enumerate(names):
        if name and first.setdefault(name, index) != index:
            again.append((first[name], index))
    if not again:
        return names
    taken, settled, counts = set(names), list(names), dict.fromkeys(first, 1)
    for before, index in again:
        name = names[before]
        while True:
            counts[name] += 1
            wanted = f"{name}_{counts[name]}"
            if wanted not in taken:
                break
        taken.add(wanted)
        settled[index] = wanted
    sink.reported = _repeats_in_words(names, settled, again)
    if sink.renames:
        sink.warnings.append(f"Names that occur again are numbered: {sink.reported}.")
        return settled
    before, index = again[0]
    more = (
        f"{counted(len(again), 'column bears', 'columns bear')} a name that was there before."
        if len(again) > 1
        else ""
    )
    sink.repeated = PayoffError(
        f"Two columns are called '{names[before]}'.",
        where=f"{where}, columns {before + 1} and {index + 1}",
        why=more,
        remedy=sink.remedy,
    )
    return settled


def _repeats_in_words(names: list[str], settled: list[str], again: list[tuple[int, int]]) -> str:
    """The first columns that get another name, and which they get."""
    shown = [
        f"column {index + 1} ('{names[index]}', like column {before + 1}) is '{settled[index]}'"
        for before, index in again[:3]
    ]
    return ", ".join(shown) + (f" and {len(again) - 3:,} more" if len(again) > 3 else "")


def _free_name(name: str, taken: set[str]) -> str:
    """A name that no other column bears; it is taken from then on."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _warn_similar(names: list[str], warnings: list[str]) -> None:
    """Warn of names that differ only in case, spaces or Unicode form."""
    groups: dict[str, list[str]] = {}
    for name in names:
        key = "".join(unicodedata.normalize("NFKC", name).casefold().split())
        groups.setdefault(key, []).append(name)
    for alike in groups.values():
        if len(alike) > 1:
            shown = ", ".join(f"'{name}'" for name in alike[:5])
            warnings.append(f"Column names differ only in case, spaces or accents' form: {shown}.")


def free_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names for the columns of a file: blank ones by position, repeated ones with a number."""
    free: dict[str, None] = {}
    for index, name in enumerate(names):
        plain = " ".join(name.split()) or f"column_{index + 1}"
        wanted, number = plain, 2
        while wanted in free:
            wanted, number = f"{plain} {number}", number + 1
        free[wanted] = None
    return tuple(free)
