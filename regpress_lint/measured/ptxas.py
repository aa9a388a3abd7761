"""Output of `ptxas -v` (and of `nvlink -v` for linked device code) in a build log.

The line with the registers does not name its kernel: it belongs to the last one that was begun. Where several compilers
write at once, two kernels may wait for such a line; then both are left out with a problem.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.measured import Row
from regpress_lint.measured.rows import Reading, reading, without_spills
from regpress_lint.measured.versions import cuda_version
from regpress_lint.targets.occupancy import architecture, is_known

if TYPE_CHECKING:
    from collections.abc import Iterator

MARKS = ("Compiling entry function", "nvlink info")
_COLOR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_BEGIN = re.compile(r"ptxas info\s*: Compiling entry function '(?P<symbol>[^'\n]+)' for '(?P<target>\w+)'")
_PROPERTIES = re.compile(r"ptxas info\s*: Function properties for '?(?P<symbol>[^'\s]+)'?\s*$")
_FRAME = re.compile(
    r"\s+(?P<stack>\d{1,9}) bytes stack frame, (?P<stores>\d{1,9}) bytes spill stores, \d{1,9} bytes spill loads"
)
_USED = re.compile(r"ptxas info\s*: Used (?P<registers>\d{1,9}) registers(?P<rest>.*)")
_LINKED = re.compile(r"nvlink info\s*: Function properties for '(?P<symbol>[^'\n]+)'")
_LINKED_USE = re.compile(r"nvlink info\s*: used (?P<registers>\d{1,9}) registers,")
_SHARED = re.compile(r"(\d{1,9})(?:\+\d{1,9})? bytes smem")
_BARRIERS = re.compile(r"used (\d{1,9}) barriers")
_MOST_WAITING = 64


class _Begun:
    """An entry function whose lines are coming."""

    def __init__(self, symbol: str, target: str) -> None:
        self.symbol, self.target = symbol, target
        self.frame: tuple[int, int] | None = None


def read(text: str, name: str) -> Reading:
    """Rows of a log."""
    problems: list[str] = []
    version = cuda_version(text)
    lines = _COLOR.sub("", text).splitlines()
    rows = [row._replace(version=version) for row in (*_compiled(lines, name, problems), *_linked(lines, name))]
    return reading(rows, problems)


def _compiled(lines: list[str], name: str, problems: list[str]) -> Iterator[Row]:
    waiting: list[_Begun] = []
    subject: str | None = None
    for line in lines:
        if (match := _BEGIN.search(line)) is not None:
            waiting = [*waiting, _Begun(match["symbol"], match["target"])][-_MOST_WAITING:]
        elif (match := _PROPERTIES.search(line)) is not None:
            subject = match["symbol"]
            continue
        elif subject is not None and (match := _FRAME.match(line)) is not None:
            mine = [each for each in waiting if each.symbol == subject]
            if len(mine) > 1:  # of two GPUs at once
                problems += [_left_out(name, each) for each in mine]
                waiting = [each for each in waiting if each not in mine]
            elif mine:
                mine[0].frame = int(match["stack"]), int(match["stores"])
        elif (match := _USED.search(line)) is not None:
            if len(waiting) == 1 and waiting[0].frame is not None:
                yield _row(waiting[0], match, name)
            else:
                problems += [_left_out(name, each) for each in waiting]
            waiting = []
        subject = None
    problems += [f"{name}: kernel {each.symbol} is left out: the log ends before its registers" for each in waiting]


def _left_out(name: str, kernel: _Begun) -> str:
    return f"{name}: kernel {kernel.symbol} is left out: lines of several compilers are mixed"


def _row(kernel: _Begun, used: re.Match[str], name: str) -> Row:
    assert kernel.frame is not None
    stack, stores = kernel.frame
    registers, shared, barriers = int(used["registers"]), _SHARED.search(used["rest"]), _BARRIERS.search(used["rest"])
    spills = -(-stores // 4)
    return Row(
        kernel.symbol,
        canonical(kernel.target),
        registers=registers,
        vgprs=registers,
        spills=spills,
        scratch_bytes=stack,
        unspilled_scratch_bytes=without_spills(stack, spills),
        lds_bytes=int(shared[1]) if shared else 0,  # ptxas leaves out what is zero
        barriers=int(barriers[1]) if barriers else None,
        compiler="nvcc",
        origin="ptxas",
        inputs=(name,),
    )


def _linked(lines: list[str], name: str) -> Iterator[Row]:
    """Kernels of `nvlink -v`. It names no GPU; its stack holds callees', its shared memory the system's."""
    symbol = None
    for line in lines:
        if (match := _LINKED.search(line)) is not None:
            symbol = match["symbol"]
        elif symbol is not None and (match := _LINKED_USE.search(line)) is not None:
            registers = int(match["registers"])
            yield Row(symbol, registers=registers, vgprs=registers, compiler="nvcc", origin="nvlink", inputs=(name,))
            symbol = None


def canonical(name: str) -> str:
    """`sm_90` of `sm_90a`; a GPU that we do not know keeps its name."""
    return architecture(name).name if is_known(name) else name
