"""The graded program, as the checks call it, and the messages about what failed.

The checks run in a process of their own, inside the folder of the graded program, which may also
have a package called satcross. So the modules of the checks use the standard library only and
import each other relatively: the worker loads them under a private name.

A wrong program must fail in every run. Sets have no fixed order, so a program that ignores a rule
may still give a right answer by chance. Three things prevent this: a check asks for the same answer
in many guises (:class:`Guise`), the runner repeats it under other hash seeds, and where there are
only a few possible answers, cases that were drawn at random follow.
"""

from __future__ import annotations

import builtins
import importlib
import re
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from . import puzzles
from .data import DATA

Result = TypeVar("Result")
Item = TypeVar("Item")
Place = tuple[int, int, str, int]

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

BOARDS: dict[str, tuple[str, ...]] = {name: tuple(rows) for name, rows in DATA["boards"].items()}
PLACES: dict[str, dict[str, Place]] = {
    board: {name: tuple(place) for name, place in places.items()}
    for board, places in DATA["places"].items()
}
"""The variables of each board, by the letter that names them."""
HINTS: dict[str, str] = DATA["hints"]
PAGE = 2**20
"""Maximum output in bytes, more than any grid needs."""
ENDLESS = "Is there a print in a loop that never ends, or in a function that calls itself?"
FILES = ("data/check_structure.txt", "data/check_words.txt")
"""The files, beside the program, that the checks give it."""


class CheckFailedError(Exception):
    """A check has failed: ``message`` says what was observed, ``hint`` where to look."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.beyond = False
        """Whether the course's grader would not have noticed."""


@dataclass(frozen=True, slots=True)
class Check:
    """One behavior. ``run`` raises CheckFailedError unless the subject shows it.

    ``in_guises`` is False if the behavior does not depend on any order, so that one guise suffices.
    ``course`` names the checks of the course's grader; one in brackets never runs there.
    """

    name: str
    description: str
    group: str
    in_guises: bool
    course: str
    _ask: Callable[[Subject], None]

    @property
    def required(self) -> bool:
        """Whether the course's grader asks for the behavior."""
        return self.points > 0

    @property
    def points(self) -> int:
        """The number of checks of the course's grader that this one stands for."""
        return sum(not name.startswith("(") for name in self.course.split(", ") if name)

    def run(self, subject: Subject) -> None:
        """Run the check in every guise; the first is the plain puzzle, for readable messages.

        The cases that are like those of the course's grader decide a required check, in the plain
        guise. What fails after them is ``beyond``.
        """
        subject.guise, subject.deciding = GUISES[0], self.required
        if self.required:
            self._ask(subject)
            subject.diary("decided", "")
            subject.deciding = False
        try:
            for subject.guise in GUISES if self.in_guises else GUISES[:1]:
                self._ask(subject)
        except CheckFailedError as failure:
            failure.beyond = self.required
            raise


@dataclass(frozen=True, slots=True)
class Guise:
    """A variant of a puzzle with the same answer.

    Letters are replaced by others, and the board is moved by ``down`` rows and ``right`` columns
    and perhaps reflected in its diagonal. This changes the hashes of all words and variables and
    therefore the order of sets. ``seed`` shuffles insertion orders.
    """

    letters: str = ALPHABET
    down: int = 0
    right: int = 0
    reflected: bool = False
    seed: int = 0

    def rows(self, rows: Iterable[str]) -> list[str]:
        """Return the board in this guise."""
        lines = ["".join(column) for column in zip(*rows, strict=True)] if self.reflected else rows
        moved = ["#" * self.right + line for line in lines]
        return ["#" * len(moved[0])] * self.down + moved

    def place(self, place: Place) -> Place:
        """Return the place of a variable in this guise."""
        i, j, direction, length = place
        if self.reflected:
            i, j, direction = j, i, "down" if direction == "across" else "across"
        return i + self.down, j + self.right, direction, length

    def word(self, word: str) -> str:
        """Return a word in this guise."""
        return word.translate(str.maketrans(ALPHABET, self.letters))

    def shuffled(self, items: Iterable[Item]) -> list[Item]:
        """Return the items in an order that depends on the guise."""
        return puzzles.Dice(self.seed).shuffled(list(items)) if self.seed else list(items)


GUISES = [
    Guise(),
    *(
        Guise(
            letters="".join(puzzles.Dice(seed).shuffled(list(ALPHABET))),
            down=seed % 3,
            right=seed * 5 % 4,
            reflected=seed % 2 == 1,
            seed=seed,
        )
        for seed in range(1, 12)
    ),
]


CHECKS: dict[str, Check] = {}
"""The checks by name, in the order in which they run."""


class Subject:
    """The graded program: its module, a folder for data, and a diary of calls."""

    def __init__(self, folder: Path, diary: Callable[[str, str], None]) -> None:
        self.folder = folder
        self.diary = diary
        self.module = ModuleType("generate")
        self.guise = GUISES[0]
        self.deciding = False
        """Whether only what the course's grader looks at counts."""

    def load(self) -> None:
        """Import generate.py."""
        self.module = self.call("import generate", importlib.import_module, "generate")

    def call(
        self,
        text: str,
        function: Callable[..., Result],
        *arguments: object,
        hint: str = "",
        **named: object,
    ) -> Result:
        """Call a function; ``text`` describes the call. An exception fails the check.

        ``hint`` is given with exceptions that do not explain themselves.
        """
        self.diary("call", text)
        try:
            return function(*arguments, **named)
        except CheckFailedError:
            raise
        except BaseException as error:
            raise CheckFailedError(
                f"{text} raised {describe(error, self.folder)}", _advice(error) or hint
            ) from None
        finally:
            self.diary("call", "")

    def ask(
        self,
        text: str,
        creator: Any,
        method: str,
        *arguments: object,
        hint: str = "",
        **named: object,
    ) -> Any:
        """Call a method of a creator. The check also fails if there is no such method."""
        try:
            function = getattr(creator, method)
        except AttributeError:
            raise CheckFailedError(
                f"{text}: CrosswordCreator has no method {method}",
                "Is its name spelled as in the course's text, and is it indented as the others?",
            ) from None
        return self.call(text, function, *arguments, hint=hint, **named)

    def ask_only(self, text: str, creator: Any, method: str, *arguments: Any, hint: str) -> Any:
        """Call a method as :meth:`ask` does; fail if it changes the domains or its argument."""
        domains = {var: set(words) for var, words in creator.domains.items()}
        before = [dict(value) for value in arguments if isinstance(value, dict)]
        got = self.ask(text, creator, method, *arguments, hint=hint)
        if self.deciding:
            return got
        why = f"{method} answers a question: it must not change self.domains."
        expect(f"{text}: self.domains afterwards", creator.domains, domains, why)
        expect(
            f"{text}: the assignment afterwards",
            [value for value in arguments if isinstance(value, dict)],
            before,
            f"{method} answers a question: it must not change the assignment. Work on a copy.",
        )
        return got

    def files(self, rows: Iterable[str], words: Iterable[str]) -> tuple[str, str]:
        """Write a structure and a word list; return their file names."""
        structure, listing = (self.folder / name for name in FILES)
        structure.parent.mkdir(exist_ok=True)
        for path in (structure, listing):  # on a busy disk, truncating takes 100 times as long
            path.unlink(missing_ok=True)
        structure.write_text("".join(row + "\n" for row in self.guise.rows(rows)))
        listing.write_text("".join(word.lower() + "\n" for word in self.words(words)))
        return str(structure), str(listing)

    def creator(self, rows: Iterable[str], words: Iterable[str]) -> Any:
        """Return a CrosswordCreator for a puzzle."""
        crossword = self.crossword(rows, words)
        return self.call("CrosswordCreator(crossword)", self.module.CrosswordCreator, crossword)

    def crossword(self, rows: Iterable[str], words: Iterable[str]) -> Any:
        """Return a Crossword for a puzzle."""
        names = self.files(rows, words)
        crossword = self.call("Crossword(structure, words)", self.module.Crossword, *names)
        if self.guise.seed:
            crossword.variables = set(self.guise.shuffled(sorted(crossword.variables, key=str)))
            overlaps = sorted(crossword.overlaps.items(), key=str)
            crossword.overlaps = dict(self.guise.shuffled(overlaps))
        return crossword

    def variable(self, place: Place) -> Any:
        """Return a new Variable, equal to the crossword's but not the same object."""
        return self.module.Variable(*self.guise.place(place))

    def words(self, words: Iterable[str]) -> list[str]:
        """Return the words in the current guise, in the same order; a string is split at blanks."""
        return list(map(self.guise.word, words.split() if isinstance(words, str) else words))

    def assignment(self, values: Mapping[Place, Any]) -> dict[Any, Any]:
        """Return a dictionary from variables to their given values, words or sets of words."""
        return {
            self.variable(place): set(self.words(value))
            if isinstance(value, set)
            else self.guise.word(value)
            for place, value in self.guise.shuffled(values.items())
        }

    def domains(self, domains: Mapping[Place, Iterable[str]]) -> dict[Any, set[str]]:
        """Return a dictionary from variables to sets of words, given as strings or sequences."""
        made = self.guise.shuffled(domains.items())
        return {self.variable(x): set(self.guise.shuffled(self.words(words))) for x, words in made}

    def creator_with(self, rows: Iterable[str], domains: Mapping[Place, Iterable[str]]) -> Any:
        """Return a CrosswordCreator whose ``domains`` are a new dictionary with these words."""
        lists = (words.split() if isinstance(words, str) else words for words in domains.values())
        listed = {word for words in lists for word in words}
        creator = self.creator(rows, sorted(listed))
        creator.domains = self.domains(domains)
        return creator


def describe(error: BaseException, folder: Path) -> str:
    """Return type and text of an exception, and the last line of the subject in its traceback."""
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
    for entry in DATA["advice"]:
        kind, pattern = getattr(builtins, entry["error"]), entry.get("pattern", "")
        if isinstance(error, kind) and re.search(pattern, str(error)):
            return str(entry["text"])
    return ""


def show(value: object) -> str:
    """Return a value as readable text that is the same in every run."""
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
    """Fail unless ``got`` equals ``expected``."""
    if not got == expected:
        raise CheckFailedError(f"{text}: expected {show(expected)}, got {show(got)}", hint)


def expect_domains(text: str, creator: Any, expected: Mapping[Any, set[str]], hint: str) -> None:
    """Fail unless ``creator.domains`` has exactly these sets."""
    for var, words in expected.items():
        got = creator.domains.get(var)
        if isinstance(got, (list, tuple)) and set(got) == words:
            raise CheckFailedError(
                f"{text}: the domain of {show(var)} is a {type(got).__name__}, not a set",
                "A domain must stay a set. Write {... for ...} where you wrote [... for ...].",
            )
        expect(f"{text}: the domain of {show(var)}", got, words, hint)
