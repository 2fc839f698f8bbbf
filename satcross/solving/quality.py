"""Quality of fills: low scores, and the editors' preferences.

``judge`` says how good a fill is. ``polish`` removes what an editor would object to by filling
small regions anew. The preferences (``satcross.solving.preferences``) are not rules of the puzzle:
a puzzle that can only be filled against them is still filled, and the quality says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from satcross.backends.search.search import Search
from satcross.network.arc_consistency import Candidates, State, bits
from satcross.network.weights import narrowed
from satcross.outcome import Expectation, FillQuality, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import EDITED, Deadline, RunSettings
from satcross.solving.preferences import PREFERENCES, Limit, Pairs

WEAK_BELOW = 50
"""Words with a lower score are named: on the scale of the default list, they are glue."""

_POLISH_ROUNDS = 120
_MAX_FAILURES = 40
_POLISH_NODES = 150
_MIN_REGION, _MAX_REGION = 5, 40
_PAIR_WEIGHT = 3
"""Words above a limit that are as bad as a pair that is too much alike."""
_MAX_LISTED = 3000
"""Candidates of a slot up to which they are looked at one by one."""

Words = tuple[str, ...]


def judge(puzzle: Puzzle, fill: Mapping[str, str], allowed: Collection[str] = ()) -> FillQuality:
    """Return the quality of a fill (slot name -> word), its setter's own words listed apart.

    ``allowed`` names preferences that are switched off.
    """
    own, vocabulary = puzzle.exempt_words, puzzle.vocabulary
    scores = {word: vocabulary.score(word) for word in fill.values() if word not in own}
    return FillQuality(
        lowest=min(scores.values(), default=None),
        weak=tuple(sorted(((w, s) for w, s in scores.items() if s < WEAK_BELOW), key=_by_score)),
        expectations=Editor(puzzle, allowed).expectations(fill.values()),
        own=tuple(
            (word, vocabulary.score(word) if word in vocabulary else None)
            for word in sorted(own.intersection(fill.values()))
        ),
    )


def _by_score(scored: tuple[str, int]) -> tuple[int, str]:
    return scored[1], scored[0]


Mark = tuple[str, str]
"""The name of a preference about pairs, and what two words should not have in common."""


class Editor:
    """What an editor objects to in the fills of a puzzle.

    ``allowed`` names preferences that are switched off.
    """

    def __init__(self, puzzle: Puzzle, allowed: Collection[str] = ()) -> None:
        self._vocabulary = puzzle.vocabulary
        self._own = puzzle.exempt_words
        self._known: dict[str, bool] = {}
        self._marks: dict[str, frozenset[Mark]] = {}
        self._kinds: dict[str, frozenset[str]] = {}
        active = [one for one in PREFERENCES if one.name not in allowed and not one.is_moot(puzzle)]
        self._pairs = [one for one in active if isinstance(one, Pairs)]
        self._limits = [one for one in active if isinstance(one, Limit)]
        self._limit = {one.name: one.limit(len(puzzle.grid.slots)) for one in self._limits}

    @classmethod
    def of(cls, puzzle: Puzzle, settings: RunSettings) -> Editor | None:
        """Return the editor whom the settings ask for, if any."""
        return cls(puzzle, settings.allow) if settings.quality == EDITED else None

    def _is_word(self, word: str) -> bool:
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = word in self._vocabulary
        return known

    def marks(self, word: str) -> frozenset[Mark]:
        """Return what no two words should have in common."""
        marks = self._marks.get(word)
        if marks is None:
            found = ((one.name, one.marks(word, self._is_word)) for one in self._pairs)
            marks = self._marks[word] = frozenset((name, m) for name, every in found for m in every)
        return marks

    def kinds(self, word: str) -> frozenset[str]:
        """Return the names of the limits that count the word; none count the setter's own."""
        kinds = self._kinds.get(word)
        if kinds is None:
            found = (one.name for one in self._limits if one.has(word, self._is_word))
            kinds = self._kinds[word] = frozenset(() if word in self._own else found)
        return kinds

    def _counted(self, words: Iterable[str]) -> dict[str, int]:
        counts = dict.fromkeys(self._limit, 0)
        for word in words:
            for name in self.kinds(word):
                counts[name] += 1
        return counts

    def too_many(self, words: Iterable[str]) -> frozenset[str]:
        """Return the names of the limits that the words exceed."""
        counts = self._counted(words)
        return frozenset(name for name, count in counts.items() if count > self._limit[name])

    def pairs(self, words: Iterable[str]) -> dict[tuple[str, str], str]:
        """Return the pairs of words that are too much alike, with the preference's name."""
        having: defaultdict[Mark, list[str]] = defaultdict(list)
        for word in dict.fromkeys(words):
            for mark in self.marks(word):
                having[mark].append(word)
        found: dict[tuple[str, str], str] = {}
        for preference in self._pairs:
            for (name, _), marked in having.items():
                if name == preference.name:
                    for pair in combinations(sorted(marked), 2):
                        if not self._own.issuperset(pair):
                            found.setdefault(pair, name)
        return dict(sorted(found.items()))

    def expectations(self, words: Collection[str]) -> tuple[Expectation, ...]:
        """Return how far the words meet each preference."""
        pairs = self.pairs(words)
        return (
            *(
                Expectation(
                    one.name,
                    one.kind,
                    pairs=tuple(pair for pair, name in pairs.items() if name == one.name),
                )
                for one in self._pairs
            ),
            *(
                Expectation(
                    one.name,
                    one.kind,
                    words=tuple(sorted(word for word in words if one.name in self.kinds(word))),
                    limit=self._limit[one.name],
                )
                for one in self._limits
            ),
        )

    def cost(self, words: Sequence[str]) -> int:
        """Return the number of objections, weak words included; a pair weighs more than a word."""
        weak = sum(self._vocabulary.score(word) < WEAK_BELOW for word in words)
        return weak + self.breaks(words) + (_PAIR_WEIGHT - 1) * len(self.pairs(words))

    def breaks(self, words: Sequence[str]) -> int:
        """Return the number of pairs that are too much alike, and of words above a limit."""
        above = (max(0, n - self._limit[name]) for name, n in self._counted(words).items())
        return len(self.pairs(words)) + sum(above)

    def offenders(self, words: Sequence[str]) -> list[int]:
        """Return the slots with a word that is objected to: pairs before limits and weak words."""
        alike = {word for pair in self.pairs(words) for word in pair}
        if alike:
            return [slot for slot, word in enumerate(words) if word in alike]
        too_many = self.too_many(words)
        return [
            slot
            for slot, word in enumerate(words)
            if self._vocabulary.score(word) < WEAK_BELOW
            or not too_many.isdisjoint(self.kinds(word))
        ]


@dataclass(slots=True)
class _Polish:
    candidates: Candidates
    editor: Editor
    random: Random
    words: Words

    def region(self, start: int, size: int) -> set[int]:
        """Return connected slots, ``start`` among them."""
        links = self.candidates.network.links
        chosen, border = {start}, [link[3] for link in links[start]]
        while border and len(chosen) < size:
            slot = border.pop(self.random.randrange(len(border)))
            if slot not in chosen:
                chosen.add(slot)
                border += [link[3] for link in links[slot] if link[3] not in chosen]
        return chosen

    def state(self, start: int, free: set[int], *, strict: bool) -> State | None:
        """Return the candidates with all other words as they are, without objectionable ones.

        Unless ``strict``, slots other than ``start`` may have a word of a kind of which there are
        too many, if they have one now.
        """
        network, state = self.candidates.network, self.candidates.root.copy()
        fixed = [slot for slot in range(len(self.words)) if slot not in free]
        for slot in fixed:
            state.domains[slot] = network.lexicons[slot].bit_of(self.words[slot])
            state.sizes[slot] = 1
        if network.propagate(state, fixed) is not None:
            return None
        editor = self.editor
        standing = {mark for slot in fixed for mark in editor.marks(self.words[slot])}
        too_many = editor.too_many(self.words)
        for slot in free:
            unwanted = too_many
            if not strict and slot != start:
                unwanted -= editor.kinds(self.words[slot])
            if not 1 < state.sizes[slot] <= _MAX_LISTED:
                continue
            lexicon, domain = network.lexicons[slot], state.domains[slot]
            for bit in bits(domain):
                word = lexicon.word(bit)
                if (
                    (slot == start and word == self.words[slot])
                    or not unwanted.isdisjoint(editor.kinds(word))
                    or not standing.isdisjoint(editor.marks(word))
                ):
                    domain &= ~(1 << bit)
            if not domain:
                return None
            state.domains[slot], state.sizes[slot] = domain, domain.bit_count()
        return None if network.propagate(state, sorted(free)) is not None else state


def polish(
    candidates: Candidates, editor: Editor, words: Words, seed: int, deadline: Deadline
) -> Words:
    """Return a fill with fewer objections, or the same if none is found; effort is bounded."""
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
        strict = 2 * failures <= _MAX_FAILURES
        state = search.state(start, search.region(start, size), strict=strict)
        if state is None:
            continue
        again = Search(narrowed(candidates, state), seed=search.random.getrandbits(31))
        if again.run(deadline, _POLISH_NODES * (1 + size // 10)) is Status.FILLED:
            assert again.words is not None
            found = editor.cost(again.words)
            if found < cost:
                search.words, cost, failures = again.words, found, 0
    return search.words
