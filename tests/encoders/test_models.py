"""Models for other solvers, by strict readers: a choice of words satisfies them if it is a fill."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from io import StringIO
from itertools import islice, product
from xml.etree import ElementTree

import pytest
from hypothesis import example, given, settings
from strategies import small_puzzles

from encoders import AtLeast, ConflictGroup, Instance
from encoders.instance import crossings
from encoders.models import (
    word_numbers,
    write_flatzinc,
    write_minizinc,
    write_opb,
    write_xcsp3,
)
from satcross import Grid, Puzzle, Vocabulary
from satcross.grid import place
from satcross.network.arc_consistency import unpropagated
from satcross.network.to_encoder import to_instance


def is_fill(instance: Instance, words: tuple[str, ...]) -> bool:
    agree = all(words[a][i] == words[b][j] for a, i, b, j in crossings(instance.slots))
    return agree and (instance.allow_repeats or len(set(words)) == len(words))


Words = tuple[str, ...]
Check = Callable[[Words], bool]
Read = Callable[[str, Instance], Check]
Write = Callable[..., None]


def worth(word: str) -> int:
    """A number of a word that may be below 0."""
    return sum(map(ord, word)) % 7 - 2


def opb(text: str, instance: Instance) -> Check:
    """Read an OPB file by the rules of the pseudo-Boolean competitions."""
    header, *lines = text.splitlines()
    found = re.fullmatch(r"\* #variable= ([1-9]\d*) #constraint= (\d+)", header)
    assert found is not None
    losses: dict[str, int] = {}
    if lines and lines[0].startswith("min: "):
        _, *terms, end = lines.pop(0).split()
        assert end == ";"
        losses = dict(zip(terms[1::2], map(int, terms[::2]), strict=True))
        assert min(losses.values()) >= 0
    assert int(found[2]) == len(lines)
    number = iter(range(1, int(found[1]) + 1))
    names = [{word: f"x{next(number)}" for word in words} for words in instance.candidates]
    known = {f"x{n}" for n in range(1, int(found[1]) + 1)}
    parsed = []
    for line in lines:
        assert re.fullmatch(r"([+-]\d+ x\d+ )+(=|>=) [+-]?\d+ ;", line), line
        *terms, relation, bound, _ = line.split()
        assert known.issuperset(terms[1::2])
        parsed.append((list(zip(map(int, terms[::2]), terms[1::2], strict=True)), relation, bound))

    def check(words: Words) -> bool:
        true = {own[word] for own, word in zip(names, words, strict=True)}
        if losses:
            best = sum(max(map(worth, own)) for own in names)
            assert best - sum(losses[name] for name in true) == sum(map(worth, words))
        for terms, relation, bound in parsed:
            value = sum(number for number, name in terms if name in true)
            if not (value == int(bound) if relation == "=" else value >= int(bound)):
                return False
        return True

    return check


@dataclass
class Tables:
    """What the three languages with variables of integers say, and whether it holds."""

    domains: dict[str, set[int]] = field(default_factory=dict)
    tables: list[tuple[list[str], set[tuple[int, ...]]]] = field(default_factory=list)
    different: list[list[str]] = field(default_factory=list)
    never: bool = False
    total: list[str] = field(default_factory=list)

    def check(self, instance: Instance) -> Check:
        letters = sorted({*"".join(word for words in instance.candidates for word in words)})
        numbers = [{word: n for n, word in by.items()} for by in word_numbers(instance)]

        def holds(words: Words) -> bool:
            value = {f"w{slot}": numbers[slot][word] for slot, word in enumerate(words)}
            for cells, word in zip(instance.slots, words, strict=True):
                for cell, letter in zip(cells, word, strict=True):
                    number = letters.index(letter) + 1
                    if value.setdefault(f"r{cell[0]}c{cell[1]}", number) != number:
                        return False
            if self.total:
                value |= {f"s{slot}": worth(word) for slot, word in enumerate(words)}
                assert sum(map(worth, words)) == sum(value[name] for name in self.total)
            if "total" in self.domains:
                value["total"] = sum(map(worth, words))
            assert value.keys() == self.domains.keys()
            return not self.never and all(
                (
                    *(number in self.domains[name] for name, number in value.items()),
                    *(tuple(map(value.__getitem__, names)) in rows for names, rows in self.tables),
                    *(len({*map(value.__getitem__, d)}) == len(d) for d in self.different),
                )
            )

        return holds


def names_of(text: str) -> list[str]:
    names = re.split(r", | ", text)
    assert all(re.fullmatch(r"[ws]\d+|r\d+c\d+", name) for name in names), text
    return names


def spread(text: str) -> set[int]:
    found = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", text)
    numbers = range(int(found[1]), int(found[2]) + 1) if found else map(int, text.split(", "))
    return {*numbers}


def minizinc(text: str, instance: Instance) -> Check:
    """Read a model by MiniZinc's grammar, as far as it is used."""
    model = Tables()
    table = r"constraint table\(\[(.*?)\], array2d\(1\.\.(\d+), 1\.\.(\d+), \[(.*?)\]\)\);"
    for line in text.splitlines():
        if found := re.fullmatch(r"var (-?\d+\.\.-?\d+): (\w+);", line):
            model.domains[found[2]] = spread(found[1])
        elif found := re.fullmatch(table, line):
            names, rows, width = names_of(found[1]), int(found[2]), int(found[3])
            values = [*map(int, found[4].split(", "))]
            assert (len(names), len(values)) == (width, rows * width)
            assert rows > 0
            model.tables.append((names, {*zip(*[iter(values)] * width, strict=True)}))
        elif found := re.fullmatch(r"constraint alldifferent\(\[(.*)\]\);", line):
            model.different.append(names_of(found[1]))
        elif line == "constraint false;":
            model.never = True
        elif found := re.fullmatch(r"output \[(.*)\];", line):
            cells = {cell for own in instance.slots for cell in own}
            shown = re.findall(r"alphabet\[fix\(r(\d+)c(\d+)\)\]", found[1])
            assert {(int(row), int(column)) for row, column in shown} == cells
            assert len(shown) == len(cells)
            assert found[1].count('"#"') < 100
        elif found := re.fullmatch(r"solve :: int_search\(.*\) maximize (.*);", line):
            model.total = found[1].split(" + ")
        else:
            start = r"include \"\w+\.mzn\";|array\[int\] of string: alphabet = \[.*\];"
            assert re.fullmatch(rf"{start}|solve( :: int_search\(.*\))? satisfy;", line)
    return model.check(instance)


def flatzinc(text: str, instance: Instance) -> Check:
    """Read a FlatZinc model: declarations first, every name declared, every array long enough."""
    model, columns, begun = Tables(), {}, False
    element = r"constraint array_int_element\((\w+), (\w+), (\w+)\);"
    for line in text.splitlines():
        begun = begun or line.startswith("constraint")
        assert begun <= line.startswith(("constraint", "solve"))
        if found := re.fullmatch(r"array \[1\.\.(\d+)\] of int: (\w+) = \[(.*)\];", line):
            columns[found[2]] = [*map(int, found[3].split(", "))]
            assert len(columns[found[2]]) == int(found[1])
        elif found := re.fullmatch(r"var \{?([-\d., ]+)\}?: (\w+)( :: output_var)?;", line):
            model.domains[found[2]] = spread(found[1])
        elif found := re.fullmatch(element, line):
            pairs: set[tuple[int, ...]] = set(enumerate(columns[found[2]], 1))
            model.tables.append((names_of(f"{found[1]} {found[3]}"), pairs))
            assert model.domains.keys() >= {found[1], found[3]}
        elif found := re.fullmatch(r"constraint int_ne\((\w+), (\w+)\);", line):
            model.different.append([found[1], found[2]])
        elif line == "constraint int_eq(1, 0);":
            model.never = True
        elif found := re.fullmatch(r"constraint int_lin_eq\(\[(.*)\], \[(.*)\], 0\);", line):
            *model.total, last = found[2].split(", ")
            assert found[1] == "1, " * len(model.total) + "-1"
            assert last == "total"
        else:
            goal = "maximize total" if model.total else "satisfy"
            assert re.fullmatch(rf"solve( :: int_search\(.*\))? {goal};", line), line
    return model.check(instance)


def xcsp3(text: str, instance: Instance) -> Check:
    """Read an XCSP3 instance by its tags."""
    model, root = Tables(), ElementTree.fromstring(text)
    cop = root.attrib["type"] == "COP"
    assert [child.tag for child in root] == ["variables", "constraints", "objectives"][: 2 + cop]
    if cop:
        assert (root[2][0].tag, root[2][0].attrib) == ("maximize", {"type": "sum"})
        model.total = (root[2][0].text or "").split()
    for variable in root[0]:
        model.domains[variable.attrib["id"]] = spread((variable.text or "").strip())
    for constraint in root[1]:
        inside = (constraint.text or "").strip()
        if constraint.tag == "extension":
            names = names_of((constraint[0].text or "").strip())
            rows = re.findall(r"\(([-\d,]+)\)", constraint[1].text or "")
            tuples = [tuple(map(int, row.split(","))) for row in rows]
            assert tuples == sorted(tuples)
            model.tables.append((names, {*tuples}))
            assert {*map(len, tuples)} == {len(names)}
        elif constraint.tag == "allDifferent":
            model.different.append(names_of(inside))
        else:
            assert re.fullmatch(r"eq\(w\d+,0\)", inside)
            model.never = True
    return model.check(instance)


FORMATS: list[tuple[Write, Read]] = [
    (write_opb, opb),
    (partial(write_minizinc, place=place), minizinc),
    (write_flatzinc, flatzinc),
    (write_xcsp3, xcsp3),
]
NO_WORD = Puzzle(Grid.from_rows(["___", "_#_", "___"]), Vocabulary(["AB"]))
ONE_SLOT_WITHOUT = Puzzle(Grid.from_rows(["__", "_#", "_#"]), Vocabulary(["AB", "AC"]))


@pytest.mark.parametrize(("write", "read"), FORMATS)
@given(small_puzzles(rebus=True).map(lambda small: small.puzzle))
@settings(max_examples=40)
@example(NO_WORD)
@example(ONE_SLOT_WITHOUT)
def test_every_export_has_the_fills(write: Write, read: Read, puzzle: Puzzle) -> None:
    """A strict reader finds in it what is a fill, nothing else, and what the fill is worth."""
    instance = to_instance(unpropagated(puzzle))
    if instance.conflict_groups or instance.at_least is not None:
        return
    for objective in ((), (worth,)):
        stream = StringIO()
        write(stream, instance, *objective)
        check = read(stream.getvalue(), instance)
        for words in islice(product(*instance.candidates), 50):
            assert check(words) == is_fill(instance, words)


@pytest.mark.parametrize("write", [write_minizinc, write_opb, write_xcsp3])
def test_rules_that_are_not_stated_are_refused(write: object) -> None:
    assert callable(write)
    slots, words = (((0, 0), (0, 1)),), (("AB", "CD"),)
    group = ConflictGroup("like", ("AB", "CD"))
    for instance in (
        Instance(slots, words, conflict_groups=(group,)),
        Instance(slots, words, at_least=AtLeast(("AB",), 1)),
    ):
        with pytest.raises(ValueError, match="rules about words"):
            write(StringIO(), instance)
