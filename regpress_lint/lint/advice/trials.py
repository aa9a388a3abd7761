"""Changes tried: made in a copy of the file in memory, which is then analysed as the file itself was.

The cost of a finding for this kernel: its change is applied to a copy of the file, and the kernel is estimated again.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.named import replace
from regpress_lint.core.uncertainty import Band, plain
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.lint.advice.advice_data import Change, State, gains, may_gain, memory_after
from regpress_lint.lint.analysis import Skipped, analyse
from regpress_lint.model.estimate.registers import steps
from regpress_lint.targets.costs import SLOW_PATH_BYTES, reductions
from regpress_lint.targets.vocabulary import vendor_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from regpress_lint.api.rule import Rule
    from regpress_lint.core.diagnostics import Edit, Finding
    from regpress_lint.facts.kernel import KernelFacts
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
        edits = [edit for change in changes for edit in change.edits]
        data = edited(self._analysis.source.data, edits)
        grf = next((change.grf for change in changes if change.grf is not None), None)
        if data is None or (data == self._analysis.source.data and grf is None):
            return None
        if (data, grf) not in self._known:
            self._known[data, grf] = self._states(data, grf, edits)
        return self._known[data, grf]

    def is_new(self, change: Change) -> bool:
        """Whether no earlier change had the same result for the file."""
        data = edited(self._analysis.source.data, change.edits)
        return data is not None and (data, change.grf) not in self._known

    def is_idle(self, edits: Sequence[Edit]) -> bool:
        """Whether edits that were tried left the kernel as it was; not for no edits."""
        data = edited(self._analysis.source.data, edits) if edits else None
        after = self._known.get((data, None)) if data is not None else None
        return after is not None and all(after[name] == self.before[name] for name in self.targets)

    def _states(self, data: bytes, grf: int | None, edits: Sequence[Edit]) -> Mapping[str, State] | None:
        original = self._analysis
        tried = analyse(data, original.source.path, original.given, lambda: original.project)
        if isinstance(tried, Skipped) or len(tried.file.kernels) != len(original.file.kernels):
            return None
        kernel = tried.file.kernels[self._number]
        if kernel.name != self._kernel.name or kernel.complete != self._kernel.complete:
            return None
        settings = tried.settings
        if grf is not None:
            settings = replace(settings, registers=settings.registers._replace(grf=grf))
        facts = kernel_facts(tried.file, kernel, settings)
        # What stays in memory is as a rule what stayed there before, which took two executions to find.
        facts_before = original.facts(self._kernel)
        facts.executions.settled_memory = facts_before.executions.settled_memory.moved(edits)
        served = all(name in facts.targets and _as_whole(facts, facts_before, name) for name in self.targets)
        states = (
            {name: _read_ahead(self.before[name], state_of(facts, name), name) for name in self.targets}
            if served
            else None
        )
        facts.forget()
        return states


def _as_whole(facts: KernelFacts, original: KernelFacts, name: str) -> bool:
    """False if the changed kernel is too large to be executed to its end, as the original was."""
    return facts.typical(name).execution(name).complete or not original.typical(name).execution(name).complete


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
    compiles = facts.launch.lds_of(None)[0] <= facts.launch.most_static_lds(name)
    best, now, worst = (
        plain(occupancy_at.waves_per_simd) if occupancy_at.groups and compiles else 0 for occupancy_at in at_most
    )
    typical = facts.typical(name)
    execution = typical.execution(name)
    return State(
        Band(registers.low, registers.estimate, registers.high),
        target.budget,
        registers.scratch_bytes,
        now,
        best,
        worst,
        target.lds_at_least,
        execution.operations,
        max(0, registers.estimate - facts.compiled(name).room),
        len(typical.settled(name).in_memory),
        execution.slow_paths,
        open_bytes=_open_bytes(facts, name),
    )


def _open_bytes(facts: KernelFacts, name: str) -> int:
    """The frame of a slow path alone, which nvcc has in registers or in memory: that the estimate of a kernel of many
    registers has it in registers is too little to promise.
    """
    typical = facts.typical(name)
    alone = reductions(vendor_of((name,)) or "amd", typical.execution(name).libraries) == 1
    return SLOW_PATH_BYTES if alone and all(frame.kind != "slow-path" for frame in typical.frames(name)) else 0


def _read_ahead(before: State, after: State, name: str) -> State:
    """The state after a change that takes a slow path out of a loop: where nothing branches ptxas may read ahead, and
    spends on that what the call took, up to the registers with which an SM is full. Of ten such loops with `powf` eight
    took 4 to 14 registers more without it, and those with `pow` ended at 14 to 34.
    """
    low, fewest, high = after.registers
    full = steps(name)[0]
    if after.slow_paths >= before.slow_paths or fewest >= full:
        return after
    least = max(fewest, min(before.registers.estimate, full))
    return after._replace(registers=Band(low, least, max(high, full)), spread=(fewest, full))


# For all changes that are tried for a rule: bytes of the file, and work of the kernel's executions for the findings'
# targets, with those that were made before.
_LARGEST, _MOST_WORK = 1 << 18, 40_000
_MANY = {1: "the fix", 2: "both such fixes"}
_UNTIMED = frozenset(("intel",))  # vendors on whose GPUs no change of ours was timed
_UNITS = {"amd": "VGPRs", "nvidia": "registers", "intel": "registers"}


def priced(
    analysis: Analysis, facts: KernelFacts, findings: Sequence[Finding], rule: Rule, *, may_try: bool
) -> tuple[Finding, ...]:
    """Findings of one rule about a kernel. Those with a `cost` say what the kernel takes with their `trial`, or with
    all their fixes made together; the others what the table says that the cost is from. Where a kernel has been
    executed for as long as one may be, nothing is tried, and what might gain nothing is said a step more quietly.
    """
    most = _trials(analysis, facts, findings) if may_try else None
    if most == 0:
        return tuple(_untried(_by_table(finding)) if finding.cost else finding for finding in findings)
    fixable = [finding for finding in findings if finding.cost and finding.trial is None and finding.fix is not None]
    many = "with " + _MANY.get(len(fixable), f"all {len(fixable)} such fixes")
    edits = [edit for finding in fixable for edit in (finding.fix.edits if finding.fix is not None else ())]
    fixed = _tried(analysis, facts, fixable, edits) if fixable and most else None
    findings_with_price: list[Finding] = []
    tried = 1 if fixable else 0
    for finding in findings:
        how, states = many, fixed if finding.fix is not None else None
        if finding.cost and finding.trial is not None:
            if most is not None and tried >= most:
                findings_with_price.append(_untried(_by_table(finding)))
                continue
            tried += 1
            how = finding.trial.how
            states = _tried(analysis, facts, (finding,), finding.trial.edits) if most else None
        if states is None or not finding.cost or (rule.table_without_gain and not _gains_somewhere(*states)):
            findings_with_price.append(_by_table(finding))
        else:
            findings_with_price.append(_by_trial(finding, how, rule, *states))
    return tuple(findings_with_price)


def _tried(
    analysis: Analysis, facts: KernelFacts, findings: Sequence[Finding], edits: Iterable[Edit]
) -> tuple[Mapping[str, State], Mapping[str, State]] | None:
    """The kernel without and with the edits, by target of the findings; None if the edits cannot be tried."""
    targets = tuple(name for name in facts.targets if any(name in finding.severities for finding in findings))
    trials = Trials(analysis, facts.kernel, targets)
    after = trials.after((Change("fix", "", 0, tuple(dict.fromkeys(edits)), ""),))
    return None if after is None or not targets else ({name: trials.before[name] for name in targets}, after)


def _words(before: Mapping[str, State], after: Mapping[str, State]) -> str:
    return ", ".join(_word(name, before[name], after[name]) for name in before)


def _word(name: str, before: State, after: State) -> str:
    """`67 -> 21 VGPRs on gfx90a`, and what becomes of private memory and waves where they change."""
    unit = _UNITS[vendor_of((name,)) or "amd"]
    old, new = before.registers.estimate, after.registers.estimate
    text = f"{old} -> {new} {unit}" if old != new else f"{old} {unit} as before"
    if after.spread is not None:
        fewest, most = after.spread
        text = f"{old} -> {fewest} to {most} {unit}"
    if before.memory_bytes != after.memory_bytes:
        text += f" and {before.memory_bytes} -> {after.memory} bytes of private memory"
    if before.waves != after.waves:
        text += f" ({before.waves} -> {after.waves} waves per SIMD)"
    return f"{text} on {name}"


def _by_table(finding: Finding) -> Finding:
    if not finding.cost:
        return finding
    return finding._replace(message=f"{finding.message}: {finding.cost}", cost="", timed="", trial=None)


def _trials(analysis: Analysis, facts: KernelFacts, findings: Sequence[Finding]) -> int | None:
    """How many changes of the file may be tried for a rule's findings about a kernel; None where none ever is. Each
    takes another analysis of the file, and all executions of the kernel once more.
    """
    size = len(analysis.source.data)
    asked = [finding for finding in findings if finding.cost and (finding.fix or finding.trial) is not None]
    if size > _LARGEST or not asked:
        return None
    spent = 0
    for name in facts.targets:
        if any(name in finding.severities for finding in asked):
            _ = facts.target(name).registers  # executed now, whoever asked before
            spent += facts.work(name)
    return min(_LARGEST // max(1, size), affordable(spent))


def affordable(spent: int) -> int:
    """How often a kernel may be executed again whose executions were so much work."""
    return max(0, _MOST_WORK - spent) // max(1, spent)


def _untried(finding: Finding) -> Finding:
    severities = {name: Severity(max(Severity.HINT, severity - 1)) for name, severity in finding.severities.items()}
    return finding._replace(message=f"{finding.message}; not tried, for the kernel is large", severities=severities)


def _by_trial(
    finding: Finding, how: str, rule: Rule, before: Mapping[str, State], after: Mapping[str, State]
) -> Finding:
    severities = {
        name: severity if name not in before else _decided(finding, rule, name, before[name], after[name])
        for name, severity in finding.severities.items()
    }
    gained = _gains_somewhere(before, after)
    return finding._replace(
        message=f"{finding.message}: {how} the estimate is {_words(before, after)}",
        severities=severities,
        help=f"{finding.help}; {finding.timed}" if finding.timed and not gained else finding.help,
        cost="",
        timed="",
        trial=None,
        gained=None,
    )


def _decided(finding: Finding, rule: Rule, name: str, before: State, after: State) -> Severity:
    """The severity on a target as the trial decides it."""
    severity = finding.severities[name]
    if vendor_of((name,)) in _UNTIMED and _worsens(before, after):
        severity = min(severity, Severity.INFO)
    if finding.gained and name in finding.gained:
        if finding.trial is not None and finding.trial.cold:
            before = before._replace(memory_bytes=after.memory_bytes)
        if gains(before, after):
            return max(severity, finding.gained[name])
        if may_gain(before, after):
            return max(severity, min(finding.gained[name], Severity.INFO))
    return severity if _is_worth(rule, name, before, after) else min(severity, Severity.HINT)


def _worsens(before: State, after: State) -> bool:
    """Whether a change takes more registers and ends nothing."""
    return after.registers.estimate > before.registers.estimate and not _ends_something(before, after)


def _is_worth(rule: Rule, name: str, before: State, after: State) -> bool:
    """False where the rule reports what gains as little as that on a target as a hint."""
    vendor = vendor_of((name,))
    if vendor in rule.hint_without_step:
        return _ends_something(before, after)
    return vendor not in rule.hint_without_gain or _gains(before, after)


def _gains_somewhere(before: Mapping[str, State], after: Mapping[str, State]) -> bool:
    return any(_gains(before[name], after[name]) for name in before)


def _gains(before: State, after: State) -> bool:
    return after.registers.estimate < before.registers.estimate or _ends_something(before, after)


def _ends_something(before: State, after: State) -> bool:
    """Less in private memory, fewer registers beyond what a thread may have, or a wave more."""
    return (
        memory_after(before, after) < before.memory_bytes or after.excess < before.excess or after.waves > before.waves
    )
