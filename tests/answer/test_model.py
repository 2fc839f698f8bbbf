"""Probabilities from features."""

from __future__ import annotations

import itertools
import random
from math import exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satcross.answer.choosing.compose import composed_words, letter_runs, spelled_words
from satcross.answer.choosing.problem import build_problem, refine_problem
from satcross.answer.clue import Clue, Proposal
from satcross.answer.dictionaries.word_pairs import learn_pairs, pairs_of_list
from satcross.answer.model import (
    Curve,
    Model,
    WordScores,
    combine,
    load_calibration,
    load_model,
)
from satcross.answer.word_table import letter_logs, word_table
from satcross.grid import Grid
from satcross.solving.inflections import apparent_forms
from satcross.vocabulary import Vocabulary

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
WORDS = Vocabulary({"CAMEL": 90, "LLAMA": 70, "HORSE": 95, "RUNES": 60, "RUNIC": 40, "ABCDE": 5})
CLUES = [
    "Desert animal",
    "Desert animals",
    "Ran",
    "Abbr. for horse",
    "Animal, for short",
    "Cruel",
    "",
]


@pytest.mark.parametrize("text", CLUES)
def test_the_prior_of_all_words_is_that_of_each(text: str) -> None:
    clue, group = Clue("1A", text, 5), WORDS.group(5)
    model = load_model()
    found = WordScores(model, clue, group)
    each = [model.score(some) for some in map(found.features, group.words)]
    assert found.prior.tolist() == pytest.approx(each)
    expected = [*found.prior, model.score(found.features("ZEBRA"))]
    assert found.of([*group.words, "ZEBRA"]).tolist() == expected


@settings(max_examples=50)
@given(
    st.dictionaries(
        st.sampled_from(["CAMEL", "LLAMA", "ZZZZZ", "HORSE"]),
        st.dictionaries(st.sampled_from(["a", "b"]), st.floats(-3, 3)),
    )
)
def test_candidates_are_probabilities_that_leave_something(
    found: dict[str, dict[str, float]],
) -> None:
    model = Model({"a": 1.0, "b": -2.0, "unknown": 1.0})
    said = [Proposal(word, -1.0, "s", features) for word, features in found.items()]
    candidates = combine(Clue("1A", "Desert animal", 5), said, WORDS, model)
    assert {one.word for one in candidates} == set(found)
    assert sum(exp(one.score) for one in candidates) < 1
    assert [one.score for one in candidates] == sorted((c.score for c in candidates), reverse=True)


def scores(text: str, *words: str) -> dict[str, float]:
    """Return the scores of words of one length for a clue, without any source."""
    group = Vocabulary(words).group(len(words[0]))
    found = WordScores(load_model(), Clue("1A", text, group.length), group)
    return dict(zip(group.words, found.prior.tolist(), strict=True))


def test_agreement_counts() -> None:
    words = ("DOGGY", "HOUND", "POOCH", "MUTTS")
    assert scores("Strays", *words)["MUTTS"] > scores("Stray", *words)["MUTTS"]


def test_no_words_at_all() -> None:
    clue = Clue("1A", "Desert animal", 7)
    assert combine(clue, [], WORDS) == []
    assert len(WordScores(load_model(), clue, WORDS.group(7)).prior) == 0


def test_words_of_the_clue_are_not_its_answer() -> None:
    """Words of the clue are unlikely answers; its function words have no effect."""
    found = scores("No more than", "MORE", "MERE", "THAN")
    assert max(found, key=found.__getitem__) == "MERE"
    own = WordScores(load_model(), Clue("1A", "No more than", 4), Vocabulary(["THAN"]).group(4))
    assert "echo" in own.features("THAN")
    found = scores("Fast horse", *WORDS.group(5).words)
    assert found["HORSE"] < found["CAMEL"]


def likely(word: str, share: float) -> np.ndarray:
    """Return probabilities of letters by which those of a word are likely."""
    found = np.full((len(word), 26), (1 - share) / 25)
    found[range(len(word)), [LETTERS.index(letter) for letter in word]] = share
    return found


def test_an_answer_in_no_list_is_composed_of_known_words() -> None:
    words = Vocabulary(["TEAM", "LEADER", "LEAD", "ER", "TEA", "OPEN", "MIC", "CAMEL"])
    known = likely("TEAMLEADER", 0.7)
    found = composed_words(pairs_of_list(words), letter_logs(LETTERS, known))
    assert next(iter(found)) == "TEAMLEADER"
    assert all(len(word) == 10 and value < 0 for word, value in found.items())
    assert composed_words(pairs_of_list(words), letter_logs(LETTERS, known[:4])) == {}
    learnt = learn_pairs(["Short a man", "A man is down", "Man down, a while"] * 5)
    unknown = np.full((8, 26), 1 / 26)
    assert "AMANDOWN" in composed_words(learnt, letter_logs(LETTERS, unknown))
    more = learn_pairs(["A man is down"] * 5, {"DONUT": 3, "MAN": 2, "HOLE": 1})
    assert "DONUT" in more.words
    assert "HOLE" not in more.words  # once, perhaps a mistake
    assert np.exp(more.logs).sum() == pytest.approx(1)


@given(
    st.lists(st.text("ABC", min_size=1, max_size=4), min_size=1, max_size=12),
    st.integers(1, 4),
    st.randoms(use_true_random=False),
)
def test_an_answer_in_no_list_is_spelled_as_its_words_are(
    words: list[str], length: int, chance: random.Random
) -> None:
    """The best answers are found, by the probability of each letter after the two before it."""
    runs = letter_runs(Vocabulary(words))
    assert np.allclose(np.exp(runs.logs).sum(axis=-1), 1)
    letters = "".join(map(chr, runs.codes))
    crossing = np.array([[chance.random() + 0.01 for _ in letters] for _ in range(length)])
    found = spelled_words(runs, letter_logs(letters, crossing))
    assert len(found) == min(50, len(letters) ** length)
    lengths = [len(word) for word in {*words}]
    share = (lengths.count(length) + 1) / (len(lengths) + max(lengths) + 1)
    totals = {}
    for codes in itertools.product(range(len(letters)), repeat=length):
        run = (len(letters), len(letters), *codes, len(letters))
        prior = sum(runs.logs[part] for part in zip(run, run[1:], run[2:], strict=False))
        word = "".join(letters[code] for code in codes)
        totals[word] = prior + log(crossing[range(length), codes].prod())
        if word in found and length <= max(lengths):
            assert found[word] == pytest.approx(prior - log(share))
    assert max(totals[word] for word in found) == pytest.approx(max(totals.values()))


def test_a_listed_word_costs_no_more_than_as_joined_words() -> None:
    """KINGLION is the least likely word of a long list, and made of two words that are common."""
    words = [f"{first}ERRITO{last}" for first in "BCDFGHJKLM" for last in "ABCDE"]
    vocabulary = Vocabulary({"KINGLION": 0, **dict.fromkeys(words, 100)})
    grid = Grid.from_rows(["________"])
    problem = build_problem(grid, [Clue("1A", "", 8)], {}, vocabulary)
    logs = [letter_logs(LETTERS, np.full((8, 26), 1 / 26))]
    pairs = learn_pairs(["Lion king", "King lion"] * 5)
    listed = problem.costs.words[0]["KINGLION"]
    refined = refine_problem(problem, vocabulary, [pairs], logs)
    assert refined.costs.words[0]["KINGLION"] < listed
    assert (0, "KINGLION") not in refined.made


def test_a_second_look_finds_the_words_near_the_letters_of_the_crossings(
    default_vocabulary: Vocabulary,
) -> None:
    """A rare word that differs in one letter is considered, though its clue says nothing of it."""
    vocabulary = default_vocabulary
    grid = Grid.from_rows(["_______"])
    problem = build_problem(grid, [Clue("1A", "", 7)], {}, vocabulary)
    rare = next(word for word in vocabulary.group(7).words if word not in problem.costs.words[0])
    logs = [letter_logs(LETTERS, likely("A" + rare[1:], 0.9))]
    refined = refine_problem(problem, vocabulary, [pairs_of_list(vocabulary)], logs)
    assert rare in refined.costs.words[0]
    assert len(refined.costs.words[0]) < len(problem.costs.words[0]) / 3


def test_words_that_follow_each_other_in_old_clues_are_likelier_joined() -> None:
    texts = ["Team leader"] * 5 + ["Team meals", "Old leader", "Ready meals"] * 5
    pairs = learn_pairs(texts)
    numbers = np.array([pairs.words.index(word) for word in ("LEADER", "MEALS")])
    first = np.array([-1, pairs.words.index("READY")])
    alone, after = pairs.after(first, numbers)
    assert after[1] > alone[1]
    assert after[0] < alone[0]


@given(st.lists(st.sampled_from(["CAMELS", "RAN", "GEESE", "GLASS", "BIGGER", "ODDLY", "OX"])))
def test_the_table_of_words_knows_the_forms_of_each(words: list[str]) -> None:
    for length in {len(word) for word in words}:
        group = Vocabulary(words).group(length)
        table = word_table(group)
        kinds = (table.kinds[kind] for kind in table.kind_of)
        for word, (score, forms) in zip(group.words, kinds, strict=True):
            assert (score, forms) == (group.score(word), apparent_forms(word.lower()))


def test_how_sure_rises_with_the_posterior() -> None:
    shares = (0.0, 0.01, 0.3, 0.7, 0.99, 1.0)
    assert [Curve()(share) for share in shares] == pytest.approx(shares, abs=1e-6)
    for sources in (["clues-db", "wordnet"], ["language-model", "wordnet"], ["wordnet"]):
        known = load_calibration(sources)
        for line in (known.letters, known.words):
            sure = [line(share) for share in shares]
            assert sure == sorted(sure)
            assert 0 <= sure[0] < 0.01
            assert sure[-2] < 0.99 < sure[-1] <= 1  # posteriors are overconfident


def test_a_short_list_is_trusted() -> None:
    """Unknown words are at most as likely as all words of the list together."""
    model = load_model()
    for words in (["CAMEL"], ["CAMEL", "LLAMA", "HORSE"]):
        found = WordScores(model, Clue("1A", "Desert animal", 5), Vocabulary(words).group(5))
        assert found.unknown == pytest.approx(np.log(np.exp(found.prior).sum()))
    none = WordScores(model, Clue("1A", "Desert animal", 7), Vocabulary(words).group(7))
    assert none.unknown == model.weights["unknown"]
