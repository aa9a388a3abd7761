"""The calculator against what a GPU answered: reads the table that occupancy_device.cu prints.

    python -m tools.measure.occupancy_device ALL.csv [--device h200]

Prints in how many rows the run-time API's blocks per SM differ from ours, and, of the launches that were made, how many
had as many, fewer or more blocks resident at a time. Exit status 1 where an answer differs or more were resident.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from pathlib import Path

from regpress_lint.targets.occupancy import KernelUse, architecture, occupancy, runtime_blocks


def main() -> int:
    """Command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path)
    parser.add_argument("--device", default="h200")
    options = parser.parse_args()
    device, differ = architecture(options.device), 0
    short: Counter[int] = Counter()
    with options.table.open(newline="", encoding="utf-8") as lines:
        rows = [{name: int(value) for name, value in row.items()} for row in csv.DictReader(lines)]
    for row in rows:
        use = KernelUse(
            vgprs=row["registers"], lds_bytes=row["lds_bytes"], block_size=row["block_size"], carveout=row["carveout"]
        )
        answers = {runtime_blocks(device, use), occupancy(device, use).groups, row["api_blocks"]}
        if len(answers) > 1:
            differ += 1
            print(f"{use}: run-time API {row['api_blocks']}, ours {sorted(answers - {row['api_blocks']})}")
        if row["measured_blocks"] >= 0:
            short[row["api_blocks"] - row["measured_blocks"]] += 1
    more = sum(count for blocks, count in short.items() if blocks < 0)
    fewer = ", ".join(f"{count} with {blocks} fewer" for blocks, count in sorted(short.items()) if blocks > 0)
    print(f"{differ} of {len(rows):,} answers differ")
    held = f"{short[0]:,} with as many blocks resident, {fewer or 'none with fewer'}, {more} with more"
    print(f"{short.total():,} launches: {held}")
    return int(differ > 0 or more > 0)


if __name__ == "__main__":
    raise SystemExit(main())
