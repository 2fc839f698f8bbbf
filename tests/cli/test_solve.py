"""``satcross solve`` as somebody at a shell sees it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from threading import Event

import click
import pytest
from helpers import PATIENCE, interrupt_at_work, run, started, until

from satcross.backends.registry import BACKENDS
from satcross.cli import FILLED, UNFILLABLE, UNKNOWN, limited

SECOND_BACKEND = """
from pathlib import Path
from satcross.__main__ import main
from satcross.backends.base import Answer
from satcross.backends.cpsat import CpSat
from satcross.backends.search.backend import Backtrack
from satcross.run_settings import TIME_LIMIT
from satcross.outcome import Status

def begin(self, task):
    Path("second").touch()
    return solve(self, task)

solve, Backtrack.solve = Backtrack.solve, begin
CpSat.solve = lambda self, task: Answer(Status.UNKNOWN, None, TIME_LIMIT)
main()
"""
"""``satcross`` where ``cpsat`` gives up at once, and ``backtrack`` says that it has begun."""
BOTH_FILLS = ("CAT\nU█O\nBED\n", "CUB\nA█E\nTOD\n")


def test_ascii_terminals_get_ascii(folder: Path) -> None:
    result = run(folder, "solve", "s.txt", "w.txt", encoding="cp1252")
    assert result.returncode == FILLED
    assert result.stdout.decode("ascii") in [fill.replace("█", "#") for fill in BOTH_FILLS]


def test_theme_words_and_locks_stay_as_they_are_written(folder: Path) -> None:
    (folder / "theme.txt").write_text("To-d\n")
    given = ("--theme", "theme.txt", "--lock", "1A=ca t")
    result = run(folder, "solve", "s.txt", "w.txt", "out.json", *given, "--enumerations", "--json")
    assert result.returncode == FILLED
    for text in (result.stdout.decode(), (folder / "out.json").read_text()):
        slots = {slot["word"]: slot for slot in json.loads(text)["slots"]}
        assert (slots["CAT"]["written"], slots["CAT"]["enumeration"]) == ("ca t", "2,1")
        assert (slots["TOD"]["written"], slots["TOD"]["enumeration"]) == ("To-d", "2-1")
        assert "written" not in slots["BED"]
    assert {slots["CAT"]["clue"], slots["TOD"]["clue"]} == {"(2,1)", "(2-1)"}


def test_an_edit_is_written_as_it_was_made_with_the_default_list(folder: Path) -> None:
    (folder / "edits.txt").write_text("ca-t;always\n")
    given = ("--edits", "edits.txt", "--lock", "1A=cat")
    result = run(folder, "solve", "s.txt", *given, "--json")
    [found] = [item for item in json.loads(result.stdout)["slots"] if item["word"] == "CAT"]
    assert found["written"] == "ca-t"


def test_the_default_list_by_name(folder: Path) -> None:
    ways = ((), ("-w", "default"), ("default",))
    default, *named = (run(folder, "solve", "s.txt", *words).stdout for words in ways)
    assert named == [default, default]
    assert default
    (folder / "more.txt").write_text("rock-n-zoll;60\n")
    beside = run(folder, "words", "more.txt", "default", "--match", "ROCKN?OLL").stdout.decode()
    rocks, more = sorted(beside.splitlines())
    assert rocks.split(";")[2].lower().startswith("rock")
    assert more == "ROCKNZOLL;60;rock-n-zoll"


def test_several_backends(folder: Path) -> None:
    result = run(folder, "solve", "s.txt", "w.txt", "--backend", "sat,cpsat,backtrack")
    lines = result.stdout.decode().splitlines()
    assert "\n".join(lines[:3]) + "\n" in BOTH_FILLS
    assert lines[4].split() == ["backend", "status", "encode", "s", "solve", "s"]
    ran = [line.split()[:2] for line in lines[5:]]
    assert ran == [[name, "filled"] for name in ("sat", "cpsat", "backtrack")]


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
@pytest.mark.parametrize("backend", BACKENDS)
def test_interrupting(folder: Path, backend: str) -> None:
    (folder / "s.txt").write_text("_________\n" * 9)
    with started(folder, "solve", "s.txt", "--backend", backend) as process:
        out, err = interrupt_at_work(process)
    assert process.returncode == UNKNOWN
    assert (out, err) == (b"Unknown: interrupted.\n", b"")


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_interrupting_the_second_backend_keeps_the_first_answer(folder: Path) -> None:
    (folder / "s.txt").write_text("_________\n" * 9)
    arguments = ["solve", "s.txt", "--backend", "cpsat,backtrack", "--json"]
    with started(folder, *arguments, program=("-c", SECOND_BACKEND)) as process:
        until(lambda: (folder / "second").exists() or process.poll(), "the second backend")
        out, err = interrupt_at_work(process)
    assert (process.returncode, err) == (UNKNOWN, b"")
    reasons = [item["reason"] for item in json.loads(out)["backends"]]
    assert reasons == ["time limit", "interrupted"]


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("backend", ["auto", "cpsat"])
def test_a_race_runs_in_threads_and_starts_no_process(folder: Path, backend: str) -> None:
    # The cell that belongs to only one slot prevents the row sweep, which delays the race.
    (folder / "s.txt").write_text("________\n" * 8 + "_#######\n")
    arguments = ("s.txt", "--workers", "2", "--backend", backend, "--quality", "any")
    with started(folder, "solve", *arguments) as process:
        threads = Path(f"/proc/{process.pid}/task")
        until(lambda: len(list(threads.iterdir())) > 2, "a race of two")
        assert (threads / str(process.pid) / "children").read_text() == ""
        process.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="a shell's pipe")
def test_a_closed_pipe_is_no_mistake(folder: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "satcross", "solve", "s.txt", "w.txt", "out.png"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode == FILLED
    assert (folder / "out.png").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="a shell's redirection")
@pytest.mark.parametrize("closed", [">&-", "2>&-"])
def test_closed_streams(folder: Path, closed: str) -> None:
    command = f"{sys.executable} -m satcross solve s.txt w.txt out.txt {closed}"
    assert subprocess.run(command, shell=True, cwd=folder, check=False).returncode == FILLED
    assert (folder / "out.txt").exists()


def test_a_time_limit_with_the_largest_seed(folder: Path) -> None:
    (folder / "s.txt").write_text("_________\n" * 9)
    arguments = ["--seed", str(2**31 - 1), "--workers", "3", "--time-limit", "0.5"]
    result = run(folder, "solve", "s.txt", *arguments)
    assert (result.returncode, result.stdout) == (UNKNOWN, b"Unknown: time limit.\n")


def test_json_where_the_terminal_has_no_such_letter(folder: Path) -> None:
    (folder / "s.txt").write_text("__\n")
    (folder / "w.txt").write_text("şa\n", encoding="utf-8")
    result = run(folder, "solve", "s.txt", "w.txt", "--json", encoding="cp1252")
    assert json.loads(result.stdout.decode("ascii"))["grid"] == ["ŞA"]


def test_decomposed_letters_are_one_letter_everywhere(folder: Path) -> None:
    word = "cafe\N{COMBINING ACUTE ACCENT}"
    (folder / "s.txt").write_text("____\n")
    (folder / "w.txt").write_text(f"{word}\ntest\n", encoding="utf-8")
    result = run(folder, "solve", "s.txt", "w.txt", "--lock", f"1A={word}")
    assert result.stdout.decode() == "CAFÉ\n"
    result = run(folder, "solve", "s.txt", "w.txt", "--exclude", word)
    assert result.stdout.decode() == "TEST\n"
    (folder / "s.txt").write_text("___e\N{COMBINING ACUTE ACCENT}\n", encoding="utf-8")
    result = run(folder, "solve", "s.txt", "w.txt", "--letters")
    assert result.stdout.decode() == "CAFÉ\n"


def test_locks_have_the_marks_and_capitals_of_the_list(folder: Path) -> None:
    (folder / "s.txt").write_text("____\n")
    for words, lock, fill in (
        ("isim\n\u0131\u015f\u0131k\nizmir\n", "1A=isim", "İSİM"),
        ("über\nubox\nmäße\n", "r1c1=ü", "ÜBER"),
    ):
        (folder / "w.txt").write_text(words, encoding="utf-8")
        result = run(folder, "solve", "s.txt", "w.txt", "--lock", lock)
        assert result.stdout.decode() == f"{fill}\n"


def test_rules_are_named_when_they_are_the_reason(folder: Path) -> None:
    reasons = {
        ("--min-score", "99"): "the minimum score of 99",
        ("--exclude", "w.txt", "--min-score", "1"): "the excluded words",
    }
    for flags, reason in reasons.items():
        result = run(folder, "solve", "s.txt", "w.txt", *flags)
        assert result.returncode == UNFILLABLE
        text = f"No solution: there is no word of 3 letters for 1A, because of {reason}.\n"
        assert result.stdout.decode() == text


def test_oddities_are_noted_once(folder: Path) -> None:
    (folder / "w.txt").write_bytes(b"\xef\xbb\xbfcat\ncub\nbed\ntod\nx\ny\nowl;50.5\n")
    result = run(folder, "solve", "s.txt", "w.txt")
    assert result.stderr.decode().splitlines() == [
        "satcross: note: w.txt: the byte order mark is ignored",
        "satcross: note: w.txt: scores with decimals are rounded",
        "satcross: note: w.txt: 2 lines dropped, a single letter fits no slot (first line 5: 'x')",
    ]
    assert run(folder, "solve", "s.txt", "w.txt", "--quiet").stderr == b""


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['satcross', '--help']\n"
        "from satcross.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'ortools', 'pysat', 'PIL', 'pandas', 'multiprocessing'}\n"
        "sys.exit(','.join(heavy & set(sys.modules)) or 0)"
    )
    # Measuring coverage imports libraries of its own.
    environment = {name: value for name, value in os.environ.items() if "COVERAGE" not in name}
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False, env=environment
    )
    assert result.returncode == 0, result.stderr
    assert b"solve" in result.stdout


def test_help_describes_every_argument_and_option_with_an_example() -> None:
    from satcross.cli import COMMANDS, cli

    with click.Context(cli) as root:
        for name in [name for commands in COMMANDS.values() for name in commands]:
            command = cli.get_command(root, name)
            assert command is not None
            assert "xample" in (command.epilog or "")
            with click.Context(command, parent=root, info_name=name) as context:
                records = [item.get_help_record(context) for item in command.get_params(context)]
            assert all(record and len(record[1]) > 8 for record in records), name


def test_a_search_that_ignores_its_limit_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    noted = Event()
    monkeypatch.setattr(limited, "LATE_SECONDS", 0.0)
    monkeypatch.setattr(limited, "note", lambda text: noted.set() if "guess" in text else None)
    with limited.noted_when_late(0.01, "guess"):
        assert noted.wait(PATIENCE)
