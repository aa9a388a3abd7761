"""Sizes of types by name: built-in C++, CUDA / HIP / SYCL vector and half types, and a file's own declarations.

Sizes are those of the LP64 device targets (AMD, NVIDIA, Intel on Linux): `long` and pointers have 8 bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lexical import split_template_arguments
from regpress_lint.cpp.syntax_tree import Type
from regpress_lint.targets.builtins import ATOMIC_TYPES, OPAQUE

_INTEGERS = {
    "bool": (1, False),
    "char": (1, True),
    "schar": (1, True),
    "uchar": (1, False),
    "int8_t": (1, True),
    "uint8_t": (1, False),
    "byte": (1, False),
    "short": (2, True),
    "ushort": (2, False),
    "int16_t": (2, True),
    "uint16_t": (2, False),
    "char16_t": (2, False),
    "wchar_t": (4, True),
    "char32_t": (4, False),
    "int": (4, True),
    "uint": (4, False),
    "unsigned": (4, False),
    "signed": (4, True),
    "int32_t": (4, True),
    "uint32_t": (4, False),
    "long": (8, True),
    "ulong": (8, False),
    "longlong": (8, True),
    "ulonglong": (8, False),
    "int64_t": (8, True),
    "uint64_t": (8, False),
    "size_t": (8, False),
    "ssize_t": (8, True),
    "clock_t": (8, True),
    "ptrdiff_t": (8, True),
    "intptr_t": (8, True),
    "uintptr_t": (8, False),
    **{f"{sign}int_least{bits}_t": (bits // 8, not sign) for sign in ("", "u") for bits in (8, 16, 32, 64)},
    # As glibc has them: those of 16 bits and more are registers of the host.
    **{f"{sign}int_fast{bits}_t": (1 if bits == 8 else 8, not sign) for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "intmax_t": (8, True),
    "uintmax_t": (8, False),
    "u_int8_t": (1, False),
    "u_int16_t": (2, False),
    "u_int32_t": (4, False),
    "u_int64_t": (8, False),
    "u32": (4, False),
    "u64": (8, False),
    "u8": (1, False),
    "u16": (2, False),
    "__int128_t": (16, True),
    "__uint128_t": (16, False),
    # handles of the run times, which device code hands on
    **dict.fromkeys(("cudaTextureObject_t", "cudaSurfaceObject_t", "cudaStream_t", "cudaEvent_t"), (8, False)),
    **dict.fromkeys(("hipTextureObject_t", "hipSurfaceObject_t", "hipStream_t", "hipEvent_t"), (8, False)),
    **dict.fromkeys(("cudaError_t", "hipError_t"), (4, True)),
}
_FLOATS = {
    "float": 4,
    "double": 8,
    "half": 2,
    "__half": 2,
    "_Float16": 2,
    "__fp16": 2,
    "float16_t": 2,
    "float32_t": 4,
    "float64_t": 8,
    **dict.fromkeys(("cufftReal", "hipfftReal"), 4),
    **dict.fromkeys(("cufftDoubleReal", "hipfftDoubleReal"), 8),
    "bfloat16": 2,
    "__nv_bfloat16": 2,
    "nv_bfloat16": 2,
    "nv_half": 2,
    "hip_bfloat16": 2,
    "__hip_bfloat16": 2,
    **{
        f"__{by}_fp8{of}_{kind}": size
        for by in ("nv", "hip")
        for kind in ("e4m3", "e5m2", "e4m3_fnuz", "e5m2_fnuz")
        for of, size in (("", 1), ("x2", 2), ("x4", 4))
    },
}
# Names of vector types: element name and how the count of lanes pads the size (three lanes of OpenCL/SYCL take four).
_VECTOR = pattern(
    r"(u?char|u?short|u?int|u?long|u?longlong|float|double|(?:__|nv_)?half|(?:__)?nv_bfloat16|__hip_bfloat16"
    r"|bfloat16_?)(1|2|3|4|8|16)(?:_16a|_32a)?$"
)
_SYCL_VEC = pattern(r"(?:vec|marray|HIP_vector_type)\s*+<\s*+([\w:\s]+?)(?<!\s)\s*+,\s*+(\d++)\s*+>$")
_RANGE = pattern(r"(?:cl::)?sycl::(?:range|id)\s*+<\s*+([123])\s*+>$")
# What a thread of 32 holds of a matrix of `nvcuda::wmma`.
_FRAGMENT = pattern(r"\bfragment\s*+<\s*+(?:\w++\s*+::\s*+)*+(matrix_a|matrix_b|accumulator)\s*+,(.*)>$")
_FRAGMENT_BYTES = {
    "float": 4,
    "int": 4,
    "half": 2,
    "__half": 2,
    "double": 8,
    "tf32": 4,
    "__nv_bfloat16": 2,
    "char": 1,
    "schar": 1,
    "uchar": 1,
    "int8_t": 1,
    "uint8_t": 1,
    **dict.fromkeys(("float16_t", "hfloat16_t", "_Float16", "bfloat16_t", "hip_bfloat16", "bfloat16"), 2),
    **dict.fromkeys(("float32_t", "xfloat32_t", "int32_t", "uint32_t"), 4),
    **dict.fromkeys(("float8_t", "bfloat8_t", "float8_fnuz_t", "bfloat8_fnuz_t"), 1),
    "float64_t": 8,
}
# A `joint_matrix` of SYCL: its element, use, rows and columns.
_JOINT = pattern(
    r"\bjoint_matrix\s*+<\s*+[^,<>]++,\s*+([\w:\s]+?)\s*+,\s*+(?:\w++\s*+::\s*+)*+(?:a|b|accumulator)\s*+"
    r",\s*+(\d++)\s*+,\s*+(\d++)\s*+(?:,[^<>]*+)?>$"
)
_LEAST_FRAGMENT = 8  # bytes
_ELEMENT = 3  # of the template's arguments behind the use: three sizes, then the type
_USUAL = 16  # rows or columns where a name stands for their number
_SHARED_BY = 32
_COMPLEX = pattern(r"complex\s*+<\s*+([\w:\s]+?)(?<!\s)\s*+>$")
_COMPLEX_NAMES = {
    "cuComplex": 8,
    "cuFloatComplex": 8,
    "hipComplex": 8,
    "hipFloatComplex": 8,
    "cuDoubleComplex": 16,
    "hipDoubleComplex": 16,
    **dict.fromkeys(("cufftComplex", "hipfftComplex"), 8),
    **dict.fromkeys(("cufftDoubleComplex", "hipfftDoubleComplex"), 16),
}
# Types without a size of their own that stand for an index, a group or a handle: uniform or cheap, not counted as data.
_HANDLES = {
    **dict.fromkeys(("curandState", "curandState_t", "curandStateXORWOW_t", "hiprandState", "hiprandState_t"), 48),
    "curandStatePhilox4_32_10_t": 64,
}
_ARITHMETIC_WORDS = {"unsigned", "signed", "int", "long", "short", "char", "float", "double", "bool", "__int128"}

# What a name of a function type stands for, and a pointer to a function of whatever parameters.
FUNCTION = "function()"
FUNCTION_POINTER = Type(FUNCTION, 8, pointers=1)


def _multi_word(words: list[str]) -> Type | None:
    """`unsigned long long int` and its like."""
    if not words or any(word not in _ARITHMETIC_WORDS for word in words):
        return None
    name = " ".join(words)
    if "double" in words:
        return Type(name, 8, floating=True)
    if "float" in words:
        return Type(name, 4, floating=True)
    signed = "unsigned" not in words and "bool" not in words
    for word, size in (("char", 1), ("short", 2), ("__int128", 16), ("long", 8), ("bool", 1)):
        if word in words:
            return Type(name, size, signed=signed)
    return Type(name, 4, signed=signed)


@lru_cache(maxsize=4096)
def builtin_type(name: str) -> Type | None:
    """Type of a built-in name, or None; it may be qualified: `std::uint32_t`, `sycl::float4`, `sycl::vec<int, 4>`."""
    text = " ".join(name.split())
    words = text.split(" ")
    if (type_ := _multi_word(words)) is not None:
        return type_
    last = text.rsplit("::", 1)[-1] if "<" not in text else re.sub(r"^(?:\w+::)+", "", text)
    if last in _INTEGERS:
        size, signed = _INTEGERS[last]
        return Type(text, size, signed=signed)
    if last in _FLOATS:
        return Type(text, _FLOATS[last], floating=True)
    if last in _COMPLEX_NAMES:
        return Type(text, _COMPLEX_NAMES[last], lanes=2, floating=True)
    if last == "dim3":
        return _vector(text, "uint", 3, padded_three=False)
    if (match := _RANGE.match(text)) is not None:
        return _vector(text, "ulong", int(match[1]), padded_three=False)
    if last in _HANDLES:
        return Type(text, _HANDLES[last], struct=True)
    if last == "void":
        return Type(text, None)
    if (match := _VECTOR.match(last)) is not None:
        return _vector(text, match[1], int(match[2]), padded_three="::" in text)
    if (match := _SYCL_VEC.match(last)) is not None:
        return _vector(text, match[1], int(match[2]), padded_three=last.startswith("vec"))
    if (match := _FRAGMENT.match(last)) is not None:
        return _fragment(text, match[1], [part.strip() for part in match[2].split(",")])
    if (match := _JOINT.match(last)) is not None:
        return _shared(text, int(match[2]) * int(match[3]), _element_of(match[1]))
    if (match := _COMPLEX.match(last)) is not None and (element := builtin_type(match[1])) and element.size:
        return Type(text, element.size * 2, lanes=2, floating=True)
    return None


@lru_cache(maxsize=256)
def opencl_type(name: str) -> Type | None:
    """Type that only OpenCL C has: a vector of three, which takes the room of four, an atomic type, an opaque object,
    which is a descriptor; None for any other.
    """
    if name in OPAQUE:
        return Type(name, 8, signed=False)
    if name in ATOMIC_TYPES:
        return builtin_type(ATOMIC_TYPES[name])
    return builtin_type(f"sycl::{name}") if name.endswith("3") and _VECTOR.match(name) is not None else None


def is_undeclared(type_: Type) -> bool:
    """True for a type that nothing visible declares, and for a pointer to one."""
    if type_.struct or type_.lanes > 1 or type_.pointers > 1 or type_.name in ("", "auto", "void", FUNCTION):
        return False
    return (type_.pointee_size if type_.pointers else type_.size) is None


def is_fragment(type_: Type) -> bool:
    """True for the part of a matrix that a thread holds: a `fragment` of `nvcuda::wmma` or rocwmma, a `joint_matrix` of
    SYCL.
    """
    return _FRAGMENT.search(type_.name) is not None or _JOINT.search(type_.name) is not None


def sharing(type_: Type) -> int:
    """Threads that hold a matrix together: 32 for `nvcuda::wmma`, 64 for rocwmma on CDNA, 16 for a `joint_matrix` on a
    Data Center GPU Max (`sycl_ext_intel_matrix`; the built-ins of `cl_intel_subgroup_matrix_multiply_accumulate` have a
    float8, a short8 and an int8 a work-item for 8 x 16 x 16 halves).
    """
    return 16 if "joint_matrix" in type_.name else 64 if "rocwmma" in type_.name else _SHARED_BY


def _element_of(text: str) -> str:
    return re.sub(r"^(?:\w+\s*::\s*)*", "", text).removeprefix("signed ").replace("unsigned ", "u")


def _shared(name: str, count: int, element: str) -> Type | None:
    """A thread's share of so many elements in registers; None for an element that is not known."""
    size = _FRAGMENT_BYTES.get(element)
    if size is None:
        return None
    bytes_ = max(_LEAST_FRAGMENT, count * size // sharing(Type(name)))
    return Type(name, bytes_, lanes=bytes_ // (8 if size == 8 else 4), floating=True)


def _fragment(name: str, use: str, args: list[str]) -> Type | None:
    """The part of a matrix that a thread holds, as a vector of registers; None for shapes of less than bytes."""
    if len(args) <= _ELEMENT:
        return None
    element = _element_of(args[_ELEMENT])
    size = _FRAGMENT_BYTES.get(element)
    rows, columns, depth = (int(argument) if argument.isdigit() else _USUAL for argument in args[:_ELEMENT])
    count = {"matrix_a": rows * depth, "matrix_b": depth * columns, "accumulator": rows * columns}[use]
    if "rocwmma" in name:
        return _shared(name, count, element)
    if size is None or depth > 2 * _USUAL or (element == "int" and rows * columns < _USUAL * _USUAL):
        return None
    if element == "double" and not args[0].isdigit():
        count = 64 if use == "accumulator" else 32  # there is one shape of them: 8 x 8 x 4
    elif element == "tf32" and not args[0].isdigit():
        count = 128
    return _shared(name, count, element)  # of halves PTX names each register twice, and ptxas holds it once


def _vector(name: str, element_name: str, lanes: int, *, padded_three: bool) -> Type | None:
    element = builtin_type(element_name.rstrip("_")) or builtin_type(element_name)
    if element is None or element.size is None:
        return None
    stored = 4 if lanes == 3 and padded_three else lanes
    return Type(name, element.size * stored, lanes=lanes, floating=element.floating, signed=element.signed)


@lru_cache(maxsize=2048)
def pointer_to(target: Type, depth: int = 1) -> Type:
    """Pointer type; the qualifiers of the target become those of the pointee."""
    pointee = target.pointee_size if target.pointers else target.size
    return target._replace(
        size=8,
        pointers=target.pointers + depth,
        pointee_size=pointee,
        pointee_volatile=target.volatile or target.pointee_volatile,
        pointee_const=target.const or target.pointee_const,
        volatile=False,
        const=False,
        reference=False,
    )


def dereference(pointer: Type) -> Type | None:
    """Type that `*p` or `p[i]` has; None if `pointer` is not one."""
    if pointer.pointers <= 0:
        return None
    if pointer.pointers > 1:
        return pointer._replace(pointers=pointer.pointers - 1, size=8, restrict=False)
    if pointer.extents:  # a row, whose name is an address
        element = pointer._replace(pointers=0, size=pointer.pointee_size, const=pointer.pointee_const, extents=())
        return pointer_to(element, len(pointer.extents))._replace(decayed=True)
    return pointer._replace(
        pointers=0,
        size=pointer.pointee_size,
        pointee_size=None,
        restrict=False,
        const=pointer.pointee_const,
        decayed=False,
    )


TypeLookup = Callable[[str], Type | None]


# Classes of portability layers that stand for arrays in memory: how an element of each is found.
#
# A kernel's registers depend on the object's pointer and on the strides of its indices, each an argument of the kernel.
# They are named here as members, which need not be the layer's own names:
#
# Kokkos 4.6 (`core/src/View/Kokkos_ViewMapping.hpp`, `Kokkos_ViewLayout*`): LayoutLeft, which views of a GPU have, is
# `i + stride * (j + extent * k)`, LayoutRight `k + extent * j + stride * i`, both in 64 bits; LayoutStride has a
# stride for each index AMReX 24.10 (`Src/Base/AMReX_Array4.H`): `p[(i - begin.x) + (j - begin.y) * jstride + ...]`,
# strides of 64 bits; tables (`AMReX_TableData.H`) likewise RAJA 2025.09 (`include/RAJA/util/Layout.hpp`): a stride of
# `Index_type`, 64 bits, for each index `mdspan`: layout_right over extents of the index type


LEFT, RIGHT, STRIDED, OFFSET, FLAT = "left", "right", "strided", "offset", "flat"
_CLASS = pattern(
    r"(?:(?:Kokkos|amrex|RAJA|cuda|std|cub|experimental|Experimental|expt|stdex|detail|typed)::)*"
    r"(View|DynRankView|OffsetView|Array4|MultiArray4|Table[1-4]D|TypedView|mdspan)\s*<"
)
OF_A_LIBRARY = pattern(r"(?:Kokkos|amrex|RAJA|cuda|std|stdex)::")
_RAJA = pattern(r"\b(?:RAJA::)?(?:Typed)?(?:Offset)?Layout\s*<\s*(\d+)")
_EXTENTS = pattern(r"(d?extents|dims)\s*<(.*)>\s*$")
_STARS = pattern(r"([\s*]*)((?:\[[^\]]*\])*)$")
_SCRATCH = pattern(r"scratch_memory_space|ScratchMemorySpace")
_TABLES = ("Table1D", "Table2D", "Table3D", "Table4D")
_INDEX_TYPES = {
    **dict.fromkeys(("int", "int32_t", "std::int32_t", "signed"), "int"),
    **dict.fromkeys(("unsigned", "unsigned int", "uint32_t", "std::uint32_t"), "unsigned int"),
}

VIEW_BYTES = 24  # of an object of such a class: what hangs on it is that it is none of the small ones


# What an object of Kokkos is taken for whose class is a template parameter and that is called with indices.
ASSUMED = "Kokkos::DynRankView<double, assumed>"


class Shape(NamedTuple):
    """The memory layout of such a class's elements.

    element: their type as it is spelled, with `const` if they are only read. layout: one of those above. extents:
    those that the type settles, None for one of run time. counts: type of strides and extents. shared: in the
    memory of a team.
    """

    element: str
    layout: str
    extents: tuple[int | None, ...] = ()
    counts: str = "size_t"
    shared: bool = False


@lru_cache(maxsize=2048)
def view_shape(name: str) -> Shape | None:
    """The shape of a class by the name of its type; None for one that is no view."""
    match = _CLASS.match(name) if name.endswith(">") else None
    if match is None:
        return None
    arguments = split_template_arguments(name[match.end() :])
    kind = match[1]
    if not arguments or (kind == "View" and not OF_A_LIBRARY.match(name) and not _is_data_type(name, arguments)):
        return None
    if kind == "MultiArray4":
        return Shape(f"amrex::Array4<{arguments[0]}>", FLAT)
    if kind == "Array4" or kind in _TABLES:
        return Shape(arguments[0], OFFSET, counts="long")
    if kind == "mdspan":
        return _mdspan(arguments)
    if kind == "TypedView" or "RAJA::" in name or (len(arguments) > 1 and _RAJA.search(arguments[1])):
        return Shape(arguments[0], STRIDED, counts="long")
    return _kokkos(arguments)


def _is_data_type(name: str, arguments: tuple[str, ...]) -> bool:
    """Whether an unqualified `View<...>` is one of Kokkos or RAJA: `View<double**>`, `View<double, Layout<2>>`."""
    return "*" in arguments[0] or "[" in arguments[0] or _RAJA.search(name) is not None


def _kokkos(arguments: tuple[str, ...]) -> Shape:
    data, options = arguments[0].strip(), " ".join(arguments[1:])
    match = _STARS.search(data)
    stars, fixed = (match[1].count("*"), match[2]) if match is not None else (0, "")
    element = data[: match.start()] if match is not None else data
    sizes = [size.strip() for size in fixed.strip("[]").split("][") if size.strip()]
    extents = (*((None,) * stars), *(int(size) if size.isdigit() else None for size in sizes))
    layout = LEFT
    if "LayoutStride" in options:
        layout = STRIDED
    elif "LayoutRight" in options:
        layout = RIGHT
    return Shape(element.strip(), layout, extents, shared=_SCRATCH.search(options) is not None)


def _mdspan(arguments: tuple[str, ...]) -> Shape:
    match = _EXTENTS.search(arguments[1]) if len(arguments) > 1 else None
    inner = split_template_arguments(match[2] + ">") if match is not None else ()
    index = _INDEX_TYPES.get(inner[0], "size_t") if inner else "size_t"
    extents: tuple[int | None, ...] = ()
    if match is not None and match[1] == "extents":
        extents = tuple(int(extent) if extent.isdigit() else None for extent in inner[1:])
    elif len(inner) > 1 and inner[1].isdigit():
        extents = (None,) * min(int(inner[1]), 8)
    options = " ".join(arguments[2:])
    layout = LEFT if "layout_left" in options else STRIDED if "layout_stride" in options else RIGHT
    return Shape(arguments[0], layout, extents, index)


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
