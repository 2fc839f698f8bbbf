"""Lists as other programs and spreadsheets write them, in many languages, through every door."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from satcross.formats.charsets import use_charset
from satcross.formats.clues import parse_clued_words, read_clues
from satcross.formats.files import Data, Text, decode_text
from satcross.formats.words import Accents, Reading, parse_words
from satcross.support.letters import Alphabet, spell, use_alphabet

# name: (text, encoding, words with scores, what is noted)
LISTS: dict[str, tuple[str, str, dict[str, int], str]] = {
    "counts behind blanks": (
        "you 28787591\nthe 22761659\ncat 11\ncub 9\n", "utf-8",
        {"YOU": 100, "THE": 99, "CAT": 14, "CUB": 13}, "read as word and number; numbers of up to 28,787,591",
    ),
    "counts before words": (
        "   1203 the\n     11 cat\n      9 cub\n", "utf-8",
        {"THE": 1203, "CAT": 11, "CUB": 9}, "read as number and word",
    ),
    "large counts behind tabs": (
        "the\t23135851162\nof\t13151942776\ncat\t56194832\n", "utf-8",
        {"THE": 100, "OF": 98, "CAT": 75}, "23,135,851,162 are taken for counts",
    ),
    "a corpus: number, word, count": (
        "1\tder\t5312\n2\tdie\t4980\n3\tKatze\t17\n", "utf-8",
        {"DER": 5312, "DIE": 4980, "KATZE": 17}, "read as tab-separated: word, score",
    ),
    "subtitles with headings": (
        "Word\tFREQcount\tCDcount\tLg10WF\ncat\t3383\t1511\t3.53\ncub\t102\t58\t2.01\n", "utf-8",
        {"CAT": 3383, "CUB": 102}, "word, score; the first line is a header",
    ),
    "fractions": (
        "cat;0.85\ncub;0.5\nbed;0.125\n", "utf-8",
        {"CAT": 85, "CUB": 50, "BED": 12}, "scores with decimals are multiplied by 100",
    ),
    "zipf scores of a spreadsheet": (
        "mot;fréquence\nchat;5,12\nlit;4,5\n", "cp1252",
        {"CHAT": 51, "LIT": 45}, "multiplied by 10",
    ),
    "marked thousands": (
        'word,count\ncat,"1,234"\ncub,"12,000"\n', "utf-8",
        {"CAT": 1234, "CUB": 12000}, "comma-separated: word, score",
    ),
    "hunspell": (
        "3\nAaron/M\nabacus/MS\nkm\\/h/S\n", "utf-8",
        {"AARON": 50, "ABACUS": 50, "KMH": 50}, "dictionary of hunspell",
    ),
    "hunspell with morphology": (
        "3\nkutya/AB\tpo:noun\nmacska/AC\tpo:noun\nház/D\tpo:noun\n", "iso8859_2",
        {"KUTYA": 50, "MACSKA": 50, "HÁZ": 50}, "hunspell",
    ),
    "hunspell without the count": (
        "Haus/EPSozm\nKatze/N\nBär/OPm\nUhu\n", "utf-8",
        {"HAUS": 50, "KATZE": 50, "BÄR": 50, "UHU": 50}, "hunspell",
    ),
    "a count and words": ("3\ngato\nperro\npez\n", "utf-8", {"GATO": 50, "PERRO": 50, "PEZ": 50}, "the number of words"),
    "a numbered list": ("1. cat\n2. ice cream\n3. cub\n", "utf-8", {"CAT": 50, "ICECREAM": 50, "CUB": 50}, "numbers before"),
    "a list with bullets": ("- cat\n- T-shirt\n", "utf-8", {"CAT": 50, "TSHIRT": 50}, "bullets before"),
    "word, clue": (
        'Word,Clue\ncat,"It purrs, often"\nice cream,Cold\n', "utf-8",
        {"CAT": 50, "ICECREAM": 50}, "comma-separated: word, clue; the first line is a header",
    ),
    "clue, word": (
        "Hinweis;Lösung\nEin Haustier;Katze\nBewohner des Waldes;Bär\n", "cp1252",
        {"KATZE": 50, "BÄR": 50}, "clue; the first line is a header",
    ),
    "clue, word without headings": (
        "It purrs all day,CAT\nA young bear,CUB\nYou sleep in it,BED\nA red fox,TOD\nNot a dog,FOX\n",
        "utf-8", {"CAT": 50, "CUB": 50, "BED": 50, "TOD": 50, "FOX": 50}, "clue, word",
    ),
    "a row number in front": (
        "id,palabra,puntos\n1,gato,70\n2,niño,60\n", "mac_roman",
        {"GATO": 70, "NIÑO": 60}, "word, score; the first line is a header",
    ),
    "a table with bars": ("| cat | 70 |\n| cub | 60 |\n", "utf-8", {"CAT": 70, "CUB": 60}, "bar-separated"),
    "aligned columns": ("cat        70\nice cream  60\ncub         5\n", "utf-8", {"CAT": 70, "ICECREAM": 60, "CUB": 5}, "number"),
    "words with explanations": (
        "cat - it purrs\nT-shirt - a top\ncub - a bear\n", "utf-8",
        {"CAT": 50, "TSHIRT": 50, "CUB": 50}, "divided by a dash",
    ),
    "JSON objects": (
        '[{"word": "cat", "score": 70, "clue": "Purrs"}, {"word": "cub", "score": 5}]', "utf-8",
        {"CAT": 70, "CUB": 5}, "JSON",
    ),
    "JSON pairs in an object": ('{"words": [["cat", 70], ["cub", 5]]}', "utf-8", {"CAT": 70, "CUB": 5}, "JSON"),
    "JSON lines": ('{"word": "cat", "count": 7}\n{"word": "cub", "count": 5}\n', "utf-8", {"CAT": 7, "CUB": 5}, "JSON"),
    "Polish in Windows-1250": ("żółw;70\nśnieg;60\nłódka;50\n", "cp1250", {"ŻÓŁW": 70, "ŚNIEG": 60, "ŁÓDKA": 50}, "Windows-1250"),
    "Russian in Windows-1251": ("кот\nслово\nёж\n", "cp1251", {"КОТ": 50, "СЛОВО": 50, "ЁЖ": 50}, "Windows-1251"),
    "French of a Mac": ("forêt\nélan\ngarçon\ncafé\n", "mac_roman", {"FORÊT": 50, "ÉLAN": 50, "GARÇON": 50, "CAFÉ": 50}, "Mac Roman"),
    "Greek in UTF-16 without a mark": ("λέξη\nκαι\n", "utf-16-le", {"ΛΕΞΗ": 50, "ΚΑΙ": 50}, "UTF-16"),
    "Turkish": ("ışık\nisim\nİzmir\n", "cp1254", {"IŞIK": 50, "İSİM": 50, "İZMİR": 50}, "Turkish"),
    "Hindi": ("हिन्दी\nनगर\n", "utf-8", {"हिन्दी": 50, "नगर": 50}, ""),
    "Tamil, Thai and Burmese": ("தமிழ்\nกี่น้ำ\nမြန်မာ\n", "utf-8", {"தமிழ்": 50, "กี่น้ำ": 50, "မြန်မာ": 50}, ""),
    "Korean, decomposed": ("\u1112\u1161\u11ab\u1100\u116e\u11a8\n", "utf-8", {"한국": 50}, ""),
    "Hebrew and Arabic with points": ("שָׁלוֹם\nمَرْحَبًا\n", "utf-8", {"שלום": 50, "مرحبا": 50}, ""),
    "German capitals": ("Straße\nGROẞ\nMaß\n", "utf-8", {"STRASSE": 50, "GROSS": 50, "MASS": 50}, ""),
    "digits are letters": ("7up\nR2D2\ncat\n", "utf-8", {"7UP": 50, "R2D2": 50, "CAT": 50}, ""),
    "two-line phrases stay": ("Apollo 13\nCatch 22\ncat\n", "utf-8", {"APOLLO13": 50, "CATCH22": 50, "CAT": 50}, ""),
}  # fmt: skip


@pytest.fixture(autouse=True)
def usual_letters() -> Iterator[None]:
    yield
    use_alphabet(Alphabet())
    use_charset(None)


@pytest.mark.parametrize("name", LISTS)
def test_lists(name: str) -> None:
    text, charset, words, noted = LISTS[name]
    found = parse_words([decode_text(Data("list", text.encode(charset)))])
    assert {spell(word): found.vocabulary.score(word) for word in found.vocabulary} == words
    notes = "; ".join(note for _, note in found.notes)
    assert all(part in notes for part in noted.split("; "))
    assert bool(noted) or not notes
    assert found.dropped == ()


# name: (text, words with their clues, words with scores)
LAYOUTS: dict[str, tuple[str, dict[str, str], dict[str, int]]] = {
    "dash, colon, equals": (
        "cat: it purrs\ndog - it barks\ncow = moo\n",
        {"CAT": "it purrs", "DOG": "it barks", "COW": "moo"}, {},
    ),
    "en dash": ("Hund – bellt\nT-Shirt – Kleidung\n", {"HUND": "bellt", "TSHIRT": "Kleidung (1-5)"}, {}),
    "first blank": ("cat It purrs\ntoad Green jumper\n", {"CAT": "It purrs", "TOAD": "Green jumper"}, {}),
    "capitals and prose": ("CAT it purrs\nTOAD green jumper\n", {"CAT": "it purrs", "TOAD": "green jumper"}, {}),
    "spreadsheet": (
        'Word,Clue\ncat,"It ""purrs"", often"\nice cream,Cold: yes\n',
        {"CAT": 'It "purrs", often', "ICECREAM": "Cold: yes (3,5)"}, {},
    ),
    "spreadsheet without headings": (
        "cat,It purrs\ndog,It barks\ncow,Moo\nfox,Red\ntoad,Green\n",
        {"CAT": "It purrs", "DOG": "It barks", "COW": "Moo", "FOX": "Red", "TOAD": "Green"}, {},
    ),
    "comma and blank": ("cat, it purrs\ndog, it barks\n", {"CAT": "it purrs", "DOG": "it barks"}, {}),
    "clues first, Spanish": ("Pista;Palabra\nUn animal;gato\nAgua dulce;río\n", {"GATO": "Un animal", "RÍO": "Agua dulce"}, {}),
    "tabs, quoted": ('cat\t"It ""purrs"""\ndog\tIt barks\n', {"CAT": 'It "purrs"', "DOG": "It barks"}, {}),
    "JSON object": ('{"cat": "It purrs", "7up": "Drink"}', {"CAT": "It purrs", "7UP": "Drink"}, {}),
    "JSON objects": (
        '[{"clue": "It purrs", "answer": "cat"}, {"clue": "Drink", "answer": "tea"}]',
        {"CAT": "It purrs", "TEA": "Drink"}, {},
    ),
    "score and clue": ("cat;70;It purrs\nice cream;80;Cold\n", {"CAT": "It purrs", "ICECREAM": "Cold (3,5)"}, {"CAT": 70, "ICECREAM": 80}),
    "counts": ("cat 11\ncub 9\nbed 8\n", {"CAT": "", "CUB": "", "BED": ""}, {"CAT": 11, "CUB": 9, "BED": 8}),
    "Japanese": ("ねこ：鳴く動物\nいぬ：ほえる動物\n", {"ねこ": "鳴く動物", "いぬ": "ほえる動物"}, {}),
    "phrases stay": ("ice cream\nmake-up\nrock 'n' roll\n", {"ICECREAM": "", "MAKEUP": "", "ROCKNROLL": ""}, {}),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYOUTS)
def test_lists_for_layouts(name: str, tmp_path: Path) -> None:
    text, clues, scores = LAYOUTS[name]
    found = parse_clued_words(Text("list", text))
    assert found.clues == clues
    assert found.scores == scores
    if all(clues.values()) and not scores:  # as a file of clues, it says the same
        (tmp_path / "clues").write_text(text, encoding="utf-8")
        written = {
            line.key.replace("-", ""): line.text for line in read_clues(tmp_path / "clues").clues
        }
        assert written == {
            word: clue.removesuffix(" (3,5)").removesuffix(" (1-5)") for word, clue in clues.items()
        }


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        ("cat11\ncub9\nbed8\ntod7\nfox6\nowl5\n", "6 of 6 entries have digits"),
        ("I saw a cat today\n" * 6, "6 of 6 entries are sentences"),
        ("cat-" * 10 + "\n" + "cub\n" * 6, "1 of 7 entries have 30 letters or more"),
    ],
)
def test_doubts(text: str, noted: str) -> None:
    [(_, note)] = parse_words([Text("list", text)]).notes
    assert note.startswith(f"doubtful: {noted} (first line 1: ")


@pytest.mark.parametrize(
    ("language", "accents", "words"),
    [
        ("de", "auto", {"BÄR", "CAFE", "NINO"}),
        ("de", "spell", {"BÄR", "CAFE", "NINO"}),
        ("", "spell", {"BAER", "CAFE", "NINO"}),
        ("es", "auto", {"BAR", "CAFE", "NIÑO"}),
        ("fr", "auto", {"BAR", "CAFE", "NINO"}),
        ("pl", "auto", {"BÄR", "CAFÉ", "NIÑO"}),
    ],
)
def test_accents_follow_the_language(language: str, accents: str, words: set[str]) -> None:
    use_alphabet(Alphabet(language))
    found = parse_words([Text("list", "Bär\ncafé\nniño\n")], Reading(accents=Accents(accents)))
    assert set(found.vocabulary) == words


def test_digraphs_are_letters_on_demand() -> None:
    use_alphabet(Alphabet("hr", ("LJ", "NJ", "DŽ")))
    found = parse_words([Text("list", "ljubav\ndžep\nkonj\n")]).vocabulary
    assert found.lengths == {3: 2, 5: 1}
    assert {spell(word) for word in found} == {"LJUBAV", "DŽEP", "KONJ"}


def test_an_encoding_is_named() -> None:
    use_charset("cp1257")
    assert set(
        parse_words([decode_text(Data("list", "šuo\nėda\n".encode("cp1257")))]).vocabulary
    ) == {"ŠUO", "ĖDA"}
