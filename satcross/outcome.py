"""Answers: whether a puzzle has a fill, how many, and which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from satcross.grid import Cell, Grid
from satcross.support.frozen import frozen
from satcross.support.hooks import call
from satcross.support.wording import counted, first_few, join_phrases


class Status(StrEnum):
    """Answer to a puzzle: a fill, a proof that there is none, or neither at a limit."""

    FILLED = "filled"
    UNFILLABLE = "unfillable"
    UNKNOWN = "unknown"


TOTAL = "total"
"""Name of the goal "highest total score"."""

NO_BETTER = "no better fill keeps what editors prefer as well"
"""Why a search for the best fill has ended that leaves out fills that editors like less."""


@frozen
class Goal:
    """Quantity to maximise: the value that the fill has, and an upper bound for all fills.

    ``value`` is None without a fill, ``bound`` when it is not known. A second goal compares the
    fills that are best by the first, so its bound is known only when the first goal is reached.
    ``level`` is the score of the words that a goal counts.
    """

    name: str
    value: int | None
    bound: int | None
    level: int | None = None

    @property
    def reached(self) -> bool:
        """Whether it is proved that no fill has a higher value."""
        return self.value is not None and self.value == self.bound


@frozen
class Expectation:
    """How far a fill meets one of the editors' preferences (``satcross.solving.preferences``).

    ``kind`` is the preference's wording: "with the same stem", "plain plural". A preference about
    pairs of words has ``pairs``, and ``limit`` None; one about a kind of words has those ``words``,
    and the ``limit`` of their number; the summary of a ``quiet`` one has what is above the limit.
    """

    name: str
    kind: str
    pairs: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()
    limit: int | None = None
    quiet: bool = False

    @property
    def excess(self) -> int:
        """The number of pairs, or of words above the limit."""
        return len(self.pairs) if self.limit is None else max(0, len(self.words) - self.limit)

    def __str__(self) -> str:
        if self.limit is None:
            texts = ["/".join(pair) for pair in self.pairs]
            return f"{counted(len(texts), 'pair')} {self.kind}: {first_few(texts, _MAX_LISTED)}"
        above = f" (more than {self.limit})" if self.excess and self.limit else ""
        return f"{counted(len(self.words), self.kind)}{above}"


@frozen
class FillQuality:
    """What an editor would object to in a fill, with the setter's own words listed apart.

    ``lowest`` is the lowest score of a word (None without a word), ``weak`` the words of low score
    with their scores, lowest first, ``expectations`` what the fill makes of each preference.
    ``own`` are the setter's own words, none of which are in ``lowest`` and ``weak``, with their
    scores; None for a word that no list has.
    """

    lowest: int | None
    weak: tuple[tuple[str, int], ...]
    expectations: tuple[Expectation, ...] = ()
    own: tuple[tuple[str, int | None], ...] = ()

    def __str__(self) -> str:
        parts = []
        if self.lowest is not None and not self.weak:
            below = [word for word, score in self.own if score is None or score < self.lowest]
            but = f" but your own {first_few(below, _MAX_LISTED)}" if below else ""
            parts.append(f"all words {self.lowest} or more{but}")
        elif self.weak:
            number = counted(len(self.weak), "word")
            parts.append(
                f"{number} below 50: {first_few([word for word, _ in self.weak], _MAX_LISTED)}"
            )
        loud = [item for item in self.expectations if item.excess or not item.quiet]
        parts += [str(item) for item in loud if item.pairs or item.words]
        pairs = [item for item in loud if item.limit is None and not item.quiet]
        none = ["similar words"] if pairs and not any(pair.pairs for pair in pairs) else []
        limits = (item for item in loud if item.limit is not None)
        none += [f"{limit.kind}s" for limit in limits if not limit.words]
        if none:
            parts.append(f"no {join_phrases(none, 'or')}{' beside your own' if self.own else ''}")
        return "; ".join(parts)

    def of(self, preference: str) -> Expectation | None:
        """Return how far the fill meets a preference; None if it is switched off."""
        return next(
            (expectation for expectation in self.expectations if expectation.name == preference),
            None,
        )


_MAX_LISTED = 6


@frozen
class Outcome:
    """Answer to a puzzle, by one backend.

    ``fill`` maps slot names to words, in the order of ``Grid.slots``, exactly when the status is
    FILLED. ``reason`` says in a few words what an UNFILLABLE rests on or why it is UNKNOWN.
    ``seconds`` is wall-clock time per stage; ``stats`` are the backend's counters. ``grid`` is the
    puzzle's, for drawing the fill.

    For the best fill, ``objective`` names its measure, ``goals`` hold its values and bounds, and
    ``optimal`` says whether it is proved to be the best. ``quality`` is set for a fill from a list
    with scores. Raises ValueError when status, fill and
    reason contradict each other.
    """

    status: Status
    backend: str
    fill: Mapping[str, str] | None = None
    reason: str = ""
    score: int | None = None
    optimal: bool | None = None
    seed: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    stats: Mapping[str, int | float | str] = field(default_factory=dict)
    objective: str | None = None
    goals: tuple[Goal, ...] = ()
    quality: FillQuality | None = None
    grid: Grid | None = field(default=None, repr=False, compare=False)

    @property
    def bound(self) -> int | None:
        """Upper bound for the total score of fills that are best by the goals before; or None."""
        return next((goal.bound for goal in self.goals if goal.name == TOTAL), None)

    def __post_init__(self) -> None:
        if (self.fill is not None) != (self.status is Status.FILLED):
            raise ValueError("an outcome has a fill exactly when its status is FILLED")
        if self.status is not Status.FILLED and not self.reason:
            raise ValueError("an outcome without a fill must say why")

    def __repr__(self) -> str:
        words = "" if self.fill is None else f", {len(self.fill)} words, score {self.score}"
        reason = f", {self.reason!r}" if self.reason else ""
        return f"<Outcome: {self.status.value}{words}{reason}, by {self.backend}>"

    def __str__(self) -> str:
        return "\n".join(filter(None, (self._drawing(), self.summary)))

    @property
    def summary(self) -> str:
        """One line that says how the puzzle was answered."""
        parts = [self.status.value]
        if self.fill is not None:
            parts += [counted(len(self.fill), "word"), f"score {self.score}"]
        if self.optimal is not None:
            parts.append("proved to be the best" if self.optimal else "not proved to be the best")
        if self.reason:
            parts.append(self.reason)
        parts.append(f"{self.backend}, {sum(self.seconds.values()):.2f} s")
        return "; ".join(parts)

    def _drawing(self) -> str:
        if self.fill is None or self.grid is None:
            return ""
        return self.grid.draw(self.grid.letters([self.fill[slot.name] for slot in self.grid.slots]))

    def _repr_svg_(self) -> str | None:
        """Draw the fill for a notebook; None without one."""
        if self.fill is None or self.grid is None:
            return None
        words = [self.fill[slot.name] for slot in self.grid.slots]
        picture: str = call("notebook_svg", self.grid, self.grid.letters(words))
        return picture


@frozen
class FillCount:
    """Number of fills of a puzzle: ``count``, a lower bound when it is not ``exact``.

    ``reason`` says why the count stopped early; it is "" when the count is exact, or when it
    reached the number that was enough. ``seconds`` is wall-clock time per stage; ``stats`` are the
    backend's counters. Raises ValueError for a negative count, and for an exact one with a reason.
    """

    count: int
    exact: bool
    backend: str
    reason: str = ""
    seed: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    stats: Mapping[str, int | float | str] = field(default_factory=dict)

    def __str__(self) -> str:
        fills = counted(self.count, "fill")
        reason = f" ({self.reason})" if self.reason else ""
        return fills if self.exact else f"at least {fills}{reason}"

    def at_least(self, number: int) -> bool | None:
        """Return whether the puzzle has this many fills, or None when that is not known."""
        if self.count >= number:
            return True
        return False if self.exact else None

    def __post_init__(self) -> None:
        if self.count < 0:
            raise ValueError("a number of fills can't be negative")
        if self.exact and self.reason:
            raise ValueError("an exact count has not stopped short")


@frozen
class FillList:
    """Different fills, each verified; ``complete`` when the puzzle has no other fills.

    ``reason`` says why there are fewer than requested when the list is not complete.
    """

    outcomes: tuple[Outcome, ...]
    complete: bool
    reason: str = ""

    def __repr__(self) -> str:
        every = "complete" if self.complete else self.reason or "not complete"
        return f"<FillList: {counted(len(self.outcomes), 'fill')}, {every}>"

    def __str__(self) -> str:
        every = "there are no others" if self.complete else self.reason or "there may be others"
        summary = f"{counted(len(self.outcomes), 'fill')}; {every}"
        return "\n\n".join([*(outcome._drawing() for outcome in self.outcomes), summary])

    @property
    def max_shared_words(self) -> int:
        """The most words that any two of the fills have in common."""
        sets = [set((outcome.fill or {}).values()) for outcome in self.outcomes]
        return max((len(a & b) for i, a in enumerate(sets) for b in sets[:i]), default=0)


@frozen
class Heat:
    """How tight a puzzle is after arc consistency.

    ``slots`` maps slot names to their numbers of candidates, ``cells`` cells to their numbers of
    possible letters; cells in no slot are left out. ``wiped_out`` names the slot, if any, that arc
    consistency left without a word, and ``lacking`` the theme words that lost their last place, if
    they are too many: the puzzle is then unfillable, and the numbers are those of that moment.
    """

    slots: Mapping[str, int]
    cells: Mapping[Cell, int]
    wiped_out: str | None = None
    lacking: tuple[str, ...] = ()
