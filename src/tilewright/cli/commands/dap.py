"""`tilewright dap`: the debugger of kernels for editors, which start it."""

from __future__ import annotations

import os
import socket
import sys
from typing import BinaryIO

import click


@click.command(name="dap")
@click.option(
    "--port",
    default=0,
    type=click.IntRange(0, 65535),
    help="Serve one editor at this port of this machine, instead of standard input and output.",
)
@click.pass_context
def command(ctx: click.Context, port: int) -> None:
    """Serve editors by the Debug Adapter Protocol: breakpoints in kernels, steps, and the values of tiles.

    An editor launches a Python program with the fields `program` or `module`, `args`, `check`, `gpu`, `block` and
    `stopOnEntry`.  Its threads are tile blocks.
    """
    if port:
        with socket.create_server(("127.0.0.1", port)) as server:
            connection, _ = server.accept()
        with connection, connection.makefile("rb") as given, connection.makefile("wb") as said:
            ctx.exit(_serve(given, said))
    # The output of the program must not meet the protocol.
    with (
        os.fdopen(os.dup(sys.stdin.fileno()), "rb") as given,
        os.fdopen(os.dup(sys.stdout.fileno()), "wb") as said,
    ):
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        ctx.exit(_serve(given, said))


def _serve(given: BinaryIO, said: BinaryIO) -> int:
    from tilewright.debugger.adapter import DebugAdapter
    from tilewright.debugger.protocol import Channel

    adapter = DebugAdapter(Channel(given, said))
    adapter.serve()
    return adapter.exit_status
