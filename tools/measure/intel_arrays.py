"""Compare what the linter says about private arrays at run-time indices on pvc with what IGC does.

    python -m tools.measure.intel_arrays

Arrays of several types and sizes, read only or changed in a loop, in kernels that request no sub-group size, for 16 and
for 32: once as SYCL for the linter, once as OpenCL C for ocloc. Prints, by type, use and sub-group size, up to which
size either keeps the array in registers, and exits with 1 if they differ. Needs ocloc.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.program import build_file
from tools.measure import toolchain

TYPES = {"float": (4, 12, 16, 24, 25, 33, 40, 48, 49), "double": (4, 8, 12, 16, 24, 25), "short": (24, 25, 48, 49, 64)}
SUB_GROUPS = (None, 16, 32)
TARGET = "pvc"


class Case(NamedTuple):
    """An array in a kernel."""

    kind: str
    elements: int
    sub_group: int | None
    changed: bool

    @property
    def name(self) -> str:
        """Name of the kernel."""
        use = "changed" if self.changed else "read"
        return f"k_{self.kind}_{self.elements}_{self.sub_group or 0}_{use}"

    @property
    def statements(self) -> str:
        """The body, the same in both languages; `t` is the work-item."""
        fill = "0" if self.changed else f"a[t * {self.elements} + i]"
        step = "h[ix[t + i * 77]] += a[i + t];" if self.changed else "b[t + i * 100] = h[ix[t + i * 77]];"
        last = f"for (int i = 0; i < {self.elements}; i++) b[t * {self.elements} + i] = h[i];" if self.changed else ""
        return (
            f"{self.kind} h[{self.elements}];\nfor (int i = 0; i < {self.elements}; i++) h[i] = {fill};\n"
            f"for (int i = 0; i < n; i++) {step}\n{last}\n"
        )


def cases() -> list[Case]:
    """All cases, the sizes of a kind together."""
    return [
        Case(kind, elements, sub_group, changed)
        for kind, sizes in TYPES.items()
        for changed in (False, True)
        for sub_group in SUB_GROUPS
        for elements in sizes
    ]


def opencl(case: Case) -> str:
    """A case for ocloc."""
    asked = f"__attribute__((intel_reqd_sub_group_size({case.sub_group})))\n" if case.sub_group else ""
    return (
        f"#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n{asked}__kernel void {case.name}("
        f"__global const {case.kind} *a, __global {case.kind} *b, __global const int *ix, int n) {{\n"
        f"int t = get_global_id(0);\n{case.statements}}}\n"
    )


def sycl(case: Case) -> str:
    """A case for the linter."""
    asked = f" [[sycl::reqd_sub_group_size({case.sub_group})]]" if case.sub_group else ""
    return (
        "#include <sycl/sycl.hpp>\n"
        f"void submit(sycl::queue &q, const {case.kind} *a, {case.kind} *b, const int *ix, int n) {{\n"
        f"q.parallel_for<class {case.name}>(sycl::range<1>(1024), [=](sycl::id<1> id){asked} {{\n"
        f"int t = id[0];\n{case.statements}}});\n}}\n"
    )


def said_in_memory(case: Case) -> bool:
    """The linter's answer."""
    source = Source(f"{case.name}.cpp", sycl(case).encode())
    file = build_file(source, "sycl", Project())
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=(TARGET,)))
    return facts.compiled(TARGET).scratch(facts.settled(TARGET)) > 0


def is_in_memory(case: Case, chain: toolchain.Toolchain, folder: Path) -> bool:
    """What IGC does."""
    path = folder / f"{case.name}.cl"
    path.write_text(opencl(case))
    (allocation,) = toolchain.compile_opencl(chain, path, TARGET, folder)
    return allocation.scratch_bytes > 0


def main() -> int:
    """Print the table."""
    chain = toolchain.find_toolchain()
    if chain.ocloc is None:
        print("no ocloc on PATH", file=sys.stderr)
        return 2
    wrong = 0
    print(f"{toolchain.igc_version()}, {TARGET}; + in registers, m in memory; * where the linter says otherwise")
    with tempfile.TemporaryDirectory() as folder:
        rows: dict[tuple[str, str, str], list[str]] = {}
        for case in cases():
            said, is_ = said_in_memory(case), is_in_memory(case, chain, Path(folder))
            wrong += said != is_
            key = case.kind, "changed" if case.changed else "read", str(case.sub_group or "none")
            rows.setdefault(key, []).append(f"{case.elements}{'m' if is_ else '+'}{'*' if said != is_ else ''}")
    for key, cells in rows.items():
        print(f"{key[0]:8}{key[1]:10}{key[2]:6}{' '.join(cells)}")
    print(f"{wrong} of {len(cases())} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
