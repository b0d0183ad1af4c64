"""`tilewright mcp`: tools for programs that write kernels, by the Model Context Protocol."""

from __future__ import annotations

import click


@click.command(name="mcp")
@click.argument("folder", type=click.Path(file_okay=False), default=".")
@click.option("--seconds", default=60.0, type=click.FloatRange(0.1), help="Time of a call (default: 60).")
@click.option(
    "--memory", default=4096, type=click.IntRange(64), help="Memory of a call in MiB (default: 4096)."
)
@click.option(
    "--processes", default=64, type=click.IntRange(1), help="Processes of a call at a time (default: 64)."
)
@click.option(
    "--characters",
    default=20_000,
    type=click.IntRange(200),
    help="Characters of each output that are kept: its beginning and its end (default: 20000).",
)
def command(folder: str, seconds: float, memory: int, processes: int, characters: int) -> None:
    """Serve tools to a program that writes kernels, by the Model Context Protocol over standard input and output.

    The tools check, run, compile, stage, simulate, compare, prove and explain work on files in FOLDER (default: the working directory). Each call
    that runs something does so in a process of its own, which is ended at the limits.
    """
    from tilewright.driver.dependencies import require

    require("mcp")
    import anyio

    from tilewright.tool_server.child import ToolLimits
    from tilewright.tool_server.folder import Folder
    from tilewright.tool_server.server import serve

    anyio.run(serve, Folder.at(folder), ToolLimits(seconds, memory, processes, characters))
