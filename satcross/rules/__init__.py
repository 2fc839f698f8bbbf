"""The rules of puzzles, and their registry ``RULES``.

The command line, JSON, suites and the web page all use ``build_puzzle`` to make a ``Puzzle`` from
plain values.

A class of ``Rule`` in a module of this package is a rule. Nothing else lists the rules: the fields
of ``Puzzle`` say which there are, and a rule says which of the fields are its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

from satcross.grid import Grid
from satcross.puzzle import Puzzle, with_letters
from satcross.rules.locks import LETTERS
from satcross.rules.rule import Flag, FlagReader, Key, ReadWord, Rule
from satcross.support.wording import join_phrases
from satcross.vocabulary import Vocabulary, WordGroup


def _find_rules() -> tuple[Rule, ...]:
    for file in Path(__file__).parent.glob("[!_]*.py"):
        import_module(f"{__name__}.{file.stem}")
    names = [field.name for field in fields(Puzzle)]
    kinds = Rule.__subclasses__()
    rules = (kind() for kind in kinds if kind.__module__.startswith(f"{__name__}."))
    return tuple(sorted(rules, key=lambda rule: names.index(rule.keys[0].field)))


RULES = _find_rules()
"""Every rule, in the order of the fields of ``Puzzle``: that of help texts and explanations."""


def all_keys() -> dict[str, Key]:
    """Return the keys of the data forms of all rules, by name."""
    return {key.name: key for rule in RULES for key in rule.keys}


def all_flags() -> list[Flag]:
    """Return the flags of all rules."""
    return [flag for rule in RULES for flag in rule.flags]


def parse_flags(given: Mapping[str, Any], reader: FlagReader) -> dict[str, Any]:
    """Return the plain values of all rules by key, given the values of all flags by parameter.

    Raises InputError for an invalid value.
    """
    return {key: value for rule in RULES for key, value in rule.parse_flags(given, reader).items()}


def allowed_words(puzzle: Puzzle, lexicon: WordGroup, slot: str | None = None) -> int:
    """Return the words that the rules about single words allow in a slot, as a bitset.

    ``lexicon`` is ``Puzzle.lexicon`` of the slot's length. ``slot`` is the name of the slot; None
    stands for one that no rule names.
    """
    words = puzzle.listed(lexicon.length).everything
    for rule in RULES:
        words = rule.allowed(puzzle, lexicon, slot, words)
    return words


def describe_left_out(puzzle: Puzzle, length: int, slot: str) -> str:
    """Return the rules that leave out words of the vocabulary, as a noun phrase, or ""."""
    phrases = []
    group = puzzle.vocabulary.group(length)
    words = group.everything
    for rule in RULES:
        left = rule.allowed(puzzle, group, slot, words)
        if words & ~left:
            phrases.append(rule.phrase(puzzle))
        words = left
    return join_phrases(phrases) if phrases else ""


def rules_to_data(puzzle: Puzzle) -> dict[str, Any]:
    """Return the rules of a puzzle as plain values by key; the inverse of ``build_puzzle``."""
    return {key: value for rule in RULES for key, value in rule.to_data(puzzle).items()}


def build_puzzle(
    grid: Grid,
    vocabulary: Vocabulary,
    rules: Mapping[str, Any],
    read_word: ReadWord = lambda word: word,
) -> Puzzle:
    """Make a puzzle from a grid, words and the plain values of rules, by key (``all_keys``).

    A key that is missing or None leaves the rule unset. ``read_word`` normalises the words of the
    rules to the form of the vocabulary. Raises InputError when the rules contradict each other or
    the grid. The types of the values are not checked.
    """
    fields: dict[str, Any] = {}
    for rule in RULES:
        fields |= rule.from_data(rules, read_word)
    return Puzzle(with_letters(grid, rules.get(LETTERS) or {}), vocabulary, **fields)


def check_flags(puzzle: Puzzle, reader: FlagReader) -> None:
    """Check a puzzle made from flags: print notes on flags without effect.

    Raises InputError for rules that can't be satisfied.
    """
    for rule in RULES:
        rule.check_flags(puzzle, reader)
