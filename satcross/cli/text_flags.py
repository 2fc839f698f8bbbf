"""The options that say how text is read: language, letters of two characters, encoding."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import click

from satcross.cli.options import INPUT, option
from satcross.support.frozen import frozen
from satcross.support.texts import texts, use_texts


def _use_language(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    code = ""
    if value:
        from satcross.formats.languages import read_language

        code = read_language(value)
    use_texts(replace(texts(), language=code))
    return code or None


def _use_digraphs(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value == "all":
        from satcross.formats.languages import languages

        letters = languages().get(texts().language, {}).get("digraphs", ())
        if not letters:
            raise click.BadParameter("all needs --language with a language that has such letters.")
    else:
        letters = [part.strip().upper() for part in (value or "").split(",") if part.strip()]
    if any(len(part) < 2 or not part.isalpha() for part in letters):
        raise click.BadParameter(f"{value!r} are no letters; write IJ, or LJ,NJ,DŽ.")
    use_texts(replace(texts(), digraphs=tuple(letters)))
    return value


def _use_charset(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    charset = None
    if value:
        from satcross.formats.charsets import read_charset

        charset = read_charset(value)
    use_texts(replace(texts(), charset=charset))
    return value


def _use_key(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not re.fullmatch("[0-9]{4}", value):
        raise click.BadParameter(f"{value!r} is not a key; write four digits, such as 1234.")
    use_texts(replace(texts(), key=value))
    return value


def key_option() -> Any:
    """The key of a scrambled solution, for commands that read crosswords."""
    return option(
        "--key DIGITS",
        "Unscramble the solution of a .puz file with these four digits, instead of trying all.",
        heading=INPUT,
        callback=_use_key,
    )


@frozen
class TextFlags:
    """How text is read; the options take effect when they are parsed, before any file is read."""

    language: str | None = option(
        "--language CODE",
        "The language of the words, such as de, tr or he: it decides capitals and accents, and the "
        "headings of printed pages.",
        heading=INPUT,
        callback=_use_language,
        is_eager=True,
    )
    digraphs: str | None = option(
        "--digraphs LETTERS",
        "Letters of two characters or more that take one cell: IJ, or LJ,NJ,DŽ; all for those of "
        "the language.",
        callback=_use_digraphs,
    )
    charset: str | None = option(
        "--charset NAME",
        "The encoding of the files, such as cp1250 or mac-roman.  [default: found out]",
        callback=_use_charset,
    )
