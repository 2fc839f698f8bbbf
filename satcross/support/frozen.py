"""Frozen dataclasses with slots, for modules that every run loads.

``dataclass`` compiles six methods for each class, which took a third of the CPU time of a tiny
grid. Here, ``__init__`` alone is compiled, for classes of which many objects are made; the other
methods are the same for all classes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import (
    MISSING,
    Field,
    FrozenInstanceError,
    dataclass,
    field,
    fields,
    is_dataclass,
    make_dataclass,
)
from functools import partial
from operator import attrgetter
from typing import Any, NoReturn, TypeVar, dataclass_transform

_Class = TypeVar("_Class")

_FEW_OBJECTS = 500
"""Objects of a class before ``__init__`` is compiled for it: that takes as long as it saves with
some 500 objects, and most classes have fewer in a run."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[_Class]) -> type[_Class]:
    """Make the class a dataclass as ``dataclass(frozen=True, slots=True)`` does, but faster.

    A ``__repr__`` of a base is kept. ``InitVar`` and ``kw_only`` are not supported.
    """
    own, is_derived = cls.__dict__, is_dataclass(cls)
    make = dataclass(init=False, repr=False, eq=False, frozen=is_derived, slots=True)
    # ``dataclass`` looks for these words in each type that is a text by a pattern, which is slow.
    types = cls.__annotations__
    cls.__annotations__ = {
        name: kind if "ClassVar" in str(kind) or "KW_ONLY" in str(kind) else object
        for name, kind in types.items()
    }
    made: Any = make(cls)
    made.__annotations__ = types
    items = fields(made)
    for item in items:
        item.type = types.get(item.name, item.type)
    made.__dataclass_params__.frozen = True  # for subclasses that ``dataclass`` makes
    made.__init__, (equal, hashed) = _LaterInit(made, items), _comparison(items)
    made.__setattr__, made.__delattr__ = _setattr, _delattr
    made.__getstate__, made.__setstate__ = _getstate, _setstate
    if "__eq__" not in own:
        made.__eq__ = equal
    if own.get("__hash__") is None:  # which a class with __eq__ has
        made.__hash__ = hashed
    if made.__repr__ is object.__repr__:
        made.__repr__ = _repr
    return made  # type: ignore[no-any-return]


class _LaterInit:
    """The ``__init__`` of a class before it is compiled; it then takes its own place."""

    def __init__(self, cls: Any, items: Sequence[Field[Any]]) -> None:
        self._cls, self._items, self._objects = cls, items, 0

    def __get__(self, instance: object, owner: type) -> Callable[..., None]:
        self._objects += 1
        if instance is not None and self._objects <= _FEW_OBJECTS:
            return partial(self._make, instance)
        return self._compiled(instance)

    def _compiled(self, instance: object) -> Callable[..., None]:
        self._cls.__init__ = init = _init(self._cls)
        return init if instance is None else partial(init, instance)

    def _make(self, instance: Any, /, *given: Any, **named: Any) -> None:
        """Set the fields of an object; arguments that are wrong are left to the compiled one."""
        at = used = 0
        for item in self._items:
            name = item.name
            if item.init and at < len(given):
                value, at = given[at], at + 1
            elif item.init and name in named:
                value, used = named[name], used + 1
            elif item.default_factory is not MISSING:
                value = item.default_factory()
            elif not item.init:
                continue
            elif item.default is MISSING:
                break
            else:
                value = item.default
            object.__setattr__(instance, name, value)
        else:
            if at == len(given) and used == len(named):
                if hasattr(instance, "__post_init__"):
                    instance.__post_init__()
                return
        self._compiled(instance)(*given, **named)


def _init(cls: Any) -> Callable[..., None]:
    """Return the ``__init__`` that ``dataclass`` compiles for a class of the same fields."""
    same = [
        (x.name, x.type, field(default=x.default, default_factory=x.default_factory, init=x.init))
        for x in fields(cls)
    ]
    own = {"__post_init__": None} if hasattr(cls, "__post_init__") else {}
    made = make_dataclass(cls.__name__, same, namespace=own, frozen=True, repr=False, eq=False)
    init: Callable[..., None] = vars(made)["__init__"]
    init.__qualname__, init.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    return init


def _comparison(items: Sequence[Field[Any]]) -> tuple[Callable[..., Any], ...]:
    """Return ``__eq__`` and ``__hash__``."""
    names = [item.name for item in items if item.compare]
    values = attrgetter(*names) if names else type

    def equal(self: object, other: object) -> object:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return self is other or values(self) == values(other)

    def hashed(self: object) -> int:
        return hash(values(self))

    return equal, hashed


def _setattr(self: object, name: str, value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(self: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, item.name) for item in fields(self)]


def _setstate(self: Any, state: Sequence[Any]) -> None:
    for item, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, item.name, value)


def _repr(self: Any) -> str:
    shown = [f"{item.name}={getattr(self, item.name)!r}" for item in fields(self) if item.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"
