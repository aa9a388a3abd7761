"""clang's `-Rpass-analysis=kernel-resource-usage`, as a build log holds it: several compilers may have written at once.

Each line says where its kernel is, and the lines of a kernel have a fixed order. So lines of other kernels in between
do no harm, unless two kernels of the same place (instantiations in two translation units) are at the same line of the
order: then the kernel of the next line is unknown, and both are left out with a problem.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.measured import Row
from regpress_lint.measured.amd import arranged, target_for
from regpress_lint.measured.rows import COLOR, Reading, clang_version, reading, without_spills

if TYPE_CHECKING:
    from collections.abc import Sequence

MARK = "kernel-resource-usage"
_LINE = re.compile(
    r"(?:(?P<path>[^\n]*?):(?P<line>\d+):(?P<column>\d+): )?remark: (?:(?P<path2>[^\n]*?):(?P<line2>\d+):\d+: )?"
    r"\s*(?P<key>[A-Z][^:\n]*): (?P<value>\S+) \[-Rpass-analysis=kernel-resource-usage\]"
)
# clang's order; names that releases differ in are one.
_ORDER = (
    "SGPRs",
    "VGPRs",
    "AGPRs",
    "ScratchSize",
    "Dynamic Stack",
    "Occupancy",
    "SGPRs Spill",
    "VGPRs Spill",
    "LDS Size",
)
_NEEDED = frozenset(("SGPRs", "VGPRs", "ScratchSize", "VGPRs Spill"))
_MOST_DIGITS = 9
_MOST_OPEN = 64  # kernels of one place at once: no build runs so many compilers


class _Open:
    """A kernel whose lines are coming."""

    def __init__(self, symbol: str, path: str | None, line: int | None) -> None:
        self.symbol, self.path, self.line = symbol, path, line
        self.values: dict[str, int] = {}
        self.at = -1
        self.spoilt = False


def read(text: str, name: str, targets: Sequence[str] = ()) -> Reading:
    """Rows of a log. targets: AMD's GPUs of logs in which no command line names one."""
    problems: list[str] = []
    version = clang_version(text)
    gpus = target_names(text) or targets
    rows = []
    for kernel in _kernels(text):
        values = kernel.values
        if "LDS Size" not in values and values.keys() >= _NEEDED:
            continue  # a function that is called, not a kernel
        if kernel.spoilt or not values.keys() >= _NEEDED:
            why = "lines of two kernels of the same place are mixed" if kernel.spoilt else "lines are missing"
            problems.append(f"{name}: kernel {kernel.symbol} is left out: {why}")
            continue
        target = target_for(gpus, "AGPRs" in values)
        vgprs, agprs = values["VGPRs"], values.get("AGPRs")
        scratch, spills = values["ScratchSize"], values["VGPRs Spill"]
        rows.append(
            Row(
                kernel.symbol,
                target,
                registers=arranged(target, vgprs, agprs),
                vgprs=vgprs,
                agprs=agprs,
                sgprs=values["SGPRs"],
                spills=spills,
                sgpr_spills=values.get("SGPRs Spill"),
                scratch_bytes=scratch,
                unspilled_scratch_bytes=without_spills(scratch, spills),
                lds_bytes=values["LDS Size"],
                compiler="clang",
                version=version,
                path=kernel.path,
                line=kernel.line,
                origin="remarks",
                inputs=(name,),
            )
        )
    if any(row.target is None for row in rows):
        problems.append(_unnamed(name, gpus))
    return reading(rows, problems)


def _unnamed(name: str, gpus: Sequence[str]) -> str:
    why = f"{name}: clang's remarks do not name the GPU, "
    if gpus:
        return f"{why}and nothing tells {' and '.join(gpus)} apart: a log for each does"
    return f"{why}nor does a command line in this log: name it with --arch"


def _kernels(text: str) -> list[_Open]:
    """Kernels and functions in the order in which their first lines come."""
    kernels: list[_Open] = []
    open_at: dict[str | None, list[_Open]] = {}
    for match in _LINE.finditer(COLOR.sub("", text)):
        path = match["path"] or match["path2"]
        line = match["line"] or match["line2"]
        place = f"{path}:{line}:{match['column']}" if path else None
        key = match["key"].partition(" [")[0].strip().removeprefix("Total")
        if key == "Function Name":
            file = path if path and "<unknown>" not in path else None
            number = int(line) if file and line and len(line) <= _MOST_DIGITS else None
            kernel = _Open(match["value"], file.strip() if file else None, number)
            kernels.append(kernel)
            open_at.setdefault(place, []).append(kernel)
        elif key in _ORDER and place in open_at:
            _take(open_at[place], key, match["value"])
            open_at[place] = [kernel for kernel in open_at[place] if kernel.at < len(_ORDER) - 1][-_MOST_OPEN:]
    return kernels


def _take(waiting: list[_Open], key: str, value: str) -> None:
    """Give a line to the kernel that waits for it; if several wait for it, all of them are spoilt."""
    at = _ORDER.index(key)
    fitting = [kernel for kernel in waiting if kernel.at < at and not _NEEDED.intersection(_ORDER[kernel.at + 1 : at])]
    for kernel in fitting:
        kernel.at = at
        kernel.spoilt = kernel.spoilt or len(fitting) > 1
        if value.isascii() and value.isdigit() and len(value) <= _MOST_DIGITS:
            kernel.values[key] = int(value)


_TARGET = re.compile(
    r"(?:-target-cpu[ =]|--?(?:offload-arch|cuda-gpu-arch|amdgpu-target|fsycl-targets|acpp-targets)=)"
    r"[\"']?([\w:+,-]{4,200})"
)


def target_names(text: str) -> tuple[str, ...]:
    """AMD's targets that command lines in a log name, canonical."""
    from regpress_lint.measured.amd import canonical

    names = (name for match in _TARGET.finditer(text) for name in match[1].split(","))
    return tuple(dict.fromkeys(target for name in names if (target := canonical(name)) is not None))
