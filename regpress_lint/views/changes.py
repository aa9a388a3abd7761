"""How the kernels of two trees differ: bands, scratch, waves and findings, a kernel and an architecture each."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Literal

from regpress_lint.core.fingerprints import subject
from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.views.identity import Seen
    from regpress_lint.views.kernels import TargetRow

Status = Literal["changed", "added", "removed"]


class Side(NamedTuple):
    """One of the trees: its kernels and findings, with paths relative to the tree."""

    kernels: tuple[Seen, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


class TargetChange(NamedTuple):
    """A kernel on an architecture, before and after; None where it is not there."""

    name: str
    before: TargetRow | None
    after: TargetRow | None

    @property
    def moved(self) -> bool:
        """Whether what a launch gets, or what the estimate says of it, is another."""
        return _measure(self.before) != _measure(self.after)

    @property
    def worse(self) -> bool:
        """More scratch, or fewer waves."""
        if self.before is None or self.after is None:
            return False
        lost = self.after.occupancy.fraction < self.before.occupancy.fraction
        return lost or self.after.scratch_bytes > self.before.scratch_bytes


class KernelChange(NamedTuple):
    """A kernel that differs. was: its path before, if that was another. new, gone: findings."""

    name: str
    path: str
    line: int
    status: Status
    was: str
    targets: tuple[TargetChange, ...]
    new: tuple[Diagnostic, ...]
    gone: tuple[Diagnostic, ...]

    @property
    def worse(self) -> bool:
        """Whether something is worse than it was; a kernel that was not there is worse by its findings."""
        return bool(self.new) or any(target.worse for target in self.targets)


class Changes(NamedTuple):
    """All kernels that differ, by path and line, and how many there are now; `elsewhere` are findings outside."""

    kernels: tuple[KernelChange, ...]
    total: int
    new: tuple[Diagnostic, ...] = ()
    gone: tuple[Diagnostic, ...] = ()

    def count(self, status: Status) -> int:
        """Kernels of a status."""
        return sum(kernel.status == status for kernel in self.kernels)

    @property
    def worse(self) -> int:
        """Kernels that are worse."""
        return sum(kernel.worse for kernel in self.kernels)


def changes(before: Side, after: Side) -> Changes:
    """What differs between two trees."""
    old = {_key(seen): seen for seen in before.kernels}
    new = {_key(seen): seen for seen in after.kernels}
    was = {key: key for key in new if key in old} | _moved(old, new)
    findings = _findings(before, {new_key[:2]: old_key for new_key, old_key in was.items()}, after)
    found = []
    for key, seen in new.items():
        old_key = was.get(key)
        found.append(_change(old[old_key] if old_key else None, seen, findings))
    kept = set(was.values())
    found += [_change(seen, None, findings) for key, seen in old.items() if key not in kept]
    named = {(change.path, change.name) for change in found}
    shown = [change for change in found if _differs(change)]
    shown.sort(key=lambda change: (change.path, change.line, change.name))
    outside = [pair for key, pair in findings.items() if key not in named]
    return Changes(
        tuple(shown),
        len(after.kernels),
        tuple(each for added, _ in outside for each in added),
        tuple(each for _, lost in outside for each in lost),
    )


_Key = tuple[str, str, int]


def _key(seen: Seen) -> _Key:
    return seen.row.path, seen.identity.name, seen.identity.ordinal


def _moved(old: Mapping[_Key, Seen], new: Mapping[_Key, Seen]) -> dict[_Key, _Key]:
    """Kernels that went to another file: those that are made of the same, or the only ones of their name."""
    gone = [key for key in old if key not in new]
    come = [key for key in new if key not in old]
    found: dict[_Key, _Key] = {}
    for label in (_made_of, _called):
        before, after = defaultdict(list), defaultdict(list)
        for key in gone:
            if key not in found.values():
                before[label(old[key])].append(key)
        for key in come:
            if key not in found:
                after[label(new[key])].append(key)
        found |= {keys[0]: before[name][0] for name, keys in after.items() if len(keys) == len(before[name]) == 1}
    return found


def _made_of(seen: Seen) -> str:
    return seen.identity.digest


def _called(seen: Seen) -> str:
    return seen.identity.name


def _change(before: Seen | None, after: Seen | None, findings: _Findings) -> KernelChange:
    here = after or before
    assert here is not None
    row = here.row
    rows = [{target.name: target for target in seen.row.targets} if seen else {} for seen in (before, after)]
    targets = tuple(TargetChange(name, rows[0].get(name), rows[1].get(name)) for name in {**rows[0], **rows[1]})
    status: Status = "changed" if before and after else "added" if after else "removed"
    was = before.row.path if before is not None and before.row.path != row.path else ""
    new, gone = findings.get((row.path, row.name), ((), ()))
    return KernelChange(row.name, row.path, row.line, status, was, targets, new, gone)


def _differs(change: KernelChange) -> bool:
    return change.status != "changed" or bool(change.new or change.gone) or any(each.moved for each in change.targets)


def _measure(row: TargetRow | None) -> object:
    if row is None:
        return None
    return row.registers, row.budget, row.scratch_bytes, row.occupancy.waves_per_simd, row.occupancy.limiters


_Findings = dict[tuple[str, str], tuple[tuple["Diagnostic", ...], tuple["Diagnostic", ...]]]


def _findings(before: Side, was: Mapping[tuple[str, str], _Key], after: Side) -> _Findings:
    """New and gone findings by path and kernel; those of a kernel that moved stand where it is now."""
    now_at = {old[:2]: new for new, old in was.items()}
    old, new = defaultdict(list), defaultdict(list)
    for each in before.diagnostics:
        place = (each.location.path, each.kernel or "")
        old[now_at.get(place, place)].append(each)
    for each in after.diagnostics:
        new[each.location.path, each.kernel or ""].append(each)
    found: _Findings = {}
    for place in {**old, **new}:
        pair = tuple(_more(new[place], old[place])), tuple(_more(old[place], new[place]))
        if any(pair):
            found[place] = pair
    return found


def _more(these: Sequence[Diagnostic], those: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Findings that are not among others by rule, subject and severity."""
    left = Counter((each.code, subject(each), each.severity) for each in those)
    for each in these:
        key = (each.code, subject(each), each.severity)
        if left[key]:
            left[key] -= 1
        else:
            yield each
