"""The words still possible in each slot, as bitsets, and arc consistency on them.

Candidates of a slot are an int whose bit ``i`` stands for word ``i`` of the slot's lexicon; a
crossing holds the letters still possible in its cell. A letter is supported by a slot when the
slot's bitset meets the letter's mask, so that revising an arc is a few ANDs and ORs on integers.
This is AC-3 (Mackworth 1977) on the hidden-variable form of the puzzle, where the cells' letters
are variables of their own: it reaches the same fixpoint as arc consistency between slots.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from satcross.grid import Cell
from satcross.network.word_rules import WordRules
from satcross.puzzle import Puzzle
from satcross.rules import allowed_words
from satcross.run_settings import NEVER, Deadline
from satcross.support.frozen import frozen
from satcross.vocabulary import Masks, WordGroup

Link = tuple[int, int, Masks, int, Masks]
"""One crossing seen from a slot: crossing, position, own masks, other slot, its masks."""

# Up to this size a slot's words are examined one by one, which is faster than testing letters.
_FEW = 8

FEW_SLOTS = 200
"""Maximum number of slots for which propagation ignores the deadline.

It takes tenths of a second there, and can prove that there is no fill."""

MANY_PEERS = 300
"""If a slot has more peers than this, its word is removed from a peer only once the peer has
``MAX_EAGER_SIZE`` words or fewer.

Removing it from all peers immediately would cost more than all other propagation (on a 101x101
lattice 14 s and 1.2 GB instead of 1 s)."""

MAX_EAGER_SIZE = 100
"""Maximum size of a domain from which a word is removed immediately; see ``MANY_PEERS``."""


@dataclass(slots=True, repr=False)
class State:
    """The candidates at one moment of a search.

    ``domains`` has one bitset per slot, ``sizes`` the number of bits in each, and ``letters`` the
    possible letters of each crossing. Copies share the inner lists, which are replaced and never
    changed. ``taken`` (length -> bitset) has the words of slots with ``MANY_PEERS`` peers: they may
    still be candidates of large slots, but can't be used there.
    """

    domains: list[int]
    sizes: list[int]
    letters: list[list[str]]
    taken: dict[int, int] = field(default_factory=dict)

    def copy(self) -> State:
        return State(self.domains[:], self.sizes[:], self.letters[:], self.taken.copy())


@frozen
class Network:
    """A puzzle compiled for propagation; nothing in it changes during a search.

    ``lexicons`` and ``links`` are per slot; slots of equal length share a lexicon
    (``shared_lexicons``) unless they are ``compacted``. ``peers`` are the slots that may not repeat
    a slot's word (none if the puzzle allows repeats). ``word_rules`` are the rules about several
    words; ``theme`` has the positions (slot, bit) that each required theme word could have;
    ``preferred`` has a bitset per slot. ``cache`` has what compiled code has made of it.
    """

    puzzle: Puzzle
    lexicons: tuple[WordGroup, ...]
    links: tuple[tuple[Link, ...], ...]
    peers: tuple[tuple[int, ...], ...]
    word_rules: WordRules
    theme: tuple[tuple[tuple[int, int], ...], ...]
    preferred: tuple[int, ...]
    shared_lexicons: bool = True
    cache: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def letters(self, state: State) -> dict[Cell, str]:
        """Return the cells that have only one possible letter in the state, with the letter."""
        grid = self.puzzle.grid
        found = {
            crossing.cell: possible[0]
            for crossing, possible in zip(grid.crossings, state.letters, strict=True)
            if len(possible) == 1
        }
        for slot, lexicon, domain, size in zip(
            grid.slots, self.lexicons, state.domains, state.sizes, strict=True
        ):
            if size == 1:
                found.update(zip(slot.cells, lexicon.word(domain.bit_length() - 1), strict=True))
        return found

    @property
    def many_peers(self) -> int:
        """Return the number of peers above which large domains may keep words that are taken."""
        return MANY_PEERS if self.shared_lexicons else len(self.lexicons)

    @property
    def preferred_words(self) -> frozenset[str]:
        """Return the words to try first: required theme words and preferred words."""
        theme = self.word_rules.theme if self.word_rules.min_theme_words else frozenset()
        return self.puzzle.preferred | theme

    def propagate(
        self, state: State, changed: Iterable[int], deadline: Deadline | None = None
    ) -> tuple[int, ...] | None:
        """Restore arc consistency after the domains of the ``changed`` slots have shrunk.

        Changes ``state`` in place. The word of a slot with one candidate is removed from its peers,
        and the words that clash with it from all slots. Returns None, or the slots of a constraint
        that can't be met any more: two slots of which one has no word left, or the slots in which
        too many theme words had their last position. The state is then unusable. With a deadline,
        raises TimeUp when it passes; only the first call on a large puzzle takes long enough to
        need one.
        """
        domains, sizes, letters = state.domains, state.sizes, state.letters
        # slot -> the only crossing through which it changed, which need not be revised
        queue = dict.fromkeys(changed, -1)
        size_of = sizes.__getitem__
        while queue:
            if deadline is not None:
                deadline.check()
            # Smallest first finds a contradiction soonest (half the time of first-in-first-out).
            slot = min(queue, key=size_of)
            came_through = queue.pop(slot)
            domain = domains[slot]
            size = sizes[slot]
            lazy = len(self.peers[slot]) > self.many_peers
            if lazy and size <= MAX_EAGER_SIZE:
                length = self.lexicons[slot].length
                taken = state.taken.get(length, 0)
                if size == 1:
                    state.taken[length] = taken | domain
                elif domain & taken:
                    domain &= ~taken
                    if not domain:
                        return slot, self._holder(state, slot)
                    domains[slot] = domain
                    size = sizes[slot] = domain.bit_count()
                    came_through = -1  # letters may have lost their support there, too
                    if size == 1:
                        state.taken[length] = taken | domain
            few: list[str] = []
            if size <= _FEW:
                length, text = self.lexicons[slot].length, self.lexicons[slot].text
                rest = domain
                while rest:
                    top = rest.bit_length() - 1
                    few.append(text[top * length : (top + 1) * length])
                    rest ^= 1 << top
                if size == 1:
                    lexicon = self.lexicons[slot]
                    for peer in self.peers[slot]:
                        if lazy and sizes[peer] > MAX_EAGER_SIZE:
                            continue
                        theirs = self.lexicons[peer]
                        same = domain if theirs is lexicon else theirs.bit_of(few[0])
                        if domains[peer] & same:
                            domains[peer] ^= same
                            sizes[peer] -= 1
                            if not sizes[peer]:
                                return slot, peer
                            queue[peer] = -1
                    if self.word_rules.clashes:
                        emptied = self._take_clashing(state, slot, few[0], queue)
                        if emptied is not None:
                            return slot, emptied
            for crossing, position, masks, other, other_masks in self.links[slot]:
                if crossing == came_through:
                    continue
                possible = letters[crossing]
                if len(possible) == 1:
                    continue
                if few:
                    seen = {word[position] for word in few}
                    if len(seen) == len(possible):
                        continue
                    kept = [letter for letter in possible if letter in seen]
                else:
                    kept = [letter for letter in possible if domain & masks[letter]]
                    if len(kept) == len(possible):
                        continue
                before = domains[other]
                if 2 * len(kept) <= len(possible):
                    after = 0
                    for letter in kept:
                        after |= other_masks[letter]
                    after &= before
                else:
                    after = before
                    for letter in possible:
                        if letter not in kept:
                            after &= ~other_masks[letter]
                letters[crossing] = kept
                if after != before:
                    if not after:
                        return slot, other
                    domains[other] = after
                    sizes[other] = after.bit_count()
                    queue[other] = -1 if other in queue else crossing
        return self._out_of_theme(domains) if self.word_rules.min_theme_words else None

    def _holder(self, state: State, slot: int) -> int:
        """Return a slot whose only candidate is a candidate of ``slot``, too."""
        domains, sizes = state.domains, state.sizes
        return next(
            peer for peer in self.peers[slot] if sizes[peer] == 1 and domains[peer] & domains[slot]
        )

    def _take_clashing(
        self, state: State, slot: int, word: str, queue: dict[int, int]
    ) -> int | None:
        """Remove words that clash with a slot's word; return a slot that has no word left."""
        domains = state.domains
        for other, lexicon in enumerate(self.lexicons):
            clashing = domains[other] & self.word_rules.clashing(word, lexicon)
            if clashing and other != slot:
                domains[other] ^= clashing
                state.sizes[other] = domains[other].bit_count()
                if not domains[other]:
                    return other
                queue[other] = -1
        return None

    def open_places(self, domains: list[int]) -> list[tuple[int, int]]:
        """Return the possible (slot, bit) positions of the unplaced theme word that has the fewest.

        Empty when enough theme words are placed.
        """
        missing = self.word_rules.min_theme_words
        fewest: list[tuple[int, int]] = []
        for places in self.theme:
            left = [(slot, bit) for slot, bit in places if domains[slot] & bit]
            if any(domains[slot] == bit for slot, bit in left):
                missing -= 1
                if not missing:
                    return []
            elif left and (not fewest or len(left) < len(fewest)):
                fewest = left
        return fewest if missing else []

    def _out_of_theme(self, domains: list[int]) -> tuple[int, ...] | None:
        """Return the slots that theme words have lost if too few theme words still fit."""
        missing = self.word_rules.min_theme_words
        lost: list[int] = []
        for places in self.theme:
            if any(domains[slot] & bit for slot, bit in places):
                missing -= 1
                if not missing:
                    return None
            else:
                lost += [slot for slot, _ in places]
        return tuple(lost) or tuple(range(len(domains)))


@frozen
class Candidates:
    """The candidates that every backend starts from: arc consistent, or ``infeasible``.

    ``wiped_out`` names the slots on which arc consistency failed. ``lacking`` has the theme words
    without a possible slot, if they are too many; the puzzle is then unfillable.
    """

    network: Network
    root: State
    wiped_out: tuple[int, ...] = ()
    lacking: tuple[str, ...] = ()

    @property
    def infeasible(self) -> bool:
        """Whether making them arc consistent has proved that there is no fill."""
        return bool(self.wiped_out or self.lacking)

    def narrowed(self, state: State) -> Candidates:
        """Return the candidates of an arc consistent state, for the same puzzle."""
        return Candidates(self.network, state)

    def __len__(self) -> int:
        return sum(self.root.sizes)

    def words(self, slot: int) -> list[str]:
        """Return the candidates of a slot, best score first."""
        words = self.network.lexicons[slot].words
        return [words[index] for index in bits(self.root.domains[slot])]


def bits(bitset: int) -> Iterator[int]:
    """Yield the indices of the set bits, lowest first."""
    text = bin(bitset)[:1:-1]
    index = text.find("1")
    while index >= 0:
        yield index
        index = text.find("1", index + 1)


def arc_consistent(puzzle: Puzzle, deadline: Deadline = NEVER) -> Candidates:
    """Compile the puzzle and make its candidates arc consistent.

    With more than ``FEW_SLOTS`` slots, raises TimeUp when the deadline passes first; nothing is
    then known about the puzzle.
    """
    if len(puzzle.grid.slots) <= FEW_SLOTS:
        deadline = NEVER
    network, state = compile_network(puzzle, deadline)
    for slot, size in enumerate(state.sizes):
        if not size:
            return Candidates(network, state, (slot,))
    lacking = _lacking(network, state)
    if lacking:
        return Candidates(network, state, (), lacking)
    failed = network.propagate(state, range(len(state.sizes)), deadline) or ()
    lacking = _lacking(network, state) if failed else ()
    return Candidates(network, state, () if lacking else failed, lacking)


def _lacking(network: Network, state: State) -> tuple[str, ...]:
    """Return the theme words that fit no slot, if too few others do."""
    words = sorted(network.word_rules.theme)
    lost = tuple(
        word
        for word, places in zip(words, network.theme, strict=True)
        if not any(state.domains[slot] & bit for slot, bit in places)
    )
    return lost if len(words) - len(lost) < network.word_rules.min_theme_words else ()


def unpropagated(puzzle: Puzzle, deadline: Deadline = NEVER) -> Candidates:
    """Return all words of each slot that its given letters and the rules allow, without crossings.

    Raises TimeUp when the deadline passes.
    """
    return Candidates(*compile_network(puzzle, deadline))


def compacted(candidates: Candidates) -> Candidates:
    """Return the same candidates with a separate lexicon for each slot, without other words.

    If these are few of the words of their length, a search takes half the time; but if words may
    clash (``WordRules``), it takes longer.
    """
    network, root = candidates.network, candidates.root
    lexicons = tuple(map(WordGroup.part, network.lexicons, root.domains))
    masks = {
        (slot, crossing): lexicons[slot].later_masks(position, before)
        for slot, crossed in enumerate(network.links)
        for crossing, position, before, *_ in crossed
    }
    links = tuple(
        tuple(
            (crossing, position, masks[slot, crossing], other, masks[other, crossing])
            for crossing, position, _, other, _ in crossed
        )
        for slot, crossed in enumerate(network.links)
    )
    domains = [lexicon.everything for lexicon in lexicons]
    again = replace(
        network,
        lexicons=lexicons,
        links=links,
        word_rules=WordRules(network.puzzle),  # its cache refers to the old lexicons
        theme=_places(network.word_rules.theme, lexicons, domains),
        preferred=_preferred(network.puzzle, lexicons),
        shared_lexicons=False,
    )
    return replace(candidates, network=again, root=State(domains, root.sizes[:], root.letters[:]))


def compile_network(puzzle: Puzzle, deadline: Deadline = NEVER) -> tuple[Network, State]:
    """Return the network of a puzzle, and the state before propagation.

    Raises TimeUp when the deadline passes.
    """
    grid = puzzle.grid
    by_length = {slot.length: puzzle.lexicon(slot.length) for slot in grid.slots}
    allowed = {length: allowed_words(puzzle, lexicon) for length, lexicon in by_length.items()}
    own = {
        slot.name: allowed_words(puzzle, by_length[slot.length], slot.name)
        for slot in grid.slots
        if slot.name in puzzle.slot_min_scores
    }
    lexicons = tuple(by_length[slot.length] for slot in grid.slots)
    domains = []
    for index, slot in enumerate(grid.slots):
        deadline.check()
        if index in puzzle.fixed_words:
            domain = lexicons[index].bit_of(puzzle.fixed_words[index])
        else:
            domain = own.get(slot.name, allowed[slot.length])
            if slot.name in puzzle.extra_words:
                domain |= lexicons[index].bit_of(puzzle.extra_words[slot.name])
            for position, cell in enumerate(slot.cells):
                if cell in puzzle.fixed_letters:
                    letter = puzzle.fixed_letters[cell]
                    domain &= lexicons[index].masks(position).get(letter, 0)
        domains.append(domain)

    links: list[list[Link]] = [[] for _ in grid.slots]
    letters = []
    for number, crossing in enumerate(grid.crossings):
        deadline.check()
        across, down = crossing.across, crossing.down
        across_masks = lexicons[across].masks(crossing.across_position)
        down_masks = lexicons[down].masks(crossing.down_position)
        if across_masks.keys() != down_masks.keys():
            # Every letter must have a mask on both sides, even an empty one.
            either = sorted(across_masks.keys() | down_masks.keys())
            across_masks = {letter: across_masks.get(letter, 0) for letter in either}
            down_masks = {letter: down_masks.get(letter, 0) for letter in either}
        letters.append(list(across_masks))
        links[across].append((number, crossing.across_position, across_masks, down, down_masks))
        links[down].append((number, crossing.down_position, down_masks, across, across_masks))
    peers: list[tuple[int, ...]] = [()] * len(grid.slots)
    if not puzzle.allow_repeats:
        groups: dict[int, list[int]] = {}
        for index, slot in enumerate(grid.slots):
            groups.setdefault(slot.length, []).append(index)
        for group in groups.values():
            for place, index in enumerate(group):
                deadline.check()
                peers[index] = (*group[:place], *group[place + 1 :])
    word_rules = WordRules(puzzle)
    network = Network(
        puzzle,
        lexicons,
        tuple(map(tuple, links)),
        tuple(peers),
        word_rules,
        _places(word_rules.theme, lexicons, domains),
        _preferred(puzzle, lexicons),
    )
    return network, State(domains, [domain.bit_count() for domain in domains], letters)


def _preferred(puzzle: Puzzle, lexicons: tuple[WordGroup, ...]) -> tuple[int, ...]:
    known = {lexicon: sum(map(lexicon.bit_of, puzzle.preferred)) for lexicon in set(lexicons)}
    return tuple(known[lexicon] for lexicon in lexicons)


def _places(
    words: frozenset[str], lexicons: tuple[WordGroup, ...], domains: list[int]
) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return, for each word in order, the (slot, bit) positions that it may have."""
    return tuple(
        tuple(
            (slot, bit)
            for slot, lexicon in enumerate(lexicons)
            if domains[slot] & (bit := lexicon.bit_of(word))
        )
        for word in sorted(words)
    )
