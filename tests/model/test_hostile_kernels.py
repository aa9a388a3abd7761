"""Absurd kernels get an answer within limits of memory and CPU time, and no internal error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from analysis_helpers import facts_of
from cli_helpers import run
from corpus import drawn
from limits import limited

if TYPE_CHECKING:
    from pathlib import Path

ACCESSOR = """#include <sycl/sycl.hpp>
void f(sycl::queue &q, float *x) {{
  q.submit([&](sycl::handler &h) {{
    sycl::local_accessor<float, {rank}> t({size}, h);
    h.parallel_for(sycl::nd_range<{rank}>({local}, {local}), [=](sycl::nd_item<{rank}> it) {{
      t[it.get_local_id(0)] = x[0];
      x[0] = t[0];
    }});
  }});
}}
"""
KERNEL = "__global__ void k(float *x, int n) {{ {} }}\n"
LONG = "9" * 22
TILE = """#include "not_there.h"
__global__ void k(real_t *a, real_t *b, int n) {
  real_t sum[16][16];
  int t = threadIdx.x;
  for (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++) sum[i][j] = 0;
  for (int l = 0; l < n; l++)
    for (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++) sum[i][j] += a[t * 16 + i + l] * b[j * n + l];
  for (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++) b[t * 256 + i * 16 + j] = sum[i][j];
}
"""
PLAIN = "__global__ void k(float *x) { x[0] = 1; }\nvoid run(float *x) { k<<<1, 64>>>(x); }\n"
VARIED = "__global__ void k(float *x) {{ x[0] = 1; }}\nvoid run{0}(float *x) {{ k<<<1, {0}>>>(x); }}\n"
SUBMIT, END = "q.submit([&](sycl::handler &h) {\nh.parallel_for(64, [=](sycl::item<1> i) { x[i] = 1; });\n", "});\n"
FILES = {
    "rank.cpp": ACCESSOR.format(rank=1_000_000_000, size="sycl::range<1>(64)", local=64),
    "long_rank.cpp": ACCESSOR.format(rank=LONG, size="sycl::range<1>(64)", local=64),
    "negative_size.cpp": ACCESSOR.format(rank=1, size=-64, local=64),
    "negative_range.cpp": ACCESSOR.format(rank=1, size=64, local="sycl::range<1>(-64)"),
    "zeroed.cu": KERNEL.format(
        "char c[1u << 26] = {0}; for (int i = 0; i < n; i++) c[i & 3] += x[i]; x[0] = c[n & 7];"
    ),
    "zeroed_once.cu": KERNEL.format("char c[1u << 26] = {0}; x[0] = c[5];"),
    "zeroed_deep.cu": KERNEL.format("float q" + "[2]" * 5_000 + " = {0}; x[0] = 1;"),
    "long_number.cu": KERNEL.format(f"char c[{LONG}]; c[n] = 1; for (int i = 0; i < {LONG}; i += {LONG}) x[i] = c[i];"),
    "long_block.cu": PLAIN.replace("64", LONG),
    "negative_array.cu": KERNEL.format(
        "double c[-5]; c[1] = x[0]; float d[3 - 7][-2]; d[n][1] = x[1]; x[0] = c[1] + d[0][0];"
    ),
    "negative_argument.cu": "template <int N> "
    + PLAIN.replace("x[0] = 1;", "float a[N - 8]; a[0] = x[0]; x[1] = a[0];").replace("k<<<", "k<2><<<"),
    "negative_field.cu": "struct S { float a[-4]; double b; };\n"
    + KERNEL.format("S s; s.b = x[0]; x[0] = s.b + s.a[1];"),
    "negative_block.cu": PLAIN.replace("64", "dim3(-16, -16), -4096"),
    "tile.cu": TILE,
    "ifdef.cu": KERNEL.format("\n" + "#ifdef A\n" * 5_000 + "x[0] = 1;\n" + "#endif\n" * 5_000),
    "else.cu": KERNEL.format("\n" + "#ifdef A\nx[0] = 2;\n#else\n" * 3_000 + "x[0] = 1;\n" + "#endif\n" * 3_000),
    "brackets.cu": KERNEL.format("float q" + "[2]" * 40_000 + "; x[0] = 1;"),
    "launches.cu": PLAIN * 500,
    # Each function that is not visible was looked for in all of the file, twice.
    "calls.cu": "// a b\n" * 80_000 + KERNEL.format("".join(f"x[{i}] = far{i}(x[n]);" for i in range(60))),
    "varied.cu": "".join(VARIED.format(number) for number in range(1, 300)),
    "submits.cpp": "#include <sycl/sycl.hpp>\nvoid f(sycl::queue &q, float *x) {\n" + SUBMIT * 60 + END * 60 + "}\n",
}


# Several to a process, which shares its start: what one of them takes has to fit into the limits with the others.
LARGE = (("tile.cu", "ifdef.cu", "else.cu", "brackets.cu"), ("launches.cu", "calls.cu"), ("varied.cu", "submits.cpp"))
GROUPS = (*LARGE, tuple(name for name in FILES if not any(name in group for group in LARGE)))


@pytest.mark.parametrize("names", drawn(GROUPS, 4), ids=lambda names: names[0])
def test_a_kernel_takes_bounded_memory_and_time(tmp_path: Path, names: tuple[str, ...]) -> None:
    for name in names:
        (tmp_path / name).write_text(FILES[name])
    status, out, err = limited("kernels", "--no-cache", "-j1", "--arch", "gfx90a,sm_90", *names, cwd=tmp_path)
    assert (status, err) == (0, "")
    assert [name for name in names if name not in out] == []


def test_tile_of_an_unknown_type_causes_no_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tile.cu").write_text(TILE)
    found = run(capsys, "check", "--no-cache", "--arch", "sm_90", "--select", "RP407,RP001", tmp_path / "tile.cu")
    assert found.status == 0  # what is not known is no warning
    tile = "register tile `sum` of 256 x real_t (1,024 bytes per thread if `real_t` is a float) and its operands"
    assert tile in " ".join(found.out.split())
    assert "`not_there.h` was not found" in " ".join(found.out.split())


@pytest.mark.slow
def test_check_has_no_internal_error_either(tmp_path: Path) -> None:
    negative = ("negative_size.cpp", "negative_array.cu", "negative_argument.cu", "negative_field.cu")
    names = ("rank.cpp", *negative, "else.cu", "long_block.cu", "varied.cu")
    for name in names:
        (tmp_path / name).write_text(FILES[name])
    status, out, err = limited("check", "--no-cache", "-j1", "--arch", "gfx90a,sm_90,pvc", *names, cwd=tmp_path)
    assert status in (0, 1)
    assert "RP009" not in out + err


# Ten loops around one statement: without a bound each would be evaluated some 40,000 times, 800 expressions at a time.
STATEMENTS = {
    "sum": " + ".join(f"x[{i}]" for i in range(400)),
    "names": " + ".join(["c"] * 800),
    "literals": " + ".join(f"{i}.5f" for i in range(800)),
    "subscripts": "x[(int)" * 120 + "s" + "]" * 120,
    "arguments": f"far({', '.join(f's + {i}' for i in range(400))})",
}


@pytest.mark.parametrize("form", STATEMENTS)
def test_long_statement_in_loops_terminates(monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    monkeypatch.setattr("regpress_lint.model.interpreter.machine.MAX_WORK", 1_000)
    loops = "".join(f"for (int k{i} = 0; k{i} < 4; k{i}++) " for i in range(10))
    facts = facts_of(KERNEL.format(f"float s = n; int c = 3; {loops} s += {STATEMENTS[form]}; x[0] = s;"))
    execution = facts.execution("sm_90")
    assert not execution.complete
    assert "expressions" in execution.unknowns[-1].text


@pytest.mark.parametrize("made", ["make_int4<int>{}[0]", "make_half2<float>{}[n]"])
def test_indexing_a_vector_without_lanes_gives_an_estimate(made: str) -> None:
    facts = facts_of(f"__global__ void k(float* p, int n) {{ p[n] = {made}; }}", "cuda")
    assert facts.target("sm_90").registers.high >= 4


def test_bytes_of_a_tile_in_a_large_graph_give_an_estimate() -> None:
    facts = facts_of(
        "__global__ void k(const float* a, int* w, unsigned char* out, float* b, int n) {\n"
        "  __shared__ int s[256]; s[threadIdx.x] = w[0]; unsigned char* q = (unsigned char*)(s + n);\n"
        "  float sum = 0;\n  #pragma unroll\n  for (int i = 0; i < 500; i++) sum += a[i] * a[i + 1];\n"
        "  for (int i = 0; i < 4; i++) out[n + i] = *(q + i);\n  b[0] = sum;\n}\n"
    )
    assert facts.target("gfx90a").registers.high >= 4
