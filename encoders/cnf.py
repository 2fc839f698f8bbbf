"""Clauses for "one word per slot, crossings agree, all different".

Variables: one per slot and candidate word, one per checked cell and letter. The *support*
encoding (Kasif 1990; Gent 2002, "Arc consistency in SAT") has, for every slot,

- at least one of its words;
- word -> its letter, at every checked cell;
- letter -> at least one word of the slot that has this letter there,

and, for every checked cell, at most one letter. Unit propagation on it does what arc consistency
does. At most one word a slot need not be said: words that agree on all the checked letters of a
slot fit equally well, and any of them may be read from a model.

The *direct* encoding (Walsh 2000, "SAT v CSP") has no letters: exactly one word a slot, and a
clause for every two words of crossing slots that disagree. It is there to compare with: its size
grows with the square of the list, and unit propagation on it does less.

Words that exclude each other (``Group``) are kept apart by a ladder over the slots, as wide as
there are slots and not words (Sinz 2005's sequential counter, on sets of literals); that so many of
some words must be used is counted in the same way, from below. Unit propagation on either finds
all that follows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from encoders.instance import AtLeast, Cell, Group, Instance, checked_cells, crossings
from encoders.variables import VariableMap

Clause = list[int]


class WordChoice:
    """A variable per slot and word: what the encodings have in common."""

    def __init__(self, slots: Sequence[Sequence[Cell]]) -> None:
        self.slots = tuple(tuple(cells) for cells in slots)
        self.variables = VariableMap()
        self._words: list[dict[str, int]] = [{} for _ in self.slots]
        self._ladders: list[tuple[range, list[list[int]]]] = []
        self._counts: list[tuple[range, tuple[str, ...], range, list[tuple[int, int]]]] = []

    def words(self, slot: int) -> dict[str, int]:
        """The slot's words so far, with their variables."""
        return self._words[slot]

    def decode(self, model: Sequence[int]) -> list[str]:
        """One word a slot from a model that satisfies the assumptions, if there are any.

        ``model`` has the literal of variable ``v`` at index ``v - 1``.
        """
        return [
            next(word for word, literal in words.items() if model[literal - 1] > 0)
            for words in self._words
        ]

    def model(self, words: Sequence[str]) -> list[int]:
        """The model that says these words, one a slot: a literal for every variable, in order.

        It satisfies all clauses when the words are a fill. Raises ValueError when a slot hasn't
        its word.
        """
        true: set[int] = set()
        letters = {
            cell: letter
            for cells, word in zip(self.slots, words, strict=True)
            for cell, letter in zip(cells, word, strict=True)
        }
        for slot, word in enumerate(words):
            if word not in self._words[slot]:
                raise ValueError(f"slot {slot} has no word {word!r}")
            true.add(self._words[slot][word])
        for block in self.variables.blocks:
            if block.kind == "letter":
                letter = letters[block.key]  # type: ignore[index]
                true.add(block.first + block.labels.index(letter))
        for seen, groups in self._ladders:
            reached = next((k for k, one in enumerate(groups) if not true.isdisjoint(one)), None)
            if reached is not None:
                true.update(seen[reached:])
        for used, wanted, counts, pairs in self._counts:
            having = [word in words for word in wanted]
            true.update(literal for literal, one in zip(used, having, strict=True) if one)
            true.update(
                literal
                for literal, (first, number) in zip(counts, pairs, strict=True)
                if sum(having[:first]) >= number
            )
        return [v if v in true else -v for v in range(1, self.variables.count + 1)]

    def all_different(self) -> Iterator[Clause]:
        """Clauses: at most one slot per word."""
        users: defaultdict[str, list[int]] = defaultdict(list)
        for words in self._words:
            for word, literal in words.items():
                users[word].append(literal)
        for word, literals in users.items():
            yield from self.at_most_one(literals, word)

    def keep_apart(self, group: Group, repeats: bool = False) -> Iterator[Clause]:
        """Clauses: at most one of the group's words, none beside a free one.

        With ``repeats`` the same word may be used several times. Words that their slots have not
        been given are not spoken of.
        """
        users: defaultdict[object, list[int]] = defaultdict(list)
        free: list[int] = []
        for slot, words in enumerate(self._words):
            for word in group.words:
                if word in words:
                    users[word if repeats else slot].append(words[word])
            free += [words[word] for word in group.free if word in words]
        sets = list(users.values())
        yield from self._ladder(sets, group.label)
        if free and sets:
            yield from self._ladder([[one for its in sets for one in its], free], group.label)

    def demand(self, wanted: AtLeast) -> Iterator[Clause]:
        """Clauses: at least so many of the words are used.

        Slots must have been given all of these words that they may take.
        """
        users = [[words[word] for words in self._words if word in words] for word in wanted.words]
        if wanted.least == len(wanted.words):
            yield from users
            return
        used = self.variables.used("the wanted words", wanted.words)
        for literal, its in zip(used, users, strict=True):
            yield [-literal, *its]
        # reached[i, j]: at least j of the first i words are used.
        pairs = [
            (i, j)
            for i in range(1, len(used) + 1)
            for j in range(1, min(i, wanted.least) + 1)
            if wanted.least - j <= len(used) - i
        ]
        labels = [f"{j} of the first {i}" for i, j in pairs]
        counts = self.variables.counts("the wanted words", labels)
        self._counts.append((used, wanted.words, counts, pairs))
        reached = dict(zip(pairs, counts, strict=True))
        for i, j in pairs:
            before = [reached[i - 1, j]] if (i - 1, j) in reached else []
            yield [-reached[i, j], *before, used[i - 1]]
            if j > 1:
                yield [-reached[i, j], *before, reached[i - 1, j - 1]]
        yield [reached[len(used), wanted.least]]

    def at_most_one(self, literals: Sequence[int], label: str) -> list[Clause]:
        """Pairwise up to five literals, then a sequential counter (Sinz 2005)."""
        if len(literals) <= 5:
            return [[-a, -b] for a, b in combinations(literals, 2)]
        return self._ladder([[literal] for literal in literals], label)

    def _ladder(self, sets: list[list[int]], label: str) -> list[Clause]:
        """Literals of at most one of the sets are true; in one set, several may be."""
        if len(sets) < 2:
            return []
        seen = self.variables.auxiliary(label, len(sets) - 1)
        self._ladders.append((seen, sets))
        return _counted(sets, seen)


class SupportEncoding(WordChoice):
    """The support encoding of slots whose vocabulary may be handed over bit by bit.

    ``add_words`` returns the clauses for some more words of a slot. While a slot is *open* (more
    words may follow), its clauses carry an extension literal that stands for "some word not yet
    here": assume ``assumptions`` to ask for a fill from the words so far. When that is
    unsatisfiable, the assumptions in the solver's core name the slots that must be given more.
    Clauses are only ever added, so that what a solver has learned stays valid.
    """

    def __init__(self, slots: Sequence[Sequence[Cell]], alone: Iterable[str] = ()) -> None:
        """``alone``: words beside which no other word of their slot may be true in a model."""
        super().__init__(slots)
        self._checked = checked_cells(self.slots)
        self._alone = frozenset(alone)
        self._letters: dict[Cell, dict[str, int]] = {}
        self._extension: list[int] = [0] * len(self.slots)

    @property
    def assumptions(self) -> list[int]:
        """Literals that hold when no slot needs a word it has not been given."""
        return [-literal for literal in self._extension if literal]

    def letters(self, cell: Cell) -> dict[str, int]:
        """The letters that a checked cell may have, with their variables."""
        return self._letters[cell]

    def slot_of(self, assumption: int) -> int:
        """The slot that one of the ``assumptions`` stands for."""
        return self._extension.index(-assumption)

    def add_letters(self, cell: Cell, letters: Iterable[str]) -> list[Clause]:
        """Say which letters a checked cell may have (once a cell, before any word)."""
        labels = tuple(letters)
        literals = self.variables.letters(cell, labels)
        self._letters[cell] = dict(zip(labels, literals, strict=True))
        clauses = [[-a, -b] for a, b in combinations(literals, 2)]
        clauses.append(list(literals))
        return clauses

    def add_words(self, slot: int, words: Sequence[str], *, last: bool = True) -> list[Clause]:
        """Hand over more words of a slot; ``last`` when there are no others.

        Every letter of a word at a checked cell must be one of the cell's letters.
        """
        clauses: list[Clause] = []
        known = self._words[slot]
        new = self.variables.words(slot, words)
        previous = self._extension[slot]
        self._extension[slot] = extension = 0 if last else self.variables.extension(slot)
        tail = [] if last else [extension]
        if previous:
            clauses.append([-previous, *new, *tail])
        known.update(zip(words, new, strict=True))
        clauses.append([*known.values(), *tail])
        for position, cell in enumerate(self.slots[slot]):
            if cell not in self._checked:
                continue
            letters = self._letters[cell]
            clauses += [
                [-literal, letters[word[position]]]
                for word, literal in zip(words, new, strict=True)
            ]
            support: defaultdict[str, list[int]] = defaultdict(list)
            for word, literal in known.items():
                support[word[position]].append(literal)
            clauses += [[-literal, *support[letter], *tail] for letter, literal in letters.items()]
        if self._alone:
            clauses += self._leave_alone(slot, words)
        return clauses

    def _leave_alone(self, slot: int, new: Sequence[str]) -> Iterator[Clause]:
        """Of words with the same checked letters several may be true; not beside these, though."""
        places = [at for at, cell in enumerate(self.slots[slot]) if cell in self._checked]
        if len(places) == len(self.slots[slot]):
            return
        known = self._words[slot]
        like: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
        for word in known:
            like[tuple(word[at] for at in places)].append(word)
        fresh = set(new)
        for words in like.values():
            for word in self._alone.intersection(words):
                yield from (
                    [-known[word], -known[other]]
                    for other in words
                    if other != word
                    and (word in fresh or other in fresh)
                    and (other not in self._alone or word < other)
                )

    def differ(self, word: str) -> list[Clause]:
        """At most one slot has this word, among those that have been given it."""
        literals = [words[word] for words in self._words if word in words]
        return self.at_most_one(literals, word)


def encode(instance: Instance) -> tuple[list[Clause], SupportEncoding]:
    """The support encoding of the whole instance at once: every word, and all rules.

    At most one slot per word is said pairwise for a few slots and by sequential counters (Sinz
    2005) beyond. Returns the clauses and the encoding, which decodes models.
    """
    clauses, encoding = generate(instance)
    return list(clauses), encoding


def generate(instance: Instance) -> tuple[Iterator[Clause], SupportEncoding]:
    """As ``encode``, clause by clause: the encoding is complete when the clauses are used up."""
    encoding = SupportEncoding(instance.slots, instance.wanted.words if instance.wanted else ())

    def clauses() -> Iterator[Clause]:
        for cell, letters in instance.letters().items():
            yield from encoding.add_letters(cell, letters)
        for slot, words in enumerate(instance.candidates):
            yield from encoding.add_words(slot, words)
        yield from _rules(instance, encoding)

    return clauses(), encoding


def _rules(instance: Instance, encoding: WordChoice) -> Iterator[Clause]:
    if not instance.repeats:
        yield from encoding.all_different()
    for group in instance.groups:
        yield from encoding.keep_apart(group, instance.repeats)
    if instance.wanted is not None:
        yield from encoding.demand(instance.wanted)


def encode_direct(instance: Instance) -> tuple[list[Clause], WordChoice]:
    """The direct encoding of the whole instance; ask ``direct_size`` first how large it is."""
    clauses, encoding = generate_direct(instance)
    return list(clauses), encoding


def generate_direct(instance: Instance) -> tuple[Iterator[Clause], WordChoice]:
    """As ``encode_direct``, clause by clause."""
    encoding = WordChoice(instance.slots)

    def clauses() -> Iterator[Clause]:
        for slot, words in enumerate(instance.candidates):
            literals = encoding.variables.words(slot, words)
            encoding.words(slot).update(zip(words, literals, strict=True))
            yield list(literals)
            yield from ([-a, -b] for a, b in combinations(literals, 2))
        for first, i, second, j in crossings(instance.slots):
            for word, a in encoding.words(first).items():
                for other, b in encoding.words(second).items():
                    if word[i] != other[j]:
                        yield [-a, -b]
        yield from _rules(instance, encoding)

    return clauses(), encoding


def direct_size(instance: Instance) -> int:
    """How many clauses the direct encoding has, those for different words aside."""
    size = sum(1 + len(words) * (len(words) - 1) // 2 for words in instance.candidates)
    for first, i, second, j in crossings(instance.slots):
        one = Counter(word[i] for word in instance.candidates[first])
        two = Counter(word[j] for word in instance.candidates[second])
        size += one.total() * two.total() - sum(one[letter] * two[letter] for letter in one)
    return size


def at_most_one(literals: Sequence[int], variables: VariableMap, label: str) -> list[Clause]:
    """Pairwise up to five literals, then a sequential counter (Sinz 2005)."""
    if len(literals) <= 5:
        return [[-a, -b] for a, b in combinations(literals, 2)]
    seen = variables.auxiliary(label, len(literals) - 1)
    return _counted([[literal] for literal in literals], seen)


def _counted(sets: Sequence[Sequence[int]], seen: Sequence[int]) -> list[Clause]:
    """A sequential counter: ``seen[i]`` is true if a set up to the i-th has a true one."""
    clauses = [[-literal, seen[0]] for literal in sets[0]]
    for i in range(1, len(sets) - 1):
        clauses += [[-literal, seen[i]] for literal in sets[i]]
        clauses.append([-seen[i - 1], seen[i]])
        clauses += [[-literal, -seen[i - 1]] for literal in sets[i]]
    clauses += [[-literal, -seen[-1]] for literal in sets[-1]]
    return clauses
