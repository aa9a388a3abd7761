"""Warp roles: who runs which `setmaxnreg`, what a block has for them, and when nvcc ignores it."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import compilers
import pytest
from analysis_helpers import facts_of

from regpress_lint import lint_bytes
from regpress_lint.commands.diff.changes import TargetChange
from regpress_lint.commands.diff.output import moves
from regpress_lint.commands.kernels.output import role_lines
from regpress_lint.commands.kernels.rows import cluster_row, target_row
from regpress_lint.core.settings import RegisterOptions, Settings
from regpress_lint.facts.warp_roles import is_ignored
from regpress_lint.targets.occupancy import architecture

if TYPE_CHECKING:
    from pathlib import Path

    from regpress_lint.commands.kernels.rows import TargetRow
    from regpress_lint.facts.kernel import KernelFacts

SM = Settings(architectures=("sm_90",))
WRAPPERS = """
template <int R> __device__ void more() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;\\n" ::"n"(R)); }
template <int R> __device__ void less() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;\\n" ::"n"(R)); }
"""
DEC, INC = (
    f'asm volatile("setmaxnreg.{way}.sync.aligned.u32 {number};");' for way, number in (("dec", 24), ("inc", 240))
)


def _kernel(body: str, head: str = "__launch_bounds__(384, 1)", more: str = "") -> KernelFacts:
    text = f"{WRAPPERS}__global__ void {head} k(const float* a, float* o, int n) {{ {body} o[threadIdx.x] = a[n]; }}"
    return facts_of(f"{text}\n{more}", "cuda", SM)


def _roles(facts: KernelFacts) -> list[tuple[int, int | None]]:
    assert facts.warp_roles is not None
    return [role[:2] for role in facts.warp_roles.roles]


@pytest.mark.parametrize(
    "body",
    [
        "if (threadIdx.x < 128) { less<24>(); } else { more<240>(); }",
        "int g = threadIdx.x / 128; if (g == 0) { less<24>(); return; } more<240>();",
        "const int g = __shfl_sync(~0u, threadIdx.x >> 7, 0); if (g < 1) less<24>(); else if (g <= 2) more<240>();",
        "switch (threadIdx.x / 128) { case 0: less<24>(); break; default: more<240>(); }",
        "switch (threadIdx.x / 128) { case 0: less<24>(); break; case 1: case 2: { more<240>(); break; } }",
        "if (cutlass::canonical_warp_group_idx() == 0) cutlass::arch::warpgroup_reg_dealloc<24>();"
        " else cutlass::arch::warpgroup_reg_alloc<240>();",
        "if (threadIdx.x < 128) cuda::ptx::setmaxnreg_dec(cuda::ptx::n32_t<24>());"
        " else cuda::ptx::setmaxnreg_inc(cuda::ptx::n32_t<240>{});",
        f"if (threadIdx.x < 128) {{ {DEC} }} else {{ {INC} }}",
        "if (threadIdx.x < 128) { constexpr int regs = 24; less<regs>(); }"
        " else { constexpr int regs = 8 * 30; more<regs>(); }",
    ],
)
def test_every_way_to_write_one_producer_and_two_consumers(body: str) -> None:
    assert _roles(_kernel(body)) == [(24, 1), (240, 2)]


def test_register_count_from_a_template_argument() -> None:
    text = WRAPPERS + (
        "template <int T, int P, int C> __global__ void __launch_bounds__(T, 1) k(float* o) {"
        " if (threadIdx.x < 128) less<P>(); else more<C>(); o[0] = 1; }\n"
        "void run(float* o) { k<384, 40, 232><<<1, 384>>>(o); }"
    )
    assert _roles(facts_of(text, "cuda", SM)) == [(40, 1), (232, 2)]


def test_a_condition_on_a_template_parameter_leaves_two_counts() -> None:
    """As DeepGEMM writes the registers of its math warps."""
    text = f"""{WRAPPERS}
template <int Math> __global__ void __launch_bounds__(384, 1) k(float* o) {{
  constexpr int kMost = Math == 128 ? 248 : 224;
  if (threadIdx.x < 128) less<24>(); else more<kMost>();
  o[threadIdx.x] = 1.0f;
}}"""
    facts = facts_of(text, "cuda", SM)
    assert facts.warp_roles is not None
    assert facts.warp_roles.wanted(168) is None  # whether they fit depends on which of the two it is
    assert [line.partition(" (")[0] for line in role_lines(target_row(facts, lambda *_: 1, "sm_90").roles)] == [
        "128 threads with 24 registers",
        "256 threads with 224 or 248 registers",
    ]


def test_unsettled_condition_gives_no_number() -> None:
    facts = _kernel("if (threadIdx.x / 128 < n) { less<24>(); } else { more<240>(); }")
    assert _roles(facts) == [(24, None), (240, None)]
    assert facts.warp_roles is not None
    assert facts.warp_roles.wanted(168) is None


def test_a_kernel_of_hip_or_without_roles_has_none() -> None:
    assert _kernel("").warp_roles is None
    text = f"__global__ void __launch_bounds__(384) k(float* o) {{ {INC} o[0] = 1; }}"
    assert facts_of(text, "hip").warp_roles is None


def test_a_consumer_has_its_own_registers_and_the_launch_decides_the_waves() -> None:
    target = _kernel("if (threadIdx.x < 128) { less<24>(); } else { more<240>(); }").target("sm_90")
    assert (target.budget, target.begins) == (240, 168)
    assert target.occupancy.waves == 12  # 65,536 / (384 x 168) is one block
    ignored = _kernel("if (threadIdx.x < 128) { less<24>(); } else { more<240>(); }", "__launch_bounds__(384)")
    assert (ignored.target("sm_90").budget, ignored.target("sm_90").begins) == (168, None)


def test_accumulators_of_a_consumer_are_not_reported() -> None:
    body = (
        "__shared__ float t[4096]; int g = threadIdx.x / 128;\n"
        "if (g < 1) { less<24>(); for (int i = threadIdx.x; i < 4096; ++i) t[i] = a[i]; __syncthreads(); return; }\n"
        "more<240>(); float s[160]; __syncthreads();\n#pragma unroll\nfor (int k = 0; k < 160; ++k) s[k] = 0;\n"
        "for (int j = 0; j < n; ++j) { float v = t[(j + threadIdx.x) & 4095];\n"
        "#pragma unroll\nfor (int k = 0; k < 160; ++k) s[k] += v * t[(j * 7 + k) & 4095]; }\n"
        "#pragma unroll\nfor (int k = 0; k < 160; ++k) o[threadIdx.x * 160 + k] = s[k];\n"
    )
    text = f"{WRAPPERS}__global__ void HEAD k(const float* a, float* o, int n) {{ {body} }}"
    with_roles, ignored = (
        {each.code for each in lint_bytes(text.replace("HEAD", head).encode(), "a.cu", SM).diagnostics}
        for head in ("__launch_bounds__(384, 1)", "__launch_bounds__(512)")
    )
    assert with_roles == set()
    assert "RP110" in ignored
    assert ignored & {"RP104", "RP402", "RP109"}


def _row(low: int, high: int) -> TargetRow:
    facts = _kernel(f"if (threadIdx.x < 128) {{ less<{low}>(); }} else {{ more<{high}>(); }}")
    return target_row(facts, lambda _path, _offset: 7, "sm_90")


def test_rows_and_diff_show_the_roles() -> None:
    before, after = _row(40, 232), _row(24, 240)
    assert role_lines(after.roles) == [
        "128 threads with 24 registers (setmaxnreg, line 7)",
        "256 threads with 240 registers (setmaxnreg, line 7)",
    ]
    change = TargetChange("sm_90", before, after)
    assert change.moved
    assert "warp groups have 40/232 -> 24/240 registers" in list(moves(change, "->"))
    assert not TargetChange("sm_90", after, after).moved


def test_diff_shows_clusters_of_blocks() -> None:
    row = _row(40, 232)
    pairs = row._replace(cluster=cluster_row(architecture("sm_90"), 2, 1))
    change = TargetChange("sm_90", row, pairs)
    assert change.moved
    assert list(moves(change, "->")) == ["clusters of 1 -> 2 blocks"]


# Launch bounds, options, accumulators of one `wgmma`, how many of them, and whether nvcc ignores every `setmaxnreg`.
HEADS = [
    ("", RegisterOptions(), 0, True),
    ("__launch_bounds__(384)", RegisterOptions(), 0, True),
    ("__launch_bounds__(384, 0)", RegisterOptions(), 0, True),
    ("__launch_bounds__(384)", RegisterOptions(max_registers=168), 0, True),
    ("__cluster_dims__(2) __launch_bounds__(384)", RegisterOptions(), 0, True),
    ("__launch_bounds__(384, 1)", RegisterOptions(), 0, False),
    ("__launch_bounds__(256, 2)", RegisterOptions(), 0, False),
    ("__maxnreg__(168)", RegisterOptions(), 0, False),
    ("", RegisterOptions(max_registers=168), 0, False),
    ("__launch_bounds__(384)", RegisterOptions(), 52, True),
    ("__launch_bounds__(384)", RegisterOptions(), 56, False),
    ("__launch_bounds__(384, 0)", RegisterOptions(), 128, False),
    ("__launch_bounds__(512)", RegisterOptions(), 64, False),
    ("__launch_bounds__(256)", RegisterOptions(), 100, True),
    ("__launch_bounds__(256)", RegisterOptions(), 104, False),
    ("", RegisterOptions(), 128, True),
]


def _product(accumulators: int) -> tuple[str, str]:
    """A function that adds up in so many registers, and a loop that calls it."""
    if not accumulators:
        return "", INC
    names = ",".join(f"%{at}" for at in range(accumulators))
    held = ", ".join(f'"+f"(d[{at}])' for at in range(accumulators))
    shape, ab = f"m64n{2 * accumulators}k16", f"%{accumulators}, %{accumulators + 1}"
    function = f"""
__device__ void product(float (&d)[{accumulators}], unsigned long long a, unsigned long long b) {{
  asm volatile("wgmma.fence.sync.aligned;");
  asm volatile("{{wgmma.mma_async.sync.aligned.{shape}.f32.bf16.bf16 {{{names}}}, {ab}, 1, 1, 1, 0, 0;}}"
               : {held} : "l"(a), "l"(b));
  asm volatile("wgmma.commit_group.sync.aligned;");
  asm volatile("wgmma.wait_group.sync.aligned 0;");
}}
"""
    every = f"for (int i = 0; i < {accumulators}; ++i)"
    loop = f"float d[{accumulators}]; {every} d[i] = 0; for (int s = 0; s < n; ++s) product(d, s, n);"
    return function, f"{INC} {loop} {every} o[i * n + threadIdx.x] = d[i];"


def _with_product(head: str, accumulators: int) -> str:
    function, consumer = _product(accumulators)
    body = f"if (threadIdx.x < 128) {{ {DEC} }} else {{ {consumer} }} o[threadIdx.x] = 1;"
    return f"{function}__global__ void {head} k(float* o, int n) {{ {body} }}"


@pytest.mark.parametrize(("head", "options", "accumulators", "expected"), HEADS)
def test_when_it_is_ignored(head: str, options: RegisterOptions, accumulators: int, expected: bool) -> None:
    settings = replace(SM, registers=options)
    assert is_ignored(facts_of(_with_product(head, accumulators), "cuda", settings)) is expected


def test_invisible_product_leaves_the_roles_open() -> None:
    facts = _kernel(f"if (threadIdx.x < 128) {{ {DEC} }} else {{ {INC} gemm(o); }}", "__launch_bounds__(384)")
    assert facts.warp_roles is not None
    assert facts.warp_roles.ignored is None
    assert facts.target("sm_90").budget == 240
    text = facts.file.source.data
    assert "RP110" not in {each.code for each in lint_bytes(text, "a.cu", SM).diagnostics}


def test_later_changed_group_number_distinguishes_roles() -> None:
    body = f"int g = threadIdx.x / 128; if (g == 0) {{ {DEC} return; }} --g; {INC} o[g] = 0;"
    assert _roles(_kernel(body)) == [(24, 1), (240, 2)]
    shifted = f"int g = threadIdx.x / 128; --g; if (g == 0) {{ {DEC} return; }} {INC}"
    assert _roles(_kernel(shifted)) == [(240, 2), (24, 1)]
    for changed in ('asm("mov.u32 %0, %1;" : "=r"(g) : "r"(n));', "int& other = g; other = n;"):
        open_ = f"int g = threadIdx.x / 128; {changed} if (g == 0) {{ {DEC} return; }} {INC}"
        assert _roles(_kernel(open_)) == [(24, None), (240, None)], changed
    more = "float* group(int); __device__ bool first(int n);"
    unseen = f"if (first(n)) {{ {DEC} return; }} {INC}"
    assert _roles(_kernel(unseen, more=more)) == [(24, None), (240, None)]
    again = f"int g = threadIdx.x / 128; for (int i = 0; i < n; ++i) {{ if (g == 0) {{ {DEC} return; }} {INC} --g; }}"
    assert _roles(_kernel(again)) == [(24, None), (240, None)]


OPERATOR = """
template <int N_> struct Loop { static constexpr int Unused = 1, N = N_; };
template <class Loop_, int Threads> struct Gemm {
  using Loop = Loop_;
  static constexpr unsigned Most = Threads, Least = 1;
  static constexpr int Load = Loop::N > 64 ? 24 : 40, Mma = Loop::N > 64 ? 240 : 232;
  enum class Role { Producer = 0, First = 1, Second = 2 };
  __device__ void operator()(const float* a, float* o) {
    auto role = Role(__shfl_sync(0xffffffff, threadIdx.x / 128, 0));
    if (role == Role::Producer) { less<Load>(); }
    else if (role == Role::First || role == Role::Second) { more<Mma>(); o[threadIdx.x] = a[threadIdx.x]; }
  }
};
template <class Operator> __global__ void __launch_bounds__(Operator::Most, Operator::Least)
device_kernel(const float* a, float* o) { Operator op; op(a, o); }
using Wide = Gemm<Loop<128>, 384>;
"""


@pytest.mark.parametrize(
    ("named", "expected"),
    [("Wide", (24, 240)), ("Gemm<Loop<128>, 384>", (24, 240)), ("Gemm<Loop<64>, 384>", (40, 232))],
)
def test_a_class_template_has_the_roles(named: str, expected: tuple[int, int]) -> None:
    launch = f"void run(const float* a, float* o) {{ device_kernel<{named}><<<132, 384>>>(a, o); }}"
    facts = facts_of(f"{WRAPPERS}{OPERATOR}{launch}", "cuda", SM)
    assert _roles(facts) == [(expected[0], 1), (expected[1], 2)]
    bounds, target = facts.kernel.launch_bounds, facts.target("sm_90")
    assert bounds is not None
    assert (bounds.max_threads, bounds.min_blocks) == (384, 1)
    assert (target.budget, target.begins) == (expected[1], 168)


def test_roles_come_from_the_median_instantiation() -> None:
    launches = "".join(f"device_kernel<Gemm<Loop<{n}>, 384>><<<132, 384>>>(a, o);" for n in (64, 128))
    facts = facts_of(f"{WRAPPERS}{OPERATOR}void run(const float* a, float* o) {{ {launches} }}", "cuda", SM)
    row = target_row(facts, lambda _path, _offset: 7, "sm_90")
    assert [role.registers for role in row.roles] in ([24, 240], [40, 232])


@pytest.mark.compiler
@pytest.mark.parametrize(("head", "options", "accumulators", "expected"), HEADS)
def test_nvcc_ignores_the_same(
    head: str, options: RegisterOptions, accumulators: int, expected: bool, tmp_path: Path
) -> None:
    compilers.need(".cu")
    path = tmp_path / "k.cu"
    path.write_text(_with_product(head, accumulators))
    option = [f"-maxrregcount={options.max_registers}"] if options.max_registers else []
    command = ["nvcc", "-arch=sm_90a", "-cubin", "-Xptxas", "-v", *option, "-o", str(tmp_path / "k.cubin"), str(path)]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ("'setmaxnreg' ignored" in said.stdout + said.stderr) is expected


@pytest.mark.parametrize(("few", "roles"), [("true", [(56, 1)]), ("false", [(56, 1), (224, 2)])])
def test_role_of_another_instantiation_is_left_out(few: str, roles: list[tuple[int, int]]) -> None:
    text = (
        "template <bool FEW> __global__ void __launch_bounds__(384, 1) k(float* o, const float* a) {\n"
        '  if (threadIdx.x / 128 == 2) { asm volatile("setmaxnreg.dec.sync.aligned.u32 56;"); }\n'
        '  else { if constexpr (!FEW) asm volatile("setmaxnreg.inc.sync.aligned.u32 224;"); o[threadIdx.x] = a[0]; }\n'
        f"}}\ntemplate __global__ void k<{few}>(float*, const float*);\n"
    )
    found = facts_of(text, "cuda").typical("sm_90").warp_roles
    assert found is not None
    assert [(role.registers, role.groups) for role in found.roles] == roles
