"""Comments that silence findings: `// regpress: ignore[RP201] reason`, `ignore-file[...]`, and clang-tidy's NOLINT.

A suppression counts for its own line; one that stands alone counts for the next line that is not a lone comment, so
that several can be stacked. Text inside string literals is no comment.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.source import BOM, Source, Span
from regpress_lint.lint.selection import INTERNAL_ERROR, OFF, rank, unknown_rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.lint.selection import Named

_OURS = re.compile(r"regpress:\s*(?P<verb>[\w-]+)(?:\s*\[(?P<selectors>[^\]\n]*)\])?")
_NOLINT = re.compile(r"\bNOLINT(?P<next>NEXTLINE)?\((?P<checks>[^)\n]*)\)")
_CHECK_PREFIX = "regpress-"
_HINT = re.compile(rb"regpress:|NOLINT")


class Suppression(NamedTuple):
    """One comment's order. `selectors` is empty for everything; `last` is inclusive, None to the end of the file."""

    span: Span
    selectors: tuple[str, ...]
    first: int
    last: int | None

    def covers(self, line: int, code: str, name: str) -> bool:
        """True if it silences this rule on this line; an internal error cannot be silenced."""
        if code == INTERNAL_ERROR or line < self.first or (self.last is not None and line > self.last):
            return False
        return not self.selectors or any(rank(selector, code, name) != OFF for selector in self.selectors)


class Suppressions(NamedTuple):
    """All suppressions of a file, and warnings about those that cannot work."""

    entries: tuple[Suppression, ...] = ()
    warnings: tuple[str, ...] = ()

    def find(self, line: int, code: str, name: str) -> Suppression | None:
        """The first suppression that silences a finding of this rule on this line."""
        return next((entry for entry in self.entries if entry.covers(line, code, name)), None)


def parse(source: Source, rules: Sequence[Named] = ()) -> Suppressions:
    """Suppressions of a file; selectors that mean none of `rules` are warned about (no check for an empty sequence)."""
    if not _HINT.search(source.data):
        return Suppressions()
    comments = [_Comment(source, span, header) for span, header in _comments(source.data)]
    alone = {line for comment in comments if comment.alone for line in range(comment.first, comment.last + 1)}
    entries: list[Suppression] = []
    warnings: list[str] = []
    for comment in comments:
        found, complaints = _orders(comment, alone)
        entries += found
        unknown = (word for entry in found for word in entry.selectors if rules and _unknown(word, rules))
        complaints += [f"suppression names the {unknown_rule(word, rules)}" for word in unknown]
        warnings += [f"{source.path}:{comment.first}: {complaint}" for complaint in complaints]
    return Suppressions(tuple(entries), tuple(warnings))


def _unknown(selector: str, rules: Sequence[Named]) -> bool:
    return all(rank(selector, rule.code, rule.name) == OFF for rule in rules)


class _Comment:
    __slots__ = ("alone", "first", "header", "last", "span", "text")

    def __init__(self, source: Source, span: Span, header: bool) -> None:
        self.span, self.header, self.text = span, header, source.text(span)
        self.first, self.last = source.line_of(span.start), source.line_of(max(span.start, span.end - 1))
        before = source.data[source.line_span(self.first).start : span.start].removeprefix(BOM)
        after = source.data[span.end : max(span.end, source.line_span(self.last).end)]
        self.alone = not before.strip() and not after.strip()


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


def _orders(comment: _Comment, alone: set[int]) -> tuple[list[Suppression], list[str]]:
    orders, complaints = [], []
    for match in _OURS.finditer(comment.text):
        verb, selectors = match["verb"], _split(match["selectors"])
        if verb == "ignore-file" and not comment.header:
            complaints.append("ignore-file has no effect after the first line of code")
        elif match["selectors"] is not None and not selectors:
            complaints.append("the suppression names no rule between its brackets")
        elif verb == "ignore-file":
            orders.append(Suppression(comment.span, selectors, 1, None))
        elif verb == "ignore":
            orders.append(Suppression(comment.span, selectors, comment.first, _reach(comment, alone)))
        else:
            complaints.append(f'unknown order "regpress: {verb}", known are ignore and ignore-file')
    for match in _NOLINT.finditer(comment.text):
        checks = _split(match["checks"])
        selectors = tuple(check.removeprefix(_CHECK_PREFIX) for check in checks if check.startswith(_CHECK_PREFIX))
        if selectors:
            shift = 1 if match["next"] else 0
            orders.append(Suppression(comment.span, selectors, comment.first + shift, comment.last + shift))
    return orders, complaints


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
