"""A puzzle as a self-contained formula for other programs, as ``satcross encode`` writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import zip_longest
from typing import TextIO

from encoders import (
    VARIANTS,
    Clause,
    CpSatEncoding,
    Encoding,
    VariableMap,
    generate,
    generate_direct,
    write_dimacs,
    write_wcnf,
)
from encoders.models import numbered_words, write_flatzinc, write_minizinc, write_opb, write_xcsp3
from satcross.errors import UnavailableError
from satcross.grid import Grid, cell_name, place
from satcross.network.arc_consistency import Candidates, arc_consistent, unpropagated
from satcross.network.to_encoder import refuse_large_direct, to_instance
from satcross.puzzle import Puzzle
from satcross.rules import RULES
from satcross.rules.pairs import Repeats
from satcross.rules.wanted import Theme
from satcross.run_settings import NEVER, Deadline

ENCODINGS = ("full", "direct", *VARIANTS)


class Formula:
    """The clauses of a puzzle, the meaning of their variables, and methods to write them.

    The formula has every word that the given letters of a slot, the minimum score and the
    exclusions allow, so that it does not depend on the propagation of satcross. With ``reduce``, it
    has only the arc-consistent words, which makes it smaller and does not change satisfiability;
    if arc consistency refutes the puzzle, the formula is not reduced.

    A fill usually has several models. With ``one_model`` it has one, so that the models can be
    counted by other programs.

    Raises UnavailableError when the direct encoding is too large, and TimeUp, in whatever
    generates clauses too, when the deadline passes.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        encoding: str = "full",
        *,
        reduce: bool = False,
        one_model: bool = False,
        deadline: Deadline = NEVER,
    ) -> None:
        self.puzzle = puzzle
        self.deadline = deadline
        self.one_model = one_model
        self.encoding = encoding
        self.reduced = reduce
        self.candidates: Candidates = (arc_consistent if reduce else unpropagated)(puzzle, deadline)
        if self.candidates.infeasible and reduce:
            # The state in which propagation failed is incomplete, so use all candidates instead.
            self.candidates = unpropagated(puzzle, deadline)
            self.reduced = False
        self.instance = to_instance(self.candidates, None, deadline)
        self._generated: Encoding | None = None
        if encoding == "direct":
            refuse_large_direct(self.instance, "use the encoding full")

    def clauses(self) -> Iterator[Clause]:
        """Generate the clauses lazily, always in the same order."""
        clauses: Iterator[Clause]
        encoding: Encoding
        variant = self.encoding
        make = generate_direct if variant == "direct" else partial(generate, variant=variant)
        clauses, encoding = make(self.instance, self.deadline.check)
        yield from clauses
        if self.one_model:
            yield from encoding.one_model_per_fill()
        self._generated = encoding

    @property
    def complete(self) -> Encoding:
        """The encoding after all clauses have been generated, with all variables."""
        if self._generated is None:
            for _ in self.clauses():
                pass
        assert self._generated is not None
        return self._generated

    @property
    def variables(self) -> VariableMap:
        """The variables of the formula and their meaning."""
        return self.complete.variables

    def model(self, words: Sequence[str]) -> list[int]:
        """Return the assignment for a fill (one word per slot): a literal for each variable."""
        return self.complete.model(words)

    def difference(self, variables: int, clauses: Sequence[Sequence[int]]) -> str:
        """Return how clauses differ from those of the formula, order included, or "" if equal."""
        for number, (expected, actual) in enumerate(zip_longest(self.clauses(), clauses), 1):
            if expected is None or actual is None:
                return "it has too many clauses" if expected is None else "clauses are missing"
            if expected != list(actual):
                return (
                    f"clause {number} is {_format_clause(actual)}, not {_format_clause(expected)}"
                )
        count = self.variables.count
        return "" if variables == count else f"it has {variables} variables, not {count}"

    def write_dimacs(self, stream: TextIO, *, comments: bool = True) -> int:
        """Write the formula in DIMACS CNF; return the number of clauses.

        The comments explain the variables.
        """
        texts = self._comments() if comments else ()
        return write_dimacs(stream, self.clauses(), lambda: self.variables.count, texts)

    def write_wcnf(self, stream: TextIO, *, comments: bool = True) -> int:
        """Write a WCNF whose models of least cost are the fills of highest total score.

        The cost of a word is the difference between its worth and that of the best word of the
        slot. Preferred words are worth more than their score. Returns the number of hard clauses.
        """
        worth = self.puzzle.worth
        best = [max(map(worth, words), default=0) for words in self.instance.candidates]
        texts = self._comments(sum(best)) if comments else ()
        return write_wcnf(stream, self.clauses(), self._costs(best), texts)

    def write_model(
        self, stream: TextIO, form: str, *, best: bool = False, comments: bool = True
    ) -> None:
        """Write the puzzle as a model for other solvers: "opb", "mzn", "fzn" or "xml" (XCSP3).

        With ``best``, the total of the words' worths is to be as high as possible. The comments
        say what values mean. Raises UnavailableError for a puzzle with rules that can't be stated.
        """
        writers: dict[str, Callable[..., None]] = {
            "opb": write_opb,
            "mzn": partial(write_minizinc, place=place),
            "fzn": write_flatzinc,
            "xml": write_xcsp3,
        }
        worth = self.puzzle.worth if best else None
        try:
            texts = self._model_comments(form) if comments else ()
            writers[form](stream, self.instance, worth, texts)
        except ValueError as error:
            raise UnavailableError(f"no .{form} of this puzzle: {error}; write .cnf") from None

    @property
    def has_costs(self) -> bool:
        """Whether any word is worth less than the best word of its slot."""
        worth = self.puzzle.worth
        return any(len({worth(word) for word in words}) > 1 for words in self.instance.candidates)

    def write_cpsat(self, stream: TextIO) -> None:
        """Write the CP-SAT model as a protocol buffer in text format."""
        encoding = CpSatEncoding(self.instance)
        stream.writelines(f"# {text}\n" for text in self._slot_comments())
        stream.write(encoding.text(_meanings(encoding.variables, self.puzzle.grid)))

    def _costs(self, best: Sequence[int]) -> Iterator[tuple[int, Clause]]:
        for slot, words in enumerate(self.instance.candidates):
            variables = self.complete.words[slot]
            for word in words:
                cost = best[slot] - self.puzzle.worth(word)
                if cost:
                    yield cost, [-variables[word]]

    def _comments(self, best: int | None = None) -> Iterator[str]:
        about = f"Encoding: {self.encoding}, of " + (
            "the arc-consistent words." if self.reduced else "every word that fits its slot alone."
        )
        more = "One model per fill: the number of models is the number of fills."
        yield from self._slot_comments(about, *([more] if self.one_model else []))
        if best is not None:
            yield f"The total score of a fill is {best} less its cost."
        for variable, meaning in enumerate(_meanings(self.variables, self.puzzle.grid), 1):
            yield f"{variable} {meaning}"

    def _model_comments(self, form: str) -> Iterator[str]:
        """Yield what ``encode decode`` has to know: the grid, and the words by their numbers."""
        yield from self._slot_comments()
        if form == "opb":
            slots = zip(self.puzzle.grid.slots, self.instance.candidates, strict=True)
            meanings = (f"{slot.name}={word}" for slot, words in slots for word in words)
            yield from (f"{variable} {meaning}" for variable, meaning in enumerate(meanings, 1))
        else:
            for length, words in numbered_words(self.instance).items():
                yield f"words {length}: {' '.join(words)}"

    def _slot_comments(self, *about: str) -> Iterator[str]:
        puzzle = self.puzzle
        yield "One word per slot, crossings agree" + (
            "." if puzzle.allow_repeats else ", all words different."
        )
        yield from about
        for row in puzzle.grid.rows:
            yield f"grid {row}"
        for cell, letters in sorted(puzzle.grid.rebus):
            yield f"rebus {cell_name(cell)}={letters}"
        yield from _rule_comments(puzzle)
        for slot, words in zip(puzzle.grid.slots, self.instance.candidates, strict=True):
            lock = f", locked to {puzzle.locks[slot.name]}" if slot.name in puzzle.locks else ""
            yield (
                f"slot {slot.name}: {slot.direction} at {cell_name(slot.cells[0])}, "
                f"{slot.length} cells{lock}, {len(words)} word{'' if len(words) == 1 else 's'}"
            )
            # With bars, holes and rebus cells, a slot's cells do not follow from its first one.
            yield f"cells {slot.name}: {' '.join(map(cell_name, slot.cells))}"
            if not words:
                yield f"UNFILLABLE: no word fits {slot.name}, whatever its crossings are"


def _rule_comments(puzzle: Puzzle) -> Iterator[str]:
    for rule in RULES:
        if rule.is_set(puzzle) and not isinstance(rule, Repeats | Theme):  # said elsewhere
            yield rule.phrase(puzzle)
    theme, min_theme_words = puzzle.required_theme()
    if min_theme_words:
        yield f"at least {min_theme_words} of the theme words {' '.join(sorted(theme))}"
    if puzzle.exempt_words and any(rule.marker(puzzle) for rule in RULES):
        exempt = " ".join(sorted(puzzle.exempt_words))
        yield f"these words are exempt among themselves: {exempt}"


def _format_clause(clause: Sequence[int]) -> str:
    text = " ".join(map(str, [*clause, 0]))
    return text if len(text) <= 40 else f"{text[:40]}..."


def _meanings(variables: VariableMap, grid: Grid) -> Iterator[str]:
    """Yield the meaning of each variable: ``14A=WORD``, ``r1c3=A``, ``WORD in the first 2``.

    The last kind is part of the counters that prevent repeated words: true if one of the first 2
    slots that can take the word has it. ``a word with TION in the first 2`` does the same for all
    words with these letters.
    """
    for block in variables.blocks:
        if isinstance(block.key, int):
            name = grid.slots[block.key].name
            yield from (f"{name}={word}" for word in block.labels)
        elif isinstance(block.key, tuple):
            cell = cell_name(block.key)
            yield from (f"{cell}={letter}" for letter in block.labels)
        elif block.kind == "auxiliary":
            yield from (f"{block.key} in the first {label}" for label in block.labels)
        elif block.kind == "code":
            yield from (f"{block.key}: {label}" for label in block.labels)
        elif block.kind == "used":
            yield from (f"{label} somewhere" for label in block.labels)
        else:
            yield from (f"{label} theme words somewhere" for label in block.labels)
