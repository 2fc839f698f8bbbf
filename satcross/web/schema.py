"""What the API is asked and answers. From these types come the checks and the description.

Numbers of rows and columns are from 0. Rows of a grid have ``#`` for a blocked cell, ``_`` (in
answers ``.``) for an open one, and else the letter; they are all of one length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct, defstruct, field

from satcross.backends.registry import BACKENDS
from satcross.rules import Key, Shape, all_keys
from satcross.rules.rule import (
    ENDINGS,
    NUMBER,
    NUMBERS_BY_LENGTH,
    SWITCH,
    WORDS,
    WORDS_BY_SLOT,
)
from satcross.web.limits import MOST_CANDIDATES, MOST_FILLS, MOST_ROWS

DEFAULT_LIST = "default"
"""Stands for the word list that comes with satcross."""

Line = Annotated[str, Meta(min_length=1, max_length=MOST_ROWS)]
Rows = Annotated[tuple[Line, ...], Meta(min_length=1, max_length=MOST_ROWS)]
Word = Annotated[str, Meta(min_length=1, max_length=100)]
LockedWord = Annotated[str, Meta(pattern=r"^[^\s_#.?*]+$", min_length=1, max_length=MOST_ROWS)]
SlotName = Annotated[str, Meta(pattern=r"^[0-9]{1,3}[ADad]$", max_length=4)]
ListName = Annotated[str, Meta(pattern=r"^[a-z0-9]{1,40}$", max_length=40)]
LengthName = Annotated[str, Meta(pattern=r"^[0-9]{1,3}$", max_length=3)]
Ending = Annotated[str, Meta(pattern=r"^[^\W\d_]+$", min_length=1, max_length=20)]
MOST_NUMBER = 1_000_000
"""The largest number in a rule, and the negative of the smallest."""
Seconds = Annotated[float, Meta(gt=0, le=86_400)]
Seed = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Place = Annotated[
    tuple[Annotated[int, Meta(ge=0, lt=MOST_ROWS)], ...], Meta(min_length=2, max_length=2)
]
"""Row and column."""
Text = Annotated[str, Meta(max_length=2000)]
if TYPE_CHECKING:
    BackendName = str
else:
    BackendName = Literal[tuple(BACKENDS)]


class PuzzleBase(Struct, frozen=True, forbid_unknown_fields=True):
    """A puzzle: grid (its letters are locked), word lists by name, rules."""

    rows: Rows
    lists: Annotated[tuple[ListName, ...], Meta(min_length=1, max_length=8)] = (DEFAULT_LIST,)


def _rule_field(key: Key) -> tuple[str, Any, Any]:
    """The name, type and default of the field for a rule's key."""
    least = -MOST_NUMBER if key.minimum is None else key.minimum
    number = Annotated[int, Meta(ge=least, le=MOST_NUMBER)]
    types: dict[Shape, tuple[Any, Any]] = {
        NUMBER: (number | None, None),
        SWITCH: (bool, False),
        WORDS: (Annotated[tuple[Word, ...], Meta(max_length=2000)], ()),
        ENDINGS: (Annotated[tuple[Ending, ...], Meta(max_length=50)], ()),
        WORDS_BY_SLOT: (
            Annotated[dict[SlotName, LockedWord], Meta(max_length=400)],
            field(default_factory=dict),
        ),
        NUMBERS_BY_LENGTH: (
            Annotated[dict[LengthName, number], Meta(max_length=MOST_ROWS)],
            field(default_factory=dict),
        ),
    }
    return key.name, *types[key.shape]


if TYPE_CHECKING:
    PuzzleSpec = PuzzleBase
else:
    PuzzleSpec = defstruct(
        "PuzzleSpec",
        [_rule_field(key) for key in all_keys().values()],
        bases=(PuzzleBase,),
        namespace={"__doc__": PuzzleBase.__doc__},
        module=__name__,
        frozen=True,
        forbid_unknown_fields=True,
    )


class Look(Struct, frozen=True, forbid_unknown_fields=True):
    """What arc consistency leaves of a puzzle, and the candidates of one slot, best first.

    Ranked by score, by the room they leave to their crossings, or by both (``best``).
    """

    question: PuzzleSpec
    slot: SlotName | None = None
    rank: Literal["best", "score", "room"] = "best"
    most: Annotated[int, Meta(ge=1, le=MOST_CANDIDATES)] = 60


class _Job(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", kw_only=True):
    question: PuzzleSpec
    seconds: Seconds = 60.0
    seed: Seed = 0


class Fill(_Job, frozen=True, tag="fill"):
    """Fill the grid, or prove that it can't be done."""

    backend: BackendName = "auto"


class Several(_Job, frozen=True, tag="several"):
    """Find several fills, with few words in common if they are to be diverse."""

    number: Annotated[int, Meta(ge=1, le=MOST_FILLS)] = 3
    diverse: bool = True


class Explain(_Job, frozen=True, tag="explain"):
    """Say why there is no fill, and what would help."""

    suggest: bool = True


class Compare(_Job, frozen=True, tag="compare"):
    """Run backends one after the other, and hold their answers against each other."""

    backends: Annotated[tuple[BackendName, ...], Meta(min_length=1, max_length=len(BACKENDS))] = (
        "backtrack",
        "sat",
        "cpsat",
    )


class Steps(_Job, frozen=True, tag="steps"):
    """Solve a small puzzle by the textbook, and tell every step."""

    most: Annotated[int, Meta(ge=1, le=3000)] = 1500


JobRequest = Fill | Several | Explain | Compare | Steps


class SheetData(Struct, frozen=True, forbid_unknown_fields=True):
    """A crossword as it is published. ``solution`` has ``_`` where no letter is known.

    ``clues`` are by slot; the letters of ``rows`` are shown to whoever solves the crossword.
    """

    rows: Rows
    solution: Rows
    clues: Annotated[dict[SlotName, Text], Meta(max_length=400)] = field(default_factory=dict)
    title: Text = ""
    author: Text = ""
    copyright: Text = ""
    notes: Text = ""
    date: Annotated[str, Meta(max_length=40)] = ""
    circled: Annotated[tuple[Place, ...], Meta(max_length=MOST_ROWS * MOST_ROWS)] = ()


class Export(Struct, frozen=True, forbid_unknown_fields=True):
    """A crossword to write in a format (``about`` lists them) and a style; null: its usual one."""

    sheet: SheetData
    format: Annotated[str, Meta(pattern=r"^\.[a-z0-9]{1,10}$")]
    style: Literal["fill", "puzzle", "solution", "newspaper"] | None = None
    paper: Literal["a4", "letter"] = "a4"


class Problem(Struct, frozen=True):
    """Why a request was turned down: a sentence for people, a word for programs."""

    error: str
    code: str


class ListState(Struct, frozen=True):
    """A word list the server holds. ``lengths``: how many words of each length."""

    name: str
    title: str
    words: int
    lengths: dict[str, int]
    scores: list[int] | None
    """The lowest and the highest score."""
    notes: list[str]


class About(Struct, frozen=True):
    """What this server can do and how much one may ask of it."""

    version: str
    formats: list[str]
    imports: list[str]
    styles: list[str]
    backends: list[str]
    most_rows: int
    most_fills: int
    upload: int
    seconds: float


class SlotState(Struct, frozen=True):
    """A slot, and the number of its candidates after arc consistency."""

    name: str
    row: int
    column: int
    direction: str
    length: int
    candidates: int


class Candidate(Struct, frozen=True):
    """A word that might stand in the slot.

    ``room``: the logarithm to base 10 of how many ways its crossings could be completed if they
    were independent; ``tightest`` and ``left``: the crossing to which it leaves the fewest words;
    ``dead_end``: whether arc consistency shows that it can't stand there (null: not tried).
    """

    word: str
    score: int
    room: float
    tightest: str | None
    left: int | None
    dead_end: bool | None


class CandidateList(Struct, frozen=True):
    """The best candidates of a slot, of ``total``; crossings aside when there is a dead end."""

    slot: str
    total: int
    words: list[Candidate]


class View(Struct, frozen=True):
    """``cells``: letters still possible, null in no slot; ``forced``: rows of letters that are.

    ``empty``: the slots for which no word fits their own letters and rules; ``wiped_out``: the slot
    on which arc consistency failed, so that there is no fill; ``unlisted``: the slots locked to a
    word which the lists and rules do not have, and which is legal all the same.
    """

    slots: list[SlotState]
    cells: list[list[int | None]]
    forced: list[str]
    empty: list[str]
    wiped_out: str | None
    unlisted: list[str]
    candidates: CandidateList | None


class Imported(Struct, frozen=True):
    """A crossword read from a file: letters of ``rows`` are given, those of ``solution`` not.

    ``remarks``: what is worth knowing about the file.
    """

    rows: list[str]
    solution: list[str]
    clues: dict[str, str]
    title: str
    author: str
    copyright: str
    notes: str
    date: str
    circled: list[Place]
    remarks: list[str]


class JobState(Struct, frozen=True):
    """A job. ``state``: queued, running, done, cancelled or failed (then ``error`` says why).

    ``place`` in the queue, from 1; ``progress`` is a line on what is being tried; ``partial``: the
    rows of the grid as far as the search has come; ``parts``: finished parts of the answer.
    ``result`` is what the command of the same kind prints as JSON: see docs/workbench.md.
    """

    id: str
    kind: str
    state: Literal["queued", "running", "done", "cancelled", "failed"]
    place: int | None
    progress: str
    partial: list[str] | None
    parts: list[Any]
    result: Any
    error: str
