"""``satcross encode``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from satcross.cli.options import PuzzleFlags, puzzle_options
from satcross.cli.options import output as stdout
from satcross.cli.read_puzzle import read_puzzle
from satcross.errors import InputError

if TYPE_CHECKING:
    from satcross.proofs import Formula

_FORMATS = ("cnf", "wcnf", "pb.txt")
_STDOUT = "-"

_EPILOG = """\b
Examples:
  satcross encode data/structure1.txt data/words1.txt -o puzzle.cnf
  satcross encode grid.txt words.txt --min-score 60 -o puzzle.wcnf.gz
  satcross encode grid.txt words.txt -o - | kissat
"""


@click.command(name="encode", epilog=_EPILOG)
@click.argument("structure")
@click.argument("words", required=False)
@puzzle_options
@click.option(
    "-o",
    "--output",
    "path",
    required=True,
    metavar="FILE",
    help="What to write, by its extension: .cnf (DIMACS), .wcnf (MaxSAT: the cheapest model has "
    "the highest total score) or .pb.txt (CP-SAT); with .gz behind it, compressed; - is standard "
    "output.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    help="The format, when FILE's extension does not tell.  [default for -: cnf]",
)
@click.option(
    "--encoding",
    type=click.Choice(("full", "direct")),
    default="full",
    show_default=True,
    help="full: letters and supports; direct: pairs of words that disagree (only for short lists).",
)
@click.option(
    "--reduce",
    is_flag=True,
    help="Leave out the words that arc consistency rules out; smaller, with the same fills.",
)
@click.option(
    "--one-model-per-fill",
    "one_model",
    is_flag=True,
    help="Add clauses so that every fill has one model, for model counters; .cnf and .wcnf only.  "
    "[default: a fill may have many]",
)
@click.option("--quiet", is_flag=True, help="Print no notes.")
def command(
    structure: str,
    words: str | None,
    flags: PuzzleFlags,
    path: str,
    form: str | None,
    encoding: str,
    reduce: bool,
    one_model: bool,
    quiet: bool,
) -> None:
    """Write the question of STRUCTURE and WORDS as a formula for other people's solvers.

    Without --reduce every word takes part that fits its slot by itself, so that nothing of our own
    reasoning needs to be believed. Comments say what each variable means: 14A=WORD is a word in a
    slot, r0c2=A a letter in row 0, column 2, both from 0. The same question gives the same bytes.
    """
    form = _choose_format(path, form)
    if encoding == "direct" and form == "pb.txt":
        raise click.UsageError("--encoding is for .cnf and .wcnf.")
    if one_model and form == "pb.txt":
        raise click.UsageError("--one-model-per-fill is for .cnf and .wcnf.")
    lists = flags.lists(words)
    if path != _STDOUT:
        from satcross.formats.files import check_writable

        check_writable(path, [structure, *lists, *flags.rule_files])
    puzzle = read_puzzle(structure, lists, flags, quiet=quiet)
    from satcross.proofs import Formula

    write(Formula(puzzle, encoding, reduce=reduce, one_model=one_model), form, path)


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
        "its extension does not say what to write",
        "choose .cnf, .wcnf or .pb.txt, perhaps with .gz behind it, or give --format",
        file=path,
    )


def write(formula: Formula, form: str, path: str) -> None:
    """Write the formula in one of the formats to a file (whole or not at all) or to stdout."""
    writer = {
        "cnf": formula.write_dimacs,
        "wcnf": formula.write_wcnf,
        "pb.txt": formula.write_cpsat,
    }[form]
    if path == _STDOUT:
        # Names of variables may have letters that the terminal's encoding lacks.
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8")
        with stdout():
            writer(sys.stdout)
        return
    from satcross.formats.files import write_stream

    write_stream(path, writer)
