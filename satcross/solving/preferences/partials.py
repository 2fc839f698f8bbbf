"""Few words should be pieces of phrases, as I MAY and HAS TO are."""

from __future__ import annotations

from satcross.solving.preferences.preference import Listed

PREFERENCE = Listed("partials", 7, "partial", share=0.03, min_words=1, quiet=True)
