"""``satcross encode`` and ``satcross encode decode``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TextIO

import click

from satcross.cli import options as cli
from satcross.cli.messages import note, printing
from satcross.cli.output import Report, check_standard_input
from satcross.cli.read_puzzle import PuzzleInput
from satcross.errors import InputError
from satcross.formats.files import check_writable, write_stream

if TYPE_CHECKING:
    from satcross.solving.proofs import Formula

_MODELS = ("opb", "mzn", "fzn", "xml")
_FORMATS = ("cnf", "wcnf", *_MODELS, "pb.txt")
_STDOUT = "-"

_EXAMPLES = """
satcross encode data/structure1.txt data/words1.txt -o puzzle.cnf
satcross encode grid.txt words.txt --min-score 60 -o puzzle.wcnf.gz
satcross encode grid.txt words.txt -o - | kissat
satcross encode decode model.txt --formula puzzle.cnf
"""


_DECODE_EXAMPLES = """
satcross encode grid.txt words.txt -o puzzle.cnf
cadical -q puzzle.cnf > model.txt
satcross encode decode model.txt --formula puzzle.cnf
"""


@dataclass(frozen=True, slots=True)
class DecodeRequest:
    model: str = cli.argument(
        "MODEL", "What the solver printed, with its last solution; - is standard input."
    )
    formula: str = cli.option(
        "--formula FILE",
        "The formula, as satcross encode wrote it, in any of its formats.",
        heading=cli.INPUT,
        required=True,
        aliases=("--cnf",),
    )
    as_json: bool = cli.json_option("Print rows and words as JSON.", cli.OUTPUT)


@cli.make_command(DecodeRequest, examples=_DECODE_EXAMPLES)
def decode(request: DecodeRequest) -> None:
    """Print the grid of the model that a solver has found for a formula by `satcross encode`.

    The comments of the formula say what its variables mean. A grid with rebus cells is printed as
    a decorated structure. The grid is not verified: give it to
    `satcross check`. Exit codes: 0; 2 bad usage or bad input, such as a solver's output without a
    model.
    """
    from satcross.solving.proofs.decode import decode_model

    check_standard_input([request.model, request.formula])
    decoded = decode_model(request.formula, request.model)
    Report(request.as_json).show(
        lambda: {"rows": decoded.rows, "words": dict(decoded.words)}, lambda: decoded.text
    )


@dataclass(frozen=True, slots=True)
class Request:
    puzzle: PuzzleInput = cli.options(PuzzleInput)
    path: str = cli.output_option(
        "The file to write, its format by its extension: .cnf (DIMACS), .wcnf (MaxSAT: the "
        "cheapest model has the highest total score), .opb (pseudo-Boolean), .mzn (MiniZinc), .fzn "
        "(FlatZinc), .xml (XCSP3) or .pb.txt (CP-SAT); with .gz behind it, compressed; - is "
        "standard output.",
        required=True,
    )
    form: str | None = cli.option(
        "--format",
        "The format, when FILE's extension does not say.  [default for -: cnf]",
        heading=cli.OUTPUT,
        choices=_FORMATS,
    )
    encoding: str = cli.option(
        "--encoding",
        "full: letters and supports; direct: pairs of words that disagree (only for short lists); "
        "log, order, product: full, and at most one word in a slot; regular: trees of letters.",
        choices=("full", "direct", "log", "order", "product", "regular"),
        default="full",
    )
    reduce: bool = cli.option(
        "--reduce",
        "Leave out the words that arc consistency rules out; smaller, with the same fills.",
    )
    one_model: bool = cli.option(
        "--one-model-per-fill",
        "Add clauses so that every fill has one model, for model counters; without them a fill may "
        "have many. For .cnf and .wcnf only.",
    )
    best: bool = cli.option(
        "--best",
        "State that the total score is to be as high as possible, as .wcnf does by itself. For "
        ".opb, .mzn, .fzn and .xml.",
    )
    quiet: bool = cli.quiet_option()


@cli.make_command(Request, examples=_EXAMPLES, subcommands={"decode": decode})
def command(request: Request) -> None:
    """Write the puzzle of STRUCTURE and WORDS as a formula for other solvers.

    Without --reduce every word takes part that fits its slot by itself, so that the formula relies
    on no reasoning of satcross. Comments say what each variable means: 14A=WORD is a word in a
    slot, r1c3=A a letter in row 1, column 3, both counted from 1. The same puzzle gives the same
    bytes.
    """
    form = _choose_format(request.path, request.form)
    if request.encoding != "full" and form not in ("cnf", "wcnf"):
        raise click.UsageError("--encoding is for .cnf and .wcnf.")
    if request.one_model and form not in ("cnf", "wcnf"):
        raise click.UsageError("--one-model-per-fill is for .cnf and .wcnf.")
    if request.best and form not in (*_MODELS, "wcnf"):
        raise click.UsageError("--best is for .wcnf, .opb, .mzn, .fzn and .xml.")
    if request.path != _STDOUT:
        check_writable(request.path, request.puzzle.files)
    puzzle = request.puzzle.read(quiet=request.quiet)
    from satcross.solving.proofs import Formula

    formula = Formula(puzzle, request.encoding, reduce=request.reduce, one_model=request.one_model)
    if form == "wcnf" and not formula.has_costs and not request.quiet:
        note(
            "The candidates of each slot have equal scores: the WCNF has no soft clause, and every "
            "fill costs 0."
        )
    write(formula, form, request.path, best=request.best)


def _choose_format(path: str, form: str | None) -> str:
    if not path:
        raise InputError("an empty file name", "name a file to write")
    if form is not None:
        return form
    if path == _STDOUT:
        return "cnf"
    name = path.lower().removesuffix(".gz")
    for known in _FORMATS:
        if name.endswith(f".{known}"):
            return known
    raise InputError(
        "the extension does not say what to write",
        f"choose .{', .'.join(_FORMATS)}, perhaps with .gz behind it, or give --format",
        file=path,
    )


def write(formula: Formula, form: str, path: str, *, best: bool = False) -> None:
    """Write the formula in one of the formats to a file (whole or not at all) or to stdout."""
    writers: dict[str, Callable[[TextIO], object]] = {
        "cnf": formula.write_dimacs,
        "wcnf": formula.write_wcnf,
        "pb.txt": formula.write_cpsat,
        **{name: partial(formula.write_model, form=name, best=best) for name in _MODELS},
    }
    writer = writers[form]
    if path == _STDOUT:
        # Names of variables may have letters that the terminal's encoding lacks.
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8")
        with printing():
            writer(sys.stdout)
        return
    write_stream(path, writer)
