"""RP501 unbounded-unroll: which pragmas that unroll cost registers, without a factor and with one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, NamedTuple, Note, Rule, Severity, Span, Trial
from regpress_lint.api.facts import call_size, indexes_array
from regpress_lint.api.math import is_fp64_transcendental
from regpress_lint.api.memory import is_load, memory_root, written
from regpress_lint.api.syntax import (
    Assign,
    Call,
    Index,
    Member,
    Name,
    Unary,
    depends_on,
    evaluate_int,
    expression_type,
    names_in,
    walk,
)
from regpress_lint.api.targets import amd_and_nvidia_targets, amd_targets, habits, is_gfx9, occupancy
from regpress_lint.api.text import listing, one_line
from regpress_lint.api.worth import step_severity, unless_spare, with_spare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api.facts import LoopFacts

_FEW = 8  # factors and trip counts below this multiply little
_NESTED = 256
_CLANG_FACTOR = 8  # what clang makes of an unbounded pragma on a loop of unknown length
_BOUNDED, _FEWEST = 4, 2
_WORTH = 16  # registers that copies of math functions hold, to be worth a word
_SMALL_BODY = 40  # instructions of a body of which clang makes all the copies (those measured have 20 to 32)
_HEAVY_GROWTH = {8: 28, 16: 100, 32: 244}  # VGPRs that so many copies of exp and sin add where they have the room
# VGPRs that 16 x 16 copies add at least, and how many loads a copy must have for that (RP501's page).
_NESTED_GROWTH, _SEVERAL = 25, 2
_UNKNOWN_GROWTH = 34  # VGPRs that the pragma adds to a loop over floats; 48 over doubles (RP501's page)
# Copies of one load from which clang no longer keeps them all on gfx9; VGPRs that copies add at most (RP501's page).
_GIVES_UP, _MOST_GROWTH, _SEVERAL_RDNA, _WIDE_RDNA = 32, 100, 65, 18
_OUTPUT = frozenset(("printf", "assert", "__assert_fail"))


class _Case(NamedTuple):
    """One of the three conditions, with its message and its targets."""

    reason: str
    advice: str
    severities: dict[str, Severity]
    bounded: bool = False
    inner: tuple[LoopFacts, ...] = ()
    cost: str = ""


class UnboundedUnroll(Rule):
    """`#pragma unroll` without a bound, or with a factor that makes more copies than registers can feed."""

    code = "RP501"
    name = "unbounded-unroll"
    vendors = ("amd", "nvidia")
    needs = ("loops",)
    many_blocks = True
    prices_fixes = True
    hint_without_step = ("amd", "nvidia")

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding per outermost pragma, at its `#`."""
        if facts.kernel.function.path not in ("", facts.file.path) or not amd_and_nvidia_targets(facts):
            return
        # What the text says first: without such a loop the kernel need not be executed.
        described = (loop for loop in facts.source.loops if _unbounded(facts, loop))
        asked = {loop.loop for loop in described if not indexes_array(facts, loop)}
        covered: set[LoopFacts] = set()
        for loop in facts.loops if asked else ():
            if loop in covered or loop.loop not in asked:
                continue
            case = _nested(facts, loop) or _heavy(facts, loop) or _single(facts, loop) or _unknown(facts, loop)
            if case is None or not case.severities:
                continue
            covered.update(case.inner)
            yield _finding(facts, loop, case)


def _finding(facts: KernelFacts, loop: LoopFacts, case: _Case) -> Finding:
    unroll = loop.loop.unroll
    assert unroll is not None
    notes = [Note(inner.loop.span._replace(end=inner.loop.span.start + 3), "unrolled too") for inner in case.inner]
    fix = _fix(facts, loop) if case.bounded else None
    advice = with_spare(facts, case.severities, case.advice)
    by_two = _fix(facts, loop, _FEWEST) if case.cost else None
    trial = Trial(f"unrolled by {_FEWEST}", by_two.edits) if by_two is not None else None
    return Finding(unroll.span, case.reason, case.severities, advice, tuple(notes), fix, cost=case.cost, trial=trial)


def _unbounded(facts: KernelFacts, loop: LoopFacts) -> bool:
    unroll = loop.loop.unroll
    if unroll is None or unroll.factor is None:
        return unroll is not None
    factor = _factor(facts, loop)
    return factor is not None and factor >= _FEW


def _factor(facts: KernelFacts, loop: LoopFacts) -> int | None:
    """The factor of a loop's pragma, as a number; None if there is none, or it is unknown."""
    unroll = loop.loop.unroll
    if unroll is None or unroll.factor is None:
        return None
    return evaluate_int(unroll.factor, facts.source.environment)


# ------------------------------------------------------------------------------------------- a: unknown trip count


def _unknown(facts: KernelFacts, loop: LoopFacts) -> _Case | None:
    if loop.trip_count is not None or loop.counter is None or not _loads(loop):
        return None
    name = _run_time_name(facts, loop)
    if name is None or _aliasing_store(loop):
        return None
    severities = {target: _headroom(facts, target, _growth(facts, target, loop)) for target in amd_targets(facts)}
    if _size(facts, loop) > _SMALL_BODY:  # clang makes fewer copies of it, or none
        severities = dict.fromkeys(severities, Severity.HINT)
    pragma = loop.loop.unroll
    factor = _factor(facts, loop) if pragma is not None and pragma.factor is not None else _CLANG_FACTOR
    reason = (
        f"`{_pragma(facts, loop)}` on a loop whose trip count depends on `{name}`: clang makes {factor} copies of the "
        "body and holds their loads at the same time"
    )
    return _Case(reason, f"write the factor: `#pragma unroll {_BOUNDED}`", severities, bounded=True)


def _size(facts: KernelFacts, loop: LoopFacts) -> int:
    """Instructions of the body, with the math functions that macros in it call."""
    size = loop.cost
    for node in walk(loop.loop.body):
        expansion = None
        if isinstance(node, Call) and isinstance(node.callee, Name) and facts.callee_of(node) is None:
            expansion = facts.file.expansion(node.name, len(node.args), {}, (), None)
        if expansion is not None:
            inner = (expr for expr in walk(expansion.body) if isinstance(expr, Call))
            size += sum(call_size(call.name) for call in inner)
    return size


def _growth(facts: KernelFacts, target: str, loop: LoopFacts) -> int:
    """VGPRs that the copies of a loop of unknown length add, after the measurements on RP501's page."""
    factor = _factor(facts, loop)
    if factor is None:
        return _UNKNOWN_GROWTH
    several, wide = sum(is_load(node) for node in walk(loop.loop.body)) > 1, _loads_wide(facts, loop)
    if is_gfx9(target):
        if several:
            return min(3 * factor, _MOST_GROWTH)
        return 0 if factor >= _GIVES_UP else (4 if wide else 3) * factor
    if several:
        return min(4 * factor, _SEVERAL_RDNA)
    return _WIDE_RDNA if wide else min(factor, _MOST_GROWTH)


def _headroom(facts: KernelFacts, target: str, growth: int) -> Severity:
    """A hint while the copies fit below the next step of the occupancy, information beyond it."""
    estimate = facts.target(target)
    grown = min(estimate.registers.estimate + growth, estimate.budget)
    waves = occupancy(estimate.architecture, estimate.use(grown)).waves
    return Severity.INFO if waves < estimate.occupancy.waves else Severity.HINT


def _run_time_name(facts: KernelFacts, loop: LoopFacts) -> str | None:
    """The name that makes the trip count a run-time value; None if that is not for certain (a template parameter, a
    macro)."""
    counter = loop.counter
    step = loop.loop.step
    amount = step.value if isinstance(step, Assign) else None
    first = counter.init if counter is not None else None
    unknown: str | None = None
    for part in (loop.loop.test, first, amount):
        for name in names_in(part):
            if name.variable is counter or evaluate_int(name, facts.source.environment) is not None:
                continue
            if name.variable is None:
                if name.name not in ("threadIdx", "blockIdx", "blockDim", "gridDim", "threadIdx.x"):
                    return None
                unknown = unknown or name.name
            elif name.variable.storage in ("local", "parameter", "capture", "shared"):
                unknown = unknown or name.name
            else:
                return None
    return unknown


def _loads(loop: LoopFacts) -> bool:
    return any(is_load(node) for node in walk(loop.loop.body))


def _loads_wide(facts: KernelFacts, loop: LoopFacts) -> bool:
    """True if the body loads an element of 64 bits, as far as the source shows the type."""
    loads = (node for node in walk(loop.loop.body) if isinstance(node, (Unary, Index)) and is_load(node))
    types = (expression_type(node, facts.file.type_of) for node in loads)
    return any(type_ is not None and type_.lanes == 1 and type_.size == 8 for type_ in types)


def _aliasing_store(loop: LoopFacts) -> bool:
    """A store that may change what is loaded keeps the copies in order: the pragma was measured to cost nothing."""
    for node in walk(loop.loop.body):
        target = written(node)
        if isinstance(target, Index) and (root := memory_root(target)) is not None and not root.type.restrict:
            return True
    return False


# --------------------------------------------------------------------------------------------------- b: heavy body


def _heavy(facts: KernelFacts, loop: LoopFacts) -> _Case | None:
    trips = loop.trip_count
    targets = amd_targets(facts)
    if trips is None or trips < _FEW or not targets:
        return None
    factor = _factor(facts, loop)
    copies = min(trips, factor or trips)
    names = list(dict.fromkeys(_heavy_calls(facts, loop)))
    if not names:
        return None
    reason = f"`{_pragma(facts, loop)}` makes {copies} copies of {listing(f'`{name}`' for name in names[:3])} in FP64"
    if all(name in _OUTPUT for name in names):
        reason = reason.removesuffix(" in FP64")
    measured = {8: "+26 VGPRs", 16: "+62 VGPRs and 152 bytes of scratch", 32: "728 bytes of scratch"}
    nearest = max((size for size in measured if size <= copies), default=8)
    cost = f"{nearest} copies of exp and sin were measured to cost {measured[nearest]} on gfx90a"
    severity = Severity.WARNING if copies >= 2 * _FEW else Severity.INFO
    growth = next((growth for most, growth in _HEAVY_GROWTH.items() if copies <= most), None)
    severities = {target: _unless_free(facts, target, growth, severity) for target in targets}
    return _Case(reason, "drop the pragma or unroll by 2", severities, cost=cost)


def _unless_free(facts: KernelFacts, target: str, growth: int | None, severity: Severity) -> Severity:
    """A hint where another resource limits the waves and the copies fit below the step at which registers would."""
    if growth is None:
        return severity
    return unless_spare(facts, target, facts.target(target).registers.estimate + growth, severity)


def _heavy_calls(facts: KernelFacts, loop: LoopFacts) -> Iterator[str]:
    for node in walk(loop.loop.body):
        if not isinstance(node, Call) or isinstance(node.callee, Member):
            continue
        if node.name in _OUTPUT or is_fp64_transcendental(node, facts.file.type_of):
            yield node.name


# ----------------------------------------------------------------------------- d: copies of math in single precision


def _single(facts: KernelFacts, loop: LoopFacts) -> _Case | None:
    """Copies of math functions that the execution works on side by side: what all but one of them hold is what the
    pragma costs.
    """
    trips = loop.trip_count or _factor(facts, loop)
    if trips is None or trips < _FEW or not any(isinstance(node, Call) for node in walk(loop.loop.body)):
        return None
    severities: dict[str, Severity] = {}
    copied, cost, named = 0, 0, ""
    for target in amd_targets(facts):
        peak = facts.peak(target)
        copies, held = peak.copied(loop.loop.span)
        held = min(held, round(facts.target(target).registers.estimate))
        saved = held - held // copies if copies >= _FEW else 0
        # Only where the estimate itself gains: of copies of powf and sqrtf the band is wide, and clang holds few.
        if saved >= _WORTH and step_severity(facts, target, saved) is Severity.WARNING:
            severities[target] = Severity.WARNING if is_gfx9(target) else Severity.INFO
            if saved > cost:
                copied, cost, named = copies, saved, target
    if not severities:
        return None
    reason = (
        f"`{_pragma(facts, loop)}` makes {copied} copies of the body, whose calls are worked on side by side: by the "
        f"estimate all but one of them hold {cost} of {facts.target(named).registers.estimate} registers on {named}"
    )
    return _Case(reason, "write `#pragma unroll 1`, or unroll by 2", severities)


# ------------------------------------------------------------------------------------------------ c: nested unrolling


def _nested(facts: KernelFacts, loop: LoopFacts) -> _Case | None:
    chain = _unrolled_chain(facts, loop)
    copies = 1
    for around in chain:
        assert around.trip_count is not None
        copies *= around.trip_count
    if len(chain) < 2 or copies < _NESTED or not _loads(chain[-1]):
        return None
    if any(indexes_array(facts, inner) for inner in chain):
        return None
    fresh = _fresh_loads(chain)
    severities: dict[str, Severity] = {}
    for target in amd_and_nvidia_targets(facts):
        costs = fresh >= _SEVERAL and habits(target).moves_reads
        severities[target] = _unless_free(facts, target, _NESTED_GROWTH, Severity.INFO if costs else Severity.HINT)
    product = " x ".join(str(around.trip_count) for around in chain)
    reason = f"nested unrolling makes {copies:,} copies of the inner body ({product}), whose loads are live together"
    advice = "unroll only the inner loop, by 4"
    if not fresh:
        reason += ", and values that the outer loop does not change are loaded once"
        advice = f"leave it if time is what counts: rolled up, a kernel with such reuse was 10 x slower; else {advice}"
    return _Case(reason, advice, severities, inner=chain[1:])


def _fresh_loads(chain: tuple[LoopFacts, ...]) -> int:
    """Loads of the innermost body that are another one in every copy; 0 where any is the same in all iterations of an
    outer loop and not of an inner one: those the copies share, and rolled up each is executed again.
    """
    counters = [loop.counter for loop in chain]
    fresh_loads = 0
    for node in walk(chain[-1].loop.body):
        if not isinstance(node, (Unary, Index)) or not is_load(node):
            continue
        moved = [counter is not None and depends_on(node, counter) for counter in counters]
        if any(moved[at] and not all(moved[:at]) for at in range(len(moved))):
            return 0
        fresh_loads += all(moved)
    return fresh_loads


def _unrolled_chain(facts: KernelFacts, loop: LoopFacts) -> tuple[LoopFacts, ...]:
    """The loop and those nested in it that are wholly unrolled by a pragma, the deepest such chain."""
    if loop.trip_count is None or not _whole(facts, loop):
        return ()
    best: tuple[LoopFacts, ...] = ()
    for inner in facts.loops:
        if inner.parent is loop:
            chain = _unrolled_chain(facts, inner)
            if _product(chain) > _product(best):
                best = chain
    return (loop, *best)


def _product(chain: tuple[LoopFacts, ...]) -> int:
    result = 1
    for loop in chain:
        result *= loop.trip_count or 1
    return result if chain else 0


def _whole(facts: KernelFacts, loop: LoopFacts) -> bool:
    unroll, trips = loop.loop.unroll, loop.trip_count
    if unroll is None or trips is None:
        return False
    factor = _factor(facts, loop) if unroll.factor is not None else trips
    return factor is not None and factor >= trips


# -------------------------------------------------------------------------------------------------------- text and fix


def _pragma(facts: KernelFacts, loop: LoopFacts) -> str:
    unroll = loop.loop.unroll
    assert unroll is not None
    return one_line(facts.file.source, unroll.span)[:40]


def _fix(facts: KernelFacts, loop: LoopFacts, factor: int = _BOUNDED) -> Fix | None:
    """The pragma with its factor; only for a pragma that stands as such in the source, not for a macro."""
    unroll = loop.loop.unroll
    assert unroll is not None
    source = facts.file.source
    start = unroll.span.start
    line = source.line_span(source.line_of(start))
    words = source.text(Span(start, line.end)).split()
    pragma = ["#pragma", "unroll"] if words[:1] == ["#pragma"] else ["#", "pragma", "unroll"]
    if words[: len(pragma)] != pragma or len(words) > len(pragma) + 1 or "\\" in source.text(line):
        return None
    if len(words) == len(pragma) + 1 and not words[-1].strip("()").isalnum():
        return None
    end = start + len(source.text(Span(start, line.end)).rstrip().encode())
    new = f"#pragma unroll {factor}"
    return Fix(f"unroll by {factor}", "unsafe", (Edit(Span(start, end), new),))
