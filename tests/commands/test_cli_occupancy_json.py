"""`occupancy --output-format json`: every answer validates against the schema, and each key has the right value."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from cli_helpers import run
from corpus import drawn

from regpress_lint.targets.occupancy import architectures

if TYPE_CHECKING:
    from pathlib import Path

COUNT = {"type": "integer", "minimum": 0}
WAVES = {"type": "number", "minimum": 0}
FRACTION = {"type": "number", "minimum": 0, "maximum": 1}
TEXT_OR_NULL = {"type": ["string", "null"]}
COUNT_OR_NULL = {"type": ["integer", "null"], "minimum": 0}
LIMITER = {"enum": ["waves", "registers", "sgprs", "lds", "groups", "barriers"]}
RESOURCE = {"enum": ["registers", "sgprs", "lds_bytes", "block_size"]}


def closed(**properties: Any) -> dict[str, Any]:
    """An object with exactly these keys."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def array(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


STEP = closed(resource=RESOURCE, value=COUNT, waves_per_simd=WAVES)
REMARK = closed(block_size=COUNT, waves_per_simd=COUNT)
POINT = {
    "from": COUNT,
    "to": COUNT,
    "blocks": COUNT,
    "waves": COUNT,
    "waves_per_simd": WAVES,
    "fraction": FRACTION,
    "limiters": array(LIMITER),
    "grf": COUNT_OR_NULL,
}
TARGET = {
    "registers": COUNT,
    "agprs": COUNT,
    "sgprs": COUNT,
    "lds_bytes": COUNT,
    "block_size": COUNT,
    "wave_size": COUNT,
    "total_registers": COUNT,
    "spilled_registers": COUNT,
    "vendor": {"enum": ["amd", "nvidia", "intel"]},
    "unit": {"enum": ["CU", "WGP", "SM", "Xe-core"]},
    "mode": {"enum": ["cu", "wgp", None]},
    "grf": COUNT_OR_NULL,
    "carveout": COUNT_OR_NULL,
    "barriers": COUNT,
    "cluster": {
        "anyOf": [
            {"type": "null"},
            closed(blocks=COUNT, portable={"type": "boolean"}, h200=closed(clusters=COUNT, share=FRACTION)),
        ]
    },
    "occupancy": closed(
        waves_per_simd=WAVES,
        max_waves_per_simd=COUNT,
        waves=COUNT,
        max_waves=COUNT,
        fraction=FRACTION,
        limiters={**array(LIMITER), "minItems": 1},
        next={"anyOf": [{"type": "null"}, STEP]},
        blocks=COUNT,
        per_limiter={"type": "object", "propertyNames": LIMITER, "additionalProperties": COUNT_OR_NULL},
        impossible=TEXT_OR_NULL,
    ),
    "limits": closed(
        registers_per_thread=COUNT,
        lds_bytes_per_block=COUNT,
        threads_per_block=COUNT,
        blocks_per_unit=COUNT_OR_NULL,
        waves_per_simd=COUNT,
        simds_per_unit=COUNT,
    ),
    "next": array(STEP),
    "larger_block": {"anyOf": [{"type": "null"}, STEP]},
    "next_together": array(STEP),
    "headroom": {"type": "object", "propertyNames": RESOURCE, "additionalProperties": closed(more=COUNT, up_to=COUNT)},
    "remedies": array(array(closed(resource={"type": "string"}, at_most=COUNT))),
    "compiler_waves_per_simd": COUNT_OR_NULL,
    "runtime_blocks": COUNT,
    "conventions": closed(
        resident=closed(blocks=COUNT, waves_per_simd=WAVES),
        compiler_remark={"anyOf": [{"type": "null"}, closed(without_launch_bounds=REMARK, with_launch_bounds=REMARK)]},
        runtime_api=closed(name={"type": "string"}, blocks=COUNT, waves_per_simd=WAVES),
    ),
    "register_steps": array(closed(registers=COUNT, waves_per_simd=WAVES, grf=COUNT_OR_NULL)),
}
SWEEP = closed(resource=RESOURCE, present=COUNT, points={**array(closed(**POINT)), "minItems": 1})


def schema(*, swept: bool) -> dict[str, Any]:
    target = closed(**TARGET, sweep=SWEEP) if swept else closed(**TARGET)
    return closed(version={"const": 1}, targets={"type": "object", "additionalProperties": target, "minProperties": 1})


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def answer(capsys: pytest.CaptureFixture[str], arguments: str, status: int = 0) -> dict[str, Any]:
    result = run(capsys, "occupancy", "--output-format", "json", *arguments.split())
    assert result.status == status
    document: dict[str, Any] = json.loads(result.out)
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator(schema(swept="--sweep" in arguments)).validate(document)
    targets: dict[str, Any] = document["targets"]
    return targets


ALL = ",".join(arch.name for arch in architectures())


@pytest.mark.parametrize(
    "rest", drawn(["", "--lds 20K --block 96", "--sweep registers", "--sweep lds", "--sweep block"], 2)
)
def test_every_architecture_keeps_the_schema(capsys: pytest.CaptureFixture[str], rest: str) -> None:
    assert ",".join(answer(capsys, f"--arch {ALL} --registers 60 {rest}")) == ALL


def test_a_larger_block(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "--arch h100,mi250x --registers 32 --block 32")
    assert found["sm_90"]["larger_block"] == {"resource": "block_size", "value": 64, "waves_per_simd": 16}
    assert found["gfx90a"]["larger_block"] is None


def test_keys_of_the_first_version_keep_their_meaning(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "--arch mi250 --registers 96 --block 1024")["gfx90a"]
    assert found["compiler_waves_per_simd"] == 5
    assert found["occupancy"]["waves_per_simd"] == 4
    assert found["occupancy"]["next"] == {"resource": "registers", "value": 64, "waves_per_simd": 8}
    assert found["register_steps"][1] == {"registers": 128, "waves_per_simd": 4, "grf": None}
    assert found["headroom"]["registers"] == {"more": 32, "up_to": 128}


def test_the_conventions_name_the_block_size_they_assume(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "--arch gfx906 --registers 20 --block 64")["gfx906"]["conventions"]
    assert found["resident"] == {"blocks": 40, "waves_per_simd": 10}
    assert found["compiler_remark"] == {
        "without_launch_bounds": {"block_size": 1024, "waves_per_simd": 8},
        "with_launch_bounds": {"block_size": 64, "waves_per_simd": 10},
    }
    assert found["runtime_api"] == {
        "name": "hipOccupancyMaxActiveBlocksPerMultiprocessor",
        "blocks": 32,
        "waves_per_simd": 8,
    }


def test_limiters_that_tie(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "--arch mi250x --registers 102 --lds 16K")["gfx90a"]
    assert found["occupancy"]["limiters"] == ["registers", "lds"]
    assert (found["next"], found["occupancy"]["next"]) == ([], None)
    assert [(step["resource"], step["value"]) for step in found["next_together"]] == [
        ("registers", 96),
        ("lds_bytes", 12800),
    ]


def test_the_points_of_a_sweep(capsys: pytest.CaptureFixture[str]) -> None:
    targets = answer(capsys, "--arch gfx90a --registers 70 --agprs 64 --sweep registers")
    sweep = targets["gfx90a"]["sweep"]
    assert (sweep["resource"], sweep["present"]) == ("registers", 136)
    here = next(point for point in sweep["points"] if point["from"] <= 136 <= point["to"])
    assert (here["from"], here["to"], here["waves_per_simd"], here["limiters"]) == (129, 168, 3, ["registers"])
    run_json = json.loads(
        run(
            capsys,
            "occupancy",
            "--output-format",
            "json",
            "--arch",
            "gfx906,sm_90",
            "--registers",
            "8",
            "--sweep",
            "sgprs",
        ).out
    )
    assert ["sweep" in target for target in run_json["targets"].values()] == [True, False]


def test_an_impossible_launch_is_still_a_document(capsys: pytest.CaptureFixture[str]) -> None:
    targets = answer(capsys, "--arch sm_80,gfx90a --registers 200 --block 288", status=2)
    assert "200 registers" in targets["sm_80"]["occupancy"]["impossible"]
    assert targets["sm_80"]["remedies"] == [
        [{"resource": "registers", "at_most": 168}, {"resource": "block_size", "at_most": 256}]
    ]
    assert targets["gfx90a"]["occupancy"]["impossible"] is None
    assert targets["gfx90a"]["occupancy"]["blocks"] > 0


def test_architecture_numbers_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    targets = answer(capsys, "--arch gfx1100,pvc,sm_90 --registers 76 --grf auto --mode cu --carveout 50 --barriers 2")
    assert [targets[name]["mode"] for name in targets] == ["cu", None, None]
    assert [targets[name]["grf"] for name in targets] == [None, 256, None]
    assert [targets[name]["carveout"] for name in targets] == [None, None, 50]
    assert [targets[name]["barriers"] for name in targets] == [1, 2, 2]
    assert answer(capsys, "--arch pvc --registers 76")["pvc"]["spilled_registers"] == 12


def test_clusters_that_one_chip_held(capsys: pytest.CaptureFixture[str]) -> None:
    words = "--arch h200,sm_80 --registers 32 --block 1024"
    assert [one["cluster"] for one in answer(capsys, words).values()] == [None, None]
    found = answer(capsys, f"{words} --cluster 16")
    assert found["sm_80"]["cluster"] is None
    cluster = found["sm_90"]["cluster"]
    assert (cluster["blocks"], cluster["portable"], cluster["h200"]["clusters"]) == (16, False, 14)
    assert round(cluster["h200"]["share"], 2) == 0.85
    refused = answer(capsys, f"{words} --lds 300K --cluster 2", status=2)["sm_90"]
    assert (refused["occupancy"]["blocks"], refused["cluster"]["h200"]["clusters"]) == (0, 0)


def test_every_register_mode_of_xe3(capsys: pytest.CaptureFixture[str]) -> None:
    waves = {grf: answer(capsys, f"--arch xe3 --registers 40 --grf {grf}")["xe3"] for grf in (96, 128, 160, 192, 256)}
    assert {grf: one["occupancy"]["waves_per_simd"] for grf, one in waves.items()} == {
        96: 10,
        128: 8,
        160: 6,
        192: 5,
        256: 4,
    }
    refused = answer(capsys, "--arch pvc --registers 40 --grf 192", status=2)["pvc"]
    assert refused["occupancy"]["impossible"] == "pvc has no 192-register mode"
