"""Suite files: what they may contain, mistakes in them, and the included suite."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from helpers import DATA

from satcross.compare.contenders import Instance
from satcross.compare.suite import read_puzzles, read_suite
from satcross.errors import InputError

INCLUDED_SUITE = DATA / "bench" / "suite.toml"
PUBLIC_SUITE = DATA / "bench" / "public-1.toml"
SMALL = {"classic-5-1-scowl70", "open-4x4-half-scowl70", "lattice-7x7-few-scowl70"}
PUZZLE = '[[puzzle]]\nname = "a"\nstructure = "s.txt"\n'
OTHER = PUZZLE.replace('"a"', '"b"')
WRONG = "suite.toml:2: a puzzle is wrong"


def read(folder: Path, text: str, *, version: str = "suite = 1\n") -> list[Instance]:
    """The puzzles of a suite with that text."""
    (folder / "suite.toml").write_text(version + text)
    suite = read_suite(str(folder / "suite.toml"))
    return read_puzzles(suite, suite.entries)


def words_of(folder: Path, rules: str) -> set[str]:
    [question] = read(folder, f'{PUZZLE}words = ["w.txt"]\n{rules}\n')
    return set(question.puzzle.vocabulary)


def test_a_puzzle_as_it_is_described(folder: Path) -> None:
    [question] = read(
        folder,
        f'title = "mine"\n{PUZZLE}family = "f"\nwords = ["w.txt"]\nmin_score = 60\n'
        'locks = { 1A = "cat" }\nexpected = "filled"\nhow = "by hand"\n',
    )
    assert (question.name, question.family) == ("a", "f")
    assert question.expected == "filled"
    assert set(question.puzzle.vocabulary) == {"CUB", "BED", "TOD"}
    assert dict(question.puzzle.locks) == {"1A": "CAT"}


def test_samples_grow(folder: Path) -> None:
    samples = [words_of(folder, f"sample = {size}") for size in range(1, 6)]
    assert [len(item) for item in samples] == [1, 2, 3, 4, 4]
    assert all(less <= more for less, more in pairwise(samples))
    others = [words_of(folder, f"sample = 2\nsample_seed = {seed}") for seed in range(9)]
    assert len(set(map(frozenset, others))) > 1
    assert words_of(folder, "sample = 2") == others[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no puzzle"),
        ("colour = 3\n" + PUZZLE, "'colour'"),
        ("[[puzzle]]\nname = 'a'\n", f"{WRONG}: Object missing required field `structure`"),
        (PUZZLE + PUZZLE, "suite.toml:5: the name 'a' is also used on line 2"),
        (PUZZLE + OTHER, "suite.toml:5: 'b' is the same puzzle as 'a' (line 2); remove one"),
        (PUZZLE + "min_scor = 3\n", "suite.toml:2: a puzzle has no field 'min_scor'"),
        (PUZZLE + "sample = 0\n", f"{WRONG}: Expected `int` >= 1 - at `$.sample`"),
        (PUZZLE + "expected = 'yes'\n", "Invalid enum value 'yes' - at `$.expected`"),
        (PUZZLE + "locks = { 1A = 3 }\n", "a table of words"),
        (PUZZLE + "locks = { 9A = 'x' }\n", "suite.toml:2: lock 9A=X: the grid"),
        (PUZZLE + "words = ['v.txt']\n", "v.txt: no such file"),
    ],
)
def test_mistakes(folder: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        read(folder, text)


def test_a_version_of_the_future(folder: Path) -> None:
    with pytest.raises(InputError, match="begin the file with suite = 1"):
        read(folder, PUZZLE, version="suite = 2\n")


def test_our_suite() -> None:
    suite = read_suite(str(INCLUDED_SUITE))
    entries = suite.entries
    assert len({item.family for item in entries}) >= 8
    for entry in entries:
        # Every expected answer says how it was established.
        assert bool(entry.expected) == bool(entry.how), entry.name
        if entry.expected == "unfillable":
            assert " by " in entry.how
            assert "," in entry.how, f"{entry.name} rests on one proof"
    assert len([item for item in entries if item.expected]) >= 60
    # Reading finds equal puzzles; small grids need few words.
    small = [item for item in entries if item.family == "one fill"]
    assert len(read_puzzles(suite, small)) == len(small)
    assert all((INCLUDED_SUITE.parent / item.structure).is_file() for item in entries)


def test_a_structure_in_the_suite_itself(folder: Path) -> None:
    text = '[[puzzle]]\nname = "a"\nwords = ["w.txt"]\nstructure = """\n'
    [plain] = read(folder, text + '___\n_#_\n___\n"""')
    assert plain.structure == "a"
    assert len(plain.puzzle.grid.slots) == 4
    [barred] = read(folder, text + 'satcross grid\n_ _ _|{AB} _ _\n"""')
    assert [slot.length for slot in barred.puzzle.grid.slots] == [3, 4]
    with pytest.raises(InputError, match=re.escape("suite.toml: a: the structure has no slot")):
        read(folder, text + '#\n#\n"""')


def test_the_default_list_beside_another(folder: Path) -> None:
    (folder / "w.txt").write_text("qzx\n")
    [question] = read(folder, f'{PUZZLE}words = ["default", "w.txt"]\n')
    assert {"QZX", "CAT"} <= set(question.puzzle.vocabulary)


def test_a_digest_holds(folder: Path) -> None:
    text = f'{PUZZLE}words = ["w.txt"]\n'
    [puzzle] = read(folder, text)
    text += f'digest = "{puzzle.hash}"\n'
    read(folder, text)
    (folder / "w.txt").write_text("cat\n")
    with pytest.raises(InputError, match=f"suite.toml:2: the digest of 'a' is .*{puzzle.hash}"):
        read(folder, text)


def test_the_public_suite() -> None:
    suite = read_suite(str(PUBLIC_SUITE))
    assert len(suite.entries) >= 300
    assert len({item.digest for item in suite.entries} - {None}) == len(suite.entries)
    assert all(bool(item.expected) == bool(item.how) for item in suite.entries)
    rows = (DATA / "bench" / "public-1.csv").read_text().splitlines()[1:]
    assert [row.split(",")[0] for row in rows] == [item.name for item in suite.entries]
    # Reading compares the digests.
    small = [item for item in suite.entries if item.name in SMALL]
    assert len(read_puzzles(suite, small)) == len(SMALL)
