"""Symbolic execution: what folds, what is the same value, what memory and control flow leave of a kernel."""

from __future__ import annotations

import pytest
from ssa_helpers import addresses, constants, count, run, stored

from regpress_lint.model.graph.ops import ADD, MULTIPLY
from regpress_lint.model.graph.values import INT
from regpress_lint.model.interpreter import journal

VENDORS = pytest.mark.parametrize("vendor", ["amd", "nvidia"])

# ---------------------------------------------------------------------------------------------------- folding


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("7 / -2", -3),
        ("-1 / 2u", 2147483647),
        ("-1 % 7u", 3),
        ("-1 < 1u", 0),
        ("-1 < 1", 1),
        ("-1 < 1ull", 0),
        ("-1ll < 1u", 1),
        ("3 - 5u > 0", 1),
        ("0ll <= -2u", 1),
        ("1 << 31", -2147483648),
        ("2147483647 + 1u == 2147483648u", 1),
        ("(unsigned)-1 >> 28", 15),
        ("-16 >> 2", -4),
        ("1ll << 40 >> 38", 4),
        ("(int)((1ll << 40) + 7)", 7),
        ("0xffffffffu + 1", 0),
        ("~0u / 2", 2147483647),
        ("~5", -6),
        ("!5 + !0", 1),
        ("true + true", 2),
        ("(bool)2 + (bool)0.5f", 2),
        ("5 & 3 | 8 ^ 1", 9),
        ("7 > 3 > 2", 0),
        ("1 ? 2 : 3", 2),
        ("(1, 2)", 2),
        ("'a' + 1", 98),
        ("sizeof(double) * 2", 16),
        ("(int)3.9f + (int)-3.9", 0),
        ("(unsigned char)300", 44),
        ("(char)200", -56),
        ("(short)70000", 4464),
        ("(unsigned short)-1", 65535),
        ("0.1f + 0.2f == 0.3f", 0),
        ("(int)(1.0f / 3 * 9)", 3),
        ("16777216.0f + 1.0f == 16777216.0f", 1),
        ("16777216.0 + 1.0 == 16777216.0", 0),
        ("n - n", 0),
        ("n * 0 + (n & 0)", 0),
        ("0 && n || 1", 1),
    ],
)
def test_constants_fold_as_in_cpp(expression: str, value: int) -> None:
    assert constants(run(f"out[0] = {expression};")) == [value]


@pytest.mark.parametrize(
    ("statements", "value"),
    [
        ("unsigned char x = 250; x += 10; out[0] = x;", 4),
        ("short x = 40000; out[0] = x;", -25536),
        ("unsigned char x = 255; out[0] = ++x;", 0),
        ("unsigned char x; out[0] = x = 260;", 4),
        ("int i; float f; f = i = 2.7f; out[0] = f * 10;", 20),
        ("bool t = 4; out[0] = t + 1;", 2),
        ("unsigned x = 0; x--; out[0] = x > 5;", 1),
        ("unsigned x = 1; x -= 2; x /= 3; out[0] = x;", 1431655765),
        ("int x = 5; int y = x++; out[0] = y * 10 + x;", 56),
        ("int x = 5; int y = --x; out[0] = y * 10 + x;", 44),
        ("long long x = 1; x <<= 40; out[0] = (int)(x >> 38);", 4),
        ("int x = 7; x ^= 2; x |= 8; x &= 13; x %= 5; x <<= 3; x >>= 1; out[0] = x;", 12),
        ("const int x = 3; constexpr int y = x * 2; out[0] = y;", 6),
        ("size_t x = sizeof(int) - 5; out[0] = x > 100;", 1),
    ],
)
def test_variables_hold_what_their_type_can(statements: str, value: int) -> None:
    assert constants(run(statements)) == [value]


@pytest.mark.parametrize("expression", ["n / 0", "1 / (n - n)", "1 << 40", "5 % 0"])
def test_undefined_value_is_not_constant(expression: str) -> None:
    assert constants(run(f"out[0] = {expression};")) == [None]


def test_a_float_sum_is_not_reordered() -> None:
    machine = run("b[0] = (n + 1.0f) + 2.0f; b[1] = n + 3.0f;")
    assert len(set(stored(machine))) == 2


def test_an_integer_sum_is() -> None:
    machine = run("out[0] = (n + 1) + 2; out[1] = n + 3; out[2] = 3 + n; out[3] = n - -3;")
    assert len(set(stored(machine))) == 1


@pytest.mark.parametrize("same", ["n * 1", "n + 0", "0 + n", "n | 0", "n << 0", "n / 1", "+n", "(int)n", "(n)"])
def test_operations_without_effect_are_the_operand(same: str) -> None:
    machine = run(f"out[0] = n; out[1] = {same};")
    assert len(set(stored(machine))) == 1


def test_a_widened_value_is_another_and_narrowing_gives_registers_back() -> None:
    machine = run("long long w = n; l[0] = w; out[0] = (int)(w * 3);", "long long *l, int *out, int n")
    wide, narrow = stored(machine)
    assert machine.graph.widths[wide] == 2
    assert machine.graph.widths[narrow] == 1


@pytest.mark.parametrize(
    ("parameters", "expression", "width"),
    [
        ("float x, double y", "x * y", 2),
        ("float x, int y", "x * y", 1),
        ("int x, long y", "x * y", 2),
        ("half x, float y", "x + y", 1),
        ("bool x, bool y", "x + y", 1),
        ("char x, short y", "x << y", 1),
        ("unsigned long long x, int y", "x >> y", 2),
    ],
)
def test_operands_are_converted_to_the_wider_type(parameters: str, expression: str, width: int) -> None:
    machine = run(f"auto r = {expression}; q[0] = r;", f"double *q, {parameters}")
    (value,) = stored(machine)
    while machine.graph.ops[value] in ("convert", "sext", "zext"):
        value = machine.graph.args[value][0]
    assert machine.graph.widths[value] == width


# ------------------------------------------------------------------------------------------- the same value


def test_the_same_operation_is_one_value() -> None:
    machine = run("out[0] = n * n + tid; out[1] = tid + n * n;")
    assert len(set(stored(machine))) == 1


@pytest.mark.parametrize(
    ("between", "reads"),
    [
        ("", 1),
        ("b[tid] = 1;", 2),
        ("out[tid] = 1;", 1),  # no int aliases a float
        ("c[tid] = 1;", 2),  # a character does
        ("v[tid] = make_float4(1, 1, 1, 1);", 2),
        ("atomicAdd(&b[0], 1.0f);", 2),
        ("atomicAdd(&out[0], 1);", 1),
        ("__syncthreads();", 2),
        ("__threadfence();", 2),
        ("s[tid] = 1;", 1),
        ("q[tid] = 1;", 1),
    ],
)
def test_a_place_is_read_again_only_after_a_write_that_may_reach_it(between: str, reads: int) -> None:
    machine = run(
        f"__shared__ float s[64]; float x = a[tid]; {between} float y = a[tid]; b[0] = x + y;",
        "float *a, float *b, int *out, char *c, float4 *v, double *q",
    )
    assert count(machine, "load global") == reads


@pytest.mark.parametrize(
    ("parameters", "reads"),
    [
        ("float *a, float *__restrict__ b", 1),
        ("float *__restrict__ a, float *b", 1),
        ("float *__restrict__ a, float *__restrict__ b", 1),
        ("const float *a, float *b", 2),
        ("const float *__restrict__ a, float *b", 1),
    ],
)
def test_no_write_passes_through_another_restrict_pointer(parameters: str, reads: int) -> None:
    machine = run("float x = a[tid]; b[tid] = 1; b[0] = x + a[tid];", parameters)
    assert count(machine, "load") == reads


def test_a_pointer_made_from_a_restrict_one_keeps_its_promise() -> None:
    text = "const float *p = a + n; float *w = b + 2 * n; float x = p[tid]; w[tid] = 1; w[0] = x + p[tid];"
    assert count(run(text, "float *__restrict__ a, float *__restrict__ b, int n"), "load") == 1
    assert count(run(text, "float *a, float *b, int n"), "load") == 2


def test_stored_value_is_forwarded_without_a_read() -> None:
    machine = run("a[tid] = n * 2.0f; b[0] = a[tid];")
    assert count(machine, "load") == 0
    assert len(set(stored(machine))) == 1


def test_a_read_on_one_side_of_a_branch_does_not_serve_the_code_behind() -> None:
    assert count(run("float x = 0; if (n > 3) { x = a[tid]; b[1] = x; } b[0] = x + a[tid];"), "load") == 2
    assert count(run("float x = a[tid]; if (n > 3) { b[1] = x * a[tid]; }"), "load") == 1


def test_a_read_through_the_read_only_cache_is_made_once() -> None:
    machine = run("float x = __ldg(&a[n]); __syncthreads(); b[1] = x + __ldg(&a[n]);")
    assert count(machine, "load constant") == 1


def test_volatile_free_lds_is_read_again_behind_a_barrier() -> None:
    body = "__shared__ float s[64]; s[tid] = 1; {} float x = s[tid + 1]; {} b[0] = x + s[tid + 1];"
    assert count(run(body.replace("{}", "__syncthreads();")), "load shared") == 2
    assert count(run(body.replace("{}", "")), "load shared") == 1


# ------------------------------------------------------------------------------------------------- addresses


@VENDORS
def test_constant_offsets_share_an_address(vendor: str) -> None:
    machine = run("b[tid] = a[tid] + a[tid + 1] + a[tid - 7] + a[3 + tid] + a[(tid + 4) + 5];", vendor=vendor)
    assert count(machine, "load") == 5
    assert len(addresses(machine, "load")) == 1


def test_far_offsets_need_an_address_of_their_own_on_gfx90a() -> None:
    text = "b[tid] = a[tid] + a[tid + 100000] + a[tid + 100001];"
    assert len(addresses(run(text), "load")) == 2
    assert len(addresses(run(text, vendor="nvidia"), "load")) == 1


def test_far_offsets_in_lds_are_near() -> None:
    text = "__shared__ float s[8192]; b[tid] = s[tid] + s[tid + 5000];"
    assert len(addresses(run(text), "load")) == 1


def test_the_element_size_is_part_of_the_address() -> None:
    machine = run("out[0] = a[tid] + q[tid];", "float *a, double *q, int *out")
    assert len(addresses(machine, "load")) == 2


@pytest.mark.parametrize(
    "other", ["*(a + tid + 1)", "*(a + (tid + 1))", "*(1 + (a + tid))", "(&a[tid])[1]", "a[1 + tid]"]
)
def test_pointer_arithmetic_is_indexing(other: str) -> None:
    machine = run(f"b[tid] = a[tid + 1] * {other};")
    assert count(machine, "load") == 1


def test_a_pointer_that_walks_reads_other_elements() -> None:
    machine = run("const float *p = a + tid; float x = *p++; float y = *p; b[0] = x + y;")
    assert count(machine, "load") == 2


def test_an_unsigned_sum_in_an_int_still_folds() -> None:
    machine = run("int i = blockIdx.x * 4u + 1; b[i + 2] = a[i + 2]; b[i] = a[i]; out[0] = (i + 2) - 1;")
    assert len(addresses(machine, "load")) == 1
    assert machine.graph.ops.count(MULTIPLY) == 2  # one is of `tid`


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("i < n >> 2", 1),
        ("i < n >> 3", 0),
        ("q.x < n >> 2", 1),
        ("p->x < n - 1 >> 3", 0),
        ("i < n >> 2 && i < n >> 2", 1),
        ("i < 8 >> s", 1),
    ],
)
def test_shift_after_a_comparison_is_not_a_template(condition: str, value: int) -> None:
    """A grammar without types takes `i < n >` for a list of template arguments."""
    before = "struct Q { int x; };"
    text = f"int i = 1, n = 8, s = 1; Q q; q.x = 1; Q* p = &q; out[0] = {condition};"
    assert constants(run(text, before=before)) == [value]


def test_undoing_drops_combined_values() -> None:
    """Also where the result is an older value: to combine the two again makes those in between again, and counts."""
    machine = run("out[0] = 1;")
    graph = machine.graph
    a, b = graph.source("a", INT), graph.source("b", INT)
    graph.combined["&", a, b] = (a, len(graph))
    before, first = journal.mark(machine), len(graph)
    graph.combined["+", a, b] = (graph.pure(ADD, (a, b), INT), len(graph))
    graph.combined["-", a, b] = (a, len(graph))
    journal.rewind(machine, before)
    assert graph.combined == {("&", a, b): (a, first)}
