"""Functions that are not inlined: their arrays, their arguments, and loops around their calls.

Each kernel here was compiled; the numbers are those of clang 19.1.7 for gfx90a and nvcc 13.0.88 for sm_90.
"""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of, scratch_of

APART = "__device__ __attribute__((noinline)) float"
GPUS = ("gfx90a", "sm_90")
INDEXED = "float a = 0; for (int i = 0; i < n; ++i) a += t[(i * 7) % {0}] * in[i]; return a; }}"
FILLED = "float t[{0}]; for (int i = 0; i < {0}; ++i) t[i] = in[i * n]; " + INDEXED
SUMS = """float t[100]; for (int i = 0; i < n; ++i) t[i] = in[i]; float a = 0;
  for (int i = 0; i < n; ++i) a += t[i] * t[n - 1 - i]; for (int i = 0; i < n; ++i) a = a * t[i] - t[n - 1 - i];
  return a; }"""
CALLER = "__global__ void {0}(float* out, const float* in, int n) {{ int i = threadIdx.x; out[i] = {1}; }}\n"


def scratch(text: str) -> tuple[int, int]:
    facts = facts_of(text)
    return scratch_of(facts, "gfx90a"), scratch_of(facts, "sm_90")


@pytest.mark.parametrize(("elements", "amd", "nvidia"), [(4, 0, 16), (8, 0, 32), (9, 48, 40), (16, 80, 64)])
def test_an_indexed_array_is_in_the_callees_frame(elements: int, amd: int, nvidia: int) -> None:
    callee = f"{APART} f(const float* in, int n) {{ {FILLED.format(elements)}\n"
    assert scratch(callee + CALLER.format("k", "f(in + i, n)")) == (amd, nvidia)


def test_array_of_an_inlined_callee_is_in_the_same_frame() -> None:
    text = f"__device__ inline float g(const float* in, int n) {{ {FILLED.format(4)}\n"
    text += f"{APART} f(const float* in, int n) {{ return 2 * g(in, n); }}\n" + CALLER.format("k", "f(in + i, n)")
    assert scratch(text) == (0, 16)


def test_frames_of_two_callees_lie_in_the_same_place() -> None:
    text = f"{APART} f(const float* in, int n) {{ {FILLED.format(64)}\n{APART} g(const float* in, int n) "
    text += f"{{ {FILLED.format(40)}\n" + CALLER.format("k", "f(in + i, n) + g(in, n)")
    assert scratch(text) == (272, 256)


def test_a_member_that_is_indexed_is_in_the_callees_frame() -> None:
    fill = FILLED.format(6).replace("float t[6]", "Q q").replace("t[", "q.v[")
    text = f"struct Q {{ float v[6]; }};\n{APART} f(const float* in, int n) {{ {fill}\n"
    assert scratch(text + CALLER.format("k", "f(in + i, n)"))[1] == 24


@pytest.mark.parametrize(
    ("others", "is_constant"),
    [
        ("", True),
        (CALLER.format("other", "f(in, 100)"), True),
        (CALLER.format("other", "f(in, 50)"), False),
        (CALLER.format("other", "f(in, n)"), False),
        (f"{APART} g(const float* in, int m) {{ return f(in, m); }}\n" + CALLER.format("other", "g(in, 100)"), True),
        (f"{APART} g(const float* in, int m) {{ return f(in, m); }}\n" + CALLER.format("other", "g(in, 60)"), False),
    ],
)
def test_a_number_is_known_where_all_calls_give_it(others: str, is_constant: bool) -> None:
    """108 registers and no frame for sm_90 where they do, else 31 and 400 bytes."""
    text = f"{APART} f(const float* in, int n) {{ {SUMS}\n" + CALLER.format("k", "f(in + i, 100)") + others
    found = facts_of(text).target("sm_90").registers
    real, frame = (108, 0) if is_constant else (31, 400)
    assert found.scratch_bytes == frame
    assert found.low <= real <= found.high


@pytest.mark.parametrize(("count", "amd", "nvidia"), [(32, 58, 48), (64, 90, 80), (100, 126, 118)])
def test_loop_around_a_call_has_only_the_call(count: int, amd: int, nvidia: int) -> None:
    """The loop is copied, and no two calls are begun together."""
    text = f"""{APART} f(float x) {{ return expf(x) * sinf(x) + powf(x, 1.3f); }}
      __global__ void k(float* out, const float* in) {{ float v[{count}]; int i = threadIdx.x;
        for (int k = 0; k < {count}; ++k) v[k] = f(in[i + k]);
        float a = 0; for (int k = 0; k < {count}; ++k) a = a * v[k] + v[{count - 1} - k]; out[i] = a; }}"""
    facts = facts_of(text)
    assert (scratch_of(facts, "gfx90a"), scratch_of(facts, "sm_90")) == (0, 32)
    for name, real in zip(GPUS, (amd, nvidia), strict=True):
        found = facts.target(name).registers
        assert found.low <= real <= found.high, (name, found)


def test_a_caller_s_array_behind_a_pointer_is_an_open_question_for_nvcc() -> None:
    """32 registers for sm_90: the reads stay behind the writes, which may be to what they read."""
    text = f"""{APART.replace("float", "void")} f(float* acc, const float* a, int n) {{
        for (int i = 0; i < 64; ++i) acc[i] += a[i * n] * a[i]; }}
      __global__ void k(float* out, const float* in, int n) {{ float acc[64] = {{}}; float a = 0;
        for (int k = 0; k < n; ++k) f(acc, in + k, n);
        for (int k = 0; k < 64; ++k) a += acc[k]; out[threadIdx.x] = a; }}"""
    facts = facts_of(text)
    assert [(one.name, one.opens) for one in facts.unknowns("sm_90")] == [("f", "down")]
    assert facts.target("sm_90").registers.low <= 32


@pytest.mark.parametrize("words", ["__noinline__", "__attribute__((noinline))"])
def test_a_macro_may_be_the_word(words: str) -> None:
    text = f"#define APART __device__ {words}\nAPART float f(const float* in, int n) {{ {FILLED.format(4)}\n"
    assert scratch(text + CALLER.format("k", "f(in + i, n)"))[1] == 16
