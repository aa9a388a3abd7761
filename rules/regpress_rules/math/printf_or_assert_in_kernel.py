"""RP204 printf-or-assert-in-kernel."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, NamedTuple, Note, Rule, Severity, Span, Trial
from regpress_lint.api.facts import dead_branches
from regpress_lint.api.preprocessor import in_macro, inside_condition, refuses
from regpress_lint.api.report import place
from regpress_lint.api.syntax import (
    Assign,
    Block,
    Call,
    Case,
    Constant,
    Evaluate,
    Function,
    If,
    Member,
    Return,
    Unknown,
    Update,
    evaluate,
    nodes_of,
    walk,
)
from regpress_lint.api.targets import amd_and_nvidia_targets, gpu
from regpress_lint.api.text import listing, pattern
from regpress_lint.api.worth import small_grid, step_severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.api.syntax import Expr, Stmt

_FAMILY = {
    "printf": "printf",
    "vprintf": "printf",
    "assert": "assert",
    "__assert_fail": "assert",
    "malloc": "malloc",
    "free": "malloc",
}
_NAMESPACES = frozenset(("", "std::", "::", "::std::"))
_ALLOCATES = {"new_expression": "new", "delete_expression": "delete"}
_STOPS = frozenset(("__trap", "abort", "exit", "__builtin_trap", *_FAMILY))
_TRAPS = _STOPS - set(_FAMILY) | {"assert", "__assert_fail"}
_MOST_NESTED = 3  # macros within macros
_MOST_NOTES = 4
# What a message about something that should not have happened says.
_WRONG = pattern(
    r"\b(?:abort|assert|bad|cannot|can't|corrupt|crash|diverge|error|exceed|fail|fatal|greater than|illegal|impossible|"
    r"inconsistent|invalid|less than|mismatch|missing|nan|negative|no such|out of|overflow|should|"
    r"not (?:allowed|converge|enough|found|implemented|supported|valid)|too (?:big|deep|few|large|long|many|small)|"
    r"undefined|underflow|unexpected|unknown|unsupported|violat|warning|wrong)",
    re.IGNORECASE,
)
_SCARCE = 4  # waves per SIMD of AMD up to which one more is worth much
# nvcc 13.0: registers that values alive across a call take more, in a loop and behind all loops.
_HELD_IN_LOOP, _HELD_ONCE = 12, 6
_PRINTED, _ASSERTED = 42, 60  # VGPRs that they add with clang 19
_COST = {
    "printf": ("about 42 VGPRs and at least 160 bytes of scratch", "about 44 VGPRs and at least 160 bytes of scratch"),
    "assert": (
        "at least 60 VGPRs (plus a part of the values that are live across it) and 240 bytes of scratch",
        "at least 69 VGPRs (plus a part of the values that are live across it) and 256 bytes of scratch",
    ),
    "malloc": ("106 VGPRs and AGPRs at least and 272 bytes of scratch", "179 VGPRs at least and 176 bytes of scratch"),
}
_INSTEAD = {
    "printf": "take it out of the release build, with `#ifndef NDEBUG` for example",
    "assert": "define NDEBUG in the release build (`-DNDEBUG`)",
    "malloc": "allocate on the host, a slice of one buffer a thread, or use an array of constant size",
}


class _Place(NamedTuple):
    """A call, its span in the function where it stands, and whether a loop is around it; made: by a macro."""

    name: str
    family: str
    span: Span
    looped: bool
    call: Expr
    function: Function
    made: bool = False


class PrintfOrAssertInKernel(Rule):
    """`printf`, `assert` or an allocation in a kernel, for which compilers set registers and scratch aside."""

    code = "RP204"
    name = "printf-or-assert-in-kernel"
    vendors = ("amd", "nvidia")
    many_blocks = True
    prices_fixes = True
    hint_without_gain = ("amd", "nvidia")

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding per kind of call, at the first such call."""
        by_function = _places(facts)
        for family in dict.fromkeys(spot.family for places in by_function.values() for spot in places):
            if not _executed(facts, family):
                continue
            all_of_it = [spot for places in by_function.values() for spot in places if spot.family == family]
            trial = _trial(facts, all_of_it)
            severities = _severities(facts, family, any(spot.looped for spot in all_of_it), tried=trial is not None)
            most = Severity.WARNING if _certain(facts, family, all_of_it) else Severity.INFO
            mosts = {target: min(most, _most_of(facts, family, target)) for target in severities}
            severities = {target: min(severity, mosts[target]) for target, severity in severities.items()}
            gained = {} if _is_cheap(facts, family) else mosts
            yield _finding(facts, all_of_it, severities)._replace(trial=trial, gained=gained)


# ---------------------------------------------------------------------------------------------------- where they are


def _places(facts: KernelFacts) -> dict[Function, list[_Place]]:
    """The calls by function, in source order."""
    asserts = facts.file.macro("NDEBUG") is None
    by_function: dict[Function, list[_Place]] = {facts.kernel.function: []}
    services: dict[tuple[object, ...], list[tuple[str, str, bool]]] = {}  # equal calls are the same macro
    conditions = _of_conditions(facts)
    for site in facts.calls:
        if site.function in conditions:
            continue  # without the assertion there is no such print
        places, call = by_function.setdefault(site.function, []), site.call
        key = call.qualified, len(call.args), isinstance(call.callee, Member), facts.callee_of(call) is None
        if key not in services:
            services[key] = _services(facts, call, 0)
        for family, name, by_macro in services[key]:
            if family == "assert" and (not asserts or _holds(facts, site.call, by_macro)):
                continue
            found_here = _Place(name, family, site.call.span, bool(site.loops), site.call, site.function, by_macro)
            if family == "assert" and site.function is not facts.kernel.function and _is_stub(found_here):
                continue  # a template's general form, for what nobody instantiates
            places.append(found_here)
    for function, places in by_function.items():
        places += _allocations(facts, function)
        dead = _dead(facts, function) if places else frozenset()
        places[:] = [place for place in places if place.call not in dead]
        if function.path in ("", facts.file.path):
            source = facts.file.source
            places[:] = [place for place in places if not inside_condition(source, place.span.start, "NDEBUG")]
            places[:] = [place for place in places if not refuses(source, place.span.start)]
        places.sort(key=lambda place: place.span)
    return by_function


def _of_conditions(facts: KernelFacts) -> frozenset[Function]:
    """Functions that only the conditions of assertions call, as in `assert(n < size || complain(n, size))`."""
    asserted = {
        inner
        for site in facts.calls
        if _FAMILY.get(site.call.name) == "assert"
        for argument in site.call.args
        for inner in walk(argument)
        if isinstance(inner, Call)
    }
    if not asserted:
        return frozenset()
    inside, outside = set[Function](), set[Function]()
    for site in facts.calls:
        if (called := facts.callee_of(site.call)) is not None:
            (inside if site.call in asserted else outside).add(called)
    return frozenset(inside - outside)


def _services(facts: KernelFacts, call: Call, depth: int) -> list[tuple[str, str, bool]]:
    """Kind and name of a call or, for a macro, of its expansion; the last says whether it is a macro's."""
    if isinstance(call.callee, Member):
        return []
    family = _FAMILY.get(call.name)
    # SYCL's print has a namespace of its own, which programs give short names.
    is_sycl = family == "printf" and facts.kernel.language == "sycl"
    if family is not None and (is_sycl or call.qualified.removesuffix(call.name) in _NAMESPACES):
        if facts.callee_of(call) is None and facts.file.expansion(call.name, len(call.args), {}, (), None) is None:
            return [(family, call.name, False)]
        return []
    if depth >= _MOST_NESTED or facts.callee_of(call) is not None:
        return []
    expansion = facts.file.expansion(call.name, len(call.args), {}, (), None)
    if expansion is None:
        return []
    inner = [node for node in walk(expansion.body) if isinstance(node, Call)]
    services = [(family, name, True) for nested in inner for family, name, _ in _services(facts, nested, depth + 1)]
    return list(dict.fromkeys(services))


def _holds(facts: KernelFacts, call: Call, by_macro: bool) -> bool:
    """True for an assertion of a constant, which compilers fold in each instantiation."""
    if by_macro or len(call.args) != 1:
        return False
    return all(evaluate(call.args[0], instance.source.environment) for instance in facts.instances.values() or (facts,))


def _allocations(facts: KernelFacts, function: Function) -> Iterator[_Place]:
    """`new` and `delete`; a placement has its arguments in front of the type and allocates nothing."""
    source = facts.file.source
    if function.path not in ("", facts.file.path) or not (source.mentions(b"new ") or source.mentions(b"delete")):
        return
    for node in nodes_of(function):
        if isinstance(node, Unknown) and node.kind in _ALLOCATES:
            first = node.children[0] if node.children else None
            if isinstance(first, Unknown) and first.kind == "argument_list":
                continue
            yield _Place(_ALLOCATES[node.kind], "malloc", node.span, False, node, function)


def _dead(facts: KernelFacts, function: Function) -> frozenset[Expr]:
    """Spans of branches that a constant condition never takes."""
    branches = dead_branches(function, facts.source.environment)
    return frozenset(inner for branch in branches for inner in walk(branch) if isinstance(inner, (Call, Unknown)))


def _executed(facts: KernelFacts, family: str) -> bool:
    """False if an execution of the kernel, conditions on constants decided, does not come by a call of this kind."""
    name = amd_and_nvidia_targets(facts)[0]
    for part in facts.parts_on(name):
        seen = part.execution(name)
        if not seen.complete or any(key == family for key, _ in seen.services):
            return True
    # It does not see `new`.
    return family == "malloc" and any(isinstance(node, Unknown) for node in nodes_of(facts.kernel.function))


def _certain(facts: KernelFacts, family: str, places: Sequence[_Place]) -> bool:
    """False where the release build may have none of it: an assertion whose build is unknown (most define NDEBUG), and
    a function that does nothing else, which handles impossible cases.
    """
    if family == "assert" and not facts.file.asserts:
        return False
    if family == "printf" and all(
        _stops_behind(facts, spot) or _complains(facts, spot) or _is_optional(facts, spot) for spot in places
    ):
        return False  # an assertion in other words, a message for what should not happen, or a build for debugging
    return not all(spot.function is not facts.kernel.function and _is_stub(spot) for spot in places)


def _most_of(facts: KernelFacts, family: str, target: str) -> Severity:
    """Information about an assertion on AMD where waves are not scarce: the function that it calls takes 55 to 68 VGPRs
    with most of the kernel's own among them, and 7 waves of 8 are what that leaves.
    """
    estimate = facts.target(target) if family == "assert" and gpu(target).is_amd else None
    return Severity.INFO if estimate is not None and estimate.occupancy.waves_per_simd > _SCARCE else Severity.WARNING


def _stops_behind(facts: KernelFacts, place: _Place) -> bool:
    """True if the kernel is stopped behind a print, or left on a condition: an error path."""
    function = place.function
    for statements in _sequences(function):  # those that hold the print, in a block of their own or not
        at = next((n for n, statement in enumerate(statements) if statement.span.contains(place.span)), None)
        if at is None or statements is function.body.statements:
            continue
        behind = statements[at + 1 :]
        calls = (statement.expression for statement in behind if isinstance(statement, Evaluate))
        if any(isinstance(call, Call) and call.name in _TRAPS for call in calls):
            return True
        if function is facts.kernel.function and any(isinstance(statement, Return) for statement in behind):
            return True
    body = function.body.statements
    at = next(
        (
            n
            for n, statement in enumerate(body)
            if isinstance(statement, Evaluate) and statement.expression is place.call
        ),
        None,
    )
    if at is None:
        return False
    calls = (statement.expression for statement in body[at + 1 :] if isinstance(statement, Evaluate))
    return any(isinstance(call, Call) and call.name in _TRAPS for call in calls)


def _complains(facts: KernelFacts, place: _Place) -> bool:
    """True if a print on a condition says that something went wrong: an error path from which the kernel goes on. The
    words of one in a header are not at hand, and of those on conditions most say that.
    """
    if place.made or not isinstance(place.call, Call):
        return False
    body = place.function.body.statements
    if (
        any(isinstance(statement, Evaluate) and statement.expression is place.call for statement in body)
        or not place.call.args
    ):
        return False
    if place.function.path not in ("", facts.file.path):
        return True
    said = place.call.args[0]
    is_text = isinstance(said, Constant) and said.kind == "string"
    return is_text and _WRONG.search(facts.file.source.text(said.span)) is not None


def _is_optional(facts: KernelFacts, place: _Place) -> bool:
    """Whether a print is in a branch of `if constexpr` with an unknown condition."""
    chosen = [
        node.test
        for node in nodes_of(place.function)
        if isinstance(node, If) and node.is_constexpr and node.span.contains(place.span)
    ]
    environments = [instance.source.environment for instance in facts.instances.values() or (facts,)]
    return any(all(evaluate(test, environment) is None for environment in environments) for test in chosen)


def _is_stub(place: _Place) -> bool:
    """Whether the call is all that its function does, except stopping."""
    statements = place.function.body.statements
    calls = [statement.expression for statement in statements if isinstance(statement, Evaluate)]
    return len(calls) == len(statements) and all(
        call is place.call or (isinstance(call, Call) and call.name in _STOPS) for call in calls
    )


# ------------------------------------------------------------------------------------------------------ what they cost


def _is_cheap(facts: KernelFacts, family: str) -> bool:
    """Whether nothing else of a GPU waits for the kernel, or the print is all that it is for."""
    small = bool(facts.kernel.launches) and all(small_grid(launch) for launch in facts.kernel.launches)
    return small or (family == "printf" and _only_prints(facts))


def _severities(facts: KernelFacts, family: str, looped: bool, *, tried: bool) -> dict[str, Severity]:
    """By what is known without a trial, which may raise it."""
    cheap, severities = _is_cheap(facts, family), dict[str, Severity]()
    for target in amd_and_nvidia_targets(facts):
        if cheap:
            severities[target] = Severity.HINT
        elif family == "malloc":
            severities[target] = Severity.WARNING
        elif gpu(target).is_amd:  # of prints in small kernels nobody was seen to take one out
            held = _PRINTED if family == "printf" else 0 if tried else _ASSERTED
            severities[target] = max(step_severity(facts, target, held), Severity.INFO)
        else:
            by_table = step_severity(facts, target, _HELD_IN_LOOP if looped else _HELD_ONCE)
            severities[target] = min(by_table, Severity.INFO) if tried else by_table
            if family in _framed(facts, target):
                severities[target] = max(severities[target], Severity.INFO)  # its arguments are in local memory
    return severities


def _framed(facts: KernelFacts, target: str) -> frozenset[str]:
    """The calls whose arguments are in the private memory of a thread."""
    frames = (frame for frame in facts.typical(target).frames(target) if frame.kind == "service")
    return frozenset(key.partition(":")[0] for frame in frames for key in frame.keys)


def _only_prints(facts: KernelFacts) -> bool:
    """True for a kernel that leaves nothing in memory, as far as its own body shows."""
    flow = facts.flow_of(facts.kernel.function)
    if flow.stores or any(isinstance(assign.target, Member) for assign in flow.assigns):
        return False
    return all(record.call.name in _FAMILY for record in flow.calls)


def _finding(facts: KernelFacts, places: Sequence[_Place], severities: dict[str, Severity]) -> Finding:
    first = places[0]
    function = first.function
    names = list(dict.fromkeys(spot.name for spot in places))
    where = place(facts, first.span, function.path, f"the `{first.name}`")
    others = (
        Note(
            other.span,
            f"another `{other.name}`",
            None if other.function.path in ("", facts.file.path) else other.function.path,
        )
        for other in places[1 : 1 + _MOST_NOTES]
    )
    notes = (*where.notes, *others) if where.here else where.notes
    through = " (through a macro)" if first.made else ""
    costs = [f"{_cost(first.family, target)} on {target}" for target in severities]
    shown = listing(f"`{name}`" for name in names)
    cost = "; ".join(dict.fromkeys(costs))
    sets = "sets" if len(names) == 1 else "set"
    paid = f"{shown}{through} in device code {sets} registers and memory aside, reached or not"
    fix = _fix(facts, places) if where.here and first.family == "printf" else None
    if _trial(facts, places) is None:  # the fix changes nothing where NDEBUG is not defined
        paid, cost = f"{paid}: {cost}", ""
    return Finding(where.span, paid, severities, _INSTEAD[first.family], notes, fix, cost=cost)


def _trial(facts: KernelFacts, places: Sequence[_Place]) -> Trial | None:
    """The kernel without the calls, each a statement of its own in the kernel."""
    statements = {expr.expression: expr for expr in nodes_of(facts.kernel.function) if isinstance(expr, Evaluate)}
    removed = [statements.get(spot.call) for spot in places]
    if any(statement is None for statement in removed) or any(spot.made for spot in places):
        return None
    edits = [Edit(statement.span, ";") for statement in removed if statement is not None]
    if any(in_macro(facts.file, edit.span) for edit in edits):
        return None
    return Trial("without it", tuple(edits), cold=True)


def _cost(family: str, target: str) -> str:
    if gpu(target).is_amd:
        return _COST[family][0 if gpu(target).is_gfx9 else 1]
    return (
        "time (163 times as much on an H200)"
        if family == "malloc"
        else "up to 16 registers for values that are live across it"
    )


# ----------------------------------------------------------------------------------------------------------------- fix


def _fix(facts: KernelFacts, places: Sequence[_Place]) -> Fix | None:
    """All prints of a kernel between `#ifndef NDEBUG` and `#endif`; none if one of them cannot be."""
    calls = {spot.call for spot in places}
    functions = dict.fromkeys(spot.function for spot in places)
    if any(spot.made for spot in places) or any(spot.path not in ("", facts.file.path) for spot in functions):
        return None
    runs: list[list[Stmt]] = []
    covered: set[Expr] = set()
    for function in functions:
        for statements in _sequences(function):
            previous = False
            for statement in statements:
                inside = [call for call in _prints(statement, calls) if call not in covered]
                if inside:
                    runs.append([statement]) if not previous else runs[-1].append(statement)
                    covered.update(inside)
                previous = bool(inside)
    if covered != calls:
        return None
    edits: list[Edit] = []
    for run in runs:
        lines = _lines(facts, Span(run[0].span.start, run[-1].span.end))
        if lines is None:
            return None
        begin, end = Span(lines.start, lines.start), Span(lines.end, lines.end)
        edits += [Edit(begin, "#ifndef NDEBUG\n"), Edit(end, "#endif\n")]
    return Fix("leave it out where NDEBUG is defined", "unsafe", tuple(edits))


def _sequences(function: Function) -> Iterator[tuple[Stmt, ...]]:
    for node in nodes_of(function):
        if isinstance(node, (Block, Case)):
            yield node.statements


def _prints(statement: Stmt, calls: set[Expr]) -> list[Expr]:
    """The calls of a statement that does nothing but print."""
    if isinstance(statement, Evaluate):
        return [statement.expression] if statement.expression in calls else []
    if isinstance(statement, If) and statement.other is None and not statement.init and not statement.is_constexpr:
        body = statement.then.statements if isinstance(statement.then, Block) else (statement.then,)
        inside = [_prints(node, calls) for node in body]
        acts = any(isinstance(node, (Call, Assign, Update, Unknown)) for node in walk(statement.test))
        if body and all(inside) and not acts:
            return [call for exprs in inside for call in exprs]
    return []


def _lines(facts: KernelFacts, span: Span) -> Span | None:
    """The whole lines of a statement, from the first's beginning to behind the last's end; None if they hold more."""
    source = facts.file.source
    first, last = source.line_span(source.line_of(span.start)), source.line_span(source.line_of(span.end - 1))
    behind = source.text(Span(span.end, last.end)).strip()
    before = source.text(Span(max(first.start - 3, 0), first.start))
    if source.text(Span(first.start, span.start)).strip() or (behind and not behind.startswith("//")):
        return None
    text = source.text(Span(first.start, last.end))
    continued = before.rstrip("\r\n").endswith("\\") or "\\\n" in text or "\\\r" in text or text.endswith("\\")
    if continued or not source.text(span).endswith((";", "}")):
        return None
    end = source.data.find(b"\n", last.end)
    return Span(first.start, end + 1) if end >= 0 else None
