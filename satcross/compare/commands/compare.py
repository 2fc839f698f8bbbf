"""``satcross compare``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path

import click

from satcross.cli import FILLED, INTERNAL_ERROR, UNKNOWN
from satcross.cli.options import (
    INPUT,
    RULES,
    argument,
    make_command,
    option,
    options,
    output_option,
    whole,
)
from satcross.cli.output import Report, check_standard_input, print_line
from satcross.cli.read_puzzle import read_lists, read_structure
from satcross.cli.text_flags import key_option
from satcross.compare.commands.contender_options import (
    ContenderFlags,
    LimitFlags,
    best_flag,
    planned,
)
from satcross.compare.commands.recorded_runs import RecordedRuns, coloured, run_table
from satcross.compare.contenders import CRASH, Instance
from satcross.compare.records import RecordFile
from satcross.compare.verdict import Verdict, judge
from satcross.errors import InputError
from satcross.formats.files import STANDARD_INPUT, check_writable
from satcross.formats.structure import WORDS_FOR_STRUCTURE
from satcross.grid import Grid
from satcross.puzzle import Puzzle
from satcross.solving.bug_report import write_answers
from satcross.support.wording import counted

_DEFAULT_LIST = "(default list)"
_EXAMPLES = """
satcross compare data/structure1.txt --words data/words1.txt
satcross compare a.txt b.txt --words one.txt two.txt -o runs.jsonl
satcross compare a.txt --backend sat --solver glucose4,cadical153 --encoding lazy,full
satcross compare a.txt --words w.txt --external 'cadical -q {cnf}' --student my/generate.py
"""


def _repeat_words(args: list[str]) -> list[str]:
    """Repeat ``--words`` before each of the files that follow it, up to the next option."""
    spread: list[str] = []
    taking = False
    for text in args:
        if text in ("-w", "--words"):
            taking = True
        elif text.startswith("-") and text != STANDARD_INPUT:
            taking = False
            spread.append(text)
        else:
            spread += ["--words", text] if taking else [text]
    if taking and args[-1] in ("-w", "--words"):
        spread.append(args[-1])  # click complains about the missing value
    return spread


@dataclass(frozen=True, slots=True)
class CompareRequest:
    structures: tuple[str, ...] = argument(
        "STRUCTURE...", "Grids, one per file, as for satcross solve.", nargs=-1, required=False
    )
    lists: tuple[str, ...] = option(
        "-w --words WORDS...",
        "Word lists; each structure is tried with each.  [default: the default list]",
        heading=INPUT,
        multiple=True,
    )
    key: str | None = key_option()
    contenders: ContenderFlags = options(ContenderFlags)
    best: bool = best_flag()
    min_score: int | None = option(
        "--min-score N", "Only words with at least this score.", heading=RULES, type=whole()
    )
    limits: LimitFlags = options(LimitFlags)
    out: str | None = output_option(
        "Add a line of JSON for each run to this file.", "FILE.jsonl", aliases=["--out"]
    )
    report: Report = options(
        Report,
        as_json="Print verdict and records as JSON.",
        quiet="No notes and no table, only the verdict.",
    )


@make_command(CompareRequest, examples=_EXAMPLES, prepare=_repeat_words)
def command(request: CompareRequest) -> int:
    """Run all contenders on every STRUCTURE with every list of WORDS, and compare the answers.

    Contenders are backends, SAT solvers and CS50 programs. Each run is a process of its own, which
    is ended at its limits together with all processes it started. Every fill is verified. At the
    end come a table (wall-clock and processor seconds, and peak memory, of whole runs) and a
    verdict.

    Exit codes: 0 the answers agree; 1 DISAGREEMENT: one has filled what another calls unfillable,
    or a fill is wrong; 30 the answers agree, but no contender has answered some puzzle, or it was
    interrupted; 2 bad usage or bad input.
    """
    if not request.structures:
        raise click.UsageError(_no_structure(request.lists))
    contenders, report = request.contenders.contenders(), request.report
    if request.out is not None:
        check_writable(request.out, [*request.structures, *request.lists])
    instances = _read(request)
    plan = planned(request.contenders, request.limits, best=request.best)
    runs = [plan(*pair) for pair in product(instances, contenders)]
    state = RecordedRuns(runs, _labels(instances))
    with nullcontext() if request.out is None else RecordFile(request.out) as file:
        state.execute(request.limits, file, None, quiet=report.quiet)
    verdict = judge(state.done)
    lines = _verdict_lines(verdict, state)
    if verdict.contradictions:
        lines += _reports(verdict, instances)
    report.show(
        lambda: _to_data(verdict, state, lines), lambda: _print(state, lines, quiet=report.quiet)
    )
    if not verdict.agreement:
        return INTERNAL_ERROR
    return UNKNOWN if state.interrupted or verdict.unanswered else FILLED


def _no_structure(lists: Sequence[str]) -> str:
    missing = "Missing argument 'STRUCTURE...'."
    if not lists:
        return missing
    taken = f"--words takes every file up to the next option, here {', '.join(lists)}"
    return f"{missing} {taken}; put the structures before --words."


def _read(request: CompareRequest) -> list[Instance]:
    quiet = request.report.quiet or request.report.as_json
    check_standard_input([*request.structures, *request.lists])
    grids = {path: _read_structure(path, quiet=quiet) for path in dict.fromkeys(request.structures)}
    vocabularies = {
        path: read_lists([path], quiet=quiet).vocabulary for path in dict.fromkeys(request.lists)
    } or {_DEFAULT_LIST: read_lists([], quiet=quiet).vocabulary}
    pairs = product(grids.items(), vocabularies.items())
    return [
        Instance(Puzzle(grid, vocabulary, min_score=request.min_score), structure, words)
        for (structure, grid), (words, vocabulary) in pairs
    ]


def _read_structure(path: str, *, quiet: bool) -> Grid:
    try:
        return read_structure(path, letters=False, quiet=quiet).grid
    except InputError as error:
        if error.remedy != WORDS_FOR_STRUCTURE:
            raise
        remedy = "it looks like a word list; compare takes lists after --words"
        raise InputError(error.problem, remedy, file=path) from None


def _labels(instances: Sequence[Instance]) -> dict[Instance, str]:
    """The puzzles' names in tables: the structure, and the word list if there are several."""
    several = len({instance.words for instance in instances}) > 1
    names = {instance: Path(instance.structure).name for instance in instances}
    if len(set(names.values())) < len({instance.structure for instance in instances}):
        names = {instance: instance.structure for instance in instances}
    if several:
        names = {key: f"{name} {Path(key.words).name}" for key, name in names.items()}
    return names


def _verdict_lines(verdict: Verdict, runs: RecordedRuns) -> list[str]:
    done = runs.done
    lines = verdict.problems()
    reasons = Counter(run.reason for run in done if not run.answered)
    causes = "; ".join(f"{reason}: {number}" for reason, number in reasons.most_common())
    answered = [run.puzzle for run in done if run.answered]
    counts = (
        f"{counted(len(done), 'run')} on {counted(verdict.puzzles, 'puzzle')}, "
        f"{len(answered)} with an answer"
        + (f", {len(done) - len(answered)} without an answer ({causes})" if causes else "")
    )
    if runs.interrupted:
        lines.append(f"Interrupted: {counts}, of {len(runs.runs)} planned.")
    if verdict.agreement and len(answered) > len(set(answered)):
        lines.append(f"All answers agree: {counts}.")
    elif verdict.agreement:
        lines.append(f"No two answers to compare: {counts}.")
    lines += [f"No contender has answered {run.puzzle_name}." for run in verdict.unanswered]
    return lines


def _reports(verdict: Verdict, instances: Sequence[Instance]) -> list[str]:
    """Lines that name a file for each contradiction, from which it can be examined."""
    puzzles = {instance.hash: instance.puzzle for instance in instances}
    lines = []
    for runs in verdict.contradictions:
        file = write_answers(puzzles[runs[0].puzzle], list(map(asdict, runs)), {})
        lines.append(f"{runs[0].puzzle_name}: {file}")
    return lines


def _to_data(verdict: Verdict, runs: RecordedRuns, lines: list[str]) -> dict[str, object]:
    return {
        "agreement": verdict.agreement,
        "interrupted": runs.interrupted,
        "verdict": lines,
        "runs": [record.to_data() for record in runs.done],
    }


def _print(runs: RecordedRuns, lines: Sequence[str], *, quiet: bool) -> None:
    if not quiet:
        shown = [runs.shown(run, runs.records.get(run.key)) for run in runs.runs]
        run_table(shown).print(coloured)
        print_line()
        for run in shown:
            record = run.record
            if record is not None and record.detail and record.status in ("unknown", "crashed"):
                cause = "it crashed" if record.reason == CRASH else record.reason
                print_line(f"{run.contender} on {run.puzzle}: {cause}: {record.detail}")
    for line in lines:
        print_line(line)
