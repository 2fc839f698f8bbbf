"""Saying a reason in puzzle words: a headline, and a chain of steps that a reader can follow.

The steps are those of arc consistency on the few slots of the reason: what words a slot can have,
hence which letters it puts where it crosses another, until a slot has none left. Only steps that
the end rests on are told. Where that is not enough, words that must differ are counted, then the
words of one slot are tried in turn; a chain that gets too long for a reader is summed up instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from satcross.explain.minimal_core import Reason
from satcross.explain.parts import RULES, Kind, Part, Parts, slot_names, sub_puzzle
from satcross.grid import Cell, Slot, place
from satcross.network.arc_consistency import arc_consistent, bits
from satcross.puzzle import Puzzle

MOST_LINES = 14
"""More lines than this nobody reads."""

MOST_SLOTS = 12
"""Slots of a reason beyond arc consistency for which a short chain of steps is looked for."""

SHOWN_WORDS = 6
"""Words of a slot that are listed."""

FEW_WORDS = 4
"""Words of a slot that are tried in turn."""

SHOWN_LETTERS = 12
"""Letters of a cell that are listed."""

Domains = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Wording:
    """``headline``: what can't be filled together; ``because``: why, a step a line;
    ``needed``: what is known about leaving one part out."""

    headline: str
    because: tuple[str, ...]
    needed: str


def tell(puzzle: Puzzle, reason: Reason) -> Wording:
    """The reason in words."""
    return Wording(_headline(puzzle, reason.parts), _because(puzzle, reason.parts), _needed(reason))


def name_part(puzzle: Puzzle, part: Part) -> str:
    """What the part asks, as a phrase."""
    match part.kind:
        case Kind.SLOT:
            return part.name
        case Kind.LOCK:
            return f"{part.name} locked to {puzzle.locks[part.name]}"
        case Kind.LETTER:
            assert part.cell is not None
            return f"the letter {puzzle.grid.given(part.cell)} given in {place(part.cell)}"
        case Kind.REPEATS:
            return "the rule that no word may stand twice"
        case Kind.SCORE:
            return _minimum(puzzle)
        case Kind.EXCLUDED:
            return "the excluded words"
        case Kind.THEME:
            return f"the rule that {_theme(puzzle)}"
        case Kind.SHARED:
            return (
                f"the rule that two words may not share more than "
                f"{puzzle.max_shared_substring} letters in a row"
            )
        case Kind.STEM:
            return (
                "the rule that two words may not be one stem with and without "
                f"{listed(puzzle.stem_endings, 'or')}"
            )


def _minimum(puzzle: Puzzle) -> str:
    told = [] if puzzle.min_score is None else [f"of {puzzle.min_score}"]
    told += [
        f"of {least} for {length} letters" for length, least in sorted(puzzle.min_scores.items())
    ]
    return f"the minimum score{'s' if len(told) > 1 else ''} {listed(told)}"


def _theme(puzzle: Puzzle) -> str:
    words, least = puzzle.required_theme()
    if least == 1 == len(words):
        return f"{next(iter(words))} must stand somewhere"
    shown = listed(sorted(words)[:SHOWN_WORDS])
    shown += f" and {len(words) - SHOWN_WORDS} others" if len(words) > SHOWN_WORDS else ""
    return (
        f"{shown} must stand somewhere"
        if least == len(words)
        else f"at least {least} of {shown} must stand somewhere"
    )


def listed(items: Iterable[str], last: str = "and") -> str:
    """``A, B and C``."""
    *most, end = items
    return f"{', '.join(most)} {last} {end}" if most else end


def ordered(puzzle: Puzzle, parts: Iterable[Part]) -> list[Part]:
    """Slots in the grid's order, then locks, letters and rules."""
    numbers = {slot.name: index for index, slot in enumerate(puzzle.grid.slots)}
    kinds = (Kind.SLOT, Kind.LOCK, Kind.LETTER, *RULES)
    return sorted(
        parts,
        key=lambda part: (kinds.index(part.kind), numbers.get(part.name, 0), part.cell or (0, 0)),
    )


def _headline(puzzle: Puzzle, parts: Parts) -> str:
    slots = [part.name for part in ordered(puzzle, parts) if part.kind is Kind.SLOT]
    others = [name_part(puzzle, part) for part in ordered(puzzle, parts) if part.name not in slots]
    if not slots:
        return f"{listed(others)} can't be met together."
    text = f"All {len(slots)} slots" if len(slots) == len(puzzle.grid.slots) > 3 else listed(slots)
    text += " can't be filled" + (" together" if len(slots) > 1 else "")
    return f"{text} with {listed(others)}." if others else f"{text}."


def _needed(reason: Reason) -> str:
    if len(reason.parts) == 1 and reason.minimal:
        return "Everything else in the puzzle has nothing to do with it."
    if reason.minimal:
        return "Each of these is needed: leave out any one, and the others can be met together."
    if len(reason.unknown) == len(reason.parts):
        return "There may be a shorter reason: there was no time left to look for one."
    known = len(reason.witnesses)
    rest = "the other one is needed" if known == 1 else f"the other {known} are needed"
    return (
        f"For {len(reason.unknown)} of these {len(reason.parts)} it is not known (no time left) "
        f"whether the rest can be met together without it; {rest}."
    )


def _because(puzzle: Puzzle, parts: Parts) -> tuple[str, ...]:
    if not slot_names(parts) and Kind.THEME not in {part.kind for part in parts}:
        return ()
    story = _Story(puzzle, parts)
    lacking = story.lacking()
    if lacking:
        return lacking
    lines = story.tell(story.start(), {}, MOST_LINES) if story.may_be_short else None
    return tuple(lines if lines is not None else story.sum_up())


@dataclass(frozen=True, slots=True)
class _Step:
    """A slot's words were looked at: ``line`` tells it, ``uses`` are earlier steps it rests on."""

    line: str
    uses: frozenset[int]


class _Story:
    def __init__(self, puzzle: Puzzle, parts: Parts) -> None:
        self._puzzle = sub_puzzle(puzzle, parts)
        self._candidates = arc_consistent(self._puzzle)
        grid = self._puzzle.grid
        self._slots = {slot.name: slot for slot in grid.slots}
        through: dict[Cell, list[str]] = {}
        for slot in grid.slots:
            for cell in slot.cells:
                through.setdefault(cell, []).append(slot.name)
        self._crossed = {cell: names for cell, names in through.items() if len(names) > 1}
        self._differ = not self._puzzle.allow_repeats
        scores = (self._puzzle.least_score(slot.length) for slot in grid.slots)
        self._minimum = max((score for score in scores if score is not None), default=None)
        self._ruled = self._minimum is not None or bool(self._puzzle.excluded)
        self._word_rules = self._candidates.network.word_rules

    def lacking(self) -> tuple[str, ...]:
        """Lines on theme words that no slot can take, if that is what is wrong."""
        lines = []
        lengths = {slot.length for slot in self._slots.values()}
        for word in self._candidates.lacking[:SHOWN_WORDS]:
            if word in self._puzzle.excluded:
                lines.append(f"The theme word {word} is excluded.")
            elif len(word) not in lengths:
                lines.append(f"The theme word {word} has {len(word)} letters, as many as no slot.")
            else:
                lines.append(f"The theme word {word} fits in no slot, with what crosses it.")
        return tuple(lines)

    @property
    def may_be_short(self) -> bool:
        return bool(self._candidates.wiped_out) or len(self._slots) <= MOST_SLOTS

    def start(self) -> Domains:
        """The words of each slot, by its length and the rules, or its locked word."""
        puzzle = self._puzzle
        domains = {}
        for index, slot in enumerate(puzzle.grid.slots):
            if index in puzzle.fixed_words:
                domains[slot.name] = [puzzle.fixed_words[index]]
            else:
                words = puzzle.lexicon(slot.length).words
                its = [words[one] for one in bits(puzzle.allowed(slot.length))]
                also = puzzle.extra_words.get(slot.name)
                domains[slot.name] = its if also is None or also in its else [*its, also]
        return domains

    def tell(self, domains: Domains, letters: dict[Cell, set[str]], room: int) -> list[str] | None:
        """Lines that lead to a contradiction; None when it takes more than there is room for."""
        if room < 1:
            return None
        domains, letters = dict(domains), dict(letters)
        steps: list[_Step] = []
        last: dict[str, int] = {}
        if not self._propagate(domains, letters, steps, last):
            lines = _needed_lines(steps)
            return lines if len(lines) <= room else None
        counted = self._count(domains) if self._differ else None
        if counted is not None:
            line, group = counted
            before = frozenset().union(*(steps[last[name]].uses for name in group))
            return _needed_lines([*steps, _Step(line, before)])
        return self._try_words(domains, letters, steps, last, room)

    def _propagate(
        self,
        domains: Domains,
        letters: dict[Cell, set[str]],
        steps: list[_Step],
        last: dict[str, int],
    ) -> bool:
        """Narrow words and letters in place, and note the steps, and each slot's last one.

        False when the last step leaves a slot no word.
        """
        narrowed: dict[Cell, list[int]] = {}  # the steps that took letters from the cell
        taken: dict[str, int] = {}  # word -> the step that left a slot nothing else
        owner: dict[str, str] = {}
        queue = sorted(domains, key=lambda name: len(domains[name]))
        while queue:
            name = min(queue, key=lambda one: len(domains[one]))
            queue.remove(name)
            slot, before = self._slots[name], domains[name]
            clashes = [word for word in before if self._differ and owner.get(word, name) != name]
            words = [
                word for word in before if word not in clashes and self._fits(slot, word, letters)
            ]
            if name in last and len(words) == len(before):
                continue
            uses = {
                step
                for position, cell in enumerate(slot.cells)
                if cell in letters and any(word[position] not in letters[cell] for word in before)
                for step in narrowed.get(cell, ())
            } | {taken[word] for word in clashes}
            uses |= {last[name]} if name in last else set()
            last[name] = number = len(steps)
            domains[name] = words
            if not words:
                line = self._end(slot, before, letters, clashes, owner)
                steps.append(_Step(line, frozenset(uses)))
                return False
            changes = self._narrow(slot, words, letters)
            for cell in changes:
                narrowed.setdefault(cell, []).append(number)
            steps.append(
                _Step(self._step(slot, before, domains, letters, changes), frozenset(uses))
            )
            again = {one for cell in changes for one in self._crossed[cell] if one != name}
            if len(words) == 1 and self._differ and words[0] not in taken:
                taken[words[0]], owner[words[0]] = number, name
                again |= {one for one in domains if one != name and words[0] in domains[one]}
            queue += sorted(again - set(queue))
        return True

    def _fits(self, slot: Slot, word: str, letters: dict[Cell, set[str]]) -> bool:
        grid = self._puzzle.grid
        return all(
            (cell not in letters or letter in letters[cell]) and grid.given(cell) in (None, letter)
            for cell, letter in zip(slot.cells, word, strict=True)
        )

    def _narrow(self, slot: Slot, words: list[str], letters: dict[Cell, set[str]]) -> list[Cell]:
        """Keep the letters that the words have in crossed cells; the cells that lost some."""
        changes = []
        for position, cell in enumerate(slot.cells):
            if cell in self._crossed:
                kept = {word[position] for word in words}
                if cell not in letters or kept < letters[cell]:
                    letters[cell] = kept & letters.get(cell, kept)
                    changes.append(cell)
        return changes

    def _step(
        self,
        slot: Slot,
        before: list[str],
        domains: Domains,
        letters: dict[Cell, set[str]],
        changes: Sequence[Cell],
    ) -> str:
        """That a slot has fewer words, and which letters that leaves its crossings."""
        words = domains[slot.name]
        if slot.name in self._puzzle.locks:
            return f"{slot.name} is locked to {words[0]}."
        so = "so " if len(words) < len(before) else ""
        if len(words) <= SHOWN_WORDS:
            return f"{so}{slot.name} can only be {listed(words, 'or')}."
        told = []
        for cell in changes:
            other = self._other(cell, slot)
            at = self._slots[other].cells.index(cell)
            lost = {word[at] for word in domains[other]} - letters[cell]
            where = f"in place {slot.cells.index(cell) + 1}, where it crosses {other}"
            if lost and len(letters[cell]) <= SHOWN_LETTERS:
                told.append(f"with {listed(sorted(letters[cell]), 'or')} {where}")
            elif lost and len(lost) <= SHOWN_LETTERS:
                told.append(f"none with {listed(sorted(lost), 'or')} {where}")
        text = f"{so}{slot.name} has {len(words):,} words{self._like(slot)}"
        return text + (f": {'; '.join(told)}." if told else ".")

    def _like(self, slot: Slot) -> str:
        pattern = [self._puzzle.grid.given(cell) or "?" for cell in slot.cells]
        return f" like {''.join(pattern)}" if set(pattern) != {"?"} else ""

    def _end(
        self,
        slot: Slot,
        before: list[str],
        letters: dict[Cell, set[str]],
        clashes: list[str],
        owner: dict[str, str],
    ) -> str:
        """That a slot has no word left."""
        size = len(self._puzzle.vocabulary.group(slot.length).words)
        if slot.name in self._puzzle.locks:
            [word] = before
            if clashes:
                return f"{slot.name} is locked to {word}, which {owner[word]} must be, too."
            wrong = [
                f"{word[position]} in place {position + 1}, where {self._other(cell, slot)} "
                f"can only have {_letters(letters[cell])}"
                for position, cell in enumerate(slot.cells)
                if cell in letters and word[position] not in letters[cell]
            ]
            return f"{slot.name} is locked to {word}: {listed(wrong)}."
        if not size:
            return f"{slot.name} takes {slot.length} letters, and the list has no such word."
        if not before:
            return f"{slot.name} takes {slot.length} letters: {self._rule(slot, size)}."
        demands, alone = [], []
        for position, cell in enumerate(slot.cells):
            given = self._puzzle.grid.given(cell)
            allowed = {given} if given else letters.get(cell)
            if allowed is not None and any(word[position] not in allowed for word in before):
                demand = f"{_letters(allowed)} in place {position + 1}"
                if not given:
                    demand += f" (because of {self._other(cell, slot)})"
                demands.append(demand)
                if not any(word[position] in allowed for word in before):
                    alone.append(demand)
        if alone:  # one demand that no word meets is all there is to say
            demands = alone[:1]
        text = f"{slot.name} needs a word of {slot.length} letters"
        if demands:
            text += f" with {listed(demands)}"
        if clashes:
            taken = [f"{word} ({owner[word]})" for word in clashes[:FEW_WORDS]]
            text += f", other than {listed(taken)}"
        return f"{text}: there is none{self._among(slot)}."

    def _other(self, cell: Cell, slot: Slot) -> str:
        return next(one for one in self._crossed[cell] if one != slot.name)

    def _among(self, slot: Slot) -> str:
        if not self._ruled:
            return ""
        rules = []
        score = self._puzzle.least_score(slot.length)
        if score is not None:
            rules.append(f"that scores {score} or more")
        if self._puzzle.excluded:
            rules.append("that is not excluded")
        return " " + listed(rules) if rules else ""

    def _rule(self, slot: Slot, size: int) -> str:
        """That the rules leave none of a length's words."""
        score = self._puzzle.least_score(slot.length)
        if size == 1:
            [word] = self._puzzle.vocabulary.group(slot.length).words
            less = score is not None and self._puzzle.vocabulary.score(word) < score
            fault = f"scores less than {score}" if less else "is excluded"
            return f"the one such word in the list, {word}, {fault}"
        if score is None:
            fault = "all are excluded"
        else:
            fault = f"none scores {score} or more"
            fault += " and is not excluded" if self._puzzle.excluded else ""
        return f"of the {size:,} such words in the list, {fault}"

    def _count(self, domains: Domains) -> tuple[str, tuple[str, ...]] | None:
        """More slots than words for them (Hall's condition), if that is what is wrong."""
        by_length: dict[int, list[str]] = {}
        for name, words in domains.items():
            if len(words) < len(domains):
                by_length.setdefault(self._slots[name].length, []).append(name)
        for names in by_length.values():
            names = sorted(names, key=lambda name: len(domains[name]))[:MOST_SLOTS]
            for size in range(2, min(len(names), 6) + 1):
                for group in combinations(names, size):
                    words = sorted({word for name in group for word in domains[name]})
                    if len(words) < size:
                        only = listed(words)
                        return (
                            f"{listed(group)} need {size} different words, and only "
                            f"{len(words)} fit{'s' if len(words) == 1 else ''} there: {only}.",
                            group,
                        )
        return None

    def _try_words(
        self,
        domains: Domains,
        letters: dict[Cell, set[str]],
        steps: list[_Step],
        last: dict[str, int],
        room: int,
    ) -> list[str] | None:
        """Each word of the slot that has fewest, in turn."""
        opened = [name for name, words in domains.items() if len(words) > 1]
        if not opened:
            return None
        name = min(opened, key=lambda one: len(domains[one]))
        if len(domains[name]) > FEW_WORDS:
            return None
        line = f"{name} can only be {listed(domains[name], 'or')}; try each."
        lines = _needed_lines([*steps, _Step(line, steps[last[name]].uses)])
        for word in domains[name]:
            left = room - len(lines) - 1
            told = self.tell({**domains, name: [word]}, letters, left)
            if told is None:
                return None
            if told[0] == f"{name} can only be {word}.":
                told = told[1:]
            if len(told) == 1:
                lines.append(f"If {name} is {word}, {told[0]}")
                continue
            lines.append(f"If {name} is {word}:")
            lines += [f"  {line}" for line in told]
        return lines

    def sum_up(self) -> list[str]:
        """For when there is no short chain of steps."""
        if len(self._slots) == 1:
            return [f"{next(iter(self._slots))} has no word that fits."]
        if self._candidates.wiped_out:
            last = self._puzzle.grid.slots[self._candidates.wiped_out[-1]].name
            twice = "" if self._puzzle.allow_repeats else ", and no word may stand twice"
            if self._word_rules.clashes:
                twice += ", and some not beside others"
            return [
                f"Which words each slot can have limits its crossings, and these theirs{twice}: "
                f"followed step by step, this leaves {last} no word. The steps are too many to "
                "tell."
            ]
        sizes = dict(zip(self._slots, self._candidates.root.sizes, strict=True))
        tight = sorted(sizes, key=sizes.__getitem__)[:3]
        counts = listed(f"{name} has {sizes[name]:,}" for name in tight)
        words = "words" if self._puzzle.allow_repeats else "different words"
        if not self._word_rules.plain:
            words += " that may stand together"
        if not self._crossed:
            return [f"Each of these {len(self._slots)} has words, but no {words} for all of them."]
        return [
            f"Each of these {len(self._slots)} has words that fit it by itself, but no choice of "
            f"{words} agrees at all {len(self._crossed)} crossings. Of words that suit each "
            f"crossing by itself, {counts}.",
            "There is no short way to see it: all choices have been gone through.",
        ]


def _needed_lines(steps: list[_Step]) -> list[str]:
    """The lines of the steps that the last one rests on."""
    wanted = {len(steps) - 1}
    for number in range(len(steps) - 1, -1, -1):
        if number in wanted:
            wanted |= steps[number].uses
    lines = [steps[number].line for number in sorted(wanted)]
    return [line[0].upper() + line[1:] for line in lines]


def _letters(letters: set[str]) -> str:
    if len(letters) <= SHOWN_LETTERS:
        return listed(sorted(letters), "or")
    return f"one of {len(letters)} letters"
