"""Records are read back unchanged, from files that survive a kill."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from satcross import Grid, InputError, Puzzle, Vocabulary
from satcross.compare import Verdict, judge
from satcross.compare.records import RECORD_VERSION, Record, RecordFile, read_records
from satcross.formats.json import puzzle_from_data, puzzle_hash, puzzle_to_data

RECORD = Record(
    puzzle="0123456789abcdef",
    structure="grid é.txt",
    words="words.txt",
    contender="sat",
    kind="backend",
    status="filled",
    verified=True,
    backend="sat",
    seconds={"load": 0.25},
    fill=("CAT", "#.#"),
)


def test_a_line_comes_back() -> None:
    line = RECORD.to_line()
    assert "\n" not in line
    assert Record.from_line(line) == RECORD
    assert json.loads(line)["record"] == RECORD_VERSION


def test_later_fields_are_passed_over_and_later_versions_refused() -> None:
    data = RECORD.to_data()
    assert Record.from_line(json.dumps({**data, "colour": "blue"})) == RECORD
    with pytest.raises(ValueError, match="version 2"):
        Record.from_line(json.dumps({**data, "record": 2}))
    del data["status"]
    with pytest.raises(ValueError, match="missing required field `status`"):
        Record.from_line(json.dumps(data))


def test_files_are_added_to(tmp_path: Path) -> None:
    path = str(tmp_path / "runs.jsonl")
    for _ in range(2):
        with RecordFile(path) as file:
            file.add(RECORD)
    assert list(read_records(path)) == [RECORD, RECORD]


@pytest.mark.parametrize("whole", [0, 2])
@pytest.mark.parametrize("cut", [3, 200, -1])
def test_a_line_cut_short_is_taken_away(tmp_path: Path, whole: int, cut: int) -> None:
    path = tmp_path / "runs.jsonl"
    line = RECORD.to_line() + "\n"
    path.write_text(line * whole + line[:cut], encoding="utf-8")
    noted: list[int] = []
    assert list(read_records(str(path), noted.append)) == [RECORD] * whole
    assert noted == [whole + 1]
    with RecordFile(str(path)) as file:
        file.add(RECORD)
    assert path.read_text(encoding="utf-8") == line * (whole + 1)


def test_a_record_is_on_the_disk_before_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "runs.jsonl"
    seen: list[int] = []
    monkeypatch.setattr("os.fsync", lambda handle: seen.append(path.stat().st_size))
    with RecordFile(str(path)) as file:
        file.add(RECORD)
        assert seen == [path.stat().st_size]


def test_one_process_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    with RecordFile(str(path)) as file:
        file.add(RECORD)
        # The first process may be writing this line, so the second must not remove it.
        with path.open("a") as unfinished:
            unfinished.write('{"record": 1')
        before = path.read_bytes()
        with pytest.raises(InputError, match="another process is appending runs"):
            RecordFile(str(path))
        assert path.read_bytes() == before
    with RecordFile(str(path)):
        assert list(read_records(str(path))) == [RECORD]


@pytest.mark.parametrize("text", ["cat\ndog\n", "cat", '{"a": 1}\n', "[1]\n"])
def test_other_files_are_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "words.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=r"words\.txt"):
        RecordFile(str(path))
    assert path.read_text() == text


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text(f"{RECORD.to_line()}\n{{}}\n{RECORD.to_line()}\n")
    with pytest.raises(InputError, match=r"runs\.jsonl:2: "):
        list(read_records(str(path)))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("limits", None),
        ("limits", {"wall": "long"}),
        ("cpu", True),
        ("puzzle", ["p"]),
        ("fill", "CAT"),
        ("workers", 1.5),
        ("status", "solved"),
    ],
)
def test_a_value_that_is_none_is_named(tmp_path: Path, name: str, value: object) -> None:
    path = tmp_path / "runs.jsonl"
    line = json.dumps({**RECORD.to_data(), name: value})
    path.write_text(f"{RECORD.to_line()}\n{line}\n")
    with pytest.raises(InputError, match=rf"runs\.jsonl:2: not a run record \(.*{name}"):
        list(read_records(str(path)))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_a_number_without_a_value_is_refused(number: str) -> None:
    with pytest.raises(ValueError, match=r"JSON is malformed|out of range"):
        Record.from_line(RECORD.to_line().replace("0.25", number))


def test_the_hash_is_of_the_question() -> None:
    grid = Grid.from_rows(["___"])
    puzzle = Puzzle(grid, Vocabulary({"CAT": 50, "DOG": 60}))
    # The hash must not change between versions, which would separate runs of equal puzzles.
    assert puzzle_hash(puzzle) == "e302439667b7e102"
    same = Puzzle(grid, Vocabulary({"DOG": 60, "HORSE": 1, "CAT": 50}))
    assert puzzle_hash(same) == puzzle_hash(puzzle)
    others = [
        Puzzle(Grid.from_rows(["___#"]), puzzle.vocabulary),
        Puzzle(grid, Vocabulary({"CAT": 50, "DOG": 61})),
        Puzzle(grid, Vocabulary({"CAT": 50})),
        Puzzle(grid, puzzle.vocabulary, min_score=40),
        Puzzle(grid, puzzle.vocabulary, {"1A": "CAT"}),
        Puzzle(grid, puzzle.vocabulary, excluded=frozenset({"CAT"})),
        Puzzle(grid, puzzle.vocabulary, allow_repeats=True),
    ]
    assert len({puzzle_hash(item) for item in [puzzle, *others]}) == 1 + len(others)
    for item in others:
        again = puzzle_from_data(json.loads(json.dumps(puzzle_to_data(item))))
        assert puzzle_hash(again) == puzzle_hash(item)


def test_judging() -> None:
    def judged(*answers: tuple[str, str]) -> Verdict:
        return judge([Record(puzzle, "s", "w", said, "backend", said) for puzzle, said in answers])

    fine = (("a", "filled"), ("a", "unknown"), ("b", "unfillable"))
    right = judged(*fine)
    assert (right.agreement, right.unanswered, right.puzzles) == (True, (), 2)
    verdict = judged(*fine, ("a", "unfillable"), ("b", "wrong"), ("c", "unknown"))
    assert not verdict.agreement
    [contradiction] = verdict.contradictions
    assert [item.status for item in contradiction] == ["filled", "unfillable"]
    assert [item.puzzle for item in (*verdict.unanswered, *verdict.wrong)] == ["c", "b"]
