"""Remove what an editor would object to in a fill, by filling small regions anew."""

from __future__ import annotations

from random import Random

from satcross.backends.search.search import Search
from satcross.network.arc_consistency import Candidates
from satcross.network.part import Part
from satcross.outcome import Status
from satcross.run_settings import Deadline
from satcross.solving.quality import Editor, Words
from satcross.vocabulary import WordGroup

_ROUNDS = 120
_MAX_FAILURES = 40
_NODES = 150
_MIN_REGION, _MAX_REGION = 5, 40


def polish(
    candidates: Candidates, editor: Editor, words: Words, seed: int, deadline: Deadline
) -> Words:
    """Return a fill with fewer objections, or the same if none is found; effort is bounded."""
    search, fixed = _Polish(candidates, editor, words, seed), candidates.network.puzzle.fixed_words
    cost, failures = editor.cost(words), 0
    offenders = editor.offenders(words)
    for _ in range(_ROUNDS):
        starts = [slot for slot in offenders if slot not in fixed and search.may_change(slot)]
        if not starts or failures >= _MAX_FAILURES or deadline.passed:
            break
        failures += 1
        start = search.random.choice(starts)
        size = _MIN_REGION + failures * (_MAX_REGION - _MIN_REGION) // _MAX_FAILURES
        again = search.attempt(start, size, 2 * failures <= _MAX_FAILURES, deadline)
        if again is not None and (found := editor.cost(again)) < cost:
            search.keep(again)
            cost, failures, offenders = found, 0, editor.offenders(again)
    return search.words


class _Polish:
    """A fill, the words that it takes from each list, and ways to another one."""

    def __init__(self, candidates: Candidates, editor: Editor, words: Words, seed: int) -> None:
        self._candidates, self._editor = candidates, editor
        self.random, self.words = Random(seed), words
        self._taken = dict.fromkeys(candidates.network.lexicons, 0)
        for lexicon in self._taken:
            for word in words:
                if len(word) == lexicon.length:
                    self._taken[lexicon] |= lexicon.bit_of(word)
        rules = candidates.network.word_rules
        self._theme = rules.theme if rules.min_theme_words else frozenset[str]()

    def keep(self, words: Words) -> None:
        """Go on from another fill."""
        changed = [slot for slot, word in enumerate(words) if word != self.words[slot]]
        for fill in (self.words, words):
            for slot in changed:
                for lexicon in self._lexicons_of(len(fill[slot])):
                    self._taken[lexicon] ^= lexicon.bit_of(fill[slot])
        self.words = words

    def _lexicons_of(self, length: int) -> list[WordGroup]:
        return [lexicon for lexicon in self._taken if lexicon.length == length]

    def may_change(self, slot: int) -> bool:
        """Whether the slot's word is none of the theme words that have to stand in the grid."""
        return self.words[slot] not in self._theme

    def attempt(self, start: int, size: int, strict: bool, deadline: Deadline) -> Words | None:
        """Fill a region around a slot without what the editor objects to there.

        Unless ``strict``, slots other than ``start`` may have a word of a kind of which there are
        too many, if they have one now.
        """
        slots = sorted(self._region(start, size))
        part = Part(self._candidates, self.words, self._taken, slots)
        editor, free = self._editor, frozenset(slots)
        standing = {
            mark
            for slot, word in enumerate(self.words)
            if slot not in free
            for mark in editor.marks(word)
        }
        too_many = editor.too_many(self.words)

        def allows(slot: int, word: str) -> bool:
            unwanted = too_many
            if not strict and slot != start:
                unwanted -= editor.kinds(self.words[slot])
            return (
                (slot != start or word != self.words[slot])
                and unwanted.isdisjoint(editor.kinds(word))
                and standing.isdisjoint(editor.marks(word))
            )

        candidates = part.candidates(allows)
        if candidates is None:
            return None
        search = Search(candidates, seed=self.random.getrandbits(31))
        if search.run(deadline, _NODES * (1 + size // 10)) is not Status.FILLED:
            return None
        assert search.words is not None
        again = list(self.words)
        for slot, word in zip(slots, search.words, strict=True):
            again[slot] = word
        return tuple(again)

    def _region(self, start: int, size: int) -> set[int]:
        """Return connected slots, ``start`` among them, without the theme words' ones."""
        links = self._candidates.network.links
        chosen, border = {start}, [link[3] for link in links[start]]
        while border and len(chosen) < size:
            slot = border.pop(self.random.randrange(len(border)))
            if slot not in chosen and self.may_change(slot):
                chosen.add(slot)
                border += [link[3] for link in links[slot] if link[3] not in chosen]
        return chosen
