"""`NamedTuple` as typing has it, for classes that are made whenever the program starts.

typing compiles each annotation to see whether it is one, and collections the `__new__` of each class: for 180 classes
a tenth of the time that one small file takes. Here `__new__` is compiled where a class has its first instance.

A run in which nothing has changed does not import typing at all, a twentieth of its time: what its modules name of it
outside of annotations stands for nothing here, and only for who checks the types is it typing's own.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import (
        Generic as Generic,
        Literal as Literal,
        NamedTuple as NamedTuple,
        Protocol as Protocol,
        TypeVar as TypeVar,
        cast as cast,
    )

if not TYPE_CHECKING:

    class Generic:
        """A base class that may be written with types: they change nothing."""

        __slots__ = ()

        def __class_getitem__(cls, types):
            return cls

    class Protocol:
        """A base class of what is only named in annotations."""

    class Literal:
        """Values by their names alone."""

        def __class_getitem__(cls, values):
            return str

    def TypeVar(name, **bounds):  # noqa: N802 - as typing has it
        return name

    def cast(type_, value):
        return value

    from collections import _tuplegetter  # what namedtuple's fields are

    _NOT_KEPT = frozenset(("__annotations__", "__classcell__"))

    class _Record(tuple):
        """Their shared base; each has `_fields` and `_field_defaults` of its own."""

        __slots__ = ()

        @classmethod
        def _make(cls, values):
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changes):
            made = tuple.__new__(self.__class__, map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"Got unexpected field names: {list(changes)!r}")
            return made

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            shown = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({shown})"

        def __getnewargs__(self):
            return tuple(self)

    def _first(cls, *args, **kwargs):
        """`__new__` of a class without an instance."""
        owner = next(each for each in cls.__mro__ if each.__dict__.get("__new__") is not None)
        names = ", ".join(owner._fields)
        code = f"lambda _cls, {names}: _new(_cls, ({names}{',' if names else ''}))"
        made = eval(code, {"_new": tuple.__new__, "__builtins__": {}, "__name__": f"namedtuple_{owner.__name__}"})
        made.__defaults__ = tuple(owner._field_defaults.values())
        made.__qualname__ = f"{owner.__qualname__}.__new__"
        owner.__new__ = made
        return made(cls, *args, **kwargs)

    class _Maker(type):
        """Makes a subclass of tuple of a class statement: annotated names are its fields, the rest is kept."""

        def __new__(cls, name, bases, body):
            fields = tuple(body.get("__annotations__", ()))
            given = {field: body[field] for field in fields if field in body}
            if tuple(given) != fields[len(fields) - len(given) :]:
                raise TypeError(f"{name}: field without a default follows one with a default")
            kept = {key: value for key, value in body.items() if key not in given and key not in _NOT_KEPT}
            kept |= {field: _tuplegetter(index, f"Field {index}") for index, field in enumerate(fields)}
            kept |= {"__slots__": (), "__new__": _first, "__match_args__": fields, "_fields": fields}
            made = type(name, (_Record,), {**kept, "_field_defaults": given})
            made.__annotations__ = body.get("__annotations__", {})
            return made

    NamedTuple = type.__new__(_Maker, "NamedTuple", (), {"__doc__": "A base class, see `typing.NamedTuple`."})
