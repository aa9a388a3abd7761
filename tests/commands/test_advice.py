"""`kernels --advise`: changes are tried on a copy, and only those that gain something are advice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from advice_sources import BINS, EARLY, LOADS, SMALL, STEPS, SUMS, SYCL_BINS, USES
from cli_helpers import ROOT
from corpus import drawn

from regpress_lint.core.diagnostics import Edit
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Span
from regpress_lint.core.uncertainty import Band
from regpress_lint.lint.advice import ranking
from regpress_lint.lint.advice.advice_data import State, gains
from regpress_lint.lint.advice.candidate_changes import attributed, changes
from regpress_lint.lint.advice.ranking import file_advice
from regpress_lint.lint.advice.trials import edited
from regpress_lint.lint.analysis import Analysis, analyse

if TYPE_CHECKING:
    from regpress_lint.lint.advice.advice_data import TargetAdvice

FULL_LDS = """
__global__ void __launch_bounds__(256) tiles(float* x) {
  __shared__ float t[15000];
  t[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = t[255 - threadIdx.x];
}
"""


def _advice(code: str, path: str, arch: str) -> TargetAdvice:
    analysis = analyse(code.encode(), path, Settings(architectures=(arch,)))
    assert isinstance(analysis, Analysis)
    return next(file_advice(analysis)).targets[0]


def _kinds(found: TargetAdvice) -> list[str]:
    return [each.steps[0].kind for each in found.advice]


@pytest.mark.parametrize("arch", ["gfx90a", "sm_90"])
def test_loads_that_a_loop_only_carries_through_are_advised_to_come_later(arch: str) -> None:
    """With the registers that it saves, where it saves them, and the measured gain."""
    found = _advice(EARLY, "a.cu", arch)
    later = next(each for each in found.advice if each.steps[0].kind == "compute-later")
    assert later.steps[0].line == 4
    assert "`e0`" in later.steps[0].title
    assert later.after.waves > later.before.waves
    least, middle, most = later.gained
    assert middle >= 8
    assert least <= middle <= most
    assert later.steps[0].evidence is not None
    assert later.steps[0].evidence.code == "RP301"


def test_after_many_changes_other_kernels_of_a_file_wait_for_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking, "MOST_TRIED", 1)
    code = f"{BINS}{BINS.replace('bins(', 'others(')}"
    analysis = analyse(code.encode(), "a.cu", Settings(architectures=("sm_90",)))
    assert isinstance(analysis, Analysis)
    told: list[tuple[int, int]] = []
    first, second = (kernel.targets[0] for kernel in file_advice(analysis, tell=lambda *each: told.append(each)))
    assert first.tried > 1
    assert (second.tried, second.advice) == (0, ())
    assert second.reason.startswith(f"not tried, after {first.tried} changes in this file; `--advise others`")
    assert sum(kernels for kernels, _ in told) == 2
    assert told[-1][1] == first.tried
    named = next(file_advice(analysis, "others")).targets[0]
    assert named.advice


@pytest.mark.parametrize("arch", ["gfx90a", "sm_90"])
def test_an_array_in_memory_is_advised_into_lds_with_its_price(arch: str) -> None:
    found = _advice(BINS, "a.cu", arch)
    moved = next(each for each in found.advice if each.steps[0].kind == "array-to-lds")
    assert moved.before.memory_bytes >= 96
    assert not moved.after.memory_bytes
    assert moved.after.lds_bytes == 24 * 4 * 128


def test_on_intel_the_modes_of_the_register_file_and_narrow_elements_are_tried() -> None:
    found = _advice(SYCL_BINS, "a.cpp", "pvc")
    kinds = _kinds(found)
    assert {"register-mode", "narrow-type", "array-to-lds"} <= set(kinds)
    mode = found.advice[kinds.index("register-mode")]
    assert not mode.after.memory_bytes
    assert mode.after.waves < mode.before.waves


def _of_intel(kernel: str) -> TargetAdvice:
    path = ROOT / "testdata" / "advice" / "intel.cpp"
    analysis = analyse(path.read_bytes(), str(path), Settings(architectures=("pvc",)))
    assert isinstance(analysis, Analysis)
    return next(file_advice(analysis, kernel)).targets[0]


@pytest.mark.parametrize(
    ("kernel", "kinds"),
    [
        pytest.param("tile", ["sub-group", "register-mode"], marks=pytest.mark.slow),
        pytest.param("two_groups", ["sub-group", "register-mode"], marks=pytest.mark.slow),
        ("copies", ["roll-loop", "sub-group", "register-mode"]),
    ],
)
def test_intel_kernel_beyond_its_registers_is_tried(kernel: str, kinds: list[str]) -> None:
    """IGC spilled 24 of 27 such kernels in testdata/golden, and none once the advice was followed."""
    found = _of_intel(kernel)
    assert _kinds(found) == kinds
    assert found.now.excess
    assert not any(each.after.excess for each in found.advice)


@pytest.mark.parametrize(
    ("code", "arch", "reason"),
    [
        (SMALL, "gfx90a", "no more waves fit"),
        (FULL_LDS, "gfx90a", "LDS limits; registers are free up to"),
        (FULL_LDS, "sm_90", "LDS limits; registers are free up to"),
        (FULL_LDS, "pvc", "LDS limits; registers are free up to 64"),
    ],
)
def test_nothing_is_tried_where_registers_are_free(code: str, arch: str, reason: str) -> None:
    found = _advice(code, "a.cu", arch)
    assert found.reason.startswith(reason)
    assert not found.advice
    assert not found.tried


@pytest.mark.parametrize(
    ("launch", "said"), [("", "if no launch"), ("void f() { wide<<<9, 256>>>(0, 0, 9); }", "every visible launch")]
)
def test_bounds_are_advised_above_clangs_assumption(launch: str, said: str) -> None:
    """Forty doubles carried by a loop: 64 spills under the default of 1,024 threads, none under 256 (clang 19)."""
    reads = " ".join(f"double t{k} = a[i + {k} * n];" for k in range(40))
    steps = " ".join(f"t{k} = t{k} * t{(k + 1) % 40} + j;" for k in range(40))
    writes = " ".join(f"o[i + {k} * n] = t{k};" for k in range(40))
    index = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
    code = f"__global__ void wide(double* o, const double* a, int n) {{ {index} {reads}\n"
    code += f"for (int j = 0; j < n; ++j) {{ {steps} }}\n{writes} }}\n{launch}\n"
    first = _advice(code, "a.cu", "gfx90a").advice[0]
    assert "__launch_bounds__(256)" in first.steps[0].title
    assert said in first.steps[0].title
    assert first.before.excess > first.after.excess == 0


@pytest.mark.parametrize("arch", [pytest.param("gfx90a", marks=pytest.mark.slow), "sm_90"])
def test_a_loop_with_two_groups_of_sums_is_tried_as_two(arch: str) -> None:
    """clang 19 and nvcc 13 went from 86 to 62 and from 80 to 48 registers."""
    sums = "#pragma unroll\n for (int m = 0; m < 32; ++m) {0}[m] += in[i {1} k * 32 {1} m] * {2};"
    write = "#pragma unroll\n for (int m = 0; m < 32; ++m) out[i * 64 + {1} + m] = {0}[m];"
    code = f"""__global__ void __launch_bounds__(256) fused(float* out, const float* in, int n) {{
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  float p[32] = {{}}, r[32] = {{}};
  for (int k = 0; k < n; ++k) {{
{sums.format("p", "+", 2)}
{sums.format("r", "-", 3)}
  }}
{write.format("p", 0)}
{write.format("r", 32)}
}}
"""
    found = next(each for each in _advice(code, "a.cu", arch).advice if each.steps[0].kind == "split-loop")
    assert found.steps[0].line == 4
    assert "`p` / `r`" in found.steps[0].title
    assert found.gained[1] >= 16
    assert found.after.waves > found.before.waves
    together = code.replace("= r[m]", "= r[m] + p[m]")
    assert "split-loop" not in _kinds(_advice(together, "a.cu", arch))


@pytest.mark.slow
def test_initial_values_and_sum_of_a_group_are_around_its_loop() -> None:
    """With zeros that both loops hold IGC keeps 256 bytes in memory, without them none (testdata/evidence/RP303)."""
    path = ROOT / "testdata" / "evidence" / "RP303" / "fused.cpp"
    analysis = analyse(path.read_bytes(), str(path), Settings(architectures=("pvc",)))
    assert isinstance(analysis, Analysis)
    (found,) = (each for each in file_advice(analysis, "wide_smell"))
    split = next(each for each in found.targets[0].advice if each.steps[0].kind == "split-loop")
    after = edited(path.read_bytes(), split.edits)
    assert after is not None
    text = after.decode().partition("void wide_smell")[2].partition("void wide_repaired")[0]
    order = [text.index(each) for each in ("b[0 * n + i] = r0;", "float s1[16];", "float r1 = 0.0f;", "float s2[16];")]
    assert order == sorted(order)
    assert text.count("float r1 = 0.0f;") == text.count("float s1[16];") == 1


@pytest.mark.slow
def test_operand_used_only_by_a_moved_value_moves_with_it() -> None:
    """No name is used behind the loop but through an array, which no one is told to load."""
    sums = " ".join(f"s{k} += a[j * 24 + {k} + i];" for k in range(24))
    names = ", ".join(f"s{k} = 0" for k in range(24))
    uses = " + ".join(f"s{k} * c[{k % 4}]" for k in range(24))
    code = f"""__global__ void __launch_bounds__(256) k(double* o, const double* a, int n) {{
  int i = threadIdx.x;
  double x = a[i];
  double c[4] = {{x, x * 2, x * 3, x * 5}};
  double {names};
  for (int j = 0; j < n; ++j) {{ {sums} }}
  o[i] = {uses};
}}"""
    found = _advice(code, "a.cu", "sm_90")
    assert found.tried or found.reason


@pytest.mark.slow
def test_change_without_gain_is_not_advised() -> None:
    """Every piece of advice has a wave more, or less private memory; never more of that."""
    for code, path, arch in ((EARLY, "a.cu", "sm_90"), (BINS, "a.cu", "gfx90a"), (SYCL_BINS, "a.cpp", "pvc")):
        for each in _advice(code, path, arch).advice:
            before, after = each.before, each.after
            assert after.memory_bytes <= before.memory_bytes
            assert after.waves > before.waves or after.memory_bytes < before.memory_bytes


def test_edits_that_touch_each_other_are_not_made() -> None:
    assert edited(b"abcd", [Edit(Span(3, 4), "y"), Edit(Span(0, 1), "x")]) == b"xbcy"
    assert edited(b"abcd", [Edit(Span(0, 2), "x"), Edit(Span(1, 3), "y")]) is None


def _twins(name: str, parameters: str, size: int, body: str) -> dict[str, tuple[str, str]]:
    """A kernel in HIP and CUDA and as SYCL's lambda, functor and thin lambda: text and file."""
    names = ", ".join(each.split()[-1].lstrip("*") for each in parameters.split(","))
    index = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
    plain = f"__global__ void __launch_bounds__({size}) {name}({parameters}) {{ {index}\n{body} }}\n"
    plain += f"void run({parameters}) {{ {name}<<<64, {size}>>>({names}); }}\n"
    head = "#include <sycl/sycl.hpp>\n"
    given = f"sycl::nd_range<1>(8192, {size})"
    item, work_group = "int i = it.get_global_id(0);", f"[[sycl::reqd_work_group_size({size})]]"
    lambda_ = f"[=](sycl::nd_item<1> it) {work_group} {{ {item}\n{body} }}"
    call = f"void {name}({parameters}, sycl::nd_item<1> it) {{ {item}\n{body} }}\n"
    members = parameters.replace(",", ";")
    functor = (
        f"struct F {{ {members}; {work_group} void operator()(sycl::nd_item<1> it) const {{ {item}\n{body} }} }};\n"
    )
    run = f"void run(sycl::queue& q, {parameters}) {{ q.parallel_for({given}, "
    return {
        "hip": (f"#include <hip/hip_runtime.h>\n{plain}", "a.hip"),
        "cuda": (plain, "a.cu"),
        "lambda": (f"{head}{run}{lambda_}); }}\n", "a.cpp"),
        "functor": (f"{head}{functor}{run}F{{{names}}}); }}\n", "a.cpp"),
        "thin": (f"{head}{call}{run}[=](sycl::nd_item<1> it) {work_group} {{ {name}({names}, it); }}); }}\n", "a.cpp"),
    }


_HISTOGRAM = (
    "float h[24]; for (int k = 0; k < 24; ++k) h[k] = 0;\nfor (int j = 0; j < n; ++j) h[a[j * n + i]] += 1.0f;\n"
)
_HISTOGRAM += "for (int k = 0; k < 24; ++k) b[k * n + i] = h[k];"
_CARRIED = f"{LOADS}{SUMS} for (int j = 0; j < m; ++j) {{ double x = a[j];\n{STEPS} }} b[i] = {USES};"
_UNIFORM = "b[i] = 0.0f; float s = 0.0f;\n" + "".join(f"float w{k} = w[{k}];\n" for k in range(64))
_UNIFORM += (
    "for (int j = 0; j < n; ++j) {" + "".join(f" s += w{k} * a[i + j * {k}];\n" for k in range(64)) + "} b[i] = s;"
)


@pytest.mark.parametrize("form", drawn(["lambda", "hip", "cuda", "functor", "thin"], 5))
@pytest.mark.parametrize(
    ("parameters", "size", "body", "kinds"),
    [
        ("const int *a, float *b, int n", 128, _HISTOGRAM, {"array-to-lds"}),
        ("const double *a, double *b, int m, int n", 256, _CARRIED, {"compute-later", "narrow-type"}),
        ("const float *w, const float *a, float *b, int n", 256, _UNIFORM, {"restrict"}),
    ],
)
def test_the_same_changes_help_a_kernel_in_every_language(
    form: str, parameters: str, size: int, body: str, kinds: set[str]
) -> None:
    """Each in the language's own words."""
    code, path = _twins("k", parameters, size, body)[form]
    found = _advice(code, path, "gfx90a")
    assert {each.steps[0].kind for each in found.advice} - {"fix"} == kinds
    if "restrict" in kinds:
        titles = " ".join(step.title for each in found.advice for step in each.steps)
        assert ("kernel_args_restrict" if form in ("lambda", "functor") else "__restrict__") in titles


@pytest.mark.parametrize("form", ["lambda", "functor", "thin"])
def test_attributes_are_placed_where_sycl_reads_them(form: str) -> None:
    """Behind the parameters of the lambda that is launched, in front of a functor's `operator()`."""
    code, path = _twins("k", "const int *a, float *b, int n", 128, _HISTOGRAM)[form]
    analysis = analyse(code.replace("[[sycl::reqd_work_group_size(128)]]", "").encode(), path, Settings())
    assert isinstance(analysis, Analysis)
    facts = analysis.facts(analysis.file.kernels[0])
    (change,) = attributed(facts, "[[sycl::reqd_sub_group_size(16)]]", "sub-group", "", "RP904")
    after = edited(analysis.source.data, change.edits)
    assert after is not None
    again = analyse(after, path, Settings())
    assert isinstance(again, Analysis)
    assert again.file.kernels[0].sub_group_size == 16
    written = " ".join(after.decode().split())
    assert f"[[sycl::reqd_sub_group_size(16)]] {'void operator()' if form == 'functor' else '{'}" in written


@pytest.mark.slow
def test_values_that_a_loop_only_carries_are_tried_in_lds_with_the_room_that_there_is() -> None:
    """The values with their registers and lines, the barrier that it takes, and the LDS that costs no wave."""
    source = (ROOT / "testdata" / "seeds" / "000_register_pressure.cu").read_bytes()
    analysis = analyse(source, "a.cu", Settings(architectures=("sm_90",)))
    assert isinstance(analysis, Analysis)
    found = next(file_advice(analysis, "lds_spill_smell")).targets[0]
    kept = next(each for each in found.advice if each.steps[0].kind == "value-to-lds")
    assert "`e`: 32 registers, lines" in kept.steps[0].title
    assert "128 bytes of LDS a thread and a barrier" in kept.steps[0].cost
    assert "bytes per thread are free in blocks of 128" in kept.steps[0].cost
    assert kept.after.lds_bytes == 16 * 8 * 128
    assert kept.after.waves > kept.before.waves


def test_an_array_that_a_function_reads_stays_where_it_is() -> None:
    """That function would have to know of the other threads' columns."""
    helper = "__device__ float nth(const float* h, int k) { return h[k]; }\n"
    handed = BINS.replace("= h[k];", "= nth(h, k);")
    assert "array-to-lds" in _kinds(_advice(helper + BINS, "a.cu", "gfx90a"))
    assert "array-to-lds" not in _kinds(_advice(helper + handed, "a.cu", "gfx90a"))


@pytest.mark.parametrize(("index", "rolled"), [("r[k]", False), ("r[0]", True)])
def test_no_loop_that_picks_elements_of_a_private_array_is_advised_to_stay_one(index: str, rolled: bool) -> None:
    """axhelm of HeCBench with `#pragma unroll 1` at such a loop: 132 bytes of scratch become 760."""
    code = f"""
__global__ void steps(const float* a, float* b, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float r[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) r[k] = a[k * n + i];
#pragma unroll
  for (int k = 0; k < 16; ++k) {index} += a[k * n + i + 1] * expf(a[k * n + i]);
  float s = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k) s += r[k];
  b[i] = s;
}}
"""
    analysis = analyse(code.encode(), "a.hip", Settings(architectures=("gfx90a",)))
    assert isinstance(analysis, Analysis)
    facts = analysis.facts(analysis.file.kernels[0])
    titles = [each.title for each in changes(facts) if each.kind == "roll-loop"]
    assert any("line 8" in title for title in titles) == rolled


@pytest.mark.parametrize(("excess", "gained"), [(7, False), (13, True)])
def test_waves_are_given_for_bounds_only_where_the_estimate_is_clearly_beyond(excess: int, gained: bool) -> None:
    band = Band(100, 128 + excess, 180)
    before = State(band, 128, 0, 4, 5, 3, 0, 100, excess)
    after = before._replace(budget=512, waves=3, waves_low=4, waves_high=2, excess=0)
    assert gains(before, after) == gained
    assert gains(before, after._replace(waves=4))


@pytest.mark.parametrize(("threads", "kinds"), [(128, ["array-to-lds"]), (512, [])])
def test_advised_static_shared_memory_stays_within_nvccs_limit(threads: int, kinds: list[str]) -> None:
    """48 KiB: 24 floats of 512 threads compile, 200 bytes of each do not (EvaluateNode of HeCBench: 110,592)."""
    code = BINS.replace("24", "50").replace("__launch_bounds__(128)", f"__launch_bounds__({threads})")
    assert _kinds(_advice(code, "bins.cu", "sm_90")) == kinds


def test_column_beside_another_local_array_is_advised_last_with_a_note() -> None:
    (alone,) = _advice(BINS, "a.cu", "sm_90").advice
    assert "stays in local memory" not in alone.steps[0].cost
    assert alone.steps[0].evidence is not None
    kept = "\n  float w[12];\n#pragma unroll 1\n  for (int k = 0; k < 12; ++k) w[k] = b[k * m] * k;"
    used = "\n#pragma unroll 1\n  for (int k = 0; k < 12; ++k) h[k] += w[11 - k];"
    both = BINS.replace("  float h[24];", f"  float h[24];{kept}").replace("+= 1.0f;", f"+= 1.0f;{used}")
    found = _advice(both, "a.cu", "sm_90")
    last = found.advice[-1]
    assert "array-to-lds" not in _kinds(found)[0]
    assert last.steps[0].cost.endswith("1 array stays in local memory with less L1 cache")
    assert last.steps[0].evidence is None


COUNTED = """
__global__ void __launch_bounds__(256) counted(const unsigned char* a, unsigned* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned short h[64];
  for (int k = 0; k < 64; ++k) h[k] = 0;
#pragma unroll 2
  for (int j = 0; j < m; ++j) {
    ++h[a[j * n + i] & 63];
    h[a[j] & 63] += 2;
  }
#pragma unroll
  for (int k = 0; k < 64; ++k) atomicAdd(&b[k], h[k]);
}
"""


@pytest.mark.parametrize("arch", ["gfx90a", "sm_90"])
def test_summed_counts_are_advised_as_a_block_histogram(arch: str) -> None:
    first = _advice(COUNTED, "a.cu", arch).advice[0]
    assert [step.kind for step in first.steps] == ["block-histogram"]
    assert first.before.memory_bytes >= 128
    assert (first.after.memory_bytes, first.after.lds_bytes) == (0, 256)
    made = edited(COUNTED.encode(), first.edits)
    assert made is not None
    text = made.decode()
    assert "__shared__ unsigned int h[64];" in text
    assert "__syncthreads();\n#pragma unroll 2\n  for (int j" in text
    assert "atomicAdd(&h[a[j * n + i] & 63], 1);\n    atomicAdd(&h[a[j] & 63], 2);" in text
    assert "== 0) {\n#pragma unroll\n  for (int k = 0; k < 64; ++k) atomicAdd(&b[k], h[k]); }" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  unsigned short", "  if (i >= n) return;\n  unsigned short"),  # who has left misses at the barrier
        ("h[k] = 0", "h[k] = k"),
        ("unsigned short", "unsigned long long"),
    ],
)
def test_block_histogram_keeps_the_results(old: str, new: str) -> None:
    assert "block-histogram" not in _kinds(_advice(COUNTED.replace(old, new), "a.cu", "sm_90"))
