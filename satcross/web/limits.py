"""Limits on requests to the server."""

from __future__ import annotations

from dataclasses import dataclass

MOST_ROWS = 25
"""Maximum number of rows and of columns of a grid."""

MOST_FILLS = 20
"""Maximum number of fills in one answer."""

MOST_CANDIDATES = 200
"""Maximum number of candidates in one answer."""

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes are in bytes, times in seconds.

    ``running`` jobs work at once and ``waiting`` more may wait; any other is turned away. ``kept``
    finished ones can still be asked for. ``looks`` is the same as ``waiting`` for the short
    questions that are answered at once, by ``worker_pool`` processes. ``lists`` uploaded word lists
    are held, of ``lists_size`` in all; the one longest unused goes first.
    """

    body: int = MIB // 2
    upload: int = 16 * MIB
    unpacked: int = 64 * MIB
    lists: int = 30
    lists_size: int = 256 * MIB
    running: int = 2
    waiting: int = 8
    kept: int = 50
    worker_pool: int = 2
    looks: int = 24
    look_seconds: float = 20.0
    job_seconds: float = 300.0
    stop_seconds: float = 1.0
    """Seconds in which a cancelled job may return its results so far."""
    listeners: int = 100
    """Maximum number of open event streams."""
    memory: int = 4096 * MIB
    """Maximum memory of each worker process."""
