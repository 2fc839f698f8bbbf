"""What an attack is: how a case is drawn, run and made smaller.

A case is data that JSON can hold, so that it can be saved and run again.
"""

from __future__ import annotations

import faulthandler
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from types import FrameType
from typing import Any

from satcross import InputError

Case = dict[str, Any]

CASE_SECONDS = 240
"""Seconds after which a case that has not ended counts as a fault.

Where other programs take the processors, so that this one had less than half of one, it is given
the same time again, up to LENIENCY times."""
LENIENCY = 4

MAX_SMALLER = 300
"""Number of smaller cases tried."""


def without_a_part(case: Case, *names: str) -> Iterator[Case]:
    """Yield the case without one item of one of these dictionaries, lists and texts."""
    for name in names:
        parts = case.get(name, ())
        for index, part in enumerate(parts):
            if isinstance(parts, dict):
                left: Any = {key: value for key, value in parts.items() if key != part}
            else:
                left = parts[:index] + parts[index + 1 :]
            yield {**case, name: left}


@dataclass(frozen=True, slots=True)
class Attack:
    """``make`` draws a case, ``run`` raises an exception if the case shows a fault.

    ``smaller`` yields smaller cases, which may be ones that the program rightly refuses.
    ``weight`` is the share of the time that the attack gets.
    """

    make: Callable[[Random], Case]
    run: Callable[[Case], None]
    smaller: Callable[[Case], Iterator[Case]] = lambda case: iter(())
    weight: float = 1


class TooSlow(BaseException):
    """A case has not ended in time. No handler for exceptions in general catches it."""


def fault(attack: Attack, case: Case) -> str:
    """Return what is wrong in a case, its kind before the first colon; "" if nothing is."""
    try:
        with _time_limit():
            attack.run(case)
    except InputError:
        return ""  # a case made smaller may contradict itself
    except (Exception, TooSlow) as error:
        return f"{type(error).__name__}: {error}"
    return ""


@contextmanager
def _time_limit() -> Iterator[None]:
    started, again = _processor_seconds(), iter(range(LENIENCY))

    def stop(number: int, frame: FrameType | None) -> None:
        used = _processor_seconds() - started
        if used < CASE_SECONDS / 2 and next(again, None) is not None:
            signal.alarm(CASE_SECONDS)
            return
        raise TooSlow(f"not ended after {used:.0f} s of processor time")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(CASE_SECONDS)
    # A solver that never returns can't be interrupted; where it hangs is printed.
    faulthandler.dump_traceback_later((LENIENCY + 3) * CASE_SECONDS, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _processor_seconds() -> float:
    """Return the processor time of this process and of its ended children."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def shrink(attack: Attack, case: Case, message: str, tries: int = MAX_SMALLER) -> Case:
    """Return a smaller case with a fault of the same kind."""
    kind = message.partition(":")[0]
    tried = 0
    again = True
    while again and tried < tries:
        again = False
        for smaller in attack.smaller(case):
            tried += 1
            if fault(attack, smaller).partition(":")[0] == kind:
                case, again = smaller, True
                break
            if tried >= tries:
                break
    return case
