"""The interface of rules: flags, data form, wording, relaxations and marks.

A rule is a class of ``Rule`` in a module of this package. The command line, JSON, suites, the HTTP
API, explanations and the network all loop over the rules. ``Puzzle`` has the fields of the rule,
``verify`` checks it independently, and ``encoders`` encodes it if marks can't express it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, ClassVar, NamedTuple, Protocol

from satcross.puzzle import Puzzle
from satcross.support.frozen import frozen
from satcross.vocabulary import Vocabulary, WordGroup

ReadWord = Callable[[str], str]
"""Normalises a word written by a person to the form of the vocabulary."""


@frozen
class Shape:
    """The type of a key's plain values, and their conversion to and from a field of ``Puzzle``.

    ``wanted`` describes valid values in messages: "give {wanted}".
    """

    wanted: str
    accepts: Callable[[Any], bool]
    to_plain: Callable[[Any], Any] = lambda value: value
    from_plain: Callable[[Any, ReadWord], Any] = lambda plain, read_word: plain


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


def _is_table(value: object, accepts: Callable[[object], bool]) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(key, str) and accepts(item) for key, item in value.items()
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
    lambda value: _is_table(value, lambda item: isinstance(item, str)),
    lambda value: dict(sorted(value.items())),
    lambda plain, read_word: {slot.upper(): read_word(word) for slot, word in plain.items()},
)
NUMBERS_BY_SLOT = Shape(
    "a table of numbers, { 1A = 60 }",
    lambda value: _is_table(value, _is_number),
    lambda value: dict(sorted(value.items())),
    lambda plain, read_word: {slot.upper(): number for slot, number in plain.items()},
)
NUMBERS_BY_LENGTH = Shape(
    "a table of numbers, { 3 = 60 }",
    lambda value: _is_table(value, _is_number) and all(key.isdecimal() for key in value),
    lambda value: {str(length): number for length, number in sorted(value.items())},
    lambda plain, read_word: {int(length): number for length, number in plain.items()},
)


@frozen
class Key:
    """A key of the data form, and the field of ``Puzzle`` that has its value.

    ``to_data`` leaves out a key without a value unless ``always`` is set, so that adding a rule
    does not change the hashes of puzzles. ``minimum`` is a lower bound on a number.
    """

    name: str
    field: str
    shape: Shape
    always: bool = False
    minimum: int | None = None


@frozen
class Flag:
    """A flag of the command line.

    ``parameter`` is the name of its value; ``metavar`` is None for a flag without a value. ``key``
    names the key that gets the value unchanged, or is "". A flag with a ``minimum`` takes a whole
    number. ``names_files`` is set if values are paths or may be paths.
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
    """What rules use to read the values of their flags."""

    @property
    def vocabulary(self) -> Vocabulary: ...

    def read_word(self, text: str) -> str:
        """Normalise a word written by a person to the form of the vocabulary."""
        ...

    def read_words(self, paths: Sequence[str], *, strict: bool = False) -> list[str]:
        """The words of files; ``strict`` raises InputError for a line that can't be used."""
        ...

    def is_file(self, value: str) -> bool:
        """Whether a value that may be a word or a path is a path."""
        ...

    def note(self, text: str, about: str) -> None:
        """Print a note about a flag."""
        ...


@frozen
class Relaxation:
    """A puzzle with a weakened rule; ``text`` and ``data`` describe the change."""

    puzzle: Puzzle
    text: str
    data: Mapping[str, object] = field(default_factory=dict)


class Mark(NamedTuple):
    """A property that two different words of a fill may not share, such as "with TION".

    ``relation`` says how words are related to ``text``. ``rank`` orders marks of the same text.
    """

    text: str
    rank: int = 0
    relation: str = "with"

    def __str__(self) -> str:
        return f"a word {self.relation} {self.text}"


class Marker(Protocol):
    """Computes the marks of words for a rule."""

    relation: ClassVar[str]
    """The ``relation`` of all its marks; unique among markers."""

    def marks(self, word: str) -> Iterable[Mark]:
        """Return the marks of a word."""
        ...

    def having(self, text: str, lexicon: WordGroup) -> int:
        """Return the bitset, over the lexicon, of the words that have the mark with this text."""
        ...


class Rule:
    """A rule of a puzzle. Each method has a default for rules that don't need it."""

    label: ClassVar[str] = ""
    """Name of the rule in explanations; "" for a rule that excludes no fill."""
    keys: ClassVar[tuple[Key, ...]]
    flags: ClassVar[tuple[Flag, ...]] = ()
    unset: ClassVar[Mapping[str, Any]] = {}
    """Fields of ``Puzzle`` and the values that they have without the rule."""

    def parse_flags(self, given: Mapping[str, Any], reader: FlagReader) -> dict[str, Any]:
        """Return the rule's keys and plain values, given the values of all flags by parameter.

        Raises InputError for an invalid value.
        """
        return {flag.key: given[flag.parameter] for flag in self.flags if flag.key}

    def check_flags(self, puzzle: Puzzle, reader: FlagReader) -> None:
        """Check the finished puzzle: print notes on flags without effect.

        Raises InputError for a rule that can't be satisfied.
        """
        return

    def is_set(self, puzzle: Puzzle) -> bool:
        """Return whether the puzzle has the rule."""
        return any(getattr(puzzle, name) != value for name, value in self.unset.items())

    def phrase(self, puzzle: Puzzle) -> str:
        """Return the rule as a noun phrase: "the excluded words"."""
        return f"the rule {self.label!r}"

    def relaxations(self, puzzle: Puzzle) -> Iterator[Sequence[Relaxation]]:
        """Yield ways to weaken the rule, each a sequence of ever weaker puzzles.

        Every fill of a puzzle in a sequence is also a fill of the later puzzles.
        """
        yield from ()

    def allowed(self, puzzle: Puzzle, lexicon: WordGroup, slot: str | None, words: int) -> int:
        """Return which of the words a slot may have, by a rule about single words.

        ``words`` is a bitset over ``lexicon``, ``Puzzle.lexicon`` of the slot's length: the listed
        words that the rules before this one leave. ``slot`` is the name of the slot; None stands
        for a slot that no rule names.
        """
        return words

    def marker(self, puzzle: Puzzle) -> Marker | None:
        """Return the marker of a rule about pairs of words; None for other rules."""
        return None

    def to_data(self, puzzle: Puzzle) -> dict[str, Any]:
        """Return the rule's keys and plain values."""
        values = {key: key.shape.to_plain(getattr(puzzle, key.field)) for key in self.keys}
        return {
            key.name: value
            for key, value in values.items()
            if key.always or not (value is None or value is False or value in ([], {}))
        }

    def from_data(self, data: Mapping[str, Any], read_word: ReadWord) -> dict[str, Any]:
        """Return the fields of ``Puzzle`` for plain values by key."""
        return {
            key.field: key.shape.from_plain(data[key.name], read_word)
            for key in self.keys
            if data.get(key.name) is not None
        }


MAX_LISTED_WORDS = 6
"""Maximum number of words that a sentence lists."""
