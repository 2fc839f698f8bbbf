"""Every test of this folder that takes ``backend`` runs with each registered backend."""

from __future__ import annotations

import pytest

from satcross.backends.registry import BACKENDS


@pytest.fixture(params=list(BACKENDS))
def backend(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name
