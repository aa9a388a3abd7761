"""RP701 indirect-call."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.api import Finding, KernelFacts, Note, Rule, Severity, Span
from regpress_lint.constants import evaluate
from regpress_lint.syntax import (
    Binary,
    Block,
    Call,
    Cast,
    Conditional,
    Evaluate,
    Expr,
    Function,
    Index,
    InitList,
    Member,
    Name,
    Return,
    Stmt,
    Unary,
    Variable,
)
from regpress_lint.traversal import walk
from regpress_lint.typing_rules import expression_type
from regpress_rules._gates import small_grid
from regpress_rules._place import place, targets_of, vendor_of
from regpress_rules._words import count, listing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.analyses.calls import CallSite
    from regpress_lint.analyses.loops import LoopFacts

_DEEPEST = 5  # values through variables, parameters and their arguments
_MOST_SHOWN = 3
_MOST_NOTES = 5
_TABLES = frozenset(("global", "constant", "static"))
_REASSOCIATED = frozenset(("+", "*", "&", "|", "^"))


class _Late(NamedTuple):
    """A call that is bound at run time; `what` and `instead` are for the message, `time` is what was measured of it."""

    span: Span
    function: Function
    what: str
    instead: str
    time: str
    notes: tuple[Note, ...] = ()


class IndirectCall(Rule):
    """A call whose target the compiler does not know: virtual, through a pointer, or recursive.

    ## What it does
    Reports what cannot be inlined in a kernel and the device functions that it reaches:

    - a virtual function called through a pointer or reference to an object of which the source does not settle the
      class;
    - a call through a function pointer that may hold one of several functions, that comes from a table at a run-time
      index, or from outside of the kernel;
    - a function that calls itself, also through others.

    Compilers see through the rest, and the rule is silent there: a virtual function of a local object, also through a
    pointer or reference to it (but not in a loop behind the declaration); `final` classes and functions; a pointer
    that is only ever one function; function objects, lambdas and template arguments; recursion in tail position, or of
    an integer `n * f(n - 1)`, which become loops. Kernels that are launched with few blocks are a hint.
    What stands in headers is one finding a kernel.

    ## Why it costs
    An inlined call costs nothing. A real one on a GPU costs its callee's registers by the calling convention: on AMD
    the compiler assumes the most that any function in view takes, and 58 VGPRs at least, 32 of them to save what is
    alive across the call. It cannot know how deep the stack becomes: the frame is dynamic, and every thread gets
    scratch for it whether it is used or not. Objects whose address goes to the callee lie in scratch as well.

    On NVIDIA it is time and not registers: nothing can be computed ahead of a call or across it, its arguments and
    results are moved into place, and what is alive around it is saved. A loop that calls one of two functions through
    a pointer took 5.8 times as long on an H200 as the same loop with an `if`, a table of functions 7.2, virtual
    functions 5.7 and 9.6, a sum by recursive halves 51 times as long as its loop.

    ## Targets
    Registers and private bytes of a kernel with one such call, and with a `switch` or `if` in its place:

    | | gfx90a (clang 19.1.7) | gfx1100 | sm_90 (nvcc 13.0.88) |
    |---|---|---|---|
    | virtual function through a pointer from memory | 58, dynamic stack / 5 | 58, dynamic / 5 | 24 / 14 |
    | ... of one of two local objects | 58, dynamic, 48 B | 58, dynamic, 48 B | 24, 32 B |
    | ... of a local object, also by pointer or reference | 5 | 4 | 12 |
    | ... of a local object by pointer or reference in a loop | 45, dynamic, 32 B / 7 | 46, dynamic, 32 B | 30, 16 B |
    | `f = c ? f1 : f2`, also if `c` is the same for all threads | 58, dynamic | 58, dynamic | 24 |
    | table of functions at a run-time index | 58, dynamic | 58, dynamic | 24, local table 24 B |
    | `f = f1`; `f1` as an argument or template argument | 4 | 4 | 10 |
    | recursion (a tree, quicksort, Fibonacci) | 44 to 58, dynamic, 16 to 48 B | the same | 30 |
    | tail recursion, factorial | 5 to 8 | 5 to 8 | 10 to 12 |

    AMD: a warning. NVIDIA: a warning, for the time: the pairs below have their calls in loops. Intel: SYCL has neither
    virtual calls nor function pointers nor recursion in kernels, so that there is nothing to report.

    ## Measured
    Our own pairs in `testdata/evidence/RP701`, before -> after the repair; clang 19.1.7, nvcc 13.0.88, `-O3`; times on
    an H200 (nvcc 13.0.88).

    | pair | target | registers | private bytes | spills | waves | time, ms |
    | --- | --- | --- | --- | --- | --- | --- |
    | chosen | gfx1100 | 45 -> 7 | 0 | 0 | 16 | |
    | chosen | gfx90a | 46 -> 10 | 0 | 0 | 8 | |
    | chosen | sm_90 | 30 -> 32 | 0 | 0 | 64 | 0.173 -> 0.0301 (5.75 x) |
    | halving | gfx1100 | 45 -> 5 | 32 -> 0 | 0 | 16 | |
    | halving | gfx90a | 45 -> 8 | 32 -> 0 | 0 | 8 | |
    | halving | sm_90 | 24 -> 31 | 0 | 0 | 64 | 0.852 -> 0.0169 (50.55 x) |
    | held | gfx1100 | 5 | 0 | 0 | 16 | |
    | held | gfx90a | 8 | 0 | 0 | 8 | |
    | held | sm_90 | 28 | 0 | 0 | 64 | 0.0347 -> 0.0349 (1.00 x) |
    | local | gfx1100 | 46 -> 8 | 32 -> 0 | 0 | 16 | |
    | local | gfx90a | 46 -> 8 | 32 -> 0 | 0 | 8 | |
    | local | sm_90 | 30 | 16 -> 0 | 0 | 64 | 0.184 -> 0.0323 (5.68 x) |
    | once | gfx1100 | 45 -> 5 | 0 | 0 | 16 | |
    | once | gfx90a | 45 -> 6 | 0 | 0 | 8 | |
    | once | sm_90 | 24 -> 14 | 0 | 0 | 64 | 0.0163 -> 0.0149 (1.09 x) |
    | shapes | gfx1100 | 48 -> 8 | 48 -> 0 | 0 | 16 | |
    | shapes | gfx90a | 48 -> 8 | 48 -> 0 | 0 | 8 | |
    | shapes | sm_90 | 32 -> 30 | 32 -> 0 | 0 | 64 | 0.4 -> 0.0417 (9.58 x) |
    | straight | gfx1100 | 5 | 0 | 0 | 16 | |
    | straight | gfx90a | 9 | 0 | 0 | 8 | |
    | straight | sm_90 | 14 | 0 | 0 | 64 | 0.0147 -> 0.0145 (1.02 x) |
    | table | gfx1100 | 48 -> 8 | 0 | 0 | 16 | |
    | table | gfx90a | 57 -> 10 | 0 | 0 | 8 | |
    | table | sm_90 | 32 -> 16 | 0 | 0 | 64 | 0.531 -> 0.0732 (7.25 x) |
    | tail | gfx1100 | 8 | 0 | 0 | 16 | |
    | tail | gfx90a | 8 | 0 | 0 | 8 | |
    | tail | sm_90 | 12 | 0 | 0 | 64 | 0.0428 -> 0.0427 (1.00 x) |

    `python benchmarks/measure_evidence.py RP701` makes this table.

    ## Example
    ```hip
    __device__ float smooth(float x) { return x * x; }
    __device__ float sharp(float x) { return 3.0f * x; }

    __global__ void __launch_bounds__(256) shade(const float* a, float* b, int mode) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      float (*filter)(float) = mode == 1 ? smooth : sharp;
      b[i] = filter(a[i]);
    }
    ```

    ## Use instead
    ```hip
    __device__ float smooth(float x) { return x * x; }
    __device__ float sharp(float x) { return 3.0f * x; }

    __global__ void __launch_bounds__(256) shade(const float* a, float* b, int mode) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      b[i] = mode == 1 ? smooth(a[i]) : sharp(a[i]);
    }
    ```

    ## When to ignore
    Where the functions are so many or so large that a `switch` over all of them would not fit the instruction cache,
    or come from a plug-in. A callee that is called seldom and takes many registers can be better off outside: then
    the cost is wanted.

    ## Fix safety
    There is no fix: which functions a pointer may hold is a matter of the whole program.

    ## Sources
    evidence/efficacy.md section 13 (own measurements).
    """

    code = "RP701"
    name = "indirect-call"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding per call site and recursive function; those that stand in headers are one, at the kernel."""
        targets = targets_of(facts, "amd", "nvidia")
        if facts.kernel.language == "sycl" or not targets:
            return
        found = [*_through_pointers(facts), *_recursive(facts)]
        if not found:
            return
        launches = facts.kernel.launches
        small = bool(launches) and all(small_grid(launch) for launch in launches)
        severities = dict.fromkeys(targets, Severity.HINT if small else Severity.WARNING)
        groups: dict[Span, list[tuple[_Late, tuple[Note, ...]]]] = {}
        for late in found:
            where = place(facts, late.span, late.function.path, "the call")
            notes = (*where.notes, *(late.notes if where.here else ()))
            groups.setdefault(where.span, []).append((late, notes))
        for span, group in groups.items():
            (late, _), *others = group
            more = f" (and {count(len(others), 'more such call')} in headers)" if others else ""
            message = f"{late.what}{more}: it is not inlined and costs {_costs(late, targets)}"
            notes = tuple(note for _, each in group for note in each)[:_MOST_NOTES]
            yield Finding(span, message, severities, late.instead, notes, None, facts.kernel.name)


def _costs(late: _Late, targets: Sequence[str]) -> str:
    words: list[str] = []
    amd = [target for target in targets if vendor_of(target) == "amd"]
    nvidia = [target for target in targets if vendor_of(target) == "nvidia"]
    if amd:
        words.append(f"at least 44 to 58 VGPRs and a stack of unknown depth in scratch on {listing(amd)}")
    if nvidia:
        words.append(f"time on {listing(nvidia)} ({late.time} on an H200)")
    return ", ".join(words)


# --------------------------------------------------------------------------------------- virtual functions, pointers


def _through_pointers(facts: KernelFacts) -> Iterator[_Late]:
    for site in facts.calls:
        callee = site.call.callee
        if isinstance(callee, Member):
            late = _virtual(facts, site, callee)
        elif isinstance(callee, Name):
            macro = facts.file.expansion(site.call.name, len(site.call.args), {}, (), None)  # `#define u(i) u[i * n]`
            late = _pointer(facts, site, callee) if callee.variable is not None and macro is None else None
        else:
            late = _pointer(facts, site, callee)
        if late is not None:
            yield late


def _virtual(facts: KernelFacts, site: CallSite, callee: Member) -> _Late | None:
    type_ = expression_type(callee.base, facts.file.type_of)
    if type_ is None or not type_.struct or not facts.file.is_virtual(type_.name, callee.field):
        return None
    if not _open(facts, callee.base, _Use(site.function, site.loops), callee.arrow, 0):
        return None
    what = f"`{callee.field}` is a virtual function, and `{_text(facts, site, callee.base)}` may be of any class "
    what += f"derived from `{type_.name}`"
    instead = "switch over a tag that says which class it is, or make the kernel a template of the class"
    return _Late(site.call.span, site.function, what, instead, "6 to 10 x in a loop around the call")


class _Use(NamedTuple):
    """Where a name is used: function and loops around; repeated: a callee uses it in a rolled loop of its own."""

    function: Function
    loops: tuple[LoopFacts, ...]
    repeated: bool = False

    def rolled(self, outside: Variable | None = None) -> bool:
        """True if it is executed several times by one piece of code, since `outside` was declared."""
        return self.repeated or any(
            not loop.unrolled and (outside is None or not loop.loop.span.contains(outside.span)) for loop in self.loops
        )


def _open(facts: KernelFacts, expr: Expr, use: _Use, pointer: bool, depth: int) -> bool:
    """True if the class of an object (or of what a pointer points to) is not settled by the source.

    A local object's is, except in a loop that does not declare it: there the first call may change its table of
    functions, as far as the compiler knows.
    """
    if isinstance(expr, (Conditional, Member, Call)):
        return pointer
    if isinstance(expr, Cast):
        return _open(facts, expr.operand, use, pointer, depth)
    if isinstance(expr, Unary) and expr.op in ("*", "&"):
        return _open(facts, expr.operand, use, expr.op == "*", depth + 1)
    if isinstance(expr, Index):
        return pointer
    variable = expr.variable if isinstance(expr, Name) else None
    if variable is None or depth > _DEEPEST:
        return False
    if not variable.type.pointers and not variable.type.reference:
        return depth > 0 and variable.storage == "local" and use.rolled(variable)
    values = _values(facts, variable, use.function)
    if values is None:
        return variable.type.pointers > 0
    if len(values) > 1 and variable.storage == "local":
        return True
    held = bool(variable.type.pointers)
    for value, where in values:
        # An argument is used at its call site, what a local holds where the local is.
        at = use if where is None else _Use(where.function, where.loops, use.rolled())
        if _open(facts, value, at, held, depth + 1):
            return True
    return False


def _values(facts: KernelFacts, variable: Variable, function: Function) -> list[tuple[Expr, CallSite | None]] | None:
    """What a variable may hold, and for a parameter the call that says so; None for what comes from outside."""
    if variable.storage == "parameter":
        if function is facts.kernel.function or variable not in function.parameters:
            return None
        position = function.parameters.index(variable)
        sites = [site for site in facts.calls if facts.callee_of(site.call) is function]
        return [(site.call.args[position], site) for site in sites if position < len(site.call.args)]
    if variable.storage != "local":
        return None
    values = [variable.init] if variable.init is not None else []
    for assign in facts.flow_of(function).assigns:
        target: Expr = assign.target
        while isinstance(target, Index):
            target = target.base
        if assign.op == "=" and isinstance(target, Name) and target.variable is variable:
            values.append(assign.value)
    return [(value, None) for value in values]


def _pointer(facts: KernelFacts, site: CallSite, callee: Expr) -> _Late | None:
    found = _held(facts, callee, site.function, len(site.call.args), 0)
    if found is None or (len(found) < 2 and None not in found):
        return None
    names = [name for name in found if name is not None]
    text = _text(facts, site, callee)
    if len(names) > 1:
        shown = [f"`{name}`" for name in names[:_MOST_SHOWN]] + (["others"] if len(names) > _MOST_SHOWN else [])
        what = f"`{text}` may be {listing(shown)}"
        instead = "call the functions by name in a `switch` or `if`"
    else:
        what = f"`{text}` is a function pointer that is read at run time"
        instead = "call the functions by name in a `switch`, or make the function a template argument"
    return _Late(site.call.span, site.function, what, instead, "6 to 7 x in a loop around the call")


def _held(facts: KernelFacts, expr: Expr, function: Function, arity: int, depth: int) -> dict[str | None, None] | None:
    """The functions that an expression may stand for, with None among them for a pointer read at run time; None for
    what is no function pointer as far as the source shows.
    """
    if depth > _DEEPEST:
        return None
    if isinstance(expr, (Cast, Unary)):
        return _held(facts, expr.operand, function, arity, depth)
    if isinstance(expr, Conditional):
        known = evaluate(expr.test, facts.environment)
        sides = (expr.then, expr.other) if known is None else (expr.then if known else expr.other,)
        return _all_held(facts, [(side, function) for side in sides], arity, depth)
    if isinstance(expr, Index):
        return _from_table(facts, expr, function, arity, depth)
    if isinstance(expr, InitList):
        return _all_held(facts, [(item, function) for item in expr.items], arity, depth)
    if not isinstance(expr, Name):
        return None
    variable = expr.variable
    if variable is None:
        return {expr.name: None} if facts.file.find_function(expr.name, arity) is not None else None
    if variable.type.struct:
        return None
    values = _values(facts, variable, function)
    if values is None:  # a parameter of the kernel: `float (*f)(float)` reads as a pointer
        outside = variable.type.pointers == 1 and not variable.dims and variable.storage == "parameter"
        return {None: None} if outside and variable in facts.kernel.function.parameters else None
    held = [(value, function if site is None else site.function) for value, site in values]
    return _all_held(facts, held, arity, depth)


def _all_held(
    facts: KernelFacts, values: Sequence[tuple[Expr, Function]], arity: int, depth: int
) -> dict[str | None, None] | None:
    found: dict[str | None, None] = {}
    for value, where in values:
        one = _held(facts, value, where, arity, depth + 1)
        if one is None:
            return None
        found.update(one)
    return found or None


def _from_table(
    facts: KernelFacts, expr: Index, function: Function, arity: int, depth: int
) -> dict[str | None, None] | None:
    variable = expr.base.variable if isinstance(expr.base, Name) else None
    position = evaluate(expr.index, facts.environment)
    if variable is None or variable.storage in _TABLES:
        # A name from outside of the function that is indexed and called: a table of functions.
        outside = isinstance(expr.base, Name) and position is None
        return {None: None} if outside else None
    items = variable.init.items if isinstance(variable.init, InitList) else ()
    if isinstance(position, int) and 0 <= position < len(items):
        return _held(facts, items[position], function, arity, depth + 1)
    if position is not None:
        return None
    return _held(facts, expr.base, function, arity, depth + 1)


def _text(facts: KernelFacts, site: CallSite, expr: Expr) -> str:
    if site.path in ("", facts.file.path):
        return " ".join(facts.file.source.text(expr.span).split())[:40]
    return expr.name if isinstance(expr, Name) else "the object"


# ----------------------------------------------------------------------------------------------------------- recursion


def _recursive(facts: KernelFacts) -> Iterator[_Late]:
    """Functions that come back to themselves by a call that is not in tail position."""
    edges: dict[Function, list[tuple[Call, Function]]] = {}
    for site in facts.calls:
        target = facts.callee_of(site.call)
        # A qualified name may be a member of another instance of a class template.
        if target is not None and not target.template and site.call.qualified == site.call.name:
            edges.setdefault(site.function, []).append((site.call, target))
    reported: set[Function] = set()
    for function, calls in edges.items():
        for call, target in calls:
            cycle = _way_back(edges, target, function)
            if cycle is None or reported & set(cycle) or not _same_types(facts, call, target):
                continue
            back = [each for each, callee in calls if callee is target]
            if any(each.template_args for each in back) or _becomes_a_loop(facts, function, back):
                continue
            reported.update(cycle)
            through = [f"`{each.name}`" for each in cycle if each is not function]
            what = f"`{function.name}` calls itself" + (f" through {listing(through)}" if through else "")
            notes = tuple(Note(each.span, "here too") for each in back if each is not call)
            instead = "write it as a loop, with a small stack of its own if it needs one"
            yield _Late(call.span, function, what, instead, "51 x for a small sum", notes)
            break


def _way_back(
    edges: dict[Function, list[tuple[Call, Function]]], start: Function, end: Function
) -> tuple[Function, ...] | None:
    """Functions from `start` to `end`, both included."""
    pending: list[tuple[Function, ...]] = [(start,)]
    seen = {start}
    while pending:
        way = pending.pop(0)
        if way[-1] is end:
            return way
        for _, target in edges.get(way[-1], ()):
            if target not in seen:
                seen.add(target)
                pending.append((*way, target))
    return None


def _same_types(facts: KernelFacts, call: Call, target: Function) -> bool:
    """False where the call may mean another function of that name: an argument's type is not the parameter's."""
    for argument, parameter in zip(call.args, target.parameters, strict=False):
        type_, wanted = expression_type(argument, facts.file.type_of), parameter.type
        if type_ is None:
            return False
        if (type_.size, type_.lanes, type_.floating, type_.struct) != (
            wanted.size if not wanted.reference else type_.size,
            wanted.lanes,
            wanted.floating,
            wanted.struct,
        ):
            return False
    return len(call.args) == len(target.parameters)


def _becomes_a_loop(facts: KernelFacts, function: Function, calls: Sequence[Call]) -> bool:
    """True if all calls back are the last thing that happens, or one is an operand of a sum or product of integers."""
    last = {id(call) for call in _last_calls(function.body)}
    left = [call for call in calls if id(call) not in last]
    if not left:
        return True
    integer = function.return_type is not None and not function.return_type.floating and not function.return_type.struct
    accumulated = {
        id(side)
        for node in walk(function.body)
        if isinstance(node, Return) and node.value is not None
        for value in _in_value(node.value)
        if isinstance(value, Binary) and value.op in _REASSOCIATED
        for side in (value.left, value.right)
    }
    return integer and len(calls) == 1 and id(left[0]) in accumulated


def _last_calls(body: Stmt) -> Iterator[Expr]:
    for node in walk(body):
        if isinstance(node, Return) and node.value is not None:
            yield from _in_value(node.value)
    last = body.statements[-1] if isinstance(body, Block) and body.statements else None
    if isinstance(last, Evaluate):
        yield last.expression


def _in_value(value: Expr) -> Iterator[Expr]:
    if isinstance(value, Conditional):
        yield from _in_value(value.then)
        yield from _in_value(value.other)
    else:
        yield value
