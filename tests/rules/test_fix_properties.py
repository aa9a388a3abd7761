"""Properties of every fix of every rule, checked on every fixture, including those of new rules.

The bytes of a fixture are changed in ways that mean nothing to a compiler (line ends, tabs, a byte order mark, a
comment, a macro in between), and the fixes have to be the same or to be gone.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import pytest
from corpus import TESTDATA, examples, walked
from hypothesis import given, strategies as st

from regpress_lint.api import Rule, Severity
from regpress_lint.commands.check.repair import until_stable
from regpress_lint.core import fixes
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import BOM
from regpress_lint.cpp.names.project import Project
from regpress_lint.lint.pipeline import lint_bytes
from regpress_rules import rules

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from regpress_lint.core.diagnostics import Report, ResolvedFix

RULES: dict[str, type[Rule]] = {rule.code: rule for rule in rules()}
SUFFIXES = frozenset((".hip", ".cu", ".cpp"))
# A lexer of its own: what the rules believe about comments comes from another one.
NOISE = re.compile(
    rb"(?P<comment>//(?:[^\n\\]|\\\r?\n|\\.)*|/\*.*?\*/)|(?P<string>R\"(?P<d>[^()\\\s]{0,16})\(.*?\)(?P=d)\""
    rb"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+')|(?P<macro>^[ \t]*#[ \t]*define(?:[^\n\\]|\\\r?\n|\\.)*)"
    rb"|(?P<directive>^[ \t]*#)",
    re.DOTALL | re.MULTILINE,
)
EXPECTATION = re.compile(rb"[ \t]*//\s*expect(?:-next-line)?:[^\r\n]*")
MOVED = b"RP_MOVED_"
PREFIX = BOM + "/* é 𐐀 */ // ".encode() + b"\xff\xfe not UTF-8\n"


class Fixture(NamedTuple):
    """A text without the comments about what is expected, and the rule that it is of."""

    path: str
    code: str
    data: bytes

    @property
    def settings(self) -> Settings:
        """The file's own targets; hints count."""
        found = re.search(rb"^//\s*targets:([^\r\n]*)", self.data, re.MULTILINE)
        names = found[1].decode().replace(",", " ").split() if found else ()
        return Settings(architectures=tuple(names), min_severity=Severity.HINT, select=(self.code,))

    def report(self, data: bytes) -> Report:
        """The rule's findings in a version of the text."""
        return lint_bytes(data, self.path, self.settings, rules=[RULES[self.code]])

    def fixes(self, data: bytes, *, unsafe: bool = True) -> list[ResolvedFix]:
        """The fixes offered for a version of the text."""
        found = fixes.collect(self.report(data).diagnostics, unsafe=unsafe)
        return [fix for each in found.values() for fix in each]

    def fixed(self, data: bytes, *, unsafe: bool = True) -> bytes:
        """A version of the text as `--fix` leaves it."""
        return until_stable(data, self.report(data), unsafe, (self.settings, Project)).data


def fixtures() -> list[Path]:
    """Fixtures of all rules, and their evidence pairs."""
    folders = (*TESTDATA.glob("rules/RP*"), *TESTDATA.glob("evidence/RP*"))
    found = sorted(path for folder in folders for path in folder.iterdir() if path.suffix in SUFFIXES)
    return [path for path in found if path.parent.name in RULES]


@cache
def load(path: Path) -> Fixture:
    """A fixture with plain line ends."""
    data = EXPECTATION.sub(b"", path.read_bytes().replace(b"\r\n", b"\n"))
    return Fixture(path.relative_to(TESTDATA).as_posix(), path.parent.name, data)


@cache
def offered(path: Path) -> tuple[ResolvedFix, ...]:
    """All fixes of a fixture."""
    fixture = load(path)
    return tuple(fixture.fixes(fixture.data))


@cache
def repaired(path: Path) -> bytes:
    """A fixture with all its fixes."""
    fixture = load(path)
    return fixture.fixed(fixture.data) if offered(path) else fixture.data


PATHS = fixtures()
REPAIRABLE = [
    path
    for path in PATHS
    if path.stem == "positive" and path.parent.name in ("RP201", "RP202", "RP204", "RP205", "RP401", "RP408")
]


def spans(found: Iterable[ResolvedFix]) -> list[tuple[int, int]]:
    """Byte ranges of all edits."""
    return [(edit.start.byte, edit.end.byte) for fix in found for edit in fix.edits]


def comments(data: bytes) -> Counter[bytes]:
    """The comments of a text with the number of occurrences of each."""
    return Counter(match[0].rstrip() for match in NOISE.finditer(data) if match["comment"])


def assert_outside_of_what_is_no_code(data: bytes, found: Iterable[ResolvedFix]) -> None:
    """No edit begins or ends within a comment, a string or a macro's body, and none reaches into a macro's body."""
    for match in NOISE.finditer(data):
        if match["directive"]:
            continue
        first, last = match.span()
        for start, end in spans(found):
            inside = first < start < last or first < end < last
            assert not inside, (match[0], data[start:end])
            over = match["macro"] is not None and start < last and first < end
            assert not over, (match[0], data[start:end])


def with_crlf(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


def with_tabs(data: bytes) -> bytes:
    """Two blanks of indentation as one tab each."""
    return re.sub(rb"^(?:  )+", lambda match: b"\t" * (len(match[0]) // 2), data, flags=re.MULTILINE)


def fixes_stand_in_code_and_keep_the_comments(path: Path) -> None:
    fixture = load(path)
    assert_outside_of_what_is_no_code(fixture.data, offered(path))
    lost = comments(fixture.data) - comments(repaired(path))
    assert not lost


def fixes_converge(path: Path) -> None:
    """A second run has nothing left to fix; a fix that another one kept out has had its turn by then."""
    fixture = load(path)
    after = repaired(path)
    assert after != fixture.data
    assert fixture.fixes(after) == []
    if any(fix.applicability == "safe" for fix in offered(path)):
        after = fixture.fixed(fixture.data, unsafe=False)
        assert after != fixture.data
        assert fixture.fixes(after, unsafe=False) == []


def the_order_of_the_fixes_does_not_matter(path: Path) -> None:
    data, found = load(path).data, offered(path)
    assert fixes.apply(data, found[::-1]) == fixes.apply(data, found)


def a_file_with_crlf_keeps_it(path: Path) -> None:
    fixture = load(path)
    assert fixture.fixed(with_crlf(fixture.data)) == with_crlf(repaired(path))


def a_file_with_tabs_keeps_them(path: Path) -> None:
    fixture = load(path)
    assert fixture.fixed(with_tabs(fixture.data)) == with_tabs(repaired(path))


def bytes_before_a_finding_that_are_no_ascii_do_not_shift_its_edits(path: Path) -> None:
    fixture = load(path)
    assert fixture.fixed(PREFIX + fixture.data) == PREFIX + repaired(path)


def moved(data: bytes, lines: Collection[int]) -> bytes:
    """The text with some of its lines (from 1) moved into macros that stand at its beginning."""
    defined, kept = [], []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if number not in lines or line.lstrip().startswith((b"#", b"//")) or line.endswith(b"\\"):
            kept.append(line)
            continue
        code = NOISE.sub(lambda match: b" " if match["comment"] else match[0], line).strip()
        defined.append(b"#define %s%d \\\n  %s" % (MOVED, number, code))
        kept.append(line[: len(line) - len(line.lstrip())] + b"%s%d" % (MOVED, number))
    return b"\n".join((*defined, *kept))


def what_stands_in_a_macro_is_not_edited(path: Path) -> None:
    fixture, found = load(path), offered(path)
    text = moved(fixture.data, {edit.start.line for fix in found for edit in fix.edits})
    rest = fixture.fixes(text)
    assert_outside_of_what_is_no_code(text, rest)
    uses = [match.span() for match in re.finditer(rb"%s\d+" % MOVED, text)]
    for start, end in spans(rest):
        assert not any(start < last and first < end for first, last in uses), text[start:end]


PROMISES = (
    fixes_stand_in_code_and_keep_the_comments,
    fixes_converge,
    the_order_of_the_fixes_does_not_matter,
    a_file_with_crlf_keeps_it,
    a_file_with_tabs_keeps_them,
    bytes_before_a_finding_that_are_no_ascii_do_not_shift_its_edits,
    what_stands_in_a_macro_is_not_edited,
)


@pytest.mark.parametrize("path", walked(PATHS, every=12, rest=pytest.mark.long))
def test_the_fixes_of_a_file_keep_every_promise(path: Path) -> None:
    if offered(path):
        for promise in PROMISES:
            promise(path)


def gaps(data: bytes) -> list[int]:
    """Offsets in code at which a comment may stand: blanks and line ends outside of comments, strings, directives."""
    noise = NOISE.sub(lambda match: b"x" * len(match[0]), data)
    lines = re.sub(rb"^[ \t]*x.*|.*\\$", lambda match: b"x" * len(match[0]), noise, flags=re.MULTILINE)
    return [match.start() for match in re.finditer(rb"[ \n]", lines)]


@examples(0.12)
@given(st.data())
def test_a_comment_anywhere_survives(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(REPAIRABLE), "fixture")
    fixture = load(path)
    before = fixture.data
    for start, end in data.draw(st.lists(st.sampled_from(spans(offered(path))), max_size=2), "near edits"):
        near = [gap for gap in gaps(before) if start - 40 <= gap <= end + 40]
        at = data.draw(st.sampled_from(near), "gap") if near else 0
        before = before[:at] + b" /* kept */ " + before[at:]
    found = fixture.fixes(before)
    assert_outside_of_what_is_no_code(before, found)
    assert not comments(before) - comments(fixture.fixed(before))


def test_there_are_fixes_in_every_dialect_to_ask_about() -> None:
    assert {path.suffix for path in REPAIRABLE} == SUFFIXES
    assert [path for path in REPAIRABLE if not offered(path)] == []
