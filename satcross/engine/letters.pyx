"""Clause learning on the letters of crossings, with slots as lazily explained tables.

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

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from satcross.engine.memory cimport ONE, ZERO, Memory, bitset_of, count_bits, has, lowest
from satcross.engine.puzzle cimport CompiledPuzzle, PuzzleTables

cdef enum:
    # What ``_search`` returns.
    BUDGET = 0
    FILLED = 1
    EXHAUSTED = 2
    FULL = 3
    # Why a literal is assigned, or what is violated.
    NOTHING = 0
    CLAUSE = 1
    OTHER_LETTER = 2
    LAST_LETTER = 3
    UNSUPPORTED = 4
    ONLY_SUPPORTED = 5
    NO_WORD = 6
    _FROM_OUTSIDE = 7
    _ALL_BUT = 8
    # A clause is: size, LBD, next clause of each of the two watched literals, whether it was used
    # lately; then its literals, of which the first two are watched.
    _SIZE = 0
    _LBD = 1
    _NEXT = 2
    _USED = 4
    _HEADER = 5
    # Up to this many words, the letters of a domain are read word by word.
    _FEW = 64


cdef struct LetterWork:
    # Settings, as in ``LetterSettings``.
    int64_t restart_unit, reduce_every, reduce_later
    double decay, weight_decay
    bint is_distinct
    # Numbers of the search. ``visited`` counts 64-bit words, ``given`` the variables of a clause
    # from outside.
    int64_t conflicts, decisions, restarts, until_restart, until_reduce, reductions
    int64_t visited, given
    # Variables: the value (1, -1 or 0), its level, why it has it, and its place on the trail.
    int64_t variables, current, trail_top, head
    int32_t* value
    int32_t* level
    int32_t* kind
    int32_t* argument
    int32_t* place
    int32_t* trail
    # Where the parts of each level begin.
    int32_t* level_trail
    int32_t* level_saved
    int32_t* level_removed
    # Crossings: possible letters, and the letter or -1. Slots: candidates now and for good.
    uint64_t* possible
    int32_t* letter
    uint64_t* domains
    uint64_t* root
    # Domains before they were changed.
    int64_t saved_count, saved_room, saved_top, words_room
    int32_t* stamps
    int32_t* saved_slot
    int32_t* saved_stamp
    uint64_t* saved_words
    # Words taken from a slot because another one has them.
    int64_t removed
    int32_t* removed_slot
    int32_t* removed_word
    int32_t* removed_by
    int32_t* removed_place
    int64_t queued
    int32_t* queue
    uint8_t* is_queued
    int32_t* residues
    # Clauses, one after the other, and the first that watches each literal.
    int64_t clause_count, clause_end, clause_room
    int32_t* watched
    int32_t* clauses
    # All clauses that were learned, forgotten ones too: size and literals; no room if not wanted.
    int64_t log_end, log_room
    int32_t* log
    double increment, weight_increment
    double* activity
    double* weights
    # Conflict analysis.
    int64_t violated, violated_by, antecedent_count, learned_size, stamp
    uint8_t* seen
    int32_t* antecedents
    int32_t* learned
    int64_t* explain
    uint64_t* rest
    int32_t* nonzero
    int64_t* level_seen
    int64_t* named
    int64_t* explained


cdef void _bump(LetterWork* work, int64_t variable, int64_t crossing) noexcept nogil:
    work.activity[variable] += work.increment
    work.weights[crossing] += work.weight_increment


cdef void _age(PuzzleTables* tables, LetterWork* work) noexcept nogil:
    """Let activities and weights decay: what is added to them grows."""
    _grow(&work.increment, work.decay, work.activity, work.variables)
    _grow(&work.weight_increment, work.weight_decay, work.weights, tables.crossings)


cdef void _grow(double* increment, double decay, double* added_to, int64_t length) noexcept nogil:
    increment[0] /= decay
    if increment[0] > 1e100:
        for k in range(length):
            added_to[k] *= 1e-100
        increment[0] *= 1e-100


cdef void _assign(PuzzleTables* tables, LetterWork* work, int64_t literal, int64_t kind, int64_t argument) noexcept nogil:
    variable = literal >> 1
    crossing = variable // tables.letters
    letter = variable - crossing * tables.letters
    if literal & 1:
        work.value[variable] = -1
        work.possible[crossing] &= ~(ONE << <uint64_t>(letter))
    else:
        work.value[variable] = 1
        work.letter[crossing] = letter
    work.level[variable] = work.current
    work.kind[variable] = kind
    work.argument[variable] = argument
    work.place[variable] = work.trail_top
    work.trail[work.trail_top] = literal
    work.trail_top += 1


cdef void _save(PuzzleTables* tables, LetterWork* work, int64_t slot) noexcept nogil:
    level = work.current
    if level == 0 or work.stamps[slot] == level:
        return
    number = work.saved_count
    work.saved_slot[number] = slot
    work.saved_stamp[number] = work.stamps[slot]
    work.saved_count = number + 1
    work.stamps[slot] = level
    start, words, top = tables.domain_start[slot], tables.domain_words[slot], work.saved_top
    for k in range(words):
        work.saved_words[top + k] = work.domains[start + k]
    work.saved_top = top + words


cdef void _back_to(PuzzleTables* tables, LetterWork* work, int64_t level) noexcept nogil:
    """Undo all levels above one."""
    if work.current <= level:
        return
    letters = tables.letters
    for k in range(work.trail_top - 1, work.level_trail[level + 1] - 1, -1):
        literal = work.trail[k]
        variable = literal >> 1
        crossing = variable // letters
        if literal & 1:
            work.possible[crossing] |= ONE << <uint64_t>(variable - crossing * letters)
        else:
            work.letter[crossing] = -1
        work.value[variable] = 0
    work.trail_top = work.level_trail[level + 1]
    work.head = work.trail_top
    top = work.saved_top
    for number in range(work.saved_count - 1, work.level_saved[level + 1] - 1, -1):
        slot = work.saved_slot[number]
        work.stamps[slot] = work.saved_stamp[number]
        start, words = tables.domain_start[slot], tables.domain_words[slot]
        top -= words
        for k in range(words):
            work.domains[start + k] = work.saved_words[top + k]
    work.saved_top = top
    work.saved_count = work.level_saved[level + 1]
    work.removed = work.level_removed[level + 1]
    for k in range(work.queued):
        work.is_queued[work.queue[k]] = 0
    work.queued = 0
    work.current = level


cdef void _enqueue(LetterWork* work, int64_t slot) noexcept nogil:
    if not work.is_queued[slot]:
        work.is_queued[slot] = 1
        work.queue[work.queued] = slot
        work.queued += 1


cdef void _restrict(PuzzleTables* tables, LetterWork* work, int64_t link, int64_t letter, bint has) noexcept nogil:
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


cdef int64_t _is(LetterWork* work, int64_t literal) noexcept nogil:
    """Return 1, -1 or 0: the literal is true, false or unassigned."""
    value = <int64_t>(work.value[literal >> 1])
    return <int64_t>(-value if literal & 1 else value)


cdef bint _follow_clauses(PuzzleTables* tables, LetterWork* work, int64_t false) noexcept nogil:
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
            work.violated, work.violated_by = CLAUSE, clause
            return False
        _assign(tables, work, other, CLAUSE, clause)
        before, node = node, following
    return True


cdef bint _follow_letters(PuzzleTables* tables, LetterWork* work) noexcept nogil:
    """Propagate all literals of the trail through clauses and cells, and take words from slots."""
    letters = tables.letters
    while work.head < work.trail_top:
        literal = work.trail[work.head]
        work.head += 1
        variable = literal >> 1
        crossing = variable // letters
        letter = variable - crossing * letters
        if literal & 1:
            if work.letter[crossing] < 0:
                rest = work.possible[crossing]
                if rest == ZERO:
                    work.violated, work.violated_by = LAST_LETTER, crossing
                    return False
                if rest & (rest - ONE) == ZERO:
                    last = crossing * letters + <int64_t>(lowest(rest))
                    _assign(tables, work, 2 * last, LAST_LETTER, crossing)
        else:
            rest = work.possible[crossing] & ~(ONE << <uint64_t>(letter))
            while rest:
                other = crossing * letters + <int64_t>(lowest(rest))
                rest &= rest - ONE
                if work.value[other] > 0:
                    work.violated, work.violated_by = OTHER_LETTER, variable
                    work.antecedent_count = other
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


cdef int64_t _spread(PuzzleTables* tables, LetterWork* work, int64_t slot) noexcept nogil:
    """Put the places of a domain's 64-bit words that are not zero into ``nonzero``; count them."""
    start, words = tables.domain_start[slot], tables.domain_words[slot]
    count = 0
    for k in range(words):
        work.nonzero[count] = k
        if work.domains[start + k]:
            count += 1
    return count


cdef void _take_from_peers(PuzzleTables* tables, LetterWork* work, int64_t slot, int64_t word) noexcept nogil:
    """Remove a slot's only word from the slots that may not repeat it."""
    lexicon = tables.lexicon[slot]
    number = tables.word_ids[tables.lexicon_start[lexicon] + word]
    for k in range(tables.peer_start[slot], tables.peer_end[slot]):
        peer = tables.peers[k]
        if peer == slot:
            continue
        other = tables.lexicon[peer]
        index = word
        if other != lexicon:
            index = tables.index_of[tables.index_start[other] + number]
        if index < 0:
            continue
        start = tables.domain_start[peer]
        if not has(work.domains, start, index):
            continue
        _save(tables, work, peer)
        work.domains[start + (index >> 6)] &= ~(ONE << <uint64_t>(index & 63))
        at = work.removed
        work.removed_slot[at], work.removed_word[at] = peer, index
        work.removed_by[at], work.removed_place[at] = slot, work.trail_top
        work.removed = at + 1
        _enqueue(work, peer)


cdef uint64_t _supported(PuzzleTables* tables, LetterWork* work, int64_t link, int64_t count, bint few) noexcept nogil:
    """Return the possible letters that words of a slot's domain have at a crossing.

    ``nonzero`` has the ``count`` places of the domain that are not zero; with ``few``, the words
    are read one by one.
    """
    slot = tables.link_slot[link]
    start, words = tables.domain_start[slot], tables.domain_words[slot]
    kept = ZERO
    if few:
        column = tables.column_start[link]
        for k in range(count):
            at = work.nonzero[k]
            rest = work.domains[start + at]
            while rest:
                kept |= ONE << <uint64_t>(tables.columns[column + (at << 6) + lowest(rest)])
                rest &= rest - ONE
        return kept
    rest = work.possible[tables.link_crossing[link]]
    while rest:
        letter = <int64_t>(lowest(rest))
        rest &= rest - ONE
        mask = tables.mask_start[link] + letter * words
        residue = work.residues[(link << 6) + letter]
        if work.domains[start + residue] & tables.masks[mask + residue]:
            kept |= ONE << <uint64_t>(letter)
            continue
        for k in range(count):
            at = work.nonzero[k]
            if work.domains[start + at] & tables.masks[mask + at]:
                work.residues[(link << 6) + letter] = at
                kept |= ONE << <uint64_t>(letter)
                break
    return kept


cdef bint _revise(PuzzleTables* tables, LetterWork* work, int64_t slot) noexcept nogil:
    """Assign what follows from a slot's candidates; False if there is none."""
    cdef bint few
    letters = tables.letters
    start = tables.domain_start[slot]
    count = _spread(tables, work, slot)
    work.visited += tables.domain_words[slot]
    if count == 0:
        work.violated, work.violated_by = NO_WORD, slot
        return False
    size = 0
    for k in range(count):
        size += <int64_t>(count_bits(work.domains[start + work.nonzero[k]]))
        if size > _FEW:
            break
    few = size <= _FEW
    if size == 1 and work.is_distinct:
        at = work.nonzero[0]
        word = (<int64_t>(at) << 6) + <int64_t>(lowest(work.domains[start + at]))
        _take_from_peers(tables, work, slot, word)
    for link in range(tables.link_start[slot], tables.link_start[slot + 1]):
        crossing = tables.link_crossing[link]
        if work.letter[crossing] >= 0:
            continue
        work.visited += count
        kept = _supported(tables, work, link, count, few)
        if kept & (kept - ONE) == ZERO:
            only = <int64_t>(lowest(kept))
            _assign(tables, work, 2 * (crossing * letters + only), ONLY_SUPPORTED, link)
            continue
        rest = work.possible[crossing] & ~kept
        while rest:
            letter = <int64_t>(lowest(rest))
            rest &= rest - ONE
            _assign(tables, work, 2 * (crossing * letters + letter) + 1, UNSUPPORTED, link)
    return True


cdef bint _propagate(PuzzleTables* tables, LetterWork* work) noexcept nogil:
    """Propagate to the end; False if something is violated, which KIND and ARGUMENT say."""
    while True:
        if not _follow_letters(tables, work):
            return False
        if work.queued == 0:
            return True
        best = 0
        for k in range(1, work.queued):
            if tables.domain_words[work.queue[k]] < tables.domain_words[work.queue[best]]:
                best = k
        slot = work.queue[best]
        work.queued -= 1
        work.queue[best] = work.queue[work.queued]
        work.is_queued[slot] = 0
        if not _revise(tables, work, slot):
            return False


cdef void _name(LetterWork* work, int64_t variable) noexcept nogil:
    if work.named[variable] == work.stamp:
        return
    work.named[variable] = work.stamp
    work.antecedents[work.antecedent_count] = variable
    work.antecedent_count += 1


cdef bint _is_free(LetterWork* work, int64_t variable) noexcept nogil:
    """Whether naming an assignment costs nothing: it holds for good, or is named already."""
    return <bint>(
        work.level[variable] == 0 or work.seen[variable] or work.named[variable] == work.stamp
    )


cdef int64_t _filter(LetterWork* work, PuzzleTables* tables, int64_t mask, bint has, int64_t count) noexcept nogil:
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


cdef int64_t _left(LetterWork* work, PuzzleTables* tables, int64_t mask, bint has, int64_t count) noexcept nogil:
    """Count the words of ``rest`` that have (or do not have) a letter."""
    number = 0
    for k in range(count):
        at = work.nonzero[k]
        here = tables.masks[mask + at]
        if not has:
            here = ~here
        number += <int64_t>(count_bits(work.rest[at] & here))
    return number


cdef void _explain(PuzzleTables* tables, LetterWork* work) noexcept nogil:
    """Name assignments that together exclude words, as the stack of explanations asks.

    An entry of the stack is (slot, kind, link, letter or word, place): what is named was assigned
    before that place of the trail.
    """
    cdef int64_t least
    letters = tables.letters
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
                rest &= ~(ONE << <uint64_t>(which & 63))
            work.rest[k] = rest
            if rest:
                work.nonzero[count] = k
                count += 1
        first, end = tables.link_start[slot], tables.link_start[slot + 1]
        work.visited += words * (end - first)
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
                now += <int64_t>(count_bits(work.rest[work.nonzero[k]]))
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
            word = (at << 6) + <int64_t>(lowest(work.rest[at]))
            best, least = -1, <int64_t>0x7FFFFFFFFFFFFFFF
            for other in range(first, end):
                crossing = tables.link_crossing[other]
                letter = <int64_t>(tables.columns[tables.column_start[other] + word])
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
                letter = <int64_t>(tables.columns[tables.column_start[best] + word])
                _name(work, tables.link_crossing[best] * letters + letter)
                count = _filter(
                    work, tables, tables.mask_start[best] + letter * words, False, count
                )
                continue
            # Another slot has this word.
            work.rest[at] &= work.rest[at] - ONE
            if work.rest[at] == ZERO:
                count -= 1
                work.nonzero[0] = work.nonzero[count]
            for number in range(work.removed):
                if (
                    work.removed_slot[number] == slot
                    and work.removed_word[number] == word
                    and work.removed_place[number] <= place
                ):
                    by = work.removed_by[number]
                    if work.explained[by] == work.stamp:
                        break
                    work.explained[by] = work.stamp
                    mine, theirs = tables.lexicon[slot], tables.lexicon[by]
                    index = word
                    if mine != theirs:
                        identity = tables.word_ids[tables.lexicon_start[mine] + word]
                        index = tables.index_of[tables.index_start[theirs] + identity]
                    stack[5 * depth], stack[5 * depth + 1] = by, _ALL_BUT
                    stack[5 * depth + 2], stack[5 * depth + 3] = -1, index
                    stack[5 * depth + 4] = work.removed_place[number]
                    depth += 1
                    break
        # ``rest`` is empty now; an entry that was put on the stack begins anew.


cdef void _name_antecedents(PuzzleTables* tables, LetterWork* work, int64_t variable) noexcept nogil:
    """Name the variables whose assignments imply a variable's, or the violation (-1)."""
    letters = tables.letters
    if variable < 0:
        kind, argument, place = work.violated, work.violated_by, work.trail_top
    else:
        kind, argument = <int64_t>(work.kind[variable]), <int64_t>(work.argument[variable])
        place = <int64_t>(work.place[variable])
    other = work.antecedent_count
    work.antecedent_count = 0
    work.stamp += 1
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


cdef bint _redundant(PuzzleTables* tables, LetterWork* work, int64_t variable) noexcept nogil:
    """Whether the other variables of the learned clause imply this one."""
    letters = tables.letters
    kind, argument = <int64_t>(work.kind[variable]), <int64_t>(work.argument[variable])
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
        return <bint>(work.seen[argument] or work.level[argument] == 0)
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


cdef int64_t _analyse(PuzzleTables* tables, LetterWork* work) noexcept nogil:
    """Put the learned clause's variables into ``learned``; return the level to go back to."""
    level = work.current
    size, open_count, at, variable = 1, 0, work.trail_top - 1, -1
    while True:
        _name_antecedents(tables, work, variable)
        for k in range(work.antecedent_count):
            other = work.antecedents[k]
            if not work.seen[other] and work.level[other] > 0:
                work.seen[other] = 1
                _bump(work, other, other // tables.letters)
                if work.level[other] == level:
                    open_count += 1
                else:
                    work.learned[size] = other
                    size += 1
        while not work.seen[work.trail[at] >> 1]:
            at -= 1
        variable = work.trail[at] >> 1
        at -= 1
        open_count -= 1
        if open_count == 0:
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
    work.learned_size = size
    return <int64_t>(back)


cdef void _learn(PuzzleTables* tables, LetterWork* work, int64_t back, bint lasting) noexcept nogil:
    """Add the learned clause, go back and assign what it implies; keep it if it is ``lasting``."""
    clauses = work.clauses
    size = work.learned_size
    clause = work.clause_end
    lbd = 0
    for k in range(size):
        variable = work.learned[k]
        clauses[clause + _HEADER + k] = 2 * variable + (1 if work.value[variable] > 0 else 0)
        if work.level_seen[work.level[variable]] != work.conflicts:
            work.level_seen[work.level[variable]] = work.conflicts
            lbd += 1
    if work.log_room:
        work.log[work.log_end] = size
        for k in range(size):
            work.log[work.log_end + 1 + k] = clauses[clause + _HEADER + k]
        work.log_end += 1 + size
    _back_to(tables, work, back)
    literal = clauses[clause + _HEADER]
    if size == 1:
        _assign(tables, work, literal, NOTHING, 0)
        return
    if lasting:
        lbd = 1  # _reduce keeps it
    clauses[clause + _SIZE], clauses[clause + _LBD], clauses[clause + _USED] = size, lbd, 1
    _watch(work, clause)
    work.clause_end = clause + _HEADER + size
    work.clause_count += 1
    _assign(tables, work, literal, CLAUSE, clause)


cdef void _watch(LetterWork* work, int64_t clause) noexcept nogil:
    for side in range(2):
        literal = work.clauses[clause + _HEADER + side]
        work.clauses[clause + _NEXT + side] = work.watched[literal]
        work.watched[literal] = 2 * clause + side


cdef void _reduce(LetterWork* work) noexcept nogil:
    """Forget about half of the clauses; nothing but the root's literals may be assigned."""
    cdef bint keep
    clauses = work.clauses
    for k in range(2 * work.variables):
        work.watched[k] = -1
    histogram = work.explain
    for k in range(64):
        histogram[k] = 0
    at = 0
    while at < work.clause_end:
        histogram[min(clauses[at + _LBD], 63)] += 1
        at += _HEADER + clauses[at + _SIZE]
    threshold, sum_ = 0, 0
    while threshold < 63 and sum_ + histogram[threshold] <= work.clause_count // 2:
        sum_ += histogram[threshold]
        threshold += 1
    at = to = count = 0
    while at < work.clause_end:
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
    work.clause_end, work.clause_count = to, count
    work.reductions += 1


cdef int64_t _luby(int64_t number) noexcept nogil:
    size, power = 1, 0
    while size < number + 1:
        power += 1
        size = 2 * size + 1
    while size - 1 != number:
        size = (size - 1) >> 1
        power -= 1
        number = number % size
    return 1 << power


cdef bint _restart(PuzzleTables* tables, LetterWork* work) noexcept nogil:
    """Go back to the root, take over what is known for good; False if there is no fill."""
    _back_to(tables, work, 0)
    work.restarts += 1
    work.until_restart = work.restart_unit * _luby(work.restarts)
    if not _propagate(tables, work):
        return False
    for k in range(tables.words):
        work.root[k] = work.domains[k]
    work.removed = 0
    if work.until_reduce <= 0:
        _reduce(work)
        work.until_reduce = (
            work.reduce_every + work.reduce_later * work.reductions
        )
    return True


cdef bint _has_room(PuzzleTables* tables, LetterWork* work) noexcept nogil:
    return <bint>(
        work.words_room - work.saved_top > tables.words
        and work.saved_room - work.saved_count > tables.slots
        and work.clause_room - work.clause_end > work.variables + _HEADER
        and (work.log_room == 0 or work.log_room - work.log_end > work.variables)
    )


cdef int64_t _choose(PuzzleTables* tables, LetterWork* work) noexcept nogil:
    """Return the variable to be true next; -1 if all crossings have a letter."""
    cdef int64_t crossing = -1, variable = -1
    cdef double most = -1.0
    for other in range(tables.crossings):
        if work.letter[other] < 0:
            left = <double>(count_bits(work.possible[other]))
            score = (1e-6 + work.weights[other]) / (left * left)
            if score > most:
                crossing, most = other, score
    if crossing < 0:
        return -1
    most = -1.0
    rest = work.possible[crossing]
    while rest:
        other = crossing * tables.letters + <int64_t>(lowest(rest))
        rest &= rest - ONE
        if work.activity[other] > most:
            variable, most = other, work.activity[other]
    return variable


cdef void _new_level(LetterWork* work) noexcept nogil:
    work.current += 1
    level = work.current
    work.level_trail[level] = work.trail_top
    work.level_saved[level] = work.saved_count
    work.level_removed[level] = work.removed


cdef bint _decide(PuzzleTables* tables, LetterWork* work) noexcept nogil:
    """Give a crossing a letter; False if all have one."""
    variable = _choose(tables, work)
    if variable < 0:
        return False
    _new_level(work)
    work.decisions += 1
    _assign(tables, work, 2 * variable, NOTHING, 0)
    return True


cdef void _take_given(PuzzleTables* tables, LetterWork* work) noexcept nogil:
    """Go back to where the variables that the caller has put into ``learned`` are a violation."""
    number = work.given
    level = 0
    for k in range(number):
        level = max(level, work.level[work.learned[k]])
    _back_to(tables, work, level)
    work.violated, work.violated_by, work.given = _FROM_OUTSIDE, number, 0


cdef int64_t _search(PuzzleTables* tables, LetterWork* work, int64_t max_work) noexcept nogil:
    """Search until there is an answer or ``max_work`` 64-bit words have been visited.

    The caller may exclude the fill just found: it puts variables that must not all be true into
    ``learned``, and their number into ``GIVEN``. The clause learned from them is never forgotten,
    since nothing else excludes the fill.
    """
    cdef bint fails, given
    end = work.visited + max_work
    while True:
        if not _has_room(tables, work):
            return FULL
        if work.visited >= end:
            return BUDGET
        given = work.given > 0
        fails = given
        if given:
            _take_given(tables, work)
        else:
            fails = not _propagate(tables, work)
        if fails:
            work.conflicts += 1
            work.until_restart -= 1
            work.until_reduce -= 1
            if work.current == 0:
                return EXHAUSTED
            _learn(tables, work, _analyse(tables, work), given)
            _age(tables, work)
            continue
        if work.until_restart <= 0 and not _restart(tables, work):
            return EXHAUSTED
        if not _decide(tables, work):
            return FILLED


cdef class LetterLearning(Memory):
    """A search of a puzzle's letters by clause learning; ``run`` may be called again to continue.

    ``activities`` has a small number for each possible letter of each crossing, in order. With
    ``is_logged``, ``log`` has what was learned.
    """

    cdef CompiledPuzzle puzzle
    cdef LetterWork work

    def __init__(self, CompiledPuzzle puzzle not None, root, bint is_distinct, settings, activities, bint is_logged=False):
        cdef PuzzleTables* tables = &puzzle.tables
        cdef LetterWork* work = &self.work
        cdef int64_t k, number, place = 0, variables = tables.crossings * tables.letters
        cdef int64_t slots = tables.slots, peers = 0
        self.puzzle = puzzle
        work.restart_unit, work.reduce_every = settings.restart_unit, settings.reduce_every
        work.reduce_later, work.decay = settings.reduce_later, settings.decay
        work.weight_decay, work.is_distinct = settings.weight_decay, is_distinct
        work.until_restart, work.until_reduce = work.restart_unit, work.reduce_every
        work.variables = variables
        work.value = self.int32s(variables, -1)
        work.level, work.kind = self.int32s(variables), self.int32s(variables)
        work.argument, work.place = self.int32s(variables), self.int32s(variables, -1)
        work.trail = self.int32s(variables)
        work.level_trail = self.int32s(variables + 2)
        work.level_saved = self.int32s(variables + 2)
        work.level_removed = self.int32s(variables + 2)
        work.possible = self.uint64s(tables.crossings)
        work.letter = self.int32s(tables.crossings, -1)
        work.activity, work.weights = self.floats(variables), self.floats(tables.crossings)
        for k in range(tables.crossings):
            work.possible[k] = puzzle.letters_of(root.letters[k])
            for number in range(tables.letters):
                if work.possible[k] >> <uint64_t>number & ONE:
                    work.value[k * tables.letters + number] = 0
                    work.activity[k * tables.letters + number] = activities[place]
                    place += 1
        work.domains = self.uint64s(tables.words)
        puzzle.write_domains(work.domains, root.domains)
        work.root = self.copied(work.domains, tables.words)
        work.saved_room, work.words_room = 8 * slots, max(4 * tables.words, 1 << 16)
        work.stamps = self.int32s(slots)
        work.saved_slot = self.int32s(work.saved_room)
        work.saved_stamp = self.int32s(work.saved_room)
        work.saved_words = self.uint64s(work.words_room)
        for k in range(slots):
            peers += tables.peer_end[k] - tables.peer_start[k]
        work.removed_slot, work.removed_word = self.int32s(peers), self.int32s(peers)
        work.removed_by, work.removed_place = self.int32s(peers), self.int32s(peers)
        work.queued, work.queue, work.is_queued = slots, self.int32s(slots), self.bytes(slots)
        for k in range(slots):
            work.queue[k], work.is_queued[k] = k, 1
        work.residues = self.int32s(64 * tables.links)
        work.clause_room = max(1 << 16, 4 * variables)
        work.watched = self.int32s(2 * variables, -1)
        work.clauses = self.int32s(work.clause_room)
        if is_logged:
            work.log_room = work.clause_room
            work.log = self.int32s(work.log_room)
        work.increment = work.weight_increment = 1.0
        work.seen = self.bytes(variables)
        work.antecedents, work.learned = self.int32s(variables + 1), self.int32s(variables + 1)
        work.explain = self.int64s(5 * (slots + 64))
        work.rest = self.uint64s(tables.most_words)
        work.nonzero = self.int32s(tables.most_words)
        work.level_seen = self.int64s(variables + 2)
        work.named, work.explained = self.int64s(variables), self.int64s(slots)

    def run(self, int64_t max_visited):
        """Search until there is an answer or ``max_visited`` 64-bit words have been visited.

        Returns 0 if there is none, 1 for letters of all crossings, 2 if there are no others.
        """
        cdef PuzzleTables* tables = &self.puzzle.tables
        cdef int64_t result
        with nogil:
            result = _search(tables, &self.work, max_visited)
        if result != FULL:
            return result
        self._grow()
        return BUDGET

    cdef int _grow(self) except -1:
        cdef LetterWork* work = &self.work
        cdef int64_t room = work.saved_room
        work.saved_slot = <int32_t*>self.grown(work.saved_slot, room, room, sizeof(int32_t))
        work.saved_stamp = <int32_t*>self.grown(work.saved_stamp, room, room, sizeof(int32_t))
        work.saved_room *= 2
        room = work.words_room
        work.saved_words = <uint64_t*>self.grown(work.saved_words, room, room, sizeof(uint64_t))
        work.words_room *= 2
        room = work.clause_room
        work.clauses = <int32_t*>self.grown(work.clauses, room, room, sizeof(int32_t))
        work.clause_room *= 2
        if work.log_room:
            room = work.log_room
            work.log = <int32_t*>self.grown(work.log, room, room, sizeof(int32_t))
            work.log_room *= 2
        return 0

    def exclude(self, crossings):
        """Exclude the letters that these crossings have together, when all have one."""
        cdef int64_t k = 0, crossing
        for crossing in crossings:
            self.work.learned[k] = (
                crossing * self.puzzle.tables.letters + self.work.letter[crossing]
            )
            k += 1
        self.work.given = k

    def domains(self):
        """The candidates of each slot."""
        return self.puzzle.read_domains(self.work.domains)

    def log(self):
        """What was learned, in order: clauses of (crossing, letter, whether it has the letter)."""
        cdef int64_t at = 0, k, literal, letters = self.puzzle.tables.letters
        found = []
        while at < self.work.log_end:
            clause = []
            for k in range(self.work.log[at]):
                literal = self.work.log[at + 1 + k]
                letter = self.puzzle.alphabet[(literal >> 1) % letters]
                clause.append(((literal >> 1) // letters, letter, not literal & 1))
            found.append(clause)
            at += 1 + self.work.log[at]
        return found

    @property
    def conflicts(self):
        return self.work.conflicts

    @property
    def clauses(self):
        return self.work.clause_count


cdef class LetterPropagator(LetterLearning):
    """What the slots say to a solver of PySAT, which learns: the methods of its ``Propagator``.

    ``accept`` says whether the domains, of which crossings have one letter each, leave a fill; if
    not, it calls ``exclude``. The interface is that of K. Fazekas et al., "IPASIR-UP: user
    propagators for CDCL", SAT 2023. The solver's variables begin with 1.
    """

    cdef int64_t announced
    cdef list late
    cdef object clause

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.late = []

    def variables(self):
        """The solver's variables of each crossing."""
        cdef int64_t crossing, k, letters = self.puzzle.tables.letters
        found = []
        for crossing in range(self.puzzle.tables.crossings):
            first = crossing * letters
            found.append([first + k + 1 for k in range(letters) if self.work.value[first + k] == 0])
        return found

    def on_assignment(self, int64_t literal, bint fixed=False):
        cdef LetterWork* work = &self.work
        cdef int64_t variable = abs(literal) - 1
        if fixed and work.current:
            self.late.append(literal)
        if work.value[variable] != 0:
            return
        if literal > 0 and work.letter[variable // self.puzzle.tables.letters] >= 0:
            return  # the solver is about to see that this is a contradiction
        _assign(&self.puzzle.tables, work, 2 * variable + (literal < 0), NOTHING, 0)

    def on_new_level(self):
        if not _has_room(&self.puzzle.tables, &self.work):
            self._grow()
        _new_level(&self.work)

    def on_backtrack(self, int64_t level):
        if level >= self.work.current:
            return
        _back_to(&self.puzzle.tables, &self.work, level)
        _age(&self.puzzle.tables, &self.work)
        self.announced, self.clause = self.work.trail_top, None
        # The solver announces once what holds for good, at whatever level it finds it.
        late, self.late = self.late, []
        for literal in late:
            self.on_assignment(literal, True)

    cdef int _follow(self) except -1:
        """Find what follows from the letters so far, or a clause that they violate."""
        cdef PuzzleTables* tables = &self.puzzle.tables
        cdef LetterWork* work = &self.work
        cdef int64_t k
        if self.clause is not None:
            return 0
        if not _propagate(tables, work):
            self.clause = self._because(-1)
            if work.current == 0:
                self.announced = work.trail_top
        elif work.current == 0:
            for k in range(tables.words):
                work.root[k] = work.domains[k]
            work.removed = 0
        return 0

    cdef int64_t _next(self) except -1:
        """Return the next literal that has not been announced to the solver, or 0."""
        cdef LetterWork* work = &self.work
        cdef int64_t literal
        while self.announced < work.trail_top:
            literal = work.trail[self.announced]
            if work.kind[literal >> 1] != NOTHING:
                return literal + 2  # the same literal of the solver's variable
            self.announced += 1
        return 0

    def propagate(self):
        """Return what follows; at the root, ``add_clause`` returns it, so that it is for good."""
        cdef int64_t literal
        self._follow()
        found = []
        while self.work.current and (literal := self._next()):
            self.announced += 1
            found.append(-(literal >> 1) if literal & 1 else literal >> 1)
        return found

    cdef list _because(self, int64_t variable):
        """Return false literals that imply a variable's assignment, or the violation (-1)."""
        cdef LetterWork* work = &self.work
        cdef int64_t k, other, letters = self.puzzle.tables.letters
        cdef list clause = []
        _name_antecedents(&self.puzzle.tables, work, variable)
        for k in range(work.antecedent_count):
            other = work.antecedents[k]
            if work.level[other] > 0:
                _bump(work, other, other // letters)
                clause.append(-other - 1 if work.value[other] > 0 else other + 1)
        return clause

    def provide_reason(self, int64_t literal):
        return [literal, *self._because(abs(literal) - 1)]

    def has_clause(self):
        # After a clause, the solver may decide without asking ``propagate`` again.
        self._follow()
        return self._next() != 0 or self.clause is not None

    def add_clause(self):
        cdef int64_t literal = self._next()
        if literal:
            self.announced += 1
            return self.provide_reason(-(literal >> 1) if literal & 1 else literal >> 1)
        clause, self.clause = self.clause, None
        return clause or []

    def check_model(self, model):
        """Whether a model is a fill; the solver then asks for a clause that says why not."""
        cdef LetterWork* work = &self.work
        cdef int64_t literal, variable, wrong = -1
        for literal in model:
            self.on_assignment(literal)
        if self.has_clause():
            return False
        if self.decide() == 0:
            return self.accept()
        # The solver has forgotten what it was told; the first such letter is explained again.
        for literal in model:
            variable = abs(literal) - 1
            if work.kind[variable] != NOTHING and work.value[variable] == (1 if literal < 0 else -1):
                if wrong < 0 or work.place[variable] < work.place[wrong]:
                    wrong = variable
        self.clause = []
        if wrong >= 0:
            self.clause = self.provide_reason(wrong + 1 if work.value[wrong] > 0 else -wrong - 1)
        return False

    def exclude(self, crossings):
        cdef int64_t crossing, letters = self.puzzle.tables.letters
        self.clause = []
        for crossing in crossings:
            self.clause.append(-(crossing * letters + self.work.letter[crossing]) - 1)

    def decide(self):
        return _choose(&self.puzzle.tables, &self.work) + 1
