"""WordNet as a source: words related to words of the clue, and words with similar glosses."""

from __future__ import annotations

from collections.abc import Sequence

from satcross.answer.clue import SourceSettings
from satcross.answer.dictionaries import store
from satcross.answer.dictionaries.full_text import full_text_search, match_any, select_in
from satcross.answer.language.parse_clue import STOPWORDS, ParsedClue, parse_text
from satcross.answer.sources.dictionary_source import DictionarySource
from satcross.answer.sources.nearby import add_nearby
from satcross.answer.sources.proposals import Proposals, Term, terms

NAME = "wordnet"

_MAX_BELOW = 3000  # synsets below one, in all
_MAX_SENSES = 8
_MAX_GLOSSES = 400
_NEAR = {
    "similar": "similar",
    "also": "similar",
    "group": "similar",
    "attribute": "similar",
    "entails": "similar",
    "causes": "similar",
    "hypernym": "above",
    "instance-hypernym": "above",
    "part": "part",
    "domain": "domain",
    "domain-member": "domain",
}
_OPPOSITE = frozenset(("opposite", "not", "antonym", "reverse", "counterpart", "contrary"))
_RELATION_NOTES = {
    "same": "synonym of",
    "similar": "near",
    "above": "what is",
    "part": "part of or with",
    "domain": "of the field of",
    "below": "a kind of",
    "deep": "a kind of",
    "sister": "beside",
    "antonym": "opposite of",
    "derived": "from",
    "gloss": "in the gloss of",
}


class WordNetSource(DictionarySource):
    """Proposes synonyms, hypernyms, hyponyms, antonyms, derived words, and gloss matches."""

    name = NAME

    def collect(self, parsed: ParsedClue, found: Proposals) -> None:
        opposite = bool(_OPPOSITE & set(parsed.words))
        for term in terms(parsed):
            self._look_up(term, opposite, found)
        rows = self._search(parsed, found)
        add_nearby(self._connection, "gloss", parsed, rows, found, NAME)

    def _look_up(self, term: Term, opposite: bool, found: Proposals) -> None:
        query = "SELECT DISTINCT synset, min(rank) FROM sense WHERE lemma = ? GROUP BY synset"
        senses = list(self._connection.execute(query + " ORDER BY 2 LIMIT 12", (term.text,)))
        if not senses:
            query = (
                "SELECT synset, min(rank) FROM exception JOIN sense ON sense.lemma = base"
                " AND sense.part = exception.part WHERE form = ? GROUP BY synset ORDER BY 2"
            )
            senses = list(self._connection.execute(query, (term.text,)))
        for synset, rank in senses[:_MAX_SENSES]:
            value = 1 / (1 + 0.2 * rank)
            self._members([synset], "same", term, value, found)
            self._links(synset, term, value, found)
            if term.role != "word":
                self._gloss_words(synset, term, value, found)
        wordlinks = "SELECT relation, other FROM wordlink WHERE lemma = ?"
        for relation, other in self._connection.execute(wordlinks, (term.text,)):
            if relation == "antonym":
                feature = "wordnet.antonym." + ("asked" if opposite else term.role)
                found.add(other, feature, 1.0, f"opposite of {term.text!r}")
            else:
                note = f"from {term.text!r}"
                found.add(other, f"wordnet.derived.{term.role}", 1.0, note)

    def _links(self, synset: int, term: Term, value: float, found: Proposals) -> None:
        query = "SELECT relation, other FROM link WHERE synset = ?"
        above = []
        for relation, other in self._connection.execute(query, (synset,)).fetchall():
            if relation in _NEAR:
                self._members([other], _NEAR[relation], term, value, found)
            if relation in ("hypernym", "instance-hypernym"):
                above.append(other)
        if term.role == "word":
            below = self._below(synset, 1)
        else:
            below = self._below(synset, 8)
            for other in above[:2]:
                beside = [number for number, _ in self._below(other, 1)]
                self._members(beside[:200], "sister", term, value, found)
        near = [number for number, depth in below if depth == 1]
        far = [number for number, depth in below if depth > 1]
        self._members(near, "below", term, value, found)
        self._members(far, "deep", term, value, found)

    def _below(self, synset: int, depth: int) -> list[tuple[int, int]]:
        query = """
            WITH RECURSIVE below (synset, depth) AS (
                VALUES (?, 0)
                UNION
                SELECT other, depth + 1 FROM below JOIN link USING (synset)
                WHERE relation IN ('hyponym', 'instance') AND depth < ?
                LIMIT ?)
            SELECT synset, min(depth) FROM below WHERE depth > 0 GROUP BY synset
            """
        return self._connection.execute(query, (synset, depth, _MAX_BELOW)).fetchall()

    def _members(
        self, synsets: Sequence[int], kind: str, term: Term, value: float, found: Proposals
    ) -> None:
        feature, note = f"wordnet.{kind}.{term.role}", f"{_RELATION_NOTES[kind]} {term.text!r}"
        found.add_all(self._lemmas(synsets), feature, value, note)

    def _lemmas(self, synsets: Sequence[int]) -> list[str]:
        query = "SELECT lemma FROM member WHERE synset IN"
        return [lemma for (lemma,) in select_in(self._connection, query, synsets)]

    def _gloss_words(self, synset: int, term: Term, value: float, found: Proposals) -> None:
        row = self._connection.execute("SELECT text FROM gloss WHERE rowid = ?", (synset,))
        for (text,) in row.fetchall():
            definition = text.partition(";")[0]
            for word in dict.fromkeys(parse_text(definition).content):
                if word not in STOPWORDS:
                    feature, note = f"wordnet.gloss.{term.role}", f"in the gloss of {term.text!r}"
                    found.add(word, feature, value, note)

    def _search(self, parsed: ParsedClue, found: Proposals) -> list[tuple[int, float]]:
        asked = match_any(parsed.content)
        if not asked:
            return []
        rows = full_text_search(self._connection, "gloss", asked, _MAX_GLOSSES)
        features = {
            synset: {"wordnet.search.score": score, "wordnet.search.rank": 1 / (1 + place / 10)}
            for place, (synset, score) in enumerate(rows)
        }
        query = "SELECT synset, lemma FROM member WHERE synset IN"
        for synset, lemma in select_in(self._connection, query, list(features)):
            found.add_features(lemma, features[synset], "similar gloss")
        return rows


def open_source(settings: SourceSettings) -> WordNetSource:
    return WordNetSource(store.open_prepared(NAME, "WordNet"), settings.vocabulary)
