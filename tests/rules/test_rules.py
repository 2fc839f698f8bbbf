"""Rules about several words, and the flags that set them."""

from __future__ import annotations

import json
import re
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

import pytest
from helpers import SINGLE_BACKENDS, run
from hypothesis import given
from hypothesis import strategies as st

from satcross import Grid, Puzzle, Status, Vocabulary, solve
from satcross.backends.registry import ENCODINGS
from satcross.cli import BAD_INPUT, FILLED, UNFILLABLE, WRONG
from satcross.formats.json import puzzle_to_data
from satcross.network import word_rules
from satcross.network.word_rules import WordRules
from satcross.rules import RULES
from satcross.rules.rule import Mark, Rule
from satcross.verify import verify
from satcross.vocabulary import WordGroup

GRID = Grid.from_rows(["____", "####", "____"])


def test_marks() -> None:
    word_rules = WordRules(
        Puzzle(GRID, Vocabulary(["CARE"]), max_shared_substring=2, stem_endings=("S", "ES"))
    )
    assert word_rules.marks("CAFES") == {
        *(Mark(run) for run in ("CAF", "AFE", "FES")),
        *(Mark(stem, 1, "of the stem") for stem in ("CAFES", "CAFE", "CAF")),
    }
    assert word_rules.marks("AS") == {Mark("AS", 1, "of the stem")}  # a stem has two letters


@given(st.sets(st.text("ABS", min_size=2, max_size=4), min_size=2))
def test_words_with_a_mark_are_those_that_it_marks(words: set[str]) -> None:
    vocabulary = Vocabulary(words)
    word_rules = WordRules(
        Puzzle(GRID, vocabulary, max_shared_substring=1, stem_endings=("S", "BS"))
    )
    for mark in {mark for word in words for mark in word_rules.marks(word)}:
        for lexicon in map(vocabulary.group, vocabulary.lengths):
            marked = [word for word in lexicon.words if mark in word_rules.marks(word)]
            assert word_rules.having(mark, lexicon) == sum(map(lexicon.bit_of, marked))


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


@pytest.mark.parametrize("encoding", ["", *ENCODINGS])
@pytest.mark.parametrize("backend", SINGLE_BACKENDS)
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


def test_the_checker_names_what_is_alike() -> None:
    fill = {"1A": "CARE", "2A": "AREA"}
    words = Vocabulary(["CARE", "AREA", "CARS"])
    assert verify(Puzzle(GRID, words, max_shared_substring=2), fill) == [
        "1A and 2A: CARE and AREA share ARE, more than 2 letters"
    ]
    assert verify(Puzzle(GRID, words, max_shared_substring=3), fill) == []
    assert verify(Puzzle(GRID, words, stem_endings=("S", "E")), {"1A": "CARE", "2A": "CARS"}) == [
        "1A and 2A: CARE and CARS are both CAR and an ending or none"
    ]
    assert verify(Puzzle(GRID, words, theme=frozenset({"CARS", "BOLT"})), fill) == [
        "the theme word BOLT is missing",
        "the theme word CARS is missing",
    ]
    two = Puzzle(GRID, words, theme=frozenset({"CARE", "CARS", "BOLT"}), min_theme_words=2)
    assert verify(two, fill) == ["theme words: 1 used, 2 required"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "s.txt").write_text("____\n####\n____\n")
    (tmp_path / "w.txt").write_text("care;50\narea;50\nbolt;50\ncars;10\n")
    (tmp_path / "t.txt").write_text("zzzz\n")
    (tmp_path / "long.txt").write_text("zzzzz\n")
    return tmp_path


@pytest.mark.parametrize(
    ("flags", "number"),
    [
        ((), 12),
        (("--max-shared-substring", "2"), 8),
        (("--no-same-stem", "s,e"), 10),
        (("--theme", "t.txt"), 8),
        (("--theme", "t.txt", "--theme", "long.txt", "--theme-any", "1"), 8),
        (("--min-score", "20"), 6),
        (("--min-score", "4:20"), 6),
        (("--min-score", "20,4:10"), 12),
        (("--min-score", "10,1A:20"), 9),
        (("--lock", "r1c1=b"), 3),
        (("--lock", "R3C4=T", "--lock", "1A=QQQQ"), 1),
        (("--prefer", "t.txt"), 12),
    ],
)
def test_flags(folder: Path, flags: tuple[str, ...], number: int) -> None:
    result = run(folder, "count", "s.txt", "w.txt", *flags, "--backend", "sat,backtrack,cpsat")
    assert (result.returncode, int(result.stdout.split()[0])) == (FILLED, number)


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("--lock", "r4c1=A"), "r4c1=A lies outside the grid; rows are 1 to 3, columns 1 to 4"),
        (("--lock", "r2c1=A"), "lock r2c1=A: the cell is blocked; rows and columns count from 1"),
        (("--min-score", "x"), "bad --min-score 'x'"),
        (("--min-score", "9D:20"), "--min-score 9D:20: no slot has this name; it has 1A"),
        (("--theme", "t.txt", "--theme-any", "2"), "2 theme words are asked for"),
        (("--theme", "long.txt"), "the theme word ZZZZZ has 5 letters, and no slot has as many"),
        (("--theme", "t.txt", "--exclude", "zzzz"), "the theme word ZZZZ is excluded"),
        (("--theme", "none.txt"), "none.txt"),
        (("--max-shared-substring", "0"), "--max-shared-substring"),
    ],
)
def test_bad_flags(folder: Path, flags: tuple[str, ...], told: str) -> None:
    result = run(folder, "solve", "s.txt", "w.txt", "--quiet", *flags)
    assert result.returncode == BAD_INPUT
    assert told in result.stderr.decode()
    assert len(result.stderr.decode().splitlines()) == 1


def test_a_minimum_score_for_a_length_that_no_slot_has_is_told(folder: Path) -> None:
    result = run(folder, "solve", "s.txt", "w.txt", "--quality", "any", "--min-score", "60:4,4:10")
    assert result.returncode == FILLED
    assert result.stderr.decode() == "satcross: note: --min-score 60:4: no slot has 60 letters\n"


def test_every_command_takes_the_rules(folder: Path) -> None:
    """Every command honours the rules: the puzzle is unfillable as all pairs are too similar."""
    (folder / "w.txt").write_text("care\narea\nares\n")
    rules = ("--max-shared-substring", "1")
    solved = run(folder, "solve", "s.txt", "w.txt", *rules, "--proof", "p.drat")
    assert solved.returncode == UNFILLABLE
    checked = run(folder, "check", "s.txt", "w.txt", "--proof", "p.cnf", "p.drat", *rules)
    assert checked.stdout.decode().startswith("valid: the puzzle has no fill")
    other = run(folder, "check", "s.txt", "w.txt", "--proof", "p.cnf", "p.drat")
    assert "is not this puzzle's formula" in other.stdout.decode()
    explained = run(folder, "explain", "s.txt", "w.txt", *rules, "--json")
    data = json.loads(explained.stdout)
    assert "shared letters" in {part["kind"] for part in data["parts"]}
    assert "--max-shared-substring 3" in str([one["text"] for one in data["suggestions"]])
    (folder / "f.txt").write_text("CARE\n####\nAREA\n")
    wrong = run(folder, "check", "s.txt", "w.txt", "f.txt", *rules)
    assert wrong.returncode == WRONG
    assert "share ARE" in wrong.stdout.decode() or "share AR" in wrong.stdout.decode()


def test_explaining_a_theme(folder: Path) -> None:
    (folder / "t.txt").write_text("care\nares\nrest\n")
    result = run(folder, "explain", "s.txt", "w.txt", "--theme", "t.txt")
    text = result.stdout.decode()
    assert "ARES, CARE and REST must appear in the grid" in text
    assert "ask for fewer theme words (--theme-any 2)" in text


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
