"""Measure how often the answer is among the best candidates, for each source and for all.

Run: python tests/benchmarks/clue_recall.py [--fitted] [--file FILE.tsv] [--most N]
It measures on the held-out part of clues.tsv; ``--fitted`` on the part the weights were fitted on.
All dictionaries must be set up (satcross sources setup).
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from clue_data import FITTED, OWN, Pair, default_vocabulary, merged, opened, read_pairs

from satcross.clues.clue import Proposal
from satcross.clues.model import intrinsic_features, load_model
from satcross.vocabulary import Vocabulary

TOPS = (1, 10, 100)
_EQUAL = 1e-9


def rank_of(pair: Pair, found: Sequence[Proposal], vocabulary: Vocabulary) -> int:
    """Return the rank of the answer among all words, from 0; a large number if it is missing."""
    group = vocabulary.group(len(pair.answer))
    model = load_model(one.source for one in found)
    proposed = {
        word: model.score({**intrinsic_features(pair.clue, word, group.score_of), **features})
        for word, features in merged(found).items()
    }
    prior = model.prior(pair.clue, group)
    if pair.answer in proposed:
        own = proposed[pair.answer]
    elif pair.answer in group.score_of:
        own = float(prior[group.words.index(pair.answer)])
    else:
        return 10**9
    rest = np.array([word not in proposed for word in group.words], dtype=bool)
    scores = np.concatenate([prior[rest], list(proposed.values())])
    # The middle rank of all words with this value, as their order is arbitrary.
    return int((scores > own + _EQUAL).sum() + ((abs(scores - own) <= _EQUAL).sum() - 1) // 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fitted", action="store_true", help="the part that was fitted on")
    parser.add_argument("--file", type=Path, help="another file of clues; all of it is used")
    parser.add_argument("--most", type=int, help="maximum number of pairs")
    parser.add_argument("--sources", default=",".join(FITTED))
    given = parser.parse_args()
    pairs = read_pairs(given.file or OWN)
    if given.file is None:
        pairs = [pair for pair in pairs if pair.held_out != given.fitted]
    pairs = pairs[: given.most]
    names = given.sources.split(",")
    vocabulary = default_vocabulary()
    sources = opened(names, vocabulary)
    sets: dict[str, tuple[str, ...]] = {"vocabulary alone": ()}
    sets |= {f"{name} alone": (name,) for name in names}
    sets |= {f"all but {name}": tuple(set(names) - {name}) for name in names}
    sets["all"] = tuple(names)
    ranks: defaultdict[str, list[int]] = defaultdict(list)
    seconds: defaultdict[str, float] = defaultdict(float)
    for pair in pairs:
        found: list[Proposal] = []
        for source in sources:
            began = time.perf_counter()
            found += source.candidates(pair.clue, pair.clue.length)
            seconds[source.name] += time.perf_counter() - began
        for title, chosen in sets.items():
            said = [one for one in found if one.source in chosen]
            ranks[title].append(rank_of(pair, said, vocabulary))
    print(f"{len(pairs)} clues; percent with the answer among the first N\n")
    print("| sources | " + " | ".join(f"N = {top}" for top in TOPS) + " | ms a clue |")
    print("|---|" + "---|" * (len(TOPS) + 1))
    for title, places in ranks.items():
        shares = [100 * sum(place < top for place in places) / len(places) for top in TOPS]
        took = 1000 * sum(seconds[name] for name in sets[title]) / len(pairs)
        print(f"| {title} | " + " | ".join(f"{share:.0f}" for share in shares) + f" | {took:.0f} |")


if __name__ == "__main__":
    main()
