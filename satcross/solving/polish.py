"""Remove what an editor would object to in a fill, by filling small regions anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from operator import or_
from random import Random

from satcross.backends.search.search import Search
from satcross.network.arc_consistency import Candidates, State, bits
from satcross.outcome import Status
from satcross.run_settings import Deadline
from satcross.solving.quality import Editor, Words
from satcross.vocabulary import WordGroup

_ROUNDS = 200
_MAX_FAILURES = 60
_NODES = 150
_MIN_REGION, _MAX_REGION = 5, 40
_REFUSALS = 6
"""Fills of a region that are looked at, each without the words that were refused before: few words
have what others have, so that looking at all of them would take most of the time."""


def polish(
    candidates: Candidates, editor: Editor, words: Words, seed: int, deadline: Deadline
) -> Words:
    """Return a fill with fewer objections, or the same if none is found; effort is bounded."""
    return Polish(candidates, editor, words, seed).run(deadline)


def raise_scores(
    candidates: Candidates, editor: Editor, words: Words, seed: int, deadline: Deadline
) -> Words:
    """Return a fill that costs less by its scores, if one is found; effort is bounded.

    It comes after ``polish``: the fill breaks no preference more often.
    """
    return _Raise(candidates, editor, words, seed).run(deadline)


class Polish:
    """A fill, as candidates of which each slot has one, and ways to another fill."""

    def __init__(self, candidates: Candidates, editor: Editor, words: Words, seed: int) -> None:
        self._network, self._root = candidates.network, candidates.root
        self._editor, self._random = editor, Random(seed)
        rules = self._network.word_rules
        self._theme = rules.theme if rules.min_theme_words else frozenset[str]()
        self._known: dict[tuple[WordGroup, str], tuple[int, int]] = {}
        """For a list and a kind, the words that were looked at, and those that are of the kind."""
        self.words: Words = ()
        self._keep(words)

    def run(self, deadline: Deadline) -> Words:
        """Fill regions around slots with an objection anew, as long as the fill costs less."""
        fixed, failures = self._network.puzzle.fixed_words, 0
        cost, objections = self._editor.cost(self.words), self._objections()
        for _ in range(_ROUNDS):
            starts = [slot for slot in objections if slot not in fixed and self._may_change(slot)]
            if not starts or failures >= _MAX_FAILURES or deadline.passed:
                break
            failures += 1
            start = self._random.choice(starts)
            size = _MIN_REGION + failures * (_MAX_REGION - _MIN_REGION) // _MAX_FAILURES
            again = self._attempt(start, size, 2 * failures <= _MAX_FAILURES, deadline)
            if again is None or not self._may_keep(again):
                continue
            if (found := self._editor.cost(again)) < cost:
                self._keep(again)
                cost, failures, objections = found, 0, self._objections()
        return self.words

    def _objections(self) -> list[int]:
        """Return the slots to begin with, some of them several times."""
        return self._editor.offenders(self.words)

    def _kinds_to_avoid(self) -> frozenset[str]:
        """Return the kinds of words that a region should not get."""
        return self._editor.too_many(self.words)

    def _may_keep(self, again: Words) -> bool:
        """Whether another fill may follow, if it costs less."""
        return True

    def _worth_trying(self, slot: int, start: int, strict: bool) -> int:
        """Return the words that a slot of a region may have."""
        return ~self._kept[start] if slot == start else -1

    def _keep(self, words: Words) -> None:
        """Go on from another fill."""
        lexicons = self._network.lexicons
        self.words = words
        self._too_many = self._kinds_to_avoid()
        self._kept = [lexicon.bit_of(word) for lexicon, word in zip(lexicons, words, strict=True)]
        self._letters = [[""]] * len(self._root.letters)
        for word, links in zip(words, self._network.links, strict=True):
            for crossing, position, *_ in links:
                self._letters[crossing] = [word[position]]

    def _may_change(self, slot: int) -> bool:
        """Whether the slot's word is none of the theme words that have to stand in the grid."""
        return self.words[slot] not in self._theme

    def _attempt(self, start: int, size: int, strict: bool, deadline: Deadline) -> Words | None:
        """Fill a region around a slot without what the editor objects to there.

        Unless ``strict``, slots other than ``start`` may have a word of a kind of which there are
        too many, if they have one now.
        """
        slots = sorted(self._region(start, size))
        editor, region = self._editor, frozenset(slots)
        state = self._opened(slots)
        for slot in slots:
            state.domains[slot] &= self._worth_trying(slot, start, strict)
        if self._align(state, slots):
            return None
        too_many = self._too_many
        unwanted = {
            slot: too_many if strict or slot == start else too_many - editor.kinds(self.words[slot])
            for slot in slots
        }
        for slot in slots if too_many else ():
            state.domains[slot] &= ~self._of_kinds(slot, state.domains[slot], unwanted[slot])
        seed = self._random.getrandbits(31)
        for number in range(_REFUSALS):
            if (number or too_many) and self._align(state, slots):
                return None
            search = Search(Candidates(self._network, state), seed=seed)
            if search.run(deadline, _NODES * (1 + size // 10)) is not Status.FILLED:
                return None
            assert search.words is not None
            standing = [word for slot, word in enumerate(self.words) if slot not in region]
            marks = {mark for word in standing for mark in editor.marks(word)}
            refused = [
                slot
                for slot in slots
                if not unwanted[slot].isdisjoint(editor.kinds(search.words[slot]))
                or not marks.isdisjoint(editor.marks(search.words[slot]))
            ]
            if not refused:
                return search.words
            for slot in refused:
                state.domains[slot] &= ~self._network.lexicons[slot].bit_of(search.words[slot])
        return None

    def _align(self, state: State, slots: list[int]) -> Sequence[int]:
        """Make the candidates of opened slots arc consistent; return slots that have none left."""
        for slot in slots:
            state.sizes[slot] = state.domains[slot].bit_count()
        empty = [slot for slot in slots if not state.sizes[slot]]
        return empty or self._network.propagate(state, slots) or ()

    def _opened(self, slots: list[int]) -> State:
        """Return the candidates when these slots may have any words that fit the others."""
        network, root = self._network, self._root
        state = State(self._kept[:], [1] * len(self._kept), self._letters[:])
        region = frozenset(slots)
        for slot in slots:
            domain, word = root.domains[slot], self.words[slot]
            for crossing, position, masks, other, _ in network.links[slot]:
                if other in region:
                    state.letters[crossing] = root.letters[crossing]
                else:
                    domain &= masks[word[position]]
            state.domains[slot] = domain
        for slot in slots:
            lexicon = network.lexicons[slot]
            for other in network.peers[slot]:
                if other not in region:
                    same = network.lexicons[other] is lexicon
                    bit = self._kept[other] if same else lexicon.bit_of(self.words[other])
                    state.domains[slot] &= ~bit
            if network.word_rules.clashes:
                for other, word in enumerate(self.words):
                    if other not in region:
                        state.domains[slot] &= ~network.word_rules.clashing(word, lexicon)
        return state

    def _of_kinds(self, slot: int, domain: int, kinds: frozenset[str]) -> int:
        """Return the words of these kinds, but for kinds of which any word may be."""
        lexicon, found = self._network.lexicons[slot], 0
        for ending, counts in self._editor.endings(kinds):
            known, having = self._known.get((lexicon, ending), (0, 0))
            masks = lexicon.masks(lexicon.length - 1)
            for index in bits(domain & masks.get(ending, 0) & ~known):
                if counts(lexicon.word(index)):
                    having |= 1 << index
            self._known[lexicon, ending] = known | domain, having
            found |= having
        for kind, words in self._editor.none_of(kinds).items():
            if (lexicon, kind) not in self._known:
                listed = (lexicon.bit_of(word) for word in words if len(word) == lexicon.length)
                self._known[lexicon, kind] = 0, reduce(or_, listed, 0)
            found |= self._known[lexicon, kind][1]
        return found

    def _region(self, start: int, size: int) -> set[int]:
        """Return connected slots, ``start`` among them, without the theme words' ones.

        Slots that cross many of the region come first: a slot whose crossing words stay hardly has
        another word. Without this order, a third of 40 fills kept too many plurals.
        """
        links, random = self._network.links, self._random.random
        chosen = {start}
        crossed = Counter(link[3] for link in links[start])
        while crossed and len(chosen) < size:
            slot = max(crossed, key=lambda near: crossed[near] / len(links[near]) * random())
            del crossed[slot]
            if self._may_change(slot):
                chosen.add(slot)
                crossed.update(link[3] for link in links[slot] if link[3] not in chosen)
        return chosen


class _Raise(Polish):
    """A fill whose words of low scores are replaced, without breaking more preferences."""

    def _objections(self) -> list[int]:
        return self._editor.low(self.words)

    def _kinds_to_avoid(self) -> frozenset[str]:
        return self._editor.full(self.words)

    def _may_keep(self, again: Words) -> bool:
        return self._editor.breaks(again) <= self._editor.breaks(self.words)

    def _worth_trying(self, slot: int, start: int, strict: bool) -> int:
        """Return better words for ``start``, and if ``strict`` no worse ones for other slots."""
        if slot != start and not strict:
            return -1
        score = self._editor.cheaper(self.words[slot], strictly=slot == start)
        better = self._network.lexicons[slot].at_least(score)
        return better if slot == start else better | self._kept[slot]
