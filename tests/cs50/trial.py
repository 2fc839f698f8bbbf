"""Grading many programs in one process: python trial.py KIND, with an answer as JSON on stdout.

The grader gives each check a process of its own. Here one process asks many programs, so that a
hundred of them take seconds; what a program does to its own files is not seen. KIND is

wrong     every program of ``wrong.toml``, which is a right one with a mistake
right     the textbook program and every one of the folder ``right``
mutants   our textbook program with one small change each, made by :func:`mutants`

The answer maps each program to the first check that it fails and what its author is told. Wrong
programs are asked by the check that they name, mutants by those of the method that was changed.
"""

from __future__ import annotations

import ast
import importlib
import json
import sys
import tempfile
import tomllib
import types
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import copy
from pathlib import Path
from typing import Any

from satcross.cs50 import Crossword, CrosswordCreator, Variable
from satcross.cs50.grading import checks  # noqa: F401  (enters the checks)
from satcross.cs50.grading import subject as subjects
from satcross.cs50.grading.subject import CHECKS, CheckFailedError, Guise, Subject, describe
from satcross.support.alarms import cpu_alarm

HERE = Path(__file__).parent
WRONG: dict[str, dict[str, Any]] = tomllib.loads((HERE / "wrong.toml").read_text())
QUICK = [
    name
    for name, check in CHECKS.items()
    if check.group != "hard" and not name.startswith(("command", "import"))
]

CPU_SECONDS = 2.0
"""Processor time for one check of one program; the longest one needs a twentieth of it."""

Failures = dict[str, str]


class _QuickSubject(Subject):
    """A subject whose puzzles are read once for all programs, which takes most of their time."""

    def crossword(self, rows: Iterable[str], words: Iterable[str]) -> Any:
        puzzle = self.guise, tuple(rows), tuple(words)
        if puzzle not in _READ:
            _READ[puzzle] = super().crossword(*puzzle[1:])
        made = copy(_READ[puzzle])
        made.words, made.variables = set(made.words), set(made.variables)
        made.overlaps = dict(made.overlaps)
        return made


_READ: dict[tuple[Guise, tuple[str, ...], tuple[str, ...]], Any] = {}


def judge(creator: type, folder: Path, names: list[str]) -> Failures:
    """The first check that fails, with what the author is told; nothing for a right program."""
    subject = _QuickSubject(folder, lambda kind, text: None)
    module = types.ModuleType("generate")
    vars(module).update(Variable=Variable, Crossword=Crossword, CrosswordCreator=creator)
    subject.module = module
    for name in names:
        try:
            with cpu_alarm(CPU_SECONDS):
                CHECKS[name].run(subject)
        except CheckFailedError as failure:
            return {name: f"{failure.message} {failure.hint}"}
        except BaseException as error:  # the returned value raises errors when it is used
            return {name: describe(error, folder)}
    return {}


def _programs() -> None:
    """Let the programs of the folder ``right`` import each other and the course's classes."""
    sys.path.insert(0, str(HERE / "right"))
    crossword = types.ModuleType("crossword")
    vars(crossword).update(Variable=Variable, Crossword=Crossword)
    sys.modules["crossword"] = crossword


def _wrong(folder: Path) -> Iterator[tuple[str, Failures]]:
    _programs()
    right = (HERE / "right" / "maintaining.py").read_text()
    for name, program in WRONG.items():
        text = right
        for old, new in program["change"]:
            assert text.count(old) == 1, f"{name}: {old!r} is not there just once"
            text = text.replace(old, new)
        space: dict[str, Any] = {"__name__": name}
        exec(compile(text, name, "exec"), space)
        yield name, judge(space["CrosswordCreator"], folder, [program["check"]])


def _right(folder: Path) -> Iterator[tuple[str, Failures]]:
    _programs()
    guises = subjects.GUISES
    yield "ours", judge(CrosswordCreator, folder, QUICK)
    names = [path.stem for path in sorted((HERE / "right").glob("*.py")) if path.stem != "given"]
    for number, name in enumerate(names):
        creator = importlib.import_module(name).CrosswordCreator
        # Each program in a sixth of the guises; ours is asked in all of them.
        subjects.GUISES = guises[:1] + guises[1 + number % 6 :: 6]
        yield name, judge(creator, folder, QUICK)


# Mutants


METHODS: dict[str, str | tuple[str, ...]] = {
    "enforce_node_consistency": "node_",
    "revise": "revise_",
    "ac3": "ac3_",
    "assignment_complete": "complete_",
    "consistent": "consistent_",
    "order_domain_values": "order_",
    "select_unassigned_variable": "select_",
    "backtrack": ("backtrack_", "solve_"),
    "infer": ("backtrack_", "solve_"),
}
"""The methods of the textbook program, and how the names of the checks begin that are theirs."""

OTHER_COMPARISON: dict[type[ast.cmpop], list[type[ast.cmpop]]] = {
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.Lt: [ast.LtE, ast.GtE],
    ast.Gt: [ast.GtE, ast.LtE],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
}
OTHER_NAME = {"any": "all", "all": "any", "min": "max", "popleft": "pop"}


def _changes(node: ast.AST) -> Iterator[tuple[str, str, object]]:
    """Yield changes of this node: in words, the field, and its other value."""
    match node:
        case ast.Compare(ops=[operator]):
            for other in OTHER_COMPARISON.get(type(operator), []):
                yield f"{type(operator).__name__} to {other.__name__}", "ops", [other()]
        case ast.BoolOp():
            yield "and/or", "op", ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.BinOp(op=ast.Sub()):
            yield "- dropped", "op", ast.Add()
        case ast.AugAssign(op=ast.Add()):
            yield "+= to -=", "op", ast.Sub()
        case ast.UnaryOp(op=ast.Not()):
            yield "not dropped", "op", ast.UAdd()
        case ast.UnaryOp(op=ast.USub()):
            yield "minus dropped", "op", ast.UAdd()
        case ast.Constant(value=bool() as value):
            yield f"{value} turned", "value", not value
        case ast.Constant(value=None):
            yield "None to False", "value", False
        case ast.Constant(value=int() as number):
            yield f"{number} to {1 - number}", "value", 1 - number
        case ast.Name(id=name) if name in OTHER_NAME:
            yield f"{name} to {OTHER_NAME[name]}", "id", OTHER_NAME[name]
        case ast.Attribute(attr=name) if name in OTHER_NAME:
            yield f"{name} to {OTHER_NAME[name]}", "attr", OTHER_NAME[name]
        case ast.Assign(targets=[ast.Tuple(elts=[first, second])]):
            swapped = ast.Tuple(elts=[second, first], ctx=ast.Store())
            yield "targets swapped", "targets", [swapped]
        case ast.comprehension(ifs=[_, *_]):
            yield "condition dropped", "ifs", []
        case ast.Return(value=ast.expr() as result) if ast.unparse(result) != "None":
            yield "nothing returned", "value", ast.Constant(None)
    for field in ("body", "orelse"):
        block = getattr(node, field, None)
        if not isinstance(block, list):
            continue
        for index, statement in enumerate(block):
            if isinstance(statement, ast.Return) or (
                isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            ):
                continue
            without = [*block[:index], ast.Pass(), *block[index + 1 :]]
            text = ast.unparse(statement).partition("\n")[0]
            yield f"without {text}", field, without


def mutants() -> Iterator[tuple[str, str, type]]:
    """Yield programs that differ from the textbook in one place: name, method, class."""
    source = Path(sys.modules[CrosswordCreator.__module__].__file__ or "")
    tree = ast.parse(source.read_text(encoding="utf-8"))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    seen: Counter[str] = Counter()
    for method in classes["CrosswordCreator"].body:
        if not (isinstance(method, ast.FunctionDef) and method.name in METHODS):
            continue
        alone = ast.Module(body=[*tree.body[1:2], method], type_ignores=[])
        inside = [node for statement in method.body for node in ast.walk(statement)]
        for node in [method, *inside]:
            text = ast.unparse(node).partition("\n")[0] if node is not method else "body"
            for what, field, value in _changes(node):
                kept = getattr(node, field)
                setattr(node, field, value)
                code = compile(ast.fix_missing_locations(alone), f"<{method.name}>", "exec")
                setattr(node, field, kept)
                space = dict(vars(sys.modules[CrosswordCreator.__module__]))
                exec(code, space)
                name = f"{method.name}: {text.strip()}: {what}"
                seen[name] += 1
                name += f" ({seen[name]})" * (seen[name] > 1)
                made = {method.name: space[method.name]}
                yield name, method.name, type("CrosswordCreator", (CrosswordCreator,), made)


def _mutants(folder: Path) -> Iterator[tuple[str, Failures]]:
    subjects.GUISES = subjects.GUISES[::6]  # a sixth of them catches as many
    for name, method, creator in mutants():
        names = [check for check in QUICK if check.startswith(METHODS[method])]
        yield name, judge(creator, folder, names)


KINDS = {"wrong": _wrong, "right": _right, "mutants": _mutants}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        print(json.dumps(dict(KINDS[sys.argv[1]](Path(place)))))
