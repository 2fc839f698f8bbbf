"""The machine code of the search kernel: compiled once by numba, then loaded without it.

Compiling takes about ten seconds; importing numba and loading from numba's own cache takes half a
second. Therefore the compiled object is kept in the user's cache directory, from which llvmlite
links it in about 40 ms. A separate process compiles it in the background. Until that is done, and
if numba or a cache directory is missing, all searches run in pure Python.

The environment variable ``SATCROSS_KERNEL=off`` turns the kernel off.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from satcross.support.cache import cache_folder, read_sealed, seal

# Modules for loading and compiling are imported there, because most puzzles need neither.

VARIABLE = "SATCROSS_KERNEL"

_SOURCES = tuple(
    Path(__file__).with_name(f"{name}kernel.py")
    for name in ("", "region_", "letter_", "layout_", "marginals_")
)
_PATIENCE = 300.0
"""Seconds after which a compilation that has not ended is considered dead."""

Run = Callable[[int, int], int]
"""(address of the table of arrays, a number) -> a number.

For a search, these are the maximum amount of work and why it returned."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """The compiled functions."""

    advance: Run
    """``kernel.advance``, for ``KernelSearch``."""
    sweep: Run
    """``kernel.sweep``, for ``CellSweep``."""
    refill: Run
    """``region_kernel.refill``, for ``RegionSearch``."""
    learn_letters: Run
    """``letter_kernel.search``, for ``sat.letter_search.LetterSearch``."""
    improve_layout: Run
    """``layout_kernel.improve``, for ``construct.layout.compiled_search``."""
    sums: Run
    """``marginals_kernel.sums``, for ``network.belief_propagation``."""


_MOST_FILES = 4
MIN_LOOK_INTERVAL = 1.0
"""Minimum seconds between two attempts of ``load`` to find the compiled file."""

_kernel: Kernel | None = None
_looked = float("-inf")
_keep: list[object] = []  # owners of the machine code's memory


def loaded() -> Kernel | None:
    """The kernel, if this process has loaded it."""
    return _kernel


def exists() -> bool:
    """Whether ``load`` would find a kernel that was compiled before."""
    if _kernel is not None:
        return True
    path = _place() if _wanted() else None
    return path is not None and path.exists()


def load() -> Kernel | None:
    """Load the kernel; if it was never compiled, start compiling in the background, return None.

    Repeated calls are cheap: the file is looked for at most once a second.
    """
    global _kernel, _looked
    if _kernel is None and _wanted() and time.monotonic() - _looked > MIN_LOOK_INTERVAL:
        _looked = time.monotonic()
        path = _place()
        if path is not None:
            _kernel = _link(path)
            if _kernel is None:
                _compile_in_background(path)
    return _kernel


def compile_now() -> Kernel | None:
    """Load the kernel, compiling it now if necessary; None if that is impossible."""
    global _kernel
    if _kernel is None and _wanted():
        path = _place()
        if path is not None:
            _kernel = _link(path)
            if _kernel is None:
                _compile(path)
                _kernel = _link(path)
    return _kernel


def forget() -> None:
    """Forget that the kernel was loaded; for tests."""
    global _kernel, _looked
    _kernel, _looked = None, float("-inf")
    _place.cache_clear()


@cache
def _wanted() -> bool:
    from importlib.util import find_spec

    return os.environ.get(VARIABLE, "") not in ("off", "0") and find_spec("llvmlite") is not None


@cache
def _place() -> Path | None:
    """The file of the compiled kernel; None if there is no cache directory."""
    folder = cache_folder()
    try:
        return None if folder is None else folder / f"kernel-{key()}.o"
    except OSError:  # the source can't be read
        return None


def key() -> str:
    """A hash of all that the machine code depends on: its source, the processor, llvmlite."""
    import hashlib
    import platform

    import llvmlite
    import llvmlite.binding as llvm

    machine = (platform.machine(), sys.platform, llvm.get_host_cpu_name(), llvmlite.__version__)
    own = tuple(path.read_bytes() for path in (*_SOURCES, Path(__file__)))
    return hashlib.blake2b(repr((machine, own)).encode(), digest_size=12).hexdigest()


def _link(path: Path) -> Kernel | None:
    """Return the functions of a compiled object; None if it is missing, damaged or another one."""
    body = read_sealed(path, path.stem)
    if body is None:
        return None
    import json

    import llvmlite.binding as llvm

    header, _, code = body.partition(b"\n")
    names = json.loads(header)
    with suppress(RuntimeError):  # newer versions need none of it, and say so
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
    import ctypes

    # Functions of numba's error paths, none of which can be reached.
    abort = ctypes.cast(ctypes.pythonapi.Py_FatalError, ctypes.c_void_p).value
    for name in names["unreachable"]:
        if llvm.address_of_symbol(name) is None:
            llvm.add_symbol(name, abort)
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _keep.append(engine)
    return Kernel(*(_callable(engine.get_function_address(name)) for name in names["functions"]))


def _callable(address: int) -> Run:
    import ctypes

    # Numba's calling convention: where the result goes, where an exception would, the arguments.
    kind = ctypes.CFUNCTYPE(
        ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64
    )
    function = kind(address)

    def run(table: int, amount: int) -> int:
        result, exception = ctypes.c_int64(), ctypes.c_void_p()
        function(ctypes.byref(result), ctypes.byref(exception), table, amount)
        return result.value

    return run


def _compile(path: Path) -> None:
    import json

    import llvmlite.binding as llvm
    from numba import njit, types

    from satcross.engine import (
        kernel,
        layout_kernel,
        letter_kernel,
        marginals_kernel,
        region_kernel,
    )

    module, functions = llvm.parse_assembly(""), []
    for function in (
        kernel.advance,
        kernel.sweep,
        region_kernel.refill,
        letter_kernel.search,
        layout_kernel.improve,
        marginals_kernel.sums,
    ):
        compiled = njit(
            types.int64(types.CPointer(types.uint64), types.int64), error_model="numpy"
        )(function)
        (signature,) = compiled.signatures
        module.link_in(llvm.parse_assembly(compiled.inspect_llvm(signature)))
        functions.append(compiled.overloads[signature].fndesc.llvm_func_name)
    unreachable = [
        function.name
        for function in module.functions
        if function.is_declaration and not function.name.startswith("llvm.")
    ]
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        reloc="pic",
        codemodel="jitdefault",
    )
    header = json.dumps({"functions": functions, "unreachable": unreachable}).encode()
    body = header + b"\n" + machine.emit_object(module)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}")
    beside.write_bytes(seal(path.stem, body))
    beside.replace(path)
    kept = sorted(path.parent.glob("kernel-*.o"), key=lambda file: file.stat().st_mtime)
    for old in kept[:-_MOST_FILES]:
        old.unlink(missing_ok=True)


def _compile_in_background(path: Path) -> None:
    """Start a process that compiles, unless one is compiling already."""
    import subprocess
    from importlib.util import find_spec

    if find_spec("numba") is None or not sys.executable:
        return
    lock = path.with_suffix(".lock")
    with suppress(OSError):
        if lock.exists() and time.time() - lock.stat().st_mtime > _PATIENCE:
            lock.unlink()
        lock.parent.mkdir(parents=True, exist_ok=True)
        lock.touch(exist_ok=False)
        subprocess.Popen(
            [sys.executable, "-m", __name__, str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


if __name__ == "__main__":
    with suppress(AttributeError, OSError):
        os.nice(10)
    target = Path(sys.argv[1])
    try:
        _compile(target)
    finally:
        target.with_suffix(".lock").unlink(missing_ok=True)
