"""`NamedTuple` as typing has it, for classes that are made whenever the program starts.

typing compiles each annotation to see whether it is one: for 150 classes a tenth of the time that one small file takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple

    _NOT_KEPT = frozenset(("__module__", "__qualname__", "__annotations__", "__classcell__"))

    class _Maker(type):
        """Makes a subclass of tuple of a class statement: annotated names are its fields, the rest is kept."""

        def __new__(cls, name, bases, body):
            fields = body.get("__annotations__", {})
            given = [field for field in fields if field in body]
            if given != [*fields][len(fields) - len(given) :]:
                raise TypeError(f"{name}: a field without a default stands behind one that has one")
            made = namedtuple(name, fields, defaults=[body[field] for field in given], module=body["__module__"])
            made.__qualname__ = body["__qualname__"]
            made.__annotations__ = fields
            for key, value in body.items():
                if key not in fields and key not in _NOT_KEPT:
                    setattr(made, key, value)
            return made

    NamedTuple = type.__new__(_Maker, "NamedTuple", (), {"__doc__": "A base class, see `typing.NamedTuple`."})
