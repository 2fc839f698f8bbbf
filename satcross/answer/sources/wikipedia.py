"""Wikipedia's search as a source, over the network; it runs only by name."""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Iterable
from math import log
from urllib.parse import urlencode

from satcross.answer.clue import Clue, Proposal, SourceSettings
from satcross.answer.dictionaries import store
from satcross.answer.language.parse_clue import STOPWORDS, parse_clue
from satcross.answer.sources.proposals import Proposals
from satcross.answer.sources.web_service import Service
from satcross.vocabulary import Vocabulary

NAME = "wikipedia"

_API = "https://en.wikipedia.org/w/api.php"
_MAX_PAGES = 50
_TAG = re.compile(r"<[^>]*>")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")


class WikipediaSource:
    """Proposes words of the titles and excerpts that a search for the clue returns."""

    name = NAME

    def __init__(self, service: Service, vocabulary: Vocabulary, api: str = _API) -> None:
        self._service = service
        self._vocabulary = vocabulary
        self._api = api

    def candidates(self, clue: Clue, length: int) -> Iterable[Proposal]:
        parsed = parse_clue(clue)
        if not parsed.content:
            return []
        asked = {
            "action": "query",
            "list": "search",
            "format": "json",
            "srlimit": _MAX_PAGES,
            "srsearch": " ".join(parsed.words),
        }
        found = Proposals(NAME, clue, parsed, self._vocabulary)
        counts: Counter[str] = Counter()
        pages = parse(self._service.get(f"{self._api}?{urlencode(asked)}") or "")
        for place, (title, excerpt) in enumerate(pages):
            plain = re.sub(r"\s*\(.*?\)", "", title)
            value, note = 1 / (1 + place / 5), f"the article {title!r}"
            found.add(plain, "wikipedia.title", value, note)
            for word in _WORD.findall(plain):
                if word.lower() not in STOPWORDS:
                    found.add(word, "wikipedia.title-word", value, note)
            counts.update({word.lower() for word in _WORD.findall(excerpt)})
        for word, count in counts.items():
            if word not in STOPWORDS:
                note = f"in {count} excerpts"
                found.add(word, "wikipedia.excerpt", log(1 + count), note)
        return found.scored()


def parse(text: str) -> list[tuple[str, str]]:
    """Return the (title, excerpt) pairs in a JSON response of the search; [] if malformed."""
    try:
        rows = json.loads(text)["query"]["search"]
        return [
            (str(row["title"]), html.unescape(_TAG.sub("", str(row.get("snippet", "")))))
            for row in rows
        ]
    except (ValueError, KeyError, TypeError):
        return []


def open_source(settings: SourceSettings) -> WikipediaSource:
    service = Service("Wikipedia", store.source_cache_folder(settings), settings.timeout)
    return WikipediaSource(service, settings.vocabulary)
