"""`verify --fix`: confirmed changes are written, and reverted if the user's own benchmark is slower with them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from regpress_lint.cli.repair import replace_own
from regpress_lint.cli.timing import timed
from regpress_lint.core import fixes
from regpress_lint.core.errors import os_reason
from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.cli.verifying import Proved
    from regpress_lint.views.timed import Timed


class Written(NamedTuple):
    """A file that was fixed."""

    path: str
    before: bytes
    after: bytes
    fixes: int


class Applied(NamedTuple):
    """Files that were fixed, a line for each that could not be, and the results of the user's benchmark."""

    written: tuple[Written, ...] = ()
    problems: tuple[str, ...] = ()
    timing: Timed | None = None
    taken_back: bool = False


def applied(proved: Sequence[Proved], command: str | None, repeat: int) -> Applied:
    """Write what was confirmed. With a command it runs before and after. Raises UsageError if the command fails."""
    if command is None:
        return _told(_write(proved))
    if not any(each.kept for each in proved):
        return _told(Applied())
    done: list[Applied] = []
    try:
        timing = timed(command, repeat, lambda: done.append(_write(proved)))
    except BaseException:  # an interruption, too: the tree shall be as it was
        for each in done:
            _take_back(each.written)
        raise
    found = done[0]._replace(timing=timing, taken_back=timing.verdict == "slower")
    if not found.taken_back:
        return _told(found)
    return _told(found._replace(problems=(*found.problems, *_take_back(found.written)), written=()))


def _told(found: Applied) -> Applied:
    count = sum(each.fixes for each in found.written)
    back = ", slower and taken back" if found.taken_back else ""
    print(f"applied {count} {'fix' if count == 1 else 'fixes'}{back}", file=sys.stderr)
    return found


def _write(proved: Sequence[Proved]) -> Applied:
    written, problems = [], []
    for each in proved:
        path, before = each.work.path, each.work.data
        after, count = fixes.apply(before, each.kept)
        if after == before:
            continue
        try:
            if _replaced(path, before, after):
                written.append(Written(path, before, after, count))
            else:
                problems.append(f'"{path}" changed while it was verified, not fixed')
        except OSError as error:
            problems.append(f'cannot write "{path}": {os_reason(error)}')
    return Applied(tuple(written), tuple(problems))


def _take_back(written: Sequence[Written]) -> list[str]:
    """Restore files, unless they were changed meanwhile; return lines about those not restored."""
    problems = []
    for path, before, after, _ in written:
        try:
            if not _replaced(path, after, before):
                problems.append(f'"{path}" changed while it was timed, its fixes stay')
        except OSError as error:
            problems.append(f'cannot write "{path}": {os_reason(error)}')
    return problems


def _replaced(path: str, old: bytes, new: bytes) -> bool:
    with open(path, "rb") as stream:
        if stream.read() != old:
            return False
    replace_own(path, new)
    return True
