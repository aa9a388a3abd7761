"""Which loops over a private array ptxas 13.0.88 leaves a frame for, and what beside them keeps it in registers."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

ONE_BODY = "\n#pragma unroll 1\n"


def is_in_memory(elements: int, loop: str, *, table: bool = False) -> bool:
    values = ", ".join(f"{number * number % 7}.5f" for number in range(elements))
    fill = f"for (int j = 0; j < {elements}; ++j) a[j] = in[t + j * n];"
    array = f"const float a[{elements}] = {{{values}}};" if table else f"float a[{elements}]; {fill}"
    text = f"""#include <cuda_runtime.h>
__global__ void k(float* out, const float* in, const int* ix, int n, int m) {{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = in[t + 76], q = in[t], r = in[t + 1];
  {array}
  {loop.replace("ELEMENTS", str(elements))}
  out[t] = s;
}}
"""
    file = testing.build(text, "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90",)))
    return facts.target("sm_90").registers.scratch_bytes > 0


def sums(count: int) -> str:
    return "".join("s = s * q + r; " if number % 2 else "s = s * r + q; " for number in range(count))


def nested(outer: int, inner: int) -> str:
    over = f"for (int j = 0; j < ELEMENTS; ++j) {{ s = s * a[j] + 1.f; {sums(inner)} }}"
    return f"for (int i = 0; i < n; ++i) {{ {sums(outer)} {ONE_BODY} {over} }}"


@pytest.mark.parametrize(
    ("outer", "inner", "registers", "memory"),
    [(0, 0, 6, 8), (8, 0, 7, 9), (0, 4, 10, 14), (0, 8, 12, 20), (32, 0, 7, 14)],
)
def test_work_in_the_inner_loop_hides_selects_and_in_the_outer_one_it_hardly_does(
    outer: int, inner: int, registers: int, memory: int
) -> None:
    """registers, memory: elements with which the array has registers, and a frame."""
    assert not is_in_memory(registers, nested(outer, inner))
    assert is_in_memory(memory, nested(outer, inner))


@pytest.mark.parametrize(
    ("loop", "registers", "memory"),
    [
        pytest.param("for (int j = 0; j < ELEMENTS; ++j) s = s * a[j] + 1.f;", 8, 12, id="one element after the other"),
        pytest.param("for (int j = 0; j < ELEMENTS && j < n; ++j) s = s * a[j] + 1.f;", 8, 16, id="or some of them"),
        pytest.param("for (int i = 0; i < n; ++i) s = s * a[ix[i] % ELEMENTS] + in[i];", 16, 24, id="any element"),
    ],
)
def test_a_table_that_a_loop_with_one_body_reads(loop: str, registers: int, memory: int) -> None:
    assert not is_in_memory(registers, ONE_BODY + loop, table=True)
    assert is_in_memory(memory, ONE_BODY + loop, table=True)


def test_a_table_that_nvcc_reads_in_fours_needs_no_frame() -> None:
    loop = "for (int j = 0; j < ELEMENTS && j < n; ++j) s = s * a[j] + 1.f;"
    assert not is_in_memory(24, loop, table=True)


def test_a_loop_with_one_body_is_not_read_in_fours() -> None:
    loop = ONE_BODY + "for (int j = 0; j < ELEMENTS && j < n; ++j) a[j] = a[j] * s + 1.f;" + "s += a[0] + a[3];"
    assert not is_in_memory(4, loop)
    assert is_in_memory(12, loop)


@pytest.mark.parametrize(
    ("loop", "registers", "memory"),
    [
        ("for (int i = 0; i < n; ++i) for (int k = 0; k < m; ++k) { s += a[k] * in[i]; a[k] = s; }", 16, 20),
        ("for (int i = 0; i < n; ++i) for (int k = 0; k < m; ++k) s += a[k] * in[i];", 24, 32),
        ("for (int k = 0; k < m; ++k) { s += a[k] * in[k]; a[k] = s; } s += a[0];", 16, 24),
    ],
)
def test_a_loop_that_goes_through_an_array_in_fours(loop: str, registers: int, memory: int) -> None:
    assert not is_in_memory(registers, loop)
    assert is_in_memory(memory, loop)


READ = " for (int j = 0; j < ELEMENTS; ++j) s += a[j];"


def in_two_loops(body: str) -> str:
    return f"{ONE_BODY}for (int i = 0; i < n; ++i) {ONE_BODY}for (int k = 0; k < m; ++k) {{ {body} }}{READ}"


@pytest.mark.parametrize(
    ("loop", "registers", "memory"),
    [
        pytest.param(in_two_loops("float d = in[i * m + k]; if (d < a[ix[i + k]]) a[ix[i + k]] = d;"), 6, 8, id="any"),
        pytest.param(in_two_loops("a[k] = in[i * m + k];"), 8, 10, id="one after the other"),
    ],
)
def test_an_array_that_the_inner_of_two_loops_writes(loop: str, registers: int, memory: int) -> None:
    assert not is_in_memory(registers, loop)
    assert is_in_memory(memory, loop)


@pytest.mark.parametrize("index", ["4 * (ix[i] & 7)", "(ix[i] & 7) << 2", "16 * (ix[i] > 5) + 8 * (q < in[i])"])
def test_an_index_that_steps_by_four_reaches_a_quarter_of_the_elements(index: str) -> None:
    loop = f"{ONE_BODY}for (int i = 0; i < n; ++i) a[INDEX] += in[i];{READ}"
    assert not is_in_memory(32, loop.replace("INDEX", index))
    assert is_in_memory(32, loop.replace("INDEX", "ix[i] & 31"))


SAME = "s = s * a[ix[t] % ELEMENTS] + in[i];"


@pytest.mark.parametrize(
    "loop",
    [
        pytest.param(f"for (int i = 0; i < 16; ++i) {SAME}", id="in sixteen copies"),
        pytest.param(f"{ONE_BODY}for (int i = 0; i < n; ++i) {SAME}", id="in a loop"),
    ],
)
def test_an_element_that_every_iteration_reads_is_read_once(loop: str) -> None:
    """nvcc 13.0.88 has no frame for 4 to 40 elements."""
    assert not is_in_memory(8, loop)
    assert not is_in_memory(24, loop)


def test_an_element_is_read_again_behind_a_write_in_the_loop() -> None:
    """As nvcc has it, with six elements in registers and eight in memory."""
    loop = f"for (int i = 0; i < 16; ++i) {{ {SAME} a[ix[i] % ELEMENTS] = s; }}"
    assert not is_in_memory(4, loop)
    assert is_in_memory(8, loop)


@pytest.mark.parametrize(
    ("loop", "registers", "memory"),
    [
        pytest.param("float* p = a; for (int j = 0; j < n; ++j) { s = s * 2 + *p; p++; }", 4, 8, id="read"),
        pytest.param(
            "float* p = a; for (int j = 0; j < n; ++j) { *p *= 2; p++; } s = a[0] + a[1];", 2, 8, id="written"
        ),
        pytest.param("float* p = a; for (int j = 0; j < n; ++j) s = s * 2 + *p++;", 4, 8, id="while it moves"),
        pytest.param("float* p; p = a; for (int j = 0; j < n; ++j) s = s * 2 + *(p + ix[j]);", 4, 8, id="beside it"),
        pytest.param(
            "float* p = a + ix[t]; for (int j = 0; j < n; ++j) s = s * 2 + p[j];", 2, 8, id="from any element"
        ),
    ],
)
def test_elements_behind_a_pointer_take_selects(loop: str, registers: int, memory: int) -> None:
    assert not is_in_memory(registers, loop)
    assert is_in_memory(memory, loop)


@pytest.mark.parametrize(
    ("work", "registers", "memory"), [pytest.param(0, 64, 0, id="none"), (2, 48, 64), (20, 32, 40), (50, 16, 24)]
)
def test_large_bodies_pick_four_words_from_few_places(work: int, registers: int, memory: int) -> None:
    """Elements of nvcc 13.0.88, up to 64."""
    loop = f"\n#pragma unroll 4\nfor (int i = 0; i < ELEMENTS; ++i) {{ s = s * a[i] + s; {sums(work)} }}"
    assert not is_in_memory(registers, loop)
    assert not memory or is_in_memory(memory, loop)


@pytest.mark.parametrize(("reads", "registers", "memory"), [(1, 24, 40), (3, 10, 28), (5, 8, 20)])
def test_reads_outside_of_loops_are_weighed_against_stores(reads: int, registers: int, memory: int) -> None:
    """nvcc 13.0.88: 31 elements, which take 31 stores, have registers."""
    read = "".join(f"s = s * a[(unsigned)ix[t + {number}] % ELEMENTS] + 1;" for number in range(reads))
    assert not is_in_memory(registers, read, table=True)
    assert reads == 1 or is_in_memory(memory, read, table=True)
    assert reads > 1 or not is_in_memory(31, read, table=True)


@pytest.mark.parametrize(
    ("fill", "memory"),
    [
        ("float a[ELEMENTS] = {0};", False),
        ("float a[ELEMENTS]; for (int j = 0; j < ELEMENTS; ++j) a[j] = in[t + j * n];", True),
    ],
)
def test_equal_elements_take_no_selects(fill: str, memory: bool) -> None:
    """nvcc 13.0.88, of 40 elements that constant indices read as well."""
    text = f"""#include <cuda_runtime.h>
__global__ void k(float* out, const float* in, const int* ix, int n, int m) {{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = in[t];
  {fill}
  s += a[(unsigned)ix[t] % 40u];
  for (int j = 0; j < 40; ++j) out[t + j * n] = a[j];
  out[t] = s;
}}
"""
    file = testing.build(text.replace("ELEMENTS", "40"), "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90",)))
    assert (facts.target("sm_90").registers.scratch_bytes > 0) is memory
