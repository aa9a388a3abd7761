"""The identity of a kernel as a digest: equal for two versions of a file in which nothing changed for the kernel.

Its own text and that of the functions that it reaches, without comments and blanks, its launches and bounds, and its
graph of values on every target, in which constants, types and macros have gone up. Lines do not count.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from regpress_lint.core.digests import digest_of
from regpress_lint.core.named import NamedTuple
from regpress_lint.views.causes import Pressure, pressure_of
from regpress_lint.views.kernels import KernelRow, kernel_row
from regpress_lint.views.setup import Setup, setup_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.lint.analysis import Analysis
    from regpress_lint.program.model import Kernel


class Identity(NamedTuple):
    """A kernel of a file by its name and its place among those of the same name, and a digest of its parts."""

    name: str
    ordinal: int
    digest: str


class Seen(NamedTuple):
    """A kernel's row with its identity. body: a digest of its text without its name; causes: one per GPU; setup: what
    decides about it elsewhere.
    """

    row: KernelRow
    identity: Identity
    body: str = ""
    causes: tuple[Pressure, ...] = ()
    setup: Setup = Setup()


def seen_kernels(analysis: Analysis) -> Iterator[Seen]:
    """The kernels of a file, in its order; what is known about one is forgotten after it."""
    counted: Counter[str] = Counter()
    for kernel in analysis.file.kernels:
        facts = analysis.facts(kernel)
        row = kernel_row(facts, analysis.targets, analysis.line_of)
        causes: list[Pressure] = []
        digest = digest_of("\0".join(_parts(analysis, facts, row, causes)).encode("utf-8", "surrogatepass"))
        identity = Identity(kernel.name, counted[kernel.name], digest)
        setup = setup_of(facts, analysis.source_of)
        yield Seen(row, identity, _body_digest(analysis, kernel), tuple(causes), setup)
        counted[kernel.name] += 1
        analysis.done_with(kernel)
    analysis.close()


def _parts(analysis: Analysis, facts: KernelFacts, row: KernelRow, causes: list[Pressure]) -> Iterator[str]:
    """All parts of a kernel, as texts; the causes of its registers, which come with its graphs, are appended."""
    from regpress_lint.cpp.lexical import without_comments

    kernel = facts.kernel
    for function in facts.functions:
        source = analysis.source_of(function.path)
        if source is not None:
            yield " ".join(without_comments(source.text(function.span)).split())
    yield repr((row.launch_bounds, row.block_size, row.block_size_from, row.lds_bytes, kernel.sub_group_size))
    yield repr([(launch.block_size, launch.dynamic_lds_bytes) for launch in row.launches])
    yield repr([target._replace(instances=()) for target in row.targets])
    yield repr([(each.arguments, each.registers) for target in row.targets for each in target.instances])
    for target in analysis.targets:
        yield from _graph(analysis, facts, target, causes)


def _graph(analysis: Analysis, facts: KernelFacts, target: str, causes: list[Pressure]) -> Iterator[str]:
    """The kernel's values on a target; nothing for one that is too large to be executed."""
    from regpress_lint.ir.graph import TooManyValuesError
    from regpress_lint.passes.peak import Peak
    from regpress_lint.passes.trace import scheduled_kernel
    from regpress_lint.targets.codegen import habits
    from regpress_lint.views.ir import text

    try:
        peak = Peak(scheduled_kernel(facts.input_for(habits(target))))
    except TooManyValuesError:
        return
    causes.append(pressure_of(analysis, facts, target, peak))
    yield from text(peak, "build", lambda _: None)


class Body(NamedTuple):
    """A kernel by its name and place, and a digest of its text and that of the functions that it reaches, without the
    kernel's name, comments and blanks.
    """

    name: str
    path: str
    line: int
    end_line: int
    digest: str


def bodies(analysis: Analysis) -> Iterator[Body]:
    """The kernels of a file, without an estimate."""
    for kernel in analysis.file.kernels:
        yield Body(kernel.name, kernel.path, kernel.line, kernel.end_line, _body_digest(analysis, kernel))
        analysis.done_with(kernel)
    analysis.close()


def _body_digest(analysis: Analysis, kernel: Kernel) -> str:
    from regpress_lint.cpp.lexical import without_comments

    parts = []
    for function in analysis.facts(kernel).functions:
        source = analysis.source_of(function.path)
        span = function.body.span if function is kernel.function else function.span
        if source is not None:
            parts.append(" ".join(without_comments(source.text(span)).split()))
    return digest_of("\0".join(parts).encode("utf-8", "surrogatepass"))
