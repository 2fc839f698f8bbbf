"""Memory that an object owns: zeroed blocks, freed with the object."""

from cpython.buffer cimport (
    PyBUF_SIMPLE, PyBuffer_Release, PyObject_CheckBuffer, PyObject_GetBuffer,
)
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree, PyMem_RawRealloc
from libc.string cimport memcpy, memset

from array import array


cdef class Memory:
    """The blocks of memory of a compiled object."""

    def __dealloc__(self):
        cdef int64_t k
        for k in range(self._count):
            PyMem_RawFree(self._blocks[k])
        PyMem_RawFree(self._blocks)

    cdef void* zeros(self, int64_t count, size_t size) except NULL:
        """Return a new block of so many elements, all zero, and one to spare."""
        cdef void* blocks
        cdef void* block
        blocks = PyMem_RawRealloc(self._blocks, (self._count + 1) * sizeof(void*))
        if blocks == NULL:
            raise MemoryError
        self._blocks = <void**>blocks
        block = PyMem_RawCalloc(count + 1, size)
        if block == NULL:
            raise MemoryError
        self._blocks[self._count] = block
        self._count += 1
        return block

    cdef void* grown(self, void* block, int64_t count, int64_t more, size_t size) except NULL:
        """Return the block, which had ``count`` elements, with room for ``more`` zeros."""
        cdef int64_t k = 0
        cdef void* longer
        for k in range(self._count):
            if self._blocks[k] == block:
                break
        longer = PyMem_RawRealloc(block, (count + more + 1) * size)
        if longer == NULL:
            raise MemoryError
        self._blocks[k] = longer
        memset(<char*>longer + count * size, 0, (more + 1) * size)
        return longer

    cdef int32_t* int32s(self, int64_t count, int32_t value=0) except NULL:
        cdef int64_t k
        cdef int32_t* block = <int32_t*>self.zeros(count, sizeof(int32_t))
        if value:
            for k in range(count):
                block[k] = value
        return block

    cdef int64_t* int64s(self, int64_t count) except NULL:
        return <int64_t*>self.zeros(count, sizeof(int64_t))

    cdef uint64_t* uint64s(self, int64_t count) except NULL:
        return <uint64_t*>self.zeros(count, sizeof(uint64_t))

    cdef uint8_t* bytes(self, int64_t count) except NULL:
        return <uint8_t*>self.zeros(count, 1)

    cdef double* floats(self, int64_t count, double value=0.0) except NULL:
        cdef int64_t k
        cdef double* block = <double*>self.zeros(count, sizeof(double))
        if value != 0.0:
            for k in range(count):
                block[k] = value
        return block

    cdef void* copy_of(self, object values, str code, size_t size) except NULL:
        """Return the numbers of a sequence, or of an array with elements of this size."""
        cdef Py_buffer view
        cdef void* block
        if not PyObject_CheckBuffer(values):
            values = array(code, values)
        PyObject_GetBuffer(values, &view, PyBUF_SIMPLE)
        try:
            if <size_t>view.itemsize != size:
                raise TypeError(f"elements of {view.itemsize} bytes instead of {size}")
            block = self.zeros(view.len // size, size)
            memcpy(block, view.buf, view.len)
        finally:
            PyBuffer_Release(&view)
        return block

    cdef int32_t* int32s_of(self, object values) except NULL:
        return <int32_t*>self.copy_of(values, "i", sizeof(int32_t))

    cdef int64_t* int64s_of(self, object values) except NULL:
        return <int64_t*>self.copy_of(values, "q", sizeof(int64_t))

    cdef uint64_t* uint64s_of(self, object values) except NULL:
        return <uint64_t*>self.copy_of(values, "Q", sizeof(uint64_t))

    cdef uint8_t* bytes_of(self, object values) except NULL:
        return <uint8_t*>self.copy_of(values, "B", sizeof(uint8_t))

    cdef double* floats_of(self, object values) except NULL:
        return <double*>self.copy_of(values, "d", sizeof(double))

    cdef uint64_t* copied(self, const uint64_t* words, int64_t count) except NULL:
        cdef uint64_t* block = self.uint64s(count)
        memcpy(block, words, count * sizeof(uint64_t))
        return block


cdef int set_bits(uint64_t* words, int64_t count, object bitset) except -1:
    """Write a bitset, which is an int, as ``count`` 64-bit words."""
    cdef bytes octets = bitset.to_bytes(count * 8, "little")
    memcpy(words, <const char*>octets, count * 8)
    return 0


cdef object bitset_of(const uint64_t* words, int64_t count):
    """Return 64-bit words as a bitset, which is an int."""
    return int.from_bytes((<const char*>words)[: count * 8], "little")
