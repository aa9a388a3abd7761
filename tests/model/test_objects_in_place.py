"""Which objects indexed at run time need no private memory, by kind and by number of accesses."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of
from ssa_helpers import kernel_text

from regpress_lint.model.graph.objects import Indexed
from regpress_lint.model.passes.indexed_objects import stays_in_place
from regpress_lint.targets.compilers.amdgpu import GFX9, RDNA
from regpress_lint.targets.compilers.nvcc import NVCC

FACTS = facts_of(
    "struct P { float x, y; };"
    "__global__ void k(P handed, float *out) { float v[4]; float4 w[4]; float *p[4]; P q[4]; float m[2][8]; P s;"
    " out[threadIdx.x] = 0; }"
)
VARIABLES = {
    each.name: each for each in (*FACTS.flow_of(FACTS.kernel.function).declared, *FACTS.kernel.function.parameters)
}
FLOAT = VARIABLES["v"].type
DOUBLE = FLOAT._replace(size=8)


def access(name: str, size: int, *, write: bool = False, in_loop: bool = False) -> Indexed:
    return Indexed(VARIABLES[name], size, ("*",), FLOAT, write, int(in_loop))


@pytest.mark.parametrize(
    ("name", "gfx9", "rdna"),
    [
        ("v", 64, 64),  # a vector of sixteen elements
        ("p", 128, 128),
        ("w", 32, 64),  # LDS alone
        ("q", 32, 64),
        ("m", 32, 64),
        ("s", 32, 64),
    ],
)
def test_clang_vectorises_scalar_rows_and_moves_small_arrays_to_lds(name: str, gfx9: int, rdna: int) -> None:
    for compiler, most in ((GFX9, gfx9), (RDNA, rdna)):
        sizes = [size for size in range(4, 200, 4) if stays_in_place([access(name, size)], compiler)]
        assert sizes == list(range(4, most + 4, 4))


def test_an_argument_is_read_from_where_it_is_and_copied_to_be_written() -> None:
    assert stays_in_place([access("handed", 4000)], GFX9)
    assert not stays_in_place([access("handed", 4000), access("handed", 4000, write=True)], GFX9)
    # ptxas: one of up to 128 bytes is copied like any other object
    asked = [access("handed", 128, in_loop=True)]
    assert not stays_in_place(asked, NVCC)
    assert stays_in_place([each._replace(bytes=132) for each in asked], NVCC)
    assert not stays_in_place([each._replace(bytes=132, write=True) for each in asked], NVCC)


@pytest.mark.parametrize(
    ("accesses", "most"),
    [
        ([access("s", 0)], 82),
        ([access("s", 0)] * 2, 21),
        ([access("s", 0, in_loop=True)], 3),
        ([access("s", 0, write=True, in_loop=True)], 4),
        ([access("s", 0, write=True)] * 2, 50),
        ([access("s", 0, in_loop=True), access("s", 0, write=True, in_loop=True)], 3),
    ],
)
def test_ptxas_selects_among_few_words(accesses: list[Indexed], most: int) -> None:
    words = [
        size for size in range(1, 100) if stays_in_place([each._replace(bytes=4 * size) for each in accesses], NVCC)
    ]
    assert words == list(range(1, most + 1))


def test_ptxas_selects_only_among_words() -> None:
    assert stays_in_place([access("s", 16), access("s", 16)._replace(type=None)], NVCC)
    assert not stays_in_place([access("s", 16), access("s", 16)._replace(type=DOUBLE)], NVCC)
    assert stays_in_place([access("s", 16)._replace(type=VARIABLES["s"].type)], NVCC)  # a part that is a struct


SORTED = """struct Best {{ float k[8]; __device__ void push(float key) {{ {member} }} }};
__global__ void k(float* o, const float* a, int n) {{
  Best h; float k[8];
  for (int i = 0; i < 8; ++i) h.k[i] = k[i] = 1e30f;
  for (int j = 0; j < n; ++j) {{ float key = a[j * 32 + threadIdx.x]; {body} }}
  for (int i = 0; i < 8; ++i) o[threadIdx.x * 8 + i] = {of}k[i];
}}"""
PUSH = "int i = 7; while (i > 0 && {of}k[i - 1] > key) {{ {of}k[i] = {of}k[i - 1]; --i; }} {of}k[i] = key;"


@pytest.mark.parametrize(
    ("body", "of"), [(PUSH.format(of=""), ""), (PUSH.format(of="h."), "h."), ("h.push(key);", "h.")]
)
def test_insertion_in_nested_loops_keeps_an_array_and_a_struct_alike_in_memory(body: str, of: str) -> None:
    """nvcc 13.0.88 gives all three 32 bytes of stack."""
    facts = facts_of(SORTED.format(member=PUSH.format(of=""), body=body, of=of), "cuda")
    assert facts.target("sm_90").registers.scratch_bytes == 32


@pytest.mark.parametrize(("index", "kept"), [("n & 7", True), ("kLast", False), ("kLast + 2", False)])
def test_an_index_of_unknown_names_is_a_constant_most_likely(index: str, kept: bool) -> None:
    """`kLast` is of a header that is not there, or of a template that was not followed."""
    before = "struct Table { float *data[20]; };"
    body = f"Table t; for (int i = 0; i < 20; i++) t.data[i] = a + i * n; a[tid] = *t.data[{index}];"
    facts = facts_of(kernel_text(body, "float *a, int n", before))
    assert bool(facts.target("gfx90a").registers.scratch_bytes) is kept
