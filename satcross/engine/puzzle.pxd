"""The tables of a puzzle that no search changes."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from satcross.engine.memory cimport Memory


cdef struct PuzzleTables:
    # Sizes: of the grid, of the alphabet, and of the bitsets of all slots together.
    int64_t slots, crossings, links, letters, lexicons, words
    int64_t most_words  # of a slot's bitset
    int64_t most_links  # of a slot
    # Slots: where the bitset begins among all, its length, the lexicon. Slots of a group, which
    # lists a slot itself, too, may not have the same word.
    int64_t* domain_start
    int64_t* domain_words
    int32_t* lexicon
    int64_t* peer_start
    int64_t* peer_end
    int32_t* peers
    # A slot with more peers than this (if lexicons are shared) takes its word only from slots that
    # have few words.
    int64_t many_peers, max_eager_size
    # Links: one crossing seen from one of its slots. ``link_back`` is the same from the other one.
    int64_t* link_start
    int32_t* link_slot
    int32_t* link_crossing
    int32_t* link_other
    int32_t* link_back
    int32_t* links_of  # of each crossing, two
    # For each link, where its masks begin (a bitset of words for each letter), and where its
    # column begins (the letter of each word).
    int64_t* mask_start
    uint64_t* masks
    int64_t* column_start
    uint8_t* columns
    # Words have one number in all lexicons, and an index in each of their length, or -1.
    int64_t* lexicon_start
    int32_t* word_ids
    int64_t* index_start
    int32_t* index_of
    # Words that come first (none unless ``prefers``), and the places of theme words.
    bint prefers
    uint64_t* preferred
    int64_t theme_words, min_theme_words, theme_places
    int64_t* theme_start
    int32_t* theme_slot
    int32_t* theme_word
    # Marks that different words may not share: those of each word, and, for each mark and lexicon,
    # the words that have it.
    bint has_clashes
    int64_t* mark_start
    int32_t* marks
    int64_t* having_start
    int32_t* having
    uint8_t* exempt_words
    double* logs  # of numbers of words


cdef class CompiledPuzzle(Memory):
    cdef PuzzleTables tables
    cdef readonly str alphabet
    cdef readonly tuple lexicons

    cdef uint64_t letters_of(self, object letters) except? 0
    cdef int _write_letters(self, list columns, int64_t words, int64_t octets) except -1
    cdef int _number_words(self, list word_numbers) except -1
    cdef int write_domains(self, uint64_t* words, list domains) except -1
    cdef list read_domains(self, const uint64_t* words)
