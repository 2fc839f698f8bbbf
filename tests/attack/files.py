"""Mutated files of every format: each is read, or refused in one line."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random

from agreement import make
from compare.test_records import RECORD
from formats.test_kinds import ACROSS_LITE, CROSSFIRE, flat
from helpers import DATA

from attack.attack import Attack, Case
from satcross import Crossword, Grid, InputError, read_crossword, write_crossword
from satcross.answer.dictionaries.clue_files import read_clues as read_old_clues
from satcross.cli.proofs import _parse_formula
from satcross.compare.records import RecordFile, read_records
from satcross.compare.suite import read_puzzles, read_suite
from satcross.formats.clues import add_clues, read_clues
from satcross.formats.files import read_text
from satcross.formats.fills import read_fills
from satcross.formats.readers import read_structure
from satcross.formats.registry import FORMATS, WRITE_ONLY
from satcross.formats.word_cache import read_words
from satcross.solving.proofs.check import parse_proof

_WORDS = "CAT;50\ncub;60\nT-SHIRT\nÉTÉ,3\n\n# a comment\nBED\t70\n"
_CLUES = "CAT\tIt says \u201cso\u201d\n1A\tPole\n"
_OLD_CLUES = "pubid\tyear\tanswer\tclue\nxx\t1999\tCAMEL\tHumped beast\nxx\t2001\tHOT DOG\tFare\n"
_SUITE = """suite = 1
title = "small"
[[puzzle]]
name = "ring"
family = "rings"
structure = "s.txt"
words = ["w.txt"]
min_score = 4
locks = { 1A = "tod" }
expected = "unfillable"
"""
_FORMULA = "c 1 1A=CAT\np cnf 3 3\n1 2 0\n-1 -3 0\n3 0\n"
_PROOF = "-1 2 0\nd 1 2 0\nc done\n0\n"
_DESIGN = (
    "## Metadata\nRebus: 1=HE\n## Grid\n1AT\nU.O\nBED\n"
    "## Clues\nA1. {/It/} purrs ~ HEAT\n1. x ~ HEUB\n## Design\n"
    "<style>O { background: circle; bar-left: true }</style>\n.O.\n...\n..O\n## Start\n..T\n"
)


def _read_crossword(path: Path) -> None:
    crossword = read_crossword(path)
    for extension in FORMATS:  # what can be read can be written
        write_crossword(crossword, path.with_name(f"copy{extension}"))


def _read_suite(path: Path) -> None:
    path.with_name("s.txt").write_text("___\n_#_\n___\n")
    path.with_name("w.txt").write_text(_WORDS)
    suite = read_suite(str(path))
    read_puzzles(suite, suite.entries)


def _read_records(path: Path) -> None:
    with RecordFile(str(path)) as file:
        before = list(read_records(str(path)))
        file.add(RECORD)
    assert list(read_records(str(path))) == [*before, RECORD], "records are lost"


def _read_clues(path: Path) -> None:
    add_clues(Crossword.of(Grid(("___", "#_#"))), read_clues(path))


def _read_proof(path: Path) -> None:
    list(parse_proof(str(path), read_text(str(path)).text))


TEXTS: Mapping[str, tuple[str, Callable[[Path], object]]] = {
    "words.txt": (_WORDS, lambda path: read_words([str(path)])),
    "clues.tsv": (_CLUES, _read_clues),
    "old.tsv": (_OLD_CLUES, lambda path: list(read_old_clues(path))),
    "suite.toml": (_SUITE, _read_suite),
    "runs.jsonl": (RECORD.to_line() + "\n" + RECORD.to_line() + "\n", _read_records),
    "formula.cnf": (_FORMULA, lambda path: _parse_formula(read_text(str(path)))),
    "proof.drat": (_PROOF, _read_proof),
    "across_lite.txt": (ACROSS_LITE, _read_crossword),
    "crossfire.xml": (CROSSFIRE, _read_crossword),
    "newspaper.json": (flat(), _read_crossword),
    "puzzmo.xd": (_DESIGN, _read_crossword),
    "fill.txt": ("CAT\nA#U\nTUB\n", lambda path: read_fills(str(path))),
    "structure.txt": ("__A\n_#_\n___\n", lambda path: read_structure(str(path), letters=True)),
}
"""File name -> a right text, and what reads it. Crossword files come by the registry."""

_PIECES = (
    *(b"\0", b"\xff\xfe", b"\xc3", b"9" * 30, b'"', b"[" * 50, b"[", b"-1", b"null", b"1e400"),
    *(b"\n\n\n", b"#", b"_", b"~", b"="),
)
PACKED = ("words.txt", "old.tsv", "fill.txt", "structure.txt")
"""Texts that may also be gzipped."""


def _random_file(random: Random) -> Case:
    if random.random() < 0.5:
        name = random.choice(list(TEXTS))
        data = bytearray(TEXTS[name][0].encode())
        if name in PACKED and random.random() < 0.3:
            data = bytearray(gzip.compress(bytes(data), mtime=0))
            name += ".gz"
    else:
        name = f"crossword{random.choice([e for e in FORMATS if e not in WRITE_ONLY])}"
        data = bytearray(_random_crossword(random, Path(name).suffix))
    for _ in range(random.randint(1, 8)):
        mutate(random, data)
    return {"name": name, "data": bytes(data).hex()}


def _random_crossword(random: Random, extension: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"a{extension}")
        if random.random() < 0.3:
            source = random.choice(sorted((DATA / "minis").rglob("*.ipuz")))
            write_crossword(read_crossword(source), path)
        else:
            question = random.choice((make.rectangle, make.lattice, make.lettered))(random)
            while not question.slots:
                question = make.lettered(random)
            write_crossword(Crossword.of(Grid(tuple(question.rows))), path)
        return path.read_bytes()


def mutate(random: Random, data: bytearray) -> None:
    """Change, drop, repeat or insert some bytes, or cut the rest."""
    at = random.randrange(len(data) + 1)
    match random.randrange(6):
        case 0:
            data[at : at + 1] = bytes([random.randrange(256)])
        case 1:
            del data[at : at + random.randint(1, 30)]
        case 2:
            other = random.randrange(len(data) + 1)
            data[at:at] = data[other : other + random.randint(1, 30)]
        case 3:
            data[at:at] = random.choice(_PIECES)
        case 4:
            data[at:] = b""
        case 5:
            found = [place for place, byte in enumerate(data) if chr(byte).isdigit()]
            if found:
                number = random.choice((b"-1", b"0", b"999999999999", b"1.5", b"true", b"\xd9\xa3"))
                place = random.choice(found)
                data[place : place + 1] = number


def _files(case: Case) -> None:
    name: str = case["name"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(bytes.fromhex(case["data"]))
        read = TEXTS[name.removesuffix(".gz")][1] if name.removesuffix(".gz") in TEXTS else None
        message = ""
        try:
            (read or _read_crossword)(path)
        except InputError as error:
            message = str(error)
        assert message.isprintable(), f"not one line: {message!r}"


def _smaller_files(case: Case) -> Iterator[Case]:
    data = case["data"]
    for size in (len(data) // 4 * 2, 64, 16, 4, 2):
        for start in range(0, len(data), max(size, 2)):
            if size:
                yield {**case, "data": data[:start] + data[start + size :]}


ATTACKS: Mapping[str, Attack] = {"files": Attack(_random_file, _files, _smaller_files)}
