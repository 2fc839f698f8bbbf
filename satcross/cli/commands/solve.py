"""``satcross solve``."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcross.backends.registry import DEFAULT_SOLVER, ENCODINGS, SOLVERS
from satcross.cli import FILLED, UNFILLABLE, UNKNOWN, proving
from satcross.cli.best_option import BestCommand, best_option, objective_files, read_objective, told
from satcross.cli.options import (
    PuzzleFlags,
    backend_option,
    counted,
    puzzle_options,
    tell,
    time_limit_option,
)
from satcross.cli.options import output as stdout
from satcross.cli.progress import Progress
from satcross.cli.publishing import Publishing, publishing_options
from satcross.cli.read_puzzle import read_puzzle
from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.files import STANDARD_INPUT, check_writable
from satcross.formats.writers import WRITERS, check_extension
from satcross.grid import Grid
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle

if TYPE_CHECKING:
    from satcross.outcome import FillList

_EXIT_CODES = {
    Status.FILLED: FILLED,
    Status.UNFILLABLE: UNFILLABLE,
    Status.UNKNOWN: UNKNOWN,
}

_SAT_EXIT_CODES = {Status.FILLED: 10, Status.UNFILLABLE: 20, Status.UNKNOWN: 0}

_EPILOG = """\b
Examples:
  satcross solve data/structure1.txt data/words1.txt crossword.png
  satcross solve grid.txt                        (the default word list)
  satcross solve grid.txt words.txt --backend sat,cpsat,backtrack
  satcross solve grid.txt words.txt --best --time-limit 60
  satcross solve grid.txt words.txt --best min
  satcross solve grid.txt words.txt --best freshness used.txt
  satcross solve grid.txt words.txt fill.png --count 3 --diverse   (fill-1.png ...)
  satcross solve grid.txt words.txt --proof grid.drat      (and grid.cnf, if unfillable)
  satcross solve grid.txt words.txt --heat heat.png        (where the grid is tight)
  satcross solve grid.txt words.txt puzzle.png --style puzzle
  satcross solve grid.txt words.txt monday.puz --clues clues.tsv --title Monday
"""


@click.command(name="solve", cls=BestCommand, epilog=_EPILOG)
@click.argument("structure")
@click.argument("words", required=False)
@click.argument("output", required=False)
@backend_option
@time_limit_option
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Processes or threads at once.  [default: the number of processors]",
)
@puzzle_options
@click.option(
    "--solver",
    type=click.Choice(SOLVERS),
    metavar="NAME",
    help=f"Which of PySAT's solvers the sat backend uses: {', '.join(SOLVERS)}."
    f"  [default: {DEFAULT_SOLVER}]",
)
@click.option(
    "--encoding",
    type=click.Choice(ENCODINGS),
    metavar="NAME",
    help="How the sat backend writes clauses: lazy (the default; a vocabulary that grows), full "
    "(every candidate at once) or direct (naive, for small puzzles and comparison).",
)
@best_option
@click.option(
    "--count",
    "number",
    type=click.IntRange(min=1),
    metavar="N",
    help="Find N different fills, or all when there are fewer; OUTPUT gets a number before its "
    "extension.",
)
@click.option(
    "--diverse", is_flag=True, help="With --count: fills that share few words, as far as found."
)
@publishing_options
@click.option(
    "--proof",
    "proof_path",
    metavar="FILE",
    help="When there is no fill, write a DRAT proof of it, and the formula beside it as .cnf (see "
    "satcross check-proof). --time-limit counts anew; without a proof in time, exit code 30.",
)
@click.option(
    "--heat",
    "heat_path",
    metavar="FILE",
    help="Draw into a .png how many letters and words arc consistency leaves cells and slots; "
    "--json then has the numbers, too.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("cs50", "sat")),
    default="cs50",
    show_default=True,
    help="How to print: the grid, or as SAT competitions do (s SATISFIABLE, v and the variables of "
    "the formula that satcross encode writes; exit codes 10, 20 and 0).",
)
@click.option("--color", is_flag=True, help="Print the grid in colours, with numbers.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--quiet", is_flag=True, help="Print no notes and no grid.")
def command(
    structure: str,
    words: str | None,
    output: str | None,
    backends: list[str],
    time_limit: float | None,
    seed: int,
    workers: int | None,
    flags: PuzzleFlags,
    solver: str | None,
    encoding: str | None,
    best: str | None,
    number: int | None,
    diverse: bool,
    publishing: Publishing,
    proof_path: str | None,
    heat_path: str | None,
    form: str,
    color: bool,
    as_json: bool,
    quiet: bool,
    change: Callable[[Puzzle], Puzzle] | None = None,
    kept: Sequence[str] = (),
) -> None:
    """Fill the grid of STRUCTURE with words from WORDS.

    STRUCTURE has one line a row, `_` for an open cell; or it is a .puz, .ipuz, .xd or .json
    crossword, to be filled anew. WORDS has one word a line, or word;score; without it the default
    list is used. Both may be gzipped, and one may be - (standard input). The grid is printed, and
    written into OUTPUT by its extension: .png, .svg, .pdf, .html (a page to play), .puz, .ipuz,
    .xd, .json or .txt. An OUTPUT other than .txt may also follow STRUCTURE directly.
    """
    from satcross.solving.cross_check import cross_check
    from satcross.solving.several import several

    if words is not None and output is None and _is_output(words):
        words, output = None, words
    elif words is not None and output is None:
        _check_words(words)
    options = {name: value for name, value in (("solver", solver), ("encoding", encoding)) if value}
    if options and not {"sat", "auto"} & set(backends):
        raise click.UsageError(f"--{next(iter(options))} is for the backends sat and auto.")
    if diverse and number is None:
        raise click.UsageError("--diverse needs --count.")
    if number is not None and len(backends) > 1:
        raise click.UsageError("--count takes one backend.")
    if number is not None and (proof_path is not None or form == "sat"):
        raise click.UsageError("--count goes with neither --proof nor --format sat.")
    if best is not None and (number is not None or options or form == "sat"):
        raise click.UsageError(
            "--best goes with none of --count, --solver, --encoding, --format sat."
        )
    if form == "sat" and as_json:
        raise click.UsageError("--format sat and --json are two ways to print; choose one.")
    lists = flags.lists(words)
    if proof_path is not None:
        proving.check_paths(
            proof_path, [structure, *lists, *flags.rule_files], output, solver, encoding
        )
    outputs = _outputs(output, number)
    inputs = [structure, *lists, *flags.rule_files, *objective_files(best), *kept]
    if inputs.count(STANDARD_INPUT) > 1:
        raise InputError("standard input can be read only once", "name a file instead of -")
    for path in outputs:
        _check_output(path, inputs)
    if heat_path is not None:
        _check_output(heat_path, inputs, (".png",))
        if any(Path(heat_path).resolve() == Path(path).resolve() for path in outputs):
            raise InputError("is OUTPUT and --heat", "name two files", file=heat_path)
    if publishing.clue_template is not None and number is not None:
        raise click.UsageError("--count and --clue-template don't go together.")
    clues = publishing.read_clues([structure, *lists], outputs, quiet=quiet)

    started = time.perf_counter()
    puzzle = read_puzzle(structure, lists, flags, quiet=quiet)
    objective = None
    if best is not None:
        objective = read_objective(best, puzzle.vocabulary, flags.reading, quiet=quiet)
    grid = puzzle.grid
    if change is not None:
        puzzle = change(puzzle)
    loaded = time.perf_counter() - started
    heat = _heat(puzzle, heat_path) if heat_path is not None else None

    if number is not None:
        with Progress(enabled=not quiet) as progress:
            found = several(
                puzzle,
                number,
                backends[0],
                diverse=diverse,
                time_limit=time_limit,
                seed=seed,
                workers=workers,
                options=options,
                on_progress=progress.show,
            )
        if as_json or not quiet:
            with stdout():
                _print_several(grid, found, number, loaded, as_json, heat, color)
        for path, outcome in zip(outputs, found.outcomes, strict=False):
            crossword = publishing.apply(Crossword.of(grid, outcome.fill), clues, quiet=quiet)
            _write(crossword, outcome, path, publishing, quiet)
        if found.complete:
            sys.exit(FILLED if found.outcomes else UNFILLABLE)
        sys.exit(FILLED if len(found.outcomes) == number else UNKNOWN)

    with Progress(enabled=not quiet) as progress:
        outcomes = cross_check(
            puzzle,
            backends,
            time_limit=time_limit,
            seed=seed,
            workers=workers,
            options=options,
            objective=objective,
            on_progress=progress.show,
        )
    answer = _chosen(outcomes)
    answer = replace(answer, seconds={"load": loaded, **answer.seconds})
    if answer.objective is not None and answer.fill is not None and not quiet:
        _note(told(answer))
    proof = None
    if proof_path is not None:
        with Progress(enabled=not quiet) as progress:
            proof = proving.make(
                puzzle, answer, proof_path, solver, time_limit, progress.show, quiet
            )
    crossword = Crossword.of(grid, answer.fill)
    if answer.status is Status.FILLED:
        crossword = publishing.apply(crossword, clues, quiet=quiet)
    if form == "sat":
        with stdout():
            proving.print_sat(puzzle, answer, encoding, quiet)
    elif as_json or not quiet:
        with stdout():
            _print(crossword, answer, outcomes, as_json, {"proof": proof, "heat": heat}, color)
    if answer.status is Status.FILLED:
        for path in outputs:
            _write(crossword, answer, path, publishing, quiet)
    if proof_path is not None and answer.status is Status.UNFILLABLE and proof is None:
        sys.exit(UNKNOWN)
    sys.exit((_SAT_EXIT_CODES if form == "sat" else _EXIT_CODES)[answer.status])


def _chosen(outcomes: list[Outcome]) -> Outcome:
    """The first definite answer; of fills that were to be the best, the best one."""
    filled = [one for one in outcomes if one.fill is not None and one.objective is not None]
    if filled:
        return max(filled, key=lambda one: ([goal.value for goal in one.goals], one.optimal))
    return next((one for one in outcomes if one.status is not Status.UNKNOWN), outcomes[-1])


def _is_output(path: str) -> bool:
    """Whether it can't be a list of words."""
    suffix = Path(path).suffix.lower()
    return suffix in WRITERS and suffix != ".txt"


def _check_words(path: str) -> None:
    """Raise InputError for a list that is not there but was perhaps meant as OUTPUT."""
    if path == STANDARD_INPUT or os.path.exists(path):  # noqa: PTH110 (a name no file can have)
        return
    if Path(path).suffix.lower() == ".txt":
        raise InputError(
            "no such list of words",
            "check the name; an OUTPUT in .txt takes WORDS before it",
            file=path,
        )
    raise InputError(
        "no such list of words, and no file to write",
        f"check the name, or choose {', '.join(WRITERS)}",
        file=path,
    )


def _heat(puzzle: Puzzle, path: str) -> dict[str, object]:
    """Draw the heat into the file; the numbers as plain values."""
    from satcross.drawing.tightness import heat_to_data, write_heat
    from satcross.formats.files import write_atomically
    from satcross.network.tightness import heat

    counted = heat(puzzle)
    write_atomically(path, lambda beside: write_heat(puzzle.grid, counted, beside))
    return heat_to_data(puzzle.grid, counted)


def _outputs(output: str | None, number: int | None) -> list[str]:
    """The files to write: one a fill, out-1.png, out-2.png and so on, when several are wanted."""
    if output is None:
        return []
    if number is None or not output:
        return [output]
    path = Path(output)
    return [str(path.with_name(f"{path.stem}-{k}{path.suffix}")) for k in range(1, number + 1)]


def _check_output(output: str, inputs: list[str], suffixes: Iterable[str] | None = None) -> None:
    if not output:
        raise InputError("an empty file name", "name a file to write")
    check_extension(output, WRITERS if suffixes is None else suffixes)
    check_writable(output, inputs)


def _print(
    crossword: Crossword,
    best: Outcome,
    outcomes: list[Outcome],
    as_json: bool,
    more: dict[str, dict[str, object] | None],
    color: bool,
) -> None:
    if as_json:
        from satcross.formats.json import add_crossword, dump

        data = add_crossword(_to_data(crossword.grid, best, outcomes), crossword)
        data.update((key, value) for key, value in more.items() if value is not None)
        text = dump(data)
        click.echo(text if _can_print(text) else dump(data, ascii_only=True), nl=False)
        return
    if best.fill is not None:
        _print_grid(crossword.grid, best, color)
    elif best.status is Status.UNFILLABLE:
        click.echo(f"No solution: {best.reason}.")
    else:
        click.echo(f"Unknown: {best.reason}.")
    if len(outcomes) > 1:
        click.echo()
        click.echo(_table(outcomes), nl=False)


def _print_grid(grid: Grid, outcome: Outcome, color: bool) -> None:
    if color:
        from satcross.drawing.terminal import draw_terminal

        text = draw_terminal(Crossword.of(grid, outcome.fill))
    else:
        from satcross.formats.text import FULL_BLOCK, draw_text

        block = FULL_BLOCK if _can_print(FULL_BLOCK) else "#"
        text = draw_text(grid.structure, _letters(grid, outcome), block=block)
    if not _can_print(text):
        text = text.encode(_encoding(), "replace").decode(_encoding())
    # Asked for colours, click leaves them in when the output is no terminal.
    click.echo(text, nl=False, color=color or None)


def _print_several(
    grid: Grid,
    found: FillList,
    number: int,
    loaded: float,
    as_json: bool,
    heat: dict[str, object] | None,
    color: bool,
) -> None:
    if as_json:
        from satcross.formats.json import dump, fill_list_to_data

        data = fill_list_to_data(grid, found, loaded)
        if heat is not None:
            data["heat"] = heat
        text = dump(data)
        click.echo(text if _can_print(text) else dump(data, ascii_only=True), nl=False)
        return
    for place, outcome in enumerate(found.outcomes):
        if place:
            click.echo()
        _print_grid(grid, outcome, color)
    fills = len(found.outcomes)
    if found.complete and not fills:
        click.echo("No solution: there is no fill.")
    elif found.complete and fills < number:
        _note(f"there {'is' if fills == 1 else 'are'} only {counted(fills, 'fill')}")
    elif fills < number:
        _note(f"{counted(fills, 'fill')} of {number} found ({found.reason})")
    elif number > 1:
        _note(f"no two share more than {found.max_shared_words} of {len(grid.slots)} words")


def _note(text: str) -> None:
    tell(f"note: {text}")


def _encoding() -> str:
    return (sys.stdout and sys.stdout.encoding) or "utf-8"


def _can_print(text: str) -> bool:
    try:
        text.encode(_encoding())
    except UnicodeEncodeError:
        return False
    return True


def _table(outcomes: list[Outcome]) -> str:
    lines = [f"{'backend':10} {'status':10} {'encode s':>9} {'solve s':>9}"]
    lines += [
        f"{one.backend:10} {one.status.value:10} "
        f"{one.seconds['encode']:9.3f} {one.seconds['solve']:9.3f}"
        f"{'' if one.objective is None or one.fill is None else '  ' + told(one)}"
        for one in outcomes
    ]
    return "\n".join(lines) + "\n"


def _to_data(grid: Grid, best: Outcome, outcomes: list[Outcome]) -> dict[str, object]:
    from satcross.formats.json import outcome_to_data

    data = outcome_to_data(grid, best)
    if len(outcomes) > 1:
        data["backends"] = [
            {
                "backend": one.backend,
                "status": one.status.value,
                "reason": one.reason or None,
                "score": one.score,
                **({} if one.objective is None else {"optimal": one.optimal, "bound": one.bound}),
                "seconds": dict(one.seconds),
                "stats": dict(one.stats),
            }
            for one in outcomes
        ]
    return data


def _write(
    crossword: Crossword, outcome: Outcome, output: str, publishing: Publishing, quiet: bool
) -> None:
    if Path(output).suffix.lower() != ".json":
        publishing.write(crossword, output, quiet=quiet)
        return
    from satcross.formats.files import write_atomically
    from satcross.formats.json import add_crossword, dump

    text = dump(add_crossword(_to_data(crossword.grid, outcome, [outcome]), crossword))
    write_atomically(output, lambda path: _write_text(path, text))


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _letters(grid: Grid, outcome: Outcome) -> list[list[str | None]]:
    fill = outcome.fill or {}
    return grid.letters([fill.get(slot.name) for slot in grid.slots])
