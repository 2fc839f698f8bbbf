"""Build satcross's default word list from CWL50, UKACD18, SCOWL and WordNet.

Usage, from the repository's root, with Debian's packages `scowl` and `wordnet-base` and the Python
package `wordsegment` installed:

    python data/build_default_list.py
        # rebuild english.txt, english-written.txt.gz, english-parts.txt, abbreviations.txt,
        # names.txt, partials.txt, related.txt and both spellings.txt in satcross/resources/
    python data/build_default_list.py --check
        # build in memory and compare with what is there; exit status 1 if any byte differs
    python data/build_default_list.py --report
        # build nothing; print the points, how well they fit, and the list's size by length

Sources (licences: data/LICENSES.md):

    CWL50     data/sources/cwl50.dict.gz: the Collaborative Word List from score 50 up
    UKACD18   data/sources/UKACD18plus.txt.gz: entries as written, with blanks and hyphens
    SCOWL     sizes 10 to 70; larger sizes only say how rare an entry of the others is
    WordNet   adds no entry; says which entries a dictionary has, and how phrases are written
    web       adds no entry; the counts in `wordsegment` say how common words and pairs are

What is kept: every entry that reads as 2 to 25 letters A-Z once accents, blanks, hyphens,
apostrophes and other marks are removed (T-shirt gives TSHIRT). SCOWL's possessives and its
entries with other marks are dropped, since it has no phrases.

The scale: 80 and more is lively, a phrase, a name or a word one is glad to meet; 60 to 79 solid,
a word everybody knows; 50 to 59 publishable, but dull or not known to everybody; 30 to 49 glue,
only to be used where nothing else fits; below 30 obscure.

How an entry gets its score: no source says how lively an entry is, and the sources' own scores
are noisy (CWL50 gives 85,800 entries exactly 50). So data/sources/ratings.txt has entries drawn
at random and rated by hand on the scale above. What the sources say about an entry is put into
yes-or-no signals (`signals`): its band in CWL50, its smallest SCOWL size, whether it is in
UKACD18 and WordNet, its counts on the web, its length, its ending, and the commonness of a
phrase's words. A ridge
regression gives each signal its points (`fit`), and an entry's score is the mean rating plus the
points of its signals, within 1 to 100. Regression draws scores towards the mean; STRETCH undoes
a part of that, so that the bands above hold entries of their kind. `--report` prints the points
and the error on ratings that were left out of the fit.

data/sources/decisions.txt overrules the sum: three-letter entries were gone through one by one,
and others where the sum is plainly wrong. data/sources/tiers.txt gives offensive entries their
tier; a tier changes no score.

More files list entries of a kind: abbreviations.txt abbreviations, initials and acronyms, names.txt
names, partials.txt short pieces of phrases, american-spellings.txt and british-spellings.txt what
is spelt so in one country only. The function of the same name makes each.

The output depends on nothing but the sources: `--check` builds the same bytes on any machine.
satcross/resources/digests.txt records the digests of what was built, and satcross compares them.
The list is packed (satcross/formats/packed.py): one line for each length and tier, with all its
words run together.
"""

from __future__ import annotations

import argparse
import gzip
import io
import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from math import log10
from operator import attrgetter
from pathlib import Path
from typing import ClassVar

import numpy as np
import phrases
from build_scowl_list import DEFAULT_SCOWL, SCOWL_FILE, read_entries, write_atomically
from list_sources import MAX_SCOWL_SIZE, Sources
from phrases import words_in
from segment import Segmenter

from satcross.formats.packed import Run, written
from satcross.formats.regional import SPELLINGS
from satcross.formats.resources import digest_line

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "sources"
LONG_ENTRIES = SOURCES / "long-entries.txt"
RESOURCES = HERE.parent / "satcross" / "resources"
DEFAULT_WORDNET = Path("/usr/share/wordnet")

MIN_LENGTH, MAX_LENGTH = 2, 25
MAX_NAME_SIZE = MAX_ORDINARY_SIZE = 60
PUBLISHABLE, MIN_RELATED = 50, 45
MAX_PARTIAL = 5
MAX_SHORT_PART_SIZE = 20  # words of two letters that are rarer are no parts of phrases
RIDGE = 6.0  # chosen by cross-validation: 3 to 10 differ by less than 0.1 in mean error
STRETCH = 1.4
TIERS: tuple[str, ...] = ("", "mild", "offensive")

_SPELT_OUT = str.maketrans({"Æ": "AE", "Œ": "OE", "Ø": "O", "ß": "SS", "Ł": "L", "Đ": "D"})
_LETTERS = re.compile("[A-Z]+")
_ENDINGS = (
    ("IEST", ("Y",), "EST"),
    ("EST", ("", "E"), "EST"),
    ("NESS", ("",), "NESS"),
    ("IES", ("Y",), "S"),
    ("ES", ("",), "S"),
    ("S", ("",), "S"),
    ("IED", ("Y",), "ED"),
    ("ED", ("", "E"), "ED"),
    ("ING", ("", "E"), "ING"),
    ("IER", ("Y",), "ER"),
    ("ERS", ("", "E"), "ER"),
    ("ER", ("", "E"), "ER"),
    ("LY", ("",), "LY"),
)
_FUNCTION_WORDS = frozenset(
    [
        "A",
        "AN",
        "THE",
        "OF",
        "TO",
        "FOR",
        "AND",
        "OR",
        "ON",
        "WITH",
        "FROM",
        "AT",
        "IN",
        "BY",
        "INTO",
    ]
)  # a phrase that ends so is a piece of one

_LITTLE_IN_NAMES = words_in("of the and de von van la le du")
_LITTLE_IN_PARTIALS = words_in(
    "A AM AN ARE AS AT BE DID DO FOR GET HAD HAS HE HER HIM HIS I IF IN IS IT ITS LET ME MY NO NOT "
    "OF ON OR SO THE TO US WAS WE"
)
_NAMES_LIKE_PARTIALS = words_in("ARKIN AROD ASUS DOERR IDINA IHOP IPADS MOANA ORKIN")
_WORDS_LIKE_PARTIALS = words_in("AMORE IPAS NOSIR OHNO OHMY VENTI")

_WEB_LEVELS = (4.5, 5.0, 5.5, 6.0, 6.5, 7.0, 7.5)
_PAIR_LEVELS = (4.5, 5.0, 5.5, 6.0, 6.5)


def letters_of(entry: str) -> str | None:
    """Return the entry's letters in A-Z capitals; None if it has digits or other alphabets."""
    decomposed = unicodedata.normalize("NFKD", entry.upper().translate(_SPELT_OUT))
    letters = "".join(c for c in decomposed if c.isalnum())
    if not MIN_LENGTH <= len(letters) <= MAX_LENGTH or not _LETTERS.fullmatch(letters):
        return None
    return letters


# --- sources


def read_sources(scowl: Path, wordnet: Path) -> Sources:
    """Read all sources. Raises OSError for one that is missing."""
    sources = Sources()
    with gzip.open(SOURCES / "cwl50.dict.gz", "rt", encoding="ascii") as lines:
        for line in lines:
            entry, score = line.rstrip("\n").split(";")
            letters = letters_of(entry)
            if letters:
                sources.cwl[letters] = int(score)
    with gzip.open(SOURCES / "UKACD18plus.txt.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            letters = letters_of(line)
            if letters:
                sources.ukacd.setdefault(letters, []).append(line.strip())
    read_scowl(scowl, sources)
    read_wordnet(wordnet, sources)
    read_web(sources)
    return sources


def read_scowl(folder: Path, sources: Sources) -> None:
    """Read SCOWL's files. Raises FileNotFoundError if the directory holds none."""
    files = 0
    for path in sorted(folder.iterdir()):
        match = SCOWL_FILE.fullmatch(path.name)
        if match is None:
            continue
        files += 1
        size = int(match["size"])
        is_name = match["category"] in ("upper", "proper-names")
        for entry in read_entries(path):
            letters = letters_of(entry)
            if letters is None:
                continue
            if (is_name and entry.isupper()) or (
                match["category"] == "abbreviations" and size <= MAX_SCOWL_SIZE
            ):
                sources.abbreviations.add(letters)
            elif is_name:
                sources.any_names.add(letters)
                if size <= MAX_NAME_SIZE:
                    sources.names.add(letters)
            sizes = [sources.parts]
            if "'" not in entry:
                sizes.append(sources.scowl)
                if match["category"] == "words":
                    sizes.append(sources.scowl_words)
                    sizes.append(sources.spellings.setdefault(match["spelling"], {}))
            for known in sizes:
                known[letters] = min(size, known.get(letters, size))
    if not files:
        raise FileNotFoundError(f"no SCOWL files in {folder}")


def read_wordnet(folder: Path, sources: Sources) -> None:
    """Read WordNet's lemmas, in their own capitals, and the tag counts of their senses."""
    tagged: defaultdict[str, int] = defaultdict(int)
    for line in (folder / "cntlist.rev").read_text("utf-8").splitlines():
        sense, _, count = line.split()
        letters = letters_of(sense.partition("%")[0])
        if letters:
            tagged[letters] += int(count)
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text("utf-8").splitlines():
            if line.startswith("  "):  # the licence
                continue
            fields = line.split()
            for lemma in fields[4 : 4 + 2 * int(fields[3], 16) : 2]:
                written = re.sub(r"\([a-z]+\)$", "", lemma).replace("_", " ")
                letters = letters_of(written)
                if letters:
                    sources.wordnet.setdefault(letters, (written, tagged[letters]))
                    if sources.wordnet[letters][0].isupper():
                        sources.abbreviations.add(letters)


def read_web(sources: Sources) -> None:
    """Read the counts in the package wordsegment. Raises FileNotFoundError if it is missing."""
    found = find_spec("wordsegment")
    if found is None or found.origin is None:
        raise FileNotFoundError("no package wordsegment: pip install wordsegment")
    folder = Path(found.origin).parent
    for line in (folder / "unigrams.txt").read_text("utf-8").splitlines():
        word, count = line.split("\t")
        letters = letters_of(word)
        if letters:
            sources.web[letters] = max(log10(float(count)), sources.web.get(letters, 0.0))
    for line in (folder / "bigrams.txt").read_text("utf-8").splitlines():
        words, count = line.split("\t")
        first, _, second = words.upper().partition(" ")
        sources.web_pairs[first, second] = log10(float(count))


# --- phrases


class Splitter:
    """Splits entries without blanks into the commonest words that make them up."""

    _COST: ClassVar = {10: 5.0, 20: 6.5, 35: 8.0, 40: 9.0, 50: 10.0, 55: 10.5, 60: 11.0}
    _LONGEST = 15

    def __init__(self, sources: Sources, also: Iterable[str]) -> None:
        self.cost = {"A": 4.0, "I": 5.0}
        for word, size in sources.parts.items():
            if size in self._COST and (len(word) > 2 or size <= 20):
                marked = word not in sources.scowl
                self.cost[word] = self._COST[size] + (2 if marked else 0)
        for word in also:
            self.cost.setdefault(word, self._COST[60])

    def split(self, letters: str) -> list[str]:
        """Return the entry's words; none if it can't be split into known words."""
        best: list[tuple[float, int]] = [(0.0, 0)]
        for end in range(1, len(letters) + 1):
            best.append(
                min(
                    (best[start][0] + self.cost.get(letters[start:end], float("inf")), start)
                    for start in range(max(0, end - self._LONGEST), end)
                )
            )
        if best[-1][0] == float("inf"):
            return []
        words, end = [], len(letters)
        while end:
            start = best[end][1]
            words.append(letters[start:end])
            end = start
        return words[::-1]


def words_of(written: str) -> list[str]:
    """Return the letters of each word of a written form."""
    parts = (unicodedata.normalize("NFKD", part.upper()) for part in re.split(r"[\s\-]+", written))
    words = ("".join(c for c in part if c.isalpha() and c.isascii()) for part in parts)
    return [word for word in words if word]


# --- scores


class Scorer:
    """Gives entries their signals, and their scores once the points are fitted."""

    def __init__(self, sources: Sources, splitter: Splitter) -> None:
        self.sources = sources
        self.splitter = splitter
        self.mean = 0.0
        self.points: dict[str, int] = {}

    def score(self, entry: str) -> int:
        """Return the score, 1 to 100."""
        if len(entry) == 2:  # hardly any is wanted; none was rated
            return 52 if self.sources.scowl_words.get(entry, 99) <= 20 else 30
        total = self.mean + sum(self.points.get(signal, 0) for signal in self.signals(entry))
        return max(1, min(100, round(total)))

    def signals(self, entry: str) -> list[str]:
        """Return the names of the signals that hold for an entry."""
        sources = self.sources
        written = sources.ukacd.get(entry, [])
        spaced = [form for form in written if re.search(r"[\s\-]", form)]
        if spaced and entry not in sources.scowl_words:
            return self._phrase(entry, spaced)
        if len(spaced) < len(written) or entry in sources.scowl:
            return self._word(entry)
        return self._phrase(entry, [])

    def _word(self, entry: str) -> list[str]:
        sources = self.sources
        cwl = cwl_band(self._american_score(entry))
        size = sources.scowl_words.get(entry, 99)
        any_size = sources.scowl.get(entry, 99)
        capitals = all(form[0].isupper() for form in sources.ukacd.get(entry, ["a"]))
        found = ["3 letters"] if len(entry) == 3 else ["12+ letters"] if len(entry) >= 12 else []
        if size == 99 and (any_size <= MAX_SCOWL_SIZE or capitals):
            found += [f"name, SCOWL {scowl_band(any_size)}", f"name, CWL {cwl}"]
            if entry in sources.wordnet:
                found.append("name, WordNet")
            return found + levels("name", sources.web.get(entry, 0.0), _WEB_LEVELS)
        found += [f"word, SCOWL {scowl_band(size)}", f"word, CWL {cwl}"]
        found.append(f"word, {'rare' if size > 60 else 'common'}, CWL {cwl}")
        base = self._base(entry)
        if base is not None:
            of, ending = base
            found.append(f"word in -{ending}")
            if size > 60 and sources.scowl_words[of] <= 60:
                found.append("word, rare, from a common word")
            if sources.wordnet.get(of, ("", 0))[1] >= 3:
                found.append("word from a word tagged in WordNet")
        if entry in sources.wordnet:
            found.append("word, WordNet")
            if sources.wordnet[entry][1]:
                found.append("word, tagged in WordNet")
        return found + levels("word", sources.web.get(entry, 0.0), _WEB_LEVELS)

    def _american_score(self, entry: str) -> int | None:
        """Return the score in CWL50, an American list: for a British spelling, the American's."""
        cwl = self.sources.cwl
        if entry not in cwl and entry in self.sources.ukacd:
            for british, american in SPELLINGS:
                spelling = entry.replace(british, american)
                if spelling != entry and spelling in cwl:
                    return cwl[spelling]
        return cwl.get(entry)

    def _base(self, entry: str) -> tuple[str, str] | None:
        """Return the commonest word that the entry is a form of, and the ending's kind."""
        sizes = self.sources.scowl_words
        bases = []
        for ending, others, kind in _ENDINGS:
            stem = entry.removesuffix(ending)
            if stem == entry or len(stem) < 2:
                continue
            bases += [(stem + other, kind) for other in others]
            if kind in ("ED", "ING", "ER", "EST") and len(stem) > 2 and stem[-1] == stem[-2]:
                bases.append((stem[:-1], kind))
        known = [base for base in bases if base[0] in sizes]
        return min(known, key=lambda base: sizes[base[0]], default=None)

    def _phrase(self, entry: str, spaced: list[str]) -> list[str]:
        sources = self.sources
        score = sources.cwl.get(entry)
        found = [f"phrase, CWL {cwl_band(score)}"]
        if score == 50:
            found.append("phrase, CWL exactly 50")
        if score is not None and 75 <= score < 80:
            found.append("phrase, CWL 75 to 79")
        if spaced:
            hyphened = not any(" " in form for form in spaced)
            found.append(f"phrase, UKACD18, {'hyphens' if hyphened else 'blanks'}")
            if score is not None:
                found.append("phrase, UKACD18 and CWL")
        if entry in sources.wordnet:
            found.append("phrase, WordNet")
            if sources.wordnet[entry][1]:
                found.append("phrase, tagged in WordNet")
        words = words_of(spaced[0]) if spaced else self.splitter.split(entry)
        if not words:
            found.append("phrase of unknown words")
        else:
            if max(sources.parts.get(word, 99) for word in words) <= 35:
                found.append("phrase of words of SCOWL 10-35")
            if len(words) >= 3:
                found.append("phrase of 3+ words")
            if words[-1] in _FUNCTION_WORDS:
                found.append("phrase ending in a function word")
            if len(words) == 2 and words[1][-1] == "S" and words[1][:-1] in sources.scowl_words:
                found.append("phrase of two, plural")
            if len(words) > 1:
                pairs = pairwise(words)
                rarest = min(sources.web_pairs.get(pair, 0.0) for pair in pairs)
                found += levels("phrase of pairs", rarest, _PAIR_LEVELS)
        found += levels("phrase in one word", sources.web.get(entry, 0.0), _WEB_LEVELS[:3])
        length = len(entry)
        if length <= 7 or length >= 14:
            found.append(f"phrase, {'<=4' if length <= 4 else '5-7' if length <= 7 else '14+'}")
        return found


def levels(kind: str, value: float, wanted: Iterable[float]) -> list[str]:
    """Return a signal for each level that a logarithm of a count reaches."""
    return [f"{kind}, web 10^{level:g}" for level in wanted if value >= level]


def cwl_band(score: int | None) -> str:
    """Return the band of a CWL50 score."""
    if score is None:
        return "none"
    return "50-59" if score < 60 else "60-79" if score < 80 else "80+"


def scowl_band(size: int) -> str:
    """Return the band of a SCOWL size; 99 means that SCOWL does not have the word."""
    bands = {20: "10-20", 35: "35", 50: "40-50", 60: "55-60", 70: "70"}
    return next((band for most, band in bands.items() if size <= most), "80+ or none")


@dataclass(frozen=True)
class Fit:
    """Result of a regression: the mean, points by signal, and the error on unseen ratings."""

    mean: float
    points: dict[str, int]
    error: float
    """Mean absolute error in 10-fold cross-validation, of stretched scores."""
    correlation: float


def fit(scorer: Scorer, ratings: dict[str, int]) -> Fit:
    """Fit the points of all signals to the ratings by ridge regression."""
    entries = sorted(ratings)
    signals = [scorer.signals(entry) for entry in entries]
    names = sorted({name for one in signals for name in one})
    rows = np.array([[name in one for name in names] for one in signals], dtype=float)
    wanted = np.array([ratings[entry] for entry in entries], dtype=float)

    def solve(chosen: np.ndarray) -> tuple[float, np.ndarray]:
        x, mean = rows[chosen], wanted[chosen].mean()
        left = x.T @ x + RIDGE * np.eye(len(names))
        return float(mean), STRETCH * np.linalg.solve(left, x.T @ (wanted[chosen] - mean))

    folds = np.random.default_rng(0).permutation(len(entries)) % 10
    predicted = np.zeros(len(entries))
    for fold in range(10):
        mean, weights = solve(folds != fold)
        predicted[folds == fold] = mean + rows[folds == fold] @ weights
    mean, weights = solve(folds >= 0)
    return Fit(
        mean,
        {name: round(float(weight)) for name, weight in zip(names, weights, strict=True)},
        float(np.abs(predicted - wanted).mean()),
        float(np.corrcoef(predicted, wanted)[0, 1]),
    )


def read_scores(path: Path) -> dict[str, int]:
    """Read `ENTRY SCORE` pairs, any number a line; `#` begins a comment."""
    fields = [
        field
        for line in path.read_text("ascii").splitlines()
        for field in line.partition("#")[0].split()
    ]
    return {entry: int(score) for entry, score in zip(fields[::2], fields[1::2], strict=True)}


# --- tiers


class Tiers:
    """The rules of data/sources/tiers.txt."""

    def __init__(self, path: Path) -> None:
        self._words: dict[str, set[str]] = {tier: set() for tier in TIERS[1:]}
        self._entries: dict[str, set[str]] = {tier: set() for tier in TIERS[1:]}
        self._parts: dict[str, list[str]] = {tier: [] for tier in TIERS[1:]}
        self._except: dict[str, set[str]] = {tier: set() for tier in TIERS[1:]}
        self.ordinary: set[str] = set()
        section = ""
        for line in path.read_text("ascii").splitlines():
            text = line.partition("#")[0].strip()
            if text.startswith("["):
                section = text.strip("[]")
                continue
            for rule in text.split():
                letters = re.sub("[^A-Z]", "", rule)
                if section == "ordinary":
                    self.ordinary.add(letters)
                elif rule[0] == "*":
                    self._parts[section].append(letters)
                elif rule[0] == "-":
                    self._except[section].add(letters)
                elif rule[-1] == "!":
                    self._words[section].add(letters)
                elif rule[0] == "=":
                    self._entries[section] |= {letters, letters + "S"}
                else:
                    self._words[section] |= set(forms_of(letters))

    @property
    def words(self) -> set[str]:
        """Every word that has a tier within a phrase."""
        return {word for words in self._words.values() for word in words}

    def tier(self, entry: str, words: Iterable[str]) -> str:
        """Return the tier of an entry that is made of these words."""
        parts = {entry, *words}
        for tier in reversed(TIERS[1:]):
            if entry in self._except[tier]:
                continue
            if (
                entry in self._entries[tier]
                or not parts.isdisjoint(self._words[tier])
                or any(part in entry for part in self._parts[tier])
            ):
                return tier
        return ""


def forms_of(word: str) -> Iterator[str]:
    """Yield a word and its regular forms."""
    yield word
    for ending in ("S", "ES", "ED", "ING", "ER", "ERS"):
        yield word + ending
    if word.endswith("E"):
        yield from (word + "D", word[:-1] + "ING", word + "R", word + "RS")
    if re.search("[^AEIOU][AEIOU][BDGKLMNPRT]$", word):
        yield from (word + word[-1] + ending for ending in ("ED", "ING", "ER", "ERS"))


# --- abbreviations


def abbreviations(sources: Sources) -> list[str]:
    """Return the entries of three to six letters that are abbreviations, in alphabetical order.

    They are marked or written as such (`Sources.abbreviations`), or have no vowel, and are neither
    common words nor names, nor written with a small letter in UKACD18 (laser). Longer ones are
    words by now.
    """
    found = set()
    for entry in sources.entries():
        marked = entry in sources.abbreviations
        voiceless = not set("AEIOUY") & set(entry) and entry not in sources.scowl_words
        written = "".join(sources.ukacd.get(entry, ()))
        if (
            3 <= len(entry) <= 6
            and (marked or voiceless)
            and sources.scowl_words.get(entry, 99) > MAX_ORDINARY_SIZE
            and entry not in sources.names
            and not any(c.islower() for c in written)
        ):
            found.add(entry)
    known = set(sources.entries())
    for line in (SOURCES / "abbreviations.txt").read_text("ascii").splitlines():
        sign, *entries = line.split()
        if sign == "+":
            found |= known.intersection(entries)
        elif sign == "-":
            found.difference_update(entries)
    return sorted(found)


# --- names and partials


def names(built: Built, sources: Sources) -> list[str]:
    """Return the publishable entries that are names, in alphabetical order.

    Every source that writes them begins their words with capitals, and SCOWL has them as no common
    word. Entries of four letters and more in one word that CWL50 alone has are nearly all names:
    people, brands, places (106 of 120 that were looked at).
    """
    initials = set(abbreviations(sources))
    known = sources.any_names | _NAMES_LIKE_PARTIALS
    found = []
    for entry in built.entries:
        word, forms = entry.letters, written_forms(entry.letters, sources)
        if (
            len(word) < 3
            or entry.score < PUBLISHABLE
            or word in initials
            or sources.scowl_words.get(word, 99) <= MAX_ORDINARY_SIZE
            or not all(map(is_capitalised, forms))
        ):
            continue
        alone = len(built.words[word]) == 1 and word not in sources.scowl and len(word) > 3
        if forms or word in known or alone:
            found.append(word)
    return found


def is_capitalised(form: str) -> bool:
    """Whether all words of a written form but little ones begin with a capital."""
    words = [word for word in re.split(r"[\s\-]+", form) if word not in _LITTLE_IN_NAMES]
    return bool(words) and all(word[:1].isupper() for word in words)


def partials(built: Built, sources: Sources) -> list[str]:
    """Return the publishable entries that are short pieces of phrases (I MAY, HAS TO).

    They have up to five letters, a little word among several known ones, and are in no dictionary.
    """
    others = _NAMES_LIKE_PARTIALS | _WORDS_LIKE_PARTIALS
    return [
        entry.letters
        for entry in built.entries
        if len(entry.letters) <= MAX_PARTIAL
        and entry.score >= PUBLISHABLE
        and not written_forms(entry.letters, sources)
        and entry.letters not in sources.scowl
        and entry.letters not in others
        and is_partial(built.words[entry.letters], sources)
    ]


def is_partial(words: Sequence[str], sources: Sources) -> bool:
    """Whether common words have a pronoun, article, preposition or auxiliary among them."""
    known = all(sources.scowl_words.get(word, 99) <= 35 or word in {"A", "I"} for word in words)
    return len(words) > 1 and known and not _LITTLE_IN_PARTIALS.isdisjoint(words)


def written_forms(entry: str, sources: Sources) -> list[str]:
    """Return the ways in which UKACD18 and WordNet write an entry."""
    forms = list(sources.ukacd.get(entry, ()))
    return [*forms, sources.wordnet[entry][0]] if entry in sources.wordnet else forms


# --- spellings

_SPELLINGS = {
    "american": ("american", "english", "variant_1"),
    "british": ("british", "british_z", "english", "british_variant_1"),
}
"""The countries, and the spellings of SCOWL that are usual there; a first variant is."""
_AT_HOME = {"american": ("american", "variant_1"), "british": ("british",)}
"""The spellings whose words are foreign where they are not usual."""
_BRITISH = words_in(
    "FOETID GAOL GAOLS GAOLER GAOLERS LEANT NETT SWOP SWOPPED SWOPS WILFUL WILFULLY"
)
"""Rare in both countries or variants in America by SCOWL, and queried in American fills."""
_ALSO_BRITISH = words_in("COOKY WHISKEY WHISKEYS")
_ALSO_AMERICAN = words_in("AMONGST AXE FLYER FLYERS KAFTAN MATT ONWARDS SPELT SPILT TSAR TSARS")


def foreign_spellings(built: Built, sources: Sources, here: str, there: str) -> list[str]:
    """Return the publishable entries with a word that is spelt so ``there`` but not ``here``."""
    known = sources.names.union(*(sources.spellings[name] for name in _SPELLINGS[here]))
    sizes = [item for name in _AT_HOME[there] for item in sources.spellings[name].items()]
    usual = {word for word, size in sizes if size <= MAX_ORDINARY_SIZE}
    if here == "american":
        known, usual = (known | _ALSO_AMERICAN) - _BRITISH, usual | _BRITISH
    else:
        known |= _ALSO_BRITISH
    foreign = usual - known
    return [
        entry.letters
        for entry in built.entries
        if entry.score >= PUBLISHABLE
        and entry.letters not in known
        and not foreign.isdisjoint(built.words[entry.letters])
    ]


# --- output


def written_form(entry: str, sources: Sources) -> str | None:
    """Return how an entry of several words, or with a mark, is written; None for a plain word."""
    if sources.scowl_words.get(entry, 99) <= MAX_SCOWL_SIZE:
        return None
    forms = list(sources.ukacd.get(entry, ()))
    if not forms and entry in sources.wordnet:
        forms.append(sources.wordnet[entry][0])
    marked = [form for form in forms if re.search(r"[^\w.]", form)]
    return str(marked[0]) if forms and len(marked) == len(forms) else None


def words_of_entries(sources: Sources) -> dict[str, list[str]]:
    """Return the words of every entry, in the order of the entries' letters.

    They are split as UKACD18 or WordNet write them; entries that are there, or in SCOWL, in one
    word are one; others are split into the likeliest words (`segment.py`).
    """
    short = MAX_SHORT_PART_SIZE
    known = {word for word, size in sources.parts.items() if len(word) > 2 or size <= short}
    segmenter = Segmenter(known | {"A", "I"}, sources.web, sources.web_pairs)
    found = {}
    for entry in sources.entries():
        forms = written_forms(entry, sources)
        if forms or entry in sources.scowl:
            spaced = [form for form in forms if re.search(r"[\s\-]", form)]
            words = words_of(spaced[0]) if len(spaced) == len(forms) and spaced else [entry]
        else:
            words = segmenter.split(entry)
        found[entry] = words if "".join(words) == entry else [entry]
    return found


@dataclass(frozen=True)
class Entry:
    """An entry of the list."""

    letters: str
    score: int
    tier: str


@dataclass(frozen=True)
class Built:
    """The list's entries in alphabetical order, and what their scores come from."""

    entries: list[Entry]
    fit: Fit
    scorer: Scorer
    words: dict[str, list[str]]
    doubt: phrases.Doubt
    scores: dict[str, int]
    """The scores of the sum, before those of long entries were lowered."""


def build(sources: Sources) -> Built:
    """Return the list."""
    tiers = Tiers(SOURCES / "tiers.txt")
    splitter = Splitter(sources, tiers.words)
    scorer = Scorer(sources, splitter)
    fitted = fit(scorer, read_scores(SOURCES / "ratings.txt"))
    scorer.mean, scorer.points = fitted.mean, fitted.points
    decided = read_scores(SOURCES / "decisions.txt")
    words = words_of_entries(sources)
    scores = {entry: decided.get(entry) or scorer.score(entry) for entry in words}
    described = phrases.Phrases(sources, words)
    doubt = phrases.fit(described, scores, phrases.read_judgements(LONG_ENTRIES))
    entries = []
    for letters, sum_ in scores.items():
        score = sum_ if letters in decided else doubt.lowered(letters, sum_)
        if letters in sources.ukacd:
            parts = [word for form in sources.ukacd[letters] for word in words_of(form)]
        else:
            parts = [letters] if letters in sources.scowl else splitter.split(letters)
        entries.append(Entry(letters, score, tiers.tier(letters, parts)))
    return Built(entries, fitted, scorer, words, doubt, scores)


def packed(entries: Iterable[Entry]) -> str:
    """Return the list in the packed form that satcross/formats/packed.py reads."""
    runs: defaultdict[tuple[int, int, str], list[str]] = defaultdict(list)
    for entry in entries:
        runs[len(entry.letters), entry.score, entry.tier].append(entry.letters)
    return written(Run(*key, "".join(sorted(words))) for key, words in runs.items())


def compressed(text: str) -> bytes:
    """Return the text in gzip's format, without time or file name."""
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, compresslevel=9, mtime=0) as out:
        out.write(text.encode("utf-8"))
    return buffer.getvalue()


BANDS = ("80+", "60-79", "50-59", "30-49", "<30")
_LOWEST = (80, 60, 50, 30, 0)


def band(score: float) -> int:
    """Return the place of a score's band in BANDS."""
    return next(place for place, low in enumerate(_LOWEST) if score >= low)


def second_look(scorer: Scorer, ratings: dict[str, int]) -> Iterator[str]:
    """Yield, for each band of the fitted scores, how many entries belong there by their ratings.

    An entry that belongs into a neighbouring band counts as right: its score is near a border.
    """
    found: defaultdict[int, list[int]] = defaultdict(list)
    for entry, rating in ratings.items():
        place = band(scorer.score(entry))
        found[place].append(abs(place - band(rating)))
    for place, name in enumerate(BANDS):
        steps = found[place]
        near = sum(step <= 1 for step in steps)
        yield f"{name:6} {len(steps):4} {sum(step == 0 for step in steps):6} {near:12}"
    steps = [step for one in found.values() for step in one]
    yield f"all    {len(steps):4} {steps.count(0):6} {sum(step <= 1 for step in steps):12}"


def shares(entries: Iterable[Entry], sources: Sources) -> Iterator[str]:
    """Yield the shares of the entries, in percent, by source and tier, for each band of scores."""
    kinds: dict[str, Container[str]] = {
        "CWL50": sources.cwl,
        "UKACD18": sources.ukacd,
        "SCOWL": sources.scowl,
    }
    yield "score   entries   share " + "".join(f"{name:>9}" for name in (*kinds, *TIERS[1:]))
    by_band: defaultdict[int, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_band[band(entry.score)].append(entry)
    total = sum(map(len, by_band.values()))
    for place, name in enumerate(BANDS):
        there = by_band[place]
        counts = [sum(one.letters in source for one in there) for source in kinds.values()]
        counts += [sum(one.tier == tier for one in there) for tier in TIERS[1:]]
        yield f"{name:7} {len(there):7,} {100 * len(there) / total:6.1f}% " + "".join(
            f"{100 * count / len(there):8.1f}%" for count in counts
        )


def report(built: Built, sources: Sources) -> None:
    """Print the points, how well they fit, and what the list holds."""
    entries, fitted, scorer = built.entries, built.fit, built.scorer
    print(f"mean rating {fitted.mean:.1f}; on ratings left out of the fit: mean error")
    print(f"{fitted.error:.1f}, correlation {fitted.correlation:.2f}")
    for name, points in fitted.points.items():
        print(f"{points:+4}  {name}")
    print("length  entries     80+   60-79   50-59   30-49     <30    mild  offensive")
    table: defaultdict[int, list[int]] = defaultdict(lambda: [0] * 7)
    for entry in entries:
        row = table[len(entry.letters)]
        row[band(entry.score)] += 1
        if entry.tier:
            row[4 + TIERS.index(entry.tier)] += 1
    for length, row in sorted(table.items()):
        print(f"{length:6} {sum(row[:5]):8,}" + "".join(f"{number:8,}" for number in row))
    totals = [sum(column) for column in zip(*table.values(), strict=True)]
    print(f"   all {len(entries):8,}" + "".join(f"{number:8,}" for number in totals))
    names: dict[str, Container[str]] = {
        "CWL50": sources.cwl,
        "UKACD18": sources.ukacd,
        "SCOWL": sources.scowl,
    }
    for name, source in names.items():
        print(f"{name}: {sum(entry.letters in source for entry in entries):,} of the entries")
    for line in shares(entries, sources):
        print(line)
    print("second look: band of the fitted score, entries, of that band, of that or the next band")
    for line in second_look(scorer, read_scores(SOURCES / "second-look.txt")):
        print(line)
    print("long entries: weights, and judgements")
    after = {entry.letters: entry.score for entry in entries}
    for line in phrases.report(built.doubt, built.scores, after, LONG_ENTRIES):
        print(line)


def joined(entries: Iterable[str]) -> bytes:
    """Return a file with an entry a line."""
    return ("\n".join(entries) + "\n").encode("ascii")


def related(built: Built, sources: Sources) -> Iterator[str]:
    """Yield what entries from 45 up come from: of the judged pairs, those with a word of SCOWL."""
    known = sources.names | {w for w, size in sources.scowl_words.items() if size <= MAX_SCOWL_SIZE}
    scores = {entry.letters: entry.score for entry in built.entries}
    for line in (SOURCES / "related.txt").read_text(encoding="ascii").splitlines():
        word, *parts = line.split()
        kept = [part for part in parts if part in known]
        if kept and scores.get(word, 0) >= MIN_RELATED:
            yield " ".join([word, *kept])


def files(built: Built, sources: Sources) -> dict[str, bytes]:
    """Return the content of each file in satcross/resources, by name."""
    entries = built.entries
    several = [" ".join(words) for words in built.words.values() if len(words) > 1]
    by_letters = sorted(entries, key=attrgetter("letters"))
    written = filter(None, (written_form(one.letters, sources) for one in by_letters))
    return {
        "english.txt": packed(entries).encode("ascii"),
        "english-parts.txt": joined(several),
        "english-written.txt.gz": compressed("\n".join(written) + "\n"),
        "abbreviations.txt": joined(abbreviations(sources)),
        "names.txt": joined(names(built, sources)),
        "partials.txt": joined(partials(built, sources)),
        "related.txt": joined(related(built, sources)),
        "american-spellings.txt": joined(foreign_spellings(built, sources, "british", "american")),
        "british-spellings.txt": joined(foreign_spellings(built, sources, "american", "british")),
    }


def check(built: dict[str, bytes], folder: Path) -> int:
    """Name the files that differ from what was built; return the exit status."""
    differing = [name for name, content in built.items() if (folder / name).read_bytes() != content]
    for name in differing:
        print(f"{folder / name} differs from what the sources give", file=sys.stderr)
    return 1 if differing else 0


def record_digests(built: dict[str, bytes], file: Path) -> None:
    """Put the digests of what was built in the place of those of older files."""
    lines = {line.split()[1]: line for line in file.read_bytes().splitlines()}
    lines |= {name.encode(): digest_line(name, content) for name, content in built.items()}
    write_atomically(file, b"".join(lines[name] + b"\n" for name in sorted(lines)))


def main(argv: list[str] | None = None) -> int:
    """Build the list; return the exit status."""
    parser = argparse.ArgumentParser(
        description="Build the default word list.",
        epilog="example: python data/build_default_list.py --report",
    )
    parser.add_argument("--scowl", type=Path, default=DEFAULT_SCOWL, metavar="DIR")
    parser.add_argument("--wordnet", type=Path, default=DEFAULT_WORDNET, metavar="DIR")
    parser.add_argument("-o", "--output", type=Path, default=RESOURCES, metavar="DIR")
    parser.add_argument(
        "--check", action="store_true", help="compare with what is there; write nothing"
    )
    parser.add_argument("--report", action="store_true", help="print figures; write nothing")
    options = parser.parse_args(argv)
    try:
        sources = read_sources(options.scowl, options.wordnet)
        built = build(sources)
        if options.report:
            report(built, sources)
            return 0
        contents = files(built, sources)
        if options.check:
            return check(contents, options.output)
        for name, content in contents.items():
            write_atomically(options.output / name, content)
        if options.output == RESOURCES:
            record_digests(contents, RESOURCES / "digests.txt")
    except OSError as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        return 2
    print(f"{len(built.entries):,} entries", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
