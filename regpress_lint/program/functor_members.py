"""Data members of a functor that is a kernel: they are its arguments, like the captures of a lambda."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lower.spelled_types import lower_type_text
from regpress_lint.cpp.names.classes import substituted
from regpress_lint.cpp.names.layer_types import assumed_view
from regpress_lint.cpp.names.records import data_members
from regpress_lint.cpp.syntax_tree import Constant, Storage, Variable
from regpress_lint.cpp.types import pointer_to
from regpress_lint.program.local_memory import RANKS, local_accessors, template_parts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from regpress_lint.cpp.names.definition_nodes import FunctionNode
    from regpress_lint.cpp.names.host_values import HostValues

_ACCESSOR = pattern(r"(?:\w+::)*(local_accessor|accessor)\s*<(.*)>$")
_READS = pattern(r"\baccess(?:_mode|::mode)::read\b")
_LOCAL = pattern(r"\btarget::local\b")


def functor_members(
    values: HostValues, owner: FunctionNode, call: Node | None, bound: Mapping[str, str]
) -> dict[str, Variable]:
    """The members that a functor's `operator()` may name. Its launch copies them to where arguments are.

    bound: arguments of its class template. Arrays and members of unknown size stay members.
    """
    record = values.unit.records.get(owner.record) if owner.record else None
    if record is None:
        return {}
    scope, found = values.scope, {}
    ctx = scope.context_for_text(values.unit, 0, bound)
    for member in data_members(scope, values.unit, record, bound):
        type_, dims = member.type, member.dims
        storage: Storage = "capture"
        if type_.size is None and (match := _ACCESSOR.fullmatch(" ".join(type_.name.split()))) is not None:
            parts = template_parts(match[2])
            rank = parts[1].strip() if len(parts) > 1 else "1"
            element = lower_type_text(ctx, parts[0]) if parts else type_
            if element.size is None or rank not in RANKS:
                continue
            if match[1] == "local_accessor" or _LOCAL.search(match[2]):
                type_, storage, dims = (
                    element,
                    "shared",
                    _extents(values, member, substituted(parts[0], bound), int(rank), call),
                )
            elif rank == "1":
                type_ = pointer_to(element._replace(const=element.const or _READS.search(match[2]) is not None))
        elif dims:
            continue
        type_ = assumed_view(values.unit.source.data, member.name, type_) or type_
        if type_.pointers or type_.size:
            found[member.name] = Variable(member.name, type_, member.span, member.declaration, storage, dims)
    return found


def _extents(
    values: HostValues, member: Variable, element: str, rank: int, call: Node | None
) -> tuple[Constant | None, ...]:
    """The extents of the local accessor that a functor's constructor receives: of the only one of that type in the
    group."""
    known = [
        each.extents
        for each in (local_accessors(values, call) if call is not None else ())
        if each.element.strip() == element.strip() and len(each.extents) == rank
    ]
    if len(known) != 1:
        return (None,) * rank
    return tuple(Constant(member.span, extent, "int") if extent else None for extent in known[0])
