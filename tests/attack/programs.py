"""Commands that get signals, run on broken disks or are killed: nothing is lost or cut short."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from helpers import DATA, ROOT, as_child_of_tests, until

from attack.attack import Attack, Case
from attack.temporary import lasting_folder, processes_in
from satcross.backends.registry import backends_that
from satcross.compare.records import CRASHED, read_records
from satcross.formats.registry import FORMATS

END_SECONDS = 90
"""Seconds in which a program that got a signal must have ended."""

_LETTERS = "ABCDEFGH"
_SUITE_PUZZLES = 4
_RING = "_____\n_###_\n_###_\n_###_\n_____\n"

# Before Python has read our code its own ways of ending hold, such as a traceback.
_EARLY = (b"KeyboardInterrupt\n", b"(can't load unicodedata module)\n")


@dataclass(frozen=True, slots=True)
class Command:
    """Arguments; ``stable`` if the same call gives the same output and the same files."""

    arguments: str
    stable: bool = True


COMMANDS: Mapping[str, Command] = {
    **{
        f"solve{extension}": Command(
            f"solve g0.txt w.txt out{extension} --backend backtrack", stable=extension != ".json"
        )
        for extension in FORMATS
    },
    **{
        f"encode .{form}": Command(f"encode bad-structure.txt bad-words.txt -o out.{form}")
        for form in ("cnf", "wcnf.gz", "pb.txt")
    },
    "count": Command("count bad-structure.txt bad-words.txt --backend sat"),
    "several": Command("solve g0.txt w.txt out.png --count 3 --backend sat"),
    "best": Command("solve g0.txt w.txt out.xd --best --backend cpsat --workers 1"),
    "proof": Command("solve bad-structure.txt bad-words.txt --proof out.drat"),
    "explain": Command("explain bad-structure.txt bad-words.txt --png out.png"),
    "convert": Command("convert mini.ipuz out.puz"),
    "layout": Command("layout few.txt out.svg --seed 1", stable=False),
    "answer": Command(
        "answer mini.ipuz --clues-db old.tsv --words few.txt --sources clues-db,short-words "
        "--png out.png --quiet --method bp",
        stable=False,
    ),
    "compare": Command(
        "compare g0.txt --words w.txt --backend sat,backtrack -o out.jsonl", stable=False
    ),
    "bench": Command("bench suite.toml --backend sat,backtrack -o out.jsonl", stable=False),
    "hard solve": Command("solve hard.txt hard-words.txt out.png --time-limit 4", stable=False),
    "hard count": Command("count hard.txt hard-words.txt --time-limit 4", stable=False),
    "hard best": Command(
        "solve hard.txt hard-words.txt out.png --best --time-limit 4", stable=False
    ),
    "hard explain": Command("explain hard.txt hard-words.txt --time-limit 4", stable=False),
    "hard encode": Command("encode hard.txt hard-words.txt -o out.cnf"),
}

_SOON = [name for name in COMMANDS if not name.startswith("hard")]


@contextmanager
def working_folder() -> Iterator[Path]:
    """A folder with the inputs of all commands."""
    with tempfile.TemporaryDirectory(prefix="attack-") as name:
        folder = Path(name).resolve()
        for number in range(_SUITE_PUZZLES):
            (folder / f"g{number}.txt").write_text(_RING + "#####\n" * number)
        for kind in ("structure", "words"):
            source = DATA / "unfillable" / f"needs-search.{kind}.txt"
            shutil.copy(source, folder / f"bad-{kind}.txt")
        (folder / "few.txt").write_text("CAT\nCUB\nBED\nTOD\n")
        # Enough for the cache of word lists.
        words = [a + b + c + d + e for a in "STRPB" for b in "AEIOU" for c in "LNRSTDMPK"
                 for d in "AEIOU" for e in "SNRTDYLMKPBCFG"]  # fmt: skip
        (folder / "w.txt").write_text("".join(f"{w};{len(set(w)) * 10}\n" for w in words * 4))
        shutil.copy(sorted((DATA / "minis").rglob("*.ipuz"))[0], folder / "mini.ipuz")
        (folder / "old.tsv").write_text("xx\t1999\tCAMEL\tHumped beast\n" * 2000)
        (folder / "suite.toml").write_text(_suite(_SUITE_PUZZLES))
        (folder / "hard.txt").write_text("________\n" * 8 + "_#######\n")
        hard = [a + b + c + d + c + b + a + d for a in _LETTERS for b in _LETTERS
                for c in _LETTERS for d in _LETTERS]  # fmt: skip
        (folder / "hard-words.txt").write_text(
            "".join(f"{word};{len(set(word))}\n" for one in hard for word in (one, f"{one}A"))
        )
        yield folder


def _suite(size: int) -> str:
    entry = '[[puzzle]]\nname = "{0}"\nstructure = "g{0}.txt"\nwords = ["w.txt"]\n'
    puzzles = [entry.format(number) for number in range(size)]
    return 'suite = 1\ntitle = "small"\n' + "".join(puzzles)


INPUTS = {
    *(f"g{number}.txt" for number in range(_SUITE_PUZZLES)),
    *("bad-structure.txt", "bad-words.txt", "few.txt", "w.txt", "mini.ipuz", "old.tsv"),
    *("suite.toml", "hard.txt", "hard-words.txt", "cache"),
}


def _environment(folder: Path, **more: str) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "SATCROSS_CACHE": str(folder / "cache"),
        "SATCROSS_EDITS": "",
        # Else every first call would compile it in the background, for ten seconds.
        **more,
    }


def _start(folder: Path, arguments: Sequence[str], **more: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "satcross", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(folder, **more),
        # A shell that runs the attack in the background has it ignore SIGINT.
        preexec_fn=as_child_of_tests,
    )


def _end(folder: Path, process: subprocess.Popen[bytes], after: str) -> tuple[bytes, bytes]:
    """Wait for a process and return what it prints.

    On a busy machine it may take long, but the processes in its folder must not use more than
    END_SECONDS of processor time, nor none for END_SECONDS.
    """
    used, last = 0.0, time.monotonic()
    while True:
        try:
            return process.communicate(timeout=2)
        except subprocess.TimeoutExpired:
            now = _processor_seconds(folder)
            if now > used:
                used, last = now, time.monotonic()
            if used > END_SECONDS or time.monotonic() > last + END_SECONDS:
                process.kill()
                process.communicate()
                raise AssertionError(
                    f"still runs after {after}, having used {used:.0f} s of processor time"
                ) from None


def _processor_seconds(folder: Path) -> float:
    """Return the processor time of the processes in a folder and of their ended children."""
    ticks = 0
    for number in processes_in(folder):
        with suppress(OSError):
            fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _check_nobody_left(folder: Path) -> None:
    until(lambda: not processes_in(folder), "the end of all processes", 30)


@dataclass(frozen=True, slots=True)
class Reference:
    """What an undisturbed call prints and writes, and how long it takes."""

    code: int
    printed: bytes
    files: Mapping[str, bytes]
    seconds: float


@cache
def reference(name: str) -> Reference:
    with working_folder() as folder:
        started = time.monotonic()
        process = _start(folder, COMMANDS[name].arguments.split())
        printed, errors = _end(folder, process, "its start")
        assert process.returncode in (0, 20, 30), (name, process.returncode, errors)
        files = {
            path.name: path.read_bytes() for path in folder.iterdir() if path.name not in INPUTS
        }
        return Reference(process.returncode, printed, files, time.monotonic() - started)


def _check_files(folder: Path, name: str, before: Mapping[str, bytes]) -> None:
    """Every file is an input, or complete, or what it was before."""
    expected = reference(name)
    for path in sorted(folder.iterdir()):
        if path.name in INPUTS:
            continue
        assert path.name in {*expected.files, *before}, f"left behind: {path.name}"
        content = path.read_bytes()
        if content == before.get(path.name):
            continue
        if COMMANDS[name].stable:
            assert content == expected.files[path.name], f"half of {path.name}"
        elif path.suffix == ".png":
            assert content.endswith(b"IEND\xaeB`\x82"), f"half of {path.name}"
        elif path.suffix == ".json":
            json.loads(content)
        elif path.suffix == ".jsonl":
            list(read_records(str(path)))
        else:
            assert content, f"{path.name} is empty"


def _check_again(folder: Path, name: str) -> None:
    """With the same cache, the call now gives what it gives undisturbed."""
    if not COMMANDS[name].stable:
        return
    process = _start(folder, COMMANDS[name].arguments.split())
    printed, errors = _end(folder, process, "its start")
    expected = reference(name)
    assert (process.returncode, printed) == (expected.code, expected.printed), errors[-300:]


# Signals


def _random_end(random: Random) -> Case:
    return {
        "command": random.choice(list(COMMANDS)),
        "signal": random.choice(("SIGINT", "SIGTERM", "SIGKILL")),
        "at": random.random() * 1.1,
        "old": random.random() < 0.5,
    }


def _signals(case: Case) -> None:
    """Send a signal at a share of the time that the command takes."""
    name, number = case["command"], getattr(signal, case["signal"])
    with working_folder() as folder:
        before = _old_files(folder, name) if case["old"] else {}
        process = _start(folder, COMMANDS[name].arguments.split())
        time.sleep(case["at"] * reference(name).seconds)
        process.send_signal(number)
        _, errors = _end(folder, process, case["signal"])
        _check_nobody_left(folder)
        if number == signal.SIGKILL:
            for path in folder.glob(".satcross-*"):
                path.unlink()
        else:
            early = process.returncode == -number or errors.endswith(_EARLY)
            assert early or process.returncode in (0, 20, 30), (process.returncode, errors[-300:])
            assert early or b"Traceback" not in errors, errors[-300:]
        _check_files(folder, name, before)
        _check_again(folder, name)


def _old_files(folder: Path, name: str) -> dict[str, bytes]:
    """Files that are to be overwritten; records are added to, so that old ones are records."""
    files = {}
    for file, content in reference(name).files.items():
        files[file] = content if file.endswith(".jsonl") else b"old\n"
        (folder / file).write_bytes(files[file])
    return files


# Disks


def _random_disk(random: Random) -> Case:
    calls = random.choice(("write", "write", "write", "read"))
    return {
        "command": random.choice(_SOON),
        "calls": calls,
        "after": random.randrange(random.choice((8, 30, 120))),
        "error": "EIO" if calls == "read" else random.choice(("ENOSPC", "EIO", "EDQUOT", "EROFS")),
        "warm": random.random() < 0.5,
        "old": random.random() < 0.5,
    }


@cache
def _broken_disk() -> Path | None:
    """The library that makes calls fail; None without a C compiler."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        return None
    library = lasting_folder() / "broken_disk.so"
    source = Path(__file__).with_name("broken_disk.c")
    command = [compiler, "-O1", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return library


def _disk(case: Case) -> None:
    """From some call on, every write to (or read from) the folder fails."""
    name, library = case["command"], _broken_disk()
    if library is None:
        return
    expected = reference(name)
    with working_folder() as folder:
        if case["warm"]:
            _end(folder, _start(folder, COMMANDS[name].arguments.split()), "its start")
            for file in expected.files:
                (folder / file).unlink(missing_ok=True)
        before = _old_files(folder, name) if case["old"] else {}
        process = _start(
            folder,
            COMMANDS[name].arguments.split(),
            LD_PRELOAD=str(library),
            BROKEN_FOLDER=str(folder),
            BROKEN_CALLS=case["calls"],
            BROKEN_AFTER=str(case["after"]),
            BROKEN_ERRNO=str(getattr(errno, case["error"])),
        )
        printed, errors = _end(folder, process, "its start")
        _check_nobody_left(folder)
        assert process.returncode in (expected.code, 2), (process.returncode, errors[-300:])
        assert b"Traceback" not in errors, errors[-300:]
        if process.returncode == 2:
            last = errors.strip().rpartition(b"\n")[2]
            assert last.startswith(b"satcross: error: "), errors[-300:]
        elif COMMANDS[name].stable:
            assert printed == expected.printed, "it prints something else"
        _check_files(folder, name, before)
        _check_again(folder, name)


# Suites that are killed and resumed


def _random_kills(random: Random) -> Case:
    return {
        "kills": [random.random() * 4 for _ in range(random.randint(1, 4))],
        "workers": [random.random() < 0.3 for _ in range(4)],
        "jobs": random.choice((1, 2)),
        "puzzles": random.randint(1, _SUITE_PUZZLES),
        "seed": random.randrange(100),
    }


def _bench(case: Case) -> None:
    """Kill a suite, or one of its workers, again and again; then let it end."""
    random = Random(case["seed"])
    contenders = ",".join(name for name in backends_that("complete") if name != "auto")
    arguments = (
        f"bench suite.toml --backend {contenders} --jobs {case['jobs']} -o out.jsonl"
        " --time-limit 900"  # a busy machine must not make an answer unknown
    )
    puzzles = case.get("puzzles", _SUITE_PUZZLES)
    expected = puzzles * (contenders.count(",") + 1)
    with working_folder() as folder:
        (folder / "suite.toml").write_text(_suite(puzzles))
        file, kept = folder / "out.jsonl", b""
        for seconds, worker in zip(case["kills"], case["workers"], strict=False):
            process = _start(folder, [*arguments.split(), "--quiet"])
            time.sleep(seconds)
            others = [one for one in processes_in(folder) if one != process.pid]
            if worker and others:
                with suppress(ProcessLookupError):
                    os.kill(random.choice(others), signal.SIGKILL)
            else:
                process.kill()
            _end(folder, process, "a kill")
            _check_nobody_left(folder)
            now = file.read_bytes() if file.exists() else b""
            assert now.startswith(kept), "records that were written are lost"
            kept = now[: now.rfind(b"\n") + 1]
        process = _start(folder, [*arguments.split(), "--retry", "--quiet"])
        printed, errors = _end(folder, process, "its start")
        assert process.returncode == 0, (printed[-300:], errors[-300:])
        assert file.read_bytes().startswith(kept), "records that were written are lost"
        records = list(read_records(str(file)))
        done = [record.key for record in records if record.status != CRASHED]
        assert len(done) == len(set(done)) == expected, f"{len(done)} runs, not {expected}"
        statuses = {record.status for record in records}
        assert statuses <= {"filled", CRASHED}, statuses


ATTACKS: Mapping[str, Attack] = {
    "signals": Attack(_random_end, _signals),
    "disk": Attack(_random_disk, _disk, weight=1.5),
    "bench": Attack(_random_kills, _bench, weight=0.7),
}
