"""`documents` and `programs` by the Language Server Protocol, over standard input and output.

A document is a program with kernels if its name has a suffix of Python or C++; any other document is MLIR text.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from tilewright.cpp.options import SUFFIXES as CPP_SUFFIXES
from tilewright.driver.dependencies import require
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.language_server import documents
from tilewright.language_server.open_documents import SEVERITIES, SOURCE, OpenDocument, open_document
from tilewright.version import __version__

if TYPE_CHECKING:
    from tilewright.language_server.program_server import ProgramServer

PROGRAMS = (".py", *CPP_SUFFIXES)
"""The suffixes of programs with kernels."""
CHECK, PROVE, STAGES, SHOW_STAGE = (
    f"tilewright.{name}" for name in ("check", "prove", "stages", "showStage")
)
"""The commands of the server."""


class TileServer(LanguageServer):
    """A server for MLIR text and for programs with kernels. ``settings`` are the initialization options that the
    editor has sent.
    """

    settings: Mapping[str, Any] = MappingProxyType({})

    @cached_property
    def programs(self) -> ProgramServer:
        """The part of the server for programs, which is loaded when the first program is opened."""
        from tilewright.language_server.program_server import ProgramServer

        return ProgramServer(self)

    def program(self, uri: str) -> OpenDocument | None:
        """Return the open program with the URI ``uri``. Return None for any other document, and for all if
        packages that programs need are missing.
        """
        document = open_document(self, uri)
        is_program = document is not None and document.path.endswith(PROGRAMS)
        return document if is_program and self._has_programs else None

    @cached_property
    def _has_programs(self) -> bool:
        """Whether the packages that programs need are installed; the user is told which are missing."""
        try:
            require("interp")
        except DiagnosticError as error:
            self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, str(error)))
            return False
        return True

    def text(self, uri: str) -> OpenDocument | None:
        """Return the open MLIR text with the URI ``uri``; None for any other document."""
        document = open_document(self, uri)
        return None if document is None or document.path.endswith(PROGRAMS) else document


def make_server() -> TileServer:
    """Return a server that publishes diagnostics when a document is opened or changed, clears them when it is
    closed, and handles requests for hints, hovers, definitions, formatting and stages. The server is not
    started.
    """
    server = TileServer("tilewright", __version__, types.TextDocumentSyncKind.Full)
    _add_documents(server)
    _add_queries(server)
    _add_programs(server)
    return server


def _add_documents(server: TileServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(given: types.InitializeParams) -> None:
        options: Any = given.initialization_options
        server.settings = options if hasattr(options, "get") else {}

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(given: types.DidOpenTextDocumentParams) -> None:
        document = server.program(given.text_document.uri)
        if document is not None:
            server.programs.opened(document)
        else:
            publish(server, given.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(given: types.DidChangeTextDocumentParams) -> None:
        document = server.program(given.text_document.uri)
        if document is not None:
            server.programs.publish(document)
        else:
            publish(server, given.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(given: types.DidSaveTextDocumentParams) -> None:
        document = server.program(given.text_document.uri)
        if document is not None:
            await server.programs.saved(document)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(given: types.DidCloseTextDocumentParams) -> None:
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(given.text_document.uri, []))


def _add_queries(server: TileServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(given: types.HoverParams) -> types.Hover | None:
        program = server.program(given.text_document.uri)
        if program is not None:
            return server.programs.hover(program, given.position)
        document = server.text(given.text_document.uri)
        page = document and documents.meaning(document.text, *document.place(given.position))
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, page)) if page else None

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def define(given: types.DefinitionParams) -> types.Location | None:
        document = server.text(given.text_document.uri)
        found = document and documents.definition(document.text, *document.place(given.position))
        return types.Location(given.text_document.uri, document.range(found)) if document and found else None

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def format(given: types.DocumentFormattingParams) -> list[types.TextEdit]:
        document = server.text(given.text_document.uri)
        if document is None:
            return []
        laid_out = documents.formatted(document.text)
        whole = types.Range(types.Position(0, 0), types.Position(len(document.lines), 0))
        return [] if laid_out == document.text else [types.TextEdit(whole, laid_out)]


def _add_programs(server: TileServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def hints(given: types.InlayHintParams) -> list[types.InlayHint]:
        document = server.program(given.text_document.uri)
        return [] if document is None else server.programs.hints(document, given.range)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
    def actions(given: types.CodeActionParams) -> list[types.CodeAction]:
        document = server.program(given.text_document.uri)
        return [] if document is None else server.programs.actions(document, given)

    @server.command(CHECK)
    async def check(uri: str) -> str:
        return await server.programs.check(uri)

    @server.command(PROVE)
    async def prove(uri: str) -> str:
        return await server.programs.prove(uri)

    @server.command(STAGES)
    def stages(uri: str, line: int) -> list[str]:
        document = server.program(uri)
        return [] if document is None else server.programs.stages(document, line)

    @server.command(SHOW_STAGE)
    def show_stage(uri: str, line: int, name: str) -> bool:
        document = server.program(uri)
        return document is not None and server.programs.show_stage(document, line, name)


def publish(server: TileServer, uri: str) -> None:
    """Send the errors and warnings of an MLIR text to the editor, in place of earlier ones. Nothing is sent for
    a document that is not open.
    """
    document = server.text(uri)
    if document is not None:
        found = [_diagnostic(document, one) for one in documents.problems(document.text, document.path)]
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found))


def _diagnostic(document: OpenDocument, problem: documents.DocumentDiagnostic) -> types.Diagnostic:
    return types.Diagnostic(
        document.range(problem.span),
        problem.message,
        severity=SEVERITIES[problem.severity],
        code=problem.code or None,
        source=SOURCE,
    )
