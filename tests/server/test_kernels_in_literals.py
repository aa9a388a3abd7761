"""Kernels in string literals in an editor: what it shows is at their place in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pygls", reason="the extra `lsp` is not installed")

from cli_helpers import run
from server_helpers import Editor, at, editor

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = """__global__ void sums(double* out, const double* in, int n) {
  double total = 0;
  for (int j = 0; j < n; ++j) total += in[j * 64 + threadIdx.x];
  out[threadIdx.x] = total;
}
"""
TEXTS = {
    "a.py": f"import cupy  # é\nCODE = r'''\n{KERNEL}'''\nother = 1\n\n",
    "a.cpp": f'#include <nvrtc.h>\nconst char* code = R"(\n{KERNEL})";\nint other;\n\n',
}


@pytest.mark.parametrize("name", TEXTS)
def test_lens_hover_symbol_and_hints_are_in_the_literal(tmp_path: Path, name: str) -> None:
    text = TEXTS[name]
    (tmp_path / name).write_text(text)
    line = text[: text.index("__global__")].count("\n")
    with editor(codeLens=True, inlayHints=True) as client:
        document = {"uri": client.open(tmp_path / name)}
        _check(client, document, line)


def _check(client: Editor, document: dict[str, str], line: int) -> None:
    (lens,) = client.ask("textDocument/codeLens", textDocument=document)
    assert lens["range"]["start"] == at(line, 16)
    (symbol,) = client.ask("textDocument/documentSymbol", textDocument=document)
    assert symbol["range"]["start"]["line"] == line
    head = client.ask("textDocument/hover", textDocument=document, position=at(line, 17))
    assert "**sums** on sm_90" in head["contents"]["value"]
    variable = client.ask("textDocument/hover", textDocument=document, position=at(line + 1, 10))
    assert "total" in variable["contents"]["value"]
    whole = {"start": at(0, 0), "end": at(20, 0)}
    hints = client.ask("textDocument/inlayHint", textDocument=document, range=whole)
    assert {hint["position"]["line"] for hint in hints} <= {line + 1, line + 2, line + 3}
    assert hints
    assert client.ask("textDocument/hover", textDocument=document, position=at(line + 6, 1)) is None


@pytest.mark.parametrize("name", TEXTS)
def test_pressure_shows_the_lines_of_the_literal(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    (tmp_path / name).write_text(TEXTS[name])
    assert "│   for (int j = 0; j < n; ++j) total" in run(capsys, "pressure", tmp_path / name).out
