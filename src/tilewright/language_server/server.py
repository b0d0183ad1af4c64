"""`documents` by the Language Server Protocol, over standard input and output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.workspace import PositionCodec

from tilewright.language_server import documents
from tilewright.version import __version__

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "remark": types.DiagnosticSeverity.Information,
    "note": types.DiagnosticSeverity.Hint,
}


def make_server() -> LanguageServer:
    """Return a server that publishes diagnostics when a document is opened or changed, clears them when it is
    closed, and handles requests for hover, definition and formatting. The server is not started.
    """
    server = LanguageServer("tilewright", __version__, types.TextDocumentSyncKind.Full)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(given: types.DidOpenTextDocumentParams) -> None:
        publish(server, given.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(given: types.DidChangeTextDocumentParams) -> None:
        publish(server, given.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(given: types.DidCloseTextDocumentParams) -> None:
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(given.text_document.uri, []))

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(given: types.HoverParams) -> types.Hover | None:
        document = _document(server, given.text_document.uri)
        page = document and documents.meaning(document.text, *document.place(given.position))
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, page)) if page else None

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def define(given: types.DefinitionParams) -> types.Location | None:
        document = _document(server, given.text_document.uri)
        found = document and documents.definition(document.text, *document.place(given.position))
        return types.Location(given.text_document.uri, document.range(found)) if document and found else None

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def format(given: types.DocumentFormattingParams) -> list[types.TextEdit]:
        document = _document(server, given.text_document.uri)
        if document is None:
            return []
        laid_out = documents.formatted(document.text)
        whole = types.Range(types.Position(0, 0), types.Position(len(document.lines), 0))
        return [] if laid_out == document.text else [types.TextEdit(whole, laid_out)]

    return server


def publish(server: LanguageServer, uri: str) -> None:
    """Send the errors and warnings of a document to the editor, in place of earlier ones. Nothing is sent for
    a document that is not open.
    """
    document = _document(server, uri)
    if document is not None:
        found = [_diagnostic(document, one) for one in documents.problems(document.text, document.path)]
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found))


@dataclass(frozen=True, slots=True)
class _Document:
    """An open document.

    The codec converts columns of the editor, in the units agreed with it, to code points.
    """

    path: str
    text: str
    codec: PositionCodec

    @property
    def lines(self) -> list[str]:
        """Return the lines of the text, split at line feeds only; a carriage return stays at the end of its
        line.
        """
        return self.text.split("\n")

    def place(self, position: types.Position) -> tuple[int, int]:
        """Return the line and the character of a position from the editor, both from 0, in code points."""
        found = self.codec.position_from_client_units(self.lines, position)
        return found.line, found.character

    def range(self, span: documents.CharacterRange) -> types.Range:
        """Convert a range of the text, in code points, to a range in the units of the editor."""
        places = types.Position(span.line, span.begin), types.Position(span.line, span.end)
        return self.codec.range_to_client_units(self.lines, types.Range(*places))


def _document(server: LanguageServer, uri: str) -> _Document | None:
    """Return the document with the URI ``uri``, or None if it is not open."""
    workspace: Any = server.workspace
    document = workspace.text_documents.get(uri)
    return document and _Document(document.path, document.source, workspace.position_codec)


def _diagnostic(document: _Document, problem: documents.DocumentDiagnostic) -> types.Diagnostic:
    return types.Diagnostic(
        document.range(problem.span),
        problem.message,
        severity=_SEVERITIES[problem.severity],
        code=problem.code or None,
        source="tilewright",
    )
