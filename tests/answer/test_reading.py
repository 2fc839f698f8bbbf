"""What clues say by their form, and inflection."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from satcross.answer.clue import Clue
from satcross.answer.language.parse_clue import parse_clue, parse_text
from satcross.solving.inflections import FORMS, apparent_forms, inflected, possible_bases
from satcross.support.alarms import cpu_alarm


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("Desert animals", "s"),
        ("Runs quickly", "s"),
        ("Went by plane", "ed"),
        ("Feeling blue", "ing"),
        ("More blue", "er"),
        ("Most recent", "est"),
        ("Org. for docs", "abbreviation"),
        ("Doctor, for short", "abbreviation"),
        ("Road: Abbr.", "abbreviation"),
        ("___ and void", "blank"),
        ("Null and -- ", "blank"),
        ('"Let me think ..."', "quoted"),
        ("[Sigh]", "bracketed"),
        ("Beret, for one", "example"),
        ("Wrap artist?", "pun"),
        ("Scientist Curie", "name"),
        ("Roman 6", "number"),
        ("Desert animal", "no s"),
        ("Glass", "no s"),
        ("Mr. Potter", "no abbreviation"),
        ("Beret", "no example"),
        ("A big dog", "no name"),
    ],
)
def test_a_clue_shows_what_its_answer_looks_like(text: str, cue: str) -> None:
    cues = parse_text(text).cues
    assert (cue.removeprefix("no ") in cues) == (not cue.startswith("no "))


def test_a_clue_of_many_numbers_is_parsed_in_linear_time() -> None:
    for digits in ("1" * 20_000, "1-" * 10_000, "1 " * 10_000, "1, " * 5000):
        text = f"Like 2-Down but {digits}!"
        with cpu_alarm(20):
            assert parse_clue(Clue("1A", text, 3, references={"2D": "Pole"})).words


@pytest.mark.parametrize(
    ("base", "form", "expected"),
    [
        ("city", "s", "cities"),
        ("box", "s", "boxes"),
        ("boy", "s", "boys"),
        ("goose", "s", "geese"),
        ("stop", "ing", "stopping"),
        ("visit", "ed", "visited"),
        ("bake", "ing", "baking"),
        ("agree", "ing", "agreeing"),
        ("die", "ing", "dying"),
        ("go", "ed", "went"),
        ("happy", "est", "happiest"),
        ("big", "er", "bigger"),
        ("give up", "ed", "gave up"),
        ("hot dog", "s", "hot dogs"),
        ("gentle", "ly", "gently"),
    ],
)
def test_inflection(base: str, form: str, expected: str) -> None:
    assert inflected(base, form)[0] == expected
    if " " not in base:
        assert (base, form) in possible_bases(expected)
        assert form in apparent_forms(expected)


@settings(max_examples=50)
@given(st.text(max_size=40))
def test_any_text_can_be_read(text: str) -> None:
    parsed = parse_text(text)
    assert parsed.phrase == parsed.phrase.strip()


@settings(max_examples=50)
@given(st.from_regex(r"[a-z]{2,12}", fullmatch=True), st.sampled_from(FORMS))
@example("by", "est")
@example("by", "er")
@example("le", "ly")
def test_every_inflected_form_leads_back(base: str, form: str) -> None:
    for other in inflected(base, form):
        found = [one for one, _ in possible_bases(other)]
        regular = (
            form != "ly" and len(other) > 4 and not other.endswith(("ss", "us", "is", "as", "os"))
        )
        assert other
        assert base in found or not regular
