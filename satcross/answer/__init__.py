"""Answer a published crossword from its clues: sources, probabilities, and choice of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from satcross.support.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from satcross.answer.api import answer
    from satcross.answer.clue import Candidate, Clue, Proposal, Source, SourceSettings
    from satcross.answer.gather import Gathered
    from satcross.answer.session import (
        Accuracy,
        AnswerSettings,
        Session,
        answer_crossword,
        measure_accuracy,
    )

__all__ = [
    "Accuracy",
    "AnswerSettings",
    "Candidate",
    "Clue",
    "Gathered",
    "Proposal",
    "Session",
    "Source",
    "SourceSettings",
    "answer",
    "answer_crossword",
    "measure_accuracy",
]

# numpy is slow to import, and ``satcross sources`` needs only the registry.
__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        **dict.fromkeys(
            ("Accuracy", "AnswerSettings", "Session", "answer_crossword", "measure_accuracy"),
            "session",
        ),
        "answer": "api",
        **dict.fromkeys(("Candidate", "Clue", "Proposal", "Source", "SourceSettings"), "clue"),
        "Gathered": "gather",
    },
)
