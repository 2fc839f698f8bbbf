"""Run the cases of ``cases.toml`` and extract from their output what scripts may rely on.

Frozen are exit codes, data on standard output, JSON (keys and values), the files that are written,
one line on standard error for a mistake and none under ``--quiet``. Not frozen: the wording of
messages, reports and help, times, versions, and counters of the solvers.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shlex
import struct
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from commands import run_command

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
EXPECTED = HERE / "expected.json"
COMMANDS = (
    *("solve", "count", "explain", "check", "convert", "answer", "sources", "sources ask"),
    *("sources setup", "grid", "layout", "puzzle arrowword", "puzzle codeword", "puzzle fill-in"),
    *("series", "words", "words diff", "words edit", "words fetch", "serve", "compare", "bench"),
    *("bench report", "encode", "grade"),
)

VOLATILE = frozenset(
    {
        *("seconds", "wall", "cpu", "memory", "par2", "median", "workers", "machine", "versions"),
        *("stats", "variables", "clauses", "conflicts", "lemmas", "resolution", "deletions"),
        *("prover", "tried", "features", "fill_without_it", "started", "load", "call", "spread"),
        *("program_version", "par10", "contribution"),
    }
)
"""Keys of JSON whose values vary from run to run or with the engine; an object keeps its keys."""

NAMES_VARY = frozenset({"stats", "features", "machine"})
"""Those of them whose keys vary, too."""

TEXTS = frozenset(
    {
        *("reason", "headline", "because", "needed", "text", "verdict", "problems", "detail"),
        *("message", "hint", "description", "summary", "missing", "notes", "stopped"),
    }
)
"""Keys of JSON whose values are sentences, to be reworded freely."""

MAX_LINES = 60
"""Longer texts are frozen by their hash."""


@dataclass(frozen=True, slots=True)
class Case:
    """Command lines run one after the other in one folder, and how their output is compared.

    ``kind``: ``exact``; ``masked`` (several fills are right, so letters are not compared);
    ``shape`` (of JSON only keys and types are compared, text is not); ``prose`` (text is not
    compared, JSON is).
    """

    kind: str
    line: str

    @property
    def commands(self) -> list[list[str]]:
        return [shlex.split(part) for part in self.line.split(" && ")]


def read_cases() -> tuple[list[Case], dict[str, str]]:
    """Return the cases, and the files in each folder by name."""
    data = tomllib.loads((HERE / "cases.toml").read_text("utf-8"))
    kinds = ("exact", "masked", "shape", "prose")
    return [Case(kind, line) for kind in kinds for line in data[kind]], data["files"]


def write_files(folder: Path, files: dict[str, str]) -> None:
    """Write the files of ``cases.toml``, and the small ones of ``data/``, into the folder."""
    for name, text in files.items():
        if name.endswith(".gz"):
            (folder / name).write_bytes(gzip.compress(text.encode()))
        else:
            (folder / name).write_text(text, encoding="utf-8", newline="")
    for name, data in _shared_files().items():
        (folder / name).write_bytes(data)


@cache
def _shared_files() -> dict[str, bytes]:
    texts = (*(ROOT / "data").glob("*.txt"), *(ROOT / "data" / "unfillable").glob("*.txt"))
    return {path.name: path.read_bytes() for path in (*texts, ROOT / "generate.py")}


def observe(case: Case, folder: Path, files: dict[str, str]) -> list[dict[str, Any]]:
    """Return the effects of each command line of the case, run in a folder of an empty folder."""
    inside = folder / "in"
    inside.mkdir()
    write_files(inside, files)
    return [_observe(case.kind, line, inside) for line in case.commands]


def _observe(kind: str, arguments: list[str], folder: Path) -> dict[str, Any]:
    before = set(folder.iterdir())
    files: dict[str, Path] = {}
    for sign in ("<", ">"):
        if sign in arguments:
            place = arguments.index(sign)
            files[sign] = folder / arguments[place + 1]
            arguments = arguments[:place] + arguments[place + 2 :]
    given = files["<"].read_bytes() if "<" in files else None
    done = run_command(arguments, folder, environment(), given)
    seen: dict[str, Any] = {"exit": done.returncode}
    if ">" in files:
        files[">"].write_bytes(done.stdout)
    else:
        seen["stdout"] = look_at(done.stdout.decode(), kind, folder)
    if done.returncode == 2 or "--quiet" in arguments:
        seen["stderr lines"] = len(done.stderr.decode().splitlines())
    new = sorted(path for path in folder.iterdir() if path not in before)
    if new:
        seen["files"] = {path.name: look_at_file(path, kind, folder) for path in new}
    return seen


def environment() -> dict[str, str]:
    """Return the environment of a user who has set up nothing, with the cache left alone."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("SATCROSS")},
        "SATCROSS_CACHE": "",
        "SATCROSS_EDITS": "",
        "SATCROSS_SOURCES": os.path.join(os.sep, "no", "dictionaries"),  # noqa: PTH118
        "PYTHONIOENCODING": "utf-8",
    }


def look_at(text: str, kind: str, folder: Path) -> Any:
    """Return the frozen part of a text: lines for a text, plain values for JSON."""
    text = text.replace(str(folder), "<folder>").replace(sys.executable, "<python>")
    if text.lstrip().startswith(("{", "[")):
        values = [json.loads(text)] if "\n{" not in text.strip() else read_lines(text)
        data = [normalise(value, kind) for value in values]
        if kind == "shape":
            data = [shape(value) for value in data]
        return {"json": data[0] if len(data) == 1 else data}
    if kind in ("prose", "shape"):
        return "text" if text else ""
    if kind == "masked":
        text = re.sub("[A-Z]", "?", text)
    lines = [hide_sentence(line) for line in text.splitlines()]
    if len(lines) <= MAX_LINES:
        return lines
    return {"lines": len(lines), "sha256": hashlib.sha256("\n".join(lines).encode()).hexdigest()}


def hide_sentence(line: str) -> str:
    """A comment of DIMACS: of a sentence only whole numbers count, names of variables all."""
    if line.startswith("c ") and not re.match(r"c (\d+|grid|slot) ", line):
        return " ".join(["c <text>", *re.findall(r"(?<![\w.])\d+(?![\w.]*\.\d|\w)", line)])
    return line


def read_lines(text: str) -> list[Any]:
    """Return the values of JSON lines, or of one value that begins with a line's first brace."""
    try:
        return [json.loads(line) for line in text.splitlines()]
    except json.JSONDecodeError:
        return [json.loads(text)]


def look_at_file(path: Path, kind: str, folder: Path) -> Any:
    """Return the frozen part of a file: the size of a picture, the kind of a page or PDF."""
    if path.is_dir():
        return "folder"
    data = path.read_bytes()
    match path.suffix:
        case ".png":
            return {"png": [*struct.unpack(">II", data[16:24])]}
        case ".pdf" | ".html" | ".svg" | ".drat":
            return {
                path.suffix[1:]: "".join(chr(item) for item in data[:4] if path.suffix == ".pdf")
            }
        case ".puz":
            return {"sha256": hashlib.sha256(data).hexdigest()} if kind == "exact" else "puz"
        case ".gz":
            data = gzip.decompress(data)
    return look_at(data.decode("utf-8"), kind, folder)


def normalise(value: Any, kind: str, key: str = "", parent: str = "") -> Any:
    """Return JSON values with those that may change replaced."""
    if key in VOLATILE and parent != "limits" and value is not None:
        keeps = isinstance(value, dict) and key not in NAMES_VARY
        return dict.fromkeys(value, "*") if keeps else "*"
    if key == "checks" and isinstance(value, int):  # in explain; grade has a list of this name
        return "*"
    if key in TEXTS and isinstance(value, str):
        return "<text>"
    if key in TEXTS and isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ["<text>"] * len(value) if key == "problems" else ["<texts>"]
    if isinstance(value, dict):
        return {name: normalise(item, kind, name, key) for name, item in value.items()}
    if isinstance(value, list):
        return [normalise(item, kind, key, parent) for item in value]
    if kind == "masked" and isinstance(value, str) and re.fullmatch("[A-Z#.]{2,}", value):
        return re.sub("[A-Z]", "?", value)
    return value


def shape(value: Any) -> Any:
    """Return keys and types only; a list becomes the different shapes of its members."""
    if isinstance(value, dict):
        if value and all(name.isupper() for name in value):  # by slot or word
            return {"*": shape([*value.values()])}
        return {name: shape(item) for name, item in value.items()}
    if isinstance(value, list):
        shapes: list[Any] = []
        for item in map(shape, value):
            if item not in shapes:
                shapes.append(item)
        return sorted(shapes, key=json.dumps)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number"
    return type(value).__name__


OPTION = re.compile(r"^  (?:(-\w)(?:, |$| ))?(--[\w-]+)?", re.MULTILINE)


def options_in_help(text: str) -> list[str]:
    """Return the options that a help text lists, in order."""
    return sorted({name for match in OPTION.finditer(text) for name in match.groups() if name})


def options_of(command: str, folder: Path) -> list[str]:
    """Return the options of a command."""
    done = run_command([*command.split(), "--help"], folder, environment())
    assert done.returncode == 0
    return options_in_help(done.stdout.decode())
