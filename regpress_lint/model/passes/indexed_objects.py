"""Which objects with arrays inside that are indexed at run time stay in memory, by compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.model.passes.intel_arrays import keeps_object
from regpress_lint.model.passes.nvidia_arrays import object_pays
from regpress_lint.model.passes.nvidia_work import often
from regpress_lint.targets.compilers.amdgpu import AMD_VECTOR_ELEMENTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.model.graph.objects import Indexed
    from regpress_lint.targets.compilers.traits import Compiler

_WORD = 4
_COPIED_ARGUMENT = 128  # bytes


def in_frame(accesses: Iterable[Indexed], compiler: Compiler, work: float) -> frozenset[Variable]:
    """Objects of the kernel's own, arrays aside, that have no registers for their members: one run-time index keeps all
    of a struct where addresses reach it, in private memory or, small ones on AMD, in LDS.
    """
    objects: dict[Variable, list[Indexed]] = {}
    for access in filter(_is_own, accesses):
        objects.setdefault(access.variable, []).append(access)
    if compiler.indexing == "vector":
        return frozenset(objects)
    return frozenset(variable for variable, indexed in objects.items() if not stays_in_place(indexed, compiler, work))


def takes_to_frame(access: Indexed, compiler: Compiler) -> bool:
    """True for an access that alone takes its object there, whatever else the kernel does."""
    if compiler.indexing == "vector":
        return _is_own(access)
    return compiler.indexing == "select" and _is_own(access) and (access.elsewhere or not _is_of_words([access]))


def _is_own(access: Indexed) -> bool:
    return is_own(access.variable) and bool(access.bytes)


def is_own(variable: Variable) -> bool:
    """True for an object of the kernel's own that is no array."""
    return variable.storage == "local" and not variable.dims


def stays_in_place(accesses: Sequence[Indexed], compiler: Compiler, work: float = 0.0) -> bool:
    """True if an object that is indexed like this needs no private memory: an argument is read from where it is, a
    small object is kept in registers (on AMD in LDS). IGC copies an argument to private memory before it is indexed,
    and promotes only plain arrays, and structs that are nothing but one. work: what a kernel does beside them.
    """
    if compiler.indexing == "indirect":
        return keeps_object(accesses, compiler)
    if compiler.indexing == "select":
        return _kept_by_selects(accesses, work)
    return _kept_as_vector(accesses, compiler.promoted_bytes())


def _is_argument(accesses: Sequence[Indexed]) -> bool:
    """Whether an object is where the launch put it: no local one, and no copy of such."""
    return accesses[0].variable.storage != "local" and not any(access.copied for access in accesses)


def _kept_as_vector(accesses: Sequence[Indexed], lds: int) -> bool:
    variable, size = accesses[0].variable, accesses[0].bytes or 0
    if _is_argument(accesses) and not any(access.write for access in accesses):
        return True
    type_ = variable.type
    scalars = len(variable.dims) == 1 and (type_.pointers > 0 or not (type_.struct or type_.lanes > 1))
    return size <= lds or (scalars and size <= AMD_VECTOR_ELEMENTS * (type_.size or _WORD))


def _kept_by_selects(accesses: Sequence[Indexed], work: float) -> bool:
    """ptxas selects among words only: with a pointer, a `double` or a `char` among its members all of an object stays
    in memory. An object of nothing but words is kept as an array would be.
    """
    if any(access.elsewhere for access in accesses):
        return False
    size = accesses[0].bytes or 0
    written = any(access.write for access in accesses)
    stays = size > _COPIED_ARGUMENT or accesses[0].variable.grid_constant
    if _is_argument(accesses) and stays and not written:
        return True
    if not _is_of_words(accesses):
        return False
    weights = [(access.write, access.times * often(access.loops)) for access in accesses]
    reads, writes = (sum(weight for write, weight in weights if write is kind) for kind in (False, True))
    size += max(access.beside for access in accesses)
    return object_pays(size // _WORD, reads, writes, work)


def _is_of_words(accesses: Sequence[Indexed]) -> bool:
    sizes = {access.type.size for access in accesses if access.type is not None and not access.type.struct}
    return accesses[0].words and sizes <= {_WORD, None}
