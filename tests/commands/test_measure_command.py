"""`measure` as a user runs it: tables, JSON and CSV of logs and objects, and messages for unusable inputs."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cli_helpers import ROOT, run
from format_samples import strict

from regpress_lint.commands.check.modes import _proofs
from regpress_lint.commands.measure.output import groups, lines
from regpress_lint.core.errors import UsageError
from regpress_lint.core.measured import NUMBERS, Row
from regpress_lint.measured import inputs
from regpress_lint.measured.inputs import rows_of
from regpress_lint.measured.rows import block_of, resident

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path(__file__).resolve().parents[2] / "testdata/measured"
EVERY = (
    *("remarks.log", "two_gpus.log", "ptxas.log", "igc.log", "kernels.s", "kernels.co", "kernels.cubin"),
    *("kernels.fatbin", "bundle.hipfb", "compressed.ccob", "kernels.zebin"),
    *("hipcc.log", "hipcc.o", "replay_hipcc.log", "replay_amdclang.log", "replay_icpx.log"),
    *("places_5.co", "places_4.co", "places_lines.co", "places_5.s", "places_sm_80.cubin", "places_sm_90.cubin"),
    "places_split_5.co",
)


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    monkeypatch.setenv("COLUMNS", "160")


def document(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Any:
    return json.loads(run(capsys, "measure", "--output-format", "json", *arguments).out)


def test_the_schema_holds(capsys: pytest.CaptureFixture[str]) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "schemas/measured.v1.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(strict(schema)).validate(document(capsys, *EVERY))


def test_instantiations_are_below_their_kernel(capsys: pytest.CaptureFixture[str]) -> None:
    found = {kernel["name"]: kernel["instances"] for kernel in document(capsys, "kernels.co")["kernels"]}
    assert [each["arguments"] for each in found["lbm::step"]] == ["<double, 128>", "<float, 64>"]
    lines = run(capsys, "measure", "kernels.co").out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("lbm::step"))
    assert [line.split("  ")[1] for line in lines[at + 1 : at + 3]] == ["<double, 128>", "<float, 64>"]


def test_waves_match_the_model(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "--log", "ptxas.log", "--block-size", "1024")
    spills = next(kernel for kernel in found["kernels"] if kernel["name"] == "spills")["instances"][0]
    assert (spills["block_size"], spills["occupancy"]["waves_per_simd"]) == (1024, 16)
    indexed = document(capsys, "kernels.zebin")["kernels"][0]["instances"][0]
    assert (indexed["registers"], indexed["occupancy"]["max_waves_per_simd"]) == (None, 8)


@pytest.mark.parametrize(("bounds", "block"), [(None, "256?"), (1024, "256?"), (256, "256"), (128, "128")])
def test_assumed_block_is_marked_and_a_kernel_without_a_line_has_its_source(bounds: int | None, block: str) -> None:
    row = Row("_Z4axpyi", "sm_90", registers=10, max_threads=bounds, unit="axpy.cu")
    _, numbers, *marks = lines(groups([row], 256), 200)
    assert numbers.split()[1] == "axpy.cu"
    assert block in numbers.split()
    assert any(mark.startswith("256? ") for mark in marks) == block.endswith("?")


def test_log_without_a_gpu_requests_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text((FOLDER / "remarks.log").read_text().partition("\n")[2])
    result = run(capsys, "measure", log)
    assert (result.status, "--arch" in result.err, "?: the input" in result.out) == (0, True, True)
    assert "gfx942" in run(capsys, "measure", log, "--arch", "gfx942").out


def test_a_log_without_its_gpu_is_of_the_configuration_s(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = (FOLDER / "remarks.log").read_text()
    (tmp_path / "regpress.toml").write_text('arch = ["gfx942", "sm_90"]\n')
    (tmp_path / "silent.log").write_text(text.partition("\n")[2])
    (tmp_path / "a.hip").write_text((FOLDER / "kernels.hip").read_text())
    (tmp_path / "speaks.log").write_text(text)
    found = run(capsys, "measure", tmp_path / "silent.log", "--output-format", "csv")
    assert ({row["target"] for row in csv.DictReader(io.StringIO(found.out))}, found.err) == ({"gfx942"}, "")
    # What a log says itself counts more.
    assert {
        row["target"]
        for row in csv.DictReader(
            io.StringIO(run(capsys, "measure", tmp_path / "speaks.log", "--output-format", "csv").out)
        )
    } == {"gfx90a"}
    # `check` asks the same.
    checked = run(capsys, "check", tmp_path / "a.hip", "--no-cache", "--measured", tmp_path / "silent.log")
    assert "--arch" not in checked.err


def test_unknown_is_a_dash_in_the_table_and_empty_in_csv(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(run(capsys, "measure", "--output-format", "csv", "kernels.cubin").out)))
    assert {row["spills"] for row in rows} == {""}
    assert {row["agprs"] for row in rows} == {""}
    assert {name for name in NUMBERS if name not in rows[0]} == set()
    head, row, *_ = run(capsys, "measure", "kernels.cubin").out.splitlines()
    assert "AGPRs" not in head
    assert row.split()[4] == "-"


def test_folder_is_read_as_its_logs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no log\n")
    assert "without files that end in .log" in run(capsys, "measure", "--log", tmp_path).err
    for name in ("remarks.log", "ptxas.log"):
        (tmp_path / name).write_bytes((FOLDER / name).read_bytes())
    found = document(capsys, "--log", tmp_path)
    assert {each["target"] for kernel in found["kernels"] for each in kernel["instances"]} == {"gfx90a", "sm_90"}


def test_standard_input_and_a_file_for_the_output(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "m.json"
    result = run(capsys, "measure", "kernels.co", "--output-format", "json", "--output", out)
    assert (result.status, result.out) == (0, "")
    assert len(json.loads(out.read_text())["kernels"]) == 4


@pytest.mark.parametrize(
    "arguments", [[], ["absent.o"], ["--arch", "gfx90b", "kernels.co"], ["--output-format", "xml", "kernels.co"]]
)
def test_wrong_use(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    result = run(capsys, "measure", *arguments)
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    assert UsageError.__name__ not in result.err


def test_invalid_input_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing\n")
    result = run(capsys, "measure", tmp_path / "notes.txt", "kernels.co")
    assert (result.status, "notes.txt: neither a log" in result.err) == (0, True)
    assert run(capsys, "measure", tmp_path / "notes.txt").status == 2
    (tmp_path / "usage.txt").write_text("\nResource usage:\n Function k:\n  REG:8 STACK:0 SHARED:1040 LOCAL:0\n")
    assert "give the object itself" in run(capsys, "measure", tmp_path / "usage.txt").err


def mutants(data: bytes, count: int, seed: int) -> list[bytes]:
    """Copies that are cut, have bytes changed, or have parts doubled or moved."""
    dice = random.Random(seed)
    found = []
    for _ in range(count):
        mutant = bytearray(data)
        for _ in range(dice.choice((1, 1, 2, 8, 64))):
            if len(mutant) < 64:
                break
            at = dice.randrange(len(mutant))
            kind = dice.randrange(5)
            if kind == 0:
                mutant[at] = dice.choice((0, 1, 0x7F, 0x80, 0xFF, dice.randrange(256)))
            elif kind == 1:
                width = dice.choice((2, 4, 8))
                mutant[at : at + width] = dice.choice((b"\xff" * width, b"\0" * width, dice.randbytes(width)))
            elif kind == 2:
                del mutant[at : at + dice.randrange(1, 64)]
            elif kind == 3:
                mutant[at:at] = mutant[dice.randrange(len(mutant)) :][: dice.randrange(1, 64)]
            else:
                del mutant[max(64, at) :]
        found.append(bytes(mutant))
    return found


def survives(name: str, count: int) -> None:
    data = (FOLDER / name).read_bytes()
    for mutant in mutants(data, count, 17):
        found = inputs.read(mutant, name, ("gfx90a",))
        assert found.rows or found.problems
        for row in found.rows:
            assert all(value is None or value >= 0 for value in (getattr(row, number) for number in NUMBERS))


@pytest.mark.parametrize("name", EVERY)
def test_damaged_inputs_cause_no_traceback(name: str) -> None:
    survives(name, 40)


@pytest.mark.long
@pytest.mark.parametrize("name", EVERY)
def test_many_damaged_inputs(name: str) -> None:
    survives(name, 20_000)


# What is read again: the JSON of `measure` and of `verify`. One line or an answer.
PROOF = {
    "version": 1,
    "findings": [
        {"code": "RP201", "path": "a.hip", "kernel": "k", "line": 5, "verdict": "confirmed", "targets": {"gfx90a": {}}}
    ],
}


def comes_to_an_answer(capsys: pytest.CaptureFixture[str], kind: str, count: int) -> None:
    readers: dict[str, tuple[bytes, Callable[[bytes], object]]] = {
        "measure": (
            json.dumps(document(capsys, "--log", "remarks.log", "kernels.cubin")).encode(),
            lambda mutant: [resident(row, block_of(row, 256)) for row in rows_of(mutant, kind)],
        ),
        "verify": (json.dumps(PROOF).encode(), lambda mutant: _proofs(mutant, kind)),
    }
    data, reader = readers[kind]
    for mutant in mutants(data, count, 23):
        with contextlib.suppress(UsageError):
            reader(mutant)


@pytest.mark.parametrize("kind", ["measure", "verify"])
def test_damaged_documents_cause_no_traceback(capsys: pytest.CaptureFixture[str], kind: str) -> None:
    comes_to_an_answer(capsys, kind, 40)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["measure", "verify"])
def test_many_damaged_documents(capsys: pytest.CaptureFixture[str], kind: str) -> None:
    comes_to_an_answer(capsys, kind, 20_000)
