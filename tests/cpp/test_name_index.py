"""The index of a file's names lists all that its tree has: a name that is missing would never be looked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from regpress_lint.cpp import lexical
from regpress_lint.cpp.names.name_index import CALLED, DEVICE, FUNCTION, RECORD, TYPE, VALUE, index_of
from regpress_lint.cpp.names.project import Project

if TYPE_CHECKING:
    from regpress_lint.cpp.names.parsed_file import ParsedFile

TESTDATA = Path(__file__).resolve().parents[2] / "testdata"
SUFFIXES = (".cu", ".hip", ".h", ".cuh", ".hpp", ".cpp")
FILES = [*sorted(path for path in TESTDATA.rglob("*") if path.suffix in SUFFIXES)[::8], *TESTDATA.rglob("*.h")]


def unit_of(data: bytes) -> ParsedFile:
    parsed = Project().parsed("a.cu", data)
    assert parsed is not None
    return parsed


def missing(data: bytes) -> dict[str, list[str]]:
    """Names that a file's trees have and its index lacks, by kind."""
    unit, index = unit_of(data), index_of(data)
    named = {
        "functions": (FUNCTION, [f.name for f in unit.functions if f.name.isidentifier()]),
        "members": (CALLED, [name for _, name in unit.members if name.isidentifier()]),
        "types": (TYPE, [*unit.records, *unit.aliases, *unit.enums]),
        "records": (RECORD | TYPE, list(unit.records)),
        "constants": (VALUE, [name.rpartition("::")[2] for name in unit.constants]),
    }
    lacking = {
        kind: [name for name in names if not index.get(name, 0) & bit and name.encode() in data]
        for kind, (bit, names) in named.items()
    }
    return {kind: names for kind, names in lacking.items() if names}


def test_no_name_of_a_tree_is_missing() -> None:
    assert FILES
    found = {str(path): missing(path.read_bytes()) for path in FILES}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("text", "name", "bit"),
    [
        ("template <> __device__ int f<A<B<int>>>(int x) {}", "f", FUNCTION),
        ("T &operator()(int i) { return x; }", "operator", CALLED),
        ("struct alignas(16) __attribute__((packed)) V : public W<int> {};", "V", TYPE),
        ("struct __align__(8) P { int x, y; };", "P", TYPE),
        ("typedef struct { int a, b; } Pair;", "Pair", RECORD),
        ("typedef struct { int a, b; } Pair;", "Pair", TYPE),
        ("typedef struct { int a, b; } Pair __attribute__ ((aligned));", "Pair", TYPE),
        ("typedef struct { int a, b; } __attribute__((packed, aligned(4))) Pair;", "Pair", TYPE),
        ("enum class Kind : int { kA, kB = 3 };", "Kind", TYPE),
        ("enum class Kind : int { kA, kB = 3 };", "kB", VALUE),
        ("enum class [[nodiscard]] Result { kFine };", "Result", TYPE),
        ("typedef unsigned long long ull;", "ull", TYPE),
        ("using T = float;", "T", TYPE),
        ("enum { A, B = int{3}, C };", "C", VALUE),
        ("typedef enum { kA, kB } Kind;", "kB", VALUE),
        ("constexpr int kN{4};", "kN", VALUE),
        ("__constant__ float coef[16], more[4];", "coef", DEVICE),
    ],
)
def test_kinds_of_a_name(text: str, name: str, bit: int) -> None:
    assert index_of(text.encode()).get(name, 0) & bit


@pytest.mark.parametrize(
    ("text", "name", "bit"),
    [
        ("#if N == 2\nint a;\n#endif", "N", VALUE),
        ("void f() { g(N, 1); }", "N", VALUE),
        ("template <class T, class U = T> void f();", "T", TYPE),
        ("using amrex::Box;", "amrex", TYPE),
    ],
)
def test_a_mention_alone_parses_no_header(text: str, name: str, bit: int) -> None:
    """A file has a share of headers that are parsed for it: AMReX' used it up for what they only mention."""
    assert not index_of(text.encode()).get(name, 0) & bit


def test_mentioned_name_is_a_word_of_the_file_but_not_listed() -> None:
    text = b"int run(int n) { return other + n; }"
    assert "other" not in index_of(text)
    assert {"other", "run", "n"} <= lexical.words_of(text)


def test_prototypes_are_looked_for_in_one_pass_over_a_text() -> None:
    """A table of CRC64 has 300,000 characters without a semicolon: begun again at each of them, it took two seconds."""
    text = (
        b"__device__ int f(int);\nconst long table[] = {" + b"0x1, " * 40 + b"};\n__device__ int g(int) { return 1; }\n"
    )
    assert lexical.prototypes(text) == {b"f"}
    looked_at = [one.span() for one in lexical._STRETCH.finditer(text)]
    assert sum(end - start for start, end in looked_at) <= len(text)
    assert (looked_at[2], looked_at[-1][1]) == ((text.index(b"0x1"), text.index(b"};")), len(text))


def test_a_declaration_behind_a_comment_that_ends_in_a_word_of_the_language_is_listed() -> None:
    assert index_of(b"// the base class\nusing Row = float;\n// of a struct\nenum Kind { A };\n")["Row"] & TYPE
