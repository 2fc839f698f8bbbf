"""Tell long entries that an editor takes from verb phrases (USEATAPE) and cut idioms (TOTHEBITTER).

Only entries of eight letters and more that CWL50 alone has are in doubt: of the others, one of some
370 that were judged by hand was not taken. `Phrases.features` describes such an entry by its split
into words: whether the words belong together (counts of pairs on the web against those of the
words), how it begins and ends, whether it is a piece of longer entries, whether it stands beside
other forms of the same phrase, and its score in CWL50. A logistic regression (`fit`) weighs these
by the judgements in data/sources/long-entries.txt, and gives each entry a probability.

An entry with less than THRESHOLD gets a score below 60, and so do the entries that were read one
by one and not taken.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log10
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from list_sources import Sources

SHORTEST = 8
SOLID = 60
"""The least score of an entry that an editor takes without a thought."""
THRESHOLD = 0.6
RIDGE = 4.0


def words_in(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


_FUNCTION_WORDS = words_in(
    "A AN THE OF TO FOR AND OR ON WITH FROM AT IN BY INTO UP OUT OFF ABOUT OVER AS THAN THAT "
    "HIS HER MY YOUR ITS THEIR OUR IS ARE WAS"
)
_PRONOUNS = words_in(
    "I YOU HE SHE WE THEY IT IM IVE ILL ID YOURE YOULL ITS THATS LETS DONT CANT WHAT WHO HOW WHY "
    "WHERE WHEN IS ARE AM DO DOES DID"
)
_PREPOSITIONS = words_in(
    "IN ON AT TO OF FOR FROM WITH BY INTO OVER UNDER OFF OUT UP DOWN AS WITHOUT"
)
_DETERMINERS = words_in("A AN THE SOME HIS HER MY YOUR ONES THEIR")
_LIGHT_VERBS = {
    form: forms.split()[0]
    for forms in (
        "MAKE MAKES MADE MAKING",
        "TAKE TAKES TOOK TAKING TAKEN",
        "HAVE HAS HAD HAVING",
        "GET GETS GOT GETTING GOTTEN",
        "GIVE GIVES GAVE GIVING",
        "GO GOES WENT GOING GONE",
        "BE IS ARE WAS BEING AM",
        "PUT PUTS PUTTING",
        "COME COMES CAME COMING",
        "DO DOES DID DOING",
        "KEEP KEEPS KEPT KEEPING",
        "USE USES USED USING PASS PASSED PASSES PASSING HIT HITS EAT EATS ATE RUN RUNS RAN RUNNING"
        " PAY PAYS PAID PAYING LOSE LOST LOSING LEFT LEAVE LEAVES SET SETS HOLD HOLDS HELD HOLDING",
    )
    for form in forms.split()
}
_WEB_TOTAL = 12.0
_UNCOUNTED = 3.0
"""Logarithms of the counts of all words, and of a word that was not counted."""


@dataclass(frozen=True)
class Judgements:
    """The entries of one section of a file of judgements: whether an editor takes them."""

    taken: Mapping[str, bool]

    @property
    def refused(self) -> set[str]:
        """The entries that an editor does not take."""
        return {entry for entry, taken in self.taken.items() if not taken}


def read_judgements(path: Path) -> dict[str, Judgements]:
    """Read entries by section, those with "-" before them not taken; `#` begins a comment."""
    sections: dict[str, dict[str, bool]] = {}
    section: dict[str, bool] = {}
    for line in path.read_text("ascii").splitlines():
        text = line.partition("#")[0].strip()
        if text.startswith("["):
            section = sections.setdefault(text.strip("[]"), {})
        else:
            section |= {entry.lstrip("-"): entry[0] != "-" for entry in text.split()}
    return {name: Judgements(taken) for name, taken in sections.items()}


class Phrases:
    """Describes entries by their words; ``words`` has the words of every entry of the list."""

    def __init__(self, sources: Sources, words: Mapping[str, Sequence[str]]) -> None:
        self._sources, self._words = sources, words
        self._known = {*sources.cwl, *sources.ukacd}
        self._begins: Counter[str] = Counter()
        self._ends: Counter[str] = Counter()
        self._first: Counter[str] = Counter()
        self._last: Counter[str] = Counter()
        self._verbs: defaultdict[str, set[str]] = defaultdict(set)
        for entry in self._known:
            parts = words[entry]
            if len(entry) < SHORTEST or len(parts) < 2:
                continue
            self._first[parts[0]] += 1
            self._last[parts[-1]] += 1
            self._verbs["".join(parts[1:])].add(parts[0])
            for place in range(1, len(parts)):
                self._begins["".join(parts[:place])] += 1
                self._ends["".join(parts[place:])] += 1

    def in_doubt(self, entry: str) -> bool:
        """Return whether an entry is long and in CWL50 alone."""
        sources = self._sources
        return len(entry) >= SHORTEST and entry not in sources.ukacd and entry not in sources.scowl

    def features(self, entry: str, score: int) -> dict[str, float]:
        """Return the values of the features of an entry in doubt that are not 0."""
        words = self._words[entry]
        found = self._evidence(entry, score)
        for number in range(1, 5):
            found[f"{number} words"] = len(words) == number
        found |= self._form(words)
        found |= self._cuts(entry, words)
        if len(words) > 1:
            found |= self._association(words)
        if len(words) == 2:
            found |= self._pair(words)
        return {name: float(value) for name, value in found.items() if value}

    def _evidence(self, entry: str, score: int) -> dict[str, float]:
        cwl, sources = self._sources.cwl[entry], self._sources
        singular = entry[:-1] if entry.endswith("S") else ""
        return {
            "score": (score - SOLID) / 10,
            **{f"CWL {low}+": cwl >= low for low in (51, 60, 70, 80, 90)},
            "CWL odd": cwl % 5 != 0,
            "length": (len(entry) - 11) / 4,
            "WordNet": entry in sources.wordnet,
            "web": max(0.0, sources.web.get(entry, 0.0) - 4),
            "singular": singular in self._known,
            "singular in dictionary": singular in sources.ukacd or singular in sources.wordnet,
        }

    def _form(self, words: Sequence[str]) -> dict[str, float]:
        first, second = words[0], words[1] if len(words) > 2 else ""
        light = _LIGHT_VERBS.get(first)
        determined = second in _DETERMINERS
        return {
            "ends in function word": words[-1] in _FUNCTION_WORDS,
            "function word inside": any(word in _FUNCTION_WORDS for word in words[1:-1]),
            "begins with preposition": first in _PREPOSITIONS,
            "begins with pronoun": first in _PRONOUNS,
            "begins with THE": first == "THE",
            "begins with A": first in ("A", "AN"),
            "begins with -ING": first.endswith("ING"),
            "begins with -ED": first.endswith("ED"),
            "determiner second": determined,
            "light verb": bool(light),
            f"light verb {light}": bool(light),
            "light verb, determiner": bool(light) and determined,
            "light verb, determiner, noun": bool(light) and determined and len(words) == 3,
        }

    def _cuts(self, entry: str, words: Sequence[str]) -> dict[str, float]:
        begins, ends, rest = self._begins[entry], self._ends[entry], "".join(words[1:])
        light = _LIGHT_VERBS.get(words[0])
        siblings = sum(
            verb != words[0]
            and (verb[:3] == words[0][:3] or (bool(light) and _LIGHT_VERBS.get(verb) == light))
            for verb in self._verbs.get(rest, ())
        )
        return {
            "begins an entry": begins >= 1,
            "begins entries": begins >= 2,
            "ends an entry": ends >= 1,
            "ends entries": ends >= 2,
            **{f"{number} other forms": siblings >= number for number in (1, 2, 3)},
            "article before an entry": words[0] in ("THE", "A", "AN") and rest in self._known,
        }

    def _association(self, words: Sequence[str]) -> dict[str, float]:
        pairs, names = self._sources.web_pairs, self._sources.names
        counts = [self._count(word) for word in words]
        gains = [self._gain(*pair) for pair in pairwise(words)]
        counted = [gain for gain in gains if gain is not None]
        complete = len(counted) == len(gains)
        return {
            "pairs not counted": 1 - len(counted) / len(gains),
            "all pairs counted": complete,
            "least gain": min(counted) / 2 if complete else 0,
            "greatest gain": max(counted, default=0.0) / 2,
            "last gain": (gains[-1] or 0.0) / 2,
            "rarest pair": min(pairs[pair] for pair in pairwise(words)) - 5 if complete else 0,
            "rarest word": min(counts) - 7,
            "mean word": sum(counts) / len(counts) - 8,
            "last of many": log10(1 + self._last[words[-1]]),
            "first of many": log10(1 + self._first[words[0]]),
            "name": any(
                word in names and self._sources.scowl_words.get(word, 99) > 50 for word in words
            ),
        }

    def _pair(self, words: Sequence[str]) -> dict[str, float]:
        gain = self._gain(*words)
        return {
            "gain of two": (gain or 0.0) / 2,
            "two, not counted": gain is None,
            "two, plural": words[1][-1] == "S" and words[1][:-1] in self._sources.scowl_words,
            "two, -ING": words[1].endswith("ING"),
            "two, name": not self._sources.names.isdisjoint(words),
        }

    def _count(self, word: str) -> float:
        return self._sources.web.get(word, _UNCOUNTED)

    def _gain(self, first: str, second: str) -> float | None:
        """Return how much commoner a pair is than by chance, as a logarithm; None: not counted."""
        pair = self._sources.web_pairs.get((first, second))
        return (
            None if pair is None else pair - self._count(first) - self._count(second) + _WEB_TOTAL
        )


@dataclass(frozen=True)
class Doubt:
    """The fitted weights of the features, and the entries that were read and not taken."""

    phrases: Phrases
    constant: float
    weights: Mapping[str, float]
    refused: frozenset[str]

    def probability(self, entry: str, score: int) -> float:
        """Return the probability that an editor takes an entry."""
        if not self.phrases.in_doubt(entry):
            return 1.0
        features = self.phrases.features(entry, score)
        total = self.constant + sum(
            self.weights.get(name, 0.0) * value for name, value in features.items()
        )
        return float(1 / (1 + np.exp(-total)))

    def lowered(self, entry: str, score: int) -> int:
        """Return the score, below SOLID if the entry is refused or improbable."""
        if score < SOLID:
            return score
        probability = round(self.probability(entry, score), 6)
        if entry in self.refused:
            return min(score, round(35 + 20 * probability))
        if probability < THRESHOLD:
            return min(score, round(40 + 19 * probability / THRESHOLD))
        return score


def fit(phrases: Phrases, scores: Mapping[str, int], sections: Mapping[str, Judgements]) -> Doubt:
    """Return the weights that explain the judgements of the section "fit" best."""
    judged = {
        entry: taken for entry, taken in sections["fit"].taken.items() if phrases.in_doubt(entry)
    }
    rows = [phrases.features(entry, scores[entry]) for entry in judged]
    names = sorted({name for row in rows for name in row})
    matrix = np.array([[1.0, *(row.get(name, 0.0) for name in names)] for row in rows])
    taken = np.array(list(judged.values()), dtype=float)
    ridge = RIDGE * np.eye(len(names) + 1)
    ridge[0, 0] = 1e-6
    weights = np.zeros(len(names) + 1)
    for _ in range(30):
        chance = 1 / (1 + np.exp(-matrix @ weights))
        slope = matrix.T @ (chance - taken) + ridge @ weights
        curve = (matrix * (chance * (1 - chance))[:, None]).T @ matrix + ridge
        weights -= np.linalg.solve(curve, slope)
    constant, *others = (round(float(weight), 3) for weight in weights)
    refused = sections["fit"].refused | sections["read"].refused
    return Doubt(phrases, constant, dict(zip(names, others, strict=True)), frozenset(refused))


def report(
    doubt: Doubt, before: Mapping[str, int], after: Mapping[str, int], path: Path
) -> Iterator[str]:
    """Yield the weights, and how many of the judged entries are taken, before and after."""
    for name, weight in sorted(doubt.weights.items(), key=lambda pair: pair[1]):
        yield f"{weight:+6.2f}  {name}"
    for name, judged in read_judgements(path).items():
        for when, scores in (("before", before), ("after", after)):
            yield f"{name}, {when}: {_share(judged, scores)}"


def _share(judged: Judgements, scores: Mapping[str, int]) -> str:
    solid = [entry for entry in judged.taken if scores.get(entry, 0) >= SOLID]
    taken = sum(judged.taken[entry] for entry in solid)
    return f"{taken} of {len(solid)} at {SOLID} and more are taken" + (
        f" ({100 * taken / len(solid):.1f} %)" if solid else ""
    )


def changed(before: Mapping[str, int], after: Mapping[str, int]) -> Iterable[str]:
    """Return the entries that fall below SOLID, in alphabetical order."""
    return [entry for entry in before if before[entry] >= SOLID > after[entry]]
