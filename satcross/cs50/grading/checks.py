"""The checks of a generate.py: what is asked, and messages that help the student.

``checks.toml`` lists the checks with their cases. Here is how a case of each kind is asked, and the
checks that are more than cases.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from . import puzzles
from .data import DATA
from .subject import (
    ALPHABET,
    BOARDS,
    CHECKS,
    ENDLESS,
    HINTS,
    PAGE,
    PLACES,
    Check,
    CheckFailedError,
    Place,
    Subject,
    expect,
    expect_domains,
    show,
)

INFERENCE_HINT, REVISE_HINT = HINTS["inference"], HINTS["linear"]
COMB_WORDS = ["TIGER", "DEPTH", "ICE", "EAT", "LEMON", "ANT", "OWL", "ORE", "STORM", "INK", "ELM"]

Case = Mapping[str, Any]


def _named(case: Case, key: str) -> dict[Place, Any]:
    """Return the values of a case by place instead of by letter."""
    places = PLACES[case["board"]]
    return {places[name]: value for name, value in case.get(key, {}).items()}


# How the cases of each kind are asked


def _node(subject: Subject, case: Case, hint: str) -> None:
    creator = subject.creator(BOARDS[case["board"]], case["words"].split())
    text = "enforce_node_consistency()"
    subject.ask(text, creator, "enforce_node_consistency", hint=hint)
    expect_domains(text, creator, subject.domains(_named(case, "after")), hint)


def _revise(subject: Subject, case: Case, hint: str) -> None:
    x, y = (PLACES[case["board"]][name] for name in case["arc"])
    before, hint = _named(case, "before"), hint + case.get("more", "")
    creator = subject.creator_with(BOARDS[case["board"]], before)
    made = subject.domains(before)
    var, other = subject.variable(x), subject.variable(y)
    text = f"revise(x, y) with x = [{var}] in {show(made[var])} and y = [{other}] in "
    text += show(made[other])
    got = subject.ask(text, creator, "revise", var, other, hint=hint)
    expect_domains(text, creator, subject.domains({**before, x: case["after"]}), hint)
    if "returns" in case:
        expect(f"{text}: what it returns", bool(got), before[x] != case["after"], case["returns"])


def _ac3(subject: Subject, case: Case, hint: str) -> None:
    """Call ac3; a case without ``after`` means that it must return False.

    With ``returns``, a hint, it must return True otherwise, which the course's grader never asks.
    """
    before, places = _named(case, "before"), PLACES[case["board"]]
    creator = subject.creator_with(BOARDS[case["board"]], before)
    shown = show(subject.domains(before))
    if "arcs" not in case:
        text = f"ac3() with domains {shown}"
        got = subject.ask(text, creator, "ac3", hint=hint)
    else:
        made = [tuple(subject.variable(places[name]) for name in arc) for arc in case["arcs"]]
        listed = ", ".join(f"({show(x)}, {show(y)})" for x, y in made)
        text = f"ac3([{listed}]) with domains {shown}"
        # By name, as the course's checks do it: a parameter called otherwise is a mistake.
        got = subject.ask(text, creator, "ac3", hint=hint, arcs=made)
    if "after" not in case:
        if got:
            raise CheckFailedError(f"{text}: expected False, got {show(got)}", hint)
        return
    expect_domains(text, creator, subject.domains(_named(case, "after")), hint)
    if "returns" in case and not got:
        raise CheckFailedError(f"{text}: expected True, got {show(got)}", case["returns"])


def _judgement(subject: Subject, case: Case, hint: str) -> None:
    """Ask whether an assignment is complete, or consistent."""
    creator = subject.creator(BOARDS[case["board"]], COMB_WORDS)
    made = subject.assignment(_named(case, "words"))
    is_about_all = case["kind"] == "assignment_complete"
    text = f"{case['kind']}({show(made)})" + is_about_all * " in a puzzle of 4 variables"
    got = subject.ask_only(text, creator, case["kind"], made, hint=hint)
    expect(text, got, case["expected"], hint)


def _order(subject: Subject, case: Case, hint: str) -> None:
    """Ask for the order of a domain in which groups of ``tied`` words rule out equally many."""
    rows, place = BOARDS[case["board"]], PLACES[case["board"]][case["place"]]
    domains, hint = _named(case, "domains"), hint + case.get("more", "")
    creator = subject.creator_with(rows, domains)
    var, made = subject.variable(place), subject.assignment(_named(case, "assigned"))
    crossword = creator.crossword
    near = {
        "{} crosses at {}, {}".format(show(other), *crossword.overlaps[var, other]): (
            creator.domains[other]
        )
        for other in crossword.neighbors(var)
    }
    text = (
        f"order_domain_values([{var}], {show(made)}) with its domain {show(creator.domains[var])} "
        f"and its neighbors' {show(near)}"
    )
    got = subject.ask_only(text, creator, "order_domain_values", var, made, hint=hint)
    right, tied = subject.words(case["expected"]), case.get("tied", 1)
    if isinstance(got, list) and len(got) == len(right):
        got, right = (
            [word for start in range(0, len(order), tied) for word in sorted(order[start:][:tied])]
            for order in (got, right)
        )
    expect(text, got, right, hint)


def _select(subject: Subject, case: Case, hint: str) -> None:
    """Ask for a variable, with domains of the sizes of the case."""
    places, sizes = PLACES[case["board"]], _named(case, "sizes")
    dice = puzzles.Dice(subject.guise.seed)
    domains = {place: _words(dice, size, place[3]) for place, size in sizes.items()}
    creator = subject.creator_with(BOARDS[case["board"]], domains)
    # The values are sets here, as in one of the course's checks: which value must not matter.
    assigned = [places[name] for name in case["assigned"]]
    made = subject.assignment({place: {domains[place][0]} for place in assigned})
    free = {
        show(var): f"{_counted(len(words), 'word')}, "
        f"{_counted(len(creator.crossword.neighbors(var)), 'neighbor')}"
        for var, words in creator.domains.items()
        if var not in made
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
    expect(text, got, subject.variable(places[case["expected"]]), hint)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _words(dice: puzzles.Dice, count: int, length: int) -> list[str]:
    """``count`` different words."""
    words: dict[str, None] = {}
    while len(words) < count:
        words["".join(ALPHABET[dice.below(26)] for _ in range(length))] = None
    return list(words)


def _solve(subject: Subject, case: Case, hint: str) -> None:
    """Call solve(); ``fill`` is the only fill, says whether there is one, or is left open."""
    rows, words, fill = BOARDS[case["board"]], case["words"].split(), case.get("fill")
    creator = subject.creator(rows, words)
    text = f"solve() on {_puzzle_text(subject, case)}"
    got = subject.ask(text, creator, "solve")
    if fill is False:
        expect(text, got, None, hint)
    elif fill or got is not None:
        expect_fill(text, creator, subject.words(words), got)
    if isinstance(fill, dict):
        expect(text, got, subject.assignment(_named(case, "fill")), hint)


def _puzzle_text(subject: Subject, case: Case) -> str:
    rows, words = subject.guise.rows(BOARDS[case["board"]]), subject.words(case["words"])
    return f"{' / '.join(rows)} with {', '.join(words)}"


def _partial(subject: Subject, case: Case, hint: str) -> None:
    """Call backtrack with each word of a place, of which ``possible`` ones are part of a fill."""
    words, place = case["words"].split(), PLACES[case["board"]][case["place"]]
    for possible, key in ((True, "possible"), (False, "impossible")):
        for word in case[key].split():
            creator = subject.creator(BOARDS[case["board"]], words)
            given = subject.assignment({place: word})
            text = f"enforce_node_consistency(), then backtrack({show(given)}) on "
            text += _puzzle_text(subject, case)
            subject.ask(text, creator, "enforce_node_consistency")
            got = subject.ask(text, creator, "backtrack", dict(given))
            if not possible:
                hint = (
                    "Return None when what is given cannot be completed; start no new assignment."
                )
                expect(text, got, None, hint)
                continue
            expect_fill(text, creator, subject.words(words), got)
            [(var, kept)] = given.items()
            hint = "Go on from the assignment that is given; start no new one."
            expect(f"{text}: {show(var)}", got[var], kept, hint)


def _command(subject: Subject, case: Case, hint: str) -> None:
    from .command import run_command  # the worker has loaded it if it is needed

    puzzle = [BOARDS[case["board"]], case["words"].split()] if "words" in case else []
    run_command(subject, *puzzle, expected=case["expected"], status=case.get("status", 0))


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


# Checks without cases


def _importable(subject: Subject, case: Case, hint: str) -> None:
    for name in ("Variable", "Crossword", "CrosswordCreator"):
        if not hasattr(subject.module, name):
            raise CheckFailedError(
                f"generate.py was imported, but generate.{name} does not exist",
                "Keep `from crossword import *` at the top, and the class CrosswordCreator.",
            )
    creator = _stem(subject)
    domains = subject.domains(dict.fromkeys(PLACES["STEM"].values(), "STORM TAN"))
    expect_domains("CrosswordCreator(crossword)", creator, domains, hint)


def _stem(subject: Subject) -> Any:
    return subject.creator(BOARDS["STEM"], ["STORM", "TAN"])


def _own_domains(subject: Subject, case: Case, hint: str) -> None:
    creator = _stem(subject)
    creator.domains[subject.variable(PLACES["STEM"]["A"])].discard(subject.guise.word("TAN"))
    got = creator.domains[subject.variable(PLACES["STEM"]["B"])]
    words = set(subject.words("STORM TAN"))
    expect("the domain of B after removing TAN from A's", got, words, hint)
    expect("crossword.words after that", set(creator.crossword.words), words, hint)


def _shown(subject: Subject, case: Case, hint: str) -> None:
    """Ask for the letters of an assignment, or to print it."""
    creator, made = _stem(subject), subject.assignment({PLACES["STEM"]["B"]: "TAN"})
    text = f"{case['kind']}({show(made)})"
    with contextlib.redirect_stdout(_Page(text)) as output:
        got = subject.ask(text, creator, case["kind"], made, hint=hint)
    if case["kind"] == "print":
        expect(text, output.getvalue(), " T   \n█A███\n█N███\n", hint)
    else:
        expect(text, got, [[None, letter, None, None, None] for letter in "TAN"], hint)


class _Page(io.StringIO):
    """Standard output that takes a limited number of characters."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def write(self, text: str, /) -> int:
        if self.tell() + len(text) > PAGE:
            raise CheckFailedError(f"{self._text} prints without end", ENDLESS)
        return super().write(text)


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
        given = [var for var, word in assignment.items() if word is not None]
        wide = [(v, len(creator.domains[v])) for v in given if len(creator.domains.get(v, ())) > 1]
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


def _ask_hard(subject: Subject, puzzle: puzzles.Hard) -> None:
    words = puzzle.words()
    creator = subject.creator(puzzle.rows, words)
    _watch(subject, creator)
    height, width = len(puzzle.rows), len(puzzle.rows[0])
    text = f"solve() on a grid of {height} rows and {width} columns with {len(words)} words"
    got = subject.ask(text, creator, "solve")
    if puzzle.planted:
        expect_fill(text, creator, words, got)
    elif got is not None:
        expect_fill(text, creator, words, got)
        raise AssertionError(f"{puzzle.name} is believed to have no fill")


KINDS: dict[str, Callable[[Subject, Case, str], None]] = {
    "node": _node,
    "revise": _revise,
    "ac3": _ac3,
    "assignment_complete": _judgement,
    "consistent": _judgement,
    "order": _order,
    "select": _select,
    "solve": _solve,
    "partial": _partial,
    "command": _command,
    "importable": _importable,
    "own_domains": _own_domains,
    "letter_grid": _shown,
    "print": _shown,
}


def _ask(subject: Subject, entry: Case) -> None:
    """Ask a check of checks.toml, or the cases alone that decide it."""
    hint, cases = str(entry.get("hint", "")), entry.get("cases", [{}])
    for case in cases[: entry.get("deciding", 1)] if subject.deciding else cases:
        KINDS[entry["kind"]](subject, {"board": "COMB", **entry, **case}, HINTS.get(hint, hint))


for _entry in DATA["check"]:
    CHECKS[_entry["name"]] = Check(
        _entry["name"],
        _entry["description"],
        _entry.get("group", "course"),
        _entry.get("guises", True),
        _entry.get("course", ""),
        partial(_ask, entry=_entry),
    )
for _puzzle in puzzles.HARD:
    CHECKS[_puzzle.name] = Check(
        _puzzle.name, _puzzle.description, "hard", False, "", partial(_ask_hard, puzzle=_puzzle)
    )
