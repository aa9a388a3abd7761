"""RP702 many-inlined-calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Note, Rule, Severity, Span
from regpress_lint.api.facts import Begun, Inlined, begun, inlined
from regpress_lint.api.syntax import Conditional, If, nodes_of
from regpress_lint.api.targets import amd_targets
from regpress_lint.api.text import count, registers_of, waves
from regpress_lint.api.worth import step_severity, waves_without, with_spare

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_MANY = 16  # bodies: as many as were measured, in any number, to say nothing by themselves
_MOST_OF_IT = 0.5  # share of the kernel's values
_AT_ONCE = 6  # sines that clang begins together, the fewest of the page's pairs that cost more than what they are given
_TRIGONOMETRY = frozenset(("sin", "cos", "tan", "sincos"))  # others that branch leave less, and were not measured
_MOST_NOTES = 4
_ONCE = "one function with `__attribute__((noinline))` around it, or a loop with `#pragma unroll 1`"


class ManyInlinedCalls(Rule):
    """Many copies of the functions that a kernel calls, in a kernel that is short of registers."""

    code = "RP702"
    name = "many-inlined-calls"
    severity = Severity.HINT
    needs = ("calls",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding per kernel."""
        if facts.kernel.function.path not in ("", facts.file.path):
            return
        finding = _together(facts) or (_copied(facts) if facts.wants_hints else None)
        if finding is not None:
            yield finding


# ------------------------------------------------------------------------------------------------- side by side, on AMD


def _together(facts: KernelFacts) -> Finding | None:
    """Routines that clang begins side by side, each of which leaves registers until its result is used."""
    by_target: dict[str, Begun] = {}
    names = {site.call.name.lstrip("_").removesuffix("f") for site in facts.calls}
    for target in amd_targets(facts) if names & _TRIGONOMETRY else ():
        waiting = begun(facts, target)
        if waiting is None or waiting.name not in _TRIGONOMETRY or not _written_out(facts, waiting):
            continue
        if step_severity(facts, target, waiting.registers) > Severity.HINT:
            by_target[target] = waiting
    if not by_target:
        return None
    target, waiting = max(by_target.items(), key=lambda pair: pair[1].registers)
    own = facts.target(target)
    message = (
        f"{len(waiting.nodes)} copies of `{waiting.name}` are started here before the first of them ends: "
        f"{count(waiting.registers, 'register')} are live in between on {target} ({registers_of(own)}, "
        f"{waves(own.occupancy)} per SIMD; without them {count(waves_without(own, waiting.registers), 'wave')})"
    )
    advice = with_spare(facts, by_target, f"write it in the kernel once: {_ONCE}")
    severities = dict.fromkeys(by_target, Severity.INFO)
    return Finding(waiting.nodes[0].span, message, severities, advice, ())


def _written_out(facts: KernelFacts, waiting: Begun) -> bool:
    """True if the source has the calls itself: copies that unrolling makes are RP501's."""
    unrolled = [loop.loop.span for loop in facts.loops if loop.unrolled]
    calls = {node for node in waiting.nodes if not any(span.contains(node.span) for span in unrolled)}
    return len(calls) >= _AT_ONCE and len({_branch(facts, node.span) for node in calls}) == 1


def _branch(facts: KernelFacts, place: Span) -> Span | None:
    """The innermost branch around a place: calls on conditions of their own are not begun together."""
    spans: list[Span] = []
    for node in nodes_of(facts.kernel.function):
        if isinstance(node, (If, Conditional)):
            spans += [expr.span for expr in (node.then, node.other) if expr is not None and expr.span.contains(place)]
    return max(spans, key=lambda span: span.start, default=None)


# ---------------------------------------------------------------------------------------------------------- in number


def _copied(facts: KernelFacts) -> Finding | None:
    """A kernel that is mostly copies, on the targets where registers hold its waves down."""
    copied = {target: inlined(facts, target) for target in facts.targets if _is_short(facts, target)}
    many = {name: each for name, each in copied.items() if each.copies >= _MANY and each.share >= _MOST_OF_IT}
    return _counted(facts, many) if many else None


def _is_short(facts: KernelFacts, target: str) -> bool:
    """True if registers hold the waves down somewhere in the band, or may not suffice."""
    estimate = facts.target(target)
    return estimate.registers.high > estimate.budget or estimate.worst.waves < estimate.without_registers.waves


def _counted(facts: KernelFacts, by_target: Mapping[str, Inlined]) -> Finding:
    target, copied = max(by_target.items(), key=lambda pair: pair[1].copies)
    first, *others = copied.calls
    message = (
        f"{copied.copies} function bodies are inlined into the kernel and are {copied.share:.0%} of its "
        f"{copied.values:,} values; {first.copies} of them by this call ({count(first.values, 'value')}, most of "
        f"`{first.name}`); on {target} {registers_of(facts.target(target))}"
    )
    advice = (
        "the number alone was measured to say nothing: `regpress-lint pressure` shows where the kernel is widest; a "
        "body that needs many registers while little is live around it gains from `__attribute__((noinline))`, one "
        "that takes arrays or structures loses"
    )
    notes = tuple(
        Note(call.node.span, f"`{call.name}`: {call.copies} and {count(call.values, 'value')}")
        for call in others[:_MOST_NOTES]
    )
    severities = dict.fromkeys(by_target, Severity.HINT)
    return Finding(first.node.span, message, severities, advice, notes)
