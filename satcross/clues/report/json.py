"""A session as plain values, for ``--json``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from satcross.clues.answer import Marks, Session
from satcross.clues.clue import Candidate
from satcross.clues.report.reasons import Reasons
from satcross.crossword import Crossword
from satcross.formats.json import crossword_to_data, versions


def session_to_data(
    session: Session,
    official: Crossword,
    marks: Marks | None,
    *,
    top: int = 0,
    reasons: Reasons | None = None,
) -> dict[str, object]:
    """The proposed crossword as every JSON of ours has it, with what is known about each answer.

    A slot's ``score`` is the log-probability by its clue alone, ``probability`` that of its word
    and ``letters`` those of its letters, crossings considered.
    """
    answers = session.answers
    data: dict[str, Any] = crossword_to_data(replace(session.crossword, solution=answers.letters))
    slots: list[dict[str, Any]] = data.pop("slots")
    data["method"] = answers.method
    data["optimal"] = answers.optimal
    data["stopped"] = answers.stopped or None
    data["log_probability"] = answers.log_probability
    data["official"] = None if marks is None else crossword_to_data(official)["grid"]
    data["right"] = None if marks is None else _right(marks)
    data["slots"] = [
        {**slot, **_slot(session, number, marks, top)} for number, slot in enumerate(slots)
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


def _right(marks: Marks) -> dict[str, object]:
    (letters, of_letters), (words, of_words) = marks.letters, marks.words
    return {
        "letters": letters,
        "of_letters": of_letters,
        "words": words,
        "of_words": of_words,
        "all": marks.solved,
    }


def _slot(session: Session, slot: int, marks: Marks | None, top: int) -> dict[str, object]:
    answers, clue = session.answers, session.clues[slot]
    score = session.score(slot)
    cells = session.crossword.grid.slots[slot].cells
    data: dict[str, object] = {
        "word": answers.words[slot] or None,
        "source": session.source(slot) or None,
        "score": None if score is None else round(score, 4),
        "probability": round(answers.posterior[slot], 6),
        "letters": [
            round(answers.beliefs.letter(cell, answers.letters[cell[0]][cell[1]] or ""), 6)
            for cell in cells
        ],
        "right": None if marks is None else marks.slots.get(clue.slot),
    }
    if top:
        data["candidates"] = [_candidate(one) for one in session.top(slot, top)]
    return data


def _candidate(one: Candidate) -> dict[str, object]:
    return {
        "word": one.word,
        "score": round(one.score, 4),
        "features": dict(one.features),
        "evidence": [
            {
                "source": said.source,
                "score": round(said.score, 4),
                "note": said.note,
                "features": dict(said.features),
            }
            for said in one.evidence
        ],
    }


def _reasons(session: Session, found: Reasons) -> dict[str, object]:
    other = found.next_best
    return {
        "slot": session.clues[found.slot].slot,
        "word": found.word or None,
        "position": None if found.position is None else found.position + 1,
        "chosen": None if found.chosen is None else _candidate(found.chosen),
        "candidates": [_candidate(one) for one in found.candidates],
        "likeliest": [{"word": word, "probability": share} for word, share in found.likeliest],
        "crossings": [
            {
                "letter": one.letter,
                "crossing": one.crossing,
                "word": one.word or None,
                "probability": one.probability if one.crossing else None,
                "rather": dict(one.rather),
            }
            for one in found.pressure
        ],
        "next_best": None
        if other is None
        else {
            "word": other.word,
            "log_ratio": other.log_ratio,
            "changes": dict(other.changes),
            "proved": other.proved,
        },
    }
