"""Which of the changes that were tried are advice, and in what order.

Measurements of changes of a kind, on an architecture or on the nearest one that was measured.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from regpress_lint.api.text import count, limiter_names, listing
from regpress_lint.api.worth import column_in_doubt, column_pays, spare_registers
from regpress_lint.lint.advice.advice_data import CLEARLY, Advice, KernelAdvice, Measured, Step, TargetAdvice, gains
from regpress_lint.lint.advice.candidate_changes import changes, fixes_by_kernel
from regpress_lint.lint.advice.measured_pairs import PAIRS
from regpress_lint.lint.advice.trials import Trials
from regpress_lint.targets.occupancy import next_step
from regpress_lint.targets.vocabulary import gpu

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.lint.advice.advice_data import Change, State
    from regpress_lint.lint.analysis import Analysis


@cache
def _table() -> dict[tuple[str, str], Measured]:
    return {(code, gpu): Measured(code, gpu, *row) for code, rows in PAIRS.items() for gpu, row in rows.items()}


def measured(code: str, target: str) -> Measured | None:
    """The evidence of a rule; None for a change without a rule, or without measurements on such a GPU."""
    for name in (target, _alike(target)):
        if (row := _table().get((code, name))) is not None:
            return row
    return None


def _alike(target: str) -> str:
    """The architecture that was measured for those of its kind."""
    arch = gpu(target)
    if arch.is_intel:
        return "pvc"
    return "sm_90" if arch.is_nvidia else "gfx90a" if arch.is_gfx9 else "gfx1100"


_MOST = 5  # pieces of advice for an architecture
# Changes that are tried in a file whose kernels are not named: of one with 1,500 lines and nine kernels 41 take 13 s.
MOST_TRIED = 256
_TOGETHER = 3  # changes that are made together at most
_WORTH = 2  # registers that a change has to give to be made together with others
_SLOWER = 0.95
_ABOUT_MEMORY = frozenset(("RP403", "RP407"))  # their pairs are about arrays that are in memory
_WORD = 4  # bytes

_Tried = list[tuple["Change", "Mapping[str, State]"]]


_IF_NOTHING = ", if what is not known of the kernel takes no registers"


def unwatched(_kernels: int, _changes: int) -> None:
    """Who is told how far it is, and does not care."""


def file_advice(
    analysis: Analysis, kernel: str = "", tell: Callable[[int, int], None] = unwatched
) -> Iterator[KernelAdvice]:
    """Advice for the kernels of a file, or for those of one name; rules compute their fixes once.

    tell: is told how many more kernels are done and how many changes were tried, also between two of them.
    """
    wanted = [candidate for candidate in analysis.file.kernels if kernel in ("", candidate.name)]
    fixes: dict[str, list[Change]] | None = None
    tries = 0
    for wanted_kernel in wanted:
        facts = analysis.facts(wanted_kernel)
        reasons = {name: _nothing_to_gain(facts, name) for name in facts.targets}
        if tries >= MOST_TRIED and not kernel:
            name = wanted_kernel.name
            skipped = f"not tried, after {count(tries, 'change')} in this file; `--advise {name}` tries it alone"
            reasons = {target: reason or skipped for target, reason in reasons.items()}
        if fixes is None and not all(reasons.values()):
            fixes = fixes_by_kernel(analysis)
        trials = Trials(analysis, wanted_kernel, tuple(name for name, reason in reasons.items() if not reason))
        tell(0, tries)
        tried: _Tried = []
        for trial in _tried(facts, trials, (fixes or {}).get(wanted_kernel.name, [])) if trials.targets else ():
            tried.append(trial)
            tell(0, tries + len(tried))
        tries += len(tried)
        targets = tuple(_for_target(facts, name, trials, tried, reasons[name]) for name in facts.targets)
        yield KernelAdvice(wanted_kernel.path, wanted_kernel.line, wanted_kernel.name, targets)
        tell(1, tries)
        analysis.done_with(wanted_kernel)
    analysis.close()


def _nothing_to_gain(facts: KernelFacts, name: str) -> str:
    """Why no register that is saved would matter; empty where some may."""
    target = facts.target(name)
    if not target.architecture.has_register_steps:
        if target.registers.scratch_bytes or target.registers.estimate > facts.compiled(name).room * (1 + CLEARLY):
            return ""
        held = target.occupancy
        if held.groups and held.waves < held.max_waves and "registers" not in held.limiters:
            return f"{listing(limiter_names(held))} limits; registers are free up to {target.budget}"
        return "all is in registers, and fewer of them make no more hardware threads"
    if target.registers.scratch_bytes or facts.excess_bytes(name):
        return ""
    now = target.occupancy
    if not now.groups:
        return "the launch cannot work"
    spare = spare_registers(facts, name)
    if spare is not None and target.registers.estimate <= spare.registers:
        return f"{spare.limiter} limits; registers are free up to {min(spare.registers, target.budget)}"
    if now.waves == now.max_waves:
        return "no more waves fit" + (_IF_NOTHING if facts.decisive_unknowns(name) else "")
    if "registers" not in now.limiters:
        return f"{listing(limiter_names(now))} limits, not registers"
    return ""


def _tried(facts: KernelFacts, trials: Trials, fixes: Sequence[Change]) -> Iterator[tuple[Change, Mapping[str, State]]]:
    for change in (*fixes, *changes(facts)):
        if trials.is_new(change) and not trials.is_idle(change.whole):
            after = trials.after((change,))
            if after is not None:
                yield change, after


def _for_target(facts: KernelFacts, name: str, trials: Trials, tried: _Tried, reason: str) -> TargetAdvice:
    target, before = facts.target(name), trials.before[name]
    advice: list[Advice] = []
    if not reason:
        useful = [trial for trial in tried if is_advised(name, trial[0], before, trial[1][name])]
        advice = [_advice((change,), name, before, after[name]) for change, after in useful]
        if not advice:
            advice = _together(name, trials, tried)
        if not advice:
            reason = (
                f"none of {len(tried)} changes that were tried brings it to the next step"
                if len(tried) > 1
                else "the change that was tried does not bring it to the next step"
            )
    step = next_step(target.architecture, target.use(target.registers.estimate), "registers") if not reason else None
    return TargetAdvice(
        name,
        before,
        target.occupancy.max_waves_per_simd,
        tuple(target.occupancy.limiters),
        step.value if step is not None else None,
        tuple(sorted(advice, key=partial(_order, name))[:_MOST]),
        "" if advice else reason,
        len(tried),
    )


def is_advised(name: str, change: Change, before: State, after: State) -> bool:
    """True for a change that gains, and that no rule calls worse: an array in LDS may cost too many waves."""
    if not gains(before, after) or not _is_whole(change, before, after):
        return False
    return change.kind != "array-to-lds" or column_pays(name, before.waves, after.waves)


def _is_whole(change: Change, before: State, after: State) -> bool:
    """False for an array that is only narrower in memory than it was."""
    return change.kind != "narrow-type" or after.waves > before.waves or 2 * after.memory_bytes < before.memory_bytes


def _together(name: str, trials: Trials, tried: _Tried) -> list[Advice]:
    """The fewest of the changes that give most registers which gain something when they are made together."""
    before = trials.before[name]
    helpful = [trial for trial in tried if _saved(before, trial[1][name]) >= _WORTH and not trial[0].grf]
    helpful = [trial for trial in helpful if trial[1][name].memory_bytes <= before.memory_bytes]
    helpful.sort(key=lambda trial: -_saved(before, trial[1][name]))
    chosen: list[Change] = []
    best = before.registers.estimate
    for change, _ in helpful:
        after = trials.after((*chosen, change))
        if after is None or after[name].registers.estimate > best - _WORTH:
            continue
        chosen.append(change)
        best = after[name].registers.estimate
        if len(chosen) > 1 and gains(before, after[name]):
            return [_advice(chosen, name, before, after[name])]
        if len(chosen) == _TOGETHER:
            break
    return []


def _saved(before: State, after: State) -> int:
    return before.registers.estimate - after.registers.estimate


def _advice(changes: Sequence[Change], name: str, before: State, after: State) -> Advice:
    less = after.memory_bytes < before.memory_bytes
    steps = []
    for change in changes:
        evidence = measured(change.code, name) if less or change.code not in _ABOUT_MEMORY else None
        cost, arrays = change.cost, after.arrays_in_memory
        if _in_doubt(name, change, after):
            evidence = None  # its pairs are about kernels with one array
            verb = "stays" if arrays == 1 else "stay"
            cost += f"; {count(arrays, 'array')} {verb} in local memory with less L1 cache"
        steps.append(Step(change.kind, change.title, change.line, cost, change.code, evidence))
    return Advice(tuple(steps), before, after, tuple(edit for change in changes for edit in change.edits))


def _in_doubt(name: str, change: Change | Step, after: State) -> bool:
    return change.kind == "array-to-lds" and column_in_doubt(name, after.arrays_in_memory)


def _order(target: str, advice: Advice) -> tuple[float, ...]:
    """Changes that free private memory first, which gained most when measured; then waves; then changes with known
    times; among the others those that keep every result first. Changes that measured slower come last, and so do
    columns of shared memory for which RP403 has no more than information.
    """
    before, after = advice.before, advice.after
    doubtful = any(_in_doubt(target, step, after) for step in advice.steps)
    speeds = [step.evidence.speed_up for step in advice.steps if step.evidence is not None]
    speed = min((speed_up for speed_up in speeds if speed_up is not None), default=1.0)
    return (
        float(speed < _SLOWER or doubtful),
        after.memory_bytes - before.memory_bytes + _WORD * (after.excess - before.excess),
        float(before.waves) - float(after.waves),
        -speed,
        float(any(step.kind == "narrow-type" for step in advice.steps)),
        after.registers.estimate - before.registers.estimate,
        len(advice.steps),
    )
