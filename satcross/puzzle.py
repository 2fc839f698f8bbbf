"""The puzzle: a grid, a vocabulary and rules, immutable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, field, fields, replace
from types import MappingProxyType
from typing import Any

from satcross.errors import InputError
from satcross.grid import BLOCKED, OPEN, Cell, Grid, Slot, cell_name
from satcross.support.arguments import check_texts, check_type, short_repr
from satcross.support.frozen import frozen
from satcross.support.letters import repacked, spellings
from satcross.vocabulary import Vocabulary, WordGroup

PREFERENCE = 50
"""Points that a preferred word is worth beyond its score."""

_MAX_NAMES = 12
"""Maximum number of slots whose names a message lists."""


@frozen
class Puzzle:
    """A puzzle: put a word in every slot of the grid so that all crossings agree.

    ``locks`` maps slot names to the words that the slots must have; a locked word is legal even if
    the vocabulary lacks it, and so is the word of a slot whose cells all carry given letters.
    ``min_score`` and ``excluded`` restrict the vocabulary for the other slots; ``min_scores``
    (length -> score) replaces ``min_score`` for words of that length, and ``slot_min_scores`` (slot
    name -> score; other names are ignored) replaces both for that slot. All words must differ
    unless ``allow_repeats``.

    At least ``min_theme_words`` of the ``theme`` words (None: all of them) must be used. They are
    legal in every slot of their length, whatever the vocabulary and their score, unless excluded.

    Two different words of a fill may not have a run of more than ``max_shared_substring`` letters
    in common (None: no limit); nor may both be the same two letters or more, the stem, followed by
    nothing or by one of the ``stem_endings``. Neither rule holds between two of the setter's words,
    which are the locked words, the theme words, and ``setter_words``.

    ``preferred`` words are tried first and are ``worth`` more; they do not change what a fill is.
    docs/rules.md describes all rules, and ``satcross.rules`` holds a module for each.

    ``extra_words`` maps slot names to words that are legal there, as a locked word is, whatever the
    lists and the other rules for single words say. Other names are ignored.

    In a grid with slots left out, a theme word that is as long as a slot left out may belong there:
    it is not required, and the number of required theme words is one less.

    Puzzles are equal when grid, vocabulary and rules are. Raises InputError when the rules are
    contradictory by themselves.
    """

    grid: Grid
    vocabulary: Vocabulary
    # The order of the fields is that of the rules in help texts and explanations.
    locks: Mapping[str, str] = field(default_factory=dict)
    _: KW_ONLY
    allow_repeats: bool = False
    min_score: int | None = None
    min_scores: Mapping[int, int] = field(default_factory=dict)
    slot_min_scores: Mapping[str, int] = field(default_factory=dict)
    excluded: frozenset[str] = frozenset()
    theme: frozenset[str] = frozenset()
    min_theme_words: int | None = None
    preferred: frozenset[str] = frozenset()
    max_shared_substring: int | None = None
    stem_endings: tuple[str, ...] = ()
    setter_words: frozenset[str] = frozenset()
    extra_words: Mapping[str, str] = field(default_factory=dict)
    fixed_words: Mapping[int, str] = field(init=False, repr=False, compare=False)
    """Slot index -> the word that the slot must have: locked, or spelled by given letters."""
    fixed_letters: Mapping[Cell, str] = field(init=False, repr=False, compare=False)
    """Cell -> the letter that a fixed word or a given letter puts there."""

    def __post_init__(self) -> None:
        check_type(self.grid, Grid, "the grid", "make one with Grid.from_rows or Grid.read")
        check_type(self.vocabulary, Vocabulary, "the vocabulary", "make one with Vocabulary(words)")
        self._check_rules()
        words = _fixed_words(self.grid, self.locks)
        letters = _fixed_letters(self.grid, words)
        values: dict[str, Any] = {"fixed_words": words, "fixed_letters": letters}
        values |= {item.name: getattr(self, item.name) for item in fields(self) if item.init}
        for by_slot in ("locks", "slot_min_scores"):
            values[by_slot] = {name.upper(): item for name, item in values[by_slot].items()}
        values["stem_endings"] = tuple(
            sorted(set(self.stem_endings), key=lambda text: (len(text), text))
        )
        for item in fields(self):
            value = values[item.name]
            if item.default_factory is dict or not item.init:
                value = MappingProxyType(dict(value))
            elif item.default == frozenset():
                value = frozenset(value)
            object.__setattr__(self, item.name, value)
        if not self.allow_repeats:
            _check_fixed_words_differ(self.grid, words)
        if not 0 <= (self.min_theme_words or 0) <= len(self.theme):
            raise InputError(
                f"{self.min_theme_words} theme words are asked for, and there are "
                f"{len(self.theme)}",
                f"ask for 0 to {len(self.theme)}",
            )
        if self.max_shared_substring is not None and self.max_shared_substring < 1:
            raise InputError(
                f"words that share no more than {self.max_shared_substring} letters "
                "would share none",
                "allow at least 1",
            )
        if "" in self.stem_endings:
            raise InputError("an ending without a letter", "name endings like S and ES")

    def _check_rules(self) -> None:
        """Raise TypeError for a rule whose value is not of the type of its field."""
        for rule in fields(self):
            name, kind, value = rule.name, str(rule.type), getattr(self, rule.name, None)
            if kind.startswith("Mapping[") and rule.init:
                check_type(value, Mapping, name, f"give a dict, a {kind}")
            elif kind.startswith(("frozenset[str", "tuple[str")):
                check_texts(value, f"the words of {name}")
            elif kind == "int | None" and value is not None:
                check_type(value, int, name, "give a whole number or None")

    __repr__ = short_repr

    def __hash__(self) -> int:
        return hash((self.grid, self.vocabulary))  # mappings, which some rules are, have no hash

    def __reduce__(self) -> tuple[object, ...]:
        # A mappingproxy can't be pickled; a puzzle must be, to reach another process.
        values = {item.name: getattr(self, item.name) for item in fields(self) if item.init}
        for name, value in values.items():
            if isinstance(value, MappingProxyType):
                values[name] = dict(value)
        return _restored, (values, spellings())

    def min_score_of(self, length: int, slot: str | None = None) -> int | None:
        """Return the minimum score of words of that length, or None without one.

        ``slot`` is the name of the slot; None stands for one without a score of its own.
        """
        general = self.min_scores.get(length, self.min_score)
        return general if slot is None else self.slot_min_scores.get(slot, general)

    def worth(self, word: str) -> int:
        """Return what to maximise: the word's score, plus ``PREFERENCE`` if it is preferred."""
        return self.vocabulary.score(word) + (PREFERENCE if word in self.preferred else 0)

    @property
    def exempt_words(self) -> frozenset[str]:
        """The setter's words, which the rules about pairs do not hold against each other."""
        return self.setter_words.union(self.theme, self.fixed_words.values())

    def required_theme(self) -> tuple[frozenset[str], int]:
        """Return the theme words, and how many of them must at least stand in the grid."""
        required = len(self.theme) if self.min_theme_words is None else self.min_theme_words
        if not self.grid.left_out or not required:
            return self.theme, required
        slots = replace(self.grid, left_out=frozenset()).slots
        lengths = {slot.length for slot in slots if slot.name in self.grid.left_out}
        placeable = frozenset(word for word in self.theme if len(word) not in lengths)
        return placeable, max(0, required - len(self.theme - placeable))

    def lexicon(self, length: int) -> WordGroup:
        """Return the vocabulary's words of that length and least score, then others.

        The others are locked words and words of the theme, in the vocabulary or not.
        """
        group = self.listed(length)
        extra = {
            word: None
            for word in (
                *self.fixed_words.values(),
                *self.extra_words.values(),
                *sorted(self.theme),
            )
            if len(word) == length and not group.bit_of(word)
        }
        if not extra:
            return group
        scores = group.scores + tuple(map(self.vocabulary.score, extra))
        return WordGroup(length, group.words + tuple(extra), scores)

    def listed(self, length: int) -> WordGroup:
        """Return the vocabulary's words of that length that score enough for some slot."""
        group = self.vocabulary.group(length)
        min_score = self.min_score_of(length)
        if min_score is None:
            return group
        slots = self.grid.slots if self.slot_min_scores else ()
        own = (self.slot_min_scores.get(slot.name) for slot in slots if slot.length == length)
        return group.best(min([min_score, *(item for item in own if item is not None)]))


def _restored(values: Mapping[str, Any], packed: Mapping[int, str]) -> Puzzle:
    grid = values["grid"]
    same = {"rows": repacked(grid.rows, packed), "rebus": repacked(grid.rebus, packed)}
    return Puzzle(**repacked(values, packed) | {"grid": replace(grid, **same)})


def with_letters(grid: Grid, letters: Mapping[Cell, str]) -> Grid:
    """Return the grid with letters given in cells, which are (row, column) from 0.

    Raises InputError for a cell that is blocked, outside the grid, or has another letter.
    """
    for (row, column), letter in letters.items():
        here = f"{cell_name((row, column))}={letter}"
        if not (0 <= row < grid.height and 0 <= column < grid.width):
            raise InputError(f"lock {here} lies outside the grid", grid.extent)
        if grid.rows[row][column] == BLOCKED:
            raise InputError(f"lock {here}: the cell is blocked", "rows and columns count from 1")
        if grid.rows[row][column] not in (OPEN, letter):
            raise InputError(
                f"lock {here} contradicts the letter {grid.rows[row][column]} given there",
                "drop one of the two",
            )
    return grid.with_cells(letters) if letters else grid


def _fixed_words(grid: Grid, locks: Mapping[str, str]) -> dict[int, str]:
    words: dict[int, str] = {}
    for index, slot in enumerate(grid.slots):
        letters = [grid.given(cell) for cell in slot.cells]
        if None not in letters:
            words[index] = "".join(filter(None, letters))
    for name, word in locks.items():
        found = grid.slot_named(name)
        if found is None:
            names = [slot.name for slot in grid.slots]
            shown = ", ".join(names) if len(names) <= _MAX_NAMES else f"{names[0]} to {names[-1]}"
            raise InputError(f"lock {name}={word}: the grid has no slot {name}", f"it has {shown}")
        slot = grid.slots[found]
        if len(word) != slot.length:
            raise InputError(
                f"lock {name}={word}: {slot.name} takes {slot.length} letters, not {len(word)}",
                "lock a word of that length",
            )
        for cell, letter in zip(slot.cells, word, strict=True):
            given = grid.given(cell)
            if given is not None and given != letter:
                raise InputError(
                    f"lock {name}={word} contradicts the letter {given} given at {cell_name(cell)}",
                    "drop one of the two",
                )
        if words.setdefault(found, word) != word:
            raise InputError(
                f"{slot.name} is locked twice, as {words[found]} and as {word}", "drop one"
            )
    return words


def _fixed_letters(grid: Grid, words: Mapping[int, str]) -> dict[Cell, str]:
    letters: dict[Cell, str] = {}
    source: dict[Cell, Slot] = {}
    for slot in grid.slots:
        for cell in slot.cells:
            given = grid.given(cell)
            if given is not None:
                letters[cell] = given
    for index, word in words.items():
        slot = grid.slots[index]
        for cell, letter in zip(slot.cells, word, strict=True):
            if letters.setdefault(cell, letter) != letter:
                other = source[cell].name
                raise InputError(
                    f"the locks of {other} and {slot.name} contradict each other: "
                    f"{letters[cell]} and {letter} at {cell_name(cell)}",
                    "drop one of the two",
                )
            source[cell] = slot
    return letters


def _check_fixed_words_differ(grid: Grid, words: Mapping[int, str]) -> None:
    first: dict[str, str] = {}
    for index, word in words.items():
        name = grid.slots[index].name
        if word in first:
            raise InputError(
                f"{first[word]} and {name} are both locked to {word}, and a word may stand only "
                "once",
                "change one of the two (locks or given letters), or allow repeats",
            )
        first[word] = name
