"""RP201 pow-small-exponent."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, NamedTuple, Note, Rule, Severity
from regpress_lint.api.report import USED, place
from regpress_lint.api.syntax import Assign, Binary, Call, Constant, Expr, evaluate, expression_type, names_in, walk
from regpress_lint.api.targets import gpu
from regpress_lint.api.text import listing, one_line
from regpress_rules.math._powers import Power, powers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.api import Applicability, File
    from regpress_lint.api.facts import CallSite, Language, LoopFacts
    from regpress_lint.api.syntax import Function, Stmt


_LONGEST_SHOWN = 48
# A product is rounded once and the routines are not: on an H100 `powf(x, 2.0f)` is another float than `x * x` for 3.2 %
# of all floats. And a product that meets an addition becomes one operation with it, with the compilers' defaults.
_MORE_EXACT: Applicability = "unsafe"
_OPENCL_COMPILERS = {"amd": "clang", "intel": "IGC", "nvidia": "NVIDIA's OpenCL compiler"}
_SYCL_COMPILER = "clang"  # on AMD and NVIDIA: the code generators and libraries that were measured


class PowSmallExponent(Rule):
    """A power with a small constant exponent, which no GPU compiler turns into multiplications."""

    code = "RP201"
    name = "pow-small-exponent"
    needs = ("calls",)
    prices_fixes = True

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding a call, or one for all uses of a macro; each says the same in all kernels that reach it."""
        by_cause: dict[object, list[_Use]] = {}
        for site in facts.calls:
            for power in powers(facts, site):
                use = _Use(site, power)
                by_cause.setdefault(_cause(facts, use) or use, []).append(use)
        for uses in by_cause.values():
            yield _finding(facts, uses)


class _Use(NamedTuple):
    """A call, and a power that is made with it."""

    site: CallSite
    power: Power


def _cause(facts: KernelFacts, use: _Use) -> object:
    """The same for powers of one macro of the file that has the exponent, too; None for a power of its own."""
    power = use.power
    if power.hidden is not True or any(evaluate(arg, facts.source.environment) is not None for arg in power.call.args):
        return None
    defined = facts.file.macro_place(use.site.call.name)
    in_file = defined is not None and defined[0] in ("", facts.file.path)
    in_file = in_file and use.site.path in ("", facts.file.path)
    return (use.site.call.name, power.exponent, power.promoted_by, power.single) if in_file else None


# -------------------------------------------------------------------------------------------------------- report


def _finding(facts: KernelFacts, uses: Sequence[_Use]) -> Finding:
    site, power = max(uses, key=lambda use: bool(use.site.loops))
    text = _short(facts, site, power)
    where = place(facts, power.call.span, site.path, f"{text} is called here")
    if _cause(facts, uses[0]) is not None and (defined := facts.file.macro_place(site.call.name)) is not None:
        text = site.call.name
        where = where._replace(span=defined[1], notes=tuple(Note(use.power.call.span, USED) for use in uses))
    compilers = "/".join(dict.fromkeys(_compiler(facts, target) for target in facts.targets))
    promoted = power.promoted_by and f"promotes to double because of its {power.promoted_by} exponent and "
    where_in = " in a loop" if site.loops else ""
    seldom = None if power.promoted_by or len(uses) > 1 else outrun(facts, site)
    timed = _timed(power) if any(gpu(target).is_nvidia for target in facts.targets) and seldom is None else ""
    costs = _costs(facts.targets, power, timed, in_loop=bool(site.loops))
    lost = "" if seldom is None else f", its time lost in that of a loop nest that runs {seldom:,} times as often"
    message = f"`{text}`{_hidden(facts, power)}{where_in} {promoted or ''}is not simplified by {compilers}{lost}"
    severities = {target: _severity(facts, site, power, target, seldom) for target in facts.targets}
    fix = _fix(facts, site, power) if where.here else None
    help_ = _help(facts, site, power)
    if site.function is not facts.kernel.function:  # the message is the same in all kernels that reach the call
        return Finding(where.span, f"{message}: {costs}", severities, help_, where.notes, fix)
    return Finding(where.span, message, severities, help_, where.notes, fix, cost=costs, timed=timed)


def _hidden(facts: KernelFacts, power: Power) -> str:
    """The power behind a macro's or a function's name."""
    if power.hidden is None:
        return ""
    if isinstance(power.hidden, bool) or power.hidden.path not in ("", facts.file.path):
        return f" computes `{power.routine.qualified}` with the exponent {power.exponent:g}, which"
    written = one_line(facts.file.source, power.routine.span)
    return f" computes `{written[:_LONGEST_SHOWN]}` with the exponent {power.exponent:g}, which"


def _compiler(facts: KernelFacts, target: str) -> str:
    on = gpu(target)
    if facts.kernel.language == "opencl":
        return _OPENCL_COMPILERS[on.vendor]
    return _SYCL_COMPILER if facts.kernel.language == "sycl" and not on.is_intel else on.compiler


def _severity(facts: KernelFacts, site: CallSite, power: Power, target: str, seldom: int | None) -> Severity:
    """A warning where it costs time, or registers that other loops do not take away again."""
    hidden = _is_hidden(target, seldom) or _one_thread(facts, site)
    return Severity.INFO if hidden or _is_fast(power.routine, target) else Severity.WARNING


def _is_fast(call: Call, target: str) -> bool:
    """True for nvcc's `__powf`: a logarithm, a product and an exponential of the special function unit. HIP's header
    makes it `powf`.
    """
    return call.name == "__powf" and gpu(target).is_nvidia


def _is_hidden(target: str, seldom: int | None) -> bool:
    """Whether neither time nor registers of the call show there beside other loops. gfx9 holds its constants."""
    on = gpu(target)
    return seldom is not None and not on.is_intel and not on.is_gfx9


def _one_thread(facts: KernelFacts, site: CallSite) -> bool:
    """Whether no known launch runs the call in more than one thread.

    A device function counts only if every kernel of the file is such a one: the call's message is the same in all.
    """
    kernels = (facts.kernel,) if site.function is facts.kernel.function else facts.file.kernels
    return all(
        kernel.form == "single_task"
        or (bool(kernel.launches) and all(launch.block_size == 1 for launch in kernel.launches))
        for kernel in kernels
    )


def _short(facts: KernelFacts, site: CallSite, power: Power) -> str:
    """The call as written; a header's text is not at hand, so a call from there goes by its name."""
    if site.path not in ("", facts.file.path):
        return f"{power.call.qualified}(..., {power.exponent:g})"
    text = one_line(facts.file.source, power.call.span)
    if len(text) <= _LONGEST_SHOWN or power.hidden is not None:
        return text[:_LONGEST_SHOWN]
    return f"{power.call.qualified}(..., {' '.join(facts.file.source.text(power.call.args[1].span).split())})"


def _costs(targets: Sequence[str], power: Power, timed: str, *, in_loop: bool) -> str:
    """The cost of the call on each target, timed ones first. For an unknown type it is that of the cheaper routine.

    In a loop nvcc spends on reads of later iterations what a call in single precision took.
    """
    least = "at least " if power.single and power.result is None else ""
    told = [target for target in targets if not (in_loop and power.single and gpu(target).is_nvidia)]
    if not told:
        return timed or f"it costs no register on {listing(targets)}"
    alone = f"the call alone costs {least}about {listing(_cost(target, power) for target in told)}"
    return f"{timed}; {alone}" if timed else alone


def _timed(power: Power) -> str:
    """The time measured on an H200 (evidence/timing/README.md), for the routine that the call ends in."""
    if power.promoted_by == "int" or power.routine.name == "__powf" or (power.single and power.result is None):
        return ""
    if power.promoted_by == "double":
        call, factor = "pow(float, 2.0)", "2.4"
    elif power.single:
        call, factor = "powf(x, 2.0f)", "1.28"
    else:
        call, factor = "pow(double, 2.0)", "1.75"
    return f"`{call}` took {factor} times as long as `x * x` on an H200"


def _cost(target: str, power: Power) -> str:
    """Measured difference between the call and the product, one call a thread."""
    on, single = gpu(target), power.single
    if _is_fast(power.routine, target):
        return f"2 registers on {target}"
    if on.is_nvidia:
        return f"{5 if single else 18} registers on {target}"
    if on.is_intel:
        return f"{'5' if single else '8'} KB of code on {target}"
    registers = (20 if single else 35) if gpu(target).is_gfx9 else (9 if single else 20)
    return f"{registers} VGPRs on {target}"


_ADVICE = {
    -2.0: "write `{one} / ({x} * {x})`",
    -1.0: "write `{one} / {x}`",
    0.0: "write `1`",
    0.5: "write `sqrt({x})` (it differs at -0 and at minus infinity)",
    1.0: "write `{x}`",
    2.0: "write `{x} * {x}`",
    3.0: "write `{x} * {x} * {x}` (one more rounding)",
    4.0: "square twice: `y = {x} * {x}`, then `y * y` (one more rounding)",
}


def _help(facts: KernelFacts, site: CallSite, power: Power) -> str:
    unit = "1.0f" if power.single or power.promoted_by is not None else "1.0"
    chain = "multiply: " + (f"{unit} over " if power.exponent < 0 else "") + "a chain of squares and products"
    if power.hidden is not None:
        advice = _ADVICE.get(power.exponent, chain).format(x="x", one=unit)
        if isinstance(power.hidden, bool):
            return f"{advice} in the macro"
        return f"call a function that multiplies instead of `{power.hidden.name}`: {advice}"
    base, in_file, text = power.call.args[0], site.path in ("", facts.file.path), None
    from regpress_lint.api.rewrite import operand, writable

    if in_file:
        text = writable(facts.file, base)
    advice = _ADVICE.get(power.exponent, chain).format(x="x" if text is None else operand(base, text), one=unit)
    if text is None and in_file and power.exponent in _ADVICE and power.exponent != 0:
        advice += f", where `x` is a variable that holds {_quoted(facts, base)}"
    if power.promoted_by is not None:
        advice += ", in float if the result is stored to a float"
    return advice


def _quoted(facts: KernelFacts, base: Expr) -> str:
    """The base as written where it is short: it may call something, and must be evaluated once."""
    text = one_line(facts.file.source, base.span)
    return f"`{text}`" if len(text) <= _LONGEST_SHOWN else "the base"


# ----------------------------------------------------------------------------------------------------------- fix


def _fix(facts: KernelFacts, site: CallSite, power: Power) -> Fix | None:
    call, file = power.call, facts.file
    if power.hidden is not None or _is_of_template(facts.file, site, power):
        return None
    base = call.args[0]
    from regpress_lint.api.rewrite import in_context, operand, plain_call, writable

    text = writable(file, base)
    if not plain_call(file, call) or power.exponent not in (0.5, 2.0, 3.0, 4.0):
        return None
    if power.base is not None and (power.base.lanes > 1 or (power.base.floating and power.base.size == 2)):
        return None
    if text is None:
        return _named_fix(facts, site, power)
    factor, first = _factors(power, base, operand(base, text))
    if power.exponent == 0.5:
        new = _square_root(power, first if first != factor else text, facts.kernel.language)
    elif power.exponent == 4.0:
        new = f"({first} * {factor}) * ({first} * {factor})"
    else:
        new = " * ".join((first, *[factor] * (int(power.exponent) - 1)))
    if power.exponent != 0.5:
        new = in_context(file, call.span, new)
    return Fix(f"write {new}", _MORE_EXACT, (Edit(call.span, new),))


def _is_of_template(file: File, site: CallSite, power: Power) -> bool:
    """Whether the exponent is a template parameter, of the function or its class: others have other powers."""
    parameters = {parameter.name for parameter in site.function.template}
    of_class = "<" in site.function.owner
    names = (name.name for name in names_in(power.call.args[1]) if name.variable is None)
    # An instantiation has a number where the source has the parameter.
    written = (file.source.text(node.span) for node in walk(power.call.args[1]) if isinstance(node, Constant))
    return any(of_class or name in parameters for name in (*names, *filter(str.isidentifier, written)))


def _named_fix(facts: KernelFacts, site: CallSite, power: Power) -> Fix | None:
    """The square of a base that is worked out once, in a variable of its own; its type must be that of the call."""
    base, result = power.base, power.result
    if power.exponent != 2.0 or base is None or result is None or (base.floating, base.size) != (True, result.size):
        return None
    from regpress_lint.api.rewrite import temporary

    named = temporary(facts.file, site.function, power.call.args[0], "double" if base.double else "float")
    if named is None:
        return None
    from regpress_lint.api.rewrite import in_context

    new = in_context(facts.file, power.call.span, f"{named.name} * {named.name}")
    return Fix(f"name the base and write {new}", _MORE_EXACT, (named.edit, Edit(power.call.span, new)))


def _factors(power: Power, base: Expr, text: str) -> tuple[str, str]:
    """The base as a later factor, and as the first, with the cast that gives the product the type of the call."""
    if power.base is None or power.result is None or isinstance(base, Constant):
        return text, text
    if power.base.floating and power.base.size == power.result.size:
        return text, text
    if power.result.double:
        return text, f"(double){text}"
    cast = f"(float){text}"  # powf narrows its argument before anything else: so must every factor
    return cast, cast


def _square_root(power: Power, argument: str, language: Language) -> str:
    if language == "sycl":
        return f"sycl::sqrt({argument})"
    if language == "opencl":
        return f"sqrt({argument})"
    return f"sqrtf({argument})" if power.result is not None and not power.result.double else f"sqrt({argument})"


# Whether a kernel's other loops do so much more work than a call that the call's time does not show.

# Evidence pairs of RP201 on an H200: a nest with two FP64 divisions that runs 63 times as often leaves the call 6 % of
# the kernel's time and one with six nothing (`beside_two`, `hoisted`); one with a single division 9 % (`beside_one`).
TIMES = 32
_DIVISIONS = 2
_DEEPEST = 4  # callees of callees that are looked into


def outrun(facts: KernelFacts, site: CallSite) -> int | None:
    """How many times as often a loop nest that divides runs, if that is TIMES or more; None where it is not, or where
    the source does not settle how often they run.
    """
    if site.function is not facts.kernel.function and len(facts.file.kernels) > 1:
        return None  # the call's message is the same in all kernels that reach it
    own = _runs(facts, site)
    if own is None:
        return None
    called = (facts.callee_of(call.call) for call in facts.calls)
    functions = [function for function in dict.fromkeys((facts.kernel.function, *called)) if function is not None]
    nests = ((function, loop, _product(loop.chain())) for function in functions for loop in facts.loops_of(function))
    often = [
        (runs // own, function, loop) for function, loop, runs in nests if runs is not None and runs >= TIMES * own
    ]
    return max((ratio for ratio, function, loop in often if _divides(facts, function, loop)), default=None)


def _product(loops: Sequence[LoopFacts]) -> int | None:
    """Iterations of a nest, None where the source does not settle them."""
    trips = [loop.trip_count for loop in loops]
    return None if None in trips else prod(trip for trip in trips if trip is not None)


def _runs(facts: KernelFacts, site: CallSite) -> int | None:
    """How often a thread makes the call at most, of several ways to a device function through the first one; 0 trips
    are one.
    """
    of_loops = _product(site.loops)
    if len(site.chain) == 1 or of_loops is None:
        return None if of_loops is None else max(of_loops, 1)
    around = [
        _runs(facts, call)
        for call in facts.calls
        if call.chain == site.chain[:-1] and facts.callee_of(call.call) is site.function
    ]
    counted = [runs for runs in around if runs is not None]
    return max(of_loops, 1) * max(counted) if counted and len(counted) == len(around) else None


def _divides(facts: KernelFacts, function: Function, loop: LoopFacts) -> bool:
    """Whether an iteration makes divisions of floating values, itself or in functions that it calls."""
    divisions = 0
    for body in _bodies(facts, function, loop.loop.body, _DEEPEST):
        divisions += sum(1 for node in walk(body) if isinstance(node, (Binary, Assign)) and _is_division(facts, node))
        if divisions >= _DIVISIONS:
            return True
    return False


def _bodies(facts: KernelFacts, function: Function, body: Stmt, depth: int) -> Iterator[Stmt]:
    """A part of a function and the functions that it calls, each as often as it is called."""
    yield body
    for site in facts.calls if depth else ():
        if site.function is function and body.span.contains(site.call.span):
            called = facts.callee_of(site.call)
            if called is not None:
                yield from _bodies(facts, called, called.body, depth - 1)


def _is_division(facts: KernelFacts, node: Binary | Assign) -> bool:
    """Whether it divides FP64 values, or those of unknown type, by something other than a constant."""
    if node.op not in ("/", "/="):
        return False
    dividend, divisor = (node.left, node.right) if isinstance(node, Binary) else (node.target, node.value)
    if evaluate(divisor, facts.source.environment) is not None:
        return False
    types = [expression_type(expr, facts.file.type_of) for expr in (dividend, divisor)]
    return None in types or any(type_ is not None and type_.double for type_ in types)
