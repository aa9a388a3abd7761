"""`kernels --output-format json`, version 1 (`schemas/kernels.v1.schema.json`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from regpress_lint.core.band import Band
    from regpress_lint.views.kernels import InstanceRow, KernelRow, OccupancyRow, StepRow, TargetRow, UnknownRow


def document(rows: Iterable[KernelRow], settled: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    """The whole document; `settled` is what libclang answered."""
    found: dict[str, Any] = {"version": 1, "kernels": list(map(_kernel, rows))}
    return {**found, "settled": list(settled)} if settled else found


def _kernel(row: KernelRow) -> dict[str, Any]:
    return {
        **row._asdict(),
        "launch_bounds": row.launch_bounds and row.launch_bounds._asdict(),
        "launches": [launch._asdict() for launch in row.launches],
        "targets": {target.name: target_dict(target) for target in row.targets},
    }


def target_dict(target: TargetRow) -> dict[str, Any]:
    """A kernel on one GPU, as `kernels` writes it."""
    return {
        "registers": _band(target.registers),
        "budget": target.budget,
        "scratch_bytes": target.scratch_bytes,
        "excess_bytes": target.excess_bytes,
        "occupancy": occupancy_dict(target.occupancy),
        "unserved": target.unserved and target.unserved._asdict(),
        "instances": [{**each._asdict(), "registers": _registers(each)} for each in target.instances],
        "budgets": [each._asdict() for each in target.budgets],
        "unknown": list(map(unknown_dict, target.unknown)),
        "roles": [each._asdict() for each in target.roles],
        "files": target.files and target.files._asdict(),
    }


def unknown_dict(unknown: UnknownRow) -> dict[str, Any]:
    """An unknown of the ledger, as `kernels` and `pressure` write it."""
    return {
        "kind": unknown.kind,
        "name": unknown.name,
        "path": unknown.path,
        "line": unknown.line,
        "text": unknown.text,
    }


def _registers(instance: InstanceRow) -> dict[str, int] | None:
    return None if instance.registers is None else _band(instance.registers)


def _band(band: Band) -> dict[str, int]:
    return band._asdict()


def occupancy_dict(now: OccupancyRow) -> dict[str, Any]:
    """Occupancy as `kernels` and `occupancy` write it."""
    step = now.next
    return {**now._asdict(), "limiters": list(now.limiters), "next": None if step is None else step_dict(step)}


def step_dict(step: StepRow) -> dict[str, Any]:
    """A step as `kernels` and `occupancy` write it."""
    return step._asdict()
