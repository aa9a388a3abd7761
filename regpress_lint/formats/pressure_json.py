"""`pressure` as version 1 of the machine output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from regpress_lint.formats.pressure_data import Section
    from regpress_lint.views.pressure.lines import LinePressure
    from regpress_lint.views.pressure.values import Value
    from regpress_lint.views.pressure.views import Inner


def document(sections: Iterable[Section]) -> dict[str, Any]:
    """All kernels, one entry for each architecture."""
    return {"version": 1, "kernels": [kernel(section) for section in sections]}


def kernel(section: Section) -> dict[str, Any]:
    """One entry. Registers are 32-bit, a thread's; those of `scalar` values are a wave's (NVIDIA: constant bank)."""
    peak, found, band = section.peak, section.registers, section.band
    return {
        "path": section.path,
        "name": section.name,
        "arguments": section.arguments or None,
        "instances": section.instances,
        "line": section.line,
        "end_line": section.end_line,
        "complete": section.complete,
        "target": section.target,
        "registers": {"low": found.low, "estimate": found.estimate, "high": found.high},
        "scratch_bytes": found.scratch_bytes,
        "budget": section.budget,
        "waves_per_simd": {
            "estimate": _plain(band.waves),
            "low": _plain(band.fewest),
            "high": _plain(band.most),
            "max": band.possible,
        },
        "steps": [{"registers": most, "waves_per_simd": _plain(waves)} for most, waves in section.steps],
        "peak": None
        if peak is None
        else {"line": peak.line, "registers": peak.total, "live": peak.live, "values": list(peak.values)},
        "values": [_value(value) for value in section.pressure.values],
        "lines": [_line(line) for line in section.pressure.lines],
        "scratch": [{"name": name, "bytes": size} for name, size in section.pressure.scratch],
        "used_by_pointer": list(section.pressure.pointed),
    }


def _plain(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)


def _value(value: Value) -> dict[str, Any]:
    return {
        "name": value.name,
        "type": value.type,
        "registers": value.registers,
        "scalar": value.scalar,
        "guessed": value.guessed,
        "defined": value.defined,
        "first_used": value.first_used,
        "last_used": value.last_used,
        "lines": list(value.lines),
        "kind": value.kind,
        "held_through_loop": None if value.through is None else list(value.through),
        "lines_until_first_use": value.waits,
    }


def _callee(inner: Inner | None) -> dict[str, Any] | None:
    if inner is None:
        return None
    found: dict[str, Any] = {"name": inner.name, "registers": inner.registers}
    if inner.line:
        found |= {"path": inner.path, "line": inner.line, "live": inner.live, "callee": _callee(inner.callee)}
        found["values"] = [{"name": name, "registers": registers} for name, registers in inner.values]
    return found


def _line(line: LinePressure) -> dict[str, Any]:
    return {
        "line": line.line,
        "live": line.live,
        "scalar": line.scalar,
        "temporaries": line.temporaries,
        "loads_in_flight": line.in_flight,
        "callee": _callee(line.callee),
        "registers": line.total,
        "code": line.code,
        "values": list(line.values),
    }
