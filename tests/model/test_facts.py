"""Facts of whole kernels: launches, LDS, budgets, occupancy, calls and constants."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import NamedTuple

import pytest
from analysis_helpers import body, facts_of, trace_of

from regpress_lint.core.settings import Settings
from regpress_lint.cpp.constants import evaluate
from regpress_lint.facts.kernel import KernelFacts, kernel_facts
from regpress_lint.model.estimate.fit import FITS
from regpress_lint.model.estimate.registers import features
from regpress_lint.targets.occupancy import architecture
from regpress_lint.testing import build

KERNEL = "__global__ void {bounds} k(float *a) {{ {body} a[threadIdx.x] = 1; }}\n"


def test_the_block_size_is_the_largest_launch() -> None:
    facts = facts_of(
        KERNEL.format(bounds="__launch_bounds__(512)", body="")
        + "void go(float *a, int m) { k<<<1, 64>>>(a); k<<<1, 192>>>(a); k<<<1, m>>>(a); }"
    )
    assert (facts.launch.block_size, facts.launch.block_size_from) == (192, "launch")


def test_block_size_comes_from_the_bounds_without_a_launch() -> None:
    facts = facts_of(KERNEL.format(bounds="__launch_bounds__(512)", body=""))
    assert (facts.launch.block_size, facts.launch.block_size_from) == (512, "launch_bounds")


def test_else_it_is_assumed() -> None:
    facts = facts_of(KERNEL.format(bounds="", body=""), settings=Settings(assumed_block_size=128))
    assert (facts.launch.block_size, facts.launch.block_size_from) == (128, "assumed")
    assert facts.targets == ("gfx90a",)


def test_static_and_dynamic_lds_add_up() -> None:
    code = KERNEL.format(bounds="", body="__shared__ float s[16][4]; __shared__ double t; s[0][0] = t = 1;")
    assert facts_of(code).launch.lds_bytes == 264
    assert facts_of(code + "void go(float *a) { k<<<1, 64, 1024>>>(a); }").launch.lds_bytes == 1288


def test_lds_of_an_inlined_function_counts() -> None:
    helper = "__device__ void f() { __shared__ int s[32]; s[threadIdx.x] = 1; }\n"
    assert facts_of(helper + KERNEL.format(bounds="", body="f();")).launch.lds_bytes == 128


def test_unknown_lds_is_reported_as_unknown() -> None:
    code = KERNEL.format(bounds="", body="extern __shared__ float s[]; s[0] = 1;")
    assert facts_of(code).launch.lds_bytes is None
    assert not facts_of(code + "void go(float *a, int m) { k<<<1, 64, m>>>(a); }").launch.lds_known
    assert facts_of(code + "void go(float *a) { k<<<1, 64, 512>>>(a); }").launch.lds_bytes == 512


@pytest.mark.parametrize(
    ("bounds", "gfx90a", "sm_90"),
    [
        ("", 128, 255),
        ("__launch_bounds__(256)", 512, 255),
        ("__launch_bounds__(1024)", 128, 64),
        ("__launch_bounds__(256, 4)", 128, 64),
    ],
)
def test_the_budget_follows_the_launch_bounds(bounds: str, gfx90a: int, sm_90: int) -> None:
    facts = facts_of(KERNEL.format(bounds=bounds, body=""))
    assert (facts.target("gfx90a").budget, facts.target("sm_90").budget) == (gfx90a, sm_90)


def test_lds_limits_occupancy_and_names_the_next_step() -> None:
    code = KERNEL.format(bounds="", body="__shared__ float s[4096]; s[0] = 1;")
    target = facts_of(code + "void go(float *a) { k<<<1, 256>>>(a); }").target("gfx90a")
    assert target.occupancy.limiters == ("lds",)
    assert target.occupancy.waves_per_simd == 4
    assert target.without_registers.waves_per_simd == 4
    assert target.next is not None
    assert target.next.resource == "lds_bytes"


def test_a_small_kernel_has_no_next_step() -> None:
    target = facts_of(KERNEL.format(bounds="", body="")).target("gfx90a")
    assert target.occupancy.fraction == 1.0
    assert target.next is None


def test_impossible_launch_raises_no_error() -> None:
    target = facts_of(KERNEL.format(bounds="", body="") + "void go(float *a) { k<<<1, 2048>>>(a); }").target("sm_90")
    assert target.occupancy.groups == 0


@pytest.mark.slow
def test_the_band_is_in_order_and_within_the_hardware() -> None:
    many = " ".join(f"double s{k} = a[{k}];" for k in range(300)) + " ".join(f"b[{k}] = s{k};" for k in range(300))
    for code in ("b[tid] = 1;", many):
        for name in ("gfx90a", "gfx1100", "sm_90", "pvc"):
            target = body(code).target(name)
            band = target.registers
            assert 1 <= band.low <= band.estimate <= band.high <= target.architecture.max_regs_per_thread
            assert target.best.waves >= target.occupancy.waves >= target.worst.waves


def test_unknown_types_widen_the_band() -> None:
    known = facts_of("__global__ void k(float *a) { float x = a[0]; float y = a[1]; a[2] = x * y; }")
    unknown = facts_of("template <class T> __global__ void k(T *a) { T x = a[0]; T y = a[1]; a[2] = x * y; }")
    assert unknown.target("gfx90a").registers.low <= known.target("gfx90a").registers.low
    assert unknown.target("gfx90a").registers.high >= known.target("gfx90a").registers.high


class Measured(NamedTuple):
    """The compiler's allocation and the estimate, both within the launch bounds' budget."""

    file: str
    target: str
    registers: int
    low: int
    estimate: int
    high: int

    @property
    def inside(self) -> bool:
        return self.low <= self.registers <= self.high


def measured() -> list[Measured]:
    """Every row of testdata/kernels/measured.csv beside the estimate for its file."""
    root = Path(__file__).resolve().parents[2] / "testdata" / "kernels"
    result: list[Measured] = []
    with (root / "measured.csv").open(newline="") as handle:
        for row in csv.DictReader(handle):
            file = build((root / row["file"]).read_text(), row["file"])
            kernel = next(one for one in file.kernels if one.name == row["kernel"])
            target = kernel_facts(file, kernel, Settings()).target(row["target"])
            band = (target.registers.low, target.registers.estimate, target.registers.high)
            taken = int(row["registers"]) + int(row["agprs"])
            result.append(Measured(row["file"], row["target"], taken, *(min(end, target.budget) for end in band)))
    return result


@pytest.mark.slow
def test_most_measured_kernels_are_inside_their_band_and_those_under_pressure_are_near() -> None:
    """One look at all of them, which takes long."""
    rows = measured()
    assert {row.target for row in rows} == {"gfx90a", "gfx1100", "sm_90"}
    outside = [row for row in rows if not row.inside]
    # A band holds nine of ten kernels of HeCBench; these are written to show one smell each, at its worst.
    assert len(outside) <= 0.2 * len(rows), outside
    # Under high pressure they are within a factor of two; none of them was in the fit. nvcc keeps more alive in
    # phase_step, and moves more reads up in live_range_clean; of phase_step_no_pow clang keeps 133 on gfx1100, one more
    # than its band has.
    names = ("lbm/", "smells/launch_bounds", "smells/live_range")
    large = [row for row in rows if row.file.startswith(names)]
    assert {name for name in names for row in large if row.file.startswith(name)} == set(names)
    assert {row.file for row in large if not row.inside} <= {
        "lbm/phase_step.cu",
        "lbm/phase_step_no_pow.hip",
        "smells/live_range_clean.cu",
    }
    for row in large:
        assert 0.55 <= row.estimate / row.registers <= 1.8, row


def held(count: int, value: str) -> KernelFacts:
    """A kernel that makes `count` doubles of the given form and stores them only after the last one is made."""
    made = "".join(f"double s{k} = {value.format(k=k)};\n" for k in range(count))
    stored = "".join(f"out[tid + {k} * n] = s{k};\n" for k in range(count))
    return body(made + "__syncthreads();\n" + stored, "const double *in, double *out, int n, double t")


@pytest.mark.parametrize("target", ["gfx90a", "gfx1100", "sm_90", "pvc"])
@pytest.mark.parametrize("count", [24, 48, 72])
def test_loaded_values_take_at_least_their_own_registers(target: str, count: int) -> None:
    registers = held(count, "in[tid + {k} * n]").target(target).registers
    assert registers.estimate >= 2 * count
    assert registers.high > 2 * count


def test_values_carried_by_a_loop_take_at_least_their_own_registers() -> None:
    sums = ", ".join(f"s{k} = 0.0" for k in range(40))
    steps = " ".join(f"s{k} += x * (x - {k});" for k in range(40))
    stores = " ".join(f"out[tid + {k} * n] = s{k};" for k in range(40))
    code = f"double {sums}; for (int i = 0; i < n; i++) {{ double x = in[tid + i * n]; {steps} }} {stores}"
    facts = body(code, "const double *in, double *out, int n")
    for target in ("gfx90a", "sm_90"):
        assert trace_of(facts, target).held.vector >= 80
        assert facts.target(target).registers.high >= 80


def vector(facts: KernelFacts, target: str) -> int:
    return trace_of(facts, target).held.vector


def test_values_that_are_cheap_to_work_out_again_are_made_where_they_are_used() -> None:
    assert vector(held(48, "tid + {k}"), "gfx90a") < 12
    assert vector(held(48, "in[tid + {k}]"), "gfx90a") >= 96


def test_uniform_value_takes_no_vector_registers_on_amd() -> None:
    facts = held(48, "in[{k} * n]")
    assert vector(facts, "gfx90a") < 8
    assert trace_of(facts, "gfx90a").held.scalar >= 96
    assert vector(facts, "sm_90") >= 96


def test_values_of_a_callee_count_on_top_of_the_callers() -> None:
    loads = "".join(f"double d{k} = p[{k} * n];" for k in range(10))
    kept = "".join(f"q[{k} * n] = d{k};" for k in range(10))
    helper = f"__device__ void f(const double *p, double *q, int n) {{ {loads} __syncthreads(); {kept} }}"
    own = "".join(f"double e{k} = in[tid + {k} * n];" for k in range(10))
    stored = "".join(f"out[tid + {k} * n] = e{k};" for k in range(10))
    facts = body(f"{own} f(in + tid + 7, out + tid + 7, n); {stored}", "const double *in, double *out, int n", helper)
    assert vector(facts, "gfx90a") >= 40


def test_calls_are_followed_through_device_functions() -> None:
    helpers = (
        "__device__ float g(float x) { return powf(x, 3.0f); }\n"
        "__device__ float f(float x) { float s = 0; for (int i = 0; i < 4; i++) s += g(x); return s; }"
    )
    facts = body("for (int i = 0; i < n; i++) b[i] = f(a[i]);", before=helpers)
    sites = {site.call.name: site for site in facts.calls}
    assert list(sites) == ["f", "g", "powf"]
    assert [function.name for function in sites["powf"].chain] == ["k", "f", "g"]
    assert len(sites["g"].loops) == 1
    assert sites["powf"].loops == ()
    assert sites["f"].loops == (facts.loops[0],)


def test_modified_and_constant_locals() -> None:
    helper = "__device__ void set(int &x) { x = 1; }"
    facts = body(
        "int c = 4; int d = c * 2; int e = 1; e++; int f = 1; set(f); int g = 1; int *p = &g; b[d] = e + f + *p;",
        before=helper,
    )
    by_name = {variable.name: variable for variable in facts.source.variables}
    assert {variable.name for variable in facts.source.modified} == {"e", "f", "g"}
    values = {
        name: evaluate(facts.source.environment.variable(variable), facts.source.environment)
        for name, variable in by_name.items()
    }
    assert (values["c"], values["d"]) == (4, 8)
    assert values["e"] is values["f"] is values["g"] is None


def test_taking_an_elements_address_does_not_modify_the_pointer() -> None:
    facts = body("const float *p = a + 4; b[tid] = __ldg(&p[tid]);")
    assert "p" not in {variable.name for variable in facts.source.modified}


def test_nothing_is_computed_twice() -> None:
    facts = body("float v[4]; for (int i = 0; i < 4; i++) v[i] = a[i]; b[tid] = v[0];")
    assert facts.target("sm_90") is facts.target("sm_90")
    assert facts.loops is facts.loops
    assert facts.arrays is facts.arrays


def test_sycl_kernels_have_facts() -> None:
    facts = facts_of(
        "#include <sycl/sycl.hpp>\nvoid go(sycl::queue &q, float *a) {\n  q.parallel_for(sycl::nd_range<1>(1024, 128),"
        " [=](sycl::nd_item<1> it) {\n    float s = 0;\n"
        "    for (int i = 0; i < 8; i++) s += a[it.get_global_id(0) + i];\n"
        "    a[it.get_global_id(0)] = s;\n  });\n}\n",
        "sycl",
        Settings(),
    )
    assert facts.targets == ("pvc",)
    assert facts.launch.block_size == 128
    assert facts.loops[0].trip_count == 8
    assert facts.target("pvc").registers.estimate > 0


def test_a_larger_estimate_never_has_a_smaller_band() -> None:
    for fit in FITS.values():
        assert min(fit.weights) >= 0
        for certain in (True, False):
            ends = [fit.band(middle, certain=certain) for middle in (step / 10 for step in range(10, 60))]
            lows = [step / 10 + band.low for step, band in zip(range(10, 60), ends, strict=True)]
            highs = [step / 10 + band.high for step, band in zip(range(10, 60), ends, strict=True)]
            assert lows == sorted(lows)
            assert highs == sorted(highs)
            assert all(low <= high for low, high in zip(lows, highs, strict=True))


def test_doubt_about_an_estimate_widens_its_band() -> None:
    """By a third at least, and never more than three times or a third as wide as in the usual kernel."""
    fit = FITS["amd"]
    usual = [fit.usual / sum(fit.spread)] * len(fit.spread)
    assert fit.scale(usual) == pytest.approx(1)
    for number in range(len(usual)):
        more = [one + 2 * (place == number) for place, one in enumerate(usual)]
        wider, before = fit.band(3.0, more, certain=True), fit.band(3.0, usual, certain=True)
        assert 1.3 < (wider.high - wider.low) / (before.high - before.low) <= 3
    most, least = ([end] * len(fit.spread) for end in (99.0, -99.0))
    assert fit.scale(most) == pytest.approx(3)
    assert fit.scale(least) == pytest.approx(1 / 3)
    assert FITS["nvidia"].scale(()) == 1


@pytest.mark.parametrize(("architecture_name", "free"), [("gfx90a", 64), ("gfx1100", 96)])
def test_reads_in_flight_cost_no_wave(architecture_name: str, free: int) -> None:
    """Thirty reads that are all alive anyway, and more that may be in flight: the estimate does not pass the step."""
    values = "\n".join(f"float x{k} = a[tid + {k}];" for k in range(free - 6))
    stores = "\n".join(f"b[tid + {k}] = x{free - 7 - k};" for k in range(free - 6))
    facts = facts_of(f"__global__ void k(const float* a, float* b) {{ int tid = threadIdx.x;\n{values}\n{stores}\n}}")
    trace, arch = trace_of(facts, architecture_name), architecture(architecture_name)
    held = trace.held.vector
    found = features(trace, facts.written(architecture_name), 0, arch)[0]
    assert free - 6 <= held <= free
    assert math.exp(found) - 3 == pytest.approx(free)
