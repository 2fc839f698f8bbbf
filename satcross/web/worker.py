"""Worker process of the server: ``python -m satcross.web.worker``.

It reads orders and writes events (``satcross.web.protocol``). SIGINT makes it answer with the
results so far. When its input ends, it kills its children and itself, so that no process outlives a
killed server.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import tempfile
import threading
from contextlib import suppress

import msgspec

from satcross.errors import InputError, InternalError, UnavailableError
from satcross.support.letters import load_packed, spell
from satcross.web.answers import Answers
from satcross.web.protocol import Done, Event, Failed, Order, Ready, as_json


def run(answers: Answers, order: Order) -> Done | Failed:
    """Execute an order and return its last event."""
    try:
        return Done(as_json(answers.answer(order)))
    except (InputError, UnavailableError) as error:
        return Failed(str(error), wrong_input=True)
    except MemoryError:
        return Failed("the request exceeded the memory limit")
    except KeyboardInterrupt:
        return Failed("interrupted")
    except InternalError as error:
        return Failed(f"INTERNAL ERROR, please report it: {error}")
    except Exception as error:
        # The page shows one line; the terminal of the server shows the traceback.
        sys.excepthook(type(error), error, error.__traceback__)
        return Failed(f"INTERNAL ERROR, please report it: {type(error).__name__}: {error}")


def _limit_memory(size: int) -> None:
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def _read_orders(orders: queue.SimpleQueue[bytes]) -> None:
    # Not through sys.stdin, whose lock forked processes would inherit in the locked state.
    incomplete = b""
    while chunk := os.read(0, 1 << 16):
        *lines, incomplete = (incomplete + chunk).split(b"\n")
        for line in lines:
            orders.put(line)
    # The input is closed: the server has ended.
    if hasattr(os, "killpg") and os.getpgid(0) == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def main() -> None:
    """Answer orders until the input ends. Arguments: memory limit in bytes, temporary folder."""
    # Redirect the output of libraries, which would mix with the events.
    events = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    if hasattr(os, "nice"):
        os.nice(5)  # so that the server stays responsive
    _limit_memory(int(sys.argv[1]))
    tempfile.tempdir = sys.argv[2]

    def emit(event: Event) -> None:
        events.write(spell(msgspec.json.encode(event).decode()).encode() + b"\n")
        events.flush()

    orders: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read_orders, args=(orders,), daemon=True).start()
    decoder = msgspec.json.Decoder(Order)
    answers = Answers(emit)
    while True:
        try:
            line = orders.get()
            if not line.isascii():
                line = msgspec.json.encode(load_packed(line.decode()))
            order: Order = decoder.decode(line)
            emit(Ready())
            emit(run(answers, order))
        except KeyboardInterrupt:  # arrived after the end of the order
            continue


if __name__ == "__main__":
    main()
