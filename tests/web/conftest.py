"""A server in this process for tests of the API, and separate ones for browsers and signals."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from browser import Browser
from helpers import PATIENCE, as_child_of_tests
from starlette.testclient import TestClient
from web.bench import Bench

from satcross.web.app import make_app
from satcross.web.limits import Limits

LIMITS = replace(Limits(), worker_pool=1, job_seconds=60.0)

Served = tuple[subprocess.Popen[str], str]


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(make_app(LIMITS), base_url="http://localhost") as made:
        yield made


@pytest.fixture
def client_with() -> Callable[..., TestClient]:
    """Return a function that makes a client of a server with other limits, for a ``with``."""

    def make(**limits: float) -> TestClient:
        app = make_app(replace(LIMITS, **limits))  # type: ignore[arg-type]
        return TestClient(app, base_url="http://localhost")

    return make


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[Served]:
    """Run ``satcross serve`` on a free port; yield its process and its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "satcross", "serve", "--port", "0", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=as_child_of_tests,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("satcross is at http://127.0.0.1:")
        yield process, line.split()[3]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=PATIENCE)
        process.communicate()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server for a browser."""
    with serving(tmp_path_factory.mktemp("served")) as (_, found):
        yield found


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Bench]:
    with Bench(browser).begin(address) as begun:
        yield begun
