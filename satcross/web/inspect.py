"""Analysis of an unfinished puzzle: heat, and ranked candidates of a slot."""

from __future__ import annotations

import fnmatch
import re
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import islice, repeat
from math import log10

from satcross.crossword import Crossword
from satcross.formats.drawing.cells import heat_to_data
from satcross.formats.entries import enumeration
from satcross.grid.lint import LintWarning, grid_statistics, lint
from satcross.grid.styles import Style
from satcross.network.arc_consistency import Candidates, arc_consistent, bits, unpropagated
from satcross.network.tightness import heat_of
from satcross.puzzle import Puzzle
from satcross.solving.clue_faults import ClueFault, clue_faults
from satcross.solving.quality import WEAK_BELOW, judge
from satcross.web.puzzles import is_allowed, read_words, rows_with
from satcross.web.schema import Candidate, CandidateList, Look, PlacedWord, SlotState, View

MAX_RANKED = 8000
"""Number of candidates, those with the highest scores, that are ranked by score and room: with
577,000 words, ranking all took most of the time of an answer."""

TRY_SECONDS = 0.04
"""Seconds for testing whether candidates of the slot, best first, are dead ends."""

TRY_CROSSING_SECONDS = 0.02
"""Seconds for testing candidates of the crossing slot."""

_JUDGE_SECONDS = 0.1
"""Seconds for judging what the grid would become with each candidate."""

MAX_CROSSING = 24
"""Number of candidates of the crossing slot."""


class Analysis:
    """What is known about a puzzle whatever slot the cursor is in.

    It is made once and answers many looks at the same puzzle; the dead ends that earlier looks
    found are remembered.
    """

    def __init__(self, puzzle: Puzzle, written: Mapping[str, str] = {}) -> None:
        """``written`` maps words to how the lists write them (T-SHIRT)."""
        self._puzzle = puzzle
        self._written = written
        self._candidates = arc_consistent(puzzle)
        self._alone = unpropagated(puzzle)
        self._heat = heat_of(self._candidates)
        network, root = self._candidates.network, self._candidates.root
        # The letters that are the only possible ones; a rebus cell's further ones are not printed.
        self._letters = {} if self._candidates.wiped_out else network.letters(root)
        self._warnings = warnings(puzzle)
        self._statistics = grid_statistics(puzzle.grid)
        self._dead_ends: dict[tuple[int, int], bool] = {}

    def view(self, requested: Look) -> View:
        """Count the candidates of each slot, rank those of the requested slots, judge the words.

        Raises InputError when the letters of the request do not have the grid's shape.
        """
        puzzle, heat, alone = self._puzzle, self._heat, self._alone
        possible = alone if heat.wiped_out else self._candidates
        grid = puzzle.grid
        data = heat_to_data(grid, heat)
        words = read_words(requested.words, puzzle)
        quality, counted = quality_of(puzzle, words)
        max_crossing = min(requested.max_candidates, MAX_CROSSING)
        return View(
            slots=[
                SlotState(slot.name, slot.row, slot.column, slot.direction, slot.length, size)
                for slot, size in zip(grid.slots, possible.root.sizes, strict=True)
            ],
            cells=data["cells"],  # type: ignore[arg-type]
            forced=rows_with(self._letters, grid.rows),
            empty=[
                slot.name
                for slot, size in zip(grid.slots, alone.root.sizes, strict=True)
                if not size
            ],
            wiped_out=heat.wiped_out,
            unlisted=[
                grid.slots[index].name
                for index, word in sorted(puzzle.fixed_words.items())
                if not _is_listed(puzzle, word)
            ],
            candidates=self._ranked(
                requested, requested.slot, requested.max_candidates, TRY_SECONDS
            ),
            crossing=self._ranked(
                requested, requested.crossing, max_crossing, TRY_CROSSING_SECONDS
            ),
            words=placed_words(puzzle, words, self._written),
            quality=quality,
            counted=counted,
            weak_below=WEAK_BELOW,
            clue_faults=faults_of(puzzle, words, requested.clues),
            warnings=self._warnings,
            statistics=self._statistics,
        )

    def _ranked(
        self, requested: Look, name: str | None, max_words: int, seconds: float
    ) -> CandidateList | None:
        """Rank the candidates of a slot; None if the grid has no such slot."""
        slot = None if name is None else self._puzzle.grid.slot_named(name)
        if slot is None:
            return None
        candidates = self._alone if self._candidates.wiped_out else self._candidates
        if requested.rank == "fit":
            ends = time.monotonic() + _JUDGE_SECONDS
            return self._fitting(candidates, slot, requested, max_words, ends)
        found, chosen = _rank(candidates, slot, requested, max_words)
        testing_ends = time.monotonic() + seconds
        for candidate, index in zip(found.words, chosen, strict=True):
            if (slot, index) not in self._dead_ends and time.monotonic() < testing_ends:
                self._dead_ends[slot, index] = _is_dead_end(candidates, slot, index)
            candidate.dead_end = self._dead_ends.get((slot, index))
        return found

    def _fitting(
        self, candidates: Candidates, slot: int, requested: Look, max_words: int, ends: float
    ) -> CandidateList:
        """Rank the candidates by how many words of the grid as it is they change."""
        puzzle, network = self._puzzle, candidates.network
        slots, words = puzzle.grid.slots, read_words(requested.words, puzzle)
        lexicon, cells = network.lexicons[slot], slots[slot].cells
        crossed = [  # of the crossing words: position in the candidate, slot, position there, word
            (position, other, slots[other].cells.index(cells[position]), words[slots[other].name])
            for _, position, _, other, _ in network.links[slot]
            if slots[other].name in words
        ]
        gaps = list(_gaps(candidates, slot, words))
        total, considered = _considered(candidates, slot, requested)

        def changes(found: tuple[int, str]) -> int:
            changed = sum(found[1][at] != word[there] for at, _, there, word in crossed)
            return changed + sum(found[1][at] not in letters for at, _, letters in gaps)

        ranked = sorted(considered, key=lambda found: (changes(found), -lexicon.scores[found[0]]))
        best = []
        for index, word in ranked[:max_words]:
            candidate = Candidate(word, lexicon.scores[index], 0.0, None, None)
            candidate.opens += [name for at, name, letters in gaps if word[at] not in letters]
            for at, other, there, old in crossed:
                if word[at] != old[there]:
                    new = old[:there] + word[at] + old[there + 1 :]
                    if is_allowed(puzzle, slots[other], new):
                        candidate.swaps[slots[other].name] = new
                    else:
                        candidate.opens.append(slots[other].name)
            if not candidate.opens and time.monotonic() < ends:
                changed = {**words, **candidate.swaps, slots[slot].name: word}
                candidate.quality, _ = quality_of(puzzle, changed)
            best.append(candidate)
        best.sort(key=lambda found: (len(found.opens), len(found.swaps), -found.score))
        return CandidateList(slots[slot].name, total, best)


def _gaps(
    candidates: Candidates, slot: int, words: Mapping[str, str]
) -> Iterator[tuple[int, str, set[str]]]:
    """Yield the crossings of a slot with others that have no word: what the letter there may be.

    Each has the position in the slot, the name of the other one, and the letters with which it has
    a word beside the letters of the words that stand.
    """
    network = candidates.network
    slots = network.puzzle.grid.slots
    standing = {
        cell: letter
        for at, other in enumerate(slots)
        if at != slot
        for cell, letter in zip(other.cells, words.get(other.name, ""), strict=False)
    }
    for crossing, position, _, other, masks in network.links[slot]:
        cells, lexicon = slots[other].cells, network.lexicons[other]
        if slots[other].name not in words:
            domain = candidates.root.domains[other]
            for place, cell in enumerate(cells):
                if cell in standing and cell not in slots[slot].cells:
                    domain &= lexicon.masks(place).get(standing[cell], 0)
            letters = {x for x in candidates.root.letters[crossing] if domain & masks[x]}
            yield position, slots[other].name, letters


def _is_listed(puzzle: Puzzle, word: str) -> bool:
    too_low = puzzle.min_score is not None and puzzle.vocabulary.score(word) < puzzle.min_score
    return word in puzzle.vocabulary and word not in puzzle.excluded and not too_low


def _rank(
    candidates: Candidates, slot: int, requested: Look, max_words: int
) -> tuple[CandidateList, list[int]]:
    """Rank the candidates of a slot; the list has the best, with their indices in the lexicon."""
    network, root = candidates.network, candidates.root
    grid = network.puzzle.grid
    lexicon = network.lexicons[slot]
    tables = []  # one per crossing: position, crossing slot, letter -> number of its words with it
    for crossing, position, _, other, other_masks in network.links[slot]:
        letters = root.letters[crossing]
        domain = root.domains[other]
        counts = {letter: (domain & other_masks[letter]).bit_count() for letter in letters}
        tables.append((position, grid.slots[other].name, counts))
    total, considered = _considered(candidates, slot, requested)
    rooms = _rooms(considered, [(position, counts) for position, _, counts in tables])
    scores = lexicon.scores
    if requested.rank == "score":
        order = sorted(rooms, key=lambda index: (-scores[index], -rooms[index]))
    elif requested.rank == "room":
        order = sorted(rooms, key=lambda index: (-rooms[index], -scores[index]))
    else:
        value = _score_and_room(rooms, scores)
        order = sorted(rooms, key=lambda index: -value[index])
    chosen = order[:max_words]
    words = []
    for index in chosen:
        word = lexicon.words[index]
        remaining = [(counts.get(word[position], 0), name) for position, name, counts in tables]
        left, tightest = min(remaining, default=(None, None))
        words.append(
            Candidate(word, scores[index], round(rooms[index], 2), tightest, left, dead_end=None)
        )
    return CandidateList(grid.slots[slot].name, total, words), chosen


def _considered(
    candidates: Candidates, slot: int, requested: Look
) -> tuple[int, list[tuple[int, str]]]:
    """Return the number of candidates that the filter passes, and those of them to rank.

    These are (index, word), highest score first: all if they are ranked by room, else MAX_RANKED.
    """
    words = candidates.network.lexicons[slot].words
    fits = _text_filter(requested.filter)
    passed = ((i, words[i]) for i in bits(candidates.root.domains[slot]))
    if not requested.filter.strip() and requested.rank != "room":
        return candidates.root.sizes[slot], list(islice(passed, MAX_RANKED))
    found = [(index, word) for index, word in passed if fits(word)]
    return len(found), found if requested.rank == "room" else found[:MAX_RANKED]


def _rooms(
    words: list[tuple[int, str]], tables: list[tuple[int, dict[str, int]]]
) -> dict[int, float]:
    """Return the room that each (index, word) leaves in crossing slots: index -> logarithm."""
    columns = []
    for position, counts in tables:
        # A letter that leaves no word counts as a thousandth of a word, as log10(0) is infinite.
        logs = {letter: log10(number) if number else -3.0 for letter, number in counts.items()}
        columns.append([logs.get(word[position], -3.0) for _, word in words])
    rooms = map(sum, zip(*columns, strict=True)) if columns else repeat(0.0)
    return dict(zip((index for index, _ in words), rooms, strict=False))


def _text_filter(text: str) -> Callable[[str], bool]:
    """Return a test of words: the text is in the word, or matches it if it has wildcards."""
    letters = "".join(text.upper().split())
    if not set(letters) & set("?.*"):
        letters = f"*{letters}*"
    # The regular expressions of fnmatch don't backtrack without end, however many "*" there are.
    pattern = re.compile(fnmatch.translate(letters.replace("[", "[[]").replace(".", "?")))
    return lambda word: pattern.match(word) is not None


def _score_and_room(rooms: dict[int, float], scores: tuple[int, ...]) -> dict[int, float]:
    """Return the sum of score and room, each scaled to 0 to 1 over the candidates of the slot."""
    values = [scores[index] for index in rooms]
    low, high = min(values, default=0), max(values, default=0)
    smallest, largest = min(rooms.values(), default=0.0), max(rooms.values(), default=0.0)
    by_score, by_room = (high - low) or 1, (largest - smallest) or 1.0
    return {
        index: (scores[index] - low) / by_score + (room - smallest) / by_room
        for index, room in rooms.items()
    }


def _is_dead_end(candidates: Candidates, slot: int, index: int) -> bool:
    state = candidates.root.copy()
    if state.domains[slot] == 1 << index:
        return bool(candidates.wiped_out)
    state.domains[slot], state.sizes[slot] = 1 << index, 1
    return candidates.network.propagate(state, (slot,)) is not None


_BRITISH_BELOW = 0.8
"""Share of checked cells below which a grid is a lattice and held against British customs."""


def placed_words(
    puzzle: Puzzle, words: Mapping[str, str], written: Mapping[str, str]
) -> list[PlacedWord]:
    """Return the whole words of the grid (slot name -> word) with what is known about them.

    ``written`` maps words to how the lists write them, where that is more than their letters.
    """
    listed = puzzle.vocabulary
    scores = {word: listed.score(word) if word in listed else None for word in words.values()}
    forms = {word: enumeration(written.get(word, word)) for word in words.values()}
    return [PlacedWord(name, word, scores[word], forms[word]) for name, word in words.items()]


def quality_of(puzzle: Puzzle, words: Mapping[str, str]) -> tuple[str, dict[str, tuple[str, ...]]]:
    """Judge a fill in a phrase, as every command does; "" while a slot has no word.

    The second value has the words that the judgement counts, by their kind.
    """
    if len(words) < len(puzzle.grid.slots):
        return "", {}
    quality = judge(puzzle, words)
    return str(quality), {f"{e.kind}s": e.words for e in quality.expectations if e.words}


def faults_of(
    puzzle: Puzzle, words: Mapping[str, str], clues: Mapping[str, str]
) -> list[ClueFault]:
    """Return the faults of clues while they are written: a clue that is missing is none yet."""
    known = {name: clues[name] for name in clues if puzzle.grid.slot_named(name) is not None}
    found = clue_faults(Crossword.of(puzzle.grid, words, known))
    return [fault for fault in found if fault.kind != "missing"]


def warnings(puzzle: Puzzle) -> list[LintWarning]:
    """Return what is unusual in the pattern or makes it hard to fill."""
    figures = grid_statistics(puzzle.grid)
    is_lattice = figures.checked < _BRITISH_BELOW * max(1, figures.open_cells)
    style = Style.BRITISH if is_lattice else Style.AMERICAN
    return lint(puzzle.grid, puzzle.vocabulary, style, puzzle.min_score)
