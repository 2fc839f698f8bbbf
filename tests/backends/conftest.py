"""Fixtures for the tests of backends."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from helpers import compiled_kernel


@pytest.fixture(scope="module")
def kernel() -> Iterator[None]:
    """Load the kernel, compiled for these tests, and unload it afterwards."""
    with compiled_kernel():
        yield
