"""Mutation testing: does a test fail when one operator, number or condition is another?

    python tests/benchmarks/mutants.py [AREA ...] [--mutants 30] [--seed 1] [--save FILE]
    python tests/benchmarks/mutants.py --again FILE

An area is a module or package of the core and the tests of its own folder. The tests run once with
the lines that each of them reaches; then random places of the area are changed, one at a time, in
a copy of the checkout, and the tests that reach the line run, quickest first, until one fails. A
mutant that no test notices has survived. ``--again`` tries the survivors in FILE once more, after
tests were added. Texts, annotations, decorators and named numbers of modules, which are choices
that other benchmarks measure, are not changed.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random

import pytest

ROOT = Path(__file__).parents[2]

_BY_BACKENDS = (
    *map("tests/solving/{}".format, ("test_best.py", "test_count.py", "test_several.py", "proofs")),
    "tests/agreement/test_shared_steps.py::test_the_plain_clauses_agree_with_brute_force",
)

AREAS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "verify": (("satcross/verify.py",), ("tests/test_verify.py",)),
    "puzzle": (("satcross/puzzle.py",), ("tests/test_puzzle.py",)),
    "grid": (("satcross/grid",), ("tests/grid",)),
    "network": (("satcross/network",), ("tests/network", "tests/solving/test_best.py")),
    "rules": (("satcross/rules",), ("tests/rules",)),
    "backends": (
        ("satcross/backends",),
        ("tests/backends", "tests/conformance", *_BY_BACKENDS),
    ),
    "solving": (("satcross/solving",), ("tests/solving",)),
    "formats": (("satcross/formats",), ("tests/formats",)),
    "encoders": (
        ("encoders",),
        ("tests/encoders", "tests/solving/proofs/test_formula.py", "tests/answer/test_cheapest.py"),
    ),
}
"""For each area its sources and its tests. Every backend is held to the tests of conformance, and
weighted problems to those of the clues that they answer; backends count, list, optimise and prove
for the tests of solving."""

HEAVY = (
    "numpy",
    "hypothesis",
    "pysat.solvers",
    "ortools.sat.python.cp_model",
    "PIL.Image",
    "click",
)
"""Libraries that the processes of tests find imported."""

OPERATORS: Mapping[type[ast.AST], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
    ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "+",
    ast.BitOr: "&", ast.BitAnd: "|", ast.BitXor: "|", ast.LShift: ">>", ast.RShift: "<<",
    ast.And: "or", ast.Or: "and",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of a file: ``old`` at a column of a line becomes ``new``."""

    path: str
    number: int
    line: str
    column: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.path}:{self.number}: {self.line.strip()}   [{self.old} -> {self.new}]"

    def found_in(self, text: str) -> Mutant | None:
        """Return the mutant where its line is now, which may have moved; None if it is gone."""
        lines = text.splitlines()
        same = [number for number, line in enumerate(lines, 1) if line == self.line]
        nearest = min(same, key=lambda number: abs(number - self.number), default=None)
        return None if nearest is None else replace(self, number=nearest)

    def apply(self, text: str) -> str:
        """Return the changed text."""
        lines = text.splitlines(keepends=True)
        end = self.column + len(self.old)
        lines[self.number - 1] = self.line[: self.column] + self.new + self.line[end:] + "\n"
        return "".join(lines)


def mutants_of(path: str, text: str) -> Iterator[Mutant]:
    """Yield every change of a file within one line that we know how to make."""
    lines = text.splitlines()
    for node in _code(ast.parse(text)):
        for start, end, new in _changes(node, lines):
            (number, column), (last, stop) = start, end
            line = lines[number - 1]
            if number == last and line.isascii():
                yield Mutant(path, number, line, column, line[column:stop], new)


def _code(node: ast.AST, top: bool = True) -> Iterator[ast.AST]:
    """Yield the nodes of code that runs, without annotations, decorators and named numbers."""
    skipped = {"annotation", "returns", "decorator_list", "type_params"}
    if (
        top
        and isinstance(node, ast.Assign | ast.AnnAssign)
        and isinstance(node.value, ast.Constant)
    ):
        return
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return
    if isinstance(node, ast.keyword) and node.arg in ("strict", "repr"):
        return
    yield node
    inside = top and not isinstance(node, ast.FunctionDef | ast.Lambda)
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if name not in skipped and isinstance(child, ast.AST):
                yield from _code(child, inside)


Place = tuple[int, int]


def _changes(node: ast.AST, lines: Sequence[str]) -> Iterator[tuple[Place, Place, str]]:
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        for operator, left, right in zip(node.ops, sides, sides[1:], strict=False):
            yield from _between(left, right, operator, lines)
    elif isinstance(node, ast.BinOp):
        if not isinstance(node.left, ast.Constant | ast.JoinedStr) or not _is_text(node.left):
            yield from _between(node.left, node.right, node.op, lines)
    elif isinstance(node, ast.BoolOp):
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield from _between(left, right, node.op, lines)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _start(node), _start(node.operand), ""
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        number = node.value
        new = not number if isinstance(number, bool) else number + 1
        yield _start(node), _end(node), str(new)
    elif isinstance(node, ast.If | ast.IfExp | ast.While) and not isinstance(
        node.test, ast.Compare
    ):
        yield _start(node.test), _start(node.test), "not "
    elif isinstance(node, ast.Return) and node.value is not None:
        if not (isinstance(node.value, ast.Constant) and node.value.value is None):
            yield _start(node), _end(node), "return None"
    elif isinstance(node, ast.Break | ast.Continue):
        yield _start(node), _end(node), "continue" if isinstance(node, ast.Break) else "break"
    elif isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield _start(node), _end(node), "pass"


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or isinstance(getattr(node, "value", None), str)


def _start(node: ast.AST) -> Place:
    return node.lineno, node.col_offset  # type: ignore[attr-defined]


def _end(node: ast.AST) -> Place:
    return node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]


def _between(
    left: ast.AST, right: ast.AST, operator: ast.AST, lines: Sequence[str]
) -> Iterator[tuple[Place, Place, str]]:
    """Yield the change of the operator between two operands of one line."""
    (number, start), (last, end) = _end(left), _start(right)
    new = OPERATORS.get(type(operator))
    if new is None or number != last:
        return
    gap = lines[number - 1][start:end]
    old = gap.strip(" ()")
    if old and gap.count(old) == 1:
        start += gap.index(old)
        yield (number, start), (number, start + len(old)), new


class _Chosen:
    """A plug-in of pytest that runs some tests in a given order and writes how long each took."""

    def __init__(self, order: Mapping[str, float] | None, times: Path | None = None) -> None:
        self._order, self._times = order, times
        self._taken: Counter[str] = Counter()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self._order is not None:
            order = self._order
            items[:] = [item for item in items if item.nodeid in order]
            items.sort(key=lambda item: order[item.nodeid])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if self._order is not None:  # a test that has become endless need not use up the limit
            signal.setitimer(signal.ITIMER_PROF, 10 + 5 * self._order[nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._taken[report.nodeid] += report.duration  # type: ignore[assignment]

    def pytest_sessionfinish(self) -> None:
        if self._times is not None:
            self._times.write_text(json.dumps(self._taken))


class Workspace:
    """A copy of the checkout, in which tests run in forked processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, check=True)
        compiled = [str(path.relative_to(ROOT)) for path in ROOT.glob("satcross/**/*.so")]
        for name in [*listed.stdout.decode().splitlines(), *compiled]:
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)

    def run(
        self, arguments: Sequence[str], chosen: _Chosen, cpu_limit: float, log: Path | None = None
    ) -> int | None:
        """Return pytest's exit code; None for a run that has not ended in time."""
        child = os.fork()
        if child == 0:
            self._become_pytest(arguments, chosen, cpu_limit, log)
        end = time.monotonic() + 4 * cpu_limit  # for tests that wait, on a busy machine
        ended, status = os.waitpid(child, os.WNOHANG)
        while not ended and time.monotonic() < end:
            time.sleep(0.02)
            ended, status = os.waitpid(child, os.WNOHANG)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # and what tests have started
        if not ended:
            os.waitpid(child, 0)
            return None
        return os.waitstatus_to_exitcode(status)

    def _become_pytest(
        self, arguments: Sequence[str], chosen: _Chosen, cpu_limit: float, log: Path | None
    ) -> None:
        os.setsid()
        os.chdir(self.folder)
        sys.path[:0] = [str(self.folder)]
        os.environ["PYTHONPATH"] = str(self.folder)
        os.environ["CI"] = "1"  # the same examples of hypothesis in every run
        limit = int(cpu_limit) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        target = os.open(log or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for descriptor in (1, 2):
            os.dup2(target, descriptor)
        code = 70
        try:
            code = int(
                pytest.main(
                    ["-q", "-n0", "-Wignore::pytest.PytestAssertRewriteWarning", *arguments],
                    [chosen],
                )
            )
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)

    def try_mutant(
        self, mutant: Mutant, tests: Sequence[str], order: Mapping[str, float], cpu_limit: float
    ) -> str:
        """Return "killed", "out of time" (which is noticed, too) or "survived"."""
        path = self.folder / mutant.path
        text = path.read_text("utf-8")
        changed = mutant.apply(text)
        files = sorted({name.partition("::")[0] for name in order}) or list(tests)
        try:
            path.write_text(changed, "utf-8")
            _forget(path)
            limit = max(cpu_limit, 3 * sum(order.values()))  # of a line that all tests are for
            code = self.run(["-x", *files], _Chosen(order), limit)
        finally:
            path.write_text(text, "utf-8")
            _forget(path)
        late = (None, -signal.SIGPROF, -signal.SIGXCPU)
        return "survived" if code in (0, 5) else "out of time" if code in late else "killed"


def _forget(path: Path) -> None:
    """Remove what Python has compiled of a file: it looks at whole seconds and the size only."""
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        compiled.unlink()


@dataclass(frozen=True, slots=True)
class Reach:
    """Which tests reach which lines of the sources, and the seconds that each test takes."""

    tests: Mapping[tuple[str, int], Collection[str]]
    seconds: Mapping[str, float]

    def order(self, mutant: Mutant) -> dict[str, float]:
        """Return the tests that reach a mutant's line, with their seconds.

        A line that runs while its module is imported, or that no test is seen to reach because
        other processes do, is left to all tests.
        """
        names = self.tests.get((mutant.path, mutant.number), ())
        chosen = {name for name in names if name in self.seconds} or set(self.seconds)
        return {name: self.seconds[name] for name in chosen}


def reach(workspace: Workspace, area: str) -> Reach:
    """Run the tests of an area once, with coverage."""
    from coverage import CoverageData

    sources, tests = AREAS[area]
    data, times = workspace.folder / f"{area}.coverage", workspace.folder / f"{area}.json"
    os.environ["COVERAGE_FILE"] = str(data)
    modules = [source.removesuffix(".py").replace("/", ".") for source in sources]
    arguments = [f"--cov={module}" for module in modules]
    arguments += [f"--cov-config={os.devnull}", "--cov-context=test", "--cov-report=", *tests]
    log = workspace.folder / f"{area}.log"
    code = workspace.run(arguments, _Chosen(None, times), 3600, log)
    if code != 0:
        sys.exit(f"the tests of {area} fail without any change:\n{log.read_text()[-3000:]}")
    read = CoverageData(str(data))
    read.read()
    reached: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    for name in read.measured_files():
        relative = str(Path(name).relative_to(workspace.folder))
        for number, contexts in read.contexts_by_lineno(name).items():
            reached[relative, number] |= {context.rpartition("|")[0] for context in contexts}
    return Reach(reached, json.loads(times.read_text()))


def all_mutants(area: str) -> list[Mutant]:
    """Return every mutant of an area."""
    paths = [
        path
        for source in AREAS[area][0]
        for path in (
            sorted((ROOT / source).rglob("*.py")) if (ROOT / source).is_dir() else [ROOT / source]
        )
    ]
    return [
        mutant
        for path in paths
        for mutant in mutants_of(str(path.relative_to(ROOT)), path.read_text("utf-8"))
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("areas", nargs="*", metavar="AREA", help=", ".join(AREAS))
    parser.add_argument("--mutants", type=int, default=30, help="Of each area.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cpu-limit", type=float, default=120, help="CPU seconds of one mutant.")
    parser.add_argument("--save", type=Path, help="Survivors, as JSON lines.")
    parser.add_argument("--again", type=Path, help="Try these survivors, and no others.")
    options = parser.parse_args()
    for name in HEAVY:
        with suppress(ImportError):
            importlib.import_module(name)
    old = []
    if options.again:
        old = [json.loads(line) for line in options.again.read_text().splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(Path(folder))
        for area in options.areas or AREAS:
            mutants = [Mutant(**item["mutant"]) for item in old if item["area"] == area]
            if not options.again:
                every = all_mutants(area)
                mutants = Random(options.seed).sample(every, min(options.mutants, len(every)))
            if mutants:
                _try_all(workspace, area, mutants, options)


def _try_all(
    workspace: Workspace, area: str, mutants: Sequence[Mutant], options: argparse.Namespace
) -> None:
    known = reach(workspace, area)
    results: Counter[str] = Counter()
    for planned in mutants:
        path = ROOT / planned.path
        mutant = planned.found_in(path.read_text("utf-8")) if path.exists() else None
        if mutant is None:
            print(f"gone: {planned}", flush=True)
            continue
        order = known.order(mutant)
        result = workspace.try_mutant(mutant, AREAS[area][1], order, options.cpu_limit)
        results[result] += 1
        if result == "survived":
            print(f"survived: {mutant}   ({len(order)} tests)", flush=True)
        if result == "survived" and options.save:
            with options.save.open("a") as stream:
                stream.write(json.dumps({"area": area, "mutant": asdict(mutant)}) + "\n")
    noticed = results["killed"] + results["out of time"]
    tried = noticed + results["survived"]
    print(f"{area}: {noticed} of {tried} noticed, {results['out of time']} of them by time")


if __name__ == "__main__":
    main()
