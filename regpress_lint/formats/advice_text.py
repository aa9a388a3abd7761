"""`kernels --advise` for a terminal: a kernel, each of its architectures, and what would help it there."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.formats.kernels_text import limiters
from regpress_lint.formats.terminal import visible, wrap
from regpress_lint.targets.vocabulary import in_words_of, vendor_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from regpress_lint.lint.advice.advice_data import Advice, KernelAdvice, Measured, State, TargetAdvice

_BIGGER, _SMALLER = 1.25, 0.8  # operations after and before: code is said to grow or shrink beyond that


def lines(kernels: Iterable[KernelAdvice], width: int) -> Iterator[str]:
    """All of it, without line ends."""
    for number, kernel in enumerate(kernels):
        if number:
            yield ""
        yield f"{visible(kernel.name)}  {visible(f'{kernel.path}:{kernel.line}')}"
        for target in kernel.targets:
            for line, indent in _target(target):
                say = partial(in_words_of, vendor_of((target.target,)))
                yield from wrap(f"{' ' * indent}{visible(say(line))}", width, indent=" " * (indent + 3))


def sentences(found: TargetAdvice) -> Iterator[str]:
    """Each piece of advice for an architecture as one text, in its vendor's words; the reason where there is none."""
    say = partial(in_words_of, vendor_of((found.target,)))
    for each in found.advice:
        made = "; and ".join(f"line {step.line}: {step.title}" for step in each.steps)
        _, *rest = (line for line, _ in _advice(1, each) if not line.startswith("and line "))
        yield say(f"{made}. {' '.join(f'{_capital(line)}.' for line in rest)}")
    if not found.advice and found.reason:
        yield say(f"Nothing: {found.reason}.")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _target(found: TargetAdvice) -> Iterator[tuple[str, int]]:
    """Lines with their indent."""
    now = found.now
    held = f", limited by {limiters(found.limiters)}" if found.limiters else ""
    step = f"; the next step is at {found.next_registers} registers" if found.next_registers else ""
    yield (
        (
            f"{found.target}: {_registers(now)} registers{_memory(now)}, {_short(now.waves)} of {found.max_waves} "
            f"waves/SIMD{held}{step}"
        ),
        2,
    )
    if not found.advice:
        yield found.reason, 4
    for number, each in enumerate(found.advice, 1):
        yield from _advice(number, each)


def _advice(number: int, found: Advice) -> Iterator[tuple[str, int]]:
    first, *others = found.steps
    yield f"{number}. line {first.line}: {first.title}", 4
    for step in others:
        yield f"and line {step.line}: {step.title}", 7
    yield _result(found), 7
    costs = dict.fromkeys(step.cost for step in found.steps)
    yield f"costs {'; '.join((*costs, *_price(found.before, found.after)))}", 7
    for evidence in dict.fromkeys(step.evidence for step in found.steps):
        yield f"measured: {_measured(evidence)}", 7


def _result(found: Advice) -> str:
    before, after = found.before, found.after
    low, middle, high = found.gained
    change = f"{middle} fewer, {low} to {high}" if middle >= 0 else f"{-middle} more, {-high} to {-low}"
    if after.registers.high >= before.registers.low and after.registers.low <= before.registers.high:
        change = f"{change.partition(',')[0]} by the estimate, whose bands overlap"  # a compiler may show none of it
    parts = [f"{before.registers.estimate} -> {_registers(after)} registers ({change})"]
    if before.excess:
        parts.append(f"{before.excess} -> {after.excess} beyond what a thread may have")
    if before.memory_bytes or after.memory_bytes:
        parts.append(f"{before.memory_bytes} -> {after.memory_bytes} bytes of private memory")
    parts.append(f"{_short(before.waves)} -> {_short(after.waves)} waves/SIMD")
    return ", ".join(parts)


def _price(before: State, after: State) -> Iterator[str]:
    """The part of the price that the estimate itself shows."""
    if after.lds_bytes != before.lds_bytes:
        yield f"LDS {before.lds_bytes} -> {after.lds_bytes} bytes a block"
    if before.operations and not _SMALLER <= after.operations / before.operations <= _BIGGER:
        yield f"code: {before.operations} -> {after.operations} operations"


def _measured(found: Measured | None) -> str:
    if found is None:
        return "no pair of ours is about this; the estimate alone says so"
    text = f"{found.code}, {found.gained} of {found.pairs} pairs gained on {found.target}"
    return text if found.speed_up is None else f"{text}, {found.speed_up:g} x as fast in the middle ({found.gpu})"


def _registers(state: State) -> str:
    low, estimate, high = state.registers
    return f"{estimate} ({low}-{high})"


def _memory(state: State) -> str:
    return f", {state.memory_bytes} bytes of private memory" if state.memory_bytes else ""


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
