"""Make a fill better, by filling small regions of it anew."""

from __future__ import annotations

from collections import Counter
from random import Random

from satcross.backends.search.neighbourhood import connected_slots
from satcross.backends.search.search import Search
from satcross.network.arc_consistency import Candidates
from satcross.outcome import Status
from satcross.run_settings import Deadline
from satcross.solving.quality import Editor, Words

_ROUNDS = 300
_MAX_FAILURES = 60
_NODES = 150
_MIN_REGION, _MAX_REGION = 5, 60
_REFUSALS = 6
"""Fills of a region that are looked at, each without the words that were refused before: few words
have what others have, so that looking at all of them would take most of the time."""


class Polish:
    """A fill, as candidates of which each slot has one, and ways to another fill.

    ``run`` returns one that costs less, or the same if none is found; its effort is bounded.
    """

    def __init__(self, candidates: Candidates, editor: Editor, words: Words, seed: int) -> None:
        self._network, self._root = candidates.network, candidates.root
        self._editor, self._random = editor, Random(seed)
        self._search = Search(candidates, seed=seed)
        rules = self._network.word_rules
        self._theme = rules.theme if rules.min_theme_words else frozenset[str]()
        self._near = [[link[3] for link in links] for links in self._network.links]
        self.words, self._kept = ("",) * len(words), [0] * len(words)
        self._keep(words)

    def run(self, deadline: Deadline) -> Words:
        """Fill regions around words that cost something anew, as long as the fill costs less."""
        fixed, failures, editor = self._network.puzzle.fixed_words, 0, self._editor
        cost, objections = editor.cost(self.words), editor.offenders(self.words)
        for _ in range(_ROUNDS):
            starts = [slot for slot in objections if slot not in fixed and self._appeal[slot]]
            if not starts or failures >= _MAX_FAILURES or deadline.passed:
                break
            failures += 1
            (start,) = self._random.choices(starts, [objections[slot] for slot in starts])
            size = _MIN_REGION + failures * (_MAX_REGION - _MIN_REGION) // _MAX_FAILURES
            again = self._attempt(start, size, deadline)
            if again is not None and (found := editor.cost(again)) < cost:
                self._keep(again)
                cost, failures, objections = found, 0, editor.offenders(again)
        return self.words

    def _keep(self, words: Words) -> None:
        """Go on from another fill."""
        lexicons = self._network.lexicons
        self._kept = [
            bit if word == old else lexicon.bit_of(word)
            for lexicon, word, old, bit in zip(lexicons, words, self.words, self._kept, strict=True)
        ]
        self.words = words
        self._full = self._editor.full(words)
        self._choices: dict[tuple[int, bool], int] = {}
        self._appeal = [
            (word not in self._theme) / (1 + len(near))
            for word, near in zip(words, self._near, strict=True)
        ]
        self._marks = Counter(mark for word in words for mark in self._editor.marks(word))

    def _attempt(self, start: int, size: int, deadline: Deadline) -> Words | None:
        """Fill a region around a slot without words that are like others of the fill."""
        region = connected_slots(start, size, self._near, self._appeal, self._random)
        editor, words = self._editor, self.words
        domains = self._opened(start, region)
        for _ in range(_REFUSALS):
            if self._search.again(domains, region):
                return None
            if self._search.run(deadline, _NODES * (1 + size // 10)) is not Status.FILLED:
                return None
            again = self._search.words
            assert again is not None
            inside = Counter(mark for slot in region for mark in editor.marks(words[slot]))
            refused = [
                slot
                for slot in region
                if any(self._marks[mark] > inside[mark] for mark in editor.marks(again[slot]))
            ]
            if not refused:
                return again
            for slot in refused:
                domains[slot] &= ~self._network.lexicons[slot].bit_of(again[slot])
        return None

    def _opened(self, start: int, region: set[int]) -> list[int]:
        """Return the words that slots of a region may have, and those of the others.

        In half of the regions, no word may cost more than the one it replaces.
        """
        domains, strict = self._kept[:], self._random.random() < 0.5
        for slot in region:
            domains[slot] = self._choice(slot, strict)
        domains[start] &= ~self._kept[start]
        return domains

    def _choice(self, slot: int, strict: bool) -> int:
        found = self._choices.get((slot, strict))
        if found is None:
            editor, lexicon = self._editor, self._network.lexicons[slot]
            full = self._full if strict else self._full - editor.kinds(self.words[slot])
            found = self._root.domains[slot] & ~editor.of_kinds(full, lexicon)
            if strict:
                found &= lexicon.at_least(editor.cheaper(self.words[slot]))
            found = self._choices[slot, strict] = found | self._kept[slot]
        return found
