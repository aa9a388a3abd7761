"""Calls go down the layers, as imports do: callbacks and protocols that ask the layers above are few, and get fewer."""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from cli_helpers import ROOT

from regpress_lint.__main__ import main

if TYPE_CHECKING:
    from types import FrameType

# Of the calls from one package to another those that go up, in percent. It only ever falls: who makes a callback into
# a layer above hands down data instead.
_BUDGET = 1.0
_ASK_NOBODY = tuple(f"regpress_lint.model.{part}" for part in ("graph", "interpreter", "passes"))


def _layers() -> dict[str, int]:
    """The packages of `[tool.importlinter]`, by how far up they are."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (layers,) = (one["layers"] for one in contracts if one["name"] == "Imports go down only")
    return {name.strip(): -depth for depth, names in enumerate(layers) for name in names.split("|")}


def _calls(path: str, layers: dict[str, int]) -> Counter[tuple[str, str, str]]:
    """Calls between packages in one `check`: the caller's package, the callee's, and the function."""
    found: Counter[tuple[str, str, str]] = Counter()
    packages: dict[str, str] = {}

    def package(frame: FrameType) -> str:
        module = str(frame.f_globals.get("__name__", ""))
        if module not in packages:
            packages[module] = next((name for name in layers if f"{module}.".startswith(f"{name}.")), "")
        return packages[module]

    def seen(frame: FrameType, event: str, _argument: object) -> None:
        back = frame.f_back
        if event != "call" or back is None or back.f_code.co_name == "<module>":  # what an import runs, once
            return
        above, below = package(back), package(frame)
        if above and below and above != below:
            found[above, below, frame.f_code.co_qualname] += 1

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        main(["check", "--exit-zero", "--isolated", "--no-cache", path])
    finally:
        sys.setprofile(before)
    return found


@pytest.mark.parametrize(
    "path",
    [
        "testdata/kernels/intel_histogram/bins_256.cpp",
        pytest.param("testdata/kernels/register_tile/sgemm_unrolled.cu", marks=pytest.mark.slow),
        pytest.param("testdata/kernels/smells/live_range_clean.hip", marks=pytest.mark.slow),
    ],
)
def test_calls_between_packages_go_down(
    path: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    layers = _layers()
    calls = _calls(path, layers)
    capsys.readouterr()
    up = Counter({call: times for call, times in calls.items() if layers[call[1]] > layers[call[0]]})
    share = 100 * up.total() / calls.total()
    worst = "\n".join(f"{times}: {above} -> {below} {name}" for (above, below, name), times in up.most_common(10))
    assert calls.total() > 3_000  # the kernel was read and executed
    assert [call for call in up if call[0] in _ASK_NOBODY] == []
    assert share <= _BUDGET, f"{up.total()} of {calls.total()} calls between packages go up:\n{worst}"
