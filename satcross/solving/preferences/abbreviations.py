"""Few words should be abbreviations, initials or acronyms, as DNA, DEPT and NASA are."""

from __future__ import annotations

from satcross.solving.preferences.preference import Listed

PREFERENCE = Listed("abbreviations", 5, "abbreviation", share=0.07, min_words=2)
