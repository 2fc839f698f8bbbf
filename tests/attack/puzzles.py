"""Random puzzles with every rule: backends, variants and explanations against brute force."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from itertools import islice
from random import Random
from typing import Any

from agreement import make
from solving.explain.test_explain import fillable

from attack.attack import Attack, Case, without_a_part
from satcross import Outcome, Puzzle, Status, best, count, explain, several, solve
from satcross.backends.plain_clauses import plain_fills
from satcross.backends.registry import BACKENDS, ENCODINGS, SOLVERS, backends_that, get_backend
from satcross.formats.json import puzzle_from_data
from satcross.puzzle import PREFERENCE
from satcross.run_settings import Deadline
from satcross.solving.best import Measure, Objective
from satcross.solving.cross_check import cross_check
from satcross.solving.explain import without

MAX_FILLS = 200
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_RULES = (
    *("locks", "excluded", "theme", "stem_endings", "min_scores", "slot_min_scores"),
    *("preferred", "setter_words", "extra_words", "bars", "rebus"),
)


def random_puzzle(random: Random) -> Case:
    """Draw a puzzle that brute force can answer."""
    while True:
        question = random.choice(make.KINDS)(random)
        if random.random() < 0.3:
            question = make.decorate(random, question)
        if len(question.slots) > 9 or question.contradictory():
            continue
        if question.slots and random.random() < 0.2:
            name = random.choice(list(question.slots))
            question.slot_min_scores = {name: random.randint(1, 3)}
        fills = sum(1 for _ in islice(question.fills(), MAX_FILLS + 1))
        if fills <= MAX_FILLS:
            return {**asdict(question), "seed": random.randrange(2**31)}


def question_of(case: Case) -> make.Question:
    return make.Question(**{name: value for name, value in case.items() if name != "seed"})


def puzzle_of(case: Case) -> Puzzle:
    return puzzle_from_data(question_of(case).to_data())


def smaller_puzzles(case: Case) -> Iterator[Case]:
    for smaller in without_a_part(case, "words", "rows", *_RULES):
        if smaller["rows"]:
            yield smaller
    for rule in ("min_score", "max_shared_substring"):
        if case[rule] is not None:
            yield {**case, rule: None}


def _backends(case: Case) -> None:
    """Compare every backend's ``solve``, ``count``, ``several`` and ``best`` with brute force."""
    random = Random(case["seed"])
    puzzle = puzzle_of(case)
    fills = list(question_of(case).fills())
    settings: Mapping[str, Any] = {
        "workers": random.choice((1, 1, 2)),
        "seed": case["seed"],
        "options": {"solver": random.choice(SOLVERS), "encoding": random.choice(ENCODINGS)},
    }
    for backend in backends_that("complete"):
        outcome = solve(puzzle, backend, **settings)
        assert outcome.status is not Status.UNKNOWN, f"{backend}: {outcome.reason}"
        _check_outcome(outcome, fills, backend)
        if not get_backend(backend).capabilities.count:
            continue
        found = count(puzzle, backend, **settings)
        assert (found.count, found.exact) == (len(fills), True), f"{backend} counts {found.count}"
        enough = random.randint(1, 4)
        some = count(puzzle, backend, enough=enough, **settings)
        assert some.at_least(enough) == (len(fills) >= enough), f"{backend}: {some} of {enough}"
        _check_list(puzzle, backend, settings, fills, random)
    if fills:
        _check_best(puzzle, settings, fills, random)
    plain = sum(1 for _ in plain_fills(puzzle, Deadline()))
    assert plain == len(fills), f"the plain clauses have {plain} fills, not {len(fills)}"
    cross_check(puzzle, random.sample(backends_that("complete"), 2), **settings)


def _check_list(
    puzzle: Puzzle,
    backend: str,
    settings: Mapping[str, Any],
    fills: list[dict[str, str]],
    random: Random,
) -> None:
    wanted = random.randint(1, 5)
    listed = several(puzzle, wanted, backend, diverse=random.random() < 0.3, **settings)
    given = [dict(one.fill or {}) for one in listed.outcomes]
    assert len(given) == min(wanted, len(fills)), f"{backend} lists {len(given)} of {len(fills)}"
    assert all(fill in fills for fill in given), f"{backend} lists {given}"
    assert all(one not in given[:i] for i, one in enumerate(given)), f"{backend} repeats a fill"
    assert listed.complete or wanted <= len(fills), f"{backend}: not complete"
    assert not (listed.complete and wanted < len(fills)), f"{backend}: falsely complete"


def _check_best(
    puzzle: Puzzle, settings: Mapping[str, Any], fills: list[dict[str, str]], random: Random
) -> None:
    # tests/solving/test_best.py compares the goals of quality with brute force.
    measure = random.choice([one for one in Measure if one is not Measure.QUALITY])
    used = frozenset(random.sample(sorted(puzzle.vocabulary), len(puzzle.vocabulary) // 2))
    score = puzzle.vocabulary.score

    def value(fill: Mapping[str, str]) -> list[int]:
        words = list(fill.values())
        total = sum(score(word) + PREFERENCE * (word in puzzle.preferred) for word in words)
        lowest, fresh = min(map(score, words), default=0), sum(word not in used for word in words)
        first = {Measure.MIN: [lowest], Measure.FRESHNESS: [fresh]}.get(measure, [])
        return [*first, total]

    expected = max(map(value, fills))
    for backend in backends_that("best"):
        top = best(puzzle, Objective(measure, used), backend, **settings)
        assert top.status is Status.FILLED, f"{backend}, best {measure}: {top.status}"
        assert top.optimal, f"{backend}, best {measure}: not proved"
        found = [goal.value for goal in top.goals]
        assert value(top.fill or {}) == expected == found, f"{backend}, best {measure}: {found}"


def _variants(case: Case) -> None:
    """Check that the number of fills stays when a puzzle is changed in ways that don't matter."""
    random = Random(case["seed"])
    bars = case.get("bars", {})
    plain = {"rows": case["rows"], "words": case["words"], "bars": bars}
    if any(cell not in "#_" for row in case["rows"] for cell in row):
        return
    expected = count(puzzle_from_data(plain)).count
    changed = dict(zip(_ALPHABET, random.sample(_ALPHABET, 26), strict=True))
    items = list(case["words"].items())
    variants = {
        "transposed": {
            **plain,
            "rows": ["".join(column) for column in zip(*case["rows"], strict=True)],
            "bars": {
                side: [[column, row] for row, column in bars.get(other, [])]
                for side, other in (("right", "below"), ("below", "right"))
            },
        },
        "framed": {
            **plain,
            "rows": ["#" * (len(case["rows"][0]) + 1), *("#" + row for row in case["rows"])],
            "bars": {side: [[r + 1, c + 1] for r, c in cells] for side, cells in bars.items()},
        },
        "other letters": {
            **plain,
            "words": {"".join(changed.get(c, c) for c in w): s for w, s in items},
        },
        "shuffled": {**plain, "words": dict(random.sample(items, len(items)))},
        "more words": {**plain, "words": {**case["words"], "X" * 15: 1, "Y" * 17: 1}},
    }
    for name, variant in variants.items():
        for backend in ("backtrack", "sat"):
            found = count(puzzle_from_data(variant), backend).count
            assert found == expected, f"{name}, {backend}: {found} fills, not {expected}"


def _explain(case: Case) -> None:
    """Check that an explanation is true and minimal, by brute force."""
    # Only explanations themselves make exemptions.
    puzzle = puzzle_of({**case, "setter_words": [], "extra_words": {}})
    fills = list(question_of({**case, "setter_words": [], "extra_words": {}}).fills())
    for backend in backends_that("complete"):
        found = explain(puzzle, backend, seed=case["seed"], time_limit=100)
        if fills:
            assert found.status is Status.FILLED, f"{backend}: {found.status}"
            continue
        assert found.status is Status.UNFILLABLE, f"{backend}: {found.status}"
        assert found.reason is not None
        assert found.wording is not None
        assert found.reason.minimal, f"{backend}: not minimal"
        parts = found.reason.parts
        assert not fillable(puzzle, parts), f"{backend}: {sorted(map(str, parts))} has a fill"
        for part in parts:
            assert fillable(puzzle, without(parts, part)), f"{backend}: {part} is not needed"


def _cancel(case: Case) -> None:
    """Stop every call when it has asked so and so often: what it returns is right, or unknown."""
    puzzle, fills = puzzle_of(case), list(question_of(case).fills())
    random = Random(case["seed"])
    for backend in BACKENDS:
        capable = get_backend(backend).capabilities
        left = iter(range(random.randrange(2 ** random.randint(0, 8))))
        settings: dict[str, Any] = {
            "should_stop": lambda left=left: next(left, None) is None,
            "workers": random.choice((1, 1, 2)),
            "seed": case["seed"],
        }
        match random.choice(("solve", "count", "best", "several", "explain")):
            case "count" if capable.count:
                found = count(puzzle, backend, **settings)
                assert found.count == len(fills) if found.exact else found.count <= len(fills)
                assert found.exact or found.reason == "stopped", found.reason
            case "several" if capable.count:
                listed = several(puzzle, 3, backend, **settings)
                given = [dict(one.fill or {}) for one in listed.outcomes]
                assert all(fill in fills for fill in given), f"{backend} lists {given}"
                assert not listed.complete or len(given) == len(fills)
            case "explain":
                why = explain(puzzle, backend, **settings)
                truth = Status.FILLED if fills else Status.UNFILLABLE
                assert why.status in (truth, Status.UNKNOWN), f"{backend}: {why.status}"
            case call:
                by_best = call == "best" and capable.best
                outcome = (best if by_best else solve)(puzzle, backend=backend, **settings)
                _check_outcome(outcome, fills, backend)
                assert outcome.status is not Status.UNKNOWN or outcome.reason == "stopped"


def _check_outcome(outcome: Outcome, fills: list[dict[str, str]], backend: str) -> None:
    assert not fills or outcome.status is not Status.UNFILLABLE, f"{backend}: {outcome.status}"
    assert outcome.fill is None or dict(outcome.fill) in fills, f"{backend}: {outcome.fill}"


def _threads(case: Case) -> None:
    """Answer one puzzle in several threads at once."""
    puzzle, fills = puzzle_of(case), list(question_of(case).fills())

    def work(number: int) -> None:
        random = Random(case["seed"] + number)
        backend = random.choice(backends_that("complete"))
        if get_backend(backend).capabilities.count and random.random() < 0.5:
            found = count(puzzle, backend, workers=1, seed=number)
            assert (found.count, found.exact) == (len(fills), True), f"{backend}: {found}"
        else:
            outcome = solve(puzzle, backend, workers=1, seed=number)
            assert outcome.status is not Status.UNKNOWN, f"{backend}: {outcome.reason}"
            _check_outcome(outcome, fills, backend)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))


ATTACKS: Mapping[str, Attack] = {
    "cancel": Attack(random_puzzle, _cancel, smaller_puzzles),
    "threads": Attack(random_puzzle, _threads, smaller_puzzles),
    "backends": Attack(random_puzzle, _backends, smaller_puzzles, weight=3),
    "variants": Attack(random_puzzle, _variants, smaller_puzzles),
    "explain": Attack(random_puzzle, _explain, smaller_puzzles),
}
