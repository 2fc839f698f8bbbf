"""Records of runs, one line of versioned JSON for each, and how each counts (``RunOutcome``)."""

from __future__ import annotations

import json
import math
import os
import platform
import re
import shlex
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from pathlib import Path

from satcross.errors import InputError
from satcross.formats.files import unreadable
from satcross.formats.json import versions
from satcross.run_settings import INTERRUPTED, available_workers
from satcross.support.line_file import LineFile

_MIB = 2**20


@lru_cache(maxsize=1)
def machine() -> dict[str, str | int]:
    """Return usable processors, operating system, processor model, memory in MiB, and kernel."""
    found: dict[str, str | int] = {
        "cpus": available_workers(),
        "platform": f"{platform.system()} {platform.machine()}",
        "kernel": platform.release(),
    }
    if model := _processor():
        found["processor"] = model
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        found["memory"] = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // _MIB
    return found


def load() -> float | None:
    """Return the mean number of running processes in the last minute, or None if unknown."""
    try:
        return round(os.getloadavg()[0], 2)
    except (OSError, AttributeError):
        return None


@lru_cache(maxsize=16)
def commit_of(folder: Path = Path(__file__).parents[2]) -> str:
    """Return the short hash of the commit checked out in a folder, "+" if changed, or "".

    The folder is by default that of this satcross.
    """
    if not (folder / ".git").exists():
        return ""
    command = ["git", "-C", str(folder), "describe", "--always", "--abbrev=12", "--dirty=+"]
    done = run_briefly(command)
    return done.stdout.strip() if done is not None and done.returncode == 0 else ""


def run_briefly(command: str | Sequence[str]) -> subprocess.CompletedProcess[str] | None:
    """Run a program that says something about itself; None if it can't be run, or hangs."""
    try:
        parts = shlex.split(command) if isinstance(command, str) else command
        return subprocess.run(parts, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.processor()
    found = re.search(r"^model name\s*: *(.*)$", text, re.MULTILINE)
    return found[1].strip() if found else ""


RECORD_VERSION = 1
CPU = "cpu"
"""The measure of time that is used unless another is asked for."""
_START = b'{"record": '

FILLED, UNFILLABLE, UNKNOWN = "filled", "unfillable", "unknown"
CRASHED = "crashed"
"""The program ended without a readable answer."""
WRONG = "wrong"
"""The program returned a fill that breaks the rules of the puzzle, or a wrong proof."""
STATUSES = (FILLED, UNFILLABLE, UNKNOWN, CRASHED, WRONG)

NOT_AVAILABLE = "not available"
"""Reason of a run whose library is not installed on this machine."""
UNSUPPORTED = "not asked"
"""Reason of a run on a puzzle that has a rule which the contender does not support."""
NO_MODEL = "no model"
"""Reason of a run whose program claims a fill and does not show it."""
NO_PROOF = "no checked proof"
"""Reason of a run whose program says "unfillable" without the proof that was wanted."""


class RunOutcome(StrEnum):
    """How a run counts in scores, ranks, tests, curves, virtual best and labels.

    An answer has been verified (a fill) or, where proofs are wanted, certified; NOT_CERTIFIED is
    an answer that lacks its fill or its proof. NOT_ASKED leaves the puzzle out for the contender.
    FAILED is a crash, an unreadable answer or a wrong one. FAILED, NOT_CERTIFIED and
    OUT_OF_RESOURCES alike are unsolved until the limit.
    """

    ANSWERED = "answered"
    NOT_CERTIFIED = "not certified"
    NOT_ASKED = "not asked"
    FAILED = "failed"
    OUT_OF_RESOURCES = "out of resources"


_BY_REASON = {
    **dict.fromkeys((UNSUPPORTED, NOT_AVAILABLE, INTERRUPTED), RunOutcome.NOT_ASKED),
    **dict.fromkeys((NO_MODEL, NO_PROOF), RunOutcome.NOT_CERTIFIED),
}


@dataclass(frozen=True, slots=True)
class Record:
    """The record of one run of one contender on one puzzle.

    docs/comparing.md describes the fields. ``status`` is one of STATUSES, and ``reason`` a fixed
    phrase that says why there is no answer, "" with one. ``wall`` and ``cpu``, in seconds, and
    ``memory``, in MiB, are those of the whole run with all its processes; ``limits`` has the same
    keys and units, None for no limit. ``processors`` is None in older records.
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
    repeat: int = 0
    processors: int | None = None
    against: str = ""
    started: str = ""
    load: float | None = None
    solver_alone: bool = False
    call: str = ""
    program_version: str = ""
    size: Mapping[str, int] = field(default_factory=dict)
    certified: bool = False
    cores: tuple[int, ...] = ()
    goal: str = ""
    score: int | None = None
    bound: int | None = None
    claim: bool = False
    trace: tuple[tuple[float, int], ...] = ()

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"a record's status is one of {', '.join(STATUSES)}")

    @property
    def answered(self) -> bool:
        """Whether the run has an answer, so that it can contradict other runs."""
        return self.status in (FILLED, UNFILLABLE)

    @property
    def says(self) -> str:
        """The answer, believed or not: "unfillable" also without the proof that was wanted."""
        return UNFILLABLE if self.reason == NO_PROOF else self.status

    @property
    def is_claim(self) -> bool:
        """Whether the answer says what no fill shows: that none exists, or that none is better."""
        return self.status == UNFILLABLE or bool(self.goal and self.claim and self.answered)

    @property
    def outcome(self) -> RunOutcome:
        """How the run counts by itself; ``verdict.Evidence`` weighs it against other runs."""
        if self.answered and (not self.goal or self.claim or self.status == UNFILLABLE):
            return RunOutcome.ANSWERED
        if self.status in (CRASHED, WRONG):
            return RunOutcome.FAILED
        return _BY_REASON.get(self.reason, RunOutcome.OUT_OF_RESOURCES)

    @property
    def unavailable(self) -> bool:
        """Whether the contender could not run, as its library or program was missing."""
        return self.reason == NOT_AVAILABLE

    @property
    def puzzle_name(self) -> str:
        """The name of the puzzle in tables and messages."""
        return self.name or f"{self.structure} with {self.words}"

    @property
    def key(self) -> tuple[object, ...]:
        """A key that is equal for runs of one contender on one puzzle with equal settings."""
        return (self.puzzle, self.seed, self.repeat, *self.settings)

    @property
    def settings(self) -> tuple[object, ...]:
        """What identifies a contender and its settings, on any machine."""
        return (
            *(self.kind, self.backend, self.solver, self.encoding, self.command, self.program),
            *(self.against, self.solver_alone, self.workers, self.certified, self.goal),
            *sorted(self.limits.items()),
        )

    @property
    def host(self) -> str:
        """The kind of machine that the run used: times of different kinds are not comparable."""
        platform, processor, number = map(self.machine.get, ("platform", "processor", "cpus"))
        return ", ".join(map(str, filter(None, [processor, platform, f"{number} processors"])))

    @property
    def cpus(self) -> int:
        """The number of processors of the machine; 1 if it is not known."""
        number = self.machine.get("cpus")
        return number if isinstance(number, int) else 1

    @property
    def is_own(self) -> bool:
        """Whether this satcross itself has run, not another program or installation."""
        return self.kind == "backend" and not self.against

    @property
    def software(self) -> str:
        """The versions of satcross and of what it uses."""
        return ", ".join(f"{name} {version}" for name, version in sorted(self.versions.items()))

    @property
    def release(self) -> str:
        """The versions that set runs apart: of satcross and, if it is another, of the program."""
        own = self.is_own
        return self.software if own else f"{self.software}, {self.program_version}".strip(", ")

    def time(self, measure: str) -> float:
        """Return the seconds of the whole run by a measure, "cpu" or "wall"."""
        return self.cpu if measure == CPU else self.wall

    def limit(self, measure: str) -> float:
        """Return the limit on the measured time in seconds, infinity for no limit.

        Without a limit on CPU time, the limit is the time that the processors which the contender
        may use can give it within the limit on wall-clock time.
        """
        wall, cpu = (self.limits.get(name) for name in ("wall", "cpu"))
        wall = math.inf if wall is None else wall
        if measure != CPU:
            return wall
        return wall * (self.processors or self.workers) if cpu is None else cpu

    def to_line(self) -> str:
        """Return the record as one line of JSON, without the newline."""
        return json.dumps(self.to_data(), ensure_ascii=False)

    def to_data(self) -> dict[str, object]:
        """Return the record as JSON values, with the version of the format first."""
        return {"record": RECORD_VERSION, **asdict(self)}

    @classmethod
    def from_line(cls, line: str | bytes) -> Record:
        """Return the record of a line from ``to_line``; unknown fields are ignored.

        Raises ValueError for any other line, and for a value of a wrong type.
        """
        import msgspec

        try:
            data = msgspec.json.decode(line)
            if not isinstance(data, dict) or not isinstance(data.get("record"), int):
                raise ValueError("not a run record")
            if data["record"] > RECORD_VERSION:
                raise ValueError(
                    f"version {data['record']} of records; this satcross reads up to "
                    f"{RECORD_VERSION}"
                )
            return msgspec.convert(data, cls)
        except msgspec.MsgspecError as error:
            raise ValueError(str(error)) from None


class RecordFile(LineFile):
    """A file to which one process at a time appends records (see ``LineFile``).

    Raises InputError also when the file holds anything but records.
    """

    busy = (
        "another process is appending runs to this file",
        "wait until it ends, or choose another file",
    )

    def check_start(self) -> None:
        """Raise InputError unless the file is empty or begins with a record, complete or not."""
        if list(islice(read_records(self.path), 1)):
            return
        if not _START.startswith(self.read_start(len(_START))):
            raise InputError(
                "contains something other than run records", "choose another file", file=self.path
            )

    def add(self, record: Record) -> None:
        """Append a record and flush the file to disk."""
        self.append(record.to_line())


def read_records(
    path: str, on_cut: Callable[[int], object] = lambda number: None
) -> Iterator[Record]:
    """Yield the records of a file, but an incomplete last one. Raises InputError with the line.

    ``on_cut`` is called with the number of an incomplete last line.
    """
    try:
        with Path(path).open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    on_cut(number)
                    return
                try:
                    yield Record.from_line(line)
                except ValueError as error:
                    raise InputError(
                        f"not a run record ({error})",
                        "give a file that compare or bench wrote with -o, or take the line out",
                        file=path,
                        line=number,
                    ) from None
    except OSError as error:
        raise unreadable(path, error) from None
