"""Memory that an object owns, and operations on 64-bit words."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #define ONE ((uint64_t)1)
    #define ZERO ((uint64_t)0)
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    static inline uint64_t count_bits(uint64_t bits) { return __popcnt64(bits); }
    static inline uint64_t lowest(uint64_t bits) {
        unsigned long place;
        _BitScanForward64(&place, bits);
        return place;
    }
    #else
    #define count_bits(bits) ((uint64_t)__builtin_popcountll(bits))
    #define lowest(bits) ((uint64_t)__builtin_ctzll(bits))
    #endif
    """
    const uint64_t ONE
    const uint64_t ZERO
    uint64_t count_bits(uint64_t bits) noexcept nogil  # the number of bits that are set
    uint64_t lowest(uint64_t bits) noexcept nogil  # the index of the lowest; ``bits`` is not zero


cdef inline bint has(const uint64_t* bits, int64_t start, int64_t word) noexcept nogil:
    return (bits[start + (word >> 6)] >> <uint64_t>(word & 63)) & ONE


cdef inline int64_t first_word(
    const uint64_t* bits, int64_t start, int64_t words, int64_t index
) noexcept nogil:
    """Return the first word of a domain at or after an index; -1 if there is none."""
    cdef int64_t at = index >> 6
    cdef uint64_t rest
    if at >= words:
        return -1
    rest = (bits[start + at] >> <uint64_t>(index & 63)) << <uint64_t>(index & 63)
    while rest == 0:
        at += 1
        if at == words:
            return -1
        rest = bits[start + at]
    return (at << 6) + <int64_t>lowest(rest)


cdef inline double xorshift(uint64_t* state) noexcept nogil:
    """Return a number from 0 to below 1 (Marsaglia 2003)."""
    cdef uint64_t bits = state[0]
    bits ^= bits << <uint64_t>13
    bits ^= bits >> <uint64_t>7
    bits ^= bits << <uint64_t>17
    state[0] = bits
    return <double>(bits >> <uint64_t>11) / 9007199254740992.0


cdef class Memory:
    cdef void** _blocks
    cdef int64_t _count

    cdef void* zeros(self, int64_t count, size_t size) except NULL
    cdef void* grown(self, void* block, int64_t count, int64_t more, size_t size) except NULL
    cdef int32_t* int32s(self, int64_t count, int32_t value=*) except NULL
    cdef int64_t* int64s(self, int64_t count) except NULL
    cdef uint64_t* uint64s(self, int64_t count) except NULL
    cdef uint8_t* bytes(self, int64_t count) except NULL
    cdef double* floats(self, int64_t count, double value=*) except NULL
    cdef void* copy_of(self, object values, str code, size_t size) except NULL
    cdef int32_t* int32s_of(self, object values) except NULL
    cdef int64_t* int64s_of(self, object values) except NULL
    cdef uint64_t* uint64s_of(self, object values) except NULL
    cdef uint8_t* bytes_of(self, object values) except NULL
    cdef double* floats_of(self, object values) except NULL
    cdef uint64_t* copied(self, const uint64_t* words, int64_t count) except NULL


cdef int set_bits(uint64_t* words, int64_t count, object bitset) except -1
cdef object bitset_of(const uint64_t* words, int64_t count)
