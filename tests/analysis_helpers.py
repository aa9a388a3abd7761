"""Build the facts of a kernel that is written in a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.settings import Language, Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.facts.kernel import KernelFacts, kernel_facts
from regpress_lint.program import build_file

if TYPE_CHECKING:
    from regpress_lint.model.passes.trace import Trace

BOTH = Settings(architectures=("gfx90a", "sm_90"))


def facts_of(text: str, language: Language = "hip", settings: Settings = BOTH) -> KernelFacts:
    """Facts of the first kernel of a file."""
    file = build_file(Source("kernel.hip", text.encode()), language, Project())
    return kernel_facts(file, file.kernels[0], settings)


def body(statements: str, parameters: str = "const float *a, float *b, int n", before: str = "") -> KernelFacts:
    """Facts of a kernel with these statements; `tid` is its thread's index."""
    index = "  int tid = blockIdx.x * blockDim.x + threadIdx.x;"
    return facts_of(f"{before}\n__global__ void k({parameters}) {{\n{index}\n{statements}\n}}\n")


def trace_of(facts: KernelFacts, name: str) -> Trace:
    """Live values during the kernel's execution as an architecture's compiler sees it."""
    return facts.executions.trace(facts.compiler(name))


def scratch_of(facts: KernelFacts, name: str) -> int:
    """Private memory per thread on an architecture, spills aside."""
    return facts.compiled(name).scratch(facts.settled(name))
