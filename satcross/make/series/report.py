"""The report of a series: one HTML page with figures and a small picture of each grid."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from datetime import date
from importlib.resources import files
from itertools import pairwise
from typing import Any, NamedTuple

from satcross.formats.json import crossword_from_data
from satcross.formats.used_words import RECORDS
from satcross.grid import BLOCKED, Grid
from satcross.make.series.ledger import FAILED, MADE, Record
from satcross.make.series.plan import DAYS
from satcross.support.wording import counted


class Picture(NamedTuple):
    """A small picture of a grid: its size in cells, and SVG paths of blocks and bars."""

    width: int
    height: int
    blocks: str
    bars: str


def render(title: str, records: Sequence[Record], days: Callable[[int], int]) -> str:
    """Return the page; ``days`` says within how many days an entry may not come back."""
    from jinja2 import Environment

    template = (files("satcross.make.series") / "report.html").read_text(encoding="utf-8")
    made = [record for record in records if record["status"] == MADE]
    failed = [record for record in records if record["status"] == FAILED]
    lost = f", {counted(len(failed), 'puzzle')} not made" if failed else ""
    span = f", {made[0]['date']} to {made[-1]['date']}" if made else ""
    grids = (crossword_from_data(record["crossword"], RECORDS, []).grid for record in made)
    environment = Environment(autoescape=True, trim_blocks=True)
    return environment.from_string(template).render(
        title=f"Series {title}",
        summary=f"{counted(len(made), 'puzzle')}{span}{lost}",
        days=_by_day(made),
        lengths=_by_length(made, days),
        failed=failed,
        made=[(record, picture(grid)) for record, grid in zip(made, grids, strict=True)],
    )


def picture(grid: Grid) -> Picture:
    blocks = "".join(
        f"M{column} {row}h1v1h-1z"
        for row, cells in enumerate(grid.rows)
        for column, cell in enumerate(cells)
        if cell == BLOCKED
    )
    bars = "".join(
        f"M{right} {below}v1" if below == row else f"M{right} {below}h1"
        for (row, _), (below, right) in sorted(grid.bars)
    )
    return Picture(grid.width, grid.height, blocks, bars)


def _by_day(made: Sequence[Record]) -> list[list[object]]:
    """Return the figures of each weekday, and of all puzzles."""
    days = [DAYS[date.fromisoformat(record["date"]).weekday()] for record in made]
    rows: list[list[object]] = []
    for day in (*DAYS, "all"):
        records = [record for on, record in zip(days, made, strict=True) if day in (on, "all")]
        if not records:
            continue
        hard = [record["difficulty"]["value"] for record in records]
        columns = [(len(record["words"]), record["blocks"]) for record in records]
        means = [f"{sum(values) / len(records):.1f}" for values in zip(*columns, strict=True)]
        weak = sum(len(record["weak"]) for record in records)
        cpu = sum(record["cpu"] for record in records) / len(records)
        spread = f"{sum(hard) / len(hard):.0f} ({min(hard)} to {max(hard)})"
        rows.append([day.capitalize(), len(records), *means, spread, weak, f"{cpu:.1f}"])
    return rows


def _by_length(made: Sequence[Record], days: Callable[[int], int]) -> list[list[object]]:
    """Return the figures of the entries of each length."""
    used: defaultdict[int, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for record in made:
        for word in record["words"]:
            used[len(word)][word].append(date.fromisoformat(record["date"]).toordinal())
    rows: list[list[object]] = []
    for length, words in sorted(used.items()):
        gaps: list[Any] = [b - a for at in words.values() for a, b in pairwise(sorted(at))]
        uses = Counter({word: len(at) for word, at in sorted(words.items())})
        top = [f"{word} {number}" for word, number in uses.most_common(5) if number > 1]
        figures = uses.total(), len(uses), min(gaps, default="-"), days(length)
        rows.append([length, *figures, ", ".join(top) or "-"])
    return rows
