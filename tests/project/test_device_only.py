"""tools/measure/device_only.py: what a compiler cannot read of a source goes, its kernels stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tools.measure.device_only import compiled_in_part, without

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = """\
#include "library.h"
typedef struct {
  int n;
} Config;
static handle_t handle;
namespace inner {
template <typename T, int N> __global__ void scale(T* a) { a[threadIdx.x] *= N; }
}
void run(float* a) {
#ifdef TIMED
  start(handle);
#endif
  inner::scale<float, 4><<<1, 32>>>(a);
  check(handle);
}
__global__ void broken(float* a) { a[0] = cg::reduce(a[1]); }
__global__ void kept(float* a) { a[0] = 1; }
"""


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(SOURCE.splitlines(), 1) if text in line)


@pytest.mark.parametrize("gone", ["handle_t handle", "check(handle)", "cg::reduce"])
def test_statement_of_the_line_is_removed_and_the_rest_keeps_its_place(gone: str) -> None:
    found = without(SOURCE.encode(), line_of(gone))
    assert found is not None
    assert gone not in found.decode()
    assert found.count(b"\n") == SOURCE.count("\n")
    assert found.decode().splitlines()[line_of("void kept") - 1] == SOURCE.splitlines()[line_of("void kept") - 1]


def test_kernels_of_a_host_function_are_instantiated_without_it_and_its_directives_stay() -> None:
    found = without(SOURCE.encode(), line_of("check(handle)"))
    assert found is not None
    assert b"(const void*)inner::scale<float, 4>;" in found
    assert (found.count(b"#ifdef"), found.count(b"#endif")) == (1, 1)


def test_types_stay() -> None:
    assert without(SOURCE.encode(), line_of("int n;")) is None


def test_it_is_compiled_again_without_what_the_compiler_names(tmp_path: Path) -> None:
    folder, place = tmp_path / "project", tmp_path / "place"
    folder.mkdir()
    place.mkdir()
    (folder / "a.cu").write_text(SOURCE)

    def compiler(path: Path, flags: list[str]) -> str:
        text = path.read_text()
        for line, words in enumerate(text.splitlines(), 1):
            if "library.h" in words and not any((path.parent / flag[2:] / "library.h").exists() for flag in flags):
                raise RuntimeError(f"{path}:{line}:10: fatal error: library.h: No such file or directory")
            if "handle_t" in words or "check(" in words or "cg::" in words:
                raise RuntimeError(f"{path}({line}): error: identifier is undefined")
        return text

    found = compiled_in_part(folder / "a.cu", place, folder, compiler)
    assert found is not None
    assert "kept" in found
    assert "broken" not in found
    assert (folder / "a.cu").read_text() == SOURCE


def test_a_missing_header_is_the_one_of_the_checkout_that_ends_so(tmp_path: Path) -> None:
    folder, place = tmp_path / "project", tmp_path / "place"
    (folder / "externals" / "lib").mkdir(parents=True)
    (folder / "other").mkdir()
    place.mkdir()
    (folder / "externals" / "lib" / "half.h").write_text("")
    (folder / "other" / "half.h").write_text("")
    (folder / "a.cu").write_text('#include "lib/half.h"\n__global__ void kept(float* a) { a[0] = 1; }\n')

    def compiler(path: Path, flags: list[str]) -> str:
        made = [header for flag in flags if (header := path.parent / flag[2:] / "lib" / "half.h").is_file()]
        if not made:
            raise RuntimeError(f"{path}:1:10: fatal error: 'lib/half.h' file not found")
        return made[0].read_text()

    found = compiled_in_part(folder / "a.cu", place, folder, compiler)
    assert found == f'#include "{folder / "externals" / "lib" / "half.h"}"\n'
