"""Search for a fill among good words first, then loosen the lowest score step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from math import inf
from random import Random

from satcross import engine
from satcross.backends.base import Answer, Backend, Stats, Task
from satcross.backends.search.portfolio import Narrowed, Portfolio
from satcross.network.arc_consistency import Candidates, arc_consistent
from satcross.network.belief_propagation import ROUNDS, Marginals
from satcross.outcome import Status
from satcross.puzzle import Puzzle
from satcross.run_settings import INTERRUPTED, Deadline, TimeUp
from satcross.solving.polish import polish
from satcross.solving.quality import WEAK_BELOW, Editor, Words

FLOORS = (60, 55, 50, 45, 40, 30)
"""The lowest scores that are tried; on the default list's scale: solid, ..., publishable, glue."""

_QUANTILES = (0.75, 0.5, 0.25)
"""Floors for a list on another scale: these shares of its words are below."""

_MIN_DENSITY = 0.33
"""Least estimated logarithm of the number of fills, per slot, at which a floor is searched longer.
At 0.45, a 21x21 with 140 slots was filled in one to two seconds; at 0.2, a 15x15 in none of twenty.
Measured with the default list on the grids of tests/benchmarks/quality.py."""

_FIRST_ROUNDS, _FIRST_ERROR = 3, 0.03
"""Rounds of messages after which the logarithm, per slot, is at most so much too small."""

_FIRST_NODES_PER_SLOT = 8
"""Decisions before the estimate, which takes some five times as long: on a 15x15 with 78 slots,
eight of twelve such searches at 60 found a fill, and none with 150 decisions."""

_RESTARTS = 6
"""Narrowed searches of a floor, each of other words; twice as many where one has found a fill."""

_FILLS = 8
"""Most fills of a floor that are looked at, where polishing leaves what breaks a preference, also
with words from lower floors. With 3, three of 40 fills had similar words, all in open grids."""

_LEFT_OUT = 0.08
"""Share of each slot that narrowed searches leave out, on average. On a 21x21 with 140 slots at 60
and a 15x15 with 72 at 55, 0.05 to 0.1 gave 0.7 to 2.4 fills a second, 0.2 to 0.4 none to 0.6."""

_NODES = 18_000
"""Decisions of a narrowed search: 0.4 s in compiled code."""

_PYTHON_NODES = 2_400
"""The same without compiled code."""

_SWEEP_TURNS = 3
"""Turns where the grid is swept; a turn takes half a second."""

_TIME_SHARE = 0.6
"""Share of the time limit after which the plain search begins, if no fill has been found."""


def floors_of(puzzle: Puzzle) -> list[int]:
    """Return the floors to try, highest first; none for a list without scores.

    They are for words of a length without a minimum score of its own, and above that of the others.
    """
    vocabulary, lengths = puzzle.vocabulary, {slot.length for slot in puzzle.grid.slots}
    lengths -= puzzle.min_scores.keys()
    if not vocabulary.is_scored(lengths):
        return []
    runs = [run for length in lengths for run in vocabulary.group(length).runs]
    scores = sorted({score for score, _ in runs})
    floors = [floor for floor in FLOORS if scores[0] < floor <= scores[-1]]
    if not floors:
        total, below, marks = sum(size for _, size in runs), 0, list(_QUANTILES)
        for score in scores:
            while marks and below >= marks[-1] * total:
                floors.append(score)
                marks.pop()
            below += sum(size for value, size in runs if value == score)
        floors = sorted({floor for floor in floors if floor > scores[0]} or {scores[-1]})[::-1]
    # Floors between the same two scores allow the same words.
    scores = [item for item in scores if puzzle.min_score is None or item >= puzzle.min_score]
    by_score = {
        min(score for score in scores if score >= floor): floor
        for floor in (floors[::-1] if scores else ())
    }
    return sorted((item for score, item in by_score.items() if score > scores[0]), reverse=True)


def first_candidates(puzzle: Puzzle, deadline: Deadline) -> Candidates:
    """Return the candidates of the highest floor that has any; of all words, if none has."""
    for floor in floors_of(puzzle):
        candidates = arc_consistent(replace(puzzle, min_score=floor), deadline)
        if not candidates.infeasible:
            return candidates
    return arc_consistent(puzzle, deadline)


def fill_with_good_words(
    solver: Backend, task: Task, editor: Editor | None = None, puzzle: Puzzle | None = None
) -> Answer:
    """Answer as ``solver`` would, but look among good words first.

    With a ``puzzle``, the task has its ``first_candidates``: few need those of all words.

    Words that the ``editor``, if any, objects to are then replaced where possible. UNFILLABLE
    and UNKNOWN are the answers of ``solver`` about the whole list. ``stats["floor"]`` is the lowest
    score that was asked for, when a fill was found with one. The effort before ``solver`` begins is
    bounded in decisions, so that the same seed gives the same fill, and by a share of the time
    limit. A fill that an interruption (Ctrl-C) cuts short has the reason INTERRUPTED.
    """
    search, reason = _Descent(task, editor, puzzle), ""
    try:
        search.run()
        if search.answer is None:
            if puzzle is not None and puzzle is not task.candidates.network.puzzle:
                task = replace(task, candidates=arc_consistent(puzzle, task.deadline))
            answer = solver.solve(task)
            if answer.words is None:
                return answer
            search.take(answer.words, answer.stats, task.candidates)
    except TimeUp:
        if search.answer is None:
            raise
    except KeyboardInterrupt:
        if search.answer is None:
            raise
        reason = INTERRUPTED
    assert search.answer is not None
    return replace(search.answer, reason=reason)


class _Descent:
    """Tries the floors, highest first; ``answer`` is set when one has a fill.

    A short search comes first. Where it fails, an estimate by belief propagation says whether the
    floor has fills enough to be searched for longer, and narrows that search.
    """

    def __init__(self, task: Task, editor: Editor | None, puzzle: Puzzle | None) -> None:
        self._task = task
        first = task.candidates.network.puzzle
        self._puzzle = puzzle or first
        self._floors = floors_of(self._puzzle)
        if puzzle is not None:  # higher floors have no candidates; none has any, if first has all
            highest = -inf if first is puzzle else first.min_score or 0
            self._floors = [floor for floor in self._floors if floor <= highest]
        left = task.deadline.left
        limit = None if task.deadline.at is None else left * _TIME_SHARE
        self._deadline = task.deadline.within(limit)
        self._random = Random(task.seed)
        lengths = {slot.length for slot in self._puzzle.grid.slots}
        self._editor = editor if self._puzzle.vocabulary.is_scored(lengths) else None
        self._cost = 0
        self.answer: Answer | None = None

    def run(self) -> None:
        """Try one floor after the other until one has a fill, and then perhaps another fill."""
        for floor in self._floors:
            if self._deadline.passed:
                return
            self._task.on_progress(f"looking for words of {floor} or more")
            candidates = self._task.candidates
            if floor != candidates.network.puzzle.min_score:
                candidates = arc_consistent(replace(self._puzzle, min_score=floor), self._deadline)
            if candidates.infeasible:
                continue
            for words, stats in islice(self._fills(candidates), _FILLS):
                before = self.answer
                self.take(words, {"winner": "backtrack", "floor": floor, **stats}, candidates)
                if self.answer is not before:
                    self._weigh(floor)
                kept = () if self.answer is None else self.answer.words or ()
                if self._editor is None or not self._editor.breaks(kept):
                    break
            if self.answer is not None:
                self._do_without(floor)
                return

    def _do_without(self, floor: int) -> None:
        """Look for a fill without words of kinds of which none should be, if the fill has some.

        Where the floor has none, words from lower floors are taken, too.
        """
        unwanted = frozenset() if self._editor is None else self._editor.unwanted
        excluded = self._puzzle.excluded | unwanted
        for lowest in (floor, *self._lower(floor)):
            assert self.answer is not None
            assert self.answer.words is not None
            if unwanted.isdisjoint(self.answer.words):
                return
            rest = replace(self._puzzle, min_score=lowest, excluded=excluded)
            candidates = arc_consistent(rest, self._deadline)
            for words, stats in () if candidates.infeasible else islice(self._fills(candidates), 1):
                self.take(words, {"winner": "backtrack", "floor": lowest, **stats}, candidates)

    def _lower(self, floor: int) -> list[int]:
        """Return the floors below one that words are taken from where that costs less."""
        lower = (item for item in FLOORS if WEAK_BELOW <= item < floor)
        return [max(item, self._puzzle.min_score or item) for item in lower]

    def _weigh(self, floor: int) -> None:
        """Take words from lower floors, too, where that costs less than what is objected to."""
        for lowest in self._lower(floor):
            assert self.answer is not None
            assert self.answer.words is not None
            if self._editor is None or not self._editor.breaks(self.answer.words):
                return
            candidates = arc_consistent(replace(self._puzzle, min_score=lowest), self._deadline)
            self.take(self.answer.words, {**self.answer.stats, "floor": lowest}, candidates)

    def take(self, words: Words, stats: Stats, candidates: Candidates) -> None:
        """Polish a fill, and keep it unless there is a better one."""
        if self.answer is None:
            self._cost = 0 if self._editor is None else self._editor.cost(words)
            self.answer = Answer(Status.FILLED, words, "", stats)
        if self._editor is not None:
            words = polish(candidates, self._editor, words, self._task.seed, self._deadline)
            cost = self._editor.cost(words)
            if cost < self._cost:
                self._cost = cost
                self.answer = Answer(Status.FILLED, words, "", stats)

    def _fills(self, candidates: Candidates) -> Iterator[tuple[Words, Stats]]:
        """Yield fills of a floor, and how they were found."""
        task, deadline = self._task, self._deadline
        is_swept, slots = Portfolio.sweeps(candidates), len(candidates.root.domains)
        seed, status = task.seed, Status.FILLED
        while status is Status.FILLED:
            short = Portfolio(candidates, seed=seed)
            if is_swept:
                status = short.run(deadline, _SWEEP_TURNS, task.on_partial)
            else:
                status = short.start(deadline, _FIRST_NODES_PER_SLOT * slots, task.on_partial)
            if short.words is not None:
                yield short.words, short.stats
            if status is Status.UNFILLABLE or is_swept or deadline.passed:
                return
            seed = self._random.getrandbits(31)
        marginals = Marginals(
            candidates, rounds=_FIRST_ROUNDS, may_go_on=lambda: not deadline.passed
        )
        if marginals.log_fills() < (_MIN_DENSITY - _FIRST_ERROR) * slots:
            return
        marginals.send(ROUNDS)
        if marginals.log_fills() < _MIN_DENSITY * slots:
            return
        yield from self._narrowed(marginals)

    def _narrowed(self, marginals: Marginals) -> Iterator[tuple[Words, Stats]]:
        """Yield fills of searches that leave out words which are in few fills."""
        task, deadline = self._task, self._deadline
        for number in range(2 * _RESTARTS):
            if number >= _RESTARTS and self.answer is None:
                return
            left_out = _LEFT_OUT * 2 ** self._random.uniform(-0.5, 0.5)
            seed = self._random.getrandbits(31)
            narrowed = Narrowed(marginals, left_out, seed, deadline, self._random)
            narrowed.run(deadline, _NODES if engine.available() else _PYTHON_NODES)
            task.on_partial(narrowed.current_letters)
            if narrowed.words is not None:
                yield narrowed.words, {"narrowed_nodes": narrowed.nodes}
            if deadline.passed:
                return
