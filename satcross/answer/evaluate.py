"""Evaluate methods and sets of sources on a folder of puzzles with solutions."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from satcross.answer.clue import SourceSettings
from satcross.answer.language.cross_references import crossword_clues
from satcross.answer.session import (
    AnswerSettings,
    choose_words,
    gather_candidates,
    measure_accuracy,
    without_solution,
)
from satcross.answer.sources.clue_database import with_clue_database
from satcross.crossword import Crossword
from satcross.errors import InputError, UnavailableError
from satcross.formats.readers import READERS, import_crossword

if TYPE_CHECKING:
    from collections.abc import Iterable

DEFAULT_SET = "default"
"""Name of the set of default sources."""


@dataclass(frozen=True, slots=True)
class EvaluationRecord:
    """One puzzle answered by one method from one set of sources.

    ``letters`` and ``words`` count the right ones, ``of_letters`` and ``of_words`` all of them;
    ``answered`` counts the words that the method gave. ``seconds_sources`` is the time of the
    sources (shared by all methods), ``seconds_choose`` that of the method.
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
class EvaluationTotal:
    """Sums over all puzzles of one method and set of sources."""

    sources: str
    method: str
    puzzles: int
    letters: int
    of_letters: int
    words: int
    of_words: int
    solved: int
    seconds: float
    """Mean time of the method per puzzle."""


def find_puzzles(folder: str) -> list[Path]:
    """Return the paths of the published crosswords in a folder and its subfolders, sorted.

    Raises InputError for a missing folder and for a folder without a crossword.
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
    source_settings: SourceSettings,
    source_sets: Sequence[Sequence[str]],
    methods: Sequence[str],
    settings: AnswerSettings,
    note: Callable[[str, str], None],
) -> Iterator[EvaluationRecord]:
    """Answer each puzzle by every method from every set of sources; none means the default set.

    A puzzle that can't be read or has no solution is skipped with a note. Each note about sources
    is passed on once. The limits of ``settings`` are for each puzzle. Raises UnavailableError as
    ``gather`` does.
    """
    noted: set[str] = set()

    def note_once(name: str, text: str) -> None:
        if text not in noted:
            noted.add(text)
            note(name, text)

    sets = [
        (
            with_clue_database(source_settings, names or None, settings.on_progress),
            replace(settings, sources=list(names) or None),
        )
        for names in source_sets or [[]]
    ]
    for path in puzzles:
        try:
            official = import_crossword(str(path)).crossword
        except InputError as error:
            note(str(path), str(error).removeprefix(f"{path}: "))
            continue
        if not any(any(row) for row in official.solution):
            note(str(path), "no solution to compare with; skipped")
            continue
        for extended, chosen in sets:
            yield from _evaluate_one(path, official, extended, methods, chosen, note_once)


def _evaluate_one(
    path: Path,
    official: Crossword,
    source_settings: SourceSettings,
    methods: Sequence[str],
    settings: AnswerSettings,
    note: Callable[[str, str], None],
) -> Iterator[EvaluationRecord]:
    crossword = without_solution(official)
    clues = crossword_clues(crossword)
    started = time.perf_counter()
    report_progress = settings.on_progress
    settings = replace(settings, on_progress=lambda line: report_progress(f"{path.name}: {line}"))
    gathered = gather_candidates(clues, source_settings, settings)
    source_seconds = time.perf_counter() - started
    for text in gathered.notes:
        note(str(path), text)
    if gathered.interrupted:
        raise KeyboardInterrupt
    for method in methods:
        session = choose_words(
            crossword,
            clues,
            gathered,
            source_settings.vocabulary,
            replace(settings, method=method),
        )
        accuracy = measure_accuracy(session, official)
        if accuracy is None:
            return
        (letters, of_letters), (words, of_words) = accuracy.letters, accuracy.words
        yield EvaluationRecord(
            puzzle=str(path),
            sources=",".join(settings.sources or ()) or DEFAULT_SET,
            method=session.answers.method,
            letters=letters,
            of_letters=of_letters,
            words=words,
            of_words=of_words,
            answered=sum(bool(word) for word in session.answers.words),
            solved=accuracy.solved,
            log_probability=session.answers.log_probability,
            optimal=session.answers.optimal,
            seconds_sources=round(source_seconds, 3),
            seconds_choose=round(session.seconds["choose"], 3),
        )


def evaluation_totals(records: Sequence[EvaluationRecord]) -> list[EvaluationTotal]:
    """Sum the records by set of sources and method, in order of first appearance."""
    groups: defaultdict[tuple[str, str], list[EvaluationRecord]] = defaultdict(list)
    for one in records:
        groups[one.sources, one.method].append(one)
    return [
        EvaluationTotal(
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


def table(records: Sequence[EvaluationRecord]) -> list[str]:
    """Format the totals as a table, one line of text per row."""
    rows = [("sources", "method", "puzzles", "letters", "words", "all right", "s per puzzle")]
    for one in evaluation_totals(records):
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


def write_plot(records: Sequence[EvaluationRecord], path: Path) -> None:
    """Plot the shares of right letters, words and puzzles, to .png or .svg by the extension.

    Raises UnavailableError without matplotlib.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise UnavailableError(
            "plots need matplotlib; install it with pip install 'satcross[report]'"
        ) from None
    found = evaluation_totals(records)
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
