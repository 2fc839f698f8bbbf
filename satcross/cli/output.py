"""What the commands for puzzle makers have in common: their output files, and printing."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import click

from satcross.errors import InputError
from satcross.formats.files import check_writable
from satcross.formats.writers import WRITERS, check_extension


def numbered(path: str | None, number: int | None) -> list[str]:
    """The files to write: one, or with a ``number`` out-1.txt, out-2.txt and so on."""
    if path is None:
        return []
    if number is None or not path:
        return [path]
    whole = Path(path)
    return [str(whole.with_name(f"{whole.stem}-{k}{whole.suffix}")) for k in range(1, number + 1)]


def check_output(
    path: str, inputs: Iterable[str] = (), suffixes: Iterable[str] | None = None
) -> None:
    """Raise InputError when such a file can't be written there, or is one of the inputs."""
    if not path:
        raise InputError("an empty file name", "name a file to write")
    check_extension(path, WRITERS if suffixes is None else suffixes)
    check_writable(path, inputs)


def print_json(data: object) -> None:
    """Print data as JSON, in ASCII where the terminal takes nothing else."""
    from satcross.formats.json import dump

    text = dump(data)
    click.echo(text if can_print(text) else dump(data, ascii_only=True), nl=False)


def say(text: str, *, err: bool = False) -> None:
    """Print a line; what the terminal can't show becomes a question mark."""
    if not can_print(text):
        text = text.encode(_encoding(), "replace").decode(_encoding())
    click.echo(text, err=err)


def can_print(text: str) -> bool:
    """Whether standard output takes the text."""
    try:
        text.encode(_encoding())
    except UnicodeEncodeError:
        return False
    return True


def _encoding() -> str:
    return (sys.stdout and sys.stdout.encoding) or "utf-8"
