"""Suppressions that silence nothing: which they are, and what to remove (RP002)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Edit, Finding, Fix, Severity
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.source import Span
from regpress_lint.lint.selection import OFF, rank
from regpress_lint.lint.suppressions import CHECK_PREFIX, selector_of
from regpress_lint.targets.vocabulary import vendor_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from regpress_lint.core.source import Source
    from regpress_lint.lint.registry import Entry
    from regpress_lint.lint.suppressions import Suppression, Suppressions
    from regpress_lint.program.model import File

CODE = "RP002"
_COMPILED = frozenset(("cu", "hip", "cpp", "cc", "cxx", "c"))  # what is compiled by itself; all else is included
NAME = "unused-suppression"


class Uses:
    """Findings that the suppressions of a file have silenced, by selector; those below the threshold also count."""

    def __init__(self, suppressions: Suppressions) -> None:
        self._entries = suppressions.entries
        self._used: set[tuple[int, str]] = set()

    def silence(self, line: int, code: str, name: str) -> bool:
        """Whether a finding is silenced; every suppression that does it is noted, so that none of them counts as
        unused.
        """
        found = False
        for index, entry in enumerate(self._entries):
            if not entry.reaches(line, code):
                continue
            meant = entry.naming(code, name) if entry.selectors else ("",)
            self._used.update((index, selector) for selector in meant)
            found = found or bool(meant)
        return found

    def unused(self, known: Sequence[Entry], on: Sequence[Entry], targets: Sequence[str]) -> Iterator[Unused]:
        """Suppressions, whole or in part, that certainly silence nothing on these targets.

        known, on: all rules, and those of this run. One that names a rule that was not asked is not judged; one
        that names none is judged by the rules for these targets.
        """
        asked = {rule.code for rule in on if _is_for(rule, targets)}
        here = [rule for rule in known if _is_for(rule, targets)]
        for index, entry in enumerate(self._entries):
            if not entry.ours:
                continue
            left = [word for word in entry.selectors or ("",) if (index, word) not in self._used]
            idle = tuple(word for word in left if _was_asked(word, known if word else here, asked))
            if idle:
                yield Unused(entry, idle)


def sees_all(file: File) -> bool | None:
    """Whether all sources of a file's findings are known; None if some are known to be missing.

    A header's kernels are launched by its includers: without them, as in a hook that is given one file, the purpose of
    a suppression is unknown, and with some of them there may be others.
    """
    name = file.source.path.rpartition("/")[2]
    if name.rpartition(".")[2].lower() in _COMPILED or "." not in name:
        return True
    launches = (launch for kernel in file.kernels for launch in kernel.launches)
    return False if any(launch.path != file.source.path for launch in launches) else None


class Unused(NamedTuple):
    """A suppression with those of its selectors that silence nothing; `("",)` where it has none."""

    entry: Suppression
    selectors: tuple[str, ...]

    def finding(self, source: Source, targets: Iterable[str], certain: bool) -> Finding:
        """The finding about it; `certain` is false where another run may see more."""
        rules = ", ".join(f"`{word}`" for word in self.selectors if word)
        named = " ".join(source.text(self.entry.order).split())
        message = f"`{named}` silences nothing here" if self._whole else f"{rules} in `{named}` silences nothing here"
        severities = dict.fromkeys(targets, Severity.INFO)
        return Finding(self.entry.order, message, severities, "remove it", fix=self._fix(source, certain))

    @property
    def _whole(self) -> bool:
        return len(self.selectors) == len(self.entry.selectors or ("",))

    def _fix(self, source: Source, certain: bool) -> Fix | None:
        entry = self.entry
        text = source.text(entry.order)
        others = text.startswith("NOLINT") and len(_checks(text)) > len(self.selectors)
        if not self._whole or others:
            edits = [] if entry.closing else [Edit(entry.order, _without(text, self.selectors))]
        elif entry.alone:
            edits = [_removed(source, span) for span in (entry.span, entry.closing) if span is not None]
        else:
            edits = []
        title = "Remove the suppression" if self._whole else "Remove what silences nothing"
        return Fix(title, "safe" if certain else "unsafe", tuple(edits)) if edits else None


def _is_for(rule: Entry, targets: Sequence[str]) -> bool:
    """False for a rule that is not asked about these targets: its suppression may be for another run."""
    vendors = {vendor_of((name,)) for name in targets}
    return not rule.scope.vendors or bool(vendors.intersection(rule.scope.vendors))


def _was_asked(selector: str, known: Sequence[Entry], asked: set[str]) -> bool:
    """Whether all rules of a selector have run; those of the linter itself always have."""
    meant = [rule for rule in known if rule.hooks and (not selector or rank(selector, rule.code, rule.name) != OFF)]
    return bool(meant) and all(rule.code in asked for rule in meant)


def _without(order: str, selectors: Sequence[str]) -> str:
    """The text of an order with some of its selectors gone."""
    head, bracket, rest = re.split(r"([\[(])", order, maxsplit=1)
    kept = [part for part in _checks(order) if _bare(part) not in selectors]
    return f"{head}{bracket}{', '.join(kept)}{rest[-1]}"


def _checks(order: str) -> list[str]:
    """The text between the brackets of an order."""
    return re.split(r"\s*,\s*", re.split(r"[\[(]", order, maxsplit=1)[1][:-1].strip())


def _bare(check: str) -> str:
    """A check of NOLINT as a selector; nothing for one of another linter."""
    return selector_of(check) if check.startswith(CHECK_PREFIX) else check


def _removed(source: Source, comment: Span) -> Edit:
    """A comment with the blanks before it; with its line if there is nothing else on it."""
    first, last = source.line_of(comment.start), source.line_of(max(comment.start, comment.end - 1))
    line, data = source.line_span(first), source.data
    start, end = comment.start, comment.end
    while start > line.start and data[start - 1 : start] in (b" ", b"\t"):
        start -= 1
    rest = data[end : max(end, source.line_span(last).end)]
    if rest.strip():
        # Something follows on the line: a blank stays between what the comment kept apart.
        blanks = len(rest) - len(rest.lstrip(b" \t"))
        return Edit(Span(comment.start, end + blanks), "" if start < comment.start else " ")
    if start == line.start:
        following = last < source.line_count
        return Edit(Span(line.start, source.line_span(last + 1).start if following else len(data)), "")
    return Edit(Span(start, end), "")
