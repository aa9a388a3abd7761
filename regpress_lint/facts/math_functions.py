"""Math functions that compilers inline, and whether a call of one is computed in 64 bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax_tree import Call, Member
from regpress_lint.cpp.typing_rules import expression_type
from regpress_lint.targets.library import TRANSCENDENTAL, named

if TYPE_CHECKING:
    from regpress_lint.cpp.environment import Environment
    from regpress_lint.cpp.syntax_tree import Type
    from regpress_lint.cpp.types import TypeLookup


_VALUES = named("transcendental", "light") - {"sincos"}  # that one stores its results


def is_plain_math(name: str) -> bool:
    """True for a math function of values: it reads and writes nothing else."""
    plain = name.lstrip("_").lower()
    return plain in _VALUES or plain.removesuffix("f") in _VALUES


def is_fp64_transcendental(call: Call, type_of: TypeLookup) -> bool:
    """True for a call of a transcendental function whose first argument is a double or an integer."""
    if isinstance(call.callee, Member) or call.name not in TRANSCENDENTAL or not call.args:
        return False
    return is_double(expression_type(call.args[0], type_of))


def is_double(type_: Type | None) -> bool:
    """True for a double, and for an integer, which a math function takes as one; False if unknown."""
    if type_ is None:
        return False
    whole = type_.size is not None and not type_.floating and type_.lanes == 1  # not a type that only a template knows
    return type_.double or (whole and not type_.pointers and not type_.struct)


_LARGEST_EXPONENT = 16  # six products at most; the twelfth power of Lennard and Jones takes four


def small_exponent(call: Call, environment: Environment) -> float | None:
    """The exponent of a power that products or a root can replace: an integer from -16 to 16, or 0.5; else None."""
    value = evaluate(call.args[1], environment) if len(call.args) == 2 else None
    if value is None:
        return None
    small = value == 0.5 or (abs(value) <= _LARGEST_EXPONENT and float(value).is_integer())
    return float(value) if small else None
