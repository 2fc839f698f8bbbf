"""Make one page for each command of ``satcross`` from its ``--help``, for the site and for man.

The pages are written to ``reference/commands`` before Sphinx reads the folder. Nothing about an
option is written twice: names, texts, defaults and headings come from the commands themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click

from satcross.cli import COMMANDS, cli

FOLDER = Path(__file__).parent / "reference" / "commands"


def setup(app: Any) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("builder-inited", lambda app: write_pages(FOLDER))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_pages(folder: Path) -> None:
    """Write a page for each command and one that lists them, leaving unchanged files alone."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = {"index": "\n".join(_index())}
    pages |= {name: "\n".join(_page(name)) for names in COMMANDS.values() for name in names}
    for old in folder.glob("*.md"):
        if old.stem not in pages:
            old.unlink()
    for name, text in pages.items():
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def man_pages() -> list[tuple[str, str, str, str, int]]:
    """Return what Sphinx's builder ``man`` wants to know."""
    return [
        (f"reference/commands/{name}", f"satcross-{name}", text.rstrip("."), "", 1)
        for names in COMMANDS.values()
        for name, text in names.items()
    ]


def _index() -> Iterator[str]:
    yield "# Commands\n"
    yield from _paragraphs(cli.help or "")
    for purpose, commands in COMMANDS.items():
        yield f"## {purpose}\n"
        for name, text in commands.items():
            yield f"[`satcross {name}`]({name}.md)\n: {_escape(text)}\n"
    yield "```{toctree}\n:hidden:\n"
    yield from (name for commands in COMMANDS.values() for name in commands)
    yield "```\n"


def _page(name: str) -> Iterator[str]:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    yield f"# satcross {name}\n"
    yield from _command(name, command, "##")
    for inner, subcommand in getattr(command, "subcommands", {}).items():
        yield f"## satcross {name} {inner}\n"
        yield from _command(f"{name} {inner}", subcommand, "###")


def _command(name: str, command: click.Command, level: str) -> Iterator[str]:
    context = click.Context(command, info_name=f"satcross {name}")
    yield f"```\n{command.get_usage(context).removeprefix('Usage: ')}\n```\n"
    yield from _paragraphs(command.help or "")
    title, *examples = cleandoc((command.epilog or "").replace("\b\n", "")).splitlines()
    yield f"{level} {title.rstrip(':')}\n"
    yield "\n".join(["```console", *(f"$ {line.strip()}" for line in examples), "```\n"])
    heading = ""
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is None:
            continue
        is_argument = isinstance(parameter, click.Argument)
        now = "Arguments" if is_argument else getattr(parameter, "heading", None) or "Options"
        if now != heading:
            yield f"{level} {now}\n"
            heading = now
        names, text = record
        yield f"`{names}`\n: {_escape(text)}\n"


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in cleandoc(text).split("\n\n"):
        yield _escape(paragraph) + "\n"


def _escape(text: str) -> str:
    """Escape what Markdown would take for markup, except between backquotes."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(
        part if part.startswith("`") else re.sub(r"([*_<>\[\]\\])", r"\\\1", part) for part in parts
    )
