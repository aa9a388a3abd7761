"""Check `kernels --advise`: apply each advice to a copy of the program and compile it.

    python -m tools.measure.advice_truth gfx90a SRC/lulesh-hip/lulesh.cu --flags '-I SRC/lulesh-cuda'
    python -m tools.measure.advice_truth pvc testdata/advice/intel.cpp testdata/golden/*.cu

For every kernel of the files that has advice: the estimate and the compiler's allocation, and below it, for
each advice, both again after it, with a verdict; at the end how many there are of each. `--unit` is the file of the
same folder that is compiled, where kernels are in a header.

For Intel a SYCL source is compiled as the OpenCL C of sycl_opencl.py, and any other by way of HIP and SPIR-V, as
golden_intel.py does. Its registers are those of 32 bits that are alive at most for a work-item when IGC first tries,
its memory is private memory, and spills are bytes of a work-item.

A verdict: `gains` if less is in private memory or spilled, or if as much is and registers are fewer, which count for
nothing on Intel: fewer of them make no more hardware threads. `nothing` if all is as it was; `worse` otherwise, and
`fails` for what does not compile.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
import tempfile
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from regpress_lint.core.settings import Settings
from regpress_lint.lint.advice.ranking import file_advice
from regpress_lint.lint.advice.trials import edited
from regpress_lint.lint.analysis import Analysis, analyse
from regpress_lint.lint.work import Scope
from regpress_lint.targets.vocabulary import gpu
from tools.measure import golden_intel, sycl_opencl, toolchain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.lint.advice.advice_data import Advice, State

Verdict = Literal["gains", "nothing", "worse", "fails"]
_LARGE = ("-options", "-ze-opt-large-register-file")


class Real(NamedTuple):
    """A compiler's numbers for a kernel; bytes are those of a thread, spills as the compiler counts them."""

    registers: int
    memory_bytes: int
    spills: int
    lds_bytes: int

    @property
    def text(self) -> str:
        """In words."""
        return f"compiler {self.registers}, {self.memory_bytes} B, {self.spills} spills, LDS {self.lds_bytes}"


def rows(file: Path, unit: str, target: str, flags: Sequence[str], verdicts: Counter[Verdict]) -> Iterator[str]:
    """A line per kernel, and below it one for each advice; what they come to is counted."""
    data, settings = file.read_bytes(), Settings(architectures=(target,))
    around = Scope(settings, (str(file.parent),)).projects()
    analysis = analyse(data, str(file), settings, partial(around.of, str(file)))
    if not isinstance(analysis, Analysis):
        raise TypeError(f"{file} holds no GPU code")
    compiled = partial(_compiled, file, unit, target, tuple(flags))
    for kernel in file_advice(analysis):
        for found in kernel.targets:
            real = compiled(kernel.name, data) if found.advice else None
            if found.advice:
                yield f"{kernel.name}: {_said(found.now)}; {real.text if real else 'compiler: none'}; advice:"
            for advice in found.advice:
                made = edited(data, advice.edits)
                large = any(step.kind == "register-mode" for step in advice.steps)
                after = compiled(kernel.name, made, large) if made is not None else None
                verdict = _verdict(real, after, gpu(target).is_intel)
                verdicts[verdict] += 1
                yield f"  {_titles(advice)}: {_said(advice.after)}; {after.text if after else 'none'}: {verdict}"


def _compiled(
    file: Path, unit: str, target: str, flags: Sequence[str], kernel: str, data: bytes, large: bool = False
) -> Real | None:
    """The compiler's allocation for a unit's kernel with another text of a file; None if that does not compile.
    large: with 256 registers per hardware thread, where that is Intel's.
    """
    with tempfile.TemporaryDirectory(prefix="regpress-advice-") as folder:
        copy = Path(folder) / file.parent.name
        shutil.copytree(file.parent, copy)
        (copy / file.name).write_bytes(data)
        try:
            if gpu(target).is_intel:
                return _of_intel(copy / unit, kernel, target, Path(folder), flags, large)
            found = toolchain.compile_for(toolchain.find_toolchain(), copy / unit, target, Path(folder), "-w", *flags)
        except RuntimeError as error:
            print(f"{unit} does not compile for {target}: {str(error)[-300:]}", file=sys.stderr)
            return None
    own = next((allocation for allocation in found or () if allocation.kernel.partition("<")[0] == kernel), None)
    return Real(own.total, own.scratch_bytes, own.spills, own.lds_bytes) if own is not None else None


def _of_intel(source: Path, kernel: str, target: str, folder: Path, flags: Sequence[str], large: bool) -> Real | None:
    text = source.read_text(encoding="utf-8")
    options = _LARGE if large or sycl_opencl.wants_large_registers(text) else ()
    if "sycl::" in text:
        source = folder / f"{source.stem}.cl"
        source.write_text(sycl_opencl.opencl(text, kernel), encoding="utf-8")
        found = golden_intel.compile_opencl(source, target, folder, options)
    elif golden_intel.intel_version() is None:
        raise RuntimeError("clang 15 and llvm-spirv 15 are not here")
    else:
        found = golden_intel.compile_kernel(source, kernel, target, folder, flags, options)
    own = next(found, None)
    return Real(own.demand, own.scratch_bytes, own.spills, own.lds_bytes or 0) if own is not None else None


def _verdict(before: Real | None, after: Real | None, is_intel: bool) -> Verdict:
    if before is None or after is None:
        return "fails"
    both = (before, after)
    old, new = ((each.memory_bytes + each.spills, 0 if is_intel else each.registers) for each in both)
    return "gains" if new < old else "nothing" if new == old else "worse"


def _titles(advice: Advice) -> str:
    return " + ".join(step.title for step in advice.steps)


def _said(state: State) -> str:
    low, best, high = state.registers
    excess = f" + {state.excess} beyond" if state.excess else ""
    return f"tool {best} ({low}-{high}){excess}, {state.memory_bytes} B, {state.waves:g} waves"


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("target")
    parser.add_argument("files", type=Path, nargs="+", metavar="file")
    parser.add_argument("--unit", help="the file that is compiled (default: the same)")
    parser.add_argument("--flags", default="", help="for the compiler, in one word")
    options = parser.parse_args(arguments)
    verdicts: Counter[Verdict] = Counter()
    for file in (each.resolve() for each in options.files):
        print(file.name)
        for row in rows(file, options.unit or file.name, options.target, shlex.split(options.flags), verdicts):
            print(row, flush=True)
    print(", ".join(f"{verdicts[each]} {each}" for each in ("gains", "nothing", "worse", "fails")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
