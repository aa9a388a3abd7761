"""The versions of one program: pairs that agree, and reasons for those that do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import triples

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = """__global__ void scale(double* a) { a[threadIdx.x] = pow(a[threadIdx.x], 2.0); }
void run(double* a, int n) { scale<<<n, 256>>>(a); }
"""
SYCL = """#include <sycl/sycl.hpp>
void run(sycl::queue& q, double* a, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> it) { a[it.get_global_id(0)] = POWER; });
}
"""


def suite(root: Path, power: str) -> Path:
    texts = {
        "p-cuda/main.cu": f"#include <cuda_runtime.h>\n{KERNEL}",
        "p-hip/main.hip": f"#include <hip/hip_runtime.h>\n{KERNEL}",
        "p-sycl/main.cpp": SYCL.replace("POWER", power),
        "q-cuda/main.cu": KERNEL,
    }
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def found(root: Path) -> dict[tuple[str, str, str], triples.Pair]:
    (name, folders), *others = triples.programs(root).items()
    assert not others  # `q` is there in one language only
    versions = {language: triples.version(folder, ("gfx90a",)) for language, folder in folders.items()}
    return {(left, right, pair.code): pair for left, right, pair in triples.pairs(name, versions, ("gfx90a",))}


def test_versions_with_as_many_findings_agree(tmp_path: Path) -> None:
    pairs = found(suite(tmp_path, "sycl::pow(a[it.get_global_id(0)], 2.0)"))
    assert {key for key, pair in pairs.items() if key[2] == "RP201" and pair.agrees} == {
        (left, right, "RP201") for left, right in triples.COUPLES
    }


def test_a_version_without_the_word_has_a_reason(tmp_path: Path) -> None:
    pair = found(suite(tmp_path, "a[0] * a[0]"))["cuda", "sycl", "RP201"]
    assert (pair.counts, pair.reason) == ((1, 0), "source")
    assert "source 1" in list(triples.report([("cuda", "sycl", pair)], ("gfx90a",)))[1]
