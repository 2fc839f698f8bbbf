"""Calibration: turn posteriors of belief propagation into how often such answers are right.

Crossings that are wrong together support each other, so posteriors are overconfident. A curve with
three numbers corrects them (Kull, Silva Filho and Flach, "Beta calibration", 2017). The curves in
``resources/clue-model.json`` were fitted on newspaper puzzles, that with a database on those of the
tables in docs/answering.md, by ``tests/benchmarks/newspaper.py --calibrate``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, log

from satcross.answer.model import STRONG, model_content

_CERTAIN = 1e-9
"""Distance from 0 and 1 beyond which posteriors count as equal."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Log-odds of being right: ``offset + low * log(posterior) - high * log(1 - posterior)``.

    With ``low`` and ``high`` alike it is a straight line between log-odds.
    """

    offset: float = 0.0
    low: float = 1.0
    high: float = 1.0

    def __call__(self, posterior: float) -> float:
        """Return the frequency, from 0 to 1, that belongs to a posterior probability."""
        bounded = min(1 - _CERTAIN, max(_CERTAIN, posterior))
        return 1 / (1 + exp(-self.offset - self.low * log(bounded) + self.high * log(1 - bounded)))


@dataclass(frozen=True, slots=True)
class Calibration:
    """The curves for letters and for words."""

    letters: Curve = Curve()
    words: Curve = Curve()


def load_calibration(sources: Iterable[str]) -> Calibration:
    """Return the calibration for a set of sources.

    That with a clue database, else that with the language model, else that with neither.
    """
    fitted, names = model_content()["calibration"], set(sources)
    strong = next((name for name in STRONG if name in names and name in fitted), "no clues-db")
    curves = fitted[strong]
    return Calibration(Curve(*curves["letters"]), Curve(*curves["words"]))
