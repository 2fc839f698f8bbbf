"""CrosswordCreator: what the grader's checks, which it passes, leave open, and the whole search."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from itertools import permutations, product
from pathlib import Path

import pytest
from helpers import DATA, ROOT, load_words
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from satcross.cs50 import Crossword, CrosswordCreator, Variable
from satcross.errors import UnavailableError

Make = Callable[..., CrosswordCreator]

# A across in the first row; B, C and D hang from its cells 0, 2 and 4.
FORK = ["_____", "_#_#_", "_#_#_"]
A = Variable(0, 0, "across", 5)
B, C, D = (Variable(0, j, "down", 3) for j in (0, 2, 4))

# P - Q - R - S: each crosses the next one.
CHAIN = ["___##", "##_##", "##___", "####_", "####_"]
P, Q = Variable(0, 0, "across", 3), Variable(0, 2, "down", 3)
R, S = Variable(2, 2, "across", 3), Variable(2, 4, "down", 3)

# A puzzle with one fill: MOUSE and TRAYS with OAR and SPY between them.
LADDER = ["_____", "#_#_#", "_____"]
TOP, BOTTOM = Variable(0, 0, "across", 5), Variable(2, 0, "across", 5)
LEFT, RIGHT = Variable(0, 1, "down", 3), Variable(0, 3, "down", 3)
LADDER_WORDS = ["mouse", "trays", "oar", "spy", "north", "tooth", "ant", "owl", "see", "ten"]
LADDER_FILL = {TOP: "MOUSE", LEFT: "OAR", RIGHT: "SPY", BOTTOM: "TRAYS"}

# A ring: with only two words, the word across must also be the word down.
RING = ["___", "_#_", "___"]


def sets(**domains: str) -> dict[Variable, set[str]]:
    """Return domains from words in a string, for the variables named above."""
    return {globals()[name]: set(words.split()) for name, words in domains.items()}


def with_domains(make: Make, rows: list[str], **domains: str) -> CrosswordCreator:
    creator = make(rows, ["unused"])
    creator.domains = sets(**domains)
    return creator


def brute_force(crossword: Crossword) -> list[dict[Variable, str]]:
    """Return all fills, by exhaustive search."""
    variables = sorted(crossword.variables, key=repr)

    def fits(words: tuple[str, ...]) -> bool:
        letters: dict[tuple[int, int], str] = {}
        return all(
            len(word) == var.length
            and all(
                letters.setdefault(cell, x) == x for cell, x in zip(var.cells, word, strict=True)
            )
            for var, word in zip(variables, words, strict=True)
        )

    return [
        dict(zip(variables, words, strict=True))
        for words in permutations(sorted(crossword.words), len(variables))
        if fits(words)
    ]


def test_revise_before_node_consistency(make: Make) -> None:
    creator = make(FORK, ["", "s", "st", "storm", "mud"])
    creator.revise(D, A)
    assert creator.domains[D] == {"MUD"}
    creator.revise(A, D)
    assert creator.domains[A] == {"STORM"}
    assert creator.domains[B] == {"", "S", "ST", "STORM", "MUD"}


def test_a_set_shared_by_two_variables_is_not_changed_for_both(make: Make) -> None:
    creator = make(FORK, ["unused"])
    same = {"STORM", "CAT", "SEA"}
    creator.domains = dict.fromkeys((A, B, C, D), same)
    creator.revise(A, C)
    assert creator.domains[A] == set()
    assert creator.domains[B] == same == {"STORM", "CAT", "SEA"}


def test_ac3_at_its_edges(make: Make) -> None:
    creator = with_domains(make, CHAIN, P="TEA RIB", Q="ARC BAD", R="CAT DUO", S="TOE")
    arcs = [(R, S), (Q, R)]
    assert creator.ac3(arcs)
    assert arcs == [(R, S), (Q, R)]
    apart = make(["__", "##", "__"], ["ab"])
    apart.domains[Variable(0, 0, "across", 2)] = set()
    assert apart.ac3() is False


@pytest.mark.parametrize(
    ("assignment", "complete", "consistent"),
    [
        ({A: "STORM", B: "SEA", C: "OAK", D: None}, False, True),
        ({B: "SEA", C: None, D: None, A: None}, False, True),
        ({A: "STORM", B: "TEA", C: None}, False, False),
        ({B: ""}, False, False),
        ({A: "STORM", B: "SEA", C: "OAK", D: "MUD"}, True, True),
    ],
)
def test_none_stands_for_no_word(
    make: Make, assignment: dict[Variable, str | None], complete: bool, consistent: bool
) -> None:
    creator = make(FORK, ["storm"])
    assert creator.assignment_complete(assignment) is complete
    assert creator.consistent(assignment) is consistent
    assert make(["#"]).assignment_complete({}) is True
    assert make(["_#_"], ["cat"]).solve() == {}


def test_a_value_none_counts_as_unassigned_in_orders_too(make: Make) -> None:
    creator = with_domains(make, FORK, A="STORM TRAIL", B="SEA SUN", C="AIR", D="LID LAP MUD")
    # STORM rules out AIR, LID, LAP; TRAIL rules out SEA, SUN, MUD. Without B, TRAIL is better;
    # without D, STORM is.
    assert creator.order_domain_values(A, {B: "SUN", D: None}) == ["TRAIL", "STORM"]
    assert creator.order_domain_values(A, {D: {"MUD"}}) == ["STORM", "TRAIL"]
    assert creator.select_unassigned_variable({C: "AIR", A: None}) == A


def test_order_domain_values_keeps_used_and_short_words(make: Make) -> None:
    creator = with_domains(make, CHAIN, P="TEA RIB ON", Q="ARC BAD A", R="CAT DUO C", S="TOE")
    # ON does not reach the crossing and rules out all of Q; TEA rules out BAD, RIB the others.
    assert creator.order_domain_values(P, {}) == ["TEA", "RIB", "ON"]
    assert creator.order_domain_values(Q, {P: "TEA"}) == ["ARC", "BAD", "A"]
    # C crosses Q but does not reach S; A of Q does not reach R.
    assert creator.order_domain_values(R, {Q: "ARC"}) == ["CAT", "C", "DUO"]
    assert creator.order_domain_values(R, {}) == ["CAT", "C", "DUO"]
    # A word that another variable uses stays.
    assert creator.order_domain_values(P, {R: "TEA"}) == ["TEA", "RIB", "ON"]
    assert type(creator.order_domain_values(P, {})) is list


def test_full_ties_go_in_reading_order(make: Make) -> None:
    creator = make(["_____", "_#_#_", "_____"], ["unused"])
    above, below = Variable(0, 0, "across", 5), Variable(2, 0, "across", 5)
    left, middle = Variable(0, 0, "down", 3), Variable(0, 2, "down", 3)
    creator.domains = {var: {"1", "2"} for var in creator.crossword.variables}
    assert creator.select_unassigned_variable({}) == above
    assert creator.select_unassigned_variable({above: "x"}) == below
    assert creator.select_unassigned_variable({above: "x", below: "x"}) == left
    assert creator.select_unassigned_variable({above: "x", below: "x", left: "x"}) == middle


def test_most_unassigned_neighbors_decide_between_equal_degrees(make: Make) -> None:
    creator = make(["___#___", "_#_#_#_", "_#_#_#_"], ["unused"])
    first, second = Variable(0, 0, "across", 3), Variable(0, 4, "across", 3)
    creator.domains = {
        var: {"1"} if var in (first, second) else {"1", "2"} for var in creator.crossword.variables
    }
    assert creator.select_unassigned_variable({}) == first
    assert creator.select_unassigned_variable({Variable(0, 0, "down", 3): "x"}) == second


# The search


def test_backtrack_neither_changes_its_argument_nor_the_domains(make: Make) -> None:
    for words in (LADDER_WORDS, ["mouse", "trays", "oar", "see", "ten", "owl"]):
        creator = make(LADDER, words)
        creator.enforce_node_consistency()
        domains = creator.domains
        before = copy.deepcopy(domains)
        assignment: dict[Variable, str | None] = {TOP: "MOUSE", LEFT: None}
        creator.backtrack(assignment)
        assert assignment == {TOP: "MOUSE", LEFT: None}
        assert creator.domains is domains
        assert domains == before


def test_backtrack_completes_what_it_is_given(make: Make) -> None:
    creator = make(LADDER, LADDER_WORDS)
    assert creator.backtrack({TOP: "MOUSE"}) == LADDER_FILL
    assert creator.backtrack({TOP: None, BOTTOM: "TRAYS"}) == LADDER_FILL
    assert creator.backtrack(LADDER_FILL) == LADDER_FILL
    assert creator.backtrack({TOP: "NORTH"}) is None
    assert creator.backtrack({LEFT: "OAR", RIGHT: "OAR"}) is None


def test_backtrack_accepts_given_words_of_no_list(make: Make) -> None:
    creator = make(LADDER, LADDER_WORDS)
    assert creator.backtrack({RIGHT: "SQY"}) == LADDER_FILL | {RIGHT: "SQY"}


def test_backtrack_works_on_replaced_domains(make: Make) -> None:
    creator = make(LADDER, LADDER_WORDS)
    assert creator.solve() == LADDER_FILL
    creator.domains = {TOP: {"HOTEL"}, LEFT: {"OAK"}, RIGHT: {"ELF", "ELM"}, BOTTOM: {"SKIMS"}}
    assert creator.backtrack({}) == {TOP: "HOTEL", LEFT: "OAK", RIGHT: "ELM", BOTTOM: "SKIMS"}
    creator.domains = {TOP: {"HOTEL"}, LEFT: {"OAK"}, RIGHT: {"ELF"}, BOTTOM: {"SKIMS"}}
    assert creator.backtrack({}) is None


def test_choosing_a_word_narrows_the_domains_of_the_others(make: Make) -> None:
    creator = make(LADDER, LADDER_WORDS)
    creator.enforce_node_consistency()
    assert creator.infer({LEFT: "OAR"}) is True
    assert creator.domains == {var: {word} for var, word in LADDER_FILL.items()}
    assert creator.infer({LEFT: "OAR", RIGHT: "TEN"}) is False


def test_inference_takes_used_words_from_the_others(make: Make) -> None:
    # Three slots without a crossing: arc consistency says nothing about them.
    creator = make(["___", "###", "___", "###", "___"], ["cat", "top", "dog"])
    one, two, three = (Variable(i, 0, "across", 3) for i in (0, 2, 4))
    assert creator.infer({one: "CAT", two: None}) is True
    assert creator.domains == {one: {"CAT"}, two: {"TOP", "DOG"}, three: {"TOP", "DOG"}}
    assert creator.infer({one: "CAT", two: "TOP"}) is True
    assert creator.domains == {one: {"CAT"}, two: {"TOP"}, three: {"DOG"}}
    creator.domains[three] = {"CAT", "TOP"}
    assert creator.infer({one: "CAT", two: "TOP"}) is False


def test_inference_goes_on_from_the_loss_of_used_words(make: Make) -> None:
    creator = with_domains(make, CHAIN, P="TEA TOE", Q="ARC EEL", R="CAT COE", S="TEA ELF")
    # P takes TEA, so S has only ELF left, and CAT of R no support there any more.
    assert creator.infer({P: "TEA"}) is True
    assert creator.domains == sets(P="TEA", Q="ARC", R="COE", S="ELF")


STRUCTURES = [
    ["___", "_#_", "___"],
    ["__", "__"],
    ["___", "#_#", "___"],
    ["___", "___"],
    ["_#_", "___", "#_#"],
    ["__#__", "_###_"],
]


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    structure=st.sampled_from(STRUCTURES),
    words=st.sets(st.text("AB", min_size=2, max_size=3), max_size=9),
)
def test_solve_agrees_with_trying_everything(
    make: Make, structure: list[str], words: set[str]
) -> None:
    creator = make(structure, sorted(words))
    everything = brute_force(creator.crossword)
    fill = creator.solve()
    assert fill in everything if everything else fill is None


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    structure=st.sampled_from(STRUCTURES),
    words=st.sets(st.text("ABC", min_size=2, max_size=3), min_size=1, max_size=12),
)
def test_ac3_leaves_just_the_words_with_answers(
    make: Make, structure: list[str], words: set[str]
) -> None:
    creator = make(structure, sorted(words))
    creator.enforce_node_consistency()
    fills = brute_force(creator.crossword) if len(words) < 8 else []
    if not creator.ac3():
        assert fills == []
        return
    for (x, y), overlap in creator.crossword.overlaps.items():
        if overlap is not None:
            a, b = overlap
            letters = {word[b] for word in creator.domains[y]}
            assert all(word[a] in letters for word in creator.domains[x])
    assert all(word in creator.domains[var] for fill in fills for var, word in fill.items())


def test_the_same_question_gets_the_same_answer(tmp_path: Path) -> None:
    (tmp_path / "structure.txt").write_text("____\n____\n")
    words = ("".join(letters) for letters in product("ab", "abc", "ab", "cd"))
    (tmp_path / "words.txt").write_text("".join(f"{word}\n{word[:2]}\n" for word in words))
    answers = {
        subprocess.run(
            [sys.executable, ROOT / "generate.py", "structure.txt", "words.txt"],
            cwd=tmp_path,
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in "0123"
    }
    assert len(answers) == 1


# Effort


NINE = ["####_____", "#_#_##_#_", "_____#_#_", "#_#______", "#_#_#_#_#"]
NINE += [row[::-1] for row in NINE[-2::-1]]


def assert_few_tries(creator: CrosswordCreator, *, fillable: bool) -> None:
    """The search answers rightly, with few calls of backtrack, however slow the machine is."""
    tries: list[object] = []
    backtrack = creator.backtrack

    def counted(assignment: Mapping[Variable, str | None]) -> dict[Variable, str] | None:
        tries.append(assignment)
        assert len(tries) <= 2 * len(creator.crossword.variables) + 2
        return backtrack(assignment)

    creator.backtrack = counted  # type: ignore[method-assign]
    fill = creator.solve()
    assert (fill is not None) == fillable
    if fill is not None:
        assert creator.assignment_complete(fill)
        assert creator.consistent(fill)
        assert set(fill.values()) <= creator.crossword.words


def test_nine_by_nine_in_few_tries(make: Make) -> None:
    """The grader has harder puzzles: see test_cs50_grade.py."""
    assert_few_tries(make(NINE, load_words(DATA / "words2.txt")), fillable=True)


OFFICIAL = Path(__file__).resolve().parents[3] / "shared" / "cs50" / "data"


@pytest.mark.skipif(not OFFICIAL.exists(), reason="the course's own files are not here")
@pytest.mark.parametrize("words", range(3))
@pytest.mark.parametrize("structure", range(3))
def test_the_nine_official_pairs(structure: int, words: int) -> None:
    files = (OFFICIAL / f"structure{structure}.txt", OFFICIAL / f"words{words}.txt")
    fillable = (structure, words) not in [(1, 0), (2, 0)]
    assert_few_tries(CrosswordCreator(Crossword(*map(str, files))), fillable=fillable)


# Backends


@pytest.mark.parametrize("backend", ["backtrack", "sat", "cpsat"])
def test_a_backend_gives_the_same_kind_of_answer(make: Make, backend: str) -> None:
    if backend != "backtrack":
        pytest.importorskip({"sat": "pysat", "cpsat": "ortools"}[backend])
    creator = make(LADDER, LADDER_WORDS, backend)
    before = copy.deepcopy(creator.domains)
    fill = creator.solve()
    assert fill == LADDER_FILL
    own = {id(var) for var in creator.crossword.variables}
    assert {id(var) for var in fill} == own
    assert creator.domains == before
    assert make(RING, ["cat", "top"], backend).solve() is None
    assert make(["_#_"], ["cat"], backend).solve() == {}
    assert make(["___"], ["n't", "ab ", ""], backend).solve() is not None


def test_an_unknown_backend_raises_when_it_is_asked(make: Make) -> None:
    creator = make(LADDER, LADDER_WORDS, "nonsense")
    with pytest.raises(UnavailableError, match="nonsense"):
        creator.solve()


def test_a_backend_without_an_answer_raises(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    import satcross.solving.solve  # noqa: F401 (the name below is the function, not the module)
    from satcross.outcome import Outcome, Status

    def stopped(puzzle: object, *, backend: str) -> Outcome:
        return Outcome(Status.UNKNOWN, backend, reason="test")

    monkeypatch.setattr(sys.modules["satcross.solving.solve"], "solve", stopped)
    with pytest.raises(RuntimeError, match="sat"):
        make(LADDER, LADDER_WORDS, "sat").solve()
