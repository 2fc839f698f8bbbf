"""Register the wrong backends in each Python that has this folder in its ``PYTHONPATH``."""

from satcross.backends.registry import BACKENDS

for name in ("Denier", "Liar", "Crasher", "Deaf"):
    BACKENDS[name.lower()] = f"wrong_backends:{name}"
