"""The debugger in a terminal, with the commands of Python's own debugger, `pdb`."""

from __future__ import annotations

import cmd
from functools import cache
from typing import IO

from tilewright.debugger import tiles
from tilewright.debugger.breakpoints import parse_breakpoint
from tilewright.debugger.session import Action, Session, TileBlockPosition
from tilewright.debugger.stop import CallFrame, KernelStop, LostValueError, NamedValue
from tilewright.debugger.writes import WriteRecord
from tilewright.ir.support.strings import pattern

_LINES = 5
"""The number of lines that `list` shows before and after the current line."""
_MOST_WRITERS = 8
_BLOCK = pattern(r"\(?\s*(\d+)\s*(?:,\s*(\d+)\s*)?(?:,\s*(\d+)\s*)?\)?")


def parse_block(words: str) -> TileBlockPosition | None:
    """Return the coordinates of a tile block from a text such as ``3,0,0`` or ``(3, 0)``, with 0 for missing
    coordinates; None for other texts.
    """
    found = _BLOCK.fullmatch(words.strip())
    if found is None:
        return None
    x, y, z = (int(one or 0) for one in found.groups())
    return x, y, z


class Console(cmd.Cmd):
    """Reads commands from a stream and writes their output to a stream, by default standard input and output.
    At a stop it reads until a command lets the tile block go on.
    """

    prompt = "(tilewright) "

    def __init__(self, stdin: IO[str] | None = None, stdout: IO[str] | None = None) -> None:
        super().__init__(stdin=stdin, stdout=stdout)
        self.use_rawinput = stdin is None
        self._session: Session | None = None
        self._stop: KernelStop | None = None
        self._frame = 0
        self._action = Action.CONTINUE
        self._listed = 0

    @property
    def _at(self) -> KernelStop:
        assert self._stop is not None, "commands are read at a stop"
        return self._stop

    @property
    def _debugger(self) -> Session:
        assert self._session is not None, "commands are read at a stop of a session"
        return self._session

    @property
    def _here(self) -> CallFrame:
        return self._at.frames[self._frame]

    def stopped(self, session: Session, stop: KernelStop) -> Action:
        """Show the reason and the line of a stop, read commands until one lets the tile block go on, and
        return the action that this command chose.
        """
        self._session = session
        self._stop, self._frame, self._listed = stop, 0, 0
        if stop.reason != "step":
            self._say(stop.reason if "\n" in stop.reason else f"[{stop.reason}]")
        self._show_frame()
        self.cmdloop()
        self._stop = None
        return self._action

    def _say(self, text: str) -> None:
        self.stdout.write(f"{text}\n")
        self.stdout.flush()

    def _show_frame(self) -> None:
        frame = self._here
        self._say(f"> {frame.at} {self._at}")
        self._say(f"-> {self._at.source(frame).line(frame.place.line).strip()}")

    def _go(self, action: Action) -> bool:
        self._action = action
        return True

    def emptyline(self) -> bool:
        """Repeat the last command."""
        return bool(self.onecmd(self.lastcmd)) if self.lastcmd else False

    def default(self, line: str) -> None:
        """Show the value of an expression: each line that is no command."""
        self.do_p(line.removeprefix("!"))

    def do_EOF(self, arg: str) -> bool:
        """End the program: there is nothing more to read."""
        self._say("")
        return self.do_quit("")

    # Going on

    def do_next(self, arg: str) -> bool:
        """n(ext): run to the next line of this function, in this tile block."""
        return self._go(Action.NEXT)

    def do_step(self, arg: str) -> bool:
        """s(tep): run to the next line, also into a function."""
        return self._go(Action.STEP)

    def do_return(self, arg: str) -> bool:
        """r(eturn): run to the end of this function; in the kernel itself, to the end of the tile block."""
        return self._go(Action.OUT)

    def do_continue(self, arg: str) -> bool:
        """c(ontinue): run to the next breakpoint, change of a watched value, or finding."""
        return self._go(Action.CONTINUE)

    def do_quit(self, arg: str) -> bool:
        """q(uit): end the program."""
        return self._go(Action.QUIT)

    def do_block(self, arg: str) -> None:
        """block [X,Y,Z]: stop in this tile block only from now on; `block all`: in all. Without an argument,
        show the tile block that has stopped.
        """
        if arg.strip() == "all":
            self._debugger.blocks = None
        elif arg.strip():
            found = parse_block(arg)
            if found is None:
                self._say(f"*** '{arg}' is no tile block; write block 3,0,0 or block all")
                return
            self._debugger.blocks = [found]
        self._say(f"{self._at.block} of {self._at.block.launch.grid}")

    # Breakpoints

    def do_break(self, arg: str) -> None:
        """b(reak) [[FILE:]LINE [, CONDITION]]: stop at a line, if the condition is true there; without an
        argument, list the breakpoints. Conditions use the names of the program, `tile_block` and `iteration`.
        """
        if not arg.strip():
            self._list_breakpoints()
            return
        found = parse_breakpoint(arg, self._here.place.file)
        if found is None:
            self._say(f"*** '{arg}' is no line; write b 17 or b kernels.py:17, j == 2")
            return
        try:
            made = self._debugger.add_breakpoint(*found)
        except SyntaxError as error:
            self._say(f"*** the condition is no expression: {error.msg}")
            return
        self._debugger.locate(self._at.kernel)
        moved = next((f", stops at line {line}" for line in made.lines.values() if line != made.line), "")
        told = moved if made.lines else ", where this kernel does not stop"
        self._say(f"Breakpoint {made.number} at {made.place}{told}")

    def _list_breakpoints(self) -> None:
        for one in self._debugger.breakpoints:
            condition = f" if {one.condition}" if one.condition else ""
            self._say(f"{one.number}  {one.place}{condition}  (hit {one.hits} times)")
        for watch in self._debugger.watches:
            self._say(f"{watch.number}  watch {watch.expression}")

    def do_clear(self, arg: str) -> None:
        """cl(ear) NUMBER ...: remove breakpoints and watches."""
        for word in arg.split():
            removed = word.isdigit() and self._debugger.remove(int(word))
            self._say(f"Removed {word}" if removed else f"*** there is no breakpoint or watch '{word}'")

    def do_watch(self, arg: str) -> None:
        """watch EXPRESSION: stop when the value changes, such as x[5], x[0, 3:8] or largest."""
        try:
            made = self._debugger.add_watch(arg, self._at)
        except SyntaxError as error:
            self._say(f"*** '{arg}' is no expression: {error.msg}")
            return
        self._say(f"Watch {made.number}: {arg}")

    # Looking

    def do_p(self, arg: str) -> None:
        """p EXPRESSION: show a value, such as scores, x[0, 3:8], scores.max(); 43:17 is the value that line 43
        computes at column 17.
        """
        self._print(arg, whole=False)

    def do_pp(self, arg: str) -> None:
        """pp EXPRESSION: show a value with all elements."""
        self._print(arg, whole=True)

    def _print(self, expression: str, *, whole: bool) -> None:
        if not expression.strip():
            self._say("*** write an expression, such as p x[0, 3:8]")
            return
        found = self._evaluated(expression)
        if found is not None:
            memory = self._at.block.memory
            self._say(tiles.text(found.value, found.type, memory, whole=whole))

    def _evaluated(self, expression: str) -> NamedValue | None:
        try:
            return self._at.evaluate(expression, self._here)
        except Exception as error:
            self._refuse(error)
            return None

    def _refuse(self, error: Exception) -> None:
        name = "" if isinstance(error, LostValueError) else f"{type(error).__name__}: "
        self._say(f"*** {name}{error}")

    def do_vars(self, arg: str) -> None:
        """vars: show the names of this function, one a line; in files that are not Python the values, by line
        and column.
        """
        for one in self._at.variables(self._here):
            told = f"({one.lost})" if one.lost else tiles.summary(one.value, one.type, self._at.block.memory)
            self._say(f"{one.name} = {told}")

    def do_values(self, arg: str) -> None:
        """values [LINE]: show the values that operations have computed, by line and column."""
        for one in self._at.computed(self._here):
            if not arg.strip() or one.name.startswith(f"{arg.strip()}:"):
                self._say(f"{one.name} = {tiles.summary(one.value, one.type, self._at.block.memory)}")

    def do_wrote(self, arg: str) -> None:
        """wrote ARRAY[INDEX]: show which line and tile block wrote an element last."""
        try:
            memory = self._at.memory_of(arg, self._here)
        except Exception as error:
            self._refuse(error)
            return
        told = list(dict.fromkeys(self._at.last_writes(memory)))
        for one in told[:_MOST_WRITERS]:
            self._say(self._writer(one))
        if len(told) > _MOST_WRITERS:
            self._say(f"... and {len(told) - _MOST_WRITERS} more")

    def _writer(self, one: WriteRecord | None) -> str:
        if one is None:
            return "not written by this launch"
        position = self._at.kernel.plan.positions.get(one.op)
        at = "an unknown line" if position is None else f"{position.file}:{position.line}"
        return f"{at}, tile block {one.position}"

    def do_where(self, arg: str) -> None:
        """w(here), bt: show the functions that lead to this line, and the loops that the tile block is in."""
        for number, frame in reversed(list(enumerate(self._at.frames))):
            mark = ">" if number == self._frame else " "
            self._say(f"{mark} {frame.at}")
            self._say(f"-> {self._at.source(frame).line(frame.place.line).strip()}")
        loops = ", in ".join(f"iteration {one.iterations}" for one in reversed(self._at.loops))
        self._say(f"{self._at.kernel.name}, {self._at.block}" + (f", {loops}" if loops else ""))

    def do_up(self, arg: str) -> None:
        """u(p): look from the function that called this one."""
        self._move(1, "Oldest frame")

    def do_down(self, arg: str) -> None:
        """d(own): look from the function that this one called."""
        self._move(-1, "Newest frame")

    def _move(self, by: int, end: str) -> None:
        if not 0 <= self._frame + by < len(self._at.frames):
            self._say(f"*** {end}")
            return
        self._frame += by
        self._listed = 0
        self._show_frame()

    def do_list(self, arg: str) -> None:
        """l(ist) [LINE]: show the source around this line, or around LINE; again, the lines that follow."""
        place, source = self._here.place, self._at.source(self._here)
        middle = int(arg) if arg.strip().isdigit() else place.line
        first = self._listed + 1 if self._listed and not arg.strip() else max(middle - _LINES, 1)
        last = min(first + 2 * _LINES, len(source.lines))
        if first > last:
            self._say("[EOF]")
            return
        stops = {one.lines.get(place.file) for one in self._debugger.breakpoints}
        for number in range(first, last + 1):
            mark = "->" if number == place.line else "B" if number in stops else ""
            self._say(f"{number:4} {mark:2} {source.line(number)}".rstrip())
        self._listed = last

    def completenames(self, text: str, *ignored: object) -> list[str]:
        """Return the commands that begin with `text` and have more than two letters."""
        return [name for name in super().completenames(text, *ignored) if len(name) > 2]

    def completedefault(self, *ignored: object) -> list[str]:
        """Return the names of the program that begin with the word at the cursor."""
        text = str(ignored[0])
        return [one.name for one in self._at.variables(self._here) if one.name.startswith(text)]

    complete_p = complete_pp = complete_watch = completedefault
    do_n, do_s, do_r, do_c, do_q = do_next, do_step, do_return, do_continue, do_quit
    do_b, do_cl = do_break, do_clear
    do_w = do_bt = do_where
    do_u, do_d, do_l, do_h = do_up, do_down, do_list, cmd.Cmd.do_help


def at_findings() -> Session:
    """Return a session on the terminal that stops at findings, and at `breakpoint()` of kernels."""
    return Session(Console(), only_findings=True)


@cache
def at_breakpoints() -> Session:
    """Return the session of this process for kernels with `breakpoint()` that no other session follows."""
    return at_findings()
