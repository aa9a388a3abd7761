"""Compile the evidence pairs of rules and write what the compilers say into the data and the rules' pages.

    python -m tools.measure.measure_evidence                 compile all pairs; write measured.csv and the pages
    python -m tools.measure.measure_evidence RP201 RP403     only these rules
    python -m tools.measure.measure_evidence --check RP201   compile, write nothing, exit 1 if the data differ
    python -m tools.measure.measure_evidence --pages         write the pages from the data, compile nothing

evidence.py defines a pair. Rows of a compiler that is not installed are kept as they are.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from regpress_lint.targets.occupancy import KernelUse, architecture, occupancy
from tools.measure import evidence, toolchain
from tools.measure.evidence import Measurement

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tools.measure.toolchain import Allocation, Toolchain


def measured(code: str, chain: Toolchain, folder: Path) -> list[Measurement]:
    """Compile all pairs of a rule. Raises RuntimeError with the compiler's words for one that does not compile."""
    files = ((source, target) for source in evidence.sources(code) for target in evidence.targets_of(source))
    return sorted(row for source, target in files for row in measured_source(source, target, chain, folder))


def measured_source(source: Path, target: str, chain: Toolchain, folder: Path) -> list[Measurement]:
    """Compile the pairs of one source for one target; nothing if the compiler is not installed."""
    return sorted(_rows(source, target, chain, folder))


def _rows(source: Path, target: str, chain: Toolchain, folder: Path) -> Iterator[Measurement]:
    allocations = toolchain.compile_for(chain, source, target, folder)
    version = toolchain.version_for(chain, target)
    if allocations is None or version is None:
        return
    block, dynamic_lds = evidence.launch_of(source)
    for item in allocations:
        pair, _, kind = item.kernel.rpartition("_")
        if kind not in evidence.VERSIONS:
            continue
        lds = item.lds_bytes + dynamic_lds
        waves = resident_waves(target, item, block, lds)
        yield Measurement(
            source.name,
            pair,
            kind,
            target,
            version,
            item.total,
            item.sgprs,
            item.scratch_bytes,
            item.spills,
            lds,
            waves,
        )


def resident_waves(target: str, item: Allocation, block: int, lds: int) -> float:
    """Waves a SIMD (AMD) or warps per SM (NVIDIA) with blocks of that many threads and bytes of LDS; 0 on Intel."""
    arch = architecture(target)
    if arch.vendor == "intel":  # reports no registers
        return 0.0
    use = KernelUse(vgprs=max(item.total, 1), block_size=block, lds_bytes=lds, mode=arch.modes[-1].name)
    found = occupancy(arch, use)
    return found.waves / (found.simds if arch.vendor == "amd" else 1)


def merged(old: Sequence[Measurement], new: Sequence[Measurement]) -> list[Measurement]:
    """New rows, and the old ones of targets that were not compiled now."""
    targets = {row.target for row in new}
    return sorted([*(row for row in old if row.target not in targets), *new])


def write_page(code: str, text: str) -> None:
    """Put the section into the page of the rule with that code."""
    from regpress_rules import rules
    from regpress_rules.retired import RETIRED

    known = {rule.code: rule.__module__ for rule in rules()} | {old.code: old.module for old in RETIRED}
    if code not in known:
        raise SystemExit(f"{code}: no such rule")
    path = evidence.ROOT / "rules" / f"{known[code].replace('.', '/')}.md"
    path.write_text(evidence.with_section(path.read_text(), text))


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring. Returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("codes", nargs="*", metavar="CODE")
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 if the stored data differ")
    parser.add_argument("--pages", action="store_true", help="write the pages from the stored data")
    options = parser.parse_args(arguments)
    chain, status = toolchain.find_toolchain(), 0
    with tempfile.TemporaryDirectory(prefix="regpress-evidence-") as name:
        for code in options.codes or evidence.codes():
            old = evidence.measurements(code)
            if not options.pages:
                rows = merged(old, measured(code, chain, Path(name)))
                if options.check:
                    differing = sorted(set(rows) ^ set(old))
                    print(f"{code}: {len(rows)} rows, {len(differing)} differ", *differing, sep="\n")
                    status |= bool(differing)
                    continue
                evidence.write_measurements(code, rows)
            write_page(code, evidence.section(code))
            for (pair, target), effect in sorted(evidence.effects(code).items()):
                verdict = "strong" if effect.strong else "registers" if effect.any else "no effect"
                print(code, pair, target, *effect.smell[5:], "->", *effect.repaired[5:], verdict)
    return status


if __name__ == "__main__":
    sys.path[:0] = [str(evidence.ROOT), str(evidence.ROOT / "rules")]
    sys.exit(main())
