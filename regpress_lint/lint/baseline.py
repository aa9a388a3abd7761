"""Findings that a repository had before: a baseline's entries, the findings it covers, and the entries that are fixed.

An entry is keyed by file, rule, kernel and subject and not by a line, so that code may move. The file is TOML with one
entry per line in a fixed order: entries that two branches add or fix merge like other lines.
"""

from __future__ import annotations

from collections import Counter

from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.digests import subject
from regpress_lint.core.errors import UsageError
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.reading import toml_of
from regpress_lint.lint.selection import INTERNAL_ERROR
from regpress_rules.retired import current

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from regpress_lint.core.diagnostics import Diagnostic

VERSION = 1
_HEAD = (
    "# Findings that were there when this file was written: `regpress-lint check` does not report them again.",
    "# Fixed findings leave with `regpress-lint baseline prune`. A reason may be added to each entry.",
    f"version = {VERSION}",
    "findings = [",
)


class Key(NamedTuple):
    """The key of an entry; `path` is relative to the folder of the baseline's file."""

    path: str
    kernel: str
    rule: str
    subject: str


class Entry(NamedTuple):
    """So many findings that are at most so severe."""

    key: Key
    number: int = 1
    severity: Severity = Severity.WARNING
    reason: str = ""


class Repaired(NamedTuple):
    """An entry of which only `left` findings are there."""

    entry: Entry
    left: int


class Baseline:
    """The entries of a file. named: how a path of a run is called in it."""

    def __init__(self, entries: Iterable[Entry], named: Callable[[str], str]) -> None:
        self.entries: Mapping[Key, Entry] = {entry.key: entry for entry in entries}
        self._named = named

    def key(self, diagnostic: Diagnostic) -> Key:
        path = self._named(diagnostic.location.path)
        return Key(path, diagnostic.kernel or "", diagnostic.code, subject(diagnostic))

    def new(self, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Findings that no entry covers: more than it counts, or more severe than it says."""
        seen: Counter[Key] = Counter()
        unknown = []
        for diagnostic in diagnostics:
            key = self.key(diagnostic)
            entry = self.entries.get(key)
            if entry is None or diagnostic.severity > entry.severity or diagnostic.code == INTERNAL_ERROR:
                unknown.append(diagnostic)
                continue
            seen[key] += 1
            if seen[key] > entry.number:
                unknown.append(diagnostic)
        return unknown

    def repaired(self, diagnostics: Iterable[Diagnostic], judged: Callable[[Key], bool]) -> list[Repaired]:
        """Entries of which not all is there any more, among those that the run can judge."""
        seen = Counter(map(self.key, diagnostics))
        return [
            Repaired(entry, seen[key])
            for key, entry in sorted(self.entries.items())
            if seen[key] < entry.number and judged(key)
        ]

    def written(
        self, diagnostics: Iterable[Diagnostic], judged: Callable[[Key], bool], reason: str = ""
    ) -> list[Entry]:
        """Entries for exactly these findings, and those that the run cannot judge; reasons that are known stay."""
        fresh: dict[Key, Entry] = {}
        for diagnostic in diagnostics:
            if diagnostic.code == INTERNAL_ERROR:
                continue
            key = self.key(diagnostic)
            entry, old = fresh.get(key), self.entries.get(key)
            if entry is None:
                fresh[key] = Entry(key, 1, diagnostic.severity, old.reason if old is not None else reason)
            else:
                fresh[key] = entry._replace(number=entry.number + 1, severity=max(entry.severity, diagnostic.severity))
        others = (entry for key, entry in self.entries.items() if key not in fresh and not judged(key))
        return sorted((*fresh.values(), *others))

    def pruned(self, repaired: Iterable[Repaired]) -> list[Entry]:
        """The entries without those that are fixed."""
        numbers = {repair.entry.key: repair.left for repair in repaired}
        entries = (entry._replace(number=numbers.get(key, entry.number)) for key, entry in self.entries.items())
        return sorted(entry for entry in entries if entry.number)

    def moved(self, renames: Mapping[str, str]) -> Baseline:
        """The same with files under their new names; an entry that is there already wins."""
        if not renames:
            return self
        entries = {}
        for entry in self.entries.values():
            key = entry.key._replace(path=renames.get(entry.key.path, entry.key.path))
            if key == entry.key or key not in self.entries:
                entries[key] = entry._replace(key=key)
        return Baseline(entries.values(), self._named)


def render(entries: Iterable[Entry]) -> str:
    """The text of a file."""
    return "\n".join((*_HEAD, *map(_line, entries), "]", ""))


def _line(entry: Entry) -> str:
    parts = [("path", entry.key.path), ("kernel", entry.key.kernel), ("rule", entry.key.rule)]
    parts += [("subject", entry.key.subject), ("severity", entry.severity.label)]
    shown = [f"{name} = {toml_string(text)}" for name, text in parts if text]
    shown += [f"count = {entry.number}"] if entry.number != 1 else []
    shown += [f"reason = {toml_string(entry.reason)}"] if entry.reason else []
    return f"  {{ {', '.join(shown)} }},"


def toml_string(text: str) -> str:
    """A TOML string: JSON's escapes are a part of TOML's, except characters above U+FFFF, which stay themselves."""
    import json

    clean = text.encode("utf-8", "backslashreplace").decode()
    return json.dumps(clean, ensure_ascii=False).replace("\x7f", "\\u007f")


def parse(text: str, file: str) -> list[Entry]:
    """Entries of a file. Raises UsageError naming it, and the entry that is wrong."""
    content = toml_of(text, file)
    if content.get("version") != VERSION:
        raise UsageError(f"{file}: not a baseline of version {VERSION} (`regpress-lint baseline write` makes one)")
    rows = content.get("findings", [])
    if not isinstance(rows, list):
        raise UsageError(f"{file}: findings must be an array")
    return _renamed([_entry(row, f"{file}: finding {number}") for number, row in enumerate(rows, 1)])


def _renamed(entries: list[Entry]) -> list[Entry]:
    """Entries of codes of earlier versions under those of today; one that is there already wins."""
    keys = {entry.key for entry in entries}
    moved = [(entry, entry.key._replace(rule=current(entry.key.rule))) for entry in entries]
    return [entry._replace(key=key) for entry, key in moved if key == entry.key or key not in keys]


def _entry(row: Any, where: str) -> Entry:
    if not isinstance(row, dict):
        raise UsageError(f"{where}: expected a table")
    if unknown := set(row) - {"path", "kernel", "rule", "subject", "severity", "count", "reason"}:
        raise UsageError(f'{where}: unknown key "{min(unknown)}"')
    texts = {name: row.get(name, "") for name in ("path", "kernel", "rule", "subject", "reason", "severity")}
    wrong = next((name for name, text in texts.items() if not isinstance(text, str)), None)
    if wrong is not None or not texts["path"] or not texts["rule"]:
        raise UsageError(f"{where}: {wrong or 'path and rule'} must be a string")
    count, labels = row.get("count", 1), {severity.label: severity for severity in Severity}
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise UsageError(f"{where}: count must be 1 or more")
    if texts["severity"] not in labels:
        raise UsageError(f"{where}: severity must be one of {', '.join(labels)}")
    key = Key(texts["path"], texts["kernel"], texts["rule"], texts["subject"])
    return Entry(key, count, labels[texts["severity"]], texts["reason"])
