"""The searches in compiled code: extension modules, where the installation could build them.

Importing this package is cheap. Ask ``available`` before importing one of its modules; without
them, ``satcross.backends.search.search`` does the work in Python. The environment variable
``SATCROSS_ENGINE=off`` does without them, too.
"""

from __future__ import annotations

import os
from functools import cache

VARIABLE = "SATCROSS_ENGINE"


@cache
def available() -> bool:
    """Whether there is compiled code in this installation, and it is not switched off."""
    from importlib.util import find_spec

    return os.environ.get(VARIABLE, "") not in ("off", "0") and all(
        find_spec(f"{__name__}.{module}") is not None for module in ("memory", "puzzle", "search")
    )
