"""What is written down of a run: one line of JSON each, with a version."""

from __future__ import annotations

import json
import math
import os
import platform
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from satcross.errors import InputError
from satcross.formats.json import versions

RECORD_VERSION = 1
_START = b'{"record": '
_BLOCK = 2**16

FILLED, UNFILLABLE, UNKNOWN = "filled", "unfillable", "unknown"
CRASHED = "crashed"
"""It ended without an answer that can be read."""
WRONG = "wrong"
"""It claims a fill which breaks the puzzle's rules."""
STATUSES = (FILLED, UNFILLABLE, UNKNOWN, CRASHED, WRONG)


def machine() -> dict[str, str | int]:
    """What kind of machine this is: processors that may be used, system, architecture."""
    from satcross.run_settings import available_workers

    return {"cpus": available_workers(), "platform": f"{platform.system()} {platform.machine()}"}


@dataclass(frozen=True, slots=True)
class Record:
    """One run of one contender on one puzzle.

    ``puzzle`` is its hash, ``structure`` and ``words`` what the files are called; ``contender``
    the name in tables, ``kind`` "backend", "external" or "student", ``command`` what was run of
    the latter two, ``program`` a hash of its files. ``limits`` are ``wall`` and ``cpu`` seconds
    and ``memory`` in MiB, or None.

    ``status`` is one of STATUSES. ``reason``, empty for an answer, says in a few fixed words why
    there is none ("time limit", "memory limit", "crash" ...), ``detail`` in free words what is
    known beyond that. ``verified`` says whether a claimed fill passed ``satcross.verify``, None
    without a claim; ``fill`` are its rows.

    ``seconds`` is wall-clock time a stage, as far as known; ``wall`` and ``cpu`` (seconds) and
    ``memory`` (MiB, peak) are those of the whole run with all its processes, as seen from outside.
    ``stats`` are the backend's further counters.

    ``name``, ``family`` and ``expected`` (a status, or None) are what a suite says of the puzzle.
    """

    puzzle: str
    structure: str
    words: str
    contender: str
    kind: str
    status: str
    reason: str = ""
    detail: str = ""
    verified: bool | None = None
    backend: str | None = None
    solver: str | None = None
    encoding: str | None = None
    command: str | None = None
    program: str | None = None
    seed: int = 0
    workers: int = 1
    limits: Mapping[str, float | None] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    wall: float = 0.0
    cpu: float = 0.0
    memory: float = 0.0
    variables: int | None = None
    clauses: int | None = None
    conflicts: int | None = None
    stats: Mapping[str, int | float | str] = field(default_factory=dict)
    fill: tuple[str, ...] | None = None
    versions: Mapping[str, str] = field(default_factory=versions)
    machine: Mapping[str, str | int] = field(default_factory=machine)
    name: str = ""
    family: str = ""
    expected: str | None = None

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"a record's status is one of {', '.join(STATUSES)}")

    @property
    def answered(self) -> bool:
        """Whether there is an answer to hold against others."""
        return self.status in (FILLED, UNFILLABLE)

    @property
    def place(self) -> str:
        """What to call the puzzle."""
        return self.name or f"{self.structure} with {self.words}"

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for two runs of the same contender on the same puzzle under the same terms."""
        return (
            self.puzzle,
            *(self.kind, self.backend, self.solver, self.encoding, self.command, self.program),
            *(self.seed, self.workers, *sorted(self.limits.items())),
        )

    def to_line(self) -> str:
        """One line of JSON, without the newline."""
        return json.dumps(self.to_data(), ensure_ascii=False)

    def to_data(self) -> dict[str, object]:
        """Plain values, the record's version first."""
        return {"record": RECORD_VERSION, **asdict(self)}

    @classmethod
    def from_line(cls, line: str) -> Record:
        """Read what ``to_line`` gives; raises ValueError when it is something else."""
        return cls.from_data(json.loads(line))

    @classmethod
    def from_data(cls, data: Any) -> Record:
        """The same from JSON that has been read. Fields of later versions are passed over."""
        if not isinstance(data, dict) or not isinstance(data.get("record"), int):
            raise ValueError("not a run record")
        if data["record"] > RECORD_VERSION:
            raise ValueError(
                f"a record of version {data['record']}; this satcross reads up to {RECORD_VERSION}"
            )
        known = {one.name for one in fields(cls)}
        values = {name: value for name, value in data.items() if name in known}
        for name, value in values.items():
            if not _IS_RIGHT[name](value):
                raise ValueError(f"its {name} is {json.dumps(value, ensure_ascii=False)[:60]}")
        if values.get("fill") is not None:
            values["fill"] = tuple(values["fill"])
        try:
            return cls(**values)
        except TypeError as error:
            raise ValueError(f"a record that lacks something ({error})") from None


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _or_none(is_right: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or is_right(value)


def _table_of(is_right: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, dict) and all(map(is_right, value.values()))


def _is_rows(value: object) -> bool:
    return isinstance(value, list | tuple) and all(map(_is_text, value))


_TEXTS = ("puzzle", "structure", "words", "contender", "kind", "status", "reason", "detail")
_PERHAPS_TEXTS = ("backend", "solver", "encoding", "command", "program", "expected")
_IS_RIGHT: dict[str, Callable[[object], bool]] = {
    **dict.fromkeys((*_TEXTS, "name", "family"), _is_text),
    **dict.fromkeys(_PERHAPS_TEXTS, _or_none(_is_text)),
    **dict.fromkeys(("seed", "workers"), _is_whole),
    **dict.fromkeys(("wall", "cpu", "memory"), _is_number),
    **dict.fromkeys(("variables", "clauses", "conflicts"), _or_none(_is_whole)),
    "verified": _or_none(lambda value: isinstance(value, bool)),
    "fill": _or_none(_is_rows),
    "limits": _table_of(_or_none(_is_number)),
    "seconds": _table_of(_is_number),
    "stats": _table_of(lambda value: _is_text(value) or isinstance(value, int | float)),
    "versions": _table_of(_is_text),
    "machine": _table_of(lambda value: _is_text(value) or _is_whole(value)),
}
"""What the values of the fields may be when they come from a file that somebody has edited."""


class RecordFile:
    """A file that records are added to, each in a single write, by one process at a time.

    A line that a kill or a full disk has cut short is taken away when the file is opened again.
    Raises InputError when the file holds something else, or can't be written, or when another
    process is adding to it: what that one is about to add would look like a line cut short.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        try:
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise self._unwritable(error) from None
        try:
            self._lock()
            _check_records(Path(path), path)
            self._cut_tail()
        except BaseException:
            os.close(self._handle)
            raise

    def _lock(self) -> None:
        import fcntl  # there is none on Windows, where nothing can be run

        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(
                "another process is adding runs to it",
                "wait for it, or choose another file",
                file=self._path,
            ) from None
        except OSError as error:
            raise self._unwritable(error) from None

    def _cut_tail(self) -> None:
        """Take away what follows the last newline, and never anything else."""
        end = size = os.fstat(self._handle).st_size
        while end:
            start = max(0, end - _BLOCK)
            newline = os.pread(self._handle, end - start, start).rfind(b"\n")
            if newline >= 0:
                end = start + newline + 1
                break
            end = start
        if end < size:
            os.ftruncate(self._handle, end)

    def add(self, record: Record) -> None:
        data = record.to_line().encode("utf-8") + b"\n"
        try:
            while data:
                data = data[os.write(self._handle, data) :]
            if stat.S_ISREG(os.fstat(self._handle).st_mode):
                os.fsync(self._handle)  # a power cut must not take runs of hours with it
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> InputError:
        return InputError(
            f"can't be written ({error.strerror})", "choose another place", file=self._path
        )

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)


def read_records(path: str) -> Iterator[Record]:
    """The records of a file, passing over a last line that was cut short.

    Raises InputError, which names the line, where there is something else.
    """
    try:
        with Path(path).open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    return
                try:
                    yield Record.from_line(line.decode("utf-8"))
                except ValueError as error:
                    raise InputError(
                        f"no run record ({error})",
                        "name a file that satcross compare or bench has written with --out",
                        file=path,
                        line=number,
                    ) from None
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror})", file=path) from None


def _check_records(path: Path, name: str) -> None:
    """Raise InputError unless the file is empty, or begins with a record or what is left of one."""
    for _ in read_records(name):
        return
    with path.open("rb") as file:
        start = file.read(len(_START))
    if start and not _START.startswith(start):
        raise InputError("holds something else than run records", "choose another file", file=name)
