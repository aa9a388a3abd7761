"""Whether what `kernels --advise` says is true: each advice is made in a copy of the program, and compiled.

    python benchmarks/advice_truth.py gfx90a SRC/lulesh-hip/lulesh.cu --flags '-I SRC/lulesh-cuda'

For every kernel of the file: what the tool says and what the compiler allocates, and below it, for each advice, both
again after it. `--unit` is the file of the same folder that is compiled, where kernels stand in a header.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import toolchain

from regpress_lint.core.settings import Settings
from regpress_lint.lint.analysis import Analysis, analyse
from regpress_lint.lint.work import Scope
from regpress_lint.views.advice.choosing import file_advice
from regpress_lint.views.advice.trying import edited

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolchain import Allocation

    from regpress_lint.views.advice.model import State


def rows(file: Path, unit: str, target: str, flags: Sequence[str]) -> Iterator[str]:
    """A line a kernel, and below it one for each advice."""
    data, settings = file.read_bytes(), Settings(architectures=(target,))
    around = Scope(settings, (str(file.parent),)).projects()
    analysis = analyse(data, str(file), settings, partial(around.of, str(file)))
    if not isinstance(analysis, Analysis):
        raise TypeError(f"{file} holds no GPU code")
    before = compiled(file, data, unit, target, flags)
    for kernel in file_advice(analysis):
        for found in kernel.targets:
            yield f"{kernel.name}: {_said(found.now)}; {_real(before.get(kernel.name))}; {found.reason or 'advice:'}"
            for advice in found.advice:
                made = edited(data, advice.edits)
                after = compiled(file, made, unit, target, flags) if made is not None else {}
                titles = " + ".join(step.title for step in advice.steps)
                yield f"  {titles}: {_said(advice.after)}; {_real(after.get(kernel.name))}"


def compiled(file: Path, data: bytes, unit: str, target: str, flags: Sequence[str]) -> dict[str, Allocation]:
    """What the compiler makes of a unit's kernels with another text of a file; nothing if that does not compile."""
    with tempfile.TemporaryDirectory(prefix="regpress-advice-") as folder:
        copy = Path(folder) / file.parent.name
        shutil.copytree(file.parent, copy)
        (copy / file.name).write_bytes(data)
        try:
            found = toolchain.compile_for(toolchain.find_toolchain(), copy / unit, target, Path(folder), "-w", *flags)
        except RuntimeError as error:
            print(f"{unit} does not compile for {target}: {str(error)[-300:]}", file=sys.stderr)
            return {}
    return {each.kernel.partition("<")[0]: each for each in found or ()}


def _said(state: State) -> str:
    low, best, high = state.registers
    excess = f" + {state.excess} beyond" if state.excess else ""
    return f"tool {best} ({low}-{high}){excess}, {state.memory_bytes} B, {state.waves:g} waves"


def _real(found: Allocation | None) -> str:
    if found is None:
        return "compiler: none"
    return f"compiler {found.total}, {found.scratch_bytes} B, {found.spills} spills, LDS {found.lds_bytes}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("target")
    parser.add_argument("file", type=Path)
    parser.add_argument("--unit", help="the file that is compiled (default: the same)")
    parser.add_argument("--flags", default="", help="for the compiler, in one word")
    options = parser.parse_args(arguments)
    file = options.file.resolve()
    for row in rows(file, options.unit or file.name, options.target, shlex.split(options.flags)):
        print(row)
    return 0


if __name__ == "__main__":
    sys.exit(main())
