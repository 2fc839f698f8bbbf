"""A SAT solver for tests, made of PySAT, and several that misbehave: MODE CNF [PROOF]."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path


def main(mode: str, cnf: str, proof: str = "") -> None:
    if mode == "hang":
        time.sleep(1000)
    elif mode.startswith("gate"):
        wait_for_gate(Path(mode.removeprefix("gate").removeprefix(":")))
        solve(cnf)
    elif mode == "spin":
        while True:
            pass
    elif mode == "hog":
        grown: list[bytearray] = []
        while True:
            grown.append(bytearray(b"x") * 10_000_000)
    elif mode.endswith("-in-children"):
        # Each process alone stays below the limit of the test.
        for _ in range(4 if mode.startswith("hog") else 2):
            if os.fork() == 0:
                kept = bytearray(b"x") * (60 * 2**20) if mode.startswith("hog") else b""
                while mode.startswith("spin"):
                    pass
                time.sleep(1000)
                print(len(kept))
        time.sleep(1000)
    elif mode == "flood":
        while True:
            sys.stdout.write("c nothing but comments\n" * 10000)
    elif mode == "prove":
        solve(cnf, proof)
    elif mode in PROOFS:
        Path(proof).write_bytes(PROOFS[mode])
        print("s UNSATISFIABLE")
        sys.exit(20)
    elif mode == "wrong-model":
        variables = int(Path(cnf).read_text().split()[2])
        print("s SATISFIABLE")
        print("v", *range(1, variables + 1), 0)
        sys.exit(10)
    elif mode in PRINTED:
        text, code = PRINTED[mode]
        print(text)
        sys.exit(code)
    elif mode == "rubbish":
        sys.stdout.buffer.write(b"\xff\xfe I am no SAT solver\nv one two three\n")
    elif mode == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif mode == "orphan":
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(1000)
    else:
        solve(cnf)


def wait_for_gate(folder: Path) -> None:
    """Wait until the file ``gate`` exists; the file ``waiting`` shows that this process waits."""
    (folder / "waiting").touch()
    while not (folder / "gate").exists():
        time.sleep(0.02)


PRINTED: dict[str, tuple[str, int | str]] = {
    "lie": ("s UNSATISFIABLE", 20),
    "empty-model": ("s SATISFIABLE\nv 0", 10),
    "no-model": ("s SATISFIABLE", 10),
    "two-minds": ("s SATISFIABLE\nv 1 0", 20),
    "chatter": ("hello", 0),
    "unknown": ("c tried hard\ns UNKNOWN", 0),
    "fail": ("", "no licence found"),
}
PROOFS = {"prove-nothing": b"", "prove-by-decree": b"0\n", "prove-in-rubbish": b"a\x80\x01d\n"}


def solve(cnf: str, proof: str = "") -> None:
    from pysat.formula import CNF
    from pysat.solvers import Solver

    with Solver("g4", CNF(from_file=cnf), with_proof=bool(proof)) as solver:
        if not solver.solve():
            if proof:
                Path(proof).write_text("\n".join([*solver.get_proof(), "0", ""]))
            print("s UNSATISFIABLE", flush=True)
            sys.stdout.flush()
            os._exit(20)
        print("c found by PySAT\ns SATISFIABLE")
        model = [*solver.get_model(), 0]
        for start in range(0, len(model), 10):
            print("v", *model[start : start + 10])
        sys.stdout.flush()
        os._exit(10)


if __name__ == "__main__":
    main(*sys.argv[1:])
