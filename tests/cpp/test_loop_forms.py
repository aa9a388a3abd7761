"""Loops in the form that compilers count, with their test at one end and the counter's step apart."""

from __future__ import annotations

import pytest
from frontend_helpers import body_of, nodes

from regpress_lint.cpp.syntax_tree import Binary, Jump, Loop


@pytest.mark.parametrize(
    ("text", "kind", "op", "breaks"),
    [
        ("while (true) { f(n); if (n > 3) break; }", "do", "<=", 0),
        ("for (;;) { if (n == 3) { break; } f(n); }", "for", "!=", 0),
        ("do { f(n); } while (--n);", "do", "!=", 0),
        ("while (n--) f(n);", "for", "!=", 0),
        ("while (--n > 0) { if (p) continue; f(n); }", "for", ">", 0),
        # These stay: the step or the test would not run after `continue`, or something follows the test.
        ("while (true) { if (p) continue; if (n > 3) break; f(n); }", "while", None, 1),
        ("while (true) { if (p) continue; f(n); if (n > 3) break; }", "while", None, 1),
        ("do { if (p) continue; f(n); } while (--n > 0);", "do", ">", 0),
        ("while (true) { f(n); if (n > 3) { n = 0; break; } }", "while", None, 1),
    ],
)
def test_the_test_moves_to_the_end(text: str, kind: str, op: str | None, breaks: int) -> None:
    function = body_of(text, "__device__ void f(int);")
    (loop,) = nodes(function, Loop)
    assert loop.kind == kind
    assert (loop.test.op if isinstance(loop.test, Binary) else None) == op
    assert sum(jump.kind == "break" for jump in nodes(function, Jump)) == breaks
