"""The ancestors of a place do not depend on earlier lookups, and deep nesting stays cheap per place."""

from __future__ import annotations

import random
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

from tree_sitter import Parser

from regpress_lint.cpp.lexical import conditionals, lex
from regpress_lint.cpp.parse import language, nodes_around

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

KERNELS = Path(__file__).resolve().parents[2] / "testdata" / "kernels"


def down(root: Node, start: int, end: int) -> list[Node]:
    """The way from the root, step by step."""
    smallest = root.descendant_for_byte_range(start, end)
    found, node = [], root
    while smallest is not None and node is not None and node != smallest:
        found.append(node)
        node = node.child_with_descendant(smallest)  # type: ignore[assignment]
    return [*found, smallest][::-1] if smallest is not None else []


def test_lookups_in_sequence_match_single_lookups() -> None:
    draw = random.Random(39)
    for path in sorted(KERNELS.rglob("*.*"))[:12]:
        data = path.read_bytes()[:20_000]
        root = Parser(language()).parse(data).root_node
        place = 0
        for _ in range(60):
            near = place + draw.randint(-20, 20)
            place = min(max(draw.choice((near, draw.randint(0, len(data)))), 0), len(data))
            end = min(place + draw.choice((0, 1, 30)), len(data))
            assert nodes_around(root, place, end) == down(root, place, end), (path.name, place, end)


def test_neighbours_deep_down_cost_little() -> None:
    data = b"void f() {" + b"g([&]() {x();" * 300 + b"});" * 300 + b"}"
    root, place = Parser(language()).parse(data).root_node, data.rfind(b"x")

    def least(around: Callable[[Node, int, int], object]) -> float:
        """Seconds of CPU for a hundred lookups, the least of three runs because other processes share the machine."""
        times = []
        for _ in range(3):
            begin = process_time()
            for _ in range(100):
                around(root, place, place + 1)
            times.append(process_time() - begin)
        return min(times)

    assert least(nodes_around) < least(down) / 2


def test_conditions_in_each_other_are_found_in_linear_time() -> None:
    """For each of them all the text in front of it was looked at: 20,000 took half a minute."""
    text = b"#ifdef A\n" * 5_000 + b"int x;\n" + b"#endif\n" * 5_000 + b"int y;\n"
    begin = process_time()
    assert len(conditionals(lex(text))) == 5_000
    assert process_time() - begin < 1


def test_condition_around_a_whole_file_is_its_guard() -> None:
    def found(text: bytes) -> int:
        return len(conditionals(lex(text)))

    assert found(b"\xef\xbb\xbf// words\n#ifndef H\nint x;\n#endif // H\n") == 0
    assert found(b"#ifndef H\nint x;\n#else\nint y;\n#endif\n") == 1
    assert found(b"int y;\n#ifndef H\nint x;\n#endif\n") == 1
    assert found(b"#ifndef H\nint x;\n#endif\nint y;\n") == 1
    assert found(b"#ifdef A\n#endif\n#ifdef B\n#endif\n") == 0  # nothing at all stands outside of either
