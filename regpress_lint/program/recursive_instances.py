"""Host templates that instantiate themselves with other arguments, until an `if constexpr` ends it: `run<N / 2>(p)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.lexical import with_meanings
from regpress_lint.cpp.parse import nodes_around

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tree_sitter import Node

    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.names.host_values import HostValues

    Arguments = Mapping[str, str]

_MOST = 32  # instantiations that follow from each other


def with_own(
    values: HostValues,
    begun: Iterable[Arguments],
    places: Iterable[int],
    arguments_at: Callable[[int, Arguments], Arguments],
    value: Callable[[str], Number | None],
) -> tuple[Arguments, ...]:
    """Instantiations with those that their own bodies name at some places, as far as an `if constexpr` reaches them.

    arguments_at: those of the template at a place of its body, in one instantiation.
    """
    environments = list(begun)
    guarded = [(place, conditions) for place in places if (conditions := _conditions(values, place))]
    for environment in environments:
        for place, conditions in guarded:
            if len(environments) >= _MOST or not environment:
                break
            held = [value(with_meanings(text, environment)) for text, _ in conditions]
            if any(truth is None or bool(truth) != wanted for truth, (_, wanted) in zip(held, conditions, strict=True)):
                continue
            named = arguments_at(place, environment)
            if named and named not in environments:
                environments.append(named)
    return tuple(environments)


def _conditions(values: HostValues, place: int) -> list[tuple[str, bool]]:
    """The conditions of each `if constexpr` around a place, and whether they hold there."""
    result: list[tuple[str, bool]] = []
    nodes = nodes_around(values.root, place, place)
    for node in nodes:
        condition = node.child_by_field_name("condition") if node.type == "if_statement" else None
        if condition is None or not any(child.type == "constexpr" for child in node.children):
            continue
        text = values.parsed.text(condition, values.parse_index).strip()[1:-1]
        result.append((text, not _is_in(node.child_by_field_name("alternative"), place)))
    return result


def _is_in(node: Node | None, place: int) -> bool:
    return node is not None and node.start_byte <= place < node.end_byte
