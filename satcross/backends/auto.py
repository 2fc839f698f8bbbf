"""``auto``: the backend to use when one does not want to choose.

Most puzzles fall to a short search, which is done at once, in this process. The others are raced
by complementary backends, a process each: the first definite answer wins and the rest are stopped.
With one worker there is no race but a long search and then the SAT backend, so that the same seed
gives the same answer.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import traceback
from dataclasses import replace
from itertools import cycle
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, ClassVar

from satcross.backends.backtrack import Backtrack, Listed, answer
from satcross.backends.base import (
    INTERRUPTED,
    TIME_LIMIT,
    Answer,
    Capabilities,
    Listing,
    Optimum,
    Tally,
    Task,
    silent,
    unseen,
)
from satcross.backends.portfolio import Portfolio
from satcross.backends.registry import get_backend, get_counting_backend
from satcross.backends.sweep import Sweep
from satcross.errors import InternalError, UnavailableError
from satcross.outcome import Status
from satcross.weights import Weights

FIRST_TURNS = 3
"""Turns of the first search: about half a second, or some seconds where the grid is swept."""

FIRST_LIST_NODES = 20_000
"""Nodes of the search for a first fill when several are wanted, before the SAT backend's turn."""

ALONE_TURNS = 200
"""Turns of the search when there is one worker, before the SAT backend takes over."""

RACERS = ("backtrack", "backtrack", "sat", "cpsat", "backtrack", "sat")
"""Who races, in this order, as far as there are workers; the same backend with another seed.

Measured on eight hard benchmark grids with two workers: a second search filled one more than the
SAT backend in its place. The second does not narrow the puzzle: on the hardest proof among the
classic puzzles, ``h2310`` with ``lex``, this took 22 s, not 49 s.
"""

_WHOLE = 1
"""The place of the racer that searches nothing but the whole puzzle, as proofs need it."""

SWEPT_RACERS = ("backtrack", "sat", "cpsat")
"""The same for grids that are swept, which needs no second sweep."""

_POLL_SECONDS = 0.2


class Auto:
    """A short search, then a race of backends over the workers."""

    name: ClassVar[str] = "auto"
    capabilities: ClassVar[Capabilities] = Capabilities(count=True, best=True)

    def solve(self, task: Task) -> Answer:
        racing = task.workers > 1
        # Racers make estimates of their own; and numpy starts threads, which forking dislikes.
        portfolio = Portfolio(task.candidates, seed=task.seed, estimating=not racing)
        turns = FIRST_TURNS if racing else ALONE_TURNS
        status = portfolio.run(task.deadline, turns, task.show)
        if status is not Status.UNKNOWN or task.deadline.passed:
            return _sign(answer(portfolio, status), "backtrack")
        if task.workers == 1:
            return _sign(get_backend("sat").solve(task), "sat")
        return _race(task)

    def count(self, task: Task, enough: int | None = None) -> Tally:
        # The others can only list fills one by one.
        return Backtrack().count(task, enough)

    def several(self, task: Task, number: int) -> Listing:
        listed = Listed(task.candidates, seed=task.seed)
        try:
            listed.run(task.deadline, FIRST_LIST_NODES, 1)
        except KeyboardInterrupt:
            return Listing(tuple(listed.fills), False, INTERRUPTED)
        # A search that has found one soon finds others beside it; else leave it to learning.
        if listed.found or listed.complete:
            return Backtrack().several(task, number)
        return get_counting_backend("sat").several(task, number)

    def best(self, task: Task, weights: Weights) -> Optimum:
        # Measured (docs/best.md): branch and bound proves more than CP-SAT and RC2, and sooner.
        found = Backtrack().best(task, weights)
        return replace(found, answer=_sign(found.answer, Backtrack.name))


def _sign(signed: Answer, name: str) -> Answer:
    return replace(signed, stats={"winner": name, **signed.stats})


def _race(task: Task) -> Answer:
    # Forked children have the candidates already; elsewhere they are pickled.
    method = "fork" if sys.platform == "linux" else "spawn"
    context: Any = multiprocessing.get_context(method)  # typeshed: its bases lack Process
    racers: dict[Connection, tuple[str, BaseProcess]] = {}
    try:
        names = SWEPT_RACERS if Sweep.suits(task.candidates) else RACERS
        for number, name in zip(range(task.workers), cycle(names), strict=False):
            receiver, sender = context.Pipe(duplex=False)
            seed = (task.seed + number + 1) % 2**31
            options = {**task.options, "narrowing": "off"} if number == _WHOLE else task.options
            own = replace(task, seed=seed, workers=1, options=options, report=silent, show=unseen)
            # Of one racer only: states of two searches in turn would be hard to look at.
            shown = number == 0 and task.show is not unseen
            process = context.Process(target=_run, args=(name, own, sender, shown), daemon=True)
            process.start()
            sender.close()
            racers[receiver] = (name, process)
        task.report("racing " + ", ".join(name for name, _ in racers.values()))
        return _first_answer(task, racers)
    finally:
        for _, process in racers.values():
            process.kill()
        for _, process in racers.values():
            process.join()


def _first_answer(task: Task, racers: dict[Connection, tuple[str, BaseProcess]]) -> Answer:
    running = dict(racers)
    losses = []
    while running:
        for connection in wait(list(running), timeout=_POLL_SECONDS):
            assert isinstance(connection, Connection)
            name, process = running[connection]
            try:
                received = connection.recv()
            except EOFError:
                del running[connection]
                process.join()
                losses.append(f"{name} died with exit code {process.exitcode}")
                continue
            if isinstance(received, dict):
                task.show(received)
                continue
            del running[connection]
            if isinstance(received, UnavailableError):
                losses.append(str(received))
                continue
            if isinstance(received, str):
                raise InternalError(f"backend {name} failed", received)
            if received.status is not Status.UNKNOWN:
                return _sign(received, name)
        # The racers have the deadline too and stop by themselves, unless a solver is deaf.
        if task.deadline.overdue > 1.0:
            break
        task.report("racing " + ", ".join(name for name, _ in running.values()))
    reasons = losses if task.deadline.at is None else [TIME_LIMIT, *losses]
    return Answer(Status.UNKNOWN, None, "; ".join(reasons) or "no racer had an answer")


def _run(name: str, task: Task, sender: Connection, shown: bool) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    if shown:
        task = replace(task, show=sender.send)
    try:
        result: Answer | UnavailableError | str = get_backend(name).solve(task)
    except UnavailableError as error:
        result = error
    except BaseException:
        result = traceback.format_exc()
    sender.send(result)
    sender.close()


def _die_with_parent() -> None:
    # A parent that is killed can't stop its racers.
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
