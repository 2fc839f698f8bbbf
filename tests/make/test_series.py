"""``satcross series``: nothing comes back too soon, nothing is lost, and bad plans are refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import date
from itertools import combinations, product
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from arrowword_faults import faults, picture_faults, read_clues
from helpers import read_puzzle, run, started, until
from pypdf import PdfReader

from satcross import Crossword, Grid, Vocabulary, read_crossword
from satcross.cli import BAD_INPUT, FILLED, UNKNOWN
from satcross.make.puzzles.arrowword import Arrowword
from satcross.make.puzzles.codeword import Codeword
from satcross.make.puzzles.fill_in import FillIn
from satcross.make.series.ledger import Ledger
from satcross.make.series.making import Job, Made, difficulty, distance
from satcross.make.series.plan import read_plan
from satcross.make.series.report import picture
from satcross.make.series.run import open_series

PLAN = """
count = {count}
start = 2026-12-30
window = {window}
words = ["words.txt"]
formats = ["ipuz", "txt"]
title = "{{weekday}} {{number}} of {{date}}"
[[puzzle]]
grids = "grids"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A plan, two grids, and the 300 words that have a vowel between two consonants."""
    (tmp_path / "grids").mkdir()
    (tmp_path / "grids/ring.txt").write_text("___\n_#_\n___\n")
    (tmp_path / "grids/rows.txt").write_text("___#\n_#__\n__#_\n#___\n")
    words = map("".join, product("BCDFGLMNPRST", "AEIOU", "BDGNPRST"))
    pairs = map("".join, product("ABCDEFGHIJKLM", repeat=2))
    (tmp_path / "words.txt").write_text("\n".join([*words, *pairs]))
    write_plan(tmp_path)
    return tmp_path


def write_plan(folder: Path, more: str = "", count: int = 8, window: object = 3) -> None:
    (folder / "plan.toml").write_text(PLAN.format(count=count, window=window) + more)


def write_recipes(
    folder: Path, formats: str, *recipes: str, count: int = 2, more: str = ""
) -> None:
    head = f"count = {count}\nstart = 2026-12-01\nformats = {formats}\n{more}\n"
    puzzles = (f"[[puzzle]]\n{recipe}\n" for recipe in recipes)
    (folder / "plan.toml").write_text(head + "".join(puzzles))


def records(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "out/series.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def make(folder: Path, *more: str, code: int = FILLED) -> bytes:
    result = run(folder, "series", "plan.toml", "-o", "out", "--workers", "1", *more)
    assert result.returncode == code, result.stderr
    return result.stdout + result.stderr


def check(folder: Path, count: int, window: int = 3) -> None:
    """The series has each puzzle once, and no word and no grid comes back too soon."""
    made = [record for record in records(folder) if record["status"] == "made"]
    assert sorted(record["number"] for record in made) == list(range(1, count + 1))
    for one, other in combinations(made, 2):
        days = date.fromisoformat(other["date"]) - date.fromisoformat(one["date"])
        if abs(days.days) <= window:
            assert not set(one["words"]) & set(other["words"])
        if abs(one["number"] - other["number"]) == 1:
            assert one["size"] != other["size"]
    for record in made:
        files = [read_crossword(folder / "out" / name) for name in record["files"]]
        assert sorted(files[0].words.values()) == record["words"]
        assert files[1].solution == files[0].solution
        assert files[0].date == record["date"]
    page = (folder / "out/index.html").read_text()
    assert page.count("<svg") == count


def test_a_series_is_made_and_goes_on(folder: Path) -> None:
    said = make(folder)
    assert b"8 puzzles in out; the report is out/index.html." in said
    assert said.count(b".ipuz") == 8
    check(folder, 8)
    first = read_crossword(folder / "out/002-2026-12-31.ipuz")
    assert first.title == "Thursday 2 of 2026-12-31"
    before = records(folder)
    write_plan(folder, count=2)
    assert b"2 puzzles in out; the report" in make(folder)
    write_plan(folder, count=10)
    (folder / "out/003-2027-01-01.txt").unlink()
    with (folder / "out/series.jsonl").open("a") as file:
        file.write('{"series": 1, "number": 9, "da')
    said = make(folder)
    assert b"003-2027-01-01.txt: the file was gone" in said
    assert said.count(b".ipuz") == 2
    assert records(folder)[:8] == before
    check(folder, 10)


def test_a_killed_series_loses_nothing(folder: Path) -> None:
    write_plan(folder, count=14)
    lines = folder / "out/series.jsonl"
    for number in (3, 8):
        with started(folder, "series", "plan.toml", "-o", "out", "--workers", "2") as process:

            def has_begun(number: int = number, process: Popen[bytes] = process) -> bool:
                made = lines.exists() and lines.read_bytes().count(b"\n")
                return made >= number or process.poll() is not None

            until(has_begun, f"{number} puzzles")
    make(folder, "--workers", "2")
    check(folder, 14)


class _Pool:
    """Makes two puzzles at once, the second before the first, with the fills given."""

    def __init__(self, fills: dict[int, list[dict[str, str]]]) -> None:
        self.fills, self.begun, self._at_work = fills, list[Job](), list[Job]()

    def room(self) -> int:
        return 2 - len(self._at_work)

    def begin(self, job: Job) -> None:
        self.begun.append(job)
        self._at_work.append(job)

    def ended(self) -> Iterator[tuple[Job, Made]]:
        job = self._at_work.pop()
        fill = self.fills[job.place.number].pop(0)
        yield job, Made(job.grid if fill else None, fill)


def test_the_later_one_of_two_with_the_same_word_is_mended(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "grids/rows.txt").write_text("####\n#___\n#_#_\n#___\n")
    monkeypatch.chdir(folder)

    def ring(*words: str) -> dict[str, str]:
        return dict(zip(("1A", "3A", "1D", "2D"), words, strict=True))

    first, second = ring("BAD", "GAN", "BEG", "DIN"), ring("BAD", "NUR", "BIN", "DOR")
    crossed, good = ring("CUD", "NAR", "CAN", "DOR"), ring("FUD", "NEG", "FAN", "DUG")
    pool = _Pool({1: [first, {}, crossed, good], 2: [second]})
    monkeypatch.setattr("satcross.make.series.run.workers", lambda *_: nullcontext(pool))
    plan, places = read_plan("plan.toml")
    words = Vocabulary((folder / "words.txt").read_text().split())
    with open_series(plan, places[:2], "out", words, Ledger(plan.days)) as series:
        series.run(2, None, lambda _: None)
    rest = {name: word for name, word in first.items() if word != "BAD"}
    mended = {name: word for name, word in crossed.items() if word != "DOR"}
    # The words at fault alone are opened; when that fails, the puzzle is made anew.
    wanted = [(1, {}), (2, {}), (1, rest), (1, {}), (1, mended)]
    assert [(job.place.number, job.words) for job in pool.begun] == wanted
    assert all({"BAD", "DOR"} <= job.banned for job in pool.begun[2:])
    assert [(item["number"], item["mends"]) for item in records(folder)] == [(2, 0), (1, 2)]
    assert records(folder)[1]["words"] == sorted(good.values())


def test_puzzles_made_elsewhere_count(folder: Path) -> None:
    make(folder)
    old = read_crossword(folder / "out/001-2026-12-30.ipuz")
    (folder / "out").rename(folder / "before")
    (folder / "kept").mkdir()
    Crossword(old.grid, old.solution).write(folder / "kept/2027-01-02.puz")
    (folder / "kept/odd.puz").write_text("?")
    plan = 'earlier = ["kept"]\n' + (folder / "plan.toml").read_text()
    (folder / "plan.toml").write_text(plan)
    assert b"odd.puz: no crossword could be read" in make(folder)
    check(folder, 8)
    near = [record for record in records(folder) if record["number"] <= 7]
    assert not set(old.words.values()) & {word for record in near for word in record["words"]}
    plan = plan.replace('"kept"', '"before"').replace("window = 3", "window = 40")
    (folder / "plan.toml").write_text(plan)
    (folder / "out").rename(folder / "second")
    make(folder)
    lines = (folder / "before/series.jsonl").read_text().splitlines()
    used = {word for line in lines for word in json.loads(line)["words"]}
    assert not used & {word for record in records(folder) for word in record["words"]}


def test_what_cannot_be_made_is_said_and_tried_again(folder: Path) -> None:
    many = (folder / "words.txt").read_text()
    (folder / "words.txt").write_text("CAT\nCUB\nTOD\nBED\nab\nac\nbd\ncd\n")
    said = make(folder, code=UNKNOWN)
    assert b"not made: " in said
    assert b" not made; the report" in said
    (folder / "words.txt").write_text(many)
    (folder / "grids/pairs.txt").write_text("__\n__\n")
    make(folder)
    check(folder, 8)


def test_themes_stand_in_their_puzzles(folder: Path) -> None:
    (folder / "themes.txt").write_text("# mine\nPets: cat; Cub\nB E D\n")
    (folder / "words.txt").write_text((folder / "words.txt").read_text() + "\nCUB\nBED\nCAT\n")
    write_plan(folder, 'themes = "themes.txt"\n', count=4)
    make(folder)
    check(folder, 4)
    made = records(folder)
    assert [record["theme"] for record in made] == [["CAT", "CUB"], ["BED"], [], []]
    assert {"CAT", "CUB"} <= set(made[0]["words"])
    assert read_crossword(folder / "out/001-2026-12-30.ipuz").title == "Pets"
    (folder / "themes.txt").write_text("cat\ncat\n")
    result = run(folder, "series", "plan.toml", "-o", "other")
    assert (result.returncode, b"repeats CAT too soon" in result.stderr) == (BAD_INPUT, True)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("count = 8", "count = 0", "a count from 1 to 10000"),
        ("count = 8", "count = 8\nseed = -1", "seed is a whole number from 0"),
        ("window = 3", "window = { 3 = -3 }", "window has days below 0"),
        ('["ipuz", "txt"]', "[]", "formats has no extension"),
        ("[[puzzle]]", "[[puzzle]]\ndays = []", "days names no day"),
        ("count = 8", 'count = "8"', "Expected `int`, got `str` - at `count`"),
        ("count = 8", "coutn = 8", "unknown field `coutn`"),
        ("count = 8", "count == 8", "at line 2"),
        ("window = 3", "window = { four = 3 }", "window has 'four'"),
        ('"txt"', '"doc"', "can't write .doc"),
        ("[[puzzle]]", '[[puzzle]]\ndays = "someday"', "'someday' is no day"),
        ("[[puzzle]]", "[[puzzle]]\nsize = 99", "size 99 is not from 3 to 31"),
        ("[[puzzle]]", '[[puzzle]]\ndifficulty = "tricky"', "bad difficulty 'tricky'"),
        ("[[puzzle]]", '[[puzzle]]\nkind = "round"', "Invalid enum value 'round'"),
        ('grids = "grids"', 'grids = "nowhere"', "there is no standard grid 'nowhere'"),
        ('["words.txt"]', '["nowhere.txt"]', "nowhere.txt: no such file"),
        ("window = 3", "window = 3\nprint = { huge = true }", "print has 'huge'"),
        ("window = 3", 'window = 3\nearlier = ["gone"]', "gone: no such file"),
    ],
)
def test_bad_plans(folder: Path, old: str, new: str, says: str) -> None:
    text = (folder / "plan.toml").read_text()
    assert old in text
    (folder / "plan.toml").write_text(text.replace(old, new))
    result = run(folder, "series", "plan.toml", "-o", "out")
    assert (result.returncode, result.stdout, result.stderr.count(b"\n")) == (BAD_INPUT, b"", 1)
    assert says in result.stderr.decode()
    assert not list(folder.glob("out/*.ipuz"))


def test_folders_of_others_are_left_alone(folder: Path) -> None:
    (folder / "out").mkdir()
    (folder / "out/mine.txt").write_text("mine")
    assert b"files that are no series" in make(folder, code=BAD_INPUT)
    (folder / "out/series.jsonl").write_text("mine\n")
    assert b"is not the record of a series" in make(folder, code=BAD_INPUT)
    (folder / "grids/rows.txt").unlink()
    assert b"its one grid would come twice in a row" in make(folder, code=BAD_INPUT)


def test_made_grids_with_a_difficulty(folder: Path) -> None:
    recipe = 'days = ["tue", "wednesday"]\nsize = 5\nword_count = "8..10"\ndifficulty = "easy"'
    write_recipes(folder, '["html"]', recipe, more="print = { word_bank = true }")
    make(folder)
    made = records(folder)
    assert [record["date"] for record in made] == ["2026-12-01", "2026-12-02"]
    assert not set(made[0]["words"]) & set(made[1]["words"])
    page = (folder / "out/001-2026-12-01.html").read_text()
    assert " · ".join(f"<span>{word}</span>" for word in made[0]["words"]) in page


def test_codewords_and_fill_ins(folder: Path) -> None:
    codeword = 'form = "codeword"\ngrids = "british-7"\ndays = ["tue", "thu"]\ndifficulty = "easy"'
    fill_in = 'form = "fill-in"\ngrids = "american-5"\ndays = ["wed", "fri"]'
    write_recipes(folder, '["json", "pdf"]', codeword, fill_in, count=4)
    make(folder)
    made: list[Any] = [
        read_puzzle(folder / "out" / record["files"][0]) for record in records(folder)
    ]
    assert [type(puzzle) for puzzle in made] == [Codeword, FillIn] * 2
    assert [made[0].level, made[2].level] == ["easy", "easy"]
    assert made[3].crossword.date == "2026-12-04"
    assert sorted(made[3].crossword.words.values()) == records(folder)[3]["words"]
    (folder / "out/001-2026-12-01.json").unlink()
    assert b"the file was gone" in make(folder)
    again: Any = read_puzzle(folder / "out/001-2026-12-01.json")
    assert again.numbers == made[0].numbers
    write_recipes(folder, '["json", "puz"]', codeword, fill_in, count=4)
    assert b"can't write .puz" in make(folder, code=BAD_INPUT)


def test_arrowwords(folder: Path) -> None:
    recipe = 'form = "arrowword"\nsize = 7\npicture = "3x3@top-right"'
    window = 'window = { "2" = 0, "3" = 0, longer = 5 }'
    write_recipes(folder, '["json", "pdf"]', recipe, more=window)
    assert b"no list of words with clues" in make(folder, "--language", "es", code=BAD_INPUT)
    make(folder, "--language", "de")
    clues, long = read_clues("de"), []
    for record in records(folder):
        assert faults(record["crossword"], clues) == []
        assert picture_faults(record["crossword"], 0, 4, (3, 3)) == []
        assert (record["form"], record["kind"], record["size"]) == ("arrowword", "swedish", [7, 7])
        long += [word for word in record["words"] if len(word) > 3]
        name = record["files"][1].removesuffix(".pdf")
        assert len(PdfReader(folder / "out" / f"{name}.pdf").pages) == 2
        assert isinstance(read_puzzle(folder / "out" / f"{name}.json"), Arrowword)
    assert len(set(long)) == len(long)
    write_recipes(folder, '["json"]', f'{recipe}\ngrids = "american-7"')
    assert b"an arrowword has no grids or themes" in make(folder, code=BAD_INPUT)


def test_a_cluster_makes_the_same(folder: Path) -> None:
    write_plan(folder, count=3)
    make(folder, "--cluster", "local")
    check(folder, 3)


def test_difficulty() -> None:
    ring, vocabulary = Grid.from_rows(["___", "_#_", "___"]), Vocabulary({"CAT": 80, "CUB": 20})
    assert difficulty(ring, ["CAT"], vocabulary, ["CAT"]).value == round(25 / 2)
    hard = difficulty(ring, ["CAT", "CUB"], vocabulary, [])
    assert hard == (round(40 / 2 + 25 / 2 + 15), 0.5, 0.5, 0.0, 1.0)
    assert [distance(value, (20, 30)) for value in (15, 25, 32)] == [5, 0, 2]


def test_a_small_picture() -> None:
    barred = Grid.from_rows(["__#", "___"])
    assert picture(barred) == (3, 2, "M2 0h1v1h-1z", "")
