"""`tools` by the Model Context Protocol, over standard input and output."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import jsonschema
import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server

from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.tool_server import child, codes, reports
from tilewright.tool_server.folder import Folder
from tilewright.tool_server.tools import TOOLS, ToolDeclaration
from tilewright.version import __version__

INSTRUCTIONS = (
    "Compile, run and check tile kernels of cuTile, Triton and CUDA C++ without a GPU. Begin with `check` on a program; "
    "`explain` has a page for each code of a finding. Files are named by their paths in the folder of the server."
)


def make_server(folder: Folder, limits: child.ToolLimits) -> Server:
    """Return a server whose tools work in `folder`, each call within the `limits`; a call that is refused or
    stopped returns its error as its result. The server is not started.
    """

    async def list_tools(
        context: ServerRequestContext[Any], given: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_declared(tool) for tool in TOOLS.values()])

    async def call_tool(
        context: ServerRequestContext[Any], given: types.CallToolRequestParams
    ) -> types.CallToolResult:
        try:
            return await call(given.name, given.arguments or {}, folder, limits)
        except DiagnosticError as error:
            found = reports.of_error(error)
            return _result(reports.text_of(found), found, is_error=True)

    return Server(
        "tilewright",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def serve(folder: Folder, limits: child.ToolLimits) -> None:
    """Serve a client over standard input and output, one message a line, until it closes the input. Files
    that calls of tools name must lie in `folder`, and each call has the `limits`; a program that a tool runs
    may use other files, too.
    """
    server = make_server(folder, limits)
    async with stdio_server() as (given, said):
        await server.run(given, said, server.create_initialization_options())


def _declared(tool: ToolDeclaration) -> types.Tool:
    about = types.ToolAnnotations(read_only_hint=tool.is_safe, open_world_hint=False)
    return types.Tool(
        name=tool.name, description=tool.description, input_schema=tool.schema(), annotations=about
    )


async def call(
    name: str, arguments: Mapping[str, Any], folder: Folder, limits: child.ToolLimits
) -> types.CallToolResult:
    """Run the tool `name` as a child process and return its result: text for a reader, and the findings as an
    object. An exit status above 1 marks the result as an error. Raises `DiagnosticError` for an unknown tool,
    wrong arguments, files outside of the folder, and a reached limit.
    """
    tool = TOOLS.get(name)
    if tool is None:
        raise failure(codes.BAD_REQUEST, f"there is no tool '{name}'", hint=f"tools: {', '.join(TOOLS)}")
    _check(tool, arguments)
    outcome = await child.run(tool.words(arguments, folder), folder.path, limits)
    found = reports.of_outcome(outcome, has_report=tool.reports)
    return _result(reports.text_of(found), found, is_error=outcome.status > 1)


def _check(tool: ToolDeclaration, arguments: Mapping[str, Any]) -> None:
    """Raise `DiagnosticError` for arguments that do not fit the schema of a tool."""
    try:
        jsonschema.validate(dict(arguments), tool.schema(), jsonschema.Draft202012Validator)
    except jsonschema.ValidationError as problem:
        hint = f"parameters of '{tool.name}': {', '.join(tool.parameters)}"
        raise failure(codes.BAD_REQUEST, problem.message, hint=hint) from None


def _result(text: str, found: reports.Result, *, is_error: bool) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)],
        structured_content=json.loads(json.dumps(found)),
        is_error=is_error,
    )
