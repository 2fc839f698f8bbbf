"""Contenders by name: from files, suites, plug-ins, and the ready ones."""

from __future__ import annotations

import re
import shutil
import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import pytest
from compare.made_up import FAKE, FILLABLE, ONLY_REPEATS, WORDS, ask

from satcross import Grid, InputError, Puzzle
from satcross.compare import contender_files, read_answers
from satcross.compare.backend_contenders import BackendContender
from satcross.compare.certify import ready_tables
from satcross.compare.command_lines import CommandTable
from satcross.compare.contender_files import find_contenders, open_contender, read_contender_file
from satcross.compare.contenders import Contender
from satcross.compare.suite import read_suite

NAMED = "[[contender]]\nname = 'a'\n"
FRAMED = Grid.from_rows(["####", "___#", "_#_#", "___#", "####"])
TABLE = f"""[[contender]]
name = "mine"
command = "{FAKE} solve {{cnf}}"
version = "{sys.executable} --version"
statistics = {{ found = 'found by (\\w+)', count = '(\\d+),000', nothing = 'no such (line)' }}
"""


def test_a_file_says_version_and_statistics(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("contenders = 1\n" + TABLE)
    (contender,) = find_contenders([str(path)])
    assert find_contenders([f"{path}:mine"]) == [contender]
    with pytest.raises(InputError, match="no contender 'yours'; choose from mine"):
        find_contenders([f"{path}:yours"])
    record = ask(contender)
    assert (record.contender, record.kind, record.status) == ("mine", "external", "filled")
    assert record.program_version == f"Python {sys.version.split()[0]}"
    assert record.stats["found"] == "PySAT"
    assert "nothing" not in record.stats


def test_a_pattern_that_does_not_end_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out").write_text("A" * 60 + "!")
    monkeypatch.setattr(read_answers, "_PATTERN_SECONDS", 0.1)
    table = CommandTable("a", "a", statistics={"found": "^(A+)+$"})
    with pytest.raises(InputError, match=r"pattern .* takes longer than 0.1 s"):
        table.read(tmp_path / "out")


def test_a_suite_carries_contenders(tmp_path: Path) -> None:
    path = tmp_path / "suite.toml"
    text = "suite = 1\n[[puzzle]]\nname = 'a'\nstructure = 'a.txt'\n"
    path.write_text(text + TABLE + TABLE.replace("mine", "gone").replace(FAKE, "nonesuch"))
    suite = read_suite(str(path))  # although a program is missing
    (contender,) = find_contenders(["mine"], suite.contenders, suite.path)
    assert contender.name == "mine"
    with pytest.raises(InputError, match="no program 'nonesuch'"):
        find_contenders(["gone"], suite.contenders, suite.path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("contender = 3\n", "Expected `object`, got `int`"),
        (NAMED, "missing required field `command`"),
        (NAMED + "comand = 'sh'\n", "unknown field `comand`"),
        (NAMED + "command = 'sh {strcture}'\n", "has {strcture}; did you mean {structure}?"),
        (NAMED.replace("'a'", "'a b'") + "command = 'sh {cnf}'\n", "matching regex"),
        (2 * TABLE, "two tables are named 'mine'"),
        (TABLE.replace("(\\w+)", "(").replace(r"(\w+)", "("), "regular"),
        (TABLE.replace("(line)", "line"), "has 0 groups"),
        ("x = ", "not valid TOML"),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "c.toml"
    path.write_text(f"contenders = 1\n{text}")
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        read_contender_file(str(path))
    assert caught.value.file == str(path)
    path.write_text("")
    with pytest.raises(InputError, match="not a file of contenders; begin it with contenders = 1"):
        read_contender_file(str(path))


def test_unknown_names_and_missing_programs() -> None:
    with pytest.raises(InputError, match="no contender 'nobody'"):
        find_contenders(["nobody"])
    with pytest.raises(InputError, match="no Python package 'no_such_package'"):
        open_contender(CommandTable("a", "sh {package:no_such_package} {json}"))


def test_a_plug_in(monkeypatch: pytest.MonkeyPatch) -> None:
    group = contender_files.PLUG_INS
    here = EntryPoint("quick", f"{__name__}:plug_in", group)
    broken = EntryPoint("broken", f"{__name__}:nothing_here", group)

    def installed(**_: Any) -> EntryPoints:
        return EntryPoints([here, broken])

    monkeypatch.setattr(contender_files, "entry_points", installed)
    monkeypatch.setitem(sys.modules, __name__, sys.modules[plug_in.__module__])
    assert find_contenders(["quick"]) == [BackendContender("backtrack")]
    with pytest.raises(InputError, match="the plug-in 'broken' fails"):
        find_contenders(["broken"])


def plug_in() -> Contender:
    return BackendContender("backtrack")


def test_only_a_checked_proof_counts_when_proofs_are_wanted() -> None:
    def fake(mode: str, **more: Any) -> Contender:
        return open_contender(CommandTable("fake", f"{FAKE} {mode} {{cnf}}", **more))

    lie = ask(fake("lie"), ONLY_REPEATS, certify=True)
    assert (lie.status, lie.reason, lie.certified) == ("unknown", "no checked proof", True)
    proved = ask(fake("prove", proof="{proof}"), ONLY_REPEATS, certify=True)
    assert (proved.status, proved.verified) == ("unfillable", True)
    believed = ask(fake("prove", proof="{proof}"), ONLY_REPEATS)
    assert (believed.status, believed.verified, believed.certified) == ("unfillable", None, False)
    assert believed.key != proved.key
    own = ask(BackendContender("backtrack"), ONLY_REPEATS, certify=True)
    assert (own.status, own.verified, own.certified) == ("unfillable", True, True)
    assert own.wall > own.seconds["prove"] > 0
    assert own.stats["checker"] == "satcross"
    assert "check" in own.seconds


@pytest.mark.parametrize(
    ("script", "status", "reason"),
    [
        ("echo s VERIFIED", "unfillable", ""),
        ("echo s NOT VERIFIED", "wrong", "wrong proof"),
        ("echo hm", "unknown", "no checked proof"),
        ("sleep 1000", "unknown", "no checked proof"),
    ],
)
def test_a_checker_is_an_entry_with_limits_of_its_own(
    tmp_path: Path, script: str, status: str, reason: str
) -> None:
    """A proof that its checker does not get through leaves the answer uncertified, not denied."""
    program = tmp_path / "checker"
    program.write_text(f"#!/bin/sh\ntest -f $1 && test -f $2 && {script}\n")
    program.chmod(0o755)
    text = (
        "contenders = 1\n[[contender]]\nname = 'mine'\nproof = '{proof}'\nproof_format = 'lrat'\n"
        f"command = '{FAKE} prove {{cnf}}'\n[[checker]]\nname = 'mine'\nformats = ['lrat']\n"
        f"command = '{program} {{cnf}} {{proof}}'\nverified = '^s VERIFIED'\nrejected = '^s NOT'\n"
    )
    (tmp_path / "c.toml").write_text(text)
    [contender] = find_contenders([str(tmp_path / "c.toml")])
    record = ask(contender, ONLY_REPEATS, certify=True, check_seconds=0.5)
    assert (record.status, record.reason) == (status, reason)
    outcome = {"wrong": "failed", "unknown": "not certified"}.get(status, "answered")
    assert record.outcome == outcome
    assert record.stats["checker"] == "mine"


@pytest.mark.parametrize("name", [table.name for table in ready_tables("contender", CommandTable)])
def test_ready_contenders_fill_and_refute(name: str) -> None:
    """Each ready contender whose program is installed."""
    try:
        (contender,) = find_contenders([name])
    except InputError as error:
        pytest.skip(error.problem)
    if name == "chuffed" and not shutil.which("fzn-chuffed"):
        pytest.skip("chuffed is not installed")
    locked = Puzzle(FRAMED, WORDS, {"1A": "CUB"})
    # These two get a list of words and cells or slots, which can't state a lock.
    plain = name in ("ingrid_core", "qxw")
    record = ask(contender, FILLABLE if plain else locked)
    assert (record.contender, record.status, record.verified) == (name, "filled", True)
    if contender.kind == "program":
        assert {"encode", "solve"} <= set(record.seconds) or plain
    assert ask(contender, ONLY_REPEATS).status == "unfillable"
