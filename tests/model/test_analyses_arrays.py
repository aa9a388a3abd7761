"""Private arrays: what is indexed at run time and what stays in registers (measured thresholds)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from analysis_helpers import body

if TYPE_CHECKING:
    from regpress_lint.source.arrays import PrivateArray

FILL = "for (int j = 0; j < 8; j++) v[j] = a[tid + j];"
STATIC = [
    f"float v[8]; {FILL} for (int j = 0; j < 8; j++) b[j] = v[j];",
    f"float v[8]; {FILL} int j = 0; while (j < 8) {{ b[j] = v[j]; j++; }}",
    f"float v[8]; {FILL} for (int j = 0; j < 4; j++) b[j] = v[2 * j + 1];",
    f"float v[8]; {FILL} for (int j = 0; j < 8; j++) b[j] = v[(j + 1) % 8];",
    f"float v[8]; {FILL} for (int j = 0; j < 8; j++) {{ int k = j ^ 1; b[j] = v[k]; }}",
    f"float v[8]; {FILL} for (int st = 1; st < 8; st *= 2) for (int j = 0; j < 8; j += 2 * st) v[j] += v[j + st];",
    f"float v[8]; {FILL} for (int i = 0; i < 8; i++) for (int j = i + 1; j < 8; j++) v[i] += v[j];",
    f"float v[8]; {FILL} for (int j = 0; j < 8; j++) if (j < n) b[j] = v[j];",
    f"float v[8]; {FILL} for (int i = 0; i < n; i++) for (int j = 0; j < 8; j++) v[j] += a[i];",
    f"float v[8]; {FILL} int k = 0; for (int j = 0; j < 8; j++) b[j] = v[k++];",
    f"float v[8]; {FILL} for (int j = 0; j < 8; j++) {{ if (v[j] > 1.0f) break; b[j] = v[j]; }}",
    f"float v[8]; {FILL} for (int j = 0; j < 8 && v[j] > 0.5f; j++) b[j] = v[j];",
    f"float v[8]; {FILL} b[tid] = v[3] + v[sizeof(float)];",
    "float v[8]; int j; for (j = 0; j < 8; j++) v[j] = a[j]; while (j > n) { b[j] = v[2]; j -= 2; }",
    f"float v[8]; {FILL} if (threadIdx.x < 32) for (int j = 0; j < 8; j++) b[j] = v[j];",
    f"float v[8]; {FILL} switch (n) {{ case 0: for (int j = 0; j < 8; j++) b[j] = v[j]; }}",
]
DYNAMIC = [
    f"float v[8]; {FILL} for (int j = 0; j < 8 && j < n; j++) b[j] = v[j];",  # nvcc copies it, clang does not
    "float v[8]; int j; for (j = 0; j < 8; j++) v[j] = a[j]; while (j > n) { b[j] = v[j]; j -= 2; }",
    f"float v[8]; {FILL} for (int j = 0; j < n; j++) b[j] = v[j];",
    f"float v[8]; {FILL}\n#pragma unroll 1\nfor (int j = 0; j < 8; j++) b[j] = v[j];",
    f"float v[8]; {FILL} b[tid] = v[tid & 7];",
    f"float v[8]; {FILL} b[tid] = v[(int)a[tid]];",
    f"float v[8]; {FILL} for (int k = 0; k < n; k++) b[k] = v[k % 8];",
    f"float v[8]; {FILL} int top = 0; for (int k = 0; k < n; k++) {{ v[top++] = a[k]; }} b[tid] = v[0];",
    f"float v[8]; {FILL} int p = 0; for (int j = 1; j < 8; j++) if (v[j] > v[0]) p = j; b[tid] = v[p];",
    f"float v[8]; {FILL} b[tid] = v[n];",
    f"float v[8]; {FILL} int k = 0; if (threadIdx.x < 32) k = 1; b[tid] = v[k];",
    f"float v[8]; {FILL} int p = 0, q = 1; for (int i = 0; i < n; i++) {{ b[i] = v[p]; p = q; q = q % 7 + 1; }}",
]


def array(code: str, before: str = "", name: str = "v") -> PrivateArray:
    return next(found for found in body(code, before=before).arrays if found.variable.name == name)


@pytest.mark.parametrize("code", STATIC)
def test_indices_that_unrolling_makes_constant(code: str) -> None:
    found = array(code)
    assert found.dynamic == ()
    assert found.stays_in_registers("amd")
    assert found.stays_in_registers("nvidia")


@pytest.mark.parametrize("code", DYNAMIC)
def test_indices_known_only_at_run_time(code: str) -> None:
    assert array(code).dynamic


@pytest.mark.parametrize(
    ("declaration", "elements", "size"),
    [
        ("float v[8];", 8, 32),
        ("double v[3][4];", 12, 96),
        ("char v[5];", 5, 5),
        ("float4 v[4];", 4, 64),
        ("int v[N];", 6, 24),
        ("int v[] = {1, 2, 3};", 3, 12),
        (r'char v[] = "ab\n\x41\"";', 6, 6),
    ],
)
def test_sizes(declaration: str, elements: int, size: int) -> None:
    found = array(f"{declaration} b[tid] = 0;", before="#define N 6")
    assert (found.elements, found.bytes) == (elements, size)


def test_an_unknown_extent_stays_silent() -> None:
    found = array("float v[UNSEEN]; v[tid] = 1; b[tid] = v[n];")
    assert found.elements is None
    assert found.stays_in_registers("amd")


@pytest.mark.parametrize(
    ("declaration", "write", "amd", "intel"),
    [
        ("float v[4]", True, True, True),
        ("float v[16]", True, True, True),
        ("float v[17]", True, False, True),
        ("double v[16]", True, True, True),
        ("double v[17]", True, False, True),
        ("double v[25]", True, False, False),
        ("double v[4]", False, True, True),
        ("float v[33]", True, False, True),
        ("char v[4]", True, True, False),
        ("char v[20]", True, True, False),
        ("unsigned char v[16]", False, True, False),
        ("float v[32]", False, False, True),
        ("float v[65]", True, False, False),
        ("float v[2][4]", True, True, True),
        ("float v[3][4]", True, False, True),
        ("float4 v[2]", True, True, True),
        ("float4 v[4]", True, False, True),
    ],
)
def test_thresholds(declaration: str, write: bool, amd: bool, intel: bool) -> None:
    subscript = "v[n][0]" if "][" in declaration else "v[n]"
    lane = ".x" if "float4" in declaration else ""
    use = f"{subscript}{lane} += a[tid]; b[tid] = v[0]{'[0]' if '][' in declaration else ''}{lane};"
    found = array(f"{declaration}; {use if write else f'b[tid] = {subscript}{lane};'}")
    assert {vendor: found.stays_in_registers(vendor) for vendor in ("amd", "intel")} == {"amd": amd, "intel": intel}


READ = "for (int j = 0; j < {0}; j++) v[j] = a[tid + j]; "
ONCE = "b[tid] = v[(int)a[tid]];"
LOOP = "for (int i = 0; i < n; i++) b[i] += v[(int)a[i]];"
TWICE = "for (int i = 0; i < n; i++) b[i] += v[(int)a[i]] * v[(int)a[i + n]];"
STACK = "int top = 0; for (int i = 0; i < n; i++) if (a[i] > 0) v[top++] = a[i]; b[tid] = v[top - 1];"


# Each of these was compiled with nvcc 13.0 for sm_90: the last column is whether `ptxas -v` shows no stack frame.
@pytest.mark.parametrize(
    ("type_", "elements", "code", "stays"),
    [
        ("float", 4, READ + LOOP, True),
        ("float", 16, READ + ONCE, True),
        ("float", 65, READ + ONCE, True),
        ("float", 128, READ + ONCE, False),
        ("float", 16, READ + LOOP, False),
        ("float", 7, READ + LOOP, True),
        ("float", 9, READ + TWICE, False),
        ("float", 4, STACK, False),
        ("double", 2, READ + ONCE, False),
        ("unsigned char", 8, READ + ONCE, False),
        ("long long", 3, READ + ONCE, False),
        ("bool", 4, READ + ONCE, False),
        ("uchar4", 4, "for (int j = 0; j < {0}; j++) v[j].x = a[tid + j]; b[tid] = v[(int)a[tid]].x;", False),
        ("float4", 4, "for (int j = 0; j < {0}; j++) v[j].x = a[tid + j]; b[tid] = v[(int)a[tid]].x;", True),
    ],
)
def test_arrays_that_ptxas_turns_into_selects(type_: str, elements: int, code: str, stays: bool) -> None:
    found = array(f"{type_} v[{elements}]; {code.format(elements)}")
    assert found.stays_in_registers("nvidia") is stays


def test_on_nvidia_a_frame_is_kept_in_registers_as_a_whole_or_not_at_all() -> None:
    small = f"float v[4]; {READ.format(4)} {ONCE} "
    assert array(small).stays_in_registers("nvidia")
    assert not array(small + "double w[4]; w[0] = a[0]; w[1] = a[1]; b[n] = w[n];").stays_in_registers("nvidia")
    many = "".join(
        f"float w{k}[4]; for (int j = 0; j < 4; j++) w{k}[j] = a[j + {k}]; b[{k}] = w{k}[(int)a[tid + {k}]]; "
        for k in range(6)
    )
    assert not array(small + many).stays_in_registers("nvidia")
    assert array(small + many).stays_in_registers("amd")


def test_a_volatile_array_never_stays() -> None:
    assert not array("volatile float v[4]; v[0] = 1; b[tid] = v[0];").stays_in_registers("amd")


def test_a_constant_table_is_free_on_amd_and_copied_on_nvidia() -> None:
    found = array("const float v[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}; for (int i = 0; i < n; i++) b[i] = v[i % 9];")
    assert found.table
    assert found.stays_in_registers("amd")
    assert not found.stays_in_registers("nvidia")


def test_accesses_are_followed_into_an_inlined_function() -> None:
    helper = "__device__ float pick(const float *w, int k) { return w[k]; }"
    fixed = array("float v[32]; for (int j = 0; j < 32; j++) v[j] = a[j]; b[tid] = pick(v, 3);", before=helper)
    moving = array("float v[32]; for (int j = 0; j < 32; j++) v[j] = a[j]; b[tid] = pick(v, n);", before=helper)
    assert fixed.dynamic == ()
    assert len(moving.dynamic) == 1
    assert not moving.escapes


def test_escapes() -> None:
    assert array("float v[4]; v[0] = 1; unseen(v);").escapes
    assert array("float v[4]; float *p = v; b[tid] = p[0];").escapes
    noinline = "__device__ __attribute__((noinline)) void f(float *w) { w[0] = 1; }"
    assert array("float v[4]; f(v); b[tid] = v[0];", before=noinline).escapes
    assert not array("float v[4]; v[0] = 1; b[tid] = v[0];").escapes


def test_kinds_and_loops_of_accesses() -> None:
    found = array("float v[4]; for (int i = 0; i < 4; i++) { v[i] = a[i]; v[i] += 1; v[i]++; b[i] = v[i]; g(&v[i]); }")
    assert [access.kind for access in found.accesses] == ["write", "update", "update", "read", "address"]
    assert all(len(access.loops) == 1 for access in found.accesses)


def test_arrays_of_inlined_functions_are_listed() -> None:
    helper = "__device__ float f(int k) { float w[32]; for (int j = 0; j < 32; j++) w[j] = j; return w[k]; }"
    (found,) = body("b[tid] = f(n);", before=helper).arrays
    assert (found.variable.name, found.function.name) == ("w", "f")
    assert found.dynamic
