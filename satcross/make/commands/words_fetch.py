"""``satcross words fetch``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from satcross.cli.options import argument, did_you_mean, make_command, option, options
from satcross.cli.output import Report, print_line

_EXAMPLES = """
satcross words fetch                           (which lists there are)
satcross words fetch cwl
satcross solve grid.txt "$(satcross words fetch cwl --quiet)"
satcross words fetch scowl --from scowl-2020.12.07.tar.gz
"""


@dataclass(frozen=True, slots=True)
class Request:
    name: str | None = argument("[NAME]", "The list to get.")
    source: str | None = option(
        "--from FILE|URL",
        "Take the download from a file or another address; it must be the same version.",
        heading="Input",
    )
    again: bool = option("--again", "Download the list although it is there.")
    folder: Path | None = option(
        "--folder FOLDER",
        "Keep the list here.  [default: lists in the user's data folder]",
        heading="Output",
        type=Path,
    )
    licence: bool = option("--licence", "Print the licence of the list instead.")
    report: Report = options(Report, quiet="Print only the list's path.")


@make_command(Request, examples=_EXAMPLES)
def fetch(request: Request) -> None:
    """Download a free word list, and print the path of the file.

    Without a NAME, the lists are shown. A download is checked by its digest and kept; the next call
    checks it again and finds it. One that was interrupted is continued.

    Exit code 0: the list is there. 2: it can't be had.
    """
    from satcross.make.list_download import FREE_LISTS, fetch_list, lists_folder

    folder = request.folder or lists_folder()
    if request.name is None:
        _show(request, folder)
        return
    wanted = FREE_LISTS.get(request.name)
    if wanted is None:
        hint = did_you_mean(request.name, FREE_LISTS)
        raise click.UsageError(f"{request.name!r} is not one of {', '.join(FREE_LISTS)}.{hint}")
    if request.licence:
        print_line(wanted.licence_path.read_text("utf-8"), end="")
        return
    with request.report.progress() as progress:
        path = fetch_list(
            wanted,
            folder,
            source=request.source,
            again=request.again,
            on_progress=lambda size: progress.show(f"{size / 1e6:.1f} of {wanted.megabytes} MB"),
        )
    request.report.note(f"{wanted.title}; {wanted.licence} (--licence prints it)", request.name)
    request.report.show(lambda: {"name": request.name, "path": str(path)}, lambda: [str(path)])


def _show(request: Request, folder: Path) -> None:
    from satcross.make.list_download import FREE_LISTS

    if request.source is not None or request.again or request.licence:
        raise click.UsageError("name a list.")
    data: list[dict[str, str | None]] = []
    lines = []
    for name, free_list in FREE_LISTS.items():
        path = folder / free_list.file
        there = str(path) if path.exists() else None
        title, licence = free_list.title, free_list.licence
        about = {"name": name, "title": title, "licence": licence, "url": free_list.origin_name}
        data.append({**about, "path": there})
        lines.append(f"{name:7} {title}")
        lines.append(f"{'':7} {licence}; {there or f'{free_list.megabytes} MB'}")
    request.report.show(lambda: {"lists": data}, lambda: lines)
