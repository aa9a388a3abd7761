"""A finding has one place, whatever files a run is given: what one that checks a file alone prints, as a hook does, is
what one over the whole tree prints of that file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cli_helpers import run, run_json

if TYPE_CHECKING:
    from pathlib import Path

BODY = """SYCL_EXTERNAL void align(float *x, const int *index, sycl::nd_item<1> it) {
  float row[300];
  for (int i = 0; i < 300; i++) row[i] = x[i * 64 + it.get_global_id(0)];
  x[it.get_global_id(0)] = row[index[it.get_global_id(0)]] + row[index[0]];
}
"""
HEAD = "#include <sycl/sycl.hpp>\n"
MAIN = """
void run(sycl::queue &q, float *x, const int *index) {
  q.parallel_for(sycl::nd_range<1>(1024, 256), [=](sycl::nd_item<1> it) { align(x, index, it); });
}
"""
TREES = {
    "a source that another includes": {"body.cpp": BODY, "main.cpp": HEAD + '#include "body.cpp"' + MAIN},
    "a header": {"inc/body.hpp": HEAD + BODY, "main.cpp": HEAD + '#include "inc/body.hpp"' + MAIN},
    "another source": {"body.cpp": HEAD + BODY, "main.cpp": HEAD + BODY.partition(" {")[0] + ";" + MAIN},
    "CUDA": {
        "k.cuh": "__global__ void k(float *x, int n) { float t[300]; for (int i = 0; i < n; i++) t[i % 300] = x[i];"
        " x[0] = t[n % 300]; }\n",
        "main.cu": '#include "k.cuh"\nvoid run(float *x) { k<<<1, 64>>>(x, 4); }\n',
    },
}


@pytest.mark.parametrize("name", TREES)
def test_single_file_has_the_findings_of_the_whole_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for path, text in TREES[name].items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    whole = run_json(capsys, ".")["diagnostics"]
    assert {each["path"] for each in whole} == {next(iter(TREES[name]))}
    for path in TREES[name]:
        assert run_json(capsys, path)["diagnostics"] == [each for each in whole if each["path"] == path], path


def test_baseline_of_the_tree_covers_single_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for path, text in TREES["a source that another includes"].items():
        (tmp_path / path).write_text(text)
    run(capsys, "baseline", "write", ".")
    for path in ("main.cpp", "body.cpp", "."):
        assert run_json(capsys, path)["diagnostics"] == [], path
