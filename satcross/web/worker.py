"""Worker process of the server: ``python -m satcross.web.worker``.

It reads requests and writes events, each one line of JSON: ``ready``, then ``progress``,
``partial`` and ``part`` during the work, and finally ``done`` with the result or ``failed`` with a
message. SIGINT makes it answer with the results so far. When its input ends, it kills its children
and itself, so that no process outlives a killed server.
"""

from __future__ import annotations

import base64
import json
import os
import queue
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from satcross.errors import InputError, InternalError, UnavailableError
from satcross.formats.json import UNKNOWN_LETTER
from satcross.grid import BLOCKED, Cell, Grid
from satcross.puzzle import Puzzle
from satcross.vocabulary import Vocabulary
from satcross.web import schema
from satcross.web.puzzles import make_puzzle

Emit = Callable[[dict[str, Any]], None]

_MIN_INTERVAL = 0.2
"""Minimum seconds between two events of one kind, to limit traffic."""

_MAX_VOCABULARIES = 3


class Worker:
    """Answers requests one after the other, with a cache of the last vocabularies used."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._vocabularies: dict[tuple[str | None, ...], Vocabulary] = {}

    def answer(self, request: dict[str, Any]) -> Any:
        """Return the result of a request; raises the errors of the library."""
        kind = request["kind"]
        if kind in _OTHER_TASKS:
            return _OTHER_TASKS[kind](request)
        question = msgspec.convert(request["question"], schema.PuzzleSpec)
        started = time.perf_counter()
        puzzle = make_puzzle(question, self._vocabulary(tuple(request["paths"])))
        request["loaded"] = time.perf_counter() - started
        return _PUZZLE_TASKS[kind](puzzle, request, self._emit)

    def _vocabulary(self, paths: tuple[str | None, ...]) -> Vocabulary:
        found = self._vocabularies.pop(paths, None)
        if found is None:
            found = _read_lists(paths)
        self._vocabularies[paths] = found
        while len(self._vocabularies) > _MAX_VOCABULARIES:
            del self._vocabularies[next(iter(self._vocabularies))]
        return found


def _read_lists(paths: tuple[str | None, ...]) -> Vocabulary:
    """Return the merged words of lists; None stands for the default list, which is cached."""
    from satcross.formats.files import read_text
    from satcross.formats.word_cache import read_words
    from satcross.formats.words import default_list, default_list_path, parse_words

    if paths == (None,):
        return read_words([default_list_path()]).vocabulary
    if not all(path is None or Path(path).exists() for path in paths):
        raise InputError(
            "the server has removed a word list to save space", "upload the list again"
        )
    texts = [default_list() if path is None else read_text(path) for path in paths]
    return parse_words(texts).vocabulary


class _Reporter:
    """Turns ``on_progress`` and ``on_partial`` calls into events, a few per second."""

    def __init__(self, grid: Grid, emit: Emit) -> None:
        self._grid = grid
        self._emit = emit
        self._last = {"progress": 0.0, "partial": 0.0}

    def on_progress(self, line: str) -> None:
        if self._is_due("progress"):
            self._emit({"event": "progress", "line": line})

    def on_partial(self, letters: Mapping[Cell, str]) -> None:
        if self._is_due("partial"):
            rows = [
                "".join(
                    BLOCKED if cell == BLOCKED else letters.get((r, c), UNKNOWN_LETTER)
                    for c, cell in enumerate(row)
                )
                for r, row in enumerate(self._grid.rows)
            ]
            self._emit({"event": "partial", "rows": rows})

    def _is_due(self, kind: str) -> bool:
        now = time.monotonic()
        if now - self._last[kind] < _MIN_INTERVAL:
            return False
        self._last[kind] = now
        return True


def _fill(puzzle: Puzzle, request: dict[str, Any], emit: Emit) -> Any:
    from dataclasses import replace

    from satcross.formats.json import outcome_to_data
    from satcross.run_settings import RunSettings
    from satcross.solving.refill import refill
    from satcross.solving.solve import solve
    from satcross.web.puzzles import read_letters

    reporter = _Reporter(puzzle.grid, emit)
    settings = RunSettings(
        time_limit=request["seconds"],
        seed=request["seed"],
        on_progress=reporter.on_progress,
        on_partial=reporter.on_partial,
    )
    if request["keep"] is None:
        outcome = solve(puzzle, request["backend"], settings)
    else:
        letters = read_letters(request["keep"], puzzle.grid)
        outcome = refill(puzzle, letters, request["backend"], settings)
    seconds = {"load": request["loaded"], **outcome.seconds}
    return outcome_to_data(puzzle.grid, replace(outcome, seconds=seconds))


def _several(puzzle: Puzzle, request: dict[str, Any], emit: Emit) -> Any:
    from satcross.formats.json import fill_list_to_data
    from satcross.solving.several import several

    found = several(
        puzzle,
        request["number"],
        diverse=request["diverse"],
        time_limit=request["seconds"],
        seed=request["seed"],
        on_progress=_Reporter(puzzle.grid, emit).on_progress,
    )
    return fill_list_to_data(puzzle.grid, found, request["loaded"])


def _explain(puzzle: Puzzle, request: dict[str, Any], emit: Emit) -> Any:
    from satcross.explain import explain
    from satcross.explain.json import explanation_to_data

    found = explain(
        puzzle,
        time_limit=request["seconds"],
        seed=request["seed"],
        suggest=request["suggest"],
        on_progress=_Reporter(puzzle.grid, emit).on_progress,
    )
    return explanation_to_data(puzzle, found)


def _compare(puzzle: Puzzle, request: dict[str, Any], emit: Emit) -> Any:
    """Run backends one after the other, as parallel runs would disturb the times."""
    from satcross.deadline import INTERRUPTED
    from satcross.formats.json import outcome_to_data
    from satcross.network.arc_consistency import arc_consistent
    from satcross.solving.cross_check import contradictory
    from satcross.solving.solve import attempt
    from satcross.verify import verify

    arc_consistent(puzzle)  # builds the index of the list, so that no backend's time includes that
    outcomes = []
    for backend in request["backends"]:
        emit({"event": "progress", "line": f"running {backend}"})
        reporter = _Reporter(puzzle.grid, emit)
        outcome = attempt(
            puzzle,
            backend,
            time_limit=request["seconds"],
            seed=request["seed"],
            workers=1,
            on_progress=reporter.on_progress,
            on_partial=reporter.on_partial,
        )
        data = outcome_to_data(puzzle.grid, outcome)
        data["problems"] = [] if outcome.fill is None else verify(puzzle, outcome.fill)
        emit({"event": "part", "part": data})
        outcomes.append(data)
        if outcome.reason == INTERRUPTED:
            break
    contradiction = contradictory(str(one["status"]) for one in outcomes)
    all_right = not any(one["problems"] for one in outcomes)
    return {"outcomes": outcomes, "agreement": all_right and not contradiction}


def _steps(puzzle: Puzzle, request: dict[str, Any], emit: Emit) -> Any:
    from satcross.cs50.trace import steps

    return steps(puzzle, request["most"], min(request["seconds"], 20.0))


def _inspect(puzzle: Puzzle, request: dict[str, Any], emit: Emit) -> Any:
    from satcross.web.inspect import inspect_puzzle

    return inspect_puzzle(puzzle, request["slot"], request["rank"], request["most"])


def _list(request: dict[str, Any]) -> Any:
    """Read an uploaded list, store it decompressed, and return a summary."""
    from satcross.formats.files import Data, decode_text
    from satcross.formats.words import parse_words
    from satcross.web.files import unpack

    path = Path(request["path"])
    packed = path.read_bytes()
    data = unpack(packed, request["unpacked"])
    read = parse_words([decode_text(Data("the list", data))])
    if data is not packed:
        path.write_bytes(data)
    groups = read.vocabulary.groups()
    scores = [score for _, _, group in groups for score in (min(group), max(group))]
    notes = [note for _, note in read.notes]
    if read.dropped:
        first = read.dropped[0]
        notes.append(
            f"{len(read.dropped):,} lines dropped, the first is line {first.line}: {first.reason}"
        )
    return {
        "words": len(read.vocabulary),
        "lengths": {str(length): number for length, number in read.vocabulary.lengths.items()},
        "scores": [min(scores), max(scores)] if scores else None,
        "notes": notes,
    }


def _import(request: dict[str, Any]) -> Any:
    from satcross.web.files import import_upload

    content = base64.b64decode(request["content"])
    return import_upload(content, request["extension"], request["unpacked"])


def _export(request: dict[str, Any]) -> Any:
    from satcross.web.files import export_crossword

    content, lost = export_crossword(msgspec.convert(request["export"], schema.Export))
    return {"content": base64.b64encode(content).decode("ascii"), "lost": lost}


_PUZZLE_TASKS: dict[str, Callable[[Puzzle, dict[str, Any], Emit], Any]] = {
    "fill": _fill,
    "several": _several,
    "explain": _explain,
    "compare": _compare,
    "steps": _steps,
    "look": _inspect,
}
_OTHER_TASKS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "list": _list,
    "import": _import,
    "export": _export,
}


def run(worker: Worker, request: dict[str, Any]) -> dict[str, Any]:
    """Execute a request and return its last event."""
    try:
        return {"event": "done", "result": worker.answer(request)}
    except (InputError, UnavailableError) as error:
        return {"event": "failed", "wrong_input": True, "error": str(error)}
    except MemoryError:
        return _failed("the request exceeded the memory limit")
    except KeyboardInterrupt:
        return _failed("interrupted")
    except InternalError as error:
        return _failed(f"INTERNAL ERROR, please report it: {error}")
    except Exception as error:
        # The page shows one line; the terminal of the server shows the traceback.
        sys.excepthook(type(error), error, error.__traceback__)
        return _failed(f"INTERNAL ERROR, please report it: {type(error).__name__}: {error}")


def _failed(error: str) -> dict[str, Any]:
    return {"event": "failed", "wrong_input": False, "error": error}


def _limit_memory(size: int) -> None:
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def _read_requests(requests: queue.SimpleQueue[bytes]) -> None:
    # Not through sys.stdin, whose lock forked processes would inherit in the locked state.
    incomplete = b""
    while chunk := os.read(0, 1 << 16):
        *lines, incomplete = (incomplete + chunk).split(b"\n")
        for line in lines:
            requests.put(line)
    # The input is closed: the server has ended.
    if hasattr(os, "killpg") and os.getpgid(0) == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def main() -> None:
    """Answer requests until the input ends. Arguments: memory limit in bytes, temporary folder."""
    # Redirect the output of libraries, which would mix with the events.
    events = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    if hasattr(os, "nice"):
        os.nice(5)  # so that the server stays responsive
    _limit_memory(int(sys.argv[1]))
    tempfile.tempdir = sys.argv[2]

    def emit(event: dict[str, Any]) -> None:
        events.write(msgspec.json.encode(event) + b"\n")
        events.flush()

    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read_requests, args=(requests,), daemon=True).start()
    worker = Worker(emit)
    while True:
        try:
            request = json.loads(requests.get())
            emit({"event": "ready"})
            emit(run(worker, request))
        except KeyboardInterrupt:  # arrived after the end of the request
            continue


if __name__ == "__main__":
    main()
