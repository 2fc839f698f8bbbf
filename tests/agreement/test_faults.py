"""Faults planted inside each backend: the cross-check must catch every one, or the suite itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from agreement.test_agreement import QUICK, check
from helpers import narrow_at_once

import encoders.cnf
from encoders import Instance
from encoders.cnf import SupportEncoding, WordChoice
from encoders.cpsat import CpSatEncoding
from encoders.instance import Cell, crossings
from satcross import InternalError, Status
from satcross.backends import cpsat
from satcross.backends.sat import backend as sat
from satcross.backends.sat.enumerate import ModelEnumerator
from satcross.backends.search import portfolio
from satcross.backends.search.backend import CountPortfolio
from satcross.backends.search.portfolio import Narrowed, Portfolio
from satcross.backends.search.row_sweep import Sweep
from satcross.backends.search.search import Search
from satcross.deadline import Deadline
from satcross.formats.puzzle_json import puzzle_from_data
from satcross.network import theme_splits
from satcross.network.arc_consistency import Candidates, Network, State
from satcross.network.to_encoder import to_instance
from satcross.network.word_rules import WordRules
from satcross.solving.count import cross_count
from satcross.solving.cross_check import cross_check

Patch = pytest.MonkeyPatch

WRONG_FILL = "returned a wrong fill"
DISAGREE = "backends disagree"


def nothing(*_: object) -> Iterator[list[int]]:
    return iter(())


def _a_crossing_forgotten(patch: Patch) -> None:
    patch.setattr(encoders.cnf, "crossings", lambda slots: crossings(slots)[1:])


def _a_checked_cell_forgotten(patch: Patch) -> None:
    real = SupportEncoding.__init__

    def init(self: SupportEncoding, slots: Sequence[Sequence[Cell]], *more: Any) -> None:
        real(self, slots, *more)
        self._checked -= set(sorted(self._checked)[:1])

    patch.setattr(SupportEncoding, "__init__", init)


def _a_word_forgotten(patch: Patch) -> None:
    real = SupportEncoding.add_words

    def add_words(self: SupportEncoding, slot: int, words: Sequence[str], **more: bool) -> Any:
        return real(self, slot, words[1:] if len(words) > 1 else words, **more)

    patch.setattr(SupportEncoding, "add_words", add_words)


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


def _first_contradiction_is_final(patch: Patch) -> None:
    patch.setattr(Search, "_mend", lambda self, conflict: conflict is None)


def _words_read_from_the_root(patch: Patch) -> None:
    real = Search._read_words

    def read(self: Search) -> tuple[str, ...]:
        lexicon, domain = self.network.lexicons[-1], self.root.domains[-1]
        return (*real(self)[:-1], lexicon.words[domain.bit_length() - 1])

    patch.setattr(Search, "_read_words", read)


def _no_demand(patch: Patch, encoding: type, name: str) -> None:
    """Theme words forgotten by an encoding, which has to place them itself."""
    patch.setattr(encoding, name, nothing)
    patch.setattr(theme_splits, "MOST_PARTS", 0)


def _a_part_forgotten(patch: Patch) -> None:
    real = theme_splits.by_places

    def fewer(candidates: Candidates) -> list[Candidates]:
        return real(candidates)[1 if candidates.network.word_rules.min_theme_words else 0 :]

    patch.setattr(sat, "by_places", fewer)


def _clashes_kept(patch: Patch) -> None:
    patch.setattr(Network, "_take_clashing", lambda *_: None)


def _theme_given_up(patch: Patch) -> None:
    """As if a theme word that has lost a place had none."""
    real = Network._out_of_theme

    def out(self: Network, domains: list[int]) -> tuple[int, ...] | None:
        lost = any(not domains[slot] & bit for its in self.theme for slot, bit in its)
        return (0,) if lost else real(self, domains)

    patch.setattr(Network, "_out_of_theme", out)


def _sweeps_give_up(patch: Patch) -> None:
    patch.setattr(Search, "run", lambda *_: Status.UNKNOWN)
    patch.setattr(Sweep, "run", lambda *_: Status.UNFILLABLE)


def _narrowing_proves(patch: Patch) -> None:
    """As if a puzzle that has lost words, and then its fills, had never had any."""
    narrow_at_once(patch)
    patch.setattr(portfolio, "_LEAST_LEFT_OUT", 0.3)
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
    "sat, full: repeats": Fault(
        lambda patch: patch.setattr(WordChoice, "all_different", nothing),
        "sat",
        WRONG_FILL,
        {"encoding": "full"},
    ),
    "sat, direct: a crossing": Fault(
        _a_crossing_forgotten, "sat", WRONG_FILL, {"encoding": "direct"}
    ),
    "sat, full: a crossing": Fault(
        _a_checked_cell_forgotten, "sat", WRONG_FILL, {"encoding": "full"}
    ),
    "sat, lazy: a crossing": Fault(_a_checked_cell_forgotten, "sat", WRONG_FILL),
    "sat, full: a word": Fault(_a_word_forgotten, "sat", DISAGREE, {"encoding": "full"}),
    "sat, full: clashes": Fault(
        lambda patch: patch.setattr(WordChoice, "keep_apart", nothing),
        "sat",
        WRONG_FILL,
        {"encoding": "full"},
    ),
    "sat, direct: theme": Fault(
        lambda patch: _no_demand(patch, WordChoice, "demand"),
        "sat",
        WRONG_FILL,
        {"encoding": "direct"},
    ),
    "sat, lazy: clashes": Fault(
        lambda patch: patch.setattr(WordRules, "broken", lambda *_: set()), "sat", WRONG_FILL
    ),
    "sat, lazy: theme": Fault(
        lambda patch: _no_demand(patch, WordChoice, "demand"), "sat", WRONG_FILL
    ),
    "cpsat: clashes": Fault(
        lambda patch: patch.setattr(CpSatEncoding, "_keep_apart", nothing), "cpsat", WRONG_FILL
    ),
    "cpsat: theme": Fault(
        lambda patch: _no_demand(patch, CpSatEncoding, "_demand"), "cpsat", WRONG_FILL
    ),
    "sat: a place of theme words": Fault(_a_part_forgotten, "sat", DISAGREE),
    "backtrack: clashes": Fault(_clashes_kept, "backtrack", WRONG_FILL),
    "cpsat: repeats": Fault(
        lambda patch: patch.setattr(CpSatEncoding, "_all_different", lambda self: None),
        "cpsat",
        WRONG_FILL,
    ),
    "cpsat: a word": Fault(_candidates_forgotten, "cpsat", DISAGREE),
    "cpsat: decoding": Fault(_another_literal, "cpsat", WRONG_FILL),
    "backtrack: refuting": Fault(_first_contradiction_is_final, "backtrack", DISAGREE),
    "backtrack: reading": Fault(_words_read_from_the_root, "backtrack", WRONG_FILL),
    "backtrack: sweep": Fault(_sweeps_give_up, "backtrack", DISAGREE),
    "backtrack: narrowing": Fault(_narrowing_proves, "backtrack", DISAGREE),
    "auto: answer": Fault(_everything_is_unfillable, "auto", DISAGREE),
}

OTHER = {"sat": "backtrack", "cpsat": "backtrack", "backtrack": "sat", "auto": "sat"}
"""Who is held against a broken backend."""


@pytest.fixture(autouse=True)
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_inside_a_backend(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fault = FAULTS[name]
    fault.plant(monkeypatch)
    caught: list[InternalError] = []
    for record in QUICK:
        if name == "backtrack: sweep" and record["kind"] != "rectangle":
            continue
        try:
            cross_check(
                puzzle_from_data(record),
                [fault.backend, OTHER[fault.backend]],
                workers=1,
                options=fault.options if fault.backend == "sat" else {},
                time_limit=20,
            )
        except InternalError as error:
            caught.append(error)
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
    caught: list[str] = []
    for record in QUICK:
        try:
            cross_count(puzzle_from_data(record), [backend, OTHER[backend]])
        except InternalError as error:
            caught.append(str(error))
    assert caught
    assert all("disagree on the number of fills" in message for message in caught)


def test_a_theme_given_up_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arc consistency, too, may say that a theme word has no place: all backends rest on it."""
    _theme_given_up(monkeypatch)
    with pytest.raises(AssertionError, match="unfillable"):
        check("sat", [record for record in QUICK if "theme" in record])


def test_what_all_backends_share_is_held_against_brute_force(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A fault in arc consistency misleads all alike: only the recorded answers show it."""
    real = Network.propagate

    def propagate(self: Network, state: State, changed: Any) -> tuple[int, ...] | None:
        conflict = real(self, state, changed)
        if conflict is None and state.sizes and state.sizes[0] > 1:
            state.domains[0] &= state.domains[0] - 1
            state.sizes[0] -= 1
            return real(self, state, (0,))
        return conflict

    monkeypatch.setattr(Network, "propagate", propagate)
    for backend in ("sat", "backtrack"):
        with pytest.raises(AssertionError, match="unfillable"):
            check(backend, QUICK)
