"""Clauses for "one word per slot, crossings agree, no word twice": the support encoding.

x[s,w] stands for "slot s takes the word w", and y[c,l] for "cell c has the letter l". The three
constraints are the three functions at the top; ``encode`` puts them together. Unit propagation on
the support encoding does what arc consistency does (S. Kasif, "On the parallel complexity of
discrete relaxation in constraint satisfaction networks", 1990; I. P. Gent, "Arc consistency in
SAT", ECAI 2002).

That a slot takes at most one word need not be said: words that agree on all checked cells of a
slot fit equally well, and any of those that are true may be read from a model. So a fill may have
several models; the clauses of ``Encoding.one_model_per_fill`` leave it one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from encoders.cardinality import Clause, pairwise
from encoders.encoding import Encoding
from encoders.instance import Instance, no_pause, users_of_words

AtMostOne = Callable[[Sequence[int], str], Iterable[Clause]]


def slot_word_choice(words: Mapping[str, int]) -> list[Clause]:
    """A slot takes one of its words.

        x[s,w1] ∨ x[s,w2] ∨ ... ∨ x[s,wn]

    ``words`` maps each word of the slot to its variable. One clause.
    """
    return [list(words.values())]


def crossing_letter_equality(
    words: Mapping[str, int], position: int, letters: Mapping[str, int]
) -> list[Clause]:
    """A slot's word and the checked cell at one of its positions agree on the letter.

        ¬x[s,w] ∨ y[c,l]                        for every word w, whose letter there is l
        ¬y[c,l] ∨ x[s,w1] ∨ ... ∨ x[s,wn]       for every letter l, w1 ... wn the words that have it

    Stated for both slots of a crossing, it makes their letters equal. ``letters`` maps each letter
    that the cell may have to its variable. A clause per word and a clause per letter.
    """
    at = (words, position, letters)
    return word_implies_letter(*at) + letter_implies_word(*at)


def uniqueness(
    slots: Iterable[Mapping[str, int]], at_most_one: AtMostOne = pairwise
) -> Iterator[Clause]:
    """No word is used twice.

        ¬x[s,w] ∨ ¬x[t,w]                       for every word w and slots s ≠ t that may take it

    ``slots`` has the words of each slot with their variables. ``at_most_one`` states that at most
    one of some literals is true; by default with these pairwise clauses, k (k - 1) / 2 for a word
    that k slots may take.
    """
    for word, variables in users_of_words(slots).items():
        yield from at_most_one(variables, word)


def one_letter(letters: Mapping[str, int]) -> list[Clause]:
    """A checked cell has exactly one letter: pairwise clauses, then one clause with all letters."""
    variables = list(letters.values())
    return [*pairwise(variables), variables]


def word_implies_letter(
    words: Mapping[str, int], position: int, letters: Mapping[str, int]
) -> list[Clause]:
    """The first half of ``crossing_letter_equality``: a clause per word."""
    return [[-variable, letters[word[position]]] for word, variable in words.items()]


def letter_implies_word(
    words: Mapping[str, int], position: int, letters: Mapping[str, int]
) -> list[Clause]:
    """The second half of ``crossing_letter_equality``: a clause per letter."""
    support: defaultdict[str, list[int]] = defaultdict(list)
    for word, variable in words.items():
        support[word[position]].append(variable)
    return [[-variable, *support[letter]] for letter, variable in letters.items()]


def encode(instance: Instance) -> tuple[list[Clause], Encoding]:
    """Return the support encoding of the instance, and what its variables mean."""
    clauses, encoding = generate(instance)
    return list(clauses), encoding


def generate(
    instance: Instance, pause: Callable[[], None] = no_pause, variant: str = ""
) -> tuple[Iterator[Clause], Encoding]:
    """Do the same as ``encode``, clause by clause, calling ``pause`` now and then.

    ``variant`` is "" or one of ``variants.VARIANTS``. All variables are there once the last
    clause is taken.
    """
    encoding = Encoding(instance.slots)
    for cell, letters in instance.letters(pause).items():
        encoding.new_letters(cell, letters)
    for slot, words in enumerate(instance.candidates):
        pause()
        encoding.new_words(slot, words)
    return _clauses(instance, encoding, pause, variant), encoding


def _clauses(
    instance: Instance, encoding: Encoding, pause: Callable[[], None], variant: str
) -> Iterator[Clause]:
    for letters in encoding.letters.values():
        yield from one_letter(letters)
    for variables in instance.sharing(encoding.letters):
        yield from pairwise(variables)
    for slot, (cells, words) in enumerate(zip(instance.slots, encoding.words, strict=True)):
        pause()
        checked = [position for position, cell in enumerate(cells) if cell in instance.checked]
        at = {position: encoding.letters[cells[position]] for position in checked}
        label = f"the word of slot {slot}"
        if variant == "regular":
            from encoders.variants import regular

            yield from regular(encoding, label, words, at)
        else:
            yield from slot_word_choice(words)
            for position in checked:
                yield from crossing_letter_equality(words, position, at[position])
            yield from _at_most_one_word(encoding, words, label, variant)
        if instance.at_least is not None and len(checked) < len(cells):
            from encoders.word_rules import demanded_words_alone

            yield from demanded_words_alone(instance.at_least.words, words, checked)
    if not instance.allow_repeats:
        pause()
        yield from uniqueness(encoding.words, encoding.at_most_one)
    if instance.conflict_groups or instance.at_least is not None:
        from encoders.word_rules import rule_clauses

        yield from rule_clauses(instance, encoding)


def _at_most_one_word(
    encoding: Encoding, words: Mapping[str, int], label: str, variant: str
) -> list[Clause]:
    if not variant:
        return []
    from encoders.variants import AT_MOST_ONE

    state = AT_MOST_ONE.get(variant)
    return state(encoding, list(words.values()), label) if state else []
