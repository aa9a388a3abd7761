"""`kernels --advise [KERNEL]`: each kernel on each of its architectures, and the changes that would help it there,
tried in memory; nothing is written. As text, and as JSON, version 1 (`schemas/advice.v1.schema.json`).
"""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from regpress_lint.cli.context import complain, run_context
from regpress_lint.cli.inputs import asked
from regpress_lint.cli.parser import output_is_json, write_json
from regpress_lint.cli.progress import Progress
from regpress_lint.commands.kernels.output import limiters, short
from regpress_lint.core.errors import UsageError, suggestion
from regpress_lint.core.named import NamedTuple
from regpress_lint.lint.advice.ranking import file_advice
from regpress_lint.lint.analysis import Skipped, analyse
from regpress_lint.lint.work import Work
from regpress_lint.render.terminal import visible, wrap
from regpress_lint.targets.vocabulary import in_words_of, vendor_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator

    from regpress_lint.core.settings import Settings
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.lint.advice.advice_data import Advice, KernelAdvice, Measured, State, Step, TargetAdvice


def document(kernels: Iterable[KernelAdvice]) -> dict[str, Any]:
    return {"version": 1, "kernels": [_kernel(kernel) for kernel in kernels]}


def _kernel(kernel: KernelAdvice) -> dict[str, Any]:
    targets = {target.target: _target_json(target) for target in kernel.targets}
    return {"path": kernel.path, "line": kernel.line, "name": kernel.name, "targets": targets}


def _target_json(advice: TargetAdvice) -> dict[str, Any]:
    return {
        "now": state_json(advice.now),
        "max_waves_per_simd": advice.max_waves,
        "limiters": list(advice.limiters),
        "next_registers": advice.next_registers,
        "tried": advice.tried,
        "reason": advice.reason or None,
        "advice": list(map(_advice_json, advice.advice)),
    }


def _advice_json(advice: Advice) -> dict[str, Any]:
    low, estimate, high = advice.gained
    return {
        "steps": list(map(_step, advice.steps)),
        "registers_gained": {"low": low, "estimate": estimate, "high": high},
        "after": state_json(advice.after),
    }


def _step(step: Step) -> dict[str, Any]:
    evidence = None if step.evidence is None else step.evidence._asdict()
    return {**step._asdict(), "code": step.code or None, "evidence": evidence}


def state_json(state: State) -> dict[str, Any]:
    """A kernel before or after a change."""
    return {
        "registers": state.registers._asdict(),
        "budget": state.budget,
        "memory_bytes": state.memory_bytes,
        "waves_per_simd": state.waves,
        "waves_per_simd_at_ends": [state.waves_low, state.waves_high],
        "lds_bytes": state.lds_bytes,
        "operations": state.operations,
        "excess": state.excess,
    }


_MOST_NAMED = 12  # kernels
_BIGGER, _SMALLER = 1.25, 0.8  # operations after and before: code is said to grow or shrink beyond that


def lines(kernels: Iterable[KernelAdvice], width: int, *, all_of_them: bool = True) -> Iterator[str]:
    """All of it, without line ends; else kernels without advice by their names alone."""
    advised_kernels = list(kernels)
    shown = [kernel for kernel in advised_kernels if all_of_them or any(target.advice for target in kernel.targets)]
    yield from _in_full(shown, width)
    if silent := [visible(kernel.name) for kernel in advised_kernels if kernel not in shown]:
        more = [f"{len(silent) - _MOST_NAMED} more"] if len(silent) > _MOST_NAMED else []
        names = ", ".join([*silent[:_MOST_NAMED], *more])
        yield from ("",) if shown else ()
        yield from wrap(f"Nothing to advise for {names}: `--advise KERNEL` says why.", width)


def _in_full(kernels: Iterable[KernelAdvice], width: int) -> Iterator[str]:
    for number, kernel in enumerate(kernels):
        if number:
            yield ""
        yield f"{visible(kernel.name)}  {visible(f'{kernel.path}:{kernel.line}')}"
        for target in kernel.targets:
            for line, indent in _target(target):
                say = partial(in_words_of, vendor_of((target.target,)))
                yield from wrap(f"{' ' * indent}{visible(say(line))}", width, indent=" " * (indent + 3))


def sentences(advice: TargetAdvice) -> Iterator[str]:
    """Each piece of advice for an architecture as one text, in its vendor's words; the reason where there is none."""
    say = partial(in_words_of, vendor_of((advice.target,)))
    for proposal in advice.advice:
        steps = "; and ".join(f"line {step.line}: {step.title}" for step in proposal.steps)
        _, *rest = (line for line, _ in _advice(1, proposal) if not line.startswith("and line "))
        yield say(f"{steps}. {' '.join(f'{(line[:1].upper() + line[1:])}.' for line in rest)}")
    if not advice.advice and advice.reason:
        yield say(f"Nothing: {advice.reason}.")


def _target(advice: TargetAdvice) -> Iterator[tuple[str, int]]:
    """Lines with their indent."""
    now = advice.now
    held = f", limited by {limiters(advice.limiters)}" if advice.limiters else ""
    step = f"; the next step is at {advice.next_registers} registers" if advice.next_registers else ""
    yield (
        (
            f"{advice.target}: {_registers(now)} registers{_memory(now)}, {_waves(now)} of {advice.max_waves} "
            f"waves/SIMD{held}{step}"
        ),
        2,
    )
    if not advice.advice:
        yield advice.reason, 4
    for number, advised in enumerate(advice.advice, 1):
        yield from _advice(number, advised)


def _advice(number: int, advice: Advice) -> Iterator[tuple[str, int]]:
    first, *others = advice.steps
    yield f"{number}. line {first.line}: {first.title}", 4
    for step in others:
        yield f"and line {step.line}: {step.title}", 7
    yield _result_text(advice), 7
    costs = dict.fromkeys(step.cost for step in advice.steps)
    yield f"costs {'; '.join((*costs, *_price(advice.before, advice.after)))}", 7
    for evidence in dict.fromkeys(step.evidence for step in advice.steps):
        yield f"measured: {_measured(evidence)}", 7


def _result_text(advice: Advice) -> str:
    before, after = advice.before, advice.after
    low, middle, high = advice.gained
    change = f"{middle} fewer, {low} to {high}" if middle >= 0 else f"{-middle} more, {-high} to {-low}"
    if after.registers.high >= before.registers.low and after.registers.low <= before.registers.high:
        change = f"{change.partition(',')[0]} by the estimate, whose bands overlap"  # a compiler may show none of it
    parts = [f"{before.registers.estimate} -> {_registers(after)} registers ({change})"]
    if before.excess:
        parts.append(f"{before.excess} -> {after.excess} beyond what a thread may have")
    if before.memory_bytes or after.memory_bytes:
        parts.append(f"{before.memory_bytes} -> {after.memory} bytes of private memory")
    parts.append(f"{short(before.waves)} -> {short(after.waves)} waves/SIMD")
    return ", ".join(parts)


def _price(before: State, after: State) -> Iterator[str]:
    """The part of the price that the estimate itself shows."""
    if after.lds_bytes != before.lds_bytes:
        yield f"LDS {before.lds_bytes} -> {after.lds_bytes} bytes per block"
    if before.operations and not _SMALLER <= after.operations / before.operations <= _BIGGER:
        yield f"code: {before.operations} -> {after.operations} operations"


def _measured(measured: Measured | None) -> str:
    if measured is None:
        return "no pair of ours is about this; the estimate alone says so"
    text = f"{measured.code}, {measured.gained} of {measured.pairs} pairs gained on {measured.target}"
    if measured.speed_up is None:
        return text
    median = "their median" if measured.speed_up >= 1 else "but their median was slower,"
    return f"{text}, {median} {measured.speed_up:g} x as fast ({measured.gpu})"


def _registers(state: State) -> str:
    low, estimate, high = state.registers
    return f"{estimate} ({low}-{high})"


def _waves(state: State) -> str:
    """With those at the ends of the band, where they differ."""
    ends = sorted((state.waves_low, state.waves_high))
    return short(state.waves) + (f" ({short(ends[0])}-{short(ends[1])})" if ends[0] != ends[1] else "")


def _memory(state: State) -> str:
    return f", {state.memory_bytes} bytes of private memory" if state.memory_bytes else ""


class Advised(NamedTuple):
    """The result for one file: advice for its kernels, the names of all of them, and messages about the file."""

    kernels: tuple[KernelAdvice, ...] = ()
    names: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `kernels --advise`: 0, or 2 if something could not be read or analysed. Raises UsageError."""
    as_json = output_is_json(arguments)
    for name in ("sort", "top"):
        if getattr(arguments, name) is not None:
            raise UsageError(f"--advise and --{name} cannot be combined")
    kernel = _kernel_and_paths(arguments)
    context = run_context(arguments)
    alone = len(arguments.paths) == 1 and os.path.isfile(arguments.paths[0])
    parts, problems, _ = asked(arguments, context, Work("advise", partial(_ask, kernel, alone), Advised))
    _known(kernel, parts)
    kernels = sorted((advice for part in parts for advice in part.kernels), key=lambda advice: advice.path)
    _write(kernels, as_json=as_json, all_of_them=bool(kernel) or len(kernels) == 1)
    complain((line for part in parts for line in part.warnings), "warning")
    problems += [line for part in parts for line in part.problems]
    complain(problems)
    return 2 if problems else 0


def _kernel_and_paths(arguments: argparse.Namespace) -> str:
    """The requested kernel; an argument that is a path rather than a name is one of the paths."""
    argument: str = arguments.advise
    if argument and os.path.exists(argument):
        arguments.paths = [argument, *arguments.paths]
        return ""
    if not arguments.paths:
        raise UsageError("kernels: the following arguments are required: PATH")
    return argument


def _known(kernel: str, parts: Iterable[Advised]) -> None:
    """Raises UsageError for a kernel that no file has."""
    names = tuple(dict.fromkeys(name for part in parts for name in part.names))
    if kernel and kernel not in names:
        raise UsageError(f'--advise: no kernel and no path "{kernel}"{suggestion(kernel, names)}')


def _write(kernels: list[KernelAdvice], *, as_json: bool, all_of_them: bool) -> None:
    if as_json:
        write_json(document(kernels))
    elif kernels:
        from regpress_lint.render.terminal import DEFAULT_WIDTH, line_width

        width = line_width(sys.stdout, os.environ) or DEFAULT_WIDTH
        print("\n".join(lines(kernels, width, all_of_them=all_of_them)))


def _ask(
    kernel: str, alone: bool, data: bytes, path: str, settings: Settings, project: Callable[[], Project]
) -> Advised:
    """alone: the one file of a run, which says how far it is."""
    analysis = analyse(data, path, settings, project)
    if isinstance(analysis, Skipped):
        return Advised(warnings=(analysis.warning,) if analysis.warning else ())
    names = analysis.attempt("parsing", lambda: tuple(kernel.name for kernel in analysis.file.kernels))
    advice = None
    if names:
        wanted = sum(kernel in ("", name) for name in names)
        with Progress(sys.stderr, wanted, wanted=alone, of="kernels") as shown:

            def tell(kernels: int, changes: int) -> None:
                shown(kernels, f", {changes} changes tried")

            advice = analysis.attempt("trying changes", lambda: tuple(file_advice(analysis, kernel, tell)))
    problems = tuple(f"{path}: internal error: {failure.reason}" for failure in analysis.failures)
    return Advised(advice or (), names or (), problems)
