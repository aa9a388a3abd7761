"""Addresses on gfx90a as clang 19 makes them: offsets of one register and of two, what accesses and iterations share.

Every shape here was compiled; testdata/small holds the registers of whole kernels like these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from ssa_helpers import addresses, count, phis, run, run_text, trace

from regpress_lint.model.graph.ops import Kind
from regpress_lint.model.passes.uniformity import analysed

if TYPE_CHECKING:
    from regpress_lint.model.interpreter.machine import Machine

PARAMETERS = "float *a, float *b, double *d, char *c, float3 *t, const float *__restrict__ r, int n, unsigned u"


def machine(statements: str, *, gfx9: bool = True, vendor: str = "amd") -> Machine:
    return run(statements, PARAMETERS, vendor=vendor, gfx9=gfx9)


def made(found: Machine, op: str, *, inside: bool | None = None) -> list[int]:
    """Values of a kind that something needs; `inside` for those that change in a loop, or those that do not."""
    graph, needed = found.graph, analysed(found).needed
    return [
        number
        for number, name in enumerate(graph.ops)
        if name == op and needed[number] and inside in (None, graph.homes[number] is not None)
    ]


# ---------------------------------------------------------------------------------------------- one register or two


@pytest.mark.parametrize(
    "index",
    [
        "threadIdx.x",
        "threadIdx.x + 4",
        "threadIdx.x * 64 + 5",
        "threadIdx.x * blockDim.x",  # 10 and 16 bits
        "threadIdx.x << 6",
        "threadIdx.x ^ 1",
        "tid & 1023",
        "(u + threadIdx.x) % 100",
        "(u + threadIdx.x) >> 2",
        "threadIdx.y * blockDim.x + threadIdx.x",
        "n > 3 ? threadIdx.x : threadIdx.y",
    ],
)
def test_small_offset_is_one_register(index: str) -> None:
    (address,) = addresses(found := machine(f"int i = {index}; b[i] = 1;"), "store")
    assert found.graph.widths[address] == 1
    assert not made(found, "upper half")  # the base is an operand of the access
    assert trace(f"int i = {index}; b[i] = 1;", PARAMETERS).held.vector <= 2


@pytest.mark.parametrize(
    "index",
    ["tid", "tid >> 3", "u + threadIdx.x", "(u + threadIdx.x) >> 1", "threadIdx.x - 1 + n", "tid % 100", "tid / 4"],
)
def test_others_are_scaled_in_two(index: str) -> None:
    (address,) = addresses(found := machine(f"b[{index}] = 1;"), "store")
    assert found.graph.widths[address] == 2
    assert len(made(found, "scaled")) == len(made(found, "upper half")) == 1
    assert trace(f"b[{index}] = 1;", PARAMETERS).held.vector == 3


def test_bytes_need_no_scale() -> None:
    (address,) = addresses(found := machine("unsigned i = u + threadIdx.x; c[i] = 1;"), "store")
    assert found.graph.widths[address] == 1
    (address,) = addresses(found := machine("c[tid] = 1;"), "store")  # may be negative
    assert found.graph.widths[address] == 2


@pytest.mark.xfail(
    strict=True, reason="what is read without a sign keeps that in an `int`: only operations are made anew"
)
def test_an_unsigned_number_in_an_int_may_be_negative() -> None:
    (address,) = addresses(found := run("int i = v[threadIdx.x]; c[i] = 1;", "char *c, const unsigned *v"), "store")
    assert found.graph.widths[address] == 2


def test_a_uniform_index_is_scalar() -> None:
    assert trace("b[blockIdx.x * blockDim.x + n] = 1;", PARAMETERS).held.vector == 0


def test_size_other_than_a_power_of_two_costs_one_multiplication() -> None:
    found = machine("b[tid] = t[tid].x;")
    (address,) = addresses(found, "load")
    assert found.graph.widths[address] == 2
    assert len(made(found, "scaled")) == 1  # of `b`


# ------------------------------------------------------------------------------------------------- what is shared


@pytest.mark.parametrize(
    ("statements", "offsets"),
    [
        ("b[tid] = a[tid];", 1),
        ("b[tid] = a[tid] + r[tid];", 1),
        ("b[tid] = a[tid + 3] + a[tid - 7];", 1),
        ("b[tid] = a[tid + n];", 2),
        ("d[tid] = a[tid];", 2),
        ("b[tid] = a[threadIdx.x];", 1),
    ],
)
def test_arrays_with_elements_of_one_size_share_the_scaled_index(statements: str, offsets: int) -> None:
    assert len(made(machine(statements), "scaled")) == offsets


def test_each_base_has_an_upper_half_of_its_own_for_each_offset_outside_loops() -> None:
    assert len(made(machine("b[tid] = a[tid] + r[tid];"), "upper half")) == 3
    assert len(made(machine("b[tid] = 1; b[tid + n] = 2;"), "upper half")) == 2


def test_upper_halves_are_held_in_loops_and_not_outside() -> None:
    arrays = [f"p{k}" for k in range(6)]
    parameters = ", ".join(f"const float *__restrict__ {name}" for name in arrays) + ", float *b, int n"
    total = " + ".join(f"{name}[i]" for name in arrays)
    looped = f"for (int i = tid; i < n; i += blockDim.x) b[i] = {total};"
    found = run(looped, parameters)
    assert len(made(found, "upper half", inside=False)) == 7
    once = trace(f"int i = tid; b[i] = {total};", parameters).held.vector
    # Outside one copy at a time, in the loop all seven, and the index is kept: clang takes 9 and 17.
    assert trace(looped, parameters).held.vector - once == 8


def test_no_other_amd_target_has_them() -> None:
    loop = "for (int i = tid; i < n; i += blockDim.x) b[i] = a[i];"
    assert not made(machine(loop, gfx9=False), "upper half")
    assert not made(machine(loop, vendor="nvidia"), "scaled")
    assert trace(loop, PARAMETERS, gfx9=False).held.vector == trace(loop, PARAMETERS).held.vector - 2


@pytest.mark.parametrize(
    ("vendor", "space", "near", "beyond"),
    [
        ("amd", "global", (-4096, 4095), (-4097, 4096)),  # clang: `global_load_ubyte ... offset:4095`
        ("amd", "shared", (65535,), (65536,)),  # `ds_read_u8 ... offset:65535`
        ("nvidia", "global", (-(1 << 23), (1 << 23) - 1), (-(1 << 23) - 1, 1 << 23)),  # 24 bits of an LDG
        ("nvidia", "shared", ((1 << 23) - 1,), (1 << 23,)),
        ("intel", "shared", (31,), (32,)),  # IGC reads what is near enough together
    ],
)
def test_near_access_shares_the_address(
    vendor: str, space: str, near: tuple[int, ...], beyond: tuple[int, ...]
) -> None:
    array = "extern __shared__ char h[];" if space == "shared" else ""
    name = "h" if space == "shared" else "c"
    for offsets, different in ((near, 1), (beyond, 2)):
        for offset in offsets:
            found = machine(f"{array} int i = threadIdx.x; a[i] = {name}[i] + {name}[i + ({offset})];", vendor=vendor)
            assert len(addresses(found, f"load {space}")) == different, offset


# -------------------------------------------------------------------------------------------- strength reduction

SUM = "float s = 0; for (int k = 0; k < n; k++) s += {}; b[tid] = s;"


def test_rows_are_walked_by_a_pointer() -> None:
    found = machine(SUM.format("a[tid * n + k]"))
    (address,) = addresses(found, "load")
    assert (found.graph.ops[address], found.graph.widths[address]) == ("phi", 2)
    assert not made(found, "scaled", inside=True)
    assert not made(found, "upper half", inside=True)


def test_columns_are_walked_by_an_index() -> None:
    found = machine(SUM.format("a[k * n + tid]"))
    (address,) = addresses(found, "load")
    assert found.graph.ops[address] == "address"
    assert len(made(found, "scaled", inside=True)) == 1
    (scaled,) = made(found, "scaled", inside=True)
    moving = found.graph.args[scaled][0]
    assert (found.graph.ops[moving], found.graph.widths[moving]) == ("phi", 1)


def test_wrapping_unsigned_index_is_not_a_moving_pointer() -> None:
    text = "float s = 0; unsigned v = tid; for (unsigned k = 0; k < u; k++) s += a[v * u + k]; b[v] = s;"
    (address,) = addresses(found := machine(text), "load")
    assert found.graph.ops[address] == "address"
    assert len(made(found, "scaled", inside=True)) == 1


def test_unknown_step_is_not_a_moving_pointer() -> None:
    text = "for (int k = 0; k < n; k += (int)u) b[tid * n + k] = 1;"
    (address,) = addresses(found := machine(text), "store")
    assert found.graph.ops[address] == "address"


def test_neighbours_and_arrays_share_the_moving_index() -> None:
    found = machine(SUM.format("a[tid * n + k] * a[tid * n + k + 1]"))
    assert len(addresses(found, "load")) == 1
    found = machine("for (int k = 0; k < n; k++) b[k * n + tid] = a[k * n + tid];")
    moving = [phi for phi in phis(found) if found.graph.divergent[phi]]
    assert len(moving) == 1
    found = machine("for (int k = 0; k < n; k++) b[tid * n + k] = a[tid * n + k];")
    assert [found.graph.widths[phi] for phi in phis(found) if found.graph.divergent[phi]] == [2, 2]  # a pointer each


def test_an_index_that_only_the_loop_changes_is_scalar() -> None:
    found = machine(SUM.format("r[k]"))
    (address,) = addresses(found, "load")
    assert not found.graph.divergent[address]


def test_nothing_is_reduced_outside_a_loop_or_on_nvidia() -> None:
    assert not phis(machine("int k = 3; b[tid] = a[tid * n + k];"))
    found = machine(SUM.format("a[tid * n + k]"), vendor="nvidia")
    assert all(found.graph.ops[address] == "address" for address in addresses(found, "load"))


# ----------------------------------------------------------------------- constants of an index (clang 19, nvcc 13)

EIGHT = "int y = threadIdx.y + blockIdx.y * blockDim.y; for (int k = 0; k < 8; k++) b[tid * 8 + k] = r[{}];"


@pytest.mark.parametrize(
    ("index", "amd", "nvidia"),
    [
        ("tid + (n + k)", 1, 1),
        ("y * n + (n + k) + tid", 1, 1),
        ("tid - (n + k)", 1, 1),
        ("(y + k) * 128 + tid", 8, 1),  # of 32 bits clang no longer knows that the new sum does not overflow
        ("(n + k) * 20 + tid", 8, 1),
        ("((long)n + k) * 20 + tid", 1, 1),
        ("tid + (u + k)", 8, 8),  # it may wrap around
    ],
)
def test_constant_part_of_an_index_becomes_the_offset(index: str, amd: int, nvidia: int) -> None:
    for vendor, expected in (("amd", amd), ("nvidia", nvidia)):
        assert len(addresses(machine(EIGHT.format(index), vendor=vendor), "load")) == expected


# ------------------------------------------------------------------------------------------ sums that may wrap around


@pytest.mark.parametrize("vendor", ["amd", "nvidia"])
@pytest.mark.parametrize(
    ("index", "count"),
    [
        ("int i = tid;", 1),
        ("unsigned i = blockIdx.x * blockDim.x + threadIdx.x;", 2),  # i + 256 may wrap around in its 32 bits
        ("unsigned i = threadIdx.x;", 1),  # below 1,024
        ("unsigned i = tid & 4095;", 1),
        ("unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) * 512u;", 1),  # nothing is carried out of 9 bits
        ("unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) * 256u;", 2),
        ("unsigned i = (blockIdx.x * blockDim.x << 10) + (threadIdx.x << 9);", 1),
        ("unsigned i = blockIdx.x * 512u + threadIdx.x;", 1),  # the three have no bit in common on gfx90a
        ("unsigned i = blockIdx.x * 512u + n;", 2),
        ("unsigned long long i = tid;", 1),
        ("unsigned i = tid; __shared__ float s[999]; float *b = s;", 1),  # 32 bits wrap around as the sum does
    ],
)
def test_a_constant_leaves_a_sum_only_where_the_sum_cannot_wrap_around(index: str, count: int, vendor: str) -> None:
    parameters = "float *a, int n" if "b =" in index else "float *a, float *b, int n"
    count += vendor == "nvidia" and "512u + threadIdx" in index  # a block has up to 1,024 threads there
    found = run(f"{index} a[tid] = b[i] + b[i + 256];", parameters, vendor=vendor)
    reads = [number for number, op in enumerate(found.graph.ops) if op.startswith("load")]
    assert len({found.graph.args[number][0] for number in reads}) == count
    assert len(reads) == 2


def test_unsigned_index_minus_one_has_its_own_address() -> None:
    found = run("unsigned i = threadIdx.x; a[tid] = b[i] + b[i - 1];", "float *a, float *b")
    reads = [number for number, op in enumerate(found.graph.ops) if op.startswith("load")]
    assert len({found.graph.args[number][0] for number in reads}) == 2


def test_an_int_that_something_unsigned_was_given_to_does_not_wrap_around() -> None:
    text = "int i = x[tid]; int j = blockIdx.x; a[tid] = b[i + j] + b[i + j + 9];"
    found = run(text, "float *a, float *b, unsigned *x")
    reads = [number for number, op in enumerate(found.graph.ops) if op == "load global"]
    assert len({found.graph.args[number][0] for number in reads}) == 2  # of `x` and of `b`


def test_a_loop_moves_one_index_for_all_sums_that_may_wrap_around() -> None:
    sums = " + ".join(f"b[i + k * u + {256 * n}u]" for n in range(4))
    text = f"unsigned i = blockIdx.x * blockDim.x + threadIdx.x; for (unsigned k = 0; k < u; k++) a[tid] += {sums};"
    found = run(text, "float *a, float *b, unsigned u")
    assert sum(found.graph.homes[number] is not None and found.graph.divergent[number] for number in phis(found)) == 1


def test_launch_bound_limits_the_thread_index() -> None:
    text = "__launch_bounds__({}) k(float *a, float *b) {{ unsigned i = blockIdx.x * 512u + threadIdx.x;"
    body = "a[i] = b[i] + b[i + 256]; }"
    counts = []
    for threads in (256, 512):
        found = run_text(f"__global__ void {text.format(threads)} {body}")
        reads = [number for number, op in enumerate(found.graph.ops) if op.kind is Kind.LOAD]
        counts.append(len({found.graph.args[number][0] for number in reads}))
    assert counts == [1, 2]


def test_an_index_that_two_arrays_share_is_made_once() -> None:
    found = run("b[tid] = a[tid]; b[tid + n] = a[tid + n];", "float *a, float *b, int n", vendor="nvidia")
    assert count(found, "load") == 2
    assert len(made(found, "+")) == 2
