"""`regpress-lint occupancy`: the calculator. Arguments to uses of architectures, then one of the outputs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from regpress_lint.cli import options
from regpress_lint.cli.parser import output_is_json, write_json
from regpress_lint.config.options import WrongValueError, architectures
from regpress_lint.core.errors import UsageError
from regpress_lint.core.named import NamedTuple
from regpress_lint.targets.occupancy import KernelUse, architecture
from regpress_lint.targets.occupancy.nvidia import MOST_IN_CLUSTER

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from regpress_lint.commands.occupancy.answer import Answer
    from regpress_lint.targets.occupancy.quantities import Architecture, Resource


SWEEPS: Mapping[str, Resource] = {"registers": "registers", "lds": "lds_bytes", "block": "block_size", "sgprs": "sgprs"}


# Longer than any number that is in range: Python refuses to read one of thousands of digits.
_DIGITS = 9
_KIB = ("kib", "kb", "k")  # GPU documents write KB for 1,024 bytes


class _Flag(NamedTuple):
    """A flag that only some architectures know, and the feature that the others lack."""

    applies: Callable[[Architecture], bool]
    lacks: str


_FLAGS: Mapping[str, _Flag] = {
    "agprs": _Flag(lambda arch: arch.acc_regs != "none", "no accumulation registers"),
    "sgprs": _Flag(lambda arch: arch.has_scalar_registers, "no scalar registers of a wave"),
    "wave-size": _Flag(lambda arch: not arch.chooses_wave, "no fixed wave size, use --sub-group"),
    "sub-group": _Flag(lambda arch: arch.chooses_wave, "no sub-group size, use --wave-size"),
    "mode": _Flag(lambda arch: len(arch.modes) > 1, "no CU and WGP modes"),
    "grf": _Flag(lambda arch: bool(arch.grf_modes), "no GRF modes"),
    "barriers": _Flag(lambda arch: arch.counts_barriers, "no limit on how many barriers a block uses"),
    "cluster": _Flag(lambda arch: arch.has_clusters, "no clusters of blocks"),
    "carveout": _Flag(lambda arch: bool(arch.lds_carveouts), "no shared-memory carve-out to choose"),
}


def declare(parser: argparse.ArgumentParser) -> None:
    parser.description = f"{parser.description}. Several GPUs are compared side by side."
    parser.epilog = "Exit status: 0, or 2 for wrong use and for a launch that cannot work on one of the GPUs."
    parser.add_argument("--arch", metavar="NAMES", action="append", required=True, help="GPUs, with commas or repeated")
    parser.add_argument("--registers", metavar="N", required=True, help="vector registers per thread (AMD: VGPRs)")
    options.value(parser, "--block", "N", "threads per block (default: 256)", default="256")
    options.value(parser, "--lds", "BYTES", "LDS, shared memory of a block; 24K is understood", default="0")
    group = parser.add_argument_group("one vendor's")
    options.value(group, "--agprs", "N", "AMD CDNA: accumulation registers per thread (default: 0)")
    options.value(group, "--sgprs", "N", "AMD: scalar registers per wave (default: 0)")
    options.value(group, "--wave-size", "N", "AMD RDNA: 32 (default) or 64")
    options.value(
        group, "--mode", "cu|wgp", "AMD RDNA: what a block stays on; wgp (default) is what the compiler assumes"
    )
    options.value(group, "--barriers", "N", "NVIDIA from sm_90, Intel: barriers of a block (default: 1)")
    options.value(group, "--cluster", "N", "NVIDIA from sm_90: blocks of a cluster (default: 1)")
    options.value(group, "--carveout", "PERCENT", "NVIDIA: memory preferred as shared (default: all of it)")
    options.value(group, "--sub-group", "N", "Intel: sub-group size (default: the compiler's usual one)")
    options.value(
        group,
        "--grf",
        "N|auto",
        "Intel: register mode, 128 (default) or 256, Xe3 also 96, 160 and 192; auto: the smallest without spills",
    )
    group = parser.add_argument_group("output")
    options.value(
        group, "--sweep", "WHAT", "the curve over registers, lds, block or sgprs: bars in text, points in json"
    )
    options.text_or_json(group)


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `occupancy`: 0, or 2 if a launch cannot work. Raises UsageError."""
    from regpress_lint.cli.context import complain
    from regpress_lint.commands.occupancy.answer import answer

    as_json = output_is_json(arguments)
    resource = _sweep(arguments)
    cases = _cases(arguments)
    if resource == "sgprs" and not any(arch.sgprs_per_simd for arch, _ in cases):
        raise UsageError(f"--sweep: {_have(cases)} no limit on sgprs; known are registers, lds and block")
    answers = [answer(arch, use) for arch, use in cases]
    if as_json:
        from regpress_lint.commands.occupancy.answer import document

        write_json(document(answers, resource))
    else:
        print("\n".join(_painted(_text(answers, resource))))
    impossible = [answer for answer in answers if answer.now.impossible]
    if impossible and (as_json or resource is not None):  # the text says it beside the numbers
        sys.stdout.flush()  # so that the reason comes last where both streams are one terminal
        from regpress_lint.commands.occupancy.text import remedy

        complain(
            f"{launch.arch.name}: the launch cannot work: {launch.now.impossible}; {remedy(launch)}"
            for launch in impossible
        )
    return 2 if impossible else 0


def _text(answers: Sequence[Answer], resource: Resource | None) -> list[str]:
    import os

    from regpress_lint.commands.occupancy.text import curve, single
    from regpress_lint.render.terminal import line_width

    lines: list[str] = []
    blocks = "▏▎▍▌▋▊▉█" if _can_print("▏▎▍▌▋▊▉█") else ""
    width = line_width(sys.stdout, os.environ)
    if len(answers) == 1:
        lines += single(answers[0], width, steps=resource is None)
    else:
        from regpress_lint.commands.occupancy.text import comparison

        lines += comparison(answers, width)
    if resource is None:
        return lines
    for answer in answers:
        if resource == "sgprs" and not answer.arch.sgprs_per_simd:
            continue
        lines += ["", *curve(answer, resource, blocks, width, named=len(answers) > 1)]
    return lines


def _painted(lines: list[str]) -> Iterator[str]:
    """The first line and the row of the kernel stand out where there is colour."""
    import os

    from regpress_lint.render.terminal import Palette, use_color

    palette = Palette(use_color(sys.stdout, os.environ))
    for index, line in enumerate(lines):
        yield palette.paint(line, "bold") if index == 0 or line.startswith("  >") else line


def _sweep(arguments: argparse.Namespace) -> Resource | None:
    if arguments.sweep is None:
        return None
    return SWEEPS[_one_of("sweep", arguments.sweep, tuple(SWEEPS))]


def _cases(arguments: argparse.Namespace) -> list[tuple[Architecture, KernelUse]]:
    """The kernel's use of each named architecture. Raises UsageError."""
    try:
        names = architectures(arguments.arch)
    except WrongValueError as error:
        raise UsageError(f"--arch: {error}") from None
    if not names:
        raise UsageError("--arch: expected a name, see `regpress-lint targets`")
    archs = [architecture(name) for name in names]
    for flag, rule in _FLAGS.items():
        if _given(arguments, flag) and not any(map(rule.applies, archs)):
            raise UsageError(f"--{flag}: {_have([(arch, None) for arch in archs])} {rule.lacks}")
    sizes = _wave_sizes(archs, arguments)
    return [(arch, _use(arch, arguments, size)) for arch, size in zip(archs, sizes, strict=True)]


def _use(arch: Architecture, arguments: argparse.Namespace, wave_size: int) -> KernelUse:
    def number(flag: str, low: int, high: int, default: int) -> int:
        value = _number(arguments, flag, low, high)
        return default if value is None or (flag in _FLAGS and not _FLAGS[flag].applies(arch)) else value

    use = KernelUse(
        vgprs=number("registers", 0, 4096, 0),
        agprs=number("agprs", 0, 256, 0),
        sgprs=number("sgprs", 0, 128, 0),
        lds_bytes=number("lds", 0, 1 << 24, 0),
        block_size=number("block", 1, 4096, 256),
        wave_size=wave_size,
        barriers=number("barriers", 0, 16, 1),
        carveout=number("carveout", 0, 100, -1),
        mode=_mode(arch, arguments),
        cluster=number("cluster", 1, MOST_IN_CLUSTER, 1),
    )
    return use._replace(grf=_grf(arch, use, arguments))


def _mode(arch: Architecture, arguments: argparse.Namespace) -> str:
    """RDNA is compiled for WGP mode unless -mcumode says otherwise, so that is meant where nothing is said."""
    wanted = _one_of("mode", arguments.mode or "wgp", ("cu", "wgp"))
    return wanted if len(arch.modes) > 1 else arch.modes[0].name


def _grf(arch: Architecture, use: KernelUse, arguments: argparse.Namespace) -> int:
    from regpress_lint.targets.occupancy import architectures, grf_budget

    sizes = sorted({mode.registers for gpu in architectures("intel") for mode in gpu.grf_modes})
    wanted = _one_of("grf", arguments.grf or "128", (*map(str, sizes), "auto"))
    if wanted != "auto":
        return int(wanted)
    modes = sorted(mode.registers for mode in arch.grf_modes) or [128]
    enough = (mode for mode in modes if arch.grf_modes and use.vgprs <= grf_budget(arch, use.wave_size, mode))
    return next(enough, modes[-1])


def _wave_sizes(archs: Sequence[Architecture], arguments: argparse.Namespace) -> list[int]:
    """The size asked for where the architecture has it, else its own; one that none of them has is an error."""
    sizes: dict[str, int] = {}
    for flag in ("wave-size", "sub-group"):
        size = _number(arguments, flag, 1, 128)
        concerned = [arch for arch in archs if _FLAGS[flag].applies(arch)]
        if size is not None and not any(size in arch.wave_sizes for arch in concerned):
            try:
                concerned[0].wave_size(size)
            except ValueError as error:
                raise UsageError(f"--{flag}: {error}") from None
        sizes |= {arch.name: size for arch in concerned if size is not None and size in arch.wave_sizes}
    return [sizes.get(arch.name, arch.default_wave_size) for arch in archs]


def _given(arguments: argparse.Namespace, flag: str) -> bool:
    # Scripts pass a zero for what a kernel does not have; barriers and carve-out mean something at zero.
    text = getattr(arguments, flag.replace("-", "_"))
    return text is not None and not (text == "0" and flag in ("agprs", "sgprs"))


def _number(arguments: argparse.Namespace, flag: str, low: int, high: int) -> int | None:
    """The number of a flag, None where it is not given; LDS may be given in KiB. Raises UsageError."""
    text: str | None = getattr(arguments, flag.replace("-", "_"))
    if text is None:
        return None
    wanted = "a number of bytes" if flag == "lds" else "an integer"
    digits, factor = text, 1
    suffix = next((unit for unit in _KIB if text.lower().endswith(unit)), "") if flag == "lds" else ""
    if suffix:
        digits, factor = text[: -len(suffix)].rstrip(), 1024
    readable = digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS
    number = int(digits) * factor if readable else -1
    if not low <= number <= high:
        shown = text if len(text) <= 40 else f"{text[:37]}..."
        also = ", or KiB as in 24K" if flag == "lds" else ""
        raise UsageError(f'--{flag}: expected {wanted} from {low} to {high}{also}, got "{shown}"')
    return number


def _one_of(flag: str, word: str, known: tuple[str, ...]) -> str:
    """The word in lower case, as the tables have it. Raises UsageError for any other than those known."""
    if word.lower() not in known:
        raise UsageError(f'--{flag}: expected one of {", ".join(known)}, got "{word}"')
    return word.lower()


def _have(cases: Sequence[tuple[Architecture, object]]) -> str:
    names = [arch.name for arch, _ in cases]
    return f"{names[0]} has" if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]} have"


def _can_print(text: str) -> bool:
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
