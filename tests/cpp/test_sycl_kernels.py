"""Kernels of SYCL: lambdas, functors and free functions, thin lambdas and their callees, attributes."""

from __future__ import annotations

from pathlib import Path

import pytest
from frontend_helpers import build, kernel, nodes

from regpress_lint.core.source import Source
from regpress_lint.cpp.syntax_tree import Call, Loop
from regpress_lint.lint.projects import Projects
from regpress_lint.program import build_file, detect_language

HEAD = "#include <sycl/sycl.hpp>\n"


def read(path: str) -> Source:
    return Source(path, Path(path).read_bytes())


RANGE = "sycl::nd_range<1>(n, 64)"


@pytest.mark.parametrize(
    ("code", "name", "marker"),
    [
        ("void run(sycl::queue &q) { q.parallel_for(RANGE, [=](sycl::nd_item<1> it) { X; }); }", "run", "[=]"),
        ("void run(sycl::queue &q) { q.parallel_for<class A>(RANGE, [=](sycl::nd_item<1> it) { X; }); }", "A", "[=]"),
        ("void run(sycl::queue *q) { q->parallel_for<A<int>>(RANGE, [=](auto it) { X; }); }", "A", "[=]"),
        ("RUN q.submit([&](sycl::handler &h) { h.parallel_for(RANGE, [=](auto it) { X; }); }); }", "run", "[=]"),
        ("RUN q.submit([&](auto &h) { h.template parallel_for<A>(RANGE, [=](auto it) { X; }); }); }", "A", "[=]"),
        ("RUN q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { X; }); }", "run", "[=]"),
        ("RUN q.parallel_for(n, [=](auto i) { X; }); }", "run", "[=]"),
        ("RUN q.parallel_for(n, ([=](sycl::id<1> i) { X; })); }", "run", "[=]"),
        ("RUN q.single_task<class A>([=]() { X; }); }", "A", "[=]"),
        ("RUN q.single_task([=] { X; }); }", "run", "[=]"),
        ("RUN q.parallel_for(RANGE, sycl::reduction(x, s), [=](auto it, auto &r) { X; }); }", "run", "[=]"),
        ("RUN auto f = [=](sycl::nd_item<1> it) { X; }; q.parallel_for(RANGE, f); }", "run", "[=]"),
        ("RUN q.parallel_for(RANGE, [=, y = x](sycl::nd_item<1> it) mutable { X; }); }", "run", "[=, y"),
        ("auto make(int n) { return [=](sycl::nd_item<1> it) { X; }; }", "make", "[=]"),
        ("auto make(int n) { return [=](auto it) { X; }; }\nRUN q.parallel_for(RANGE, make(n)); }", "make", "[=]"),
        ("RUN q.parallel_for(RANGE, wrap([=](auto it) { X; })); }", "run", "[=]"),
        ("struct F { void operator()(ITEM) const { X; } };", "F", "void"),
        ("struct F { void operator()(ITEM) const { X; } };\nRUN q.parallel_for(RANGE, F()); }", "F", "void"),
        ("struct F { void operator()(ITEM) const { X; } };\nRUN q.parallel_for(RANGE, F{x}); }", "F", "void"),
        ("struct F { void operator()(auto it) const { X; } };\nRUN F f(x); q.parallel_for(RANGE, f); }", "F", "void"),
        (
            "template <class T> struct F { void operator()(auto it) const { X; } };\n"
            "RUN q.parallel_for(RANGE, F<int>(x)); }",
            "F",
            "void",
        ),
        (
            "struct F { void operator()(ITEM) const { X; } };\nvoid run(Q q) { sycl_kernel_submit(g, 64, q, F(x)); }",
            "F",
            "void",
        ),
        ("RUN syclexp::nd_launch(q, RANGE, [=](sycl::nd_item<1> it) { X; }); }", "run", "[=]"),
        (
            "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))\nvoid free(float *x) { X; }",
            "free",
            "void",
        ),
    ],
)
def test_forms_of_sycl(code: str, name: str, marker: str) -> None:
    text = (
        HEAD
        + code.replace("RUN", "void run(sycl::queue q) {")
        .replace("ITEM", "sycl::nd_item<1> it")
        .replace("RANGE", RANGE)
        .replace("X;", "x[0] = 1;")
        + "\n"
    )
    found = kernel(text, "sycl")
    assert found.name == name
    assert found.complete
    body = text[found.function.body.span.start : found.function.body.span.end]
    assert body == "{ x[0] = 1; }"
    line = text.splitlines()[found.line - 1]
    assert marker in line or "SYCL_EXT" in line


@pytest.mark.parametrize(
    "code",
    [
        "q.submit([&](sycl::handler &h) { h.host_task([=]() { x[0] = 1; }); });",
        'Kokkos::parallel_for("a", Kokkos::RangePolicy<Kokkos::Serial>(0, n), [=](int i) { x[i] = 1; });',
        "tbb::parallel_for(0, n, [=](int i) { x[i] = 1; });",
        "oneapi::tbb::parallel_for(0, n, [=](int i) { x[i] = 1; });",
        "std::for_each(x, x + n, [=](float &v) { v = 1; });",
        "// q.parallel_for(r, [=](sycl::nd_item<1> it) { });",
        'log("q.parallel_for(r, [=](sycl::nd_item<1> it) { });");',
    ],
)
def test_no_sycl_kernel(code: str) -> None:
    assert build(f"{HEAD}void run(sycl::queue q, float *x, int n) {{ {code} }}\n", "sycl").kernels == ()


def test_work_group_with_nested_work_items_is_one_kernel() -> None:
    text = HEAD + (
        "void run(sycl::queue q, float *x) { q.submit([&](sycl::handler &h) {\n"
        "h.parallel_for_work_group<class A>(sycl::range<1>(8), sycl::range<1>(64), [=](sycl::group<1> g) {\n"
        "  g.parallel_for_work_item([&](sycl::h_item<1> i) { x[0] = 1; });\n"
        "  g.parallel_for_work_item([&](sycl::h_item<1> i) { x[1] = 1; });\n"
        "}); }); }\n"
    )
    found = kernel(text, "sycl")
    assert (found.name, found.form, len(found.launches)) == ("A", "parallel_for_work_group", 1)
    assert found.launches[0].block_size == 64


CALLEE = "void work(float *x, const sycl::nd_item<1> &it) { for (int i = 0; i < 4; i++) x[i] = 1; }\n"
THIN = (
    "void run(sycl::queue q, float *x) { "
    "q.parallel_for<class A>(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) { CALL; }); }\n"
)


def test_thin_lambda_with_its_callee_in_the_file() -> None:
    text = HEAD + CALLEE + THIN.replace("CALL", "work(x, it)")
    found = kernel(text, "sycl")
    assert (found.name, found.line) == ("work", 2)
    assert len(nodes(found.function, Loop)) == 1
    assert found.entry is not None
    assert text[found.entry.start : found.entry.end] == "[=](sycl::nd_item<1> it) { work(x, it); }"
    assert [each.line for each in found.launches] == [3]


def test_thin_lambda_with_its_callee_in_a_header() -> None:
    found = kernel(HEAD + '#include "work.h"\n' + THIN.replace("CALL", "ns::work(x, it)"), "sycl", {"work.h": CALLEE})
    assert (found.name, found.path, found.line) == ("work", "work.h", 1)
    assert [each.path for each in found.launches] == ["main.cpp"]


def test_thin_lambda_with_a_template_callee() -> None:
    callee = "template <int N, typename T = float> " + CALLEE.replace("i < 4", "i < N")
    found = kernel(HEAD + callee + THIN.replace("CALL", "work<8>(x, it)"), "sycl")
    assert found.name == "work"
    assert found.bindings == {"N": 8}


def test_callee_of_several_launches_is_one_kernel() -> None:
    second = THIN.replace("run", "again").replace("class A", "class B").replace("64", "32")
    text = HEAD + CALLEE + (THIN + second).replace("CALL", "work(x, it)")
    found = kernel(text, "sycl")
    assert sorted(each.block_size or 0 for each in found.launches) == [32, 64]


EXTERNAL = "SYCL_EXTERNAL " + CALLEE
DECLARED = EXTERNAL.partition(" {")[0] + ";\n"


def test_body_in_another_source_file_of_the_folder(tmp_path: Path) -> None:
    main, body = tmp_path / "main.cpp", tmp_path / "body.cpp"
    main.write_text(HEAD + DECLARED + THIN.replace("CALL", "work(x, it)"))
    body.write_text(HEAD + EXTERNAL)
    paths = [str(main), str(body)]
    projects = Projects(paths, [str(tmp_path)])
    starting, holding = (build_file(read(path), "sycl", projects.of(path)) for path in paths)
    assert [launch.kernel_name for launch in starting.launches] == ["work"]
    assert not starting.kernels  # the other file's
    assert [(each.name, each.path, each.line) for each in holding.kernels] == [("work", str(body), 2)]
    assert [launch.block_size for launch in holding.kernels[0].launches] == [64]


@pytest.mark.parametrize("item", ["id<1>", "item<2>"])
def test_a_lambda_that_a_function_of_the_project_launches_needs_no_word_of_sycl(tmp_path: Path, item: str) -> None:
    header, main = tmp_path / "w.h", tmp_path / "main.cpp"
    header.write_text(
        "#include <CL/sycl.hpp>\nusing namespace cl::sycl;\ntemplate <class N, class F> "
        "void par(handler& h, int n, F f) { h.parallel_for<N>(range<1>(n), f); }\n"
    )
    code = "{ par<class K>(h, n, [=](ITEM i) { a[i[0]] /= 2; }); }".replace("ITEM", item)
    main.write_text(f'#include "w.h"\nvoid half(handler& h, float* a, int n) {code}\n')
    assert detect_language(str(main), main.read_bytes()) == "sycl"
    projects = Projects([str(main), str(header)], [str(tmp_path)])
    assert [each.name for each in build_file(read(str(main)), "sycl", projects.of(str(main))).kernels] == ["half"]


def test_launch_in_another_file_is_in_terms_of_what_that_one_sees(tmp_path: Path) -> None:
    for name, text in {
        "main.cpp": '#define SIZE 32\n#include "start.cpp"\n',
        "start.cpp": '#include "work.h"\n' + THIN.replace("64", "SIZE").replace("CALL", "work(x, it)"),
        "work.h": HEAD + CALLEE,
    }.items():
        (tmp_path / name).write_text(text)
    paths = [str(tmp_path / name) for name in ("main.cpp", "start.cpp", "work.h")]
    project = Projects(paths, [str(tmp_path)]).of(paths[2])
    (found,) = build_file(read(paths[2]), "sycl", project).kernels
    assert [launch.block_size for launch in found.launches] == [32]


@pytest.mark.parametrize(("call", "launched"), [("ns::work(x, it)", ["start.cpp"]), ("work(q, x, it)", [])])
def test_a_file_with_a_function_of_the_same_name_launches_the_one_that_it_means(
    tmp_path: Path, call: str, launched: list[str]
) -> None:
    """Which of both it is, the file says that launches it: here by the number of arguments."""
    own = "void work(sycl::queue q, float *x, const sycl::nd_item<1> &it) { x[0] = 1; }\n"
    (tmp_path / "start.cpp").write_text('#include "work.h"\n' + own + THIN.replace("CALL", call))
    (tmp_path / "work.h").write_text(HEAD + f"namespace ns {{\n{CALLEE}}}\n")
    paths = [str(tmp_path / name) for name in ("start.cpp", "work.h")]
    project = Projects(paths, [str(tmp_path)]).of(paths[1])
    found = build_file(read(paths[1]), "sycl", project).kernels
    assert [Path(launch.path).name for each in found for launch in each.launches] == launched


def test_function_of_a_source_file_beside_needs_a_declaration_for_other_files(tmp_path: Path) -> None:
    main, body = tmp_path / "main.cpp", tmp_path / "body.cpp"
    main.write_text(HEAD + DECLARED + THIN.replace("CALL", "work(x, it)"))
    body.write_text(HEAD + CALLEE)
    projects = Projects([str(main), str(body)], [str(tmp_path)])
    found = build_file(read(str(main)), "sycl", projects.of(str(main)))
    assert [each.name for each in found.kernels] == ["A"]


MACRO = (
    "#define LAUNCH(F, N) q.submit([&](sycl::handler &h) { sycl::local_accessor<float> s(sycl::range<1>(N), h); \\\n"
    "  h.parallel_for(sycl::nd_range<1>(n, N), [=](sycl::nd_item<1> it) { F<N>(x, it); }); })\n"
    "void run(sycl::queue q, float *x, int n) {\n  LAUNCH(work, 64);\n  LAUNCH(work, 128);\n  LAUNCH(other, 32); }\n"
)


def test_launches_that_a_macro_writes() -> None:
    callee = "template <int N> " + CALLEE.replace("i < 4", "i < N")
    text = HEAD + callee + callee.replace("work", "other") + MACRO
    file = build(text, "sycl")
    work, other = file.kernels
    assert (work.name, work.line, other.name, other.line) == ("work", 2, "other", 3)
    assert [(each.line, each.block_size, each.dynamic_lds_bytes) for each in work.launches] == [
        (7, 64, 256),
        (8, 128, 512),
    ]
    assert [each.arguments for each in work.instances] == ["64", "128"]
    assert other.bindings == {"N": 32}
    assert [text[each.span.start : each.span.end] for each in other.launches] == ["LAUNCH(other, 32)"]
    assert work.entry is None  # no lambda to show
    assert file.lost == ()


def test_body_that_a_macro_writes_is_not_understood() -> None:
    text = HEAD + MACRO.replace("F<N>(x, it);", "x[it.get_global_id(0)] = N; x[0] = 1;")
    file = build(text, "sycl")
    assert file.kernels == ()
    assert [text[span.start : span.end] for span in file.lost] == [
        "LAUNCH(work, 64)",
        "LAUNCH(work, 128)",
        "LAUNCH(other, 32)",
    ]


BODIES = (
    (
        "#define EACH(q, n, ...) q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) __VA_ARGS__)",
        "EACH(q, n, { x[i] = 1; })",
    ),
    ("#define BODY(F) [=](sycl::nd_item<1> it) { int t = it.get_global_id(0); F(x, t); x[t] = 1; }", "BODY(work)"),
)


@pytest.mark.parametrize(("macro", "use"), BODIES, ids=["the rest of its arguments", "the lambda alone"])
def test_kernel_whose_lambda_a_macro_writes_is_not_lost_silently(macro: str, use: str) -> None:
    launched = use if use.startswith("EACH") else f"q.parallel_for(sycl::nd_range<1>(n, 64), {use})"
    text = f"{HEAD}{macro}\nvoid run(sycl::queue q, float *x, int n) {{ {launched}; }}\n"
    assert [text[span.start : span.end] for span in build(text, "sycl").lost] == [use]


def test_lambda_that_calls_an_unseen_function_is_the_kernel_itself() -> None:
    found = kernel(HEAD + THIN.replace("CALL", "unseen(x, it)"), "sycl")
    assert found.name == "A"
    assert [call.name for call in nodes(found.function, Call)] == ["unseen"]


@pytest.mark.parametrize(
    ("attribute", "sub_group", "work_group"),
    [
        ("", None, None),
        ("[[sycl::reqd_sub_group_size(32)]]", 32, None),
        ("[[intel::reqd_sub_group_size(16)]]", 16, None),
        ("[[sycl::reqd_sub_group_size(SG)]]", 16, None),
        ("[[sycl::reqd_sub_group_size(LOCAL)]]", 8, None),
        ("[[sycl::reqd_sub_group_size(unknown)]]", None, None),
        ("[[sycl::reqd_work_group_size(2, 4, 8)]]", None, 64),
        ("[[sycl::reqd_work_group_size(SG)]]", None, 16),
        ("[[sycl::reqd_work_group_size(64), sycl::reqd_sub_group_size(32)]]", 32, 64),
        ("[[sycl::reqd_work_group_size(64)]] [[sycl::reqd_sub_group_size(32)]]", 32, 64),
    ],
)
def test_sycl_attributes(attribute: str, sub_group: int | None, work_group: int | None) -> None:
    text = HEAD + (
        "constexpr int SG = 16;\nvoid run(sycl::queue q, float *x) {\nconstexpr int LOCAL = 8;\n"
        f"q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) {attribute} {{ x[0] = 1; }}); }}\n"
    )
    found = kernel(text, "sycl")
    assert found.sub_group_size == sub_group
    bounds = found.launch_bounds
    assert (bounds.max_threads if bounds is not None else None) == work_group
    assert bounds is None or bounds.required


def test_the_largest_work_group_is_not_a_required_one() -> None:
    text = HEAD + (
        "void run(sycl::queue q, float *x) {\nq.parallel_for(sycl::nd_range<1>(n, 64), "
        "[=](sycl::nd_item<1> it) [[intel::max_work_group_size(1, 2, 64)]] { x[0] = 1; }); }\n"
    )
    bounds = kernel(text, "sycl").launch_bounds
    assert bounds is not None
    assert (bounds.required, bounds.max_threads, bounds.dims) == (False, 128, (64, 2, 1))


def test_attribute_of_a_functor() -> None:
    text = (
        HEAD
        + "struct F {\n[[sycl::reqd_sub_group_size(16)]] void operator()(sycl::nd_item<1> it) const { x[0] = 1; }\n};\n"
    )
    assert kernel(text, "sycl").sub_group_size == 16


def test_attribute_of_one_functor_does_not_reach_the_next() -> None:
    text = HEAD + (
        "struct F { [[sycl::reqd_sub_group_size(16)]] void operator()(sycl::nd_item<1> it) const { } };\n"
        "struct G { void operator()(sycl::nd_item<1> it) const { } };\n"
    )
    assert [(each.name, each.sub_group_size) for each in build(text, "sycl").kernels] == [("F", 16), ("G", None)]


def test_grf_size() -> None:
    properties = "sycl::ext::oneapi::experimental::properties{sycl::ext::intel::experimental::grf_size<256>}"
    text = (
        HEAD
        + f"void run(sycl::queue q) {{ q.parallel_for(sycl::nd_range<1>(n, 64), {properties}, "
        + "[=](auto it) { x[0] = 1; }); }\n"
    )
    found = kernel(text, "sycl")
    assert found.grf_mode == 256
    assert found.launches[0].block_size == 64


@pytest.mark.parametrize(
    ("ranges", "blocks"),
    [
        ("sycl::nd_range<2>(gws, lws)", 49),
        ("sycl::nd_range<2>(sycl::range<2>(4, 128 * 49), lws)", 49),
        ("sycl::nd_range<2>({4, 6272}, {4, 128})", 49),
        ("sycl::nd_range<2>(sycl::range<2>(n, 128), lws)", None),
    ],
)
def test_number_of_work_groups_of_a_written_range(ranges: str, blocks: int | None) -> None:
    text = (
        f"{HEAD}void run(sycl::queue q, float *x, int n) {{ sycl::range<2> gws (4, 128*49), lws (4, 128); "
        f"q.parallel_for({ranges}, [=](sycl::nd_item<2> it) {{ x[0] = 1; }}); }}"
    )
    assert [(each.block_size, each.blocks) for each in build(text, "sycl").launches] == [(512, blocks)]
