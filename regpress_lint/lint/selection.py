"""Which rules are on for a file: codes, prefixes and names against the rules that exist."""

from __future__ import annotations

from regpress_lint.core.errors import UsageError, suggestion
from regpress_lint.core.named import NamedTuple, Protocol, TypeVar
from regpress_lint.core.patterns import matches, pattern
from regpress_rules.retired import current, retired

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from regpress_lint.core.diagnostics import Severity
    from regpress_lint.core.settings import Settings
    from regpress_lint.lint.registry import Entry

INTERNAL_ERROR = "RP009"
ALWAYS_ON = frozenset({"RP001", INTERNAL_ERROR})
EXACT = 1000
OFF = -1
_PREFIX = pattern(r"[A-Za-z]{1,6}\d*$")


class Named(Protocol):
    """The object that a selector is compared with: a rule's class, or its description before it is loaded."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=Named)


class Selection(NamedTuple):
    """Rules that are on, in code order, and the codes among them that were selected by their own code or name."""

    rules: tuple[Entry, ...]
    explicit: frozenset[str] = frozenset()


def select(rules: Sequence[Entry], settings: Settings, path: str | None = None) -> Selection:
    """Rules that are on for a path (None: for any path, leaving `per_file_ignores` aside).

    The more specific selector wins, so that `--ignore RP2 --select RP201` keeps RP201; at equal rank `ignore` wins.
    Raises UsageError for a selector that no rule answers to.
    """
    wanted = _checked((*settings.select, *settings.extend_select), rules)
    unwanted = _checked((*settings.ignore, *_ignored_for(settings, path)), rules)
    everything = OFF if settings.select else 0
    chosen: list[Entry] = []
    explicit: set[str] = set()
    for rule in rules:
        on = max((rank(selector, rule.code, rule.name) for selector in wanted), default=OFF)
        off = max((rank(selector, rule.code, rule.name) for selector in unwanted), default=OFF)
        if not _is_on(rule.code, max(on, everything), off):
            continue
        chosen.append(rule)
        if on == EXACT:
            explicit.add(rule.code)
    return Selection(tuple(sorted(chosen, key=lambda rule: rule.code)), frozenset(explicit))


def _is_on(code: str, on: int, off: int) -> bool:
    if code == INTERNAL_ERROR:
        return True
    if code in ALWAYS_ON:
        return off < EXACT
    return on > off


def rank(selector: str, code: str, name: str) -> int:
    """How exactly a selector means a rule: EXACT for its code or name, the length of a prefix, 0 for all, else OFF.

    A code or name of an earlier version means the rule that has taken over.
    """
    folded = current(selector).casefold()
    if folded in (code.casefold(), name.casefold()):
        return EXACT
    if folded in ("all", "*"):
        return 0
    if _PREFIX.match(selector) and code.casefold().startswith(folded):
        return len(selector)
    return OFF


_SHORTEST_PART = 3  # of a code or name that is worth a suggestion: `RP4`, `pow`


def find_rule(word: str, rules: Iterable[N]) -> N:
    """The rule with this code or name. Raises UsageError with a suggestion."""
    candidates = list(rules)
    for rule in candidates:
        if rank(word, rule.code, rule.name) == EXACT:
            return rule
    raise UsageError(unknown_rule(word, candidates))


def unknown_rule(word: str, rules: Iterable[Named]) -> str:
    """Message for a selector that means no rule."""
    words = [name for rule in rules for name in (rule.code, rule.name)]
    meant = suggestion(word, words)
    if not meant and len(word) >= _SHORTEST_PART:
        parts = [name for name in words if word.casefold() in name.casefold()]
        meant = f", did you mean {' or '.join(parts)}?" if parts else ""
    return f'unknown rule "{word}"{meant} (`regpress-lint rule` lists them)'


def _ignored_for(settings: Settings, path: str | None) -> tuple[str, ...]:
    if path is None:
        return ()
    return tuple(
        selector
        for pattern, selectors in settings.per_file_ignores.items()
        if matches(path, (pattern,))
        for selector in selectors
    )


def wrong_selector(rules: Sequence[Named], settings: Settings) -> tuple[str, str, str] | None:
    """The first selector that means no rule: field of `Settings` that holds it, what is wrong, and the selector."""
    by_field = {field: getattr(settings, field) for field in ("select", "extend_select", "ignore")}
    by_field["per_file_ignores"] = tuple(word for ignore in settings.per_file_ignores.values() for word in ignore)
    by_field["severities"] = tuple(settings.severities)
    for field, selectors in by_field.items():
        for selector in selectors:
            if _means_none(selector, rules):
                return field, unknown_rule(selector, rules), selector
    return None


def leaves_no_rule(rules: Sequence[Entry], settings: Settings) -> bool:
    """Whether no rule is on but those that are always on."""
    selection = select(rules, settings)
    return all(rule.code in ALWAYS_ON and rule.code not in selection.explicit for rule in selection.rules)


def severity_of(rule: Named, severities: Mapping[str, Severity]) -> Severity | None:
    """The severity that the most exact of the selectors gives a rule; None if none of them means it."""
    best = max(severities, key=lambda selector: rank(selector, rule.code, rule.name), default="")
    return severities[best] if best and rank(best, rule.code, rule.name) != OFF else None


def _means_none(selector: str, rules: Sequence[Named]) -> bool:
    return not is_known(selector, rules)


def is_known(selector: str, rules: Iterable[Named]) -> bool:
    """Whether a selector means a rule, or a code of an earlier version that is documentation only."""
    return retired(selector) is not None or any(rank(selector, rule.code, rule.name) != OFF for rule in rules)


def _checked(selectors: tuple[str, ...], rules: Sequence[Named]) -> tuple[str, ...]:
    for selector in selectors:
        if _means_none(selector, rules):
            raise UsageError(unknown_rule(selector, rules))
    return selectors
