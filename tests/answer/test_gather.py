"""Gathering candidates: a source that fails loses only its own proposals."""

from __future__ import annotations

import shutil
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from helpers import PATIENCE

from satcross.answer.clue import Candidate, Clue, Proposal, Source, SourceSettings, crossword_clues
from satcross.answer.gather import (
    DAMAGED,
    PACKAGE,
    Gathered,
    cache_place,
    default_sources,
    gather,
    gather_cached,
)
from satcross.answer.sources import registry
from satcross.answer.sources.clue_database import with_clue_database
from satcross.crossword import Crossword
from satcross.errors import UnavailableError
from satcross.grid import Grid
from satcross.run_settings import Deadline
from satcross.vocabulary import Vocabulary

Install = Callable[[str, Source | Exception], None]

SETTINGS = SourceSettings(Vocabulary({"CAMEL": 90, "LLAMA": 80}))
CLUES = [Clue("1A", "Desert animal", 5), Clue("2D", "Andean animal", 5)]


class Fixed:
    """A source that proposes the same words for every clue; may raise or hang at one."""

    name = "fixed"

    def __init__(self, words: Iterable[str], raising: str = "", hanging: str = "") -> None:
        self.words, self.raising, self.hanging = list(words), raising, hanging
        self.hangs, self.release = threading.Event(), threading.Event()

    def candidates(self, clue: Clue, length: int) -> Iterable[Proposal]:
        if clue.slot == self.raising:
            raise RuntimeError("the dictionary\nis torn")
        if clue.slot == self.hanging:
            self.hangs.set()
            self.release.wait(PATIENCE)
        return [Proposal(word, -1.0, self.name) for word in self.words]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    played: dict[str, Source | Exception] = {}

    def open_source(name: str, settings: SourceSettings) -> Source:
        source = played[name]
        if isinstance(source, Exception):
            raise source
        return source

    def add(name: str, source: Source | Exception) -> None:
        played[name] = source
        monkeypatch.setitem(registry.SOURCES, name, registry.SourceEntry("", "a fake"))

    monkeypatch.setattr(sys.modules[gather.__module__], "open_source", open_source)
    return add


def words(found: Iterable[Candidate]) -> set[str]:
    return {one.word for one in found}


def test_what_sources_say_is_combined(install: Install) -> None:
    install("one", Fixed(["CAMEL", "TOOLONG"]))
    install("two", Fixed(["LLAMA"]))
    found = gather(CLUES, SETTINGS, ["one", "two"])
    assert words(found.candidates["1A"]) == {"CAMEL", "LLAMA"}  # the wrong length is dropped
    assert found.notes == ()
    assert set(found.seconds) == {"one", "two"}


def test_a_source_that_raises_costs_only_that_clue(install: Install) -> None:
    install("torn", Fixed(["CAMEL"], raising="1A"))
    found = gather(CLUES, SETTINGS, ["torn"])
    assert words(found.candidates["1A"]) == set()
    assert words(found.candidates["2D"]) == {"CAMEL"}
    (note,) = found.notes
    assert note == "source torn: failed at 1A: RuntimeError: the dictionary is torn"


def test_a_source_that_can_t_be_opened_is_left_out(install: Install) -> None:
    install("gone", UnavailableError("it is not set up; run: make it"))
    install("broken", ZeroDivisionError())
    install("good", Fixed(["CAMEL"]))
    found = gather(CLUES, SETTINGS, ["gone", "broken", "good"])
    assert words(found.candidates["2D"]) == {"CAMEL"}
    assert found.notes == (
        "source gone: left out: it is not set up; run: make it",
        "source broken: left out: ZeroDivisionError",
    )


def test_a_source_that_hangs_is_not_waited_for(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Fixed(["CAMEL"], hanging="2D")
    install("slow", slow)

    class WhenItHangs(Deadline):
        @property
        def passed(self) -> bool:
            return slow.hangs.is_set()

    monkeypatch.setattr(Deadline, "after", lambda seconds: WhenItHangs())
    found = gather(CLUES, SETTINGS, ["slow"], deadline=Deadline.after(0.3))
    slow.release.set()
    assert words(found.candidates["1A"]) == {"CAMEL"}
    assert words(found.candidates["2D"]) == set()
    (note,) = found.notes
    assert "timed out after 1 of 2 clues" in note


def test_an_unknown_source_is_refused() -> None:
    with pytest.raises(UnavailableError, match="no source 'nope'"):
        gather(CLUES, SETTINGS, ["nope"])


@pytest.mark.parametrize(
    ("text", "references"),
    [
        ("See 1-Down", {"1D": "Down clue"}),
        ("With 1-Down and 4-Across, a set", {"1D": "Down clue", "4A": ""}),
        ("1-, 2- and 9-Down", {"1D": "Down clue", "2D": ""}),
        ("see 4A", {"4A": ""}),
        ("Like 1-Across", {}),  # itself
        ("Area 51 across the road", {}),
    ],
)
def test_references_are_found(text: str, references: dict[str, str]) -> None:
    grid = Grid.from_rows(["___", "___", "___"])
    clues = crossword_clues(Crossword.of(grid, clues={"1A": text, "1D": "Down clue"}))
    assert [clue.slot for clue in clues] == [slot.name for slot in grid.slots]
    assert dict(clues[0].references) == references


@pytest.mark.parametrize(
    ("text", "kept", "enumeration"),
    [
        ("Very dry (1,2)", "Very dry", "1,2"),
        ("Year (1,984)", "Year (1,984)", ""),
        ("A (3)", "A", "3"),
    ],
)
def test_an_enumeration_is_taken_off(text: str, kept: str, enumeration: str) -> None:
    (clue,) = crossword_clues(Crossword.of(Grid.from_rows(["___"]), clues={"1A": text}))
    assert (clue.text, clue.enumeration) == (kept, enumeration)


def test_a_puzzle_that_is_asked_about_again_is_not_gathered_again(
    install: Install, tmp_path: Path
) -> None:
    settings = replace(SETTINGS, cache=str(tmp_path))
    source = Fixed(["CAMEL"], raising="2D")
    install("one", source)

    def asked(clues: list[Clue] = CLUES) -> dict[str, list[Candidate]]:
        return gather_cached(clues, settings, ["one"]).candidates

    assert not words(asked()["2D"])
    assert not list(tmp_path.iterdir())  # what failed is tried again
    source.raising = ""
    first = asked()
    source.words = ["LLAMA"]
    assert asked() == first
    assert words(asked([replace(CLUES[0], text="Pack animal")])["1A"]) == {"LLAMA"}


def test_what_was_kept_and_damaged_or_exchanged_is_gathered_again_with_a_note(
    install: Install, tmp_path: Path
) -> None:
    settings = replace(SETTINGS, cache=str(tmp_path))
    source = Fixed(["CAMEL"])
    install("one", source)

    def asked(text: str) -> Gathered:
        clues = [replace(CLUES[0], text=text)]
        return gather_cached(clues, settings, ["one"])

    assert asked("Pack animal").notes == ()
    (kept,) = tmp_path.iterdir()
    source.words = ["LLAMA"]
    asked("Andean animal")
    (other,) = set(tmp_path.iterdir()) - {kept}
    content = kept.read_bytes()
    for spoilt in (content[:-1], other.read_bytes(), b""):
        kept.write_bytes(content)
        assert words(asked("Pack animal").candidates["1A"]) == {"CAMEL"}
        kept.write_bytes(spoilt)
        again = asked("Pack animal")
        assert (words(again.candidates["1A"]), again.notes) == ({"LLAMA"}, (DAMAGED,))
        assert asked("Pack animal").notes == ()
    kept.unlink()
    (kept / "in its place").mkdir(parents=True)  # it can't be written
    assert words(asked("Pack animal").candidates["1A"]) == {"LLAMA"}


@pytest.mark.parametrize("changed", ["vocabulary.py", "answer/model.py", "resources/irregular.txt"])
def test_what_was_kept_by_other_code_or_other_resources_is_out_of_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    shutil.copytree(PACKAGE, tmp_path / "satcross", ignore=shutil.ignore_patterns("english*"))
    monkeypatch.setattr(sys.modules[gather.__module__], "PACKAGE", tmp_path / "satcross")
    settings = replace(SETTINGS, cache=str(tmp_path / "cache"))
    before = cache_place(CLUES, settings, ["wordnet"])
    assert before == cache_place(CLUES, settings, ["wordnet"])
    with (tmp_path / "satcross" / changed).open("a") as file:
        file.write("\n")
    assert before != cache_place(CLUES, settings, ["wordnet"])


def test_the_language_model_does_not_run_beside_a_clue_database_unless_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SATCROSS_SOURCES", str(tmp_path))
    (tmp_path / "language-model.sqlite").touch()
    alone = default_sources(SourceSettings(Vocabulary({})))
    beside = default_sources(SourceSettings(Vocabulary({}), "clues.tsv"))
    assert {"language-model", "clues-db"} & {*alone} == {"language-model"}
    assert {"language-model", "clues-db"} & {*beside} == {"clues-db"}


def test_gcide_runs_beside_a_small_clue_database(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    table = tmp_path / "clues.tsv"
    table.write_text("mine\t2000\tCAT\tPet that purrs\nmine\t2000\tDOG\tPet that barks\n")
    settings = with_clue_database(SourceSettings(Vocabulary({}), str(table), cache=""))
    assert {"gcide", "clues-db"} <= {*default_sources(settings)}
    entry = replace(registry.SOURCES["gcide"], replaced_from=2)
    monkeypatch.setitem(registry.SOURCES, "gcide", entry)
    assert "gcide" not in default_sources(settings)
