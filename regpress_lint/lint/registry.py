"""Rules that exist: the built-in ones and those of installed plugins (entry points `regpress_lint.rules`).

A built-in rule is loaded when a kernel is found that it is for: most runs need few of them.
"""

from __future__ import annotations

import re
from functools import cache, partial

from regpress_lint.api.rule import API_VERSION, DOCUMENTATION_URL, Rule, Scope, read_page
from regpress_lint.core.diagnostics import RuleInfo, Severity
from regpress_lint.core.errors import UsageError, one_line
from regpress_lint.core.named import NamedTuple, cast
from regpress_lint.core.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from regpress_lint.core.diagnostics import Precision
    from regpress_lint.core.settings import Language
    from regpress_lint.targets.occupancy import Vendor
    from regpress_rules import Listed

GROUP = "regpress_lint.rules"
BUILT_IN = "regpress_rules"
_CODE = pattern(r"[A-Z]{2,6}\d{3}\Z")
_NAME = pattern(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+\Z")


class EntryPoint(NamedTuple):
    """One line of a distribution's `entry_points.txt`."""

    distribution: str
    name: str
    module: str
    attribute: str


class Entry(NamedTuple):
    """A rule that exists, loaded or not; `load` gives its class, and `hooks` are those that the class has."""

    info: RuleInfo
    hooks: tuple[str, ...]
    scope: Scope
    kind: str
    load: Callable[[], type[Rule]]

    @property
    def code(self) -> str:
        """The rule's code."""
        return self.info.code

    @property
    def name(self) -> str:
        """The rule's name."""
        return self.info.name


class Registry(NamedTuple):
    """All rules in code order, and one line for each plugin that could not be loaded."""

    rules: tuple[Entry, ...]
    problems: tuple[str, ...] = ()


def entry(rule: type[Rule]) -> Entry:
    """The entry of a class that is at hand."""
    overrides = {
        "kernel": rule.check_kernel is not Rule.check_kernel,
        "file": rule.check_file is not Rule.check_file,
        "after": rule.check_after is not Rule.check_after,
    }
    hooks = tuple(name for name, overridden in overrides.items() if overridden)
    return Entry(rule.info(), hooks, rule.scope(), rule.__name__, lambda: rule)


def _built_in(row: Listed) -> Entry:
    info = RuleInfo(
        row.code,
        row.name,
        row.summary,
        f"{DOCUMENTATION_URL}{row.name}",
        Severity[row.severity],
        cast("Precision", row.precision),
        partial(read_page, row.module, row.summary),
    )
    scope = Scope(cast("tuple[Language, ...]", row.languages), cast("tuple[Vendor, ...]", row.vendors), row.needs)
    return Entry(info, row.hooks, scope, row.kind, row.load)


def info(word: str) -> RuleInfo:
    """Information about a rule by its code or name, and about codes of earlier versions. Raises UsageError."""
    from regpress_lint.lint.selection import find_rule
    from regpress_rules.retired import retired

    old = retired(word)
    if old is None:
        return find_rule(word, load().rules).info
    page = partial(read_page, old.module, old.summary)
    return RuleInfo(old.code, old.name, old.summary, f"{DOCUMENTATION_URL}{old.name}", Severity.HINT, "high", page)


@cache
def load() -> Registry:
    """Built-in rules and plugins, once a process. Raises UsageError for codes or names that exist twice."""
    import sys

    from regpress_rules import listed

    problems: list[str] = []
    origin: dict[Entry, str] = dict.fromkeys(map(_built_in, listed()), "regpress-lint")
    for point in entry_points(sys.path):
        try:
            rules = _checked(_call(point))
        except Exception as error:
            reason = one_line(error)
            problems.append(f'plugin "{point.name}" of distribution "{point.distribution}" cannot be loaded: {reason}')
            continue
        origin.update((entry(rule), point.distribution) for rule in dict.fromkeys(rules))
    _unique(origin)
    return Registry(tuple(sorted(origin, key=lambda rule: rule.code)), tuple(problems))


def entry_points(folders: Iterable[str]) -> tuple[EntryPoint, ...]:
    """Third-party entry points of our group below `folders`; the first distribution of a name wins, as on import.

    Reads `entry_points.txt` itself: importlib.metadata costs 28 ms and opens every distribution's metadata. A run asks
    twice, for the rules and for the cache's key.
    """
    return _entry_points(tuple(folders))


@cache
def _entry_points(folders: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    return tuple(_found(folders))


def _found(folders: Iterable[str]) -> Iterator[EntryPoint]:
    import os

    seen: set[str] = set()
    for folder in folders:
        try:
            with os.scandir(folder or ".") as entries:
                names = sorted(entry.name for entry in entries if entry.name.endswith((".dist-info", ".egg-info")))
        except OSError:
            continue
        for name in names:
            distribution = re.sub(r"[-_.]+", "-", name.rsplit(".", 1)[0].split("-")[0]).lower()
            if distribution in seen:
                continue
            seen.add(distribution)
            yield from _parse(os.path.join(folder or ".", name, "entry_points.txt"), distribution)


def _parse(file: str, distribution: str) -> Iterator[EntryPoint]:
    try:
        with open(file, "rb", buffering=0) as stream:  # one of a hundred that are small
            data = stream.read()
    except OSError:
        return
    if GROUP.encode() not in data:
        return
    section = ""
    for line in map(str.strip, data.decode("utf-8", "replace").splitlines()):
        if line.startswith("["):
            section = line.strip("[]").strip()
        elif section == GROUP and "=" in line and not line.startswith(("#", ";")):
            name, _, target = (part.strip() for part in line.partition("="))
            module, _, attribute = target.split("[")[0].strip().partition(":")
            if module != BUILT_IN:
                yield EntryPoint(distribution, name, module, attribute)


def _call(point: EntryPoint) -> tuple[type[Rule], ...]:
    from importlib import import_module

    loaded: object = import_module(point.module)
    for part in filter(None, point.attribute.split(".")):
        loaded = getattr(loaded, part)
    if not callable(loaded):
        raise TypeError(f"{point.module}:{point.attribute} is not callable")
    return tuple(loaded())


def _checked(rules: tuple[type[Rule], ...]) -> tuple[type[Rule], ...]:
    for rule in rules:
        if not (isinstance(rule, type) and issubclass(rule, Rule)):
            raise TypeError(f"{rule!r} is not a subclass of regpress_lint.api.Rule")
        if not _CODE.match(getattr(rule, "code", "")) or not _NAME.match(getattr(rule, "name", "")):
            raise ValueError(f"{rule.__name__} needs a code like ABC123 and a name like some-words")
        if not (isinstance(rule.api, int) and 1 <= rule.api <= API_VERSION):
            raise ValueError(
                f"{rule.__name__} needs version {rule.api} of the rule interface, and this is version {API_VERSION}: "
                "upgrade regpress-lint"
            )
        if re.match(r"RP\d", rule.code):
            raise ValueError(f"{rule.__name__}: codes RP000 to RP999 belong to regpress-lint")
    return rules


def _unique(origin: dict[Entry, str]) -> None:
    first: dict[str, Entry] = {}
    for rule, distribution in origin.items():
        for word in (rule.code, rule.name):
            owner = first.setdefault(word, rule)
            if owner is not rule:
                raise UsageError(
                    f'rule "{word}" exists twice: {owner.kind} of distribution "{origin[owner]}" '
                    f'and {rule.kind} of distribution "{distribution}"'
                )
