"""Faults planted inside each backend: the cross-check must catch every one, or the suite itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from types import ModuleType
from typing import Any

import pytest
from agreement.test_agreement import QUICK, check
from helpers import PATIENCE, narrow_at_once

import encoders.cnf
import encoders.cpsat
import encoders.direct
import encoders.lazy
import encoders.word_rules
from encoders import CpSatEncoding, Instance
from encoders.encoding import Encoding
from encoders.instance import crossings
from satcross import InternalError, Puzzle, Status, engine
from satcross.backends import cpsat
from satcross.backends.sat.enumerate import ModelEnumerator
from satcross.backends.search.cell_sweep import CellSweep
from satcross.backends.search.enumerate import CountPortfolio
from satcross.backends.search.in_python import PythonSearch
from satcross.backends.search.narrowed import Narrowed
from satcross.backends.search.portfolio import Portfolio
from satcross.backends.search.search import Search
from satcross.formats.json import puzzle_from_data
from satcross.network import narrowing, theme_splits
from satcross.network.arc_consistency import Candidates, Network, State
from satcross.network.to_encoder import to_instance
from satcross.network.word_rules import WordRules
from satcross.run_settings import Deadline
from satcross.solving.count import cross_count
from satcross.solving.cross_check import cross_check

Patch = pytest.MonkeyPatch

WRONG_FILL = "returned a wrong fill"
DISAGREE = "backends disagree"
ENOUGH = 3
"""Errors that show that a fault is caught, and how."""


FULL, DIRECT = {"encoding": "full"}, {"encoding": "direct"}


def nothing(*_: object) -> Iterator[list[int]]:
    return iter(())


def _forgotten(module: ModuleType, name: str) -> Callable[[Patch], None]:
    """A module that adds no clauses of a kind."""
    return lambda patch: patch.setattr(module, name, nothing)


def _demand_forgotten(module: ModuleType, name: str) -> Callable[[Patch], None]:
    """An encoding without the theme words, which it has to place itself."""

    def plant(patch: Patch) -> None:
        patch.setattr(module, name, nothing)
        patch.setattr(theme_splits, "MAX_PARTS", 0)

    return plant


def _a_crossing_forgotten(patch: Patch) -> None:
    patch.setattr(encoders.direct, "crossings", lambda slots: crossings(slots)[1:])


def _first_letter_forgotten(module: ModuleType, name: str) -> Callable[[Patch], None]:
    """A module that adds no clauses of a kind about the first letters of words."""
    real = getattr(module, name)

    def clauses(words: Mapping[str, int], position: int, *rest: Any) -> Any:
        return [] if position == 0 else real(words, position, *rest)

    return lambda patch: patch.setattr(module, name, clauses)


def _a_word_forgotten(patch: Patch) -> None:
    def choice(words: Mapping[str, int]) -> list[list[int]]:
        return [list(words.values())[1:] or list(words.values())]

    patch.setattr(encoders.cnf, "slot_word_choice", choice)


def _candidates_forgotten(patch: Patch) -> None:
    def narrower(*given: Any) -> Instance:
        whole = to_instance(*given)
        fewer = tuple(words[: max(1, len(words) - 1)] for words in whole.candidates)
        return replace(whole, candidates=fewer)

    patch.setattr(cpsat, "to_instance", narrower)


def _another_literal(patch: Patch) -> None:
    real = CpSatEncoding.decode

    def decode(self: CpSatEncoding, value: Callable[[int], bool]) -> list[str]:
        words = real(self, value)
        words[0] = self.instance.candidates[0][-1]
        return words

    patch.setattr(CpSatEncoding, "decode", decode)


def _last_word_read(patch: Patch) -> None:
    def decode(self: Encoding, model: Sequence[int]) -> list[str]:
        return [list(words)[-1] for words in self.words]

    patch.setattr(Encoding, "decode", decode)


def _search_in_python(patch: Patch) -> None:
    """The engine can't be patched; a property test compares it with the search in Python."""
    patch.setattr(engine, "available", lambda: False)


def _first_contradiction_is_final(patch: Patch) -> None:
    _search_in_python(patch)
    patch.setattr(PythonSearch, "_mend", lambda self, conflict: conflict is None)


def _words_read_from_the_root(patch: Patch) -> None:
    _search_in_python(patch)
    real = PythonSearch.words

    def read(self: PythonSearch) -> tuple[str, ...]:
        lexicon, domain = self.network.lexicons[-1], self.root.domains[-1]
        return (*real(self)[:-1], lexicon.words[domain.bit_length() - 1])

    patch.setattr(PythonSearch, "words", read)


def _a_part_forgotten(patch: Patch) -> None:
    real = theme_splits.split_by_theme_slots

    def fewer(candidates: Candidates) -> list[Candidates]:
        return real(candidates)[1 if candidates.network.word_rules.min_theme_words else 0 :]

    patch.setattr(theme_splits, "split_by_theme_slots", fewer)


def _clashes_kept(patch: Patch) -> None:
    _search_in_python(patch)
    patch.setattr(Network, "_take_clashing", lambda *_: None)


def theme_given_up(patch: Patch) -> None:
    """As if a theme word that has lost a place had none."""
    _search_in_python(patch)
    real = Network._out_of_theme

    def out(self: Network, domains: list[int]) -> tuple[int, ...] | None:
        lost = any(not domains[slot] & bit for its in self.theme for slot, bit in its)
        return (0,) if lost else real(self, domains)

    patch.setattr(Network, "_out_of_theme", out)


def _sweeps_give_up(patch: Patch) -> None:
    patch.setattr(Search, "run", lambda *_: Status.UNKNOWN)
    patch.setattr(CellSweep, "run", lambda *_: Status.UNFILLABLE)


def _narrowing_proves(patch: Patch) -> None:
    """Report a narrowed puzzle without fills as a proof that the whole puzzle has none."""
    narrow_at_once(patch)
    patch.setattr(narrowing, "MIN_LEFT_OUT", 0.3)
    real = Narrowed.run

    def run(self: Narrowed, deadline: Deadline, max_nodes: int) -> Status:
        status = real(self, deadline, max_nodes)
        return Status.UNFILLABLE if self.over else status

    patch.setattr(Narrowed, "run", run)


def _everything_is_unfillable(patch: Patch) -> None:
    patch.setattr(Portfolio, "run", lambda *_: Status.UNFILLABLE)


@dataclass(frozen=True)
class Fault:
    """What is broken, in which backend (with which options), and how it comes to light."""

    plant: Callable[[Patch], None]
    backend: str
    told: str
    options: Mapping[str, str] = field(default_factory=dict)


FAULTS = {
    "sat, full: repeats": Fault(_forgotten(encoders.cnf, "uniqueness"), "sat", WRONG_FILL, FULL),
    "sat, direct: a crossing": Fault(_a_crossing_forgotten, "sat", WRONG_FILL, DIRECT),
    "sat, full: a crossing": Fault(
        _first_letter_forgotten(encoders.cnf, "crossing_letter_equality"), "sat", WRONG_FILL, FULL
    ),
    "sat, lazy: a crossing": Fault(
        _first_letter_forgotten(encoders.lazy, "word_implies_letter"), "sat", WRONG_FILL
    ),
    "sat, full: a word": Fault(_a_word_forgotten, "sat", DISAGREE, FULL),
    "sat, full: clashes": Fault(
        _forgotten(encoders.word_rules, "conflict_clauses"), "sat", WRONG_FILL, FULL
    ),
    "sat, direct: theme": Fault(
        _demand_forgotten(encoders.word_rules, "at_least_clauses"), "sat", WRONG_FILL, DIRECT
    ),
    "sat, lazy: clashes": Fault(
        lambda patch: patch.setattr(WordRules, "broken", lambda *_: set()), "sat", WRONG_FILL
    ),
    "sat, lazy: theme": Fault(_demand_forgotten(encoders, "at_least_clauses"), "sat", WRONG_FILL),
    "cpsat: clashes": Fault(_forgotten(encoders.cpsat, "add_conflict"), "cpsat", WRONG_FILL),
    "cpsat: theme": Fault(_demand_forgotten(encoders.cpsat, "add_at_least"), "cpsat", WRONG_FILL),
    "sat: decoding": Fault(_last_word_read, "sat", WRONG_FILL, FULL),
    "sat: a place of theme words": Fault(_a_part_forgotten, "sat", DISAGREE),
    "backtrack: clashes": Fault(_clashes_kept, "backtrack", WRONG_FILL),
    "cpsat: repeats": Fault(_forgotten(encoders.cpsat, "uniqueness"), "cpsat", WRONG_FILL),
    "cpsat: a word": Fault(_candidates_forgotten, "cpsat", DISAGREE),
    "cpsat: decoding": Fault(_another_literal, "cpsat", WRONG_FILL),
    "backtrack: refuting": Fault(_first_contradiction_is_final, "backtrack", DISAGREE),
    "backtrack: reading": Fault(_words_read_from_the_root, "backtrack", WRONG_FILL),
    "backtrack: sweep": Fault(_sweeps_give_up, "backtrack", DISAGREE),
    "backtrack: narrowing": Fault(_narrowing_proves, "backtrack", DISAGREE),
    "auto: answer": Fault(_everything_is_unfillable, "auto", DISAGREE),
}

OTHER = dict.fromkeys(("sat", "cpsat"), "backtrack") | dict.fromkeys(("backtrack", "auto"), "sat")
"""The backend whose answers are compared with those of a broken backend."""


def complaints(ask: Callable[[Puzzle], object], kind: str = "") -> Iterator[InternalError]:
    """Ask about every puzzle, or those of a kind, and yield the errors."""
    for record in QUICK:
        if kind in ("", record["kind"]):
            try:
                ask(puzzle_from_data(record))
            except InternalError as error:
                yield error


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_inside_a_backend(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fault = FAULTS[name]
    fault.plant(monkeypatch)
    ask = partial(
        cross_check,
        backends=[fault.backend, OTHER[fault.backend]],
        workers=1,
        options=fault.options if fault.backend == "sat" else {},
        time_limit=PATIENCE,
    )
    kind = "rectangle" if name == "backtrack: sweep" else ""
    caught = list(islice(complaints(ask, kind), ENOUGH))
    assert caught
    assert all(fault.told in str(error) and error.report for error in caught)


def _one_more(patch: Patch) -> None:
    real = CountPortfolio.run

    def run(self: CountPortfolio, deadline: Deadline, enough: int | None) -> bool:
        done = real(self, deadline, enough)
        self.best += 1
        return done

    patch.setattr(CountPortfolio, "run", run)


def _choices_that_repeat(patch: Patch) -> None:
    def choices(self: ModelEnumerator, sets: tuple[frozenset[str], ...]) -> int:
        product = 1
        for words in sets:
            product *= len(words)
        return product

    patch.setattr(ModelEnumerator, "choices", choices)


@pytest.mark.parametrize(
    ("plant", "backend"),
    [
        (_one_more, "backtrack"),
        (_one_more, "auto"),
        (_choices_that_repeat, "sat"),
        (_candidates_forgotten, "cpsat"),
    ],
)
def test_a_fault_in_counting(
    plant: Callable[[Patch], None], backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    backends = [backend, OTHER[backend]]
    caught = list(islice(complaints(lambda puzzle: cross_count(puzzle, backends)), ENOUGH))
    assert caught
    assert all("disagree on the number of fills" in str(error) for error in caught)


def lose_a_word(state: State) -> None:
    """Take the first word from the first slot."""
    state.domains[0] &= state.domains[0] - 1
    state.sizes[0] -= 1


def a_word_lost_in_arc_consistency(patch: Patch) -> None:
    real = Network.propagate

    def propagate(self: Network, state: State, *given: Any) -> tuple[int, ...] | None:
        conflict = real(self, state, *given)
        if conflict is None and state.sizes and state.sizes[0] > 1:
            lose_a_word(state)
            return real(self, state, (0,))
        return conflict

    patch.setattr(Network, "propagate", propagate)


@pytest.mark.parametrize(
    ("plant", "backend", "rule"),
    [
        (a_word_lost_in_arc_consistency, "sat", "rows"),
        (a_word_lost_in_arc_consistency, "backtrack", "rows"),
        (theme_given_up, "sat", "theme"),
    ],
)
def test_what_all_backends_share_is_held_against_brute_force(
    plant: Callable[[Patch], None], backend: str, rule: str, monkeypatch: Patch
) -> None:
    """A fault in arc consistency misleads all alike: only the recorded answers show it."""
    plant(monkeypatch)
    with pytest.raises(AssertionError, match="unfillable"):
        check(backend, [record for record in QUICK if rule in record])
