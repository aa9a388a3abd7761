"""`baseline ... --measured`: a two-way ratchet on what compilers allocate, a kernel and target each."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from regpress_lint.cli.baselines import save_text, shown
from regpress_lint.cli.context import complain
from regpress_lint.cli.measured_option import bytes_of, measured
from regpress_lint.cli.measured_sources import relative, sources
from regpress_lint.core.errors import UsageError
from regpress_lint.lint.ratchet_file import Held, parse, render
from regpress_lint.measured.ratchet import compared, taken

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from regpress_lint.cli.context import Context
    from regpress_lint.measured.ratchet import Move, Taken, Verdict

FILE_NAME = "regpress-measured.toml"
_SAID: dict[Verdict, str] = {
    "worse": "worse than it says",
    "better": "better than it says (`regpress-lint baseline prune` writes that down)",
    "new": "not in it (`regpress-lint baseline write` puts in what was measured)",
    "gone": "in it and no longer measured (`regpress-lint baseline prune` takes such out)",
}


def run(arguments: argparse.Namespace, here: Context, folder: str) -> int:
    """Exit status: 1 if `check` finds that the file differs from the measurement. folder: where the file is usually.

    Raises UsageError.
    """
    file = os.path.abspath(arguments.baseline or os.path.join(folder, FILE_NAME))
    reading = measured(arguments.measured, here.settings.architectures)
    found = sources(arguments, here, reading.rows, os.path.dirname(file))
    complain(reading.problems, "warning")
    complain(found.problems)
    now = taken(reading.rows, here.settings.assumed_block_size, lambda row: found.of.get(row, ("", "")))
    if arguments.action == "write":
        status = _write(file, now, arguments.reason or "")
    else:
        entries = _entries(file)
        if entries is None:
            name = shown(file)
            raise UsageError(f'no baseline "{name}" (`regpress-lint baseline write --measured FILE` makes it)')
        moves = compared([each.taken for each in entries if _is_judged(each, now, arguments, file)], now)
        status = (_prune if arguments.action == "prune" else _check)(file, entries, moves)
    return 2 if found.problems else status


def _entries(file: str) -> list[Held] | None:
    if not os.path.exists(file):
        return None
    try:
        text = bytes_of(file).decode()
    except UnicodeDecodeError:
        raise UsageError(f'cannot read the baseline "{shown(file)}": it is no UTF-8 text') from None
    return parse(text, shown(file))


def _is_judged(entry: Held, now: Sequence[Taken], arguments: argparse.Namespace, file: str) -> bool:
    """Whether a run can say that an entry is gone: its GPU was measured, and its file is among the paths, if there are
    any.
    """
    if entry.taken.target not in {each.target for each in now}:
        return False
    if not arguments.paths:
        return True
    places = [relative(path, os.path.dirname(file)) for path in arguments.paths]
    return any(place == "." or f"{entry.taken.path}/".startswith(f"{place}/") for place in places)


def _write(file: str, now: Sequence[Taken], reason: str) -> int:
    """Write the measured rows with their known reasons, and keep entries of other GPUs."""
    entries = _entries(file) or []
    pairs = {move.now: move.before for move in compared([each.taken for each in entries], now)}
    reasons = {each.taken: each.reason for each in entries}
    targets = {each.target for each in now}
    kept = [each for each in entries if each.taken.target not in targets]

    def why(each: Taken) -> str:
        before = pairs[each]
        return reason if before is None else reasons[before] or reason

    save_text(file, render((*kept, *(Held(each, why(each)) for each in now))))
    print(f"wrote {_instances(len(now))} to {shown(file)}")
    return 0


def _check(file: str, _entries: Sequence[Held], moves: Sequence[Move]) -> int:
    told = [_tell(file, moves, verdict) for verdict in _SAID]
    if not any(told):
        print("the baseline is what was measured")
    return int(any(told))


def _prune(file: str, entries: Sequence[Held], moves: Sequence[Move]) -> int:
    """Entries as they are now where that is less, without those that are gone; what takes more stays as it was."""
    better = {move.before: move.after for move in moves if move.verdict == "better"}
    gone = {move.before for move in moves if move.verdict == "gone"}
    if not better and not gone:
        print("nothing to prune")
        return 0
    kept = (each._replace(taken=better.get(each.taken) or each.taken) for each in entries if each.taken not in gone)
    save_text(file, render(kept))
    print(f"{shown(file)}: {_instances(len(better))} lowered, {len(gone)} removed")
    return 0


def _tell(file: str, moves: Sequence[Move], verdict: Verdict) -> bool:
    from regpress_lint.formats.ratchet_diff import named_lines
    from regpress_lint.formats.terminal import Palette, line_width, use_color

    those = [move for move in moves if move.verdict == verdict]
    if those:
        print(f"{shown(file)}: {_instances(len(those))} {_SAID[verdict]}")
        palette = Palette(use_color(sys.stdout, os.environ))
        for move in those:
            print("\n".join(named_lines(move, palette, line_width(sys.stdout, os.environ))))
    return bool(those)


def _instances(number: int) -> str:
    return "1 kernel" if number == 1 else f"{number} kernels"
