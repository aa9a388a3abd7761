"""Unions without a name: what one member holds is read through another one."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

KERNEL = """
{declared}
__global__ void k(const uint4* p, float* o) {{
  {type} x[4];
  for (int i = 0; i < 4; i++) x[i].{vector} = p[threadIdx.x + i * 128];
  __syncthreads();
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) o[threadIdx.x + (i * 4 + j) * 77] = x[i].{element}[j];
}}
"""


def held(declared: str, name: str, vector: str, element: str, target: str) -> int:
    text = KERNEL.format(declared=declared, type=name, vector=vector, element=element)
    file = testing.build(text, "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=(target,)))
    assert not facts.unknowns(target)
    return facts.target(target).registers.estimate


@pytest.mark.parametrize(("target", "compiled"), [("sm_90", 26), ("gfx90a", 20)])
@pytest.mark.parametrize(
    ("declared", "name", "prefix"),
    [
        ("struct V { union { uint4 vec; float elt[4]; } data; };", "V", "data."),
        ("struct V { union { uint4 vec; float elt[4]; }; };", "V", ""),
        ("struct V { union { struct { uint4 vec; } in; float elt[4]; }; };", "V", "in."),
        ("struct V { int tag; union { uint4 vec; float elt[4]; }; };", "V", ""),
        ("template <class T, int N> struct V { union { uint4 vec; T elt[N]; } data; };", "V<float, 4>", "data."),
        ("template <class T, int N> struct V { union { uint4 vec; T elt[N]; }; };", "V<float, 4>", ""),
        (
            "template <class T, int N> struct V { using U = union { uint4 vec; T elt[N]; }; U data; };",
            "V<float, 4>",
            "data.",
        ),
        (
            "template <class T, int N> struct V { using W = uint4; union { W vec; T elt[N]; } data; };",
            "V<float, 4>",
            "data.",
        ),
    ],
)
def test_a_vector_is_read_by_its_elements(declared: str, name: str, prefix: str, target: str, compiled: int) -> None:
    element = "elt" if prefix == "in." else f"{prefix}elt"
    plain = held("union V { uint4 vec; float elt[4]; };", "V", "vec", "elt", target)
    assert compiled - 4 <= plain <= compiled + 4  # nvcc 13.0.88, clang 19.1.7
    assert held(declared, name, f"{prefix}vec", element, target) == plain
