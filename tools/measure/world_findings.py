"""Sample warnings of unread programs for a person to judge one by one, and count the verdicts.

    python -m tools.measure.world_findings draw FOLDER ... --seed 1 --size 50 -o drawn.csv
    python -m tools.measure.world_findings score drawn.csv [MORE.csv ...]

`draw` lints the folders as they are, draws by the seed among all warnings and errors, and writes a line each with an
empty verdict. A file and a rule give no more than `--most` of them, and a folder no more than `--most-of-a-folder`, so
that one program's habit is not the result. Who judges reads the code, compiles what compiles, and writes

    act      true, and worth a change to who owns the code
    true     true, but not worth a change
    false    not so: the compiler does something else, the code never runs that way, or is not for that GPU
    unclear  not to be decided from the source; it does not count

into `verdict` and why into `why`. `score` prints the shares, over all and by rule.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FIELDS = ("file", "line", "rule", "target", "kernel", "message", "verdict", "why")
VERDICTS = ("act", "true", "false", "unclear")


class Row(NamedTuple):
    """One finding; `verdict` is empty until it has been judged."""

    file: str
    line: int
    rule: str
    target: str
    kernel: str
    message: str
    verdict: str = ""
    why: str = ""


def warnings_of(folder: str, arch: str) -> Iterator[Row]:
    """All warnings and errors of a folder, paths from there on, as a user gets them: from the program itself, which
    gives memory back between files.
    """
    root = Path(folder)
    command = [sys.executable, "-m", "regpress_lint", "check", folder, "--isolated", "--no-cache"]
    command += ["--output-format", "json", *(["--arch", arch] if arch else [])]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{folder}: {done.stderr.strip()}")
    for found in json.loads(done.stdout)["diagnostics"]:
        if found["severity"] in ("warning", "error"):
            where = f"{root.name}/{Path(found['path']).relative_to(root).as_posix()}"
            targets = " ".join(found["targets"])
            kernel = found["kernel"] or ""
            yield Row(where, found["start"]["line"], found["code"], targets, kernel, found["message"])


def drawn(rows: Iterable[Row], seed: int, size: int, most: int, of_a_folder: int | None = None) -> list[Row]:
    """A sample by seed, in order of file and line; of one rule in one file at most `most`."""
    order = sorted(rows)
    random.Random(seed).shuffle(order)
    taken: Counter[tuple[str, str]] = Counter()
    folders: Counter[str] = Counter()
    sample: list[Row] = []
    for row in order:
        folder = row.file.partition("/")[0]
        full = of_a_folder is not None and folders[folder] >= of_a_folder
        if len(sample) < size and taken[row.file, row.rule] < most and not full:
            taken[row.file, row.rule] += 1
            folders[folder] += 1
            sample.append(row)
    return sorted(sample)


def read(path: str) -> list[Row]:
    """The rows of a CSV. Raises ValueError for a verdict that is none."""
    with Path(path).open(newline="") as file:
        rows = [Row(*(line[field] for field in FIELDS)) for line in csv.DictReader(file)]  # type: ignore[arg-type]
    if wrong := [row for row in rows if row.verdict and row.verdict not in VERDICTS]:
        raise ValueError(f"{path}: {wrong[0].file}:{wrong[0].line}: verdict {wrong[0].verdict!r} is none of {VERDICTS}")
    return rows


def scored(rows: Sequence[Row]) -> list[str]:
    """Lines with the shares."""
    by_rule: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        by_rule["all"][row.verdict] += 1
        by_rule[row.rule][row.verdict] += 1
    lines = [f"{'rule':8}{'judged':>8}{'true':>8}{'acted on':>10}"]
    for rule, count in sorted(by_rule.items(), key=lambda each: (each[0] != "all", each[0])):
        if judged := count["act"] + count["true"] + count["false"]:
            right = count["act"] + count["true"]
            lines.append(f"{rule:8}{judged:8}{right / judged:8.0%}{count['act'] / judged:10.0%}")
    if left := sum(not row.verdict for row in rows):
        lines.append(f"{left} without a verdict")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw, or count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    draw = commands.add_parser("draw")
    draw.add_argument("folders", nargs="+")
    draw.add_argument("--arch", default="gfx90a,sm_90", help="'' for the tool's own default of each language")
    draw.add_argument("--seed", type=int, default=1)
    draw.add_argument("--size", type=int, default=50)
    draw.add_argument("--most", type=int, default=2)
    draw.add_argument("--most-of-a-folder", type=int)
    draw.add_argument("-o", "--output", default="drawn.csv")
    commands.add_parser("score").add_argument("files", nargs="+")
    given = parser.parse_args(arguments)
    if given.command == "score":
        print("\n".join(scored([row for path in given.files for row in read(path)])))
        return 0
    every: list[Row] = []
    for folder in given.folders:
        own = list(warnings_of(folder, given.arch))
        print(f"{folder}: {len(own)}", flush=True)
        every += own
    sample = drawn(every, given.seed, given.size, given.most, given.most_of_a_folder)
    with Path(given.output).open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(FIELDS)
        writer.writerows(sample)
    print(f"{len(sample)} of {len(every)} warnings in {given.output}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
