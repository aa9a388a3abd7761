"""Kernels of one loop each, and what compilers leave of them."""

from __future__ import annotations

import re

INDEX = "int tid = blockIdx.x * blockDim.x + threadIdx.x;"
SUM = "const float *a, const int *x, float *b, int n, unsigned u, int m"


def kernels(loops: dict[str, str], begin: str, end: str, before: str) -> str:
    texts = (f'extern "C" __global__ void {name}({SUM}) {{ {begin} {loop} {end} }}\n' for name, loop in loops.items())
    return before + "".join(texts)


def functions(text: str, head: str) -> dict[str, str]:
    """Bodies of the kernels of a PTX or LLVM module by name."""
    return dict(re.findall(head + r"(\w+)\((.*?)^}", text, re.MULTILINE | re.DOTALL))
