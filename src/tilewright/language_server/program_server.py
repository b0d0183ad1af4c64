"""`programs` by the Language Server Protocol: queries about programs with kernels, and commands that run them."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
import tempfile
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.uris import from_fs_path

from tilewright.language_server import programs
from tilewright.language_server.open_documents import (
    SEVERITIES,
    SOURCE,
    OpenDocument,
    open_document,
    open_uris,
)
from tilewright.language_server.runs import LastRuns, PlacedFinding
from tilewright.runtime.last_runs import LastRun

if TYPE_CHECKING:
    from tilewright.language_server.server import TileServer

_LOOK = 1.0
"""Seconds between two looks for new runs."""
_SECONDS = {"check": 300.0, "prove": 60.0}
"""The maximum duration of the commands, unless the editor's settings say otherwise."""
STAGE_ACTION = "tilewright.stage"
"""The kind of code actions that show a stage."""


class ProgramServer:
    """The programs that an editor has open. The settings of the editor are ``onSave`` (``check``, ``prove`` or
    ``nothing``), ``checks`` (the checks of the command), ``checkSeconds`` and ``proveSeconds``.
    """

    def __init__(self, server: TileServer) -> None:
        self._server = server
        self._runs = LastRuns()
        self._documents: dict[str, tuple[str, programs.ProgramDocument]] = {}
        self._told: set[str] = set()
        self._looking: asyncio.Task[None] | None = None
        self._folder: Path | None = None
        self._running: set[str] = set()

    # Documents

    def opened(self, document: OpenDocument) -> None:
        """Publish the findings of a document, or of all open programs if there are new runs. The first call
        starts the task that looks for new runs. If a document with kernels has no run, tell the user, once
        for each document.
        """
        if self._looking is None:
            with suppress(RuntimeError):  # outside of an event loop
                self._looking = asyncio.get_running_loop().create_task(self._look())
        if not self._refresh():
            self.publish(document)
        unknown = self._known(document).last is None and programs.has_kernels(document.text)
        if unknown and document.path not in self._told:
            self._told.add(document.path)
            name = os.path.basename(document.path)
            words = f"No run of {name} is known: 'tilewright run --check all' shows findings and shapes here."
            self._server.window_show_message(types.ShowMessageParams(types.MessageType.Info, words))

    async def saved(self, document: OpenDocument) -> None:
        """Run the command that the settings name for a document that was saved, if a run of it is known."""
        wanted = self._server.settings.get("onSave")
        if wanted in _SECONDS and self._known(document).last is not None:
            await (self.check if wanted == "check" else self.prove)(document.uri)

    def publish(self, document: OpenDocument) -> None:
        """Send the findings of a document to the editor, in place of earlier ones."""
        found = [_diagnostic(document, one) for one in self._known(document).findings()]
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(document.uri, found))

    def _known(self, document: OpenDocument) -> programs.ProgramDocument:
        """Return the `ProgramDocument` of a document: its last run and proofs, placed in its present text. It
        is cached until the text changes or a new run is read.
        """
        found = self._documents.get(document.path)
        if found is None or found[0] != document.text:
            known = programs.ProgramDocument(self._runs, document.path, document.text)
            found = self._documents[document.path] = document.text, known
        return found[1]

    async def _look(self) -> None:
        """Look for new runs until the server ends."""
        while True:
            await asyncio.sleep(_LOOK)
            self._refresh()

    def _refresh(self) -> bool:
        """Read new runs. If there are any, publish the findings of all open programs, and let the editor ask
        for hints again. Return whether there are any.
        """
        if not self._runs.refresh():
            return False
        self._documents.clear()
        for uri in open_uris(self._server):
            document = self._server.program(uri)
            if document is not None:
                self.publish(document)
        workspace = self._server.client_capabilities.workspace
        if (
            workspace is not None
            and workspace.inlay_hint is not None
            and workspace.inlay_hint.refresh_support
        ):
            self._server.workspace_inlay_hint_refresh(None)
        return True

    # Queries

    def hints(self, document: OpenDocument, within: types.Range) -> list[types.InlayHint]:
        """Return the hints of the lines of a range, the first and the last line included; characters are
        ignored.
        """
        found = self._known(document).hints(within.start.line, within.end.line)
        return [
            types.InlayHint(
                document.position(one.line, one.character),
                one.label,
                kind=types.InlayHintKind.Type if one.is_type else None,
                tooltip=types.MarkupContent(types.MarkupKind.Markdown, one.about),
                padding_left=not one.is_type,
            )
            for one in found
        ]

    def hover(self, document: OpenDocument, position: types.Position) -> types.Hover | None:
        """Return the operations of the expression at a position, with the page of the last one, and the range
        of the expression. Return None where the last run has no operation.
        """
        found = self._known(document).meaning(*document.place(position))
        if found is None:
            return None
        span, text = found
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), document.range(span))

    def actions(self, document: OpenDocument, given: types.CodeActionParams) -> list[types.CodeAction]:
        """Return the fixes of the findings on the lines of a range, and an action for each stage of the
        kernel at the first line. There are no actions for stages if the editor asks by itself, or for other
        kinds only.
        """
        known, lines = self._known(document), range(given.range.start.line, given.range.end.line + 1)
        found = [
            _fix(document, one, *fix)
            for one in known.findings()
            if one.span.line in lines
            for fix in one.fixes
        ]
        is_asked = given.context.trigger_kind is not types.CodeActionTriggerKind.Automatic
        only = given.context.only
        if is_asked and (only is None or STAGE_ACTION in only):
            found += [_stage_action(document, lines.start, name) for name in known.stages(lines.start)]
        return found

    def stages(self, document: OpenDocument, line: int) -> list[str]:
        """Return the names of the stages of the kernel at a line, from 0; none if it was not launched."""
        return self._known(document).stages(line)

    def show_stage(self, document: OpenDocument, line: int, name: str) -> bool:
        """Open a stage of the kernel at a line in the editor, at the line that it became; return whether there is
        such a stage.
        """
        found = self._known(document).stage(line, name)
        if found is None:
            return False
        path = self._stage_folder() / f"{found.kernel}.{name}{found.suffix}"
        path.write_text(found.text, encoding="utf-8")
        at = types.Position(found.line, 0)
        uri = from_fs_path(str(path))
        assert uri is not None, "the folder is in the file system"
        shown = types.ShowDocumentParams(uri, take_focus=True, selection=types.Range(at, at))
        self._server.window_show_document(shown)
        return True

    def _stage_folder(self) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="tilewright-stages-"))
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        return self._folder

    # Commands

    async def check(self, uri: str) -> str:
        """Run the program of a document again under the checks of the settings, show the last line that it
        printed to the user, and return this line. If the program is running already or takes too long, the
        line says so.
        """
        last, program = self._program(uri)
        checks = str(self._server.settings.get("checks", "all"))
        if last is not None and not last.is_module and not program.endswith(".py"):
            words = [*last.arguments, "--check", checks]  # a kernel of a file, with its options
        else:
            words = ["--check", checks, *_words(last, program)]
        return await self._run("check", ["run", *words], last, program)

    async def prove(self, uri: str) -> str:
        """Prove the accesses of the kernels of the Python program of a document, show the last line that is
        printed to the user, and return this line. If the program is not named by a Python file, is running
        already, or takes too long, the line says so.
        """
        last, program = self._program(uri)
        if not program.endswith(".py") or (last is not None and last.is_module):
            return self._say("proofs need a Python program that is named by its file")
        return await self._run("prove", ["verify", "--prove", *_words(last, program)], last, program)

    def _program(self, uri: str) -> tuple[LastRun | None, str]:
        """Return the last run of a document, and the program that was run. Without a run return None and the
        path of the document, or `uri` if the document is not open.
        """
        document = open_document(self._server, uri)
        last = None if document is None else self._known(document).last
        return last, last.program if last is not None else document.path if document is not None else uri

    async def _run(self, command: str, words: Sequence[str], last: LastRun | None, program: str) -> str:
        """Run ``tilewright`` with the arguments `words` where the program ran last, for at most the seconds
        that the settings have for `command`, and read new runs. Show the last line of the output to the user
        and return it; if `program` is running already, or was stopped, the line says so.
        """
        if program in self._running:
            return self._say(f"{os.path.basename(program)} is running already")
        folder = last.directory if last is not None else os.path.dirname(program)
        seconds = float(self._server.settings.get(f"{command}Seconds", _SECONDS[command]))
        self._running.add(program)
        try:
            status, told = await _output([sys.executable, "-m", "tilewright", *words], folder, seconds)
        finally:
            self._running.discard(program)
        self._server.window_log_message(types.LogMessageParams(types.MessageType.Log, told))
        self._refresh()
        if status is None:
            return self._say(f"{os.path.basename(program)} was stopped after {seconds:g} s")
        lines = [line for line in told.splitlines() if line.strip()]
        return self._say(lines[-1] if lines else f"{os.path.basename(program)} ended with status {status}")

    def _say(self, words: str) -> str:
        self._server.window_show_message(types.ShowMessageParams(types.MessageType.Info, words))
        return words


def _words(last: LastRun | None, program: str) -> list[str]:
    """Return the command line of a program: its name, after ``-m`` if the last run was of a module, and the
    arguments of the last run; no arguments if `last` is None.
    """
    arguments = [] if last is None else [*last.arguments]
    return ["-m", program, *arguments] if last is not None and last.is_module else [program, *arguments]


async def _output(words: Sequence[str], folder: str, seconds: float) -> tuple[int | None, str]:
    """Run a command in a folder; empty is the current one. Return its exit status and its output, stdout and
    stderr together. A command that takes longer than ``seconds`` is killed with all processes that it
    started; its status is None, and a message takes the place of its output.
    """
    process = await asyncio.create_subprocess_exec(
        *words,
        cwd=folder or None,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**os.environ, "NO_COLOR": "1"},
        start_new_session=True,
    )
    try:
        out, _ = await asyncio.wait_for(process.communicate(), seconds)
        return process.returncode, out.decode(errors="replace")
    except TimeoutError:
        return None, f"stopped after {seconds:g} s: {' '.join(words)}"
    finally:
        if process.returncode is None:
            _end(process)
            await process.wait()


def _end(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):  # it has ended
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _diagnostic(document: OpenDocument, found: PlacedFinding) -> types.Diagnostic:
    related: list[types.DiagnosticRelatedInformation] = []
    for file, line, column, words in found.related:
        at = types.Position(line - 1, column - 1)
        place = types.Location(from_fs_path(file) or file, types.Range(at, at))
        related.append(types.DiagnosticRelatedInformation(place, words))
    return types.Diagnostic(
        document.range(found.span),
        found.message,
        severity=SEVERITIES[found.severity],
        code=found.code or None,
        source=SOURCE,
        related_information=related or None,
    )


def _fix(
    document: OpenDocument, found: PlacedFinding, span: Any, replaced: str, text: str
) -> types.CodeAction:
    edit = types.TextEdit(document.range(span), text)
    return types.CodeAction(
        f"Replace '{replaced}' by '{text}'" if text else f"Remove '{replaced}'",
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[_diagnostic(document, found)],
        edit=types.WorkspaceEdit(changes={document.uri: [edit]}),
    )


def _stage_action(document: OpenDocument, line: int, name: str) -> types.CodeAction:
    title = f"Show this line in stage '{name}'"
    command = types.Command(title, "tilewright.showStage", arguments=[document.uri, line, name])
    return types.CodeAction(title, kind=STAGE_ACTION, command=command)
