"""`float* p(a + i)`: the grammar takes these brackets for those of a function's parameters."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import KernelFacts, kernel_facts


def facts_of(statements: str, before: str = "") -> KernelFacts:
    head = "template <typename T> struct Row { T x; };\n"
    parameters = "int n, float* a, float* o, Row<double>* rows"
    text = f"{head}{before}__global__ void k({parameters}) {{ int u = threadIdx.x; {statements} }}\n"
    file = testing.build(text, "k.cu", "cuda")
    return kernel_facts(file, file.kernels[0], Settings())


LOOP = "float s = 0; for (int i = 0; i < n; ++i, p += n) s += *p; o[u] = s;"


@pytest.mark.parametrize(
    ("brackets", "assigned"),
    [
        (f"float* p(a + u); {LOOP}", f"float* p = a + u; {LOOP}"),
        (f"float const *p(&a[u]); {LOOP}", f"float const *p = &a[u]; {LOOP}"),
        (f"if (u > 3) {{ const float* const q(a); const float* p(q + 1); {LOOP} }}", ""),
        ("float *p(a), *q(p + u), &z(o[u]); z = *p * *q;", "float *p = a, *q = p + u, &z = o[u]; z = *p * *q;"),
        ("Row<double> const* r(rows + u * n); o[u] = r->x;", "Row<double> const* r = rows + u * n; o[u] = r->x;"),
        (f"auto p(a + u * 4); {LOOP}", f"auto p = a + u * 4; {LOOP}"),
        (
            "float s = 0; for (const float* p(a + u); p < a + n; p += 9) s += *p; o[u] = s;",
            "float s = 0; for (const float* p = a + u; p < a + n; p += 9) s += *p; o[u] = s;",
        ),
        (
            f"float* p(reinterpret_cast<float*>(rows + u)); {LOOP}",
            f"float* p = reinterpret_cast<float*>(rows + u); {LOOP}",
        ),
    ],
)
def test_a_pointer_with_its_value_in_brackets_is_as_one_with_an_equals_sign(brackets: str, assigned: str) -> None:
    facts = facts_of(brackets)
    plain = facts_of(assigned or f"if (u > 3) {{ const float* p = a + 1; {LOOP} }}")
    assert not facts.kernel.function.unparsed
    assert not facts.unknowns("sm_90")
    assert facts.target("sm_90").registers == plain.target("sm_90").registers


@pytest.mark.parametrize(
    "declared",
    ["__device__ float* at(float* a, int i);", "struct S { float* at(int i); const float& of(Row<int> r); };"],
)
def test_a_function_that_returns_a_pointer_stays_one(declared: str) -> None:
    body = "__device__ float* at(float* a, int i) { return a + i; }\n"
    facts = facts_of("o[u] = *at(a, u);", f"{declared}\n{body}")
    assert not facts.unknowns("sm_90")
    assert facts.target("sm_90").registers == facts_of("o[u] = a[u];").target("sm_90").registers


def test_a_product_in_brackets_stays_a_product() -> None:
    facts = facts_of("float s = 0; s += a[0] * (a[u] + n); o[u] = s; return;")
    assert facts.target("sm_90").registers == facts_of("o[u] = a[0] * (a[u] + n);").target("sm_90").registers
