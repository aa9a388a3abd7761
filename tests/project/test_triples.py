"""The versions of one program: pairs that agree, and reasons for those that do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tools.measure import triples

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


def test_leftovers_of_a_port_belong_to_no_version(tmp_path: Path) -> None:
    root = suite(tmp_path, "sycl::pow(a[it.get_global_id(0)], 2.0)")
    (root / "p-cuda/ported.cpp").write_text(SYCL.replace("POWER", "sycl::pow(a[0], 2.0) + sycl::pow(a[1], 2.0)"))
    assert found(root)["cuda", "hip", "RP201"].counts == (1, 1)


def test_findings_about_nvcc_are_not_paired_with_sycl() -> None:
    one, other = version(), version()
    one = one._replace(counts={("RP404", "sm_90"): 1, ("RP404", "gfx90a"): 1, ("RP403", "sm_90"): 1})
    versions = {"cuda": one, "hip": one, "sycl": other}
    pairs = list(triples.pairs("p", versions, ("gfx90a", "sm_90")))
    assert {(left, right) for left, right, pair in pairs if (pair.code, pair.target) == ("RP404", "sm_90")} == {
        ("cuda", "hip")
    }
    assert len(pairs) == 2 * len(triples.COUPLES) + len(triples.COUPLES) - 2


def version(**changes: Any) -> triples.Version:
    return triples.Version(Path("none"), {}, 1, (), ((256, 0),), b"", frozenset())._replace(**changes)


@pytest.mark.parametrize(
    ("code", "changes", "reason"),
    [
        ("RP105", {"launches": ((128, 0),), "bounds": (64,)}, "launch"),
        ("RP101", {"bounds": (64,), "kernels": 2}, "bounds"),
        ("RP201", {"kernels": 2, "text": b"pow(x, 2)"}, "source"),
        ("RP203", {"kernels": 2, "text": b"pow(x, 2)"}, "kernels"),
        ("RP203", {"elsewhere": frozenset({("RP203", "gfx90a")})}, "header"),
        ("RP402", {"text": b"const float* __restrict a, float* __restrict__ b"}, "restrict"),
    ],
)
def test_the_first_reason_that_holds_is_named(code: str, changes: dict[str, Any], reason: str) -> None:
    pair = triples.Pair("p", code, "gfx90a", (1, 0))
    assert triples.reason(pair, version(), version(**changes), "hip") == reason
