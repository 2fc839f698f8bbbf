"""The setter's words, and words that are legal in one slot."""

from __future__ import annotations

from typing import ClassVar

from rules.model import RuleModel


class Exemptions(RuleModel):
    examples: ClassVar = {"own": ["BOLT"], "also": {"2A": "ZZZZ"}}


MODEL = Exemptions()
