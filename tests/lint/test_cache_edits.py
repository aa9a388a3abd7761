"""Whatever happens to the files of a project, a run with a cache says what one without says."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest
from cache_helpers import FLAGS, counted, looked_at, with_a_cache
from cli_helpers import Result, run

from regpress_lint.lint import cache_validation

EDITS = 10


@pytest.fixture
def cached(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    return with_a_cache(monkeypatch, tmp_path)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    return counted(monkeypatch)


class World:
    """A small project, and a hand that changes it."""

    folders = ("p/src", "p/src/deep", "p/include", "q")
    names = ("a", "b", "c")

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        for _ in range(14):
            self.create()
        self.settings: tuple[str, ...] = FLAGS

    def files(self) -> list[Path]:
        found = (path for folder in ("p", "q") for path in Path(folder).rglob("*") if path.is_file())
        return sorted(found)

    def text(self, path: Path) -> str:
        dice = self.dice
        number = dice.choice((8, 16, 65, 300))
        if path.name == "Makefile":
            return f"CFLAGS = -DSIZE={number} -I{dice.choice(('../include', 'deep', '.'))}\n"
        includes = "".join(
            f'#include "{dice.choice(("", "../", "deep/", "../include/", "src/"))}{dice.choice(self.names)}.h"\n'
            for _ in range(dice.randrange(3))
        )
        if path.suffix == ".h":
            body = dice.choice(
                (
                    f"#define SIZE {number}\n",
                    f"constexpr int SIZE = {number};\n",
                    f"struct Shape {{ double v[{number}]; }};\n",
                    "__device__ double f(double x) { return pow(x, 2.0); }\n",
                    f"__global__ void from_header(double *x) {{ double t[{number}]; t[x[0] > 1] = 1; x[1] = t[2]; }}\n",
                    "#define KERNEL __global__\n",
                    "#include <cuda_runtime.h>\n",
                    "int plain;\n",
                )
            )
            return includes + body
        api = dice.choice(("#include <cuda_runtime.h>\n", "#include <hip/hip_runtime.h>\n", ""))
        body = dice.choice(
            (
                "__global__ void k(double *x, int n) { double t[SIZE]; t[n] = x[n]; x[0] = t[n + 1]; }\n",
                "__global__ void s(Shape *x, double y) { Shape t = *x; x[1].v[0] = f(y) + t.v[int(y)]; }\n",
                "KERNEL void m(double *x) { x[threadIdx.x] = pow(x[0], 2.0); }\n",
                f"void go(double *x) {{ from_header<<<1, {number}>>>(x); }}\n",
                f"void go(double *x) {{ k<<<1, {number}>>>(x, 1); }}\n",
                "__global__ void n(float *x) {} // regpress: ignore\n",
            )
        )
        return includes + api + body

    def place(self) -> Path:
        if self.dice.random() < 0.1:
            return Path(self.dice.choice(self.folders), "Makefile")
        suffix = self.dice.choice((".h", ".h", ".cu", ".cu", ".hip", ".cpp"))
        return Path(self.dice.choice(self.folders), self.dice.choice(self.names) + suffix)

    def create(self) -> None:
        path = self.place()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.text(path))

    def edit(self) -> None:
        path = self.dice.choice(self.files())
        path.write_text(self.text(path))

    def delete(self) -> None:
        files = self.files()
        if len(files) > 8:
            self.dice.choice(files).unlink()

    def rename(self) -> None:
        source, target = self.dice.choice(self.files()), self.place()
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(source, target)

    def touch(self) -> None:
        os.utime(self.dice.choice(self.files()))

    def folder(self) -> None:
        if self.dice.random() < 0.5 and Path("p/include").exists():
            shutil.rmtree("p/include")
        else:
            Path("p/.git").mkdir(parents=True, exist_ok=True)

    def configure(self) -> None:
        chosen = self.dice.choice(('profile = "strict"', "block-size = 64", 'include-dirs = ["q"]', 'ignore = ["RP4"]'))
        Path("regpress.toml").write_text(f"{chosen}\n")

    def change(self) -> None:
        """One of all possible edits."""
        ways = (self.edit, self.edit, self.edit, self.create, self.delete, self.rename, self.touch)
        self.dice.choice((*ways, *ways, self.folder, self.configure))()

    def paths(self) -> tuple[str, ...]:
        existing = [folder for folder in self.folders if Path(folder).is_dir()]
        return self.dice.choice(((".",), (".",), (".",), ("p", "q"), ("p",), (self.dice.choice(existing),)))


def follow(capsys: pytest.CaptureFixture[str], asked: list[str], seed: int, edits: int) -> None:
    """Runs with and without the cache after each edit."""
    world = World(seed)
    warm_files = cold_files = 0
    for _ in range(edits):
        world.change()
        command = world.dice.choice(("check", "check", "check", "kernels"))
        flags = FLAGS if command == "check" else FLAGS[:2]
        arguments = (command, "--output-format", "json", "-j", "1", *flags, *world.paths())
        warm: Result = run(capsys, *arguments)
        warm_files += len(looked_at(asked))
        cold: Result = run(capsys, *arguments, "--no-cache")
        cold_files += len(looked_at(asked))
        assert warm == cold, arguments
    assert warm_files < 0.8 * cold_files


@pytest.mark.parametrize("trusting", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_cache_agrees_with_a_cold_run_after_every_edit(
    cached: Path, asked: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, trusting: bool
) -> None:
    if trusting:  # else no stamp of these new files would ever be believed
        monkeypatch.setattr(cache_validation, "_RACY_NS", 0)
    follow(capsys, asked, 1 + trusting, EDITS)


@pytest.mark.parametrize("edits", [pytest.param(30, marks=pytest.mark.slow), pytest.param(250, marks=pytest.mark.long)])
@pytest.mark.parametrize("trusting", [True, False])
def test_cache_agrees_with_a_cold_run_after_many_edits(
    cached: Path,
    asked: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    trusting: bool,
    edits: int,
) -> None:
    if trusting:
        monkeypatch.setattr(cache_validation, "_RACY_NS", 0)
    follow(capsys, asked, 100 + trusting, edits)
