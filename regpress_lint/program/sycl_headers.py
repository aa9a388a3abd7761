"""SYCL kernels with body and launch in different files: a thin lambda calls a function of a header, or one that
another source file of the folder defines (`SYCL_EXTERNAL`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.language import detect_language
from regpress_lint.cpp.lower.identifiers import template_arguments
from regpress_lint.cpp.names.declarators import parameter_counts
from regpress_lint.cpp.names.definition_nodes import FunctionNode
from regpress_lint.cpp.names.name_index import FUNCTION
from regpress_lint.cpp.names.view import View
from regpress_lint.program.sycl_forms import thin_callee
from regpress_lint.program.sycl_macros import Placed, placed_entries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from regpress_lint.cpp.names.parsed_file import Unit
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.cpp.names.scope import Scope

_MOST_FILES = 32  # that include a header
_EXTERNAL = b"SYCL_EXTERNAL"


def has_its_own_file(scope: Scope, path: str) -> bool:
    """True for a kernel in another file of the sources, which sees from there who launches it."""
    here, project = scope.unit.source.path, scope.project
    if path == here or not project.is_source(path):
        return False
    data = project.read(path)
    if data is None or detect_language(path, data) != "sycl":
        return False
    return here in project.includers(path)[:_MOST_FILES] or (_EXTERNAL in data and here in project.beside(path))


def foreign_entries(scope: Scope) -> Iterator[Placed]:
    """Thin lambdas of other files, as far as they may call one of this one's functions: of those that include it, and
    of those beside it where it has functions for other translation units.
    """
    unit, project = scope.unit, scope.project
    if not unit.functions or not project.is_source(unit.source.path):
        return
    own = unit.functions_by_name
    beside = project.beside(unit.source.path) if _EXTERNAL in unit.source.data else ()
    for path in dict.fromkeys((*project.includers(unit.source.path)[:_MOST_FILES], *beside)):
        if own.keys().isdisjoint(_called_in(project, path)) or (other := project.unit(path)) is None:
            continue
        for placed in placed_entries(project, other):
            name = _called(placed)
            if name in own and (name not in other.functions_by_name or _means_one_of(scope, placed)):
                yield placed


def _means_one_of(scope: Scope, placed: Placed) -> bool:
    """Whether a call in a file that has a function of that name itself means this file's, as that file sees it."""
    owner = placed.entry.body_owner
    thin = thin_callee(owner) if not isinstance(owner, FunctionNode) else None
    if thin is None:
        return False
    there = View(scope.project, placed.unit, scope.language)
    found = callee_of(there, placed.unit, placed.entry.parse_index, thin)
    return found is not None and found[0].source.path == scope.unit.source.path


def _called_in(project: Project, path: str) -> frozenset[str]:
    """The functions that the thin lambdas of another file of the run call."""

    def read() -> frozenset[str]:
        unit = project.unit(path)
        if unit is None or b"sycl" not in unit.source.data:
            return frozenset()
        return frozenset(map(_called, placed_entries(project, unit)))

    return project.once(("thin SYCL kernels", path), read)


def _called(placed: Placed) -> str:
    unit, entry, owner = placed.unit, placed.entry, placed.entry.body_owner
    thin = thin_callee(owner) if not isinstance(owner, FunctionNode) else None
    function = thin.child_by_field_name("function") if thin is not None else None
    text = unit.text(function, entry.parse_index) if function is not None else ""
    return text.partition("<")[0].rpartition("::")[2].strip()


def callee_of(
    scope: Scope, unit: Unit, parse_index: int, call: Node
) -> tuple[Unit, FunctionNode, tuple[str, ...]] | None:
    """The function that a thin lambda's call means, and the template arguments that the call writes."""
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if function is None or arguments is None:
        return None
    tail = function
    while tail.type == "qualified_identifier" and (inner := tail.child_by_field_name("name")) is not None:
        tail = inner
    template: tuple[str, ...] = ()
    if tail.type == "template_function" and (inner := tail.child_by_field_name("name")) is not None:
        template = template_arguments(scope.context_for_text(unit, parse_index), tail.child_by_field_name("arguments"))
        tail = inner
    count = sum(child.type != "comment" for child in arguments.named_children)
    name = unit.text(tail, parse_index)
    found = scope.find_node(name, count) or scope.find_node(name, -1) or _external(scope, unit, name, count)
    return (*found, template) if found is not None else None


def _external(scope: Scope, unit: Unit, name: str, count: int) -> tuple[Unit, FunctionNode] | None:
    """The definition of a `SYCL_EXTERNAL` function in another source file of the folder."""
    project = scope.project
    for path in project.beside(unit.source.path):
        if not project.index_of(path).get(name, 0) & FUNCTION or (other := project.unit(path)) is None:
            continue
        named = other.functions_by_name.get(name, ()) if _EXTERNAL in other.source.data else ()
        found = next((function for function in named if count in parameter_counts(function)), None)
        if found is not None:
            return other, found
    return None
