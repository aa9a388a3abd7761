"""Changes tried: made in a copy of the file in memory, which is then analysed as the file itself was."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from regpress_lint.core.band import Band, plain
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.lint.advice.advice_data import State
from regpress_lint.lint.analysis import Skipped, analyse

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from regpress_lint.core.diagnostics import Edit
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.lint.advice.advice_data import Change
    from regpress_lint.lint.analysis import Analysis
    from regpress_lint.program.model import Kernel


class Trials:
    """One kernel of an analysed file, and its state after changes of the file."""

    def __init__(self, analysis: Analysis, kernel: Kernel, targets: tuple[str, ...]) -> None:
        self._analysis = analysis
        self._number = analysis.file.kernels.index(kernel)
        self._kernel = kernel
        facts = analysis.facts(kernel)
        self.targets = targets
        self.before = {name: state_of(facts, name) for name in facts.targets}
        self._known: dict[tuple[bytes, int | None], Mapping[str, State] | None] = {}

    def after(self, changes: Sequence[Change]) -> Mapping[str, State] | None:
        """The kernel with these changes, by architecture; None if they cannot be made together, or if the tool does
        not understand the result as well as it did the original.
        """
        data = edited(self._analysis.source.data, [edit for change in changes for edit in change.edits])
        grf = next((change.grf for change in changes if change.grf is not None), None)
        if data is None or (data == self._analysis.source.data and grf is None):
            return None
        if (data, grf) not in self._known:
            self._known[data, grf] = self._states(data, grf)
        return self._known[data, grf]

    def is_new(self, change: Change) -> bool:
        """Whether no earlier change had the same result for the file."""
        data = edited(self._analysis.source.data, change.edits)
        return data is not None and (data, change.grf) not in self._known

    def _states(self, data: bytes, grf: int | None) -> Mapping[str, State] | None:
        here = self._analysis
        tried = analyse(data, here.source.path, here.given, lambda: here.project)
        if isinstance(tried, Skipped) or len(tried.file.kernels) != len(here.file.kernels):
            return None
        kernel = tried.file.kernels[self._number]
        if kernel.name != self._kernel.name or kernel.complete != self._kernel.complete:
            return None
        settings = tried.settings
        if grf is not None:
            settings = settings._replace(registers=settings.registers._replace(grf=grf))
        facts = kernel_facts(tried.file, kernel, settings)
        served = set(self.targets) <= set(facts.targets)
        found = {name: state_of(facts, name) for name in self.targets} if served else None
        facts.forget()
        return found


def edited(data: bytes, edits: Iterable[Edit]) -> bytes | None:
    """A file with these edits; None if two of them touch each other, or one is in an included file."""
    ordered = sorted(edits, key=lambda edit: edit.span)
    if ordered and ordered[-1].span.end > len(data):
        return None
    if any(second.span.start < first.span.end for first, second in pairwise(ordered)):
        return None
    pieces, offset = [], 0
    for edit in ordered:
        pieces += [data[offset : edit.span.start], edit.text.encode()]
        offset = edit.span.end
    return b"".join((*pieces, data[offset:]))


def state_of(facts: KernelFacts, name: str) -> State:
    """A kernel's use and occupancy on an architecture, including spills; no waves if it does not compile."""
    target = facts.target(name)
    registers = target.registers
    at_most = [target.best, target.occupancy, target.worst]
    compiles = facts.lds_of(None)[0] <= facts.most_static_lds(name)
    best, now, worst = (plain(each.waves_per_simd) if each.groups and compiles else 0 for each in at_most)
    return State(
        Band(registers.low, registers.estimate, registers.high),
        target.budget,
        registers.scratch_bytes,
        now,
        best,
        worst,
        facts.lds_at_least,
        facts.typical(name).execution(name).operations,
        max(0, registers.estimate - facts.room(name)),
    )
