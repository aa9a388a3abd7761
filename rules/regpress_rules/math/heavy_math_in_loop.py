"""RP203 heavy-math-in-loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, KernelFacts, NamedTuple, Note, Rule, Severity, Span, Trial
from regpress_lint.api.effects import reads_of, writes_of
from regpress_lint.api.facts import bounds_declared
from regpress_lint.api.math import is_fp64_transcendental, small_exponent
from regpress_lint.api.preprocessor import in_macro
from regpress_lint.api.report import place
from regpress_lint.api.syntax import Name
from regpress_lint.api.targets import gpu, register_cap
from regpress_lint.api.text import count, listing
from regpress_lint.api.worth import small_grid, step_severity, waves_without, with_spare

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.api.facts import CallSite, LoopFacts, TargetFacts
    from regpress_lint.api.syntax import Call, Function


class _Price(NamedTuple):
    """VGPRs on gfx90a that a call in a loop holds through it, and those that are saved when it is not inlined."""

    held: int
    saved: int


# clang 19.1.7, the middle of the three columns of the page, less the loop without a call (22, 20 and 62 VGPRs).
_PRICES = {
    **dict.fromkeys(("exp", "exp2", "exp10"), _Price(34, 20)),
    "expm1": _Price(40, 30),
    **dict.fromkeys(("log", "log2", "log10"), _Price(38, 20)),
    "log1p": _Price(40, 18),
    **dict.fromkeys(("sin", "cos", "sincos"), _Price(42, 22)),
    **dict.fromkeys(("sinpi", "cospi"), _Price(41, 30)),
    "tan": _Price(50, 30),
    "pow": _Price(60, 36),
    **dict.fromkeys(("sinh", "cosh", "tanh"), _Price(41, 19)),
    **dict.fromkeys(("asinh", "acosh", "atanh"), _Price(40, 18)),
    **dict.fromkeys(("asin", "acos"), _Price(38, 22)),
    **dict.fromkeys(("atan", "atan2"), _Price(50, 40)),
    "erf": _Price(54, 44),
    "erfc": _Price(78, 64),
    "tgamma": _Price(160, 100),
    **dict.fromkeys(("j0", "j1"), _Price(78, 54)),
}

# A kernel that spills much more than the routine holds goes on to spill: one of three such kernels gained nothing.
_PART = 0.25
_MOST_NAMES = 3


class _Heavy(NamedTuple):
    site: CallSite
    loop: LoopFacts
    loop_path: str
    price: _Price


class HeavyMathInLoop(Rule):
    """A double-precision math routine in a loop, whose constants fill vector registers on gfx9."""

    code = "RP203"
    name = "heavy-math-in-loop"
    vendors = ("amd",)
    needs = ("calls",)
    many_blocks = True
    prices_fixes = True
    hint_without_step = ("amd",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding per kernel."""
        targets = [target for target in facts.targets if gpu(target).is_gfx9]
        if not targets or not any(site.call.name in _PRICES for site in facts.calls):
            return
        if heavy := _heavy_calls(facts):
            yield _finding(facts, targets, heavy)


def _heavy_calls(facts: KernelFacts) -> list[_Heavy]:
    """Calls that hold constants through a loop, in the order of a walk over the call graph."""
    around: dict[Function, tuple[LoopFacts, str]] = {}  # a loop in which a device function is called
    outlined: set[Function] = set()
    heavy_calls: list[_Heavy] = []
    for site in facts.calls:
        rolled = next((loop for loop in reversed(site.loops) if not loop.unrolled), None)
        loop = (rolled, site.path) if rolled is not None else around.get(site.function)
        if (target := facts.callee_of(site.call)) is not None:
            if loop is not None:
                around.setdefault(target, loop)
            if "noinline" in target.qualifiers or site.function in outlined:
                outlined.add(target)
        elif loop is not None and site.function not in outlined and _is_heavy(facts, site, rolled):
            heavy_calls.append(_Heavy(site, *loop, _PRICES[site.call.name]))
    return heavy_calls


def _is_heavy(facts: KernelFacts, site: CallSite, rolled: LoopFacts | None) -> bool:
    call = site.call
    if call.name not in _PRICES or not is_fp64_transcendental(call, facts.file.type_of):
        return False
    if call.name == "pow" and small_exponent(call, facts.source.environment) is not None:
        return False  # RP201 speaks about it
    return rolled is None or _changes(facts, call, rolled)


def _changes(facts: KernelFacts, call: Call, loop: LoopFacts) -> bool:
    """False if no argument has another value in another iteration: clang then makes the call before the loop."""
    arguments = call.args[:1] if call.name == "sincos" else call.args
    reads = [reads_of(argument) for argument in arguments]
    written = writes_of(facts, loop.loop)
    return any(read is None or written._replace(leaves=False).touch(read) for read in reads)


# ------------------------------------------------------------------------------------------------------------ report


def _finding(facts: KernelFacts, targets: Sequence[str], heavy: Sequence[_Heavy]) -> Finding:
    families: dict[str, _Heavy] = {}
    for call in heavy:
        families.setdefault(call.site.call.name, call)
    ordered = sorted(families.values(), key=lambda call: -call.price.held)
    worst = ordered[0]
    trial = _in_float(facts, heavy)
    severities = {target: _severity(facts, target, worst.price, tried=trial is not None) for target in targets}
    gained = {target: _if_gained(facts, target) for target in targets}
    line = _line(facts, worst)
    called = f"`{worst.site.call.name}` in double precision is called in the loop{line}"
    where = place(facts, worst.site.call.span, worst.site.path, called)
    more = ""
    if len(ordered) > 1:
        more = f" (and {listing(f'`{call.site.call.name}`' for call in ordered[1:])})"
    on = listing(targets)
    message = f"FP64 `{worst.site.call.name}`{more} in the loop{line} keeps its constants in VGPRs throughout on {on}"
    cost = f"about {worst.price.held}{_state(facts, targets, worst.price)}"
    help_ = (
        f"where float is precise enough, call `{worst.site.call.name}f`, or move the call out of the loop; a "
        "`__attribute__((noinline))` wrapper frees most of them, too (its time was not measured)"
    )
    in_file = (call for call in ordered[1:] if call.site.path in ("", facts.file.path))
    notes = (*where.notes, *(Note(call.site.call.span, f"`{call.site.call.name}` is called here") for call in in_file))
    help_ = with_spare(facts, targets, help_)
    return Finding(where.span, message, severities, help_, notes, cost=cost, trial=trial, gained=gained)


def _in_float(facts: KernelFacts, heavy: Sequence[_Heavy]) -> Trial | None:
    """All the calls with the suffix of the routines for floats, where they are written in the file itself."""
    ends: list[int] = []
    for heavy_call in heavy:
        callee = heavy_call.site.call.callee
        is_plain = heavy_call.site.path in ("", facts.file.path) and isinstance(callee, Name)
        if not is_plain or heavy_call.site.call.name == "sincos" or in_macro(facts.file, callee.span):
            return None
        ends.append(callee.span.end)
    if facts.kernel.has_work_items:  # their routines have one name for both
        return None
    names = list(dict.fromkeys(f"`{heavy_call.site.call.name}f`" for heavy_call in heavy))
    shown = names if len(names) <= _MOST_NAMES else [*names[:_MOST_NAMES], "others"]
    return Trial(f"with {listing(shown)}", tuple(Edit(Span(end, end), "f") for end in dict.fromkeys(ends)))


def _severity(facts: KernelFacts, target: str, price: _Price, *, tried: bool) -> Severity:
    """By the table where nothing can be tried, and else what it is if the trial gains nothing."""
    estimate = facts.target(target)
    beyond = estimate.registers.estimate - estimate.budget
    if beyond > 0:
        enough = not _bounds_are_enough(facts, estimate) and price.saved >= _PART * beyond
        return Severity.WARNING if enough and not tried else Severity.INFO
    if tried or small_grid(facts.launch.chosen) or waves_without(estimate, price.saved) <= waves_without(estimate, 0):
        return Severity.HINT
    return step_severity(facts, target, price.saved, whole=True)


def _if_gained(facts: KernelFacts, target: str) -> Severity:
    """The severity where floats end a spill or bring a wave. Only the author knows whether floats are precise enough: a
    warning is for kernels with half of the waves at most.
    """
    estimate = facts.target(target)
    if estimate.registers.estimate > estimate.budget:
        return Severity.INFO if _bounds_are_enough(facts, estimate) else Severity.WARNING
    if small_grid(facts.launch.chosen):
        return Severity.HINT
    scarce = 2 * estimate.occupancy.waves <= estimate.occupancy.max_waves
    return Severity.WARNING if scarce else Severity.INFO


def _bounds_are_enough(facts: KernelFacts, target: TargetFacts) -> bool:
    """True if launch bounds of the size that is launched, which RP101 suggests, leave room for the whole estimate: the
    missing bounds then make the budget too small, not the routine.
    """
    if facts.kernel.launch_bounds is not None or bounds_declared(facts.kernel) is None:
        return False
    if facts.launch.block_size_from == "assumed" or facts.kernel.has_work_items:
        return False
    return target.registers.estimate <= register_cap(target.architecture, max(facts.launch.block_size, 1))


def _line(facts: KernelFacts, heavy: _Heavy) -> str:
    if heavy.loop_path not in ("", facts.file.path):
        return ""
    return f" at line {facts.file.source.line_of(heavy.loop.loop.span.start)}"


def _state(facts: KernelFacts, targets: Sequence[str], price: _Price) -> str:
    """The kernel's estimate, if it is the reason for the finding's severity."""
    parts: list[str] = []
    for own in map(facts.target, targets):
        now, before, after = own.registers.estimate, waves_without(own, 0), waves_without(own, price.saved)
        if now > own.budget:
            parts.append(f"; the estimate is {now}, above the budget of {own.budget}")
        elif after > before:
            fewer = f"{price.saved} fewer make it {max(now - price.saved, 1)} ({after:g})"
            parts.append(f"; the estimate is {now} ({count(before, 'wave')}), {fewer}")
    return "".join(dict.fromkeys(parts))
