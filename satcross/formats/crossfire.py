"""The .cfp format of CrossFire: XML with the grid as text and clues with numbers."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from satcross.formats.common import ImportedCrossword, check_size, excerpt
from satcross.formats.draft import Draft, reading
from satcross.formats.files import Text
from satcross.formats.markup import element_text, parse_xml
from satcross.formats.placing import FoundClue

_REMEDY = "save it again in CrossFire"
_TEXTS = {"TITLE": "title", "AUTHOR": "author", "COPYRIGHT": "copyright", "NOTES": "notes"}
_BLOCK, _EMPTY = ".", "- ?"


def parse_crossword(source: Text) -> ImportedCrossword:
    """Parse a CrossFire crossword. Raises InputError for a text that is not one."""
    with reading(source, _REMEDY) as draft:
        return _from_root(parse_xml(source, _REMEDY), draft)


def _from_root(root: Element, draft: Draft) -> ImportedCrossword:
    elements = {element.tag: element for element in root}
    grid = elements.pop("GRID", None)
    if grid is None or not (grid.text or "").strip():
        raise ValueError("is no crossword: it has no GRID")
    cells = elements.pop("REBUSES", ())
    rebus = {cell.get("input", ""): cell.get("letters", "").upper() for cell in cells}
    lines = (grid.text or "").strip("\r\n").splitlines()
    if len(set(map(len, lines))) > 1:  # indented, for instance
        lines = (grid.text or "").split()
    check_size(draft.name, len(lines), max(map(len, lines)))
    for line in lines:
        draft.add_row(line, _BLOCK, _EMPTY, rebus)
    draft.compare_size({"width": grid.get("width"), "height": grid.get("height")})
    for number in _text(elements.pop("CIRCLES", None)).replace(",", " ").split():
        if not number.isdigit() or int(number) >= len(lines) * len(lines[0]):
            raise ValueError(f"a circle is at {excerpt(number)}, which is no cell")
        draft.decorate("circled", divmod(int(number), len(lines[0])))
    for word in elements.pop("WORDS", ()):
        fields = {k: v for k, v in word.attrib.items() if k not in ("id", "isTheme")}
        group, label = fields.pop("dir", ""), fields.pop("num", "")
        draft.clues.append(FoundClue(_text(word, italics=True), label, group))
        draft.leave(fields, "WORD")
    for tag, key in _TEXTS.items():
        draft.texts[key] = _text(elements.pop(tag, None))
    elements.pop("VERSION", None)
    draft.leave({tag: bool(_text(element) or len(element)) for tag, element in elements.items()})
    return draft.finish()


def _text(element: Element | None, *, italics: bool = False) -> str:
    return "" if element is None else element_text(element, italics=italics)
