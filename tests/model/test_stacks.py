"""Stacks in private arrays: where as much is popped as was pushed, the top is a constant and no array is left."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of, scratch_of

CLASS = """
struct Stack {
  int v[32]; int top;
  __device__ Stack() : top(0) {}
  __device__ void push(int x) { v[top++] = x; }
  __device__ int pop() { return v[--top]; }
  __device__ bool empty() const { return top == 0; }
};
"""
BEGUN = "int st[32]; int top = 0; st[top++] = t; int s = 0; "
POP = "int x = st[--top]; s += in[x]; "


@pytest.mark.parametrize(
    ("body", "amd", "nvidia"),
    [
        (f"{BEGUN} while (top > 0) {{ {POP} }} o[t] = s;", 0, 0),
        (f"{BEGUN} while (top > 0) {{ {POP} if (in[x] > 3) st[top++] = x + 1; }} o[t] = s;", 0, 128),
        (f"{BEGUN} do {{ {POP} if (in[x] > 3) st[top++] = x + 1; }} while (top); o[t] = s;", 0, 128),
        (
            f"{BEGUN} while (top > 0) {{ {POP} if (in[x] > 3) {{ st[top++] = x + 1; st[top++] = x; }} }} o[t] = s;",
            144,
            128,
        ),
        ("Stack s; s.push(t); int r = 0; while (!s.empty()) r += in[s.pop()]; o[t] = r;", 0, 0),
        (
            "int st[32]; int top = 0; for (int i = 0; i < n; ++i) { st[top++] = in[i + t]; st[top++] = in[i + n]; "
            "int a = st[--top]; o[i] = a * st[--top]; }",
            0,
            0,
        ),
    ],
)
def test_a_stack_of_one_element_is_in_registers(body: str, amd: int, nvidia: int) -> None:
    """clang 19.1.7 and nvcc 13.0.88, which does not see that a top of 0 does not come back."""
    head = "__global__ void k(int* o, const int* in, int n) { int t = blockIdx.x * blockDim.x + threadIdx.x;"
    facts = facts_of(f"{CLASS}\n{head} {body} }}\n")
    assert (scratch_of(facts, "gfx90a"), scratch_of(facts, "sm_90")) == (amd, nvidia)
