"""Estimate the share of all fills that have a word in a slot, by loopy belief propagation.

Slots are factors and crossed cells are variables (Pearl 1988). Each slot sends each of its cells a
message: how often its candidates have each letter there, where each candidate counts as much as the
messages from its other crossings allow. After some rounds, information has travelled far into the
grid. Since grids are full of loops, the numbers are wrong, but they separate words that many fills
use from other words well. The rule against repeated words is ignored. Estimates of numbers of
solutions have guided searches since Kask, Dechter and Gogate 2004 (counting-based look-ahead) and
Hsu, Kitching, Bacchus and McIlraith 2007 (expectation maximisation instead of belief propagation).

Narrowing a puzzle to the words that make up most of each slot's share leaves a smaller search where
fills are likely. It proves nothing: the whole puzzle may have a fill although the narrowed one has
none.

``satcross.answer.choosing.belief_propagation`` is another algorithm of this family: there, words
have costs, slots may be spelled by letters, unchecked cells count, and messages are updated slot by
slot; here they are updated all at once, as logarithms, over a million words, in compiled code
(``satcross.engine.marginals``). Without that, ``letter_counts`` stands in.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import replace
from math import exp
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from satcross import engine
from satcross.network.arc_consistency import Candidates, bits, compacted
from satcross.run_settings import NEVER, Deadline
from satcross.vocabulary import WordGroup

if TYPE_CHECKING:
    from satcross.engine.marginals import Messages
    from satcross.network.letter_counts import LetterCounts

ROUNDS = 15
MIN_CHANGE = 0.01
"""The rounds end when no probability changes by this much."""
MAX_WORDS = 1_000_000
"""Maximum number of candidates in all; beyond it, the largest slots are sampled.

Samples make the estimate worse: with 5,000 per slot one hard 15x15 grid was no longer filled."""


Wish: TypeAlias = "Callable[[WordGroup], array[float]]"
"""How much each word of a lexicon is wanted, as a logarithm."""

_NOISE = 0.1
"""Maximum noise, added to the logarithm of a word's share."""

LONG_WORD = 14
"""Words from this length on catch the eye when they come back with another seed. Keeping halves of
them, or those of 12 letters, made fills of 15x15 grids with 72 and 78 words take twice the time."""


class Marginals:
    """The estimate for the candidates that a search begins with.

    Sends at most ``rounds`` rounds of messages, and after the first none when the deadline has
    passed. ``like`` is an estimate for the same crossings with other words: from there, few rounds
    are needed. ``wish`` says how much the words of a lexicon are wanted: then fills count by the
    product of that.
    """

    def __init__(
        self,
        candidates: Candidates,
        deadline: Deadline = NEVER,
        *,
        rounds: int = ROUNDS,
        like: Marginals | None = None,
        wish: Wish | None = None,
    ) -> None:
        self.candidates = candidates
        self._wish: Wish | None = wish if like is None else wish or like._wish
        self._messages = _messages(candidates, self._wish)
        if like is not None:
            self._messages.begin_with(like._messages)  # type: ignore[arg-type]  # of one kind
        for number in range(rounds if candidates.root.letters else 0):
            if (number and deadline.passed) or self._messages.exchange() < MIN_CHANGE:
                break

    def log_fills(self) -> float:
        """Estimate the natural logarithm of the number of fills: the Bethe approximation.

        Source: Yedidia, Freeman and Weiss 2005. Grids have many loops, so that the number itself is
        rough; far below zero, there is hardly ever a fill.
        """
        return self._messages.log_fills()

    def order(self, slot: int, noise: float = 0.0, seed: int = 0) -> array[int]:
        """Return the indices of a slot's candidates, the word with the largest share first.

        With ``noise``, a random number up to this is added to the logarithm of each share. They
        are 32-bit numbers, because all slots together may have tens of millions of candidates.
        """
        return array("i", self._messages.order(slot, noise, seed))

    def likeliest_word(self, slot: int) -> str:
        """Return the candidate of a slot with the largest share."""
        return self.candidates.network.lexicons[slot].word(self.order(slot)[0])

    def likeliest_letters(self) -> list[str]:
        """Return the likeliest letter of each crossing."""
        return self._messages.letters()

    def shares(self, slot: int) -> dict[str, float]:
        """Return the estimated share of each candidate of a slot; the shares sum to 1."""
        indices, values = self._messages.values(slot)
        top = max(values)
        shares = [exp(value - top) for value in values]
        words = self.candidates.network.lexicons[slot].words
        return {
            words[index]: share / sum(shares) for index, share in zip(indices, shares, strict=True)
        }

    def corrections(self) -> bytes:
        """Return what guides a search: doubles, of 64 letters for each link of each slot.

        That is, up to a constant, the logarithm of the probability of a letter given the rest of
        the grid, less the logarithm of the share of the crossing slot's candidates that have the
        letter.
        """
        return self._messages.corrections()

    def narrowed(self, left_out: float, variety: Random | None = None) -> Candidates | None:
        """Return the puzzle with the fewest words per slot that make up all but ``left_out``.

        ``left_out`` is a proportion of each slot's share. With ``variety``, slots of long words
        keep a random three quarters, so that another seed gives other ones. Theme words and
        preferred words are never left out. Returns None if arc consistency finds that this leaves
        no fill, or if it changes nothing. By ``wish``, the words wanted most become preferred ones.
        """
        network = self.candidates.network
        state = self.candidates.root.copy()
        keep = list(network.preferred)
        for places in network.theme:
            for slot, bit in places:
                keep[slot] |= bit
        changed = []
        for slot, chosen in enumerate(self._messages.narrowed(1 - left_out)):
            domain = state.domains[slot]
            if variety is not None and network.lexicons[slot].length >= LONG_WORD:
                size = domain.bit_length()
                chosen &= variety.getrandbits(size) | variety.getrandbits(size)
            kept = domain & (chosen | keep[slot]) or domain  # a locked slot keeps its only word
            if kept != domain:
                changed.append(slot)
                state.domains[slot] = kept
                state.sizes[slot] = kept.bit_count()
        if not changed or network.propagate(state, changed) is not None:
            return None
        narrowed = Candidates(network, state)
        if network.word_rules.clashes:
            # Clashing words are cached per lexicon: lexicons of single slots make the rules slow.
            return narrowed
        narrowed = compacted(narrowed)
        if self._wish is None or any(network.preferred):
            return narrowed
        best = tuple(map(self._most_wanted, narrowed.network.lexicons))
        return replace(narrowed, network=replace(narrowed.network, preferred=best))

    def _most_wanted(self, lexicon: WordGroup) -> int:
        assert self._wish is not None
        wishes = self._wish(lexicon)
        highest = max(wishes)
        return int("".join(["1" if value == highest else "0" for value in wishes])[::-1], 2)


class Ranking:
    """The candidates of one slot in batches, those with the largest share of all fills first.

    A little noise varies the order of words with nearly equal shares.

    The first batch has all required theme words, even beyond its size, since a solver can tell
    whether there are enough of them only if it knows all. Preferred words come next.
    """

    def __init__(self, marginals: Marginals, slot: int, random: Random) -> None:
        candidates = marginals.candidates
        network, domain = candidates.network, candidates.root.domains[slot]
        theme = 0
        if network.word_rules.min_theme_words:
            for places in network.theme:
                theme |= sum(bit for at, bit in places if at == slot) & domain
        first = list(bits(theme))
        first += bits(network.preferred[slot] & domain & ~theme)
        order = marginals.order(slot, _NOISE, random.getrandbits(32))
        if first:
            placed = frozenset(first)
            order = array("i", [*first, *(index for index in order if index not in placed)])
        self._order = order
        self._words = network.lexicons[slot].words
        self._taken = 0
        self._least = theme.bit_count()

    def __bool__(self) -> bool:
        """Whether words are left."""
        return self._taken < len(self._order)

    def take(self, number: int) -> list[str]:
        """Return the next ``number`` words; in the first batch, at least all theme words."""
        start = self._taken
        self._taken = min(len(self._order), max(start + number, self._least))
        return [self._words[index] for index in self._order[start : self._taken]]


def _messages(candidates: Candidates, wish: Wish | None) -> Messages | LetterCounts:
    """Return messages that are all alike."""
    if engine.available():
        from satcross.engine.marginals import Messages
        from satcross.network.compiled import compiled

        root, puzzle = candidates.root, compiled(candidates.network, None)
        if puzzle is not None:
            allotment = _allotment(root.sizes)
            lexicons = dict.fromkeys(candidates.network.lexicons)
            wishes = None if wish is None else array("d", b"".join(map(wish, lexicons)))
            return Messages(puzzle, root.domains, root.sizes, allotment, wishes)
    from satcross.network.letter_counts import LetterCounts

    return LetterCounts(candidates)


def _allotment(sizes: list[int]) -> int:
    """Return the maximum number of words per slot that keeps the total within ``MAX_WORDS``."""
    left = MAX_WORDS
    for place, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - place)
        if size > share:
            return max(1, share)
        left -= size
    return max(sizes, default=1)
