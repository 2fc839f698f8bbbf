"""Each rule by itself: its flags, its sentences, the words it allows and how it is weakened."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from attack.puzzles import puzzle_of, random_puzzle

from satcross import Grid, InputError, Puzzle, Vocabulary
from satcross.formats.entries import normalise
from satcross.network.arc_consistency import bits
from satcross.rules import RULES, all_flags, describe_left_out
from satcross.rules.single_words import MAX_SINGLE_WORDS
from satcross.verify import verify

WORDS = Vocabulary({"CAT": 50, "DOG": 60, "EMU": 70, "LONG": 80})
GRID = Grid.from_rows(["____", "_##_", "____"])
FILES = {"theme.txt": ["CAT", "ZZZ"], "more.txt": ["YAK"]}
WAYS = ("Right", "left", "down", "up", "down-right", "down-left", "up-right", "up-left")
AROUND = ((1, 2), (1, 0), (2, 1), (0, 1), (2, 2), (2, 0), (0, 2), (0, 0))
NOTHING: dict[str, Any] = {
    flag.parameter: () if flag.multiple else False if flag.metavar is None else None
    for flag in all_flags()
}
"""The values of flags that are not given."""


class Reader:
    """What rules use to read the values of their flags."""

    def __init__(self) -> None:
        self.vocabulary = WORDS
        self.notes: list[str] = []

    def read_word(self, text: str) -> str:
        return normalise(text)

    def read_words(self, paths: Sequence[str], *, strict: bool = False) -> list[str]:
        return [word for path in paths for word in FILES[path]]

    def is_file(self, value: str) -> bool:
        return value in FILES

    def note(self, text: str, about: str) -> None:
        self.notes.append(f"{about}: {text}")


def parse(given: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    reader = Reader()
    found: dict[str, Any] = {}
    for rule in RULES:
        found |= rule.parse_flags({**NOTHING, **given}, reader)
    return found, reader.notes


@pytest.mark.parametrize(
    ("given", "data", "notes"),
    [
        ({"locks": ("1a = cat", "R1C2=x")}, {"locks": {"1A": "CAT"}, "letters": {(0, 1): "X"}}, []),
        ({"locks": ("1A=CAT", "1a=cat")}, {"locks": {"1A": "CAT"}}, []),
        (
            {"ninas": tuple(f"r2c2-{way} A{n}" for n, way in enumerate(WAYS))},
            {"letters": {(1, 1): "A"} | {cell: str(n) for n, cell in enumerate(AROUND)}},
            [],
        ),
        ({"exclude": ("theme.txt", "cat, dog")}, {"excluded": ["CAT", "DOG", "ZZZ"]}, []),
        ({"exclude": ("gnu,",)}, {"excluded": ["GNU"]}, ["--exclude gnu: no list has this word"]),
        (
            {"min_score": "50, 3:60,03d:-7"},
            {"min_score": 50, "min_scores": {"3": 60}, "slot_min_scores": {"03D": -7}},
            [],
        ),
        ({"theme": ("theme.txt", "more.txt")}, {"theme": ["CAT", "ZZZ", "YAK"]}, []),
        ({"theme": ("more.txt",), "theme_any": 1}, {"theme": ["YAK"], "theme_least": 1}, []),
        (
            {"prefer": ("theme.txt",)},
            {"preferred": ["CAT", "ZZZ"]},
            ["--prefer: ZZZ is not used: no list has it, or your edits say never"],
        ),
        (
            {"prefer": ("theme.txt", "more.txt")},
            {"preferred": ["CAT", "ZZZ", "YAK"]},
            ["--prefer: 2 of these words are not used: no list has them, or your edits say never"],
        ),
        ({"no_same_stem": "s,es"}, {"endings": ["S", "ES"]}, []),
        ({"max_shared_substring": 2, "allow_repeats": True}, {"max_shared": 2}, []),
    ],
)
def test_flags_become_data(given: dict[str, Any], data: dict[str, Any], notes: list[str]) -> None:
    found, said = parse(given)
    assert {key: found[key] for key in data} == data
    assert found["allow_repeats"] is given.get("allow_repeats", False)
    assert said == notes


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"locks": ("CAT",)}, "bad --lock 'CAT'"),
        ({"locks": ("=CAT",)}, "bad --lock '=CAT'"),
        ({"locks": ("1A=",)}, "bad --lock '1A='"),
        ({"locks": ("1A=C?T",)}, r"--lock: '\?' is not a letter"),
        ({"locks": ("1A=CAT", "1A=DOG")}, "1A is locked twice, as CAT and as DOG"),
        ({"locks": ("r1c1=AB",)}, "a cell takes one letter"),
        ({"ninas": ("r1c1 CAT",)}, "bad --nina 'r1c1 CAT'; write it as 'r1c1-right TEXT'"),
        ({"ninas": ("r1c1-sideways CAT",)}, "it runs right, left, down"),
        ({"ninas": ("r0c1-right CAT",)}, "count"),
        ({"ninas": ("r1c1-right  ",)}, "bad --nina"),
        ({"ninas": ("r1c1-right A", "r1c2-left XB")}, "r1c1 is locked twice, as A and as B"),
        ({"exclude": (" ",)}, "--exclude has an empty value"),
        ({"min_score": "3:4:5"}, "bad --min-score '3:4:5'"),
        ({"min_score": "1_0"}, "bad --min-score '1_0'"),
        ({"min_score": "-3:5"}, "bad --min-score '-3:5'"),
        ({"min_score": "3:1,03:2"}, "two minimum scores for length 3"),
        ({"min_score": "1a:1,1A:2"}, "two minimum scores for 1A"),
        ({"min_score": "1,2"}, "two minimum scores for all words"),
        ({"theme_any": 1}, "--theme-any needs --theme"),
        ({"no_same_stem": "S,,"}, "bad --no-same-stem 'S,,'"),
        ({"no_same_stem": "S,1"}, "bad --no-same-stem 'S,1'"),
    ],
)
def test_flags_without_a_meaning(given: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        parse(given)


def test_rules_in_sentences() -> None:
    theme = frozenset("ABCDEFG")
    for rules, phrases in (
        ({}, ["the rule that no word may appear twice"]),
        ({"min_score": 5}, ["the minimum score of 5"]),
        (
            {"min_score": 5, "min_scores": {4: 6, 3: 7}, "slot_min_scores": {"1A": 8}},
            ["the minimum scores of 5, of 7 for 3 letters, of 6 for 4 letters and of 8 for 1A"],
        ),
        ({"min_scores": {3: 7}}, ["the minimum score of 7 for 3 letters"]),
        ({"excluded": {"CAT"}}, ["the excluded words"]),
        ({"theme": {"CAT"}}, ["the rule that CAT must appear in the grid"]),
        ({"theme": {"CAT", "DOG"}}, ["the rule that CAT and DOG must appear in the grid"]),
        (
            {"theme": theme, "min_theme_words": 2},
            ["the rule that at least 2 of A, B, C, D, E, F and 1 other must appear in the grid"],
        ),
        (
            {"theme": {"CAT", "DOG"}, "min_theme_words": 1},
            ["the rule that at least 1 of CAT and DOG must appear in the grid"],
        ),
        ({"theme": {"CAT"}, "min_theme_words": 0}, []),
        (
            {"stem_endings": ("ES", "S")},
            ["the rule that two words may not differ only by the ending S or ES"],
        ),
        (
            {"max_shared_substring": 2},
            ["the rule that two words may not share more than 2 letters in a row"],
        ),
    ):
        puzzle = Puzzle(GRID, WORDS, **{"allow_repeats": bool(rules), **rules})  # type: ignore[arg-type]
        said = [rule.phrase(puzzle) for rule in RULES if rule.is_set(puzzle)]
        assert said == phrases


def test_the_rules_that_leave_out_words() -> None:
    words = Vocabulary({"CAT": 10, "DOG": 60})
    rules: dict[str, Any] = {"excluded": frozenset({"DOG"})}
    for more, said in (
        ({"min_score": 5}, "the excluded words"),
        ({"min_score": 50}, "the minimum score of 50 and the excluded words"),
    ):
        puzzle = Puzzle(GRID, words, **rules, **more)  # type: ignore[arg-type]
        assert describe_left_out(puzzle, 3, "1A") == said
    assert describe_left_out(Puzzle(GRID, words), 3, "1A") == ""


def test_ways_to_weaken_a_rule() -> None:
    theme, many = {"CAT", "DOG"}, {f"W{number:02}" for number in range(MAX_SINGLE_WORDS + 1)}
    few = many - {"W00"}
    for rules, texts in (
        (
            {"min_score": 70, "min_scores": {3: 65}, "slot_min_scores": {"1A": 90}},
            [
                ["drop the minimum score of 65 for words of 3 letters"],
                ["drop the minimum score of 90 for 1A"],
                [],
            ],
        ),
        (
            {"min_score": 70},
            [[f"accept words with a score of {score} (--min-score {score})" for score in (60, 50)]],
        ),
        ({"excluded": {"CAT"}}, [["allow CAT again"]]),
        (
            {"excluded": {"CAT", "DOG", "GNU"}},
            [["allow CAT again"], ["allow DOG again"], ["drop all exclusions"]],
        ),
        ({"excluded": many}, [["drop all exclusions"]]),
        (
            {"excluded": few},
            [*([f"allow {word} again"] for word in sorted(few)), ["drop all exclusions"]],
        ),
        (
            {"theme": theme},
            [
                [
                    "ask for fewer theme words (--theme-any 1)",
                    "require no theme word: give their file by --words, not by --theme",
                ]
            ],
        ),
        (
            {"max_shared_substring": 2},
            [[f"let words share {n} letters (--max-shared-substring {n})" for n in (3, 4)]],
        ),
    ):
        listed = many if rules.get("excluded") in (many, few) else ()
        words = WORDS.changed(dict.fromkeys(listed, 1))
        puzzle = Puzzle(GRID, words, allow_repeats=True, **rules)
        steps = [step for rule in RULES if rule.is_set(puzzle) for step in rule.relaxations(puzzle)]
        assert [[relaxed.text for relaxed in step] for step in steps] == texts
        for step in steps:
            assert all(relaxed.puzzle != puzzle for relaxed in step)


def test_the_words_that_rules_allow_are_those_of_the_checker() -> None:
    seen = 0
    for seed in range(120):
        puzzle = puzzle_of(random_puzzle(Random(seed)))
        for slot in puzzle.grid.slots:
            lexicon = puzzle.lexicon(slot.length)
            listed = puzzle.listed(slot.length)
            words = (1 << len(listed)) - 1
            for rule in RULES:
                words = rule.allowed(puzzle, lexicon, slot.name, words)
            allowed = {lexicon.words[index] for index in bits(words)}
            for word in lexicon.words:
                if puzzle.fixed_words.get(puzzle.grid.slots.index(slot)) is not None:
                    continue
                problems = [
                    problem
                    for problem in verify(puzzle, {slot.name: word})
                    if problem.startswith(f"{slot.name}: {word} ") and "contradicts" not in problem
                ]
                extra = puzzle.extra_words.get(slot.name) == word
                assert extra or (word in allowed) is (not problems), (slot.name, word, problems)
                seen += 1
    assert seen > 1000
