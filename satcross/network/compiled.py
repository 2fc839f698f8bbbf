"""The numbers of a puzzle's network that compiled searches work on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any

from satcross.engine.puzzle import CompiledPuzzle
from satcross.network import arc_consistency
from satcross.network.arc_consistency import Network, State

if TYPE_CHECKING:
    from satcross.network.word_rules import WordRules
    from satcross.vocabulary import WordGroup

MAX_LETTERS = 64
_MAX_BYTES = 1 << 30
"""Size of masks above which no tables are made."""

Numbers = dict[str, Any]


def compiled(network: Network, root: State | None) -> CompiledPuzzle | None:
    """Return the tables of a network; None if compiled code does not cover it.

    They are made once for all states of a network, unless words may clash: then only the marks of
    the candidates of ``root`` are listed; none are, without it.
    """
    if root is not None and network.word_rules.clashes:
        return _compile(network, root)
    if "puzzle" not in network.cache:
        network.cache["puzzle"] = _compile(network, None)
    found: CompiledPuzzle | None = network.cache["puzzle"]
    return found


def _compile(network: Network, root: State | None) -> CompiledPuzzle | None:
    columns = {
        (lexicon, link[1]): link[2]
        for lexicon, crossed in zip(network.lexicons, network.links, strict=True)
        for link in crossed
    }
    letters = sorted(set(chain.from_iterable(columns.values())))
    words = [(len(lexicon) + 63) >> 6 for lexicon, _ in columns]
    if len(letters) > MAX_LETTERS or sum(words) * len(letters) * 8 > _MAX_BYTES:
        return None
    lexicons = list(dict.fromkeys(network.lexicons))
    found = {
        **_slots(network, lexicons),
        **_peers(network),
        **link_numbers(network),
        **_letters(network, list(columns), len(letters)),
        **_word_numbers(lexicons),
        **_theme(network),
        "preferred": list(network.preferred) if any(network.preferred) else None,
        "has_clashes": root is not None and network.word_rules.clashes,
        "most_candidates": max(map(len, lexicons), default=0),
    }
    if root is not None and network.word_rules.clashes:
        found |= _clashes(network.word_rules, network.lexicons, root)
    return CompiledPuzzle(network.lexicons, "".join(letters), found, list(columns))


def _slots(network: Network, lexicons: list[WordGroup]) -> Numbers:
    number_of = {lexicon: number for number, lexicon in enumerate(lexicons)}
    words = [(len(lexicon) + 63) >> 6 for lexicon in network.lexicons]
    return {
        "slots": len(network.lexicons),
        "lexicons": len(lexicons),
        "words": sum(words),
        "most_words": max(words, default=1),
        "domain_start": starts(words),
        "domain_words": words,
        "lexicon": [number_of[lexicon] for lexicon in network.lexicons],
    }


def starts(sizes: list[int]) -> list[int]:
    """Return where parts of these sizes begin that lie one after the other, and their end."""
    return [0, *accumulate(sizes)]


def _peers(network: Network) -> Numbers:
    """Slots by groups, of which no two may have the same word."""
    groups: dict[int, list[int]] = {}
    for slot, lexicon in enumerate(network.lexicons):
        groups.setdefault(lexicon.length, []).append(slot)
    start, end = [0] * len(network.lexicons), [0] * len(network.lexicons)
    peers: list[int] = []
    for group in () if network.word_rules.repeats else groups.values():
        for slot in group:
            start[slot], end[slot] = len(peers), len(peers) + len(group)
        peers += group
    return {
        "peer_start": start,
        "peer_end": end,
        "peers": peers,
        "many_peers": network.many_peers,
        "max_eager_size": arc_consistency.MAX_EAGER_SIZE,
    }


def link_numbers(network: Network) -> Numbers:
    """The crossing and the two slots of each link, and the same link from the other slot."""
    links = [(slot, link) for slot, crossed in enumerate(network.links) for link in crossed]
    number_of = {(slot, link[0]): number for number, (slot, link) in enumerate(links)}
    links_of = [-1] * len(links)
    for number, (_, link) in enumerate(links):
        links_of[2 * link[0] + (links_of[2 * link[0]] >= 0)] = number
    sizes = [len(crossed) for crossed in network.links]
    return {
        "links": len(links),
        "crossings": len(links) // 2,
        "most_links": max(sizes, default=0),
        "link_start": starts(sizes),
        "link_slot": [slot for slot, _ in links],
        "link_crossing": [link[0] for _, link in links],
        "link_other": [link[3] for _, link in links],
        "link_back": [number_of[link[3], link[0]] for _, link in links],
        "links_of": links_of,
    }


def _letters(network: Network, columns: list[tuple[WordGroup, int]], letters: int) -> Numbers:
    """Where the masks and the column of each link begin; slots with the same lexicon share them."""
    masks = starts([letters * ((len(lexicon) + 63) >> 6) for lexicon, _ in columns])
    octets = starts([len(lexicon) for lexicon, _ in columns])
    start_of = dict(zip(columns, zip(masks, octets, strict=True), strict=False))
    by_link = [
        start_of[lexicon, link[1]]
        for lexicon, crossed in zip(network.lexicons, network.links, strict=True)
        for link in crossed
    ]
    return {
        "mask_start": [first for first, _ in by_link],
        "column_start": [second for _, second in by_link],
        "mask_words": masks[-1],
        "column_octets": octets[-1],
    }


def _word_numbers(lexicons: list[WordGroup]) -> Numbers:
    """For each lexicon, the numbers of its words, which are the same in every lexicon.

    These are the first number of its length, how many numbers that length has, and for each word
    the number less the first one, or None if that is its index.
    """
    by_length: dict[int, list[WordGroup]] = {}
    for lexicon in lexicons:
        by_length.setdefault(lexicon.length, []).append(lexicon)
    numbers: dict[WordGroup, tuple[int, int, Sequence[int] | None]] = {}
    first = 0
    for same in by_length.values():
        origins = {lexicon.origin[0] for lexicon in same}
        if len(origins) == 1:
            size = len(*origins)
            numbers |= {lexicon: (first, size, lexicon.origin[1]) for lexicon in same}
        else:
            words = dict.fromkeys(chain.from_iterable(lexicon.words for lexicon in same))
            known = {word: index for index, word in enumerate(words)}
            size = len(known)
            for lexicon in same:
                numbers[lexicon] = first, size, [known[word] for word in lexicon.words]
        first += size
    return {
        "lexicon_start": starts([len(lexicon) for lexicon in lexicons]),
        "word_numbers": [numbers[lexicon] for lexicon in lexicons],
    }


def _theme(network: Network) -> Numbers:
    places = list(chain.from_iterable(network.theme))
    return {
        "theme_words": len(network.theme),
        "theme_places": len(places),
        "min_theme_words": network.word_rules.min_theme_words,
        "theme_start": starts([len(where) for where in network.theme]),
        "theme_slot": [slot for slot, _ in places],
        "theme_word": [bit.bit_length() - 1 for _, bit in places],
    }


def _clashes(rules: WordRules, lexicons: tuple[WordGroup, ...], root: State) -> Numbers:
    """Which of the root's candidates share a mark, so that they exclude each other."""
    used = dict.fromkeys(lexicons, 0)
    for lexicon, domain in zip(lexicons, root.domains, strict=True):
        used[lexicon] |= domain
    marks_of: list[list[int]] = []
    exempt: list[bool] = []
    numbers: dict[object, int] = {}
    having: list[list[list[int]]] = []
    for number, (lexicon, domain) in enumerate(used.items()):
        first = len(marks_of)
        marks_of += [[] for _ in lexicon.words]
        exempt += [word in rules.exempt_words for word in lexicon.words]
        indices = (index for index, bit in enumerate(bin(domain)[:1:-1]) if bit == "1")
        for index in indices:
            for mark in sorted(rules.marks(lexicon.words[index])):
                known = numbers.setdefault(mark, len(numbers))
                if known == len(having):
                    having.append([[] for _ in used])
                marks_of[first + index].append(known)
                having[known][number].append(index)
    every = list(chain.from_iterable(having))
    return {
        "mark_start": starts([len(marks) for marks in marks_of]),
        "marks": list(chain.from_iterable(marks_of)),
        "having_start": starts([len(part) for part in every]),
        "having": list(chain.from_iterable(every)),
        "exempt_words": exempt,
    }
