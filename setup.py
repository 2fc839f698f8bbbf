"""Build the extension modules of ``satcross.engine``; all else is in pyproject.toml.

Without a C compiler the installation succeeds, too, and searches run in Python.
"""

import platform
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

COLD = ("memory", "puzzle", "words")
"""Modules in which no search spends its time, so that a compiler need not either."""


def options(name: str) -> list[str]:
    """Return the options of the compiler for a module."""
    if sys.platform == "win32":
        return ["/O2", "/fp:precise"]
    # No fused multiplication and addition: the same seed gives the same fill on every processor.
    chosen = ["-O1" if name in COLD else "-O3", "-ffp-contract=off", "-g0"]
    if platform.machine() in ("x86_64", "AMD64"):
        chosen.append("-march=x86-64-v2")  # processors since 2009, which count bits at once
    return chosen


class BuildWhereThereIsACompiler(build_ext):
    """Builds extensions; one that can't be built is left out, also where no compiler is found."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or True  # as many at a time as there are processors

    def build_extension(self, ext: Extension) -> None:
        try:
            super().build_extension(ext)
        except OSError as error:  # setuptools expects its own error from an optional extension
            raise CompileError(str(error)) from error


extensions = cythonize(
    [
        Extension(
            f"satcross.engine.{source.stem}",
            [source.as_posix()],
            extra_compile_args=options(source.stem),
        )
        for source in sorted(Path("satcross/engine").glob("*.pyx"))
    ],
    compiler_directives={
        "auto_pickle": False,
        "binding": False,
        "boundscheck": False,
        "cdivision": True,
        "infer_types": True,
        "initializedcheck": False,
        "language_level": 3,
        "nonecheck": False,
        "wraparound": False,
    },
)
for extension in extensions:
    extension.optional = True  # cythonize() forgets it
setup(cmdclass={"build_ext": BuildWhereThereIsACompiler}, ext_modules=extensions)
