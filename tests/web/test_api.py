"""The HTTP API: answers, rejected requests, limits, and requests of other sites."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers import COMPLETE_BACKENDS, SINGLE_BACKENDS, until
from PIL import Image
from pypdf import PdfReader
from starlette.requests import ClientDisconnect, Request
from starlette.testclient import TestClient
from web.asking import (
    FILE,
    HARD,
    SMALL,
    WORDS,
    add_list,
    ask,
    ended,
    imported,
    look,
    question,
    start,
    wait_for,
)
from web.conftest import LIMITS

from satcross import Grid, Puzzle, Vocabulary
from satcross.answer.dictionaries.prepare import DICTIONARIES, Dictionary
from satcross.answer.dictionaries.store import VARIABLE
from satcross.errors import InputError
from satcross.formats.registry import FORMATS
from satcross.formats.resources import read_resource
from satcross.formats.written import default_written
from satcross.verify import verify
from satcross.web import protocol
from satcross.web.answers import Answers
from satcross.web.app import Workbench, make_app
from satcross.web.limits import BusyError
from satcross.web.making import set_up
from satcross.web.schema import Look, PuzzleSpec, SetUp

VOCABULARY = Vocabulary({"CAT": 50, "CUB": 60, "BED": 70, "TOD": 50})
TINY = {
    "rows": SMALL,
    "solution": ["CAT", "U#O", "BED"],
    "clues": {"1A": "Purrs", "3A": "Sleep here"},
    "title": "Tiny",
}


def words_of(result: dict[str, list[dict[str, str]]]) -> dict[str, str]:
    return {slot["name"]: slot["word"] for slot in result["slots"]}


# Answers


@pytest.mark.parametrize("backend", COMPLETE_BACKENDS)
def test_a_fill_is_right(client: TestClient, backend: str) -> None:
    result = ask(client, "fill", question(client, ["C__", "_#_", "___"]), backend=backend)
    assert result["status"] == "filled"
    puzzle = Puzzle(Grid.from_rows(["C__", "_#_", "___"], letters=True), VOCABULARY)
    assert verify(puzzle, words_of(result)) == []


def test_rules_are_kept(client: TestClient) -> None:
    asked = question(client, SMALL, locks={"1a": "cub"})
    assert words_of(ask(client, "fill", asked))["1A"] == "CUB"
    assert ask(client, "fill", question(client, min_score=60))["status"] == "unfillable"
    assert ask(client, "fill", question(client, excluded=["cat"]))["status"] == "unfillable"
    square = {"rows": ["__", "__"], "lists": [add_list(client, "AA\n")]}
    assert ask(client, "fill", square)["status"] == "unfillable"
    assert ask(client, "fill", {**square, "allow_repeats": True})["status"] == "filled"


def test_lists_are_joined(client: TestClient) -> None:
    lists = [add_list(client, "CAT\nTOD\n"), add_list(client, "CUB\nBED\n")]
    assert ask(client, "fill", {"rows": SMALL, "lists": lists})["status"] == "filled"
    assert ask(client, "fill", {"rows": SMALL, "lists": lists[:1]})["status"] == "unfillable"


def test_a_large_list_is_parsed_by_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "list.txt"
    path.write_text("".join(f"{word};60\n" for word in VOCABULARY) * 5_000)
    order = protocol.Look(Look(PuzzleSpec(rows=tuple(SMALL))), (str(path),))
    seen = Answers(lambda event: None).answer(order)
    monkeypatch.setattr("satcross.formats.words.parse_words", None)
    assert Answers(lambda event: None).answer(order) == seen
    path.unlink()
    with pytest.raises(InputError, match="upload the list again"):
        Answers(lambda event: None).answer(order)


def test_a_fill_keeps_no_nonsense(client: TestClient) -> None:
    words = add_list(client, "BIT\nEON\nTUT\nBET\nIOU\nTNT\nCAT\n")
    asked = {"rows": ["___"] * 3, "lists": [words]}
    old = {"1A": "BIT", "4A": "EON", "5A": "TUT", "1D": "BET", "2D": "IOU", "3D": "TNT"}
    assert ask(client, "fill", asked, keep=old | {"1A": "ZAP", "1D": "ZET"})["grid"] == [
        "BIT",
        "EON",
        "TUT",
    ]
    turned = ask(client, "fill", asked, keep={"5A": "TUT"}, avoid=["bit"])
    assert turned["status"] == "unfillable"  # the other fill has BIT down
    for keep in ({"9D": "BIT"}, {"1A": "BITS"}):
        job = {"kind": "fill", "question": asked, "keep": keep}
        state = wait_for(client, client.post("/api/jobs", json=job).json()["id"])
        assert "does not fit slot" in state["error"]


def test_candidates_say_what_they_change(client: TestClient) -> None:
    words = add_list(client, "BIT\nEON\nTUT\nBET\nIOU\nTNT\nION\nCAB\nAGO\nBOX\n")
    filled = {"1A": "BIT", "4A": "EON", "5A": "TUT", "1D": "BET", "2D": "IOU", "3D": "TNT"}
    asked = {"rows": ["___"] * 3, "lists": [words]}
    view = look(client, asked, slot="4A", words=filled, rank="fit")
    first, second, third = view["candidates"]["words"][:3]
    assert (first["word"], first["swaps"], first["opens"]) == ("EON", {}, [])
    assert first["quality"] == view["quality"]
    assert (second["word"], second["swaps"], second["opens"]) == ("ION", {"1D": "BIT"}, [])
    assert (third["word"], third["swaps"]) == ("IOU", {"1D": "BIT", "3D": "TUT"})
    gap = {name: word for name, word in filled.items() if name not in ("1D", "4A")}
    view = look(client, asked, slot="4A", words=gap, rank="fit")
    opens = {each["word"]: each["opens"] for each in view["candidates"]["words"]}
    assert (opens["EON"], sorted(opens["AGO"])) == ([], ["1D", "2D", "3D"])  # BAT is no word


def test_several_fills_differ(client: TestClient) -> None:
    result = ask(client, "several", question(client), number=5)
    grids = [fill["grid"] for fill in result["fills"]]
    assert sorted(grids) == [["CAT", "U#O", "BED"], ["CUB", "A#E", "TOD"]]
    assert result["complete"]


def test_several_fills_have_good_words_where_there_are_enough(client: TestClient) -> None:
    good = ["CAT", "DOG", "SUN", "KEY"]
    poor = ["AAA", "BBB", "CCC", "DDD", "EEE", "FFF", "GGG", "HHH"]
    words = "".join([f"{word};70\n" for word in good] + [f"{word};10\n" for word in poor])
    asked = {"rows": ["___", "###", "___"], "lists": [add_list(client, words)]}
    few = ask(client, "several", asked, number=3, diverse=False)
    assert {slot["word"] for fill in few["fills"] for slot in fill["slots"]} <= set(good)
    many = ask(client, "several", asked, number=20, diverse=False)
    assert len(many["fills"]) == 20  # four good words have twelve fills


def test_a_reason_is_told_and_what_helps(client: TestClient) -> None:
    result = ask(client, "explain", question(client, ["Z__", "_#_", "___"]))
    assert result["status"] == "unfillable"
    letters = [(one["row"], one["column"]) for one in result["parts"] if one["kind"] == "letter"]
    assert letters == [(0, 0)]
    helps = [one for one in result["suggestions"] if one["kind"] == "drop-letter"]
    assert verify(Puzzle(Grid.from_rows(SMALL), VOCABULARY), helps[0]["fill"]) == []
    assert ask(client, "explain", question(client))["status"] == "fillable"


def test_backends_are_compared(client: TestClient) -> None:
    result = ask(client, "compare", question(client))
    assert tuple(one["backend"] for one in result["outcomes"]) == SINGLE_BACKENDS
    assert {one["status"] for one in result["outcomes"]} == {"filled"}
    assert result["agreement"]
    for outcome in result["outcomes"]:
        assert set(outcome["seconds"]) == {"arc_consistency", "encode", "solve"}


def test_steps_lead_to_a_fill(client: TestClient) -> None:
    result = ask(client, "steps", question(client))
    assert result["status"] == "filled"
    assert verify(Puzzle(Grid.from_rows(SMALL), VOCABULARY), result["fill"]) == []
    kinds = [step["kind"] for step in result["steps"]]
    assert kinds[:2] == ["start", "node"]
    assert kinds.count("ac3") == 1
    domains: dict[str, dict[str, object]] = {}
    for step in result["steps"]:
        domains.update(step["domains"])
    assert {name: domain["words"] for name, domain in domains.items()} == {
        name: [word] for name, word in result["fill"].items()
    }
    assert result == ask(client, "steps", question(client))


def test_steps_end_where_it_is_hopeless_or_long(client: TestClient) -> None:
    assert ask(client, "steps", question(client, ["Z__", "_#_", "___"]))["status"] == "unfillable"
    short = ask(client, "steps", question(client), max_steps=3)
    assert (short["status"], len(short["steps"])) == ("unknown", 3)
    state = ended(client, "steps", question(client, ["_" * 20] * 20))
    assert state["state"] == "failed"
    assert "slots" in state["error"]


def test_a_look_counts_and_ranks(client: TestClient) -> None:
    asked = question(client, ["C__", "_#_", "___"])
    view = look(client, asked, slot="1A")
    assert (view["empty"], view["wiped_out"]) == ([], None)
    candidates = {slot["name"]: slot["candidates"] for slot in view["slots"]}
    assert candidates == dict.fromkeys(("1A", "1D", "2D", "3A"), 2)
    assert view["cells"][0][:2] == [1, 2]
    assert view["cells"][1][1] is None
    assert view["candidates"]["total"] == 2
    scores = look(client, asked, slot="1A", rank="score")["candidates"]
    assert [one["word"] for one in scores["words"]] == ["CUB", "CAT"]
    assert [one["score"] for one in scores["words"]] == [60, 50]
    assert [one["dead_end"] for one in scores["words"]] == [False, False]


def test_a_look_says_what_can_not_be_filled(client: TestClient) -> None:
    view = look(client, question(client, ["Z_X", "_#_", "___"]), slot="1A")
    assert view["empty"] == ["1A", "1D", "2D"]
    assert view["candidates"]["words"] == []
    # 1A=TOD fits the slot, but not its crossings
    view = look(client, question(client, ["T__", "_#_", "___"]), slot="3A")
    assert view["empty"] == []
    assert view["wiped_out"] is not None
    assert look(client, question(client, ["XXX", "_#_", "___"]))["unlisted"] == ["1A"]


def test_bars_and_rebus_cells_shape_the_slots(client: TestClient) -> None:
    shape = {
        "rebus": [{"row": 0, "column": 0, "letters": "HEART"}],
        "bars": {"right": [[0, 1]], "below": [[0, 2]]},
    }
    words = add_list(client, "HEARTS\nHEARTED\nSTO\nETA\nDO\n")
    asked = {"rows": ["H__", "___", "__#"], "lists": [words], **shape}
    view = look(client, asked, slot="1A")
    assert [one["word"] for one in view["candidates"]["words"]] == ["HEARTS"]
    assert view["forced"] == ["HS.", "ETA", "DO#"]
    kept = ask(client, "fill", asked, keep={"1A": "HEARTS"})
    assert kept["grid"] == ["HS.", "ETA", "DO#"]
    assert kept["slots"][0]["word"] == "HEARTS"
    for kind in ("several", "explain", "compare"):
        assert ask(client, kind, asked)
    steps = ended(client, "steps", asked)
    assert "knows no bars" in steps["error"]
    beside = {**asked, "rebus": [{"row": 2, "column": 2, "letters": "NO"}]}
    refused = client.post("/api/look", json={"question": beside})
    assert refused.status_code == 422
    assert "rebus cell that is blocked" in refused.json()["error"]


def test_decorations_are_saved_and_read(client: TestClient) -> None:
    crossword = {
        "rows": ["___", "___", "__#"],
        "solution": ["HS_", "ETA", "DO#"],
        "rebus": [{"row": 0, "column": 0, "letters": "HEART"}],
        "bars": {"right": [[0, 1]], "below": [[0, 2]]},
        "circled": [[0, 0]],
        "shaded": [[1, 1]],
        "holes": [[2, 2]],
    }
    for extension in (".txt", ".ipuz"):
        file = client.post("/api/export", json={"crossword": crossword, "format": extension})
        read = imported(client, extension, file.content)
        assert {name: read[name] for name in crossword} == crossword
    outside = {**crossword, "circled": [[2, 2]]}
    refused = client.post("/api/export", json={"crossword": outside, "format": ".txt"})
    assert refused.status_code == 422


def test_events_end_with_the_answer(client: TestClient) -> None:
    job = start(client, "compare", question(client), backends=["backtrack", "sat"])
    names, parts, last = [], [], {}
    with client.stream("GET", f"/api/jobs/{job}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        for line in stream.iter_lines():
            kind, _, text = line.partition(": ")
            if kind == "event":
                names.append(text)
            elif kind == "data":
                last = json.loads(text)
                if names[-1] == "part":
                    parts.append(last["backend"])
                parts += [one["backend"] for one in last.get("parts", []) if names[-1] == "state"]
    assert names[0] == "state"
    assert last["state"] == "done"
    assert last["result"]["agreement"]
    assert set(parts) <= {"backtrack", "sat"}


def test_simultaneous_listeners_keep_the_limit() -> None:
    bench = Workbench(replace(LIMITS, listeners=2))
    bench.jobs = SimpleNamespace(get=lambda name: name)  # type: ignore[assignment]
    request = Request({"type": "http", "path_params": {"id": "a"}})

    async def leave(message: object) -> None:
        raise OSError

    async def listen() -> None:
        first, _ = [await bench.follow_job(request) for _ in range(2)]  # neither has begun
        with pytest.raises(BusyError):
            await bench.follow_job(request)
        with suppress(OSError, ClientDisconnect):
            await first({"type": "http", "asgi": {"spec_version": "2.4"}}, receive, leave)
        await bench.follow_job(request)

    async def receive() -> dict[str, str]:
        return {"type": "http.disconnect"}

    asyncio.run(listen())


def test_the_grid_fills_live(client: TestClient) -> None:
    job = start(client, "fill", {"rows": HARD}, backend="backtrack")
    partial: list[str] = []

    def has_letters() -> bool:
        state = client.get(f"/api/jobs/{job}").json()
        assert state["state"] in ("queued", "running"), state
        partial[:] = state["partial"] or ()
        return bool(set("".join(partial)) - set(".#"))

    until(has_letters, "a letter in the grid")
    assert [len(row) for row in partial] == [8] * 9
    assert partial[8][1:] == "#######"
    client.delete(f"/api/jobs/{job}")


# Files


def test_a_list_says_what_is_in_it(client: TestClient) -> None:
    state = client.post("/api/lists?title=mine", content=WORDS + "x\n", headers=FILE).json()
    assert (state["words"], state["lengths"], state["scores"]) == (4, {"3": 4}, [50, 70])
    assert "line 5" in state["notes"][0]
    assert client.get(f"/api/lists/{state['name']}").json() == state


def test_a_gzipped_list_is_read_and_a_bomb_is_not(client_with: Callable[..., TestClient]) -> None:
    with client_with(unpacked=1000) as client:
        packed = gzip.compress(WORDS.encode())
        name = client.post("/api/lists", content=packed, headers=FILE).json()["name"]
        assert ask(client, "fill", {"rows": SMALL, "lists": [name]})["status"] == "filled"
        for bomb in (gzip.compress(b"CAT\n" * 10_000), gzip.compress(packed)):
            answer = client.post("/api/lists", content=bomb, headers=FILE)
            assert answer.status_code == 422
            assert "gzip" in answer.text or "decompressed" in answer.text


def test_a_gzipped_list_is_read_to_its_end_or_not_at_all(client: TestClient) -> None:
    joined = gzip.compress(b"CAT\n") + gzip.compress(b"DOG\n")
    assert client.post("/api/lists", content=joined, headers=FILE).json()["words"] == 2
    for damaged in (gzip.compress(WORDS.encode())[:-6], joined[:-12]):
        for path in ("/api/lists", "/api/import"):
            answer = client.post(path, content=damaged, headers=FILE)
            assert answer.status_code == 422
            assert "damaged gzip file" in answer.text


def test_the_oldest_list_makes_room(client_with: Callable[..., TestClient]) -> None:
    with client_with(lists=2) as client:
        first, second = add_list(client, "CAT\n"), add_list(client, "DOG\n")
        assert client.get(f"/api/lists/{first}").status_code == 200
        add_list(client, "EEL\n")
        assert client.get(f"/api/lists/{first}").status_code == 200
        answer = client.post("/api/look", json={"question": {"rows": SMALL, "lists": [second]}})
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown-list")


@pytest.mark.parametrize("extension", list(FORMATS))
def test_every_format_is_written(client: TestClient, extension: str) -> None:
    answer = client.post("/api/export", json={"crossword": TINY, "format": extension})
    assert answer.status_code == 200, answer.text
    assert extension in answer.headers["content-disposition"]
    assert len(answer.content) > 10
    if extension == ".png":
        assert Image.open(io.BytesIO(answer.content)).size == (300, 300)


def test_a_sheet_has_what_is_wanted(client: TestClient) -> None:
    crossword = {**TINY, "title": "Pets", "author": "Ann Setter"}

    def texts(**more: object) -> list[str]:
        answer = client.post("/api/print", json={"crossword": crossword, **more})
        assert answer.status_code == 200, answer.text
        return [page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages]

    (plain,) = texts()
    assert "Purrs" in plain
    assert "CUB" not in plain
    worksheet = texts(word_bank=True, answer_key=True, name_line=True, large=True, paper="letter")
    assert len(worksheet) == 2
    assert "BED · CAT · CUB · TOD" in worksheet[0]
    assert "Name" in worksheet[0]
    grid, clues = texts(show="submission", address="A. Setter")
    assert "A. Setter" in grid
    assert "3x3, 4 words" in grid
    assert ("Ann Setter · Pets" in clues, "2/2" in clues) == (True, True)
    assert ("Sleep here" in clues, "BED" in clues) == (True, True)
    assert len(texts(show="solution")) == 1


def test_a_structure_is_read(client: TestClient) -> None:
    assert imported(client, ".txt", "_a_\n_#\n___\n")["rows"] == ["_A_", "_##", "___"]


def test_what_the_page_has_no_place_for_is_said(client: TestClient) -> None:
    text = "Title: T\n\n\nCAT\n\n\nA1. {/It/} purrs ~ CAT\nA7. Loose ~ DOG\n"
    said = imported(client, ".xd", text)["remarks"]
    assert said[-1] == "the page does not keep clues for no slot"


def test_italics_of_clues_are_kept(client: TestClient) -> None:
    text = "Title: T\n\n\nCAT\n\n\nA1. {/It/} purrs in <b> ~ CAT\n"
    crossword = imported(client, ".xd", text)
    assert crossword["clues"] == {"1A": "<i>It</i> purrs in <b>"}
    shown = {name: crossword[name] for name in ("rows", "solution", "clues")}
    sent = {"crossword": shown, "format": ".xd"}
    assert "{/It/} purrs in <b>" in client.post("/api/export", json=sent).text


def test_our_json_is_read_again(client: TestClient) -> None:
    fill = ask(client, "fill", question(client))
    crossword = imported(client, ".json", json.dumps(fill))
    assert (crossword["solution"], crossword["rows"]) == (fill["grid"], SMALL)


def test_a_crossword_comes_back_from_a_file(client: TestClient) -> None:
    crossword = {**TINY, "solution": ["CAT", "U#O", "BE_"], "circled": [[0, 2]]}
    written = client.post("/api/export", json={"crossword": crossword, "format": ".ipuz"})
    assert written.headers["x-satcross-lost"] == "[]"
    assert crossword.items() <= imported(client, ".ipuz", written.content).items()
    lossy = client.post("/api/export", json={"crossword": crossword, "format": ".puz"})
    assert "letters of the solution" not in lossy.headers["x-satcross-lost"]


@pytest.mark.parametrize(
    ("extension", "content"),
    [
        (".puz", b"nonsense"),
        (".ipuz", b"{}"),
        (".json", b"[1"),
        (".txt", b""),
        (".txt", b"\0\1\2"),
        (".txt", b"_" * 40),
        (".txt", b"_\n" * 40),
        (".gz", gzip.compress(gzip.compress(b"__", mtime=0), mtime=0)),
        ("/../../x", b"##"),
    ],
)
def test_a_file_that_is_none_is_refused(client: TestClient, extension: str, content: bytes) -> None:
    answer = client.post(
        "/api/import", params={"extension": extension}, content=content, headers=FILE
    )
    assert answer.status_code == 422, answer.text
    error = answer.json()["error"]
    assert "/" not in error.replace("and/or", ""), "names no file of this machine"


# Rejected requests


@pytest.mark.parametrize(
    ("asked", "status", "said"),
    [
        ("{", 400, "not valid JSON"),
        ("[]", 400, "is invalid"),
        ('{"question": {"rows": []}}', 400, "rows"),
        ('{"question": {"rows": ["__"], "more": 1}}', 400, "more"),
        ('{"question": {"rows": ["__"], "min_score": 1e99}}', 400, "min_score"),
        (json.dumps({"question": {"rows": ["_" * 26]}}), 422, "25"),
        (json.dumps({"question": {"rows": ["__"] * 26}}), 400, "25"),
        ('{"question": {"rows": ["_#_"]}}', 422, "no slot"),
        ('{"question": {"rows": ["__"], "locks": {"7D": "XX"}}}', 422, "7D"),
        ('{"question": {"rows": ["__"], "locks": {"1A": "XXX"}}}', 422, "2 letters"),
        ('{"question": {"rows": ["A_"], "locks": {"1A": "XX"}}}', 422, "contradicts"),
        ('{"question": {"rows": ["XX#XX"]}}', 422, "both locked"),
        ('{"question": {"rows": ["A ."]}}', 422, "not a letter"),
        ('{"question": {"rows": ["__", "_"]}}', 422, "differ in length"),
        ('{"question": {"rows": ["__"], "lists": ["0123abcd"]}}', 404, "upload it again"),
        ('{"question": {"rows": ["__"], "lists": []}}', 400, "lists"),
        ('{"question": {"rows": ["__"], "lists": ["../../etc/passwd"]}}', 400, "lists"),
    ],
)
@pytest.mark.parametrize("path", ["/api/look", "/api/jobs"])
def test_a_wrong_question_is_refused(
    client: TestClient, path: str, asked: str, status: int, said: str
) -> None:
    if path == "/api/jobs":
        asked = asked.replace("{", '{"kind": "fill", ', 1) if len(asked) > 2 else asked
    answer = client.post(path, content=asked, headers={"content-type": "application/json"})
    assert answer.status_code == status, answer.text
    assert said in answer.json()["error"]


def test_too_much_is_refused(client_with: Callable[..., TestClient]) -> None:
    with client_with(body=1000, upload=2000, job_seconds=5.0) as client:
        answer = client.post(
            "/api/look", json={"question": {"rows": ["_" * 25] * 25}, "x": "y" * 999}
        )
        assert answer.status_code == 413
        assert "larger" in answer.json()["error"]
        answer = client.post("/api/lists", content=b"CAT\n" * 600, headers=FILE)
        assert answer.status_code == 413

        def chunks() -> list[bytes]:  # a body without a content-length header
            return [b"CAT\n" * 100] * 10

        answer = client.post("/api/lists", content=iter(chunks()), headers=FILE)
        assert answer.status_code == 413
        asked = {"kind": "fill", "question": {"rows": SMALL}, "seconds": 6}
        answer = client.post("/api/jobs", json=asked)
        assert answer.status_code == 422
        assert "at most 5" in answer.json()["error"]


def test_what_is_not_there_is_said(client: TestClient) -> None:
    for path in ("/nothing", "/api/nothing", "/api/jobs/x", "/api/lists/x", "/a/b/c"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert answer.json()["error"]
    refused = client.put("/api/look", headers=FILE)
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")
    assert refused.json()["error"] == "the method PUT is not allowed here"


@pytest.mark.parametrize(
    "path",
    [
        "/../../../etc/passwd",
        "/..%2f..%2f..%2fetc%2fpasswd",
        "/static/../app.py",
        "/app.py",
        "/%2e%2e/app.py",
        "//etc/passwd",
        "/index.html%00",
    ],
)
def test_no_other_file_is_served(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "localhost.evil.example:80"}, 421),
        ({"host": ""}, 421),
        ({"host": "[::1"}, 421),
        ({"host": "evil.example@127.0.0.1"}, 421),
        ({"host": "127.0.0.1:evil.example"}, 421),
        ({"host": "127.0.0.1/evil.example"}, 421),
        ({"host": "127.0.0.1, evil.example"}, 421),
        ({"host": "127.0.0.1:99"}, 200),
        ({"host": "[::1]:99"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://localhost:99"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost"}, 200),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_other_sites_are_refused(client: TestClient, headers: dict[str, str], status: int) -> None:
    asked = json.dumps({"question": {"rows": SMALL}})
    sent = {"content-type": "application/json", **headers}
    answer = client.post("/api/look", content=asked, headers=sent)
    assert answer.status_code == status, answer.text
    if status != 200:
        assert answer.json()["error"]


def test_a_server_goes_by_the_names_it_was_given() -> None:
    app = make_app(LIMITS, ["Puzzles.example"])
    with TestClient(app, base_url="http://puzzles.example:8017") as client:
        assert client.get("/api/about").status_code == 200
        assert client.get("/api/about", headers={"host": "other.example"}).status_code == 421


def test_a_visit_from_elsewhere_gets_the_page_but_no_answers(client: TestClient) -> None:
    visit = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get("/", headers=visit).status_code == 200
    assert client.get("/api/about", headers=visit).status_code == 403


def test_the_page_is_small_and_asks_nobody_else(client: TestClient) -> None:
    folder = Path(str(files("satcross") / "web" / "static"))
    contents = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert sum(map(len, contents.values())) < 220_000
    policy = client.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "http" not in policy
    sent = 0
    for name, content in contents.items():
        with client.stream("GET", f"/{name}") as packed:
            sent += sum(map(len, packed.iter_raw()))
        answer = client.get(f"/{name}")
        assert answer.content == content
        again = client.get(f"/{name}", headers={"if-none-match": answer.headers["etag"]})
        assert again.status_code == 304
    assert sent < 100_000


def test_a_word_gets_another_score_in_all_crosswords(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SATCROSS_EDITS", str(tmp_path / "edits.txt"))
    app = make_app(LIMITS)
    with TestClient(app, base_url="http://localhost", client=("127.0.0.1", 4000)) as own:
        changed = own.post("/api/edits", json={"word": "CAT", "action": 20})
        assert changed.json() == {"word": "CAT", "before": None}
        asked, at = question(own), {"slot": "1A", "words": {"1A": "CUB"}}
        before = look(own, asked, **at)["candidates"]["words"]
        assert [one["score"] for one in before if one["word"] == "CAT"] == [20]
        changed = own.post("/api/edits", json={"word": "CAT", "action": "never"})
        assert changed.json() == {"word": "CAT", "before": "20"}
        view = look(own, asked, **at)
        assert "CAT" not in [one["word"] for one in view["candidates"]["words"]]
        assert view["words"] == [{"slot": "1A", "word": "CUB", "score": 60, "enumeration": "3"}]
    with TestClient(app, base_url="http://localhost", client=("192.0.2.7", 4000)) as other:
        refused = other.post("/api/edits", json={"word": "CUB", "action": "never"})
        assert refused.status_code == 403
    assert (tmp_path / "edits.txt").read_text().count("CUB") == 0


def test_dictionaries_are_set_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def make(given: Path | None, tell: Callable[[str], object]) -> Path:
        tell("reading")
        path = tmp_path / "moby.sqlite"
        path.write_bytes(b"0" * 200_000)
        return path

    monkeypatch.setenv(VARIABLE, str(tmp_path))
    app = make_app(LIMITS)
    with TestClient(app, base_url="http://localhost", client=("192.0.2.7", 4000)) as other:
        assert {"moby", "wordnet"} <= {one["name"] for one in other.get("/api/sources").json()}
        refused = other.post("/api/jobs", json={"kind": "setup", "source": "moby"})
        assert refused.status_code == 403
    monkeypatch.setitem(DICTIONARIES, "moby", Dictionary("Moby", "public domain", make))
    lines: list[str] = []
    assert set_up(SetUp(source="moby"), lines.append) == {"ready": "moby", "megabytes": 0.2}
    assert lines == ["reading"]


def test_words_become_a_layout_and_entries_a_pattern(client: TestClient) -> None:
    made = ended(client, "layout", words="cat\tPet\ntub", seconds=10)
    crossword = made["result"]["crossword"]
    assert sorted(crossword["clues"].values()) == ["Pet"]
    lines = [*crossword["solution"], *map("".join, zip(*crossword["solution"], strict=True))]
    assert all(any(word in line for line in lines) for word in ("CAT", "TUB"))
    words = {"words": "diş\nşişe", "language": "tr", "paper": "a4", "seconds": 2}
    turkish = ended(client, "layout", **words)["result"]["crossword"]
    assert (turkish["language"], "İ" in str(turkish["solution"])) == ("tr", True)
    note = "read as Windows-1251; --charset names another"
    assert protocol.for_the_page(note) == "read as Windows-1251"
    wrong = ended(client, "layout", words="cat\n!!")
    assert "the list:2: '!!' is not a word" in wrong["error"]
    entries = ended(client, "pattern", height=9, width=9, entries=["crossword"])
    rows = entries["result"]["rows"]
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    assert "CROSSWORD" in rows + columns
    limits = {"max_words": 24, "max_blocks": 8}
    few = ended(client, "pattern", height=7, width=7, **limits)
    grid = Grid(tuple(few["result"]["rows"]))
    assert len(grid.slots) <= 24
    assert sum(row.count("#") for row in grid.rows) <= 8
    long = ended(client, "pattern", height=5, width=5, entries=["crossword"])
    assert "'CROSSWORD' is no entry of this grid" in long["error"]


def test_a_fill_does_without_preferences(client: TestClient) -> None:
    judged = ask(client, "fill", question(client))["quality"]["summary"]
    assert "plain plurals" in judged
    kinds = ["plurals", "abbreviations"]
    judged = ask(client, "fill", question(client), allow=kinds)["quality"]["summary"]
    assert "similar words" in judged
    assert not any(kind in judged for kind in kinds)


def test_an_uploaded_list_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text(WORDS)
    answers = Answers(lambda event: None)
    state = answers.answer(protocol.AddList(str(path), str(path), len(WORDS)))
    assert state.words == 4
    path.unlink()
    look = Look(PuzzleSpec(rows=tuple(SMALL)), "1A")
    found = answers.answer(protocol.Look(look, (str(path),)))
    shown = {candidate.word for candidate in found.candidates.words}
    assert shown <= set(WORDS.replace(";60", "").split())


FEW_WORDS = ["ODE", "ANT", "TIE", "LEO", "TEN", "SUM", "RAT", "POD", "EEL", "NIL", "TAR", "USE"]


def test_codewords_and_fill_ins_are_made_of_a_crossword_or_a_standard_grid(
    client: TestClient,
) -> None:
    own = {"rows": SMALL, "solution": ["CAT", "O#O", "BED"]}
    state = ended(client, "codeword", grid="this crossword", crossword=own)
    assert "Exactly one reading, by sat and cpsat." in state["result"]["text"]
    assert state["result"]["crossword"] is None
    job = ended(client, "puzzle", puzzle=state["result"]["puzzle"])["id"]
    page = client.get(f"/api/jobs/{job}/puzzle.html")
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["content-security-policy"] == "frame-ancestors 'none'"
    assert "Codeword" in page.text
    assert "script-src 'sha256-" in page.text
    assert client.get(f"/api/jobs/{job}/puzzle.pdf").content.startswith(b"%PDF")
    assert client.get(f"/api/jobs/{job}/puzzle.txt").status_code == 404
    state = ended(client, "codeword", grid="this crossword", crossword=own, lists=[])
    assert "The proof knows no words but those of the crossword" in state["result"]["text"]
    state = ended(client, "codeword", grid="american-5", lists=[])
    assert "there is no word list to fill the grid from; choose or add one" in state["error"]
    more = {"numbers": True, "diagramless": True, "language": "de"}
    state = ended(client, "fill-in", grid="american-5", **more)
    assert len(state["result"]["crossword"]["rows"]) == 5
    state = ended(client, "puzzle", puzzle=state["result"]["puzzle"])
    job = state["id"]
    assert list(state["result"]) == [".pdf"]
    assert client.get(f"/api/jobs/{job}/puzzle.html").status_code == 404


def test_fill_ins_have_plain_words(client: TestClient) -> None:
    state = ended(client, "fill-in", grid="british-13", seed=2)
    rows = [*state["result"]["crossword"]["solution"]]
    words = " ".join([*rows, *map("".join, zip(*rows, strict=True))]).replace("#", " ").split()
    phrases = {
        "".join(line.split()) for line in read_resource("english-parts.txt").decode().split("\n")
    }
    assert phrases & {word for word in words if len(word) > 5} <= set(default_written())


def test_arrowwords_are_made_of_own_words_or_of_a_list_of_ours(client: TestClient) -> None:
    sizes = {"rows": 5, "columns": 5}
    state = ended(client, "arrowword", language="de", title="Pfeile", **sizes)
    assert "clue cells." in state["result"]["text"]
    shown = state["result"]["crossword"]
    assert (shown["title"], shown["language"]) == ("Pfeile", "de")
    assert set(shown["clues"]) == {slot.name for slot in Grid(tuple(shown["rows"])).slots}
    more = {"puzzle": state["result"]["puzzle"], "language": "de"}
    job = ended(client, "puzzle", **more)["id"]
    assert 'lang="de"' in client.get(f"/api/jobs/{job}/puzzle.html").text
    state = ended(client, "arrowword", language="es", **sizes)
    assert "there is no list of words with clues in this language" in state["error"]
    few = "\n".join(f"{word}; A word" for word in FEW_WORDS[:11])
    state = ended(client, "arrowword", words=few, **sizes)
    assert "11 words with a clue that fits are too few for 5x5; give at least 12" in state["error"]
    state = ended(client, "puzzle", puzzle={"puzzle": {"kind": "codeword"}})
    assert "the puzzle" in state["error"]
