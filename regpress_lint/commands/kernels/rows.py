"""The data of `kernels`: one row per kernel, plain data without judgement."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.uncertainty import Band, plain
from regpress_lint.targets.occupancy import architecture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from regpress_lint.core.settings import Language
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.facts.launch_facts import BlockSizeSource
    from regpress_lint.lint.analysis import Analysis
    from regpress_lint.model.estimate.registers import RegisterEstimate
    from regpress_lint.program.model import Instance
    from regpress_lint.targets.occupancy import Architecture, Occupancy, Step


class StepRow(NamedTuple):
    """The most of a resource that a kernel may use for more waves."""

    resource: str
    value: int
    waves_per_simd: int | float


class OccupancyRow(NamedTuple):
    """Waves at the estimate, what holds them down, and the next step."""

    waves_per_simd: int | float
    max_waves_per_simd: int
    waves: int
    max_waves: int
    fraction: float
    limiters: tuple[str, ...]
    next: StepRow | None


class InstanceRow(NamedTuple):
    """One instantiation of a template; of very many only some are worked out, the others have no estimate."""

    arguments: str
    path: str
    line: int
    registers: Band | None
    scratch_bytes: int | None


class UnservedRow(NamedTuple):
    """Why a kernel is not for an architecture, and the first one that it is for; None where all of a vendor are.

    verdict: `not for this GPU`, or `not estimated` where it runs there and its author lays out its registers.
    """

    reason: str
    since: str | None
    verdict: str = "not for this GPU"


class BudgetRow(NamedTuple):
    """A limit that was set, and whether the estimate keeps it: `kept`, `may` or `exceeded`."""

    text: str
    verdict: str


class UnknownRow(NamedTuple):
    """An unknown of a kernel: `core.unknown` has the kinds; text is one sentence."""

    kind: str
    name: str
    path: str
    line: int
    text: str
    matters: bool


class RoleRow(NamedTuple):
    """Registers of a block's warp groups after their `setmaxnreg`; threads: None where the source does not settle how
    many there are; or_fewer: smaller counts that the source may mean as well.
    """

    registers: int
    threads: int | None
    line: int
    or_fewer: tuple[int, ...] = ()


class ClusterRow(NamedTuple):
    """Clusters of so many blocks; how many of them one H200 held at once, and the share of the blocks that fit without
    clusters: its SMs are grouped as no other chip's need to be.
    """

    blocks: int
    portable: bool
    h200_clusters: int
    h200_share: float


class FilesRow(NamedTuple):
    """VGPRs and AGPRs apart, where there are both: `facts.register_files` has the meaning of the fields."""

    vgprs: int
    agprs: int
    accumulators: int
    moves: int | None


class TargetRow(NamedTuple):
    """A kernel on one architecture; `unserved` is None where its source can be compiled for it. excess_bytes: spilled
    besides, if the estimate is right and clang is left to its assumption of 1,024 threads. files: None where there is
    one kind of vector registers.
    """

    name: str
    registers: Band
    budget: int
    scratch_bytes: int
    occupancy: OccupancyRow
    instances: tuple[InstanceRow, ...]
    unserved: UnservedRow | None = None
    budgets: tuple[BudgetRow, ...] = ()
    excess_bytes: int = 0
    unknown: tuple[UnknownRow, ...] = ()
    roles: tuple[RoleRow, ...] = ()
    files: FilesRow | None = None
    cluster: ClusterRow | None = None
    array_lds_bytes: int = 0  # of each block, beside the LDS of the source


class LaunchRow(NamedTuple):
    """One launch of a kernel; None for values that the source does not settle."""

    path: str
    line: int
    block_size: int | None
    dynamic_lds_bytes: int | None


class BoundsRow(NamedTuple):
    """Launch bounds; None for values that the source does not settle."""

    max_threads: int | None
    min_blocks: int | None


class KernelRow(NamedTuple):
    """A kernel; `schemas/kernels.v1.schema.json` has the meaning of the fields."""

    path: str
    line: int
    end_line: int
    name: str
    language: Language
    complete: bool
    launch_bounds: BoundsRow | None
    launches: tuple[LaunchRow, ...]
    block_size: int
    block_size_from: BlockSizeSource
    lds_bytes: int | None
    targets: tuple[TargetRow, ...]


# Orders that a reader may want, worst first; of several architectures the worst one counts.
ORDERS: Mapping[str, Callable[[KernelRow], Any]] = {
    "registers": lambda row: -max((target.registers.estimate for target in row.targets), default=0),
    "scratch": lambda row: -max((target.scratch_bytes for target in row.targets), default=0),
    "lds": lambda row: -(row.lds_bytes or 0) - max((target.array_lds_bytes for target in row.targets), default=0),
    "block": lambda row: -row.block_size,
    "waves": lambda row: min((target.occupancy.fraction for target in row.targets), default=1.0),
    "name": lambda row: row.name,
}


def kernel_rows(analysis: Analysis) -> Iterator[KernelRow]:
    """Rows of a file's kernels, in the order of the file; what is known about a kernel is forgotten after its row."""
    if len(analysis.parts) > 1:
        yield from _joined([tuple(_rows_of(part)) for part in analysis.parts], analysis.targets)
    else:
        yield from _rows_of(analysis.parts[0])


def _rows_of(analysis: Analysis) -> Iterator[KernelRow]:
    for kernel in analysis.file.kernels:
        yield kernel_row(analysis.facts(kernel), analysis.targets, analysis.line_of)
        analysis.done_with(kernel)
    analysis.close()


def _joined(parts: Sequence[Sequence[KernelRow]], targets: Sequence[str]) -> Iterator[KernelRow]:
    """One row per kernel, where targets compile different texts and each has rows of its own."""
    joined: dict[tuple[str, int, str], KernelRow] = {}
    for row in (row for part in parts for row in part):
        key = row.path, row.line, row.name
        earlier = joined.get(key)
        if earlier is None:
            joined[key] = row
            continue
        target_rows = sorted((*earlier.targets, *row.targets), key=lambda target: targets.index(target.name))
        joined[key] = earlier._replace(targets=tuple(target_rows), complete=earlier.complete and row.complete)
    yield from sorted(joined.values(), key=lambda row: (row.path, row.line))


def kernel_row(facts: KernelFacts, targets: tuple[str, ...], line_of: Callable[[str, int], int]) -> KernelRow:
    """The row of one kernel; `line_of` gives the line of a byte of a file."""
    kernel, bounds = facts.kernel, facts.kernel.launch_bounds
    rows = tuple(map(partial(target_row, facts, line_of), targets))
    return KernelRow(
        kernel.path,
        kernel.line,
        kernel.end_line,
        kernel.name,
        kernel.language,
        kernel.complete and not any(unknown.matters for row in rows for unknown in row.unknown),
        BoundsRow(bounds.max_threads, bounds.min_blocks) if bounds is not None else None,
        tuple(
            LaunchRow(launch.path, launch.line, launch.block_size, launch.dynamic_lds_bytes)
            for launch in kernel.launches
        ),
        facts.launch.block_size,
        facts.launch.block_size_from,
        facts.launch.lds_bytes,
        rows,
    )


def target_row(facts: KernelFacts, line_of: Callable[[str, int], int], name: str) -> TargetRow:
    target = facts.target(name)
    return TargetRow(
        name,
        _band(target.registers),
        target.budget,
        target.registers.scratch_bytes,
        occupancy_row(target.occupancy, target.next),
        tuple(_instance(facts, instance, name) for instance in facts.kernel.instances),
        unserved_row(facts, name, line_of),
        tuple(_budgets(facts, name)),
        facts.excess_bytes(name),
        unknown_rows(facts, name, line_of),
        role_rows(facts, name, line_of),
        files_row(facts, name),
        clusters_of(facts, name),
        target.arrays_in_lds,
    )


def _cluster_size(facts: KernelFacts) -> int:
    """Blocks of a cluster: as a launch has them, else as the kernel does; 1 without clusters."""
    launched = (launch.cluster for launch in facts.kernel.launches if launch.cluster is not None)
    return next(launched, facts.kernel.cluster or 1)


def clusters_of(facts: KernelFacts, name: str) -> ClusterRow | None:
    """Clusters of a kernel's blocks on an architecture, None without any."""
    return cluster_row(architecture(name), _cluster_size(facts), facts.target(name).occupancy.groups)


def cluster_row(arch: Architecture, size: int, blocks_per_unit: int) -> ClusterRow | None:
    """The number of clusters of `size` blocks that a unit holds; None without clusters."""
    if size <= 1 or not arch.has_clusters:
        return None
    from regpress_lint.targets.occupancy.nvidia import H200, PORTABLE_CLUSTER, active_clusters, share_of_sms

    held = active_clusters(H200, blocks_per_unit, size)
    share = share_of_sms(H200, blocks_per_unit, size) if blocks_per_unit else 0.0
    return ClusterRow(size, size <= PORTABLE_CLUSTER, held, share)


def files_row(facts: KernelFacts, name: str) -> FilesRow | None:
    """VGPRs and AGPRs of a kernel on an architecture that has both."""
    if architecture(name).acc_regs == "none" or facts.unserved(name) is not None:
        return None
    from regpress_lint.facts.register_budget import register_files

    files = register_files(facts, name)
    return None if files is None or facts.target(name).measured is not None else FilesRow(*files)


def role_rows(facts: KernelFacts, name: str, line_of: Callable[[str, int], int]) -> tuple[RoleRow, ...]:
    """Roles of the kernel's warp groups on an architecture, in the order of the source; of a template that has several
    instantiations those of the one in the middle.
    """
    typical = facts.typical(name)
    roles, path = typical.roles_on(name), typical.kernel.function.path
    if roles is None:
        return ()
    from regpress_lint.facts.warp_roles import WARP_GROUP

    return tuple(
        RoleRow(
            role.registers,
            None if role.groups is None else role.groups * WARP_GROUP,
            line_of(path, role.span.start),
            role.or_fewer,
        )
        for role in roles.roles
    )


def unknown_rows(facts: KernelFacts, name: str, line_of: Callable[[str, int], int]) -> tuple[UnknownRow, ...]:
    """The unknowns of a kernel on an architecture, with lines; once each, and not for each place in a line."""
    rows = (
        UnknownRow(
            unknown.kind,
            unknown.name,
            unknown.path,
            line_of(unknown.path, unknown.span.start),
            unknown.text,
            unknown.matters,
        )
        for unknown in (facts.unknowns(name) if facts.unserved(name) is None else ())
    )
    return tuple(dict.fromkeys(rows))


def unserved_row(facts: KernelFacts, name: str, line_of: Callable[[str, int], int]) -> UnservedRow | None:
    """Why a kernel is not for an architecture, in words."""
    reason = facts.unserved(name)
    if reason is None:
        return None
    line = line_of(reason.path, reason.offset)
    where = f"line {line}" if reason.path == facts.file.path else f"{reason.path}:{line}"
    words = f"`{reason.word}` ({where}) is {reason.who}"
    return UnservedRow(words, reason.since, *(("not estimated",) if reason.compiled else ()))


def _budgets(facts: KernelFacts, name: str) -> Iterator[BudgetRow]:
    if not facts.budgets:
        return
    from regpress_lint.facts.register_budget import verdict

    for budget, _ in facts.budgets:
        if budget.is_for(name):
            yield BudgetRow(budget.text, verdict(facts, facts.target(name), budget))


def _instance(facts: KernelFacts, instance: Instance, name: str) -> InstanceRow:
    chosen = facts.instances.get(instance) if facts.instances else facts
    chosen = chosen if chosen is facts or chosen in facts.estimated_on(name) else None
    registers = chosen.target(name).registers if chosen is not None else None
    return InstanceRow(
        instance.arguments,
        instance.path,
        instance.line,
        _band(registers) if registers is not None else None,
        registers.scratch_bytes if registers is not None else None,
    )


def _band(registers: RegisterEstimate) -> Band:
    return Band(registers.low, registers.estimate, registers.high)


def occupancy_row(now: Occupancy, step: Step | None) -> OccupancyRow:
    """An occupancy as plain numbers; `step` is what to reach next."""
    return OccupancyRow(
        plain(now.waves_per_simd),
        now.max_waves_per_simd,
        now.waves,
        now.max_waves,
        now.fraction,
        now.limiters,
        None if step is None else step_row(step),
    )


def step_row(step: Step) -> StepRow:
    return StepRow(step.resource, step.value, plain(step.waves_per_simd))


# Rows travel as JSON: lists in the order of the fields.


def row_of(fields: Any) -> KernelRow:
    """A row that was written as JSON. Raises one of several exceptions for anything else."""
    row = KernelRow(*fields)
    bounds = row.launch_bounds
    return row._replace(
        launch_bounds=None if bounds is None else BoundsRow(*bounds),
        launches=tuple(LaunchRow(*launch) for launch in row.launches),
        targets=tuple(map(_target_of, row.targets)),
    )


def _target_of(fields: Any) -> TargetRow:
    row = TargetRow(*fields)
    now = OccupancyRow(*row.occupancy)
    now = now._replace(limiters=tuple(now.limiters), next=None if now.next is None else StepRow(*now.next))
    instances = tuple(_instance_of(*instance) for instance in row.instances)
    unserved = None if row.unserved is None else UnservedRow(*row.unserved)
    budgets = tuple(BudgetRow(*budget) for budget in row.budgets)
    unknown = tuple(UnknownRow(*unknown) for unknown in row.unknown)
    roles = tuple(RoleRow(*role)._replace(or_fewer=tuple(role[3])) for role in row.roles)
    return row._replace(
        registers=Band(*row.registers),
        occupancy=now,
        instances=instances,
        unserved=unserved,
        budgets=budgets,
        unknown=unknown,
        roles=roles,
        files=None if row.files is None else FilesRow(*row.files),
        cluster=None if row.cluster is None else ClusterRow(*row.cluster),
    )


def _instance_of(arguments: str, path: str, line: int, registers: Any, scratch: int | None) -> InstanceRow:
    return InstanceRow(arguments, path, line, None if registers is None else Band(*registers), scratch)
