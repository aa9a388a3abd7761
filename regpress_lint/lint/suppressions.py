"""Comments that silence findings: `// regpress: ignore[RP201] reason` with its forms (`regpress-lint:` is the
same), and clang-tidy's NOLINT.

`ignore` counts for its own line; one on a line of its own counts for the next line that is not a lone comment, so that
several can be stacked. `ignore-next-line` counts for the next line, `ignore-begin` up to its `ignore-end`,
`ignore-file`, before the first line of code, for the file. NOLINT, NOLINTNEXTLINE and NOLINTBEGIN to NOLINTEND also
apply to this linter if they name nothing, `*` or `regpress-` and a selector. Text inside string literals is no comment.

Suppressions that silence nothing: which they are, and what to remove (RP002).
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Edit, Finding, Fix, Severity
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import BOM, Source, Span
from regpress_lint.lint.selection import INTERNAL_ERROR, OFF, is_known, rank, unknown_rule
from regpress_lint.targets.vocabulary import vendor_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from regpress_lint.lint.registry import Entry
    from regpress_lint.lint.selection import Named
    from regpress_lint.program.file import File


_OURS = pattern(r"regpress(?:-lint)?:\s*(?P<verb>[\w-]+)(?:\s*\[(?P<selectors>[^\]\n]*)\])?")
_NOLINT = pattern(r"\bNOLINT(?P<form>NEXTLINE|BEGIN|END)?\b(?:\((?P<checks>[^)\n]*)\))?")
CHECK_PREFIX = "regpress-"
_HINT = pattern(rb"regpress(?:-lint)?:|NOLINT")
BUDGET = "budget"  # an order of another kind: what a kernel may take
_VERBS = ("ignore", "ignore-next-line", "ignore-begin", "ignore-end", "ignore-file")


class Suppression(NamedTuple):
    """One comment's order. `selectors` is empty for everything; `last` is inclusive, None to the end of the file.

    order: the bytes of the order itself. ours: it names this linter. alone: the comment holds nothing before it, no
    other order and nothing for another linter. closing: the comment that ends a range.
    """

    span: Span
    selectors: tuple[str, ...]
    first: int
    last: int | None
    order: Span = Span(0, 0)
    ours: bool = True
    alone: bool = True
    closing: Span | None = None

    def reaches(self, line: int, code: str) -> bool:
        """True for a line that it counts for; an internal error cannot be silenced."""
        return code != INTERNAL_ERROR and line >= self.first and (self.last is None or line <= self.last)

    def naming(self, code: str, name: str) -> tuple[str, ...]:
        """The selectors that mean a rule."""
        return tuple(selector for selector in self.selectors if rank(selector, code, name) != OFF)


class Suppressions(NamedTuple):
    """All suppressions of a file, and warnings about those that cannot work."""

    entries: tuple[Suppression, ...] = ()
    warnings: tuple[str, ...] = ()


def parse(source: Source, rules: Sequence[Named] = ()) -> Suppressions:
    """Suppressions of a file; selectors that mean none of `rules` are warned about (no check for an empty sequence)."""
    if not _HINT.search(source.data):
        return Suppressions()
    comments = [_Comment(source, span, header) for span, header in _comments(source.data)]
    alone = {line for comment in comments if comment.alone for line in range(comment.first, comment.last + 1)}
    ranges = _Ranges()
    entries: list[Suppression] = []
    warnings: list[tuple[int, str]] = []
    for comment in comments:
        warnings += [(comment.first, complaint) for complaint in _wrong_budgets(comment)]
        for order in _orders(comment):
            suppression, complaint = _order(comment, order, alone, ranges)
            warnings += [(comment.first, complaint)] if complaint else []
            if suppression is not None:
                entries.append(suppression)
                unknown = (word for word in suppression.selectors if rules and not is_known(word, rules))
                warnings += [(comment.first, f"suppression names the {unknown_rule(word, rules)}") for word in unknown]
    warnings += [(line, f"{name} has no end, it silences nothing") for name, line in ranges.left_open()]
    ordered = sorted(entries, key=lambda entry: entry.order)
    sentences = (f"{source.path}:{line}: {text}" for line, text in sorted(warnings, key=lambda warning: warning[0]))
    return Suppressions(tuple(ordered), tuple(sentences))


class _Comment:
    __slots__ = ("alone", "first", "header", "last", "span", "text")

    def __init__(self, source: Source, span: Span, header: bool) -> None:
        self.span, self.header, self.text = span, header, source.text(span)
        self.first, self.last = source.line_of(span.start), source.line_of(max(span.start, span.end - 1))
        before = source.data[source.line_span(self.first).start : span.start].removeprefix(BOM)
        after = source.data[span.end : max(span.end, source.line_span(self.last).end)]
        self.alone = not before.strip() and not after.strip()


class _Order(NamedTuple):
    """One order: its verb in our words, its selectors (None: none are given), how it is written."""

    verb: str
    selectors: tuple[str, ...] | None
    written: str
    span: Span
    ours: bool
    alone: bool


class _Ranges:
    """Ranges that are open; one is ended by an end that names the same, or nothing."""

    def __init__(self) -> None:
        self._open: list[tuple[_Order, _Comment]] = []

    def begin(self, order: _Order, comment: _Comment) -> None:
        self._open.append((order, comment))

    def end(self, order: _Order, comment: _Comment) -> Suppression | None:
        """The range that an order ends; None if there is none."""
        for index in range(len(self._open) - 1, -1, -1):
            begun, where = self._open[index]
            foreign = begun.written.startswith("NOLINT") != order.written.startswith("NOLINT")
            if foreign or (order.selectors and set(order.selectors) != set(begun.selectors or ())):
                continue
            del self._open[index]
            single = begun.alone and order.alone
            return Suppression(
                *(where.span, begun.selectors or (), where.first, comment.last),
                *(begun.span, begun.ours and order.ours, single, comment.span),
            )
        return None

    def left_open(self) -> Iterable[tuple[str, int]]:
        """How those are written that nothing ends, with their lines."""
        return [(order.written, comment.first) for order, comment in self._open]


@cache
def _tokens() -> re.Pattern[bytes]:
    """Comments and what may look like one; compiled only if a file has a suppression at all (0.7 ms of a start)."""
    # Literals come before comments so that `"// regpress: ignore"` is text; numbers because of C++14's 1'000'000.
    return re.compile(
        rb"""(?P<comment>//(?:\\\r?\n|[^\n])*+|/\*.*?(?:\*/|\Z))
        |(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\(.*?(?:\)(?P=delimiter)"|\Z)
        |"(?:\\.|[^"\\\n])*+"?
        |[0-9](?:'?[\w.])*+
        |(?:u8|[uUL])?'(?:\\.|[^'\\\n])*+'?
        |\w++
        |[^\s\w"'/]++
        |/""",
        re.DOTALL | re.VERBOSE,
    )


def _comments(data: bytes) -> Iterator[tuple[Span, bool]]:
    header = True
    for token in _tokens().finditer(data, len(BOM) if data.startswith(BOM) else 0):
        if token["comment"] is None:
            header = False
        else:
            yield Span(*token.span()), header


def _orders(comment: _Comment) -> Iterator[_Order]:
    ours, others = list(_OURS.finditer(comment.text)), list(_NOLINT.finditer(comment.text))
    single = len(ours) + len(others) == 1
    for match in ours:
        if match["verb"] == BUDGET:
            continue
        selectors = None if match["selectors"] is None else _split(match["selectors"])
        yield _Order(match["verb"], selectors, match["verb"], *_placed(comment, match, single))
    for match in others:
        form = match["form"] or ""
        checks = _split(match["checks"])
        named = tuple(selector_of(check) for check in checks if check.startswith(CHECK_PREFIX))
        if match["checks"] is not None and not named and "*" not in checks:
            continue  # for other linters
        verb = {"": "line", "NEXTLINE": "ignore-next-line", "BEGIN": "ignore-begin", "END": "ignore-end"}[form]
        span, _, alone = _placed(comment, match, single)
        named_us = bool(named) and "*" not in checks
        for_us_alone = alone and len(named) == len(checks)
        yield _Order(verb, named if named_us else None, f"NOLINT{form}", span, named_us, for_us_alone)


def _wrong_budgets(comment: _Comment) -> Iterator[str]:
    if BUDGET not in comment.text:
        return
    from regpress_lint.targets.budget_text import ORDER, BudgetError, parse

    for match in ORDER.finditer(comment.text.encode("utf-8", "replace")):
        try:
            parse(match[1].decode())
        except BudgetError as error:
            yield f"budget: {error}"


def _placed(comment: _Comment, match: re.Match[str], single: bool) -> tuple[Span, bool, bool]:
    """Bytes of an order, that it is ours, and whether it is first in its comment."""
    before = comment.text[: match.start()]
    start = comment.span.start + len(before.encode("utf-8", "replace"))
    return Span(start, start + len(match[0].encode("utf-8", "replace"))), True, single and not before.strip("/* \t")


def selector_of(check: str) -> str:
    """The selector that a check of NOLINT means: `regpress-RP2*` is a prefix, as without the star."""
    return check.removeprefix(CHECK_PREFIX).removesuffix("*") or "*"


def _order(comment: _Comment, order: _Order, alone: set[int], ranges: _Ranges) -> tuple[Suppression | None, str | None]:
    """The suppression of an order, if any, and its error, if any."""
    verb, selectors = order.verb, order.selectors
    if selectors == ():
        return None, "the suppression names no rule between its brackets"
    if verb == "ignore-file" and not comment.header:
        return None, "ignore-file has no effect after the first line of code"
    if verb == "ignore-begin":
        ranges.begin(order, comment)
        return None, None
    if verb == "ignore-end":
        ended = ranges.end(order, comment)
        return ended, None if ended else f"{order.written} ends nothing that began before"
    reach: dict[str, tuple[int, int | None]] = {
        "line": (comment.first, comment.last),
        "ignore": (comment.first, _reach(comment, alone)),
        "ignore-next-line": (comment.last + 1, comment.last + 1),
        "ignore-file": (1, None),
    }
    if verb not in reach:
        verbs = f"{', '.join(_VERBS)} and {BUDGET}"
        return None, f'unknown order "regpress: {verb}", known are {verbs}'
    first, last = reach[verb]
    return Suppression(comment.span, selectors or (), first, last, order.span, order.ours, order.alone), None


def _split(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


def _reach(comment: _Comment, alone: set[int]) -> int:
    """Last line that a comment counts for."""
    if not comment.alone:
        return comment.last
    line = comment.last + 1
    while line in alone:
        line += 1
    return line


CODE = "RP002"
_COMPILED = frozenset(("cu", "hip", "cpp", "cc", "cxx", "c"))  # what is compiled by itself; all else is included
NAME = "unused-suppression"
_PORTABLE = ("cuda", "hip")
_LANGUAGES = {"cuda": "CUDA", "hip": "HIP", "sycl": "SYCL", "opencl": "OpenCL C"}


class Uses:
    """Findings that the suppressions of a file have silenced, by selector; those below the threshold also count."""

    def __init__(self, suppressions: Suppressions) -> None:
        self._entries = suppressions.entries
        self._used: set[tuple[int, str]] = set()

    def silence(self, line: int, code: str, name: str) -> bool:
        """Whether a finding is silenced; every suppression that does it is noted, so that none of them counts as
        unused.
        """
        silenced = False
        for index, entry in enumerate(self._entries):
            if not entry.reaches(line, code):
                continue
            meant = entry.naming(code, name) if entry.selectors else ("",)
            self._used.update((index, selector) for selector in meant)
            silenced = silenced or bool(meant)
        return silenced

    def unused(
        self, rules: Sequence[Entry], on: Sequence[Entry], targets: Sequence[str], language: str, certain: bool
    ) -> Iterator[Unused]:
        """Suppressions, whole or in part, that certainly silence nothing on these targets.

        rules, on: all rules, and those of this run. One that names a rule that was not asked is not judged; one
        that names none is judged by the rules for these targets. language: of the file; `certain` if it has no other in
        another run (CUDA and HIP are often the same file), so that a comment which only names rules about other
        languages silences nothing in it.
        """
        portable, foreign = _split_by(rules, _PORTABLE if language in _PORTABLE else (language,))
        in_language, _ = _split_by(portable, (language,))
        asked = {rule.code for rule in on if _is_for(rule, targets)}
        on_targets = [rule for rule in in_language if _is_for(rule, targets)]
        for index, entry in enumerate(self._entries):
            if not entry.ours:
                continue
            words = [word for word in entry.selectors or ("",) if (index, word) not in self._used]
            idle = tuple(word for word in words if _was_asked(word, in_language if word else on_targets, asked))
            judged = words if certain else ()  # another run may read it as the language of its rule
            elsewhere = tuple(word for word in judged if _means(word, foreign) and not _means(word, portable))
            if idle or elsewhere:
                yield Unused(entry, (*idle, *elsewhere), "" if idle else language)


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
    """A suppression with those of its selectors that silence nothing; `("",)` where it has none.

    language: of the file, where they mean only rules about others.
    """

    entry: Suppression
    selectors: tuple[str, ...]
    language: str = ""

    def finding(self, source: Source, targets: Iterable[str], certain: bool) -> Finding:
        """The finding about it; `certain` is false where another run may see more."""
        rules = ", ".join(f"`{word}`" for word in self.selectors if word)
        named = " ".join(source.text(self.entry.order).split())
        fault = "silences nothing here"
        if self.language:
            fault = f"names no rule that reads {_LANGUAGES[self.language]}"
        message = f"`{named}` {fault}" if self._whole else f"{rules} in `{named}` {fault}"
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


def _was_asked(selector: str, rules: Sequence[Entry], asked: set[str]) -> bool:
    """Whether all rules of a selector have run; those of the linter itself always have."""
    meant = [rule for rule in rules if rule.hooks and (not selector or _means(selector, (rule,)))]
    return bool(meant) and all(rule.code in asked for rule in meant)


def _split_by(rules: Sequence[Entry], languages: Collection[str]) -> tuple[list[Entry], list[Entry]]:
    """Rules that read one of the languages, and those that read only others."""
    readable = [rule for rule in rules if not rule.scope.languages or not {*rule.scope.languages}.isdisjoint(languages)]
    return readable, [rule for rule in rules if rule not in readable]


def _means(selector: str, rules: Sequence[Entry]) -> bool:
    return selector != "" and any(rank(selector, rule.code, rule.name) != OFF for rule in rules)


def _without(order: str, selectors: Sequence[str]) -> str:
    """The text of an order with some of its selectors gone."""
    head, bracket, closing = re.split(r"([\[(])", order, maxsplit=1)
    selected = [part for part in _checks(order) if _bare(part) not in selectors]
    return f"{head}{bracket}{', '.join(selected)}{closing[-1]}"


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
    behind = data[end : max(end, source.line_span(last).end)]
    if behind.strip():
        # Something follows on the line: a blank stays between what the comment kept apart.
        blanks = len(behind) - len(behind.lstrip(b" \t"))
        return Edit(Span(comment.start, end + blanks), "" if start < comment.start else " ")
    if start == line.start:
        following = last < source.line_count
        return Edit(Span(line.start, source.line_span(last + 1).start if following else len(data)), "")
    return Edit(Span(start, end), "")
