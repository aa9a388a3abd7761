"""The mask: every rule by its effect on the tree, and what holds for any bytes at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, strategies as st

from regpress_lint.cpp.conditions import likely
from regpress_lint.cpp.mask.masking import Level, Masked, MaskedItem, mask
from regpress_lint.cpp.parse import error_nodes, parse_ladder, parse_level
from regpress_lint.cpp.preprocess.macros import EMPTY, MacroTable, expand, scan_macros

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node


def newlines(data: bytes) -> list[int]:
    return [i for i, c in enumerate(data) if c == 10]


def table_of(source: str, headers: str) -> MacroTable:
    own = MacroTable.of(scan_macros(source.encode(), "a.cu"))
    return own.merged(MacroTable.of(scan_macros(headers.encode(), "a.h")))


def masked(source: str, level: Level = Level.M2, headers: str = "") -> Masked:
    """Mask with the macros of the source itself and of `headers`; checks what must always hold."""
    data = source.encode()
    table = table_of(source, headers)
    result = mask(data, table, level, likely(table))
    assert len(result.text) == len(data)
    assert newlines(result.text) == newlines(data)
    assert list(result.items) == sorted(result.items)
    assert all(item.text == data[item.start : item.end] for item in result.items)
    return result


def of_kind(result: Masked, kind: str) -> list[MaskedItem]:
    return [item for item in result.items if item.kind == kind]


def parses(source: str, headers: str = "", level: Level = Level.M2) -> bool:
    parsed = parse_level(source.encode(), table_of(source, headers), level)
    return not parsed.has_error and not list(error_nodes(parsed.tree.root_node))


def walk(node: Node) -> Iterator[Node]:
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack += current.children


KEYWORD_SNIPPETS = [
    "__global__ void k(float* __restrict__ a, const int n) { a[0] = n; }",
    "void __global__ k(float* a) { a[0] = 1; }",
    "template <int N> __global__ __launch_bounds__(N, 2) void k(float* a) { a[0] = N; }",
    "__global__ void __launch_bounds__((256)) k(float* a) { a[0] = 1; }",
    "__launch_bounds__(64) __global__ void k(float* a) { a[0] = 1; }",
    'extern "C" __global__ void k(float* a) { a[0] = 1; }',
    "__global__ void k(int* a) { extern __shared__ __align__(16) float s[]; volatile __shared__ float t[3]; }",
    "static __device__ __forceinline__ int f(int a) { return a; }",
    "__device__ __constant__ float table[3] = {1, 2, 3};",
    "__global__ void __attribute__((amdgpu_flat_work_group_size(1, 256))) k(int* a) { a[0] = 1; }",
    "void f() { auto g = [=] __device__ (int i) { return i; }; }",
    "void f() { k<<<dim3(1, 2), 256, 0, s>>>(a, b); ns::k<float, 3><<<g, b>>>(a); }",
    "void f() { k<< <g, b> >>(a); k<<<g, f(b) >> 2>>>(a); }",
    "void f() { auto g = [=](sycl::nd_item<1> i) [[sycl::reqd_sub_group_size(32)]] { i.barrier(); }; }",
    "SYCL_EXTERNAL void f(int a) { }",
]


@pytest.mark.parametrize("source", KEYWORD_SNIPPETS)
@pytest.mark.parametrize("level", list(Level))
def test_keywords_and_launches_parse_at_every_level(source: str, level: Level) -> None:
    masked(source, level)
    assert parses(source, level=level)


MACRO_SNIPPETS = [
    # rule 1: qualifiers behind a name, empty macros
    ("#define HD __host__ __device__ inline\n", "HD int f(int a) { return a; }"),
    ("#define ALIGN16 __attribute__((aligned(16)))\n", "struct ALIGN16 S { int a; };"),
    ("#define NOTHING\n", "NOTHING int f(NOTHING int a) NOTHING { return a; }"),
    ("#define BOUNDS(a, b)\n", "__global__ void BOUNDS(128, 2) k(int* a) { a[0] = 1; }"),
    ("#define CONST_ const\n", "void f(CONST_ int a) { CONST_ float b = 1; }"),
    ("#define AND &&\n", "bool f(int a, int b) { return a AND b; }"),
    # rule 2: statements without a semicolon
    ("#define ADD(x) x += 1;\n", "void f(int a) { ADD(a)\n  ADD(a)\n  int b = 3; ADD(b) }"),
    ("#define MAD4(x) MAD(x) MAD(x)\n#define MAD(x) x = x * x;\n", "void f(float a) {\n  MAD4(a)\n  MAD4(a)\n}"),
    ("#define STEP a = a + 1;\n", "void f(int a) { STEP STEP\n  STEP\n int b; }"),
    ("#define STEP a = a + 1;\n", "enum Kind { ONE, TWO = 2 };\nvoid f(int a) { STEP int b[TWO]; b[ONE] = a; }"),
    ("", "void f(int a) {\n  UNKNOWN_STEP\n  int b = a;\n  UNKNOWN_CALL(a, b)\n  b = 2;\n}"),
    # rule 3: loop heads
    ("#define LOOP(i, n) for (int i = 0; i < (n); i++)\n", "void f(int n) { LOOP(i, n) { g(i); } LOOP(j, n) g(j); }"),
    ("#define GRID(T, i, n) for (T i = tid(); i < n; i += 4)\n", "void f() { GRID(long long, i, n) { g(i); } }"),
    # rule 4: types as arguments
    ("#define SWAP(a, b, T) { T t = a; a = b; b = t; }\n", "void f() { SWAP(x, y, unsigned int); int z; }"),
    ("#define SIZE(T, n) (sizeof(T) * n)\n", "int f() { return SIZE(const float *, 3) + SIZE(double, 2); }"),
    # rule 5: blocks and statements as arguments
    ("#define DISPATCH(t, ...) if (t) { __VA_ARGS__ }\n", "void f(int t) { DISPATCH(t, { g(); h(); }); int a; }"),
    ("#define TIMED(n, ...) start(n); __VA_ARGS__; stop(n)\n", "void f() { TIMED(1, int b = 2; g(b)); int a; }"),
    # rule 6: blocks, namespaces, unrolls
    ("#define NOT_YET { throw 1; }\n", "void f(int a) NOT_YET\nvoid g() { }"),
    ("#define BEGIN_NS namespace a { namespace b {\n#define END_NS }}\n", "BEGIN_NS\nint x;\nEND_NS\nint y;"),
    ('#define UNROLLED _Pragma("unroll 4")\n', "void f() { UNROLLED for (;;) { g(); } }"),
    ("", "void f() { CUTLASS_PRAGMA_UNROLL\n  for (;;) { g(); } }"),
    # rule 7: lambda heads
    ("#define LAMBDA [=] __host__ __device__\n", "void f() { run(3, LAMBDA (int i) { g(i); }); }"),
    ("", "void f() { parallel_for(3, KOKKOS_LAMBDA(const int i) { g(i); }); }"),
    # statements that a macro puts one behind the other
    ("", "void f() { D_TERM(float a = 1;, float b = 2;, float c = 3); g(a); }"),
    ("#define D_TERM(a, b) a b\n", "void f() { D_TERM(p[0] = 1;, p[1] = 2;); }"),
    # arguments with the commas between, in a list of parameters; of several definitions the longest
    (
        "#define D_DECL(a, b) a\n#define D_DECL(a, b) a, b\n",
        "void f(D_DECL(A<T> const& x, A<T> const& y)) { g(D_DECL(x, y)); }",
    ),
    # a statement that is put in elsewhere, before a conditional and at the end of a block
    ("", "void f() {\n  COMPUTE_ALL\n#ifdef A\n  e += 1;\n#endif\n  if (a) {\n    LOAD_ALL\n  }\n}"),
    # a word that is `constexpr`, a type with `typename` as an argument
    ("#define IF_CONSTEXPR constexpr\n", "void f() { if IF_CONSTEXPR(A) { g(); } else { h(); } }"),
    ("#define SHARED(type, name) extern __shared__ type name[];\n", "void f() { SHARED(typename A<B>::type, c); }"),
    # a type that the grammar takes for a keyword, a macro of library words, two joined statements behind each other
    ("", "void f() { SHARED(worker, count, uint32_t); g(); }"),
    ("#define DEV ALPAKA_FN_ACC ALPAKA_FN_INLINE\n", "struct S { DEV void operator()(int a) const { } DEV S(); };"),
    ("", "void f() { D_TERM(int a = 1;, int b = 2;)\n D_PICK(p[0] = a;, p[1] = b;)\n }"),
    # statements as the last argument of a macro whose definition is out of view
    ("", "void f() { WITH_TYPE(T, kinds[0],\n auto a = b<c*>(d) + e;\n for (int i = 0; i < a; i++) { g(i); }); h(); }"),
    # an attribute of a lambda that a macro writes
    (
        "#define __BOUND_1__(x) [[reqd(1, x)]]\n#define __BOUND__(...) PICK(__VA_ARGS__, __BOUND_1__)(__VA_ARGS__)\n",
        "void f() { g([=](A<3> a) [[sub(4)]] __BOUND__(N) { h(a); }); g([=](A<3> a) __BOUND__(N, M) { h(a); }); }",
    ),
    # braces that a macro closes, as many as a dimension has
    ("", "void f() { for (;;) { for (;;) { g();\n D_TERM(},},)\n g(); D_BLOCK({) h(); D_TERM(}); }"),
]


@pytest.mark.parametrize(("headers", "source"), MACRO_SNIPPETS)
def test_macro_rules_fix_the_tree(headers: str, source: str) -> None:
    masked(source, headers=headers)
    assert parses(source, headers)


GRAMMAR_SNIPPETS = [
    "void f() { a = new float*[n]; b = new unsigned int **[n]; }",
    "template <class... A> void f(A*... a) { }",
    'void f() { printf("a %" PRIu64 " b %" PRId64 "\\n", a, b); printf("%" PRIu64, a); }',
    "void f(int a = {}, T b = {}) { }",
    "auto x = typename A<B>::type{1}; auto y = f(typename A<decltype(z)>::type(1));",
    "struct S : B { using typename B::x; };",
    "void f() { a.template g(1); }",
    "void f() { auto a = decltype(b){}; }",
    "template class X<int>;\nextern template struct Y<float>;\nint z;",
    "void f() { g(typeid(unsigned int)); }",
    'void f() { printf("a \\\r\n b", a); }',
    "VOID CALLCONV f(int a) { }",
    "class EXPORTED C { int a; };",
    "void S::f() { this->operator()(1); a.operator()(b.c.operator ()(2)); }",
]


@pytest.mark.parametrize("source", GRAMMAR_SNIPPETS)
def test_grammar_gaps_parse(source: str) -> None:
    masked(source)
    assert parses(source)


@pytest.mark.parametrize("stands_for", ["x", "constant x", "__global const x"])
@pytest.mark.parametrize("behind", ["*in", "&in", "in"])
def test_a_macro_around_a_type_leaves_the_type(stands_for: str, behind: str) -> None:
    source = f"__device__ void f(int n, const SPACE(float) {behind}, SPACE(int) m) {{ n = m; }}"
    headers = f"#define SPACE(x) {stands_for}\n"
    assert parses(source, headers)
    text = masked(source, headers=headers).text.decode()
    assert text.split() == f"void f(int n, const float {behind}, int m) {{ n = m; }}".split()


def test_a_macro_around_an_expression_stays_a_call() -> None:
    source = "void f(int n) { CHECK(g(n)); h(CHECK(n)); }"
    assert b"CHECK(g(n))" in masked(source, headers="#define CHECK(x) x\n").text


@pytest.mark.parametrize("level", [Level.M1, Level.M2])
def test_ranges_of_cases_parse(level: Level) -> None:
    source = "void f(E e) { switch (e) { case E::A + 1 ... E::B: break; } }"
    assert b"case E::A + 1 <=> E::B:" in masked(source, level).text
    assert parses(source, level=level)
    assert masked("case " * 50, level).text == b"case " * 50


def test_extern_c_is_not_string_concatenation() -> None:
    source = 'extern "C" int NAME(int a); extern "C" Type f();'
    assert masked(source).text == source.encode()


KERNEL_MACROS = [
    ('#define K extern "C" __global__ void\n', "K run(int* a) { a[0] = 1; }", "K"),
    ("#define A_KERNEL static __global__ void\n", "A_KERNEL run(int* a) { a[0] = 1; }", "A_KERNEL"),
    ("#define GLOBAL __global__\n", "template <int N> GLOBAL void run(int* a) { a[0] = 1; }", "GLOBAL"),
    (
        "#define BODY(n) __launch_bounds__(n) static __global__\n#define BK(n) BODY(n)\n",
        "BK(64) void run(int* a) { }",
        "BK(64)",
    ),
    ("#define MAKE(name) __global__ void name(int* a)\n", "MAKE(run) { a[0] = 1; }", "MAKE(run)"),
    ("", "RAFT_KERNEL run(int* a) { a[0] = 1; }", "RAFT_KERNEL"),
    ("", "ROCSPARSE_KERNEL(128) void run(int* a) { a[0] = 1; }", "ROCSPARSE_KERNEL(128)"),
]


@pytest.mark.parametrize(("headers", "source", "text"), KERNEL_MACROS)
def test_kernel_macros_are_global_items_and_keep_the_definition(headers: str, source: str, text: str) -> None:
    [item] = of_kind(masked(source, headers=headers), "global")
    assert item.text.decode() == text
    assert not headers or "__global__" in item.expansion
    assert parses(source, headers)
    root = parse_level(source.encode(), table_of(source, headers), Level.M2).tree.root_node
    declarators = [node.child_by_field_name("declarator") for node in walk(root) if node.type == "function_declarator"]
    assert [node.text for node in declarators if node is not None] == [b"run"]


def test_launch_bounds_from_macros_carry_the_expanded_arguments() -> None:
    headers = "#define THREADS 256\n#define LB(t) __launch_bounds__(t, THREADS / 64)\n#define KB(n) LB(n) __global__\n"
    result = masked("KB(128) void k() { }\nLB(32) void j();\nC10_LAUNCH_BOUNDS_1(512) void m();", headers=headers)
    assert [item.expansion for item in of_kind(result, "launch_bounds")] == [
        "__launch_bounds__(128, 256 / 64) __global__",
        "__launch_bounds__(32, 256 / 64)",
        "__launch_bounds__(512)",
    ]


def test_kinds_and_positions_of_items() -> None:
    items = masked("__device__ [[a::b(3)]] __launch_bounds__(N) void __global__ k(int* __restrict__ p);").items
    assert [(item.kind, item.text.decode()) for item in items] == [
        ("qualifier", "__device__"),
        ("attribute", "[[a::b(3)]]"),
        ("launch_bounds", "__launch_bounds__(N)"),
        ("global", "__global__"),
        ("restrict", "__restrict__"),
    ]


def test_unrolls_are_kept_on_the_side() -> None:
    source = 'void f() { _Pragma("unroll") for (;;) { }\n#pragma unroll 4\nfor (;;)\n#pragma unroll\n{ } }'
    unrolls = of_kind(masked(source), "unroll")
    assert [item.text for item in unrolls] == [b'_Pragma("unroll")', b"#pragma unroll 4", b"#pragma unroll"]
    assert parses(source)


@pytest.mark.parametrize(
    "source",
    [
        'char* a = "__global__ k<<<1, 2>>>(a) // x";',
        'auto a = R"x(__global__ " k<<<1,2>>>(b) )" )x"; int b;',
        "#define LAUNCH(k) k<<<1, 2>>>() __global__ // it is kept\n",
        "#error don't __global__\n",
        "a << b; c <<= d; e >> f;",
        "volatile const int a = 1; alignas(16) float b;",
    ],
)
@pytest.mark.parametrize("level", [Level.M1, Level.M2])
def test_literals_directives_and_plain_code_stay(source: str, level: Level) -> None:
    result = mask(source.encode(), EMPTY, level)
    assert result.text == source.encode()
    assert result.items == ()


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("// k<<<1, 2>>>(a) __global__\n", "\n"),
        ("int b; /* __global__ <<<\r\n >>> [[x]] */ int a;", "int b;\r\n int a;"),
        ("int a = 1'000'000; // it's __global__\n", "int a = 1'000'000;\n"),
        ("char a = '\"'; char b = '\\''; // __global__\n", "char a = '\"'; char b = '\\'';\n"),
        ("// a \\\n __global__ still a comment\n", "\n\n"),
        ("int a; /* never closed", "int a;"),
    ],
)
@pytest.mark.parametrize("level", [Level.M1, Level.M2])
def test_comments_become_blanks(source: str, kept: str, level: Level) -> None:
    result = mask(source.encode(), EMPTY, level)
    assert result.items == ()
    assert len(result.text) == len(source)
    assert b"".join(result.text.split(b" ")) == kept.replace(" ", "").encode()
    assert [i for i, c in enumerate(result.text) if c == 10] == [i for i, c in enumerate(source.encode()) if c == 10]


def test_a_launch_closes_at_depth_zero_before_the_statement_ends() -> None:
    assert b"<<<" in masked("k<<<1, 2; a >>> b;").text
    assert b"<<<" in masked("k<<<(1, 2 >>> ) a;").text
    assert masked("k<<<(a >> b), c[d >> e]>>>(x);").text == b"k  ((a >> b), c[d >> e])  (x);"


def test_code_after_a_raw_string_or_a_digit_separator_is_still_code() -> None:
    source = 'auto a = R"(")"; int b = 1\'000; __global__ void k();'
    [item] = of_kind(masked(source), "global")
    assert item.start == source.index("__global__")


def test_one_branch_levels_blank_the_others_and_their_lines() -> None:
    source = (
        "#if 0\nint a;\n#else\nint b;\n#endif\n#ifdef X\nint c;\n#elif Y\nint d;\n#else\nint e;\n#endif\n#define Z 1\n"
    )
    likely, other = masked(source, Level.M2_LIKELY).text, masked(source, Level.M2_OTHER).text
    assert likely.split() == [b"int", b"b;", b"int", b"e;", b"#define", b"Z", b"1"]
    assert other.split() == [b"int", b"b;", b"int", b"c;", b"#define", b"Z", b"1"]
    defined = masked("#define X\n" + source, Level.M2_LIKELY).text
    assert b"int c;" in defined
    assert b"int e;" not in defined


def test_crlf_and_bom_are_kept() -> None:
    data = b"\xef\xbb\xbf#define A __device__\r\nA\r\nint f();\r\n__global__ void k()\r\n{ }\r\n"
    result = mask(data, MacroTable.of(scan_macros(data, "a.cu")), Level.M2)
    assert result.text.count(b"\r\n") == 5
    assert [item.kind for item in result.items] == ["qualifier", "global"]


WORDS = (
    '<<< >>> << < > >> ( ) [[ ]] [ ] { } ; , " \' R"( )" /* */ // \\\n \n \r\n # #if #else #endif #define A A B( K '
    "__global__ __launch_bounds__( __restrict__ LOOP NAME(int) M( E(x) new typename template class = {} \\ \0 \xff for "
    "... * T:: decltype("
)
FRAGMENTS = st.sampled_from(WORDS.split(" "))
HOSTILE = st.one_of(
    st.binary(max_size=80), st.lists(FRAGMENTS, max_size=30).map(lambda parts: " ".join(parts).encode("latin-1"))
)
TABLE = MacroTable.of(
    scan_macros(
        b"#define A B\n#define B A x\n#define NAME(t) t y;\n#define LOOP for(;;)\n#define T\n"
        b"#define K __global__ void\n#define E(x)\n#define M(x) x\n",
        "t.h",
    )
)


@given(HOSTILE, st.sampled_from(list(Level)))
def test_any_bytes_keep_length_and_newlines(data: bytes, level: Level) -> None:
    result = mask(data, TABLE, level)
    assert len(result.text) == len(data)
    assert newlines(result.text) == newlines(data)
    assert all(item.text == data[item.start : item.end] for item in result.items)


@given(HOSTILE)
@example(b"#define\x00A\x00")
def test_masking_again_changes_nothing(data: bytes) -> None:
    once = mask(data, EMPTY, Level.M1).text
    assert mask(once, EMPTY, Level.M1).text == once


@given(HOSTILE)
def test_macro_scan_takes_any_bytes(data: bytes) -> None:
    for macro in scan_macros(b"#define X " + data, "a"):
        assert macro.name.isidentifier()
        expand(macro.body, TABLE)


def test_self_referential_macros_come_to_an_end() -> None:
    table = MacroTable.of(scan_macros(b"#define A B\n#define B A\n#define F(x) F(x) F(x)\n", "a"))
    assert expand("A", table) == "A"
    assert expand("F(1)", table) == "F(1) F(1)"
    doubling = "".join(f"#define D{i} D{i + 1} D{i + 1}\n" for i in range(60)).encode()
    assert len(expand("D0", MacroTable.of(scan_macros(doubling, "a")))) < 100_000


def test_macro_bodies_lose_comments_and_continuations() -> None:
    data = (
        b'#define A(x, y) x /* c */ + \\\r\n  y // d\n#define B "a // b"\n# define C\n#define D(...) f(__VA_ARGS__)\n'
    )
    a, b, c, d = scan_macros(data, "p")
    assert (a.name, a.params, a.body.split()) == ("A", ("x", "y"), ["x", "+", "y"])
    assert (b.params, b.body) == (None, '"a // b"')
    assert (c.params, c.body) == (None, "")
    assert data[d.offset : d.offset + 4] == b"D(.."
    assert expand("D(1, 2)", MacroTable.of((d,))) == "f(1, 2)"


def test_the_first_definition_wins_and_all_are_kept() -> None:
    own = MacroTable.of(scan_macros(b"#if X\n#define N 1\n#else\n#define N 2\n#endif\n", "a"))
    both = own.merged(MacroTable.of(scan_macros(b"#define N 3\n#define M 4\n", "b")))
    first = both.get("N")
    assert first is not None
    assert first.body == "1"
    assert [macro.body for macro in both.all("N")] == ["1", "2", "3"]
    assert {macro.name for macro in both} == {"N", "M"}
    assert both.get("O") is None


REPEATED = (
    "<<<", "(", "#define A ", "/*", "\\\n", '"', 'R"(', "[[", "__launch_bounds__(", "{", "#if A\n", "FOO(\n", "M(",
    "template class ", "typename a<", "new a<", "#include <", "k<<<(",
)  # fmt: skip


@pytest.mark.parametrize("source", REPEATED)
def test_repetition_stays_linear(source: str) -> None:
    """10,000 repetitions finish; a quadratic rule would take minutes."""
    data = source.encode() * 10_000
    for level in (Level.M1, Level.M2, Level.M2_LIKELY):
        assert len(mask(data, TABLE, level).text) == len(data)


@pytest.mark.parametrize(
    "body",
    [
        "\n#ifdef GPU\n  if (n) { a(); } else\n#endif\n  { b(); }",
        "\n#ifdef GPU\n  if (n) { a(); }\n  else\n#endif\n  {\n    b();\n  }",
        "AMREX_IF_ON_DEVICE(( return a(); ))\n  AMREX_IF_ON_HOST(( return b(); ))",
        "NV_IF_ELSE_TARGET(NV_IS_HOST, (return a();), (if (n) { return b(); } return a();))",
        "return AMREX_D_TERM(a(), + b(), + (n ? a() : b()));",
    ],
)
def test_device_code_is_read_with_the_first_mask(body: str) -> None:
    text = f"__device__ int f(int n) {{ {body} }}\n__global__ void k() {{}}\n".encode()
    (only,) = parse_ladder(text, EMPTY)
    assert not only.has_error
