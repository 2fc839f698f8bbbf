"""The two sums of belief propagation over the candidates of a slot."""

from cpython.buffer cimport PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int64_t, uint16_t

from satcross.engine.memory cimport Memory


cdef struct Sums:
    # ``codes`` (candidates x columns) say what a candidate has in a column: the letter at a
    # crossing or the letters at two. ``heard`` and ``told`` (columns x ``codes_number``) have a
    # number for each code in a column.
    int64_t candidates, columns, codes_number
    uint16_t* codes
    double* heard
    double* told
    double* weights


cdef void _weigh(Sums* part) noexcept nogil:
    cdef int64_t candidate, row, place = 0
    cdef double total
    for candidate in range(part.candidates):
        total = 0.0
        row = 0
        for _ in range(part.columns):
            total += part.heard[row + part.codes[place]]
            row += part.codes_number
            place += 1
        part.weights[candidate] = total


cdef void _tell(Sums* part) noexcept nogil:
    cdef int64_t candidate, row, place
    cdef double weight
    for place in range(part.columns * part.codes_number):
        part.told[place] = 0.0
    place = 0
    for candidate in range(part.candidates):
        weight = part.weights[candidate]
        row = 0
        for _ in range(part.columns):
            part.told[row + part.codes[place]] += weight
            row += part.codes_number
            place += 1


cdef class Part(Memory):
    """A slot's candidates and messages; ``heard``, ``told`` and ``weights`` stay the caller's."""

    cdef Sums sums
    cdef Py_buffer heard, told, weights

    def __init__(self, codes, int64_t columns, heard, told, weights):
        PyObject_GetBuffer(heard, &self.heard, PyBUF_WRITABLE)
        PyObject_GetBuffer(told, &self.told, PyBUF_WRITABLE)
        PyObject_GetBuffer(weights, &self.weights, PyBUF_WRITABLE)
        self.sums.codes = <uint16_t*>self.copy_of(codes, sizeof(uint16_t))
        self.sums.heard, self.sums.told = <double*>self.heard.buf, <double*>self.told.buf
        self.sums.weights = <double*>self.weights.buf
        self.sums.candidates = self.weights.len // sizeof(double)
        self.sums.columns = columns
        self.sums.codes_number = self.heard.len // sizeof(double) // columns

    def __dealloc__(self):
        PyBuffer_Release(&self.heard)
        PyBuffer_Release(&self.told)
        PyBuffer_Release(&self.weights)

    def weigh(self):
        """Sum what was heard of the codes of each candidate, as its weight."""
        with nogil:
            _weigh(&self.sums)

    def tell(self):
        """For each code in each column, sum the weights of the candidates that have it."""
        with nogil:
            _tell(&self.sums)
