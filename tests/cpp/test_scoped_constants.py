"""Constants of one name in several scopes of a file, and macros that are defined again: each function has its own."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of
from frontend_helpers import build, variables

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.cpp.preprocess.includes import IncludeResolver
from regpress_lint.cpp.syntax_tree import Name
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.lint.analysis import Analysis, analyse
from regpress_lint.program import build_file

KERNEL = (
    "__global__ void {0}(float *p) {{ float v[{1}]; for (int i = 0; i < {1}; ++i) v[i] = p[i]; p[0] = v[p[1] > 0]; }}"
)


def bytes_of_arrays(text: str) -> dict[str, int | None]:
    """Bytes of the array of each kernel of a CUDA file, by the kernel's name."""
    analysis = analyse(text.encode(), "k.cu", Settings())
    assert isinstance(analysis, Analysis)
    facts = map(analysis.facts, analysis.file.kernels)
    return {each.kernel.name: sum(array.bytes or 0 for array in each.arrays) or None for each in facts}


@pytest.mark.parametrize(
    "other",
    [
        "namespace b { const int N = 8; }",
        "const int N = 8;",
        "struct S { static constexpr int N = 8; };",
        "namespace b { enum { N = 8 }; }",
        "namespace b { namespace { const int N = 8; } }",
        "namespace b { enum Sizes : int { N = 8 }; }",
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_the_innermost_scope_counts(other: str, first: bool) -> None:
    own = f"namespace a {{ constexpr int N = 24; {KERNEL.format('k', 'N')} }}"
    assert bytes_of_arrays("\n".join((other, own) if first else (own, other))) == {"k": 96}


def test_a_kernel_outside_has_the_outer_one() -> None:
    text = f"namespace a {{ const int N = 24; }}\nconst int N = 8;\n{KERNEL.format('k', 'N')}\n"
    text += KERNEL.format("q", "a::N")
    assert bytes_of_arrays(text) == {"k": 32, "q": 96}


def test_constants_depend_on_each_other_across_reopened_namespaces() -> None:
    text = (
        "namespace a { const int N = 4; const int M = N * 3; }\nnamespace b { const int N = 5; const int M = N * 4; }\n"
    )
    text += f"namespace a {{ {KERNEL.format('k', 'M')} }}\nnamespace b {{ {KERNEL.format('q', 'M')} }}\n"
    assert bytes_of_arrays(text) == {"k": 48, "q": 80}


def test_members_have_the_constants_of_their_class() -> None:
    text = "const int N = 4;\nstruct A { static constexpr int N = 20; __device__ float in(const float *p) const { "
    text += "float v[N]; for (int i = 0; i < N; ++i) v[i] = p[i]; return v[p[1] > 0]; }\n"
    text += "__device__ float out(const float *p) const; };\n__device__ float A::out(const float *p) const { "
    text += "float v[N]; for (int i = 0; i < N; ++i) v[i] = p[i]; return v[p[1] > 0]; }\n"
    file = build(text + "__global__ void k(A a, float *p) { p[0] = a.in(p) + a.out(p); }\n")
    for name in ("in", "out"):
        member = file.method("A", name, 1)
        assert member is not None
        (size,) = variables(member)["v"].dims
        assert isinstance(size, Name)
        assert file.constant(size.name) == 20


def test_using_directive_counts_without_a_nearer_name() -> None:
    text = "namespace a { const int N = 24; }\nnamespace b { const int N = 8; }\nusing namespace a;\n"
    assert bytes_of_arrays(text + KERNEL.format("k", "N")) == {"k": 96}


def test_using_declaration_of_a_function_hides_outer_constants() -> None:
    text = "namespace o { namespace a { const int N = 24; } }\nconst int N = 8;\n"
    own = KERNEL.format("k", "N").replace("{ ", "{ using o::a::N; ", 1)
    assert bytes_of_arrays(text + own + KERNEL.format("q", "N")) == {"k": 96, "q": 32}


def test_sizes_of_types_launch_bounds_and_launches() -> None:
    text = "template <int Q> struct Row { float v[Q]; };\n"
    for name, size in (("a", 64), ("b", 128)):
        text += f"namespace {name} {{ const int N = {size};\n__global__ void __launch_bounds__(N) k{name}(float *p) "
        text += "{ Row<N> r; for (int i = 0; i < N; ++i) r.v[i] = p[i]; p[0] = r.v[p[1] > 0]; }\n"
        text += f"void run(float *p) {{ k{name}<<<1, N / 2>>>(p); }} }}\n"
    file = build(text)
    assert [each.launch_bounds.max_threads for each in file.kernels if each.launch_bounds] == [64, 128]
    assert [each.block_size for each in file.launches] == [32, 64]
    assert [variables(each.function)["r"].type.size for each in file.kernels] == [256, 512]


def test_last_definition_of_a_macro_counts() -> None:
    text = f"#define N 6\n{KERNEL.format('k', 'N')}\n#undef N\n#define N (30)\n{KERNEL.format('q', 'N')}\n"
    assert bytes_of_arrays(text) == {"k": 24, "q": 120}


def test_a_template_parameter_hides_the_constants() -> None:
    text = "namespace a { const int N = 8; }\nconst int N = 9;\ntemplate <int N> "
    text += f"{KERNEL.format('k', 'N')}\nvoid run(float *p) {{ k<24><<<1, 64>>>(p); }}\n"
    assert bytes_of_arrays(text) == {"k": 96}


MEMBERS = """
template <int N> struct Tile { static constexpr int First = N * 2, Second = N * 3; };
struct Plain { static constexpr int First = 8, Second{12}; };
template <class T_> struct Loop { using Tile = T_; static constexpr int Second = Tile::Second; };
using Four = Tile<4>;
template <class Op> __global__ void __launch_bounds__(32 * Op::Second) k(float* o) {
  float a[Op::Second];
  for (int i = 0; i < Op::Second; ++i) a[i] = o[i];
  for (int i = 0; i < Op::Second; ++i) o[i + 1] = a[i];
}
"""


@pytest.mark.parametrize("named", ["Tile<4>", "Plain", "Four", "Loop<Tile<4>>", "Loop<Four>"])
def test_members_declared_together_and_classes_of_other_names(named: str) -> None:
    facts = facts_of(
        f"{MEMBERS}void run(float* o) {{ k<{named}><<<1, 32>>>(o); }}", "cuda", Settings(architectures=("sm_90",))
    )
    bounds = facts.kernel.launch_bounds
    assert bounds is not None
    assert bounds.max_threads == 32 * 12
    assert not facts.unknowns("sm_90")


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("namespace b {{ using a::N; {} }}", 24),
        ("namespace b {{ using a::N; namespace c {{ {} }} }}", 24),
        ("namespace b {{ __device__ int f() {{ using a::N; return N; }} {} }}", 8),
        ("namespace b {{ const int N = 4; {} }}", 8),
    ],
)
def test_a_name_that_using_brings(text: str, size: int) -> None:
    outer = "namespace { const int N = 8; }\nnamespace a { const int N = 24; }\n"
    name = "::N" if "N = 4" in text else "N"
    assert bytes_of_arrays(outer + text.format(KERNEL.format("k", name))) == {"k": 4 * size}


def test_a_member_has_the_constants_of_a_base_class() -> None:
    text = "const int N = 4;\nstruct A { static constexpr int N = 20; };\nstruct B : A {};\n"
    text += "struct C : B { __device__ float in(const float *p) const { float v[N]; "
    text += "for (int i = 0; i < N; ++i) v[i] = p[i]; return v[p[1] > 0]; } };\n"
    assert bytes_of_arrays(text + "__global__ void k(C c, float *p) { p[0] = c.in(p); }\n") == {"k": 80}


def test_a_number_of_values_of_a_table_of_the_file() -> None:
    text = "__constant__ double table[] = {1, 2, 3, 4, 5};\nstatic const int N = sizeof(table) / sizeof(double);\n"
    assert bytes_of_arrays(text + KERNEL.format("k", "N")) == {"k": 20}


def test_constants_of_one_name_in_the_namespaces_of_headers() -> None:
    kernel = KERNEL.format("k", "N")
    files = {"a.h": "namespace a { const int N = 9; }", "b.h": "namespace b { const int N = 19; }"}
    heads = '#include "a.h"\n#include "b.h"\n'
    for place, size in (("namespace a {{ {} }}", 9), ("namespace b {{ {} }}", 19), ("using namespace b; {}", 19)):
        read = {name: text.encode() for name, text in files.items()}
        project = Project(IncludeResolver(".", read.get), peers=lambda _path: [])
        file = build_file(Source("k.cu", (heads + place.format(kernel)).encode()), "cuda", project)
        assert kernel_facts(file, file.kernels[0], Settings()).arrays[0].bytes == 4 * size


def test_the_size_of_an_array_in_a_class_is_not_that_of_a_pointer() -> None:
    text = "struct A { float head[6]; double tail[20]; };\nconstexpr int N = sizeof(A::tail) / sizeof(double);\n"
    assert bytes_of_arrays(text + KERNEL.format("k", "N")) == {"k": None}
