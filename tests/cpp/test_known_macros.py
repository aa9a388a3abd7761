"""Macros of libraries whose headers are not available."""

from __future__ import annotations

from frontend_helpers import kernel, nodes, variables

from regpress_lint.cpp.syntax_tree import If


def test_shared_memory_of_rocprim() -> None:
    found = kernel("__global__ void k(int *x) { ROCPRIM_SHARED_MEMORY typename A::storage s; x[0] = s.a; }\n", "hip")
    assert found.complete
    assert variables(found.function)["s"].storage == "shared"


def test_a_condition_of_the_compiler() -> None:
    found = kernel("__global__ void k(int *x) { if ROCPRIM_IF_CONSTEXPR(A) { x[0] = 1; } }\n", "hip")
    assert found.complete
    assert len(nodes(found.function, If)) == 1


def test_kernels_of_hemi_without_its_header() -> None:
    assert kernel("HEMI_KERNEL(axpy)(int n, float *x) { x[threadIdx.x] = n; }\n").name == "axpy"


def test_visible_definition_wins() -> None:
    text = "#define ROCPRIM_SHARED_MEMORY\n__global__ void k(int *x) { ROCPRIM_SHARED_MEMORY int s; x[0] = s; }\n"
    assert variables(kernel(text, "hip").function)["s"].storage == "local"
