"""Classes of portability layers that stand for arrays in memory: how an element of each is found.

A kernel's registers depend on the object's pointer and on the strides of its indices, each an argument of the kernel.
They are named here as members, which need not be the layer's own names:

    Kokkos 4.6 (`core/src/View/Kokkos_ViewMapping.hpp`, `Kokkos_ViewLayout*`): LayoutLeft, which views of a GPU have, is
        `i + stride * (j + extent * k)`, LayoutRight `k + extent * j + stride * i`, both in 64 bits; LayoutStride has a
        stride for each index
    AMReX 24.10 (`Src/Base/AMReX_Array4.H`): `p[(i - begin.x) + (j - begin.y) * jstride + ...]`, strides of 64 bits;
        tables (`AMReX_TableData.H`) likewise
    RAJA 2025.09 (`include/RAJA/util/Layout.hpp`): a stride of `Index_type`, 64 bits, for each index
    `mdspan`: layout_right over extents of the index type; `span`: the pointer
"""

from __future__ import annotations

from functools import lru_cache

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lexical import split_template_arguments

LEFT, RIGHT, STRIDED, OFFSET, FLAT = "left", "right", "strided", "offset", "flat"
_CLASS = pattern(
    r"(?:(?:Kokkos|amrex|RAJA|cuda|std|cub|experimental|Experimental|expt|stdex|detail|typed)::)*"
    r"(View|DynRankView|OffsetView|Array4|MultiArray4|Table[1-4]D|TypedView|mdspan|span)\s*<"
)
_QUALIFIED = pattern(r"(?:Kokkos|amrex|RAJA|cuda|std|stdex)::")
_RAJA = pattern(r"\b(?:RAJA::)?(?:Typed)?(?:Offset)?Layout\s*<\s*(\d+)")
_EXTENTS = pattern(r"(d?extents|dims)\s*<(.*)>\s*$")
_STARS = pattern(r"([\s*]*)((?:\[[^\]]*\])*)$")
_SCRATCH = pattern(r"scratch_memory_space|ScratchMemorySpace")
_TABLES = {"Table1D": 1, "Table2D": 2, "Table3D": 3, "Table4D": 4}
_INDEX_TYPES = {
    **dict.fromkeys(("int", "int32_t", "std::int32_t", "signed"), "int"),
    **dict.fromkeys(("unsigned", "unsigned int", "uint32_t", "std::uint32_t"), "unsigned int"),
}

VIEW_BYTES = 24  # of an object of such a class: what hangs on it is that it is none of the small ones


# What an object of Kokkos is taken for whose class is a template parameter and that is called with indices.
ASSUMED = "Kokkos::DynRankView<double, assumed>"


class Shape(NamedTuple):
    """The memory layout of such a class's elements.

    element: their type as it is spelled, with `const` if they are only read. rank: indices of an element, None where
    each call says. layout: one of those above. extents: those that the type settles, None for one of run time.
    counts: type of strides and extents. shared: in the memory of a team.
    """

    element: str
    rank: int | None
    layout: str
    extents: tuple[int | None, ...] = ()
    counts: str = "size_t"
    shared: bool = False
    atomic: bool = False


@lru_cache(maxsize=2048)
def view_shape(name: str) -> Shape | None:
    """The shape of a class by the name of its type; None for one that is no view."""
    match = _CLASS.match(name) if name.endswith(">") else None
    if match is None:
        return None
    arguments = split_template_arguments(name[match.end() :])
    kind = match[1]
    if not arguments or (kind == "View" and not _QUALIFIED.match(name) and not _is_data_type(name, arguments)):
        return None
    if kind == "MultiArray4":
        return Shape(f"amrex::Array4<{arguments[0]}>", 1, FLAT)
    if kind == "Array4":
        return Shape(arguments[0], None, OFFSET, counts="long")
    if kind in _TABLES:
        return Shape(arguments[0], _TABLES[kind], OFFSET, counts="long")
    if kind == "span":
        return Shape(arguments[0], 1, FLAT)
    if kind == "mdspan":
        return _mdspan(arguments)
    if kind == "TypedView" or "RAJA::" in name or (len(arguments) > 1 and _RAJA.search(arguments[1])):
        layout = _RAJA.search(name)
        return Shape(arguments[0], int(layout[1]) if layout is not None else None, STRIDED, counts="long")
    return _kokkos(arguments, by_call=kind == "DynRankView")


def _is_data_type(name: str, arguments: tuple[str, ...]) -> bool:
    """Whether an unqualified `View<...>` is one of Kokkos or RAJA: `View<double**>`, `View<double, Layout<2>>`."""
    return "*" in arguments[0] or "[" in arguments[0] or _RAJA.search(name) is not None


def _kokkos(arguments: tuple[str, ...], *, by_call: bool) -> Shape:
    data, rest = arguments[0].strip(), " ".join(arguments[1:])
    match = _STARS.search(data)
    stars, fixed = (match[1].count("*"), match[2]) if match is not None else (0, "")
    element = data[: match.start()] if match is not None else data
    sizes = [each.strip() for each in fixed.strip("[]").split("][") if each.strip()]
    extents = (*((None,) * stars), *(int(each) if each.isdigit() else None for each in sizes))
    layout = LEFT
    if "LayoutStride" in rest:
        layout = STRIDED
    elif "LayoutRight" in rest:
        layout = RIGHT
    rank = None if by_call else len(extents)
    return Shape(
        element.strip(),
        rank,
        layout,
        extents,
        shared=_SCRATCH.search(rest) is not None,
        atomic="Atomic" in rest,
    )


def _mdspan(arguments: tuple[str, ...]) -> Shape:
    match = _EXTENTS.search(arguments[1]) if len(arguments) > 1 else None
    inner = split_template_arguments(match[2] + ">") if match is not None else ()
    index = _INDEX_TYPES.get(inner[0], "size_t") if inner else "size_t"
    extents: tuple[int | None, ...] = ()
    if match is not None and match[1] == "extents":
        extents = tuple(int(each) if each.isdigit() else None for each in inner[1:])
    elif len(inner) > 1 and inner[1].isdigit():
        extents = (None,) * min(int(inner[1]), 8)
    rest = " ".join(arguments[2:])
    layout = LEFT if "layout_left" in rest else STRIDED if "layout_stride" in rest else RIGHT
    return Shape(arguments[0], len(extents) or None, layout, extents, index)


@lru_cache(maxsize=2048)
def view_member(owner: str, member: str) -> str | None:
    """How the type of a member of a view is spelled: for the names of this module, and the layers' own names for the
    same things. None for others.
    """
    shape = view_shape(owner)
    if shape is None:
        return None
    if member in ("data", "p", "hp", "dp"):
        return f"{shape.element}*"
    if member.startswith(("begin_", "end_")) or member == "ncomp":
        return "int"
    if member.startswith(("stride_", "extent_")) or member.endswith("stride"):
        return shape.counts
    return None
