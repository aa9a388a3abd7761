"""Work that the server skips after an edit; its answers equal those of a fresh run."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING

import pytest
from corpus import drawn

pytest.importorskip("pygls", reason="the extra `lsp` is not installed")

from cli_helpers import ROOT

from regpress_lint.core.running import interruptible
from regpress_lint.core.settings import Settings
from regpress_lint.lint.pipeline import lint_bytes
from regpress_lint.lint.work import Scope
from regpress_lint.server.open_texts import Text, edit_between
from regpress_lint.server.workbench import Services, Workbench
from regpress_lint.server.worker import Superseded

if TYPE_CHECKING:
    from pathlib import Path

    from regpress_lint.core.diagnostics import Report
    from regpress_lint.server.workbench import Look

STRICT = Settings(profile="strict")
TWO = b"""#include <hip/hip_runtime.h>
__device__ double twice(double x) { return 2 * x; }
__global__ void one(double *x) {
  x[threadIdx.x] = pow(x[threadIdx.x], 2.0);
}
__global__ void two(double *x) {
  x[threadIdx.x] = pow(twice(x[threadIdx.x]), 2.0);
}
void run(double *x) {
  int blocks = 4;
  one<<<blocks, 256>>>(x);
  two<<<blocks, 100>>>(x);
}
"""


class _Desk:
    """A workbench with one text."""

    def __init__(self, path: str, settings: Settings = STRICT) -> None:
        self.path = path
        self.settings = settings
        self.bench = Workbench(Services(lambda _path: settings, lambda _analysis, _kernel: ()))

    def look(self, data: bytes, *, first: bool = False) -> Look:
        text = Text(f"file://{self.path}", self.path, 1, data)
        return self.bench.look(text, {self.path: data}, lambda: None, first=first)

    def fresh(self, data: bytes) -> Report:
        project = partial(Scope(self.settings, (self.path,)).projects().of, self.path)
        return lint_bytes(data, self.path, self.settings, project=project)


def _places(look: Look) -> list[tuple[str, str | None, int]]:
    return [(each.code, each.kernel, each.location.start.line) for each in look.diagnostics]


def _taken(desk: _Desk, before: bytes, old: bytes, new: bytes) -> int:
    """Kernels that are not looked at again after a replacement; the answer is compared with a fresh one."""
    assert before.count(old) == 1
    desk.bench.reset()
    desk.look(before)
    after = before.replace(old, new)
    look = desk.look(after)
    assert look.report.diagnostics == desk.fresh(after).diagnostics
    assert look.analysis is not None
    return look.analysis.taken


@pytest.mark.parametrize(
    ("old", "new", "taken"),
    [
        (b"= pow(x[threadIdx.x], 2.0)", b"= x[0] + pow(x[threadIdx.x], 2.0)", 1),
        (b"= pow(x[threadIdx.x], 2.0);", b"= pow(x[threadIdx.x], 2.0);\n  x[0] = 1;", 1),
        (b"= pow(x[threadIdx.x], 2.0);", b"= pow(x[threadIdx.x], ;", 1),
        (b"return 2 * x", b"return 3 * x", 1),  # `one` does not call it
        (b"int blocks = 4", b"int blocks = 40", 1),  # the grid of the launch with 100 threads
        (b"int blocks = 4", b"int blocks = 2 + 2", 2),
        (b"two<<<blocks, 100>>>", b"two<<<blocks, 64>>>", 1),
        (b"int blocks = 4;", b"int blocks = 4; /* ", 0),  # swallows what follows
        (b"x[threadIdx.x] = pow(x[threadIdx.x], 2.0);", b"#define pow(a, b) (a)\n", 0),
        (b"__device__ double twice", b"__device__ float twice", 0),  # no body
    ],
)
def test_an_edit_concerns_the_kernels_that_it_can_concern(tmp_path: Path, old: bytes, new: bytes, taken: int) -> None:
    assert _taken(_Desk(f"{tmp_path}/k.hip"), TWO, old, new) == taken


SYCL = b"""#include <sycl/sycl.hpp>
void run(sycl::queue &q, double *x) {
  int size = 4;
  q.parallel_for(sycl::nd_range<1>(1024, 256), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    x[i] = sycl::pow(x[i], 2.0);
  });
  q.parallel_for(sycl::nd_range<1>(1024, 256), [=](sycl::nd_item<1> item) {
    float own[4];
    for (int k = 0; k < size; ++k) own[k] = sycl::pow(x[k], 2.0);
    x[item.get_global_id(0)] = own[2];
  });
}
"""


BLOCK = b"q.parallel_for(sycl::nd_range<1>(1024, 100), [=](sycl::nd_item<1> item) {\n    int"


@pytest.mark.parametrize(
    ("old", "new", "taken"),
    [
        (b"x[i] = sycl::pow(x[i], 2.0)", b"x[i] = 3 * sycl::pow(x[i], 2.0)", 1),
        (b"x[i] = sycl::pow(x[i], 2.0)", b"x[i] = sycl::pow(x[i], ", 1),
        (b"int size = 4", b"int size = 40", 1),  # the second names it
        (b"int size = 4;", b"int size = 4; float other = 0.5f;", 2),
        (b"int size = 4;", b"int size = 4;\n  float other = 0.5f;", 2),
        (b"double *x) {\n", b"double *x) {\n  float other = 0.5f;\n", 2),
        (b"double *x) {\n", b"double *x) {\n  size_t more = size;\n", 1),
        (b"q.parallel_for(sycl::nd_range<1>(1024, 256), [=](sycl::nd_item<1> item) {\n    int", BLOCK, 1),
    ],
)
def test_edit_in_one_lambda_keeps_the_others(tmp_path: Path, old: bytes, new: bytes, taken: int) -> None:
    assert _taken(_Desk(f"{tmp_path}/k.cpp"), SYCL, old, new) == taken


def test_a_class_of_one_function_concerns_every_kernel(tmp_path: Path) -> None:
    """It is known in the whole file where its name means nothing else."""
    text = TWO.replace(b"int blocks = 4", b"struct Cell { int v[4]; }; int blocks = 4")
    assert _taken(_Desk(f"{tmp_path}/k.hip"), text, b"v[4]", b"v[8]") == 0


def test_a_constant_that_a_function_gives_concerns_every_kernel(tmp_path: Path) -> None:
    text = TWO.replace(
        b"__global__ void one", b"constexpr int pick() { return 4; }\nconst int N = pick();\n__global__ void one"
    )
    assert _taken(_Desk(f"{tmp_path}/k.hip"), text, b"return 4", b"return 5") == 0


def test_failed_rule_runs_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from regpress_rules.math.pow_small_exponent import PowSmallExponent

    desk = _Desk(f"{tmp_path}/k.hip", Settings())
    with monkeypatch.context() as patch:
        patch.setattr(PowSmallExponent, "check_kernel", lambda *_: 1 // 0)
        codes = [each.code for each in desk.look(TWO).report.diagnostics]
        assert codes.count("RP009") == 2
    look = desk.look(TWO.replace(b"blocks = 4", b"blocks = 5"))
    assert "RP009" not in [each.code for each in look.report.diagnostics]


def test_unclosed_call_keeps_the_findings(tmp_path: Path) -> None:
    desk = _Desk(f"{tmp_path}/k.hip", Settings())
    whole = [(each.code, each.kernel) for each in desk.look(TWO).diagnostics]
    start = b"one(double *x) {\n"
    broken = desk.look(TWO.replace(b"= pow(x[threadIdx.x], 2.0);", b"=\n pow(x[threadIdx.x]"))
    assert not broken.kernels
    assert [one for one in whole if one[1] == "two"] == [
        (each.code, each.kernel) for each in broken.diagnostics if each.kernel == "two"
    ]
    for each in broken.diagnostics:
        assert broken.source.line_text(each.location.start.line) == each.location.line_text
    closed = desk.look(TWO.replace(start, start + b"  int y = 1;\n"))
    assert [(each.code, each.kernel) for each in closed.diagnostics] == whole
    assert closed.analysis is not None
    assert closed.analysis.taken == 1
    gone = desk.look(b"#include <hip/hip_runtime.h>\nvoid run(float *x) { one<<<1, 1>>>(x); }\n")
    assert not gone.diagnostics


def test_quick_analysis_is_followed_by_a_full_one(tmp_path: Path) -> None:
    """The parser sees the kernel only if it is given a single branch, which the quick pass does not do."""
    text = b"""#include <hip/hip_runtime.h>
__global__ void one(double *x) {
#ifdef A
  if (x[0] > 1) {
#else
  if (x[0] > 2) {
#endif
    x[threadIdx.x] = pow(x[threadIdx.x], 2.0);
  }
}
"""
    desk = _Desk(f"{tmp_path}/k.hip", Settings())
    path, texts = desk.path, {f"{tmp_path}/k.hip": text}
    hasty = desk.bench.look(Text(f"file://{path}", path, 1, text), texts, lambda: None, hasty=True)
    assert hasty.hasty
    assert desk.bench.look(hasty.text, texts, lambda: None, hasty=True) is hasty
    whole = desk.look(text)
    assert not whole.hasty
    assert whole.report.diagnostics == desk.fresh(text).diagnostics
    assert [each.code for each in whole.diagnostics] == ["RP201"]
    assert desk.bench.look(hasty.text, texts, lambda: None, hasty=True) is whole


def test_a_superseded_look_leaves_the_one_before(tmp_path: Path) -> None:
    desk = _Desk(f"{tmp_path}/k.hip")
    first = desk.look(TWO)

    def moved_on() -> None:
        raise Superseded

    text = Text(f"file://{desk.path}", desk.path, 2, TWO + b"\n")
    with pytest.raises(Superseded):
        desk.bench.look(text, {desk.path: text.data}, moved_on)
    assert desk.look(TWO) is first


def test_slow_kernel_keeps_its_old_findings_until_analysed(tmp_path: Path) -> None:
    silenced = b"x[threadIdx.x] = pow(x[0], 2.0);  // regpress: ignore[RP201]"
    text = TWO.replace(b"one(double *x) {\n", b"one(double *x) {\n  " + silenced + b"\n")
    desk = _Desk(f"{tmp_path}/k.hip", Settings())
    desk.bench.patience = 0
    whole = _places(desk.look(text))
    assert {"one", "two"} <= {kernel for _, kernel, _ in whole}
    after = text.replace(b"one(double *x) {\n", b"one(double *x) {\n  x[1] = pow(x[1], 2.0);\n")
    early = desk.look(after, first=True)
    assert early.partial
    assert [(code, kernel, line - (line > 3)) for code, kernel, line in _places(early)] == whole
    assert desk.look(after, first=True) is early
    late = desk.look(after)
    assert not late.partial
    assert late.report.diagnostics == desk.fresh(after).diagnostics
    assert len(late.diagnostics) == len(early.diagnostics) + 1
    assert desk.look(after, first=True) is late


def test_the_execution_of_a_kernel_can_be_called_off(tmp_path: Path) -> None:
    desk = _Desk(f"{tmp_path}/k.hip")
    statements = b"  x[0] = x[1] * 2;\n" * 200
    look = desk.look(TWO.replace(b"one(double *x) {\n", b"one(double *x) {\n" + statements))

    def moved_on() -> None:
        raise Superseded

    with pytest.raises(Superseded), interruptible(moved_on):
        look.row(look.kernels[0])
    assert look.row(look.kernels[0]) is not None


_TYPED = [b";", b"\n", b" ", b"x", b"int q = 3;\n", b"(", b")", b"{", b"}", b"/*", b"//", b'"', b"#if 1\n", b"[i]"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", drawn(["rules/RP801/positive.cpp", "rules/RP403/positive.hip", "rules/RP101/positive.cu"], 3)
)
def test_answer_after_edits_matches_a_fresh_run(name: str) -> None:
    path = ROOT / "testdata" / name
    if not path.is_file():
        path = next((ROOT / "testdata" / name).parent.glob("*.*"))
    base = data = path.read_bytes()[:6000]
    desk = _Desk(path.as_posix())
    draw = random.Random(name)
    for _ in range(6):
        data = base if draw.random() < 0.3 else data
        place = draw.randrange(len(data))
        data = data[:place] + draw.choice(_TYPED) + data[place + draw.randrange(2) :]
        desk.bench.patience = draw.choice((0, 60))
        early = desk.look(data, first=True)
        for each in early.diagnostics:
            assert early.source.line_text(each.location.start.line) == each.location.line_text
        assert early.partial or early.report.diagnostics == desk.fresh(data).diagnostics
        assert desk.look(data).report.diagnostics == desk.fresh(data).diagnostics


def test_the_edit_between_two_texts_is_as_small_as_can_be() -> None:
    assert edit_between(b"abc\ndef", b"abc\nXX\ndef") == (4, 4, 7, 1)
    assert edit_between(b"aaa", b"aaaa") == (3, 3, 4, 0)
    assert edit_between(b"abc", b"abc") == (3, 3, 3, 0)
    assert edit_between(b"", b"x") == (0, 0, 1, 0)
