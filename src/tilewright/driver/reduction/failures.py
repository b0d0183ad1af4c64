"""Failures that a reduction keeps: of a command that gets the candidate as a file, or a diagnostic of the compiler."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tilewright.bytecode import MAGIC
from tilewright.bytecode.writer.module import write_bytecode
from tilewright.driver import codes
from tilewright.driver.compile import compile
from tilewright.driver.reading import read
from tilewright.driver.stages import CompileOptions
from tilewright.driver.startup import startup
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, failure
from tilewright.ir.operation import Operation
from tilewright.ir.verifier import verify
from tilewright.passes.pipeline import parse_pipeline

PLACE = "{}"
"""The word of a command that stands for the name of the candidate's file."""
_CODE = re.compile(r"\bTW\d{4}\b")
_NUMBER = re.compile(r"\d+")
_RAISED = re.compile(r"^([\w.]*(?:Error|Exception|Interrupt|Exit))\b", re.MULTILINE)


class FailureSignature(NamedTuple):
    """The features of a failure that later candidates must share: the exit status, and the first code
    (``TW0406``) or else the last exception in the output, empty without either. Where an expected text
    decides, the status is 0 and the word is this text.
    """

    status: int
    word: str


class CommandFailure:
    """Runs a command on candidates, and compares its failure with the failure on the original input.

    A candidate is written to a file with the suffix of the input. The name of the file replaces ``{}`` in
    `command`, or follows the last word. ``says`` is a text that the output must contain; if it is empty, the
    exit status and the first code (``TW0406``) or the last exception decide. A run of more than `seconds` is
    no failure.
    """

    def __init__(self, command: Sequence[str], suffix: str, says: str = "", seconds: float = 60.0) -> None:
        self._command = list(command) if PLACE in " ".join(command) else [*command, PLACE]
        self._suffix = suffix
        self._says = says
        self._seconds = seconds
        self._wanted: FailureSignature | None = None

    def remember(self, content: bytes) -> FailureSignature:
        """Run the command on the original input, and record and return the signature of its failure. Raises
        `DiagnosticError` if the command does not fail: it does not print the expected text, exits with status
        0 while no text is expected, or takes too long.
        """
        found = self._run(content)
        if found is None or (not found.status and not self._says):
            told = f"does not say '{self._says}'" if self._says else "ends with status 0"
            raise failure(codes.DOES_NOT_FAIL, f"the command {told} on the input")
        self._wanted = found
        return found

    def __call__(self, content: bytes) -> bool:
        """Return whether the command fails on a candidate with the signature that `remember` recorded."""
        return self._run(content) == self._wanted

    def _run(self, content: bytes) -> FailureSignature | None:
        """Write `content` to a file and return the signature of a run of the command on it. Return None if
        the run takes too long or does not print the expected text. A run that succeeds has a signature, too,
        with status 0.
        """
        with tempfile.TemporaryDirectory(prefix="tilewright-") as folder:
            file = Path(folder, f"candidate{self._suffix}")
            file.write_bytes(content)
            words = [word.replace(PLACE, str(file)) for word in self._command]
            try:
                done = subprocess.run(
                    words,
                    capture_output=True,
                    text=True,
                    errors="replace",
                    timeout=self._seconds,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return None
        said = done.stderr + done.stdout
        if self._says:
            return FailureSignature(0, self._says) if self._says in said else None
        raised = _RAISED.findall(said)
        code = _CODE.search(said)
        return FailureSignature(done.returncode, code.group() if code else raised[-1] if raised else "")


class CodeFailure:
    """Verifies a module and runs the passes of `pipeline`, or if that is empty compiles the module for
    `target` to all stages. A module fails if a diagnostic with `code` results, or an exception whose class is
    called `code`. The first module that fails is the original; later ones must fail with the same message, in
    which numbers may differ. `context` is the context of the modules.
    """

    def __init__(self, code: str, target: str, pipeline: str, context: Context) -> None:
        self._code = code
        self._target = target
        self._pipeline = pipeline
        self._context = context
        self._wanted = ""

    def __call__(self, module: Operation) -> bool:
        """Return whether `module` fails: with the code, and, after the first module that failed, with the
        message of that failure.
        """
        messages = self._messages(module)
        self._wanted = self._wanted or next(iter(messages), "")
        return bool(self._wanted) and self._wanted in messages

    def _messages(self, module: Operation) -> list[str]:
        """Return the messages of the diagnostics with the code, with all numbers in them removed, and the
        name of the exception if it is the code. The list is empty if the module does not fail in this way.
        """
        found: list[Diagnostic] = []
        context = self._context
        with context.diagnostics.handler(lambda told: found.append(told) is None):
            errors = verify(module, dialects=context.dialects)
            raised = "" if errors else _failure(module, self._target, self._pipeline, context, found)
        told = [_NUMBER.sub("", one.message) for one in (*errors, *found) if str(one.code) == self._code]
        return [*told, raised] if raised == self._code else told


def _failure(module: Operation, target: str, pipeline: str, context: Context, found: list[Diagnostic]) -> str:
    """Run the passes of `pipeline`, or without them compile the module for `target`. Add the diagnostics to
    `found`, also those that are raised. Return the name of the class of any other exception, or an empty
    text.
    """
    try:
        if pipeline:
            parse_pipeline(pipeline, context, startup().passes, anchor=module.name).run(module.clone())
        else:
            artifact = compile(str(module), target=target, options=CompileOptions())
            for stage in artifact.stages():
                if stage in artifact.asm:
                    artifact.asm[stage]
            found += artifact.diagnostics
    except DiagnosticError as error:
        found += error.diagnostics
    except Exception as error:  # a crash of the compiler is a failure that can be reduced, too
        return type(error).__name__
    return ""


def readable(content: bytes, name: str, context: Context) -> Operation | None:
    """Return the module in the bytes of a file, unverified. Return None for a text that cannot be read as
    MLIR. Raises `DiagnosticError` for bytecode that cannot be read.
    """
    try:
        return read(content, name, context, verify=False)
    except DiagnosticError:
        if content.startswith(MAGIC):
            raise
        return None


def written(module: Operation, *, as_bytecode: bool) -> bytes:
    """Return the bytes of a file with the module: bytecode if `as_bytecode`, else text in UTF-8."""
    return write_bytecode(module) if as_bytecode else f"{module}\n".encode()
