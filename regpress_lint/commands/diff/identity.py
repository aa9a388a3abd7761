"""The identity of a kernel as a digest: equal for two versions of a file in which nothing changed for the kernel.

What a kernel depends on beside its text is its setup: constants that it names, and how it is launched. Causes of its
registers on one GPU explain a change between two versions.
"""

from __future__ import annotations

from collections import Counter
from itertools import zip_longest
from typing import TYPE_CHECKING

from regpress_lint.commands.kernels.rows import KernelRow, kernel_row
from regpress_lint.core.digests import digest_of
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import WORD
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax_tree import Declare, Name
from regpress_lint.cpp.traversal import nodes_of, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from regpress_lint.core.source import Source
    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.syntax_tree import Expr, Function, Stmt
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.lint.analysis import Analysis
    from regpress_lint.model.passes.peak import Peak
    from regpress_lint.program.model import Kernel, Launch


_MOST_HOLDERS = 12  # of the peak: further ones hold little
_LEAST = 4  # registers that a holder must gain or lose to explain anything


class Loop(NamedTuple):
    """A loop by the text of its head. copies: of its body; whole: they replace the loop."""

    head: str
    copies: int
    whole: bool


class Array(NamedTuple):
    """A private array by its name, with its bytes per thread if they are known."""

    name: str
    bytes: int | None
    in_memory: bool


class Pressure(NamedTuple):
    """The causes of registers on one GPU. holders: registers at the peak by variable, widest first, and those of the
    library function that runs there.
    """

    target: str
    loops: tuple[Loop, ...] = ()
    arrays: tuple[Array, ...] = ()
    holders: tuple[tuple[str, int], ...] = ()


def pressure_of(analysis: Analysis, facts: KernelFacts, target: str, peak: Peak) -> Pressure:
    """The causes of a kernel's registers on a GPU; `peak` is that of its graph."""
    notes = facts.execution(target).notes
    loops: dict[str, Loop] = {}
    for loop, whole in notes.whole.items():
        source = analysis.source_of(facts.kernel.path)
        if source is None or not loop.span.end <= len(source.data):
            continue
        head = " ".join(source.text(loop.span).partition("{")[0].split())[:60]
        loops[head] = Loop(head, 0 if whole else notes.copies.get(loop, 1), whole)
    memory = facts.settled(target).in_memory
    arrays = {
        array.variable.name: Array(array.variable.name, array.bytes, array.variable in memory) for array in facts.arrays
    }
    held = _called(peak)
    for value in peak.values:
        if value.variable is not None:
            held[value.variable.name] = held.get(value.variable.name, 0) + value.registers
    return Pressure(target, tuple(loops.values()), tuple(arrays.values()), tuple(held.items())[:_MOST_HOLDERS])


def _called(peak: Peak) -> dict[str, int]:
    """The registers that a function of the library needs for itself at the peak."""
    number = peak.sequence[peak.place] if peak.place is not None else None
    if number is None or not peak.graph.extra[number] or not peak.graph.ops[number].about:
        return {}
    return {peak.graph.ops[number].about: peak.graph.extra[number]}


def explained(before: Pressure, after: Pressure, gained: int) -> str:
    """The difference that explains a change of registers or scratch best, in one clause; "" if none does.

    gained: change of the estimate in registers; its sign decides whether holders that grew or shrank explain it.
    """
    return next(_explanations(before, after, gained), "")


def _explanations(before: Pressure, after: Pressure, gained: int) -> Iterator[str]:
    was = {array.name: array for array in before.arrays}
    for array in after.arrays:
        old = was.get(array.name)
        if old is None and array.in_memory:
            yield f"`{array.name}` is new, and in private memory"
        elif old is not None and array.in_memory != old.in_memory:
            yield f"`{array.name}` is {'now in private memory' if array.in_memory else 'no longer in private memory'}"
        elif old is not None and array.in_memory and array.bytes != old.bytes and None not in (array.bytes, old.bytes):
            yield f"`{array.name}` in private memory: {old.bytes} -> {array.bytes} bytes"
    now = {array.name for array in after.arrays}
    for array in before.arrays:
        if array.in_memory and array.name not in now:
            yield f"`{array.name}`, which was in private memory, is gone"
    heads = {loop.head: loop for loop in before.loops}
    for loop in after.loops:
        earlier = heads.get(loop.head)
        if earlier is not None and (loop.whole, loop.copies) != (earlier.whole, earlier.copies):
            yield f"`{loop.head}`: {_unrolled(earlier)} -> {_unrolled(loop)}"
    yield from _held(dict(before.holders), dict(after.holders), gained)


def _unrolled(loop: Loop) -> str:
    if loop.whole:
        return "unrolled completely"
    return "not unrolled" if loop.copies == 1 else f"unrolled {loop.copies} times"


def _held(before: Mapping[str, int], after: Mapping[str, int], gained: int) -> Iterator[str]:
    """The variable or function whose share of the peak changed most, among those that changed as the whole did."""
    differences = ((name, after.get(name, 0) - before.get(name, 0)) for name in {**before, **after})
    changes = {name: change for name, change in differences if change * gained >= 0}
    name = max(changes, key=lambda name: (abs(changes[name]), name), default=None)
    if name is not None and abs(changes[name]) >= _LEAST:
        yield f"`{name}` holds {before.get(name, 0)} -> {after.get(name, 0)} registers at the peak"


_OWN = frozenset(("local", "parameter", "shared", "capture", "member"))
_LONGEST = 60  # letters of a launch's configuration


class LaunchSetup(NamedTuple):
    """A launch: blocks of the grid, threads of a block, bytes of dynamic LDS (None if not settled), and the text
    between `<<<` and `>>>`.
    """

    blocks: int | None
    threads: int | None
    dynamic_lds_bytes: int | None
    text: str


class Setup(NamedTuple):
    """Constants by name, and launches in the order of the program."""

    constants: tuple[tuple[str, Number], ...] = ()
    launches: tuple[LaunchSetup, ...] = ()


def setup_of(facts: KernelFacts, source_of: Callable[[str], Source | None]) -> Setup:
    numbers: dict[str, Number] = {}
    for function in facts.source.functions:
        for name in _names(function):
            is_local = name.variable is not None and name.variable.storage in _OWN
            value = None if is_local or name.name in numbers else evaluate(name, facts.source.environment)
            if value is not None:
                numbers[name.name] = value
    launches = tuple(_launch(launch, source_of(launch.path)) for launch in facts.kernel.launches)
    for word in dict.fromkeys(word for launch in launches for word in WORD.findall(launch.text)):
        value = facts.file.constant(word) if word not in numbers else None
        if value is not None:
            numbers[word] = value
    return Setup(tuple(numbers.items()), launches)


def _names(function: Function) -> Iterator[Name]:
    for node in nodes_of(function):
        yield from _in(node)
        if isinstance(node, Declare):
            for variable in node.variables:
                for extent in variable.dims:
                    for inner in walk(extent):
                        yield from _in(inner)


def _in(node: Expr | Stmt) -> Iterator[Name]:
    if isinstance(node, Name):
        yield node


def _launch(launch: Launch, source: Source | None) -> LaunchSetup:
    whole = source.text(launch.span) if source is not None and launch.span.end <= len(source.data) else ""
    text = " ".join(whole.partition("<<<")[2].partition(">>>")[0].split())
    return LaunchSetup(launch.blocks, launch.block_size, launch.dynamic_lds_bytes, text)


def setup_changes(before: Setup, after: Setup) -> tuple[str, ...]:
    """The changes, a clause each."""
    return (*_constants(dict(before.constants), dict(after.constants)), *_launches(before, after))


def _constants(before: Mapping[str, Number], after: Mapping[str, Number]) -> Iterator[str]:
    for name, value in after.items():
        if name in before and before[name] != value:
            yield f"{name} {before[name]:g} -> {value:g}"


def _launches(before: Setup, after: Setup) -> Iterator[str]:
    launches: dict[str, None] = {}
    for old, new in zip_longest(before.launches, after.launches):
        if old is not None and new is not None:
            launches.update(dict.fromkeys(_launched(old, new)))
    yield from launches


def _launched(old: LaunchSetup, new: LaunchSetup) -> Iterator[str]:
    for was, now, noun in (
        (old.blocks, new.blocks, "blocks"),
        (old.threads, new.threads, "threads per block"),
        (old.dynamic_lds_bytes, new.dynamic_lds_bytes, "bytes of dynamic LDS"),
    ):
        if was != now and was is not None and now is not None:
            yield f"{was} -> {now} {noun}"
    if old[:3] == new[:3] and old.text != new.text and max(len(old.text), len(new.text)) <= _LONGEST:
        yield f"<<<{old.text}>>> -> <<<{new.text}>>>"


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
    for function in facts.source.functions:
        if (source := analysis.source_of(function.path)) is not None:
            yield " ".join(without_comments(source.text(function.span)).split())
    yield repr((row.launch_bounds, row.block_size, row.block_size_from, row.lds_bytes, kernel.sub_group_size))
    yield repr([(launch.block_size, launch.dynamic_lds_bytes) for launch in row.launches])
    yield repr([target._replace(instances=()) for target in row.targets])
    yield repr([(instance.arguments, instance.registers) for target in row.targets for instance in target.instances])
    for target in analysis.targets:
        yield from _graph(analysis, facts, target, causes)


def _graph(analysis: Analysis, facts: KernelFacts, target: str, causes: list[Pressure]) -> Iterator[str]:
    """The kernel's values on a target; nothing for one that is too large to be executed."""
    from regpress_lint.commands.ir import text
    from regpress_lint.model.graph.values import TooManyValuesError
    from regpress_lint.model.passes.peak import Peak
    from regpress_lint.model.passes.trace import scheduled_kernel
    from regpress_lint.targets.compilers import habits

    try:
        peak = Peak(scheduled_kernel(facts.input_for(habits(target))))
    except TooManyValuesError:
        return
    causes.append(pressure_of(analysis, facts, target, peak))
    yield from text(peak, "build", lambda _: None)


def _body_digest(analysis: Analysis, kernel: Kernel) -> str:
    """The text of a kernel and of the functions that it reaches, without its name, comments and blanks."""
    from regpress_lint.cpp.lexical import without_comments

    parts = []
    for function in analysis.facts(kernel).source.functions:
        source = analysis.source_of(function.path)
        span = function.body.span if function is kernel.function else function.span
        if source is not None:
            parts.append(" ".join(without_comments(source.text(span)).split()))
    return digest_of("\0".join(parts).encode("utf-8", "surrogatepass"))
