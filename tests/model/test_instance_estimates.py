"""One estimate from several instantiations, and values that functors, lambdas and class templates give a kernel."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from analysis_helpers import body, facts_of, trace_of
from cli_helpers import run

from regpress_lint.facts.instantiations import MOST, chosen, combined, size
from regpress_lint.model.estimate.registers import RegisterEstimate
from regpress_lint.model.passes import placement
from regpress_lint.program.model import Instance

if TYPE_CHECKING:
    from pathlib import Path

    from regpress_lint.program.model import Kernel

TILE = """
template <typename T, int N> __global__ void tile(const T *a, T *b) {
  T t[N];
  for (int i = 0; i < N; i++) t[i] = a[threadIdx.x + 64 * i];
  __syncthreads();
  for (int i = 0; i < N; i++) b[threadIdx.x * N + N - 1 - i] = t[i] * t[(i + 1) % N];
}
"""
HOST = """int main() {
  tile<float, 4><<<1, 64>>>(0, 0);
  tile<double, 4><<<1, 64>>>(0, 0);
  tile<double, 32><<<1, 64>>>(0, 0);
}
"""


def none() -> Kernel:
    raise AssertionError


def test_the_estimate_is_the_one_in_the_middle_and_the_band_holds_all() -> None:
    one, two, three = RegisterEstimate(8, 10, 14, 0), RegisterEstimate(20, 30, 40, 64), RegisterEstimate(9, 16, 20, 0)
    assert combined([one, two, three]) == RegisterEstimate(8, 16, 40, 0)
    assert combined([one, two]) == RegisterEstimate(8, 30, 40, 64)  # the larger of two: its values explain it
    assert combined([one]) == one


def test_of_many_the_smallest_the_largest_and_some_between_are_executed() -> None:
    many = [Instance(str(n), "a.cu", n, float(n), none) for n in reversed(range(100))]
    weights = [instance.weight for instance in chosen(many)]
    assert len(weights) == MOST
    assert (max(weights), min(weights)) == (99, 0)
    assert chosen(many[:MOST]) == tuple(many[:MOST])


@pytest.mark.parametrize("target", ["gfx90a", "sm_90"])
def test_instantiations_are_estimated_one_by_one(target: str) -> None:
    facts = facts_of(TILE + HOST)
    estimates = {instance.arguments: own.target(target).registers.estimate for instance, own in facts.instances.items()}
    assert list(estimates) == ["float, 4", "double, 4", "double, 32"]
    assert estimates["float, 4"] < estimates["double, 4"] < estimates["double, 32"]
    whole = facts.target(target).registers
    assert whole.estimate == estimates["double, 4"]
    assert whole.low < estimates["float, 4"] < estimates["double, 32"] < whole.high
    assert facts.typical(target).kernel.bindings == {"N": 4}


def test_a_kernel_whose_values_are_spent_keeps_its_smallest_middle_and_largest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever fact is computed first, a rule that walks through the parts sees the inputs of the estimate."""
    monkeypatch.setattr("regpress_lint.facts.instantiations.MOST_WORK", 10)
    more = HOST.replace("int main() {", "int main() {\n  tile<float, 8><<<1, 64>>>(0, 0);")
    facts, other = facts_of(TILE + more), facts_of(TILE + more)
    kept = ["float, 8", "float, 4", "double, 32"]
    assert [own.arguments for own in facts.estimated_on("gfx90a")] == kept
    assert [own.arguments for own in facts.parts_on("gfx90a")] == kept
    walked = [own.arguments for own in other.parts_on("gfx90a") if own.execution("gfx90a").operations]
    assert sorted(map(str, walked)) == sorted(kept)
    whole = facts.target("gfx90a").registers
    assert whole == other.target("gfx90a").registers
    assert whole.high == 4 + max(own.target("gfx90a").registers.high for own in facts.estimated_on("gfx90a"))
    (entry,) = [unknown for unknown in facts.unknowns("gfx90a") if unknown.kind == "instances"]
    assert entry.text.startswith("1 of 4 instantiations was not tried")
    assert entry.matters
    unexecuted = [own for own in facts.instances.values() if not own.executions.work]
    assert [own.arguments for own in unexecuted] == ["double, 4"]


def test_the_largest_is_found_by_numbers_in_the_arguments_of_its_types() -> None:
    """`weight` knows numbers and plain types only."""
    many = [Instance(f"Traits<{n}, {m}, float>", "a.cu", 1, 0.0, none) for n, m in ((8, 6), (256, 15), (1, 3))]
    assert [min(many, key=size), max(many, key=size)] == [many[2], many[1]]


def test_one_instantiation_is_the_kernel_itself() -> None:
    facts = facts_of(TILE + "int main() { tile<float, 4><<<1, 64>>>(0, 0); }\n")
    assert facts.instances == {}
    assert facts.typical("sm_90") is facts
    assert len(facts.kernel.instances) == 1


@pytest.mark.parametrize(
    "host",
    [
        "struct Heavy { __device__ void operator()(int i, float *p) const { BODY } };\n"
        "int main() { run(Heavy()); }",
        "template <class T> struct Heavy { __device__ void operator()(int i, T *p) const { BODY } };\n"
        "int main() { run(Heavy<float>{}); }",
        "void host() { auto heavy = [] __device__ (int i, float *p) { BODY };\nrun(heavy); }",
        "void host() { run([] __device__ (int i, float *p) { BODY }); }",
    ],
)  # fmt: skip
def test_a_functor_or_lambda_of_the_host_is_executed(host: str) -> None:
    body = "float s = 0; for (int j = 0; j < 32; j++) s += p[i + j * 64]; p[i] = sinf(s);"
    before = "template <class F> __global__ void k(F f, float *p) { f(threadIdx.x, p); }\n"
    before += "template <class F> void run(F f) { k<F><<<1, 64>>>(f, nullptr); }\n"
    facts = facts_of(before + host.replace("BODY", body))
    trace = trace_of(facts, "gfx90a")
    assert (trace.execution.unresolved, trace.execution.libraries) == (0, ("sin:f",))
    assert trace.execution.operations > 10


def test_captures_of_a_lambda_are_arguments() -> None:
    facts = facts_of("""
template <class F> __global__ void k(F f) { f(threadIdx.x); }
template <class T> void host(T *out, const T *in, int stride) {
  k<<<1, 64>>>([=] __device__ (int i) { out[i] = in[i * stride] * 2; });
}
int main() { double *d; host(d, d, 3); }
""")
    trace = trace_of(facts, "gfx90a")
    assert trace.execution.unresolved == 0
    assert trace.held.vector >= 2  # a double is read and written


def test_members_of_a_class_template_see_its_arguments() -> None:
    facts = facts_of("""
template <class T, int N> struct Sum {
  static constexpr int kTwice = N * 2;
  T s;
  __device__ void add(const T *p) { for (int i = 0; i < N; i++) s += p[i * 64]; s *= kTwice; }
};
template <class T, int N> __global__ void k(const T *a, T *b) {
  typedef Sum<T, N> S;
  S sum;
  sum.s = S::kTwice;
  sum.add(a + threadIdx.x);
  b[threadIdx.x] = sum.s;
}
int main() { k<double, 8><<<1, 64>>>(0, 0); }
""")
    trace = trace_of(facts, "gfx90a")
    assert (trace.execution.unresolved, trace.execution.loops) == (0, 0)
    assert trace.totals.reads == 16  # eight doubles, the loop unrolled


def test_template_arguments_are_evaluated_at_the_call() -> None:
    facts = facts_of("""
constexpr int lg(int n) { return n > 1 ? 1 + lg(n >> 1) : 0; }
template <int N> __device__ float sum(const float *p) {
  float s = 0;
  for (int i = 0; i < N; i++) s += p[i];
  return s;
}
template <int N> __global__ void k(float *p) {
  constexpr int kLog = lg(N);
  p[threadIdx.x] = sum<kLog * 2>(p) + sum<N / 8>(p);
}
int main() { k<32><<<1, 64>>>(0); }
""")
    trace = trace_of(facts, "sm_90")
    assert (trace.execution.unresolved, trace.execution.loops) == (0, 0)


@pytest.fixture
def tiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tile.cu").write_text(TILE + HOST)


@pytest.mark.usefixtures("tiles")
def test_kernels_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "kernels", "tile.cu", "--arch", "sm_90", "--output-format", "json").out
    (kernel,) = json.loads(out)["kernels"]
    target = kernel["targets"]["sm_90"]
    assert kernel["name"] == "tile"
    assert [(one["arguments"], one["path"], one["line"]) for one in target["instances"]] == [
        ("float, 4", "tile.cu", 9),
        ("double, 4", "tile.cu", 10),
        ("double, 32", "tile.cu", 11),
    ]
    estimates = [one["registers"]["estimate"] for one in target["instances"]]
    assert target["registers"]["estimate"] == sorted(estimates)[1]
    assert target["registers"]["high"] == max(one["registers"]["high"] for one in target["instances"])
    assert {one["scratch_bytes"] for one in target["instances"]} == {0}
    table = run(capsys, "kernels", "tile.cu", "--arch", "sm_90").out
    assert f"{sorted(estimates)[1]} ({min(estimates)}..{max(estimates)})" in table
    assert "instantiations of a template" in table


@pytest.mark.usefixtures("tiles")
def test_very_many_are_listed_but_not_all_are_estimated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    calls = "".join(f"  tile<float, {n}><<<1, 64>>>(0, 0);\n" for n in range(1, 21))
    (tmp_path / "tile.cu").write_text(f"{TILE}int main() {{\n{calls}}}\n")
    out = run(capsys, "kernels", "tile.cu", "--arch", "sm_90", "--output-format", "json").out
    found = json.loads(out)["kernels"][0]["targets"]["sm_90"]["instances"]
    assert len(found) == 20
    assert sum(one["registers"] is not None for one in found) == MOST
    assert all((one["registers"] is None) == (one["scratch_bytes"] is None) for one in found)
    assert found[0]["registers"] is not None
    assert found[-1]["registers"] is not None


@pytest.mark.usefixtures("tiles")
def test_pressure_shows_the_requested_instantiation(capsys: pytest.CaptureFixture[str]) -> None:
    def shown(*names: str) -> list[tuple[str, str, int]]:
        given = [part for name in names for part in ("--kernel", name)]
        out = run(capsys, "pressure", "tile.cu", *given, "--output-format", "json").out
        return [(one["name"], one["arguments"], one["instances"]) for one in json.loads(out)["kernels"]]

    assert shown("tile") == shown() == [("tile", "double, 4", 3)]
    assert shown("tile<double,32>") == [("tile", "double, 32", 3)]
    assert shown("tile<float>") == [("tile", "float, 4", 3)]
    assert shown("tile<double>") == [("tile", "double, 4", 3), ("tile", "double, 32", 3)]
    text = run(capsys, "pressure", "tile.cu", "--kernel", "tile<double, 32>").out
    assert "tile<double, 32>" in text
    assert "one of 3 visible instantiations" in text
    wrong = run(capsys, "pressure", "tile.cu", "--kernel", "tile<char>")
    assert wrong.status == 2
    assert 'no instantiation "tile<char>"; the sources name: tile<float, 4>, ' in wrong.err


@pytest.mark.parametrize(
    ("statement", "reads"),
    [
        ("s += a[4 * k] + a[4 * k + 1];", 8),  # the reads of four iterations are on their way together
        ("if (a[4 * k] > 0) { s += a[4 * k + 1] + a[4 * k + 2] + a[4 * k + 3]; } else { s -= 1; }", 3),  # those of one
    ],
)
def test_reads_of_a_loop_are_counted_by_its_copies_where_it_has_no_branches(statement: str, reads: int) -> None:
    facts = body(f"float s = 0; for (int k = 0; k < n; k++) {{ {statement} }} b[tid] = s;")
    assert facts.written("sm_90").reads == reads


def test_declared_variables_count_by_type() -> None:
    assert [
        body(f"{declared} b[tid] = t[n & 3] + t[0];").written("gfx90a").declared
        - body("b[tid] = 0;").written("gfx90a").declared
        for declared in ("__shared__ float t[64];", "float t[4]; t[tid & 3] = a[n];", "const double *t = (double *)a;")
    ] == [0, 4, 2]


def test_template_kernel_is_cut_off_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest was not executed to its end: the others would not be, either, and each takes as long."""
    monkeypatch.setattr("regpress_lint.model.interpreter.machine.MAX_WORK", 3)
    facts = facts_of(TILE + HOST)
    assert len(facts.instances) > 1
    (only,) = facts.estimated_on("gfx90a")
    assert not only.execution("gfx90a").complete
    assert [own for own in facts.instances.values() if own.executions.work] == [only]


def test_text_of_a_cut_off_template_is_executed_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules use it beside the instantiations, and it would be cut off as well."""
    monkeypatch.setattr("regpress_lint.model.interpreter.machine.MAX_WORK", 30)
    monkeypatch.setattr(placement, "_OF_LARGE_TEXT", 10)
    facts = facts_of(TILE + HOST)
    text = facts.executions.input_for(facts.compiler("gfx90a"))
    assert placement.executed(text).work >= 30
    facts = facts_of(TILE + HOST)
    assert facts.target("gfx90a").registers
    text = facts.executions.input_for(facts.compiler("gfx90a"))
    assert placement.executed(text).work < 30
