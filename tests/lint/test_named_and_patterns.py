"""Cheap replacements of `typing.NamedTuple` and `re.compile` behave like the originals."""

from __future__ import annotations

import pickle
import re
import typing

import pytest

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern


class Point(NamedTuple):
    """A point."""

    x: int
    y: int = 2

    @property
    def sum(self) -> int:
        """Both together."""
        return self.x + self.y


class Plain(typing.NamedTuple):
    """A point."""

    x: int
    y: int = 2


def test_fields_match_typing() -> None:
    assert (Point(1), Point(x=3, y=4)) == ((1, 2), (3, 4))
    assert Point(1).sum == 3
    assert (Point._fields, Point._field_defaults) == (Plain._fields, Plain._field_defaults)
    assert (Point.__name__, Point.__qualname__, Point.__module__) == ("Point", "Point", __name__)
    assert Point.__doc__ == Plain.__doc__
    assert typing.get_type_hints(Point) == typing.get_type_hints(Plain)
    assert repr(Point(1)) == "Point(x=1, y=2)"
    assert Point(1)._replace(y=5)._asdict() == {"x": 1, "y": 5}


def test_wrong_arguments_are_errors() -> None:
    make: typing.Any = Point
    for given, named in (((), {}), ((1, 2, 3), {}), ((1,), {"z": 3})):
        with pytest.raises(TypeError):
            make(*given, **named)
    with pytest.raises(TypeError):
        make._make((1,))
    with pytest.raises(ValueError, match="z"):
        make(1)._replace(z=3)


def test_a_class_without_fields_has_one_value() -> None:
    class Nothing(NamedTuple):
        """No fields."""

    assert Nothing() == ()
    assert repr(Nothing()).endswith("Nothing()")


def test_subclass_has_the_fields() -> None:
    class Start(Point):
        """The first instance of a class is one of a class below it."""

        __slots__ = ()

    assert (Start(5).sum, type(Start(5)), repr(Start(5))) == (7, Start, "Start(x=5, y=2)")


def test_it_travels_between_processes() -> None:
    found = pickle.loads(pickle.dumps(Point(1)))
    assert (found, type(found)) == ((1, 2), Point)


def test_a_field_without_a_default_behind_one_is_an_error() -> None:
    with pytest.raises(TypeError):

        class _Wrong(NamedTuple):
            x: int = 1
            y: int  # type: ignore[misc]


def test_a_pattern_is_compiled_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []

    def compile_(text: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(text)
        return re.compile(text, flags)

    monkeypatch.setattr("regpress_lint.core.bytecode.re", typing.cast("typing.Any", _Re(compile_)))
    word = pattern(r"\bk\w+", re.IGNORECASE)
    assert not compiled
    assert word.findall("a Kernel, kept") == ["Kernel", "kept"]
    assert word.findall("none") == []
    assert compiled == [r"\bk\w+"]


class _Re:
    def __init__(self, compile_: object) -> None:
        self.compile = compile_
