"""Search for a fill among good words first, then loosen the lowest score step by step."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from math import inf
from random import Random

from satcross import engine
from satcross.backends.base import Answer, Backend, Stats, Task
from satcross.backends.search.narrowed import Narrowed
from satcross.backends.search.portfolio import Portfolio
from satcross.network.arc_consistency import Candidates, arc_consistent, bits
from satcross.network.belief_propagation import Marginals
from satcross.outcome import Status
from satcross.puzzle import Puzzle
from satcross.run_settings import INTERRUPTED, Deadline, TimeUp
from satcross.solving.polish import Polish
from satcross.solving.quality import WEAK_BELOW, Editor, Words, price_of
from satcross.vocabulary import WordGroup

FLOORS = (60, 55, 50, 45, 40, 30)
"""The lowest scores that are tried; on the default list's scale: solid, ..., publishable, glue."""

_QUANTILES = (0.75, 0.5, 0.25)
"""Floors for a list on another scale: these shares of its words are below."""

_MIN_DENSITY, _MIN_WEAK_DENSITY = 0.6, 0.33
"""Least estimated logarithm of the number of fills, per slot, at which a floor is searched longer:
one from which there is a lower one of publishable words, and any other.
At 0.6, each search of a 15x15 with 72 slots finds a fill, after some 1,500 decisions; at 0.4, one
of seven. Measured with the default list on the grids of tests/benchmarks/quality.py."""

_RISE = 0.045
"""How much the logarithm rises for each point of score that a floor is lower."""

_FIRST_ROUNDS, _FIRST_ERROR = 3, 0.03
"""Rounds of messages after which the logarithm, per slot, is at most so much too small."""

_PRICE, _LIMITED, _UNWANTED = 1.0, 0.7, 5.0
"""By how much the logarithm of a word's weight in the estimate falls: for each unit of its price,
for each limit on words of its kind, and for a kind of which there should be none. With 1.4 for the
price, a 15x15 with 72 slots took twice as many decisions."""

_ROUNDS = 10
"""Rounds of messages by which the search is narrowed."""

_FIRST_NODES_PER_SLOT = 8
"""Decisions before the estimate, which takes some five times as long: on a 15x15 with 78 slots,
eight of twelve such searches at 60 found a fill, and none with 150 decisions."""

_RESTARTS, _SEARCHES = 24, 3
"""Narrowed searches of a floor, and how many of them are of the same words."""

_MANY_SLOTS, _LEAST_FAILURES = 200, 6
"""Slots above which fewer of these searches may fail, and how many at least may: they take longer
and differ less from each other. A newspaper-like grid of 50x50 has 850 slots."""

_FILLS = 8
"""Most fills of a floor that are looked at, where polishing leaves what breaks a preference."""

_MANY = 6
"""Words and pairs that break a preference, above which another search takes less time than
polishing a fill."""

_LEFT_OUT = 0.05
"""Share of each slot that narrowed searches leave out, on average."""

_NODES = 4_000
"""Decisions of a narrowed search: less than 0.1 s in compiled code."""

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


_Found = tuple[Words, Stats, Candidates]
"""A fill, how it was found, and candidates for polishing it."""


class _Descent:
    """Tries the floors, highest first; ``answer`` is set when one has a fill.

    A short search comes first. Where it fails, an estimate by belief propagation says which floor
    has fills enough, and narrows the search there. In the estimate, words count the less the lower
    their scores are, so that few of them are taken.
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
        self._postponed: _Found | None = None
        self._wishes: dict[WordGroup, array[float]] = {}
        self._listed: Mapping[str, float] | None = None
        self._highest = inf
        """Floors above this one have hardly a fill, by the estimate for a higher one."""
        self.answer: Answer | None = None

    def run(self) -> None:
        """Try one floor after the other until one has a fill, and then perhaps another fill."""
        for floor in self._floors:
            if self._deadline.passed:
                return
            if floor > self._highest:
                continue
            self._task.on_progress(f"looking for words of {floor} or more")
            candidates = self._at(floor)
            if candidates.infeasible:
                continue
            for words, stats, used in islice(self._fills(candidates, floor), _FILLS):
                self.take(words, {"winner": "backtrack", "floor": floor, **stats}, used)
                if self._is_good:
                    break
            if self.answer is None and self._postponed is not None:
                words, stats, used = self._postponed
                self.take(words, {"winner": "backtrack", "floor": floor, **stats}, used)
            if self.answer is not None:
                self._polish_among_poorer(floor)
                return

    def _polish_among_poorer(self, floor: int) -> None:
        """Take words of lower scores, too, where the fill still breaks a preference."""
        lowest = max(WEAK_BELOW, self._puzzle.min_score or 0)
        if lowest < floor and not self._is_good and self.answer is not None:
            assert self.answer.words is not None
            stats = {**self.answer.stats, "floor": lowest}
            self.take(self.answer.words, stats, self._at(lowest))

    def _at(self, floor: int) -> Candidates:
        candidates = self._task.candidates
        if floor == candidates.network.puzzle.min_score:
            return candidates
        return arc_consistent(replace(self._puzzle, min_score=floor), self._deadline)

    @property
    def _is_good(self) -> bool:
        """Whether there is a fill without anything that breaks a preference."""
        words = None if self.answer is None else self.answer.words
        return words is not None and not self._breaks(words)

    def _breaks(self, words: Words) -> int:
        return 0 if self._editor is None else self._editor.breaks(words)

    def take(self, words: Words, stats: Stats, candidates: Candidates) -> None:
        """Polish a fill, and keep it unless there is a better one."""
        if self.answer is None:
            self._cost = 0 if self._editor is None else self._editor.cost(words)
            self.answer = Answer(Status.FILLED, words, "", stats)
        if self._editor is not None:
            words = Polish(candidates, self._editor, words, self._task.seed).run(self._deadline)
            cost = self._editor.cost(words)
            if cost < self._cost:
                self._cost = cost
                self.answer = Answer(Status.FILLED, words, "", stats)

    def _fills(self, candidates: Candidates, floor: int) -> Iterator[_Found]:
        """Yield fills of a floor, how they were found, and candidates for polishing them."""
        task, deadline = self._task, self._deadline
        is_swept, slots = Portfolio.sweeps(candidates), len(candidates.root.domains)
        if is_swept or floor == self._floors[0]:
            yield from self._soon(candidates, is_swept)
            if is_swept or deadline.passed:
                return
        marginals = Marginals(candidates, deadline, rounds=_FIRST_ROUNDS)
        density = marginals.log_fills() / slots + _FIRST_ERROR
        lowest = _MIN_DENSITY if floor > WEAK_BELOW else _MIN_WEAK_DENSITY
        self._highest = floor - max(0.0, (min(lowest, _MIN_DENSITY) - density) / _RISE)
        if density < lowest:
            return
        wishing = Marginals(candidates, deadline, rounds=_ROUNDS, like=marginals, wish=self._wish)
        left = failures = 0
        may_fail = max(_RESTARTS * _MANY_SLOTS // max(slots, _MANY_SLOTS), _LEAST_FAILURES)
        for _ in range(_RESTARTS):
            if not left:
                left = _SEARCHES
                left_out = _LEFT_OUT * 2 ** self._random.uniform(-0.5, 0.5)
                seed = self._random.getrandbits(31)
                narrowed = Narrowed(wishing, left_out, seed, deadline, self._random)
            else:
                narrowed.again()
            left -= 1
            narrowed.run(deadline, _NODES if engine.available() else _PYTHON_NODES)
            task.on_partial(narrowed.current_letters)
            if narrowed.words is not None:
                yield narrowed.words, {"narrowed_nodes": narrowed.nodes}, narrowed.candidates
            else:
                left, failures = 0, failures + 1
            if failures == may_fail or deadline.passed:
                return

    def _soon(self, candidates: Candidates, is_swept: bool) -> Iterator[_Found]:
        """Yield fills of short searches, until one finds none, or one that takes long to polish."""
        task, deadline, seed = self._task, self._deadline, self._task.seed
        nodes = _FIRST_NODES_PER_SLOT * len(candidates.root.domains)
        status = Status.FILLED
        while status is Status.FILLED and not deadline.passed:
            short = Portfolio(candidates, seed=seed)
            if is_swept:
                status = short.run(deadline, _SWEEP_TURNS, task.on_partial)
            else:
                status = short.start(deadline, nodes, task.on_partial)
            if short.words is not None:
                found = short.words, short.stats, candidates
                if not is_swept and self._breaks(short.words) > _MANY:
                    self._postponed = found
                    return
                yield found
            seed = self._random.getrandbits(31)

    def _wish(self, lexicon: WordGroup) -> array[float]:
        """Return by how much less words count in the estimate."""
        whole, _ = lexicon.origin
        if whole not in self._wishes:
            self._wishes[whole] = self._wishes_of(whole)
        return lexicon.values_of(self._wishes[whole])

    def _wishes_of(self, lexicon: WordGroup) -> array[float]:
        found = array("d")
        for score, size in lexicon.runs:
            found += array("d", [-_PRICE * price_of(score)]) * size
        if self._editor is None:
            return found
        for ending in self._editor.endings:
            for index in bits(lexicon.masks(lexicon.length - 1).get(ending, 0)):
                found[index] -= _LIMITED
        if self._listed is None:
            self._listed = self._editor.listed(_LIMITED, _UNWANTED)
        less, words = self._listed.get, lexicon.words
        return array("d", [n - less(word, 0.0) for n, word in zip(found, words, strict=True)])
