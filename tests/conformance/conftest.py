"""Every backend goes through the tests of this folder."""

from __future__ import annotations

import pytest

from satcross.backends.registry import BACKENDS


@pytest.fixture(params=list(BACKENDS))
def backend(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name
