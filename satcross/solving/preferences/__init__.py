"""What editors expect of a fill beyond the rules: one module for each, and ``PREFERENCES``.

A module of this package that has a constant ``PREFERENCE`` is one. Only its name is listed
elsewhere, in ``satcross.run_settings.PREFERENCE_NAMES``: the search for good words, the summary of
a fill, JSON, ``--allow`` and ``check --quality`` loop over ``PREFERENCES``. A puzzle that can only
be filled against a preference is still filled, and the quality of the fill says so; a rule of
``satcross.rules`` is never broken.
"""

from __future__ import annotations

from satcross.solving.preferences.preference import Crossings, IsWord, Limit, Pairs, Preference
from satcross.support.lazy_exports import constants

__all__ = ["PREFERENCES", "Crossings", "IsWord", "Limit", "Pairs", "Preference"]

PREFERENCES: tuple[Preference, ...] = tuple(
    sorted(constants(__name__, "PREFERENCE"), key=lambda preference: preference.order)
)
"""Every preference: those about pairs of words first, since a similar pair is the worse fault."""
