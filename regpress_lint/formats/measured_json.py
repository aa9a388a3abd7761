"""`measure --output-format json`, version 1; `--measured FILE` of other commands reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from regpress_lint.views.measured_view import GroupRow, InstanceRow


def document(groups: Iterable[GroupRow], problems: Sequence[str]) -> dict[str, Any]:
    """The whole document."""
    kernels = [{"name": group.name, "instances": list(map(_instance, group.instances))} for group in groups]
    return {"version": 1, "kernels": kernels, "problems": list(problems)}


def _instance(instance: InstanceRow) -> dict[str, Any]:
    row, now = instance.row, instance.occupancy
    return {
        "arguments": instance.arguments,
        **row._asdict(),
        "origin": row.origin.split("+"),
        "inputs": list(row.inputs),
        "block_size": instance.block_size,
        "occupancy": None if now is None else {key: value for key, value in _plain(now._asdict()) if key != "next"},
    }


def _plain(values: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(key, list(value) if isinstance(value, tuple) else value) for key, value in values.items()]
