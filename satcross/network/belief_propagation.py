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
slot; here they are updated all at once, as logarithms, over a million words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from satcross import engine
from satcross.network.arc_consistency import Candidates, compacted
from satcross.vocabulary import WordGroup

if TYPE_CHECKING:
    from satcross.engine.marginals import Part

Floats = NDArray[np.float64]

_ROUNDS = 15
_DAMPING = 0.5
"""Share of the old message in a new one (damping), without which messages may oscillate."""
MIN_CHANGE = 0.01
"""The rounds end when no probability changes by this much."""
_TINY = 1e-300
_FLOOR = 1e-12
"""Minimum probability of a letter, as a message does not prove that a letter is impossible."""
_MAX_PAIRED_LETTERS = 64
_CANDIDATES_PER_PAIR = 0.5
"""Mean number of candidates of a slot for each pair of letters of the alphabet, at least."""
_MAX_COMPILED_CODES = 1 << 16
_MAX_KNOWN = 3_000_000
"""With more candidates than this, 48 MB, their values are not kept but computed again."""
MAX_WORDS = 1_000_000
"""Maximum number of candidates in all; beyond it, the largest slots are sampled.

Samples make the estimate worse: with 5,000 per slot one hard 15x15 grid was no longer filled."""


class _Part:
    """The candidates of a slot, and their sums over messages.

    ``codes`` (candidates x columns): what a candidate has at one or two crossings, as a number.
    ``heard`` and ``told`` (columns x number of codes): a number for each code in a column; these
    arrays are shared with the caller. ``weigh`` overwrites what it returned before, and ``tell``
    takes it from there.
    """

    def __init__(self, codes: NDArray[Any], heard: Floats, told: Floats) -> None:
        self._heard, self._told, self._weights = heard, told, np.zeros(len(codes))
        self._compiled: Part | None = None
        if engine.available() and codes.size and heard.shape[1] <= _MAX_COMPILED_CODES:
            from satcross.engine.marginals import Part

            codes = np.ascontiguousarray(codes, dtype=np.uint16)
            self._compiled = Part(codes, codes.shape[1], heard, told, self._weights)
        else:
            self._columns = np.ascontiguousarray(codes.T, dtype=np.intp)

    def weigh(self) -> Floats:
        """Return, for each candidate, the sum of what was heard of its codes."""
        if self._compiled is not None:
            self._compiled.weigh()
        else:
            self._weights[:] = 0.0
            for codes, heard in zip(self._columns, self._heard, strict=True):
                self._weights += heard.take(codes)
        return self._weights

    def tell(self) -> None:
        """Set ``told``: for each code in each column, the sum of the weights of its candidates."""
        if self._compiled is not None:
            self._compiled.tell()
        else:
            for codes, told in zip(self._columns, self._told, strict=True):
                told[:] = np.bincount(codes, self._weights, len(told))


class Marginals:
    """The estimate for the candidates that a search begins with.

    Sends at most ``rounds`` rounds of messages, and calls ``may_go_on`` before each but the first.
    Calls ``pause`` before each slot's messages; it may raise an exception to end the estimate.
    """

    def __init__(
        self,
        candidates: Candidates,
        *,
        rounds: int = _ROUNDS,
        may_go_on: Callable[[], bool] = lambda: True,
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        self.candidates = candidates
        self._known: dict[int, tuple[NDArray[np.intp], Floats]] = {}
        self._alphabet = sorted({letter for here in candidates.root.letters for letter in here})
        self._codes = letter_codes(candidates.network.lexicons, self._alphabet)
        links = candidates.network.links
        # Two crossings share a column, since two sums of two letters take as long as one of four.
        # In slots with an odd number of them, a row of zeros stands for the last one's partner.
        self._together = 2 if self._pays_to_pair() else 1
        ends = accumulate(len(crossed) + len(crossed) % self._together for crossed in links)
        starts = [0, *ends]
        self._rows = [
            slice(start, start + len(crossed))
            for start, crossed in zip(starts, links, strict=False)
        ]
        rows = {
            (slot, link[0]): row
            for slot, (own, crossed) in enumerate(zip(self._rows, links, strict=True))
            for row, link in enumerate(crossed, own.start)
        }
        self._others = {
            row: rows[link[3], link[0]]
            for own, crossed in zip(self._rows, links, strict=True)
            for row, link in enumerate(crossed, own.start)
        }
        self._positions = [[link[1] for link in crossed] for crossed in links]
        # Log-probabilities, up to a constant per row: the messages of the crossing slots.
        self._messages = np.zeros((starts[-1], len(self._alphabet)))
        columns = len(self._messages) // self._together
        self._heard = np.zeros((columns, len(self._alphabet) ** self._together))
        self._told = np.zeros_like(self._heard)
        if rows:
            self._exchange(rounds, may_go_on, pause)

    def _pays_to_pair(self) -> bool:
        """Whether there are enough candidates for tables of pairs of letters."""
        letters, sizes = len(self._alphabet), self.candidates.root.sizes
        enough = _CANDIDATES_PER_PAIR * letters**2 * len(sizes)
        return letters <= _MAX_PAIRED_LETTERS and sum(sizes) >= enough

    def _exchange(
        self, rounds: int, may_go_on: Callable[[], bool], pause: Callable[[], None]
    ) -> None:
        self._most = _allotment(self.candidates.root.sizes)
        parts = []
        for slot, positions in enumerate(self._positions):
            if positions:
                pause()
                parts.append(self._sampled_part(slot))
        own, others = (np.array(list(item)) for item in (self._others, self._others.values()))
        for number in range(rounds):
            if number and not may_go_on():
                return
            for part in parts:
                pause()
                weights = part.weigh()
                weights -= weights.max()
                np.exp(weights, out=weights)
                part.tell()
            # The message of this crossing is the same for all words with the same letter there.
            told = np.log(self._told_of_letters()[own] + _TINY) - self._messages[own]
            told = np.exp(told - told.max(axis=1)[:, None])
            shares = told / told.sum(axis=1)[:, None]
            new = np.zeros_like(self._messages)
            new[others] = np.log(shares + _FLOOR)
            if number:
                new = _DAMPING * self._messages + (1 - _DAMPING) * new
            change = float(np.abs(np.exp(new) - np.exp(self._messages)).max(initial=0.0))
            self._messages = new
            self._hear()
            if change < MIN_CHANGE:
                return

    def _hear(self) -> None:
        """Make the table of what each code of a column is worth from the messages."""
        if self._together == 1:
            self._heard[:] = self._messages
            return
        letters = len(self._alphabet)
        pairs = self._messages.reshape(-1, 2, letters)
        table = self._heard.reshape(-1, letters, letters)
        np.add(pairs[:, 0, :, None], pairs[:, 1, None, :], out=table)

    def _told_of_letters(self) -> Floats:
        """Return (rows x letters) what was told of each letter, from what was told of codes."""
        if self._together == 1:
            return self._told
        letters = len(self._alphabet)
        table = self._told.reshape(-1, letters, letters)
        return np.stack((table.sum(axis=2), table.sum(axis=1)), axis=1).reshape(-1, letters)

    def _sampled_part(self, slot: int) -> _Part:
        indices = self._indices(slot)
        if len(indices) > self._most:
            indices = np.random.default_rng(0).choice(indices, self._most, replace=False)
        return self._part(slot, indices)

    def _part(self, slot: int, indices: NDArray[np.intp]) -> _Part:
        letters, positions = self._codes[slot], self._positions[slot]
        if len(indices) < len(letters):
            letters = letters.take(indices, axis=0)
        codes = letters.take(positions[:: self._together], axis=1).astype(np.uint32)
        if self._together == 2:
            codes *= len(self._alphabet)
            codes[:, : len(positions) // 2] += letters.take(positions[1::2], axis=1)
        own, together = self._rows[slot], self._together
        columns = slice(own.start // together, own.start // together + codes.shape[1])
        heard, told = self._heard[columns], self._told[columns]
        return _Part(codes, heard, told)

    def _indices(self, slot: int) -> NDArray[np.intp]:
        """Return the indices of a slot's candidates in its lexicon."""
        words = len(self._codes[slot])
        return np.flatnonzero(_flags(self.candidates.root.domains[slot], words))

    def _values(self, slot: int) -> tuple[NDArray[np.intp], Floats]:
        """Return a slot's candidates and the logarithms of their shares, up to a constant."""
        if slot not in self._known:
            indices = self._indices(slot)
            values = indices, self._part(slot, indices).weigh()
            if sum(self.candidates.root.sizes) > _MAX_KNOWN:
                return values
            self._known[slot] = values
        return self._known[slot]

    def log_fills(self) -> float:
        """Estimate the natural logarithm of the number of fills: the Bethe approximation.

        Source: Yedidia, Freeman and Weiss 2005. Grids have many loops, so that the number itself is
        rough; far below zero, there is hardly ever a fill.
        """
        total = 0.0
        for slot, own in enumerate(self._rows):
            _, values = self._values(slot)
            top = float(values.max(initial=0.0))
            total += top + float(np.log(np.exp(values - top).sum() + _TINY))
            for row in range(own.start, own.stop):
                other = self._others[row]
                if row < other:
                    both = self._messages[row] + self._messages[other]
                    total -= float(np.log(np.exp(both).sum() + _TINY))
        return total

    def order(self, slot: int, noise: float = 0.0, seed: int = 0) -> NDArray[np.uint32]:
        """Return the indices of a slot's candidates, the word with the largest share first.

        With ``noise``, a random number up to this is added to the logarithm of each share.
        """
        indices, values = self._values(slot)
        if noise:
            values = values + np.random.default_rng((seed, slot)).uniform(0, noise, len(values))
        return indices[np.argsort(-values, kind="stable")].astype(np.uint32)

    def likeliest_word(self, slot: int) -> str:
        """Return the candidate of a slot with the largest share."""
        indices, values = self._values(slot)
        return self.candidates.network.lexicons[slot].words[int(indices[values.argmax()])]

    def likeliest_letters(self) -> list[str]:
        """Return the likeliest letter of each crossing."""
        found = [""] * len(self.candidates.root.letters)
        for own, links in zip(self._rows, self.candidates.network.links, strict=True):
            for row, link in enumerate(links, own.start):
                both = self._messages[row] + self._messages[self._others[row]]
                found[link[0]] = self._alphabet[both.argmax()]
        return found

    def shares(self, slot: int) -> dict[str, float]:
        """Return the estimated share of each candidate of a slot; the shares sum to 1."""
        indices, values = self._values(slot)
        words = self.candidates.network.lexicons[slot].words
        return {
            words[index]: float(share)
            for index, share in zip(indices, _shares(values), strict=True)
        }

    def corrections(self, slot: int) -> list[dict[str, float]]:
        """Return, for each crossing of a slot, letter -> the difference between share and count.

        That is, up to a constant, the logarithm of the probability of a letter given the rest of
        the grid, less the logarithm of the share of the crossing slot's candidates that have the
        letter.
        """
        root, network = self.candidates.root, self.candidates.network
        found = []
        for messages, (crossing, _, _, other, masks) in zip(
            self._messages[self._rows[slot]].tolist(), network.links[slot], strict=True
        ):
            domain = root.domains[other]
            all_of_them = domain.bit_count()
            known = dict(zip(self._alphabet, messages, strict=True))
            found.append(
                {
                    letter: known[letter]
                    - float(np.log((domain & masks[letter]).bit_count() / all_of_them))
                    for letter in root.letters[crossing]
                }
            )
        return found

    def narrowed(self, left_out: float) -> Candidates | None:
        """Return the puzzle with the fewest words per slot that make up all but ``left_out``.

        ``left_out`` is a proportion of each slot's share. Theme words and preferred words are never
        left out. Returns None if arc consistency finds that this leaves no fill, or if it changes
        nothing.
        """
        network = self.candidates.network
        state = self.candidates.root.copy()
        keep = list(network.preferred)
        for places in network.theme:
            for slot, bit in places:
                keep[slot] |= bit
        changed = []
        for slot, domain in enumerate(state.domains):
            indices, values = self._values(slot)
            flags = np.zeros(len(self._codes[slot]), dtype=bool)
            flags[indices[_largest(_shares(values), 1 - left_out)]] = True
            kept = domain & (_bitset(flags) | keep[slot])
            if kept != domain:
                changed.append(slot)
                state.domains[slot] = kept
                state.sizes[slot] = kept.bit_count()
        if not changed or network.propagate(state, changed) is not None:
            return None
        narrowed = Candidates(network, state)
        # Clashing words are cached per lexicon, so lexicons of single slots make these rules slow.
        if network.word_rules.clashes:
            return narrowed
        if len(self._alphabet) > _MAX_PAIRED_LETTERS:
            return compacted(narrowed)
        return compacted(narrowed, [self._kept(*item) for item in enumerate(state.domains)])

    def _kept(self, slot: int, domain: int) -> WordGroup:
        """Return the words of a slot's domain, with the masks of its crossings.

        The same as ``arc_consistency.compacted`` makes without numpy, which is faster here.
        """
        lexicon, codes = self.candidates.network.lexicons[slot], self._codes[slot]
        indices = np.flatnonzero(_flags(domain, len(codes)))
        kept = indices.tolist()
        crossed = np.ascontiguousarray(codes[indices[:, None], self._positions[slot]].T)
        letters = np.arange(len(self._alphabet), dtype=codes.dtype)
        bitsets = np.packbits(crossed[:, None] == letters[:, None], axis=2, bitorder="little")
        masks = {
            position: {
                letter: bitset
                for letter, row in zip(self._alphabet, rows, strict=True)
                if (bitset := int.from_bytes(row.tobytes(), "little"))
            }
            for position, rows in zip(self._positions[slot], bitsets, strict=True)
        }
        return lexicon.part(kept, masks)


def _largest(shares: Floats, total: float) -> NDArray[np.bool_]:
    """Flag the fewest shares that make up a total below 1; of equal ones, the first."""
    # All smaller ones together make up half of the rest at most, so that these need no sorting.
    falling = np.sort(shares[shares > (1 - total) / 2 / max(1, len(shares))])[::-1]
    most = int(np.searchsorted(np.cumsum(falling), total)) + 1
    least = falling[min(most, len(falling)) - 1]
    flags: NDArray[np.bool_] = shares > least
    equal = np.flatnonzero(shares == least)
    flags[equal[: most - np.count_nonzero(flags)]] = True
    return flags


def letter_codes(lexicons: Sequence[WordGroup], alphabet: list[str]) -> list[NDArray[Any]]:
    """Return, for each lexicon, a matrix (words x positions) of indices in the alphabet.

    Letters that the alphabet lacks have the index 0.
    """
    table = np.zeros(0x110000, dtype=np.min_scalar_type(len(alphabet)))
    table[[ord(letter) for letter in alphabet]] = np.arange(len(alphabet))
    known: dict[WordGroup, NDArray[Any]] = {}
    for lexicon in lexicons:
        if lexicon not in known:
            points = np.frombuffer(
                "".join(lexicon.words).encode("utf-32-le", "surrogatepass"), dtype="<u4"
            )
            known[lexicon] = table[points].reshape(-1, lexicon.length)
    return [known[lexicon] for lexicon in lexicons]


def _allotment(sizes: list[int]) -> int:
    """Return the maximum number of words per slot that keeps the total within ``MAX_WORDS``."""
    left = MAX_WORDS
    for place, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - place)
        if size > share:
            return max(1, share)
        left -= size
    return max(sizes, default=1)


def _flags(bitset: int, size: int) -> NDArray[np.uint8]:
    octets = np.frombuffer(bitset.to_bytes((size + 7) // 8, "little"), dtype=np.uint8)
    return np.unpackbits(octets, count=size, bitorder="little")


def _bitset(flags: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def _shares(values: Floats) -> Floats:
    shares = np.exp(values - values.max(initial=-np.inf))
    found: Floats = shares / shares.sum()
    return found
