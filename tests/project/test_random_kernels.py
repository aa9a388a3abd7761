"""The generator of random kernels: a seed is a kernel, smaller forms are whole, the linter reads what it writes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import compilers
import pytest

from tools.measure.kernel_generator import Block, Kernel, kernel_of, lines
from tools.measure.random_kernels import SUFFIXES, Pair, Said, compiled, estimated, score, smaller, tidy

if TYPE_CHECKING:
    from collections.abc import Iterator

SEEDS = range(1, 40)


def test_a_seed_is_always_the_same_kernel() -> None:
    texts = [kernel_of(seed).text() for seed in SEEDS]
    kernel_of.cache_clear()
    assert [kernel_of(seed).text() for seed in SEEDS] == texts
    assert len(set(texts)) == len(texts)


def test_every_kind_of_statement_is_generated() -> None:
    text = "".join(kernel_of(seed).text() for seed in range(1, 120))
    wanted = (
        "struct k",
        "float4 ",
        "__shared__",
        "#pragma unroll 1",
        "break;",
        "__attribute__((noinline))",
        "sqrtf",
        "][",
        "float* p",
    )
    assert not [word for word in wanted if word not in text]


def undeclared(kernel: Kernel) -> Iterator[str]:
    """Names of variables that are used and not declared before."""
    text = "\n".join(lines(kernel.body))
    for match in re.finditer(r"\b[asvxpij]\d+\b", text):
        if not re.search(rf"(?:\w|\*) {match[0]}\b", text[: match.end()]):
            yield match[0]


def test_smaller_kernels_declare_what_they_use() -> None:
    for seed in SEEDS[:2]:
        kernel = kernel_of(seed)
        forms = list(smaller(kernel))
        assert forms
        assert all(len(one.text()) < len(kernel.text()) for one in forms)
        assert not [name for one in forms for name in undeclared(one)]


def test_statements_with_a_dropped_array_are_dropped() -> None:
    body = ("float a1[4];", Block("for (int i2 = 0; i2 < 4; ++i2) {", ("a1[i2] = 0;",)), "out[t] = 1;")
    assert tidy(Kernel("k", "float", (), body[1:])).body == ("out[t] = 1;",)


def test_the_linter_reads_them() -> None:
    kernels = [kernel_of(seed) for seed in (1, 4)]
    assert estimated(kernels, "sm_90").keys() == {"k1", "k4"}


def test_scores_ignore_spills() -> None:
    kernel = kernel_of(1)
    pairs = [
        Pair(kernel, Said(40, 64, 0), Said(40, 64, 0, 30, 50), "sm_90"),
        Pair(kernel, Said(40, 0, 0), Said(60, 8, 0, 50, 70), "sm_90"),
        Pair(kernel, Said(255, 40, 36), Said(200, 0, 0, 180, 255), "sm_90"),
    ]
    found = score(pairs)
    assert (found.precision, found.recall, round(found.inside, 2)) == (0.5, 1.0, 0.67)
    assert [pair.kinds for pair in pairs] == [[], ["registers", "high"], []]


def test_scores_tell_admitted_kernels_apart() -> None:
    kernel = kernel_of(1)
    said = ((64, 64, True), (0, 64, True), (64, 0, False), (8, 8, False))  # compiled, estimated, admitted
    pairs = [Pair(kernel, Said(40, real), Said(40, ours, 0, 30, 50, open_), "sm_90") for real, ours, open_ in said]
    found = score(pairs)
    assert (found.admitted, found.settled) == ((2, 1), (1.0, 0.5))
    assert (round(found.precision, 2), round(found.recall, 2)) == (0.67, 0.67)


@pytest.mark.slow
@pytest.mark.compiler
@pytest.mark.parametrize("target", ["sm_90", "gfx90a", "pvc"])
def test_compilers_take_them(target: str) -> None:
    compilers.need(SUFFIXES[target])
    kernels = [kernel_of(seed) for seed in range(1, 6)]
    assert len(compiled(kernels, target, None)) == len(kernels)
