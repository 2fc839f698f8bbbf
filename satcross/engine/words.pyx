"""Bitsets of the words that have a letter."""

from libc.stdint cimport int64_t, uint8_t

from satcross.engine.memory cimport Memory


def letter_masks(str text not None, int64_t length, int64_t position):
    """Return letter -> bitset of the words with it at a position; None if letters are not ASCII.

    ``text`` has all words, each of the same length.
    """
    cdef Memory memory = Memory()
    cdef int64_t k, words = len(text) // length
    cdef int64_t octets = (words + 7) // 8
    cdef uint8_t* bits[128]
    cdef Py_UCS4 letter
    for k in range(128):
        bits[k] = NULL
    for k in range(words):
        letter = text[k * length + position]
        if letter > 127:
            return None
        if bits[<int64_t>letter] == NULL:
            bits[<int64_t>letter] = memory.bytes(octets)
        bits[<int64_t>letter][k >> 3] |= <uint8_t>(1 << (k & 7))
    found = {}
    for k in range(128):
        if bits[k] != NULL:
            found[chr(k)] = int.from_bytes((<const char*>bits[k])[:octets], "little")
    return found
