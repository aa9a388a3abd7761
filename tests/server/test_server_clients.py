"""The server before the capabilities that real editors declare: pytest-lsp warns of every answer that one of them would
not understand.
"""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pygls", reason="the extra `lsp` is not installed")
pytest.importorskip("pytest_lsp", reason="pytest-lsp is not installed (pip install -e '.[test]')")

from cli_helpers import HIP, ROOT
from lsprotocol import types

if TYPE_CHECKING:
    from pathlib import Path

pytest_lsp: Any = sys.modules["pytest_lsp"]
PATH = os.pathsep.join((str(ROOT), str(ROOT / "rules")))
EDITORS = ["emacs@29.1", "neovim@0.7.0", "neovim@0.11.0", "visual_studio_code@1.65.2"]


async def answers(folder: Path, editor: str) -> dict[str, Any]:
    """What an editor is told about a text, by the message that it asks with."""
    client = pytest_lsp.make_test_lsp_client()
    await client.start_io(sys.executable, "-m", "regpress_lint", "server", env={**os.environ, "PYTHONPATH": PATH})
    able = pytest_lsp.client_capabilities(editor)
    options = {"inlayHints": True}
    parameters = types.InitializeParams(capabilities=able, root_uri=folder.as_uri(), initialization_options=options)
    told = await client.initialize_session(parameters)
    uri = (folder / "k.hip").as_uri()
    shown = client.protocol.wait_for_notification_async(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "cpp", 1, HIP)))
    here = types.TextDocumentIdentifier(uri)
    if able.text_document is not None and able.text_document.diagnostic is not None:
        pulled = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(here))
        found = list(pulled.items)
    else:
        await shown
        found = list(client.diagnostics[uri])
    name = types.Position(1, HIP.splitlines()[1].index("square"))
    whole = types.Range(types.Position(0, 0), types.Position(HIP.count("\n"), 0))
    context = types.CodeActionContext(found)
    result = {
        "codes": [each.code for each in found],
        "encoding": told.capabilities.position_encoding,
        "hover": await client.text_document_hover_async(types.HoverParams(here, name)),
        "actions": await client.text_document_code_action_async(types.CodeActionParams(here, found[0].range, context)),
        "lenses": await client.text_document_code_lens_async(types.CodeLensParams(here)),
        "symbols": await client.text_document_document_symbol_async(types.DocumentSymbolParams(here)),
        "hints": await client.text_document_inlay_hint_async(types.InlayHintParams(here, whole)),
        "said": [each.message for each in client.messages],
    }
    await client.shutdown_session()
    return result


@pytest.mark.slow
@pytest.mark.filterwarnings("error::pytest_lsp.LspSpecificationWarning")
@pytest.mark.parametrize("editor", EDITORS)
def test_editor_gets_only_features_it_supports(tmp_path: Path, editor: str) -> None:
    found = asyncio.run(asyncio.wait_for(answers(tmp_path, editor), 120))
    assert found["codes"] == ["RP201"]
    assert "registers per thread" in found["hover"].contents.value
    titles = [each.title for each in found["actions"]]
    assert any("x[i] * x[i]" in title for title in titles), titles
    assert any("gfx90a" in each.command.title for each in found["lenses"])
    assert found["symbols"]
    assert found["hints"]
    assert found["said"] == []
