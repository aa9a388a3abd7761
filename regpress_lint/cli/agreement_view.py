"""`kernels --measured`: three levels in one view, band, compiler's number, and where they disagree."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from regpress_lint.cli.measured_option import measured
from regpress_lint.cli.parser import write_json
from regpress_lint.measured.matching import Measurements
from regpress_lint.views.agreement import OUTSIDE, agreement

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from regpress_lint.views.kernels import KernelRow


def show(
    kernels: Sequence[KernelRow], arguments: argparse.Namespace, targets: Sequence[str], *, as_json: bool
) -> tuple[str, ...]:
    """Print the view; what could not be read of the inputs comes back. Raises UsageError for inputs without kernels."""
    reading = measured(arguments.measured, targets)
    rows = list(agreement(kernels, Measurements(reading.rows)))
    shown = [row for row in rows if row.verdict in OUTSIDE] if arguments.disagreements else rows
    if as_json:
        from regpress_lint.formats.agreement_json import document

        write_json(document(shown))
        return reading.problems
    from regpress_lint.formats.agreement_text import lines, summary
    from regpress_lint.formats.terminal import line_width

    if shown:
        print("\n".join(lines(shown, line_width(sys.stdout, os.environ))))
    print(f"{chr(10) if shown else ''}{summary(rows)}")
    return reading.problems
