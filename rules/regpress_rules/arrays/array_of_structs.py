"""RP405 array-of-structs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, NamedTuple, Note, Rule, Severity
from regpress_lint.api.facts import AMD_VECTOR_ELEMENTS
from regpress_lint.api.memory import first_dynamic, places
from regpress_lint.api.report import place
from regpress_lint.api.targets import amd_targets, lds_bytes
from regpress_lint.api.text import count, listing, moving_index, spelled
from regpress_rules.arrays._hidden_accesses import is_hidden
from regpress_rules.arrays._private import lds_severity, lds_threads, waves_beside_lds
from regpress_rules.arrays._vectors import splittable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api.facts import PrivateArray
    from regpress_lint.api.syntax import Variable

_WORD = 4
_LONGEST_SHOWN = 40


class ArrayOfStructs(Rule):
    """An array of vectors or structs that would live in registers on AMD if it were one array a member."""

    code = "RP405"
    name = "array-of-structs"
    vendors = ("amd",)
    needs = ("arrays",)
    many_blocks = True

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding for arrays that the same loops index: one change brings all of them back."""
        splits: dict[tuple[Variable, ...], tuple[list[_Split], list[str]]] = {}
        for target in amd_targets(facts):
            for group in _groups(facts, target):
                key = tuple(split.array.variable for split in group)
                splits.setdefault(key, (group, []))[1].append(target)
        for group, targets in splits.values():
            yield _finding(facts, group, tuple(targets))


class _Split(NamedTuple):
    array: PrivateArray
    fields: set[str]


def _groups(facts: KernelFacts, target: str) -> list[list[_Split]]:
    """Arrays with the same element in the same loops, for one target."""
    groups: list[list[_Split]] = []
    for split in map(_Split._make, splittable(facts, target)):
        home = next((group for group in groups if _go_together(group[0].array, split.array)), None)
        if home is None:
            groups.append([split])
        else:
            home.append(split)
    return groups


def _go_together(array: PrivateArray, other: PrivateArray) -> bool:
    if array.function is not other.function or array.variable.type.name != other.variable.type.name:
        return False
    loops = [{loop for access in array.dynamic for loop in access.loops} for array in (array, other)]
    return not loops[0].isdisjoint(loops[1])


def _finding(facts: KernelFacts, group: list[_Split], targets: tuple[str, ...]) -> Finding:
    array, fields = group[0]
    variable, size = array.variable, array.bytes or 0
    words = -(-size // _WORD)
    severities: dict[str, Severity] = {}
    for target in targets:
        hidden = is_hidden(facts, facts.array_for(target, array))
        estimate = facts.target(target)
        room = estimate.registers.estimate + words <= estimate.budget
        crowds = size <= lds_bytes(target) and lds_severity(facts, target, size) >= Severity.WARNING
        severities[target] = Severity.WARNING if crowds or (room and not hidden) else Severity.INFO
    where = place(facts, variable.span, array.function.path, "the array")
    notes = where.notes
    message = f"array `{variable.name}` ({array.elements} x {spelled(variable.type)}, {count(size, 'byte')}) "
    access = first_dynamic(array)
    if where.here and access is not None:
        notes += (Note(access.span, "indexed at run time here"),)
        shown = moving_index(facts, access)
        message += (
            f"is indexed at run time (`{shown}`)" if 0 < len(shown) <= _LONGEST_SHOWN else "is indexed at run time"
        )
    else:
        message += "is indexed at run time"
    frames = {target: _in_lds(facts, target, size) if size <= lds_bytes(target) else "scratch" for target in severities}
    memory = frames[targets[0]] if len(set(frames.values())) == 1 else places(frames)
    message += (
        f": clang keeps arrays of structs in {memory}, arrays of up to {AMD_VECTOR_ELEMENTS} numbers in registers"
    )
    if others := [f"`{split.array.variable.name}`" for split in group[1:]]:
        message += f"; {listing(others)} {'goes' if len(others) == 1 else 'go'} with it"
    names = listing(f"`{variable.name}_{field}`" for field in sorted(fields))
    first = frames[targets[0]].split()[0]
    help_ = (
        f"use an array for each member ({names}): about {count(words, 'register')} and no {first}; "
        "on NVIDIA the structs are better"
    )
    return Finding(where.span, message, severities, help_, notes)


def _in_lds(facts: KernelFacts, target: str, size: int) -> str:
    """LDS, with what an array of that size takes of it, and the waves that this leaves where it leaves fewer."""
    without, beside = waves_beside_lds(facts, target, size)
    lost = f"; {without:g} -> {beside:g} waves per SIMD" if beside < without else ""
    return f"LDS ({size * lds_threads(facts):,} bytes of it for each block{lost})"
