"""A command as another package may add it to satcross."""

from __future__ import annotations

import click


@click.command()
@click.argument("word")
def shout(word: str) -> None:
    """Print a word, loudly."""
    click.echo(f"{word.upper()}!")
