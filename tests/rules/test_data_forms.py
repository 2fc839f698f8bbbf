"""Every rule has the same meaning in JSON, in a suite, on the web page and as flags."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import msgspec
import pytest
from rules.models import MODELS

from satcross import Grid, InputError, Puzzle, Vocabulary
from satcross.compare.suite import read_puzzles, read_suite
from satcross.formats.json import puzzle_from_data, puzzle_hash
from satcross.rules import RULES, all_flags, all_keys, build_puzzle, rules_to_data
from satcross.rules.rule import SWITCH, Key, Rule
from satcross.web.puzzles import make_puzzle
from satcross.web.schema import PuzzleSpec

GRID = Grid.from_rows(["____", "####", "____"])
VOCABULARY = Vocabulary(["CARE", "BOLT", "CARS", "ABCD", "WXYZ"])
VALUES = {key: value for model in MODELS for key, value in model.examples.items()}


def test_every_key_is_tried_here() -> None:
    assert VALUES.keys() == all_keys().keys()


@pytest.mark.parametrize("key", VALUES)
def test_a_rule_says_the_same_in_every_data_form(key: str, tmp_path: Path) -> None:
    needed = {"theme": VALUES["theme"]} if key == "theme_least" else {}
    rules = {key: VALUES[key], **needed}
    puzzle = build_puzzle(GRID, VOCABULARY, rules)
    data = rules_to_data(puzzle)
    assert {name: data[name] for name in rules} == rules
    assert puzzle_hash(pickle.loads(pickle.dumps(puzzle))) == puzzle_hash(puzzle)
    without = build_puzzle(GRID, VOCABULARY, needed)
    assert puzzle_hash(without) != puzzle_hash(puzzle)

    read = puzzle_from_data(
        json.loads(json.dumps({"rows": GRID.rows, "words": dict.fromkeys(VOCABULARY, 50), **data}))
    )
    assert puzzle_hash(read) == puzzle_hash(puzzle)

    spec = msgspec.convert({"rows": GRID.rows, **rules}, PuzzleSpec)
    assert puzzle_hash(make_puzzle(spec, VOCABULARY)) == puzzle_hash(puzzle)

    if key != "min_score":  # a suite's min_score shortens the word list
        (tmp_path / "g.txt").write_text("\n".join(GRID.rows))
        (tmp_path / "w.txt").write_text("\n".join(VOCABULARY))
        lines = "\n".join(f"{name} = {_toml(value)}" for name, value in rules.items())
        (tmp_path / "s.toml").write_text(
            'suite = 1\n[[puzzle]]\nname = "a"\nstructure = "g.txt"\nwords = ["w.txt"]\n' + lines
        )
        suite = read_suite(str(tmp_path / "s.toml"))
        [question] = read_puzzles(suite, suite.entries)
        assert puzzle_hash(question.puzzle) == puzzle_hash(puzzle)


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_toml(one)}" for name, one in value.items()) + " }"
    return json.dumps(value)


class Switch(Rule):
    """A rule that another package might have: one that is on or off."""

    keys = (Key("repeating", "allow_repeats", SWITCH),)


def test_a_switch_that_is_off_is_left_out() -> None:
    on, off = (build_puzzle(GRID, VOCABULARY, {"allow_repeats": is_on}) for is_on in (True, False))
    assert [Switch().to_data(puzzle) for puzzle in (on, off)] == [{"repeating": True}, {}]


def test_names_of_flags_and_keys_and_labels_are_used_once() -> None:
    flags = [flag.parameter for flag in all_flags()]
    labels = [rule.label for rule in RULES if rule.label]
    assert len(set(flags)) == len(flags)
    assert len(set(labels)) == len(labels)
    assert len(all_keys()) == sum(len(rule.keys) for rule in RULES)


def test_dropping_a_rule_unsets_it_and_each_relaxation_allows_more() -> None:
    puzzle = build_puzzle(GRID, VOCABULARY, {**VALUES, "allow_repeats": False})
    for rule in RULES:
        if not rule.label:
            continue
        assert rule.is_set(puzzle)
        assert rule.phrase(puzzle)
        fields = {name: getattr(puzzle, name) for name in Puzzle.__dataclass_fields__}
        init = {name: fields[name] for name in fields if not name.startswith("fixed")}
        assert not rule.is_set(Puzzle(**{**init, **rule.unset}))
        for way in rule.relaxations(puzzle):
            for step in way:
                assert step.text
                assert puzzle_hash(step.puzzle) != puzzle_hash(puzzle)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("max_shared = 'x'", "max_shared is 'x'; give a whole number"),
        ("theme = 'x'", "theme is 'x'; give a list of words"),
        ("min_scores = { a = 3 }", "give a table of numbers"),
        ("max_shared = 0", "allow at least 1"),
    ],
)
def test_a_wrong_rule_of_a_suite_is_one_line(tmp_path: Path, rules: str, message: str) -> None:
    (tmp_path / "g.txt").write_text("\n".join(GRID.rows))
    (tmp_path / "s.toml").write_text(
        f'suite = 1\n[[puzzle]]\nname = "a"\nstructure = "g.txt"\n{rules}\n'
    )
    with pytest.raises(InputError, match=message):
        _read(str(tmp_path / "s.toml"))


def _read(path: str) -> None:
    suite = read_suite(path)
    read_puzzles(suite, suite.entries)
