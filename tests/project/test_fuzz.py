"""Absurd inputs: those that once failed, and some hundred generated ones, the same in each run."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from tools.robustness.fuzz import DEADLINE, MUTATIONS, failure, inputs, search, seeds, smaller
from tools.robustness.fuzz_kinds import Command, kinds

HOSTILE = Path(__file__).resolve().parents[2] / "testdata" / "hostile"
PATIENCE = 20.0  # CPU seconds: a slow machine that has to import everything first is no hang
SMALL = (
    b"__global__ void k(float *x, int n) { int i = threadIdx.x; if (i < n) x[i] = pow(x[i], 2.0); }\n"
    b"void run(float *x) { k<<<8, 256>>>(x, 3); }\n",
    b"#define N 4\ntemplate <class T> __device__ T twice(T a) { return a + a; }\n"
    b"__global__ void __launch_bounds__(64) t(double *x) { double s[N];\n"
    b"for (int i = 0; i < N; i++) s[i] = twice(x[i]);\n"
    b"#if N > 2\n x[0] = s[threadIdx.x % N];\n#else\n x[0] = s[0];\n#endif\n}\n",
    b"#include <sycl/sycl.hpp>\nvoid run(sycl::queue &q, float *x) {\n"
    b"  q.parallel_for(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> it) { x[it.get_global_id(0)] = 1; }); }\n",
    b"struct S { float a[3]; __device__ float sum() const { return a[0] + a[1] + a[2]; } };\n"
    b"void run(S *s, float *x, int n) { Kokkos::parallel_for(n, KOKKOS_LAMBDA(int i) { x[i] = s[i].sum(); }); }\n",
)


@pytest.mark.parametrize("path", sorted(HOSTILE.glob("*.hip")), ids=lambda path: path.name)
def test_inputs_that_once_failed(path: Path) -> None:
    assert failure(path.read_bytes(), PATIENCE) is None


@pytest.mark.parametrize("number", [30, pytest.param(200, marks=pytest.mark.slow)])
def test_some_hundred_inputs(number: int) -> None:
    failures = {reason: data for data in islice(inputs(7, SMALL), number) if (reason := failure(data, PATIENCE))}
    assert failures == {}


def test_the_same_seed_makes_the_same_inputs() -> None:
    assert list(islice(inputs(3, SMALL), 40)) == list(islice(inputs(3, SMALL), 40))
    assert list(islice(inputs(3, SMALL), 40)) != list(islice(inputs(4, SMALL), 40))


@pytest.mark.parametrize("change", dict.fromkeys(MUTATIONS), ids=lambda change: change.__name__)
def test_each_change_changes_something(change: object) -> None:
    import random

    chance = random.Random(5)
    made = {change(chance, SMALL[0], SMALL[1]) for _ in range(20)}  # type: ignore[operator]
    assert made - {SMALL[0]}


@pytest.mark.parametrize("name", kinds(MUTATIONS))
def test_damaged_inputs_of_every_reader(name: str) -> None:
    kind = kinds(MUTATIONS)[name]
    texts = kind.texts()
    assert [failure(text, PATIENCE, kind.ask) for text in texts] == [None] * len(texts)
    made = islice(inputs(5, texts, kind.changes, 2 * max(map(len, texts))), 1 if name == "server" else 10)
    assert {reason for data in made if (reason := failure(data, PATIENCE, kind.ask))} == set()


@pytest.mark.parametrize("name", ["configuration", "baseline", "commands", "measured", "confirmed"])
def test_texts_of_readers_are_right_before_they_are_damaged(name: str) -> None:
    kind = kinds(MUTATIONS)[name]
    assert isinstance(kind.ask, Command)
    said = [kind.ask.run(text) for text in kind.texts()]
    assert [text for status, text in said if status == 2] == []


def test_a_failure_is_found_and_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    from tools.robustness import fuzz

    def breaks(data: bytes, _deadline: float = DEADLINE, ask: object = None) -> str | None:
        return "Broken: here" if b"blockDim" in data else None

    monkeypatch.setattr(fuzz, "failure", breaks)
    text = SMALL[0] + b"int a = blockDim.x;\n" + SMALL[1]
    assert smaller(text, "Broken: here").strip() == b"blockDim"
    count, failures = search(1, (text,), 0.2)
    assert count > 1
    assert [each.reason for each in failures] == ["Broken: here"]


@pytest.mark.long
def test_inputs_from_all_fixtures() -> None:
    texts = seeds([])
    assert len(texts) > 300
    count, failures = search(11, texts, 60)
    assert count > 200
    assert failures == []
