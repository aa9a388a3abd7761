"""Arrays at run-time indices on pvc: which of them exist twice, and the registers of a kernel that holds one."""

from __future__ import annotations

import pytest

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
