"""``satcross encode decode``."""

from __future__ import annotations

from dataclasses import dataclass

from satcross.cli.options import INPUT, OUTPUT, argument, json_option, make_command, option
from satcross.cli.output import Report, check_standard_input

_EXAMPLES = """
satcross encode grid.txt words.txt -o puzzle.cnf
cadical -q puzzle.cnf > model.txt
satcross encode decode model.txt --formula puzzle.cnf
"""


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments and options of ``encode decode``."""

    model: str = argument(
        "MODEL", "What the solver printed, with its last solution; - is standard input."
    )
    formula: str = option(
        "--formula FILE",
        "The formula, as satcross encode wrote it: .cnf, .wcnf, .opb, .mzn, .fzn or .xml.",
        heading=INPUT,
        required=True,
        aliases=("--cnf",),
    )
    as_json: bool = json_option("Print rows and words as JSON.", OUTPUT)


@make_command(Request, examples=_EXAMPLES)
def command(request: Request) -> None:
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
