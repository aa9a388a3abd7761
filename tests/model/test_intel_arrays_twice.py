"""Arrays at run-time indices on pvc: which of them exist twice, and the registers of a kernel that holds one."""

from __future__ import annotations

import pytest
from analysis_helpers import scratch_of

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

FILL = {
    "zeros": "for (int i = 0; i < N; i++) h[i] = 0;",
    "reads": "for (int i = 0; i < N; i++) h[i] = a[t * N + i];",
    "loop": "\n#pragma unroll 1\nfor (int i = 0; i < N; i++) h[i] = a[t + i * n];",
}
USE = {
    "changed": "for (int i = 0; i < n; i++) h[ix[t + i * 77]] += a[i + t];",
    "read": "for (int i = 0; i < n; i++) b[t + i * 100] = h[ix[t + i * 77]];",
    "once": "h[ix[t]] += a[t];",
}
THEN = {
    "each": "for (int i = 0; i < N; i++) b[t + i * n] = h[i];",
    "loop": "\n#pragma unroll 1\nfor (int i = 0; i < N; i++) b[t * N + i] = h[i];",
    "one": "b[t] = h[ix[t] & 7];",
}
# What ocloc made of them (IGC 1.0.12504): in memory or not, and half of the 64-byte registers alive at the first try.
MEASURED = [
    *(("double", 16, "zeros", "changed", "each", True, 67), ("double", 16, "zeros", "changed", "loop", False, 41)),
    *(("double", 16, "zeros", "once", "each", False, 48), ("double", 20, "zeros", "once", "one", False, 48)),
    *(("double", 16, "reads", "changed", "each", True, 67), ("double", 16, "reads", "changed", "one", False, 50)),
    *(("double", 12, "reads", "read", "each", False, 57), ("double", 16, "reads", "read", "each", True, 73)),
    *(("double", 20, "reads", "read", "one", False, 51), ("float", 32, "reads", "read", "each", True, 72)),
    *(("float", 32, "reads", "changed", "each", False, 51), ("float", 40, "zeros", "changed", "each", True, 64)),
    *(("float", 48, "zeros", "changed", "one", False, 56), ("float", 40, "reads", "once", "loop", False, 51)),
    *(("double", 24, "loop", "once", "loop", False, 60), ("double", 28, "loop", "once", "loop", True, 25)),
    *(("float", 32, "loop", "changed", "loop", False, 43), ("float", 32, "loop", "read", "each", False, 44)),
]


@pytest.mark.parametrize(("kind", "elements", "fill", "use", "then", "in_memory", "alive"), MEASURED)
def test_an_array_exists_twice_where_its_elements_are_values_as_well(
    kind: str, elements: int, fill: str, use: str, then: str, in_memory: bool, alive: int
) -> None:
    body = " ".join((FILL[fill], USE[use], THEN[then])).replace("N", str(elements))
    text = f"""kernel void k(global {kind}* b, global const {kind}* a, global const int* ix, int n) {{
int t = get_global_id(0); {kind} h[{elements}];
{body}
}}
"""
    file = testing.build(text, "k.cl", "opencl")
    found = kernel_facts(file, file.kernels[0], Settings(architectures=("pvc",))).target("pvc").registers
    assert bool(found.scratch_bytes) == in_memory
    assert found.low <= alive <= found.high
    if not in_memory:
        assert abs(found.estimate - alive) <= 0.3 * alive


def memory(declared: str, body: str) -> int:
    """Bytes in memory of an OpenCL kernel."""
    head = "kernel void k(global double* b, global const double* a, int n)"
    file = testing.build(f"{head} {{ int t = get_global_id(0); {declared} {body} }}\n", "k.cl", "opencl")
    return scratch_of(kernel_facts(file, file.kernels[0], Settings(architectures=("pvc",))), "pvc")


ALL = "for (int i = 0; i < 16; i++)"


@pytest.mark.parametrize(
    ("fill", "in_memory"),
    [
        (f"{ALL} h[i] = a[t + i * 7];", True),
        (f"{ALL} h[i] = 0; h[14] = a[t];", False),
        (f"{ALL} h[i] = n; for (int i = 0; i < 5; i++) h[i] = a[t + i];", False),
        (f"{ALL} h[i] = 0; for (int i = 0; i < 11; i++) h[i] = a[t + i * 7];", False),
        (f"\n#pragma unroll 1\n{ALL} h[i] = 0; h[14] = a[t];", False),
        ("h[14] = a[t];", False),
    ],
)
def test_constants_and_equal_values_are_not_there_twice(fill: str, in_memory: bool) -> None:
    """ocloc, IGC 1.0.12504."""
    assert (
        bool(memory("double h[16];", f"{fill} double s = h[n & 15]; {ALL} b[t + i * n] = h[i]; b[t] = s;")) == in_memory
    )


def test_a_large_array_of_few_values_is_in_registers() -> None:
    """ocloc has all of them in registers: of IGC's own, nothing limits the bytes of an array at constant indices."""
    declared = "double h[256];"
    loop = "\n#pragma unroll\nfor (int i = 0; i < 256; i++)"
    assert not memory(declared, f"{loop} h[i] = 0; h[7] = a[t]; double s = 0; {loop} s += h[i]; b[t] = s;")
    assert not memory(declared, "b[t] = a[t];")


@pytest.mark.parametrize(
    "table", ["int h[2] = {3, 7};", "char h[8] = {1, 2, 3, 4, 5, 6, 7, 8};", "short h[4] = {0, 1, 2, 3};"]
)
def test_a_small_table_of_opencl_is_stored_with_the_program(table: str) -> None:
    assert not memory(table, "b[t] = h[n & 1];")
