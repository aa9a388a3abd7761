"""RP109: the instantiation and bytes that a finding names, and other findings with the same cause."""

from __future__ import annotations

from pathlib import Path

import pytest

from regpress_lint import lint_bytes
from regpress_lint.core.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
_TABLES = """
template <int N>
__global__ void __launch_bounds__(128, 1) tables(const float* __restrict__ in, float* __restrict__ out, int n) {
  int t = threadIdx.x;
  float a[N], b[N], c[N], d[N];
#pragma unroll
  for (int i = 0; i < N; ++i) { a[i] = in[t + i]; b[i] = in[t + i + 7]; c[i] = in[t + i + 9]; d[i] = in[t + i + 11]; }
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    float s = in[k];
#pragma unroll
    for (int i = 0; i < N; ++i) {
      a[i] = a[i] * s + b[i]; b[i] = b[i] - c[i] * s; c[i] = c[i] * s - d[i]; d[i] = d[i] * s + a[i];
    }
  }
#pragma unroll
  for (int i = 0; i < N; ++i) out[t + i * n] = a[i] + b[i] * c[i] - d[i];
}
"""


def _found(text: str, name: str = "a.cu", **given: object) -> list[tuple[str, str, str]]:
    report = lint_bytes(text.encode(), name, Settings(**given))  # type: ignore[arg-type]
    return [(each.code, each.severity.label, each.message) for each in report.diagnostics]


def _instances(*sizes: int) -> str:
    made = (f"template __global__ void tables<{size}>(const float*, float*, int);\n" for size in sizes)
    return _TABLES + "".join(made)


def test_spilling_instantiation_is_named_and_others_fit() -> None:
    ((code, severity, message),) = [each for each in _found(_instances(8, 16, 96)) if each[0] == "RP109"]
    assert (code, severity) == ("RP109", "warning")
    assert message.startswith("`tables<96>` spills on sm_90: its values want about ")
    assert "a thread may have 255" in message
    assert "local memory; the other 2 instantiations fit; alive at line" in message
    assert "`a` (96)" in message
    assert "`d` (96)" in message


def test_spilling_instantiation_is_reported_despite_missing_launch_bounds() -> None:
    """RP101 speaks of the one in the middle, and of what the compiler assumes."""
    text = _instances(8, 25, 44).replace(" __launch_bounds__(128, 1)", "")
    found = _found(text, "a.hip", architectures=("gfx90a",), select=("RP101", "RP109"))
    said = {code: (severity, message) for code, severity, message in found}
    assert said["RP101"][0] == "info"
    assert said["RP109"][0] == "warning"
    assert said["RP109"][1].startswith("`tables<44>` spills on gfx90a")


@pytest.mark.slow
def test_several_that_spill_are_counted() -> None:
    ((_, _, message),) = [each for each in _found(_instances(8, 96, 112)) if each[0] == "RP109"]
    assert message.startswith("`tables<112>` spills")
    assert "so does `<96>` of 3 instantiations" in message


def test_no_finding_if_all_instantiations_fit() -> None:
    assert [each for each in _found(_instances(8, 16, 24)) if each[0] == "RP109"] == []


def test_rule_that_names_the_cause_replaces_rp109() -> None:
    """The bounds leave 64 registers: RP104 says so, and the same spill has no second finding without it."""
    capped = _TABLES.replace("__launch_bounds__(128, 1)", "__launch_bounds__(512, 2)") + _instances(24)[len(_TABLES) :]
    assert "RP104" in {each[0] for each in _found(capped)}
    assert "RP109" not in {each[0] for each in _found(capped)}
    assert "RP109" not in {each[0] for each in _found(capped, ignore=("RP104",))}


def test_values_that_copies_of_a_loop_hold_are_counted_at_the_line_that_makes_them() -> None:
    changed = "const int at = (t + i * 7) % n; a[i] = scaled(a[i], in[at + k]) + b[i];"
    text = "__device__ float scaled(float x, float y) {\n  return pow(x, y);\n}" + _instances(96)
    (message,) = (
        message for code, _, message in _found(text.replace("a[i] = a[i] * s + b[i];", changed)) if code == "RP109"
    )
    assert "alive at line 2: " in message
    assert "`at` (96 in 96 copies)" in message
    assert "`d` (96)" in message


def test_private_memory_of_library_calls_is_information_with_the_calls() -> None:
    text = """
__global__ void turned(const float* in, float* out) {
  int t = threadIdx.x;
  out[t] = sinf(in[t]) + cosf(in[t + 32]);
}
"""
    assert _found(text) == [
        (
            "RP109",
            "info",
            "`turned` has 32 bytes per thread in local memory on sm_90: the slow path of `sinf` and `cosf` for "
            "arguments from 105,615 on",
        )
    ]
    alone = text.replace("cosf(in[t + 32])", "__cosf(in[t + 32])")
    open_ = (
        "`turned` may have 32 bytes per thread in local memory on sm_90: the slow path of `sinf` for arguments from "
        "105,615 on"
    )
    assert _found(alone) == [("RP109", "info", f"{open_}, unless nvcc keeps it in registers")]
    assert _found(alone.replace("sinf", "cosf")) == [
        ("RP109", "info", f"{open_.replace('sinf', 'cosf')}, unless nvcc keeps it in registers")
    ]
    assert _found(alone.replace("sinf", "__sinf")) == []
    doubles = text.replace("float", "double").replace("sinf", "sin").replace("cosf", "cos")
    ((_, _, said),) = _found(doubles)
    assert said.endswith(
        "has 40 bytes per thread in local memory on sm_90: the slow path of `sin` and `cos` for arguments from 2^31 on"
    )


def test_one_block_is_information_at_most() -> None:
    text = _instances(96) + "void run(float* a, float* b) { tables<96><<<1, 128>>>(a, b, 9); }\n"
    assert [each[1] for each in _found(text) if each[0] == "RP109"] == ["info"]


@pytest.mark.slow
def test_the_change_that_ends_it_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the registers are what the estimate of a SYCL kernel on Intel needs; three tables have no such way."""
    folder = ROOT / "testdata" / "rules" / "RP109"
    settings = Settings(select=("RP109",))
    (found,) = lint_bytes((folder / "positive.cpp").read_bytes(), "positive.cpp", settings).diagnostics
    assert "tried: 256 registers a hardware thread" in found.help
    assert "-> 0 bytes of private memory, 8 -> 4 hardware threads per EU on pvc" in found.help
    found, *_ = lint_bytes((folder / "positive.cu").read_bytes(), "positive.cu", settings).diagnostics
    assert "the change that was tried does not end it" in found.help
    monkeypatch.setattr("regpress_lint.lint.advice.trials._MOST_WORK", 10)  # as if the kernel were large
    found, *_ = lint_bytes((folder / "positive.cu").read_bytes(), "positive.cu", settings).diagnostics
    assert "no change was tried, for the kernel is large" in found.help


def test_arrays_in_memory_for_the_same_reason_are_named_in_one_clause() -> None:
    text = """
__device__ void outside(float*, float*, int);
__global__ void k(float* c, int n) {
  float left[24], right[24];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 24; ++k) { left[k] = c[i + k * n]; right[k] = c[i + k * n + 7]; }
  outside(left, right, n);
}
"""
    ((_, severity, message),) = _found(text, "a.hip", architectures=("gfx90a",), select=("RP109",))
    assert severity == "info"
    assert message.endswith(
        "`left` (96 bytes) and `right` (96 bytes) are indexed at run time, or their addresses are passed on"
    )
