"""Clause learning on the letters of crossings, with slots as lazily explained tables.

This is the search of ``satcross.backends.sat.letter_search`` as numba compiles it to machine code.
A variable says that a crossing has a letter. Every slot keeps its candidates as a bitset. A letter
that no candidate supports is false, and the last one possible is true; a clause explains this only
when conflict analysis asks for it (lazy clause generation: O. Ohrimenko, P. J. Stuckey and
M. Codish, "Propagation via lazy clause generation", Constraints 14, 2009). Conflict analysis stops
at the first unique implication point (J. P. Marques-Silva and K. A. Sakallah, "GRASP", IEEE
Transactions on Computers 48, 1999). A decision takes the crossing that has few letters left and
took part in many conflicts (after F. Boussemart, F. Hemery, C. Lecoutre and L. Sais, "Boosting
systematic search by weighting constraints", ECAI 2004) and gives it the letter that took part in
the most conflicts lately.

Literals are ``2 * variable``, plus 1 if negated; variables are ``crossing * letters + letter``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from satcross.engine.kernel import (
    Float64s,
    Int32s,
    Int64s,
    UInt8s,
    UInt64s,
    _compiled,
    _count,
    _has,
    _lowest,
    on_addresses,
)

# Return values, the first four of them as in ``kernel``.
BUDGET, FILLED, EXHAUSTED, FULL = 0, 1, 2, 3

# Places in ``Work.ints``.
TRAIL, HEAD, LEVEL, SAVED, SAVED_WORDS, REMOVED, QUEUED, CLAUSES = 0, 1, 2, 3, 4, 5, 6, 7
CONFLICTS, RESTARTS, UNTIL_RESTART, UNTIL_REDUCE, REDUCTIONS = 8, 9, 10, 11, 12
KIND, ARGUMENT, ANTECEDENTS, LEARNED, WORK, CLAUSE_COUNT, DECISIONS = 13, 14, 15, 16, 17, 18, 19
STAMP, GIVEN = 20, 21
# Places in ``Work.floats``.
INCREMENT, WEIGHT_INCREMENT = 0, 1
# Places in ``Tables.ints``.
SLOTS, LETTERS, DISTINCT, RESTART_UNIT, REDUCE_EVERY, REDUCE_LATER = 0, 1, 2, 3, 4, 5
# Places in ``Tables.floats``.
DECAY, WEIGHT_DECAY = 0, 1

# Why a literal is assigned, or what is violated.
NOTHING, CLAUSE, OTHER_LETTER, LAST_LETTER, UNSUPPORTED, ONLY_SUPPORTED, NO_WORD = range(7)
_FROM_OUTSIDE, _ALL_BUT = 7, 8

# A clause is: size, LBD, next clause of each of the two watched literals, whether it was used
# lately; then its literals, of which the first two are watched.
_SIZE, _LBD, _NEXT, _USED, _HEADER = 0, 1, 2, 4, 5

_FEW = 64
"""Up to this many words, the letters of a domain are read word by word."""

_ONE = np.uint64(1)
_ZERO = np.uint64(0)


class Tables(NamedTuple):
    """The arrays that never change during a search."""

    ints: Int64s
    floats: Float64s
    domain_start: Int64s
    domain_words: Int32s
    link_start: Int32s
    link_slot: Int32s
    link_crossing: Int32s
    links_of: Int32s
    mask_start: Int64s
    masks: UInt64s
    column_start: Int64s
    columns: UInt8s
    peer_start: Int32s
    peers: Int32s
    lexicon: Int32s
    lexicon_start: Int64s
    word_ids: Int32s
    index_start: Int64s
    index_of: Int32s


class Work(NamedTuple):
    """The arrays that a search changes."""

    ints: Int64s
    floats: Float64s
    value: Int32s
    level: Int32s
    kind: Int32s
    argument: Int32s
    place: Int32s
    trail: Int32s
    level_trail: Int32s
    level_saved: Int32s
    level_removed: Int32s
    possible: UInt64s
    letter: Int32s
    domains: UInt64s
    root: UInt64s
    stamps: Int32s
    saved_slot: Int32s
    saved_stamp: Int32s
    saved_words: UInt64s
    removed_slot: Int32s
    removed_word: Int32s
    removed_by: Int32s
    removed_place: Int32s
    queue: Int32s
    is_queued: UInt8s
    residues: Int32s
    watched: Int32s
    clauses: Int32s
    activity: Float64s
    weights: Float64s
    seen: UInt8s
    antecedents: Int32s
    learned: Int32s
    explain: Int64s
    rest: UInt64s
    nonzero: Int32s
    level_seen: Int64s
    named: Int64s
    explained: Int64s


@_compiled
def _bump(work: Work, variable: int, crossing: int) -> None:
    work.activity[variable] += work.floats[INCREMENT]
    work.weights[crossing] += work.floats[WEIGHT_INCREMENT]


@_compiled
def _age(tables: Tables, work: Work) -> None:
    """Let activities and weights decay: what is added to them grows."""
    _grow(work, INCREMENT, tables.floats[DECAY], work.activity)
    _grow(work, WEIGHT_INCREMENT, tables.floats[WEIGHT_DECAY], work.weights)


@_compiled
def _grow(work: Work, increment: int, decay: float, added_to: Any) -> None:
    work.floats[increment] /= decay
    if work.floats[increment] > 1e100:
        for k in range(len(added_to)):
            added_to[k] *= 1e-100
        work.floats[increment] *= 1e-100


@_compiled
def _assign(tables: Tables, work: Work, literal: int, kind: int, argument: int) -> None:
    ints = work.ints
    variable = literal >> 1
    crossing = variable // tables.ints[LETTERS]
    letter = variable - crossing * tables.ints[LETTERS]
    if literal & 1:
        work.value[variable] = -1
        work.possible[crossing] &= ~(_ONE << np.uint64(letter))
    else:
        work.value[variable] = 1
        work.letter[crossing] = letter
    work.level[variable] = ints[LEVEL]
    work.kind[variable] = kind
    work.argument[variable] = argument
    work.place[variable] = ints[TRAIL]
    work.trail[ints[TRAIL]] = literal
    ints[TRAIL] += 1


@_compiled
def _save(tables: Tables, work: Work, slot: int) -> None:
    ints = work.ints
    level = ints[LEVEL]
    if level == 0 or work.stamps[slot] == level:
        return
    number = ints[SAVED]
    work.saved_slot[number] = slot
    work.saved_stamp[number] = work.stamps[slot]
    ints[SAVED] = number + 1
    work.stamps[slot] = level
    start, words, top = tables.domain_start[slot], tables.domain_words[slot], ints[SAVED_WORDS]
    for k in range(words):
        work.saved_words[top + k] = work.domains[start + k]
    ints[SAVED_WORDS] = top + words


@_compiled
def _back_to(tables: Tables, work: Work, level: int) -> None:
    """Undo all levels above one."""
    ints = work.ints
    if ints[LEVEL] <= level:
        return
    letters = tables.ints[LETTERS]
    for k in range(ints[TRAIL] - 1, work.level_trail[level + 1] - 1, -1):
        literal = work.trail[k]
        variable = literal >> 1
        crossing = variable // letters
        if literal & 1:
            work.possible[crossing] |= _ONE << np.uint64(variable - crossing * letters)
        else:
            work.letter[crossing] = -1
        work.value[variable] = 0
    ints[TRAIL] = work.level_trail[level + 1]
    ints[HEAD] = ints[TRAIL]
    top = ints[SAVED_WORDS]
    for number in range(ints[SAVED] - 1, work.level_saved[level + 1] - 1, -1):
        slot = work.saved_slot[number]
        work.stamps[slot] = work.saved_stamp[number]
        start, words = tables.domain_start[slot], tables.domain_words[slot]
        top -= words
        for k in range(words):
            work.domains[start + k] = work.saved_words[top + k]
    ints[SAVED_WORDS] = top
    ints[SAVED] = work.level_saved[level + 1]
    ints[REMOVED] = work.level_removed[level + 1]
    for k in range(ints[QUEUED]):
        work.is_queued[work.queue[k]] = 0
    ints[QUEUED] = 0
    ints[LEVEL] = level


@_compiled
def _enqueue(work: Work, slot: int) -> None:
    if not work.is_queued[slot]:
        work.is_queued[slot] = 1
        work.queue[work.ints[QUEUED]] = slot
        work.ints[QUEUED] += 1


@_compiled
def _restrict(tables: Tables, work: Work, link: int, letter: int, has: bool) -> None:
    """Remove the words of a slot that do not have (or have) a letter at a crossing."""
    slot = tables.link_slot[link]
    start, words = tables.domain_start[slot], tables.domain_words[slot]
    mask = tables.mask_start[link] + letter * words
    changes = False
    for k in range(words):
        here = tables.masks[mask + k]
        if not has:
            here = ~here
        if work.domains[start + k] & ~here:
            changes = True
            break
    if not changes:
        return
    _save(tables, work, slot)
    for k in range(words):
        here = tables.masks[mask + k]
        if not has:
            here = ~here
        work.domains[start + k] &= here
    _enqueue(work, slot)


@_compiled
def _is(work: Work, literal: int) -> int:
    """Return 1, -1 or 0: the literal is true, false or unassigned."""
    value = np.int64(work.value[literal >> 1])
    return int(-value if literal & 1 else value)


@_compiled
def _follow_clauses(tables: Tables, work: Work, false: int) -> bool:
    """Propagate through the clauses that watch a literal which is now false."""
    clauses = work.clauses
    before = -1
    node = work.watched[false]
    while node >= 0:
        clause, side = node >> 1, node & 1
        following = clauses[clause + _NEXT + side]
        first = clause + _HEADER
        other = clauses[first + 1 - side]
        state = _is(work, other)
        if state > 0:
            before, node = node, following
            continue
        moved = False
        for k in range(first + 2, first + clauses[clause + _SIZE]):
            candidate = clauses[k]
            if _is(work, candidate) >= 0:
                clauses[k] = false
                clauses[first + side] = candidate
                clauses[clause + _NEXT + side] = work.watched[candidate]
                work.watched[candidate] = node
                if before < 0:
                    work.watched[false] = following
                else:
                    clauses[(before >> 1) + _NEXT + (before & 1)] = following
                moved = True
                break
        if moved:
            node = following
            continue
        if state < 0:
            work.ints[KIND], work.ints[ARGUMENT] = CLAUSE, clause
            return False
        _assign(tables, work, other, CLAUSE, clause)
        before, node = node, following
    return True


@_compiled
def _follow_letters(tables: Tables, work: Work) -> bool:
    """Propagate all literals of the trail through clauses and cells, and take words from slots."""
    ints, letters = work.ints, tables.ints[LETTERS]
    while ints[HEAD] < ints[TRAIL]:
        literal = work.trail[ints[HEAD]]
        ints[HEAD] += 1
        variable = literal >> 1
        crossing = variable // letters
        letter = variable - crossing * letters
        if literal & 1:
            if work.letter[crossing] < 0:
                rest = work.possible[crossing]
                if rest == _ZERO:
                    ints[KIND], ints[ARGUMENT] = LAST_LETTER, crossing
                    return False
                if rest & (rest - _ONE) == _ZERO:
                    last = crossing * letters + np.int64(_lowest(rest))
                    _assign(tables, work, 2 * last, LAST_LETTER, crossing)
        else:
            rest = work.possible[crossing] & ~(_ONE << np.uint64(letter))
            while rest:
                other = crossing * letters + np.int64(_lowest(rest))
                rest &= rest - _ONE
                if work.value[other] > 0:
                    ints[KIND], ints[ARGUMENT] = OTHER_LETTER, variable
                    ints[ANTECEDENTS] = other
                    return False
                _assign(tables, work, 2 * other + 1, OTHER_LETTER, variable)
        for side in range(2):
            link = tables.links_of[2 * crossing + side]
            if link >= 0:
                if not literal & 1:
                    _restrict(tables, work, link, letter, True)
                elif work.letter[crossing] < 0:
                    _restrict(tables, work, link, letter, False)
        if not _follow_clauses(tables, work, literal ^ 1):
            return False
    return True


@_compiled
def _spread(tables: Tables, work: Work, slot: int) -> int:
    """Put the places of a domain's 64-bit words that are not zero into ``nonzero``; count them."""
    start, words = tables.domain_start[slot], tables.domain_words[slot]
    count = 0
    for k in range(words):
        work.nonzero[count] = k
        if work.domains[start + k]:
            count += 1
    return count


@_compiled
def _take_from_peers(tables: Tables, work: Work, slot: int, word: int) -> None:
    """Remove a slot's only word from the slots that may not repeat it."""
    ints = work.ints
    lexicon = tables.lexicon[slot]
    number = tables.word_ids[tables.lexicon_start[lexicon] + word]
    for k in range(tables.peer_start[slot], tables.peer_start[slot + 1]):
        peer = tables.peers[k]
        other = tables.lexicon[peer]
        index = word
        if other != lexicon:
            index = tables.index_of[tables.index_start[other] + number]
        if index < 0:
            continue
        start = tables.domain_start[peer]
        if not _has(work.domains, start, index):
            continue
        _save(tables, work, peer)
        work.domains[start + (index >> 6)] &= ~(_ONE << np.uint64(index & 63))
        at = ints[REMOVED]
        work.removed_slot[at], work.removed_word[at] = peer, index
        work.removed_by[at], work.removed_place[at] = slot, ints[TRAIL]
        ints[REMOVED] = at + 1
        _enqueue(work, peer)


@_compiled
def _supported(tables: Tables, work: Work, link: int, count: int, few: bool) -> Any:
    """Return the possible letters that words of a slot's domain have at a crossing.

    ``nonzero`` has the ``count`` places of the domain that are not zero; with ``few``, the words
    are read one by one.
    """
    slot = tables.link_slot[link]
    start, words = tables.domain_start[slot], tables.domain_words[slot]
    kept = _ZERO
    if few:
        column = tables.column_start[link]
        for k in range(count):
            at = work.nonzero[k]
            rest = work.domains[start + at]
            while rest:
                kept |= _ONE << np.uint64(tables.columns[column + (at << 6) + _lowest(rest)])
                rest &= rest - _ONE
        return kept
    rest = work.possible[tables.link_crossing[link]]
    while rest:
        letter = np.int64(_lowest(rest))
        rest &= rest - _ONE
        mask = tables.mask_start[link] + letter * words
        residue = work.residues[(link << 6) + letter]
        if work.domains[start + residue] & tables.masks[mask + residue]:
            kept |= _ONE << np.uint64(letter)
            continue
        for k in range(count):
            at = work.nonzero[k]
            if work.domains[start + at] & tables.masks[mask + at]:
                work.residues[(link << 6) + letter] = at
                kept |= _ONE << np.uint64(letter)
                break
    return kept


@_compiled
def _revise(tables: Tables, work: Work, slot: int) -> bool:
    """Assign what follows from a slot's candidates; False if there is none."""
    ints, letters = work.ints, tables.ints[LETTERS]
    start = tables.domain_start[slot]
    count = _spread(tables, work, slot)
    ints[WORK] += tables.domain_words[slot]
    if count == 0:
        ints[KIND], ints[ARGUMENT] = NO_WORD, slot
        return False
    size = 0
    for k in range(count):
        size += int(_count(work.domains[start + work.nonzero[k]]))
        if size > _FEW:
            break
    few = size <= _FEW
    if size == 1 and tables.ints[DISTINCT]:
        at = work.nonzero[0]
        word = (int(at) << 6) + int(_lowest(work.domains[start + at]))
        _take_from_peers(tables, work, slot, word)
    for link in range(tables.link_start[slot], tables.link_start[slot + 1]):
        crossing = tables.link_crossing[link]
        if work.letter[crossing] >= 0:
            continue
        ints[WORK] += count
        kept = _supported(tables, work, link, count, few)
        if kept & (kept - _ONE) == _ZERO:
            only = np.int64(_lowest(kept))
            _assign(tables, work, 2 * (crossing * letters + only), ONLY_SUPPORTED, link)
            continue
        rest = work.possible[crossing] & ~kept
        while rest:
            letter = np.int64(_lowest(rest))
            rest &= rest - _ONE
            _assign(tables, work, 2 * (crossing * letters + letter) + 1, UNSUPPORTED, link)
    return True


@_compiled
def _propagate(tables: Tables, work: Work) -> bool:
    """Propagate to the end; False if something is violated, which KIND and ARGUMENT say."""
    ints = work.ints
    while True:
        if not _follow_letters(tables, work):
            return False
        if ints[QUEUED] == 0:
            return True
        best = 0
        for k in range(1, ints[QUEUED]):
            if tables.domain_words[work.queue[k]] < tables.domain_words[work.queue[best]]:
                best = k
        slot = work.queue[best]
        ints[QUEUED] -= 1
        work.queue[best] = work.queue[ints[QUEUED]]
        work.is_queued[slot] = 0
        if not _revise(tables, work, slot):
            return False


@_compiled
def _name(work: Work, variable: int) -> None:
    if work.named[variable] == work.ints[STAMP]:
        return
    work.named[variable] = work.ints[STAMP]
    work.antecedents[work.ints[ANTECEDENTS]] = variable
    work.ints[ANTECEDENTS] += 1


@_compiled
def _is_free(work: Work, variable: int) -> bool:
    """Whether naming an assignment costs nothing: it holds for good, or is named already."""
    return bool(
        work.level[variable] == 0 or work.seen[variable] or work.named[variable] == work.ints[STAMP]
    )


@_compiled
def _filter(work: Work, tables: Tables, mask: int, has: bool, count: int) -> int:
    """Keep the words of ``rest`` that have (or do not have) a letter; return the new count."""
    kept = 0
    for k in range(count):
        at = work.nonzero[k]
        here = tables.masks[mask + at]
        if not has:
            here = ~here
        left = work.rest[at] & here
        work.rest[at] = left
        if left:
            work.nonzero[kept] = at
            kept += 1
    return kept


@_compiled
def _left(work: Work, tables: Tables, mask: int, has: bool, count: int) -> int:
    """Count the words of ``rest`` that have (or do not have) a letter."""
    number = 0
    for k in range(count):
        at = work.nonzero[k]
        here = tables.masks[mask + at]
        if not has:
            here = ~here
        number += int(_count(work.rest[at] & here))
    return number


@_compiled
def _explain(tables: Tables, work: Work) -> None:
    """Name assignments that together exclude words, as the stack of explanations asks.

    An entry of the stack is (slot, kind, link, letter or word, place): what is named was assigned
    before that place of the trail.
    """
    letters = tables.ints[LETTERS]
    stack = work.explain
    depth = 1
    while depth > 0:
        depth -= 1
        slot, kind = stack[5 * depth], stack[5 * depth + 1]
        link, which, place = stack[5 * depth + 2], stack[5 * depth + 3], stack[5 * depth + 4]
        start, words = tables.domain_start[slot], tables.domain_words[slot]
        count = 0
        for k in range(words):
            rest = work.root[start + k]
            if kind == UNSUPPORTED:
                rest &= tables.masks[tables.mask_start[link] + which * words + k]
            elif kind == ONLY_SUPPORTED:
                rest &= ~tables.masks[tables.mask_start[link] + which * words + k]
            elif kind == _ALL_BUT and which >> 6 == k:
                rest &= ~(_ONE << np.uint64(which & 63))
            work.rest[k] = rest
            if rest:
                work.nonzero[count] = k
                count += 1
        first, end = tables.link_start[slot], tables.link_start[slot + 1]
        work.ints[WORK] += words * (end - first)
        # Letters that are named already cost nothing.
        for other in range(first, end):
            crossing = tables.link_crossing[other]
            letter = work.letter[crossing]
            if letter >= 0:
                variable = crossing * letters + letter
                if work.place[variable] < place and _is_free(work, variable):
                    count = _filter(
                        work, tables, tables.mask_start[other] + letter * words, True, count
                    )
        while count > 0:
            best, least, now = -1, 0, 0
            for k in range(count):
                now += int(_count(work.rest[work.nonzero[k]]))
            least = now
            for other in range(first, end):
                crossing = tables.link_crossing[other]
                letter = work.letter[crossing]
                if letter < 0 or work.place[crossing * letters + letter] >= place:
                    continue
                left = _left(work, tables, tables.mask_start[other] + letter * words, True, count)
                if left < least:
                    best, least = other, left
            if best < 0:
                break
            crossing = tables.link_crossing[best]
            letter = work.letter[crossing]
            _name(work, crossing * letters + letter)
            count = _filter(work, tables, tables.mask_start[best] + letter * words, True, count)
        while count > 0:
            at = work.nonzero[0]
            word = (at << 6) + np.int64(_lowest(work.rest[at]))
            best, least = -1, 1 << 40
            for other in range(first, end):
                crossing = tables.link_crossing[other]
                letter = np.int64(tables.columns[tables.column_start[other] + word])
                variable = crossing * letters + letter
                if work.value[variable] >= 0 or work.place[variable] >= place:
                    continue
                if _is_free(work, variable):
                    best = other
                    break
                left = _left(work, tables, tables.mask_start[other] + letter * words, False, count)
                if left < least:
                    best, least = other, left
            if best >= 0:
                letter = np.int64(tables.columns[tables.column_start[best] + word])
                _name(work, tables.link_crossing[best] * letters + letter)
                count = _filter(
                    work, tables, tables.mask_start[best] + letter * words, False, count
                )
                continue
            # Another slot has this word.
            work.rest[at] &= work.rest[at] - _ONE
            if work.rest[at] == _ZERO:
                count -= 1
                work.nonzero[0] = work.nonzero[count]
            for number in range(work.ints[REMOVED]):
                if (
                    work.removed_slot[number] == slot
                    and work.removed_word[number] == word
                    and work.removed_place[number] <= place
                ):
                    by = work.removed_by[number]
                    if work.explained[by] == work.ints[STAMP]:
                        break
                    work.explained[by] = work.ints[STAMP]
                    mine, its = tables.lexicon[slot], tables.lexicon[by]
                    index = word
                    if mine != its:
                        identity = tables.word_ids[tables.lexicon_start[mine] + word]
                        index = tables.index_of[tables.index_start[its] + identity]
                    stack[5 * depth], stack[5 * depth + 1] = by, _ALL_BUT
                    stack[5 * depth + 2], stack[5 * depth + 3] = -1, index
                    stack[5 * depth + 4] = work.removed_place[number]
                    depth += 1
                    break
        # ``rest`` is empty now; an entry that was put on the stack begins anew.


@_compiled
def _name_antecedents(tables: Tables, work: Work, variable: int) -> None:
    """Name the variables whose assignments imply a variable's, or the violation (-1)."""
    ints, letters = work.ints, tables.ints[LETTERS]
    if variable < 0:
        kind, argument, place = ints[KIND], ints[ARGUMENT], ints[TRAIL]
    else:
        kind, argument = np.int64(work.kind[variable]), np.int64(work.argument[variable])
        place = np.int64(work.place[variable])
    other = ints[ANTECEDENTS]
    ints[ANTECEDENTS] = 0
    ints[STAMP] += 1
    if kind == CLAUSE:
        work.clauses[argument + _USED] = 1
        first = argument + _HEADER
        for k in range(first, first + work.clauses[argument + _SIZE]):
            if work.clauses[k] >> 1 != variable:
                _name(work, work.clauses[k] >> 1)
    elif kind == OTHER_LETTER:
        _name(work, argument)
        if variable < 0:
            _name(work, other)
    elif kind == LAST_LETTER:
        for letter in range(letters):
            if argument * letters + letter != variable:
                _name(work, argument * letters + letter)
    elif kind == _FROM_OUTSIDE:
        for k in range(argument):
            _name(work, work.learned[k])
    else:
        stack = work.explain
        stack[1], stack[4] = kind, place
        if kind == NO_WORD:
            stack[0], stack[2], stack[3] = argument, -1, -1
        else:
            crossing = variable // letters
            stack[0], stack[2] = tables.link_slot[argument], argument
            stack[3] = variable - crossing * letters
        _explain(tables, work)


@_compiled
def _redundant(tables: Tables, work: Work, variable: int) -> bool:
    """Whether the other variables of the learned clause imply this one."""
    letters = tables.ints[LETTERS]
    kind, argument = np.int64(work.kind[variable]), np.int64(work.argument[variable])
    place = work.place[variable]
    if kind == NOTHING:
        return False
    if kind == CLAUSE:
        first = argument + _HEADER
        for k in range(first, first + work.clauses[argument + _SIZE]):
            other = work.clauses[k] >> 1
            if other != variable and not work.seen[other] and work.level[other] > 0:
                return False
        return True
    if kind == OTHER_LETTER:
        return bool(work.seen[argument] or work.level[argument] == 0)
    if kind == LAST_LETTER:
        for letter in range(letters):
            other = argument * letters + letter
            if other != variable and not work.seen[other] and work.level[other] > 0:
                return False
        return True
    slot = tables.link_slot[argument]
    crossing = variable // letters
    which = variable - crossing * letters
    start, words = tables.domain_start[slot], tables.domain_words[slot]
    own = tables.mask_start[argument] + which * words
    count = 0
    for k in range(words):
        here = tables.masks[own + k]
        if kind == ONLY_SUPPORTED:
            here = ~here
        work.rest[k] = work.root[start + k] & here
        if work.rest[k]:
            work.nonzero[count] = k
            count += 1
    for link in range(tables.link_start[slot], tables.link_start[slot + 1]):
        if count == 0:
            break
        crossing = tables.link_crossing[link]
        letter = work.letter[crossing]
        if letter >= 0:
            other = crossing * letters + letter
            if work.place[other] < place and (work.seen[other] or work.level[other] == 0):
                count = _filter(work, tables, tables.mask_start[link] + letter * words, True, count)
                continue
        for letter in range(letters):
            other = crossing * letters + letter
            if work.value[other] < 0 and work.seen[other] and work.place[other] < place:
                count = _filter(
                    work, tables, tables.mask_start[link] + letter * words, False, count
                )
    return count == 0


@_compiled
def _analyse(tables: Tables, work: Work) -> int:
    """Put the learned clause's variables into ``learned``; return the level to go back to."""
    ints = work.ints
    level = ints[LEVEL]
    size, open_ones, at, variable = 1, 0, ints[TRAIL] - 1, -1
    while True:
        _name_antecedents(tables, work, variable)
        for k in range(ints[ANTECEDENTS]):
            other = work.antecedents[k]
            if not work.seen[other] and work.level[other] > 0:
                work.seen[other] = 1
                _bump(work, other, other // tables.ints[LETTERS])
                if work.level[other] == level:
                    open_ones += 1
                else:
                    work.learned[size] = other
                    size += 1
        while not work.seen[work.trail[at] >> 1]:
            at -= 1
        variable = work.trail[at] >> 1
        at -= 1
        open_ones -= 1
        if open_ones == 0:
            break
        work.seen[variable] = 0
    work.learned[0] = variable
    # ``seen`` stays set for what is redundant until all have been looked at.
    kept = 1
    for k in range(1, size):
        other = work.learned[k]
        if _redundant(tables, work, other):
            work.antecedents[k - kept] = other
        else:
            work.learned[kept] = other
            kept += 1
    for k in range(size - kept):
        work.seen[work.antecedents[k]] = 0
    size = kept
    back = 0
    for k in range(size):
        other = work.learned[k]
        work.seen[other] = 0
        if k > 0 and work.level[other] > back:
            back = work.level[other]
            work.learned[k] = work.learned[1]
            work.learned[1] = other
    ints[LEARNED] = size
    return int(back)


@_compiled
def _learn(tables: Tables, work: Work, back: int, lasting: bool) -> None:
    """Add the learned clause, go back and assign what it implies; keep it if it is ``lasting``."""
    ints, clauses = work.ints, work.clauses
    size = ints[LEARNED]
    clause = ints[CLAUSES]
    lbd = 0
    for k in range(size):
        variable = work.learned[k]
        clauses[clause + _HEADER + k] = 2 * variable + (1 if work.value[variable] > 0 else 0)
        if work.level_seen[work.level[variable]] != ints[CONFLICTS]:
            work.level_seen[work.level[variable]] = ints[CONFLICTS]
            lbd += 1
    _back_to(tables, work, back)
    literal = clauses[clause + _HEADER]
    if size == 1:
        _assign(tables, work, literal, NOTHING, 0)
        return
    if lasting:
        lbd = 1  # _reduce keeps it
    clauses[clause + _SIZE], clauses[clause + _LBD], clauses[clause + _USED] = size, lbd, 1
    _watch(work, clause)
    ints[CLAUSES] = clause + _HEADER + size
    ints[CLAUSE_COUNT] += 1
    _assign(tables, work, literal, CLAUSE, clause)


@_compiled
def _watch(work: Work, clause: int) -> None:
    for side in range(2):
        literal = work.clauses[clause + _HEADER + side]
        work.clauses[clause + _NEXT + side] = work.watched[literal]
        work.watched[literal] = 2 * clause + side


@_compiled
def _reduce(work: Work) -> None:
    """Forget about half of the clauses; nothing but the root's literals may be assigned."""
    ints, clauses = work.ints, work.clauses
    for k in range(len(work.watched)):
        work.watched[k] = -1
    histogram = work.explain
    for k in range(64):
        histogram[k] = 0
    at = 0
    while at < ints[CLAUSES]:
        histogram[min(clauses[at + _LBD], 63)] += 1
        at += _HEADER + clauses[at + _SIZE]
    threshold, sum_ = 0, 0
    while threshold < 63 and sum_ + histogram[threshold] <= ints[CLAUSE_COUNT] // 2:
        sum_ += histogram[threshold]
        threshold += 1
    at = to = count = 0
    while at < ints[CLAUSES]:
        size, lbd, used = clauses[at + _SIZE], clauses[at + _LBD], clauses[at + _USED]
        following = at + _HEADER + size
        keep = lbd <= 2 or (used and lbd <= 6) or lbd < threshold
        if keep:
            # Literals that are false for good go; a clause with one that is true goes.
            left = 0
            for k in range(size):
                literal = clauses[at + _HEADER + k]
                state = _is(work, literal)
                if state > 0:
                    keep = False
                    break
                if state == 0:
                    clauses[at + _HEADER + left] = literal
                    left += 1
            size = left
        if keep and size >= 2:
            for k in range(size):
                clauses[to + _HEADER + k] = clauses[at + _HEADER + k]
            clauses[to + _SIZE], clauses[to + _LBD], clauses[to + _USED] = size, lbd, 0
            _watch(work, to)
            to += _HEADER + size
            count += 1
        at = following
    ints[CLAUSES], ints[CLAUSE_COUNT] = to, count
    ints[REDUCTIONS] += 1


@_compiled
def _luby(number: int) -> int:
    size, power = 1, 0
    while size < number + 1:
        power += 1
        size = 2 * size + 1
    while size - 1 != number:
        size = (size - 1) >> 1
        power -= 1
        number = number % size
    return 1 << power


@_compiled
def _restart(tables: Tables, work: Work) -> bool:
    """Go back to the root, take over what is known for good; False if there is no fill."""
    ints = work.ints
    _back_to(tables, work, 0)
    ints[RESTARTS] += 1
    ints[UNTIL_RESTART] = tables.ints[RESTART_UNIT] * _luby(ints[RESTARTS])
    if not _propagate(tables, work):
        return False
    for k in range(len(work.root)):
        work.root[k] = work.domains[k]
    ints[REMOVED] = 0
    if ints[UNTIL_REDUCE] <= 0:
        _reduce(work)
        ints[UNTIL_REDUCE] = (
            tables.ints[REDUCE_EVERY] + tables.ints[REDUCE_LATER] * ints[REDUCTIONS]
        )
    return True


@_compiled
def _has_room(tables: Tables, work: Work) -> bool:
    ints = work.ints
    return bool(
        len(work.saved_words) - ints[SAVED_WORDS] > len(work.domains)
        and len(work.saved_slot) - ints[SAVED] > tables.ints[SLOTS]
        and len(work.clauses) - ints[CLAUSES] > len(work.value) + _HEADER
    )


@_compiled
def _decide(tables: Tables, work: Work) -> bool:
    """Give a crossing a letter; False if all have one."""
    ints = work.ints
    crossing, most = -1, -1.0
    for one in range(len(work.letter)):
        if work.letter[one] < 0:
            left = float(_count(work.possible[one]))
            score = (1e-6 + work.weights[one]) / (left * left)
            if score > most:
                crossing, most = one, score
    if crossing < 0:
        return False
    variable, most = -1, -1.0
    rest = work.possible[crossing]
    while rest:
        one = crossing * tables.ints[LETTERS] + np.int64(_lowest(rest))
        rest &= rest - _ONE
        if work.activity[one] > most:
            variable, most = one, work.activity[one]
    ints[LEVEL] += 1
    ints[DECISIONS] += 1
    level = ints[LEVEL]
    work.level_trail[level] = ints[TRAIL]
    work.level_saved[level] = ints[SAVED]
    work.level_removed[level] = ints[REMOVED]
    _assign(tables, work, 2 * variable, NOTHING, 0)
    return True


@_compiled
def _take_given(tables: Tables, work: Work) -> None:
    """Go back to where the variables that the caller has put into ``learned`` are a violation."""
    ints = work.ints
    number = ints[GIVEN]
    level = 0
    for k in range(number):
        level = max(level, work.level[work.learned[k]])
    _back_to(tables, work, level)
    ints[KIND], ints[ARGUMENT], ints[GIVEN] = _FROM_OUTSIDE, number, 0


@_compiled
def _search(tables: Tables, work: Work, max_work: int) -> int:
    """Search until there is an answer or ``max_work`` 64-bit words have been visited.

    The caller may exclude the fill just found: it puts variables that must not all be true into
    ``learned``, and their number into ``GIVEN``. The clause learned from them is never forgotten,
    since nothing else excludes the fill.
    """
    ints = work.ints
    end = ints[WORK] + max_work
    while True:
        if not _has_room(tables, work):
            return FULL
        if ints[WORK] >= end:
            return BUDGET
        given = ints[GIVEN] > 0
        fails = given
        if given:
            _take_given(tables, work)
        else:
            fails = not _propagate(tables, work)
        if fails:
            ints[CONFLICTS] += 1
            ints[UNTIL_RESTART] -= 1
            ints[UNTIL_REDUCE] -= 1
            if ints[LEVEL] == 0:
                return EXHAUSTED
            _learn(tables, work, _analyse(tables, work), given)
            _age(tables, work)
            continue
        if ints[UNTIL_RESTART] <= 0 and not _restart(tables, work):
            return EXHAUSTED
        if not _decide(tables, work):
            return FILLED


search = on_addresses(_search, Tables, Work)
