"""``satcross puzzle codeword``."""

from __future__ import annotations

from dataclasses import dataclass

from satcross.cli.options import argument, make_command
from satcross.errors import UnavailableError

_EXAMPLES = """
satcross puzzle codeword crossword.ipuz codeword.pdf
"""


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments and options of ``puzzle codeword``."""

    crossword: str = argument("CROSSWORD", "A filled crossword, in any format that is read.")


@make_command(Request, examples=_EXAMPLES)
def codeword(request: Request) -> None:
    """Replace the letters of a filled crossword by numbers."""
    raise UnavailableError("codewords are not made yet")
