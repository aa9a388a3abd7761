"""Parts of a kernel that only a macro of the build brings: an entry of the ledger, and `--define` settles it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from cli_helpers import run
from frontend_helpers import kernel
from ssa_helpers import run_text

from regpress_lint import testing

if TYPE_CHECKING:
    from pathlib import Path

LARGE = "  for (int j = 0; j < 24; ++j) v[j] *= v[(j + 1) % 24] + p[j];\n"
HEAD = "__global__ void k(const double *p, double *o, int n) {\n  double v[24] = {0};\n"


def names(body: str, before: str = "") -> list[tuple[str, str]]:
    found = kernel(f"{before}{HEAD}{body}  o[0] = v[n];\n}}\n")
    return [(each.name, each.opens) for each in found.unknowns]


@pytest.mark.parametrize(
    ("head", "opens"),
    [
        ("#if defined(DIM_3D)", "up"),
        ("#ifdef DIM_3D", "up"),
        ("#if DIM_3D", "up"),
        ("#if defined(__CUDACC__) && DIM_3D == 3", "up"),
        ("#ifndef DIM_3D", "down"),
        ("#if !defined(DIM_3D)", "down"),
    ],
)
def test_code_depending_on_a_macro_is_open(head: str, opens: str) -> None:
    assert names(f"{head}\n{LARGE}#endif\n") == [("DIM_3D", opens)]


@pytest.mark.parametrize(
    "arms",
    [
        "  for (int m = 0; m < 3; ++m)\n#ifdef FAST\n    quick(v, p[m]);\n#else\n    v[m] += p[m];\n#endif\n",
        "  while (n--)\n#if FAST > 2\n    quick(v, p[n]);\n#elif N == 8\n    v[1] += p[n];\n#else\n    f(v);\n#endif\n",
        "#ifdef FAST\n  if (n) {\n    quick(v, p[n]);\n  } else\n#endif\n  {\n    v[0] = p[1];\n  }\n",
    ],
)
def test_arms_that_the_grammar_has_no_place_for(arms: str) -> None:
    """The tree shows one arm: the one that is compiled."""
    text = f"{HEAD}{arms}  o[0] = v[n];\n}}\n"
    assert run_text(f"#define N 8\n{text}").tally.unresolved == 0
    assert run_text(f"#define N 8\n#define FAST 3\n{text}").tally.unresolved > 0


def test_larger_arm_decides_the_side() -> None:
    assert names(f"#ifdef A\n{LARGE}{LARGE}#else\n{LARGE}#endif\n") == [("A", "up")]
    assert names(f"#ifdef A\n{LARGE}#else\n{LARGE}{LARGE}#endif\n") == [("A", "down")]


@pytest.mark.parametrize(
    ("body", "before"),
    [
        (f"#ifdef A\n{LARGE}#endif\n", "#define A\n"),
        (f"#if A\n{LARGE}#endif\n", "#define A 0\n"),
        (f"#ifdef __CUDACC__\n{LARGE}#endif\n", ""),
        (f"#ifdef __HIP_PLATFORM_AMD__\n{LARGE}#endif\n", ""),
        (f"#ifdef DEBUG\n{LARGE}#endif\n", ""),  # nobody compiles that for registers
        (f"#if 0\n{LARGE}#endif\n", ""),
        ("#ifdef A\n  n++;\n#endif\n" + LARGE, ""),  # too little to matter
        (f"#if defined(A) || defined(__CUDACC__)\n{LARGE}#endif\n", ""),  # compiled either way
    ],
)
def test_settled_or_minor_condition_is_not_open(body: str, before: str) -> None:
    assert names(body, before) == []


def test_the_band_is_open_until_the_macro_is_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "k.cu").write_text(f"{HEAD}#ifdef DIM_3D\n{LARGE}{LARGE}#endif\n  o[0] = v[n];\n}}\n")
    (tmp_path / "c.toml").write_text("defines = { DIM_3D = false }\n")
    found: list[list[str]] = []
    for words in ((), ("-D", "DIM_3D"), ("--config", str(tmp_path / "c.toml"))):
        out = run(capsys, "kernels", "--no-cache", "--output-format", "json", *words, tmp_path / "k.cu").out
        (target,) = json.loads(out)["kernels"][0]["targets"].values()
        found.append([each["name"] for each in target["unknown"] if each["kind"] == "macro"])
    assert found == [["DIM_3D"], [], []]


def test_undefined_macros_of_a_compile_command_are_settled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "k.cu").write_text(f"{HEAD}#ifdef DIM_3D\n{LARGE}{LARGE}#endif\n  o[0] = v[n];\n}}\n")
    entry = {"directory": str(tmp_path), "file": "k.cu", "command": "nvcc -c k.cu"}
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
    words = ("kernels", "--no-cache", "--semantic", "off", "-p", tmp_path, tmp_path / "k.cu")
    assert "DIM_3D" not in run(capsys, *words).out


def test_undefined_names_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = f"{HEAD}#ifdef DIM_3D\n{LARGE}{LARGE}#endif\n  o[0] = v[n];\n}}\n"
    (tmp_path / "k.cu").write_text(text + text.replace(" k(", " q("))
    out = " ".join(run(capsys, "kernels", "--no-cache", tmp_path / "k.cu").out.split())
    assert "not defined: DIM_3D (2 kernels); --define NAME=VALUE" in out


NEVER = """
#ifndef GUARD_X
#define GUARD_X
__global__ void guarded(float* o) { o[0] = 1; }
#endif
#ifndef N
#define N 4
#endif
#if N == 8
__global__ void given_by_a_build(float* o) { o[0] = 1; }
#endif
#ifdef OTHER
#define W 1
#endif
#if W
__global__ void with_another_macro(float* o) { o[0] = 1; }
#endif
#define A 3
#if A > 4
__global__ void never(float* o) { o[0] = 1; }
#elif A > 2
__global__ void chosen(float* o) { o[0] = 1; }
#else
__global__ void never(float* o) { o[0] = 1; }
#endif
#if 0
__global__ void never(float* o) { o[0] = 1; }
#else
__global__ void otherwise(float* o) { o[0] = 1; }
#endif
"""


def test_dead_kernels_are_left_out() -> None:
    found = [kernel.name for kernel in testing.build(NEVER, "k.cu", "cuda").kernels]
    assert found == ["guarded", "given_by_a_build", "with_another_macro", "chosen", "otherwise"]


def test_code_that_no_build_compiles_launches_nothing() -> None:
    launch = "__global__ void k(float* o) {{ o[0] = 1; }}\n{0}\nvoid f(float* o) {{ k<<<1, 64>>>(o); }}\n{1}\n"
    for head, end, launches in (
        ("#if 0", "#endif", 0),
        ("#define A\n#ifndef A", "#endif", 0),
        ("#ifdef A", "#endif", 1),
    ):
        assert len(testing.build(launch.format(head, end), "k.cu", "cuda").launches) == launches
    assert testing.build(f"#if 0\n{launch.format('', '')}#endif\n", "k.cu", "cuda").kernels == ()
