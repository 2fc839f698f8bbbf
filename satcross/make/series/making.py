"""Make a puzzle of a series, and say how hard it is; processes or a cluster that make several."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any, NamedTuple

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.grid import STRIDE, Grid
from satcross.make.pattern.fillable import make_grids
from satcross.make.puzzles import LEVELS
from satcross.make.puzzles.arrow_making import ClueBook, make_arrowword, read_picture
from satcross.make.puzzles.codeword import make_codeword
from satcross.make.puzzles.files import puzzle_to_data
from satcross.make.puzzles.fill_in import make_fill_in
from satcross.make.puzzles.printed import Printed
from satcross.make.series.ledger import lowered
from satcross.make.series.plan import ARROWWORD, CODEWORD, CROSSWORD, Place, Recipe
from satcross.outcome import Outcome
from satcross.puzzle import Puzzle
from satcross.run_settings import TIME_LIMIT, RunSettings, TimeUp
from satcross.solving.quality import Editor
from satcross.solving.refill import refill
from satcross.solving.repeats import entries_that_repeat
from satcross.solving.solve import solve
from satcross.support.cluster import connected
from satcross.vocabulary import DEFAULT_SCORE, Vocabulary

if TYPE_CHECKING:
    from distributed import Client, Future

_CHOICES, _NEXT_SEED = 3, 7919
"""Puzzles of which the best is taken, unless one is as wanted; what their seeds differ by."""
_FRESH = 10
"""What a word of an arrowword is worth that was not used recently."""
_WEAK = 5
"""Points of difficulty that a word below 50 weighs: a bad fill is no way to a hard puzzle."""
_WEIGHTS = {"unfamiliar": 40, "unchecked": 25, "open": 20, "fresh": 15}
_FAMILIAR, _UNKNOWN = 80, 20
"""Scores from which on a word counts as familiar to all, and up to which to nobody."""
_SHORT_WORDS, _LONG_WORDS = 4.0, 7.0
"""Mean lengths of words of a grid that counts as closed, and as open."""


@dataclass(frozen=True, slots=True)
class Job:
    """A puzzle to make: on a grid, or by demands; ``words`` has a fill that is to be mended.

    ``beside`` has the grids of the previous and the next puzzle, where these are made. ``banned``
    words may not be used; words used not long ago (``recent``) are used less gladly.
    """

    place: Place
    grid: Grid | None
    banned: frozenset[str]
    recent: frozenset[str]
    seed: int
    seconds: float
    beside: tuple[Grid, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def recipe(self) -> Recipe:
        return self.place.recipe

    @property
    def settings(self) -> RunSettings:
        """How long a search for the puzzle may take, and its seed; it has one worker."""
        return RunSettings(time_limit=self.seconds, seed=self.seed, workers=1)


@dataclass(frozen=True, slots=True)
class Made:
    """What came of a job: a grid and its fill, or the reason why there is none.

    ``puzzle`` has the values of a codeword or fill-in, as ``puzzle_to_data`` makes them.
    """

    grid: Grid | None
    fill: Mapping[str, str]
    reason: str = ""
    loosened: tuple[str, ...] = ()
    cpu: float = 0.0
    puzzle: Mapping[str, Any] | None = None


class Difficulty(NamedTuple):
    """How hard a puzzle is, from 0 to 100, and the four parts of that, from 0 to 1.

    ``unfamiliar`` is what its words lack to a score of 80, ``unchecked`` the share of letters that
    are in one word only, ``open`` how long its words are, and ``fresh`` the share of words that
    were not used not long ago.
    """

    value: int
    unfamiliar: float
    unchecked: float
    open: float
    fresh: float


def difficulty(
    grid: Grid, words: Collection[str], vocabulary: Vocabulary, recent: Collection[str]
) -> Difficulty:
    number = max(1, len(words))
    checked = sum(crossing.cell[1] < STRIDE for crossing in grid.crossings)
    cells = {cell for slot in grid.slots for cell in slot.cells}
    scale = _FAMILIAR - _UNKNOWN
    lacking = sum(_within((_FAMILIAR - vocabulary.score(word)) / scale) for word in words)
    parts = {
        "unfamiliar": lacking / number,
        "unchecked": 1 - checked / max(1, len(cells)),
        "open": _within(
            (sum(map(len, words)) / number - _SHORT_WORDS) / (_LONG_WORDS - _SHORT_WORDS)
        ),
        "fresh": sum(word not in recent for word in words) / number,
    }
    value = round(sum(weight * parts[name] for name, weight in _WEIGHTS.items()))
    return Difficulty(value, **{name: round(part, 3) for name, part in parts.items()})


def _within(value: float) -> float:
    return min(1.0, max(0.0, value))


def distance(value: float, target: tuple[float, float]) -> float:
    """Return how far a difficulty is from the range that is aimed at."""
    return max(target[0] - value, value - target[1], 0.0)


def make(job: Job, vocabulary: Vocabulary) -> Made:
    """Make a puzzle: the best of a few where the first has weak words or is too easy or hard.

    An internal error is a reason why there is none, so that the others are made.
    """
    started = time.process_time()
    try:
        made = _make_arrowword(job) if job.recipe.form == ARROWWORD else _make(job, vocabulary)
    except (InputError, TimeUp) as error:
        made = Made(None, {}, str(error) or TIME_LIMIT)
    except Exception as error:
        made = Made(None, {}, f"internal error, please report it: {error!r}")
    return replace(made, cpu=time.process_time() - started)


def _make(job: Job, vocabulary: Vocabulary) -> Made:
    scores: dict[str, int | None] = {
        word: lowered(vocabulary.score(word)) for word in job.recent if word in vocabulary
    }
    scores |= {word: None for word in job.banned if word in vocabulary}
    words = vocabulary.changed(scores)
    best, nearest = Made(None, {}), float("inf")
    for choice in range(1 if job.words else _CHOICES):
        try:
            made = _make_one(replace(job, seed=job.seed + _NEXT_SEED * choice), words)
        except InputError:
            if best.grid is None:
                raise
            break
        off = _shortfall(job, made, vocabulary)
        if off < nearest or best.grid is None:
            best, nearest = made, off
        if off == 0 or made.grid is None:
            break
    return _in_form(job, best, vocabulary)


def _make_arrowword(job: Job) -> Made:
    clued, picture = job.place.clued, job.recipe.picture
    clues = {word: clue for word, clue in clued.items() if word not in job.banned}
    written = {word: [clue] for word, clue in clued.items()}
    scores = {word: DEFAULT_SCORE + _FRESH * (word not in job.recent) for word in clues}
    size = job.recipe.size, job.recipe.size
    cells = read_picture(picture, size) if picture else frozenset()
    made = make_arrowword(size, ClueBook(clues, written, scores), job.settings, cells)
    if made is None:
        raise TimeUp
    return Made(made.crossword.grid, made.crossword.words, puzzle=puzzle_to_data(made))


def _shortfall(job: Job, made: Made, vocabulary: Vocabulary) -> float:
    """Return how far a puzzle is from what is wanted: by its weak words, and its difficulty."""
    if made.grid is None:
        return float("inf")
    shown = list(made.fill.values())
    off = _WEAK * Editor(Puzzle(made.grid, vocabulary)).objections(shown)
    if (target := job.recipe.target()) is None:
        return off
    return off + distance(difficulty(made.grid, shown, vocabulary, job.recent).value, target)


def _in_form(job: Job, made: Made, vocabulary: Vocabulary) -> Made:
    """Return what was made with its codeword or fill-in, if that is wanted."""
    if made.grid is None or job.recipe.form == CROSSWORD:
        return made
    crossword, wanted = Crossword.of(made.grid, made.fill), job.recipe.difficulty
    if job.recipe.form == CODEWORD:
        level = wanted if wanted in LEVELS else None
        puzzle: Printed = make_codeword(crossword, vocabulary, job.settings, level=level)
    else:
        puzzle = make_fill_in(crossword, job.settings)
    return replace(made, puzzle=puzzle_to_data(puzzle))


def _make_one(job: Job, vocabulary: Vocabulary) -> Made:
    if job.grid is None:
        return _make_grid(job, vocabulary)
    theme, min_score = frozenset(job.place.theme), job.recipe.min_score
    repeated = entries_that_repeat(job.place.theme.values(), vocabulary) - theme
    puzzle = Puzzle(job.grid, vocabulary, theme=theme, min_score=min_score, excluded=repeated)
    if job.words:
        return _made(job.grid, refill(puzzle, job.words, settings=job.settings))
    return _made(job.grid, solve(puzzle, settings=job.settings))


def _make_grid(job: Job, vocabulary: Vocabulary) -> Made:
    theme, min_score = job.place.theme, job.recipe.min_score
    demands = replace(job.recipe.demands(), entries=tuple(theme), written=theme)
    for number in (1, 1 + len(job.beside)):
        result = make_grids(demands, vocabulary, job.settings, number=number, min_score=min_score)
        if not result.grids:
            return Made(None, {}, result.reason or "there is no such grid")
        for grid in result.grids:
            if grid.grid not in job.beside and grid.outcome is not None:
                return replace(_made(grid.grid, grid.outcome), loosened=grid.loosened)
    return Made(None, {}, "the same grid would come twice in a row")


def _made(grid: Grid, outcome: Outcome) -> Made:
    if outcome.fill is None:
        return Made(None, {}, outcome.reason or str(outcome.status))
    return Made(grid, dict(outcome.fill))


# Workers


_LOOK_SECONDS = 1.0
"""Seconds between two looks at how many workers a cluster has."""
_LOST = Made(None, {}, "its worker has ended")


class Processes:
    """A process for each job, which ends with this one, even when this one is killed."""

    def __init__(self, number: int, vocabulary: Vocabulary) -> None:
        self._number, self._vocabulary = number, vocabulary
        # A forked process has the modules and the list at once; other systems have no fork that
        # is safe.
        self._context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        self._running: dict[Connection, tuple[Job, BaseProcess]] = {}

    def room(self) -> int:
        """Return how many more jobs can be begun."""
        return self._number - len(self._running)

    def begin(self, job: Job) -> None:
        receiver, sender = self._context.Pipe(duplex=False)
        process = self._context.Process(  # type: ignore[attr-defined]
            target=_work, args=(job, self._vocabulary, sender), daemon=True
        )
        process.start()
        sender.close()
        self._running[receiver] = job, process

    def ended(self) -> Iterator[tuple[Job, Made]]:
        """Wait a while, and yield the jobs that have ended."""
        for receiver in wait(list(self._running), _LOOK_SECONDS):
            assert isinstance(receiver, Connection)
            job, process = self._running.pop(receiver)
            with receiver:
                try:
                    made = receiver.recv()
                except EOFError:
                    made = _LOST
            process.join()
            yield job, made

    def stop(self) -> None:
        for receiver, (_, process) in self._running.items():
            process.kill()
            process.join()
            receiver.close()
        self._running.clear()


def _work(job: Job, vocabulary: Vocabulary, sender: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and ends this process
    threading.Thread(target=_end_with_parent, daemon=True).start()
    sender.send(make(job, vocabulary))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Cluster:
    """The workers of a Dask cluster, as ``Processes``; the vocabulary travels once to each."""

    def __init__(self, client: Client, vocabulary: Vocabulary) -> None:
        self._client = client
        self._running: dict[Future, Job] = {}
        # A task, because scattered data is lost with its worker.
        self._vocabulary: Any = client.submit(_itself, vocabulary, pure=False)

    def room(self) -> int:
        threads: int = sum(self._client.nthreads().values())
        return max(1, threads) - len(self._running)

    def begin(self, job: Job) -> None:
        self._running[self._client.submit(make, job, self._vocabulary, pure=False)] = job

    def ended(self) -> Iterator[tuple[Job, Made]]:
        from distributed import KilledWorker, wait

        try:
            done = wait(list(self._running), _LOOK_SECONDS, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            return
        for future in done:
            job = self._running.pop(future)
            try:
                made = future.result()
            except KilledWorker:
                made = _LOST
            yield job, made

    def stop(self) -> None:
        """Withdraw what has not begun."""
        if self._client.status == "running":
            self._client.cancel([*self._running, self._vocabulary])


def _itself(vocabulary: Vocabulary) -> Vocabulary:
    return vocabulary


Workers = Processes | Cluster
"""What makes puzzles at the same time."""


@contextmanager
def workers(number: int, cluster: str | None, vocabulary: Vocabulary) -> Iterator[Workers]:
    """Offer so many processes here, or the workers of the cluster with this address."""
    with ExitStack() as stack:
        pool: Workers = (
            Processes(number, vocabulary)
            if cluster is None
            else Cluster(stack.enter_context(connected(cluster, number)), vocabulary)
        )
        stack.callback(pool.stop)
        yield pool
