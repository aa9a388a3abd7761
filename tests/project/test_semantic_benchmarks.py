"""tools/measure/open_questions.py, semantic_gain.py and sizeof_agreement.py: what is open, why, and
what a compiler said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import compilers
import pytest

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.lint.projects import Projects
from regpress_lint.program import build_file
from tools.measure import semantic_gain, sizeof_agreement
from tools.measure.open_questions import Question, block_reason, is_host_variable, questions
from tools.measure.programs import Programs
from tools.measure.sizeof_agreement import Answered, Asked, asked_of, judged, read_answers, with_questions

if TYPE_CHECKING:
    from pathlib import Path

    from regpress_lint.program.file import File

KERNEL = """
#include "elsewhere.h"
__device__ int device_global;
template <typename T, int N> __global__ void general(T* x) { T kept[N]; x[0] = kept[0]; }
__global__ void kernel(float* x, int n) {
  float known[4 * 2];
  float wide[WIDTH];
  real_t scalar = 0;
  auto deduced = make_it(n);
  __shared__ real_t tile[16];
  for (int i = 0; i < 4; ++i) known[i] = 0;
  for (int i = threadIdx.x; i < WIDTH; i += blockDim.x) x[i] = 0;
  for (int i = 0; i < n; ++i) x[i] = known[i];
  for (int i = 0, j = n; i < WIDTH; ++i) wide[i] = 0;
  for (int i = 0; i < ceil_div(WIDTH, 4); ++i) wide[i] = 0;
  for (int i = 0; i < device_global; ++i) wide[i] = 0;
  for (int i = 0; i < x[0]; ++i) wide[i] = 0;
  for (int i = 0; i < 8; ++i) { for (int k = 0; k < i; ++k) wide[k] = 0; }
  while (x[0] > 1) x[0] -= 1;
  x[0] += scalar + tile[0] + deduced;
}
"""


def file_of(text: str, path: str = "a.cu") -> File:
    return build_file(Source(path, text.encode()), "cuda", Project())


def asked(text: str) -> list[Question]:
    return questions(file_of(text), Settings())


def open_ones(text: str) -> list[tuple[str, str, str]]:
    return [(one.kind, one.why, one.about) for one in asked(text) if one.why]


def test_why_is_something_open() -> None:
    found = open_ones(KERNEL)
    assert ("type", "template", "T") in found
    assert ("array", "template", "N") in found
    assert ("array", "constant", "WIDTH") in found
    assert ("type", "constant", "real_t") in found
    assert ("lds", "constant", "real_t") in found
    assert ("auto", "constant", "auto") in found
    assert [(why, about) for kind, why, about in found if kind == "loop"] == [
        ("run time", "memory"),
        ("run time", "n"),
        ("constant", "WIDTH"),
        ("constant", "WIDTH"),
        ("run time", "device_global"),
        ("run time", "memory"),
        ("run time", "i"),
        ("run time", "no counter"),
    ]
    assert sum(one.kind == "loop" for one in asked(KERNEL)) == 10


def test_an_instantiation_settles_what_its_template_leaves_open() -> None:
    launches = "void run(float* x, double* y) { general<float, 8><<<1, 64>>>(x); general<double, 4><<<1, 64>>>(y); }"
    kinds = [(kind, about) for kind, _, about in open_ones(KERNEL + launches)]
    assert ("array", "N") not in kinds
    assert ("type", "T") not in kinds
    unsettled = "void run(float* x) { general<float, 8><<<1, 64>>>(x); general<float, MANY><<<1, 64>>>(x); }"
    assert ("array", "template", "N") in open_ones(KERNEL + unsettled)  # of one of the two


@pytest.mark.parametrize(
    ("host", "why", "about"),
    [
        ("void run(float* x) { k<<<1, BLOCK>>>(x); }", "constant", "BLOCK"),
        ("void run(float* x) { dim3 block(BLOCK, 2); k<<<1, block>>>(x); }", "constant", "BLOCK"),
        ("void run(float* x) { dim3 b; b.x = BLOCK; b.y = atoi(s); k<<<1, b>>>(x); }", "run time", "atoi()"),
        ("void run(float* x) { dim3 b; b.x = BLOCK; b.y = size_of_it(4); k<<<1, b>>>(x); }", "constant", "BLOCK"),
        ("void run(float* x) { k<<<1, threads()>>>(x); }", "constant", "threads()"),
        ("void run(float* x, int n) { dim3 block(n); k<<<1, block>>>(x); }", "run time", "n"),
        ("void run(float* x) { int b = 64; if (x) b = 32; k<<<1, b>>>(x); }", "run time", "b"),
        ("template <int B> void run(float* x) { k<<<1, B>>>(x); }", "template", "B"),
        ("template <int B> void run(float* x) { k<<<1, 64>>>(x); }", "", ""),
    ],
)
def test_why_a_block_size_is_open(host: str, why: str, about: str) -> None:
    text = "__global__ void k(float* x) { x[0] = 1; }\n" + host
    file = file_of(text)
    (launch,) = file.launches
    assert (launch.block_size is None) == bool(why)
    assert not why or block_reason(text.encode(), launch) == (why, about)


@pytest.mark.parametrize(
    ("text", "name", "yes"),
    [
        ("size_t count = 3;", "count", True),
        ("void f(int a, const int n) {}", "n", True),
        ("int a, n;", "n", True),
        ("constexpr int n = 3;", "n", False),
        ("#define n 3", "n", False),
        ("static const int n = 3;", "n", False),
        ("return n;", "n", False),
        ("x = n;", "n", False),
        ("n::m", "n::m", False),
    ],
)
def test_variables_of_the_host(text: str, name: str, yes: bool) -> None:
    assert is_host_variable(text.encode(), name) is yes


def test_the_table_keeps_the_reasons_of_the_run_without_libclang() -> None:
    off: dict[semantic_gain.Key, Question] = {
        ("loop", "a.cu", 1): Question("loop", "a.cu", 1, "k", "constant", "N"),
        ("loop", "a.cu", 2): Question("loop", "a.cu", 2, "k", "template", "T::n"),
        ("loop", "a.cu", 3): Question("loop", "a.cu", 3, "k", "run time", "n"),
        ("loop", "a.cu", 4): Question("loop", "a.cu", 4, "k"),
        ("loop", "a.cu", 5): Question("loop", "a.cu", 5, "k", "constant", "M"),
    }
    on = dict(off)
    on["loop", "a.cu", 1] = Question("loop", "a.cu", 1, "k")
    on["loop", "a.cu", 2] = Question("loop", "a.cu", 2, "k", "constant", "N")
    del on["loop", "a.cu", 5]  # only one run sees it
    (row,) = [row for row in semantic_gain.rows([off, on]) if row.kind == "loop"]
    assert row.places == 4
    assert [dict(count) for count in row.opened] == [
        {"constant": 1, "template": 1, "run time": 1},
        {"template": 1, "run time": 1},
    ]


def test_a_place_of_several_files_is_open_if_one_of_them_leaves_it_open() -> None:
    places: dict[semantic_gain.Key, Question] = {}
    for why in ("", "constant", ""):
        semantic_gain.merge(places, Question("array", "a.h", 7, "k", why))
    assert [one.why for one in places.values()] == ["constant"]


def test_percentiles() -> None:
    assert semantic_gain.percentile([], 0.5) == 0
    assert semantic_gain.percentile([3, 1, 2], 0.5) == 2
    assert semantic_gain.percentile(range(100), 0.9) == 90


SIZES = """struct Pair { int a; double b; };
__device__ float helper(float x) { double d = x; float two[2] = {x, x}; return d + two[1]; }
template <typename T> __global__ void general(T* x) { T kept[4]; x[0] = kept[0]; }
__global__ void kernel(float* x, int n) {
  Pair pair; int table[3][MANY], single = n;
  auto f = [](int i) { return i; };
  for (int i = 0; i < n; ++i) { float* p = x + i; *p = helper(table[0][0] + pair.a + single); }
  Elsewhere e; x[0] = e.value + f(1);
}
void run(float* x) { kernel<<<1, 64>>>(x, 1); general<<<1, 64>>>(x); }
"""
BEFORE = "#define MANY 5\nstruct Elsewhere { float value; };\n"


def sizes_asked(path: Path, text: str) -> list[Asked]:
    path.write_text(text)
    file = build_file(Source(str(path), text.encode()), "cuda", Project())
    found: dict[tuple[int, str], Asked] = {}
    for kernel in file.kernels:
        facts = kernel_facts(file, kernel, Settings())
        found.update({(one.offset, one.name): one for one in asked_of(facts, sizeof_agreement.Texts())})
    return list(found.values())


def test_requested_sizes(tmp_path: Path) -> None:
    found = {one.name: one.size for one in sizes_asked(tmp_path / "a.cu", SIZES)}
    assert found == {"pair": 16, "table": None, "single": 4, "p": 8, "e": None, "d": 8, "two": 8}


def test_questions_in_the_text(tmp_path: Path) -> None:
    found = sizes_asked(tmp_path / "a.cu", SIZES)
    text = with_questions(SIZES.encode(), enumerate(found)).decode()
    assert text.count("static_assert(regpress_size<") == len(found)
    assert text.count("\n") == SIZES.count("\n")
    number = next(number for number, one in enumerate(found) if one.name == "two")
    assert f"two[2] = {{x, x}}; static_assert(regpress_size<{number}, sizeof(two)>::v); return" in text


def test_sizes_in_compiler_messages() -> None:
    clang = """a.hip:3:48: error: implicit instantiation of undefined template 'regpress_size<3, 16>'
a.hip:1:46: note: template is declared here"""
    nvcc = 'a.cu(3): error: incomplete type "regpress_size<4UL, 28UL>" is not allowed'
    assert read_answers(clang) == Answered({3: 16})
    assert read_answers(nvcc) == Answered({4: 28})
    assert read_answers(nvcc + "\n" + nvcc.replace("28", "56")) == Answered({})
    assert read_answers(clang + "\na.hip:1:1: fatal error: 'x.h' file not found").error == "'x.h' file not found"
    assert read_answers('a.cu(9): error: identifier "q" is undefined').error == 'identifier "q" is undefined'
    assert read_answers("  int error; static_assert(regpress_size<1, sizeof(error)>::v);") == Answered({})
    assert read_answers("3 errors generated when compiling for gfx90a.") == Answered({})


def test_verdicts() -> None:
    questions = [(n, Asked("a.cu", 1, "x", size, "k", 1, "", "")) for n, size in enumerate((4, 4, 4, None))]
    assert [one.verdict for one in judged(questions, {0: 4, 1: 8, 3: 8})] == ["agree", "differ", "unseen", "unknown"]


@pytest.mark.compiler
@pytest.mark.parametrize(("suffix", "target"), [(".cu", "sm_90"), (".hip", "gfx90a")])
def test_compilers_agree(tmp_path: Path, suffix: str, target: str) -> None:
    compilers.need(suffix)
    folder = tmp_path / "src" / "program"
    folder.mkdir(parents=True)
    (folder / f"main{suffix}").write_text(BEFORE + SIZES)
    programs = Programs(tmp_path / "src")
    units = sizeof_agreement.questions_by_unit(programs, target, Projects((), [str(tmp_path)]), "")
    ((unit, found),) = units.items()
    numbered = list(enumerate(found))
    answer = sizeof_agreement.compile_with(programs, target, unit, numbered, sizeof_agreement.Texts())
    assert answer.error == ""
    assert {one.verdict for one in judged(numbered, answer.sizes)} == {"agree"}
