"""Prepare dictionaries: convert their published files to SQLite."""

from __future__ import annotations

import re
import sqlite3
import string
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from satcross.answer.dictionaries import store, wordnet_db
from satcross.answer.sources.registry import load
from satcross.errors import InputError, UnavailableError
from satcross.formats.files import decompress
from satcross.support.packages import Tell


@dataclass(frozen=True, slots=True)
class Dictionary:
    """A dictionary that can be set up; ``make`` takes a folder with its package, or None."""

    title: str
    licence: str
    make: Callable[[Path | None, Tell], Path]


def normal(text: str) -> str:
    """Normalise a word or phrase for look-ups: lower case, single blanks between words."""
    return " ".join(text.lower().replace("-", " ").replace("_", " ").split())


_TEXT_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")


def _write_spread(connection: sqlite3.Connection, texts: Iterable[str]) -> None:
    """Write in how many texts each word occurs (document frequency)."""
    counts = Counter(word for text in texts for word in set(_TEXT_WORD.findall(text.lower())))
    connection.execute("CREATE TABLE spread (word TEXT PRIMARY KEY, texts INTEGER)")
    connection.executemany("INSERT INTO spread VALUES (?, ?)", sorted(counts.items()))


def _index(connection: sqlite3.Connection, **columns: str) -> None:
    """Make an index of a column of each named table."""
    for table, column in columns.items():
        connection.execute(f"CREATE INDEX {table}_by_{column} ON {table} ({column})")


def _prepare(
    name: str, fill: Callable[[sqlite3.Connection, Path], None], given: Path | None, tell: Tell
) -> Path:
    with store.source_files(name, given, tell) as folder:
        return store.prepare(name, lambda connection: fill(connection, folder))


def _make_model(module: str, libraries: Iterable[str], given: Path | None, tell: Tell) -> Path:
    """Set up a model by the module of its source, once its libraries are known to be there.

    Raises UnavailableError for a missing library, before anything is downloaded.
    """
    absent = [library for library in libraries if find_spec(library) is None]
    if absent:
        raise UnavailableError(
            f"{' and '.join(absent)} must be installed first: pip install 'satcross[answer]'"
        )
    make: Callable[[Path | None, Tell], Path] = load(f"{module}:make")
    return make(given, tell)


OPTIONAL = frozenset(("meaning", "language-model"))
"""What is set up only by name: it is large, and needs WordNet and the extra ``answer``."""


def _fill_wordnet(connection: sqlite3.Connection, folder: Path) -> None:
    connection.executescript(
        """
        CREATE TABLE sense (lemma TEXT, part TEXT, rank INTEGER, synset INTEGER);
        CREATE TABLE member (synset INTEGER, lemma TEXT, part TEXT);
        CREATE TABLE link (synset INTEGER, relation TEXT, other INTEGER);
        CREATE TABLE wordlink (lemma TEXT, relation TEXT, other TEXT, part TEXT);
        CREATE TABLE exception (form TEXT, base TEXT, part TEXT);
        CREATE VIRTUAL TABLE gloss USING fts5 (text, tokenize = 'porter unicode61');
        """
    )
    synsets = {synset.key: synset for synset in wordnet_db.synsets(folder)}
    number = {key: place for place, key in enumerate(synsets, 1)}
    for key, synset in synsets.items():
        own = number[key]
        connection.execute("INSERT INTO gloss (rowid, text) VALUES (?, ?)", (own, synset.gloss))
        for lemma in synset.lemmas:
            connection.execute("INSERT INTO member VALUES (?, ?, ?)", (own, lemma, key[0]))
        _fill_links(connection, synset, synsets, number, folder)
    for lemma, part, keys in wordnet_db.sense_order(folder):
        for rank, key in enumerate(keys):
            if key in number:
                row = (normal(lemma), part, rank, number[key])
                connection.execute("INSERT INTO sense VALUES (?, ?, ?, ?)", row)
    connection.executemany("INSERT INTO exception VALUES (?, ?, ?)", wordnet_db.exceptions(folder))
    _write_spread(connection, (synset.gloss for synset in synsets.values()))
    _index(connection, sense="lemma", member="synset", link="synset")
    _index(connection, wordlink="lemma", exception="form")


def _fill_links(
    connection: sqlite3.Connection,
    synset: wordnet_db.Synset,
    synsets: Mapping[str, wordnet_db.Synset],
    number: Mapping[str, int],
    folder: Path,
) -> None:
    """Enter the relations of a synset to other synsets, and of its words to other words."""
    for pointer in synset.pointers:
        if pointer.synset not in number:
            raise InputError(
                f"a pointer to the missing synset {pointer.synset}",
                "get a fresh copy",
                file=str(folder),
            )
        if pointer.source and pointer.target:
            lemma = normal(synset.lemmas[pointer.source - 1])
            other = synsets[pointer.synset].lemmas[pointer.target - 1]
            row = (lemma, pointer.relation, other, pointer.synset[0])
            connection.execute("INSERT INTO wordlink VALUES (?, ?, ?, ?)", row)
        else:
            link = (number[synset.key], pointer.relation, number[pointer.synset])
            connection.execute("INSERT INTO link VALUES (?, ?, ?)", link)


def _fill_moby(connection: sqlite3.Connection, folder: Path) -> None:
    """Enter the words, and what is listed under each and over each, as sorted 32-bit numbers."""
    connection.executescript(
        """
        CREATE TABLE word (number INTEGER PRIMARY KEY, text TEXT, normal TEXT);
        CREATE TABLE entry (number INTEGER PRIMARY KEY, under BLOB, over BLOB);
        CREATE TABLE entries (numbers BLOB);
        """
    )
    numbers: dict[str, int] = {}
    under: defaultdict[int, set[int]] = defaultdict(set)
    over: defaultdict[int, set[int]] = defaultdict(set)
    path = folder / "words.txt"
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            words = list(dict.fromkeys(filter(None, map(str.strip, line.split(",")))))
            found = [numbers.setdefault(word, len(numbers) + 1) for word in words]
            for number in found[1:]:
                under[found[0]].add(number)
                over[number].add(found[0])
    if not numbers:
        raise InputError("no thesaurus", "it has word,synonym,synonym lines", file=str(path))
    words_ = ((number, word, normal(word)) for word, number in numbers.items())
    connection.executemany("INSERT INTO word VALUES (?, ?, ?)", words_)
    entries = ((own, _numbers(under[own]), _numbers(over[own])) for own in numbers.values())
    connection.executemany("INSERT INTO entry VALUES (?, ?, ?)", entries)
    sizes = [0, *(len(over[own]) for own in numbers.values())]
    connection.execute("INSERT INTO entries VALUES (?)", (array("i", sizes).tobytes(),))
    _index(connection, word="normal")


def _numbers(numbers: Iterable[int]) -> bytes:
    return array("i", sorted(numbers)).tobytes()


_NOTICE = re.compile(
    r"\[(?:1913 Webster|PJC|Webster 1913 Suppl\.|WordNet [\d.]+|[A-Z]{2,5})[^]]*\]"
)
_CITED = re.compile(r"--[A-Z][^\n]*")
_SOUND = re.compile(r"\\[^\\\n]{1,60}\\,?")
_ORIGIN = re.compile(r"\[[^]]*(?:See|L\.|F\.|OE\.|AS\.|Gr\.|fr\.|cf\.|Cf\.)[^]]*\]")
_SYNONYMS = re.compile(r"Syn: ?(.*?)(?:\n\s*\n|\Z)", re.DOTALL)


def _fill_gcide(connection: sqlite3.Connection, folder: Path) -> None:
    connection.executescript(
        """
        CREATE TABLE headword (entry INTEGER, text TEXT);
        CREATE TABLE synonym (normal TEXT, text TEXT);
        CREATE VIRTUAL TABLE definition USING fts5 (text, tokenize = 'porter unicode61');
        """
    )
    entries: defaultdict[str, list[str]] = defaultdict(list)
    for word, text in read_dictd(folder / "gcide.index"):
        entries[text].append(word)
    shown = list(map(_clean, entries))
    for number, (text, words) in enumerate(entries.items(), 1):
        row = (number, shown[number - 1])
        connection.execute("INSERT INTO definition (rowid, text) VALUES (?, ?)", row)
        for word in dict.fromkeys(words):
            connection.execute("INSERT INTO headword VALUES (?, ?)", (number, word))
        for block in _SYNONYMS.findall(text):
            # Synonyms belong to the first headword; the others are phrases with it.
            for found in re.split(r"[;,.]", block):
                synonym = " ".join(found.split()).strip("{}")
                if 1 < len(synonym) <= 25 and synonym[0].isalpha():
                    pair = (normal(words[0]), synonym)
                    connection.execute("INSERT INTO synonym VALUES (?, ?)", pair)
    _write_spread(connection, shown)
    _index(connection, headword="entry", synonym="normal")
    _index(connection, headword="text", synonym="text")


def _clean(text: str) -> str:
    """Return the definitions of an entry without sources, pronunciation and etymology."""
    for pattern in (_NOTICE, _CITED, _SOUND, _ORIGIN):
        text = pattern.sub(" ", text)
    return " ".join(text.replace("{", "").replace("}", "").split())


_DIGITS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"


def read_dictd(index: Path) -> Iterator[tuple[str, str]]:
    """Yield (headword, text of the entry) of a dictionary in the format of the DICT server.

    ``NAME.index`` has one line per entry: headword, offset and length in the text, separated by
    tabs, with the numbers in base 64, most significant digit first. ``NAME.dict.dz`` is gzip with
    an extra field for random access; see dictfmt(1), dictzip(1). Raises InputError when a file is
    missing or damaged.
    """
    packed = index.with_suffix(".dict.dz")
    try:
        content = decompress(packed.read_bytes(), str(packed))
        lines = index.read_text("utf-8", "replace").splitlines()
    except OSError as error:
        raise InputError(f"can't be read ({error})", "get a fresh copy", file=str(packed)) from None
    for number, line in enumerate(lines, 1):
        word, *fields = line.split("\t")
        if word.startswith("00-database"):
            continue
        try:
            start, size = map(_number, fields[:2])
        except ValueError:
            raise InputError("no headword, offset, length", file=str(index), line=number) from None
        if start + size > len(content):
            raise InputError("an entry beyond the text's end", file=str(index), line=number)
        yield word, content[start : start + size].decode("utf-8", "replace")


def _number(text: str) -> int:
    value = 0
    for digit in text:
        value = value * 64 + _DIGITS.index(digit)
    return value


DICTIONARIES = {
    "wordnet": Dictionary(
        "WordNet 3.0", "the WordNet licence", partial(_prepare, "wordnet", _fill_wordnet)
    ),
    "moby": Dictionary(
        "the Moby thesaurus", "public domain", partial(_prepare, "moby", _fill_moby)
    ),
    "gcide": Dictionary(
        "GCIDE, the dictionary of 1913 and later", "GPL-3+", partial(_prepare, "gcide", _fill_gcide)
    ),
    "meaning": Dictionary(
        "the sentence encoder all-MiniLM-L6-v2",
        "Apache-2.0",
        partial(_make_model, "meaning", ("onnxruntime", "tokenizers")),
    ),
    "language-model": Dictionary(
        "the language model Gemma 3 270M",
        "the Gemma Terms of Use",
        partial(_make_model, "language_model", ("xllamacpp",)),
    ),
}
