"""Safe fixes change no bit of a kernel's results: fixtures are compiled as C++ and run thread by thread.

`testdata/emulation/gpu.h` stands for the GPU, and makes up the arguments. Files that need more (barriers, shuffles,
textures, arrays of certain sizes) are not among them, nor is SYCL, whose kernels are lambdas of a host program that
would need a run-time system.
"""

from __future__ import annotations

import inspect
import re
import shutil
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path

import compilers
import pytest
from corpus import TESTDATA

from regpress_lint import testing
from regpress_rules import rules
from tools.measure import toolchain

RULES = {rule.code: rule for rule in rules()}
COMPILERS = ("clang++-19", "g++")
FLAGS = ("-std=c++17", "-w", "-ftrivial-auto-var-init=zero")
# As written, and as GPU compilers take it by default: a product and a sum are one operation wherever they may be.
PLAIN, CONTRACTED = ("-O0", "-ffp-contract=off"), ("-O2", "-ffp-contract=fast", "-march=native")
HEADERS = ("hip/hip_runtime.h", "cuda_runtime.h")
LAUNCH = re.compile(r"[\w:]+(?:<[^<>;]*>)?\s*<<<.*?>>>\s*\([^;]*\)\s*;|hipLaunchKernelGGL\s*\([^;]*\)\s*;", re.DOTALL)
BEYOND = re.compile(
    r"__sync|__shfl|__ballot|extern __shared__|\basm\b|texture|cooperative_groups|\bprintf\b|\bassert\b"
)
ROUNDS = 10
PATIENCE = 300  # seconds, for a compiler on a slow machine

pytestmark = pytest.mark.compiler


@cache
def compiler() -> str | None:
    """A compiler for the CPU that is there and takes our flags."""
    for name in COMPILERS:
        found = shutil.which(name)
        command = [found or "", *FLAGS, "-fsyntax-only", "-x", "c++", "-"]
        if (
            found
            and not subprocess.run(command, input=b"#include <cmath>\n", capture_output=True, check=False).returncode
        ):
            return found
    return None


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


# Fixtures whose kernels the emulation runs with data that is within their arrays.
FIXTURES = ("rules/RP205/positive.cu", "rules/RP401/positive.cu", "rules/RP404/positive.cu")


def program(path: Path, text: str) -> str:
    """The file without its launches, and a `main` that runs each kernel that is no template."""
    file = testing.build(text, path.as_posix())
    names = [each.name for each in file.kernels if each.form == "__global__" and not each.function.template]
    calls = "".join(f'  run_kernel("{name}", &{name});\n' for name in dict.fromkeys(names))
    return f"{LAUNCH.sub(';', text)}\nint main() {{\n{calls}}}\n"


def written(path: Path, text: str, folder: Path, flags: tuple[str, ...] = PLAIN) -> list[str] | str:
    """What each kernel wrote into each of its arrays, as hashes; else why that is not known."""
    for header in HEADERS:
        (folder / header).parent.mkdir(parents=True, exist_ok=True)
        (folder / header).write_text('#include "gpu.h"\n')
    source, binary = folder / "program.cpp", folder / "program"
    source.write_text('#include "gpu.h"\n' + program(path, text))
    found = compiler()
    if found is None:
        pytest.skip("neither clang++-19 nor g++ works here")
    command = [found, *FLAGS, *flags]
    command += [f"-I{folder}", f"-I{TESTDATA / 'emulation'}", str(source), "-o", str(binary)]
    made = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    if made.returncode:
        return f"does not compile: {made.stderr[:2000]}"
    ran = subprocess.run([binary], capture_output=True, text=True, check=False, timeout=PATIENCE)
    return ran.stdout.splitlines() if not ran.returncode else f"ends with {ran.returncode}"


def test_emulation_detects_different_results(tmp_path: Path) -> None:
    """The emulation itself: another constant is another result, other names are none."""
    path = TESTDATA / "rules" / "RP201" / "one.cu"
    text = (
        "#include <cuda_runtime.h>\n__global__ void k(float *x, int n) {{ int i = threadIdx.x; x[i] = x[i] * {}; }}\n"
    )
    results = [written(path, text.format(value), tmp_path) for value in ("2.0f", "2.0f + 0", "2.5f")]
    assert isinstance(results[0], list)
    assert len(results[0]) == 2
    assert results[0] == results[1]
    assert results[0] != results[2]


def test_a_square_that_meets_a_sum_is_contracted(tmp_path: Path) -> None:
    """Why RP201 has no safe fix, and that the emulation sees it: of a call the sum cannot be made a part."""
    path = TESTDATA / "rules" / "RP201" / "one.cu"
    body = "for (int i = 0; i < 64; ++i) {{ float y = x[i] * 1.1f; {} s = y * y; a[i] = s - 2.2f; }}"
    text = "#include <cuda_runtime.h>\n__global__ void k(float *x, float *a) {{ " + body + " }}\n"
    results = [written(path, text.format(kind), tmp_path, CONTRACTED) for kind in ("float", "volatile float")]
    assert isinstance(results[0], list), results
    assert results[0] != results[1]


@pytest.mark.parametrize("flags", [PLAIN, CONTRACTED], ids=["plain", "contracted"])
@pytest.mark.parametrize("name", FIXTURES)
def test_safe_fixes_change_no_bit(name: str, flags: tuple[str, ...], tmp_path: Path) -> None:
    path = TESTDATA / name
    assert BEYOND.search(path.read_text()) is None
    assert fixed(path) != path.read_text()
    before = written(path, path.read_text(), tmp_path, flags)
    assert isinstance(before, list), before
    assert len(before) > 1
    assert written(path, fixed(path), tmp_path, flags) == before


# What rounds: in nvcc's PTX, and in clang's assembly for AMD, whose encodings of one operation differ in suffixes.
ROUNDED = {
    ".cu": re.compile(r"^\s+(?:@!?%p\d+ )?((?:fma|mul|add|sub|div|sqrt|rcp|rsqrt|ex2|lg2)[.\w]*\.f(?:16|32|64))", re.M),
    ".hip": re.compile(r"^\s+v_((?:pk_)?(?:fma|mul|add|sub|mac|mad|rcp|sqrt|rsq|div|exp|log)\w*?_f(?:16|32|64))", re.M),
}
KERNEL = re.compile(r"\.entry (\w+)|^(\w+):\s+; @", re.M)
# Files of every rule with a safe fix; a merged sine and cosine shares the reduction of its argument, so that
# RP205's results are compared by running it (FIXTURES).
JOINED = (
    *(
        "rules/RP305/positive.hip",
        "rules/RP401/positive.cu",
        "rules/RP401/positive.hip",
        "rules/RP401/deliberate.hip",
        "rules/RP404/positive.cu",
    ),
    *(
        "rules/RP406/narrow.cu",
        "rules/RP408/positive.cu",
        "rules/RP408/positive.hip",
        "rules/RP601/positive.cu",
        "evidence/RP401/volatile.cu",
    ),
    *("evidence/RP404/tables.cu", "evidence/RP406/narrow.cu", "evidence/RP408/copies.cu"),
    "evidence/RP601/grid_constants.cu",
)


def rounded(text: str, suffix: str, folder: Path) -> dict[str, Counter[str]]:
    """Number of rounding operations of each kind per kernel under the compilers' defaults."""
    source, out = folder / f"k{suffix}", folder / "k.out"
    source.write_text(text)
    command = ["nvcc", "-arch=sm_90", "-ptx", "-O3", "-std=c++17"]
    if suffix == ".hip":
        chain, shop = compilers.chain(), compilers.workshop()
        libs = toolchain.device_libs_for(chain, "gfx90a", folder)
        header = toolchain.precompiled_header(chain, "gfx90a", libs, shop / "gfx90a.pch")
        command = [*toolchain.hip_command(chain, "gfx90a", libs), "-Xclang", "-include-pch", "-Xclang", str(header)]
    subprocess.run([*command, "-o", str(out), str(source)], check=True, capture_output=True, timeout=PATIENCE)
    parts = KERNEL.split(out.read_text())
    bodies = zip(parts[1::3], parts[2::3], parts[3::3], strict=True)
    return {one or other: Counter(ROUNDED[suffix].findall(body)) for one, other, body in bodies}


@pytest.mark.parametrize("name", JOINED)
def test_safe_fixes_leave_products_and_sums_as_compilers_joined_them(name: str, tmp_path: Path) -> None:
    """By default (`-fmad=true`, `-ffp-contract=fast`), as many of each operation that rounds in each kernel."""
    path = TESTDATA / name
    compilers.need(path.suffix)
    after = fixed(path)
    assert after != path.read_text()
    before = rounded(path.read_text(), path.suffix, tmp_path)
    assert before
    assert rounded(after, path.suffix, tmp_path) == before


def test_every_rule_with_a_safe_fix_is_compiled_with_contraction() -> None:
    promising = {code for code, rule in RULES.items() if '"safe"' in Path(str(inspect.getfile(rule))).read_text()}
    assert promising == {Path(name).parent.name for name in (*JOINED, *FIXTURES)}
