"""Asking sources about clues: each on a thread of its own, and what fails costs only itself."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from satcross.clues.clue import Candidate, Clue, Scored, SourceSettings
from satcross.clues.combine import combine
from satcross.clues.dictionaries.store import path_of
from satcross.clues.sources.registry import SOURCES, no_such_source, open_source
from satcross.errors import SatcrossError, UnavailableError

_WATCH_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Gathered:
    """The candidates of every clue by slot name, best first; what went wrong; seconds a source."""

    candidates: dict[str, list[Candidate]]
    notes: tuple[str, ...]
    seconds: dict[str, float]
    interrupted: bool = False


@dataclass(slots=True)
class _Asked:
    """What a source has said so far. Only its own thread writes it."""

    name: str
    found: dict[str, tuple[Scored, ...]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    unusable: str = ""
    seconds: float = 0.0
    ended: bool = False


def gather(
    clues: Sequence[Clue],
    settings: SourceSettings,
    sources: Sequence[str] | None = None,
    *,
    seconds: float | None = None,
    on_progress: Callable[[str], None] = lambda line: None,
) -> Gathered:
    """Ask the sources and combine what they say (None: those on by default, and the user's clues).

    A source that can't be used, raises or is not done after so many ``seconds`` gets a note; what
    it said before that counts, and so it does when the user interrupts. Raises UnavailableError
    for the name of a source that there is not.
    """
    names = asked_by_default(settings) if sources is None else sources
    for name in names:
        if name not in SOURCES:
            raise UnavailableError(no_such_source(name))
    asked = [_Asked(name) for name in dict.fromkeys(names)]
    stop = threading.Event()
    for one in asked:
        threading.Thread(
            target=_ask, args=(one, clues, settings, stop), name=one.name, daemon=True
        ).start()
    until = float("inf") if seconds is None else time.monotonic() + seconds
    interrupted = False
    try:
        while waiting := [one for one in asked if not one.ended]:
            if time.monotonic() > until:
                break
            on_progress(f"asking {', '.join(one.name for one in waiting)}")
            time.sleep(_WATCH_SECONDS)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        stop.set()
    notes = [note for one in asked for note in _notes(one, len(clues))]
    heard: defaultdict[str, list[Scored]] = defaultdict(list)
    for one in asked:
        for slot, found in list(one.found.items()):
            heard[slot] += found
    candidates = {}
    for clue in clues:
        on_progress(f"weighing what was found for {clue.slot}")
        candidates[clue.slot] = combine(clue, heard[clue.slot], settings.vocabulary)
    times = {one.name: one.seconds for one in asked}
    return Gathered(candidates, tuple(notes), times, interrupted)


def asked_by_default(settings: SourceSettings) -> list[str]:
    """The sources that are asked when the user names none.

    Among them are a clue database if there is one, and extras that have been set up.
    """
    given = {"clues-db"} if settings.clues_db else set()
    return [
        name
        for name, entry in SOURCES.items()
        if (entry.default and (not entry.extra or path_of(name).exists())) or name in given
    ]


def _ask(
    asked: _Asked, clues: Sequence[Clue], settings: SourceSettings, stop: threading.Event
) -> None:
    started = time.perf_counter()
    try:
        source = open_source(asked.name, settings)
    except SatcrossError as error:
        asked.unusable = str(error)
    except Exception as error:  # a source's fault must not cost the answer
        asked.unusable = _told(error)
    else:
        for clue in clues:
            if stop.is_set():
                break
            try:
                found = tuple(
                    one
                    for one in source.candidates(clue, clue.length)
                    if len(one.word) == clue.length
                )
            except Exception as error:
                asked.failed[clue.slot] = _told(error)
            else:
                asked.found[clue.slot] = found
    finally:
        asked.seconds = time.perf_counter() - started
        asked.ended = True


def _told(error: Exception) -> str:
    text = " ".join(str(error).split())
    if isinstance(error, SatcrossError):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _notes(asked: _Asked, clues: int) -> list[str]:
    name = f"source {asked.name}"
    if asked.unusable:
        return [f"{name}: left out: {asked.unusable}"]
    notes = []
    failed = dict(asked.failed)
    if failed:
        first, reason = next(iter(failed.items()))
        where = f"at {first}" if len(failed) == 1 else f"at {len(failed)} clues (first {first})"
        notes.append(f"{name}: failed {where}: {reason}")
    if not asked.ended:
        done = len(asked.found) + len(failed)
        notes.append(
            f"{name}: not done in time, with {done} of {clues} clues; "
            "the rest is answered without it"
        )
    return notes
