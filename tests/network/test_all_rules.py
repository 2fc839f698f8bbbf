"""The network on random puzzles with every rule, against brute force and definitions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from random import Random

import pytest
from attack.puzzles import puzzle_of, question_of, random_puzzle

from satcross import Puzzle
from satcross.network import arc_consistency
from satcross.network.arc_consistency import Candidates, State, arc_consistent, bits
from satcross.network.belief_propagation import Marginals, Ranking
from satcross.network.theme_splits import split_by_theme_slots
from satcross.network.to_encoder import to_instance
from satcross.network.weights import Weights
from satcross.network.word_rules import WordRules
from satcross.verify import alike_problems

Words = tuple[str, ...]


@cache
def puzzles() -> list[tuple[Puzzle, list[Words]]]:
    """Return random puzzles with rules of all kinds, and their fills by brute force."""
    found = []
    for seed in range(160):
        case = random_puzzle(Random(seed))
        puzzle = puzzle_of(case)
        names = [slot.name for slot in puzzle.grid.slots]
        fills = [tuple(fill[name] for name in names) for fill in question_of(case).fills()]
        found.append((puzzle, sorted(fills)))
    return found


def possible() -> Iterator[tuple[Puzzle, list[Words], Candidates]]:
    for puzzle, fills in puzzles():
        candidates = arc_consistent(puzzle)
        assert not (candidates.infeasible and fills)
        if not candidates.infeasible:
            yield puzzle, fills, candidates


def fills_of(candidates: Candidates) -> list[Words]:
    """Return all fills, by nothing but propagation after one choice and the next."""
    network = candidates.network

    def descend(state: State) -> Iterator[Words]:
        slot = next((slot for slot, size in enumerate(state.sizes) if size > 1), None)
        if slot is None:
            yield tuple(Candidates(network, state).words(s)[0] for s in range(len(state.sizes)))
            return
        for index in bits(state.domains[slot]):
            after = state.copy()
            after.domains[slot], after.sizes[slot] = 1 << index, 1
            if network.propagate(after, [slot]) is None:
                yield from descend(after)

    return sorted(descend(candidates.root))


@pytest.mark.parametrize(
    ("many", "eager"),
    [(arc_consistency.MANY_PEERS, arc_consistency.MAX_EAGER_SIZE), (0, 1), (0, 3)],
)
def test_choices_and_propagation_alone_find_every_fill(
    many: int, eager: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where words are taken late from many peers and large slots, as in large grids."""
    monkeypatch.setattr(arc_consistency, "MANY_PEERS", many)
    monkeypatch.setattr(arc_consistency, "MAX_EAGER_SIZE", eager)
    for puzzle, fills, candidates in possible():
        assert fills_of(candidates) == fills
        again = arc_consistency.compacted(candidates)
        for slot in range(len(puzzle.grid.slots)):
            words = candidates.words(slot)
            assert list(again.network.lexicons[slot].words) == again.words(slot) == words
        if candidates.network.word_rules.plain:
            assert fills_of(again) == fills


def test_cases_by_theme_slots_divide_the_fills() -> None:
    split = 0
    for _, fills, candidates in possible():
        parts = split_by_theme_slots(candidates)
        assert sorted(fill for part in parts for fill in fills_of(part)) == fills
        if candidates.network.word_rules.min_theme_words:
            assert all(not part.network.open_places(part.root.domains) for part in parts)
            sizes = [len(set(product(*map(part.words, range(len(part.root.sizes))))))
                     for part in parts]  # fmt: skip
            assert sizes == sorted(sizes, reverse=True)
            split += len(parts) > 1
        else:
            assert parts == [candidates]
    assert split


def test_words_clash_as_the_rules_say() -> None:
    clashes = 0
    for puzzle, fills, candidates in possible():
        rules = WordRules(puzzle)
        assert all(rules.holds(fill) for fill in fills)
        lexicons = {group.length: group for group in candidates.network.lexicons}
        words = sorted({word for group in lexicons.values() for word in group.words})
        groups = to_instance(candidates).conflict_groups
        listed = {word for slot in range(len(puzzle.grid.slots)) for word in candidates.words(slot)}
        for pair in combinations(words, 2):
            expected = bool(alike_problems(puzzle, dict(zip("ab", pair, strict=True))))
            assert bool(rules.clash(*pair)) is bool(rules.broken(pair)) is expected, pair
            lexicon = lexicons[len(pair[1])]
            found = rules.clashing(pair[0], lexicon) & lexicon.bit_of(pair[1])
            assert bool(found) is expected, pair
            if listed.issuperset(pair):
                apart = any(
                    {*pair} <= {*group.words, *group.exempt} and not {*pair} <= {*group.exempt}
                    for group in groups
                )
                assert apart is expected, (pair, groups)
            clashes += expected
    assert clashes


def test_fills_hold_the_rules_and_nothing_else_does() -> None:
    for puzzle, fills, candidates in possible():
        every = [candidates.words(slot) for slot in range(len(puzzle.grid.slots))]
        random = Random(len(fills))
        for _ in range(20):
            words = tuple(map(random.choice, every))
            agree = all(
                words[x.across][x.across_position] == words[x.down][x.down_position]
                for x in puzzle.grid.crossings
            )
            if agree:
                assert candidates.network.word_rules.holds(words) is (words in fills), words


def test_required_theme_words_come_in_the_first_batch() -> None:
    seen = 0
    for puzzle, _, candidates in possible():
        theme, required = puzzle.required_theme()
        marginals = Marginals(candidates)
        for slot in range(len(puzzle.grid.slots)):
            ranking = Ranking(marginals, slot, Random(1))
            own = theme.intersection(candidates.words(slot)) if required else set()
            first = ranking.take(1)
            assert own <= {*first}
            assert len(first) == max(1, len(own))
            seen += len(own)
        assert to_instance(candidates).at_least is None or required
    assert seen


def test_weights_by_definition() -> None:
    for puzzle, fills, candidates in possible():
        network, root = candidates.network, candidates.root
        random = Random(len(fills))
        values = {word: random.randint(-3, 9) for word in puzzle.vocabulary}
        for weight in (puzzle.worth, lambda word, values=values: values.get(word, 0)):
            weights = Weights(network, weight)
            ideal = 0
            for slot, domain in enumerate(root.domains):
                words = candidates.words(slot)
                given = sorted({weight(word) for word in words}, reverse=True)
                assert weights.values(slot, domain) == given
                assert (weights.best(slot, domain), weights.worst(slot, domain)) == (
                    given[0],
                    given[-1],
                )
                listed = weights.candidates(slot, domain)
                assert sorted(listed[0]) == sorted(words)
                assert list(listed[1]) == sorted(map(weight, words), reverse=True)
                for least in (*given, given[0] + 1, given[-1] - 1):
                    kept = replace(root, domains=root.domains[:]).domains[slot]
                    kept &= weights.at_least(slot, least)
                    lexicon = network.lexicons[slot].words
                    assert {lexicon[i] for i in bits(kept)} == {
                        word for word in words if weight(word) >= least
                    }
                ideal += given[0]
            assert weights.ideal(root) == ideal
            _check_narrowing(weights, candidates, fills)


def _check_narrowing(weights: Weights, candidates: Candidates, fills: list[Words]) -> None:
    network = candidates.network
    for wanted in {weights.of(fill) for fill in fills}:
        state = candidates.root.copy()
        assert weights.narrow(state, wanted)
        good = [fill for fill in fills if weights.of(fill) >= wanted]
        left = fills_of(Candidates(network, state))
        assert {*good} <= {*left} <= {*fills}
    assert not weights.narrow(candidates.root.copy(), weights.ideal(candidates.root) + 1)
    near = weights.within(candidates.root, 1)
    best = [weights.best(slot, domain) for slot, domain in enumerate(candidates.root.domains)]
    expected = [
        fill
        for fill in fills
        if all(weights.weight(word) >= top - 1 for word, top in zip(fill, best, strict=True))
    ]
    assert (fills_of(Candidates(network, near)) if near else []) == expected
