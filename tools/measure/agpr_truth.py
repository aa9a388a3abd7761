"""VGPRs and AGPRs apart against clang: kernels with MFMA and without, at several launch bounds.

python -m tools.measure.agpr_truth [--store]      # compile, compare; --store writes testdata/agpr/measured.csv
python -m tools.measure.agpr_truth --stored       # compare with the stored numbers
"""

from __future__ import annotations

import sys
import tempfile
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.core.settings import Settings
from regpress_lint.facts.register_budget import register_files
from regpress_lint.lint.analysis import Analysis, analyse
from tools.measure import stored_truth, toolchain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MEASURED = Path(__file__).resolve().parents[2] / "testdata" / "agpr" / "measured.csv"
TARGETS = ("gfx908", "gfx90a", "gfx942")
_BOUNDS = (0, 64, 256, 512, 1024)
_HEAD = """#include <hip/hip_runtime.h>
typedef float f4 __attribute__((ext_vector_type(4)));
typedef float f16 __attribute__((ext_vector_type(16)));
"""
_PRODUCT = """__global__ void {bounds}{name}(const float* a, const float* b, float* out, int n) {{
  int i = threadIdx.x;
  {vector} acc[{tiles}] = {{}};
  for (int k = 0; k < n; ++k) {{
    float x[{tiles}];
    for (int j = 0; j < {tiles}; ++j) x[j] = a[(k * {tiles} + j) * 64 + i];
    float y = b[k * 64 + i];
    for (int j = 0; j < {tiles}; ++j) acc[j] = __builtin_amdgcn_mfma_f32_{shape}f32(x[j], y, acc[j], 0, 0, 0);
  }}
  for (int j = 0; j < {tiles}; ++j)
    for (int l = 0; l < {lanes}; ++l) out[(j * {lanes} + l) * 64 + i] = acc[j][l];
}}
"""
_PLAIN = """__global__ void {bounds}{name}(const float* a, float* out, int n) {{
  int i = threadIdx.x;
  float t[{tiles}];
#pragma unroll
  for (int k = 0; k < {tiles}; ++k) t[k] = a[k * 64 + i];
  for (int r = 0; r < n; ++r) {{
#pragma unroll
    for (int k = 0; k < {tiles}; ++k) t[k] = t[k] * t[(k + 7) % {tiles}] + r;
  }}
#pragma unroll
  for (int k = 0; k < {tiles}; ++k) out[k * 64 + i] = t[k];
}}
"""
# More than 256 registers: of values that a loop changes, of values that it only reads, and of products of two vectors.
_SUMS = """__global__ void __launch_bounds__(256) sums_{tiles}(const float* a, const float* b, float* out, int n) {{
  int i = threadIdx.x;
  float t[{tiles}];
#pragma unroll
  for (int k = 0; k < {tiles}; ++k) t[k] = 0;
  for (int r = 0; r < n; ++r) {{
    float x = a[r * 64 + i];
#pragma unroll
    for (int k = 0; k < {tiles}; ++k) t[k] = fmaf(t[k], x, b[k]);
  }}
#pragma unroll
  for (int k = 0; k < {tiles}; ++k) out[k * 64 + i] = t[k];
}}
"""
_TABLE = """__global__ void __launch_bounds__(256) table_{tiles}(const float* a, const float* b, float* out, int n) {{
  int i = threadIdx.x;
  float t[{tiles}];
#pragma unroll
  for (int k = 0; k < {tiles}; ++k) t[k] = a[k * n + i];
  for (int r = 0; r < n; ++r) {{
    float s = 0;
#pragma unroll
    for (int k = 0; k < {tiles}; ++k) s += t[k] * b[r * {tiles} + k];
    out[r * 64 + i] = s;
  }}
}}
"""
_OUTER = """__global__ void __launch_bounds__(256) outer_{tiles}(const float* a, const float* b, float* out, int n) {{
  int i = threadIdx.x;
  float t[{rows}][{columns}] = {{}};
  for (int r = 0; r < n; ++r) {{
    float x[{rows}], y[{columns}];
#pragma unroll
    for (int k = 0; k < {rows}; ++k) x[k] = a[(r * {rows} + k) * 64 + i];
#pragma unroll
    for (int k = 0; k < {columns}; ++k) y[k] = b[(r * {columns} + k) * 64 + i];
#pragma unroll
    for (int k = 0; k < {rows}; ++k)
#pragma unroll
      for (int j = 0; j < {columns}; ++j) t[k][j] += x[k] * y[j];
  }}
#pragma unroll
  for (int k = 0; k < {rows}; ++k)
#pragma unroll
    for (int j = 0; j < {columns}; ++j) out[(k * {columns} + j) * 64 + i] = t[k][j];
}}
"""


def source() -> str:
    """The kernels that are compared: tiles of 4 or 16 registers, and private arrays without MFMA."""
    found = [_HEAD]
    for threads in _BOUNDS:
        bounds = f"__launch_bounds__({threads}) " if threads else ""
        for lanes, shape, counts in ((4, "16x16x4", (1, 4, 8)), (16, "32x32x2", (1, 2, 4))):
            for tiles in counts:
                own = {"vector": f"f{lanes}", "lanes": lanes, "shape": shape, "tiles": tiles}
                found.append(_PRODUCT.format(bounds=bounds, name=f"tile{lanes}_{threads}_{tiles}", **own))
    for threads, tiles in ((0, 40), (0, 100), (256, 100), (256, 150), (64, 150), (64, 300), (256, 300)):
        bounds = f"__launch_bounds__({threads}) " if threads else ""
        found.append(_PLAIN.format(bounds=bounds, name=f"plain_{threads}_{tiles}", tiles=tiles))
    for tiles in (280, 320):
        found += [form.format(tiles=tiles) for form in (_SUMS, _TABLE)]
        found.append(_OUTER.format(tiles=tiles, rows=tiles // 20, columns=20))
    return "\n".join(found)


class Measured(NamedTuple):
    """What clang allocated."""

    kernel: str
    target: str
    vgprs: int
    agprs: int


def compiled(target: str) -> Iterator[Measured]:
    """The kernels as clang compiles them for a target."""
    with tempfile.TemporaryDirectory(prefix="regpress-agpr-") as folder:
        path = Path(folder) / "kernels.hip"
        path.write_text(source())
        for row in toolchain.compile_for(toolchain.find_toolchain(), path, target, Path(folder)) or ():
            yield Measured(toolchain.plain_name(row.symbol), target, row.registers, row.agprs)


def stored() -> list[Measured]:
    """What clang allocated when that was stored."""
    return stored_truth.stored(MEASURED, Measured)


class Compared(NamedTuple):
    """A kernel on a target: clang's allocation and the estimate."""

    measured: Measured
    vgprs: int
    agprs: int

    @property
    def same_kind(self) -> bool:
        """Whether both have AGPRs, or neither has."""
        return bool(self.agprs) == bool(self.measured.agprs)

    @property
    def same_agprs(self) -> bool:
        """Whether there are as many of them, four or a quarter more or fewer."""
        return abs(self.agprs - self.measured.agprs) <= max(4, self.measured.agprs / 4)


def compared(rows: Sequence[Measured]) -> Iterator[Compared]:
    """Every row beside its estimate."""
    found = analyse(source().encode(), "kernels.hip", Settings(architectures=TARGETS))
    assert isinstance(found, Analysis)
    kernels = {kernel.name: kernel for kernel in found.file.kernels}
    for row in rows:
        files = register_files(found.facts(kernels[row.kernel]), row.target)
        assert files is not None
        yield Compared(row, files.vgprs, files.agprs)


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    given = stored_truth.parser(__doc__).parse_args(arguments)
    rows = stored_truth.rows(given, MEASURED, Measured, chain.from_iterable(map(compiled, TARGETS)))
    found = list(compared(rows))
    for one in found:
        row, mark = one.measured, " " if one.same_agprs else "-"
        print(f"{mark} {row.target:7} {row.kernel:13} {row.vgprs:4} and {row.agprs:3} compiled, "
              f"{one.vgprs:4} and {one.agprs:3} estimated")  # fmt: skip
    for target in TARGETS:
        own = [one for one in found if one.measured.target == target]
        print(f"{target}: {len(own)} kernels, AGPRs or none right {sum(one.same_kind for one in own) / len(own):.0%}, "
              f"their number {sum(one.same_agprs for one in own) / len(own):.0%}")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
