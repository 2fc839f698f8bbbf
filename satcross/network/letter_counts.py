"""A rough estimate without compiled code: each slot tells how many candidates have each letter.

That is one round of the messages that ``satcross.engine.marginals`` sends for longer.
"""

from __future__ import annotations

from array import array
from math import exp, log
from random import Random

from satcross.network.arc_consistency import Candidates, bits
from satcross.vocabulary import Masks


class LetterCounts:
    """The messages between slots, with the methods of ``satcross.engine.marginals.Messages``."""

    def __init__(self, candidates: Candidates) -> None:
        self._network, self._root = candidates.network, candidates.root
        self._heard = [
            [self._told(other, masks) for *_, other, masks in crossed]
            for crossed in self._network.links
        ]

    def _told(self, slot: int, masks: Masks) -> dict[str, float]:
        """The logarithm of the share of a slot's candidates that have each letter."""
        domain, size = self._root.domains[slot], self._root.sizes[slot]
        counts = {letter: (domain & mask).bit_count() for letter, mask in masks.items()}
        return {letter: log(count / size) for letter, count in counts.items() if count}

    def begin_with(self, other: LetterCounts) -> None:
        """Do nothing: what slots tell does not depend on what they hear."""

    def exchange(self) -> float:
        return 0.0

    def values(self, slot: int) -> tuple[list[int], list[float]]:
        lexicon, indices = self._network.lexicons[slot], list(bits(self._root.domains[slot]))
        heard = [
            (position, message)
            for (_, position, *_), message in zip(
                self._network.links[slot], self._heard[slot], strict=True
            )
        ]
        words = map(lexicon.word, indices)
        return indices, [
            sum(message[word[position]] for position, message in heard) for word in words
        ]

    def log_fills(self) -> float:
        total = 0.0
        for slot, crossed in enumerate(self._network.links):
            total += _log_sum(self.values(slot)[1])
            for (crossing, _, _, other, _), heard in zip(crossed, self._heard[slot], strict=True):
                if slot < other:
                    back = [link[0] for link in self._network.links[other]].index(crossing)
                    message = self._heard[other][back]
                    total -= _log_sum([heard[letter] + message[letter] for letter in message])
        return total

    def narrowed(self, share: float) -> list[int]:
        found = []
        for slot in range(len(self._root.sizes)):
            indices, values = self.values(slot)
            kept, left = 0, share * exp(_log_sum(values))
            for value, index in sorted(zip(values, indices, strict=True), key=lambda v: -v[0]):
                kept |= 1 << index
                left -= exp(value)
                if left <= 0:
                    break
            found.append(kept)
        return found

    def order(self, slot: int, noise: float, seed: int) -> bytes:
        indices, values = self.values(slot)
        random = Random(f"{seed} {slot}").random
        noisy = {
            index: value + noise * random() for index, value in zip(indices, values, strict=True)
        }
        return array("i", sorted(indices, key=lambda index: -noisy[index])).tobytes()

    def letters(self) -> list[str]:
        found = [""] * len(self._root.letters)
        for crossed, heard in zip(self._network.links, self._heard, strict=True):
            for link, message in zip(crossed, heard, strict=True):
                found[link[0]] = max(message, key=message.__getitem__)
        return found

    def corrections(self) -> bytes:
        links = sum(map(len, self._network.links))
        return bytes(8 * 64 * links)  # counts are all that a search weighs anyway


def _log_sum(values: list[float]) -> float:
    top = max(values)
    return top + log(sum(exp(value - top) for value in values))
