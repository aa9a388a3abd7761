"""Everything that `occupancy` shows of one kernel on one architecture, worked out once for text, table and JSON
(version 1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.commands.kernels.output import cluster_dict, occupancy_dict
from regpress_lint.commands.kernels.rows import cluster_row, occupancy_row, step_row
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.uncertainty import plain
from regpress_lint.targets.occupancy import compiler_waves_per_simd, occupancy, runtime_blocks
from regpress_lint.targets.occupancy.advice import free, larger_block, next_steps, remedies, together
from regpress_lint.targets.occupancy.amd import DEFAULT_MAX_THREADS
from regpress_lint.targets.occupancy.steps import merged
from regpress_lint.targets.vocabulary import WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from regpress_lint.targets.occupancy.advice import Free, Remedy, Together
    from regpress_lint.targets.occupancy.quantities import Architecture, KernelUse, Occupancy, Resource, Step
    from regpress_lint.targets.occupancy.steps import Run


class Answer(NamedTuple):
    """`use` is as it was given, `total` has AMD's accumulation registers among its registers.

    remark: what clang's resource-usage remark prints without launch bounds and with bounds of the block size, None
    where the compiler prints none. api_blocks: blocks per unit by the run-time API.
    """

    arch: Architecture
    use: KernelUse
    total: KernelUse
    now: Occupancy
    unit: str
    steps: tuple[Step, ...]
    larger: Step | None
    together: Together | None
    free: tuple[Free, ...]
    remedies: tuple[tuple[Remedy, ...], ...]
    remark: tuple[int, int] | None
    api_blocks: int

    @property
    def waves_of_block(self) -> int:
        """Waves of one block, the last one may be partly filled."""
        return -(-self.use.block_size // self.arch.wave_size(self.use.wave_size))

    @property
    def api_waves_per_simd(self) -> Fraction:
        """The run-time API's answer in the unit of the other two conventions."""
        from fractions import Fraction

        return Fraction(self.api_blocks * self.waves_of_block, self.now.simds)


def answer(arch: Architecture, use: KernelUse) -> Answer:
    """Raises ValueError as `occupancy` does."""
    now = occupancy(arch, use)
    remark = None
    if arch.prints_occupancy:
        unbounded = use._replace(block_size=DEFAULT_MAX_THREADS)
        remark = compiler_waves_per_simd(arch, unbounded), compiler_waves_per_simd(arch, use)
    return Answer(
        arch=arch,
        use=use,
        total=merged(arch, use),
        now=now,
        unit=_unit(arch, use),
        steps=next_steps(arch, use),
        larger=larger_block(arch, use),
        together=together(arch, use),
        free=free(arch, use),
        remedies=remedies(arch, use),
        remark=remark,
        api_blocks=runtime_blocks(arch, use),
    )


def spilled(answer: Answer) -> int:
    """Intel: registers beyond what the register mode gives a work-item; 0 for other vendors, whose compilers cap."""
    if not answer.arch.grf_modes or answer.now.impossible:
        return 0
    from regpress_lint.targets.occupancy import grf_budget

    return max(0, answer.use.vgprs - grf_budget(answer.arch, answer.use.wave_size, answer.use.grf))


def _unit(arch: Architecture, use: KernelUse) -> str:
    return arch.mode(use.mode).name.upper() if len(arch.modes) > 1 else WORDS[arch.vendor].unit


def document(answers: Sequence[Answer], resource: Resource | None) -> dict[str, object]:
    """The whole document; `resource` adds the points of its sweep to every target that has it."""
    return {"version": 1, "targets": {answer.arch.name: _target(answer, resource) for answer in answers}}


def _target(answer: Answer, resource: Resource | None) -> dict[str, object]:
    from regpress_lint.targets.occupancy.steps import resources, steps

    arch, use, now = answer.arch, answer.use, answer.now
    data: dict[str, object] = {
        "registers": use.vgprs,
        "agprs": use.agprs,
        "sgprs": use.sgprs,
        "lds_bytes": use.lds_bytes,
        "block_size": use.block_size,
        "wave_size": use.wave_size,
        "total_registers": answer.total.vgprs,
        "spilled_registers": spilled(answer),
        "vendor": arch.vendor,
        "unit": answer.unit,
        "mode": use.mode if len(arch.modes) > 1 else None,
        "grf": use.grf if arch.grf_modes else None,
        "carveout": use.carveout if use.carveout >= 0 else None,
        "barriers": use.barriers,
        "cluster": cluster_dict(cluster_row(arch, use.cluster, now.groups)),
        "occupancy": {
            **occupancy_dict(occupancy_row(now, answer.steps[0] if answer.steps else None)),
            "blocks": now.groups,
            "per_limiter": dict(now.per_limiter),
            "impossible": now.impossible,
        },
        "limits": _limits(answer),
        "next": [_step(step) for step in answer.steps],
        "larger_block": None if answer.larger is None else _step(answer.larger),
        "next_together": [_step(step) for step in answer.together.steps] if answer.together else [],
        "headroom": {room.resource: {"more": room.more, "up_to": room.last} for room in answer.free},
        "remedies": [[{"resource": way.resource, "at_most": way.value} for way in ways] for ways in answer.remedies],
        "compiler_waves_per_simd": None if answer.remark is None else answer.remark[1],
        "runtime_blocks": answer.api_blocks,
        "conventions": _conventions(answer),
        "register_steps": [
            {"registers": run.last, "waves_per_simd": plain(run.occupancy.waves_per_simd), "grf": run.grf}
            for run in steps(arch, use)
        ],
    }
    if resource is not None and resource in resources(arch):
        data["sweep"] = _sweep_json(answer, resource)
    return data


def _step(step: Step) -> dict[str, object]:
    return step_row(step)._asdict()


def _limits(answer: Answer) -> dict[str, object]:
    """The most that the architecture can give to the kernel."""
    arch = answer.arch
    return {
        "registers_per_thread": arch.max_regs_per_thread,
        "lds_bytes_per_block": arch.lds_max_per_group,
        "threads_per_block": arch.max_threads_per_group,
        "blocks_per_unit": arch.max_groups_per_unit,
        "waves_per_simd": arch.max_waves_per_simd,
        "simds_per_unit": answer.now.simds,
    }


def _conventions(answer: Answer) -> dict[str, object]:
    from regpress_lint.targets.occupancy.amd import DEFAULT_MAX_THREADS

    remark = None
    if answer.remark is not None:
        sizes = zip((DEFAULT_MAX_THREADS, answer.use.block_size), answer.remark, strict=True)
        names = ("without_launch_bounds", "with_launch_bounds")
        pairs = zip(names, sizes, strict=True)
        remark = {name: {"block_size": size, "waves_per_simd": waves} for name, (size, waves) in pairs}
    return {
        "resident": {"blocks": answer.now.groups, "waves_per_simd": plain(answer.now.waves_per_simd)},
        "compiler_remark": remark,
        "runtime_api": {
            "name": WORDS[answer.arch.vendor].api,
            "blocks": answer.api_blocks,
            "waves_per_simd": plain(answer.api_waves_per_simd),
        },
    }


def _sweep_json(answer: Answer, resource: Resource) -> dict[str, object]:
    from regpress_lint.targets.occupancy.steps import sweep, value_of

    return {
        "resource": resource,
        "present": value_of(answer.arch, answer.use, resource),
        "points": [_point(run) for run in sweep(answer.arch, answer.use, resource)],
    }


def _point(run: Run) -> dict[str, object]:
    now = run.occupancy
    return {
        "from": run.first,
        "to": run.last,
        "blocks": now.groups,
        "waves": now.waves,
        "waves_per_simd": plain(now.waves_per_simd),
        "fraction": now.fraction,
        "limiters": list(now.limiters),
        "grf": run.grf,
    }
