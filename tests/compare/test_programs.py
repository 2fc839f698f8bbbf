"""Programs of any kind as contenders: what they get, and what is made of what they print."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from compare.made_up import FILLABLE, FILLS, LIMITS, ONLY_REPEATS, RING, WORDS, ask

from satcross import Grid, InputError, Puzzle
from satcross.compare.command_lines import CommandLine, ExternalSolver, Program
from satcross.compare.limits import RunLimits
from satcross.compare.records import Record

BARRED = Puzzle(Grid(("______",), bars=frozenset({((0, 2), (0, 3))})), WORDS)


def ask_program(command: str, puzzle: Puzzle = FILLABLE, limits: RunLimits = LIMITS) -> Record:
    return ask(Program(command), puzzle, limits, seed=7, workers=2)


def test_satcross_itself_fills_and_refutes() -> None:
    """Other solvers are tested with the contenders that are found by name."""
    command = f"{sys.executable} -m satcross solve {{structure}} {{words}} --json"
    record = ask_program(f"own={command}")
    assert (record.contender, record.kind, record.status) == ("own", "program", "filled")
    assert record.verified
    assert record.fill in FILLS
    assert ask_program(command, ONLY_REPEATS).status == "unfillable"


@pytest.mark.parametrize(
    ("printed", "code", "status", "reason"),
    [
        ("I try\nCAT\nU█O\nBED\n", 0, "filled", ""),
        ("cat\nu#o\nbed\n----------\n", 0, "filled", ""),
        ("CAT\nU#O\nBEX\n", 0, "wrong", "wrong fill"),
        ("=====UNSATISFIABLE=====\n", 0, "unfillable", ""),
        ("\x1b[92ms UNSATISFIABLE\x1b[0m\n", 20, "unfillable", ""),
        ("No solution.\n", 1, "unfillable", ""),
        ("s UNKNOWN\n", 0, "unknown", "gave up"),
        ('{"status": "filled", "grid": ["CAT", "U#O", "BED"], "stats": {"n": 3}}', 0, "filled", ""),
        ('{"status": "unfillable"}', 20, "unfillable", ""),
        ('{"status": "unknown"}', 30, "unknown", "gave up"),
        ('{"status": "filled", "grid": ["CAT"]}', 0, "crashed", "unreadable answer"),
        ('{"status": ', 0, "crashed", "unreadable answer"),
        ("it is not UNSATISFIABLE, I think\n", 0, "crashed", "unreadable answer"),
        ("CAT\nU#O\nBED\nUNSATISFIABLE\n", 0, "crashed", "unreadable answer"),
        ("CAT\nU#O\nBED\n", 3, "filled", ""),
        ("", 0, "crashed", "unreadable answer"),
        ("", 3, "crashed", "crash"),
    ],
)
def test_answers(tmp_path: Path, printed: str, code: int, status: str, reason: str) -> None:
    (tmp_path / "printed").write_text(printed)
    script = tmp_path / "program.sh"
    script.write_text(f"cat {tmp_path}/printed; exit {code}\n")
    record = ask_program(f"sh {script} {{json}}")
    assert (record.status, record.reason) == (status, reason)
    assert record.stats == ({"n": 3} if '"n"' in printed else {})
    assert "I think" not in printed or "'it is not UNSATISFIABLE, I think'" in record.detail


def test_what_a_program_gets(tmp_path: Path) -> None:
    script = tmp_path / "program.sh"
    script.write_text(
        'for n in 1 2 3; do cp "$1" "$0.$n"; shift; done; echo "$@" > "$0.rest"; echo UNKNOWN\n'
    )
    values = "{structure} {words} {json} {seed} {time} {workers} {memory}"
    assert ask_program(f"sh {script} {values}", limits=RunLimits(60, 9.5, 500)).processors == 2
    structure, words, puzzle, rest = (
        Path(f"{script}.{part}").read_text() for part in (1, 2, 3, "rest")
    )
    assert structure == "___\n_█_\n___\n"
    assert set(words.split()) == set(WORDS)
    assert (json.loads(puzzle)["rows"], rest) == (["___", "_#_", "___"], "7 9 2 500\n")


THEMED = Puzzle(RING, WORDS, theme=frozenset({"CAT"}))


@pytest.mark.parametrize(
    ("placeholder", "puzzle"),
    [
        *[(name, THEMED) for name in ("{structure}", "{mzn}", "{opb}", "{xcsp}")],
        *[(name, BARRED) for name in ("{structure}", "{dots}")],
    ],
)
def test_what_a_format_lacks(placeholder: str, puzzle: Puzzle) -> None:
    record = ask_program(f"true {placeholder}", puzzle)
    assert (record.status, record.reason) == ("unknown", "not asked")


def test_a_deck_of_qxw_has_bars(tmp_path: Path) -> None:
    (tmp_path / "printed").write_text("W0 CAT\n# CAT\nW1 BED\n# BED\n")
    record = ask_program(f"sh -c 'cp $1 $0/deck; cat $0/printed' {tmp_path} {{qxd}}", BARRED)
    assert (tmp_path / "deck").read_text() == "0000 0001 0002\n0003 0004 0005\n"
    assert (record.status, record.fill) == ("filled", ("CATBED",))


@pytest.mark.parametrize(
    ("kind", "command", "message"),
    [
        (Program, "cat nothing", "has no puzzle"),
        (Program, "cadical {cnf}", "--external"),
        (Program, "nonesuch {json}", "no program 'nonesuch'"),
        (Program, "x='cat {json}", "quotes"),
        (ExternalSolver, "kissat", r"no \{cnf\}"),
        (ExternalSolver, "nonesuch-solver {cnf}", "no program 'nonesuch-solver'"),
        (ExternalSolver, "'true {cnf}", "quotes"),
        (ExternalSolver, "", r"no \{cnf\}"),
    ],
)
def test_commands_that_cannot_be_used(kind: type[CommandLine], command: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        kind(command)
