"""What is asked of a generate.py: one function a behavior, with messages that help its author.

The checks run in a process of their own, inside the folder of the program on trial, which may hold
a package called satcross too. So this module and ``puzzles`` use the standard library only and
import each other relatively: the worker loads them under a private name.

Names and groups: ``course`` are the 28 behaviors the course's public grader was written for
(three of them it never runs), ``more`` is what else the course promises, mostly done by its own
part of the files, and ``hard`` are puzzles of ours that want a search with inference.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import IO, Any, TypeVar

from . import puzzles

Result = TypeVar("Result")
Place = tuple[int, int, str, int]


class CheckFailedError(Exception):
    """A check that did not pass: what was seen, and where its author might look."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Check:
    """One behavior. ``run`` raises CheckFailedError unless the subject shows it."""

    name: str
    description: str
    group: str
    run: Callable[[Subject], None]


CHECKS: dict[str, Check] = {}

INFERENCE_HINT = (
    "A search without inference tries word after word in the wrong place. After choosing a word, "
    "set self.domains[var] = {word}, call ac3 with the arcs (neighbor, var), give the word up if "
    "it returns False, and put the old domains back before the next word."
)
REVISE_HINT = (
    "If you do that already, look at revise: collect the letters y can put into the crossing once, "
    "instead of comparing every word of x with every word of y."
)


def check(
    name: str, description: str, group: str = "course"
) -> Callable[[Callable[[Subject], None]], Callable[[Subject], None]]:
    """Enter a function into ``CHECKS``."""

    def enter(run: Callable[[Subject], None]) -> Callable[[Subject], None]:
        CHECKS[name] = Check(name, description, group, run)
        return run

    return enter


class Subject:
    """The program on trial: its module, a folder for data, and a diary of what is being called."""

    def __init__(self, folder: Path, diary: Callable[[str, str], None]) -> None:
        self.folder = folder
        self.diary = diary
        self.module = ModuleType("generate")

    def load(self) -> None:
        """Import generate.py."""
        self.module = self.call("import generate", importlib.import_module, "generate")

    def call(
        self, text: str, function: Callable[..., Result], *arguments: object, hint: str = ""
    ) -> Result:
        """Call a function of the subject, named by ``text``. Any exception fails the check.

        ``hint`` is for exceptions that say nothing about their cause by themselves.
        """
        self.diary("call", text)
        try:
            return function(*arguments)
        except CheckFailedError:
            raise
        except BaseException as error:
            raise CheckFailedError(
                f"{text} raised {describe(error, self.folder)}", _advice(error) or hint
            ) from None
        finally:
            self.diary("call", "")

    def ask(self, text: str, creator: Any, method: str, *arguments: object, hint: str = "") -> Any:
        """Call a method of a creator; that it does not exist fails the check as well."""
        try:
            function = getattr(creator, method)
        except AttributeError:
            raise CheckFailedError(
                f"{text}: CrosswordCreator has no method {method}",
                "Is its name spelled as in the course's text, and is it indented as the others?",
            ) from None
        return self.call(text, function, *arguments, hint=hint)

    def files(self, rows: Iterable[str], words: Iterable[str]) -> tuple[str, str]:
        """Write a structure and a list of words; return their names."""
        data = self.folder / "data"
        data.mkdir(exist_ok=True)
        structure, listing = data / "check_structure.txt", data / "check_words.txt"
        structure.write_text("".join(row + "\n" for row in rows))
        listing.write_text("".join(word.lower() + "\n" for word in words))
        return str(structure), str(listing)

    def creator(self, rows: Iterable[str], words: Iterable[str]) -> Any:
        """A CrosswordCreator for a puzzle."""
        names = self.files(rows, words)
        crossword = self.call("Crossword(structure, words)", self.module.Crossword, *names)
        return self.call("CrosswordCreator(crossword)", self.module.CrosswordCreator, crossword)

    def variable(self, place: Place) -> Any:
        """A Variable made by hand, equal to the crossword's but another object."""
        return self.module.Variable(*place)

    def creator_with(self, rows: Iterable[str], domains: Mapping[Place, Iterable[str]]) -> Any:
        """A CrosswordCreator whose ``domains`` are a new dictionary with these words."""
        creator = self.creator(rows, {word for words in domains.values() for word in words})
        creator.domains = {
            self.variable(place): set(words.split() if isinstance(words, str) else words)
            for place, words in domains.items()
        }
        return creator


def describe(error: BaseException, folder: Path) -> str:
    """Type and text of an exception, and the last line of the subject that it came through."""
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    cause = error.__cause__ or error.__context__
    if not str(error) and cause is not None:
        text = f"{text} because of {type(cause).__name__}: {cause}"
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        path = Path(frame.f_code.co_filename)
        if folder in path.parents:
            return f"{text} ({path.relative_to(folder)}, line {line}, in {frame.f_code.co_name})"
    if isinstance(error, SyntaxError) and error.filename:
        where = f"{Path(error.filename).name}, line {error.lineno}"
        return f"{type(error).__name__}: {error.msg} ({where})"
    return text


def _advice(error: BaseException) -> str:
    match error:
        case NotImplementedError():
            return "This method is still to be written."
        case RecursionError():
            return (
                "A function calls itself without end. Each call of backtrack must be given one "
                "more variable than the one before, and must stop when the assignment is complete."
            )
        case SystemExit():
            return (
                "It left the program instead of returning. If this happened on import, call main() "
                'only under `if __name__ == "__main__":`.'
            )
        case RuntimeError() if "changed size during iteration" in str(error):
            return (
                "A set or dictionary must not change while a loop runs over it. Loop over a copy, "
                "or collect first what is to go and remove it after the loop."
            )
        case KeyError() if error.args == (None,):
            return (
                "The key was None. Does select_unassigned_variable return a variable, on every "
                "way through it?"
            )
        case KeyError():
            return (
                "A dictionary was asked for a key it lacks: not every variable is in the "
                "assignment yet, and variables without a crossing have overlaps[x, y] = None."
            )
        case IndexError():
            return "A word may be shorter than the position looked at: compare lengths first."
        case TypeError() if "NoneType" in str(error):
            return (
                "overlaps[x, y] is None for variables that do not cross: ask before using it. A "
                "method that ends without return gives None as well."
            )
        case AttributeError() if "NoneType" in str(error):
            return (
                "Something is None there. A method that ends without return gives None, and so do "
                "methods that change their object, such as list.sort, set.add and dict.update."
            )
        case NameError():  # an UnboundLocalError too
            return (
                "Is the name spelled as where it is defined, is it defined on every way to this "
                "line, does it lack `self.`, or is an import missing? The grader's crossword.py "
                "brings Variable and Crossword and no other names."
            )
        case MemoryError():
            return (
                "Something grows without end: a queue or list that a loop keeps adding to, or "
                "copies of all domains in every step."
            )
        case ImportError():
            return (
                "The grader brings crossword.py, your .py files from beside generate.py and the "
                "standard library. Installed packages are not there, nor are files from elsewhere."
            )
        case _:
            return ""


def show(value: object) -> str:
    """A value in readable and always the same form."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(sorted(f"{show(k)}: {show(v)}" for k, v in value.items())) + "}"
    if isinstance(value, (set, frozenset)):
        shown = sorted(map(show, value))
        if len(shown) > 12:
            shown[12:] = [f"... {len(value)} in all"]
        return "{" + ", ".join(shown) + "}"
    if hasattr(value, "direction") and hasattr(value, "length"):
        return f"[{value}]"
    text = repr(value)
    return text if len(text) <= 300 else text[:300] + "..."


def expect(text: str, got: object, expected: object, hint: str) -> None:
    """Fail unless both are equal."""
    if not got == expected:
        raise CheckFailedError(f"{text}: expected {show(expected)}, got {show(got)}", hint)


def expect_domains(text: str, creator: Any, expected: Mapping[Any, set[str]], hint: str) -> None:
    """Fail unless ``creator.domains`` holds just these sets."""
    for var, words in expected.items():
        got = creator.domains.get(var)
        if isinstance(got, (list, tuple)) and set(got) == words:
            raise CheckFailedError(
                f"{text}: the domain of {show(var)} is a {type(got).__name__}, not a set",
                "A domain must stay a set. Write {... for ...} where you wrote [... for ...].",
            )
        expect(f"{text}: the domain of {show(var)}", got, words, hint)


def domains_of(subject: Subject, domains: Mapping[Place, str]) -> dict[Any, set[str]]:
    """Expected domains, from words in one string a variable."""
    return {subject.variable(place): set(words.split()) for place, words in domains.items()}


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


@check("import", "generate.py can be imported and has Variable, Crossword and CrosswordCreator")
def _import(subject: Subject) -> None:
    for name in ("Variable", "Crossword", "CrosswordCreator"):
        if not hasattr(subject.module, name):
            raise CheckFailedError(
                f"generate.py was imported, but generate.{name} does not exist",
                "Keep `from crossword import *` at the top, and the class CrosswordCreator.",
            )
    creator = subject.creator(STEM, ["storm", "tan"])
    expect_domains(
        "CrosswordCreator(crossword)",
        creator,
        domains_of(subject, {STEM_A: "STORM TAN", STEM_B: "STORM TAN"}),
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
    expect_domains(text, creator, domains_of(subject, expected), hint)


@check("node_consistency", "enforce_node_consistency keeps the words of the right length")
def _node_consistency_simple(subject: Subject) -> None:
    _node_consistency(
        subject, STEM, "storm album tan tip lemons a", {STEM_A: "STORM ALBUM", STEM_B: "TAN TIP"}
    )


@check("node_consistency_all_variables", "enforce_node_consistency deals with every variable")
def _node_consistency_ring(subject: Subject) -> None:
    five, four = "TIGER DEPTH", "TEND RUTH IDEA"
    _node_consistency(
        subject,
        RING,
        f"{five} {four} cat dog letters",
        {RING_A: five, RING_B: four, RING_C: four, RING_D: five},
    )


# revise


def _revise(
    subject: Subject,
    rows: Iterable[str],
    before: Mapping[Place, str],
    x: Place,
    y: Place,
    after: str,
    hint: str,
) -> None:
    creator = subject.creator_with(rows, before)
    text = (
        f"revise(x, y) with x = [{subject.variable(x)}] in {show(set(before[x].split()))} and "
        f"y = [{subject.variable(y)}] in {show(set(before[y].split()))}"
    )
    subject.ask(text, creator, "revise", subject.variable(x), subject.variable(y), hint=hint)
    expect_domains(text, creator, domains_of(subject, {**before, x: after}), hint)


@check("revise_no_overlap", "revise changes nothing when the variables do not cross")
def _revise_no_overlap(subject: Subject) -> None:
    before = {FORK_A: "STORM ALBUM", FORK_B: "TAN TIP", FORK_C: "OWL", FORK_D: "MUD"}
    hint = "Where overlaps[x, y] is None, return False before anything else."
    _revise(subject, FORK, before, FORK_B, FORK_C, "TAN TIP", hint)


@check("revise_removes", "revise drops from x the words that y has no answer for")
def _revise_removes(subject: Subject) -> None:
    before = {STEM_A: "STORM ALBUM EIGHT", STEM_B: "TAN TIP LID"}
    hint = "Letter i of x must be letter j of some word of y, where i, j = overlaps[x, y]."
    _revise(subject, STEM, before, STEM_A, STEM_B, "STORM ALBUM", hint)


@check("revise_keeps", "revise keeps everything when each word of x has an answer in y")
def _revise_keeps(subject: Subject) -> None:
    before = {STEM_A: "STORM ALBUM", STEM_B: "TAN LID OAK"}
    hint = "One answer in y is enough for a word to stay; other words of y do not matter to it."
    _revise(subject, STEM, before, STEM_A, STEM_B, "STORM ALBUM", hint)


@check("revise_empties", "revise may leave x without any word, and never touches y")
def _revise_empties(subject: Subject) -> None:
    before = {STEM_A: "EIGHT", STEM_B: "TAN TIP"}
    hint = "revise(x, y) changes self.domains[x] only, even if nothing is left in it."
    _revise(subject, STEM, before, STEM_A, STEM_B, "", hint)


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
    shown = show(domains_of(subject, before))
    if arcs is None:
        text = f"ac3() with domains {shown}"
        got = subject.ask(text, creator, "ac3", hint=hint)
    else:
        made = [(subject.variable(x), subject.variable(y)) for x, y in arcs]
        listed = ", ".join(f"({show(x)}, {show(y)})" for x, y in made)
        text = f"ac3([{listed}]) with domains {shown}"
        got = subject.ask(text, creator, "ac3", made, hint=hint)
    if after is None:
        if got:
            raise CheckFailedError(f"{text}: expected False, got {show(got)}", hint)
        return
    expect_domains(text, creator, domains_of(subject, after), hint)
    if not got:
        raise CheckFailedError(
            f"{text}: expected True, got {show(got)}",
            "Return True at the end, when the queue is empty and no domain is.",
        )


@check("ac3_all_arcs", "ac3() starts from all arcs of the puzzle")
def _ac3_all(subject: Subject) -> None:
    before = {STEM_A: "STORM ALBUM EIGHT", STEM_B: "TAN TIP OAK"}
    after = {STEM_A: "STORM", STEM_B: "TAN TIP"}
    hint = "Without arcs, put every (x, y) that has an overlap into the queue: both directions."
    _ac3(subject, STEM, before, None, after, hint)


@check("ac3_empty_list", "ac3([]) does nothing")
def _ac3_empty(subject: Subject) -> None:
    hint = (
        "An empty list is not None. Ask `if arcs is None:`; both `if not arcs:` and `arcs or ...` "
        "take an empty list for a missing one and start from all arcs."
    )
    _ac3(subject, STAIR, STAIR_BEFORE, [], STAIR_BEFORE, hint)


@check("ac3_one_arc", "ac3([(x, y)]) leaves alone what that arc does not disturb")
def _ac3_one(subject: Subject) -> None:
    before = {**STAIR_BEFORE, STAIR_B: "ARC"}
    after = {**before, STAIR_A: "TEA"}
    hint = "Start the queue with the given arcs alone; add (z, x) only when x has lost words."
    _ac3(subject, STAIR, before, [(STAIR_A, STAIR_B)], after, hint)


@check("ac3_one_arc_followers", "ac3([(x, y)]) goes on to the arcs into a variable that lost words")
def _ac3_followers(subject: Subject) -> None:
    hint = "When revise(x, y) returns True, add (z, x) for every neighbor z of x other than y."
    _ac3(subject, STAIR, STAIR_BEFORE, [(STAIR_C, STAIR_D)], STAIR_AFTER, hint)


@check("ac3_fixpoint", "ac3() goes round until nothing changes (never run by the public grader)")
def _ac3_fixpoint(subject: Subject) -> None:
    # Words go from right to left (DUO, BAD, RIB) and from left to right (EEL, LAG, GUM), each
    # because of the one before: hardly any order of the arcs does it all in one round.
    before = {
        STAIR_A: "TEA RIB",
        STAIR_B: "ARC BAD EEL",
        STAIR_C: "CAT DUO LAG",
        STAIR_D: "TOE GUM",
    }
    hint = "Once over all arcs is not enough: a word removed may be the last answer of another."
    _ac3(subject, STAIR, before, None, STAIR_AFTER, hint)


@check("ac3_failure", "ac3() returns False when a domain becomes empty")
def _ac3_failure(subject: Subject) -> None:
    hint = "After revise(x, y), return False if not self.domains[x]."
    _ac3(subject, STAIR, {**STAIR_BEFORE, STAIR_D: "OWL"}, None, None, hint)


@check("ac3_pure", "ac3() looks at crossings only: the same word may stay in two domains")
def _ac3_pure(subject: Subject) -> None:
    before = {CORNER_A: "CAT TOP", CORNER_B: "CAT"}
    after = {CORNER_A: "CAT", CORNER_B: "CAT"}
    hint = "That words differ is the business of consistent, not of ac3 or revise."
    _ac3(subject, CORNER, before, None, after, hint)


# assignment_complete


def _assign(subject: Subject, assignment: Mapping[Place, str]) -> dict[Any, Any]:
    return {subject.variable(place): word for place, word in assignment.items()}


def _complete(subject: Subject, assignment: Mapping[Place, str], expected: bool, hint: str) -> None:
    creator = subject.creator(COMB, COMB_WORDS)
    made = _assign(subject, assignment)
    text = f"assignment_complete({show(made)}) in a puzzle of 4 variables"
    got = subject.ask(text, creator, "assignment_complete", made, hint=hint)
    expect(text, got, expected, hint)


@check("complete_full", "assignment_complete says True when every variable has a word")
def _complete_full(subject: Subject) -> None:
    words = {COMB_A: "ABOUT", COMB_B: "XYZ", COMB_C: "OUT", COMB_D: "HELLO"}
    hint = (
        "Only presence counts here. The words need not fit, nor be in any list; return True itself."
    )
    _complete(subject, words, True, hint)


@check("complete_empty", "assignment_complete says False of an empty assignment")
def _complete_empty(subject: Subject) -> None:
    _complete(
        subject, {}, False, "Loop over self.crossword.variables, not over the assignment's keys."
    )


@check("complete_partial", "assignment_complete says False when a variable is missing")
def _complete_partial(subject: Subject) -> None:
    words = {place: word for place, word in COMB_FILL.items() if place != COMB_C}
    hint = "Ask for every variable of self.crossword.variables; return False, not None."
    _complete(subject, words, False, hint)


# consistent


def _consistent(
    subject: Subject, assignment: Mapping[Place, str], expected: bool, hint: str
) -> None:
    creator = subject.creator(COMB, COMB_WORDS)
    made = _assign(subject, assignment)
    text = f"consistent({show(made)})"
    got = subject.ask(text, creator, "consistent", made, hint=hint)
    expect(text, got, expected, hint)


@check("consistent_empty", "consistent accepts an empty assignment")
def _consistent_empty(subject: Subject) -> None:
    _consistent(subject, {}, True, "Nothing assigned, nothing wrong: return True at the end.")


@check("consistent_partial", "consistent accepts a part of a fill")
def _consistent_partial(subject: Subject) -> None:
    words = {COMB_A: "TIGER", COMB_B: "ICE"}
    _consistent(subject, words, True, "Compare crossings only when both variables are assigned.")


@check("consistent_full", "consistent accepts a fill, even of words that are in no list")
def _consistent_full(subject: Subject) -> None:
    words = {COMB_A: "QIQEQ", COMB_B: "IXA", COMB_C: "EYB", COMB_D: "QAQBQ"}
    _consistent(subject, words, True, "Check lengths, crossings and repetition, and nothing else.")


@check("consistent_length", "consistent rejects a word of the wrong length")
def _consistent_length(subject: Subject) -> None:
    hint = "Compare len(word) with var.length, for every variable of the assignment."
    _consistent(subject, {COMB_B: "ICED"}, False, hint)


@check("consistent_crossing", "consistent rejects crossing words with different letters")
def _consistent_crossing(subject: Subject) -> None:
    hint = "With i, j = overlaps[x, y], letter i of x's word must be letter j of y's word."
    _consistent(subject, {COMB_A: "TIGER", COMB_B: "ICE", COMB_C: "TEA"}, False, hint)


@check(
    "consistent_repeats", "consistent rejects a word used twice (never run by the public grader)"
)
def _consistent_repeats(subject: Subject) -> None:
    hint = (
        "All words must be different: compare len(set(assignment.values())) with len(assignment)."
    )
    _consistent(subject, {COMB_B: "ICE", COMB_C: "ICE"}, False, hint)


# order_domain_values and select_unassigned_variable


@check("order_values", "order_domain_values puts the least constraining word first")
def _order(subject: Subject) -> None:
    creator = subject.creator_with(STEM, {STEM_A: "EIGHT ALBUM STORM", STEM_B: "TAN TIP LID"})
    text = (
        "order_domain_values(A, {}) where the second letter of A begins B, A in {'ALBUM', 'EIGHT', "
        "'STORM'}, B in {'LID', 'TAN', 'TIP'}"
    )
    hint = (
        "STORM rules out one word of B, ALBUM two, EIGHT all three. Count, for every neighbor not "
        "assigned yet, the words that do not agree on the crossing, and sort by the count, "
        "smallest first. The result is a list."
    )
    var = subject.variable(STEM_A)
    got = subject.ask(text, creator, "order_domain_values", var, {}, hint=hint)
    expect(text, got, ["STORM", "ALBUM", "EIGHT"], hint)


def _select(
    subject: Subject,
    domains: Mapping[Place, str],
    assignment: Mapping[Place, object],
    expected: Place,
    hint: str,
) -> None:
    creator = subject.creator_with(FORK, domains)
    made = {subject.variable(place): value for place, value in assignment.items()}
    sizes = {subject.variable(place): len(words.split()) for place, words in domains.items()}
    text = f"select_unassigned_variable({show(made)}) where the domains have sizes {show(sizes)}"
    got = subject.ask(text, creator, "select_unassigned_variable", made, hint=hint)
    if got is None:
        raise CheckFailedError(
            f"{text}: got None", f"The method ended without returning a variable. {hint}"
        )
    expect(text, got, subject.variable(expected), hint)


@check("select_mrv", "select_unassigned_variable takes the variable with the fewest words left")
def _select_mrv(subject: Subject) -> None:
    domains = {FORK_A: "STORM ALBUM EIGHT", FORK_B: "TAN", FORK_C: "OWL ORE", FORK_D: "MUD MAT TEA"}
    hint = (
        "Of the variables not in the assignment, the one with the smallest len(self.domains[var])."
    )
    _select(subject, domains, {}, FORK_B, hint)
    # The value of an assigned variable is a set here: which value it is must not matter.
    _select(subject, domains, {FORK_B: {"TAN"}}, FORK_C, hint)


@check(
    "select_degree",
    "select_unassigned_variable breaks ties by most neighbors (never run by the public grader)",
)
def _select_degree(subject: Subject) -> None:
    domains = {FORK_A: "STORM ALBUM", FORK_B: "TAN TIP", FORK_C: "OWL ORE", FORK_D: "MUD MAT"}
    hint = "Among equally small domains take the variable with most self.crossword.neighbors(var)."
    _select(subject, domains, {}, FORK_A, hint)
    _select(subject, domains, {FORK_B: {"TAN"}}, FORK_A, hint)


# solve


def expect_fill(text: str, creator: Any, words: Iterable[str], got: Any) -> None:
    """Fail unless ``got`` is a fill of the creator's crossword with these words."""
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
            raise CheckFailedError(f"{text}: {word!r} for {show(var)} is not in the list of words")
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


@check("solve_unique", "solve() finds the only solution of a puzzle")
def _solve_unique(subject: Subject) -> None:
    creator = subject.creator(COMB, COMB_WORDS)
    text = f"solve() on {' / '.join(COMB)} with {', '.join(COMB_WORDS)}"
    got = subject.ask(text, creator, "solve")
    expect_fill(text, creator, COMB_WORDS, got)
    expect(text, got, _assign(subject, COMB_FILL), "This puzzle has one solution.")


@check("solve_none", "solve() returns None when there is no solution")
def _solve_none(subject: Subject) -> None:
    words = [word for word in COMB_WORDS if word != "ICE"]
    creator = subject.creator(COMB, words)
    text = f"solve() on {' / '.join(COMB)} with {', '.join(words)}"
    got = subject.ask(text, creator, "solve")
    expect(text, got, None, "Return None when every word of the chosen variable has failed.")


# What else the course promises, most of it by its own part of the files

GIVEN = "This method came with the course: take it from there."

PAGE = 2**20
"""Bytes of output that are more than enough for any grid."""

ENDLESS = "Is there a print in a loop that never ends, or in a function that calls itself?"


@check("order_values_unassigned", "order_domain_values counts unassigned neighbors only", "more")
def _order_unassigned(subject: Subject) -> None:
    # Of B, STORM rules out none and TRAIL three; of C two and none; of D one each.
    domains = {FORK_A: "STORM TRAIL", FORK_B: "BUS GAS YES", FORK_C: "SPA TEA", FORK_D: "MUM OIL"}
    creator = subject.creator_with(FORK, domains)
    var, assigned = subject.variable(FORK_A), _assign(subject, {FORK_B: "BUS"})
    text = (
        f"order_domain_values([{var}], {show(assigned)}) with domains "
        f"{show(domains_of(subject, domains))}"
    )
    hint = (
        "Leave out the neighbors that are in the assignment already: their word is chosen, so that "
        "nothing can be ruled out there."
    )
    got = subject.ask(text, creator, "order_domain_values", var, assigned, hint=hint)
    expect(text, got, ["TRAIL", "STORM"], hint)


@check("own_domains", "every variable starts with a set of its own", "more")
def _own_domains(subject: Subject) -> None:
    creator = subject.creator(STEM, ["storm", "tan"])
    hint = "Give each variable a copy: self.crossword.words.copy()."
    creator.domains[subject.variable(STEM_A)].discard("TAN")
    got = creator.domains[subject.variable(STEM_B)]
    expect("the domain of B after removing TAN from A's", got, {"STORM", "TAN"}, hint)
    expect("crossword.words after that", set(creator.crossword.words), {"STORM", "TAN"}, hint)


@check("letter_grid", "letter_grid writes the words down, None elsewhere", "more")
def _letter_grid(subject: Subject) -> None:
    creator = subject.creator(STEM, ["storm", "tan"])
    made = _assign(subject, {STEM_B: "TAN"})
    text = f"letter_grid({show(made)})"
    expected = [[None, letter, None, None, None] for letter in "TAN"]
    got = subject.ask(text, creator, "letter_grid", made, hint=GIVEN)
    expect(text, got, expected, GIVEN)


@check("print", "print shows letters, blanks and full blocks, row by row", "more")
def _print(subject: Subject) -> None:
    creator = subject.creator(STEM, ["storm", "tan"])
    made = _assign(subject, {STEM_B: "TAN"})
    text = f"print({show(made)})"
    with contextlib.redirect_stdout(_Page(text)) as output:
        subject.ask(text, creator, "print", made, hint=GIVEN)
    expect(text, output.getvalue(), " T   \n█A███\n█N███\n", GIVEN)


class _Page(io.StringIO):
    """A place to print on, which ends."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def write(self, text: str, /) -> int:
        if self.tell() + len(text) > PAGE:
            raise CheckFailedError(f"{self._text} prints without end", ENDLESS)
        return super().write(text)


def _command(subject: Subject, *arguments: str, expected: str, status: int = 0) -> None:
    """Run generate.py as a command: ``expected`` on stdout, or on stderr if ``status`` is not 0."""
    shown = " ".join(["python generate.py", *(Path(name).name for name in arguments)])
    subject.diary("call", shown)
    # Files, not pipes: they can be limited, and nobody has to wait for a process left behind.
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
    if process.returncode == status and "Traceback (most recent call last)" in said:
        raise CheckFailedError(
            f"{shown} raised {last[0]}",
            "Run this command yourself, with `python -S` if a module is missing here.",
        )
    if process.returncode != status:
        raise CheckFailedError(
            f"{shown}: expected exit status {status}, got {process.returncode}"
            + (f" ({last[0]})" if last else ", and no word about the cause"),
            "Run this command yourself and read the whole message.",
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


def _wait(
    subject: Subject, process: subprocess.Popen[bytes], output: IO[bytes], expected: str
) -> None:
    """Wait for the end, and note it if all has been printed and only the end does not come."""
    noted = False
    while process.poll() is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.2)
        if not noted and process.poll() is None and _read(output) == expected:
            subject.diary("note", "It has printed all it should, but it does not end.")
            subject.diary("hint", "Does a thread go on that it has started, or a loop in main()?")
            noted = True


def _read(file: IO[bytes]) -> str:
    """The text of a file, or a little more than a page of it."""
    size = os.fstat(file.fileno()).st_size
    # The other process writes at the position that both share: leave it where it is.
    if hasattr(os, "pread"):
        content = os.pread(file.fileno(), min(size, PAGE + 1), 0)
    else:
        file.seek(0)
        content = file.read(PAGE + 1)
        file.seek(size)
    return content.decode("utf-8", "replace").replace("\r\n", "\n")


@contextlib.contextmanager
def _files_limited_to(size: int) -> Iterator[None]:
    """Let a process started in here write no longer files, where the platform can limit it."""
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


@check("command_usage", "python generate.py without arguments explains its usage", "more")
def _usage(subject: Subject) -> None:
    _command(subject, expected="Usage: python generate.py structure words [output]\n", status=1)


@check("command_solution", "python generate.py structure words prints the grid", "more")
def _prints(subject: Subject) -> None:
    _command(subject, *subject.files(COMB, COMB_WORDS), expected="TIGER\n█C█A█\nDEPTH\n")


@check("command_no_solution", "python generate.py structure words prints No solution.", "more")
def _prints_none(subject: Subject) -> None:
    _command(subject, *subject.files(COMB, ["TIGER", "ICE"]), expected="No solution.\n")


@check("solve_repeats", "solve() never uses a word twice", "more")
def _solve_repeats(subject: Subject) -> None:
    # Both ways from a corner can carry the same word, and without the rule they would.
    words = ["CAT", "TOP"]
    creator = subject.creator(SQUARE, words)
    text = f"solve() on {' / '.join(SQUARE)} with {', '.join(words)}"
    got = subject.ask(text, creator, "solve")
    if got is not None:
        expect_fill(text, creator, words, got)


# Hard puzzles


def _watch(subject: Subject, creator: Any) -> None:
    """Note what the search looks like from outside, for the case that it does not end in time.

    Puts itself before ``backtrack``; after a few calls it steps aside.
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
    @check(puzzle.name, puzzle.description, "hard")
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
