"""Which definition a name with arguments means: an explicit specialisation, or the template itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.lexical import split_template_arguments
from regpress_lint.cpp.names.qualified import split_owner
from regpress_lint.cpp.types import builtin_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from regpress_lint.cpp.names.definition_nodes import FunctionNode, RecordNode
    from regpress_lint.cpp.names.parsed_file import Unit


def arguments_in(written: str) -> tuple[str, ...]:
    """Template arguments of a name as it is written: of `ns::Traits<float, 4>` the two."""
    _, bracket, rest = written.partition("<")
    return split_template_arguments(rest[: rest.rfind(">") + 1]) if bracket else ()


def same_arguments(one: Sequence[str], other: Sequence[str]) -> bool:
    """True if two argument lists mean the same, as far as their texts tell: `unsigned` and `unsigned int` do."""
    return len(one) == len(other) and all(_plain(a) == _plain(b) for a, b in zip(one, other, strict=True))


def _plain(text: str) -> object:
    known = builtin_type(text)
    return known._replace(name="") if known is not None else "".join(text.split()).rpartition("::")[2]


def record_named(unit: Unit, base: str, written: str) -> RecordNode | None:
    """The class of a file that `written` means, `base` without its arguments: the explicit specialisation for them."""
    arguments = arguments_in(written)
    for record in unit.specialised.get(base, ()) if arguments else ():
        name = record.node.child_by_field_name("name")
        if name is not None and same_arguments(arguments_in(unit.text(name)), arguments):
            return record
    return unit.records.get(base)


def for_class(functions: Iterable[FunctionNode], written: str) -> list[FunctionNode]:
    """Member functions of one class, those of the specialisation that `written` means first, of others last."""
    arguments = arguments_in(written)

    def rank(function: FunctionNode) -> int:
        own = arguments_in(function.record or split_owner(function.qualified)[0])
        if not function.record and function.template is not None:  # `template <class T> void Foo<T>::run()`
            own = own if not function.template.child_by_field_name("parameters") else ()
        return 1 if not own else 0 if same_arguments(own, arguments) else 2

    return sorted(functions, key=rank)


def explicit_arguments(function: FunctionNode) -> tuple[str, ...]:
    """Arguments of an explicit specialisation of a function template, `template <> float largest<float>()`."""
    last = split_owner(function.qualified)[1]
    return arguments_in(last) if not last.startswith("operator") else ()


def for_arguments(functions: Iterable[FunctionNode], arguments: Sequence[str]) -> FunctionNode | None:
    """The explicit specialisation for these arguments."""
    found = (
        function for function in functions if (own := explicit_arguments(function)) and same_arguments(own, arguments)
    )
    return next(found, None)
