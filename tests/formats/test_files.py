"""Files of any size, and writing that is interrupted."""

from __future__ import annotations

import gzip
import os
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from satcross.errors import InputError
from satcross.formats import files
from satcross.formats.files import Data, decode_text, read_text, write_atomically
from satcross.formats.readers import read_structure


@pytest.mark.parametrize(("height", "width"), [(1, 100_000), (100_000, 1), (5000, 20), (256, 256)])
def test_a_structure_has_a_limit(tmp_path: Path, height: int, width: int) -> None:
    path = tmp_path / "s.txt"
    path.write_text(("_" * width + "\n") * height)
    with pytest.raises(InputError, match=f"{height:,} rows and {width:,} columns"):
        read_structure(str(path), letters=False)


def test_what_a_small_file_unpacks_to_has_a_limit(tmp_path: Path) -> None:
    bomb = gzip.compress(b"A\n" * 60_000, mtime=0)
    with pytest.raises(InputError, match="more than 100,000 bytes"):
        decode_text(Data("w.gz", bomb), 100_000)
    path = tmp_path / "w.txt.gz"
    path.write_bytes(gzip.compress(bytes(1_000_000)) * (files.MAX_TEXT_BYTES // 1_000_000 + 1))
    with pytest.raises(InputError, match="more than 200,000,000 bytes"):
        read_text(str(path))


@pytest.mark.parametrize(
    ("ending", "raised", "said"),
    [(GeneratorExit("over"), GeneratorExit, "over"), (OSError("full"), InputError, "full")],
)
def test_no_temporary_file_stays_whatever_ends_the_writing(
    tmp_path: Path, ending: BaseException, raised: type[BaseException], said: str
) -> None:
    def fail(beside: Path) -> None:
        beside.write_text("half")
        raise ending

    target = tmp_path / "out.txt"
    target.write_text("before")
    with pytest.raises(raised, match=said):
        write_atomically(str(target), fail)
    assert [file.name for file in tmp_path.iterdir()] == ["out.txt"]
    assert target.read_text() == "before"


def test_what_a_killed_program_left_is_swept_after_a_day(tmp_path: Path) -> None:
    old, young, others = (
        tmp_path / name for name in (".satcross-out-1.txt", ".satcross-out-2.txt", ".out-3.txt")
    )
    for file in (old, young, others):
        file.touch()
    for file in (old, others):
        os.utime(file, (time.time() - 90_000,) * 2)
    write_atomically(str(tmp_path / "out.txt"), lambda beside: beside.touch())
    left = {file.name for file in tmp_path.iterdir()}
    assert left == {young.name, others.name, "out.txt"}


def test_an_interrupt_at_any_line_leaves_no_temporary_file(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    for line in count():
        ahead = iter(range(line))

        def trace(frame: FrameType, event: str, found: object, ahead: Iterator[int] = ahead) -> Any:
            if frame.f_code is not write_atomically.__code__:
                return None
            if event == "line" and next(ahead, None) is None:
                raise KeyboardInterrupt
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            write_atomically(str(target), lambda beside: None)
            break
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(before)
        assert {file.name for file in tmp_path.iterdir()} <= {"out.txt"}
    assert line > 5
