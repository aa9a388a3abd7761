"""RP602 large-by-value-argument."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.api import Finding, KernelFacts, Rule, Severity, Span
from regpress_lint.api.report import place
from regpress_lint.api.targets import architecture, gpu
from regpress_lint.api.text import count, sub_group

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api.syntax import Variable

_LARGE = 256  # bytes: 64 of the about 100 scalar registers of a wave
_INTEL = 2048  # ocloc: "Total size of kernel arguments exceeds limit!"
_CUDA, _CUDA_BEFORE_12_1 = 32764, 4096  # ptxas 13.0: "too much parameter space"; the release notes of CUDA 12.1
_VOLTA = 70


class _Limit(NamedTuple):
    """Bytes of arguments that a toolchain takes, whose that is, and how bad it is to have more."""

    bytes: int
    whose: str
    severity: Severity


class LargeByValueArgument(Rule):
    """A large structure as an argument: the limits of what may be handed to a kernel, and what it costs today."""

    code = "RP602"
    name = "large-by-value-argument"
    severity = Severity.HINT
    needs = ("kernel.function.parameters", "kernel.function.objects")

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding a kernel, at its largest argument."""
        function = facts.kernel.function
        arguments = (*function.parameters, *function.captures, *function.objects)
        large = max((each for each in arguments if _by_value(each)), key=_bytes, default=None)
        if large is None or _bytes(large) < _LARGE:
            return
        total = sum(map(_bytes, arguments))
        for severity in (Severity.ERROR, Severity.INFO, Severity.HINT):
            found = {target: _text(facts, target, large, total, severity) for target in facts.targets}
            texts = {target: text for target, text in found.items() if text}
            if texts and (severity > Severity.HINT or facts.wants_hints):
                yield _finding(facts, large, severity, texts)
                return


def _by_value(variable: Variable) -> bool:
    type_ = variable.type
    return type_.struct and not type_.pointers and not type_.reference and not variable.dims


def _bytes(variable: Variable) -> int:
    """Bytes of an argument, at least: of a type that is not in view, none."""
    return 8 if variable.type.pointers or variable.dims else variable.type.size or 0


def _text(facts: KernelFacts, target: str, large: Variable, total: int, severity: Severity) -> str:
    """Why a target has that much against the arguments, or nothing."""
    limit = _limit(facts, target, total)
    if limit is not None:
        over = f"{count(total, 'byte')} of arguments, and {limit.whose} takes {limit.bytes:,} on {target}"
        return over if limit.severity == severity else ""
    on = gpu(target)
    if severity == Severity.INFO and on.is_intel:
        own = facts.target(target)
        lanes = facts.kernel.sub_group_size or architecture(target).default_wave_size
        taken = _bytes(large) // (4 * lanes)
        needed = max(own.registers.estimate, 1) + taken
        if own.registers.low + taken > own.budget or needed > own.budget:
            return (
                f"it lies in the registers of each hardware thread, {count(taken, 'register')} a work-item"
                f"{sub_group(facts, architecture(target))} beside an estimate of {own.registers.estimate} of "
                f"{own.budget} on {target}"
            )
    if severity == Severity.HINT and large not in facts.modified:
        return "scalar registers" if on.is_amd else "the payload of a thread" if on.is_intel else "constant memory"
    return ""


def _limit(facts: KernelFacts, target: str, total: int) -> _Limit | None:
    """The limit that is exceeded. clang for AMD was seen to take 2 MB."""
    on = gpu(target)
    if on.is_intel:
        return _Limit(_INTEL, "Intel's compiler", Severity.ERROR) if total > _INTEL else None
    if on.is_amd or total <= _CUDA_BEFORE_12_1:
        return None
    if total > _CUDA or int("".join(filter(str.isdigit, target)) or 0) < _VOLTA:
        most = _CUDA if total > _CUDA else _CUDA_BEFORE_12_1
        return _Limit(most, "CUDA", Severity.ERROR)
    return _Limit(_CUDA_BEFORE_12_1, "CUDA before 12.1", Severity.INFO)


def _finding(facts: KernelFacts, large: Variable, severity: Severity, texts: dict[str, str]) -> Finding:
    start = large.span.start  # of what a lambda captures the span is all of the lambda
    span = Span(start, start + 1) if large.storage == "capture" else large.span
    where = place(facts, span, facts.kernel.function.path, "the argument")
    what = f"by-value argument `{large.name}` ({large.type.name}, {count(_bytes(large), 'byte')})"
    text = next(iter(texts.values()))
    if severity == Severity.HINT:
        places = " or ".join(dict.fromkeys(texts.values()))
        message = f"{what} is read from {places}: by value it takes no registers of its own, behind a pointer it does"
        advice = "leave it, and declare it `const`: what is written needs a copy in every thread (RP601)"
    else:
        message = f"{what}: {text}"
        advice = f"copy it to memory of the device and hand over a pointer to `const {large.type.name}`"
        if not any(gpu(target).is_intel for target in texts):
            advice += ", or put it into `__constant__` memory"
    return Finding(where.span, message, dict.fromkeys(texts, severity), advice, where.notes, None, facts.kernel.name)
