"""An untrusted repository cannot run anything, read or write elsewhere, or keep the linter busy forever."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP, process, run

from regpress_lint import lint_bytes
from regpress_lint.core.settings import Settings
from regpress_lint.lint.projects import Projects
from regpress_lint.lint.registry import entry_points

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = b"__global__ void k(double *x) { x[0] = pow(x[0], 2.0); }\n"
TRAP = "open(__file__ + '.executed', 'w').close()\n"
PATIENCE = 30  # CPU seconds; without a bound each of these takes hours


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.chdir(tmp_path)


def executed(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*.executed")]


def test_modules_of_the_working_folder_are_not_imported(tmp_path: Path) -> None:
    for module in ("regpress_rules", "tree_sitter", "json", "typing", "__future__"):
        (tmp_path / module).mkdir()
        (tmp_path / module / "__init__.py").write_text(TRAP)
    (tmp_path / "regpress.toml").write_text('profile = "strict"\n')
    (tmp_path / "a.hip").write_text(HIP)
    found = process("check", "--no-cache", "--output-format", "json", "a.hip", cwd=tmp_path)
    assert executed(tmp_path) == []
    assert b"RP201" in found.stdout


def test_only_installed_packages_bring_rules(tmp_path: Path) -> None:
    info = tmp_path / "trap-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: trap\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[regpress_lint.rules]\ntrap = trap_module:rules\n")
    (tmp_path / "trap_module.py").write_text(TRAP)
    (tmp_path / "a.hip").write_text(HIP)
    assert [point.name for point in entry_points([str(tmp_path)])] == ["trap"]  # it is one where packages are installed
    found = process("check", "--no-cache", "a.hip", cwd=tmp_path)
    assert executed(tmp_path) == []
    assert b"trap" not in found.stderr


def doubling(levels: int) -> bytes:
    """A macro of which each level is twice the next one: what it stands for is longer than any memory."""
    lines = [f"#define B{level} B{level + 1} + B{level + 1}\n" for level in range(levels)]
    return "".join(lines).encode() + b"#define B%d 1.0\n" % levels


@pytest.mark.parametrize(
    "data",
    [
        doubling(64) + b"__global__ void k(double *x) { x[0] = B0; }\n",
        doubling(64) + b"#if B0\n" + KERNEL + b"#endif\n",
        doubling(64) + b"__global__ void k(double *x) { double t[B0]; x[0] = t[B0]; }\n",
        doubling(64) + b"void run() { k<<<1, B0>>>(x); }\n" + KERNEL,
        b"#define F(a) G(a, a)\n#define G(a, b) F(a) F(b)\n__global__ void k(double *x) { x[0] = F(F(F(1))); }\n",
        b"#define E(...) E2(__VA_ARGS__, __VA_ARGS__)\n#define E2(...) E(__VA_ARGS__)\n" + KERNEL + b"E(1)\n" * 99,
    ],
    ids=["value", "condition", "extent", "block", "cycle", "arguments"],
)
def test_macros_that_grow_without_end(data: bytes) -> None:
    begin = time.process_time()
    report = lint_bytes(data, "a.hip", Settings(architectures=("gfx90a", "sm_90")))
    assert [d.message for d in report.diagnostics if d.code == "RP009"] == []
    assert time.process_time() - begin < PATIENCE


@pytest.mark.parametrize(
    ("line", "most"),
    [
        (b'#include "h%d.h"\n', 500_000),
        pytest.param(b'#include "h%d.h"\n', Settings().max_file_bytes, marks=pytest.mark.slow),
        pytest.param(b"#include <h/%d.h>\n", 500_000, marks=pytest.mark.slow),
    ],
)
def test_includes_without_end(tmp_path: Path, line: bytes, most: int) -> None:
    """As many as a file of the largest size holds that is read at all; a million are left out for their size.

    What counts is how many names are looked for, in whatever folders: time alone would not tell ten thousand from 512.
    """
    settings = Settings(max_file_bytes=most)
    one = b"".join(line % number for number in range(1_000_000 * most // Settings().max_file_bytes))
    assert "max-file-bytes" in str(lint_bytes(one + KERNEL, "a.hip", settings).extra["warnings"])
    kept = one[: most - 200]
    (tmp_path / "a.hip").write_bytes(kept[: kept.rindex(b"\n") + 1] + KERNEL)
    begin = time.process_time()
    asked: set[str] = set()
    project = Projects(["a.hip"], ["."], read=lambda path: asked.add(path.rpartition("/")[2])).of("a.hip")
    report = lint_bytes((tmp_path / "a.hip").read_bytes(), "a.hip", settings, project=lambda: project)
    assert [d.code for d in report.diagnostics] == ["RP201"]
    assert 0 < len(asked) <= 600  # 512 of a file, and the names of build files
    assert time.process_time() - begin < PATIENCE


@pytest.mark.parametrize("form", ["full", "concise", "github", "markdown"])
def test_names_with_terminal_escapes(tmp_path: Path, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a\x1b]0;owned\x07\x1b[2J\x9b.hip").write_text(HIP)
    (tmp_path / "b.hip").write_text(HIP.replace("step", "s") + "// \x1b[31m\x9b\x07\n")
    status, out, err = run(capsys, "check", "--no-cache", "--output-format", form, ".")
    assert status == 1
    text = out + err
    assert not {char for char in text if (ord(char) < 32 and char != "\n") or 127 <= ord(char) < 160}


def test_include_folders_outside_of_the_project_are_not_read(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    (repository / ".git").mkdir(parents=True)
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "secret.h").write_text("#define SECRET 12345\n")
    (repository / "regpress.toml").write_text('include-dirs = ["../secrets"]\n')
    (repository / "a.hip").write_text('#include "secret.h"\n__global__ void k(double *x) { x[0] = SECRET; }\n')
    read: list[str] = []
    project = Projects(["a.hip"], ["."], ("../secrets",), read=lambda path: read.append(path)).of("a.hip")
    lint_bytes((repository / "a.hip").read_bytes(), "a.hip", Settings(), project=lambda: project)
    assert not [path for path in read if "secret" in path and path.startswith(("..", "/"))]
    found = process("check", "--no-cache", "--profile", "strict", ".", cwd=repository)
    assert b"12345" not in found.stdout + found.stderr


def test_extending_a_non_configuration_does_not_leak_its_content(tmp_path: Path) -> None:
    (tmp_path / "private").write_text("password hunter2\n")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "regpress.toml").write_text('extend = "../private"\n')
    (tmp_path / "src" / "a.hip").write_text(HIP)
    found = process("check", "--no-cache", "src", cwd=tmp_path)
    assert found.returncode == 2
    assert b"hunter2" not in found.stdout + found.stderr


def test_a_cache_folder_outside_gets_our_files_and_loses_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "precious").mkdir()
    kept = {"pack-0123.pack": b"1", ".gitignore": b"mine\n", "a.part": b"2"}
    for name, data in kept.items():
        (tmp_path / "precious" / name).write_bytes(data)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "regpress.toml").write_text('cache-dir = "../precious"\n')
    (tmp_path / "src" / "a.hip").write_text(HIP)
    assert run(capsys, "check", "src").status == 1
    assert run(capsys, "cache", "clean", "--cache-dir", "precious").status == 0
    assert {path.name: path.read_bytes() for path in (tmp_path / "precious").iterdir()} == kept


BASELINE = """version = 1
[[findings]]
path = "{}"
kernel = "k"
rule = "RP201"
subject = "x"
severity = "warning"
count = 1
reason = ""
"""


@pytest.mark.parametrize("other", ["../outside.hip", "/etc/passwd", "a.hip/../../outside.hip", "\\u001b[2J"])
def test_a_baseline_that_names_other_files_touches_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    (tmp_path / "outside.hip").write_text(HIP)
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path / "src")
    (tmp_path / "src" / "a.hip").write_text(HIP)
    (tmp_path / "src" / "regpress-baseline.toml").write_text(BASELINE.format(other))
    checked = run(capsys, "check", ".")
    assert checked.status == 1  # what it knows is elsewhere: nothing here is silenced
    assert "\x1b" not in checked.out + checked.err
    assert "\x1b" not in run(capsys, "baseline", "prune", ".").err
    assert (tmp_path / "outside.hip").read_text() == HIP


def seconds_of(data: bytes) -> float:
    begin = time.process_time()
    lint_bytes(data, "a.hip", Settings(architectures=("gfx90a",)))
    return time.process_time() - begin


LAUNCH = b"__global__ void k(float *x) { x[0] = 1; }\nvoid run(float *x) { RUN }\n"
RUNS = {
    "blanks behind a word of SYCL": b"void f(sycl::queue q) { q.parallel_for(64, [=](sycl::item<1> item"
    + b" " * 4_000
    + b"; }); }",
    "arguments of a launch": LAUNCH.replace(b"RUN", b"k<<<" + b"x," * 4_000 + b" 256>>>(x);"),
    "operators in front of a launch": LAUNCH.replace(b"RUN", b"k" + b"!" * 20_000 + b"<<<1, 256>>>(x);"),
    "members around a local accessor": b"void f(sycl::handler &h) { sycl::local_accessor<float"
    + b".a" * 20_000
    + b"> t(1, h); h.parallel_for(64, [=](sycl::nd_item<1> it) { t[0] = 1; }); }",
    "scopes of a call": b"void f(float *x) { Kokkos::parallel_for("
    + b"a::" * 8_000
    + b" 64, KOKKOS_LAMBDA(int i) { x[i] = 1; }); }",
    "a word without end in a budget": KERNEL + b"// regpress: budget " + b"a" * 10_000 + b"\n",
    "host functions behind a kernel": KERNEL + b"void f() { g<<<1, 64>>>(); }\n" * 1_500,
    "kernels": b"".join(b"__global__ void k%d(float *x) { x[0] = 1; }\n" % number for number in range(200)),
    "a type of itself five times": b"template <class T> struct A { using type = typename A<B<T, T, T, T, T>>::type; };"
    + KERNEL.replace(b"x[0] =", b"A<int>::type y; x[0] ="),
    "braces in the argument of a macro": b"#define M(x) x\n"
    + KERNEL.replace(b"x[0] =", b"M(" + b"{" * 10_000 + b"x[1] = 1;" + b"}" * 10_000 + b") x[0] ="),
}


@pytest.mark.parametrize("name", RUNS)
def test_runs_without_end_take_linear_time(name: str) -> None:
    seconds_of(KERNEL)
    assert seconds_of(RUNS[name]) < PATIENCE / 10  # what takes the square takes several times that, the cube hours


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """An execution ends a tenth as late: what comes to that end would go on for ever."""
    monkeypatch.setattr("regpress_lint.model.graph.values.MAX_VALUES", 2_000)
    monkeypatch.setattr("regpress_lint.model.interpreter.machine.MAX_WORK", 4_000)


@pytest.mark.usefixtures("_small")
def test_templates_that_instantiate_themselves_for_ever(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.cu").write_text(
        "template <int N> __device__ double f(double x) { return f<N + 1>(x) + f<N + 2>(x); }\n"
        "template <int N> __global__ void k(double *x) { x[N] = f<N>(pow(x[0], 2.0)); k<N + 1><<<1, 64>>>(x); }\n"
        "void run(double *x) { k<0><<<1, 64>>>(x); }\n"
    )
    begin = time.process_time()
    assert "RP201" in run(capsys, "check", "--no-cache", "a.cu").out
    assert time.process_time() - begin < PATIENCE


ITERATE = """
template <typename T> struct Agent {
  enum { ITEMS = T::ITEMS };
  T *data;
  template <int I, int N> struct Iterate {
    static __device__ void run(Agent &agent, double keys[ITEMS]) {
      agent.data[I] = keys[I];
      Iterate<I + 1, N>::run(agent, keys);
    }
  };
  template <int N> struct Iterate<N, N> { static __device__ void run(Agent &agent, double keys[ITEMS]) {} };
  __device__ void tile() {
    double keys[ITEMS];
    Iterate<0, ITEMS>::run(*this, keys);
  }
  __device__ void all(int n) { for (int i = 0; i < n; ++i) tile(); }
};
template <typename T> __global__ void k(double *x, int n) {
  Agent<T> agent{x};
  x[0] = pow(x[0], 2.0);
  agent.all(n);
}
"""


@pytest.mark.slow
def test_members_that_instantiate_their_class_for_ever(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`Iterate` ends at a specialisation for a number that is not visible, as in cub."""
    (tmp_path / "a.cu").write_text(ITERATE)
    begin = time.process_time()
    assert "RP201" in run(capsys, "check", "--no-cache", "a.cu").out
    assert time.process_time() - begin < PATIENCE


@pytest.mark.usefixtures("_small")
def test_macros_that_grow_from_header_to_header(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for level in range(40):
        text = f'#include "h{level + 1}.h"\n#define B{level} B{level + 1} + B{level + 1} + B{level + 1}\n'
        (tmp_path / f"h{level}.h").write_text(text)
    (tmp_path / "h40.h").write_text("#define B40 x[1]\n")
    (tmp_path / "a.cu").write_text('#include "h0.h"\n' + KERNEL.decode().replace("2.0);", "2.0) + B0;"))
    begin = time.process_time()
    assert "RP201" in run(capsys, "check", "--no-cache", "a.cu").out
    assert time.process_time() - begin < PATIENCE


def test_headers_that_include_each_other_through_a_link(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "up").symlink_to("..")
    (tmp_path / "a" / "m.h").write_text('#include "up/a/m.h"\n#include "up/a/up/a/m.h"\n#define TWO 2.0\n')
    (tmp_path / "x.cu").write_text('#include "a/up/a/up/a/m.h"\n' + KERNEL.decode().replace("2.0", "TWO"))
    assert "RP201" in run(capsys, "check", "--no-cache", "x.cu").out


def test_bidirectional_control_characters_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "\u202euc.a\u2066.cu").write_text(KERNEL.decode().replace(" k", " k\u202e\u2066evil"))
    said = run(capsys, "check", "--no-cache", ".")
    assert "RP201" in said.out
    assert not set("\u202e\u2066") & set(said.out + said.err)


@pytest.mark.parametrize("name", ["regpress.toml", pytest.param("pyproject.toml", marks=pytest.mark.slow)])
def test_pipe_or_folder_is_not_a_configuration(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.cu").write_bytes(KERNEL)
    os.mkfifo(tmp_path / name)
    assert b"RP201" in process("check", "--no-cache", "a.cu", cwd=tmp_path).stdout
    (tmp_path / name).unlink()
    (tmp_path / name).mkdir()
    assert b"RP201" in process("check", "--no-cache", "a.cu", cwd=tmp_path).stdout


def test_a_pipe_as_a_named_baseline_or_configuration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.cu").write_bytes(KERNEL)
    os.mkfifo(tmp_path / "pipe.toml")
    for option in ("--config", "--baseline"):
        said = run(capsys, "check", "--no-cache", option, "pipe.toml", "a.cu")
        assert said.status == 2
        assert "not a regular file" in said.err


@pytest.mark.parametrize("name", ["regpress.toml", "regpress-baseline.toml"])
def test_toml_that_nests_without_end(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    (tmp_path / "a.cu").write_bytes(KERNEL)
    (tmp_path / name).write_text(f"select = {'[' * 50_000}{']' * 50_000}\n")
    said = run(capsys, "check", "--no-cache", "a.cu")
    assert said.status == 2
    assert f"{name}: nested too deeply" in said.err
    assert "Traceback" not in said.err


@pytest.mark.parametrize(("name", "most"), [("regpress.toml", 1 << 20), ("regpress-baseline.toml", 16 << 20)])
def test_configurations_and_baselines_without_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, most: int
) -> None:
    (tmp_path / "a.cu").write_bytes(KERNEL)
    with (tmp_path / name).open("wb") as stream:
        stream.truncate(most + 1)
    said = run(capsys, "check", "--no-cache", "a.cu")
    assert said.status == 2
    assert f"not a regular file of at most {most:,} bytes" in said.err
