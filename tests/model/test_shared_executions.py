"""Which executions could serve two compilers (`tools/robustness/shared_executions.py`)."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from analysis_helpers import facts_of
from ssa_helpers import kernel_text

from tools.robustness.shared_executions import MOVED, compare


@pytest.mark.parametrize(
    ("statements", "differs"),
    [
        ("__shared__ float s[64]; s[threadIdx.x] = 1.0f;", ()),
        ("b[blockIdx.x * blockDim.x + threadIdx.x] = x;", tuple(MOVED)[:3]),  # an address is made in steps or at once
    ],
)
def test_executions_are_one_where_nothing_else_was_answered(statements: str, differs: tuple[str, ...]) -> None:
    equal: Counter[str] = Counter()
    compare(facts_of(kernel_text(statements, "float *b, float x")), equal, defaultdict(float))
    assert equal["kernels"] == 1
    assert [name for name in MOVED if not equal[name]] == list(differs)
