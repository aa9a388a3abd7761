"""Kernels in string literals of C++ and Python: found, reported at their place in the file, fixed there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from cli_helpers import run, run_json
from frontend_helpers import build

from regpress_lint.cpp.preprocess.kernel_strings import kernels_in_literals, kernels_in_python

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = 'extern "C" __global__ void k(const float *x, float *y) {\n  y[0] = pow(x[threadIdx.x], 2.0f);\n}\n'
RAW = f'#include <nvrtc.h>\nstatic const char *src = R"CUDA(\n{KERNEL})CUDA";\nint build() {{ return src[0]; }}\n'
QUOTED = """#include <nvrtc.h>
static const char *src =
    "__global__ void k(const float *x, float *y) {\\n"  // a comment
    "#pragma unroll\\n"
    "  for (int i = 0; i < 4; ++i)\\n"
    "    y[i] = pow(x[threadIdx.x], 2.0f);\\n"
    "}\\n";
"""
OPENCL = """#include <CL/cl.h>
static const char *src =
    "__kernel void k(__global const float *x, __global float *y) {\\n"
    "  y[0] = pow(x[get_global_id(0)], 2.0f);\\n"
    "}\\n";
"""
PYTHON = f"import cupy\ndef f():\n    return cupy.RawKernel(r'''\n{KERNEL}''', 'k')\n"


def where(text: str, word: str) -> tuple[int, int]:
    at = text.index(word)
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


@pytest.mark.parametrize(
    ("name", "text"), [("a.cpp", RAW), ("a.cpp", QUOTED), ("a.cpp", RAW.replace("\n", "\r\n")), ("a.py", PYTHON)]
)
def test_finding_is_at_its_place_in_the_literal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str
) -> None:
    (tmp_path / name).write_bytes(text.encode())
    (found,) = run_json(capsys, "--no-cache", "--select", "RP201", tmp_path / name)["diagnostics"]
    assert (found["start"]["line"], found["start"]["column"]) == where(text, "pow(")
    assert found["message"].startswith("`pow(x[threadIdx.x], 2.0f)`")
    kernels = json.loads(run(capsys, "kernels", "--no-cache", "--output-format", "json", tmp_path / name).out)[
        "kernels"
    ]
    assert [(each["name"], each["line"]) for each in kernels] == [("k", where(text, "void k(")[0])]


@pytest.mark.parametrize(("name", "text"), [("a.cpp", RAW), ("a.cpp", QUOTED), ("a.py", PYTHON)])
def test_a_fix_is_made_inside_the_literal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str
) -> None:
    (tmp_path / name).write_text(text)
    run(capsys, "check", "--no-cache", "--select", "RP201", "--fix", "--unsafe-fixes", tmp_path / name)
    after = (tmp_path / name).read_text()
    assert after == text.replace("pow(x[threadIdx.x], 2.0f)", "x[threadIdx.x] * x[threadIdx.x]")


def test_a_literal_in_a_function_and_two_of_them() -> None:
    other = KERNEL.replace(" k(", " q(")
    text = f'#include <hip/hiprtc.h>\nvoid f() {{ const char *a = R"({KERNEL})"; const char *b = R"x({other})x"; }}'
    found = build(text, "hip", path="a.cpp")
    assert [kernel.name for kernel in found.kernels] == ["k", "q"]
    assert all(kernel.complete for kernel in found.kernels)


def test_kernel_of_opencl_in_a_literal_is_one_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.cpp").write_text(OPENCL)
    words = ("kernels", "--no-cache", "--output-format", "json", tmp_path / "a.cpp")
    (kernel,) = json.loads(run(capsys, *words).out)["kernels"]
    assert (kernel["name"], kernel["line"]) == ("k", 3)


@pytest.mark.parametrize(
    "text",
    [
        'const char *m = "calling a __global__ function (f) is not allowed";',
        'const char *p = "__global__ void k(float *x);";',
        '// R"(__global__ void k() { })"\nint x;',
        f'/* "{KERNEL}" */ int x;',
        "__global__ void k(float *x) { x[0] = 1; }",
        'const char *m = "not closed __global__ void k() {',
    ],
)
def test_literals_without_a_kernel(text: str) -> None:
    assert kernels_in_literals(text.encode()) == []


def test_places_and_sizes_stay() -> None:
    for text in (RAW, QUOTED):
        (literal,) = kernels_in_literals(text.encode())
        assert len(literal.text) <= literal.span.end - literal.span.start
        at = literal.at + literal.text.index(b"threadIdx")
        assert text[at:].startswith("threadIdx")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (PYTHON, 1),
        (f"a = '''{KERNEL}'''\nb = \"\"\"{KERNEL}\"\"\"\n", 2),
        ("k = '__global__ void k(float *x) { x[0] = 1; }'\n", 1),
        (f"# '''{KERNEL}'''\n", 0),
        ("s = f'__global__ void k(float *x) {{ x[{n}] = 1; }}'\n", 1),
        ("s = f'{{ no kernel {n} }}'\n", 0),
        ("s = 'not closed __global__ void k() {\nt = 1\n", 1),
    ],
)
def test_literals_of_python(text: str, count: int) -> None:
    assert len(kernels_in_python(text.encode())) == count


def test_a_folder_is_not_searched_for_python(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.py").write_text(PYTHON)
    (tmp_path / "a.cpp").write_text(RAW)
    found = run_json(capsys, "--no-cache", "--select", "RP201", tmp_path)["diagnostics"]
    assert [each["path"].rpartition("/")[2] for each in found] == ["a.cpp"]


FORMATTED = (
    'import cupy\nk = cupy.RawKernel(f"""\n'
    "__global__ void k(double* o, const double* a, int n) {{\n"
    "  double v[{N:d}];\n  for (int j = 0; j < {N}; ++j) v[j] = pow(a[j], 2.0);\n"
    "  for (int j = 0; j < {N}; ++j) o[j * n] = v[j] + pow({', '.join(x)}, 2.0) + pow({y}, 2.0);\n"
    '}}\n""", "k")\n'
)


def test_the_names_in_an_f_string_are_unknown_until_they_are_defined(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.py").write_text(FORMATTED)
    words = ("kernels", "--isolated", "--no-cache", "--output-format", "json", "--arch", "sm_90", tmp_path / "a.py")
    (kernel,) = json.loads(run(capsys, *words).out)["kernels"]
    assert (kernel["name"], kernel["line"], kernel["complete"]) == ("k", 3, False)
    assert any("`N` is not defined" in one["text"] for one in kernel["targets"]["sm_90"]["unknown"])
    (kernel,) = json.loads(run(capsys, *words, "--define", "N=4").out)["kernels"]
    assert not any("`N`" in one["text"] for one in kernel["targets"]["sm_90"]["unknown"])


def test_a_fix_in_an_f_string_leaves_its_fields(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.py").write_text(FORMATTED)
    run(capsys, "check", "--no-cache", "--select", "RP201", "--fix", "--unsafe-fixes", tmp_path / "a.py")
    assert (tmp_path / "a.py").read_text() == FORMATTED.replace("pow(a[j], 2.0)", "a[j] * a[j]")


_BODY = "double v[{0}]; for (int j = 0; j < {0}; ++j) v[j] = a[j]; {1} a[n] = v[n];"
PERCENT = "__global__ void {}(double* a, int n) {{ {} }}".format("%(name)s", _BODY.format("%(N)d", "%(work)s;"))
DOLLAR = "__global__ void {}(double* a, int n) {{ {} }}".format("${name}", _BODY.format("$N", "${work};"))
BRACES = "__global__ void {{name}}(double* a, int n) {{{{ {} }}}}".format(_BODY.format("{N}", "work();"))
JINJA = "__global__ void {}(double* a, int n) {{ {} }}".format(
    "{{ name }}", _BODY.format("{{ N }}", "{% for w in x %} ")
)


@pytest.mark.parametrize(
    ("text", "opaque"),
    [
        pytest.param(f"s = '{PERCENT}'\nk = s % dict(name='k')\n", "work", id="percent"),
        pytest.param(f"s = Template('{DOLLAR}')\n", "work", id="template"),
        pytest.param(f"s = '{BRACES}'\nk = s.format(name='k')\n", "work", id="format"),
        pytest.param(f"s = jinja2.Template('{JINJA}')\n", "template_for", id="jinja"),
        pytest.param(f"s = ('{PERCENT[:60]}'  # and on\n     '{PERCENT[60:]}')\n", "work", id="side-by-side"),
    ],
)
def test_fields_of_templates_are_names_that_open_the_band(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, opaque: str
) -> None:
    (tmp_path / "a.py").write_text(text)
    words = ("kernels", "--isolated", "--no-cache", "--output-format", "json", "--arch", "sm_90", tmp_path / "a.py")
    (kernel,) = json.loads(run(capsys, *words).out)["kernels"]
    assert (kernel["name"], kernel["complete"]) == ("name", False)
    told = [one["text"] for one in kernel["targets"]["sm_90"]["unknown"]]
    assert any("`N` is not defined" in one for one in told)
    assert any(one.startswith(f"`{opaque}`") for one in told)
    (kernel,) = json.loads(run(capsys, *words, "--define", "N=4").out)["kernels"]
    assert not any("`N`" in one["text"] for one in kernel["targets"]["sm_90"]["unknown"])


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("a.py", 's = "__global__ void " + name + "(float* x) { x[0] = 1; }"\n', [1]),
        ("a.py", 's = "__global__ void k(float* x);"\nt = "a __global__ function"\n', []),
        ("a.cpp", '#include <nvrtc.h>\nauto s = "__global__ void " + name + "(float* x) {}";\n', [2]),
        ("a.cpp", '#include <nvrtc.h>\nvoid f() { s << "__global__ __launch_bounds__(" << n << ") void k"; }\n', [2]),
        ("a.cpp", '#include <nvrtc.h>\n// "__global__ void k"\nvoid f() { s << "__global__ void k(" << n; }\n', [3]),
        ("a.cpp", '#include <nvrtc.h>\nauto s = "extern \\"C\\" __global__ " + head;\n', [2]),
        ("a.cpp", '#include <nvrtc.h>\nauto s = R"(extern "C" __global__ )" + head;\n', [2]),
        ("a.cpp", '#include <nvrtc.h>\nvoid f() { s = "__global__\\n"; s += head; }\n', [2]),
        ("a.cpp", '#include <nvrtc.h>\nbool b = s.find("__global__") == 0 || s.find("__global__ ") == 0;\n', []),
        ("a.py", "s = 'extern \"C\" __global__ ' + head\n", [1]),
        ("a.py", 's = """extern "C" __global__ %s { x[0] = 1; }""" % head\n', [1]),
        ("a.py", "s = f'extern \"C\" __global__ {head} {{ x[0] = 1; }}'\n", [1]),
        ("a.py", 'WORDS = ["__global__", "__device__"]\ns = s.replace("__global__ ", "__kernel ")\n', []),
        ("a.cpp", RAW, []),
    ],
)
def test_assembled_kernel_text_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, lines: list[int]
) -> None:
    (tmp_path / name).write_text(text)
    found = run_json(capsys, "--no-cache", "--select", "RP001", tmp_path / name)["diagnostics"]
    told = [one for one in found if "puts the rest together" in one["message"]]
    assert [one["start"]["line"] for one in told] == lines
