"""`diff`: changes outside a kernel's text that affect it, and roles of warp groups."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from snippets import ROOT

from regpress_lint.__main__ import main

if TYPE_CHECKING:
    from pathlib import Path

BEFORE, AFTER = (str(ROOT / "testdata" / "setup" / side) for side in ("before", "after"))
TEXT = (ROOT / "testdata" / "setup" / "before" / "gemm.cu").read_text()


@pytest.fixture(scope="module")
def kernels() -> dict[str, Any]:
    from contextlib import redirect_stdout
    from io import StringIO

    with redirect_stdout(StringIO()) as out:
        words = ["diff", "--isolated", "--no-cache", "--arch", "sm_90a", "--output-format", "json", BEFORE, AFTER]
        assert main(words) == 0
    return {each["name"]: each for each in json.loads(out.getvalue())["kernels"]}


def test_constants_and_launches_are_named(kernels: dict[str, Any]) -> None:
    assert kernels["tile"]["setup"] == ["TILE 8 -> 4", "64 -> 128 blocks"]
    assert kernels["tile"]["targets"]["sm_90"]["moved"]
    # Neither the text of the kernel nor that of its launch is another; and nothing else would show it.
    assert kernels["split"]["setup"] == ["SPLIT 1 -> 4"]
    assert not kernels["split"]["targets"]["sm_90"]["moved"]


def test_roles_before_and_after(kernels: dict[str, Any]) -> None:
    target = kernels["roles"]["targets"]["sm_90"]
    assert [[each["registers"] for each in target[side]["roles"]] for side in ("before", "after")] == [
        [40, 232],
        [24, 240],
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("dim3(n / 256, 1, SPLIT), 256", "dim3(n / 256, 1, 3), 256", "<<<dim3(n / 256, 1, SPLIT), 256>>> -> <<<dim3"),
        ("dim3(n / 256, 1, SPLIT), 256", "dim3(n / 256, 1, SPLIT), 128", "256 -> 128 threads per block"),
        ("<<<64, 256>>>", "<<<64, 256, 4096>>>", "0 -> 4096 bytes of dynamic LDS"),
    ],
)
def test_launches(capsys: pytest.CaptureFixture[str], tmp_path: Path, old: str, new: str, expected: str) -> None:
    (tmp_path / "gemm.cu").write_text(TEXT.replace(old, new))
    assert main(["diff", "--isolated", "--no-cache", "--arch", "sm_90a", BEFORE, str(tmp_path)]) == 0
    assert expected in " ".join(capsys.readouterr().out.split())


def test_a_kernel_that_is_set_up_alike_is_not_shown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "gemm.cu").write_text(f"// A comment.\n{TEXT}")
    assert main(["diff", "--isolated", "--no-cache", "--arch", "sm_90a", BEFORE, str(tmp_path)]) == 0
    assert capsys.readouterr().out == "None of 3 kernels changed.\n"
