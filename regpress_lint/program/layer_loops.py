"""The code that a portability layer executes around a kernel's body: its loops, and indices from the thread's place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Block,
    Call,
    Case,
    Conditional,
    Constant,
    Declare,
    Evaluate,
    If,
    Index,
    Label,
    LambdaExpr,
    Loop,
    Member,
    Name,
    Return,
    Switch,
    Type,
    Variable,
    coordinate,
)
from regpress_lint.cpp.traversal import walk_outside_lambdas
from regpress_lint.cpp.types import pointer_to
from regpress_lint.targets.costs import LEAGUE, REDUCTION, SCAN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree import Expr, Function, Stmt

    Around = Callable[[Sequence[Variable], Sequence[Variable], Block], Block | None]


# The loops in which a portability layer executes a kernel's body, in our own tree.
#
# They decide registers: values that the body reads through arguments or computes from constants stay alive around
# them. Read in Kokkos 4.6 (`core/src/{Cuda,HIP}/Kokkos_*_ParallelFor_Range.hpp`, `impl/KokkosExp_IterateTileGPU.hpp`):
# an index of `unsigned int` steps through the grid, MDRange is one loop over tiles for each of up to three dimensions,
# in 64 bits. nvcc 13.0.88 and clang 19.1.7 give such a loop around the body the registers of Kokkos' own kernel for
# seven of eight.


_UNSIGNED, _LONG = Type("unsigned int", 4, signed=False), Type("long", 8)
_DOUBLE = Type("double", 8, floating=True)
_AXES = "xyz"
_FORMS = frozenset(("parallel_for", "parallel_reduce", "parallel_scan", "functor"))
_MEMBER = pattern(r"\bmember|[Mm]ember(?:_?[Tt]ype)?$|\bTeam(?:Member|Handle)?\b")
_TILED = pattern(r"\bMDRange\w*|\bRank\s*<")
_WIDE = pattern(r"\bIndexType\s*<\s*(?:std::)?(?:u?int64_t|size_t|ptrdiff_t|(?:unsigned )?long)\b")
_TEAM = pattern(r"\bTeam(?:Policy|VectorPolicy)\b|\bteam_policy\b")
# AMReX: functions that reduce what the body returns. RAJA: policies whose blocks go over the range several times.
_REDUCTIONS = frozenset(
    ("eval", "ParReduce", "ReduceSum", "ReduceMin", "ReduceMax", "ReduceMinMax", "ReduceLogicalAnd", "ReduceLogicalOr")
)
_STEPPING = pattern(r"\b(?:cuda|hip|sycl)_exec_(?:with_reduce|occ_calc|occ_max|rec_for_reduce|grid)|_grid_loop\b")
_MOST_TILED = 3  # dimensions: of more, several share one of the grid


def looped(
    layer: str, form: str, policy: str, indices: Sequence[Variable], others: Sequence[Variable], body: Block
) -> Block | None:
    """The code that the kernel of a layer executes around a body with these indices; None for the body itself.

    others: parameters of the body that are not indices.
    """
    form = form.rpartition("::")[2]
    if layer == "AMReX":
        return _given_back(body) if form in _REDUCTIONS else None
    if layer == "RAJA":
        return _range_of_grid(indices[0], body) if indices and _STEPPING.search(policy) else None
    if layer != "Kokkos" or form not in _FORMS:
        return None
    results = [
        variable
        for variable in others
        if variable.type.reference and not variable.type.const and not _is_team(variable.type)
    ]
    gathers = bool(results) and form != "parallel_for"
    inner = _called(body)
    if _TEAM.search(policy) or (not indices and any(_is_team(variable.type) for variable in others)):
        around = _league(inner)
    elif not indices:
        around = None
    elif _TILED.search(policy) or len(indices) > 1:
        around = _tiles(indices, inner) if len(indices) <= _MOST_TILED else None
    else:
        type_ = _LONG if _WIDE.search(policy) else _UNSIGNED
        around = _shared_out(indices[0], inner, type_) if gathers else _strided(indices[0], inner, type_)
    if not gathers:
        return around
    is_scan = form == "parallel_scan" or any(variable.type.name == "bool" for variable in others)
    return _gathering(results, around or inner, scan=is_scan)


def _is_team(type_: Type) -> bool:
    """True for the member of a team that a body is given: nothing is gathered in it."""
    return _MEMBER.search(type_.name) is not None


def _gathering(results: Sequence[Variable], body: Block, *, scan: bool) -> Block:
    """A body that adds to a place in the memory of the block, and the layer's processing of all of these."""
    span = body.span
    declared: list[Stmt] = []
    behind: list[Stmt] = []
    for result in results:
        element = result.type._replace(reference=False)
        if element.size is None:
            element = _DOUBLE
        whole = Variable(f"{result.name} of all threads", element, span, span, "shared", (None,), unsized_shared=True)
        result.init = Index(span, _name(span, whole), coordinate(span, "threadIdx", "y"))
        result.type = element._replace(reference=True)
        declared += [Declare(span, (whole,)), Declare(span, (result,))]
        name = SCAN if scan else REDUCTION
        behind.append(Evaluate(span, Call(span, Name(span, name), name, name, (_name(span, result),))))
    return Block(span, (*declared, body, *behind))


def _given_back(body: Block) -> Block:
    """A body whose result is gathered over all threads."""
    span = body.span
    value = Call(span, LambdaExpr(span, (), body), "", "", ())
    return Block(span, (Evaluate(span, Call(span, Name(span, REDUCTION), REDUCTION, REDUCTION, (value,))),))


def _range_of_grid(index: Variable, body: Block) -> Block:
    """A loop that steps through a range by the size of the grid, and that a compiler can count."""
    span = body.span
    work, size = _local(span, "work index", _LONG, _thread(span, "x")), _argument(span, "size of the grid", _LONG)
    move = Assign(span, "+=", _name(span, work), size)
    return Block(span, (_loop(work, _argument(span, "length", _LONG), move, index, _called(body)),))


def _loop(work: Variable, end: Expr, move: Expr, index: Variable, body: Stmt) -> Loop:
    """`for (work = ...; work < end; move) { index = work; body }`."""
    span = body.span
    set_index = Evaluate(span, Assign(span, "=", _name(span, index), _name(span, work)))
    inside = Binary(span, "<", _name(span, work), end)
    return Loop(span, "for", (Declare(span, (work,)),), inside, move, Block(span, (set_index, body)))


def _name(span: Span, variable: Variable) -> Name:
    return Name(span, variable.name, variable)


def _league(body: Block) -> Block:
    """A loop over the teams that a block works on. The address of a large scratch stays live across it; it is set at
    run time, so it costs registers even if no scratch is requested.
    """
    span = body.span
    slots = Variable("slots of scratch", _LONG, span, span, "shared", (None,), unsized_shared=True)
    slot = _local(span, "slot of scratch", _LONG, Index(span, _name(span, slots), coordinate(span, "threadIdx", "y")))
    league = _local(span, "league rank", Type("int", 4), coordinate(span, "blockIdx", "x"))
    at, most = _name(span, league), _argument(span, "league size", Type("int", 4))
    set_rank = Evaluate(span, Call(span, Name(span, LEAGUE), LEAGUE, LEAGUE, (at,)))
    inside = Binary(span, "<", at, most)
    step = Assign(span, "+=", at, coordinate(span, "gridDim", "x"))
    loop = Loop(span, "for", (Declare(span, (league,)),), inside, step, Block(span, (set_rank, body)))
    held = Index(span, _argument(span, "locks of scratch", pointer_to(_UNSIGNED)), _name(span, slot))
    release = Evaluate(span, Assign(span, "=", held, Constant(span, 0, "int")))
    return Block(span, (Declare(span, (slots,)), Declare(span, (slot,)), loop, release))


def _shared_out(index: Variable, body: Block, type_: Type) -> Block:
    """A loop over the part of a range that a block has: its threads step by the size of the block."""
    span = body.span
    begin = _plus(span, _argument(span, "first of the block", type_), coordinate(span, "threadIdx", "y"))
    work = _local(span, "work index", type_, begin)
    step = Assign(span, "+=", _name(span, work), coordinate(span, "blockDim", "y"))
    return Block(span, (_loop(work, _argument(span, "end of the block", type_), step, index, body),))


def _called(body: Block) -> Block:
    """A body that is left by `return`, as a lambda: it leaves no loop around it."""
    if not any(isinstance(node, Return) for node in walk_outside_lambdas(body)):
        return body
    span = body.span
    closure = LambdaExpr(span, (), body)
    return Block(span, (Evaluate(span, Call(span, closure, "", "", ())),))


def _strided(index: Variable, body: Block, type_: Type) -> Block:
    """A loop that steps through the range by the size of the grid."""
    span = body.span
    work = _local(
        span, "work index", type_, _plus(span, _argument(span, "first of the range", type_), _thread(span, "y"))
    )
    # What is made of arguments alone is in uniform registers or scalar ones, which nobody counts: as arguments are.
    names = ("end of the range", "size of the grid", "last step of the range")
    at, (last, step, most) = _name(span, work), (_argument(span, name, type_) for name in names)
    near = Binary(span, "<", at, most)
    move = Assign(span, "=", at, Conditional(span, near, Binary(span, "+", at, step), last))
    return Block(span, (_loop(work, last, move, index, body),))


def _tiles(indices: Sequence[Variable], body: Block) -> Block:
    """Loops over tiles, that of the last index outermost; a thread has one place in each."""
    span, inner = body.span, body
    for axis, index in enumerate(indices):
        size, first, end, most = (
            _argument(span, f"{part} of dimension {axis}", _LONG) for part in ("tile", "lower", "upper", "tiles")
        )
        number = _local(span, f"tile {axis}", _LONG, coordinate(span, "blockIdx", _AXES[axis]))
        name = _name(span, number)
        thread = coordinate(span, "threadIdx", _AXES[axis])
        sum_ = _plus(span, _plus(span, Binary(span, "*", name, size), thread), first)
        offset = _local(span, f"offset {axis}", _LONG, sum_)
        at = _name(span, offset)
        inside = Binary(span, "&&", Binary(span, "<", at, end), Binary(span, "<", thread, size))
        set_index = Evaluate(span, Assign(span, "=", _name(span, index), at))
        step = Assign(span, "+=", name, coordinate(span, "gridDim", _AXES[axis]))
        whole = Block(span, (Declare(span, (offset,)), If(span, inside, Block(span, (set_index, inner)), None)))
        loop = Loop(span, "for", (Declare(span, (number,)),), Binary(span, "<", name, most), step, whole)
        inner = Block(span, (loop,))
    return inner


def _local(span: Span, name: str, type_: Type, init: Expr) -> Variable:
    return Variable(name, type_, span, span, "local", init=init)


def _argument(span: Span, name: str, type_: Type) -> Expr:
    return _name(span, Variable(name, type_, span, span, "parameter"))


def _plus(span: Span, left: Expr, right: Expr) -> Expr:
    return Binary(span, "+", left, right)


def _thread(span: Span, axis: str) -> Expr:
    """A thread's place in a grid of blocks that lie along `axis`, which the grid counts along x."""
    block = Binary(span, "*", coordinate(span, "blockDim", axis), coordinate(span, "blockIdx", "x"))
    return _plus(span, coordinate(span, "threadIdx", axis), block)


# The work of a portability layer around a kernel's body: indices from the thread's place, elements from memory.
#
# `[=](int i, int j)` is called with indices that differ from thread to thread; as parameters they would be arguments of
# the kernel, equal for all. The functor of `transform` is given an element of a range, and its result is stored.


_INT = Type("int", 4)
_INDEX_NAME = pattern(r"(?:\w*::)*(?:auto|\w*(?:[Ii]dx|[Ii]ndex|size|[Oo]rdinal|Long)(?:_?[Tt](?:ype)?)?)")
_RESULT = "result of the operation"


def threaded(function: Function, *, elements: bool, around: Around | None = None) -> Function:
    """A function that was lowered for this, as a kernel: numbers among its parameters become the place of its thread.

    elements: its other arguments, and its result, are one element of a range for each thread. around: the loops around
    the body, built from its indices.
    """
    indices: list[Variable] = []
    parameters: list[Variable] = []
    axes = 0
    for parameter in function.parameters:
        if _is_index(parameter.type):
            parameter.init = _global_index(parameter.span, _AXES[min(axes, 2)])
            axes += 1
        elif elements and parameter.name and not parameter.type.pointers:
            parameters.append(_range_of(parameter.type, f"{parameter.name} of all", parameter.span))
            parameter.init = _element(parameters[-1], parameter.span)
        else:
            parameters += [parameter] if parameter.name else []
            continue
        parameter.storage = "local"
        indices.append(parameter)
    statements = function.body.statements
    if elements and _returns(statements):
        type_ = function.return_type if function.return_type is not None and function.return_type.size else _INT
        parameters.append(_range_of(type_, _RESULT, function.name_span))
        statements = tuple(_stored(statement, parameters[-1]) for statement in statements)
    declared = tuple(Declare(variable.declaration, (variable,)) for variable in indices)
    function.parameters = tuple(parameters)
    if around is not None:
        function.around = around(indices, parameters, Block(function.body.span, statements))
    function.body = Block(function.body.span, (*declared, *statements))
    return function


def _is_index(type_: Type) -> bool:
    if type_.pointers or type_.floating or type_.struct or type_.lanes > 1 or (type_.reference and not type_.const):
        return False
    return type_.name != "bool" if type_.size else _INDEX_NAME.fullmatch(type_.name) is not None


def _range_of(element: Type, name: str, span: Span) -> Variable:
    pointer = element._replace(
        size=8, pointers=1, pointee_size=element.size, reference=False, const=False, pointee_const=element.const
    )
    return Variable(name, pointer, span, span, "parameter")


def _element(of: Variable, span: Span) -> Expr:
    return Index(span, _name(span, of), _global_index(span, "x"))


def _global_index(span: Span, axis: str) -> Expr:
    """`blockIdx.x * blockDim.x + threadIdx.x`."""
    block, size, thread = (
        Member(span, Name(span, name), axis, arrow=False) for name in ("blockIdx", "blockDim", "threadIdx")
    )
    return Binary(span, "+", Binary(span, "*", block, size), thread)


def _returns(statements: tuple[Stmt, ...]) -> bool:
    return any(isinstance(statement, Return) and statement.value is not None for statement in _all(statements))


def _all(statements: tuple[Stmt, ...]) -> list[Stmt]:
    """Statements and those in them."""
    statements_found = list(statements)
    for statement in statements_found:
        statements_found += _inside(statement)
    return statements_found


def _inside(statement: Stmt) -> tuple[Stmt, ...]:
    match statement:
        case Block() | Case():
            return statement.statements
        case If():
            return (statement.then, *((statement.other,) if statement.other is not None else ()))
        case Loop() | Switch():
            return (statement.body,)
        case Label():
            return (statement.statement,) if statement.statement is not None else ()
    return ()


def _stored(statement: Stmt, result: Variable) -> Stmt:
    """The statement with each `return value` in it a write to the result's range."""
    match statement:
        case Return() if statement.value is not None:
            span = statement.span
            write = Evaluate(span, Assign(span, "=", _element(result, span), statement.value))
            return Block(span, (write, Return(span, None)))
        case Block() | Case():
            statement.statements = tuple(_stored(node, result) for node in statement.statements)
        case If():
            statement.then = _stored(statement.then, result)
            statement.other = _stored(statement.other, result) if statement.other is not None else None
        case Loop() | Switch():
            statement.body = _stored(statement.body, result)
        case Label() if statement.statement is not None:
            statement.statement = _stored(statement.statement, result)
    return statement
