"""What a rule of a puzzle is: its flags, its data form, its words, its relaxations and its marks.

A rule is a module beside this one and a line in ``satcross/rules/__init__.py``. The command line,
JSON, suites, the web page, explanations and the network all loop over the registry. ``Puzzle`` has
the rule's fields, ``verify`` checks it independently, and ``encoders`` encode what marks can't say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Protocol

from satcross.puzzle import Puzzle
from satcross.vocabulary import Vocabulary, WordGroup

ReadWord = Callable[[str], str]
"""Turns a word as a person writes it into a word as the vocabulary has it."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The plain values of a key: which are right, and how they become a field of ``Puzzle``.

    ``wanted`` names the right values in a message: "give {wanted}".
    """

    wanted: str
    accepts: Callable[[Any], bool]
    to_plain: Callable[[Any], Any] = lambda value: value
    from_plain: Callable[[Any, ReadWord], Any] = lambda plain, read_word: plain


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)


def _is_table(value: object, accepts: Callable[[object], bool]) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(key, str) and accepts(one) for key, one in value.items()
    )


NUMBER = Shape("a whole number", _is_number)
SWITCH = Shape("true or false", lambda value: isinstance(value, bool))
WORDS = Shape(
    "a list of words",
    _is_texts,
    sorted,
    lambda plain, read_word: frozenset(map(read_word, plain)),
)
ENDINGS = Shape(
    "a list of endings",
    _is_texts,
    list,
    lambda plain, read_word: tuple(map(read_word, plain)),
)
WORDS_BY_SLOT = Shape(
    'a table of words, { 1A = "WORD" }',
    lambda value: _is_table(value, lambda one: isinstance(one, str)),
    lambda value: dict(sorted(value.items())),
    lambda plain, read_word: {slot.upper(): read_word(word) for slot, word in plain.items()},
)
NUMBERS_BY_LENGTH = Shape(
    "a table of numbers, { 3 = 60 }",
    lambda value: _is_table(value, _is_number) and all(key.isdecimal() for key in value),
    lambda value: {str(length): number for length, number in sorted(value.items())},
    lambda plain, read_word: {int(length): number for length, number in plain.items()},
)


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the data form, and the field of ``Puzzle`` that its value becomes.

    A key without a value is left out unless it is ``always`` there: the hash of a puzzle must not
    change when a rule is added. ``minimum`` bounds a number.
    """

    name: str
    field: str
    shape: Shape
    always: bool = False
    minimum: int | None = None


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag of the command line. ``key``: the key that takes its value as it is, if one does.

    ``parameter`` names its value; ``metavar`` is None for a flag without a value. ``minimum`` makes
    the value a whole number; ``names_files`` says that its values are paths, or may be.
    """

    name: str
    parameter: str
    metavar: str | None
    help: str
    key: str = ""
    multiple: bool = False
    minimum: int | None = None
    names_files: bool = False


class FlagReader(Protocol):
    """What a rule needs to make sense of its flags."""

    @property
    def vocabulary(self) -> Vocabulary: ...

    def read_word(self, text: str) -> str:
        """The word as the vocabulary has it, from a word as a person writes it."""
        ...

    def read_words(self, paths: Sequence[str], *, strict: bool = False) -> list[str]:
        """The words of files; ``strict`` raises InputError for a line that can't be used."""
        ...

    def is_file(self, value: str) -> bool:
        """Whether a value that may be a word or a path is a path."""
        ...

    def note(self, text: str, about: str) -> None:
        """Tell the user something odd about a flag."""
        ...


@dataclass(frozen=True, slots=True)
class Relaxation:
    """The puzzle with the rule weakened: as a phrase, and as plain values for JSON."""

    puzzle: Puzzle
    text: str
    data: Mapping[str, object] = field(default_factory=dict)


class Mark(NamedTuple):
    """What two different words of a fill may not both have: a text, and its relation to a word.

    ``rank`` orders marks of the same text, in formulas for example.
    """

    text: str
    rank: int = 0
    relation: str = "with"

    def __str__(self) -> str:
        return f"a word {self.relation} {self.text}"


class Marker(Protocol):
    """Finds the marks that a rule gives to words."""

    relation: ClassVar[str]
    """The ``relation`` of its marks, which no other marker has."""

    def marks(self, word: str) -> Iterable[Mark]:
        """The marks of a word."""
        ...

    def having(self, text: str, lexicon: WordGroup) -> int:
        """The bitset, over the lexicon, of the words that have the mark of this text."""
        ...


class Rule:
    """A rule of a puzzle; each method has a default for rules that do without."""

    label: ClassVar[str] = ""
    """Name of the rule as a part of an explanation; "" when no fill is ever missing for it."""
    keys: ClassVar[tuple[Key, ...]]
    flags: ClassVar[tuple[Flag, ...]] = ()

    def parse_flags(self, given: Mapping[str, Any], reader: FlagReader) -> dict[str, Any]:
        """The rule's keys and plain values, from the values of its flags by parameter.

        Raises InputError for a value that makes no sense.
        """
        return {flag.key: given[flag.parameter] for flag in self.flags if flag.key}

    def check_flags(self, puzzle: Puzzle, reader: FlagReader) -> None:
        """Look at the finished puzzle: note what is odd, raise InputError for what is hopeless."""
        return

    def is_set(self, puzzle: Puzzle) -> bool:
        """Whether the puzzle has the rule."""
        return False

    def dropped(self) -> dict[str, Any]:
        """The fields of a puzzle without the rule."""
        return {}

    def phrase(self, puzzle: Puzzle) -> str:
        """The rule as a noun phrase: "the excluded words"."""
        return f"the rule {self.label!r}"

    def relaxations(self, puzzle: Puzzle) -> Iterator[Sequence[Relaxation]]:
        """Ways to weaken the rule; the steps of each way are ordered from least to most change.

        What can be filled after one step can be filled after the steps behind it.
        """
        yield from ()

    def marker(self, puzzle: Puzzle) -> Marker | None:
        """What finds the marks of words, for a rule about pairs of words."""
        return None

    def to_data(self, puzzle: Puzzle) -> dict[str, Any]:
        """The rule's keys and plain values."""
        values = {key: key.shape.to_plain(getattr(puzzle, key.field)) for key in self.keys}
        return {
            key.name: value
            for key, value in values.items()
            if key.always or not (value is None or value is False or value in ([], {}))
        }

    def from_data(self, data: Mapping[str, Any], read_word: ReadWord) -> dict[str, Any]:
        """The fields of ``Puzzle`` from plain values by key."""
        return {
            key.field: key.shape.from_plain(data[key.name], read_word)
            for key in self.keys
            if data.get(key.name) is not None
        }


MAX_LISTED_WORDS = 6
"""Words that a sentence lists."""


def join_phrases(items: Iterable[str], last: str = "and") -> str:
    """Return a list in prose: ``A, B and C``. Raises ValueError for no items."""
    *first, end = items
    return f"{', '.join(first)} {last} {end}" if first else end
