"""`kernels --measured`: three levels in one view, band, compiler's number, and where they disagree."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from regpress_lint.cli.measured_option import measured
from regpress_lint.cli.parser import write_json
from regpress_lint.measured.demangle import demangled
from regpress_lint.measured.matching import Measurements
from regpress_lint.views.agreement import OUTSIDE, agreement

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from regpress_lint.core.measured import Row
    from regpress_lint.views.agreement import AgreementRow
    from regpress_lint.views.kernels import KernelRow

_LONGEST = 100  # characters of a name in a message


def show(
    kernels: Sequence[KernelRow], arguments: argparse.Namespace, targets: Sequence[str], *, as_json: bool
) -> tuple[str, ...]:
    """Print the view; what could not be read of the inputs comes back. Raises UsageError for inputs without kernels."""
    reading = measured(arguments.measured, targets)
    rows = list(agreement(kernels, Measurements(reading.rows)))
    problems = (*reading.problems, *_unjoined(rows, reading.rows))
    shown = [row for row in rows if row.verdict in OUTSIDE] if arguments.disagreements else rows
    if as_json:
        from regpress_lint.formats.agreement_json import document

        write_json(document(shown))
        return problems
    from regpress_lint.formats.agreement_text import lines, summary
    from regpress_lint.formats.terminal import line_width

    if shown:
        print("\n".join(lines(shown, line_width(sys.stdout, os.environ))))
    print(f"{chr(10) if shown else ''}{summary(rows)}")
    return problems


def _unjoined(rows: Sequence[AgreementRow], measured_rows: Sequence[Row]) -> tuple[str, ...]:
    """The message if no measured kernel matches one of the source, which explains why all columns are empty."""
    if not rows or not measured_rows or any(row.rows for row in rows):
        return ()
    targets = {row.target.name for row in rows}
    names = dict.fromkeys(demangled(row.symbol).whole for row in measured_rows if row.target in targets)
    if not names:
        others = ", ".join(sorted({row.target for row in measured_rows if row.target}))
        return (
            f"--measured: the numbers are for {others or 'no known GPU'}, the kernels for {', '.join(sorted(targets))}",
        )
    first = next(iter(names))
    return (f"--measured: none of the {len(names)} measured kernels, `{_short(first)}` among them, is one of these",)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else name[: _LONGEST - 3] + "..."
