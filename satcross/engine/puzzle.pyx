"""The flat tables of a puzzle, which all compiled searches share."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from libc.math cimport log
from libc.stdint cimport int64_t, uint8_t, uint64_t

from satcross.engine.memory cimport ONE, Memory, bitset_of, set_bits


cdef class CompiledPuzzle(Memory):
    """The tables that ``satcross.network.compiled`` makes, by the names of their fields.

    ``columns`` has the lexicon and the position of each column, in the order in which
    ``mask_start`` and ``column_start`` expect them.
    """

    def __init__(self, tuple lexicons, str alphabet, dict found, list columns):
        cdef PuzzleTables* tables = &self.tables
        cdef int64_t k
        self.lexicons, self.alphabet = lexicons, alphabet
        tables.slots, tables.crossings = found["slots"], found["crossings"]
        tables.links, tables.letters = found["links"], len(alphabet)
        tables.lexicons, tables.words = found["lexicons"], found["words"]
        tables.most_words, tables.most_links = found["most_words"], found["most_links"]
        tables.domain_start = self.int64s_of(found["domain_start"])
        tables.domain_words = self.int64s_of(found["domain_words"])
        tables.lexicon = self.int32s_of(found["lexicon"])
        tables.peer_start = self.int64s_of(found["peer_start"])
        tables.peer_end = self.int64s_of(found["peer_end"])
        tables.peers = self.int32s_of(found["peers"])
        tables.many_peers, tables.max_eager_size = found["many_peers"], found["max_eager_size"]
        tables.link_start = self.int64s_of(found["link_start"])
        tables.link_slot = self.int32s_of(found["link_slot"])
        tables.link_crossing = self.int32s_of(found["link_crossing"])
        tables.link_other = self.int32s_of(found["link_other"])
        tables.link_back = self.int32s_of(found["link_back"])
        tables.links_of = self.int32s_of(found["links_of"])
        tables.mask_start = self.int64s_of(found["mask_start"])
        tables.column_start = self.int64s_of(found["column_start"])
        self._write_letters(columns, found["mask_words"], found["column_octets"])
        tables.lexicon_start = self.int64s_of(found["lexicon_start"])
        self._number_words(found["word_numbers"])
        tables.prefers = found["preferred"] is not None
        if tables.prefers:
            tables.preferred = self.uint64s(tables.words)
            self.write_domains(tables.preferred, found["preferred"])
        tables.theme_words, tables.theme_places = found["theme_words"], found["theme_places"]
        tables.min_theme_words = found["min_theme_words"]
        tables.theme_start = self.int64s_of(found["theme_start"])
        tables.theme_slot = self.int32s_of(found["theme_slot"])
        tables.theme_word = self.int32s_of(found["theme_word"])
        tables.has_clashes = found["has_clashes"]
        if tables.has_clashes:
            tables.mark_start = self.int64s_of(found["mark_start"])
            tables.marks = self.int32s_of(found["marks"])
            tables.having_start = self.int64s_of(found["having_start"])
            tables.having = self.int32s_of(found["having"])
            tables.exempt_words = self.bytes(len(found["exempt_words"]))
            for k in range(len(found["exempt_words"])):
                tables.exempt_words[k] = found["exempt_words"][k]
        k = found["most_candidates"]
        tables.logs = self.floats(k + 1)
        while k > 0:
            tables.logs[k] = log(<double>k)
            k -= 1

    cdef int _write_letters(self, list columns, int64_t words, int64_t octets) except -1:
        cdef uint8_t* code_of = self.bytes(0x110000)
        cdef int64_t k, length, position, size, width, code
        cdef uint64_t[64] block
        cdef uint64_t* mask
        cdef uint8_t* column
        cdef Py_UCS4 letter
        cdef str text
        cdef unsigned int kind
        cdef void* letters
        for k in range(len(self.alphabet)):
            letter = self.alphabet[k]
            code_of[<int64_t>letter] = k
            block[k] = 0
        mask = self.tables.masks = self.uint64s(words)
        column = self.tables.columns = self.bytes(octets)
        for lexicon, place in columns:
            position, length, text = place, lexicon.length, lexicon.text
            size = len(text) // length
            kind, letters = PyUnicode_KIND(text), PyUnicode_DATA(text)
            width = (size + 63) >> 6
            for k in range(size):
                letter = PyUnicode_READ(kind, letters, k * length + position)
                column[k] = code_of[<int64_t>letter]
                block[column[k]] |= ONE << <uint64_t>(k & 63)
                if k & 63 == 63 or k == size - 1:
                    for code in range(self.tables.letters):
                        mask[width * code + (k >> 6)] = block[code]
                        block[code] = 0
            column += size
            mask += width * self.tables.letters
        return 0

    cdef int _number_words(self, list word_numbers) except -1:
        cdef PuzzleTables* tables = &self.tables
        cdef int64_t first, size, k, index, number, word = 0, start = 0
        tables.word_ids = self.int32s(tables.lexicon_start[tables.lexicons])
        tables.index_start = self.int64s(tables.lexicons)
        for _, size, _ in word_numbers:
            start += size
        tables.index_of = self.int32s(start, -1)
        start = 0
        for k, (first, size, numbers) in enumerate(word_numbers):
            tables.index_start[k] = start - first
            for index in range(tables.lexicon_start[k + 1] - tables.lexicon_start[k]):
                number = index if numbers is None else numbers[index]
                tables.word_ids[word] = first + number
                tables.index_of[start + number] = index
                word += 1
            start += size
        return 0

    cdef uint64_t letters_of(self, object letters) except? 0:
        """Return letters as a set of bits."""
        cdef uint64_t found = 0
        for letter in letters:
            found |= ONE << <uint64_t>self.alphabet.index(letter)
        return found

    cdef int write_domains(self, uint64_t* words, list domains) except -1:
        cdef int64_t slot
        for slot in range(self.tables.slots):
            set_bits(
                words + self.tables.domain_start[slot],
                self.tables.domain_words[slot],
                domains[slot],
            )
        return 0

    cdef list read_domains(self, const uint64_t* words):
        cdef int64_t slot
        cdef list found = []
        for slot in range(self.tables.slots):
            found.append(
                bitset_of(words + self.tables.domain_start[slot], self.tables.domain_words[slot])
            )
        return found
