"""What the tests know of each rule: examples, a strategy, and its definition for brute force.

Each rule has a model, a class of the same name in a module of this folder. Tests of data forms,
backends, explanations and marks loop over ``MODELS``.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from rules.model import RuleModel

from satcross.rules import RULES

for _file in Path(__file__).parent.glob("[!_]*.py"):
    import_module(f"{__name__}.{_file.stem}")
_KINDS = {kind.__name__: kind for kind in RuleModel.__subclasses__()}
MODELS = tuple(_KINDS[type(rule).__name__]() for rule in RULES)
TOGETHER = tuple(model for model in MODELS if model.together)
"""The rules about several words of a fill."""
ABOUT_SLOTS = tuple(model for model in MODELS if model.about_slots)
"""The rules about the words of single slots."""
