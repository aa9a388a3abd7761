"""`occupancy --output-format json`, version 1, and the occupancy object that `kernels` shares.

`{"version": 1, "targets": {NAME: target}}`; keys are added to a target and never change their meaning:

- registers, agprs, sgprs, lds_bytes, block_size, wave_size: the kernel as it was given. total_registers: with AMD's
  accumulation registers; steps and sweeps of registers count these. spilled_registers: Intel, beyond the register mode.
- vendor, unit, mode (RDNA), grf (Intel), carveout (NVIDIA, percent), barriers: the requested modes of the architecture.
- occupancy: as in `kernels`, with blocks, per_limiter (blocks that each limit admits, null where it does not apply) and
  impossible (why the launch cannot work, else null). limits: what the architecture gives at most.
- next: a step of every resource that limits. larger_block: a larger block size that gains a quarter more waves, with
  LDS as it is or in proportion, whichever is more. next_together: limiters that tie, to be taken all at once.
- headroom: how much `more` of a resource, `up_to` where, costs no wave.
- remedies: for an impossible launch, all of the outer list, of every inner list one.
- compiler_waves_per_simd: clang's remark under launch bounds of block_size, null where the compiler prints none;
  runtime_blocks: the run-time API's answer; conventions: both beside the resident blocks, with their assumptions.
- register_steps: the most registers of every step. sweep (with --sweep): resource, present, points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.band import plain
from regpress_lint.formats.kernels_json import occupancy_dict, step_dict
from regpress_lint.targets.vocabulary import WORDS
from regpress_lint.views.kernels import StepRow, occupancy_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.cli.occupancy_answer import Answer
    from regpress_lint.targets.occupancy.curves import Run
    from regpress_lint.targets.occupancy.quantities import Resource, Step


def document(answers: Sequence[Answer], resource: Resource | None) -> dict[str, object]:
    """The whole document; `resource` adds the points of its sweep to every target that has it."""
    return {"version": 1, "targets": {each.arch.name: _target(each, resource) for each in answers}}


def _target(each: Answer, resource: Resource | None) -> dict[str, object]:
    from regpress_lint.cli.occupancy_answer import spilled
    from regpress_lint.targets.occupancy.curves import resources, steps

    arch, use, now = each.arch, each.use, each.now
    found: dict[str, object] = {
        "registers": use.vgprs,
        "agprs": use.agprs,
        "sgprs": use.sgprs,
        "lds_bytes": use.lds_bytes,
        "block_size": use.block_size,
        "wave_size": use.wave_size,
        "total_registers": each.total.vgprs,
        "spilled_registers": spilled(each),
        "vendor": arch.vendor,
        "unit": each.unit,
        "mode": use.mode if len(arch.modes) > 1 else None,
        "grf": use.grf if arch.grf_modes else None,
        "carveout": use.carveout if use.carveout >= 0 else None,
        "barriers": use.barriers,
        "occupancy": {
            **occupancy_dict(occupancy_row(now, each.steps[0] if each.steps else None)),
            "blocks": now.groups,
            "per_limiter": dict(now.per_limiter),
            "impossible": now.impossible,
        },
        "limits": _limits(each),
        "next": [_step(step) for step in each.steps],
        "larger_block": None if each.larger is None else _step(each.larger),
        "next_together": [_step(step) for step in each.together.steps] if each.together else [],
        "headroom": {item.resource: {"more": item.more, "up_to": item.last} for item in each.free},
        "remedies": [[{"resource": way.resource, "at_most": way.value} for way in ways] for ways in each.remedies],
        "compiler_waves_per_simd": None if each.remark is None else each.remark[1],
        "runtime_blocks": each.api_blocks,
        "conventions": _conventions(each),
        "register_steps": [
            {"registers": run.last, "waves_per_simd": plain(run.occupancy.waves_per_simd), "grf": run.grf}
            for run in steps(arch, use)
        ],
    }
    if resource is not None and resource in resources(arch):
        found["sweep"] = _sweep(each, resource)
    return found


def _step(step: Step) -> dict[str, object]:
    return step_dict(StepRow(step.resource, step.value, plain(step.waves_per_simd)))


def _limits(each: Answer) -> dict[str, object]:
    """The most that the architecture can give to the kernel."""
    arch = each.arch
    return {
        "registers_per_thread": arch.max_regs_per_thread,
        "lds_bytes_per_block": arch.lds_max_per_group,
        "threads_per_block": arch.max_threads_per_group,
        "blocks_per_unit": arch.max_groups_per_unit,
        "waves_per_simd": arch.max_waves_per_simd,
        "simds_per_unit": each.now.simds,
    }


def _conventions(each: Answer) -> dict[str, object]:
    from regpress_lint.targets.occupancy.amd import DEFAULT_MAX_THREADS

    remark = None
    if each.remark is not None:
        sizes = zip((DEFAULT_MAX_THREADS, each.use.block_size), each.remark, strict=True)
        names = ("without_launch_bounds", "with_launch_bounds")
        pairs = zip(names, sizes, strict=True)
        remark = {name: {"block_size": size, "waves_per_simd": waves} for name, (size, waves) in pairs}
    return {
        "resident": {"blocks": each.now.groups, "waves_per_simd": plain(each.now.waves_per_simd)},
        "compiler_remark": remark,
        "runtime_api": {
            "name": WORDS[each.arch.vendor].api,
            "blocks": each.api_blocks,
            "waves_per_simd": plain(each.api_waves_per_simd),
        },
    }


def _sweep(each: Answer, resource: Resource) -> dict[str, object]:
    from regpress_lint.targets.occupancy.curves import sweep, value_of

    return {
        "resource": resource,
        "present": value_of(each.arch, each.use, resource),
        "points": [_point(run) for run in sweep(each.arch, each.use, resource)],
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
