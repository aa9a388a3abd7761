"""How the kernels of two trees differ: bands, scratch, waves and findings, a kernel and an architecture each."""

from __future__ import annotations

from collections import defaultdict
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Literal

from regpress_lint.api.facts import spilled_bytes
from regpress_lint.api.worth import surely_beyond
from regpress_lint.commands.diff.identity import explained, setup_changes
from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.digests import subject
from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from regpress_lint.commands.diff.identity import Seen
    from regpress_lint.commands.kernels.rows import TargetRow
    from regpress_lint.core.diagnostics import Diagnostic


Status = Literal["changed", "added", "removed"]
_ALIKE = 0.8  # of two messages: the same finding, about code that was edited


class Side(NamedTuple):
    """One of the trees: its kernels and findings, with paths relative to the tree."""

    kernels: tuple[Seen, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


class TargetChange(NamedTuple):
    """A kernel on an architecture, before and after; None where it is not there. why: what explains the change, ""
    if nothing is known to. threshold: registers up to which a change of the estimate alone is no result.
    """

    name: str
    before: TargetRow | None
    after: TargetRow | None
    why: str = ""
    threshold: int = 0

    @property
    def comparable(self) -> bool:
        """False where a side's estimate is the middle of other instantiations than the other's, since not all of them
        could be tried: only their bands say something about the change.
        """
        if self.before is None or self.after is None:
            return False
        tried = [
            {instance.arguments for instance in row.instances if instance.registers}
            for row in (self.before, self.after)
        ]
        whole = all(instance.registers for row in (self.before, self.after) for instance in row.instances)
        return whole or tried[0] == tried[1]

    @property
    def moved(self) -> bool:
        """Whether a launch gets something else, or the estimate moved by more than the threshold."""
        if self.before is None or self.after is None:
            return self.before is not self.after
        if not self.comparable:
            return (*self.before.registers, self.before.budget) != (*self.after.registers, self.after.budget)
        if _gets(self.before) != _gets(self.after):
            return True
        old, new = self.before.registers, self.after.registers
        return old != new and abs(old.estimate - new.estimate) >= max(self.threshold, 0)

    @property
    def better(self) -> bool:
        """Less scratch or more waves, and neither is worse."""
        if self.before is None or self.after is None or self.worse or not self.comparable:
            return False
        gained = self.after.occupancy.fraction > self.before.occupancy.fraction
        return gained or self.after.scratch_bytes < self.before.scratch_bytes

    @property
    def worse(self) -> bool:
        """More scratch, or fewer waves. Registers that the estimate has beyond the budget count only where it is so far
        beyond that most such kernels spill.
        """
        if self.before is None or self.after is None or not self.comparable:
            return False
        lost = self.after.occupancy.fraction < self.before.occupancy.fraction
        return lost or _sure_scratch(self.name, self.after) > self.before.scratch_bytes


def _sure_scratch(target: str, row: TargetRow) -> int:
    """Private memory without what is spilled only if the estimate is right to a few registers."""
    estimate = row.registers.estimate
    if estimate <= row.budget or surely_beyond(target, estimate, row.budget):
        return row.scratch_bytes
    return max(0, row.scratch_bytes - spilled_bytes(estimate, row.budget))


class KernelChange(NamedTuple):
    """A kernel that differs. was: its path before, if that was another. new, gone: findings. setup: constants and
    launches that are others, a clause each.
    """

    name: str
    path: str
    line: int
    status: Status
    was: str
    was_name: str
    targets: tuple[TargetChange, ...]
    new: tuple[Diagnostic, ...]
    gone: tuple[Diagnostic, ...]
    setup: tuple[str, ...] = ()

    @property
    def worse(self) -> bool:
        """Whether something is worse than it was; a kernel that was not there is worse by its findings.

        A new finding beside better numbers is not: it became visible when something else was fixed. Nor is
        information: that gains by the estimate, or depends on facts that the source does not give.
        """
        if any(target.worse for target in self.targets):
            return True
        serious = any(diagnostic.severity >= Severity.WARNING for diagnostic in self.new)
        return serious and not any(target.better for target in self.targets)


class Changes(NamedTuple):
    """All kernels that differ, by path and line, and how many of the files that were read there are now. new, gone:
    findings outside of them. unseen: changed files with GPU code, if no kernel was found.
    """

    kernels: tuple[KernelChange, ...]
    total: int
    new: tuple[Diagnostic, ...] = ()
    gone: tuple[Diagnostic, ...] = ()
    unseen: tuple[str, ...] = ()

    def narrowed(self, patterns: Sequence[str], *, only_worse: bool) -> Changes:
        """Only kernels whose name matches one of some globs (all, if there are none), and of these only worse ones."""
        matching = tuple(
            kernel
            for kernel in self.kernels
            if (not patterns or any(fnmatchcase(kernel.name, pattern) for pattern in patterns))
            and (kernel.worse or not only_worse)
        )
        outside = not patterns and not only_worse
        return self._replace(kernels=matching, new=self.new if outside else (), gone=self.gone if outside else ())

    def count(self, status: Status) -> int:
        """Kernels of a status."""
        return sum(kernel.status == status for kernel in self.kernels)

    @property
    def worse(self) -> int:
        return sum(kernel.worse for kernel in self.kernels)


def changes(before: Side, after: Side, threshold: int = 0) -> Changes:
    """The differences between two trees. threshold: registers up to which a change of the estimate alone is no
    result."""
    old = {_key(seen): seen for seen in before.kernels}
    new = {_key(seen): seen for seen in after.kernels}
    was = {key: key for key in new if key in old} | _moved(old, new)
    findings = _findings(before, {new_key[:2]: old_key for new_key, old_key in was.items()}, after)
    kernel_changes = []
    for key, seen in new.items():
        old_key = was.get(key)
        kernel_changes.append(_change(old[old_key] if old_key else None, seen, findings, threshold))
    compared = set(was.values())
    kernel_changes += [_change(seen, None, findings, threshold) for key, seen in old.items() if key not in compared]
    named = {(change.path, change.name) for change in kernel_changes}
    shown = [change for change in kernel_changes if _differs(change)]
    shown.sort(key=lambda change: (change.path, change.line, change.name))
    outside = [pair for key, pair in findings.items() if key not in named]
    return Changes(
        tuple(shown),
        len(after.kernels),
        tuple(diagnostic for added, _ in outside for diagnostic in added),
        tuple(diagnostic for _, lost in outside for diagnostic in lost),
    )


_Key = tuple[str, str, int]


def _key(seen: Seen) -> _Key:
    return seen.row.path, seen.identity.name, seen.identity.ordinal


def _moved(old: Mapping[_Key, Seen], new: Mapping[_Key, Seen]) -> dict[_Key, _Key]:
    """Kernels that moved or were renamed: made of the same, or the only ones with their name or else their body."""
    gone = [key for key in old if key not in new]
    come = [key for key in new if key not in old]
    pairs: dict[_Key, _Key] = {}
    labels: tuple[Callable[[Seen], str], ...] = (
        lambda seen: seen.identity.digest,
        lambda seen: seen.identity.name,
        lambda seen: seen.body or seen.identity.digest,
    )
    for label in labels:
        before, after = defaultdict(list), defaultdict(list)
        for key in gone:
            if key not in pairs.values():
                before[label(old[key])].append(key)
        for key in come:
            if key not in pairs:
                after[label(new[key])].append(key)
        pairs |= {keys[0]: before[name][0] for name, keys in after.items() if len(keys) == len(before[name]) == 1}
    return pairs


def _change(before: Seen | None, after: Seen | None, findings: _Findings, threshold: int) -> KernelChange:
    current = after or before
    assert current is not None
    row = current.row
    rows = [{target.name: target for target in seen.row.targets} if seen else {} for seen in (before, after)]
    why = _causes(before, after)
    targets = tuple(
        change if change.comparable else change._replace(why="")
        for name in {**rows[0], **rows[1]}
        for change in (TargetChange(name, rows[0].get(name), rows[1].get(name), why.get(name, ""), threshold),)
    )
    status: Status = "changed" if before and after else "added" if after else "removed"
    was = before.row.path if before is not None and before.row.path != row.path else ""
    was_name = before.row.name if before is not None and before.row.name != row.name else ""
    new, gone = findings.get((row.path, row.name), ((), ()))
    setup = setup_changes(before.setup, after.setup) if before is not None and after is not None else ()
    return KernelChange(row.name, row.path, row.line, status, was, was_name, targets, new, gone, setup)


def _causes(before: Seen | None, after: Seen | None) -> dict[str, str]:
    """The causes of the change on each architecture."""
    if before is None or after is None:
        return {}
    old = {cause.target: cause for cause in before.causes}
    was, now = ({target.name: target.registers.estimate for target in seen.row.targets} for seen in (before, after))
    return {
        cause.target: explained(old[cause.target], cause, now[cause.target] - was[cause.target])
        for cause in after.causes
        if cause.target in old and cause.target in was and cause.target in now
    }


def _differs(change: KernelChange) -> bool:
    visible_change = change.new or change.gone or change.setup
    return change.status != "changed" or bool(visible_change) or any(target.moved for target in change.targets)


def _gets(row: TargetRow) -> object:
    roles = [(role.registers, role.or_fewer, role.threads) for role in row.roles]
    return (
        row.budget,
        row.scratch_bytes,
        row.occupancy.waves_per_simd,
        row.occupancy.limiters,
        roles,
        row.cluster and row.cluster.blocks,
    )


_Findings = dict[tuple[str, str], tuple[tuple["Diagnostic", ...], tuple["Diagnostic", ...]]]


def _findings(before: Side, was: Mapping[tuple[str, str], _Key], after: Side) -> _Findings:
    """New and gone findings by path and kernel; those of a kernel that moved stand where it is now."""
    now_at = {old[:2]: new for new, old in was.items()}
    old, new = defaultdict(list), defaultdict(list)
    for diagnostic in before.diagnostics:
        place = (diagnostic.location.path, diagnostic.kernel or "")
        old[now_at.get(place, place)].append(diagnostic)
    for diagnostic in after.diagnostics:
        new[diagnostic.location.path, diagnostic.kernel or ""].append(diagnostic)
    findings: _Findings = {}
    for place in {**old, **new}:
        pair = tuple(_more(new[place], old[place])), tuple(_more(old[place], new[place]))
        if any(pair):
            findings[place] = pair
    return findings


def _more(these: Sequence[Diagnostic], those: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Findings without a partner among others: by rule, severity and subject, and else by a text that is nearly the
    same, because the code that it quotes may have changed.
    """
    partners_of: dict[object, list[Diagnostic]] = defaultdict(list)
    for diagnostic in those:
        partners_of[diagnostic.code, subject(diagnostic), diagnostic.severity].append(diagnostic)
    alone = []
    for diagnostic in these:
        partners = partners_of.get((diagnostic.code, subject(diagnostic), diagnostic.severity))
        if partners:
            partners.pop()
        else:
            alone.append(diagnostic)
    others = [partner for partners in partners_of.values() for partner in partners]
    for diagnostic in alone:
        near = next((partner for partner in others if _is_reworded(partner, diagnostic)), None)
        if near is None:
            yield diagnostic
        else:
            others.remove(near)


def regraded(
    new: Sequence[Diagnostic], gone: Sequence[Diagnostic]
) -> tuple[list[tuple[Diagnostic, Diagnostic]], list[Diagnostic], list[Diagnostic]]:
    """Findings that have another severity, as they were and as they are, and the new and the gone without them."""
    gone_of: dict[object, list[Diagnostic]] = defaultdict(list)
    for diagnostic in gone:
        gone_of[diagnostic.code, diagnostic.kernel, subject(diagnostic)].append(diagnostic)
    pairs, others = [], []
    for diagnostic in new:
        if was := gone_of[diagnostic.code, diagnostic.kernel, subject(diagnostic)]:
            pairs.append((was.pop(0), diagnostic))
        else:
            others.append(diagnostic)
    return pairs, others, [diagnostic for diagnostics in gone_of.values() for diagnostic in diagnostics]


def _is_reworded(diagnostic: Diagnostic, partner: Diagnostic) -> bool:
    from difflib import SequenceMatcher

    if (diagnostic.code, diagnostic.severity) != (partner.code, partner.severity):
        return False
    return SequenceMatcher(None, diagnostic.message, partner.message, autojunk=False).ratio() >= _ALIKE
