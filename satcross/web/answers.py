"""The answers of a worker process to its orders."""

from __future__ import annotations

import time
from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from satcross.errors import InputError
from satcross.formats.entries import read_word
from satcross.grid import Cell
from satcross.puzzle import Puzzle
from satcross.run_settings import INTERRUPTED, RunSettings, complete
from satcross.support.texts import TextSettings, texts, use_texts
from satcross.vocabulary import Vocabulary
from satcross.web import protocol, schema
from satcross.web.limits import MAX_FACTS
from satcross.web.protocol import Emit, Paths, as_json, for_the_page
from satcross.web.puzzles import make_puzzle, read_words, rows_with

if TYPE_CHECKING:
    from satcross.formats.word_edits import WordEdits
    from satcross.formats.words import WordList
    from satcross.web.inspect import Analysis

_MIN_INTERVAL = 0.2
"""Minimum seconds between two events of a kind, to limit traffic."""

_MAX_VOCABULARIES = 3
_MAX_ANALYSES = 3
_MAX_STEPS_SECONDS = 20.0

K = TypeVar("K")
V = TypeVar("V")


class Answers:
    """Answers orders one after the other; caches the last vocabularies and analyses used."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._vocabularies: dict[tuple[Paths, str, WordEdits], Vocabulary] = {}
        self._forms: dict[tuple[Paths, str], dict[str, str]] = {}
        self._uploaded: dict[tuple[Paths, str], WordList] = {}
        self._analyses: dict[tuple[bytes, int], Analysis] = {}

    def answer(self, order: protocol.Order) -> Any:
        """Return the result of an order; raises the errors of the library."""
        from satcross.web.files import export_crossword, import_upload, print_pages

        use_texts(TextSettings(language=_language_of(order)))
        match order:
            case protocol.Work(request, paths):
                return self._work(request, paths)
            case protocol.Look(request, paths):
                return self._look(request, paths)
            case protocol.AddList():
                return self._add_list(order)
            case protocol.LookUp(word):
                return self._facts(word)
            case protocol.ReadFile(content, extension, max_bytes):
                return import_upload(content, extension, max_bytes)
            case protocol.WriteFile(request):
                return export_crossword(request)
            case protocol.Print(request):
                return print_pages(request)

    def _work(self, request: schema.JobRequest, paths: Paths) -> Any:
        if isinstance(request, schema.PuzzleJob):
            started = time.perf_counter()
            puzzle = make_puzzle(request.question, self._vocabulary(paths))
            loaded = time.perf_counter() - started
            return PuzzleWork(puzzle, loaded, self._emit).do(request)
        from satcross.web import making  # what no fill needs takes as long as the fill

        on_progress = _Reporter(self._emit).on_progress
        match request:
            case schema.Layout():
                return making.make_layout(request, on_progress)
            case schema.Pattern():
                return making.make_pattern(request, self._vocabulary(paths), on_progress)
            case schema.SetUp():
                return making.set_up(request, on_progress)
            case schema.Codeword() | schema.FillIn() | schema.Arrowword():
                return making.make_printable(request, self._vocabulary(paths), on_progress)
            case schema.PuzzleFiles():
                return making.puzzle_files(request)
            case schema.Answer():
                return making.answer_clues(request, self._vocabulary(paths), on_progress)

    def _look(self, request: schema.Look, paths: Paths) -> schema.View:
        """Inspect a puzzle; moving the cursor in it inspects the same puzzle again."""
        from satcross.web.inspect import Analysis

        vocabulary = self._vocabulary(paths)
        # The analysis keeps its vocabulary alive, so that no other one has the same id.
        key = msgspec.json.encode(request.question), id(vocabulary)
        analysis = self._analyses.get(key)
        if analysis is None:
            puzzle = make_puzzle(request.question, vocabulary)
            own = self._forms.get((paths, texts().language), {})
            analysis = Analysis(puzzle, ChainMap(own, _written()))
        _keep(self._analyses, key, analysis, _MAX_ANALYSES)
        return analysis.view(request)

    def _vocabulary(self, paths: Paths) -> Vocabulary:
        from satcross.formats.word_edits import read_edits

        edits = read_edits()  # they may have changed since the last order
        lists = paths, texts().language
        found = self._vocabularies.get((*lists, edits))
        if found is None:
            read = self._uploaded.get(lists) or _read_lists(paths)
            found, _ = edits.apply(read.vocabulary)
            _keep(self._forms, lists, dict(read.written), _MAX_VOCABULARIES)
        _keep(self._vocabularies, (*lists, edits), found, _MAX_VOCABULARIES)
        return found

    def _add_list(self, order: protocol.AddList) -> schema.ListState:
        """Read an uploaded list, store it decompressed, and return its state, without a name.

        The last one stays in memory, since the next order most likely needs it: half of the time
        from an upload to the first candidates would be spent on reading it again.
        """
        from satcross.formats.files import Data
        from satcross.formats.sniff import decode_list
        from satcross.formats.words import parse_words
        from satcross.web.files import unpack

        path = Path(order.path)
        packed = path.read_bytes()
        data = unpack(packed, order.max_bytes)
        read = parse_words([decode_list(Data("the list", data))])
        if data is not packed:
            path.write_bytes(data)
        self._uploaded = {((order.stored,), order.language): read}
        return _state_of(read)

    def _facts(self, word: str) -> schema.WordFacts:
        from satcross.answer.word_facts import word_facts
        from satcross.make.wordplay import wordplay

        forms = (*self._forms.values(), _written())
        written = next((known[word] for known in forms if word in known), word)
        facts = word_facts(word, written, MAX_FACTS)
        devices = wordplay(word, self._vocabulary((None,)))
        return schema.WordFacts(word, written, facts.clues, facts.definitions, tuple(devices))


@cache
def _written() -> dict[str, str]:
    """Return ``default_written``, which no fill needs, and which takes as long as a small one."""
    from satcross.formats.written import default_written

    return dict(default_written())


def _language_of(order: protocol.Order) -> str:
    """Return the language that the texts of an order are in; "" if it says none."""
    request = getattr(order, "request", order)
    about = (request, getattr(request, "question", None), getattr(request, "crossword", None))
    return next((found for part in about if (found := getattr(part, "language", ""))), "")


def _keep(cache: dict[K, V], key: K, value: V, max_size: int) -> None:
    """Store a value in a cache of the most recently used ones."""
    cache.pop(key, None)
    cache[key] = value
    while len(cache) > max_size:
        del cache[next(iter(cache))]


def _read_lists(paths: Paths) -> WordList:
    """Return the merged words of lists, of none if there are none; None is the default list.

    What was read is cached beside the uploaded lists for other processes: reading 300,000 words
    takes as long as an easy fill.
    """
    from satcross.formats.word_cache import read_words
    from satcross.formats.words import WordList

    if not paths:
        return WordList(Vocabulary([]), (), ())
    uploaded = [Path(path) for path in paths if path is not None]
    if not uploaded:
        return read_words([])
    if not all(path.exists() for path in uploaded):
        raise InputError(
            "the server has removed a word list to save space", "upload the list again"
        )
    return read_words([path or schema.DEFAULT_LIST for path in paths], folder=uploaded[0].parent)


def _state_of(read: WordList) -> schema.ListState:
    # The scores of a group descend.
    scores = [score for *_, group in read.vocabulary.groups() for score in (group[0], group[-1])]
    notes = [for_the_page(note) for _, note in read.notes]
    if read.dropped:
        first = read.dropped[0]
        notes.append(
            f"{len(read.dropped):,} lines dropped, the first is line {first.line}: {first.reason}"
        )
    return schema.ListState(
        name="",
        title="",
        words=len(read.vocabulary),
        lengths={str(length): number for length, number in read.vocabulary.lengths.items()},
        scores=[min(scores), max(scores)] if scores else None,
        notes=notes,
    )


class _Reporter:
    """Turns ``on_progress`` and ``on_partial`` calls into events, a few per second."""

    def __init__(self, emit: Emit, rows: tuple[str, ...] = ()) -> None:
        self._emit = emit
        self._rows = rows
        self._last: dict[type, float] = {}

    def on_progress(self, line: str) -> None:
        if self._is_due(protocol.Progress):
            self._emit(protocol.Progress(line))

    def on_partial(self, letters: Mapping[Cell, str]) -> None:
        if self._is_due(protocol.Partial):
            self._emit(protocol.Partial(rows_with(letters, self._rows)))

    def _is_due(self, kind: type) -> bool:
        now = time.monotonic()
        if now - self._last.get(kind, 0.0) < _MIN_INTERVAL:
            return False
        self._last[kind] = now
        return True


@dataclass(frozen=True, slots=True)
class PuzzleWork:
    """The work of jobs about a puzzle, which took ``loaded`` seconds to read."""

    puzzle: Puzzle
    loaded: float
    emit: Emit

    def do(self, request: schema.PuzzleJob) -> Any:
        """Return the result of a job, in the form of the command's JSON output."""
        reporter = _Reporter(self.emit, self.puzzle.grid.rows)
        settings = RunSettings(request.seconds, request.seed, on_progress=reporter.on_progress)
        if isinstance(request, schema.Fill | schema.Compare):
            settings = replace(settings, on_partial=reporter.on_partial)
        if isinstance(request, schema.Fill | schema.Several):
            settings = replace(settings, allow=frozenset(request.allow))
        match request:
            case schema.Fill():
                return self._fill(request, settings)
            case schema.Several():
                return self._several(request, settings)
            case schema.Explain():
                return self._explain(request, settings)
            case schema.Compare():
                return self._compare(request, settings)
            case schema.Steps():
                from satcross.cs50.trace import steps

                seconds = min(request.seconds, _MAX_STEPS_SECONDS)
                return steps(self.puzzle, request.max_steps, seconds)

    def _fill(self, request: schema.Fill, settings: RunSettings) -> Any:
        from satcross.formats.json import outcome_to_data
        from satcross.solving.best import best
        from satcross.solving.refill import refill
        from satcross.solving.solve import solve

        avoided = {read_word(word, self.puzzle.vocabulary) for word in request.avoid}
        puzzle = replace(self.puzzle, excluded=self.puzzle.excluded | avoided)
        if request.objective is not None:
            outcome = best(puzzle, request.objective, request.backend, settings)
        elif request.keep is None:
            outcome = solve(puzzle, request.backend, settings)
        else:
            kept = read_words(request.keep, puzzle)
            outcome = refill(puzzle, kept, request.backend, settings)
        seconds = {"load": self.loaded, **outcome.seconds}
        return complete(lambda: outcome_to_data(puzzle.grid, replace(outcome, seconds=seconds)))

    def _several(self, request: schema.Several, settings: RunSettings) -> Any:
        from satcross.formats.json import fill_list_to_data
        from satcross.solving.several import several

        found = several(self.puzzle, request.number, settings=settings, diverse=request.diverse)
        return complete(lambda: fill_list_to_data(self.puzzle.grid, found, self.loaded))

    def _explain(self, request: schema.Explain, settings: RunSettings) -> Any:
        from satcross.solving.explain import explain, explanation_to_data

        found = explain(self.puzzle, settings=settings, suggest=request.suggest)
        return explanation_to_data(self.puzzle, found)

    def _compare(self, request: schema.Compare, settings: RunSettings) -> Any:
        """Run backends one after the other, as parallel runs would disturb the times."""
        from satcross.backends.registry import backends_that
        from satcross.formats.json import outcome_to_data
        from satcross.network.arc_consistency import arc_consistent
        from satcross.solving.cross_check import contradictory
        from satcross.solving.solve import attempt
        from satcross.verify import verify

        puzzle = self.puzzle
        arc_consistent(puzzle)  # builds the list's index, so that no backend's time includes that
        outcomes = []
        complete = (name for name in backends_that("complete") if name != "auto")
        for backend in request.backends or complete:
            self.emit(protocol.Progress(f"running {backend}"))
            outcome = attempt(puzzle, backend, replace(settings, workers=1))
            data = outcome_to_data(puzzle.grid, outcome)
            data["problems"] = [] if outcome.fill is None else verify(puzzle, outcome.fill)
            self.emit(protocol.Part(as_json(data)))
            outcomes.append(data)
            if outcome.reason == INTERRUPTED:
                break
        contradiction = contradictory(str(data["status"]) for data in outcomes)
        all_right = not any(data["problems"] for data in outcomes)
        return {"outcomes": outcomes, "agreement": all_right and not contradiction}
