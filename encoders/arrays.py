"""The support encoding of ``encoders.cnf`` as one array, for formulas of millions of clauses.

The clauses, their order and their variables are those of ``encoders.encode``; only the data type
differs. An array of clauses is flat: int32 literals, with a 0 after every clause, as in DIMACS.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, BinaryIO

from encoders.cardinality import MAX_PAIRWISE, pairwise, sequential_counter
from encoders.cnf import encode, one_letter
from encoders.instance import Instance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Literals = NDArray[np.int32]

_CHUNK = 1_000_000
"""Literals that are turned into text at a time."""


def encode_to_array(instance: Instance) -> tuple[Literals, int, list[int]]:
    """Return the clauses, the number of variables, and the first variable of each slot's words.

    The words of a slot have consecutive variables, in the order of ``instance.candidates``.
    """
    import numpy as np

    if instance.conflict_groups or instance.at_least is not None:
        clauses, encoding = encode(instance)  # rules are stated clause by clause
        firsts = [min(words.values(), default=0) for words in encoding.words]
        return _flatten(clauses), encoding.variables.count, firsts
    letters: dict[object, dict[str, int]] = {}
    count = 0
    for cell, possible in instance.letters().items():
        letters[cell] = {letter: count + i for i, letter in enumerate(possible, 1)}
        count += len(possible)
    firsts = []
    for words in instance.candidates:
        firsts.append(count + 1)
        count += len(words)
    parts = [_flatten(one_letter(one)) for one in letters.values()]
    for first, cells, words in zip(firsts, instance.slots, instance.candidates, strict=True):
        variables = np.arange(first, first + len(words), dtype=np.int32)
        parts.append(_with_ends(variables))
        spelled = np.frombuffer("".join(words).encode("utf-32-le"), dtype=np.uint32)
        spelled = spelled.reshape(len(words), len(cells))
        for position, cell in enumerate(cells):
            if cell in letters:
                parts += _letters_agree(variables, spelled[:, position], letters[cell])
    if not instance.allow_repeats:
        clauses_of_words, added = _different(instance.candidates, firsts, count)
        parts.append(clauses_of_words)
        count += added
    return np.concatenate(parts) if parts else np.zeros(0, np.int32), count, firsts


def count_clauses(clauses: Literals) -> int:
    """Return the number of clauses in an array."""
    return len(clauses) - int((clauses != 0).sum())


def write_array(stream: BinaryIO, clauses: Literals, variables: int) -> None:
    """Write the array as a DIMACS CNF, with the bytes that ``encoders.write_dimacs`` writes."""
    stream.write(f"p cnf {variables} {count_clauses(clauses)}\n".encode("ascii"))
    for start in range(0, len(clauses), _CHUNK):
        stream.write(_text(clauses[start : start + _CHUNK]))


def write_weighted_array(stream: BinaryIO, clauses: Literals, costs: Mapping[int, int]) -> None:
    """Write the array as a WCNF of the MaxSAT Evaluation 2022, with a cost for some variables."""
    for start in range(0, len(clauses), _CHUNK):
        # The first clause of a chunk may have begun in the one before.
        begun = not start or clauses[start - 1] == 0
        text = _text(clauses[start : start + _CHUNK])
        stream.write((b"h " if begun else b"") + text[:-1].replace(b"\n", b"\nh ") + text[-1:])
    stream.writelines(f"{cost} -{variable} 0\n".encode("ascii") for variable, cost in costs.items())


def _text(literals: Literals) -> bytes:
    """Return literals as decimal numbers, each followed by a space, or a newline after a 0."""
    import numpy as np

    size = np.abs(literals)
    digits = np.ones(len(literals), np.int8)
    power = 10
    while power <= size.max(initial=0):
        digits += size >= power
        power *= 10
    ends = np.cumsum(digits + (literals < 0) + 1, dtype=np.int64)
    text = np.full(int(ends[-1]) if len(ends) else 0, ord("-"), np.uint8)
    text[ends - 1] = np.where(literals == 0, ord("\n"), ord(" "))
    place, rest = ends - 2, size
    while len(place):
        text[place] = ord("0") + rest % 10
        more = rest >= 10
        place, rest = place[more] - 1, rest[more] // 10
    return text.tobytes()


def _flatten(clauses: Sequence[Sequence[int]]) -> Literals:
    import numpy as np

    return np.array([literal for clause in clauses for literal in (*clause, 0)], np.int32)


def _with_ends(*columns: Literals) -> Literals:
    """Return the columns as one clause, ended by a 0."""
    import numpy as np

    return np.concatenate([*columns, np.zeros(1, np.int32)])


def _letters_agree(
    words: Literals, spelled: NDArray[np.uint32], letters: dict[str, int]
) -> Iterator[Literals]:
    """Yield the clauses of ``cnf.crossing_letter_equality``."""
    import numpy as np

    codes = np.array([ord(letter) for letter in letters], np.uint32)  # sorted, as letters are
    of_word = np.searchsorted(codes, spelled)
    variables = np.array(list(letters.values()), np.int32)
    implied = np.zeros((len(words), 3), np.int32)
    implied[:, 0], implied[:, 1] = -words, variables[of_word]
    yield implied.ravel()
    by_letter = words[np.argsort(of_word, kind="stable")]
    ends = np.cumsum(np.bincount(of_word, minlength=len(codes)))
    for variable, supporters in zip(variables, np.split(by_letter, ends)[:-1], strict=True):
        yield _with_ends(np.array([-variable], np.int32), supporters)


def _different(
    candidates: Sequence[Sequence[str]], firsts: Sequence[int], count: int
) -> tuple[Literals, int]:
    """Return the clauses of ``cnf.uniqueness``, and the number of variables they add."""
    import numpy as np

    numbers: dict[str, int] = {}
    users = [numbers.setdefault(word, len(numbers)) for words in candidates for word in words]
    number = np.array(users, np.int64)
    variable = np.concatenate(
        [
            np.arange(first, first + len(words), dtype=np.int32)
            for first, words in zip((0, *firsts), ((), *candidates), strict=True)
        ]
    )
    by_word = variable[np.argsort(number, kind="stable")]
    sizes = np.bincount(number, minlength=len(numbers))
    starts = np.cumsum(sizes) - sizes
    added = np.where(sizes > MAX_PAIRWISE, sizes - 1, 0)
    counters = count + np.cumsum(added) - added
    patterns = {int(size): _pattern(int(size)) for size in np.unique(sizes) if size > 1}
    lengths = np.zeros(len(sizes), np.int64)
    for size, pattern in patterns.items():
        lengths[sizes == size] = len(pattern)
    places = np.cumsum(lengths) - lengths
    clauses = np.zeros(int(lengths.sum()), np.int32)
    for size, pattern in patterns.items():
        words = np.flatnonzero(sizes == size)
        # Column 0 is the end of a clause, then come the users, then the variables of the counter.
        columns = [np.zeros((len(words), 1), np.int64)]
        columns.append(by_word[starts[words, None] + np.arange(size)])
        columns.append(counters[words, None] + np.arange(1, size))
        values = np.concatenate(columns, axis=1)
        block = values[:, np.abs(pattern)] * np.sign(pattern)
        clauses[places[words, None] + np.arange(len(pattern))] = block
    return clauses, int(added.sum())


def _pattern(size: int) -> NDArray[np.int64]:
    """Return the clauses of "at most one" over literals 1 to ``size``, flat.

    Variables of a counter follow from ``size + 1``; 0 ends a clause.
    """
    import numpy as np

    literals = list(range(1, size + 1))
    if size <= MAX_PAIRWISE:
        clauses = pairwise(literals)
    else:
        seen = range(size + 1, 2 * size)
        clauses = sequential_counter([[one] for one in literals], seen)
    return np.array([literal for clause in clauses for literal in (*clause, 0)], np.int64)
