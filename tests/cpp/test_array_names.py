"""Names for arrays and pointers (`typedef float row[8], *place;`): they mean what is spelled out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from analysis_helpers import facts_of as facts_of_text
from frontend_helpers import build
from ssa_helpers import count, run_text

from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import KernelFacts, kernel_facts

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES = """
#define WIDE 8
const int rows = 2;
typedef float row[WIDE];
using also_row = float[WIDE];
typedef row grid[rows];
typedef float *place;
typedef float *places[4];
typedef const place fixed;
struct named { row a; grid g; int last; };
"""
SPELLED = """
#define WIDE 8
const int rows = 2;
struct named { float a[WIDE]; float g[rows][WIDE]; int last; };
"""
LOCAL = "for (int i = 0; i < n; ++i) {0}[i % 8] += o[i]; for (int i = 0; i < 8; ++i) o[i * n] = {0}[i];"
POINTERS = "p[0] = o; p[1] = o + n; o[0] = *p[1];"
PAIRS = {
    "variable": ("row r;" + LOCAL.format("r"), "float r[8];" + LOCAL.format("r")),
    "using": ("also_row r;" + LOCAL.format("r"), "float r[8];" + LOCAL.format("r")),
    "two extents": ("grid r;" + LOCAL.format("r[n]"), "float r[2][8];" + LOCAL.format("r[n]")),
    "array of them": ("row r[2];" + LOCAL.format("r[n]"), "float r[2][8];" + LOCAL.format("r[n]")),
    "member": ("named s;" + LOCAL.format("s.a"), "named s;" + LOCAL.format("s.a")),
    "member of two extents": ("named s;" + LOCAL.format("s.g[n]"), "named s;" + LOCAL.format("s.g[n]")),
    "shared": ("__shared__ grid t; t[n][n] = 1;", "__shared__ float t[2][8]; t[n][n] = 1;"),
    "pointer": ("place p = o + n; o[0] = p[n] + p[1];", "float *p = o + n; o[0] = p[n] + p[1];"),
    "constant pointer": ("fixed p = o + n; o[0] = p[n];", "float *const p = o + n; o[0] = p[n];"),
    "array of pointers": ("places p;" + POINTERS, "float *p[4];" + POINTERS),
    "pointer to rows": ("row *p = (row *)o; o[0] = p[n][1];", "float (*p)[8] = (float (*)[8])o; o[0] = p[n][1];"),
    "reference": ("named s; row &r = s.a;" + LOCAL.format("r"), "named s; float (&r)[8] = s.a;" + LOCAL.format("r")),
    "size": (
        "char b[sizeof(row) + sizeof(grid) + sizeof(named)]; b[n % 8] = 1; o[0] = b[0];",
        "char b[32 + 64 + 100]; b[n % 8] = 1; o[0] = b[0];",
    ),
    "in the function": ("typedef float mine[8]; mine r;" + LOCAL.format("r"), "float r[8];" + LOCAL.format("r")),
    "using in the function": ("using mine = float[8]; mine r;" + LOCAL.format("r"), "float r[8];" + LOCAL.format("r")),
    "pointer in the function": ("typedef float *mine; mine p = o + n; o[0] = *p;", "float *p = o + n; o[0] = *p;"),
}  # fmt: skip


def facts(names: str, parameters: str, body: str, headers: Mapping[str, str] | None = None) -> KernelFacts:
    """The kernel of a text."""
    file = build(f"{names}\n__global__ void k({parameters}) {{ {body} }}", "hip", headers)
    return kernel_facts(file, file.kernels[0], Settings(architectures=("gfx90a", "sm_90", "pvc")))


def taken(found: KernelFacts) -> list[object]:
    """The linter's findings for a kernel."""
    arrays = [(array.variable.name, array.bytes, array.elements, len(array.dynamic)) for array in found.arrays]
    targets = [found.target(name).registers for name in found.targets]
    return [arrays, targets, found.launch.lds_at_least]


@pytest.mark.parametrize("way", PAIRS)
def test_alias_is_replaced_by_its_target(way: str) -> None:
    by_name, spelled = PAIRS[way]
    assert taken(facts(NAMES, "float *o, int n", by_name)) == taken(facts(SPELLED, "float *o, int n", spelled))


@pytest.mark.parametrize(
    ("by_name", "spelled"),
    [
        ("row a, int n", "float a[8], int n"),
        ("row *a, int n", "float (*a)[8], int n"),
        ("grid a, int n", "float a[2][8], int n"),
        ("const row *a, int n", "const float (*a)[8], int n"),
    ],
)
def test_parameters(by_name: str, spelled: str) -> None:
    body = "float v = 0; for (int i = 0; i < n; ++i) v += a[i]{0}; a[0]{0} = v;"
    body = body.format("" if by_name.startswith("row a") else "[1]")
    assert taken(facts(NAMES, by_name, body)) == taken(facts(SPELLED, spelled, body))


def test_an_extent_that_is_not_known_leaves_the_type_open() -> None:
    found = facts("typedef float row[UNKNOWN];", "float *o, int n", "row r; r[n] = 1; o[0] = r[0];")
    assert found.source.untyped


def test_a_name_comes_from_a_header() -> None:
    by_name, spelled = PAIRS["variable"]
    found = facts('#include "t.h"', "float *o, int n", by_name, {"t.h": "typedef float row[8];"})
    assert taken(found) == taken(facts("", "float *o, int n", spelled))


def test_of_two_definitions_the_compiled_one_counts() -> None:
    names = "#define WIDE\n#ifdef WIDE\ntypedef float row[8];\n#else\ntypedef float row[4];\n#endif"
    assert taken(facts(names, "float *o, int n", PAIRS["variable"][0])) == taken(
        facts("", "float *o, int n", PAIRS["variable"][1])
    )


@pytest.mark.parametrize(
    ("member", "size", "used"),
    [("row *p;", 8, "v.p[n][1]"), ("float (*p)[WIDE];", 8, "v.p[n][1]"), ("row *p[2];", 16, "v.p[1][n][1]")],
)
def test_pointer_to_rows_in_a_struct(member: str, size: int, used: str) -> None:
    text = f"{NAMES}\nstruct V {{ {member} }};\n__global__ void k(float *o, V *w, int n) {{ V v = *w; o[n] = {used}; }}"
    type_ = build(text).type_of("V")
    assert type_ is not None
    assert type_.size == size
    found = run_text(text, vendor="nvidia")
    assert not found.tally.unknowns
    assert count(found, "load global") == 2  # the pointer, and an element


ELSEWHERE = """struct P { float x, y; };
template <typename T, int N> struct row { T v[N]; };
template <typename A> __device__ A& at(char* p) { return *reinterpret_cast<A*>(p); }
__global__ void k(float* o, char* p, int n) { %s }
"""


@pytest.mark.parametrize(
    ("reference", "pointer"),
    [
        ("float (&a)[64] = *(float (*)[64])p; o[n] = a[n];", "float* a = (float*)p; o[n] = a[n];"),
        (
            "P (&a)[64] = *reinterpret_cast<P (*)[64]>(p); o[n] = a[n].y;",
            "P* a = reinterpret_cast<P*>(p); o[n] = a[n].y;",
        ),
        (
            "row<float, 8> (&a)[2] = *(row<float, 8>(*)[2])p; o[n] = a[1].v[n];",
            "float* a = (float*)p; o[n] = a[8 + n];",
        ),
        (
            "float (&a)[4][8] = *(float (*)[4][8])p; o[n] = a[n][threadIdx.x];",
            "float (*a)[8] = (float (*)[8])p; o[n] = a[n][threadIdx.x];",
        ),
    ],
)
def test_reference_to_array_at_an_address_needs_no_scratch(reference: str, pointer: str) -> None:
    found, plain = facts_of_text(ELSEWHERE % reference, "cuda"), facts_of_text(ELSEWHERE % pointer, "cuda")
    assert found.source.arrays == ()
    assert found.unknowns("sm_90") == ()
    assert found.target("sm_90").registers.estimate == plain.target("sm_90").registers.estimate


def test_reference_to_an_array_of_an_unseen_class_is_unknown() -> None:
    facts = facts_of_text(ELSEWHERE % "tile<float, 8> (&a)[2] = make(p); o[n] = a[1].v[n];", "cuda")
    assert facts.unknowns("sm_90")
