"""Classes made by ``frozen`` behave as those made by ``dataclass(frozen=True, slots=True)``."""

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, replace
from typing import Any

import pytest

from satcross.support.frozen import frozen


def define(make: Any) -> Any:
    class Point:
        """A point."""

        x: int
        names: list[str] = field(default_factory=list, compare=False)
        secret: str = field(default="s", repr=False)
        double: int = field(init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "double", 2 * self.x)

    Point.__qualname__ = "Point"
    return make(Point)


MADE, USUAL = define(frozen), define(dataclass(frozen=True, slots=True))
Point = MADE  # where pickle finds it


def test_a_class_is_the_same_as_by_dataclass() -> None:
    def seen(cls: Any) -> list[object]:
        point = cls(1, names=["a"])
        other = replace(point, x=2)
        return [
            repr(point),
            asdict(other),
            point == cls(1),
            point == other,
            point == 1,
            hash(point) == hash(cls(1)),
            cls(1).names is cls(1).names,
            str(inspect.signature(cls)),
            cls.__match_args__,
            hasattr(point, "__dict__"),
        ]

    assert seen(MADE) == seen(USUAL)


def test_objects_are_frozen_and_can_be_copied() -> None:
    point = MADE(1, ["a"])
    with pytest.raises(FrozenInstanceError):
        point.x = 2
    with pytest.raises(FrozenInstanceError):
        del point.x
    for again in (copy.deepcopy(point), pickle.loads(pickle.dumps(point))):
        assert asdict(again) == asdict(point)


def test_what_a_class_or_a_base_defines_is_kept() -> None:
    class Named:
        def __repr__(self) -> str:
            return "named"

    @frozen
    class Same(Named):
        x: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Same)

    @frozen
    class Wider(Same):
        y: int = 3

    @dataclass(frozen=True)
    class Loose(Wider):
        z: int = 4

    assert asdict(Loose(1)) == {"x": 1, "y": 3, "z": 4}
    assert repr(Same(1)) == repr(Wider(1)) == "named"
    assert Same(1) == Same(2)
    assert Wider(1, 2) != Wider(1) == Wider(1, 3)


def test_the_first_objects_are_made_as_the_later_ones() -> None:
    def made(cls: Any) -> list[object]:
        found: list[object] = []
        for arguments, named in (
            ((1,), {}),
            ((1, ["a"], "t"), {}),
            ((), {"secret": "t", "x": 1}),
            ((), {}),
            ((1, ["a"], "t", 4), {}),
            ((1,), {"x": 2}),
            ((1,), {"double": 3}),
        ):
            try:
                found.append(asdict(cls(*arguments, **named)))
            except TypeError as error:
                found.append(str(error).replace("_Factory", ""))
        return found

    fresh = define(frozen)
    first = made(fresh)
    assert first == made(fresh) == made(USUAL)
    for _ in range(1000):
        fresh(1)
    assert first == made(fresh)
