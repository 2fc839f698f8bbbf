"""Checks of arguments, and representations of values, for use from a Python prompt."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any


def check_type(value: object, kind: type, subject: str, remedy: str) -> None:
    """Raise TypeError, in a sentence, unless ``value`` is of that type."""
    if not isinstance(value, kind):
        name = type(value).__name__
        raise TypeError(
            f"{subject} is {'an' if name[0].lower() in 'aeiou' else 'a'} {name}; {remedy}"
        )


def check_texts(values: object, subject: str) -> None:
    """Raise TypeError for a single text in place of several, which Python would take apart."""
    if isinstance(values, str):
        raise TypeError(f"{subject} are one text; give a list of texts, such as [{values!r}]")


def short_repr(value: Any) -> str:
    """Represent an instance of a dataclass by the fields that differ from their defaults."""
    shown = []
    for field in fields(value):
        content = getattr(value, field.name)
        missing = field.default is MISSING and field.default_factory is MISSING
        usual = field.default if field.default_factory is MISSING else field.default_factory()
        if field.repr and field.init and (missing or content != usual):
            shown.append(f"{field.name}={content!r}")
    return f"{type(value).__name__}({', '.join(shown)})"
