"""``satcross bench report``."""

import click


@click.command(name="report")
@click.argument("files", nargs=-1)
def command(files: tuple[str, ...]) -> None:
    """x"""
