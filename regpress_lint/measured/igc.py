"""Warnings of Intel's graphics compiler (in logs of icpx and ocloc): kernels that spill, and no others.

It counts operations on registers that are spilled, not their size, which is in the binary (`zebin`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.measured import Row
from regpress_lint.measured.rows import Reading, reading
from regpress_lint.targets.occupancy import architecture, is_known

if TYPE_CHECKING:
    from collections.abc import Sequence

MARK = "spilled around"
_LINE = re.compile(
    r"kernel (?P<symbol>[^\s'\"]+)\s+compiled SIMD(?P<lanes>\d{1,4}) allocated (?P<grf>\d{1,9}) regs"
    r"(?: and)? spilled around (?P<spilled>\d{1,9})"
)
_DEVICE = re.compile(r"(?:-device[ =]|-fsycl-targets=)[\"']?([\w.,-]{2,200})")


def read(text: str, name: str, targets: Sequence[str] = ()) -> Reading:
    """Rows of a log; of Intel's targets the only one that a command line in the log names, else the user."""
    named = tuple(dict.fromkeys(_intel(text))) or targets
    target = named[0] if len(named) == 1 else None
    rows = [
        Row(
            match["symbol"],
            target,
            spill_operations=int(match["spilled"]),
            wave_size=int(match["lanes"]),
            grf=int(match["grf"]),
            compiler="IGC",
            origin="IGC",
            inputs=(name,),
        )
        for match in _LINE.finditer(text)
    ]
    broken = text.count(MARK) - len(rows)
    problems = [f"{name}: {broken} of IGC's warnings of spills cannot be read"] if broken > 0 else []
    if rows and target is None:
        problems.append(f"{name}: IGC's warnings do not name the GPU: name it with --arch")
    return reading(rows, problems)


def _intel(text: str) -> list[str]:
    names = [name for match in _DEVICE.finditer(text) for name in match[1].split(",") if is_known(name)]
    return [found.name for name in names if (found := architecture(name)).vendor == "intel"]
