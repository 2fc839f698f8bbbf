"""A small network that corrects the scores of a clue's candidates by all that is known of them.

The linear model adds up what single features say. The network also sees which of them occur
together, what kind of clue it is, and how far a candidate is behind the best. What it adds to the
scores was learnt from clues answered from older ones, by ``tests/benchmarks/fit_clues.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcross.answer.clue import LEARNT, Clue
from satcross.answer.language.parse_clue import parse_clue

Floats = NDArray[np.float32]

MAXIMA = (
    LEARNT,
    *(f"clues-db.{name}" for name in ("union", "same-any", "same", "like", "likelihood")),
)
"""Features of which the network sees the maximum of all candidates, too."""
_UNIT, _FARTHEST = 5.0, -3.0
"""Nats that scores are divided by, and the least distance from the best, thus divided."""


@dataclass(frozen=True, slots=True)
class Network:
    """One layer of hidden units, and weights from the inputs directly to the result.

    ``hidden`` has the shape (inputs, units), ``biases`` and ``output`` have (units,), ``direct``
    has (inputs,).
    """

    names: tuple[str, ...]
    hidden: Floats
    biases: Floats
    output: Floats
    direct: Floats

    @classmethod
    def of_content(cls, content: Mapping[str, Any]) -> Network:
        """Return the network with these names, and numbers as JSON has them."""
        arrays = {key: np.array(content[key], np.float32) for key in cls.__slots__[1:]}
        return cls(tuple(content["names"]), **arrays)

    def gains(self, inputs: Floats) -> Floats:
        """Return what is added to the score of each row of inputs."""
        units = np.maximum(inputs @ self.hidden + self.biases, 0)
        return np.asarray(units @ self.output + inputs @ self.direct)

    def inputs(
        self, clue: Clue, features: Sequence[Mapping[str, float]], scores: NDArray[np.float64]
    ) -> Floats:
        """Return a row for each candidate, and a last one for all words that nobody proposes."""
        column = {name: at for at, name in enumerate(self.names)}
        rows = np.zeros((len(features) + 1, len(self.names)), np.float32)
        numbers = np.repeat(np.arange(len(features)), [len(some) for some in features])
        places = np.array([column.get(name, -1) for some in features for name in some], np.intp)
        values = np.array([value for some in features for value in some.values()], np.float32)
        known = places >= 0
        rows[numbers[known], places[known]] = values[known]
        proposed = rows[:-1]
        if features:
            best = float(scores.max())
            proposed[:, column["score"]] = scores / _UNIT
            proposed[:, column["behind"]] = np.maximum((scores - best) / _UNIT, _FARTHEST)
            for name in MAXIMA:
                rows[:, column[f"maximum of {name}"]] = proposed[:, column[name]].max()
        for name, at in column.items():
            if name.startswith("from "):
                start = name.removeprefix("from ") + "."
                own = [place for other, place in column.items() if other.startswith(start)]
                proposed[:, at] = (proposed[:, own] != 0).any(axis=1)
        rows[:, column[f"length {max(3, min(clue.length, 10))}"]] = 1
        for cue in parse_clue(clue).cues:
            rows[:, column[f"clue is {cue}"]] = 1
        rows[-1, column["unproposed"]] = 1
        return rows
