"""The Debug Adapter Protocol, which editors speak, over a debugging session.

One thread reads and handles requests. The program runs on the main thread, which waits at a stop, so
that the other thread can look at the values. The threads of an editor are the tile blocks.
"""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

from tilewright.debugger import tiles
from tilewright.debugger.console import parse_block
from tilewright.debugger.contents import Contents
from tilewright.debugger.program import DebuggedProgram, run_debugged
from tilewright.debugger.protocol import Channel, Message, ProtocolError
from tilewright.debugger.session import Action, QuitDebuggerError, Session
from tilewright.debugger.stop import CallFrame, KernelStop

CAPABILITIES = {
    "supportsConfigurationDoneRequest": True,
    "supportsConditionalBreakpoints": True,
    "supportsEvaluateForHovers": True,
    "supportsTerminateRequest": True,
}
_STEPS = {
    "continue": Action.CONTINUE,
    "next": Action.NEXT,
    "stepIn": Action.STEP,
    "stepOut": Action.OUT,
}
_RUNNING = 1
"""The number of the thread that is shown while no tile block has stopped."""


class RefusedError(Exception):
    """A request without a result; the text is the reason."""


class DebugAdapter:
    """Serves one client of the Debug Adapter Protocol over `channel`. ``exit_status`` is the exit status of
    the program after `serve`.
    """

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._session = Session(self)
        self._program: DebuggedProgram | None = None
        self._stop: KernelStop | None = None
        self._contents = Contents()
        self._is_configured = False
        self._may_start = threading.Event()
        self._resumed = threading.Event()
        self._action = Action.CONTINUE
        self.exit_status = 0

    def serve(self) -> None:
        """Handle requests, and run the program once the client has launched it, until the program ends or
        the client leaves.
        """
        reader = threading.Thread(target=self._read, daemon=True)
        reader.start()
        self._may_start.wait()
        if self._program is not None and not self._session.ending:
            self._run(self._program)
            self._channel.event("exited", exitCode=self.exit_status)
            self._channel.event("terminated")
        reader.join()

    def _run(self, program: DebuggedProgram) -> None:
        with redirect_stdout(_OutputEvents(self._channel, "stdout")):
            try:
                self.exit_status = run_debugged(program, self._session, self._say)
            except QuitDebuggerError:
                self.exit_status = 1
            except Exception as error:
                self._say(str(error))
                self.exit_status = 1

    def _say(self, text: str) -> None:
        self._channel.event("output", category="console", output=f"{text}\n")

    def _read(self) -> None:
        """Handle the requests of the client until it disconnects, the stream ends, or the bytes are no
        message, which is printed to standard error. Then end the program.
        """
        try:
            while (message := self._channel.read()) is not None:
                if message.get("type") == "request":
                    self._answer(message)
                if message.get("command") == "disconnect":
                    break
        except (ProtocolError, OSError) as error:
            print(f"tilewright dap: {error}", file=sys.stderr)
        finally:
            self._leave()

    def _leave(self) -> None:
        """End the program: at its next statement, at once if it has stopped, or before it begins if it was
        not launched yet.
        """
        self._session.ending = True
        self._may_start.set()
        self._resume(Action.QUIT)

    def _answer(self, request: Message) -> None:
        command = str(request.get("command"))
        handle: Callable[[Message], Message | None] | None = self._handlers().get(command)
        reply: dict[str, Any] = {"request_seq": request.get("seq"), "command": command}
        given: Any = request.get("arguments")
        try:
            if handle is None:
                raise RefusedError(f"there is no request '{command}'")
            body = handle(given or {})
        except Exception as error:  # such as a missing field: the client is told, and may go on
            words = str(error) if isinstance(error, RefusedError) else f"{type(error).__name__}: {error}"
            self._channel.send("response", **reply, success=False, message=words)
            return
        self._channel.send("response", **reply, success=True, body=body or {})
        if command == "initialize":
            self._channel.event("initialized")
        if command in _STEPS:
            self._resume(_STEPS[command])
        self._may_start_now()

    def _handlers(self) -> dict[str, Callable[[Message], Message | None]]:
        return {
            "initialize": lambda given: dict(CAPABILITIES),
            "launch": self._launch,
            "setBreakpoints": self._set_breakpoints,
            "setExceptionBreakpoints": lambda given: None,
            "configurationDone": self._configured,
            "threads": self._threads,
            "stackTrace": self._stack_trace,
            "scopes": self._scopes,
            "variables": self._variables,
            "evaluate": self._evaluate,
            "continue": self._go_on,
            "next": self._go_on,
            "stepIn": self._go_on,
            "stepOut": self._go_on,
            "pause": self._pause,
            "terminate": self._end,
            "disconnect": self._end,
        }

    # The program

    def _launch(self, given: Message) -> None:
        arguments = given.get("args", [])
        words = given.get("block")
        for text in [words] if isinstance(words, str) else words or []:
            block = parse_block(str(text))
            if block is None:
                raise RefusedError(f"'{text}' is no tile block; write 3,0,0")
            self._session.blocks = [*(self._session.blocks or []), block]
        if not given.get("stopOnEntry", False):
            self._session.run_freely()
        self._program = DebuggedProgram(
            given.get("module") or given["program"],
            [str(one) for one in arguments],
            str(given.get("check", "")),
            str(given.get("gpu", "")),
            str(given.get("ignore", "")),
            is_module=bool(given.get("module")),
        )

    def _configured(self, given: Message) -> None:
        self._is_configured = True

    def _may_start_now(self) -> None:
        if self._program is not None and self._is_configured:
            self._may_start.set()

    def _set_breakpoints(self, given: Message) -> Message:
        file = os.path.abspath(given["source"]["path"])
        wanted = [(one["line"], one.get("condition") or "") for one in given.get("breakpoints", [])]
        try:
            made = self._session.set_breakpoints(file, wanted)
        except SyntaxError as error:
            raise RefusedError(f"a condition is no expression: {error.msg}") from error
        return {"breakpoints": [{"id": one.number, "verified": True, "line": one.line} for one in made]}

    def _pause(self, given: Message) -> None:
        self._session.pausing = True

    def _end(self, given: Message) -> None:
        self._leave()

    # A stop

    def stopped(self, session: Session, stop: KernelStop) -> Action:
        """Tell the client about `stop`, wait until the client lets the tile block go on, and return the
        action that it chose. Return `Action.QUIT` without waiting if the session is ending.
        """
        self._resumed.clear()
        self._contents = Contents()
        self._stop = stop
        reasons = {"step": "step", "paused": "pause"}
        kind = "breakpoint" if stop.reason.startswith("breakpoint") else "exception"
        self._channel.event(
            "stopped",
            reason=reasons.get(stop.reason, "data breakpoint" if stop.reason.startswith("watch") else kind),
            description=stop.reason.partition("\n")[0],
            text=stop.reason,
            threadId=stop.block.number + 1,
            allThreadsStopped=True,
        )
        if self._session.ending:
            return Action.QUIT
        self._resumed.wait()
        self._stop = None
        return self._action

    def _resume(self, action: Action) -> None:
        self._action = action
        self._resumed.set()

    def _go_on(self, given: Message) -> Message:
        self._now()
        return {"allThreadsContinued": True}

    def _now(self) -> KernelStop:
        if self._stop is None:
            raise RefusedError("no tile block has stopped")
        return self._stop

    def _threads(self, given: Message) -> Message:
        stop = self._stop
        if stop is None:
            return {"threads": [{"id": _RUNNING, "name": "tile blocks"}]}
        return {"threads": [{"id": stop.block.number + 1, "name": str(stop.block)}]}

    def _stack_trace(self, given: Message) -> Message:
        stop = self._now()
        frames = [_frame(number, one, stop) for number, one in enumerate(stop.frames, 1)]
        first, count = given.get("startFrame") or 0, given.get("levels") or len(frames)
        return {"stackFrames": frames[first : first + count], "totalFrames": len(frames)}

    def _frame_of(self, given: Message) -> CallFrame:
        frames = self._now().frames
        number = given.get("frameId") or 1
        if not 1 <= number <= len(frames):
            raise RefusedError(f"there is no frame {number}")
        return frames[number - 1]

    def _scopes(self, given: Message) -> Message:
        stop, frame = self._now(), self._frame_of(given)
        names = self._contents.of_variables(list(stop.variables(frame)), stop.block.memory)
        launch = self._contents.of_launch(stop)
        computed = self._contents.of_variables(list(stop.computed(frame)), stop.block.memory)
        return {
            "scopes": [
                {"name": "Names", "variablesReference": names, "expensive": False},
                {"name": "Tile block", "variablesReference": launch, "expensive": False},
                {"name": "Values by line and column", "variablesReference": computed, "expensive": True},
            ]
        }

    def _variables(self, given: Message) -> Message:
        self._now()
        found = self._contents.items(given["variablesReference"], given.get("start") or 0, given.get("count"))
        return {"variables": found}

    def _evaluate(self, given: Message) -> Message:
        stop, frame = self._now(), self._frame_of(given)
        try:
            found = stop.evaluate(given["expression"], frame)
        except Exception as error:
            raise RefusedError(str(error)) from error
        memory = stop.block.memory
        show = tiles.text if given.get("context") == "repl" else tiles.summary
        return {
            "result": show(found.value, found.type, memory),
            "variablesReference": self._contents.of_value(found.value),
        }


def _frame(number: int, frame: CallFrame, stop: KernelStop) -> Message:
    path = os.path.abspath(frame.place.file)
    return {
        "id": number,
        "name": f"{frame.function} {stop}",
        "source": {"name": os.path.basename(path), "path": path},
        "line": frame.place.line,
        "column": 1,
    }


class _OutputEvents(io.TextIOBase):
    """A text stream whose text goes to the client."""

    def __init__(self, channel: Channel, category: str) -> None:
        self._channel = channel
        self._category = category

    def write(self, text: str, /) -> int:
        if text:
            self._channel.event("output", category=self._category, output=text)
        return len(text)
