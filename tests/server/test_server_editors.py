"""The server in real processes: over standard input and output, and driven by Neovim."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the extra `lsp` is not installed")

from cli_helpers import CLEAN, HIP, ROOT, process
from lsprotocol import types
from pygls.lsp.client import LanguageClient
from snippets import fences_of

PATH = os.pathsep.join((str(ROOT), str(ROOT / "rules")))
EXTENSION = ROOT / "editors" / "vscode"


async def _talk(folder: Path) -> list[list[str]]:
    """Codes of each publication while a text is opened and repaired."""
    client = LanguageClient("test", "1")
    found: asyncio.Queue[list[str]] = asyncio.Queue()

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
    def published(params: types.PublishDiagnosticsParams) -> None:
        found.put_nowait([str(each.code) for each in params.diagnostics])

    await client.start_io(sys.executable, "-m", "regpress_lint", "server", env={**os.environ, "PYTHONPATH": PATH})
    await client.initialize_async(types.InitializeParams(capabilities=types.ClientCapabilities()))
    client.initialized(types.InitializedParams())
    uri = (folder / "k.hip").as_uri()
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "cpp", 1, HIP)))
    codes = [await found.get()]
    whole = types.TextDocumentContentChangeWholeDocument(CLEAN)
    document = types.VersionedTextDocumentIdentifier(2, uri)
    client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))
    codes.append(await found.get())
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call]
    return codes


@pytest.mark.slow
def test_a_server_in_its_own_process_serves_standard_input_and_output(tmp_path: Path) -> None:
    assert asyncio.run(asyncio.wait_for(_talk(tmp_path), 120)) == [["RP201"], []]


@pytest.mark.slow
def test_missing_extra_is_one_line_with_the_command(tmp_path: Path) -> None:
    (tmp_path / "pygls.py").write_text("raise ModuleNotFoundError(\"No module named 'pygls'\", name='pygls')\n")
    path = os.pathsep.join((str(tmp_path), PATH))
    found = process("server", cwd=tmp_path, PYTHONPATH=path)
    assert found.returncode == 2
    assert found.stderr.decode().splitlines() == [
        "regpress-lint: error: the language server needs a package that is not installed (pygls): "
        "pip install 'regpress-lint[lsp] @ git+URL', with the address of its repository"
    ]


def test_other_commands_do_not_load_the_server(tmp_path: Path) -> None:
    (tmp_path / "k.hip").write_text(HIP)
    code = (
        "import sys; from regpress_lint.__main__ import main; main(['check', 'k.hip', '--no-cache']); "
        "print([name for name in sys.modules if name.startswith(('pygls', 'lsprotocol', 'regpress_lint.server'))])"
    )
    environment = {**os.environ, "PYTHONPATH": PATH}
    found = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, check=True)
    assert found.stdout.decode().splitlines()[-1] == "[]"


# ----------------------------------------------------------------------------------------------------------- Neovim

NEOVIM = """
local file, answer, python = arg_file, arg_answer, arg_python
vim.cmd("edit " .. file)
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({ name = "regpress-lint", cmd = { python, "-m", "regpress_lint", "server" } })
vim.lsp.buf_attach_client(buffer, client)
local found = { states = {} }
local function wait(condition)
  assert(vim.wait(60000, condition, 20), "nothing came within a minute")
  local codes = {}
  for _, each in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(codes, { each.code, each.lnum, each.col, each.end_col })
  end
  table.insert(found.states, codes)
end
local function shown() return #vim.diagnostic.get(buffer) end
wait(function() return shown() > 0 end)

local params = vim.lsp.util.make_range_params()
params.range = { start = { line = 3, character = 25 }, ["end"] = { line = 3, character = 25 } }
params.context = { diagnostics = {}, only = { "quickfix" } }
local actions = vim.lsp.buf_request_sync(buffer, "textDocument/codeAction", params, 60000)[client].result
found.titles = {}
for _, each in ipairs(actions) do table.insert(found.titles, each.title) end

vim.api.nvim_win_set_cursor(0, { 2, 42 })
local hover = vim.lsp.buf_request_sync(buffer, "textDocument/hover", vim.lsp.util.make_position_params(), 60000)
assert(hover[client] and hover[client].result, vim.inspect(hover))
found.hover = hover[client].result.contents.value
local document = { textDocument = vim.lsp.util.make_text_document_params() }
local lenses = vim.lsp.buf_request_sync(buffer, "textDocument/codeLens", document, 60000)
assert(lenses[client] and lenses[client].result, vim.inspect(lenses))
found.lenses = #lenses[client].result

vim.lsp.util.apply_workspace_edit(actions[1].edit, vim.lsp.get_client_by_id(client).offset_encoding)
wait(function() return shown() == 0 end)
found.text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\\n")
vim.cmd("undo")
wait(function() return shown() > 0 end)
local out = io.open(answer, "w")
out:write(vim.fn.json_encode(found))
out:close()
vim.cmd("qall!")
"""


@pytest.fixture
def neovim() -> Path:
    """Neovim's program."""
    found = shutil.which("nvim")
    if found is None:
        pytest.skip("Neovim is not installed (Debian: apt-get install --no-install-recommends neovim)")
    done = subprocess.run([found, "--version"], capture_output=True, text=True, check=False, timeout=60)
    version = re.match(r"NVIM v(\d+)\.(\d+)", done.stdout)
    if version is None or (int(version[1]), int(version[2])) < (0, 7):
        pytest.skip(f"Neovim 0.7 is needed: {' '.join((done.stdout + done.stderr).split())[:100]}")
    return Path(found)


@pytest.mark.editor
def test_neovim_shows_findings_and_applies_a_fix(tmp_path: Path, neovim: Path) -> None:
    file, answer, script = tmp_path / "k.hip", tmp_path / "answer.json", tmp_path / "drive.lua"
    file.write_text(HIP.replace("  x[i] = pow", "  x[i] /* \U0001d53d\u00e9 */ = pow"))
    script.write_text(
        f"arg_file, arg_answer, arg_python = {json.dumps(str(file))}, {json.dumps(str(answer))}, "
        f"{json.dumps(sys.executable)}\n{NEOVIM}"
    )
    environment = {**os.environ, "PYTHONPATH": PATH, "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    command = [str(neovim), "--clean", "--headless", "-n", "-c", f"luafile {script}", "-c", "qall!"]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=300, check=False, cwd=tmp_path)
    assert answer.is_file(), done.stderr.decode()
    found: dict[str, Any] = json.loads(answer.read_text())
    first, repaired, undone = found["states"]
    line = file.read_text().split("\n")[3]
    start = len(line[: line.index("pow")].encode())  # Neovim counts bytes
    assert first == undone == [["RP201", 3, start, start + 14]]
    assert repaired == []
    assert "x[i] * x[i]" in found["text"]
    assert [title for title in found["titles"] if title.startswith("Silence")]
    assert "**square** on gfx90a" in found["hover"]
    assert found["lenses"] == 1


SET_UP = """
assert(vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 20), "nothing came within a minute")
vim.fn.writefile({ tostring(#vim.diagnostic.get(0)) }, "answer")
vim.cmd("qall!")
"""


@pytest.mark.editor
def test_neovim_with_the_documented_setup_shows_findings(tmp_path: Path, neovim: Path) -> None:
    today, before = [fence.text for fence in fences_of("docs/editors.md") if fence.language == "lua"]
    (tmp_path / "today.lua").write_text(today)
    (tmp_path / "init.lua").write_text(before)
    (tmp_path / "drive.lua").write_text(SET_UP)
    (tmp_path / "k.hip").write_text(HIP)
    program = tmp_path / "regpress-lint"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m regpress_lint "$@"\n')
    program.chmod(0o755)
    environment = {**os.environ, "PYTHONPATH": PATH, "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    environment["PATH"] = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    command = [str(neovim), "--clean", "--headless", "-n", "-c", "lua assert(loadfile('today.lua'))"]
    command += ["-c", "luafile init.lua", "-c", "edit k.hip", "-c", "luafile drive.lua", "-c", "cquit"]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=300, check=False, cwd=tmp_path)
    assert (done.returncode, (tmp_path / "answer").read_text()) == (0, "1\n"), done.stderr.decode()


# ---------------------------------------------------------------------------------------------------------- VS Code


def test_vs_code_extension_matches_the_server() -> None:
    from regpress_lint.lint.discovery import EXTENSIONS
    from regpress_lint.server.actions import EXPLAIN, PRESSURE, SWEEP
    from regpress_lint.server.session import Options, options_of

    manifest = json.loads((EXTENSION / "package.json").read_text())
    assert manifest["main"] == "./extension.js"
    assert (EXTENSION / "extension.js").is_file()
    commands = {each["command"] for each in manifest["contributes"]["commands"]}
    assert commands == {"regpress-lint.showPressure", "regpress-lint.showSweep", "regpress-lint.restart"}
    script = (EXTENSION / "extension.js").read_text()
    assert PRESSURE in script
    assert SWEEP in script
    assert EXPLAIN.startswith("regpress-lint.")
    properties = manifest["contributes"]["configuration"]["properties"]
    defaults = {key.partition(".")[2]: each["default"] for key, each in properties.items()}
    assert options_of(defaults) == Options()
    assert len(defaults) == 1 + len(Options())  # and how the server is started
    pattern = re.search(r"\*\*/\*\.\{([\w,]+)\}", script)
    assert pattern is not None
    assert set(pattern[1].split(",")) == set(EXTENSIONS)


@pytest.mark.editor
def test_the_extension_can_be_packed(tmp_path: Path) -> None:
    vsce = os.environ.get("REGPRESS_VSCE") or shutil.which("vsce")
    if vsce is None:
        pytest.skip("vsce is not installed (npm install -g @vscode/vsce, or REGPRESS_VSCE)")
    works = subprocess.run([vsce, "--version"], capture_output=True, check=False, timeout=60)
    if works.returncode:
        pytest.skip(f"vsce does not work here: {works.stderr.decode(errors='replace')[:300]}")
    folder = tmp_path / "vscode"
    shutil.copytree(EXTENSION, folder, ignore=shutil.ignore_patterns("node_modules"))
    command = [vsce, "package", "--no-dependencies", "--out", str(tmp_path / "out.vsix")]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    assert (tmp_path / "out.vsix").stat().st_size > 0
