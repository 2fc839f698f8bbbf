"""Scores of contenders, computed from the records of their runs by one outcome model.

The *cost* of a run is its time if it has a right answer within the limits, and otherwise twice the
limit (PAR-2, the ranking of the SAT competitions since 2017). The limit is the largest of all
compared runs; otherwise a contender that gave up after 10 s would rank above one that solved the
puzzle in 50 s.

The unit of every count and mean is the puzzle: several runs of a contender on it are one result,
with the median of their costs. A puzzle that was not run by all contenders counts for none. One
that a contender was *not asked*, as it can't state the puzzle, is left out for that contender
alone; ``Standings.common`` has the puzzles that all were asked.

Runs of different limits, kinds of machines or versions are runs of different contenders.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from statistics import median
from typing import Any

from satcross.compare.records import CPU, CRASHED, FILLED, WRONG, Record, RunOutcome
from satcross.compare.tables import Column, Table
from satcross.compare.verdict import Evidence, best_known, refutation
from satcross.run_settings import TIME_LIMIT
from satcross.support.wording import counted

PENALTY = 2
"""Cost of a run without an answer, as a multiple of the limit."""
HIGH_PENALTY = 10
"""The same for PAR-10, the score of algorithm configuration and selection."""

VIRTUAL_BEST = "virtual best"
MIN_COST = 0.001
"""Seconds; costs below it count as this, so that ratios are finite."""
_AUTO = "auto"
"""The backend that runs the other backends."""

PuzzleKey = str
"""The hash of a puzzle."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """One run of a contender; ``cost`` is infinite if it is unsolved and some run had no limit."""

    record: Record
    outcome: RunOutcome
    time: float
    """Seconds that the run has used, with or without an answer."""
    cost: float
    confirmed: bool = True
    """Whether the answer does not rest on the word of one program alone."""

    @property
    def why(self) -> str:
        """Why there is no answer that counts, or ""."""
        if self.solved:
            return ""
        if self.outcome is RunOutcome.FAILED and self.record.status not in (CRASHED, WRONG):
            return "wrong answer"
        if self.record.status == FILLED:
            return "not proved optimal"
        return self.record.reason or (
            "not believed" if self.record.answered else self.record.status
        )

    @property
    def solved(self) -> bool:
        """Whether there is a right answer that counts."""
        return self.outcome is RunOutcome.ANSWERED


@dataclass(frozen=True, slots=True)
class PuzzleResult:
    """All runs of a contender on one puzzle, as one result."""

    runs: tuple[RunResult, ...]
    seconds: float = field(init=False)
    """The median time, where a run without a right answer is slower than any other."""

    def __post_init__(self) -> None:
        middle = median(run.time if run.solved else math.inf for run in self.runs)
        object.__setattr__(self, "seconds", middle)

    @property
    def record(self) -> Record:
        """The record of the first run, to name the puzzle and the contender."""
        return self.runs[0].record

    @property
    def solved(self) -> bool:
        """Whether more than half of the runs have a right answer."""
        return self.seconds < math.inf

    @property
    def cost(self) -> float:
        """The median time; the highest cost of its runs if the puzzle is not solved."""
        return self.seconds if self.solved else max(run.cost for run in self.runs)

    @property
    def unconfirmed(self) -> bool:
        """Whether it is solved only by the word of the contender."""
        return self.solved and not all(run.confirmed for run in self.runs if run.solved)

    @property
    def high_cost(self) -> float:
        """The cost with ``HIGH_PENALTY``."""
        return self.cost if self.solved else self.cost * HIGH_PENALTY / PENALTY

    @property
    def spread(self) -> float | None:
        """The slowest solved run divided by the fastest; None if fewer than two are solved."""
        times = [run.time for run in self.runs if run.solved]
        return max(times) / max(min(times), MIN_COST) if len(times) > 1 else None


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a contender on the ``puzzles`` of ``total`` that it was asked.

    A puzzle is ``solved`` if more than half of its runs have a right answer; ``success`` is the
    share of all runs with one. ``par2`` and ``par10`` are mean costs. ``median`` is the median
    time, None if at least half the puzzles are unsolved; ``spread`` the median of slowest by
    fastest solved run of a puzzle. ``alone`` counts the puzzles that it solved and that no
    other contender but perhaps ``auto``, which runs the others, solved; ``fastest`` counts those
    that no contender solved in less time. ``contribution`` is by how much the PAR-2 of the virtual
    best would rise without the contender. ``failed`` and ``not_certified`` are numbers of runs.
    ``unconfirmed`` counts the solved puzzles for which there is only the contender's word, and
    ``disqualified`` says which answer of it is wrong.
    """

    contender: str
    puzzles: int
    solved: int
    par2: float
    median: float | None
    alone: int
    fastest: int
    runs: int
    success: float
    spread: float | None = None
    par10: float = 0.0
    contribution: float | None = None
    total: int = 0
    failed: int = 0
    not_certified: int = 0
    unconfirmed: int = 0
    disqualified: str = ""

    @property
    def title(self) -> str:
        """The contender's name in tables."""
        return f"{self.contender} (disqualified)" if self.disqualified else self.contender

    @property
    def is_virtual(self) -> bool:
        """Whether this is the virtual best solver."""
        return self.contender == VIRTUAL_BEST


Row = Mapping[PuzzleKey, PuzzleResult]
"""The results of a contender."""


@dataclass(frozen=True, slots=True)
class Standings:
    """The results of all contenders, by contender and puzzle.

    ``measure`` is "cpu" or "wall". ``results`` lacks puzzles that a contender was not asked, which
    ``unasked`` counts by reason. ``about`` and ``who`` have a record of each puzzle and contender.
    Only the ``shared`` puzzles, put to all contenders, count; ``unshared`` is the number of others,
    ``superseded`` that of runs that were repeated later. ``limits`` has the limits on the measured
    seconds, ascending, infinity for none. ``notes`` say what limits the comparison.
    """

    measure: str
    results: Mapping[str, Row]
    about: Mapping[PuzzleKey, Record]
    who: Mapping[str, Record]
    unasked: Mapping[str, Mapping[str, int]]
    shared: tuple[PuzzleKey, ...]
    unshared: int
    superseded: int
    limits: tuple[float, ...] = ()
    notes: tuple[str, ...] = field(default=())
    disqualified: Mapping[str, str] = field(default_factory=dict)
    """The contenders with a wrong answer, and what is wrong. They rank last."""

    @property
    def contenders(self) -> tuple[str, ...]:
        return tuple(self.results)

    def records(self, contender: str | None = None) -> list[Record]:
        """The records that count, of one contender or of all."""
        rows = self.results.values() if contender is None else [self.results[contender]]
        return [run.record for row in rows for result in row.values() for run in result.runs]

    @property
    def common(self) -> tuple[PuzzleKey, ...]:
        """The shared puzzles that every contender was asked."""
        rows = [row for row in self.results.values() if row]
        return tuple(key for key in self.shared if all(key in row for row in rows))

    @property
    def penalty(self) -> float:
        """The cost of an unsolved puzzle."""
        return PENALTY * self.limits[-1] if self.limits else math.inf

    def families(self) -> dict[str, tuple[PuzzleKey, ...]]:
        """The shared puzzles by family, in the order of the records."""
        found: dict[str, tuple[PuzzleKey, ...]] = {}
        for puzzle in self.shared:
            family = self.about[puzzle].family
            found[family] = (*found.get(family, ()), puzzle)
        return found

    @property
    def has_goal(self) -> bool:
        """Whether runs look for the best fill."""
        return any(record.goal for record in self.who.values())

    def ranking(self, puzzles: Sequence[PuzzleKey] | None = None) -> list[str]:
        """Return the contenders that rank, by their PAR-2 scores, best first."""
        ranked = (s for s in self.scores(puzzles) if not (s.is_virtual or s.disqualified))
        return [score.contender for score in ranked]

    def best(self, puzzle: PuzzleKey) -> PuzzleResult | None:
        """Return the result of the virtual best solver: the contender of least cost that ranks."""
        put_to = {name: row[puzzle] for name, row in self.results.items() if puzzle in row}
        ranked = {name: result for name, result in put_to.items() if name not in self.disqualified}
        results = (ranked or put_to).values()
        return min(results, key=lambda result: (not result.solved, result.cost), default=None)

    def scores(self, puzzles: Sequence[PuzzleKey] | None = None) -> list[Score]:
        """Return the scores on puzzles (default: all shared puzzles), best PAR-2 first.

        A contender that was asked none of them has no score. If there are several contenders, the
        virtual best solver, which takes the best contender for each puzzle, comes last.
        """
        chosen = self.shared if puzzles is None else puzzles
        best = {key: top for key in chosen if (top := self.best(key)) is not None}
        rows = {name: {k: row[k] for k in best if k in row} for name, row in self.results.items()}
        scores = [self._compared(name, rows, best, len(chosen)) for name in rows if rows[name]]
        scores.sort(key=lambda score: (bool(score.disqualified), score.par2, score.contender))
        if len(scores) > 1:
            scores.append(_score(VIRTUAL_BEST, best.values(), len(chosen), alone=0, fastest=0))
        return scores

    def _compared(self, name: str, rows: Mapping[str, Row], best: Row, total: int) -> Score:
        """Return the score of a contender, with what it adds to the others."""
        own = rows[name]
        others = {
            key: [row[key] for n, row in rows.items() if n != name and key in row] for key in own
        }
        solved = [key for key in own if own[key].solved]
        rivals = ([o for o in others[key] if o.record.backend != _AUTO] for key in solved)
        contribution = None
        if len(rows) > 1:
            without = {key: min([o.cost for o in others[key]] or [self.penalty]) for key in own}
            gains = (max(0.0, without[key] - own[key].cost) for key in own)
            contribution = sum(gains) / len(best)
        return _score(
            name,
            own.values(),
            total,
            alone=sum(not any(rival.solved for rival in some) for some in rivals),
            fastest=sum(own[key].cost <= best[key].cost for key in solved),
            contribution=contribution,
            disqualified=self.disqualified.get(name, ""),
        )


def _score(name: str, results: Collection[PuzzleResult], total: int, **compared: Any) -> Score:
    runs = [run for result in results for run in result.runs]
    outcomes = Counter(run.outcome for run in runs)
    middle = median(result.seconds for result in results)
    spreads = [result.spread for result in results if result.spread is not None]
    return Score(
        name,
        puzzles=len(results),
        solved=sum(result.solved for result in results),
        par2=sum(result.cost for result in results) / len(results),
        median=middle if middle < math.inf else None,
        runs=len(runs),
        success=outcomes[RunOutcome.ANSWERED] / len(runs),
        spread=median(spreads) if spreads else None,
        par10=sum(result.high_cost for result in results) / len(results),
        total=total,
        failed=outcomes[RunOutcome.FAILED],
        not_certified=outcomes[RunOutcome.NOT_CERTIFIED],
        unconfirmed=sum(result.unconfirmed for result in results),
        **compared,
    )


def standings(
    records: Iterable[Record],
    measure: str = CPU,
    *,
    start_up: bool = True,
    beside: Iterable[Record] = (),
) -> Standings:
    """Group records by contender and puzzle; of records of the same run the last one counts.

    ``measure`` is "cpu" or "wall". Without ``start_up``, the shortest run of a contender, which
    bounds the time of its start, is subtracted from the others. All records, those of repeated runs
    and those ``beside`` included, are evidence of what is wrong.
    """
    given = list(records)
    # Runs on another machine or of another version are other runs.
    identified = [(record, identity(record)) for record in given]
    kept = {(record.key, who): (record, who) for record, who in identified}.values()
    names, evidence = _names({who: record for record, who in kept}), Evidence.of([*given, *beside])
    named, runs = [(record, names[who]) for record, who in kept], [record for record, _ in kept]
    starts: dict[str, float] = {}
    for run, name in () if start_up else named:
        time = run.time(measure)
        starts[name] = min(starts.get(name, time), time)
    limits = sorted({run.limit(measure) for run in runs})
    about: dict[PuzzleKey, Record] = {}
    who: dict[str, Record] = {}
    unasked: dict[str, Counter[str]] = {name: Counter() for name in names.values()}
    grouped: dict[str, dict[PuzzleKey, list[RunResult]]] = {name: {} for name in unasked}
    for record, name in named:
        about.setdefault(record.puzzle, record)
        who.setdefault(name, record)
        put = grouped[name].setdefault(record.puzzle, [])
        if record.outcome is RunOutcome.NOT_ASKED:
            unasked[name][record.reason] += 1
        else:
            time, outcome = record.time(measure) - starts.get(name, 0.0), evidence.outcome(record)
            cost = time if outcome is RunOutcome.ANSWERED else PENALTY * limits[-1]
            put.append(RunResult(record, outcome, time, cost, evidence.confirmed(record)))
    shared = tuple(key for key in about if all(key in row for row in grouped.values()))
    return Standings(
        measure,
        {
            name: {key: PuzzleResult(tuple(some)) for key, some in row.items() if some}
            for name, row in grouped.items()
        },
        about,
        who,
        unasked,
        shared,
        len(about) - len(shared),
        len(given) - len(runs),
        tuple(limits),
        (*_unshared(grouped, len(about), len(shared)), *_notes(runs, limits, measure)),
        {name: why for name, record in who.items() if (why := evidence.why_not_trusted(record))},
    )


def _unshared(rows: Mapping[str, Collection[PuzzleKey]], total: int, shared: int) -> list[str]:
    """Return a sentence about the contenders that leave puzzles out for all, if any."""
    fewer = sorted((len(row), name) for name, row in rows.items() if len(row) < total)
    who = "; ".join(f"{name}: {number} of {total}" for number, name in fewer)
    left = counted(total - shared, "puzzle")
    return [f"Left out: {left} not run by all contenders ({who})."] if fewer else []


def _notes(runs: Sequence[Record], limits: Sequence[float], measure: str) -> list[str]:
    """Return sentences about differences between runs that make them hard to compare."""
    notes = []
    if len(limits) > 1:
        ends = ("none" if end == math.inf else f"{end:g} s" for end in (limits[0], limits[-1]))
        notes.append(
            f"The runs had different limits ({' to '.join(ends)}): an unsolved puzzle costs "
            f"{PENALTY} times the largest limit."
        )
    early = [run for run in runs if run.reason == TIME_LIMIT and run.cpu < (run.limits["cpu"] or 0)]
    if early and measure == CPU:
        notes.append(
            f"Ended by the clock before the CPU limit: {counted(len(early), 'run')}, which cost "
            f"{PENALTY} times that limit all the same; give --time-limit more."
        )
    programs: dict[str, Counter[str]] = defaultdict(Counter)
    for run in runs:
        if not run.is_own:
            programs[run.contender][run.program_version or "unknown"] += 1
    for what, values in (
        ("kinds of machines", Counter(run.host for run in runs)),
        ("versions", Counter(run.software for run in runs)),
        *((f"versions of {name}", some) for name, some in programs.items()),
        ("commits", Counter(filter(None, (run.program_version for run in runs if run.is_own)))),
    ):
        if len(values) > 1:
            apart = "apart" if what != "commits" else "together"
            counts = ((text, counted(number, "run")) for text, number in values.most_common())
            texts = "; ".join(f"{text} ({count})" for text, count in counts)
            notes.append(f"The runs are of {len(values)} {what}, which are kept {apart}: {texts}.")
    return notes


def load_note(table: Standings) -> list[str]:
    """Return a sentence about the runs that began while the machine was overloaded, if any."""
    runs = table.records()
    busy = [run for run in runs if run.load is not None and run.load > run.cpus + 0.5]
    when = "while more processes were running than the machine has processors"
    text = f"{len(busy)} of {len(runs)} runs began {when}: their times are too long."
    return [text] if busy else []


def identity(record: Record) -> tuple[object, ...]:
    """Return what identifies a contender in a table: settings, kind of machine and versions."""
    return (*record.settings, record.host, record.release)


def _names(records: Mapping[tuple[object, ...], Record]) -> dict[tuple[object, ...], str]:
    """Return a unique name for each identity: the contender's name and any differing settings.

    ``records`` has a run of each identity.
    """
    by_name: dict[str, list[tuple[object, ...]]] = {}
    for who, record in records.items():
        by_name.setdefault(record.contender, []).append(who)
    several_hosts = len({record.host for record in records.values()}) > 1
    names = {}
    for name, identities in by_name.items():
        terms = {who: _terms(records[who]) for who in identities}
        for who in identities:
            columns = zip(terms[who], zip(*terms.values(), strict=True), strict=True)
            differing = [text for text, all_texts in columns if text and len(set(all_texts)) > 1]
            if several_hosts:
                differing.append(f"on {records[who].host}")
            names[who] = f"{name} ({', '.join(differing)})" if differing else name
    return names


def _terms(record: Record) -> tuple[str, ...]:
    """Return texts for the settings that may distinguish contenders of one name."""
    limits = [
        "" if value is None else f"{name} {value:g} {'MiB' if name == 'memory' else 's'}"
        for name, value in ((name, record.limits.get(name)) for name in ("wall", "cpu", "memory"))
    ]
    return (
        record.solver or "",
        record.encoding or "",
        record.command or "",
        f"program {record.program[:6]}" if record.program else "",
        f"of {record.against}" if record.against else "",
        f"{record.workers} workers",
        "solver alone" if record.solver_alone else "",
        "certified" if record.certified else "",
        *limits,
        record.release,
    )


def challenge_scores(table: Standings, puzzles: Sequence[PuzzleKey]) -> dict[str, float]:
    """Return the scores of the MiniZinc challenge: on each puzzle, points against each other one.

    A contender with a better fill, or with a proof that the other lacks, gets the point; equal ones
    share it by their times (P. Stuckey, T. Feydy, A. Schutt, G. Tack and J. Fischer, "The MiniZinc
    challenge 2008-2013", AI Magazine 2014).
    """
    scores = dict.fromkeys(table.results, 0.0)
    for name, other in permutations(table.results, 2):
        rows = table.results[name], table.results[other]
        for key in puzzles:
            own, theirs = (row.get(key) for row in rows)
            if own is not None and (mine := _quality(own)) is not None:
                yours = None if theirs is None else _quality(theirs)
                if yours is None or mine > yours:
                    scores[name] += 1
                elif mine == yours and theirs is not None:
                    times = own.runs[0].time, theirs.runs[0].time
                    scores[name] += times[1] / sum(times) if sum(times) else 0.5
    return scores


def _quality(result: PuzzleResult) -> tuple[int, bool] | None:
    """Return the score of the best run and whether it is proved, None without a fill."""
    found = [(run.record.score, run.solved) for run in result.runs if run.record.score is not None]
    return max(found, default=None)


def score_table(table: Standings, puzzles: Sequence[PuzzleKey] | None = None) -> Table[Score]:
    """Return the scores on puzzles (default: all shared puzzles) as a table.

    The columns about coverage, goals and repeated runs are there only if they say something.
    """
    chosen = table.shared if puzzles is None else puzzles
    scores = table.scores(chosen)
    quality = challenge_scores(table, chosen) if table.has_goal else {}
    real = [score for score in scores if not score.is_virtual]
    max_solved = max((score.solved for score in real), default=0)
    min_par2 = min((score.par2 for score in real), default=0.0)

    def best_solved(score: Score) -> str:
        return "best" if score.solved == max_solved and not score.is_virtual else ""

    def best_par2(score: Score) -> str:
        return "best" if score.par2 == min_par2 and not score.is_virtual else ""

    columns: list[Column[Score]] = [
        Column("contender", lambda score: score.title, is_text=True),
        Column("solved", lambda score: f"{score.solved}/{score.puzzles}", mark=best_solved),
        Column("PAR-2 s", lambda score: score.par2, ".2f", mark=best_par2),
        Column("PAR-10 s", lambda score: score.par10, ".2f"),
        Column("median s", lambda score: score.median, ".2f", "-"),
        Column("alone", lambda score: None if score.is_virtual else score.alone),
        Column("fastest", lambda score: None if score.is_virtual else score.fastest),
        Column("contribution s", lambda score: score.contribution, ".2f"),
    ]
    if any(score.unconfirmed for score in scores):
        columns.insert(2, Column("unconfirmed", lambda score: score.unconfirmed))
    if any(score.puzzles < score.total for score in scores):
        columns.append(Column("asked", lambda score: f"{score.puzzles} of {score.total}"))
    if quality:
        columns.append(Column("challenge", lambda score: quality.get(score.contender), ".2f"))
    if any(len(result.runs) > 1 for row in table.results.values() for result in row.values()):
        columns += [
            Column("runs", lambda score: f"{round(score.success * score.runs)}/{score.runs}"),
            Column("spread", lambda score: score.spread, ".2f", "-"),
        ]
    return Table(tuple(columns), scores, lambda score: "virtual" if score.is_virtual else "")


def reasons(table: Standings) -> dict[str, dict[str, int]]:
    """Return the number of unsolved runs for each contender and reason, most frequent first."""
    found = {}
    for name, row in table.results.items():
        runs = (run for result in row.values() for run in result.runs)
        why = Counter(run.why for run in runs if not run.solved)
        found[name] = dict((why + Counter(table.unasked[name])).most_common())
    return found


def reason_lines(table: Standings) -> list[str]:
    """Return a line of reasons for each contender with unsolved runs."""
    lines = []
    for name, numbers in reasons(table).items():
        if numbers:
            lines.append(f"{name}: " + ", ".join(f"{n} {why}" for why, n in numbers.items()))
    return lines


def coverage_lines(table: Standings) -> list[str]:
    """Return a line for each contender that is disqualified or was not asked a shared puzzle."""
    total = len(table.shared)
    lines = [f"{name} is disqualified: {why}." for name, why in table.disqualified.items()]
    for name, row in table.results.items():
        shared = sum(key in row for key in table.shared)
        if shared < total:
            lines.append(f"{name} was asked {shared} of {total} puzzles: its figures are of these.")
    return lines


def crashed_on_all(table: Standings) -> list[str]:
    """Return a line, with the first known detail, for each contender that crashed in all runs."""
    lines = []
    for name in table.contenders:
        runs = table.records(name)
        if runs and all(run.status == CRASHED for run in runs):
            detail = next((run.detail for run in runs if run.detail), runs[0].reason)
            lines.append(f"{name} CRASHED on everything ({len(runs)}): {detail}")
    return lines


def left_out_lines(table: Standings) -> list[str]:
    """Return lines about what the scores leave out, and about differences between the runs."""
    runs = counted(table.superseded, "run")
    return [*table.notes, *([f"Left out: {runs} repeated later."] if table.superseded else [])]


def best_known_table(table: Standings) -> Table[PuzzleKey]:
    """Return the best known score of each puzzle, the lowest bound that stands, and by whom."""
    records = table.records()
    best = best_known(records)
    bounds: dict[PuzzleKey, int] = {}
    for record in records:
        if record.bound is not None and not refutation(record, best):
            bounds[record.puzzle] = min(record.bound, bounds.get(record.puzzle, record.bound))

    def finders(key: PuzzleKey) -> str:
        equal = (run for run in records if run.puzzle == key and run.score == best[key].score)
        return ", ".join(dict.fromkeys(run.contender for run in equal))

    def proved(key: PuzzleKey) -> str:
        return "yes" if bounds.get(key) == best[key].score else "no"

    columns: tuple[Column[PuzzleKey], ...] = (
        Column("puzzle", lambda key: best[key].puzzle_name, is_text=True),
        Column("best by", finders, is_text=True),
        Column("score", lambda key: best[key].score),
        Column("bound", bounds.get, missing="-"),
        Column("proved", proved),
        Column("CPU s", lambda key: best[key].cpu, ".2f"),
    )
    return Table(columns, list(best))


def shares(
    table: Standings, contender: str, puzzles: Sequence[PuzzleKey]
) -> list[tuple[float, float]]:
    """Return the mean share of the best known score that a contender has, by time in seconds.

    The first pair is (0, 0); a puzzle without a fill counts as 0.
    """
    best = best_known(table.records())
    steps: list[tuple[float, float]] = []
    for key in puzzles:
        result = table.results[contender].get(key)
        if result is not None and key in best:
            before = 0
            for seconds, score in result.record.trace:
                more = (score - before) / max(1, best[key].score or 1)
                steps.append((seconds, more / len(puzzles)))
                before = score
    total, found = 0.0, [(0.0, 0.0)]
    for seconds, more in sorted(steps):
        total += more
        found.append((seconds, total))
    return found
