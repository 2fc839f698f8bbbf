"""Some slots of a puzzle, as a network of their own, while all other slots keep their words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace

from satcross.network.arc_consistency import Candidates, Link, State, bits
from satcross.vocabulary import WordGroup

MAX_LISTED = 3000
"""Candidates of a slot up to which they are looked at one by one."""


class Part:
    """The candidates of some slots beside the words of the others.

    ``words`` is a fill of the whole puzzle. ``taken`` has, for each lexicon, the bitset of the
    fill's words. Theme words must not be among those of ``slots`` if the puzzle needs some.
    """

    def __init__(
        self,
        candidates: Candidates,
        words: Sequence[str],
        taken: Mapping[WordGroup, int],
        slots: Sequence[int],
    ) -> None:
        self._network, self._root, self._words = candidates.network, candidates.root, words
        self._taken, self.slots = taken, slots
        self._number_of = {slot: number for number, slot in enumerate(slots)}

    def candidates(self, allows: Callable[[int, str], bool]) -> Candidates | None:
        """Return the words that fit and are allowed for their slots; None if a slot has none.

        A candidate's slot is its place in ``slots``. Where a slot has more than ``MAX_LISTED``
        words, or one, they are not looked at.
        """
        lexicons = [self._network.lexicons[slot].part(self._domain(slot)) for slot in self.slots]
        found = self._consistent(lexicons)
        if found is None:
            return None
        domains = []
        for slot, lexicon, domain in zip(self.slots, lexicons, found.root.domains, strict=True):
            if 1 < domain.bit_count() <= MAX_LISTED:
                for index in bits(domain):
                    if not allows(slot, lexicon.words[index]):
                        domain ^= 1 << index
            domains.append(domain)
        return self._consistent(
            [lexicon.part(domain) for lexicon, domain in zip(lexicons, domains, strict=True)]
        )

    def _domain(self, slot: int) -> int:
        """Return the words that have the letters of the slots which keep theirs."""
        network, word = self._network, self._words[slot]
        lexicon, domain = network.lexicons[slot], self._root.domains[slot]
        for _, position, masks, other, _ in network.links[slot]:
            if other not in self._number_of:
                domain &= masks[word[position]]
        if not network.word_rules.repeats:
            free = 0
            for other in self.slots:
                if network.lexicons[other].length == lexicon.length:
                    free |= lexicon.bit_of(self._words[other])
            domain &= ~(self._taken[lexicon] & ~free)
        if network.word_rules.clashes:
            for other, kept in enumerate(self._words):
                if other not in self._number_of:
                    domain &= ~network.word_rules.clashing(kept, lexicon)
        return domain

    def _consistent(self, lexicons: list[WordGroup]) -> Candidates | None:
        """Return arc consistent candidates of these words."""
        whole, number_of = self._network, self._number_of
        links: list[list[Link]] = [[] for _ in self.slots]
        letters: list[list[str]] = []
        crossings: dict[int, tuple[int, int]] = {}
        for number, slot in enumerate(self.slots):
            for crossing, position, _, other, _ in whole.links[slot]:
                if other not in number_of:
                    continue
                if crossing not in crossings:
                    crossings[crossing] = number, position
                    continue
                first, its = crossings[crossing]
                both = lexicons[first].masks(its), lexicons[number].masks(position)
                either = sorted({*both[0], *both[1]})
                mine, theirs = ({item: masks.get(item, 0) for item in either} for masks in both)
                links[first].append((len(letters), its, mine, number, theirs))
                links[number].append((len(letters), position, theirs, first, mine))
                letters.append(either)
        rules = copy(whole.word_rules)
        rules.min_theme_words = 0
        peers = [
            tuple(
                other
                for other, same in enumerate(lexicons)
                if other != number and same.length == lexicon.length and not rules.repeats
            )
            for number, lexicon in enumerate(lexicons)
        ]
        network = replace(
            whole,
            lexicons=tuple(lexicons),
            links=tuple(map(tuple, links)),
            peers=tuple(peers),
            word_rules=rules,
            theme=(),
            preferred=(0,) * len(lexicons),
            shared_lexicons=False,
        )
        domains = [lexicon.everything for lexicon in lexicons]
        state = State(domains, [len(lexicon) for lexicon in lexicons], letters)
        if not all(domains) or network.propagate(state, range(len(domains))) is not None:
            return None
        return Candidates(network, state)
