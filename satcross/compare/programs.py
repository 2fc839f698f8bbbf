"""Any program as a contender: it gets the puzzle in a format of its choice and prints an answer."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from satcross.compare.contenders import (
    CNF,
    CRASH,
    GAVE_UP,
    UNREADABLE,
    UNSUPPORTED,
    WRITING,
    CommandLine,
    Description,
    RunAnswer,
    RunDirectory,
    allowed_words,
    fill_in,
    has_rules_about_words,
    remaining_limits,
    run_values,
    states_more_than_slots,
    states_more_than_words,
    write_formula,
)
from satcross.compare.formulas import StoredFormula
from satcross.compare.limits import ExitInfo
from satcross.compare.records import CRASHED, FILLED, UNFILLABLE, UNKNOWN
from satcross.errors import InputError
from satcross.formats.puzzle_json import puzzle_to_data
from satcross.formats.text import parse_printed
from satcross.grid import FULL_BLOCK, OPEN, Grid
from satcross.puzzle import Puzzle

FORMULAS = {"{opb}": "opb", "{mzn}": "mzn", "{fzn}": "fzn", "{xcsp}": "xml"}
"""Placeholders of formulas, and the extensions of their files."""

STRUCTURE, WORDS, JSON = "{structure}", "{words}", "{json}"
DOTS, SCORED = "{dots}", "{scored}"
QXD = "{qxd}"
_FILES = (*FORMULAS, STRUCTURE, DOTS, QXD, JSON)

_NO_FILL = re.compile(r"\s*(s |=+)?UNSATISFIABLE=*\s*|\s*No solution\.\s*", re.IGNORECASE)
_GIVES_UP = re.compile(r"\s*(s |=+)?UNKNOWN=*\s*", re.IGNORECASE)
_WORD = re.compile(r"^(w\d+) ?= ?(\d+);?$", re.MULTILINE)
_DECK_WORD = re.compile(r"^W(\d+) (\S+)$", re.MULTILINE)
_COLOURS = re.compile("\x1b\\[[0-9;]*m")
"""Sequences by which a program colours its output on a terminal, or anywhere (ACE)."""

_MAX_ANSWER = 64 * 2**20
"""Maximum number of characters read from the output."""


@dataclass(frozen=True, slots=True)
class Program(CommandLine):
    """A program that is run by a command line with placeholders, without a shell.

    ``command`` may begin with "NAME=". ``{opb}``, ``{mzn}``, ``{fzn}`` and ``{xcsp}`` stand for the
    puzzle as OPB, MiniZinc, FlatZinc or XCSP3, ``{json}`` for the puzzle as JSON, ``{structure}``
    and ``{words}`` for text files like CS50's, ``{dots}`` and ``{scored}`` for the structure with
    ``.`` for open cells and the words with scores, ``{qxd}`` for a deck of Qxw, which lists the
    cells of each slot; for the placeholders of the run see ``contenders.run_values``. The answer is
    read from standard output: a printed grid (``#`` or a full block for blocked cells), JSON with
    ``status`` and ``grid`` like that of ``satcross solve --json``, the lines of an OPB solver, the
    instantiation of an XCSP3 solver, the words of Qxw, or UNSATISFIABLE or "No solution." on a
    line. Raises InputError when the command line can't be used.
    """

    kind: ClassVar[str] = "program"

    @staticmethod
    def _check(command: str) -> None:
        if CNF in command:
            raise InputError(
                f"the command {command!r} has {CNF}", "give SAT solvers with --external"
            )
        if not any(one in command for one in _FILES):
            raise InputError(
                f"the command {command!r} has no puzzle", f"put in one of {', '.join(_FILES)}"
            )

    @property
    def description(self) -> Description:
        return self._identity()

    def attempt(self, puzzle: Puzzle, run_directory: RunDirectory) -> RunAnswer:
        if self._lacks_rules(puzzle):
            detail = "the format of the program can't state the rules of this puzzle"
            return RunAnswer(UNKNOWN, ExitInfo(None), UNSUPPORTED, detail)
        values = self._write_files(puzzle, run_directory.folder)
        formula = None
        for placeholder, form in FORMULAS.items():
            if placeholder in self.command:
                written = write_formula(puzzle, run_directory, form)
                if isinstance(written, RunAnswer):
                    return written
                formula, values[placeholder] = written, str(written.path)
        return self._run(puzzle, run_directory, values, formula)

    def _lacks_rules(self, puzzle: Puzzle) -> bool:
        if STRUCTURE in self.command or DOTS in self.command:
            return states_more_than_words(puzzle)
        if QXD in self.command:
            return states_more_than_slots(puzzle)
        return has_rules_about_words(puzzle) and any(one in self.command for one in FORMULAS)

    def _write_files(self, puzzle: Puzzle, folder: Path) -> dict[str, str]:
        """Write the files that the command names; return their paths by placeholder."""
        rows, score = puzzle.grid.rows, puzzle.vocabulary.score
        texts: dict[str, Callable[[], str]] = {
            STRUCTURE: lambda: "".join(f"{row.replace('#', FULL_BLOCK)}\n" for row in rows),
            DOTS: lambda: "".join(f"{row.replace(OPEN, '.')}\n" for row in rows),
            WORDS: lambda: "".join(f"{word}\n" for word in allowed_words(puzzle)),
            SCORED: lambda: "".join(f"{word};{score(word)}\n" for word in allowed_words(puzzle)),
            QXD: lambda: _deck(puzzle.grid),
            JSON: lambda: json.dumps(puzzle_to_data(puzzle)),
        }
        paths = {}
        for placeholder, text in texts.items():
            if placeholder in self.command:
                path = folder / f"{placeholder.strip('{}')}.txt"
                path.write_text(text(), encoding="utf-8")
                paths[placeholder] = str(path)
        return paths

    def _run(
        self,
        puzzle: Puzzle,
        run_directory: RunDirectory,
        values: Mapping[str, str],
        formula: StoredFormula | None,
    ) -> RunAnswer:
        alone = formula is None or run_directory.solver_alone
        written = ExitInfo(None) if alone or formula is None else formula.ended
        seconds = {} if formula is None else dict(formula.seconds)
        stats = {} if formula is None else formula.stats
        remaining = remaining_limits(run_directory.limits, written)
        if isinstance(remaining, str):
            return RunAnswer(UNKNOWN, written, remaining, WRITING, None, seconds, stats)
        inner = replace(run_directory, limits=remaining)
        values = {**run_values(inner), **values}
        ended = inner.run(fill_in(shlex.split(self.command), values), folder=Path.cwd())
        if ended.reason:
            answer = RunAnswer(UNKNOWN, ended, ended.reason)
        else:
            answer = self._read(puzzle, inner, ended, formula)
        both = replace(
            ended,
            wall=written.wall + ended.wall,
            cpu=written.cpu + ended.cpu,
            memory=max(written.memory, ended.memory),
        )
        return replace(
            answer,
            ended=both,
            seconds={**seconds, "solve": ended.wall},
            stats={**stats, **answer.stats, **self.settings.read(run_directory.stdout)},
        )

    def _read(
        self,
        puzzle: Puzzle,
        run_directory: RunDirectory,
        ended: ExitInfo,
        formula: StoredFormula | None,
    ) -> RunAnswer:
        text = ""
        if ended.exit_code is not None:
            with run_directory.stdout.open(encoding="utf-8", errors="replace") as file:
                text = _COLOURS.sub("", file.read(_MAX_ANSWER))
        answer = read_answer(puzzle, text, ended, None if formula is None else formula.words)
        if answer is not None:
            return answer
        refused = self.settings.unfillable
        if refused and any(re.search(refused, one, re.M) for one in (text, _errors(run_directory))):
            return RunAnswer(UNFILLABLE, ended, detail="the program says that there is no fill")
        if ended.exit_code != 0:
            return RunAnswer(CRASHED, ended, CRASH, run_directory.describe_failure(ended))
        return RunAnswer(CRASHED, ended, UNREADABLE, "the program prints no answer")


def _deck(grid: Grid) -> str:
    """Return a deck of Qxw: on each line, the numbers of the cells of a slot."""
    lines = (
        " ".join(f"{row * grid.width + column:04}" for row, column in slot.cells)
        for slot in grid.slots
    )
    return "".join(f"{line}\n" for line in lines)


def _errors(run_directory: RunDirectory) -> str:
    """Return what a program has written on standard error."""
    with (run_directory.folder / "stderr").open(encoding="utf-8", errors="replace") as file:
        return file.read(_MAX_ANSWER)


def read_answer(puzzle: Puzzle, text: str, ended: ExitInfo, words: Path | None) -> RunAnswer | None:
    """Return the answer that a program has printed, or None if there is none.

    ``words`` is the file that ``worker`` writes to decode a formula's solutions.
    """
    if text.lstrip().startswith("{"):
        return _read_json(puzzle, text, ended)
    lines = text.splitlines()
    if any(map(_NO_FILL.fullmatch, lines)):
        return RunAnswer(UNFILLABLE, ended, detail="the program says that there is no fill")
    fill = None if words is None else _decode(puzzle, text, words)
    if fill is None:
        printed = text.replace("#", FULL_BLOCK).upper()
        fill = _deck_words(puzzle, text) or parse_printed(puzzle.grid, printed)
    if fill is not None:
        return RunAnswer(FILLED, ended, fill=fill)
    if any(map(_GIVES_UP.fullmatch, lines)):
        return RunAnswer(UNKNOWN, ended, GAVE_UP)
    return None


def _read_json(puzzle: Puzzle, text: str, ended: ExitInfo) -> RunAnswer | None:
    """Read ``status``, ``grid`` (rows) and ``stats`` (numbers and texts by name) from JSON."""
    try:
        data: Any = json.loads(text)
    except ValueError:
        return None
    status, rows, stats = (data.get(name) for name in ("status", "grid", "stats"))
    if not isinstance(stats, dict):
        stats = {}
    stats = {str(name): one for name, one in stats.items() if isinstance(one, int | float | str)}
    if status in (UNFILLABLE, UNKNOWN):
        reason = GAVE_UP if status == UNKNOWN else ""
        return RunAnswer(status, ended, reason, stats=stats)
    if status != FILLED or not isinstance(rows, list):
        return None
    printed = "\n".join(map(str, rows)).replace("#", FULL_BLOCK).upper()
    fill = parse_printed(puzzle.grid, printed)
    return None if fill is None else RunAnswer(FILLED, ended, fill=fill, stats=stats)


def _decode(puzzle: Puzzle, text: str, words: Path) -> dict[str, str] | None:
    """Return the fill of the variables in ``v`` lines, of OPB or XCSP3; None if there are none.

    Slots without a word are left out.
    """
    chosen = (
        _opb_values(text)
        or set(_xcsp3_values(text))
        or {"=".join(one) for one in _WORD.findall(text)}
    )
    if not chosen:
        return None
    slots: list[dict[str, str]] = json.loads(words.read_text(encoding="utf-8"))
    return {
        slot.name: word
        for slot, meanings in zip(puzzle.grid.slots, slots, strict=True)
        for variable, word in meanings.items()
        if variable in chosen
    }


def _deck_words(puzzle: Puzzle, text: str) -> dict[str, str] | None:
    """Return the fill that Qxw has printed, a line for each slot; None if it has not."""
    words = {int(number): word for number, word in _DECK_WORD.findall(text)}
    if words.keys() != set(range(len(puzzle.grid.slots))):
        return None
    return {slot.name: words[index] for index, slot in enumerate(puzzle.grid.slots)}


def _opb_values(text: str) -> set[str]:
    """Return the variables that are true, such as "x12"."""
    lines = [line[2:] for line in text.splitlines() if line.startswith("v ")]
    return {one for line in lines for one in line.split() if re.fullmatch(r"x\d+", one)}


def _xcsp3_values(text: str) -> Iterator[str]:
    """Yield "NAME=VALUE" for each variable of the last instantiation."""
    found = re.findall(r"<list>([^<]*)</list>\s*(?:v\s*)?<values>([^<]*)</values>", text)
    if not found:
        return
    values: list[str] = []
    for value in found[-1][1].split():  # 3x5 stands for 3 3 3 3 3
        number, _, times = value.partition("x")
        values += [number] * int(times or 1)
    yield from (f"{name}={one}" for name, one in zip(found[-1][0].split(), values, strict=False))
