"""Kernels that can be launched."""

from __future__ import annotations

import contextlib
import ctypes
import struct
import threading
from collections import deque
from collections.abc import Sequence
from time import perf_counter
from typing import Any, Protocol

from tilewright.dialects.common.grid import GridSize
from tilewright.runtime import crashes
from tilewright.runtime.arguments import ArgumentPacker
from tilewright.runtime.context import (
    ATTENDANT,
    ATTENTION,
    BACK,
    CALLBACK,
    CONTEXT_BYTES,
    COUNTER,
    END,
    FROM_BACK,
    FROM_FRONT,
    FRONT,
    LEFT_END,
    PAUSE,
    REPORT,
    REPORT_BLOCK,
    RETURNS,
    SHARE,
    STOP,
    TITLE,
    WAITING,
    ReportSite,
)
from tilewright.runtime.description import KernelImage
from tilewright.runtime.elsewhere import ELSEWHERE, ENDED
from tilewright.runtime.engine import Library
from tilewright.runtime.findings.record import report_findings
from tilewright.runtime.image import Image
from tilewright.runtime.interrupts import MAIN, WATCHDOG, Attendant, completed
from tilewright.runtime.reports import KernelPrinter, note_place, report_failure, stuck_failure
from tilewright.runtime.scratch import LINE, SCRATCH, Scratch
from tilewright.runtime.workers import waiting
from tilewright.runtime.workers.pace import BlockTimes
from tilewright.runtime.workers.pool import HAS_WORKERS, Work, workers
from tilewright.runtime.workers.threads import Crew, thread_count
from tilewright.runtime.workers.waiting import LaunchProgress

WORTH_SHARING = 20e-6
"""The minimum estimated work of a launch in seconds for other threads to take part, if they are awake."""
WORTH_WAKING = 100e-6
"""The minimum estimated work of a launch in seconds for other threads to be woken up, which takes the system
some 50 microseconds.
"""
SUCCESSION = 500e-6
"""The maximum time in seconds between launches after which threads are still awake: then less work suffices
to use them.
"""
WORTH_STARTING = 250e-6
"""The minimum estimated work of a launch in seconds for threads to be started, where none can be kept or
Python functions are called.
"""

_FUNCTION = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, ctypes.c_int64, ctypes.c_void_p)
_RESET = struct.Struct(f"<q{REPORT - 8}xqqQ{TITLE - CALLBACK - 8}xQ{CONTEXT_BYTES - TITLE - 8}x")
_GRID = "iii4x"
_GRID_BYTES = 16
_WORD_BYTES = 8
(
    _COUNTER,
    _SHARE,
    _REPORT,
    _REPORT_BLOCK,
    _WAITING,
    _ATTENTION,
    _LEFT_END,
    _FROM_FRONT,
    _FROM_BACK,
    _ATTENDANT,
) = (
    offset // _WORD_BYTES
    for offset in (
        *(COUNTER, SHARE, REPORT, REPORT_BLOCK, WAITING, ATTENTION, LEFT_END),
        *(FROM_FRONT, FROM_BACK, ATTENDANT),
    )
)
_RETURNS = RETURNS - (1 << 64)
"""`RETURNS` as a signed number."""
_get_ident = threading.get_ident


class Begin(Protocol):
    """The function that runs up to `count` tile blocks of a frame on this thread, with `memory` as scratch memory."""

    def __call__(self, frame: LaunchFrame, count: int, memory: Scratch = ..., /) -> None:
        """Run up to `count` tile blocks of the frame, with `memory` as scratch memory."""
        ...


class LaunchFrame:
    """Memory of one launch: the launch context, the grid, and `slots` slots for arguments."""

    __slots__ = ("arguments", "attendant", "buffer", "context", "grid", "is_stopped", "offset", "words")

    def __init__(self, slots: int) -> None:
        size = CONTEXT_BYTES + _GRID_BYTES + 8 * slots
        self.buffer: Any = (ctypes.c_char * (size + LINE))()
        base = ctypes.addressof(self.buffer)
        self.offset = -base % LINE
        self.context = ctypes.c_void_p(base + self.offset)
        self.grid = ctypes.c_void_p(base + self.offset + CONTEXT_BYTES)
        self.arguments = ctypes.c_void_p(base + self.offset + CONTEXT_BYTES + _GRID_BYTES)
        context = memoryview(self.buffer).cast("B")[self.offset : self.offset + CONTEXT_BYTES]
        self.words = context.cast("q")
        """The context.  Each word is written at once: other threads may be reading it."""
        self.attendant: Attendant | None = None
        self.is_stopped = False

    def extents(self) -> tuple[int, ...]:
        """Return the extents of the grid."""
        return struct.unpack_from("<iii", self.buffer, self.offset + CONTEXT_BYTES)

    def attend(self) -> None:
        """Add an attendant: a tile block in a long loop then calls the attendant's function when a pause is
        requested, so that signal handlers run, instead of going on until its end. Only the call that runs
        with `RETURNS` does so.
        """
        if self.attendant is None:
            self.attendant = Attendant(self.words, _ATTENTION)
        self.words[_ATTENDANT] = self.attendant.address

    def pause(self) -> None:
        """Ask the call that runs with `RETURNS` to return after its tile block; do not wait for it. If
        `attend` has added an attendant, and a loop of the tile block checks for the request earlier, the tile
        block calls the attendant and continues. The watchdog calls this in a thread of its own; if the launch
        is stopped meanwhile, its request to end stays.
        """
        self.words[_ATTENTION] = PAUSE
        if self.is_stopped:
            self.words[_ATTENTION] = END

    def stop(self) -> None:
        """Let no further tile block begin, and let long loops exit."""
        self.is_stopped = True
        self.words[_COUNTER] = STOP
        self.words[_ATTENTION] = END

    def raise_failure(self) -> None:
        """Raise the exception that a signal handler raised in the middle of a tile block, if there is one."""
        failure = self.attendant.failure if self.attendant is not None else None
        if failure is not None:
            raise failure

    def renew(self) -> None:
        """Make the frame of a launch that did not finish usable for another launch: drop its attendant, the
        request to pause or end, and the tile blocks left over. All threads of the launch must have ended.
        """
        self.attendant = None
        self.is_stopped = False
        self.words[_ATTENTION] = 0
        self.words[_LEFT_END] = 0


class LoadedKernel:
    """A kernel whose code is loaded into this process, and can be launched."""

    def __init__(self, library: Library, image: KernelImage) -> None:
        self.image = image
        self._library = library  # its memory holds the code
        self._address = library.addresses[image.symbol]
        self.function = _FUNCTION(self._address)
        self.packer = ArgumentPacker(image.title, image.parameters, writes_anywhere=image.writes_anywhere)
        self._layout = struct.Struct(f"{_RESET.format}{_GRID}{self.packer.format}")
        self._slow_layout = struct.Struct(f"{_RESET.format}{_GRID}{self.packer.slow_format}")
        self._frames: list[LaunchFrame] | deque[LaunchFrame] = []
        self._paces: dict[int, BlockTimes] = {}
        """The pace of launches, by the number of bits of their number of tile blocks."""
        self._printer = KernelPrinter(image.sites) if any(s.kind == "print" for s in image.sites) else None
        self._wait = next((site for site in image.sites if site.kind == "wait"), None)
        self._may_take_long = any(site.kind == "loop" for site in image.sites)
        self._is_apart = (
            self._wait is not None or self._printer is not None or image.checks is not None
        )  # exceptions of Python functions that a kernel calls are lost, so they must not run handlers of signals
        self._title = ctypes.create_string_buffer(image.title.encode(errors="replace"))
        self._head = (
            0,
            0,
            0,
            self._printer.address if self._printer is not None else 0,
            ctypes.addressof(self._title),
        )
        """The first words of the context of each launch, by `_RESET`."""
        self._scratch_bytes = image.scratch_bytes
        self._worth = WORTH_STARTING if self._is_apart or not HAS_WORKERS else WORTH_SHARING
        self._may_report = bool(image.sites) or image.checks is not None
        self._takes_numbers = self.packer.has_plain_slots and image.checks is None

    def launch(
        self,
        grid: GridSize,
        arguments: Sequence[Any],
        threads: int | None = None,
        memory: Sequence[Any] = (),
    ) -> None:
        """Run all tile blocks of a grid on at most ``threads`` threads (None: `thread_count`), and return
        when they have ended. ``memory`` lists further arrays that the kernel may touch, for checks. Raises
        `DiagnosticError` for arguments that do not fit, or when a tile block reported a failure.
        """
        if threads is not None:
            thread_count(threads)  # a wrong number is an error even where one thread does
        frame = self.filled(grid, arguments, memory)
        self.run(frame, grid, threads)
        self._frames.append(frame)  # one of a launch that failed is not used again

    def launch_numbers(self, grid: GridSize, numbers: Sequence[Any]) -> None:
        """Launch with an address or a number for each parameter: a Boolean value for i1, and no arrays. Like
        `launch` otherwise, with the default number of threads.
        """
        if not self._takes_numbers:
            self.launch(grid, numbers)
            return
        frame = self._packed(grid, numbers, numbers)
        self.run(frame, grid, None)
        self._frames.append(frame)

    def prepare(
        self,
        grid: GridSize,
        arguments: Sequence[Any],
        threads: int | None = None,
        memory: Sequence[Any] = (),
    ) -> PreparedLaunch:
        """Return a launch that can be called repeatedly with the same grid and arguments, on at most
        ``threads`` threads (None: `thread_count`); nothing runs yet. ``memory`` lists further arrays that the
        kernel may touch, for checks. Raises `DiagnosticError` for arguments that do not fit.
        """
        return PreparedLaunch(self, self.filled(grid, arguments, memory), grid, arguments, threads)

    def filled(self, grid: GridSize, arguments: Sequence[Any], memory: Sequence[Any]) -> LaunchFrame:
        """Return a frame for a launch, with the grid and the arguments. ``memory`` lists further arrays, for
        checks. Raises `DiagnosticError` for arguments that do not fit.
        """
        if memory:
            self.packer.check_memory(memory)
        return self._packed(grid, self.packer.values(arguments), arguments)

    def _packed(self, grid: GridSize, numbers: Sequence[Any] | None, arguments: Sequence[Any]) -> LaunchFrame:
        """Return a frame for a launch: packed from ``numbers`` if `struct` accepts them, else from
        ``arguments``.
        """
        frame = self._frames.pop() if self._frames else LaunchFrame(len(self.image.parameters))
        if numbers is not None:
            try:
                self._layout.pack_into(frame.buffer, frame.offset, *self._head, *grid, *numbers)
                return frame
            except (
                struct.error,
                OverflowError,
            ):  # a number that the type does not hold, or that is to be wrapped
                pass
        self.fill_slowly(frame, grid, self.packer.slow_values(arguments))
        return frame

    def fill_slowly(self, frame: LaunchFrame, grid: GridSize, bits: Sequence[int]) -> None:
        """Write the grid, and the bit patterns `bits` of all arguments, to the memory of `frame`, and reset
        its context. It serves arguments that `struct` cannot convert.
        """
        self._slow_layout.pack_into(frame.buffer, frame.offset, *self._head, *grid, *bits)

    def run(self, frame: LaunchFrame, grid: GridSize, threads: int | None) -> None:
        """Run all tile blocks with a frame that has been filled, and raise or record the failure that a tile
        block reported. `threads` is the maximum number of threads (None: `thread_count`).
        """
        try:
            if _get_ident() == MAIN.identity:
                self._run_all(frame, grid[0] * grid[1] * grid[2], threads)
            else:
                self._run_elsewhere(frame, grid[0] * grid[1] * grid[2], threads)
        except BaseException as error:
            self._note_place(frame, error)
            raise
        if self._may_report:
            self.look_at_report(frame)

    def _run_elsewhere(self, frame: LaunchFrame, count: int, threads: int | None) -> None:
        """Run `_run_all` on another thread than the main thread, which Ctrl-C does not interrupt. Raises
        `ENDED` if `OtherThreadLaunches.stop` has stopped the launch.
        """
        key = ELSEWHERE.begin(frame.stop)
        try:
            self._run_all(frame, count, threads)
        finally:
            ELSEWHERE.end(key)
        if frame.is_stopped:
            raise ENDED

    def _run_all(self, frame: LaunchFrame, count: int, threads: int | None) -> None:
        if threads == 1 and count > 1 and not self._is_apart:
            self._run_alone(frame, count)
        elif count > 1:
            self._run_several(frame, count, threads)
        elif self._is_apart:
            self._run_on_threads(frame, 1, threads, 1)
        elif self._may_take_long:
            self._take_part(frame, 1, self.call)
        else:
            self.call(frame, 1)

    def _run_several(self, frame: LaunchFrame, count: int, threads: int | None) -> None:
        """Run `count` tile blocks on one thread or on at most `threads` (None: `thread_count`), whichever was
        faster in earlier launches of similar size, and record the time of this launch. After a launch with
        little work, the next launches run on one thread and are not timed, unless the kernel prints, waits or
        is checked.
        """
        size = count.bit_length()
        pace = self._paces.get(size)
        if pace is None:
            pace = self._paces[size] = BlockTimes()
        if pace.rest > 0 and not self._is_apart:
            pace.rest -= 1
            self._run_alone(frame, count)
            return
        start, used = perf_counter(), 1
        if pace.wants_several(count, self._worth):
            used = min(count, thread_count(threads))
        if self._is_apart:
            frame.words[_SHARE] = count if used == 1 else 0
            self._run_on_threads(frame, count, threads, used)
        elif used > 1:
            frame.words[_SHARE] = 0
            self._run_together(frame, count, used, seconds=pace.work(count), start=start)
        else:
            self._run_alone(frame, count)
        pace.took(perf_counter() - start, count, used)

    def _run_alone(self, frame: LaunchFrame, count: int) -> None:
        """Run `count` tile blocks on the launching thread."""
        frame.words[_SHARE] = count
        self._take_part(frame, count, self.call)

    def call(self, frame: LaunchFrame, count: int, memory: Scratch = SCRATCH) -> None:
        """Run tile blocks of a launch on this thread until none is left, or until a pause is requested if
        ``count`` contains `RETURNS`. ``count`` is the number of tile blocks of the launch, plus bits such as
        `RETURNS`. The tile blocks compute in ``memory``, which grows as needed.
        """
        scratch = self._scratch_bytes
        self.function(
            frame.arguments, frame.grid, frame.context, count, memory.at_least(scratch) if scratch else None
        )

    def _run_together(
        self, frame: LaunchFrame, count: int, threads: int, *, seconds: float | None, start: float
    ) -> None:
        """Run ``count`` tile blocks on this thread and ``threads - 1`` workers, or on new threads if there
        are no workers; return when all have ended. ``seconds``, the estimated work (None: unknown), and
        ``start``, the time of the launch, decide whether sleeping workers are woken.
        """
        pool = workers()
        if pool is None:
            Crew(lambda: self.call(frame, count)).run(threads, frame.stop)
            return
        wakes = seconds is None or seconds > WORTH_WAKING or start - pool.ended < SUCCESSION
        arguments, grid, context = (
            place.value or 0 for place in (frame.arguments, frame.grid, frame.context)
        )
        frame.words[_FROM_FRONT] = frame.words[_FROM_BACK] = 0
        work = Work(self._address, arguments, grid, context, count + BACK, self._scratch_bytes)
        job = pool.job(work, threads - 1, wakes=wakes)

        def begin(_: LaunchFrame, wanted: int, memory: Scratch = SCRATCH) -> None:
            scratch = self._scratch_bytes
            job.launch(wanted, memory.at_least(scratch) if scratch else 0)

        completed(lambda: self._take_part(frame, count + FRONT, begin), job.finish, frame.stop)
        pool.give_back(job, threads - 1)

    def _take_part(self, frame: LaunchFrame, count: int, begin: Begin) -> None:
        """Run up to `count` tile blocks on the launching thread, by ``begin``.

        In the main thread, the code returns to Python now and then, so that signal handlers run, and
        continues by `call`.
        """
        if _get_ident() != MAIN.identity:
            begin(frame, count)
            return
        watchdog = WATCHDOG
        outer = watchdog.launch
        try:
            watchdog.launch = frame
            if watchdog.is_asleep:
                watchdog.wake()
            if self._may_take_long:
                self._take_long(frame, count, begin)
                return
            begin(frame, count + _RETURNS)
            while frame.words[_ATTENTION] == PAUSE:
                frame.words[_ATTENTION] = 0
                self.call(frame, count + _RETURNS)
        finally:
            watchdog.launch = outer

    def _take_long(self, frame: LaunchFrame, count: int, begin: Begin) -> None:
        """Run long tile blocks like `_take_part`, with handlers of signals in the middle of a tile block.

        A handler may launch, so the scratch memory of the tile block must be kept.
        """
        frame.attend()
        memory = SCRATCH.borrowed()
        begin(frame, count + _RETURNS, memory)
        frame.raise_failure()
        while frame.words[_ATTENTION] == PAUSE:
            frame.words[_ATTENTION] = 0
            self.call(frame, count + _RETURNS, memory)
            frame.raise_failure()
        SCRATCH.give_back(memory)

    def _run_on_threads(self, frame: LaunchFrame, count: int, threads: int | None, used: int) -> None:
        """Run `count` tile blocks on ``used`` other threads, or on `threads` and more if the kernel has a
        loop that waits for other tile blocks. This thread waits for them, and runs the Python calls that they
        request, such as prints.
        """
        crew = Crew(lambda: self.call(frame, count))
        with contextlib.ExitStack() as stack:
            if self._printer is not None:
                stack.enter_context(self._printer.printing(frame.context.value or 0, crew))
            if self._wait is not None:
                self._run_waiting(frame, count, thread_count(threads), self._wait, crew)
            else:
                crew.run(used, frame.stop)

    def _run_waiting(
        self, frame: LaunchFrame, count: int, threads: int, wait: ReportSite, crew: Crew
    ) -> None:
        """Run `count` tile blocks of a kernel with a loop at the site ``wait`` that waits for other tile
        blocks, first on `threads` threads of `crew`, and on more while all of them wait. Raises
        `DiagnosticError` if all wait for ever.
        """
        words = frame.words

        def progress() -> LaunchProgress:
            return LaunchProgress(min(words[_COUNTER], count), words[_WAITING])

        stuck = waiting.run(crew, count, threads, progress, frame.stop)
        if stuck is not None:
            report_findings(stuck_failure(self.image, wait, stuck), is_safe=False)

    def look_at_report(self, frame: LaunchFrame) -> None:
        """Raise or record the failure that a tile block reported, if there is one."""
        block = self.reported_block(frame)
        if block is not None:
            report_findings(report_failure(self.image, frame.words[_REPORT] - 1, block, frame.extents()))

    def _note_place(self, frame: LaunchFrame, error: BaseException) -> None:
        """Add a note to the exception that ended the launch, if a tile block was in a loop: the location of
        the loop.
        """
        block = self.reported_block(frame)
        if block is not None:
            note_place(error, self.image, frame.words[_REPORT] - 1, block, frame.extents())

    def reported_block(self, frame: LaunchFrame) -> int | None:
        """Return the number of the tile block that left a report; None without a report."""
        return frame.words[_REPORT_BLOCK] if frame.words[_REPORT] else None


class PreparedLaunch:
    """A launch whose arguments have been checked and packed; call it as often as you like.

    Arrays are kept alive; numbers are those given when it was prepared.  One thread at a time may call it.
    """

    __slots__ = ("_arguments", "_grid", "_kernel", "_simple", "_threads", "frame")

    def __init__(
        self,
        kernel: LoadedKernel,
        frame: LaunchFrame,
        grid: GridSize,
        arguments: Sequence[Any],
        threads: int | None,
    ) -> None:
        self._kernel = kernel
        self.frame = frame
        self._grid = grid
        self._arguments = tuple(arguments)
        self._threads = thread_count(threads)
        self._simple = grid == (1, 1, 1) and not kernel.image.sites and kernel.image.checks is None

    def __call__(self) -> None:
        """Run the kernel with the prepared arguments, and return when all tile blocks have ended. Raises
        `DiagnosticError` when a tile block reported a failure; the launch may be repeated then, too.
        """
        frame = self.frame
        words = frame.words
        words[_COUNTER] = 0
        if self._simple:
            self._kernel.call(frame, 1)
        else:
            words[_REPORT] = 0
            try:
                self._kernel.run(frame, self._grid, self._threads)
            except BaseException:
                frame.renew()
                raise


class LoadedImage:
    """The kernels of an image, linked into this process: ``kernels`` has them by name. Globals live as long
    as this object. Crashes in kernels are reported from then on, if the system allows it. Raises
    `DiagnosticError` if the object file cannot be linked.
    """

    def __init__(self, image: Image) -> None:
        symbols = [symbol for kernel in image.kernels for symbol in _symbols(kernel)]
        crashes.install()
        library = Library(image.object_code, dict.fromkeys(symbols))
        self.kernels = {kernel.name: _loaded(library, kernel) for kernel in image.kernels}


def _symbols(image: KernelImage) -> tuple[str, ...]:
    """Return the symbols of a kernel, and of the memory that its checks have to know."""
    known = image.checks.globals if image.checks is not None else ()
    return (image.symbol, *(memory.symbol for memory in known))


def _loaded(library: Library, image: KernelImage) -> LoadedKernel:
    if image.checks is None:
        return LoadedKernel(library, image)
    from tilewright.runtime.checked import CheckedKernel  # needs parts of the interpreter

    return CheckedKernel(library, image, image.checks)
