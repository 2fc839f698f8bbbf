"""The checks of a generate.py: one function per behavior, with messages that help the student.

The group ``course`` has the 28 behaviors that the course's public grader was written for (three of
which it never runs), ``more`` has what else the course specifies, mostly code that it provides, and
``hard`` has puzzles that require a search with inference.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import IO, Any

from . import puzzles
from .subject import (
    ALPHABET,
    CheckFailedError,
    Place,
    Subject,
    check,
    expect,
    expect_domains,
    show,
)

INFERENCE_HINT = (
    "A search without inference tries one word after the other in the wrong place. After choosing "
    "a word, set self.domains[var] = {word}, call ac3 with the arcs (neighbor, var), give the "
    "word up if it returns False, and put the old domains back before the next word."
)
REVISE_HINT = (
    "If you do that already, look at revise: collect the letters y can put into the crossing once, "
    "instead of comparing every word of x with every word of y."
)


# Boards. The letters name the variables used below.
#
# STEM: A across with B hanging from its second cell. FORK: A across, B C D standing on it.
# STAIR: A B C D, each crossing the next one only. RING: A and D across, B and C down at their ends.
# COMB: A and D across, B and C between them. CORNER: A and B from the same cell.

STEM = ("_____", "#_###", "#_###")
STEM_A, STEM_B = (0, 0, "across", 5), (0, 1, "down", 3)

FORK = ("_#_#_", "_#_#_", "_____")
FORK_A = (2, 0, "across", 5)
FORK_B, FORK_C, FORK_D = (0, 0, "down", 3), (0, 2, "down", 3), (0, 4, "down", 3)

STAIR = ("___##", "##_##", "##___", "####_", "####_")
STAIR_A, STAIR_B = (0, 0, "across", 3), (0, 2, "down", 3)
STAIR_C, STAIR_D = (2, 2, "across", 3), (2, 4, "down", 3)

RING = ("_____", "_###_", "_###_", "_____")
RING_A, RING_D = (0, 0, "across", 5), (3, 0, "across", 5)
RING_B, RING_C = (0, 0, "down", 4), (0, 4, "down", 4)

COMB = ("_____", "#_#_#", "_____")
COMB_A, COMB_D = (0, 0, "across", 5), (2, 0, "across", 5)
COMB_B, COMB_C = (0, 1, "down", 3), (0, 3, "down", 3)
COMB_WORDS = ["TIGER", "DEPTH", "ICE", "EAT", "LEMON", "ANT", "OWL", "ORE", "STORM", "INK", "ELM"]
COMB_FILL = {COMB_A: "TIGER", COMB_B: "ICE", COMB_C: "EAT", COMB_D: "DEPTH"}

CORNER = ("___", "_##", "_##")
CORNER_A, CORNER_B = (0, 0, "across", 3), (0, 0, "down", 3)

SQUARE = ("___", "_#_", "___")

# Variables with one, two and three neighbors, and two parts that do not touch.
RAGGED = ("______#___", "_#_#_##_##", "____#_#_##", "_###__####", "___#_#_###")

# A stair of eight, each variable crossing the next one only.
STEPS = 8
LONG_STAIR = tuple(
    "".join(
        "_" if 0 <= column - (row - row % 2) < 3 and (row % 2 == 0 or column == row + 1) else "#"
        for column in range(STEPS + 1)
    )
    for row in range(STEPS + 1)
)


@check("import", "generate.py can be imported and has Variable, Crossword and CrosswordCreator")
def _import(subject: Subject) -> None:
    for name in ("Variable", "Crossword", "CrosswordCreator"):
        if not hasattr(subject.module, name):
            raise CheckFailedError(
                f"generate.py was imported, but generate.{name} does not exist",
                "Keep `from crossword import *` at the top, and the class CrosswordCreator.",
            )
    creator = subject.creator(STEM, ["STORM", "TAN"])
    expect_domains(
        "CrosswordCreator(crossword)",
        creator,
        subject.domains({STEM_A: "STORM TAN", STEM_B: "STORM TAN"}),
        "At first every variable may take every word: self.crossword.words.copy().",
    )


# Node consistency


def _node_consistency(
    subject: Subject, rows: Iterable[str], words: str, expected: Mapping[Place, str]
) -> None:
    creator = subject.creator(rows, words.split())
    text = "enforce_node_consistency()"
    hint = (
        "Keep the words whose len() is var.length; do not remove from a set while looping over it."
    )
    subject.ask(text, creator, "enforce_node_consistency", hint=hint)
    expect_domains(text, creator, subject.domains(expected), hint)


@check("node_consistency", "enforce_node_consistency keeps the words of the right length")
def _node_consistency_simple(subject: Subject) -> None:
    _node_consistency(
        subject,
        STEM,
        "STORM ALBUM TAN TIP LEMONS A IT IDEA GARDENS",
        {STEM_A: "STORM ALBUM", STEM_B: "TAN TIP"},
    )


@check("node_consistency_all_variables", "enforce_node_consistency deals with every variable")
def _node_consistency_ring(subject: Subject) -> None:
    five, four = "TIGER DEPTH", "TEND RUTH IDEA"
    _node_consistency(
        subject,
        RING,
        f"{five} {four} CAT DOG LETTERS",
        {RING_A: five, RING_B: four, RING_C: four, RING_D: five},
    )


# revise


def _revise(
    subject: Subject,
    rows: Iterable[str],
    before: Mapping[Place, str],
    arc: tuple[Place, Place],
    after: str,
    hint: str,
) -> tuple[str, Any]:
    """Call revise and check the domains; return the text of the call and its result."""
    x, y = arc
    creator = subject.creator_with(rows, before)
    made = subject.domains(before)
    var, other = subject.variable(x), subject.variable(y)
    text = f"revise(x, y) with x = [{var}] in {show(made[var])} and y = [{other}] in "
    text += show(made[other])
    got = subject.ask(text, creator, "revise", var, other, hint=hint)
    expect_domains(text, creator, subject.domains({**before, x: after}), hint)
    return text, got


REVISED = "Letter i of x must be letter j of some word of y, where i, j = overlaps[x, y]."


FORK_DOMAINS = {FORK_A: "STORM ALBUM", FORK_B: "TAN TIP", FORK_C: "OWL", FORK_D: "MUD"}


@check("revise_no_overlap", "revise changes nothing when the variables do not cross")
def _revise_no_overlap(subject: Subject) -> None:
    before = FORK_DOMAINS
    hint = "Where overlaps[x, y] is None, return False before anything else."
    _revise(subject, FORK, before, (FORK_B, FORK_C), "TAN TIP", hint)


@check("revise_removes", "revise drops from x the words that y has no answer for")
def _revise_removes(subject: Subject) -> None:
    before = {STEM_A: "STORM ALBUM EIGHT", STEM_B: "TAN TIP LID"}
    _revise(subject, STEM, before, (STEM_A, STEM_B), "STORM ALBUM", REVISED)
    several = {STEM_A: "STORM ALBUM EIGHT ABOVE UNCLE", STEM_B: "TAN TIP OAK"}
    hint = f"{REVISED} All other words go, however many: return only after the loop."
    _revise(subject, STEM, several, (STEM_A, STEM_B), "STORM", hint)
    # In an open square the common letter is not the first one, and differs between the two.
    dice = puzzles.Dice(subject.guise.seed)
    rows = ("___", "___", "___")
    for _ in range(4):
        i, j = dice.below(3), dice.below(3)
        x, y = (i, 0, "across", 3), (0, j, "down", 3)
        mine, theirs = _words(dice, 6, 3, "ABCDE"), _words(dice, 3, 3, "ABCDE")
        kept = [word for word in mine if word[j] in {other[i] for other in theirs}]
        before = {x: " ".join(mine), y: " ".join(theirs)}
        _revise(subject, rows, before, (x, y), " ".join(kept), REVISED)


@check("revise_keeps", "revise keeps everything when each word of x has an answer in y")
def _revise_keeps(subject: Subject) -> None:
    before = {STEM_A: "STORM ALBUM", STEM_B: "TAN LID OAK"}
    hint = "One answer in y is enough for a word to stay; other words of y do not matter to it."
    _revise(subject, STEM, before, (STEM_A, STEM_B), "STORM ALBUM", hint)


@check("revise_empties", "revise may leave x without any word, and never touches y")
def _revise_empties(subject: Subject) -> None:
    before = {STEM_A: "EIGHT UNCLE", STEM_B: "TAN TIP"}
    hint = "revise(x, y) changes self.domains[x] only, even if nothing is left in it."
    _revise(subject, STEM, before, (STEM_A, STEM_B), "", hint)


# ac3

STAIR_BEFORE = {STAIR_A: "TEA RIB", STAIR_B: "ARC BAD", STAIR_C: "CAT DOG", STAIR_D: "TOE"}
STAIR_AFTER = {STAIR_A: "TEA", STAIR_B: "ARC", STAIR_C: "CAT", STAIR_D: "TOE"}


def _ac3(
    subject: Subject,
    rows: Iterable[str],
    before: Mapping[Place, str],
    arcs: list[tuple[Place, Place]] | None,
    after: Mapping[Place, str] | None,
    hint: str,
) -> None:
    """Call ac3; ``after`` None means that it must return False."""
    creator = subject.creator_with(rows, before)
    shown = show(subject.domains(before))
    if arcs is None:
        text = f"ac3() with domains {shown}"
        got = subject.ask(text, creator, "ac3", hint=hint)
    else:
        made = [(subject.variable(x), subject.variable(y)) for x, y in arcs]
        listed = ", ".join(f"({show(x)}, {show(y)})" for x, y in made)
        text = f"ac3([{listed}]) with domains {shown}"
        # By name, as the course's checks do it: a parameter called otherwise is a mistake.
        got = subject.ask(text, creator, "ac3", hint=hint, arcs=made)
    if after is None:
        if got:
            raise CheckFailedError(f"{text}: expected False, got {show(got)}", hint)
        return
    expect_domains(text, creator, subject.domains(after), hint)
    if not got:
        raise CheckFailedError(
            f"{text}: expected True, got {show(got)}",
            "Return True at the end, when the queue is empty and no domain is.",
        )


@check("ac3_all_arcs", "ac3() starts from all arcs of the puzzle")
def _ac3_all(subject: Subject) -> None:
    hint = "Without arcs, put every (x, y) that has an overlap into the queue: both directions."
    for a, b, left, right in (
        ("STORM ALBUM EIGHT", "TAN TIP OAK", "STORM", "TAN TIP"),
        ("STORM ALBUM EIGHT", "TAN TIP", "STORM", "TAN TIP"),  # only A loses words,
        ("STORM ALBUM", "TAN LID OAK", "STORM ALBUM", "TAN LID"),  # or only B,
        ("STORM ALBUM", "TAN LID", "STORM ALBUM", "TAN LID"),  # or none
    ):
        after = {STEM_A: left, STEM_B: right}
        _ac3(subject, STEM, {STEM_A: a, STEM_B: b}, None, after, hint)


@check("ac3_empty_list", "ac3([]) does nothing")
def _ac3_empty(subject: Subject) -> None:
    hint = (
        "An empty list is not None. Ask `if arcs is None:`; both `if not arcs:` and `arcs or ...` "
        "take an empty list for a missing one and start from all arcs."
    )
    _ac3(subject, STAIR, STAIR_BEFORE, [], STAIR_BEFORE, hint)
    ready = {STEM_A: "STORM ALBUM EIGHT", STEM_B: "TAN TIP OAK"}
    _ac3(subject, STEM, ready, [], ready, hint)


@check("ac3_one_arc", "ac3([(x, y)]) leaves alone what that arc does not disturb")
def _ac3_one(subject: Subject) -> None:
    before = {**STAIR_BEFORE, STAIR_B: "ARC"}
    after = {**before, STAIR_A: "TEA"}
    hint = "Start the queue with the given arcs alone; add (z, x) only when x has lost words."
    _ac3(subject, STAIR, before, [(STAIR_A, STAIR_B)], after, hint)
    # Here x keeps its words, so that nothing follows, whatever the others could lose.
    quiet = {**STAIR_BEFORE, STAIR_A: "TEA", STAIR_C: "CAT"}
    _ac3(subject, STAIR, quiet, [(STAIR_A, STAIR_B)], quiet, hint)


@check("ac3_one_arc_followers", "ac3([(x, y)]) goes on to the arcs into a variable that lost words")
def _ac3_followers(subject: Subject) -> None:
    hint = "When revise(x, y) returns True, add (z, x) for every neighbor z of x other than y."
    _ac3(subject, STAIR, STAIR_BEFORE, [(STAIR_C, STAIR_D)], STAIR_AFTER, hint)
    # All three neighbors must follow, not the first of them.
    before = {FORK_A: "STORM ALBUG", FORK_B: "BUS", FORK_C: "TWO TUB", FORK_D: "ARM EGG"}
    after = {FORK_A: "STORM", FORK_B: "BUS", FORK_C: "TWO", FORK_D: "ARM"}
    _ac3(subject, FORK, before, [(FORK_A, FORK_B)], after, hint)


@check("ac3_fixpoint", "ac3() goes round until nothing changes (check50 does not run this check)")
def _ac3_fixpoint(subject: Subject) -> None:
    # Words drop from right to left (DUO, BAD, RIB) and from left to right (EEL, LAG, GUM), each
    # because of the one before: hardly any order of the arcs does it all in one round.
    before = {
        STAIR_A: "TEA RIB",
        STAIR_B: "ARC BAD EEL",
        STAIR_C: "CAT DUO LAG",
        STAIR_D: "TOE GUM",
    }
    hint = "Once over all arcs is not enough: a word removed may be the last answer of another."
    _ac3(subject, STAIR, before, None, STAIR_AFTER, hint)
    # The same over eight variables, so that two or three rounds are too few as well.
    steps = [(k, k, "across", 3) if k % 2 == 0 else (k - 1, k + 1, "down", 3) for k in range(STEPS)]
    good, leftward, rightward = "ABCDEFGHI", "JKLMNOPQR", "STUVWXYZA"
    long = {
        place: " ".join(f"{chain[k]}E{chain[k + 1]}" for chain in (good, leftward, rightward))
        for k, place in enumerate(steps)
    }
    long[steps[0]] = "AEB JEK"
    long[steps[-1]] = "HEI ZEA"
    after = {place: f"{good[k]}E{good[k + 1]}" for k, place in enumerate(steps)}
    _ac3(subject, LONG_STAIR, long, None, after, hint)


@check("ac3_failure", "ac3() returns False when a domain becomes empty")
def _ac3_failure(subject: Subject) -> None:
    hint = "After revise(x, y), return False if not self.domains[x]."
    _ac3(subject, STAIR, {**STAIR_BEFORE, STAIR_D: "OWL"}, None, None, hint)
    _ac3(subject, STEM, {STEM_A: "EIGHT", STEM_B: "TAN TIP"}, [(STEM_A, STEM_B)], None, hint)


@check("ac3_pure", "ac3() looks at crossings only: the same word may stay in two domains")
def _ac3_pure(subject: Subject) -> None:
    before = {CORNER_A: "CAT TOP", CORNER_B: "CAT"}
    after = {CORNER_A: "CAT", CORNER_B: "CAT"}
    hint = "That words differ is the business of consistent, not of ac3 or revise."
    _ac3(subject, CORNER, before, None, after, hint)


# assignment_complete


def _complete(subject: Subject, assignment: Mapping[Place, str], expected: bool, hint: str) -> None:
    creator = subject.creator(COMB, COMB_WORDS)
    made = subject.assignment(assignment)
    text = f"assignment_complete({show(made)}) in a puzzle of 4 variables"
    got = subject.ask_only(text, creator, "assignment_complete", made, hint=hint)
    expect(text, got, expected, hint)


@check("complete_full", "assignment_complete says True when every variable has a word")
def _complete_full(subject: Subject) -> None:
    words = {COMB_A: "ABOUT", COMB_B: "XYZ", COMB_C: "OUT", COMB_D: "HELLO"}
    hint = (
        "Only presence counts here. The words need not fit, nor be in any list; return True itself."
    )
    _complete(subject, words, True, hint)
    _complete(subject, {**words, COMB_C: "XYZ", COMB_D: "ABOUT"}, True, hint)


@check("complete_empty", "assignment_complete says False of an empty assignment")
def _complete_empty(subject: Subject) -> None:
    _complete(
        subject, {}, False, "Loop over self.crossword.variables, not over the assignment's keys."
    )


@check("complete_partial", "assignment_complete says False when a variable is missing")
def _complete_partial(subject: Subject) -> None:
    hint = "Ask for every variable of self.crossword.variables; return False, not None."
    for missing in (COMB_C, COMB_A, COMB_B, COMB_D):
        words = {place: word for place, word in COMB_FILL.items() if place != missing}
        _complete(subject, words, False, hint)
        _complete(subject, {missing: COMB_FILL[missing]}, False, hint)


# consistent


def _consistent(
    subject: Subject,
    assignment: Mapping[Place, str],
    expected: bool,
    hint: str,
    rows: Sequence[str] = COMB,
) -> None:
    creator = subject.creator(rows, COMB_WORDS)
    made = subject.assignment(assignment)
    text = f"consistent({show(made)})"
    got = subject.ask_only(text, creator, "consistent", made, hint=hint)
    expect(text, got, expected, hint)


@check("consistent_empty", "consistent accepts an empty assignment")
def _consistent_empty(subject: Subject) -> None:
    _consistent(subject, {}, True, "Nothing assigned, nothing wrong: return True at the end.")


@check("consistent_partial", "consistent accepts a part of a fill")
def _consistent_partial(subject: Subject) -> None:
    for size in (2, 1, 3):
        for places in combinations(COMB_FILL, size):
            _consistent(
                subject,
                {place: COMB_FILL[place] for place in places},
                True,
                "Compare crossings only when both variables are assigned.",
            )


@check("consistent_full", "consistent accepts a fill, even of words that are in no list")
def _consistent_full(subject: Subject) -> None:
    words = {COMB_A: "QIQEQ", COMB_B: "IXA", COMB_C: "EYB", COMB_D: "QAQBQ"}
    _consistent(subject, words, True, "Check lengths, crossings and repetition, and nothing else.")


@check("consistent_length", "consistent rejects a word of the wrong length")
def _consistent_length(subject: Subject) -> None:
    hint = "Compare len(word) with var.length, for every variable of the assignment."
    for wrong in ({COMB_B: "ICED"}, {COMB_C: "EA"}, {COMB_A: "TIGERS"}, {COMB_D: "DEPT"}):
        _consistent(subject, wrong, False, hint)
        for place, word in COMB_FILL.items():
            if place not in wrong:
                _consistent(subject, {place: word, **wrong}, False, hint)
        _consistent(subject, {**COMB_FILL, **wrong}, False, hint)


@check("consistent_crossing", "consistent rejects crossing words with different letters")
def _consistent_crossing(subject: Subject) -> None:
    hint = (
        "With i, j = overlaps[x, y], letter i of x's word must be letter j of y's word, for every "
        "two variables of the assignment that cross: return True only after all of them."
    )
    _consistent(subject, {COMB_A: "TIGER", COMB_B: "ICE", COMB_C: "TEA"}, False, hint)
    for across, word in (
        (COMB_A, "TOGER"),
        (COMB_A, "TIGOR"),
        (COMB_D, "DOPTH"),
        (COMB_D, "DEPOH"),
    ):
        _consistent(subject, {**COMB_FILL, across: word}, False, hint)
    _consistent(subject, {COMB_D: "DEPTH", COMB_C: "TEE"}, False, hint)


@check(
    "consistent_repeats", "consistent rejects a word used twice (check50 does not run this check)"
)
def _consistent_repeats(subject: Subject) -> None:
    hint = (
        "All words must be different: compare len(set(assignment.values())) with len(assignment)."
    )
    _consistent(subject, {COMB_B: "ICE", COMB_C: "ICE"}, False, hint)
    _consistent(subject, {COMB_A: "TIGER", COMB_D: "TIGER"}, False, hint)
    _consistent(
        subject, {COMB_B: "ICE", COMB_A: "LILIL", COMB_D: "LEREL", COMB_C: "ICE"}, False, hint
    )
    _consistent(subject, {CORNER_A: "CAT", CORNER_B: "CAT"}, False, hint, CORNER)


# order_domain_values and select_unassigned_variable


def _words(dice: puzzles.Dice, count: int, length: int, letters: str) -> list[str]:
    """``count`` different words."""
    words: dict[str, None] = {}
    while len(words) < count:
        words["".join(letters[dice.below(len(letters))] for _ in range(length))] = None
    return list(words)


def _crossings(rows: Sequence[str]) -> dict[Place, dict[Place, tuple[int, int]]]:
    """The variables of a board, each with its neighbors and the position of the common letter."""
    cells: dict[Place, list[tuple[int, int]]] = {}
    for run in puzzles.runs(rows):
        direction = "across" if run[0][0] == run[1][0] else "down"
        cells[(*run[0], direction, len(run))] = run
    return {
        x: {
            y: (mine.index(cell), theirs.index(cell))
            for y, theirs in cells.items()
            if y != x
            for cell in mine
            if cell in theirs
        }
        for x, mine in cells.items()
    }


ORDERED = (
    "Count, for every neighbor that has no word yet, the words of its domain that do not agree on "
    "the common letter. Sort by the sum, smallest first. The result is a list."
)


@dataclass(frozen=True, slots=True)
class _Partial:
    """A grid, the domains of its variables, and the words assigned so far."""

    rows: Sequence[str]
    domains: Mapping[Place, Iterable[str]]
    assigned: Mapping[Place, str]


def _order(
    subject: Subject,
    partial: _Partial,
    place: Place,
    expected: Sequence[str],
    hint: str,
    tied: int = 1,
) -> None:
    """Ask for the order of a domain in which groups of ``tied`` words rule out equally many."""
    creator = subject.creator_with(partial.rows, partial.domains)
    var, made = subject.variable(place), subject.assignment(partial.assigned)
    near = {
        f"[{subject.variable(other)}] crosses at {a}, {b}": subject.domains(
            {other: words}
        ).popitem()[1]
        for other, (a, b) in _crossings(partial.rows)[place].items()
        for words in (partial.domains[other],)
    }
    text = (
        f"order_domain_values([{var}], {show(made)}) with its domain {show(creator.domains[var])} "
        f"and its neighbors' {show(near)}"
    )
    got = subject.ask_only(text, creator, "order_domain_values", var, made, hint=hint)
    right = subject.words(expected)
    if isinstance(got, list) and len(got) == len(right):
        got, right = (
            [word for start in range(0, len(order), tied) for word in sorted(order[start:][:tied])]
            for order in (got, right)
        )
    expect(text, got, right, hint)


def _random_order(subject: Subject, number: int, *, assigning: bool) -> None:
    """Domains made at random in which no two words rule out equally many."""
    dice = puzzles.Dice(100 * subject.guise.seed + number)
    rows = (FORK, COMB, RAGGED)[number % 3]
    crossings = _crossings(rows)
    candidates = [place for place, others in crossings.items() if len(others) > assigning]
    while True:
        place = candidates[dice.below(len(candidates))]
        domains = {other: _words(dice, 4, other[3], ALPHABET) for other in crossings}
        domains[place] = _words(dice, 4, place[3], "ABCD")
        for other in crossings[place]:
            words = _words(dice, 4 + dice.below(7), other[3], "ABCDEF"[: 4 + other[3] % 3])
            domains[other] = [word for word in words if word not in domains[place]]
        neighbors = dice.shuffled(list(crossings[place]))
        done = neighbors[: 1 + dice.below(len(neighbors) - 1)] if assigning else []
        ruled_out = {
            word: sum(
                theirs[crossings[place][other][1]] != word[crossings[place][other][0]]
                for other in neighbors
                if other not in done
                for theirs in domains[other]
            )
            for word in domains[place]
        }
        if len(set(ruled_out.values())) == len(ruled_out) and all(domains.values()):
            break
    assigned = {other: domains[other][0] for other in done}
    expected = sorted(ruled_out, key=lambda word: ruled_out[word])
    hint = ASSIGNED if assigning else ORDERED
    _order(subject, _Partial(rows, domains, assigned), place, expected, hint)


TIED = "Two words may rule out equally many; both are in the result."

ASSIGNED = (
    "Leave out the neighbors that are in the assignment already: their word is chosen, so that "
    "nothing can be ruled out there."
)


@check("order_values", "order_domain_values puts the least constraining word first")
def _order_values(subject: Subject) -> None:
    # STORM rules out one word of B, ALBUM two, EIGHT all three.
    domains = {STEM_A: ["EIGHT", "ALBUM", "STORM"], STEM_B: ["TAN", "TIP", "LID"]}
    _order(subject, _Partial(STEM, domains, {}), STEM_A, ["STORM", "ALBUM", "EIGHT"], ORDERED)
    words = ["STORM", "STEAM", "ALBUM", "CLOUD", "EIGHT", "SIGHT"]
    tied = {STEM_A: words, STEM_B: ["TAN", "TIP", "LID"]}
    _order(subject, _Partial(STEM, tied, {}), STEM_A, words, f"{ORDERED} {TIED}", tied=2)
    for number in range(3):
        _random_order(subject, number, assigning=False)


def _select(
    subject: Subject,
    rows: Sequence[str],
    sizes: Mapping[Place, int],
    assigned: Iterable[Place],
    expected: Place,
    hint: str,
) -> None:
    """Ask for a variable, with domains of these sizes."""
    crossings = _crossings(rows)
    dice = puzzles.Dice(subject.guise.seed)
    domains = {place: _words(dice, size, place[3], ALPHABET) for place, size in sizes.items()}
    creator = subject.creator_with(rows, domains)
    # The values are sets here, as in one of the course's checks: which value must not matter.
    made = subject.assignment({place: {domains[place][0]} for place in assigned})
    free = {
        show(var): f"{_counted(size, 'word')}, {_counted(len(crossings[place]), 'neighbor')}"
        for place, size in sizes.items()
        if (var := subject.variable(place)) not in made
    }
    assigned_text = ", ".join(map(show, made)) or "none"
    text = (
        f"select_unassigned_variable(assignment), assigned: {assigned_text}; "
        f"not assigned: {', '.join(f'{var} ({size})' for var, size in sorted(free.items()))}"
    )
    got = subject.ask_only(text, creator, "select_unassigned_variable", made, hint=hint)
    if got is None:
        raise CheckFailedError(
            f"{text}: got None", f"The method ended without returning a variable. {hint}"
        )
    if not hasattr(got, "direction"):
        raise CheckFailedError(f"{text}: got {show(got)}, which is no variable", hint)
    if got in made:
        raise CheckFailedError(
            f"{text}: got {show(got)}, which has a word already",
            "Leave out the variables that are in the assignment.",
        )
    expect(text, got, subject.variable(expected), hint)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _random_select(subject: Subject, number: int, kind: str) -> None:
    """Sizes made at random: one smallest domain, or several of which one has most neighbors.

    ``kind`` "degree" leaves out what depends on whether neighbors with a word count as neighbors,
    "assigned" takes only that. In both, a variable with more words has more neighbors yet.
    """
    dice = puzzles.Dice(100 * subject.guise.seed + number)
    crossings = _crossings(RAGGED)
    places = list(crossings)
    while True:
        assigned = set(dice.shuffled(list(places))[: dice.below(5)])
        sizes = {place: 1 if place in assigned else 2 + dice.below(3) for place in places}
        free = [place for place in places if place not in assigned]
        fewest = min(sizes[place] for place in free)
        tied = [place for place in free if sizes[place] == fewest]
        degree = {place: len(crossings[place]) for place in free}
        still = {place: sum(other in free for other in crossings[place]) for place in free}
        best = [place for place in tied if degree[place] == max(map(degree.__getitem__, tied))]
        lively = [place for place in tied if still[place] == max(map(still.__getitem__, tied))]
        larger = any(degree[place] > degree[best[0]] for place in free if place not in tied)
        if kind == "mrv":
            if len(tied) == 1:
                break
        elif len(tied) > 1 and len(best) == 1 and larger:
            if kind == "degree" and lively == best:
                break
            if kind == "assigned" and best[0] not in lively:
                break
    hint = {"mrv": FEWEST, "degree": DEGREE, "assigned": EVERY_NEIGHBOR}[kind]
    _select(subject, RAGGED, sizes, assigned, best[0], hint)


FEWEST = "Of the variables not in the assignment, the one with the smallest len(self.domains[var])."
DEGREE = (
    "Among equally small domains, and only among them, take the variable with most "
    "self.crossword.neighbors(var)."
)
EVERY_NEIGHBOR = (
    "The course's degree is the number of neighbors, len(self.crossword.neighbors(var)), whether "
    "they have a word already or not."
)


@check("select_mrv", "select_unassigned_variable takes the variable with the fewest words left")
def _select_mrv(subject: Subject) -> None:
    sizes = {FORK_A: 3, FORK_B: 1, FORK_C: 2, FORK_D: 3}
    _select(subject, FORK, sizes, [], FORK_B, FEWEST)
    _select(subject, FORK, sizes, [FORK_B], FORK_C, FEWEST)
    for number in range(3):
        _random_select(subject, number, "mrv")


@check(
    "select_degree",
    "select_unassigned_variable breaks ties by most neighbors (check50 does not run this check)",
)
def _select_degree(subject: Subject) -> None:
    sizes = dict.fromkeys((FORK_A, FORK_B, FORK_C, FORK_D), 2)
    _select(subject, FORK, sizes, [], FORK_A, DEGREE)
    _select(subject, FORK, sizes, [FORK_B], FORK_A, DEGREE)
    for number in range(4):
        _random_select(subject, number, "degree")


# solve


def expect_fill(text: str, creator: Any, words: Iterable[str], got: Any) -> None:
    """Fail unless ``got`` is a fill of the creator's crossword made of these words."""
    if got is None:
        raise CheckFailedError(
            f"{text}: got None, but there is a solution",
            "Does backtrack return what the call of itself returned? Is the old state put back "
            "when a word fails, the domains as well as the assignment?",
        )
    if not isinstance(got, Mapping):
        raise CheckFailedError(
            f"{text}: got {show(got)}", "Return a dictionary from variables to words."
        )
    crossword, listed = creator.crossword, {word.upper() for word in words}
    missing = [var for var in crossword.variables if not isinstance(got.get(var), str)]
    if missing:
        raise CheckFailedError(
            f"{text}: {show(missing[0])} has no word in {show(got)}",
            "Stop only when assignment_complete says so.",
        )
    first: dict[str, Any] = {}
    for var, word in sorted(got.items(), key=lambda item: str(item[0])):
        if word not in listed:
            raise CheckFailedError(f"{text}: {word!r} for {show(var)} is not in the word list")
        if len(word) != var.length:
            raise CheckFailedError(f"{text}: {word!r} does not fit {show(var)}", "Check lengths.")
        if word in first:
            raise CheckFailedError(
                f"{text}: {word!r} stands twice, in {show(first[word])} and in {show(var)}",
                "No word may be used twice. consistent has to see it: compare "
                "len(set(assignment.values())) with len(assignment).",
            )
        first[word] = var
    for (x, y), overlap in crossword.overlaps.items():
        if overlap is not None and got[x][overlap[0]] != got[y][overlap[1]]:
            raise CheckFailedError(
                f"{text}: {got[x]!r} in {show(x)} and {got[y]!r} in {show(y)} do not agree where "
                "they cross",
                "Call consistent on the new assignment before going on.",
            )


def _solve(subject: Subject, rows: Sequence[str], words: Iterable[str]) -> tuple[str, Any, Any]:
    """Call solve(); return the text of the call, the creator and the answer."""
    listed = subject.words(words)
    creator = subject.creator(rows, words)
    text = f"solve() on {' / '.join(subject.guise.rows(rows))} with {', '.join(listed)}"
    return text, creator, subject.ask(text, creator, "solve")


@check("solve_unique", "solve() finds the only solution of a puzzle")
def _solve_unique(subject: Subject) -> None:
    text, creator, got = _solve(subject, COMB, COMB_WORDS)
    expect_fill(text, creator, subject.words(COMB_WORDS), got)
    expect(text, got, subject.assignment(COMB_FILL), "This puzzle has one solution.")


@check("solve_none", "solve() returns None when there is no solution")
def _solve_none(subject: Subject) -> None:
    for missing in ("ICE", "TIGER", "DEPTH", "EAT"):
        text, _, got = _solve(subject, COMB, [word for word in COMB_WORDS if word != missing])
        expect(text, got, None, "Return None when every word of the chosen variable has failed.")


# What else the course specifies, most of it in the code that it provides

GIVEN = "This method came with the course: take it from there."

PAGE = 2**20
"""Maximum output in bytes, more than any grid needs."""

ENDLESS = "Is there a print in a loop that never ends, or in a function that calls itself?"


@check("revise_returns", "revise returns True if x has lost a word, and else False", "more")
def _revise_returns(subject: Subject) -> None:
    hint = "Note whether a word went, and return that at the end: ac3 needs to know."
    for mine, theirs, after in (
        ("STORM ALBUM EIGHT", "TAN TIP LID", "STORM ALBUM"),
        ("STORM ALBUM", "TAN LID OAK", "STORM ALBUM"),
        ("EIGHT UNCLE", "TAN TIP", ""),
    ):
        before = {STEM_A: mine, STEM_B: theirs}
        text, got = _revise(subject, STEM, before, (STEM_A, STEM_B), after, REVISED)
        expect(f"{text}: what it returns", bool(got), mine != after, hint)
    text, got = _revise(subject, FORK, FORK_DOMAINS, (FORK_B, FORK_C), "TAN TIP", REVISED)
    expect(f"{text}: what it returns", bool(got), False, hint)


@check("order_values_unassigned", "order_domain_values counts unassigned neighbors only", "more")
def _order_unassigned(subject: Subject) -> None:
    # Of B, STORM rules out none and TRAIL three; of C two and none; of D one each.
    domains = {
        FORK_A: ["STORM", "TRAIL"],
        FORK_B: ["BUS", "GAS", "YES"],
        FORK_C: ["SPA", "TEA"],
        FORK_D: ["MUM", "OIL"],
    }
    _order(subject, _Partial(FORK, domains, {FORK_B: "BUS"}), FORK_A, ["TRAIL", "STORM"], ASSIGNED)
    for number in range(3):
        _random_order(subject, number, assigning=True)


@check(
    "select_degree_assigned",
    "select_unassigned_variable counts neighbors that have a word like the others",
    "more",
)
def _select_degree_assigned(subject: Subject) -> None:
    for number in range(4):
        _random_select(subject, number, "assigned")


@check("own_domains", "every variable starts with a set of its own", "more")
def _own_domains(subject: Subject) -> None:
    creator = subject.creator(STEM, ["STORM", "TAN"])
    hint = "Give each variable a copy: self.crossword.words.copy()."
    creator.domains[subject.variable(STEM_A)].discard(subject.guise.word("TAN"))
    got, words = creator.domains[subject.variable(STEM_B)], set(subject.words("STORM TAN"))
    expect("the domain of B after removing TAN from A's", got, words, hint)
    expect("crossword.words after that", set(creator.crossword.words), words, hint)


@check("letter_grid", "letter_grid writes the words down, None elsewhere", "more", in_guises=False)
def _letter_grid(subject: Subject) -> None:
    creator = subject.creator(STEM, ["STORM", "TAN"])
    made = subject.assignment({STEM_B: "TAN"})
    text = f"letter_grid({show(made)})"
    expected = [[None, letter, None, None, None] for letter in "TAN"]
    got = subject.ask(text, creator, "letter_grid", made, hint=GIVEN)
    expect(text, got, expected, GIVEN)


@check("print", "print shows letters, blanks and full blocks, row by row", "more", in_guises=False)
def _print(subject: Subject) -> None:
    creator = subject.creator(STEM, ["STORM", "TAN"])
    made = subject.assignment({STEM_B: "TAN"})
    text = f"print({show(made)})"
    with contextlib.redirect_stdout(_Page(text)) as output:
        subject.ask(text, creator, "print", made, hint=GIVEN)
    expect(text, output.getvalue(), " T   \n█A███\n█N███\n", GIVEN)


class _Page(io.StringIO):
    """Standard output that takes a limited number of characters."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def write(self, text: str, /) -> int:
        if self.tell() + len(text) > PAGE:
            raise CheckFailedError(f"{self._text} prints without end", ENDLESS)
        return super().write(text)


def _command(subject: Subject, *puzzle: Sequence[str], expected: str, status: int = 0) -> None:
    """Run generate.py as a command: ``expected`` on stdout, or on stderr if ``status`` is not 0.

    ``puzzle`` is empty, or the rows of a structure and the words.
    """
    shown, again = "python generate.py", "Run this command yourself"
    arguments: tuple[str, ...] = ()
    if puzzle:
        rows, words = puzzle
        arguments = subject.files(rows, words)
        shown += " STRUCTURE WORDS"
        again = (
            f"Write {' / '.join(rows)} into a file STRUCTURE, one row per line, and "
            f"{', '.join(words)} into a file WORDS, one word per line, and run this command"
        )
    subject.diary("call", shown)
    # Files can be limited in size, and need not be read until every process has closed them.
    with (
        tempfile.TemporaryFile() as stdout,
        tempfile.TemporaryFile() as stderr,
        _files_limited_to(2 * PAGE),
    ):
        process = subprocess.Popen(
            [sys.executable, "-S", "-u", "generate.py", *arguments],
            cwd=subject.folder,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
        )
        try:
            process.wait(2)
        except subprocess.TimeoutExpired:
            _wait(subject, process, stderr if status else stdout, expected)
        printed, said = _read(stdout), _read(stderr)
    subject.diary("call", "")

    if max(len(printed), len(said)) > PAGE:
        raise CheckFailedError(f"{shown} prints without end", ENDLESS)
    last = said.strip().splitlines()[-1:] or printed.strip().splitlines()[-1:]
    if "Traceback (most recent call last)" in said:
        raise CheckFailedError(
            f"{shown} raised {last[0]}{_place(said, subject.folder)}",
            f"{again}, with `python -S` if a module is missing here.",
        )
    if process.returncode != status:
        raise CheckFailedError(
            f"{shown}: expected exit status {status}, got {process.returncode}"
            + (f" ({last[0]})" if last else ", and no word about the cause"),
            f"{again}.",
        )
    got, other = (said, printed) if status else (printed, said)
    hint = "main() and print came with the course. Remove print calls of your own."
    if not got and other:
        where = ("stderr", "stdout") if status else ("stdout", "stderr")
        raise CheckFailedError(
            f"{shown}: expected {show(expected)} on {where[0]}, got nothing there and "
            f"{show(other)} on {where[1]}",
            hint,
        )
    expect(f"{shown}: what it writes", got, expected, hint)


def _place(traceback: str, folder: Path) -> str:
    """Return the last place of the program in a printed traceback, as ``describe`` words it."""
    places = re.findall(r'^  File "(.+)", line (\d+), in (\S+)$', traceback, re.MULTILINE)
    for file, line, function in reversed(places):
        if folder in Path(file).parents:
            return f" ({Path(file).relative_to(folder)}, line {line}, in {function})"
    return ""


def _wait(
    subject: Subject, process: subprocess.Popen[bytes], output: IO[bytes], expected: str
) -> None:
    """Wait for the end; note it if the process has printed everything but does not end."""
    noted = False
    while process.poll() is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.2)
        if not noted and process.poll() is None and _read(output) == expected:
            subject.diary("note", "It has printed everything it should, but it does not end.")
            subject.diary(
                "hint", "Is a thread that it has started still running, or a loop in main()?"
            )
            noted = True


def _read(file: IO[bytes]) -> str:
    """Return the text of a file, at most a little more than a page."""
    size = os.fstat(file.fileno()).st_size
    # Both processes share the position at which the other one writes, so it must not move.
    if hasattr(os, "pread"):
        content = os.pread(file.fileno(), min(size, PAGE + 1), 0)
    else:
        file.seek(0)
        content = file.read(PAGE + 1)
        file.seek(size)
    return content.decode("utf-8", "replace").replace("\r\n", "\n")


@contextlib.contextmanager
def _files_limited_to(size: int) -> Iterator[None]:
    """Limit the size of files that processes started in this context write, where possible."""
    try:
        import resource
    except ImportError:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    limit = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@check(
    "command_usage",
    "python generate.py without arguments explains its usage",
    "more",
    in_guises=False,
)
def _usage(subject: Subject) -> None:
    _command(subject, expected="Usage: python generate.py structure words [output]\n", status=1)


@check(
    "command_solution",
    "python generate.py structure words prints the grid",
    "more",
    in_guises=False,
)
def _prints(subject: Subject) -> None:
    _command(subject, COMB, COMB_WORDS, expected="TIGER\n█C█A█\nDEPTH\n")


@check(
    "command_no_solution",
    "python generate.py structure words prints No solution.",
    "more",
    in_guises=False,
)
def _prints_none(subject: Subject) -> None:
    _command(subject, COMB, ["TIGER", "ICE"], expected="No solution.\n")


@check("solve_repeats", "solve() never uses a word twice", "more")
def _solve_repeats(subject: Subject) -> None:
    # Across and down from a corner, the same word fits; only the rule forbids it.
    for rows, words in ((SQUARE, ["CAT", "TOP"]), (CORNER, ["CAT"])):
        text, creator, got = _solve(subject, rows, words)
        if got is not None:
            expect_fill(text, creator, subject.words(words), got)


def _fills(
    crossings: Mapping[Place, Mapping[Place, tuple[int, int]]],
    words: Sequence[str],
    chosen: dict[Place, str],
) -> Iterator[dict[Place, str]]:
    """Yield all fills with the words chosen so far, by exhaustive search."""
    if len(chosen) == len(crossings):
        yield dict(chosen)
        return
    place = next(place for place in crossings if place not in chosen)
    for word in words:
        if (
            len(word) == place[3]
            and word not in chosen.values()
            and all(
                word[a] == chosen[other][b]
                for other, (a, b) in crossings[place].items()
                if other in chosen
            )
        ):
            yield from _fills(crossings, words, {**chosen, place: word})


def _random_puzzle(dice: puzzles.Dice, rows: Sequence[str], *, fillable: bool) -> list[str]:
    """Return words for a board: those of a fill, if ``fillable``, and others that mislead."""
    crossings = _crossings(rows)
    while True:
        letters = {cell: "ABCDE"[dice.below(5)] for run in puzzles.runs(rows) for cell in run}
        planted = ["".join(letters[cell] for cell in run) for run in puzzles.runs(rows)]
        if len(set(planted)) < len(planted):
            continue
        others = {
            word
            for length in sorted({place[3] for place in crossings})
            for word in _words(dice, 5, length, "ABCDE")
        }
        if fillable:
            return sorted(others.union(planted))
        words = sorted(others.union(planted[1:]))
        if next(_fills(crossings, words, {}), None) is None:
            return words


@check("solve_small", "solve() and trying everything agree on small puzzles", "more")
def _solve_small(subject: Subject) -> None:
    dice = puzzles.Dice(subject.guise.seed)
    hint = (
        "It has none: look at consistent, and at what backtrack returns when all words have failed."
    )
    for fillable in (True, True, False):
        rows = (FORK, STAIR, RING, COMB, SQUARE)[dice.below(5)]
        words = _random_puzzle(dice, rows, fillable=fillable)
        text, creator, got = _solve(subject, rows, words)
        if fillable:
            expect_fill(text, creator, subject.words(words), got)
        else:
            expect(text, got, None, hint)


@check("backtrack_partial", "backtrack completes an assignment, or returns None", "more")
def _backtrack_partial(subject: Subject) -> None:
    dice = puzzles.Dice(subject.guise.seed)
    rows = (FORK, COMB)[dice.below(2)]
    crossings = _crossings(rows)
    words = [*COMB_WORDS] if rows == COMB else _random_puzzle(dice, rows, fillable=True)
    place = list(crossings)[dice.below(len(crossings))]
    for word in [word for word in words if len(word) == place[3]]:
        creator = subject.creator(rows, words)
        given = subject.assignment({place: word})
        text = (
            f"enforce_node_consistency(), then backtrack({show(given)}) on "
            f"{' / '.join(subject.guise.rows(rows))} with {', '.join(subject.words(words))}"
        )
        subject.ask(text, creator, "enforce_node_consistency")
        got = subject.ask(text, creator, "backtrack", dict(given))
        if next(_fills(crossings, words, {place: word}), None) is None:
            expect(
                text,
                got,
                None,
                "Return None when what is given cannot be completed; start no new assignment.",
            )
        else:
            expect_fill(text, creator, subject.words(words), got)
            expect(
                f"{text}: {show(subject.variable(place))}",
                got[subject.variable(place)],
                subject.guise.word(word),
                "Go on from the assignment that is given; start no new one.",
            )


# Hard puzzles


def _watch(subject: Subject, creator: Any) -> None:
    """Note what the first calls of ``backtrack`` receive, for a search that does not end in time.

    Replaces ``backtrack`` by a wrapper that removes itself after a few calls.
    """
    original, calls = getattr(creator, "backtrack", None), 0
    if original is None:
        return

    def backtrack(assignment: Mapping[Any, Any], *rest: Any) -> Any:
        nonlocal calls
        calls += 1
        wide = [
            (var, len(creator.domains[var]))
            for var, word in assignment.items()
            if word is not None and len(creator.domains.get(var, ())) > 1
        ]
        if wide:
            var, size = wide[0]
            subject.diary(
                "note",
                f"backtrack was called with {assignment[var]} already in {show(var)}, while "
                f"self.domains still held {size} words for that variable: from such a domain "
                "inference can conclude nothing.",
            )
        if wide or calls > 100:
            del creator.backtrack
        return original(assignment, *rest)

    with contextlib.suppress(AttributeError):
        creator.backtrack = backtrack


def _hard(puzzle: puzzles.Hard) -> None:
    @check(puzzle.name, puzzle.description, "hard", in_guises=False)
    def run(subject: Subject) -> None:
        words = puzzle.words()
        creator = subject.creator(puzzle.rows, words)
        _watch(subject, creator)
        height, width = len(puzzle.rows), len(puzzle.rows[0])
        text = f"solve() on a grid of {height} rows and {width} columns with {len(words)} words"
        got = subject.ask(text, creator, "solve")
        if puzzle.fillable:
            expect_fill(text, creator, words, got)
        elif got is not None:
            expect_fill(text, creator, words, got)
            raise AssertionError(f"{puzzle.name} is believed to have no fill")


for _puzzle in puzzles.HARD:
    _hard(_puzzle)
