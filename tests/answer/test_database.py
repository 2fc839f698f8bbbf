"""A user's file of old clues."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import log
from pathlib import Path

import numpy as np
import pytest
from helpers import DATA, run

from satcross.answer.clue import Clue, Proposal, SourceSettings
from satcross.answer.dictionaries import clue_encoder, clue_files, clue_index
from satcross.answer.dictionaries.clue_encoder import PartGains
from satcross.answer.dictionaries.store import VARIABLE
from satcross.answer.dictionaries.word_pairs import pairs_of_list
from satcross.answer.gather import gather
from satcross.answer.model import Model, WordScores
from satcross.answer.sources import clue_database
from satcross.answer.sources.clue_database import with_clue_database
from satcross.answer.sources.registry import open_source
from satcross.errors import InputError, UnavailableError
from satcross.vocabulary import Vocabulary

LINES = """pubid\tyear\tanswer\tclue
xx\t1999\tCAMEL\tHumped beast of the desert
xx\t2001\tCAMEL\tHumped beast of the desert
xx\t2001\tLLAMA\tHumped beast of the desert
xx\t2002\tHOT DOG\tPicnic fare, "for one"
xx\t2003\tR2D2\tRobot of film
xx\t2004\tOASIS\tDesert spot with water
xx\t2005\tNULL\t___ and void
"""


def opened(file: Path, cache: Path | None) -> clue_database.CluesDatabase:
    settings = SourceSettings(Vocabulary(["CAMEL"]), str(file), "" if cache is None else str(cache))
    return clue_database.open_source("clues-db", settings)


def ask(source: clue_database.CluesDatabase, text: str, length: int) -> dict[str, Proposal]:
    return {one.word: one for one in source.candidates(Clue("1A", text, length), length)}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "clues.tsv"
    path.write_text(LINES, "utf-8")
    return path


def test_the_same_clue_and_one_like_it(file: Path) -> None:
    source = opened(file, None)
    found = ask(source, "Humped beast of the desert!", 5)
    assert found["CAMEL"].features["clues-db.same"] == pytest.approx(log(1 + 2))
    assert found["LLAMA"].features["clues-db.same"] == pytest.approx(log(1 + 1))
    assert found["CAMEL"].score > found["LLAMA"].score
    assert found["CAMEL"].note == "the same clue: 'Humped beast of the desert'"
    assert set(ask(source, "Beasts", 5)) == {"CAMEL", "LLAMA"}
    assert set(ask(source, "picnic fare for one", 6)) == {"HOTDOG"}
    assert set(ask(source, "----- and void", 4)) == {"NULL"}
    assert ask(source, "Robot of film", 4) == {}
    assert ask(source, "Nothing like it", 5) == {}


def test_more_words_in_common_are_more_similar(file: Path) -> None:
    found = ask(opened(file, None), "Beast of the desert", 5)
    assert found["CAMEL"].features["clues-db.like"] > found["OASIS"].features["clues-db.like"]
    assert found["CAMEL"].features["clues-db.like"] < 1
    same = ask(opened(file, None), "Humped beast of the desert", 5)["CAMEL"].features
    assert same["clues-db.like"] == pytest.approx(1)
    assert same["clues-db.union"] == pytest.approx(1)


def test_answers_join_the_vocabulary_by_their_uses(file: Path) -> None:
    listed = Vocabulary({"CAMEL": 100, "ZEBRA": 100, "TAPIR": 50})
    settings = SourceSettings(listed, str(file), "")
    known = with_clue_database(settings).vocabulary
    assert known.score("CAMEL") > known.score("LLAMA") > known.score("ZEBRA")
    assert known.score("ZEBRA") > known.score("TAPIR")
    assert known.score("OASIS") > known.score("LLAMA")  # lately
    assert with_clue_database(settings, ["wordnet"]) is settings
    assert with_clue_database(SourceSettings(listed)).vocabulary is listed


def damage(path: Path, before: bytes, after: bytes) -> None:
    """Edit a file in place, and leave its time of change as it was."""
    times = path.stat().st_atime_ns, path.stat().st_mtime_ns
    content = path.read_bytes()
    assert before in content
    path.write_bytes(content.replace(before, after))
    os.utime(path, ns=times)


def test_clues_are_added_from_the_shell(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "sources"))
    done = run(tmp_path, "sources", "add-clues", "clues.tsv")
    assert done.stdout == b"clues-db: ready, 6 clues of 1999 to 2005\n", done.stderr
    assert (tmp_path / "sources" / "clues-db.encoder.npz").exists()
    (tmp_path / "more.tsv").write_text("xx\t2011\tTEPEE\tPlains home\n", "utf-8")
    done = run(tmp_path, "sources", "add-clues", "clues.tsv", "more.tsv", "--only-index")
    assert done.stdout == b"clues-db: ready, 7 clues of 1999 to 2011\n"
    done = run(tmp_path, "sources", "ask", "Plains home", "5", "--sources", "clues-db", "--json")
    assert json.loads(done.stdout)[0]["word"] == "TEPEE"
    done = run(tmp_path, "sources", "add-clues", "more.tsv", "--replace", "--only-index")
    assert done.stdout == b"clues-db: ready, 1 clue of 2011 to 2011\n"
    damage(tmp_path / "sources" / "clues-db.npz", b"TEPEE", b"IGLOO")
    for command in (("ask", "Plains home", "5"), ("add-clues", "more.tsv", "--only-index")):
        done = run(tmp_path, "sources", *command)
        assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
        assert b"run satcross sources add-clues --replace with all files" in done.stderr
    done = run(tmp_path, "sources", "add-clues", "more.tsv", "--replace", "--only-index")
    assert done.returncode == 0


@pytest.mark.parametrize("text", ["", "___", '"""', "* OR NOT (", "\0", "\ud83d\ude00"])
def test_strange_clues(file: Path, text: str) -> None:
    ask(opened(file, None), text, 5)


def test_the_index_is_kept_until_the_file_changes(file: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    opened(file, cache)
    (kept,) = cache.iterdir()
    opened(file, cache)
    assert list(cache.iterdir()) == [kept]
    file.write_text(LINES + "xx\t2006\tTEPEE\tPlains home\n", "utf-8")
    assert set(ask(opened(file, cache), "Plains home", 5)) == {"TEPEE"}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda kept, other: damage(kept, b"Humped beast", b"Woolly beast"),
        lambda kept, other: kept.write_bytes(other.read_bytes()),
        lambda kept, other: kept.write_bytes(b""),
    ],
)
def test_a_damaged_or_exchanged_index_is_made_again_with_a_note(
    file: Path, tmp_path: Path, spoil: Callable[[Path, Path], object]
) -> None:
    cache = tmp_path / "cache"
    clue_index.open_index([file], str(cache))
    (kept,) = cache.iterdir()
    (tmp_path / "other.tsv").write_text(LINES.replace("CAMEL", "ZEBRA"), "utf-8")
    clue_index.open_index([tmp_path / "other.tsv"], str(cache))
    (other,) = set(cache.iterdir()) - {kept}
    spoil(kept, other)
    settings = with_clue_database(SourceSettings(Vocabulary(["CAMEL"]), str(file), str(cache)))
    clue = Clue("1A", "Humped beast of the desert", 5)
    found = gather([clue], settings, ["clues-db"])
    assert {one.word for one in found.candidates["1A"]} == {"CAMEL", "LLAMA", "OASIS"}
    assert found.candidates["1A"][0].evidence[0].note == f"the same clue: {clue.text!r}"
    assert found.notes == (f"{file}: {clue_index.DAMAGED}",)
    assert clue_index.open_index([file], str(cache)).notes == ()


def test_a_cache_that_cant_be_written_is_done_without(file: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", "utf-8")
    assert "CAMEL" in ask(opened(file, blocked / "cache"), "Humped beast of the desert", 5)


def test_a_file_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clue_files, "MAX_CHARACTERS", 10_000)
    path = tmp_path / "clues.tsv.gz"
    path.write_bytes(gzip.compress(LINES.encode() + b"xx\t1999\tCAMEL\tHumped beast\n" * 1000))
    with pytest.raises(InputError, match="has more than 10,000 characters, the most that is read"):
        opened(path, tmp_path / "cache")
    assert not list((tmp_path / "cache").glob("*"))


def test_two_may_index_at_once(file: Path, tmp_path: Path) -> None:
    def index(_: int) -> set[str]:
        return {*ask(opened(file, tmp_path / "cache"), "Humped beast of the desert", 5)}

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(index, range(4))) == [{"CAMEL", "LLAMA", "OASIS"}] * 4


def test_no_heading_and_gzip(tmp_path: Path) -> None:
    path = tmp_path / "clues.tsv.gz"
    path.write_bytes(gzip.compress(b"\n".join(LINES.encode().splitlines()[1:])))
    assert "CAMEL" in ask(opened(path, None), "Humped beast of the desert", 5)


PACKED = gzip.compress(LINES.encode() * 100)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"CAMEL;Humped beast\n", "clues.tsv:1: not four columns"),
        (b"", "has no clue"),
        (b"pubid\tyear\tanswer\tclue\n", "has no clue"),
        (b"\x1f\x8bno gzip at all", "can't be read"),
        (PACKED[:50] + bytes([PACKED[50] ^ 255]) + PACKED[51:], "can't be read"),
        (gzip.compress(b"x" * 1_000_000), "has 10,000 characters or more"),
        (None, "can't be read"),
    ],
)
def test_bad_files(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "clues.tsv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        opened(path, tmp_path / "cache")
    assert "\n" not in str(caught.value)
    assert not list((tmp_path / "cache").glob("*"))


def test_a_bad_line_is_left_out_with_a_note(file: Path, tmp_path: Path) -> None:
    file.write_text(LINES + "CAMEL;Humped beast\n", "utf-8")
    index = clue_index.open_index([file], str(tmp_path / "cache"))
    (note,) = index.notes
    assert "clues.tsv: 1 line without four columns left out, the first is line 9" in note
    assert index.size == 6


def test_puzzles_and_folders_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "sources"))
    (tmp_path / "many" / "more").mkdir(parents=True)
    for name in ("01.xd", "02.xd"):
        content = (DATA / "minis" / "dev" / name).read_bytes()
        (tmp_path / "many" / "more" / name).write_bytes(content)
    (tmp_path / "many" / "notes.doc").write_text("no clues", "utf-8")
    index, notes = clue_database.add_clues([tmp_path / "many"], lambda line: None)
    assert notes == []
    assert ("HARRY", 2025) in {(answer, year) for answer, _, year in index.uses()}
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="the folder has no file of clues"):
        clue_database.add_clues([tmp_path / "empty"], lambda line: None)


def test_what_is_learnt_finds_an_answer_whose_clue_is_worded_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two words occur in the old clues of the same answers, and never together."""
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    lines = []
    for kind, answers in (("desert", ("CAMEL", "DUNES")), ("kitchen", ("KNIFE", "SPOON"))):
        for word in (f"{kind}er", f"{kind}y"):
            lines += [
                f"xx\t1999\t{answer}\t{word} thing {n}\n" for answer in answers for n in "abc"
            ]
    lines += [f"xx\t1999\tCAMEL\t{word} humps\n" for word in ("deserty", "big", "two")]
    (tmp_path / "old.tsv").write_text("".join(lines), "utf-8")
    index, _ = clue_database.add_clues([tmp_path / "old.tsv"], lambda line: None)
    assert clue_encoder.open_encoder(index) is None
    clue_database.learn(index, lambda line: None)
    encoder = clue_encoder.open_encoder(index)
    assert encoder is not None
    source = clue_database.CluesDatabase(index, index.extend(Vocabulary({})))
    for length in (5, 4, 5):  # an answer with a rebus cell is longer than its slot
        clue = Clue("1A", "A thing, deserter", 4)
        found = {some.word: some.score for some in source.candidates(clue, length)}
        assert len(found) == (4 if length == 5 else 0)
        assert length == 4 or min(found["CAMEL"], found["DUNES"]) > max(
            found["KNIFE"], found["SPOON"]
        )
    likely = encoder.log_probabilities("A thing, deserter", 5)
    part = index.part(5)
    assert likely is not None
    assert part is not None
    assert np.exp(likely).sum() == pytest.approx(1, abs=1e-4)
    best = [part.words[at] for at in (-likely).argsort()]
    assert set(best[:2]) == {"CAMEL", "DUNES"}
    model = clue_database.with_learnt(Model({"learnt": 1.0}), index)
    words = Vocabulary({"PASTA": 50, "SPOON": 50, "CAMEL": 50})
    clue, group = Clue("1A", "A thing, deserter", 5), words.group(5)
    by_clue = WordScores(model, clue, group)
    scores = dict(zip(group.words, by_clue.prior.tolist(), strict=True))
    assert scores["CAMEL"] > scores["PASTA"]  # which no old clue asks for
    assert by_clue.features("CAMEL")["learnt"] == scores["CAMEL"]
    assert by_clue.features("RANCH")["learnt"] == scores["PASTA"]
    pairs = pairs_of_list(Vocabulary({"CAMEL": 50, "KNIFE": 50, "PASTA": 50, "AN": 50}))
    part_gains = PartGains(pairs, index, encoder)
    gains = dict(zip(pairs.words, part_gains("A thing, deserter").tolist(), strict=True))
    assert gains["CAMEL"] > 0 > gains["KNIFE"]
    assert np.exp([gains["CAMEL"], gains["KNIFE"]]).sum() == pytest.approx(2)
    assert gains["PASTA"] == gains["AN"] == 0  # never an answer
    assert not part_gains("Unheard-of").any()
    settings = SourceSettings(Vocabulary({}), clue_index=index)
    assert clue_database.word_pairs(settings)(Clue("1A", "A thing", 5)).gains is not None
    assert encoder.log_probabilities("Unheard-of", 5) is None
    assert encoder.log_probabilities("A thing", 9) is None
    path = index.beside(clue_encoder.ENCODER_FILE)
    path.write_bytes(path.read_bytes()[:-1])
    clue_encoder._read_encoder.cache_clear()
    assert clue_encoder.open_encoder(index) is None  # and is trained again by the next set-up


def test_no_database() -> None:
    with pytest.raises(UnavailableError, match="--clues-db FILE"):
        open_source("clues-db", SourceSettings(Vocabulary(["CAMEL"])))
