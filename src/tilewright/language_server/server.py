"""`documents` by the Language Server Protocol, over standard input and output."""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from tilewright.language_server import documents
from tilewright.language_server.documents import Problem, Span
from tilewright.version import __version__

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "remark": types.DiagnosticSeverity.Information,
    "note": types.DiagnosticSeverity.Hint,
}


def make_server() -> LanguageServer:
    """A server with everything that it answers."""
    server = LanguageServer("tilewright", __version__, types.TextDocumentSyncKind.Full)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(given: types.DidOpenTextDocumentParams) -> None:
        publish(server, given.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(given: types.DidChangeTextDocumentParams) -> None:
        publish(server, given.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(given: types.HoverParams) -> types.Hover | None:
        text, _ = _document(server, given.text_document.uri)
        page = documents.meaning(text, given.position.line, given.position.character)
        return None if page is None else types.Hover(types.MarkupContent(types.MarkupKind.Markdown, page))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def define(given: types.DefinitionParams) -> types.Location | None:
        text, _ = _document(server, given.text_document.uri)
        found = documents.definition(text, given.position.line, given.position.character)
        return None if found is None else types.Location(given.text_document.uri, _range(found))

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def format(given: types.DocumentFormattingParams) -> list[types.TextEdit]:
        text, _ = _document(server, given.text_document.uri)
        laid_out = documents.formatted(text)
        whole = types.Range(types.Position(0, 0), types.Position(text.count("\n") + 1, 0))
        return [] if laid_out == text else [types.TextEdit(whole, laid_out)]

    return server


def publish(server: LanguageServer, uri: str) -> None:
    """Tell the editor what is wrong with a document."""
    text, name = _document(server, uri)
    found = [_diagnostic(problem) for problem in documents.problems(text, name)]
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found))


def _document(server: LanguageServer, uri: str) -> tuple[str, str]:
    """The text of an open document, and its path."""
    document: Any = server.workspace.get_text_document(uri)
    return document.source, document.path


def _range(span: Span) -> types.Range:
    return types.Range(types.Position(span.line, span.begin), types.Position(span.line, span.end))


def _diagnostic(problem: Problem) -> types.Diagnostic:
    return types.Diagnostic(
        _range(problem.span),
        problem.message,
        severity=_SEVERITIES[problem.severity],
        code=problem.code or None,
        source="tilewright",
    )
