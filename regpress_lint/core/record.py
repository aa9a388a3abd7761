"""`@dataclass(frozen=True, kw_only=True, slots=True)` for classes that are created whenever the program starts.

Importing `dataclasses` imports `inspect` and `ast`, and a dataclass compiles its methods: more time than the rest of
the start. Here the methods are shared, and the attributes that `dataclasses.fields`, `replace`, `asdict` and
`inspect.signature` read come from a real dataclass, created when one of them is first read.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass, replace as replace
    from typing import Any

    def by_name(instance: object) -> dict[str, Any]:
        """Values of the fields by name; records among them stay records."""
        return {**vars(instance)}

    def values(instance: object) -> tuple[Any, ...]:
        """Values of the fields in order; records among them stay records."""
        return (*by_name(instance).values(),)

else:

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
        return type(cls.__name__, (_Record,), body | {name: _Late() for name in _LATE})

    def replace(instance, /, **changes):
        """A copy with other values of some fields, as `dataclasses.replace`."""
        return type(instance)(**(by_name(instance) | changes))

    def by_name(instance):
        """Values of the fields by name; records among them stay records."""
        return {field: getattr(instance, field) for field in instance._fields}

    def values(instance):
        """Values of the fields in order; records among them stay records."""
        return tuple(getattr(instance, field) for field in instance._fields)

    class _Record:
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
