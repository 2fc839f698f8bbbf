"""How much of real newspaper puzzles is answered, by weekday, method and set of sources.

The puzzles and the database of old clues come from a folder that you name, laid out as in the
public repository ``doshea/nyt_crosswords``: ``YEAR/MONTH/DAY.json``. Nothing of it belongs to
satcross, and nothing of it is kept but the database, in the folder ``--work``. Only files of the
years that are asked for are opened.

    python tests/benchmarks/newspaper.py FOLDER --database-to before --years 2015-2016 \\
        --weekdays 60 --sundays 10 --sources clues-db,short-words --method bp

``--database-to`` is the newest year of the database; ``before`` is that before each puzzle's.

Each puzzle is answered by a process of its own, whose CPU time and peak memory include the start
of Python and the reading of words, index and dictionaries. With ``--out FILE``, a run that was
stopped, by Ctrl-C or ``--minutes``, is continued by the next one: puzzles that the file has are not
answered again. Weekdays take turns, so that a part of a run is about as hard as the whole.

``--calibrate`` fits the curves of ``satcross.answer.model`` on every second puzzle, by day,
and shows how reliable they are on the others. ``--read FILE`` takes what an earlier
run wrote with ``--out``, and answers nothing. ``--only-database`` writes the database, for
``satcross sources``, and answers nothing.
"""

from __future__ import annotations

import argparse
import html
import json
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from itertools import pairwise, zip_longest
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from satcross.answer import session as answering
from satcross.answer.clue import SourceSettings
from satcross.answer.model import Curve
from satcross.answer.session import AnswerSettings, Session, answer_crossword, measure_accuracy
from satcross.answer.sources.clue_database import learn, with_clue_database
from satcross.crossword import Crossword
from satcross.formats.resources import default_list_path
from satcross.formats.word_cache import read_words
from satcross.grid import BLOCKED, Grid
from satcross.vocabulary import Vocabulary

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
RANGES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 0.995, 1.0)
_NUMBERED = re.compile(r"\s*(\d+)\.\s*")
_FIRST_YEAR = 1976
_MAX_JOINED = 4
_COMMON = 40
"""Score of words that an answer in no list may be joined of."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A published puzzle."""

    day: date
    crossword: Crossword
    entries: tuple[tuple[str, str], ...]
    """(answer, clue) of every slot, with all letters of every cell."""
    rebus: frozenset[tuple[int, int]] = frozenset()
    """The cells with several letters."""


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
    """Seconds of the whole process."""
    memory: float = 0.0
    """Peak memory of the process in MiB."""
    cells: list[tuple[float, float, bool]] = field(default_factory=list)
    """For every letter: its posterior, how sure it is, and whether it is right."""
    slots: list[tuple[float, float, bool]] = field(default_factory=list)
    """The same for every word."""
    ranks: list[dict[str, int]] = field(default_factory=list)
    """For every slot, source -> place of the answer among its proposals, from 0."""
    misses: list[dict[str, object]] = field(default_factory=list)
    rebus: bool = False


def read_paper(path: Path, day: date) -> Paper | None:
    """Read a file of the collection; None for one without a plain grid or a solution."""
    content = json.loads(path.read_text("utf-8"))
    width, cells = content["size"]["cols"], content["grid"]
    rows = [cells[at : at + width] for at in range(0, len(cells), width)]
    unknown = sum(cell.isspace() for cell in cells)
    if any(len(row) != width for row in rows) or unknown > len(cells) / 10:
        return None
    solution = [[None if cell == "." else cell.upper() or None for cell in row] for row in rows]
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
    rebus = frozenset(
        (at, column) for at, row in enumerate(rows) for column, cell in enumerate(row) if cell[1:]
    )
    crossword = Crossword(grid, filled, clues, date=day.isoformat())
    return Paper(day, crossword, tuple(entries), rebus)


def read_papers(folder: Path, first: int, last: int) -> Iterator[Paper]:
    """Yield the puzzles of some years, by date."""
    for year in range(first, last + 1):
        for path in sorted((folder / str(year)).glob("*/*.json")):
            try:
                paper = read_paper(path, date(year, int(path.parent.name), int(path.stem)))
            except (ValueError, KeyError, TypeError) as error:  # two files of the collection
                print(f"{path}: left out: {error}", file=sys.stderr)
                continue
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
        chosen.append(chance.sample(found, min(number, len(found))))
    return [paper for turn in zip_longest(*chosen) for paper in turn if paper is not None]


def answer_paper(
    folder: Path,
    day: date,
    database: Path | None,
    method: str,
    names: Sequence[str] | None,
    looks: int,
) -> Result:
    """Answer the puzzle of a day and compare."""
    answering.MAX_LOOKS = looks
    paper = read_paper(folder / f"{day:%Y/%m/%d}.json", day)
    assert paper is not None
    settings = SourceSettings(
        read_words([default_list_path()]).vocabulary, str(database) if database else None
    )
    settings = replace(with_clue_database(settings, names), cache="")  # nothing gathered before
    session = answer_crossword(paper.crossword, settings, AnswerSettings(names, method))
    cpu = time.process_time()
    for note in session.notes:
        print(f"{paper.day}: {note}", file=sys.stderr)
    accuracy = measure_accuracy(session, paper.crossword)
    assert accuracy is not None
    number = {clue.slot: slot for slot, clue in enumerate(session.clues)}
    letters = session.answers.letters
    beliefs = session.answers.beliefs
    words = enumerate(session.answers.words)
    posterior = [beliefs.word(slot, word) if word else 0.0 for slot, word in words]
    return Result(
        paper.day.isoformat(),
        DAYS[paper.day.weekday()],
        method,
        named(names, database),
        *accuracy.letters,
        *accuracy.words,
        accuracy.solved,
        cpu,
        peak_memory(),
        [
            (
                beliefs.letter(cell, letters[cell[0]][cell[1]] or " "),
                session.letter_sure(cell),
                right,
            )
            for cell, right in accuracy.cells.items()
        ],
        [
            (posterior[number[name]], session.word_sure(number[name]), right)
            for name, right in accuracy.slots.items()
        ],
        *_ranks_and_misses(session, paper, accuracy.slots, settings.vocabulary),
        bool(paper.rebus),
    )


def named(names: Sequence[str] | None, database: Path | None) -> str:
    """Return what tables call a set of sources."""
    return ",".join(names) if names else "all" if database else "all but clues-db"


def peak_memory() -> float:
    """Return the most memory that this process had, in MiB; 0 where the system does not say."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text("ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return 0.0


def _ranks_and_misses(
    session: Session, paper: Paper, right: Mapping[str, bool], vocabulary: Vocabulary
) -> tuple[list[dict[str, int]], list[dict[str, object]]]:
    ranks, misses = [], []
    official = paper.crossword
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
            misses.append(
                {
                    "slot": slot.name,
                    "clue": session.clues[index].text,
                    "answer": wanted,
                    "given": session.answers.words[index],
                    "rank": here.get("all", -1),
                    "cause": (
                        "has a rebus cell"
                        if paper.rebus & set(slot.cells)
                        else cause_of_miss(wanted, here.get("all"), vocabulary)
                    ),
                }
            )
    return ranks, misses


def cause_of_miss(answer: str, rank: int | None, vocabulary: Vocabulary) -> str:
    """Say why an answer was missed, from its place among the proposals, None if it has none."""
    if rank is not None:
        return "proposed, ranked lower" if rank else "proposed first"
    if answer in vocabulary:
        return "in the vocabulary only"
    starts = {0}
    for _ in range(_MAX_JOINED):
        starts = {
            end
            for start in starts
            for end in range(start + 2, len(answer) + 1)
            if vocabulary.group(end - start).score_of.get(answer[start:end], 0) >= _COMMON
        }
        if len(answer) in starts:
            return "in no list, joined of two to four common words"
    return "nowhere"


def table(results: Sequence[Result]) -> Iterator[str]:
    """Format the shares by weekday, method and sources."""
    columns = "letters  words perfect  CPU s (max)   MiB (max)"
    yield f"{'sources':32} {'method':9} {'day':8} {'n':>3} {columns}"
    groups: defaultdict[tuple[str, str], list[Result]] = defaultdict(list)
    for one in results:
        groups[one.sources, one.method].append(one)
    for (sources, method), found in groups.items():
        for day in (*DAYS, "Mon-Sat", "no rebus", "all"):
            some = [
                one
                for one in found
                if day in (one.weekday, "all")
                or (day == "Mon-Sat" and one.weekday != "Sun")
                or (day == "no rebus" and one.weekday != "Sun" and not one.rebus)
            ]
            if some:
                yield (
                    f"{sources[:32]:32} {method:9} {day:8} {len(some):3} "
                    f"{sum(one.letters for one in some) / sum(one.of_letters for one in some):7.1%}"
                    f" {sum(one.words for one in some) / sum(one.of_words for one in some):6.1%} "
                    f"{sum(one.solved for one in some):7} "
                    f"{sum(one.cpu for one in some) / len(some):6.2f} "
                    f"({max(one.cpu for one in some):.1f}) "
                    f"{sum(one.memory for one in some) / len(some):6.0f} "
                    f"({max(one.memory for one in some):.0f})"
                )


def reliability_table(results: Sequence[Result]) -> Iterator[str]:
    """Format how often letters and words are right, by how sure they are."""
    for title, triples in reliability(results).items():
        yield f"\nhow sure ({title})   number  mean sure   right"
        for sure, share, number, (low, high) in binned(triples):
            yield f"{low:6.1%} to {high:6.1%} {number:8} {sure:10.1%} {share:7.1%}"


def ranks_and_causes(results: Sequence[Result]) -> Iterator[str]:
    """Format recall by source and the causes of wrong words."""
    ranks = [here for one in results for here in one.ranks]
    yield f"\nrank of the answer ({len(ranks)} clues)    1     10    100   1000"
    for source in sorted({source for here in ranks for source in here}):
        found = [here[source] for here in ranks if source in here]
        shares = [sum(rank < top for rank in found) / len(ranks) for top in (1, 10, 100, 1000)]
        yield f"{source:28}" + "".join(f"{share:7.1%}" for share in shares)
    causes = Counter(str(miss["cause"]) for one in results for miss in one.misses)
    yield f"\nwrong words: {causes.total()}"
    for cause, number in causes.most_common():
        yield f"{number:6} {cause}"


Triple = tuple[float, float, bool]


def reliability(results: Sequence[Result]) -> dict[str, list[Triple]]:
    """Return (posterior, sure, right) of all letters and of all words."""
    return {
        "letters": [triple for one in results for triple in one.cells],
        "words": [triple for one in results for triple in one.slots],
    }


def binned(triples: Sequence[Triple]) -> Iterator[tuple[float, float, int, tuple[float, float]]]:
    """Yield mean sureness, share of right ones and number, for every range that has any."""
    for low, high in pairwise(RANGES):
        some = [(sure, right) for _, sure, right in triples if low <= sure < high + (high == 1.0)]
        if some:
            sure, right = (sum(column) / len(some) for column in zip(*some, strict=True))
            yield sure, right, len(some), (low, high)


def fitted_curve(triples: Sequence[Triple], steps: int = 30) -> list[float]:
    """Return the numbers of a curve, by Newton's method.

    A Gaussian prior around the curve that changes nothing keeps the fit of few answers finite.
    """
    posterior = np.clip([one for one, _, _ in triples], 1e-9, 1 - 1e-9)
    right = np.array([right for _, _, right in triples], dtype=float)
    columns = np.stack([np.ones(len(triples)), np.log(posterior), -np.log(1 - posterior)])
    curve = prior = np.array([0.0, 1.0, 1.0])

    def loss(curve: NDArray[np.float64]) -> float:
        odds = curve @ columns
        return float(
            (np.logaddexp(0, odds) - right * odds).sum() + ((curve - prior) ** 2).sum() / 2
        )

    for _ in range(steps):
        share = 1 / (1 + np.exp(-curve @ columns))
        gradient = columns @ (right - share) - (curve - prior)
        curvature = columns * (share * (1 - share)) @ columns.T + np.eye(3)
        step = np.linalg.solve(curvature, gradient)
        while loss(curve + step) > loss(curve) + 1e-9:
            step = step / 2
        curve = curve + step
    return [round(float(one), 3) for one in curve]


def write_plot(results: Sequence[Result], path: Path) -> None:
    """Plot how often letters and words are right against how sure they are."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6, 4.2), layout="constrained")
    axes = figure.subplots()
    axes.plot([0, 100], [0, 100], color="#999999", linewidth=1)
    for (title, triples), colour, mark in zip(
        reliability(results).items(), ("#0072b2", "#d55e00"), "os", strict=True
    ):
        points = [(100 * sure, 100 * right) for sure, right, _, _ in binned(triples)]
        axes.plot(*zip(*points, strict=True), marker=mark, color=colour, label=title)
    axes.set_xlabel("how sure, %")
    axes.set_ylabel("right, %")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path)


def print_results(results: Sequence[Result], calibrate: bool, plot: Path | None) -> None:
    """Print all tables; the reliability perhaps by curves that half of the puzzles fit."""
    for line in (*table(results), *ranks_and_causes(results)):
        print(line)
    shown = results
    if calibrate:
        by_day = sorted(results, key=lambda one: one.day)
        fitted = reliability(by_day[::2])
        curves = {
            title: Curve(*(round(number, 3) for number in fitted_curve(triples)))
            for title, triples in fitted.items()
        }
        print(f"\nfitted on half of the puzzles: {curves}; the others:")
        shown = [
            replace(
                one,
                cells=[(p, curves["letters"](p), right) for p, _, right in one.cells],
                slots=[(p, curves["words"](p), right) for p, _, right in one.slots],
            )
            for one in by_day[1::2]
        ]
    for line in reliability_table(shown):
        print(line)
    if plot is not None:
        write_plot(shown, plot)


Run = tuple[Path, date, Path | None, str, Sequence[str] | None, int]


def answer_all(runs: Sequence[Run], out: Path | None, minutes: float) -> Iterator[Result]:
    """Yield the results of all runs, those first that the file has, until the time has passed."""
    until = time.monotonic() + 60 * minutes
    saved = read_results(out) if out is not None and out.exists() else []
    known = {(one.day, one.method, one.sources): one for one in saved}
    keys = [
        (day.isoformat(), method, named(names, used)) for _, day, used, method, names, _ in runs
    ]
    yield from (known[key] for key in keys if key in known)
    context = get_context("spawn")
    with ProcessPoolExecutor(1, context, max_tasks_per_child=1) as processes:
        for key, run in zip(keys, runs, strict=True):
            if key in known or time.monotonic() > until:
                continue
            found = processes.submit(answer_paper, *run).result()
            print(f"{found.day} {found.letters}/{found.of_letters}", file=sys.stderr)
            if out is not None:
                with out.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(asdict(found)) + "\n")
            yield found


def read_results(path: Path) -> list[Result]:
    """Return the results that an earlier run wrote."""
    return [Result(**json.loads(line)) for line in path.open(encoding="utf-8")]


def years(text: str) -> tuple[int, int]:
    """Read ``FIRST-LAST`` or one year."""
    first, _, last = text.partition("-")
    return int(first), int(last or first)


def last_years(reach: str, papers: Iterable[Paper]) -> dict[date, int]:
    """Return the last year of the database from which each puzzle is answered, by its day."""
    return {paper.day: paper.day.year - 1 if reach == "before" else int(reach) for paper in papers}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--work", type=Path, default=Path("newspaper-work"))
    parser.add_argument("--database-to", default="2014", metavar="YEAR|before")
    parser.add_argument("--only-database", action="store_true")
    parser.add_argument("--years", default="2015-2016", metavar="FIRST-LAST")
    parser.add_argument("--weekdays", type=int, default=60, help="puzzles Monday to Saturday")
    parser.add_argument("--sundays", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sources", action="append", help="comma-separated; repeatable")
    parser.add_argument("--no-database", action="store_true")
    parser.add_argument("--only-index", action="store_true", help="learn nothing from the database")
    parser.add_argument("--method", default="bp", help="comma-separated")
    parser.add_argument("--looks", type=int, default=answering.MAX_LOOKS, help="second looks")
    parser.add_argument("--out", type=Path, help="a line of JSON for each answered puzzle")
    parser.add_argument("--minutes", type=float, default=1e6, help="stop after this time")
    parser.add_argument("--calibrate", action="store_true")
    parser.add_argument("--read", type=Path, metavar="FILE")
    parser.add_argument("--plot", type=Path, help="draw how often the sure are right (.svg, .png)")
    options = parser.parse_args()
    if options.read:
        print_results(read_results(options.read), options.calibrate, options.plot)
        return
    papers = sample(
        read_papers(options.folder, *years(options.years)),
        options.weekdays,
        options.sundays,
        options.seed,
    )
    last = {} if options.no_database else last_years(options.database_to, papers)
    databases = {
        year: write_database(options.folder, year, options.work / f"clues-to-{year}.tsv")
        for year in set(last.values())
    }
    if options.only_database:
        print(*databases.values(), sep="\n")
        return
    for database in databases.values():  # an index is made once, before anything is measured
        made = with_clue_database(SourceSettings(Vocabulary({}), str(database))).clue_index
        if made is not None and not options.only_index:
            learn(made, lambda line: None)
    sets = [one.split(",") for one in options.sources or ()] or [None]
    runs = [
        (
            options.folder,
            paper.day,
            databases.get(last.get(paper.day, 0)),
            method,
            names,
            options.looks,
        )
        for paper in papers
        for names in sets
        for method in options.method.split(",")
    ]
    results = list(answer_all(runs, options.out, options.minutes))
    print_results(results, options.calibrate, options.plot)
    if len(results) < len(runs):
        print(f"\n{len(results)} of {len(runs)} so far; the same command continues")


if __name__ == "__main__":
    main()
