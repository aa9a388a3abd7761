"""Files that include a header are found near it: in its folder, beside, below and in all folders above."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from regpress_lint.lint.projects import Projects

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = "__global__ void scaled(real* o, const real* a) { o[threadIdx.x] = CEIL(a[threadIdx.x]); }\n"


@pytest.mark.parametrize(
    ("header", "main", "text"),
    [
        ("scaled.cuh", "main.cu", "scaled.cuh"),
        ("kernels/matmul/scaled.cuh", "main.cu", "kernels/matmul/scaled.cuh"),
        ("kernels/matmul/v1/scaled.cuh", "kernels/main.cu", "matmul/v1/scaled.cuh"),
        ("scaled.cuh", "instances/main.cu", "../scaled.cuh"),
        ("include/scaled.cuh", "src/main.cu", "../include/scaled.cuh"),
        ("include/project/losses/scaled.cuh", "src/main.cu", "project/losses/scaled.cuh"),
    ],
)
@pytest.mark.parametrize("absolute", [False, True])
def test_the_file_that_includes_a_header_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, header: str, main: str, text: str, *, absolute: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    written = {header: KERNEL, main: f'typedef double real;\n#define CEIL(x) (x + 1)\n#include "{text}"\n'}
    for name, content in written.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    spelled = {name: str(tmp_path / name) if absolute else name for name in written}
    projects = Projects(spelled.values())
    assert projects.of(spelled[header]).includers(spelled[header]) == (spelled[main],)


def test_a_folder_of_many_files_above_a_header_is_left_out() -> None:
    projects = Projects((*(f"f{number}.cu" for number in range(65)), "a/b/k.cuh", "a/main.cu"))
    assert set(projects.peers_of("a/b/k.cuh")) == {"a/b/k.cuh", "a/main.cu"}
