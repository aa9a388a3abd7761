"""RP802 lds-spill-candidate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, NamedTuple, Note, Rule, Severity
from regpress_lint.api.facts import carried_through, free_lds, may_be_carried
from regpress_lint.api.targets import gpu
from regpress_lint.api.text import count
from regpress_lint.api.worth import at_peak

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api.facts import CarriedVariable, LoopFacts

_LEAST = 8  # registers that are worth a barrier, as in RP301
_MOST_NAMES = 4


class _Candidates(NamedTuple):
    """Values that a loop carries through and that fit into LDS, and the bytes per thread that are free there."""

    loop: LoopFacts
    values: tuple[CarriedVariable, ...]
    room: int

    @property
    def registers(self) -> int:
        return sum(value.registers for value in self.values)


class LdsSpillCandidate(Rule):
    """Values that a loop only carries through, in a kernel that may need more registers than it has."""

    code = "RP802"
    name = "lds-spill-candidate"
    severity = Severity.INFO
    vendors = ("amd", "nvidia")
    needs = ("loops",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding per kernel: the loop that carries most."""
        if facts.kernel.function.path not in ("", facts.file.path):
            return
        if not facts.wants_hints and all(_severity(target) == Severity.HINT for target in facts.targets):
            return
        outermost = (loop for loop in facts.source.loops if loop.parent is None)
        if not any(may_be_carried(facts, loop) >= _LEAST for loop in outermost):
            return  # what the source says is enough: nothing need be executed
        targets = tuple(target for target in facts.targets if _is_full(facts, target))
        candidates = list(_candidates(facts, targets)) if targets else []
        if candidates:
            yield _finding(facts, max(candidates, key=lambda candidate: candidate.registers), targets)


def _severity(target: str) -> Severity:
    """Timed on NVIDIA alone, where nothing was gained (the page)."""
    return Severity.HINT if gpu(target).is_nvidia else Severity.INFO


def _is_full(facts: KernelFacts, target: str) -> bool:
    """True if the band reaches what a thread may have."""
    estimate = facts.target(target)
    return estimate.architecture.has_register_steps and facts.compiled(target).wanted.high >= estimate.budget


def _candidates(facts: KernelFacts, targets: tuple[str, ...]) -> Iterator[_Candidates]:
    room = free_lds(facts, targets) or 0
    for loop in facts.loops:
        if loop.unrolled or loop.parent is not None or not any(at_peak(facts, target, loop) for target in targets):
            continue
        fitting: list[CarriedVariable] = []
        for variable in carried_through(facts, loop, targets):
            if sum(value.bytes for value in (*fitting, variable)) <= room:
                fitting.append(variable)
        candidates = _Candidates(loop, tuple(fitting), room)
        if candidates.registers >= _LEAST:
            yield candidates


def _finding(facts: KernelFacts, candidates: _Candidates, targets: tuple[str, ...]) -> Finding:
    source, values = facts.file.source, candidates.values
    own = facts.target(targets[0])
    names = [f"`{value.variable.name}`" for value in values]
    some = ", ".join(names[:_MOST_NAMES]) + (
        f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    )
    uses = max(len(value.uses) for value in values)
    taken, block = sum(value.bytes for value in values), facts.launch.block_size
    band = f"{own.registers.low} to {own.registers.high} on {targets[0]}"
    message = (
        f"{some}: {count(candidates.registers, 'register')} that the loop at line "
        f"{source.line_of(candidates.loop.loop.span.start)} only carries through, used {count(uses, 'time')} at most "
        f"after it, while the band ({band}) reaches the {own.budget} that a thread may have; in shared memory or LDS "
        f"they would take {taken} of the {candidates.room} bytes per thread that are free in blocks of {block:,}"
    )
    notes = [
        Note(
            value.variable.span,
            f"`{value.variable.name}`: {count(value.registers, 'register')}, lines "
            f"{source.line_of(value.variable.span.start)} to {source.line_of(value.uses[-1].start)}",
        )
        for value in values[:_MOST_NAMES]
    ]
    help_ = (
        "load them after the loop, or keep them in shared memory while it runs, with a barrier after the stores: "
        "without one compilers keep the registers as well; `kernels --advise` tries both"
    )
    severities = {target: _severity(target) for target in targets}
    return Finding(values[0].variable.span, message, severities, help_, tuple(notes))
