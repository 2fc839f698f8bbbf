"""Convert an answered crossword to plain values for ``--json``."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from satcross.answer.clue import Candidate
from satcross.answer.report.reasons import Reasons
from satcross.answer.session import Accuracy, Session
from satcross.crossword import Crossword
from satcross.formats.json import crossword_to_data, versions


def session_to_data(
    session: Session,
    official: Crossword,
    accuracy: Accuracy | None,
    *,
    top: int = 0,
    reasons: Reasons | None = None,
) -> dict[str, object]:
    """Return the proposed crossword in satcross's JSON form, with details of each answer.

    ``grid`` has the words that are at least ``min_sure``. The ``score`` of a slot is the
    log-probability of its word by the clue alone. ``probability`` says how often such words are
    right, with all crossings, and ``letters`` the same of the word's letters.
    """
    answers = session.answers
    data: dict[str, Any] = crossword_to_data(
        replace(session.crossword, solution=session.shown_letters)
    )
    slots: list[dict[str, Any]] = data.pop("slots")
    data["method"] = answers.method
    data["optimal"] = answers.optimal
    data["stopped"] = answers.stopped or None
    data["min_sure"] = session.min_sure
    data["better_than_guesses"] = session.better_than_guesses
    data["log_probability"] = answers.log_probability
    data["official"] = None if accuracy is None else crossword_to_data(official)["grid"]
    data["right"] = None if accuracy is None else accuracy_to_data(accuracy)
    data["slots"] = [
        {**slot, **_slot(session, number, accuracy, top)} for number, slot in enumerate(slots)
    ]
    if reasons is not None:
        data["reasons"] = _reasons(session, reasons)
    data["notes"] = list(session.notes)
    data["seconds"] = {
        **{stage: round(value, 3) for stage, value in session.seconds.items()},
        "source": {name: round(value, 3) for name, value in session.gathered.seconds.items()},
    }
    data["versions"] = versions()
    return data


def accuracy_to_data(accuracy: Accuracy) -> dict[str, int]:
    """Return how many letters and words are right, and whether all are."""
    (letters, of_letters), (words, of_words) = accuracy.letters, accuracy.words
    return {
        "letters": letters,
        "of_letters": of_letters,
        "words": words,
        "of_words": of_words,
        "all": accuracy.solved,
    }


def _slot(session: Session, slot: int, accuracy: Accuracy | None, top: int) -> dict[str, object]:
    answers, clue = session.answers, session.clues[slot]
    score = session.score(slot)
    cells = session.crossword.grid.slots[slot].cells
    data: dict[str, object] = {
        "word": answers.words[slot] or None,
        "source": session.source(slot) or None,
        "score": None if score is None else round(score, 4),
        "probability": round(session.word_sure(slot), 6),
        "letters": [round(session.letter_sure(cell), 6) for cell in cells],
        "right": None if accuracy is None else accuracy.slots.get(clue.slot),
    }
    if top:
        data["candidates"] = list(map(_candidate, session.top(slot, top)))
    return data


def _candidate(candidate: Candidate) -> dict[str, object]:
    return {
        "word": candidate.word,
        "score": round(candidate.score, 4),
        "features": dict(candidate.features),
        "evidence": [
            {
                "source": proposal.source,
                "score": round(proposal.score, 4),
                "note": proposal.note,
                "features": dict(proposal.features),
            }
            for proposal in candidate.evidence
        ],
    }


def _reasons(session: Session, found: Reasons) -> dict[str, object]:
    return {
        "slot": session.clues[found.slot].slot,
        "word": found.word or None,
        "position": found.position,
        "chosen": None if found.chosen is None else _candidate(found.chosen),
        "candidates": list(map(_candidate, found.candidates)),
        "likeliest": [
            {"word": word, "probability": sure} for word, sure in found.likeliest.items()
        ],
        "crossings": list(map(asdict, found.crossings)),
        "next_best": None if found.next_best is None else asdict(found.next_best),
    }
