"""An answer depends only on the file, the target and the settings (`tools/robustness/one_answer.py`)."""

from __future__ import annotations

from pathlib import Path

import pytest
from analysis_helpers import facts_of
from corpus import drawn

from regpress_lint.source.walk import walk
from tools.robustness import one_answer
from tools.robustness.one_answer import Asked, compared

TESTDATA = Path(__file__).resolve().parents[2] / "testdata"
# Arrays that unrolling decides about, templates, functions that are called, private arrays of several targets.
FILES = (
    "rules/RP401/positive.cu", "rules/RP403/positive.cu", "golden/calls.cu", "kernels/intel_histogram/bins_256.cpp",
)  # fmt: skip


@pytest.mark.parametrize("name", drawn(FILES, 4))
def test_the_way_of_asking_changes_no_answer(name: str) -> None:
    file = Asked((TESTDATA / name).read_bytes(), name)
    assert not list(compared(file, one_answer.WAYS))


def test_target_answering_for_another_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison itself: it must not be blind."""
    monkeypatch.setitem(one_answer.OF_TARGET, "budget", lambda facts, _name: len(facts.targets))
    file = Asked((TESTDATA / "rules/RP402/positive.cu").read_bytes(), "positive.cu")
    assert {each.question[0] for each in compared(file, ["arch"])} == {"budget"}


def test_changing_local_is_never_a_constant() -> None:
    facts = facts_of(
        "__device__ int steps(int n) { int most = 4; most += n; return most; }\n"
        "__global__ void k(int* out, int n) { out[0] = steps(n); }\n"
    )
    (call,) = walk(facts.kernel.function, facts.file.type_of).calls
    function = facts.callee_of(call.call)
    assert function is not None
    (most,) = walk(function, facts.file.type_of).declared
    assert facts.source.environment.variable(most) is None
