"""All words differ, unless repeats are allowed. Brute force prunes by it (``all_fills``)."""

from __future__ import annotations

from typing import ClassVar

from rules.model import RuleModel


class Repeats(RuleModel):
    label = "no repeats"
    examples: ClassVar = {"allow_repeats": True}


MODEL = Repeats()
