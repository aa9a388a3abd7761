"""Writes `regpress_lint/lint/advice/measured_pairs.py`: what compilers and a GPU made of each rule's evidence pairs.

    python -m tools.generators.advice_evidence          # writes it
    python -m tools.generators.advice_evidence --check  # status 1 if it is not what the pairs say

It reads `testdata/evidence/<CODE>/measured.csv` and `times.csv`, which `measure_evidence.py` and `time_evidence.py`
make, so that `kernels --advise` can say with each change how often compilers gained by such a change.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ROOT = Path(__file__).resolve().parents[2]
EVIDENCE = ROOT / "testdata" / "evidence"
WRITTEN = ROOT / "regpress_lint" / "lint" / "advice" / "measured_pairs.py"
_HEAD = '''"""Evidence pairs by rule and architecture. Made by `python tools/generate.py advice_evidence`."""

# fmt: off
# ruff: noqa: E501

# By rule and architecture: pairs, those that gained, how many times as fast (the middle of those timed), GPU.
PAIRS: dict[str, dict[str, tuple[int, int, float | None, str]]] = {
'''
_TIMED = "sm_90"  # what the GPU of times.csv is
_LESS = ("registers", "scratch_bytes", "spills")


def text() -> str:
    """The module."""
    rules = {folder.name: {target: row for _, target, *row in _rows(folder)} for folder in sorted(EVIDENCE.glob("RP*"))}
    return _HEAD + "".join(f"    {_row(code, rows)},\n" for code, rows in rules.items() if rows) + "}\n"


def _row(code: str, rows: Mapping[str, Sequence[object]]) -> str:
    return f"{code!r}: { {target: tuple(row) for target, row in rows.items()} }".replace("'", '"')


def _rows(folder: Path) -> Iterator[tuple[str, str, int, int, float | None, str]]:
    if not (folder / "measured.csv").exists():
        return
    sides: dict[tuple[str, str], dict[str, Mapping[str, str]]] = {}
    for row in _read(folder / "measured.csv"):
        sides.setdefault((row["target"], row["pair"]), {})[row["version"]] = row
    times = {row["pair"]: row for row in _read(folder / "times.csv")}
    for target in sorted({target for target, _ in sides}):
        pairs = {pair: both for (own, pair), both in sides.items() if own == target and len(both) > 1}
        gained = sorted(pair for pair, both in pairs.items() if _gains(both["smell"], both["repaired"]))
        timed = [times[pair] for pair in gained if pair in times] if target == _TIMED else []
        ratios = [float(row["smell_ms"]) / float(row["repaired_ms"]) for row in timed]
        speed = round(statistics.median(ratios), 2) if ratios else None
        yield folder.name, target, len(pairs), len(gained), speed, timed[0]["gpu"] if timed else ""


def _gains(smell: Mapping[str, str], repaired: Mapping[str, str]) -> bool:
    """True if a compiler had less memory, more waves, or as many of both and fewer registers."""
    if int(repaired["scratch_bytes"]) != int(smell["scratch_bytes"]):
        return int(repaired["scratch_bytes"]) < int(smell["scratch_bytes"])
    if float(repaired["waves"]) != float(smell["waves"]):
        return float(repaired["waves"]) > float(smell["waves"])
    return any(int(repaired[name]) < int(smell[name]) for name in _LESS)


def _read(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the module, or with --check compare it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    if parser.parse_args(arguments).check:
        return int(WRITTEN.read_text() != text())
    WRITTEN.write_text(text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
