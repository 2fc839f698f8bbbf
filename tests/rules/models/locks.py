"""Locked words, which brute force takes as fixed (``all_fills``)."""

from __future__ import annotations

from typing import ClassVar

from rules.model import RuleModel


class Locks(RuleModel):
    examples: ClassVar = {"locks": {"1A": "CARE"}}


MODEL = Locks()
