"""The entry point: assemble PTX to machine code and report its resources, from the cache or by an assembler."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tilewright.ir.diagnostic import Diagnostic, failure
from tilewright.ptx.lexer import PtxSource
from tilewright.runtime.disk_cache import DiskCache, key_of, program_stamp
from tilewright.targets.nvptx import codes, tools
from tilewright.targets.nvptx.assemble import messages as assemble_messages, record, resources
from tilewright.targets.nvptx.assemble.assemblers import AssemblerRequest, assemblers, run
from tilewright.version import __version__

LIMIT = 120.0
"""The default time limit of an assembler in seconds."""
_GPU = re.compile(r"sm_\d{2,3}[af]?")
_TARGET = re.compile(r"^\s*\.target\s+(?P<gpu>\w+)", re.MULTILINE)
_INSTALL = "pip install nvidia-cuda-nvcc"


@dataclass(frozen=True, slots=True)
class AssembledCode:
    """Machine code, the resources of its kernels, the assembler's warnings, the assembler, and the name of
    the GPU.
    """

    cubin: bytes
    kernels: tuple[resources.Resources, ...]
    warnings: tuple[Diagnostic, ...]
    assembler: tools.Tool
    gpu: str


def assemble(
    ptx: str,
    gpu: str | None = None,
    *,
    name: str = "<ptx>",
    level: int = 3,
    maximum_registers: int | None = None,
    line_info: bool = False,
    assembler: Path | None = None,
    limit: float = LIMIT,
) -> AssembledCode:
    """Assemble PTX for a GPU (None: the GPU of `.target`).

    ``name`` is the name of the text in diagnostics, ``level`` the optimization level, ``maximum_registers``
    the register limit of a thread (None: the limit of the GPU), ``assembler`` the assembler to use instead of
    a search, ``limit`` the time limit in seconds. ``line_info`` keeps source lines with the code.

    Raises:
        DiagnosticError: the text is refused, the assembler crashes or exceeds the limit, or there is no assembler.
    """
    source = PtxSource(ptx, name)
    request = AssemblerRequest(ptx, _gpu(ptx, gpu), level, maximum_registers, line_info)
    found = assemblers() if assembler is None else (tools.Tool(assembler.absolute(), "as asked for"),)
    if not found:
        raise failure(codes.NO_ASSEMBLER, "there is no ptxas and no nvJitLink on this machine", hint=_INSTALL)
    tool, output = _first(found, request, limit)
    diagnostics = assemble_messages.diagnostics_of(output.messages, source)
    if not output.is_code:
        raise source.error(list(diagnostics))
    return AssembledCode(output.cubin, output.kernels, diagnostics, tool, request.gpu)


def _gpu(ptx: str, gpu: str | None) -> str:
    """Return `gpu`, or the name of the GPU in the `.target` directive of the text if `gpu` is None.

    Raises:
        DiagnosticError: there is no `.target`, or the name does not have the form of ``sm_90a``.
    """
    if gpu is None:
        match = _TARGET.search(ptx)
        gpu = str(match["gpu"]) if match else ""
    if _GPU.fullmatch(gpu) is None:
        message = f"'{gpu}' is not the name of a GPU" if gpu else "the text has no `.target`"
        raise failure(codes.UNKNOWN_GPU, message, hint="name one, such as sm_80, sm_90a or sm_100f")
    return gpu


def _first(
    found: Sequence[tools.Tool], request: AssemblerRequest, limit: float
) -> tuple[tools.Tool, record.AssemblerOutput]:
    """Return the first assembler of `found` whose output does not say that it is too old for the text or the
    GPU, with its output; if all others are too old, the last assembler with its output.
    """
    for tool in found[:-1]:
        output = _output(tool, request, limit)
        if not assemble_messages.are_too_old(output.messages):
            return tool, output
    return found[-1], _output(found[-1], request, limit)


def _output(tool: tools.Tool, request: AssemblerRequest, limit: float) -> record.AssemblerOutput:
    """Return the output of the assembler `tool` for `request`, from the disk cache if it has the code.
    Refusals are not cached.
    """
    cache = DiskCache()
    key = _key(tool, request)
    kept = cache.get(key)
    if kept is not None:
        try:
            return record.AssemblerOutput.from_bytes(kept)
        except ValueError:  # not in this format: assemble again
            pass
    output = run(tool, request, limit)
    if output.is_code:
        cache.put(key, output.to_bytes())
    return output


def _key(tool: tools.Tool, request: AssemblerRequest) -> str:
    try:
        identity = tool.identity
    except OSError as error:
        raise failure(
            codes.NO_ASSEMBLER, f"'{tool.path}' cannot be used: {error.strerror}", hint=_INSTALL
        ) from error
    program = (__version__, program_stamp())
    parts = (request.settings, identity, program)
    text = request.ptx.encode(errors="surrogateescape")
    return key_of([record.MAGIC, text, *(repr(part).encode() for part in parts)])
