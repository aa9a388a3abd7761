"""RP402 wide-private-array."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, NamedTuple, Rule, Severity
from regpress_lint.api.facts import bounds_declared, is_tile
from regpress_lint.api.report import place
from regpress_lint.api.syntax import Binary, is_fragment, written_alike
from regpress_lint.api.targets import gpu, habits, occupancy
from regpress_lint.api.text import count, instance_name, listing, spelled, sub_group, waves
from regpress_lint.api.worth import SURELY, unless_spare, with_spare
from regpress_rules.arrays._private import widest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from regpress_lint.api.facts import PrivateArray, TargetFacts
    from regpress_lint.api.rule import Others
    from regpress_lint.api.syntax import Assign
    from regpress_lint.api.targets import Occupancy

_REGISTER = 4  # bytes
# An array below this share of the budget never tips a kernel by itself.
_CONSIDERABLE = 0.25
_LARGE = 0.5
# A kernel that takes so large a part of its array holds what it makes of the elements instead (nvcc: 80 registers of an
# array of 128 whose elements meet in pairs); one that takes less has none.
_FITS = 0.95  # of the budget, for a kernel without the array
_HELD = 0.6
# Of the slots of a unit: nobody was seen to make an array smaller where more waves fit with it.
_ENOUGH = 0.5


class _Verdict(NamedTuple):
    severity: Severity
    reason: str
    advice: str


class _Wide(NamedTuple):
    """An array of one target, with the facts of the instance in which it is widest."""

    facts: KernelFacts
    array: PrivateArray
    target: str
    verdict: _Verdict


class WidePrivateArray(Rule):
    """A private array that takes a large part of a thread's registers."""

    code = "RP402"
    name = "wide-private-array"
    needs = ("arrays",)
    many_blocks = True

    def check_after(self, facts: KernelFacts, others: Others) -> Iterator[Finding]:
        """One finding for arrays that are filled and used together, with the reason of the target where it is worst;
        none where RP301 has a change that ends it.
        """
        groups: dict[tuple[str, int], list[list[_Wide]]] = {}
        wide = [(part, array) for part, array in widest(facts) if _is_candidate(array)]
        for target in facts.targets:
            for group in _groups(wide, target):
                array = group[0].array
                if _is_held(group[0], others("RP301")):
                    continue
                groups.setdefault((array.function.path, array.variable.span.start), []).append(group)
        yield from map(_finding, groups.values())


def _is_held(wide: _Wide, held: Iterable[Finding]) -> bool:
    """Whether a finding says that a loop only carries the array through, and no less severely."""
    return any(
        wide.array.variable.span in (finding.span, *(note.span for note in finding.notes))
        and finding.severities.get(wide.target, Severity.HINT) >= wide.verdict.severity
        for finding in held
    )


def _is_candidate(array: PrivateArray) -> bool:
    sized = array.bytes is not None and not array.presumed
    return sized and not (array.variable.volatile_span is not None or array.table or is_tile(array))


def _groups(wide: list[tuple[KernelFacts, PrivateArray]], target: str) -> list[list[_Wide]]:
    """Arrays that go together on one target."""
    groups: list[list[_Wide]] = []
    for facts, array in wide:
        seen = facts.array_for(target, array)
        verdict = _verdict(facts, target, seen)
        if verdict is None:
            continue
        member = _Wide(facts, seen, target, verdict)
        home = next((group for group in groups if _go_together(group[0].array, seen)), None)
        if home is None:
            groups.append([member])
        else:
            home.append(member)
    return groups


def _go_together(mine: PrivateArray, yours: PrivateArray) -> bool:
    """True for arrays of one function with as many bytes in the same loops: who makes one smaller does so to both."""
    if mine.function is not yours.function or mine.bytes != yours.bytes:
        return False
    loops = [{loop for access in array.accesses for loop in access.loops} for array in (mine, yours)]
    return not loops[0].isdisjoint(loops[1])


def _finding(groups: list[list[_Wide]]) -> Finding:
    """groups: what goes together on each target, the same array first in all of them."""
    facts, array, *_ = groups[0][0]
    leads = [group[0] for group in groups]
    variable = array.variable
    where = place(facts, variable.span, array.function.path, "the array")
    assert array.bytes is not None
    if _is_shared(facts, array):
        reasons = {_of_any_kernel(facts, array): None}
    else:
        reasons = dict.fromkeys(lead.verdict.reason for lead in sorted(leads, key=lambda lead: -lead.verdict.severity))
    message = (
        f"private array `{variable.name}` of {array.elements} x {spelled(variable.type)} "
        f"({count(array.bytes, 'byte')} per thread{_which(facts)}) {'; '.join(reasons)}"
    )
    with_it: dict[str, list[str]] = {}
    for group in groups:
        for wide in group[1:]:
            with_it.setdefault(f"`{wide.array.variable.name}`", []).append(wide.target)
    everywhere = [name for name, targets in with_it.items() if len(targets) == len(groups)]
    if everywhere:
        message += f"; {listing(everywhere)} {'takes' if len(everywhere) == 1 else 'take'} as much"
    names: dict[str, list[str]] = {}
    for name, targets in with_it.items():
        if name not in everywhere:
            names.setdefault(listing(targets), []).append(name)
    for gpus, some in names.items():
        message += f"; {listing(some)} {'takes' if len(some) == 1 else 'take'} as much on {gpus}"
    severities = {lead.target: lead.verdict.severity for lead in leads}
    return Finding(where.span, message, severities, _advice(leads), where.notes)


def _which(facts: KernelFacts) -> str:
    """The instantiation that is spoken of, where there are several."""
    return f" in `{instance_name(facts.kernel.name, facts.arguments)}`" if facts.arguments else ""


def _advice(leads: list[_Wide]) -> str:
    """The advice, with its targets if it is not the same on all."""
    told: dict[str, list[str]] = {}
    for lead in leads:
        told.setdefault(lead.verdict.advice, []).append(lead.target)
    if len(told) == 1:
        return next(iter(told))
    return "; ".join(f"on {listing(targets)}: {advice}" for advice, targets in told.items())


def _verdict(facts: KernelFacts, name: str, array: PrivateArray) -> _Verdict | None:
    target = facts.target(name)
    considerable = _CONSIDERABLE * target.budget
    # Few enough elements need no execution, which an instantiation may not have had for this target.
    if _registers_of(name, array, array.elements or 0) < considerable or _registers(facts, name, array) < considerable:
        return None
    if array.dynamic or not (array.stays_in_registers(target.architecture.vendor) or facts.is_tried_again(name)):
        return None  # memory: RP403's subject
    return _in_registers(target, array, facts)


# ----------------------------------------------------------------------------------------------- in registers


def _registers(facts: KernelFacts, target: str, array: PrivateArray) -> int:
    """Registers of the elements that the kernel uses: one takes at least one, unless the compiler can (or does)
    share them out.
    """
    return _registers_of(target, array, _used_elements(facts, target, array))


def _registers_of(target: str, array: PrivateArray, used: int) -> int:
    assert array.elements is not None
    if (habits(target).packs_arrays or _narrow(array)) and array.bytes is not None:
        return -(-array.bytes * used // (max(array.elements, 1) * _REGISTER))
    return used * (array.variable.type.registers or 1)


def _used_elements(facts: KernelFacts, target: str, array: PrivateArray) -> int:
    """How many elements of an array the kernel reads or writes, as an architecture's compiler sees it; all of them
    where indices are known at run time only, or where unknown code receives the array.
    """
    elements, seen_by = array.elements or 0, facts.execution(target)
    seen = seen_by.notes.elements.get(array.variable) if seen_by.complete else None
    return min(elements, seen) if seen else elements


def _is_shared(facts: KernelFacts, array: PrivateArray) -> bool:
    """True for an array of a device function: what is said of it must be the same from every kernel that calls it."""
    return array.function is not facts.kernel.function


def _need(facts: KernelFacts, target: str, array: PrivateArray) -> str:
    packed = " if packed" if _narrow(array) and not habits(target).packs_arrays else ""
    return f"needs {count(_registers(facts, target, array), 'register')}{packed}"


def _of_any_kernel(facts: KernelFacts, array: PrivateArray) -> str:
    """The finding about a device function's array that holds for any calling kernel, whatever else is live there."""
    needs: dict[str, list[str]] = {}
    in_registers = [target for target in facts.targets if array.stays_in_registers(gpu(target).vendor)]
    for target in in_registers or facts.targets:
        needs.setdefault(_need(facts, target, array), []).append(target)
    told = listing(f"{need} on {listing(targets)}" for need, targets in needs.items())
    return f"{told} in every kernel that calls `{array.function.name}`"


def _narrow(array: PrivateArray) -> bool:
    return array.variable.type.size in (1, 2)


def _in_registers(target: TargetFacts, array: PrivateArray, facts: KernelFacts) -> _Verdict | None:
    arch = target.architecture
    taken, budget = _registers(facts, arch.name, array), target.budget
    wanted = _wanted(target, facts)
    assumed = habits(arch.name).assumes_full_blocks and not facts.sets_budget  # RP101 has what that costs
    estimate = wanted[1]
    need, most = _need(facts, arch.name, array), ""
    if 2 * taken > estimate + wanted[2]:  # not by the band's very end alone
        if estimate < _HELD * taken or target.registers.scratch_bytes:
            return None  # folded away, or kept in scratch after all: the kernel as a whole wants less
        taken, need, most = estimate, f"{need} if all of it is alive", "at most "  # what else is alive is not known
    without = max(1, estimate - taken)
    share = f"{need}, and a thread has {budget} on {arch.name}{sub_group(facts, arch)}"
    advice = "split the work so that a thread keeps fewer elements, or keep a part of them in LDS"
    measured = arch.vendor != "intel" and not _narrow(array)
    band = wanted
    if _exceeds(taken, estimate, budget):
        excess = f"{share}; by the estimate the kernel takes {estimate} with it, and "
        memory = facts.is_tried_again(arch.name) and not array.stays_in_registers(arch.vendor)
        excess += "IGC keeps it in private memory" if memory else "the excess may be spilled"
        if target.measured is not None:
            excess = f"{share}; {target.measured.words}"
        surely = not assumed and (estimate >= SURELY[arch.vendor] * budget or band[0] > budget)
        certain = measured and (surely or all(_exceeds(taken, end, budget) for end in band))
        severity = Severity.WARNING if certain else Severity.INFO
        return _Verdict(severity, excess, _bounds_advice(facts, target) or advice)
    if estimate > facts.compiled(arch.name).room and measured and not assumed:
        return None  # it spills without the array as well: RP109 has all that is alive
    if not _tile(facts, array) and _costs_a_step(target, taken, estimate):
        now, then = _at(target, estimate), _at(target, without)
        by = "the estimate" if target.measured is None else f"the compiler's {target.measured.registers} registers"
        fit = f"{waves(now)} per SIMD fit with it and {most}{waves(then)} without"
        if now.impossible:
            fit = f"the launch is refused with it ({now.impossible}), and {waves(then)} per SIMD fit without"
        step = f"{share}; by {by} {fit}"
        certain = measured and all(_costs_a_step(target, taken, end) for end in band) and now.fraction <= _ENOUGH
        return _Verdict(Severity.WARNING if certain else Severity.INFO, step, advice)
    if taken >= _LARGE * budget and not (_tile(facts, array) and estimate <= budget):
        large = unless_spare(facts, arch.name, estimate, Severity.INFO)
        shared = _is_shared(facts, array)
        return _Verdict(large, share, advice if shared else with_spare(facts, (arch.name,), advice))
    return None


def _wanted(target: TargetFacts, facts: KernelFacts) -> tuple[int, int, int]:
    """The band, also beyond what a thread can address: the kernel without the array is judged by the rest.
    IGC compiles again where it spills, and has no such numbers.
    """
    again = facts.compiler(target.architecture.name).again
    if target.measured is not None or facts.instances or again is not None:
        return target.registers[:3]
    return facts.compiled(target.architecture.name).wanted


def _exceeds(taken: int, registers: int, budget: int) -> bool:
    """True if a kernel of so many registers has too many by the array: it is too large alone, or tips the scale, which
    a rest that hardly fits does not say: then RP109 has all that is alive.
    """
    return registers > budget and (taken >= budget or _FITS * budget >= registers - taken)


def _costs_a_step(target: TargetFacts, taken: int, registers: int) -> bool:
    """True if a kernel of so many registers would have more waves without the array."""
    then = _at(target, max(1, registers - taken))
    return _at(target, registers).waves < min(then.waves, target.without_registers.waves)


def _at(target: TargetFacts, registers: int) -> Occupancy:
    return occupancy(target.architecture, target.use(registers))


def _tile(facts: KernelFacts, array: PrivateArray) -> bool:
    """An array that a loop accumulates into at constant indices, `v[k] += x` or `v[k] = v[k] + x`, or of parts of a
    matrix, `wmma::fragment`: a register tile, large on purpose.
    """
    if is_fragment(array.variable.type):
        return True
    if any(access.dynamic for access in array.accesses):
        return False
    rolled = [access for access in array.accesses if any(not loop.unrolled for loop in access.loops)]
    if any(access.kind == "update" for access in rolled):
        return True
    written = {access.span for access in rolled if access.kind == "write"}
    return bool(written) and any(
        assign.target.span in written and _is_sum(assign) for assign in facts.flow_of(array.function).assigns
    )


def _is_sum(assign: Assign) -> bool:
    target, value = written_alike(assign.target), assign.value
    return (
        isinstance(value, Binary)
        and value.op in ("+", "-")
        and target in (written_alike(value.left), written_alike(value.right))
    )


def _bounds_advice(facts: KernelFacts, target: TargetFacts) -> str | None:
    if (
        not habits(target.architecture.name).assumes_full_blocks
        or facts.kernel.launch_bounds is not None
        or facts.kernel.has_work_items
    ):
        return None
    declared = bounds_declared(facts.kernel)
    return (
        declared and f"make the array smaller, or declare {declared}: without them a thread may have no more registers"
    )
