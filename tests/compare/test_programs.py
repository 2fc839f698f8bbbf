"""Programs of any kind as contenders: what they get, and what is made of what they print."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from pathlib import Path

import pytest

from satcross import Grid, InputError, Puzzle, Vocabulary
from satcross.compare.limits import RunLimits
from satcross.compare.programs import Program
from satcross.compare.records import Record
from satcross.compare.runs import Instance, Run, execute

GRID = Grid.from_rows(["___", "_#_", "___"])
FRAMED = Grid.from_rows(["####", "___#", "_#_#", "___#", "####"])
WORDS = ["CAT", "CUB", "BED", "TOD"]
FILLABLE = Puzzle(GRID, Vocabulary(WORDS))
NO_FILL = Puzzle(GRID, Vocabulary(["CAT", "DOG", "ELK", "FOX"]))
ONLY_REPEATS = Puzzle(Grid.from_rows(["__", "__"]), Vocabulary(["AB", "BA", "AA"]))
LOCKED = Puzzle(GRID, Vocabulary(WORDS), {"1A": "CUB"})
LIMITS = RunLimits(60, 60, 4000)


def ask(command: str, puzzle: Puzzle = FILLABLE, limits: RunLimits = LIMITS) -> Record:
    return execute(Run(Instance(puzzle, "s", "w"), Program(command), limits, seed=7, workers=2))


@pytest.fixture
def script(tmp_path: Path) -> Path:
    return tmp_path / "program.py"


def ace() -> str:
    """The path of ACE's archive, which comes with pycsp3; "" if it is not installed."""
    spec = importlib.util.find_spec("pycsp3")
    folders = spec.submodule_search_locations if spec else None
    found = sorted(Path(folders[0]).glob("solvers/ace/ACE-*.jar")) if folders else []
    return str(found[-1]) if found and shutil.which("java") else ""


SOLVERS = {
    "minizinc": "minizinc --solver gecode -r {seed} {mzn}",
    "clasp": "clasp --quiet=0,2 --seed={seed} {opb}",
    "ace": f"java -jar {ace()} {{xcsp}} -t={{time}}s",
    "satcross": f"{sys.executable} -m satcross solve {{structure}} {{words}} --json",
}


@pytest.mark.parametrize("name", SOLVERS)
def test_real_solvers_fill_and_refute(name: str) -> None:
    if not (ace() if name == "ace" else name == "satcross" or shutil.which(name)):
        pytest.skip(f"{name} is not installed")
    record = ask(f"{name}={SOLVERS[name]}")
    assert (record.contender, record.kind, record.status) == (name, "program", "filled")
    assert record.verified
    assert record.fill in [("CAT", "U#O", "BED"), ("CUB", "A#E", "TOD")]
    assert ask(SOLVERS[name], ONLY_REPEATS).status == "unfillable"
    if name != "satcross":
        assert ask(SOLVERS[name], NO_FILL).status == "unfillable"
        assert ask(SOLVERS[name], LOCKED).fill == ("CUB", "A#E", "TOD")
        assert {"encode", "solve"} <= set(record.seconds)
        assert ask(SOLVERS[name], Puzzle(FRAMED, Vocabulary(WORDS))).verified


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
        ("", 0, "crashed", "unreadable answer"),
        ("", 3, "crashed", "crash"),
    ],
)
def test_answers(script: Path, printed: str, code: int, status: str, reason: str) -> None:
    script.write_text(
        f"import sys\nsys.stdout.reconfigure(encoding='utf-8')\nprint({printed!r}, end='')\n"
        f"sys.exit({code})\n"
    )
    record = ask(f"{sys.executable} {script} {{json}}")
    assert (record.status, record.reason) == (status, reason)
    assert record.stats == ({"n": 3} if '"n"' in printed else {})


def test_what_a_program_gets(script: Path, tmp_path: Path) -> None:
    script.write_text(
        "import json, sys\n"
        "structure, words, puzzle, *rest = sys.argv[1:]\n"
        "seen = [open(structure).read(), open(words).read(), json.load(open(puzzle)), rest]\n"
        f"json.dump(seen, open({str(tmp_path / 'seen')!r}, 'w'))\nprint('UNKNOWN')\n"
    )
    files = "{structure} {words} {json}"
    command = f"{sys.executable} {script} {files} {{seed}} {{time}} {{workers}} {{memory}}"
    assert ask(command, limits=RunLimits(60, 20, 500)).processors == 2
    structure, words, puzzle, rest = json.loads((tmp_path / "seen").read_text())
    assert structure == "___\n_█_\n___\n"
    assert sorted(words.split()) == sorted(WORDS)
    assert (puzzle["rows"], rest) == (["___", "_#_", "___"], ["7", "20", "2", "500"])


@pytest.mark.parametrize("placeholder", ["{structure}", "{mzn}", "{opb}", "{xcsp}"])
def test_rules_that_a_format_lacks(script: Path, placeholder: str) -> None:
    puzzle = Puzzle(GRID, Vocabulary(WORDS), theme=frozenset({"CAT"}))
    record = ask(f"{sys.executable} {script} {placeholder}", puzzle)
    assert (record.status, record.reason) == ("unknown", "not asked")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("cat nothing", "has no puzzle"),
        ("cadical {cnf}", "--external"),
        ("nonesuch {json}", "no program 'nonesuch'"),
        ("x='cat {json}", "quotes"),
    ],
)
def test_commands_that_cannot_be_used(command: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Program(command)
