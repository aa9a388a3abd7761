"""The protocol: which requests and notifications there are, and what of the session answers them (pygls)."""

from __future__ import annotations

import asyncio
import os
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from regpress_lint import __version__
from regpress_lint.core.digests import digest_of
from regpress_lint.core.errors import UsageError
from regpress_lint.lint.discovery import EXTENSIONS
from regpress_lint.server import actions, hints, hover
from regpress_lint.server.open_texts import is_file, path_of, uri_of
from regpress_lint.server.session import Session, options_of
from regpress_lint.server.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from regpress_lint.commands.kernels.sweep import Axis
    from regpress_lint.server.open_texts import Encoding
    from regpress_lint.server.workbench import Services
    from regpress_lint.server.worker import Timer

NAME = "regpress-lint"
CONFIGURATION = frozenset(("regpress.toml", "pyproject.toml", "compile_commands.json"))
_SERVER_CANCELLED = -32802
_ENCODINGS: dict[str, Encoding] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}


class _Protocol(LanguageServerProtocol):
    """Without pygls' own texts: it breaks lines where editors do not, and the session keeps bytes."""

    lsp_text_document__did_open = None  # type: ignore[assignment]
    lsp_text_document__did_change = None  # type: ignore[assignment]
    lsp_text_document__did_close = None  # type: ignore[assignment]

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message as an object. A malformed request also gets an answer: an editor waits for it."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            number = data.get("id")
            if "method" in data and isinstance(number, int | str):
                self._send_response(number, error=error.to_response_error())
            raise


class Server(LanguageServer):
    """The server of one editor. runs, later: who does the work, and who waits; tests bring their own."""

    def __init__(
        self,
        services: Services,
        runs: Worker | None = None,
        later: Callable[[float, Callable[[], object]], Timer] | None = None,
    ) -> None:
        super().__init__(NAME, __version__, protocol_cls=_Protocol, max_workers=2)
        self.session = Session(services, self, runs or Worker(), later or self._call_later, self._call)
        self._loop: asyncio.AbstractEventLoop | None = None
        _register(self)

    # ---------------------------------------------------------------------------------------- what the session sends

    def publish(self, uri: str, version: int | None, diagnostics: list[types.Diagnostic]) -> None:
        """See `Outlet`."""
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))

    def tell(self, message: str, *, loud: bool) -> None:
        """See `Outlet`."""
        text = f"regpress-lint: {message}"
        if loud:
            self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, text.partition("\n")[0]))
        self.window_log_message(types.LogMessageParams(types.MessageType.Warning, text))

    def ask_again(self) -> None:
        """See `Outlet`."""
        workspace = self.client_capabilities.workspace
        if workspace is not None and workspace.diagnostics is not None and workspace.diagnostics.refresh_support:
            self.workspace_diagnostic_refresh(None)

    def _call_later(self, seconds: float, action: Callable[[], object]) -> Timer:
        return self._running_loop().call_later(seconds, action)

    def _call(self, action: Callable[[], object]) -> None:
        loop = self._running_loop()
        if not loop.is_closed():
            loop.call_soon_threadsafe(action)

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        return self._loop


def _register(server: Server) -> None:
    """Name every handler; what is not named is not offered."""
    feature = server.feature
    feature(types.INITIALIZE)(_initialize)
    feature(types.INITIALIZED)(_initialized)
    feature(types.SHUTDOWN)(_shutdown)
    feature(types.TEXT_DOCUMENT_DID_OPEN)(_opened)
    feature(types.TEXT_DOCUMENT_DID_CHANGE)(_changed)
    feature(types.TEXT_DOCUMENT_DID_SAVE)(_saved)
    feature(types.TEXT_DOCUMENT_DID_CLOSE)(_closed)
    feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_watched)
    feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(_configured)
    pulled = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier=NAME)
    feature(types.TEXT_DOCUMENT_DIAGNOSTIC, pulled)(_diagnostic)
    offered = types.CodeActionOptions(code_action_kinds=list(actions.KINDS))
    feature(types.TEXT_DOCUMENT_CODE_ACTION, offered)(_code_action)
    feature(types.TEXT_DOCUMENT_HOVER)(_hover)
    feature(types.TEXT_DOCUMENT_CODE_LENS)(_code_lens)
    feature(types.TEXT_DOCUMENT_INLAY_HINT)(_inlay_hint)
    feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(_document_symbol)
    server.command(actions.EXPLAIN)(_explain)
    server.command(actions.PRESSURE)(_pressure)
    server.command(actions.SWEEP)(_sweep)


# --------------------------------------------------------------------------------------------- what the editor tells


def _initialize(ls: Server, params: types.InitializeParams) -> None:
    """The first message: what the editor can do."""
    encoding = str(getattr(ls.workspace.position_encoding, "value", ls.workspace.position_encoding))
    ls.session.encoding = _ENCODINGS.get(encoding, "utf-16")
    text_document = params.capabilities.text_document
    ls.session.pushes = text_document is None or text_document.diagnostic is None
    ls.session.options = options_of(params.initialization_options, ls.session.options)
    uris = [folder.uri for folder in params.workspace_folders or ()] or [params.root_uri or ""]
    ls.session.bench.folders = tuple(path_of(uri) for uri in uris if is_file(uri))


def _initialized(ls: Server, _params: types.InitializedParams) -> None:
    """The editor is ready: ask it to tell what changes on the disk."""
    ls.session.started()
    workspace = ls.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace is not None else None
    if watching is None or not watching.dynamic_registration:
        return
    ls.session.watches_files = True
    patterns = [f"**/*.{{{','.join(sorted(EXTENSIONS))}}}", f"**/{{{','.join(sorted(CONFIGURATION))}}}"]
    options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(pattern) for pattern in patterns])
    wanted = types.Registration("watched-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    ls.client_register_capability(types.RegistrationParams([wanted]))


def _shutdown(ls: Server, _params: Any = None) -> None:
    """The last request."""
    ls.session.stop()


def _opened(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    document = params.text_document
    ls.session.opened(document.uri, document.version, document.text)


def _changed(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    ls.session.changed(params.text_document.uri, params.text_document.version, params.content_changes)


def _saved(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
    ls.session.saved(params.text_document.uri)


def _closed(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    ls.session.closed(params.text_document.uri)


def _watched(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Files changed on the disk: written ones concern who includes them alone, others everything."""
    paths = [path_of(change.uri) for change in params.changes]
    written = all(change.type == types.FileChangeType.Changed for change in params.changes)
    if written and not any(os.path.basename(path) in CONFIGURATION for path in paths):
        ls.session.changed_on_disk(paths)
    else:
        ls.session.reset()


def _configured(ls: Server, params: types.DidChangeConfigurationParams) -> None:
    """The editor's own settings, perhaps, changed: have it repeat the requests that depend on them."""
    before, ls.session.options = ls.session.options, options_of(params.settings, ls.session.options)
    workspace = ls.client_capabilities.workspace
    if ls.session.options == before or workspace is None:
        return
    if workspace.code_lens is not None and workspace.code_lens.refresh_support:
        ls.workspace_code_lens_refresh(None)
    if workspace.inlay_hint is not None and workspace.inlay_hint.refresh_support:
        ls.workspace_inlay_hint_refresh(None)


# ---------------------------------------------------------------------------------------------- what the editor asks


async def _diagnostic(ls: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """Diagnostics of a text; the editor asks again if it moved on meanwhile."""
    session, uri = ls.session, params.text_document.uri
    is_open = session.documents.get(uri) is not None
    look = await session.ask(uri, lambda look: look)
    if look is None and is_open:
        raise JsonRpcException("the text has moved on", _SERVER_CANCELLED, {"retriggerRequest": True})
    diagnostics = [] if look is None else actions.diagnostics(look, session.encoding)
    if look is not None:
        session.tell_about(look)
        session.look_closer(look)
    result = digest_of(repr(diagnostics).encode("utf-8", "surrogatepass"))
    if result == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(result)
    return types.RelatedFullDocumentDiagnosticReport(diagnostics, result_id=result)


async def _code_action(ls: Server, params: types.CodeActionParams) -> Sequence[types.CodeAction]:
    """Fixes, suppressions and explanations at a place."""
    ask = partial(actions.actions, where=params.range, only=params.context.only, encoding=ls.session.encoding)
    return await ls.session.ask(params.text_document.uri, ask) or []


async def _hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    """The text shown at a place."""
    session = ls.session
    ask = partial(hover.hover, services=session.services, position=params.position, encoding=session.encoding)
    return await session.ask(params.text_document.uri, ask)


async def _code_lens(ls: Server, params: types.CodeLensParams) -> Sequence[types.CodeLens]:
    """Lines above the kernels."""
    if not ls.session.options.code_lens:
        return []
    ask = partial(hints.lenses, encoding=ls.session.encoding)
    return await ls.session.ask(params.text_document.uri, ask) or []


async def _inlay_hint(ls: Server, params: types.InlayHintParams) -> Sequence[types.InlayHint]:
    """Live registers behind lines."""
    if not ls.session.options.inlay_hints:
        return []
    ask = partial(hints.hints, where=params.range, encoding=ls.session.encoding)
    return await ls.session.ask(params.text_document.uri, ask) or []


async def _document_symbol(ls: Server, params: types.DocumentSymbolParams) -> Sequence[types.DocumentSymbol]:
    ask = partial(hints.symbols, encoding=ls.session.encoding)
    return await ls.session.ask(params.text_document.uri, ask) or []


# ------------------------------------------------------------------------------------------------------------ commands


def _explain(ls: Server, rule: str) -> dict[str, str] | None:
    """A rule's page: shown in the browser where the editor can, and returned."""
    info = actions.explained(rule)
    if info is None:
        ls.tell(f'unknown rule "{rule}"', loud=True)
        return None
    if not _show(ls, info.url):
        ls.tell(f"{info.code} {info.name}: {info.summary}", loud=True)
    return {"code": info.code, "name": info.name, "url": info.url, "documentation": info.documentation}


async def _pressure(ls: Server, uri: str, *rest: Any) -> dict[str, str] | None:
    """The page of `pressure`: shown in the browser where the editor can; its path is returned.

    rest: a kernel's name, or nothing. pygls refuses a call that leaves out a parameter with a default.
    """
    kernel, *_ = (*rest, None)
    return await _page(ls, uri, kernel)


async def _sweep(ls: Server, uri: str, *rest: Any) -> dict[str, str] | None:
    """The page of `pressure` with each kernel at several values.

    rest: a kernel's name or null for all, and `NAME=V1,V2` each; block sizes if nothing is named.
    """
    kernel, *named = rest or (None,)
    try:
        axes = actions.axes_in(map(str, named))
    except UsageError as error:
        ls.tell(str(error), loud=True)
        return None
    return await _page(ls, uri, kernel, axes)


async def _page(ls: Server, uri: str, kernel: str | None, axes: tuple[Axis, ...] = ()) -> dict[str, str] | None:
    session = ls.session
    ask = partial(actions.pressure_page, services=session.services, kernel=kernel, axes=axes)
    page = await session.ask(uri, ask)
    if page is None:
        ls.tell("no kernel to show the register pressure of", loud=True)
        return None
    path = session.pages.write(digest_of(uri.encode("utf-8", "surrogatepass")), page)
    if not _show(ls, uri_of(path)):
        ls.tell(f"register pressure is shown in {path}", loud=True)
    return {"path": path, "uri": uri_of(path)}


def _show(ls: Server, uri: str) -> bool:
    window = ls.client_capabilities.window
    able = bool(uri) and window is not None and window.show_document is not None and window.show_document.support
    if able:
        ls.window_show_document(types.ShowDocumentParams(uri, external=True))
    return able
