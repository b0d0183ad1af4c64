"""The assemblers of a machine, and a single run of an assembler.

Every assembler runs in a separate process: ptxas is a program, and nvJitLink a library that a worker process
loads.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tilewright.inspect.binary.magic import is_cubin_image
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.targets.nvptx import codes, tools
from tilewright.targets.nvptx.assemble import messages as assemble_messages, record, resources
from tilewright.targets.process import ProcessResult, finished, worker

TEXT, CUBIN = "module.ptx", "module.cubin"
LIBRARY = "libnvJitLink.so.*"
WORKER = "tilewright.targets.nvptx.assemble.nvjitlink_worker"
_LAST_LINES = 3
_SHELL_SIGNALS = 128
"""The base of a shell's exit status for a program that a signal ended: the base plus the number of the
signal.
"""
_OTHERS = "another assembler may manage: `tilewright ptx assemble --assembler FILE` takes it"


@dataclass(frozen=True, slots=True)
class AssemblerRequest:
    """The input of an assembler: the text, the GPU, and the options.

    ``level`` is the optimization level (0 to 3), ``maximum_registers`` the register limit of a thread (None:
    the limit of the GPU), and ``line_info`` keeps source lines with the code.
    """

    ptx: str
    gpu: str
    level: int = 3
    maximum_registers: int | None = None
    line_info: bool = False

    @property
    def settings(self) -> tuple[object, ...]:
        """All options as a tuple, without the text: a part of the key of the cache."""
        return self.gpu, self.level, self.maximum_registers, self.line_info


def assemblers() -> tuple[tools.Tool, ...]:
    """Return the installed assemblers, in the order in which they are tried: ptxas, then nvJitLink."""
    return (*tools.programs("ptxas"), *tools.libraries(LIBRARY))


def is_nvjitlink(tool: tools.Tool) -> bool:
    """Return whether a tool is the nvJitLink library, by the name of its file."""
    return "nvjitlink" in tool.path.name.lower()


def run(tool: tools.Tool, request: AssemblerRequest, limit: float) -> record.AssemblerOutput:
    """Run an assembler on a text for at most ``limit`` seconds, and return its output: a cubin, or errors
    that refuse the text.

    Raises:
        DiagnosticError: the assembler cannot be started, or ends without code and without a reason: it crashed, was
            killed, or exceeded the limit.
    """
    with tempfile.TemporaryDirectory(prefix="tilewright-ptx-") as name:
        directory = Path(name)
        (directory / TEXT).write_text(request.ptx, encoding="utf-8", errors="surrogateescape")
        ended = _run(tool, request, limit, directory)
        target = directory / CUBIN
        cubin = target.read_bytes() if target.is_file() else b""
    talk = (ended.talk + b"\n" + ended.output).decode(errors="replace")
    return _answer(tool, ended, cubin, talk, limit)


def _run(tool: tools.Tool, request: AssemblerRequest, limit: float, directory: Path) -> ProcessResult:
    if is_nvjitlink(tool):
        arguments = (str(tool.path), TEXT, CUBIN, *_nvjitlink_options(request))
        return worker(WORKER, *arguments, limit=limit, directory=directory)
    command = [str(tool.path), *_ptxas_options(request), TEXT, "-o", CUBIN]
    try:
        return finished(command, limit=limit, directory=directory)
    except OSError as error:
        message = f"{tool} cannot be started: {error.strerror or error}"
        raise failure(codes.ASSEMBLER_ENDED, message, hint=_OTHERS) from error


def _ptxas_options(request: AssemblerRequest) -> list[str]:
    options = ["-v", "-arch", request.gpu, f"-O{request.level}"]
    if request.maximum_registers is not None:
        options += ["-maxrregcount", str(request.maximum_registers)]
    return [*options, *(["-lineinfo"] if request.line_info else [])]


def _nvjitlink_options(request: AssemblerRequest) -> list[str]:
    options = ["-verbose", f"-arch={request.gpu}", f"-O{request.level}"]
    if request.maximum_registers is not None:
        options += [f"-maxrregcount={request.maximum_registers}"]
    return [*options, *(["-lineinfo"] if request.line_info else [])]


def _answer(
    tool: tools.Tool, ended: ProcessResult, cubin: bytes, talk: str, limit: float
) -> record.AssemblerOutput:
    if ended.status is None:
        message = f"{tool} was ended after {limit:g} s"
        raise failure(codes.ASSEMBLER_SLOW, message, hint="give it longer: `--limit SECONDS`, or `--level 1`")
    output = record.AssemblerOutput(cubin, resources.resources_of(talk), assemble_messages.messages_of(talk))
    if ended.status < 0 or (ended.status > _SHELL_SIGNALS and output.is_code):
        raise _no_code(tool, f"ended {ended.how}", talk)
    if ended.status == 0 and not is_cubin_image(cubin):
        raise _no_code(tool, "reported success, but wrote no cubin", talk)
    if ended.status > 0 and output.is_code:
        raise _no_code(tool, f"ended {ended.how} and reported no error", talk)
    return output


def _no_code(tool: tools.Tool, reason: str, talk: str) -> DiagnosticError:
    """Return the diagnostic for an assembler that gives neither code nor a reason, with the last lines of its
    output.
    """
    lines = [_printable(line) for line in talk.splitlines() if line.strip()]
    error = failure(codes.ASSEMBLER_ENDED, f"{tool} {reason}", hint=_OTHERS)
    last: Sequence[str] = lines[-_LAST_LINES:]
    for line in last:
        error.diagnostics[0].note(f"its output: {line}")
    return DiagnosticError(error.diagnostics)


def _printable(line: str) -> str:
    """Return a line without blanks at its ends, with ``?`` for characters other than printable ASCII, cut
    after 200 characters.
    """
    return re.sub(r"[^\x20-\x7e]", "?", line.strip())[:200]
