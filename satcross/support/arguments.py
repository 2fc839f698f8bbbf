"""Checks of arguments, and representations of values, for use from a Python prompt."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import MISSING, fields
from typing import Any


def check_type(value: object, kind: type, subject: str, remedy: str) -> None:
    """Raise TypeError, in a sentence, unless ``value`` is of that type."""
    if not isinstance(value, kind):
        raise TypeError(f"{subject} is {_kind_of(value)}; {remedy}")


def check_texts(values: object, subject: str) -> None:
    """Raise TypeError for a single text in place of several, and for values that are no texts."""
    if isinstance(values, str):
        raise TypeError(f"{subject} are one text; give a list of texts, such as [{values!r}]")
    if isinstance(values, Collection):
        check_each(values, str, subject, "texts")


def check_each(values: Collection[object], kind: type, subject: str, kinds: str) -> None:
    """Raise TypeError, in a sentence that names the first other value, unless all are of a type."""
    if set(map(type, values)) <= {kind}:  # half a million words in some milliseconds
        return
    wrong = next((value for value in values if not isinstance(value, kind)), None)
    if wrong is not None or None in values:
        raise TypeError(f"{subject} are {kinds}, but {wrong!r} is {_kind_of(wrong)}")


def _kind_of(value: object) -> str:
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


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
