"""``satcross words``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import click

from satcross.cli.options import counted, list_options, note, output
from satcross.cli.output import check_output, print_json, say
from satcross.cli.read_puzzle import note_oddities, read_lists
from satcross.errors import InputError
from satcross.formats.files import STANDARD_INPUT, Text, read_text, write_stream
from satcross.formats.packed import tiers_of
from satcross.formats.words import (
    Reading,
    WordList,
    default_list,
    default_written,
    normalise,
)

if TYPE_CHECKING:
    from satcross.construct.word_lists import LengthStatistics, ScoredWord

_WEAK = 50
_SHOWN = 10
_LETTERS = 8

_EPILOG = """\b
Examples:
  satcross words                                 (the default list)
  satcross words mine.txt --length 5 --png mine.png
  satcross words mine.txt --match '?A?E'
  satcross words mine.txt --fill fill.json       (the weakest words of a fill)
  satcross words mine.txt big.txt --merge first -o merged.txt
"""


@click.command(name="words", epilog=_EPILOG)
@click.argument("lists", nargs=-1, metavar="[LIST]...")
@click.option("--length", type=click.IntRange(2), metavar="N", help="Letters per place of those.")
@click.option("--match", "pattern", metavar="PATTERN", help="Print words like ?A?E; ? is a letter.")
@click.option("--fill", metavar="FILE", help="The words of this fill, weakest first.")
@click.option(
    "--weak-below", type=int, default=_WEAK, show_default=True, metavar="N", help="With --fill."
)
@click.option(
    "--merge",
    "priority",
    type=click.Choice(("first", "max")),
    help="Print all lists as one: a word has its score in the first list with it, or its best.",
)
@click.option("-o", "--out", metavar="FILE", help="Write what --merge or --match prints into it.")
@click.option("--png", metavar="FILE", help="Draw how many words there are by length and score.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--quiet", is_flag=True, help="Print no notes on the files.")
@list_options
def command(
    lists: tuple[str, ...],
    length: int | None,
    pattern: str | None,
    fill: str | None,
    weak_below: int,
    priority: str | None,
    out: str | None,
    png: str | None,
    as_json: bool,
    quiet: bool,
    reading: Reading,
) -> None:
    """Look into word lists: lengths, scores, letters, what is there twice, what was dropped.

    Without a LIST, into the default list. Several are taken together: a word that many have counts
    once, with its best score. --match prints words, --fill the words of a filled grid (as `satcross
    check` reads it) from the weakest up, --merge a list made of all.

    Exit code 0: answered. 2: bad input.
    """
    if sum(value is not None for value in (pattern, fill, priority)) > 1:
        raise click.UsageError("--match, --fill and --merge exclude each other.")
    if out is not None and pattern is None and priority is None:
        raise click.UsageError("-o goes with --merge or --match.")
    if as_json and (out is not None or priority is not None):
        raise click.UsageError("--json goes with neither --merge nor -o.")
    inputs = [*lists, *([fill] if fill else [])]
    if inputs.count(STANDARD_INPUT) > 1:
        raise InputError("standard input can be read only once", "name a file instead of -")
    if out is not None:
        check_output(out, inputs, (".txt", ".dict", ".gz", ""))
    if png is not None:
        check_output(png, inputs, (".png",))
    if fill is not None:
        _weak(read_lists(lists, quiet=quiet, reading=reading), fill, weak_below, as_json)
    elif pattern is not None:
        _match(_listed(lists, reading, quiet=quiet), pattern, out, as_json)
    elif priority is not None:
        _merge(lists, priority, reading, out, quiet)
    else:
        _look(lists, reading, length, as_json, png)
        return
    if png is not None:
        _draw(read_lists(lists, quiet=True, reading=reading), png)


@dataclass(frozen=True, slots=True)
class _Listed:
    """A list, how its words are written, and which tier of offensive words they are of."""

    words: WordList
    written: Mapping[str, str]
    tiers: Mapping[str, str]

    def line(self, word: str, score: int) -> str:
        """A line of a list: the word, its score, and what else there is to say."""
        tier = self.tiers.get(word)
        more = [self.written.get(word, ""), f"({tier})" if tier else ""]
        return ";".join([word, str(score), *filter(None, [" ".join(filter(None, more))])])


def _listed(lists: Sequence[str], reading: Reading, *, quiet: bool) -> _Listed:
    words = read_lists(lists, quiet=quiet, reading=reading)
    if lists:
        return _Listed(words, words.written, {})
    return _Listed(words, default_written(), tiers_of(default_list()) if reading.tiers else {})


def _read(lists: Sequence[str]) -> list[Text]:
    return [read_text(path) for path in lists] or [default_list()]


def _weak(words: WordList, fill: str, below: int, as_json: bool) -> None:
    from satcross.construct.word_lists import words_by_score
    from satcross.formats.fills import read_fills

    fills = [words_by_score(one.rows, words.vocabulary) for one in read_fills(fill)]
    with output():
        if as_json:
            data = [
                {
                    "words": [{**asdict(one), "weak": _is_weak(one, below)} for one in used],
                    "weak": sum(_is_weak(one, below) for one in used),
                }
                for used in fills
            ]
            print_json(data[0] if len(data) == 1 else {"fills": data})
            return
        for number, used in enumerate(fills, 1):
            if len(fills) > 1:
                say(f"fill {number}")
            for one in used:
                if _is_weak(one, below):
                    say(f"{one.word:15} {'in no list' if one.score is None else one.score}")
            weak = sum(_is_weak(one, below) for one in used)
            say(f"{weak} of {counted(len(used), 'word')} weak: in no list, or below {below}.")


def _is_weak(one: ScoredWord, below: int) -> bool:
    return one.score is None or one.score < below


def _match(listed: _Listed, pattern: str, out: str | None, as_json: bool) -> None:
    from satcross.construct.word_lists import ANY, words_matching

    wanted = normalise(pattern)
    if len(wanted) < 2 or any(letter.isspace() or letter in "*_" for letter in wanted):
        raise InputError(f"bad --match {pattern!r}", f"write letters and {ANY}, as in {ANY}A{ANY}E")
    found = list(words_matching(listed.words.vocabulary, wanted))
    if out is not None:
        _write(found, listed.written, out)
        return
    with output():
        if as_json:
            print_json({"pattern": wanted, "words": [_data(listed, *one) for one in found]})
            return
        for word, score in found:
            say(listed.line(word, score))


def _data(listed: _Listed, word: str, score: int) -> dict[str, object]:
    """A word for JSON; how it is written, and its tier, only where there is one."""
    data: dict[str, object] = {"word": word, "score": score}
    if word in listed.written:
        data["written"] = listed.written[word]
    if word in listed.tiers:
        data["tier"] = listed.tiers[word]
    return data


def _merge(
    lists: Sequence[str], priority: str, reading: Reading, out: str | None, quiet: bool
) -> None:
    from satcross.construct.word_lists import Priority, merge_lists

    merged = merge_lists(_read(lists), Priority(priority), reading)
    if not quiet:
        note_oddities(merged)
    found = [(word, merged.vocabulary.score(word)) for word in merged.vocabulary]
    if out is not None:
        _write(found, merged.written, out)
        note(out, counted(len(found), "word"))
        return
    with output():
        for word, score in found:
            say(f"{merged.written.get(word, word)};{score}")


def _write(words: Sequence[tuple[str, int]], written: Mapping[str, str], out: str) -> None:
    text = "".join(f"{written.get(word, word)};{score}\n" for word, score in words)
    write_stream(out, lambda stream: print(text, end="", file=stream))


def _look(
    lists: Sequence[str], reading: Reading, length: int | None, as_json: bool, png: str | None
) -> None:
    from satcross.construct.word_lists import (
        find_repeated_words,
        length_statistics,
        score_histogram,
    )

    words = read_lists(lists, quiet=True, reading=reading)
    vocabulary = words.vocabulary
    lengths = length_statistics(vocabulary)
    if length is not None and length not in vocabulary.lengths:
        raise InputError(f"there is no word of {length} letters", "choose another --length")
    twice = find_repeated_words(_read(lists), reading)
    tiers = {} if lists else Counter(tiers_of(default_list()).values())
    bars = score_histogram(score for _, _, scores in vocabulary.groups() for score in scores)
    if png is not None:
        _draw(words, png)
    with output():
        if as_json:
            shown = [one for one in lengths if length in (None, one.length)]
            print_json(
                {
                    "words": len(vocabulary),
                    "lengths": [asdict(one) for one in shown],
                    "scores": [asdict(bar) for bar in bars],
                    "repeats": [asdict(one) for one in twice],
                    "dropped": [asdict(line) for line in words.dropped],
                    "notes": [{"file": name, "note": note} for name, note in words.notes],
                    **({"tiers": tiers} if tiers else {}),
                }
            )
            return
        if length is not None:
            _print_letters(next(one for one in lengths if one.length == length))
            return
        say(f"{counted(len(vocabulary), 'word')}")
        say("length    words  score: lowest  mean  highest")
        for one in lengths:
            say(f"{one.length:6} {one.words:8,} {one.lowest:14} {one.mean:5.0f} {one.highest:8}")
        say("score          words")
        for bar in bars:
            scores = f"{bar.low}" if bar.low == bar.high else f"{bar.low} to {bar.high}"
            say(f"{scores:10} {bar.words:9,}")
        for tier, number in tiers.items():
            there = "among them" if tier in reading.tiers else f"left out; --include-{tier}"
            say(f"{tier:10} {number:9,}  ({there})")
        for name, note in words.notes:
            say(f"{name}: {note}")
        _print_several(
            [
                f"{one.file}: {one.word} on lines {', '.join(map(str, one.lines))}"
                + (f", scores {', '.join(one.scores)}" if len(set(one.scores)) > 1 else "")
                for one in twice
            ],
            "there more than once",
        )
        _print_several(
            [f"{one.file}:{one.line}: {one.text.strip()!r}, {one.reason}" for one in words.dropped],
            "dropped",
        )


def _print_letters(one: LengthStatistics) -> None:
    say(f"{counted(one.words, 'word')} of {one.length} letters; the most frequent letters, in %")
    for place, letters in enumerate(one.letters, 1):
        shown = [
            f"{letter} {100 * number / one.words:.0f}"
            for letter, number in list(letters.items())[:_LETTERS]
        ]
        say(f"{place:3}  " + "  ".join(f"{cell:5}" for cell in shown).rstrip())


def _print_several(lines: Sequence[str], what: str) -> None:
    if not lines:
        say(f"none {what}")
        return
    say(f"{len(lines)} {what}:")
    for line in lines[:_SHOWN]:
        say(f"  {line}")
    if len(lines) > _SHOWN:
        say("  ... (--json lists all)")


def _draw(words: WordList, png: str) -> None:
    from satcross.construct.word_lists import score_histogram
    from satcross.drawing.bars import write_bars
    from satcross.formats.files import write_atomically

    groups = words.vocabulary.groups()
    bars = score_histogram(score for _, _, scores in groups for score in scores)
    panels = [
        ("Words by length", [(str(length), len(found)) for length, found, _ in groups]),
        (
            "Words by score" + ("" if all(bar.low == bar.high for bar in bars) else " (from ...)"),
            [(str(bar.low), bar.words) for bar in bars],
        ),
    ]
    write_atomically(png, lambda beside: write_bars(panels, beside))
