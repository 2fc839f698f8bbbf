"""The kinds of files that satcross tells apart; ``sniff`` and ``signs`` recognise them."""

from __future__ import annotations

from satcross.support.frozen import frozen

HEADING = "satcross grid"
"""The first line of a decorated structure."""

_EXPORT = "export the crossword there as .ipuz, .puz or .jpz"


@frozen
class Kind:
    """What a file is.

    ``name`` completes "the file is ...". ``module`` is the module of ``satcross.formats`` whose
    ``parse_crossword`` reads it, or "" for what satcross does not read; ``remedy`` then says what
    to do.
    """

    name: str
    remedy: str = _EXPORT
    module: str = ""


PUZ = Kind("a .puz crossword", "", "puz")
IPUZ = Kind("an .ipuz crossword", "", "ipuz")
JPZ = Kind("a .jpz crossword", "", "jpz")
XD = Kind("an .xd crossword", "", "xd")
EXOLVE = Kind("an Exolve crossword", "", "exolve")
ACROSS_LITE = Kind("a crossword in Across Lite's text format", "", "across_lite")
CROSSFIRE = Kind("a CrossFire crossword", "", "crossfire")
NEWSPAPER = Kind("a newspaper's crossword in JSON", "", "newspaper")
JSON = Kind("a crossword in JSON", "", "json")
PAGE = Kind("a crossword page of satcross", "", "html")
DECORATED = Kind("a decorated structure", "", "text")
STRUCTURE = Kind("a structure", "", "text")
PRINTED = Kind("a printed grid", "", "text")
LETTERS = Kind("a printed grid or a list of words of one length", "", "text")
EMPTY = Kind("an empty file", "", "text")
WORDS = Kind(
    "a list of words, not a crossword", "make a crossword of it: satcross layout LIST OUT.ipuz"
)
OTHER_JSON = Kind("JSON that is no crossword of satcross")
BROKEN_XML = Kind("an XML file")
UNKNOWN = Kind(
    "text that is no crossword, structure or printed grid",
    "give a crossword, a structure or a printed grid",
)
PICTURE = Kind("a picture", "type the grid as a structure, or export it as data")
BINARY = Kind("not a text file", "give plain text, gzipped or not")

VAGUE = (UNKNOWN, BINARY, EMPTY, BROKEN_XML, OTHER_JSON, WORDS, LETTERS)
"""Kinds that damaged files of other kinds may look like."""

TEXTS = (DECORATED, STRUCTURE, PRINTED, LETTERS, EMPTY)
"""Kinds that the module ``text`` reads."""
