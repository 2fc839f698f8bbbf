"""The attacks: each takes a random generator, and raises AssertionError when it has found a fault.

A case is data that JSON can hold, so that it can be saved, made smaller and run again.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from agreement import make
from pysat.solvers import Solver, SolverNames

from satcross import InputError, InternalError, Status, best, count, several, solve
from satcross.backends.plain_clauses import plain_fills
from satcross.backends.registry import BACKENDS
from satcross.deadline import Deadline
from satcross.formats.puzzle_json import puzzle_from_data
from satcross.formats.readers import READERS, read_crossword
from satcross.formats.writers import write_crossword
from satcross.proofs import PROVERS, Formula, check_proof, prove
from satcross.proofs.check import parse_proof

Case = dict[str, Any]

MOST_FILLS = 200
SOLVERS = ("cadical153", "glucose4", "minisat22", "lingeling", "maplechrono", "gluecard4")
_EARLY = (b"KeyboardInterrupt\n", b"(can't load unicodedata module)\n")
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Attack:
    """``make`` draws a case, ``run`` raises when it shows a fault, ``smaller`` yields parts."""

    make: Callable[[Random], Case]
    run: Callable[[Case], None]
    smaller: Callable[[Case], Iterator[Case]] = lambda case: iter(())


def _random_puzzle(random: Random) -> Case:
    while True:
        question = random.choice(make.KINDS)(random)
        if len(question.slots()) > 9 or question.contradictory():
            continue
        fills = sum(1 for _ in islice(question.fills(), MOST_FILLS + 1))
        if fills <= MOST_FILLS:
            return {**asdict(question), "seed": random.randrange(2**31)}


def _question(case: Case) -> make.Question:
    return make.Question(**{name: value for name, value in case.items() if name != "seed"})


def _smaller_puzzles(case: Case) -> Iterator[Case]:
    for word in case["words"]:
        yield {**case, "words": {w: s for w, s in case["words"].items() if w != word}}
    for number in range(len(case["rows"])):
        rows = case["rows"][:number] + case["rows"][number + 1 :]
        if rows:
            yield {**case, "rows": rows}
    for rule, nothing in (("locks", {}), ("excluded", []), ("theme", []), ("stem_endings", [])):
        if case[rule]:
            yield {**case, rule: nothing}


def _backends(case: Case) -> None:
    """Every backend, count, several and best against trying everything."""
    question = _question(case)
    puzzle = puzzle_from_data(question.to_data())
    fills = list(question.fills())
    truth = Status.FILLED if fills else Status.UNFILLABLE
    for backend in BACKENDS:
        settings: Mapping[str, Any] = {"workers": 1, "seed": case["seed"]}
        outcome = solve(puzzle, backend, **settings)
        assert outcome.status is truth, f"{backend}: {outcome.status}, not {truth}"
        found = count(puzzle, backend, **settings)
        assert (found.count, found.exact) == (len(fills), True), f"{backend} counts {found.count}"
        listed = several(puzzle, 3, backend, **settings)
        assert len(listed.outcomes) == min(3, len(fills)), f"{backend} lists {len(listed.outcomes)}"
        top = best(puzzle, "total", backend, **settings)
        assert top.status is truth, f"{backend}, best: {top.status}"
        if fills:
            value = max(sum(puzzle.vocabulary.score(w) for w in fill.values()) for fill in fills)
            assert top.score == value, f"{backend}: best is {top.score}, not {value}"
    plain = sum(1 for _ in plain_fills(puzzle, Deadline()))
    assert plain == len(fills), f"the plain clauses have {plain} fills, not {len(fills)}"


def _solvers(case: Case) -> None:
    """The formulas through every solver that PySAT has; proofs through our checker."""
    puzzle = puzzle_from_data(_question(case).to_data())
    fillable = next(_question(case).fills(), None) is not None
    for encoding in ("full", "direct"):
        formula = Formula(puzzle, encoding)
        clauses = [list(clause) for clause in formula.clauses()]
        for name in SOLVERS:
            if not hasattr(SolverNames, name):
                continue
            with Solver(name) as solver:
                for clause in clauses:
                    solver.add_clause(clause)
                satisfiable = solver.solve() and all(clauses)
            assert satisfiable == fillable, f"{name} on {encoding}: {satisfiable}"
    if not fillable:
        formula = Formula(puzzle)
        clauses = [list(clause) for clause in formula.clauses()]
        for prover in PROVERS:
            proof = prove(formula, prover)
            assert proof is not None
            steps = parse_proof("proof", "\n".join(proof.lines) + "\n")
            checked = check_proof(formula.variables.count, clauses, steps)
            assert checked.valid, f"the proof by {prover} is refused: {checked.reason}"


def _variants(case: Case) -> None:
    """The answer stays when the puzzle is seen otherwise."""
    random = Random(case["seed"])
    plain = {"rows": case["rows"], "words": case["words"]}
    if any(cell not in "#_" for row in case["rows"] for cell in row):
        return
    expected = count(puzzle_from_data(plain)).count
    changed = dict(zip(ALPHABET, random.sample(ALPHABET, 26), strict=True))
    items = list(case["words"].items())
    variants = {
        "transposed": {
            **plain,
            "rows": ["".join(column) for column in zip(*case["rows"], strict=True)],
        },
        "other letters": {
            **plain,
            "words": {"".join(changed.get(c, c) for c in w): s for w, s in items},
        },
        "shuffled": {**plain, "words": dict(random.sample(items, len(items)))},
        "more words": {**plain, "words": {**case["words"], "X" * 15: 1, "Y" * 17: 1}},
    }
    for name, variant in variants.items():
        for backend in ("backtrack", "sat"):
            found = count(puzzle_from_data(variant), backend).count
            assert found == expected, f"{name}, {backend}: {found} fills, not {expected}"


def _random_file(random: Random) -> Case:
    extension = random.choice([*READERS, ".txt"])
    question = random.choice((make.rectangle, make.lattice, make.ordinary))(random)
    while not question.slots():
        question = make.ordinary(random)
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, f"a{extension}")
        from satcross import Crossword, Grid

        write_crossword(Crossword.of(Grid.from_rows(question.rows)), str(path))
        data = bytearray(path.read_bytes())
    for _ in range(random.randint(1, 8)):
        at = random.randrange(len(data) + 1)
        match random.randrange(4):
            case 0:
                data[at : at + 1] = bytes([random.randrange(256)])
            case 1:
                del data[at : at + random.randint(1, 30)]
            case 2:
                data[at:at] = data[: random.randint(1, 30)]
            case 3:
                data[at:at] = random.choice((b"\0", b"\xff\xfe", b"9" * 30, b'"', b"[" * 50))
    return {"extension": extension, "data": bytes(data).hex()}


def _files(case: Case) -> None:
    """A mutated file is read, or refused in one line."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, f"a{case['extension']}")
        path.write_bytes(bytes.fromhex(case["data"]))
        try:
            read_crossword(path)
        except InputError as error:
            told = str(error)
        else:
            told = ""
        assert "\n" not in told, f"several lines: {told}"


def _smaller_files(case: Case) -> Iterator[Case]:
    data = case["data"]
    for size in (len(data) // 4 * 2, 64, 16, 4, 2):
        for start in range(0, len(data), max(size, 2)):
            if size:
                yield {**case, "data": data[:start] + data[start + size :]}


def _random_end(random: Random) -> Case:
    return {
        "command": random.choice(("solve", "encode", "count")),
        "signal": random.choice(("SIGINT", "SIGTERM", "SIGKILL")),
        "after": random.random() * 2,
    }


def _signals(case: Case) -> None:
    """A command that is stopped says so, and leaves no half of a file."""
    number = getattr(signal, case["signal"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "g.txt").write_text("________\n" * 8 + "_#######\n")
        letters = "ABCDEFGH"
        words = [a + b + c + d + c + b + a + d for a in letters for b in letters
                 for c in letters for d in letters]  # fmt: skip
        (folder / "w.txt").write_text("\n".join([*words, *(word + "A" for word in words)]))
        output = {"encode": ["-o", "out.cnf"], "solve": ["out.png", "--time-limit", "5"]}
        arguments = ["g.txt", "--words", "w.txt", *output.get(case["command"], [])]
        if case["command"] == "solve":
            arguments = ["g.txt", "w.txt", *output["solve"]]
        process = subprocess.Popen(
            [sys.executable, "-m", "satcross", case["command"], *arguments],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        time.sleep(case["after"])
        process.send_signal(number)
        try:
            _, said = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise AssertionError(f"still runs 60 s after {case['signal']}") from None
        left = sorted(file.name for file in folder.iterdir())
        allowed = {"g.txt", "w.txt", "out.cnf", "out.png"}
        if case["signal"] != "SIGKILL":
            assert set(left) <= allowed, f"left behind: {left}"
            # Before Python has read our code its own ways of ending hold, such as a traceback.
            early = process.returncode == -number or said.endswith(_EARLY)
            assert early or process.returncode in (0, 20, 30), (process.returncode, said[-300:])
            assert early or b"Traceback" not in said, said[-300:]
        if "out.cnf" in left:
            lines = (folder / "out.cnf").read_text().rstrip().splitlines()
            assert lines[-1].endswith(" 0"), "half a formula"


ATTACKS: Mapping[str, Attack] = {
    "backends": Attack(_random_puzzle, _backends, _smaller_puzzles),
    "solvers": Attack(_random_puzzle, _solvers, _smaller_puzzles),
    "variants": Attack(_random_puzzle, _variants, _smaller_puzzles),
    "files": Attack(_random_file, _files, _smaller_files),
    "signals": Attack(_random_end, _signals),
}


def fault(attack: Attack, case: Case) -> str:
    """What is wrong in a case; "" when nothing is."""
    try:
        attack.run(case)
    except InputError as error:
        # What we make is right; made smaller, it may contradict itself.
        return f"refused: {error}" if attack.run is _files else ""
    except (AssertionError, InternalError) as error:
        return f"{type(error).__name__}: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def shrink(attack: Attack, case: Case, told: str, most: int = 500) -> Case:
    """The case made smaller for as long as a fault of the same kind stays."""
    kind = told.partition(":")[0]
    tried = 0
    again = True
    while again and tried < most:
        again = False
        for smaller in attack.smaller(case):
            tried += 1
            if fault(attack, smaller).partition(":")[0] == kind:
                case, again = smaller, True
                break
            if tried >= most:
                break
    return case
