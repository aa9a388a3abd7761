"""Local accessors of SYCL: a launch has those of its own command group, and no other's."""

from __future__ import annotations

import pytest
from frontend_helpers import build

GROUP = """  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 1> s(sycl::range<1>(%d), h);
    h.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) { s[0] = x[0]; });
  });
"""
PLAIN = "  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) { x[0] = 1; });\n"


def lds(body: str, parameters: str = "sycl::queue &q, float *x, int n") -> list[int | None]:
    """Dynamic LDS in bytes of every launch of a function."""
    text = f"#include <sycl/sycl.hpp>\nvoid run({parameters}) {{\n{body}}}\n"
    return [launch.dynamic_lds_bytes for launch in build(text, "sycl").launches]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (GROUP % 16384 + GROUP % 64 + PLAIN, [65536, 256, 0]),
        (PLAIN + GROUP % 64 + PLAIN, [0, 256, 0]),
        (f"  for (int i = 0; i < 2; ++i) {{\n{GROUP % 32}{PLAIN}  }}\n", [128, 0]),
        (f"  if (n > 2) {{\n{GROUP % 32}  }} else {{\n{PLAIN}  }}\n", [128, 0]),
    ],
)
def test_a_launch_behind_command_groups_has_none_of_their_accessors(body: str, expected: list[int | None]) -> None:
    assert lds(body) == expected


def test_each_branch_of_a_command_group_has_its_own_accessor() -> None:
    call = "h.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) { x[0] = 1; });"
    small, large = (f"{{ sycl::local_accessor<float, 1> s({size}, h); {call} }}" for size in (64, 128))
    both = f"sycl::local_accessor<int, 1> t(16, h); if (n > 2) {small} else {large}"
    assert lds(f"q.submit([&](sycl::handler &h) {{ {both} }});\n") == [64 + 256, 64 + 512]


def test_a_function_that_gets_the_handler_is_a_command_group() -> None:
    body = "  sycl::local_accessor<float, 1> s(64, h);\n" + PLAIN.replace("q.", "h.")
    assert lds(body, "sycl::handler &h, float *x, int n") == [256]


def test_accessors_of_a_helper_lambda_are_not_those_of_the_group_around_it() -> None:
    helper = "auto other = [&]() { sycl::local_accessor<float, 1> s(64, h); };"
    assert lds(f"q.submit([&](sycl::handler &h) {{ {helper}\n{PLAIN.replace('q.', 'h.')} }});\n") == [0]
