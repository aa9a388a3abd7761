"""Calls reachable from a kernel, through functions that compilers inline; recursion, and branches that are removed."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import WORD
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.lexical import bare_name, pack_meanings
from regpress_lint.cpp.syntax_tree import (
    Binary,
    Block,
    Call,
    Conditional,
    Evaluate,
    Expr,
    Function,
    If,
    Member,
    Name,
    Return,
    Stmt,
)
from regpress_lint.cpp.traversal import nodes_of
from regpress_lint.cpp.typing_rules import closest, expression_type, fits
from regpress_lint.targets.costs import library_key
from regpress_lint.targets.library import PLAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence, Set

    from regpress_lint.cpp.environment import Environment
    from regpress_lint.cpp.syntax_tree import TemplateParameter, Type
    from regpress_lint.program.file import File
    from regpress_lint.source.cfg import Flow
    from regpress_lint.source.loop_facts import LoopFacts


# Whether a function that calls itself is a loop to the compiler, or a call of a function that is not inlined.


_REASSOCIATED = frozenset(("+", "*", "&", "|", "^"))


def may_mean(call: Call, target: Function, type_of: Callable[[Expr], Type | None]) -> bool:
    """False where a call may mean another function of that name: an argument's type is not the parameter's."""
    for argument, parameter in zip(call.args, target.parameters, strict=False):
        type_, wanted = type_of(argument), parameter.type
        if type_ is None or (type_.pointers and wanted.pointers and type_.name != wanted.name):
            return False
        if (type_.size, type_.lanes, type_.floating, type_.struct) != (
            wanted.size if not wanted.reference else type_.size,
            wanted.lanes,
            wanted.floating,
            wanted.struct,
        ):
            return False
    return len(call.args) == len(target.parameters)


def becomes_a_loop(function: Function, calls: Sequence[Call]) -> bool:
    """True if all its calls of itself are the last thing that happens, or one is an operand of a sum or product of
    integers.
    """
    last = {id(call) for call in _last_calls(function)}
    inner = [call for call in calls if id(call) not in last]
    if not inner:
        return True
    integer = function.return_type is not None and not function.return_type.floating and not function.return_type.struct
    accumulated = {
        id(side)
        for node in nodes_of(function)
        if isinstance(node, Return) and node.value is not None
        for value in _in_value(node.value)
        if isinstance(value, Binary) and value.op in _REASSOCIATED
        for side in (value.left, value.right)
    }
    return integer and len(calls) == 1 and id(inner[0]) in accumulated


def _last_calls(function: Function) -> Iterator[Expr]:
    for node in nodes_of(function):
        if isinstance(node, Return) and node.value is not None:
            yield from _in_value(node.value)
        elif isinstance(node, Block):
            for statement, after in pairwise(node.statements):
                if isinstance(after, Return) and after.value is None:
                    yield from _ending(statement)
    yield from _ending(function.body)


def _ending(statement: Stmt) -> Iterator[Expr]:
    """The expressions that a statement evaluates last, if nothing follows it: of branches the last of each."""
    if isinstance(statement, Evaluate):
        yield statement.expression
    elif isinstance(statement, Block) and statement.statements:
        yield from _ending(statement.statements[-1])
    elif isinstance(statement, If):
        yield from _ending(statement.then)
        if statement.other is not None:
            yield from _ending(statement.other)


def _in_value(value: Expr) -> Iterator[Expr]:
    if isinstance(value, Conditional):
        yield from _in_value(value.then)
        yield from _in_value(value.other)
    else:
        yield value


MAX_DEPTH = 6
MOST_INSTANTIATIONS = 32  # of one body in one walk: without a bound a walk has no end where the source shows none
# Names of the device libraries that no project defines again, but for its vectors and classes: looking for them would
# read every header in view.
# Operations that projects do define again for more types (atomicAdd, min, max, pow, shuffles) are looked for.
_LIBRARY = frozenset(
    (
        *("__syncthreads", "__syncwarp", "__threadfence", "__threadfence_block", "__threadfence_system", "printf"),
        *("__ldg", "__popc", "__popcll", "__clz", "__clzll", "__ffs", "__ffsll", "__ballot_sync", "__activemask"),
        *("__float2int_rn", "__int2float_rn", "__fdividef", "__expf", "__logf", "__sinf", "__cosf", "__powf"),
        *("sqrt", "sqrtf", "rsqrtf", "exp", "expf", "exp2f", "log", "logf", "log2f", "sin", "sinf", "cos", "cosf"),
        *("fabs", "fabsf", "fmaf", "floorf", "ceilf", "fminf", "fmaxf", "powf", "tanhf", "atan2f", "assert"),
        *("make_float2", "make_float4", "make_double2", "make_int2", "make_int4", "make_uint2", "make_uint4"),
        *("get_global_id", "get_local_id", "get_group", "get_local_range", "get_global_range", "barrier"),
    )
)


class CallSite:
    """One call. chain: functions from the kernel's body to the one where it stands, both included; path: its file."""

    __slots__ = ("_loop", "_loops_of", "call", "chain", "function", "path")

    def __init__(
        self, call: Call, chain: tuple[Function, ...], loop: int, loops_of: Callable[[Function], tuple[LoopFacts, ...]]
    ) -> None:
        self.call = call
        self.chain = chain
        self.function = chain[-1]
        self.path = self.function.path
        self._loop = loop
        self._loops_of = loops_of

    @property
    def loops(self) -> tuple[LoopFacts, ...]:
        """Loops around it in its function, outermost first. Of a kernel with arrays they take an execution."""
        return self._loops_of(self.function)[self._loop].chain() if self._loop >= 0 else ()


def callee(call: Call, file: File) -> Function | None:
    """Definition of a called device or member function; None for library functions and unknown ones.

    Of several with that name and number of arguments it is the one that the types of the arguments mean.
    """
    if isinstance(call.callee, Member) or (isinstance(call.callee, Name) and call.callee.variable is not None):
        return member_callee(call, file)
    is_of_library = call.name in PLAIN or library_key(call.name, None) is not None
    if not call.name or (is_of_library and call.qualified == f"std::{call.name}"):
        return None
    if call.qualified in _LIBRARY and not any(_is_object(expression_type(arg, file.type_of)) for arg in call.args):
        return None
    function = file.find_function(call.qualified, len(call.args))
    if function is not None and call.args:
        owner, _, last = call.qualified.rpartition("::")
        others = file.methods(owner, last, len(call.args)) if owner else ()
        others = others or file.overloads(call.qualified, len(call.args))
        several = len(others) > 1 and function in others
        types = [expression_type(arg, file.type_of) for arg in call.args] if several or is_of_library else []
        if several:
            function = closest(file.allowed(others, types, call.template_args), types, len(call.template_args))
        if is_of_library and not fits(function, types):  # `abs` of a number, and the project's is of its complex class
            return None
    return function if function is None or "global" not in function.qualifiers else None


def _is_object(type_: Type | None) -> bool:
    """True for types that no function of the device libraries takes: a project's own `sqrtf` of a `float4`."""
    return type_ is not None and not type_.pointers and (type_.struct or type_.lanes > 1)


def member_callee(call: Call, file: File) -> Function | None:
    """Definition of a member function that is called on an object of a known class, or of its `operator()`."""
    callee = call.callee
    if isinstance(callee, Member):
        owner, name = expression_type(callee.base, file.type_of), callee.field
    elif isinstance(callee, Name) and callee.variable is not None:
        owner, name = callee.variable.type, "operator()"
    else:
        return None
    if owner is None or not owner.struct or (owner.pointers and name == "operator()"):
        return None
    if file.is_virtual(owner.name, name):
        return None  # which one is called is for the object to say
    return file.method(owner.name, name, len(call.args))


class Entered:
    """Functions that a walk has entered: each once, and a body that is instantiated from itself so many times.

    `Iterate<I + 1, N>::run` within `Iterate<I, N>::run` is another function each time. An explicit specialisation ends
    it, which is only reached if N is known.
    """

    __slots__ = ("_bodies", "_functions")

    def __init__(self, *functions: Function) -> None:
        self._functions: set[Function] = set()
        self._bodies: dict[tuple[str, int], int] = {}
        for function in functions:
            self.first(function)

    def first(self, function: Function) -> bool:
        """Whether the walk should enter a function now."""
        body = function.path, function.body_span.start
        entered = self._bodies.get(body, 0)
        if entered >= MOST_INSTANTIATIONS or function in self._functions:
            return False
        self._functions.add(function)
        self._bodies[body] = entered + 1
        return True


def reachable(
    function: Function,
    flow_of: Callable[[Function], Flow],
    loops_of: Callable[[Function], tuple[LoopFacts, ...]],
    callee_of: Callable[[Call], Function | None],
) -> Iterator[CallSite]:
    """Calls of a kernel's function and of those it calls, up to `MAX_DEPTH` levels; each function is entered once."""
    entered = Entered(function)
    pending: list[tuple[Function, ...]] = [(function,)]
    while pending:
        chain = pending.pop(0)
        function_here = chain[-1]
        for record in flow_of(function_here).calls:
            yield CallSite(record.call, chain, record.loop, loops_of)
            target = callee_of(record.call)
            if target is not None and len(chain) <= MAX_DEPTH and entered.first(target):
                pending.append((*chain, target))


# What a call says about the template that it means.


def template_types(
    function: Function,
    call: Call,
    type_of: Callable[[Expr], Type | None],
    is_function: Callable[[str], bool],
    sizes_of: Callable[[Expr], tuple[int, ...]] = lambda _arg: (),
) -> dict[str, str]:
    """Texts of the types of a function's template parameters (and of functions), as a call gives them or the types of
    its arguments do. sizes_of: the extents of an argument that is an array.
    """
    names = {parameter.name for parameter in function.template if parameter.is_type}
    bound: dict[str, str] = {}
    for template, text in zip(function.template, call.template_args, strict=False):
        several = template.is_pack and len(call.template_args) > len(function.template)
        if several and template.is_type and template is function.template[-1]:
            bound |= pack_meanings(template.name, call.template_args[len(function.template) - 1 :])
        elif not several and (template.is_type or is_function(text)):
            bound[template.name] = text.lstrip("& ")
    for arg, parameter in zip(call.args, function.parameters, strict=False):
        name = parameter.type.name
        if "<" in name:
            bound.update(deduced(type_of, name, arg, names - bound.keys()))
        type_ = type_of(arg) if name in names and name not in bound else None
        if type_ is not None and type_.size is not None and type_.name not in names and type_.name != "auto":
            depth = type_.pointers - parameter.type.pointers - len(parameter.dims)
            const = "const " if depth > 0 and type_.pointee_const else ""
            sizes = sizes_of(arg) if depth > 0 and parameter.type.reference else ()
            marks = "".join(f"[{size}]" for size in sizes) if len(sizes) == depth else "*" * depth
            bound[name] = f"{const}{type_.name}{marks}"
    for template, text in default_arguments(function, call):
        if template.name not in bound and (template.is_type or is_function(text)):
            bound[template.name] = WORD.sub(lambda word: bound.get(word[0], word[0]), text).lstrip("& ")
    return bound


def deduced(type_of: Callable[[Expr], Type | None], wanted: str, arg: Expr, names: Set[str]) -> dict[str, str]:
    """The values that the type of an argument gives to `names` where a parameter is `Vec<T>`."""
    from regpress_lint.cpp.names.definition_nodes import arguments_in

    parameters = arguments_in(wanted)
    type_ = type_of(arg) if names & set(parameters) else None
    arguments = arguments_in(type_.name) if type_ is not None else ()
    if type_ is None or len(arguments) != len(parameters) or bare_name(type_.name) != bare_name(wanted):
        return {}
    return {name: text for name, text in zip(parameters, arguments, strict=True) if name in names and text not in names}


def default_arguments(function: Function, call: Call) -> Iterator[tuple[TemplateParameter, str]]:
    """Template parameters that neither the call's template arguments nor its arguments say, with their defaults."""
    for parameter in function.template[len(call.template_args) :]:
        if parameter.default is not None and not _is_deduced(function, call, parameter):
            yield parameter, parameter.default


def _is_deduced(function: Function, call: Call, parameter: TemplateParameter) -> bool:
    """True if an argument's type may say what a template parameter is; a default argument of the function does not."""
    for _, parameter_of in zip(call.args, function.parameters, strict=False):
        if parameter.name in WORD.findall(parameter_of.type.name):
            return True
        if parameter_of.type.reference and parameter_of.type.pointers and not parameter.is_type:  # `float (&x)[N]`
            return True
    return False


# Code that the compiler removes because a condition is a constant.


def dead_branches(function: Function, environment: Environment) -> Iterator[Expr | Stmt]:
    """Branches of a function, and sides of `? :`, that a constant condition never takes."""
    for node in nodes_of(function):
        if isinstance(node, (If, Conditional)) and (value := evaluate(node.test, environment)) is not None:
            skipped = node.other if value else node.then
            if skipped is not None:
                yield skipped
