"""Format an answered crossword as text: the grids, one line per clue, explanations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp

from satcross.answer.choosing.problem import FROM_LETTERS
from satcross.answer.clue import Candidate
from satcross.answer.report.json import accuracy_to_data
from satcross.answer.report.reasons import Reasons
from satcross.answer.session import LOCKED, Accuracy, Session
from satcross.crossword import Crossword
from satcross.grid import BLOCKED

Style = Callable[[str, bool | None], str]
"""Maps a text, and whether it is right (None if unknown), to the text with its colours."""


@dataclass(frozen=True, slots=True)
class ClueRow:
    """What every report says about a slot. ``right`` is None if unknown, or not wholly shown."""

    slot: str
    answer: str
    sure: str
    by_clue: str
    source: str
    clue: str
    right: bool | None


def clue_rows(session: Session, accuracy: Accuracy | None) -> list[ClueRow]:
    """Return the table of answers that text, picture and page show."""
    rows = []
    for slot, clue in enumerate(session.clues):
        shown = session.shown_word(slot)
        is_known = accuracy is not None and "." not in shown
        rows.append(
            ClueRow(
                clue.slot,
                shown or "-",
                percent(session.word_sure(slot)) if shown else "",
                probability(session.score(slot)),
                session.source(slot),
                _printed(session, slot),
                accuracy.slots.get(clue.slot) if accuracy is not None and is_known else None,
            )
        )
    return rows


def grid_lines(
    session: Session, official: Crossword, accuracy: Accuracy | None, style: Style
) -> list[str]:
    """Format the proposed grid, beside the official grid if that is known.

    Wrong letters are in lower case; ``.`` is a cell that is open or not sure enough, ``#`` a
    blocked one.
    """
    grid = session.crossword.grid
    width = 2 * grid.width - 1
    gap = " " * (max(0, len("proposed") - width) + 6)
    lines = [f"{'proposed':{width}}      official"] if accuracy is not None else []
    for row, letters in enumerate(session.shown_letters):
        left, right = [], []
        for column, letter in enumerate(letters):
            if grid.rows[row][column] == BLOCKED:
                left.append("#")
                right.append("#")
                continue
            same = accuracy.cells.get((row, column)) if accuracy is not None and letter else None
            shown = letter or "."
            left.append(style(shown.lower() if same is False else shown, same))
            right.append((official.solution[row][column] or ".")[0])
        beside = gap + " ".join(right) if accuracy is not None else ""
        lines.append((" ".join(left) + beside).rstrip())
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
    letters = sum(bool(letter) for line in answers.letters for letter in line)
    blank = letters - sum(bool(letter) for line in session.shown_letters for letter in line)
    if accuracy is not None:
        if blank:
            shown = accuracy_to_data(shown_accuracy(session, accuracy))
            lines.append(right_line("right", shown) + " shown")
        name = "right with guesses" if blank else "right"
        lines.append(right_line(name, accuracy_to_data(accuracy)))
    better = session.better_than_guesses
    if better < len(answers.words):
        lines.append(f"{better} of {len(answers.words)} answers are better than guesses")
    if blank:
        cells = "1 cell is" if blank == 1 else f"{blank} cells are"
        lines.append(
            f"{cells} blank: no word there is {session.min_sure:.0%} sure"
            " (--min-sure 0 shows the likeliest)"
        )
    if blank == letters:
        lines.append("nothing is known well enough to be shown; `satcross sources` says what helps")
    if not answers.beliefs.converged:
        lines.append("the beliefs did not settle: how sure is said with less confidence")
    if answers.optimal:
        lines.append(f"by {answers.method}: proved most likely")
    elif answers.stopped:
        lines.append(f"by {answers.method}: {answers.stopped}; a more likely answer may exist")
    else:
        lines.append(f"by {answers.method}")
    return lines


RIGHT = ("letters", "of_letters", "words", "of_words")


def right_line(name: str, right: Mapping[str, int]) -> str:
    """Format how much is right, from the numbers of ``RIGHT``."""
    letters, of_letters, words, of_words = (right[key] for key in RIGHT)
    share = f" ({whole_percent(letters, of_letters)})" if of_letters else ""
    return f"{name}: {letters} of {of_letters} letters{share}, {words} of {of_words} words"


def whole_percent(part: int, whole: int) -> str:
    """Format a share as a whole percentage, which is 0% or 100% only for none or all.

    >>> whole_percent(199, 200), whole_percent(200, 200), whole_percent(1, 300)
    ('99%', '100%', '1%')
    """
    if not 0 < part < whole:
        return f"{part / whole:.0%}"
    return f"{min(99, max(1, round(100 * part / whole)))}%"


def shown_accuracy(session: Session, accuracy: Accuracy) -> Accuracy:
    """Return the accuracy of the letters that are shown, and of the words without a blank."""
    slots = {slot.name: slot.cells for slot in session.crossword.grid.slots}
    shown = session.shown_cells
    return Accuracy(
        {cell: same for cell, same in accuracy.cells.items() if cell in shown},
        {name: same for name, same in accuracy.slots.items() if shown.issuperset(slots[name])},
    )


def clue_lines(
    session: Session, accuracy: Accuracy | None, style: Style, top: int = 0
) -> list[str]:
    """Format a table of answers with source and probabilities, each with ``top`` candidates."""
    rows = [
        ClueRow("", "answer", "sure", "by clue", "source", "clue", None),
        *clue_rows(session, accuracy),
    ]
    names = ("slot", "answer", "sure", "by_clue", "source")
    widths = {name: max(len(getattr(row, name)) for row in rows) for name in names}
    lines = []
    for number, row in enumerate(rows):
        cells = [
            row.slot.ljust(widths["slot"]),
            style(row.answer.ljust(widths["answer"]), row.right),
            *([{None: " ", True: "+", False: "x"}[row.right]] if accuracy is not None else []),
            row.sure.rjust(widths["sure"]),
            row.by_clue.rjust(widths["by_clue"]),
            row.source.ljust(widths["source"]),
            row.clue,
        ]
        lines.append("  ".join(cells).rstrip())
        if number and top:
            lines += [f"        {line}" for line in candidate_lines(session.top(number - 1, top))]
    return lines


def candidate_lines(candidates: Sequence[Candidate]) -> list[str]:
    """Format candidates with their probability by the clue and their sources."""
    width = max((len(candidate.word) for candidate in candidates), default=0)
    lines = []
    for number, candidate in enumerate(candidates, 1):
        evidence = ", ".join(
            f"{proposal.source} ({proposal.note})" if proposal.note else proposal.source
            for proposal in candidate.evidence
        )
        chance = probability(candidate.score)
        lines.append(f"{number:2}. {candidate.word.ljust(width)}  {chance:>6}  {evidence}")
    return lines or ["(no candidate)"]


def reason_lines(session: Session, found: Reasons) -> list[str]:
    """Format the explanation of one answer: candidates, crossings and the next best answer."""
    name = session.clues[found.slot].slot
    lines = [f"{name}: {found.word or '(open)'}  {_printed(session, found.slot)}".rstrip(), ""]
    lines += _chosen_lines(session, found)
    lines += ["", "Best by the clue alone:"]
    lines += [f"  {line}" for line in candidate_lines(found.candidates)]
    lines += ["", "Probability of each letter by the crossing slots alone:"]
    for support in found.crossings:
        letter = support.letter or "."
        if support.crossing is None or support.probability is None:
            lines.append(f"  {letter}  nothing crosses here")
            continue
        chance = percent(support.probability) if support.letter else ""
        crossing = f"{support.crossing} {support.word or '(open)'}"
        others = _percents(support.rather)
        lines.append(f"  {letter}  {chance:>6}  from {crossing}; most likely {others}")
    likeliest = _percents(found.likeliest)
    lines += ["", f"Sure, with all crossings: {likeliest or 'no word is known'}"]
    return lines + _next_lines(found)


def _percents(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {percent(share)}" for name, share in shares.items())


def _chosen_lines(session: Session, found: Reasons) -> list[str]:
    source = session.source(found.slot)
    if source == LOCKED:
        return ["Locked by you."]
    if not found.word:
        return [f"{session.answers.method} left this slot open."]
    if found.chosen is None:
        how = "a word of the vocabulary that fits"
        if source == FROM_LETTERS:
            how = "spelled from the letters of its crossings"
        chance = probability(session.score(found.slot))
        return [f"No source proposes this word: {how}, at {chance}."]
    lines = [
        f"Number {found.position} of {len(session.problem.candidates[found.slot])} candidates "
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
    times = exp(min(abs(other.log_ratio), 50.0))
    how = f"{times:,.3g} times less likely" if other.log_ratio >= 0 else "more likely"
    lines[-1] += f"; all its words together are {how}"
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
