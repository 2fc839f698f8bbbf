"""The grader: it passes right programs, names mistakes, and survives any program."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from cs50 import trial
from helpers import PATIENCE, ROOT, until

from satcross.cs50.commands.grade import command
from satcross.cs50.grading import CheckResult, check_names, run_checks, runner
from satcross.cs50.grading.checks import INFERENCE_HINT, REVISE_HINT
from satcross.cs50.grading.puzzles import HARD
from satcross.cs50.grading.subject import CHECKS
from satcross.errors import InputError


def variant(folder: Path, *changes: tuple[str, str]) -> Path:
    """Write a copy of the included program with some text replaced into ``folder``."""
    text = (ROOT / "satcross" / "cs50" / "crossword.py").read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} is not there just once"
        text = text.replace(old, new)
    (folder / "satcross").mkdir(parents=True)
    (folder / "satcross" / "cs50.py").write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "generate.py", folder)
    return folder / "generate.py"


def student(folder: Path, text: str) -> Path:
    """A generate.py with this text."""
    (folder / "generate.py").write_text(text)
    return folder / "generate.py"


def invoke(*arguments: object) -> Result:
    """Run ``satcross grade``."""
    return CliRunner().invoke(command, [*map(str, arguments)])


def failures(path: Path, *names: str, time_limit: float = 60.0) -> dict[str, CheckResult]:
    """The checks by name that fail, or remark on something; import, if none is chosen."""
    results = run_checks(path, time_limit=time_limit, names=names or ("import",))
    return {result.name: result for result in results if result.message}


@pytest.fixture(autouse=True)
def one_hash_seed(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """The others are against wrong programs that are lucky; test_cs50_programs.py has others."""
    if "seeds" not in request.node.name:
        monkeypatch.setattr(runner, "HASH_SEEDS", runner.HASH_SEEDS[-1:])


def test_our_own_program_passes_what_needs_processes(tmp_path: Path) -> None:
    """The import, the command and the hard puzzles; test_cs50_programs.py has the other checks."""
    names = [name for name in CHECKS if name not in trial.QUICK]
    done = invoke(variant(tmp_path / "a"), "--json", "--only", ",".join(names[1:]))
    answer = json.loads(done.stdout)
    assert [check["name"] for check in answer["checks"]] == names
    assert [check for check in answer["checks"] if not check["passed"]] == []
    assert (done.exit_code, answer["passed"], answer["failed"]) == (0, len(names), 0)


# Variants that are wrong on purpose


def test_chosen_variable_never_narrowed(tmp_path: Path) -> None:
    change = ("if word is None else {word}", "if word is None else domain")
    path = variant(tmp_path / "b", change)
    names = ["import", "solve_unique", *(puzzle.name for puzzle in HARD)]
    results = {result.name: result for result in run_checks(path, time_limit=5, names=names)}
    assert [name for name in results if results[name].passed] == names[:2]
    result = results["hard_9x9"]
    assert "no answer after 1 s" in result.message
    assert "self.domains still held" in result.message
    assert "self.domains[var] = {word}" in result.hint
    # After two of the harder puzzles, the others would take too long as well.
    assert [name for name in names[2:] if results[name].was_run] == names[2:4]


def test_what_the_course_does_not_notice_is_a_remark(tmp_path: Path) -> None:
    """Sorting by the second letter is right by luck on the course's puzzle, and endless is late."""
    body = "    def order_domain_values(self, var, assignment):\n"
    body += "        return sorted(self.domains[var], key=lambda word: word[1])\n"
    body += "    def assignment_complete(self, assignment):\n"
    body += "        while 'LEMON' not in assignment.values(): pass\n        return True\n"
    names = ["import", "order_values", "complete_full", "letter_grid"]
    _, full, order, grid = run_checks(student(tmp_path, INIT + body), time_limit=5, names=names)
    assert (full.passed, order.passed, grid.passed) == (True, True, False)
    assert "expected ['" in order.message
    assert "no answer after 1 s" in full.message


# Programs that misbehave

MISBEHAVING = tomllib.loads((trial.HERE / "misbehaving.toml").read_text())
START = "from crossword import *\n\nclass CrosswordCreator():\n"
INIT = START + (
    "    def __init__(self, crossword):\n"
    "        self.crossword = crossword\n"
    "        self.domains = {v: crossword.words.copy() for v in crossword.variables}\n"
)


@pytest.mark.parametrize(("text", "words"), MISBEHAVING["imported"])
def test_a_program_that_cannot_be_imported(tmp_path: Path, text: str, words: str) -> None:
    limit = 1 if "while" in text else 60
    results = list(run_checks(student(tmp_path, text), time_limit=limit))
    assert [result.name for result in results] == list(CHECKS)
    assert not any(result.passed for result in results)
    assert words in results[0].message
    assert all("not run" in result.message for result in results[1:])


@pytest.mark.parametrize(("body", "words"), MISBEHAVING["solve"])
def test_a_solve_that_ends_its_process_or_nothing(tmp_path: Path, body: str, words: str) -> None:
    path = student(tmp_path, INIT + f"    def solve(self):\n        {body}\n")
    endless = "while" in body or "sleep" in body
    limit = 1 if endless else PATIENCE
    while "import" in (failed := failures(path, "import", "solve_unique", time_limit=limit)):
        limit *= 4  # the machine stood still for so long
        assert limit < PATIENCE
    assert set(failed) == {"solve_unique"}
    assert words in f"{failed['solve_unique'].message}. {failed['solve_unique'].hint}"


@pytest.mark.parametrize(("check", "method", "body", "words"), MISBEHAVING["methods"])
def test_a_method_that_misbehaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, check: str, method: str, body: str, words: str
) -> None:
    """Asked in this process, to which they do no harm."""
    monkeypatch.setitem(sys.modules, "crossword", sys.modules["satcross.cs50.crossword"])
    space: dict[str, Any] = {"__name__": "generate"}
    text = INIT + f"    def {method}:\n        {body}\n"
    exec(compile(text, str(tmp_path / "generate.py"), "exec"), space)
    message = trial.judge(space["CrosswordCreator"], tmp_path, [check])
    assert words in message[check]


@pytest.mark.skipif(not hasattr(signal, "SIGXCPU"), reason="a signal of Unix")
@pytest.mark.parametrize(
    ("sent", "message", "hint"),
    [
        ("SIGXCPU", ": no answer after 12 s", f"{INFERENCE_HINT} {REVISE_HINT}"),
        ("SIGTERM", ": the process was ended by signal SIGTERM", ""),
    ],
)
def test_signals_that_do_not_tell_of_memory(
    tmp_path: Path, sent: str, message: str, hint: str
) -> None:
    body = f"    def solve(self):\n        import os, signal; os.kill(os.getpid(), signal.{sent})\n"
    failed = failures(student(tmp_path, INIT + body), "hard_9x9")["hard_9x9"]
    assert message in failed.message
    assert failed.hint == hint


@pytest.mark.parametrize("seed", runner.HASH_SEEDS)
def test_a_mistake_under_one_of_the_seeds_is_found(tmp_path: Path, seed: str) -> None:
    text = f"import os\nassert os.environ['PYTHONHASHSEED'] != '{seed}', 'unlucky'\n"
    assert "unlucky" in failures(student(tmp_path, text + INIT))["import"].message


def test_a_search_of_another_name_is_fine(tmp_path: Path) -> None:
    path = variant(
        tmp_path / "a",
        ("return self.backtrack({})", "return self.search({})"),
        ("def backtrack(self", "def search(self"),
        ("fill = self.backtrack(attempt)", "fill = self.search(attempt)"),
    )
    assert failures(path, "hard_lattice") == {}


def test_waiting_for_a_processor_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter([1000.0] * 4)
    monkeypatch.setattr(runner, "_LOOK_SECONDS", 0.01)
    monkeypatch.setattr(runner, "_seconds_in_queue", lambda pid: next(looks, 0.0))
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"]) as process:
        try:
            assert runner._wait(process, 0.001) == (None, 0.0)
        finally:
            process.kill()
    assert next(looks, None) is None  # it was given time as long as it seemed to wait


MAIN = INIT + "\nif __name__ == '__main__':\n"


@pytest.mark.parametrize(("main", "words"), MISBEHAVING["command"])
def test_a_command_that_misbehaves(tmp_path: Path, main: str, words: str) -> None:
    limit = 20 if "threading" in main else 300
    failed = failures(
        student(tmp_path, f"{MAIN}    {main}"), "command_no_solution", time_limit=limit
    )
    result = failed["command_no_solution"]
    assert words in result.message + result.hint


def test_a_process_left_behind_by_the_command_is_not_waited_for(tmp_path: Path) -> None:
    code = (
        "    import subprocess, sys\n"
        "    subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'])\n"
        "    print('No solution.', flush=True)\n"
    )
    assert failures(student(tmp_path, MAIN + code), "command_no_solution") == {}


HOLD = "import fcntl; file = open({!r}, 'a'); fcntl.flock(file, fcntl.LOCK_EX); "
HOLD += "file.write('held'); file.flush(); "
"""Hold a file for as long as the program lives."""


def assert_free(lock: Path) -> None:
    with lock.open("a") as file:
        pytest.importorskip("fcntl").flock(file, 2)  # LOCK_EX waits until nobody holds it
        assert lock.read_text() == "held"


def test_processes_left_behind_are_ended(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    child = HOLD.format(str(lock)) + "import time; time.sleep(1000)"
    body = (
        "    def solve(self):\n"
        "        import os, subprocess, sys, time\n"
        f"        subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        f"        while not os.path.exists({str(lock)!r}) or not open({str(lock)!r}).read():\n"
        "            time.sleep(0.01)\n"
        "        os._exit(0)\n"
    )
    failures(student(tmp_path, INIT + body), "solve_unique")
    assert_free(lock)


def test_an_endless_program_does_not_outlive_a_killed_grader(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    lock = tmp_path / "lock"
    program = student(tmp_path, HOLD.format(str(lock)) + "\nwhile True: pass\n")
    code = "import sys; from satcross.cs50.grading import run_checks; "
    code += "list(run_checks(sys.argv[1], time_limit=1))"
    grader = subprocess.Popen([sys.executable, "-c", code, str(program)])
    until(lambda: lock.exists() and lock.read_text(), "the program holds it")
    grader.kill()
    grader.wait()
    assert_free(lock)


# Which files are copied


def test_what_lies_beside_the_program(tmp_path: Path) -> None:
    """Python files travel, also with the names of our modules; crossword and the rest do not."""
    for name, text in {
        "crossword.py": "raise ValueError('the old crossword.py')\n",
        "crossword/__init__.py": "raise ValueError('the old package')\n",
        "helper/__init__.py": "from helper.words import word\n",
        "helper/words.py": "word = 1\n",
        "data.txt": "data\n",
        ".hidden/secret.py": "",
        **dict.fromkeys(("checks.py", "puzzles.py", "runner.py", "satcross.py"), "mine = True\n"),
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    path = student(
        tmp_path,
        "import os, helper, checks, puzzles, runner, satcross\n"
        "assert checks.mine and satcross.mine\n"
        "assert not os.path.exists('data.txt') and not os.path.exists('.hidden')\n" + INIT,
    )
    before = sorted(tmp_path.rglob("*"))
    assert failures(path) == {}
    assert failures(tmp_path) == {}  # the folder may be given instead of the file
    assert sorted(tmp_path.rglob("*")) == before
    path.rename(tmp_path / "my_solution.py")
    assert failures(tmp_path / "my_solution.py") == {}


@pytest.mark.parametrize(
    ("text", "check", "message", "hint"),
    [
        (
            f"{INIT}\nassert not {{'deque', 'Counter', 'annotations'}} & set(globals())\nPath\n",
            "import",
            "NameError: name 'Path' is not defined",
            "an import missing",
        ),
        (f"import click\n{INIT}", "import", "No module named 'click'", "packages are not there"),
        (f"{MAIN}    import click\n", "command_usage", "No module named 'click'", ""),
        (
            (ROOT / "generate.py").read_text(),
            "import",
            "No module named 'satcross'",
            "your .py files from beside generate.py",
        ),
    ],
)
def test_only_what_the_course_has_is_there(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    check: str,
    message: str,
    hint: str,
) -> None:
    """Crossword brings two names, and no package is there that is installed or on a path."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    result = failures(student(tmp_path, text), check)[check]
    assert message in result.message
    assert hint in result.hint


def test_every_check_gets_a_fresh_copy(tmp_path: Path) -> None:
    change = (
        "        self.enforce_node_consistency()\n        self.ac3()\n",
        '        Path("generate.py").write_text("raise ValueError")\n'
        '        Path("data", "left.py").write_text("")\n'
        "        self.enforce_node_consistency()\n        self.ac3()\n",
    )
    path = variant(tmp_path / "a", change)
    assert failures(path, "solve_unique", "solve_none", "own_domains", "print") == {}
    assert path.read_text() == (ROOT / "generate.py").read_text()


def test_helpers_with_the_names_of_standard_modules(tmp_path: Path) -> None:
    names = ("copy", "dataclasses", "traceback", "json", "token", "io")
    for name in names:
        (tmp_path / f"{name}.py").write_text("mine = True\n")
    failed = failures(student(tmp_path, INIT), "solve_unique", "own_domains")
    assert set(failed) == {"solve_unique"}
    assert "has no method solve" in failed["solve_unique"].message
    # io is part of Python itself, so that a student's io.py is never imported.
    own = "".join(f"import {name}\nassert {name}.mine\n" for name in names[:-1])
    assert failures(student(tmp_path, own + INIT), "own_domains") == {}


def test_a_time_limit_is_positive(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="positive"):
        list(run_checks(student(tmp_path, INIT), time_limit=0))


# The puzzles


def test_hard_puzzles_are_always_the_same() -> None:
    import hashlib

    words = "\n".join(word for puzzle in HARD for word in puzzle.words())
    assert hashlib.sha256(words.encode()).hexdigest() == HARD_WORDS
    for puzzle in HARD:
        assert f"from {len(puzzle.words()):,} words" in puzzle.description


HARD_WORDS = "922842f6f4320272460cbd4734f34e2fd42005a681d3b4672bd1942c371f2e1e"


# The command


def test_the_command_prints_a_line_a_check(tmp_path: Path) -> None:
    path = student(tmp_path, "import sys; sys.exit(0)")
    done = invoke(path)
    assert done.exit_code == 20
    assert done.stdout.startswith("FAIL  import: ")
    assert "SystemExit" in done.stdout
    assert "Hint: " in done.stdout
    assert "0 of 20 required checks pass, 0 of 29 optional" in done.stdout


def test_the_same_error_is_explained_once_and_an_interrupt_prints_what_was_checked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def results(*_: object, **__: object) -> Iterator[CheckResult]:
        for name, call in (("one", "f(1)"), ("two", "f(2)")):
            message = f"{call} raised KeyError: 3"
            yield CheckResult(name, False, message, "Look.", 0.1, "works", "required")
        raise KeyboardInterrupt

    monkeypatch.setattr("satcross.cs50.commands.grade.run_checks", results)
    done = invoke("generate.py")
    assert done.stdout.count("Hint: Look.") == 1
    assert "The same error as in one: KeyError: 3" in done.stdout
    assert "0 of 2 required checks pass so far" in done.stdout
    for name in ("ann", "bob"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "generate.py").touch()
    table = tmp_path / "class.csv"
    invoke(tmp_path, "--csv", table)
    rows = [line.split(",") for line in table.read_text().splitlines()]
    assert [(row[0], row[6]) for row in rows[1:]] == [
        ("ann", "interrupted"),
        ("bob", "interrupted"),
    ]


def test_only_required_checks_decide_and_a_class_becomes_a_table(tmp_path: Path) -> None:
    ours = (ROOT / "satcross" / "cs50" / "crossword.py").read_text(encoding="utf-8")
    creator = ours[ours.index("class CrosswordCreator") :]
    head = ours[: ours.index("class Variable")]
    for name, text in {
        "ann": creator,
        "bob": creator.replace("if len(word) == var.length}", "}"),
    }.items():
        (tmp_path / name / ".venv" / "lib").mkdir(parents=True)
        (tmp_path / name / ".venv" / "lib" / "heavy.py").write_text("")
        (tmp_path / name / "generate.py").write_text(
            head + "from crossword import *\n" + text + "\ndef main(): print('Hello')\n"
        )
    (tmp_path / "cid").mkdir()
    (tmp_path / "cid" / "Generate.py").touch()
    table = tmp_path / "class.csv"
    chosen = "node_consistency,print,command_usage"
    done = invoke(tmp_path, "--csv", table, "--only", chosen)
    assert done.exit_code == 20
    assert done.stdout.splitlines() == [
        "ann: 2 of 2 required checks pass, 1 of 2 optional; begin with command_usage",
        "bob: 1 of 2 required checks pass, 1 of 2 optional; begin with node_consistency",
        "cid: no generate.py",
    ]
    header, ann, bob, cid = (line.split(",") for line in table.read_text().splitlines())
    assert header[-4:] == ["import", "node_consistency", "print", "command_usage"]
    assert ann == ["ann", "2", "2", "1", "2", "3", "command_usage", "1", "1", "1", "0"]
    assert bob[:7] == ["bob", "1", "2", "1", "2", "2", "node_consistency"]
    assert cid[:7] == ["cid", "0", "0", "0", "0", "0", "no generate.py"]
    done = invoke(tmp_path / "ann", "--only", "print,command_usage", "--json")
    assert done.exit_code == 0  # what fails is optional
    data = json.loads(done.stdout)
    assert (data["failed"], data["required_passed"], data["points"]) == (1, True, 2)
    checks = {check["name"]: check for check in data["checks"]}
    assert (checks["import"]["category"], checks["import"]["course"]) == (
        "required",
        "exists, imports",
    )
    assert checks["print"]["category"] == "optional"
    refused = invoke(tmp_path / "ann", "--only", "pritn")
    assert "Did you mean 'print'?" in refused.stderr + str(refused.exception)


def test_required_names_are_those_of_the_course() -> None:
    assert len(check_names(optional=False)) == 20
    assert sum(check.points for check in CHECKS.values()) == 25
    shadowed = [name for name, check in CHECKS.items() if check.course.startswith("(")]
    assert shadowed == ["consistent_repeats", "select_degree"]


def test_a_copy_is_made_again_only_where_the_program_changed_it(tmp_path: Path) -> None:
    (tmp_path / "pristine").mkdir()
    (tmp_path / "pristine" / "generate.py").write_text("x = 1")
    trial = runner._Trial(tmp_path / "pristine")
    trial.renew()
    first = (trial.folder / "generate.py").stat().st_ino
    (trial.folder / "__pycache__").mkdir()
    trial.renew()
    assert (trial.folder / "generate.py").stat().st_ino == first
    (trial.folder / "left.txt").touch()
    trial.renew()
    assert [path.name for path in trial.folder.iterdir()] == ["generate.py"]
