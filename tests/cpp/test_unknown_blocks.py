"""Blocks behind macros that no file defines: `MY_KERNEL_LOOP(i, n) { ... }` without its header."""

from __future__ import annotations

import pytest
from frontend_helpers import build, kernel, nodes, variables

from regpress_lint.core.settings import Settings
from regpress_lint.cpp.syntax_tree import Assign, Loop
from regpress_lint.facts.kernel import kernel_facts

_BODY = "{ float s = 0; for (int k = 0; k < 16; k++) s += a[i * 16 + k] * a[i * 16 + 15 - k]; o[i] = s; }"
_HEAD = "__global__ void f(const float *a, float *o, int n) "
_STRIDE = "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)"


def _registers(text: str, name: str) -> int:
    file = build(text)
    return kernel_facts(file, file.kernels[-1], Settings(architectures=(name,))).target(name).registers.estimate


@pytest.mark.parametrize("target", ["gfx90a", "sm_90"])
@pytest.mark.parametrize("macro", ["MY_KERNEL_LOOP(i, n)", "FOR_EACH_INDEX(int i, n)", "GRID_STRIDE(i, n, int)"])
def test_undefined_loop_macro_costs_as_much_as_a_loop(macro: str, target: str) -> None:
    assert _registers(f"{_HEAD}{{ {macro} {_BODY} }}\n", target) == _registers(
        f"{_HEAD}{{ {_STRIDE} {_BODY} }}\n", target
    )


@pytest.mark.parametrize(
    "macro",
    ["MY_KERNEL_LOOP(i, n)", "MY_KERNEL_LOOP(i, n * 2)", "ON_LANE(i, n)", "each_lane(i, n)", "LOOP(i, 0, n, 2)"],
)
def test_the_kernel_counts_as_not_read_whole_at_the_macro(macro: str) -> None:
    text = f"{_HEAD}{{ {macro} {_BODY} }}\n"
    found = kernel(text)
    assert not found.complete
    assert [text[span.start : span.end] for span in found.function.unparsed] == [macro]
    assert "s" in variables(found.function)


@pytest.mark.parametrize("name", ["CUDA_KERNEL_LOOP", "CUDA_1D_KERNEL_LOOP", "GPU_1D_KERNEL_LOOP"])
def test_the_macros_of_libraries_are_known(name: str) -> None:
    found = kernel(f"#include <c10/cuda/CUDAMacros.h>\n{_HEAD}{{ {name}(i, n) {_BODY} }}\n")
    assert found.complete
    assert len(nodes(found.function, Loop)) == 2


def test_third_argument_requests_a_type() -> None:
    found = kernel(f"{_HEAD}{{ CUDA_KERNEL_LOOP_TYPE(i, n, long long) {_BODY} }}\n")
    assert found.complete
    assert variables(found.function)["i"].type.size == 8


def test_visible_definition_wins() -> None:
    define = "#define CUDA_KERNEL_LOOP(i, n) for (short i = 0; i < n; i++)\n"
    found = kernel(f"{define}{_HEAD}{{ CUDA_KERNEL_LOOP(i, n) {_BODY} }}\n")
    assert found.complete
    assert variables(found.function)["i"].type.size == 2


def test_function_started_by_a_macro_is_not_a_loop() -> None:
    text = "TEST_LOOP(Suite, Name) { run(); }\nnamespace x {\nTEST_LOOP(Other, Name) { run(); }\n}\n"
    (found,) = build(text + "__global__ void g(int *o) { o[0] = 1; }\n").kernels
    assert found.complete


@pytest.mark.parametrize("target", ["gfx90a", "sm_90"])
def test_zero_passed_to_a_view_is_not_a_block(target: str) -> None:
    """`v(i, j) = 0;` looks like the declaration of a pure virtual function."""
    view = "struct View { float *p; __device__ float &operator()(int i, int j) const { return p[i * 64 + j]; } };\n"
    text = f"{view}__global__ void f(View v, int n) {{ int i = threadIdx.x; {{ v(i, n) = ZERO; }} v(n, i) = ZERO; }}\n"
    found = kernel(text.replace("ZERO", "0"))
    assert found.complete
    assert len(nodes(found.function, Assign)) == 2
    assert _registers(text.replace("ZERO", "0"), target) == _registers(text.replace("ZERO", "00"), target)
