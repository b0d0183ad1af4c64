"""Disassemble machine code by the `nvdisasm` of this machine, in a process of its own."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tilewright.inspect.binary.magic import is_cubin_image
from tilewright.inspect.codes import NOT_A_CUBIN
from tilewright.inspect.sass import listing as sass_listing, model as sass_model
from tilewright.ir.diagnostic import failure
from tilewright.targets.nvptx import codes
from tilewright.targets.nvptx.tools import Tool, programs
from tilewright.targets.process import finished

LIMIT = 60.0
"""The default time limit of a disassembler in seconds."""
_INSTALL = "pip install nvidia-cuda-nvdisasm"


def disassemble(
    cubin: bytes, *, name: str = "<cubin>", disassembler: Path | None = None, limit: float = LIMIT
) -> sass_model.Listing:
    """Return the instructions of a cubin, with their control bits.

    ``name`` is the name of the cubin in messages, ``disassembler`` the path of an `nvdisasm` (None: the first
    that is installed), ``limit`` its time limit in seconds.

    Raises:
        DiagnosticError: `cubin` is no cubin, there is no disassembler, or it ends without a listing.
    """
    return sass_listing.parse(listing(cubin, name=name, disassembler=disassembler, limit=limit))


def listing(
    cubin: bytes, *, name: str = "<cubin>", disassembler: Path | None = None, limit: float = LIMIT
) -> str:
    """Return the instructions of a cubin as the disassembler prints them, with their encodings.

    ``name`` is the name of the cubin in messages, ``disassembler`` the path of an `nvdisasm` (None: the first
    that is installed), ``limit`` its time limit in seconds.

    Raises:
        DiagnosticError: `cubin` is no cubin, there is no disassembler, or it ends without a listing.
    """
    if not is_cubin_image(cubin):
        raise failure(NOT_A_CUBIN, f"'{name}' is not a cubin: only cubins can be disassembled")
    found = programs("nvdisasm") if disassembler is None else (Tool(disassembler.absolute(), "as asked for"),)
    if not found:
        raise failure(codes.NO_DISASSEMBLER, "there is no nvdisasm on this machine", hint=_INSTALL)
    return _text(found[0], cubin, limit)


def _text(tool: Tool, cubin: bytes, limit: float) -> str:
    with tempfile.TemporaryDirectory(prefix="tilewright-cubin-") as folder:
        directory = Path(folder)
        (directory / "module.cubin").write_bytes(cubin)
        command = [str(tool.path), "-c", "-hex", "module.cubin"]
        try:
            ended = finished(command, limit=limit, directory=directory)
        except OSError as error:
            message = f"{tool} cannot be started: {error.strerror or error}"
            raise failure(codes.DISASSEMBLER_FAILED, message, hint=_INSTALL) from error
    if ended.status != 0:
        said = ended.talk.decode(errors="replace").strip().splitlines()
        message = f"{tool} ended {ended.how}: {said[-1] if said else 'no output'}"
        raise failure(codes.DISASSEMBLER_FAILED, message, hint=f"a newer version may support it: {_INSTALL}")
    return ended.output.decode(errors="replace")
