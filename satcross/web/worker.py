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
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from satcross.errors import InputError, InternalError, UnavailableError
from satcross.formats.json import UNKNOWN_LETTER
from satcross.grid import BLOCKED, Cell, Grid
from satcross.puzzle import Puzzle
from satcross.run_settings import complete
from satcross.support.letters import load_packed, spell
from satcross.vocabulary import Vocabulary
from satcross.web import schema
from satcross.web.limits import MAX_FACTS
from satcross.web.puzzles import make_puzzle

if TYPE_CHECKING:
    from satcross.formats.word_edits import WordEdits
    from satcross.formats.words import WordList
    from satcross.web.inspect import Analysis

_Paths = tuple[str | None, ...]
"""The paths of word lists; None stands for the default list."""

Emit = Callable[[dict[str, Any]], None]

_MIN_INTERVAL = 0.2
"""Minimum seconds between two events of one kind, to limit traffic."""

_MAX_VOCABULARIES = 3
_MAX_ANALYSES = 3

K = TypeVar("K")
V = TypeVar("V")


class Worker:
    """Answers requests one after the other; caches the last vocabularies and analyses used."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._vocabularies: dict[tuple[_Paths, WordEdits], Vocabulary] = {}
        self._forms: dict[_Paths, Mapping[str, str]] = {}
        self._uploaded: dict[_Paths, WordList] = {}
        self._analyses: dict[tuple[bytes, int], Analysis] = {}

    def answer(self, request: dict[str, Any]) -> Any:
        """Return the result of a request; raises the errors of the library."""
        kind = request["kind"]
        if kind in _OTHER_TASKS:
            return _OTHER_TASKS[kind](request)
        if kind == "list":
            return self._add_list(request)
        if kind in _MAKING_TASKS:
            return self._make(kind, request)
        if kind == "look":
            return self._look(request)
        if kind == "facts":
            return self._facts(request["word"])
        question = msgspec.convert(request["question"], schema.PuzzleSpec)
        started = time.perf_counter()
        puzzle = make_puzzle(question, self._vocabulary(tuple(request["paths"])))
        request["loaded"] = time.perf_counter() - started
        return _PUZZLE_TASKS[kind](puzzle, request, self._emit)

    def _look(self, request: dict[str, Any]) -> schema.View:
        """Inspect a puzzle; moving the cursor in it asks about the same puzzle again."""
        from satcross.web.inspect import Analysis

        paths = tuple(request["paths"])
        vocabulary = self._vocabulary(paths)
        # The analysis keeps its vocabulary alive, so that no other one has the same id.
        key = msgspec.json.encode(request["question"]), id(vocabulary)
        values = {name: request[name] for name in schema.Look.__struct_fields__}
        look = msgspec.convert(values, schema.Look)
        analysis = self._analyses.get(key)
        if analysis is None:
            puzzle = make_puzzle(look.question, vocabulary)
            analysis = Analysis(puzzle, self._forms.get(paths, {}))
        _keep(self._analyses, key, analysis, _MAX_ANALYSES)
        return analysis.view(look)

    def _make(self, kind: str, request: dict[str, Any]) -> Any:
        from satcross.web import making

        values = {name: value for name, value in request.items() if name != "paths"}
        asked = msgspec.convert(values, _MAKING_TASKS[kind])
        report = _Reporter(None, self._emit).on_progress
        if isinstance(asked, schema.Layout):
            return making.make_layout(asked, report)
        vocabulary = self._vocabulary(tuple(request["paths"]))
        if isinstance(asked, schema.Pattern):
            return making.make_pattern(asked, vocabulary, report)
        return making.answer_clues(asked, vocabulary, report)

    def _vocabulary(self, paths: _Paths) -> Vocabulary:
        from satcross.formats.word_edits import read_edits
        from satcross.formats.words import default_written

        edits = read_edits()  # they may have changed since the last request
        found = self._vocabularies.get((paths, edits))
        if found is None:
            read = self._uploaded.get(paths) or _read_lists(paths)
            found, _ = edits.apply(read.vocabulary)
            written = {**default_written(), **read.written}
            _keep(self._forms, paths, written, _MAX_VOCABULARIES)
        _keep(self._vocabularies, (paths, edits), found, _MAX_VOCABULARIES)
        return found

    def _add_list(self, request: dict[str, Any]) -> Any:
        """Read an uploaded list, store it decompressed, and return a summary.

        The last one stays in memory, since the next request most likely needs it: half of the time
        from an upload to the first candidates would be spent on reading it again.
        """
        from satcross.formats.files import Data, decode_text
        from satcross.formats.words import parse_words
        from satcross.web.files import unpack

        path = Path(request["path"])
        packed = path.read_bytes()
        data = unpack(packed, request["unpacked"])
        read = parse_words([decode_text(Data("the list", data))])
        if data is not packed:
            path.write_bytes(data)
        self._uploaded = {(request["stored"],): read}
        return _summary(read)

    def _facts(self, word: str) -> schema.WordFacts:
        """Look a word up in the clue database and the dictionaries."""
        from satcross.answer.word_facts import word_facts
        from satcross.formats.words import default_written

        forms = (*self._forms.values(), default_written())
        written = next((known[word] for known in forms if word in known), word)
        facts = word_facts(word, written, MAX_FACTS)
        return schema.WordFacts(
            word,
            written,
            [schema.OldClue(one.text, one.year, one.times) for one in facts.clues],
            [schema.Definition(*pair) for pair in facts.definitions],
        )


def _keep(cache: dict[K, V], key: K, value: V, most: int) -> None:
    """Store a value in a cache of the most recently used ones."""
    cache.pop(key, None)
    cache[key] = value
    while len(cache) > most:
        del cache[next(iter(cache))]


def _read_lists(paths: _Paths) -> WordList:
    """Return the merged words of lists; None stands for the default list, which is cached."""
    from satcross.formats.files import read_text
    from satcross.formats.word_cache import read_words
    from satcross.formats.words import default_list, parse_words

    if paths == (None,):
        return read_words([])
    if not all(path is None or Path(path).exists() for path in paths):
        raise InputError(
            "the server has removed a word list to save space", "upload the list again"
        )
    texts = [default_list() if path is None else read_text(path) for path in paths]
    return parse_words(texts)


class _Reporter:
    """Turns ``on_progress`` and ``on_partial`` calls into events, a few per second."""

    def __init__(self, grid: Grid | None, emit: Emit) -> None:
        self._grid = grid
        self._emit = emit
        self._last = {"progress": 0.0, "partial": 0.0}

    def on_progress(self, line: str) -> None:
        if self._is_due("progress"):
            self._emit({"event": "progress", "line": line})

    def on_partial(self, letters: Mapping[Cell, str]) -> None:
        if self._grid is not None and self._is_due("partial"):
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
    from satcross.solving.best import best
    from satcross.solving.refill import refill
    from satcross.solving.solve import solve
    from satcross.web.puzzles import read_letters

    reporter = _Reporter(puzzle.grid, emit)
    settings = RunSettings(
        time_limit=request["seconds"],
        seed=request["seed"],
        on_progress=reporter.on_progress,
        on_partial=reporter.on_partial,
        allow=frozenset(request["allow"]),
    )
    if request["objective"] is not None:
        outcome = best(puzzle, request["objective"], request["backend"], settings)
    elif request["keep"] is None:
        outcome = solve(puzzle, request["backend"], settings)
    else:
        letters = read_letters(request["keep"], puzzle.grid)
        outcome = refill(puzzle, letters, request["backend"], settings)
    seconds = {"load": request["loaded"], **outcome.seconds}
    return complete(lambda: outcome_to_data(puzzle.grid, replace(outcome, seconds=seconds)))


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
        allow=frozenset(request["allow"]),
    )
    return complete(lambda: fill_list_to_data(puzzle.grid, found, request["loaded"]))


def _explain(puzzle: Puzzle, request: dict[str, Any], emit: Emit) -> Any:
    from satcross.solving.explain import explain
    from satcross.solving.explain.json import explanation_to_data

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
    from satcross.formats.json import outcome_to_data
    from satcross.network.arc_consistency import arc_consistent
    from satcross.run_settings import INTERRUPTED
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


def _summary(read: WordList) -> dict[str, Any]:
    # The scores of a group descend.
    scores = [one for *_, group in read.vocabulary.groups() for one in (group[0], group[-1])]
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
}
_MAKING_TASKS: dict[str, Any] = {
    "layout": schema.Layout,
    "pattern": schema.Pattern,
    "answer": schema.Answer,
}
_OTHER_TASKS: dict[str, Callable[[dict[str, Any]], Any]] = {
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
        # numpy's numbers are floats of another type
        events.write(spell(msgspec.json.encode(event, enc_hook=float).decode()).encode() + b"\n")
        events.flush()

    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read_requests, args=(requests,), daemon=True).start()
    worker = Worker(emit)
    while True:
        try:
            request = load_packed(requests.get().decode())
            emit({"event": "ready"})
            emit(run(worker, request))
        except KeyboardInterrupt:  # arrived after the end of the request
            continue


if __name__ == "__main__":
    main()
