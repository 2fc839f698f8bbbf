"""Put a reason in sentences: a headline, and a derivation short enough for a reader to follow.

The derivation follows arc consistency on the slots of the reason: which words a slot can have,
hence which letters it allows where it crosses another slot, until a slot has no word left. Only
steps that the contradiction depends on are printed. Where arc consistency is not enough, the
derivation compares the number of slots with the number of different words for them, then splits
into the cases of one slot. A derivation that is too long is replaced by a summary.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from satcross.grid import Cell, Slot, cell_name
from satcross.network.arc_consistency import arc_consistent, bits
from satcross.puzzle import Puzzle
from satcross.rules import RULES, allowed_words, describe_left_out
from satcross.rules.rule import MAX_LISTED_WORDS
from satcross.rules.wanted import Theme
from satcross.solving.explain.minimal_core import Reason
from satcross.solving.explain.parts import LABELS, Part, PartKind, Parts, slot_names, sub_puzzle
from satcross.support.wording import join_phrases

MAX_LINES = 14
"""Maximum number of lines of a derivation; readers give up on longer ones."""

MAX_SLOTS = 12
"""Maximum number of slots in a reason for a derivation beyond arc consistency."""

MAX_CASES = 4
"""Maximum number of words of a slot that are tried in turn."""

MAX_LISTED_LETTERS = 12
"""Maximum number of letters listed for a cell."""

Domains = dict[str, list[str]]
Letters = dict[Cell, set[str]]


@dataclass(frozen=True, slots=True)
class Wording:
    """A reason in sentences.

    ``headline`` says what can't be filled together, ``because`` derives it, one step per line, and
    ``needed`` says whether every part is known to be needed.
    """

    headline: str
    because: tuple[str, ...]
    needed: str


def word_reason(puzzle: Puzzle, reason: Reason) -> Wording:
    """Put a reason in sentences."""
    return Wording(_headline(puzzle, reason.parts), _because(puzzle, reason.parts), _needed(reason))


def name_part(puzzle: Puzzle, part: Part) -> str:
    """Name a part of the puzzle in a phrase, such as ``3A locked to CAT``."""
    match part.kind:
        case PartKind.SLOT:
            return part.name
        case PartKind.LOCK:
            return f"{part.name} locked to {puzzle.locks[part.name]}"
        case PartKind.LETTER:
            assert part.cell is not None
            return f"the letter {puzzle.grid.given(part.cell)} given in {cell_name(part.cell)}"
        case PartKind.RULE:
            return next(rule for rule in RULES if rule.label == part.rule).phrase(puzzle)


def in_reading_order(puzzle: Puzzle, parts: Iterable[Part]) -> list[Part]:
    """Sort parts as a reader expects them: slots in the grid's order, locks, letters, rules."""
    numbers = {slot.name: index for index, slot in enumerate(puzzle.grid.slots)}
    labels = (PartKind.SLOT, PartKind.LOCK, PartKind.LETTER, *LABELS)
    return sorted(
        parts,
        key=lambda part: (labels.index(part.label), numbers.get(part.name, 0), part.cell or (0, 0)),
    )


def _headline(puzzle: Puzzle, parts: Parts) -> str:
    slots = [part.name for part in in_reading_order(puzzle, parts) if part.kind is PartKind.SLOT]
    others = [
        name_part(puzzle, part)
        for part in in_reading_order(puzzle, parts)
        if part.name not in slots
    ]
    if not slots:
        return f"{join_phrases(others)} can't be met together."
    text = (
        f"All {len(slots)} slots"
        if len(slots) == len(puzzle.grid.slots) > 3
        else join_phrases(slots)
    )
    text += " can't be filled" + (" together" if len(slots) > 1 else "")
    return f"{text} with {join_phrases(others)}." if others else f"{text}."


def _needed(reason: Reason) -> str:
    if len(reason.parts) == 1 and reason.minimal:
        return "The rest of the puzzle does not matter."
    if reason.minimal:
        return "Each part is needed: leave out any one, and the remaining parts can be met."
    if len(reason.unknown) == len(reason.parts):
        return "There may be a shorter reason: no time was left to look for one."
    return (
        f"Of these {len(reason.parts)} parts, {len(reason.witnesses)} are known to be needed; "
        f"no time was left to check the remaining {len(reason.unknown)}."
    )


def _because(puzzle: Puzzle, parts: Parts) -> tuple[str, ...]:
    if not slot_names(parts) and Theme.label not in {part.rule for part in parts}:
        return ()
    derivation = _Derivation(puzzle, parts)
    missing_theme_words = derivation.missing_theme_words()
    if missing_theme_words:
        return missing_theme_words
    lines = (
        derivation.derive(derivation.initial_domains(), {}, MAX_LINES)
        if derivation.is_small
        else None
    )
    return tuple(lines if lines is not None else derivation.summary())


@dataclass(frozen=True, slots=True)
class _Step:
    """One step of a derivation: its sentence, and the indices of the steps it depends on."""

    line: str
    uses: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Trail:
    """The words and letters that are left, and the steps that left no others.

    ``last`` has the index of each slot's latest step, ``narrowed`` of the steps that removed
    letters from a cell, and ``owner`` the slot that must have a word.
    """

    domains: Domains
    letters: Letters
    steps: list[_Step] = field(default_factory=list)
    last: dict[str, int] = field(default_factory=dict)
    narrowed: defaultdict[Cell, list[int]] = field(default_factory=lambda: defaultdict(list))
    owner: dict[str, str] = field(default_factory=dict)

    def add(self, slot: str, line: str, uses: Iterable[int]) -> None:
        self.last[slot] = len(self.steps)
        self.steps.append(_Step(line, frozenset(uses)))

    def conclude(self, line: str, slots: Iterable[str]) -> list[str]:
        """Return the sentences that one about these slots depends on, and then that sentence."""
        uses = frozenset[int]().union(*(self.steps[self.last[name]].uses for name in slots))
        return _needed_lines([*self.steps, _Step(line, uses)])


class _Derivation:
    """Derives from the parts of a reason, in sentences, that they can't be met together."""

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
        self._word_rules = self._candidates.network.word_rules

    def missing_theme_words(self) -> tuple[str, ...]:
        """Name the theme words that no slot can take, one sentence each; empty without any."""
        lines = []
        lengths = {slot.length for slot in self._slots.values()}
        for word in self._candidates.lacking[:MAX_LISTED_WORDS]:
            if word in self._puzzle.excluded:
                lines.append(f"The theme word {word} is excluded.")
            elif len(word) not in lengths:
                lines.append(f"The theme word {word} has {len(word)} letters; no slot has as many.")
            else:
                lines.append(f"The theme word {word} fits no slot and its crossings.")
        return tuple(lines)

    @property
    def is_small(self) -> bool:
        """Whether a short derivation is likely."""
        return bool(self._candidates.wiped_out) or len(self._slots) <= MAX_SLOTS

    def initial_domains(self) -> Domains:
        """Return slot name -> the words that length and rules allow, or the locked word."""
        puzzle = self._puzzle
        domains = {}
        for index, slot in enumerate(puzzle.grid.slots):
            if index in puzzle.fixed_words:
                domains[slot.name] = [puzzle.fixed_words[index]]
            else:
                lexicon = puzzle.lexicon(slot.length)
                left = allowed_words(puzzle, lexicon, slot.name)
                allowed = [lexicon.words[word] for word in bits(left)]
                extra = puzzle.extra_words.get(slot.name)
                if extra is not None and extra not in allowed:
                    allowed.append(extra)
                domains[slot.name] = allowed
        return domains

    def derive(self, domains: Domains, letters: Letters, max_lines: int) -> list[str] | None:
        """Return at most ``max_lines`` lines that derive a contradiction, or None."""
        if max_lines < 1:
            return None
        trail = _Trail(dict(domains), dict(letters))
        if not self._propagate(trail):
            lines = _needed_lines(trail.steps)
            return lines if len(lines) <= max_lines else None
        counted = self._too_few_words(trail.domains) if self._differ else None
        return trail.conclude(*counted) if counted else self._case_split(trail, max_lines)

    def _propagate(self, trail: _Trail) -> bool:
        """Establish arc consistency; return False when the last step leaves a slot no word."""
        domains, letters, last, owner = trail.domains, trail.letters, trail.last, trail.owner
        queue = sorted(domains, key=lambda name: len(domains[name]))
        while queue:
            name = min(queue, key=lambda item: len(domains[item]))
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
                for step in trail.narrowed[cell]
            } | {last[owner[word]] for word in clashes}
            uses |= {last[name]} if name in last else set()
            domains[name] = words
            if not words:
                trail.add(name, self._wipeout_line(slot, before, trail, clashes), uses)
                return False
            changes = self._narrow_letters(slot, words, letters)
            for cell in changes:
                trail.narrowed[cell].append(len(trail.steps))
            trail.add(name, self._narrowing_line(slot, before, trail, changes), uses)
            recheck = {item for cell in changes for item in self._crossed[cell] if item != name}
            if len(words) == 1 and self._differ:
                owner[words[0]] = name
                recheck |= {
                    domain for domain in domains if domain != name and words[0] in domains[domain]
                }
            queue += sorted(recheck - set(queue))
        return True

    def _fits(self, slot: Slot, word: str, letters: Letters) -> bool:
        grid = self._puzzle.grid
        return all(
            (cell not in letters or letter in letters[cell]) and grid.given(cell) in (None, letter)
            for cell, letter in zip(slot.cells, word, strict=True)
        )

    def _narrow_letters(self, slot: Slot, words: list[str], letters: Letters) -> list[Cell]:
        """Restrict the letters of crossed cells to those of the words; return the changed cells."""
        changes = []
        for position, cell in enumerate(slot.cells):
            if cell in self._crossed:
                supported = {word[position] for word in words}
                if cell not in letters or supported < letters[cell]:
                    letters[cell] = supported & letters.get(cell, supported)
                    changes.append(cell)
        return changes

    def _narrowing_line(
        self, slot: Slot, before: list[str], trail: _Trail, changes: Sequence[Cell]
    ) -> str:
        """State which words a slot has left, and which letters they allow its crossing slots."""
        letters, words = trail.letters, trail.domains[slot.name]
        if slot.name in self._puzzle.locks:
            return f"{slot.name} is locked to {words[0]}."
        so = "so " if len(words) < len(before) else ""
        if len(words) <= MAX_LISTED_WORDS:
            return f"{so}{slot.name} can only be {join_phrases(words, 'or')}."
        limits = []
        for cell in changes:
            other = self._crossing_slot(cell, slot)
            position = self._slots[other].cells.index(cell)
            lost = {word[position] for word in trail.domains[other]} - letters[cell]
            where = f"in position {slot.cells.index(cell) + 1}, where it crosses {other}"
            if lost and len(letters[cell]) <= MAX_LISTED_LETTERS:
                limits.append(f"with {join_phrases(sorted(letters[cell]), 'or')} {where}")
            elif lost and len(lost) <= MAX_LISTED_LETTERS:
                limits.append(f"none with {join_phrases(sorted(lost), 'or')} {where}")
        text = f"{so}{slot.name} has {len(words):,} words{self._given_pattern(slot)}"
        return text + (f": {'; '.join(limits)}." if limits else ".")

    def _given_pattern(self, slot: Slot) -> str:
        pattern = [self._puzzle.grid.given(cell) or "?" for cell in slot.cells]
        return f" like {''.join(pattern)}" if set(pattern) != {"?"} else ""

    def _wipeout_line(
        self, slot: Slot, before: list[str], trail: _Trail, clashes: list[str]
    ) -> str:
        """State that a slot has no word left, and why."""
        letters, owner = trail.letters, trail.owner
        size = len(self._puzzle.vocabulary.group(slot.length).words)
        if slot.name in self._puzzle.locks:
            if clashes:
                [word] = before
                return f"{slot.name} is locked to {word}, but {owner[word]} must be {word}, too."
            return self._lock_line(slot, letters)
        if not size:
            return f"{slot.name} has {slot.length} letters, and the list has no such word."
        if not before:
            return f"{slot.name} has {slot.length} letters: {self._rules_line(slot, size)}."
        text = f"{slot.name} needs a word of {slot.length} letters"
        if demands := self._demands(slot, before, letters):
            text += f" with {join_phrases(demands)}"
        if clashes:
            taken = [f"{word} ({owner[word]})" for word in clashes[:MAX_CASES]]
            text += f", other than {join_phrases(taken)}"
        rules = self._left_out(slot)
        return f"{text}: there is none{rules and f', given {rules}'}."

    def _lock_line(self, slot: Slot, letters: Letters) -> str:
        """State which letters of a locked word its crossings can't have."""
        word = self._puzzle.locks[slot.name]
        wrong = [
            f"{word[position]} in position {position + 1}, where "
            f"{self._crossing_slot(cell, slot)} can only have {_letters(letters[cell])}"
            for position, cell in enumerate(slot.cells)
            if cell in letters and word[position] not in letters[cell]
        ]
        return f"{slot.name} is locked to {word}: {join_phrases(wrong)}."

    def _demands(self, slot: Slot, before: list[str], letters: Letters) -> list[str]:
        """List the letters that exclude words: those at one position, where that excludes all."""
        demands = []
        for position, cell in enumerate(slot.cells):
            given = self._puzzle.grid.given(cell)
            allowed = {given} if given else letters.get(cell)
            fitting = [word for word in before if allowed is None or word[position] in allowed]
            if allowed is None or len(fitting) == len(before):
                continue
            why = "" if given else f" (because of {self._crossing_slot(cell, slot)})"
            demand = f"{_letters(allowed)} in position {position + 1}{why}"
            if not fitting:
                return [demand]
            demands.append(demand)
        return demands

    def _crossing_slot(self, cell: Cell, slot: Slot) -> str:
        return next(item for item in self._crossed[cell] if item != slot.name)

    def _rules_line(self, slot: Slot, size: int) -> str:
        """State which rules exclude all ``size`` words of the slot's length."""
        which = f"none of the {size:,} such words in the list"
        if size == 1:
            [word] = self._puzzle.vocabulary.group(slot.length).words
            which = f"the only such word in the list, {word},"
        verb = "is not allowed" if size == 1 else "is allowed"
        return f"{which} {verb}, because of {self._left_out(slot)}"

    def _left_out(self, slot: Slot) -> str:
        return describe_left_out(self._puzzle, slot.length, slot.name)

    def _too_few_words(self, domains: Domains) -> tuple[str, tuple[str, ...]] | None:
        """Find slots with fewer different words than slots (a violation of Hall's condition).

        Returns the sentence and the names of the slots, or None.
        """
        by_length: dict[int, list[str]] = {}
        for name, words in domains.items():
            if len(words) < len(domains):
                by_length.setdefault(self._slots[name].length, []).append(name)
        for names in by_length.values():
            names = sorted(names, key=lambda name: len(domains[name]))[:MAX_SLOTS]
            for size in range(2, min(len(names), 6) + 1):
                for group in combinations(names, size):
                    words = sorted({word for name in group for word in domains[name]})
                    if len(words) < size:
                        return (
                            f"{join_phrases(group)} need {size} different words, and only "
                            f"{len(words)} fit{'s' if len(words) == 1 else ''} there: "
                            f"{join_phrases(words)}.",
                            group,
                        )
        return None

    def _case_split(self, trail: _Trail, max_lines: int) -> list[str] | None:
        """Derive a contradiction from each word in turn of the slot with the fewest words."""
        domains = trail.domains
        opened = [name for name, words in domains.items() if len(words) > 1]
        name = min(opened, key=lambda item: len(domains[item]), default=None)
        if name is None or len(domains[name]) > MAX_CASES:
            return None
        line = f"{name} can only be {join_phrases(domains[name], 'or')}; try each."
        lines = trail.conclude(line, [name])
        for word in domains[name]:
            remaining = max_lines - len(lines) - 1
            derived = self.derive({**domains, name: [word]}, trail.letters, remaining)
            if derived is None:
                return None
            if derived[0] == f"{name} can only be {word}.":
                derived = derived[1:]
            if len(derived) == 1:
                lines.append(f"If {name} is {word}, {derived[0]}")
                continue
            lines.append(f"If {name} is {word}:")
            lines += [f"  {line}" for line in derived]
        return lines

    def summary(self) -> list[str]:
        """Summarise the contradiction, for when no short derivation is found."""
        if len(self._slots) == 1:
            return [f"{next(iter(self._slots))} has no word that fits."]
        if self._candidates.wiped_out:
            last = self._puzzle.grid.slots[self._candidates.wiped_out[-1]].name
            rules = "" if self._puzzle.allow_repeats else "; no word may appear twice"
            if self._word_rules.clashes:
                rules += "; some words exclude each other"
            return [
                f"The words of each slot limit those of the slots that cross it{rules}. "
                f"Following these limits from slot to slot leaves {last} no word, in too many "
                "steps to print."
            ]
        sizes = dict(zip(self._slots, self._candidates.root.sizes, strict=True))
        tight = sorted(sizes, key=sizes.__getitem__)[:3]
        counts = join_phrases(f"{name} has {sizes[name]:,}" for name in tight)
        words = "words" if self._puzzle.allow_repeats else "different words"
        if not self._word_rules.plain:
            words += " that may appear together"
        count = len(self._slots)
        if not self._crossed:
            return [f"Each of these {count} slots has words, but there are no {words} for all."]
        return [
            f"Each of these {count} slots has words that fit, but no choice of {words} agrees at "
            f"all {len(self._crossed)} crossings. Of words that fit each crossing on its own, "
            f"{counts}.",
            "No short derivation was found; a complete search proves it.",
        ]


def _needed_lines(steps: list[_Step]) -> list[str]:
    """Return the sentences of the last step and of all steps it depends on, in order."""
    needed = {len(steps) - 1}
    for index in range(len(steps) - 1, -1, -1):
        if index in needed:
            needed |= steps[index].uses
    lines = [steps[index].line for index in sorted(needed)]
    return [line[0].upper() + line[1:] for line in lines]


def _letters(letters: set[str]) -> str:
    if len(letters) <= MAX_LISTED_LETTERS:
        return join_phrases(sorted(letters), "or")
    return f"one of {len(letters)} letters"
