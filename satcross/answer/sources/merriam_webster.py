"""Merriam-Webster's thesaurus as a source, over the network; it runs only by name.

With a dictionaryapi.com key (free for private use) in SATCROSS_MERRIAM_WEBSTER_KEY it uses the web
API; without a key it reads the public pages of the thesaurus.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from html.parser import HTMLParser
from urllib.parse import quote, unquote, urlencode

from satcross.answer.clue import Clue, Proposal, SourceSettings
from satcross.answer.dictionaries import store
from satcross.answer.language.parse_clue import parse_clue
from satcross.answer.sources.proposals import Proposals, Term, terms
from satcross.answer.sources.web_service import Service
from satcross.vocabulary import Vocabulary

NAME = "merriam-webster"

KEY = "SATCROSS_MERRIAM_WEBSTER_KEY"
_API = "https://www.dictionaryapi.com/api/v3/references/thesaurus/json"
_PAGES = "https://www.merriam-webster.com/thesaurus"
_MAX_ASKED = 3  # words or phrases of a clue
_LINK = re.compile(r"^(?:https?://[^/]+)?/thesaurus/([^/?#]+)$")
_NEAR = ("syn_list", "sim_list", "rel_list", "near_list", "ant_list", "opp_list")


class MerriamWebsterSource:
    """Proposes synonyms, related words and antonyms of the clue, its head and its first word."""

    name = NAME

    def __init__(
        self,
        service: Service,
        vocabulary: Vocabulary,
        key: str = "",
        api: str = _API,
        pages: str = _PAGES,
    ) -> None:
        self._service = service
        self._vocabulary = vocabulary
        self._key = key
        self._api = api
        self._pages = pages

    def candidates(self, clue: Clue, length: int) -> Iterable[Proposal]:
        parsed = parse_clue(clue)
        if not parsed.content or "blank" in parsed.cues:
            return []
        found = Proposals(NAME, clue, parsed, self._vocabulary)
        asked = [Term(parsed.phrase, "whole"), Term(parsed.head, "head")]
        asked += [term for term in terms(parsed) if term.text in parsed.content]
        by_text: dict[str, str] = {}
        for term in asked:
            by_text.setdefault(term.text, term.role)
        for text, role in list(by_text.items())[:_MAX_ASKED]:
            for place, word in enumerate(self._related(text)):
                feature = f"merriam-webster.{role}"
                found.add(word, feature, 1 / (1 + place / 50), f"beside {text!r}")
        return found.scored()

    def _related(self, text: str) -> list[str]:
        if self._key:
            private = "?" + urlencode({"key": self._key})
            answer = self._service.get(f"{self._api}/{quote(text, safe='')}", private)
            return from_api(answer or "[]")
        return from_page(self._service.get(f"{self._pages}/{quote(text, safe='')}") or "")


def from_api(text: str) -> list[str]:
    """Return the words in a JSON response of the web API, each once, in order."""
    found: dict[str, None] = {}

    def walk(part: object, near: bool) -> None:
        if isinstance(part, dict):
            word = part.get("wd")
            if near and isinstance(word, str):
                found[word] = None
            for name, inner in part.items():
                walk(inner, near or name in _NEAR)
        elif isinstance(part, list):
            for inner in part:
                walk(inner, near)

    try:
        walk(json.loads(text), False)
    except ValueError:
        return []
    return list(found)


def from_page(text: str) -> list[str]:
    """Return the words that a thesaurus page links to, each once, in order."""
    parser = _Links()
    parser.feed(text)
    return list(parser.found)


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        link = dict(attrs).get("href") or ""
        match = _LINK.match(link) if tag == "a" else None
        if match:
            self.found[unquote(match[1]).replace("+", " ")] = None


def open_source(settings: SourceSettings) -> MerriamWebsterSource:
    service = Service("Merriam-Webster", store.source_cache_folder(settings), settings.timeout)
    return MerriamWebsterSource(service, settings.vocabulary, os.environ.get(KEY, ""))
