"""How findings write numbers and name things, and the text at places of the linted file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern as pattern
from regpress_lint.core.source import Source as Source, Span as Span  # noqa: TC001 - rules import them from here
from regpress_lint.cpp.constants import evaluate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.cpp.syntax_tree import Type
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.facts.target import TargetFacts
    from regpress_lint.source.arrays import Access
    from regpress_lint.targets.occupancy import Architecture, Occupancy


_LIMITERS = {
    "waves": "the block size",
    "registers": "registers",
    "sgprs": "SGPRs",
    "lds": "LDS",
    "groups": "block slots",
    "barriers": "barriers",
}


def count(number: float, noun: str) -> str:
    """`1 byte`, `2 bytes`, `1,024 bytes`, `1.25 waves`."""
    shown = f"{int(number):,}" if number == int(number) else f"{number:g}"
    return f"{shown} {noun}" + ("" if number == 1 else "s")


def listing(words: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    items = list(words)
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


_LAMBDA = pattern(r"\(lambda at (?:[^)]*[/\\\\])?([^)/\\\\]*)\)")
_LONGEST_ARGUMENTS = 60  # characters


def instance_name(name: str, arguments: str) -> str:
    """`flash<256, 16>`, or the name alone where there are no arguments: lambdas by file and line without folders, and
    of a long list as many arguments as a reader takes in.
    """
    if not arguments:
        return name
    shown = _LAMBDA.sub(r"lambda at \1", arguments)
    if len(shown) > _LONGEST_ARGUMENTS:
        ends = [end for end, text in enumerate(shown) if text == "," and _is_outermost(shown, end)]
        end = max((end for end in ends if end <= _LONGEST_ARGUMENTS), default=min(ends, default=len(shown)))
        shown = f"{shown[:end]}, ..." if end < len(shown) else shown
    return f"{name}<{shown}>"


def _is_outermost(text: str, end: int) -> bool:
    before = text[:end]
    return all(before.count(left) == before.count(right) for left, right in ("<>", "()"))


def spelled(type_: Type) -> str:
    """A variable's type, or that of an array's elements, with the stars of a pointer: `unsigned *`."""
    return f"{type_.shown} {'*' * type_.pointers}" if type_.pointers else type_.shown


def waves(occupancy: Occupancy) -> str:
    """Waves per SIMD as people write them: `1 wave`, `2.5 waves`."""
    return count(occupancy.waves / occupancy.simds, "wave")  # not `waves_per_simd`: fractions take 2 ms to import


def registers_of(target: TargetFacts) -> str:
    """A kernel's registers in the words of a message: the estimate with its band, or the measured number."""
    if target.measured is not None:
        return target.measured.words
    band = target.registers
    return f"the estimate is {band.estimate} ({band.low} to {band.high})"


def sub_group(facts: KernelFacts, arch: Architecture) -> str:
    """The sub-group size that decides where the compiler chooses one, and whether the kernel sets it."""
    if not arch.chooses_wave:
        return ""
    wanted = facts.kernel.sub_group_size
    if wanted in arch.wave_sizes:
        return f" at sub-group size {wanted}"
    return f" at sub-group size {arch.default_wave_size} (assumed)"


def limiter_names(occupancy: Occupancy, *, without: str = "") -> list[str]:
    """The limiters of occupancy, in words, `without` one limiter."""
    return [_LIMITERS[name] for name in occupancy.limiters if name != without]


# ----------------------------------------------------------------------------------------------- text of the file


def moving_index(facts: KernelFacts, access: Access) -> str:
    """The first index of an access to a private array that is no constant, as it is written; empty if there is none."""
    moving = (index for index in access.indices if evaluate(index, facts.source.environment) is None)
    index = next(moving, None)
    return "" if index is None else one_line(facts.file.source, index.span)


def one_line(source: Source, span: Span) -> str:
    """Source text with all its blanks and line breaks made one blank each."""
    return " ".join(source.text(span).split())
