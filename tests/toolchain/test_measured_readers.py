"""Readers of compilers' logs and objects: every number in them, and no others."""

from __future__ import annotations

import io
import struct
import sys
from pathlib import Path
from types import ModuleType

import pytest

from regpress_lint.core.measured import NUMBERS, Row
from regpress_lint.measured import clang_remarks, elf, inputs, nvidia
from regpress_lint.measured.demangle import demangled
from regpress_lint.measured.rows import Reading, merged

FOLDER = Path(__file__).resolve().parents[2] / "testdata/measured"
STEP, SPILLS, INDEXED = "_ZN3lbm4stepIdLi128EEEvPT_PKS1_i", "spills", "_Z7indexedPfi"
ACCUMULATES = "_Z11accumulatesPf"


def read(name: str, *targets: str) -> Reading:
    return inputs.read((FOLDER / name).read_bytes(), name, targets)


def by_symbol(found: Reading) -> dict[str, Row]:
    assert not found.problems
    return {row.symbol: row for row in found.rows}


def numbers(row: Row, *names: str) -> tuple[object, ...]:
    return tuple(getattr(row, name) for name in names)


def test_remarks_name_the_place_and_all_registers() -> None:
    rows = by_symbol(read("remarks.log"))
    assert len(rows) == 5  # the function that is called is no kernel
    assert numbers(rows[ACCUMULATES], "target", "registers", "vgprs", "agprs", "sgprs") == ("gfx90a", 14, 1, 10, 10)
    row = rows[SPILLS]
    assert numbers(row, "spills", "scratch_bytes", "unspilled_scratch_bytes") == (53, 80, None)
    assert numbers(rows[INDEXED], "spills", "scratch_bytes", "unspilled_scratch_bytes") == (0, 272, 272)
    assert numbers(row, "path", "line", "code_bytes", "wave_size") == ("kernels.hip", 40, None, None)


def test_gpus_of_a_log_are_distinguished_by_accumulation_registers() -> None:
    found = read("two_gpus.log")
    assert not found.problems
    assert {(row.target, row.agprs is None) for row in found.rows} == {("gfx90a", False), ("gfx1030", True)}


def test_similar_gpus_of_a_log_are_not_distinguished() -> None:
    text = (FOLDER / "two_gpus.log").read_text().replace("gfx1030", "gfx942")
    found = clang_remarks.read(text, "log")
    assert {row.target for row in found.rows if row.agprs is not None} == {None}
    assert any("nothing tells gfx90a and gfx942 apart" in line for line in found.problems)
    # Whoever names a GPU does not name it for kernels of another one.
    assert clang_remarks.read(text, "log", ("gfx90a",)) == found


def test_log_of_hipcc_matches_the_object() -> None:
    """Debian's hipcc 5.2.3 around clang 15.0.6; the remarks do not say which of the two GPUs they are about."""
    log, held = (
        {(row.symbol, row.target): row for row in found.rows} for found in (read("hipcc.log"), read("hipcc.o"))
    )
    assert log.keys() == held.keys()
    assert {target for _, target in log} == {"gfx90a", "gfx1030"}
    same = ("registers", "agprs", "sgprs", "spills", "sgpr_spills", "scratch_bytes", "lds_bytes")
    assert {key: numbers(row, *same) for key, row in log.items()} == {
        key: numbers(row, *same) for key, row in held.items()
    }


def test_logs_of_hipcc_and_amdclang_match_clang() -> None:
    """Made after their documented forms (tools/measure/measure_fixtures.py), for they are not here."""
    plain = by_symbol(read("remarks.log"))
    for name, version in (("replay_hipcc.log", None), ("replay_amdclang.log", "17.0.0")):
        rows = by_symbol(read(name))
        assert rows.keys() == plain.keys()
        for symbol, row in rows.items():
            assert row == plain[symbol]._replace(version=version, inputs=(name,))


def test_a_log_of_icpx_names_gpu_and_kernels_in_its_own_way() -> None:
    named, unnamed = read("replay_icpx.log").rows
    assert numbers(named, "symbol", "target", "spill_operations", "spills") == ("_ZTSN3lbm6SpillsE", "pvc", 272, None)
    assert demangled(named.symbol).qualified == "lbm::Spills"
    assert (unnamed.target, demangled(unnamed.symbol).qualified.partition("::")[0]) == ("pvc", "relax")


@pytest.mark.parametrize(
    ("word", "target"),
    [
        ('-fsycl-targets=spir64_gen -Xsycl-target-backend "-device pvc"', "pvc"),
        ("-fsycl-targets=intel_gpu_dg2_g10", "dg2"),
        ("-device pvc,dg2", None),
        ("-fsycl-targets=spir64", None),
    ],
)
def test_how_a_log_names_an_intel_gpu(word: str, target: str | None) -> None:
    text = (FOLDER / "replay_icpx.log").read_text().replace("-fsycl-targets=intel_gpu_pvc", word)
    assert {row.target for row in inputs.read(text.encode(), "log").rows} == {target}


@pytest.mark.parametrize(
    "word", ["-fsycl-targets=amd_gpu_gfx90a", "--acpp-targets=hip:gfx90a", "--offload-arch='gfx90a:xnack-'"]
)
def test_how_a_log_names_an_amd_gpu(word: str) -> None:
    text = (FOLDER / "remarks.log").read_text().replace("--offload-arch=gfx90a", word)
    assert {row.target for row in inputs.read(text.encode(), "log").rows} == {"gfx90a"}


def test_lines_of_other_kernels_in_between_do_no_harm() -> None:
    lines = (FOLDER / "remarks.log").read_text().splitlines()
    one, other = ([line for line in lines if line.startswith(f"kernels.hip:{number}:")] for number in (22, 40))
    mixed = "\n".join(line for pair in zip(one, other, strict=True) for line in pair)
    found = clang_remarks.read(mixed, "log", ("gfx90a",))
    plain = {row.symbol: row for row in read("remarks.log").rows}
    assert not found.problems
    for row in found.rows:
        assert numbers(row, *NUMBERS) == numbers(plain[row.symbol], *NUMBERS)
    assert {row.symbol for row in found.rows} == {INDEXED, SPILLS}


def test_ambiguous_kernels_of_one_place_are_skipped() -> None:
    lines = (FOLDER / "remarks.log").read_text().splitlines()
    kernels = [line for line in lines if line.startswith("kernels.hip:40:")]
    mixed = "\n".join(line for line in kernels for line in (line, line.replace(SPILLS, "twin")))
    found = clang_remarks.read(mixed, "log", ("gfx90a",))
    assert not found.rows
    assert "mixed" in found.problems[0]


def test_truncated_log_is_reported() -> None:
    text = (FOLDER / "remarks.log").read_text()
    found = clang_remarks.read(text[: text.rindex("SGPRs: ")], "log", ("gfx90a",))
    assert (len(found.rows), "lines are missing" in found.problems[0]) == (4, True)
    text = (FOLDER / "ptxas.log").read_text()
    found = nvidia.read_log(text[: text.rindex("ptxas info    : Used")], "log")
    assert (len(found.rows), "ends before" in found.problems[0]) == (3, True)


def test_colours_and_windows_line_ends_are_accepted() -> None:
    for name in ("remarks.log", "ptxas.log"):
        plain = (FOLDER / name).read_text()
        coloured = plain.replace("remark: ", "\x1b[0;1;34mremark: \x1b[0m").replace("ptxas info", "\x1b[1mptxas info")
        assert inputs.read(coloured.replace("\n", "\r\n").encode(), name) == read(name)


def test_ptxas() -> None:
    rows = by_symbol(read("ptxas.log"))
    assert numbers(rows[SPILLS], "target", "registers", "spills", "scratch_bytes") == ("sm_90", 32, 4, 16)
    assert numbers(rows[STEP], "lds_bytes", "barriers", "unspilled_scratch_bytes") == (1024, 1, 0)
    assert numbers(rows[INDEXED], "agprs", "sgprs", "code_bytes", "path") == (None, None, None, None)


def test_kernels_of_two_ptxas_at_once_are_left_out() -> None:
    lines = (FOLDER / "ptxas.log").read_text().splitlines()
    first, second = lines[1:5], lines[5:9]
    mixed = "\n".join(line for pair in zip(first, second, strict=True) for line in pair)
    found = nvidia.read_log(mixed, "log")
    assert not found.rows
    assert len(found.problems) == 2
    # Both are known as far as their frames; then comes `Used` of the second first.
    begun = [first[0], second[0], *first[1:-1], *second[1:-1], second[-1], first[-1]]
    found = nvidia.read_log("\n".join(begun), "log")
    assert not found.rows
    assert len(found.problems) == 2


def test_igc_counts_operations_and_not_their_size() -> None:
    (row,) = read("igc.log").rows
    assert numbers(row, "symbol", "target", "spills", "spill_operations", "grf") == (SPILLS, "pvc", None, 272, 128)


def test_assembly_has_spill_slots_and_code_size() -> None:
    rows = by_symbol(read("kernels.s"))
    row = rows[SPILLS]
    assert numbers(rows[ACCUMULATES], "registers", "vgprs", "agprs", "version") == (14, 1, 10, "19.1.7")
    assert numbers(row, "spills", "scratch_bytes", "unspilled_scratch_bytes", "code_bytes") == (53, 80, 4, 3384)
    assert numbers(row, "path", "line", "max_threads", "wave_size") == ("kernels.hip", 40, 1024, 64)
    assert numbers(rows[STEP], "path", "line") == (None, None)  # its first instruction is of a header


def test_assembly_that_is_cut_down_to_its_metadata() -> None:
    found = inputs.read(b".amdgpu_metadata\n\t.end_amdgpu_metadata", "k.s")
    assert found == Reading((), ("k.s: no kernel in it",))


@pytest.mark.parametrize("name", ["kernels.co", "bundle.hipfb", "compressed.ccob"])
def test_code_objects(name: str) -> None:
    rows = by_symbol(read(name))
    assert sorted(rows) == sorted((ACCUMULATES, INDEXED, STEP, "_ZN3lbm4stepIfLi64EEEvPT_PKS1_i", SPILLS))
    # The note has the sum of both kinds of registers alone.
    assert numbers(rows[ACCUMULATES], "registers", "vgprs", "agprs", "spills") == (14, None, 10, 0)
    assert numbers(rows[STEP], "lds_bytes", "code_bytes", "version", "target") == (1024, 188, "19.1.7", "gfx90a")


def test_cubins() -> None:
    rows = by_symbol(read("kernels.cubin"))
    log = by_symbol(read("ptxas.log"))
    for symbol, row in rows.items():
        names = ("target", "registers", "scratch_bytes", "lds_bytes", "barriers")
        assert numbers(row, *names) == numbers(log[symbol], *names)
        assert numbers(row, "spills", "unspilled_scratch_bytes", "version") == (None, None, "13.0.88")
    assert rows[SPILLS].max_threads == 1024


def test_fat_binaries_of_cuda() -> None:
    found = read("kernels.fatbin")
    assert not found.problems
    assert [row.target for row in found.rows] == ["sm_80", "sm_80", "sm_90", "sm_90"]
    assert {row.lds_bytes for row in found.rows} == {256, 1024}  # without what the system keeps on sm_90


def test_an_executable_of_many_units() -> None:
    bundle = (FOLDER / "bundle.hipfb").read_bytes()
    found = inputs.read(bundle + (b"\0" * 4096 + bundle) * 20, "app")
    assert (len(found.rows), found.problems) == (21 * 5, ())


def test_self_containing_bundle_terminates() -> None:
    count, name = 3000, b"hipv4-amdgcn-amd-amdhsa--gfx90a"
    size = 32 + count * (24 + len(name))
    entry = struct.pack("<QQQ", 0, size, len(name)) + name
    found = inputs.read(b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", count) + entry * count, "small.hipfb")
    assert not found.rows
    assert any("more device code than is read" in line for line in found.problems)


def test_zstd_frame_stops_at_declared_size() -> None:
    zstandard = pytest.importorskip("zstandard")
    frame = zstandard.ZstdCompressor().compress(b"\0" * (1 << 22))
    assert len(elf.zstd_unpacked(frame, 100)) == 100


@pytest.mark.parametrize("name", ["zstandard", "compression.zstd"])
def test_zstd_frame_requests_no_more_than_needed(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """As above, by modules that this Python may lack: of each the call that says how much is wanted."""

    class Decompressor:
        def stream_reader(self, data: bytes) -> io.BytesIO:
            return io.BytesIO(data * 1000)

        def decompress(self, data: bytes, most: int) -> bytes:
            return (data * 1000)[:most]

    for each in ("zstandard", "compression.zstd"):
        monkeypatch.setitem(sys.modules, each, None)
    stub = ModuleType(name)
    monkeypatch.setattr(stub, "ZstdDecompressor", Decompressor, raising=False)
    monkeypatch.setitem(sys.modules, name, stub)
    assert len(elf.zstd_unpacked(b"frame", 100)) == 100


def test_zebins() -> None:
    rows = by_symbol(read("kernels.zebin"))
    assert numbers(rows["step"], "target", "spills", "scratch_bytes", "lds_bytes") == ("pvc", 0, 0, 256)
    assert numbers(rows["indexed"], "registers", "spills", "scratch_bytes", "wave_size") == (None, None, 2048, 32)


def test_a_static_library() -> None:
    code = (FOLDER / "kernels.co").read_bytes()
    head = f"{'k.o/':16}{'0':12}{'0':6}{'0':6}{'644':8}{len(code):<10}`\n".encode()
    found = inputs.read(b"!<arch>\n" + head + code, "lib.a")
    assert len(found.rows) == 5


def test_one_row_of_all_inputs_that_agree() -> None:
    found = merged(row for name in ("remarks.log", "kernels.co", "kernels.s") for row in read(name).rows)
    assert len(found) == 5
    row = next(row for row in found if row.symbol == SPILLS)
    assert numbers(row, "unspilled_scratch_bytes", "line", "origin") == (4, 40, "remarks+code object+assembly")
    row = next(row for row in found if row.symbol == ACCUMULATES)
    assert numbers(row, "vgprs", "agprs") == (1, 10)


def test_rows_that_contradict_stay_two() -> None:
    row = read("kernels.co").rows[0]
    assert len(merged([row, row._replace(sgprs=99)])) == 2


def test_a_row_without_a_target_takes_the_only_one() -> None:
    row = read("kernels.co").rows[0]
    assert [each.target for each in merged([row, row._replace(target=None)])] == ["gfx90a"]
    assert len(merged([row, row._replace(target="gfx942"), row._replace(target=None)])) == 3


def test_no_number_is_made_up() -> None:
    """A number that an input lacks is None: of a bare entry nothing but its name is known."""
    from regpress_lint.measured.amd import row_of

    row = row_of({".name": "k"}, "gfx90a")
    assert row is not None
    assert {getattr(row, name) for name in NUMBERS} == {None}
