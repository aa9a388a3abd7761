"""Declarations, statements and expressions in our own tree, with exact spans."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from frontend_helpers import body_of, build, first, kernel, nodes, variables

from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Call,
    Case,
    Cast,
    Conditional,
    Constant,
    Evaluate,
    Expr,
    If,
    Index,
    InitList,
    Jump,
    Label,
    LambdaExpr,
    Loop,
    Member,
    Name,
    Return,
    SizeOf,
    Switch,
    Unary,
    Update,
)
from regpress_lint.cpp.traversal import walk

if TYPE_CHECKING:
    from regpress_lint.core.source import Span

# ------------------------------------------------------------------------------------------------- declarations


@pytest.mark.parametrize(
    ("declaration", "name", "size", "pointers", "dims", "storage"),
    [
        ("int a;", "a", 4, 0, 0, "local"),
        ("double a = 1.0;", "a", 8, 0, 0, "local"),
        ("float x, *a, y[3];", "a", 8, 1, 0, "local"),
        ("float x, *y, a[3];", "a", 4, 0, 1, "local"),
        ("float a[4][8];", "a", 4, 0, 2, "local"),
        ("float a[] = {1, 2, 3};", "a", 4, 0, 1, "local"),
        ("float (*a)[4];", "a", 4, 0, 2, "parameter"),
        ("float **a;", "a", 8, 2, 0, "local"),
        ("float *a[4];", "a", 8, 1, 1, "local"),
        ("const float *const a = p;", "a", 8, 1, 0, "local"),
        ("float &a = p[0];", "a", 4, 0, 0, "local"),
        ("unsigned long long a = 3;", "a", 8, 0, 0, "local"),
        ("auto a = 1.0f;", "a", 4, 0, 0, "local"),
        ("auto a = n * 2.0;", "a", 8, 0, 0, "local"),
        ("auto *a = p;", "a", 8, 1, 0, "local"),
        ("const auto a = p[0];", "a", 4, 0, 0, "local"),
        ("float4 a = make_float4(0, 0, 0, 0);", "a", 16, 0, 0, "local"),
        ("struct P { int x, y; } a;", "a", None, 0, 0, "local"),
        ("register int a = 3;", "a", 4, 0, 0, "local"),
        ("static const int a[3] = {1, 2, 3};", "a", 4, 0, 1, "static"),
        ("const static int a[3] = {1, 2, 3};", "a", 4, 0, 1, "static"),
        ("constexpr int a = 3;", "a", 4, 0, 0, "constexpr"),
        ("__shared__ float a[32];", "a", 4, 0, 1, "shared"),
        ("__shared__ volatile float a[32];", "a", 4, 0, 1, "shared"),
        ("volatile __shared__ float a[32];", "a", 4, 0, 1, "shared"),
        ("float __shared__ a[32];", "a", 4, 0, 1, "shared"),
        ("static __shared__ float a[32];", "a", 4, 0, 1, "shared"),
        ("extern __shared__ float a[];", "a", 4, 0, 1, "shared"),
        ("extern float __shared__ a[];", "a", 4, 0, 1, "shared"),
        ("__shared__ __align__(16) float a[32];", "a", 4, 0, 1, "shared"),
        ("__align__(16) __shared__ float a[32];", "a", 4, 0, 1, "shared"),
        ("float int_a(n), a(n);", "a", 4, 0, 0, "local"),
        ("double a{3.0};", "a", 8, 0, 0, "local"),
    ],
)
def test_declaration(declaration: str, name: str, size: int | None, pointers: int, dims: int, storage: str) -> None:
    found = variables(body_of(declaration))[name]
    assert (found.type.pointers, len(found.dims), found.storage) == (pointers, dims, storage)
    if size is not None:
        assert found.type.size == size


def test_extern_shared_without_a_size() -> None:
    found = variables(body_of("extern __shared__ float s[]; __shared__ float t[4];"))
    assert (found["s"].unsized_shared, found["t"].unsized_shared) == (True, False)
    assert found["s"].dims == (None,)


def test_vexing_parse_is_a_variable() -> None:
    found = variables(body_of("dim3 b(x, y); float f(n);"))
    init = found["b"].init
    assert isinstance(init, Call)
    assert [argument.name for argument in init.args if isinstance(argument, Name)] == ["x", "y"]
    assert isinstance(found["f"].init, Name)


def test_structured_binding_declares_each_name() -> None:
    names = set(variables(body_of("auto [a, b] = f(n); auto &[c, d] = g;")))
    assert names == {"", "a", "b", "c", "d"}  # the objects that they are members of have no name


@pytest.mark.parametrize(
    ("declaration", "is_volatile", "pointee"),
    [
        ("volatile float a;", True, False),
        ("float volatile a;", True, False),
        ("volatile float a[4];", True, False),
        ("volatile float *a = p;", False, True),
        ("float volatile *a = p;", False, True),
        ("float *volatile a = p;", True, False),
        ("volatile float *volatile a = p;", True, True),
        ("float a;", False, False),
    ],
)
def test_volatile_object_and_pointee(declaration: str, is_volatile: bool, pointee: bool) -> None:
    text = f"__global__ void k(float *p) {{ {declaration} }}\n"
    found = variables(kernel(text).function)["a"]
    assert (found.type.volatile, found.type.pointee_volatile) == (is_volatile, pointee)
    assert (found.volatile_span is not None) == is_volatile
    if found.volatile_span is not None:
        assert text[found.volatile_span.start : found.volatile_span.end] == "volatile"


def test_parameters() -> None:
    text = (
        "__global__ void k(const float *__restrict__ a, float b[], float c[4], int d = 3, const P e, float *&f, "
        "volatile int *g, unsigned, T... h) { }\n"
    )
    found = kernel(text).function.parameters
    assert [each.name for each in found[:7]] == ["a", "b", "c", "d", "e", "f", "g"]
    assert [each.type.pointers for each in found[:7]] == [1, 1, 1, 0, 0, 1, 1]
    assert found[0].type.restrict
    assert found[0].type.pointee_const
    assert found[6].type.pointee_volatile
    assert all(each.storage == "parameter" for each in found)
    assert found[7].name == ""


def test_names_find_their_declaration() -> None:
    function = body_of("int a = n; { float a = 2.0f; p[0] = a; } p[1] = a;")
    inner, outer = (each.value for each in nodes(function, Assign))
    assert isinstance(inner, Name)
    assert isinstance(outer, Name)
    assert inner.variable is not None
    assert outer.variable is not None
    assert (inner.variable.type.name, outer.variable.type.name) == ("float", "int")


# --------------------------------------------------------------------------------------------------- statements


def test_loops() -> None:
    function = body_of(
        "for (int i = 0; i < n; i++) p[i] = 1; for (;;) break; while (n > 0) { } do { } while (n); "
        "for (auto v : q) p[0] = v; for (int i = 0, j = 1; i < j; ++i, --j) { }"
    )
    found = nodes(function, Loop)
    assert [each.kind for each in found] == ["for", "for", "while", "do", "range", "for"]
    assert found[1].test is None
    assert found[1].step is None
    assert [variable.name for variable in found[4].init[0].variables] == ["v"]  # type: ignore[union-attr]
    assert isinstance(found[5].step, Binary)


def test_if_forms() -> None:
    function = body_of(
        "if (n) p[0] = 1; else if (int x = n) { p[x] = 2; } else p[1] = 3; "
        "if constexpr (N > 2) { } if (int y = 1; y < n) { }"
    )
    found = nodes(function, If)
    assert [each.is_constexpr for each in found] == [False, False, True, False]
    assert isinstance(found[0].other, If)
    assert [len(each.init) for each in found] == [0, 1, 0, 1]
    test = found[1].test
    assert isinstance(test, Name)
    assert test.variable is not None


def test_switch_with_fall_through() -> None:
    function = body_of("switch (n) { case 1: p[0] = 1; case 2: { p[1] = 2; break; } default: p[2] = 3; }")
    cases = nodes(first(function, Switch), Case)
    assert [each.value.value if isinstance(each.value, Constant) else None for each in cases] == [1, 2, None]
    assert [len(each.statements) for each in cases] == [1, 1, 1]


def test_labels_jumps_and_return() -> None:
    function = body_of("while (n) { if (p[0] < 3) goto end; } end: for (;;) { if (n) continue; break; } return;")
    assert first(function, Label).name == "end"
    assert [(each.kind, each.label) for each in nodes(function, Jump)] == [
        ("goto", "end"),
        ("continue", None),
        ("break", None),
    ]
    assert first(function, Return).value is None


@pytest.mark.parametrize(
    ("jump", "branch"),
    [
        ("if (n) goto end; p[0] = 1;", "if (!n) { p[0] = 1; }"),
        ("if (n) { p[1] = 2; goto end; } p[0] = 1;", "if (n) { p[1] = 2; } else { p[0] = 1; }"),
        ("p[0] = 1; goto end; p[1] = 2;", "p[0] = 1;"),
        (
            "if (n) goto end; p[0] = 1; if (n < 3) goto end; p[1] = 2;",
            "if (!n) { p[0] = 1; if (!(n < 3)) { p[1] = 2; } }",
        ),
    ],
)
def test_a_goto_past_statements_is_a_branch(jump: str, branch: str) -> None:
    def kinds(statements: str) -> list[type]:
        return [type(node) for node in nodes(body_of(f"{statements} end: return;"), object)]

    assert kinds(jump) == kinds(branch)
    assert Jump not in kinds(jump)


@pytest.mark.parametrize(
    ("pragma", "factor"),
    [
        ("#pragma unroll", None),
        ("#pragma unroll 4", 4),
        ("#pragma unroll(4)", 4),
        ("#pragma unroll (4)  // why", 4),
        ("#  pragma  unroll  4", 4),
        ("#pragma nounroll", 1),
        ("#pragma GCC unroll 8", 8),
        ("#pragma clang loop unroll_count(2)", 2),
        ('_Pragma("unroll 4")', 4),
        ('_Pragma("unroll")', None),
        ("UNROLL", 2),
        ("UNROLL_LINE", 4),
    ],
)
def test_unroll(pragma: str, factor: int | None) -> None:
    before = '#define UNROLL _Pragma("unroll 2")\n#define UNROLL_LINE #pragma unroll 4'
    found = first(body_of(f"{pragma}\nfor (int i = 0; i < 8; i++) p[i] = 1;", before), Loop)
    assert found.unroll is not None
    value = found.unroll.factor
    assert (value.value if isinstance(value, Constant) else value) == factor


@pytest.mark.parametrize(
    ("directives", "factor"),
    [
        ("#ifdef __CUDA_ARCH__\n#pragma unroll 4\n#endif", 4),
        ("#if CUDART_VERSION >= 7050\n#pragma unroll 4\n#endif", 4),
        ("#ifdef NOWHERE\n#pragma unroll 4\n#else\n#pragma unroll 2\n#endif", 2),
        ("#ifdef __NVCC__\n#if 1\n#pragma unroll 8\n#endif\n#endif", 8),
        ("#ifdef NOWHERE\n#pragma unroll 4\n#endif", 0),
        ("#ifdef __CUDA_ARCH__\n#pragma unroll 4\n#endif\np[0] = 2;", 0),
    ],
)
def test_unroll_behind_a_condition(directives: str, factor: int) -> None:
    found = first(
        body_of(f"{directives}\nfor (int i = 0; i < 8; i++) {{ for (int j = 0; j < n; j++) p[i] = j; }}"), Loop
    )
    value = found.unroll.factor if found.unroll is not None else None
    assert (value.value if isinstance(value, Constant) else 0) == factor
    (inner,) = nodes(found.body, Loop)
    assert inner.unroll is None


def test_unroll_with_a_name_and_between_braceless_loops() -> None:
    function = body_of(
        "const int U = 4;\n#pragma unroll U\nfor (int i = 0; i < 8; i++)\n"
        "#pragma unroll 2\nfor (int j = 0; j < 4; j++)\n"
        '_Pragma("unroll")\nfor (int l = 0; l < 4; l++) p[i + j + l] = 1;\nfor (int m = 0; m < 4; m++) p[m] = 2;'
    )
    found = nodes(function, Loop)
    assert [each.unroll is not None for each in found] == [True, True, True, False]
    factor = found[0].unroll.factor if found[0].unroll is not None else None
    assert isinstance(factor, Name)
    assert factor.variable is not None
    assert [isinstance(each.body, Loop) for each in found] == [True, True, False, False]


@pytest.mark.parametrize(
    ("directives", "expected"),
    [
        ("#if 0\np[0] = 1;\n#else\np[0] = 2;\n#endif", [2]),
        ("#ifdef __CUDA_ARCH__\np[0] = 1;\n#else\np[0] = 2;\n#endif", [1]),
        ("#ifdef NOWHERE\np[0] = 1;\n#endif", []),
        ("#ifndef NOWHERE\np[0] = 1;\n#endif", [1]),
        ("#if WIDE > 4\np[0] = 1;\n#elif WIDE > 2\np[0] = 2;\n#else\np[0] = 3;\n#endif", [2]),
        ("#if defined(WIDE) && !defined(NOWHERE)\np[0] = 1;\n#endif", [1]),
        ("#if 1\n#if 0\np[0] = 1;\n#else\np[0] = 2;\n#endif\n#endif", [2]),
    ],
)
def test_directives_inside_a_body(directives: str, expected: list[int]) -> None:
    function = body_of(f"\n{directives}\n", "#define WIDE 3")
    values = [each.value.value for each in nodes(function, Assign) if isinstance(each.value, Constant)]
    assert values == expected


# -------------------------------------------------------------------------------------------------- expressions


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("1.5f", Constant),
        ("-2", Constant),
        ("n", Name),
        ("std::pi", Name),
        ("p[n]", Index),
        ("-n", Unary),
        ("!n", Unary),
        ("*p", Unary),
        ("&p[1]", Unary),
        ("n++", Update),
        ("--n", Update),
        ("n + 1 * 2", Binary),
        ("n && p", Binary),
        ("n << 2", Binary),
        ("n = 3", Assign),
        ("n <<= 3", Assign),
        ("n ? 1 : 2", Conditional),
        ("f(n, 2)", Call),
        ("ns::f<int, 4>(n)", Call),
        ("v.x", Member),
        ("v->x.y", Member),
        ("(float)n", Cast),
        ("float(n)", Cast),
        ("static_cast<double>(n)", Cast),
        ("reinterpret_cast<int *>(p)", Cast),
        ("sizeof(float4)", SizeOf),
        ("sizeof n", SizeOf),
        ("{1, 2, 3}", InitList),
        ("[&](int a) { return a; }", LambdaExpr),
        ("float4{1, 2, 3, 4}", Call),
    ],
)
def test_expression_and_its_span(expression: str, kind: type) -> None:
    file = build(f"/* é */ __global__ void k(int n, float *p) {{ sink({expression}, 0); }}\n")
    call = next(each for each in nodes(file.kernels[0].function, Call) if each.name == "sink")
    found = call.args[0]
    assert isinstance(found, kind)
    assert file.source.text(found.span) == expression
    assert file.source.text(call.span) == f"sink({expression}, 0)"


def test_parts_have_exact_spans() -> None:
    text = "__global__ void k(int n, float *p) {\n  float a[4] = {0};\n  p[n + 1] = a[n] * 2.0f;\n}\n"
    file = build(text)
    function = file.kernels[0].function
    assign = first(function, Assign)
    spans: dict[str, Span] = {"target": assign.target.span, "value": assign.value.span, "all": assign.span}
    assert {name: file.source.text(span) for name, span in spans.items()} == {
        "target": "p[n + 1]",
        "value": "a[n] * 2.0f",
        "all": "p[n + 1] = a[n] * 2.0f",
    }
    variable = variables(function)["a"]
    assert file.source.text(variable.span) == "a"
    assert file.source.text(variable.declaration) == "float a[4] = {0};"
    assert file.source.text(function.body.span) == text[text.index("{") :].rstrip()


def test_call_of_a_template() -> None:
    function = body_of("a::b<int, 3>(p); c<4>(p); s.get();")
    calls = nodes(function, Call)
    assert [(each.name, each.qualified, each.template_args) for each in calls] == [
        ("b", "a::b", ("int", "3")),
        ("c", "c", ("4",)),
        ("get", "get", ()),
    ]


def test_precedence_is_kept() -> None:
    found = first(body_of("n = 1 + 2 * 3 - 4;"), Assign).value
    assert isinstance(found, Binary)
    assert found.op == "-"
    assert isinstance(found.left, Binary)
    assert found.left.op == "+"


@pytest.mark.parametrize(
    ("words", "symbols"),
    [
        ("n = a and b or not c", "n = a && b || !c"),
        ("n = a bitand b bitor c xor n", "n = a & b | c ^ n"),
        ("n = compl a not_eq b", "n = ~a != b"),
        ("n and_eq a, n or_eq b, n xor_eq c", "n &= a, n |= b, n ^= c"),
    ],
)
def test_operators_that_are_words(words: str, symbols: str) -> None:
    declared = "int a = n, b = n + 1, c = n + 2;"
    trees = [body_of(f"{declared} {text};") for text in (words, symbols)]
    spelled, plain = (
        [each.op for each in walk(tree.body) if isinstance(each, (Assign, Binary, Unary))] for tree in trees
    )
    assert spelled == plain


@pytest.mark.parametrize("kind", ["{", "if (n) {", "for (;;) {"])
def test_deep_nesting_is_cut_and_marked(kind: str) -> None:
    shallow = kernel("__global__ void k(int n, float *p) { " + kind * 50 + "p[0] = 1;" + "}" * 50 + " }\n")
    assert shallow.complete
    deep = kernel("__global__ void k(int n, float *p) { " + kind * 2000 + "p[0] = 1;" + "}" * 2000 + " }\n")
    assert not deep.complete
    assert all(deep.function.body.span.contains(span) for span in deep.function.unparsed)


def test_deep_parentheses_and_long_sums_do_not_recurse_out() -> None:
    assert body_of("p[0] = " + "(" * 2000 + "n" + ")" * 2000 + ";") is not None
    found = first(body_of("p[0] = " + " + ".join(["n"] * 3000) + ";"), Assign).value
    count = 1
    while isinstance(found, Binary):
        found, count = found.left, count + 1
    assert count == 3000


def test_long_else_if_chain_does_not_recurse_out() -> None:
    chain = " else ".join(f"if (n == {i}) p[{i}] = 1;" for i in range(3000))
    assert first(body_of(chain), If) is not None


def test_statement_without_effect_is_left_out() -> None:
    function = body_of("; ; using T = int; typedef float F; p[0] = 1; static_assert(true);")
    assert [type(each) for each in function.body.statements] == [Evaluate]


@pytest.mark.parametrize("text", ["float s[4][4] = {}, q[4];", "float q[4], s[2] = { }, r;", "float s[4] = {};"])
def test_empty_braces_initialise_an_array_beside_others(text: str) -> None:
    found = variables(body_of(text))
    assert isinstance(found["s"].init, InitList)
    assert found["s"].init.items == ()
    assert all(variable.init is None for name, variable in found.items() if name != "s")


def shape(expr: Expr) -> str:
    """An expression with parentheses around each operation."""
    match expr:
        case Binary(op=op, left=left, right=right):
            return f"({shape(left)} {op} {shape(right)})"
        case Unary(op=op, operand=operand):
            return f"{op}{shape(operand)}"
        case Member(base=base, field=field):
            return f"{shape(base)}.{field}"
        case Conditional(test=test, then=then, other=other):
            return f"({shape(test)} ? {shape(then)} : {shape(other)})"
        case Name(name=name, variable=variable):
            return name if variable is not None else f"unknown {name}"
        case Constant(value=value):
            return str(value)
    return type(expr).__name__


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("(x<0 || x>=q.m)", "((x < 0) || (x >= q.m))"),
        ("!f && (x<0 || x>=n)", "(!f && ((x < 0) || (x >= n)))"),
        ("(x!=x || x<0 || y<0 || x>=n || y>=n)", "(((((x != x) || (x < 0)) || (y < 0)) || (x >= n)) || (y >= n))"),
        ("(f && x<0 || x>=n && f)", "((f && (x < 0)) || ((x >= n) && f))"),
        ("(x<0||x>-1)", "((x < 0) || (x > -1))"),
        ("(f && x<0||x>-1 + n)", "((f && (x < 0)) || (x > (-1 + n)))"),
        ("(!x<0 || x>=n)", "((!x < 0) || (x >= n))"),
        ("(q.m<0 || q.m>=n)", "((q.m < 0) || (q.m >= n))"),
        ("(q.m<0 || q.m>-1)", "((q.m < 0) || (q.m > -1))"),
        ("(x<0 || x>=n ? y : n)", "(((x < 0) || (x >= n)) ? y : n)"),
        ("(x<n && n>(y + 1))", "((x < n) && (n > (y + 1)))"),
        ("(x<n && n>(y + 1) * 2)", "((x < n) && (n > ((y + 1) * 2)))"),
        ("(x<0 || x>=n || y<0 || y>=n)", "((((x < 0) || (x >= n)) || (y < 0)) || (y >= n))"),
    ],
)
def test_comparisons_without_spaces_stay_comparisons(written: str, meant: str) -> None:
    tree = body_of(f"auto o = {written};", "struct Q { int m; };", "int n, int x, int y, bool f, Q q")
    value = variables(tree)["o"].init
    assert value is not None
    assert shape(value) == meant


def test_templates_in_front_of_comparisons_stay() -> None:
    function = body_of("bool o = size<4> > n && c<4>(n); bool q = s.get<4>() >= n; n = 1 + f<A || B>(n);")
    calls = [(each.name, each.template_args) for each in nodes(function, Call)]
    assert calls == [("c", ("4",)), ("get", ("4",)), ("f", ("A || B",))]
    assert [each.template_args for each in nodes(function, Name) if each.name == "size"] == [("4",)]
