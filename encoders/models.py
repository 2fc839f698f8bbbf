"""The problem as a model for constraint and pseudo-Boolean solvers: MiniZinc, FlatZinc, XCSP3, OPB.

MiniZinc and XCSP3 state it as in the literature on crosswords: a variable for the letter of each
cell, a table of words for each slot, and all words of equal length different, by their numbers. OPB
has a 0-1 variable for each slot and word, and one equation for each letter of each crossing. With
``worth``, the number of each word, the sum over all slots is to be as high as possible.

The functions write to a text stream that the caller opens and closes, and ``comments`` at its
beginning. They raise ValueError for an
instance with rules beyond "one word per slot, crossings agree, no word twice".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TextIO

from encoders.instance import Cell, Instance, crossings, users_of_words

Worth = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class _Tables:
    """Numbers for letters and words: ``letters`` from 1, ``words`` from 1 among equal lengths.

    ``same_length`` has the slots of each length, in order, of which there are two or more, and
    ``last`` the largest number of a word of each length, at least 1.
    """

    letters: dict[str, int]
    words: dict[str, int]
    cells: tuple[Cell, ...]
    same_length: tuple[tuple[int, ...], ...]
    last: dict[int, int]

    @classmethod
    def of(cls, instance: Instance) -> _Tables:
        _refuse_rules(instance)
        words = {word for candidates in instance.candidates for word in candidates}
        by_length: defaultdict[int, list[str]] = defaultdict(list)
        for word in sorted(words):
            by_length[len(word)].append(word)
        slots: defaultdict[int, list[int]] = defaultdict(list)
        for slot, cells in enumerate(instance.slots):
            slots[len(cells)].append(slot)
        return cls(
            {letter: n for n, letter in enumerate(sorted({*"".join(words)}), 1)},
            {word: n for group in by_length.values() for n, word in enumerate(group, 1)},
            tuple(sorted({cell for cells in instance.slots for cell in cells})),
            tuple(tuple(group) for group in slots.values() if len(group) > 1),
            {length: max(1, len(by_length[length])) for length in slots},
        )

    def by_length(self) -> dict[int, list[str]]:
        """Return the words of each length, in the order of their numbers."""
        found: defaultdict[int, list[str]] = defaultdict(list)
        for word in self.words:
            found[len(word)].append(word)
        return found

    def rows(self, words: Iterable[str], worth: Worth | None = None) -> Iterator[list[int]]:
        """Yield the tuple of each word: its letters, then its number, then its worth."""
        for word in words:
            last = [] if worth is None else [worth(word)]
            yield [*(self.letters[letter] for letter in word), self.words[word], *last]


def _extent(words: Iterable[str], worth: Worth) -> str:
    """The range of words' worths."""
    numbers = [worth(word) for word in words] or [0]
    return f"{min(numbers)}..{max(numbers)}"


def _totals(instance: Instance, worth: Worth | None) -> list[str]:
    """The names of the slots' worths; none without an objective."""
    return [] if worth is None else [f"s{slot}" for slot in range(len(instance.slots))]


def _refuse_rules(instance: Instance) -> None:
    if instance.conflict_groups or instance.at_least is not None or instance.distinct_letters:
        raise ValueError("only puzzles without rules about words together can be stated")


def write_minizinc(
    stream: TextIO,
    instance: Instance,
    worth: Worth | None = None,
    comments: Iterable[str] = (),
    *,
    place: Callable[[Cell], Cell] | None = None,
) -> None:
    """Write a MiniZinc model that prints the grid, then "w0=17" for the word of each slot.

    ``#`` is a cell in no slot; rows and columns after the last slot are left out. ``place`` is
    where a cell is printed, by default in its row and column; the letters of cells at one place are
    printed together, in the order of the cells.
    """
    tables, totals = _Tables.of(instance), _totals(instance, worth)
    stream.writelines(f"% {line}\n" for line in comments)
    stream.write('include "table.mzn";\ninclude "alldifferent.mzn";\n')
    letters = ", ".join(f'"{letter}"' for letter in tables.letters)
    stream.write(f"array[int] of string: alphabet = [{letters}];\n")
    for cell in tables.cells:
        stream.write(f"var 1..{max(1, len(tables.letters))}: {_cell(cell)};\n")
    for slot, (cells, words) in enumerate(zip(instance.slots, instance.candidates, strict=True)):
        stream.write(f"var 1..{tables.last[len(cells)]}: w{slot};\n")
        if worth is not None:
            stream.write(f"var {_extent(words, worth)}: s{slot};\n")
        columns = [*map(_cell, cells), f"w{slot}", *totals[slot : slot + 1]]
        values = ", ".join(str(value) for row in tables.rows(words, worth) for value in row)
        # A table without a row can't be written as a literal.
        stream.write(
            f"constraint table([{', '.join(columns)}], array2d(1..{len(words)}, "
            f"1..{len(columns)}, [{values}]));\n"
            if words
            else "constraint false;\n"
        )
    if not instance.allow_repeats:
        for slots in tables.same_length:
            stream.write(f"constraint alldifferent([{', '.join(f'w{item}' for item in slots)}]);\n")
    chosen = ", ".join(f"w{slot}" for slot in range(len(instance.slots)))
    search = f" :: int_search([{chosen}], dom_w_deg, indomain_min, complete)" if chosen else ""
    numbers = (f'"w{slot}=\\(w{slot})\\n"' for slot in range(len(instance.slots)))
    shown = ", ".join([*_grid(tables.cells, place), *numbers])
    goal = f"maximize {' + '.join(totals)}" if totals else "satisfy"
    stream.write(f"solve{search} {goal};\noutput [{shown}];\n")


def _cell(cell: Cell) -> str:
    return f"r{cell[0]}c{cell[1]}"


def _grid(cells: Sequence[Cell], place: Callable[[Cell], Cell] | None) -> Iterator[str]:
    """Yield MiniZinc expressions for the characters of the grid, row by row."""
    printed: defaultdict[Cell, list[str]] = defaultdict(list)
    for cell in cells:
        printed[place(cell) if place else cell].append(f"alphabet[fix({_cell(cell)})]")
    for row in range(1 + max((row for row, _ in printed), default=-1)):
        for column in range(1 + max(column for _, column in printed)):
            yield from printed.get((row, column), ['"#"'])
        yield '"\\n"'


def write_flatzinc(
    stream: TextIO, instance: Instance, worth: Worth | None = None, comments: Iterable[str] = ()
) -> None:
    """Write a FlatZinc model of standard constraints; its output is "w0 = 17;" for each slot.

    A word's letters are elements of constant arrays by its number; equal lengths differ in pairs.
    """
    tables = _Tables.of(instance)
    variables = list(_flatzinc_arrays(tables, worth))
    constraints: list[str] = []
    for cell in tables.cells:
        variables.append(f"var 1..{max(1, len(tables.letters))}: {_cell(cell)};")
    for slot, (cells, words) in enumerate(zip(instance.slots, instance.candidates, strict=True)):
        numbers = ", ".join(str(tables.words[word]) for word in words) or "1"
        variables.append(f"var {{{numbers}}}: w{slot} :: output_var;")
        elements = [(f"p{place}", _cell(cell)) for place, cell in enumerate(cells)]
        if worth is not None:
            variables.append(f"var {_extent(words, worth)}: s{slot};")
            elements.append(("s", f"s{slot}"))
        if not words:  # no word at all: 1 = 0
            constraints.append("constraint int_eq(1, 0);")
            continue
        called = f"constraint array_int_element(w{slot}, l{len(cells)}"
        constraints += [f"{called}{column}, {name});" for column, name in elements]
    if not instance.allow_repeats:
        for slots in tables.same_length:
            constraints += [
                f"constraint int_ne(w{first}, w{other});" for first, other in combinations(slots, 2)
            ]
    names = ", ".join(f"w{slot}" for slot in range(len(instance.slots)))
    search = f" :: int_search([{names}], dom_w_deg, indomain_min, complete)" if names else ""
    goal = "satisfy"
    if worth is not None and instance.slots:
        goal = "maximize total"
        limit = sum(max(map(abs, map(worth, words)), default=0) for words in instance.candidates)
        variables.append(f"var {-limit}..{limit}: total;")
        summed = ", ".join([*_totals(instance, worth), "total"])
        ones = "1, " * len(instance.slots)
        constraints.append(f"constraint int_lin_eq([{ones}-1], [{summed}], 0);")
    noted = (f"% {line}" for line in comments)
    lines = [*noted, *variables, *constraints, f"solve{search} {goal};"]
    stream.writelines(f"{line}\n" for line in lines)


def _flatzinc_arrays(tables: _Tables, worth: Worth | None) -> Iterator[str]:
    """The letters, and the worth, of all words of a length, by their numbers."""
    for length, group in tables.by_length().items():
        columns = {
            f"p{place}": [tables.letters[word[place]] for word in group] for place in range(length)
        }
        if worth is not None:
            columns["s"] = [worth(word) for word in group]
        for name, numbers in columns.items():
            column = ", ".join(map(str, numbers))
            yield f"array [1..{len(group)}] of int: l{length}{name} = [{column}];"


def write_xcsp3(
    stream: TextIO, instance: Instance, worth: Worth | None = None, comments: Iterable[str] = ()
) -> None:
    """Write an XCSP3 instance; the word of slot s is the value of ``w[s]`` (``xcsp3_words``)."""
    tables, totals = _Tables.of(instance), _totals(instance, worth)
    kind = "COP" if totals else "CSP"
    stream.write(f'<instance format="XCSP3" type="{kind}">\n')
    stream.writelines(f"<!-- {line.replace('--', '- -')} -->\n" for line in comments)
    stream.write("<variables>\n")
    for cell in tables.cells:
        stream.write(f'<var id="{_cell(cell)}"> 1..{max(1, len(tables.letters))} </var>\n')
    # Slots of equal length have equal domains: ACE 2.6 fails where those of allDifferent are not.
    for slot, cells in enumerate(instance.slots):
        last = tables.last[len(cells)]
        stream.write(f'<var id="w{slot}"> 1..{last} </var>\n')
        if worth is not None:
            extent = _extent(instance.candidates[slot], worth)
            stream.write(f'<var id="s{slot}"> {extent} </var>\n')
    stream.write("</variables>\n<constraints>\n")
    for slot, (cells, words) in enumerate(zip(instance.slots, instance.candidates, strict=True)):
        if not words:
            stream.write(f"<intension> eq(w{slot},0) </intension>\n")
            continue
        rows = sorted(tables.rows(words, worth))
        supports = "".join(f"({','.join(map(str, row))})" for row in rows)
        columns = [*map(_cell, cells), f"w{slot}", *totals[slot : slot + 1]]
        stream.write(
            f"<extension><list> {' '.join(columns)} </list>"
            f"<supports> {supports} </supports></extension>\n"
        )
    if not instance.allow_repeats:
        for slots in tables.same_length:
            names = " ".join(f"w{item}" for item in slots)
            stream.write(f"<allDifferent> {names} </allDifferent>\n")
    stream.write("</constraints>\n")
    if totals:
        summed = " ".join(totals)
        stream.write(f'<objectives><maximize type="sum"> {summed} </maximize></objectives>\n')
    stream.write("</instance>\n")


def numbered_words(instance: Instance) -> dict[int, list[str]]:
    """Return the words of each length in the order of their numbers, which begin with 1."""
    return _Tables.of(instance).by_length()


def word_numbers(instance: Instance) -> list[dict[int, str]]:
    """Return, for each slot, the words by the values of its variable in all formats but OPB."""
    numbers = _Tables.of(instance).words
    return [{numbers[word]: word for word in words} for words in instance.candidates]


def write_opb(
    stream: TextIO, instance: Instance, worth: Worth | None = None, comments: Iterable[str] = ()
) -> None:
    """Write an OPB instance: ``x1`` is the first word of the first slot, and so on.

    One equation per slot, one per letter of each crossing, and one inequality per word that two or
    more slots may take.
    """
    _refuse_rules(instance)
    firsts, count = [], 1
    for words in instance.candidates:
        firsts.append(count)
        count += len(words)
    lines = list(_opb_lines(instance, firsts))
    # A slot without words is stated by x1, which must be there.
    stream.write(f"* #variable= {max(1, count - 1)} #constraint= {len(lines)}\n")
    stream.writelines(f"* {line}\n" for line in comments)
    if worth is not None and count > 1:
        best = [(max(map(worth, words), default=0), words) for words in instance.candidates]
        losses = [top - worth(word) for top, words in best for word in words]
        terms = " ".join(f"{loss:+d} x{variable}" for variable, loss in enumerate(losses, 1))
        stream.write(f"min: {terms} ;\n")
    stream.writelines(f"{line} ;\n" for line in lines)


def _opb_lines(instance: Instance, firsts: Sequence[int]) -> Iterator[str]:
    firsts_and_words = zip(firsts, instance.candidates, strict=True)
    variables = [range(first, first + len(words)) for first, words in firsts_and_words]
    for item in variables:
        yield f"{_sum(1, item)} = 1" if item else "+1 x1 >= 2"
    for slot, position, other, place in crossings(instance.slots):
        terms: defaultdict[str, list[str]] = defaultdict(list)
        for sign, which, where in ((1, slot, position), (-1, other, place)):
            for variable, word in zip(variables[which], instance.candidates[which], strict=True):
                terms[word[where]].append(f"{sign:+d} x{variable}")
        yield from (f"{' '.join(terms[letter])} = 0" for letter in sorted(terms))
    if instance.allow_repeats:
        return
    both = zip(instance.candidates, variables, strict=True)
    users = users_of_words(dict(zip(*own, strict=True)) for own in both)
    yield from (f"{_sum(-1, those)} >= -1" for those in users.values() if len(those) > 1)


def _sum(coefficient: int, variables: Iterable[int]) -> str:
    return " ".join(f"{coefficient:+d} x{variable}" for variable in variables)
