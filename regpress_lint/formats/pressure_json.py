"""`pressure` as version 1 of the machine output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regpress_lint.formats.kernels_json import unknown_dict

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from regpress_lint.formats.pressure_data import Section, Taken, Without
    from regpress_lint.views.pressure.lines import LinePressure
    from regpress_lint.views.pressure.values import Value


def document(sections: Iterable[Section]) -> dict[str, Any]:
    """All kernels, one entry for each architecture."""
    return {"version": 1, "kernels": [kernel(section) for section in sections]}


def kernel(section: Section) -> dict[str, Any]:
    """One entry. Registers are 32-bit, a thread's; those of `scalar` values are a wave's.

    alive: registers at the peak; with `calibrated`, which may be negative, they are the estimate.
    """
    peak, found, band = section.peak, section.registers, section.band
    return {
        "path": section.path,
        "name": section.name,
        "arguments": section.arguments or None,
        "instances": section.instances,
        "line": section.line,
        "end_line": section.end_line,
        "complete": section.complete and section.pressure.complete,
        "target": section.target,
        "unserved": section.unserved and section.unserved._asdict(),
        "registers": {"low": found.low, "estimate": found.estimate, "high": found.high},
        "alive": section.pressure.alive,
        "calibrated": section.calibrated,
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
        else {
            "line": peak.line,
            "registers": peak.total,
            "live": peak.live,
            "values": [entry.value for entry in peak.values],
        },
        "values": [_value(value) for value in section.pressure.values],
        "lines": [_line(line) for line in section.pressure.lines],
        "scratch": [{"name": name, "bytes": size} for name, size in section.pressure.scratch],
        "unknown": list(map(unknown_dict, section.unknown)),
        "files": section.files and section.files._asdict(),
        "without": None if section.without is None else _without(section.without),
    }


def _without(without: Without) -> dict[str, Any]:
    return {
        "what": without.words,
        "lines": [{"first": first, "last": last} for first, last in without.lines],
        "whole": _taken(without.whole),
        "tests": list(without.tests),
        "off": None if without.off is None else _taken(without.off),
    }


def _taken(taken: Taken) -> dict[str, Any]:
    low, estimate, high = taken.registers
    return {
        "registers": {"low": low, "estimate": estimate, "high": high},
        "scratch_bytes": taken.scratch_bytes,
        "waves_per_simd": _plain(taken.waves),
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
        "named": value.named,
        "copies": value.copies,
        "function": value.function or None,
        "held_through_loop": None if value.through is None else list(value.through),
        "lines_until_first_use": value.waits,
    }


def _line(line: LinePressure) -> dict[str, Any]:
    return {
        "line": line.line,
        "live": line.live,
        "scalar": line.scalar,
        "temporaries": line.temporaries,
        "loads_in_flight": line.in_flight,
        "routine": None if line.routine is None else {"name": line.routine.name, "registers": line.routine.registers},
        "inlined": [{"name": inner.name, "path": inner.path, "line": inner.line or None} for inner in line.inlined],
        "registers": line.total,
        "code": line.code,
        "values": [entry.value for entry in line.values],
        "value_registers": [entry.registers for entry in line.values],
        "value_copies": [entry.copies for entry in line.values],
    }
