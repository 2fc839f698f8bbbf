"""Backends as contenders: of this satcross, or of another installation."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from satcross.backends.registry import DEFAULT_SOLVER, ENCODINGS, PARALLEL, plugged_in_files
from satcross.compare import contenders
from satcross.compare.certify import certified_backend
from satcross.compare.records import UNFILLABLE, UNKNOWN, commit_of, run_briefly
from satcross.errors import InputError
from satcross.puzzle import Puzzle
from satcross.run_settings import TIME_LIMIT

_VERSION_FILES = "satcross/**/*version*.py"
_VERSION = re.compile(r'__version__ = "([^"]+)"')


@dataclass(frozen=True, slots=True)
class Installation:
    """Another installation of satcross, run for comparison.

    ``path`` is a folder that holds the packages ``satcross`` and ``encoders`` (a checkout), or a
    Python interpreter in whose environment they are installed. ``name`` is "" for the name of the
    folder. Raises InputError if there is no satcross.
    """

    path: str
    name: str = ""
    worker: str = field(init=False)
    program: str = field(init=False)
    """Hash of the Python files of the two packages."""

    def __post_init__(self) -> None:
        path = Path(self.path)
        home = path if path.is_dir() else _home_of(path)
        worker = home / "satcross" / "compare" / contenders.WORKER.name
        if not worker.is_file():
            raise InputError(
                "there is no satcross with a comparison here",
                "give the folder of a checkout, or the Python of its environment",
                file=self.path,
            )
        files = [path for name in ("satcross", "encoders") for path in (home / name).rglob("*.py")]
        object.__setattr__(self, "worker", str(worker.resolve()))
        object.__setattr__(self, "program", contenders.hash_files(sorted(files), home))
        object.__setattr__(self, "name", self.name or home.resolve().name)

    @property
    def version(self) -> str:
        """The version of the installation, with the commit if it is a checkout."""
        home = Path(self.worker).parents[2]
        texts = (path.read_text(encoding="utf-8") for path in sorted(home.glob(_VERSION_FILES)))
        found = next(filter(None, map(_VERSION.search, texts)), None)
        return " ".join(filter(None, [found[1] if found else "", commit_of(home)]))

    @property
    def call(self) -> tuple[list[str], dict[str, str]]:
        """The command that runs the installation's worker with its packages, and environment."""
        interpreter = sys.executable if Path(self.path).is_dir() else self.path
        home = str(Path(self.worker).parents[2])
        return [interpreter, "-P", self.worker], {**os.environ, "PYTHONPATH": home}


def _home_of(python: Path) -> Path:
    """Return the folder from which a Python interpreter imports satcross."""
    code = "import satcross, pathlib; print(pathlib.Path(satcross.__file__).resolve().parents[1])"
    # Isolated: the packages of this environment must not be found.
    done = run_briefly([str(python), "-I", "-c", code])
    if done is None:
        raise InputError(
            "is neither a folder nor a Python interpreter",
            "give the folder of another satcross, or the Python of its environment",
            file=str(python),
        )
    if done.returncode:
        raise InputError("this Python has no satcross", "install satcross in it", file=str(python))
    return Path(done.stdout.strip())


@dataclass(frozen=True, slots=True)
class BackendContender:
    """A backend of satcross, with the options ``solver`` and ``encoding`` of the backend sat.

    ``narrowing`` is the option of the backend backtrack. ``installation`` is another satcross whose
    backend is run; None stands for this one.
    """

    kind: ClassVar[str] = "backend"
    backend: str
    solver: str | None = None
    encoding: str | None = None
    narrowing: str | None = None
    installation: Installation | None = None

    @property
    def name(self) -> str:
        name = "/".join(filter(None, [self.backend, self.solver, self.encoding, self.narrowing]))
        return name if self.installation is None else f"{name}@{self.installation.name}"

    @property
    def description(self) -> contenders.Description:
        how: dict[str, str] = {}
        if self.backend == "sat":
            how = {"solver": DEFAULT_SOLVER, "encoding": ENCODINGS[0]} | self.options
        other = self.installation
        if other is None:
            if files := plugged_in_files(self.backend):
                how["program"] = contenders.hash_files(files)
            return contenders.Description(self.backend, **how, version=commit_of())
        where = {"program": other.program, "against": other.name, "version": other.version}
        return contenders.Description(self.backend, **how, **where)

    @property
    def options(self) -> dict[str, str]:
        """The options of the backend that are set."""
        names = ("solver", "encoding", "narrowing")
        return {name: value for name in names if (value := getattr(self, name))}

    def processors(self, workers: int) -> int:
        return workers if self.backend in PARALLEL else 1

    def attempt(
        self, puzzle: Puzzle, run_directory: contenders.RunDirectory
    ) -> contenders.RunAnswer:
        request = {
            "backend": self.backend,
            "options": self.options,
            "seed": run_directory.run.seed,
            "workers": run_directory.run.workers,
            "time_limit": run_directory.limits.wall,
            "goal": run_directory.run.goal,
        }
        how = () if self.installation is None else self.installation.call
        ended, data, failure = contenders.run_worker("solve", puzzle, request, run_directory, *how)
        if failure is not None:
            return failure
        reason, detail = "", data["reason"]
        if data["status"] == UNKNOWN:
            reason = TIME_LIMIT if TIME_LIMIT in detail else detail
            detail = "" if detail == reason else detail
        answer = contenders.RunAnswer(
            *(data["status"], ended, reason, detail, data["fill"], data["seconds"], data["stats"]),
            claim=bool(data.get("claim")),
            bound=data.get("bound"),
            trace=tuple(map(tuple, data.get("trace", ()))),
        )
        if run_directory.run.certify and answer.status == UNFILLABLE:
            return certified_backend(answer, puzzle, self.solver, run_directory)
        return answer
