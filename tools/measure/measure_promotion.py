"""Compare what the linter says about arrays at run-time indices with what ptxas does, on random small kernels.

    python -m tools.measure.measure_promotion [--kernels 2200] [--seed 1]

Each kernel has one to three `float` arrays, some reads, writes and updates at indices that are loaded, once or in a
loop of one of four kinds, behind up to three conditions, with other work beside them or in front of the loop, and
arrays that are filled before, or not. Needs nvcc. The numbers of `model/passes/nvidia_arrays.py` are between fits to
kernels of seeds 5 and 9; every seed gives others.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import tempfile
from pathlib import Path

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.program import build_file

ROLLED = "#pragma unroll 1\n"
LOOPS = {
    "none": ("{", "0"),
    "rolled": (ROLLED + "for (int i = 0; i < n; i++) {", "i"),
    "plain": ("for (int i = 0; i < n; i++) {", "i"),
    "nested": (f"{ROLLED}for (int j = 0; j < n; j++)\n{ROLLED}for (int i = 0; i < m; i++) {{", "(j * m + i)"),
    "counted": (ROLLED + "for (int i = 0; i < 20; i++) {", "i"),
}
FILLS = {"none": "", "loads": "a[t * {0} + j + {1}]", "zeros": "0", "constants": "j * 1.5f + {1}"}
GUARDS = ("{", "if (a[{0} + 5000] < 1) {", "if (a[{0} + 5000] < 1 && a[{0} + 6000] < 1) {")
WORK = ("z = z * z + s;", "z += a[{0} + {1}];", "z = sqrtf(z) + s;", "z = __expf(z) * s;", "z = z / (s + {1});")
NVCC = ("nvcc", "-arch=sm_90", "-cubin", "-O3", "-std=c++17", "-Xptxas", "-v", "-o", "/dev/null")


def kernel(name: str, random_: random.Random) -> str:
    """One random kernel."""
    words, arrays = random_.choice((2, 3, 4, 4, 5, 6, 7, 8, 8, 10, 12, 16, 20)), random_.choice((1, 1, 1, 2, 3))
    reads, writes, updates = (random_.choice(some) for some in ((0, 1, 1, 2, 3, 4, 6), (0, 0, 1, 2, 3), (0, 0, 1, 2)))
    loop, at = LOOPS[random_.choice(tuple(LOOPS))]
    fill, read_back = FILLS[random_.choice(("none", "loads", "zeros", "zeros", "constants"))], random_.random() < 0.33
    reads = reads or int(not writes and not updates)
    lines = [f"__global__ void {name}(const float *a, float *b, const int *ix, int n, int m) {{"]
    lines.append("int t = threadIdx.x + blockIdx.x * blockDim.x; float s = 0;")
    for k in range(arrays):
        lines.append(f"float v{k}[{words}];")
        if fill:
            lines.append(f"#pragma unroll\nfor (int j = 0; j < {words}; j++) v{k}[j] = {fill.format(words, k * 1000)};")
    before, guard = random_.random() < 0.3, random_.choice(GUARDS).replace("{0}", at)
    steps = range(random_.choice((0, 0, 3, 8, 20, 50)))
    work = [random_.choice(WORK).format("0" if before else at, 64 * k + 8000) for k in steps]
    lines.append("float z = a[t + 900];")
    lines += work if before else ()
    lines += [loop, guard]
    lines += () if before else work
    lines.append("s += z;")
    for k in range(arrays):
        lines += [f"s = s * {r + 2} + v{k}[ix[t + {at} * 77 + {r + 50 + k * 57}]];" for r in range(reads)]
        lines += [f"v{k}[ix[t + {at} * 100 + {w + k * 33}]] = a[{at} + {w + 1000 + k}];" for w in range(writes)]
        lines += [f"v{k}[ix[t + {at} * 101 + {u + k * 35}]] += z * a[{at} + {u + 2000 + k}];" for u in range(updates)]
    lines.append("}}\nb[t] = s;")
    if read_back:
        step = f"#pragma unroll\nfor (int j = 0; j < {words}; j++) b[t * {words} + j + "
        lines += [f"{step}{100 + k * 100}] = v{k}[j];" for k in range(arrays)]
    return "\n".join((*lines, "}\n"))


def compiled(text: str) -> dict[str, int]:
    """Bytes of stack frame of each kernel."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernels.cu"
        path.write_text(text)
        log = subprocess.run((*NVCC, str(path)), capture_output=True, text=True, check=True).stderr
    found = re.findall(r"Compiling entry function '_Z\d+(k\d+)P\w*'.*?(\d+) bytes stack frame", log, re.DOTALL)
    return {name: int(size) for name, size in found}


def predicted(text: str) -> dict[str, int]:
    """Bytes of private memory of each kernel, as the linter says."""
    file = build_file(Source("kernels.cu", text.encode()), "cuda", Project())
    return {
        one.name: kernel_facts(file, one, Settings())
        .compiled("sm_90")
        .scratch(kernel_facts(file, one, Settings()).settled("sm_90"))
        for one in file.kernels
    }


def main() -> None:
    """Print how often the two agree."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kernels", type=int, default=2200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    random_ = random.Random(arguments.seed)
    text = "".join(kernel(f"k{number}", random_) for number in range(arguments.kernels))
    truth, said = compiled(text), predicted(text)
    both = [(truth[name] > 0, said[name] > 0) for name in truth]
    hits = sum(real and seen for real, seen in both)
    right = sum(real is seen for real, seen in both) / len(both)
    precision, recall = hits / sum(seen for _, seen in both), hits / sum(real for real, _ in both)
    print(f"{len(both)} kernels: {right:.3f} right, precision {precision:.3f}, recall {recall:.3f}")


if __name__ == "__main__":
    main()
