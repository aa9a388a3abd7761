"""Our own kernels with the compilers' numbers and the linter's: the tables of testdata/golden.

    python -m tools.measure.golden measure [--target T]... [FILE.cu]...   compile; write measured.csv
    python -m tools.measure.golden estimate                               ask the linter; write estimates.csv
    python -m tools.measure.golden score [--target T]...  how good the estimates are, and the worst of them
    python -m tools.measure.golden series                                 registers by N, the compilers' and ours
    python -m tools.measure.golden violations  where a series does not move as the compiler does

One source serves CUDA and HIP: nvcc compiles it for sm_80, sm_90 and sm_120, clang 19 for gfx90a, gfx942 and gfx1100,
clang 15 with llvm-spirv and ocloc for pvc. A compiler that is not installed is skipped and its rows stay.
testdata/golden/README.md says what the columns are.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.lint.projects import Projects
from regpress_lint.program import build_file, detect_language
from tools.measure import golden_score
from tools.measure.golden_intel import compile_intel, intel_version
from tools.measure.golden_rows import (
    AMD,
    ESTIMATES,
    GOLDEN,
    INTEL,
    MEASURED,
    TARGETS,
    Estimated,
    Measured,
    instance_name,
    names_of,
    read_estimates,
    read_measured,
    sources,
    to_text,
)
from tools.measure.toolchain import Allocation, compile_for, find_toolchain, version_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tools.measure.toolchain import Toolchain

ROOMY = "--gpu-max-threads-per-block=256"
JOBS = 2
_FLAGS = ("--extended-lambda", "-diag-suppress=177")


# ----------------------------------------------------------------------------------------------------- the linter


def estimates(path: Path, targets: Sequence[str] = TARGETS) -> list[Estimated]:
    """The linter's answers for every kernel of a file; only this function knows its internals."""
    data = path.read_bytes()
    name = str(path)
    project = Projects([name], [name]).of(name)
    file = build_file(Source(name, data), detect_language(name, data) or "cuda", project)
    settings = Settings(architectures=tuple(targets))
    rows: list[Estimated] = []
    for kernel in file.kernels:
        facts = kernel_facts(file, kernel, settings)
        every = [(i.arguments, facts.instances.get(i, facts)) for i in kernel.instances] or [("", facts)]
        for arguments, own in every:
            called = instance_name(kernel.name, arguments)
            for target in own.targets:
                found = own.target(target)
                band, cap = found.registers, found.budget if kernel.launch_bounds else None
                # What a budget of registers leaves no room for is no part of the demand that this is compared with.
                scratch = min(band.scratch_bytes, own.compiled(target).scratch(own.settled(target)))
                rows.append(Estimated(path.name, called, target, band.low, band.estimate, band.high, scratch, cap))
        facts.forget()
    return rows


# -------------------------------------------------------------------------------------------------- the compilers


def measure(chain: Toolchain, path: Path, target: str, version: str) -> list[Measured]:
    """Compile a file for a target."""
    with tempfile.TemporaryDirectory(prefix="regpress-golden-") as name:
        folder = Path(name)
        if target in INTEL:
            return list(compile_intel(path, target, version, folder))
        flags = () if target in AMD else _FLAGS
        usual = compile_for(chain, path, target, folder, *flags) or []
        roomy = compile_for(chain, path, target, folder, ROOMY) or [] if target in AMD else usual
    names = names_of([one.symbol for one in usual])
    bounds = launch_bounds(path)
    found = {one.symbol: one for one in roomy}
    return [
        _measured(path.name, names[one.symbol], target, version, one, found[one.symbol], bounds) for one in usual
    ]  # fmt: skip


def _measured(
    file: str, kernel: str, target: str, version: str, usual: Allocation, roomy: Allocation, bounds: dict[str, int]
) -> Measured:
    amd = target in AMD
    return Measured(
        file=file,
        kernel=kernel,
        target=target,
        compiler=version,
        registers=usual.registers,
        agprs=usual.agprs if amd else None,
        sgprs=usual.sgprs if amd else None,
        scratch_bytes=usual.scratch_bytes,
        spills=usual.spills,
        lds_bytes=usual.lds_bytes,
        bounds=bounds.get(kernel.partition("<")[0]),
        demand=roomy.total,
        demand_scratch_bytes=roomy.scratch_bytes,
        demand_spills=roomy.spills,
    )


def launch_bounds(path: Path) -> dict[str, int]:
    """Kernels of a file with a launch bound of their own, a plain number."""
    pattern = r"__launch_bounds__\((\d+)[^)]*\)\s*(?:void\s+)?(\w+)\("
    return {name: int(bound) for bound, name in re.findall(pattern, path.read_text(encoding="utf-8"))}


def version_of(chain: Toolchain, target: str) -> str | None:
    """Name and version of the compiler for a target; None if it is not installed."""
    return intel_version() if target in INTEL else version_for(chain, target)


def _measure(targets: Sequence[str], files: Sequence[Path]) -> int:
    chain = find_toolchain()
    versions = {target: version_of(chain, target) for target in targets}
    for target in (target for target, version in versions.items() if version is None):
        print(f"skipped: {target} (no compiler)", file=sys.stderr)
    jobs = [(path, target, version) for target, version in versions.items() if version for path in files]
    status = 0
    with ThreadPoolExecutor(JOBS) as pool:
        waiting = [(path, target, pool.submit(measure, chain, path, target, version)) for path, target, version in jobs]
        for path, target, future in waiting:
            try:
                fresh = future.result()
            except RuntimeError as error:
                print(f"{path.name} {target}: {error}"[:4000], file=sys.stderr)
                status = 1
                continue
            others = [row for row in read_measured() if (row.file, row.target) != (path.name, target)]
            kept = [row for row in others if (GOLDEN / row.file).is_file()]
            MEASURED.write_text(to_text((*kept, *fresh), Measured._fields), encoding="utf-8")
            print(f"{path.name} {target}: {len(fresh)} kernels", file=sys.stderr)
    return status


def _estimate() -> int:
    rows = [row for path in sources() for row in estimates(path)]
    ESTIMATES.write_text(to_text(rows, Estimated._fields), encoding="utf-8")
    print(f"{len(rows)} estimates", file=sys.stderr)
    return 0


def _lines(command: str, targets: Sequence[str]) -> Iterator[str]:
    pairs = golden_score.matched(read_measured(), read_estimates())
    if command == "score":
        yield from golden_score.report(pairs, targets)
    elif command == "series":
        yield from golden_score.series_table(pairs, targets)
    else:
        yield from map(str, golden_score.violations(pairs))


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring. Returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("command", choices=("measure", "estimate", "score", "series", "violations"))
    parser.add_argument("files", nargs="*", type=Path, help="of testdata/golden, for `measure`; all by default")
    parser.add_argument("--target", action="append", choices=TARGETS, help="only these targets")
    options = parser.parse_intermixed_args(arguments)
    targets = options.target or TARGETS
    if options.command == "measure":
        return _measure(targets, [GOLDEN / path.name for path in options.files] or sources())
    if options.command == "estimate":
        return _estimate()
    print("\n".join(_lines(options.command, targets)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
