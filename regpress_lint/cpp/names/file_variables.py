"""Variables at file level that a kernel may name: `__constant__`, `__device__`, `__managed__`, `work_group_static`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lower.declarations import lower_file_variable
from regpress_lint.cpp.names.definition_nodes import walk_kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.cpp.lower.lowering_context import Context
    from regpress_lint.cpp.names.definition_nodes import FunctionNode
    from regpress_lint.cpp.names.parsed_file import Unit
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.syntax_tree import TemplateParameter, Variable

_WORDS = (b"__constant__", b"__device__", b"__managed__", b"work_group_static")
_NAME = pattern(r"[A-Za-z_]\w*")


def file_variables(scope: Scope, unit: Unit) -> Mapping[str, Variable]:
    """Variables in device memory by name that a file of a view sees: its own, the view's, those of project headers.

    A constant with a value (`__device__ const int N = 4`) stays a mere name: it is looked up by that. So does a name
    whose definitions (branches of an `#if`) differ in type.
    """
    return scope.remember(("file variables", unit.source.path), partial(_variables, scope, unit))


def _variables(scope: Scope, unit: Unit) -> Mapping[str, Variable]:
    # What the file itself sees comes first, so that its kernels and a header's functions name the same object.
    result = {} if unit.source.path == scope.unit.source.path else dict(file_variables(scope, scope.unit))
    for owner in _units(scope, unit):
        result = {**_of_unit(owner, scope.context_for_text(owner, 0)), **result}
    return result


def _units(scope: Scope, unit: Unit) -> Iterator[Unit]:
    yield unit
    for header, names in scope.headers.device_names():
        if header != unit.source.path and not unit.words.isdisjoint(names):
            found = scope.project.unit(header)
            if found is not None:
                yield found


def _of_unit(unit: Unit, ctx: Context) -> dict[str, Variable]:
    if not any(word in unit.source.data for word in _WORDS):
        return {}
    found: dict[str, list[Variable]] = {}
    declared: dict[str, list[Variable]] = {}
    for node, template in walk_kind(unit.parses[0].tree.root_node, ("declaration",)):
        if template is not None:
            continue
        extern = any(child.type == "storage_class_specifier" and ctx.text(child) == "extern" for child in node.children)
        for variable in lower_file_variable(ctx, node):
            (declared if extern else found).setdefault(variable.name, []).append(variable)
    found = {**declared, **found}
    return {
        name: several[0]
        for name, several in found.items()
        if name not in unit.constants and len({(one.type, len(one.dims)) for one in several}) == 1
    }


def visible_in(
    variables: Mapping[str, Variable], unit: Unit, function: FunctionNode, template: tuple[TemplateParameter, ...]
) -> Mapping[str, Variable]:
    """Those that neither a template parameter nor a member of the class around a function hides."""
    if not variables:
        return variables
    hidden = {parameter.name for parameter in template}
    record = unit.records.get(function.record)
    if record is not None:
        for field, _ in walk_kind(record.node, ("field_declaration",)):
            for declarator in field.children_by_field_name("declarator"):
                hidden.update(_NAME.findall(unit.text(declarator)))
    return {name: one for name, one in variables.items() if name not in hidden} if hidden else variables
