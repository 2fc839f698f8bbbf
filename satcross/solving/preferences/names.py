"""Few words should be names of people, places and brands, which one knows or does not."""

from __future__ import annotations

from satcross.solving.preferences.preference import Listed

PREFERENCE = Listed("names", 6, "name", share=0.1, min_words=3, quiet=True)
