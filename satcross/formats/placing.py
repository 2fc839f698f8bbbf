"""Which slot each clue of a file is for: by its cells first, then by its label.

All readers turn what their format says about a clue into a ``FoundClue``; ``Placing`` compares that
with the grid, and says what contradicts it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from satcross.crossword import Clue
from satcross.formats.common import clean, excerpt
from satcross.grid import ACROSS, DOWN, Cell, Grid

_HEADINGS = {
    ACROSS: "across horizontal waagerecht waagrecht orizzontal horisont vågrät vågrett vandret "
    "poziom vodorovn vízszint по горизонтали горизонтал yatay soldan οριζ orizontal vaakasuora "
    "horizontāl horitzontal lárétt водоравн ヨコ 横 가로 מאוזן أفقي बाएँ बाएं बांये",
    DOWN: "down vertical senkrecht vertikal lodrät loddrett lodret pionow svisl függőleges dikey "
    "по вертикали вертикал yukar\u0131dan κάθετ καθετ pysty "
    "vertikāl lóðrétt усправн タテ 縦 纵 세로 מאונך عمودي رأسي ऊपर",
}
"""Direction -> how headings of it begin, in the languages of newspapers."""

_LABEL = re.compile(r"\s*(\d+)\s*(?:-?\s*(a|d|across|down|ac|dn)\b)?\.?\s*", re.I | re.A)


@dataclass(frozen=True, slots=True)
class FoundClue:
    """A clue as a file has it.

    ``label`` is what the file calls it, "" if nothing. ``group`` is the heading or direction of the
    list it stands in. ``cells`` are the cells that the file says it is for, ``answer`` is what it
    says the answer is, and ``also`` are labels of further slots: ``3D``, or ``3`` in the group.
    """

    text: str
    label: str = ""
    group: str = ""
    cells: tuple[Cell, ...] = ()
    answer: str = ""
    also: tuple[str, ...] = ()


def with_enumeration(text: str, enumeration: str) -> str:
    """Return a clue that ends in the enumeration, which a file has beside it."""
    enumeration = enumeration.strip().strip("()")
    if not enumeration or text.rstrip().endswith(f"({enumeration})"):
        return text
    return f"{text} ({enumeration})".lstrip()


def direction_of(heading: str) -> str:
    """Return the direction that a heading names, in many languages, or ""."""
    text = heading.partition(":")[0].strip().lower()
    for direction, beginnings in _HEADINGS.items():
        words = beginnings.replace("по ", "по_").split()
        if text == direction[0] or any(text.startswith(word.replace("_", " ")) for word in words):
            return direction
    return ""


_PLURALS = {
    "label of a clue contradicts its cells": "labels of clues contradict their cells",
    "answer contradicts the grid": "answers contradict the grid",
    "clue has the number of no slot": "clues have the numbers of no slot",
    "clue has a number that no cell has": "clues have numbers that no cell has",
    "slot has two clues": "slots have two clues",
    "clue continues in no slot": "clues continue in no slot",
}
"""The kinds of remarks, in the plural."""


@dataclass(slots=True)
class Placing:
    """The clues of a file in a grid: ``clues`` by the names of their slots, and ``others``.

    ``labels`` maps the labels in the cells of the file to these cells; without any, slots have
    their usual numbers. ``words`` are those of the solution. ``in_order`` says that a complete list
    is in the order of the slots, whatever its numbers are, as in a diagramless puzzle.
    """

    grid: Grid
    found: Sequence[FoundClue]
    labels: Mapping[str, Cell]
    words: Mapping[str, str]
    in_order: bool
    directions: dict[str, str] = field(default_factory=dict)
    clues: dict[str, Clue] = field(default_factory=dict)
    others: list[Clue] = field(default_factory=list)
    unplaced: list[str] = field(default_factory=list)
    remarks: dict[str, list[str]] = field(default_factory=dict)
    """What contradicts: the kind, in singular words -> each case."""

    def __post_init__(self) -> None:
        self.directions = _directions(self)
        for clue, name in zip(self.found, _names(self), strict=True):
            _add(self, clue, name)

    @property
    def numbered(self) -> bool:
        """Whether the cells of the file have labels of their own."""
        return len(self.labels) > len(self.grid.slots) // 2

    def remark(self, kind: str, case: str) -> None:
        self.remarks.setdefault(kind, []).append(case)

    def notes(self) -> Iterator[str]:
        """Yield what is odd."""
        for kind, cases in self.remarks.items():
            if not kind:
                yield cases[0]
            elif len(cases) == 1:
                yield f"1 {kind}: {cases[0]}"
            else:
                yield f"{len(cases)} {_PLURALS[kind]} (first: {cases[0]})"
        if self.unplaced:
            many, first = len(self.unplaced), excerpt(self.unplaced[0])
            text = "1 clue is for no slot" if many == 1 else f"{many} clues are for no slot"
            yield f"{text} of the grid ({'' if many == 1 else 'first '}{first})"


def _directions(work: Placing) -> dict[str, str]:
    """Return group -> direction; two groups without one are across and down if the labels fit."""
    groups = list(dict.fromkeys(clue.group for clue in work.found))
    found = {group: direction_of(group) for group in groups}
    if len(groups) == 2 and not any(found.values()):
        pair = dict(zip(groups, (ACROSS, DOWN), strict=True))
        names = [_by_label(work, clue.label, pair[clue.group]) for clue in work.found if clue.label]
        if names and all(names):
            return pair
    return found


def _names(work: Placing) -> list[str | None]:
    by_cells = [_by_cells(work.grid, clue.cells) for clue in work.found]
    by_label = _in_order(work, [_named(work, clue) for clue in work.found])
    by_answer = _by_answers(work, by_label)
    chosen: list[str | None] = []
    for clue, cells, label, answer in zip(work.found, by_cells, by_label, by_answer, strict=True):
        if clue.cells:
            follows = work.directions[clue.group] and _runs_along(work.grid, label, clue.cells)
            begins = cells or (label if follows else None)
            chosen.append(begins)
            if begins != cells:
                text = f"{_called(clue)} has other cells, and begins where {label} does"
                work.remark("label of a clue contradicts its cells", text)
            if cells and label and cells != label and clue.label and work.labels.get(clue.label):
                text = f"{_called(clue)} has the cells of {cells}, which is followed"
                work.remark("label of a clue contradicts its cells", text)
        else:
            chosen.append(answer)
            unknown = work.numbered and clue.label not in work.labels
            if answer and label and clue.label and unknown:
                text = f"{_called(clue)} is read as {answer}"
                work.remark("clue has a number that no cell has", text)
    return chosen


def _by_cells(grid: Grid, cells: tuple[Cell, ...]) -> str | None:
    """Return the slot of which these are the cells, or with which they begin."""
    runs = {slot.places: slot.name for slot in grid.slots}
    begun = ((run, name) for run, name in runs.items() if cells[: len(run)] == run)
    longer = (name for run, name in begun if _rest(grid, cells, run))
    return runs.get(cells) or next(longer, None)


def _runs_along(grid: Grid, name: str | None, cells: tuple[Cell, ...]) -> bool:
    """Whether cells begin where a slot does and follow it, ending before or behind its end."""
    is_line = 1 in (len({row for row, _ in cells}), len({column for _, column in cells}))
    begins = (slot.name == name and slot.cells[:2] == cells[:2] for slot in grid.slots)
    return len(cells) > 1 and is_line and any(begins)


def _rest(grid: Grid, cells: tuple[Cell, ...], run: tuple[Cell, ...]) -> list[str]:
    """Return the slots that the cells behind a run consist of, [] if they are no slots."""
    runs = sorted(grid.slots, key=lambda slot: -slot.length)
    rest, names = cells[len(run) :], []
    while rest:
        slot = next((slot for slot in runs if rest[: len(slot.places)] == slot.places), None)
        if slot is None:
            return []
        names.append(slot.name)
        rest = rest[len(slot.places) :]
    return names


def _named(work: Placing, clue: FoundClue) -> str | None:
    direction = work.directions[clue.group]
    if direction:
        return _by_label(work, clue.label, direction) if clue.label else None
    if not clue.label or (work.numbered and clue.label not in work.labels):
        return None  # a list of neither direction, of which the cells show no number
    both = [name for way in (ACROSS, DOWN) if (name := _by_label(work, clue.label, way))]
    same = [other for other in work.found if other.label == clue.label]
    if len(both) == len(same):
        return both[[other is clue for other in same].index(True)]
    matching = [name for name in both if clue.answer and work.words.get(name) == clue.answer]
    return matching[0] if len(matching) == 1 else None


def _by_label(work: Placing, label: str, direction: str) -> str | None:
    cell = work.labels.get(label)
    match = _LABEL.fullmatch(label)
    for slot in work.grid.slots:
        usual = cell is None and match is not None and slot.name[:-1] == match[1]
        if slot.direction == direction and (slot.cells[0] == cell or usual):
            return slot.name
    return None


def _in_order(work: Placing, names: list[str | None]) -> list[str | None]:
    """Return the names, completed where a list has a clue for each slot in order."""
    result = list(names)
    for group, direction in work.directions.items():
        places = [index for index, clue in enumerate(work.found) if clue.group == group]
        slots = [slot.name for slot in work.grid.slots if slot.direction == direction]
        if len(places) != len(slots) or any(work.found[index].cells for index in places):
            continue
        labels = [work.found[index].label for index in places]
        numbers = [int(match[1]) for label in labels if (match := _LABEL.fullmatch(label))]
        ascend = len(numbers) == len(labels) and numbers == sorted(set(numbers))
        if any(labels) and not (work.in_order and ascend):
            continue
        if all(names[index] in (None, slot) for index, slot in zip(places, slots, strict=True)):
            for index, slot in zip(places, slots, strict=True):
                result[index] = slot
    return result


def _by_answers(work: Placing, names: list[str | None]) -> list[str | None]:
    """Return the names, or those of the slots with the answers if these fit far better."""
    both = zip(work.found, names, strict=True)
    with_answers = [(clue, name) for clue, name in both if clue.answer]
    right = sum(_fits(work.words.get(name or "", ""), clue.answer) for clue, name in with_answers)
    counts = Counter(work.words.values())
    by_word = {word: name for name, word in work.words.items() if counts[word] == 1}
    better = [by_word.get(clue.answer) for clue in work.found]
    if len(list(filter(None, better))) > max(2 * right, len(with_answers) // 2, 2):
        text = "the clues go to the slots with their answers, since their numbers are of others"
        work.remark("", text)
        pairs = zip(better, names, work.found, strict=True)
        return [slot if clue.answer else name for slot, name, clue in pairs]
    names = list(names)
    for index, clue in enumerate(work.found):
        slot = by_word.get(clue.answer)
        if names[index] is None and clue.answer and slot and slot not in names:
            names[index] = slot
            text = f"{_called(clue)} goes to {slot}, which has its answer"
            work.remark("clue has the number of no slot", text)
    for clue, name in with_answers:
        word = work.words.get(name or "")
        if clue.also and word and clue.answer.startswith(word):
            continue  # the answer continues in other slots
        if name and word and not _fits(word, clue.answer):
            text = f"{name} is {excerpt(word)} in the grid and {excerpt(clue.answer)} at its clue"
            work.remark("answer contradicts the grid", text)
    return names


def _fits(word: str, answer: str) -> bool:
    return answer in (word, word.replace("|", ""), word.upper()) or (
        len(word) == len(answer)
        and all(a == b or b in ".?_" for a, b in zip(word, answer, strict=True))
    )


def _called(clue: FoundClue) -> str:
    if len(clue.group) == 1:
        return f"{clue.label}{clue.group}"
    return f"{clue.label} {clue.group}".strip() or excerpt(Clue(clue.text))


def _add(work: Placing, found: FoundClue, name: str | None) -> None:
    direction = work.directions[found.group]
    text = Clue(clean(found.text))
    if name is not None and name not in work.clues:
        also = _continued(work, found, name, direction)
        usual = found.label in ("", name[:-1]) or work.labels.get(found.label) is not None
        label = "" if usual else found.label
        if text or also:
            work.clues[name] = Clue(text, also=also, label=label)
        return
    if not text:
        return
    if name is not None and work.clues[name] == text:
        return
    if name is not None:
        work.remark("slot has two clues", name)
    else:
        work.unplaced.append(_called(found))
    work.others.append(Clue(text, label=found.label, group=found.group))


def _continued(work: Placing, found: FoundClue, name: str, direction: str) -> list[str]:
    """Return the names of the slots that an answer continues in."""
    slot = next(slot for slot in work.grid.slots if slot.name == name)
    names = _rest(work.grid, found.cells, slot.places) if found.cells else []
    for label in found.also:
        match = _LABEL.fullmatch(label)
        way = {"a": ACROSS, "d": DOWN}.get((match[2] or "")[:1].lower(), "") if match else ""
        other = _by_label(work, match[1], way or direction or slot.direction) if match else None
        if other is None and match and not way:
            other = _by_label(work, match[1], ACROSS) or _by_label(work, match[1], DOWN)
        if other is None:
            text = f"{_called(found)} continues in {excerpt(label)}, which the grid lacks"
            work.remark("clue continues in no slot", text)
        elif other not in (name, *names):
            names.append(other)
    return names
