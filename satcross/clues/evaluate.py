"""How much is right over a folder of puzzles with solutions, by method and set of sources."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from satcross.clues.answer import blind, choose, gather_for, mark
from satcross.clues.clue import SourceSettings
from satcross.clues.language.cross_references import clues_of
from satcross.crossword import Crossword
from satcross.errors import InputError, UnavailableError
from satcross.formats.readers import READERS, import_crossword

if TYPE_CHECKING:
    from collections.abc import Iterable

DEFAULT_SET = "default"
"""What the set of the sources that are on by default is called."""


@dataclass(frozen=True, slots=True)
class Record:
    """One puzzle answered by one method from one set of sources.

    ``letters`` and ``words`` are those right, ``of_letters`` and ``of_words`` those there are;
    ``answered`` are the words that the method gave. ``seconds`` are those of asking (once for all
    methods) and of choosing.
    """

    puzzle: str
    sources: str
    method: str
    letters: int
    of_letters: int
    words: int
    of_words: int
    answered: int
    solved: bool
    log_probability: float | None
    optimal: bool | None
    seconds_sources: float
    seconds_choose: float

    def to_data(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Total:
    """All puzzles of one method and set of sources."""

    sources: str
    method: str
    puzzles: int
    letters: int
    of_letters: int
    words: int
    of_words: int
    solved: int
    seconds: float
    """Of choosing, a puzzle on average."""


def find_puzzles(folder: str) -> list[Path]:
    """The published crosswords in a folder and those below it, in order.

    Raises InputError when there is none.
    """
    place = Path(folder)
    if not place.is_dir():
        raise InputError("no such folder", "name a folder with puzzles", file=folder)
    found = sorted(path for path in place.rglob("*") if path.suffix.lower() in READERS)
    if not found:
        raise InputError(
            "the folder has no puzzle", f"put {', '.join(READERS)} files there", file=folder
        )
    return found


def evaluate(
    puzzles: Iterable[Path],
    settings: SourceSettings,
    *,
    source_sets: Sequence[Sequence[str]] = (),
    methods: Sequence[str],
    source_seconds: float | None = None,
    seconds: float | None = None,
    note: Callable[[str, str], None] = lambda name, text: None,
    on_progress: Callable[[str], None] = lambda line: None,
) -> Iterator[Record]:
    """Answer each puzzle by every method, from every set of sources (none: the default one).

    A puzzle that can't be read, or has no solution to compare with, is noted and passed over.
    Notes about sources are told once a set. Raises UnavailableError as ``gather`` does.
    """
    told: set[str] = set()
    for path in puzzles:
        try:
            official = import_crossword(str(path)).crossword
        except InputError as error:
            note(str(path), str(error).removeprefix(f"{path}: "))
            continue
        if not any(any(row) for row in official.solution):
            note(str(path), "it has no solution to compare with; passed over")
            continue
        for names in source_sets or [[]]:
            yield from _evaluate_one(
                path,
                official,
                settings,
                names,
                methods,
                (source_seconds, seconds),
                told,
                note,
                on_progress,
            )


def _evaluate_one(
    path: Path,
    official: Crossword,
    settings: SourceSettings,
    names: Sequence[str],
    methods: Sequence[str],
    limits: tuple[float | None, float | None],
    told: set[str],
    note: Callable[[str, str], None],
    on_progress: Callable[[str], None],
) -> Iterator[Record]:
    crossword = blind(official)
    clues = clues_of(crossword)
    started = time.perf_counter()

    def tell(line: str) -> None:
        on_progress(f"{path.name}: {line}")

    gathered = gather_for(clues, settings, list(names) or None, limits[0], tell)
    asked = time.perf_counter() - started
    for text in gathered.notes:
        if text not in told:
            told.add(text)
            note(str(path), text)
    if gathered.interrupted:
        raise KeyboardInterrupt
    for method in methods:
        session = choose(
            crossword, clues, gathered, settings, method=method, seconds=limits[1], on_progress=tell
        )
        marks = mark(session, official)
        if marks is None:
            return
        (letters, of_letters), (words, of_words) = marks.letters, marks.words
        yield Record(
            puzzle=str(path),
            sources=",".join(names) or DEFAULT_SET,
            method=method,
            letters=letters,
            of_letters=of_letters,
            words=words,
            of_words=of_words,
            answered=sum(bool(word) for word in session.answers.words),
            solved=marks.solved,
            log_probability=session.answers.log_probability,
            optimal=session.answers.optimal,
            seconds_sources=round(asked, 3),
            seconds_choose=round(session.seconds["choose"], 3),
        )


def totals(records: Sequence[Record]) -> list[Total]:
    """Sums by set of sources and method, in the order they first came."""
    groups: defaultdict[tuple[str, str], list[Record]] = defaultdict(list)
    for one in records:
        groups[one.sources, one.method].append(one)
    return [
        Total(
            sources,
            method,
            len(group),
            sum(one.letters for one in group),
            sum(one.of_letters for one in group),
            sum(one.words for one in group),
            sum(one.of_words for one in group),
            sum(one.solved for one in group),
            sum(one.seconds_choose for one in group) / len(group),
        )
        for (sources, method), group in groups.items()
    ]


def table(records: Sequence[Record]) -> list[str]:
    """The totals as lines of text."""
    rows = [("sources", "method", "puzzles", "letters", "words", "all right", "s a puzzle")]
    for one in totals(records):
        rows.append(
            (
                one.sources,
                one.method,
                str(one.puzzles),
                f"{one.letters / one.of_letters:.1%}",
                f"{one.words / max(1, one.of_words):.1%}",
                str(one.solved),
                f"{one.seconds:.2f}",
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if at > 1 else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def write_plot(records: Sequence[Record], path: Path) -> None:
    """Bars of the letters and words right, by method and sources; .png or .svg by the name.

    Raises UnavailableError without matplotlib.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise UnavailableError(
            "plots need matplotlib; install it with pip install 'satcross[report]'"
        ) from None
    found = totals(records)
    several = len({one.sources for one in found}) > 1
    labels = [f"{one.method}\n{one.sources}" if several else one.method for one in found]
    figure = Figure(figsize=(max(4.5, 1.1 + 0.9 * len(found)), 4.0), layout="constrained")
    axes = figure.subplots()
    for number, (name, colour, shares) in enumerate(
        (
            ("letters", "#0072b2", [one.letters / one.of_letters for one in found]),
            ("words", "#d55e00", [one.words / max(1, one.of_words) for one in found]),
            ("puzzles", "#009e73", [one.solved / one.puzzles for one in found]),
        )
    ):
        places = [at + 0.27 * (number - 1) for at in range(len(found))]
        axes.bar(places, [100 * share for share in shares], 0.25, color=colour, label=name)
    axes.set_xticks(range(len(found)), labels, fontsize=8)
    axes.set_ylabel("% right")
    axes.set_ylim(0, 100)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=160)
