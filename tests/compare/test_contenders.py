"""Contenders of all kinds, right, wrong and hanging ones, and the records of their runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from compare.made_up import (
    FAKE,
    FILLABLE,
    FILLS,
    LIMITS,
    ONLY_REPEATS,
    PLANTED,
    RING,
    WORDS,
    ask,
    fake,
    plan,
)
from helpers import DATA, PATIENCE, ROOT

from satcross import Puzzle, Vocabulary
from satcross.compare import contenders
from satcross.compare.backend_contenders import BackendContender
from satcross.compare.command_lines import ExternalSolver, Program, place_of
from satcross.compare.contenders import Contender, Instance, Run
from satcross.compare.limits import ExitInfo, RunLimits, run_limited
from satcross.compare.records import Record, read_records
from satcross.compare.runs import execute, execute_all
from satcross.compare.student_programs import StudentProgram
from satcross.compare.verdict import judge
from satcross.formats.json import puzzle_hash

WORTH_OF = {"CAT": 50, "CUB": 60, "BED": 70, "TOD": 80}
NO_SUPPORT = Puzzle(RING, Vocabulary(["CAT", "DOG", "ELK", "FOX"]))


CONTENDERS: dict[str, Contender] = {
    "sat/cadical153/full": BackendContender("sat", "cadical153", "full"),
    "backtrack": BackendContender("backtrack"),
    "python": fake("solve"),
    f"{ROOT.name}/generate.py": StudentProgram(str(ROOT)),
}


@cache
def filled(name: str) -> Record:
    """The record of a run of that contender on the puzzle that has a fill."""
    return ask(CONTENDERS[name])


@pytest.mark.parametrize("name", CONTENDERS)
def test_right_answers(name: str) -> None:
    record = filled(name)
    assert record.contender == name
    assert (record.status, record.reason, record.verified) == ("filled", "", True)
    assert record.fill in FILLS
    assert record.seed == 3
    assert record.limits == {"wall": PATIENCE, "cpu": 60, "memory": 4000}
    assert record.wall > 0
    assert record.cpu > 0
    assert record.memory > 5
    assert {"solve", "verify"} <= set(record.seconds)
    assert Record.from_line(record.to_line()) == record
    record = ask(CONTENDERS[name], ONLY_REPEATS)
    assert (record.status, record.verified, record.fill) == ("unfillable", None, None)


def test_stages_and_sizes_are_recorded() -> None:
    stages = {"load", "arc_consistency", "encode", "solve", "verify"}
    record, external = filled("sat/cadical153/full"), filled("python")
    assert (record.backend, record.solver, record.encoding) == ("sat", "cadical153", "full")
    assert set(record.seconds) == stages
    assert record.conflicts is not None
    assert set(external.seconds) == stages
    assert external.size == record.size
    assert record.size["candidates"] > record.size["consistent"] > 0
    assert record.variables is not None
    assert record.clauses is not None
    assert (external.variables, external.clauses) == (record.variables, record.clauses)
    # As for backends, the figures include writing the clauses.
    assert external.wall >= sum(external.seconds[item] for item in ("load", "encode", "solve"))
    assert external.command is not None
    assert "{cnf}" in external.command


@pytest.mark.parametrize(
    ("name", "status", "reason", "detail"),
    [
        ("denier", "unknown", "no checked proof", "while proving: "),
        ("liar", "wrong", "wrong fill", "1A: XXX is not in the vocabulary"),
        ("crasher", "crashed", "crash", "exit code 1: ZeroDivisionError: one of these days"),
        ("deaf", "unknown", "time limit", ""),
    ],
)
def test_our_own_backends_gone_wrong(
    monkeypatch: pytest.MonkeyPatch, name: str, status: str, reason: str, detail: str
) -> None:
    """That there is no fill is refuted without anybody who has one, since it needs a proof."""
    monkeypatch.setenv("PYTHONPATH", PLANTED)
    limits = RunLimits(wall=0.5) if name == "deaf" else LIMITS
    record = ask(BackendContender(name), limits=limits, certify=True)
    assert (record.status, record.reason) == (status, reason)
    assert record.detail.startswith(detail)


@pytest.mark.parametrize(
    ("mode", "status", "reason", "detail"),
    [
        ("hang", "unknown", "time limit", ""),
        ("lie", "unfillable", "", ""),  # only other answers can reveal that it is wrong
        ("wrong-model", "wrong", "wrong fill", "repeat"),
        ("empty-model", "wrong", "wrong fill", "no word"),
        ("no-model", "unknown", "no model", ""),
        ("two-minds", "crashed", "unreadable answer", "exit code 20"),
        ("rubbish", "crashed", "unreadable answer", "one two three"),
        ("chatter", "crashed", "unreadable answer", "no s line"),
        ("unknown", "unknown", "gave up", ""),
        ("crash", "crashed", "crash", "SIGSEGV"),
        ("orphan", "crashed", "crash", "the supervising process was killed (signal 9)"),
        ("fail", "crashed", "crash", "exit code 1: no licence found"),
    ],
)
def test_solvers_gone_wrong(mode: str, status: str, reason: str, detail: str) -> None:
    record = ask(fake(mode), limits=RunLimits(wall=1.5) if mode == "hang" else LIMITS)
    assert (record.status, record.reason) == (status, reason)
    assert detail in record.detail
    assert record.fill is None
    assert record.verified is (False if status == "wrong" else None)


@pytest.mark.parametrize(
    ("mode", "status", "reason", "detail"),
    [
        ("prove", "filled", "", ""),
        ("prove-nothing", "wrong", "wrong proof", "does not derive a conflict"),
        ("prove-by-decree", "wrong", "wrong proof", "the lemma of line 1 does not follow"),
        ("prove-in-rubbish", "unknown", "no checked proof", "is not a text file"),
        ("lie", "unknown", "no checked proof", "the solver wrote no proof"),
    ],
)
def test_nobody_is_believed_without_the_proof_that_was_asked_for(
    mode: str, status: str, reason: str, detail: str
) -> None:
    solver = ExternalSolver(f"{FAKE} {mode} {{cnf}} {{proof}}")
    record = ask(solver)
    assert (record.status, record.reason) == (status, reason)
    assert detail in record.detail
    if mode == "prove":
        proved = [ask(solver, puzzle) for puzzle in (NO_SUPPORT, ONLY_REPEATS)]
        assert [(item.status, item.verified) for item in proved] == [("unfillable", True)] * 2
        assert all("check" in item.seconds for item in proved)
        # The proof is of the puzzle, not of the two clauses by which arc consistency refutes it.
        clauses = [item.clauses or 0 for item in (proved[0], ask(fake("solve"), NO_SUPPORT))]
        assert clauses[0] > clauses[1] == 2
    if status == "wrong":
        assert record.verified is False
        assert judge([record]).problems() == [
            f"WRONG PROOF of {record.puzzle_name} by {record.contender}: {record.detail}"
        ]


Ends = list[tuple[str, RunLimits, ExitInfo]]


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> Ends:
    """The programs that are run, with their limits and ends; no formula is known before."""
    found: Ends = []

    def watched(command: Sequence[str], limits: RunLimits, scratch: Path, **more: Any) -> ExitInfo:
        name = "worker" if "worker" in command[2] else Path(command[1]).name
        found.append((name, limits, run_limited(command, limits, scratch, **more)))
        return found[-1][2]

    monkeypatch.setattr(contenders, "run_limited", watched)
    place_of.cache_clear()
    return found


def test_the_formula_is_written_once(ends: Ends) -> None:
    first, second, third = ask(fake("solve")), ask(fake("unknown")), ask(fake("solve"), NO_SUPPORT)
    assert (first.status, second.status, third.status) == ("filled", "unknown", "unfillable")
    solver = "fake_solver.py"
    assert [name for name, *_ in ends] == ["worker", solver, solver, "worker", solver]
    # Each solver is charged for it, and the sizes are known whatever the solver says.
    (_, _, writing), *solving = ends[:3]
    for _, limits, _ in solving:
        assert (limits.wall, limits.cpu) == (PATIENCE - writing.wall, 60 - writing.cpu)
    assert second.seconds["encode"] == first.seconds["encode"]
    assert (second.variables, second.clauses) == (first.variables, first.clauses)
    assert min(first.size["candidates"], first.size["consistent"]) > 0
    kept = [
        place_of(puzzle_hash(puzzle), "cnf", "", "full", True).formula
        for puzzle in (FILLABLE, NO_SUPPORT)
    ]
    folders = [formula.path.parent for formula in kept if formula is not None]
    assert [folder.exists() for folder in folders] == [True, True]
    place_of.cache_clear()
    del kept
    assert [folder.exists() for folder in folders] == [False, False]


def test_limits_of_the_solver_alone() -> None:
    alone, whole = ask(fake("solve"), solver_alone=True), ask(fake("solve"))
    assert alone.solver_alone
    assert alone.key != whole.key
    assert alone.wall == pytest.approx(alone.seconds["solve"], abs=1e-5)
    assert {"load", "encode", "solve"} <= set(alone.seconds)
    assert whole.wall > whole.seconds["solve"] + whole.seconds["encode"]


def test_a_limit_while_the_formula_is_written() -> None:
    place_of.cache_clear()
    record = ask(fake("solve"), limits=RunLimits(PATIENCE, 60, 5))
    assert (record.status, record.reason) == ("unknown", "memory limit")
    assert record.detail == "while writing the formula"


def test_a_model_in_a_file(tmp_path: Path) -> None:
    script = tmp_path / "mini"
    script.write_text(
        f"#!/bin/sh\n{FAKE} solve $1 > $2.full; code=$?\n"
        "grep '^s ' $2.full | sed 's/s SAT.*/SAT/; s/s UNSAT.*/UNSAT/' > $2\n"
        "grep '^v ' $2.full | sed 's/^v //' >> $2\necho something else\nexit $code\n"
    )
    script.chmod(0o755)
    contender = ExternalSolver(f"{script} {{cnf}} {{model}}")
    assert ask(contender).verified
    assert ask(contender, ONLY_REPEATS).status == "unfillable"


@pytest.fixture
def student(tmp_path: Path) -> Path:
    folder = tmp_path / "student"
    folder.mkdir()
    return folder / "generate.py"


@pytest.mark.parametrize(
    ("program", "status", "reason", "detail"),
    [
        ("print('I try\\nCUB\\nA█E\\nTOD\\ndone')", "filled", "", ""),
        ("print('CUB\\nA█E\\nTO ')", "wrong", "wrong fill", "BE "),
        ("print('No solution.')", "unfillable", "", ""),
        ("raise ValueError('oh no')", "crashed", "crash", "exit code 1: ValueError: oh no"),
    ],
)
def test_students(student: Path, program: str, status: str, reason: str, detail: str) -> None:
    student.write_text(program, encoding="utf-8")
    record = ask(StudentProgram(str(student)))
    assert (record.status, record.reason) == (status, reason)
    assert detail in record.detail
    assert record.kind == "student"


def test_students_get_exactly_the_words_in_use(student: Path) -> None:
    student.write_text(
        "import sys\n"
        "assert open(sys.argv[1]).read() == '___\\n_█_\\n___\\n'\n"
        "assert sorted(open(sys.argv[2]).read().split()) == ['CUB', 'HORSE', 'TOD']\n"
        "print('No solution.')\n"
    )
    vocabulary = Vocabulary({**WORTH_OF, "HORSE": 90})
    puzzle = Puzzle(RING, vocabulary, min_score=60, excluded=frozenset({"BED"}))
    record = ask(StudentProgram(str(student)), puzzle)
    assert record.detail == "the program says that there is no fill"
    # What the course does not know, they are not asked.
    record = ask(StudentProgram(str(student)), Puzzle(RING, WORDS, {"1A": "CUB"}))
    assert (record.status, record.reason) == ("unknown", "not asked")


def test_other_settings_are_another_run() -> None:
    run = plan(fake("solve"))
    elsewhere = Instance(Puzzle(RING, WORDS), "another name", "w")
    renamed = ExternalSolver(f"name={FAKE} solve {{cnf}}")
    assert replace(run, instance=elsewhere, contender=renamed).key == run.key
    others = [
        plan(fake("solve"), NO_SUPPORT),
        plan(fake("lie")),
        plan(BackendContender("sat")),
        plan(BackendContender("sat", None, "full")),
        plan(fake("solve"), limits=RunLimits(60, 60)),
        plan(fake("solve"), seed=1),
    ]
    assert len({item.key for item in [run, *others]}) == 1 + len(others)


def test_another_program_is_another_run(student: Path, tmp_path: Path) -> None:
    def key(contender: Contender) -> tuple[object, ...]:
        return plan(contender).key

    student.write_text("print('No solution.')")
    first = key(StudentProgram(str(student)))
    assert key(StudentProgram(str(student))) == first
    (student.parent / "notes.txt").write_text("not run")
    assert key(StudentProgram(str(student))) == first
    (student.parent / "helper.py").write_text("")
    second = key(StudentProgram(str(student)))
    student.write_text("print('No  solution.')")
    assert len({first, second, key(StudentProgram(str(student)))}) == 3
    solver = tmp_path / "solver"
    keys = set()
    for text in ("#!/bin/sh\nexit 0\n", "#!/bin/sh\nexit 1\n"):
        solver.write_text(text)
        solver.chmod(0o755)
        keys |= {
            key(ExternalSolver(f"{solver} {{cnf}}")),
            key(ExternalSolver(f"sh {solver} {{cnf}}")),
        }
    assert len(keys) == 4


def test_our_measured_runs_are_still_recognised() -> None:
    backends = {"backtrack", "sat", "cpsat", "auto"}
    limits = RunLimits(30, 10, 4096)
    seen = set()
    for record in read_records(str(DATA / "bench" / "results.jsonl")):
        run = plan(BackendContender(str(record.backend)), limits=limits)
        assert record.key[1:] == run.key[1:]
        seen.add(record.backend)
    assert seen == backends


def test_runs_that_are_no_longer_wanted_end() -> None:
    runs = [plan(fake(mode), limits=RunLimits()) for mode in ("solve", "hang", "hang")]
    for number, record in execute_all(runs, jobs=2):
        assert (number, record.status) == (0, "filled")
        break


def test_what_each_contender_may_use() -> None:
    """The penalty of an unsolved puzzle depends on it; the backends that race use all workers."""
    workers = {"auto": 4, "sat": 1, "cpsat": 4, "backtrack": 1, "letters": 4}
    assert {name: BackendContender(name).processors(4) for name in workers} == workers
    assert [item.processors(4) for item in (fake("solve"), StudentProgram(str(ROOT)))] == [1, 1]


BEST = Instance(Puzzle(RING, Vocabulary({**WORTH_OF, "CAR": 90, "ROD": 30})), "s", "w")
"""Its best fill is CAT CUB TOD BED; with CAR and ROD for CAT and TOD it is worth 250."""


def contenders_for_the_best(folder: Path) -> list[Contender]:
    (folder / "hasty").write_text("echo CAR; echo U#O; echo BED; echo s OPTIMUM FOUND\n")
    (folder / "steps").write_text(
        "for w in CAR,U#O CAT,U#O; do echo $w | tr , '\\n'; echo BED; echo ----------; done\n"
        "echo ==========\n"
    )
    return [
        BackendContender("backtrack"),
        BackendContender("cpsat"),
        Program(f"hasty=sh {folder / 'hasty'} {{opb}}"),
        Program(f"steps=sh {folder / 'steps'} {{mzn}}"),
        Program(f"grid=sh {folder / 'hasty'} {{structure}}"),
        ExternalSolver("sat=true {cnf}"),
    ]


def test_contenders_look_for_the_best_fill(tmp_path: Path) -> None:
    records = [
        execute(Run(BEST, contender, LIMITS, goal="total"))
        for contender in contenders_for_the_best(tmp_path)
    ]
    first, second, hasty, steps, *others = records
    for record in (first, second, steps):
        assert record.score == record.bound == record.trace[-1][1] == 260
        assert (record.claim, record.verified) == (True, True)
    assert (hasty.score, hasty.claim) == (250, True)
    assert [record.reason for record in others] == ["not asked", "not asked"]
    [problem] = judge(records).problems()
    assert problem.startswith("FALSE OPTIMUM of s with w by hasty: it claims that 250")
    assert Record.from_line(first.to_line()) == first
