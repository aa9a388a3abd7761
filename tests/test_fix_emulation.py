"""Safe fixes change no bit of what a kernel computes: fixtures are compiled as C++ and run thread by thread.

`testdata/emulation/gpu.h` stands for the GPU. A file whose kernels need more of one than that (barriers, shuffles,
textures), or whose arguments it cannot make up, is left out, and so is SYCL, whose kernels are lambdas of a host
program that would need a run-time system; a test counts those that are not.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from typing import TYPE_CHECKING

import pytest
from corpus import TESTDATA

from regpress_lint import testing
from regpress_rules import rules

if TYPE_CHECKING:
    from pathlib import Path

RULES = {rule.code: rule for rule in rules()}
COMPILER = shutil.which("clang++-19") or shutil.which("g++")
HEADERS = ("hip/hip_runtime.h", "cuda_runtime.h")
LAUNCH = re.compile(r"[\w:]+(?:<[^<>;]*>)?\s*<<<.*?>>>\s*\([^;]*\)\s*;|hipLaunchKernelGGL\s*\([^;]*\)\s*;", re.DOTALL)
BEYOND = re.compile(
    r"__sync|__shfl|__ballot|extern __shared__|\basm\b|texture|cooperative_groups|\bprintf\b|\bassert\b"
)
ROUNDS = 10
PATIENCE = 60  # seconds, for a compiler on a slow machine

pytestmark = [
    pytest.mark.compiler,
    pytest.mark.skipif(COMPILER is None, reason="neither clang++-19 nor g++ on PATH"),
]


@cache
def fixed(path: Path) -> str:
    """A fixture with the safe fixes of its rule."""
    text = path.read_text()
    for _ in range(ROUNDS):
        after = testing.fixed(text, testing.run([RULES[path.parent.name]], text, path.as_posix()))
        if after == text:
            break
        text = after
    return text


def emulated(path: Path) -> bool:
    """Whether a file has a safe fix and asks for no more of a GPU than the header has."""
    text = path.read_text()
    return BEYOND.search(text) is None and fixed(path) != text


FIXTURES = sorted(
    path
    for folder in (*TESTDATA.glob("RP*"), *TESTDATA.glob("evidence/RP*"))
    for path in folder.iterdir()
    if path.suffix in (".hip", ".cu") and folder.name in RULES
)


def program(path: Path, text: str) -> str:
    """The file without its launches, and a `main` that runs each kernel that is no template."""
    file = testing.build(text, path.as_posix())
    names = [each.name for each in file.kernels if each.form == "__global__" and not each.function.template]
    calls = "".join(f'  run_kernel("{name}", &{name});\n' for name in dict.fromkeys(names))
    return f"{LAUNCH.sub(';', text)}\nint main() {{\n{calls}}}\n"


def written(path: Path, text: str, folder: Path) -> list[str] | str:
    """What each kernel wrote into each of its arrays, as hashes; else why that is not known."""
    for header in HEADERS:
        (folder / header).parent.mkdir(parents=True, exist_ok=True)
        (folder / header).write_text('#include "gpu.h"\n')
    source, binary = folder / "program.cpp", folder / "program"
    source.write_text('#include "gpu.h"\n' + program(path, text))
    assert COMPILER is not None
    command = [COMPILER, "-std=c++17", "-O0", "-w", "-ffp-contract=off", "-ftrivial-auto-var-init=zero"]
    command += [f"-I{folder}", f"-I{TESTDATA / 'emulation'}", str(source), "-o", str(binary)]
    made = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    if made.returncode:
        return f"does not compile: {made.stderr[:2000]}"
    ran = subprocess.run([binary], capture_output=True, text=True, check=False, timeout=PATIENCE)
    return ran.stdout.splitlines() if not ran.returncode else f"ends with {ran.returncode}"


def test_what_a_kernel_computes_is_told_apart(tmp_path: Path) -> None:
    """The emulation itself: another constant is another result, other names are none."""
    path = TESTDATA / "RP201" / "one.cu"
    text = (
        "#include <cuda_runtime.h>\n__global__ void k(float *x, int n) {{ int i = threadIdx.x; x[i] = x[i] * {}; }}\n"
    )
    results = [written(path, text.format(value), tmp_path) for value in ("2.0f", "2.0f + 0", "2.5f")]
    assert isinstance(results[0], list)
    assert len(results[0]) == 2
    assert results[0] == results[1]
    assert results[0] != results[2]


@pytest.mark.slow
def test_safe_fixes_change_no_bit(tmp_path: Path) -> None:
    same: list[Path] = []
    left: dict[str, str] = {}
    for path in filter(emulated, FIXTURES):
        before = written(path, path.read_text(), tmp_path)
        if isinstance(before, str) or not before:
            left[path.as_posix()] = str(before)
            continue
        after = written(path, fixed(path), tmp_path)
        assert after == before, path
        same.append(path)
    assert len({path.parent.name for path in same}) >= 4, left
    assert len(same) >= 10, left
