"""Run all sources on all clues, one thread per source; a failing source loses only its own part."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from satcross.answer.clue import Candidate, Clue, Proposal, SourceSettings
from satcross.answer.dictionaries.store import SETUP, dictionary_path
from satcross.answer.model import Model, combine, load_model
from satcross.answer.sources.registry import SOURCES, open_source, unknown_source_message
from satcross.errors import SatcrossError, UnavailableError
from satcross.run_settings import NEVER, Deadline

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
    missing: bool = False
    """Whether it is unusable only because nobody has set it up."""
    seconds: float = 0.0
    ended: bool = False


def gather(
    clues: Sequence[Clue],
    settings: SourceSettings,
    sources: Sequence[str] | None = None,
    *,
    deadline: Deadline = NEVER,
    on_progress: Callable[[str], None] = lambda line: None,
) -> Gathered:
    """Run the sources on the clues and combine their proposals.

    ``sources`` are names; None means ``default_sources``. A source that can't be opened, raises, or
    runs beyond the ``deadline`` gets a note; its earlier proposals count. On Ctrl-C the result
    holds the proposals so far. Raises UnavailableError for an unknown source.
    """
    names = default_sources(settings) if sources is None else sources
    for name in names:
        if name not in SOURCES:
            raise UnavailableError(unknown_source_message(name))
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
    model = load_model(used)
    candidates = {}
    for clue in clues:
        on_progress(f"scoring the candidates of {clue.slot}")
        candidates[clue.slot] = combine(clue, proposals[clue.slot], settings.vocabulary, model)
    times = {run.name: run.seconds for run in runs}
    complete = not interrupted and all(run.ended and not run.failed for run in runs)
    return Gathered(candidates, tuple(notes), times, interrupted, model, used, complete)


def _wait_for(
    runs: Sequence[_SourceRun], deadline: Deadline, on_progress: Callable[[str], None]
) -> None:
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
    return [name for name in found if SOURCES[name].replaced_by not in found]


def _run_source(
    run: _SourceRun, clues: Sequence[Clue], settings: SourceSettings, stop: threading.Event
) -> None:
    started = time.perf_counter()
    try:
        source = open_source(run.name, settings)
    except SatcrossError as error:
        run.unusable = str(error)
        run.missing = SETUP in run.unusable
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
    failed = dict(run.failed)
    if failed:
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
