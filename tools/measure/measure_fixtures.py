"""Output of this machine's compilers for testdata/measured/kernels.*: logs, assembly and objects for tests.

    python -m tools.measure.measure_fixtures

It writes testdata/measured/: remarks.log, two_gpus.log, ptxas.log, igc.log, kernels.s, kernels.co, kernels.cubin,
kernels.fatbin, bundle.hipfb, compressed.ccob (by zlib), kernels.zebin; and places_*, objects with debug information.
Needs clang 19 with HIP's headers, nvcc, ocloc; and hipcc (Debian's, around clang 15) for hipcc.log and hipcc.o, which
stay as they are without it. replay_*.log are no logs of newer hipcc, amdclang++ and icpx, which this machine lacks, but
what clang and ocloc said of the same kernels in the forms that those are documented to write.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import tempfile
import zlib
from pathlib import Path

from tools.measure.toolchain import device_libs_for, find_toolchain, run

FOLDER = Path(__file__).resolve().parents[2] / "testdata/measured"
# A kernel that is a lambda in `relax(sycl::queue&, float*, int)`, as SYCL names it: by the name of its type's name.
_SYCL_LAMBDA = "_ZTSZZ5relaxRN4sycl3_V15queueEPfiENKUlRNS0_7handlerEE_clES5_EUlNS0_7nd_itemILi1EEEE_"
_BUNDLE = b"__CLANG_OFFLOAD_BUNDLE__"


def words(command: list[str]) -> str:
    """All that a compiler says, with paths as a user of the folder sees them."""
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=FOLDER)
    return done.stdout + done.stderr


def bundled(entries: list[tuple[str, bytes]]) -> bytes:
    """clang's offload bundle: names and places, then the contents."""
    at = 32 + sum(24 + len(name) for name, _ in entries)
    head, body = _BUNDLE + struct.pack("<Q", len(entries)), b""
    for name, content in entries:
        head += struct.pack("<QQQ", at + len(body), len(content), len(name)) + name.encode()
        body += content
    return head + body


def compressed(bundle: bytes) -> bytes:
    """Version 2 of clang's compressed bundles, by zlib; the hash is unused."""
    packed = zlib.compress(bundle, 9)
    return b"CCOB" + struct.pack("<HHIIQ", 2, 0, 24 + len(packed), len(bundle), 0) + packed


def write_amd(folder: Path) -> None:
    """Remarks, assembly, code object and bundles."""
    chain = find_toolchain()
    shared = ["-x", "hip", "--cuda-device-only", f"--rocm-path={chain.hip_root}", "-O3", "kernels.hip"]
    remarks = "-Rpass-analysis=kernel-resource-usage"

    def command(*targets: str) -> list[str]:
        libs = device_libs_for(chain, targets[-1], folder / targets[-1])
        gpus = [f"--offload-arch={target}" for target in targets]
        return [str(chain.clang), *shared, *gpus, f"--rocm-device-lib-path={libs}"]

    build = f"clang++ -x hip --offload-arch=gfx90a -O3 -S kernels.hip {remarks}\n"
    (FOLDER / "remarks.log").write_text(build + words([*command("gfx90a"), "-S", "-o", os.devnull, remarks]))
    both = "clang++ -x hip --offload-arch=gfx90a --offload-arch=gfx1030 kernels.hip -c\n"
    parts = [words([*command(gpu), "-S", "-o", os.devnull, remarks]) for gpu in ("gfx90a", "gfx1030")]
    (FOLDER / "two_gpus.log").write_text(both + "".join(parts))
    words([*command("gfx90a"), "-S", "-g1", "-o", str(folder / "k.s"), f"-ffile-prefix-map={FOLDER}=."])
    (FOLDER / "kernels.s").write_text(without_code((folder / "k.s").read_text()))
    words([*command("gfx90a"), "-c", "--no-gpu-bundle-output", "-o", str(folder / "k.co")])
    code = (folder / "k.co").read_bytes()
    (FOLDER / "kernels.co").write_bytes(code)
    bundle = bundled([("host-x86_64-unknown-linux-gnu", b""), ("hipv4-amdgcn-amd-amdhsa--gfx90a", code)])
    (FOLDER / "bundle.hipfb").write_bytes(bundle)
    (FOLDER / "compressed.ccob").write_bytes(compressed(bundle))


def without_code(text: str) -> str:
    """An assembly file without most instructions: what a reader looks at stays."""
    kept: list[str] = []
    for line in text.partition("\t.section\t.debug_abbrev")[0].splitlines() + _metadata(text):
        instruction = line.startswith("\t") and not line.lstrip().startswith((".", ";")) and "Folded" not in line
        inner = line.lstrip().startswith(".loc") and not (kept and (".Lfunc_begin" in kept[-1] or ".file" in kept[-1]))
        if not (instruction or inner or line.startswith((".Ltmp", ".LBB"))):
            kept.append(line)
    return "\n".join(kept) + "\n"


def with_entries(text: str) -> str:
    """An assembly file with the entries of its debug information, and without the tables that a reader passes over."""
    start, end = (text.index(f"\t.section\t.debug_{name}") for name in ("info", "str_offsets"))
    code = text.partition("\t.section\t.debug_abbrev")[0].splitlines()
    kept = [line for line in code if not line.lstrip().startswith((".amdhsa_", ".set", ".cfi_endproc"))]
    return "\n".join((*kept, text[start:end].rstrip("\n"), *_metadata(text))) + "\n"


def _metadata(text: str) -> list[str]:
    """The lines behind the debug information."""
    return text[text.index("\t.ident") :].splitlines()


def write_nvidia(folder: Path) -> None:
    """The log, cubin and fat binary."""
    source = folder / "kernels.cu"
    source.write_bytes((FOLDER / "kernels.hip").read_bytes())
    nvcc = str(find_toolchain().nvcc)
    cubin = ["-arch=sm_90", "-cubin", "-o", str(FOLDER / "kernels.cubin"), str(source)]
    text = words([nvcc, *cubin, "-Xptxas", "-v"])
    (FOLDER / "ptxas.log").write_text("".join(line for line in text.splitlines(True) if "Compile time" not in line))
    fat = ["-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=sm_90", "-fatbin"]
    words([nvcc, *fat, "-DSMALL", "-o", str(FOLDER / "kernels.fatbin"), str(source)])


def write_places(folder: Path) -> None:
    """Debug information in its forms: DWARF 5 and 4, the latter compressed, lines alone, and what nvcc writes."""
    chain = find_toolchain()
    amd = [str(chain.clang), "-x", "hip", "--offload-arch=gfx90a", "--cuda-device-only", "-nogpuinc", "-nogpulib"]
    amd += ["-O2", "-c", "--no-gpu-bundle-output", f"-ffile-prefix-map={FOLDER}=.", "places.hip", "-o"]
    forms = {"5": ["-g"], "4": ["-g", "-gdwarf-4", "-gz"], "lines": ["-g1"]}
    forms |= {"split_5": ["-g", "-gsplit-dwarf"], "split_4": ["-g", "-gdwarf-4", "-gsplit-dwarf"]}
    # nvcc names the folder in full, as clang does that of a .dwo file: another one each time.
    neutral = b"/project".ljust(len(str(folder)), b"_")
    for name, flags in forms.items():
        words([*amd, str(folder / "places.co"), *flags])
        code = (folder / "places.co").read_bytes().replace(str(folder).encode(), neutral)
        (FOLDER / f"places_{name}.co").write_bytes(code)
    for name in ("places.hip", "places.h"):
        (folder / name).write_bytes((FOLDER / name).read_bytes())
    for name in ("5", "lines"):
        words([*amd, str(folder / "places.s"), *forms[name], "-S"])
        (FOLDER / f"places_{name}.s").write_text(with_entries((folder / "places.s").read_text()))
    source = (folder / "places.hip").rename(folder / "places.cu")
    for gpu in ("sm_80", "sm_90"):  # with and without addends in their relocations
        target = folder / "places.cubin"
        words([str(chain.nvcc), f"-arch={gpu}", "-cubin", "-lineinfo", "-o", str(target), str(source)])
        (FOLDER / f"places_{gpu}.cubin").write_bytes(target.read_bytes().replace(str(folder).encode(), neutral))


def write_intel(folder: Path) -> None:
    """The log and the device binary."""
    binary = folder / "k.zebin"
    command = [str(find_toolchain().ocloc), "compile", "-file", str(FOLDER / "kernels.cl"), "-device", "pvc"]
    command += ["--format", "zebin", "-output_no_suffix", "-output", str(binary)]
    text = run(command)
    run([*command, "-options", "-DSMALL"])
    (FOLDER / "igc.log").write_text(f"ocloc compile -file kernels.cl -device pvc\n{text}")
    (FOLDER / "kernels.zebin").write_bytes(binary.read_bytes())


def write_hipcc(folder: Path) -> None:
    """What hipcc says of two GPUs, and the object that it says it of."""
    if shutil.which("hipcc") is None:
        return
    command = ["hipcc", "--offload-arch=gfx90a", "--offload-arch=gfx1030", "-O3", "-std=c++17", "-c", "kernels.hip"]
    command += ["-o", "kernels.o", "-Rpass-analysis=kernel-resource-usage"]
    environment = {**os.environ, "HIP_PLATFORM": "amd", "ROCM_PATH": "/usr", "HIPCC_VERBOSE": "1"}
    shutil.copy(FOLDER / "kernels.hip", folder)
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder, env=environment)
    (FOLDER / "hipcc.log").write_text(done.stdout + done.stderr)
    (FOLDER / "hipcc.o").write_bytes((folder / "kernels.o").read_bytes())


def write_replays(_folder: Path) -> None:
    """remarks.log and igc.log as compilers that are not here would have written them.

    hipcc: `HIPCC_VERBOSE=1`, and a clang that calls SGPRs TotalSGPRs. amdclang++: `-v`, and the remarks of ROCm 5,
    which say nothing of dynamic stacks. icpx: compiled ahead of time by `-fsycl-targets=intel_gpu_pvc`, with
    SYCL's names of kernels.
    """
    command, _, remarks = (FOLDER / "remarks.log").read_text().partition("\n")
    words = command.partition(" ")[2].replace("-x hip ", "")
    hipcc = f'hipcc-cmd: "/opt/rocm/lib/llvm/bin/clang++" {words}\n{remarks.replace(" SGPRs: ", " TotalSGPRs: ")}'
    (FOLDER / "replay_hipcc.log").write_text(hipcc)
    job = '"/opt/rocm/llvm/bin/clang-17" -cc1 -triple amdgcn-amd-amdhsa -S -target-cpu gfx90a -x hip kernels.hip'
    older = "".join(line for line in remarks.splitlines(keepends=True) if "Dynamic Stack" not in line)
    (FOLDER / "replay_amdclang.log").write_text(f"AMD clang version 17.0.0\n {job}\n{older}")
    warning = next(line for line in (FOLDER / "igc.log").read_text().splitlines() if "spilled around" in line)
    named = warning.replace("kernel spills ", "kernel _ZTSN3lbm6SpillsE ")
    unnamed = warning.replace("kernel spills ", f"kernel {_SYCL_LAMBDA} ")
    steps = ("icpx -fsycl -fsycl-targets=intel_gpu_pvc -O2 spills.cpp -o spills",
             "Compilation from IR - skipping loading of FCL", named, "", unnamed, "", "Build succeeded.")  # fmt: skip
    (FOLDER / "replay_icpx.log").write_text("\n".join(steps) + "\n")


def main() -> None:
    """Write them all."""
    with tempfile.TemporaryDirectory(prefix="regpress-fixtures-") as name:
        for write in (write_amd, write_nvidia, write_intel, write_places, write_hipcc, write_replays):
            write(Path(name))


if __name__ == "__main__":
    main()
