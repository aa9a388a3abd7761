"""Bytes to lines and columns in three counts."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from regpress_lint.core.source import Position, Source, Span


def place(text: str | bytes, offset: int) -> Position:
    return Source("a.cu", text.encode() if isinstance(text, str) else text).position(offset)


@pytest.mark.parametrize(
    ("data", "offset", "line", "column", "utf16", "codepoint"),
    [
        (b"", 0, 1, 1, 1, 1),
        (b"abc", 2, 1, 3, 3, 3),
        (b"abc\ndef", 3, 1, 4, 4, 4),
        (b"abc\ndef", 4, 2, 1, 1, 1),
        (b"abc\ndef", 7, 2, 4, 4, 4),
        (b"abc\r\ndef", 5, 2, 1, 1, 1),
        (b"abc\r\ndef", 4, 1, 5, 5, 5),
        (b"abc\n", 4, 2, 1, 1, 1),
        ("é=x".encode(), 3, 1, 4, 3, 3),
        ("\U0001f600=x".encode(), 5, 1, 6, 4, 3),
        ("// \u4e2d\n\U0001f600\U0001f600 y".encode(), 16, 2, 10, 6, 4),
        (b"\xef\xbb\xbfabc", 3, 1, 1, 1, 1),
        (b"\xef\xbb\xbfabc", 4, 1, 2, 2, 2),
        (b"\xef\xbb\xbfabc\nd", 7, 2, 1, 1, 1),
        (b"\xef\xbb\xbfabc", 0, 1, 1, 1, 1),
        (b"\xff\xfeab", 3, 1, 4, 4, 4),
    ],
)
def test_position(data: bytes, offset: int, line: int, column: int, utf16: int, codepoint: int) -> None:
    assert place(data, offset) == Position(line, column, utf16, codepoint, offset)


def test_offsets_outside_are_clamped() -> None:
    assert place(b"ab", 99).byte == 2
    assert place(b"ab", -5) == Position(1, 1, 1, 1, 0)


def test_lines_and_their_text() -> None:
    source = Source("a.cu", b"\xef\xbb\xbfone\r\n\r\ntwo\n\xff")
    assert source.line_count == 4
    assert [source.line_text(line) for line in range(1, 5)] == ["one", "", "two", "\ufffd"]
    assert [source.line_span(line) for line in (1, 2, 3)] == [Span(0, 6), Span(8, 8), Span(10, 13)]
    assert [source.line_of(offset) for offset in (0, 7, 8, 9, 10, 14, 15)] == [1, 1, 2, 2, 3, 4, 4]


def test_a_lone_carriage_return_ends_no_line() -> None:
    assert Source("a.cu", b"a\rb\n").line_count == 2
    assert place(b"a\rb", 2).line == 1


def test_span() -> None:
    assert Source("a.cu", "aé\n".encode()).text(Span(1, 3)) == "é"
    assert Source("a.cu", "é".encode()).text(Span(1, 2)) == "\ufffd"
    assert Span(2, 9).contains(Span(2, 9))
    assert not Span(2, 9).contains(Span(1, 3))


@given(st.text(alphabet=st.sampled_from("ab\r\n\té\u4e2d\U0001f600"), max_size=40), st.data())
def test_columns_count_preceding_characters(text: str, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(text)))
    before = text[:index]
    last = before.rpartition("\n")[2]
    found = place(text, len(before.encode()))
    assert found.line == before.count("\n") + 1
    assert found.column == len(last.encode()) + 1
    assert found.utf16 == len(last.encode("utf-16-le")) // 2 + 1
    assert found.codepoint == len(last) + 1
