"""Lists as people and programs write them, cut into words, scores and clues.

One reader for all doors (``solve``, ``words``, ``layout``, ``--clues`` and the page): it looks at
the whole list, decides how its lines are divided and what the columns are, and says what it
assumed where that is more than a word, a separator and a score or clue.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import islice, pairwise
from typing import Any, NamedTuple

from satcross.formats.files import Text
from satcross.support.letters import guess_language, load_packed
from satcross.support.texts import texts


class Expected(Enum):
    """What the lines of a list have beside words."""

    SCORES = "scores"
    """Perhaps scores, as in word lists; other columns are not used."""
    EITHER = "either"
    """Perhaps a score, perhaps a clue, as in lists for ``layout``."""
    CLUES = "clues"
    """A clue on every line."""


class Row(NamedTuple):
    """A line of a list: its number and text, and its word, score and clue as they are written.

    ``score`` is None where the line has no field for it.
    """

    line: int
    text: str
    word: str
    score: str | None = None
    clue: str = ""


@dataclass(frozen=True, slots=True)
class ListTable:
    """The lines of a list that are not blank, and what was assumed, one sentence each."""

    rows: list[Row]
    notes: tuple[str, ...]
    has_flags: bool = False
    """Whether it is a dictionary of hunspell."""


_NAMES = {"\t": "tab", ";": "semicolon", ",": "comma", ":": "colon", "|": "bar", "\\": "backslash"}
_SURE, _POSSIBLE = "\t;", ",:"
"""Separators that are no part of an entry, and those that may be."""
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
_DECIMAL = re.compile(r"[+-]?[0-9]{1,18}([.,][0-9]{1,12})?(e[+-]?[0-9]{1,3})?", re.IGNORECASE)
THOUSANDS = re.compile(
    r"[0-9]{1,3}(?:(?:[,' \u00a0\u202f][0-9]{3})+|(?:\.[0-9]{3}){2,}(?:,[0-9]+)?)"
)
"""A number with marked thousands; a single dot may be that of decimals."""
COMMENTS = ("#", "//")
"""What lines that are no entries begin with."""
_DIRECTIVE = re.compile(r"sep=(\W)(\r?\n)", re.IGNORECASE)
"""The first line by which spreadsheets are told the separator."""
_NUMBERING = re.compile(r"\s*([0-9]+)[.)]\s+(?=\S)")
_BULLET = re.compile(r"\s*[-*\u2022\u2013]\s+(?=\S)")
_FLAGS = re.compile(r"[^\W\d_](?:[^\s/]|\\/)*/[A-Za-z0-9,~]*[A-Z0-9][A-Za-z0-9,~]*(?:\s.*)?")
_FLAGS_AFTER_COUNT = re.compile(r"[^\s/]+/[^\s/]+(?:\s.*)?")
_FLAGS_END = re.compile(r"(?<!\\)/|\t")
_CLUE_DIVIDER = re.compile(
    r"(?P<word>.+?)(?:\s+[-\u2013\u2192]+>?\s+|\s*(?:[:\uff1a=]+>?|\u2014+)\s*)(?P<rest>.*)"
)
_WORD_DIVIDER = re.compile(
    r"(?P<word>.+?)(?:\s+[-\u2013\u2014\u2192=:]+>?\s+|:\s+|\s*\uff1a\s*|=)(?P<rest>.*)"
)
_SIGN_DIVIDER = re.compile(r"(?P<word>.+?)\s+(?:[/~>\u2026]|\.\.+)\s+(?P<rest>\S.*)")
_IN_PARENTHESES = re.compile(r"(?P<word>[^()\[\]]+?)\s*[(\[](?P<rest>[^()\[\]]+)[)\]]")
_COUNTED = re.compile(r"(?P<word>\S.*?)\s+(?P<rest>[+-]?[0-9][0-9.,]*(?:e[+-]?[0-9]+)?)")
_COUNT_FIRST = re.compile(r"(?P<rest>[0-9]+)\s+(?P<word>\S.*)")
_MEASURED = re.compile(r"(?P<word>[^()\t;,|:]+?)\s*\([0-9][0-9, -]*\)[\s:,-]*(?P<rest>\S.*)")
_ALIGNED = re.compile(r"(?P<word>\S+(?: \S+)*) {2,}(?P<rest>\S.*)")
_PROSE = re.compile(r"(?P<word>\S+)\s+(?P<rest>\S.*)")
_NEARLY_ALL = 0.9
_MAX_LINE = 1000
"""Maximum number of characters of a line that is cut by a pattern."""

_FEW_LINES = 3  # fewer lines are no evidence of a pattern
_TABLE_LINES = 5  # the same for a comma, which occurs in phrases
_MANY_PARTS = 5  # words of a line
_PREAMBLE = 60  # lines before a list
_SAMPLE = 2000
"""Lines that are looked at for patterns; all are looked at for separators."""
_LARGEST_OTHER = 200_000
"""Characters of the largest text that is examined for what it is: crosswords are smaller."""
_OPEN_QUOTE = re.compile(r'(?:^|[,;\t|])"(?:[^"]|"")*$')
_CLOSED_QUOTE = re.compile(r'[^"]*(?:""[^"]*)*"(?:[,;\t|]|$)')
_MOST_JOINED = 20
"""A field in quotes may go on for so many lines."""
_LONG, _SENTENCE = 30, 5
"""Letters and parts of an entry from which it is hardly a word."""


@dataclass(slots=True)
class _Draft:
    """A list being read: its lines, how they are divided, and what was assumed."""

    lines: list[tuple[int, str]]
    separators: list[str] = field(default_factory=list)
    pattern: re.Pattern[str] | None = None
    cut: list[list[str]] = field(default_factory=list)
    header: list[str] = field(default_factory=list)
    assumed: str = ""
    is_json: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def sample(self) -> list[str]:
        """Some lines, evenly spaced, without comments."""
        step = max(1, len(self.lines) // _SAMPLE)
        return [line for _, line in self.lines[::step] if not line.startswith(COMMENTS)]

    def fits(self, pattern: re.Pattern[str]) -> bool:
        """Whether a pattern fits nearly all lines, and there are enough of them."""
        lines = self.sample
        fitting = sum(_whole(pattern, line) is not None for line in lines)
        enough = len(lines) >= (2 if pattern in (_PROSE, _MEASURED) else _FEW_LINES)
        return enough and fitting >= _NEARLY_ALL * len(lines)


def read_table(source: Text, expected: Expected) -> ListTable:
    """Cut a list into words, scores and clues.

    Raises InputError for what is no list but a crossword or another program's file, and, in a list
    of clues, for quotes that are not closed.
    """
    _refuse_others(source)
    directive = _DIRECTIVE.match(source.text)
    if directive is not None:
        source = replace(source, text=directive[2] + source.text[directive.end() :])
    has_flags = False
    records = _json_records(source.text)
    if isinstance(records, _Draft):
        draft = records
    else:
        lines = list(enumerate(records or source.text.splitlines(), 1))
        draft = _Draft([(n, line) for n, line in _joined(lines) if line and not line.isspace()])
        if expected is Expected.SCORES:
            _skip_preamble(draft)
        if records:
            draft.notes.append("the list is JSON; line numbers count its entries")
        has_flags = _is_hunspell(draft)
        if not has_flags:
            _divide_lines(draft, expected)
            _strip_marks(draft)
            if directive is None:
                _choose(draft, expected)
            else:
                draft.separators = [directive[1]]
            _note_unseparated(draft, source.text, expected)
        if draft.separators and '"' in source.text:
            _cut_quoted(draft, source, expected)
        if not draft.cut:
            draft.cut = [_fields(line, draft) for _, line in draft.lines]
    if not draft.header and draft.cut and _is_header(draft.cut[0], len(draft.cut)):
        draft.header = draft.cut.pop(0)
        draft.lines.pop(0)
    rows = list(_rows(draft, expected))
    return ListTable(rows, (*draft.notes, *_doubts(rows)), has_flags)


def _refuse_others(source: Text) -> None:
    """Raise InputError for a file that is recognised as something other than a list."""
    if len(source.text) > _LARGEST_OTHER:
        return
    from satcross.formats.kinds import BROKEN_XML, STRUCTURE, TEXTS, VAGUE
    from satcross.formats.sniff import sniff_text

    kind = sniff_text(source.text)
    if kind not in (*TEXTS, *VAGUE) or kind in (STRUCTURE, BROKEN_XML):
        raise source.error(f"is {kind.name}", "give a list, one word per line")


# How lines are divided


def _joined(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the lines; those of one field in quotes, as spreadsheets write it, as one."""
    rest = iter(lines)
    for number, line in rest:
        if '"' in line and _OPEN_QUOTE.search(line):
            following = [text for _, text in lines[number : number + _MOST_JOINED]]
            closes = next((n for n, text in enumerate(following, 1) if text.count('"') % 2), 0)
            if closes and _CLOSED_QUOTE.match(following[closes - 1]):
                line = "\n".join([line, *following[:closes]])
                number, _ = next(islice(rest, closes - 1, None))
        yield number, line


def _is_hunspell(draft: _Draft) -> bool:
    """Whether the lines are a dictionary of hunspell, which are then cut; a count is skipped."""
    lines = draft.sample
    first, _, remark = lines[0].strip().partition(" ") if lines else ("", "", "")
    has_count = _NUMBER.fullmatch(first) is not None
    pattern = _FLAGS_AFTER_COUNT if has_count else _FLAGS
    flagged = sum(_whole(pattern, line) is not None for line in lines[has_count:])
    others = len(draft.lines) - has_count
    if flagged < (1 if has_count else max(2, others / 2)):
        if has_count and not remark and abs(int(first) - others) <= others / 10:
            draft.lines.pop(0)
            draft.notes.append("the first line, the number of words, is skipped")
        return False
    draft.notes.append(
        "read as a dictionary of hunspell: flags behind / are dropped, and the forms that they "
        "stand for are not added"
    )
    if has_count:
        draft.lines.pop(0)
    words = (_FLAGS_END.split(line, maxsplit=1)[0] for _, line in draft.lines)
    draft.cut = [[word.replace("\\/", "/").strip()] for word in words]
    return bool(draft.cut)


def _skip_preamble(draft: _Draft) -> None:
    """Skip sentences, such as those of a licence, above a rule in the first lines."""
    rules = [place for place, (_, line) in enumerate(draft.lines[:_PREAMBLE], 1) if _is_rule(line)]
    above = draft.lines[: rules[-1]] if rules else []
    if any(len(line.split()) >= _SENTENCE for _, line in above) and above != draft.lines:
        draft.notes.append(f"the text above line {draft.lines[len(above)][0]} is skipped")
        draft.lines = draft.lines[len(above) :]


def _is_rule(line: str) -> bool:
    return len(line) >= _MANY_PARTS and len(set(line.strip())) == 1 and not line.strip().isalnum()


def _divide_lines(draft: _Draft, expected: Expected) -> None:
    """Take the words of one or two lines apart where commas or semicolons divide several.

    Blanks divide those of a line that is too long for an entry, and is not a word and its clue.
    """
    is_one = len(draft.lines) == 1 and expected is not Expected.CLUES
    text = draft.lines[0][1] if is_one else ""
    is_long = sum(map(str.isalnum, text)) >= _LONG and not _first(text, ";\t,:|")
    blank = " " if is_long else ""
    for separator in f",;{blank}" if len(draft.lines) <= 2 else "":
        parts = [(number, part) for number, line in draft.lines for part in line.split(separator)]
        words = [(number, part.strip()) for number, part in parts if part.strip()]
        single = (len(part.split()) == 1 and as_number(part) is None for _, part in words)
        if len(words) >= _MANY_PARTS and all(single):
            draft.lines = words
            draft.notes.append(f"the words of a line are divided at each {separator!r}")
            return


def _strip_marks(draft: _Draft) -> None:
    """Remove numbers or bullets before the entries, where nearly all lines have one."""
    lines = draft.sample
    if len(lines) < 2:
        return
    for pattern, name in ((_NUMBERING, "numbers"), (_BULLET, "bullets")):
        if sum(pattern.match(line) is not None for line in lines) >= _NEARLY_ALL * len(lines):
            draft.lines = [(n, pattern.sub("", line, count=1)) for n, line in draft.lines]
            draft.notes.append(f"the {name} before the entries are left out")


def _choose(draft: _Draft, expected: Expected) -> None:
    """Decide what divides the lines: separators, or a pattern."""
    if expected is not Expected.SCORES and draft.fits(_MEASURED):
        draft.pattern, draft.assumed = _MEASURED, "word, its length and clue"
        return
    if expected is Expected.SCORES:
        separators = _score_separators(draft)
    else:
        separators = _clue_separators(draft, expected)
    divided = sum(any(item in line for item in separators) for line in draft.sample)
    if draft.pattern or 2 * divided > len(draft.sample):
        draft.separators = separators
        return
    if _are_columns_of_numbers(draft.sample):
        draft.cut = [line.split() for _, line in draft.lines]
        draft.assumed = "columns, divided by blanks"
        return
    lines, headings = draft.lines, draft.lines[0][1].split() if draft.lines else []
    if _is_header(headings, len(lines)):
        draft.header, draft.lines = headings, lines[1:]
    strict = expected is Expected.SCORES
    patterns = [
        (_COUNT_FIRST, "number and word"),
        (_WORD_DIVIDER, "word and what follows a dash, : or =")
        if strict
        else (_CLUE_DIVIDER, "word and clue, divided by a dash, : or ="),
        (_SIGN_DIVIDER, "word and what follows a sign"),
        (_COUNTED, "word and number"),
        (_IN_PARENTHESES, "word and what follows in parentheses"),
        (_ALIGNED, "columns, divided by two blanks or more"),
    ]
    if expected is Expected.CLUES or (not strict and _looks_like_prose(draft.sample)):
        patterns.append((_PROSE, "word and clue, divided by the first blank"))
    for pattern, name in patterns:
        if draft.fits(pattern):
            draft.pattern, draft.assumed = pattern, name
            return
    # A separator in few lines is perhaps a part of their entries or clues, but nothing else fits.
    draft.header, draft.lines, draft.separators = [], lines, separators


def _are_columns_of_numbers(lines: Sequence[str]) -> bool:
    """Whether blanks divide a table with two columns of numbers: ``6187267 the at0 4120``."""
    rows = [line.split() for line in lines]
    widths = Counter(map(len, rows))
    if len(rows) < _FEW_LINES or len(widths) > 1 or min(widths) < 3:
        return False
    columns = list(zip(*rows, strict=True))
    numeric = sum(all(as_number(value) is not None for value in column) for column in columns)
    return numeric >= 2 and numeric < len(columns)


def _looks_like_prose(lines: Sequence[str]) -> bool:
    """Whether each line is a word and a clue behind it: ``cat It purrs``, ``CAT it purrs``."""

    def begins(line: str) -> bool:
        word, _, rest = line.strip().partition(" ")
        small = word[:1].islower() and rest[:1].isupper()
        return small or (len(word) > 1 and word.isupper() and any(map(str.islower, rest)))

    parts = sum(len(line.split()) - 1 for line in lines)
    return 2 * parts >= 3 * len(lines) and sum(map(begins, lines)) >= _NEARLY_ALL * len(lines)


def _first(line: str, separators: str) -> str:
    """The separator that comes first in a line, beside quotes at its start; "" if there is none."""
    start = line.find('"', 1) if line.startswith('"') else 0
    found = ((line.find(separator, max(start, 0)), separator) for separator in separators)
    places = [(place, separator) for place, separator in found if place >= 0]
    return min(places)[1] if places else ""


def _is_comma_table(lines: Sequence[str]) -> bool:
    """Whether commas divide columns: a header says so, or hardly one has a blank behind it."""
    if len(lines) > 1 and _is_header(lines[0].split(","), len(lines)):
        return True
    firsts = [line for line in lines if _first(line, ",;\t|") == ","]
    columns = sum(not line.partition(",")[2][:1].isspace() for line in firsts)
    quoted = sum(line.startswith('"') for line in firsts)
    columns = columns if len(lines) >= _TABLE_LINES else quoted if len(lines) > 1 else 0
    return columns >= _NEARLY_ALL * len(lines) > 0


def _score_separators(draft: _Draft) -> list[str]:
    """Return the separators of a list of words.

    A semicolon or a tab is always one. A comma or a colon also occurs inside entries; it is one if
    a number follows it in half of the lines that have one, or if commas divide columns.
    """
    found: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    for _, line in draft.lines:
        for separator in _SURE + _POSSIBLE:
            if separator in line:
                tail = _divide(line, separator)[1]
                found[separator] += 1
                numbers[separator] += as_number(tail) is not None
                break
    sample = draft.sample
    sure = [item for item in _SURE if found[item]]
    if 2 * sum(found[item] for item in sure) < len(draft.lines) and _is_comma_table(sample):
        return [","]
    likely = [item for item in _POSSIBLE if found[item] and 2 * numbers[item] >= found[item]]
    for sign in "|\\" if sample and not sure + likely else "":
        if all(sign in line for line in sample):
            return [sign]
    return sure + likely


def _clue_separators(draft: _Draft, expected: Expected) -> list[str]:
    """Return the separators of words and clues; sets the pattern where text divides them."""
    lines = draft.sample
    firsts = Counter(_first(line, "\t;,|") for line in lines)
    divided = sum(_divides_before(line) for line in lines)
    tabs = sum("\t" in line for line in lines)
    if 2 * tabs >= max(1, len(lines)):
        return ["\t"] if expected is Expected.CLUES else ["\t", ";"]
    everywhere = expected is Expected.CLUES
    is_table = everywhere or _is_comma_table(lines) or _are_words_before_commas(lines)
    if not is_table:
        del firsts[","]
    del firsts[""]
    best = max(firsts, key=lambda first: firsts[first], default="")
    if divided > firsts[best] and 2 * divided >= len(lines):
        draft.pattern = _CLUE_DIVIDER
        draft.assumed = "word and clue, divided by a dash, : or ="
        return []
    if best in (",", "|") and 2 * firsts[best] < len(lines) and not everywhere:
        best = ""
    sure = [item for item in _SURE if firsts[item]]
    return [best] if best and best not in sure else sure if not everywhere else [best] * bool(best)


def _divides_before(line: str) -> bool:
    """Whether a dash, colon or equals sign divides a line before any separator does."""
    match = _whole(_CLUE_DIVIDER, line)
    return match is not None and not _first(match["word"], "\t;,|")


def _are_words_before_commas(lines: Sequence[str]) -> bool:
    words = sum(_first(line, ",") == "," and len(line.split(",")[0].split()) == 1 for line in lines)
    return len(lines) >= 2 and words >= _NEARLY_ALL * len(lines)


def _divide(line: str, separator: str) -> list[str]:
    """Divide a line; a field in quotes, as spreadsheets write it, may contain the separator."""
    if '"' in line:
        for strict in (True, False) if line.startswith('"') else (True,):
            try:
                fields = next(csv.reader([line], delimiter=separator, strict=strict), [])
            except csv.Error:
                continue
            if len(fields) > 1:
                return fields
    return line.split(separator)


def _fields(line: str, draft: _Draft) -> list[str]:
    separator = next((item for item in draft.separators if item in line), None)
    if separator is not None:
        fields = _divide(line, separator)
        if separator == "|" and line.strip()[:1] == "|":
            fields = line.strip().strip("|").split("|")
        return fields
    match = draft.pattern and _whole(draft.pattern, line)
    if match:
        return [match["word"], match["rest"]]
    return [line]


def _cut_quoted(draft: _Draft, source: Text, expected: Expected) -> None:
    """Cut a list with quotes as spreadsheets do, where a field may go over several lines."""
    separator = draft.separators[0]
    if separator not in _SURE + ",|" or len(draft.separators) > 1:
        return
    reader = csv.reader(source.text.splitlines(keepends=True), delimiter=separator, strict=True)
    lines, cut = [], []
    try:
        for row in reader:
            if any(part and not part.isspace() for part in row):
                lines.append((reader.line_num, separator.join(row)))
                cut.append(row)
    except csv.Error as error:
        if expected is not Expected.CLUES or separator == "\t":
            return
        problem = f"not valid CSV ({error})"
        remedy = "quote the whole clue and double any quote in it, or separate with tabs"
        raise source.error(problem, remedy, reader.line_num) from None
    draft.lines, draft.cut = lines, cut


# What the columns are


def _is_header(fields: Sequence[str], lines: int) -> bool:
    """Whether the fields of the first line name columns, one of which has words."""
    if len(fields) < 2 or lines < 2 or any(len(part.split()) > 2 for part in fields):
        return False
    from satcross.formats.languages import column_roles

    roles = column_roles(fields)
    known = len(roles) - roles.count("")
    return "word" in roles and (known > 1 or all(part.strip().isalpha() for part in fields))


@dataclass(frozen=True, slots=True)
class _Columns:
    """Which columns have the words, scores and clues; None for the default of the line.

    ``is_last`` says that the word stands behind a clue, which may contain the separator.
    """

    word: int = 0
    score: int | None = None
    clue: int | None = None
    is_last: bool = False


def _rows(draft: _Draft, expected: Expected) -> Iterator[Row]:
    columns = _columns(draft, expected)
    _note_columns(draft, columns, expected)
    separator = draft.separators[0] if draft.separators else " "
    is_usual = expected is Expected.SCORES and columns in (_Columns(), _Columns(score=1))
    is_usual = is_usual and not draft.is_json
    for (number, text), fields in zip(draft.lines, draft.cut, strict=True):
        if is_usual:
            has_score = columns.score and len(fields) > 1
            score = fields[1].partition(" #")[0].strip() if has_score else None
            yield Row(number, text, fields[0].strip().strip('"').strip(), score)
            continue
        is_ruled = separator == "|" and not any(map(str.isalnum, text))
        is_comment = text.startswith(COMMENTS) and len(fields) < 2
        if is_ruled or (is_comment and expected is not Expected.SCORES):
            continue
        row = _row(number, text, fields, columns, separator, expected)
        yield row._replace(score=row.score or None) if draft.is_json else row


def _row(
    number: int, text: str, fields: list[str], columns: _Columns, separator: str, expected: Expected
) -> Row:
    word = -1 if columns.is_last and len(fields) > 1 else columns.word
    entry = fields[word].strip().strip('"').strip() if word < len(fields) else ""
    score = clue = None
    if columns.score is not None and columns.score < len(fields):
        score = fields[columns.score].partition(" #")[0].strip()
    if columns.clue is not None:
        clue = fields[columns.clue] if columns.clue < len(fields) else ""
    elif columns.is_last:
        clue = separator.join(fields[:-1])
    elif expected is not Expected.SCORES:
        rest = [part for place, part in enumerate(fields) if place > word != columns.score != place]
        first = rest[0].strip() if rest else ""
        is_score = expected is Expected.EITHER or (separator in _SURE and any(rest[1:]))
        if score is None and is_score and _NUMBER.fullmatch(first):
            score = rest.pop(0).strip()
        clue = separator.join(rest)
    lines = (clue or "").split("\n")
    return Row(number, text, entry, score, " ".join(map(str.strip, lines)).strip())


def _columns(draft: _Draft, expected: Expected) -> _Columns:
    if draft.header:
        return _named_columns(draft.header)
    rows = [
        fields for fields in draft.cut if len(fields) > 1 and not fields[0].startswith(COMMENTS)
    ]
    if not rows:
        return _Columns()
    if draft.pattern is _COUNT_FIRST:
        return _Columns(score=1)
    width = Counter(map(len, rows)).most_common(1)[0][0]
    sample = rows[:: max(1, len(rows) // _SAMPLE)]
    texts = [[row[place].strip() for row in sample if place < len(row)] for place in range(width)]
    kinds = [_kind(values) for values in texts]
    enough = len(rows) >= _FEW_LINES or expected is Expected.SCORES
    if enough and kinds[0] in ("rows", "numbers") and "texts" in kinds:
        word = kinds.index("texts")
        scores = [place for place, kind in enumerate(kinds) if kind == "numbers"]
        return _Columns(word, scores[0] if scores else None)
    if _is_reversed(texts, kinds, expected):
        return _Columns(width - 1, is_last=True)
    if expected is not Expected.SCORES:
        if kinds[1:] == ["texts", "numbers"]:
            return _Columns(0, 2, 1)
        is_scored = expected is Expected.CLUES and width > 2 and kinds[1] == "numbers"
        return _Columns(score=1) if is_scored else _Columns()
    if not any(row[1].strip() for row in rows):  # a separator at the end divides nothing
        return _Columns()
    if not _is_mostly_text(texts[1]):
        return _Columns(score=1)
    numbers = [place for place, kind in enumerate(kinds) if kind == "numbers"]
    return _Columns(score=numbers[0] if numbers else None)


def _named_columns(header: Sequence[str]) -> _Columns:
    from satcross.formats.languages import column_roles

    roles = column_roles(header)
    places = {role: roles.index(role) for role in ("word", "score", "clue") if role in roles}
    last = None if roles[-1] else -1  # what a heading does not name may be a clue
    return _Columns(places["word"], places.get("score"), places.get("clue", last))


def _kind(values: Sequence[str]) -> str:
    """What a column has: ``rows`` (1, 2, 3 ...), ``numbers``, ``texts`` or ``mixed``."""
    numbers = [number for value in values if (number := as_number(value)) is not None]
    if len(numbers) >= _NEARLY_ALL * len(values):
        steps = {second - first for first, second in pairwise(numbers)}
        return "rows" if steps == {1.0} and len(numbers) >= _FEW_LINES else "numbers"
    return "mixed" if 4 * len(numbers) > len(values) else "texts"


def _whole(pattern: re.Pattern[str], line: str) -> re.Match[str] | None:
    """Match a line with a pattern of lists, which may take the square of the line's length."""
    line = line.strip()
    return pattern.fullmatch(line) if len(line) <= _MAX_LINE else None


def _is_mostly_text(values: Sequence[str]) -> bool:
    numbers = sum(as_number(value) is not None for value in values)
    texts = sum(value[:1].isalpha() for value in values)
    return texts > max(1, numbers) and 2 * texts > len(values)


def _is_reversed(texts: Sequence[Sequence[str]], kinds: Sequence[str], expected: Expected) -> bool:
    """Whether the words stand behind their clues: they are single words, the clues are not."""
    if len(texts) < 2 or len(texts[0]) < _FEW_LINES or kinds[0] != "texts" or kinds[-1] != "texts":
        return False
    firsts, lasts = texts[0], texts[-1]
    first_parts, last_parts = (
        sum(len(value.split()) for value in values) / len(values) for values in (firsts, lasts)
    )
    capitals = [sum(map(str.isupper, values)) / len(values) for values in (firsts, lasts)]
    if capitals[1] >= _NEARLY_ALL > capitals[0]:
        return first_parts > last_parts
    if last_parts == 1 and all(len(value.split()) > 1 for value in firsts):
        return True
    return first_parts >= 3 and last_parts <= 1.5


def _note_columns(draft: _Draft, columns: _Columns, expected: Expected) -> None:
    """Note what was assumed, unless it is the usual form of a list."""
    separator = draft.separators[0] if draft.separators else ""
    shown = [draft.assumed or (f"{_NAMES[separator]}-separated" if separator else "columns")]
    names = {columns.word: "word", columns.score: "score", columns.clue: "clue"}
    unused = expected is Expected.SCORES and _has_unused(draft, columns)
    usual = columns.word == 0 and not columns.is_last and not draft.header and not unused
    if columns.is_last:
        shown.append("clue, word")
    elif not draft.assumed:
        last = max(place for place in names if place is not None)
        wider = any(len(fields) > last + 1 for fields in draft.cut)
        if expected is not Expected.SCORES and columns.clue is None and wider:
            names[last + 1] = "clue"
        places = sorted(place for place in names if place is not None and place >= 0)
        shown.append(", ".join(names[place] for place in places))
    tail = "; the first line is a header" if draft.header and separator else ""
    tail += "; the other text is not used" if unused else ""
    plain = separator in (*_SURE, "") or (expected is Expected.SCORES and separator in _POSSIBLE)
    if draft.assumed or ((not usual or not plain) and (separator or draft.header)):
        draft.notes.append(f"read as {': '.join(shown)}{tail}")


def _has_unused(draft: _Draft, columns: _Columns) -> bool:
    """Whether lines have text that is neither word nor score, and no comment behind a score."""
    used = (columns.word, columns.score)
    return columns.score != 1 and any(
        text and place not in used for fields in draft.cut for place, text in enumerate(fields)
    )


def _note_unseparated(draft: _Draft, text: str, expected: Expected) -> None:
    """Note the entries that end in a number which no separator makes a score."""
    marks = "".join([*draft.separators, *_POSSIBLE])
    for separator in _POSSIBLE if expected is Expected.SCORES else "":
        if separator in draft.separators or separator not in text or draft.pattern:
            continue
        lines = [(n, line) for n, line in draft.lines if _first(line, marks) == separator]
        tails = ((n, line, line.partition(separator)[2].strip()) for n, line in lines)
        found = [(number, line.strip()) for number, line, tail in tails if _NUMBER.fullmatch(tail)]
        if found and "," not in draft.separators:
            number, line = found[0]
            more = f", and {len(found) - 1} more" if found[1:] else ""
            draft.notes.append(
                f"a number behind {separator!r} is no score here but part of the entry: "
                f"{line}, line {number}{more}; write ; before scores"
            )


def _doubts(rows: Sequence[Row]) -> Iterator[str]:
    """Yield remarks about entries that are hardly words."""
    if len(rows) > 1 and rows[0].clue:
        from satcross.formats.languages import column_roles

        if column_roles([rows[0].clue]) == ["clue"]:
            yield (
                f"line {rows[0].line} is read as the word {rows[0].word!r} with the clue "
                f"{rows[0].clue!r}; if it names the columns, call them word and clue"
            )
    step = max(1, len(rows) // _SAMPLE)
    sample = [row for row in rows[::step] if not row.word.startswith(COMMENTS)]
    if len(sample) >= _FEW_LINES and all(_NUMBER.fullmatch(row.clue) for row in sample):
        yield "every clue is a number; write scores before the clues, if these are: WORD;50;clue"
    tests: tuple[tuple[str, int, Callable[[str], bool]], ...] = (
        ("have digits", 3, lambda word: any(map(str.isdigit, word))),
        (f"have {_LONG} letters or more", 10, lambda word: sum(map(str.isalnum, word)) >= _LONG),
        ("are sentences", 3, lambda word: len(word.split()) >= _SENTENCE),
    )
    for what, share, test in tests:
        found = [row for row in sample if test(row.word)]
        if len(sample) > _TABLE_LINES and share * len(found) >= len(sample):
            first = found[0]
            yield (
                f"doubtful: {len(found)} of {len(sample)} entries {what} "
                f"(first line {first.line}: {first.word[:40]!r})"
            )


# JSON


def _json_records(text: str) -> _Draft | list[str] | None:
    """Return the entries of a JSON array or object: lines, or columns; None for other texts."""
    from satcross.formats.signs import unwrap_json

    text = unwrap_json(text) if re.search(r"[=(]", text[:100]) else text
    if text[:100].lstrip()[:1] not in ("[", "{"):
        return None
    try:
        data = load_packed(text)
    except (ValueError, RecursionError):
        try:  # JSON Lines
            data = [load_packed(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            return None
    if isinstance(data, Mapping):
        nested = [value for value in data.values() if isinstance(value, list)]
        pairs = [_pair(word, value) for word, value in data.items()]
        data = max(nested, key=len) if nested else pairs
    if not isinstance(data, list) or not data:
        return None
    if all(isinstance(entry, str) for entry in data):
        return data
    return _json_table(data)


def _pair(word: str, value: Any) -> Any:
    return {"word": word, **value} if isinstance(value, Mapping) else [word, value]


def _json_table(data: Sequence[Any]) -> _Draft | None:
    draft = _Draft([], is_json=True)
    keys = list(dict.fromkeys(key for item in data if isinstance(item, Mapping) for key in item))
    header = keys if keys and _is_header([str(key) for key in keys], 2) else []
    place = _named_columns(header).word if header else 0
    for number, record in enumerate(data, 1):
        values = [record.get(key, "") for key in keys] if isinstance(record, Mapping) else record
        if isinstance(record, str):
            values = [""] * place + [record]
        if not isinstance(values, list) or not values:
            draft.notes.append(f"entry {number} is ignored, which is no word: {str(record)[:20]}")
            continue
        fields = ["" if value is None else str(value).strip() for value in values]
        if any(fields):
            draft.lines.append((number, ", ".join(filter(None, fields))))
            draft.cut.append(fields)
    if not draft.cut:
        return None
    draft.notes.append("the list is JSON; line numbers count its entries")
    draft.header = header
    return draft


# Numbers and letters


def list_language(entries: Sequence[str], notes: list[str]) -> str:
    """Return the language of a list: the one that is set, or else the one that letters tell."""
    language = texts().language or guess_language(entries)
    if language == "tr" != texts().language:
        notes.append("by its letters, the list is Turkish: the capital of i is \u0130")
    return language


def as_number(text: str) -> float | None:
    """Return the value of a score, perhaps with decimals or marked thousands; None for a text."""
    if text.isdecimal() and text.isascii():
        return float(text)
    text = text.strip().strip('"').partition(" #")[0].strip().removesuffix("%").rstrip()
    if THOUSANDS.fullmatch(text):
        text = text.replace(".", "") if text.count(".") > 1 else re.sub(r"[^0-9]", "", text)
    if not text.isascii() or not _DECIMAL.fullmatch(text):
        return None
    return float(text.replace(",", "."))
