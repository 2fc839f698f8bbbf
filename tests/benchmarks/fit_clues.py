"""Fit the weights and the network that come with satcross on newspaper clues.

    python tests/benchmarks/fit_clues.py FOLDER --work WORK [--keep FILE.pickle] [--write]

FOLDER is laid out as ``newspaper.py`` says. Clues of ``--years`` are answered from a database of
the years before, once from all sources and once from all but the database; three quarters of them
fit the weights, the others measure the gain. A Gaussian prior around 0 holds weights of features
that hardly occur. A further run reproduces the weights but for the last digit or so, because the
weights also choose the words that are compared. ``--keep`` keeps what the sources say for another
run, which then takes seconds. The weights (``resources/clue-model.json``) are fitted by Newton's
method; ``--network`` trains the network (``resources/clue-network.json``) beside the weights that
satcross has.
"""

from __future__ import annotations

import argparse
import json
import pickle
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from clue_fitting import (
    ComparedWords,
    compared_words,
    feature_rows,
    fitted_weights,
    network_rows,
    new_network,
    trained_network,
)
from newspaper import read_papers, write_database, years
from numpy.typing import NDArray

from satcross.answer import model
from satcross.answer.clue import SourceSettings
from satcross.answer.dictionaries.clue_files import OldClue
from satcross.answer.language.tokens import letters
from satcross.answer.sources.clue_database import NAME, learn, with_clue_database
from satcross.formats.resources import default_list_path, digest_line
from satcross.formats.word_cache import read_words

SOURCES = ("wordnet", "moby", "gcide", "short-words")
_MODEL = Path(model.__file__).parents[1] / "resources" / "clue-model.json"
_NETWORK = _MODEL.with_name("clue-network.json")
_SETS = {
    "with clues-db": ("wordnet", "moby", "short-words", NAME),
    "with language-model": (*SOURCES, "language-model"),
    "with neither": SOURCES,
}
_DIGITS = 2


def sample_clues(folder: Path, first: int, last: int, number: int) -> list[OldClue]:
    """Choose clues of some years at random."""
    found = [
        OldClue(letters(answer), text, paper.day.year)
        for paper in read_papers(folder, first, last)
        for answer, text in paper.entries
        if text and len(letters(answer)) > 1
    ]
    return random.Random(1).sample(found, number)


def compare(
    clues: Sequence[OldClue], database: Path, titles: Sequence[str]
) -> dict[str, list[ComparedWords]]:
    """Ask the sources; with the name of each set, return the words compared for each clue."""
    listed = SourceSettings(read_words([default_list_path()]).vocabulary, str(database))
    found = {}
    for title in titles:
        names = _SETS[title]
        settings = with_clue_database(listed, names)
        if settings.clue_index is not None:
            learn(settings.clue_index, lambda line: None)

        def show(line: str, title: str = title) -> None:
            if line.startswith("asking"):
                print(f"{title}: {line}", file=sys.stderr)

        found[title] = list(compared_words(clues, settings, names, show))
    return found


def fit_set(title: str, groups: Sequence[ComparedWords]) -> tuple[dict[str, Any], str]:
    """Fit the weights for a set of sources on three quarters of the clues.

    Returns the entry of the set in the file of weights, and a line of text that compares these
    weights, on the other quarter, with those that come with satcross.
    """
    content = model.model_content()
    cut = len(groups) * 3 // 4
    names = sorted({name for group in groups for row in group.rows for name in row})
    found = fitted_weights(feature_rows(groups[:cut], names))
    shipped = {**content["assumed"], **content[title]["weights"]}
    test = feature_rows(groups[cut:], names)
    old = test.measured(test.inputs @ np.array([shipped.get(name, 0.0) for name in names]))
    new = test.measured(test.inputs @ found)
    return model_entry(title, dict(zip(names, found.tolist(), strict=True))), (
        f"{title:18} {cut:5} {new.clues:7} {new.log_probability:10.3f} ({old.log_probability:.3f})"
        f" {new.first:14.1%} ({old.first:.1%})"
    )


def model_entry(title: str, weights: Mapping[str, float]) -> dict[str, Any]:
    """Return what the file of weights says about a set."""
    rounded = {name: round(weight, _DIGITS) for name, weight in weights.items()}
    return {
        "sources": list(_SETS[title]),
        "weights": {name: weight for name, weight in rounded.items() if weight},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--work", type=Path, default=Path("newspaper-work"))
    parser.add_argument("--years", default="2013-2014", metavar="FIRST-LAST")
    parser.add_argument("--clues", type=int, default=2400)
    parser.add_argument("--set", action="append", choices=_SETS, help="only these weights")
    parser.add_argument("--network", action="store_true", help="train the network instead")
    parser.add_argument("--keep", type=Path, metavar="FILE")
    parser.add_argument("--write", action="store_true", help="write the file of satcross")
    given = parser.parse_args()
    first, last = years(given.years)
    if given.keep and given.keep.exists():
        found = pickle.loads(given.keep.read_bytes())
    else:
        before = given.work / f"clues-to-{first - 1}.tsv"
        database = write_database(given.folder, first - 1, before)
        clues = sample_clues(given.folder, first, last, given.clues)
        titles = ["with clues-db"] if given.network else given.set or list(_SETS)
        found = compare(clues, database, titles)
        if given.keep:
            given.keep.write_bytes(pickle.dumps(found))
    if given.network:
        text = network_text(found["with clues-db"])
        if given.write:
            store(_NETWORK, text)
        return
    content = json.loads(_MODEL.read_text("utf-8"))
    print("set                clues  tested  log-probability (shipped)  first (shipped)")
    for title, groups in found.items():
        entry, line = fit_set(title, groups)
        print(line)
        on = f"{len(groups) * 3 // 4} newspaper clues of {given.years}, database to {first - 1}"
        content[title] = {"fitted on": on, **entry}
    if given.write:
        store(_MODEL, json.dumps(content, indent=1) + "\n")


def network_text(groups: Sequence[ComparedWords]) -> str:
    """Train a network on three quarters of the clues, print what it gains, and return it."""
    cut = len(groups) * 3 // 4
    start = new_network(groups)
    network = trained_network(network_rows(groups[:cut], start), start)
    test = network_rows(groups[cut:], start)
    without, beside = test.measured(np.zeros(1)), test.measured(network.gains(test.inputs))
    print(
        f"network: {cut} clues, {beside.clues} tested, log-probability"
        f" {beside.log_probability:.3f} (without {without.log_probability:.3f}),"
        f" first {beside.first:.1%} ({without.first:.1%})"
    )
    numbers = {key: _rounded(getattr(network, key)) for key in network.__slots__[1:]}
    return json.dumps({"names": network.names, **numbers}) + "\n"


def _rounded(values: NDArray[np.float32]) -> Any:
    """Return numbers with three digits each."""
    if values.ndim > 1:
        return [_rounded(row) for row in values]
    return [float(f"{value:.3g}") for value in values.tolist()]


def store(path: Path, text: str) -> None:
    """Write a file of satcross/resources, and its digest."""
    before = digest_line(path.name, path.read_bytes())
    path.write_text(text, "utf-8")
    digests, after = path.with_name("digests.txt"), digest_line(path.name, path.read_bytes())
    digests.write_bytes(digests.read_bytes().replace(before, after))


if __name__ == "__main__":
    main()
