"""Filling a crossword as a constraint satisfaction problem, in the words of CS50 AI's project.

This module is meant to be read. It offers the three classes of that project, under the same names
and with the same methods, written on plain sets and dictionaries. The fast engine of this program
lives elsewhere; here every step of the textbook method can be followed with a finger on the page.

The problem
    A *variable* is a run of at least two open cells, across or down. Its *domain* is the set of
    words it may still take. Three kinds of constraint say what a fill is:

    * unary: a word has as many letters as its variable has cells;
    * binary: where two variables cross, their words agree on the letter;
    * global: all the words are different.

The method
    1. *Node consistency* drops from each domain the words of another length.
    2. *Arc consistency* (AC-3) drops every word for which some crossing variable has no word that
       agrees, and goes on until nothing changes, because each word dropped may have been the last
       one that agreed with another.
    3. *Backtracking search* tries a word in one variable and lets inference draw the consequences:
       the other variables lose that word (*forward checking* of "all different"), and arc
       consistency goes on from there (*maintaining arc consistency*, MAC). If some domain becomes
       empty, the word was wrong: take it back, try the next.

    A word of ``y`` that agrees with a word of ``x`` on their crossing is called a *support* of it.
    ``x`` is arc consistent with ``y`` when each of its words has a support in ``y``.

    Two questions are open in the third step, and the answers decide how long the search takes.
    *Which variable next?* The one with the fewest words left, the *minimum remaining values* (MRV)
    heuristic: if we are on a wrong track, that is where we shall notice first. Ties go to the
    variable with the most neighbors, the *degree* heuristic. *Which word first?* The one that rules
    out the fewest words of the neighbors, the *least-constraining-value* heuristic: if there is a
    fill at all, we want to be still on its track afterwards. Fail first with variables, succeed
    first with values.

A rule of this file
    Domains are never changed in place: a smaller set replaces the larger one in the dictionary. So
    ``dict(self.domains)`` is a complete snapshot of the state of the search, cheap to take, and
    stepping back means going back to the snapshot. Nothing derived from the domains is kept between
    calls either, so anybody may put other domains into a creator at any time.

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
    """A slot for one word: where it starts, which way it runs, how many cells it has.

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
    """A structure and a set of words: the question, before anybody starts to answer it.

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

        An underscore is an open cell and every other character a blocked one. The words are lines,
        taken as they are but for their case. An empty structure file raises ValueError.
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
        """The variables that cross ``var``, as a new set. KeyError if ``var`` is not ours."""
        return {v for v in self.variables if v != var and self.overlaps[var, v]}

    def _run_length(self, i: int, j: int, direction: str) -> int:
        """Number of open cells of the run that starts at (i, j); 0 if no run starts there."""
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
        """Position of the common cell in both variables. They have one at most."""
        for cell in set(v1.cells).intersection(v2.cells):
            return v1.cells.index(cell), v2.cells.index(cell)
        return None


class CrosswordCreator:
    """Finds a fill: one word for every variable, crossings agree, no word twice.

    ``domains`` maps each variable to the set of words it may still take; every variable starts
    with a set of its own holding all the words.

    An *assignment* maps variables to words. A variable which is not in it, or has the value None,
    has no word yet.
    """

    def __init__(self, crossword: Crossword, backend: str | None = None) -> None:
        """Get ready to fill ``crossword``.

        With ``backend`` None, :meth:`solve` is the search written down in this file. With a name
        ("sat", "cpsat", "backtrack", "auto") it hands the puzzle to that engine of the program
        instead. The name is looked up by :meth:`solve`, not here.
        """
        self.crossword = crossword
        self.backend = backend
        self.domains: dict[Variable, set[str]] = {
            var: set(crossword.words) for var in crossword.variables
        }

    # Showing a fill

    def letter_grid(self, assignment: Mapping[Variable, str | None]) -> list[list[str | None]]:
        """The letters of an assignment, row by row; None where no word lies.

        Words are written out as they are: one that runs over the edge raises IndexError.
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
        """Print the grid: a full block for a blocked cell, a space for an open one still empty."""
        letters = self.letter_grid(assignment)
        for open_cells, row in zip(self.crossword.structure, letters, strict=True):
            cells = zip(open_cells, row, strict=True)
            print("".join((letter or " ") if is_open else "█" for is_open, letter in cells))

    def save(self, assignment: Mapping[Variable, str | None], filename: str) -> None:
        """Draw the grid into an image file; its extension says which format. Needs Pillow."""
        from satcross.drawing.png import draw_letters

        draw_letters(self.crossword.structure, self.letter_grid(assignment)).save(filename)

    # Solving

    def solve(self) -> dict[Variable, str] | None:
        """A fill as a dictionary with a word for every variable, or None if there is none.

        The search of this file starts from ``domains``. A backend is asked about the crossword
        itself, with all its words: it neither reads ``domains`` nor changes them. Raises
        satcross.UnavailableError if there is no backend of that name or its library is missing,
        and RuntimeError if it stops without an answer.
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
        """Make ``x`` arc consistent with ``y``; say whether ``x`` lost a word.

        A word of ``x`` may stay if it has a support: a word of ``y`` with the same letter in the
        common cell. All that matters of ``y`` are therefore the letters it can put there:
        collecting them once makes this linear in the number of words, where comparing every pair
        of words would be quadratic.

        A word too short to reach the common cell has no letter there: it neither stays nor
        supports another.
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

        True means that every domain still has a word; False that some domain is empty, so that
        there is no fill with these domains. The work stops as soon as that is known.

        An arc ``(x, y)`` stands for the demand that each word of x have a support in y. With
        ``arcs`` None the queue starts with all arcs. An empty list is something else: no demands,
        so nothing changes.

        When x loses words, its other neighbors z may have lost supports, so the arcs ``(z, x)``
        join the queue. The arc ``(y, x)`` need not: the words that x has just lost agreed with no
        word of y, so they supported none.

        This is about crossings only. That no word may occur twice is left to the search.
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
        """True if every variable of the crossword has a value, whichever but None."""
        return all(assignment.get(var) is not None for var in self.crossword.variables)

    def consistent(self, assignment: Mapping[Variable, str | None]) -> bool:
        """True if the words so far break no rule: all different, right lengths, crossings agree.

        Variables without a word break none. Whether the words are in the list of words, or in the
        domains, is not asked.
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
        """The words of ``var``, the least constraining first.

        What counts is how many words each of them rules out, over all neighbors that have no value
        yet. For each such neighbor we count its words by their letter in the common cell: a word of
        ``var`` keeps those with its own letter there, its supports, and rules out the rest. Ties
        are broken by the alphabet.
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
        """The variable to try next, of those without a value.

        First the one with the fewest words left (MRV). Among equals the one with the most neighbors
        (degree), as it constrains the others most. Among equals still, the one with the most
        neighbors without a value, and at last the first one in reading order: the same question
        always gets the same answer.
        """

        def rank(var: Variable) -> tuple[int, int, int, int, int, str]:
            neighbors = self.crossword.neighbors(var)
            still_open = sum(assignment.get(neighbor) is None for neighbor in neighbors)
            return len(self.domains[var]), -len(neighbors), -still_open, var.i, var.j, var.direction

        return min(
            (var for var in self.crossword.variables if assignment.get(var) is None), key=rank
        )

    def backtrack(self, assignment: Mapping[Variable, str | None]) -> dict[Variable, str] | None:
        """Complete ``assignment`` to a fill, as a new dictionary; None if that is impossible.

        Depth-first: take a variable, try its words in turn, draw the consequences, go on from
        there. Neither the argument nor ``domains`` are different afterwards: each try works on a
        copy of the domains, and dropping the copy takes the try back.

        Each call assigns one variable, so that the calls are nested as deep as there are slots.
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
        """Draw the consequences of an assignment in ``domains``; False if it cannot be completed.

        This is "maintaining arc consistency". It takes three steps, and leaving out the first is a
        mistake that is hard to see: the search still gives right answers, but learns nothing from
        its choices and takes forever.

        1. A variable with a word has just this word left in its domain.
        2. The others lose the words in use: forward checking of "no word twice".
        3. Arc consistency, started from the arcs into the variables whose domains have changed.
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
        """Let an engine of the program answer, and translate the answer into variables."""
        from satcross.grid import Grid
        from satcross.puzzle import Puzzle
        from satcross.solving.solve import solve
        from satcross.vocabulary import Vocabulary

        grid = Grid.from_rows(
            [
                "".join("_" if is_open else "#" for is_open in row)
                for row in self.crossword.structure
            ]
        )
        outcome = solve(Puzzle(grid, Vocabulary(self.crossword.words)), backend=backend)
        if outcome.fill is not None:
            names = {(slot.row, slot.column, slot.direction): slot.name for slot in grid.slots}
            return {
                var: outcome.fill[names[var.i, var.j, var.direction]]
                for var in self.crossword.variables
            }
        if outcome.status.name == "UNKNOWN":
            raise RuntimeError(f"the backend {backend!r} stopped without an answer")
        return None
