"""Lazy clause generation for open grids: CaDiCaL on letters, slots as lazily explained tables.

The solver's variables say that a cell has a letter, and nothing else. A propagator attached to
CaDiCaL (K. Fazekas et al., "IPASIR-UP: user propagators for CDCL", SAT 2023) keeps the candidates
of every slot as a bitset, tells the solver which letters have lost their last candidate, and
explains this by a clause only when the solver asks while it learns (O. Ohrimenko, P. J. Stuckey and
M. Codish, "Propagation via lazy clause generation", Constraints 14, 2009). Where every cell is
crossed and words are long, one letter removes thousands of words; here that is a few operations on
integers, in the support encoding thousands of literals.
"""

from __future__ import annotations

import signal
import time
from itertools import combinations, count
from typing import Any

from pysat.engines import Propagator
from pysat.solvers import Solver

from satcross.backends.base import Stats, Task
from satcross.backends.sat.solver import ask
from satcross.backends.search.row_sweep import Sweep
from satcross.grid import Cell
from satcross.network.arc_consistency import Candidates
from satcross.outcome import Status

SOLVER = "cadical195"
"""The only solver of PySAT that takes a propagator."""

_SLICE_CONFLICTS = 50
"""Conflicts of a call, some tenths of a second: Ctrl-C has to wait for its end."""

_Masks = list[dict[str, int]]


class TablePropagator(Propagator):  # type: ignore[misc]  # PySAT has no types
    """The candidates of every slot under the solver's assignment, and clauses that explain them.

    PySAT calls the methods. ``propagate`` raises TimeUp when the deadline has passed; the solver
    is then of no more use.
    """

    def __init__(self, task: Task) -> None:
        candidates = task.candidates
        network, root = candidates.network, candidates.root
        grid = network.puzzle.grid
        self._deadline = task.deadline
        self._cells = [slot.cells for slot in grid.slots]
        numbers = count(1)
        self.letters: dict[Cell, dict[str, int]] = {}
        for crossing, letters in zip(grid.crossings, root.letters, strict=True):
            self.letters[crossing.cell] = {letter: next(numbers) for letter in letters}
        self._meaning = {
            variable: (cell, letter)
            for cell, letters in self.letters.items()
            for letter, variable in letters.items()
        }
        self._lexicons = network.lexicons
        self._roots = list(root.domains)
        self._domains = list(root.domains)
        self._masks: list[_Masks] = []
        self._places: dict[Cell, list[tuple[int, int]]] = {cell: [] for cell in self.letters}
        for slot, cells in enumerate(self._cells):
            task.deadline.check()
            lexicon, domain = network.lexicons[slot], self._domains[slot]
            own: _Masks = []
            for position, cell in enumerate(cells):
                masks = lexicon.masks(position)
                own.append({letter: masks[letter] & domain for letter in self.letters[cell]})
                self._places[cell].append((slot, position))
            self._masks.append(own)
        self._stamp = 0  # counts assignments
        self._fixed: dict[Cell, tuple[str, int]] = {}
        self._removed: dict[Cell, dict[str, int]] = {cell: {} for cell in self.letters}
        self._trail: list[tuple[Any, ...]] = []
        self._levels: list[int] = []
        self._changed: dict[int, None] = {}
        self._propagated: dict[int, tuple[int, int, str, int]] = {}
        self._clause: list[int] = []
        self._repeats = network.puzzle.allow_repeats

    @property
    def variables(self) -> list[int]:
        """The variables of all letters."""
        return list(self._meaning)

    def on_assignment(self, lit: int, fixed: bool = False) -> None:
        """Take the words from slots that do not have a letter, or have one that is excluded."""
        cell, letter = self._meaning[abs(lit)]
        if lit < 0 and letter in self._removed[cell]:
            return
        self._stamp += 1
        if lit > 0:
            self._fixed[cell] = (letter, self._stamp)
            self._trail.append((self._fixed, cell))
        else:
            self._removed[cell][letter] = self._stamp
            self._trail.append((self._removed[cell], letter))
        for slot, position in self._places[cell]:
            before, mask = self._domains[slot], self._masks[slot][position][letter]
            after = before & mask if lit > 0 else before & ~mask
            if after != before:
                self._trail.append((slot, before))
                self._domains[slot] = after
                self._changed[slot] = None

    def on_new_level(self) -> None:
        """Remember where a level begins."""
        self._levels.append(len(self._trail))

    def on_backtrack(self, to: int) -> None:
        """Undo all levels above ``to``."""
        if to >= len(self._levels):
            return
        length = self._levels[to]
        del self._levels[to:]
        while len(self._trail) > length:
            where, what = self._trail.pop()
            if isinstance(where, int):
                self._domains[where] = what
            else:
                where.pop(what, None)
        self._changed.clear()
        self._clause = []

    def propagate(self) -> list[int]:
        """Return the literals of letters that no candidate of a changed slot has."""
        self._deadline.check()
        found: list[int] = []
        for slot in self._changed:
            domain = self._domains[slot]
            if not domain:
                self._clause = self._explain(slot, -1, self._roots[slot], self._stamp)
                found = []
                break
            for position, (cell, masks) in enumerate(
                zip(self._cells[slot], self._masks[slot], strict=True)
            ):
                if cell in self._fixed:
                    continue
                removed, variables = self._removed[cell], self.letters[cell]
                for letter, mask in masks.items():
                    if not domain & mask and letter not in removed:
                        literal = -variables[letter]
                        self._propagated[literal] = (slot, position, letter, self._stamp)
                        found.append(literal)
        self._changed.clear()
        return found

    def provide_reason(self, lit: int) -> list[int]:
        """Return the clause that made ``propagate`` return this literal."""
        slot, position, letter, stamp = self._propagated[lit]
        words = self._masks[slot][position][letter]
        return [lit, *self._explain(slot, position, words, stamp)]

    def add_clause(self) -> list[int]:
        """Return a clause that is violated, or nothing."""
        clause, self._clause = self._clause, []
        return clause

    def check_model(self, model: list[int]) -> bool:
        """Say whether this is a fill; if not, make the clause that ``add_clause`` returns."""
        true = set(model)
        seen: dict[str, list[int]] = {}
        for slot, cells in enumerate(self._cells):
            literals = [next(v for v in self.letters[cell].values() if v in true) for cell in cells]
            word = "".join(self._meaning[literal][1] for literal in literals)
            known = self._lexicons[slot].bit_of(word) & self._roots[slot]
            if not known or (word in seen and not self._repeats):
                self._clause = [-literal for literal in {*literals, *seen.get(word, ())}]
                return False
            seen[word] = literals
        return True

    def decide(self) -> int:
        """Leave decisions to the solver."""
        return 0

    def _explain(self, slot: int, position: int, words: int, stamp: int) -> list[int]:
        """Return literals, all false, that together exclude ``words`` from a slot.

        Only what was assigned by ``stamp`` may be named, at other positions than ``position``.
        Letters that cells have are named first, the one that excludes the most words before
        others; then letters that cells do not have.
        """
        clause: list[int] = []
        masks = self._masks[slot]
        fixed, removed = [], []
        for at, cell in enumerate(self._cells[slot]):
            if at == position:
                continue
            variables = self.letters[cell]
            letter, when = self._fixed.get(cell, ("", stamp + 1))
            if when <= stamp:
                fixed.append((masks[at][letter], -variables[letter]))
            removed += [
                (~masks[at][other], variables[other])
                for other, when in self._removed[cell].items()
                if when <= stamp
            ]
        while words and fixed:
            best = min(fixed, key=lambda choice: (words & choice[0]).bit_count())
            if words & best[0] == words:
                break
            fixed.remove(best)
            words &= best[0]
            clause.append(best[1])
        if words:
            removed.sort(key=lambda choice: (words & choice[0]).bit_count())
            for mask, literal in removed:
                if words & mask != words:
                    words &= mask
                    clause.append(literal)
        return clause


class TableSearch:
    """A search by CaDiCaL with a ``TablePropagator``; use it in a ``with`` block.

    Raises TimeUp when the deadline passes, here or in ``run``.
    """

    def __init__(self, task: Task) -> None:
        started = time.perf_counter()
        self._task = task
        self._tables = TablePropagator(task)
        self.words: tuple[str, ...] | None = None
        self._solver = Solver(name=SOLVER)
        for letters in self._tables.letters.values():
            variables = list(letters.values())
            self._solver.append_formula([variables])
            self._solver.append_formula([[-a, -b] for a, b in combinations(variables, 2)])
        self._solver.connect_propagator(self._tables)
        for variable in self._tables.variables:
            self._solver.observe(variable)
        self.encode_seconds = time.perf_counter() - started

    @staticmethod
    def suits(candidates: Candidates) -> bool:
        """Whether every cell is crossed, and no rule but "all words are different" is in force."""
        rules = candidates.network.word_rules
        return (
            hasattr(signal, "pthread_sigmask")
            and Sweep.suits(candidates)
            and not rules.clashes
            and not rules.min_theme_words
        )

    def __enter__(self) -> TableSearch:
        return self

    def __exit__(self, *error: object) -> None:
        self._solver.delete()

    @property
    def stats(self) -> Stats:
        counters = self._solver.accum_stats() or {}
        return {
            "solver": SOLVER,
            "encoding": "tables",
            "variables": len(self._tables.variables),
            "conflicts": counters.get("conflicts", 0),
        }

    def run(self, max_conflicts: float) -> Status:
        """Search until there is an answer, or for about ``max_conflicts``."""
        while max_conflicts > 0:
            self._task.deadline.check()
            satisfiable = self._ask()
            max_conflicts -= _SLICE_CONFLICTS
            if satisfiable is False:
                return Status.UNFILLABLE
            if satisfiable:
                self.words = self._read()
                return Status.FILLED
            self._task.on_progress(f"sat: {self.stats['conflicts']} conflicts on tables")
        return Status.UNKNOWN

    def _ask(self) -> bool | None:
        # PySAT leaves a call at once on Ctrl-C, which must not happen inside the propagator.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return ask(self._solver, [], _SLICE_CONFLICTS)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _read(self) -> tuple[str, ...]:
        true = set(self._solver.get_model())
        network = self._task.candidates.network
        letter_at = {
            cell: next(letter for letter, variable in letters.items() if variable in true)
            for cell, letters in self._tables.letters.items()
        }
        return tuple(
            "".join(letter_at[cell] for cell in slot.cells) for slot in network.puzzle.grid.slots
        )
