"""The ledger: what is not known of a kernel is said, and opens the band of its estimate."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from analysis_helpers import facts_of

from regpress_lint.commands.kernels.output import document, lines
from regpress_lint.commands.kernels.rows import kernel_rows, row_of
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source, Span
from regpress_lint.core.uncertainty import Unknown
from regpress_lint.lint.analysis import Analysis
from regpress_lint.model.estimate.open_band import opened
from regpress_lint.model.estimate.registers import RegisterEstimate
from regpress_lint.targets.occupancy import architecture

if TYPE_CHECKING:
    from regpress_lint.commands.kernels.rows import KernelRow
    from regpress_lint.core.uncertainty import Opens
    from regpress_lint.facts.kernel import KernelFacts

ROOT = Path(__file__).resolve().parents[2]
TARGETS = ("sm_90", "gfx90a", "pvc")


def entries(facts: KernelFacts, target: str = "sm_90") -> list[tuple[str, str]]:
    return [(each.kind, each.name) for each in facts.unknowns(target)]


def rows(text: str) -> list[KernelRow]:
    return list(kernel_rows(Analysis(Source("k.cu", text.encode()), "cuda", Settings(architectures=TARGETS))))


@pytest.mark.parametrize(
    ("opens", "at_most", "band"),
    [
        ("up", None, (10, 255)),
        ("up", 7, (10, 37)),
        ("up", 0, (10, 30)),
        ("down", 4, (6, 30)),
        ("down", None, (1, 30)),
        ("both", 20, (1, 50)),
        ("nothing", None, (10, 30)),
    ],
)
def test_band_opens_to_the_side_of_the_unknown(opens: Opens, at_most: int | None, band: tuple[int, int]) -> None:
    unknown = Unknown("store", "p", "k.cu", Span(0, 1), "", opens, at_most)
    found = opened(RegisterEstimate(10, 20, 30, 8), (unknown,), architecture("sm_90"))
    assert ((found.low, found.high), found.estimate, found.scratch_bytes) == (band, 20, 8)


def test_already_loose_band_does_not_open_further() -> None:
    unknown = Unknown("callee", "f", "k.cu", Span(0, 1), "", "both")
    estimate = RegisterEstimate(10, 20, 30, 0)
    assert opened(estimate, (unknown,), architecture("sm_90")) == estimate


def test_size_defined_by_the_build() -> None:
    text = (
        "__global__ void k(float* a, int n) { short g[MAX_LEN]; for (int i = 0; i < n; ++i) g[i] = a[i]; a[0] = g[n]; }"
    )
    for target in TARGETS:
        (found,) = facts_of(text).unknowns(target)
        assert (found.kind, found.name, found.matters) == ("size", "g", True)
        assert "`MAX_LEN` is not defined; `--define MAX_LEN=...`" in found.text
    assert not facts_of("#define MAX_LEN 64\n" + text).unknowns("sm_90")


def test_an_argument_of_a_template_that_no_instantiation_settles() -> None:
    text = "template <int N> __global__ void k(float* a) { float v[N]; v[0] = a[0]; a[1] = v[threadIdx.x]; }"
    (found,) = facts_of(text).unknowns("gfx90a")
    assert found.kind == "size"
    assert "no instantiation says what the template argument `N` is" in found.text
    assert not facts_of(text + " void f(float* a) { k<4><<<1, 64>>>(a); }").unknowns("gfx90a")


def test_call_without_visible_definition() -> None:
    facts = facts_of(
        "__device__ int own(int x); __global__ void k(int* a) { a[0] = own(a[1]) + other(a[2]) + abs(a[3]); }"
    )
    assert entries(facts) == [("callee", "other")]


def test_a_function_of_the_program_may_have_a_name_of_opencl() -> None:
    own, known = (facts_of(f"__global__ void k(float* o, const float* p, int i) {{ o[i] = {call}; }}") for call in
                  ("step(p, i)", "step(p[i], 3.0f)"))  # fmt: skip
    assert entries(own) == [("callee", "step")]
    assert entries(known) == []


def test_a_macro_may_bring_the_semicolon_of_its_statement() -> None:
    macro = "#define ROTATE(x, n) (((x) >> (n)) | ((x) << (32 - (n))));\n"
    body = "unsigned x = ROTATE(a[n], 7) x += n; for (int i = 0; i < n; ++i) a[i] = ROTATE(x + i, 9) }"
    facts = facts_of(f"{macro}__global__ void k(unsigned* a, int n) {{ {body}", "cuda")
    assert entries(facts) == []


def test_call_in_an_unrolled_loop_is_one_entry() -> None:
    facts = facts_of("__global__ void k(int* a) { for (int i = 0; i < 8; ++i) a[i] = other(a[i + 8]); }")
    assert entries(facts) == [("callee", "other")]


@pytest.mark.slow
def test_oversized_kernel_is_cut_off_and_reported() -> None:
    body = "\n".join(f"a[{i}] = a[{i + 1}] * a[n + {i}];" for i in range(3_500))
    facts = facts_of(f"__global__ void k(float* a, int n) {{ {body} }}")
    ((kind, name),) = entries(facts)
    assert (kind, name) == ("limit", "k")
    assert facts.target("sm_90").registers.high == 255


@pytest.mark.parametrize(("calls", "whole"), [(200, True), (1_000, False)])
def test_a_kernel_of_which_little_is_known_is_not_executed_to_its_end(calls: int, whole: bool) -> None:
    body = "\n".join(f"a[{i}] = other(a[n + {i}]);" for i in range(calls))
    facts = facts_of(f"__global__ void k(float* a, int n) {{ {body} }}")
    assert (("limit", "k") not in entries(facts)) == whole
    assert facts.target("sm_90").registers.high == 255


def test_entries_of_the_front_end_count() -> None:
    facts = facts_of("__global__ void k(float* a) { a[0] = 1; }")
    own = Unknown("macro", "DIM_3D", facts.file.path, Span(0, 1), "`DIM_3D` is not defined")
    facts.kernel.unknowns = (own,)
    assert facts.unknowns("sm_90") == (own,)
    assert facts.decisive_unknowns("sm_90") == (own,)
    assert facts.target("sm_90").registers.high == 255


def test_json_and_text_have_it_and_the_kernel_is_not_complete() -> None:
    (row,) = rows("__global__ void k(int* a) {\n  int g[N];\n  a[0] = g[a[1]];\n}")
    assert not row.complete
    entry = document([row])["kernels"][0]["targets"]["gfx90a"]["unknown"][0]
    assert {key: entry[key] for key in ("kind", "name", "path", "line")} == {
        "kind": "size",
        "name": "g",
        "path": "k.cu",
        "line": 2,
    }
    assert row_of(json.loads(json.dumps(row))) == row
    shown = list(lines([row], 200))
    at = next(number for number, line in enumerate(shown) if "sm_90" in line)
    assert shown[at + 1].startswith("  ? the size of `g` is not known: `N` is not defined")
    assert "(line 2)" in shown[at + 1]
    assert sum("the size of" in line for line in shown) == 1  # not again for the other targets


def test_complete_kernel_has_no_entries() -> None:
    (row,) = rows("__global__ void k(float* a) { float v[4] = {}; v[2] = a[0]; a[1] = expf(v[2]) + rsqrtf(a[2]); }")
    assert row.complete
    assert not any(target.unknown for target in row.targets)


def test_schemas_have_the_kinds_of_the_ledger() -> None:
    source = (ROOT / "regpress_lint/core/uncertainty.py").read_text()
    kinds = re.findall(r'"(\w+)"', source.partition("Kind: TypeAlias = Literal[")[2].partition("]")[0])
    for name in ("kernels", "pressure"):
        schema = json.loads((ROOT / f"schemas/{name}.v1.schema.json").read_text())
        assert schema["$defs"]["unknown"]["properties"]["kind"]["enum"] == kinds


def test_unused_name_is_not_a_call() -> None:
    facts = facts_of("__global__ void k(int* a, int n) { amrex::ignore_unused(n); a[0] = 1; }")
    assert not facts.unknowns("gfx90a")


def test_macro_passed_to_a_macro_is_expanded() -> None:
    facts = facts_of(
        "#define F(x, y, z) ((x & y) | (~x & z))\n"
        "#define ROUND(a, b, c, d, w, func) { a += func(b, c, d) + w; a = b + ((a << 7) | (a >> 25)); }\n"
        "__global__ void k(const unsigned* in, unsigned* out) {\n"
        "  unsigned a = in[0], b = in[1], c = in[2], d = in[3];\n"
        "  ROUND(a, b, c, d, 7u, F) ROUND(d, a, b, c, 9u, F)\n"
        "  out[threadIdx.x] = a + d;\n"
        "}\n"
    )
    assert entries(facts) == []


def test_an_error_in_a_declaration_opens_the_band_by_its_line() -> None:
    """Its variable is not known either: two registers for one operator were a narrow band around nothing."""
    line = "float w(a[0] @@ a[1]);"
    (entry,) = facts_of(f"__global__ void k(float* a) {{\n{line}\na[2] = w; }}").unknowns("sm_90")
    assert entry.at_most == len(line)


@pytest.mark.parametrize(("before", "open_"), [("#define BODY(S) int t = threadIdx.x; { S; }\n", True), ("", False)])
def test_error_beside_a_macro_opens_the_band_without_a_limit(before: str, open_: bool) -> None:
    facts = facts_of(before + "__global__ void k(float* p) { BODY(auto& d = p[t]; d = 1) p[0] = 2; }\n")
    (most,) = {each.at_most for each in facts.unknowns("gfx90a") if each.kind == "limit"} or {0}
    assert (most is None) is open_


GROUP_SUM = """
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(const float* x, float* y) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  y[threadIdx.x] = cg::reduce(warp, x[threadIdx.x], cg::plus<float>{});
}
"""
BLOCK = """
#include <cub/cub.cuh>
__global__ void k(const TYPE* x, TYPE* y) {
  typedef cub::NAME<TYPE, 128> Blocks;
  __shared__ typename Blocks::TempStorage storage;
  TYPE mine = x[threadIdx.x];
  y[threadIdx.x] = Blocks(storage).DOES(mine, cub::Max());
}
"""


def block(name: str, does: str, type_: str) -> str:
    return BLOCK.replace("NAME", name).replace("DOES", does).replace("TYPE", type_)


@pytest.mark.parametrize("text", [GROUP_SUM, block("BlockReduce", "Reduce", "float")])
def test_group_sums_and_their_operators_are_known(text: str) -> None:
    assert entries(facts_of(text)) == []
    (row,) = rows(text)
    assert row.complete


@pytest.mark.parametrize("name", ["InclusiveScan", "Max"])
def test_scans_and_sums_of_large_types_have_an_entry(name: str) -> None:
    text = block("BlockScan", name, "int") if name != "Max" else block("BlockReduce", "Reduce", "double4")
    assert [kind for kind, _ in entries(facts_of(text))] == ["callee"]


@pytest.mark.parametrize(
    ("parameters", "body", "names"),
    [
        ("const Body* in, Body* out", "out[i] = in[i];", ["Body"]),
        ("const Body* in, float* out", "out[i] = in[i].x * in[i].y;", ["Body"]),
        ("Body* p, float* out", "out[i] = p->x;", ["Body"]),
        ("Body* p, float* out", "out[i] = (*p).x + first(p[i]);", ["Body"]),
        ("Body b, float* out", "out[i] = b.x * b.y;", ["Body"]),
        ("const Part* in, float* out", "out[i] = in[i].at.x;", ["Vec"]),
        ("const Part* in, float* out", "out[i] = in[i].mass;", []),
        ("Body* p, float* out", "out[i] = 1.0f;", []),
        ("void* p, float* out", "out[i] = static_cast<float*>(p)[i];", []),
    ],
)
def test_an_undeclared_type_opens_the_band(parameters: str, body: str, names: list[str]) -> None:
    before = "struct Part { Vec at; float mass; };\n__device__ float first(const Body& b) { return b.x; }\n"
    facts = facts_of(f"{before}__global__ void k({parameters}) {{ int i = threadIdx.x; {body} }}", "cuda")
    assert entries(facts) == [("type", name) for name in names]
    if body == "out[i] = in[i];":  # nvcc has 26 registers for it where `Body` is eight floats, or eight doubles
        assert facts.target("sm_90").registers.high >= 26


def test_an_entry_of_a_type_quotes_its_expression_with_its_parentheses() -> None:
    body = "*(Body*)out = *reinterpret_cast<const Body*>(in + threadIdx.x - n);"
    facts = facts_of(f"__global__ void k(const float* in, float* out, int n) {{ {body} }}", "cuda")
    (text,) = (each.text for each in facts.unknowns("sm_90") if each.kind == "type")
    assert text.startswith("the type of `*(in + threadIdx.x - n)` is not known: `Body` is not visible, ")


def test_a_base_may_have_the_name_of_its_class() -> None:
    before = "namespace mine { template <int N> struct tile : public theirs::tile<N> { int rank; }; }\n"
    body = "mine::tile<4> t; t.rank = a[0]; a[1] = t.rank * 3;"
    facts = facts_of(f"{before}__global__ void k(int* a) {{ {body} }}", "cuda")
    assert not [entry for entry in entries(facts) if entry[0] == "limit"]


def test_an_open_pointer_to_a_member_is_in_the_ledger() -> None:
    text = """struct P { float x, y; };
    __global__ void k(float* b, P* a, float P::*m) { b[0] = a[0].*m; }"""
    assert {*entries(facts_of(text, "cuda"))} == {("callee", ".*")}


def test_a_hidden_member_of_a_base_is_in_the_ledger() -> None:
    text = """struct B { float x; }; struct D : B { float x; };
    __global__ void k(float* b, float* a) { D d{{a[0]}, a[1]}; b[0] = d.x; }"""
    assert ("callee", "D") in entries(facts_of(text, "cuda"))


def test_a_function_of_a_class_that_is_called_like_a_routine_gives_its_objects() -> None:
    text = """namespace own {
    template <typename T> struct Dual { T value, slope; };
    template <typename T> __device__ Dual<T> operator-(const Dual<T>& a, const Dual<T>& b) {
      return {a.value - b.value, a.slope - b.slope}; }
    template <typename T> __device__ Dual<T> sqrt(const Dual<T>& a) {
      T r = ::sqrt(a.value); return {r, a.slope / (r + r)}; }
    }
    __global__ void k(float* out) {
      own::Dual<float> x{out[0], 1.0f};
      own::Dual<float> y = own::sqrt(x) - x;
      out[1] = y.value * y.slope; }"""
    assert not entries(facts_of(text, "cuda"))


def test_a_class_in_view_is_not_called_invisible() -> None:
    text = "struct Gen { int n; lib::key_type key; };\n__global__ void k(int* o) { Gen g; g.n = o[1]; o[0] = g.n; }"
    facts = facts_of(text, "cuda")
    (entry,) = (one for one in facts.unknowns("sm_90") if one.kind == "type")
    assert "the type of `key` in `Gen` is not visible" in entry.text


def test_a_switch_into_a_loop_is_in_the_ledger() -> None:
    """Duff's device: 15 was said for 36 registers (clang 19.1.7, gfx90a). A loop within a case is none."""
    body = "int c = n; switch (n & 1) {{ case 0: do {{ o[c] = 1; {} o[n] = c; }} while (--c > 0); }}"
    kernel = "__global__ void k(int *o, int n) {{ {} }}"
    entered, whole = (facts_of(kernel.format(body.format(label))) for label in ("case 1:", ""))
    assert [one.kind for one in entered.unknowns("gfx90a")] == ["loop"]
    assert not whole.unknowns("gfx90a")
