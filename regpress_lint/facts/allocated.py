"""A compiler's allocation for a kernel, if it was measured: it overrides the estimate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.estimate.registers import RegisterEstimate

if TYPE_CHECKING:
    from regpress_lint.core.measured import Row
    from regpress_lint.measured.matching import Measurements
    from regpress_lint.program.model import File, Kernel


class Measured(NamedTuple):
    """Numbers of the worst of a kernel's instantiations; `arguments` are its, with their brackets.

    spills: dwords per lane, None where the input does not say.
    """

    registers: int
    spills: int | None
    scratch_bytes: int | None
    arguments: str = ""

    @property
    def words(self) -> str:
        """`measured: 64 registers and 496 dwords of spills a lane`."""
        which = f" in `{self.arguments}`" if self.arguments else ""
        dwords = "dword" if self.spills == 1 else "dwords"
        spilled = f" and {self.spills} {dwords} of spills a lane" if self.spills else ""
        none = " without spills" if self.spills == 0 else ""
        return f"measured: {self.registers} registers{spilled}{none}{which}"

    def as_estimate(self, estimated: RegisterEstimate | None, budget: int) -> RegisterEstimate:
        """A band of this number alone. A kernel that spills wants more than it got: at least the estimate, if that is
        more than its budget.
        """
        scratch = self.scratch_bytes if self.scratch_bytes is not None else estimated.scratch_bytes if estimated else 0
        if not self.spills:
            return RegisterEstimate(self.registers, self.registers, self.registers, scratch)
        least = max(budget, self.registers) + 1
        low, middle, high = estimated[:3] if estimated is not None else (least, least, least)
        return RegisterEstimate(max(low, least), max(middle, least), max(high, least), scratch)


def measured_of(
    rows: tuple[Row, ...], file: File, kernel: Kernel, target: str, arguments: str | None
) -> Measured | None:
    """The measured numbers of a kernel, or of one of its instantiations, on a target; None if there are none."""
    from regpress_lint.measured.demangle import demangled
    from regpress_lint.measured.matching import Place, of_instance

    lines = tuple(
        (one.line, one.end_line) for one in file.kernels if (one.name, one.path) == (kernel.name, kernel.path)
    )
    found = _measurements(rows).of(Place(kernel.name, kernel.path, kernel.line, kernel.end_line, lines), target)
    if arguments is not None:
        found = of_instance(found, arguments)
    known = [row for row in found if row.registers is not None]
    if not known:
        return None
    worst = max(known, key=lambda row: (row.spills or 0, row.registers or 0))
    shown = demangled(worst.symbol).arguments if len(known) > 1 else ""
    return Measured(worst.registers or 0, worst.spills, worst.scratch_bytes, shown)


# The rows of a run are one object; to look them up by their value would take as long as to index them.
_last: list[tuple[tuple[Row, ...], Measurements]] = []


def _measurements(rows: tuple[Row, ...]) -> Measurements:
    if not _last or _last[0][0] is not rows:
        from regpress_lint.measured.matching import Measurements

        _last[:] = [(rows, Measurements(rows))]
    return _last[0][1]
