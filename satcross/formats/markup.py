"""Texts with marks of HTML or .xd, and the plain text that satcross keeps of them."""

from __future__ import annotations

import html
import html.entities
import re
from typing import TYPE_CHECKING

from satcross.crossword import ITALIC, UPRIGHT
from satcross.formats.files import Text
from satcross.formats.signs import without_comments

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_BREAKS = "br p div li tr h1 h2 h3 h4 h5 h6 ul ol dl dt dd hr table blockquote center section"
_OTHERS = (
    "a abbr b bdi bdo big body caption cite code col colgroup del dfn em font footer head header "
    "html i iframe img ins kbd label mark nobr p pre q rb rp rt rtc ruby s samp small span strike "
    "strong sub sup svg tbody td tfoot th thead time tt u var wbr"
)
_TAG = re.compile(r"</?([a-z][a-z0-9]*)(?:[\s/][^<>]*)?>", re.IGNORECASE)
_SCRIPT = re.compile(r"<(script|style)\b.*?(</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_BREAK_NAMES, _TAG_NAMES = frozenset(_BREAKS.split()), frozenset(f"{_BREAKS} {_OTHERS}".split())
_ITALIC_NAMES = ("i", "em", "cite")
_BLANKS = re.compile(r"(?<![ \t])[ \t]*+\n[ \t\n]*+")
_PAIRED = re.compile(r"<(i|b|u|em|strong|sub|sup|span|font|a)\b[^<>]*>(?=.*</\1>)", re.I | re.S)
_BLANK = re.compile(r"&(?:nbsp|#0*160|#x0*a0);?", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:amp|quot|lt|gt|nbsp|apos|[lr][sd]quo|[mn]dash|hellip|#\d+|[a-z]+acute);")
_XD = re.compile(r"\{([*_~^-])([^{}]*)\1\}")
_XD_ITALICS = re.compile(r"\{/([^{}]*)/\}")
_XD_EXTRA = re.compile(r"\{(@|!!?|#)\s*([^{}]*?)\s*\1\}")
_ANY_ENTITY = re.compile(r"&(?:(\w+);|(?!#\w+;))", re.ASCII)
_OPEN_BREAK = re.compile(r"<br\s*>(?!\s*</br>)", re.IGNORECASE)
_PROLOGUE = re.compile(r"^\s*<\?xml[^>]*\?>|<!DOCTYPE[^\[<>]*>", re.IGNORECASE)
_XML_ENTITIES = ("amp", "lt", "gt", "quot", "apos")


def parse_xml(source: Text, remedy: str) -> Element:
    """Return the root of an XML text, with tags without namespaces.

    Raises InputError, with ``remedy``, for a text that is not XML, or has a document type.
    """
    from xml.etree import ElementTree

    # What HTML has and XML has not is made right.
    text = _OPEN_BREAK.sub("<br/>", _ANY_ENTITY.sub(_resolved, _PROLOGUE.sub("", source.text)))
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise source.error("has a document type", remedy)
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        problem = f"is not XML ({error.msg.partition(':')[0]})"
        raise source.error(problem, remedy, error.position[0]) from None
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return root


def element_text(element: Element, *, italics: bool = False) -> str:
    """Return the plain text of an element that may contain HTML, as elements or escaped."""
    for inner in element.iter():
        if inner is element:
            continue
        if inner.tag.lower() in ("br", "p", "div", "li"):
            inner.tail = "\n" + (inner.tail or "").lstrip(" \n")
        elif italics and inner.tag.lower() in _ITALIC_NAMES:
            inner.text = f"{ITALIC}{inner.text or ''}"
            inner.tail = f"{UPRIGHT}{inner.tail or ''}"
    return unmarked("".join(element.itertext()), italics=italics).strip()


def _resolved(match: re.Match[str]) -> str:
    """Return the character of an HTML entity, which XML does not know, or a lone & escaped."""
    if match[1] in _XML_ENTITIES:
        return match[0]
    found = html.entities.html5.get(f"{match[1]};") if match[1] else None
    return (found or f"&amp;{match[0][1:]}").replace("\xa0", " ")


def plain_text(markup: str, *, italics: bool = False) -> str:
    """Return the text of HTML: without elements, which may end a line, and entities.

    With ``italics``, these are marked, for ``Clue``. What merely looks like a tag, such as
    ``<blank>``, is kept.
    """

    def replaced(tag: re.Match[str]) -> str:
        name = tag[1].lower()
        if name not in _TAG_NAMES:
            return tag[0]
        if italics and name in _ITALIC_NAMES:
            return UPRIGHT if tag[0].startswith("</") else ITALIC
        return "\n" if name in _BREAK_NAMES else ""

    if "<" not in markup and "&" not in markup:
        return markup
    markup = _SCRIPT.sub(lambda found: "" if found[2] else found[0], without_comments(markup))
    text = _TAG.sub(replaced, markup)
    text = text if text == markup else _single_breaks(text, markup)
    return html.unescape(_BLANK.sub(" ", text))


def _single_breaks(text: str, markup: str) -> str:
    """Return the text without the blank lines that blocks within blocks make.

    Texts whose only blocks are line breaks keep their blank lines.
    """
    names = {match[1].lower() for match in _TAG.finditer(markup)} & _BREAK_NAMES
    return text.replace("</br>", "") if names <= {"br"} else _BLANKS.sub("\n", text).strip()


def unmarked(text: str, *, italics: bool = False) -> str:
    """Return a text of a format without HTML that has HTML all the same, as ``plain_text`` does."""
    found = _PAIRED.search(text) or re.search(r"<br\s*/?>", text, re.I) or _ENTITY.search(text)
    return plain_text(text, italics=italics) if found else text


def with_italics(text: str, before: str = "<i>", after: str = "</i>") -> str:
    """Return what a file is to hold, with a format's marks in place of those of ``Clue``."""
    return text.replace(ITALIC, before).replace(UPRIGHT, after)


def plain_xd(text: str) -> str:
    """Return a clue of an .xd file without marks such as ``{@ link | address @}``.

    ``{/italics/}`` are marked for ``Clue``.
    """
    for _ in range(text.count("{")):
        shorter = _XD_ITALICS.sub(rf"{ITALIC}\1{UPRIGHT}", text)
        shorter = _XD.sub(r"\2", _XD_EXTRA.sub(_xd_extra, shorter))
        if shorter == text:
            break
        text = shorter
    return text


def _xd_extra(match: re.Match[str]) -> str:
    parts = [part.strip() for part in match[2].split("|")]
    return parts[1] if match[1].startswith("!") and len(parts) > 1 else parts[0]
