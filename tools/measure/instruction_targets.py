"""Ask the compilers for which GPUs the instructions of targets/data/instructions.toml exist.

python -m tools.measure.instruction_targets

Each row with an `example` is compiled for every architecture that the tables and the compilers of this machine know; a
line for each architecture on which table and compiler do not agree. Exit status 1 if there is one.
"""

from __future__ import annotations

import subprocess
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from regpress_lint.targets.instructions import need_of
from regpress_lint.targets.occupancy import architectures
from tools.measure.toolchain import Toolchain, find_toolchain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.targets.instructions import Kind

TABLE = Path(__file__).resolve().parents[2] / "regpress_lint" / "targets" / "data" / "instructions.toml"
_PTX = ".version 9.0\n.target {}\n.address_size 64\n.visible .entry k() {{ {} ret; }}\n"
_HIP = (
    "typedef float f4 __attribute__((ext_vector_type(4)));\n"
    "__attribute__((amdgpu_kernel)) void k(void) {{\n"
    "  __auto_type made = {};\n  *(volatile __typeof__(made)*)0 = made;\n}}\n"
)


def compiles(command: list[str], text: str, suffix: str) -> bool:
    """Whether a compiler takes a text."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / f"k{suffix}"
        source.write_text(text)
        made = subprocess.run(
            [*command, str(source), "-o", str(Path(folder) / "k.o")], capture_output=True, check=False
        )
    return made.returncode == 0


def disagreements() -> Iterator[str]:
    """Lines about rows that are not what the compilers say."""
    tools = find_toolchain()
    table = tomllib.loads(TABLE.read_text())
    kinds: tuple[tuple[Kind, str], ...] = (("ptx", "sm_"), ("amd", "gfx"))
    for kind, prefix in kinds:
        names = [arch.name for arch in architectures() if arch.name.startswith(prefix)]
        for row in table[kind]["rows"]:
            example = row.get("example")
            if example is None:
                continue
            word = example if kind == "ptx" else example.removeprefix("__builtin_amdgcn_")
            if word.startswith("{"):  # the last instruction of a block is the one
                word = word.rstrip("};").split(";")[-1].strip()
            need = need_of(kind, word)
            assert need is not None, word
            for name in names:
                found = _taken(tools, kind, name, example)
                if found is not None and found != need.met_by(name):
                    yield f"{name}: {word[:60]}: the compiler says {found}"


def _taken(tools: Toolchain, kind: Kind, name: str, example: str) -> bool | None:
    """Whether the vendor's compiler takes an example; None for an architecture that it does not know."""
    if kind == "ptx":
        assert tools.nvcc is not None
        ptxas = str(tools.nvcc.resolve().parent / "ptxas")

        def assembles(target: str, text: str) -> bool:
            return compiles([ptxas, f"-arch={target}"], _PTX.format(target, text), ".ptx")

        # Instructions of one architecture alone exist with its suffix: code for `sm_90a` runs on `sm_90`.
        return (assembles(name, example) or assembles(f"{name}a", example)) if assembles(name, "") else None
    clang = str(tools.clang)
    base = [clang, "-c", "-x", "c", "-std=c2x", "--target=amdgcn-amd-amdhsa", "-nogpulib", f"-mcpu={name}"]
    if not compiles(base, "void k(void) {}\n", ".c"):
        return None
    return compiles(base, _HIP.format(example), ".c")


def main() -> int:
    """Print the disagreements."""
    found = list(disagreements())
    print("\n".join(found) or "table and compilers agree")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
