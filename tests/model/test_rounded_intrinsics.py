"""Intrinsics that round to nearest are the operators: clang 19.1.7 for gfx90a and nvcc 13.0.88 for sm_90."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

from regpress_lint.core.settings import Settings


def registers(value: str, kind: str, target: str) -> int:
    body = f"int i = threadIdx.x; {kind} x = a[i], y = b[i]; a[i] = {value};"
    text = f"__global__ void k({kind}* a, const {kind}* b) {{ {body} }}"
    settings = Settings(architectures=(target,))
    return facts_of(text, "cuda" if target == "sm_90" else "hip", settings).target(target).registers.estimate


@pytest.mark.parametrize("target", ["gfx90a", "sm_90"])
@pytest.mark.parametrize(
    ("intrinsic", "operator", "kind"),
    [
        ("__fdiv_rn(x, y)", "x / y", "float"),
        ("__frcp_rn(x) + y", "1.0f / x + y", "float"),
        ("__fsqrt_rn(x) + y", "sqrtf(x) + y", "float"),
        ("__ddiv_rn(x, y)", "x / y", "double"),
        ("__drcp_rn(x) + y", "1.0 / x + y", "double"),
        ("__dsqrt_rn(x) + y", "sqrt(x) + y", "double"),
    ],
)
def test_rounded_intrinsics_equal_operators(intrinsic: str, operator: str, kind: str, target: str) -> None:
    assert registers(intrinsic, kind, target) == registers(operator, kind, target)


@pytest.mark.parametrize(("quotient", "fast"), [("x / y", "__fdividef(x, y)"), ("powf(x, y)", "__powf(x, y)")])
def test_some_fast_functions_are_slow_on_amd(quotient: str, fast: str) -> None:
    """Divisions take 8 VGPRs of clang, powers 27; of nvcc fast ones take 10 and 12 registers, others 16 and 18."""
    assert registers(fast, "float", "gfx90a") == registers(quotient, "float", "gfx90a")
    assert registers(fast, "float", "sm_90") < registers(quotient, "float", "sm_90")
