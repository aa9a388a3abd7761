"""Answers about a GPU do not depend on the run's other GPUs or on their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from corpus import TESTDATA, walked

from regpress_lint import testing
from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.settings import Settings
from regpress_lint.program import detect_language
from regpress_rules import rules

if TYPE_CHECKING:
    from pathlib import Path

# Where the order once counted, and every fifth of all others.
_HUNG = (
    "rules/RP403/near_miss.cu",
    "rules/RP403/positive.cu",
    "rules/RP402/device_function.hip",
    "evidence/RP407/tiles.cu",
)
_FOUND = sorted(path for path in TESTDATA.rglob("*") if path.suffix in (".hip", ".cu", ".cpp"))
SOURCES = sorted({*_FOUND[::5], *(TESTDATA / name for name in _HUNG)})
# Where the other targets once counted, and every ninth of all others.
_LEANED = (
    *(
        "rules/RP106/launches.cu",
        "rules/RP402/device_function.hip",
        "rules/RP405/positive.hip",
        "rules/RP904/positive.cpp",
    ),
    *("golden/bignum.cu", "golden/fft.cu", "golden/series_madd.cu", "golden/private_arrays.cu"),
)
ALONE = sorted({*_FOUND[4::9], *(TESTDATA / name for name in _LEANED)})
# By the limits of the model clang copies the first loop, nvcc does not: the first target that was named spoke for both.
_STEPS = " ".join(f"x = x * x + {k};" for k in range(20))
OWN_SLOTS = f"""
__global__ void k(const int* a, float* o, int n) {{
  __shared__ float own[64 * 8];
  for (int i = threadIdx.x; i < n; i += 64) {{
    for (int j = 0; j < 8; j++) {{
      float x = a[i * 8 + j];
      own[j * 64 + threadIdx.x] = x;
      {_STEPS}
      o[j] += x;
    }}
    for (int j = 0; j < 8; j++) o[i] += own[j * 64 + threadIdx.x];
  }}
}}
void run(const int* a, float* o, int n) {{ k<<<n, 64>>>(a, o, n); }}
"""


def findings(text: str, path: str, targets: tuple[str, ...]) -> set[tuple[object, ...]]:
    """What all rules say, hints included: code, place, and targets with their severities."""
    found = testing.run(rules(), text, path, settings=Settings(architectures=targets))
    return {
        (each.code, each.finding.span, frozenset(each.finding.severities.items()), each.finding.kernel)
        for each in found
    }


@pytest.mark.parametrize("path", walked(SOURCES, every=24, whole=True))
def test_the_order_of_the_targets_changes_no_finding(path: Path) -> None:
    text = path.read_text()
    if detect_language(path.as_posix(), path.read_bytes()) is None:
        pytest.skip("no kernel")
    name = path.as_posix()
    assert findings(text, name, ("gfx90a", "pvc", "sm_90")) == findings(text, name, ("sm_90", "pvc", "gfx90a"))


def severities(path: Path, targets: tuple[str, ...]) -> dict[str, list[tuple[str, Severity, int]]]:
    """By target, in order: rule, severity and place of all that is said, hints included."""
    result: dict[str, list[tuple[str, Severity, int]]] = {target: [] for target in targets}
    settings = Settings(architectures=targets, min_severity=Severity.HINT)
    for found in testing.run(rules(), path.read_text(), path.as_posix(), settings=settings):
        finding = found.finding
        for target, severity in finding.severities.items():
            if target in result:
                result[target].append((found.code, severity, finding.span.start))
    return {target: sorted(said) for target, said in result.items()}


@pytest.mark.parametrize("path", walked(ALONE, every=20, whole=True))
def test_findings_for_a_gpu_do_not_depend_on_other_gpus(path: Path) -> None:
    if detect_language(path.as_posix(), path.read_bytes()) is None:
        pytest.skip("no kernel")
    targets = ("gfx90a", "pvc", "sm_90")
    alone = {target: severities(path, (target,))[target] for target in targets}
    together = severities(path, targets)
    assert {target: [each[:2] for each in said] for target, said in together.items()} == {
        target: [each[:2] for each in said] for target, said in alone.items()
    }
    # A finding about several values, or of several kernels, stands at the first that is named for any GPU.
    places = {(code, place) for said in alone.values() for code, _, place in said}
    assert {(code, place) for said in together.values() for code, _, place in said} <= places


@pytest.mark.parametrize("targets", [("gfx90a", "sm_90"), ("sm_90", "gfx90a"), ("gfx90a",)])
def test_each_compiler_speaks_for_its_own_loops(targets: tuple[str, ...]) -> None:
    found = findings(OWN_SLOTS, "slots.cu", targets)
    (severities,) = [each[2] for each in found if each[0] == "RP801"]
    assert isinstance(severities, frozenset)
    assert {name for name, _ in severities} == {"gfx90a"}
    assert not any(each[0] == "RP801" for each in findings(OWN_SLOTS, "slots.cu", ("sm_90",)))
