"""RP205 separate-sin-cos."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, NamedTuple, Note, Rule, Severity, Span
from regpress_lint.api.facts import spelled
from regpress_lint.api.math import is_double
from regpress_lint.api.preprocessor import in_macro
from regpress_lint.api.report import place
from regpress_lint.api.syntax import (
    Binary,
    Block,
    Call,
    Case,
    Conditional,
    Declare,
    Evaluate,
    Expr,
    If,
    LambdaExpr,
    Loop,
    Member,
    Return,
    Stmt,
    children,
    evaluate,
    expression_type,
    nodes_of,
    types_within,
    walk,
)
from regpress_lint.api.targets import gpu
from regpress_lint.api.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api import Applicability
    from regpress_lint.api.effects import Reads
    from regpress_lint.api.syntax import Function, TypeLookup

# name -> (which half, made in single precision whatever the argument is)
_HALVES = {"sin": ("sin", False), "cos": ("cos", False), "sinf": ("sin", True), "cosf": ("cos", True)}
_NAMESPACES = frozenset(("", "std", "::std", "cuda::std", "::", "sycl", "::sycl", "cl::sycl"))
_LONGEST_NAME = 24
_SPACE = "sycl::access::address_space::private_space, sycl::access::decorated::no"
_PRIVATE = f"sycl::address_space_cast<{_SPACE}>"  # the pointer that SYCL's sincos takes


_IN_LOOPS = "six loops with such a pair took 1.3 x less time on an H200"


class _Site(NamedTuple):
    call: Call
    half: str
    statement: Stmt
    own: bool  # the argument needs a variable that the statement itself declares


class _Sequence(NamedTuple):
    """Statements that are executed one after the other; `kind` says what a new one in front of them needs."""

    statements: tuple[Stmt, ...]
    kind: Literal["block", "case", "single"]


class _Group(NamedTuple):
    """Calls with one argument, in one sequence of statements, in source order."""

    reads: Reads
    single: bool | None  # None where the type of the argument is not visible
    sequence: _Sequence
    sites: list[_Site]

    @property
    def complete(self) -> bool:
        return len({site.half for site in self.sites}) > 1


class SeparateSinCos(Rule):
    """The sine and the cosine of the same angle, computed by two calls where one `sincos` gives both."""

    code = "RP205"
    name = "separate-sin-cos"
    vendors = ("amd", "nvidia")
    needs = ("calls",)
    prices_fixes = True
    hint_without_gain = ("amd",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding per angle and sequence of statements, in the kernel and in the functions that it reaches."""
        halves: dict[Function, set[str]] = {}
        for site in facts.calls:
            if site.call.name in _HALVES:
                halves.setdefault(site.function, set()).add(_HALVES[site.call.name][0])
        repeated = _repeated(facts) if any(len(kinds) > 1 for kinds in halves.values()) else frozenset()
        for function, kinds in halves.items():
            if len(kinds) > 1:
                names: set[str] = set()
                for group in _groups(facts, function):
                    yield _finding(facts, function, group, names, repeated)


# ------------------------------------------------------------------------------------------------------- the search


def _groups(facts: KernelFacts, function: Function) -> Iterator[_Group]:
    types = types_within(function, facts.file.type_of)
    for node in nodes_of(function):
        for sequence in _sequences(node):
            yield from _in_sequence(facts, types, sequence)


def _sequences(node: Expr | Stmt) -> Iterator[_Sequence]:
    if isinstance(node, Block):
        yield _Sequence(node.statements, "block")
    elif isinstance(node, Case):
        yield _Sequence(node.statements, "case")
    elif isinstance(node, (If, Loop)):
        bodies = (node.then, node.other) if isinstance(node, If) else (node.body,)
        yield from (_Sequence((body,), "single") for body in bodies if isinstance(body, (Evaluate, Return)))


def _in_sequence(facts: KernelFacts, types: TypeLookup, sequence: _Sequence) -> Iterator[_Group]:
    """Complete groups of a sequence of statements, in the order in which they end."""
    from regpress_lint.api.effects import reads_of, writes_of

    open_: dict[tuple[str, bool | None], _Group] = {}
    for stmt in sequence.statements:
        if calls := [call for call in _unconditional(stmt) if _is_half(facts, call)]:
            before = writes_of(facts, stmt, without_root=True)._replace(leaves=False)
            declared = frozenset(stmt.variables) if isinstance(stmt, Declare) else frozenset()
            for call in calls:
                reads = reads_of(call.args[0])
                if reads is None or before.touch(reads):
                    continue
                half, single = _HALVES[call.name]
                precision = single or _is_single(call, types)
                group = open_.setdefault((reads.signature, precision), _Group(reads, precision, sequence, []))
                group.sites.append(_Site(call, half, stmt, bool(declared & reads.variables)))
        if open_:
            after = writes_of(facts, stmt)
            ended = [key for key, group in open_.items() if after.touch(group.reads) and not _declares(stmt, group)]
            yield from (group for group in map(open_.pop, ended) if group.complete)
    yield from (group for group in open_.values() if group.complete)


def _declares(stmt: Stmt, group: _Group) -> bool:
    """True if the angle itself is declared here, in front of the calls: it is set once, nothing changes."""
    return isinstance(stmt, Declare) and any(site.statement is stmt and site.own for site in group.sites)


def _unconditional(stmt: Stmt) -> Iterator[Call]:
    """Calls that a simple statement makes whenever it is executed."""
    stack: list[Expr | Stmt] = []
    if isinstance(stmt, Declare):
        stack = [
            variable.init for variable in stmt.variables if variable.init is not None and variable.storage == "local"
        ]
    elif isinstance(stmt, Evaluate):
        stack = [stmt.expression]
    elif isinstance(stmt, Return) and stmt.value is not None:
        stack = [stmt.value]
    while stack:
        node = stack.pop(0)
        if isinstance(node, Call):
            yield node
        if isinstance(node, Conditional):
            stack.insert(0, node.test)
        elif isinstance(node, Binary) and node.op in ("&&", "||"):
            stack.insert(0, node.left)
        elif not isinstance(node, LambdaExpr):
            stack[:0] = children(node)


def _is_half(facts: KernelFacts, call: Call) -> bool:
    if call.name not in _HALVES or len(call.args) != 1 or isinstance(call.callee, Member):
        return False
    if (
        call.qualified.rpartition("::")[0] not in _NAMESPACES
        or evaluate(call.args[0], facts.source.environment) is not None
    ):
        return False
    return facts.file.find_function(call.qualified, 1) is None


def _is_single(call: Call, types: TypeLookup) -> bool | None:
    type_ = expression_type(call.args[0], types)
    if is_double(type_):
        return False
    plain = type_ is not None and type_.floating and type_.size == 4 and type_.lanes == 1 and not type_.pointers
    return True if plain else None


# ------------------------------------------------------------------------------------------------------------ report


def _repeated(facts: KernelFacts) -> frozenset[Call]:
    """Calls of sines and cosines that a loop executes again and again, in whatever function on the way to them."""
    looped: set[Function] = set()
    calls: set[Call] = set()
    for site in facts.calls:  # callers come before what they call
        if any(not loop.unrolled for loop in site.loops) or not looped.isdisjoint(site.chain):
            calls.add(site.call)
            if (target := facts.callee_of(site.call)) is not None:
                looped.add(target)
    return frozenset(call for call in calls if call.name in _HALVES)


def _finding(
    facts: KernelFacts, function: Function, group: _Group, names: set[str], repeated: frozenset[Call]
) -> Finding:
    first, source = group.sites[0], facts.file.source
    second = next(site for site in group.sites if site.half != first.half)
    where = place(facts, first.call.span, function.path, "the first of the two calls")
    notes = where.notes
    if where.here:
        shown = [one_line(source, site.call.span) for site in (first, second)]
        notes = (Note(second.call.span, f"`{shown[1]}` takes the same angle"),)
    else:
        shown = [f"{site.call.qualified}({spelled(site.call.args[0])})" for site in (first, second)]
    sycl = facts.kernel.language == "sycl"
    single = group.single and not facts.kernel.has_work_items
    both = "sycl::sincos" if sycl else "sincosf" if single else "sincos"
    again = any(site.call in repeated for site in group.sites)
    costs = dict.fromkeys(
        _cost(target, group.single, again=again) for target in facts.targets if not gpu(target).is_intel
    )
    each_time = " in every pass of a loop" if again else ""
    message = f"`{shown[0]}` and `{shown[1]}` each reduce the same angle{each_time}, and `{both}` reduces it only once"
    cost = "; ".join(costs)
    # With fast mathematics both are single instructions, or nearly.
    gains = again and not (single and facts.file.fast_math)
    severities = {
        target: _severity(target, group.single, gains=gains, again=again)
        for target in facts.targets
        if not gpu(target).is_intel
    }
    fix = _fix(facts, function, group, both, names) if where.here else None
    call = (
        "s = sycl::sincos(angle, c)` once, with a private `multi_ptr` to `c`,"
        if sycl
        else f"{both}(angle, &s, &c)` once"
    )
    help_ = f"call `{call} and use `s` and `c`: the results are the same bit for bit"
    if any(gpu(target).is_nvidia for target in severities):
        help_ += f"; {_IN_LOOPS}" if again else "; time both, it can be slower on NVIDIA"
    if not group.single and any(gpu(target).is_gfx9 for target in severities):
        help_ += "; compile both for gfx9, where it can take more registers"
    if function is not facts.kernel.function:  # the message is the same in all kernels that reach the calls
        return Finding(where.span, f"{message}: {cost}", severities, help_, notes, fix)
    certain = {name: Severity.WARNING for name in severities if severities[name] == Severity.INFO and gpu(name).is_amd}
    return Finding(where.span, message, severities, help_, notes, fix, cost=cost, gained=certain)


def _severity(target: str, single: bool | None, *, gains: bool, again: bool) -> Severity:
    """NVIDIA gains time in loops (all of six pairs and four of five programs on an H200: testdata/evidence/RP205,
    tools/measure/results/changes.csv), and may lose some outside; gfx9 may lose registers in double precision.
    """
    if gpu(target).is_nvidia:
        return Severity.WARNING if gains else Severity.INFO if again else Severity.HINT
    return Severity.HINT if gpu(target).is_gfx9 and single is False else Severity.INFO


def _cost(target: str, single: bool | None, *, again: bool) -> str:
    if gpu(target).is_nvidia:
        if not again:
            return "from 1.2 x less to 1.2 x more time on an H200"
        registers = ", from 6 registers less to 2 more" if single is False else ""
        return f"one reduction less on {target}{registers}"
    if gpu(target).is_gfx9:
        if single is None:
            return f"about 3 VGPRs less on {target} in float, from 12 less to 16 more in double"
        return f"about 3 VGPRs less on {target}" if single else f"from 12 VGPRs less to 16 more on {target}"
    return f"about {4 if single else 11} VGPRs less on {target}"


# --------------------------------------------------------------------------------------------------------------- fix


def _fix(facts: KernelFacts, function: Function, group: _Group, both: str, names: set[str]) -> Fix | None:
    from regpress_lint.api.rewrite import plain_call, writable

    file, first = facts.file, group.sites[0]
    text = writable(file, first.call.args[0]) or _spelled(facts, first.call.args[0])
    calls_plain = all(plain_call(file, site.call) for site in group.sites)
    if text is None or not calls_plain or group.single is None or group.sequence.kind == "case":
        return None
    if any(site.own for site in group.sites) or any(_in_macro_call(facts, site.statement) for site in group.sites):
        return None
    start = first.statement.span.start
    margin = " " if group.sequence.kind == "single" else _margin(facts, start)
    if margin is None or in_macro(file, Span(start, group.sites[-1].statement.span.end)):
        return None
    variables = _fresh(facts, text, names)
    if variables is None:
        return None
    type_ = "float" if group.single else "double"
    sine, cosine = variables
    declared = f"{type_} {sine}, {cosine};{margin}{both}({text}, &{sine}, &{cosine});{margin}"
    sycl = facts.kernel.language == "sycl"
    if sycl:
        declared = f"{type_} {cosine};{margin}{type_} {sine} = {both}({text}, {_PRIVATE}(&{cosine}));{margin}"
    elif facts.kernel.language == "opencl":
        declared = f"{type_} {cosine};{margin}{type_} {sine} = {both}({text}, &{cosine});{margin}"
    braces = group.sequence.kind == "single"
    edits = [Edit(Span(start, start), f"{{ {declared}" if braces else declared)]
    edits += [Edit(site.call.span, sine if site.half == "sin" else cosine) for site in group.sites]
    if braces:
        end = first.statement.span.end
        edits.append(Edit(Span(end, end), " }"))
    host = "host" in function.qualifiers or bool(facts.kernel.layer)  # a layer builds the body for the host as well
    spares = group.single or not any(gpu(target).is_gfx9 or gpu(target).is_nvidia for target in facts.targets)
    # In double precision gfx9 and NVIDIA may take more registers, and lose a wave. The host's library, which is
    # another one, and SYCL's are not known to give the same bits.
    promise: Applicability = "unsafe" if sycl or host else "safe" if spares else "costly"
    return Fix(f"call {both}({text}, ...) once", promise, tuple(edits))


def _spelled(facts: KernelFacts, expr: Expr) -> str | None:
    """The text of an angle that is written once only, so that macros in it do no harm."""
    text = facts.file.source.text(expr.span)
    return None if re.search(r"//|/\*|#|\\|\n|[{}]", text) or text.count("(") != text.count(")") else text


def _in_macro_call(facts: KernelFacts, stmt: Stmt) -> bool:
    """True if a macro gets a part of the statement: it may evaluate it twice, or not at all."""
    return any(isinstance(node, Call) and facts.file.macro(node.name) is not None for node in walk(stmt))


def _margin(facts: KernelFacts, start: int) -> str | None:
    """The separator between a new statement and the one at `start`: a line of the same indent, or a blank within a
    line."""
    data = facts.file.source.data
    line = data.rfind(b"\n", 0, start) + 1
    indent = data[line:start]
    if indent.strip():
        return " " if indent.rstrip().endswith((b"{", b";", b"}")) else None
    above = data[data.rfind(b"\n", 0, line - 1) + 1 : line].strip() if line else b""
    return None if above.startswith(b"#pragma") or above.endswith(b"\\") else "\n" + indent.decode("utf-8", "replace")


def _fresh(facts: KernelFacts, text: str, names: set[str]) -> tuple[str, str] | None:
    """Two names that the file does not have, after the angle's text."""
    stem = re.sub(r"\W+", "_", text).strip("_")[:_LONGEST_NAME].strip("_") or "angle"
    for number in ("", *map(str, range(2, 10))):
        pair = (f"sin_{stem}{number}", f"cos_{stem}{number}")
        used = any(re.search(rf"\b{name}\b".encode(), facts.file.source.data) for name in pair)
        if not used and not names & set(pair):
            names.update(pair)
            return pair
    return None
