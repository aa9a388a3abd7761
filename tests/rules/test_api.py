"""Helpers of the api other than facts: a target's vendor, wording of findings, the origin of a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from regpress_lint import testing
from regpress_lint.api import EVERY_TARGET, Finding, KernelFacts, Rule, Severity
from regpress_lint.api.facts import oversized_bounds, recursive
from regpress_lint.api.memory import memory_of, places
from regpress_lint.api.preprocessor import defined_twice, for_one_vendor, inside_condition
from regpress_lint.api.syntax import Call, declaration_of, names_behind, walk
from regpress_lint.api.targets import amd_and_nvidia_targets, amd_targets, gpu, lds_bytes, nvidia_targets
from regpress_lint.api.text import instance_name, one_line
from regpress_lint.api.worth import small_work, waves_without
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source, Span
from regpress_lint.facts.kernel import kernel_facts
from regpress_rules.memory.indirect_call import through_pointers

if TYPE_CHECKING:
    from collections.abc import Iterator

ALL = ("sm_90", "gfx90a", "pvc", "gfx1100")


def facts_of(text: str, *targets: str) -> KernelFacts:
    file = testing.build(text)
    return kernel_facts(file, file.kernels[0], Settings(architectures=targets))


@pytest.mark.parametrize(
    ("name", "vendor", "gfx9", "memory", "unit", "compiler"),
    [
        ("gfx90a", "amd", True, "scratch memory", "a CU", "hipcc"),
        ("gfx1100", "amd", False, "scratch memory", "a CU", "hipcc"),
        ("sm_90", "nvidia", False, "local memory", "an SM", "nvcc"),
        ("pvc", "intel", False, "private memory", "an Xe-core", "icpx"),
    ],
)
def test_target_knows_its_vendor(name: str, vendor: str, gfx9: bool, memory: str, unit: str, compiler: str) -> None:
    found = gpu(name)
    assert (found.vendor, found.is_gfx9) == (vendor, gfx9)
    assert [found.is_amd, found.is_nvidia, found.is_intel] == [vendor == each for each in ("amd", "nvidia", "intel")]
    assert (found.private_memory, found.unit, found.compiler) == (memory, unit, compiler)


def test_targets_keep_the_users_order() -> None:
    facts = facts_of("__global__ void f(float* a) { a[0] = 1.0f; }", *ALL)
    assert amd_targets(facts) == ("gfx90a", "gfx1100")
    assert nvidia_targets(facts) == ("sm_90",)
    assert amd_and_nvidia_targets(facts) == ("sm_90", "gfx90a", "gfx1100")


class OfEveryKernel(Rule):
    """A finding at the name of each kernel.

    ## What it does
    Reports every kernel.
    """

    code = "TST101"
    name = "every-kernel"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        yield Finding(facts.kernel.name_span, "a kernel", {EVERY_TARGET: Severity.INFO})


def test_finding_names_its_kernel() -> None:
    two = "__global__ void f(float* a) { a[0] = 1.0f; }\n__global__ void g(float* a) { a[0] = 2.0f; }\n"
    found = testing.run([OfEveryKernel], two, "a.cu")
    assert [(each.line, each.finding.kernel) for each in found] == [(1, "f"), (2, "g")]


def test_rule_declares_its_kernels() -> None:
    class Narrow(Rule):
        """Narrow."""

        languages = ("hip",)
        vendors = ("amd",)
        needs = ("loops", "kernel.launch_bounds")

    loop = "__global__ void f(float* a, int n) { for (int i = 0; i < n; ++i) a[i] = 1.0f; }"
    bounds = "__global__ void __launch_bounds__(64) f(float* a) { a[0] = 1.0f; }"
    covers = Narrow.scope().covers
    assert covers(facts_of(loop, *ALL))
    assert covers(facts_of(bounds, "gfx90a"))
    assert not covers(facts_of(loop, "sm_90", "pvc"))
    assert not covers(facts_of("__global__ void f(float* a) { a[0] = 1.0f; }", "gfx90a"))
    file = testing.build(loop, "a.cu")
    assert not covers(kernel_facts(file, file.kernels[0], Settings(architectures=("gfx90a",))))
    assert Rule.scope().covers(facts_of(loop, "pvc"))


def test_where_private_objects_go() -> None:
    assert (lds_bytes("gfx90a"), lds_bytes("gfx1100")) == (32, 64)
    assert memory_of(("gfx90a", "gfx1100"), 33) == "private memory on gfx90a and LDS on gfx1100"
    assert memory_of(("gfx90a", "gfx1100"), 32) == "LDS"
    assert memory_of(("gfx90a", "sm_90"), 65, nvidia="registers") == "private memory on gfx90a and registers on sm_90"
    assert places({"a": "x", "b": "y", "c": "x"}) == "x on a and c and y on b"


def test_names_behind_an_expression_and_the_declaration_of_one() -> None:
    facts = facts_of("__global__ void f(int* a) { int t = threadIdx.x, u = 2; int k = t + 1; g(k); }", "gfx90a")
    function = facts.kernel.function
    (call,) = (node for node in walk(function.body) if isinstance(node, Call))
    names = list(names_behind(call.args[0]))
    assert [name.name for name in names] == ["k", "t", "threadIdx"]
    assert names[1].variable is not None
    declared = declaration_of(function, names[1].variable)
    assert declared is not None
    assert [variable.name for variable in declared.variables] == ["t", "u"]
    assert declaration_of(function, function.parameters[0]) is None


def test_recursion_and_calls_that_are_bound_late() -> None:
    text = """
    __device__ float down(float x, int n) { return n == 0 ? x : x * down(x, n - 1) + 1.0f; }
    __device__ float one(float x) { return x; }
    __device__ float two(float x) { return x + x; }
    __global__ void f(float* a, int n) {
      float (*g)(float) = n > 1 ? one : two;
      a[0] = g(down(a[1], n));
    }"""
    facts = facts_of(text, "gfx90a")
    (again,) = recursive(facts)
    assert (again.function.name, again.through, again.others) == ("down", (), ())
    (late,) = through_pointers(facts)
    assert (late.class_name, late.names) == ("", ("one", "two"))


def test_bounds_too_large_for_every_launch() -> None:
    kernel = (
        "__global__ void __launch_bounds__({}) f(float* a) {{ a[0] = 1.0f; }}\nvoid h(float* a) {{ f<<<9, 64>>>(a); }}"
    )
    assert oversized_bounds(facts_of(kernel.format(128), "gfx90a")) == 64
    assert oversized_bounds(facts_of(kernel.format(127), "gfx90a")) is None


def test_small_work_and_the_waves_that_fewer_registers_admit() -> None:
    kernel = "__global__ void f(float* a) {{ a[0] = 1.0f; }}\nvoid h(float* a) {{ f<<<{}>>>(a); }}"
    assert small_work(facts_of(kernel.format("1, 64"), "gfx90a"))
    assert small_work(facts_of(kernel.format("99, 1"), "gfx90a"))
    assert not small_work(facts_of(kernel.format("99, 64"), "gfx90a"))
    target = facts_of(kernel.format("999, 64"), "gfx90a").target("gfx90a")
    assert waves_without(target, 0) == waves_without(target, 1000) == 8


def test_text_around_a_place() -> None:
    inner = b"#if defined(__HIP__)\nint a  =\n b;\n#endif\nint c;\n"
    source = Source("a.hip", b"#define N 4\n#ifdef NDEBUG\n" + inner + b"#endif\n#define N 8\n#define M 1\n")
    place, later = source.data.index(b"int a"), source.data.index(b"int c")
    assert one_line(source, Span(place, later)).startswith("int a = b;")
    assert inside_condition(source, place, "NDEBUG")
    assert not inside_condition(source, place, "DEBUG")
    assert for_one_vendor(source, place)
    assert not for_one_vendor(source, later)
    assert defined_twice(source, "N * 2")
    assert not defined_twice(source, "M * 2")


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ("", "k"),
        ("256, 16", "k<256, 16>"),
        ("(lambda at src/step.cpp:148)", "k<lambda at step.cpp:148>"),
        (f"float, Pair<{'Long' * 12}, int>, 4", "k<float, ...>"),
        (f"Pair<{'Long' * 16}, int>", f"k<Pair<{'Long' * 16}, int>>"),
    ],
)
def test_long_instance_names_are_shortened(arguments: str, shown: str) -> None:
    assert instance_name("k", arguments) == shown
