"""`regpress-lint occupancy`: the calculator, with the table of register steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cli.parser import output_is_json, table, write_json
from regpress_lint.config.options import WrongValueError, architectures, whole
from regpress_lint.errors import UsageError
from regpress_lint.occupancy import (
    KernelUse,
    architecture,
    compiler_waves_per_simd,
    next_step,
    occupancy,
    register_steps,
    runtime_blocks,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from fractions import Fraction

    from regpress_lint.occupancy.types import Architecture, Occupancy, Step

_UNITS = {"amd": "CU", "nvidia": "SM", "intel": "Xe-core"}


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `occupancy`: 0, also for a launch that cannot work. Raises UsageError."""
    as_json = output_is_json(arguments)
    try:
        archs = [architecture(name) for name in architectures(arguments.arch)]
    except WrongValueError as error:
        raise UsageError(f"--arch: {error}") from None
    if not archs:
        raise UsageError("--arch: expected a name, see `regpress-lint targets`")
    uses = [(arch, _use(arch, arguments)) for arch in archs]
    try:
        if as_json:
            write_json({"version": 1, "targets": {arch.name: _as_dict(arch, use) for arch, use in uses}})
        else:
            print("\n\n".join("\n".join(_text(arch, use)) for arch, use in uses))
    except ValueError as error:  # a wave size that the architecture lacks
        raise UsageError(str(error)) from None
    return 0


def _number(arguments: argparse.Namespace, flag: str, low: int, high: int) -> int | None:
    text = getattr(arguments, flag.replace("-", "_"))
    if text is None:
        return None
    if flag == "lds" and text[-1:] in ("k", "K") and text[:-1].isascii() and text[:-1].isdigit():
        text = str(int(text[:-1]) * 1024)
    try:
        return whole(low, high)(text)
    except WrongValueError as error:
        raise UsageError(f"--{flag}: {error}") from None


def _use(arch: Architecture, arguments: argparse.Namespace) -> KernelUse:
    size = _number(arguments, "sub-group" if arch.vendor == "intel" else "wave-size", 1, 128)
    try:
        size = arch.wave_size(size)
    except ValueError as error:
        raise UsageError(str(error)) from None
    agprs, sgprs = _number(arguments, "agprs", 0, 256) or 0, _number(arguments, "sgprs", 0, 128) or 0
    if agprs and arch.acc_regs == "none":
        raise UsageError(f"--agprs: {arch.name} has no accumulation registers")
    return KernelUse(
        vgprs=_number(arguments, "registers", 0, 4096) or 0,
        agprs=agprs,
        sgprs=sgprs,
        lds_bytes=_number(arguments, "lds", 0, 1 << 24) or 0,
        block_size=_number(arguments, "block", 1, 4096) or 1,
        wave_size=size,
    )


def _text(arch: Architecture, use: KernelUse) -> Iterator[str]:
    now = occupancy(arch, use)
    unit = _UNITS[arch.vendor]
    amounts = ((use.vgprs, "registers"), (use.agprs, "AGPRs"), (use.sgprs, "SGPRs"), (use.lds_bytes, "bytes of LDS"))
    used = [f"{amount} {what}" for amount, what in amounts if amount or what == "registers"]
    used.append(f"blocks of {use.block_size}")
    yield f"{arch.name} ({arch.title}): {', '.join(used)}, wave {use.wave_size}"
    if now.impossible:
        yield f"  the launch cannot work: {now.impossible}"
    waves = f"{now.waves} of {now.max_waves} waves per {unit} ({now.fraction:.1%})"
    yield f"  {waves}, {number(now.waves_per_simd)} per SIMD"
    yield f"  blocks per {unit}: {now.groups}, limited by {', '.join(now.limiters)}"
    for step in _next(arch, use):
        yield f"  next step: {step.resource} {step.value} -> {number(step.waves_per_simd)} waves per SIMD"
    yield from (f"  {line}" for line in _others(arch, use, now))
    steps = register_steps(arch, use.block_size, use.lds_bytes, use.wave_size)
    if steps:
        yield ""
        yield from _step_table(steps, use.vgprs + use.agprs, now)


def _step_table(steps: tuple[tuple[int, Fraction], ...], registers: int, now: Occupancy) -> Iterator[str]:
    """The staircase; the row that holds the kernel's registers is marked."""
    present = next((most for most, _ in steps if registers <= most), None)
    rows = [("", "registers up to", "waves/SIMD", "of the maximum")]
    for most, waves in steps:
        share = float(waves) * now.simds / now.max_waves
        rows.append((">" if most == present else "", str(most), number(waves), f"{share:.1%}"))
    yield from (f"  {line}" for line in table(rows))


def _next(arch: Architecture, use: KernelUse) -> list[Step]:
    """The steps that a smaller use of one limiting resource reaches."""
    wanted = ("registers", "sgprs", "lds_bytes", "block_size")
    steps = (next_step(arch, use, resource) for resource in wanted)  # type: ignore[arg-type]
    return [step for step in steps if step is not None]


def _others(arch: Architecture, use: KernelUse, now: Occupancy) -> Iterator[str]:
    """What compiler and run-time API say where it is not the same."""
    if arch.vendor == "amd":
        printed = compiler_waves_per_simd(arch, use)
        if printed != now.waves_per_simd:
            yield f"clang's resource-usage remark says {printed} waves per SIMD (it does not count in whole blocks)"
    blocks = runtime_blocks(arch, use)
    if blocks != now.groups:
        api = {"amd": "HIP's", "nvidia": "CUDA's", "intel": "Level Zero's cooperative"}[arch.vendor]
        yield f"{api} occupancy query says {blocks} blocks"


def number(value: Fraction) -> str:
    """A fraction as short decimal text."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.2f}"


def plain(value: Fraction) -> int | float:
    """A fraction as JSON has it: whole if it is whole."""
    return value.numerator if value.denominator == 1 else float(value)


def occupancy_dict(now: Occupancy, step: Step | None) -> dict[str, object]:
    """Occupancy in version 1 of the machine output; `step` is what to reach next."""
    return {
        "waves_per_simd": plain(now.waves_per_simd),
        "max_waves_per_simd": now.max_waves_per_simd,
        "waves": now.waves,
        "max_waves": now.max_waves,
        "fraction": now.fraction,
        "limiters": list(now.limiters),
        "next": None if step is None else _step_dict(step),
    }


def _step_dict(step: Step) -> dict[str, object]:
    return {
        "resource": step.resource,
        "value": step.value,
        "waves_per_simd": plain(step.waves_per_simd),
    }


def _as_dict(arch: Architecture, use: KernelUse) -> dict[str, object]:
    now = occupancy(arch, use)
    steps = _next(arch, use)
    return {
        "registers": use.vgprs,
        "agprs": use.agprs,
        "sgprs": use.sgprs,
        "lds_bytes": use.lds_bytes,
        "block_size": use.block_size,
        "wave_size": use.wave_size,
        "occupancy": {
            **occupancy_dict(now, steps[0] if steps else None),
            "blocks": now.groups,
            "per_limiter": dict(now.per_limiter),
            "impossible": now.impossible,
        },
        "next": [_step_dict(step) for step in steps],
        "compiler_waves_per_simd": compiler_waves_per_simd(arch, use) if arch.vendor == "amd" else None,
        "runtime_blocks": runtime_blocks(arch, use),
        "register_steps": [
            {"registers": most, "waves_per_simd": plain(waves)}
            for most, waves in register_steps(arch, use.block_size, use.lds_bytes, use.wave_size)
        ],
    }
