"""Crosswords with everything that formats know, through every export and back; and word lists."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from pysat.solvers import Solver

from attack.attack import Attack, Case, without_a_part
from satcross import (
    Crossword,
    Grid,
    InputError,
    Puzzle,
    Vocabulary,
    encode,
    read_crossword,
    verify,
    write_crossword,
)
from satcross.formats.files import Data, decode_text
from satcross.formats.registry import FORMATS, WRITE_ONLY
from satcross.formats.words import parse_words

READABLE = [extension for extension in FORMATS if extension not in WRITE_ONLY]
_LETTERS = "AAABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789\u00c9\u00d1\u042f\u4e2d"
_REBUS = ("HEART", "AB", "10", "\u00c9T", "A/B", "XX")
_TEXTS = (
    "",
    " ",
    "It purrs",
    "Bunk (3)",
    "See 1 across (2,5)",
    "<b>bold</b> & \u201cquoted\u201d",
    "a ~ b | c",
    "two\nlines",
    "{*} and \\ and {braces}",
    "\u0939\u093f\u0928\u094d\u0926\u0940 \u65e5\u672c",
    "1. [x] (y) #z",
    "-",
    "&amp; &lt;",
)


def _random_crossword(random: Random) -> Case:
    rows = [
        "".join(random.choice("____#") for _ in range(random.randint(2, 5)))
        for _ in range(random.randint(1, 5))
    ]
    width = max(map(len, rows))
    rows = [row.ljust(width, "#") for row in rows]
    cells = [(r, c) for r in range(len(rows)) for c in range(width)]
    opened = [(r, c) for r, c in cells if rows[r][c] == "_"]
    known = random.choice((0, 1, 1, 1, 0.5))
    letters = {
        f"{r},{c}": random.choice(_REBUS) if random.random() < 0.15 else random.choice(_LETTERS)
        for r, c in opened
        if random.random() < known
    }
    marks = {
        name: [cell for cell in among if random.random() < share]
        for name, among, share in (
            ("circled", opened, 0.1),
            ("shaded", opened, 0.1),
            ("holes", [cell for cell in cells if cell not in opened], 0.1),
            ("given", [cell for cell in opened if f"{cell[0]},{cell[1]}" in letters], 0.1),
        )
    }
    barred = random.choice((0, 0, 0.2))
    return {
        "rows": rows,
        "letters": letters,
        "bars": [
            [[r, c], [r + down, c + 1 - down]]
            for r, c in opened
            for down in (0, 1)
            if (r + down, c + 1 - down) in opened and random.random() < barred
        ],
        **marks,
        "clues": [random.choice((*_TEXTS, None)) for _ in range(2 * len(cells))],
        "texts": {
            name: random.choice(_TEXTS) for name in ("title", "author", "copyright", "notes")
        },
        "date": random.choice(("", "2024-02-29")),
        "seed": random.randrange(2**31),
    }


def _crossword(case: Case) -> Crossword | None:
    """Return the crossword of a case; None if its grid has no slot."""
    letters = {tuple(map(int, key.split(","))): text for key, text in case["letters"].items()}
    given = {tuple(cell) for cell in case["given"]} & {
        cell for cell, text in letters.items() if len(text) == 1
    }
    rows = tuple(
        "".join(letters[r, c] if (r, c) in given else cell for c, cell in enumerate(row))
        for r, row in enumerate(case["rows"])
    )
    marks: dict[str, Any] = {
        name: frozenset(map(tuple, case[name])) for name in ("circled", "shaded", "holes")
    }
    bars = frozenset((tuple(a), tuple(b)) for a, b in case["bars"])
    grid = Grid(rows, bars=bars, **marks)
    if not grid.slots:
        return None
    solution = tuple(
        tuple(letters.get((r, c)) if cell != "#" else None for c, cell in enumerate(row))
        for r, row in enumerate(rows)
    )
    clues = {
        slot.name: text
        for slot, text in zip(grid.slots, case["clues"], strict=False)
        if text is not None
    }
    return Crossword(grid, solution, clues, date=case["date"], **case["texts"])


def _exports(case: Case) -> None:
    """Write a crossword in every format; what is read again is the same, or its loss was said."""
    crossword = _crossword(case)
    if crossword is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        for extension in FORMATS:
            path = Path(folder, f"a{extension}")
            try:
                lost = write_crossword(crossword, path)
            except InputError as error:  # what a format can't hold
                refused = str(error)
            else:
                refused = ""
            assert refused.isprintable(), f"{extension}: not one line: {refused}"
            if extension in READABLE and not refused:
                again = read_crossword(path)
                assert again == crossword or lost, f"{extension}: changed without a word"
                different = crossword.differences(again)
                assert different == lost, f"{extension}: {lost} said, {different} lost"
        _round_trip(crossword)


def _round_trip(crossword: Crossword) -> None:
    """A solver's model of the formula of a whole crossword is its solution."""
    words = crossword.spelled_grid
    if len(crossword.words) != len(crossword.grid.slots):
        return
    puzzle = Puzzle(words, Vocabulary({*crossword.words.values()}), allow_repeats=True)
    clauses, encoding = encode(puzzle)
    with Solver(bootstrap_with=clauses) as solver:
        assert solver.solve(), "the formula of a whole crossword has no model"
        decoded = encoding.decode(solver.get_model())
    found = {slot.name: word for slot, word in zip(words.slots, decoded, strict=True)}
    assert verify(puzzle, found) == [], "the model of a formula is no fill"


def _fewer_things(case: Case) -> Iterator[Case]:
    marks = ("circled", "shaded", "holes", "given", "bars")
    yield from without_a_part(case, "letters", "texts", *marks, "clues")
    if case["date"]:
        yield {**case, "date": ""}


_FORMS = (
    "{word};{score}",
    "{word},{score}",
    "{word}\t{score}",
    '"{word}","{score}"',
    "{score}\t{word}",
    "{word};{score};a note",
)
_HEADERS = ("", "word;score\n", "# a comment\n")


def _random_list(random: Random) -> Case:
    form = random.choice(_FORMS)
    words = {
        "".join(random.choice("abcdefgh\u00e9\u00df") for _ in range(random.randint(2, 9))): (
            random.randint(0, 100)
        )
        for _ in range(random.randint(1, 30))
    }
    header = random.choice(_HEADERS) if ";" in form else ""
    end = random.choice(("\n", "\r\n"))
    lines = [form.format(word=word, score=score) for word, score in words.items()]
    text = header.replace("\n", end) + end.join(lines) + random.choice(("", end, end * 2))
    return {
        "words": words,
        "form": form,
        "text": text,
        "charset": random.choice(("utf-8", "utf-8-sig", "utf-16")),
    }


def _lists(case: Case) -> None:
    """Every word of a list that is written in a usual form is read, with its score."""
    found = parse_words([decode_text(Data("list", case["text"].encode(case["charset"])))])
    written = [(_folded(word), score) for word, score in case["words"].items()]
    read = [(_folded(word), found.vocabulary.score(word)) for word in found.vocabulary]
    assert dict(sorted(read)) == dict(sorted(written)), f"{case['text']!r} is read as {read}"
    assert all(line.reason == "a comment" for line in found.dropped), found.dropped
    assert all(note.isprintable() for _, note in found.notes)


def _folded(word: str) -> str:
    return word.upper().replace("\u00c9", "E")


def _shorter_list(case: Case) -> Iterator[Case]:
    for smaller in without_a_part(case, "words"):
        words, form = smaller["words"].items(), case["form"]
        text = "\n".join(form.format(word=word, score=score) for word, score in words)
        if words:
            yield {**smaller, "text": text}


ATTACKS: Mapping[str, Attack] = {
    "exports": Attack(_random_crossword, _exports, _fewer_things),
    "lists": Attack(_random_list, _lists, _shorter_list, weight=0.5),
}
