"""`NamedTuple` as typing has it, and `@dataclass(frozen=True, kw_only=True, slots=True)`, for classes that are made
whenever the program starts.

typing compiles each annotation to see whether it is one, and collections the `__new__` of each class: for 180 classes
a tenth of the time that one small file takes. Here a class gets its `__new__` with its first instance.

Importing `dataclasses` imports `inspect` and `ast`, and a dataclass compiles its methods: more time than the rest of
the start. Here the methods are shared, and the attributes that `dataclasses.fields`, `replace`, `asdict` and
`inspect.signature` read come from a real dataclass, created when one of them is first read.

A run in which nothing has changed does not import typing at all, a twentieth of its time: what its modules name of it
outside of annotations stands for nothing here, and only for who checks the types is it typing's own.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass, replace as replace
    from typing import (
        Any,
        Generic as Generic,
        Literal as Literal,
        NamedTuple as NamedTuple,
        Protocol as Protocol,
        TypeVar as TypeVar,
        cast as cast,
    )

    def by_name(instance: object) -> dict[str, Any]:
        """Values of the fields by name; records among them stay records."""
        return {**vars(instance)}

    def values(instance: object) -> tuple[Any, ...]:
        """Values of the fields in order; records among them stay records."""
        return (*by_name(instance).values(),)


if not TYPE_CHECKING:

    class Generic:
        """A base class that may be written with types: they change nothing."""

        __slots__ = ()

        def __class_getitem__(cls, types):
            return cls

    class Protocol:
        """A base class of types for annotations."""

    class Literal:
        """Values by their names alone."""

        def __class_getitem__(cls, values):
            return str

    def TypeVar(name, **bounds):  # noqa: N802 - as typing has it
        return name

    def cast(type_, value):
        return value

    from collections import _tuplegetter  # what namedtuple's fields are
    from functools import cache
    from types import FunctionType

    _new = tuple.__new__

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

    # `__new__` by the number of fields: giving its parameters other names takes a twentieth of compiling it.
    _SHAPES = (
        lambda _cls: _new(_cls, ()),
        lambda _cls, a: _new(_cls, (a,)),
        lambda _cls, a, b: _new(_cls, (a, b)),
        lambda _cls, a, b, c: _new(_cls, (a, b, c)),
        lambda _cls, a, b, c, d: _new(_cls, (a, b, c, d)),
        lambda _cls, a, b, c, d, e: _new(_cls, (a, b, c, d, e)),
        lambda _cls, a, b, c, d, e, f: _new(_cls, (a, b, c, d, e, f)),
        lambda _cls, a, b, c, d, e, f, g: _new(_cls, (a, b, c, d, e, f, g)),
        lambda _cls, a, b, c, d, e, f, g, h: _new(_cls, (a, b, c, d, e, f, g, h)),
    )

    def _shape(number):
        if number < len(_SHAPES):
            return _SHAPES[number].__code__
        names = "".join(f"_{index}, " for index in range(number))
        return eval(f"lambda _cls, {names}: _new(_cls, ({names}))").__code__

    def _first(cls, *args, **kwargs):
        """`__new__` of a class without an instance."""
        owner = next(each for each in cls.__mro__ if each.__dict__.get("__new__") is not None)
        code = _shape(len(owner._fields)).replace(co_varnames=("_cls", *owner._fields))
        names = {"_new": _new, "__builtins__": {}, "__name__": f"namedtuple_{owner.__name__}"}
        made = FunctionType(code, names, "__new__", tuple(owner._field_defaults.values()))
        made.__qualname__ = f"{owner.__qualname__}.__new__"
        owner.__new__ = made
        return made(cls, *args, **kwargs)

    class _Maker(type):
        """Makes a subclass of tuple of a class statement: annotated names are its fields, the rest is kept."""

        def __new__(cls, name, bases, body):
            fields = (*body.get("__annotations__", ()),)
            given = {field: body[field] for field in fields if field in body}
            if given and (*given,) != fields[len(fields) - len(given) :]:
                raise TypeError(f"{name}: field without a default follows one with a default")
            body.update(zip(fields, map(_getter, range(len(fields))), strict=True))
            body.update(__slots__=(), __new__=_first, __match_args__=fields, _fields=fields, _field_defaults=given)
            return type(name, (_Record,), body)

    @cache
    def _getter(index):
        return _tuplegetter(index, f"Field {index}")

    NamedTuple = type.__new__(_Maker, "NamedTuple", (), {"__doc__": "A base class, see `typing.NamedTuple`."})

    def dataclass(*, frozen, kw_only, slots):
        """Class decorator with the options of `dataclasses.dataclass`, all three of which must be true."""
        if not (frozen and kw_only and slots):
            raise TypeError("only frozen, keyword-only dataclasses with slots are supported")
        return _made

    def _made(cls):
        """The class again, with a slot for each annotated name."""
        fields = tuple(cls.__annotations__)
        dropped = {"__dict__", "__weakref__", *fields}
        body = {key: value for key, value in cls.__dict__.items() if key not in dropped}
        defaults = {field: cls.__dict__[field] for field in fields if field in cls.__dict__}
        body |= {"__slots__": fields, "__match_args__": (), "_fields": fields, "_defaults": defaults}
        body |= {"__qualname__": cls.__qualname__, "__annotations__": cls.__annotations__}
        return type(cls.__name__, (_DataRecord,), body | {name: _Late() for name in _LATE})

    def replace(instance, /, **changes):
        """A copy with other values of some fields, as `dataclasses.replace`."""
        return type(instance)(**(by_name(instance) | changes))

    def by_name(instance):
        """Values of the fields by name; records among them stay records."""
        return {field: getattr(instance, field) for field in instance._fields}

    def values(instance):
        """Values of the fields in order; records among them stay records."""
        return tuple(getattr(instance, field) for field in instance._fields)

    class _DataRecord:
        """The shared base; each class has `_fields` and `_defaults` of its own."""

        __slots__ = ()

        def __init__(self, /, **given):
            every = self._defaults | given
            if every.keys() != set(self._fields):
                raise TypeError(_misfit(self, every))
            for field, value in every.items():
                object.__setattr__(self, field, value)

        def __repr__(self):
            shown = ", ".join(f"{field}={value!r}" for field, value in by_name(self).items())
            return f"{type(self).__qualname__}({shown})"

        def __eq__(self, other):
            return values(self) == values(other) if type(self) is type(other) else NotImplemented

        def __hash__(self):
            return hash(values(self))

        def __setattr__(self, name, value):
            raise _frozen(f"cannot assign to field {name!r}")

        def __delattr__(self, name):
            raise _frozen(f"cannot delete field {name!r}")

        def __replace__(self, /, **changes):
            return replace(self, **changes)

        def __reduce__(self):
            return _remade, (type(self), by_name(self))

    def _misfit(instance, every):
        """The message for arguments that are unknown or missing."""
        name = f"{type(instance).__name__}.__init__()"
        if unknown := [key for key in every if key not in instance._fields]:
            return f"{name} got an unexpected keyword argument {unknown[0]!r}"
        missing = " and ".join(repr(field) for field in instance._fields if field not in every)
        return f"{name} is missing required keyword-only arguments: {missing}"

    def _frozen(message):
        from dataclasses import FrozenInstanceError

        return FrozenInstanceError(message)

    def _remade(cls, given):
        """An instance for pickle and copy."""
        return cls(**given)

    _LATE = ("__dataclass_fields__", "__dataclass_params__", "__signature__")

    class _Late:
        """An attribute that is read from the real dataclass."""

        __slots__ = ("name", "owner")

        def __set_name__(self, owner, name):
            self.name, self.owner = name, owner

        def __get__(self, instance, owner=None):
            real = _real(self.owner)
            if self.name != "__signature__":
                return getattr(real, self.name)
            from inspect import signature

            return signature(real)

    _reals = {}

    def _real(cls):
        """The dataclass of `dataclasses` with the same fields."""
        if cls not in _reals:
            from dataclasses import field, make_dataclass

            def as_field(name):
                if name not in cls._defaults:
                    return field()
                default = cls._defaults[name]
                return field(default=default) if default.__hash__ else field(default_factory=lambda: default)

            rows = [(name, cls.__annotations__[name], as_field(name)) for name in cls._fields]
            _reals[cls] = make_dataclass(cls.__name__, rows, frozen=True, kw_only=True, slots=True)
        return _reals[cls]
