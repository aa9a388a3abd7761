"""Questions about places, answered by libclang in its own process, and the model's use of the answers."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from analysis_helpers import scratch_of
from semantic_helpers import SECONDS, Asked, facts_of, modelled, write

from regpress_lint.cpp.answers import Input, Sources
from regpress_lint.semantics.clang import ClangSemantics

if TYPE_CHECKING:
    from pathlib import Path

HEADER = """#pragma once
typedef double real_t;
typedef real_t rvec[3];
#define DIM 3
#define SUM (DIM + 1)
enum Sizes { kTile = 24, kHalf = kTile / 2 };
namespace sim {
constexpr int kBlock = 192;
const float kEpsilon = 0.5f;
int mutable_size = 4;
struct Particle { real_t x[DIM]; float mass; int* next; };
struct Broken { unknown_t what; int more; };
struct Outer { Broken inner; };
template <int W> struct Traits { static constexpr int items = W / 2; };
template <> struct Traits<8> { static constexpr int items = 5; };
template <class T, int N> struct Vec { T v[N]; int tag; };
template <class T> struct Only;
}
constexpr __host__ __device__ int ceil_div(int a, int b) { return (a + b - 1) / b; }
__device__ __attribute__((noinline)) float slow(float x) { return x * 2; }
__device__ float quick(float x) { return x; }
__device__ float elsewhere(float x);
struct Shape { virtual __device__ float area(float x) { return x; } __device__ float plain(float x) { return x; } };
"""
SOURCE = """#include "types.h"
namespace sim {
__global__ void k(float* out, Shape* shape, int n) {
    real_t width; rvec position; Particle particle; Broken broken; Outer outer;
    auto sum = out[0] * 2.0;
    auto lost = nowhere(out);
    const int local = 7;
    out[0] = slow(out[1]) + quick(out[2]) + elsewhere(out[3]) + shape->area(1.0f) + shape->plain(2.0f) + local;
    out[1] = kBlock + kEpsilon + mutable_size + n + kHalf + DIM;
}
}
"""


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """The example, asked about."""
    folder = write(tmp_path_factory.mktemp("semantics"), {"types.h": HEADER})
    return Asked(folder, "a.hip", SOURCE)


@pytest.mark.parametrize(
    ("text", "mark", "size"),
    [
        ("real_t", "real_t width", 8),
        ("Particle", "Particle particle", 40),
        ("sim::Vec<float, 6>", "k(float", 28),
        ("Vec<real_t, DIM>", "k(float", 32),
        ("float *", "k(float", 8),
    ],
)
def test_sizes_of_types(asked: Asked, text: str, mark: str, size: int) -> None:
    """A name at its place, and a text with a template's arguments in the namespace of a place."""
    assert asked.size(text, mark, exact=text in mark) == size


@pytest.mark.parametrize("name", ["Broken", "Outer"])
def test_size_invented_by_clang_after_an_error_is_ignored(asked: Asked, name: str) -> None:
    """After an error clang goes on as if the type were an int, or the record had one byte."""
    assert asked.size(name, f"{name} {name.lower()}") is None


@pytest.mark.parametrize("text", ["Only<float>", "no_such_type", "int; int evil", "int /*", "float)"])
def test_incomplete_type_has_no_size(asked: Asked, text: str) -> None:
    """Incomplete, unknown, and texts that are more than a type."""
    assert asked.size(text, "k(float", exact=False) is None


def test_fields_of_a_record(asked: Asked) -> None:
    """Their types by name; an array decays."""
    found = asked.semantics.type_named("Particle", asked.place("Particle particle"))
    assert found is not None
    fields = dict(found.value.fields)
    assert (fields["x"].pointee_size, fields["x"].decayed) == (8, True)
    assert (fields["mass"].size, fields["mass"].floating) == (4, True)
    assert (fields["next"].pointers, fields["next"].pointee_size) == (1, 4)


@pytest.mark.parametrize(
    ("name", "mark", "type_", "size", "extents"),
    [
        ("sum", "sum = out", "double", 8, ()),
        ("position", "position;", "double", 8, (3,)),
        ("lost", "lost = nowhere", None, None, None),
        ("broken", "broken;", None, None, None),
    ],
)
def test_types_of_declarations(
    asked: Asked, name: str, mark: str, type_: str | None, size: int | None, extents: tuple[int, ...] | None
) -> None:
    """`auto` is deduced, an alias of an array has its extents, what depends on an error is unknown."""
    found = asked.semantics.type_declared(name, asked.place(mark))
    if type_ is None:
        assert found is None
        return
    assert found is not None
    assert (found.value.type.name, found.value.type.size, found.value.extents) == (type_, size, extents)
    assert found.origin == "libclang"


@pytest.mark.parametrize(
    ("text", "mark", "exact", "value"),
    [
        ("kBlock", "kBlock + kEps", True, 192),
        ("kEpsilon", "kEpsilon + mut", True, 0.5),
        ("kHalf", "kHalf + DIM", True, 12),
        ("DIM", "DIM;\n}", True, 3),
        ("SUM * 2", "k(float", False, 8),
        ("Traits<6>::items", "k(float", False, 3),
        ("sim::Traits<8>::items", "k(float", False, 5),
        ("ceil_div(17, 4)", "k(float", False, 5),
        ("sizeof(Particle) / sizeof(real_t)", "k(float", False, 5),
        ("mutable_size", "mutable_size + n", True, None),
        ("mutable_size", "k(float", False, None),
        ("n", "n + kHalf", True, None),
        ("local", "local;\n", True, None),
        ("no_such_name", "k(float", False, None),
        ("1; } int evil = (2", "k(float", False, None),
    ],
)
def test_values(asked: Asked, text: str, mark: str, exact: bool, value: float | None) -> None:
    """Constants have values; variables, parameters and what only one function knows have none."""
    assert asked.value(text, mark, exact=exact) == value


@pytest.mark.parametrize(
    ("name", "mark", "defined", "virtual", "noinline"),
    [
        ("slow", "slow(out[1])", True, False, True),
        ("quick", "quick(out[2])", True, False, False),
        ("elsewhere", "elsewhere(out[3])", False, False, False),
        ("area", "area(1.0f)", True, True, False),
        ("plain", "plain(2.0f)", True, False, False),
    ],
)
def test_definitions_of_callees(
    asked: Asked, name: str, mark: str, defined: bool, virtual: bool, noinline: bool
) -> None:
    """Where a callee is, and how it may be called."""
    found = asked.semantics.definition(name, asked.place(mark))
    assert found is not None
    what = found.value
    assert (what.defined, what.virtual, what.noinline) == (defined, virtual, noinline)
    assert what.path.endswith("types.h")
    assert HEADER.encode()[what.offset :].startswith(name.encode())


def test_an_answer_without_all_headers_is_less_certain(tmp_path: Path) -> None:
    """A header that is not found may have defined what decides."""
    text = '#include "absent.h"\ntypedef float real_t;\n__global__ void k(real_t* p) {}\n'
    asked = Asked(tmp_path, "a.hip", text)
    found = asked.semantics.type_named("real_t", asked.place("real_t* p"))
    assert found is not None
    assert (found.value.type.size, found.certain) == (4, False)


HANDLES = """#include <hip/hip_cooperative_groups.h>
namespace cg = cooperative_groups;
struct Holder { cg::thread_block block; int n; };
struct Halves { _Float16 a; __bf16 b; float c; };
struct Empty {};
template <class T> struct Box { T value; };
typedef Box<double> Boxed;
typedef struct { int a, b; } Unnamed;
__global__ void k(float* p) {
    Unnamed pair;
    Boxed* never_needed = nullptr;
    auto doubled = [=](float x) { return x * p[0]; };
}
"""


@pytest.mark.slow
def test_handles_lambdas_and_rare_types(tmp_path: Path) -> None:
    """The contents of a toolkit's handle are unknown; a lambda is executed where it is called, not kept."""
    asked = Asked(tmp_path, "a.hip", HANDLES)
    expected = {"cg::thread_block": None, "Holder": None, "Halves": 8, "Empty": 1, "Unnamed": 8}
    assert {name: asked.size(name, "k(float", exact=False) for name in expected} == expected
    assert asked.size("Boxed", "Boxed* never") == 8
    assert asked.size("hipStream_t", "k(float", exact=False) in (8, None)
    assert asked.size("hipDeviceProp_t", "k(float", exact=False) is None
    assert asked.semantics.type_declared("doubled", asked.place("doubled =")) is None
    found = asked.semantics.type_declared("pair", asked.place("pair;"))
    assert found is not None
    assert (found.value.type.name, found.value.type.struct) == ("Unnamed", True)


PROJECT = {
    "inc/types.h": HEADER,
    "src/a.hip": """#include "types.h"
namespace sim {
template <int W> __global__ void tiled(float* out, int i) {
    float acc[Traits<W>::items];
    for (int k = 0; k < Traits<W>::items; ++k) acc[k] = out[k];
    out[0] = acc[i];
}
__global__ void plain(float* out, int i) {
    real_t a[ceil_div(17, 4)];
    rvec x[4];
    Particle p;
    for (int j = 0; j < ceil_div(17, 4); ++j) a[j] = out[j];
    for (int j = 0; j < kHalf; ++j) out[j] = a[i] + x[i][0] + p.x[i];
}
void run(float* p) {
    plain<<<1, kBlock>>>(p, 1);
    tiled<8><<<1, kBlock * 2>>>(p, 1);
}
}
""",
}


def test_libclang_settles_unknowns_of_the_model(tmp_path: Path) -> None:
    """Headers outside the project are given, but not for the trees to read: only libclang knows what they say."""
    folder = write(tmp_path, PROJECT)
    include = (str(folder / "inc"),)
    off = modelled(folder / "src", "a.hip", 0, include)
    on = modelled(folder / "src", "a.hip", SECONDS, include)
    assert [None if array.presumed else array.bytes for array in facts_of(off, "plain").arrays] == [None, None]
    assert [array.bytes for array in facts_of(on, "plain").arrays] == [40, 96]
    assert [loop.trip_count for loop in facts_of(on, "plain").loops] == [5, 12]
    assert [array.bytes for array in facts_of(on, "tiled").arrays] == [20]
    assert [launch.block_size for launch in off.launches] == [None, None]
    assert [launch.block_size for launch in on.launches] == [192, 384]
    assert {variable.name: variable.type.size for variable in facts_of(on, "plain").source.variables}["p"] == 40
    assert not off.settled()
    assert on.certain
    assert {one.answer.origin for one in on.settled()} == {"libclang"}


PLAIN = """#include "sizes.h"
__global__ void k(real_t* out, int i) {
    real_t a[ITEMS];
    Pair pair;
    for (int j = 0; j < ITEMS; ++j) a[j] = out[j];
    pair.one = a[i];
    out[0] = pair.one * a[1];
}
"""


def test_estimate_belongs_to_the_whole_source(tmp_path: Path) -> None:
    """libclang's answers about a header that the trees may not read equal their own."""
    sizes = "typedef double real_t;\nconstexpr int ITEMS = 20;\nstruct Pair { real_t one, other; };\n"
    folder = write(tmp_path, {"inc/sizes.h": sizes, "near/sizes.h": sizes, "near/a.hip": PLAIN, "far/a.hip": PLAIN})
    near = facts_of(modelled(folder / "near", "a.hip", 0), "k")
    far = facts_of(modelled(folder / "far", "a.hip", SECONDS, (str(folder / "inc"),)), "k")
    lost = facts_of(modelled(folder / "far", "a.hip", 0, (str(folder / "inc"),)), "k")
    assert far.target("gfx90a").registers == near.target("gfx90a").registers != lost.target("gfx90a").registers
    assert scratch_of(far, "gfx90a") == scratch_of(near, "gfx90a") >= 160
    assert scratch_of(lost, "gfx90a") == 0


def test_nothing_is_started_while_nothing_is_open(tmp_path: Path) -> None:
    """A file that the trees understand costs no process."""
    text = "__global__ void k(float* p) { float a[4]; for (int i = 0; i < 4; ++i) a[i] = p[i]; p[0] = a[1]; }"
    (tmp_path / "a.hip").write_text(text)
    code = (
        "import sys\n"
        "sys.path.insert(0, 'tests')\n"
        "from pathlib import Path\n"
        "import subprocess\n"
        "def started(*a, **k): raise SystemExit('started')\n"
        "subprocess.Popen = started\n"
        "from semantic_helpers import facts_of, modelled\n"
        f"facts = facts_of(modelled(Path({str(tmp_path)!r}), 'a.hip', 5.0), 'k')\n"
        "facts.target('gfx90a').registers\n"
        "assert 'clang' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
def test_one_file_in_two_languages_is_two_translation_units(tmp_path: Path) -> None:
    """A header's kernels may be read as CUDA here and as HIP there."""
    text = "#ifdef __HIP__\nconstexpr int N = 1;\n#else\nconstexpr int N = 2;\n#endif\n__global__ void k(float* p) {}\n"
    hip = Asked(tmp_path, "a.h", text)
    given = Input(hip.path, text.encode(), "cuda", None, Sources(), (str(tmp_path),))
    cuda = ClangSemantics(hip.tier, given)
    place = hip.place("k(float", exact=False)
    found = [semantics.value("N", place) for semantics in (hip.semantics, cuda, hip.semantics)]
    assert [answer.value for answer in found if answer is not None] == [1, 2, 1]


@pytest.mark.parametrize("declared", ["T (*in)[4]", "vec2d<T> in"])
def test_pointer_to_an_incomplete_type_has_no_element_size(tmp_path: Path, declared: str) -> None:
    """A size that is an error of libclang's is no number of bytes: what is read through the pointer is looked at."""
    head = "template <class T> struct vec2d { T* p; __device__ T* operator[](int i) { return p + i; } };\n"
    body = "auto* row = &in[blockIdx.x][0];\n  row += threadIdx.x;\n  int i = n;\n  T acc = row[--i];\n  out[i] = acc;"
    kernel = (
        f"template <class T, class H = class T::mem> __global__ void k({declared}, T* out, int n) {{\n  {body}\n}}\n"
    )
    write(tmp_path, {"a.hip": head + kernel})
    assert facts_of(modelled(tmp_path, "a.hip", SECONDS), "k").target("gfx90a").registers.estimate > 0
