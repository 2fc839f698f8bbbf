"""Run all sources on all clues, one thread per source; a failing source loses only its own part.

What they propose for a puzzle is cached, in the user's cache folder. Asking the dictionaries takes
most of the time of an answer, and people ask about one puzzle more than once: with a lock, for
reasons, with another method. The name of a stored file depends on the clues, the vocabulary, the
sources with their files and weights, and on all of satcross's own files, so that it is never out of
date; a damaged file, or one of another puzzle, is replaced. What a source could not finish, or has
from the network, is not kept.
"""

from __future__ import annotations

import hashlib
import os
import sys
import threading
import time
import zlib
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from satcross.answer.clue import Candidate, Clue, Proposal, SourceSettings
from satcross.answer.dictionaries.clue_encoder import ENCODER_FILE
from satcross.answer.dictionaries.store import SETUP, dictionary_path, source_cache_folder
from satcross.answer.model import Model, combine, load_model
from satcross.answer.sources.clue_database import NAME as CLUES_DATABASE
from satcross.answer.sources.clue_database import with_learnt
from satcross.answer.sources.registry import SOURCES, check_source, open_source
from satcross.errors import SatcrossError
from satcross.formats.files import keep_in_cache
from satcross.run_settings import NEVER, Deadline, OnProgress, ignore_progress
from satcross.support.cache import file_facts, read_sealed

PACKAGE = Path(__file__).parents[1]
MAX_FILES = 20
"""Puzzles that are kept, of one to three megabytes each."""
DAMAGED = "what the sources proposed before was damaged in the cache; they were asked again"
_SUFFIX = ".gathered"
_Kept = tuple[dict[str, list[Candidate]], tuple[str, ...], tuple[str, ...]]
"""Candidates by slot, notes, and the names of the sources that could be used."""
_WATCH_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Gathered:
    """Candidates of every clue: slot name -> candidates, best first.

    ``notes`` describe the sources that failed, one line each; ``seconds`` maps each source to its
    running time. ``model`` is the one by which the candidates are scored.
    """

    candidates: dict[str, list[Candidate]]
    notes: tuple[str, ...]
    seconds: dict[str, float]
    interrupted: bool = False
    model: Model = field(default_factory=load_model)
    used: tuple[str, ...] = ()
    """The names of the sources that could be used."""
    complete: bool = True
    """Whether every source that could be used was asked about every clue and answered."""


@dataclass(slots=True)
class _SourceRun:
    """Progress of one source; only the thread of the source writes it."""

    name: str
    found: dict[str, tuple[Proposal, ...]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    unusable: str = ""
    seconds: float = 0.0
    ended: bool = False

    @property
    def missing(self) -> bool:
        """Whether it is unusable only because nobody has set it up."""
        return SETUP in self.unusable


def gather(
    clues: Sequence[Clue],
    settings: SourceSettings,
    sources: Sequence[str] | None = None,
    *,
    deadline: Deadline = NEVER,
    on_progress: OnProgress = ignore_progress,
) -> Gathered:
    """Run the sources on the clues and combine their proposals.

    ``sources`` are names; None means ``default_sources``. A source that can't be opened, raises, or
    runs beyond the ``deadline`` gets a note; its earlier proposals count. On Ctrl-C the result
    holds the proposals so far. Raises UnavailableError for an unknown source.
    """
    names = default_sources(settings) if sources is None else sources
    for name in names:
        check_source(name)
    runs = [_SourceRun(name) for name in dict.fromkeys(names)]
    stop = threading.Event()
    for run in runs:
        threading.Thread(
            target=_run_source, args=(run, clues, settings, stop), name=run.name, daemon=True
        ).start()
    try:
        _wait_for(runs, deadline, on_progress)
        interrupted = False
    except KeyboardInterrupt:
        interrupted = True
    finally:
        stop.set()
    missing = [run.name for run in runs if run.missing and sources is None]
    notes = list(settings.clue_index.notes) if settings.clue_index else []
    notes += [note for run in runs if run.name not in missing for note in _notes(run, len(clues))]
    if missing:
        notes.insert(0, f"not set up: {', '.join(missing)}; {SETUP}, or expect mostly guesses")
    proposals: defaultdict[str, list[Proposal]] = defaultdict(list)
    for run in runs:
        for slot, found in list(run.found.items()):
            proposals[slot] += found
    used = tuple(run.name for run in runs if not run.unusable)
    model = _model(used, settings)
    candidates = {}
    for clue in clues:
        on_progress(f"scoring the candidates of {clue.slot}")
        candidates[clue.slot] = combine(clue, proposals[clue.slot], settings.vocabulary, model)
    times = {run.name: run.seconds for run in runs}
    complete = not interrupted and all(run.ended and not run.failed for run in runs)
    return Gathered(candidates, tuple(notes), times, interrupted, model, used, complete)


def _wait_for(runs: Sequence[_SourceRun], deadline: Deadline, on_progress: OnProgress) -> None:
    while not deadline.passed and (waiting := [run for run in runs if not run.ended]):
        on_progress(f"waiting for {', '.join(run.name for run in waiting)}")
        time.sleep(_WATCH_SECONDS)


def default_sources(settings: SourceSettings) -> list[str]:
    """Return the names of the sources that run when the user names none.

    They include the clue database if the settings name one, and extras that are set up. A source
    that another running source replaces is left out.
    """
    named = {"clues-db"} if settings.clues_db else set()
    found = [
        name
        for name, entry in SOURCES.items()
        if entry.default and (not entry.extra or name in named or dictionary_path(name).exists())
    ]
    known = 0 if settings.clue_index is None else settings.clue_index.size
    return [
        name
        for name in found
        if SOURCES[name].replaced_by not in found or known < SOURCES[name].replaced_from
    ]


def _run_source(
    run: _SourceRun, clues: Sequence[Clue], settings: SourceSettings, stop: threading.Event
) -> None:
    started = time.perf_counter()
    try:
        source = open_source(run.name, settings)
    except Exception as error:  # a bug in one source must not lose the answer
        run.unusable = _error_text(error)
    else:
        for clue in clues:
            if stop.is_set():
                break
            try:
                found = tuple(source.candidates(clue, clue.length))
            except Exception as error:
                run.failed[clue.slot] = _error_text(error)
            else:
                fitting = (proposal for proposal in found if len(proposal.word) == clue.length)
                run.found[clue.slot] = tuple(fitting)
    finally:
        run.seconds = time.perf_counter() - started
        run.ended = True


def _error_text(error: Exception) -> str:
    text = " ".join(str(error).split())
    if isinstance(error, SatcrossError):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _notes(run: _SourceRun, clues: int) -> list[str]:
    name = f"source {run.name}"
    if run.unusable:
        return [f"{name}: left out: {run.unusable}"]
    notes = []
    if failed := dict(run.failed):
        first, reason = next(iter(failed.items()))
        where = f"at {first}" if len(failed) == 1 else f"at {len(failed)} clues (first {first})"
        notes.append(f"{name}: failed {where}: {reason}")
    if not run.ended:
        done = len(run.found) + len(failed)
        notes.append(
            f"{name}: timed out after {done} of {clues} clues; "
            "the other clues are answered without it"
        )
    return notes


def gather_cached(
    clues: Sequence[Clue],
    settings: SourceSettings,
    sources: Sequence[str] | None = None,
    *,
    deadline: Deadline = NEVER,
    on_progress: OnProgress = ignore_progress,
) -> Gathered:
    """Do the same as ``gather``, unless the cache has what the sources say."""
    place = cache_place(clues, settings, sources)
    found = None if place is None else _read(place, settings)
    if found is not None:
        return found
    is_damaged = place is not None and place.exists()
    found = gather(clues, settings, sources, deadline=deadline, on_progress=on_progress)
    if place is not None and found.complete:
        kept = found.candidates, found.notes, found.used
        keep_in_cache(place, zlib.compress(msgspec.msgpack.encode(kept), 1), MAX_FILES)
    return replace(found, notes=(*found.notes, DAMAGED)) if is_damaged else found


def cache_place(
    clues: Sequence[Clue], settings: SourceSettings, sources: Sequence[str] | None
) -> Path | None:
    """Return the file that caches what these sources propose for these clues; None for no cache."""
    names = default_sources(settings) if sources is None else sources
    folder = source_cache_folder(settings.cache)
    known = [SOURCES[name] for name in names if name in SOURCES]
    if folder is None or len(known) < len(names) or not all(entry.default for entry in known):
        return None
    digest = hashlib.blake2b(digest_size=12)
    for part in (sys.version, clues, sources, *_files(settings)):
        digest.update(repr(part).encode("utf-8", "backslashreplace"))
    for length in settings.vocabulary.lengths:
        group = settings.vocabulary.group(length)
        digest.update(f"{length} {group.runs} {group.text}".encode("utf-8", "backslashreplace"))
    return Path(folder) / (digest.hexdigest() + _SUFFIX)


def _files(settings: SourceSettings) -> list[bytes | str]:
    """Return the facts of all files that determine what sources propose."""
    files = [*sorted(PACKAGE.rglob("*.py")), *sorted(PACKAGE.glob("resources/*"))]
    files += [dictionary_path(name) for name in SOURCES]
    if settings.clues_db is not None:
        files.append(Path(settings.clues_db))
    if settings.clue_index is not None and settings.clue_index.path is not None:
        files.append(settings.clue_index.beside(ENCODER_FILE))
    found: list[bytes | str] = []
    for file in files:
        try:
            found.append(file_facts(file))
        except OSError:
            found.append("none")
    return found


def _model(used: Sequence[str], settings: SourceSettings) -> Model:
    model, index = load_model(used), settings.clue_index
    return model if index is None or CLUES_DATABASE not in used else with_learnt(model, index)


def _read(place: Path, settings: SourceSettings) -> Gathered | None:
    """Return the proposals cached in a file; None if there are none that can be used."""
    body = read_sealed(place, place.stem)
    if body is None:
        return None
    with suppress(OSError):
        os.utime(place)
    try:
        candidates, notes, used = msgspec.msgpack.decode(zlib.decompress(body), type=_Kept)
        return Gathered(candidates, notes, {}, model=_model(used, settings), used=used)
    except (msgspec.MsgspecError, zlib.error, SatcrossError):
        return None
