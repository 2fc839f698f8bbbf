"""Cut texts into the tokens of a language model, by merging pairs (Sennrich et al., 2016)."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

BLANK = "\u2581"
"""What a token has for a blank."""


def ascii_text(text: str) -> str:
    """Return a text in ASCII; accents and other signs are left out, quotation marks kept."""
    for curly, straight in (("\u2018", "'"), ("\u2019", "'"), ("\u201c", '"'), ("\u201d", '"')):
        text = text.replace(curly, straight)
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def cut(text: str, known: Mapping[str, int], scores: Mapping[int, float]) -> list[int]:
    """Return the tokens of an ASCII text.

    Of all pairs of neighbours that are together a token, the one with the highest score is merged,
    until there is none. Signs that are no token are left out.
    """
    parts = list(text.replace(" ", BLANK))
    while True:
        pairs = [
            (scores[known[pair]], -place)
            for place in range(len(parts) - 1)
            if (pair := parts[place] + parts[place + 1]) in known
        ]
        if not pairs:
            return [known[part] for part in parts if part in known]
        place = -max(pairs)[1]
        parts[place : place + 2] = [parts[place] + parts[place + 1]]
