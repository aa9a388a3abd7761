"""Which arrays a loop indexes, and with what, as its text says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Declare, Expr, Index, Loop, Name, Variable
from regpress_lint.model.interpreter.loop_text import inside_of, names_one, nodes
from regpress_lint.model.interpreter.loop_writes import assigned, is_private, own_array, pointed_array, root_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from regpress_lint.model.interpreter.machine import Machine


def indexed_arrays(machine: Machine, loop: Loop) -> tuple[Variable, ...]:
    """Arrays of the thread, and objects with arrays in them, that the text indexes, also by a pointer, with a value
    that the loop, or one inside, changes; for a compiler that asks so, the loop itself.
    """
    key = loop, machine.this
    variables = machine.known.arrays_in.get(key)
    if variables is None:
        changed = _changed_inside(machine, loop)
        # A body that reads LDS is counted as larger than LLVM's is when it asks again: it keeps the looser rule.
        if machine.compiler.unrolling.own_counter and not shared_arrays(machine, loop):
            changed = frozenset(changed) - _counters_inside(machine, loop, changed)
        seen = _indexed_with(machine, loop, changed)
        seen.update(dict.fromkeys(_handed_to_macros(machine, loop, changed)))
        variables = machine.known.arrays_in[key] = tuple(seen)
    # What a pointer or a reference points to differs from one call of the function around the loop to the next.
    reached = (root if is_private(root) else pointed_array(machine, root) for root in variables)
    return tuple(dict.fromkeys(root for root in reached if root is not None))


def _indexed_with(machine: Machine, loop: Loop, changed: Collection[Variable]) -> dict[Variable, None]:
    """The variables that a loop's text indexes with some others."""
    seen: dict[Variable, None] = {}
    for node in inside_of(machine, loop).indexes:
        root = root_of(machine, node)
        if root is None or root in seen or not (root.dims or root.type.pointers or _is_part(machine, root, node)):
            continue
        if any(isinstance(expr, Name) and _may_change(expr, changed) for expr in nodes(node.index)):
            seen[root] = None
    return seen


def indexes_itself(machine: Machine, loop: Loop) -> bool:
    """True if an array of the thread is indexed with what changes with the loop itself, and no array with that and the
    counter of a loop inside at once, which copies of the latter do not make constant: `v[(i + j) % 8]`.
    """
    changed = _changed_inside(machine, loop)
    counters = _counters_inside(machine, loop, changed)
    moving = frozenset(changed) - counters
    indexes = (node.index for node in inside_of(machine, loop).indexes if own_array(machine, node) is not None)
    mixed = any(names_one(moving, index) and names_one(counters, index) for index in indexes)
    return not mixed and any(map(is_private, _indexed_with(machine, loop, moving)))


def _handed_to_macros(machine: Machine, loop: Loop, changed: Collection[Variable]) -> Iterator[Variable]:
    """Arrays that a macro is given beside an index that changes: `AT(v, k)`."""
    for call in inside_of(machine, loop).calls:
        arrays = {
            arg: arg.variable for arg in call.args if isinstance(arg, Name) and arg.variable and arg.variable.dims
        }
        if arrays and machine.file.is_macro(call.name):
            moves = any(_moves(arg, changed) for arg in call.args if arg not in arrays)
            yield from arrays.values() if moves else ()


def _is_part(machine: Machine, root: Variable, node: Index) -> bool:
    """True if what is indexed is an array in an object, and no memory that a pointer in it leads to."""
    is_deduced = root.type.name == "auto" and not root.type.pointers
    is_inside = root.type.struct and not isinstance(node.base, Name)
    type_ = machine.type_of(node.base) if is_deduced or is_inside else root.type
    if is_deduced and type_ is not None and type_.struct and not type_.pointers:
        return True
    return root.type.struct and (type_ is None or type_.decayed or not type_.pointers)


def _changed_inside(machine: Machine, loop: Loop) -> Collection[Variable]:
    """The variables that a loop changes, and those declared in it from them: `const int at = i + 4 * j;`."""
    changed = assigned(machine, loop)
    declared = [variable for node in inside_of(machine, loop).declares for variable in node.variables]
    moving = set(changed)
    for variable in sorted(declared, key=lambda variable: variable.span.start):
        if variable.init is None or variable.dims:
            continue
        if any(isinstance(node, Name) and node.variable in moving for node in nodes(variable.init)):
            moving.add(variable)
    return moving


def _counters_inside(machine: Machine, loop: Loop, changed: Collection[Variable]) -> set[Variable]:
    """Counters of the loops in a loop that start again in each of its iterations: constants where those are copied, and
    nothing that changes with the loop.
    """
    heads = (statement for node in inside_of(machine, loop).loops if node is not loop for statement in node.init)
    counters = (variable for head in heads if isinstance(head, Declare) for variable in head.variables)
    return {counter for counter in counters if counter.init is not None and not _moves(counter.init, changed)}


def _moves(expr: Expr, changed: Collection[Variable]) -> bool:
    return any(isinstance(node, Name) and _may_change(node, changed) for node in nodes(expr))


def _may_change(name: Name, changed: Collection[Variable]) -> bool:
    """A name that is no variable here may be one of a function or macro that is executed here."""
    variable = name.variable
    return variable is None or variable in changed or variable.storage == "parameter"


def shared_arrays(machine: Machine, loop: Loop) -> int:
    """How many arrays in LDS the loop's text indexes."""
    count = machine.known.shared_in.get(loop)
    if count is None:
        roots = (root_of(machine, node) for node in inside_of(machine, loop).indexes)
        count = machine.known.shared_in[loop] = len(
            {root for root in roots if root is not None and root.storage == "shared"}
        )
    return count
