"""GPUs that a kernel can be compiled for, by features that its source uses; other GPUs get no findings."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.language import detect_language
from regpress_lint.lint.analysis import Analysis
from regpress_lint.program.gpu_words import _MARKS
from regpress_lint.targets.instructions_table import TABLE

if TYPE_CHECKING:
    from regpress_lint.api import Rule
    from regpress_lint.core.settings import Language

GPUS = ("gfx90a", "gfx1100", "sm_75", "sm_80", "sm_90", "sm_100")
VISA = (
    "mov (M1,16) %0(0,0)<1> 0x7:d",
    "add.sat (M1_NM, 8) V1(0,0)<1> %1(0,0)<1;1,0> 0x1:ud",
    "fence (NoMask, 1)",
    ".decl t v_type=G type=d num_elts=16",
)


def served(text: str, language: Language = "cuda") -> tuple[str, ...]:
    """The GPUs of the first kernel of a text."""
    analysis = Analysis(Source("k.cu", text.encode()), language, Settings(architectures=GPUS))
    return analysis.facts(analysis.file.kernels[0]).targets


def kernel(body: str, before: str = "") -> str:
    return f"{before}\n__global__ void k(float* p) {{\n{body}\n}}\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("p[0] = 1;", GPUS),
        ('asm volatile("" ::: "memory");', GPUS),
        ('asm("mov.u32 %0, %%laneid;" : "=r"(x));', ("sm_75", "sm_80", "sm_90", "sm_100")),
        ('asm volatile("cp.async.commit_group;\\n" ::);', ("sm_80", "sm_90", "sm_100")),
        ('asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {};");', ("sm_75", "sm_80", "sm_90", "sm_100")),
        ('asm("{\\n" "mma.sync.aligned.m16n8k16" ".row.col.f32.f16.f16.f32 {};}");', ("sm_80", "sm_90", "sm_100")),
        ('asm("cp.async.bulk.wait_group 0;");', ("sm_90", "sm_100")),
        ('asm("wgmma.fence.sync.aligned;");', ("sm_90",)),
        ('asm("tcgen05.fence::before_thread_sync;");', ("sm_100",)),
        ('asm volatile("s_waitcnt vmcnt(0)");', ("gfx90a", "gfx1100")),
        ('asm volatile("call f (x, y, 8);");', GPUS),
        ("p[0] = __builtin_amdgcn_mfma_f32_4x4x1f32(1, 1, v, 0, 0, 0)[0];", ("gfx90a",)),
        ("p[0] = __builtin_amdgcn_permlane16(1, 1, 1, 1, 0, 0);", ("gfx1100",)),
        ("p[0] = __builtin_amdgcn_readfirstlane(1);", ("gfx90a", "gfx1100")),
        ("nvcuda::wmma::fill_fragment(f, 0);", ("sm_75", "sm_80", "sm_90", "sm_100")),
        ('// asm("wgmma.fence.sync.aligned;");', GPUS),
        ('const char* s = "wgmma.fence.sync.aligned;";', GPUS),
    ],
)
def test_instruction_restricts_the_gpus_of_a_kernel(body: str, expected: tuple[str, ...]) -> None:
    assert served(kernel(body)) == expected


@pytest.mark.parametrize("instruction", VISA)
def test_lanes_in_front_of_the_operands_are_intels(instruction: str) -> None:
    text = (
        "#include <sycl/sycl.hpp>\nvoid run(sycl::queue &q, int *a) {\n  q.parallel_for(sycl::range<1>(64), "
        '[=](sycl::id<1> i) { int x; asm volatile("' + instruction + '" : "=rw"(x)); a[i] = x; });\n}\n'
    )
    settings = Settings(architectures=("gfx90a", "sm_90", "pvc"))
    analysis = Analysis(Source("k.cpp", text.encode()), "sycl", settings)
    assert analysis.facts(analysis.file.kernels[0]).targets == ("pvc",)


@pytest.mark.parametrize(
    "body",
    [
        '#if __CUDA_ARCH__ >= 800\nasm("cp.async.commit_group;");\n#else\np[0] = 1;\n#endif',
        'p[0] = 2;\n#if __CUDA_ARCH__ >= 900\nasm("griddepcontrol.wait;");\n#endif',
        "#ifdef __HIP_PLATFORM_AMD__\n__builtin_amdgcn_s_sleep(1);\n#else\n__nanosleep(1);\n#endif",
        '__builtin_amdgcn_s_sleep(1); asm("nanosleep.u32 1;");',  # a choice that is not seen
    ],
)
def test_code_for_some_gpus_does_not_restrict_the_kernel(body: str) -> None:
    assert served(kernel(body)) == GPUS


def test_a_kernel_that_is_empty_elsewhere_is_not_for_there() -> None:
    assert served(kernel('#if __CUDA_ARCH__ >= 900\nasm("cp.async.bulk.wait_group 0;");\n#endif')) == (
        "sm_90",
        "sm_100",
    )


def test_functions_and_macros_that_a_kernel_uses_count() -> None:
    function = '__device__ void f() { asm("cp.async.commit_group;"); }\n__device__ void g() { asm("s_nop 0"); }'
    assert served(kernel("f();", function)) == ("sm_80", "sm_90", "sm_100")
    assert served(kernel("COMMIT();", '#define COMMIT() asm volatile("cp.async.commit_group;" ::)')) == GPUS[3:]
    first, other = '__device__ void f() { asm("cp.async.commit_group;"); }', "__device__ void f() {}"
    two = f"#if __CUDA_ARCH__ >= 800\n{first}\n#else\n{other}\n#endif"
    assert served(kernel("f();", two)) == GPUS
    other = '#ifdef A\n#define COMMIT() asm("cp.async.commit_group;")\n#else\n#define COMMIT()\n#endif'
    assert served(kernel("COMMIT();", other)) == GPUS


def test_header_restricts_the_gpus_of_a_file() -> None:
    assert served(kernel("p[0] = 1;", "#include <mma.h>")) == ("sm_75", "sm_80", "sm_90", "sm_100")
    assert served(kernel("p[0] = 1;", "#include <rocwmma/rocwmma.hpp>"), "hip") == ("gfx90a", "gfx1100")
    assert served(kernel("p[0] = 1;", "#ifdef __CUDACC__\n#include <mma.h>\n#endif")) == GPUS


def test_findings_for_other_gpus_are_dropped_and_explained() -> None:
    from regpress_lint.commands.kernels.output import document, lines
    from regpress_lint.commands.kernels.rows import kernel_rows, row_of

    text = kernel('asm("cp.async.commit_group;");\nfor (int i = 0; i < 9; ++i) p[i] = pow((double)p[i], 2.0);')
    found = testing.run(_pow(), text, "k.cu", settings=Settings(architectures=("gfx90a", "sm_80")))
    assert [tuple(each.finding.severities) for each in found] == [("sm_80",)]
    assert testing.run(_pow(), text, "k.cu", settings=Settings(architectures=("gfx90a", "sm_75"))) == ()

    analysis = Analysis(Source("k.cu", text.encode()), "cuda", Settings(architectures=("gfx90a", "sm_80")))
    rows = [row_of(json.loads(json.dumps(row))) for row in kernel_rows(analysis)]
    targets = document(rows)["kernels"][0]["targets"]
    reason = "`cp.async.commit_group` (line 3) is NVIDIA's, from sm_80 on"
    assert targets["gfx90a"]["unserved"] == {"reason": reason, "since": "sm_80", "verdict": "not for this GPU"}
    assert targets["gfx90a"]["registers"]["estimate"] > 0
    assert targets["sm_80"]["unserved"] is None
    assert sum("not for this GPU" in line and reason in line for line in lines(rows)) == 1


def test_the_registers_of_explicit_simd_are_not_estimated() -> None:
    from regpress_lint.commands.kernels.output import document, lines
    from regpress_lint.commands.kernels.rows import kernel_rows
    from regpress_rules import rules

    text = (
        "#include <sycl/sycl.hpp>\nvoid run(sycl::queue &q, float *x) {\n"
        "  q.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i) SYCL_ESIMD_KERNEL { x[i] = pow(x[i], 2.0); });\n}\n"
    )
    settings = Settings(architectures=("gfx90a", "pvc"))
    rows = tuple(kernel_rows(Analysis(Source("k.cpp", text.encode()), "sycl", settings)))
    targets = document(rows)["kernels"][0]["targets"]
    assert [targets[name]["unserved"]["verdict"] for name in targets] == ["not for this GPU", "not estimated"]
    assert sum("not estimated" in line and "laid out by hand" in line for line in lines(rows)) == 1
    found = testing.run(rules(), text, "k.cpp", settings=settings)
    assert [each.code for each in found] == ["RP001"]


def _pow() -> list[type[Rule]]:
    from regpress_rules import rules

    return [rule for rule in rules() if rule.code == "RP201"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("// from sycl::queue and sycl::range\n__global__ void k(float* p) {}", "cuda"),
        ('auto s = "sycl:: sycl:: sycl::";\n#include "hip/hip_runtime.h"\n__global__ void k(float* p) {}', "hip"),
        ("/* hipMalloc hipMemcpy hipFree */\n#include <cuda_runtime.h>\n__global__ void k(float* p) {}", "cuda"),
        ("void bind(sycl::handler& h, sycl::queue& q);\n__global__ void k(float* p) {}", "cuda"),
        ("void f(sycl::nd_item<1> i, sycl::queue& q);\n__global__ void k(float* p) {}", "sycl"),
        ("#include <sycl/sycl.hpp>\n// k<<<1, 1>>>(); m<<<1, 1>>>();\nvoid f(sycl::queue& q) {}", "sycl"),
    ],
)
def test_comments_strings_and_mentions_do_not_decide_the_language(text: str, language: Language) -> None:
    assert detect_language("k.cpp", text.encode()) == language


WORDS = (
    *("__builtin_amdgcn_s_barrier", "__builtin_r600_x", "rocwmma::fragment", "__nvvm_fence", "__reduce_add_sync"),
    *("__nanosleep", "this_cluster", "cg::this_cluster", "__cluster_dims__", "cluster_group", "const CUtensorMap"),
    *("nvcuda::wmma", "cute::copy", "cutlass::half_t", "__pipeline_commit", "cuda::barrier"),
)


def test_skipping_a_file_misses_no_word_of_the_table() -> None:
    rows = [re.compile(row["is"]) for row in TABLE["names"]["rows"]]
    alternatives = sum(len(re.split(r"\|(?![^()]*\))", row["is"])) for row in TABLE["names"]["rows"])
    for word in WORDS:
        assert any(row.match(word) for row in rows), word
        assert any(mark in word.encode() for mark in _MARKS), word
    assert all(any(row.match(word) for word in WORDS) for row in rows)
    assert alternatives <= len(WORDS)  # a new one needs a word here
