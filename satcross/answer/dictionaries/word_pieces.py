"""WordPiece: cut texts into the pieces of a fixed vocabulary (Devlin et al., "BERT", 2018)."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterator

_LONGEST_WORD = 60
_MAX_PIECES = 48  # of a text; later ones are left out


def word_pieces(text: str, known: Container[str]) -> list[str]:
    """Return the pieces of a text; words that can't be composed of known pieces are left out.

    A piece that continues a word starts with ``##``.
    """
    found: list[str] = []
    for word in _words(text):
        found += _pieces(word, known)
    return found[:_MAX_PIECES]


def _pieces(word: str, known: Container[str]) -> list[str]:
    """Return the longest known start, then the longest known continuation, and so on."""
    if len(word) > _LONGEST_WORD:
        return []
    pieces, start = [], 0
    while start < len(word):
        end = len(word)
        while end > start:
            piece = ("##" if start else "") + word[start:end]
            if piece in known:
                break
            end -= 1
        if end == start:
            return []
        pieces.append(piece)
        start = end
    return pieces


def _words(text: str) -> Iterator[str]:
    """Yield lower-case words without accents; each punctuation mark is a word of its own."""
    word = ""
    for sign in unicodedata.normalize("NFD", text.lower()):
        if unicodedata.combining(sign):
            continue
        if sign.isalnum():
            word += sign
            continue
        if word:
            yield word
        word = ""
        if not sign.isspace():
            yield sign
    if word:
        yield word
