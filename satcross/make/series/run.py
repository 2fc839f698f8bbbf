"""Make the puzzles of a series: begin jobs, check what comes back, write files and records.

A puzzle's files are written before its record, and a record is one line; so whatever ends the
program, the next run knows the puzzles that are done, and makes the others.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

from satcross.crossword import Crossword
from satcross.errors import InputError, InternalError
from satcross.formats.clues import ClueList, add_clues, read_clues
from satcross.formats.drawing.sheet import Sheet
from satcross.formats.files import write_atomically
from satcross.formats.json import crossword_from_data, crossword_to_data
from satcross.formats.used_words import RECORDS
from satcross.formats.writers import write_crossword
from satcross.grid import Grid
from satcross.make.puzzles.files import puzzle_from_data, puzzle_to_data, write_puzzle
from satcross.make.puzzles.printed import Printed
from satcross.make.series.ledger import FAILED, MADE, Ledger, Record
from satcross.make.series.making import Job, Made, Workers, difficulty, workers
from satcross.make.series.plan import DAYS, Place, Plan
from satcross.make.series.report import render
from satcross.puzzle import Puzzle
from satcross.run_settings import available_workers
from satcross.solving.quality import judge
from satcross.support.line_file import LineFile
from satcross.support.wording import counted
from satcross.verify import verify
from satcross.vocabulary import Vocabulary

_TRIES = 4
"""Grids, or seeds, that are tried for a puzzle before it counts as failed."""
_SEEDS = 2**30
_MENDS = 4
"""How often a fill is mended that has words of a puzzle made at the same time."""

PAGE = "index.html"
"""The report."""


def read_records(folder: Path) -> list[Record]:
    """Return the records of a series, but for a last line that is incomplete.

    Raises InputError for a file of something else.
    """
    path = folder / RECORDS
    lines = path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
    try:
        records = [json.loads(line) for line in lines]
        if any(record["series"] != 1 for record in records):
            raise ValueError
    except (ValueError, KeyError, TypeError):
        raise InputError(
            "is not the record of a series", "name another folder", file=str(path)
        ) from None
    return records


@dataclass(slots=True)
class _Tries:
    """How often a puzzle was tried, on how many grids, and its fill mended."""

    grids: int = 0
    mends: int = 0
    cpu: float = 0.0


@dataclass(slots=True)
class Series:
    """A series at work: what it has made, by number, and what is still to do."""

    plan: Plan
    places: Sequence[Place]
    folder: Path
    vocabulary: Vocabulary
    ledger: Ledger
    file: LineFile
    clues: ClueList | None = None
    written_again: list[str] = field(default_factory=list)
    records: dict[int, Record] = field(default_factory=dict)
    _patterns: dict[int, Grid] = field(default_factory=dict)
    _tries: dict[int, _Tries] = field(default_factory=dict)
    _themes: Ledger = field(init=False)
    _on_record: Callable[[Record], None] = field(init=False)

    def __post_init__(self) -> None:
        self._themes = Ledger(self.plan.days)
        for place in self.places:
            if double := self._themes.banned(place.day).intersection(place.theme):
                raise InputError(
                    f"the theme of puzzle {place.number} repeats {min(double)} too soon",
                    "change the themes, their order or the window",
                )
            self._themes.add(place.theme, place.day)

    def resume(self, records: Sequence[Record]) -> None:
        """Take over the records of an earlier run; write files anew that are gone."""
        for record in records:
            number = record["number"]
            if record["status"] != MADE:
                continue
            self.records[number] = record
            self.ledger.add(record["words"], date.fromisoformat(record["date"]))
            data = record["crossword"]
            crossword = crossword_from_data(data, RECORDS, [])
            self._patterns[number] = crossword.grid.with_given(())
            made = puzzle_from_data(data["puzzle"], crossword) if "puzzle" in data else crossword
            for name in record["files"]:
                if not (self.folder / name).exists():
                    self.written_again.append(name)
                    self._write(made, self.folder / name)

    @property
    def missing(self) -> int:
        """The number of puzzles that are not made."""
        made = {number for number, item in self.records.items() if item["status"] == MADE}
        return len({place.number for place in self.places} - made)

    def run(
        self, number: int | None, cluster: str | None, on_record: Callable[[Record], None]
    ) -> bool:
        """Make all puzzles that are not made yet; return False after Ctrl-C.

        ``number`` is how many are made at once (None: as many as there are processors), ``cluster``
        the address of a Dask cluster, if any; ``on_record`` is called with each new record.
        """
        self._on_record = on_record
        try:
            with workers(number or available_workers(), cluster, self.vocabulary) as pool:
                self._run(pool)
        except KeyboardInterrupt:
            return False
        return True

    def _run(self, pool: Workers) -> None:
        waiting = deque(place for place in self.places if place.number not in self.records)
        jobs: deque[Job] = deque()
        running = 0
        while waiting or jobs or running:
            while (waiting or jobs) and pool.room() > 0:
                if not jobs:
                    place = waiting.popleft()
                    if early := self.ledger.banned(place.day).intersection(place.theme):
                        self._fail(place, f"{min(early)} of the theme would come back too soon")
                        continue
                    jobs.append(self._job(place))
                pool.begin(jobs.popleft())
                running += 1
            if not running:
                return
            for job, made in pool.ended():
                running -= 1
                again = self._take(job, made)
                if again is not None:
                    jobs.append(again)

    def _banned(self, place: Place) -> frozenset[str]:
        banned = self.ledger.banned(place.day) | self._themes.banned(place.day)
        return banned.difference(place.theme)

    def _job(self, place: Place) -> Job:
        tries = self._tries.setdefault(place.number, _Tries())
        return Job(
            replace(place, grids=()),  # a worker needs one of them
            place.grids[tries.grids % len(place.grids)] if place.grids else None,
            self._banned(place),
            self.ledger.recent(place.day),
            (self.plan.seed * 1_000_003 + place.number * 101 + tries.grids) % _SEEDS,
            self.plan.seconds,
            self._beside(place.number),
        )

    def _take(self, job: Job, made: Made) -> Job | None:
        """Keep what was made, or return what is to be done instead."""
        place, tries = self.places[job.place.number - 1], self._tries[job.place.number]
        tries.cpu += made.cpu
        if made.grid is None and job.words:
            return self._job(place)
        if made.grid is None or made.grid.with_given(()) in self._beside(place.number):
            tries.grids += 1
            if tries.grids < _TRIES:
                return self._job(place)
            self._fail(place, made.reason or "the same grid would come twice in a row")
            return None
        clash = self._banned(place).intersection(made.fill.values())
        if not clash:
            self._keep(place, made, job)
            return None
        tries.mends += 1
        if tries.mends % _MENDS == 0 or place.clued:  # clues stand in the grid of an arrowword
            return self._job(place)
        words = {name: word for name, word in made.fill.items() if word not in clash}
        return replace(self._job(place), grid=made.grid, words=words)

    def _beside(self, number: int) -> tuple[Grid, ...]:
        """Return the grids of the previous and the next puzzle, where these are made."""
        found = (self._patterns.get(number - 1), self._patterns.get(number + 1))
        return tuple(grid for grid in found if grid is not None)

    def _fail(self, place: Place, reason: str) -> None:
        self._record(place, {"status": FAILED, "reason": reason, "words": [], "files": []})

    def _keep(self, place: Place, made: Made, job: Job) -> None:
        """Verify the fill, write its files, then its record."""
        assert made.grid is not None
        grid, fill, recipe = made.grid, made.fill, place.recipe
        theme = frozenset(place.theme)
        vocabulary = Vocabulary(list(place.clued)) if place.clued else self.vocabulary
        puzzle = Puzzle(grid, vocabulary, theme=theme, min_score=recipe.min_score)
        if problems := verify(puzzle, fill):
            raise InternalError(f"puzzle {place.number} is wrong: {problems[0]}")
        shown: Crossword | Printed = self._publish(place, Crossword.of(grid, fill))
        if made.puzzle is not None:
            inner = crossword_from_data(made.puzzle, RECORDS, [])
            printed = puzzle_from_data(made.puzzle["puzzle"], inner)
            shown = replace(printed, crossword=self._publish(place, inner))
        names = [f"{place.number:03}-{place.day}.{suffix}" for suffix in recipe.formats]
        for name in names:
            self._write(shown, self.folder / name)
        hard = difficulty(grid, fill.values(), vocabulary, job.recent)
        quality = judge(puzzle, fill)
        self.ledger.add(fill.values(), place.day)
        self._patterns[place.number] = grid.with_given(())
        data = crossword_to_data(shown) if isinstance(shown, Crossword) else puzzle_to_data(shown)
        tries = self._tries[place.number]
        self._record(
            place,
            {
                "status": MADE,
                "form": recipe.form,
                "kind": recipe.pattern,
                "size": [grid.height, grid.width],
                "words": sorted(fill.values()),
                "theme": list(place.theme),
                "blocks": sum(row.count("#") for row in grid.rows),
                "difficulty": hard._asdict(),
                "lowest": quality.lowest,
                "weak": [word for word, _ in quality.weak],
                "quality": str(quality),
                "loosened": list(made.loosened),
                "seed": job.seed,
                "tries": tries.grids + 1,
                "mends": tries.mends,
                "cpu": round(tries.cpu, 2),
                "files": names,
                "crossword": data,
            },
        )

    def _record(self, place: Place, data: dict[str, Any]) -> None:
        record = {"series": 1, "number": place.number, "date": str(place.day), **data}
        self.file.append(json.dumps(record, ensure_ascii=False))
        self.records[place.number] = record
        self._on_record(record)

    def _publish(self, place: Place, crossword: Crossword) -> Crossword:
        """Return the crossword with its texts and clues."""
        plan, weekday = self.plan, DAYS[place.day.weekday()].capitalize()
        title = place.theme_title or place.recipe.title or plan.title
        texts: dict[str, Any] = {"title": title, "author": plan.author, "copyright": plan.copyright}
        for name, value in (("number", place.number), ("date", place.day), ("weekday", weekday)):
            texts = {key: text.replace(f"{{{name}}}", str(value)) for key, text in texts.items()}
        crossword = replace(crossword, date=str(place.day), **texts)
        if self.clues is None or place.clued:
            return crossword
        return add_clues(crossword, self.clues)[0]

    def _write(self, crossword: Crossword | Printed, path: Path) -> None:
        if not isinstance(crossword, Crossword):
            write_puzzle(crossword, str(path), paper=self.plan.paper)
            return
        parts: dict[str, Any] = {"answer_key": path.suffix == ".pdf", **self.plan.print}
        write_crossword(crossword, path, paper=self.plan.paper, sheet=Sheet(**parts))

    @property
    def _ordered(self) -> list[Record]:
        return [self.records[number] for number in sorted(self.records)]

    def write_report(self) -> None:
        page = render(self.folder.resolve().name, self._ordered, self.plan.days).encode()
        write_atomically(str(self.folder / PAGE), lambda beside: beside.write_bytes(page))

    def sentence(self) -> str:
        """Say what there is in the folder."""
        made = counted(len(self.places) - self.missing, "puzzle")
        lacking = f"; {self.missing} not made" if self.missing else ""
        return f"{made} in {self.folder}{lacking}; the report is {self.folder / PAGE}."

    def to_data(self) -> dict[str, object]:
        """Return the records but for the crosswords."""
        return {
            "made": len(self.places) - self.missing,
            "missing": self.missing,
            "puzzles": [
                {key: value for key, value in record.items() if key != "crossword"}
                for record in self._ordered
            ],
        }


@contextmanager
def open_series(
    plan: Plan, places: Sequence[Place], folder: str, vocabulary: Vocabulary, ledger: Ledger
) -> Iterator[Series]:
    """Begin a series in a folder, or go on with the one that is there.

    Raises InputError for a folder that can't be written or has another's files in it.
    """
    where = Path(folder)
    try:
        where.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"can't be made ({error.strerror})", "name a new folder", file=folder
        ) from None
    if not (where / RECORDS).exists() and any(where.iterdir()):
        raise InputError("has files that are no series", "name a new folder", file=folder)
    read_records(where)
    clues = read_clues(plan.clues) if plan.clues else None
    with LineFile(str(where / RECORDS)) as file:
        series = Series(plan, places, where, vocabulary, ledger, file, clues)
        series.resume(read_records(where))
        yield series
