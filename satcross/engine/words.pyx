"""Texts of words of one length, and bitsets of these words."""

from cpython.array cimport array, clone
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from satcross.engine.memory cimport ONE, Memory, bitset_of, lowest, set_bits


def letter_masks(str text not None, int64_t length, int64_t position):
    """Return letter -> bitset of the words with it at a position; None if letters are not ASCII.

    ``text`` has all words, each of the same length.
    """
    cdef Memory memory = Memory()
    cdef int64_t k, words = len(text) // length
    cdef int64_t octets = (words + 7) // 8
    cdef uint8_t* bits[128]
    cdef Py_UCS4 letter
    cdef unsigned int kind = PyUnicode_KIND(text)
    cdef void* letters = PyUnicode_DATA(text)
    for k in range(128):
        bits[k] = NULL
    for k in range(words):
        letter = PyUnicode_READ(kind, letters, k * length + position)
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


def chosen_words(str text not None, int64_t length, bitset):
    """Return the words of a bitset as one text, and their indices as 32-bit numbers."""
    cdef Memory memory = Memory()
    cdef int64_t k, at = 0, number = bitset.bit_count(), words = (len(text) // length + 63) >> 6
    cdef uint64_t* bits = memory.uint64s(words)
    cdef int32_t* indices = memory.int32s(number)
    cdef uint64_t rest
    cdef bytes whole
    cdef const char* source
    cdef char* copy
    set_bits(bits, words, bitset)
    for k in range(words):
        rest = bits[k]
        while rest:
            indices[at] = <int32_t>((k << 6) + <int64_t>lowest(rest))
            at += 1
            rest &= rest - ONE
    listed = array("i", (<const char*>indices)[: 4 * number])
    if not text.isascii():
        return "".join([text[k * length : (k + 1) * length] for k in listed]), listed
    whole = text.encode("ascii")
    source, copy = whole, <char*>memory.bytes(number * length)
    for k in range(number):
        memcpy(copy + k * length, source + indices[k] * length, length)
    return (<const char*>copy)[: number * length].decode("ascii"), listed


def chosen_values(array values not None, array indices not None):
    """Return the numbers of an array of doubles at 32-bit indices."""
    cdef int64_t k, number = len(indices)
    cdef array found = clone(values, number, False)
    for k in range(number):
        found.data.as_doubles[k] = values.data.as_doubles[indices.data.as_ints[k]]
    return found


def chosen_bits(bitset, int64_t size, array indices not None):
    """Return the bits of a bitset of a size at 32-bit indices, as a bitset."""
    cdef Memory memory = Memory()
    cdef int64_t k, index, number = len(indices), words = (size + 63) >> 6
    cdef uint64_t* bits = memory.uint64s(words)
    cdef uint64_t* found = memory.uint64s((number + 63) >> 6)
    set_bits(bits, words, bitset)
    for k in range(number):
        index = indices.data.as_ints[k]
        found[k >> 6] |= (bits[index >> 6] >> <uint64_t>(index & 63) & ONE) << <uint64_t>(k & 63)
    return bitset_of(found, (number + 63) >> 6)
