"""The documents that an editor has open, and their positions in its units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.workspace import PositionCodec

from tilewright.language_server.documents import CharacterRange

SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "remark": types.DiagnosticSeverity.Information,
    "note": types.DiagnosticSeverity.Hint,
}
"""The severities of diagnostics, by name."""
SOURCE = "tilewright"
"""The source of diagnostics, as editors show it."""


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """An open document: its URI, its path in the file system, and its present text. The codec converts
    columns of the editor, in the units agreed with it, to code points.
    """

    uri: str
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

    def position(self, line: int, character: int) -> types.Position:
        """Convert a line and a character, from 0, in code points, to a position in the units of the editor."""
        return self.codec.position_to_client_units(self.lines, types.Position(line, character))

    def range(self, span: CharacterRange) -> types.Range:
        """Convert a range of the text, in code points, to a range in the units of the editor."""
        return types.Range(self.position(span.line, span.begin), self.position(span.line, span.end))


def open_document(server: LanguageServer, uri: str) -> OpenDocument | None:
    """Return the document with the URI ``uri``, or None if it is not open."""
    workspace: Any = server.workspace
    found = workspace.text_documents.get(uri)
    return found and OpenDocument(uri, found.path, found.source, workspace.position_codec)


def open_uris(server: LanguageServer) -> list[str]:
    """Return the URIs of the open documents."""
    workspace: Any = server.workspace
    return list(workspace.text_documents)
