"""Format an answered crossword as text: the grids, one line per clue, explanations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import exp

from satcross.answer.clue import Candidate
from satcross.answer.report.reasons import Reasons
from satcross.answer.session import FROM_LETTERS, LOCKED, Accuracy, Session
from satcross.crossword import Crossword
from satcross.grid import BLOCKED

_GUESS = 0.5
"""Probability below which an answer is more likely wrong than right, and counts as a guess."""

Style = Callable[[str, bool | None], str]
"""Maps a text, and whether it is right (None if unknown), to the text with its colours."""


def plain(text: str, right: bool | None) -> str:
    return text


def grid_lines(
    session: Session, official: Crossword, accuracy: Accuracy | None, style: Style
) -> list[str]:
    """Format the proposed grid, beside the official grid if that is known.

    Wrong letters are in lower case; ``.`` is a cell that is open or not sure enough, ``#`` a
    blocked one.
    """
    grid = session.crossword.grid
    shown_letters = session.shown_letters()
    lines = []
    gap = "      "
    if accuracy is not None:
        lines.append("proposed".ljust(2 * grid.width - 1) + gap + "official")
    for row in range(grid.height):
        left, right = [], []
        for column in range(grid.width):
            if grid.rows[row][column] == BLOCKED:
                left.append("#")
                right.append("#")
                continue
            letter = shown_letters[row][column]
            wanted = official.solution[row][column]
            same = accuracy.cells.get((row, column)) if accuracy is not None and letter else None
            shown = letter or "."
            left.append(style(shown.lower() if same is False else shown, same))
            right.append((wanted or ".")[0])
        line = " ".join(left)
        if accuracy is not None:
            line += " " * max(0, len("proposed") - (2 * grid.width - 1)) + gap + " ".join(right)
        lines.append(line.rstrip())
    return lines


def heading(session: Session) -> list[str]:
    """Return a line with the known parts of title, author and date, and an empty line."""
    crossword = session.crossword
    known = [crossword.title, crossword.author and f"by {crossword.author}", crossword.date]
    text = ", ".join(" ".join(part.split()) for part in known if part)
    return [text, ""] if text else []


def summary(session: Session, accuracy: Accuracy | None) -> list[str]:
    """Format the accuracy of the answer, how much of it is a guess, and the method."""
    answers = session.answers
    lines = []
    blank = sum(
        bool(letter) and not shown
        for line, shown_line in zip(answers.letters, session.shown_letters(), strict=True)
        for letter, shown in zip(line, shown_line, strict=True)
    )
    if accuracy is not None:
        if blank:
            lines.append(_right("right", shown_accuracy(session, accuracy)) + " shown")
        lines.append(_right("right with guesses" if blank else "right", accuracy))
    better = sum(session.word_sure(slot) >= _GUESS for slot in range(len(answers.words)))
    if better < len(answers.words):
        lines.append(f"{better} of {len(answers.words)} answers are better than guesses")
    if blank:
        cells = "1 cell is" if blank == 1 else f"{blank} cells are"
        lines.append(
            f"{cells} blank: no letter is {session.min_sure:.0%} sure"
            " (--min-sure 0 shows the likeliest)"
        )
    method = answers.method
    if answers.optimal:
        lines.append(f"by {method}: proved most likely")
    elif answers.stopped:
        lines.append(f"by {method}: {answers.stopped}; a more likely answer may exist")
    else:
        lines.append(f"by {method}")
    return lines


def _right(name: str, accuracy: Accuracy) -> str:
    (letters, of_letters), (words, of_words) = accuracy.letters, accuracy.words
    share = f" ({letters / of_letters:.0%})" if of_letters else ""
    return f"{name}: {letters} of {of_letters} letters{share}, {words} of {of_words} words"


def shown_accuracy(session: Session, accuracy: Accuracy) -> Accuracy:
    """Return the accuracy of the letters that are shown, and of the words without a blank."""
    letters = session.shown_letters()
    names = {slot.name: slot for slot in session.crossword.grid.slots}
    return Accuracy(
        {cell: same for cell, same in accuracy.cells.items() if letters[cell[0]][cell[1]]},
        {
            name: same
            for name, same in accuracy.slots.items()
            if all(letters[row][column] for row, column in names[name].cells)
        },
    )


def clue_lines(
    session: Session, accuracy: Accuracy | None, style: Style, top: int = 0
) -> list[str]:
    """Format a table of answers with source and probabilities, each with ``top`` candidates."""
    rows = [("", "answer", "sure", "by clue", "source", "clue")]
    right: list[bool | None] = [None]
    for slot, clue in enumerate(session.clues):
        word = session.answers.words[slot]
        rows.append(
            (
                clue.slot,
                session.shown_word(slot) or "-",
                percent(session.word_sure(slot)) if word else "",
                probability(session.score(slot)),
                session.source(slot),
                _printed(session, slot),
            )
        )
        whole = "." not in session.shown_word(slot)
        right.append(accuracy.slots.get(clue.slot) if accuracy is not None and whole else None)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for number, (row, same) in enumerate(zip(rows, right, strict=True)):
        cells = [
            cell.rjust(width) if at in (2, 3) else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        measure_accuracy = " " if same is None else "+" if same else "x"
        cells[1] = style(cells[1], same)
        if accuracy is not None:
            cells.insert(2, measure_accuracy)
        lines.append("  ".join(cells).rstrip())
        if number and top:
            lines += [f"        {line}" for line in candidate_lines(session.top(number - 1, top))]
    return lines


def candidate_lines(candidates: Sequence[Candidate]) -> list[str]:
    """Format candidates with their probability by the clue and their sources."""
    if not candidates:
        return ["(no candidate)"]
    width = max(len(one.word) for one in candidates)
    return [
        f"{number:2}. {one.word.ljust(width)}  {probability(one.score):>6}  {_evidence(one)}"
        for number, one in enumerate(candidates, 1)
    ]


def _evidence(candidate: Candidate) -> str:
    parts = []
    for proposal in candidate.evidence:
        parts.append(f"{proposal.source} ({proposal.note})" if proposal.note else proposal.source)
    return ", ".join(parts)


def reason_lines(session: Session, found: Reasons) -> list[str]:
    """Format the explanation of one answer: candidates, crossings and the next best answer."""
    name = session.clues[found.slot].slot
    lines = [f"{name}: {found.word or '(open)'}  {_printed(session, found.slot)}".rstrip(), ""]
    lines += _chosen_lines(session, found)
    lines += ["", "Best by the clue alone:"]
    lines += [f"  {line}" for line in candidate_lines(found.candidates)]
    lines += ["", "Probability of each letter by the crossing slots alone:"]
    for one in found.pressure:
        if one.crossing is None:
            lines.append(f"  {one.letter or '.'}  nothing crosses here")
            continue
        others = ", ".join(f"{letter} {percent(share)}" for letter, share in one.alternatives)
        crossing = f"{one.crossing} {one.word or '(open)'}"
        chance = percent(one.probability) if one.letter else ""
        lines.append(f"  {one.letter or '.'}  {chance:>6}  from {crossing}; most likely {others}")
    sure = session.calibration.words
    likeliest = ", ".join(f"{word} {percent(sure(share))}" for word, share in found.likeliest)
    lines += ["", f"Sure, with all crossings: {likeliest or 'no word is known'}"]
    lines += _next_lines(found)
    return lines


def _chosen_lines(session: Session, found: Reasons) -> list[str]:
    source = session.source(found.slot)
    if source == LOCKED:
        return ["Locked by you."]
    if not found.word:
        return [f"{session.answers.method} left this slot open."]
    if found.chosen is None or found.position is None:
        how = (
            "spelled from the letters of its crossings"
            if source == FROM_LETTERS
            else "a word of the vocabulary that fits"
        )
        chance = probability(session.score(found.slot))
        return [f"No source proposes this word: {how}, at {chance}."]
    lines = [
        f"Number {found.position + 1} of {len(session.problem.candidates[found.slot])} candidates "
        f"by the clue, at {probability(found.chosen.score)}:"
    ]
    for proposal in found.chosen.evidence:
        note = f", {proposal.note}" if proposal.note else ""
        lines.append(f"  {proposal.source}: {probability(proposal.score)}{note}")
        if proposal.features:
            lines.append(f"    {_features(proposal.features)}")
    if found.chosen.features:
        lines.append(f"  combined: {_features(found.chosen.features)}")
    return lines


def _features(features: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.3g}" for name, value in sorted(features.items()))


def _next_lines(found: Reasons) -> list[str]:
    other = found.next_best
    if other is None:
        return []
    lines = ["", f"Next best whole answer with another word here: {other.word}"]
    if other.log_ratio >= 0:
        times = exp(min(other.log_ratio, 50.0))
        lines[-1] += f"; all its words together are {times:,.3g} times less likely"
    else:
        lines[-1] += "; all its words together are more likely"
    if not other.proved:
        lines[-1] += " (an upper bound: the time limit was reached)"
    if other.changes:
        changed = ", ".join(f"{name} {word}" for name, word in other.changes.items())
        lines.append(f"  with {changed}")
    lines.append('  (two whole answers compared; "sure" is how often such answers are right)')
    return lines


def _printed(session: Session, slot: int) -> str:
    clue = session.clues[slot]
    text = clue.text or "(no clue)"
    return f"{text} ({clue.enumeration})" if clue.enumeration else text


def percent(share: float) -> str:
    """Format a probability: ``97%``, ``99.7%``, ``0.3%``, ``<0.1%``."""
    if share >= 0.9995:
        return ">99.9%"
    if 0.1 <= share < 0.995:
        return f"{share:.0%}"
    return f"{share:.1%}" if share >= 0.001 else "<0.1%"


def probability(score: float | None) -> str:
    """Format a log-probability as a percentage: ``12%``, ``0.03%``, ``<0.01%``; "" for None."""
    if score is None:
        return ""
    share = exp(score)
    if share >= 0.1:
        return f"{share:.0%}"
    return f"{share:.2%}" if share >= 0.0001 else "<0.01%"
