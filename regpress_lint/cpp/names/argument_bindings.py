"""Arguments that instantiations of a template have: what several agree on, how they are shown, which are large."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.names.template_arguments import LAMBDA

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from regpress_lint.cpp.names.scope import Scope


def agreed_on(found: Iterable[Mapping[str, str]]) -> Mapping[str, str]:
    """Bindings that several instantiations agree on."""
    first, *others = found
    return {name: text for name, text in first.items() if all(other.get(name) == text for other in others)}


def shown_argument(text: str, scope: Scope) -> str:
    """An argument for a reader: a lambda by its line."""
    if not text.startswith(LAMBDA):
        return text
    from regpress_lint.cpp.names.lambdas import shown

    return shown(text, scope)


def weight(scope: Scope, arguments: Mapping[str, str]) -> float:
    """How large an instantiation is likely to be: sizes of types and values, multiplied."""
    result = 1.0
    for text in arguments.values():
        type_ = scope.type_of(text) if not text[:1].isdigit() else None
        size = type_.size if type_ is not None else scope.value_of_text(text)
        result *= size if size is not None and size > 1 else 1
    return result
