"""The default list as spelt in one country: without the other's spellings, scored as if at home.

``american-spellings.txt`` and ``british-spellings.txt`` have the entries of the default list that
are spelt so in that country only. Most have a counterpart, which differs in one of ``SPELLINGS``
and takes the better score of both: the sources that score the default list are American. For the
same reason, phrases that no dictionary has score ``UNKNOWN`` at most in the British list.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from satcross.formats.files import Text
from satcross.formats.packed import Run, default_list, packed_runs, written
from satcross.formats.resources import read_resource
from satcross.formats.written import default_splits, written_by_sources

SPELLINGS = (
    ("ISE", "IZE"),
    ("ISI", "IZI"),
    ("ISA", "IZA"),
    ("YSE", "YZE"),
    ("YSI", "YZI"),
    ("OUR", "OR"),
    ("TRE", "TER"),
    ("ELL", "EL"),
    ("AE", "E"),
    ("OE", "E"),
    ("OGUE", "OG"),
    ("ENCE", "ENSE"),
)
"""What is spelt in two ways: the British first, then the American."""
UNKNOWN = 55
"""Publishable, but not known to everybody: 16 of 100 entries of 8 letters and more that scored 60
were American phrases or pieces of phrases."""
_OTHER = {
    "american": ("british", SPELLINGS),
    "british": ("american", tuple((american, british) for british, american in SPELLINGS)),
}
"""For each country the other one, and how to turn its spellings into those at home."""


def regional_list(country: str) -> Text:
    """Return the packed list for ``american`` or ``british``, which is also its name."""
    other, pairs = _OTHER[country]
    foreign = set(read_resource(f"{other}-spellings.txt").decode("ascii").split())
    runs = list(packed_runs(default_list()))
    places = {word: run for run in runs for word in run.words()}
    raised: dict[str, int] = {}
    for word in foreign & places.keys():
        score = places[word].score
        for spelling in _counterparts(word, pairs):
            if spelling in places and score > max(places[spelling].score, raised.get(spelling, 0)):
                raised[spelling] = score
    moved = foreign | raised.keys()
    phrases = set(default_splits().replace(" ", "").split()) if country == "british" else set()
    phrases -= written_by_sources().keys()
    words: defaultdict[tuple[int, int, str], list[str]] = defaultdict(list)
    for run in runs:
        own = [word for word in run.words() if word not in moved]
        lower = [word for word in own if word in phrases] if run.score > UNKNOWN else []
        if lower:
            words[run.length, UNKNOWN, run.tier] += lower
            own = [word for word in own if word not in phrases]
        if own:
            words[run.length, run.score, run.tier] += own
    for word, score in raised.items():
        words[len(word), score, places[word].tier].append(word)
    kept = (Run(*key, "".join(sorted(group))) for key, group in words.items())
    return Text(country, written(kept))


def _counterparts(word: str, pairs: tuple[tuple[str, str], ...]) -> Iterator[str]:
    """Yield the word with one spelling at one place replaced."""
    for foreign, home in pairs:
        for found in re.finditer(f"(?={foreign})", word):
            yield word[: found.start()] + home + word[found.start() + len(foreign) :]
