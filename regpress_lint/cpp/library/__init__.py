"""Headers of libraries in our own words: short classes that compile to the same code as the library's templates.

They replace the library's own even if these are available: those are tens of thousands of lines of expression
templates, which only a compiler can read. They are read as headers of the project are, under paths that no file has.
"""

from __future__ import annotations

from functools import cache
from os import path as os_path

from regpress_lint.core.patterns import pattern

_PREFIX = "<regpress-lint>/"
_FOLDER = os_path.dirname(os_path.abspath(__file__))
_HEADERS = (
    (pattern(r"(?:eigen3/)?Eigen/(?:Core|Dense|Geometry|LU|Eigen)$"), "eigen.h"),
    (pattern(r"glm/(?:gt[cx]/|ext/)?\w+\.hpp$"), "glm.h"),
    # cuComplex.h comes with the headers of CUDA's libraries, too.
    (pattern(r"(?:cuComplex|cufft\w*|cublas\w*|cusparse\w*|cusolver\w*|hip/hip_complex)\.h$"), "complex.h"),
    (pattern(r"(?:torch|ATen|c10)/[\w/]+\.(?:h|cuh)$"), "torch.h"),
)

# A stand-in for what device code uses of the standard library, thrust and libcu++: a header of every file that names
# some of it. No file has this path.
LIBRARY = "<standard>"
_SIZES = pattern(rb"std(?<=\bstd)\s*::\s*(?:s?size|begin|end)\b")
_OF_LIBRARY = pattern(
    rb"::\s*(?:array|initializer_list|pair|make_pair|tuple|make_tuple|conj|optional|numeric_limits"
    rb"|swap|exchange|integral_constant|bool_constant|plus|minus|multiplies|divides|maximum|minimum|less|greater|equal_to|span|complex|polar|arg"
    rb"|bitset|variant|accumulate|inner_product|copy|copy_n|fill|fill_n|iota|for_each|transform|max_element|min_element"
    rb"|count|count_if|all_of|any_of|apply|tuple_cat|make_optional"
    rb"|popcount|countl_zero|countr_zero|bit_width|rotl|rotr|has_single_bit"
    rb"|(?:Load|Store)Direct(?:Blocked|Striped)|Thread(?:Reduce|Load|Store))\b"
)


def library_header(name: str) -> str | None:
    """Path of our header for what an `#include` names; None for any other."""
    return next((_PREFIX + ours for theirs, ours in _HEADERS if theirs.match(name)), None)


def is_ours(path: str) -> bool:
    """True for the path of such a header."""
    return path.startswith(_PREFIX)


def read_ours(path: str) -> bytes | None:
    """The text of such a header, or None for a path that none has."""
    name = path.removeprefix(_PREFIX)
    return _read(name) if any(name == ours for _, ours in _HEADERS) else None


@cache
def standard_library() -> bytes:
    """The stand-in for the standard library, which is in scope where a file names a part of it."""
    return _read("standard.h")


def names_library(data: bytes) -> bool:
    """Whether a text names something of the standard library's stand-in."""
    # Each of these begins with letters that are looked for at once.
    return _OF_LIBRARY.search(data) is not None or _SIZES.search(data) is not None or b"<initializer_list>" in data


def _read(name: str) -> bytes:
    with open(os_path.join(_FOLDER, name), "rb") as stream:
        return stream.read()
