"""The message for a crash inside of a kernel: the kernel, the tile block, and how to find the access.

Compiled code does not check addresses, so an access outside of its memory may end the process.  Then a handler of
the signals, itself machine code, looks for the note of a kernel on the stack of the thread (see `running`), writes two
lines to the standard error, and passes the signal to the earlier handler: the process ends as it would have without.

Environment variable: `TILEWRIGHT_CRASH_REPORT=0` leaves the signals alone.  So does a program that handles them by other
means than Python's `faulthandler`, and any other system than Linux on x86-64 or aarch64.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from functools import cache
from types import ModuleType
from typing import Any

from tilewright.ir.support.option_spelling import option
from tilewright.runtime import context as runtime_context, description, engine

VARIABLE = "TILEWRIGHT_CRASH_REPORT"
"""The environment variable that switches crash reports off if it is 0."""
MESSAGE = (
    "error: kernel '%s' in tile block (%u, %u, %u): {fault}: an access to memory that is not there\n"
    "hint: launch with {check}, which names the access\n"
)
FARTHEST = 1 << 24
"""The maximum number of bytes of the stack that are searched for a note."""
BELOW = 128
"""The size of the red zone in bytes: a function may use this memory below the stack pointer."""
STACK_POINTER = {"x86_64": 160, "aarch64": 432}
"""Offset of the stack pointer in what Linux tells a handler about the interrupted code."""
PROCEDURE_MASK = {"x86_64": 14, "aarch64": 135}
"""The number of Linux's system call `rt_sigprocmask`, by machine."""
_BAD_ADDRESS = 14
"""The error code `EFAULT`."""
_WITH_DETAILS, _ON_STACK = 0x4, 0x08000000
"""`SA_SIGINFO`; `SA_ONSTACK`: on another stack, if the thread has one."""

HANDLER = """
@earlier = global [2 x [{action_bytes} x i8]] zeroinitializer, align 16
@segmentation = private constant [{segmentation_bytes} x i8] c"{segmentation}"
@bus = private constant [{bus_bytes} x i8] c"{bus}"
declare i32 @sigaction(i32, ptr, ptr)
declare i32 @raise(i32)
declare i32 @dprintf(i32, ptr, ...)
declare i64 @syscall(i64, ...)
declare ptr @__errno_location()

define void @report(i32 %signal, ptr %details, ptr %interrupted) {{
entry:
  %stack.place = getelementptr i8, ptr %interrupted, i64 {stack_pointer}
  %stack = load i64, ptr %stack.place
  %low = sub i64 %stack, {below}
  %start = and i64 %low, -8
  %end = add i64 %start, {farthest}
  %reason.place = getelementptr i8, ptr %details, i64 8
  %reason = load i32, ptr %reason.place
  %is.fault = icmp sgt i32 %reason, 0 ; else another process sent the signal
  br i1 %is.fault, label %look, label %restore
look:
  %at = phi i64 [ %start, %entry ], [ %next, %further ]
  %is.near = icmp ult i64 %at, %end
  br i1 %is.near, label %near, label %restore
near:
  %in.page = and i64 %at, 4095
  %begins.page = icmp eq i64 %in.page, 0
  %is.first = icmp eq i64 %at, %start
  %is.unknown = or i1 %begins.page, %is.first
  br i1 %is.unknown, label %ask, label %compare
ask: ; the call reads the word, then refuses to do anything
  %refused = call i64 (i64, ...) @syscall(i64 {procedure_mask}, i64 -1, i64 %at, i64 0, i64 8)
  %error.place = call ptr @__errno_location()
  %error = load i32, ptr %error.place
  %is.missing = icmp eq i32 %error, {bad_address}
  br i1 %is.missing, label %restore, label %compare
compare:
  %note = inttoptr i64 %at to ptr
  %word = load i64, ptr %note
  %tag = xor i64 %at, {tag_bits}
  %is.note = icmp eq i64 %word, %tag
  br i1 %is.note, label %found, label %further
further:
  %next = add i64 %at, 8
  br label %look
found:
  %context.place = getelementptr i8, ptr %note, i64 {context}
  %context = load ptr, ptr %context.place
  %title.place = getelementptr i8, ptr %context, i64 {title}
  %title = load ptr, ptr %title.place
  %is.untitled = icmp eq ptr %title, null
  br i1 %is.untitled, label %restore, label %say
say:
  %grid.place = getelementptr i8, ptr %note, i64 {grid}
  %grid = load ptr, ptr %grid.place
  %width = load i32, ptr %grid
  %height.place = getelementptr i8, ptr %grid, i64 4
  %height = load i32, ptr %height.place
  %number.place = getelementptr i8, ptr %note, i64 {number}
  %number = load i64, ptr %number.place
  %wide.width = zext i32 %width to i64
  %wide.height = zext i32 %height to i64
  %x = urem i64 %number, %wide.width
  %rows = udiv i64 %number, %wide.width
  %y = urem i64 %rows, %wide.height
  %z = udiv i64 %rows, %wide.height
  %short.x = trunc i64 %x to i32
  %short.y = trunc i64 %y to i32
  %short.z = trunc i64 %z to i32
  %is.bus = icmp eq i32 %signal, {bus_signal}
  %words = select i1 %is.bus, ptr @bus, ptr @segmentation
  %said = call i32 (i32, ptr, ...) @dprintf(i32 2, ptr %words, ptr %title, i32 %short.x, i32 %short.y, i32 %short.z)
  br label %restore
restore:
  %second = getelementptr i8, ptr @earlier, i64 {action_bytes}
  %given.back = call i32 @sigaction(i32 {segmentation_signal}, ptr @earlier, ptr null)
  %given.back.too = call i32 @sigaction(i32 {bus_signal}, ptr %second, ptr null)
  br i1 %is.fault, label %recur, label %again
again:
  %raised = call i32 @raise(i32 %signal)
  br label %recur
recur: ; the fault comes again, and then takes its course
  ret void
}}
"""


class _Action(ctypes.Structure):
    """``struct sigaction`` of C: the same on both machines."""

    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_uint64 * 16),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


@cache
def install() -> engine.Library | None:
    """Report crashes of kernels from now on; return the handler's code. Return None if it is switched off or
    not possible: on other systems, or if a signal already has a handler other than of `faulthandler`.
    """
    if os.environ.get(VARIABLE) == "0" or sys.platform != "linux":
        return None
    machine = os.uname().machine
    if machine not in STACK_POINTER:
        return None
    action: Any = ctypes.CDLL(None).sigaction
    earlier = [_Action(), _Action()]
    for number, found in zip(_signals(), earlier, strict=True):
        if action(number, None, ctypes.byref(found)) or not _is_plain(found):
            return None
    library = engine.own_library(_handler(machine), ("report", "earlier"))
    for place, found in enumerate(earlier):
        where = library.addresses["earlier"] + place * ctypes.sizeof(_Action)
        ctypes.memmove(where, ctypes.byref(found), ctypes.sizeof(_Action))
    wanted = _Action(handler=library.addresses["report"], flags=_WITH_DETAILS | _ON_STACK)
    for number in _signals():
        action(number, ctypes.byref(wanted), None)
    return library


def _signals() -> tuple[int, int]:
    return signal.SIGSEGV, signal.SIGBUS


def _is_plain(action: _Action) -> bool:
    """Return whether the signal of `action` has no handler, or `faulthandler` is enabled, so that the handler
    is taken to be its own.
    """
    module: ModuleType | None = sys.modules.get("faulthandler")
    return not action.handler or (module is not None and module.is_enabled())


def _handler(machine: str) -> str:
    """Return the handler as LLVM IR.

    It calls `dprintf`, which POSIX does not promise to handlers: for numbers and strings it takes no lock and no memory.
    """
    segmentation, bus = (
        MESSAGE.format(fault=fault, check=option("check", "memcheck")).encode() + b"\0"
        for fault in ("segmentation fault", "bus error")
    )
    segmentation_signal, bus_signal = map(int, _signals())
    return HANDLER.format(
        action_bytes=ctypes.sizeof(_Action),
        segmentation=_escaped(segmentation),
        segmentation_bytes=len(segmentation),
        bus=_escaped(bus),
        bus_bytes=len(bus),
        stack_pointer=STACK_POINTER[machine],
        procedure_mask=PROCEDURE_MASK[machine],
        bad_address=_BAD_ADDRESS,
        below=BELOW,
        farthest=FARTHEST,
        tag_bits=description.TAG_BITS,
        context=description.CONTEXT,
        grid=description.GRID,
        number=description.NUMBER,
        title=runtime_context.TITLE,
        segmentation_signal=segmentation_signal,
        bus_signal=bus_signal,
    )


def _escaped(text: bytes) -> str:
    """Return bytes as a string of LLVM IR."""
    return "".join(f"\\{byte:02X}" for byte in text)
