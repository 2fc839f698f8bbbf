"""Network sources, against a local server that answers like the real ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from local_server import Reply, serve

from satcross.answer.clue import Clue, Proposal, Source
from satcross.answer.sources.web import MerriamWebsterSource, Service, WikipediaSource
from satcross.errors import UnavailableError
from satcross.vocabulary import Vocabulary

VOCABULARY = Vocabulary(["CAMEL", "GLEE", "BLISS"])
PAGE = """<html><a href="/thesaurus/glee">glee</a> <a href="/dictionary/joy">x</a>
<a href="https://www.merriam-webster.com/thesaurus/high%20spirits">high spirits</a></html>"""
API = [{"def": [{"sseq": [[["sense", {"syn_list": [[{"wd": "bliss"}, {"wd": "glee"}]]}]]]}]}]
FOUND = {"query": {"search": [{"title": "Camel (animal)", "snippet": "has a <b>hump</b> &amp;c"}]}}


@dataclass
class Server:
    """The requests that the server has received, and the status that it answers with."""

    url: str = ""
    asked: list[str] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)
    code: int = 200

    def reply(self, request: BaseHTTPRequestHandler) -> Reply:
        self.asked.append(request.path)
        self.agents.append(request.headers["User-Agent"])
        url = urlsplit(request.path)
        content = PAGE
        if url.path.startswith("/api"):
            content = json.dumps(API) if "key" in parse_qs(url.query) else "no key"
        elif url.path.startswith("/w"):
            content = json.dumps(FOUND)
        return 404 if "nonsense" in request.path else self.code, content.encode(), len(content)


@pytest.fixture
def server() -> Iterator[Server]:
    state = Server()
    with serve(state.reply) as state.url:
        yield state


def service(cache: Path | None = None, pause: float = 0) -> Service:
    return Service("A service", None if cache is None else str(cache), timeout=5, pause=pause)


@pytest.fixture
def thesaurus(server: Server, tmp_path: Path) -> MerriamWebsterSource:
    return MerriamWebsterSource(service(tmp_path), VOCABULARY, address=server.url + "/t")


def ask(source: Source, text: str, length: int) -> dict[str, Proposal]:
    return {one.word: one for one in source.candidates(Clue("1A", text, length), length)}


def test_merriam_webster_pages(server: Server, thesaurus: Source) -> None:
    assert "GLEE" in ask(thesaurus, "Joy", 4)
    assert "HIGHSPIRITS" in ask(thesaurus, "Joy", 11)
    assert server.asked == ["/t/joy"], "what was asked once is kept"
    assert server.agents[0].startswith("satcross/")


def test_another_page_in_the_cache_is_asked_for_again(thesaurus: Source, tmp_path: Path) -> None:
    expected = ask(thesaurus, "Joy", 4)
    (kept,) = (tmp_path / "web").iterdir()
    ask(thesaurus, "Nonsense", 4)
    (other,) = set((tmp_path / "web").iterdir()) - {kept}
    content = kept.read_bytes()
    for wrong in (other.read_bytes(), content.replace(b"glee", b"GLUM"), b""):
        kept.write_bytes(wrong)
        assert ask(thesaurus, "Joy", 4) == expected
        assert kept.read_bytes() != wrong


def test_merriam_webster_for_programs(server: Server, tmp_path: Path) -> None:
    source = MerriamWebsterSource(service(tmp_path), VOCABULARY, "secret", server.url + "/api")
    assert set(ask(source, "Joy", 5)) == {"BLISS"}
    assert server.asked == ["/api/joy?key=secret"]
    assert not any(b"secret" in path.read_bytes() for path in (tmp_path / "web").iterdir())


def test_wikipedia(server: Server) -> None:
    source = WikipediaSource(service(), VOCABULARY, server.url + "/w")
    assert "CAMEL" in ask(source, "Desert animal", 5)
    assert "HUMP" in ask(source, "Desert animal", 4)


def test_a_page_that_is_not_there_is_no_fault(server: Server, thesaurus: Source) -> None:
    assert ask(thesaurus, "Nonsense", 4) == {}
    assert ask(thesaurus, "Nonsense", 4) == {}
    assert len(server.asked) == 1


def test_a_service_that_fails_is_named_and_not_asked_again(server: Server) -> None:
    server.code = 503
    source = WikipediaSource(service(), VOCABULARY, server.url + "/w")
    for _ in range(3):
        with pytest.raises(UnavailableError, match="A service can't be reached") as caught:
            ask(source, "Desert animal", 5)
        assert "\n" not in str(caught.value)
    assert len(server.asked) == 1


def test_nobody_there() -> None:
    source = WikipediaSource(service(), VOCABULARY, "http://127.0.0.1:9/w")
    with pytest.raises(UnavailableError, match="can't be reached"):
        ask(source, "Desert animal", 5)


def test_the_time_between_requests(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    asked = service(pause=100)
    asked.get(server.url + "/one")
    asked.get(server.url + "/two")
    assert slept[0] == 0
    assert 90 < slept[1] <= 100


def test_an_answer_that_is_nonsense(server: Server) -> None:
    source = WikipediaSource(service(), VOCABULARY, server.url + "/t")
    assert ask(source, "Desert animal", 5) == {}
