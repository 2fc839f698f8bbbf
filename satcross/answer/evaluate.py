"""Evaluate methods and sets of sources on a folder of puzzles with solutions."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from satcross.answer.clue import SourceSettings
from satcross.answer.language.cross_references import crossword_clues
from satcross.answer.session import (
    AnswerSettings,
    choose_words,
    gather_candidates,
    measure_accuracy,
    without_solution,
)
from satcross.answer.sources.clue_database import with_clue_database, word_pairs
from satcross.crossword import Crossword
from satcross.errors import InputError, UnavailableError
from satcross.formats.readers import READERS, import_crossword

HEADINGS = ("sources", "method", "puzzles", "letters", "words", "all right", "s per puzzle")
Note = Callable[[str, str], None]


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
        return asdict(self)


def find_puzzles(folder: str) -> list[Path]:
    """Return the paths of the published crosswords in a folder and its subfolders, sorted.

    Raises InputError for a missing folder and for a folder without a crossword.
    """
    place = Path(folder)
    if not place.is_dir():
        raise InputError("no such folder", "name a folder with puzzles", file=folder)
    found = sorted(path for path in place.rglob("*") if path.suffix.lower() in READERS)
    if not found:
        remedy = f"put {', '.join(READERS)} files there"
        raise InputError("the folder has no puzzle", remedy, file=folder)
    return found


def evaluate(
    puzzles: Iterable[Path],
    source_settings: SourceSettings,
    source_sets: Sequence[Sequence[str]],
    methods: Sequence[str],
    settings: AnswerSettings,
    note: Note,
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
            chosen = replace(chosen, pairs=word_pairs(extended))
            for record in _records(official, extended, methods, chosen, note_once):
                yield replace(record, puzzle=str(path))


def _records(
    official: Crossword,
    source_settings: SourceSettings,
    methods: Sequence[str],
    settings: AnswerSettings,
    note: Note,
) -> Iterator[EvaluationRecord]:
    crossword = without_solution(official)
    clues = crossword_clues(crossword)
    started = time.perf_counter()
    gathered = gather_candidates(clues, source_settings, settings)
    source_seconds = time.perf_counter() - started
    for text in gathered.notes:
        note("sources", text)
    if gathered.interrupted:
        raise KeyboardInterrupt
    for method in methods:
        chosen = replace(settings, method=method)
        session = choose_words(crossword, clues, gathered, source_settings.vocabulary, chosen)
        accuracy = measure_accuracy(session, official)
        if accuracy is None:
            return
        yield EvaluationRecord(
            "",
            ",".join(settings.sources or ()) or "default",
            session.answers.method,
            *accuracy.letters,
            *accuracy.words,
            sum(bool(word) for word in session.answers.words),
            accuracy.solved,
            session.answers.log_probability,
            session.answers.optimal,
            round(source_seconds, 3),
            round(session.seconds["choose"], 3),
        )


def _groups(
    records: Sequence[EvaluationRecord],
) -> dict[tuple[str, str], tuple[list[EvaluationRecord], list[float]]]:
    """Return, by sources and method, the records and the shares of letters, words and puzzles."""
    groups: defaultdict[tuple[str, str], list[EvaluationRecord]] = defaultdict(list)
    for record in records:
        groups[record.sources, record.method].append(record)
    return {
        names: (
            group,
            [
                sum(record.letters for record in group)
                / sum(record.of_letters for record in group),
                sum(record.words for record in group)
                / max(1, sum(record.of_words for record in group)),
                sum(record.solved for record in group) / len(group),
            ],
        )
        for names, group in groups.items()
    }


def table_rows(records: Sequence[EvaluationRecord]) -> list[tuple[str, ...]]:
    """Return a row for each set of sources and method, under ``HEADINGS``."""
    return [
        (
            *names,
            str(len(group)),
            f"{letters:.1%}",
            f"{words:.1%}",
            str(sum(record.solved for record in group)),
            f"{sum(record.seconds_choose for record in group) / len(group):.2f}",
        )
        for names, (group, (letters, words, _)) in _groups(records).items()
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
    groups = _groups(records)
    figure = Figure(figsize=(max(4.5, 1.1 + 0.9 * len(groups)), 4.0), layout="constrained")
    axes = figure.subplots()
    for number, (name, colour) in enumerate(
        (("letters", "#0072b2"), ("words", "#d55e00"), ("puzzles", "#009e73"))
    ):
        places = [at + 0.27 * (number - 1) for at in range(len(groups))]
        heights = [100 * shares[number] for _, shares in groups.values()]
        axes.bar(places, heights, 0.25, color=colour, label=name)
    axes.set_xticks(range(len(groups)), ["\n".join(reversed(pair)) for pair in groups], fontsize=8)
    axes.set_ylabel("% right")
    axes.set_ylim(0, 100)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=160)
