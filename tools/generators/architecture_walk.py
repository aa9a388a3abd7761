"""docs/architecture.md: one kernel from bytes to a finding, with the real data at each station.

    python -m tools.generators.architecture_walk            write the page
    python -m tools.generators.architecture_walk --check    exit 1 if the page is not what would be written

The text is tools/generators/architecture.md, the kernel testdata/walk/energies.hip.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tomllib
from pathlib import Path

from regpress_lint.__main__ import main as command_line
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Span
from regpress_lint.cpp.mask.masking import Level
from regpress_lint.cpp.parse import parse_level
from regpress_lint.cpp.syntax_tree import Loop, Variable
from regpress_lint.cpp.traversal import walk
from regpress_lint.lint.analysis import Analysis, analyse
from tools.generators import checks_only

ROOT = Path(__file__).resolve().parents[2]
KERNEL = "testdata/walk/energies.hip"
TARGET = "gfx90a"
RULE = "RP201"
TEXT = Path(__file__).with_name("architecture.md")
PAGE = ROOT / "docs" / "architecture.md"


def page() -> str:
    """The page."""
    os.chdir(ROOT)
    os.environ["COLUMNS"] = "120"  # what commands print hangs on the width of the terminal
    data = Path(KERNEL).read_bytes()
    analysis = analyse(data, KERNEL, Settings(architectures=(TARGET,)))
    assert isinstance(analysis, Analysis)
    (kernel,) = analysis.file.kernels
    loop = next(node for node in walk(kernel.function.body) if isinstance(node, Loop))
    fields = {
        "source": data.decode().rstrip(),
        "layers": layers(),
        "language": analysis.file.language,
        "masked": masked_lines(data, analysis),
        "lowered": shown(loop),
        "lanes": str(analysis.file.constant("LANES")),
        "model": model(analysis),
        "target": TARGET,
        "placed": said("ir", KERNEL, "--kernel", kernel.name, "--arch", TARGET),
        "estimate": repr(analysis.facts(kernel).target(TARGET).registers),
        "occupancy": repr(analysis.facts(kernel).target(TARGET).occupancy),
        "rule": RULE,
        "finding": said("check", KERNEL, "--select", RULE, "--arch", TARGET, "--isolated", "--no-cache", "--exit-zero"),
    }
    text = TEXT.read_text(encoding="utf-8")
    for name, value in fields.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def layers() -> str:
    """The layers of the first contract, top to bottom."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    names = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    short = [name.replace("regpress_lint.", "").replace("regpress_", "").replace(" | ", ", ") for name in names]
    return " -> ".join(name for name in short if not name.startswith("__"))


def said(*arguments: str) -> str:
    """The output of a command, without colours and without its last summary line."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        command_line(list(arguments))
    return out.getvalue().strip()


def masked_lines(data: bytes, analysis: Analysis) -> str:
    """The lines that the mask changes, before and after."""
    masked = parse_level(data, analysis.project.macros(KERNEL, data), Level.M2).masked.text
    pairs = zip(data.decode().splitlines(), masked.decode().splitlines(), strict=True)
    return "\n".join(line for before, after in pairs if before != after for line in (f"- {before}", f"+ {after}"))


def shown(node: object, depth: int = 0) -> str:
    """A node of our own tree as its class and its parts, a variable as its name and type."""
    pad = "  " * depth
    if isinstance(node, Variable):
        return f"{pad}Variable {node.name}: {node.type.name}"
    names = [name for cls in type(node).__mro__ for name in getattr(cls, "__slots__", ())]
    plain, inner = [], []
    for name in dict.fromkeys(names):
        value = getattr(node, name, None)
        if isinstance(value, Span) or value is None or value in ((), "", False) or name.startswith("_"):
            continue
        if isinstance(value, (str, int, float)):
            plain.append(f"{name}={value!r}")
        elif isinstance(value, tuple):
            inner += [shown(one, depth + 1) for one in value if hasattr(one, "span") or isinstance(one, Variable)]
        elif isinstance(value, Variable):
            plain.append(f"{name}={value.name}: {value.type.name}")
        elif hasattr(value, "span"):
            inner.append(shown(value, depth + 1))
    return "\n".join((f"{pad}{type(node).__name__} {' '.join(plain)}".rstrip(), *inner))


def model(analysis: Analysis) -> str:
    """The kernel and its launch."""
    (kernel,) = analysis.file.kernels
    (launch,) = kernel.launches
    parameters = ", ".join(
        f"{parameter.type.name}{'*' * parameter.type.pointers} {parameter.name}"
        for parameter in kernel.function.parameters
    )
    return "\n".join(
        (
            f"Kernel {kernel.name}({parameters}), {kernel.language}, lines {kernel.line} to {kernel.end_line}, "
            f"launch bounds {kernel.launch_bounds}",
            f"Launch line {launch.line}, form {launch.form!r}, block_size {launch.block_size} ({launch.certainty}), "
            f"dynamic_lds_bytes {launch.dynamic_lds_bytes}",
        )
    )


def main() -> int:
    """Entry point."""
    text = page()
    if checks_only(__doc__):
        return int(text != PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
