"""What ``import satcross`` offers for answering: a function that takes a ``RunSettings``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Unpack

from satcross.crossword import Crossword
from satcross.run_settings import RunOptions, RunSettings
from satcross.support.arguments import check_type
from satcross.vocabulary import Vocabulary

if TYPE_CHECKING:
    from satcross.answer.session import Session


def answer(
    crossword: Crossword,
    vocabulary: Vocabulary | None = None,
    settings: RunSettings | None = None,
    *,
    sources: Sequence[str] | None = None,
    method: str | None = None,
    locks: Mapping[str, str] | None = None,
    **changes: Unpack[RunOptions],
) -> Session:
    """Answer a crossword from its clues, without looking at its solution.

    ``vocabulary`` (None: the default list) scores candidate words; ``sources`` names where they
    come from (None: those that need no set-up or are set up). The time limit is for choosing words.
    Raises InputError for locks that do not fit and UnavailableError for unknown sources or methods.
    """
    from satcross.answer.choosing.methods import DEFAULT_METHOD
    from satcross.answer.clue import SourceSettings
    from satcross.answer.session import AnswerSettings, answer_crossword

    check_type(crossword, Crossword, "the crossword", "read one with Crossword.read(path)")
    settings = RunSettings.of(settings, changes)
    return answer_crossword(
        crossword,
        SourceSettings(vocabulary or Vocabulary.read()),
        AnswerSettings(
            sources,
            method or DEFAULT_METHOD,
            locks or {},
            seconds=settings.time_limit,
            on_progress=settings.on_progress,
            should_stop=settings.should_stop,
        ),
    )
