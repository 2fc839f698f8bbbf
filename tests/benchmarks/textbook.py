"""Compare the textbook search with bitsets and with a SAT solver; prints the tables of students.md.

    python tests/benchmarks/textbook.py --limit 100

The list is scowl70 of data/bench/lists, cut at a minimum score. Each figure comes from a process of
its own, with a limit in CPU seconds, and covers the search alone: reading files is not counted. All
searches run without compiled code.
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

os.environ["SATCROSS_ENGINE"] = "off"

from pysat.solvers import Solver

import encoders
from satcross import Grid, Puzzle, Vocabulary
from satcross.backends.search.portfolio import Portfolio
from satcross.backends.search.search import Search
from satcross.cs50 import Crossword, CrosswordCreator, Variable
from satcross.network.arc_consistency import arc_consistent
from satcross.outcome import Status
from satcross.run_settings import NEVER

DATA = Path(__file__).parents[2] / "data"

SEARCHES = (
    ("9x9-a", 90),
    ("9x9-a", 75),
    ("9x9-a", 50),
    ("9x9-a", 1),
    ("9x9-b", 75),
    ("9x9-b", 50),
    ("15x15-lattice", 50),
    ("15x15-78", 75),
    ("15x15-78", 50),
)
SWEPT = (("9x9-a", 90), ("9x9-b", 75))
SUPPORTS = (("9x9-a", 90), ("9x9-a", 75), ("9x9-a", 50))
LEARNING = (("9x9-b", 75),)

Case = tuple[str, int]


class Counting(CrosswordCreator):
    """The textbook search; counts the words it tries."""

    tries = 0

    def infer(self, assignment: Mapping[Variable, str | None]) -> bool:
        self.tries += 1
        return super().infer(assignment)


class Multiplying(Counting):
    """The same with another order of words: the largest product of words left first."""

    def order_domain_values(
        self, var: Variable, assignment: Mapping[Variable, object]
    ) -> list[str]:
        left = dict.fromkeys(self.domains[var], 0.0)
        for neighbor in self.crossword.neighbors(var):
            overlap = self.crossword.overlaps[var, neighbor]
            if overlap is None or assignment.get(neighbor) is not None:
                continue
            supports = Counter(word[overlap[1]] for word in self.domains[neighbor])
            for word in left:
                number = supports[word[overlap[0]]]
                left[word] += math.log(number) if number else -math.inf
        return sorted(left, key=lambda word: (-left[word], word))


@cache
def words(minimum: int) -> Vocabulary:
    every = Vocabulary.read(DATA / "bench" / "lists" / "scowl70.txt.gz")
    return Vocabulary({word: every.score(word) for word in every if every.score(word) >= minimum})


def puzzle(case: Case) -> Puzzle:
    grid, minimum = case
    return Puzzle(Grid.read(DATA / "grids" / f"{grid}.txt"), words(minimum))


def crossword(case: Case) -> Crossword:
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(words(case[1])))
        file.flush()
        return Crossword(str(DATA / "grids" / f"{case[0]}.txt"), file.name)


def textbook(case: Case, kind: type[Counting] = Counting) -> tuple[Any, ...]:
    creator = kind(crossword(case))
    started = time.process_time()
    fill = creator.solve()
    return fill is not None, creator.tries, time.process_time() - started


def bitsets(case: Case) -> tuple[Any, ...]:
    asked = puzzle(case)
    started = time.process_time()
    search = Search(arc_consistent(asked))
    status = search.run(NEVER)
    return status is Status.FILLED, search.nodes, time.process_time() - started


def swept(case: Case) -> tuple[Any, ...]:
    asked = puzzle(case)
    started = time.process_time()
    portfolio = Portfolio(arc_consistent(asked))
    status = portfolio.run(NEVER, sys.maxsize)
    seconds = time.process_time() - started
    return status is Status.FILLED, portfolio.nodes, portfolio.stats["sweep_nodes"], seconds


def consistency(case: Case) -> tuple[Any, ...]:
    """Seconds of node consistency and of AC-3 on sets, and of both on bitsets, twice."""
    creator = CrosswordCreator(crossword(case))
    clock = [time.process_time()]
    for step in (creator.enforce_node_consistency, creator.ac3):
        step()
        clock.append(time.process_time())
    asked = puzzle(case)
    for _ in range(2):
        clock.append(time.process_time())
        arc_consistent(asked)
        clock.append(time.process_time())
    return clock[1] - clock[0], clock[2] - clock[1], clock[4] - clock[3], clock[6] - clock[5]


def memory(case: Case) -> tuple[Any, ...]:
    """MB of the domains of the textbook version."""
    asked = crossword(case)
    tracemalloc.start()
    creator = CrosswordCreator(asked)
    size, _ = tracemalloc.get_traced_memory()
    return len(creator.domains), round(size / 1e6)


def formula(case: Case) -> list[tuple[bool, list[int]]]:
    """Return the clauses of the arc consistent candidates, and whether each is a support."""
    from satcross.network.to_encoder import to_instance

    clauses, encoding = encoders.encode(to_instance(arc_consistent(puzzle(case))))
    of_letters = {number for cell in encoding.letters.values() for number in cell.values()}
    of_words = {number for slot in encoding.words for number in slot.values()}
    marked = []
    for clause in clauses:
        negative = [-literal for literal in clause if literal < 0]
        is_support = len(negative) == 1 < len(clause) and negative[0] in of_letters
        is_support &= all(literal in of_words for literal in clause if literal > 0)
        marked.append((is_support, clause))
    return marked


def sizes(case: Case) -> tuple[Any, ...]:
    marked = formula(case)
    return len(marked), sum(is_support for is_support, _ in marked)


def clauses(case: Case, solver: str = "glucose4", with_supports: bool = True) -> tuple[Any, ...]:
    taken = [clause for is_support, clause in formula(case) if with_supports or not is_support]
    with Solver(solver, bootstrap_with=taken) as made:
        started = time.process_time()
        satisfiable = made.solve()
        seconds = time.process_time() - started
        return satisfiable, made.accum_stats()["conflicts"], seconds


def limited(task: Callable[[Case], tuple[Any, ...]], case: Case, limit: int) -> tuple[Any, ...]:
    """Return what a task returns in a process of its own; nothing if it exceeds its limit."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (limit + 10, limit + 10))  # reading takes some, too
        os.write(writer, repr(task(case)).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        answer = stream.read()
    os.waitpid(child, 0)
    result: tuple[Any, ...] = eval(answer) if answer else ()
    return () if result and isinstance(result[-1], float) and result[-1] > limit else result


def number(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.{3 if value < 0.01 else 2 if value < 0.1 else 1}f}"
    return f"{value:,}"


def tried(result: tuple[Any, ...], limit: int) -> list[str]:
    return [number(result[1]), number(result[-1])] if result else ["", f"over {limit}"]


def learned(result: tuple[Any, ...], limit: int) -> str:
    if not result:
        return f"over {limit} s"
    return f"{number(result[-1])} s, {number(result[1])} conflicts"


def search_rows(cases: Sequence[Case], limit: int) -> Iterator[list[str]]:
    for case in cases:
        found = limited(bitsets, case, limit)
        answer = "" if not found else "filled" if found[0] else "no fill"
        plain = tried(limited(textbook, case, limit), limit)
        row = [case[0], str(case[1]), number(len(words(case[1]))), answer]
        yield [*row, *plain, *tried(found, limit)]


def support_rows(cases: Sequence[Case], limit: int) -> Iterator[list[str]]:
    for case in cases:
        yield [
            case[0],
            number(len(words(case[1]))),
            *map(number, limited(sizes, case, limit)),
            learned(limited(clauses, case, limit), limit),
            learned(limited(partial(clauses, with_supports=False), case, limit), limit),
        ]


def show(rows: Iterator[list[str]]) -> None:
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)
    print(flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--limit", type=int, default=100, help="CPU seconds of each search")
    limit = parser.parse_args().limit
    hard = ("15x15-78", 50)
    show(search_rows(SEARCHES, limit))
    for case in SWEPT:
        _, tries, sweeps, seconds = limited(swept, case, limit)
        print(f"{case}, with sweep: {number(seconds)} s, {tries:,} tries, {sweeps:,} of the sweep")
    print(
        "multiplying",
        hard,
        *tried(limited(partial(textbook, kind=Multiplying), hard, limit), limit),
    )
    print("domains and MB", hard, *map(number, limited(memory, hard, limit)))
    print("lengths, AC-3; bitsets, again", hard, *map(number, limited(consistency, hard, limit)))
    show(support_rows(SUPPORTS, limit))
    for case in LEARNING:
        for solver in ("glucose4", "cadical195"):
            found = limited(partial(clauses, solver=solver), case, limit)
            print(case, solver, learned(found, limit), flush=True)


if __name__ == "__main__":
    main()
