"""The text that is parsed where it is not the file's own: bodies by `#include`, digraphs, words over two lines.

Registers in comments are nvcc 13.0's for sm_90 (-O3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cli_helpers import run_json
from frontend_helpers import build, kernel, nodes, variables

from regpress_lint import lint_bytes
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Span
from regpress_lint.cpp.preprocess.splicing import as_read
from regpress_lint.cpp.syntax_tree import Call, Constant, Declare, InitList, Loop, Return
from regpress_lint.facts.kernel import kernel_facts

if TYPE_CHECKING:
    from pathlib import Path

    from regpress_lint.core.settings import Language

BODY = "double v = in[i];\nout[i] = pow(v, 2.0) + v;\n"
KERNEL = '__global__ void k(const double *in, double *out, int n) {\n  int i = threadIdx.x;\n#include "body.inc"\n}\n'
SYCL = """#include <sycl/sycl.hpp>
void run(sycl::queue &q, const double *in, double *out) {
  q.parallel_for(sycl::nd_range<1>(1024, 256), [=](sycl::nd_item<1> it) {
    size_t i = it.get_global_id(0);
#include "body.inc"
  });
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "body.inc").write_text(BODY)
    (tmp_path / "k.cu").write_text(KERNEL)
    (tmp_path / "k.hip").write_text("#include <hip/hip_runtime.h>\n" + KERNEL)
    (tmp_path / "k.cpp").write_text(SYCL)
    return tmp_path


@pytest.mark.parametrize(("name", "line"), [("k.cu", 3), ("k.hip", 4), ("k.cpp", 5)])
def test_finding_in_an_included_body_is_at_the_include(
    folder: Path, name: str, line: int, capsys: pytest.CaptureFixture[str]
) -> None:
    (found,) = run_json(capsys, "--select", "RP201", folder / name)["diagnostics"]
    assert found["start"]["line"] == line
    assert found["message"].startswith("`pow(v, 2.0)`")
    (where,) = found["related"]
    assert where["path"].endswith("body.inc")
    assert where["start"]["line"] == 2
    assert found["fix"] is None  # an edit would have to be made in another file


def test_an_included_part_sees_what_is_around_it_and_the_other_way_round() -> None:
    text = '__global__ void k(float *p) {\n float a = p[0];\n#include "x.inc"\n p[0] = b;\n}\n'
    function = kernel(text, headers={"x.inc": "float b = a * 2;\n"}).function
    assert not function.unparsed
    assert list(variables(function)) == ["a", "b"]


def test_pragmas_and_macros_of_an_included_part_count() -> None:
    part = "#define TWICE(x) (2 * (x))\n#pragma unroll 2\nfor (int j = 0; j < 8; ++j) p[j] = TWICE(p[j]);\n"
    text = '__global__ void k(float *p, int n) {\n  if (n) {\n#include "x.inc"\n  }\n}\n'
    function = kernel(text, headers={"x.inc": part}).function
    (loop,) = nodes(function, Loop)
    assert loop.unroll is not None
    assert loop.unroll.text.endswith("unroll 2") or "2" in loop.unroll.text


def test_an_included_part_may_include_another_and_guards_hide_nothing() -> None:
    text = '__device__ float f(float x) {\n#include "a.inc"\n}\n__device__ float g(float x) {\n#include "a.inc"\n}\n'
    headers = {"a.inc": '#ifndef A\n#define A\n#include "b.inc"\n#endif\n', "b.inc": "return x * 2;\n"}
    text += "__global__ void k(float *p) { p[0] = f(p[1]) + g(p[2]); }\n"
    file = build(text, headers=headers)
    for name in ("f", "g"):
        function = file.find_function(name, 1)
        assert function is not None
        assert not function.unparsed
        assert len(nodes(function, Return)) == 1


def test_values_of_an_array_by_include() -> None:
    text = '__global__ void k(float *p, int i) {\n  const float w[] = {1,\n#include "w.inc"\n  4};\n  p[0] = w[i];\n}\n'
    function = kernel(text, headers={"w.inc": "2, 3,\n"}).function
    assert not function.unparsed
    (values,) = (each.init for each in nodes(function, Declare)[0].variables)
    assert isinstance(values, InitList)
    assert [each.value for each in values.items if isinstance(each, Constant)] == [1, 2, 3, 4]


def test_values_of_a_table_of_the_file_by_include() -> None:
    text = '__constant__ float w[] = {\n#include "w.inc"\n};\nconst int N = sizeof(w) / sizeof(w[0]);\n'
    text += "__global__ void k(float *p, int i) {\n  float v[N]; v[i] = p[i]; p[0] = v[p[1] > 0]; }\n"
    for headers, size in (({"w.inc": "2, 3,\n5\n"}, 12), ({}, None)):
        found = kernel(text, headers=headers)
        assert [array.bytes for array in kernel_facts(build(text, headers=headers), found, Settings()).arrays] == [size]


@pytest.mark.parametrize("language", ["cuda", "hip"])
def test_missing_include_is_reported(language: Language) -> None:
    found = kernel(KERNEL, language)
    assert not found.complete
    (report,) = [d for d in lint_bytes(KERNEL.encode(), "k.cu", Settings()).diagnostics if d.code == "RP001"]
    assert report.location.start.line == 3


def test_a_text_that_includes_itself_ends() -> None:
    headers = {"a.inc": 'p[0] = 1;\n#include "b.inc"\n', "b.inc": 'p[1] = 2;\n#include "a.inc"\n'}
    found = kernel('__global__ void k(float *p) {\n#include "a.inc"\n}\n', headers=headers)
    assert not found.complete  # the compiler would not end either


def test_include_in_a_namespace_or_class_is_not_a_statement() -> None:
    text = 'namespace n {\n#include "f.cuh"\n}\n__global__ void k(float *p) { p[0] = n::f(p[0]); }\n'
    file = build(text, headers={"f.cuh": "__device__ float f(float x) { return x * x; }\n"})
    (found,) = file.kernels
    assert found.complete
    assert file.find_function("f", 1) is not None


def test_members_of_a_class_by_include() -> None:
    text = 'template <int N> struct S : Base<N> {\n  float v[N];\n#include "members.inc"\n};\n'
    text += "__global__ void k(S<4> s, float *p) { s.twice(); p[0] = s.v[0]; }\n"
    file = build(text, headers={"members.inc": "__device__ void twice() { for (int i = 0; i < N; ++i) v[i] *= 2; }\n"})
    member = file.method("S", "twice", 0)
    assert member is not None
    assert len(nodes(member, Loop)) == 1
    assert [kernel.name for kernel in file.kernels] == ["k"]


def test_includes_of_vendors_in_a_function_are_nothing_to_look_for() -> None:
    assert kernel("__global__ void k(float *p) {\n#include <cmath>\n p[0] = 1;\n}\n").complete


# ----------------------------------------------------------------------------------------------------- odd spellings


def test_digraphs_are_read_and_keep_every_place() -> None:
    text = b"%:define N 4\n__global__ void k(float *x) <% x<:0:> = pow(x<:N:>, 2.0f); %>\n"
    report = lint_bytes(text, "k.cu", Settings())
    (found,) = [d for d in report.diagnostics if d.code == "RP201"]
    assert (found.location.start.line, found.location.start.column) == (2, text.splitlines()[1].index(b"pow") + 1)
    assert found.fix is None or "<:" not in "".join(edit.text for edit in found.fix.edits)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_word_continued_on_the_next_line_is_one_word(ending: str) -> None:
    text = f"__glo\\{ending}bal__ void k(float *x) {{ x[0] = po\\{ending}w(x[1], 2.0f); }}{ending}"
    file = build(text)
    (found,) = file.kernels
    assert found.complete
    assert [call.name for call in nodes(found.function, Call)] == ["pow"]
    assert found.end_line == 3


def test_text_in_comments_and_literals_stays() -> None:
    text = b'// a <% b :> c%:\nconst char *s = "<:%>";  /* ab\\\ncd */ std::vector<::x::y> v;\n'
    assert as_read(text) == text


def test_code_continues_after_a_backslash() -> None:
    text = b"#define A \\\n one\n__global__ \\\nvoid k(float *x) { *x = \\\r\n 1; }\n"
    assert as_read(text) == b"#define A \\\n one\n__global__  \nvoid k(float *x) { *x =  \r\n 1; }\n"
    assert [found.name for found in build("__global__ \\\nvoid cont(float *x) { x[0] = \\\n 1; }\n").kernels] == [
        "cont"
    ]


def test_as_read_keeps_size_and_lines() -> None:
    text = b"#define A on\\\ne\nint a<:3:> = <% 1 %>;\nvo\\\nid f() {}\n"
    read = as_read(text)
    assert len(read) == len(text)
    assert read.count(b"\n") == text.count(b"\n")
    assert read.startswith(b"#define A one\\\n\n")
    assert b"int a[ 3 ] = {  1  };" in read


def test_an_empty_body_with_a_semicolon_is_a_kernel() -> None:
    text = "__global__ void a(){};\n__global__ void b(float *x) { x[0] = 1; };\n"
    text += "template <int N> __global__ void c() { };\n"
    assert [found.name for found in build(text).kernels] == ["a", "b", "c"]
    function = kernel(
        "__global__ void k(float *p) { auto f = [](){}; f(); auto g = decltype(p[0]){}; p[0] = g; }"
    ).function
    assert list(variables(function)) == ["f", "g"]


def test_no_fix_where_the_text_is_read_otherwise() -> None:
    report = lint_bytes(b"__global__ void k(float *x) { x[0] = pow(x<:1:>, 2.0f); }\n", "k.cu", Settings())
    assert [d.fix for d in report.diagnostics if d.code == "RP201"] == [None]


def test_places_in_an_annex_are_shown_at_the_include() -> None:
    file = build(KERNEL, headers={"body.inc": BODY})
    source, at = file.source, KERNEL.index("#include")
    (call,) = nodes(file.kernels[0].function, Call)[:1]
    assert call.span.start >= source.size
    assert source.text(call.span) == "pow(v, 2.0)"
    assert source.shown(call.span) == Span(at, at + len('#include "body.inc"'))
    assert source.line_of(call.span.start) == 3
    there = Span(BODY.index("pow"), BODY.index(" + v"))
    assert source.origin(call.span) == ("body.inc", there, "in the text that is included")


def test_a_finding_in_a_kernel_that_a_macro_writes_is_at_its_use() -> None:
    text = b"#define SQUARE(name) \\\n  __global__ void name(double *x) { x[0] = pow(x[1], 2.0); }\n\nSQUARE(k)\n"
    (found,) = (d for d in lint_bytes(text, "k.cu", Settings()).diagnostics if d.code == "RP201")
    assert (found.kernel, found.fix) == ("k", None)
    assert (found.location.start.line, found.location.start.column, found.location.end.column) == (4, 1, 7)
    (note,) = found.related
    assert (note.message, note.location.start.line) == ("the macro that writes it", 1)
