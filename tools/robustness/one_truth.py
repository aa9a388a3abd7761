"""Whether all that the tool says of one kernel is one truth: rules, scratch, registers, budget and waves.

    python -m tools.robustness.one_truth SRC --arch gfx90a,sm_90  # a line per contradiction, and their number

For every kernel and architecture:
- a rule that says of an array, an object or an argument that it is in private memory finds it in `scratch_bytes`;
- where RP407 says that a tile spills, the estimate is beyond the budget (as information, the band's end is);
- where `scratch_bytes` has an array, some rule names one (not what IGC's second try puts there, for the whole kernel);
- where the estimate is beyond the budget, the excess is in `scratch_bytes`, or in `excess_bytes` where the budget is
  clang's assumption or IGC has not tried its second way, arrays in memory; and the waves are those of the budget;
- the occupancy that is printed is the calculator's at the registers that are printed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.commands.kernels.rows import kernel_row
from regpress_lint.core.diagnostics import EVERY_TARGET, Severity
from regpress_lint.core.settings import Settings
from regpress_lint.lint import registry
from regpress_lint.lint.analysis import Analysis, analyse
from regpress_lint.lint.checks import checks
from regpress_lint.model.estimate.scratch import spilled_bytes
from regpress_lint.targets.occupancy import architecture, occupancy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.commands.kernels.rows import TargetRow
    from regpress_lint.facts.kernel import KernelFacts

# Rules whose information or warning says that something is in private memory; hints say what a compiler repairs.
MEMORY = frozenset(("RP403", "RP407"))
SPILLED = "RP407: spilled"  # that rule's other finding: the tile needs more registers than there are
# Those of which some must speak, if only as a hint, where an array is there.
ABOUT_ARRAYS = MEMORY | {"RP109", "RP401", "RP402", "RP404", "RP405", "RP408", "RP409", "RP601"}
SUFFIXES = (".hip", ".cu", ".cpp", ".cuh", ".hpp", ".h", ".cc", ".cxx", ".sycl")
_WORD = 4
_IN_LDS = "to LDS on"  # a small array that is moved there is no private memory


class Contradiction(NamedTuple):
    """What does not go together, for a kernel on an architecture."""

    kind: str
    path: str
    line: int
    kernel: str
    target: str
    text: str


def contradictions(data: bytes, path: str, targets: tuple[str, ...]) -> Iterator[Contradiction]:
    """All of a file."""
    settings = Settings(architectures=targets, min_severity=Severity.HINT)
    analysis = analyse(data, path, settings)
    if not isinstance(analysis, Analysis):
        return
    said = _said(analysis)
    for number, kernel in enumerate(analysis.file.kernels):
        if not kernel.complete:
            continue
        facts = analysis.facts(kernel)
        row = kernel_row(facts, facts.targets, analysis.line_of)
        for target in row.targets:
            for kind, text in _of(facts, target, said.get((number, target.name), {})):
                yield Contradiction(kind, path, kernel.line, kernel.name, target.name, text)
        analysis.done_with(kernel)
    analysis.close()


def _said(analysis: Analysis) -> dict[tuple[int, str], dict[str, Severity]]:
    """By the kernel's number and target: the highest severity of each rule about arrays."""
    rules = [entry for entry in registry.load().rules if entry.code in ABOUT_ARRAYS]
    again = Analysis(analysis.source, analysis.file.language, analysis.given)
    found: dict[tuple[int, str], dict[str, Severity]] = {}
    for check in checks(again, rules):
        kernel = check.kernel
        if kernel is None:
            continue
        number = again.file.kernels.index(kernel)
        for finding in check.ask():
            for target, severity in finding.severities.items():
                for name in again.targets if target == EVERY_TARGET else (target,):
                    if _IN_LDS in finding.message and architecture(name).vendor == "amd":
                        continue
                    own = found.setdefault((number, name), {})
                    said = SPILLED if "is spilled" in finding.message else check.rule.code
                    own[said] = max(severity, own.get(said, Severity.HINT))
    return found


def _of(facts: KernelFacts, target: TargetRow, said: dict[str, Severity]) -> Iterator[tuple[str, str]]:
    registers, budget, scratch = target.registers.estimate, target.budget, target.scratch_bytes
    memory = sorted(code for code, severity in said.items() if code in MEMORY and severity >= Severity.INFO)
    if memory and not scratch and not facts.instances:
        yield "rule without scratch", f"{', '.join(memory)}, scratch_bytes 0"
    again = facts.is_tried_again(target.name)  # IGC then puts into memory what it had room for at first: no rule's case
    arrays = [] if facts.instances or again else _arrays_in_memory(facts, target.name)
    if arrays and not said:
        yield "scratch without rule", f"{', '.join(arrays)} in memory, no rule about it"
    room = facts.compiled(target.name).room
    tried_again = scratch > 0 and facts.target(target.name).architecture.vendor == "intel"
    beyond = 0 if tried_again or facts.instances else spilled_bytes(registers, room)
    wanted = registers if said.get(SPILLED) is Severity.WARNING else target.registers.high
    if SPILLED in said and wanted <= room and not scratch and not facts.instances:
        yield "rule without spill", f"RP407, {wanted} registers of {room}"
    if scratch + target.excess_bytes < beyond:
        yield "spill", f"{registers} registers of {budget}, scratch_bytes {scratch}"
    own = facts.target(target.name)
    now = occupancy(own.architecture, own.use(min(registers, budget)))
    if (now.waves, now.limiters) != (target.occupancy.waves, target.occupancy.limiters):
        yield "waves", f"{target.occupancy.waves} waves, {now.waves} by the calculator"


def _arrays_in_memory(facts: KernelFacts, name: str) -> list[str]:
    """Arrays that the facts about a target keep in memory, and that are no constant tables."""
    return [
        array.variable.name for array in facts.arrays_for(name) if array.bytes and facts.compiled(name).is_memory(array)
    ]


def files(paths: Sequence[str]) -> list[Path]:
    """Sources in files and folders, in order."""
    found = [Path(path) for path in paths]
    inside = (sorted(path.rglob("*")) if path.is_dir() else [path] for path in found)
    return [path for paths_ in inside for path in paths_ if path.suffix in SUFFIXES and path.is_file()]


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0 if there is no contradiction."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("paths", nargs="+", metavar="SRC")
    parser.add_argument("--arch", default="gfx90a,sm_90")
    options = parser.parse_args(arguments)
    targets = tuple(options.arch.split(","))
    count = 0
    for path in files(options.paths):
        for contradiction in contradictions(path.read_bytes(), path.as_posix(), targets):
            count += 1
            print(*contradiction, sep="\t")
    print(f"{count} contradictions")
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main())
