"""Two services of the network as sources, which CROSSWIND asked, too; they run only by name.

Wikipedia's search gives titles and excerpts for the words of a clue; Merriam-Webster's thesaurus
gives related words. The requests identify satcross, at most one a second, and answers are cached
for a month. A service that can't be reached is not tried again in the run. No data was at hand to
fit the weights of these sources, or to measure them.
"""

from __future__ import annotations

import html
import json
import os
import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from math import log
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote, unquote, urlencode
from urllib.request import Request, urlopen

from satcross.answer.clue import Clue, Proposal, Source, SourceSettings
from satcross.answer.dictionaries import store
from satcross.answer.language.parse_clue import STOPWORDS
from satcross.answer.sources.proposals import Proposals, terms
from satcross.errors import UnavailableError
from satcross.formats.files import keep_in_cache
from satcross.support import __version__
from satcross.support.cache import read_sealed
from satcross.vocabulary import Vocabulary

WIKIPEDIA, MERRIAM_WEBSTER = "wikipedia", "merriam-webster"
KEY = "SATCROSS_MERRIAM_WEBSTER_KEY"
"""The environment variable with a dictionaryapi.com key; without it, public pages are read."""

_SEARCH = "https://en.wikipedia.org/w/api.php"
_API = "https://www.dictionaryapi.com/api/v3/references/thesaurus/json"
_PAGES = "https://www.merriam-webster.com/thesaurus"
_KEPT_SECONDS = 30 * 24 * 3600
_MAX_BYTES = 4_000_000
_MAX_TERMS = 3  # words or phrases of a clue that are looked up
_TAG = re.compile(r"<[^>]*>")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_LINK = re.compile(r"""<a\b[^>]*\bhref=["'](?:https?://[^/"']+)?/thesaurus/([^/?#"']+)["']""")
_NEAR = ("syn_list", "sim_list", "rel_list", "near_list", "ant_list", "opp_list")


@dataclass(slots=True)
class Service:
    """A web service. ``cache`` is a folder or None; ``pause`` and ``timeout`` are seconds."""

    title: str
    cache: str | None
    timeout: float = 10.0
    pause: float = 1.0
    _last_request: float = field(default=-1e9, init=False)
    _broken: str = field(default="", init=False)

    def get(self, url: str, private: str = "") -> str:
        """Return the text at an address, from the cache if possible; "" for a missing page.

        ``private`` is appended to the address of the request, but appears in neither the cache nor
        messages. Raises UnavailableError with one line when the service can't be reached.
        """
        name = blake2b(url.encode(), digest_size=16).hexdigest()
        place = None if self.cache is None else Path(self.cache) / "web" / name
        if place is not None and (body := read_sealed(place, name)) is not None:
            with suppress(OSError):
                if 0 <= time.time() - place.stat().st_mtime < _KEPT_SECONDS:
                    return body.decode("utf-8", "replace")
        if self._broken:
            raise UnavailableError(self._broken)
        time.sleep(max(0.0, self._last_request + self.pause - time.monotonic()))
        self._last_request = time.monotonic()
        data = self._fetch(url + private)
        if place is not None:
            keep_in_cache(place, data)
        return data.decode("utf-8", "replace")

    def _fetch(self, url: str) -> bytes:
        agent = f"satcross/{__version__} (answers crosswords; one request a second)"
        try:
            request = Request(url, headers={"User-Agent": agent})
            with urlopen(request, timeout=self.timeout) as answer:
                data: bytes = answer.read(_MAX_BYTES)
                return data
        except HTTPError as error:
            error.close()
            if error.code == 404:
                return b""
            reason = f"{error.code} {error.reason}"
        except (OSError, ValueError) as error:
            reason = str(getattr(error, "reason", None) or error)
        self._broken = f"{self.title} can't be reached ({reason}); the other sources do without it"
        raise UnavailableError(self._broken)


class WikipediaSource:
    """Proposes words of the titles and excerpts that a search for the clue returns."""

    name = WIKIPEDIA

    def __init__(self, service: Service, vocabulary: Vocabulary, search: str = _SEARCH) -> None:
        self._service, self._vocabulary, self._search = service, vocabulary, search

    def candidates(self, clue: Clue, length: int) -> Iterable[Proposal]:
        found = Proposals(WIKIPEDIA, clue, self._vocabulary)
        parsed = found.parsed
        if not parsed.content:
            return []
        query = {"action": "query", "list": "search", "format": "json", "srlimit": 50}
        address = urlencode({**query, "srsearch": " ".join(parsed.words)})
        counts: Counter[str] = Counter()
        pages = search_results(self._service.get(f"{self._search}?{address}"))
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
                found.add(word, "wikipedia.excerpt", log(1 + count), f"in {count} excerpts")
        return found.scored()


def search_results(text: str) -> list[tuple[str, str]]:
    """Return the (title, excerpt) pairs in a JSON response of the search; [] if malformed."""
    try:
        return [
            (str(row["title"]), html.unescape(_TAG.sub("", str(row.get("snippet", "")))))
            for row in json.loads(text)["query"]["search"]
        ]
    except (ValueError, KeyError, TypeError):
        return []


class MerriamWebsterSource:
    """Proposes synonyms, related words and antonyms of the clue, its head and its first word."""

    name = MERRIAM_WEBSTER

    def __init__(
        self, service: Service, vocabulary: Vocabulary, key: str = "", address: str = ""
    ) -> None:
        self._service, self._vocabulary, self._key = service, vocabulary, key
        self._address = address or (_API if key else _PAGES)

    def candidates(self, clue: Clue, length: int) -> Iterable[Proposal]:
        found = Proposals(MERRIAM_WEBSTER, clue, self._vocabulary)
        parsed = found.parsed
        if not parsed.content or "blank" in parsed.cues:
            return []
        roles = {parsed.phrase: "whole"}
        roles.setdefault(parsed.head, "head")
        for term in terms(parsed):
            if term.text in parsed.content:
                roles.setdefault(term.text, term.role)
        for text, role in list(roles.items())[:_MAX_TERMS]:
            for place, word in enumerate(self._related(text)):
                value = 1 / (1 + place / 50)
                found.add(word, f"{MERRIAM_WEBSTER}.{role}", value, f"beside {text!r}")
        return found.scored()

    def _related(self, text: str) -> list[str]:
        private = f"?{urlencode({'key': self._key})}" if self._key else ""
        content = self._service.get(f"{self._address}/{quote(text, safe='')}", private)
        if self._key:
            return related_in_data(content)
        links = map(unquote, _LINK.findall(content))
        return list(dict.fromkeys(link.replace("+", " ") for link in links))


def related_in_data(text: str) -> list[str]:
    """Return the words in a JSON response of the thesaurus, each once, in order."""
    found: dict[str, None] = {}

    def walk(part: object, is_near: bool) -> None:
        if isinstance(part, Mapping):
            if is_near and isinstance(part.get("wd"), str):
                found[part["wd"]] = None
            for name, inner in part.items():
                walk(inner, is_near or name in _NEAR)
        elif isinstance(part, list):
            for inner in part:
                walk(inner, is_near)

    with suppress(ValueError):
        walk(json.loads(text), False)
    return list(found)


def open_source(name: str, settings: SourceSettings) -> Source:
    cache = store.source_cache_folder(settings.cache)
    if name == WIKIPEDIA:
        return WikipediaSource(Service("Wikipedia", cache, settings.timeout), settings.vocabulary)
    service = Service("Merriam-Webster", cache, settings.timeout)
    return MerriamWebsterSource(service, settings.vocabulary, os.environ.get(KEY, ""))
