"""What rules, scratch, budget and waves say of one kernel goes together (`tools/robustness/one_truth.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from analysis_helpers import facts_of
from corpus import TESTDATA, drawn, is_quick

from tools.robustness import one_truth

if TYPE_CHECKING:
    from pathlib import Path

    from regpress_lint.core.settings import Language

ARCHS = ("gfx90a", "sm_90", "pvc")
FILES = [path for path in one_truth.files([str(TESTDATA)]) if "formats" not in path.parts]
SAMPLE = [path for path in FILES if is_quick(path)][::24]
# Kernels that are known to contradict themselves, by file, name and target, and why.
KNOWN: dict[tuple[str, str, str], str] = {
    (
        "private_arrays.cu",
        "table_of_chars",
        "pvc",
    ): "constant tables: IGC has 16 bytes of them by way of HIP and none as OpenCL C, and RP404 is not about Intel"
}


def _found(path: Path) -> list[str]:
    """Contradictions that are not known."""
    found = one_truth.contradictions(path.read_bytes(), path.relative_to(TESTDATA).as_posix(), ARCHS)
    return [
        f"{each.kernel} on {each.target}: {each.kind}: {each.text}"
        for each in found
        if (path.name, each.kernel, each.target) not in KNOWN
    ]


@pytest.mark.parametrize("path", drawn(SAMPLE, 4))
def test_nothing_contradicts_itself_in_a_sample(path: Path) -> None:
    assert not _found(path)


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(TESTDATA).as_posix())
def test_nothing_contradicts_itself(path: Path) -> None:
    assert not _found(path)


def test_a_contradiction_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An array that the facts keep in memory and of which no rule speaks."""
    code = b"""__global__ void k(const int* a, float* b, int m) {
  float h[32];
  for (int k = 0; k < 32; ++k) h[k] = 0;
  for (int j = 0; j < m; ++j) h[a[j] & 31] += 1;
  b[threadIdx.x] = h[m & 31];
}
"""
    assert not list(one_truth.contradictions(code, "a.cu", ("sm_90",)))
    monkeypatch.setattr(one_truth, "ABOUT_ARRAYS", frozenset(("RP401",)))
    assert [each.kind for each in one_truth.contradictions(code, "a.cu", ("sm_90",))] == ["scratch without rule"]


@pytest.mark.parametrize(
    ("index", "scratch"),
    [
        ("STENCIL", 0),  # a constant of a header, most likely
        ("m", 32),
    ],
)
def test_array_indexed_by_unknown_names_is_not_assumed_in_memory(index: str, scratch: int) -> None:
    text = f"""__global__ void k(const double* a, double* b, int m) {{
  double v[4];
  for (int s = 0; s < {index}; s++) v[s] = a[threadIdx.x * 4 + s];
  b[threadIdx.x] = v[0] + v[1] * v[2] - v[3];
}}
"""
    facts = facts_of(text, "cuda")
    assert facts.target("sm_90").registers.scratch_bytes == scratch
    assert not list(one_truth.contradictions(text.encode(), "a.cu", ("sm_90",)))


def test_index_of_more_than_unknown_names_varies() -> None:
    text = """__global__ void k(const float* w, float* o, int n, int step) {
  const int begin = threadIdx.x + blockIdx.x * WIDTH, end = begin + n * step;
  float s[128] = {0};
  for (int t = begin; t < end; t += step) s[(t - begin) / step] = w[t] * 2;
  for (int t = end; t > begin; t -= step) o[t] = s[(t - begin) / step];
}
"""
    assert facts_of(text, "cuda").target("sm_90").registers.scratch_bytes == 512
    assert not list(one_truth.contradictions(text.encode(), "a.cu", ("sm_90",)))


def test_of_one_element_the_index_is_known() -> None:
    text = """__global__ void k(const double* a, double* b, int m) {
  double v[1];
  v[m] = a[threadIdx.x];
  b[threadIdx.x] = v[m];
}
"""
    assert facts_of(text, "cuda").target("sm_90").registers.scratch_bytes == 0
    assert not list(one_truth.contradictions(text.encode(), "a.cu", ("sm_90",)))


TABLE = "const unsigned char lut[64] = {1, 2, 3, 5, 7, 11}; out[i] = lut[in[i] & 63];"


@pytest.mark.parametrize(
    ("text", "language", "scratch"),
    [
        (f"__global__ void k(int* out, const int* in) {{ int i = threadIdx.x; {TABLE} }}", "cuda", 64),
        (
            "#include <sycl/sycl.hpp>\nvoid run(sycl::queue& q, int* out, const int* in) {\n"
            f"  q.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i) {{ {TABLE} }}); }}",
            "sycl",
            0,  # clang 19 for sm_90 makes one constant in global memory of it
        ),
    ],
)
def test_a_table_is_in_local_memory_as_nvcc_has_it_and_clang_not(text: str, language: Language, scratch: int) -> None:
    facts = facts_of(text, language)
    assert facts.target("sm_90").registers.scratch_bytes == scratch
    assert not list(one_truth.contradictions(text.encode(), "a.cu" if language == "cuda" else "a.cpp", ("sm_90",)))
