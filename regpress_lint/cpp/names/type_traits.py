"""Traits of `<type_traits>`: types and values that the standard library derives from types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lower.declared_types import lower_type_text
from regpress_lint.cpp.names.definition_nodes import arguments_in
from regpress_lint.cpp.syntax_tree import Type
from regpress_lint.cpp.types import dereference
from regpress_lint.cpp.typing_rules import common_type, is_same

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from regpress_lint.cpp.names.scope import Scope

# `std::remove_const_t<T>`, `typename std::remove_const<T>::type`, `is_same_v<T, U>` under a using-directive.
_FORM = pattern(
    r"(?:typename\s+)?(?P<space>(?:\w+\s*::\s*)*)(?P<name>[a-z_]+)\s*<.*>\s*(?P<member>::\s*(?:type|value))?"
)
# `typename std::vector<T>::value_type`: what an object of the library is made of.
_ELEMENT = pattern(
    r"(?:typename\s+)?(?P<space>(?:\w+\s*::\s*)*)"
    r"(?:vector|array|span|deque|list|valarray|initializer_list|complex|optional|atomic|unique_ptr|shared_ptr"
    r"|device_vector|host_vector|device_ptr)\s*<.*>\s*::\s*(?:value_type|element_type)"
)
_SPACES = frozenset(("", "std", "cuda::std", "thrust", "thrust::detail"))
_SAME = frozenset(("type_identity", "remove_cv", "remove_const", "remove_volatile", "make_signed", "make_unsigned"))
_BARE = frozenset(("remove_reference", "remove_cvref", "decay"))


def trait_type(scope: Scope, text: str) -> Type | None:
    """The type that a trait names: `std::conditional_t<sizeof(T) == 4, int, long>`; None for anything else, and where
    its condition is not known.
    """
    if (element := _ELEMENT.fullmatch(text)) is not None:
        return _type(scope, arguments_in(text[: text.rfind(">") + 1])[0]) if _is_library(element["space"]) else None
    name, arguments = _trait(text, "_t", "type")
    if name == "remove_pointer" and len(arguments) == 1:
        pointer = lower_type_text(scope.context_for_text(scope.parsed, 0), arguments[0])
        return dereference(pointer) if pointer.pointers else _type(scope, arguments[0])
    if name == "tuple_element" and len(arguments) == 2:
        place, elements = scope.value_of_text(arguments[0]), arguments_in(arguments[1])
        inside = isinstance(place, int) and 0 <= place < len(elements)
        return _type(scope, elements[int(place or 0)]) if inside else None
    if name == "conditional" and len(arguments) == 3:
        condition = scope.value_of_text(arguments[0])
        return None if condition is None else _type(scope, arguments[1 if condition else 2])
    if name == "enable_if" and len(arguments) == 2:
        return _type(scope, arguments[1])
    if name == "common_type" and len(arguments) == 2:
        return common_type(*(_type(scope, argument) for argument in arguments))
    plain = _type(scope, arguments[0]) if name in _SAME | _BARE and len(arguments) == 1 else None
    if plain is None:
        return None
    if name in _BARE:
        return plain._replace(reference=False)
    return plain._replace(signed=name == "make_signed") if name.startswith("make_") else plain


_VOID = Type("void", 0)


def trait_value(scope: Scope, text: str) -> int | None:
    """The value of a trait: `std::is_same_v<T, float>`; None for anything else, and for types that are not known."""
    name, arguments = _concept(text) or _trait(text, "_v", "value")
    if name in _OF_ARRAYS and arguments:
        return _of_array(scope, name, arguments)
    types = [_VOID if argument.strip() == "void" else _type(scope, argument) for argument in arguments]
    settled = [type_ for type_ in types if type_ is not None]
    if len(settled) != len(types) or not settled:
        return None
    if name == "is_same" and len(settled) == 2:
        return _are_same(*settled)
    test = _TESTS.get(name)
    return test(settled[0]) if test is not None and len(settled) == 1 else None


_OF_ARRAYS = frozenset(("extent", "rank", "is_array", "tuple_size"))


def _of_array(scope: Scope, name: str, arguments: tuple[str, ...]) -> int | None:
    """The extents of an array that an alias or an argument of a template names."""
    if name == "tuple_size":
        array_arguments = arguments_in(arguments[0])
        of_array = arguments[0].partition("<")[0].rpartition("::")[2].strip() == "array" and len(array_arguments) == 2
        number = scope.value_of_text(array_arguments[1]) if of_array else None
        return int(number) if number is not None else None
    type_ = _type(scope, arguments[0])
    if type_ is None:
        return None
    if name != "extent":
        return len(type_.extents) if name == "rank" else int(bool(type_.extents))
    at = scope.value_of_text(arguments[1]) if len(arguments) > 1 else 0
    return type_.extents[int(at)] if at is not None and at < len(type_.extents) else 0


_CONCEPTS = {
    "std::floating_point": "is_floating_point",
    "std::integral": "is_integral",
    "std::signed_integral": "is_signed",
    "std::unsigned_integral": "is_unsigned",
    "std::same_as": "is_same",
}


def _concept(text: str) -> tuple[str, tuple[str, ...]] | None:
    """The trait that a concept of the standard library requires, with its arguments."""
    name = _CONCEPTS.get(text.partition("<")[0].strip())
    return (name, arguments_in(text)) if name is not None else None


def _trait(text: str, suffix: str, member: str) -> tuple[str, tuple[str, ...]]:
    """The plain name of a trait and its arguments; nothing if the text is none."""
    match = _FORM.fullmatch(text)
    if match is None or not _is_library(match["space"]):
        return "", ()
    name, asked = match["name"], (match["member"] or "").lstrip(": ")
    if asked != (member if not name.endswith(suffix) else ""):
        return "", ()
    return name.removesuffix(suffix), arguments_in(text[: text.rfind(">") + 1])


def _is_library(space: str) -> bool:
    return "".join(space.split()).removesuffix("::") in _SPACES


def _type(scope: Scope, text: str) -> Type | None:
    type_ = lower_type_text(scope.context_for_text(scope.parsed, 0), text)
    return type_ if type_.size is not None else None


def _are_same(type_: Type, other: Type) -> bool | None:
    """None for two instances of one template, whose arguments may be spelled in several ways."""
    if bool(type_.pointers) or bool(other.pointers) or not is_same(type_, other):
        return type_.pointers == other.pointers and type_.name == other.name
    return True if not type_.struct or type_.name == other.name else None


def _is_number(type_: Type) -> bool:
    return not type_.pointers and not type_.struct and type_.lanes == 1 and not type_.extents


_TESTS: Mapping[str, Callable[[Type], bool]] = {
    "is_floating_point": lambda type_: _is_number(type_) and type_.floating,
    "is_integral": lambda type_: _is_number(type_) and not type_.floating,
    "is_arithmetic": _is_number,
    "is_pointer": lambda type_: bool(type_.pointers),
    "is_signed": lambda type_: _is_number(type_) and (type_.floating or type_.signed),
    "is_unsigned": lambda type_: _is_number(type_) and not type_.floating and not type_.signed,
}
