"""Calibration: turn posteriors of belief propagation into how often such answers are right.

Crossings that are wrong together support each other, so posteriors are overconfident. A straight
line between log-odds corrects them (Platt, "Probabilistic outputs for support vector machines",
1999). The lines in ``resources/clue-model.json`` were fitted on newspaper puzzles, that with a
database on those of the tables in docs/answering.md, by ``tests/benchmarks/newspaper.py
--calibrate``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, log

from satcross.answer.model import STRONG, model_content

_CERTAIN = 1e-9
"""Distance from 0 and 1 beyond which posteriors count as equal."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line between log-odds: those of being right are ``offset + slope * log-odds``."""

    offset: float = 0.0
    slope: float = 1.0

    def __call__(self, posterior: float) -> float:
        """Return the frequency, from 0 to 1, that belongs to a posterior probability."""
        bounded = min(1 - _CERTAIN, max(_CERTAIN, posterior))
        return 1 / (1 + exp(-self.offset - self.slope * log(bounded / (1 - bounded))))


@dataclass(frozen=True, slots=True)
class Calibration:
    """The lines for letters and for words."""

    letters: Line = Line()
    words: Line = Line()


def load_calibration(sources: Iterable[str]) -> Calibration:
    """Return the calibration for a set of sources.

    That with a clue database, else that with the language model, else that with neither.
    """
    fitted, names = model_content()["calibration"], set(sources)
    strong = next((name for name in STRONG if name in names and name in fitted), "no clues-db")
    lines = fitted[strong]
    return Calibration(Line(*lines["letters"]), Line(*lines["words"]))
