"""Tables of reports: each column is declared once, for text, pages and LaTeX alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from satcross.cli.tables import print_table

if TYPE_CHECKING:
    from rich.text import Text

Row = TypeVar("Row")


def _no_mark(row: object) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """A column: its heading, and the value that its cells show of a row.

    ``form`` is a format specification; a value that is None is shown as ``missing``. Columns are
    aligned to the right unless ``is_text``. ``mark`` is a class of cells in ``page.html``.
    """

    heading: str
    value: Callable[[Row], object]
    form: str = ""
    missing: str = ""
    is_text: bool = False
    mark: Callable[[Row], str] = _no_mark

    def text(self, row: Row) -> str:
        """The cell of a row."""
        value = self.value(row)
        return self.missing if value is None else format(value, self.form)


@dataclass(frozen=True, slots=True)
class Table(Generic[Row]):
    """Columns and rows; ``mark`` is a class of rows in ``page.html``."""

    columns: tuple[Column[Row], ...]
    rows: Sequence[Row]
    mark: Callable[[Row], str] = _no_mark

    @property
    def headings(self) -> list[str]:
        return [column.heading for column in self.columns]

    @property
    def left(self) -> int:
        """The number of columns that are aligned to the left; these come first."""
        return sum(column.is_text for column in self.columns)

    @property
    def cells(self) -> list[list[str]]:
        """The texts of all rows."""
        return [[column.text(row) for column in self.columns] for row in self.rows]

    def without(self, *headings: str) -> Table[Row]:
        """The table without these columns."""
        kept = tuple(column for column in self.columns if column.heading not in headings)
        return replace(self, columns=kept)

    def print(self, style: Callable[[Sequence[str]], Sequence[str | Text]] = list) -> None:
        """Print the table; ``style`` colours a row for the terminal."""
        print_table(self.headings, self.cells, left=self.left, style=style)

    def to_latex(self) -> str:
        """The table for the package booktabs."""
        lines = [self.headings, *self.cells]
        head, *body = (" & ".join(map(_escaped, line)) + r" \\" for line in lines)
        aligned = "l" * self.left + "r" * (len(self.columns) - self.left)
        begin = rf"\begin{{tabular}}{{{aligned}}}"
        end = [r"\bottomrule", r"\end{tabular}", ""]
        return "\n".join([begin, r"\toprule", head, r"\midrule", *body, *end])


def _escaped(text: str) -> str:
    return "--" if text == "-" else re.sub(r"([&%$#_{}])", r"\\\1", text)
