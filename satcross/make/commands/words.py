"""``satcross words``."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import starmap
from typing import Any

import click

from satcross.cli import UNKNOWN
from satcross.cli import options as cli
from satcross.cli.messages import note, print_error, printing
from satcross.cli.output import Report, check_output, check_standard_input, print_line, write_text
from satcross.cli.read_puzzle import FlagReader, ListFlags, ReadingFlags, note_oddities, read_lists
from satcross.cli.tables import print_table
from satcross.cli.text_flags import key_option
from satcross.errors import InputError
from satcross.formats.entries import normalise, read_word
from satcross.formats.files import Text
from satcross.formats.fills import read_fills
from satcross.formats.packed import TIERS, default_list, tiers_of
from satcross.formats.words import DEFAULT_LIST, NAMED_LISTS, WordList, read_list
from satcross.formats.written import default_written
from satcross.make import word_lists
from satcross.make.commands.words_edit import edit
from satcross.make.commands.words_fetch import fetch
from satcross.make.word_search import Lengths, WordQuery
from satcross.make.wordplay import wordplay
from satcross.support.wording import counted
from satcross.vocabulary import Vocabulary

Used = tuple[str, int | None]
"""A word of a fill, and its score; None for a word of no list."""

_SHOWN = 10
_LETTERS = 8

_EXAMPLES = """
satcross words                                 (the default list)
satcross words mine.txt --length 5 --png mine.png
satcross words --match '*QU?' --length 5..8 --min-score 60
satcross words --anagram 'dirty room' --regex '^D'
satcross words --wordplay carpet               (for cryptic clues)
satcross words mine.txt --fill fill.json       (the words of a fill, weakest first)
satcross words mine.txt big.txt --merge first -o merged.txt
satcross words messy.csv --merge max --by-letters -o clean.txt
"""

_DIFF_EXAMPLES = """
satcross words diff old.dict new.dict
satcross words diff mine.txt                   (beside the default list)
"""


def _parse_lengths(value: object) -> Lengths:
    """Click type that parses a length or a range of lengths such as 5..8, 5.. and ..8."""
    low, dots, high = str(value).partition("..")
    if re.fullmatch(r"(\d{1,4})?", low) and re.fullmatch(r"(\d{1,4})?", high) and (low or high):
        lengths = (int(low or 0), int(high) if high else None if dots else int(low))
        if lengths[1] is None or lengths[0] <= lengths[1] >= 2:
            return lengths
    raise click.BadParameter(
        f"{value!r} is neither a length of 2 or more nor a range such as 5..8."
    )


@dataclass(frozen=True, slots=True)
class SearchFlags:
    """Which words are looked for."""

    pattern: str | None = cli.option(
        "--match PATTERN",
        "Print the words that match a pattern: ? is a letter, * any number of letters, @ a vowel, "
        "# another letter, [AEI] or [A-M] one of these, [!AEI] one of the others.",
        brief=True,
        heading="Search",
    )
    anagram: str | None = cli.option(
        "--anagram LETTERS",
        "Print the words made of these letters in any order; ? is any further letter, * any number "
        "of them.",
        brief=True,
    )
    regex: str | None = cli.option(
        "--regex REGEX", "Print the words in which a regular expression (Python's) is found."
    )
    lengths: Lengths | None = cli.option(
        "--length N|A..B",
        "Only words of this length, or of A to B letters. Without a search, one length shows its "
        "most frequent letters by position.",
        type=_parse_lengths,
        brief=True,
    )
    min_score: int | None = cli.option(
        "--min-score N",
        "Only words of at least this score.",
        type=cli.whole(),
        needs=["--match", "--anagram", "--regex"],
        brief=True,
    )
    time_limit: float = cli.time_limit_option(
        "Stop a search after this many seconds; exit code 30.", default=10.0, heading=None
    )

    @property
    def queries(self) -> dict[str, str]:
        """What is looked for; a length without any of it selects a part of the survey."""
        given = {"pattern": self.pattern, "anagram": self.anagram, "regex": self.regex}
        return {name: text for name, text in given.items() if text is not None}

    def search(self, vocabulary: Vocabulary) -> list[tuple[str, int]]:
        """Return the words with their scores. Raises InputError for a bad pattern."""
        remedy = "write letters with ? * @ # [AEI] [A-M] [!AEI], as in ?A*[ST]"
        if "" in self.queries.values():
            raise InputError("bad search: it is empty", remedy)
        lengths, score = self.lengths or (0, None), self.min_score
        query = WordQuery(
            **self.queries, lengths=lengths, min_score=score, time_limit=self.time_limit
        )
        try:
            return query.search(vocabulary)
        except TimeoutError:
            print_error(
                f"the search took longer than {self.time_limit:g} s; write the regular expression "
                "without repetition in repetition, or give more time with --time-limit"
            )
            sys.exit(UNKNOWN)
        except ValueError as error:
            raise InputError(f"bad search: {error}", remedy) from None


@dataclass(frozen=True, slots=True)
class DiffRequest:
    lists: tuple[str, ...] = cli.argument(
        "[OLD] NEW", "Word lists.  [default: the default list]", nargs=-1
    )
    how: ReadingFlags = cli.options(ReadingFlags)
    report: Report = cli.options(Report, quiet="Print no notes on the files.")


@cli.make_command(DiffRequest, examples=_DIFF_EXAMPLES)
def diff(request: DiffRequest) -> None:
    """Print what is in one list and not in another, and which scores differ.

    Each line is a word: `+` it is in NEW alone, `-` in OLD alone, `~` its score differs. Both are
    read as they are, without your edits.

    Exit code 0: answered. 2: bad input.
    """
    if not 1 <= len(request.lists) <= 2:
        raise click.UsageError("give one or two lists.")
    check_standard_input(request.lists)
    *old, new = request.lists
    before, after = (
        read_lists(paths, quiet=request.report.quiet, reading=request.how.reading).vocabulary
        for paths in (old, [new])
    )
    changes = word_lists.list_changes(before, after)
    added = sum(change.old is None for change in changes)
    removed = sum(change.new is None for change in changes)
    rescored = f"{len(changes) - added - removed:,} rescored"
    summary = f"{added:,} only in the new list, {removed:,} only in the old one, {rescored}"
    request.report.show(
        lambda: {"changes": list(map(asdict, changes))}, lambda: [*map(str, changes), summary]
    )


@dataclass(frozen=True, slots=True)
class Request:
    lists: tuple[str, ...] = cli.argument(
        "[LIST]...", "Word lists.  [default: the default list]", nargs=-1
    )
    search: SearchFlags = cli.options(SearchFlags)
    fill: str | None = cli.option(
        "--fill FILE",
        "Print the words of this fill, weakest first.",
        heading="What to show",
        excludes=["--match", "--anagram", "--regex"],
        brief=True,
    )
    weak_below: int = cli.option(
        "--weak-below N",
        "With --fill: words with a lower score are weak.",
        type=cli.whole(),
        default=50,
    )
    wordplay: str | None = cli.option(
        "--wordplay WORD",
        "Print what cryptic clues can make of a word: anagrams, reversals, charades, containers, "
        "and words between which it hides.",
        excludes=["--fill", "--match", "--anagram", "--regex", "--merge", "--output"],
    )
    themes: tuple[str, ...] = cli.option(
        "--theme FILE",
        "With --fill: words of your own, which are weak at no score; repeatable.",
        multiple=True,
        needs=["--fill"],
    )
    priority: str | None = cli.option(
        "--merge",
        "Print all lists as one, sorted and each word once, with its score in the first list that "
        "has it, or with its highest (max). One list alone is cleaned up.",
        choices=("first", "max"),
        excludes=["--json", "--fill", "--match", "--anagram", "--regex"],
        brief=True,
    )
    how: ListFlags = cli.options(ListFlags)
    out: str | None = cli.output_option(
        "Write the words that --merge, --fill or a search finds as a list.",
        aliases=("--out",),
        needs=["--merge", "--fill", "--match", "--anagram", "--regex"],
        excludes=["--json"],
    )
    by_letters: bool = cli.option(
        "--by-letters", "In lists that are written: TSHIRT, not T-shirt as it was written."
    )
    png: str | None = cli.option("--png FILE", "Draw the numbers of words by length and by score.")
    key: str | None = key_option()
    report: Report = cli.options(Report, quiet="Print no notes on the files.")

    @property
    def has_default(self) -> bool:
        """Whether the default list is one of the lists, perhaps as spelt in one country."""
        return not self.lists or not set(NAMED_LISTS).isdisjoint(self.lists)

    def read(self, *, quiet: bool) -> WordList:
        return self.how.read(self.lists, quiet=quiet)

    def check(self) -> None:
        """Raise InputError for files that can't be used together."""
        edits = [self.how.edits] if self.how.edits else []
        inputs = [*self.lists, *edits, *self.themes, *([self.fill] if self.fill else [])]
        check_standard_input(inputs)
        if self.out is not None:
            check_output(self.out, inputs, (".txt", ".dict", ".gz", ""))
        if self.png is not None:
            check_output(self.png, inputs, (".png",))


@cli.make_command(
    Request, examples=_EXAMPLES, subcommands={"diff": diff, "edit": edit, "fetch": fetch}
)
def command(request: Request) -> None:
    """Look into word lists: lengths, scores, letters, duplicates, lines that were dropped.

    Without a LIST, into the default list. Several lists are taken together: a word that occurs in
    many counts once, with its highest score. --match, --anagram and --regex (together, if you like)
    print words, highest score first, with how they are written and their tier; --fill the words of
    a filled grid (as `satcross check` reads it); --merge one list made of all.

    `satcross words edit` keeps your own scores, and words never to be used.

    Exit code 0: answered. 2: bad input. 30: the search took too long.
    """
    request.check()
    if request.fill is not None:
        _fill(request, request.fill)
    elif request.search.queries:
        _search(request)
    elif request.wordplay is not None:
        _wordplay(request, request.wordplay)
    elif request.priority is not None:
        _merge(request)
    else:
        _survey(request)
        return
    if request.png is not None:
        word_lists.draw_word_list(request.read(quiet=True).vocabulary, request.png)


@dataclass(frozen=True, slots=True)
class _Listed:
    """A list, how its words are written, and their tiers of offensive words."""

    words: WordList
    written: Mapping[str, str]
    tiers: Mapping[str, str]

    @classmethod
    def read(cls, request: Request) -> _Listed:
        words = request.read(quiet=request.report.quiet)
        written = {**default_written(), **words.written} if request.has_default else words.written
        return cls(words, written, tiers_of(default_list()))

    def line(self, word: str, score: int) -> str:
        """A line of a list: the word, its score, how it is written, and its tier."""
        tier = self.tiers.get(word)
        more = " ".join(filter(None, [self.written.get(word, ""), f"({tier})" if tier else ""]))
        return ";".join(filter(None, [word, str(score), more]))

    def to_data(self, word: str, score: int | None) -> dict[str, object]:
        """A word for JSON; how it is written, and its tier, only where there is one."""
        data: dict[str, object] = {"word": word, "score": score}
        if word in self.written:
            data["written"] = self.written[word]
        if word in self.tiers:
            data["tier"] = self.tiers[word]
        return data


def _read(lists: Sequence[str]) -> list[Text]:
    return [read_list(path) for path in lists or (DEFAULT_LIST,)]


def _wordplay(request: Request, text: str) -> None:
    vocabulary = request.read(quiet=request.report.quiet).vocabulary
    word = read_word(text, vocabulary)
    if not word.isalpha():
        raise InputError(f"--wordplay {text!r}: that is no word", "write one of letters, as carpet")
    devices = wordplay(word, vocabulary)

    lines = [f"{device.device}: {device.text}" for device in devices]
    none = f"{word}: no anagram, and no words that it joins or hides between"
    request.report.show(
        lambda: {"word": word, "wordplay": list(map(asdict, devices))}, lambda: lines or [none]
    )


def _fill(request: Request, fill: str) -> None:
    listed = _Listed.read(request)
    vocabulary = listed.words.vocabulary
    fills = [word_lists.words_by_score(found.rows, vocabulary) for found in read_fills(fill)]
    if request.out is not None:
        used = {word: score for words in fills for word, score in words}
        _write(request, sorted(used.items()), listed.written, request.out)
        return
    data = _reviews(request, listed, fills)

    def show() -> None:
        for number, found in enumerate(data, 1):
            if len(data) > 1:
                print_line(f"fill {number}")
            _print_review(found, request.weak_below)

    request.report.show(lambda: data[0] if len(data) == 1 else {"fills": data}, show)


def _reviews(
    request: Request, listed: _Listed, fills: Iterable[list[Used]]
) -> list[dict[str, Any]]:
    """Return the JSON about the words of each fill."""
    reading = request.how.reading
    paths = request.lists if len(request.lists) > 1 else ()
    origins = {path: read_lists([path], quiet=True, reading=reading).vocabulary for path in paths}
    reader = FlagReader(listed.words.vocabulary, reading, request.report.quiet)
    own = set(reader.read_words(request.themes, strict=True)) if request.themes else set()

    def about(word: str, score: int | None) -> dict[str, Any]:
        is_weak = word not in own and (score is None or score < request.weak_below)
        data: dict[str, Any] = {**listed.to_data(word, score), "weak": is_weak}
        if word in own:
            data["own"] = True
        if origins:
            data["lists"] = [path for path, words in origins.items() if word in words]
        return data

    found = [list(starmap(about, used)) for used in fills]
    return [{"words": words, "weak": sum(word["weak"] for word in words)} for words in found]


def _print_review(review: Mapping[str, Any], below: int) -> None:
    rows = []
    for item in review["words"]:
        own = "your own" * ("own" in item)
        remarks = ["weak" * item["weak"], own, item.get("tier", ""), *item.get("lists", ())]
        shown = "in no list" if item["score"] is None else str(item["score"])
        rows.append(
            (item["word"], shown, item.get("written", ""), ", ".join(filter(None, remarks)))
        )
    print_table(("word", "score", "written", "remarks"), rows, left=4)
    print_line(
        f"{review['weak']} of {counted(len(rows), 'word')} weak: "
        f"in no list, or scored below {below}."
    )


def _search(request: Request) -> None:
    search = request.search
    listed = _Listed.read(request)
    found = search.search(listed.words.vocabulary)
    if request.out is not None:
        _write(request, found, listed.written, request.out)
        return
    data = {
        key: normalise(text) if key == "pattern" else text for key, text in search.queries.items()
    }
    request.report.show(
        lambda: {**data, "words": [listed.to_data(*item) for item in found]},
        lambda: [listed.line(*item) for item in found],
    )
    if not found:
        request.report.note("no word matches")
    if request.has_default:
        _note_hidden(request, listed)


def _note_hidden(request: Request, listed: _Listed) -> None:
    """Print how many words of the default list match but are left out because they have a tier."""
    included, known = request.how.reading.tiers, listed.words.vocabulary
    for tier in TIERS:
        hidden = [word for word, has in listed.tiers.items() if has == tier and word not in known]
        number = 0 if tier in included else len(request.search.search(Vocabulary(hidden)))
        if number:
            request.report.note(
                f"{counted(number, 'more word')} of the tier {tier}; --include-{tier} shows them"
            )


def _merge(request: Request) -> None:
    sources, reading = _read(request.lists), request.how.reading
    merged = word_lists.merge_lists(sources, reading, highest=request.priority == "max")
    if not request.report.quiet:
        note_oddities(merged)
        repeated = Counter(item.file for item in word_lists.find_repeated_words(sources, reading))
        for name, number in repeated.items():
            note(f"{counted(number, 'word')} on several lines, kept once", name)
    edited = request.how.edit(merged, quiet=request.report.quiet)
    found = [(word, edited.vocabulary.score(word)) for word in edited.vocabulary]
    if request.out is not None:
        _write(request, found, edited.written, request.out)
        note(counted(len(found), "word"), request.out)
        return
    with printing():
        for line in _lines(request, found, edited.written):
            print_line(line)


def _lines(request: Request, words: Iterable[Used], written: Mapping[str, str]) -> list[str]:
    """The lines of a list; words of no list have no score."""
    known = {} if request.by_letters else written
    return [known.get(word, word) + ("" if score is None else f";{score}") for word, score in words]


def _write(request: Request, words: Iterable[Used], written: Mapping[str, str], out: str) -> None:
    write_text(out, "".join(f"{line}\n" for line in _lines(request, words, written)))


def _survey(request: Request) -> None:
    words, reading = request.read(quiet=True), request.how.reading
    vocabulary = words.vocabulary
    low, high = request.search.lengths or (0, None)
    every = word_lists.length_statistics(vocabulary)
    lengths = [item for item in every if low <= item.length <= (high or item.length)]
    if not lengths:
        raise InputError("there is no word of this length", "choose another --length")
    groups = vocabulary.groups()
    bars = word_lists.score_histogram(score for _, _, scores in groups for score in scores)
    repeats = word_lists.find_repeated_words(_read(request.lists), reading)
    tiers = Counter(tiers_of(default_list()).values()) if request.has_default else {}
    if request.png is not None:
        word_lists.draw_word_list(vocabulary, request.png)

    def to_data() -> dict[str, object]:
        return {
            "words": len(vocabulary),
            "lengths": list(map(asdict, lengths)),
            "scores": list(map(asdict, bars)),
            "repeats": list(map(asdict, repeats)),
            "dropped": list(map(asdict, words.dropped)),
            "notes": [{"file": name, "note": text} for name, text in words.notes],
            **({"tiers": tiers} if tiers else {}),
        }

    def show() -> None:
        if low == high:
            _print_letters(lengths[0])
            return
        print_line(counted(len(vocabulary), "word"))
        rows = [
            (f"{x.length}", f"{x.words:,}", f"{x.lowest}", f"{x.mean:.0f}", f"{x.highest}")
            for x in lengths
        ]
        print_table(("length", "words", "lowest score", "mean", "highest"), rows, left=0)
        print_table(("score", "words"), [(bar.scores, f"{bar.words:,}") for bar in bars])
        for tier, number in tiers.items():
            there = "included" if tier in reading.tiers else f"left out; --include-{tier}"
            print_line(f"{tier:10} {number:9,}  ({there})")
        for name, text in words.notes:
            print_line(f"{name}: {text}")
        _print_several(list(map(str, repeats)), "listed more than once")
        dropped = [f"{x.file}:{x.line}: {x.text.strip()!r}, {x.reason}" for x in words.dropped]
        _print_several(dropped, "dropped")

    request.report.show(to_data, show)


def _print_letters(statistics: word_lists.LengthStatistics) -> None:
    words = counted(statistics.words, "word")
    print_line(f"{words} of {statistics.length} letters; the most frequent letters, in %")
    for position, letters in enumerate(statistics.letters, 1):
        shown = [
            f"{f'{letter} {100 * number / statistics.words:.0f}':5}"
            for letter, number in list(letters.items())[:_LETTERS]
        ]
        print_line(f"{position:3}  {'  '.join(shown)}".rstrip())


def _print_several(lines: Sequence[str], what: str) -> None:
    print_line(f"{len(lines)} {what}:" if lines else f"none {what}")
    for line in lines[:_SHOWN]:
        print_line(f"  {line}")
    if len(lines) > _SHOWN:
        print_line("  ... (--json lists all)")
