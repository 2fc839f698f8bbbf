"""Locked words, which brute force takes as fixed (``all_fills``), and what is legal besides."""

from __future__ import annotations

from typing import ClassVar

from rules.model import RuleModel


class Locks(RuleModel):
    examples: ClassVar = {"locks": {"1A": "CARE"}}


class Exemptions(RuleModel):
    examples: ClassVar = {"own": ["BOLT"], "also": {"2A": "ZZZZ"}}
