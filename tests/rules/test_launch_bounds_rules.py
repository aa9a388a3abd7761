"""The rules about launch bounds: what their fixes write, and what each leaves to the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from regpress_lint import testing
from regpress_lint.model.estimate.registers import RegisterEstimate
from regpress_rules import rules

if TYPE_CHECKING:
    from regpress_lint.api import Rule

RULES: dict[str, type[Rule]] = {rule.code: rule for rule in rules()}
BOUNDS_RULES = [RULES[code] for code in ("RP101", "RP102", "RP103", "RP104")]
BODY = """{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[48];
#pragma unroll
  for (int k = 0; k < 48; ++k) s[k] = a[k * n + i];
  for (int j = 0; j < n; ++j) {
#pragma unroll
    for (int k = 0; k < 48; ++k) s[k] += a[j] * s[k];
  }
#pragma unroll
  for (int k = 0; k < 48; ++k) b[k * n + i] = s[k];
}
"""
PARAMETERS = "(const double* a, double* b, int n) "


def kernel(head: str, name: str = "step") -> str:
    return f"{head} {name}{PARAMETERS}{BODY}"


def fixed(text: str, code: str, path: str = "example.hip") -> str:
    return testing.fixed(text, testing.run([RULES[code]], text, path), unsafe=True)


def codes(text: str, path: str = "example.hip") -> list[str]:
    return [each.code for each in testing.run(BOUNDS_RULES, text, path)]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "head",
    [
        "__global__ void __launch_bounds__(128, 8)",
        "__global__ void\n__launch_bounds__(128, 8)",
        "template <int N>\n__global__ __launch_bounds__( 128 ,  8 ) void",
    ],
)
def test_the_second_argument_gets_a_name_with_both_meanings(head: str, end: str) -> None:
    text = ("int first;\n" + kernel(head)).replace("\n", end)
    result = fixed(text, "RP103")
    lines = result.split(end)
    assert lines[1:6] == [
        "#ifdef __HIP_PLATFORM_AMD__",
        "#define STEP_MIN_BLOCKS 4  // waves per SIMD",
        "#else",
        "#define STEP_MIN_BLOCKS 8  // blocks per multiprocessor",
        "#endif",
    ]
    assert end.join(lines[6:]).replace("STEP_MIN_BLOCKS", "8") == text.split(end, 1)[1]
    assert "\n" not in result.replace(end, "")
    assert fixed(result, "RP103") == result
    assert "RP103" not in codes(result)


@pytest.mark.parametrize(
    "text",
    [
        "#define BOUNDED __global__ void __launch_bounds__(128, 8)\n" + kernel("BOUNDED"),
        "#define BOUNDS __launch_bounds__(128, 8)\n" + kernel("__global__ void BOUNDS"),
        "int first; " + kernel("__global__ void __launch_bounds__(128, 8)"),
        "int STEP_MIN_BLOCKS;\n" + kernel("__global__ void __launch_bounds__(128, 8)"),
    ],
)
def test_no_edit_where_the_text_is_not_plain(text: str) -> None:
    assert codes(text) == ["RP103"]
    assert fixed(text, "RP103") == text


@pytest.mark.parametrize("guard", ["__HIP_PLATFORM_AMD__", "USE_ROCM", "__HIPCC__"])
def test_a_number_under_a_vendors_condition_is_meant_for_that_vendor(guard: str) -> None:
    text = f"#ifdef {guard}\n#define B 8\n#else\n#define B 4\n#endif\n"
    # The spill is still told, by the rule that does not ask for the unit.
    assert codes(text + kernel("__global__ void __launch_bounds__(128, B)")) == ["RP104"]


def test_vendor_condition_around_a_file_does_not_restrict_its_numbers() -> None:
    text = "#ifdef __HIPCC__\nvoid f() {}\n" + kernel("__global__ void __launch_bounds__(128, 8)") + "#endif\n"
    assert codes(text) == ["RP103"]


def test_a_dropped_second_argument_leaves_the_rest_of_the_line() -> None:
    text = kernel("__global__ void __launch_bounds__(256 , 8 ) /* tuned */")
    assert codes(text) == ["RP104"]
    assert fixed(text, "RP104") == text.replace("256 , 8 )", "256 )")


def test_the_bound_takes_the_size_of_all_launches() -> None:
    text = kernel("__global__ void __launch_bounds__(1024)").replace("48", "72")
    launches = "void run(double* a, int n) { step<<<n, 256>>>(a, a, n); step<<<1, 256>>>(a, a, n); }\n"
    assert codes(text + launches) == ["RP102"]
    assert fixed(text + launches, "RP102") == (text + launches).replace("(1024)", "(256)")
    assert codes(fixed(text + launches, "RP102")) == []


def test_no_size_is_written_if_launches_differ_or_use_a_name() -> None:
    two = "void run(double* a, int n) { step<<<n, 256>>>(a, a, n); step<<<n, 128>>>(a, a, n); }\n"
    text = kernel("__global__ void __launch_bounds__(64)") + two
    assert codes(text) == ["RP102"]
    assert fixed(text, "RP102") == text
    named = "const int T = 64;\n" + text.replace("bounds__(64)", "bounds__(T)").replace("128", "256")
    assert codes(named) == ["RP102"]
    assert fixed(named, "RP102") == named


def test_the_option_for_the_assumed_block_is_named_only_where_a_command_gives_it() -> None:
    (finding,) = testing.run([RULES["RP101"]], kernel("__global__ void"), "a.hip")
    assert "clang assumes 1,024 threads and caps it" in finding.message


@pytest.mark.parametrize(
    ("low", "best", "severity"),
    [
        *((26, 141, "WARNING"), (26, 140, "INFO"), (129, 130, "WARNING"), (128, 130, "INFO")),
        *((25, 141, "INFO"), (10, 191, "INFO"), (10, 192, "WARNING")),
    ],
)
def test_a_band_that_is_a_guess_warns_of_nothing(
    low: int, best: int, severity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    doubted = RegisterEstimate(low, best, 311, 0)
    monkeypatch.setattr("regpress_lint.model.estimate.registers.estimate", lambda *_args, **_options: doubted)
    (found,) = testing.run([RULES["RP101"]], kernel("__global__ void"))
    assert found.severity.name == severity
