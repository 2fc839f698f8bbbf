"""The plan of a series, a TOML file: how many puzzles, on which days, of which kinds.

docs/series.md describes the fields. Paths are relative to the folder of the plan.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from dataclasses import replace as replace_place
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Literal

import msgspec
from msgspec.structs import replace

from satcross.errors import InputError
from satcross.formats.drawing.sheet import Sheet
from satcross.formats.entries import letters_of
from satcross.formats.files import read_text
from satcross.formats.readers import read_structure
from satcross.formats.registry import FORMATS, check_extension
from satcross.formats.words import DEFAULT_LIST, NAMED_LISTS
from satcross.grid import Grid
from satcross.grid.styles import MIN_WORD_LENGTH, Style
from satcross.make.pattern.demands import Demands, default_words, read_range
from satcross.make.pattern.library import standard_grid, standard_names
from satcross.make.puzzles import LEVELS
from satcross.make.puzzles import SUFFIXES as PUZZLE_SUFFIXES
from satcross.make.puzzles.arrow_clues import read_clue_book, read_clued_list
from satcross.make.puzzles.arrow_making import read_picture

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_GROUPS = {"weekdays": DAYS[:5], "weekend": DAYS[5:], "daily": DAYS}
MADE = "made"
Form = Literal["crossword", "codeword", "fill-in", "arrowword"]
CROSSWORD: Form = "crossword"
CODEWORD: Form = "codeword"
FILL_IN: Form = "fill-in"
ARROWWORD: Form = "arrowword"
_MAX_SIZE = 31
_LAST_YEAR, _MAX_COUNT = 9000, 10_000


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ``[[puzzle]]`` of the plan: what the puzzles of some weekdays are like.

    ``grids`` is "made", the name of standard grids, or a folder of structures. ``difficulty`` is
    the range to aim at, "easy", "hard", or "" for any; of a codeword it is the level. ``clued`` is
    the list of an arrowword, and ``picture`` a place as ``--picture`` takes it.
    """

    days: str | tuple[str, ...] = "daily"
    form: Form = CROSSWORD
    formats: tuple[str, ...] = ()
    kind: Literal["american", "british", "barred"] = "american"
    size: int = 15
    word_count: str = ""
    grids: str = MADE
    themes: str = ""
    difficulty: str = ""
    min_score: int | None = None
    clued: str = DEFAULT_LIST
    picture: str = ""
    title: str = ""

    def weekdays(self) -> frozenset[int]:
        """Return the numbers of the weekdays, Monday 0. Raises ValueError for an unknown one."""
        given = [self.days] if isinstance(self.days, str) else self.days
        found: set[int] = set()
        for name in given:
            days = _GROUPS.get(name.lower()) or [
                day for day in DAYS if len(name) > 2 and day.startswith(name.lower())
            ]
            if not days:
                raise ValueError(f"{name!r} is no day; write monday, weekdays, weekend or daily")
            found.update(map(DAYS.index, days))
        if not found:
            raise ValueError("days names no day")
        return frozenset(found)

    def demands(self) -> Demands:
        """Return what a made grid has to be like. Raises ValueError for a bad range or size."""
        style, size = Style(self.kind), self.size
        if not 3 <= size <= _MAX_SIZE:
            raise ValueError(f"size {size} is not from 3 to {_MAX_SIZE}")
        words = default_words(style, size, size)
        return Demands(size, size, _range("word_count", self.word_count) or words, style=style)

    @property
    def pattern(self) -> str:
        """The kind of the pattern, or "given" for one of a folder."""
        if self.form == ARROWWORD:
            return "swedish"
        if self.grids == MADE:
            return self.kind
        return "given" if Path(self.grids).is_dir() else self.grids.partition("-")[0]

    def target(self) -> tuple[float, float] | None:
        """Return the range of the difficulty to aim at; None for any."""
        if self.form == CODEWORD and self.difficulty in LEVELS:
            return None
        ends = {"easy": (0.0, 0.0), "hard": (100.0, 100.0)}.get(self.difficulty)
        return ends or _range("difficulty", self.difficulty)


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plan. ``window`` has days by the length of an entry, ``longer`` those of other lengths."""

    count: int
    start: date
    puzzle: tuple[Recipe, ...]
    window: int | dict[str, int] = 30
    words: tuple[str, ...] = (DEFAULT_LIST,)
    exclude: tuple[str, ...] = ()
    earlier: tuple[str, ...] = ()
    seed: int = 0
    seconds: float = 120.0
    formats: tuple[str, ...] = ("ipuz",)
    paper: Literal["a4", "letter"] = "a4"
    print: dict[str, bool] = {}
    clues: str = ""
    title: str = ""
    author: str = ""
    copyright: str = ""

    def days(self, length: int) -> int:
        """Return within how many days an entry of that length may not come back."""
        if isinstance(self.window, int):
            return self.window
        return self.window.get(str(length), self.window.get("longer", 30))


@dataclass(frozen=True, slots=True)
class Place:
    """A puzzle of the series: its number, from 1, its day, and what it is to be.

    ``grids`` are the grids to try, in order; none if one is to be made. ``theme`` has the entries
    that must stand in it, by their letters, with how they are written. ``clued`` has the words of
    an arrowword, with their clues.
    """

    number: int
    day: date
    recipe: Recipe
    grids: tuple[Grid, ...] = ()
    theme: Mapping[str, str] = field(default_factory=dict)
    theme_title: str = ""
    clued: Mapping[str, str] = field(default_factory=dict)


def _range(name: str, text: str) -> tuple[int, int] | None:
    """Read a range; None for "". Raises ValueError."""
    found = read_range(text)
    if text and found is None:
        raise ValueError(f"bad {name} {text!r}; write 76, or 72..78")
    return found


def read_plan(path: str) -> tuple[Plan, list[Place]]:
    """Read a plan and lay out its puzzles. Raises InputError, which names what is wrong."""
    source = read_text(path)
    try:
        plan = msgspec.convert(tomllib.loads(source.text), Plan)
        plan = _check(plan, Path(path).parent)
        return plan, _with_grids(plan, list(_places(plan)))
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, ValueError) as error:
        text = str(error).replace("`$.", "`").replace("Object contains unknown", "unknown")
        text = text.replace("Object missing required field", "there must be the field")
        raise InputError(text, "see docs/series.md for what a plan has", file=path) from None


def _check(plan: Plan, folder: Path) -> Plan:
    """Return the plan with whole paths. Raises ValueError or InputError."""
    _check_values(plan)

    def whole(name: str) -> str:
        return name if name in ("", *NAMED_LISTS) else str(folder / name)

    recipes = []
    for recipe in plan.puzzle:
        recipe.weekdays(), recipe.demands(), recipe.target()
        formats = tuple(name.lstrip(".") for name in recipe.formats or plan.formats)
        if not formats:
            raise ValueError("formats has no extension")
        for extension in formats:
            written = PUZZLE_SUFFIXES if recipe.form in (CODEWORD, FILL_IN) else FORMATS
            check_extension(f"{recipe.form}.{extension}", written)
        if recipe.form == ARROWWORD and (recipe.themes or recipe.grids != MADE):
            raise ValueError("an arrowword has no grids or themes; clued names its list")
        inside = recipe.grids == MADE or not (folder / recipe.grids).exists()
        grids = recipe.grids if inside else whole(recipe.grids)
        own = {"themes": whole(recipe.themes), "clued": whole(recipe.clued)}
        recipes.append(replace(recipe, grids=grids, formats=formats, **own))
    names = ("words", "exclude", "earlier")
    lists = {name: tuple(map(whole, getattr(plan, name))) for name in names}
    return replace(plan, puzzle=tuple(recipes), clues=whole(plan.clues), **lists)


def _check_values(plan: Plan) -> None:
    """Raise ValueError for a value that is out of range or unknown."""
    if not 1 <= plan.count <= _MAX_COUNT or not plan.puzzle:
        raise ValueError(f"a plan has a count from 1 to {_MAX_COUNT} and at least one [[puzzle]]")
    if not (0 <= plan.seed < 2**31 and 0 < plan.seconds < float("inf")):
        raise ValueError("seed is a whole number from 0, and seconds are more than 0")
    if min(map(plan.days, range(_MAX_SIZE))) < 0:
        raise ValueError("window has days below 0")
    if plan.start.year > _LAST_YEAR:
        raise ValueError(f"start is after the year {_LAST_YEAR}")
    if isinstance(plan.window, dict) and (
        odd := [key for key in plan.window if not (key == "longer" or key.isdigit())]
    ):
        raise ValueError(f"window has {odd[0]!r}; write the number of letters, or longer")
    known = [name for name in Sheet.__dataclass_fields__ if name != "address"]
    if unknown := set(plan.print).difference(known):
        raise ValueError(f"print has {min(unknown)!r}; it takes {', '.join(known)}")


def _places(plan: Plan) -> Iterator[Place]:
    """Yield the puzzles in the order of their days, with their themes, without grids."""
    wanted = [
        (recipe, recipe.weekdays(), _read_themes(recipe.themes), _read_clued(recipe, plan.paper))
        for recipe in plan.puzzle
    ]
    day, number = plan.start, 0
    while True:
        for recipe, weekdays, themes, clued in wanted:
            if day.weekday() not in weekdays:
                continue
            number += 1
            title, theme = next(themes, ("", {}))
            if recipe.grids == MADE and any(len(word) > recipe.size for word in theme):
                raise ValueError(f"{max(theme, key=len)} is too long for size {recipe.size}")
            yield Place(number, day, recipe, theme=theme, theme_title=title, clued=clued)
            if number == plan.count:
                return
        day += timedelta(1)


def _read_clued(recipe: Recipe, paper: str) -> Mapping[str, str]:
    """Return the words of arrowwords with the clues that fit; none for other forms."""
    if recipe.form != ARROWWORD:
        return {}
    read_picture(recipe.picture or "1x1", (recipe.size, recipe.size))
    size = recipe.size, recipe.size
    return read_clue_book(read_clued_list(recipe.clued), size, paper).clues


def _read_themes(path: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the themes of a file: a title and a colon, perhaps, then entries with semicolons."""
    source = read_text(path) if path else None
    for number, line in enumerate(source.text.splitlines() if source else (), 1):
        title, colon, entries = line.rpartition(":")
        if not line.strip() or line.startswith("#"):
            continue
        forms = [entry.strip() for entry in entries.split(";") if entry.strip()]
        theme = {letters_of(form, fold=True): form for form in forms}
        if not theme or min(map(len, theme)) < MIN_WORD_LENGTH:
            raise InputError(
                f"no theme: {line.strip()[:40]!r}",
                "write TITLE: ENTRY; ENTRY; ENTRY, each of three letters or more",
                file=path,
                line=number,
            )
        yield (title.strip() if colon else ""), theme


def _with_grids(plan: Plan, places: list[Place]) -> list[Place]:
    """Return the puzzles with their grids: each of a pool in turn, none twice in a row."""
    pools = {id(recipe): _read_pool(recipe) for recipe in plan.puzzle}
    used: dict[int, int] = dict.fromkeys(pools, 0)
    found: list[Place] = []
    for place in places:
        key, pool = id(place.recipe), pools[id(place.recipe)]
        before = found[-1].grids[:1] if found else ()
        turn, at = divmod(used[key], max(1, len(pool)))
        used[key] += 1
        order = Random(f"{plan.seed} {place.recipe.grids} {turn}").sample(pool, len(pool))
        order = [grid for grid in order[at:] + order[:at] if not before or grid != before[0]]
        if pool and not order:
            raise ValueError(f"{place.recipe.grids}: its one grid would come twice in a row")
        found.append(replace_place(place, grids=tuple(order)))
    return found


def _read_pool(recipe: Recipe) -> list[Grid]:
    if recipe.grids == MADE:
        return []
    folder = Path(recipe.grids)
    if not folder.is_dir():
        names = standard_names(recipe.grids)
        return [Grid(standard_grid(name)) for name in names]
    files = sorted(path for path in folder.iterdir() if path.is_file())
    grids = [read_structure(str(path), letters=False).grid for path in files]
    if not grids:
        raise InputError("has no structures", "put structure files into it", file=recipe.grids)
    return grids
