"""A file of lines that loses none to a kill, a full disk or a second process."""

from __future__ import annotations

import os
import stat
from typing import Self

from satcross.errors import InputError

_BLOCK = 2**16


class LineFile:
    """A file to which one process at a time appends lines, each with a single write.

    Opening the file removes a last line that a kill or a full disk has left incomplete. Raises
    InputError when the file can't be written, or is open in another process, whose next line could
    look incomplete.
    """

    busy = "another process is appending to this file", "wait until it ends"
    """What is said when another process has the file open, and the remedy."""

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise self._unwritable(error) from None
        try:
            self._lock()
            self.check_start()
            self._remove_incomplete_line()
        except BaseException:
            os.close(self._handle)
            raise

    def _lock(self) -> None:
        import fcntl  # missing on Windows, where runs are not supported

        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(*self.busy, file=self.path) from None
        except OSError as error:
            raise self._unwritable(error) from None

    def check_start(self) -> None:
        """Raise InputError if the file is one of another kind."""

    def read_start(self, size: int) -> bytes:
        """Return the first bytes of the file, at most ``size``."""
        return os.pread(self._handle, size, 0)

    def _remove_incomplete_line(self) -> None:
        """Remove an incomplete last line: everything after the last newline."""
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

    def append(self, line: str) -> None:
        """Append a line, given without its end, and flush the file to disk."""
        data = line.encode("utf-8") + b"\n"
        try:
            while data:
                data = data[os.write(self._handle, data) :]
            if stat.S_ISREG(os.fstat(self._handle).st_mode):
                os.fsync(self._handle)  # a power failure must not lose hours of work
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> InputError:
        return InputError(
            f"can't be written ({error.strerror})", "choose another path", file=self.path
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)
