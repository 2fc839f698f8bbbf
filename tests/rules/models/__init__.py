"""What the tests know of each rule: examples, a strategy, and its definition for brute force.

There is a module for each module of ``satcross/rules``, with the same name and a constant
``MODEL``. Tests of data forms, backends, explanations and marks loop over ``MODELS``.
"""

from __future__ import annotations

from importlib import import_module

from rules.model import RuleModel

from satcross.rules import RULES


def _model(module: str) -> RuleModel:
    model: RuleModel = import_module(f"{__name__}.{module}").MODEL
    return model


MODELS = tuple(_model(type(rule).__module__.rpartition(".")[2]) for rule in RULES)
TOGETHER = tuple(model for model in MODELS if model.together)
"""The rules about several words of a fill."""
ABOUT_SLOTS = tuple(model for model in MODELS if model.about_slots)
"""The rules about the words of single slots."""
