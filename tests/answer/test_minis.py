"""The included minis, answered from fixed candidates: fast and the same on every machine."""

from __future__ import annotations

from dataclasses import replace
from math import log
from random import Random

import pytest
from helpers import DATA, load_words

from satcross.answer.choosing.methods import answer
from satcross.answer.choosing.problem import Problem, build_problem
from satcross.answer.clue import Candidate, Proposal, crossword_clues
from satcross.answer.session import without_solution
from satcross.crossword import Crossword
from satcross.formats.readers import read_crossword
from satcross.run_settings import Deadline
from satcross.vocabulary import Vocabulary

MINIS = sorted((DATA / "minis").rglob("*.*"))
LENGTHS = {2, 3, 4, 5, 6, 7}


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    words = load_words(DATA / "words2.txt")
    return Vocabulary(list(words)[::10])


def posed(crossword: Crossword, vocabulary: Vocabulary, seed: int) -> Problem:
    """Return made-up candidates: 20 words per clue, the answer often among the first."""
    random = Random(seed)
    candidates = {}
    for name, word in crossword.words.items():
        known = vocabulary.group(len(word)).words
        words = random.sample(known, min(20, len(known)))
        if random.random() < 0.9:
            words.insert(random.randrange(4), word)
        words = list(dict.fromkeys(words))
        total = sum(1 / place**2 for place in range(1, len(words) + 1))
        candidates[name] = [
            Candidate(one, log(0.95 / place**2 / total), (Proposal(one, -1.0, "fixed"),))
            for place, one in enumerate(words, 1)
        ]
    hidden = without_solution(crossword)
    return build_problem(hidden.grid, crossword_clues(hidden), candidates, vocabulary)


def test_there_are_enough_minis() -> None:
    assert len(MINIS) >= 20
    crossed = 0
    for path in MINIS:
        crossword = read_crossword(path)
        assert not crossword.missing_clues
        assert len(crossword.words) == len(crossword.grid.slots)
        crossed += any(clue.references for clue in crossword_clues(crossword))
    assert crossed >= 5


@pytest.mark.parametrize("path", MINIS[::2], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_cpsat_proves_an_answer_that_no_other_method_beats(path, vocabulary: Vocabulary) -> None:  # type: ignore[no-untyped-def]
    crossword = read_crossword(path)
    problem = posed(crossword, vocabulary, seed=sum(map(ord, path.stem)))
    by_cpsat = answer(problem, "cpsat")
    assert by_cpsat.optimal is True
    assert by_cpsat.cost == by_cpsat.bound
    assert problem.costs.cost(by_cpsat.words, by_cpsat.by_letters) == by_cpsat.cost
    assert_stands(crossword, by_cpsat.words)
    # The answers of bp and crosswind are valid, too, and do not cost less.
    for method in ("bp", "crosswind"):
        other = answer(problem, method)
        assert_stands(crossword, other.words)
        if other.cost is not None and by_cpsat.cost is not None:
            assert other.cost >= by_cpsat.cost


@pytest.mark.parametrize("unknown", [False, True])
def test_the_truth_among_the_candidates_is_found(vocabulary: Vocabulary, unknown: bool) -> None:
    """Each answer is its clue's only candidate, or one is in no list and does not ruin the rest."""
    crossword = read_crossword(MINIS[0])
    if unknown:
        changed = ((None, *"QZX", None), *crossword.solution[1:])
        crossword = replace(crossword, solution=changed)
    sure = {name: [Candidate(word, log(0.9), ())] for name, word in crossword.words.items()}
    if unknown:
        del sure["1A"]
    problem = build_problem(crossword.grid, crossword_clues(crossword), sure, vocabulary)
    for method in ("cpsat", "bp"):
        found = answer(problem, method)
        assert dict(zip(crossword.words, found.words, strict=True)) == crossword.words
        assert found.by_letters[0] == unknown
        likely = map(found.beliefs.word, range(len(found.words)), found.words)
        assert unknown or min(likely) > 0.9


def test_locks_and_given_letters_hold(vocabulary: Vocabulary) -> None:
    crossword = read_crossword(MINIS[0])
    problem = build_problem(
        crossword.grid, crossword_clues(crossword), {}, vocabulary, locks={"6A": "ZZZZZ"}
    )
    for method in ("cpsat", "bp", "crosswind"):
        found = answer(problem, method, Deadline.after(2))
        assert found.words[[slot.name for slot in crossword.grid.slots].index("6A")] == "ZZZZZ"
        assert found.letters[2] == tuple("ZZZZZ")


def assert_stands(crossword: Crossword, words: tuple[str, ...]) -> None:
    """Check that words fit their slots and agree at crossings; "" is an empty slot."""
    current_letters: dict[tuple[int, int], str] = {}
    for slot, word in zip(crossword.grid.slots, words, strict=True):
        assert len(word) in (0, slot.length)
        for cell, letter in zip(slot.cells, word, strict=False):
            assert current_letters.setdefault(cell, letter) == letter
