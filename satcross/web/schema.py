"""Types of the API's requests and responses, used for validation and for the OpenAPI description.

Row and column indices are from 0. The rows of a grid have equal length; ``#`` is a blocked cell,
``_`` (in responses ``.``) an open one, and any other character a letter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Raw, Struct, defstruct, field

from satcross.answer.dictionaries.prepare import DICTIONARIES
from satcross.answer.word_facts import UsedClue
from satcross.backends.registry import BACKENDS
from satcross.formats.common import MAX_REBUS
from satcross.formats.languages import languages
from satcross.grid.lint import GridStatistics, LintWarning
from satcross.make.pattern.library import standard_kinds
from satcross.make.puzzles import LEVELS
from satcross.make.wordplay import Wordplay
from satcross.rules import all_keys, rule
from satcross.rules.rule import Key, Shape
from satcross.run_settings import PREFERENCE_NAMES
from satcross.solving.clue_faults import ClueFault
from satcross.web.limits import MAX_CANDIDATES, MAX_FILLS, MAX_ROWS

DEFAULT_LIST = "default"
"""Name of the default word list."""

Line = Annotated[str, Meta(min_length=1, max_length=4 * MAX_ROWS)]
"""A row of at most MAX_ROWS letters; letters with marks are some characters each."""
Rows = Annotated[tuple[Line, ...], Meta(min_length=1, max_length=MAX_ROWS)]
Word = Annotated[str, Meta(min_length=1, max_length=100)]
LockedWord = Annotated[str, Meta(pattern=r"^[^\s_#.?*]+$", min_length=1, max_length=MAX_ROWS)]
SlotName = Annotated[str, Meta(pattern=r"^[0-9]{1,3}[ADad]$", max_length=4)]
Words = Annotated[dict[SlotName, LockedWord], Meta(max_length=400)]
"""Words by slot."""
ListName = Annotated[str, Meta(pattern=r"^[a-z0-9]{1,40}$", max_length=40)]
Lists = Annotated[tuple[ListName, ...], Meta(min_length=1, max_length=8)]
LengthName = Annotated[str, Meta(pattern=r"^[0-9]{1,3}$", max_length=3)]
Ending = Annotated[str, Meta(pattern=r"^[^\W\d_]+$", min_length=1, max_length=20)]
MAX_NUMBER = 1_000_000
"""Maximum absolute value of a number in a rule."""
Seconds = Annotated[float, Meta(gt=0, le=86_400)]
Seed = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Position = Annotated[
    tuple[Annotated[int, Meta(ge=0, lt=MAX_ROWS)], ...], Meta(min_length=2, max_length=2)
]
"""Row and column, from 0."""
Cells = Annotated[tuple[Position, ...], Meta(max_length=MAX_ROWS * MAX_ROWS)]
Index = Annotated[int, Meta(ge=0, lt=MAX_ROWS)]
Text = Annotated[str, Meta(max_length=2000)]
Clues = Annotated[dict[SlotName, Text], Meta(max_length=400)]
"""Clues by slot."""
OWN_GRID = "this crossword"
"""What a codeword or fill-in is made of: the crossword of the request, not a standard grid."""
if TYPE_CHECKING:
    BackendName = str
    PreferenceName = str
    Language = str
    SourceName = str
    GridName = str
    LevelName = str
else:
    SourceName = Literal[tuple(DICTIONARIES)]
    Language = Literal[("", *languages())]
    BackendName = Literal[tuple(BACKENDS)]
    PreferenceName = Literal[PREFERENCE_NAMES]
    GridName = Literal[(OWN_GRID, *standard_kinds())]
    LevelName = Literal[("any", *LEVELS)]
Preferences = Annotated[tuple[PreferenceName, ...], Meta(max_length=len(PREFERENCE_NAMES))]


class Bars(Struct, frozen=True, forbid_unknown_fields=True):
    """The cells with a bar at the right, and those with a bar below. Words end at bars."""

    right: Cells = ()
    below: Cells = ()


class RebusCell(Struct, frozen=True, forbid_unknown_fields=True):
    """A cell with several letters; the rows have the first of them."""

    row: Index
    column: Index
    letters: Annotated[str, Meta(pattern=r"^[^\s_#.?*]+$", min_length=2, max_length=MAX_REBUS)]


RebusCells = Annotated[tuple[RebusCell, ...], Meta(max_length=MAX_ROWS * MAX_ROWS)]


class PuzzleBase(Struct, frozen=True, forbid_unknown_fields=True):
    """A puzzle: the rows of its grid, with given letters, its language, word lists, and rules.

    A slot has a letter for each letter of a ``rebus`` cell.
    """

    rows: Rows
    bars: Bars = Bars()
    rebus: RebusCells = ()
    lists: Lists = (DEFAULT_LIST,)
    language: Language = ""


def _rule_field(key: Key) -> tuple[str, Any, Any]:
    """Return the name, type and default of the field for a rule's key."""
    minimum = -MAX_NUMBER if key.minimum is None else key.minimum
    number = Annotated[int, Meta(ge=minimum, le=MAX_NUMBER)]
    types: dict[Shape, tuple[Any, Any]] = {
        rule.NUMBER: (number | None, None),
        rule.SWITCH: (bool, False),
        rule.WORDS: (Annotated[tuple[Word, ...], Meta(max_length=2000)], ()),
        rule.ENDINGS: (Annotated[tuple[Ending, ...], Meta(max_length=50)], ()),
        rule.WORDS_BY_SLOT: (Words, field(default_factory=dict)),
        rule.NUMBERS_BY_SLOT: (
            Annotated[dict[SlotName, number], Meta(max_length=400)],
            field(default_factory=dict),
        ),
        rule.NUMBERS_BY_LENGTH: (
            Annotated[dict[LengthName, number], Meta(max_length=MAX_ROWS)],
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
    """Request arc consistency for a puzzle, and the candidates of one slot, best first.

    Candidates are ranked by score, by the room they leave to crossing slots, by both (``best``), or
    by how many of the ``words`` they change (``fit``): the whole words of the grid, which are
    judged. ``clues`` are those of the slots, which are judged, too.
    ``crossing`` is a second slot whose candidates are wanted. ``filter`` restricts the candidates
    of both slots: they contain its letters, or match it if it has ``?`` (any letter) or ``*`` (any
    letters).
    """

    question: PuzzleSpec
    slot: SlotName | None = None
    crossing: SlotName | None = None
    filter: Annotated[str, Meta(max_length=MAX_ROWS)] = ""
    words: Words = field(default_factory=dict)
    clues: Clues = field(default_factory=dict)
    rank: Literal["best", "score", "room", "fit"] = "best"
    max_candidates: Annotated[int, Meta(ge=1, le=MAX_CANDIDATES)] = 60


# The page asks for the fields that have a title.
class _Job(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", kw_only=True):
    seconds: Seconds = 60.0
    seed: Seed = 0


class _PuzzleJob(_Job, frozen=True):
    question: PuzzleSpec


class Fill(_PuzzleJob, frozen=True, tag="fill"):
    """Fill the grid, or prove that it can't be done.

    ``keep``: words of an existing fill, by slot, of which as few as possible change; one that is in
    no list does not stay. ``avoid``: words that this fill may not have. ``objective``: find the
    best fill by this measure and prove that none is better; it excludes ``keep``. ``allow``:
    preferences of editors to do without.
    """

    backend: BackendName = "auto"
    keep: Words | None = None
    avoid: Annotated[tuple[Word, ...], Meta(max_length=400)] = ()
    objective: Literal["total", "mean", "min"] | None = None
    allow: Preferences = ()


class Several(_PuzzleJob, frozen=True, tag="several"):
    """Find several fills; with ``diverse``, dissimilar ones. ``allow`` is that of ``fill``."""

    number: Annotated[int, Meta(ge=1, le=MAX_FILLS)] = 3
    diverse: bool = True
    allow: Preferences = ()


class Explain(_PuzzleJob, frozen=True, tag="explain"):
    """Explain why there is no fill, and suggest changes that help."""

    suggest: bool = True


class Compare(_PuzzleJob, frozen=True, tag="compare"):
    """Run backends one after the other and compare their answers.

    ``backends`` may be empty, for every complete one but ``auto``.
    """

    backends: Annotated[tuple[BackendName, ...], Meta(max_length=len(BACKENDS))] = ()


class Steps(_PuzzleJob, frozen=True, tag="steps"):
    """Solve a small puzzle with a textbook algorithm, and return every step."""

    max_steps: Annotated[int, Meta(ge=1, le=3000)] = 1500


class WordEdit(Struct, frozen=True, forbid_unknown_fields=True):
    """An edit of a word for all crosswords: never or always have it, another score, or no edit."""

    word: Word
    action: (
        Literal["never", "always", "forget"] | Annotated[int, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
    )


class CrosswordData(Struct, frozen=True, forbid_unknown_fields=True):
    """A published crossword. ``solution`` has ``_`` for an unknown letter.

    ``clues`` maps slot names to clues. The letters of ``rows`` are prefilled: the published puzzle
    shows them. ``rebus`` has the cells of the solution with several letters. ``holes`` are blocked
    cells that are not drawn.
    """

    rows: Rows
    solution: Rows
    clues: Clues = field(default_factory=dict)
    title: Text = ""
    author: Text = ""
    copyright: Text = ""
    notes: Text = ""
    date: Annotated[str, Meta(max_length=40)] = ""
    circled: Cells = ()
    shaded: Cells = ()
    holes: Cells = ()
    bars: Bars = Bars()
    rebus: RebusCells = ()
    language: Language = ""


class Layout(_Job, frozen=True, tag="layout"):
    """Interlock words in a small grid. ``words``: one per line, perhaps a tab and its clue.

    With a ``paper``, the grid is the one that is printed largest on it, beside its clues.
    """

    words: Annotated[
        str,
        Meta(
            title="One word per line, then perhaps a semicolon and its clue: they are interlocked.",
            examples=["cell; smallest unit of life\nenzyme; speeds up a reaction\nosmosis"],
            min_length=1,
            max_length=100_000,
        ),
    ]
    language: Language = ""
    paper: Literal["a4", "letter"] | None = None


class Pattern(_Job, frozen=True, tag="pattern"):
    """Make a pattern of blocks that contains the entries and that the lists can fill.

    ``max_words`` replaces the usual maximum for the size.
    """

    entries: Annotated[
        tuple[Word, ...],
        Meta(
            title="Theme words, one per line: a pattern is made around them that the lists can "
            "fill.",
            max_length=40,
        ),
    ] = ()
    height: Annotated[int, Meta(title="rows", ge=3, le=MAX_ROWS)] = 15
    width: Annotated[int, Meta(title="columns", ge=3, le=MAX_ROWS)] = 15
    style: Annotated[Literal["american", "british"], Meta(title="style")] = "american"
    symmetry: Annotated[Literal["rotation", "mirror", "none"], Meta(title="symmetry")] = "rotation"
    max_words: Annotated[int, Meta(title="words, at most", ge=4, le=400)] | None = None
    max_blocks: Annotated[int, Meta(title="blocks, at most", ge=0, le=400)] | None = None
    lists: Lists = (DEFAULT_LIST,)
    min_score: Annotated[int, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)] | None = None
    language: Language = ""


class Answer(_Job, frozen=True, tag="answer"):
    """Answer a crossword from its clues. ``locks`` maps slots to words that are known."""

    crossword: CrosswordData
    locks: Words = field(default_factory=dict)
    lists: Lists = (DEFAULT_LIST,)
    max_candidates: Annotated[int, Meta(ge=0, le=20)] = 5


class SetUp(_Job, frozen=True, tag="setup"):
    """Get a dictionary for ``answer``, and prepare it. Only for requests from this computer."""

    source: SourceName


class _Printed(_Job, frozen=True):
    lists: Annotated[tuple[ListName, ...], Meta(max_length=8)] = (DEFAULT_LIST,)
    paper: Literal["a4", "letter"] = "a4"
    title: Annotated[str, Meta(title="title", max_length=200)] = ""
    language: Language = ""


class _OfCrossword(_Printed, frozen=True):
    crossword: CrosswordData | None = None
    grid: Annotated[GridName, Meta(title="of")] = "british-13"
    plain: Annotated[bool, Meta(title="no phrases or names")] = True


class Codeword(_OfCrossword, frozen=True, tag="codeword"):
    """Make a codeword of the crossword, or of a standard grid that is filled first."""

    level: Annotated[LevelName, Meta(title="level")] = "easy"


class FillIn(_OfCrossword, frozen=True, tag="fill-in"):
    """Make a fill-in of the crossword, or of a standard grid that is filled first."""

    numbers: Annotated[bool, Meta(title="numbers instead of words")] = False
    diagramless: Annotated[bool, Meta(title="only half of the pattern")] = False


class Arrowword(_Printed, frozen=True, tag="arrowword"):
    """Make an arrowword. ``words``: one per line, with a tab and its clue; "" for a list of ours.

    With ``pictures``, a place for a picture of four by four cells is free.
    """

    words: Annotated[
        str,
        Meta(
            title="Some hundred words, one per line, each with a semicolon and its clue. With "
            "none, a list of ours is used: English, or German or French by the language above.",
            max_length=400_000,
        ),
    ] = ""
    rows: Annotated[int, Meta(title="rows", ge=4, le=MAX_ROWS)] = 12
    columns: Annotated[int, Meta(title="columns", ge=4, le=MAX_ROWS)] = 10
    picture: Annotated[bool, Meta(title="a place for a picture")] = False
    capitals: Annotated[bool, Meta(title="clues in capitals")] = False


class PuzzleFiles(_Job, frozen=True, tag="puzzle"):
    """Write the files of a codeword, fill-in or arrowword, the ``puzzle`` of its job's result."""

    puzzle: dict[str, Any]
    paper: Literal["a4", "letter"] = "a4"
    language: Language = ""


PuzzleJob = Fill | Several | Explain | Compare | Steps
PrintedJob = Codeword | FillIn | Arrowword
JobRequest = PuzzleJob | PrintedJob | PuzzleFiles | Layout | Pattern | Answer | SetUp


class Export(Struct, frozen=True, forbid_unknown_fields=True):
    """A crossword to export in a format listed by ``about``; null is the default style."""

    crossword: CrosswordData
    format: Annotated[str, Meta(pattern=r"^\.[a-z0-9]{1,10}$")]
    style: Literal["fill", "puzzle", "solution", "newspaper"] | None = None
    paper: Literal["a4", "letter"] = "a4"


class Sheet(Struct, frozen=True, forbid_unknown_fields=True):
    """A crossword to print as PDF: the puzzle, its solution, or an editor's submission form.

    The puzzle may have a line for name and date, the words, and an answer key on its own page. The
    submission form has the grid, then the clues with their answers, and the author's ``address``.
    """

    crossword: CrosswordData
    show: Literal["puzzle", "solution", "submission"] = "puzzle"
    paper: Literal["a4", "letter"] = "a4"
    large: bool = False
    name_line: bool = False
    word_bank: bool = False
    answer_key: bool = False
    address: Text = ""


class Problem(Struct, frozen=True):
    """An error response: a sentence for people and a code for programs."""

    error: str
    code: str


class ListState(Struct, frozen=True):
    """A word list on the server. ``lengths`` maps each length to its number of words."""

    name: str
    title: str
    words: int
    lengths: dict[str, int]
    scores: list[int] | None
    """The lowest and the highest score."""
    notes: list[str]


class WordEditState(Struct, frozen=True):
    """The edit of a word that was replaced; null if there was none."""

    word: str
    before: str | None


class SourceState(Struct, frozen=True):
    """A dictionary of ``answer``, and whether it is set up on the server's computer."""

    name: str
    title: str
    licence: str
    ready: bool


class About(Struct, frozen=True):
    """Capabilities and limits of the server; ``languages`` maps codes to ``ltr`` or ``rtl``."""

    version: str
    formats: list[str]
    imports: list[str]
    styles: list[str]
    backends: list[str]
    languages: dict[str, str]
    max_rows: int
    max_fills: int
    upload: int
    seconds: float


class SlotState(Struct, frozen=True):
    """A slot and its number of candidates after arc consistency."""

    name: str
    row: int
    column: int
    direction: str
    length: int
    candidates: int


class Candidate(Struct):
    """A candidate of a slot.

    ``room``: base-10 logarithm of the number of ways to fill the crossing slots, as if they were
    independent of each other. ``tightest`` and ``left``: the crossing slot with the fewest
    remaining words, and their number. ``dead_end``: whether arc consistency rules the word out
    (null: not tested). With the rank ``fit``, ``swaps`` has the words that crossing slots get,
    ``opens`` the crossing slots that have no word then, and ``quality`` judges the grid as it would
    become, if it is full.
    """

    word: str
    score: int
    room: float
    tightest: str | None
    left: int | None
    dead_end: bool | None = None
    swaps: dict[str, str] = field(default_factory=dict)
    opens: list[str] = field(default_factory=list)
    quality: str = ""


class CandidateList(Struct, frozen=True):
    """The best of a slot's ``total`` candidates.

    If arc consistency fails on the puzzle, the crossing slots are ignored.
    """

    slot: str
    total: int
    words: list[Candidate]


class WordFacts(Struct, frozen=True):
    """What is known about a word: how it is written, old clues, definitions, and its wordplay.

    A definition is the name of a dictionary that is set up, and a text.
    """

    word: str
    written: str
    clues: tuple[UsedClue, ...]
    definitions: tuple[tuple[str, str], ...]
    wordplay: tuple[Wordplay, ...] = ()


class PlacedWord(Struct, frozen=True):
    """A complete word of the grid. ``score`` is null for a word that is in no list.

    ``enumeration`` has the lengths of its parts, as printed clues do: ``3,5`` for ice cream.
    """

    slot: str
    word: str
    score: int | None
    enumeration: str


class View(Struct, frozen=True):
    """The state of a puzzle after arc consistency.

    ``cells``: number of possible letters of each cell, null for cells in no slot. ``forced``: rows
    with the letters that are the only possible ones in their cells. ``empty``: slots for which no
    word agrees with their letters and the rules. ``wiped_out``: the slot that lost all its
    candidates, which proves that there is no fill. ``unlisted``: slots locked to a word that is
    legal only as a lock. ``words``: the complete words of the grid; ``quality`` judges them in a
    phrase once the grid is full, else it is empty; ``counted`` has the words that it counts, by
    their kind. ``weak_below``: words with a lower score are
    weak. ``clue_faults`` are about the clues of the request, ``warnings`` and ``statistics`` about
    the pattern.
    """

    slots: list[SlotState]
    cells: list[list[int | None]]
    forced: list[str]
    empty: list[str]
    wiped_out: str | None
    unlisted: list[str]
    candidates: CandidateList | None
    crossing: CandidateList | None
    words: list[PlacedWord]
    quality: str
    counted: dict[str, tuple[str, ...]]
    weak_below: int
    clue_faults: list[ClueFault]
    warnings: list[LintWarning]
    statistics: GridStatistics


class Imported(CrosswordData, frozen=True):
    """A crossword read from a file, and ``remarks``: notes about the file."""

    remarks: tuple[str, ...] = ()


class PrintedPuzzle(Struct, frozen=True):
    """A codeword, fill-in or arrowword: what is said of it, and the JSON of ``satcross puzzle``.

    ``crossword`` is what it was made of, if that was made for it.
    """

    text: str
    puzzle: dict[str, Any]
    crossword: Imported | None = None


class JobState(Struct):
    """The state of a job; ``error`` says why a job has failed.

    ``place``: position in the queue, from 1. ``progress``: a line about the current step.
    ``partial``: rows of the current partial fill. ``parts``: finished parts of the result.
    ``result``: the JSON output of the command for this kind of job, see docs/workbench.md.
    """

    id: str
    kind: str
    state: Literal["queued", "running", "done", "cancelled", "failed"]
    place: int | None
    progress: str
    partial: list[str] | None
    parts: list[Raw]
    result: Raw | None
    error: str
