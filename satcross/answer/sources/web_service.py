"""Client for web services: it identifies itself, sends at most one request per second, and caches.

Responses are cached for a month. A service that can't be reached is not tried again in the run.
"""

from __future__ import annotations

import hashlib
import json
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from satcross.errors import InputError, UnavailableError
from satcross.formats.files import write_atomically
from satcross.support.version import __version__

_KEPT_SECONDS = 30 * 24 * 3600
_LARGEST = 4_000_000  # bytes of an answer
_FOLDER = "web"


@dataclass(slots=True)
class Service:
    """A web service of that title. ``cache`` is a folder or None; ``pause`` and ``timeout`` are
    seconds."""

    title: str
    cache: str | None
    timeout: float = 10.0
    pause: float = 1.0
    _asked: float = field(default=-1e9, init=False)
    _broken: str = field(default="", init=False)

    def get(self, url: str, private: str = "") -> str | None:
        """Return the text at an address, from the cache if possible; None for a missing page.

        ``private`` is appended to the address of the request, but appears in neither the cache nor
        messages. Raises UnavailableError with one line when the service can't be reached.
        """
        kept = self._place(url)
        text = _fresh(kept, url)
        if text is not None:
            return text or None
        if self._broken:
            raise UnavailableError(self._broken)
        wait = self._asked + self.pause - time.monotonic()
        if wait > 0:
            time.sleep(wait)
        self._asked = time.monotonic()
        text = self._fetch(url, private)
        if kept is not None:
            moment = time.time()
            digest = _digest(url, text or "", moment)
            entry = {"url": url, "time": moment, "text": text or "", "digest": digest}
            content = json.dumps(entry)
            with suppress(OSError, InputError):
                kept.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(str(kept), lambda beside: _write(beside, content))
        return text

    def _fetch(self, url: str, private: str) -> str | None:
        agent = f"satcross/{__version__} (answers crosswords; one request a second)"
        try:
            request = Request(url + private, headers={"User-Agent": agent})
            with urlopen(request, timeout=self.timeout) as answer:
                data: bytes = answer.read(_LARGEST)
        except HTTPError as error:
            error.close()
            if error.code == 404:
                return None
            raise self._fail(f"{error.code} {error.reason}") from None
        except (OSError, ValueError) as error:
            raise self._fail(str(getattr(error, "reason", None) or error)) from None
        return data.decode("utf-8", "replace")

    def _fail(self, reason: str) -> UnavailableError:
        host = urlsplit(self.title).netloc or self.title
        self._broken = f"{host} can't be reached ({reason}); the other sources do without it"
        return UnavailableError(self._broken)

    def _place(self, url: str) -> Path | None:
        if self.cache is None:
            return None
        key = hashlib.blake2b(url.encode(), digest_size=16).hexdigest()
        return Path(self.cache) / _FOLDER / f"{key}.json"


def _write(beside: Path, content: str) -> None:
    beside.write_text(content, "utf-8")


def _digest(url: str, text: str, moment: float) -> str:
    content = "\0".join((url, repr(moment), text)).encode("utf-8", "backslashreplace")
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _fresh(place: Path | None, url: str) -> str | None:
    """Return the cached text; None if there is none, or it is old, damaged or another page."""
    if place is None:
        return None
    try:
        kept = json.loads(place.read_text("utf-8"))
        text: str = kept["text"]
        moment = float(kept["time"])
        if kept["digest"] != _digest(url, text, moment):
            return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    if not 0 <= time.time() - moment < _KEPT_SECONDS:
        return None
    return text
