"""Make puzzles.jsonl: small puzzles of many kinds, each with its number of fills by brute force.

    python tests/agreement/make.py          (two seconds)

The same seed gives the same file, byte for byte. The numbers of fills rest on ``brute_force.py``
alone, which shares nothing with satcross; so does what is said here about a puzzle.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))  # for when this is run as a script

from brute_force import Cell, all_fills
from rules.models.pairs import has_same_stem, shares_letters
from rules.models.wanted import uses_theme

FILE = Path(__file__).parent / "puzzles.jsonl"
SEED = 20240
MOST_FILLS = 150
"""More fills than this make a puzzle too slow to count for those who list them one by one."""

PER_KIND = 12
"""Puzzles of each kind and each way to come out, as far as they come up."""

MOST_ATTEMPTS = 2000

Slots = dict[str, list[Cell]]


_SLOTS: dict[str, Slots] = {}
"""The slots of the grids of questions."""


@dataclass
class Question:
    """A puzzle as it is written down; ``rows`` as ``satcross.Grid`` takes them."""

    rows: list[str]
    words: dict[str, int]
    locks: dict[str, str] = field(default_factory=dict)
    min_score: int | None = None
    excluded: list[str] = field(default_factory=list)
    allow_repeats: bool = False
    min_scores: dict[str, int] = field(default_factory=dict)
    slot_min_scores: dict[str, int] = field(default_factory=dict)
    theme: list[str] = field(default_factory=list)
    min_theme_words: int | None = None
    max_shared_substring: int | None = None
    stem_endings: list[str] = field(default_factory=list)
    preferred: list[str] = field(default_factory=list)
    setter_words: list[str] = field(default_factory=list)
    extra_words: dict[str, str] = field(default_factory=dict)
    bars: dict[str, list[list[int]]] = field(default_factory=dict)
    rebus: list[list[Any]] = field(default_factory=list)

    @property
    def slots(self) -> Slots:
        """The slots, found once for each grid."""
        grid = repr((self.rows, self.bars, self.rebus))
        if grid not in _SLOTS:
            _SLOTS[grid] = self._find_slots()
        return _SLOTS[grid]

    def _find_slots(self) -> Slots:
        """Runs of two or more open cells without a bar, numbered as a printed puzzle is.

        They have a cell for each letter: those of a rebus cell at (r, c) are (r, c), (r, c + 100),
        (r, c + 200) and so on.
        """
        found: Slots = {}
        number = 0
        for r, row in enumerate(self.rows):
            for c in range(len(row)):
                runs = [self._run(r, c, down) for down in (False, True)]
                number += any(runs)
                for run, letter in zip(runs, "AD", strict=True):
                    if run:
                        found[f"{number}{letter}"] = run
        return found

    def _run(self, r: int, c: int, down: bool) -> list[Cell]:
        """The cells of the slot that begins at this cell, if one does."""
        step = (1, 0) if down else (0, 1)

        barred = self.bars.get("below" if down else "right", [])

        def is_open(row: int, column: int) -> bool:
            inside = 0 <= row < len(self.rows) and 0 <= column < len(self.rows[0])
            return inside and self.rows[row][column] != "#"

        if is_open(r - step[0], c - step[1]) and [r - step[0], c - step[1]] not in barred:
            return []
        cells = []
        while is_open(r, c):
            cells.append((r, c))
            if [r, c] in barred:
                break
            r, c = r + step[0], c + step[1]
        if len(cells) < 2:
            return []
        letters = {(row, column): len(texts) for row, column, texts in self.rebus}
        return [(r, c + 100 * more) for r, c in cells for more in range(letters.get((r, c), 1))]

    def given(self) -> dict[Cell, str]:
        letters = {
            (r, c): cell
            for r, row in enumerate(self.rows)
            for c, cell in enumerate(row)
            if cell not in "_#"
        }
        for row, column, texts in self.rebus:
            letters |= {(row, column + 100 * more): one for more, one in enumerate(texts)}
        return letters

    def allowed(self, slot: str | None = None) -> list[str]:
        words = [
            word
            for word, score in self.words.items()
            if score
            >= self.slot_min_scores.get(
                slot or "", self.min_scores.get(str(len(word)), self.min_score or 0)
            )
        ]
        words += [word for word in self.theme if word not in words]
        return [word for word in words if word not in self.excluded]

    def fixed(self) -> dict[str, str]:
        """Locked words, and those of slots whose cells all carry letters."""
        given = self.given()
        full = {
            name: "".join(given[cell] for cell in cells)
            for name, cells in self.slots.items()
            if all(cell in given for cell in cells)
        }
        return {**full, **self.locks}

    def fills(self) -> Iterator[dict[str, str]]:
        fixed = self.fixed()
        choices = {name: self._choices(name) for name in self.slots}
        fills = all_fills(
            self.slots,
            sorted(set().union(*choices.values())),
            repeats=self.allow_repeats,
            fixed=fixed,
            given=self.given(),
            extra=self.extra_words,
        )
        own = {*self.theme, *self.setter_words, *fixed.values()}
        for fill in fills:
            pairs = combinations(sorted(set(fill.values())), 2)
            if (
                all(name in fixed or word in choices[name] for name, word in fill.items())
                and uses_theme(fill, self.theme, self.min_theme_words)
                and not any(self._alike(*pair) and not own.issuperset(pair) for pair in pairs)
            ):
                yield fill

    def _alike(self, one: str, other: str) -> bool:
        return shares_letters(one, other, self.max_shared_substring) or has_same_stem(
            one, other, self.stem_endings
        )

    def contradictory(self) -> bool:
        """Whether letters and locks contradict each other, which satcross calls bad input."""
        letters = self.given()
        fixed = self.fixed()
        for name, word in fixed.items():
            for cell, letter in zip(self.slots[name], word, strict=True):
                if letters.setdefault(cell, letter) != letter:
                    return True
        return not self.allow_repeats and len(set(fixed.values())) < len(fixed)

    def _choices(self, name: str) -> set[str]:
        return {*self.allowed(name), *filter(None, [self.extra_words.get(name)])}

    def passes_arc_consistency(self) -> bool:
        """Whether every slot keeps a word when unsupported ones are struck out, again and again."""
        slots, given, fixed = self.slots, self.given(), self.fixed()
        left = {
            name: [
                word
                for word in ([fixed[name]] if name in fixed else self._choices(name))
                if len(word) == len(cells)
                and all(given.get(x, a) == a for x, a in zip(cells, word, strict=True))
            ]
            for name, cells in slots.items()
        }
        while True:
            before = sum(map(len, left.values()))
            for cell in {cell for cells in slots.values() for cell in cells}:
                here = [(name, cells.index(cell)) for name, cells in slots.items() if cell in cells]
                letters = set.intersection(*({w[i] for w in left[name]} for name, i in here))
                for name, i in here:
                    left[name] = [word for word in left[name] if word[i] in letters]
            if sum(map(len, left.values())) == before:
                return all(left.values())

    def to_data(self) -> dict[str, object]:
        return {
            "rows": self.rows,
            "words": self.words,
            "locks": self.locks,
            "min_score": self.min_score,
            "excluded": sorted(self.excluded),
            "allow_repeats": self.allow_repeats,
            **({"min_scores": self.min_scores} if self.min_scores else {}),
            **({"slot_min_scores": self.slot_min_scores} if self.slot_min_scores else {}),
            **({"theme": self.theme, "theme_least": self.min_theme_words} if self.theme else {}),
            **({"max_shared": self.max_shared_substring} if self.max_shared_substring else {}),
            **({"endings": self.stem_endings} if self.stem_endings else {}),
            **({"preferred": self.preferred} if self.preferred else {}),
            **({"own": self.setter_words} if self.setter_words else {}),
            **({"also": self.extra_words} if self.extra_words else {}),
            **({"bars": self.bars} if self.bars else {}),
            **({"rebus": self.rebus} if self.rebus else {}),
        }


def _rows(random: Random, most: int = 4, blocked: float = 0.25) -> list[str]:
    height, width = random.randint(1, most), random.randint(1, most)
    return [
        "".join("#" if random.random() < blocked else "_" for _ in range(width))
        for _ in range(height)
    ]


def _words(
    random: Random, question: Question, letters: str = "ABC", most: int = 9, least: int = 1
) -> dict[str, int]:
    words: dict[str, int] = {}
    for length in sorted({len(cells) for cells in question.slots.values()}):
        for _ in range(random.randint(least, most)):
            word = "".join(random.choice(letters) for _ in range(length))
            words[word] = random.randint(1, 3)
    return dict(sorted(words.items()))


def _filled(random: Random, rows: list[str], letters: str = "ABC", most: int = 9) -> Question:
    question = Question(rows, {})
    question.words = _words(random, question, letters, most)
    return question


def ordinary(random: Random) -> Question:
    return _filled(random, _rows(random))


def no_slot(random: Random) -> Question:
    rows = random.choice((["_"], ["#"], ["_#_", "#_#"], ["#", "_", "#"], ["_#", "##", "#_"]))
    return Question(rows, {"AB": 1} if random.random() < 0.5 else {})


def one_slot(random: Random) -> Question:
    length = random.randint(2, 5)
    rows = ["_" * length] if random.random() < 0.5 else ["_"] * length
    return _filled(random, rows, most=random.choice((1, 4)))


def locked(random: Random) -> Question:
    question = ordinary(random)
    for name, cells in question.slots.items():
        if random.random() < 0.3:
            question.locks[name] = "".join(random.choice("ABC") for _ in cells)
    return question


def lettered(random: Random) -> Question:
    question = ordinary(random)
    question.rows = [
        "".join(
            random.choice("ABC") if cell == "_" and random.random() < 0.2 else cell for cell in row
        )
        for row in question.rows
    ]
    return question


def repeating(random: Random) -> Question:
    question = _filled(random, _rows(random), most=5)
    question.allow_repeats = True
    return question


def few_words(random: Random) -> Question:
    """Where the rule that words differ is what matters."""
    return _filled(random, _rows(random), letters="AB", most=4)


def scored(random: Random) -> Question:
    question = ordinary(random)
    question.min_score = random.randint(2, 3)
    return question


def excluding(random: Random) -> Question:
    question = ordinary(random)
    words = list(question.words)
    question.excluded = random.sample(words, min(len(words), random.randint(1, 4)))
    return question


def lattice(random: Random) -> Question:
    """With cells in one slot only."""
    size = random.choice((3, 5))
    rows = ["".join("#" if r % 2 and c % 2 else "_" for c in range(size)) for r in range(3)]
    return _filled(random, rows, letters="AB", most=8)


def regions(random: Random) -> Question:
    """Two parts that touch nowhere, but must not share a word."""
    above, below = _rows(random, 2, 0.15), _rows(random, 2, 0.15)
    width = max(len(above[0]), len(below[0]))
    rows = [row.ljust(width, "#") for row in (*above, "#" * width, *below)]
    return _filled(random, rows, letters="AB", most=6)


def rectangle(random: Random) -> Question:
    """Without a blocked cell: what the sweep is for."""
    height, width = random.randint(2, 4), random.randint(2, 4)
    return _filled(random, ["_" * width] * height, letters="ABCD", most=14)


def mixed(random: Random) -> Question:
    """Every rule at once."""
    question = locked(random)
    question.rows = lettered(random).rows if random.random() < 0.2 else question.rows
    question.words = _words(random, question)
    question.locks = {
        name: word
        for name, word in question.locks.items()
        if len(question.slots.get(name, ())) == len(word)
    }
    question.min_score = random.choice((None, 2))
    words = list(question.words)
    question.excluded = random.sample(words, min(len(words), random.randint(0, 2)))
    question.allow_repeats = random.random() < 0.5
    return question


def other_letters(random: Random) -> Question:
    return _filled(random, _rows(random, 3), letters="ÄÉΩ")


def _that_matter(make: Callable[[Random], Question], random: Random) -> Question:
    """Mostly a question whose rules about words together change the number of its fills."""
    while True:
        question = make(random)
        if random.random() < 0.2:
            return question
        free = replace(question, min_theme_words=0, max_shared_substring=None, stem_endings=[])
        numbers = [len(list(islice(one.fills(), MOST_FILLS + 1))) for one in (question, free)]
        if numbers[0] != numbers[1]:
            return question


def themed(random: Random) -> Question:
    return _that_matter(_themed, random)


def apart(random: Random) -> Question:
    return _that_matter(_apart, random)


def many_rules(random: Random) -> Question:
    return _that_matter(_many_rules, random)


def _themed(random: Random) -> Question:
    """With words, of the list or not, that must all stand somewhere, or some of them."""
    question = _filled(random, _rows(random), most=12)
    lengths = [len(cells) for cells in question.slots.values()]
    new = ["".join(random.choice("ABC") for _ in range(length)) for length in lengths]
    words = sorted({*question.words, *new[:2]})
    question.theme = sorted(random.sample(words, min(len(words), random.randint(1, 4))))
    if question.theme and random.random() < 0.6:
        question.min_theme_words = random.randint(1, len(question.theme))
    question.allow_repeats = random.random() < 0.2
    return question


def _apart(random: Random) -> Question:
    """With words that may not share letters or a stem."""
    question = _filled(random, _rows(random), letters="ABCDE", most=20)
    if random.random() < 0.7:
        question.max_shared_substring = random.randint(1, 2)
    if question.max_shared_substring is None or random.random() < 0.3:
        question.stem_endings = random.sample(["A", "B", "AB", "C", "DE"], 2)
    if random.random() < 0.3:
        question.allow_repeats = True
    if question.slots and random.random() < 0.3:
        name = random.choice(list(question.slots))
        question.locks = {name: "".join(random.choice("ABC") for _ in question.slots[name])}
    return question


def _many_rules(random: Random) -> Question:
    """The maker's own words, which may be alike, among words that may not."""
    question = _themed(random)
    question.max_shared_substring = random.randint(1, 3)
    question.stem_endings = random.sample(["A", "B", "AB", "C"], random.randint(0, 2))
    lengths = sorted({len(word) for word in question.words})
    if lengths and random.random() < 0.5:
        question.min_scores = {str(random.choice(lengths)): random.randint(2, 3)}
    if random.random() < 0.3:
        question.excluded = random.sample(list(question.words), min(len(question.words), 1))
    return question


def exempting(random: Random) -> Question:
    """With words that the rules do not hold for, and with preferred words, which change no fill."""
    question = random.choice((apart, scored, excluding))(random)
    words = list(question.words)
    question.setter_words = sorted(random.sample(words, min(len(words), random.randint(1, 5))))
    question.preferred = sorted(random.sample(words, min(len(words), random.randint(1, 3))))
    for name, cells in question.slots.items():
        if random.random() < 0.5:
            question.extra_words[name] = "".join(random.choice("ABC") for _ in cells)
    return question


def decorate(random: Random, question: Question, letters: str = "ABC") -> Question:
    """The question with bars and a cell of several letters, and with words for the new slots."""
    cells = [(r, c) for r, row in enumerate(question.rows) for c in range(len(row))]
    bars: dict[str, list[list[int]]] = {}
    for _ in range(random.randint(0, 3)):
        bars.setdefault(random.choice(("right", "below")), []).append([*random.choice(cells)])
    plain = [(r, c) for r, c in cells if question.rows[r][c] == "_"]
    new = replace(question, bars=bars)
    if plain and (not bars or random.random() < 0.5):
        row, column = random.choice(plain)
        texts = "".join(random.choice(letters) for _ in range(random.randint(2, 3)))
        rows = [[*line] for line in question.rows]
        rows[row][column] = texts[0]
        new = replace(new, rows=["".join(line) for line in rows], rebus=[[row, column, texts]])
    lengths = {name: len(cells) for name, cells in new.slots.items()}
    new.words = {**_words(random, new, letters), **question.words}
    new.slot_min_scores = {n: one for n, one in new.slot_min_scores.items() if n in lengths}
    for field_name in ("locks", "extra_words"):
        fitting = getattr(new, field_name).items()
        kept = {name: word for name, word in fitting if lengths.get(name) == len(word)}
        setattr(new, field_name, kept)
    return new


KINDS: Sequence[Callable[[Random], Question]] = (
    ordinary,
    no_slot,
    one_slot,
    locked,
    lettered,
    repeating,
    few_words,
    scored,
    excluding,
    lattice,
    regions,
    rectangle,
    mixed,
    other_letters,
    themed,
    apart,
    many_rules,
    exempting,
)


def _outcome(question: Question, fills: int) -> str:
    if fills:
        return "unique" if fills == 1 else "fillable"
    return "unfillable by search" if question.passes_arc_consistency() else "unfillable"


def generate() -> Iterator[dict[str, object]]:
    """The puzzles with their answers, kind by kind."""
    for kind in KINDS:
        name = kind.__name__.replace("_", " ")
        random = Random(f"{SEED} {name}")
        number: dict[str, int] = {}
        seen: set[str] = set()
        for _ in range(MOST_ATTEMPTS):
            question = kind(random)
            text = json.dumps(question.to_data())
            if text in seen or len(question.slots) > 9 or question.contradictory():
                continue
            seen.add(text)
            if kind is not no_slot and not question.slots:
                continue
            fills = sum(1 for _ in islice(question.fills(), MOST_FILLS + 1))
            if fills > MOST_FILLS:
                continue
            outcome = _outcome(question, fills)
            number[outcome] = number.get(outcome, 0) + 1
            if number[outcome] <= PER_KIND:
                record = {"name": f"{name} {outcome} {number[outcome]}", "kind": name}
                yield {**record, **question.to_data(), "outcome": outcome, "fills": fills}
            if len(number) == 4 and min(number.values()) >= PER_KIND:
                break


def to_text(records: Iterator[dict[str, object]]) -> str:
    """A line a puzzle."""
    return "".join(json.dumps(record, ensure_ascii=True) + "\n" for record in records)


if __name__ == "__main__":
    FILE.write_text(to_text(generate()), encoding="ascii")
