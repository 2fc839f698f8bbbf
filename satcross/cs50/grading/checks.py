"""The checks of a generate.py: what is asked, and messages that help the student.

``checks.toml`` lists the checks with their cases. Here is how a case of each kind is asked, and the
checks that are more than cases: random ones, whose answers are computed from the definition, and
those of ``solve``, of the command and of hard puzzles.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

from . import puzzles
from .command import ENDLESS, PAGE, run_command
from .subject import (
    ALPHABET,
    BOARDS,
    CHECKS,
    DATA,
    HINTS,
    PLACES,
    Check,
    CheckFailedError,
    Place,
    Subject,
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
COMB, COMB_PLACES = BOARDS["COMB"], PLACES["COMB"]
COMB_WORDS = ["TIGER", "DEPTH", "ICE", "EAT", "LEMON", "ANT", "OWL", "ORE", "STORM", "INK", "ELM"]
COMB_FILL = {
    COMB_PLACES[name]: word
    for name, word in {"A": "TIGER", "B": "ICE", "C": "EAT", "D": "DEPTH"}.items()
}
STEPS = 8
LONG_STAIR = tuple(
    "".join(
        "_" if 0 <= column - (row - row % 2) < 3 and (row % 2 == 0 or column == row + 1) else "#"
        for column in range(STEPS + 1)
    )
    for row in range(STEPS + 1)
)
"""A stair of eight, each variable crossing the next one only."""

Case = Mapping[str, Any]
Domains = Mapping[Place, Iterable[str]]
Crossings = Mapping[Place, Mapping[Place, tuple[int, int]]]


def _named(board: str, values: Mapping[str, Any]) -> dict[Place, Any]:
    """Return the values of a case by place instead of by letter."""
    return {PLACES[board][name]: value for name, value in values.items()}


# How the cases of each kind are asked


def _node(subject: Subject, case: Case, hint: str) -> None:
    creator = subject.creator(BOARDS[case["board"]], case["words"].split())
    text = "enforce_node_consistency()"
    subject.ask(text, creator, "enforce_node_consistency", hint=hint)
    expect_domains(text, creator, subject.domains(_named(case["board"], case["after"])), hint)


def _revise_case(subject: Subject, case: Case, hint: str, returns: str = "") -> None:
    x, y = (PLACES[case["board"]][name] for name in case["arc"])
    before = _named(case["board"], case["before"])
    rows = BOARDS[case["board"]]
    text, got = _revise(subject, rows, before, (x, y), case["after"], hint + case.get("more", ""))
    if returns:
        expect(f"{text}: what it returns", bool(got), before[x] != case["after"], returns)


def _revise(
    subject: Subject,
    rows: Iterable[str],
    before: Domains,
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


def _ac3_case(subject: Subject, case: Case, hint: str) -> None:
    board, arcs = case["board"], case.get("arcs")
    made = None if arcs is None else [tuple(PLACES[board][name] for name in arc) for arc in arcs]
    after = _named(board, case["after"]) if "after" in case else None
    _ac3(subject, BOARDS[board], _named(board, case["before"]), made, after, hint)


def _ac3(
    subject: Subject,
    rows: Iterable[str],
    before: Mapping[Place, str],
    arcs: Sequence[tuple[Place, ...]] | None,
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


def _complete(subject: Subject, case: Case, hint: str) -> None:
    creator = subject.creator(COMB, COMB_WORDS)
    made = subject.assignment(_named("COMB", case["words"]))
    text = f"assignment_complete({show(made)}) in a puzzle of 4 variables"
    got = subject.ask_only(text, creator, "assignment_complete", made, hint=hint)
    expect(text, got, case["expected"], hint)


def _consistent_case(subject: Subject, case: Case, hint: str) -> None:
    board = case.get("board", "COMB")
    words = _named(board, case["words"])
    _consistent(subject, words, case["expected"], hint, BOARDS[board])


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


def _order_case(subject: Subject, case: Case, hint: str) -> None:
    board = case["board"]
    domains = {place: words.split() for place, words in _named(board, case["domains"]).items()}
    question = _Order(
        BOARDS[board],
        domains,
        _named(board, case.get("assigned", {})),
        PLACES[board][case["place"]],
    )
    expected = case["expected"].split()
    _order(subject, question, expected, hint + case.get("more", ""), case.get("tied", 1))


@dataclass(frozen=True, slots=True)
class _Order:
    """A grid, the domains of its variables, the words assigned so far, and the variable asked."""

    rows: Sequence[str]
    domains: Domains
    assigned: Mapping[Place, str]
    place: Place


def _order(
    subject: Subject,
    question: _Order,
    expected: Sequence[str],
    hint: str,
    tied: int = 1,
) -> None:
    """Ask for the order of a domain in which groups of ``tied`` words rule out equally many."""
    creator = subject.creator_with(question.rows, question.domains)
    var, made = subject.variable(question.place), subject.assignment(question.assigned)
    near = {
        f"[{subject.variable(other)}] crosses at {a}, {b}": subject.domains(
            {other: words}
        ).popitem()[1]
        for other, (a, b) in _crossings(question.rows)[question.place].items()
        for words in (question.domains[other],)
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


def _select_case(subject: Subject, case: Case, hint: str) -> None:
    board, places = case["board"], PLACES[case["board"]]
    assigned = [places[name] for name in case["assigned"]]
    sizes = _named(board, case["sizes"])
    _select(subject, BOARDS[board], sizes, assigned, places[case["expected"]], hint)


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


_KINDS: dict[str, Callable[..., None]] = {
    "node": _node,
    "revise": _revise_case,
    "ac3": _ac3_case,
    "complete": _complete,
    "consistent": _consistent_case,
    "order": _order_case,
    "select": _select_case,
}


# Checks, or parts of them, that are functions: named in checks.toml


def importable(subject: Subject, hint: str) -> None:
    for name in ("Variable", "Crossword", "CrosswordCreator"):
        if not hasattr(subject.module, name):
            raise CheckFailedError(
                f"generate.py was imported, but generate.{name} does not exist",
                "Keep `from crossword import *` at the top, and the class CrosswordCreator.",
            )
    creator = subject.creator(BOARDS["STEM"], ["STORM", "TAN"])
    expect_domains(
        "CrosswordCreator(crossword)",
        creator,
        subject.domains(_named("STEM", {"A": "STORM TAN", "B": "STORM TAN"})),
        "At first every variable may take every word: self.crossword.words.copy().",
    )


def revise_at_random(subject: Subject, hint: str) -> None:
    """In an open square the common letter is not the first one, and differs between the two."""
    dice = puzzles.Dice(subject.guise.seed)
    for _ in range(4):
        i, j = dice.below(3), dice.below(3)
        x, y = (i, 0, "across", 3), (0, j, "down", 3)
        mine, theirs = _words(dice, 6, 3, "ABCDE"), _words(dice, 3, 3, "ABCDE")
        kept = [word for word in mine if word[j] in {other[i] for other in theirs}]
        before = {x: " ".join(mine), y: " ".join(theirs)}
        _revise(subject, ("___",) * 3, before, (x, y), " ".join(kept), hint)


def ac3_on_a_long_stair(subject: Subject, hint: str) -> None:
    """Over eight variables, two or three rounds are too few as well."""
    steps = [(k, k, "across", 3) if k % 2 == 0 else (k - 1, k + 1, "down", 3) for k in range(STEPS)]
    good, leftward, rightward = "ABCDEFGHI", "JKLMNOPQR", "STUVWXYZA"
    before = {
        place: " ".join(f"{chain[k]}E{chain[k + 1]}" for chain in (good, leftward, rightward))
        for k, place in enumerate(steps)
    }
    before[steps[0]] = "AEB JEK"
    before[steps[-1]] = "HEI ZEA"
    after = {place: f"{good[k]}E{good[k + 1]}" for k, place in enumerate(steps)}
    _ac3(subject, LONG_STAIR, before, None, after, hint)


def consistent_parts(subject: Subject, hint: str) -> None:
    for size in (2, 1, 3):
        for places in combinations(COMB_FILL, size):
            _consistent(subject, {place: COMB_FILL[place] for place in places}, True, hint)


def consistent_lengths(subject: Subject, hint: str) -> None:
    for name, word in {"B": "ICED", "C": "EA", "A": "TIGERS", "D": "DEPT"}.items():
        wrong = {COMB_PLACES[name]: word}
        _consistent(subject, wrong, False, hint)
        for place, other in COMB_FILL.items():
            if place not in wrong:
                _consistent(subject, {place: other, **wrong}, False, hint)
        _consistent(subject, {**COMB_FILL, **wrong}, False, hint)


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


def _random_order(subject: Subject, number: int, hint: str, *, assigning: bool) -> None:
    """Domains made at random in which no two words rule out equally many."""
    dice = puzzles.Dice(100 * subject.guise.seed + number)
    rows = BOARDS[("FORK", "COMB", "RAGGED")[number % 3]]
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
    _order(subject, _Order(rows, domains, assigned, place), expected, hint)


def _random_select(subject: Subject, number: int, hint: str, *, kind: str) -> None:
    """Sizes made at random: one smallest domain, or several of which one has most neighbors.

    ``kind`` "degree" leaves out what depends on whether neighbors with a word count as neighbors,
    "assigned" takes only that. In both, a variable with more words has more neighbors yet.
    """
    dice = puzzles.Dice(100 * subject.guise.seed + number)
    crossings = _crossings(BOARDS["RAGGED"])
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
    _select(subject, BOARDS["RAGGED"], sizes, assigned, best[0], hint)


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


def solve_unique(subject: Subject, hint: str) -> None:
    text, creator, got = _solve(subject, COMB, COMB_WORDS)
    expect_fill(text, creator, subject.words(COMB_WORDS), got)
    expect(text, got, subject.assignment(COMB_FILL), "This puzzle has one solution.")


def solve_none(subject: Subject, hint: str) -> None:
    for missing in ("ICE", "TIGER", "DEPTH", "EAT"):
        text, _, got = _solve(subject, COMB, [word for word in COMB_WORDS if word != missing])
        expect(text, got, None, "Return None when every word of the chosen variable has failed.")


def own_domains(subject: Subject, hint: str) -> None:
    creator = subject.creator(BOARDS["STEM"], ["STORM", "TAN"])
    hint = "Give each variable a copy: self.crossword.words.copy()."
    creator.domains[subject.variable(PLACES["STEM"]["A"])].discard(subject.guise.word("TAN"))
    got, words = (
        creator.domains[subject.variable(PLACES["STEM"]["B"])],
        set(subject.words("STORM TAN")),
    )
    expect("the domain of B after removing TAN from A's", got, words, hint)
    expect("crossword.words after that", set(creator.crossword.words), words, hint)


def letter_grid(subject: Subject, hint: str) -> None:
    creator = subject.creator(BOARDS["STEM"], ["STORM", "TAN"])
    made = subject.assignment({PLACES["STEM"]["B"]: "TAN"})
    text = f"letter_grid({show(made)})"
    expected = [[None, letter, None, None, None] for letter in "TAN"]
    got = subject.ask(text, creator, "letter_grid", made, hint=HINTS["given"])
    expect(text, got, expected, HINTS["given"])


def prints_letters(subject: Subject, hint: str) -> None:
    creator = subject.creator(BOARDS["STEM"], ["STORM", "TAN"])
    made = subject.assignment({PLACES["STEM"]["B"]: "TAN"})
    text = f"print({show(made)})"
    with contextlib.redirect_stdout(_Page(text)) as output:
        subject.ask(text, creator, "print", made, hint=HINTS["given"])
    expect(text, output.getvalue(), " T   \n█A███\n█N███\n", HINTS["given"])


class _Page(io.StringIO):
    """Standard output that takes a limited number of characters."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def write(self, text: str, /) -> int:
        if self.tell() + len(text) > PAGE:
            raise CheckFailedError(f"{self._text} prints without end", ENDLESS)
        return super().write(text)


def command_usage(subject: Subject, hint: str) -> None:
    usage = "Usage: python generate.py structure words [output]\n"
    run_command(subject, expected=usage, status=1)


def command_solution(subject: Subject, hint: str) -> None:
    run_command(subject, COMB, COMB_WORDS, expected="TIGER\n█C█A█\nDEPTH\n")


def command_no_solution(subject: Subject, hint: str) -> None:
    run_command(subject, COMB, ["TIGER", "ICE"], expected="No solution.\n")


def solve_repeats(subject: Subject, hint: str) -> None:
    # Across and down from a corner, the same word fits; only the rule forbids it.
    for rows, words in ((BOARDS["SQUARE"], ["CAT", "TOP"]), (BOARDS["CORNER"], ["CAT"])):
        text, creator, got = _solve(subject, rows, words)
        if got is not None:
            expect_fill(text, creator, subject.words(words), got)


def _fills(
    crossings: Crossings,
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


def solve_small(subject: Subject, hint: str) -> None:
    dice = puzzles.Dice(subject.guise.seed)
    hint = (
        "It has none: look at consistent, and at what backtrack returns when all words have failed."
    )
    for fillable in (True, True, False):
        rows = BOARDS[("FORK", "STAIR", "RING", "COMB", "SQUARE")[dice.below(5)]]
        words = _random_puzzle(dice, rows, fillable=fillable)
        text, creator, got = _solve(subject, rows, words)
        if fillable:
            expect_fill(text, creator, subject.words(words), got)
        else:
            expect(text, got, None, hint)


def backtrack_partial(subject: Subject, hint: str) -> None:
    dice = puzzles.Dice(subject.guise.seed)
    rows = BOARDS[("FORK", "COMB")[dice.below(2)]]
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


_RANDOM: dict[str, Callable[[Subject, int, str], None]] = {
    "order": partial(_random_order, assigning=False),
    "order assigned": partial(_random_order, assigning=True),
    "mrv": partial(_random_select, kind="mrv"),
    "degree": partial(_random_select, kind="degree"),
    "assigned": partial(_random_select, kind="assigned"),
}

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


def _ask(entry: Mapping[str, Any]) -> Callable[[Subject], None]:
    """Return the function that asks a check of checks.toml."""
    hint = HINTS.get(entry.get("hint", ""), entry.get("hint", ""))
    more = {"returns": entry["returns"]} if "returns" in entry else {}

    def ask(subject: Subject) -> None:
        for case in entry.get("cases", ()):
            _KINDS[entry["kind"]](subject, case, hint, **more)
        for number in range(entry.get("random", 0)):
            _RANDOM[entry["draw"]](subject, number, hint)
        if "function" in entry:
            globals()[entry["function"]](subject, hint)

    return ask


for _entry in DATA["check"]:
    CHECKS[_entry["name"]] = Check(
        _entry["name"],
        _entry["description"],
        _entry.get("group", "course"),
        _entry.get("guises", True),
        _entry.get("course", ""),
        _ask(_entry),
    )
for _puzzle in puzzles.HARD:
    CHECKS[_puzzle.name] = Check(
        _puzzle.name,
        _puzzle.description,
        "hard",
        False,
        "",
        partial(_ask_hard, puzzle=_puzzle),
    )
