"""The ladder: the right tree for the right file, and offsets that are the file's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from regpress_lint.core.running import interruptible
from regpress_lint.core.source import Source
from regpress_lint.cpp.mask.masking import Level
from regpress_lint.cpp.names.parsed_file import ParsedFile
from regpress_lint.cpp.parse import Parsed, error_bytes, error_nodes, parse_ladder, parse_level
from regpress_lint.cpp.preprocess.macros import EMPTY, MacroTable, scan_macros

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from regpress_lint.cpp.names.definition_nodes import FunctionNode


def ladder(source: str) -> tuple[Parsed, ...]:
    data = source.encode()
    return parse_ladder(data, MacroTable.of(scan_macros(data, "a.cu")))


def definitions(parsed: Parsed) -> Iterable[Node]:
    stack = [parsed.tree.root_node]
    while stack:
        node = stack.pop()
        if node.type in ("function_definition", "lambda_expression"):
            yield node
        stack += node.children


def functions(source: str) -> tuple[FunctionNode, ...]:
    """The definitions of all rungs of a text."""
    data = source.encode()
    macros = MacroTable.of(scan_macros(data, "a.cu"))
    return ParsedFile(Source("a.cu", data), macros, parse_ladder(data, macros)).functions


def test_a_clean_file_has_one_tree_of_the_fullest_mask() -> None:
    [only] = ladder("__global__ void k(float* a) { a[0] = 1; }\nvoid f() { k<<<1, 2>>>(a); }")
    assert (only.level, only.has_error) == (Level.M2, False)
    assert error_bytes(only) == 0


def test_offsets_in_the_tree_are_offsets_in_the_file() -> None:
    source = "/* é */ __global__ __launch_bounds__(256)\r\nvoid scale(float* __restrict__ a)\r\n{ a[0] = 1; }\r\n"
    [only] = ladder(source)
    [definition] = definitions(only)
    body = definition.child_by_field_name("body")
    assert body is not None
    assert source.encode()[body.start_byte : body.end_byte] == b"{ a[0] = 1; }"
    assert body.start_point.row == 2


def test_a_launch_is_a_call_of_a_call() -> None:
    [only] = ladder("void f() { ns::k<float, 3><<<dim3(1), 256, 0, s>>>(a, b); }")
    text = only.masked.text
    calls = [node for node in _walk(only) if node.type == "call_expression"]
    outer = next(node for node in calls if _field(node, "function").type == "call_expression")
    inner = _field(outer, "function")
    assert text[slice(*_field(outer, "arguments").byte_range)] == b"(a, b)"
    assert text[slice(*_field(inner, "arguments").byte_range)] == b"(dim3(1), 256, 0, s)"
    assert text[slice(*_field(inner, "function").byte_range)] == b"ns::k<float, 3>"


def _walk(parsed: Parsed) -> Iterable[Node]:
    stack = [parsed.tree.root_node]
    while stack:
        node = stack.pop()
        yield node
        stack += node.children


def _field(node: Node, name: str) -> Node:
    child = node.child_by_field_name(name)
    assert child is not None
    return child


BRANCHED_PARAMETER = """__global__ void k(
#ifdef A
  int* extra,
#endif
  float* a) { a[0] = 1; }
"""


def test_conditional_parameter_list_is_fixed_by_a_branch_rung() -> None:
    rungs = ladder(BRANCHED_PARAMETER)
    assert rungs[0].has_error
    [found] = functions(BRANCHED_PARAMETER)
    assert rungs[found.parse_index].level.one_branch
    assert not found.node.has_error
    assert found.name == "k"


def test_kernels_of_both_branches_are_in_the_union() -> None:
    source = (
        "#if A\n__global__ void one(int* a) { a[0] = 1; }\n#else\n__global__ void two(int* a) { a[0] = 2; }\n#endif\n"
    )
    found = functions(source + BRANCHED_PARAMETER)
    assert [function.name for function in found] == ["one", "two", "k"]
    assert not any(function.node.has_error for function in found)


def test_braces_split_over_branches_are_whole_in_a_branch_rung() -> None:
    source = "__global__ void k(int* a) {\n#if A\n  if (a[0]) {\n#else\n  if (a[1]) {\n#endif\n    a[0] = 2;\n  }\n}\n"
    [found] = functions(source)
    assert found.name == "k"
    assert not found.node.has_error


def test_an_error_in_host_code_costs_no_further_tree() -> None:
    source = "__global__ void k(int* a) { a[0] = 1; }\nint spacer;\nvoid host() { int 3 = ; }\nint tail;\n"
    [only] = ladder(source)
    assert only.has_error
    assert error_bytes(only) > 0
    assert not functions(source)[0].node.has_error


def test_an_error_in_a_kernel_stays_visible_in_every_rung() -> None:
    rungs = ladder("__global__ void k(int* a) { int 3 = ; }\n")
    assert all(list(error_nodes(rung.tree.root_node)) for rung in rungs)


def test_word_blanked_by_a_foreign_macro_is_fixed_by_the_keyword_rung() -> None:
    table = MacroTable.of(scan_macros(b"#define value\n", "other.h"))
    rungs = parse_ladder(b"__global__ void k(int* a) { int value = 1; a[0] = value; }\n", table)
    assert rungs[0].level is Level.M1
    assert not next(iter(definitions(rungs[0]))).has_error


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0",
        b"\xff\xfe\x00k<<<",
        b"__global__ void k() " + b"{" * 10_000 + b"}" * 10_000,
        b"__global__ void k() " + b"{" * 10_000,
        b"/* never closed __global__",
        b'"never closed __global__',
        b"k<<<1, (" * 2_000,
    ],
)
def test_hostile_files_give_a_tree(data: bytes) -> None:
    rungs = parse_ladder(data, EMPTY)
    assert rungs
    assert all(len(rung.masked.text) == len(data) for rung in rungs)
    list(error_nodes(rungs[0].tree.root_node))
    assert error_bytes(rungs[0]) >= 0


def test_a_nul_byte_does_not_end_the_file() -> None:
    [only] = parse_ladder(b"int a;\0\n__global__ void k() { }\n", EMPTY)
    assert [node.type for node in definitions(only)] == ["function_definition"]


@given(st.binary(max_size=60))
def test_any_bytes_parse(data: bytes) -> None:
    assert parse_ladder(b"__global__ void k(" + data, EMPTY)
    assert parse_level(data, EMPTY, Level.M1).tree.root_node is not None


PIECES = (
    b"x",
    b"(",
    b"{",
    b"}",
    b";",
    b"\n",
    b'"',
    b"//",
    b"#if A\n",
    b"#endif\n",
    b"<<<",
    b"float y = 1;\n",
    b"template <",
)


@pytest.mark.slow
@given(st.data())
def test_incremental_tree_matches_a_fresh_parse(data: st.DataObject) -> None:
    texts = [
        b"__global__ void k(float* a) {\n  #pragma unroll\n  for (int i = 0; i < 4; ++i) a[i] = 1;\n}\n",
        b"#define N 4\nvoid f() { k<<<1, N>>>(a); }\n#if A\nint x;\n#else\nint y;\n#endif\n",
        b"void g(sycl::queue& q) {\n  q.parallel_for(N, [=](sycl::id<1> i) { a[i] += b[i]; });\n}\n",
    ]
    text = b"".join(data.draw(st.permutations(texts)))
    (last, *_) = parse_ladder(text, EMPTY, hasty=True)
    for _ in range(8):
        start = data.draw(st.integers(0, len(text)))
        end = min(start + data.draw(st.sampled_from([0, 0, 0, 1, 2, 9, 40])), len(text))
        text = text[:start] + data.draw(st.sampled_from(PIECES)) + text[end:]
        before, alone = last, parse_ladder(text, EMPTY, hasty=True)[0]
        (last,) = parse_ladder(text, EMPTY, hasty=True, before=before)
        assert last.masked.text == alone.masked.text
        if not alone.has_error:
            assert str(last.tree.root_node) == str(alone.tree.root_node)
            assert definitions_of(last) == definitions_of(alone)
        assert last.has_error == alone.has_error


def definitions_of(parsed: Parsed) -> list[tuple[int, int]]:
    return [(node.start_byte, node.end_byte) for node in definitions(parsed)]


class _CalledOffError(BaseException):
    pass


def test_a_long_text_is_called_off_on_the_way_and_parsed_afterwards() -> None:
    """3 MB in an editor took 4.5 s before another document got its turn."""
    text = b"".join(b"__device__ void f%d(float *x) { %s }\n" % (number, b"x[0] = 1; " * 100) for number in range(220))
    left = [0]

    def proceed() -> None:
        left[0] -= 1
        if not left[0]:
            raise _CalledOffError

    for steps in (1, 100, 500):  # while words are masked, and while the tree is made
        left[0] = steps
        with pytest.raises(_CalledOffError), interruptible(proceed):
            parse_ladder(text, EMPTY)
    left[0] = 0
    with interruptible(proceed):
        (found,) = parse_ladder(text, EMPTY)
    assert -left[0] > 2_000
    assert not found.has_error
    assert len(found.tree.root_node.children) == 220


def test_attributes_in_a_conditional_belong_to_the_definition_behind_it() -> None:
    """Each branch reads its own parameters, where `#if` chooses them."""
    head = (
        b"#ifdef GPU\n__device__\n#endif\ninline int f(int n\n#ifdef HOST\n  , int thread\n#endif\n  ) { return n; }\n"
    )
    assert len(parse_ladder(head, EMPTY)) > 1
