"""Macros' definitions in our own tree: what an analysis sees behind an invocation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from analysis_helpers import facts_of
from frontend_helpers import build, nodes

from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Conditional,
    Constant,
    Declare,
    Evaluate,
    Expr,
    If,
    Index,
    Loop,
    Member,
    Name,
    Type,
    Unary,
    Variable,
)

if TYPE_CHECKING:
    from regpress_lint.program.expansions import Expansion
    from regpress_lint.program.file import File

INT, FLOAT = Type("int", 4), Type("float", 4, floating=True)
KERNEL = "\n__global__ void k(float *u, int N, float a) { u[N] = a; }\n"


def file_with(macros: str) -> File:
    return build(macros + KERNEL)


def expand(definition: str, name: str, arity: int | None = None) -> Expansion | None:
    """Expansion of a macro with the kernel's parameters in scope."""
    file = file_with(definition)
    return file.expansion(name, arity, scope_of(file), (INT,) * (arity or 0), None)


def scope_of(file: File) -> dict[str, Variable]:
    return {variable.name: variable for variable in file.kernels[0].function.parameters}


def expression(definition: str, name: str, arity: int | None = None) -> Expr:
    found = expand(definition, name, arity)
    assert found is not None
    assert not isinstance(found.body, Block)
    return found.body


def block(definition: str, name: str, arity: int | None = None) -> Block:
    found = expand(definition, name, arity)
    assert found is not None
    assert isinstance(found.body, Block)
    return found.body


def spelled(expr: object) -> str:
    """An expression with all its parentheses."""
    if isinstance(expr, Binary):
        return f"({spelled(expr.left)} {expr.op} {spelled(expr.right)})"
    if isinstance(expr, Unary):
        return f"{expr.op}{spelled(expr.operand)}"
    if isinstance(expr, Name):
        return expr.name
    return str(expr.value) if isinstance(expr, Constant) else type(expr).__name__


def test_parameters_and_names_in_scope_resolve() -> None:
    file = file_with("#define u(i, j) u[(i) * N + (j) + M]")
    scope = scope_of(file)
    found = file.expansion("u", 2, scope, (INT, None), None)
    assert found is not None
    i, j = found.parameters
    assert (i.name, i.type, i.storage) == ("i", INT, "local")
    assert (j.name, j.type) == ("j", Type("auto"))
    assert isinstance(found.body, Index)
    variables = {name.name: name.variable for name in nodes(found.body, Name)}
    assert variables == {"u": scope["u"], "N": scope["N"], "i": i, "j": j, "M": None}


def test_arity_distinguishes_macros_and_variables() -> None:
    assert expand("#define u(i, j) u[(i) * N + (j)]", "u") is None
    assert expand("#define u(i, j) u[(i) * N + (j)]", "u", 1) is None
    both = "#if A\n#define STEP 4\n#else\n#define STEP(x) ((x) + 1)\n#endif"
    assert isinstance(expression(both, "STEP"), Constant)
    assert isinstance(expression(both, "STEP", 1), Binary)


def test_a_parameter_hides_a_variable_of_the_same_name() -> None:
    found = expand("#define TWICE(a) ((a) + (a))", "TWICE", 1)
    assert found is not None
    assert {name.variable for name in nodes(found.body, Name)} == {found.parameters[0]}


@pytest.mark.parametrize(
    ("body", "tree"),
    [
        ("((a)+(b)*(c))", "(a + (b * c))"),
        ("(a) - (b)", "(a - b)"),
        ("(a) & (b) * -(c)", "(a & (b * -c))"),
        ("((a) * (b)) - (c)", "((a * b) - c)"),
        ("(a) * N - (b)", "((a * N) - b)"),
        ("a < b && b > (c)", "((a < b) && (b > c))"),
    ],
)
def test_parenthesised_parameter_is_not_a_cast(body: str, tree: str) -> None:
    assert spelled(expression(f"#define F(a, b, c) {body}", "F", 3)) == tree


def test_an_alias_of_a_function_is_a_name() -> None:
    for alias, target in (("SHFL", "__shfl_xor_sync"), ("LOG", "logf")):
        found = expression(f"#define {alias} {target}", alias)
        assert isinstance(found, Name)
        assert (found.name, found.variable) == (target, None)


def test_other_macros_inside_stay_for_the_caller() -> None:
    outer = expression("#define SQ(x) ((x) * (x))\n#define LIM 8\n#define F(x) (SQ(x) + LIM)", "F", 1)
    assert isinstance(outer, Binary)
    assert isinstance(outer.left, Call)
    assert outer.left.name == "SQ"
    assert isinstance(outer.right, Name)


@pytest.mark.parametrize(
    ("definition", "name", "arity", "kind"),
    [
        ("#define TID() threadIdx.x", "TID", 0, Member),
        ("#define ABS(x) ((x) > 0 ? (x) : -(x))", "ABS", 1, Conditional),
        ("#define ALL(x) make_float4(x, x, x, x)", "ALL", 1, Call),
        ("#define PAIR float2{1, 2}", "PAIR", None, Call),
        ("#define F(x) ((float)(x))", "F", 1, Cast),
        ("#define SUM(x) f(x) \\\n  + g(x) // why", "SUM", 1, Binary),
        ("#define SET(x, y) x = (y)", "SET", 2, Assign),
        ("#define SET(x, y) x = (y);", "SET", 2, Assign),
        ("#define XOR(a, b) (a ^ b) ;", "XOR", 2, Binary),
        ("#define M(x) __syncthreads();", "M", 1, Call),
        ("#define MIN(a, b) { ((a < b) ? a : b) }", "MIN", 2, Conditional),
        ("#define V(x, ...) f(x)", "V", 1, Call),
        ("#define V(x, ...) f(x)", "V", 3, Call),
    ],
)
def test_kinds_of_expressions(definition: str, name: str, arity: int | None, kind: type) -> None:
    assert isinstance(expression(definition, name, arity), kind)


@pytest.mark.parametrize(
    ("definition", "kinds"),
    [
        ("#define M(x) do { x = 1; x += 2; } while (0)", [Loop]),
        ("#define M(x) { float t = x; u[0] = t; }", [Block]),
        ("#define M(x) x = 1; x += 2", [Evaluate, Evaluate]),
        ("#define M(x) u[0] = x; __syncthreads();", [Evaluate, Evaluate]),
        ("#define M(x) if (x) { f(x); } else { g(x); }", [If]),
        ("#define M(x) if (x) return", [If]),
        ("#define M(x) for (int q = 0; q < x; q++) u[q] = x", [Loop]),
        ("#define M(...) {__trap(); }", [Block]),
        ("#define M(x) float t = x", [Declare]),
        ("#define M(x) __shared__ float s[8]; s[0] = x;", [Declare, Evaluate]),
    ],
)
def test_statements(definition: str, kinds: list[type]) -> None:
    assert [type(statement) for statement in block(definition, "M", 1).statements] == kinds


def test_words_of_the_gpu_inside_a_macro_are_understood() -> None:
    found = block('#define M(n) __shared__ int s[4]; _Pragma("unroll 2") for (int i = 0; i < n; i++) s[i] = i;', "M", 1)
    (variable,) = nodes(found, Declare)[0].variables
    assert variable.storage == "shared"
    loop = nodes(found, Loop)[0]
    assert loop.unroll is not None
    assert isinstance(loop.unroll.factor, Constant)


@pytest.mark.parametrize(
    ("definition", "arity", "names"),
    [
        ("#define V(...) f(__VA_ARGS__)", 2, [0, 1]),
        ("#define V(x, ...) f(x, __VA_ARGS__)", 3, [0, 1, 2]),
        ("#define V(x, rest...) f(rest, x)", 2, [1, 0]),
        ("#define V(x, ...) f(x, ##__VA_ARGS__)", 1, [0]),
        ("#define V(x, ...) f(x, ##__VA_ARGS__)", 2, [0, 1]),
    ],
)
def test_the_rest_of_a_macros_arguments_has_a_parameter_each(definition: str, arity: int, names: list[int]) -> None:
    found = expand(definition, "V", arity)
    assert found is not None
    call = nodes(found.body, Call)[0]
    assert [found.parameters.index(arg.variable) for arg in call.args if isinstance(arg, Name)] == names


def test_a_parameter_as_text_is_a_string() -> None:
    call = nodes(block('#define CHECK(x) do { if (!(x)) printf("%s", #x); } while (0)', "CHECK", 1), Call)[0]
    assert [type(argument) for argument in call.args] == [Constant, Constant]


@pytest.mark.parametrize(
    ("definition", "name", "arity"),
    [
        ("#define EMPTY", "EMPTY", None),
        ("#define OPEN {", "OPEN", None),
        ("#define END } else {", "END", None),
        ("#define BAD(x) x + (", "BAD", 1),
        ("#define LONG f(" + "1," * 2000 + "1)", "LONG", None),
        ("#define V(x, ...) f(x __VA_OPT__(,) __VA_ARGS__)", "V", 2),
        ("#define V(x, y, ...) f(x)", "V", 1),
        ("#define GNU(x) ({ if (x) return; x; })", "GNU", 1),
        ("#define PASTE(a) a##_t", "PASTE", 1),
        ("#define real float", "real", None),
        ("#define UNS unsigned int", "UNS", None),
        ("#define EACH(i) for (int i = 0; i < 4; i++)", "EACH", 1),
        ("#define FIELD(s, f) s.f", "FIELD", 2),
        ("#define VIA(s, f) s->f", "VIA", 2),
        ("#define ZERO(T) static_cast<T>(0)", "ZERO", 1),
        ("#define MAKE(T, x) make<T>(x)", "MAKE", 2),
        ("#define DECLARE(T) T q = 0;", "DECLARE", 1),
        ("", "MISSING", 1),
    ],
)
def test_text_without_a_tree(definition: str, name: str, arity: int | None) -> None:
    assert expand(definition, name, arity) is None


def test_pasted_words_that_are_not_parameters() -> None:
    found = expression("#define F(x) (foo##bar + x)", "F", 1)
    assert isinstance(found, Binary)
    assert isinstance(found.left, Name)
    assert found.left.name == "foobar"


def test_equal_questions_get_the_same_object() -> None:
    file = file_with("#define AT(i) u[i]")
    scope = scope_of(file)
    first = file.expansion("AT", 1, scope, (INT,), None)
    assert first is not None
    assert file.expansion("AT", 1, {**scope, "unused": scope["N"]}, (INT,), None) is first
    assert file.expansion("AT", 1, scope, (FLOAT,), None) is not first
    other = file.expansion("AT", 1, {}, (INT,), None)
    assert other is not None
    assert {name.variable for name in nodes(other.body, Name) if name.name == "u"} == {None}


def test_headers_and_including_files() -> None:
    text = '#include "h.h"\n' + KERNEL
    assert build(text, headers={"h.h": "#define F(x) (x + 1)\n"}).expansion("F", 1, {}, (INT,), None) is not None
    header = '#define LIMIT(x) (x - 1)\n#include "k.cuh"\n'
    file = build(KERNEL, headers={"main.cu": header}, path="k.cuh")
    assert file.expansion("LIMIT", 1, {}, (INT,), None) is not None
    disagree = {"main.cu": header, "other.cu": header.replace("- 1", "- 2")}
    assert build(KERNEL, headers=disagree, path="k.cuh").expansion("LIMIT", 1, {}, (INT,), None) is None


@pytest.mark.parametrize(
    ("definition", "value"),
    [
        ("#define SMALLER min\n#define N SMALLER(3, 4)", 3),
        ("#define LARGER MAXIMUM\n#define MAXIMUM max\n#define N LARGER(3, 4)", 4),
        ("#define THREADS 128\n#define BLOCK THREADS\n#define N BLOCK", 128),
        ("#define A B\n#define B A\n#define N A(3, 4)", None),
        ("#define F unknown\n#define N F(3, 4)", None),
    ],
)
def test_an_alias_in_a_constant(definition: str, value: int | None) -> None:
    assert file_with(definition).constant("N") == value


def test_only_a_name_that_a_define_has_can_be_a_macro() -> None:
    """Whatever the `#if` around it says: which definition counts is the next question."""
    file = file_with("#if 0\n#define SKIPPED 1\n#endif\n#define f(x) (x)\nint g(int x);\n")
    names = ("SKIPPED", "f", "g", "u", "missing")
    assert [name for name in names if file.is_macro(name)] == ["SKIPPED", "f"]


@pytest.mark.parametrize(
    "definition",
    [
        "#define CHECK(cond, ...) static_assert(cond, __VA_ARGS__)",
        "#define CHECK(cond, text) static_assert((cond), #text);",
        "#define CHECK(...) static_assert(__VA_ARGS__)",
        "#define CHECK static_assert",
    ],
)
def test_a_macro_of_a_static_assertion_is_nothing(definition: str) -> None:
    assert block(f"{definition}\n", "CHECK", 2).statements == ()


@pytest.mark.parametrize(
    ("macros", "opened", "closed"),
    [
        ("#define BEGIN_LOOP for (int r = 0; r < n; ++r) {\n#define END_LOOP }\n", "BEGIN_LOOP", "END_LOOP"),
        ("#define LOOP(i, n) for (int i = 0; i < (n); ++i) {\n#define END }\n", "LOOP(r, n)", "END"),
        ("#define LOOP(i, n) if (n > 0) for (int i = 0; i < (n); ++i) {\n", "LOOP(r, n)", "}"),
    ],
)
def test_a_macro_opens_the_block_of_a_loop(macros: str, opened: str, closed: str) -> None:
    kernel = (
        "__global__ void k(float* o, const float* x, int n) {{ float s = 1; {} s = s * x[r]; {} o[threadIdx.x] = s; }}"
    )
    ours = facts_of(macros + kernel.format(opened, closed), "cuda")
    plain = facts_of(kernel.format("for (int r = 0; r < n; ++r) {", "}"), "cuda")
    for target in ("gfx90a", "sm_90"):
        assert not ours.unknowns(target)
        assert abs(ours.target(target).registers.estimate - plain.target(target).registers.estimate) <= 1


@pytest.mark.parametrize("head", ["LOOP(j, 4)", "for (int j = 0; j < 4; ++j)", "if (n > 3)"])
def test_a_macro_of_statements_without_a_semicolon_is_a_body(head: str) -> None:
    macros = "#define LOOP(i, n) for (int i = 0; i < (n); ++i)\n#define PUT(i, v) { o[i] = (v); }\n"
    kernel = "__global__ void k(float* o, const float* x, int n) {{ int j = 0; {} {} }}"
    ours, plain = (
        facts_of(macros + kernel.format(head, put), "cuda") for put in ("PUT(n + j, x[j] * 2)", "o[n + j] = x[j] * 2;")
    )
    for target in ("gfx90a", "sm_90"):
        assert not ours.unknowns(target)
        assert ours.target(target).registers == plain.target(target).registers
