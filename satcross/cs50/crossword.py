"""Filling a crossword as a constraint satisfaction problem, in the terms of CS50 AI's project.

This module is meant to be read. It has the three classes of that project, with the same names and
methods, and uses plain sets and dictionaries, so that every step of the textbook method can be
followed. The fast search of satcross is in ``satcross.backends``.

The problem
    A *variable* is a run of at least two open cells, across or down. Its *domain* is the set of
    words it may still take. Three kinds of constraint say what a fill is:

    * unary: a word has as many letters as its variable has cells;
    * binary: where two variables cross, their words agree on the letter;
    * global: all the words are different.

The method
    1. *Node consistency* drops from each domain the words of another length.
    2. *Arc consistency* (AC-3) drops every word that agrees with no word of some crossing
       variable. It repeats this until nothing changes, because a dropped word may have been the
       only one that agreed with some other word.
    3. *Backtracking search* tries a word in one variable and then infers: the other variables lose
       that word (*forward checking* of "all different"), and arc consistency is restored
       (*maintaining arc consistency*, MAC). If a domain becomes empty, the word was wrong; the
       search undoes it and tries the next one.

    A word of ``y`` that agrees with a word of ``x`` at their crossing is called a *support* of it.
    ``x`` is arc consistent with ``y`` when each of its words has a support in ``y``.

    The third step leaves two choices open, which decide how long the search takes. *Which variable
    next?* The one with the fewest words left, by the *minimum remaining values* (MRV) heuristic: a
    wrong choice shows there first. Ties go to the variable with the most neighbors, by the *degree*
    heuristic. *Which word first?* The one that rules out the fewest words of the neighbors, by the
    *least-constraining-value* heuristic: it leaves the most chances for a fill. In short: fail
    first with variables, succeed first with values.

A rule of this file
    Domains are never changed in place: a smaller set replaces the larger one in the dictionary. So
    ``dict(self.domains)`` is a complete and cheap snapshot of the state of the search, and undoing
    a step means returning to the snapshot. Nothing that is derived from the domains is stored
    between calls, so that callers may replace the domains of a creator at any time.

Sources: A. K. Mackworth, "Consistency in Networks of Relations" (1977), for AC-3; D. Sabin and E.
C. Freuder, "Contradicting Conventional Wisdom in Constraint Satisfaction" (1994), for arc
consistency during the search; R. M. Haralick and G. L. Elliott, "Increasing Tree Search Efficiency
for Constraint Satisfaction Problems" (1980), for the fail-first principle; D. Brélaz, "New Methods
to Color the Vertices of a Graph" (1979), for breaking ties by degree.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

__all__ = ["Crossword", "CrosswordCreator", "Variable"]


class Variable:
    """A slot for one word: its first cell, its direction and its number of cells.

    Two variables are equal when these four values are, so a variable made by hand finds the one
    made by :class:`Crossword` in a set or dictionary. Compare variables with variables only:
    anything without the four attributes raises AttributeError.
    """

    ACROSS = "across"
    DOWN = "down"

    def __init__(self, i: int, j: int, direction: str, length: int) -> None:
        """Start in row ``i``, column ``j`` (counted from 0 at the top left)."""
        self.i = i
        self.j = j
        self.direction = direction
        self.length = length
        #: The cells as (row, column), in reading order.
        self.cells: list[tuple[int, int]] = [
            (i + step, j) if direction == Variable.DOWN else (i, j + step) for step in range(length)
        ]

    def __hash__(self) -> int:
        return hash((self.i, self.j, self.direction, self.length))

    def __eq__(self, other: Any) -> bool:
        return bool(
            self.i == other.i
            and self.j == other.j
            and self.direction == other.direction
            and self.length == other.length
        )

    def __str__(self) -> str:
        return f"({self.i}, {self.j}) {self.direction} : {self.length}"

    def __repr__(self) -> str:
        return f"Variable({self.i}, {self.j}, {self.direction!r}, {self.length})"


class Crossword:
    """A structure and a set of words, which together are the problem to solve.

    ==============  ==========================================================================
    ``height``      number of rows
    ``width``       length of the longest row; shorter rows end in blocked cells
    ``structure``   list of rows of bool: is the cell open?
    ``words``       set of words, in capitals
    ``variables``   set of :class:`Variable`
    ``overlaps``    for every ordered pair of different variables either None or ``(a, b)``:
                    letter ``a`` of the first is letter ``b`` of the second
    ==============  ==========================================================================
    """

    def __init__(self, structure_file: str, words_file: str) -> None:
        """Read both files (text, in the platform's default encoding).

        An underscore is an open cell, and every other character a blocked one. Each line of the
        words file, in upper case, is a word. An empty structure file raises ValueError.
        """
        rows = Path(structure_file).read_text().splitlines()
        self.height = len(rows)
        self.width = max(len(row) for row in rows)
        self.structure = [[cell == "_" for cell in row.ljust(self.width, "#")] for row in rows]

        self.words = set(Path(words_file).read_text().upper().splitlines())
        self.variables = {
            Variable(i, j, direction, length)
            for i in range(self.height)
            for j in range(self.width)
            for direction in (Variable.ACROSS, Variable.DOWN)
            if (length := self._run_length(i, j, direction)) > 1
        }
        self.overlaps: dict[tuple[Variable, Variable], tuple[int, int] | None] = {
            (v1, v2): self._crossing(v1, v2) for v1, v2 in permutations(self.variables, 2)
        }

    def neighbors(self, var: Variable) -> set[Variable]:
        """Return the variables that cross ``var``, as a new set.

        Raises KeyError if ``var`` is not a variable of this crossword.
        """
        return {v for v in self.variables if v != var and self.overlaps[var, v]}

    def _run_length(self, i: int, j: int, direction: str) -> int:
        """Return the number of open cells of the run that starts at (i, j); 0 if none does."""
        down, right = (1, 0) if direction == Variable.DOWN else (0, 1)
        if self._is_open(i - down, j - right):
            return 0
        length = 0
        while self._is_open(i + length * down, j + length * right):
            length += 1
        return length

    def _is_open(self, i: int, j: int) -> bool:
        return 0 <= i < self.height and 0 <= j < self.width and self.structure[i][j]

    @staticmethod
    def _crossing(v1: Variable, v2: Variable) -> tuple[int, int] | None:
        """Return the position of the common cell in both variables; None if they have none."""
        for cell in set(v1.cells).intersection(v2.cells):
            return v1.cells.index(cell), v2.cells.index(cell)
        return None


class CrosswordCreator:
    """Finds a fill: one word for every variable, crossings agree, no word twice.

    ``domains`` maps each variable to the set of words it may still take. At first, every variable
    has a set of its own with all words.

    An *assignment* maps variables to words. A variable which is not in it, or has the value None,
    has no word yet.
    """

    def __init__(self, crossword: Crossword, backend: str | None = None) -> None:
        """Give every variable all words.

        If ``backend`` is None, :meth:`solve` uses the search in this file. If it is a name ("sat",
        "cpsat", "backtrack", "auto"), :meth:`solve` uses that backend of satcross. The name is
        checked by :meth:`solve`.
        """
        self.crossword = crossword
        self.backend = backend
        self.domains: dict[Variable, set[str]] = {
            var: set(crossword.words) for var in crossword.variables
        }

    # Showing a fill

    def letter_grid(self, assignment: Mapping[Variable, str | None]) -> list[list[str | None]]:
        """Return the letters of an assignment, row by row; None in cells without a word.

        The lengths of words are not checked: one that crosses the edge raises IndexError.
        """
        letters: list[list[str | None]] = [
            [None] * self.crossword.width for _ in range(self.crossword.height)
        ]
        for var, word in assignment.items():
            for step, letter in enumerate(word or ""):
                if var.direction == Variable.DOWN:
                    letters[var.i + step][var.j] = letter
                else:
                    letters[var.i][var.j + step] = letter
        return letters

    def print(self, assignment: Mapping[Variable, str | None]) -> None:
        """Print the grid: a full block for a blocked cell, a space for an empty open cell."""
        letters = self.letter_grid(assignment)
        for open_cells, row in zip(self.crossword.structure, letters, strict=True):
            cells = zip(open_cells, row, strict=True)
            print("".join((letter or " ") if is_open else "█" for is_open, letter in cells))

    def save(self, assignment: Mapping[Variable, str | None], filename: str) -> None:
        """Draw the grid into an image file in the format of its extension. Needs Pillow."""
        from satcross.formats.drawing.png import draw_letters

        draw_letters(self.crossword.structure, self.letter_grid(assignment)).save(filename)

    # Solving

    def solve(self) -> dict[Variable, str] | None:
        """Return a fill, with a word for every variable, or None if there is none.

        The search in this file starts from ``domains``. A backend solves the crossword with all
        its words; it neither reads nor changes ``domains``. Raises satcross.UnavailableError if
        there is no backend of that name or its library is missing, and RuntimeError if the backend
        stops without an answer.
        """
        if self.backend is not None:
            return self._solve_with(self.backend)
        self.enforce_node_consistency()
        self.ac3()
        return self.backtrack({})

    def enforce_node_consistency(self) -> None:
        """Keep in every domain only the words that have the variable's length."""
        for var in self.domains:
            self.domains[var] = {word for word in self.domains[var] if len(word) == var.length}

    def revise(self, x: Variable, y: Variable) -> bool:
        """Make ``x`` arc consistent with ``y``; return whether ``x`` lost a word.

        A word of ``x`` stays if it has a support: a word of ``y`` with the same letter in the
        common cell. Of ``y``, therefore, only the letters in that cell matter. Collecting them
        once takes time linear in the number of words; comparing every pair of words would be
        quadratic.

        A word that is too short to reach the common cell is dropped, and supports no other.
        """
        overlap = self.crossword.overlaps[x, y]
        if overlap is None:
            return False
        a, b = overlap
        offered = {word[b] for word in self.domains[y] if len(word) > b}
        kept = {word for word in self.domains[x] if len(word) > a and word[a] in offered}
        if len(kept) == len(self.domains[x]):
            return False
        self.domains[x] = kept
        return True

    def ac3(self, arcs: Iterable[tuple[Variable, Variable]] | None = None) -> bool:
        """Enforce arc consistency, starting from the given arcs.

        Returns True if every domain still has a word, and False as soon as some domain is empty,
        so that there is no fill with these domains.

        An arc ``(x, y)`` stands for the condition that each word of x has a support in y. If
        ``arcs`` is None, the queue starts with all arcs; if it is an empty list, nothing changes.

        When x loses words, its other neighbors z may have lost supports, so the arcs ``(z, x)``
        join the queue. The arc ``(y, x)`` does not: the words that x has just lost agreed with no
        word of y, so they supported none.

        Only crossings are considered here; the search takes care that no word occurs twice.
        """
        if arcs is None:
            queue = deque(arc for arc, overlap in self.crossword.overlaps.items() if overlap)
        else:
            queue = deque(arcs)
        while queue:
            x, y = queue.popleft()
            if self.revise(x, y):
                if not self.domains[x]:
                    return False
                queue.extend((z, x) for z in self.crossword.neighbors(x) if z != y)
        return all(self.domains.values())

    def assignment_complete(self, assignment: Mapping[Variable, object]) -> bool:
        """Return whether every variable of the crossword has a value other than None."""
        return all(assignment.get(var) is not None for var in self.crossword.variables)

    def consistent(self, assignment: Mapping[Variable, str | None]) -> bool:
        """Return whether the assigned words are different, fit their variables, and agree.

        Variables without a word are ignored. The words need not be in the word list or in the
        domains.
        """
        words = {var: word for var, word in assignment.items() if word is not None}
        if len(set(words.values())) < len(words):
            return False
        if any(len(word) != var.length for var, word in words.items()):
            return False
        for x, y in combinations(words, 2):  # each pair once
            overlap = self.crossword.overlaps[x, y]
            if overlap is not None and words[x][overlap[0]] != words[y][overlap[1]]:
                return False
        return True

    def order_domain_values(
        self, var: Variable, assignment: Mapping[Variable, object]
    ) -> list[str]:
        """Return the words of ``var``, the least constraining first.

        A word is compared by the number of words it rules out in all neighbors that have no value
        yet. In each such neighbor, it keeps the words that have its letter in the common cell, its
        supports, and rules out the others. Ties are broken alphabetically.
        """
        ruled_out: Counter[str] = Counter()
        for neighbor in self.crossword.neighbors(var):
            overlap = self.crossword.overlaps[var, neighbor]
            if overlap is None or assignment.get(neighbor) is not None:
                continue
            a, b = overlap
            supports = Counter(word[b] for word in self.domains[neighbor] if len(word) > b)
            for word in self.domains[var]:
                left = supports[word[a]] if len(word) > a else 0
                ruled_out[word] += len(self.domains[neighbor]) - left
        return sorted(self.domains[var], key=lambda word: (ruled_out[word], word))

    def select_unassigned_variable(self, assignment: Mapping[Variable, object]) -> Variable:
        """Return the variable without a value to try next.

        It is the one with the fewest words left (MRV). Ties are broken by the most neighbors
        (degree), since that variable constrains the others most; then by the most neighbors
        without a value; and then by reading order, so that the same puzzle always gets the same
        fill.
        """

        def rank(var: Variable) -> tuple[int, int, int, int, int, str]:
            neighbors = self.crossword.neighbors(var)
            still_open = sum(assignment.get(neighbor) is None for neighbor in neighbors)
            return len(self.domains[var]), -len(neighbors), -still_open, var.i, var.j, var.direction

        unassigned = (var for var in self.crossword.variables if assignment.get(var) is None)
        return min(unassigned, key=rank)

    def backtrack(self, assignment: Mapping[Variable, str | None]) -> dict[Variable, str] | None:
        """Return a fill that completes ``assignment``, or None if there is none.

        The search is depth-first: choose a variable, try its words in turn, infer, and continue
        with the next variable. Neither the argument nor ``domains`` are changed: each attempt works
        on a copy of the domains, and discarding the copy undoes it.

        Each call assigns one variable, so that calls are nested as deep as there are slots.
        """
        if not self.consistent(assignment):
            return None
        if self.assignment_complete(assignment):
            return {var: word for var, word in assignment.items() if word is not None}
        var = self.select_unassigned_variable(assignment)
        before = self.domains
        try:
            for word in self.order_domain_values(var, assignment):
                attempt = {**assignment, var: word}
                self.domains = dict(before)
                if self.infer(attempt):
                    fill = self.backtrack(attempt)
                    if fill is not None:
                        return fill
        finally:
            self.domains = before
        return None

    def infer(self, assignment: Mapping[Variable, str | None]) -> bool:
        """Reduce ``domains`` by what follows from an assignment; False if it can't be completed.

        This is "maintaining arc consistency". It has three steps. Leaving out the first is a
        mistake that is hard to see: the search still gives right answers, but infers nothing from
        its choices and takes very long.

        1. The domain of a variable with a word is reduced to this word.
        2. The other domains lose the words in use: forward checking of "no word twice".
        3. Arc consistency is restored, from the arcs into variables whose domains have changed.
        """
        used = {word for word in assignment.values() if word is not None}
        changed = []
        for var, domain in self.domains.items():
            word = assignment.get(var)
            kept = domain - used if word is None else {word}
            if kept != domain:
                changed.append((var, kept))
        self.domains.update(changed)
        return self.ac3(
            (neighbor, var) for var, _ in changed for neighbor in self.crossword.neighbors(var)
        )

    def _solve_with(self, backend: str) -> dict[Variable, str] | None:
        """Solve the crossword with a backend, and return the fill by variable."""
        from satcross.grid import Grid
        from satcross.puzzle import Puzzle
        from satcross.solving.solve import solve
        from satcross.vocabulary import Vocabulary

        structure, words = self.crossword.structure, Vocabulary(self.crossword.words)
        grid = Grid.from_rows(["".join("_" if cell else "#" for cell in row) for row in structure])
        outcome = solve(Puzzle(grid, words), backend=backend)
        if (fill := outcome.fill) is not None:
            found = {
                (slot.row, slot.column, slot.direction): fill[slot.name] for slot in grid.slots
            }
            return {var: found[var.i, var.j, var.direction] for var in self.crossword.variables}
        if outcome.status.name == "UNKNOWN":
            raise RuntimeError(f"the backend {backend!r} stopped without an answer")
        return None
