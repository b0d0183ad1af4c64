"""Diagnostic codes of the server of tools (TW17xx)."""

from __future__ import annotations

from tilewright.ir.codes import code

OUTSIDE_FOLDER = code(
    1700,
    "file outside of the server's folder",
    "`tilewright mcp FOLDER` serves one folder. A tool was asked about a file whose real path, behind `..` and symbolic "
    "links, is not below that folder. Name a file in the folder by its path in it, or start the server in the folder "
    "that has the file.",
)
BAD_REQUEST = code(
    1701,
    "request that a tool does not take",
    "There is no tool of that name, or its arguments do not fit its schema: one is missing, unknown, or has another "
    "type. The list of tools has the schema of each.",
)
LIMIT_REACHED = code(
    1702,
    "tool stopped at a limit",
    "The process of a tool needed more time, memory or processes than the server allows, and was ended with everything "
    "that it had started. Take smaller arrays and fewer tile blocks, look for a loop whose condition never changes, or "
    "start the server with other limits: `--seconds`, `--memory` and `--processes`.",
)
