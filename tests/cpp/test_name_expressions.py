"""Instantiations that string literals name: CuPy's `name_expressions`, nvrtcAddNameExpression and hipRTC's."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from cli_helpers import run

if TYPE_CHECKING:
    from pathlib import Path

SUMS = """template <typename T, int N>
__global__ void sums(T* out, const T* in, int n) {
  T acc[N];
  for (int k = 0; k < N; ++k) acc[k] = T(0);
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < N; ++k) acc[k] += in[j * N + k] * T(2);
  T s = T(0);
  for (int k = 0; k < N; ++k) s += acc[k];
  out[threadIdx.x] = s;
}
"""
PYTHON = f"import cupy\nCODE = r'''\n{SUMS}'''\n"
NVRTC = f'#include <nvrtc.h>\nconst char* code = R"(\n{SUMS})";\n'
HIPRTC = NVRTC.replace("nvrtc.h", "hip/hiprtc.h")
ADDED = 'void add(P p) { %s(p, "sums<float, 8>"); %s(p, "&sums<double,16>"); }\n'


def instances(capsys: pytest.CaptureFixture[str], path: Path, text: str) -> tuple[bool, list[tuple[str, int]]]:
    path.write_text(text)
    (kernel,) = json.loads(run(capsys, "kernels", "--no-cache", "--output-format", "json", path).out)["kernels"]
    (target,) = kernel["targets"].values()
    return kernel["complete"], [(each["arguments"], each["line"]) for each in target["instances"]]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", f"{PYTHON}names = ['sums<float, 8>', \"sums<double,16>\"]\n"),
        ("a.cpp", NVRTC + ADDED.replace("%s", "nvrtcAddNameExpression")),
        ("a.cpp", HIPRTC + ADDED.replace("%s", "hiprtcAddNameExpression")),
    ],
)
def test_names_in_literals_are_instantiations(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str
) -> None:
    line = text[: text.index("sums<float")].count("\n") + 1
    assert instances(capsys, tmp_path / name, text) == (True, [("float, 8", line), ("double, 16", line)])


@pytest.mark.parametrize(
    "names",
    [
        "names = [f'sums<{t}, 8>' for t in types]\n",  # no name without a field
        "names = ['other<float, 8>', 'sums', 'sums<float']\n",
        "# 'sums<float, 8>'\n",
    ],
)
def test_other_literals_do_not_instantiate(tmp_path: Path, capsys: pytest.CaptureFixture[str], names: str) -> None:
    assert instances(capsys, tmp_path / "a.py", PYTHON + names) == (False, [])


def test_a_comment_names_no_instantiation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert instances(capsys, tmp_path / "a.cpp", f'{NVRTC}// "sums<float, 8>"\n') == (False, [])


def test_a_name_with_a_field_stays_open_beside_one_without(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = f"{PYTHON}names = ['sums<float, 8>', *[f'sums<{{t}}, 8>' for t in types]]\n"
    complete, found = instances(capsys, tmp_path / "a.py", text)
    assert not complete
    assert [arguments for arguments, _ in found] == ["float, 8", "t, 8"]
