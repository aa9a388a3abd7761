"""Types of portability layers: views, their members, and names for numbers, whether or not their headers are available.

A layer's own headers spell them in several thousand lines of templates, out of which no reader of sources gets further
than a compiler's front end would. So built-in knowledge of the layer takes precedence over its headers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.layer_views import ASSUMED, VIEW_BYTES, view_member, view_shape
from regpress_lint.cpp.lower.spelled_types import lower_type_text
from regpress_lint.cpp.names.qualified import split_owner
from regpress_lint.cpp.syntax_tree import Type
from regpress_lint.cpp.types import builtin_type

if TYPE_CHECKING:
    from regpress_lint.cpp.names.scope import Scope

_QUALIFIED = pattern(r"(?:Kokkos|amrex|RAJA|cuda|std|stdex)::")
# AMReX is built for double unless somebody asks for float (`AMReX_REAL.H`, `AMReX_INT.H`).
_ALIASES = {
    "amrex": (
        b"AMREX_",
        {"Real": "double", "ParticleReal": "double", "Long": "long long", "ULong": "unsigned long long"},
    ),
    "RAJA": (b"RAJA", {"Index_type": "long", "Real_type": "double"}),
}
_MARKS = (b"KOKKOS_", b"Kokkos", b"AMREX_", b"RAJA", b"mdspan", b"span")


def layer_type(scope: Scope, name: str) -> Type | None:
    """A view by its type's name, or a member of one: `Kokkos::View<double**>::data`."""
    if not name.endswith(">"):
        owner, member = split_owner(name) if ">::" in name else ("", "")
        spelled = view_member(owner, member) if owner else None
        return lower_type_text(scope.context_for_text(scope.unit, 0), spelled) if spelled is not None else None
    if view_shape(name) is None:
        return None
    if not _QUALIFIED.match(name) and not any(mark in scope.unit.source.data for mark in _MARKS):
        return None
    return Type(name, VIEW_BYTES, struct=True)


def layer_alias(scope: Scope, name: str) -> Type | None:
    """A layer's name for a number where no known header defines it; a view by the name that a function of the
    host gives its type.
    """
    space, _, last = name.rpartition("::")
    if not space and (spelled := _local_view(scope, name)) is not None:
        return lower_type_text(scope.context_for_text(scope.unit, 0), spelled)
    for layer, (mark, aliases) in _ALIASES.items():
        if last in aliases and space in ("", layer) and mark in scope.unit.source.data:
            return builtin_type(aliases[last])
    return None


# What members of AMReX' containers give, of MultiFab and its like: an `auto` is that.
_MADE = (
    (pattern(rb"(?:\.|->)\s*(?:const_)?arrays\s*\(\s*\)"), "amrex::MultiArray4<amrex::Real>"),
    (pattern(rb"(?:\.|->)\s*(?:const_)?array\s*\("), "amrex::Array4<amrex::Real>"),
)


def made_view(data: bytes, declaration: bytes) -> str | None:
    """The type of a view that is declared `auto`, from its initialiser; None for anything else."""
    if b"AMREX_" not in data or b"auto" not in declaration or declaration.count(b"=") != 1:
        return None
    value = declaration.partition(b"=")[2]
    return next((spelled for form, spelled in _MADE if form.search(value)), None)


def assumed_view(data: bytes, name: str, type_: Type) -> Type | None:
    """The type of an object of Kokkos by how it is used, where its class is not known: `x(i, j)` of a `ViewType x`."""
    if type_.size is not None or type_.pointers or b"KOKKOS_" not in data:
        return None
    if re.search(rb"(?<![\w.>])%b\s*\(\s*[\w(]" % re.escape(name.encode()), data) is None:
        return None
    return Type(ASSUMED, VIEW_BYTES, struct=True)


def _local_view(scope: Scope, name: str) -> str | None:
    """The view of `using name = ...;` in a function, if all of a file's agree."""
    data = scope.unit.source.data
    if not name.isidentifier() or b"using " + name.encode() not in data:
        return None
    found = {
        " ".join(match.decode("utf-8", "replace").split())
        for match in re.findall(rb"\busing\s+%b\s*=\s*([^;]{1,500});" % name.encode(), data)
    }
    spelled = found.pop() if len(found) == 1 else ""
    return spelled if view_shape(spelled.removeprefix("const ").removeprefix("typename ")) is not None else None
