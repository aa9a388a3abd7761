"""Registers that are alive at most in the kernels of an OpenCL C source, as Intel's compiler reports them.

    python -m tools.measure.intel_live testdata/evidence/RP901/accessors.cl             for pvc
    python -m tools.measure.intel_live --device dg2 testdata/evidence/RP901/accessors.cl

The binary of IGC says private memory and spills, but no registers. vISA's own report of the first try does: 64-byte
registers of a hardware thread, which its lanes share. Rows are pairs as in evidence.py, before ->
after.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tools.measure import golden_intel


def rows(source: Path, device: str) -> list[str]:
    """A line a pair: lanes, registers of 64 bytes alive at most, the same as 32-bit registers of a work-item."""
    with tempfile.TemporaryDirectory(prefix="regpress-live-") as folder:
        found, _ = golden_intel.tries(("-file", str(source)), device, Path(folder))
    first: dict[str, golden_intel.Try] = {}
    for one in found:
        first.setdefault(one.symbol, one)
    pairs = [name.removesuffix("_smell") for name in first if name.endswith("_smell")]
    lines = ["| pair | lanes | registers of 64 bytes | 32-bit registers a work-item |", "| --- | --- | --- | --- |"]
    for pair in sorted(pairs):
        before, after = first[f"{pair}_smell"], first[f"{pair}_repaired"]
        lanes = dict.fromkeys(str(one.lanes) for one in (before, after))
        own = (f"{one.alive * 16 / one.lanes:.1f}" for one in (before, after))
        lines.append(f"| {pair} | {' -> '.join(lanes)} | {before.alive} -> {after.alive} | {' -> '.join(own)} |")
    return lines


def main() -> int:
    """Command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--device", default="pvc")
    options = parser.parse_args()
    print(*rows(options.source, options.device), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
