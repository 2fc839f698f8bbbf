"""Explanations are minimal, checked by brute force, and their sentences say what they should."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from brute_force import all_fills
from compare.wrong_backends import backend
from helpers import SINGLE_BACKENDS, UNFILLABLE, unfillable
from hypothesis import event, given, settings
from hypothesis import strategies as st
from rules.models import MODELS
from strategies import SmallPuzzle, small_puzzles

from satcross import Grid, Puzzle, Status, Vocabulary, count, solve
from satcross.backends import registry
from satcross.backends.base import Answer, Task
from satcross.formats.json import puzzle_from_data, puzzle_to_data
from satcross.grid import place
from satcross.solving.explain import (
    Explanation,
    Part,
    PartKind,
    all_parts,
    explain,
    sub_puzzle,
    without,
)
from satcross.verify import verify


def lettered(*rows: str) -> Grid:
    return Grid.from_rows(rows, letters=True)


RING = Grid.from_rows(["___", "_#_", "___"])
WORDS = Vocabulary({"CAT": 50, "CUB": 50, "BED": 50, "TOD": 20, "TAD": 50, "BAD": 70})
RULED = {
    "lock": Puzzle(RING, WORDS, locks={"3A": "XYZ"}),
    "two locks": Puzzle(
        Grid.from_rows(["____", "_##_", "____"]),
        Vocabulary(["ABCD", "GBCD", "GCE", "ACF", "DEF", "FOOF"]),
        locks={"1A": "ABCD", "3A": "EQQF"},
    ),
    "letter": Puzzle(lettered("___", "_#_", "__E"), WORDS),
    "two letters": Puzzle(lettered("C_A", "_#_", "___"), WORDS),
    "score": Puzzle(RING, WORDS, min_score=60),
    "score of one": Puzzle(Grid.from_rows(["___"]), WORDS, min_score=90),
    "exclusion": Puzzle(RING, WORDS, excluded=frozenset({"BED", "BAD", "CAT"})),
    "all excluded": Puzzle(
        Grid.from_rows(["____"]), Vocabulary(["DODO"]), excluded=frozenset({"DODO"})
    ),
    "repeat": Puzzle(Grid.from_rows(["___", "###", "___"]), Vocabulary(["CAT"])),
    "lock and rule": Puzzle(
        Grid.from_rows(["___", "###", "___"]), Vocabulary(["CAT"]), locks={"1A": "CAT"}
    ),
}


def fillable(puzzle: Puzzle, parts: frozenset[Part]) -> bool:
    """Decide by brute force, without ``sub_puzzle``, whether the parts can be met together."""
    kinds = {part.label for part in parts}
    rules = [model for model in MODELS if model.label in kinds]
    cells = {slot.name: slot.cells for slot in puzzle.grid.slots}
    letters = {part.cell: puzzle.grid.given(part.cell) for part in parts if part.cell}
    spread = dict(puzzle.grid.rebus)  # letters that make the lengths of slots are no parts
    given_always = {cell for where in cells.values() for cell in where if place(cell) in spread}
    letters |= {cell: puzzle.grid.given(cell) for cell in given_always}
    words = [
        word
        for word in dict.fromkeys([*puzzle.vocabulary, *sorted(puzzle.theme)])
        if all(model.allows_word(puzzle, word) for model in rules)
    ]
    slots = {part.name: cells[part.name] for part in parts if part.name}
    fixed = {part.name: puzzle.locks[part.name] for part in parts if part.kind is PartKind.LOCK}
    for name, where in slots.items():
        if all(cell in letters for cell in where):
            fixed.setdefault(name, "".join(letters[cell] or "" for cell in where))
    given = {cell: letter for cell, letter in letters.items() if letter}
    fills = all_fills(
        slots,
        words,
        repeats="no repeats" not in kinds,
        fixed=fixed,
        given=given,
        extra=_fixed_words(puzzle),
    )
    exempt = frozenset({*puzzle.theme, *puzzle.setter_words, *_fixed_words(puzzle).values()})
    return any(all(model.allows(puzzle, fill, exempt) for model in rules) for fill in fills)


def _fixed_words(puzzle: Puzzle) -> dict[str, str]:
    """Return slot name -> word for the slots of the whole puzzle that are locked or spelled."""
    given = {
        slot.name: "".join(puzzle.grid.given(cell) or "_" for cell in slot.cells)
        for slot in puzzle.grid.slots
    }
    return {**{name: word for name, word in given.items() if "_" not in word}, **puzzle.locks}


def assert_minimal_by_brute_force(puzzle: Puzzle, found: Explanation) -> None:
    assert found.status is Status.UNFILLABLE
    assert found.reason is not None
    parts = found.reason.parts
    assert found.reason.minimal
    assert not fillable(puzzle, parts)
    for part in parts:
        assert fillable(puzzle, without(parts, part)), part


def headline_and_steps(puzzle: Puzzle) -> tuple[str, ...]:
    found = explain(puzzle, suggest=False)
    assert found.wording is not None
    return (found.wording.headline, *found.wording.because)


def assert_minimal(puzzle: Puzzle, found: Explanation) -> None:
    """Check minimality by a backend's proof and by the witnesses."""
    assert found.reason is not None
    parts = found.reason.parts
    assert found.reason.minimal
    assert solve(sub_puzzle(puzzle, parts), "backtrack").status is Status.UNFILLABLE
    for part in parts:
        rest = sub_puzzle(puzzle, without(parts, part))
        assert verify(rest, found.reason.witnesses[part]) == []


@pytest.mark.parametrize("name", UNFILLABLE)
def test_reasons_of_the_unfillable_examples_are_minimal(name: str) -> None:
    puzzle = unfillable(name)
    found = explain(puzzle, suggest=False)
    assert_minimal(puzzle, found)
    if name != "open5":
        assert_minimal_by_brute_force(puzzle, found)


@pytest.mark.parametrize("name", RULED)
def test_reasons_with_rules_locks_and_letters_are_minimal(name: str) -> None:
    assert_minimal_by_brute_force(RULED[name], explain(RULED[name]))


@settings(max_examples=80)
@given(small_puzzles())
def test_reasons_of_random_puzzles_are_minimal(small: SmallPuzzle) -> None:
    found = explain(small.puzzle, "backtrack")
    truth = next(small.fills(), None)
    event(str(found.status))
    if truth is not None:
        assert found.status is Status.FILLED
        assert found.fill is not None
        assert verify(small.puzzle, found.fill) == []
        return
    assert_minimal_by_brute_force(small.puzzle, found)
    assert found.wording is not None
    assert found.wording.because
    alone = len(found.reason.parts if found.reason else ()) == 1
    assert alone == ("rest of the puzzle does not matter" in found.wording.needed)
    assert found.stopped == ""


@settings(max_examples=80)
@given(small_puzzles(), st.data())
def test_every_backend_answers_sub_puzzles(small: SmallPuzzle, data: st.DataObject) -> None:
    """Backends agree with brute force on puzzles with slots, letters and rules left out."""
    drawn = data.draw(st.lists(st.sampled_from(all_parts(small.puzzle)), unique=True))
    parts = frozenset(drawn)
    puzzle = sub_puzzle(small.puzzle, parts)
    truth = Status.FILLED if fillable(small.puzzle, parts) else Status.UNFILLABLE
    event(str(truth))
    for name in SINGLE_BACKENDS:
        outcome = solve(puzzle, name, workers=1)
        assert outcome.status is truth
        if registry.get_backend(name).capabilities.count:
            assert (count(puzzle, name, enough=1).count > 0) == (truth is Status.FILLED)
    again = puzzle_from_data(puzzle_to_data(puzzle))
    assert again.grid == puzzle.grid
    assert solve(again).status is truth


def test_derivations_in_sentences() -> None:
    assert headline_and_steps(unfillable("too-few-words")) == (
        "All 4 slots can't be filled together with the rule that no word may appear twice.",
        "1A can only be BANANAS.",
        "2D, 3D and 4D need 3 different words, and only 2 fit there: ANT and APE.",
    )
    search = headline_and_steps(unfillable("needs-search"))
    assert search[1:4] == (
        "1A can only be DAD or MUM; try each.",
        "If 1A is DAD:",
        "  So 1D can only be DREAD.",
    )
    assert len(search) == 10
    assert headline_and_steps(RULED["score of one"]) == (
        "1A can't be filled with the minimum score of 90.",
        "1A has 3 letters: none of the 6 such words in the list is allowed, because of the "
        "minimum score of 90.",
    )
    assert headline_and_steps(RULED["all excluded"]) == (
        "1A can't be filled with the excluded words.",
        "1A has 4 letters: the only such word in the list, DODO, is not allowed, because of the "
        "excluded words.",
    )
    assert headline_and_steps(RULED["lock"]) == (
        "1D can't be filled with 3A locked to XYZ.",
        "3A is locked to XYZ.",
        "1D needs a word of 3 letters with X in position 3 (because of 3A): there is none.",
    )


def test_a_long_derivation_is_summarised(monkeypatch: pytest.MonkeyPatch) -> None:
    from satcross.solving.explain import wording

    monkeypatch.setattr(wording, "MAX_LINES", 1)
    assert headline_and_steps(unfillable("no-support"))[1:] == (
        "The words of each slot limit those of the slots that cross it. Following these limits "
        "from slot to slot leaves 2D no word, in too many steps to print.",
    )
    assert headline_and_steps(unfillable("needs-search"))[1:] == (
        "Each of these 4 slots has words that fit, but no choice of words agrees at all 4 "
        "crossings. Of words that fit each crossing on its own, 1A has 2, 1D has 2 and 2D has 2.",
        "No short derivation was found; a complete search proves it.",
    )


def test_a_summary_names_the_rule_that_words_differ(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from satcross.solving.explain import wording

    monkeypatch.setattr(wording, "MAX_LINES", 0)
    text = " ".join(headline_and_steps(unfillable("needs-a-repeat")))
    assert "no choice of different words agrees" in text or "; no word may appear twice." in text


def test_other_slots_that_fail_alone_are_named() -> None:
    puzzle = Puzzle(Grid.from_rows(["____", "_##_"]), Vocabulary(["ABC"]))
    assert headline_and_steps(puzzle)[0] == "1A can't be filled."
    assert explain(puzzle, suggest=False).other_unfillable_slots == ("1D", "2D")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("lock", "unlock"),
        ("letter", "drop-letter"),
        ("score", "min-score"),
        ("exclusion", "include"),
        ("repeat", "allow-repeats"),
    ],
)
def test_each_suggestion_gives_a_fillable_puzzle(name: str, kind: str) -> None:
    puzzle = RULED[name]
    found = [one for one in explain(puzzle).suggestions if one.data["kind"] == kind]
    assert found
    for one in found:
        words = one.data.get("words", [])
        assert isinstance(words, list)
        changes: dict[str, dict[str, Any]] = {
            "unlock": {"locks": {}},
            "drop-letter": {"grid": RING},
            "min-score": {"min_score": one.data.get("min_score")},
            "include": {"excluded": puzzle.excluded.difference(words)},
            "allow-repeats": {"allow_repeats": True},
        }
        assert verify(replace(puzzle, **changes[kind]), one.fill) == []


def test_a_given_word_can_be_dropped_where_no_letter_of_it_helps() -> None:
    words = Vocabulary(["CAT", "CUB", "BED", "TOD"])
    puzzle = Puzzle(Grid(("TOD", "_#_", "___")), words)
    found = {str(one.data["kind"]): one for one in explain(puzzle).suggestions}
    assert found["drop-word"].text == "drop the given word TOD in 1A"
    assert found["drop-word"].data["slot"] == "1A"
    assert verify(replace(puzzle, grid=RING), found["drop-word"].fill) == []
    assert "drop-letter" not in found


def test_the_highest_minimum_score_is_suggested() -> None:
    words = Vocabulary({"CAT": 50, "CUB": 40, "BED": 60, "TOD": 30, "TAD": 20, "BAD": 70})
    [one] = [
        one
        for one in explain(Puzzle(RING, words, min_score=60)).suggestions
        if one.data["kind"] == "min-score"
    ]
    scores = [
        score
        for score in (20, 30, 40, 50, 60)
        if solve(Puzzle(RING, words, min_score=score)).status is Status.FILLED
    ]
    assert one.data["min_score"] == max(scores)


def test_a_block_keeps_the_symmetry() -> None:
    puzzle = unfillable("needs-a-repeat")
    blocks = [one for one in explain(puzzle).suggestions if one.data["kind"] == "block"]
    assert blocks
    for one in blocks:
        rows = [list(row) for row in puzzle.grid.rows]
        cells = one.data["cells"]
        assert isinstance(cells, list)
        assert len(cells) == 2
        for cell in cells:
            rows[cell["row"]][cell["column"]] = "#"
        assert rows == [row[::-1] for row in rows[::-1]]
        blocked = Puzzle(Grid(tuple(map("".join, rows))), puzzle.vocabulary)
        assert verify(blocked, one.fill) == []


def test_the_cell_of_two_slots_is_the_first_to_be_blocked() -> None:
    cross = Grid.from_rows([*["###_###"] * 3, "_______", *["###_###"] * 3])
    words = Vocabulary(["ABCDEFG", "NODES", "CAT", "COT", "DOG", "BED"])
    blocks = [one for one in explain(Puzzle(cross, words)).suggestions if "cells" in one.data]
    assert blocks[0].data["cells"] == [{"row": 3, "column": 3}]
    assert len(blocks) > 1


def test_a_pair_of_cells_is_suggested_once() -> None:
    rows = Grid.from_rows(["_______", "#######", "_______"])
    words = Vocabulary(["ABCDEFG", "CAT", "COT", "DOG", "BED"])
    suggestions = explain(Puzzle(rows, words)).suggestions
    assert len([one for one in suggestions if one.data["kind"] == "block"]) == 1


def press_ctrl_c(task: Task) -> Answer:
    raise KeyboardInterrupt


Clueless = backend("clueless", lambda _: Answer(Status.UNKNOWN, None, "time limit"))
Interrupted = backend("interrupted", press_ctrl_c)


def test_parts_without_a_witness_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("clueless", "interrupted"):
        monkeypatch.setitem(registry.BACKENDS, name, f"{__name__}:{name.title()}")
    unknown = explain(unfillable("needs-search"), "clueless")
    assert (unknown.status, unknown.reason) == (Status.UNKNOWN, None)
    assert explain(unfillable("needs-search"), "interrupted").status is Status.UNKNOWN
    # Arc consistency proves this one, but only a backend finds witnesses.
    puzzle = unfillable("no-support")
    for name, stopped in (("clueless", "time limit"), ("interrupted", "interrupted")):
        found = explain(puzzle, name)
        assert found.status is Status.UNFILLABLE
        assert found.reason is not None
        assert found.wording is not None
        assert not found.reason.minimal
        assert found.stopped == stopped
        assert found.reason.unknown == {Part(PartKind.SLOT, "1A"), Part(PartKind.SLOT, "2D")}
        assert "There may be a shorter reason" in found.wording.needed


def test_without_any_time_left() -> None:
    """Arc consistency proves what it can; no part is known to be needed."""
    found = explain(unfillable("no-support"), time_limit=1e-9)
    assert found.status is Status.UNFILLABLE
    assert found.reason is not None
    assert found.reason.unknown == set(all_parts(unfillable("no-support")))
    assert (found.stopped, found.suggestions) == ("time limit", ())
    assert explain(unfillable("needs-search"), time_limit=1e-9).status is Status.UNKNOWN


def test_a_locked_word_in_no_list_stays_possible_when_its_lock_is_dropped() -> None:
    # The list has two words for the three slots of three letters. They would be a reason without
    # the locked word, which is a third one.
    grid = Grid.from_rows(["___", "", "___", "", "___", "", "____"])
    puzzle = Puzzle(
        grid,
        Vocabulary(["BAA", "ABB", "ABCD"]),
        locks={"2A": "ZZZ"},
        theme=frozenset({"DCBA", "CCCC"}),
    )
    found = explain(puzzle, "backtrack", suggest=False)
    assert found.reason is not None
    assert {part.name or part.label for part in found.reason.parts} == {"4A", "theme words"}
    fill = solve(
        sub_puzzle(puzzle, found.reason.parts - {Part(PartKind.RULE, rule="theme words")}),
        "backtrack",
    ).fill
    assert fill is not None
    three = frozenset(Part(PartKind.SLOT, name) for name in ("1A", "2A", "3A")) | {
        Part(PartKind.RULE, rule="no repeats")
    }
    assert solve(sub_puzzle(puzzle, three), "backtrack").fill is not None
    assert solve(sub_puzzle(replace(puzzle, locks={}), three), "backtrack").fill is None


def test_a_word_that_only_one_slot_may_have_is_no_reason() -> None:
    puzzle = Puzzle(RING, WORDS, min_score=60, extra_words={"1A": "CAT", "1D": "CUB"})
    assert explain(puzzle).status is Status.UNFILLABLE
    alone = Puzzle(Grid.from_rows(["___"]), Vocabulary(["BED"]), min_score=90,
                   extra_words={"1A": "CAT"})  # fmt: skip
    assert explain(alone).status is Status.FILLED


def test_a_slot_that_is_narrowed_again_is_said_so_without_trying() -> None:
    """The words of 1A leave 2D one word, which then takes the last ones from 1A."""
    grid = Grid.from_rows(["___", "_#_", "___"])
    assert headline_and_steps(Puzzle(grid, Vocabulary(["BAB", "CBA"])))[1:] == (
        "1A can only be BAB or CBA.",
        "So 2D can only be BAB.",
        "1A needs a word of 3 letters with B in position 3 (because of 2D), other than BAB (2D): "
        "there is none.",
    )
