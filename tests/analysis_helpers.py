"""Build the facts of a kernel that is written in a test."""

from __future__ import annotations

from regpress_lint.facts import KernelFacts, kernel_facts
from regpress_lint.frontend import build_file
from regpress_lint.frontend.project import Project
from regpress_lint.settings import Language, Settings
from regpress_lint.source import Source

BOTH = Settings(architectures=("gfx90a", "sm_90"))


def facts_of(text: str, language: Language = "hip", settings: Settings = BOTH) -> KernelFacts:
    """Facts of the first kernel of a file."""
    file = build_file(Source("kernel.hip", text.encode()), language, Project())
    return kernel_facts(file, file.kernels[0], settings)


def body(statements: str, parameters: str = "const float *a, float *b, int n", before: str = "") -> KernelFacts:
    """Facts of a kernel with these statements; `tid` is its thread's index."""
    index = "  int tid = blockIdx.x * blockDim.x + threadIdx.x;"
    return facts_of(f"{before}\n__global__ void k({parameters}) {{\n{index}\n{statements}\n}}\n")
