"""The pictures of the README and of the documentation: what the program prints, as SVG.

    python -m tools.generators.pictures            write docs/images/*.svg
    python -m tools.generators.pictures --check    write nothing, exit 1 if a picture is not what would be written

They show examples/strain/strain.hip; tests/docs/test_front_page.py compiles it and holds the numbers of the pictures
against the compiler's. A picture has its own background and colours for light and dark, whichever the reader prefers;
every run of equal colour is placed by its column, so that a reader's font cannot shift it.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from regpress_lint.__main__ import main as command_line
from regpress_lint.render.terminal import cells
from tools.generators import checks_only

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
KERNEL = ROOT / "examples" / "strain" / "strain.hip"
COLUMNS = 100
_WIDTH, _HEIGHT, _MARGIN = 8.0, 18, 16  # of a cell, and around the text
_SGR = re.compile(r"\x1b\[([\d;]*)m")
_LINK = re.compile(r"\x1b\]8;[^\x1b]*\x1b\\")
_COLOURS = {  # of what SGR calls so, on light and on dark
    "text": ("#1f2328", "#e6edf3"),
    "30": ("#1f2328", "#e6edf3"),
    "31": ("#c02128", "#ff7b72"),
    "32": ("#116329", "#7ee787"),
    "33": ("#8a5a00", "#e3b341"),
    "34": ("#0550ae", "#79c0ff"),
    "35": ("#7d2da8", "#d2a8ff"),
    "36": ("#0b6470", "#56d4dd"),
    "90": ("#6a737d", "#8b949e"),
    "94": ("#0969da", "#79c0ff"),
}


class Picture(NamedTuple):
    """A command and which of its lines are shown: from the first that contains `first`, `lines` of them; with None all
    up to an empty one.
    """

    arguments: tuple[str, ...]
    first: str
    lines: int | None
    title: str


PICTURES = {
    "finding.svg": Picture(("check", "--exit-zero"), "warning", None, "A finding of regpress-lint check"),
    "kernels.svg": Picture(("kernels",), "target", 3, "A line of regpress-lint kernels"),
    "pressure.svg": Picture(("pressure",), "kernel", 33, "Live registers beside the source, by regpress-lint pressure"),
}


class Run(NamedTuple):
    """Characters of one look, from a column on."""

    column: int
    text: str
    classes: str


def pictures() -> dict[str, str]:
    """Text of every picture by its file's name."""
    return {name: svg(picture) for name, picture in PICTURES.items()}


def svg(picture: Picture) -> str:
    """Output of a command about the kernel, as SVG."""
    lines = output(picture.arguments).splitlines()
    first = next(index for index, line in enumerate(lines) if picture.first in _plain(line))
    count = picture.lines if picture.lines is not None else lines[first:].index("")
    prompt = f"\x1b[90m$\x1b[0m regpress-lint {picture.arguments[0]} {KERNEL.name}"
    shown = [prompt, "", *lines[first : first + count]]
    width, height = round(COLUMNS * _WIDTH) + 2 * _MARGIN, len(shown) * _HEIGHT + 2 * _MARGIN
    rows = "".join(_row(line, _MARGIN + _HEIGHT * index + 13) for index, line in enumerate(shown))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img"'
        f' aria-label="{escape(picture.title)}">\n'
        f"<title>{escape(picture.title)}</title>\n{_style()}\n"
        f'<rect class="back" width="{width}" height="{height}" rx="8"/>\n{rows}</svg>\n'
    )


def output(arguments: Sequence[str]) -> str:
    """Coloured standard output of a command about the kernel."""
    before, environment = os.getcwd(), dict(os.environ)
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")  # only such a one is drawn on with blocks
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(stream):
        try:
            os.chdir(folder)
            os.environ.update(COLUMNS=str(COLUMNS), FORCE_COLOR="1", REGPRESS_LINT_NO_CACHE="1")
            for name in ("NO_COLOR", "GITHUB_ACTIONS"):
                os.environ.pop(name, None)
            shutil.copy(KERNEL, KERNEL.name)
            command_line([*arguments, "--isolated", "--arch", "gfx90a", KERNEL.name])
        finally:
            os.chdir(before)
            os.environ.clear()
            os.environ.update(environment)
    stream.seek(0)
    return _LINK.sub("", stream.read())


def _plain(line: str) -> str:
    return _SGR.sub("", line)


def _runs(line: str) -> Iterator[Run]:
    """Pieces of a line between changes of look, without blanks around them."""
    codes: set[str] = set()
    column = 0
    for index, piece in enumerate(_SGR.split(line)):
        if index % 2:
            codes = (codes if piece not in ("", "0") else set()) | {*piece.split(";")} - {"", "0"}
            continue
        for match in re.finditer(r"\S+(?: \S+)*", piece):
            classes = " ".join(f"c{code}" for code in sorted(codes))
            yield Run(column + cells(piece[: match.start()]), match[0], classes)
        column += cells(piece)


def _row(line: str, y: int) -> str:
    spans = [
        f'<tspan x="{_MARGIN + run.column * _WIDTH:g}" textLength="{cells(run.text) * _WIDTH:g}"'
        + (f' class="{run.classes}"' if run.classes else "")
        + f">{escape(run.text)}</tspan>"
        for run in _runs(line)
    ]
    return f'<text y="{y}">{"".join(spans)}</text>\n' if spans else ""


def _style() -> str:
    sheets = []
    for index, back in enumerate(("#f6f8fa", "#0d1117")):
        rules = [f".back{{fill:{back};stroke:#8b949e55}}", f"text{{fill:{_COLOURS['text'][index]}}}"]
        rules += [f".c{code}{{fill:{pair[index]}}}" for code, pair in _COLOURS.items() if code.isdigit()]
        sheets.append("".join(rules))
    font = "font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre"
    return (
        f"<style>text{{{font}}}.c1{{font-weight:bold}}.c2{{opacity:.7}}{sheets[0]}"
        f"@media (prefers-color-scheme:dark){{{sheets[1]}}}</style>"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 1 if `--check` finds a difference."""
    check = checks_only(__doc__, arguments)
    stale = [name for name, text in pictures().items() if _read(IMAGES / name) != text]
    for name in stale:
        print(name)
        if not check:
            IMAGES.mkdir(parents=True, exist_ok=True)
            (IMAGES / name).write_text(pictures()[name], encoding="utf-8")
    return int(bool(stale) and check)


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
