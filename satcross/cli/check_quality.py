"""``check --quality``: what an editor would object to in a fill."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from satcross.crossword import Crossword
from satcross.formats.json import quality_to_data
from satcross.formats.packed import default_list, tiers_of
from satcross.outcome import FillQuality
from satcross.puzzle import Puzzle
from satcross.verify import MISSING


def check_quality(
    puzzle: Puzzle, rows: Sequence[Sequence[str]], crossword: Crossword | None = None
) -> tuple[dict[str, object], list[str]] | None:
    """Judge a filled grid, and the clues of the crossword if there is one.

    Returns JSON values, and lines of text, one for each kind of words; None for a grid of another
    shape, and when a letter is missing.
    """
    from satcross.solving.clue_faults import clue_faults
    from satcross.solving.quality import judge

    shape = [len(row) for row in puzzle.grid.rows]
    cells = [cell for slot in puzzle.grid.slots for cell in slot.places]
    if [len(row) for row in rows] != shape or any(rows[r][c] in f"#{MISSING}" for r, c in cells):
        return None
    rebus, vocabulary = dict(puzzle.grid.rebus), puzzle.vocabulary
    fill = {
        slot.name: "".join(rebus.get((r, c)) or rows[r][c] for r, c in slot.places)
        for slot in puzzle.grid.slots
    }
    words, known, quality = sorted({*fill.values()}), tiers_of(default_list()), judge(puzzle, fill)
    listed = [vocabulary.score(word) for word in words if word in vocabulary]
    mean = sum(listed) / max(1, len(listed))
    own = puzzle.exempt_words
    unlisted = [word for word in words if word not in vocabulary and word not in own]
    tiers = {word: known[word] for word in words if word in known}
    faults = [] if crossword is None else list(clue_faults(crossword))
    limited = {e.name: list(e.words) for e in quality.expectations if e.limit is not None}
    data = {**quality_to_data(quality), "mean": mean, "unlisted": unlisted, "limited": limited}
    data |= {"tiers": tiers, **({"clues": list(map(asdict, faults))} if faults else {})}
    lines = [f"scores: lowest {quality.lowest}, mean {mean:.1f}"]
    for title, found in _kinds(quality, unlisted, tiers):
        lines += [f"{title.format(len(found))}: {', '.join(found)}"] if found else []
    return data, lines + [f"clue of {fault.slot}: {fault.text}" for fault in faults]


def _kinds(
    quality: FillQuality, unlisted: Sequence[str], tiers: Mapping[str, str]
) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield what kind of words there are, with a place for their number, and the words."""
    yield "your own: {}", [f"{w} {'in no list' if n is None else n}" for w, n in quality.own]
    yield "in no list: {}", unlisted
    yield "below 50: {}", [f"{word} {score}" for word, score in quality.weak]
    for item in quality.expectations:
        more = " (more than the usual limit)" if item.limit is not None and item.excess else ""
        kind = item.kind if item.limit is None else f"{item.kind}s"
        yield f"{kind}: {{}}{more}", ["/".join(pair) for pair in item.pairs] or item.words
    yield "offensive: {}", [f"{word} ({tier})" for word, tier in tiers.items()]
