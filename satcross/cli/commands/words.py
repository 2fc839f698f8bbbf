"""``satcross words``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import click

from satcross.cli.options import OUTPUT, argument, make_command, option, options, whole
from satcross.cli.output import (
    Report,
    check_output,
    check_standard_input,
    note,
    print_line,
    print_table,
    printing,
    write_text,
)
from satcross.cli.read_puzzle import ListFlags, note_oddities, read_lists
from satcross.errors import InputError
from satcross.formats.files import Text, read_text
from satcross.formats.packed import tiers_of
from satcross.formats.words import Reading, WordList, default_list, default_written, normalise
from satcross.support.wording import counted

if TYPE_CHECKING:
    from satcross.construct.word_lists import (
        HistogramBar,
        LengthStatistics,
        RepeatedWord,
        ScoredWord,
    )

_SHOWN = 10
_LETTERS = 8

_EXAMPLES = """
satcross words                                 (the default list)
satcross words mine.txt --length 5 --png mine.png
satcross words mine.txt --match '?A?E'
satcross words mine.txt --fill fill.json       (the weakest words of a fill)
satcross words mine.txt big.txt --merge first -o merged.txt
"""


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments and options of ``words``."""

    lists: tuple[str, ...] = argument(
        "[LIST]...", "Word lists.  [default: the default list]", nargs=-1
    )
    length: int | None = option(
        "--length N",
        "Show the most frequent letters of words of this length, by position.",
        heading="What to show",
        type=whole(2),
    )
    pattern: str | None = option(
        "--match PATTERN", "Print the words that match a pattern such as ?A?E; ? is any letter."
    )
    fill: str | None = option("--fill FILE", "Print the words of this fill, weakest first.")
    weak_below: int = option(
        "--weak-below N",
        "With --fill: words with a lower score are weak.",
        type=whole(),
        default=50,
    )
    priority: str | None = option(
        "--merge",
        "Print all lists as one, each word with its score in the first list that has it, or with "
        "its highest (max).",
        choices=("first", "max"),
    )
    how: ListFlags = options(ListFlags)
    out: str | None = option(
        "-o --out FILE", "Write what --merge or --match prints into a file.", heading=OUTPUT
    )
    png: str | None = option("--png FILE", "Draw the numbers of words by length and by score.")
    report: Report = options(Report, quiet="Print no notes on the files.")

    @property
    def reading(self) -> Reading:
        """How the lists are read."""
        return self.how.reading

    def read(self, *, quiet: bool) -> WordList:
        """Read the lists into one."""
        return read_lists(self.lists, quiet=quiet, reading=self.reading)

    def check(self) -> None:
        """Raise UsageError for options that exclude each other, InputError for their files."""
        if sum(value is not None for value in (self.pattern, self.fill, self.priority)) > 1:
            raise click.UsageError("--match, --fill and --merge exclude each other.")
        if self.out is not None and self.pattern is None and self.priority is None:
            raise click.UsageError("-o goes with --merge or --match.")
        if self.report.as_json and (self.out is not None or self.priority is not None):
            raise click.UsageError("--json goes with neither --merge nor -o.")
        inputs = [*self.lists, *([self.fill] if self.fill else [])]
        check_standard_input(inputs)
        if self.out is not None:
            check_output(self.out, inputs, (".txt", ".dict", ".gz", ""))
        if self.png is not None:
            check_output(self.png, inputs, (".png",))


@make_command(Request, examples=_EXAMPLES)
def command(request: Request) -> None:
    """Look into word lists: lengths, scores, letters, duplicates, lines that were dropped.

    Without a LIST, into the default list. Several lists are taken together: a word that occurs in
    many counts once, with its highest score. --match prints words, --fill the words of a filled
    grid (as `satcross check` reads it) from the weakest up, --merge one list made of all.

    Exit code 0: answered. 2: bad input.
    """
    request.check()
    if request.fill is not None:
        _weak(request, request.fill)
    elif request.pattern is not None:
        _match(request, request.pattern)
    elif request.priority is not None:
        _merge(request, request.priority)
    else:
        _survey(request)
        return
    if request.png is not None:
        from satcross.construct.word_lists import draw_word_list

        draw_word_list(request.read(quiet=True).vocabulary, request.png)


@dataclass(frozen=True, slots=True)
class _Listed:
    """A list, how its words are written, and their tiers of offensive words."""

    words: WordList
    written: Mapping[str, str]
    tiers: Mapping[str, str]

    @classmethod
    def read(cls, request: Request) -> _Listed:
        """Read the lists of the command."""
        words = request.read(quiet=request.report.quiet)
        if request.lists:
            return cls(words, words.written, {})
        tiers = tiers_of(default_list()) if request.reading.tiers else {}
        return cls(words, default_written(), tiers)

    def line(self, word: str, score: int) -> str:
        """A line of a list: the word, its score, how it is written, and its tier."""
        tier = self.tiers.get(word)
        more = " ".join(filter(None, [self.written.get(word, ""), f"({tier})" if tier else ""]))
        return ";".join(filter(None, [word, str(score), more]))

    def to_data(self, word: str, score: int) -> dict[str, object]:
        """A word for JSON; how it is written, and its tier, only where there is one."""
        data: dict[str, object] = {"word": word, "score": score}
        if word in self.written:
            data["written"] = self.written[word]
        if word in self.tiers:
            data["tier"] = self.tiers[word]
        return data


def _read(lists: Sequence[str]) -> list[Text]:
    return [read_text(path) for path in lists] or [default_list()]


def _weak(request: Request, fill: str) -> None:
    from satcross.construct.word_lists import words_by_score
    from satcross.formats.fills import read_fills

    vocabulary = request.read(quiet=request.report.quiet).vocabulary
    fills = [words_by_score(one.rows, vocabulary) for one in read_fills(fill)]
    below = request.weak_below
    data = [_weak_to_data(used, below) for used in fills]

    def show() -> None:
        for number, used in enumerate(fills, 1):
            if len(fills) > 1:
                print_line(f"fill {number}")
            _print_weak(used, below)

    request.report.show(lambda: data[0] if len(data) == 1 else {"fills": data}, show)


def _weak_to_data(used: Sequence[ScoredWord], below: int) -> dict[str, object]:
    return {
        "words": [{**asdict(one), "weak": _is_weak(one, below)} for one in used],
        "weak": sum(_is_weak(one, below) for one in used),
    }


def _print_weak(used: Sequence[ScoredWord], below: int) -> None:
    weak = [one for one in used if _is_weak(one, below)]
    for one in weak:
        print_line(f"{one.word:15} {'in no list' if one.score is None else one.score}")
    print_line(
        f"{len(weak)} of {counted(len(used), 'word')} weak: in no list, or scored below {below}."
    )


def _is_weak(one: ScoredWord, below: int) -> bool:
    return one.score is None or one.score < below


def _match(request: Request, pattern: str) -> None:
    from satcross.construct.word_lists import ANY, words_matching

    letters = normalise(pattern)
    if len(letters) < 2 or any(letter.isspace() or letter in "*_" for letter in letters):
        raise InputError(f"bad --match {pattern!r}", f"write letters and {ANY}, as in {ANY}A{ANY}E")
    listed = _Listed.read(request)
    found = list(words_matching(listed.words.vocabulary, letters))
    if request.out is not None:
        _write(found, listed.written, request.out)
        return
    request.report.show(
        lambda: {"pattern": letters, "words": [listed.to_data(*one) for one in found]},
        lambda: [listed.line(*one) for one in found],
    )


def _merge(request: Request, priority: str) -> None:
    from satcross.construct.word_lists import Priority, merge_lists

    merged = merge_lists(_read(request.lists), Priority(priority), request.reading)
    if not request.report.quiet:
        note_oddities(merged)
    found = [(word, merged.vocabulary.score(word)) for word in merged.vocabulary]
    if request.out is not None:
        _write(found, merged.written, request.out)
        note(counted(len(found), "word"), request.out)
        return
    with printing():
        for word, score in found:
            print_line(f"{merged.written.get(word, word)};{score}")


def _write(words: Sequence[tuple[str, int]], written: Mapping[str, str], out: str) -> None:
    write_text(out, "".join(f"{written.get(word, word)};{score}\n" for word, score in words))


@dataclass(frozen=True, slots=True)
class _Survey:
    """What there is to say about word lists."""

    words: WordList
    lengths: list[LengthStatistics]
    bars: list[HistogramBar]
    repeats: list[RepeatedWord]
    tiers: Mapping[str, int]


def _survey(request: Request) -> None:
    from satcross.construct.word_lists import (
        draw_word_list,
        find_repeated_words,
        length_statistics,
        score_histogram,
    )

    words, length = request.read(quiet=True), request.length
    vocabulary = words.vocabulary
    if length is not None and length not in vocabulary.lengths:
        raise InputError(f"there is no word of {length} letters", "choose another --length")
    found = _Survey(
        words,
        [one for one in length_statistics(vocabulary) if length in (None, one.length)],
        score_histogram(score for _, _, scores in vocabulary.groups() for score in scores),
        find_repeated_words(_read(request.lists), request.reading),
        {} if request.lists else Counter(tiers_of(default_list()).values()),
    )
    if request.png is not None:
        draw_word_list(vocabulary, request.png)
    request.report.show(
        lambda: _survey_to_data(found),
        lambda: (
            _print_survey(found, request.reading)
            if length is None
            else _print_letters(found.lengths[0])
        ),
    )


def _survey_to_data(found: _Survey) -> dict[str, object]:
    return {
        "words": len(found.words.vocabulary),
        "lengths": [asdict(one) for one in found.lengths],
        "scores": [asdict(bar) for bar in found.bars],
        "repeats": [asdict(one) for one in found.repeats],
        "dropped": [asdict(line) for line in found.words.dropped],
        "notes": [{"file": name, "note": text} for name, text in found.words.notes],
        **({"tiers": found.tiers} if found.tiers else {}),
    }


def _print_survey(found: _Survey, reading: Reading) -> None:
    print_line(counted(len(found.words.vocabulary), "word"))
    rows = [
        (str(one.length), f"{one.words:,}", str(one.lowest), f"{one.mean:.0f}", str(one.highest))
        for one in found.lengths
    ]
    print_table(("length", "words", "lowest score", "mean", "highest"), rows, left=0)
    bars = [
        (f"{bar.low}" + (f" to {bar.high}" if bar.low < bar.high else ""), f"{bar.words:,}")
        for bar in found.bars
    ]
    print_table(("score", "words"), bars)
    for tier, number in found.tiers.items():
        there = "included" if tier in reading.tiers else f"left out; --include-{tier}"
        print_line(f"{tier:10} {number:9,}  ({there})")
    for name, text in found.words.notes:
        print_line(f"{name}: {text}")
    _print_several([_repeat_line(one) for one in found.repeats], "listed more than once")
    dropped = [
        f"{one.file}:{one.line}: {one.text.strip()!r}, {one.reason}" for one in found.words.dropped
    ]
    _print_several(dropped, "dropped")


def _repeat_line(one: RepeatedWord) -> str:
    scores = f", scores {', '.join(one.scores)}" if len(set(one.scores)) > 1 else ""
    return f"{one.file}: {one.word} on lines {', '.join(map(str, one.lines))}{scores}"


def _print_letters(one: LengthStatistics) -> None:
    words = counted(one.words, "word")
    print_line(f"{words} of {one.length} letters; the most frequent letters, in %")
    for position, letters in enumerate(one.letters, 1):
        shares = [(letter, 100 * number / one.words) for letter, number in letters.items()]
        shown = [f"{f'{letter} {share:.0f}':5}" for letter, share in shares[:_LETTERS]]
        print_line(f"{position:3}  {'  '.join(shown)}".rstrip())


def _print_several(lines: Sequence[str], what: str) -> None:
    if not lines:
        print_line(f"none {what}")
        return
    print_line(f"{len(lines)} {what}:")
    for line in lines[:_SHOWN]:
        print_line(f"  {line}")
    if len(lines) > _SHOWN:
        print_line("  ... (--json lists all)")
