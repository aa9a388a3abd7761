"""The most words among which ptxas is assumed to select, by their use and by the rest of the kernel.

The numbers are the thresholds of the fit in `model/passes/nvidia_arrays.py`: a change of one fails here;
`tools/measure/measure_promotion.py` tells whether it is better.
"""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of, scratch_of

from regpress_lint.model.passes.nvidia_arrays import object_pays
from regpress_lint.model.passes.nvidia_work import IN_LOOP

FILL = "float v[SIZE]; for (int i = 0; i < SIZE; i++) v[i] = a[i * n + tid]; float s = 0, c = 1; "
WORK = " ".join(f"c = c * a[{k}] + {k}.5f;" for k in range(20))
LOOP = "for (int i = 0; i < n; i++) "


def frame(statements: str, size: int) -> int:
    """Bytes of local memory on sm_90."""
    text = f"int tid = threadIdx.x; {statements.replace('SIZE', str(size))} b[tid] = s + c + v[0];"
    return bytes_in(text)


def bytes_in(text: str) -> int:
    return scratch_of(facts_of(f"__global__ void k(const float *a, float *b, int n) {{ {text} }}\n"), "sm_90")


@pytest.mark.parametrize(
    ("statements", "largest", "next_"),
    [
        (FILL + "s = v[n];", 82, 83),  # 80
        (FILL + "s = v[n] + v[tid];", 82, 83),  # 84
        (FILL + "s = v[n] * v[n];", 82, 83),
        (FILL + "s = v[n] + v[tid] + v[n + 1] + v[n + 2];", 19, 20),  # 14, and each odd number: it takes more stores
        (FILL + "\n#pragma unroll\nfor (int i = 0; i < 8; i++) s += v[n + i];\n", 7, 8),  # 7
        # in a loop, which counts for many, with other work in it, in another loop
        (FILL + LOOP + "s += v[(int)a[i]];", 5, 6),  # 5
        (FILL + LOOP + "{ s += v[(int)a[i]]; " + WORK + "}", 21, 22),  # 21
        (FILL + LOOP + "{ v[(int)a[i]] += 1; " + WORK + "}", 14, 15),  # 14
        (FILL + LOOP + "if (a[i] > 0) s += v[(int)a[i]];", 8, 9),  # 8
        (FILL + LOOP + "if (a[i] > 0 && a[i] < 3) s += v[(int)a[i]];", 10, 11),  # 9
        (
            FILL + "for (int j = 0; j < n; j++) for (int i = 0; i < j; i++) { s += v[(int)a[i]]; " + WORK + "}",
            20,
            21,
        ),  # 19
        # four at once
        (FILL + LOOP + "s += v[i];", 20, 24),
        (FILL + LOOP + "s += v[i];", 8, 9),
        (FILL + LOOP + "{ if (a[i] < 0) break; s += v[i]; }", 21, 22),  # 19
        (FILL + LOOP + "if (a[i] > 0) s += v[i];", 8, 9),  # 8
    ],
)
def test_a_frame_is_registers_up_to(statements: str, largest: int, next_: int) -> None:
    assert (frame(statements, largest), frame(statements, next_)) == (0, -(-4 * next_ // 8) * 8)


STORED = "\n#pragma unroll\nfor (int i = 0; i < SIZE; i++) b[i] = v[i];\n"


@pytest.mark.parametrize(
    ("statements", "size", "bytes_"),
    [
        ("s += v[tid & 31];" + STORED, 36, 144),  # the values are known: the frame is there for one read
        ("s += v[tid & 31];" + STORED, 24, 0),
        ("v[tid & 31] = c;" + STORED, 36, 0),
        ("\n#pragma unroll 1\n" + LOOP + "s += v[(int)a[i]];", 10, 0),
        ("\n#pragma unroll 1\n" + LOOP + "s += v[(int)a[i]];", 16, 64),
        (LOOP + "s += v[(int)a[i] & 7];", 4, 0),
        ("s = sinf(v[1]); s += v[n];", 4, 0),
        ("s = sinf(v[1]); s += v[n];", 12, 80),  # with the table of the sine's slow path
    ],
)
def test_other_conditions_for_a_frame(statements: str, size: int, bytes_: int) -> None:
    """Bytes of nvcc 13.0.88."""
    assert frame(FILL + statements, size) == bytes_


def test_an_array_that_is_filled_in_the_loop_that_reads_it_may_be_larger() -> None:
    text = "float c = 1, s = 0, v[1]; for (int j = 0; j < n; j++) { float w[SIZE]; "
    text += "for (int i = 0; i < SIZE; i++) w[i] = a[i * n + j]; s += w[(int)s]; }"
    assert (frame(text, 39), frame(text, 40)) == (0, 160)


@pytest.mark.parametrize(
    ("size", "index", "bytes_"),
    # nvcc 13.0: a remainder counts as four instructions of the loop that is to be copied whole
    [(14, "(i + j) % 14", 0), (18, "(i + j) % 18", 72), (18, "17 - j", 0)],
)
def test_loops_with_a_remainder_are_copied_whole_less_often(size: int, index: str, bytes_: int) -> None:
    inner = f"for (int j = 0; j < {size}; j++) t += v[j] * v[{index}] * (i + 1);"
    statements = f"for (int i = 0; i < {size}; i++) {{ float t = 0; {inner} b[tid + i * n] = t; }}"
    assert frame(FILL + statements, size) == bytes_


@pytest.mark.parametrize(("read", "size", "bytes_"), [("", 2, 8), ("+ v[0]", 4, 0), ("+ v[0]", 6, 24)])
def test_one_that_only_loops_reach_stays_in_memory(read: str, size: int, bytes_: int) -> None:
    """Bytes of nvcc 13.0.88."""
    text = f"float v[{size}], s = 0; {LOOP} v[i] = a[i]; {LOOP} s += v[n - i]; b[0] = s {read};"
    assert scratch_of(facts_of(f"__global__ void k(const float *a, float *b, int n) {{ {text} }}\n"), "sm_90") == bytes_


# A loop whose copies share an array out reads four words at once. Bytes of nvcc 13.0.88.
COPIED = (
    "float v[SIZE], s = a[0]; {}for (int i = 0; i < SIZE; i++) v[i] = a[i * n]; {}for (int i = 0; i < SIZE; i++) {}"
)
FOUR, ONE, TWO = (f"\n#pragma unroll {number}\n" for number in (4, 1, 2))
ADD = "s += v[i] * v[i];"


@pytest.mark.parametrize(
    ("text", "size", "bytes_"),
    [
        (COPIED.format("", FOUR, ADD), 40, 0),
        (COPIED.format("", FOUR, ADD), 9, 40),
        (COPIED.format("", TWO, ADD), 12, 0),
        (COPIED.format("", TWO, ADD), 40, 160),
        (COPIED.format(FOUR, "", ADD), 32, 0),
        (COPIED.format(FOUR, ONE, ADD), 16, 64),
        (COPIED.format("", ONE, ADD), 9, 0),
        (COPIED.format("", ONE, ADD), 16, 64),
        (COPIED.format(ONE, "", ADD), 9, 0),
        (COPIED.format(ONE, "", ADD), 16, 64),
        (COPIED.format(ONE, ONE, ADD), 6, 24),
        (COPIED.format("", FOUR, ADD).replace("float v[SIZE], s", "char v[SIZE]; float s"), 16, 0),
        (COPIED.format("", ONE, ADD).replace("float v[SIZE], s", "char v[SIZE]; float s"), 16, 16),
    ],
)
def test_copies_that_share_an_array_out(text: str, size: int, bytes_: int) -> None:
    text = text.replace("SIZE", str(size)) + " b[0] = s;"
    assert scratch_of(facts_of(f"__global__ void k(const float *a, float *b, int n) {{ {text} }}\n"), "sm_90") == bytes_


@pytest.mark.parametrize(
    ("kernel", "bytes_"),
    [
        # read by each thread at a place of its own, by a block, beside divisions: 0 B of nvcc 13.0.88
        ("struct S { int k[8]; }; __global__ void f(S s, const int* x, int* o) { o[0] = s.k[x[threadIdx.x]]; }", 0),
        ("struct S { int k[8]; }; __global__ void f(S s, int* o) { o[threadIdx.x] = s.k[blockIdx.y]; }", 0),
        # with a pointer, a double or a char beside the words, or in place of them
        ("struct S { int k[8]; int* o; }; __global__ void f(S s) { s.o[threadIdx.x] = s.k[blockIdx.y]; }", 40),
        ("struct S { int* k[4]; }; __global__ void f(S s) { s.k[blockIdx.y][threadIdx.x] = 1; }", 32),
        ("struct S { char k[8]; }; __global__ void f(S s, int* o) { o[threadIdx.x] = s.k[blockIdx.y]; }", 8),
        # in a loop of which four iterations are made at once
        ("struct S { int k[8]; int n; }; __global__ void f(S s, const int* x, int* o) { int t = 0; "
         "for (int i = 0; i < s.n; i++) t = t * 3 + s.k[x[i]]; o[threadIdx.x] = t; }", 40),
        # an object of the thread's own
        ("struct S { float w[6]; double d; }; __global__ void f(const float* a, double* o, const int* x) { S s; "
         "for (int i = 0; i < 6; i++) s.w[i] = a[i]; s.d = o[1]; o[0] = s.w[x[0]] + s.d; }", 32),
        ("struct S { float w[6]; float d; }; __global__ void f(const float* a, double* o, const int* x) { S s; "
         "for (int i = 0; i < 6; i++) s.w[i] = a[i]; s.d = o[1]; o[0] = s.w[x[0]] + s.d; }", 0),
    ],
)  # fmt: skip
def test_ptxas_selects_among_the_words_of_a_struct_that_has_nothing_else(kernel: str, bytes_: int) -> None:
    assert scratch_of(facts_of(kernel), "sm_90") == bytes_


@pytest.mark.parametrize(
    ("reads", "writes", "work", "largest"),
    [(1, 0, 0, 82), (2, 0, 0, 21), (IN_LOOP, 0, 0, 3), (IN_LOOP, 0, 200, 19), (0, IN_LOOP, 0, 4), (30, 0, 0, 3)],
)
def test_a_struct_is_registers_up_to(reads: int, writes: int, work: int, largest: int) -> None:
    assert [object_pays(words, reads, writes, work) for words in (1, largest, largest + 1)] == [True, True, False]


def test_a_function_that_a_loop_calls_indexes_in_the_loop() -> None:
    """nvcc 13.0.88 uses 48 B for twelve elements, whether the index is computed in the loop or in its callee."""
    add = "w[x[i] % 12] += a[i];"
    for body in (LOOP + add, "auto add = [&](int k, float v) { w[k] += v; }; " + LOOP + "add(x[i] % 12, a[i]);"):
        text = f"float w[12]; for (int i = 0; i < 12; i++) w[i] = 0; {body} for (int i = 0; i < 12; i++) b[i] = w[i];"
        kernel = f"__global__ void k(const float *a, float *b, const int *x, int n) {{ {text} }}\n"
        assert scratch_of(facts_of(kernel), "sm_90") == 48


ROWS = "{}\n#pragma unroll\nfor (int i = 0; i < 8; i++) v[i]{} = a[i * n];"
PICKED = "".join(f"s += v[x[{number}] & 7]{{0}};" for number in range(3))


@pytest.mark.parametrize(("words", "bytes_"), [(1, 0), (2, 0), (3, 96), (4, 0), (5, 160), (6, 192), (8, 0)])
@pytest.mark.parametrize("struct", [True, False])
def test_rows_of_three_and_five_words_are_picked_among_all_words(words: int, struct: bool, bytes_: int) -> None:
    """Three reads of eight rows or structs; bytes of nvcc 13.0.88."""
    declared, first = ("S v[8];", ".x[0]") if struct else (f"float v[8][{words}];", "[0]")
    text = ROWS.format(declared, first) + PICKED.format(first)
    facts = facts_of(
        f"struct S {{ float x[{words}]; }};\n"
        f"__global__ void k(const float* a, float* b, const int* x, int n) {{ float s = 0; {text} b[0] = s; }}\n"
    )
    registers = facts.target("sm_90").registers
    assert (scratch_of(facts, "sm_90"), registers.scratch_bytes) == (bytes_, bytes_)


def test_each_call_of_a_function_picks_elements() -> None:
    """Three swaps at six indices among twelve floats: 48 bytes of nvcc 13.0.88, one swap: none."""
    swap = "__device__ void swap(float* a, int i, int j) { float t = a[i]; a[i] = a[j]; a[j] = t; }\n"
    text = "int i = threadIdx.x; float v[12]; for (int k = 0; k < 12; ++k) v[k] = b[i + k * 256]; swap(v, p[0], p[1]); "
    end = "for (int k = 0; k < 12; ++k) b[i + k * 256] = v[k];"
    kernels = [
        f"{swap}__global__ void k(float* b, const int* p) {{ {text}{more}{end} }}"
        for more in ("", "swap(v, p[2], p[3]); swap(v, p[4], p[5]);")
    ]
    assert [scratch_of(facts_of(kernel), "sm_90") for kernel in kernels] == [0, 48]


# Frames of nvcc 13.0.88 for sm_90: the loops have no known number of iterations, and what is in the second one differs.
READ_BACK = (
    "int d = b[0]; float s = 0, c = 1, v[SIZE]; LOOP v[i] = a[i];"
    " for (int l = 0; l < n; l++) LOOP { %s } LOOP s += v[i];"
)


@pytest.mark.parametrize("size", [4, 8, 16])
def test_an_element_that_a_loop_wrote_and_reads_back_has_no_constant_place(size: int) -> None:
    def of(inside: str) -> int:
        statements = (READ_BACK % inside).replace("LOOP", "for (int i = 0; i < d; i++)").replace("SIZE", str(size))
        return bytes_in(f"int tid = threadIdx.x; {statements} b[tid] = s + c;")

    assert of("v[i] = a[l] * v[i] + s; s += v[i] * a[i];") == 4 * size
    assert of("float t = a[l] * v[i] + s; v[i] = t; s += t * a[i];") == 4 * size
    assert of("v[i] += s; s += v[i]; } s += v[0]; {") == 0
