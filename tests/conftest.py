"""Fixtures and helpers for all tests."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from attack.temporary import own_folder
from browser import VARIABLE as BROWSER_VARIABLE
from browser import Browser, Page, find_browser, open_browser
from commands import start_server
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import WorkStealingScheduling

from satcross.answer.dictionaries.store import VARIABLE as SOURCES
from satcross.formats.packed import default_list
from satcross.formats.words import parse_words
from satcross.support.cache import VARIABLE
from satcross.support.user_folder import EDITS_VARIABLE as EDITS
from satcross.vocabulary import Vocabulary

os.environ[VARIABLE] = ""  # tests and the processes they start must not use the user's cache
os.environ[EDITS] = ""  # nor the user's edits of words

# Two thousand processes would each compile the modules that it imports, which takes some 70 ms.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Nor the user's dictionaries (tests/answer/test_real_sources.py finds them by itself).
os.environ["SATCROSS_TEST_SOURCES"] = os.environ.get(SOURCES, "")
os.environ[SOURCES] = os.path.join(os.sep, "no", "dictionaries")  # noqa: PTH118

_SLOW = (
    "attack/",
    "backends/test_auto.py",
    "backends/test_cell_sweep.py",
    "backends/test_engine.py",
    "backends/test_progress.py::test_a_race",
    "backends/test_region.py",
    "backends/test_starting.py",
    "compare/test_bench.py",
    "cli/test_best.py::test_ctrl",
    "make/test_make_commands.py::test_ctrl",
    "cli/test_count.py::test_interrupted",
    "cli/test_solve.py::test_a_killed",
    "cli/test_solve.py::test_interrupting",
    "compare/test_changes.py",
    "compare/test_cluster",
    "compare/test_contenders.py",
    "compare/test_limits.py",
    "compare/test_programs.py",
    "compare/test_sweep.py::test_one_command",
    "conformance/test_conformance.py::test_a_real_15x15",
    "conformance/test_conformance.py::test_proves_unfillable",
    "cs50/test_cs50_grade.py",
    "cs50/test_cs50_programs.py",
    "docs/",
    "golden/",
    "web/test_crowd.py",
    "web/test_page",
)
"""Tests that are marked ``slow``: how the path below ``tests``, and the name, begin.

Browsers, programs that are killed or timed, whole graders, recorded command lines, examples of
the documentation, and compiled code take two thirds of the time of all tests.
"""


def pytest_configure(config: pytest.Config) -> None:
    """Start one server of commands for all processes of xdist."""
    if hasattr(os, "fork") and not hasattr(config, "workerinput"):
        start_server()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the slow tests."""
    for item in items:
        if item.nodeid.removeprefix("tests/").startswith(_SLOW):
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while tests are collected, nor look at modules and tests again later.

    That takes two seconds of each process, and each full collection of the tests a quarter. With
    Python's own threshold of 700 objects, collections take a thirtieth of the time of all tests.
    """
    gc.disable()
    gc.set_threshold(50_000, 10, 10)
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_xdist_auto_num_workers() -> int:
    """Return the number of processes of ``-n auto``: one more than processors.

    Tests of pages and of programs wait for other processes a fifth of their time.
    """
    return (os.cpu_count() or 1) + 1


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> WorkStealingScheduling:
    """Let a process that has no tests left take half of another's.

    xdist's default hands tests out by number alone: for the last minutes one process had all that
    were left, tests of pages that take seconds each.
    """
    return WorkStealingScheduling(config, log)


_MEMORY = Path("/dev/shm")
_ROOM = 2 << 30  # bytes


def _keep_temporary_files_in_memory() -> None:
    """Let tests, and the processes they start, write temporary files to memory where it has room.

    On a disk that other programs keep busy, writing the same small file anew takes 3.5 ms instead
    of 0.03; the tests of the grader took eight times as long. The processes of xdist inherit the
    folder, which is removed at the end; set TMPDIR to keep what tests have written.
    """
    if "TMPDIR" in os.environ or not os.access(_MEMORY, os.W_OK):
        return
    executable = not os.statvfs(_MEMORY).f_flag & os.ST_NOEXEC
    if executable and shutil.disk_usage(_MEMORY).free > _ROOM:
        folder = own_folder(_MEMORY, "satcross-tests-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)


_keep_temporary_files_in_memory()

settings.register_profile(
    "satcross",
    max_examples=40,  # tests/attack tries as many as there is time for
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "explore",  # pytest --hypothesis-profile explore tries other examples each time
    max_examples=1000,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("satcross")


@pytest.fixture(scope="session")
def default_vocabulary() -> Vocabulary:
    return parse_words([default_list()]).vocabulary


@pytest.fixture
def quickly_made_grids(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first pattern around few entries is kept, and CP-SAT works less on others' looks.

    Comparing many, as the command does, takes most of the time of tests for which any will do.
    """
    monkeypatch.setattr("satcross.make.pattern.fillable._LOOKED_AT", 1)
    monkeypatch.setattr("satcross.make.pattern.model._WORK", 0.2)
    monkeypatch.setattr("satcross.make.pattern.american._ANNEALED", 4)
    monkeypatch.setattr("satcross.make.puzzles.arrow_making._WORK", 0.0001)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium for all tests; without it they are skipped, and pytest's summary says so."""
    if find_browser() is None:
        pytest.skip(f"no browser: install Chromium, or name one in {BROWSER_VARIABLE}")
    with open_browser() as opened:
        yield opened


@pytest.fixture
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A new page of the browser, 1000 by 800 CSS pixels; with the parameter True, in a tab."""
    with Page(browser, tab=getattr(request, "param", False)) as opened:
        yield opened
