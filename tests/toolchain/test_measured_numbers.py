"""Compilers' numbers beside and in the place of estimates: `kernels --measured` and `check --measured`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cli_helpers import ROOT, run
from format_samples import strict

from regpress_lint.core.measured import Row
from regpress_lint.measured.inputs import rows_of
from regpress_lint.measured.matching import Measurements, Place, normal

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path(__file__).resolve().parents[2] / "testdata/measured"
# Needs more than the 128 registers that clang gives without bounds, and has a private array.
LARGE = """#include <hip/hip_runtime.h>
__global__ void large(float *x, int n) {
  float v[160];
#pragma unroll
  for (int j = 0; j < 160; ++j) v[j] = x[j * n];
  for (int k = 0; k < n; ++k) {
#pragma unroll
    for (int j = 0; j < 160; ++j) v[j] = v[j] * v[(j + 17) % 160] + x[k];
  }
#pragma unroll
  for (int j = 0; j < 160; ++j) x[j * n + threadIdx.x] = v[j];
}
void go(float *x, int n) { large<<<1000, 256>>>(x, n); }
"""
BOUNDED = LARGE.replace("__global__ void", "__global__ void __launch_bounds__(256, 8)")


@pytest.fixture
def document(tmp_path: Path) -> Callable[..., Path]:
    """A file of `measure` with one row."""

    def made(symbol: str = "_Z5largePfi", **numbers: Any) -> Path:
        row = Row(symbol, **{"target": "gfx90a", "path": "large.hip", "line": 2, **numbers})
        path = tmp_path / "measured.json"
        instance = {**row._asdict(), "origin": ["remarks"], "arguments": ""}
        path.write_text(json.dumps({"version": 1, "kernels": [{"name": "large", "instances": [instance]}]}))
        return path

    return made


def findings(capsys: pytest.CaptureFixture[str], folder: Path, text: str, measured: Path | None) -> dict[str, Any]:
    source = folder / "large.hip"
    source.write_text(text)
    given: list[str | Path] = [] if measured is None else ["--measured", measured]
    arguments = ("check", "--isolated", "--no-cache", "--arch", "gfx90a", "--profile", "strict", source)
    out = run(capsys, *arguments, "--output-format", "json", *given).out
    return {found["code"]: found for found in json.loads(out)["diagnostics"]}


def test_the_band_beside_the_number(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    arguments = ("kernels", "kernels.hip", "--isolated", "--arch", "gfx90a", "--measured", "remarks.log")
    found = json.loads(run(capsys, *arguments, "--output-format", "json").out)["kernels"]
    measured = {kernel["name"]: kernel["targets"]["gfx90a"]["measured"] for kernel in found}
    assert measured["step"]["registers"] == {"least": 8, "median": 10, "most": 10}
    assert [each["arguments"] for each in measured["step"]["instances"]] == ["<float, 64>", "<double, 128>"]
    assert (measured["spills"]["spills"], measured["spills"]["verdict"]) == (53, "inside")  # its cap is in the way
    outside = [kernel["name"] for kernel in found if kernel["targets"]["gfx90a"]["measured"]["verdict"] != "inside"]
    listed = json.loads(run(capsys, *arguments, "--disagreements", "--output-format", "json").out)["kernels"]
    others = {name for name, each in measured.items() if each["private_memory"] != "agrees"}
    assert {kernel["name"] for kernel in listed} == {*outside, *others}
    assert f"{len(outside)} outside the band" in run(capsys, *arguments).out


def test_a_kernel_without_code_is_inside_its_band(
    capsys: pytest.CaptureFixture[str], document: Callable[..., Path]
) -> None:
    """clang gives it no VGPR at all, and a band begins at 1."""
    given = document("_Z5largePfi", registers=0, spills=0)
    source = given.with_name("large.hip")
    source.write_text("#include <hip/hip_runtime.h>\n__global__ void large(float *x, int n) {}\n")
    out = run(capsys, "kernels", source, "--isolated", "--no-cache", "--arch", "gfx90a", "--measured", given).out
    assert ("inside the band" in out, "0 outside" in out) == (True, True)
    source.write_text(LARGE)
    out = run(capsys, "kernels", source, "--isolated", "--no-cache", "--arch", "gfx90a", "--measured", given).out
    assert "BELOW the band" in out


@pytest.mark.parametrize(
    ("text", "spills", "memory", "words"),
    [
        (BOUNDED, 0, "not there", "1 scratch NOT THERE"),
        (BOUNDED, 70, "agrees", ""),
        ("__global__ void large(float *x, int n) { x[n] = 1; }\n", 70, "missed", "1 scratch MISSED"),
        ("__global__ void large(float *x, int n) { x[n] = 1; }\n", 0, "agrees", ""),
    ],
)
def test_private_memory_of_the_estimate_is_compared(
    capsys: pytest.CaptureFixture[str], document: Callable[..., Path], text: str, spills: int, memory: str, words: str
) -> None:
    given = document("_Z5largePfi", registers=64 if text == BOUNDED else 2, spills=spills)
    source = given.with_name("large.hip")
    source.write_text(text)
    arguments = ("kernels", source, "--isolated", "--no-cache", "--arch", "gfx90a", "--measured", given)
    out = run(capsys, *arguments).out
    assert ("private memory: " in out, words in out) == (bool(words), True)
    found = json.loads(run(capsys, *arguments, "--disagreements", "--output-format", "json").out)["kernels"]
    listed = [kernel["targets"]["gfx90a"]["measured"]["private_memory"] for kernel in found]
    assert listed == ([] if memory == "agrees" else [memory])


def test_the_schema_holds(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    monkeypatch.chdir(FOLDER)
    schema = json.loads((ROOT / "schemas/kernels.v1.schema.json").read_text())
    arguments = ("kernels", "kernels.hip", "--isolated", "--arch", "gfx90a,sm_90", "--measured", "remarks.log")
    found = json.loads(run(capsys, *arguments, "--output-format", "json").out)
    jsonschema.Draft202012Validator(strict(schema)).validate(found)
    assert found["kernels"][0]["targets"]["sm_90"]["measured"] is None


def test_disagreements_need_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "kernels", str(FOLDER / "kernels.hip"), "--disagreements").status == 2


@pytest.mark.slow
def test_spills_confirm_missing_bounds(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, document: Callable[..., Path]
) -> None:
    found = findings(capsys, tmp_path, LARGE, document(registers=128, spills=70))["RP101"]
    assert (found["severity"], "measured: 128 registers and 70 dwords of spills" in found["message"]) == (
        "warning",
        True,
    )
    assert findings(capsys, tmp_path, LARGE, None)["RP101"]["severity"] == "warning"
    assert "RP101" not in findings(capsys, tmp_path, LARGE, document(registers=120, spills=0))


@pytest.mark.slow
def test_spills_confirm_tight_bounds(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, document: Callable[..., Path]
) -> None:
    found = findings(capsys, tmp_path, BOUNDED, document(registers=64, spills=1))["RP104"]
    assert (found["severity"], "measured: 64 registers and 1 dword of" in found["message"]) == ("warning", True)
    assert "RP104" in findings(capsys, tmp_path, BOUNDED, None)
    assert "RP104" not in findings(capsys, tmp_path, BOUNDED, document(registers=60, spills=0))


def test_waves_are_of_the_measured_registers(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, document: Callable[..., Path]
) -> None:
    text = LARGE.replace("__global__ void", "__global__ void __launch_bounds__(256)")
    found = findings(capsys, tmp_path, text, document(registers=300, spills=0))["RP105"]
    assert (found["severity"], "limited by registers (measured: 300 registers" in found["message"]) == ("info", True)
    assert "RP105" not in findings(capsys, tmp_path, text, document(registers=64, spills=0))


def test_an_array_in_memory_for_sure(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, document: Callable[..., Path]
) -> None:
    found = findings(capsys, tmp_path, BOUNDED, document(registers=64, spills=120))["RP402"]
    assert (found["severity"], "measured: 64 registers and 120 dwords" in found["message"]) == ("warning", True)
    assert "RP402" not in findings(capsys, tmp_path, BOUNDED, document(registers=60, spills=0))


@pytest.mark.slow
def test_numbers_of_others_do_not_count(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, document: Callable[..., Path]
) -> None:
    alone = findings(capsys, tmp_path, LARGE, None)
    for other in ({"symbol": "_Z5otherPfi"}, {"path": "other.hip"}, {"target": "gfx942"}):
        measured = document(**{"registers": 4, "spills": 0, **other})
        assert findings(capsys, tmp_path, LARGE, measured) == alone


@pytest.mark.parametrize(
    "text", ["{", '{"version": 2}', '{"version": 1}', '{"version": 1, "kernels": [{"instances": [{}]}]}']
)
def test_invalid_documents(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str) -> None:
    path = tmp_path / "m.json"
    path.write_text(text)
    result = run(capsys, "check", "--measured", path, tmp_path)
    assert (result.status, result.err.count("\n")) == (2, 1)


def test_documents_come_back(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    data = run(capsys, "measure", "--output-format", "json", "kernels.co", "kernels.cubin", "igc.log").out.encode()
    rows = rows_of(data, "m.json")
    assert len(rows) == 10
    assert {row.symbol for row in rows if row.target == "gfx90a" and row.vgprs is None} == {"_Z11accumulatesPf"}


def row(symbol: str, **others: Any) -> Row:
    return Row(symbol, **{"target": "gfx90a", "registers": 10, **others})


def found(place: Place, *rows: Row) -> list[str]:
    return [each.symbol for each in Measurements(rows).of(place, "gfx90a")]


def test_overloads_are_distinguished_only_by_line() -> None:
    one, other = row("_Z1kPf", path="a.hip", line=3), row("_Z1kPd", path="a.hip", line=9)
    both = ((4, 6), (9, 12))
    first, second = Place("k", "src/a.hip", 4, 6, both), Place("k", "src/a.hip", 9, 12, both)
    assert found(first, one, other) == ["_Z1kPf"]
    assert found(second, one, other) == ["_Z1kPd"]
    # Where debug information has no line of the definition, it has one of the body.
    inside = [each._replace(line=line) for each, line in ((one, 5), (other, 11))]
    assert (found(first, *inside), found(second, *inside)) == (["_Z1kPf"], ["_Z1kPd"])
    without = [each._replace(path=None, line=None) for each in (one, other)]
    assert found(first, *without) == []
    assert found(first._replace(namesakes=both[:1]), *without) == ["_Z1kPf", "_Z1kPd"]


def test_a_source_that_has_moved_is_known_by_its_name() -> None:
    assert found(Place("k", "a.hip", 4, 6, ((4, 6),)), row("_Z1kPf", path="a.hip", line=30)) == ["_Z1kPf"]
    assert found(Place("k", "a.hip", 4, 6, ((4, 6),)), row("_Z1kPf", path="b.hip", line=4)) == []


def test_compiled_kernels_belong_to_the_unit_and_its_headers() -> None:
    mine = row("_Z1kPf", unit="/p/a.hip")
    assert found(Place("k", "/p/a.hip", 4, 6), mine) == ["_Z1kPf"]
    assert found(Place("k", "/p/b.hip", 4, 6), mine) == []
    assert found(Place("k", "/p/k.h", 4, 6), mine) == ["_Z1kPf"]


def test_a_path_of_another_machine_is_compared_by_its_last_folder_and_name() -> None:
    there = row("_Z1kPf", path="/nowhere/on/this/machine/src/a.hip", line=4)
    assert found(Place("k", "/p/src/a.hip", 4, 6), there) == ["_Z1kPf"]
    assert found(Place("k", "/p/other/a.hip", 4, 6), there) == []


def test_arguments_in_several_spellings() -> None:
    assert normal("<unsigned int, 32u, (Mode)2>") == normal("uint32_t, 32, 2")
    assert normal("<float const*, true>") == normal("float const *, true")
    assert normal("<float>") != normal("<double>")


def test_kernels_of_layers_are_found_through_their_launchers() -> None:
    lambdas = [row(f"_Z3runIZ4stepPdiEUliE{number}_EvT_i", path="layer.hpp", line=83) for number in ("", "0")]
    functor = row("_Z3runI7KineticEvT_i", path="layer.hpp", line=83)
    template = row("_Z3runIZ6scaledILi192EEvPdiEUliE_EvT_i")
    both = ((6, 8), (9, 11))
    first, second = Place("step", "a.cpp", 6, 8, both), Place("step", "a.cpp", 9, 11, both)
    every = (*lambdas, functor, template)
    assert found(first, *every) == [lambdas[0].symbol]
    assert found(second, *every) == [lambdas[1].symbol]
    assert found(Place("Kinetic", "a.cpp", 3, 4), *every) == [functor.symbol]
    assert found(Place("scaled", "a.cpp", 20, 21), *every) == [template.symbol]
    # A third lambda that nobody sees in the source: which of them is which is not known.
    third = row("_Z3runIZ4stepPdiEUliE1_EvT_i")
    assert found(first, *every, third) == []


def test_log_of_other_kernels_is_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = tmp_path / "a.cu"
    source.write_text("__global__ void scale(float *x) { x[threadIdx.x] *= 2; }\n")
    log = tmp_path / "ptxas.log"
    log.write_text(
        "ptxas info    : Compiling entry function '_Z5otherPf' for 'sm_90'\n"
        "ptxas info    : Function properties for _Z5otherPf\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 8 registers, used 0 barriers\n"
    )
    result = run(capsys, "kernels", "--isolated", "--no-cache", "--arch", "sm_90", "--measured", log, source)
    assert "none of the 1 measured kernels, `other` among them, is one of these" in result.err
    same = log.with_name("same.log")
    same.write_text(log.read_text().replace("_Z5otherPf", "_Z5scalePf"))
    result = run(capsys, "kernels", "--isolated", "--no-cache", "--arch", "sm_90", "--measured", same, source)
    assert "none of" not in result.err
