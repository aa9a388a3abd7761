"""Sizes and members of classes, structs and unions that a file or its headers declare."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.constants import array_elements
from regpress_lint.frontend.heads import base_names, template_parameters
from regpress_lint.frontend.lowering.declarations import lower_declaration
from regpress_lint.syntax import Type, Variable
from regpress_lint.types import pointer_to

if TYPE_CHECKING:
    from regpress_lint.frontend.unit import RecordNode, Unit
    from regpress_lint.frontend.view import View

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*$")


def _fields(view: View, unit: Unit, record: RecordNode) -> list[Variable]:
    """Data members of a record in order, static ones left out."""
    body = record.node.child_by_field_name("body")
    if body is None:
        return []
    ctx = view.context_for_text(unit, 0)
    result: list[Variable] = []
    for child in body.named_children:
        if child.type == "field_declaration" and any(
            declarator.type != "function_declarator" for declarator in child.children_by_field_name("declarator")
        ):
            result.extend(lower_declaration(ctx, child).variables)
    return [variable for variable in result if variable.storage not in ("static", "constexpr")]


def member_type(view: View, owner: str, member: str) -> Type | None:
    """Type of `owner::member`; an array member decays to a pointer. None if the record is not in view."""
    base = owner.rpartition("::")[2].partition("<")[0].strip()
    if not _IDENTIFIER.match(base):
        return None
    for unit in view.units_with(base, r"\b(?:struct|class|union)\b[^;{}()=]*\bNAME\b|\}\s*NAME\s*;"):
        _ = unit.aliases  # anonymous structs are named by their typedef
        if (record := unit.records.get(base)) is not None:
            for variable in _fields(view, unit, record):
                if variable.name == member:
                    return pointer_to(variable.type, len(variable.dims)) if variable.dims else variable.type
    return None


def record_type(view: View, unit: Unit, record: RecordNode, arguments: tuple[str, ...]) -> Type:
    """Type of a record with its size under natural alignment; size None if a member's is unknown."""
    name = record.name or "struct"
    parameters = template_parameters(unit, record.template, 0)
    bound = dict(zip((parameter.name for parameter in parameters), arguments, strict=False))
    is_union = record.node.type == "union_specifier"
    env = view.bound_environment(bound)
    total, alignment = 0, 1
    for variable in _fields(view, unit, record):
        size = variable.type.size
        if size is None and variable.type.name in bound:
            inner = view.type_of(bound[variable.type.name])
            size = inner.size if inner is not None else None
        count = array_elements(variable, env) if variable.dims else 1
        if size is None or count is None:
            return Type(name, None, struct=True)
        align = min(size, 16) if variable.type.lanes > 1 else min(size & -size or 1, 8)
        alignment = max(alignment, align)
        total = max(total, size * count) if is_union else -(-total // align) * align + size * count
    for base in base_names(unit, record.node):
        base_type = view.type_of(base)
        if base_type is None or base_type.size is None:
            return Type(name, None, struct=True)
        total += base_type.size
    return Type(name, max(1, -(-total // alignment) * alignment), struct=True)
