"""How much of real newspaper puzzles is answered, by weekday, method and set of sources.

The puzzles and the database of old clues come from a folder that you name, laid out as in the
public repository ``doshea/nyt_crosswords``: ``YEAR/MONTH/DAY.json``. Nothing of it belongs to
satcross, and nothing of it is kept but the database, in the folder ``--work``. Only files of the
years that are asked for are opened.

    python tests/benchmarks/newspaper.py FOLDER --database-to 2014 --years 2015-2016 \\
        --weekdays 60 --sundays 10 --sources clues-db,short-words --method bp

``--only-database`` writes the database, for ``satcross sources``, and answers nothing.
"""

from __future__ import annotations

import argparse
import html
import json
import random
import re
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from itertools import pairwise
from pathlib import Path

from satcross.clues.answer import Session, answer_crossword, measure_accuracy
from satcross.clues.clue import SourceSettings
from satcross.clues.sources.clue_database import with_clue_database
from satcross.crossword import Crossword
from satcross.formats.word_cache import read_words
from satcross.formats.words import default_list_path
from satcross.grid import BLOCKED, Grid

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
RANGES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 0.995, 1.0)
_NUMBERED = re.compile(r"\s*(\d+)\.\s*")
_FIRST_YEAR = 1976


@dataclass(frozen=True, slots=True)
class Paper:
    """A published puzzle; a cell with several letters has the first of them."""

    day: date
    crossword: Crossword
    entries: tuple[tuple[str, str], ...]
    """(answer, clue) of every slot, with all letters of every cell."""


@dataclass(frozen=True, slots=True)
class Result:
    """One puzzle answered by one method from one set of sources."""

    day: str
    weekday: str
    method: str
    sources: str
    letters: int
    of_letters: int
    words: int
    of_words: int
    solved: bool
    cpu: float
    cells: list[tuple[float, bool]] = field(default_factory=list)
    """Probability of each letter, and whether it is right."""
    slots: list[tuple[float, bool]] = field(default_factory=list)
    ranks: list[dict[str, int]] = field(default_factory=list)
    """For every slot, source -> place of the answer among its proposals, from 0."""
    misses: list[dict[str, object]] = field(default_factory=list)


def read_paper(path: Path, day: date) -> Paper | None:
    """Read a file of the collection; None for a puzzle that is no plain grid."""
    content = json.loads(path.read_text("utf-8"))
    width, cells = content["size"]["cols"], content["grid"]
    rows = [cells[at : at + width] for at in range(0, len(cells), width)]
    if any(len(row) != width for row in rows):
        return None
    solution = [[None if cell == "." else cell[:1].upper() or None for cell in row] for row in rows]
    grid = Grid.from_rows(
        ["".join("_" if letter else BLOCKED for letter in row) for row in solution]
    )
    names = {slot.name for slot in grid.slots}
    clues, entries = {}, []
    for direction in ("across", "down"):
        pairs = zip(content["clues"][direction], content["answers"][direction], strict=False)
        for printed, answer in pairs:
            number = _NUMBERED.match(printed)
            text = html.unescape(printed[number.end() :] if number else printed).strip()
            entries.append((answer, text))
            if number and f"{number[1]}{direction[0].upper()}" in names:
                clues[f"{number[1]}{direction[0].upper()}"] = text
    filled = tuple(map(tuple, solution))
    return Paper(day, Crossword(grid, filled, clues, date=day.isoformat()), tuple(entries))


def read_papers(folder: Path, first: int, last: int) -> Iterator[Paper]:
    """Yield the puzzles of some years, by date."""
    for year in range(first, last + 1):
        for path in sorted((folder / str(year)).glob("*/*.json")):
            paper = read_paper(path, date(year, int(path.parent.name), int(path.stem)))
            if paper is not None:
                yield paper


def write_database(folder: Path, last: int, path: Path) -> Path:
    """Write the clues up to a year as satcross reads them, unless that is done already."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".part")
        with beside.open("w", encoding="utf-8") as lines:
            for paper in read_papers(folder, _FIRST_YEAR, last):
                for answer, text in paper.entries:
                    clue = " ".join(text.split())
                    lines.write(f"nyt\t{paper.day.year}\t{answer}\t{clue}\n")
        beside.rename(path)
    return path


def sample(papers: Iterable[Paper], weekdays: int, sundays: int, seed: int) -> list[Paper]:
    """Choose puzzles at random, the same number of each weekday; those with most clues missing
    are left out."""
    by_day = defaultdict(list)
    for paper in papers:
        if len(paper.crossword.clues) > 0.9 * len(paper.crossword.grid.slots):
            by_day[paper.day.weekday()].append(paper)
    chance = random.Random(seed)
    chosen = []
    for weekday in range(7):
        number = sundays if weekday == 6 else weekdays // 6
        found = by_day[weekday]
        chosen += chance.sample(found, min(number, len(found)))
    return chosen


def answer_paper(
    paper: Paper, settings: SourceSettings, method: str, names: Sequence[str] | None
) -> Result:
    """Answer a puzzle and compare."""
    started = time.process_time()
    session = answer_crossword(paper.crossword, settings, sources=names, method=method)
    cpu = time.process_time() - started
    for note in session.notes:
        print(f"{paper.day}: {note}", file=sys.stderr)
    accuracy = measure_accuracy(session, paper.crossword)
    assert accuracy is not None
    posterior = dict(
        zip((clue.slot for clue in session.clues), session.answers.posterior, strict=True)
    )
    letters = session.answers.letters
    beliefs = session.answers.beliefs
    return Result(
        paper.day.isoformat(),
        DAYS[paper.day.weekday()],
        method,
        ",".join(names or ("default",)),
        *accuracy.letters,
        *accuracy.words,
        accuracy.solved,
        cpu,
        [
            (beliefs.letter(cell, letters[cell[0]][cell[1]] or " "), right)
            for cell, right in accuracy.cells.items()
        ],
        [(posterior[slot], right) for slot, right in accuracy.slots.items()],
        *_ranks_and_misses(session, paper.crossword, accuracy.slots),
    )


def _ranks_and_misses(
    session: Session, official: Crossword, right: Mapping[str, bool]
) -> tuple[list[dict[str, int]], list[dict[str, object]]]:
    ranks, misses = [], []
    for index, slot in enumerate(official.grid.slots):
        wanted = "".join(official.solution[r][c] or "?" for r, c in slot.cells)
        candidates = session.gathered.candidates.get(slot.name, ())
        by_source: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
        for one in candidates:
            by_source["all"].append((-one.score, one.word))
            for proposal in one.evidence:
                by_source[proposal.source].append((-proposal.score, proposal.word))
        here = {}
        for source, found in by_source.items():
            words = [word for _, word in sorted(found)]
            if wanted in words:
                here[source] = words.index(wanted)
        ranks.append(here)
        if right.get(slot.name) is False:
            known = wanted in session.problem.costs.words[index]
            misses.append(
                {
                    "slot": slot.name,
                    "clue": session.clues[index].text,
                    "answer": wanted,
                    "given": session.answers.words[index],
                    "rank": here.get("all", -1),
                    "cause": (
                        "proposed first"
                        if here.get("all") == 0
                        else "proposed, ranked lower"
                        if "all" in here
                        else "in the vocabulary only"
                        if known
                        else "nowhere"
                    ),
                }
            )
    return ranks, misses


def table(results: Sequence[Result]) -> Iterator[str]:
    """Format the shares by weekday, method and sources."""
    yield f"{'sources':32} {'method':9} {'day':8} {'n':>3} letters  words perfect  CPU s (max)"
    groups: defaultdict[tuple[str, str], list[Result]] = defaultdict(list)
    for one in results:
        groups[one.sources, one.method].append(one)
    for (sources, method), found in groups.items():
        for day in (*DAYS, "Mon-Sat", "all"):
            some = [
                one
                for one in found
                if day in (one.weekday, "all") or (day == "Mon-Sat" and one.weekday != "Sun")
            ]
            if some:
                yield (
                    f"{sources[:32]:32} {method:9} {day:8} {len(some):3} "
                    f"{sum(one.letters for one in some) / sum(one.of_letters for one in some):7.1%}"
                    f" {sum(one.words for one in some) / sum(one.of_words for one in some):6.1%} "
                    f"{sum(one.solved for one in some):7} "
                    f"{sum(one.cpu for one in some) / len(some):6.2f} "
                    f"({max(one.cpu for one in some):.1f})"
                )


def details(results: Sequence[Result]) -> Iterator[str]:
    """Format reliability, recall by source and the causes of wrong words."""
    for title, pairs in (
        ("letters", [pair for one in results for pair in one.cells]),
        ("words", [pair for one in results for pair in one.slots]),
    ):
        yield f"\nhow sure ({title})   number   right"
        for low, high in pairwise(RANGES):
            some = [right for sure, right in pairs if low <= sure < high + (high == 1.0)]
            share = f"{sum(some) / len(some):.1%}" if some else "-"
            yield f"{low:6.1%} to {high:6.1%} {len(some):8} {share:>7}"
    ranks = [here for one in results for here in one.ranks]
    yield f"\nrank of the answer ({len(ranks)} clues)    1     10    100"
    for source in sorted({source for here in ranks for source in here}):
        found = [here[source] for here in ranks if source in here]
        shares = [sum(rank < top for rank in found) / len(ranks) for top in (1, 10, 100)]
        yield f"{source:28}" + "".join(f"{share:7.1%}" for share in shares)
    causes = Counter(str(miss["cause"]) for one in results for miss in one.misses)
    yield f"\nwrong words: {causes.total()}"
    for cause, number in causes.most_common():
        yield f"{number:6} {cause}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--work", type=Path, default=Path("newspaper-work"))
    parser.add_argument("--database-to", type=int, default=2014, metavar="YEAR")
    parser.add_argument("--only-database", action="store_true")
    parser.add_argument("--years", default="2015-2016", metavar="FIRST-LAST")
    parser.add_argument("--weekdays", type=int, default=60, help="puzzles Monday to Saturday")
    parser.add_argument("--sundays", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sources", action="append", help="comma-separated; repeatable")
    parser.add_argument("--no-database", action="store_true")
    parser.add_argument("--method", default="bp", help="comma-separated")
    parser.add_argument("--out", type=Path, help="a line of JSON for each answered puzzle")
    options = parser.parse_args()
    database = write_database(
        options.folder, options.database_to, options.work / f"clues-to-{options.database_to}.tsv"
    )
    if options.only_database:
        print(database)
        return
    first, _, last = options.years.partition("-")
    papers = sample(
        read_papers(options.folder, int(first), int(last or first)),
        options.weekdays,
        options.sundays,
        options.seed,
    )
    settings = SourceSettings(
        read_words([default_list_path()]).vocabulary,
        None if options.no_database else str(database),
    )
    settings = with_clue_database(settings)
    sets = [one.split(",") for one in options.sources or ()] or [None]
    results = []
    for names in sets:
        for method in options.method.split(","):
            for paper in papers:
                results.append(answer_paper(paper, settings, method, names))
                print(
                    f"{paper.day} {results[-1].letters}/{results[-1].of_letters}", file=sys.stderr
                )
                if options.out:
                    with options.out.open("a", encoding="utf-8") as lines:
                        lines.write(json.dumps(asdict(results[-1])) + "\n")
    for line in (*table(results), *details(results)):
        print(line)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\nmemory: {peak:.0f} MiB at most, {time.process_time():.0f} s of CPU in all")


if __name__ == "__main__":
    main()
