"""Size of the page that `regpress-lint report` writes, and how long a browser takes to open it.

    python -m tools.measure.report_page SRC... [--arch gfx90a,sm_90] [-j N]

prints kernels, bytes and bytes per kernel; with Chromium on PATH also the milliseconds from the start of loading until
the table is drawn (best and median of five), and until a kernel is (from the click; the median of ten kernels).
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from pathlib import Path

from regpress_lint.__main__ import main as regpress
from tools.measure import chromium

_OPENINGS = 5
_KERNELS = 10
_TIMED = """(async () => {
  const start = performance.now();
  location.hash = '#k%d';
  while (!document.querySelector('.rows'))
    await new Promise(requestAnimationFrame);
  return performance.now() - start;
})()"""


def main(arguments: list[str]) -> int:
    """Measure; the exit status of `report`."""
    if not arguments:
        print(__doc__)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "report.html")
        status = regpress(["report", "-o", page, *arguments])
        size = os.path.getsize(page)
        if chromium.PROGRAM is None:
            print(f"{size:,} bytes; {chromium.MISSING}")
            return status
        with chromium.Chromium() as browser:
            url = Path(page).as_uri()
            times = []
            for _ in range(_OPENINGS):
                browser.open(url)
                times.append(int(browser.value("document.getElementById('app').dataset.drawn")))
            kernels = int(
                browser.value("parseInt(document.querySelector('.toggle button').textContent.replace(/,/g, ''))")
            )
            shown = [_shown(browser, at * kernels // _KERNELS) for at in range(_KERNELS)] if kernels > 1 else []
            errors = browser.errors
    print(f"{kernels:,} kernels, {size:,} bytes, {size / max(kernels, 1):,.0f} a kernel")
    print(f"opened in {min(times)} ms (median {statistics.median(times):.0f})")
    if shown:
        print(f"a kernel in {statistics.median(shown):.0f} ms (slowest of {len(shown)}: {max(shown):.0f})")
    for error in errors:
        print(error)
    return status


def _shown(browser: chromium.Chromium, at: int) -> float:
    browser.value("location.hash = ''")
    browser.wait("document.querySelector('table.kernels') !== null")
    return float(browser.value(_TIMED % at))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
