"""RP602 large-by-value-argument."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.api import Finding, KernelFacts, Rule, Severity, Span
from regpress_lint.api.report import place
from regpress_lint.api.targets import architecture, gpu
from regpress_lint.api.text import count, sub_group

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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


class _Said(NamedTuple):
    """What holds on a target; of a hint the place where the argument is read from."""

    severity: Severity
    text: str


class LargeByValueArgument(Rule):
    """A large structure as an argument: the limits of what may be handed to a kernel, and what it costs today."""

    code = "RP602"
    name = "large-by-value-argument"
    severity = Severity.HINT
    needs = ("kernel.function.parameters", "kernel.function.captures")

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding a kernel, at its largest argument."""
        function = facts.kernel.function
        arguments = (*function.parameters, *function.captures)
        large = max((each for each in arguments if _by_value(each)), key=_bytes, default=None)
        if large is None or _bytes(large) < _LARGE:
            return
        total = sum(map(_bytes, arguments))
        asked = {target: _said(facts, target, large, total) for target in facts.targets}
        said = {target: one for target, one in asked.items() if one is not None}
        if any(facts.wants_hints or one.severity > Severity.HINT for one in said.values()):
            yield _finding(facts, large, said)


def _by_value(variable: Variable) -> bool:
    type_ = variable.type
    return type_.struct and not type_.pointers and not type_.reference and not variable.dims


def _bytes(variable: Variable) -> int:
    """Bytes of an argument, at least: of a type that is not in view, none."""
    return 8 if variable.type.pointers or variable.dims else variable.type.size or 0


def _said(facts: KernelFacts, target: str, large: Variable, total: int) -> _Said | None:
    """What there is to say of the arguments on a target."""
    limit = _limit(facts, target, total)
    if limit is not None:
        over = f"{count(total, 'byte')} of arguments, and {limit.whose} takes {limit.bytes:,} on {target}"
        return _Said(limit.severity, over)
    on = gpu(target)
    if on.is_intel:
        own = facts.target(target)
        lanes = facts.kernel.sub_group_size or architecture(target).default_wave_size
        taken = _bytes(large) // (4 * lanes)
        needed = max(own.registers.estimate, 1) + taken
        if own.registers.low + taken > own.budget or needed > own.budget:
            text = (
                f"it lies in the registers of each hardware thread, {count(taken, 'register')} a work-item"
                f"{sub_group(facts, architecture(target))} beside an estimate of {own.registers.estimate} of "
                f"{own.budget} on {target}"
            )
            return _Said(Severity.INFO, text)
    if large in facts.modified:
        return None
    where = "scalar registers" if on.is_amd else "the payload of a thread" if on.is_intel else "constant memory"
    return _Said(Severity.HINT, where)


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


def _finding(facts: KernelFacts, large: Variable, said: Mapping[str, _Said]) -> Finding:
    start = large.span.start  # of what a lambda captures the span is all of the lambda
    span = Span(start, start + 1) if large.storage == "capture" else large.span
    where = place(facts, span, facts.kernel.function.path, "the argument")
    what = f"by-value argument `{large.name}` ({large.type.name}, {count(_bytes(large), 'byte')})"
    loud = [target for target, one in said.items() if one.severity > Severity.HINT]
    texts = dict.fromkeys(said[target].text for target in loud or said)
    if not loud:
        message = f"{what} is read from {' or '.join(texts)}: by value it takes no registers of its own, through "
        message += "a pointer it does"
        advice = "leave it, and declare it `const`: what is written needs a copy in every thread (RP601)"
    else:
        message = f"{what}: {'; '.join(texts)}"
        advice = f"copy it to memory of the device and hand over a pointer to `const {large.type.name}`"
        if not any(gpu(target).is_intel for target in loud):
            advice += ", or put it into `__constant__` memory"
    severities = {target: one.severity for target, one in said.items()}
    return Finding(where.span, message, severities, advice, where.notes, None, facts.kernel.name)
