"""``satcross compare`` as somebody at a shell sees it."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from contextlib import suppress
from itertools import chain
from pathlib import Path

import pytest
from compare.made_up import FAKE, shell
from helpers import PATIENCE, ROOT, killed_at_end, started, until

from satcross.cli import FILLED, INTERNAL_ERROR, UNKNOWN
from satcross.compare.records import read_records


def test_a_structure_with_every_list(folder: Path) -> None:
    line = "compare s.txt --words w.txt none.txt --backend backtrack -o runs.jsonl --jobs 2"
    result = shell(folder, line, "--external", f"{FAKE} solve {{cnf}}")
    assert (result.returncode, result.stderr) == (FILLED, "")
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["puzzle", "contender", "answer", "wall", "s", "CPU", "s", "MiB"]
    assert [line.split()[:4] for line in lines[1:5]] == [
        ["s.txt", words, contender, answer]
        for words, answer in (("w.txt", "filled"), ("none.txt", "unfillable"))
        for contender in ("backtrack", Path(sys.executable).name)
    ]
    assert lines[-1] == "All answers agree: 4 runs on 2 puzzles, 4 with an answer."
    records = list(read_records(str(folder / "runs.jsonl")))
    assert (len(records), len({record.puzzle for record in records})) == (4, 2)
    assert not list(folder.glob("satcross-*"))


def test_a_backend_of_another_package(folder: Path) -> None:
    """As CONTRIBUTING.md says: an entry point, and the template as it is."""
    package = folder / "package"
    (package / "guess-1.0.dist-info").mkdir(parents=True)
    (package / "guess-1.0.dist-info" / "entry_points.txt").write_text(
        "[satcross.backends]\nguess = guessing:Guess\n"
    )
    (package / "guessing.py").write_text((ROOT / "tests/templates/backend.py").read_text())
    line = "compare s.txt -w w.txt --backend guess -o runs.jsonl"
    result = shell(folder, line, PYTHONPATH=str(package))
    assert (result.returncode, result.stderr) == (FILLED, "")
    [record] = read_records(str(folder / "runs.jsonl"))
    assert (record.backend, record.status) == ("guess", "filled")
    assert record.program is not None  # so that a change of the module is noticed


def test_formulas_for_programs_have_the_encodings_too(folder: Path) -> None:
    line = "compare s.txt -w w.txt --backend none --encoding lazy,full,direct --json"
    result = shell(folder, line, "--external", f"mine={FAKE} solve {{cnf}}")
    full, direct = json.loads(result.stdout)["runs"]
    assert (full["contender"], direct["contender"]) == ("mine", "mine/direct")
    assert (full["encoding"], direct["encoding"]) == ("full", "direct")
    assert full["status"] == direct["status"] == "filled"
    assert full["clauses"] != direct["clauses"]


def test_wrong_answers_are_found(folder: Path) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "generate.py").write_text("print('No solution.')")
    statuses = {"lie": "unfillable", "wrong-model": "wrong", "crash": "crashed"}
    solvers = [("--external", f"{mode}={FAKE} {mode} {{cnf}}") for mode in statuses]
    line = "compare s.txt --words w.txt -o runs.jsonl --backend backtrack --student mine"
    result = shell(folder, line, *chain(*solvers))
    assert result.returncode == INTERNAL_ERROR
    for text in (
        "DISAGREEMENT on s.txt with w.txt: filled by backtrack; "
        "unfillable by lie, mine/generate.py\n",
        "WRONG FILL of s.txt with w.txt by wrong-model: ",
        "crash on s.txt: it crashed: ended by SIGSEGV",
    ):
        assert text in result.stdout
    assert "agree:" not in result.stdout
    records = read_records(str(folder / "runs.jsonl"))
    assert {run.contender: run.status for run in records} == {
        "backtrack": "filled",
        "mine/generate.py": "unfillable",
        **statuses,
    }
    [report] = folder.glob("satcross-report-*.json")
    assert str(report) in result.stdout
    assert json.loads(report.read_text())["rows"] == ["___", "_#_", "___"]


def test_ctrl_c_gives_what_there_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(folder))
    command = ["compare", "s.txt", "--words", "w.txt", "--backend", "backtrack", "-o", "r.jsonl"]
    with started(folder, *command, "--external", f"{FAKE} hang {{cnf}}") as process:
        records = folder / "r.jsonl"
        until(lambda: records.exists() and records.read_bytes(), "a record")
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == UNKNOWN
    assert b"Interrupted: 1 run on 1 puzzle, 1 with an answer, of 2 planned." in output
    assert [record.status for record in read_records(str(records))] == ["filled"]
    assert not list(folder.glob("satcross-run-*"))


def test_a_terminal_gets_a_live_table(folder: Path) -> None:
    master, slave = pty.openpty()
    line = "-m satcross compare s.txt --words w.txt"
    process = subprocess.Popen(
        [sys.executable, *line.split()],
        cwd=folder,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
        stdout=slave,
        stderr=slave,
    )
    os.close(slave)
    shown = b""
    with killed_at_end(process):
        with suppress(OSError):  # how a terminal says that the other side is gone
            while select.select([master], [], [], PATIENCE)[0] and (more := os.read(master, 4096)):
                shown += more
        os.close(master)
        assert process.wait(timeout=PATIENCE) == FILLED
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode())
    assert "0 of 3 runs" in text
    assert "running" in text
    assert "All answers agree: 3 runs on 1 puzzle, 3 with an answer." in text
