"""The vendors' own answers without a mismatch: a sample of each table, in plain text, and the whole tables."""

from __future__ import annotations

import csv
import lzma
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from regpress_lint.targets.occupancy import KernelUse, architecture, compiler_waves_per_simd, occupancy, runtime_blocks
from regpress_lint.targets.occupancy.nvidia import H200, TERMS, active_clusters

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "testdata" / "occupancy"
Row = dict[str, str]


def _amd_use(row: Row) -> KernelUse:
    return KernelUse(
        vgprs=int(row["vgprs"]),
        agprs=int(row["agprs"]),
        sgprs=int(row["sgprs"]),
        lds_bytes=int(row["lds_bytes_per_block"]),
        block_size=int(row["block_size"]),
        wave_size=int(row["wave_size"]),
        mode=row["mode"],
    )


def _amd_compiler(row: Row) -> tuple[object, object]:
    return compiler_waves_per_simd(architecture(row["arch"]), _amd_use(row)), int(row["waves_per_simd"])


def _amd_hip_runtime(row: Row) -> tuple[object, object]:
    return runtime_blocks(architecture(row["arch"]), _amd_use(row)), int(row["hip_active_blocks"])


def _nvidia(row: Row) -> tuple[object, object]:
    arch = architecture(row["cc"])
    use = KernelUse(
        vgprs=int(row["regs_per_thread"]),
        lds_bytes=int(row["smem_bytes"]),
        block_size=int(row["block_size"]),
        carveout=int(row["carveout"]),
    )
    answer = occupancy(arch, use)
    limits = [answer.per_limiter[name] for name in ("registers", "lds", "waves", "groups")]
    ours = (
        answer.groups,
        answer.waves,
        f"{answer.fraction:.6f}",
        "+".join(word for name, word in TERMS.items() if name in answer.limiters),
        [-1 if limit is None else limit for limit in limits],
        runtime_blocks(arch, use),
    )
    theirs = (
        int(row["active_blocks"]),
        int(row["active_warps"]),
        row["occupancy"],
        row["limiter"],
        [int(row[f"limit_{name}"]) for name in ("regs", "smem", "warps", "blocks")],
        int(row["active_blocks"]),
    )
    return ours, theirs


def _intel(row: Row) -> tuple[object, object]:
    use = KernelUse(
        lds_bytes=int(row["slm_kb_requested"]) * 1024,
        block_size=int(row["wg_size"]),
        wave_size=int(row["sg_size"]),
        barriers=int(row["barrier"]),
        grf=256 if row["large_grf"] == "1" else 128,
    )
    answer = occupancy(architecture(row["arch"]), use)
    theirs = int(row["work_groups_per_xecore"])
    return (
        (answer.groups, answer.waves, f"{answer.fraction:.6f}"),
        (theirs, theirs * int(row["threads_per_wg"]), row["occupancy"]),
    )


TABLES = {
    "amd_compiler": (_amd_compiler, 3190),
    "amd_hip_runtime": (_amd_hip_runtime, 1440),
    "nvidia": (_nvidia, 3080),
    "intel": (_intel, 1320),
}


def _mismatches(path: Path, replay: Callable[[Row], tuple[object, object]]) -> tuple[int, list[tuple[Row, object]]]:
    rows = 0
    wrong: list[tuple[Row, object]] = []
    with (lzma.open if path.suffix == ".xz" else open)(path, "rt", newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            rows += 1
            ours, theirs = replay(row)
            if ours != theirs:
                wrong.append((row, ours))
    return rows, wrong


@pytest.mark.parametrize("table", TABLES)
def test_sample_without_mismatch(table: str) -> None:
    rows, wrong = _mismatches(SAMPLES / f"{table}.csv", TABLES[table][0])
    assert not wrong, wrong[:5]
    assert rows >= 200


@pytest.mark.parametrize("table", TABLES)
def test_whole_table_without_mismatch(table: str) -> None:
    replay, least = TABLES[table]
    rows, wrong = _mismatches(SAMPLES / f"{table}.complete.csv.xz", replay)
    assert not wrong, wrong[:5]
    assert rows >= least


def test_answers_of_a_real_gpu() -> None:
    """An H200: the run-time API's answer always, and never more blocks resident at a time, rarely one or two fewer."""
    h200 = architecture("h200")
    with (SAMPLES / "h200.csv").open(newline="", encoding="utf-8") as lines:
        rows = [{name: int(value) for name, value in row.items()} for row in csv.DictReader(lines)]
    exact = 0
    for row in rows:
        use = KernelUse(
            vgprs=row["registers"], lds_bytes=row["lds_bytes"], block_size=row["block_size"], carveout=row["carveout"]
        )
        assert runtime_blocks(h200, use) == occupancy(h200, use).groups == row["api_blocks"], row
        if row["measured_blocks"] >= 0:
            assert row["api_blocks"] - 2 <= row["measured_blocks"] <= row["api_blocks"], row
            exact += row["measured_blocks"] == row["api_blocks"]
    launched = sum(row["measured_blocks"] >= 0 for row in rows)
    assert launched > 200
    assert exact >= 0.97 * launched


def test_samples_meet_every_limit() -> None:
    """The samples are no happy path: each limiter binds somewhere, and launches that cannot work are among them."""
    with (SAMPLES / "nvidia.csv").open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    words = {word for row in rows for word in row["limiter"].split("+")}
    assert words == {"warps", "registers", "shared_memory", "blocks", "barriers"}
    assert any(row["active_blocks"] == "0" for row in rows)
    assert len({row["cc"] for row in rows}) == 14


def test_cluster_sizes_match_an_h200() -> None:
    rows = list(csv.DictReader((SAMPLES / "clusters.csv").open(encoding="utf-8")))
    wrong = [
        row
        for row in rows
        if active_clusters(H200, int(row["blocks_per_sm"]), int(row["cluster"])) != int(row["clusters"])
    ]
    assert len(rows) == 195
    assert wrong == []
