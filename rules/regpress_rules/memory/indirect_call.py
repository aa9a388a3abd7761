"""RP701 indirect-call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, NamedTuple, Note, Rule, Severity, Span
from regpress_lint.api.facts import Recursion, recursive
from regpress_lint.api.report import place
from regpress_lint.api.syntax import (
    FUNCTION,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Function,
    Index,
    InitList,
    Member,
    Name,
    Unary,
    Variable,
    builtin_type,
    evaluate,
    expression_type,
    walk,
)
from regpress_lint.api.targets import amd_and_nvidia_targets, gpu
from regpress_lint.api.text import count, listing, one_line
from regpress_lint.api.worth import small_grid

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.api.facts import CallSite, LoopFacts
    from regpress_lint.api.syntax import Type


_DEEPEST = 5  # values through variables, parameters and their arguments
_TABLES = frozenset(("global", "constant", "static"))


class LateCall(NamedTuple):
    """A call that is bound at run time.

    value: the object whose class is open, or what holds the function. class_name: of a virtual function, else empty.
    names: the virtual function, or the functions that the pointer may hold, as far as they are known.
    """

    site: CallSite
    value: Expr
    class_name: str
    names: tuple[str, ...]


def through_pointers(facts: KernelFacts) -> Iterator[LateCall]:
    """Calls through a pointer, or of a virtual function of an object whose class is open."""
    for site in facts.calls:
        callee = site.call.callee
        if isinstance(callee, Member):
            late = _virtual(facts, site, callee) or _member(facts, site, callee)
        elif isinstance(callee, Name):
            macro = facts.file.expansion(site.call.name, len(site.call.args), {}, (), None)  # `#define u(i) u[i * n]`
            late = _pointer(facts, site, callee) if callee.variable is not None and macro is None else None
            if late is not None and not late.names and _is_data(facts, site, callee):
                late = None
        else:
            late = _member(facts, site, callee) or _pointer(facts, site, callee)
        if late is not None:
            yield late


def _is_data(facts: KernelFacts, site: CallSite, callee: Name) -> bool:
    """True for a parameter that points to numbers: called by its name, it is a macro of a header that was not found."""
    variable = callee.variable
    if variable is None or variable.storage != "parameter" or site.path not in ("", facts.file.path):
        return False
    written = facts.file.source.text(variable.declaration)  # `float (*f)(float)` has brackets
    return variable.type.pointers > 0 and builtin_type(variable.type.name) is not None and "(" not in written


def _virtual(facts: KernelFacts, site: CallSite, callee: Member) -> LateCall | None:
    type_ = expression_type(callee.base, facts.file.type_of)
    if type_ is None or not type_.struct or not facts.file.is_virtual(type_.name, callee.field):
        return None
    if not _open(facts, callee.base, _Use(site.function, site.loops), callee.arrow, 0):
        return None
    return LateCall(site, callee.base, type_.name, (callee.field,))


def _member(facts: KernelFacts, site: CallSite, callee: Expr) -> LateCall | None:
    """A call of a data member that is a pointer to a function: `ops.add(x)`, `(*ops->add)(x)`, `ops.of[i](x)`."""
    while isinstance(callee, (Unary, Cast, Index)):
        callee = callee.base if isinstance(callee, Index) else callee.operand
    if not isinstance(callee, Member):
        return None
    type_ = expression_type(callee, facts.file.type_of)
    if type_ is None or type_.name != FUNCTION or not _outside(facts, callee.base, site.function, 0):
        return None
    return LateCall(site, callee, "", ())


def _outside(facts: KernelFacts, expr: Expr, function: Function, depth: int) -> bool:
    """Whether an object comes from outside of the kernel, so that its content is unknown."""
    while isinstance(expr, (Member, Index, Unary, Cast)):
        expr = expr.base if isinstance(expr, (Member, Index)) else expr.operand
    variable = expr.variable if isinstance(expr, Name) else None
    if variable is None or depth > _DEEPEST:
        return False
    if variable.storage == "parameter" and variable in facts.kernel.function.parameters:
        return True
    values = _values(facts, variable, function) or ()
    places = [(value, function if site is None else site.function) for value, site in values]
    return bool(places) and all(_outside(facts, value, where, depth + 1) for value, where in places)


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
    """Whether the source does not settle the class of an object (or of a pointer's target).

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
    """The possible values of a variable, and for a parameter the call that says so; None if one comes from outside."""
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


def _pointer(facts: KernelFacts, site: CallSite, callee: Expr) -> LateCall | None:
    if _is_picked_by_copies(facts, site, callee):
        return None
    pointer = _held(facts, callee, site.function, len(site.call.args), 0)
    if pointer is None or (len(pointer) < 2 and None not in pointer):
        return None
    return LateCall(site, callee, "", tuple(name for name in pointer if name is not None))


def _is_picked_by_copies(facts: KernelFacts, site: CallSite, callee: Expr) -> bool:
    """True for an element of a table that never changes, where the counters of loops that become copies say which."""
    while isinstance(callee, (Cast, Unary)):
        callee = callee.operand
    table = callee.base.variable if isinstance(callee, Index) and isinstance(callee.base, Name) else None
    if not isinstance(callee, Index) or table is None or not isinstance(table.init, InitList):
        return False
    if not table.type.const and len(_values(facts, table, site.function) or ()) != 1:
        return False
    counters = {loop.counter for loop in site.loops if loop.unrolled}
    names = [node for node in walk(callee.index) if isinstance(node, (Name, Call, Index, Member))]
    return bool(names) and all(isinstance(name, Name) and name.variable in counters for name in names)


def _held(facts: KernelFacts, expr: Expr, function: Function, arity: int, depth: int) -> dict[str | None, None] | None:
    """The functions that an expression may stand for, with None among them for a pointer read at run time; None for
    what is no function pointer as far as the source shows.
    """
    if depth > _DEEPEST:
        return None
    if isinstance(expr, (Cast, Unary)):
        return _held(facts, expr.operand, function, arity, depth)
    if isinstance(expr, Conditional):
        settled = evaluate(expr.test, facts.source.environment)
        sides = (expr.then, expr.other) if settled is None else (expr.then if settled else expr.other,)
        return _all_held(facts, [(side, function) for side in sides], arity, depth)
    if isinstance(expr, Binary) and expr.op == "+":
        expr = Index(expr.span, expr.left, expr.right)  # `*(table + k)`
    if isinstance(expr, Index):
        return _from_table(facts, expr, function, arity, depth)
    if isinstance(expr, InitList):
        return _all_held(facts, [(item, function) for item in expr.items], arity, depth)
    if not isinstance(expr, Name):
        return None
    variable = expr.variable
    if variable is None:
        return {expr.name: None} if facts.file.find_function(expr.name, arity) is not None else None
    if variable.type.struct or "<" in variable.type.name:
        return None
    if "::" in variable.type.name and variable.type.size is None and not variable.type.pointers:
        return None  # `Eigen::Vector3f v` is not visible, and most likely an object with `operator()`
    values = _values(facts, variable, function)
    if values is None:  # a parameter of the kernel: `float (*f)(float)` reads as a pointer
        type_ = variable.type
        pointer = type_.name == FUNCTION or (type_.pointers == 1 and _may_be_function(facts, type_))
        outside = variable in facts.kernel.function.parameters or (variable.storage in _TABLES and not type_.const)
        return {None: None} if outside and pointer and not type_.reference and not variable.dims else None
    held = [(value, function if site is None else site.function) for value, site in values]
    if variable.storage == "parameter" and "noinline" not in function.qualifiers:
        return _of_inlined(facts, held, arity, depth)
    return _all_held(facts, held, arity, depth)


def _may_be_function(facts: KernelFacts, type_: Type) -> bool:
    """Whether a pointer may be one to a function; what a template or an unseen class is called has `operator()`."""
    if type_.pointee_size is not None or type_.name == FUNCTION or builtin_type(type_.name) is not None:
        return True
    meant = facts.file.type_of(type_.name)
    return meant is not None and (meant.name == FUNCTION or (meant.name.endswith(")") and not meant.struct))


def _of_inlined(
    facts: KernelFacts, arguments: Sequence[tuple[Expr, Function]], arity: int, depth: int
) -> dict[str | None, None] | None:
    """The possible values of a parameter in one copy of a function: each call has a copy, which knows its argument."""
    possible = [_held(facts, value, where, arity, depth + 1) for value, where in arguments]
    settled = [functions for functions in possible if functions is not None]
    if not settled or len(settled) < len(possible):
        return None
    unsettled = [functions for functions in settled if len(functions) > 1 or None in functions]
    return {name: None for functions in unsettled or settled[:1] for name in functions}


def _all_held(
    facts: KernelFacts, values: Sequence[tuple[Expr, Function]], arity: int, depth: int
) -> dict[str | None, None] | None:
    held: dict[str | None, None] = {}
    for value, where in values:
        functions = _held(facts, value, where, arity, depth + 1)
        if functions is None:
            return None
        held.update(functions)
    return held or None


def _from_table(
    facts: KernelFacts, expr: Index, function: Function, arity: int, depth: int
) -> dict[str | None, None] | None:
    variable = expr.base.variable if isinstance(expr.base, Name) else None
    position = evaluate(expr.index, facts.source.environment)
    if variable is not None and not variable.type.pointers and not variable.dims:
        return None  # an object with `operator[]`
    if variable is None or variable.storage in _TABLES:
        # A name from outside of the function that is indexed and called: a table of functions.
        outside = isinstance(expr.base, Name) and position is None and not facts.kernel.layer
        return {None: None} if outside else None
    items = variable.init.items if isinstance(variable.init, InitList) else ()
    if isinstance(position, int) and 0 <= position < len(items):
        return _held(facts, items[position], function, arity, depth + 1)
    if position is not None:
        return None
    return _held(facts, expr.base, function, arity, depth + 1)


_MOST_NOTES = 5
_MOST_SHOWN = 3
_LONGEST_SHOWN = 40


class _Late(NamedTuple):
    """A call for the message: what it is, its replacement, and its measured time."""

    span: Span
    function: Function
    what: str
    instead: str
    time: str
    notes: tuple[Note, ...] = ()


class IndirectCall(Rule):
    """A call whose target the compiler does not know: virtual, through a pointer, or recursive."""

    code = "RP701"
    name = "indirect-call"
    vendors = ("amd", "nvidia")
    needs = ("calls",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding per call site and recursive function; those in headers are one, at the kernel."""
        targets = amd_and_nvidia_targets(facts)
        calls = [*(_bound_late(facts, call) for call in through_pointers(facts)), *map(_recursion, recursive(facts))]
        if not calls:
            return
        launches = facts.kernel.launches
        small = bool(launches) and all(small_grid(launch) for launch in launches)
        severities = dict.fromkeys(targets, Severity.HINT if small else Severity.WARNING)
        groups: dict[Span, list[tuple[_Late, tuple[Note, ...]]]] = {}
        for late in calls:
            where = place(facts, late.span, late.function.path, "the call")
            notes = (*where.notes, *(late.notes if where.here else ()))
            groups.setdefault(where.span, []).append((late, notes))
        for span, group in groups.items():
            (late, _), *others = group
            more = f" (and {count(len(others), 'more such call')} in headers)" if others else ""
            message = f"{late.what}{more}: it is not inlined and costs {_costs(late, targets)}"
            notes = tuple(note for _, group_notes in group for note in group_notes)[:_MOST_NOTES]
            yield Finding(span, message, severities, late.instead, notes)


def _bound_late(facts: KernelFacts, call: LateCall) -> _Late:
    text = _written(facts, call)
    if call.class_name:
        what = f"`{call.names[0]}` is a virtual function, and `{text}` may be of any class derived from "
        what += f"`{call.class_name}`"
        instead = "switch over a tag that says which class it is, or make the kernel a template of the class"
        return _Late(call.site.call.span, call.site.function, what, instead, "6 to 10 x in a loop around the call")
    if len(call.names) > 1:
        shown = [f"`{name}`" for name in call.names[:_MOST_SHOWN]]
        what = f"`{text}` may be {listing([*shown, 'others'] if len(call.names) > _MOST_SHOWN else shown)}"
        instead = "call the functions by name in a `switch` or `if`"
    else:
        what = f"`{text}` is a function pointer that is read at run time"
        instead = "call the functions by name in a `switch`, or make the function a template argument"
    return _Late(call.site.call.span, call.site.function, what, instead, "6 to 7 x in a loop around the call")


def _written(facts: KernelFacts, call: LateCall) -> str:
    """The object or pointer as it is written, cut short."""
    if call.site.path in ("", facts.file.path):
        return one_line(facts.file.source, call.value.span)[:_LONGEST_SHOWN]
    return call.value.name if isinstance(call.value, Name) else "the object"


def _recursion(recursion: Recursion) -> _Late:
    through = f" through {listing(f'`{name}`' for name in recursion.through)}" if recursion.through else ""
    what = f"`{recursion.function.name}` calls itself{through}"
    instead = "write it as a loop, with a small stack of its own if it needs one"
    notes = tuple(Note(call.span, "here too") for call in recursion.others)
    return _Late(recursion.call.span, recursion.function, what, instead, "51 x for a small sum", notes)


def _costs(late: _Late, targets: Sequence[str]) -> str:
    words: list[str] = []
    amd = [target for target in targets if gpu(target).is_amd]
    nvidia = [target for target in targets if gpu(target).is_nvidia]
    if amd:
        words.append(f"at least 44 to 58 VGPRs and a stack of unknown depth in scratch on {listing(amd)}")
    if nvidia:
        words.append(f"time on {listing(nvidia)} ({late.time} on an H200)")
    return ", ".join(words)
