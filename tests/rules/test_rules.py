"""Rules about several words, and the flags that set them."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

import pytest
from helpers import SINGLE_BACKENDS, run

from satcross import Grid, Puzzle, Status, Vocabulary, solve
from satcross.backends.registry import ENCODINGS
from satcross.cli import FILLED
from satcross.formats.json import puzzle_to_data
from satcross.network import word_rules
from satcross.rules import RULES
from satcross.rules.rule import Mark, Rule
from satcross.vocabulary import WordGroup

GRID = Grid.from_rows(["____", "####", "____"])


class _Letters:
    """Marks a word with its letters in alphabetical order, which need not stand in it."""

    relation: ClassVar[str] = "of the letters"

    def marks(self, word: str) -> set[Mark]:
        return {Mark("".join(sorted(word)), 0, self.relation)}

    def having(self, text: str, lexicon: WordGroup) -> int:
        return sum(lexicon.bit_of(word) for word in lexicon.words if sorted(word) == [*text])


class _NoAnagrams(Rule):
    def marker(self, puzzle: Puzzle) -> _Letters:
        return _Letters()


@pytest.mark.parametrize(
    ("backend", "encoding"),
    [*((name, "") for name in SINGLE_BACKENDS), *(("sat", name) for name in ENCODINGS)],
)
def test_marks_that_do_not_stand_in_the_word_reach_every_backend(
    backend: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_rules, "RULES", (_NoAnagrams(),))
    options = {"encoding": encoding} if encoding else {}
    anagrams = Puzzle(GRID, Vocabulary(["CARE", "RACE"]))
    assert solve(anagrams, backend, workers=1, options=options).status is Status.UNFILLABLE
    more = Puzzle(GRID, Vocabulary(["CARE", "RACE", "BOLT"]))
    fill = solve(more, backend, workers=1, options=options).fill
    assert fill is not None
    assert "BOLT" in fill.values()


def test_puzzles_without_these_rules_keep_their_hash() -> None:
    data = puzzle_to_data(Puzzle(GRID, Vocabulary(["CARE"])))
    assert set(data) == {"rows", "words", "locks", "min_score", "excluded", "allow_repeats"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "s.txt").write_text("____\n####\n____\n")
    (tmp_path / "w.txt").write_text("care;50\narea;50\nbolt;50\ncars;10\n")
    (tmp_path / "t.txt").write_text("zzzz\n")
    (tmp_path / "long.txt").write_text("zzzzz\n")
    return tmp_path


def test_a_minimum_score_for_a_length_that_no_slot_has_is_told(folder: Path) -> None:
    result = run(folder, "solve", "s.txt", "w.txt", "--quality", "any", "--min-score", "60:4,4:10")
    assert result.returncode == FILLED
    assert result.stderr.decode() == "satcross: note: --min-score 60:4: no slot has 60 letters\n"


def test_what_is_suggested_can_be_given() -> None:
    """Every flag that a weaker rule names takes the value that is named with it."""
    words = Vocabulary(["CARE", "AREA"])
    settings: dict[str, Any] = {
        "theme": frozenset(["CARE", "ARES"]),
        "max_shared_substring": 1,
        "min_score": 2,
    }
    named = 0
    for rule in RULES:
        for relaxation in chain.from_iterable(rule.relaxations(Puzzle(GRID, words, **settings))):
            for name, value in re.findall(r"\((--[\w-]+) (\d+)\)", relaxation.text):
                flag = next(flag for flag in rule.flags if flag.name == name)
                assert flag.minimum is None or int(value) >= flag.minimum
                named += 1
    assert named > 3
