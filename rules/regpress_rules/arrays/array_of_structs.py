"""RP405 array-of-structs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Note, Rule, Severity
from regpress_lint.cpp.constants import evaluate
from regpress_lint.source_level.arrays import AMD_VECTOR_ELEMENTS
from regpress_rules._place import place, targets_of
from regpress_rules._words import count, listing
from regpress_rules.arrays._private import lds_bytes, places
from regpress_rules.arrays._vectors import splittable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.source_level.arrays import PrivateArray

_WORD = 4
_LONGEST_SHOWN = 40


class ArrayOfStructs(Rule):
    """An array of vectors or structs that would live in registers on AMD if it were one array a member."""

    code = "RP405"
    name = "array-of-structs"
    vendors = ("amd",)
    needs = ("arrays",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding an array."""
        targets = targets_of(facts, "amd")
        if not targets:
            return
        for array, fields in splittable(facts):
            yield _finding(facts, array, fields, targets)


def _finding(facts: KernelFacts, array: PrivateArray, fields: set[str], targets: tuple[str, ...]) -> Finding:
    variable, size = array.variable, array.bytes or 0
    words = -(-size // _WORD)
    severities: dict[str, Severity] = {}
    for target in targets:
        own = facts.target(target)
        room = own.registers.estimate + words <= own.budget
        severities[target] = Severity.WARNING if room else Severity.INFO
    where = place(facts, variable.span, array.function.path, "the array")
    notes = where.notes
    message = f"array `{variable.name}` ({array.elements} x {variable.type.name}, {count(size, 'byte')}) "
    access = next((access for access in array.dynamic if array.function.span.contains(access.span)), None)
    if where.here and access is not None:
        notes += (Note(access.span, "indexed at run time here"),)
        moving = (index for index in access.indices if evaluate(index, facts.environment) is None)
        index = next(moving, None)
        shown = "" if index is None else " ".join(facts.file.source.text(index.span).split())
        message += (
            f"is indexed at run time (`{shown}`)" if 0 < len(shown) <= _LONGEST_SHOWN else "is indexed at run time"
        )
    else:
        message += "is indexed at run time"
    in_lds = f"LDS ({size} KB of it for each block)"
    frames = {target: in_lds if size <= lds_bytes(target) else "scratch" for target in severities}
    memory = frames[targets[0]] if len(set(frames.values())) == 1 else places(frames)
    message += (
        f": clang keeps arrays of structs in {memory}, arrays of up to {AMD_VECTOR_ELEMENTS} numbers in registers"
    )
    names = listing(f"`{variable.name}_{field}`" for field in sorted(fields))
    first = frames[targets[0]].split()[0]
    help_ = (
        f"make it one array a member ({names}): about {count(words, 'register')} and no {first}; "
        "nvcc is better served by the vectors"
    )
    return Finding(where.span, message, severities, help_, notes, None, facts.kernel.name)
