"""Records are read back unchanged, from files that survive a kill."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from satcross import Grid, InputError, Puzzle, Vocabulary
from satcross.compare.records import RECORD_VERSION, Record, RecordFile, read_records
from satcross.formats.json import puzzle_hash

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


def test_later_fields_are_passed_over_and_later_versions_refused() -> None:
    data = json.loads(RECORD.to_line())
    assert data["record"] == RECORD_VERSION
    assert Record.from_line(json.dumps({**data, "colour": "blue"})) == RECORD
    with pytest.raises(ValueError, match="version 2"):
        Record.from_line(json.dumps({**data, "record": 2}))
    del data["status"]
    with pytest.raises(ValueError, match="missing required field `status`"):
        Record.from_line(json.dumps(data))


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


@pytest.mark.parametrize("text", ["cat", '{"a": 1}\n'])
def test_other_files_are_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "words.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=r"words\.txt"):
        RecordFile(str(path))
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("limits", {"wall": "long"}),
        ("cpu", True),
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


def test_the_hash_does_not_change_between_versions() -> None:
    """That would separate runs of equal puzzles; tests/rules says what else it depends on."""
    grid = Grid.from_rows(["___"])
    puzzle = Puzzle(grid, Vocabulary({"DOG": 60, "HORSE": 1, "CAT": 50}))
    assert puzzle_hash(puzzle) == "e302439667b7e102"
    others = [
        Puzzle(Grid.from_rows(["___#"]), puzzle.vocabulary),
        Puzzle(grid, Vocabulary({"CAT": 50, "DOG": 61})),
        Puzzle(grid, Vocabulary({"CAT": 50})),
    ]
    assert len({puzzle_hash(item) for item in [puzzle, *others]}) == 1 + len(others)
