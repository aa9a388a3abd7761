"""Symbolic execution of values that move as something else: casts of pointers, `memcpy`, unions, bit casts."""

from __future__ import annotations

import pytest
from ssa_helpers import constants, count, named, run, stored

PACK = """
template <class T, int N> struct alignas(sizeof(T) * N) Pack { T v[N]; };
union Bits { float f; unsigned u; };
union Quad { float4 whole; float lanes[4]; };
struct Inside { int tag; Quad quad; };
"""


@pytest.mark.parametrize(
    ("statements", "values"),
    [
        ("int v[4] = {1, 2, 3, 4}; int4 w = *reinterpret_cast<int4*>(v); out[0] = w.x; out[1] = w.w;", [1, 4]),
        ("int v[8] = {1, 2, 3, 4, 5, 6, 7, 8}; int4 w = *(int4*)&v[4]; out[0] = w.x + w.w;", [13]),
        ("int v[8]; *(int4*)v = make_int4(1, 2, 3, 4); *(int4*)(v + 4) = make_int4(5, 6, 7, 8); out[0] = v[6];", [7]),
        (
            "int v[4] = {1, 2, 3, 4}; auto p = reinterpret_cast<int2*>(v); out[0] = p[1].y; p[0].x = 9; out[1] = v[0];",
            [4, 9],
        ),
        ("int4 q = make_int4(1, 2, 3, 4); int* p = (int*)&q; p[2] = 7; out[0] = q.z + p[3];", [11]),
        ("int4 q = make_int4(1, 2, 3, 4); auto& p = reinterpret_cast<Pack<int, 4>&>(q); out[0] = p.v[2];", [3]),
        ("int4 q = make_int4(1, 2, 3, 4); auto* p = (Pack<int, 4>*)&q; p->v[2] = 9; out[0] = q.z + q.w;", [13]),
    ],
)
def test_a_private_object_is_read_and_written_through_a_pointer_of_another_type(
    statements: str, values: list[int]
) -> None:
    assert constants(run(statements, before=PACK)) == values


@pytest.mark.parametrize(
    ("statements", "values"),
    [
        ("int v[4] = {1, 2, 3, 4}, w[4]; memcpy(w, v, sizeof(w)); out[0] = w[3];", [4]),
        ("int v[4] = {1, 2, 3, 4}, w[4] = {9, 9, 9, 9}; memcpy(w, v, 8); out[0] = w[1]; out[1] = w[2];", [2, 9]),
        ("int4 q = make_int4(1, 2, 3, 4); Pack<int, 4> p; memcpy(&p, &q, sizeof(p)); out[0] = p.v[1];", [2]),
        ("int v[4]; memset(v, 0, sizeof(v)); out[0] = v[3];", [0]),
    ],
)
def test_a_copy_of_constant_size_moves_the_values(statements: str, values: list[int]) -> None:
    machine = run(statements, before=PACK)
    assert constants(machine) == values
    assert machine.tally.unresolved == 0


def test_a_copy_out_of_memory_reads_every_register_and_one_into_memory_writes_them() -> None:
    machine = run("float v[8]; memcpy(v, a + tid * 8, sizeof(v)); v[0] += 1; memcpy(b + tid * 8, v, 32);")
    assert count(machine, "load") == 8
    assert len(stored(machine)) == 8
    assert count(machine, "store") == 2


def test_a_copy_of_a_size_known_at_run_time_only_is_a_loop() -> None:
    found = run("float v[8]; memcpy(v, a, n); b[tid] = v[0];")
    assert (found.tally.unresolved, len(found.arrays.pointed.by_bytes)) == (0, 1)


@pytest.mark.parametrize(
    ("statements", "values"),
    [
        ("Quad q; q.lanes[2] = 5; q.lanes[0] = 1; out[0] = q.whole.z;", [5]),
        ("Quad q; q.whole = make_float4(1, 2, 3, 4); q.lanes[1] = 7; out[0] = q.whole.y + q.whole.w;", [11]),
        ("Inside s; s.tag = 2; s.quad.whole = make_float4(1, 2, 3, 4); out[0] = s.quad.lanes[3] + s.tag;", [6]),
    ],
)
def test_a_member_of_a_union_holds_what_was_written_to_another(statements: str, values: list[int]) -> None:
    assert constants(run(statements, before=PACK)) == values


def test_a_number_read_as_another_kind_is_the_same_register() -> None:
    machine = run("Bits b; b.f = a[tid]; b.u ^= 1u << 31; out[tid] = b.u;", before=PACK)
    graph = machine.graph
    assert graph.widths[stored(machine)[0]] == 1
    assert count(machine, "load") == 1


def test_the_halves_of_a_double_come_out_of_its_registers() -> None:
    text = "double d = x[tid]; unsigned long long u; memcpy(&u, &d, 8); out[0] = (int)(u >> 32);"
    machine = run(text, "const double *x, int *out")
    assert [machine.graph.widths[read] for read in named(machine, "load")] == [2]
    assert machine.tally.unresolved == 0
