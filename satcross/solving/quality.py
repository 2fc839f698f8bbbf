"""Quality of fills: low scores, forms of the same word, long shared substrings, plain plurals.

``judge`` says how good a fill is. ``polish`` removes what an editor would object to by filling
small regions anew. These expectations are not rules of the puzzle: a puzzle that can only be filled
against them is still filled, and the quality says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from satcross.backends.search.search import Search
from satcross.deadline import Deadline
from satcross.network.arc_consistency import Candidates, State, bits
from satcross.network.weights import narrowed
from satcross.outcome import FillQuality, Status
from satcross.puzzle import Puzzle
from satcross.solving.inflections import is_plain_plural, roots
from satcross.vocabulary import Vocabulary

WEAK_BELOW = 50
"""Words with a lower score are named: on the scale of the default list, they are glue."""

MAX_SHARED = 5
"""Most letters in a row that two words of a fill should share."""

PLURAL_SHARE = 0.12
"""Share of the words that may be plain plurals."""

_MIN_PLURALS = 3
_POLISH_ROUNDS = 120
_MAX_FAILURES = 40
_POLISH_NODES = 150
_MIN_REGION, _MAX_REGION = 5, 40
_MAX_LISTED = 3000
"""Candidates of a slot up to which they are looked at one by one."""

Words = tuple[str, ...]


def is_scored(vocabulary: Vocabulary, lengths: Iterable[int]) -> bool:
    """Whether the words of these lengths have different scores."""
    return len({score for length in lengths for score, _ in vocabulary.group(length).runs}) > 1


def max_plurals(slots: int) -> int:
    """Return the number of plain plurals that a grid with so many slots may have."""
    return max(_MIN_PLURALS, int(PLURAL_SHARE * slots))


def judge(puzzle: Puzzle, fill: Mapping[str, str]) -> FillQuality:
    """Return the quality of a fill (slot name -> word); the setter's own words are left out."""
    own = puzzle.exempt_words | puzzle.locks.keys()
    scores = {word: puzzle.vocabulary.score(word) for word in fill.values() if word not in own}
    editor = Editor(puzzle)
    pairs = editor.pairs(fill.values())
    return FillQuality(
        lowest=min(scores.values(), default=None),
        weak=tuple(sorted(((w, s) for w, s in scores.items() if s < WEAK_BELOW), key=_by_score)),
        same_stem=tuple(pair for pair, kind in pairs if kind == _STEM),
        shared=tuple(pair for pair, kind in pairs if kind == _RUN),
        plurals=editor.plurals(fill.values()),
    )


def _by_score(scored: tuple[str, int]) -> tuple[int, str]:
    return scored[1], scored[0]


_STEM, _RUN = "stem", "run"


class Editor:
    """What an editor objects to in the fills of a puzzle."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._vocabulary = puzzle.vocabulary
        self._own = puzzle.exempt_words
        self._known: dict[str, bool] = {}
        self._roots: dict[str, frozenset[str]] = {}
        self.max_plurals = max_plurals(len(puzzle.grid.slots))

    def _is_word(self, word: str) -> bool:
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = word in self._vocabulary
        return known

    def marks(self, word: str) -> frozenset[str]:
        """Return what no two words should have in common: roots, and long substrings."""
        marks = self._roots.get(word)
        if marks is None:
            size = MAX_SHARED + 1
            runs = {f"*{word[at : at + size]}" for at in range(len(word) - size + 1)}
            marks = self._roots[word] = frozenset(roots(word, self._is_word) | runs)
        return marks

    def is_plural(self, word: str) -> bool:
        """Whether the word is a plain plural and not the setter's own."""
        return word not in self._own and is_plain_plural(word, self._is_word)

    def plurals(self, words: Iterable[str]) -> int:
        """Return the number of plain plurals."""
        return sum(map(self.is_plural, words))

    def pairs(self, words: Iterable[str]) -> list[tuple[tuple[str, str], str]]:
        """Return the pairs of words that are too much alike, and in what way."""
        having: defaultdict[str, list[str]] = defaultdict(list)
        for word in dict.fromkeys(words):
            for mark in self.marks(word):
                having[mark].append(word)
        found: dict[tuple[str, str], str] = {}
        for mark, marked in sorted(having.items()):
            for one, other in combinations(sorted(marked), 2):
                if not (one in self._own and other in self._own):
                    kind = _RUN if mark.startswith("*") else _STEM
                    if found.get((one, other)) != _STEM:
                        found[one, other] = kind
        return sorted(found.items())

    def cost(self, words: Sequence[str]) -> int:
        """Return the number of objections, weak words included."""
        weak = sum(self._vocabulary.score(word) < WEAK_BELOW for word in words)
        return weak + len(self.pairs(words)) + max(0, self.plurals(words) - self.max_plurals)

    def offenders(self, words: Sequence[str]) -> list[int]:
        """Return the slots with a word that is objected to: pairs before plurals and weak words."""
        alike = {word for pair, _ in self.pairs(words) for word in pair}
        if alike:
            return [slot for slot, word in enumerate(words) if word in alike]
        too_many = self.plurals(words) > self.max_plurals
        return [
            slot
            for slot, word in enumerate(words)
            if (too_many and self.is_plural(word)) or self._vocabulary.score(word) < WEAK_BELOW
        ]


@dataclass(slots=True)
class _Polish:
    candidates: Candidates
    editor: Editor
    random: Random
    words: Words

    def region(self, start: int, size: int) -> set[int]:
        """Return slots that hang together, ``start`` among them."""
        links = self.candidates.network.links
        chosen, border = {start}, [link[3] for link in links[start]]
        while border and len(chosen) < size:
            slot = border.pop(self.random.randrange(len(border)))
            if slot not in chosen:
                chosen.add(slot)
                border += [link[3] for link in links[slot] if link[3] not in chosen]
        return chosen

    def state(self, start: int, free: set[int]) -> State | None:
        """Return the candidates with all other words as they are, without objectionable ones."""
        network, state = self.candidates.network, self.candidates.root.copy()
        fixed = [slot for slot in range(len(self.words)) if slot not in free]
        for slot in fixed:
            state.domains[slot] = network.lexicons[slot].bit_of(self.words[slot])
            state.sizes[slot] = 1
        if network.propagate(state, fixed) is not None:
            return None
        editor = self.editor
        standing = {mark for slot in fixed for mark in editor.marks(self.words[slot])}
        too_many = editor.plurals(self.words) > editor.max_plurals
        for slot in free:
            if not 1 < state.sizes[slot] <= _MAX_LISTED:
                continue
            lexicon, domain = network.lexicons[slot], state.domains[slot]
            for bit in bits(domain):
                word = lexicon.word(bit)
                if (
                    (slot == start and word == self.words[slot])
                    or (too_many and editor.is_plural(word))
                    or not standing.isdisjoint(editor.marks(word))
                ):
                    domain &= ~(1 << bit)
            if not domain:
                return None
            state.domains[slot], state.sizes[slot] = domain, domain.bit_count()
        return None if network.propagate(state, sorted(free)) is not None else state


def polish(candidates: Candidates, words: Words, seed: int, deadline: Deadline) -> Words:
    """Return a fill with fewer objections, or the same if none is found; effort is bounded."""
    editor = Editor(candidates.network.puzzle)
    fixed = candidates.network.puzzle.fixed_words
    search = _Polish(candidates, editor, Random(seed), words)
    cost, failures = editor.cost(words), 0
    for _ in range(_POLISH_ROUNDS):
        starts = [slot for slot in editor.offenders(search.words) if slot not in fixed]
        if not starts or failures >= _MAX_FAILURES or deadline.passed:
            break
        failures += 1
        start = search.random.choice(starts)
        size = _MIN_REGION + failures * (_MAX_REGION - _MIN_REGION) // _MAX_FAILURES
        state = search.state(start, search.region(start, size))
        if state is None:
            continue
        again = Search(narrowed(candidates, state), seed=search.random.getrandbits(31))
        if again.run(deadline, _POLISH_NODES * (1 + size // 10)) is Status.FILLED:
            assert again.words is not None
            found = editor.cost(again.words)
            if found < cost:
                search.words, cost, failures = again.words, found, 0
    return search.words
