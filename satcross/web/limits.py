"""Limits on requests to the server."""

from __future__ import annotations

from dataclasses import dataclass

from satcross.errors import SatcrossError

MAX_ROWS = 25
"""Maximum number of rows and of columns of a grid."""

MAX_FILLS = 20
"""Maximum number of fills in one answer."""

MAX_CANDIDATES = 200
"""Maximum number of candidates in one answer."""

MAX_FACTS = 40
"""Maximum number of old clues, and of definitions of each dictionary, in one answer."""

MIB = 1 << 20


class BusyError(SatcrossError):
    """The queue is full."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a server; sizes are in bytes, times in seconds.

    At most ``running`` jobs run and ``waiting`` jobs wait; further jobs are rejected. The states
    and results of the last ``finished`` jobs that have ended stay available. ``worker_pool``
    processes answer short requests; at most ``requests`` of these are accepted at a time. The
    server stores at most ``lists`` word lists of together ``lists_size``, and removes the least
    recently used one first.
    """

    body: int = MIB // 2
    upload: int = 16 * MIB
    unpacked: int = 64 * MIB
    lists: int = 30
    lists_size: int = 256 * MIB
    running: int = 2
    waiting: int = 8
    finished: int = 50
    worker_pool: int = 2
    requests: int = 24
    request_seconds: float = 20.0
    job_seconds: float = 300.0
    stop_seconds: float = 5.0
    """Seconds in which a cancelled job may return its results so far; cancelled again, it is killed
    at once."""
    listeners: int = 100
    """Maximum number of open event streams."""
    memory: int = 4096 * MIB
    """Maximum memory of each worker process."""
