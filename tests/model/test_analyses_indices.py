"""Reasons why an index is not constant, and the definition of a register tile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import KernelFacts, kernel_facts
from regpress_lint.source.array_kinds import is_tile

if TYPE_CHECKING:
    from regpress_lint.source.indices import Reason


def facts_of(body: str, before: str = "") -> KernelFacts:
    text = f"{before}\n__global__ void k(const int* a, float* b, int m, int n) {{ {body} }}"
    file = testing.build(text, "k.cu", "cuda")
    return kernel_facts(file, file.kernels[-1], Settings(architectures=("sm_90",)))


def reasons_of(body: str, before: str = "") -> list[Reason]:
    facts = facts_of(f"float v[24]; {body} b[m] = v[3];", before)  # an array that nobody reads is gone
    return [reason for access in facts.arrays[0].dynamic for reason in facts.why_dynamic(access)]


@pytest.mark.parametrize(
    ("body", "kind", "name", "source"),
    [
        ("for (int j = 0; j < n; ++j) v[j] = 0;", "bound", "j", "n"),
        ("for (int j = 0; j < n * 2 + 1; ++j) v[j] = 0;", "bound", "j", "n * 2 + 1"),
        ("for (int j = m; j < 8; ++j) v[2 * j + 1] = 0;", "bound", "j", "8"),
        ("int j = 0; while (a[j] > 0) { v[j] = 0; j++; }", "bound", "j", ""),
        ("\n#pragma unroll 1\nfor (int j = 0; j < 24; ++j) v[j] = 0;", "pragma", "j", "unroll 1"),
        ("for (int j = 0; j < 24; ++j) v[j] = powf(v[j], 1.5f) + sinf(v[j]);", "body", "j", ""),
        ("v[n] = 0;", "argument", "n", "k"),
        ("int at = n + 1; v[at] = 0;", "argument", "n", "k"),
        ("v[threadIdx.x % 24] = 0;", "thread", "", "threadIdx.x"),
        ("int t = threadIdx.x; v[t % 24] = 0;", "thread", "t", "threadIdx.x"),
        ("v[a[m]] = 0;", "memory", "", "a[m]"),
        ("int bin = a[m]; v[bin] = 0;", "memory", "bin", "a[m]"),
        ("v[abs(n)] = 0;", "argument", "n", "k"),
        ("v[slot_of(24)] = 0;", "call", "", "slot_of"),
        ("int top = 0; while (m-- > 0) v[top++] = 0;", "carried", "top", ""),
        ("int at = 0; if (a[m] > 0) at = 1; v[at] = 0;", "condition", "at", ""),
    ],
)
def test_reason_names_the_source_of_the_index(body: str, kind: str, name: str, source: str) -> None:
    first = reasons_of(body)[0]
    assert (first.kind, first.name, first.source) == (kind, name, source)
    assert first.certain


def test_bound_from_a_function_template_parameter_is_an_uncertain_reason() -> None:
    before = "template <int N> __device__ void fill(float* v) { for (int j = 0; j < N; ++j) v[j] = 0; }"
    assert [reason.certain for reason in reasons_of("fill<UNSEEN>(v); b[0] = v[1];", before)] == [False]
    assert reasons_of("fill<24>(v); b[0] = v[1];", before) == []


def test_constant_indices_have_no_reasons() -> None:
    assert reasons_of("for (int j = 0; j < 12; ++j) v[2 * j] = v[(j + 1) % 24];") == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("float v[4][4]; @ for (int u = 0; u < 4; ++u) for (int w = 0; w < 4; ++w) v[u][w] += a[u] * a[w];", True),
        ("float v[16]; @ for (int u = 0; u < 4; ++u) for (int w = 0; w < 4; ++w) v[u * 4 + w] += a[u];", True),
        ("float v[4][4]; @ for (int u = 0; u < 4; ++u) for (int w = 0; w < 4; ++w) v[u][w] = v[u][w] + a[u];", True),
        ("float v[4][4]; @ for (int u = 0; u < 4; ++u) for (int w = 0; w < 4; ++w) v[u][w] = a[u];", False),
        ("float v[4]; @ for (int u = 0; u < 4; ++u) v[u] += a[u];", False),
        ("float v[4][4]; for (int u = 0; u < 4; ++u) for (int w = 0; w < 4; ++w) v[u][w] += a[u];", False),
        ("float v[4][4]; @ for (int u = 0; u < 4; ++u) for (int w = 0; w < 4; ++w) v[a[u]][a[w]] += 1;", False),
    ],
)
def test_a_tile_is_added_to_element_by_element_in_a_loop_around_it(body: str, expected: bool) -> None:
    assert is_tile(facts_of(body.replace("@", "for (int j = 0; j < m; ++j)")).arrays[0]) is expected


def test_pointer_or_reference_to_an_array_is_not_a_private_array() -> None:
    assert (
        facts_of("__shared__ float s[4][8]; float (*p)[8] = &s[m]; float (&r)[8] = s[m]; r[n] = p[0][n];").arrays == ()
    )
