"""Kernels whose whole body is a macro: they are said, not lost."""

from __future__ import annotations

from regpress_lint.core.settings import Settings
from regpress_lint.lint.pipeline import lint_bytes

_BODY = b"#define BODY(T) { for (int k = 0; k < n; ++k) c[k] = (T)a[k]; }\n"


def codes(text: bytes) -> list[str]:
    return [each.code for each in lint_bytes(text, "k.cu", Settings()).diagnostics]


def test_a_body_by_a_macro_is_reported() -> None:
    assert codes(_BODY + b"__global__ void k(const float* a, float* c, int n) BODY(float)\n") == ["RP001"]


def test_a_prototype_behind_macros_is_not() -> None:
    assert codes(b"#define API(x) x\n__global__ void k(const float* a, float* c, int n) API(;)\n") == []
    assert codes(b"#define NOTHING\n__global__ void k(float* a) NOTHING;\n") == []


def test_it_is_reported_in_front_of_a_kernel_that_is_read() -> None:
    head = b"__global__ void __launch_bounds__(256) k(const float* a, float* c, int n)"
    assert codes(_BODY + head + b" BODY(float)\n__global__ void m(float* c) { c[0] = 1; }\n") == ["RP001"]
